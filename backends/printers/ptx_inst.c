// SPDX-License-Identifier: Apache-2.0
//
// Prints one instruction as one or more of PTX, for each component.
#include "ptx.h"

// ---- memory ----------------------------------------------------------------------------

static bool builtin(struct ptx *p, const struct spv_inst *in, const struct form_id *id,
                    uint32_t part)
{
    const uint32_t *size = p->f->size, all = size[0] * size[1] * size[2];
    const char *to = ptx_register(p, in->result, 0);
    struct text *out = p->out;
    if (part != FORM_NONE && part > 2)
        return ptx_refuse(p, in, "a component that the builtin does not have");
    const char axis = (char)('x' + part % 3);
    switch (id->builtin) {
    case SpvBuiltInGlobalInvocationId:
        text_add(out, "  mov.u32 %s, %%ctaid.%c;\n  mad.lo.u32 %s, %s, %u, %%local%u;\n", to, axis,
                 to, to, size[part % 3], part);
        return true;
    case SpvBuiltInLocalInvocationId:
        text_add(out, "  mov.b32 %s, %%local%u;\n", to, part);
        return true;
    case SpvBuiltInWorkgroupId:
        text_add(out, "  mov.u32 %s, %%ctaid.%c;\n", to, axis);
        return true;
    case SpvBuiltInNumWorkgroups:
        text_add(out, "  ld.param.u32 %s, [groups%u];\n", to, part);
        return true;
    case SpvBuiltInLocalInvocationIndex:
        text_add(out, "  mov.b32 %s, %%flat;\n", to);
        return true;
    case SpvBuiltInSubgroupLocalInvocationId:
        text_add(out, "  mov.b32 %s, %%lane;\n", to);
        return true;
    case SpvBuiltInSubgroupId:
        text_add(out, "  shr.u32 %s, %%flat, 5;\n", to);
        return true;
    case SpvBuiltInSubgroupSize:
        text_add(out, "  mov.b32 %s, 32;\n", to);
        return true;
    case SpvBuiltInNumSubgroups:
        text_add(out, "  mov.b32 %s, %u;\n", to, (all + 31) / 32);
        return true;
    default:
        return ptx_refuse(p, in, "a builtin that PTX does not have");
    }
}

// Computes the address of a word of a buffer.
static const char *address(struct ptx *p, uint32_t pointer)
{
    const struct form_id *id = &p->f->id[pointer];
    const char *at = ptx_wide(p);
    const char *word = ptx_temp(p);
    ptx_move(p, false, word, ptx_value(p, id->word, 0));
    text_add(p->out, "  mul.wide.u32 %s, %s, 4;\n  add.s64 %s, %s, %%buffer%u;\n", at, word, at, at,
             id->buffer);
    return at;
}

static bool load(struct ptx *p, const struct spv_inst *in)
{
    const struct form_id *id = &p->f->id[in->v[0]];
    bool is_bool;
    if (id->place == FORM_BUILTIN)
        return p->f->id[in->result].place == FORM_BUILTIN // components are printed at their uses
               || builtin(p, in, id, id->part);
    const uint32_t n = ptx_parts(p, in, in->type, &is_bool);
    if (!n)
        return false;
    if (id->place == FORM_BUFFER && id->word) {
        text_add(p->out, "  ld.global.u32 %s, [%s];\n", ptx_register(p, in->result, 0),
                 address(p, in->v[0]));
        return true;
    }
    if (id->place != FORM_LOCAL && id->place != FORM_PRIVATE)
        return ptx_refuse(p, in, "a pointer to something else than a variable or a buffer's word");
    for (uint32_t k = 0; k < n; k++)
        ptx_move(p, is_bool, ptx_register(p, in->result, k), ptx_register(p, in->v[0], k));
    return true;
}

static bool store(struct ptx *p, const struct spv_inst *in)
{
    const struct form_id *id = &p->f->id[in->v[0]];
    bool is_bool;
    const uint32_t n = ptx_parts(p, in, form_type_of(p->f, in->v[1]), &is_bool);
    if (!n)
        return false;
    if (id->place == FORM_BUFFER && id->word) {
        const char *at = address(p, in->v[0]);
        text_add(p->out, "  st.global.u32 [%s], %s;\n", at, ptx_value(p, in->v[1], 0));
        return true;
    }
    if (id->place != FORM_LOCAL && id->place != FORM_PRIVATE)
        return ptx_refuse(p, in, "a pointer to something else than a variable or a buffer's word");
    for (uint32_t k = 0; k < n; k++)
        ptx_move(p, is_bool, ptx_register(p, in->v[0], k), ptx_value(p, in->v[1], k));
    return true;
}

static bool variable(struct ptx *p, const struct spv_inst *in)
{
    bool is_bool;
    const uint32_t n = ptx_parts(p, in, spv_def(&p->f->m, in->type)->v[1], &is_bool);
    for (uint32_t k = 0; in->n > 1 && k < n; k++)
        ptx_move(p, is_bool, ptx_register(p, in->result, k), ptx_value(p, in->v[1], k));
    return n != 0;
}

// ---- values ----------------------------------------------------------------------------

static bool dynamic(struct ptx *p, const struct spv_inst *in, uint32_t n, bool is_bool)
{
    bool wanted;
    n = form_components(p->f, form_type_of(p->f, in->v[0]), &wanted);
    const char *to = ptx_register(p, in->result, 0);
    ptx_move(p, is_bool, to, ptx_value(p, in->v[0], 0));
    for (uint32_t k = 1; k < n; k++) {
        const char *is = ptx_predicate(p);
        text_add(p->out, "  setp.eq.u32 %s, %s, %u;\n  @%s mov.%s %s, %s;\n", is,
                 ptx_value(p, in->v[1], 0), k, is, is_bool ? "pred" : "b32", to,
                 ptx_value(p, in->v[0], k));
    }
    return true;
}

// Prints component k of a value; false: not such an operation.
static bool component(struct ptx *p, const struct spv_inst *in, uint32_t k, bool is_bool)
{
    const struct form_operator *operator= form_operator(in->op);
    const char *to = ptx_register(p, in->result, k);
    struct text *out = p->out;
#define V(i) ptx_value(p, in->v[i], k)
    if (operator&& operator->ptx) {
        text_add(out, "  %s %s, %s, %s;\n", operator->ptx, to, V(0), V(1));
        return true;
    }
    switch (in->op) {
    case SpvOpLogicalEqual:
        text_add(out, "  xor.pred %s, %s, %s;\n  not.pred %s, %s;\n", to, V(0), V(1), to, to);
        return true;
    case SpvOpNot:
        text_add(out, "  not.b32 %s, %s;\n", to, V(0));
        return true;
    case SpvOpLogicalNot:
        text_add(out, "  not.pred %s, %s;\n", to, V(0));
        return true;
    case SpvOpSNegate:
        text_add(out, "  neg.s32 %s, %s;\n", to, V(0));
        return true;
    case SpvOpBitCount: // of a register only
        ptx_move(p, false, to, V(0));
        text_add(out, "  popc.b32 %s, %s;\n", to, to);
        return true;
    case SpvOpSelect: {
        bool bools;
        const uint32_t n = form_components(p->f, form_type_of(p->f, in->v[0]), &bools);
        const char *c = ptx_value(p, in->v[0], n > 1 ? k : 0);
        if (!is_bool) {
            text_add(out, "  selp.b32 %s, %s, %s, %s;\n", to, V(1), V(2), c);
            return true;
        }
        const char *yes = ptx_predicate(p), *no = ptx_predicate(p);
        text_add(out,
                 "  and.pred %s, %s, %s;\n  not.pred %s, %s;\n  and.pred %s, %s, %s;\n"
                 "  or.pred %s, %s, %s;\n",
                 yes, c, V(1), no, c, no, no, V(2), to, yes, no);
        return true;
    }
    case SpvOpBitcast:
    case SpvOpCopyObject:
        ptx_move(p, is_bool, to, V(0));
        return true;
    case SpvOpCompositeConstruct:
        ptx_move(p, is_bool, to, ptx_value(p, in->v[k], 0));
        return true;
    default:
        return false;
    }
#undef V
}

static bool value(struct ptx *p, const struct spv_inst *in)
{
    bool is_bool;
    const uint32_t n = ptx_parts(p, in, in->type, &is_bool);
    if (!n)
        return false;
    if (in->op == SpvOpCompositeConstruct && in->n != n)
        return ptx_refuse(p, in, "a vector constructed from smaller vectors");
    if (in->op == SpvOpVectorExtractDynamic)
        return dynamic(p, in, n, is_bool);
    if (in->op == SpvOpCompositeExtract) {
        const struct form_id *id = &p->f->id[in->v[0]];
        if (in->n != 2)
            return ptx_refuse(p, in, "a component of a nested composite");
        if (id->place == FORM_BUILTIN)
            return builtin(p, in, id, in->v[1]);
        ptx_move(p, is_bool, ptx_register(p, in->result, 0), ptx_value(p, in->v[0], in->v[1]));
        return true;
    }
    for (uint32_t k = 0; k < n; k++)
        if (!component(p, in, k, is_bool))
            return ptx_refuse(p, in, "not supported");
    return true;
}

bool ptx_inst(struct ptx *p, const struct spv_inst *in)
{
    if (spv_group_find(in->op))
        return ptx_group_op(p, in);
    switch (in->op) {
    case SpvOpNop:
    case SpvOpLine:
    case SpvOpNoLine:
    case SpvOpUndef:
    case SpvOpSelectionMerge:
    case SpvOpLoopMerge:
    case SpvOpPhi: // written by the blocks before
        return true;
    case SpvOpVariable:
        return variable(p, in);
    case SpvOpLoad:
        return load(p, in);
    case SpvOpStore:
        return store(p, in);
    case SpvOpAccessChain:
    case SpvOpInBoundsAccessChain:
        return p->f->id[in->result].place != FORM_ELEMENT ||
               ptx_refuse(p, in, "an array in a local variable");
    case SpvOpFunctionCall:
        return ptx_call(p, in);
    default:
        if (!in->result || !in->type)
            return ptx_refuse(p, in, "not supported");
        return value(p, in);
    }
}
