// SPDX-License-Identifier: Apache-2.0
//
// What a tanglefuzz elsewhere sends, as any bytes: tanglefuzz-device reads them. Without the right
// token it must not open the device; each job that it accepts must be answered case by case.
//
// Input: a byte, whose lowest bit says that a token is needed, then frames. Seeds: frames of a
// tanglefuzz.
#define _GNU_SOURCE
#include "fuzz.h"

#include "device/device_parts.h"
#include "device/system.h"

#include <pthread.h>
#include <setjmp.h>
#include <stdlib.h>
#include <string.h>

static const char secret[] = "a-secret-of-the-fuzzer";

static struct {
    const uint8_t *data;
    size_t size;
    bool fed, token;
    jmp_buf end;
    struct wire_buf out;
    volatile uint32_t sum; // of all words of the cases: each is read
} world;

TF_NORETURN static void fz_leave(int status)
{
    longjmp(world.end, status + 1);
}

static size_t fz_read(void *v, size_t size)
{
    (void)v, (void)size;
    return 0; // the bytes are there before the reading thread would begin
}

static bool fz_write(const void *v, size_t size)
{
    put_bytes(&world.out, v, size);
    return true;
}

static void fz_sleep(double seconds)
{
    (void)seconds;
}

static const char *fz_name(void)
{
    return "a system";
}

// The reasons for leaving are not printed.
TF_PRINTF(2, 3) static void fz_say(FILE *f, const char *fmt, ...)
{
    (void)f, (void)fmt;
}

static int fz_thread(pthread_t *t, const pthread_attr_t *how, void *(*run)(void *), void *of)
{
    (void)t, (void)how, (void)run, (void)of;
    return 0;
}

static int fz_wait(pthread_cond_t *c, pthread_mutex_t *m);

static bool fz_instance(struct vk_instance *v, struct arena *a, bool validate, struct err *e)
{
    (void)v, (void)a, (void)validate, (void)e;
    return true;
}

static bool fz_device(struct vk_device *d, struct arena *a, const struct vk_spec *spec,
                      struct err *e)
{
    (void)a, (void)spec, (void)e;
    d->info = (struct run_info){.device = "d", .driver = "d", .subgroup_size = 8};
    return true;
}

static uint32_t sum(const uint32_t *v, size_t n)
{
    uint32_t s = 0;
    for (size_t i = 0; i < n; i++)
        s += v[i];
    return s;
}

// Reads all of the job, as a driver does, and answers with the memory as it came.
static bool fz_run(struct vk_device *d, struct arena *a, const struct run_job *job,
                   struct run_sink *sink)
{
    (void)d;
    for (uint32_t i = 0; i < job->n; i++) {
        const struct spv_case *c = &job->cases[i];
        struct run_result r = {.status = RUN_OK, .form = RUN_FORM_MEMORY};
        r.memory = ARENA_ARRAY(a, struct spv_memory, c->buffer_count);
        r.memory_count = c->buffer_count;
        world.sum += sum(c->words, c->count);
        for (uint32_t k = 0; k < c->buffer_count; k++) {
            const struct spv_buffer *b = &c->buffer[k];
            if (b->count > 1 << 20)
                r.memory_count = 0; // takes too long
            if (b->fill != SPV_FILL_ZERO)
                world.sum += sum(b->words, b->count);
        }
        for (uint32_t k = 0; k < r.memory_count; k++)
            r.memory[k] =
                (struct spv_memory){.set = c->buffer[k].set,
                                    .binding = c->buffer[k].binding,
                                    .count = c->buffer[k].count,
                                    .words = ARENA_ARRAY(a, uint32_t, c->buffer[k].count)};
        if (!r.memory_count)
            r = (struct run_result){.status = RUN_SKIPPED};
        sink->result(sink, &r);
    }
    return true;
}

#define fprintf           fz_say
#define system_leave      fz_leave
#define system_read       fz_read
#define system_write      fz_write
#define system_sleep      fz_sleep
#define system_name       fz_name
#define pthread_create    fz_thread
#define pthread_cond_wait fz_wait
#define vk_instance_open  fz_instance
#define vk_device_open    fz_device
#define vk_run            fz_run
#include "device/device_serve.c"

// The device program waits for bytes: all of them, and then their end.
static int fz_wait(pthread_cond_t *c, pthread_mutex_t *m)
{
    (void)c;
    if (world.fed) {
        pthread_mutex_unlock(m);
        fz_leave(0);
    }
    world.fed = true;
    put_bytes(&inbox.bytes, world.data, world.size);
    return 0;
}

static void check_answers(void)
{
    struct arena a = {0};
    struct frame f;
    bool bad = false, ready = false;
    uint32_t job = 0, at = 0;
    while (frame_next(&world.out, FRAME_LIMIT, &f, &bad)) {
        struct link_greeting hello;
        struct run_result r;
        struct err e = {0};
        arena_reset(&a);
        switch (f.kind) {
        case FRAME_GREET:
            CHECK(get_greeting(&f, &hello, &e));
            break;
        case FRAME_READY:
            CHECK(!ready && (!world.token || strcmp(serving.open.token, secret) == 0));
            ready = true;
            break;
        case FRAME_START:
            CHECK(ready);
            job = get_u32(&f);
            at = UINT32_MAX;
            break;
        case FRAME_RESULT: {
            CHECK(ready && get_u32(&f) == job);
            const uint32_t which = get_u32(&f);
            CHECK(at == UINT32_MAX || which == at);
            at = which + 1;
            CHECK(get_result(&f, &a, &r));
            break;
        }
        case FRAME_DONE:
            CHECK(ready && get_u32(&f) == job && get_seconds(&f) >= 0);
            break;
        default:
            CHECK(f.kind == FRAME_REFUSED && !ready);
        }
    }
    CHECK(!bad);
    arena_free(&a);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    static const struct vk_spec spec;
    if (!size)
        return 0;
    world.token = data[0] & 1;
    world.data = data + 1;
    world.size = size - 1;
    world.fed = false;
    world.out.at = world.out.n = 0;
    inbox.bytes.at = inbox.bytes.n = 0;
    if (setjmp(world.end) == 0)
        device_serve(&spec, &(struct device_use){0}, world.token ? secret : NULL);
    check_answers();
    arena_free(&serving.arena);
    arena_free(&serving.kept);
    wire_free(&serving.out);
    free(serving.device);
    memset(&serving, 0, sizeof serving);
    return 0;
}
