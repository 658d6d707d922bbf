// SPDX-License-Identifier: Apache-2.0
//
// Parses text into instructions, each checked against its row. A line is
//   [@[!]p0] [destinations =] operation.modifiers sources   // delays, which are not modelled
// in blocks "block 3 LN [1] -> {" ... "} -> [4]". Labels are at the head of a block and after
// `nop`.
#include "nak_reader.h"

static bool refuse(struct nak_reader *r, const char *what, struct word t)
{
    return word_refuse(r->why, r->line, what, t);
}

#define is word_is

// Splits a line into words, up to its comment, and drops a comma at the end of each. Blanks inside
// "{%r1 %r2}" do not separate.
static void split(struct nak_reader *r, const char *s, size_t n)
{
    r->t.n = 0;
    for (size_t i = 0; i < n;) {
        bool inside = false;
        while (i < n && (s[i] == ' ' || s[i] == '\t'))
            i++;
        const size_t from = i;
        for (; i < n && (inside || (s[i] != ' ' && s[i] != '\t')); i++)
            inside = s[i] == '{' && i + 1 < n && s[i + 1] == '%' ? true : inside && s[i] != '}';
        if (i == from || (i - from >= 2 && s[from] == '/' && s[from + 1] == '/'))
            break;
        *VEC_PUSH(r->a, &r->t) = (struct word){s + from, i - from - (s[i - 1] == ',')};
    }
}

// Reads "LN": N is the label's number.
static bool label_read(struct word t, uint32_t *out)
{
    return t.n > 1 && *t.s == 'L' && parse_u32(t.s + 1, t.n - 1, out) && *out < LABELS;
}

static bool label_here(struct nak_reader *r, struct word t)
{
    uint32_t k;
    if (!label_read(t, &k) || r->label[k])
        return refuse(r, "the label", t);
    r->label[k] = (uint32_t)r->inst.n + 1;
    return true;
}

// ---- modifiers -------------------------------------------------------------

static bool listed(const char *list, struct word t)
{
    for (const char *at = list; (at = strchr(at, *t.s)) != NULL; at++)
        if (at > list && at[-1] == ' ' && strncmp(at, t.s, t.n) == 0 && at[t.n] == ' ')
            return true;
    return false;
}

void nak_modify(struct nak_inst *in, enum nak_mod m)
{
    in->mods[m / 64] |= UINT64_C(1) << m % 64;
    switch (nak_mods[m].kind) {
    case MOD_COMPARES:
        in->cmp = m;
        break;
    case MOD_COMBINES:
        in->set = m;
        break;
    case MOD_OTHER:
        break;
    default:
        in->type[in->type[0] ? 1 : 0] = m;
    }
}

// Finds the row of "isetp.lt.i32.ex": the first of that name that allows all of the modifiers.
static bool operation_read(struct nak_reader *r, struct word t, struct nak_inst *in)
{
    struct word mod[12];
    uint32_t mods = 0;
    const char *end = t.s + t.n, *dot = memchr(t.s, '.', t.n);
    struct word name = {t.s, dot ? (size_t)(dot - t.s) : t.n};
    while (dot) {
        const char *next = memchr(dot + 1, '.', (size_t)(end - dot - 1));
        const struct word m = {dot + 1, (size_t)((next ? next : end) - dot - 1)};
        dot = next;
        if (!m.n) // "membar.sc..gpu"
            continue;
        if (mods == 12)
            return refuse(r, "the operation", t);
        mod[mods++] = m;
    }
    for (uint32_t id = 0; id < NAK_IDS; id++) {
        const struct nak_op *op = &nak_ops[id];
        if (!is(name, op->name))
            continue;
        uint32_t k = 0;
        *in = (struct nak_inst){.id = (enum nak_id)id, .line = r->line};
        if (strcmp(op->mods, "LUT") == 0) {
            struct nak_operand table;
            if (mods != 1 || !nak_operand_read(&r->files, mod[0].s, mod[0].n, 't', &table))
                return refuse(r, "the operation", t);
            in->lut = table.value;
            return true;
        }
        for (; k < mods && listed(op->mods, mod[k]); k++)
            for (enum nak_mod m = 1; m < MODS; m++)
                if (is(mod[k], nak_mods[m].text))
                    nak_modify(in, m);
        // The rows of iadd3.x and lea.x require their modifier.
        const bool meant = (id != NAK_IADD3_X && id != NAK_LEA_X) || HAS(in, MOD_X);
        if (k == mods && meant)
            return true;
    }
    return refuse(r, "the operation", t);
}

// Are the modifiers present that the operation requires?
static bool complete(const struct nak_inst *in)
{
    switch (in->id) {
    case NAK_ISETP:
        return in->cmp && in->type[0] && !in->type[1];
    case NAK_FSETP:
    case NAK_DSETP:
    case NAK_HSETP2:
    case NAK_FSET:
        return in->cmp != MOD_NONE;
    case NAK_IMNMX:
        return in->type[0] && !in->type[1];
    case NAK_SHF:
        return in->type[0] && !in->type[1] && HAS(in, MOD_L) != HAS(in, MOD_R);
    case NAK_SHFL:
        return HAS(in, MOD_IDX) + HAS(in, MOD_UP) + HAS(in, MOD_DOWN) + HAS(in, MOD_BFLY) == 1;
    case NAK_VOTE:
        return HAS(in, MOD_ANY) + HAS(in, MOD_ALL) + HAS(in, MOD_EQ) == 1;
    case NAK_MATCH_ANY:
        return HAS(in, MOD_ANY);
    case NAK_MATCH_ALL:
        return HAS(in, MOD_ALL);
    case NAK_REDUX:
        return in->set && ((in->set != MOD_MIN && in->set != MOD_MAX) || in->type[0]);
    case NAK_I2F:
        return nak_mods[in->type[0]].kind == MOD_FLOAT && nak_mods[in->type[1]].kind == MOD_INTEGER;
    case NAK_F2I:
        return nak_mods[in->type[0]].kind == MOD_INTEGER && nak_mods[in->type[1]].kind == MOD_FLOAT;
    case NAK_F2F:
    case NAK_FRND:
        return in->type[1] != MOD_NONE;
    case NAK_LD:
    case NAK_ST:
    case NAK_LDC:
        return in->type[0] && !in->type[1] &&
               (in->id == NAK_LDC ||
                HAS(in, MOD_GLOBAL) + HAS(in, MOD_SHARED) + HAS(in, MOD_LOCAL) == 1);
    case NAK_ATOM:
        return in->set && in->type[0] && !in->type[1] &&
               HAS(in, MOD_GLOBAL) + HAS(in, MOD_SHARED) == 1;
    case NAK_BMOV:
        return HAS(in, MOD_32);
    case NAK_BAR:
        return HAS(in, MOD_SYNC);
    default:
        return true;
    }
}

// ---- operands --------------------------------------------------------------

static uint32_t width(enum nak_mod type)
{
    return type == MOD_B128                                                           ? 4
           : type == MOD_B64 || type == MOD_U64 || type == MOD_I64 || type == MOD_F64 ? 2
                                                                                      : 1;
}

// Returns the number of registers of an operand of this type.
static uint32_t wanted(const struct nak_inst *in, char type, bool destination)
{
    switch (type) {
    case 'q':
        return in->id == NAK_IMAD64 || HAS(in, MOD_U64) || HAS(in, MOD_I64) ? 2 : 1;
    case 'd':
    case 'R':
        return 2;
    case 'W':
        return width(in->type[0]);
    case 'D':
        return width(in->type[0]) * (!destination && HAS(in, MOD_PACKED) ? 2 : 1);
    case 'M':
        return width(in->type[0]);
    default:
        return 1;
    }
}

// Reads the destinations before the "=", in the order of the row; each may be omitted.
static bool destinations_read(struct nak_reader *r, struct nak_inst *in, const struct word *t,
                              uint32_t n)
{
    const char *types = nak_ops[in->id].dst;
    uint32_t k = 0;
    in->dst = (uint8_t)strlen(types);
    for (uint32_t i = 0; i < n; i++) {
        struct nak_operand o;
        bool found = false;
        if (is(t[i], "null")) {
            found = k < in->dst;
            k++;
        }
        for (; !found && k < in->dst; k++) {
            const char type = types[k];
            const bool ok =
                nak_operand_read(
                    &r->files, t[i].s, t[i].n,
                    type == 'r' || type == 'R' || type == 'W' || type == 'D' ? 'u' : type, &o) &&
                !o.neg && o.kind != OPERAND_NUMBER && o.kind != OPERAND_C &&
                o.reg != (o.kind == OPERAND_P ? PT : NO_REGISTER);
            if (!ok)
                continue;
            o.type = type;
            if (o.count != wanted(in, type, true))
                break;
            in->o[k] = o;
            in->uniform |= o.kind == OPERAND_UR || o.kind == OPERAND_UP;
            found = true;
        }
        if (!found)
            return refuse(r, "the destination", t[i]);
    }
    return true;
}

// Is a source of this type present in the instruction?
static bool present(const struct nak_inst *in, char type)
{
    switch (type) {
    case 'a':
        return in->set != MOD_NONE;
    case 'k':
        return HAS(in, MOD_EX);
    case 'm':
        return HAS(in, MOD_HI);
    case 'M':
        return HAS(in, MOD_CMPEXCH) && !HAS(in, MOD_PACKED);
    default:
        return true;
    }
}

// Returns the letter of the type that is converted.
static char converted(enum nak_mod type)
{
    return type == MOD_F16    ? 'h'
           : type == MOD_F32  ? 'f'
           : width(type) == 2 ? type == MOD_F64 ? 'd' : 'q'
                              : 'u';
}

// Is this source left out, as Mesa 25.0 does where loads and branches have no predicate?
static bool implied(const struct nak_inst *in, char type, uint32_t used, uint32_t n)
{
    return type == 'p' && ((in->id == NAK_LD && used == n) || (in->id == NAK_BRA && n == 1));
}

static bool sources_read(struct nak_reader *r, struct nak_inst *in, const struct word *t,
                         uint32_t n, struct word whole)
{
    uint32_t used = 0;
    in->n = in->dst;
    for (const char *at = nak_ops[in->id].src; *at; at++) {
        struct nak_operand *o = &in->o[in->n++];
        uint32_t label;
        const char type = *at == 'w' ? converted(in->type[1]) : *at;
        *o = (struct nak_operand){.type = type};
        if (!present(in, type))
            continue;
        if (implied(in, type, used, n)) {
            nak_predicate_read(&r->files, "pT", 2, o);
            continue;
        }
        if (used == n)
            return refuse(r, "too few operands of", whole);
        if (type == 'L') {
            if (!label_read(t[used], &label))
                return refuse(r, "the label", t[used]);
            o->kind = OPERAND_NUMBER;
            o->value = label;
        } else if (!nak_operand_read(&r->files, t[used].s, t[used].n, type, o)) {
            return refuse(r, "the operand", t[used]);
        }
        const bool registers = o->kind == OPERAND_R || o->kind == OPERAND_UR;
        if (registers && o->count != wanted(in, type, false))
            return refuse(r, "the width of", t[used]);
        if (o->kind == OPERAND_C && type != 'C')
            o->count = (uint8_t)wanted(in, type, false);
        used++;
    }
    if (used != n)
        return refuse(r, "too many operands of", whole);
    return true;
}

// An operation with a uniform result must not read per-lane values, except operations that gather
// them.
static bool uniform_check(struct nak_reader *r, const struct nak_inst *in, struct word whole)
{
    if (!in->uniform || nak_ops[in->id].unit == NAK_LANES)
        return true;
    for (uint32_t i = in->dst; i < in->n; i++) {
        const struct nak_operand *o = &in->o[i];
        if (o->kind == OPERAND_R || (o->kind == OPERAND_P && o->reg != PT) ||
            (o->kind == OPERAND_A && ((o->reg != NO_REGISTER && !o->uniform) ||
                                      (o->index != NO_REGISTER && !o->index_uniform))) ||
            (o->kind == OPERAND_C && o->index != NO_REGISTER && !o->index_uniform))
            return refuse(r, "a uniform result of per-lane values, in", whole);
    }
    return in->guard.kind == OPERAND_P && in->guard.reg != PT
               ? refuse(r, "a uniform result under a lane's predicate, in", whole)
               : true;
}

bool nak_reader_add(struct nak_reader *r, const struct nak_inst *in)
{
    if (r->inst.n == INSTRUCTIONS)
        return isa_refuse(r->why, RAN_UNSUPPORTED, r->line, "more than %d instructions",
                          INSTRUCTIONS);
    struct nak_inst *out = VEC_PUSH(r->a, &r->inst);
    *out = *in;
    return true;
}

// A copy is of predicates or of registers; between them there are operations of their own.
static bool copy_check(struct nak_reader *r, const struct nak_inst *in, struct word whole)
{
    if (nak_ops[in->id].unit != NAK_MOVE && in->id != NAK_R2UR)
        return true;
    bool predicate[2];
    for (int i = 0; i < 2; i++)
        predicate[i] = in->o[i].kind == OPERAND_P || in->o[i].kind == OPERAND_UP;
    return predicate[0] == predicate[1] || refuse(r, "another file's value, in", whole);
}

// Does the code name values, as before register allocation?
static bool has_values(const struct nak_files *f)
{
    for (int k = 0; k < NAK_FILES; k++)
        if (f->numbers[k])
            return true;
    return false;
}

// Reads the predicate of "@!%p1". Mesa 25.0 leaves out the "%" of a value there.
static bool guard_read(struct nak_reader *r, struct word t, struct nak_operand *guard)
{
    const char *s = t.s + 1;
    size_t n = t.n - 1;
    const bool neg = n && *s == '!',
               constant = n == 2u + neg && (s[n - 1] == 'T' || s[n - 1] == 'F');
    if (has_values(&r->files) && n > 1u + neg && s[neg] != '%' && !constant) {
        s = arena_printf(r->a, "%s%%%.*s", neg ? "!" : "", (int)(n - neg), s + neg);
        n++;
    }
    return nak_predicate_read(&r->files, s, n, guard) || refuse(r, "the predicate", t);
}

static bool instruction_read(struct nak_reader *r)
{
    const struct word *t = r->t.v;
    const size_t n = r->t.n;
    struct nak_operand guard = {0};
    struct nak_inst made;
    size_t at = 0, equals = SIZE_MAX;
    if (*t[0].s == '@') {
        if (!guard_read(r, t[0], &guard))
            return false;
        at = 1;
    }
    if (nak_copies_begin(r, at))
        return nak_copies_read(r, at, &guard);
    for (size_t i = at; i < n; i++)
        if (is(t[i], "="))
            equals = i;
    const size_t op = equals == SIZE_MAX ? at : equals + 1;
    if (op >= n)
        return refuse(r, "the line", t[0]);
    if (is(t[op], "swap") && equals != SIZE_MAX)
        return nak_swap_read(r, at, equals, &guard);
    if (is(t[op], "nop") && n == op + 2)
        return label_here(r, t[op + 1]);
    if (!operation_read(r, t[op], &made))
        return false;
    if (!complete(&made))
        return refuse(r, "the operation", t[op]);
    made.guard = guard;
    return destinations_read(r, &made, t + at, equals == SIZE_MAX ? 0 : (uint32_t)(equals - at)) &&
           sources_read(r, &made, t + op + 1, (uint32_t)(n - op - 1), t[op]) &&
           uniform_check(r, &made, t[op]) && copy_check(r, &made, t[op]) &&
           nak_reader_add(r, &made);
}

static bool line_read(struct nak_reader *r, const char *s, size_t n)
{
    split(r, s, n);
    const struct word *t = r->t.v;
    if (!r->t.n || *t[0].s == '}')
        return true;
    if (is(t[0], "block") || is(t[0], "block.u"))
        return r->t.n >= 3 ? label_here(r, t[2]) : refuse(r, "the block", t[0]);
    return instruction_read(r);
}

static bool labels_resolve(struct nak_reader *r)
{
    for (size_t i = 0; i < r->inst.n; i++) {
        struct nak_inst *in = &r->inst.v[i];
        for (uint32_t k = in->dst; k < in->n; k++) {
            struct nak_operand *o = &in->o[k];
            if (o->type != 'L')
                continue;
            if (!r->label[o->value])
                return isa_refuse(r->why, RAN_UNSUPPORTED, in->line, "the undefined label L%u",
                                  o->value);
            o->value = r->label[o->value] - 1;
        }
    }
    return true;
}

// Reads from the intermediate code what the text omits; refuses what it cannot determine.
static bool left_out(struct nak_reader *r, const char *nir)
{
    if (!nir)
        return isa_refuse(r->why, RAN_UNSUPPORTED, 0,
                          "no intermediate code, which has details that the text omits");
    r->p->signed_products = strstr(nir, " imul_2x32_64 ") || strstr(nir, " imul_high ");
    r->p->unsigned_products = strstr(nir, " umul_2x32_64 ") || strstr(nir, " umul_high ");
    if (strstr(nir, " ifind_msb"))
        return isa_refuse(r->why, RAN_UNSUPPORTED, 0,
                          "ifind_msb: the text of flo does not show whether it is signed");
    for (const char *at = nir; (at = strstr(at, "base=-")) != NULL; at++)
        return isa_refuse(r->why, RAN_UNSUPPORTED, 0, "a negative offset, which the text omits");
    return true;
}

const struct isa_code *nak_read(struct arena *a, const struct nak_source *s, struct isa_result *why)
{
    struct nak_reader *r = ARENA_NEW(a, struct nak_reader);
    *why = (struct isa_result){0};
    r->a = a;
    r->files.a = a;
    r->why = why;
    r->p = ARENA_NEW(a, struct nak_program);
    r->p->code.run = nak_run;
    if (!s->assembly)
        return isa_refuse(why, RAN_INVALID, 0, "no machine code"), NULL;
    if (!left_out(r, s->nir))
        return NULL;
    const char *at = s->assembly;
    for (struct word line; text_line(&at, &line);) {
        r->line++;
        if (!line_read(r, line.s, line.n))
            return NULL;
    }
    if (!r->inst.n)
        return isa_refuse(why, RAN_INVALID, 0, "no instruction"), NULL;
    if (!labels_resolve(r))
        return NULL;
    for (uint32_t k = 0; k < NAK_FILES; k++)
        r->p->size[k] = r->files.size[k] > PREDICATES ? r->files.size[k] : PREDICATES;
    r->p->inst = r->inst.v;
    r->p->count = (uint32_t)r->inst.n;
    return &r->p->code;
}
