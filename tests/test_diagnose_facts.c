// SPDX-License-Identifier: Apache-2.0
//
// The rows of facts: every value of an enum has a name of its own, and is found by it.
// clang-format off
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <cmocka.h>
// clang-format on

#include "diagnose/facts.h"

#include <limits.h>
#include <string.h>

static void names(const struct diag_enum *e)
{
    assert_true(e->count > 1);
    for (unsigned k = 0; k < e->count; k++) {
        unsigned v = UINT_MAX;
        assert_non_null(e->name[k]);
        assert_true(diag_enum_find(e, diag_enum_name(e, k), &v));
        assert_int_equal(v, k); // so no other one before it is called the same
        assert_true(k == 0 || e->name[k][0]);
        assert_null(strpbrk(e->name[k], " _"));
    }
    unsigned v = 7;
    assert_false(diag_enum_find(e, "no such name", &v));
    assert_int_equal(v, 7);
    assert_string_equal(diag_enum_name(e, e->count), "");
}

static void each_enum(void **state)
{
    (void)state;
#define ENUM(e, E) names(&e##_names);
    DIAG_ENUMS(ENUM)
}

static void by_type(void **state)
{
    (void)state;
    enum diag_part part = DIAG_IN_IF;
    assert_string_equal(diag_part_name(DIAG_IN_BREAK), "break");
    assert_true(diag_part_find("fall", &part));
    assert_int_equal(part, DIAG_IN_FALL);
    assert_false(diag_part_find("Fall", &part));
    assert_int_equal(part, DIAG_IN_FALL);
    assert_int_equal(diag_rule_of("M4"), DIAG_M4);
    assert_int_equal(diag_rule_of("M7"), DIAG_NO_RULE);
}

int main(void)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(each_enum), cmocka_unit_test(by_type)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
