// SPDX-License-Identifier: Apache-2.0
//
// Arrays that are exactly as long as the number that a shader tests an index with. Invented arrays
// are longer, so an access before the test stays inside them. For each such number and array a run
// in which they agree; where it leaves the array, a note.
#include "ask.h"

#include "spirv/spirv_flow.h"

#include <string.h>

enum { LEAVES = 12, DEEP = 12, NOTES = 2, TRIED = 8 };
enum { SPEND = 10 * 1000 * 1000 };

// What an index is, but for constants that are added: variables, components of built-ins, values.
struct leaves {
    uint64_t v[LEAVES];
    uint32_t n;
};

static void leaf(struct leaves *l, uint32_t id, uint32_t component)
{
    if (id && l->n < LEAVES)
        l->v[l->n++] = (uint64_t)id << 8 | (component & 255);
}

static bool is_chain(const struct spv_inst *d)
{
    return d && (d->op == SpvOpAccessChain || d->op == SpvOpInBoundsAccessChain);
}

static bool is_constant(const struct spv_module *m, uint32_t id)
{
    const struct spv_inst *d = spv_def(m, id);
    return d && (d->op == SpvOpConstant || d->op == SpvOpSpecConstant ||
                 d->op == SpvOpSpecConstantOp || d->op == SpvOpConstantNull);
}

// The argument of call `call` for a parameter; 0: the call is of another function.
static uint32_t argument(const struct spv_module *m, uint32_t call, uint32_t parameter)
{
    const struct spv_inst *s = &m->insts[call];
    uint32_t k = m->def[parameter], which = 1;
    for (; k && m->insts[k - 1].op == SpvOpFunctionParameter; k--)
        which++;
    return s->op == SpvOpFunctionCall && m->insts[k - 1].op == SpvOpFunction &&
                   m->insts[k - 1].result == s->v[0] && which < s->n
               ? s->v[which]
               : 0;
}

// The only value that is stored to a variable; 0: none, or several.
static uint32_t only_stored(const struct spv_module *m, uint32_t variable)
{
    uint32_t value = 0, stores = 0;
    for (uint32_t k = 0; k < m->inst_count; k++)
        if (m->insts[k].op == SpvOpStore && m->insts[k].v[0] == variable)
            value = m->insts[k].v[1], stores++;
    return stores == 1 ? value : 0;
}

// The value that a function of one return statement returns; 0: unknown.
static uint32_t returned(const struct spv_module *m, uint32_t function)
{
    uint32_t value = 0, n = 0;
    bool inside = false;
    for (uint32_t k = 0; k < m->inst_count; k++) {
        if (m->insts[k].op == SpvOpFunction)
            inside = m->insts[k].result == function;
        if (inside && m->insts[k].op == SpvOpReturnValue)
            value = m->insts[k].v[0], n++;
    }
    return n == 1 ? value : 0;
}

static void gather(const struct spv_module *m, uint32_t id, int depth, struct leaves *l);

// The same for what a pointer points to.
static void gather_place(const struct spv_module *m, uint32_t id, int depth, struct leaves *l)
{
    const struct spv_inst *d = spv_def(m, id);
    if (!d || depth > DEEP)
        return;
    if (d->op == SpvOpFunctionParameter)
        for (uint32_t k = 0; k < m->inst_count; k++)
            gather_place(m, argument(m, k, id), depth + 1, l);
    if (d->op == SpvOpVariable) {
        leaf(l, id, 255);
        gather(m, only_stored(m, id), depth + 1, l);
    }
    const struct spv_inst *component = is_chain(d) && d->n == 2 ? spv_def(m, d->v[1]) : NULL;
    if (component && component->op == SpvOpConstant)
        leaf(l, por_root(m, id), component->v[0]);
}

static void gather(const struct spv_module *m, uint32_t id, int depth, struct leaves *l)
{
    const struct spv_inst *d = spv_def(m, id);
    for (uint32_t k = 0; k < l->n; k++)
        if (l->v[k] >> 8 == id)
            return; // round a loop
    if (!d || depth > DEEP || is_constant(m, id))
        return;
    leaf(l, id, 255);
    for (uint32_t k = 0; d->op == SpvOpPhi && k < d->n; k += 2)
        gather(m, d->v[k], depth + 1, l);
    if (d->op == SpvOpIAdd && (is_constant(m, d->v[0]) || is_constant(m, d->v[1])))
        gather(m, d->v[is_constant(m, d->v[0])], depth + 1, l);
    if (d->op == SpvOpBitcast || d->op == SpvOpCopyObject)
        gather(m, d->v[0], depth + 1, l);
    if (d->op == SpvOpLoad)
        gather_place(m, d->v[0], depth + 1, l);
    if (d->op == SpvOpFunctionCall)
        gather(m, returned(m, d->v[0]), depth + 1, l);
    if (d->op == SpvOpFunctionParameter)
        for (uint32_t k = 0; k < m->inst_count; k++)
            gather(m, argument(m, k, id), depth + 1, l);
    const struct spv_inst *load =
        d->op == SpvOpCompositeExtract && d->n == 2 ? spv_def(m, d->v[0]) : NULL;
    if (load && load->op == SpvOpLoad)
        leaf(l, por_root(m, load->v[0]), d->v[1]);
}

static bool common(const struct leaves *x, const struct leaves *y)
{
    for (uint32_t k = 0; k < x->n; k++)
        for (uint32_t j = 0; j < y->n; j++)
            if (x->v[k] == y->v[j])
                return true;
    return false;
}

// The load of a single number of the inputs that a value is, through variables and calls; 0: none.
static uint32_t number_load(struct arena *a, const struct spv_module *m, uint32_t id)
{
    struct leaves l = {.n = 0};
    struct por_set one;
    gather(m, id, 0, &l);
    for (uint32_t k = 0; k < l.n; k++)
        if (por_number_of(a, m, (uint32_t)(l.v[k] >> 8), &one))
            return (uint32_t)(l.v[k] >> 8);
    return 0;
}

// True if a test decides whether a block runs, also through callers; or if another selection does
// that depends on inputs: with real ones it may keep the index inside.
static bool is_guarded(const struct por_asker *w, uint32_t block, uint32_t test, bool *seen)
{
    const struct spv_module *m = w->m;
    const struct por_uniform *u = w->uniform;
    if (block == UINT32_MAX || seen[block])
        return false;
    seen[block] = true;
    for (uint32_t k = u->first[block]; k < u->first[block + 1]; k++) {
        const uint32_t by = u->control[k];
        uint32_t id = por_condition(m, by);
        const struct spv_inst *d = spv_def(m, id);
        for (int depth = 0; d && d->op == SpvOpLogicalNot && depth < 4; depth++)
            d = spv_def(m, id = d->v[0]);
        const bool selects = m->insts[m->blocks[by].last - 1].op == SpvOpSelectionMerge;
        if (id == test || is_guarded(w, by, test, seen) ||
            (id && selects && por_value_from_inputs(w, id)))
            return true;
        for (uint32_t j = 0; d && (d->op == SpvOpLogicalAnd || d->op == SpvOpLogicalOr) && j < d->n;
             j++)
            if (d->v[j] == test)
                return true;
    }
    const uint32_t f = spv_function_at(m, m->blocks[block].first);
    for (uint32_t k = 0; f != UINT32_MAX && k < m->inst_count; k++)
        if (m->insts[k].op == SpvOpFunctionCall && m->insts[k].v[0] == m->functions[f].id &&
            is_guarded(w, spv_block_at(m, k), test, seen))
            return true;
    return false;
}

// The index that an access chain applies to the array without a length of a buffer; 0: it is not
// such a chain. *variable: the buffer.
static uint32_t element_of(const struct spv_module *m, const struct spv_inst *chain,
                           uint32_t *variable)
{
    const struct spv_inst *v = is_chain(chain) ? spv_def(m, chain->v[0]) : NULL;
    if (!v || v->op != SpvOpVariable || chain->n < 3 ||
        (v->v[0] != SpvStorageClassStorageBuffer && v->v[0] != SpvStorageClassUniform))
        return 0;
    const struct spv_inst *pointer = spv_def(m, v->type), *block = spv_def(m, pointer->v[1]),
                          *member = spv_def(m, chain->v[1]);
    if (!block || block->op != SpvOpTypeStruct || !member || member->op != SpvOpConstant ||
        member->v[0] >= block->n || spv_def(m, block->v[member->v[0]])->op != SpvOpTypeRuntimeArray)
        return 0;
    *variable = v->result;
    return chain->v[2];
}

// A run in which the array of `variable`, and the number that instruction `test` tests an index
// with, agree. Notes an access that leaves the array, and that the test does not guard.
static bool leaves_array(struct por_table *b, uint32_t size, const struct por_shape *first,
                         uint32_t variable, uint32_t load, uint32_t test)
{
    enum { ELEMENTS = 5 };
    const struct spv_module *m = b->w.m;
    struct por_shape shape = *first;
    struct spv_case *c = ARENA_NEW(b->w.a, struct spv_case);
    struct por_ran x;
    struct err e;
    if (shape.sets == POR_SETS || !por_number_of(b->w.a, m, load, &shape.set[shape.sets]))
        return false;
    shape.set[shape.sets++].value = shape.elements = ELEMENTS;
    shape.exact = variable;
    if (!por_fill_shape(b, &b->inputs, &shape, c, &e))
        return false;
    por_take(b, c);
    por_run(b, &b->now, POR_MAXIMAL, size, &(struct orc_options){.any_policy = true}, &x);
    const uint32_t at = por_ended_at(b, &x.r.why), line = por_line_near(&b->w, test);
    bool *seen = ARENA_ARRAY(b->w.a, bool, m->block_count);
    if (strcmp(x.r.why.rule, "E-bounds") != 0 || x.t.variable != variable || !at ||
        is_guarded(&b->w, spv_block_at(m, at), m->insts[test].result, seen))
        return false;
    por_note(b, arena_printf(b->w.a,
                             "%s is out of bounds if %s has only as many elements as %s says, "
                             "because %s does not come before it: undefined without the feature "
                             "robustBufferAccess",
                             por_inst_text(&b->w, at), por_name(b->w.a, m, variable),
                             shape.set[shape.sets - 1].name,
                             line ? arena_printf(b->w.a, "the test in line %u", line)
                                  : por_inst_text(&b->w, test)));
    b->partly = true;
    return true;
}

void por_exact(struct por_table *b, uint32_t size, const struct por_inputs *first)
{
    const struct spv_module *m = b->w.m;
    uint32_t notes = 0, tried = 0, variable;
    uint32_t done[TRIED];
    for (uint32_t k = 0; k < m->inst_count; k++) {
        const struct spv_inst *s = &m->insts[k];
        if (s->op < SpvOpUGreaterThan || s->op > SpvOpSLessThanEqual || s->n != 2)
            continue;
        const bool less = s->op == SpvOpULessThan || s->op == SpvOpSLessThan ||
                          s->op == SpvOpULessThanEqual || s->op == SpvOpSLessThanEqual;
        const uint32_t load = number_load(b->w.a, m, s->v[less]); // the upper bound
        struct leaves index = {.n = 0};
        if (!load || por_is_set(&b->w, load) ||
            por_is_given(&b->w, por_root(m, m->insts[m->def[load]].v[0])))
            continue;
        gather(m, s->v[!less], 0, &index);
        for (uint32_t i = 0; i < m->inst_count && notes < NOTES && tried < TRIED; i++) {
            struct leaves at = {.n = 0};
            const uint32_t id = element_of(m, &m->insts[i], &variable);
            bool known = !id || por_is_given(&b->w, variable);
            for (uint32_t n = 0; n < tried && !known; n++)
                known = done[n] == variable;
            if (known || b->one_run * tried > SPEND)
                continue;
            gather(m, id, 0, &at);
            if (!common(&at, &index))
                continue;
            done[tried++] = variable;
            notes += leaves_array(b, size, &first->shape, variable, load, k);
        }
    }
}
