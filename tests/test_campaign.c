// SPDX-License-Identifier: Apache-2.0
//
// The campaign's loop with one target: each fault must come out as its class, none may be lost,
// none made up.
#define _GNU_SOURCE
#include "test_campaign.h"

static void all_agree(void **state)
{
    struct world *w = *state;
    assert_true(run(w));
    assert_int_equal(w->s.sum.cases, 100);
    assert_int_equal(w->s.sum.modules, 100);
    assert_int_equal(w->s.sum.agreed, 100);
    assert_int_equal(w->s.sum.findings + w->s.sum.flaky + w->s.own_bugs + w->s.sum.skipped + w->found,
                     0);
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
    assert_int_equal(k[JUDGE_CRASH], f[FAULT_CRASH]);
    assert_int_equal(k[JUDGE_HANG], f[FAULT_HANG]);
    assert_int_equal(k[JUDGE_DEVICE_LOST], f[FAULT_LOST]);
    assert_int_equal(k[JUDGE_REJECTED], f[FAULT_REJECTED]);
    assert_int_equal(k[JUDGE_WRONG_MAPPING], f[FAULT_MAPPING]);
    assert_int_equal(k[JUDGE_FLAKY], f[FAULT_FLAKY]);
    assert_int_equal(w->s.sum.flaky, f[FAULT_FLAKY]);
    uint64_t mismatches = 0, all = 0;
    for (int i = 0; i < JUDGE_CLASSES; i++) {
        mismatches += judge_class_is_mismatch((enum judge_class)i) && i != JUDGE_WRONG_MAPPING ? k[i] : 0;
        all += k[i];
    }
    assert_int_equal(mismatches, f[FAULT_VALUE]);
    assert_int_equal(w->s.sum.findings, all - k[JUDGE_FLAKY]);
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
    assert_int_equal(w->s.own_bugs, 0);
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
        assert_true(run(w));
        assert_true(w->s.stopped);
        // What was under way comes to an end, and nothing new is made: of the 100,000 few.
        assert_true(w->s.sum.modules < 1000);
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

// A device that never answers is given up.
static void interrupted_when_stuck(void **state)
{
    struct world *w = *state;
    device.stuck = true;
    w->o.jobs = 2;
    w->o.first_seed = 7;
    w->stop_at = 5;
    assert_true(run(w)); // it would wait for ever
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
    w->o.stop_after = 1;
    assert_true(run(w));
    assert_true(w->s.enough);
    assert_true(w->s.sum.findings >= 1 && w->s.sum.findings <= 1 + RUN_QUEUE);
}

static bool go_on(struct world *w)
{
    const struct campaign_events ev = {
        .user = w, .found = on_found, .own_bug = on_own_bug, .tick = on_tick};
    struct campaign_options o = w->o;
    o.stop_after = CAMPAIGN_AS_BEFORE;
    struct campaign *c = campaign_resume(&o, &w->e);
    const bool ok = c && campaign_run(c, &ev, &w->s, &w->e);
    if (c)
        campaign_close(c);
    return ok;
}

// All crashes are one bucket: two get folders, the others are counted, and one bucket is not two.
static void one_bucket_has_few_folders(void **state)
{
    struct world *w = *state;
    device.plan = only_crashes;
    w->o.end_seed = 20;
    w->o.keep = 2;
    w->o.stop_after = 2;
    assert_true(run(w));
    const uint64_t first = w->s.sum.findings;
    assert_true(!w->s.enough && first >= 8);
    assert_int_equal(w->s.buckets, 1);
    assert_int_equal(w->s.sum.further, first - 2);
    assert_int_equal(w->found, 2);
    assert_int_equal(folders(w, ""), 2);
    // It is resumed: none of the new ones gets a folder, and the earlier ones are still counted.
    w->o.end_seed = 40;
    assert_true(go_on(w));
    assert_int_equal(folders(w, ""), 2);
    assert_int_equal(w->s.sum.further, w->s.sum.findings - 2);
    assert_true(w->s.sum.findings > first);
    struct store_findings v;
    uint32_t added;
    struct store *s = store_open(w->o.out, &w->e);
    assert_true(s && store_sync(s, w->o.out, &added, &w->e) && store_list(s, &w->a, &v, &w->e));
    store_close(s);
    assert_int_equal(v.buckets, 1);
    assert_int_equal(v.bucket[0].findings, 2);
    assert_int_equal(v.bucket[0].further, w->s.sum.further);
}

// A debugger runs for the crashes with a folder; the others in the same functions are in their bucket without it.
static void a_place_is_looked_at_until_its_folders_are_there(void **state)
{
    struct world *w = *state;
    device.plan = only_crashes;
    device.crash_site = 7;
    w->o.end_seed = 20;
    w->o.keep = 2;
    assert_true(run(w));
    assert_true(w->s.sum.findings >= 8);
    assert_int_equal(w->s.buckets, 1);
    assert_int_equal(w->s.sum.further, w->s.sum.findings - 2);
    assert_int_equal(device.looked, 2);
}

static void each_folder_has_its_own_look(void **state)
{
    struct world *w = *state;
    device.plan = only_crashes;
    device.crash_site = 7;
    w->o.end_seed = 20;
    assert_true(run(w));
    assert_int_equal(device.looked, w->s.sum.findings);
    assert_int_equal(folders(w, ""), w->s.sum.findings);
}

static void time_is_up(void **state)
{
    struct world *w = *state;
    w->o.end_seed = UINT64_MAX;
    w->o.seconds = 0.3;
    assert_true(run(w));
    assert_true(w->s.seconds >= 0.3); // and it came to an end, which its seeds do not
    assert_int_equal(w->s.next_seed, w->s.sum.cases);
}

static void device_without_the_promise(void **state)
{
    struct world *w = *state;
    device.offers &= ~SPV_NEED(MAXIMAL_RECONVERGENCE);
    assert_null(campaign_open(&w->o, &w->e));
    assert_non_null(strstr(w->e.msg, "does not promise maximal reconvergence"));
    w->o.model = SPV_ASSUMED_MAXIMAL;
    device.offers &= ~SPV_NEED(SHUFFLE);
    struct campaign *c = campaign_open(&w->o, &w->e);
    assert_non_null(c);
    assert_string_equal(campaign_target(c, 0)->dropped,
                        "shuffle, rotate, quad-vote, shuffle-xor, int8, "
                        "int16, int64, float16, float64, rotate-cluster, partition");
    assert_int_equal(campaign_target(c, 0)->subgroup, 8);
    assert_true(c->group[0].gen.features ==
                (GEN_DEFAULT_FEATURES &
                 ~(GEN_BIT(GEN_OP_SHUFFLE) | GEN_BIT(GEN_OP_SHUFFLE_XOR) | GEN_BIT(GEN_OP_ROTATE) |
                   GEN_BIT(GEN_OP_QUAD_VOTE) | GEN_BIT(GEN_INT8) | GEN_BIT(GEN_INT16) |
                   GEN_BIT(GEN_INT64) | GEN_BIT(GEN_FLOAT16) | GEN_BIT(GEN_FLOAT64) |
                   GEN_BIT(GEN_OP_ROTATE_CLUSTER) | GEN_BIT(GEN_OP_PARTITION))));
    const struct unit five = {.seed = 5};
    struct form made = {.predicted = NULL};
    assert_non_null(strstr(job_command(c, &w->a, &five, &made), "gen --seed 5 --subgroup 8 "));
    assert_non_null(strstr(job_command(c, &w->a, &five, &made), " --model assumed-maximal"));
    assert_non_null(strstr(job_command(c, &w->a, &five, &made), " --only if,else,"));
    assert_null(strstr(job_command(c, &w->a, &five, &made), ",shuffle,"));
    assert_null(strstr(job_command(c, &w->a, &five, &made), "--log"));
    made.made.digest = true;
    assert_non_null(strstr(job_command(c, &w->a, &five, &made), " --log digest"));
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
        .user = w, .found = on_found, .own_bug = on_own_bug, .tick = on_tick_full};
    bool ok = campaign_run(c, &ev, &w->s, &w->e);
    setrlimit(RLIMIT_FSIZE, &old);
    campaign_close(c);
    assert_false(ok);
    assert_non_null(strstr(w->e.msg, "lost (tanglefuzz gen --seed "));
    assert_int_equal(folders(w, ""), 0);
    assert_int_equal(w->found, 0);
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
        cmocka_unit_test_setup_teardown(one_bucket_has_few_folders, start, end),
        cmocka_unit_test_setup_teardown(a_place_is_looked_at_until_its_folders_are_there, start, end),
        cmocka_unit_test_setup_teardown(each_folder_has_its_own_look, start, end),
        cmocka_unit_test_setup_teardown(time_is_up, start, end),
        cmocka_unit_test_setup_teardown(device_without_the_promise, start, end),
        cmocka_unit_test_setup_teardown(full_disk, start, end),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
