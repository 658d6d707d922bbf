// SPDX-License-Identifier: Apache-2.0
//
// judge_predict and judge_result: what a target answered, in every way that there is, and the verdict on it.
#include "test_judge_common.h"

static void test_memory(void **state)
{
    (void)state;
    struct world w;
    start(&w, with_lanes);
    assert_int_equal(w.p->made.why.status, RAN_OK);
    assert_true(judge_usable(w.p));
    assert_null(w.p->given);
    assert_int_equal(judge(&w), JUDGE_AGREES);
    assert_ptr_equal(w.j.expected, w.p->made.memory);
    assert_int_equal(w.j.verdict.live_bits, ALL * 32);
    assert_false(w.j.chose || w.j.other_mapping || w.j.any_policy);
    assert_int_equal(w.j.tried, 0);
    assert_int_equal(w.j.verdict.repair_at, 0);
    w.out[5] ^= 3;
    assert_int_equal(judge(&w), JUDGE_WRONG_MEMORY);
    assert_int_equal(w.j.verdict.word, 5);
    assert_int_equal(w.j.verdict.wrong_bits, 2);
    stop(&w);
}

// Three schedules of machine code: word `wrong[k]` of the k-th is another one, ALL: none is.
static enum judge_class scheduled(struct world *w, const uint32_t *wrong)
{
    static uint32_t words[3][ALL + 1];
    static struct spv_memory memory[3][BUFFERS];
    start(w, with_lanes);
    for (uint32_t k = 0; k < 3; k++) {
        memcpy(memory[k], w->memory, sizeof memory[k]);
        memcpy(words[k], w->out, sizeof words[k]);
        if (wrong[k] < ALL)
            words[k][wrong[k]] ^= 1 + k;
        memory[k][OUT].words = words[k];
    }
    w->r.memory = memory[0];
    w->r.other = memory[1];
    w->r.others = 2;
    const enum judge_class klass = judge(w);
    w->out[0] = w->r.memory[OUT].words[5] ^ words[0][5]; // is the wrong one shown?
    // Each schedule's memory is there once.
    uint32_t seen = 0;
    for (uint32_t k = 0; k < 3; k++)
        for (uint32_t j = 0; j < 3; j++)
            seen |= (k ? w->r.other[(k - 1) * BUFFERS + OUT].words : w->r.memory[OUT].words) == words[j] ? 1u << j : 0;
    assert_int_equal(seen, 7);
    stop(w);
    return klass;
}

static void test_schedules(void **state)
{
    (void)state;
    struct world w;
    assert_int_equal(scheduled(&w, (uint32_t[]){ALL, ALL, ALL}), JUDGE_AGREES);
    assert_int_equal(scheduled(&w, (uint32_t[]){5, 5, 5}), JUDGE_WRONG_MEMORY);
    assert_int_equal(w.j.verdict.word, 5);
    // Right by one schedule, or wrong in another place by each: nothing is wrong by all of them.
    assert_int_equal(scheduled(&w, (uint32_t[]){5, ALL, 5}), JUDGE_SCHEDULE);
    assert_int_equal(scheduled(&w, (uint32_t[]){5, 6, 5}), JUDGE_SCHEDULE);
    assert_int_equal(scheduled(&w, (uint32_t[]){ALL, ALL, 5}), JUDGE_SCHEDULE);
    assert_int_equal(w.j.verdict.word, 5);
    assert_int_equal(w.out[0], 3);
    assert_string_equal(w.j.verdict.text, "with one of 3 schedules: buffer 0:0, word 5: expected 30 (0x1e), observed 29 (0x1d)");
    assert_int_equal(scheduled(&w, (uint32_t[]){ALL, 5, ALL}), JUDGE_SCHEDULE);
    assert_int_equal(w.out[0], 2);
    // The first that is wrong is shown.
    assert_int_equal(scheduled(&w, (uint32_t[]){ALL, 5, 6}), JUDGE_SCHEDULE);
    assert_int_equal(w.j.verdict.word, 5);
    assert_int_equal(scheduled(&w, (uint32_t[]){5, 6, 7}), JUDGE_SCHEDULE);
    assert_int_equal(w.j.verdict.word, 5);
    assert_int_equal(scheduled(&w, (uint32_t[]){5, ALL, ALL}), JUDGE_SCHEDULE);
    // A word of another buffer that is wrong by all of them.
    static struct spv_memory both[2][BUFFERS];
    static uint32_t right[3 * ALL + 1];
    start(&w, "");
    for (uint32_t k = 0; k < 2; k++)
        memcpy(both[k], w.memory, sizeof both[k]);
    memcpy(right, w.lanes, sizeof right);
    w.lanes[4] ^= 1;
    w.r.memory = both[0], w.r.other = both[1], w.r.others = 1;
    assert_int_equal(judge(&w), JUDGE_WRONG_MEMORY);
    assert_int_equal(w.j.verdict.binding, 1);
    both[1][LANES].words = right;
    assert_int_equal(judge(&w), JUDGE_SCHEDULE);
    // A flag that the code has not set may hold either value: one wrong result is enough.
    w.r.unset_line = 9;
    assert_int_equal(judge(&w), JUDGE_WRONG_MEMORY);
    assert_non_null(strstr(w.j.verdict.text, "; with one value of a flag that the machine code reads before it sets it"));
    both[1][LANES].words = w.lanes;
    assert_int_equal(judge(&w), JUDGE_WRONG_MEMORY);
    assert_null(strstr(w.j.verdict.text, "flag"));
    stop(&w);
    assert_true(judge_class_is_finding(JUDGE_SCHEDULE) && !judge_class_is_mismatch(JUDGE_SCHEDULE));
}

// Machine code that uses a register before its load is waited for: its fault where memory is right with
// all loads done at once, and only then.
static void test_early_use(void **state)
{
    (void)state;
    struct world w;
    start(&w, with_lanes);
    uint32_t right[ALL + 1];
    struct spv_memory prompt[BUFFERS];
    memcpy(right, w.out, sizeof right);
    memcpy(prompt, w.memory, sizeof prompt);
    prompt[OUT].words = right;
    w.r.early_line = 12;
    w.r.prompt = prompt;
    assert_int_equal(judge(&w), JUDGE_AGREES); // junk that nobody looks at
    w.out[3] ^= 4;
    assert_int_equal(judge(&w), JUDGE_EARLY_USE);
    assert_string_equal(w.j.verdict.text,
                        "line 12 of the machine code uses a register before waiting for its load");
    right[5] ^= 4;
    assert_int_equal(judge(&w), JUDGE_WRONG_MEMORY);
    right[5] ^= 4;
    w.r.early_line = 0;
    assert_int_equal(judge(&w), JUDGE_WRONG_MEMORY);
    stop(&w);
}

// Whatever ends a run by itself has its own class, and the runner's words.
static void test_statuses(void **state)
{
    (void)state;
    static const struct {
        enum run_status status;
        enum judge_class klass;
    } table[] = {{RUN_REJECTED, JUDGE_REJECTED},       {RUN_CRASHED, JUDGE_CRASH},
                 {RUN_HUNG, JUDGE_HANG},               {RUN_DEVICE_LOST, JUDGE_DEVICE_LOST},
                 {RUN_MEMORY, JUDGE_MEMORY},           {RUN_INVALID, JUDGE_INVALID_OUTPUT},
                 {RUN_COMPILED, JUDGE_COMPILED},       {RUN_SKIPPED, JUDGE_SKIPPED},
                 {RUN_FAILED, JUDGE_FAILED}};
    struct world w;
    start(&w, with_lanes);
    for (size_t k = 0; k < sizeof table / sizeof *table; k++) {
        w.r.status = table[k].status;
        snprintf(w.r.text, sizeof w.r.text, "it ended so");
        assert_int_equal(judge(&w), table[k].klass);
        assert_string_equal(w.j.verdict.text, "it ended so");
        assert_int_equal(w.j.verdict.live_bits, 0);
        assert_ptr_equal(w.j.expected, w.p->made.memory);
    }
    // But nothing counts where the program has no meaning.
    w.p->made.why.status = RAN_UNDEFINED;
    snprintf(w.p->made.why.text, sizeof w.p->made.why.text, "no meaning");
    assert_int_equal(judge(&w), JUDGE_UNDEFINED);
    assert_string_equal(w.j.verdict.text, "no meaning");
    assert_null(w.j.expected);
    w.p->made.why.status = RAN_INVALID;
    assert_int_equal(judge(&w), JUDGE_UNDEFINED);
    stop(&w);
}

// By how little it is promised: what one invocation does alone, what all do together; by the mapping that was seen.
static void test_weakest(void **state)
{
    (void)state;
    static const struct {
        const char *size;
        uint32_t groups[3];
        enum judge_promise p;
    } table[] = {{"1 1 1", {1, 1, 1}, JUDGE_PROMISE_SINGLE},    {"2 1 1", {1, 1, 1}, JUDGE_PROMISE_WORKGROUP},
                 {"1 2 1", {1, 1, 1}, JUDGE_PROMISE_WORKGROUP}, {"1 1 2", {1, 1, 1}, JUDGE_PROMISE_WORKGROUP},
                 {"1 1 1", {2, 1, 1}, JUDGE_PROMISE_WORKGROUP}};
    struct world w;
    for (size_t k = 0; k < sizeof table / sizeof *table; k++) {
        start_sized(&w, k < 4 ? with_lanes : "", table[k].size);
        memcpy(w.c.groups, table[k].groups, sizeof w.c.groups);
        w.p = judge_predict(&w.a, &w.c, 1, SIZE, SPV_POLICY_JOIN);
        assert_int_equal(judge_weakest(&w.c, w.p->made.memory), JUDGE_PROMISE_MAXIMAL); // nothing is wrong
        w.p->made.memory[OUT].words[0] ^= 1;
        assert_int_equal(judge_weakest(&w.c, w.p->made.memory), table[k].p);
        w.c.subgroup = 0;
        assert_int_equal(judge_weakest(&w.c, w.p->made.memory), JUDGE_PROMISE_UNKNOWN);
        stop(&w);
    }
    start(&w, with_lanes);
    mapped(&w, other_sid, other_lane);
    assert_int_equal(judge_weakest(&w.c, w.memory), JUDGE_PROMISE_MAXIMAL);
    w.out[7] ^= 1;
    assert_int_equal(judge_weakest(&w.c, w.memory), JUDGE_PROMISE_WORKGROUP);
    w.out[7] ^= 1;
    w.lanes[3 * ALL] ^= 1; // behind what tells the mapping
    assert_int_equal(judge_weakest(&w.c, w.memory), JUDGE_PROMISE_MAXIMAL);
    w.out[7] ^= 1;
    w.lanes[1] = w.lanes[4]; // no mapping: nothing can be asked
    assert_int_equal(judge_weakest(&w.c, w.memory), JUDGE_PROMISE_MAXIMAL);
    stop(&w);
    static const char *const names[] = {"", "maximal", "subgroup-uniform", "workgroup-uniform", "single-invocation"};
    for (int k = 0; k <= JUDGE_PROMISE_SINGLE; k++)
        assert_string_equal(judge_promise_name((enum judge_promise)k), names[k]);
}

static void test_difference(void **state)
{
    (void)state;
    uint32_t words[2][2] = {{1, 2}, {1, 2}}, masks[2][2] = {{~0u, 5}, {~0u, 5}};
    struct spv_memory m[2] = {{.set = 1, .binding = 3, .count = 2, .words = words[0], .mask = masks[0]},
                              {.set = 1, .binding = 3, .count = 2, .words = words[1], .mask = masks[1]}};
    struct orc_result x = {.memory = &m[0], .memory_count = 1}, y = {.memory = &m[1], .memory_count = 1};
    char text[200];
    assert_true(judge_same_result(&x, &y));
    words[1][1] = 6;
    assert_false(judge_same_result(&x, &y));
    assert_true(judge_difference(&x, &y, text, sizeof text));
    assert_string_equal(text, "buffer 1:3, word 1: mask 0x2/0x5, tag 0x6/0x5");
    words[1][1] = 2, masks[1][1] = 4;
    assert_true(judge_difference(&x, &y, text, sizeof text));
    assert_string_equal(text, "buffer 1:3, word 1: mask 0x2/0x5, tag 0x2/0x4");
    masks[1][1] = 5, masks[1][0] = 0xff;
    assert_true(judge_difference(&x, &y, text, sizeof text));
    m[0].mask = m[1].mask = NULL; // all is defined
    assert_true(judge_same_result(&x, &y));
    m[1].mask = masks[0];
    assert_true(judge_difference(&x, &y, text, sizeof text));
    assert_string_equal(text, "buffer 1:3, word 1: mask 0x2/0xffffffff, tag 0x2/0x5");
    m[1].mask = NULL;
    y.why.status = RAN_OVER_LIMIT;
    assert_true(judge_difference(&x, &y, text, sizeof text));
    assert_string_equal(text, "mask: ok, tag: over limit");
    x.why.status = y.why.status = RAN_UNDEFINED;
    memcpy(x.why.rule, "E-race", 7);
    memcpy(y.why.rule, "E-race", 7);
    assert_true(judge_same_result(&x, &y));
    memcpy(y.why.rule, "E-align", 8);
    memcpy(x.why.text, "one", 4);
    memcpy(y.why.text, "two", 4);
    assert_true(judge_difference(&x, &y, text, sizeof text));
    assert_string_equal(text, "mask: one, tag: two");
}

static void test_subgroup(void **state)
{
    (void)state;
    struct spv_case c = {.subgroup = 8};
    struct run_info info = {.subgroup_size = 32};
    assert_int_equal(judge_subgroup(&c, 16, &info), 8);
    c.subgroup = 0;
    assert_int_equal(judge_subgroup(&c, 16, &info), 16);
    assert_int_equal(judge_subgroup(&c, 0, &info), 32);
    assert_int_equal(judge_subgroup(&c, 0, NULL), 0);
}

static void test_classes(void **state)
{
    (void)state;
    for (enum judge_class k = 0; k <= JUDGE_FAILED; k++) {
        assert_true(strlen(judge_class_name(k)) > 2 && strlen(judge_class_line(k)) > 10);
        assert_int_equal(judge_class_is_mismatch(k), k >= JUDGE_WRONG_VALUE && k <= JUDGE_WRONG_COVERAGE);
        assert_int_equal(judge_class_is_finding(k), k >= JUDGE_WRONG_VALUE && k <= JUDGE_EARLY_USE);
        assert_int_equal(judge_class_is_mapping(k), k == JUDGE_WRONG_MAPPING || k == JUDGE_WRONG_COVERAGE);
    }
    assert_string_equal(judge_class_name(JUDGE_MISSING_LANES), "missing-lanes");
    assert_string_equal(judge_class_name(JUDGE_CLASSES), "unknown"); // what a file of another version holds
    assert_string_equal(judge_class_line(JUDGE_CLASSES), "unknown");
    assert_false(judge_class_is_finding(JUDGE_CLASSES) || judge_class_is_mismatch(JUDGE_CLASSES));
    const enum judge_class none = (enum judge_class)(1 << 28);
    assert_false(judge_class_is_finding(none) || judge_class_is_mismatch(none));
    assert_true(judge_weak(SPV_SUBGROUP_UNIFORM) && judge_weak(SPV_WORKGROUP_UNIFORM));
    assert_false(judge_weak(SPV_MAXIMAL) || judge_weak(SPV_ASSUMED_MAXIMAL));
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_memory),
        cmocka_unit_test(test_schedules),
        cmocka_unit_test(test_early_use),
        cmocka_unit_test(test_statuses),
        cmocka_unit_test(test_weakest),
        cmocka_unit_test(test_difference),
        cmocka_unit_test(test_subgroup),
        cmocka_unit_test(test_classes),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
