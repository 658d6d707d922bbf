// SPDX-License-Identifier: Apache-2.0
//
// Invents the inputs that a module does not bring. Sizes come from its types. Integers outside
// arrays (counts, strides) share one number. Array elements are small numbers from a seed; their
// floats are exact. All of it is a guess, and is reported as one.
#include "portable_inner.h"

#include <string.h>

enum { FLOATS = 63, INTS = 16, DEPTH = 12, WORDS_MAX = 1 << 20 };
// Buffers of an array without a length; blocks that addresses point to.
enum { ENDLESS = 8, PLACES = 32, POINTERS_DEEP = 4 };

// Blocks that addresses point to, one for each place that holds an address. Addresses in arrays
// share ENDLESS blocks per type.
struct places {
    struct place {
        uint32_t type;
        int depth;
    } at[PLACES];
    uint32_t count;
    bool numbers; // 64-bit integers outside arrays are addresses, too
};

struct maker {
    struct arena *a;
    const struct spv_module *m;
    const struct spv_case *c;
    const struct por_shape *shape;
    const struct por_layouts *layouts;
    struct rng rng;
    uint8_t *bytes;
    uint64_t size;
    struct places *places;
    const struct por_member *counter; // used by atomics: get the value an author would choose
    uint32_t counters;
    struct por_set *given; // by --set
    uint32_t given_count;
    const struct por_set *pair; // pairs of numbers that are addresses
    uint32_t pairs;
    uint32_t position;  // integers in arrays so far
    bool rough;         // use floats whose sums round
    const bool *floats; // [id] variables whose integers in arrays may be read as floats, or NULL
    uint32_t variable;  // the current one
    int depth;          // number of addresses followed to get here
    uint32_t byte_type; // the pointee for numbers that are used as addresses
};

// ---- sizes of types -----------------------------------------------------------------

uint32_t por_decoration(const struct spv_module *m, uint32_t id, uint32_t member,
                        uint32_t decoration)
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

// The length of an array: a constant, or a specialised one; 1 if it is an expression.
static uint64_t length_of(const struct maker *w, uint32_t id)
{
    const struct spv_inst *d = spv_def(w->m, id);
    if (!d || !d->n || (d->op != SpvOpConstant && d->op != SpvOpSpecConstant))
        return 1;
    const uint32_t spec = w->layouts->spec[id];
    for (uint32_t k = 0; k < w->c->spec_count; k++)
        if (w->c->spec[k].id == spec)
            return w->c->spec[k].value;
    return d->v[0];
}

// Bytes of a type without its runtime array; *step: bytes of one element of that array.
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
        const uint32_t stride = w->layouts->stride[type];
        if (t->op == SpvOpTypeArray)
            return stride == UINT32_MAX ? 0 : stride * length_of(w, t->v[1]);
        *step = stride == UINT32_MAX ? 4 : stride;
        return 0;
    }
    case SpvOpTypeStruct: {
        uint64_t end = 0;
        for (uint32_t k = 0; k < t->n; k++) {
            const uint32_t member = w->layouts->first[type] + k, at = w->layouts->offset[member];
            const uint64_t size = extent(w, t->v[k], w->layouts->matrix[member], step, depth + 1);
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

// Returns the address of a block of that type; 0 if the chain is too deep or there are too many
// blocks.
static uint64_t address(struct maker *w, uint32_t type, bool in_array)
{
    struct places *p = w->places;
    uint32_t k = p->count, of_type = 0,
             which = in_array && w->shape->seed ? (uint32_t)(rng_next(&w->rng) >> 20) % ENDLESS : 0;
    for (uint32_t j = 0; in_array && j < p->count; j++)
        if (p->at[j].type == type && p->at[j].depth == w->depth + 1 && of_type++ == which)
            k = j;
    if (k == PLACES || w->depth == POINTERS_DEEP)
        return 0;
    if (k == p->count)
        p->at[p->count++] = (struct place){type, w->depth + 1};
    return SPV_ADDRESS + k * SPV_ADDRESS_STEP;
}

// True for a variable whose arrays have one number everywhere.
static bool is_flagged(const struct maker *w)
{
    return w->shape->flag.variable && w->shape->flag.variable == w->variable;
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
        const float part = w->rough && in_array ? 10 : 8;
        value = (in_array && !w->shape->seed) || (!in_array && !w->shape->scalar)
                    ? 0
                    : float_bits((float)(n ? n : 1) / part, width);
    } else if (width == 64 && !in_array && w->places->numbers) {
        value = address(w, 0, false);
    } else {
        value = !in_array           ? w->shape->scalar
                : is_flagged(w)     ? w->shape->flag.value
                : w->shape->ordered ? w->shape->ordered - 1 + w->position++
                : width == 8        ? draw & 255
                                    : draw % INTS;
        value *= in_array && w->shape->aligned ? 16 : 1;
    }
    if (w->floats && w->floats[w->variable] && in_array && width == 32 && t->op == SpvOpTypeInt &&
        !is_flagged(w) && (draw & 64))
        value = float_bits((float)(draw % FLOATS + 1) / 8, width);
    memcpy(w->bytes + at, &value, width / 8); // little-endian
}

// Fills a member that atomics use: zeros to count from, or the largest number for a minimum. False:
// atomics do not use it.
static bool counter(struct maker *w, uint32_t type, uint32_t member, uint64_t at)
{
    const struct spv_inst *t = spv_def(w->m, type);
    for (uint32_t k = 0; k < w->counters && w->shape->counters && !is_flagged(w); k++) {
        if (w->counter[k].variable != w->variable || w->counter[k].type != type ||
            w->counter[k].member != member)
            continue;
        uint64_t step = 0, n = extent(w, t->v[member], UINT32_MAX, &step, 0);
        n = step || at + n > w->size ? w->size - at : n;
        uint32_t value = w->counter[k].op == SpvOpAtomicUMin   ? UINT32_MAX
                         : w->counter[k].op == SpvOpAtomicSMin ? INT32_MAX
                                                               : 0;
        for (uint64_t i = 0; i + 4 <= n; i += 4)
            memcpy(w->bytes + at + i, &value, sizeof value);
        return true;
    }
    return false;
}

// Makes a matrix outside arrays the identity: one whose numbers are all the same has no inverse.
static void identity(struct maker *w, const struct spv_inst *t, uint64_t at, uint64_t stride)
{
    const struct spv_inst *column = spv_def(w->m, t->v[0]), *e = spv_def(w->m, column->v[0]);
    const uint32_t width = e->v[0] / 8;
    for (uint32_t k = 0; k < t->v[1]; k++)
        for (uint32_t j = 0; j < column->v[1]; j++) {
            const uint64_t value = j == k ? float_bits(1, e->v[0]) : 0,
                           to = at + k * stride + j * width;
            if (to + width <= w->size)
                memcpy(w->bytes + to, &value, width);
        }
}

// Returns the type `id` if its values are single numbers, else NULL.
static const struct spv_inst *number_type(const struct maker *w, uint32_t id)
{
    const struct spv_inst *t = spv_def(w->m, id);
    return t && (t->op == SpvOpTypeInt || t->op == SpvOpTypeFloat) ? t : NULL;
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
    case SpvOpTypePointer:
        if (por_pointee(t) && at + 8 <= w->size) {
            const uint64_t to = address(w, por_pointee(t), in_array);
            memcpy(w->bytes + at, &to, sizeof to);
        }
        break;
    case SpvOpTypeVector:
    case SpvOpTypeMatrix: {
        const uint64_t each = t->op == SpvOpTypeMatrix && matrix_stride != UINT32_MAX
                                  ? matrix_stride
                                  : extent(w, t->v[0], 0, &step, depth + 1);
        const struct spv_inst *e = depth < DEPTH ? number_type(w, t->v[0]) : NULL;
        for (uint32_t k = 0; k < t->v[1]; k++)
            if (e)
                scalar(w, e, at + k * each, in_array);
            else
                contents(w, t->v[0], at + k * each, UINT32_MAX, in_array, depth + 1);
        if (t->op == SpvOpTypeMatrix && !in_array && w->shape->identity)
            identity(w, t, at, each);
        break;
    }
    case SpvOpTypeArray:
    case SpvOpTypeRuntimeArray: {
        const uint32_t stride = w->layouts->stride[type];
        const uint64_t n = t->op == SpvOpTypeArray ? length_of(w, t->v[1]) : UINT64_MAX;
        const struct spv_inst *e = depth < DEPTH ? number_type(w, t->v[0]) : NULL;
        for (uint64_t k = 0; stride && stride != UINT32_MAX && k < n && at + k * stride < w->size;
             k++)
            if (e)
                scalar(w, e, at + k * stride, true);
            else
                contents(w, t->v[0], at + k * stride, matrix_stride, true, depth + 1);
        break;
    }
    case SpvOpTypeStruct:
        for (uint32_t k = 0; k < t->n; k++) {
            const uint32_t member = w->layouts->first[type] + k,
                           offset = w->layouts->offset[member];
            if (offset != UINT32_MAX && at + offset < w->size && !counter(w, type, k, at + offset))
                contents(w, t->v[k], at + offset, w->layouts->matrix[member], in_array, depth + 1);
        }
        break;
    default:
        break;
    }
}

// Words of a block of that type. *guessed: it ends in a runtime array.
static uint32_t words_of(const struct maker *w, uint32_t type, uint32_t smaller, bool *guessed)
{
    uint64_t step = 0, bytes = extent(w, type, UINT32_MAX, &step, 0), words = (bytes + 3) / 4;
    const uint32_t least = w->shape->words / smaller;
    if (step && w->shape->exact && w->shape->exact == w->variable)
        words = (bytes + step * w->shape->elements + 3) / 4;
    else if (step) // room for at least `least` words and two elements
        words += least > step / 2 ? least : step / 2;
    *guessed = step != 0;
    return words < 1 ? 1 : words > WORDS_MAX ? WORDS_MAX : (uint32_t)words;
}

// Returns `words` words of contents for a block of that type.
static uint32_t *filled(struct maker *w, uint32_t type, uint32_t words)
{
    w->size = (uint64_t)words * 4;
    w->bytes = arena_alloc(w->a, w->size);
    w->rng = (struct rng){w->shape->seed ^ type};
    w->position = 0;
    contents(w, type, 0, UINT32_MAX, false, 0);
    for (uint32_t k = 0; k < w->pairs && w->shape->scalar; k++)
        if (w->pair[k].variable == w->variable && w->pair[k].byte + 8 <= w->size) {
            const uint64_t to = address(w, w->pair[k].value, false);
            memcpy(w->bytes + w->pair[k].byte, &to, sizeof to);
        }
    for (uint32_t k = 0; k < w->shape->mores + w->shape->sets; k++) {
        const struct por_set *set =
            k < w->shape->mores ? &w->shape->more[k] : &w->shape->set[k - w->shape->mores];
        if (!set->spec && set->variable == w->variable && set->byte + 4 <= w->size)
            memcpy(w->bytes + set->byte, &set->value, sizeof set->value);
    }
    for (uint32_t k = 0; k < w->given_count; k++)
        if (w->given[k].variable == w->variable && w->given[k].byte + 4 <= w->size)
            memcpy(w->bytes + w->given[k].byte, &w->given[k].value, sizeof w->given[k].value);
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

// Given buffers replace those of the case. False if the module has no such buffer.
static bool take_given(struct spv_case *c, const struct por_given *given, struct err *e)
{
    for (uint32_t k = 0; k < given->buffer_count; k++) {
        const struct spv_buffer *g = &given->buffer[k], *at = spv_buffer_at(c, g->set, g->binding);
        if (!at)
            return err_set(e, "the shader has no buffer %u:%u", g->set, g->binding);
        c->buffer[at - c->buffer] = *g;
    }
    if (given->push_count && !c->push_count)
        return err_set(e, "the shader has no push constants");
    memcpy(c->push, given->push, given->push_count * sizeof *c->push);
    return true;
}

// Turns a buffer into an array of buffers, each with other contents.
static void repeat(struct maker *w, struct spv_buffer *b, uint32_t type, uint32_t words)
{
    const struct por_shape *shape = w->shape;
    uint32_t *all = ARENA_ARRAY(w->a, uint32_t, (size_t)b->elements *words);
    for (uint32_t k = 0; k < b->elements; k++) {
        struct por_shape other = *shape;
        other.seed += shape->seed ? k : 0;
        w->shape = &other;
        memcpy(all + (size_t)k * words, filled(w, type, words), (size_t)words * 4);
        w->shape = shape;
    }
    b->words = all;
    b->count = b->elements * words;
}

static bool one_buffer(struct maker *w, struct spv_case *c, uint32_t variable, uint32_t type,
                       const struct por_given *given, struct por_inputs *in, struct text *t,
                       struct err *e)
{
    uint32_t set = por_decoration(w->m, variable, UINT32_MAX, SpvDecorationDescriptorSet);
    const uint32_t binding = por_decoration(w->m, variable, UINT32_MAX, SpvDecorationBinding);
    set = set == UINT32_MAX ? 0 : set;
    if (binding == UINT32_MAX || spv_buffer_at(c, set, binding))
        return true;
    if (c->buffer_count == SPV_CASE_BUFFERS || set > 31 || binding > 65535)
        return err_set(e, "buffer %u:%u: a case holds %d buffers, of sets below 32", set, binding,
                       SPV_CASE_BUFFERS);
    struct spv_buffer *b = &c->buffer[c->buffer_count++];
    const struct spv_buffer *from = find(given->buffer, given->buffer_count, set, binding);
    from = from ? from : spv_buffer_at(given->data, set, binding);
    if (from) {
        *b = *from;
        return true;
    }
    const struct spv_inst *array = spv_def(w->m, type);
    uint32_t many = 0;
    if (array && (array->op == SpvOpTypeArray || array->op == SpvOpTypeRuntimeArray)) {
        const uint64_t length = array->op == SpvOpTypeArray ? length_of(w, array->v[1]) : ENDLESS;
        many = length > SPV_CASE_ELEMENTS ? SPV_CASE_ELEMENTS : (uint32_t)length;
        type = array->v[0];
    }
    bool guessed;
    w->variable = variable;
    const uint32_t words = words_of(w, type, many > 64 ? many / 64 : 1, &guessed);
    *b = (struct spv_buffer){
        .set = set, .binding = binding, .fill = SPV_FILL_WORDS, .count = words, .elements = many};
    b->words = filled(w, type, words);
    if (many)
        repeat(w, b, type, words);
    bool zero = true;
    for (uint32_t k = 0; k < b->count && zero; k++)
        zero = !b->words[k];
    if (zero)
        b->fill = SPV_FILL_ZERO;
    in->invented = true;
    text_add(t, "buffer %u:%u %s: ", set, binding, por_name(w->a, w->m, variable));
    if (many)
        text_add(t, "%u buffers of %u words%s%s\n", many, words,
                 array->op == SpvOpTypeRuntimeArray ? ", their number is a guess" : "",
                 guessed ? ", the length of their array is a guess" : "");
    else
        text_add(t, "%u words%s\n", words, guessed ? ", the length of its array is a guess" : "");
    return true;
}

// Creates the memory that addresses point to: blocks of equal size, large enough for the largest
// type. Filling them may add new blocks.
static bool address_memory(struct maker *w, struct spv_case *c, const struct por_given *given,
                           struct por_inputs *in, struct text *t, struct err *e)
{
    struct places *p = w->places;
    const struct spv_buffer *from = spv_buffer_at(given->data, SPV_ADDRESS_SET, 0);
    uint32_t words = 0, largest = 0;
    bool guessed = false;
    // Given push constants and buffers may hold addresses that nothing here invented.
    if ((!p->count && !from) || spv_buffer_at(c, SPV_ADDRESS_SET, 0))
        return true;
    if (c->buffer_count == SPV_CASE_BUFFERS)
        return err_set(
            e, "the module uses addresses, which need one more buffer: a case holds %d buffers",
            SPV_CASE_BUFFERS);
    struct spv_buffer *b = &c->buffer[c->buffer_count++];
    if (from) {
        *b = *from;
        return true;
    }
    w->variable = 0;
    for (uint32_t k = 0; k < w->m->inst_count && w->m->insts[k].op != SpvOpFunction; k++) {
        const uint32_t type = por_pointee(&w->m->insts[k]);
        const uint32_t n = type ? words_of(w, type, 1, &guessed) : 0;
        largest = n > largest ? n : largest;
        w->byte_type = n && !w->byte_type ? type : w->byte_type;
    }
    words = largest > w->shape->words
                ? largest
                : w->shape->words; // a 64-bit number may be the address of a block of any type
    uint32_t *all = ARENA_ARRAY(w->a, uint32_t, (size_t)PLACES *words);
    for (uint32_t k = 0; k < p->count; k++) {
        w->depth = p->at[k].depth;
        memcpy(all + (size_t)k * words,
               filled(w, p->at[k].type ? p->at[k].type : w->byte_type, words), (size_t)words * 4);
    }
    w->depth = 0;
    *b = (struct spv_buffer){.set = SPV_ADDRESS_SET,
                             .fill = SPV_FILL_WORDS,
                             .elements = p->count,
                             .count = p->count * words,
                             .words = all};
    in->invented = true;
    text_add(t, "memory that addresses point to: %u blocks of %u words, their size is a guess\n",
             p->count, words);
    return true;
}

// Puts OpenGL's uniforms outside blocks one after the other into push constants, which OpenGL does
// not have. False: not such a uniform, or too large.
static bool uniform(const struct maker *w, struct spv_case *c, const struct spv_inst *t)
{
    uint64_t n = 1;
    for (; t && (t->op == SpvOpTypeVector || t->op == SpvOpTypeMatrix || t->op == SpvOpTypeArray);
         t = spv_def(w->m, t->v[0]))
        n *= t->op == SpvOpTypeArray ? length_of(w, t->v[1]) : t->v[1];
    if (!t || (t->op != SpvOpTypeInt && t->op != SpvOpTypeFloat) || t->v[0] != 32 ||
        n > SPV_CASE_PUSH - c->push_count)
        return false;
    for (uint32_t k = 0; k < n; k++)
        c->push[c->push_count++] = t->op == SpvOpTypeInt ? w->shape->scalar
                                   : w->shape->scalar    ? (uint32_t)float_bits(0.5f, 32)
                                                         : 0;
    return true;
}

bool por_fill_case(struct arena *a, struct spv_case *c, bool own, const struct por_given *given,
                   const struct por_shape *shape, struct por_inputs *out, struct err *e)
{
    struct spv_module m;
    struct text t = {.arena = a};
    struct places places = {.count = 0};
    uint32_t uniforms = 0;
    struct maker w = {.a = a, .m = &m, .c = c, .shape = shape, .places = &places};
    *out = (struct por_inputs){.text = "", .shape = *shape};
    if (!spv_module_read(a, c->words, c->count, &m, e))
        return false;
    for (uint32_t k = 0; k < m.inst_count; k++) {
        places.numbers |= m.insts[k].op == SpvOpConvertUToPtr;
        w.rough |= m.insts[k].op == SpvOpAtomicFAddEXT;
    }
    w.layouts = por_layouts_of(a, &m);
    por_given_inputs(a, &m, c, own, given, out);
    w.counter = por_counters(a, &m, &w.counters);
    w.pair = por_address_pairs(a, &m, &w.pairs);
    w.floats = shape->floats ? por_read_as_floats(a, &m) : NULL;
    w.given = ARENA_ARRAY(a, struct por_set, given->sets + 1);
    if (given->data) {
        memcpy(c->spec, given->data->spec, sizeof c->spec);
        c->spec_count = given->data->spec_count;
    }
    for (uint32_t k = 0; k < given->sets; k++)
        if (!por_given_set(a, &m, given->set[k], c, &w.given[w.given_count], &w.given_count, e))
            return false;
    if (!own) {
        por_workgroup_width(&m, c, shape->width, out, &t);
        por_set_constants(a, &m, shape, c, out, &t);
    }
    if (given->workgroups || !own) {
        c->groups[0] = given->workgroups           ? given->workgroups
                       : por_for_one_workgroup(&m) ? 1
                                                   : shape->groups;
        out->groups = !given->workgroups && c->groups[0] > 1;
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
            w.variable = s->result;
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
            if (!own && !given->push_count && uniform(&w, c, type)) {
                uniforms = c->push_count;
                break;
            }
            const uint32_t set = por_decoration(&m, s->result, UINT32_MAX,
                                                SpvDecorationDescriptorSet),
                           binding =
                               por_decoration(&m, s->result, UINT32_MAX, SpvDecorationBinding);
            const struct por_maker image = {
                .a = a,
                .m = &m,
                .seed = shape->seed,
                .length = type && type->op == SpvOpTypeArray ? length_of(&w, type->v[1]) : 0,
                .set = set == UINT32_MAX ? 0 : set,
                .binding = binding,
                .variable = s->result};
            const size_t before = t.n;
            if (binding != UINT32_MAX && image.set < 32 && binding < 65536 &&
                !por_make_image(&image, c, given->data, &t, e))
                return false;
            out->invented |= t.n > before;
            break;
        }
        default:
            break;
        }
    }
    if (uniforms) {
        out->invented = true;
        text_add(&t,
                 "uniforms outside blocks: %u words, as push constants, integers %u, floats %s\n",
                 uniforms, shape->scalar, shape->scalar ? "0.5" : "0");
    }
    if (!address_memory(&w, c, given, out, &t, e) || !take_given(c, given, e))
        return false;
    if (!own && !given->workgroups)
        text_add(&t, "dispatch: %u workgroup%s\n", c->groups[0], c->groups[0] == 1 ? "" : "s");
    out->text = t.n ? t.v : "";
    return true;
}
