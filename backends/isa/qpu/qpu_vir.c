// SPDX-License-Identifier: Apache-2.0
//
// Parses v3dv's intermediate code (VIR) into the same instructions. It differs from machine code:
// one operation in an instruction; registers "t5" without limit; a value that comes from elsewhere
// goes to the destination of its `nop`; blocks, of which a branch goes to the first that follows;
// each uniform belongs to its instruction; and nothing has delay slots.
#include "qpu_reader.h"

#include <string.h>

struct block {
    uint32_t number, first, line; // number of its first instruction
    uint32_t succ[2], succs;
};
struct vir_reader {
    struct qpu_reader r;
    VEC(struct block) block;
    const char *text;
    const char *before; // VIR before it, or NULL
};

static bool refuse(struct vir_reader *v, const char *what, struct word t)
{
    return qpu_reader_refuse(&v->r, what, t);
}

// ---- numbers -----------------------------------------------------------------------

enum { OPERANDS = 4 };
static const char no_number[] = "-nan";

// Splits "xor.pushz null, t57, 2" into the operation and its operands, destination first.
static uint32_t split(struct word t, struct word *name, struct word operand[OPERANDS])
{
    uint32_t n = 0;
    t = qpu_trimmed(qpu_take(&t, ';'));
    *name = qpu_take(&t, ' ');
    while (t.n && n < OPERANDS)
        operand[n++] = qpu_trimmed(qpu_take(&t, ','));
    return n;
}

static bool same(struct word a, struct word b)
{
    return a.n == b.n && memcmp(a.s, b.s, a.n) == 0;
}

// Returns the number that the only definition of a register loads, "nop t5; ldunif (0xfffffff0 /";
// 0: none.
static uint32_t loaded(const char *text, struct word name)
{
    static const char load[] = "; ldunif (";
    uint32_t found = 0;
    struct word t, op, operand[OPERANDS];
    while (text_line(&text, &t)) {
        const struct word line = qpu_trimmed(t);
        if (!split(line, &op, operand) || !same(operand[0], name))
            continue;
        const size_t k = (size_t)(operand[0].s + operand[0].n - line.s);
        struct word rest = word_after(line, k);
        uint64_t v;
        if (found || !word_is(op, "nop") || !word_starts(rest, load))
            return 0;
        rest = word_after(rest, strlen(load));
        const struct word number = qpu_take(&rest, ' ');
        if (!parse_u64(number.s, number.n, &v))
            return 0;
        found = (uint32_t)v;
    }
    return found;
}

// Counts the lines up to `last` with this operation, destination and number of operands.
static uint32_t count_like(const char *text, uint32_t last, struct word name,
                           const struct word *operand, uint32_t n)
{
    uint32_t found = 0;
    struct word t, op, other[OPERANDS];
    for (uint32_t line = 1; line <= last && text_line(&text, &t); line++)
        found +=
            split(qpu_trimmed(t), &op, other) == n && same(op, name) && same(other[0], operand[0]);
    return found;
}

// Finds the number of operand `k`, which VIR prints as "-nan", as it does -16 to -1: where the same
// operation has the same destination in the VIR before, a register is in its place that is loaded
// with a number. Of several such lines, all have the same one, or it is that in the same place
// among as many. 0: it is not known.
static uint32_t number_before(const struct vir_reader *v, struct word name,
                              const struct word *operand, uint32_t n, uint32_t k)
{
    uint32_t all = 0, own = 0, seen = 0;
    bool differ = false;
    struct word t, op, other[OPERANDS];
    const uint32_t place = count_like(v->text, v->r.line, name, operand, n);
    for (const char *at = v->before; at && text_line(&at, &t);) {
        if (split(qpu_trimmed(t), &op, other) != n || !same(op, name) ||
            !same(other[0], operand[0]))
            continue;
        uint32_t one = loaded(v->before, other[k]);
        one = one < UINT32_MAX - 15 ? 0 : one;
        own = ++seen == place ? one : own;
        differ |= !one || (seen > 1 && one != all);
        all = one;
    }
    return !differ ? all : seen == count_like(v->text, UINT32_MAX, name, operand, n) ? own : 0;
}

// Puts the numbers in the place of "-nan". Where they are not known, that stays.
static struct word with_numbers(const struct vir_reader *v, struct word t)
{
    struct word name, operand[OPERANDS];
    const uint32_t n = split(t, &name, operand);
    for (uint32_t k = 1; k < n; k++) {
        const uint32_t number =
            word_is(operand[k], no_number) ? number_before(v, name, operand, n, k) : 0;
        const char *after = operand[k].s + operand[k].n;
        if (!number)
            continue;
        const char *s = arena_printf(v->r.a, "%.*s%d%.*s", (int)(operand[k].s - t.s), t.s,
                                     (int32_t)number, (int)(t.s + t.n - after), after);
        return with_numbers(v, (struct word){s, strlen(s)});
    }
    return t;
}

// ---- lines -------------------------------------------------------------------------

// umul24_rtop0 is umul24 where nothing of a multop is left.
static struct word without_suffix(const struct vir_reader *v, struct word t)
{
    static const char own[] = "umul24_rtop0", machine[] = "umul24";
    if (!word_starts(t, own))
        return t;
    t = word_after(t, strlen(own));
    const char *s = arena_printf(v->r.a, "%s%.*s", machine, (int)t.n, t.s);
    return (struct word){s, strlen(s)};
}

// Reads "add.ifa tmua, t25, 4", "nop t5; ldunif", "nop null; thrsw".
static bool alu_read(struct vir_reader *v, struct word t, struct qpu_inst *in)
{
    struct word operation = without_suffix(v, qpu_take(&t, ';')), rest = operation;
    struct qpu_target to = {PLACE_NONE, 0};
    const struct word name = qpu_take(&rest, ' ');
    const bool nop = word_is(name, "nop");
    if (nop && !qpu_target_read(&v->r, qpu_trimmed(rest), &to))
        return false;
    while (t.n)
        if (!qpu_signal_read(&v->r, qpu_take(&t, ';'), in))
            return false;
    if (nop) {
        if (in->loads > 1 || (to.place != PLACE_NONE && !in->loads) || to.place > PLACE_UNIFA)
            return refuse(v, "the destination of", operation);
        in->load[0].to = to;
        return true;
    }
    if (in->loads)
        return refuse(v, "a signal of", operation);
    // Either ALU has the operation; which one is not decided yet.
    struct isa_result *why = v->r.why, add = {0};
    v->r.why = &add;
    const bool adds = qpu_operation_read(&v->r, operation, 'A', &in->alu[0]);
    v->r.why = why;
    if (adds)
        return qpu_target_fits(&v->r, &in->alu[0], operation);
    in->alu[0] = (struct qpu_alu){.id = QPU_NOP};
    if (qpu_operation_read(&v->r, operation, 'M', &in->alu[1]))
        return qpu_target_fits(&v->r, &in->alu[1], operation);
    if (strncmp(why->text, "unsupported: the operation", 26) == 0)
        *why = add; // the first ALU knows it
    return false;
}

static bool inst_read(struct vir_reader *v, struct word t)
{
    struct qpu_inst in = {.line = v->r.line, .alu = {{.id = QPU_NOP}, {.id = QPU_NOP}}};
    struct block *b = v->block.n ? &v->block.v[v->block.n - 1] : NULL;
    uint32_t unused;
    bool uniform;
    if (!b || b->succs)
        return refuse(v, "an instruction outside of a block:", t);
    if (v->r.inst.n > b->first && v->r.inst.v[v->r.inst.n - 1].jumps)
        return refuse(v, "an instruction after the branch:", t);
    in.uniform = (uint32_t)v->r.uniform.n;
    if (!qpu_uniform_take(&v->r, &t, &uniform))
        return false;
    t = with_numbers(v, qpu_trimmed(t));
    return (qpu_is_branch(t) ? qpu_branch_read(&v->r, t, &in, &unused) : alu_read(v, t, &in)) &&
           qpu_uniform_fits(&v->r, &in, uniform, t) && qpu_inst_add(&v->r, &in);
}

// Reads "BLOCK 3:".
static bool block_read(struct vir_reader *v, struct word t)
{
    struct block b = {.first = (uint32_t)v->r.inst.n, .line = v->r.line};
    const size_t k = strlen("BLOCK ");
    if (t.s[t.n - 1] != ':' || !parse_u32(t.s + k, t.n - k - 1, &b.number))
        return refuse(v, "the block", t);
    *VEC_PUSH(v->r.a, &v->block) = b;
    return true;
}

// Reads "-> BLOCK 3, 1".
static bool successors_read(struct vir_reader *v, struct word t)
{
    struct block *b = v->block.n ? &v->block.v[v->block.n - 1] : NULL;
    const struct word all = t;
    t = word_after(t, strlen("-> BLOCK "));
    if (!b || b->succs)
        return refuse(v, "the blocks", all);
    while (t.n) {
        const struct word one = qpu_trimmed(qpu_take(&t, ','));
        if (b->succs == 2 || !parse_u32(one.s, one.n, &b->succ[b->succs++]))
            return refuse(v, "the blocks", all);
    }
    return true;
}

static bool lines_read(struct vir_reader *v, const char *text)
{
    struct word t;
    for (const char *at = text; text_line(&at, &t);) {
        v->r.line++;
        t = qpu_trimmed(t);
        if (t.n && !(word_starts(t, "BLOCK ")      ? block_read(v, t)
                     : word_starts(t, "-> BLOCK ") ? successors_read(v, t)
                                                   : inst_read(v, t)))
            return false;
    }
    v->r.line = 0;
    return v->r.inst.n || isa_refuse(v->r.why, RAN_UNSUPPORTED, 0, "no code");
}

// ---- blocks ------------------------------------------------------------------------

static const struct block *find(const struct vir_reader *v, uint32_t number)
{
    for (size_t i = 0; i < v->block.n; i++)
        if (v->block.v[i].number == number)
            return &v->block.v[i];
    return NULL;
}

// A branch goes to the first successor. Where there is none, or it is not taken, the next block
// follows, which must be the last successor. The block without one is the last.
static bool link(struct vir_reader *v)
{
    for (size_t i = 0; i < v->block.n; i++) {
        const struct block *b = &v->block.v[i], *next = i + 1 < v->block.n ? b + 1 : NULL;
        const uint32_t end = next ? next->first : (uint32_t)v->r.inst.n;
        struct qpu_inst *last = end > b->first ? &v->r.inst.v[end - 1] : NULL;
        const bool jumps = last && last->jumps;
        const struct block *to = jumps && b->succs ? find(v, b->succ[0]) : NULL;
        const bool falls = !jumps || last->branch != BRANCH_ALWAYS;
        if (b->succs > 1 && !jumps)
            return isa_refuse(v->r.why, RAN_UNSUPPORTED, b->line, "two blocks without a branch");
        if ((jumps && (!to || (b->succs > 1) != falls)) || (!b->succs && (next || jumps)) ||
            (falls && b->succs && (!next || next->number != b->succ[b->succs - 1])))
            return isa_refuse(v->r.why, RAN_UNSUPPORTED, b->line, "the way to the next block");
        if (jumps)
            last->target = to->first;
    }
    return true;
}

const struct isa_code *qpu_vir_read(struct arena *a, const char *nir, const char *before,
                                    const char *text, struct isa_result *why)
{
    struct vir_reader v = {.r = {.a = a, .why = why, .vir = true, .registers = QPU_REGISTERS},
                           .text = text,
                           .before = before};
    struct qpu_program *p = ARENA_NEW(a, struct qpu_program);
    *why = (struct isa_result){0};
    if (!qpu_read_use(a, p, nir, why)) {
        why->line = 0; // of another text
        return NULL;
    }
    if (!lines_read(&v, text) || !link(&v))
        return NULL;
    p->code.run = qpu_run;
    p->vir = true;
    p->registers = v.r.registers;
    p->inst = v.r.inst.v;
    p->count = (uint32_t)v.r.inst.n;
    p->uniform = v.r.uniform.v;
    p->uniforms = (uint32_t)v.r.uniform.n;
    return &p->code;
}
