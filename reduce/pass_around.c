// SPDX-License-Identifier: Apache-2.0
//
// Reduces the case around the module. The log's format: without it words are compared directly, and
// a store of the result alone is enough; stores of headers and counts are removed with it, or left
// to other passes. The lane mapping, if the target does not choose it. Buffers, images and samplers
// that no variable uses; push constants; specialisation constants.
#include "pass.h"

enum { CLEAN, LOG, LANES, BOTH, BUFFER, IMAGE, SAMPLER, PUSH, SPEC };

static bool decorated(const struct spv_module *m, uint32_t id, SpvDecoration d, uint32_t *value)
{
    for (uint32_t i = 0; i < m->inst_count; i++) {
        const struct spv_inst *x = &m->insts[i];
        if (x->op == SpvOpDecorate && x->n >= 3 && x->v[0] == id && x->v[1] == (uint32_t)d) {
            *value = x->v[2];
            return true;
        }
    }
    return false;
}

static bool is_bound(const struct spv_module *m, uint32_t in_set, uint32_t at)
{
    for (uint32_t i = 0; i < m->inst_count; i++) {
        uint32_t set, binding, id = m->insts[i].result;
        if (m->insts[i].op == SpvOpVariable && decorated(m, id, SpvDecorationDescriptorSet, &set) &&
            decorated(m, id, SpvDecorationBinding, &binding) && set == in_set && binding == at)
            return true;
    }
    return false;
}

static void plan(struct red_plan *p)
{
    const struct spv_case *c = &p->e.c;
    const bool lanes = c->has_lanes && !p->o->keep_lanes;
    PLAN(p, CLEAN);
    for (uint32_t flat = 2; c->has_log && flat-- > 0;) {
        if (lanes)
            PLAN(p, BOTH, flat);
        PLAN(p, LOG, flat);
    }
    if (lanes)
        PLAN(p, LANES);
    for (uint32_t i = 0; i < c->buffer_count; i++)
        if (!is_bound(p->e.m, c->buffer[i].set, c->buffer[i].binding))
            PLAN(p, BUFFER, i);
    for (uint32_t i = 0; i < c->image_count; i++)
        if (!is_bound(p->e.m, c->image[i].set, c->image[i].binding))
            PLAN(p, IMAGE, i);
    for (uint32_t i = 0; i < c->sampler_count; i++)
        if (!is_bound(p->e.m, c->sampler[i].set, c->sampler[i].binding))
            PLAN(p, SAMPLER, i);
    if (c->push_count)
        PLAN(p, PUSH);
    for (uint32_t i = 0; i < c->spec_count; i++)
        PLAN(p, SPEC, i);
}

// Removes stores to the log of constants (headers), and stores to words that are also read
// (counts).
static void drop_form(struct spv_edit *e)
{
    const struct spv_module *m = e->m;
    for (uint32_t i = 0; i < m->inst_count; i++) {
        const struct spv_inst *x = &m->insts[i];
        const struct spv_inst *at = x->op == SpvOpStore ? spv_def(m, x->v[0]) : NULL;
        uint32_t binding;
        if (!at || at->op != SpvOpAccessChain ||
            !decorated(m, at->v[0], SpvDecorationBinding, &binding) || binding != e->c.log_binding)
            continue;
        const struct spv_inst *value = spv_def(m, x->v[1]);
        bool form = value && inst_is_constant(value->op);
        for (uint32_t k = 0; k < m->inst_count; k++)
            form |= m->insts[k].op == SpvOpLoad && m->insts[k].v[0] == x->v[0];
        if (form)
            spv_edit_drop(e, i);
    }
}

static bool apply(struct spv_edit *e, const struct red_step *s)
{
    struct spv_case *c = &e->c;
    const uint32_t what = s->v[0], i = s->v[1];
    e->sweep = what == CLEAN;
    if ((what == LOG || what == BOTH) && s->v[1])
        drop_form(e);
    if (what == LOG || what == BOTH)
        c->has_log = false;
    if (what == LANES || what == BOTH)
        c->has_lanes = false;
    if (what == BUFFER) {
        const struct spv_buffer *b = &c->buffer[i];
        if ((c->has_log && c->log_set == b->set && c->log_binding == b->binding) ||
            (c->has_lanes && c->lanes_set == b->set && c->lanes_binding == b->binding) ||
            (c->has_coverage && c->coverage_set == b->set &&
             c->coverage_binding == b->binding)) // a draw needs its coverage buffer
            return false;
        c->buffer_count--;
        for (uint32_t k = i; k < c->buffer_count; k++)
            c->buffer[k] = c->buffer[k + 1];
    }
    if (what == IMAGE) {
        c->image_count--;
        for (uint32_t k = i; k < c->image_count; k++)
            c->image[k] = c->image[k + 1];
    }
    if (what == SAMPLER) {
        c->sampler_count--;
        for (uint32_t k = i; k < c->sampler_count; k++)
            c->sampler[k] = c->sampler[k + 1];
    }
    if (what == PUSH)
        c->push_count = 0;
    if (what == SPEC) {
        c->spec_count--;
        for (uint32_t k = i; k < c->spec_count; k++)
            c->spec[k] = c->spec[k + 1];
    }
    return true;
}

const struct red_pass pass_around = {"case settings", plan, apply};
