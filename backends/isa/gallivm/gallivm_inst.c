// SPDX-License-Identifier: Apache-2.0
//
// Parses one instruction. Unknown text is refused with its line.
#include "gallivm_program.h"

enum { SOURCES = 64 };

static bool refuse(struct gv_reader *r, const char *what, struct word at)
{
    return gv_refuse(r, what, at);
}

// The sources of an instruction while it is read.
struct sources {
    uint32_t v[SOURCES], n;
};

static bool value(struct gv_reader *r, struct word *at, const struct gv_type *t, struct sources *s)
{
    if (s->n == SOURCES)
        return refuse(r, "operands", *at);
    s->v[s->n] = gv_read_value(r, at, t);
    return s->v[s->n++] != GV_NONE;
}

// "TYPE VALUE", after an optional ", ".
static const struct gv_type *typed(struct gv_reader *r, struct word *at, struct sources *s)
{
    gv_take(at, ",");
    const struct gv_type *t = gv_read_type(r, at);
    return t && value(r, at, t, s) ? t : NULL;
}

static uint32_t label(struct gv_reader *r, struct word *at)
{
    gv_take(at, ",");
    if (!gv_take(at, "label")) {
        refuse(r, "a label", *at);
        return GV_NONE;
    }
    return gv_read_name(r, at, NULL);
}

// A constant integer that is known while reading.
static bool fixed(struct gv_reader *r, uint32_t v, int64_t *out)
{
    const struct gv_value *x = &r->value.v[v];
    if (!x->constant || x->type->kind != GV_INT || r->undefined.v[x->at])
        return false;
    *out = isa_signed(r->constant.v[x->at], x->type->bits);
    return true;
}

// What may follow an instruction: alignment, atomic order, metadata.
static bool end(struct gv_reader *r, struct word at)
{
    static const char *const known[] = {"align",   "seq_cst", "acq_rel",
                                        "acquire", "release", "monotonic"};
    uint32_t number;
    while (gv_blanks(&at), at.n) {
        gv_take(&at, ",");
        gv_blanks(&at);
        if (*at.s == '!' || *at.s == '#' || *at.s == ';')
            return true;
        const struct word w = gv_word(&at);
        bool good = w.n && parse_u32(w.s, w.n, &number);
        for (size_t i = 0; i < sizeof known / sizeof *known; i++)
            good |= word_is(w, known[i]);
        if (!good)
            return refuse(r, "the text", w.n ? w : at);
    }
    return true;
}

// ---- instructions ----------------------------------------------------------------------------

// The operations with one row: TYPE a, b; or PREDICATE TYPE a, b; or TYPE a to TYPE.
static bool read_row(struct gv_reader *r, struct word op, struct word *at, struct gv_inst *in,
                     struct sources *s, bool *found)
{
    static const struct {
        const char *name;
        enum gv_op op;
        char form; // b, c: of integers, f: of floats, t: cast
    } rows[] = {
#define BINARY(id, name, value)   {name, GV_##id, 'b'},
#define CAST(id, name, value)     {name, GV_##id, 't'},
#define COMPARE(id, name, value)  {name, GV_##id, 'c'},
#define FCOMPARE(id, name, value) {name, GV_##id, 'f'},
#define FUNCTION(id, name, value)
#include "gallivm_ops.def"
    };
    const char compare = word_is(op, "icmp") ? 'c' : word_is(op, "fcmp") ? 'f' : 0;
    const struct word name = compare ? gv_word(at) : op;
    *found = false;
    for (size_t i = 0; i < sizeof rows / sizeof *rows && !*found; i++) {
        const bool comparison = rows[i].form == 'c' || rows[i].form == 'f';
        if (!word_is(name, rows[i].name) || (compare ? rows[i].form != compare : comparison))
            continue;
        *found = true;
        in->op = rows[i].op;
        const struct gv_type *t = typed(r, at, s);
        if (!t || !gv_is_plain(t))
            return t && refuse(r, "operands", *at);
        if (rows[i].form == 't') {
            in->type = gv_take(at, "to ") ? gv_read_type(r, at) : NULL;
            return in->type && in->type->slots == t->slots ? true : refuse(r, "a cast", *at);
        }
        if (!gv_take(at, ",") || !value(r, at, t, s))
            return refuse(r, "operands", *at);
        in->type = t;
        if (compare) {
            struct gv_type *bits = ARENA_NEW(r->a, struct gv_type);
            *bits = *t;
            bits->kind = t->kind == GV_VECTOR ? GV_VECTOR : GV_INT;
            bits->of = gv_integer(r, 1);
            bits->bits = 1;
            bits->size = bits->align = ((uint64_t)t->slots + 7) / 8;
            in->type = bits;
        }
        return true;
    }
    return !compare || refuse(r, "the comparison", name);
}

// TYPE, ptr BASE, INDEX...: becomes a sum of products.
static bool read_address(struct gv_reader *r, struct word *at, struct gv_inst *in,
                         struct sources *s)
{
    uint64_t scale[SOURCES] = {1};
    const struct gv_type *of = gv_read_type(r, at), *base = of ? typed(r, at, s) : NULL;
    if (!base || gv_scalar(base)->kind != GV_PTR)
        return refuse(r, "an address", *at);
    in->type = base;
    for (bool first = true; gv_take(at, ","); first = false) {
        int64_t known;
        const struct gv_type *t = typed(r, at, s);
        if (!t || gv_scalar(t)->kind != GV_INT)
            return refuse(r, "an index", *at);
        const bool constant = fixed(r, s->v[s->n - 1], &known);
        if (!first && of->kind == GV_STRUCT) {
            if (!constant || known < 0 || known >= of->count)
                return refuse(r, "an index of a structure", *at);
            in->offset += (int64_t)of->offset[known];
            of = of->member[known];
            s->n--;
            continue;
        }
        if (!first && of->kind != GV_ARRAY && of->kind != GV_VECTOR)
            return refuse(r, "an index", *at);
        of = first ? of : of->of;
        if (constant) {
            in->offset += known * (int64_t)of->size;
            s->n--;
            continue;
        }
        scale[s->n - 1] = of->size;
        if (t->kind == GV_VECTOR && in->type->kind != GV_VECTOR) { // an address for each element
            struct gv_type *many = ARENA_NEW(r->a, struct gv_type);
            *many = *t;
            many->of = base;
            many->size = many->align = t->count * base->size;
            in->type = many;
        } else if (t->slots != 1 && t->slots != in->type->slots) {
            return refuse(r, "an index", *at);
        }
    }
    in->number = arena_copy(r->a, scale, sizeof scale);
    return true;
}

static bool read_shuffle(struct gv_reader *r, struct word *at, struct gv_inst *in,
                         struct sources *s)
{
    const struct gv_type *t = typed(r, at, s);
    if (!t || t->kind != GV_VECTOR || typed(r, at, s) == NULL)
        return refuse(r, "a shuffle", *at);
    const struct gv_type *by = typed(r, at, s);
    const struct gv_value *mask = by ? &r->value.v[s->v[--s->n]] : NULL;
    if (!mask || !mask->constant || by->kind != GV_VECTOR)
        return refuse(r, "a shuffle", *at);
    struct gv_type *out = ARENA_NEW(r->a, struct gv_type);
    *out = *t;
    out->count = out->slots = by->count;
    out->size = out->align = ((uint64_t)by->count * t->of->bits + 7) / 8;
    in->type = out;
    in->number = ARENA_ARRAY(r->a, uint64_t, by->count);
    for (uint32_t i = 0; i < by->count; i++) {
        in->number[i] = r->undefined.v[mask->at + i] ? 0 : r->constant.v[mask->at + i];
        if (in->number[i] >= 2u * t->count)
            return refuse(r, "a shuffle", *at);
    }
    return true;
}

static const struct {
    const char *name;
    enum isa_combine combine;
} atomics[] = {{"xchg", ISA_XCHG}, {"add", ISA_IADD},  {"sub", ISA_ISUB},  {"and", ISA_IAND},
               {"or", ISA_IOR},    {"xor", ISA_IXOR},  {"max", ISA_IMAX},  {"min", ISA_IMIN},
               {"umax", ISA_UMAX}, {"umin", ISA_UMIN}, {"fadd", ISA_FADD}, {"fmin", ISA_FMIN},
               {"fmax", ISA_FMAX}};

static bool read_atomic(struct gv_reader *r, struct word *at, struct gv_inst *in, struct sources *s)
{
    const struct word op = gv_word(at);
    for (size_t i = 0; i < sizeof atomics / sizeof *atomics; i++)
        if (word_is(op, atomics[i].name)) {
            in->combine = atomics[i].combine;
            const struct gv_type *to = typed(r, at, s);
            in->type = to && to->kind == GV_PTR ? typed(r, at, s) : NULL;
            return (in->type && gv_is_scalar(in->type)) || refuse(r, "an atomic", *at);
        }
    return refuse(r, "the atomic", op);
}

// The result is the old value, and whether it was exchanged.
static bool read_cmpxchg(struct gv_reader *r, struct word *at, struct gv_inst *in,
                         struct sources *s)
{
    const struct gv_type *to = typed(r, at, s), *t = to ? typed(r, at, s) : NULL;
    if (!t || !gv_is_scalar(t) || to->kind != GV_PTR || typed(r, at, s) == NULL)
        return refuse(r, "an atomic", *at);
    in->type = gv_pair(r, t);
    return true;
}

static bool read_extract_value(struct gv_reader *r, struct word *at, struct gv_inst *in,
                               struct sources *s)
{
    const struct gv_type *t = typed(r, at, s);
    if (!t || t->kind != GV_STRUCT || !gv_take(at, ","))
        return refuse(r, "extractvalue", *at);
    const struct word which = gv_word(at);
    uint32_t k;
    if (!parse_u32(which.s, which.n, &k) || k >= t->count)
        return refuse(r, "extractvalue", which);
    for (uint32_t i = 0; i < k; i++)
        in->offset += t->member[i]->slots;
    in->type = t->member[k];
    return true;
}

// The rows of a switch follow in lines of their own.
bool gv_read_case(struct gv_reader *r, struct word at)
{
    struct gv_inst *in = &r->inst.v[r->inst.n - 1];
    struct sources s = {0};
    if (gv_take(&at, "]"))
        return true;
    int64_t v;
    const struct gv_type *t = typed(r, &at, &s);
    if (!t || !fixed(r, s.v[0], &v) || in->numbers == SOURCES)
        return refuse(r, "a case", at);
    in->number[in->numbers] = isa_low((uint64_t)v, t->bits);
    in->cases[in->numbers] = label(r, &at);
    return in->cases[in->numbers++] != GV_NONE;
}

static bool read_branch(struct gv_reader *r, struct word *at, struct gv_inst *in, struct sources *s)
{
    if (in->op == GV_BR && (gv_blanks(at), word_starts(*at, "label")))
        return (in->label[0] = label(r, at)) != GV_NONE;
    if (!typed(r, at, s) || (in->label[0] = label(r, at)) == GV_NONE)
        return false;
    if (in->op == GV_SWITCH) {
        in->number = ARENA_ARRAY(r->a, uint64_t, SOURCES);
        in->cases = ARENA_ARRAY(r->a, uint32_t, SOURCES);
        return gv_take(at, "[") || refuse(r, "a switch", *at);
    }
    in->op = GV_BR_IF;
    return (in->label[1] = label(r, at)) != GV_NONE;
}

static bool find_function(const struct gv_reader *r, struct word name, struct gv_inst *in)
{
    in->op = GV_CALL;
    for (in->callee = 0; in->callee + 1 < r->function.n; in->callee++) // not of itself
        if (word_is(name, r->function.v[in->callee].name))
            return true;
    return gv_function_known(name, in);
}

// TYPE @NAME(TYPE VALUE, ...)
static bool read_call(struct gv_reader *r, struct word *at, struct gv_inst *in, struct sources *s)
{
    uint32_t number;
    if (!(in->type = gv_read_type(r, at)))
        return false;
    if (!gv_take(at, "@"))
        return refuse(r, "a call of", *at);
    const struct word name = gv_word(at);
    if (!find_function(r, name, in))
        return refuse(r, "the function", name);
    if (!gv_take(at, "("))
        return refuse(r, "a call of", name);
    while (!gv_take(at, ")")) {
        gv_take(at, ",");
        const struct gv_type *t = gv_read_type(r, at);
        while (t && gv_take(at, "align")) {
            const struct word n = gv_word(at);
            if (!parse_u32(n.s, n.n, &number))
                return refuse(r, "a call of", name);
        }
        if (!t || !value(r, at, t, s))
            return false;
    }
    if (in->op == GV_CALL) {
        const struct gv_function *f = &r->function.v[in->callee];
        bool same = s->n == f->params;
        for (uint32_t i = 0; same && i < s->n; i++)
            same = r->value.v[s->v[i]].type->slots == r->value.v[f->param[i]].type->slots;
        if (!same)
            return refuse(r, "a call of", name);
    }
    *at = (struct word){at->s, 0}; // its attributes
    return true;
}

static bool read_other(struct gv_reader *r, struct word op, struct word *at, struct gv_inst *in,
                       struct sources *s)
{
    static const struct {
        const char *name;
        enum gv_op op;
    } ops[] = {
        {"load", GV_LOAD},
        {"store", GV_STORE},
        {"getelementptr", GV_ADDRESS},
        {"alloca", GV_ALLOCA},
        {"bitcast", GV_BITCAST},
        {"freeze", GV_COPY},
        {"fneg", GV_FNEG},
        {"select", GV_SELECT},
        {"extractelement", GV_EXTRACT},
        {"insertelement", GV_INSERT},
        {"shufflevector", GV_SHUFFLE},
        {"extractvalue", GV_EXTRACT_VALUE},
        {"atomicrmw", GV_ATOMIC},
        {"cmpxchg", GV_CMPXCHG},
        {"fence", GV_FENCE},
        {"br", GV_BR},
        {"switch", GV_SWITCH},
        {"ret", GV_RET},
        {"call", GV_CALL},
    };
    size_t i = 0;
    while (i < sizeof ops / sizeof *ops && !word_is(op, ops[i].name))
        i++;
    if (i == sizeof ops / sizeof *ops)
        return refuse(r, "the instruction", op);
    in->op = ops[i].op;
    const struct gv_type *t;
    switch (in->op) {
    case GV_LOAD:
        in->type = gv_read_type(r, at);
        t = in->type && gv_take(at, ",") ? typed(r, at, s) : NULL;
        return (t && t->kind == GV_PTR) || refuse(r, "a load", *at);
    case GV_STORE:
        in->type = typed(r, at, s);
        t = in->type && gv_take(at, ",") ? typed(r, at, s) : NULL;
        return (t && t->kind == GV_PTR) || refuse(r, "a store", *at);
    case GV_ALLOCA:
        if (!(t = gv_read_type(r, at)))
            return false;
        in->offset = (int64_t)t->size;
        in->type = gv_pointer(r);
        gv_blanks(at);
        if (at->n > 2 && at->s[2] == 'i') // ", i32 %n"
            return typed(r, at, s) != NULL;
        return true;
    case GV_BITCAST:
        t = typed(r, at, s);
        in->type = t && gv_take(at, "to ") ? gv_read_type(r, at) : NULL;
        return (in->type && (in->type->size == t->size)) || refuse(r, "a cast", *at);
    case GV_COPY:
    case GV_FNEG:
        return (in->type = typed(r, at, s)) != NULL;
    case GV_SELECT:
        t = typed(r, at, s);
        in->type = t ? typed(r, at, s) : NULL;
        return in->type && typed(r, at, s) &&
               ((t->slots == 1 || t->slots == in->type->slots) || refuse(r, "a selection", *at));
    case GV_EXTRACT:
        t = typed(r, at, s);
        in->type = t && t->kind == GV_VECTOR ? t->of : NULL;
        return (in->type && typed(r, at, s)) || refuse(r, "extractelement", *at);
    case GV_INSERT:
        in->type = typed(r, at, s);
        return (in->type && in->type->kind == GV_VECTOR && typed(r, at, s) && typed(r, at, s)) ||
               refuse(r, "insertelement", *at);
    case GV_SHUFFLE:
        return read_shuffle(r, at, in, s);
    case GV_EXTRACT_VALUE:
        return read_extract_value(r, at, in, s);
    case GV_ADDRESS:
        return read_address(r, at, in, s);
    case GV_ATOMIC:
        return read_atomic(r, at, in, s);
    case GV_CMPXCHG:
        return read_cmpxchg(r, at, in, s);
    case GV_BR:
    case GV_SWITCH:
        return read_branch(r, at, in, s);
    case GV_RET:
        return gv_take(at, "void") || typed(r, at, s);
    case GV_CALL:
        return read_call(r, at, in, s);
    default:
        return true;
    }
}

// ---- what all must hold ----------------------------------------------------------------------

static const struct gv_type *type_of(const struct gv_reader *r, const struct sources *s, uint32_t i)
{
    return r->value.v[s->v[i]].type;
}

// Operations on the elements of their operands.
static bool of_plain(enum gv_op op)
{
    return op < GV_EACH || op == GV_BITCAST || op == GV_FNEG || op == GV_GATHER ||
           op == GV_SCATTER || op == GV_PERMUTE || op == GV_FIRST_LEAST || op == GV_FIRST_MOST ||
           op == GV_REDUCE;
}

static bool all_plain(const struct gv_reader *r, const struct gv_inst *in, const struct sources *s)
{
    for (uint32_t i = 0; i < s->n; i++)
        if (!gv_is_plain(type_of(r, s, i)))
            return false;
    return in->op == GV_SCATTER || (in->type && gv_is_plain(in->type));
}

// Do the operands have as many elements as the machine will read?
static bool fits(const struct gv_reader *r, const struct gv_inst *in, const struct sources *s)
{
    const uint32_t n = in->type ? in->type->slots : 0;
    uint32_t slots[SOURCES];
    for (uint32_t i = 0; i < s->n; i++)
        slots[i] = type_of(r, s, i)->slots;
    if (n > GV_SLOTS || (of_plain(in->op) && !all_plain(r, in, s)))
        return false;
    switch (in->op) {
    case GV_SELECT:
        return slots[1] == n && slots[2] == n;
    case GV_EXTRACT:
        return slots[1] == 1;
    case GV_INSERT:
        return slots[1] == 1 && slots[2] == 1;
    case GV_SHUFFLE:
        return slots[0] == slots[1];
    case GV_ATOMIC:
        return s->n == 2 && slots[1] == 1;
    case GV_CMPXCHG:
        return s->n == 3 && slots[1] == 1 && slots[2] == 1;
    case GV_BR_IF:
    case GV_SWITCH:
        return slots[0] == 1;
    case GV_ALLOCA:
        return !s->n || slots[0] == 1;
    case GV_GATHER: // addresses, [alignment,] mask, what is not read
        return (s->n == 3 || s->n == 4) && slots[0] == n && slots[s->n - 2] == n &&
               slots[s->n - 1] == n;
    case GV_SCATTER: // values, addresses, [alignment,] mask
        return (s->n == 3 || s->n == 4) && slots[1] == slots[0] && slots[s->n - 1] == slots[0];
    case GV_PERMUTE:
        return s->n == 2 && slots[0] == n && slots[1] == n;
    case GV_FIRST_LEAST:
    case GV_FIRST_MOST:
        return s->n == 2 && slots[0] == n && slots[1] == n;
    case GV_REDUCE:
        return n == 1 && (s->n == 1 || (s->n == 2 && slots[0] == 1));
    case GV_CORO_BEGIN:
        return s->n == 2 && slots[1] == 1;
    case GV_CORO_SUSPEND:
        return s->n == 2 && slots[1] == 1;
    case GV_CORO_RESUME:
    case GV_CORO_DESTROY:
    case GV_CORO_DONE:
    case GV_CORO_MALLOC:
        return s->n == 1 && slots[0] == 1;
    default:
        break;
    }
    if (in->op >= GV_EACH && in->op != GV_ADDRESS)
        return true;
    for (uint32_t i = 0; i < s->n; i++)
        if (slots[i] != 1 && slots[i] != n)
            return false;
    return s->n >= 1 && (in->op == GV_ADDRESS || s->n <= 3);
}

bool gv_read_inst(struct gv_reader *r, struct word at)
{
    struct gv_inst in = {.line = r->line, .def = GV_NONE};
    struct sources s = {0};
    struct word name = {0}, rest = at;
    const char *equals = " = ";
    bool found;
    gv_blanks(&rest);
    if (rest.n && *rest.s == '%') {
        while (rest.n && !word_starts(rest, equals))
            rest = word_after(rest, 1);
        if (!rest.n)
            return refuse(r, "the instruction", at);
        name = (struct word){at.s, (size_t)(rest.s - at.s)};
        rest = word_after(rest, strlen(equals));
    }
    struct word op = gv_word(&rest);
    if (word_is(op, "tail"))
        op = gv_word(&rest);
    if (!read_row(r, op, &rest, &in, &s, &found) || (!found && !read_other(r, op, &rest, &in, &s)))
        return false;
    if (in.op != GV_SWITCH && !end(r, rest))
        return false;
    if (!fits(r, &in, &s))
        return refuse(r, "the operands of", op);
    if (name.n) {
        in.def = in.type ? gv_read_name(r, &name, in.type) : GV_NONE;
        if (in.def == GV_NONE || r->value.v[in.def].defined)
            return refuse(r, "the result of", op);
        r->value.v[in.def].defined = true;
    }
    in.srcs = s.n;
    in.src = arena_copy(r->a, s.v, s.n * sizeof *s.v);
    *VEC_PUSH(r->a, &r->inst) = in;
    return true;
}
