// SPDX-License-Identifier: Apache-2.0
//
// GLSL only: fragment shaders, atomics, and the extensions that a module uses.
#include "clike.h"

#include <string.h>

// ---- extensions ------------------------------------------------------------------------------

// An extension is used by group operations of a capability, or by an instruction. Rows of one
// extension follow each other.
static const struct {
    const char *extension;
    SpvCapability capability; // SpvCapabilityMax: none
    SpvOp op;                 // SpvOpNop: none
} uses[] = {
    {"GL_KHR_shader_subgroup_basic", SpvCapabilityGroupNonUniform, SpvOpNop},
    {"GL_KHR_shader_subgroup_vote", SpvCapabilityGroupNonUniformVote, SpvOpNop},
    {"GL_KHR_shader_subgroup_vote", SpvCapabilityMax, SpvOpGroupNonUniformQuadAllKHR},
    {"GL_KHR_shader_subgroup_vote", SpvCapabilityMax, SpvOpGroupNonUniformQuadAnyKHR},
    {"GL_KHR_shader_subgroup_ballot", SpvCapabilityGroupNonUniformBallot, SpvOpNop},
    {"GL_KHR_shader_subgroup_arithmetic", SpvCapabilityGroupNonUniformArithmetic, SpvOpNop},
    {"GL_KHR_shader_subgroup_shuffle", SpvCapabilityGroupNonUniformShuffle, SpvOpNop},
    {"GL_KHR_shader_subgroup_shuffle_relative", SpvCapabilityGroupNonUniformShuffleRelative,
     SpvOpNop},
    {"GL_KHR_shader_subgroup_clustered", SpvCapabilityGroupNonUniformClustered, SpvOpNop},
    {"GL_KHR_shader_subgroup_quad", SpvCapabilityGroupNonUniformQuad, SpvOpNop},
    {"GL_EXT_shader_quad_control", SpvCapabilityMax, SpvOpGroupNonUniformQuadAllKHR},
    {"GL_EXT_shader_quad_control", SpvCapabilityMax, SpvOpGroupNonUniformQuadAnyKHR},
    {"GL_EXT_demote_to_helper_invocation", SpvCapabilityMax, SpvOpDemoteToHelperInvocation},
    {"GL_EXT_demote_to_helper_invocation", SpvCapabilityMax, SpvOpIsHelperInvocationEXT},
    {"GL_EXT_terminate_invocation", SpvCapabilityMax, SpvOpTerminateInvocation},
};
enum { USES = sizeof uses / sizeof *uses };

static bool is_used(const struct clike *p, size_t k)
{
    for (uint32_t i = 0; i < p->f->m.inst_count; i++) {
        const struct spv_inst *in = &p->f->m.insts[i];
        const struct spv_group_op *g = spv_group_find(in->op);
        if ((uses[k].op != SpvOpNop && in->op == uses[k].op) ||
            (g && g->has_scope &&
             spv_group_capability(g, spv_group_form(in)).id == uses[k].capability))
            return true;
    }
    return false;
}

// Builtins of subgroups are part of the basic extension.
static bool has_subgroups(const struct clike *p)
{
    for (uint32_t i = 0; i < p->f->m.bound; i++)
        if (p->f->id[i].place == FORM_BUILTIN)
            switch (p->f->id[i].builtin) {
            case SpvBuiltInSubgroupLocalInvocationId:
            case SpvBuiltInSubgroupId:
            case SpvBuiltInSubgroupSize:
            case SpvBuiltInNumSubgroups:
                return true;
            default:
                break;
            }
    return false;
}

static void layout(struct clike *p)
{
    const struct form *f = p->f;
    if (!f->fragment)
        text_add(p->out, "layout(local_size_x = %u, local_size_y = %u, local_size_z = %u) in;\n",
                 f->size[0], f->size[1], f->size[2]);
    text_add(p->out, "%s%s%s", f->full_quads ? "layout(full_quads) in;\n" : "",
             f->quad_derivatives ? "layout(quad_derivatives) in;\n" : "",
             f->early ? "layout(early_fragment_tests) in;\n" : "");
}

void clike_extensions(struct clike *p)
{
    const struct form *f = p->f;
    if (f->maximal)
        text_add(p->out, "#extension GL_EXT_maximal_reconvergence : require\n");
    for (size_t k = 0; k < USES; k++) {
        bool used = k == 0 && has_subgroups(p);
        const char *name = uses[k].extension;
        used |= (f->full_quads || f->quad_derivatives) && strstr(name, "quad_control");
        used |= is_used(p, k);
        while (k + 1 < USES && strcmp(uses[k + 1].extension, name) == 0)
            used |= is_used(p, ++k);
        if (used)
            text_add(p->out, "#extension %s : require\n", name);
    }
    if (f->opaque.n)
        text_add(p->out, "#extension GL_EXT_nonuniform_qualifier : require\n"
                         "#extension GL_EXT_samplerless_texture_functions : require\n");
    if (f->derivatives)
        text_add(p->out,
                 "#extension GL_KHR_compute_shader_derivatives : "
                 "require\nlayout(derivative_group_%sKHR) in;\n",
                 f->derivatives == SpvExecutionModeDerivativeGroupQuadsKHR ? "quads" : "linear");
    layout(p);
}

// ---- instructions ------------------------------------------------------------------------------

// All integers are unsigned here, so signed minima and maxima have no function.
static const struct {
    SpvOp op;
    const char *name;
} atomics[] = {
    {SpvOpAtomicIAdd, "atomicAdd"},
    {SpvOpAtomicUMin, "atomicMin"},
    {SpvOpAtomicUMax, "atomicMax"},
    {SpvOpAtomicAnd, "atomicAnd"},
    {SpvOpAtomicOr, "atomicOr"},
    {SpvOpAtomicXor, "atomicXor"},
    {SpvOpAtomicExchange, "atomicExchange"},
};

// GLSL's atomics have the scope of the device, and order nothing else.
static bool atomic(struct clike *p, const struct spv_inst *in, const char *name)
{
    uint32_t scope, order;
    if (!form_constant(p->f, in->v[1], &scope) || !form_constant(p->f, in->v[2], &order) ||
        scope != SpvScopeDevice || order != 0)
        return clike_refuse(p, in,
                            "an atomic of another scope than the device, or one that orders");
    if (p->f->id[in->v[0]].place != FORM_BUFFER)
        return clike_refuse(p, in, "an atomic that is not on a buffer");
    clike_result(p, in);
    text_add(p->out, "%s(%s, %s)", name, clike_place(p, in->v[0]), clike_value(p, in->v[3]));
    clike_end(p);
    return true;
}

const char *clike_ends(uint32_t op)
{
    return op == SpvOpKill                  ? "discard;"
           : op == SpvOpTerminateInvocation ? "terminateInvocation;"
                                            : NULL;
}

bool clike_draw_op(struct clike *p, const struct spv_inst *in, bool *mine)
{
    *mine = false;
    for (size_t i = 0; i < sizeof atomics / sizeof *atomics; i++)
        if (atomics[i].op == in->op)
            return *mine = atomic(p, in, atomics[i].name);
    const bool draws =
        in->op == SpvOpDemoteToHelperInvocation || in->op == SpvOpIsHelperInvocationEXT;
    if (draws && !p->f->fragment)
        return clike_refuse(p, in, "GLSL has it in fragment shaders alone");
    if (in->op == SpvOpDemoteToHelperInvocation) {
        if (p->in_header)
            return clike_refuse(p, in, "a demotion in the header of a loop");
        clike_line(p, "demote;");
        *mine = true;
    } else if (in->op == SpvOpIsHelperInvocationEXT) {
        clike_result(p, in);
        text_add(p->out, "helperInvocationEXT()");
        clike_end(p);
        *mine = true;
    }
    return true;
}
