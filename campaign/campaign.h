// SPDX-License-Identifier: Apache-2.0
//
// The work of `fuzz`, without printing: seeds -> cases -> one or more targets -> folders of
// findings.
//
//   campaign.c         opens, waits, closes
//   campaign_plan.c    groups the targets that get the same modules
//   campaign_shard.c   one job: a thread with its own worker of each target
//   campaign_answer.c  judges a target's answer; re-runs wrong ones
//   campaign_job.c     one seed: generate, validate, predict
//   campaign_count.c   figures
//   campaign_save.c    writes findings and bugs in tanglefuzz to the output folder
//   campaign_json.c    campaign.json, and the summary as JSON
//   campaign_state.c   the campaign's state, for --resume
//   campaign_known.c   known bugs: their features are not generated, their findings only counted
#ifndef TF_CAMPAIGN_CAMPAIGN_H
#define TF_CAMPAIGN_CAMPAIGN_H

#include "generator/generator.h"
#include "report/report.h"

enum {
    CAMPAIGN_JOBS_MAX = 64,
    CAMPAIGN_TARGETS_MAX = 32,
    CAMPAIGN_RERUNS = 3,  // re-runs of a suspect before it counts
    CAMPAIGN_REPEATS = 2, // re-runs that must show the same class; with fewer it is flaky
    CAMPAIGN_FLAKY = 3, // a target is unstable if it has at least so many flaky cases, and they are
    CAMPAIGN_FLAKY_ONE_IN = 20, // more than one in so many of its cases: agreement proves little
    CAMPAIGN_REASONS = 32,      // different reasons of skips that are counted separately
    CAMPAIGN_FAILURES = 3,      // RUN_FAILED in a row that quarantine a target
    CAMPAIGN_REFUSALS = 40,     // modules rejected by a target that took none: quarantines it
    CAMPAIGN_DEATHS = 12,       // cases in a row that kill its worker and quarantine a target
    CAMPAIGN_OWN_BUGS = 100,    // bugs in tanglefuzz that are saved; more are only counted
    CAMPAIGN_KEEP = 5,          // default of options.keep for users
    CAMPAIGN_KNOWN = 256,       // most files in a folder of known bugs
    CAMPAIGN_INPUTS = 8,        // input sets per program, where an input costs little
    CAMPAIGN_VALIDATE = 16,     // one module in 16 is validated before it runs
};

#define CAMPAIGN_AS_BEFORE UINT32_MAX

// How the model by which a target is judged is chosen. A target that does not promise maximal
// reconvergence is refused for the model `maximal`.
enum campaign_model {
    CAMPAIGN_MODEL_GIVEN,    // options.model, for all targets
    CAMPAIGN_MODEL_PROMISED, // maximal
    CAMPAIGN_MODEL_BEST,     // maximal if the target promises it, else assumed-maximal
};

struct campaign_options {
    const char *const *targets;
    uint32_t target_count; // 1 .. CAMPAIGN_TARGETS_MAX
    const char *self, *out;
    const char *expect; // text that each target's device or driver must contain; NULL: any
    const char *note;   // kept with the figures, for readers; NULL: none
    const char *known;  // folder of known bugs (docs/known.md); NULL: none
    struct run_options run;
    uint64_t first_seed, end_seed; // seeds first .. end-1
    uint32_t size;  // not 0: seeds are numbers of all programs up to this size (enumerate.h)
    double seconds; // 0: no limit
    uint32_t jobs;
    uint32_t stop_after; // buckets; 0: no limit; CAMPAIGN_AS_BEFORE: as in the resumed campaign
    uint32_t keep;   // folders in OUT of one bucket; further findings are only counted; 0: no limit
    uint32_t inputs; // 1 .. RUN_JOB_CASES; 0: CAMPAIGN_INPUTS if all targets are Vulkan devices or
                     // of a kind with run_kind.many_inputs whose results are memory, else 1
    enum gen_profile profile;
    enum gen_log log;
    enum spv_stage stage;
    gen_features features;
    enum campaign_model choose_model;
    enum spv_model model;
    uint32_t subgroup;        // 0: each device's own
    uint32_t max_invocations; // of a workgroup; 0: the generator's default
    uint32_t validate_every;  // validates one module in so many; 0: CAMPAIGN_VALIDATE
};

// Histogram of the live compared bits per case: eight steps for each power of two.
enum { LIVE_STEPS = 64 * 8 };

// Figures, of one target and of all together.
struct campaign_count {
    double driver_seconds, driver_cpu; // time inside the targets: wall and processor
    uint64_t modules, cases;           // answered; a case is a (module, input) pair
    uint64_t agreed;
    uint64_t compiled;         // compiled by a target that only compiles
    uint64_t skipped, nothing; // cases not run or not judged; cases in which no bit was compared
    uint64_t rerun, repeated;  // re-runs of suspects; those that showed the first run's class
    uint64_t unjudged; // outputs of compilers that the oracle cannot judge (docs/rules.md, "When
                       // an output is wrong")
    uint64_t compared; // cases that ran; the next three fields describe them
    uint64_t live_total, live_min;
    uint64_t live[LIVE_STEPS];
    uint64_t findings, again, flaky; // new ones; those from before; flaky ones
    uint64_t further; // of the new and the flaky ones: without a folder (options.keep)
    uint64_t by_class[JUDGE_CLASSES]; // findings, new or again
    uint64_t known;                   // wrong results that a known bug explains: not findings
    uint64_t other_mapping;           // predicted again for the observed lane mapping
    uint64_t left_out;   // programs of an enumeration that need what the target does not offer
    uint64_t held;       // modules not run because the target was in quarantine
    uint64_t quarantine; // times that one of its workers went into quarantine
    uint64_t outside;    // runs whose worker another process killed; they were repeated
    uint32_t reasons;
    struct {
        char text[120];
        uint64_t n;
    } reason[CAMPAIGN_REASONS]; // of skipped cases
};

struct campaign_stats {
    double seconds;        // since the first case was generated, with the time before --resume
    double validation_cpu; // processor time inside spirv-val, for outputs and our own modules
    uint32_t jobs, targets;
    struct campaign_count sum;                          // a module for several targets counts once
    struct campaign_count target[CAMPAIGN_TARGETS_MAX]; // in the order of the options
    uint64_t own_bugs;              // bugs in tanglefuzz: invalid or undefined programs
    uint64_t known[CAMPAIGN_KNOWN]; // findings per known bug, in their order
    uint64_t next_seed;             // all seeds before it are done
    uint32_t buckets;               // of its new findings, before they are reduced
    char last[80];                  // name of the last new finding; "": none yet
    double last_at;                 // when it was found, in seconds since the start
    bool stopped;                   // interrupted by the caller
    bool enough;                    // stop_after was reached
    bool resumed;                   // continues an earlier campaign
    char end_reason[300];           // why all targets are in quarantine; "": they are not
};
// Returns the median number of live bits per case, rounded down to a step of LIVE_STEPS; 0 if no
// case was compared.
uint64_t campaign_live_median(const struct campaign_count *n);
// Returns the share of the wall time that `workers` workers spent in driver calls, 0 .. 1. For
// s->sum, `workers` is s->jobs * s->targets.
double campaign_driver_share(const struct campaign_stats *s, const struct campaign_count *n,
                             uint32_t workers);

// Returns the share of the re-runs that showed the first run's class, 0 .. 1; 1 without
// re-runs.
double campaign_stability(const struct campaign_count *n);
// True if so many cases are flaky that agreement proves little (CAMPAIGN_FLAKY).
bool campaign_unstable(const struct campaign_count *n);

struct campaign_found {
    const struct finding *finding; // its folder: OUT/findings/NAME
    bool again;                    // found before this campaign
    uint64_t seed;
};
// Callbacks while the campaign runs, all needed; `user` belongs to the caller. Called by any of the
// campaign's threads, one at a time.
struct campaign_events {
    void *user;
    void (*found)(void *user, struct arena *a, const struct campaign_found *f);
    // A generated program is invalid or undefined, a bug in tanglefuzz: the file it was saved
    // to, and why.
    void (*own_bug)(void *user, const char *file, const char *why);
    // Called at least ten times a second. Returns false to end the campaign.
    bool (*tick)(void *user, const struct campaign_stats *s);
};

// One target, after it was opened.
struct campaign_target {
    const char *spec;
    const char *label;  // short and unique, for names of folders
    const char *device; // campaign_device_text
    struct run_info info;
    enum spv_model model;
    uint32_t subgroup;
    const char *dropped; // features not generated, because the target or another one of its group
                         // (same subgroup size and model) does not offer them; ""
    const char *steered; // features not generated because a known bug needs them: "call (NAME)"; ""
};

// Opens each target `jobs` times. NULL with a message in `e`: a target cannot be opened or does not
// fit the options, or the output folder cannot be used or is in use. Then no file was written.
struct campaign;
struct campaign *campaign_open(const struct campaign_options *o, struct err *e);
// Continues the campaign whose state is in o->out; its options come from there. `o` provides
// self; seconds, jobs and end_seed if not 0; stop_after if not CAMPAIGN_AS_BEFORE. Refuses
// targets that a folder may not choose (run_harmless) unless `o` names the campaign's targets
// again. NULL with a message in `e`, as above, and if a device or the generator has changed.
struct campaign *campaign_resume(const struct campaign_options *o, struct err *e);
// Returns the options with defaults filled in: inputs, validate_every; resumed: the saved ones.
const struct campaign_options *campaign_options(const struct campaign *c);
// Returns target i, 0 .. target_count-1.
const struct campaign_target *campaign_target(const struct campaign *c, uint32_t i);
// Returns the generator's options for target i and its group (campaign_target.dropped), without
// features that one of the group does not offer or that its known bugs need.
const struct gen_options *campaign_made(const struct campaign *c, uint32_t i);
// Replaces the seeds of the options by first .. end-1, which must not be empty. Call it before the
// campaign runs, and not for a resumed one.
void campaign_seeds(struct campaign *c, uint64_t first, uint64_t end);
// Runs the campaign to its end and writes OUT/campaign.json and OUT/state.json. False with a
// message in `e` if an environment error ended it; the figures and findings until then are
// valid.
bool campaign_run(struct campaign *c, const struct campaign_events *ev, struct campaign_stats *out,
                  struct err *e);
// Ends the threads and frees the campaign. If an interrupted thread did not end in time, kills all
// workers instead (run_leave) and frees nothing: the process is about to exit.
void campaign_close(struct campaign *c);
// Returns the number of known bugs read from options.known, and the bugs in *out.
uint32_t campaign_known(const struct campaign *c, const struct report_known **out);

// Returns "device: ...\ndriver: ...\n" and more of a target, for findings.
const char *campaign_device_text(struct arena *a, const struct run_info *info);
// True if the target runs shaders of the stage; false with a message in `e` about `spec`.
bool campaign_takes_stage(const char *spec, const struct run_info *info, enum spv_stage stage,
                          struct err *e);
// Limits `g` to what a target can run: removes features, lowers max_invocations, and adds
// GEN_PLAIN_BALLOTS if needed. Appends the names of the removed features to the string `dropped`
// of `size` bytes, and cuts it if too long.
void campaign_keep_offered(struct gen_options *g, const struct run_info *info, char *dropped,
                           size_t size);
// Returns the summary as one JSON object without a newline, schema 1 (docs/tanglefuzz.1), in `a`.
const char *campaign_json(struct arena *a, const struct campaign *c,
                          const struct campaign_stats *s);

#endif
