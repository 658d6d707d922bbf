// SPDX-License-Identifier: Apache-2.0
//
// What the files of the campaign share among themselves.
//
// Threads: each *shard* (one of `--jobs`) is a thread that owns its generator, oracle and a
// worker of every target. What shards share lies in struct campaign under its lock:
// the seeds to come, the figures, the output folder and the caller's events.
#ifndef TF_CAMPAIGN_CAMPAIGN_PARTS_H
#define TF_CAMPAIGN_CAMPAIGN_PARTS_H

#include "campaign.h"

#include <pthread.h>
#include <stdatomic.h>

// What one input of a job came to on one target.
struct outcome {
    enum judge_class klass;
    bool ran, other_mapping; // ran: live is a figure
    uint64_t live;
    const char *why; // of a skip
};

enum answer_state {
    ANSWER_NOT_ASKED, // the target is in another group
    ANSWER_WAITING,   // to be handed over
    ANSWER_UNDER_WAY,
    ANSWER_HERE,
    ANSWER_HELD, // the target is in quarantine: it is left out
};

// What one target said to a job.
struct answer {
    enum answer_state state;
    struct outcome *input;              // one an input set, once it is here
    double driver_seconds, driver_cpu;  // re-runs too
    uint32_t reruns, repeated, outside; // repeated: re-runs that were as the first run
};

// A wrong answer that has to show itself again.
struct suspect {
    uint32_t target, input;
    struct judged judged;
    struct run_result result;              // the first one
    uint32_t submitted, tries, reproduced; // re-runs handed over, come back, same class
    struct suspect *next;
};

// A finding that has its folder but is not in the figures yet.
struct told {
    uint32_t target;
    enum judge_class klass;
    bool again;
    uint32_t bug;    // 1 + which known bug it is, then it has no folder; 0: none
    uint64_t bucket; // hash of its bucket's name
    char name[80];
    double at;
    struct told *next;
};

// A seed for one group of targets: what is given out, finished and resumed.
struct unit {
    uint64_t seed;
    uint32_t group;
};

// One unit on its way: made, waiting for its targets, answered, perhaps run again.
struct job {
    struct arena arena; // everything below
    struct unit unit;
    struct gen_made made;
    struct prediction *predicted; // one an input set
    bool validated;
    struct answer answer[CAMPAIGN_TARGETS_MAX];
    uint32_t open; // targets that have not answered
    struct suspect *suspects;
    struct told *told;
    struct job *next; // in the shard's list, oldest first; or in that of free ones
};

// One job in a worker's queue.
struct ticket {
    struct job *job;         // NULL: another case between two re-runs, of which nothing is kept
    struct suspect *suspect; // a re-run of it; NULL for a job's first run
};

struct worker_queue {
    struct run_target *target;
    struct ticket ticket[RUN_QUEUE]; // oldest first
    uint32_t n;
    bool used;                  // something was handed over
    struct unit last;           // its unit, or that of no job
    struct shown_policy policy; // the one the device showed last
    uint32_t deaths, failures;  // cases in a row
    double not_before;          // no first run before then
    double rest;                // how long the next quarantine lasts
    bool quarantined;
};

struct shard {
    struct campaign *c;
    pthread_t thread;
    struct spv_tools *tools;
    struct arena arena, scratch; // its own; one answer's
    struct worker_queue queue[CAMPAIGN_TARGETS_MAX];
    uint32_t queues; // targets that are open
    struct job *jobs, *free_jobs;
    struct gen_made between[CAMPAIGN_TARGETS_MAX]; // of each group, once it is needed
    uint32_t in_flight;
    char why[400];         // the last target went into quarantine
    double looked;         // seconds spent to see where crashes were
    double tell_at;        // when those who look on are woken again
    double validation_cpu; // seconds of it inside spirv-val
    bool failed;           // the environment left no target
    bool ok;
    struct err err;
};

// Targets that get the same modules.
struct group {
    struct gen_options gen;
    char dropped[1024];
};

enum campaign_phase { PHASE_OPEN, PHASE_RUN, PHASE_QUIT };

struct campaign {
    // Written before the shards run, read by all.
    struct campaign_options o;
    struct arena arena;
    struct campaign_target target[CAMPAIGN_TARGETS_MAX];
    uint32_t group_of[CAMPAIGN_TARGETS_MAX];
    struct group group[CAMPAIGN_TARGETS_MAX];
    uint32_t groups;
    char id[24];                           // in state.json and campaign.json
    double start;                          // of this process's part
    double before;                         // seconds of the parts before it
    const char *was[CAMPAIGN_TARGETS_MAX]; // resumed: each target's device text then
    VEC(char *) known;                     // findings that were there before the campaign
    struct report_known *bug;              // known bugs
    uint32_t bugs;
    const struct campaign_events *ev;
    struct shard shard[CAMPAIGN_JOBS_MAX];
    uint32_t shards;
    atomic_bool stop, enough;
    int lock_fd; // of OUT, for as long as the campaign is open; -1: none

    // Under the lock.
    pthread_mutex_t lock;
    pthread_cond_t moved; // a phase, a shard's end, an answer now and then
    enum campaign_phase phase;
    uint32_t opened, running; // shards
    bool abandoned;           // a shard did not end in time: nothing may be freed
    struct unit next;
    VEC(struct unit) redo; // of the campaign before it: given out first
    size_t redone;
    VEC(struct unit) open; // given out, not finished
    VEC(struct told) late; // findings of jobs that will never be finished
    struct campaign_stats stats;
    VEC(uint64_t) buckets; // of findings, each once
};

// ---- campaign_seeds.c

// The next unit, which the caller has to finish; false when there is none to be had now.
bool campaign_take_unit(struct campaign *c, struct unit *out);
bool campaign_may_make(struct campaign *c);
// The first seed that is not done for all groups.
uint64_t campaign_first_open(const struct campaign *c);
double campaign_seconds(const struct campaign *c);

// ---- campaign_plan.c

// Groups the targets, whose infos are known, and says what is made for each.
bool plan_targets(struct campaign *c, struct err *e);

// ---- campaign_shard.c

void *shard_main(void *shard);

// ---- campaign_answer.c

// Takes the next answer of a target that has work; waits for it, for `seconds` at most.
bool answer_take(struct shard *s, uint32_t target, double seconds, struct err *e);
// Goes on with a job whose answer changed: folders for what is settled (or for all, when
// it is the end), the figures once all is known.
bool answer_conclude(struct shard *s, struct job *j, bool end, struct err *e);
// The target is left out of a job.
void answer_hold(struct job *j, uint32_t target);

// ---- campaign_job.c

// An empty one; it goes back to those that are free.
struct job *job_new(struct shard *s);
void job_free(struct shard *s, struct job *j);
enum job_outcome { JOB_READY, JOB_OURS };
// Makes the case of j->unit. JOB_OURS: it is not valid or not defined; `kind` and
// `why` say so, and the case is in j->made all the same.
enum job_outcome job_make(struct shard *s, struct job *j, const char **kind, const char **why);
// Validates the module if nobody has yet.
bool job_validate(struct shard *s, struct job *j, const char **why);
// The command that makes the case again.
const char *job_command(const struct campaign *c, struct arena *a, const struct unit *u);
// A case as it is kept: subgroup size and policy it was judged under.
struct spv_case job_kept_case(const struct prediction *p, const struct judged *judged);

// ---- campaign_count.c; under the lock

void count_job(struct campaign *c, const struct job *j);
void count_told(struct campaign *c, const struct told *t);
void count_bucket(struct campaign *c, uint64_t bucket);
void count_live(struct campaign_count *n, uint64_t live);

// ---- campaign_save.c

// Makes OUT its own, for as long as the campaign is open.
bool save_lock(struct campaign *c, struct err *e);
// Makes OUT and sees that it can be written and is ours; notes what findings are there.
bool save_prepare(struct campaign *c, struct err *e);
bool save_ours(struct shard *s, const struct job *j, const char *kind, const char *why,
               struct err *e);
// A finding is recorded: writes its folder, tells about it and leaves what to count in
// j->told. The one place where findings go through.
bool save_suspect(struct shard *s, struct job *j, const struct suspect *x, struct err *e);

// ---- campaign_known.c

// Reads options.known. False with a line: not to be read, a feature that there is not.
bool known_read(struct campaign *c, struct err *e);
// Takes the features of known bugs out of the groups; says so in the targets.
void known_steer(struct campaign *c);
// 1 + the known bug that a finding of a target is, by its signature; 0 for none. `spec`: the target
// with the passes that ran.
uint32_t known_bug(const struct campaign *c, uint32_t target, const char *spec,
                   const struct diag_signature *s);

// ---- campaign_json.c

bool json_check_campaigns(const char *out, struct err *e);
bool json_save_campaign(struct campaign *c, struct err *e);

// ---- campaign_state.c

bool state_save(struct campaign *c, struct err *e);
bool state_load(struct campaign *c, const struct campaign_options *o, struct err *e);
// Whether the targets are those of the campaign that is resumed.
bool state_same_targets(struct campaign *c, struct err *e);

#endif
