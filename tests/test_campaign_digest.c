// SPDX-License-Identifier: Apache-2.0
//
// A campaign whose programs keep a digest of their log: a device that gets a digest wrong is asked
// for the log, and a finding shows the log unless the digest alone is wrong.
#define _GNU_SOURCE
#include "test_campaign.h"

static enum fault always_wrong(uint32_t module)
{
    return module <= MODULES ? FAULT_VALUE : FAULT_NONE;
}
static enum fault wrong_digest(uint32_t module)
{
    return module <= MODULES ? FAULT_DIGEST : FAULT_NONE;
}
static enum fault wrong_digest_log_crashes(uint32_t module)
{
    return module <= MODULES ? FAULT_LOG_CRASHES : FAULT_NONE;
}
static enum fault wrong_digest_no_log(uint32_t module)
{
    return module <= MODULES ? FAULT_NO_LOG : FAULT_NONE;
}

// Counts findings whose file `name` contains the text.
static unsigned with_text(const struct world *w, const char *name, const char *text)
{
    char command[200], line[32] = "";
    snprintf(command, sizeof command, "grep -l -e '%s' %s/findings/*/%s 2>/dev/null | wc -l", text,
             w->dir, name);
    FILE *p = popen(command, "r");
    assert_non_null(p);
    assert_non_null(fgets(line, sizeof line, p));
    pclose(p);
    return (unsigned)atoi(line);
}

static void a_finding_shows_the_log(void **state)
{
    struct world *w = *state;
    device.plan = always_wrong;
    w->o.log = GEN_LOG_DIGEST;
    w->o.end_seed = 10;
    assert_true(run(w));
    assert_int_equal(device.count, 20); // each program in both forms
    assert_int_equal(w->s.sum.modules, 10);
    assert_int_equal(w->s.sum.cases, 10);
    assert_int_equal(w->s.sum.findings, 10);
    assert_int_equal(w->s.sum.rerun, 30);
    assert_int_equal(with_text(w, "case.spvasm", "^; log 0:1 stride"), 10);
    assert_int_equal(with_text(w, "case.spvasm", "^; lanes 0:2$"), 10);
    assert_int_equal(with_text(w, "finding.json", "--log digest"), 0);
    assert_int_equal(folders(w, "-wrong-memory"), 0);
}

// A module is asked for the logs of all its inputs; each class is one finding.
static void several_inputs(void **state)
{
    struct world *w = *state;
    device.plan = always_wrong;
    w->o.log = GEN_LOG_DIGEST;
    w->o.end_seed = 4;
    w->o.inputs = 3;
    assert_true(run(w));
    assert_int_equal(w->s.sum.cases, 12);
    assert_int_equal(w->s.sum.agreed, 0);
    assert_int_equal(with_text(w, "case.spvasm", "^; log 0:1 stride"), folders(w, ""));
    assert_true(folders(w, "") >= 4);
}

static void only_the_digest_is_wrong(void **state)
{
    struct world *w = *state;
    device.plan = wrong_digest;
    w->o.log = GEN_LOG_DIGEST;
    w->o.end_seed = 10;
    assert_true(run(w));
    assert_int_equal(device.count, 20);
    assert_int_equal(w->s.sum.cases, 10);
    assert_int_equal(w->s.sum.agreed, 0);
    assert_int_equal(w->s.sum.findings, 10);
    assert_int_equal(w->s.sum.flaky, 0);
    assert_int_equal(with_text(w, "case.spvasm", "^; lanes 0:2 packed$"), 10);
    assert_int_equal(with_text(w, "finding.json", "--log digest"), 10);
    assert_int_equal(folders(w, "-wrong-memory"), 10);
}

static void the_log_cannot_be_asked(void **state)
{
    struct world *w = *state;
    device.plan = wrong_digest_no_log;
    w->o.log = GEN_LOG_DIGEST;
    w->o.end_seed = 20;
    assert_true(run(w));
    assert_int_equal(w->s.sum.cases, 20);
    assert_int_equal(w->s.sum.findings, 20);
    assert_int_equal(with_text(w, "case.spvasm", "^; lanes 0:2 packed$"), 20);
}

// A crash is another bug: both are kept.
static void the_log_crashes(void **state)
{
    struct world *w = *state;
    device.plan = wrong_digest_log_crashes;
    w->o.log = GEN_LOG_DIGEST;
    w->o.end_seed = 5;
    assert_true(run(w));
    assert_int_equal(w->s.sum.cases, 5);
    assert_int_equal(w->s.sum.findings, 10);
    assert_int_equal(folders(w, "-crash"), 5);
    assert_int_equal(folders(w, "-wrong-memory"), 5);
    assert_int_equal(with_text(w, "case.spvasm", "^; lanes 0:2 packed$"), 5);
}

// In quarantine a device is not asked for a log: what its digest showed is kept.
static void no_log_in_quarantine(void **state)
{
    (void)state;
    struct suspect other = {.target = 1, .waits = true},
                   mine = {.target = 0, .waits = true, .next = &other};
    struct job j = {.open = 2, .suspects = &mine};
    j.answer[0] = j.answer[1] = (struct answer){.state = ANSWER_WAITING, .form = WITH_LOG};
    answer_hold(&j, 0);
    assert_int_equal(j.answer[0].state, ANSWER_HERE);
    assert_int_equal(j.answer[0].form, AS_MADE);
    assert_int_equal(j.open, 1);
    assert_ptr_equal(j.suspects, &mine);
    assert_ptr_equal(mine.next, &other);
    assert_true(!mine.waits && other.waits);
    j.answer[1].form = AS_MADE; // it has not answered at all
    answer_hold(&j, 1);
    assert_int_equal(j.answer[1].state, ANSWER_HELD);
    assert_int_equal(j.open, 0);
}

static void one_seed_in_sixteen_has_a_log(void **state)
{
    struct world *w = *state;
    device.plan = always_wrong;
    w->o.log = GEN_LOG_MIXED;
    w->o.end_seed = 32;
    assert_true(run(w));
    assert_int_equal(device.count, 32 + 30);
    assert_int_equal(w->s.sum.findings, 32);
    assert_int_equal(with_text(w, "case.spvasm", "^; log 0:1 stride"), 32);
}

static void right_devices_are_asked_once(void **state)
{
    struct world *w = *state;
    w->o.log = GEN_LOG_MIXED;
    assert_true(run(w));
    assert_int_equal(device.count, 100);
    assert_int_equal(w->s.sum.agreed, 100);
    assert_int_equal(w->s.sum.nothing + w->found, 0);
}

// Wherever it is interrupted, no wrong digest is lost.
static void interrupted_anywhere(void **state)
{
    struct world *w = *state;
    uint32_t packed = 0;
    for (uint64_t at = 1; at < 40; at++) {
        device.count = 0;
        device.plan = always_wrong;
        device.slow = 1;
        w->ticks = 0;
        w->stop_at = at;
        w->found = w->found_again = w->found_flaky = 0;
        w->o.log = GEN_LOG_DIGEST;
        w->o.end_seed = 1000;
        assert_true(run(w));
        assert_int_equal(w->found_flaky, 0);
        assert_true(w->found + w->found_again >= w->s.sum.cases);
        packed = with_text(w, "case.spvasm", "^; lanes 0:2 packed$");
    }
    assert_true(packed > 0); // at least one was interrupted before its log
}

static void resumed(void **state)
{
    struct world *w = *state;
    w->o.log = GEN_LOG_MIXED;
    w->stop_at = 3;
    device.slow = 1;
    w->o.end_seed = 1000;
    assert_true(run(w));
    const struct campaign_options o = {.targets = w->targets,
                                       .target_count = 1,
                                       .self = "none",
                                       .out = w->dir,
                                       .stop_after = CAMPAIGN_AS_BEFORE};
    struct campaign *c = campaign_resume(&o, &w->e);
    assert_non_null(c);
    assert_int_equal(campaign_options(c)->log, GEN_LOG_MIXED);
    campaign_close(c);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test_setup_teardown(a_finding_shows_the_log, start, end),
        cmocka_unit_test_setup_teardown(several_inputs, start, end),
        cmocka_unit_test_setup_teardown(only_the_digest_is_wrong, start, end),
        cmocka_unit_test_setup_teardown(the_log_cannot_be_asked, start, end),
        cmocka_unit_test_setup_teardown(the_log_crashes, start, end),
        cmocka_unit_test(no_log_in_quarantine),
        cmocka_unit_test_setup_teardown(one_seed_in_sixteen_has_a_log, start, end),
        cmocka_unit_test_setup_teardown(right_devices_are_asked_once, start, end),
        cmocka_unit_test_setup_teardown(interrupted_anywhere, start, end),
        cmocka_unit_test_setup_teardown(resumed, start, end),
    };
    return cmocka_run_group_tests_name("campaign digest", tests, NULL, NULL);
}
