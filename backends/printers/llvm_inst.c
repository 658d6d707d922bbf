// SPDX-License-Identifier: Apache-2.0
//
// Prints one instruction as one or more lines of LLVM IR.
#include "llvm.h"

// Returns "i32 %x7".
static const char *typed(const struct llvm *p, uint32_t id)
{
    return arena_printf(p->f->arena, "%s %s", llvm_type(p, form_type_of(p->f, id)),
                        llvm_value(p, id));
}

// ---- memory ----------------------------------------------------------------------------

// Prints one component of a builtin, or a scalar one.
static bool builtin(struct llvm *p, const struct spv_inst *in, const struct form_id *id,
                    uint32_t part)
{
    static const struct {
        SpvBuiltIn which;
        bool vector;
        const char *name;
    } table[] = {
        {SpvBuiltInGlobalInvocationId, true, "thread.id.i32"},
        {SpvBuiltInLocalInvocationId, true, "thread.id.in.group.i32"},
        {SpvBuiltInWorkgroupId, true, "group.id.i32"},
        {SpvBuiltInNumWorkgroups, true, "num.workgroups.i32"},
        {SpvBuiltInLocalInvocationIndex, false, "flattened.thread.id.in.group"},
        {SpvBuiltInSubgroupLocalInvocationId, false, "subgroup.local.invocation.id"},
        {SpvBuiltInSubgroupId, false, "subgroup.id"},
        {SpvBuiltInSubgroupSize, false, "subgroup.size"},
        {SpvBuiltInNumSubgroups, false, "num.subgroups"},
    };
    for (size_t i = 0; i < sizeof table / sizeof *table; i++)
        if (table[i].which == (SpvBuiltIn)id->builtin && table[i].vector == (part != FORM_NONE)) {
            text_add(p->out, "  %s = call i32 %s(", llvm_value(p, in->result),
                     llvm_intrinsic(p, table[i].name));
            if (part != FORM_NONE)
                text_add(p->out, "i32 %u", part);
            text_add(p->out, ")\n");
            return true;
        }
    return llvm_refuse(p, in, "a builtin without an intrinsic");
}

static const char *space(const struct llvm *p, uint32_t pointer)
{
    const uint8_t place = p->f->id[pointer].place;
    if (p->dialect != LLVM_SPIRV)
        return place == FORM_BUFFER || place == FORM_PRIVATE ? " addrspace(1)"
               : p->dialect == LLVM_AMDGCN                   ? " addrspace(5)"
                                                             : "";
    return place == FORM_BUFFER ? " addrspace(11)" : place == FORM_PRIVATE ? " addrspace(10)" : "";
}

static bool load(struct llvm *p, const struct spv_inst *in)
{
    const struct form_id *id = &p->f->id[in->v[0]];
    const char *type = llvm_type(p, in->type);
    if (!type)
        return llvm_refuse(p, in, "a type that is neither bool nor a 32-bit integer");
    if (id->place == FORM_BUILTIN)
        return p->f->id[in->result].place == FORM_BUILTIN // components are printed at their uses
               || builtin(p, in, id, id->part);
    text_add(p->out, "  %s = load %s, ptr%s %s, align 4\n", llvm_value(p, in->result), type,
             space(p, in->v[0]), llvm_value(p, in->v[0]));
    return true;
}

static void store(struct llvm *p, const struct spv_inst *in)
{
    text_add(p->out, "  store %s, ptr%s %s, align 4\n", typed(p, in->v[1]), space(p, in->v[0]),
             llvm_value(p, in->v[0]));
}

static bool variable(struct llvm *p, const struct spv_inst *in)
{
    const uint32_t of = spv_def(&p->f->m, in->type)->v[1], length = form_array(p->f, of);
    const char *type = length ? arena_printf(p->f->arena, "[%u x i32]", length) : llvm_type(p, of);
    const char *name = llvm_value(p, in->result);
    if (!type)
        return llvm_refuse(p, in, "a type that is neither bool nor a 32-bit integer");
    text_add(p->out, "  %s = alloca %s, align 4%s\n", name, type,
             p->dialect == LLVM_AMDGCN ? ", addrspace(5)" : "");
    if (in->n > 1)
        text_add(p->out, "  store %s, ptr%s %s, align 4\n", typed(p, in->v[1]),
                 space(p, in->result), name);
    return true;
}

static void chain(struct llvm *p, const struct spv_inst *in)
{
    const struct form_id *id = &p->f->id[in->result];
    if (id->place == FORM_ELEMENT)
        text_add(p->out, "  %s = getelementptr i32, ptr%s %s, i32 %s\n", llvm_value(p, in->result),
                 space(p, id->buffer), llvm_value(p, id->buffer), llvm_value(p, id->word));
    if (id->place != FORM_BUFFER)
        return;
    const struct form_buffer *b = &p->f->buffers.v[id->buffer];
    if (p->dialect != LLVM_SPIRV) {
        text_add(p->out, "  %s = getelementptr i32, ptr addrspace(1) @buffer.%s, i32 %s\n",
                 llvm_value(p, in->result), b->name, llvm_value(p, id->word));
        return;
    }
    text_add(p->out,
             "  %s = call ptr addrspace(11) @llvm.spv.resource.getpointer.p11."
             "tspirv.VulkanBuffer_a%ui32_12_%dt(target(\"spirv.VulkanBuffer\", [%u x i32], 12, %d) "
             "%%%s, i32 %s)%s\n",
             llvm_value(p, in->result), b->length, !b->read_only, b->length, !b->read_only, b->name,
             llvm_value(p, id->word), llvm_bundle(p));
}

// ---- values ----------------------------------------------------------------------------

static bool extract(struct llvm *p, const struct spv_inst *in)
{
    const struct form_id *id = &p->f->id[in->v[0]];
    if (in->n != 2)
        return llvm_refuse(p, in, "a component of a nested composite");
    if (id->place == FORM_BUILTIN)
        return builtin(p, in, id, in->v[1]);
    text_add(p->out, "  %s = extractelement %s, i64 %u\n", llvm_value(p, in->result),
             typed(p, in->v[0]), in->v[1]);
    return true;
}

static bool construct(struct llvm *p, const struct spv_inst *in)
{
    bool is_bool;
    const char *type = llvm_type(p, in->type), *last = "poison";
    if (form_components(p->f, in->type, &is_bool) != in->n)
        return llvm_refuse(p, in, "a vector constructed from smaller vectors");
    for (uint32_t i = 0; i < in->n; i++) {
        const char *to = i + 1 == in->n ? llvm_value(p, in->result) : llvm_temp(p);
        text_add(p->out, "  %s = insertelement %s %s, %s, i64 %u\n", to, type, last,
                 typed(p, in->v[i]), i);
        last = to;
    }
    return true;
}

static bool call(struct llvm *p, const struct spv_inst *in)
{
    const bool nothing = spv_def(&p->f->m, in->type)->op == SpvOpTypeVoid;
    text_add(p->out, "  ");
    if (!nothing)
        text_add(p->out, "%s = ", llvm_value(p, in->result));
    text_add(p->out, "call %s @%s(", nothing ? "void" : llvm_type(p, in->type),
             llvm_value(p, in->v[0]));
    for (uint32_t i = 1; i < in->n; i++) {
        if (!llvm_type(p, form_type_of(p->f, in->v[i])))
            return llvm_refuse(p, in, "an argument that is neither bool nor a 32-bit integer");
        text_add(p->out, "%s%s", i > 1 ? ", " : "", typed(p, in->v[i]));
    }
    text_add(p->out, ")%s\n", llvm_bundle(p));
    return true;
}

// Returns the number of edges from the block `from` to the current one: a switch may have several.
static uint32_t edges_from(const struct llvm *p, uint32_t from)
{
    const struct spv_module *m = &p->f->m;
    const struct spv_inst *end = &m->insts[m->blocks[m->block_of[from]].last];
    const uint32_t to = m->blocks[p->block].label;
    const uint32_t step = end->op == SpvOpSwitch ? 2 : 1;
    uint32_t n = 0;
    for (uint32_t i = end->op == SpvOpBranch ? 0 : 1; i < end->n; i += step)
        n += end->v[i] == to && (end->op != SpvOpBranchConditional || i < 3);
    return n;
}

// LLVM IR wants one value for each edge, SPIR-V one for each block before.
static bool phi(struct llvm *p, const struct spv_inst *in)
{
    const char *type = llvm_type(p, in->type);
    if (!type)
        return llvm_refuse(p, in, "a type that is neither bool nor a 32-bit integer");
    text_add(p->out, "  %s = phi %s", llvm_value(p, in->result), type);
    const char *gap = " ";
    for (uint32_t i = 0; i + 1 < in->n; i += 2)
        for (uint32_t n = edges_from(p, in->v[i + 1]); n > 0; n--, gap = ", ")
            text_add(p->out, "%s[ %s, %%b%u ]", gap, llvm_value(p, in->v[i]), in->v[i + 1]);
    text_add(p->out, "\n");
    return true;
}

static bool value(struct llvm *p, const struct spv_inst *in)
{
    const char *to = llvm_value(p, in->result), *type = llvm_type(p, in->type);
    const struct form_operator *operator= form_operator(in->op);
    if (!type)
        return llvm_refuse(p, in, "a type that is neither bool nor a 32-bit integer");
    if (operator&& operator->llvm) {
        text_add(p->out, "  %s = %s %s, %s\n", to, operator->llvm, typed(p, in->v[0]),
                 llvm_value(p, in->v[1]));
        return true;
    }
    switch (in->op) {
    case SpvOpNot:
        text_add(p->out, "  %s = xor %s, %s\n", to, typed(p, in->v[0]),
                 type[0] == '<' ? "splat (i32 -1)" : "-1");
        return true;
    case SpvOpLogicalNot:
        text_add(p->out, "  %s = xor %s, %s\n", to, typed(p, in->v[0]),
                 type[0] == '<' ? "splat (i1 true)" : "true");
        return true;
    case SpvOpSNegate:
        text_add(p->out, "  %s = sub %s %s, %s\n", to, type,
                 type[0] == '<' ? "zeroinitializer" : "0", llvm_value(p, in->v[0]));
        return true;
    case SpvOpSelect:
        text_add(p->out, "  %s = select %s, %s, %s\n", to, typed(p, in->v[0]), typed(p, in->v[1]),
                 typed(p, in->v[2]));
        return true;
    case SpvOpBitCount:
        text_add(p->out, "  %s = call %s @llvm.ctpop.%s(%s)\n", to, type, llvm_mangle(p, in->type),
                 typed(p, in->v[0]));
        return true;
    case SpvOpBitcast: // signed and unsigned are one type
    case SpvOpCopyObject:
        text_add(p->out, "  %s = bitcast %s to %s\n", to, typed(p, in->v[0]), type);
        return true;
    case SpvOpVectorExtractDynamic:
        text_add(p->out, "  %s = extractelement %s, %s\n", to, typed(p, in->v[0]),
                 typed(p, in->v[1]));
        return true;
    default:
        return llvm_refuse(p, in, "not supported");
    }
}

bool llvm_inst(struct llvm *p, const struct spv_inst *in)
{
    if (spv_group_find(in->op))
        return llvm_group_op(p, in);
    switch (in->op) {
    case SpvOpNop:
    case SpvOpLine:
    case SpvOpNoLine:
    case SpvOpUndef:
    case SpvOpSelectionMerge: // LLVM derives the merge blocks itself
    case SpvOpLoopMerge:      // the block has its heart already
        return true;
    case SpvOpVariable:
        return variable(p, in);
    case SpvOpLoad:
        return load(p, in);
    case SpvOpStore:
        store(p, in);
        return true;
    case SpvOpAccessChain:
    case SpvOpInBoundsAccessChain:
        chain(p, in);
        return true;
    case SpvOpCompositeExtract:
        return extract(p, in);
    case SpvOpCompositeConstruct:
        return construct(p, in);
    case SpvOpFunctionCall:
        return call(p, in);
    case SpvOpPhi:
        return phi(p, in);
    default:
        if (!in->result || !in->type)
            return llvm_refuse(p, in, "not supported");
        return value(p, in);
    }
}
