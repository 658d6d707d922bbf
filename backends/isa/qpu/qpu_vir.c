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
    const struct qpu_vir_texts *texts;
};

static bool refuse(struct vir_reader *v, const char *what, struct word t)
{
    return qpu_reader_refuse(&v->r, what, t);
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
    t = qpu_with_numbers(v->r.a, v->texts, v->r.line, qpu_trimmed(t));
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

const struct isa_code *qpu_vir_read(struct arena *a, const struct qpu_vir_texts *x,
                                    struct isa_result *why)
{
    struct vir_reader v = {.r = {.a = a, .why = why, .vir = true, .registers = QPU_REGISTERS},
                           .texts = x};
    struct qpu_program *p = ARENA_NEW(a, struct qpu_program);
    *why = (struct isa_result){0};
    if (!qpu_read_use(a, p, x->nir, why)) {
        why->line = 0; // of another text
        return NULL;
    }
    if (!lines_read(&v, x->text) || !link(&v))
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
