// SPDX-License-Identifier: Apache-2.0
//
// What the bytes in front of an input say of the case (selftest/fuzz/choices.c).
#include "test_spv_common.h"

#include "selftest/fuzz/fuzz.h"

static bool declares(const struct spv_module *m, SpvExecutionMode mode)
{
    for (uint32_t i = 0; i < m->inst_count; i++)
        if (m->insts[i].op == SpvOpExecutionMode && m->insts[i].v[1] == (uint32_t)mode)
            return true;
    return false;
}

static void test_last_byte_is_the_model(void **unused)
{
    (void)unused;
    static const struct {
        uint8_t last;
        enum spv_model model;
    } rows[] = {{0, SPV_MAXIMAL},           {1, SPV_MAXIMAL},   {2, SPV_SUBGROUP_UNIFORM},
                {3, SPV_WORKGROUP_UNIFORM}, {252, SPV_MAXIMAL}, {255, SPV_WORKGROUP_UNIFORM}};
    for (size_t k = 0; k < sizeof rows / sizeof *rows; k++) {
        struct arena a = {0};
        struct spv_module m;
        struct err e = {{0}};
        struct fz_case z;
        uint8_t data[FZ_HEAD + 40] = {0};
        for (size_t i = FZ_HEAD; i < sizeof data; i++)
            data[i] = (uint8_t)(i * 37);
        data[FZ_HEAD - 1] = rows[k].last;
        fz_make(&a, data, sizeof data, &z);
        assert_int_equal(z.options.model, rows[k].model);
        assert_true(z.made.case_count > 0);
        const struct spv_case *c = z.made.cases;
        assert_int_equal(c->model, rows[k].model);
        assert_true(spv_module_read(&a, c->words, c->count, &m, &e));
        assert_int_equal(declares(&m, SpvExecutionModeMaximallyReconvergesKHR),
                         rows[k].model == SPV_MAXIMAL);
        assert_int_equal(declares(&m, SpvExecutionModeSubgroupUniformControlFlowKHR),
                         rows[k].model == SPV_SUBGROUP_UNIFORM);
        arena_free(&a);
    }
}

// Fewer bytes than a head are zeros: no byte of the program is taken for the model.
static void test_short_input(void **unused)
{
    (void)unused;
    static const uint8_t data[FZ_HEAD - 1] = {3, 3, 3, 3, 3, 3, 3, 3, 3, 3, 3, 3, 3, 3, 3};
    for (size_t size = 0; size <= sizeof data; size++) {
        struct arena a = {0};
        struct fz_case z;
        fz_make(&a, data, size, &z);
        assert_int_equal(z.options.model, SPV_MAXIMAL);
        arena_free(&a);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_last_byte_is_the_model),
        cmocka_unit_test(test_short_input),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
