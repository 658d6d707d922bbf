// SPDX-License-Identifier: Apache-2.0
//
// Runs that were made before: the same program with the same inputs and options leaves the same
// result, so it is not run again. Different questions about one shape of inputs, and shapes that
// differ in nothing that the module has, repeat many runs.
#include "ask.h"

#include <string.h>

enum { ROOM = 24 << 20 }; // bytes of results that are kept; further ones are not

struct por_kept {
    struct por_run_key key;
    struct por_ran ran;
    struct orc_raced raced;
    bool *own; // [buffer] the run did not write it: its words are those of the inputs
    const struct por_kept *next;
};

static uint64_t hash_more(uint64_t h, const void *data, size_t size)
{
    return size ? hash64_with(h, data, size) : hash64_with(h, "", 1);
}

static uint64_t hash_form(uint64_t h, const struct spv_image_form *f)
{
    const uint32_t all[] = {(uint32_t)f->shape, f->size[0], f->size[1],        f->size[2],
                            f->layers,          f->count,   (uint32_t)f->texel};
    return hash_more(h, all, sizeof all);
}

// All of a case that a run depends on, but for its module and its model.
static uint64_t hash_inputs(uint64_t h, const struct spv_case *c)
{
    const uint32_t counts[] = {c->groups[0],    c->groups[1],   c->groups[2],     c->push_count,
                               c->buffer_count, c->image_count, c->sampler_count, c->spec_count};
    h = hash_more(h, counts, sizeof counts);
    h = hash_more(h, c->push, c->push_count * sizeof *c->push);
    for (uint32_t k = 0; k < c->spec_count; k++)
        h = hash_more(h, (const uint32_t[]){c->spec[k].id, c->spec[k].value}, 8);
    for (uint32_t k = 0; k < c->buffer_count; k++) {
        const struct spv_buffer *b = &c->buffer[k];
        const uint32_t what[] = {b->set, b->binding, b->count, b->elements};
        h = hash_form(hash_more(h, what, sizeof what), &b->image);
        h = hash_more(h, b->words, b->count * sizeof *b->words);
    }
    for (uint32_t k = 0; k < c->image_count; k++) {
        const struct spv_image *x = &c->image[k];
        const uint32_t what[] = {x->set, x->binding, x->levels};
        h = hash_form(hash_more(h, what, sizeof what), &x->form);
        h = hash_more(h, x->values, spv_image_values(x) * sizeof *x->values);
    }
    for (uint32_t k = 0; k < c->sampler_count; k++) {
        const struct spv_sampler *x = &c->sampler[k];
        const uint32_t what[] = {x->set, x->binding, x->count, x->linear};
        h = hash_more(h, what, sizeof what);
        h = hash_more(h, x->lod, 2 * x->count * sizeof *x->lod);
    }
    return h;
}

bool por_run_key(struct por_table *b, uint32_t k, uint32_t size, const struct orc_options *how,
                 struct por_run_key *out)
{
    const bool anew = b->given->made && b->given->made->anew;
    if (how->policy || how->lanes || !b->p[k] || anew)
        return false;
    if (!b->runs.hashed)
        for (uint32_t j = 0; j < 2; j++)
            b->runs.inputs[j] = hash_inputs(j, &b->c[k]);
    b->runs.hashed = true;
    const bool flags[] = {b->forgive, b->forgive && b->loads_end, how->any_policy, how->relaxed,
                          how->elects};
    *out = (struct por_run_key){
        .made_up = b->made_up, .model = k, .size = size, .order = how->order ? how->order : 1};
    memcpy(out->inputs, b->runs.inputs, sizeof out->inputs);
    for (uint32_t j = 0; j < sizeof flags / sizeof *flags; j++)
        out->flags |= (uint32_t)flags[j] << j;
    return true;
}

bool por_run_again(struct por_table *b, const struct por_run_key *key, struct arena *in,
                   struct por_ran *out)
{
    const struct por_kept *x = b->runs.last;
    while (x && memcmp(&x->key, key, sizeof *key) != 0)
        x = x->next;
    if (!x)
        return false;
    *out = x->ran;
    out->t.arena = in;
    b->raced = x->raced;
    b->raced.arena = &b->races;
    if (!x->ran.r.memory)
        return true;
    out->r.memory = arena_copy(in, x->ran.r.memory, out->r.memory_count * sizeof *out->r.memory);
    for (uint32_t j = 0; j < out->r.memory_count; j++)
        if (x->own[j])
            out->r.memory[j].words = b->c[key->model].buffer[j].words;
    return true;
}

static void *copy(struct arena *a, const void *data, size_t size)
{
    return data ? arena_copy(a, data, size) : NULL;
}

// The bytes of a result's memory that are to be kept.
static uint64_t bytes_of(const struct por_table *b, uint32_t k, const struct por_ran *x)
{
    uint64_t n = sizeof(struct por_kept) + b->w.m->block_count * 2 + b->w.m->inst_count * 6;
    for (uint32_t j = 0; x->r.memory && j < x->r.memory_count; j++) {
        const struct spv_memory *m = &x->r.memory[j];
        const uint64_t size = m->count * sizeof *m->words;
        n += m->words != b->c[k].buffer[j].words ? size : 0;
        n += m->mask ? size : 0;
        n += x->t.words && x->t.words[j] ? size : 0;
    }
    return n;
}

void por_run_keep(struct por_table *b, const struct por_run_key *key, const struct por_ran *x)
{
    struct arena *a = &b->runs.all;
    const struct spv_buffer *own = b->c[key->model].buffer;
    const uint32_t blocks = b->w.m->block_count, insts = b->w.m->inst_count;
    if (a->used + bytes_of(b, key->model, x) > ROOM)
        return;
    struct por_kept *to = ARENA_NEW(a, struct por_kept);
    *to = (struct por_kept){.key = *key, .ran = *x, .raced = b->raced, .next = b->runs.last};
    to->ran.t.ran = copy(a, x->t.ran, blocks * sizeof *x->t.ran);
    to->ran.t.unpromised = copy(a, x->t.unpromised, blocks * sizeof *x->t.unpromised);
    to->ran.t.updated_by = copy(a, x->t.updated_by, insts * sizeof *x->t.updated_by);
    to->raced.insts = copy(a, b->raced.insts, insts * sizeof *b->raced.insts);
    to->raced.carries = copy(a, b->raced.carries, insts * sizeof *b->raced.carries);
    to->raced.place = NULL; // for the second run of por_run only
    to->raced.count = to->raced.room = 0;
    const uint32_t n = x->r.memory ? x->r.memory_count : 0;
    to->ran.r.memory = copy(a, x->r.memory, n * sizeof *x->r.memory);
    to->ran.t.words = copy(a, x->t.words, n * sizeof *x->t.words);
    to->own = ARENA_ARRAY(a, bool, n);
    for (uint32_t j = 0; j < n; j++) {
        struct spv_memory *m = &to->ran.r.memory[j];
        const size_t size = m->count * sizeof *m->words;
        to->own[j] = m->words == own[j].words;
        m->words = to->own[j] ? NULL : copy(a, m->words, size);
        m->mask = copy(a, m->mask, size);
        if (to->ran.t.words)
            to->ran.t.words[j] = copy(a, to->ran.t.words[j], size);
    }
    b->runs.last = to;
}

static uint64_t hash_array(uint64_t h, const void *data, size_t size)
{
    return hash_more(h, data, data ? size : 0);
}

void por_run_note(struct por_table *b, const struct por_ran *x, bool found)
{
    struct por_runs_made *to = b->given->made;
    const uint32_t blocks = b->w.m->block_count, insts = b->w.m->inst_count;
    const uint64_t counts[] = {
        x->r.why.status, x->r.why.at,    x->r.stats.lane_steps, x->r.memory_count, x->t.fault.birth,
        x->t.fault.inst, x->t.atomics,   x->t.belows,           x->t.outside,      x->t.other_inst,
        b->raced.found,  b->raced.taint, x->r.doubt_order,      x->r.doubt_scope,  x->t.byte,
        x->t.variable};
    uint64_t h = hash_more(to->digest, counts, sizeof counts);
    h = hash_array(h, x->t.ran, blocks * sizeof *x->t.ran);
    h = hash_array(h, x->t.unpromised, blocks * sizeof *x->t.unpromised);
    h = hash_array(h, x->t.updated_by, insts * sizeof *x->t.updated_by);
    h = hash_array(h, b->raced.insts, insts * sizeof *b->raced.insts);
    h = hash_array(h, b->raced.carries, insts * sizeof *b->raced.carries);
    for (uint32_t k = 0; x->r.memory && k < x->r.memory_count; k++) {
        const struct spv_memory *m = &x->r.memory[k];
        h = hash_array(h, m->words, m->count * sizeof *m->words);
        h = hash_array(h, m->mask, m->count * sizeof *m->mask);
        if (x->t.words)
            h = hash_array(h, x->t.words[k], m->count * sizeof **x->t.words);
    }
    to->digest = h;
    to->looked_up += found;
}
