// SPDX-License-Identifier: Apache-2.0
//
// Reads the declarations of a module for the printers.
#include "form.h"

#include "form_loops.h"

#include <ctype.h>
#include <string.h>

uint32_t form_components(const struct form *f, uint32_t type, bool *is_bool)
{
    const struct spv_inst *t = spv_def(&f->m, type);
    uint32_t n = 1;
    if (t && t->op == SpvOpTypeVector) {
        n = t->v[1];
        t = spv_def(&f->m, t->v[0]);
    }
    *is_bool = t && t->op == SpvOpTypeBool;
    return *is_bool || (t && t->op == SpvOpTypeInt && t->v[0] == 32) ? n : 0;
}

uint32_t form_floats(const struct form *f, uint32_t type)
{
    const struct spv_inst *t = spv_def(&f->m, type);
    uint32_t n = 1;
    if (t && t->op == SpvOpTypeVector) {
        n = t->v[1];
        t = spv_def(&f->m, t->v[0]);
    }
    return t && t->op == SpvOpTypeFloat && t->v[0] == 32 ? n : 0;
}

uint32_t form_type_of(const struct form *f, uint32_t id)
{
    const struct spv_inst *d = spv_def(&f->m, id);
    return d ? d->type : 0;
}

bool form_constant(const struct form *f, uint32_t id, uint32_t *value)
{
    const struct spv_inst *d = spv_def(&f->m, id);
    bool is_bool;
    if (!d || form_components(f, d->type, &is_bool) != 1)
        return false;
    switch (d->op) {
    case SpvOpConstantTrue:
        *value = 1;
        return true;
    case SpvOpConstantFalse:
    case SpvOpConstantNull:
        *value = 0;
        return true;
    case SpvOpConstant:
        *value = d->v[0];
        return true;
    default:
        return false;
    }
}

// ---- decorations and names -----------------------------------------------------

static bool is_word(const char *s)
{
    if (!s || !(isalpha((unsigned char)*s)))
        return false;
    for (; *s; s++)
        if (!isalnum((unsigned char)*s) && *s != '_')
            return false;
    return true;
}

static void read_decoration(struct form *f, const struct spv_inst *in)
{
    struct form_id *id = &f->id[in->v[0]];
    const uint32_t value = in->n > 2 ? in->v[2] : 0;
    if (in->v[1] == SpvDecorationDescriptorSet)
        id->set = value;
    else if (in->v[1] == SpvDecorationBinding)
        id->binding = value;
    else if (in->v[1] == SpvDecorationNonWritable)
        id->non_writable = true;
    else if (in->v[1] == SpvDecorationCoherent)
        id->coherent = true;
    else if (in->v[1] == SpvDecorationNonUniform)
        id->non_uniform = true;
    else if (in->v[1] == SpvDecorationNoContraction)
        id->precise = true;
    else if (in->v[1] == SpvDecorationBuiltIn) {
        id->place = FORM_BUILTIN;
        id->builtin = value;
    }
}

// False: a mode that is not printed. Vulkan's origin is the upper left corner.
static bool read_fragment_mode(struct form *f, uint32_t mode)
{
    switch (mode) {
    case SpvExecutionModeMaximallyReconvergesKHR:
        return f->maximal = true;
    case SpvExecutionModeRequireFullQuadsKHR:
        return f->full_quads = true;
    case SpvExecutionModeQuadDerivativesKHR:
        return f->quad_derivatives = true;
    case SpvExecutionModeEarlyFragmentTests:
        return f->early = true;
    default:
        return mode == SpvExecutionModeOriginUpperLeft;
    }
}

static bool read_heads(struct form *f, struct err *e)
{
    const struct spv_module *m = &f->m;
    for (uint32_t i = 0; i < m->inst_count; i++) {
        const struct spv_inst *in = &m->insts[i];
        if (in->op == SpvOpFunction)
            break;
        if (in->op == SpvOpName && is_word(spv_string(in->v + 1, in->n - 1u)))
            f->id[in->v[0]].name = spv_string(in->v + 1, in->n - 1u);
        else if (in->op == SpvOpDecorate)
            read_decoration(f, in);
        else if (in->op == SpvOpMemberDecorate && in->v[2] == SpvDecorationNonWritable)
            f->id[in->v[0]].non_writable = true;
        else if (in->op == SpvOpEntryPoint && f->entry)
            return err_set(e, "several entry points");
        else if (in->op == SpvOpEntryPoint && in->v[0] != SpvExecutionModelGLCompute &&
                 in->v[0] != SpvExecutionModelFragment)
            return err_set(e, "an entry point that is neither GLCompute nor Fragment");
        else if (in->op == SpvOpEntryPoint) {
            f->entry = in->v[1];
            f->fragment = in->v[0] == SpvExecutionModelFragment;
        } else if (in->op == SpvOpExecutionMode && f->fragment) {
            if (!read_fragment_mode(f, in->v[1]))
                return err_set(e, "the execution mode %u of a fragment shader", in->v[1]);
        } else if (in->op == SpvOpExecutionMode && in->v[1] == SpvExecutionModeLocalSize &&
                   in->n >= 5)
            memcpy(f->size, in->v + 2, sizeof f->size);
        else if (in->op == SpvOpExecutionMode &&
                 in->v[1] == SpvExecutionModeMaximallyReconvergesKHR)
            f->maximal = true;
        else if (in->op == SpvOpExecutionMode &&
                 (in->v[1] == SpvExecutionModeDerivativeGroupLinearKHR ||
                  in->v[1] == SpvExecutionModeDerivativeGroupQuadsKHR))
            f->derivatives = in->v[1];
        else if (in->op == SpvOpExecutionMode &&
                 in->v[1] == SpvExecutionModeSubgroupUniformControlFlowKHR)
            return err_set(e, "the mode SubgroupUniformControlFlowKHR");
    }
    if (!f->entry || (!f->size[0] && !f->fragment))
        return err_set(e, "no compute entry point with a mode LocalSize");
    return true;
}

uint32_t form_array(const struct form *f, uint32_t type)
{
    const struct spv_inst *array = spv_def(&f->m, type);
    uint32_t length = 0;
    bool is_bool;
    if (!array || array->op != SpvOpTypeArray || form_components(f, array->v[0], &is_bool) != 1 ||
        is_bool || !form_constant(f, array->v[1], &length))
        return 0;
    return length;
}

bool form_refuse(const struct form *f, uint32_t id, const char *why, struct err *e)
{
    *f->refused = id;
    return err_set(e, "%s", why);
}

// ---- variables --------------------------------------------------------------------

static bool read_buffer(struct form *f, const struct spv_inst *var, struct err *e)
{
    const struct spv_module *m = &f->m;
    const struct spv_inst *pointer = spv_def(m, var->type);
    const struct spv_inst *block = pointer ? spv_def(m, pointer->v[1]) : NULL;
    const struct spv_inst *array =
        block && block->op == SpvOpTypeStruct && block->n == 1 ? spv_def(m, block->v[0]) : NULL;
    struct form_id *id = &f->id[var->result];
    struct form_buffer b = {.set = id->set, .binding = id->binding};
    bool is_bool = false, sized = array && array->op == SpvOpTypeArray;
    if (!array || !(sized || array->op == SpvOpTypeRuntimeArray) ||
        form_components(f, array->v[0], &is_bool) != 1 || is_bool ||
        (sized && !form_constant(f, array->v[1], &b.length)) || id->binding == FORM_NONE)
        return form_refuse(f, var->result, "a buffer that is not one array of 32-bit words", e);
    if (b.set == FORM_NONE)
        b.set = 0;
    b.read_only = id->non_writable || f->id[block->result].non_writable;
    b.name = id->name ? id->name : arena_printf(f->arena, "buffer%u_%u", b.set, b.binding);
    for (size_t i = 0; i < f->buffers.n; i++)
        if (strcmp(f->buffers.v[i].name, b.name) == 0)
            b.name = arena_printf(f->arena, "buffer%u_%u", b.set, b.binding);
    id->place = FORM_BUFFER;
    id->buffer = (uint32_t)f->buffers.n;
    *VEC_PUSH(f->arena, &f->buffers) = b;
    return true;
}

static bool read_variable(struct form *f, const struct spv_inst *in, struct err *e)
{
    struct form_id *id = &f->id[in->result];
    switch (in->v[0]) {
    case SpvStorageClassStorageBuffer:
        return read_buffer(f, in, e);
    case SpvStorageClassFunction:
        id->place = FORM_LOCAL;
        return true; // what cannot be declared, its declaration refuses
    case SpvStorageClassPrivate:
        id->place = FORM_PRIVATE;
        return true;
    case SpvStorageClassUniformConstant:
        id->place = FORM_OPAQUE;
        if (id->binding == FORM_NONE)
            return form_refuse(f, in->result, "an image or sampler without a binding", e);
        id->set = id->set == FORM_NONE ? 0 : id->set;
        *VEC_PUSH(f->arena, &f->opaque) = in->result;
        return true;
    case SpvStorageClassInput:
        if (id->place == FORM_BUILTIN)
            return true;
        break;
    default:
        break;
    }
    return form_refuse(f, in->result,
                       arena_printf(f->arena, "a variable of storage class %u", in->v[0]), e);
}

// An access chain has one step: to a word of a buffer or of a local array, or a component of a
// builtin.
static bool read_chain(struct form *f, const struct spv_inst *in, struct err *e)
{
    const struct form_id *base = &f->id[in->v[0]];
    struct form_id *id = &f->id[in->result];
    uint32_t first;
    if (base->place == FORM_BUFFER && !base->word && in->n == 3 &&
        form_constant(f, in->v[1], &first) && first == 0) {
        id->place = FORM_BUFFER;
        id->buffer = base->buffer;
        id->word = in->v[2];
        f->buffers.v[base->buffer].used = true;
        return true;
    }
    if (base->place == FORM_BUILTIN && base->part == FORM_NONE && in->n == 2 &&
        form_constant(f, in->v[1], &first)) {
        id->place = FORM_BUILTIN;
        id->builtin = base->builtin;
        id->part = first;
        return true;
    }
    if (base->place == FORM_LOCAL && in->n == 2) {
        id->place = FORM_ELEMENT;
        id->buffer = in->v[0];
        id->word = in->v[1];
        return true;
    }
    if (base->place == FORM_OPAQUE && in->n == 2) {
        id->place = FORM_OPAQUE;
        return true;
    }
    return form_refuse(f, in->result,
                       "an access chain that does not lead to a word of a buffer or array", e);
}

// The words do not say which value a case sets for a specialization constant. A constant that is
// the workgroup's size replaces the mode LocalSize.
static bool constant_is_known(const struct form *f, const struct spv_inst *in, struct err *e)
{
    if (in->op >= SpvOpSpecConstantTrue && in->op <= SpvOpSpecConstantOp)
        return form_refuse(f, in->result, "a specialization constant", e);
    if (in->op == SpvOpConstantComposite && f->id[in->result].place == FORM_BUILTIN)
        return form_refuse(f, in->result, "a workgroup size that is a constant", e);
    return true;
}

// Finds pointers and composites of builtins. In binary order, bases precede the values derived from
// them.
static bool read_places(struct form *f, struct err *e)
{
    const struct spv_module *m = &f->m;
    for (uint32_t i = 0; i < m->inst_count; i++) {
        const struct spv_inst *in = &m->insts[i];
        if (!constant_is_known(f, in, e))
            return false;
        if (in->op == SpvOpVariable && !read_variable(f, in, e))
            return false;
        if ((in->op == SpvOpAccessChain || in->op == SpvOpInBoundsAccessChain) &&
            !read_chain(f, in, e))
            return false;
        if ((in->op == SpvOpLoad || in->op == SpvOpSampledImage || in->op == SpvOpImage ||
             in->op == SpvOpCopyObject) &&
            f->id[in->v[0]].place == FORM_OPAQUE)
            f->id[in->result].place = FORM_OPAQUE;
        bool is_bool;
        if (in->op == SpvOpSwitch && form_components(f, form_type_of(f, in->v[0]), &is_bool) != 1)
            return form_refuse(f, in->v[0], "OpSwitch: a selector that is not a 32-bit integer", e);
        if (in->op == SpvOpLoad && f->id[in->v[0]].place == FORM_BUILTIN &&
            f->id[in->v[0]].part == FORM_NONE && form_components(f, in->type, &is_bool) > 1) {
            f->id[in->result].place = FORM_BUILTIN;
            f->id[in->result].builtin = f->id[in->v[0]].builtin;
        }
    }
    return true;
}

bool form_read(struct arena *a, const uint32_t *words, size_t count, uint32_t subgroup,
               struct form *out, struct err *e)
{
    *out = (struct form){.arena = a, .refused = ARENA_NEW(a, uint32_t), .subgroup = subgroup};
    if (!spv_module_read(a, words, count, &out->m, e))
        return false;
    out->id = ARENA_ARRAY(a, struct form_id, out->m.bound);
    for (uint32_t i = 0; i < out->m.bound; i++)
        out->id[i].set = out->id[i].binding = out->id[i].part = FORM_NONE;
    if (!read_heads(out, e) || !read_places(out, e))
        return false;
    return form_loops(out, e);
}
