// SPDX-License-Identifier: Apache-2.0
//
// The jobs that the fuzz target of the relay sends to a device program.
#include "fuzz.h"

const struct fz_job *fz_jobs(void)
{
    static struct fz_job jobs[FZ_JOBS];
    static struct arena a;
    for (uint32_t k = 0; k < FZ_JOBS && !jobs[k].subgroup; k++) {
        const struct gen_options o = {.features = GEN_DEFAULT_FEATURES,
                                      .profile = GEN_SMALL,
                                      .model = SPV_MAXIMAL,
                                      .subgroup = 4,
                                      .inputs = k + 1,
                                      .max_invocations = 8};
        struct gen_choices c;
        gen_choices_seed(&c, &a, k);
        gen_make(&c, &o, &jobs[k].made);
        CHECK(jobs[k].made.case_count == k + 1);
        jobs[k].subgroup = o.subgroup;
    }
    return jobs;
}
