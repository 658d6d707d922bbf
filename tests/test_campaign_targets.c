// SPDX-License-Identifier: Apache-2.0
//
// A campaign with several targets, those that keep dying, and one that goes on where another
// stopped.
#define _GNU_SOURCE
#include "test_campaign.h"

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
    snprintf(command, sizeof command,
             "grep -q 'oracle and 2 of 2 other targets' %s/findings/%s/README.md", w->dir, name);
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
    assert_string_equal(w->s.end_reason, "");
}

static void quarantine_of_all(void **state)
{
    struct world *w = *state;
    device.plan = always_crashes;
    w->o.end_seed = 1000;
    assert_true(run(w));
    assert_non_null(strstr(w->s.end_reason, "faults ended its worker on 12 cases in a row"));
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
        struct campaign_options o = {.self = "none",
                                     .out = w->dir,
                                     .targets = w->o.targets,
                                     .target_count = 2,
                                     .stop_after = CAMPAIGN_AS_BEFORE};
        w->ticks = 0;
        w->stop_at = 3;
        struct campaign *c = campaign_resume(&o, &w->e);
        if (!c)
            fail_msg("%s", w->e.msg);
        const struct campaign_events ev = {
            .user = w, .found = on_found, .own_bug = on_own_bug, .tick = on_tick};
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
    struct campaign_options again = {.self = "none",
                                     .out = w->dir,
                                     .targets = w->o.targets,
                                     .target_count = 2,
                                     .stop_after = CAMPAIGN_AS_BEFORE};
    struct campaign *c = campaign_resume(&again, &w->e);
    assert_non_null(c);
    const struct campaign_events ev = {
        .user = w, .found = on_found, .own_bug = on_own_bug, .tick = on_tick};
    assert_true(campaign_run(c, &ev, &w->s, &w->e));
    campaign_close(c);
    assert_int_equal(w->s.sum.modules, 60);
}

// An enumeration on a target without shared memory: of 54 programs of at most two constructs, 12
// have a barrier. They are counted and not run, also by a campaign that was interrupted.
static void left_out(void **state)
{
    struct world *w = *state;
    device.offers = OFFERED & ~SPV_NEED(SHARED);
    w->o.size = 2;
    w->o.end_seed = 54;
    w->o.inputs = 2;
    w->stop_at = 1;
    assert_true(run(w));
    w->stop_at = 0;
    const struct campaign_options o = {.self = "none",
                                       .out = w->dir,
                                       .targets = w->o.targets,
                                       .target_count = 1,
                                       .stop_after = CAMPAIGN_AS_BEFORE};
    struct campaign *c = campaign_resume(&o, &w->e);
    if (!c)
        fail_msg("%s", w->e.msg);
    assert_string_equal(campaign_target(c, 0)->dropped, "shared");
    const struct campaign_events ev = {
        .user = w, .found = on_found, .own_bug = on_own_bug, .tick = on_tick};
    assert_true(campaign_run(c, &ev, &w->s, &w->e));
    campaign_close(c);
    assert_int_equal(w->s.next_seed, 54);
    assert_int_equal(w->s.sum.left_out, 12);
    assert_int_equal(w->s.target[0].left_out, 12);
    assert_int_equal(w->s.sum.modules, 42);
    assert_int_equal(w->s.sum.cases, 84);
    // A target on which no program is left.
    device.offers = OFFERED & ~(SPV_NEED(BALLOT) | SPV_NEED(ARITHMETIC));
    assert_null(campaign_open(&w->o, &w->e));
    assert_non_null(strstr(w->e.msg, "offers no group operation that small programs have"));
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
        cmocka_unit_test_setup_teardown(three_targets, start, end),
        cmocka_unit_test_setup_teardown(quarantine_of_one, start, end),
        cmocka_unit_test_setup_teardown(quarantine_of_all, start, end),
        cmocka_unit_test_setup_teardown(resumed, start, end),
        cmocka_unit_test_setup_teardown(left_out, start, end),
        cmocka_unit_test_setup_teardown(nothing_to_resume, start, end),
        cmocka_unit_test(live_steps),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
