// SPDX-License-Identifier: Apache-2.0
//
// The campaign's loop on a device made of the oracle and of faults that are known
// beforehand: each fault must come out as its class, none may be lost, none made up.
//
// The functions of runners/ that the campaign calls are defined here; everything else
// is the program's own.
#define _GNU_SOURCE
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

#define TANGLEFUZZ_VERSION "test"
#include "app/campaign.c"
#include "app/campaign_answer.c"
#include "app/campaign_count.c"
#include "app/campaign_job.c"
#include "app/campaign_json.c"
#include "app/campaign_known.c"
#include "app/campaign_plan.c"
#include "app/campaign_save.c"
#include "app/campaign_shard.c"
#include "app/campaign_state.c"
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
};
enum { MODULES = 4096 };

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
};

// What all targets share, under a lock: which modules were seen, in their order.
static pthread_mutex_t device_lock = PTHREAD_MUTEX_INITIALIZER;
static struct {
    enum fault (*plan)(uint32_t module);
    uint64_t seen[MODULES];
    uint32_t count;
    uint32_t faults[FAULTS + 1]; // first runs with each
    bool maximal, stuck;         // stuck: never answers
    uint32_t slow;               // milliseconds that an answer takes
    uint32_t ops, killed;
} device;

static enum fault all_faults(uint32_t module)
{
    return (enum fault)(module % FAULTS);
}
static enum fault no_fault(uint32_t module)
{
    return module == UINT32_MAX ? FAULT_VALUE : FAULT_NONE;
}
static enum fault only_crashes(uint32_t module)
{
    return module % 2 ? FAULT_CRASH : FAULT_NONE;
}
static enum fault always_crashes(uint32_t module)
{
    return module <= MODULES ? FAULT_CRASH : FAULT_NONE;
}
static enum fault crash_by_name(uint32_t module)
{
    return module == UINT32_MAX ? FAULT_VALUE : FAULT_NAMED;
}
static enum fault only_skips(uint32_t module)
{
    return module < MODULES ? FAULT_SKIPPED : FAULT_NONE;
}
static enum fault every_second_fails(uint32_t module)
{
    return module % 2 ? FAULT_FAILED : FAULT_NONE;
}
static enum fault fails_from_five(uint32_t module)
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
                                .maximal_reconvergence = device.maximal,
                                .subgroup_ops = device.ops,
                                .max_invocations = 64};
    return t;
}

void run_close(struct run_target *t)
{
    close(t->fd);
    free(t);
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

bool run_submit(struct run_target *t, const struct spv_case *cases, uint32_t n, uint32_t subgroup)
{
    assert_true(t->pending < RUN_QUEUE);
    assert_true(n <= RUN_JOB_CASES);
    uint32_t at = (t->head + t->pending++) % RUN_QUEUE;
    memcpy(t->job[at].c, cases, n * sizeof *cases);
    t->job[at].n = n;
    t->job[at].subgroup = subgroup;
    t->job[at].fault = FAULT_NONE;
    if (t->right)
        return true;
    // The line names the seed: two seeds may well give one module.
    assert_non_null(cases->from);
    pthread_mutex_lock(&device_lock);
    uint64_t hash = hash64(cases->from, strlen(cases->from));
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

static void run_right(struct arena *a, const struct spv_case *c, uint32_t subgroup, bool reversed,
                      struct run_result *out)
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
    if (r.why.status != ORC_OK) { // shuffles and the like may not be defined then
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
    (void)seconds;
    if (!t->pending || device.stuck)
        return 0;
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
        static const enum run_status statuses[FAULTS + 1] = {
            [FAULT_CRASH] = RUN_CRASHED,    [FAULT_HANG] = RUN_HUNG,
            [FAULT_LOST] = RUN_DEVICE_LOST, [FAULT_REJECTED] = RUN_REJECTED,
            [FAULT_SKIPPED] = RUN_SKIPPED,  [FAULT_FAILED] = RUN_FAILED,
        };
        r->driver_seconds = 0.001;
        r->status = statuses[f];
        if (r->status != RUN_OK) {
            snprintf(r->text, sizeof r->text, "planned: %s", run_status_name(r->status));
            continue;
        }
        run_right(a, c, t->job[at].subgroup, f == FAULT_REVERSED, r);
        if (r->status != RUN_OK)
            continue;
        uint32_t log = tri_buffer_index(c, c->log_set, c->log_binding);
        uint32_t lanes = tri_buffer_index(c, c->lanes_set, c->lanes_binding);
        assert_true(log < r->memory_count && lanes < r->memory_count);
        if (f == FAULT_VALUE || (f == FAULT_FLAKY && !t->job[at].again))
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
    uint32_t found, found_flaky, found_again, ours;
    uint64_t ticks, stop_at;
    bool crash_seen;
};

static void on_found(void *user, struct arena *a, const struct campaign_found *f)
{
    struct world *w = user;
    (void)a;
    struct stat st;
    char path[512];
    snprintf(path, sizeof path, "%s/README.md", f->folder);
    assert_int_equal(stat(path, &st), 0);
    bool ran = tri_class_is_mismatch(f->finding->verdict->klass);
    snprintf(path, sizeof path, "%s/observed.mem", f->folder);
    assert_int_equal(stat(path, &st), ran ? 0 : -1);
    w->found += !f->finding->flaky && !f->again;
    w->found_flaky += f->finding->flaky;
    w->found_again += f->again;
}

static void on_ours(void *user, const char *file, const char *why)
{
    struct world *w = user;
    print_error("ours: %s: %s\n", file, why);
    w->ours++;
}

static bool on_tick(void *user, const struct campaign_stats *s)
{
    struct world *w = user;
    (void)s;
    return ++w->ticks != w->stop_at;
}

static int start(void **state)
{
    struct world *w = calloc(1, sizeof *w);
    *state = w;
    snprintf(w->dir, sizeof w->dir, "/tmp/test_app_campaign.XXXXXX");
    if (!w || !mkdtemp(w->dir))
        return -1;
    memset(&device, 0, sizeof device);
    device.plan = no_fault;
    device.maximal = true;
    device.ops = 0xff;
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
                                     .features = GEN_ALL_FEATURES,
                                     .model = SPV_MAXIMAL};
    return 0;
}

static int end(void **state)
{
    struct world *w = *state;
    char command[96];
    snprintf(command, sizeof command, "rm -r %s", w->dir);
    int status = system(command);
    arena_free(&w->a);
    free(w);
    return status;
}

static bool run(struct world *w)
{
    struct campaign *c = campaign_open(&w->o, &w->e);
    if (!c)
        fail_msg("%s", w->e.msg);
    const struct campaign_events ev = {
        .user = w, .found = on_found, .ours = on_ours, .tick = on_tick};
    bool ok = campaign_run(c, &ev, &w->s, &w->e);
    campaign_close(c);
    return ok;
}

static unsigned folders(struct world *w, const char *ending)
{
    char command[160], line[32] = "";
    snprintf(command, sizeof command, "ls -d %s/findings/*%s 2>/dev/null | wc -l", w->dir, ending);
    FILE *p = popen(command, "r");
    assert_non_null(p);
    assert_non_null(fgets(line, sizeof line, p));
    pclose(p);
    return (unsigned)atoi(line);
}

static void all_agree(void **state)
{
    struct world *w = *state;
    assert_true(run(w));
    assert_int_equal(w->s.sum.cases, 100);
    assert_int_equal(w->s.sum.modules, 100);
    assert_int_equal(w->s.sum.agreed, 100);
    assert_int_equal(w->s.sum.findings + w->s.sum.flaky + w->s.ours + w->s.sum.skipped + w->found, 0);
    assert_int_equal(folders(w, ""), 0);
    assert_true(w->s.sum.live_min > 0);
    assert_true(campaign_live_median(&w->s.sum) >= w->s.sum.live_min * 7 / 8);
    assert_true(campaign_live_median(&w->s.sum) <= w->s.sum.live_total);
    assert_int_equal(w->s.next_seed, 100);
}

static void each_fault_is_its_class(void **state)
{
    struct world *w = *state;
    device.plan = all_faults;
    w->o.end_seed = 200;
    w->o.jobs = 3;
    assert_true(run(w));
    const uint32_t *f = device.faults;
    const uint64_t *k = w->s.sum.by_class;
    assert_int_equal(device.count, 200);
    assert_int_equal(w->s.sum.modules, 200);
    assert_int_equal(f[FAULT_CRASH], 20);
    assert_int_equal(k[TRI_CRASH], f[FAULT_CRASH]);
    assert_int_equal(k[TRI_HANG], f[FAULT_HANG]);
    assert_int_equal(k[TRI_DEVICE_LOST], f[FAULT_LOST]);
    assert_int_equal(k[TRI_REJECTED], f[FAULT_REJECTED]);
    assert_int_equal(k[TRI_WRONG_MAPPING], f[FAULT_MAPPING]);
    assert_int_equal(k[TRI_FLAKY], f[FAULT_FLAKY]);
    assert_int_equal(w->s.sum.flaky, f[FAULT_FLAKY]);
    uint64_t mismatches = 0, all = 0;
    for (int i = 0; i < TRI_CLASSES; i++) {
        mismatches += tri_class_is_mismatch((enum tri_class)i) && i != TRI_WRONG_MAPPING ? k[i] : 0;
        all += k[i];
    }
    assert_int_equal(mismatches, f[FAULT_VALUE]);
    assert_int_equal(w->s.sum.findings, all - k[TRI_FLAKY]);
    assert_int_equal(w->found, w->s.sum.findings);
    assert_int_equal(w->found_flaky, w->s.sum.flaky);
    assert_int_equal(folders(w, ""), all);
    assert_int_equal(folders(w, "-flaky"), f[FAULT_FLAKY]);
    assert_int_equal(folders(w, "-crash"), f[FAULT_CRASH]);
    // Three re-runs each.
    assert_int_equal(w->s.sum.rerun, 3 * all);
    // The reversed mappings agree, or are not defined and left out.
    assert_true(w->s.sum.other_mapping > 0);
    assert_true(w->s.sum.skipped >= f[FAULT_SKIPPED]);
    assert_int_equal(w->s.sum.skipped + w->s.sum.cases, 200);
    assert_int_equal(w->s.sum.agreed + all + w->s.sum.nothing, w->s.sum.cases);
    assert_int_equal(w->s.ours, 0);
    assert_string_equal(w->s.sum.reason[0].text, "planned: skipped");
    assert_int_equal(w->s.sum.reason[0].n, f[FAULT_SKIPPED]);
}

static void several_inputs(void **state)
{
    struct world *w = *state;
    device.plan = only_crashes;
    w->o.end_seed = 20;
    w->o.inputs = 5;
    assert_true(run(w));
    assert_int_equal(w->s.sum.modules, 20);
    assert_int_equal(w->s.sum.cases, 100);
    // All inputs of a module show the same class: one finding.
    assert_int_equal(w->s.sum.findings, 10);
    assert_int_equal(w->s.sum.agreed, 50);
}

static void known_ones_are_kept_once(void **state)
{
    struct world *w = *state;
    device.plan = only_crashes;
    w->o.end_seed = 10;
    assert_true(run(w));
    assert_int_equal(w->s.sum.findings, 5);
    device.count = 0;
    w->found = 0;
    assert_true(run(w));
    assert_int_equal(w->s.sum.findings, 0);
    assert_int_equal(w->s.sum.again, 5);
    assert_int_equal(w->found_again, 5);
    assert_int_equal(folders(w, ""), 5);
    char path[128];
    snprintf(path, sizeof path, "%s/campaign.json", w->dir);
    json_t *o = json_load_file(path, 0, NULL);
    assert_non_null(o);
    json_t *list = json_object_get(o, "campaigns");
    assert_int_equal(json_array_size(list), 2);
    assert_int_equal(json_integer_value(json_object_get(json_array_get(list, 0), "findings")), 5);
    assert_int_equal(json_integer_value(json_object_get(json_array_get(list, 1), "findings")), 0);
    assert_int_equal(json_integer_value(json_object_get(json_array_get(list, 1), "findings_again")),
                     5);
    json_decref(o);
}

// Wherever it is interrupted, no suspect is lost.
static void interrupted_anywhere(void **state)
{
    struct world *w = *state;
    uint32_t unfinished = 0;
    for (uint64_t at = 1; at < 60; at++) {
        device.count = 0;
        memset(device.faults, 0, sizeof device.faults);
        device.plan = only_crashes;
        device.slow = 1;
        w->ticks = 0;
        w->stop_at = at;
        w->found = w->found_again = w->found_flaky = 0;
        w->o.jobs = 2;
        w->o.end_seed = 100000;
        double before = now_seconds();
        assert_true(run(w));
        assert_true(now_seconds() - before < 1.0);
        assert_true(w->s.stopped);
        assert_int_equal(w->found_flaky, 0);
        // What was answered with a crash has a folder, re-run or not.
        uint64_t crashes = w->s.sum.cases - w->s.sum.agreed;
        assert_int_equal(w->found + w->found_again, crashes);
        unfinished += w->s.sum.rerun < 3 * crashes;
    }
    assert_true(unfinished > 10);
}

static void environment_that_fails(void **state)
{
    struct world *w = *state;
    device.plan = fails_from_five;
    assert_false(run(w));
    assert_non_null(strstr(w->e.msg, "failed 3 times in a row: planned: failed"));
    assert_true(w->s.sum.modules < 5 + CAMPAIGN_FAILURES + 2 * RUN_QUEUE);
    // What was found until then is kept.
    assert_int_equal(w->s.sum.findings, 1);
    assert_int_equal(folders(w, ""), 1);
}

// Failures here and there are left out, and the campaign goes on.
static void environment_that_fails_now_and_then(void **state)
{
    struct world *w = *state;
    device.plan = every_second_fails;
    assert_true(run(w));
    assert_int_equal(w->s.sum.modules, 100);
    assert_int_equal(w->s.sum.agreed, 50);
    assert_int_equal(w->s.sum.skipped, 50);
}

// A device that never answers is given up within a second.
static void interrupted_when_stuck(void **state)
{
    struct world *w = *state;
    device.stuck = true;
    w->o.jobs = 2;
    w->o.first_seed = 7;
    w->stop_at = 5;
    double before = now_seconds();
    assert_true(run(w));
    assert_true(now_seconds() - before < 1.0);
    assert_int_equal(device.killed, 2);
    assert_int_equal(w->s.sum.cases, 0);
    // The next campaign begins with the first that was not answered.
    assert_int_equal(w->s.next_seed, 7);
}

static void all_skipped(void **state)
{
    struct world *w = *state;
    device.plan = only_skips;
    w->o.end_seed = 10;
    assert_true(run(w));
    assert_int_equal(w->s.sum.cases, 0);
    assert_int_equal(w->s.sum.skipped, 10);
    assert_int_equal(w->s.sum.live_total, 0);
}

static void enough(void **state)
{
    struct world *w = *state;
    device.plan = only_crashes;
    w->o.end_seed = 100000;
    w->o.stop_after = 3;
    assert_true(run(w));
    assert_true(w->s.enough);
    assert_true(w->s.sum.findings >= 3 && w->s.sum.findings <= 3 + RUN_QUEUE);
}

static void time_is_up(void **state)
{
    struct world *w = *state;
    w->o.end_seed = UINT64_MAX;
    w->o.seconds = 0.3;
    assert_true(run(w));
    assert_true(w->s.seconds >= 0.3 && w->s.seconds < 3);
    assert_int_equal(w->s.next_seed, w->s.sum.cases);
}

static void device_without_the_promise(void **state)
{
    struct world *w = *state;
    device.maximal = false;
    assert_null(campaign_open(&w->o, &w->e));
    assert_non_null(strstr(w->e.msg, "does not promise maximal reconvergence"));
    w->o.model = SPV_ASSUMED_MAXIMAL;
    device.ops = 0xff & ~16u;
    struct campaign *c = campaign_open(&w->o, &w->e);
    assert_non_null(c);
    assert_string_equal(campaign_target(c, 0)->dropped, "shuffle, rotate, quad-vote, shuffle-xor, int8, "
                                             "int16, int64, float16, float64");
    assert_int_equal(campaign_target(c, 0)->subgroup, 8);
    assert_true(c->group[0].gen.features ==
                (GEN_ALL_FEATURES &
                 ~(GEN_BIT(GEN_OP_SHUFFLE) | GEN_BIT(GEN_OP_SHUFFLE_XOR) | GEN_BIT(GEN_OP_ROTATE) | GEN_BIT(GEN_OP_QUAD_VOTE) |
                   GEN_BIT(GEN_INT8) | GEN_BIT(GEN_INT16) | GEN_BIT(GEN_INT64) |
                   GEN_BIT(GEN_FLOAT16) | GEN_BIT(GEN_FLOAT64))));
    const struct unit five = {.seed = 5};
    assert_non_null(strstr(job_command(c, &w->a, &five), "gen --seed 5 --subgroup 8 "));
    assert_non_null(strstr(job_command(c, &w->a, &five), " --model assumed-maximal"));
    assert_non_null(strstr(job_command(c, &w->a, &five), " --only if,else,"));
    assert_null(strstr(job_command(c, &w->a, &five), ",shuffle,"));
    campaign_close(c);
    w->o.subgroup = 32;
    assert_null(campaign_open(&w->o, &w->e));
    assert_non_null(strstr(w->e.msg, "cannot run subgroups of 32"));
}

static bool on_tick_full(void *user, const struct campaign_stats *s)
{
    struct rlimit small;
    (void)user;
    (void)s;
    getrlimit(RLIMIT_FSIZE, &small);
    small.rlim_cur = 100;
    signal(SIGXFSZ, SIG_IGN);
    setrlimit(RLIMIT_FSIZE, &small);
    return true;
}

// No file can grow any more: the campaign ends, says so, and leaves nothing half.
static void full_disk(void **state)
{
    struct world *w = *state;
    device.plan = only_crashes;
    device.slow = 50; // the first tick comes before the first answer
    struct campaign *c = campaign_open(&w->o, &w->e);
    assert_non_null(c);
    struct rlimit old;
    getrlimit(RLIMIT_FSIZE, &old);
    const struct campaign_events ev = {
        .user = w, .found = on_found, .ours = on_ours, .tick = on_tick_full};
    bool ok = campaign_run(c, &ev, &w->s, &w->e);
    setrlimit(RLIMIT_FSIZE, &old);
    campaign_close(c);
    assert_false(ok);
    assert_non_null(strstr(w->e.msg, "lost (tanglefuzz gen --seed "));
    assert_int_equal(folders(w, ""), 0);
    assert_int_equal(w->found, 0);
}

// ---- several targets ---------------------------------------------------------------

static json_t *read_json(struct world *w, const char *name)
{
    char path[256];
    snprintf(path, sizeof path, "%s/%s", w->dir, name);
    json_t *o = json_load_file(path, 0, NULL);
    if (!o)
        fail_msg("no %s", path);
    return o;
}

// One target is wrong where the two others are right, and says so.
static void three_targets(void **state)
{
    struct world *w = *state;
    device.plan = only_crashes;
    w->o.target_count = 3;
    w->o.end_seed = 20;
    w->o.jobs = 2;
    assert_true(run(w));
    assert_int_equal(w->s.sum.modules, 20);
    assert_int_equal(w->s.sum.cases, 60);
    assert_int_equal(w->s.target[0].agreed, 10);
    assert_int_equal(w->s.target[0].findings, 10);
    for (int t = 1; t < 3; t++) {
        assert_int_equal(w->s.target[t].modules, 20);
        assert_int_equal(w->s.target[t].agreed, 20);
        assert_int_equal(w->s.target[t].findings, 0);
        assert_true(w->s.target[t].live_min > 0);
    }
    assert_int_equal(folders(w, "-crash-faults"), 10);
    char command[200], name[64] = "";
    snprintf(command, sizeof command, "ls %s/findings | head -n 1", w->dir);
    FILE *p = popen(command, "r");
    assert_non_null(fgets(name, sizeof name, p));
    pclose(p);
    name[strcspn(name, "\n")] = 0;
    snprintf(command, sizeof command, "findings/%s/finding.json", name);
    json_t *o = read_json(w, command), *others = json_object_get(o, "others");
    assert_int_equal(json_integer_value(json_object_get(others, "agreed")), 2);
    assert_int_equal(json_integer_value(json_object_get(others, "judged")), 2);
    assert_int_equal(json_array_size(json_object_get(others, "targets")), 2);
    json_decref(o);
    snprintf(command, sizeof command, "grep -q 'oracle and 2 of 2 other targets' %s/findings/%s/README.md",
             w->dir, name);
    assert_int_equal(system(command), 0);
}

// A target that does nothing but die is left alone after a while; the others go on.
static void quarantine_of_one(void **state)
{
    struct world *w = *state;
    device.plan = always_crashes;
    w->o.target_count = 2;
    w->o.end_seed = 120;
    assert_true(run(w));
    assert_int_equal(w->s.target[0].quarantine, 1);
    assert_true(w->s.target[0].findings >= CAMPAIGN_DEATHS);
    assert_true(w->s.target[0].findings <= CAMPAIGN_DEATHS + RUN_QUEUE);
    // Every module is accounted for.
    assert_int_equal(w->s.target[0].held + w->s.target[0].modules, 120);
    assert_int_equal(w->s.target[1].agreed, 120);
    assert_int_equal(w->s.next_seed, 120);
    assert_string_equal(w->s.gave_up, "");
}

static void quarantine_of_all(void **state)
{
    struct world *w = *state;
    device.plan = always_crashes;
    w->o.end_seed = 1000;
    assert_true(run(w));
    assert_non_null(strstr(w->s.gave_up, "faults ended its worker on 12 cases in a row"));
    assert_true(w->s.sum.findings >= CAMPAIGN_DEATHS);
    assert_true(w->s.next_seed < 100);
}

// ---- going on ------------------------------------------------------------------------

// Interrupted again and again and resumed: the same figures and folders as in one go.
static void resumed(void **state)
{
    struct world *w = *state;
    device.plan = crash_by_name;
    device.slow = 20; // over a second in all; the third tick comes after a tenth at most
    w->o.target_count = 2;
    w->o.end_seed = 60;
    w->o.jobs = 2;
    w->stop_at = 3;
    assert_true(run(w));
    uint32_t parts = 1;
    while (w->s.stopped) {
        struct campaign_options o = {.self = "none", .out = w->dir};
        w->ticks = 0;
        w->stop_at = 3;
        struct campaign *c = campaign_resume(&o, &w->e);
        if (!c)
            fail_msg("%s", w->e.msg);
        const struct campaign_events ev = {
            .user = w, .found = on_found, .ours = on_ours, .tick = on_tick};
        assert_true(campaign_run(c, &ev, &w->s, &w->e));
        campaign_close(c);
        assert_true(++parts < 200);
    }
    assert_true(parts > 2);
    assert_int_equal(w->s.next_seed, 60);
    assert_int_equal(w->s.sum.modules, 60);
    assert_int_equal(w->s.sum.cases, 120);
    assert_int_equal(w->s.target[1].agreed, 60);
    assert_int_equal(w->s.target[0].agreed + w->s.target[0].findings, 60);
    assert_true(w->s.sum.findings > 5 && w->s.sum.again == 0);
    assert_int_equal(folders(w, ""), w->s.sum.findings);
    json_t *o = read_json(w, "campaign.json");
    assert_int_equal(json_array_size(json_object_get(o, "campaigns")), 1);
    json_decref(o);
    // Nothing is left: going on once more changes nothing.
    struct campaign_options again = {.self = "none", .out = w->dir};
    struct campaign *c = campaign_resume(&again, &w->e);
    assert_non_null(c);
    const struct campaign_events ev = {
        .user = w, .found = on_found, .ours = on_ours, .tick = on_tick};
    assert_true(campaign_run(c, &ev, &w->s, &w->e));
    campaign_close(c);
    assert_int_equal(w->s.sum.modules, 60);
}

static void nothing_to_resume(void **state)
{
    struct world *w = *state;
    struct campaign_options o = {.self = "none", .out = w->dir};
    assert_null(campaign_resume(&o, &w->e));
    assert_non_null(strstr(w->e.msg, "nothing to resume"));
    char path[128];
    snprintf(path, sizeof path, "%s/state.json", w->dir);
    assert_true(file_write(path, "{}", 2, &w->e));
    assert_null(campaign_resume(&o, &w->e));
    assert_non_null(strstr(w->e.msg, "not the state of a campaign"));
}

// The histogram behind the median: each value lies in its step.
static void live_steps(void **state)
{
    (void)state;
    for (uint64_t v = 0; v < 5000; v++) {
        uint64_t low = live_of_step(live_step(v)), next = live_of_step(live_step(v) + 1);
        assert_true(low <= v && v < next);
    }
    assert_true(live_step(UINT64_MAX) < LIVE_STEPS);
    struct campaign_count s = {0};
    assert_int_equal(campaign_live_median(&s), 0);
    for (uint64_t v = 900; v <= 1100; v += 50)
        count_live(&s, v);
    assert_int_equal(campaign_live_median(&s), 960); // the step that 1000 lies in
    assert_int_equal(s.live_min, 900);
    assert_int_equal(s.live_total, 5000);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test_setup_teardown(all_agree, start, end),
        cmocka_unit_test_setup_teardown(each_fault_is_its_class, start, end),
        cmocka_unit_test_setup_teardown(several_inputs, start, end),
        cmocka_unit_test_setup_teardown(known_ones_are_kept_once, start, end),
        cmocka_unit_test_setup_teardown(interrupted_anywhere, start, end),
        cmocka_unit_test_setup_teardown(environment_that_fails, start, end),
        cmocka_unit_test_setup_teardown(environment_that_fails_now_and_then, start, end),
        cmocka_unit_test_setup_teardown(interrupted_when_stuck, start, end),
        cmocka_unit_test_setup_teardown(all_skipped, start, end),
        cmocka_unit_test_setup_teardown(enough, start, end),
        cmocka_unit_test_setup_teardown(time_is_up, start, end),
        cmocka_unit_test_setup_teardown(device_without_the_promise, start, end),
        cmocka_unit_test_setup_teardown(full_disk, start, end),
        cmocka_unit_test_setup_teardown(three_targets, start, end),
        cmocka_unit_test_setup_teardown(quarantine_of_one, start, end),
        cmocka_unit_test_setup_teardown(quarantine_of_all, start, end),
        cmocka_unit_test_setup_teardown(resumed, start, end),
        cmocka_unit_test_setup_teardown(nothing_to_resume, start, end),
        cmocka_unit_test(live_steps),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
