// SPDX-License-Identifier: Apache-2.0
#define _POSIX_C_SOURCE 200809L
#include "work_parts.h"

#include "batch.h"

#include <jansson.h>
#include <stdlib.h>
#include <string.h>

// ---- the stream ----------------------------------------------------------------------------

// Returns the generator's options as text: streams with different options generate different
// programs for one seed.
static const char *options_of(struct arena *a, const struct gen_options *g)
{
    json_t *features = json_array();
    for (int f = 0; f < GEN_FEATURE_COUNT; f++)
        if (g->features & GEN_BIT(f))
            json_array_append_new(features, json_string(gen_feature_name((enum gen_feature)f)));
    json_t *j =
        json_pack("{s:s, s:s, s:i, s:i, s:i, s:o}", "profile", gen_profile_name(g->profile),
                  "model", spv_model_name(g->model), "subgroup", (int)g->subgroup, "inputs",
                  (int)g->inputs, "max_invocations", (int)g->max_invocations, "features", features);
    if (g->log != GEN_LOG_ENTRIES)
        json_object_set_new(j, "log", json_string(gen_log_name(g->log)));
    if (g->stage != SPV_STAGE_DEFAULT)
        json_object_set_new(j, "stage", json_string(spv_stage_row(g->stage)->name));
    char *text = json_dumps(j, JSON_COMPACT);
    CHECK(text);
    const char *kept = arena_str(a, text);
    free(text);
    json_decref(j);
    return kept;
}

static bool open_stream(struct work *w, const struct campaign *c, int64_t *stream, struct err *e)
{
    struct arena a = {0};
    const struct campaign_target *t = campaign_target(c, 0);
    const bool ok = farm_stream_open(
        w->farm,
        &(struct farm_stream){.target = t->spec,
                              .device = t->device,
                              .driver = t->info.driver[0] ? t->info.driver : t->info.device,
                              .generator = GEN_VERSION,
                              .options = options_of(&a, campaign_made(c, 0))},
        stream, e);
    arena_free(&a);
    return ok;
}

// ---- one range -----------------------------------------------------------------------------

struct range_run {
    struct work *w;
    struct sender *sender;
};

static void found(void *user, struct arena *a, const struct campaign_found *f)
{
    struct range_run *r = user;
    sender_add(r->sender, r->sender->out, f->finding->name, false);
    if (r->w->ev->found)
        r->w->ev->found(r->w->ev->user, a, f);
}

static void own_bug(void *user, const char *file, const char *why)
{
    struct range_run *r = user;
    if (r->w->ev->own_bug)
        r->w->ev->own_bug(r->w->ev->user, file, why);
}

static bool wanted(const struct sender *s)
{
    return !atomic_load(&s->lost) && !atomic_load(&s->failed);
}

static bool tick(void *user, const struct campaign_stats *s)
{
    struct range_run *r = user;
    return r->w->ev->tick(r->w->ev->user, s) && wanted(r->sender);
}

// A separate campaign folder in which findings are reduced.
struct smaller {
    struct range_run *r;
    const char *dir;
};

static bool reduce_tick(void *user, const struct batch_stats *s)
{
    const struct smaller *x = user;
    (void)s;
    return x->r->w->ev->tick(x->r->w->ev->user, NULL) && wanted(x->r->sender);
}

// A finding that cannot be reduced stays in the store as it was found.
static void reduced(void *user, const char *finding, const struct reduction *r, const char *why)
{
    const struct smaller *x = user;
    const char *slash = strrchr(finding, '/');
    (void)why;
    if (r) {
        x->r->w->n->reduced++;
        sender_add(x->r->sender, x->dir, slash ? slash + 1 : finding, true);
    }
}

// Moves the findings to be reduced from one campaign folder to another.
static void move(struct arena *a, const struct sender *s, const char *from, const char *to)
{
    for (size_t i = 0; i < s->reduce.n; i++)
        rename(arena_printf(a, "%s/findings/%s", from, s->reduce.v[i]),
               arena_printf(a, "%s/findings/%s", to, s->reduce.v[i]));
}

// Reduces this range's findings that the store kept as one of the first of their bucket, and sends
// them again.
static void reduce_kept(struct range_run *r)
{
    struct arena a = {0};
    struct sender *s = r->sender;
    const struct work *w = r->w;
    struct smaller x = {r, arena_printf(&a, "%s/smaller", w->dir)};
    const struct batch_options o = {.dir = x.dir,
                                    .self = w->o->campaign.self,
                                    .targets = w->o->campaign.targets,
                                    .target_count = 1,
                                    .run = w->o->campaign.run,
                                    .jobs = w->o->campaign.jobs,
                                    .each = w->o->reduce};
    const struct batch_events ev = {.user = &x, .done = reduced, .tick = reduce_tick};
    struct batch_stats n;
    if (sender_drain(s) && s->reduce.n && dir_make(arena_printf(&a, "%s/findings", x.dir), NULL)) {
        move(&a, s, s->out, x.dir);
        struct err why = {0};
        if (!batch_run(&o, &ev, &n, &why) && w->ev->unreduced)
            w->ev->unreduced(w->ev->user, why.msg);
        sender_drain(s);
        move(&a, s, x.dir, s->out);
        dir_remove(x.dir);
    }
    arena_free(&a);
}

// Checks that the campaign did everything: not interrupted, all seeds, something compared.
static bool complete(const struct campaign *c, const struct campaign_stats *s, struct err *e)
{
    const struct campaign_count *n = &s->sum;
    if (s->stopped)
        return err_set(e, "interrupted");
    if (s->end_reason[0] || s->next_seed < campaign_options(c)->end_seed)
        return err_set(
            e, "%s", s->end_reason[0] ? s->end_reason : "the campaign ended before its last seed");
    return n->live_total || n->compiled || n->findings || n->again || n->known || n->flaky ||
           s->own_bugs ||
           err_set(e, "NOTHING WAS COMPARED in seeds %llu to %llu: %s",
                   (unsigned long long)campaign_options(c)->first_seed,
                   (unsigned long long)campaign_options(c)->end_seed - 1,
                   n->reasons ? n->reason[0].text : "no case finished");
}

static bool run_range(struct work *w, struct campaign *c, const struct farm_range *range,
                      struct err *e)
{
    struct arena a = {0};
    struct sender s;
    struct range_run r = {w, &s};
    struct campaign_stats *stats = ARENA_NEW(&a, struct campaign_stats);
    const struct campaign_events ev = {
        .user = &r, .found = found, .own_bug = own_bug, .tick = tick};
    struct err later = {0};
    bool counted = false;
    if (w->ev->range)
        w->ev->range(w->ev->user, range);
    campaign_seeds(c, range->first, range->end);
    sender_start(&s, w, range, campaign_options(c)->out);
    bool ok = campaign_run(c, &ev, stats, e);
    const bool whole = ok && complete(c, stats, e);
    if (whole)
        reduce_kept(&r);
    bool drained = sender_drain(&s);
    // An error of the store is more important than one of the campaign.
    ok = sender_stop(&s, whole || s.failed || s.lost ? e : &later) && drained && whole;
    if (ok)
        ok = farm_done(w->farm, range, campaign_json(&a, c, stats), s.tally.v, (uint32_t)s.tally.n,
                       &counted, e);
    else if (!atomic_load(&s.lost) && !atomic_load(&s.failed))
        farm_release(w->farm, range, &later);
    if (ok) {
        w->n->ranges += counted;
        w->n->already += !counted;
        w->n->cases += stats->sum.cases;
        w->n->agreed += stats->sum.agreed;
        w->n->findings += stats->sum.findings + stats->sum.again;
        w->n->done = true;
        if (!counted && !w->o->indexed && w->ev->lost) // no renewal was due since the takeover
            w->ev->lost(w->ev->user,
                        arena_printf(&a,
                                     "seeds %llu to %llu: counted already (by another worker, or "
                                     "by this one before its connection failed)",
                                     (unsigned long long)range->first,
                                     (unsigned long long)range->end - 1));
    }
    if (!ok && atomic_load(&s.lost) && !w->o->indexed) {
        w->n->lost++;
        ok = true;
        if (w->ev->lost)
            w->ev->lost(w->ev->user, e->msg);
    }
    if (w->ev->ended)
        w->ev->ended(w->ev->user, range, stats);
    sender_free(&s);
    arena_free(&a);
    return ok;
}

// ---- range after range ---------------------------------------------------------------------

static bool may_wait(void *user)
{
    const struct work *w = user;
    return w->ev->tick(w->ev->user, NULL);
}

static void away(void *user, const char *why, double waited)
{
    const struct work *w = user;
    if (w->ev->away)
        w->ev->away(w->ev->user, why, waited);
}

static bool take(struct work *w, int64_t stream, enum farm_taken *what, struct farm_range *r,
                 struct err *e)
{
    const struct work_options *o = w->o;
    return o->indexed ? farm_claim(w->farm, stream, o->index * o->size, (o->index + 1) * o->size,
                                   &o->owner, what, r, e)
                      : farm_take(w->farm, stream, o->size, &o->owner, what, r, e);
}

// Opens the target again for each range: the range counts for the driver version that answers now.
static bool one(struct work *w, const char *out, bool *more, struct err *e)
{
    struct arena a = {0};
    struct campaign_options o = w->o->campaign;
    enum farm_taken what = FARM_NOTHING;
    struct farm_range r = {0};
    int64_t stream;
    uint32_t known;
    const char *bugs = arena_printf(&a, "%s/known", w->dir);
    *more = false;
    farm_patience(w->farm, &w->patience);
    bool ok = farm_known_get(w->farm, bugs, &known, e);
    o.out = out;
    o.known = bugs;
    o.first_seed = 0;
    o.end_seed = 1;
    o.stop_after = 0;
    o.keep = 0; // the farm decides which findings it stores
    farm_idle(w->farm, 0);
    struct campaign *c = ok ? campaign_open(&o, e) : NULL;
    ok = c && open_stream(w, c, &stream, e);
    if (ok && w->ev->opened)
        w->ev->opened(w->ev->user, c, stream);
    ok = ok && work_replays(w, stream, e) && (w->o->replays_only || take(w, stream, &what, &r, e));
    if (ok && what == FARM_TAKEN) {
        ok = run_range(w, c, &r, e);
        *more = ok && !w->o->indexed;
    }
    if (ok && what == FARM_NOTHING && w->o->indexed && !w->o->replays_only)
        w->n->refused = true;
    if (ok && what == FARM_DONE) {
        w->n->already++;
        w->n->done = true;
    }
    if (c)
        campaign_close(c);
    arena_free(&a);
    return ok;
}

// Keeps a range's folder under its number, or removes it.
static bool cleanup(const struct work *w, const char *now, uint64_t range, struct err *e)
{
    struct arena a = {0};
    bool ok = true;
    if (w->o->out) {
        const char *kept = arena_printf(&a, "%s/%llu", w->dir, (unsigned long long)range);
        dir_remove(kept);
        ok = file_move(now, kept, e);
    } else {
        dir_remove(now);
    }
    arena_free(&a);
    return ok;
}

bool work_run(const struct work_options *o, const struct work_events *ev, struct work_count *out,
              struct err *e)
{
    struct work w = {.o = o, .ev = ev, .n = out};
    w.patience = (struct farm_patience){o->patience, &w, may_wait, away};
    struct arena a = {0};
    const double start = now_seconds();
    *out = (struct work_count){0};
    CHECK(o->campaign.target_count == 1);
    bool ok = (w.farm = farm_open(o->store, &w.patience, e)) != NULL, more = ok;
    if (ok && o->out)
        ok = dir_make(o->out, e) && snprintf(w.dir, sizeof w.dir, "%s", o->out) < (int)sizeof w.dir;
    else if (ok)
        ok = dir_temporary(w.dir, sizeof w.dir, e);
    const char *now = arena_printf(&a, "%s/now", w.dir);
    while (ok && more && ev->tick(ev->user, NULL)) {
        const uint64_t before = out->ranges + out->already;
        dir_remove(now);
        ok = one(&w, now, &more, e) &&
             (out->ranges + out->already == before || cleanup(&w, now, out->ranges, e));
        more = more && (!o->seconds || now_seconds() - start < o->seconds) &&
               (!o->ranges || out->ranges + out->already < o->ranges);
    }
    if (!o->out && w.dir[0])
        dir_remove(w.dir);
    farm_close(w.farm);
    arena_free(&a);
    return ok;
}
