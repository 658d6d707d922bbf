// SPDX-License-Identifier: Apache-2.0
//
// Runs generated programs on a Vulkan driver. The driver runs in a worker process of `tanglefuzz`,
// so its crash or hang is a finding like any other, and the next input gets a new worker.
// TANGLEFUZZ_TARGET names the target (default: lavapipe as fetched by set-up), TANGLEFUZZ_PROGRAM
// the program. Not for fuzzing farms without a driver.
#include "fuzz.h"

#include "runners/runners.h"

#include <inttypes.h>
#include <stdlib.h>

enum { SKIPS_MAX = 100 }; // stop after this many consecutive cases that did not run

static struct {
    uint64_t ran, left_out;
    uint32_t in_a_row;
    char why[200];
} seen;

static void report(void)
{
    fprintf(stderr, "tf_vulkan_fuzzer: %" PRIu64 " cases ran, %" PRIu64 " did not%s%s\n", seen.ran,
            seen.left_out, seen.left_out ? ": " : "", seen.why);
}

static struct run_target *open_target(void)
{
    const char *spec = getenv("TANGLEFUZZ_TARGET"), *self = getenv("TANGLEFUZZ_PROGRAM");
    struct err e = {{0}};
    struct run_options o = {0};
    struct run_target *t = run_open(spec ? spec : "vulkan:driver=lavapipe",
                                    self ? self : "build/release/tanglefuzz", &o, &e);
    if (!t) {
        fprintf(stderr,
                "tf_vulkan_fuzzer: %s (set TANGLEFUZZ_TARGET, and TANGLEFUZZ_PROGRAM to "
                "the path of tanglefuzz)\n",
                e.msg);
        exit(2);
    }
    atexit(report);
    return t;
}

// Restricts the options to what the device supports, and sets its subgroup size.
static void offered(struct gen_options *o, const struct run_info *info)
{
    if (info->subgroup_size)
        o->subgroup = info->subgroup_size;
    if (o->model == SPV_SUBGROUP_UNIFORM && !run_offers(info, SPV_NEED(SUBGROUP_UNIFORM)))
        o->model = SPV_MAXIMAL;
    if (o->model == SPV_MAXIMAL && !run_offers(info, SPV_NEED(MAXIMAL_RECONVERGENCE)))
        o->model = SPV_ASSUMED_MAXIMAL;
    for (int f = 0; f < GEN_FEATURE_COUNT; f++)
        if (!run_offers(info, gen_feature_needs((enum gen_feature)f, o->stage)))
            o->features &= ~GEN_BIT(f);
    if (info->max_invocations && info->max_invocations < o->max_invocations)
        o->max_invocations = info->max_invocations;
}

// Exits if too many consecutive cases could not be compared: with a missing driver, or one that
// rejects everything, every input would seem to pass.
static void in_vain(void)
{
    if (++seen.in_a_row < SKIPS_MAX)
        return;
    fprintf(stderr, "tf_vulkan_fuzzer: nothing is compared: %d consecutive cases did not run\n",
            SKIPS_MAX);
    exit(2);
}

static void count(const struct run_result *r)
{
    if (r->status != RUN_SKIPPED && r->status != RUN_FAILED) {
        seen.ran++;
        seen.in_a_row = 0;
        return;
    }
    seen.left_out++;
    snprintf(seen.why, sizeof seen.why, "%s: %s", run_status_name(r->status), r->text);
    in_vain();
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    static struct run_target *target;
    if (!target)
        target = open_target();
    struct arena a = {0};
    struct fz_case z;
    fz_frame(&a, data, size, &z);
    offered(&z.options, run_info(target));
    fz_grow(&a, data, size, &z);
    uint32_t n = z.made.case_count, subgroup = z.options.subgroup;
    struct spv_case *cases = z.made.cases;
    struct prediction *p = judge_predict(&a, cases, n, subgroup, SPV_POLICY_JOIN);
    for (uint32_t i = 0; i < n; i++) {
        struct run_result r;
        struct judged j;
        struct shown_policy shown = {0};
        if (!judge_usable(&p[i])) {
            in_vain();
            continue;
        }
        run_case(target, &a, &cases[i], subgroup, &r);
        count(&r);
        judge_result(&a, fz_tools(), &p[i], &r, &shown, &j);
        if (judge_class_is_finding(j.verdict.klass))
            fz_report(&a, &cases[i], run_spec(target), NULL, &j.verdict);
    }
    arena_free(&a);
    return 0;
}
