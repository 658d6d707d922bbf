// SPDX-License-Identifier: Apache-2.0
//
// A Vulkan driver on generated programs. The driver lives in the worker process of `tanglefuzz`,
// so that its crash or hang is a finding like any other and the next input finds a fresh one.
// TANGLEFUZZ_TARGET names the target (default: lavapipe as set-up has fetched it),
// TANGLEFUZZ_PROGRAM the program. Not for farms without a driver.
#include "fuzz.h"

#include "runners/runners.h"

#include <stdlib.h>

static struct run_target *open_target(void)
{
    const char *spec = getenv("TANGLEFUZZ_TARGET"), *self = getenv("TANGLEFUZZ_PROGRAM");
    struct err e = {{0}};
    struct run_options o = {0};
    struct run_target *t = run_open(spec ? spec : "vulkan:driver=lavapipe",
                                    self ? self : "build/release/tanglefuzz", &o, &e);
    if (!t) {
        fprintf(stderr, "tf_vulkan_fuzzer: %s (set TANGLEFUZZ_TARGET, and TANGLEFUZZ_PROGRAM to "
                        "the path of tanglefuzz)\n", e.msg);
        exit(2);
    }
    return t;
}

// The driver offers all that the case needs, in its own subgroup size.
int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    static struct run_target *target;
    if (!target)
        target = open_target();
    struct arena a = {0};
    struct fz_case z;
    fz_make(&a, data, size, &z);
    uint32_t n = z.made.case_count, subgroup = run_info(target)->subgroup_size;
    struct spv_case *cases = z.made.cases;
    for (uint32_t i = 0; i < n; i++) {
        if (z.options.subgroup != subgroup)
            cases[i].subgroup = subgroup;
        if (cases[i].model == SPV_MAXIMAL && !run_info(target)->maximal_reconvergence)
            cases[i].model = SPV_ASSUMED_MAXIMAL;
    }
    struct prediction *p = judge_predict(&a, cases, n, subgroup, SPV_POLICY_JOIN);
    for (uint32_t i = 0; i < n; i++) {
        struct run_result r;
        struct judged j;
        struct shown_policy shown = {0};
        if (!judge_usable(&p[i]))
            continue;
        run_case(target, &a, &cases[i], subgroup, &r);
        judge_result(&a, fz_tools(), &p[i], &r, &shown, &j);
        if (tri_class_is_finding(j.verdict.klass))
            fz_report(&a, &cases[i], run_spec(target), NULL, &j.verdict);
    }
    arena_free(&a);
    return 0;
}
