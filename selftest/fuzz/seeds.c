// SPDX-License-Identifier: Apache-2.0
//
// Writes initial inputs for the targets: DIR/choices (head and choice sequence), DIR/modules (head
// and words), DIR/cases (case files), DIR/frames (messages between supervisor and worker),
// DIR/links and DIR/hosts (messages of a device program, and to one), and DIR/ir (LLVM's output as
// words) if TANGLEFUZZ_PROGRAM was built with LLVM. scripts/make_seeds.sh keeps the inputs that add
// coverage.
#include "fuzz.h"
#include "runners/link.h"

#include <stdlib.h>
#include <string.h>

static bool save(struct arena *a, const char *dir, const char *kind, uint32_t seed,
                 const void *head, size_t head_size, const void *data, size_t size)
{
    struct err e = {{0}};
    const char *folder = arena_printf(a, "%s/%s", dir, kind);
    uint8_t *all = ARENA_ARRAY(a, uint8_t, head_size + size + 1);
    if (head_size)
        memcpy(all, head, head_size);
    memcpy(all + head_size, data, size);
    bool ok = dir_make(folder, &e) &&
              file_write(arena_printf(a, "%s/%u", folder, seed), all, head_size + size, &e);
    if (!ok)
        fprintf(stderr, "seeds: %s\n", e.msg);
    return ok;
}

static bool save_frames(struct arena *a, const char *dir, uint32_t seed, const struct gen_made *m)
{
    struct wire_buf b = {0};
    const struct run_options o = {.job_seconds = 60};
    const struct run_info info = {.device = "d", .driver = "d", .subgroup_size = 8};
    struct run_result r = {
        .status = RUN_OK, .form = RUN_FORM_MEMORY, .memory_count = m->cases->buffer_count};
    r.memory = ARENA_ARRAY(a, struct spv_memory, r.memory_count);
    for (uint32_t k = 0; k < r.memory_count; k++) {
        const struct spv_buffer *x = &m->cases->buffer[k];
        const uint32_t n = x->count < 16 ? x->count : 16;
        r.memory[k] =
            (struct spv_memory){.binding = k, .count = n, .words = ARENA_ARRAY(a, uint32_t, n)};
    }
    size_t at = frame_begin(&b, FRAME_OPEN);
    put_str(&b, "spirv-opt:-O");
    put_options(&b, &o);
    frame_end(&b, at);
    put_job(&b, m->cases, m->case_count, 8);
    at = frame_begin(&b, FRAME_READY);
    put_info(&b, &info);
    frame_end(&b, at);
    put_result(&b, &r);
    at = frame_begin(&b, FRAME_DONE);
    put_f64(&b, 0.5);
    put_f64(&b, 0.25);
    frame_end(&b, at);
    bool ok = save(a, dir, "frames", seed, NULL, 0, b.v, b.n);
    wire_free(&b);
    return ok;
}

// ---- a device program and its tanglefuzz (link.h)

static void put_number(struct wire_buf *b, enum frame_kind kind, uint32_t job)
{
    const size_t at = frame_begin(b, kind);
    put_u32(b, job);
    if (kind == FRAME_DONE) {
        put_f64(b, 0.5);
        put_f64(b, 0.25);
    }
    frame_end(b, at);
}

static void put_answers(struct wire_buf *b, struct arena *a, const struct fz_job *job,
                        uint32_t number, enum run_status last)
{
    put_number(b, FRAME_START, number);
    for (uint32_t i = 0; i < job->made.case_count; i++) {
        const struct spv_case *c = &job->made.cases[i];
        struct run_result r = {.status = i + 1 < job->made.case_count ? RUN_OK : last};
        if (r.status == RUN_OK) {
            r.form = RUN_FORM_MEMORY;
            r.memory_count = c->buffer_count;
            r.memory = ARENA_ARRAY(a, struct spv_memory, r.memory_count);
        }
        for (uint32_t k = 0; k < r.memory_count; k++)
            r.memory[k] =
                (struct spv_memory){.set = c->buffer[k].set,
                                    .binding = c->buffer[k].binding,
                                    .count = c->buffer[k].count,
                                    .words = ARENA_ARRAY(a, uint32_t, c->buffer[k].count)};
        const size_t at = frame_begin(b, FRAME_RESULT);
        put_u32(b, number);
        put_u32(b, i);
        put_result_fields(b, &r);
        frame_end(b, at);
    }
    put_number(b, FRAME_DONE, number);
}

static void put_hello(struct wire_buf *b)
{
    const struct run_info info = {
        .form = RUN_FORM_MEMORY, .device = "d", .driver = "d", .subgroup_size = 4};
    put_greeting(b, "a system");
    const size_t at = frame_begin(b, FRAME_READY);
    put_info(b, &info);
    frame_end(b, at);
    put_alive(b, (struct contain_processors){1, 0.5});
}

// What a device program says on several links; `seed` chooses what goes wrong, and where.
static bool save_links(struct arena *a, const char *dir, uint32_t seed)
{
    enum { KINDS = 8 };
    struct wire_buf b = {0};
    uint8_t head[2 * FZ_LINKS] = {0};
    const uint32_t how = seed % KINDS, where = seed / KINDS % FZ_JOBS;
    for (uint32_t k = 0, first = 0; k < FZ_LINKS && first < FZ_JOBS; k++) {
        const size_t begin = b.n;
        put_hello(&b);
        for (; first < FZ_JOBS; first++) {
            const enum run_status last = how == 1   ? RUN_REJECTED
                                         : how == 2 ? RUN_HUNG
                                         : how == 3 ? RUN_DEVICE_LOST
                                                    : RUN_OK;
            const bool bad = k == 0 && first == where;
            if (bad && how > 3) {
                put_number(&b, FRAME_START, first + 1);
                if (how == 4)
                    put_ended(&b,
                              &(struct link_ended){
                                  .crashed = 1,
                                  .code = 11,
                                  .text = "died of SIGSEGV",
                                  .stack = {2, {{"libc.so.6", "", 1, 2}, {"d.so", "f()", 3, 4}}},
                              });
                first += how == 4;
                break;
            }
            put_answers(&b, a, &fz_jobs()[first], first + 1, bad ? last : RUN_OK);
        }
        const size_t n = b.n - begin;
        head[2 * k] = (uint8_t)n;
        head[2 * k + 1] = (uint8_t)(n >> 8 & 127) | (uint8_t)(how == 5 && k == 0 ? 128 : 0);
    }
    const bool ok = save(a, dir, "links", seed, head, sizeof head, b.v, b.n);
    wire_free(&b);
    return ok;
}

// What a tanglefuzz says to a device program.
static bool save_hosts(struct arena *a, const char *dir, uint32_t seed, const struct gen_made *m)
{
    struct wire_buf b = {0};
    struct link_open open = {.token = "a-secret-of-the-fuzzer",
                             .silence = 5,
                             .options = {.fence_seconds = 10, .job_seconds = 60}};
    const uint8_t head = seed & 1;
    if (seed % 4 == 3)
        open.token[0] = 'A'; // another one
    put_open(&b, &open);
    for (uint32_t k = 1; k <= 2; k++) {
        struct wire_buf job = {0};
        put_job(&job, m->cases, m->case_count, 8);
        const size_t at = frame_begin(&b, FRAME_JOB);
        put_u32(&b, k);
        put_u32(&b, k == 2 && m->case_count > 1); // asked again from its second case
        put_bytes(&b, job.v + FRAME_HEAD, job.n - FRAME_HEAD);
        frame_end(&b, at);
        wire_free(&job);
    }
    const bool ok = save(a, dir, "hosts", seed, &head, 1, b.v, b.n);
    wire_free(&b);
    return ok;
}

static bool save_ir(struct arena *a, const char *dir, uint32_t seed, struct run_target *llvm,
                    const struct spv_case *c)
{
    struct run_result r;
    if (!llvm)
        return true;
    run_case(llvm, a, c, 8, &r);
    return r.form != RUN_FORM_LLVM_IR ||
           save(a, dir, "ir", seed, NULL, 0, r.words, r.word_count * 4);
}

int main(int argc, char **argv)
{
    uint32_t first, count;
    if (argc != 4 || !parse_u32(argv[2], strlen(argv[2]), &first) ||
        !parse_u32(argv[3], strlen(argv[3]), &count)) {
        fprintf(stderr, "usage: %s DIR FIRST COUNT\n", argv[0]);
        return 2;
    }
    const struct run_options o = {0};
    const char *self = getenv("TANGLEFUZZ_PROGRAM");
    struct run_target *llvm =
        self ? run_open("llvm:passes=default<O1>,judge=ir", self, &o, NULL) : NULL;
    for (uint32_t seed = first; seed - first < count; seed++) {
        struct arena a = {0};
        struct fz_case z;
        struct gen_made made;
        struct gen_choices c;
        struct rng r = {seed};
        struct err e = {{0}};
        struct text text = {.arena = &a};
        uint8_t head[FZ_HEAD];
        for (uint32_t k = 0; k < FZ_HEAD; k++)
            head[k] = (uint8_t)rng_below(&r, 256);
        fz_make(&a, head, FZ_HEAD, &z); // for the options that the head chooses
        gen_choices_seed(&c, &a, seed);
        gen_make(&c, &z.options, &made);
        if (!save(&a, argv[1], "choices", seed, head, FZ_HEAD, made.choices, made.choice_count) ||
            !save(&a, argv[1], "modules", seed, head, FZ_HEAD, made.cases->words,
                  made.cases->count * 4) ||
            !spv_case_print(fz_tools(), made.cases, &text, &e) ||
            !save(&a, argv[1], "cases", seed, NULL, 0, text.v, text.n) ||
            !save_frames(&a, argv[1], seed, &made) || !save_links(&a, argv[1], seed) ||
            !save_hosts(&a, argv[1], seed, &made) || !save_ir(&a, argv[1], seed, llvm, made.cases))
            return 2;
        arena_free(&a);
    }
    if (llvm)
        run_close(llvm);
    return 0;
}
