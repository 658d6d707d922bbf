// SPDX-License-Identifier: Apache-2.0
#include "reduce_all.h"

#include "base/interrupt.h"
#include "status.h"

#include <jansson.h>
#include <stdlib.h>

typedef unsigned long long ull;

struct all {
    const struct context *x;
    struct status status;
    double each; // time limit of one reduction in seconds; 0: no limit
    double next; // when to print the progress next, in seconds since the start
    bool json;
};

static void print_json(json_t *j)
{
    char *text = json_dumps(j, JSON_COMPACT | JSON_REAL_PRECISION(6));
    CHECK(text);
    say("%s\n", text);
    free(text);
    json_decref(j);
}

static void done(void *user, const char *finding, const struct reduction *r, const char *why)
{
    struct all *z = user;
    status_clear(&z->status);
    if (!r) {
        complain(z->x, "%s: %s", finding, why);
    } else if (z->json) {
        json_t *j = json_pack("{s:i, s:s, s:s, s:s, s:s, s:s, s:s, s:I, s:I}", "schema", 1, "type",
                              "reduction", "name", finding, "class", judge_class_name(r->klass),
                              "end", red_end_name(r->end), "bucket", r->bucket, "finding",
                              r->finding, "before", (json_int_t)r->stats.first.instructions,
                              "after", (json_int_t)r->stats.now.instructions);
        if (r->pass)
            json_object_set_new(j, "pass", json_string(r->pass));
        print_json(j);
    } else {
        say("reduced %s  %u -> %u instructions  %s%s%s%s\n", finding, r->stats.first.instructions,
            r->stats.now.instructions, r->bucket, r->pass ? "  " : "", r->pass ? r->pass : "",
            r->end == RED_MINIMAL ? ""
            : r->end == RED_TIME  ? "  (time)"
                                  : "  (interrupted)");
    }
    say_flush();
}

static bool tick(void *user, const struct batch_stats *s)
{
    struct all *z = user;
    if (s->seconds >= z->next) {
        char line[240], time[32], left[48] = "", t[32];
        // Estimated from the finished ones; before the first, bounded by the limit of each.
        const uint32_t over = s->done + s->failed, open = s->of > over ? s->of - over : 0;
        if (over)
            snprintf(left, sizeof left, ", about %s left",
                     status_time(t, sizeof t, s->seconds / over * open));
        else if (z->each > 0 && s->running)
            snprintf(left, sizeof left, ", at most %s left",
                     status_time(t, sizeof t, z->each * ((open + s->running - 1) / s->running)));
        z->next = s->seconds + (z->status.terminal ? STATUS_REDRAW : STATUS_PLAIN);
        snprintf(line, sizeof line, "%s  %u of %u reduced  %llu candidates  %.0f/s  %u running%s%s",
                 status_time(time, sizeof time, s->seconds), s->done, s->of, (ull)s->candidates,
                 s->seconds > 0 ? (double)s->candidates / s->seconds : 0, s->running,
                 s->failed ? ", some failed" : "", left);
        status_line(&z->status, line);
    }
    return !interrupted();
}

static void summary(const struct batch_options *o, const struct batch_stats *s)
{
    struct arena a = {0};
    char n[32], time[32];
    say("\n%s reduced in %s%s\n", count_of(n, sizeof n, s->done, "finding"),
        status_time(time, sizeof time, s->seconds),
        s->stopped       ? ", interrupted"
        : s->out_of_time ? ", out of time"
                         : "");
    say("  buckets      %u before, %u now\n", s->first_buckets, s->buckets);
    if (s->before)
        say("  before       %u were reduced earlier\n", s->before);
    if (s->failed)
        say("  failed       %u could not be reduced\n", s->failed);
    if (s->of > s->done + s->failed)
        say("  to do        %u; the same command continues\n", s->of - s->done - s->failed);
    if (s->unasked)
        say("  left         %u in buckets with %u reduced (--per-bucket 0: all)\n", s->unasked,
            o->per_bucket);
    if (s->flaky)
        say("  flaky        %u, not reduced\n", s->flaky);
    say("  next         tanglefuzz report %s\n", shell_quote(&a, o->dir));
    arena_free(&a);
}

static void summary_json(const struct batch_stats *s)
{
    print_json(json_pack("{s:i, s:s, s:I, s:I, s:I, s:I, s:I, s:I, s:I, s:I, s:f, s:b, s:b}",
                         "schema", 1, "type", "reductions", "of", (json_int_t)s->of, "done",
                         (json_int_t)s->done, "failed", (json_int_t)s->failed, "before",
                         (json_int_t)s->before, "left", (json_int_t)s->unasked, "flaky",
                         (json_int_t)s->flaky, "buckets_before", (json_int_t)s->first_buckets,
                         "buckets", (json_int_t)s->buckets, "seconds", s->seconds, "interrupted",
                         s->stopped, "out_of_time", s->out_of_time));
}

int reduce_all(struct context *x, const struct batch_options *o, bool json)
{
    struct all z = {.x = x, .json = json, .each = o->each};
    struct batch_stats s;
    status_start(&z.status, o->seconds, 0);
    z.next = z.status.terminal ? 0 : STATUS_PLAIN;
    const struct batch_events ev = {.user = &z, .done = done, .tick = tick};
    const bool ok = batch_run(o, &ev, &s, &x->e);
    status_clear(&z.status);
    if (!ok)
        return refuse(x);
    if (json)
        summary_json(&s);
    else if (!s.of && !s.before && !s.unasked && !s.flaky)
        say("nothing to reduce: %s has no findings\n", o->dir);
    else
        summary(o, &s);
    return s.failed && !s.done ? STATUS_BAD : STATUS_GOOD;
}
