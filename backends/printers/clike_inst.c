// SPDX-License-Identifier: Apache-2.0
//
// Prints one instruction as one statement of HLSL, GLSL, WGSL or OpenCL C.
#include "clike.h"

static bool builtin(struct clike *p, const struct spv_inst *in, const struct form_id *id,
                    uint32_t part)
{
    static const struct {
        SpvBuiltIn which;
        bool vector;
        const char *hlsl, *glsl;
    } table[] = {
        {SpvBuiltInGlobalInvocationId, true, "__builtin_spirv_global_invocation_id",
         "gl_GlobalInvocationID"},
        {SpvBuiltInLocalInvocationId, true, "__builtin_spirv_local_invocation_id",
         "gl_LocalInvocationID"},
        {SpvBuiltInWorkgroupId, true, "__builtin_spirv_workgroup_id", "gl_WorkGroupID"},
        {SpvBuiltInNumWorkgroups, true, "__builtin_spirv_num_workgroups", "gl_NumWorkGroups"},
        {SpvBuiltInLocalInvocationIndex, false, NULL, "gl_LocalInvocationIndex"},
        {SpvBuiltInSubgroupLocalInvocationId, false, "__builtin_spirv_subgroup_local_invocation_id",
         "gl_SubgroupInvocationID"},
        {SpvBuiltInSubgroupId, false, "__builtin_spirv_subgroup_id", "gl_SubgroupID"},
        {SpvBuiltInSubgroupSize, false, "__builtin_spirv_subgroup_size", "gl_SubgroupSize"},
        {SpvBuiltInNumSubgroups, false, "__builtin_spirv_num_subgroups", "gl_NumSubgroups"},
        {SpvBuiltInFragCoord, false, NULL, "gl_FragCoord"},
        {SpvBuiltInFragCoord, true, NULL, "gl_FragCoord"},
        {SpvBuiltInHelperInvocation, false, NULL, "gl_HelperInvocation"},
        {SpvBuiltInFrontFacing, false, NULL, "gl_FrontFacing"},
    };
    if (p->to == CLIKE_OPENCL) {
        const char *expression = opencl_builtin(p, id->builtin, part);
        if (!expression)
            return clike_refuse(p, in, "a builtin without a name here");
        clike_result(p, in);
        text_add(p->out, "%s", expression);
        clike_end(p);
        return true;
    }
    const char *wgsl = p->to == CLIKE_WGSL ? wgsl_builtin(id->builtin) : NULL;
    if (wgsl) {
        clike_result(p, in);
        text_add(p->out, part != FORM_NONE ? "%s.%c" : "%s", wgsl, "xyzw"[part & 3]);
        clike_end(p);
        return true;
    }
    for (size_t i = 0; i < sizeof table / sizeof *table && p->to != CLIKE_WGSL; i++) {
        if (table[i].which != (SpvBuiltIn)id->builtin || table[i].vector != (part != FORM_NONE))
            continue;
        const bool hlsl = p->to == CLIKE_HLSL;
        const char *name = hlsl ? table[i].hlsl : table[i].glsl;
        if (p->plain &&
            (id->builtin == SpvBuiltInNumWorkgroups || id->builtin == SpvBuiltInNumSubgroups))
            return clike_refuse(p, in, "HLSL has no such builtin");
        clike_result(p, in);
        if (!name && p->f->size[1] == 1 && p->f->size[2] == 1) // one row of invocations
            text_add(p->out, "__builtin_spirv_local_invocation_id(0)");
        else if (!name)
            break;
        else if (hlsl && part != FORM_NONE)
            text_add(p->out, "%s(%u)", name, part);
        else if (hlsl)
            text_add(p->out, "%s()", name);
        else if (part != FORM_NONE)
            text_add(p->out, "%s.%c", name, "xyzw"[part & 3]);
        else
            text_add(p->out, "%s", name);
        clike_end(p);
        return true;
    }
    return clike_refuse(p, in, "a builtin without a name here");
}

const char *clike_place(const struct clike *p, uint32_t pointer)
{
    const struct form_id *id = &p->f->id[pointer];
    if (id->place == FORM_ELEMENT) {
        const char *array = clike_value(p, id->buffer);
        return arena_printf(p->f->arena, "%s[%s]", array, clike_value(p, id->word));
    }
    if (id->place != FORM_BUFFER)
        return clike_value(p, pointer);
    return arena_printf(p->f->arena, "%s_b[%s]", p->f->buffers.v[id->buffer].name,
                        clike_value(p, id->word));
}

static bool load(struct clike *p, const struct spv_inst *in)
{
    const struct form_id *id = &p->f->id[in->v[0]];
    if (id->place == FORM_BUILTIN)
        return p->f->id[in->result].place == FORM_BUILTIN // components are printed at their uses
               || builtin(p, in, id, id->part);
    clike_result(p, in);
    text_add(p->out, "%s", clike_place(p, in->v[0]));
    clike_end(p);
    return true;
}

static void select(struct clike *p, const char *test, const char *yes, const char *no)
{
    if (p->to == CLIKE_WGSL)
        text_add(p->out, "select(%s, %s, %s)", no, yes, test);
    else
        text_add(p->out, "%s ? %s : %s", test, yes, no);
}

// Converts between integers, which are all unsigned, and floats. NULL: in->op is not a conversion.
static const char *converted(struct clike *p, const struct spv_inst *in, const char *a)
{
    const char *type = clike_type(p, in->type);
    const uint32_t from = form_floats(p->f, form_type_of(p->f, in->v[0])),
                   to = form_floats(p->f, in->type);
    const uint32_t n = from > to ? from : to;
    const char *as_signed = n == 1 ? "int" : arena_printf(p->f->arena, "ivec%u", n);
    switch (in->op) {
    case SpvOpBitcast:
        return !from == !to ? a
                            : arena_printf(p->f->arena,
                                           to ? "uintBitsToFloat(%s)" : "floatBitsToUint(%s)", a);
    case SpvOpConvertUToF:
    case SpvOpConvertFToU:
        return arena_printf(p->f->arena, "%s(%s)", type, a);
    case SpvOpConvertSToF:
    case SpvOpConvertFToS:
        return arena_printf(p->f->arena, "%s(%s(%s))", type, as_signed, a);
    case SpvOpFNegate:
        return arena_printf(p->f->arena, "-(%s)", a);
    default:
        return NULL;
    }
}

static bool value(struct clike *p, const struct spv_inst *in)
{
    const char *a = in->n > 0 ? clike_value(p, in->v[0]) : "";
    const char *b = in->n > 1 ? clike_value(p, in->v[1]) : "";
    bool is_bool;
    const uint32_t ints = form_components(p->f, in->type, &is_bool),
                   parts = ints ? ints : form_floats(p->f, in->type);
    const char *other = p->to == CLIKE_GLSL && in->n == 1 ? converted(p, in, a) : NULL;
    const struct form_operator *operator= form_operator(in->op);
    uint32_t left, right;
    if (p->to == CLIKE_WGSL && in->op == SpvOpShiftLeftLogical &&
        form_constant(p->f, in->v[0], &left) && form_constant(p->f, in->v[1], &right)) {
        // A shift of two constants must not lose bits (WGSL, "Bit Expressions").
        clike_result(p, in);
        text_add(p->out, "%s", a);
        clike_end(p);
        a = clike_value(p, in->result);
    }
    clike_result(p, in);
    if (operator&& operator->sign &&(parts == 1 || !operator->scalar))
        text_add(p->out, "%s %s %s", a, operator->sign, b);
    else if (other)
        text_add(p->out, "%s", other);
    else if (in->op == SpvOpNot)
        text_add(p->out, "~%s", a);
    else if (in->op == SpvOpLogicalNot && parts == 1)
        text_add(p->out, "!%s", a);
    else if (in->op == SpvOpSelect && form_type_of(p->f, in->v[0]) &&
             form_components(p->f, form_type_of(p->f, in->v[0]), &is_bool) == 1 && parts == 1)
        select(p, a, b, clike_value(p, in->v[2]));
    else if (in->op == SpvOpBitCount)
        text_add(p->out,
                 p->to == CLIKE_HLSL     ? "__builtin_elementwise_popcount(%s)"
                 : p->to == CLIKE_WGSL   ? "countOneBits(%s)"
                 : p->to == CLIKE_OPENCL ? "popcount(%s)"
                                         : "uint(bitCount(%s))",
                 a);
    else if (in->op == SpvOpCopyObject || in->op == SpvOpBitcast) // all integers are unsigned
        text_add(p->out, "%s", a);
    else if (in->op == SpvOpVectorExtractDynamic && p->to != CLIKE_OPENCL)
        text_add(p->out, "%s[%s]", a, b);
    else
        return clike_refuse(p, in, "not supported");
    clike_end(p);
    return true;
}

static bool call(struct clike *p, const struct spv_inst *in)
{
    if (spv_def(&p->f->m, in->type)->op == SpvOpTypeVoid)
        clike_begin(p);
    else
        clike_result(p, in);
    const bool by_struct = p->to == CLIKE_OPENCL;
    text_add(p->out, by_struct ? "%s(tf" : "%s(", clike_value(p, in->v[0]));
    for (uint32_t i = 1; i < in->n; i++)
        text_add(p->out, "%s%s", i > 1 || by_struct ? ", " : "", clike_value(p, in->v[i]));
    text_add(p->out, ")");
    clike_end(p);
    return true;
}

static bool extract(struct clike *p, const struct spv_inst *in)
{
    const struct form_id *id = &p->f->id[in->v[0]];
    if (in->n != 2)
        return clike_refuse(p, in, "a component of a nested composite");
    if (id->place == FORM_BUILTIN)
        return builtin(p, in, id, in->v[1]);
    clike_result(p, in);
    text_add(p->out, "%s.%c", clike_value(p, in->v[0]), "xyzw"[in->v[1] & 3]);
    clike_end(p);
    return true;
}

bool clike_inst(struct clike *p, const struct spv_inst *in)
{
    bool mine = false;
    if (p->to == CLIKE_GLSL && (!clike_image_op(p, in, &mine) || mine))
        return mine;
    if (p->to == CLIKE_GLSL && (!clike_draw_op(p, in, &mine) || mine))
        return mine;
    switch (in->op) {
    case SpvOpNop:
    case SpvOpLine:
    case SpvOpNoLine:
    case SpvOpUndef:
    case SpvOpSelectionMerge:
    case SpvOpLoopMerge:
    case SpvOpAccessChain: // printed at its uses
    case SpvOpInBoundsAccessChain:
        return true;
    case SpvOpVariable:
        if (in->n > 1) {
            clike_result(p, in);
            text_add(p->out, "%s", clike_value(p, in->v[1]));
            clike_end(p);
        }
        return true;
    case SpvOpPhi:
        clike_result(p, in);
        text_add(p->out, "%s", clike_phi(p, in->result));
        clike_end(p);
        return true;
    case SpvOpLoad:
        return load(p, in);
    case SpvOpStore:
        clike_begin(p);
        text_add(p->out, "%s = %s", clike_place(p, in->v[0]), clike_value(p, in->v[1]));
        clike_end(p);
        return true;
    case SpvOpCompositeExtract:
        return extract(p, in);
    case SpvOpCompositeConstruct:
        if (!clike_type(p, in->type))
            return clike_refuse(p, in, "a type that is neither bool nor a 32-bit integer");
        clike_result(p, in);
        text_add(p->out, "%s(", clike_vector(p, in->type));
        for (uint32_t i = 0; i < in->n; i++)
            text_add(p->out, "%s%s", i ? ", " : "", clike_value(p, in->v[i]));
        text_add(p->out, ")");
        clike_end(p);
        return true;
    case SpvOpFunctionCall:
        return call(p, in);
    default:
        if (spv_group_find(in->op))
            return clike_group_op(p, in);
        if (!in->result || !in->type)
            return clike_refuse(p, in, "not supported");
        return value(p, in);
    }
}
