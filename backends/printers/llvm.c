// SPDX-License-Identifier: Apache-2.0
//
// LLVM IR with convergence tokens. Every function has an entry token. Every loop header has a heart
// with the token of the enclosing loop. Every convergent call uses the token of its innermost loop,
// also in blocks that leave the loop (L1 to L4). A bare module has no tokens: its calls are
// convergent by the attributes of what they call, as most front ends write them (L6).
#include "llvm.h"

#include "print_inner.h"

#include <ctype.h>
#include <string.h>

bool llvm_refuse(const struct llvm *p, const struct spv_inst *in, const char *why)
{
    return form_refuse(p->f, in->result,
                       arena_printf(p->f->arena, "%s: %s", spv_op_name(in->op), why), p->e);
}

const char *llvm_type(const struct llvm *p, uint32_t type)
{
    bool is_bool;
    uint32_t n = form_components(p->f, type, &is_bool);
    if (!n)
        return NULL;
    return n == 1 ? (is_bool ? "i1" : "i32")
                  : arena_printf(p->f->arena, "<%u x %s>", n, is_bool ? "i1" : "i32");
}

const char *llvm_mangle(const struct llvm *p, uint32_t type)
{
    bool is_bool;
    uint32_t n = form_components(p->f, type, &is_bool);
    const char *scalar = is_bool ? "i1" : "i32";
    return n == 1 ? scalar : arena_printf(p->f->arena, "v%u%s", n, scalar);
}

// Formats a constant composite: "<i32 1, i32 2>".
static const char *composite(const struct llvm *p, const struct spv_inst *d)
{
    struct text t = {.arena = p->f->arena};
    for (uint32_t i = 0; i < d->n; i++)
        text_add(&t, "%s%s %s", i ? ", " : "<", llvm_type(p, form_type_of(p->f, d->v[i])),
                 llvm_value(p, d->v[i]));
    text_add(&t, ">");
    return t.v;
}

const char *llvm_value(const struct llvm *p, uint32_t id)
{
    const struct spv_inst *d = spv_def(&p->f->m, id);
    struct arena *a = p->f->arena;
    uint32_t n;
    bool is_bool;
    if (form_constant(p->f, id, &n)) {
        form_components(p->f, d->type, &is_bool);
        return is_bool ? (n ? "true" : "false") : arena_printf(a, "%u", n);
    }
    if (d && d->op == SpvOpConstantComposite)
        return composite(p, d);
    if (d && d->op == SpvOpConstantNull)
        return "zeroinitializer";
    if (d && d->op == SpvOpUndef)
        return "undef";
    if (d && d->op == SpvOpFunction)
        return id == p->f->entry   ? "main"
               : p->f->id[id].name ? arena_printf(a, "%s.%u", p->f->id[id].name, id)
                                   : arena_printf(a, "x%u", id);
    const char sign = p->f->id[id].place == FORM_PRIVATE && p->dialect == LLVM_SPIRV ? '@' : '%';
    if (d && d->op == SpvOpVariable && p->f->id[id].name)
        return arena_printf(a, "%c%s.%u", sign, p->f->id[id].name, id);
    return arena_printf(a, "%cx%u", sign, id);
}

const char *llvm_intrinsic(struct llvm *p, const char *name)
{
    if (p->dialect == LLVM_SPIRV)
        return arena_printf(p->f->arena, "@llvm.spv.%s", name);
    for (size_t i = 0; i < p->wanted.n; i++)
        if (strcmp(p->wanted.v[i], name) == 0)
            return arena_printf(p->f->arena, "@tf.%s", name);
    *VEC_PUSH(p->f->arena, &p->wanted) = name;
    return arena_printf(p->f->arena, "@tf.%s", name);
}

const char *llvm_temp(struct llvm *p)
{
    return arena_printf(p->f->arena, "%%n%u", p->temps++);
}

static const char *token(const struct llvm *p, uint32_t header)
{
    return header == FORM_NONE ? "%t"
                               : arena_printf(p->f->arena, "%%t%u", p->f->m.blocks[header].label);
}

const char *llvm_bundle(const struct llvm *p)
{
    if (p->bare)
        return "";
    return arena_printf(p->f->arena, " [ \"convergencectrl\"(token %s) ]",
                        token(p, p->f->loop_of[p->block]));
}

// ---- control flow --------------------------------------------------------------------

// Returns `, !llvm.loop !3` for a back edge whose loop has a control.
static const char *loop_note(struct llvm *p, const struct spv_inst *in)
{
    const struct form *f = p->f;
    const uint32_t header = f->loop_of[p->block];
    if (header == FORM_NONE)
        return "";
    const struct spv_inst *merge = &f->m.insts[f->m.blocks[header].merge];
    const uint32_t label = f->m.blocks[header].label, control = merge->v[2];
    bool back = false;
    for (uint32_t i = in->op == SpvOpBranch ? 0 : 1; i < 3 && i < in->n; i++)
        back |= in->v[i] == label;
    const char *word = control & SpvLoopControlUnrollMask       ? "enable"
                       : control & SpvLoopControlDontUnrollMask ? "disable"
                                                                : NULL;
    if (!back || !word)
        return "";
    uint32_t n = p->unrolls;
    p->unrolls += 2;
    text_add(&p->nodes, "!%u = distinct !{!%u, !%u}\n!%u = !{!\"llvm.loop.unroll.%s\"}\n", n, n,
             n + 1, n + 1, word);
    return arena_printf(f->arena, ", !llvm.loop !%u", n);
}

static bool terminator(struct llvm *p, const struct spv_inst *in)
{
    const struct form *f = p->f;
    switch (in->op) {
    case SpvOpBranch:
        text_add(p->out, "  br label %%b%u%s\n", in->v[0], loop_note(p, in));
        return true;
    case SpvOpBranchConditional:
        text_add(p->out, "  br i1 %s, label %%b%u, label %%b%u%s\n", llvm_value(p, in->v[0]),
                 in->v[1], in->v[2], loop_note(p, in));
        return true;
    case SpvOpSwitch:
        text_add(p->out, "  switch i32 %s, label %%b%u [", llvm_value(p, in->v[0]), in->v[1]);
        for (uint32_t i = 2; i + 1 < in->n; i += 2)
            text_add(p->out, " i32 %u, label %%b%u", in->v[i], in->v[i + 1]);
        text_add(p->out, " ]\n");
        return true;
    case SpvOpReturn:
        text_add(p->out, "  ret void\n");
        return true;
    case SpvOpReturnValue:
        text_add(p->out, "  ret %s %s\n", llvm_type(p, form_type_of(f, in->v[0])),
                 llvm_value(p, in->v[0]));
        return true;
    case SpvOpUnreachable:
        text_add(p->out, "  unreachable\n");
        return true;
    default:
        return llvm_refuse(p, in, "a terminator that LLVM IR does not have");
    }
}

static void handles(struct llvm *p)
{
    for (size_t i = 0; i < p->f->buffers.n; i++) {
        const struct form_buffer *b = &p->f->buffers.v[i];
        text_add(p->out,
                 "  %%%s = call target(\"spirv.VulkanBuffer\", [%u x i32], 12, %d) "
                 "@llvm.spv.resource.handlefrombinding.tspirv.VulkanBuffer_a%ui32_12_%dt(i32 %u, "
                 "i32 %u, i32 1, i32 0, ptr @.%s)\n",
                 b->name, b->length, !b->read_only, b->length, !b->read_only, b->set, b->binding,
                 b->name);
    }
}

static bool block(struct llvm *p, bool first, bool main)
{
    const struct form *f = p->f;
    const struct spv_block *b = &f->m.blocks[p->block];
    const bool header = b->merge && f->m.insts[b->merge].op == SpvOpLoopMerge;
    text_add(p->out, "b%u:\n", b->label);
    uint32_t i = b->first + 1;
    while (i < b->last && f->m.insts[i].op == SpvOpPhi)
        if (!llvm_inst(p, &f->m.insts[i++]))
            return false;
    if (first) {
        if (!p->bare)
            text_add(p->out, "  %%t = call token @llvm.experimental.convergence.entry()\n");
        if (p->dialect == LLVM_SPIRV)
            handles(p);
        else
            llvm_target_enter(p, main);
    } else if (!p->bare && header && f->loop_of[p->block] == p->block) {
        text_add(p->out,
                 "  %s = call token @llvm.experimental.convergence.loop() [ "
                 "\"convergencectrl\"(token %s) ]\n",
                 token(p, p->block), token(p, f->loop_around[p->block]));
    }
    for (; i < b->last; i++)
        if (!llvm_inst(p, &f->m.insts[i]))
            return false;
    return terminator(p, &f->m.insts[b->last]);
}

// ---- functions -----------------------------------------------------------------------

static bool function(struct llvm *p, const struct spv_function *fn)
{
    const struct spv_module *m = &p->f->m;
    const struct spv_inst *in = &m->insts[fn->first];
    const bool main = fn->id == p->f->entry;
    const struct spv_inst *result = spv_def(m, in->type);
    const char *type = result->op == SpvOpTypeVoid ? "void" : llvm_type(p, in->type);
    if (!type)
        return llvm_refuse(p, in, "a result that is neither bool nor a 32-bit integer");
    static const char *const entry[] = {"", "amdgpu_kernel ", "ptx_kernel "};
    text_add(p->out, "\ndefine %s%s @%s(", main ? entry[p->dialect] : "internal ", type,
             llvm_value(p, fn->id));
    const char *gap = "";
    for (uint32_t i = fn->first + 1; m->insts[i].op == SpvOpFunctionParameter; i++) {
        const char *of = llvm_type(p, m->insts[i].type);
        if (!of)
            return llvm_refuse(p, &m->insts[i],
                               "a parameter that is neither bool nor a 32-bit integer");
        text_add(p->out, "%s%s %s", gap, of, llvm_value(p, m->insts[i].result));
        gap = ", ";
    }
    text_add(p->out, ") #%d%s {\n", main ? 0 : 1,
             in->v[0] & SpvFunctionControlInlineMask       ? " alwaysinline"
             : in->v[0] & SpvFunctionControlDontInlineMask ? " noinline"
                                                           : "");
    for (uint32_t b = 0; b < fn->block_count; b++) {
        p->block = fn->block_first + b;
        if (!block(p, b == 0, main))
            return false;
    }
    text_add(p->out, "}\n");
    return true;
}

static bool globals(struct llvm *p)
{
    const struct spv_module *m = &p->f->m;
    for (uint32_t i = 0; i < m->inst_count; i++) {
        const struct spv_inst *in = &m->insts[i];
        if (in->op != SpvOpVariable || p->f->id[in->result].place != FORM_PRIVATE)
            continue;
        const char *type = llvm_type(p, spv_def(m, in->type)->v[1]);
        if (!type)
            return llvm_refuse(p, in, "a type that is neither bool nor a 32-bit integer");
        if (p->dialect != LLVM_SPIRV) {
            llvm_target_private(p, llvm_value(p, in->result), type);
            continue;
        }
        text_add(p->out, "%s = internal addrspace(10) global %s %s, align 4\n",
                 llvm_value(p, in->result), type,
                 in->n > 1 ? llvm_value(p, in->v[1]) : "zeroinitializer");
    }
    return true;
}

static bool print(struct llvm *p)
{
    const struct form *f = p->f;
    struct text *out = p->out;
    if (p->dialect != LLVM_SPIRV)
        llvm_target_start(p);
    else
        text_add(out, "target triple = \"spirv1.6-unknown-vulkan1.3-compute\"\n\n");
    for (size_t i = 0; p->dialect == LLVM_SPIRV && i < f->buffers.n; i++) {
        const char *name = f->buffers.v[i].name;
        text_add(out, "@.%s = private unnamed_addr constant [%zu x i8] c\"%s\\00\", align 1\n",
                 name, strlen(name) + 1, name);
    }
    if (!globals(p))
        return false;
    for (uint32_t i = 0; i < f->m.function_count; i++)
        if (!function(p, &f->m.functions[i]))
            return false;
    text_add(out, p->bare ? "\n"
                          : "\ndeclare token @llvm.experimental.convergence.entry()\n"
                            "declare token @llvm.experimental.convergence.loop()\n\n");
    if (p->dialect == LLVM_SPIRV)
        text_add(out,
                 "attributes #0 = { convergent noinline norecurse \"hlsl.numthreads\"=\"%u,%u,%u\" "
                 "\"hlsl.shader\"=\"compute\" \"enable-maximal-reconvergence\"=\"%s\" }\n",
                 f->size[0], f->size[1], f->size[2], f->maximal ? "true" : "false");
    else
        text_add(out, "attributes #0 = { convergent noinline norecurse "
                      "\"amdgpu-flat-work-group-size\"=\"1,1024\" }\n");
    text_add(out, "attributes #1 = { convergent norecurse }\n");
    if (p->nodes.n)
        text_addn(out, p->nodes.v, p->nodes.n);
    return p->dialect == LLVM_SPIRV || llvm_target_end(p);
}

// PTX has no dots in names: @tf.groups becomes @tf_groups; LLVM's own @llvm.* keep them.
static void without_dots(char *text)
{
    for (char *at = text; (at = strchr(at, '@'));) {
        const bool own = strncmp(++at, "llvm.", 5) != 0;
        for (; *at == '.' || *at == '_' || *at == '$' || isalnum((unsigned char)*at); at++)
            if (own && *at == '.')
                *at = '_';
    }
}

static bool print_for(const struct form *f, enum llvm_dialect dialect, bool bare, struct text *out,
                      struct err *e)
{
    struct llvm p = {
        .dialect = dialect, .bare = bare, .f = f, .out = out, .e = e, .nodes = {.arena = f->arena}};
    const size_t from = out->n;
    if (!print(&p))
        return false;
    if (dialect == LLVM_NVPTX)
        without_dots(out->v + from);
    return true;
}

#define PRINT(name, dialect, bare)                                                                 \
    bool print_##name(const struct form *f, struct text *out, struct err *e)                       \
    {                                                                                              \
        return print_for(f, dialect, bare, out, e);                                                \
    }
PRINT(llvm, LLVM_SPIRV, false)
PRINT(llvm_bare, LLVM_SPIRV, true)
PRINT(llvm_amdgcn, LLVM_AMDGCN, false)
PRINT(llvm_amdgcn_bare, LLVM_AMDGCN, true)
PRINT(llvm_nvptx, LLVM_NVPTX, false)
PRINT(llvm_nvptx_bare, LLVM_NVPTX, true)
