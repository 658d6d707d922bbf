// SPDX-License-Identifier: Apache-2.0
//
// What fuzz does, without printing: seeds -> cases -> several targets -> findings' folders.
//
//   campaign.c         opens, waits, closes; gives out the seeds
//   campaign_plan.c    which targets get the same modules, and of what kind
//   campaign_shard.c   one job: a thread with a worker of each target of its own
//   campaign_answer.c  what a target answered, and what becomes of it
//   campaign_job.c     one seed: generate, validate, predict
//   campaign_count.c   figures
//   campaign_save.c    findings and our own mistakes, below the output folder
//   campaign_json.c    campaign.json, and the summary as JSON
//   campaign_state.c   where a campaign stands, for --resume
//   campaign_known.c   known bugs: what is not generated, what is counted and not reported
#ifndef TF_CAMPAIGN_CAMPAIGN_H
#define TF_CAMPAIGN_CAMPAIGN_H

#include "generator/generator.h"
#include "report/report.h"

enum {
    CAMPAIGN_JOBS_MAX = 64,
    CAMPAIGN_TARGETS_MAX = 32,
    CAMPAIGN_RERUNS = 3,  // of a suspect, before it counts
    CAMPAIGN_REPEATS = 2, // re-runs that must show the same class; with fewer it is flaky
    CAMPAIGN_FLAKY = 3,   // flaky cases of a target, and more than one in CAMPAIGN_FLAKY_ONE_IN
    CAMPAIGN_FLAKY_ONE_IN = 20, // of what it answered: it is unstable, and agreement says little
    CAMPAIGN_REASONS = 32,      // different texts of skips that are kept apart
    CAMPAIGN_FAILURES = 3,      // RUN_FAILED in a row that put a target into quarantine
    CAMPAIGN_DEATHS = 12,       // cases in a row that ended a target's worker, until the same
    CAMPAIGN_OURS = 100,        // saved mistakes of our own; more are only counted
    CAMPAIGN_KNOWN = 256,       // files of a known/ folder
    CAMPAIGN_INPUTS = 8,        // input sets of a program, for Vulkan devices
    CAMPAIGN_VALIDATE = 16,     // one module in 16 is validated before anything is wrong
};

#define CAMPAIGN_AS_BEFORE UINT32_MAX

// By which model a target is judged.
enum campaign_model {
    CAMPAIGN_MODEL_GIVEN,    // options.model, all of them
    CAMPAIGN_MODEL_PROMISED, // what it promises; one that promises nothing is refused
    CAMPAIGN_MODEL_BEST,     // what it promises; assumed-maximal where that is nothing
};

struct campaign_options {
    const char *const *targets;
    uint32_t target_count; // 1 .. CAMPAIGN_TARGETS_MAX
    const char *self, *out;
    const char *known; // folder of known bugs (docs/known.md), NULL: none
    struct run_options run;
    uint64_t first_seed, end_seed; // seeds first .. end-1
    double seconds;                // 0: no limit
    uint32_t jobs;
    uint32_t stop_after; // findings; 0: no limit; CAMPAIGN_AS_BEFORE: the campaign's that goes on
    uint32_t
        inputs; // 1 .. RUN_JOB_CASES; 0: CAMPAIGN_INPUTS where all targets are Vulkan's, else 1
    enum gen_profile profile;
    enum spv_stage stage;
    gen_features features;
    enum campaign_model choose_model;
    enum spv_model model;
    uint32_t subgroup;        // 0: each device's own
    uint32_t max_invocations; // of a workgroup; 0: the generator's default
    uint32_t validate_every;  // 1: each module of ours is validated; 0: CAMPAIGN_VALIDATE
};

// How live compared bits are spread over cases: eight steps to each power of two.
enum { LIVE_STEPS = 64 * 8 };

// What is counted, of one target and of all together.
struct campaign_count {
    double driver_seconds, driver_cpu; // inside the targets: on the wall, of processors
    uint64_t modules, cases;           // answered: cases are (module, input) pairs
    uint64_t agreed;
    uint64_t compiled; // by a target that only compiles
    uint64_t skipped, nothing;
    uint64_t rerun, repeated; // re-runs of suspects; those that showed the first run's class
    uint64_t unjudged; // of compilers: the oracle cannot tell (docs/rules.md, "Two definednesses")
    uint64_t compared; // cases that ran; the next three are about them
    uint64_t live_total, live_min;
    uint64_t live[LIVE_STEPS];
    uint64_t findings, again, flaky;  // new folders; known ones seen again; flaky ones
    uint64_t by_class[JUDGE_CLASSES]; // findings, new or again
    uint64_t known;                   // wrong answers that a known bug explains: no findings
    uint64_t other_mapping;
    uint64_t held;       // modules that it was not given: it was in quarantine
    uint64_t quarantine; // times that a worker of it went there
    uint64_t outside;    // runs whose worker somebody else killed; they were done again
    uint32_t reasons;
    struct {
        char text[120];
        uint64_t n;
    } reason[CAMPAIGN_REASONS]; // of skips
};

struct campaign_stats {
    double seconds;        // since the first case was made, those before a --resume too
    double validation_cpu; // processor time inside spirv-val, of modules that came out and ours
    uint32_t jobs, targets;
    struct campaign_count sum;                          // modules: made once for several targets
    struct campaign_count target[CAMPAIGN_TARGETS_MAX]; // in the order of the options
    uint64_t ours;                                      // cases that are our own mistake
    uint64_t known[CAMPAIGN_KNOWN];                     // of each known bug, in their order
    uint64_t next_seed;                                 // all before it are done
    uint32_t buckets;  // that its findings are in, before they are reduced
    char last[80];     // the last new finding, "" before there is one
    double last_at;    // when, in seconds since the start
    bool stopped;      // somebody asked for it
    bool enough;       // stop_after was reached
    bool resumed;      // it went on where another left off
    char gave_up[300]; // why no target is left, "" while one is
};
// The median of live bits, to a sixteenth.
uint64_t campaign_live_median(const struct campaign_count *n);
// Share of the wall time that `workers` workers spent inside driver calls, 0 .. 1.
double campaign_driver_share(const struct campaign_stats *s, const struct campaign_count *n,
                             uint32_t workers);

// Share of the re-runs that showed the class of the first run, 0 .. 1; 1 without re-runs.
double campaign_stability(const struct campaign_count *n);
// Too many cases are flaky for what agrees to be believed.
bool campaign_unstable(const struct campaign_count *n);

struct campaign_found {
    const struct finding *finding; // its folder: OUT/findings/NAME
    bool again;                    // it was there before the campaign
};
// What the caller is told while the campaign runs; `user` is its own. One call at a
// time, from any of the campaign's threads.
struct campaign_events {
    void *user;
    void (*found)(void *user, struct arena *a, const struct campaign_found *f);
    // A case that is our own mistake: the file it was saved to and why.
    void (*ours)(void *user, const char *file, const char *why);
    // Now and then, ten times a second or more often. False: finish.
    bool (*tick)(void *user, const struct campaign_stats *s);
};

// One target as it was opened.
struct campaign_target {
    const char *spec;
    const char *label;  // short, for names of folders; unlike the others'
    const char *device; // campaign_device_text
    struct run_info info;
    enum spv_model model;
    uint32_t subgroup;
    const char *dropped; // what of the asked features is not made for it, "" for nothing
    const char *steered; // what is not made for it, for a known bug needs it: "call (NAME)"; ""
};

// Opens the targets, `jobs` times each. NULL with one line; nothing was written then.
struct campaign;
struct campaign *campaign_open(const struct campaign_options *o, struct err *e);
// Goes on with the campaign whose state lies in o->out: what it was made of comes from
// there; of `o` count self, seconds, jobs, end_seed where they are not 0, and stop_after where it
// is not CAMPAIGN_AS_BEFORE. Targets that a folder may not choose (run_harmless) are refused unless
// `o` names the campaign's targets again.
struct campaign *campaign_resume(const struct campaign_options *o, struct err *e);
const struct campaign_options *campaign_options(const struct campaign *c);
const struct campaign_target *campaign_target(const struct campaign *c, uint32_t i);
// What is made for target i, after what it does not offer and what is known were taken out.
const struct gen_options *campaign_made(const struct campaign *c, uint32_t i);
// Other seeds than the options', first .. end-1, of a campaign that did not run yet.
void campaign_seeds(struct campaign *c, uint64_t first, uint64_t end);
// Runs it to its end and writes OUT/campaign.json and OUT/state.json. False with one line
// when the environment ended it; the stats and what was found until then hold.
bool campaign_run(struct campaign *c, const struct campaign_events *ev, struct campaign_stats *out,
                  struct err *e);
void campaign_close(struct campaign *c);
// The known bugs of options.known; how many.
uint32_t campaign_known(const struct campaign *c, const struct report_known **out);

// "device: ...\ndriver: ...\n" of who answers.
const char *campaign_device_text(struct arena *a, const struct run_info *info);
// Does the target run shaders of the stage? False with a line that names it by `spec`.
bool campaign_takes_stage(const char *spec, const struct run_info *info, enum spv_stage stage,
                          struct err *e);
// Takes out of `g` what a target cannot run; adds the names to `dropped`.
void campaign_keep_offered(struct gen_options *g, const struct run_info *info, char *dropped,
                           size_t size);
// The summary as one JSON object without a newline, schema 1 (docs/tanglefuzz.1).
const char *campaign_json(struct arena *a, const struct campaign *c,
                          const struct campaign_stats *s);

#endif
