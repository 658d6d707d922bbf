// SPDX-License-Identifier: Apache-2.0
//
// Removes names, lines and sources, and decorations that validity does not require.
#include "pass.h"

enum { DEBUG, DECORATION };

static bool is_debug(uint32_t op)
{
    switch (op) {
    case SpvOpName:
    case SpvOpMemberName:
    case SpvOpSource:
    case SpvOpSourceContinued:
    case SpvOpSourceExtension:
    case SpvOpString:
    case SpvOpLine:
    case SpvOpNoLine:
    case SpvOpModuleProcessed:
    case SpvOpNop:
        return true;
    default:
        return false;
    }
}

static bool is_needed(uint32_t decoration) // for buffers and inputs
{
    switch (decoration) {
    case SpvDecorationBlock:
    case SpvDecorationArrayStride:
    case SpvDecorationOffset:
    case SpvDecorationDescriptorSet:
    case SpvDecorationBinding:
    case SpvDecorationBuiltIn:
    case SpvDecorationSpecId:
        return true;
    default:
        return false;
    }
}

static bool is_spare(const struct spv_inst *x)
{
    return (x->op == SpvOpDecorate && !is_needed(x->v[1])) ||
           (x->op == SpvOpMemberDecorate && !is_needed(x->v[2]));
}

// plan_runs numbers the instructions of each kind.
static bool is_kind(const struct spv_inst *x, uint32_t kind)
{
    return kind == DEBUG ? is_debug(x->op) : is_spare(x);
}

static void plan(struct red_plan *p)
{
    for (uint32_t kind = DEBUG; kind <= DECORATION; kind++) {
        uint32_t n = 0;
        for (uint32_t i = 0; i < p->e.m->inst_count; i++)
            n += is_kind(&p->e.m->insts[i], kind);
        plan_runs(p, n, kind);
    }
}

static bool apply(struct spv_edit *e, const struct red_step *s)
{
    uint32_t n = 0;
    for (uint32_t i = 0; i < e->m->inst_count; i++)
        if (is_kind(&e->m->insts[i], s->v[2])) {
            if (n >= s->v[0] && n < s->v[1])
                spv_edit_drop(e, i);
            n++;
        }
    return true;
}

const struct red_pass pass_debug = {"names and decorations", plan, apply};
