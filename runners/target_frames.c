// SPDX-License-Identifier: Apache-2.0
//
// Handles a worker's frames: ready, start of a job, result of a case, end of a job. Any other frame
// means that the system under test corrupted the worker's memory.
#include "link.h"
#include "target.h"

// Checks that a result has the shape of its case: the worker's memory may be corrupted.
static bool take_result(struct run_target *t, struct slot *s, struct frame *f)
{
    if (s->got >= s->n)
        return false;
    uint32_t at = s->got;
    struct run_result got, *r = &got; // r->status etc. of a refused result must not count
    if (!get_result(f, &s->arena, r))
        return false;
    if (r->form != (r->status == RUN_OK ? t->info.form : RUN_FORM_NONE) ||
        r->memory_count != (r->form == RUN_FORM_MEMORY ? s->shape_count[at] : 0) ||
        (r->word_count != 0) != (r->form == RUN_FORM_SPIRV || r->form == RUN_FORM_LLVM_IR))
        return false;
    for (uint32_t i = 0; i < r->memory_count * (1 + r->others); i++) {
        const struct spv_memory *want = &s->shape[at][i % r->memory_count];
        struct spv_memory *m = i < r->memory_count ? &r->memory[i] : &r->other[i - r->memory_count];
        if (m->set != want->set || m->binding != want->binding || m->count != want->count)
            return false;
        m->hex = want->hex;
    }
    got.maps_lanes = t->maps_lanes;
    s->results[at] = got;
    s->got++;
    if (r->status == RUN_HUNG || r->status == RUN_DEVICE_LOST) {
        worker_stop(&t->worker, 0, NULL, 0);
        t->ready = false;
        target_skip_after(s, at);
        target_finish(t, s);
    }
    return true;
}

// False if the frame is not valid at this point.
static bool take_frame(struct run_target *t, struct frame *f)
{
    struct slot *s = target_current(t);
    if (f->kind == FRAME_READY && !t->ready) {
        if (!get_info(f, &t->info))
            return false;
        t->ready = t->opened = true;
        target_set_timeout(t, s ? t->options.job_seconds : 0);
        return true;
    }
    if (f->kind == FRAME_ALIVE)
        return t->far && t->ready && get_alive(f, &t->far_has);
    if (!t->ready || !s)
        return false;
    if (f->kind == FRAME_START && (!s->begun || t->far)) { // far: asked again on another link
        s->begun = true;
        t->lost = 0;
        target_set_timeout(t, t->options.job_seconds);
        return true;
    }
    if (f->kind == FRAME_RESULT && s->begun)
        return take_result(t, s, f);
    if (f->kind == FRAME_DONE && s->begun && s->got == s->n) {
        struct run_time late;
        late.wall = get_seconds(f);
        late.cpu = get_seconds(f);
        if (f->bad)
            return false;
        run_time_add(&s->results[s->n - 1], late);
        target_finish(t, s);
        if (t->grown)
            target_recycle(t);
        return true;
    }
    return false;
}

static void take_refused(struct run_target *t, struct frame *f)
{
    struct arena a = {0};
    char why[600];
    snprintf(why, sizeof why, "%s", get_str(f, &a));
    arena_free(&a);
    target_lose_worker(t, RUN_FAILED, why, 0);
}

// Maximum bytes of the next frame.
static uint64_t answer_limit(struct run_target *t)
{
    uint64_t limit = FRAME_ANSWER;
    const struct slot *s = target_current(t);
    const uint32_t at = s && s->got < s->n ? s->got : 0;
    for (uint32_t i = 0; s && i < s->shape_count[at]; i++)
        limit += (uint64_t)s->shape[at][i].count * sizeof(uint32_t);
    return limit;
}

void target_take_frames(struct run_target *t)
{
    struct frame f;
    bool bad = false;
    // Frames after one that ends the worker are not read.
    while (t->worker.pid && !bad && frame_next(&t->worker.in, answer_limit(t), &f, &bad)) {
        if (f.kind == FRAME_REFUSED && !t->ready)
            take_refused(t, &f);
        else if (!take_frame(t, &f))
            bad = true;
    }
    if (bad)
        target_lose_worker(t, RUN_CRASHED,
                           "the worker's answer is not valid: its memory is corrupted", 0);
}
