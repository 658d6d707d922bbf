// SPDX-License-Identifier: Apache-2.0
//
// Programs whose variables are values (feature "ssa"): no Function variable is left, and the program
// leaves the same memory as the one with variables. And programs whose values are in memory (feature
// "stored"): each variable of a value is stored once, and the program leaves the same memory.
#include "test_gen_common.h"

#include "oracle/oracle.h"

static uint32_t count(struct arena *a, const struct spv_case *c, SpvOp op, uint32_t storage)
{
    struct spv_module m;
    uint32_t n = 0;
    assert_true(spv_module_read(a, c->words, c->count, &m, NULL));
    for (uint32_t i = 0; i < m.inst_count; i++)
        n += m.insts[i].op == op && (op != SpvOpVariable || m.insts[i].v[0] == storage);
    return n;
}

static void same_memory(struct arena *a, const struct spv_case *x, const struct spv_case *y, uint32_t subgroup)
{
    struct orc_result r, s;
    orc_predict(a, x, subgroup, NULL, &r);
    orc_predict(a, y, subgroup, NULL, &s);
    assert_int_equal(r.why.status, RAN_OK);
    assert_int_equal(s.why.status, RAN_OK);
    assert_int_equal(r.memory_count, s.memory_count);
    for (uint32_t k = 0; k < r.memory_count; k++) {
        assert_int_equal(r.memory[k].count, s.memory[k].count);
        for (uint32_t w = 0; w < r.memory[k].count; w++) {
            const uint32_t mask = r.memory[k].mask ? r.memory[k].mask[w] : UINT32_MAX;
            assert_int_equal(mask, s.memory[k].mask ? s.memory[k].mask[w] : UINT32_MAX);
            assert_int_equal(r.memory[k].words[w] & mask, s.memory[k].words[w] & mask);
        }
    }
}

static void values_are_the_variables(void **state)
{
    struct fixture *f = *state;
    uint32_t some = 0, alone = 0, choice = 0;
    for (uint64_t seed = 0; seed < 900; seed++) {
        struct gen_options o = options_of((enum gen_profile)(seed % 3));
        o.subgroup = 4u << seed % 5;
        const struct gen_made m = make_seed(&f->arena, seed, &o);
        const struct spv_case *c = &m.cases[0];
        struct gen_program other = *m.program;
        struct spv_case plain = *c;
        struct gen_emitted emitted;
        other.ssa = false;
        gen_emit(&other, &f->arena, o.model, &plain, &emitted);
        plain.buffer[GEN_INPUTS] = c->buffer[GEN_INPUTS];
        if (m.program->ssa) {
            assert_valid(f, &m);
            assert_int_equal(count(&f->arena, c, SpvOpVariable, SpvStorageClassFunction), 0);
            const uint32_t shared = count(&f->arena, c, SpvOpVariable, SpvStorageClassPrivate);
            assert_true(m.program->functions.n > 1 ? shared > 0 : shared == 0);
            alone += !shared;
            some++;
        }
        choice += m.free_choice;
        if (!m.free_choice) // otherwise several results are permitted
            same_memory(&f->arena, c, &plain, o.subgroup);
        arena_reset(&f->arena);
    }
    print_message("# %u of 900 programs, %u of them without Private variables\n", some, alone);
    assert_in_range(some, 200, 450);
    assert_true(alone > 100 && choice < 200);
}

// Stores to Function variables, and of these variables: those without a name, which are of values.
static void count_stored(struct arena *a, const struct spv_case *c, uint32_t *alone, uint32_t *arrays)
{
    struct spv_module m;
    assert_true(spv_module_read(a, c->words, c->count, &m, NULL));
    *alone = *arrays = 0;
    for (uint32_t i = 0; i < m.inst_count; i++) {
        const struct spv_inst *v = &m.insts[i];
        if (v->op != SpvOpVariable || v->v[0] != SpvStorageClassFunction)
            continue;
        uint32_t stores = 0, chains = 0;
        bool named = false;
        for (uint32_t k = 0; k < m.inst_count; k++) {
            stores += m.insts[k].op == SpvOpStore && m.insts[k].v[0] == v->result;
            chains += m.insts[k].op == SpvOpAccessChain && m.insts[k].v[0] == v->result;
            named |= m.insts[k].op == SpvOpName && m.insts[k].v[0] == v->result;
        }
        if (named)
            continue;
        assert_true(chains ? stores == 0 : stores == 1);
        *(chains ? arrays : alone) += 1;
    }
}

static void values_are_in_memory(void **state)
{
    struct fixture *f = *state;
    uint32_t some = 0, variables = 0, arrays = 0, none = 0;
    for (uint64_t seed = 0; seed < 900; seed++) {
        struct gen_options o = options_of((enum gen_profile)(seed % 3));
        o.subgroup = 4u << seed % 5;
        const struct gen_made m = make_seed(&f->arena, seed, &o);
        const struct spv_case *c = &m.cases[0];
        uint32_t alone, together;
        count_stored(&f->arena, c, &alone, &together);
        if (!m.program->stored)
            assert_int_equal(alone + together, 0);
        if (m.program->stored && !m.free_choice) {
            assert_valid(f, &m);
            struct gen_program other = *m.program;
            struct spv_case plain = *c;
            struct gen_emitted emitted;
            other.stored = STORED_NOT;
            gen_emit(&other, &f->arena, o.model, &plain, &emitted);
            plain.buffer[GEN_INPUTS] = c->buffer[GEN_INPUTS];
            same_memory(&f->arena, c, &plain, o.subgroup);
            some++;
            variables += alone;
            arrays += together;
            none += alone + together == 0;
        }
        arena_reset(&f->arena);
    }
    print_message("# %u of 900 programs: %u variables, %u arrays\n", some, variables, arrays);
    assert_in_range(some, 50, 250);
    assert_true(variables > 200 && arrays > 10 && none < some / 10);
}

int main(void)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(values_are_the_variables),
                                       cmocka_unit_test(values_are_in_memory)};
    return cmocka_run_group_tests_name("ssa", tests, fixture_up, fixture_down);
}
