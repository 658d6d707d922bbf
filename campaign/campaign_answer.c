// SPDX-License-Identifier: Apache-2.0
//
// A target's answer: judged, re-run if wrong, counted.
//
// Invariants: a wrong answer is a suspect until its re-runs are back; every suspect gets a folder,
// also if the campaign is interrupted. If another process kills our worker, the job is run again:
// that is not an answer of the target.
#include "campaign_parts.h"

#include <string.h>

enum { OUTSIDE_LIMIT = 3 };                             // repeats of a job whose worker was killed
static const double WAKE_EVERY = 0.01;                  // seconds
static const double REST_FIRST = 60, REST_MOST = 3600;  // seconds of quarantine
static const double PAUSE_FIRST = 0.01, PAUSE_MOST = 1; // seconds between first runs after deaths

// ---- targets that keep dying ---------------------------------------------------------

static void quarantine(struct shard *s, uint32_t target, const char *why)
{
    struct worker_queue *q = &s->queue[target];
    struct campaign *c = s->c;
    q->rest = q->rest > 0 ? (q->rest * 2 < REST_MOST ? q->rest * 2 : REST_MOST) : REST_FIRST;
    q->not_before = now_seconds() + q->rest;
    snprintf(s->why, sizeof s->why, "%s %s", c->target[target].spec, why);
    if (q->quarantined)
        return;
    q->quarantined = true;
    pthread_mutex_lock(&c->lock);
    c->stats.sum.quarantine++;
    c->stats.target[target].quarantine++;
    pthread_mutex_unlock(&c->lock);
}

static bool worker_died(enum run_status s)
{
    return s == RUN_CRASHED || s == RUN_HUNG || s == RUN_DEVICE_LOST || s == RUN_MEMORY;
}

// Counts environment failures in a row, over first runs and re-runs.
static void note_failures(struct shard *s, uint32_t target, const struct run_result *r)
{
    struct worker_queue *q = &s->queue[target];
    char why[380];
    if (r->status != RUN_FAILED) {
        q->failures = 0;
        return;
    }
    q->failures++;
    snprintf(why, sizeof why, "failed %u times in a row: %.300s", q->failures, r->text);
    if (q->failures >= CAMPAIGN_FAILURES)
        quarantine(s, target, why);
}

// Counts first runs in a row that killed the worker. Each is a finding, but a device that does
// nothing else only costs time.
static void note_deaths(struct shard *s, uint32_t target, const struct run_result *r, uint32_t n)
{
    struct worker_queue *q = &s->queue[target];
    const struct run_result *death = NULL;
    bool failed = false;
    for (uint32_t i = 0; i < n; i++) {
        death = worker_died(r[i].status) ? &r[i] : death;
        failed |= r[i].status == RUN_FAILED || (r[i].status == RUN_REJECTED && !q->took);
    }
    if (!death && !failed) {
        q->deaths = 0;
        q->rest = q->not_before = 0;
        q->quarantined = false;
    }
    if (!death)
        return;
    char why[380];
    double pause = PAUSE_FIRST;
    for (uint32_t k = 1; k < q->deaths && pause < PAUSE_MOST; k++)
        pause *= 2;
    q->not_before = q->deaths++ ? now_seconds() + (pause < PAUSE_MOST ? pause : PAUSE_MOST) : 0;
    snprintf(why, sizeof why, "ended its worker on %u cases in a row; the last: %.280s", q->deaths,
             death->text);
    if (q->deaths >= CAMPAIGN_DEATHS)
        quarantine(s, target, why);
}

// Counts modules that a target rejects before it takes one: each is the same finding, and nothing
// is compared.
static void note_refusals(struct shard *s, uint32_t target, const struct run_result *r, uint32_t n)
{
    struct worker_queue *q = &s->queue[target];
    const char *refused = NULL;
    char why[380];
    for (uint32_t i = 0; i < n; i++) {
        refused = r[i].status == RUN_REJECTED ? r[i].text : refused;
        q->took |= r[i].status != RUN_REJECTED && r[i].status != RUN_SKIPPED &&
                   r[i].status != RUN_FAILED && !r[i].outside;
    }
    if (q->took || !refused || ++q->refusals < CAMPAIGN_REFUSALS)
        return;
    snprintf(why, sizeof why, "rejected each of its first %u modules; the last: %.280s",
             q->refusals, refused);
    quarantine(s, target, why);
}

// Ends the wait of a target's suspects for the form with the log. `found`: that form has wrong
// results as well, so they are dropped.
static void settle(struct job *j, uint32_t target, bool found)
{
    for (struct suspect **at = &j->suspects; *at;) {
        struct suspect *x = *at;
        if (x->target == target && x->waits && found) {
            *at = x->next;
            continue;
        }
        x->waits &= x->target != target;
        at = &x->next;
    }
}

void answer_hold(struct job *j, uint32_t target)
{
    struct answer *x = &j->answer[target];
    CHECK(x->state == ANSWER_WAITING);
    x->state = x->form == WITH_LOG ? ANSWER_HERE : ANSWER_HELD;
    x->form = AS_MADE;
    settle(j, target, false);
    j->open--;
}

// ---- a job's end ---------------------------------------------------------------------

static bool is_decided(const struct shard *s, const struct suspect *x)
{
    // In quarantine no further re-runs are submitted.
    return x->tries == CAMPAIGN_RERUNS ||
           (s->queue[x->target].quarantined && x->tries == x->submitted);
}

static void unlink_job(struct shard *s, struct job *j)
{
    struct job **at = &s->jobs;
    while (*at != j)
        at = &(*at)->next;
    *at = j->next;
    s->in_flight--;
}

// Ends a job: finished, or given up (`done` false: its unit stays in the list of open units).
static void leave_job(struct shard *s, struct job *j, bool done)
{
    struct campaign *c = s->c;
    double validation = spv_tools_validation_cpu(s->tools);
    pthread_mutex_lock(&c->lock);
    c->stats.validation_cpu += validation - s->validation_cpu;
    s->validation_cpu = validation;
    for (size_t i = 0; i < c->open.n && done; i++)
        if (c->open.v[i].seed == j->unit.seed && c->open.v[i].group == j->unit.group) {
            c->open.v[i] = c->open.v[--c->open.n];
            break;
        }
    if (done && (j->form[AS_MADE].predicted || j->left_out))
        count_job(c, j);
    for (const struct pending *t = j->pending; t && !done; t = t->next)
        *VEC_PUSH(&c->arena, &c->late) = *t;
    if (c->o.stop_after && c->stats.buckets >= c->o.stop_after) {
        c->stats.enough = true;
        atomic_store(&c->enough, true);
    }
    pthread_mutex_unlock(&c->lock);
    unlink_job(s, j);
    job_free(s, j);
}

bool answer_conclude(struct shard *s, struct job *j, bool end, struct err *e)
{
    // A finding records the answers of the other targets, so it waits for them.
    if (j->open && !end)
        return true;
    for (struct suspect **at = &j->suspects; *at;) {
        struct suspect *x = *at;
        if (!end && !is_decided(s, x)) {
            at = &x->next;
            continue;
        }
        if (!save_suspect(s, j, x, e))
            return false;
        *at = x->next;
    }
    if (!j->suspects)
        leave_job(s, j, j->open == 0);
    return true;
}

// ---- answers -------------------------------------------------------------------------

// Copies memory into `a`: the answer's arena is reset.
static struct spv_memory *keep_memory(struct arena *a, const struct spv_memory *m, uint32_t n)
{
    if (!m)
        return NULL;
    struct spv_memory *kept = arena_copy(a, m, n * sizeof *m);
    for (uint32_t i = 0; i < n; i++) {
        kept[i].words = arena_copy(a, m[i].words, m[i].count * sizeof(uint32_t));
        if (m[i].mask)
            kept[i].mask = arena_copy(a, m[i].mask, m[i].count * sizeof(uint32_t));
    }
    return kept;
}

static void add_suspect(struct job *j, uint32_t target, uint32_t input, const struct run_result *r,
                        const struct judged *judged)
{
    struct suspect *x = ARENA_NEW(&j->arena, struct suspect);
    struct form *f = &j->form[j->answer[target].form];
    *x = (struct suspect){
        .target = target, .input = input, .form = f, .judged = *judged, .result = *r};
    x->judged.expected =
        keep_memory(&j->arena, judged->expected, f->made.cases[input].buffer_count);
    x->result.memory = keep_memory(&j->arena, r->memory, r->memory_count);
    x->result.words =
        r->words ? arena_copy(&j->arena, r->words, r->word_count * sizeof *r->words) : NULL;
    if (r->printed)
        x->result.printed = arena_str(&j->arena, r->printed);
    if (r->backtrace)
        x->result.backtrace = arena_str(&j->arena, r->backtrace);
    if (r->driver_text)
        x->result.driver_text = arena_str(&j->arena, r->driver_text);
    struct suspect **at = &j->suspects;
    while (*at)
        at = &(*at)->next;
    *at = x;
}

// True if another process killed the worker, so that the job must be repeated; false after
// OUTSIDE_LIMIT repeats.
static bool cut_short(struct answer *x, const struct run_result *r, uint32_t n)
{
    for (uint32_t i = 0; i < n; i++)
        if (r[i].outside && x->outside < OUTSIDE_LIMIT) {
            x->outside++;
            return true;
        }
    return false;
}

// Judges one input's result. False with a message: a bug of our own could not be written.
static bool judge_one(struct shard *s, uint32_t target, struct job *j, uint32_t i,
                      struct run_result *r, bool seen[JUDGE_CLASSES], struct err *e)
{
    struct answer *x = &j->answer[target];
    struct form *f = &j->form[x->form];
    struct outcome *o = &x->input[i];
    struct judged judged;
    const char *why = NULL;
    judge_result(&s->scratch, s->tools, &f->predicted[i], r, &s->queue[target].policy, &judged);
    enum judge_class k = judged.verdict.klass;
    *o = (struct outcome){.klass = k,
                          .ran = r->status == RUN_OK,
                          .live = judged.verdict.live_bits,
                          .other_mapping = judged.other_mapping};
    if (k == JUDGE_AMBIGUOUS)
        o->why = judge_class_line(k);
    if (k == JUDGE_SKIPPED || k == JUDGE_UNDEFINED || k == JUDGE_FAILED)
        o->why = arena_str(&j->arena, judged.verdict.text);
    if (k == JUDGE_UNJUDGED) // without ids, so that the same reason of all modules is one row
        o->why = diag_normal_message(&j->arena, judged.verdict.text);
    x->driver_seconds += r->driver_seconds;
    x->driver_cpu += r->driver_cpu;
    note_failures(s, target, r);
    // One suspect per class: further inputs show the same bug.
    if (!judge_class_is_finding(k) || seen[k])
        return true;
    seen[k] = true;
    if (job_validate(s, j, f, &why)) {
        add_suspect(j, target, i, r, &judged);
        return true;
    }
    o->klass = JUDGE_UNDEFINED;
    o->why = "the generated module is invalid";
    return save_own_bug(s, j, "invalid", why, e);
}

// Asks a target for the form with the log if it got a digest wrong: a finding shows that form,
// unless only the digest is wrong.
static void ask_for_log(struct shard *s, struct job *j, uint32_t target)
{
    struct answer *x = &j->answer[target];
    bool wrong = false;
    for (struct suspect *y = j->suspects; y; y = y->next) {
        y->waits |= y->target == target && judge_class_is_mismatch(y->judged.verdict.klass);
        wrong |= y->target == target && y->waits;
    }
    if (!wrong || !job_make_log(s, j)) {
        settle(j, target, false);
        return;
    }
    x->form = WITH_LOG;
    x->state = ANSWER_WAITING;
    j->open++;
}

static bool first_answer(struct shard *s, uint32_t target, struct job *j, struct run_result *r,
                         uint32_t n, struct err *e)
{
    struct answer *x = &j->answer[target];
    struct outcome *before = x->input;
    bool seen[JUDGE_CLASSES] = {false}, found = false;
    CHECK(n == j->form[x->form].made.case_count);
    if (cut_short(x, r, n)) {
        x->state = ANSWER_WAITING;
        return true;
    }
    x->state = ANSWER_HERE;
    x->input = ARENA_ARRAY(&j->arena, struct outcome, n);
    j->open--;
    note_refusals(s, target, r, n);
    note_deaths(s, target, r, n);
    for (uint32_t i = 0; i < n; i++)
        if (!judge_one(s, target, j, i, &r[i], seen, e))
            return false;
    for (int k = 0; k < JUDGE_CLASSES; k++)
        found |= seen[k] && judge_class_is_mismatch((enum judge_class)k);
    if (x->form == AS_MADE) {
        ask_for_log(s, j, target);
    } else {
        x->input = found ? x->input : before;
        settle(j, target, found);
    }
    return answer_conclude(s, j, false, e);
}

static bool next_answer(struct shard *s, struct job *j, struct suspect *x, struct run_result *r,
                        struct err *e)
{
    struct answer *ans = &j->answer[x->target];
    struct judged judged;
    ans->driver_seconds += r->driver_seconds;
    ans->driver_cpu += r->driver_cpu;
    if (cut_short(ans, r, 1)) {
        x->submitted--;
        return true;
    }
    judge_result(&s->scratch, s->tools, &x->form->predicted[x->input], r,
                 &s->queue[x->target].policy, &judged);
    const bool same = judged.verdict.klass == x->judged.verdict.klass;
    ans->reruns++;
    ans->repeated += same;
    x->tries++;
    x->reproduced += same;
    note_failures(s, x->target, r);
    return answer_conclude(s, j, false, e);
}

bool answer_take(struct shard *s, uint32_t target, double seconds, struct err *e)
{
    struct worker_queue *q = &s->queue[target];
    struct ticket t = q->ticket[0];
    struct run_result *r;
    arena_reset(&s->scratch);
    uint32_t n = run_take(q->target, &s->scratch, seconds, &r);
    if (!n)
        return true;
    memmove(q->ticket, q->ticket + 1, --q->n * sizeof q->ticket[0]);
    if (!t.job) {
        note_failures(s, target, r);
        return true;
    }
    if (!(t.suspect ? next_answer(s, t.job, t.suspect, r, e)
                    : first_answer(s, target, t.job, r, n, e)))
        return false;
    double now = now_seconds();
    if (now >= s->wake_at) { // waking the main thread for every answer would cost too much
        s->wake_at = now + WAKE_EVERY;
        pthread_cond_broadcast(&s->c->moved);
    }
    return true;
}
