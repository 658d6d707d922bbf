// SPDX-License-Identifier: Apache-2.0
//
// Operands and operations for the readers of PTX and of SASS.
#include "cuda.h"

bool cuda_refuse(struct cuda_reader *r, const char *what, struct word t)
{
    return word_refuse(r->why, r->line, what, t);
}

bool cuda_split(struct cuda_reader *r, struct word t)
{
    size_t n = 0;
    r->whole = t;
    r->parts = r->args = 0;
    while (n < t.n && t.s[n] != ' ' && t.s[n] != '\t')
        n++;
    for (size_t from = 0, i = 0; i <= n; i++)
        if (i == n || t.s[i] == '.') {
            if (r->parts == CUDA_WORDS)
                return cuda_refuse(r, "the operation", t);
            if (i > from)
                r->part[r->parts++] = (struct word){t.s + from, i - from};
            from = i + 1;
        }
    if (n == t.n)
        return true;
    for (size_t from = n, i = n; i <= t.n; i++)
        if (i == t.n || t.s[i] == ',') {
            if (r->args == CUDA_WORDS)
                return cuda_refuse(r, "the operands of", t);
            r->arg[r->args++] = word_trimmed((struct word){t.s + from, i - from});
            from = i + 1;
        }
    return true;
}

bool cuda_has(const struct cuda_reader *r, const char *part)
{
    for (uint32_t i = 1; i < r->parts; i++)
        if (word_is(r->part[i], part))
            return true;
    return false;
}

bool cuda_only(const struct cuda_reader *r, const char *list)
{
    for (uint32_t i = 1; i < r->parts; i++) {
        bool found = false;
        for (const char *at = list; *at; at++)
            found |= *at == ' ' && strncmp(at + 1, r->part[i].s, r->part[i].n) == 0 &&
                     at[1 + r->part[i].n] == ' ';
        if (!found)
            return false;
    }
    return true;
}

// ---- operands --------------------------------------------------------------

struct nak_operand cuda_number(uint32_t v)
{
    return (struct nak_operand){.kind = OPERAND_NUMBER, .type = 'u', .count = 1, .value = v};
}

struct nak_operand cuda_none(void)
{
    return (struct nak_operand){.kind = OPERAND_NONE};
}

struct nak_operand cuda_true(bool is_true)
{
    return (struct nak_operand){
        .kind = OPERAND_P, .type = 'p', .reg = PT, .count = 1, .neg = !is_true};
}

static uint32_t more(struct nak_files *f, enum nak_file k, uint32_t least, uint32_t n)
{
    f->size[k] = f->size[k] < least ? least : f->size[k];
    f->size[k] += n;
    return f->size[k] - n;
}

struct nak_operand cuda_new(struct cuda_reader *r, uint32_t count)
{
    return (struct nak_operand){.kind = OPERAND_R,
                                .type = 'u',
                                .count = (uint8_t)count,
                                .reg = more(&r->files, NAK_R, REGISTERS, count)};
}

struct nak_operand cuda_new_predicate(struct cuda_reader *r)
{
    return (struct nak_operand){
        .kind = OPERAND_P, .type = 'p', .count = 1, .reg = more(&r->files, NAK_P, PREDICATES, 1)};
}

struct nak_operand cuda_part(struct nak_operand o, uint32_t k)
{
    if (o.kind == OPERAND_NUMBER && k)
        o.value = 0;
    if (o.kind == OPERAND_C)
        o.value += 4 * k;
    else if (o.kind != OPERAND_NUMBER)
        o.reg += k;
    o.count = 1;
    return o;
}

bool cuda_parse(struct word t, uint32_t *out)
{
    const bool neg = t.n > 1 && *t.s == '-';
    if (neg)
        t = word_after(t, 1);
    if (!t.n || *t.s < '0' || *t.s > '9' || !parse_u32(t.s, t.n, out))
        return false;
    *out = neg ? 0 - *out : *out;
    return true;
}

// ---- operations ------------------------------------------------------------

struct nak_inst *cuda_add(struct cuda_reader *r, enum nak_id id, uint32_t n,
                          const struct nak_operand *o)
{
    const char *dst = nak_ops[id].dst, *src = nak_ops[id].src;
    struct nak_inst *in = VEC_PUSH(r->a, &r->inst);
    *in = (struct nak_inst){.id = id, .line = r->line, .guard = r->guard};
    in->dst = (uint8_t)strlen(dst);
    in->n = (uint8_t)n;
    CHECK(n == in->dst + strlen(src) && n <= NAK_OPERANDS);
    for (uint32_t i = 0; i < n; i++) {
        in->o[i] = o[i];
        in->o[i].type = i < in->dst ? dst[i] : src[i - in->dst];
        if (i < in->dst)
            in->uniform |= o[i].kind == OPERAND_UR || o[i].kind == OPERAND_UP;
    }
    return in;
}

struct nak_inst *cuda_sum(struct cuda_reader *r, struct nak_operand to, struct nak_operand carry,
                          struct nak_operand x, struct nak_operand y, struct nak_operand z)
{
    return CUDA_ADD(r, NAK_IADD3, to, carry, cuda_none(), x, y, z);
}

struct nak_inst *cuda_lop(struct cuda_reader *r, uint32_t lut, struct nak_operand to,
                          struct nak_operand x, struct nak_operand y, struct nak_operand z)
{
    struct nak_inst *in = CUDA_ADD(r, NAK_LOP3, to, x, y, z);
    in->lut = lut;
    return in;
}

struct nak_inst *cuda_compare(struct cuda_reader *r, enum nak_mod cmp, enum nak_mod type,
                              struct nak_operand to, struct nak_operand x, struct nak_operand y)
{
    struct nak_inst *in = CUDA_ADD(r, NAK_ISETP, to, x, y, cuda_none(), cuda_none());
    nak_modify(in, cmp);
    nak_modify(in, type);
    return in;
}

static struct nak_operand address(struct nak_operand base, uint32_t offset)
{
    base.kind = OPERAND_A;
    base.count = 2;
    base.index = NO_REGISTER;
    base.value = offset;
    base.negative = true;
    return base;
}

static void global(struct nak_inst *in)
{
    nak_modify(in, MOD_GLOBAL);
    nak_modify(in, MOD_A64);
    nak_modify(in, MOD_B32);
}

struct nak_inst *cuda_load(struct cuda_reader *r, struct nak_operand to, struct nak_operand base,
                           uint32_t offset)
{
    struct nak_inst *in = CUDA_ADD(r, NAK_LD, to, address(base, offset), cuda_true(true));
    global(in);
    return in;
}

struct nak_inst *cuda_store(struct cuda_reader *r, struct nak_operand base, uint32_t offset,
                            struct nak_operand v)
{
    struct nak_inst *in = CUDA_ADD(r, NAK_ST, address(base, offset), v);
    global(in);
    return in;
}

struct nak_program *cuda_program(struct arena *a, const struct cuda_source *s, uint32_t at)
{
    struct nak_program *p = ARENA_NEW(a, struct nak_program);
    struct cuda_source *own = ARENA_NEW(a, struct cuda_source);
    *own = *s;
    p->cuda = own;
    p->parameters_at = at;
    return p;
}

// ---- labels ----------------------------------------------------------------

static bool same(struct word x, struct word y)
{
    return x.n == y.n && memcmp(x.s, y.s, x.n) == 0;
}

struct nak_operand cuda_label_use(struct cuda_reader *r, struct word name)
{
    *VEC_PUSH(r->a, &r->used) = name;
    struct nak_operand o = cuda_number((uint32_t)r->used.n - 1);
    o.type = 'L';
    return o;
}

bool cuda_label_here(struct cuda_reader *r, struct word name)
{
    for (size_t i = 0; i < r->label.n; i++)
        if (same(r->label.v[i].name, name))
            return cuda_refuse(r, "the second label", name);
    *VEC_PUSH(r->a, &r->label) = (struct cuda_label){name, (uint32_t)r->inst.n};
    return true;
}

const struct isa_code *cuda_finish(struct cuda_reader *r)
{
    if (!r->inst.n)
        return isa_refuse(r->why, RAN_INVALID, 0, "no instruction"), NULL;
    for (size_t i = 0; i < r->inst.n; i++)
        for (uint32_t k = 0; k < r->inst.v[i].n; k++) {
            struct nak_operand *o = &r->inst.v[i].o[k];
            bool found = o->type != 'L';
            const struct word name = found ? (struct word){0} : r->used.v[o->value];
            for (size_t l = 0; !found && l < r->label.n; l++)
                if (same(r->label.v[l].name, name)) {
                    o->value = r->label.v[l].at;
                    found = true;
                }
            r->line = r->inst.v[i].line;
            if (!found)
                return cuda_refuse(r, "the undefined label", name), NULL;
        }
    static const uint32_t least[NAK_FILES] = {REGISTERS, UNIFORMS, PREDICATES, PREDICATES,
                                              BARRIERS};
    for (uint32_t k = 0; k < NAK_FILES; k++)
        r->p->size[k] = r->files.size[k] > least[k] ? r->files.size[k] : least[k];
    r->p->code.run = nak_run;
    r->p->inst = r->inst.v;
    r->p->count = (uint32_t)r->inst.n;
    r->p->unsigned_products = true;
    return &r->p->code;
}
