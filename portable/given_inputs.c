// SPDX-License-Identifier: Apache-2.0
//
// Which inputs the user provided, by --data, --set or a case: a result that hangs on them alone
// hangs on nothing invented.
#include "portable_inner.h"

#include <string.h>

static bool has(const struct spv_case *c, uint32_t set, uint32_t binding)
{
    return spv_buffer_at(c, set, binding) || spv_image_at(c, set, binding) ||
           spv_sampler_at(c, set, binding);
}

static bool is_given(const struct por_given *given, const struct spv_case *c, uint32_t set,
                     uint32_t binding)
{
    for (uint32_t k = 0; k < given->buffer_count; k++)
        if (given->buffer[k].set == set && given->buffer[k].binding == binding)
            return true;
    return has(c, set, binding) || has(given->data, set, binding);
}

void por_given_inputs(struct arena *a, const struct spv_module *m, const struct spv_case *c,
                      bool own, const struct por_given *given, struct por_inputs *out)
{
    const bool pushed = own || given->push_count || (given->data && given->data->push_count);
    struct spv_case *copy = ARENA_NEW(a, struct spv_case);
    struct por_set *set = ARENA_ARRAY(a, struct por_set, given->sets + 1);
    bool *all = ARENA_ARRAY(a, bool, m->bound);
    struct err e;
    for (uint32_t k = 0; k < m->inst_count && m->insts[k].op != SpvOpFunction; k++) {
        const struct spv_inst *s = &m->insts[k];
        if (s->op != SpvOpVariable)
            continue;
        const uint32_t at = por_decoration(m, s->result, UINT32_MAX, SpvDecorationDescriptorSet),
                       binding = por_decoration(m, s->result, UINT32_MAX, SpvDecorationBinding);
        all[s->result] = binding != UINT32_MAX
                             ? is_given(given, c, at == UINT32_MAX ? 0 : at, binding)
                             : pushed && (s->v[0] == SpvStorageClassPushConstant ||
                                          s->v[0] == SpvStorageClassUniformConstant);
    }
    out->given = all;
    out->given_addresses = is_given(given, c, SPV_ADDRESS_SET, 0);
    *copy = *c;
    for (uint32_t k = 0; k < given->sets; k++)
        por_given_set(a, m, given->set[k], copy, &set[out->set_count], &out->set_count, &e);
    out->set = set;
}

bool por_is_given(const struct por_asker *w, uint32_t id)
{
    const struct spv_module *m = w->m;
    const struct spv_inst *d = spv_def(m, id);
    for (int depth = 0; d && depth < 8; depth++) { // an image: from a load, or a sampled image
        if (d->op == SpvOpVariable)
            break;
        if (d->op != SpvOpLoad && d->op != SpvOpSampledImage && d->op != SpvOpImage)
            break;
        const uint32_t root = por_root(m, d->v[0]);
        d = spv_def(m, root ? root : d->v[0]);
    }
    return d && d->op == SpvOpVariable && w->inputs->given && w->inputs->given[d->result];
}

bool por_is_set(const struct por_asker *w, uint32_t load)
{
    struct arena a = {0};
    struct por_set one;
    bool found = false;
    if (w->inputs->set_count && por_number_of(&a, w->m, load, &one))
        for (uint32_t k = 0; k < w->inputs->set_count; k++)
            found |=
                w->inputs->set[k].variable == one.variable && w->inputs->set[k].byte == one.byte;
    arena_free(&a);
    return found;
}
