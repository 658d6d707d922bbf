// SPDX-License-Identifier: Apache-2.0
//
// Finds, statically, the instruction that produced the first wrong word. In a case with a log, the
// entry's header is a constant that the shader stores; its values are the next stores to the same
// buffer. In a foreign case it is a store to the buffer whose index can have that value. The stored
// value is then followed back to the nearest group operation.
#include "construct.h"

#include <string.h>

static bool constant(const struct spv_module *m, uint32_t id, uint32_t *out)
{
    const struct spv_inst *d = spv_def(m, id);
    if (!d || (d->op != SpvOpConstant && d->op != SpvOpSpecConstant) || d->n != 1)
        return false;
    *out = d->v[0];
    return true;
}

// Returns the variable or parameter that a pointer is based on; 0 for none.
static uint32_t root_of(const struct spv_module *m, uint32_t pointer)
{
    for (int hops = 0; hops < 64; hops++) {
        const struct spv_inst *d = spv_def(m, pointer);
        if (!d)
            return 0;
        if (d->op == SpvOpVariable || d->op == SpvOpFunctionParameter)
            return pointer;
        if ((d->op != SpvOpAccessChain && d->op != SpvOpInBoundsAccessChain &&
             d->op != SpvOpCopyObject && d->op != SpvOpPtrAccessChain) ||
            d->n == 0)
            return 0;
        pointer = d->v[0];
    }
    return 0;
}

// Returns the variable with these decorations; 0 for none.
uint32_t diag_buffer_variable(const struct spv_module *m, uint32_t set, uint32_t binding)
{
    for (uint32_t k = 0; k < m->inst_count; k++) {
        const struct spv_inst *v = &m->insts[k];
        if (v->op != SpvOpVariable)
            continue;
        bool is_set = false, is_binding = false;
        for (uint32_t i = 0; i < m->inst_count && m->insts[i].op != SpvOpFunction; i++) {
            const struct spv_inst *d = &m->insts[i];
            if (d->op != SpvOpDecorate || d->n < 3 || d->v[0] != v->result)
                continue;
            is_set |= d->v[1] == SpvDecorationDescriptorSet && d->v[2] == set;
            is_binding |= d->v[1] == SpvDecorationBinding && d->v[2] == binding;
        }
        if (is_set && is_binding)
            return v->result;
    }
    return 0;
}

// ---- the log ---------------------------------------------------------------------

static bool is_store(const struct spv_module *m, uint32_t k, uint32_t variable)
{
    const struct spv_inst *i = &m->insts[k];
    return i->op == SpvOpStore && i->n >= 2 && root_of(m, i->v[0]) == variable;
}

// Finds the store of a value of the log entry `site`: number `value` after that of its header.
static bool find_entry(const struct spv_module *m, uint32_t variable, uint32_t site, uint32_t value,
                       uint32_t *out)
{
    for (uint32_t k = 0; k < m->inst_count; k++) {
        uint32_t header;
        if (!is_store(m, k, variable) || !constant(m, m->insts[k].v[1], &header) ||
            (header >> 8 & 0xffff) != site || (header & 0xff) == 0)
            continue;
        *out = k;
        uint32_t left = value + 1;
        for (uint32_t j = k + 1; left && j < m->inst_count && m->insts[j].op != SpvOpLabel; j++)
            if (is_store(m, j, variable)) {
                *out = j;
                left--;
            }
        return true;
    }
    return false;
}

// ---- a buffer of a foreign case -----------------------------------------------------

// An index as base + a multiple of `step` (0: just base). An unknown index may be any number: step
// 1.
struct stride {
    uint32_t base, step;
};

static uint32_t gcd(uint32_t x, uint32_t y)
{
    while (y) {
        uint32_t t = x % y;
        x = y;
        y = t;
    }
    return x;
}

static struct stride stride_of(const struct spv_module *m, uint32_t id, int depth)
{
    uint32_t c;
    if (constant(m, id, &c))
        return (struct stride){c, 0};
    const struct spv_inst *d = spv_def(m, id);
    if (!d || depth > 16)
        return (struct stride){0, 1};
    if (d->op == SpvOpConstantNull)
        return (struct stride){0, 0};
    if (d->op == SpvOpIAdd && d->n == 2) {
        struct stride x = stride_of(m, d->v[0], depth + 1), y = stride_of(m, d->v[1], depth + 1);
        return (struct stride){x.base + y.base, gcd(x.step, y.step)};
    }
    if (d->op == SpvOpIMul && d->n == 2) {
        struct stride x = stride_of(m, d->v[0], depth + 1), y = stride_of(m, d->v[1], depth + 1);
        if (x.step == 0)
            return (struct stride){x.base * y.base, x.base * y.step};
        if (y.step == 0)
            return (struct stride){x.base * y.base, y.base * x.step};
    }
    return (struct stride){0, 1};
}

// Reports whether a store through this pointer can write word `word` of the buffer. The last index
// decides for an array of words; otherwise it may.
static bool may_write(const struct spv_module *m, uint32_t pointer, uint32_t word)
{
    const struct spv_inst *d = spv_def(m, pointer);
    if (!d || (d->op != SpvOpAccessChain && d->op != SpvOpInBoundsAccessChain) || d->n < 2)
        return true;
    struct stride s = stride_of(m, d->v[d->n - 1], 0);
    return s.step == 0 ? d->n > 3 || s.base == word : word % s.step == s.base % s.step;
}

// Reports whether instruction k is a store or atomic on the variable that can write the word.
// *value is what it writes, 0 for none.
static bool writes_word(const struct spv_module *m, uint32_t k, uint32_t variable, uint32_t word,
                        uint32_t *value)
{
    const struct spv_inst *i = &m->insts[k];
    bool store = i->op == SpvOpStore && i->n >= 2;
    bool atomic = spv_op_class(i->op) == SPV_CLASS_ATOMIC && i->n >= 1;
    if ((!store && !atomic) || root_of(m, i->v[0]) != variable || !may_write(m, i->v[0], word))
        return false;
    *value = store ? i->v[1] : i->n > 3 ? i->v[i->n - 1] : 0;
    return true;
}

// ---- back to the group operation ---------------------------------------------------

struct search {
    struct arena *a;
    const struct spv_module *m;
    bool *seen;
    VEC(uint32_t) queue; // ids, nearest first
};

static void look_at(struct search *s, uint32_t id)
{
    if (id == 0 || id >= s->m->bound || s->seen[id])
        return;
    s->seen[id] = true;
    *VEC_PUSH(s->a, &s->queue) = id;
}

// Queues all values stored to a variable, the last store before `from` first.
static void look_at_stores(struct search *s, uint32_t variable, uint32_t from)
{
    for (uint32_t k = from; k > 0; k--)
        if (is_store(s->m, k - 1, variable))
            look_at(s, s->m->insts[k - 1].v[1]);
    for (uint32_t k = from; k < s->m->inst_count; k++)
        if (is_store(s->m, k, variable))
            look_at(s, s->m->insts[k].v[1]);
}

static void look_at_returns(struct search *s, uint32_t function)
{
    for (uint32_t f = 0; f < s->m->function_count; f++)
        if (s->m->functions[f].id == function)
            for (uint32_t k = s->m->functions[f].first; k <= s->m->functions[f].last; k++)
                if (s->m->insts[k].op == SpvOpReturnValue)
                    look_at(s, s->m->insts[k].v[0]);
}

static bool find_op(struct arena *a, const struct spv_module *m, uint32_t value, uint32_t *out,
                    uint32_t *bits)
{
    struct search s = {.a = a, .m = m, .seen = ARENA_ARRAY(a, bool, m->bound)};
    look_at(&s, value);
    for (size_t q = 0; q < s.queue.n; q++) {
        uint32_t at = m->def[s.queue.v[q]];
        if (at == UINT32_MAX)
            continue;
        const struct spv_inst *i = &m->insts[at];
        const enum spv_group_class klass = spv_group_class(i);
        // An operation that only reads bits of a ballot did not choose the lanes.
        if (klass != SPV_GROUP_NONE && klass != SPV_GROUP_BITS) {
            *out = at;
            return true;
        }
        if (klass == SPV_GROUP_BITS && !*bits)
            *bits = at;
        if (i->op == SpvOpLoad) {
            uint32_t root = i->n ? root_of(m, i->v[0]) : 0;
            const struct spv_inst *d = root ? spv_def(m, root) : NULL;
            if (d && d->op == SpvOpVariable && d->n &&
                (d->v[0] == SpvStorageClassFunction || d->v[0] == SpvStorageClassPrivate))
                look_at_stores(&s, root, at);
            continue;
        }
        if (i->op == SpvOpFunctionCall && i->n) {
            look_at_returns(&s, i->v[0]);
            for (uint32_t k = 1; k < i->n; k++)
                look_at(&s, i->v[k]);
            continue;
        }
        const struct spv_op *row = spv_op_find(i->op);
        if (!row || !row->has_type || i->op == SpvOpVariable || i->op == SpvOpConstant)
            continue;
        for (uint32_t k = 0; k < i->n; k++)
            // A literal that looks like an id only costs time.
            if (i->v[k] < m->bound && m->def[i->v[k]] != UINT32_MAX)
                look_at(&s, i->v[k]);
    }
    return false;
}

// Finds the conditions that decide whether `inst` is reached, nearest first: those of the blocks
// that dominate it, then all others of its function.
static bool find_condition(struct arena *a, const struct spv_module *m, uint32_t inst,
                           uint32_t *out, uint32_t *bits)
{
    struct spv_flow g;
    uint32_t b;
    if (!site_flow(a, m, inst, &g, &b))
        return false;
    for (uint32_t k = 0; k < 2 * g.n; k++) {
        uint32_t x = k < g.n ? b : k - g.n;
        const struct spv_inst *i = &m->insts[m->blocks[g.first + x].last];
        bool branches = i->op == SpvOpBranchConditional || i->op == SpvOpSwitch;
        // The block's own branch comes after `inst`.
        if (branches && i->n && (k > 0) && find_op(a, m, i->v[0], out, bits))
            return true;
        if (k < g.n)
            b = g.block[b].idom;
    }
    return false;
}

static void find_site(struct arena *a, const struct spv_case *c, const struct spv_module *m,
                      const struct judge_verdict *v, struct site *out)
{
    *out = (struct site){0};
    if (!v->has_place)
        return;
    uint32_t variable = diag_buffer_variable(m, v->set, v->binding);
    if (!variable)
        return;
    if (v->has_site && c->has_log) {
        out->found = find_entry(m, variable, v->site, v->value, &out->store);
        if (!out->found)
            return;
        bool reached = v->klass != JUDGE_MISSING_EXECUTION && v->klass != JUDGE_EXTRA_EXECUTION;
        out->has_op = reached ? find_op(a, m, m->insts[out->store].v[1], &out->op, &out->bits)
                              : find_condition(a, m, out->store, &out->op, &out->bits);
        return;
    }
    // Among the stores that may have written the word, the first that depends on an operation.
    for (uint32_t k = 0; k < m->inst_count && !out->has_op; k++) {
        uint32_t value;
        if (!writes_word(m, k, variable, v->word, &value))
            continue;
        if (!out->found)
            out->store = k;
        out->found = true;
        out->has_op = find_op(a, m, value, &out->op, &out->bits);
        if (out->has_op)
            out->store = k;
    }
}

void site_find(struct arena *a, const struct spv_case *c, const struct spv_module *m,
               const struct judge_verdict *v, struct site *out)
{
    uint32_t at, bits = 0;
    find_site(a, c, m, v, out);
    if (out->found && !out->has_op && find_condition(a, m, out->store, &at, &bits))
        out->guard = at;
    // The scope operand is a constant, so it leads to no operation.
    for (uint32_t k = 0; out->has_op && !out->inner && k < m->insts[out->op].n; k++) {
        uint32_t id = m->insts[out->op].v[k];
        if (id < m->bound && m->def[id] != UINT32_MAX && find_op(a, m, id, &at, &bits) &&
            at != out->op)
            out->inner = at;
    }
}
