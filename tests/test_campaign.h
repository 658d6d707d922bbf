// SPDX-License-Identifier: Apache-2.0
//
// A campaign on devices made of the oracle and of faults that are known beforehand.
//
// The functions of runners/ that the campaign calls are defined here; everything else
// is the program's own.
#ifndef TF_TEST_APP_CAMPAIGN_H
#define TF_TEST_APP_CAMPAIGN_H

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include <jansson.h>
#include <signal.h>
#include <sys/eventfd.h>
#include <sys/resource.h>
#include <sys/stat.h>
#include <unistd.h>

#include "campaign/campaign.c"
#include "campaign/campaign_answer.c"
#include "campaign/campaign_count.c"
#include "campaign/campaign_crash.c"
#include "campaign/campaign_job.c"
#include "campaign/campaign_json.c"
#include "campaign/campaign_known.c"
#include "campaign/campaign_plan.c"
#include "campaign/campaign_save.c"
#include "campaign/campaign_shard.c"
#include "campaign/campaign_state.c"
#include "judge/judge.h"

// ---- the device ------------------------------------------------------------------

enum fault {
    FAULT_NONE,
    FAULT_VALUE, // one bit of what it wrote is wrong, always
    FAULT_FLAKY, // the same, the first time only
    FAULT_CRASH,
    FAULT_HANG,
    FAULT_LOST,
    FAULT_REJECTED,
    FAULT_SKIPPED,
    FAULT_MAPPING,  // a lane mapping that cannot be
    FAULT_REVERSED, // lanes the other way round, everything else right for it
    FAULTS,
    FAULT_FAILED = FAULTS, // the environment
    FAULT_NAMED,           // a crash for each fifth module, told by its own bytes
    FAULT_DIGEST,          // one bit of a digest is wrong, logs are right
    FAULT_NO_LOG,          // the same, and a module with a log fails
    FAULT_LOG_CRASHES,     // the same, and a module with a log crashes
    FAULT_LAST = FAULT_LOG_CRASHES,
};
enum { MODULES = 4096 };

// What a device of Vulkan 1.1 may have.
#define OFFERED                                                                                    \
    ((SPV_NEED(PARTITIONED) - 1) | SPV_NEED(FLOAT32) | SPV_NEED(VECTORS) | SPV_NEED(BOOLS) |       \
     SPV_NEED(MORE_ARITHMETIC) | SPV_NEED(SHARED) | SPV_NEED(ATOMIC) | SPV_NEED(BUFFER_BARRIER) |  \
     SPV_NEED(SPIRV_1_4) | SPV_NEED(BALLOT_LOOKS) | SPV_NEED(FALL_THROUGH) |                       \
     SPV_NEED(MAXIMAL_RECONVERGENCE))

struct run_target {
    struct run_info info;
    bool right; // never has a fault
    int fd;
    struct {
        struct spv_case c[RUN_JOB_CASES];
        uint32_t n, subgroup;
        bool again;
        enum fault fault;
    } job[RUN_QUEUE];
    uint32_t head, pending;
    uint64_t last; // what it was handed over last
};

// What all targets share, under a lock: which modules were seen, in their order.
static pthread_mutex_t device_lock = PTHREAD_MUTEX_INITIALIZER;
static struct {
    enum fault (*plan)(uint32_t module);
    uint64_t seen[MODULES];
    uint32_t count;
    uint32_t faults[FAULT_LAST + 1]; // first runs with each
    spv_needs offers;
    bool stuck;                  // never answers
    uint32_t slow;               // milliseconds that an answer takes
    uint32_t killed;
    uint64_t crash_site; // of all its crashes
    uint32_t looked;     // how often a debugger ran
} device;

static inline enum fault all_faults(uint32_t module)
{
    return (enum fault)(module % FAULTS);
}
static inline enum fault no_fault(uint32_t module)
{
    return module == UINT32_MAX ? FAULT_VALUE : FAULT_NONE;
}
static inline enum fault only_crashes(uint32_t module)
{
    return module % 2 ? FAULT_CRASH : FAULT_NONE;
}
static inline enum fault always_crashes(uint32_t module)
{
    return module <= MODULES ? FAULT_CRASH : FAULT_NONE;
}
static inline enum fault crash_by_name(uint32_t module)
{
    return module == UINT32_MAX ? FAULT_VALUE : FAULT_NAMED;
}
static inline enum fault only_skips(uint32_t module)
{
    return module < MODULES ? FAULT_SKIPPED : FAULT_NONE;
}
static inline enum fault every_second_fails(uint32_t module)
{
    return module % 2 ? FAULT_FAILED : FAULT_NONE;
}
static inline enum fault fails_from_five(uint32_t module)
{
    return module == 1 ? FAULT_VALUE : module >= 5 ? FAULT_FAILED : FAULT_NONE;
}

struct run_target *run_open(const char *spec, const char *self, const struct run_options *o,
                            struct err *e)
{
    (void)self;
    (void)o;
    (void)e;
    struct run_target *t = calloc(1, sizeof *t);
    assert_non_null(t);
    t->right = strncmp(spec, "right", 5) == 0;
    t->fd = eventfd(!device.stuck, EFD_CLOEXEC); // always readable, or never
    t->info = (struct run_info){.device = "oracle",
                                .driver = "faults",
                                .subgroup_size = 8,
                                .subgroup_min = 8,
                                .subgroup_max = 8,
                                .offers = device.offers,
                                .max_invocations = 64};
    return t;
}

void run_close(struct run_target *t)
{
    close(t->fd);
    free(t);
}

void run_leave(void)
{
}
// No target here has passes.
void run_case(struct run_target *t, struct arena *a, const struct spv_case *c, uint32_t subgroup,
              struct run_result *out)
{
    (void)t, (void)a, (void)c, (void)subgroup, (void)out;
    fail();
}
const char *run_backtrace(struct arena *a, const char *spec, const char *self,
                          const struct run_options *o, const struct spv_case *c)
{
    (void)a, (void)spec, (void)self, (void)o, (void)c;
    pthread_mutex_lock(&device_lock);
    device.looked++;
    pthread_mutex_unlock(&device_lock);
    return device.crash_site ? "#0  0x1 in Isel::CannotSelect () from d.so\n" : "";
}
void run_kill(struct run_target *t)
{
    t->pending = 0;
    pthread_mutex_lock(&device_lock);
    device.killed++;
    pthread_mutex_unlock(&device_lock);
}

const struct run_info *run_info(const struct run_target *t)
{
    return &t->info;
}
int run_fd(const struct run_target *t)
{
    return t->fd;
}

uint32_t run_queue(const struct run_target *t)
{
    (void)t;
    return RUN_QUEUE;
}

bool run_submit(struct run_target *t, const struct spv_case *cases, uint32_t n, uint32_t subgroup)
{
    assert_true(t->pending < RUN_QUEUE);
    assert_true(n <= RUN_JOB_CASES);
    uint32_t at = (t->head + t->pending++) % RUN_QUEUE;
    memcpy(t->job[at].c, cases, n * sizeof *cases);
    t->job[at].n = n;
    t->job[at].subgroup = subgroup;
    t->job[at].fault = FAULT_NONE;
    // The line names the seed: two seeds may well give one module.
    assert_non_null(cases->from);
    uint64_t hash = hash64(cases->from, strlen(cases->from));
    // A device that answers with what it had before would be right about the second of two.
    assert_true(hash != t->last);
    t->last = hash;
    // What stands between two re-runs is of no seed.
    if (t->right || !strstr(cases->from, " seed="))
        return true;
    pthread_mutex_lock(&device_lock);
    uint32_t i = 0;
    while (i < device.count && device.seen[i] != hash)
        i++;
    assert_true(i < MODULES);
    t->job[at].again = i < device.count;
    t->job[at].fault = device.plan(i);
    if (t->job[at].fault == FAULT_NAMED)
        t->job[at].fault = hash % 5 ? FAULT_NONE : FAULT_CRASH;
    if (i == device.count) {
        device.seen[device.count++] = hash;
        device.faults[t->job[at].fault]++;
    }
    pthread_mutex_unlock(&device_lock);
    return true;
}

static inline void run_right(struct arena *a, const struct spv_case *c, uint32_t subgroup,
                             bool reversed, struct run_result *out)
{
    struct spv_module m;
    uint32_t size[3];
    assert_true(spv_module_read(a, c->words, c->count, &m, NULL));
    assert_true(spv_local_size(c, &m, size, NULL));
    uint32_t group = size[0] * size[1] * size[2];
    uint32_t all = group * c->groups[0] * c->groups[1] * c->groups[2];
    uint32_t *sub = ARENA_ARRAY(a, uint32_t, all), *lane = ARENA_ARRAY(a, uint32_t, all);
    for (uint32_t i = 0; i < all; i++) {
        uint32_t l = i % group, base = l - l % subgroup;
        uint32_t width = group - base < subgroup ? group - base : subgroup;
        sub[i] = l / subgroup;
        lane[i] = width - 1 - l % subgroup;
    }
    struct orc_lanes lanes = {.invocations = all, .subgroup = sub, .lane = lane};
    struct orc_options o = {.lanes = reversed ? &lanes : NULL};
    struct orc_result r;
    orc_predict(a, c, subgroup, &o, &r);
    out->status = RUN_OK;
    out->form = RUN_FORM_MEMORY;
    if (r.why.status != RAN_OK) { // shuffles and the like may not be defined then
        out->status = RUN_SKIPPED;
        snprintf(out->text, sizeof out->text, "not defined when reversed");
        return;
    }
    out->memory = r.memory;
    out->memory_count = r.memory_count;
    for (uint32_t i = 0; i < r.memory_count; i++) {
        // What is not defined may be anything.
        for (uint32_t k = 0; k < r.memory[i].count && r.memory[i].mask; k++)
            r.memory[i].words[k] |= 0xa5a5a5a5 & ~r.memory[i].mask[k];
        r.memory[i].mask = NULL;
    }
}

uint32_t run_take(struct run_target *t, struct arena *a, double seconds,
                  struct run_result **results)
{
    if (!t->pending || device.stuck) {
        nanosleep(&(struct timespec){.tv_nsec = (long)(seconds * 1e9)}, NULL);
        return 0;
    }
    if (device.slow)
        nanosleep(&(struct timespec){.tv_nsec = device.slow * 1000 * 1000L}, NULL);
    uint32_t at = t->head, n = t->job[at].n;
    t->head = (t->head + 1) % RUN_QUEUE;
    t->pending--;
    struct run_result *out = ARENA_ARRAY(a, struct run_result, n);
    for (uint32_t i = 0; i < n; i++) {
        const struct spv_case *c = &t->job[at].c[i];
        struct run_result *r = &out[i];
        enum fault f = t->job[at].fault;
        static const enum run_status statuses[FAULT_LAST + 1] = {
            [FAULT_CRASH] = RUN_CRASHED,    [FAULT_HANG] = RUN_HUNG,
            [FAULT_LOST] = RUN_DEVICE_LOST, [FAULT_REJECTED] = RUN_REJECTED,
            [FAULT_SKIPPED] = RUN_SKIPPED,  [FAULT_FAILED] = RUN_FAILED,
        };
        r->driver_seconds = 0.001;
        r->status = f == FAULT_NO_LOG && c->has_log        ? RUN_FAILED
                    : f == FAULT_LOG_CRASHES && c->has_log ? RUN_CRASHED
                                                           : statuses[f];
        if (r->status != RUN_OK) {
            snprintf(r->text, sizeof r->text, "planned: %s", run_status_name(r->status));
            r->crash_site = r->status == RUN_CRASHED ? device.crash_site : 0;
            continue;
        }
        run_right(a, c, t->job[at].subgroup, f == FAULT_REVERSED, r);
        if (r->status != RUN_OK)
            continue;
        uint32_t log = spv_buffer_index(c, c->log_set, c->log_binding);
        uint32_t lanes = spv_buffer_index(c, c->lanes_set, c->lanes_binding);
        assert_true(log < r->memory_count && lanes < r->memory_count);
        if (f == FAULT_VALUE || (f == FAULT_FLAKY && !t->job[at].again) ||
            (f >= FAULT_DIGEST && !c->has_log))
            r->memory[log].words[0] ^= 0x40000000;
        if (f == FAULT_MAPPING)
            r->memory[lanes].words[1] = 77;
    }
    *results = out;
    return n;
}

// ---- a campaign --------------------------------------------------------------------

struct world {
    struct arena a;
    char dir[64];
    const char *targets[3];
    struct campaign_options o;
    struct campaign_stats s;
    struct err e;
    uint32_t found, found_flaky, found_again, own_bugs;
    uint64_t ticks, stop_at;
    double asked; // when, to finish
    bool crash_seen;
};

static inline void on_found(void *user, struct arena *a, const struct campaign_found *f)
{
    struct world *w = user;
    (void)a;
    struct stat st;
    char path[512];
    snprintf(path, sizeof path, "%s/README.md", f->finding->folder);
    assert_int_equal(stat(path, &st), 0);
    bool ran = judge_class_is_mismatch(f->finding->verdict.klass);
    snprintf(path, sizeof path, "%s/observed.mem", f->finding->folder);
    assert_int_equal(stat(path, &st), ran ? 0 : -1);
    w->found += !f->finding->flaky && !f->again;
    w->found_flaky += f->finding->flaky;
    w->found_again += f->again;
}

static inline void on_own_bug(void *user, const char *file, const char *why)
{
    struct world *w = user;
    print_error("ours: %s: %s\n", file, why);
    w->own_bugs++;
}

static inline bool on_tick(void *user, const struct campaign_stats *s)
{
    struct world *w = user;
    (void)s;
    w->asked = now_seconds();
    return ++w->ticks != w->stop_at;
}

static inline int start(void **state)
{
    struct world *w = calloc(1, sizeof *w);
    *state = w;
    snprintf(w->dir, sizeof w->dir, "/tmp/test_campaign.XXXXXX");
    if (!w || !mkdtemp(w->dir))
        return -1;
    memset(&device, 0, sizeof device);
    device.plan = no_fault;
    device.offers = OFFERED;
    w->targets[0] = "faults";
    w->targets[1] = "right:one";
    w->targets[2] = "right:two";
    w->o = (struct campaign_options){.targets = w->targets,
                                     .target_count = 1,
                                     .self = "none",
                                     .out = w->dir,
                                     .end_seed = 100,
                                     .jobs = 1,
                                     .inputs = 1,
                                     .profile = GEN_DEFAULT,
                                     .features = GEN_DEFAULT_FEATURES,
                                     .model = SPV_MAXIMAL};
    return 0;
}

static inline int end(void **state)
{
    struct world *w = *state;
    char command[96];
    snprintf(command, sizeof command, "rm -r %s", w->dir);
    int status = system(command);
    arena_free(&w->a);
    free(w);
    return status;
}

static inline bool run(struct world *w)
{
    struct campaign *c = campaign_open(&w->o, &w->e);
    if (!c)
        fail_msg("%s", w->e.msg);
    const struct campaign_events ev = {
        .user = w, .found = on_found, .own_bug = on_own_bug, .tick = on_tick};
    bool ok = campaign_run(c, &ev, &w->s, &w->e);
    campaign_close(c);
    return ok;
}

static inline unsigned folders(struct world *w, const char *ending)
{
    char command[160], line[32] = "";
    snprintf(command, sizeof command, "ls -d %s/findings/*%s 2>/dev/null | wc -l", w->dir, ending);
    FILE *p = popen(command, "r");
    assert_non_null(p);
    assert_non_null(fgets(line, sizeof line, p));
    pclose(p);
    return (unsigned)atoi(line);
}

#endif
