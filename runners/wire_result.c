// SPDX-License-Identifier: Apache-2.0
//
// Encodes and decodes results, options and the properties of a target.
#include "wire.h"

#include <string.h>

enum { ORIGIN_WORDS = sizeof(struct run_origin) / sizeof(uint32_t) };

static void put_memory(struct wire_buf *b, const struct spv_memory *m, uint32_t n)
{
    for (uint32_t i = 0; i < n; i++) {
        put_u32(b, m[i].set);
        put_u32(b, m[i].binding);
        put_u32(b, m[i].count);
        put_bytes(b, m[i].words, m[i].count * sizeof(uint32_t));
    }
}

static struct spv_memory *get_memory(struct frame *f, struct arena *a, uint32_t n)
{
    struct spv_memory *m = ARENA_ARRAY(a, struct spv_memory, n);
    for (uint32_t i = 0; i < n; i++) {
        m[i].set = get_u32(f);
        m[i].binding = get_u32(f);
        m[i].count = get_u32(f);
        m[i].words = get_words(f, a, m[i].count);
    }
    return m;
}

#define UNSET (UINT32_C(1) << 31) // in the number of other memories: a line follows

void put_result_fields(struct wire_buf *b, const struct run_result *r)
{
    put_u32(b, r->status);
    put_str(b, r->text);
    put_f64(b, r->driver_seconds);
    put_f64(b, r->driver_cpu);
    put_u32(b, r->after_passes);
    put_u32(b, r->form);
    put_u32(b, r->memory_count);
    put_u32(b, r->others | (r->unset_line ? UNSET : 0));
    if (r->unset_line)
        put_u32(b, r->unset_line);
    put_u32(b, r->uneven_line);
    put_memory(b, r->memory, r->memory_count);
    put_memory(b, r->other, r->memory_count * r->others);
    for (uint32_t i = 0; i < r->memory_count; i++) {
        const struct run_origin *o = r->origin ? r->origin[i] : NULL;
        put_u32(b, o != NULL);
        if (o)
            put_bytes(b, o, r->memory[i].count * sizeof *o);
    }
    put_u32(b, r->early_line);
    put_memory(b, r->prompt, r->early_line ? r->memory_count : 0);
    put_u32(b, (uint32_t)r->word_count);
    if (r->word_count)
        put_bytes(b, r->words, r->word_count * sizeof(uint32_t));
    put_str(b, r->driver_text ? r->driver_text : "");
    put_str(b, r->printed ? r->printed : "");
    put_str(b, r->backtrace ? r->backtrace : "");
    put_u64(b, r->crash_site);
}

void put_result(struct wire_buf *b, const struct run_result *r)
{
    size_t begin = frame_begin(b, FRAME_RESULT);
    put_result_fields(b, r);
    frame_end(b, begin);
}

bool get_result(struct frame *f, struct arena *a, struct run_result *out)
{
    *out = (struct run_result){0};
    uint32_t status = get_u32(f);
    out->status = (enum run_status)status;
    snprintf(out->text, sizeof out->text, "%s", get_str(f, a));
    out->driver_seconds = get_seconds(f);
    out->driver_cpu = get_seconds(f);
    out->after_passes = get_u32(f) != 0;
    uint32_t form = get_u32(f);
    out->form = (enum run_form)form;
    out->memory_count = get_u32(f);
    const uint32_t others = get_u32(f);
    out->unset_line = others & UNSET ? get_u32(f) : 0;
    out->others = others & ~UNSET;
    out->uneven_line = get_u32(f);
    if (f->bad || status >= RUN_STATUSES || form >= RUN_FORMS ||
        out->memory_count > SPV_CASE_BUFFERS || out->others > RUN_OTHERS)
        return false;
    out->memory = get_memory(f, a, out->memory_count);
    out->other = get_memory(f, a, out->memory_count * out->others);
    for (uint32_t i = 0; i < out->memory_count; i++) {
        if (!get_u32(f))
            continue;
        if (!out->origin)
            out->origin = ARENA_ARRAY(a, const struct run_origin *, out->memory_count);
        if (out->memory[i].count <= UINT32_MAX / ORIGIN_WORDS)
            out->origin[i] =
                (const struct run_origin *)get_words(f, a, out->memory[i].count * ORIGIN_WORDS);
        else
            f->bad = true;
    }
    out->early_line = get_u32(f);
    out->prompt = out->early_line ? get_memory(f, a, out->memory_count) : NULL;
    for (uint32_t i = 0; out->prompt && i < out->memory_count; i++)
        f->bad |= out->prompt[i].count != out->memory[i].count;
    out->word_count = get_u32(f);
    if (out->word_count)
        out->words = get_words(f, a, out->word_count);
    const char *text = get_str(f, a), *printed = get_str(f, a), *stack = get_str(f, a);
    out->driver_text = text[0] ? text : NULL;
    out->printed = printed[0] ? printed : NULL;
    out->backtrace = stack[0] ? stack : NULL;
    out->crash_site = get_u64(f);
    return !f->bad && f->p == f->end;
}

void put_options(struct wire_buf *b, const struct run_options *o)
{
    put_u32(b, o->validate);
    put_f64(b, o->fence_seconds);
    put_f64(b, o->job_seconds);
    put_u32(b, o->memory_mib);
    put_u32(b, o->driver_text);
}

void get_options(struct frame *f, struct run_options *o)
{
    *o = (struct run_options){.validate =
                                  get_u32(f) != 0}; // a chain's own workers run without a debugger
    o->fence_seconds = get_f64(f);
    o->job_seconds = get_f64(f);
    o->memory_mib = get_u32(f);
    o->driver_text = get_u32(f) != 0;
}

// ---- target properties ------------------------------------------------------

// True if the byte is a valid bool. Reading another value as bool would be undefined behaviour.
static bool get_bool(const uint8_t *raw, size_t at)
{
    return raw[at] <= 1;
}

static bool raw_info_ok(const uint8_t *raw, size_t at)
{
    uint32_t form;
    spv_needs offers;
    memcpy(&form, raw + at + offsetof(struct run_info, form), sizeof form);
    memcpy(&offers, raw + at + offsetof(struct run_info, offers), sizeof offers);
    return form < RUN_FORMS && !(offers & ~SPV_ALL_NEEDS) &&
           get_bool(raw, at + offsetof(struct run_info, has_driver_text));
}

static void end_info(struct run_info *i)
{
    i->device[sizeof i->device - 1] = 0;
    i->driver[sizeof i->driver - 1] = 0;
}

void put_info(struct wire_buf *b, const struct run_info *i)
{
    put_bytes(b, i, sizeof *i);
}

bool get_info(struct frame *f, struct run_info *out)
{
    uint8_t raw[sizeof *out];
    get_bytes(f, raw, sizeof raw);
    if (f->bad || f->p != f->end || !raw_info_ok(raw, 0))
        return false;
    memcpy(out, raw, sizeof raw);
    end_info(out);
    return true;
}

void put_listed(struct wire_buf *b, const struct run_listed *r)
{
    put_bytes(b, r, sizeof *r);
}

bool get_listed(struct frame *f, struct run_listed *out)
{
    uint8_t raw[sizeof *out];
    get_bytes(f, raw, sizeof raw);
    if (f->bad || f->p != f->end || !get_bool(raw, offsetof(struct run_listed, usable)) ||
        !raw_info_ok(raw, offsetof(struct run_listed, info)))
        return false;
    memcpy(out, raw, sizeof raw);
    out->spec[sizeof out->spec - 1] = out->why[sizeof out->why - 1] = 0;
    end_info(&out->info);
    return true;
}
