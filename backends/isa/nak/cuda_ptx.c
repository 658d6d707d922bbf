// SPDX-License-Identifier: Apache-2.0
//
// Reads the PTX that print_ptx writes, and no more of the language. Each operation of a group waits
// for the lanes of its mask, as "PTX ISA" says of the `.sync` forms; between them, lanes run in any
// order. So the masks are checked without an assembler.
#include "cuda.h"

struct ptx_name {
    struct word name;
    struct nak_operand o;
};
struct ptx_reader {
    struct cuda_reader r;
    VEC(struct ptx_name) names;
};

// ---- names -----------------------------------------------------------------

static const struct nak_operand *find(const struct ptx_reader *x, struct word t)
{
    for (size_t i = x->names.n; i-- > 0;)
        if (x->names.v[i].name.n == t.n && memcmp(x->names.v[i].name.s, t.s, t.n) == 0)
            return &x->names.v[i].o;
    return NULL;
}

// Declares a register. PTX allows one declaration of a name.
static bool declare(struct ptx_reader *x)
{
    struct cuda_reader *r = &x->r;
    const struct word t = r->whole; // ".reg .b32 %a, %b"
    const bool narrow = strncmp(t.s, ".reg .b32 ", 10) == 0;
    const bool is_pred = strncmp(t.s, ".reg .pred ", 11) == 0,
               is_wide = strncmp(t.s, ".reg .b64 ", 10) == 0;
    if (!narrow && !is_pred && !is_wide)
        return cuda_refuse(r, "the declaration", t);
    for (uint32_t i = 0; i < r->args; i++) {
        struct word name = r->arg[i];
        const char *sign = memchr(name.s, '%', name.n);
        if (!sign)
            return cuda_refuse(r, "the declaration", t);
        name = word_after(name, (size_t)(sign - name.s));
        if (find(x, name))
            return cuda_refuse(r, "the second declaration of", name);
        *VEC_PUSH(r->a, &x->names) =
            (struct ptx_name){name, is_pred ? cuda_new_predicate(r) : cuda_new(r, is_wide ? 2 : 1)};
    }
    return true;
}

static bool operand(struct ptx_reader *x, struct word t, struct nak_operand *out)
{
    uint32_t v;
    const struct nak_operand *o = find(x, t);
    *out = o ? *o : cuda_number(0);
    if (o)
        return true;
    if (!cuda_parse(t, &v))
        return cuda_refuse(&x->r, "the operand", t);
    *out = cuda_number(v);
    return true;
}

// What operand `i` of the operation must be: p a predicate, d 64 bits, r 32 bits.
static char wanted(const struct cuda_reader *r, uint32_t i)
{
    const struct word op = r->part[0], type = r->part[r->parts - 1];
    if ((word_is(op, "setp") && i == 0) || (word_is(op, "selp") && i == 3))
        return 'p';
    if (word_is(op, "vote") && i > 0)
        return i == 1 ? 'p' : 'r';
    if (word_is(op, "mul") && cuda_has(r, "wide"))
        return i == 0 ? 'd' : 'r';
    return word_is(type, "pred") ? 'p' : type.n > 2 && memcmp(type.s + 1, "64", 2) == 0 ? 'd' : 'r';
}

// ptxas refuses an operand of another type, and a number that is written to.
static bool typed(struct ptx_reader *x, const struct nak_operand *o, char want, bool written)
{
    const bool number = o->kind == OPERAND_NUMBER;
    const char is = o->kind == OPERAND_P ? 'p' : o->count == 2 ? 'd' : 'r';
    return (number ? want != 'p' && !written : is == want) ||
           cuda_refuse(&x->r, "the types of", x->r.whole);
}

static bool operands(struct ptx_reader *x, uint32_t n, struct nak_operand *o)
{
    if (x->r.args != n)
        return cuda_refuse(&x->r, "the operands of", x->r.whole);
    for (uint32_t i = 0; i < n; i++)
        if (!operand(x, x->r.arg[i], &o[i]) || !typed(x, &o[i], wanted(&x->r, i), i == 0))
            return false;
    return true;
}

// ---- moves and memory ------------------------------------------------------

// "SR" numbers of isa_nvk_register.
static const struct {
    const char *name;
    uint32_t number;
} special[] = {
    {"%laneid", 0x00},  {"%tid.x", 0x21},       {"%tid.y", 0x22},
    {"%tid.z", 0x23},   {"%ctaid.x", 0x25},     {"%ctaid.y", 0x26},
    {"%ctaid.z", 0x27}, {"%lanemask_lt", 0x39}, {"%lanemask_le", 0x3a},
};

static bool move(struct ptx_reader *x)
{
    struct cuda_reader *r = &x->r;
    struct nak_operand o[2];
    for (size_t i = 0; r->args == 2 && i < sizeof special / sizeof *special; i++)
        if (word_is(r->arg[1], special[i].name)) {
            if (!operand(x, r->arg[0], o) || !typed(x, o, 'r', true))
                return false;
            CUDA_ADD(r, NAK_S2R, o[0], cuda_number(special[i].number));
            return true;
        }
    if (!operands(x, 2, o))
        return false;
    if (o[0].kind == OPERAND_P)
        CUDA_ADD(r, NAK_COPY, o[0], o[1]);
    else
        for (uint32_t k = 0; k < o[0].count; k++)
            CUDA_ADD(r, NAK_MOV, cuda_part(o[0], k), cuda_part(o[1], k));
    return true;
}

// "[buffer0]", "[groups1]": parameters lie as print_ptx declares them.
static bool parameter(struct ptx_reader *x)
{
    struct cuda_reader *r = &x->r;
    struct nak_operand to;
    struct word t = r->args == 2 ? r->arg[1] : r->whole;
    uint32_t k;
    const bool wide = cuda_has(r, "u64"), groups = word_starts(t, "[groups");
    if (r->args != 2 || !operand(x, r->arg[0], &to) || t.n < 9 || wide == groups ||
        !(groups || word_starts(t, "[buffer")) || !parse_u32(t.s + 7, t.n - 8, &k))
        return cuda_refuse(r, "the parameter of", r->whole);
    if (!typed(x, &to, wide ? 'd' : 'r', true))
        return false;
    const uint32_t at = groups ? 8 * r->p->cuda->buffers + 4 * k : 8 * k;
    for (uint32_t i = 0; i < (wide ? 2u : 1u); i++)
        CUDA_ADD(r, NAK_MOV, cuda_part(to, i),
                 (struct nak_operand){.kind = OPERAND_C,
                                      .count = 1,
                                      .index = NO_REGISTER,
                                      .value = r->p->parameters_at + at + 4 * i});
    return true;
}

static struct word in_brackets(struct word t)
{
    return t.n > 2 && *t.s == '[' ? (struct word){t.s + 1, t.n - 2} : t;
}

static bool memory(struct ptx_reader *x, bool load)
{
    struct nak_operand base, v;
    struct cuda_reader *r = &x->r;
    if (r->args != 2 || !operand(x, in_brackets(r->arg[load]), &base) ||
        !operand(x, r->arg[!load], &v))
        return cuda_refuse(r, "the operands of", r->whole);
    if (!typed(x, &base, 'd', true) || !typed(x, &v, 'r', load))
        return false;
    if (load)
        cuda_load(r, v, base, 0);
    else
        cuda_store(r, base, 0, v);
    return true;
}

// ---- arithmetic ------------------------------------------------------------

static bool is_signed(const struct cuda_reader *r)
{
    return cuda_has(r, "s32");
}

static bool compare(struct ptx_reader *x)
{
    static const char *const names[] = {"eq", "ne", "lt", "le", "gt", "ge"};
    struct nak_operand o[3];
    if (!operands(x, 3, o))
        return false;
    for (uint32_t i = 0; i < 6; i++)
        if (cuda_has(&x->r, names[i])) {
            cuda_compare(&x->r, (enum nak_mod)(MOD_EQ + i), is_signed(&x->r) ? MOD_I32 : MOD_U32,
                         o[0], o[1], o[2]);
            return true;
        }
    return cuda_refuse(&x->r, "the operation", x->r.whole);
}

// and, or, xor, not: of words or predicates. The tables are of a, b and false.
static bool logic(struct ptx_reader *x, uint32_t lut, uint32_t n)
{
    struct nak_operand o[3] = {{0}};
    if (!operands(x, n, o))
        return false;
    if (o[0].kind != OPERAND_P) {
        cuda_lop(&x->r, lut, o[0], o[1], n > 2 ? o[2] : cuda_number(0), cuda_number(0));
        return true;
    }
    CUDA_ADD(&x->r, NAK_PLOP3, o[0], cuda_none(), o[1], n > 2 ? o[2] : cuda_true(false),
             cuda_true(false), cuda_number(lut), cuda_number(0));
    return true;
}

static bool shift(struct ptx_reader *x, bool left)
{
    struct nak_operand o[3];
    if (!operands(x, 3, o))
        return false;
    const bool sign = is_signed(&x->r);
    struct nak_inst *in = sign ? CUDA_ADD(&x->r, NAK_SHF, o[0], cuda_number(0), o[1], o[2])
                               : CUDA_ADD(&x->r, NAK_SHF, o[0], o[1], cuda_number(0), o[2]);
    nak_modify(in, left ? MOD_L : MOD_R);
    nak_modify(in, sign ? MOD_I32 : MOD_U32);
    if (sign)
        nak_modify(in, MOD_HI);
    return true;
}

static bool add(struct ptx_reader *x, bool subtract)
{
    struct nak_operand o[3];
    struct cuda_reader *r = &x->r;
    if (!operands(x, 3, o))
        return false;
    o[2].neg = subtract;
    if (o[0].count == 1) {
        cuda_sum(r, o[0], cuda_none(), o[1], o[2], cuda_number(0));
        return true;
    }
    const struct nak_operand carry = cuda_new_predicate(r);
    cuda_sum(r, cuda_part(o[0], 0), carry, cuda_part(o[1], 0), cuda_part(o[2], 0), cuda_number(0));
    CUDA_ADD(r, NAK_IADD3_X, cuda_part(o[0], 1), cuda_none(), cuda_none(), cuda_part(o[1], 1),
             cuda_part(o[2], 1), cuda_number(0), carry, cuda_true(false));
    return true;
}

static bool extreme(struct ptx_reader *x, bool min)
{
    struct nak_operand o[3];
    if (!operands(x, 3, o))
        return false;
    nak_modify(CUDA_ADD(&x->r, NAK_IMNMX, o[0], o[1], o[2], cuda_true(min)),
               is_signed(&x->r) ? MOD_I32 : MOD_U32);
    return true;
}

static bool one_source(struct ptx_reader *x, enum nak_id id)
{
    struct nak_operand o[2];
    if (!operands(x, 2, o))
        return false;
    CUDA_ADD(&x->r, id, o[0], o[1]);
    return true;
}

static bool divide(struct ptx_reader *x, bool rest)
{
    struct nak_operand o[3];
    if (!operands(x, 3, o))
        return false;
    const bool sign = is_signed(&x->r);
    CUDA_ADD(&x->r, rest ? (sign ? NAK_SREM : NAK_UREM) : (sign ? NAK_SDIV : NAK_UDIV), o[0], o[1],
             o[2]);
    return true;
}

// ---- groups ----------------------------------------------------------------

static void wait_for(struct ptx_reader *x, struct nak_operand mask)
{
    CUDA_ADD(&x->r, NAK_WARPSYNC, mask);
}

static bool vote(struct ptx_reader *x)
{
    struct nak_operand o[3];
    struct cuda_reader *r = &x->r;
    if (!operands(x, 3, o))
        return false;
    wait_for(x, o[2]);
    struct nak_inst *in = o[0].kind == OPERAND_P ? CUDA_ADD(r, NAK_VOTE, cuda_none(), o[0], o[1])
                                                 : CUDA_ADD(r, NAK_VOTE, o[0], cuda_none(), o[1]);
    nak_modify(in, cuda_has(r, "all") ? MOD_ALL : cuda_has(r, "uni") ? MOD_EQ : MOD_ANY);
    return true;
}

static bool shuffle(struct ptx_reader *x)
{
    struct nak_operand o[5];
    struct cuda_reader *r = &x->r;
    if (!operands(x, 5, o))
        return false;
    wait_for(x, o[4]);
    struct nak_inst *in = CUDA_ADD(r, NAK_SHFL, o[0], cuda_none(), o[1], o[2], o[3]);
    nak_modify(in, cuda_has(r, "idx")    ? MOD_IDX
                   : cuda_has(r, "up")   ? MOD_UP
                   : cuda_has(r, "down") ? MOD_DOWN
                                         : MOD_BFLY);
    return true;
}

static bool match(struct ptx_reader *x)
{
    struct cuda_reader *r = &x->r;
    struct nak_operand o[3], equal = cuda_none();
    const char *bar = r->args ? memchr(r->arg[0].s, '|', r->arg[0].n) : NULL;
    const struct word first = r->arg[0];
    if (bar) {
        const size_t n = (size_t)(bar - first.s);
        r->arg[0].n = n;
        if (!operand(x, word_after(first, n + 1), &equal) || !typed(x, &equal, 'p', true))
            return false;
    }
    if (!operands(x, 3, o))
        return false;
    wait_for(x, o[2]);
    if (cuda_has(r, "any"))
        nak_modify(CUDA_ADD(r, NAK_MATCH_ANY, o[0], o[1]), MOD_ANY);
    else
        nak_modify(CUDA_ADD(r, NAK_MATCH_ALL, equal, o[0], o[1]), MOD_ALL);
    return true;
}

static bool reduce(struct ptx_reader *x)
{
    static const struct {
        const char *name;
        enum nak_mod mod;
    } how[] = {{"add", MOD_SUM}, {"min", MOD_MIN}, {"max", MOD_MAX},
               {"and", MOD_AND}, {"or", MOD_OR},   {"xor", MOD_XOR}};
    struct nak_operand o[3];
    if (!operands(x, 3, o))
        return false;
    wait_for(x, o[2]);
    struct nak_inst *in = CUDA_ADD(&x->r, NAK_REDUX, o[0], o[1]);
    for (size_t i = 0; i < sizeof how / sizeof *how; i++)
        if (cuda_has(&x->r, how[i].name))
            nak_modify(in, how[i].mod);
    nak_modify(in, is_signed(&x->r) ? MOD_I32 : MOD_U32);
    return true;
}

// ---- lines -----------------------------------------------------------------

static bool other(struct ptx_reader *x)
{
    struct cuda_reader *r = &x->r;
    const struct word op = r->part[0];
    struct nak_operand o[4];
    if (word_is(op, "selp")) {
        if (!operands(x, 4, o))
            return false;
        CUDA_ADD(r, NAK_SEL, o[0], o[3], o[1], o[2]);
        return true;
    }
    if (word_is(op, "mul") && cuda_has(r, "wide")) {
        if (!operands(x, 3, o))
            return false;
        struct nak_operand zero = cuda_number(0);
        zero.count = 2;
        CUDA_ADD(r, NAK_IMAD64, o[0], o[1], o[2], zero);
        return true;
    }
    if (word_is(op, "mul") || word_is(op, "mad")) {
        o[3] = cuda_number(0);
        if (!operands(x, word_is(op, "mad") ? 4 : 3, o))
            return false;
        CUDA_ADD(r, NAK_IMAD, o[0], o[1], o[2], o[3]);
        return true;
    }
    if (word_is(op, "neg")) {
        if (!operands(x, 2, o))
            return false;
        o[1].neg = true;
        cuda_sum(r, o[0], cuda_none(), o[1], cuda_number(0), cuda_number(0));
        return true;
    }
    if (word_is(op, "bra")) {
        if (r->args != 1)
            return cuda_refuse(r, "the operands of", r->whole);
        CUDA_ADD(r, NAK_BRA, cuda_true(true), cuda_label_use(r, r->arg[0]));
        return true;
    }
    if (word_is(op, "exit")) {
        cuda_add(r, NAK_EXIT, 0, NULL);
        return true;
    }
    if (word_is(op, "trap")) {
        cuda_add(r, NAK_TRAP, 0, NULL);
        return true;
    }
    return cuda_refuse(r, "the operation", r->whole);
}

static bool instruction(struct ptx_reader *x)
{
    struct cuda_reader *r = &x->r;
    const struct word op = r->part[0];
#define IS(name) word_is(op, name)
    return IS("mov") || IS("cvta") ? move(x)
           : IS("ld")              ? (cuda_has(r, "param") ? parameter(x) : memory(x, true))
           : IS("st")              ? memory(x, false)
           : IS("setp")            ? compare(x)
           : IS("and")             ? logic(x, 0xc0, 3)
           : IS("or")              ? logic(x, 0xfc, 3)
           : IS("xor")             ? logic(x, 0x3c, 3)
           : IS("not")             ? logic(x, 0x0f, 2)
           : IS("shl")             ? shift(x, true)
           : IS("shr")             ? shift(x, false)
           : IS("add")             ? add(x, false)
           : IS("sub")             ? add(x, true)
           : IS("min")             ? extreme(x, true)
           : IS("max")             ? extreme(x, false)
           : IS("div")             ? divide(x, false)
           : IS("rem")             ? divide(x, true)
           : IS("popc")            ? one_source(x, NAK_POPC)
           : IS("bfind")           ? one_source(x, NAK_FLO)
           : IS("vote")            ? vote(x)
           : IS("shfl")            ? shuffle(x)
           : IS("match")           ? match(x)
           : IS("redux")           ? reduce(x)
                                   : other(x);
#undef IS
}

static bool guard(struct ptx_reader *x, struct word *t)
{
    x->r.guard = cuda_none();
    if (*t->s != '@')
        return true;
    const char *blank = memchr(t->s, ' ', t->n);
    const bool neg = t->n > 1 && t->s[1] == '!';
    const size_t n = blank ? (size_t)(blank - t->s) : t->n, from = neg ? 2 : 1;
    const struct nak_operand *o = find(x, (struct word){t->s + from, n - from});
    if (!o || !blank || o->kind != OPERAND_P)
        return cuda_refuse(&x->r, "the predicate of", *t);
    x->r.guard = *o;
    x->r.guard.neg = neg;
    *t = word_after(*t, n + 1);
    return true;
}

// "8, 4, 1": the only size of a workgroup that may be launched.
static bool required(struct ptx_reader *x, struct word t)
{
    for (uint32_t i = 0; i < 3; i++) {
        const char *comma = memchr(t.s, ',', t.n);
        const size_t n = comma ? (size_t)(comma - t.s) : t.n;
        if (!comma != (i == 2) || !parse_u32(t.s, n, &x->r.p->required[i]))
            return false;
        t = word_after(t, comma ? n + 2 < t.n ? n + 2 : t.n : n);
    }
    return true;
}

// Reads a line of the kernel's head.
static bool head(struct ptx_reader *x, struct word t)
{
    static const char *const whole[] = {".version 8.0", ".target sm_75", ".target sm_80",
                                        ".address_size 64", ".visible .entry tf_main("};
    static const char *const start[] = {".param .u64 buffer", ".param .u32 groups0, "};
    for (size_t i = 0; i < sizeof whole / sizeof *whole; i++)
        if (word_is(t, whole[i]))
            return true;
    for (size_t i = 0; i < sizeof start / sizeof *start; i++)
        if (word_starts(t, start[i]))
            return true;
    return (word_starts(t, ".reqntid ") && required(x, word_after(t, 9))) ||
           cuda_refuse(&x->r, "the line", t);
}

static bool line(struct ptx_reader *x, struct word t)
{
    struct cuda_reader *r = &x->r;
    while (t.n && *t.s == ' ')
        t = word_after(t, 1);
    if (!t.n || *t.s == '{' || *t.s == '}')
        return true;
    if (t.s[t.n - 1] == ':')
        return cuda_label_here(r, (struct word){t.s, t.n - 1});
    if (t.s[t.n - 1] != ';')
        return *t.s == '.' ? head(x, t) : cuda_refuse(r, "the line", t);
    t.n--;
    if (!guard(x, &t) || !cuda_split(r, t))
        return false;
    return *t.s == '.' ? declare(x) : instruction(x);
}

const struct isa_code *ptx_read(struct arena *a, const struct cuda_source *s,
                                struct isa_result *why)
{
    struct ptx_reader *x = ARENA_NEW(a, struct ptx_reader);
    struct cuda_reader *r = &x->r;
    *why = (struct isa_result){0};
    r->a = a;
    r->files.a = a;
    r->why = why;
    r->p = cuda_program(a, s, 0x210);
    const char *at = s->text;
    for (struct word t; text_line(&at, &t);) {
        r->line++;
        if (!line(x, t))
            return NULL;
    }
    return cuda_finish(r);
}
