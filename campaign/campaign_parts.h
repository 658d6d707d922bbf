// SPDX-License-Identifier: Apache-2.0
//
// Private header of the campaign's files.
//
// Threads: each shard (one per job) is a thread with its own generator, oracle and one worker of
// every target. Everything that shards share is in struct campaign, under its lock: the next seeds,
// the figures, the output folder and the caller's callbacks.
#ifndef TF_CAMPAIGN_CAMPAIGN_PARTS_H
#define TF_CAMPAIGN_CAMPAIGN_PARTS_H

#include "campaign.h"

#include <pthread.h>
#include <stdatomic.h>

// Result of one input of a job on one target.
struct outcome {
    enum judge_class klass;
    bool ran, other_mapping; // ran: live is valid
    uint64_t live;           // compared bits
    const char *why;         // reason of a skip
};

enum answer_state {
    ANSWER_NOT_ASKED, // the target is in another group
    ANSWER_WAITING,   // not submitted yet
    ANSWER_UNDER_WAY, // submitted
    ANSWER_HERE,      // judged
    ANSWER_HELD,      // not submitted because the target is in quarantine
};

// A program as it was made, or the same program with the entries of its log. The second is made for
// a target that gets a digest wrong: a digest shows that a result is wrong, the entries show which.
enum { AS_MADE, WITH_LOG, FORMS };
struct form {
    struct gen_made made;
    struct prediction *predicted; // one per input set; NULL: not made
    bool validated;
};

// A target's answer to a job.
struct answer {
    enum answer_state state;
    uint32_t form;                      // the form that is asked, or was
    struct outcome *input;              // one per input set; valid in state ANSWER_HERE
    double driver_seconds, driver_cpu;  // with re-runs
    uint32_t reruns, repeated, outside; // repeated: re-runs with the first run's class
};

// A wrong answer that must repeat before it counts.
struct suspect {
    uint32_t target, input;
    struct form *form;
    bool waits; // for the target's answer to the form with the log
    struct judged judged;
    struct run_result result;              // of the first run
    uint32_t submitted, tries, reproduced; // re-runs submitted, finished, of the same class
    struct suspect *next;
};

// A finding whose folder is written but that is not in the figures yet.
struct pending {
    uint32_t target;
    enum judge_class klass;
    bool again;
    bool further; // its bucket has enough folders: it has none
    uint32_t bug; // 1 + index of the known bug that it is, then it has no folder; 0: none
    char bucket[16];
    char name[80];
    double at;
    struct pending *next;
};

// The findings of one bucket; flaky ones have an entry of their own.
struct bucket_count {
    char name[16];
    bool flaky;
    bool counted;     // in stats.buckets
    uint32_t folders; // in OUT, also from before the campaign
    uint64_t further; // findings of the campaign without a folder
};

// A place where a target crashed.
struct crash_seen {
    uint32_t target;
    uint64_t site;         // run_result.crash_site
    const char *backtrace; // of the first finding there
    char bucket[16];
    bool known; // a known bug
};

// A seed for one group of targets: the unit of work that is handed out, finished and resumed.
struct unit {
    uint64_t seed;
    uint32_t group;
};

// A unit in progress: generated, waiting for its targets, answered, perhaps re-run.
struct job {
    struct arena arena; // holds everything below
    struct unit unit;
    struct form form[FORMS];
    bool left_out;
    struct answer answer[CAMPAIGN_TARGETS_MAX];
    uint32_t open; // number of targets that have not answered
    struct suspect *suspects;
    struct pending *pending;
    struct job *next; // in the shard's list, oldest first; or in the list of free jobs
};

// One job in a worker's queue.
struct ticket {
    struct job *job;         // NULL: the separator case between two runs, its answer is dropped
    struct suspect *suspect; // a re-run of it; NULL for a job's first run
};

struct worker_queue {
    struct run_target *target;
    struct ticket ticket[RUN_QUEUE_FAR]; // oldest first
    uint32_t n;
    bool used;                  // something was submitted
    struct unit last;           // unit of the last submitted module; no_unit for a separator
    struct shown_policy policy; // the choices that the device last showed
    uint32_t deaths, failures;  // cases in a row
    uint32_t refusals;          // modules rejected before it took one
    bool took;                  // it did not reject a module
    double not_before;          // earliest time of the next first run
    double rest; // length of the last quarantine in seconds; the next is twice as long
    bool quarantined;
};

struct shard {
    struct campaign *c;
    pthread_t thread;
    struct spv_tools *tools;
    struct arena arena, scratch; // for the shard's life; for one answer
    struct worker_queue queue[CAMPAIGN_TARGETS_MAX];
    uint32_t queues; // number of open targets
    struct job *jobs, *free_jobs;
    struct gen_made between[CAMPAIGN_TARGETS_MAX]; // separator case of each group, once needed
    uint32_t in_flight;
    char why[400];         // why the last target went into quarantine
    double looked;         // seconds spent on locating crashes
    uint32_t looks;        // crashes located because nothing else identified them
    double wake_at;        // when to wake the main thread again
    double validation_cpu; // seconds inside spirv-val
    bool failed;           // environment errors put all targets into quarantine
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
    // Written before the shards run, then only read.
    struct campaign_options o;
    struct arena arena;
    const struct enumeration *all; // NULL: programs are random
    struct campaign_target target[CAMPAIGN_TARGETS_MAX];
    uint32_t group_of[CAMPAIGN_TARGETS_MAX];
    struct group group[CAMPAIGN_TARGETS_MAX];
    uint32_t groups;
    char id[24];                           // in state.json and campaign.json
    double start;                          // of this process
    double before;                         // seconds of earlier processes of the campaign
    const char *was[CAMPAIGN_TARGETS_MAX]; // resumed: each target's device text at the start
    VEC(char *) known;                     // names of findings from before the campaign
    struct report_known *bug;              // known bugs
    uint32_t bugs;
    const struct campaign_events *ev;
    struct shard shard[CAMPAIGN_JOBS_MAX];
    uint32_t shards;
    atomic_bool stop, enough;
    int lock_fd; // lock of OUT while the campaign is open; -1: none

    // Under the lock.
    pthread_mutex_t lock;
    pthread_cond_t moved; // signals a new phase, a shard's end, and answers now and then
    enum campaign_phase phase;
    uint32_t opened, running; // numbers of shards
    bool abandoned;           // a shard did not end in time: its memory must not be freed
    struct unit next;
    VEC(struct unit) redo; // open units of the resumed campaign, handed out first
    size_t redone;
    VEC(struct unit) open;    // handed out, not finished
    VEC(struct pending) late; // findings of jobs that will not be finished
    struct campaign_stats stats;
    VEC(struct bucket_count) buckets;
    VEC(struct crash_seen) places;
};

// ---- campaign_seeds.c

// Takes the next unit, which the caller must finish. False if there is none, or the campaign must
// end.
bool campaign_take_unit(struct campaign *c, struct unit *out);
bool campaign_may_make(struct campaign *c);
// Returns the first seed that is not done for all groups.
uint64_t campaign_first_open(const struct campaign *c);
double campaign_seconds(const struct campaign *c);

// ---- campaign_plan.c

// Groups the targets and sets what is generated for each. Needs their infos. False with a message
// in `e`.
bool plan_targets(struct campaign *c, struct err *e);

// ---- campaign_shard.c

void *shard_main(void *shard);

// ---- campaign_answer.c

// Takes and handles the next answer of a target that has work; waits at most `seconds` for it.
bool answer_take(struct shard *s, uint32_t target, double seconds, struct err *e);
// Continues a job whose answer changed: writes folders for the suspects that are decided (for all
// if `end`), and counts the job once it is complete.
bool answer_conclude(struct shard *s, struct job *j, bool end, struct err *e);
// Excludes a target from a job.
void answer_hold(struct job *j, uint32_t target);

// ---- campaign_job.c

// Returns an empty job; job_free returns it to the list of free jobs.
struct job *job_new(struct shard *s);
void job_free(struct shard *s, struct job *j);
// JOB_LEFT_OUT: a program of an enumeration that the group's targets do not offer to run.
enum job_outcome { JOB_READY, JOB_OWN_BUG, JOB_LEFT_OUT };
// Generates and predicts the case of j->unit. JOB_OWN_BUG: it is invalid or undefined, a bug in
// tanglefuzz, described by `kind` and `why`; the case is in the job's first form.
enum job_outcome job_make(struct shard *s, struct job *j, const char **kind, const char **why);
// Makes the form with the log, unless it is there. False: the program has no digest.
bool job_make_log(struct shard *s, struct job *j);
// Validates the module unless that was done. False with the reason in *why.
bool job_validate(struct shard *s, struct job *j, struct form *f, const char **why);
// Returns the command that generates the case.
const char *job_command(const struct campaign *c, struct arena *a, const struct unit *u,
                        const struct form *program);
// Returns a case as it is saved: with the subgroup size and policy under which it was judged.
struct spv_case job_kept_case(const struct prediction *p, const struct judged *judged);

// ---- campaign_count.c; under the lock

void count_job(struct campaign *c, const struct job *j);
void count_record(struct campaign *c, const struct pending *t);
// Returns the entry of a bucket, which it adds if there is none. Valid until the next call.
struct bucket_count *count_of_bucket(struct campaign *c, const char *bucket, bool flaky);
// Counts a bucket in stats.buckets, once.
void count_bucket(struct campaign *c, struct bucket_count *b);
void count_live(struct campaign_count *n, uint64_t live);

// ---- campaign_save.c

// Locks OUT while the campaign is open.
bool save_lock(struct campaign *c, struct err *e);
// Creates and locks OUT, checks that it is writable, and notes the findings in it.
bool save_prepare(struct campaign *c, struct err *e);
bool save_own_bug(struct shard *s, const struct job *j, const char *kind, const char *why,
                  struct err *e);
// Records a finding, or counts it for a known bug: writes its folder, calls ev->found, and adds
// what must be counted to j->pending. All findings pass through here.
bool save_suspect(struct shard *s, struct job *j, const struct suspect *x, struct err *e);

// ---- campaign_crash.c

// Locates a crash: sets the pass at fault and the backtrace.
void crash_locate(struct shard *s, struct arena *a, const struct prediction *p,
                  const struct spv_case *c, const char *spec, const struct suspect *x,
                  struct finding_evidence *f);
// Remembers how a crash was located, and its bucket; `bug`: as known_bug returns. Call with the
// lock.
void crash_note(struct campaign *c, const struct suspect *x, const struct finding_evidence *f,
                const char *bucket, uint32_t bug);

// ---- campaign_known.c

// Reads options.known. False with a message: cannot be read, or an unknown feature.
bool known_read(struct campaign *c, struct err *e);
// Removes the features of known bugs from the groups, and lists them in the targets.
void known_steer(struct campaign *c);
// Returns 1 + the index of the known bug that explains a finding of a target, by its signature; 0:
// none. `spec`: the target with the passes that ran.
uint32_t known_bug(const struct campaign *c, uint32_t target, const char *spec,
                   const struct diag_signature *s);

// ---- campaign_json.c

bool json_check_campaigns(const char *out, struct err *e);
bool json_save_campaign(struct campaign *c, struct err *e);
// Returns the buckets with findings that have no folder, an array of {bucket, flaky, findings}.
struct json_t *json_further(const struct campaign *c);

// ---- campaign_state.c

bool state_save(struct campaign *c, struct err *e);
bool state_load(struct campaign *c, const struct campaign_options *o, struct err *e);
// Checks that the targets are those of the resumed campaign.
bool state_same_targets(struct campaign *c, struct err *e);

#endif
