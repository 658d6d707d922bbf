// SPDX-License-Identifier: Apache-2.0
//
// Figures of a campaign. A job is counted once, when all its targets have answered and its suspects
// have folders. So a resumed campaign repeats exactly the jobs that were not counted.
#include "campaign_parts.h"

#include <string.h>

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

uint64_t campaign_live_median(const struct campaign_count *n)
{
    uint64_t all = 0, seen = 0;
    for (uint32_t i = 0; i < LIVE_STEPS; i++)
        all += n->live[i];
    for (uint32_t i = 0; i < LIVE_STEPS; i++) {
        seen += n->live[i];
        if (seen * 2 >= all && seen)
            return live_of_step(i);
    }
    return 0;
}

double campaign_driver_share(const struct campaign_stats *s, const struct campaign_count *n,
                             uint32_t workers)
{
    return s->seconds > 0 && workers ? n->driver_seconds / (s->seconds * workers) : 0;
}

double campaign_stability(const struct campaign_count *n)
{
    return n->rerun ? (double)n->repeated / (double)n->rerun : 1;
}

bool campaign_unstable(const struct campaign_count *n)
{
    return n->flaky >= CAMPAIGN_FLAKY && n->flaky * CAMPAIGN_FLAKY_ONE_IN > n->cases;
}

void count_live(struct campaign_count *n, uint64_t live)
{
    if (n->compared++ == 0 || live < n->live_min)
        n->live_min = live;
    n->live[live_step(live)]++;
    n->live_total += live;
}

static void count_reason(struct campaign_count *n, const char *why)
{
    char text[sizeof n->reason[0].text];
    snprintf(text, sizeof text, "%s", why);
    for (uint32_t i = 0; i < n->reasons; i++)
        if (strcmp(n->reason[i].text, text) == 0) {
            n->reason[i].n++;
            return;
        }
    uint32_t i = n->reasons < CAMPAIGN_REASONS ? n->reasons++ : CAMPAIGN_REASONS - 1;
    if (n->reason[i].n++)
        snprintf(text, sizeof text, "other reasons");
    memcpy(n->reason[i].text, text, sizeof text);
}

static void count_outcome(struct campaign_count *n, const struct outcome *x)
{
    n->other_mapping += x->other_mapping;
    if (x->klass == JUDGE_SKIPPED || x->klass == JUDGE_UNDEFINED || x->klass == JUDGE_FAILED ||
        x->klass == JUDGE_AMBIGUOUS || x->klass == JUDGE_UNJUDGED) {
        n->unjudged += x->klass == JUDGE_UNJUDGED;
        n->skipped += x->klass != JUDGE_UNJUDGED;
        count_reason(n, x->why);
        return;
    }
    // An invalid or undefined output was not compared.
    if (x->ran && (x->live || x->klass == JUDGE_NOTHING_COMPARED))
        count_live(n, x->live);
    n->cases++;
    n->agreed += x->klass == JUDGE_AGREES;
    n->compiled += x->klass == JUDGE_COMPILED;
    n->nothing += x->klass == JUDGE_NOTHING_COMPARED;
}

static void count_answer(struct campaign_count *n, const struct answer *x, uint32_t inputs)
{
    n->driver_seconds += x->driver_seconds;
    n->driver_cpu += x->driver_cpu;
    n->rerun += x->reruns;
    n->repeated += x->repeated;
    n->outside += x->outside;
    for (uint32_t i = 0; i < inputs; i++)
        count_outcome(n, &x->input[i]);
}

static void count_finding(struct campaign_count *n, const struct pending *t)
{
    if (t->bug) {
        n->known++;
        return;
    }
    n->by_class[t->klass]++;
    if (t->klass == JUDGE_FLAKY)
        n->flaky++;
    else if (t->again)
        n->again++;
    else
        n->findings++;
    n->further += t->further;
}

struct bucket_count *count_of_bucket(struct campaign *c, const char *bucket, bool flaky)
{
    for (size_t i = 0; i < c->buckets.n; i++)
        if (c->buckets.v[i].flaky == flaky && strcmp(c->buckets.v[i].name, bucket) == 0)
            return &c->buckets.v[i];
    struct bucket_count *b = VEC_PUSH(&c->arena, &c->buckets);
    *b = (struct bucket_count){.flaky = flaky};
    snprintf(b->name, sizeof b->name, "%s", bucket);
    return b;
}

void count_bucket(struct campaign *c, struct bucket_count *b)
{
    c->stats.buckets += !b->counted;
    b->counted = true;
}

void count_record(struct campaign *c, const struct pending *t)
{
    struct campaign_stats *s = &c->stats;
    if (t->bug)
        s->known[t->bug - 1]++;
    count_finding(&s->sum, t);
    count_finding(&s->target[t->target], t);
    if (t->further)
        count_of_bucket(c, t->bucket, t->klass == JUDGE_FLAKY)->further++;
    if (t->klass != JUDGE_FLAKY && !t->again && !t->bug) {
        count_bucket(c, count_of_bucket(c, t->bucket, false));
        snprintf(s->last, sizeof s->last, "%s", t->name);
        s->last_at = t->at;
    }
}

void count_job(struct campaign *c, const struct job *j)
{
    struct campaign_stats *s = &c->stats;
    s->sum.left_out += j->left_out;
    for (uint32_t t = 0; t < c->o.target_count; t++)
        s->target[t].left_out += j->left_out && c->group_of[t] == j->unit.group;
    if (j->left_out)
        return;
    s->sum.modules++;
    for (uint32_t t = 0; t < c->o.target_count; t++) {
        const struct answer *x = &j->answer[t];
        if (x->state == ANSWER_HELD) {
            s->sum.held++;
            s->target[t].held++;
        } else if (x->state == ANSWER_HERE) {
            s->target[t].modules++;
            count_answer(&s->target[t], x, j->form[x->form].made.case_count);
            count_answer(&s->sum, x, j->form[x->form].made.case_count);
        }
    }
    for (const struct pending *t = j->pending; t; t = t->next)
        count_record(c, t);
}
