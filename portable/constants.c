// SPDX-License-Identifier: Apache-2.0
//
// Specialisation constants that were not set. A default of 0 is often a blank that the host always
// fills (a size), so that it is invented as other numbers are; a default other than 0 is the
// author's own value.
#include "portable_inner.h"

uint32_t por_free_constant(const struct spv_module *m, const struct spv_case *c, uint32_t id)
{
    const struct spv_inst *d = spv_def(m, id), *type = d ? spv_def(m, d->type) : NULL;
    const bool is_number = d && d->op == SpvOpSpecConstant && d->n == 1 && type &&
                           type->op == SpvOpTypeInt && type->v[0] == 32;
    if (!d || (!is_number && d->op != SpvOpSpecConstantTrue && d->op != SpvOpSpecConstantFalse))
        return UINT32_MAX;
    const uint32_t spec = por_decoration(m, id, UINT32_MAX, SpvDecorationSpecId);
    for (uint32_t k = 0; k < c->spec_count; k++)
        if (c->spec[k].id == spec)
            return UINT32_MAX;
    return spec;
}

static bool is_blank(const struct spv_module *m, const struct spv_case *c, uint32_t id)
{
    const struct spv_inst *d = spv_def(m, id);
    return d && d->op == SpvOpSpecConstant && d->n && !d->v[0] &&
           por_free_constant(m, c, id) != UINT32_MAX;
}

bool por_has_blanks(struct arena *a, const struct spv_case *c, const struct por_given *given)
{
    struct spv_module m;
    struct err e;
    struct spv_case *copy = ARENA_NEW(a, struct spv_case);
    struct por_set *set = ARENA_ARRAY(a, struct por_set, given->sets + 1);
    uint32_t n = 0;
    *copy = *c;
    if (!spv_module_read(a, c->words, c->count, &m, &e))
        return false;
    for (uint32_t k = 0; given->data && k < given->data->spec_count; k++)
        copy->spec[k] = given->data->spec[k], copy->spec_count = k + 1;
    for (uint32_t k = 0; k < given->sets; k++)
        por_given_set(a, &m, given->set[k], copy, &set[n], &n, &e);
    for (uint32_t k = 0; k < m.inst_count && m.insts[k].op != SpvOpFunction; k++)
        if (is_blank(&m, copy, m.insts[k].result))
            return true;
    return false;
}

static bool put(struct spv_case *c, const struct spv_module *m, uint32_t id, uint32_t spec,
                uint32_t value)
{
    const struct spv_inst *d = spv_def(m, id), *type = spv_def(m, d->type);
    if (c->spec_count == SPV_CASE_SPECS)
        return false;
    struct spv_spec *s = &c->spec[c->spec_count++];
    *s = (struct spv_spec){.id = spec, .value = value, .type = "u32"};
    if (type->op == SpvOpTypeInt && type->v[1])
        s->type[0] = 'i';
    return true;
}

void por_set_constants(struct arena *a, const struct spv_module *m, const struct por_shape *shape,
                       struct spv_case *c, struct por_inputs *in, struct text *t)
{
    bool *all = NULL;
    for (uint32_t k = 0; k < m->inst_count && m->insts[k].op != SpvOpFunction; k++) {
        const struct spv_inst *d = &m->insts[k];
        const uint32_t spec = d->result ? por_free_constant(m, c, d->result) : UINT32_MAX;
        if (spec == UINT32_MAX)
            continue;
        bool sets = shape->blanks && is_blank(m, c, d->result);
        uint32_t value = shape->scalar;
        for (uint32_t j = 0; j < shape->mores + shape->sets; j++) {
            const struct por_set *s = por_set_of(shape, j);
            if (s->spec && s->byte == spec)
                sets = true, value = s->value;
        }
        if (!sets || !put(c, m, d->result, spec, value))
            continue;
        all = all ? all : ARENA_ARRAY(a, bool, m->bound);
        all[d->result] = in->invented = true;
        text_add(t, "specialisation constant %u %s: %u (%u in the module)\n", spec,
                 por_name(a, m, d->result), value,
                 d->op == SpvOpSpecConstant ? d->v[0] : d->op == SpvOpSpecConstantTrue);
    }
    in->constant = all;
}
