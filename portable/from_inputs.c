// SPDX-License-Identifier: Apache-2.0
// Which instructions depend on inputs. Follows values backwards from an instruction through
// variables, calls and the module's own memory.
#include "portable_inner.h"

#include "spirv/spirv_edit.h"
#include "spirv/spirv_flow.h"

#include <spirv/unified1/GLSL.std.450.h>
#include <string.h>

struct slice {
    const struct spv_module *m;
    const struct por_asker *w; // knows which inputs were given
    bool *seen;                // [bound]
    VEC(uint32_t) ids;
    struct arena a;
    uint32_t first, last;  // not 0: the range of instructions to look at
    bool varies;           // a value changes there
    bool minus, lowers;    // search to the first subtraction; there is one
    bool arrays;           // single numbers do not count as inputs
    uint32_t number[8][2]; // those: the variable and the byte
    uint32_t numbers;
    uint32_t target; // not 0: follow everything until this id is found
};

static void follow(struct slice *s, uint32_t id)
{
    if (id < s->m->bound && !s->seen[id]) {
        s->seen[id] = true;
        *VEC_PUSH(&s->a, &s->ids) = id;
    }
}

uint32_t por_base(const struct spv_module *m, uint32_t pointer)
{
    const struct spv_inst *d = spv_def(m, pointer);
    for (int depth = 0; d && depth < 64; depth++, d = spv_def(m, d->v[0]))
        if (d->op != SpvOpAccessChain && d->op != SpvOpInBoundsAccessChain &&
            d->op != SpvOpCopyObject)
            return d->result;
    return 0;
}

uint32_t por_root(const struct spv_module *m, uint32_t pointer)
{
    const uint32_t base = por_base(m, pointer);
    const struct spv_inst *d = spv_def(m, base);
    return d && d->op == SpvOpVariable ? base : 0;
}

// True for an address loaded from a place that no index selects. It names a buffer, as a binding
// does.
static bool is_named_address(const struct spv_module *m, const struct spv_inst *load)
{
    const struct spv_inst *chain = spv_def(m, load->v[0]);
    if (load->op != SpvOpLoad || !por_pointee(spv_def(m, load->type)) || !chain)
        return false;
    for (uint32_t k = 1; chain->op != SpvOpVariable && k < chain->n; k++)
        if (!spv_def(m, chain->v[k]) || spv_def(m, chain->v[k])->op != SpvOpConstant)
            return false;
    return true;
}

static bool is_input(const struct spv_module *m, uint32_t variable)
{
    const struct spv_inst *d = spv_def(m, variable);
    return d &&
           (d->v[0] == SpvStorageClassUniform || d->v[0] == SpvStorageClassStorageBuffer ||
            d->v[0] == SpvStorageClassPushConstant || d->v[0] == SpvStorageClassUniformConstant);
}

// Follows what a function stores through its parameter `which`. False: the function is not known,
// or its calls are too deep.
static bool follow_parameter(struct slice *s, uint32_t function, uint32_t which, int depth)
{
    enum { DEEP = 8 };
    const struct spv_module *m = s->m;
    uint32_t f = 0, parameter = 0;
    bool known = true;
    while (f < m->function_count && m->functions[f].id != function)
        f++;
    if (f == m->function_count || depth > DEEP)
        return false;
    for (uint32_t k = m->functions[f].first; !parameter && k < m->inst_count; k++)
        if (m->insts[k].op == SpvOpFunctionParameter && !which--)
            parameter = m->insts[k].result;
    for (uint32_t k = m->functions[f].first;
         k < m->inst_count && m->insts[k].op != SpvOpFunctionEnd; k++) {
        const struct spv_inst *i = &m->insts[k];
        const bool stores = i->op == SpvOpStore || i->op == SpvOpCopyMemory ||
                            i->op == SpvOpExtInst || spv_op_class(i->op) == SPV_CLASS_ATOMIC;
        bool here = false;
        for (uint32_t j = i->op == SpvOpExtInst ? 2 : 0; stores && j < i->n; j++)
            here |= por_base(m, i->v[j]) == parameter;
        for (uint32_t j = i->op == SpvOpExtInst ? 2 : 0; here && j < i->n; j++)
            if (por_base(m, i->v[j]) != parameter)
                follow(s, i->v[j]);
        for (uint32_t j = 1; i->op == SpvOpFunctionCall && j < i->n; j++)
            if (por_base(m, i->v[j]) == parameter)
                known &= follow_parameter(s, i->v[0], j - 1, depth + 1);
    }
    return known;
}

// Follows the values that are stored to a variable, also by functions that it is passed to.
static void follow_writers(struct slice *s, uint32_t variable)
{
    for (uint32_t k = 0; k < s->m->inst_count; k++) {
        const struct spv_inst *i = &s->m->insts[k];
        if (i->op == SpvOpStore && por_root(s->m, i->v[0]) == variable)
            follow(s, i->v[1]);
        for (uint32_t j = 1; i->op == SpvOpFunctionCall && j < i->n; j++)
            if (por_base(s->m, i->v[j]) == variable && !follow_parameter(s, i->v[0], j - 1, 0))
                for (uint32_t other = 1; other < i->n; other++)
                    follow(s, i->v[other]);
    }
}

static void follow_call(struct slice *s, uint32_t parameter)
{
    const struct spv_module *m = s->m;
    const uint32_t f = spv_function_at(m, m->def[parameter]);
    if (f == UINT32_MAX)
        return;
    uint32_t at = 0;
    for (uint32_t k = m->functions[f].first; k < m->def[parameter]; k++)
        at += m->insts[k].op == SpvOpFunctionParameter;
    for (uint32_t k = 0; k < m->inst_count; k++)
        if (m->insts[k].op == SpvOpFunctionCall && m->insts[k].v[0] == m->functions[f].id &&
            at + 1 < m->insts[k].n)
            follow(s, m->insts[k].v[at + 1]);
}

// Follows the operands that decide whether an instruction is defined: the address of an access, the
// condition of a branch, all operands of a computation.
static void follow_start(struct slice *s, const struct spv_inst *start, uint16_t *at)
{
    uint32_t rest, n;
    const enum spv_op_class class = spv_op_class(start->op);
    const bool first_only = !start->type || start->op == SpvOpLoad || class == SPV_CLASS_ATOMIC ||
                            class == SPV_CLASS_IMAGE;
    if (start->op == SpvOpExtInst) {
        for (uint32_t k = 2; k < start->n; k++)
            follow(s, start->v[k]);
        return;
    }
    if (class == SPV_CLASS_IMAGE) { // the coordinates, and which image of an array
        const struct spv_inst *image = spv_def(s->m, start->v[0]),
                              *chain = image && image->op == SpvOpLoad ? spv_def(s->m, image->v[0])
                                                                       : NULL;
        for (uint32_t k = 1; chain && chain->op == SpvOpAccessChain && k < chain->n; k++)
            follow(s, chain->v[k]);
        if (start->n > 1)
            follow(s, start->v[1]);
        return;
    }
    n = spv_operand_ids(start->op, start->v, start->n, 1, at, &rest);
    for (uint32_t k = 0; k < n && (!first_only || k < 1); k++) {
        const struct spv_inst *d = spv_def(s->m, start->v[at[k]]);
        if (d && d->op != SpvOpVariable)
            follow(s, start->v[at[k]]);
    }
}

bool por_from_inputs(const struct por_asker *w, uint32_t inst)
{
    return por_input_of(w, inst) != 0;
}

// A value that is not the same in each execution of the range: of a phi there, or of a variable
// that is stored there.
static bool varies(const struct slice *s, uint32_t id, uint32_t root)
{
    const struct spv_module *m = s->m;
    const struct spv_inst *d = spv_def(m, id), *to = root ? spv_def(m, root) : NULL;
    if (d->op == SpvOpPhi)
        return m->def[id] >= s->first && m->def[id] <= s->last;
    for (uint32_t k = s->first; to && to->v[0] == SpvStorageClassFunction && k <= s->last; k++)
        if (m->insts[k].op == SpvOpStore && por_root(m, m->insts[k].v[0]) == root)
            return true;
    return false;
}

// True if the user provided the input that an instruction reads.
static bool was_given(const struct slice *s, const struct spv_inst *d, uint32_t id, uint32_t root,
                      bool far)
{
    if (!s->w)
        return false;
    if (far)
        return s->w->inputs->given_addresses;
    return por_is_given(s->w, root ? root : d->v[0]) || por_is_set(s->w, id);
}

// Remembers a number, in order; more than there is room for: none is left out silently.
static void remember(struct slice *s, uint32_t load)
{
    enum { ROOM = sizeof s->number / sizeof *s->number };
    struct por_set one;
    uint32_t at = 0;
    if (!por_single(&s->a, s->m, load, &one) || s->numbers > ROOM)
        return;
    while (at < s->numbers && (s->number[at][0] < one.variable ||
                               (s->number[at][0] == one.variable && s->number[at][1] < one.byte)))
        at++;
    if (at < s->numbers && s->number[at][0] == one.variable && s->number[at][1] == one.byte)
        return;
    if (s->numbers++ >= ROOM)
        return;
    for (uint32_t k = s->numbers - 1; k > at; k--)
        memcpy(s->number[k], s->number[k - 1], sizeof *s->number);
    s->number[at][0] = one.variable;
    s->number[at][1] = one.byte;
}

// Searches from the operands of an instruction (follow_start), or from an id if there is one.
static uint32_t search(struct slice *whole, uint32_t inst, uint32_t from)
{
    struct slice s = *whole;
    const struct spv_module *m = s.m;
    const struct spv_inst *start = &m->insts[inst];
    uint32_t longest = 16, rest;
    uint32_t input = 0;
    bool found = false;
    s.seen = ARENA_ARRAY(&s.a, bool, m->bound);
    for (uint32_t k = 0; k < m->inst_count; k++)
        longest = m->insts[k].n > longest ? m->insts[k].n : longest;
    uint16_t *at = ARENA_ARRAY(&s.a, uint16_t, longest);
    if (from)
        follow(&s, from);
    else
        follow_start(&s, start, at);
    while (s.ids.n && (s.minus    ? !s.lowers
                       : s.target ? !s.seen[s.target] && !s.varies
                                  : !found || (s.last && !s.varies))) {
        const uint32_t id = s.ids.v[--s.ids.n];
        const struct spv_inst *d = spv_def(m, id);
        if (!d)
            continue;
        s.lowers |= d->op == SpvOpISub || d->op == SpvOpSNegate;
        if (s.w && s.w->inputs->constant && s.w->inputs->constant[id]) {
            found = true;
            input = id;
            continue;
        }
        uint32_t root =
            d->op == SpvOpLoad || (d->n && d->type && spv_op_class(d->op) == SPV_CLASS_ATOMIC)
                ? por_root(m, d->v[0])
                : 0;
        s.varies |= (s.last && varies(&s, id, root)) || (root && root == s.target);
        const bool far = d->op == SpvOpLoad && spv_def(m, d->v[0]) &&
                         por_pointee(spv_def(m, spv_def(m, d->v[0])->type));
        if (((root && is_input(m, root)) || far) && is_named_address(m, d)) {
            if (far)
                follow(&s, d->v[0]);
            continue;
        }
        found = ((root && is_input(m, root)) || d->op == SpvOpArrayLength || far ||
                 (d->type && spv_op_class(d->op) == SPV_CLASS_IMAGE)) &&
                !was_given(&s, d, id, root, far);
        const bool single = found && s.arrays && d->op == SpvOpLoad &&
                            por_single(&s.a, m, id, &(struct por_set){0});
        found = found && !single;
        if (single)
            remember(&s, id);
        input = found ? id : input;
        if (root && !found && !single)
            follow_writers(&s, root);
        if (d->op == SpvOpVariable) { // passed to a function
            found |= is_input(m, id) && !(s.w && por_is_given(s.w, id));
            input = found ? id : input;
            follow_writers(&s, id);
            continue;
        }
        if (d->op == SpvOpAccessChain || d->op == SpvOpInBoundsAccessChain ||
            d->op == SpvOpPtrAccessChain) {       // the place, not the value stored there
            if (por_pointee(spv_def(m, d->type))) // an address: follow its base too
                follow(&s, d->v[0]);
            for (uint32_t k = 1; k < d->n; k++)
                follow(&s, d->v[k]);
            continue;
        }
        if (d->op == SpvOpFunctionParameter)
            follow_call(&s, id);
        const struct spv_inst *base =
            d->op == SpvOpLoad && !root ? spv_def(m, por_base(m, d->v[0])) : NULL;
        if (base && base->op == SpvOpFunctionParameter)
            follow(&s, base->result);
        if (d->op == SpvOpFunctionCall)
            for (uint32_t k = 0; k < m->inst_count; k++) {
                const uint32_t f =
                    m->insts[k].op == SpvOpReturnValue ? spv_function_at(m, k) : UINT32_MAX;
                if (f != UINT32_MAX && m->functions[f].id == d->v[0])
                    follow(&s, m->insts[k].v[0]);
            }
        if (d->op == SpvOpExtInst) {
            for (uint32_t k = 2; k < d->n; k++)
                follow(&s, d->v[k]);
            continue;
        }
        const uint32_t n = spv_operand_ids(d->op, d->v, d->n, 1, at, &rest);
        for (uint32_t k = 0; k < n; k++)
            follow(&s, d->v[at[k]]);
    }
    memcpy(whole->number, s.number, sizeof s.number);
    whole->numbers = s.numbers;
    whole->lowers = s.lowers;
    whole->varies = s.varies || (s.target && s.seen[s.target]);
    arena_free(&s.a);
    return input;
}

uint32_t por_input_of(const struct por_asker *w, uint32_t inst)
{
    return search(&(struct slice){.m = w->m, .w = w}, inst, 0);
}

enum por_places por_places_of(const struct por_asker *w, const uint32_t inst[2])
{
    struct slice x = {.m = w->m, .w = w, .arrays = true}, y = x;
    if (search(&x, inst[0], 0) || search(&y, inst[1], 0))
        return POR_BY_ARRAYS;
    return x.numbers == y.numbers && x.numbers <= sizeof x.number / sizeof *x.number &&
                   memcmp(x.number, y.number, sizeof x.number) == 0
               ? POR_BY_SAME_NUMBERS
               : POR_BY_NUMBERS;
}

bool por_may_be_negative(const struct por_asker *w, uint32_t inst)
{
    struct slice s = {.m = w->m, .w = w, .minus = true};
    search(&s, inst, 0);
    return s.lowers && por_from_inputs(w, inst);
}

bool por_value_from_inputs(const struct por_asker *w, uint32_t id)
{
    return search(&(struct slice){.m = w->m, .w = w}, 0, id) != 0;
}

bool por_varies(const struct por_asker *w, uint32_t inst, uint32_t first, uint32_t last)
{
    struct slice s = {.m = w->m, .w = w, .first = first, .last = last};
    search(&s, inst, 0);
    return s.varies;
}

bool por_is_packed(const struct spv_module *m, uint32_t inst)
{
    for (uint32_t k = 0; k < m->inst_count && m->insts[inst].result; k++) {
        const struct spv_inst *i = &m->insts[k];
        const bool packs =
            i->op == SpvOpBitwiseOr || i->op == SpvOpBitFieldInsert ||
            (i->op == SpvOpExtInst && i->n > 2 && i->v[1] >= GLSLstd450PackSnorm4x8 &&
             i->v[1] <= GLSLstd450PackDouble2x32);
        struct slice s = {.m = m, .target = packs ? m->insts[inst].result : 0};
        if (packs)
            search(&s, k, 0);
        if (s.varies)
            return true;
    }
    return false;
}

// The next variable from instruction *k on that holds the index of a workgroup, or of an invocation
// in the dispatch; 0: no further one.
static uint32_t next_index(const struct spv_module *m, uint32_t *k)
{
    for (; *k < m->inst_count && m->insts[*k].op != SpvOpFunction; ++*k) {
        const struct spv_inst *s = &m->insts[*k];
        if (s->op == SpvOpDecorate && s->n == 3 && s->v[1] == SpvDecorationBuiltIn &&
            (s->v[2] == SpvBuiltInWorkgroupId || s->v[2] == SpvBuiltInGlobalInvocationId))
            return m->insts[(*k)++].v[0];
    }
    return 0;
}

// True if an instruction uses an id, and perhaps its component x. `loaded`: the id is a value.
static bool uses_x(const struct spv_module *m, uint32_t inst, uint32_t id, bool loaded)
{
    enum { MOST = 64 };
    const struct spv_inst *s = &m->insts[inst], *index;
    uint16_t at[MOST];
    uint32_t rest;
    bool uses = s->n > MOST;
    const uint32_t n = uses ? 0 : spv_operand_ids(s->op, s->v, s->n, 1, at, &rest);
    for (uint32_t j = 0; j < n; j++)
        uses |= s->v[at[j]] == id;
    if (!uses)
        return false;
    if (s->op == SpvOpCompositeExtract && s->n == 2)
        return s->v[1] == 0;
    if (s->op == SpvOpLoad && !loaded) {
        for (uint32_t k = m->functions[0].first; k < m->inst_count; k++)
            if (k != inst && uses_x(m, k, s->result, true))
                return true;
        return false;
    }
    index = s->op == SpvOpAccessChain && s->n == 2 ? spv_def(m, s->v[1]) : NULL;
    return !index || index->op != SpvOpConstant || index->v[0] == 0;
}

bool por_by_workgroup(const struct spv_module *m)
{
    uint32_t k = 0;
    for (uint32_t id = next_index(m, &k); id; id = next_index(m, &k))
        for (uint32_t j = m->function_count ? m->functions[0].first : m->inst_count;
             j < m->inst_count; j++)
            if (uses_x(m, j, id, false))
                return true;
    return false;
}

bool por_names_workgroups(const struct spv_module *m)
{
    for (uint32_t k = 0; k < m->inst_count && m->insts[k].op != SpvOpFunction; k++) {
        const struct spv_inst *s = &m->insts[k];
        if (s->op != SpvOpDecorate || s->n != 3 || s->v[1] != SpvDecorationBuiltIn ||
            (s->v[2] != SpvBuiltInWorkgroupId && s->v[2] != SpvBuiltInNumWorkgroups))
            continue;
        for (uint32_t j = m->function_count ? m->functions[0].first : m->inst_count;
             j < m->inst_count; j++)
            if (uses_x(m, j, s->v[0], false))
                return true;
    }
    return false;
}

bool por_from_workgroup(const struct por_asker *w, uint32_t inst)
{
    uint32_t k = 0;
    for (uint32_t id = next_index(w->m, &k); id; id = next_index(w->m, &k)) {
        struct slice s = {.m = w->m, .target = id};
        search(&s, inst, 0);
        if (s.varies)
            return true;
    }
    return false;
}

bool por_for_one_workgroup(const struct spv_module *m)
{
    for (uint32_t k = 0; k < m->inst_count; k++) {
        const struct spv_inst *s = &m->insts[k];
        const struct spv_inst *to = spv_op_class(s->op) == SPV_CLASS_ATOMIC ? spv_def(m, s->v[0])
                                                                            : NULL,
                              *type = to ? spv_def(m, to->type) : NULL;
        if (type && (type->op != SpvOpTypePointer || type->v[0] != SpvStorageClassWorkgroup))
            return false;
    }
    return !por_by_workgroup(m);
}

bool por_flow_from_inputs(const struct por_asker *w)
{
    const struct spv_module *m = w->m;
    for (uint32_t k = 0; k < m->inst_count; k++) {
        const struct spv_inst *s = &m->insts[k];
        const uint32_t root = s->op == SpvOpStore ? por_root(m, s->v[0]) : 0;
        const struct spv_inst *d = root ? spv_def(m, root) : NULL;
        if ((s->op == SpvOpBranchConditional || s->op == SpvOpSwitch ||
             (d && d->v[0] == SpvStorageClassWorkgroup)) &&
            por_from_inputs(w, k))
            return true;
    }
    return false;
}
