// SPDX-License-Identifier: Apache-2.0
//
// known/ files: what is read, what is refused, and when an entry holds.
// clang-format off
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <cmocka.h>
// clang-format on

#include "report/report.h"

#include <string.h>

static struct arena arena;

static struct report_known parsed(const char *text)
{
    struct report_known k;
    struct err e = {0};
    if (!report_known_parse(&arena, "x.known", text, strlen(text), &k, &e))
        fail_msg("%s", e.msg);
    return k;
}

static void reads(void **state)
{
    (void)state;
    struct report_known k = parsed("# a bug\ntanglefuzz-known 2\n\nclass  missing-lanes\n"
                                "target spirv-opt:--loop-unswitch*\nreason a parameter, taken for uniform\n"
                                "link   https://example.org/1\nuntil 2025.3\n");
    assert_int_equal(k.klass, JUDGE_MISSING_LANES);
    assert_string_equal(k.target, "spirv-opt:--loop-unswitch*");
    assert_string_equal(k.reason, "a parameter, taken for uniform");
    assert_string_equal(k.until, "2025.3");
    assert_string_equal(k.feature, "");
    assert_string_equal(report_known_state(&arena, &k), "known");
    static const char *const states[][2] = {{"new", "new upstream"}, {"known", "known upstream"},
                                            {"design", "by design"}, {"fixed", "fixed in 25.0"}};
    for (size_t i = 0; i < sizeof states / sizeof *states; i++) {
        k = parsed(arena_printf(&arena, "tanglefuzz-known 1\nbucket b\nreason x\nuntil 25.0\nupstream %s\n",
                                states[i][0]));
        assert_string_equal(report_known_state(&arena, &k), states[i][1]);
    }
}

#define S4 "message s\nmessage s\nmessage s\nmessage s\n"
#define S16 S4 S4 S4 S4

static void refuses(void **state)
{
    (void)state;
    static const struct {
        const char *text, *message;
    } rows[] = {
        {"", "x.known: must start with 'tanglefuzz-known 2'"},
        {"tanglefuzz-known 3\n", "x.known:1: must start"},
        {"tanglefuzz-known 1\nreason x\n", "x.known: needs a bucket"},
        {"tanglefuzz-known 1\nbucket x\n", "x.known: needs a reason"},
        {"tanglefuzz-known 1\nclass crash\nreason x\n", "needs a target"},
        {"tanglefuzz-known 1\nclass agrees\ntarget *\nreason x\n", "'agrees' is not a class of findings"},
        {"tanglefuzz-known 1\nbucket b\nreason x\nupstream green\n", "new, known, design or fixed, not 'green'"},
        {"tanglefuzz-known 1\nbucket b\nreason x\nupstream fixed\n", "needs an until"},
        {"tanglefuzz-known 1\ncolour red\n", "x.known:2: unknown key 'colour'"},
        {"tanglefuzz-known 1\nbucket\n", "x.known:2: 'bucket' needs a value"},
        {"tanglefuzz-known 1\nbucket a\nbucket b\n", "x.known:3: 'bucket' is given twice"},
        {"tanglefuzz-known 2\n" S16 "message s\n", "x.known:18: more than 16 of 'message'"},
        {"tanglefuzz-known 2\nclass crash\nclass hang\n", "x.known:3: 'class' is given twice"},
    };
    for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
        struct report_known k;
        struct err e = {0};
        if (report_known_parse(&arena, "x.known", rows[i].text, strlen(rows[i].text), &k, &e) ||
            !strstr(e.msg, rows[i].message))
            fail_msg("row %zu: %s", i, e.msg);
    }
}

static void holds(void **state)
{
    (void)state;
    static const struct {
        const char *target_of, *until, *target, *driver;
        bool holds;
    } rows[] = {
        {"*", "", "vulkan:0", NULL, true},
        {"vulkan:*", "", "vulkan:driver=lavapipe", NULL, true},
        {"vulkan:*lavapipe", "", "vulkan:driver=lavapipe", NULL, true},
        {"vulkan:*lavapipe", "", "vulkan:driver=lavapipe,size=8", NULL, false},
        {"spirv-opt", "", "spirv-opt:-O", NULL, false},
        {"*", "25.1", "x", "llvmpipe Mesa 25.0.7-2~bpo12+1 (LLVM 15.0.6)", true},
        {"*", "25.0.7", "x", "llvmpipe Mesa 25.0.7-2", false},
        {"*", "25.0.8", "x", "llvmpipe Mesa 25.0.7-2", true},
        {"*", "25", "x", "Mesa 25.0.7", false},
        {"*", "25.0.0", "x", "Mesa 25.0", false},
        {"*", "9.10", "x", "v9.9", true},
        {"*", "2025.3", "x", "SPIRV-Tools v2025.1 unknown hash", true},
        {"*", "2025.3", "x", "SPIRV-Tools v2025.3 unknown hash", false},
        {"*", "2025.3", "x", "a command", true},
    };
    for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
        struct report_known k = parsed(arena_printf(&arena,
            "tanglefuzz-known 1\nclass crash\ntarget %s\nreason r\n%s%s\n", rows[i].target_of,
            rows[i].until[0] ? "until " : "", rows[i].until));
        if (report_known_applies(&k, rows[i].target, rows[i].driver) != rows[i].holds)
            fail_msg("row %zu", i);
    }
}

static void finds(void **state)
{
    (void)state;
    struct report_known v[] = {
        parsed("tanglefuzz-known 1\nfeature switch\ntarget *\nreason r\n"),
        parsed("tanglefuzz-known 1\ncase a*.spvasm\ntarget spirv-opt:*\nreason r\n"),
        parsed("tanglefuzz-known 1\nclass crash\ntarget vulkan:*\nreason r\n"),
        parsed("tanglefuzz-known 2\nmessage 3|*\nmessage 1|x|crash\nmessage 4|*\npass p\nreason r\n"),
    };
    struct diag_signature s = {.klass = JUDGE_CRASH, .message = "1|x|crash", .culprit = "p", .name = "abababaaba"};
    assert_ptr_equal(report_known_finding(v, 4, "vulkan:0", NULL, &s), &v[2]);
    assert_ptr_equal(report_known_finding(v, 4, "spirv-opt:-O", NULL, &s), &v[3]);
    s.klass = JUDGE_HANG;
    for (const char *first = "134"; *first; first++) { // any of its messages
        s.message[0] = *first;
        assert_ptr_equal(report_known_finding(v, 4, "spirv-opt:-O", NULL, &s), &v[3]);
    }
    s.message[0] = '1';
    s.culprit[0] = 'q'; // another pass
    assert_null(report_known_finding(v, 4, "spirv-opt:-O", NULL, &s));
    s.culprit[0] = 'p';
    s.message[0] = '2';
    assert_null(report_known_finding(v, 4, "vulkan:0", NULL, &s));
    assert_ptr_equal(report_known_case(v, 4, "spirv-opt:-O", NULL, "corpus/regress/abc.spvasm"), &v[1]);
    assert_null(report_known_case(v, 4, "spirv-opt:-O", NULL, "corpus/regress/b.spvasm"));
    assert_null(report_known_case(v, 4, "vulkan:0", NULL, "abc.spvasm"));
}

// `until` is of the driver's version: what else the device's text names, LLVM's for one, is older here.
static void marks_by_driver(void **state)
{
    (void)state;
    const struct report_known v = parsed("tanglefuzz-known 1\nclass crash\ntarget vulkan:*\nreason r\nuntil 25.1\n");
    static const struct {
        const char *driver;
        bool known;
    } rows[] = {{"llvmpipe Mesa 25.0.7-2 (LLVM 15.0.6)", true}, {"llvmpipe Mesa 25.2.0 (LLVM 15.0.6)", false}, {"", true}};
    for (size_t k = 0; k < sizeof rows / sizeof *rows; k++) {
        const struct diag_signature s = {.klass = JUDGE_CRASH, .name = "abababaaba"};
        const struct store_finding f = {.f = {.target = "vulkan:0", .driver = rows[k].driver, .signature = &s,
                                              .device = "device: llvmpipe (LLVM 15.0.6, 256 bits)\ndriver: llvmpipe Mesa 25.2.0 (LLVM 15.0.6)\n"},
                                        .now = &s};
        const struct store_finding *row = &f;
        struct store_bucket one = {.findings = 1, .row = &row};
        struct store_findings all = {.bucket = &one, .buckets = 1};
        report_known_mark(&arena, &all, &v, 1);
        assert_int_equal(all.bucket[0].known != NULL, rows[k].known);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(reads), cmocka_unit_test(refuses),
                                       cmocka_unit_test(holds), cmocka_unit_test(finds), cmocka_unit_test(marks_by_driver)};
    int failed = cmocka_run_group_tests(tests, NULL, NULL);
    arena_free(&arena);
    return failed;
}
