// SPDX-License-Identifier: Apache-2.0
//
// Where a target crashed: the signal alone does not identify the bug. A debugger takes seconds, so
// it runs only for crashes that may get a folder. Further ones in the same functions
// (run_result.crash_site) take the backtrace of the first one.
#include "campaign_parts.h"

#include "diagnose/bisect.h"
#include "diagnose/passes.h"

#include <string.h>

static const double LOOK_FREE = 5; // seconds
enum { LOOKS = 50 };               // crashes per job that are located at any cost

static struct crash_seen *place_of(struct campaign *c, const struct suspect *x)
{
    for (size_t i = 0; x->result.crash_site && i < c->places.n; i++)
        if (c->places.v[i].site == x->result.crash_site && c->places.v[i].target == x->target)
            return &c->places.v[i];
    return NULL;
}

// Returns the backtrace of the crashes in the same functions if no more of them get a folder; NULL:
// there are none, or this one may get one.
static const char *seen_before(struct campaign *c, const struct suspect *x)
{
    pthread_mutex_lock(&c->lock);
    const struct crash_seen *p = place_of(c, x);
    const bool enough =
        p &&
        (p->known || (c->o.keep && count_of_bucket(c, p->bucket, false)->folders >= c->o.keep));
    const char *backtrace = enough ? p->backtrace : NULL;
    pthread_mutex_unlock(&c->lock);
    return backtrace;
}

// True if the debugger may run. Where the target's output or the pass identifies the crash, it may
// use at most an eighth of the campaign's time.
static bool may_look(struct shard *s, struct arena *a, const struct finding_evidence *f)
{
    const bool named = f->culprit || finding_crash_named(f->printed);
    return (!named && s->looks++ < LOOKS) || (s->looked < LOOK_FREE + campaign_seconds(s->c) / 8 &&
                                              (!f->printed || !diag_frames(a, f->printed)[0]));
}

void crash_locate(struct shard *s, struct arena *a, const struct prediction *p,
                  const struct spv_case *c, const char *spec, const struct suspect *x,
                  struct finding_evidence *f)
{
    struct campaign *k = s->c;
    const double start = now_seconds();
    struct bisect b;
    if (f->verdict->klass != JUDGE_CRASH || f->flaky || atomic_load(&k->stop))
        return;
    if (bisect_has_passes(spec) &&
        bisect_passes(a, s->tools, p, spec, k->o.self, &k->o.run, &b, NULL))
        f->culprit = b.after_passes ? NULL : b.pass;
    f->backtrace = x->result.backtrace ? x->result.backtrace : seen_before(k, x);
    if (!f->backtrace && may_look(s, a, f))
        f->backtrace = run_backtrace(a, spec, k->o.self, &k->o.run, c);
    // The pass of a driver narrows the place of a crash, but does not name it.
    struct passes *d = ARENA_NEW(a, struct passes);
    if (passes_known(spec) && passes_find(a, s->tools, p, spec, k->o.self, &k->o.run, d, NULL) &&
        passes_sure(d))
        f->culprit = d->pass;
    s->looked += now_seconds() - start;
}

void crash_note(struct campaign *c, const struct suspect *x, const struct finding_evidence *f,
                const char *bucket, uint32_t bug)
{
    if (!f->backtrace || !x->result.crash_site || place_of(c, x))
        return;
    struct crash_seen *p = VEC_PUSH(&c->arena, &c->places);
    *p = (struct crash_seen){.target = x->target,
                             .site = x->result.crash_site,
                             .backtrace = arena_str(&c->arena, f->backtrace),
                             .known = bug != 0};
    snprintf(p->bucket, sizeof p->bucket, "%s", bucket);
}
