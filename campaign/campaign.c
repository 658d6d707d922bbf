// SPDX-License-Identifier: Apache-2.0
//
// A campaign from opening to end: the phases of its shards, and the main thread, which calls the
// caller's tick and keeps OUT/state.json up to date.
#define _POSIX_C_SOURCE 200809L
#include "campaign_parts.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>
#include <unistd.h>

static const double STATE_EVERY = 1.0; // seconds
// Seconds that shards may continue after an interruption.
static const double LEAVE_AFTER = 0.6;

// ---- open and close ----------------------------------------------------------------

static void set_phase(struct campaign *c, enum campaign_phase p)
{
    pthread_mutex_lock(&c->lock);
    c->phase = p;
    pthread_cond_broadcast(&c->moved);
    pthread_mutex_unlock(&c->lock);
}

// Starts a thread per job, which opens its targets, and waits for all of them.
static bool open_shards(struct campaign *c, struct err *e)
{
    for (uint32_t i = 0; i < c->o.jobs; i++) {
        struct shard *s = &c->shard[i];
        s->c = c;
        int why = pthread_create(&s->thread, NULL, shard_main, s);
        if (why)
            return err_set(e, "cannot start a thread: error %d", why);
        c->shards++;
    }
    pthread_mutex_lock(&c->lock);
    while (c->opened < c->shards)
        pthread_cond_wait(&c->moved, &c->lock);
    pthread_mutex_unlock(&c->lock);
    for (uint32_t i = 0; i < c->shards; i++)
        if (!c->shard[i].ok)
            return err_set(e, "%s", c->shard[i].err.msg);
    for (uint32_t t = 0; t < c->o.target_count; t++) {
        c->target[t].spec = c->o.targets[t];
        c->target[t].info = *run_info(c->shard[0].queue[t].target);
    }
    return true;
}

static struct campaign *new_campaign(const struct campaign_options *o)
{
    struct campaign *c = mem_new(sizeof *c);
    c->o = *o;
    c->lock_fd = -1;
    pthread_mutex_init(&c->lock, NULL);
    pthread_cond_init(&c->moved, NULL);
    return c;
}

// Makes an id that is unique across machines.
static void make_id(struct campaign *c)
{
    struct timespec t;
    clock_gettime(CLOCK_REALTIME, &t);
    uint64_t what[3] = {(uint64_t)t.tv_sec, (uint64_t)t.tv_nsec, (uint64_t)getpid()};
    snprintf(c->id, sizeof c->id, "%016llx", (unsigned long long)hash64(what, sizeof what));
}

// True if more inputs of a module cost this target little: a Vulkan device and some others compile
// it once and run it fast. For the rest each input costs about as much as the first: a command is
// started for each, the oracle runs a compiler's output for each, or compiling takes less time than
// a run.
static bool takes_many_inputs(struct campaign *c, const struct campaign_target *t)
{
    const struct run_stage *s = run_spec_parse(&c->arena, t->spec, NULL);
    while (s && s->next)
        s = s->next;
    return t->info.form == RUN_FORM_MEMORY &&
           (t->info.api_version || (s && s->kind && s->kind->many_inputs));
}

static uint32_t inputs_by_targets(struct campaign *c)
{
    for (uint32_t t = 0; t < c->o.target_count; t++)
        if (!takes_many_inputs(c, &c->target[t]))
            return 1;
    return CAMPAIGN_INPUTS;
}

// False with a message if a target is not the one that the user expects.
static bool as_expected(const struct campaign *c, struct err *e)
{
    bool ok = true;
    for (uint32_t i = 0; i < c->o.target_count && ok && c->o.expect; i++) {
        const struct campaign_target *t = &c->target[i];
        ok = strstr(t->device, c->o.expect) ||
             err_set(e, "%s: expected '%s', but the driver is %s, %s", t->spec, c->o.expect,
                     t->info.device, t->info.driver);
    }
    return ok;
}

static bool open_all(struct campaign *c, struct err *e)
{
    CHECK(c->o.jobs >= 1 && c->o.jobs <= CAMPAIGN_JOBS_MAX);
    CHECK(c->o.inputs <= RUN_JOB_CASES);
    CHECK(c->o.target_count >= 1 && c->o.target_count <= CAMPAIGN_TARGETS_MAX);
    if (!c->o.validate_every)
        c->o.validate_every = CAMPAIGN_VALIDATE;
    if (c->o.size) {
        c->all = enu_make(&c->arena, c->o.stage, c->o.size);
        c->o.features = enu_features(c->o.stage);
    }
    if (!known_read(c, e) || !open_shards(c, e))
        return false;
    if (!c->o.inputs)
        c->o.inputs = inputs_by_targets(c);
    return plan_targets(c, e) && as_expected(c, e);
}

struct campaign *campaign_open(const struct campaign_options *o, struct err *e)
{
    struct campaign *c = new_campaign(o);
    c->next.seed = o->first_seed;
    make_id(c);
    if (open_all(c, e) && save_prepare(c, e))
        return c;
    campaign_close(c);
    return NULL;
}

struct campaign *campaign_resume(const struct campaign_options *o, struct err *e)
{
    struct campaign *c = new_campaign(o);
    c->stats.resumed = true;
    if (save_lock(c, e) && state_load(c, o, e) && open_all(c, e) && state_same_targets(c, e) &&
        save_prepare(c, e))
        return c;
    campaign_close(c);
    return NULL;
}

const struct campaign_options *campaign_options(const struct campaign *c)
{
    return &c->o;
}

const struct campaign_target *campaign_target(const struct campaign *c, uint32_t i)
{
    CHECK(i < c->o.target_count);
    return &c->target[i];
}

const struct gen_options *campaign_made(const struct campaign *c, uint32_t i)
{
    CHECK(i < c->o.target_count);
    return &c->group[c->group_of[i]].gen;
}

void campaign_seeds(struct campaign *c, uint64_t first, uint64_t end)
{
    CHECK(first < end && !c->stats.resumed);
    c->o.first_seed = first;
    c->o.end_seed = end;
    c->next = (struct unit){.seed = first};
}

void campaign_close(struct campaign *c)
{
    // A shard still runs and uses its memory; the process is about to end.
    if (c->abandoned) {
        run_leave();
        return;
    }
    set_phase(c, PHASE_QUIT);
    for (uint32_t i = 0; i < c->shards; i++)
        pthread_join(c->shard[i].thread, NULL);
    if (c->lock_fd >= 0)
        close(c->lock_fd);
    pthread_mutex_destroy(&c->lock);
    pthread_cond_destroy(&c->moved);
    arena_free(&c->arena);
    free(c);
}

// ---- the main thread ---------------------------------------------------------------

static void tick(struct campaign *c)
{
    c->stats.seconds = campaign_seconds(c);
    c->stats.next_seed = campaign_first_open(c);
    if (!c->stats.stopped && !c->ev->tick(c->ev->user, &c->stats)) {
        c->stats.stopped = true;
        atomic_store(&c->stop, true);
    }
}

// Waits until all shards are done, or until an interrupted one does not end in time.
static bool look_on(struct campaign *c, struct err *e)
{
    bool ok = true;
    double save_at = now_seconds() + STATE_EVERY, leave_at = -1;
    pthread_mutex_lock(&c->lock);
    while (c->running) {
        tick(c);
        if (ok && now_seconds() >= save_at) {
            ok = state_save(c, e);
            if (!ok)
                atomic_store(&c->stop, true);
            save_at = now_seconds() + STATE_EVERY;
        }
        if (c->stats.stopped && leave_at < 0)
            leave_at = now_seconds() + LEAVE_AFTER;
        if (leave_at >= 0 && now_seconds() >= leave_at) {
            c->abandoned = true;
            break;
        }
        struct timespec t;
        clock_gettime(CLOCK_REALTIME, &t);
        t.tv_nsec += 50 * 1000 * 1000;
        t.tv_sec += t.tv_nsec / 1000000000;
        t.tv_nsec %= 1000000000;
        pthread_cond_timedwait(&c->moved, &c->lock, &t);
    }
    pthread_mutex_unlock(&c->lock);
    return ok;
}

bool campaign_run(struct campaign *c, const struct campaign_events *ev, struct campaign_stats *out,
                  struct err *e)
{
    c->ev = ev;
    c->stats.jobs = c->shards;
    c->stats.targets = c->o.target_count;
    c->start = now_seconds();
    bool ok = state_save(c, e);
    if (ok) {
        c->running = c->shards;
        set_phase(c, PHASE_RUN);
        ok = look_on(c, e);
    }
    pthread_mutex_lock(&c->lock);
    for (uint32_t i = 0; i < c->shards && ok && !c->abandoned; i++)
        if (!c->shard[i].ok)
            ok = err_set(e, "%s", c->shard[i].err.msg);
    c->stats.seconds = campaign_seconds(c);
    c->stats.next_seed = campaign_first_open(c);
    struct err later = {0};
    if (!state_save(c, ok ? e : &later))
        ok = false;
    // A resumed campaign repeats these jobs, but the figures here must include their findings.
    for (size_t i = 0; i < c->late.n; i++)
        count_record(c, &c->late.v[i]);
    if (!json_save_campaign(c, ok ? e : &later))
        ok = false;
    *out = c->stats;
    pthread_mutex_unlock(&c->lock);
    return ok;
}
