// SPDX-License-Identifier: Apache-2.0
//
// A group operation by itself: a program of a dozen lines that executes it, with all lanes or
// without lane 0, on several operands. For a fault of one operation, the plainest operation of its
// kind that fails here identifies the mistake, whatever the reduction ended at: a minimum of 64-bit
// numbers that is wrong as any exclusive scan would be is a wrong exclusive scan.
#include "construct.h"

#include <string.h>

enum { OPERANDS = 4, LANES_MAX_ALONE = 32 };

// Reports whether the operation has plainer relatives: it reads one value of each invocation, not a
// ballot. Those are tried in the order of their family, since one program fits all.
static bool has_plainer(const struct spv_group_op *g)
{
    return g->family && g->operand[0] != SPV_SHAPE_BALLOT && !g->operand[1];
}

// ---- the program --------------------------------------------------------------------------

static void head(const struct diag_alone *q, enum spv_model model, struct text *t)
{
    const struct spv_group_op *g = spv_group_find(q->op);
    const struct spv_group_capability needs[] = {g->capability[0], g->capability[1],
                                                 spv_group_capability(g, q->form)};
    text_add(t, "OpCapability Shader\nOpCapability GroupNonUniform\n");
    SpvCapability have = SpvCapabilityGroupNonUniform;
    for (size_t i = 0; i < sizeof needs / sizeof *needs; i++)
        if (needs[i].name && needs[i].id != have) {
            text_add(t, "OpCapability %s\n", needs[i].name);
            have = i ? have : needs[i].id;
        }
    if (g->extension)
        text_add(t, "OpExtension \"%s\"\n", g->extension);
    if (model == SPV_MAXIMAL)
        text_add(t, "OpExtension \"SPV_KHR_maximal_reconvergence\"\n");
    text_add(
        t,
        "OpMemoryModel Logical GLSL450\nOpEntryPoint GLCompute %%main \"main\" %%lanes %%out\n"
        "OpExecutionMode %%main LocalSize %u 1 1\n%s%s"
        "OpDecorate %%lanes BuiltIn SubgroupLocalInvocationId\nOpDecorate %%words ArrayStride 4\n"
        "OpDecorate %%block Block\nOpMemberDecorate %%block 0 Offset 0\n"
        "OpDecorate %%out DescriptorSet 0\nOpDecorate %%out Binding 0\n",
        q->lanes,
        g->klass == SPV_GROUP_DERIVATIVE ? "OpExecutionMode %main DerivativeGroupLinearKHR\n" : "",
        model == SPV_MAXIMAL ? "OpExecutionMode %main MaximallyReconvergesKHR\n" : "");
    text_add(t,
             "%%void = OpTypeVoid\n%%f = OpTypeFunction %%void\n%%bool = OpTypeBool\n"
             "%%u = OpTypeInt 32 0\n%%float = OpTypeFloat 32\n%%two = OpTypeVector %%u 2\n"
             "%%four = OpTypeVector %%u 4\n%%words = OpTypeRuntimeArray %%u\n%%block = "
             "OpTypeStruct %%words\n"
             "%%pb = OpTypePointer StorageBuffer %%block\n%%pw = OpTypePointer StorageBuffer %%u\n"
             "%%pi = OpTypePointer Input %%u\n%%lanes = OpVariable %%pi Input\n"
             "%%out = OpVariable %%pb StorageBuffer\n%%true = OpConstantTrue %%bool\n");
    for (uint32_t i = 0; i < 5; i++)
        text_add(t, "%%c%u = OpConstant %%u %u\n", i, i);
    text_add(t,
             "%%c31 = OpConstant %%u 31\n%%half = OpConstant %%u %u\n%%last = OpConstant %%u %u\n"
             "%%cluster = OpConstant %%u %u\n",
             q->lanes / 2, q->lanes - 1, q->cluster ? q->cluster : 1);
}

// Appends the operands, for all lanes: %i0 .. words, %b0 .. conditions, %f0 .. numbers, %x0 .. lane
// numbers.
static void operands(struct text *t)
{
    text_add(
        t, "%%main = OpFunction %%void None %%f\n%%start = OpLabel\n%%lane = OpLoad %%u %%lanes\n"
           "%%i0 = OpIAdd %%u %%lane %%c1\n%%i1 = OpCopyObject %%u %%c1\n%%i2 = OpNot %%u %%lane\n"
           "%%sign = OpShiftLeftLogical %%u %%lane %%c31\n%%i3 = OpBitwiseOr %%u %%sign %%i0\n"
           "%%b0 = OpUGreaterThanEqual %%bool %%lane %%c1\n%%b1 = OpULessThan %%bool %%lane %%c1\n"
           "%%b2 = OpCopyObject %%bool %%true\n%%b3 = OpIEqual %%bool %%lane %%last\n"
           "%%f0 = OpConvertUToF %%float %%i0\n%%f1 = OpConvertUToF %%float %%i1\n"
           "%%f2 = OpConvertUToF %%float %%lane\n%%f3 = OpFNegate %%float %%f0\n"
           "%%x0 = OpBitwiseXor %%u %%lane %%c1\n%%x1 = OpBitwiseXor %%u %%lane %%half\n"
           "%%x2 = OpCopyObject %%u %%last\n%%x3 = OpCopyObject %%u %%lane\n");
    for (uint32_t i = 0; i < OPERANDS; i++)
        text_add(t, "%%n%u = OpNot %%u %%i%u\n%%v%u = OpCompositeConstruct %%two %%i%u %%n%u\n", i,
                 i, i, i, i);
}

// Appends the operation on operand number i, with the result %r<i>; *type: of the result, 'u', 'b',
// 'f', '2'. False after the last operand.
static bool operation(const struct diag_alone *q, uint32_t i, struct text *t, char *type)
{
    static const char *const steps[] = {"%c1", "%half", "%c2", "%c0"};
    const struct spv_group_op *g = spv_group_find(q->op);
    const char *name = spv_op_name(q->op);
    const char from = q->vector ? 'v' : 'i';
    *type = q->vector ? '2' : 'u';
    const char *result = q->vector ? "%two" : "%u";
    if (g->klass == SPV_GROUP_REDUCE) {
        const bool ints = g->operand[0] == SPV_SHAPE_INTS,
                   floats = g->operand[0] == SPV_SHAPE_FLOATS;
        *type = ints ? *type : floats ? 'f' : 'b';
        text_add(t, "%%r%u = %s %s %%c3 %s %%%c%u%s\n", i, name,
                 ints     ? result
                 : floats ? "%float"
                          : "%bool",
                 spv_group_form_name(q->form),
                 ints     ? from
                 : floats ? 'f'
                          : 'b',
                 i, q->form == SpvGroupOperationClusteredReduce ? " %cluster" : "");
        return true;
    }
    if (g->klass == SPV_GROUP_DERIVATIVE) {
        *type = 'f';
        text_add(t, "%%r%u = %s %%float %%f%u\n", i, name, i);
        return true;
    }
    if (has_plainer(g)) { // votes, of the subgroup and of quads
        *type = 'b';
        text_add(t, "%%r%u = %s %%bool %s%%b%u\n", i, name, g->has_scope ? "%c3 " : "", i);
        return true;
    }
    switch (q->op) {
    case SpvOpGroupNonUniformElect:
        *type = 'b';
        text_add(t, "%%r%u = %s %%bool %%c3\n", i, name);
        return i == 0;
    case SpvOpGroupNonUniformBallot:
    case SpvOpGroupNonUniformBallotFindLSB:
    case SpvOpGroupNonUniformBallotFindMSB:
    case SpvOpGroupNonUniformBallotBitCount:
        *type = 'u';
        if (i == 1) // an empty ballot has no lowest bit
            return false;
        text_add(t, "%%ballot%u = OpGroupNonUniformBallot %%four %%c3 %%b%u\n", i, i ? i : 2);
        if (q->op == SpvOpGroupNonUniformBallot)
            text_add(t, "%%r%u = OpCompositeExtract %%u %%ballot%u 0\n", i, i);
        else
            text_add(t, "%%r%u = %s %%u %%c3 %s %%ballot%u\n", i, name,
                     g->has_form ? spv_group_form_name(q->form) : "", i);
        return i == 0;
    case SpvOpGroupNonUniformBroadcastFirst:
        text_add(t, "%%r%u = %s %s %%c3 %%%c%u\n", i, name, result, from, i);
        return true;
    case SpvOpGroupNonUniformShuffle:
        text_add(t, "%%r%u = %s %s %%c3 %%%c0 %%x%u\n", i, name, result, from, i);
        return true;
    case SpvOpGroupNonUniformShuffleXor:
    case SpvOpGroupNonUniformShuffleUp:
    case SpvOpGroupNonUniformShuffleDown:
    case SpvOpGroupNonUniformRotateKHR:
        text_add(t, "%%r%u = %s %s %%c3 %%%c0 %s%s\n", i, name, result, from, steps[i],
                 g->has_cluster && q->cluster > 1 ? " %cluster" : "");
        return true;
    case SpvOpGroupNonUniformBroadcast:
        text_add(t, "%%r%u = %s %s %%c3 %%%c0 %s\n", i, name, result, from, i ? "%last" : "%c1");
        return i < 2;
    case SpvOpGroupNonUniformQuadSwap:
    case SpvOpGroupNonUniformQuadBroadcast:
        text_add(t, "%%r%u = %s %s %%c3 %%%c0 %%c%u\n", i, name, result, from, i);
        return i < 3;
    default:
        return false;
    }
}

static void show(uint32_t i, char type, struct text *t)
{
    if (type == 'b')
        text_add(t, "%%w%u = OpSelect %%u %%r%u %%c1 %%c0\n", i, i);
    else if (type == '2') // the second component is lost more easily
        text_add(t, "%%w%u = OpCompositeExtract %%u %%r%u 1\n", i, i);
    else
        text_add(t, "%%w%u = %s %%u %%r%u\n", i, type == 'f' ? "OpBitcast" : "OpCopyObject", i);
    text_add(t,
             "%%at%u = OpIAdd %%u %%row %%c%u\n%%p%u = OpAccessChain %%pw %%out %%c0 %%at%u\n"
             "OpStore %%p%u %%w%u\n",
             i, i, i, i, i, i);
}

bool diag_alone(struct spv_tools *tools, struct arena *a, const struct diag_alone *q,
                enum spv_model model, struct spv_case *out)
{
    struct text t = {.arena = a};
    char type;
    uint32_t n = 0;
    head(q, model, &t);
    operands(&t);
    text_add(&t, "%%row = OpIMul %%u %%lane %%c4\n");
    if (q->part)
        text_add(&t, "OpSelectionMerge %%end None\nOpBranchConditional %%b0 %%most %%end\n%%most = "
                     "OpLabel\n");
    for (bool more = true; more && n < OPERANDS;) {
        size_t before = t.n;
        more = operation(q, n, &t, &type);
        if (t.n == before)
            break;
        show(n++, type, &t);
    }
    if (!n)
        return false;
    text_add(&t, "%sOpReturn\nOpFunctionEnd\n", q->part ? "OpBranch %end\n%end = OpLabel\n" : "");
    *out = (struct spv_case){
        .groups = {1, 1, 1}, .subgroup = q->lanes, .model = model, .buffer_count = 1};
    out->buffer[0] = (struct spv_buffer){.fill = SPV_FILL_ZERO,
                                         .count = OPERANDS * q->lanes,
                                         .words = ARENA_ARRAY(a, uint32_t, OPERANDS * q->lanes)};
    return spv_assemble(tools, a, t.v, t.n, 1, &out->words, &out->count, NULL);
}

// ---- the plan ------------------------------------------------------------------------------

struct diag_op diag_alone_op(const struct diag_alone *q)
{
    const struct spv_group_op *g = spv_group_find(q->op);
    const bool clusters = g->has_form ? q->form == SpvGroupOperationClusteredReduce
                                      : g->has_cluster && q->cluster > 1;
    return (struct diag_op){.opcode = q->op,
                            .has_form = g->has_form,
                            .form = q->form,
                            .vector = q->vector,
                            .cluster = clusters ? q->cluster : 0};
}

// Appends programs of one kind at one place: from the plainest operation to the operation itself.
static void plan_kind(struct arena *a, const struct diag_alone *q, struct diag_plan *p)
{
    const struct spv_group_op *g = spv_group_find(q->op);
    const uint32_t last = g->klass == SPV_GROUP_REDUCE ? q->form : 0;
    struct diag_alone x = *q;
    x.vector = false;
    if (!has_plainer(g))
        *VEC_PUSH(a, p) = x;
    for (uint32_t at = 0; has_plainer(g) && at <= g->rank; at++) {
        x.op = spv_group_member((enum spv_group_family)g->family, at)->opcode;
        for (uint32_t f = 0; f <= last; f++) {
            if (q->form == SpvGroupOperationClusteredReduce && f && f < q->form)
                continue; // scans have no clusters
            x.form = f;
            *VEC_PUSH(a, p) = x;
        }
    }
    if (!q->vector)
        return;
    x = *q;
    x.op = SpvOpGroupNonUniformIAdd;
    x.form = SpvGroupOperationReduce;
    *VEC_PUSH(a, p) = x;
    *VEC_PUSH(a, p) = *q;
}

void diag_alone_plan(struct arena *a, const struct spv_case *c, uint32_t id, bool part,
                     struct diag_plan *out)
{
    struct spv_module m;
    *out = (struct diag_plan){0};
    if (!spv_module_read(a, c->words, c->count, &m, NULL) || id >= m.bound ||
        m.def[id] == UINT32_MAX || c->subgroup < 4 || c->subgroup > LANES_MAX_ALONE)
        return;
    const struct spv_inst *i = &m.insts[m.def[id]];
    const struct spv_inst *type = spv_def(&m, i->type);
    const struct spv_group_op *g = spv_group_find(i->op);
    if (!g || (g->has_form && (i->n < 3 || i->v[1] > SpvGroupOperationClusteredReduce)))
        return;
    struct diag_alone q = {.op = i->op,
                           .form = g->has_form ? i->v[1] : 0,
                           .vector = g->klass != SPV_GROUP_DERIVATIVE && type &&
                                     type->op == SpvOpTypeVector && g->result == SPV_SHAPE_SAME};
    const struct spv_inst *size = spv_def(&m, spv_group_cluster(i));
    q.cluster = size && size->n ? size->v[0] : 1;
    for (uint32_t wide = 0; wide <= (c->subgroup > 4); wide++)
        for (uint32_t p = 0; p <= (part && g->klass != SPV_GROUP_DERIVATIVE);
             p++) { // a derivative needs full quads
            q.lanes = wide ? c->subgroup : 4;
            q.part = p;
            plan_kind(a, &q, out);
        }
}
