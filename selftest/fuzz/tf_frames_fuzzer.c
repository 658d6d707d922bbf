// SPDX-License-Identifier: Apache-2.0
//
// Reads any bytes as frames of both directions, as another process may send them. Accepted frames
// must contain finite numbers, stay below their size limit, and be the same when sent again. Seeds:
// frames.
#include "fuzz.h"
#include "runners/link.h"

#include <math.h>
#include <string.h>

// Checks that both buffers have the same bytes.
static void same_frame(const struct wire_buf *x, const struct wire_buf *y)
{
    CHECK(x->n == y->n && memcmp(x->v, y->v, x->n) == 0);
}

static void job(struct frame *f, struct arena *a)
{
    struct run_job j, again;
    struct wire_buf one = {0}, two = {0};
    struct frame g;
    bool bad;
    if (!get_job(f, a, &j))
        return;
    put_job(&one, j.cases, j.n, j.subgroup);
    CHECK(one.n <= FRAME_HEAD + wire_job_size(j.cases, j.n));
    CHECK(frame_next(&one, FRAME_LIMIT, &g, &bad) && get_job(&g, a, &again));
    put_job(&two, again.cases, again.n, again.subgroup);
    same_frame(&one, &two);
    wire_free(&one);
    wire_free(&two);
}

static void result(struct frame *f, struct arena *a)
{
    struct run_result r, again;
    struct wire_buf one = {0}, two = {0};
    struct frame g;
    bool bad;
    if (!get_result(f, a, &r))
        return;
    CHECK(isfinite(r.driver_seconds) && r.driver_seconds >= 0 && isfinite(r.driver_cpu) &&
          r.driver_cpu >= 0);
    CHECK(r.status < RUN_STATUSES && r.form < RUN_FORMS && strlen(r.text) < sizeof r.text);
    put_result(&one, &r);
    CHECK(frame_next(&one, FRAME_LIMIT, &g, &bad) && get_result(&g, a, &again));
    put_result(&two, &again);
    same_frame(&one, &two);
    wire_free(&one);
    wire_free(&two);
}

// A device program's own frames.
static void greeting(struct frame *f)
{
    struct link_greeting hello;
    struct err e = {0};
    if (get_greeting(f, &hello, &e))
        CHECK(hello.version == LINK_VERSION && strlen(hello.program) < LINK_TEXT &&
              strlen(hello.system) < LINK_TEXT);
    else
        CHECK(e.msg[0] && !strchr(e.msg, '\n'));
}

static void ended(struct frame *f)
{
    struct link_ended x, again;
    struct wire_buf one = {0};
    struct frame g;
    bool bad;
    if (!get_ended(f, &x))
        return;
    CHECK(strlen(x.text) < LINK_TEXT && !strchr(x.text, '\n'));
    put_ended(&one, &x);
    CHECK(frame_next(&one, FRAME_LIMIT, &g, &bad) && get_ended(&g, &again));
    CHECK(again.crashed == x.crashed && again.code == x.code && strcmp(again.text, x.text) == 0);
    wire_free(&one);
}

static void opened(struct frame f)
{
    struct link_open open;
    if (get_open(&f, &open))
        CHECK(strlen(open.token) < LINK_TEXT && open.silence > 0);
}

static void take(struct frame *f, struct arena *a)
{
    struct run_options o;
    struct run_info info;
    struct run_listed row;
    switch (f->kind) {
    case FRAME_GREET:
        greeting(f);
        break;
    case FRAME_ENDED:
        ended(f);
        break;
    case FRAME_OPEN:
        opened(*f);
        get_str(f, a);
        get_options(f, &o);
        break;
    case FRAME_JOB:
        job(f, a);
        break;
    case FRAME_READY:
        if (get_info(f, &info))
            CHECK(strlen(info.device) < sizeof info.device &&
                  strlen(info.driver) < sizeof info.driver && info.form < RUN_FORMS &&
                  !(info.offers & ~SPV_ALL_NEEDS));
        break;
    case FRAME_LISTED:
        if (get_listed(f, &row))
            CHECK(strlen(row.spec) < sizeof row.spec && strlen(row.why) < sizeof row.why);
        break;
    case FRAME_RESULT:
        result(f, a);
        break;
    case FRAME_DONE:
        CHECK(get_seconds(f) >= 0);
        break;
    default:
        CHECK(strlen(get_str(f, a)) < FRAME_ANSWER);
        break;
    }
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    struct arena a = {0};
    struct wire_buf b = {0};
    struct frame f;
    bool bad = false;
    if (size) {
        memcpy(wire_room(&b, size), data, size);
        b.n += size;
    }
    while (frame_next(&b, FRAME_ANSWER, &f, &bad)) {
        CHECK(!bad && (size_t)(f.end - f.p) <= size);
        take(&f, &a);
        // Memory is bounded by the size of the input, plus the largest number of cases of a job.
        CHECK(a.used <= 64 * (size + 4096) + 2 * RUN_JOB_CASES * sizeof(struct spv_case));
        arena_reset(&a);
    }
    wire_free(&b);
    arena_free(&a);
    return 0;
}
