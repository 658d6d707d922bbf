// SPDX-License-Identifier: Apache-2.0
//
// The frames of link.h, for both sides.
#include "link.h"

#include <string.h>

uint32_t link_layout(void)
{
    const uint64_t parts[] = {
        sizeof(struct run_info),
        sizeof(struct spv_image_form),
        sizeof(struct run_origin),
        offsetof(struct run_info, offers),
        (uint64_t)SPV_ALL_NEEDS,
        RUN_STATUSES,
        RUN_FORMS,
        SPV_STAGES,
        SPV_TEXELS,
        SPV_CASE_BUFFERS,
        SPV_CASE_SPECS,
        SPV_CASE_IMAGES,
    };
    uint32_t h = 2166136261u; // FNV-1a
    for (size_t i = 0; i < sizeof parts / sizeof *parts; i++)
        for (int k = 0; k < 64; k += 8)
            h = (h ^ (uint32_t)(parts[i] >> k & 255)) * 16777619u;
    return h;
}

static void get_line(struct frame *f, char *out, size_t size)
{
    struct arena a = {0};
    const char *s = get_str(f, &a);
    one_line(out, size, s, strlen(s));
    arena_free(&a);
}

void put_greeting(struct wire_buf *b, const char *system)
{
    const size_t begin = frame_begin(b, FRAME_GREET);
    put_u32(b, LINK_VERSION);
    put_u32(b, link_layout());
    put_str(b, version_number());
    put_str(b, system);
    frame_end(b, begin);
}

bool get_greeting(struct frame *f, struct link_greeting *out, struct err *e)
{
    if (f->kind != FRAME_GREET)
        return err_set(e, "the link does not begin with the greeting of tanglefuzz-device");
    *out = (struct link_greeting){.version = get_u32(f)};
    if (f->bad || out->version != LINK_VERSION)
        return err_set(e,
                       "tanglefuzz-device speaks version %u of the protocol, this tanglefuzz "
                       "version %d: build both from the same source",
                       out->version, (int)LINK_VERSION);
    out->layout = get_u32(f);
    get_line(f, out->program, sizeof out->program);
    get_line(f, out->system, sizeof out->system);
    if (f->bad || f->p != f->end || out->layout != link_layout())
        return err_set(e,
                       "tanglefuzz-device %s lays out its frames differently: build it and "
                       "tanglefuzz from the same source",
                       out->program);
    return true;
}

void put_open(struct wire_buf *b, const struct link_open *o)
{
    const size_t begin = frame_begin(b, FRAME_OPEN);
    put_str(b, o->token);
    put_f64(b, o->silence);
    put_options(b, &o->options);
    frame_end(b, begin);
}

bool get_open(struct frame *f, struct link_open *out)
{
    *out = (struct link_open){0};
    get_line(f, out->token, sizeof out->token);
    out->silence = get_seconds(f);
    get_options(f, &out->options);
    const struct run_options *o = &out->options;
    return !f->bad && f->p == f->end && out->silence > 0 && o->fence_seconds > 0 &&
           o->fence_seconds < 1e6 && o->job_seconds > 0;
}

void put_ended(struct wire_buf *b, const struct link_ended *x)
{
    const size_t begin = frame_begin(b, FRAME_ENDED);
    put_u32(b, x->crashed);
    put_u32(b, x->code);
    put_str(b, x->text);
    put_u32(b, x->stack.count);
    for (uint32_t i = 0; i < x->stack.count; i++) {
        const struct link_frame *at = &x->stack.frame[i];
        put_str(b, at->module);
        put_str(b, at->function);
        put_u64(b, at->start);
        put_u64(b, at->at);
    }
    frame_end(b, begin);
}

bool get_ended(struct frame *f, struct link_ended *out)
{
    *out = (struct link_ended){.crashed = get_u32(f) != 0};
    out->code = get_u32(f);
    get_line(f, out->text, sizeof out->text);
    out->stack.count = get_u32(f);
    if (out->stack.count > LINK_FRAMES)
        return false;
    for (uint32_t i = 0; i < out->stack.count; i++) {
        struct link_frame *at = &out->stack.frame[i];
        get_line(f, at->module, sizeof at->module);
        get_line(f, at->function, sizeof at->function);
        at->start = get_u64(f);
        at->at = get_u64(f);
    }
    return !f->bad && f->p == f->end;
}

const char *link_stack_text(struct arena *a, const struct link_stack *s)
{
    struct text t = {.arena = a};
    for (uint32_t i = 0; i < s->count; i++) {
        const struct link_frame *at = &s->frame[i];
        text_add(&t, "#%-2u 0x%016llx in %s () from %s\n", i, (unsigned long long)at->at,
                 at->function[0] ? at->function : "??", at->module);
    }
    return t.n ? t.v : NULL;
}

void put_alive(struct wire_buf *b, struct contain_processors has)
{
    const size_t begin = frame_begin(b, FRAME_ALIVE);
    put_f64(b, has.used);
    put_f64(b, has.lacked);
    frame_end(b, begin);
}

bool get_alive(struct frame *f, struct contain_processors *out)
{
    out->used = get_seconds(f);
    out->lacked = get_seconds(f);
    return !f->bad && f->p == f->end;
}
