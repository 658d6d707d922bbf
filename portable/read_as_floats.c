// SPDX-License-Identifier: Apache-2.0
//
// Memory of words that holds floats: buffers whose integers are turned into floats bit by bit
// (uintBitsToFloat, asfloat). Follows the values that are loaded forwards, through copies,
// variables of one invocation, calls and returns; not through arithmetic.
#include "portable_inner.h"

#include "spirv/spirv_flow.h"

static bool is_scalar_or_vector_of(const struct spv_module *m, uint32_t type, uint32_t op)
{
    const struct spv_inst *t = spv_def(m, type);
    t = t && t->op == SpvOpTypeVector ? spv_def(m, t->v[0]) : t;
    return t && t->op == op;
}

static bool moves(uint32_t op)
{
    return op == SpvOpCopyObject || op == SpvOpPhi || op == SpvOpSelect ||
           op == SpvOpCompositeConstruct || op == SpvOpCompositeExtract ||
           op == SpvOpCompositeInsert || op == SpvOpVectorShuffle || op == SpvOpCopyLogical ||
           op == SpvOpLoad;
}

// Marks the result of an instruction on marked values: [id] holds such a value, or points to one.
// True if something is new.
static bool pass_on(const struct spv_module *m, uint32_t inst, bool *has)
{
    const struct spv_inst *s = &m->insts[inst];
    uint32_t to = 0;
    if (s->op == SpvOpStore && has[s->v[1]])
        to = por_base(m, s->v[0]);
    if (s->op == SpvOpLoad && has[por_base(m, s->v[0])])
        to = s->result;
    for (uint32_t j = 0; moves(s->op) && j < s->n && !to; j++)
        to = s->v[j] < m->bound && has[s->v[j]] ? s->result : 0;
    if (s->op == SpvOpReturnValue && has[s->v[0]]) // the id of the function stands for its result
        to = m->functions[spv_function_at(m, inst)].id;
    if (s->op == SpvOpFunctionCall && has[s->v[0]])
        to = s->result;
    if (to && !has[to])
        return has[to] = true;
    if (s->op != SpvOpFunctionCall)
        return false;
    uint32_t f = 0, which = 1;
    bool news = false;
    while (f < m->function_count && m->functions[f].id != s->v[0])
        f++;
    for (uint32_t k = f < m->function_count ? m->functions[f].first : m->inst_count;
         k < m->inst_count && m->insts[k].op != SpvOpLabel; k++) {
        if (m->insts[k].op != SpvOpFunctionParameter || which >= s->n)
            continue;
        const uint32_t parameter = m->insts[k].result, given = s->v[which++],
                       from = has[given] ? given : por_base(m, given);
        if (has[from] != has[parameter])
            news = has[from] = has[parameter] = true; // a pointer leads both ways
    }
    return news;
}

static bool turns_into_float(const struct spv_module *m, const bool *has)
{
    for (uint32_t k = 0; k < m->inst_count; k++)
        if (m->insts[k].op == SpvOpBitcast && has[m->insts[k].v[0]] &&
            is_scalar_or_vector_of(m, m->insts[k].type, SpvOpTypeFloat))
            return true;
    return false;
}

const bool *por_read_as_floats(struct arena *a, const struct spv_module *m)
{
    bool *out = NULL, *has = NULL, casts = false;
    for (uint32_t k = 0; k < m->inst_count && !casts; k++)
        casts = m->insts[k].op == SpvOpBitcast &&
                is_scalar_or_vector_of(m, m->insts[k].type, SpvOpTypeFloat);
    casts &= m->function_count != 0;
    for (uint32_t k = 0; casts && k < m->inst_count && m->insts[k].op != SpvOpFunction; k++) {
        const struct spv_inst *v = &m->insts[k];
        if (v->op != SpvOpVariable ||
            (v->v[0] != SpvStorageClassStorageBuffer && v->v[0] != SpvStorageClassUniform))
            continue;
        has = has ? has : ARENA_ARRAY(a, bool, m->bound);
        for (uint32_t j = 0; j < m->bound; j++)
            has[j] = false;
        for (bool more = true; more;) {
            more = false;
            for (uint32_t j = m->functions[0].first; j < m->inst_count; j++) {
                const struct spv_inst *s = &m->insts[j];
                if (s->op == SpvOpLoad && !has[s->result] && por_root(m, s->v[0]) == v->result)
                    more = has[s->result] = true;
                more |= pass_on(m, j, has);
            }
        }
        if (!turns_into_float(m, has))
            continue;
        out = out ? out : ARENA_ARRAY(a, bool, m->bound);
        out[v->result] = true;
    }
    return out;
}
