// SPDX-License-Identifier: Apache-2.0
//
// OpenCL C where it differs from the other C-like languages. Kernels have no global variables: the
// buffers and variables of the module are members of one struct, of which each function gets the
// address. Group operations are those of Khronos' extensions for subgroups, which work on the
// invocations that encounter them. `plain`: votes, broadcasts, reductions and scans are OpenCL's
// own, which all of a subgroup must encounter; they are printed only where no branch is in the way.
#include "clike.h"

#include <string.h>

// OpenCL's global id has an offset that the host sets, and its ids have 64 bits: the ids here come
// from those of the workgroup and of the invocation in it.
static const char ids[] = "#define TF_LOCAL(n) ((uint)get_local_id(n))\n"
                          "#define TF_GROUP(n) ((uint)get_group_id(n))\n"
                          "#define TF_GROUPS(n) ((uint)get_num_groups(n))\n";

static bool in_struct(const struct form *f, const struct spv_inst *in)
{
    return in->op == SpvOpVariable && f->id[in->result].place == FORM_PRIVATE;
}

bool opencl_head(const struct clike *p, struct text *out)
{
    const struct form *f = p->f;
    text_add(out, "%sstruct tf {\n", ids);
    for (size_t i = 0; i < f->buffers.n; i++)
        text_add(out, "    global uint *%s;\n", f->buffers.v[i].name);
    for (uint32_t i = 0; i < f->m.inst_count; i++) {
        const struct spv_inst *in = &f->m.insts[i];
        if (!in_struct(f, in))
            continue;
        const char *type = clike_type(p, spv_def(&f->m, in->type)->v[1]);
        if (!type)
            return clike_refuse(p, in, "a type that is neither bool nor a 32-bit integer");
        text_add(out, "    %s x%u;\n", type, in->result);
    }
    text_add(out, "};\n");
    for (size_t i = 0; i < f->buffers.n; i++)
        text_add(out, "#define %s_b (tf->%s)\n", f->buffers.v[i].name, f->buffers.v[i].name);
    for (uint32_t i = 0; i < f->m.inst_count; i++)
        if (in_struct(f, &f->m.insts[i]))
            text_add(out, "#define %s (tf->x%u)\n", clike_value(p, f->m.insts[i].result),
                     f->m.insts[i].result);
    return true;
}

void opencl_function(struct clike *p, const struct spv_function *fn, const char *type)
{
    const struct form *f = p->f;
    const struct spv_module *m = &f->m;
    p->all_here = fn->id == f->entry;
    if (fn->id != f->entry) {
        text_add(p->out, "static %s %s(struct tf *tf", type, clike_value(p, fn->id));
        for (uint32_t i = fn->first + 1; m->insts[i].op == SpvOpFunctionParameter; i++)
            text_add(p->out, ", %s %s", clike_type(p, m->insts[i].type),
                     clike_value(p, m->insts[i].result));
        text_add(p->out, ")\n{\n");
        return;
    }
    text_add(p->out, "__attribute__((reqd_work_group_size(%u, %u, %u)))\n", f->size[0], f->size[1],
             f->size[2]);
    if (f->subgroup)
        text_add(p->out, "__attribute__((intel_reqd_sub_group_size(%u)))\n", f->subgroup);
    text_add(p->out, "kernel void tf_main(");
    for (size_t i = 0; i < f->buffers.n; i++)
        text_add(p->out, "%sglobal uint *tf_%zu", i ? ", " : "", i);
    text_add(p->out, ")\n{\n    struct tf tf_all, *tf = &tf_all;\n");
    for (size_t i = 0; i < f->buffers.n; i++)
        text_add(p->out, "    tf->%s = tf_%zu;\n", f->buffers.v[i].name, i);
    for (uint32_t i = 0; i < m->inst_count; i++)
        if (in_struct(f, &m->insts[i]) && m->insts[i].n > 1)
            text_add(p->out, "    %s = %s;\n", clike_value(p, m->insts[i].result),
                     clike_value(p, m->insts[i].v[1]));
}

// ---- builtins ----

const char *opencl_builtin(const struct clike *p, uint32_t builtin, uint32_t part)
{
    const uint32_t *size = p->f->size;
    struct arena *a = p->f->arena;
    switch (builtin) {
    case SpvBuiltInGlobalInvocationId:
        return part > 2
                   ? NULL
                   : arena_printf(a, "TF_GROUP(%u) * %uu + TF_LOCAL(%u)", part, size[part], part);
    case SpvBuiltInLocalInvocationId:
        return part > 2 ? NULL : arena_printf(a, "TF_LOCAL(%u)", part);
    case SpvBuiltInWorkgroupId:
        return part > 2 ? NULL : arena_printf(a, "TF_GROUP(%u)", part);
    case SpvBuiltInNumWorkgroups:
        return part > 2 ? NULL : arena_printf(a, "TF_GROUPS(%u)", part);
    case SpvBuiltInLocalInvocationIndex:
        return arena_printf(a, "(TF_LOCAL(2) * %uu + TF_LOCAL(1)) * %uu + TF_LOCAL(0)", size[1],
                            size[0]);
    case SpvBuiltInSubgroupLocalInvocationId:
        return "get_sub_group_local_id()";
    case SpvBuiltInSubgroupId:
        return "get_sub_group_id()";
    case SpvBuiltInSubgroupSize:
        return "get_max_sub_group_size()";
    case SpvBuiltInNumSubgroups:
        return "get_num_sub_groups()";
    default:
        return NULL;
    }
}

// ---- group operations ----

#define NONE (-1)
// The value is an argument of the first kind, the result is of the second one.
enum value_of { PLAIN, SIGNED, TRUTH };
static const struct {
    SpvOp op;
    const char *name; // of arithmetic: of the operation
    enum value_of takes, returns;
    bool arithmetic, scalar; // `scalar`: not of vectors
    const char *plain;       // of whole subgroups; "": nothing; NULL: the same
} rows[] = {
    {SpvOpGroupNonUniformElect, "elect", PLAIN, TRUTH, false, false, ""},
    {SpvOpGroupNonUniformAll, "non_uniform_all", TRUTH, TRUTH, false, false, "all"},
    {SpvOpGroupNonUniformAny, "non_uniform_any", TRUTH, TRUTH, false, false, "any"},
    {SpvOpGroupNonUniformAllEqual, "non_uniform_all_equal", PLAIN, TRUTH, false, true, ""},
    {SpvOpGroupNonUniformBallot, "ballot", TRUTH, PLAIN, false, false, NULL},
    {SpvOpGroupNonUniformBroadcast, "non_uniform_broadcast", PLAIN, PLAIN, false, false,
     "broadcast"},
    {SpvOpGroupNonUniformBroadcastFirst, "broadcast_first", PLAIN, PLAIN, false, true, NULL},
    {SpvOpGroupNonUniformShuffle, "shuffle", PLAIN, PLAIN, false, true, NULL},
    {SpvOpGroupNonUniformShuffleXor, "shuffle_xor", PLAIN, PLAIN, false, true, NULL},
    {SpvOpGroupNonUniformShuffleUp, "shuffle_up", PLAIN, PLAIN, false, true, NULL},
    {SpvOpGroupNonUniformShuffleDown, "shuffle_down", PLAIN, PLAIN, false, true, NULL},
    {SpvOpGroupNonUniformRotateKHR, "rotate", PLAIN, PLAIN, false, true, NULL},
    {SpvOpGroupNonUniformInverseBallot, "inverse_ballot", PLAIN, TRUTH, false, false, NULL},
    {SpvOpGroupNonUniformBallotBitExtract, "ballot_bit_extract", PLAIN, TRUTH, false, false, NULL},
    {SpvOpGroupNonUniformBallotFindLSB, "ballot_find_lsb", PLAIN, PLAIN, false, false, NULL},
    {SpvOpGroupNonUniformBallotFindMSB, "ballot_find_msb", PLAIN, PLAIN, false, false, NULL},
    {SpvOpGroupNonUniformIAdd, "add", PLAIN, PLAIN, true, true, "add"},
    {SpvOpGroupNonUniformIMul, "mul", PLAIN, PLAIN, true, true, ""},
    {SpvOpGroupNonUniformUMin, "min", PLAIN, PLAIN, true, true, "min"},
    {SpvOpGroupNonUniformUMax, "max", PLAIN, PLAIN, true, true, "max"},
    {SpvOpGroupNonUniformSMin, "min", SIGNED, SIGNED, true, true, "min"},
    {SpvOpGroupNonUniformSMax, "max", SIGNED, SIGNED, true, true, "max"},
    {SpvOpGroupNonUniformBitwiseAnd, "and", PLAIN, PLAIN, true, true, ""},
    {SpvOpGroupNonUniformBitwiseOr, "or", PLAIN, PLAIN, true, true, ""},
    {SpvOpGroupNonUniformBitwiseXor, "xor", PLAIN, PLAIN, true, true, ""},
    {SpvOpGroupNonUniformLogicalAnd, "logical_and", TRUTH, TRUTH, true, true, ""},
    {SpvOpGroupNonUniformLogicalOr, "logical_or", TRUTH, TRUTH, true, true, ""},
    {SpvOpGroupNonUniformLogicalXor, "logical_xor", TRUTH, TRUTH, true, true, ""},
};

static const char *form_of(const struct spv_inst *in)
{
    switch (in->v[1]) {
    case SpvGroupOperationReduce:
        return "non_uniform_reduce_";
    case SpvGroupOperationInclusiveScan:
        return "non_uniform_scan_inclusive_";
    case SpvGroupOperationExclusiveScan:
        return "non_uniform_scan_exclusive_";
    case SpvGroupOperationClusteredReduce:
        return "clustered_reduce_";
    default:
        return NULL;
    }
}

static const char *plain_form_of(const struct spv_inst *in)
{
    switch (in->v[1]) {
    case SpvGroupOperationReduce:
        return "reduce_";
    case SpvGroupOperationInclusiveScan:
        return "scan_inclusive_";
    case SpvGroupOperationExclusiveScan:
        return "scan_exclusive_";
    default:
        return NULL;
    }
}

static bool bit_count(struct clike *p, const struct spv_inst *in)
{
    const char *form = in->v[1] == SpvGroupOperationReduce          ? "bit_count"
                       : in->v[1] == SpvGroupOperationInclusiveScan ? "inclusive_scan"
                       : in->v[1] == SpvGroupOperationExclusiveScan ? "exclusive_scan"
                                                                    : NULL;
    if (!form)
        return clike_refuse(p, in, "no function for it");
    clike_result(p, in);
    text_add(p->out, "sub_group_ballot_%s(%s)", form, clike_value(p, in->v[2]));
    clike_end(p);
    return true;
}

bool opencl_group_op(struct clike *p, const struct spv_inst *in)
{
    static const char *const before[] = {[PLAIN] = "", [SIGNED] = "(int)", [TRUTH] = "(int)"};
    static const char *const result[] = {[PLAIN] = "", [SIGNED] = "(uint)", [TRUTH] = "0 != "};
    const bool formed = spv_group_find(in->op)->has_form;
    bool is_bool;
    size_t k = 0;
    if (in->op == SpvOpGroupNonUniformBallotBitCount)
        return bit_count(p, in);
    while (k < sizeof rows / sizeof *rows && rows[k].op != in->op)
        k++;
    const char *form = formed ? form_of(in) : "";
    if (k == sizeof rows / sizeof *rows || !form)
        return clike_refuse(p, in, "no function for it");
    const char *name = rows[k].name;
    if (p->plain && rows[k].plain) {
        form = formed ? plain_form_of(in) : "";
        name = rows[k].plain;
        if (!name[0] || !form)
            return clike_refuse(p, in, "no function for it");
        if (!p->all_here || p->indent > 1 || p->in_header)
            return clike_refuse(p, in, "a part of a subgroup may reach it");
    }
    const uint32_t first = formed ? 2 : 1;
    const uint32_t type = in->n > first ? form_type_of(p->f, in->v[first]) : 0;
    enum value_of takes = rows[k].takes, returns = rows[k].returns;
    if (rows[k].scalar && form_components(p->f, type, &is_bool) != 1)
        return clike_refuse(p, in, "no function for vectors");
    // OpenCL has no group functions of bools: a truth is passed as a number.
    if (takes == PLAIN && type && form_components(p->f, type, &is_bool) == 1 && is_bool) {
        takes = TRUTH;
        returns = TRUTH;
    }
    clike_result(p, in);
    text_add(p->out, "%ssub_group_%s%s(", result[returns], form, name);
    for (uint32_t i = first; i < in->n; i++)
        text_add(p->out, "%s%s%s", i > first ? ", " : "", i > first ? "" : before[takes],
                 clike_value(p, in->v[i]));
    text_add(p->out, ")");
    clike_end(p);
    return true;
}
