// SPDX-License-Identifier: Apache-2.0
//
// The buffers of a run: attaches the case's buffers to the program's variables, and collects their
// final contents.
#include "dispatch.h"

#include <string.h>

// Divides the memory of an array of buffers: sets their number and the size of each.
static bool attach_many(struct run *run, uint32_t object, const struct spv_buffer *from)
{
    const struct object *o = &run->p->objects[object];
    struct buffer_state *b = &run->buffers[object];
    b->descriptors = from->elements ? from->elements : 1;
    b->each = b->size / b->descriptors;
    if ((from->elements && !o->many) || from->count % b->descriptors ||
        (o->many && b->each > DESCRIPTOR_BYTES))
        return run_fail(
            run, RAN_INVALID,
            "variable %%%u is %s, the case has %u buffers of %u words together at %u:%u", o->id,
            o->many ? "an array of buffers of at most 64 MiB" : "one buffer", b->descriptors,
            from->count, o->set, o->binding);
    if (o->descriptors != NONE && o->descriptors > b->descriptors)
        return run_fail(run, RAN_INVALID,
                        "variable %%%u has %u descriptors, the case has %u at %u:%u", o->id,
                        o->descriptors, b->descriptors, o->set, o->binding);
    if (!o->many)
        b->each = 0;
    return true;
}

// `read_only`: at least as many bytes 0xff as any buffer has that is not written. Such a buffer is
// not copied.
static void attach(struct run *run, uint32_t object, const uint32_t *words, uint32_t count,
                   uint8_t *read_only)
{
    struct buffer_state *b = &run->buffers[object];
    const bool may_be_written = run->p->objects[object].may_be_written;
    b->size = (uint64_t)count * 4;
    b->data = may_be_written ? arena_copy(run->arena, words, b->size) : (uint8_t *)(uintptr_t)words;
    b->defined = may_be_written ? arena_room(run->arena, b->size) : read_only;
    if (may_be_written) {
        memset(b->defined, 0xff, b->size);
        const uint64_t units = b->size >> run->grain;
        b->races = arena_room(run->arena, arena_bytes(units, sizeof *b->races));
        b->raced = ARENA_ARRAY(run->arena, uint64_t, units / 64 + 1);
    }
}

// Returns the first variable that has the same binding as variable k.
static uint32_t first_on_binding(const struct orc_program *p, uint32_t k)
{
    uint32_t j = 0;
    while (p->objects[j].kind != OBJ_BUFFER || p->objects[j].set != p->objects[k].set ||
           p->objects[j].binding != p->objects[k].binding)
        j++;
    return j;
}

// Checks the size of the state of all buffers: for each byte its value and whether it is defined;
// for buffers that are written, also a race record for each word (for each byte if accesses may be
// that small).
static bool buffers_fit(struct run *run)
{
    uint64_t bytes = 0;
    for (uint32_t k = 0; k < run->p->object_count; k++) {
        const struct object *o = &run->p->objects[k];
        const uint32_t first = o->kind == OBJ_BUFFER ? first_on_binding(run->p, k) : NONE;
        const struct spv_buffer *b = first == k ? spv_buffer_at(run->c, o->set, o->binding) : NULL;
        const uint64_t size = b ? 4 * (uint64_t)b->count : 0;
        bytes += 2 * size + (o->may_be_written ? (size >> run->grain) * sizeof(struct race) : 0);
    }
    return bytes <= ORC_STATE_LIMIT ||
           run_fail(run, RAN_UNSUPPORTED,
                    "the state of the buffers needs %llu MiB, the limit is %u",
                    (unsigned long long)(bytes >> 20), (unsigned)ORC_STATE_LIMIT >> 20);
}

bool run_attach(struct run *run)
{
    const struct orc_program *p = run->p;
    const struct spv_case *c = run->c;
    run->buffers = ARENA_ARRAY(run->arena, struct buffer_state, p->object_count);
    for (uint32_t k = 0; k < p->object_count;
         k++) // a write through one variable is visible through all
        if (p->objects[k].kind == OBJ_BUFFER && p->objects[k].may_be_written)
            p->objects[first_on_binding(p, k)].may_be_written = true;
    if (!buffers_fit(run))
        return false;
    uint32_t longest = c->push_count;
    for (uint32_t k = 0; k < c->buffer_count; k++)
        longest = c->buffer[k].count > longest ? c->buffer[k].count : longest;
    uint8_t *read_only = NULL;
    for (uint32_t k = 0; k < p->object_count && !read_only; k++)
        if ((p->objects[k].kind == OBJ_PUSH || p->objects[k].kind == OBJ_BUFFER) &&
            !p->objects[k].may_be_written) {
            read_only = arena_room(run->arena, (size_t)longest * 4);
            memset(read_only, 0xff, (size_t)longest * 4);
        }
    for (uint32_t k = 0; k < p->object_count; k++) {
        const struct object *o = &p->objects[k];
        if (o->kind == OBJ_PUSH)
            attach(run, k, c->push, c->push_count, read_only);
        if (o->kind != OBJ_BUFFER && o->kind != OBJ_BOUND)
            continue;
        uint32_t at = 0;
        if ((o->kind == OBJ_BOUND || o->image) && !bind_descriptors(run, k))
            return false;
        if (o->kind == OBJ_BOUND)
            continue;
        while (at < c->buffer_count &&
               (c->buffer[at].set != o->set || c->buffer[at].binding != o->binding))
            at++;
        if (at == c->buffer_count && !o->id)
            continue; // addresses point to nothing
        if (at == c->buffer_count)
            return run_fail(run, RAN_INVALID,
                            "variable %%%u is bound to %u:%u, for which the case has no buffer",
                            o->id, o->set, o->binding);
        if (!o->image && c->buffer[at].image.count)
            return run_fail(run, RAN_INVALID,
                            "variable %%%u is a buffer, and the case has an image at %u:%u", o->id,
                            o->set, o->binding);
        const uint32_t first = first_on_binding(p, k);
        if (first == k) {
            attach(run, k, c->buffer[at].words, c->buffer[at].count, read_only);
            if (!o->image && !attach_many(run, k, &c->buffer[at]))
                return false;
            continue;
        }
        // Only allowed with a trace or if no variable writes it: a compiler may assume that the two
        // do not overlap.
        if (!run->o.trace && p->objects[first].may_be_written)
            return run_fail(run, RAN_UNSUPPORTED,
                            "two variables on binding %u:%u, one of them written", o->set,
                            o->binding);
        run->buffers[k] = run->buffers[first];
        if (o->image ? !bind_descriptors(run, k) : !attach_many(run, k, &c->buffer[at]))
            return false;
    }
    return true;
}

// True if the module logged something else than its actual invocations (spirv_stage.h). The lanes
// that took part in the first ballot may be undefined (R14); everything else must be defined.
static bool logs_other(const struct run *run, struct arena *a, const struct spv_memory *logged,
                       const uint8_t *defined)
{
    const struct orc_coverage *v = run->coverage;
    const uint32_t masks = spv_coverage_mask(v->size), row = spv_coverage_row(v->size);
    uint32_t *want = ARENA_ARRAY(a, uint32_t, logged->count);
    orc_coverage_words(v, want, logged->count);
    for (uint32_t w = 0; w < logged->count; w++) {
        const uint32_t at = w < SPV_COVERAGE_HEAD ? 0 : (w - SPV_COVERAGE_HEAD) % row;
        uint32_t known = UINT32_MAX;
        if (defined)
            memcpy(&known, defined + (size_t)w * 4, sizeof known);
        if (((logged->words[w] ^ want[w]) & known) ||
            (known != UINT32_MAX && (at < 1 || at > masks)))
            return true;
    }
    return false;
}

void run_collect(const struct run *run, struct arena *a, struct orc_result *out)
{
    const struct spv_case *c = run->c;
    out->memory = ARENA_ARRAY(a, struct spv_memory, c->buffer_count);
    out->memory_count = c->buffer_count;
    for (uint32_t k = 0; k < c->buffer_count; k++) {
        struct spv_memory *to = &out->memory[k];
        *to = (struct spv_memory){
            .set = c->buffer[k].set, .binding = c->buffer[k].binding, .count = c->buffer[k].count};
        const void *words = c->buffer[k].words;
        const uint8_t *defined = NULL;
        bool written = false;
        for (uint32_t j = 0; j < run->p->object_count; j++) {
            const struct object *o = &run->p->objects[j];
            if (o->kind != OBJ_BUFFER || o->set != to->set || o->binding != to->binding)
                continue;
            const struct buffer_state *b = &run->buffers[j];
            words = b->data;
            written |= b->races != NULL;
            if (b->races && b->size && memchr(b->defined, 0, b->size))
                defined = b->defined;
        }
        if (run->o.trace && !written) { // the same memory as the case's
            to->words = c->buffer[k].words;
            continue;
        }
        to->words = arena_copy(a, words, (size_t)to->count * 4);
        if (run->coverage && to->set == c->coverage_set && to->binding == c->coverage_binding) {
            out->logs_other = logs_other(run, a, to, defined);
            orc_coverage_words(run->coverage, to->words,
                               to->count); // the coverage of this prediction
            continue;
        }
        if (defined)
            to->mask = arena_copy(a, defined, (size_t)to->count * 4);
        for (uint32_t w = 0; defined && w < to->count; w++)
            to->words[w] &= to->mask[w];
    }
}
