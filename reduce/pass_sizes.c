// SPDX-License-Identifier: Apache-2.0
//
// Reduces sizes: fewer and smaller workgroups, a smaller subgroup, shorter buffers.
#include "pass.h"

enum { GROUPS, LOCAL, SUBGROUP, BUFFER, ALL };

static void plan(struct red_plan *p)
{
    const struct spv_case *c = &p->e.c;
    const struct spv_module *m = p->e.m;
    for (uint32_t size = 4; size < c->subgroup; size *= 2) {
        for (uint32_t i = 0; i < m->inst_count; i++)
            if (m->insts[i].op == SpvOpExecutionMode &&
                m->insts[i].v[1] == SpvExecutionModeLocalSize)
                PLAN(p, ALL, size, i);
        PLAN(p, SUBGROUP, size);
    }
    for (uint32_t k = 0; k < 3; k++)
        for (uint32_t n = 1; n < c->groups[k]; n *= 2)
            PLAN(p, GROUPS, k, n);
    for (uint32_t i = 0; i < m->inst_count; i++) {
        const struct spv_inst *x = &m->insts[i];
        if (x->op != SpvOpExecutionMode || x->v[1] != SpvExecutionModeLocalSize)
            continue;
        for (uint32_t k = 0; k < 3; k++) {
            for (uint32_t n = 1; n < x->v[2 + k]; n *= 2)
                PLAN(p, LOCAL, i, k, n);
            if (x->v[2 + k] > 2)
                PLAN(p, LOCAL, i, k, x->v[2 + k] - 1);
        }
    }
    for (uint32_t b = 0; b < c->buffer_count; b++) {
        // An image's size follows from its form, a coverage log's from the target.
        if (c->buffer[b].image.count || (c->has_coverage && c->coverage_set == c->buffer[b].set &&
                                         c->coverage_binding == c->buffer[b].binding))
            continue;
        for (uint32_t n = 1; n < c->buffer[b].count; n *= 2)
            PLAN(p, BUFFER, b, n);
        if (c->buffer[b].count > 1)
            PLAN(p, BUFFER, b, c->buffer[b].count - 1);
    }
}

static void shrink(struct spv_edit *e, uint32_t b, uint32_t n)
{
    struct spv_buffer *x = &e->c.buffer[b];
    x->count = n;
    if (x->fill == SPV_FILL_FILE) {
        x->fill = SPV_FILL_WORDS;
        x->file = NULL;
    }
}

static bool apply(struct spv_edit *e, const struct red_step *s)
{
    const uint32_t *v = s->v;
    switch (v[0]) {
    case GROUPS:
        e->c.groups[v[1]] = v[2];
        return true;
    case LOCAL:
        e->node.v[v[1]]->v[2 + v[2]] = v[3];
        return true;
    case SUBGROUP:
        e->c.subgroup = v[1];
        return true;
    case BUFFER:
        shrink(e, v[1], v[2]);
        return true;
    case ALL: { // one workgroup of one subgroup
        uint32_t *size = e->node.v[v[2]]->v + 2;
        e->c.groups[0] = e->c.groups[1] = e->c.groups[2] = 1;
        e->c.subgroup = size[0] = v[1];
        size[1] = size[2] = 1;
        return true;
    }
    default:
        return false;
    }
}

const struct red_pass pass_sizes = {"sizes", plan, apply};
