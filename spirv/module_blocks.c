// SPDX-License-Identifier: Apache-2.0
//
// Finds the functions and blocks of a decoded module. On success every block lies in a function,
// begins with OpLabel, ends with its only terminator and has at most one merge instruction.
#include "module_inner.h"
#include "spirv_flow.h"

#include <string.h>

bool spv_ends_block(uint32_t op)
{
    switch (op) {
    case SpvOpBranch:
    case SpvOpBranchConditional:
    case SpvOpSwitch:
    case SpvOpReturn:
    case SpvOpReturnValue:
    case SpvOpKill:
    case SpvOpUnreachable:
    case SpvOpTerminateInvocation:
    case SpvOpEmitMeshTasksEXT:
        return true;
    default:
        return false;
    }
}

struct walk {
    struct spv_module *m;
    struct spv_function *function; // the open one, or NULL
    struct spv_block *block;       // the open one, or NULL
};

static bool misplaced(const struct spv_inst *in, const char *why, struct err *e)
{
    return err_set(e, "word %u: %s %s", in->at, spv_op_name(in->op), why);
}

static bool label(struct walk *w, uint32_t i, struct err *e)
{
    struct spv_module *m = w->m;
    const struct spv_inst *in = &m->insts[i];
    if (!w->function)
        return misplaced(in, "is outside a function", e);
    if (w->block)
        return misplaced(in, "begins a block before the one above has a terminator", e);
    if (w->function->block_count == 0)
        w->function->block_first = m->block_count;
    w->function->block_count++;
    m->block_of[in->result] = m->block_count;
    w->block = &m->blocks[m->block_count++];
    w->block->label = in->result;
    w->block->first = i;
    return true;
}

static bool step(struct walk *w, uint32_t i, struct err *e)
{
    struct spv_module *m = w->m;
    const struct spv_inst *in = &m->insts[i];
    switch (in->op) {
    case SpvOpFunction:
        if (w->function)
            return misplaced(in, "begins before the function above has its OpFunctionEnd", e);
        w->function = &m->functions[m->function_count++];
        w->function->id = in->result;
        w->function->first = i;
        return true;
    case SpvOpFunctionEnd:
        if (!w->function)
            return misplaced(in, "has no OpFunction", e);
        if (w->block)
            return misplaced(in, "comes before the last block has a terminator", e);
        w->function->last = i;
        w->function = NULL;
        return true;
    case SpvOpFunctionParameter:
        if (!w->function || w->function->block_count)
            return misplaced(in, "does not follow its OpFunction", e);
        return true;
    case SpvOpLabel:
        return label(w, i, e);
    case SpvOpSelectionMerge:
    case SpvOpLoopMerge:
        if (!w->block)
            return misplaced(in, "is outside a block", e);
        if (w->block->merge)
            return misplaced(in, "is the second merge instruction of its block", e);
        w->block->merge = i;
        return true;
    case SpvOpLine:
    case SpvOpNoLine:
        return true; // allowed between blocks and functions
    default:
        if (spv_ends_block(in->op)) {
            if (!w->block)
                return misplaced(in, "is outside a block", e);
            w->block->last = i;
            w->block = NULL;
        } else if (w->function && !w->block) {
            return misplaced(in, "is inside a function but outside its blocks", e);
        }
        return true;
    }
}

bool module_blocks(struct arena *a, struct spv_module *m, uint32_t functions, uint32_t labels,
                   struct err *e)
{
    m->functions = ARENA_ARRAY(a, struct spv_function, functions);
    m->blocks = ARENA_ARRAY(a, struct spv_block, labels);
    m->block_of = ARENA_ARRAY(a, uint32_t, m->bound);
    memset(m->block_of, 0xff, (size_t)m->bound * sizeof *m->block_of);
    struct walk w = {.m = m};
    for (uint32_t i = 0; i < m->inst_count; i++)
        if (!step(&w, i, e))
            return false;
    if (w.block)
        return err_set(e, "word %zu: the module ends inside the block %%%u", m->count,
                       w.block->label);
    if (w.function)
        return err_set(e, "word %zu: the module ends inside the function %%%u", m->count,
                       w.function->id);
    return true;
}
