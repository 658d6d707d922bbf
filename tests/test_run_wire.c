// SPDX-License-Identifier: Apache-2.0
//
// Frames: what is put is what is got; bytes that are cut or damaged are refused
// and never read beyond.
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "runners/output.h"
#include "runners/wire.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

static struct spv_case a_case(struct arena *a, uint32_t seed, uint32_t buffers)
{
    struct spv_case c = {.groups = {seed + 1, 2, 3}, .subgroup = 8, .model = SPV_ASSUMED_MAXIMAL};
    static const uint32_t words[] = {0x07230203, 0x10600, 0, 1, 0};
    c.words = words;
    c.count = 5;
    c.push_count = seed % 4;
    for (uint32_t i = 0; i < c.push_count; i++)
        c.push[i] = seed + i;
    c.spec_count = seed % 3;
    for (uint32_t i = 0; i < c.spec_count; i++)
        c.spec[i] = (struct spv_spec){.id = i, .value = seed, .type = "u32"};
    c.buffer_count = buffers;
    for (uint32_t i = 0; i < buffers; i++) {
        struct spv_buffer *b = &c.buffer[i];
        b->set = i / 2;
        b->binding = i;
        b->fill = i % 2 ? SPV_FILL_ZERO : SPV_FILL_SEED;
        b->count = i * 3 + 1;
        b->words = ARENA_ARRAY(a, uint32_t, b->count);
        if (b->fill == SPV_FILL_SEED)
            for (uint32_t k = 0; k < b->count; k++)
                b->words[k] = seed * 100 + k;
    }
    return c;
}

static void assert_same_case(const struct spv_case *x, const struct spv_case *y)
{
    assert_int_equal(x->count, y->count);
    assert_memory_equal(x->words, y->words, x->count * sizeof(uint32_t));
    assert_memory_equal(x->groups, y->groups, sizeof x->groups);
    assert_int_equal(x->subgroup, y->subgroup);
    assert_int_equal(x->model, y->model);
    assert_int_equal(x->push_count, y->push_count);
    assert_memory_equal(x->push, y->push, x->push_count * sizeof(uint32_t));
    assert_int_equal(x->spec_count, y->spec_count);
    for (uint32_t i = 0; i < x->spec_count; i++) {
        assert_int_equal(x->spec[i].id, y->spec[i].id);
        assert_int_equal(x->spec[i].value, y->spec[i].value);
    }
    assert_int_equal(x->buffer_count, y->buffer_count);
    for (uint32_t i = 0; i < x->buffer_count; i++) {
        const struct spv_buffer *p = &x->buffer[i], *q = &y->buffer[i];
        assert_int_equal(p->set, q->set);
        assert_int_equal(p->binding, q->binding);
        assert_int_equal(p->count, q->count);
        assert_int_equal(p->fill == SPV_FILL_ZERO, q->fill == SPV_FILL_ZERO);
        if (p->fill != SPV_FILL_ZERO)
            assert_memory_equal(p->words, q->words, p->count * sizeof(uint32_t));
    }
}

static void make_job(struct arena *a, struct wire_buf *b, struct spv_case cases[3])
{
    // The second differs in inputs alone, the third in everything.
    cases[0] = a_case(a, 5, 4);
    cases[1] = a_case(a, 5, 4);
    cases[1].buffer[0].words[0] = 99;
    cases[1].push[0] = 98;
    cases[2] = a_case(a, 6, 7);
    put_job(b, cases, 3, 16);
    assert_true(b->n - b->at <= wire_job_size(cases, 3));
}

static void test_job_round_trip(void **state)
{
    (void)state;
    struct arena a = {0};
    struct wire_buf b = {0};
    struct spv_case cases[3];
    make_job(&a, &b, cases);
    struct frame f;
    bool bad;
    assert_true(frame_next(&b, FRAME_LIMIT, &f, &bad));
    assert_int_equal(f.kind, FRAME_JOB);
    struct run_job job;
    assert_true(get_job(&f, &a, &job));
    assert_int_equal(job.n, 3);
    assert_int_equal(job.subgroup, 16);
    for (int i = 0; i < 3; i++)
        assert_same_case(&cases[i], &job.cases[i]);
    assert_int_equal(b.at, b.n);
    wire_free(&b);
    arena_free(&a);
}

static struct run_result a_result(struct arena *a)
{
    struct run_result r = {.status = RUN_CRASHED, .driver_seconds = 1.25, .driver_cpu = 0.75, .memory_count = 3, .uneven_line = 77,
                           .after_passes = true, .unset_line = 41};
    snprintf(r.text, sizeof r.text, "it fell over");
    r.memory = ARENA_ARRAY(a, struct spv_memory, 3);
    for (uint32_t i = 0; i < 3; i++) {
        uint32_t words[3] = {i, 2, 3};
        r.memory[i] = (struct spv_memory){
            .set = i, .binding = 7, .count = i + 1, .words = arena_copy(a, words, sizeof words)};
    }
    static const struct run_origin origin[] = {{.line = 7, .store = 9, .lanes = {5, 1u << 31}}, {.store = 10}};
    r.origin = ARENA_ARRAY(a, const struct run_origin *, 3);
    r.origin[1] = origin;
    r.early_line = 12;
    r.prompt = arena_copy(a, r.memory, 3 * sizeof *r.memory);
    static uint32_t other[] = {9, 8, 7};
    r.prompt[2].words = other;
    return r;
}

static void test_result_round_trip(void **state)
{
    (void)state;
    struct arena a = {0};
    struct wire_buf b = {0};
    struct run_result r = a_result(&a), got;
    put_result(&b, &r);
    struct frame f;
    bool bad;
    assert_true(frame_next(&b, FRAME_LIMIT, &f, &bad));
    assert_true(get_result(&f, &a, &got));
    assert_int_equal(got.status, RUN_CRASHED);
    assert_string_equal(got.text, "it fell over");
    assert_true(got.driver_seconds == 1.25 && got.driver_cpu == 0.75);
    assert_int_equal(got.memory_count, 3);
    assert_int_equal(got.uneven_line, 77);
    assert_true(got.after_passes && got.unset_line == 41);
    for (uint32_t i = 0; i < 3; i++) {
        assert_int_equal(got.memory[i].set, i);
        assert_int_equal(got.memory[i].count, i + 1);
        assert_memory_equal(got.memory[i].words, r.memory[i].words, (i + 1) * sizeof(uint32_t));
        assert_null(got.memory[i].mask);
    }
    assert_non_null(got.origin);
    assert_int_equal(got.early_line, 12);
    assert_memory_equal(got.prompt[2].words, r.prompt[2].words, 3 * sizeof(uint32_t));
    assert_int_equal(got.prompt[1].words[0], 1);
    assert_true(!got.origin[0] && !got.origin[2]);
    assert_memory_equal(got.origin[1], r.origin[1], 2 * sizeof *r.origin[1]);
    wire_free(&b);
    arena_free(&a);
}

// Copies payloads to memory of their exact size, so that a sanitizer sees a read beyond.
static bool try_payload(struct arena *a, const uint8_t *p, size_t n, bool job)
{
    uint8_t *exact = malloc(n + !n);
    assert_non_null(exact);
    memcpy(exact, p, n);
    struct frame f = {.kind = job ? FRAME_JOB : FRAME_RESULT, .p = exact, .end = exact + n};
    struct run_job j;
    struct run_result r;
    bool ok = job ? get_job(&f, a, &j) : get_result(&f, a, &r);
    free(exact);
    arena_reset(a);
    return ok;
}

static void test_cut_and_damaged(void **state)
{
    (void)state;
    struct arena a = {0}, scratch = {0};
    struct wire_buf b[2] = {{0}, {0}};
    struct spv_case cases[3];
    make_job(&a, &b[0], cases);
    struct run_result r = a_result(&a);
    put_result(&b[1], &r);
    struct rng rng = {1};
    for (int job = 0; job < 2; job++) {
        uint8_t *p = b[!job].v + FRAME_HEAD;
        size_t n = b[!job].n - FRAME_HEAD;
        assert_true(try_payload(&scratch, p, n, job));
        put_u32(&b[!job], 0); // one word too many
        p = b[!job].v + FRAME_HEAD;
        assert_false(try_payload(&scratch, p, n + 4, job));
        for (size_t cut = 0; cut < n; cut++)
            assert_false(try_payload(&scratch, p, cut, job));
        for (int i = 0; i < 20000; i++) {
            size_t at = rng_below(&rng, (uint32_t)n);
            uint8_t old = p[at];
            p[at] = (uint8_t)rng_next(&rng);
            try_payload(&scratch, p, n, job); // any answer but a crash
            p[at] = old;
        }
    }
    wire_free(&b[0]);
    wire_free(&b[1]);
    arena_free(&scratch);
    arena_free(&a);
}

// Frames come in pieces of any size, several at once.
static void test_frames_in_pieces(void **state)
{
    (void)state;
    struct wire_buf all = {0};
    for (uint32_t i = 0; i < 5; i++) {
        size_t begin = frame_begin(&all, FRAME_LISTED);
        for (uint32_t k = 0; k < i; k++)
            put_u32(&all, i);
        frame_end(&all, begin);
    }
    for (size_t piece = 1; piece < 50; piece++) {
        struct wire_buf b = {0};
        uint32_t seen = 0;
        bool bad = false;
        for (size_t at = 0; at < all.n; at += piece) {
            put_bytes(&b, all.v + at, all.n - at < piece ? all.n - at : piece);
            for (struct frame f; frame_next(&b, FRAME_LIMIT, &f, &bad); seen++) {
                assert_int_equal(f.end - f.p, seen * sizeof(uint32_t));
                for (uint32_t k = 0; k < seen; k++)
                    assert_int_equal(get_u32(&f), seen);
                assert_int_equal(get_u32(&f), 0);
                assert_true(f.bad);
            }
            assert_false(bad);
        }
        assert_int_equal(seen, 5);
        wire_free(&b);
    }
    struct frame f;
    bool bad;
    for (size_t i = 0; i < FRAME_HEAD; i++) { // no damaged head is believed or waited for for ever
        struct wire_buf b = {0};
        put_bytes(&b, all.v, FRAME_HEAD);
        b.v[i] ^= 0x80;
        bool got = frame_next(&b, FRAME_LIMIT, &f, &bad);
        assert_true(!got);
        assert_true(bad || (i >= 8 && i < 12)); // a longer length below the limit may still come
        wire_free(&b);
    }
    wire_free(&all);
}

// Numbers of a worker are finite times; a frame that is announced larger than it may be is refused
// by its head alone.
static void test_numbers_and_sizes(void **state)
{
    (void)state;
    struct arena a = {0};
    static const double wrong[] = {NAN, INFINITY, -INFINITY, -0.5, 1e300};
    struct run_result got;
    struct frame f;
    bool bad;
    for (size_t i = 0; i < 2 * sizeof wrong / sizeof *wrong; i++) {
        struct wire_buf b = {0};
        struct run_result r = a_result(&a);
        *(i % 2 ? &r.driver_cpu : &r.driver_seconds) = wrong[i / 2];
        put_result(&b, &r);
        assert_true(frame_next(&b, FRAME_LIMIT, &f, &bad));
        assert_false(get_result(&f, &a, &got));
        assert_true(got.driver_seconds == 0 || got.driver_seconds == 1.25);
        wire_free(&b);
    }
    struct wire_buf b = {0};
    size_t begin = frame_begin(&b, FRAME_RESULT);
    frame_end(&b, begin);
    const uint64_t size = 1000;
    memcpy(b.v + 8, &size, sizeof size);
    assert_false(frame_next(&b, 1000, &f, &bad));
    assert_false(bad);
    assert_false(frame_next(&b, 999, &f, &bad));
    assert_true(bad);
    wire_free(&b);
    arena_free(&a);
}

static void test_one_line(void **state)
{
    (void)state;
    char out[16];
    one_line(out, sizeof out, "a\nb\t\n", 5);
    assert_string_equal(out, "a / b");
    one_line(out, sizeof out, "0123456789abcdefgh", 18);
    assert_string_equal(out, "3456789abcdefgh"); // the end stays
    one_line(out, sizeof out, "", 0);
    assert_string_equal(out, "");
}

// A case of each: lines as Mesa's ir3, LLVM, Rust and libstdc++ write them.
static void test_why_it_died(void **state)
{
    (void)state;
    static struct output s;
    char out[200];
    const struct {
        const char *said, *why;
        int dump; // lines after it
    } rows[] = {
        {"MESA: error: block b0:\nMESA: error:     con 1  %63 = u2u1 %62 Unhandled ALU op: u2u1\n", "Unhandled ALU op: u2u1", 3000},
        {"MESA: error: div 1  %9 = u2u1 %8 Unhandled ALU op: u2u1\nMESA: error: Unhandled ALU op: \n"
         "MESA: error: Unhandled ALU op: \x89\x90\n", "Unhandled ALU op: u2u1", 0},
        {"LLVM ERROR: Cannot select: t1: i32 = add\n", "LLVM ERROR: Cannot select: t1: i32 = add", 3000},
        {"thread 'main' panicked at src/emitter.rs:24:9:\nNested emits\nnote: run with\n",
         "thread 'main' panicked at src/emitter.rs:24:9: / Nested emits", 3},
        {"terminate called after throwing 'E'\n  what():  no\nmore\n", "terminate called after throwing 'E' /   what():  no", 3},
        {"terminate called without an exception\nmore\n", "terminate called without an exception", 3},
        {"reading\nf.c:7: g: Assertion `x' failed.", "f.c:7: g: Assertion `x' failed.", 0}, // and no end of the line
        {"reading\nshader.c:1: error: the first\nerror: the second\n", "shader.c:1: error: the first", 300},
        {"a word\nand an error\n", "a word / and an error", 0}, // all of it has room
        {"", "", 0},
    };
    for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
        output_clear(&s);
        for (const char *p = rows[i].said; *p; p++) // as it comes from a pipe
            output_add(&s, p, 1);
        for (int k = 0; k < rows[i].dump; k++)
            output_add(&s, "MESA:     con 32 %313 = ixor %27, %312\n", 39);
        output_reason(&s, out, sizeof out);
        assert_string_equal(out, rows[i].why);
    }
    // Without any such word the end is told; bytes that are no text do not take the others with them.
    output_clear(&s);
    for (int k = 0; k < 300; k++)
        output_add(&s, "a line\n", 7);
    output_add(&s, "the \xff end", 9);
    output_reason(&s, out, sizeof out);
    assert_string_equal(out + strlen(out) - 17, "a line / the ? end" + 1);
}

static void test_backend_names(void **state)
{
    (void)state;
    struct err e = {0};
    struct arena a = {0};
    assert_non_null(stage_backend(run_spec_parse(&a, "vulkan:a:b", &e), &e));
    assert_non_null(stage_backend(run_spec_parse(&a, "vulkan", &e), &e));
    assert_null(stage_backend(run_spec_parse(&a, "vulka", &e), &e));
    assert_non_null(strstr(e.msg, "'vulka': no such kind of target; did you mean 'vulkan'?"));
    for (int s = 0; s < RUN_STATUSES; s++)
        assert_string_not_equal(run_status_name((enum run_status)s), "unknown");
    assert_null(stage_backend(run_spec_parse(&a, "check:spirv-opt:-O", &e), &e));
    assert_non_null(strstr(e.msg, "check: 'spirv-opt:-O': not a target of check"));
    arena_free(&a);
}

// A worker runs others as it is told, and without a debugger: the one who asked has it.
static void test_options(void **state)
{
    (void)state;
    struct wire_buf b = {0};
    struct frame f;
    bool bad;
    const struct run_options o = {.validate = true, .fence_seconds = 2.5, .job_seconds = 7, .memory_mib = 99,
                                  .driver_text = true, .debugger = true};
    struct run_options got;
    memset(&got, 0x7f, sizeof got);
    const size_t begin = frame_begin(&b, FRAME_OPEN);
    put_options(&b, &o);
    frame_end(&b, begin);
    assert_true(frame_next(&b, FRAME_LIMIT, &f, &bad));
    get_options(&f, &got);
    assert_false(f.bad);
    assert_true(f.p == f.end);
    assert_true(got.validate && got.driver_text);
    assert_true(got.fence_seconds == 2.5 && got.job_seconds == 7);
    assert_int_equal(got.memory_mib, 99);
    assert_int_equal(*(const unsigned char *)&got.debugger, 0);
    wire_free(&b);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_job_round_trip),  cmocka_unit_test(test_result_round_trip),
        cmocka_unit_test(test_cut_and_damaged), cmocka_unit_test(test_frames_in_pieces),
        cmocka_unit_test(test_numbers_and_sizes),
        cmocka_unit_test(test_options),
        cmocka_unit_test(test_one_line),        cmocka_unit_test(test_backend_names),
        cmocka_unit_test(test_why_it_died),
    };
    return cmocka_run_group_tests_name("run_wire", tests, NULL, NULL);
}
