// SPDX-License-Identifier: Apache-2.0
//
// The campaign's loop. One thread: while the workers run, the next cases are made;
// every worker's queue is kept full so that the driver never waits for us.
//
// What always holds: a wrong answer is a suspect until its re-runs are back, and
// every suspect ends in a folder, also when the campaign is interrupted.
#define _POSIX_C_SOURCE 200809L
#include "campaign_parts.h"

#include <errno.h>
#include <poll.h>
#include <stdlib.h>
#include <string.h>

// Patience with jobs under way once somebody asked to finish.
static const double GRACE = 0.4;

// ---- figures ---------------------------------------------------------------------

static uint32_t live_step(uint64_t v)
{
    if (v < 8)
        return (uint32_t)v;
    uint32_t top = 63u - (uint32_t)__builtin_clzll(v);
    return (top - 2) * 8 + (uint32_t)(v >> (top - 3) & 7);
}

static uint64_t live_of_step(uint32_t i)
{
    return i < 8 ? i : (uint64_t)(8 + i % 8) << (i / 8 - 1);
}

uint64_t campaign_live_median(const struct campaign_stats *s)
{
    uint64_t all = 0, seen = 0;
    for (uint32_t i = 0; i < LIVE_STEPS; i++)
        all += s->live[i];
    for (uint32_t i = 0; i < LIVE_STEPS; i++) {
        seen += s->live[i];
        if (seen * 2 >= all && seen)
            return live_of_step(i);
    }
    return 0;
}

double campaign_driver_share(const struct campaign_stats *s)
{
    return s->seconds > 0 && s->jobs ? s->driver_seconds / (s->seconds * s->jobs) : 0;
}

static void count_live(struct campaign_stats *s, uint64_t live)
{
    if (s->compared++ == 0 || live < s->live_min)
        s->live_min = live;
    s->live[live_step(live)]++;
    s->live_total += live;
}

static void count_skip(struct campaign_stats *s, const char *why)
{
    s->skipped++;
    char text[sizeof s->reason[0].text];
    snprintf(text, sizeof text, "%s", why);
    for (uint32_t i = 0; i < s->reasons; i++)
        if (strcmp(s->reason[i].text, text) == 0) {
            s->reason[i].n++;
            return;
        }
    uint32_t i = s->reasons < CAMPAIGN_REASONS ? s->reasons++ : CAMPAIGN_REASONS - 1;
    if (s->reason[i].n++)
        snprintf(text, sizeof text, "other reasons");
    memcpy(s->reason[i].text, text, sizeof text);
}

// ---- open and close ----------------------------------------------------------------

const char *campaign_device_text(struct arena *a, const struct run_info *info)
{
    if (info->compiler)
        return arena_printf(a, "compiler: %s\nversion: %s\n", info->device, info->driver);
    return arena_printf(a,
                        "device: %s\n"
                        "driver: %s\n"
                        "vendor 0x%x, device 0x%x, driver version 0x%x, Vulkan %u.%u.%u\n"
                        "subgroup size: %u (%u to %u)\n",
                        info->device, info->driver, info->vendor_id, info->device_id,
                        info->driver_version, info->api_version >> 22 & 0x7f,
                        info->api_version >> 12 & 0x3ff, info->api_version & 0xfff,
                        info->subgroup_size, info->subgroup_min, info->subgroup_max);
}

// The subgroup size to make cases for.
static bool choose_subgroup(struct campaign *c, struct err *e)
{
    const struct run_info *i = &c->info;
    uint32_t s = c->o.subgroup ? c->o.subgroup : i->subgroup_size;
    if (s < 4 || s > LANES_MAX || (s & (s - 1)))
        return err_set(e, "subgroup size %u: cases are made for 4, 8, 16, 32, 64 and 128", s);
    bool usual = s == i->subgroup_size;
    if (!usual && (!i->size_control || s < i->subgroup_min || s > i->subgroup_max))
        return err_set(e, "%s cannot run subgroups of %u: it has %u to %u%s", i->device, s,
                       i->subgroup_min, i->subgroup_max,
                       i->size_control ? "" : " and does not let one choose");
    c->gen.subgroup = s;
    return true;
}

// Does the device offer what a feature needs?
static bool offers(const struct run_info *i, enum gen_feature f)
{
    // VkSubgroupFeatureFlagBits, without Vulkan's headers in this room.
    enum { BASIC = 1, VOTE = 2, ARITHMETIC = 4, BALLOT = 8, SHUFFLE = 16 };
    enum { SHUFFLE_RELATIVE = 32, CLUSTERED = 64, QUAD = 128 };
    static const uint32_t needs[GEN_FEATURE_COUNT] = {
        [GEN_OP_ELECT] = BASIC,
        [GEN_OP_VOTE] = VOTE,
        [GEN_OP_BALLOT] = BALLOT,
        [GEN_OP_BROADCAST] = BALLOT,
        [GEN_OP_BROADCAST_FIRST] = BALLOT,
        [GEN_OP_REDUCE] = ARITHMETIC,
        [GEN_OP_SCAN] = ARITHMETIC,
        [GEN_OP_MORE] = ARITHMETIC,
        [GEN_OP_INVERSE] = BALLOT,
        [GEN_OP_SHUFFLE] = SHUFFLE,
        [GEN_OP_SHUFFLE_XOR] = SHUFFLE,
        [GEN_OP_SHUFFLE_RELATIVE] = SHUFFLE_RELATIVE,
        [GEN_OP_CLUSTER] = CLUSTERED,
        [GEN_OP_QUAD] = QUAD,
        [GEN_OP_QUAD_VOTE] = QUAD | VOTE,
    };
    const gen_features more = GEN_BIT(GEN_OP_MORE) | GEN_BIT(GEN_OP_ROTATE) | GEN_BIT(GEN_INT8) |
                              GEN_BIT(GEN_INT16) | GEN_BIT(GEN_INT64) | GEN_BIT(GEN_FLOAT16) |
                              GEN_BIT(GEN_FLOAT32) | GEN_BIT(GEN_FLOAT64) | GEN_BIT(GEN_VECTORS);
    if ((i->subgroup_ops & needs[f]) != needs[f] || (i->words_only && (more & GEN_BIT(f))))
        return false;
    switch (f) {
    case GEN_OP_ROTATE:
        return i->rotate;
    case GEN_OP_QUAD_VOTE:
        return i->quad_control;
    case GEN_INT8:
        return i->int8 && i->extended_types;
    case GEN_INT16:
        return i->int16 && i->extended_types;
    case GEN_INT64:
        return i->int64 && i->extended_types;
    case GEN_FLOAT16:
        return i->float16 && i->extended_types;
    case GEN_FLOAT64:
        return i->float64;
    default:
        return true;
    }
}

// Takes out of the features what the device cannot run.
static bool choose_features(struct campaign *c, struct err *e)
{
    c->gen.features = c->o.features;
    size_t n = 0;
    for (int f = 0; f < GEN_FEATURE_COUNT; f++) {
        gen_features bit = GEN_BIT(f);
        if (!(c->gen.features & bit) || offers(&c->info, (enum gen_feature)f))
            continue;
        c->gen.features &= ~bit;
        int k = snprintf(c->dropped + n, sizeof c->dropped - n, "%s%s", n ? ", " : "",
                         gen_feature_name((enum gen_feature)f));
        n += k > 0 && (size_t)k < sizeof c->dropped - n ? (size_t)k : 0;
    }
    // An empty set would mean "all" to the generator.
    if (!c->gen.features)
        return err_set(e, "no feature is left to be grown: see --only and --without");
    return true;
}

struct campaign *campaign_open(const struct campaign_options *o, struct err *e)
{
    CHECK(o->jobs >= 1 && o->jobs <= CAMPAIGN_JOBS_MAX);
    CHECK(o->inputs >= 1 && o->inputs <= RUN_JOB_CASES);
    struct campaign *c = calloc(1, sizeof *c);
    CHECK(c);
    c->o = *o;
    c->next_seed = o->first_seed;
    c->tools = spv_tools_new();
    bool ok = true;
    for (uint32_t i = 0; ok && i < o->jobs; i++) {
        struct worker_queue *q = &c->queue[i];
        q->target = run_open(o->target, o->self, &o->run, e);
        ok = q->target != NULL;
        c->queues += ok;
    }
    if (ok) {
        c->info = *run_info(c->queue[0].target);
        c->device = campaign_device_text(&c->arena, &c->info);
        c->gen = (struct gen_options){.profile = o->profile,
                                      .inputs = o->inputs,
                                      .model = o->model,
                                      .max_invocations = o->max_invocations};
        uint32_t most = o->max_invocations ? o->max_invocations : 128;
        if (c->info.max_invocations && c->info.max_invocations < most)
            c->gen.max_invocations = c->info.max_invocations;
        if (o->model == SPV_MAXIMAL && !c->info.maximal_reconvergence)
            ok = err_set(e,
                         "%s (%s) does not promise maximal reconvergence; --model "
                         "assumed-maximal judges it as if it did",
                         c->info.device, c->info.driver);
    }
    ok = ok && choose_subgroup(c, e) && choose_features(c, e) && save_prepare(o->out, e);
    if (ok)
        return c;
    campaign_close(c);
    return NULL;
}

const struct run_info *campaign_info(const struct campaign *c)
{
    return &c->info;
}
const char *campaign_dropped(const struct campaign *c)
{
    return c->dropped;
}
uint32_t campaign_subgroup(const struct campaign *c)
{
    return c->gen.subgroup;
}

static struct job *new_job(struct campaign *c)
{
    struct job *j = c->free_jobs;
    if (j)
        c->free_jobs = j->next;
    else
        j = ARENA_NEW(&c->arena, struct job);
    return j;
}

static void free_job(struct campaign *c, struct job *j)
{
    j->suspects = 0;
    j->next = c->free_jobs;
    c->free_jobs = j;
}

void campaign_close(struct campaign *c)
{
    for (uint32_t i = 0; i < c->queues; i++)
        run_close(c->queue[i].target);
    for (struct job *j = c->free_jobs; j; j = j->next)
        arena_free(&j->arena);
    spv_tools_free(c->tools);
    arena_free(&c->arena);
    free(c);
}

// ---- handing over ------------------------------------------------------------------

static bool may_make(const struct campaign *c)
{
    return !c->stats.stopped && !c->stats.enough && c->next_seed < c->o.end_seed &&
           !(c->o.seconds > 0 && now_seconds() - c->start >= c->o.seconds);
}

static struct worker_queue *emptiest(struct campaign *c)
{
    struct worker_queue *best = &c->queue[0];
    for (uint32_t i = 1; i < c->queues; i++)
        if (c->queue[i].n < best->n)
            best = &c->queue[i];
    return best->n < RUN_QUEUE ? best : NULL;
}

static void hand_over(struct campaign *c, struct worker_queue *q, struct job *j, struct suspect *s)
{
    const struct spv_case *cases = s ? s->job->predicted[s->input].c : j->made.cases;
    CHECK(run_submit(q->target, cases, s ? 1 : j->made.case_count, c->gen.subgroup));
    q->ticket[q->n++] = (struct ticket){.job = j, .suspect = s};
}

// Hands over one job if there is one and room for it; *did says so.
static bool feed(struct campaign *c, bool *did, struct err *e)
{
    *did = false;
    struct worker_queue *q = emptiest(c);
    if (!q || c->stats.stopped)
        return true;
    for (struct suspect *s = c->suspects; s; s = s->next)
        if (s->submitted < CAMPAIGN_RERUNS) {
            hand_over(c, q, s->job, s);
            s->submitted++;
            *did = true;
            return true;
        }
    if (!may_make(c))
        return true;
    struct job *j = new_job(c);
    j->seed = c->next_seed++;
    const char *kind = "", *why = "";
    if (job_make(c, j, &kind, &why) == JOB_READY) {
        hand_over(c, q, j, NULL);
    } else {
        bool ok = save_ours(c, j, kind, why, e);
        free_job(c, j);
        if (!ok)
            return false;
    }
    *did = true;
    return true;
}

// ---- answers -----------------------------------------------------------------------

// Counts environment failures in a row; false when they are too many.
static bool patience(struct campaign *c, const struct run_result *r, struct err *e)
{
    if (r->status != RUN_FAILED) {
        c->failures = 0;
        return true;
    }
    if (++c->failures < CAMPAIGN_FAILURES)
        return true;
    return err_set(e, "%s failed %d times in a row: %s", c->o.target, CAMPAIGN_FAILURES, r->text);
}

static void add_suspect(struct campaign *c, struct job *j, uint32_t input,
                        const struct run_result *r, const struct judged *judged)
{
    struct suspect *s = ARENA_NEW(&j->arena, struct suspect);
    *s = (struct suspect){.job = j, .input = input, .judged = *judged, .result = *r};
    j->suspects++;
    struct suspect **at = &c->suspects;
    while (*at)
        at = &(*at)->next;
    *at = s;
}

static bool first_answer(struct campaign *c, struct job *j, struct run_result *r, uint32_t n,
                         struct err *e)
{
    struct campaign_stats *st = &c->stats;
    bool seen[TRI_CLASSES] = {false}, ok = true;
    CHECK(n == j->made.case_count);
    st->modules++;
    for (uint32_t i = 0; i < n; i++) {
        struct judged judged;
        judge_result(&j->arena, c->tools, &j->predicted[i], &r[i], &c->policy, &judged);
        enum tri_class k = judged.verdict.klass;
        st->driver_seconds += r[i].driver_seconds;
        st->other_mapping += judged.other_mapping;
        ok = ok && patience(c, &r[i], e);
        if (k == TRI_SKIPPED || k == TRI_UNDEFINED || k == TRI_FAILED || k == TRI_AMBIGUOUS) {
            count_skip(st, judged.verdict.text);
            continue;
        }
        st->compiled += k == TRI_COMPILED;
        if (r[i].status == RUN_OK)
            count_live(st, judged.verdict.live_bits);
        st->cases++;
        st->agreed += k == TRI_AGREES;
        st->nothing += k == TRI_NOTHING_COMPARED;
        // One suspect a class: further inputs tell the same story.
        if (tri_class_is_finding(k) && !seen[k]) {
            seen[k] = true;
            add_suspect(c, j, i, &r[i], &judged);
        }
    }
    if (!j->suspects)
        free_job(c, j);
    return ok;
}

// A suspect's end: its folder, and its job's once no other needs it.
static bool settle(struct campaign *c, struct suspect *s, struct err *e)
{
    struct job *j = s->job;
    struct suspect **at = &c->suspects;
    while (*at != s)
        at = &(*at)->next;
    *at = s->next;
    bool ok = save_suspect(c, s, e);
    if (--j->suspects == 0)
        free_job(c, j);
    if (c->o.stop_after && c->stats.findings >= c->o.stop_after)
        c->stats.enough = true;
    return ok;
}

static bool next_answer(struct campaign *c, struct suspect *s, struct run_result *r, struct err *e)
{
    struct judged judged;
    struct prediction *p = &s->job->predicted[s->input];
    judge_result(&s->job->arena, c->tools, p, r, &c->policy, &judged);
    c->stats.driver_seconds += r->driver_seconds;
    c->stats.rerun++;
    s->tries++;
    s->reproduced += judged.verdict.klass == s->judged.verdict.klass;
    if (!patience(c, r, e))
        return false;
    return s->tries < CAMPAIGN_RERUNS || settle(c, s, e);
}

// Takes all answers that one worker has ready.
static bool take(struct campaign *c, struct worker_queue *q, struct err *e)
{
    while (q->n) {
        struct ticket t = q->ticket[0];
        struct run_result *r;
        uint32_t n = run_take(q->target, &t.job->arena, 0, &r);
        if (!n)
            return true;
        memmove(q->ticket, q->ticket + 1, --q->n * sizeof q->ticket[0]);
        if (!(t.suspect ? next_answer(c, t.suspect, r, e) : first_answer(c, t.job, r, n, e)))
            return false;
    }
    return true;
}

static bool any_waiting(const struct campaign *c)
{
    for (uint32_t i = 0; i < c->queues; i++)
        if (c->queue[i].n)
            return true;
    return false;
}

static void wait_for_answers(struct campaign *c, double seconds)
{
    struct pollfd fds[CAMPAIGN_JOBS_MAX];
    nfds_t n = 0;
    for (uint32_t i = 0; i < c->queues; i++)
        if (c->queue[i].n)
            fds[n++] = (struct pollfd){.fd = run_fd(c->queue[i].target), .events = POLLIN};
    // An interrupted poll is as good as one that timed out.
    poll(fds, n, (int)(seconds * 1000));
}

// ---- the loop ----------------------------------------------------------------------

static void tick(struct campaign *c)
{
    c->stats.seconds = now_seconds() - c->start;
    c->stats.next_seed = c->next_seed;
    if (!c->stats.stopped && !c->ev->tick(c->ev->user, &c->stats))
        c->stats.stopped = true;
}

static bool loop(struct campaign *c, struct err *e)
{
    double finish_at = -1;
    for (;;) {
        tick(c);
        if (c->stats.stopped && finish_at < 0)
            finish_at = now_seconds() + GRACE;
        if (finish_at >= 0 && now_seconds() >= finish_at)
            return true;
        bool fed;
        if (!feed(c, &fed, e))
            return false;
        if (!fed && !any_waiting(c))
            return true;
        wait_for_answers(c, fed ? 0 : 0.05);
        for (uint32_t i = 0; i < c->queues; i++)
            if (!take(c, &c->queue[i], e))
                return false;
    }
}

// Gives up what is under way; suspects get their folders with the re-runs they had.
static bool drop(struct campaign *c, bool save, struct err *e)
{
    for (uint32_t i = 0; i < c->queues; i++) {
        struct worker_queue *q = &c->queue[i];
        if (q->n)
            run_kill(q->target);
        for (uint32_t k = 0; k < q->n; k++) {
            struct job *j = q->ticket[k].job;
            if (q->ticket[k].suspect)
                continue;
            // The next campaign starts with the first that was not answered.
            if (j->seed < c->next_seed)
                c->next_seed = j->seed;
            free_job(c, j);
        }
        q->n = 0;
    }
    while (c->suspects && save)
        if (!settle(c, c->suspects, e))
            save = false;
    bool all = c->suspects == NULL;
    for (struct suspect *s; (s = c->suspects);) {
        c->suspects = s->next;
        if (--s->job->suspects == 0)
            free_job(c, s->job);
    }
    return all;
}

bool campaign_run(struct campaign *c, const struct campaign_events *ev, struct campaign_stats *out,
                  struct err *e)
{
    c->ev = ev;
    c->stats.jobs = c->queues;
    c->start = now_seconds();
    bool ok = loop(c, e);
    struct err later = {0};
    // What could not be saved is why it ended: no use in trying to save more.
    bool full = !ok && c->failures < CAMPAIGN_FAILURES;
    if (!drop(c, !full, ok ? e : &later))
        ok = false;
    c->stats.seconds = now_seconds() - c->start;
    c->stats.next_seed = c->next_seed;
    if (!save_campaign(c, ok ? e : &later))
        ok = false;
    *out = c->stats;
    return ok;
}
