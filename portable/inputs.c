// SPDX-License-Identifier: Apache-2.0
//
// Inputs that a module does not bring. Sizes come from its types; what stands alone in a block
// (counts, strides) is one number, what stands in arrays is small numbers by a seed, floats among
// them exact. All of it is a guess, and said.
#include "portable_inner.h"

#include "spirv/spirv_edit.h"
#include "spirv/spirv_flow.h"

#include <string.h>

enum { FLOATS = 63, INTS = 16, DEPTH = 12, WORDS_MAX = 1 << 20, ARRAY_WORDS = 4096 };

struct maker {
    struct arena *a;
    const struct spv_module *m;
    const struct spv_case *c;
    const struct por_shape *shape;
    struct rng rng;
    uint8_t *bytes;
    uint64_t size;
};

struct por_shape por_shape(const struct por_given *given, uint32_t k)
{
    static const uint32_t scalars[POR_SHAPES] = {64, 256, 1, 8, 1024, 2, 64, 1};
    return (struct por_shape){
        .scalar = given->fill == POR_ZERO ? 0 : scalars[k % POR_SHAPES],
        .seed = given->fill == POR_ZERO     ? 0
                : given->fill == POR_SEEDED ? given->seed
                                            : 1,
        .words = ARRAY_WORDS,
        .groups = k < POR_SHAPES - 2 ? 2 : 1}; // the last ones are for one workgroup
}

// ---- what is said of types ----------------------------------------------------------

// The word after a decoration of an id, or of a member of it; UINT32_MAX where there is none.
static uint32_t said(const struct spv_module *m, uint32_t id, uint32_t member, uint32_t decoration)
{
    for (uint32_t k = 0; k < m->inst_count && m->insts[k].op != SpvOpFunction; k++) {
        const struct spv_inst *s = &m->insts[k];
        if (member == UINT32_MAX && s->op == SpvOpDecorate && s->n == 3 && s->v[0] == id &&
            s->v[1] == decoration)
            return s->v[2];
        if (s->op == SpvOpMemberDecorate && s->n == 4 && s->v[0] == id && s->v[1] == member &&
            s->v[2] == decoration)
            return s->v[3];
    }
    return UINT32_MAX;
}

// The length of an array: a constant, specialised; 1 where it is an expression.
static uint64_t length_of(const struct maker *w, uint32_t id)
{
    const struct spv_inst *d = spv_def(w->m, id);
    if (!d || !d->n || (d->op != SpvOpConstant && d->op != SpvOpSpecConstant))
        return 1;
    const uint32_t spec = said(w->m, id, UINT32_MAX, SpvDecorationSpecId);
    for (uint32_t k = 0; k < w->c->spec_count; k++)
        if (w->c->spec[k].id == spec)
            return w->c->spec[k].value;
    return d->v[0];
}

// Bytes of a type without an array of no length; *step: of one element of that.
static uint64_t extent(const struct maker *w, uint32_t type, uint32_t matrix_stride, uint64_t *step,
                       int depth)
{
    const struct spv_inst *t = spv_def(w->m, type);
    if (!t || depth > DEPTH)
        return 0;
    switch (t->op) {
    case SpvOpTypeInt:
    case SpvOpTypeFloat:
        return t->v[0] / 8;
    case SpvOpTypeVector:
        return t->v[1] * extent(w, t->v[0], 0, step, depth + 1);
    case SpvOpTypeMatrix:
        return matrix_stride != UINT32_MAX ? (uint64_t)matrix_stride * t->v[1]
                                           : t->v[1] * extent(w, t->v[0], 0, step, depth + 1);
    case SpvOpTypeArray:
    case SpvOpTypeRuntimeArray: {
        const uint32_t stride = said(w->m, type, UINT32_MAX, SpvDecorationArrayStride);
        if (t->op == SpvOpTypeArray)
            return stride == UINT32_MAX ? 0 : stride * length_of(w, t->v[1]);
        *step = stride == UINT32_MAX ? 4 : stride;
        return 0;
    }
    case SpvOpTypeStruct: {
        uint64_t end = 0;
        for (uint32_t k = 0; k < t->n; k++) {
            const uint32_t at = said(w->m, type, k, SpvDecorationOffset);
            const uint64_t size =
                extent(w, t->v[k], said(w->m, type, k, SpvDecorationMatrixStride), step, depth + 1);
            if (at != UINT32_MAX && at + size > end)
                end = at + size;
        }
        return end;
    }
    case SpvOpTypePointer:
        return 8; // an address
    default:
        return 0;
    }
}

// ---- contents ---------------------------------------------------------------------

static uint64_t float_bits(float f, uint32_t width)
{
    uint32_t word;
    uint64_t wide;
    const double d = (double)f;
    memcpy(&word, &f, sizeof word);
    memcpy(&wide, &d, sizeof wide);
    if (width == 64)
        return wide;
    if (width == 32 || !(word << 1))
        return word;
    return (word >> 16 & 0x8000) | ((word >> 23 & 255) - 127 + 15) << 10 | (word >> 13 & 1023);
}

static void scalar(struct maker *w, const struct spv_inst *t, uint64_t at, bool in_array)
{
    const uint32_t width = t->v[0];
    uint64_t value = 0;
    if (at + width / 8 > w->size)
        return;
    const uint64_t draw = w->shape->seed && in_array ? rng_next(&w->rng) >> 20 : 0;
    if (t->op == SpvOpTypeFloat) {
        const int n = in_array ? (int)(draw % FLOATS) - FLOATS / 2 : 4;
        value = (in_array && !w->shape->seed) || (!in_array && !w->shape->scalar)
                    ? 0
                    : float_bits((float)(n ? n : 1) / 8, width);
    } else {
        value = !in_array ? w->shape->scalar : width == 8 ? draw & 255 : draw % INTS;
    }
    memcpy(w->bytes + at, &value, width / 8); // little-endian
}

static void contents(struct maker *w, uint32_t type, uint64_t at, uint32_t matrix_stride,
                     bool in_array, int depth)
{
    const struct spv_inst *t = spv_def(w->m, type);
    uint64_t step = 0;
    if (!t || depth > DEPTH)
        return;
    switch (t->op) {
    case SpvOpTypeInt:
    case SpvOpTypeFloat:
        scalar(w, t, at, in_array);
        break;
    case SpvOpTypeVector:
    case SpvOpTypeMatrix: {
        const uint64_t each = t->op == SpvOpTypeMatrix && matrix_stride != UINT32_MAX
                                  ? matrix_stride
                                  : extent(w, t->v[0], 0, &step, depth + 1);
        for (uint32_t k = 0; k < t->v[1]; k++)
            contents(w, t->v[0], at + k * each, UINT32_MAX, in_array, depth + 1);
        break;
    }
    case SpvOpTypeArray:
    case SpvOpTypeRuntimeArray: {
        const uint32_t stride = said(w->m, type, UINT32_MAX, SpvDecorationArrayStride);
        const uint64_t n = t->op == SpvOpTypeArray ? length_of(w, t->v[1]) : UINT64_MAX;
        for (uint64_t k = 0; stride && stride != UINT32_MAX && k < n && at + k * stride < w->size;
             k++)
            contents(w, t->v[0], at + k * stride, matrix_stride, true, depth + 1);
        break;
    }
    case SpvOpTypeStruct:
        for (uint32_t k = 0; k < t->n; k++) {
            const uint32_t offset = said(w->m, type, k, SpvDecorationOffset);
            if (offset != UINT32_MAX && at + offset < w->size)
                contents(w, t->v[k], at + offset, said(w->m, type, k, SpvDecorationMatrixStride),
                         in_array, depth + 1);
        }
        break;
    default:
        break;
    }
}

// `words` of a block of that type.
static uint32_t *filled(struct maker *w, uint32_t type, uint32_t words)
{
    w->size = (uint64_t)words * 4;
    w->bytes = arena_alloc(w->a, w->size);
    w->rng = (struct rng){w->shape->seed ^ type};
    contents(w, type, 0, UINT32_MAX, false, 0);
    return (uint32_t *)(void *)w->bytes;
}

// ---- the case ---------------------------------------------------------------------

static const struct spv_buffer *find(const struct spv_buffer *v, uint32_t n, uint32_t set,
                                     uint32_t binding)
{
    for (uint32_t k = 0; k < n; k++)
        if (v[k].set == set && v[k].binding == binding)
            return &v[k];
    return NULL;
}

static const struct spv_buffer *buffer_at(const struct spv_case *c, uint32_t set, uint32_t binding)
{
    return c ? find(c->buffer, c->buffer_count, set, binding) : NULL;
}

// What somebody gave goes before what the case has; false where the module knows no such buffer.
static bool take_given(struct spv_case *c, const struct por_given *given, struct err *e)
{
    for (uint32_t k = 0; k < given->buffer_count; k++) {
        const struct spv_buffer *g = &given->buffer[k], *at = buffer_at(c, g->set, g->binding);
        if (!at)
            return err_set(e, "the shader has no buffer %u:%u", g->set, g->binding);
        c->buffer[at - c->buffer] = *g;
    }
    if (given->push_count && !c->push_count)
        return err_set(e, "the shader has no push constants");
    memcpy(c->push, given->push, given->push_count * sizeof *c->push);
    return true;
}

static bool one_buffer(struct maker *w, struct spv_case *c, uint32_t variable, uint32_t type,
                       const struct por_given *given, struct por_inputs *in, struct text *t,
                       struct err *e)
{
    uint32_t set = said(w->m, variable, UINT32_MAX, SpvDecorationDescriptorSet);
    const uint32_t binding = said(w->m, variable, UINT32_MAX, SpvDecorationBinding);
    set = set == UINT32_MAX ? 0 : set;
    if (binding == UINT32_MAX || buffer_at(c, set, binding))
        return true;
    if (c->buffer_count == SPV_CASE_BUFFERS || set > 31 || binding > 65535)
        return err_set(e, "buffer %u:%u: a case holds %d buffers, of sets below 32", set, binding,
                       SPV_CASE_BUFFERS);
    struct spv_buffer *b = &c->buffer[c->buffer_count++];
    const struct spv_buffer *from = find(given->buffer, given->buffer_count, set, binding);
    from = from ? from : buffer_at(given->data, set, binding);
    if (from) {
        *b = *from;
        return true;
    }
    uint64_t step = 0, bytes = extent(w, type, UINT32_MAX, &step, 0), words = (bytes + 3) / 4;
    if (step) // at least so many words, and two elements
        words += w->shape->words > step / 2 ? w->shape->words : step / 2;
    words = words < 1 ? 1 : words > WORDS_MAX ? WORDS_MAX : words;
    *b = (struct spv_buffer){
        .set = set, .binding = binding, .fill = SPV_FILL_WORDS, .count = (uint32_t)words};
    b->words = filled(w, type, b->count);
    bool zero = true;
    for (uint32_t k = 0; k < b->count && zero; k++)
        zero = !b->words[k];
    if (zero)
        b->fill = SPV_FILL_ZERO;
    in->invented = true;
    text_add(t, "buffer %u:%u %s: %u words%s\n", set, binding, por_name(w->a, w->m, variable),
             b->count, step ? ", the length of its array is a guess" : "");
    return true;
}

// A workgroup of one column, because nobody specialised it.
static void workgroup_size(struct maker *w, struct spv_case *c, struct por_inputs *in,
                           struct text *t)
{
    uint32_t size[3];
    struct err e;
    if (!spv_local_size(c, w->m, size, &e) || size[0] != 1)
        return;
    for (uint32_t k = 0; k < w->m->inst_count && w->m->insts[k].op != SpvOpFunction; k++) {
        const struct spv_inst *s = &w->m->insts[k];
        uint32_t x = 0;
        if (s->op == SpvOpExecutionModeId && s->n == 5 && s->v[1] == SpvExecutionModeLocalSizeId)
            x = s->v[2];
        if (s->op == SpvOpDecorate && s->n == 3 && s->v[1] == SpvDecorationBuiltIn &&
            s->v[2] == SpvBuiltInWorkgroupSize && spv_def(w->m, s->v[0]) &&
            spv_def(w->m, s->v[0])->n)
            x = spv_def(w->m, s->v[0])->v[0];
        const uint32_t spec = x ? said(w->m, x, UINT32_MAX, SpvDecorationSpecId) : UINT32_MAX;
        if (spec == UINT32_MAX || c->spec_count == SPV_CASE_SPECS)
            continue;
        uint32_t width = 64;
        for (uint32_t j = 0; j < w->m->inst_count && w->m->insts[j].op != SpvOpFunction; j++) {
            const struct spv_inst *d = &w->m->insts[j]; // another constant of that id knows better
            if (d->op == SpvOpSpecConstant && d->v[0] > 1 && d->v[0] <= 1024 &&
                said(w->m, d->result, UINT32_MAX, SpvDecorationSpecId) == spec)
                width = d->v[0];
        }
        c->spec[c->spec_count++] = (struct spv_spec){.id = spec, .value = width, .type = "u32"};
        text_add(t, "specialisation constant %u: %u, the workgroup's width (the module says 1)\n",
                 spec, width);
        in->width = width == 64;
        in->invented = true;
        return;
    }
}

bool por_fill_case(struct arena *a, struct spv_case *c, bool own, const struct por_given *given,
                   const struct por_shape *shape, struct por_inputs *out, struct err *e)
{
    struct spv_module m;
    struct text t = {.arena = a};
    struct maker w = {.a = a, .m = &m, .c = c, .shape = shape};
    *out = (struct por_inputs){.shape = *shape};
    if (!spv_module_read(a, c->words, c->count, &m, e))
        return false;
    if (given->data) {
        memcpy(c->spec, given->data->spec, sizeof c->spec);
        c->spec_count = given->data->spec_count;
    }
    if (!own)
        workgroup_size(&w, c, out, &t);
    if (given->workgroups || !own) {
        c->groups[0] = given->workgroups ? given->workgroups : shape->groups;
        c->groups[1] = c->groups[2] = 1;
    }
    for (uint32_t k = 0; k < m.inst_count && m.insts[k].op != SpvOpFunction; k++) {
        const struct spv_inst *s = &m.insts[k];
        const struct spv_inst *pointer = s->op == SpvOpVariable ? spv_def(&m, s->type) : NULL;
        if (!pointer || pointer->n < 2)
            continue;
        uint64_t step = 0;
        switch (s->v[0]) {
        case SpvStorageClassPushConstant:
            if (own || c->push_count)
                break;
            if (given->push_count) {
                c->push_count = given->push_count;
                break;
            }
            if (given->data && given->data->push_count) {
                memcpy(c->push, given->data->push, sizeof c->push);
                c->push_count = given->data->push_count;
                break;
            }
            c->push_count = (uint32_t)((extent(&w, pointer->v[1], UINT32_MAX, &step, 0) + 3) / 4);
            c->push_count = c->push_count > SPV_CASE_PUSH ? SPV_CASE_PUSH : c->push_count;
            memcpy(c->push, filled(&w, pointer->v[1], c->push_count),
                   c->push_count * sizeof *c->push);
            out->invented = true;
            text_add(&t, "push constants: %u words, integers %u, floats %s\n", c->push_count,
                     shape->scalar, shape->scalar ? "0.5" : "0");
            break;
        case SpvStorageClassUniform:
        case SpvStorageClassStorageBuffer: {
            if (!one_buffer(&w, c, s->result, pointer->v[1], given, out, &t, e))
                return false;
            break;
        }
        case SpvStorageClassUniformConstant: {
            const struct spv_inst *type = spv_def(&m, pointer->v[1]);
            const uint32_t set = said(&m, s->result, UINT32_MAX, SpvDecorationDescriptorSet),
                           binding = said(&m, s->result, UINT32_MAX, SpvDecorationBinding);
            const struct por_maker image = {.a = a, .m = &m, .seed = shape->seed,
                                            .length = type && type->op == SpvOpTypeArray ? length_of(&w, type->v[1]) : 0,
                                            .set = set == UINT32_MAX ? 0 : set, .binding = binding, .variable = s->result};
            const size_t before = t.n;
            if (binding != UINT32_MAX && image.set < 32 && binding < 65536 && !por_make_image(&image, c, given->data, &t, e))
                return false;
            out->invented |= t.n > before;
            break;
        }
        default:
            break;
        }
    }
    if (!take_given(c, given, e))
        return false;
    if (!own && !given->workgroups)
        text_add(&t, "dispatch: %u workgroup%s\n", c->groups[0], c->groups[0] == 1 ? "" : "s");
    out->said = t.n ? t.v : "";
    return true;
}

// ---- what comes from inputs -----------------------------------------------------------

struct slice {
    const struct spv_module *m;
    bool *seen; // [bound]
    VEC(uint32_t) ids;
    struct arena a;
};

static void follow(struct slice *s, uint32_t id)
{
    if (id < s->m->bound && !s->seen[id]) {
        s->seen[id] = true;
        *VEC_PUSH(&s->a, &s->ids) = id;
    }
}

uint32_t por_root(const struct spv_module *m, uint32_t id)
{
    for (int depth = 0; depth < 64; depth++) {
        const struct spv_inst *d = spv_def(m, id);
        if (!d)
            return 0;
        if (d->op == SpvOpVariable)
            return id;
        if (d->op != SpvOpAccessChain && d->op != SpvOpInBoundsAccessChain &&
            d->op != SpvOpCopyObject)
            return 0;
        id = d->v[0];
    }
    return 0;
}

static bool is_input(const struct spv_module *m, uint32_t variable)
{
    const struct spv_inst *d = spv_def(m, variable);
    return d && (d->v[0] == SpvStorageClassUniform || d->v[0] == SpvStorageClassStorageBuffer ||
                 d->v[0] == SpvStorageClassPushConstant);
}

// What is stored to a variable, or handed to a parameter, or returned.
static void follow_writers(struct slice *s, uint32_t variable)
{
    for (uint32_t k = 0; k < s->m->inst_count; k++) {
        const struct spv_inst *i = &s->m->insts[k];
        if (i->op == SpvOpStore && por_root(s->m, i->v[0]) == variable)
            follow(s, i->v[1]);
        if (i->op == SpvOpFunctionCall) // by a pointer
            for (uint32_t j = 1; j < i->n; j++)
                if (i->v[j] == variable)
                    for (uint32_t other = 1; other < i->n; other++)
                        follow(s, i->v[other]);
    }
}

static void follow_call(struct slice *s, uint32_t parameter)
{
    const struct spv_module *m = s->m;
    const uint32_t f = spv_function_at(m, m->def[parameter]);
    if (f == UINT32_MAX)
        return;
    uint32_t at = 0;
    for (uint32_t k = m->functions[f].first; k < m->def[parameter]; k++)
        at += m->insts[k].op == SpvOpFunctionParameter;
    for (uint32_t k = 0; k < m->inst_count; k++)
        if (m->insts[k].op == SpvOpFunctionCall && m->insts[k].v[0] == m->functions[f].id &&
            at + 1 < m->insts[k].n)
            follow(s, m->insts[k].v[at + 1]);
}

bool por_from_inputs(const struct spv_module *m, uint32_t inst)
{
    struct slice s = {.m = m};
    const struct spv_inst *start = &m->insts[inst];
    uint32_t longest = 16, rest;
    bool found = false;
    s.seen = ARENA_ARRAY(&s.a, bool, m->bound);
    for (uint32_t k = 0; k < m->inst_count; k++)
        longest = m->insts[k].n > longest ? m->insts[k].n : longest;
    uint16_t *at = ARENA_ARRAY(&s.a, uint16_t, longest);
    if (start->n && !(spv_def(m, start->v[0]) && spv_def(m, start->v[0])->op == SpvOpVariable))
        follow(&s, start->v[0]);
    while (s.ids.n && !found) {
        const uint32_t id = s.ids.v[--s.ids.n];
        const struct spv_inst *d = spv_def(m, id);
        if (!d)
            continue;
        uint32_t root =
            d->op == SpvOpLoad || (d->n && d->type && spv_op_class(d->op) == SPV_CLASS_ATOMIC)
                ? por_root(m, d->v[0])
                : 0;
        found = (root && is_input(m, root)) || d->op == SpvOpArrayLength ||
                (d->type && spv_op_class(d->op) == SPV_CLASS_IMAGE);
        if (root && !found)
            follow_writers(&s, root);
        if (d->op == SpvOpVariable) { // handed to a function
            found |= is_input(m, id);
            follow_writers(&s, id);
            continue;
        }
        if (d->op == SpvOpAccessChain ||
            d->op == SpvOpInBoundsAccessChain) { // where to, not what from
            for (uint32_t k = 1; k < d->n; k++)
                follow(&s, d->v[k]);
            continue;
        }
        if (d->op == SpvOpFunctionParameter)
            follow_call(&s, id);
        if (d->op == SpvOpFunctionCall)
            for (uint32_t k = 0; k < m->inst_count; k++) {
                const uint32_t f =
                    m->insts[k].op == SpvOpReturnValue ? spv_function_at(m, k) : UINT32_MAX;
                if (f != UINT32_MAX && m->functions[f].id == d->v[0])
                    follow(&s, m->insts[k].v[0]);
            }
        if (d->op == SpvOpExtInst) {
            for (uint32_t k = 2; k < d->n; k++)
                follow(&s, d->v[k]);
            continue;
        }
        const uint32_t n = spv_operand_ids(d->op, d->v, d->n, 1, at, &rest);
        for (uint32_t k = 0; k < n; k++)
            follow(&s, d->v[at[k]]);
    }
    arena_free(&s.a);
    return found;
}

bool por_flow_from_inputs(const struct spv_module *m)
{
    for (uint32_t k = 0; k < m->inst_count; k++) {
        const struct spv_inst *s = &m->insts[k];
        const uint32_t root = s->op == SpvOpStore ? por_root(m, s->v[0]) : 0;
        const struct spv_inst *d = root ? spv_def(m, root) : NULL;
        if ((s->op == SpvOpBranchConditional || s->op == SpvOpSwitch ||
             (d && d->v[0] == SpvStorageClassWorkgroup)) &&
            por_from_inputs(m, k))
            return true;
    }
    return false;
}
