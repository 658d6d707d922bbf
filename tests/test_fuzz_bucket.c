// SPDX-License-Identifier: Apache-2.0
//
// The one line that a farm buckets by, held against how ClusterFuzz reads a log: the state is what
// follows "ASSERTION FAILED: ", cut at 80 characters, with digits folded; two states are one crash
// when they are equal or similar, except where "FuzzerHash=" makes similarity not count. Written
// from the description of those rules.
#define _POSIX_C_SOURCE 200809L // setenv
#include "test_spv_common.h"

#include "selftest/fuzz/fuzz.h"

#include <ctype.h>
#include <stdlib.h>
#include <string.h>

enum { STATE = 81 };

// A log -> its crash state; false where the log has none.
static bool state_of(const char *log, char out[STATE])
{
    const char *at = strstr(log, "ASSERTION FAILED: ");
    if (!at)
        return false;
    at += strlen("ASSERTION FAILED: ");
    size_t n = 0;
    while (at[n] && at[n] != '\n' && n + 1 < STATE)
        n++;
    memcpy(out, at, n);
    out[n] = 0;
    for (char *c = out; *c; c++) // numbers are folded to one word there: here to one letter
        if (isdigit((unsigned char)*c))
            *c = '#';
    return true;
}

static bool same_crash(const char *x, const char *y)
{
    return strcmp(x, y) == 0 || !strstr(x, "FuzzerHash="); // (similarity would say yes)
}

static void test_line(void **unused)
{
    (void)unused;
    for (int k = 0; k < JUDGE_CLASSES; k++) {
        const char *klass = judge_class_name((enum judge_class)k);
        char bucket[16], line[DIAG_FARM_LINE], log[400], state[STATE];
        diag_bucket_name("spirv-opt --loop-unswitch mismatch", bucket);
        for (const char *c = bucket; *c; c++)
            assert_true(*c >= 'a' && *c <= 'z');
        diag_farm_line(bucket, klass, line);
        snprintf(log, sizeof log, "INFO: Seed: 77\nsomething 12\n%s\n==1== ERROR: x\n", line);
        assert_true(state_of(log, state));
        assert_non_null(strstr(state, "FuzzerHash="));
        assert_null(strchr(state, '#'));              // nothing that folds
        assert_null(strchr(state, '/'));              // no path
        assert_string_equal(state + strlen(state) - strlen(klass), klass); // nothing cut off
    }
}

static void test_known(void **unused)
{
    (void)unused;
    unsetenv("TANGLEFUZZ_KNOWN");
    assert_false(fz_is_known("lipigigape"));
    setenv("TANGLEFUZZ_KNOWN", "napepehumi,lipigigape,", 1);
    assert_true(fz_is_known("lipigigape"));
    assert_true(fz_is_known("napepehumi"));
    assert_false(fz_is_known("napepehum")); // a part of a name is not the name
    assert_false(fz_is_known("lipigigapes"));
    assert_false(fz_is_known(""));
    unsetenv("TANGLEFUZZ_KNOWN");
}

// The shipped list has the buckets of the bugs that it names.
static void test_shipped(void **unused)
{
    static const struct {
        const char *pass, *text;
        enum judge_class klass;
    } rows[] = {{"--loop-unswitch", "buffer 0:1, word 1: expected 3 (0x3), observed 1 (0x1)", JUDGE_WRONG_MEMORY},
                {"--merge-blocks",
                 "spirv-val (Vulkan 1.3): The continue construct with the continue target '7[%7]' is not structurally "
                 "post dominated by the back-edge block '12[%12]'   %12 = OpLabel",
                 JUDGE_INVALID_OUTPUT},
                {"--loop-peeling",
                 "spirv-val (Vulkan 1.3): Using pointers with OpPhi requires capability VariablePointers or "
                 "VariablePointersStorageBuffer   %21 = OpPhi %_ptr_StorageBuffer_uint %18 %17",
                 JUDGE_INVALID_OUTPUT},
                {"--workaround-1209",
                 "spirv-val (Vulkan 1.3): OpPhi's number of incoming blocks (3) does not match block's predecessor "
                 "count (4).   %28 = OpPhi %uint %29 %20 %uint_0 %23 %uint_0 %24",
                 JUDGE_INVALID_OUTPUT}};
    struct arena a = {0};
    const char *file = arena_printf(&a, "%s/selftest/fuzz/oss-fuzz/known.txt", getenv("SOURCE_DIR"));
    char bucket[16];
    (void)unused;
    for (size_t k = 0; k < sizeof rows / sizeof *rows; k++) {
        struct judge_verdict v = {.klass = rows[k].klass};
        snprintf(v.text, sizeof v.text, "%s", rows[k].text);
        diag_farm_bucket(&a, "spirv-opt:-O", rows[k].pass, &v, bucket);
        assert_true(fz_known_in(file, bucket));
        diag_farm_bucket(&a, "spirv-opt:-O", "--another", &v, bucket);
        assert_false(fz_known_in(file, bucket));
    }
    assert_false(fz_known_in("/nonexistent", bucket));
    arena_free(&a);
}

static void test_other_bucket_other_crash(void **unused)
{
    (void)unused;
    char one[16], two[16], line[DIAG_FARM_LINE], x[STATE], y[STATE];
    diag_bucket_name("spirv-opt --loop-unswitch mismatch", one);
    diag_bucket_name("spirv-opt --loop-unroll mismatch", two);
    assert_string_not_equal(one, two);
    diag_farm_line(one, "mismatch", line);
    assert_true(state_of(line, x));
    diag_farm_line(two, "mismatch", line);
    assert_true(state_of(line, y));
    assert_false(same_crash(x, y));
    assert_true(same_crash(x, x));
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_line),
        cmocka_unit_test(test_known), cmocka_unit_test(test_shipped),
        cmocka_unit_test(test_other_bucket_other_crash),
    };
    return cmocka_run_group_tests_name("fuzz_bucket", tests, NULL, NULL);
}
