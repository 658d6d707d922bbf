// SPDX-License-Identifier: Apache-2.0
//
// What the files of the campaign share among themselves.
#ifndef TF_APP_CAMPAIGN_PARTS_H
#define TF_APP_CAMPAIGN_PARTS_H

#include "campaign.h"

// One seed on its way: made, waiting in a worker's queue, answered, perhaps run again.
struct job {
    struct arena arena; // everything below
    uint64_t seed;
    struct gen_made made;
    struct prediction *predicted; // one an input set
    uint32_t suspects;            // that still need it
    struct job *next;             // in the list of free ones
};

// A wrong answer that has to show itself again.
struct suspect {
    struct job *job;
    uint32_t input;
    struct judged judged;
    struct run_result result;              // the first one
    uint32_t submitted, tries, reproduced; // re-runs handed over, come back, same class
    struct suspect *next;                  // in the campaign's list
};

// One job in a worker's queue.
struct ticket {
    struct job *job;
    struct suspect *suspect; // a re-run of it; NULL for a job's first run
};

struct worker_queue {
    struct run_target *target;
    struct ticket ticket[RUN_QUEUE]; // oldest first
    uint32_t n;
};

struct campaign {
    struct campaign_options o;
    struct gen_options gen;
    struct run_info info;
    char dropped[1024];
    const char *device; // campaign_device_text
    struct spv_tools *tools;
    struct arena arena;
    struct worker_queue queue[CAMPAIGN_JOBS_MAX];
    uint32_t queues;
    struct job *free_jobs;
    struct suspect *suspects; // all that have no folder yet
    uint64_t next_seed;
    struct shown_policy policy; // the one the device showed last
    uint32_t failures;      // in a row
    double start;
    const struct campaign_events *ev;
    struct campaign_stats stats;
};

// ---- campaign_job.c

enum job_outcome { JOB_READY, JOB_OURS };
// Makes the case of j->seed. JOB_OURS: it is not valid or not defined; `kind` and
// `why` say so, and the case is in j->made all the same.
enum job_outcome job_make(struct campaign *c, struct job *j, const char **kind, const char **why);
// The command that makes the case again.
const char *job_command(const struct campaign *c, struct arena *a, uint64_t seed);
// A case as it is kept: subgroup size and policy it was judged under.
struct spv_case job_kept_case(const struct prediction *p, const struct judged *judged);

// ---- campaign_save.c

// Makes OUT and sees that it can be written and is ours.
bool save_prepare(const char *out, struct err *e);
bool save_ours(struct campaign *c, const struct job *j, const char *kind, const char *why,
               struct err *e);
// Writes the finding's folder, counts it and tells about it.
bool save_suspect(struct campaign *c, const struct suspect *s, struct err *e);
bool save_campaign(struct campaign *c, struct err *e);

#endif
