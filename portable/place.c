// SPDX-License-Identifier: Apache-2.0
//
// Describes places for people: source file and line, OpName names, and the GLSL names of
// operations.
#include "portable.h"

#include "spirv/spirv_groups.h"
#include "spirv/spirv_lines.h"

#include <string.h>

// ---- names ------------------------------------------------------------------------

const char *por_given_name(struct arena *a, const struct spv_module *m, uint32_t id)
{
    const char *name = spv_name(m, id);
    if (name && name[0])
        return text_printable(a, name);
    const struct spv_inst *d = spv_def(m, id);
    const struct spv_inst *pointer = d && d->op == SpvOpVariable ? spv_def(m, d->type) : NULL;
    name = pointer && pointer->n > 1 ? spv_name(m, pointer->v[1]) : NULL; // name of the block type
    return name && name[0] ? text_printable(a, name) : NULL;
}

const char *por_name(struct arena *a, const struct spv_module *m, uint32_t id)
{
    const char *name = por_given_name(a, m, id);
    if (name)
        return name;
    const struct spv_inst *d = spv_def(m, id);
    uint32_t set = UINT32_MAX, binding = UINT32_MAX;
    for (uint32_t k = 0; k < m->inst_count && m->insts[k].op != SpvOpFunction; k++) {
        const struct spv_inst *s = &m->insts[k];
        if (s->op == SpvOpDecorate && s->n == 3 && s->v[0] == id) {
            set = s->v[1] == SpvDecorationDescriptorSet ? s->v[2] : set;
            binding = s->v[1] == SpvDecorationBinding ? s->v[2] : binding;
        }
    }
    if (d && d->op == SpvOpVariable && binding != UINT32_MAX)
        return arena_printf(a, "binding %u:%u", set == UINT32_MAX ? 0 : set, binding);
    return arena_printf(a, "%%%u", id);
}

// The GLSL name of a group operation.
static const char *glsl_name(struct arena *a, const struct spv_inst *s)
{
    static const char start[] = "OpGroupNonUniform";
    const char *name = spv_op_name(s->op);
    const struct spv_group_op *g = spv_group_find(s->op);
    if (!g || strncmp(name, start, sizeof start - 1) != 0)
        return name;
    name += sizeof start - 1;
    const size_t n = strlen(name);
    const bool khr = n > 3 && strcmp(name + n - 3, "KHR") == 0;
    if (g->klass == SPV_GROUP_REDUCE && strchr("IFSU", name[0]) && name[1] >= 'A' && name[1] <= 'Z')
        name++; // IAdd, FAdd: Add
    const char *form = "";
    const uint32_t at = g->has_scope;
    if (g->klass == SPV_GROUP_REDUCE && g->has_form && s->n > at)
        form = s->v[at] == SpvGroupOperationInclusiveScan     ? "Inclusive"
               : s->v[at] == SpvGroupOperationExclusiveScan   ? "Exclusive"
               : s->v[at] == SpvGroupOperationClusteredReduce ? "Clustered"
                                                              : "";
    return arena_printf(a, "subgroup%s%.*s", form, (int)(strlen(name) - (khr ? 3 : 0)), name);
}

static const char *word_of(struct arena *a, const struct spv_inst *s)
{
    static const struct {
        uint16_t op;
        const char *word;
    } rows[] = {
        {SpvOpBranch, "loop"},
        {SpvOpAtomicFAddEXT, "atomicAdd"},
        {SpvOpAtomicIAdd, "atomicAdd"},
        {SpvOpAtomicISub, "atomicSub"},
        {SpvOpAtomicIIncrement, "atomic increment"},
        {SpvOpAtomicIDecrement, "atomic decrement"},
        {SpvOpAtomicAnd, "atomicAnd"},
        {SpvOpAtomicOr, "atomicOr"},
        {SpvOpAtomicXor, "atomicXor"},
        {SpvOpAtomicFMinEXT, "atomicMin"},
        {SpvOpAtomicUMin, "atomicMin"},
        {SpvOpAtomicSMin, "atomicMin"},
        {SpvOpAtomicFMaxEXT, "atomicMax"},
        {SpvOpAtomicUMax, "atomicMax"},
        {SpvOpAtomicSMax, "atomicMax"},
        {SpvOpAtomicExchange, "atomicExchange"},
        {SpvOpAtomicCompareExchange, "atomicCompSwap"},
        {SpvOpAtomicLoad, "atomicLoad"},
        {SpvOpAtomicStore, "atomicStore"},
        {SpvOpSMod, "%"},
        {SpvOpSRem, "%"},
        {SpvOpBranchConditional, "branch"},
        {SpvOpSwitch, "switch"},
        {SpvOpStore, "store"},
        {SpvOpLoad, "load"},
        {SpvOpControlBarrier, "barrier"},
    };
    for (size_t k = 0; k < sizeof rows / sizeof *rows; k++)
        if (rows[k].op == s->op)
            return rows[k].word;
    return glsl_name(a, s);
}

struct por_place por_place(struct arena *a, const struct spv_module *m, uint32_t inst)
{
    struct por_place out = {.file = "", .text = "", .name = "", .what = ""};
    if (inst >= m->inst_count)
        return out;
    const struct spv_inst *s = &m->insts[inst];
    const struct spv_line at = spv_line_of(a, m, inst);
    out.file = at.file;
    out.line = at.line;
    out.text = at.text;
    out.what = word_of(a, s);
    const char *name = s->result ? spv_name(m, s->result) : NULL;
    if (name && name[0])
        out.name = text_printable(a, name);
    return out;
}
