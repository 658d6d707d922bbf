// SPDX-License-Identifier: Apache-2.0
//
// Lists the available targets: opens each place of each backend in a worker of its own, so that a
// driver that crashes here costs only its own row.
#define _GNU_SOURCE
#include "worker.h"

#include <poll.h>
#include <string.h>

enum { LIST_SECONDS = 30 };

struct rows {
    struct run_listed *v;
    size_t n, cap;
};

static void unusable(struct arena *a, struct rows *out, const char *spec, const char *why)
{
    struct run_listed *row = VEC_PUSH(a, out);
    snprintf(row->spec, sizeof row->spec, "%s", spec);
    snprintf(row->why, sizeof row->why, "%s", why);
}

// Reads the available frames; true at the end of the list.
static bool take(struct worker *w, struct arena *a, struct rows *out)
{
    struct frame f;
    bool bad;
    while (frame_next(&w->in, FRAME_ANSWER, &f, &bad)) {
        if (f.kind != FRAME_LISTED)
            return true;
        struct run_listed row;
        if (!get_listed(&f, &row))
            return false;
        *VEC_PUSH(a, out) = row;
    }
    return bad;
}

// Opens the target, whose backend has no function `list`.
static void open_it(struct arena *a, const char *self, const char *spec, struct rows *out)
{
    struct err e = {0};
    const struct run_options o = {.job_seconds = LIST_SECONDS};
    struct run_target *t = run_open(spec, self, &o, &e);
    if (!t) {
        unusable(a, out, spec, e.msg);
        return;
    }
    struct run_listed *row = VEC_PUSH(a, out);
    *row = (struct run_listed){.usable = true, .info = *run_info(t)};
    snprintf(row->spec, sizeof row->spec, "%s", spec);
    run_close(t);
}

static void ask(struct arena *a, const char *self, const char *spec, const struct run_plan *plan,
                struct rows *out)
{
    struct err e = {0};
    struct worker w = {.fd = -1, .out = -1};
    if (!worker_start(&w, plan, self, NULL, &e)) {
        unusable(a, out, spec, e.msg);
        return;
    }
    struct wire_buf b = {0};
    size_t begin = frame_begin(&b, FRAME_LIST);
    put_str(&b, spec);
    frame_end(&b, begin);
    bool done = false, alive = worker_send(&w, &b);
    double end = now_seconds() + LIST_SECONDS;
    while (alive && !done && now_seconds() < end) {
        struct pollfd p[] = {{.fd = w.fd, .events = POLLIN}, {.fd = w.out, .events = POLLIN}};
        poll(p, 2, 100);
        worker_drain(&w);
        alive = worker_receive(&w);
        done = take(&w, a, out);
    }
    char how[400], why[512];
    worker_stop(&w, alive && !done ? 0 : 1, how, sizeof how);
    if (!done) {
        snprintf(why, sizeof why, "while listing devices, the worker %s", how);
        unusable(a, out, spec, why);
    }
    wire_free(&b);
    worker_free(&w);
}

uint32_t run_list(struct arena *a, const char *self, struct run_listed **out)
{
    struct rows found = {0};
    const struct run_kind *kind;
    uint32_t n = run_kinds(&kind);
    for (uint32_t i = 0; i < n; i++) {
        const struct run_backend *backend = kind[i].backend;
        const char **specs = NULL;
        uint32_t places = backend && backend->places ? backend->places(a, &specs) : 0;
        for (uint32_t k = 0; k < places; k++) {
            struct err e = {0};
            struct run_plan plan = {0};
            struct run_options o = {0};
            const struct run_stage *stage = run_spec_parse(a, specs[k], NULL);
            const struct run_backend *of = stage_backend(stage, NULL);
            if (of->plan(a, stage, &o, &plan, &e) && of->list)
                ask(a, self, specs[k], &plan, &found);
            else if (!e.msg[0])
                open_it(a, self, specs[k], &found);
            else
                unusable(a, &found, specs[k], e.msg);
        }
    }
    *out = found.v;
    return (uint32_t)found.n;
}
