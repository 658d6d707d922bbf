// SPDX-License-Identifier: Apache-2.0
//
// spirv: an edited module is what the edits say, and nothing else of it changes.
#include "test_spv_common.h"

#include "spirv/spirv_edit.h"

static void start(struct fixture *f, struct spv_module *m, struct spv_edit *e, uint32_t new_ids)
{
    struct spv_case c = {.expect_count = 1};
    c.words = assembled(f, SAMPLE, &c.count);
    assert_true(spv_module_read(&f->arena, c.words, c.count, m, NULL));
    spv_edit_start(e, &f->arena, &c, m, new_ids);
}

static uint32_t nth(const struct spv_module *m, SpvOp op, int n)
{
    for (uint32_t i = 0; i < m->inst_count; i++)
        if (m->insts[i].op == op && n-- == 0)
            return i;
    fail_msg("no %s", spv_op_name(op));
    return 0;
}

// The text of the result; a module still, with all ids below its bound.
static const char *text_of(struct fixture *f, struct spv_edit *e, bool renumber)
{
    const char *text;
    struct spv_module m;
    struct err why = {{0}};
    spv_edit_write(e, renumber);
    spv_module_read(&f->arena, e->c.words, e->c.count, &m, &why);
    assert_string_equal(why.msg, "");
    assert_true(spv_disassemble(f->tools, &f->arena, e->c.words, e->c.count, &text, NULL));
    return text;
}

static void writes_the_same(void **state)
{
    struct fixture *f = *state;
    struct spv_module m;
    struct spv_edit e;
    start(f, &m, &e, 0);
    spv_edit_write(&e, false);
    assert_int_equal(e.c.count, m.count);
    assert_memory_equal(e.c.words, m.words, m.count * sizeof *m.words);
    assert_int_equal(e.c.expect_count, 0); // what was true of the old module alone
}

static void changes_instructions(void **state)
{
    struct fixture *f = *state;
    struct spv_module m;
    struct spv_edit e;
    start(f, &m, &e, 0);
    const uint32_t call = nth(&m, SpvOpFunctionCall, 0), add = nth(&m, SpvOpIAdd, 0);
    const uint32_t less = nth(&m, SpvOpULessThan, 0), *words = m.insts[add].v;
    const uint32_t made = spv_edit_id(&e);
    spv_edit_drop(&e, call);
    assert_int_equal(e.def[30], SPV_NO_NODE);
    spv_edit_set(&e, add, SpvOpISub, (const uint32_t[]){7, 24, 23, 12}, 4);
    e.node.v[add]->v[1] = made; // operands are the editor's own
    assert_int_equal(words[1], 13);
    const uint32_t mul = SPV_EDIT_INSERT(&e, add, SpvOpIMul, 7, made, 23, 13);
    assert_int_equal(e.def[made], mul);
    spv_edit_move(&e, less, add); // between the two
    const char *text = text_of(f, &e, false);
    assert_null(strstr(text, "OpFunctionCall"));
    assert_non_null(strstr(text, "%32 = OpIMul %7 %23 %13\n         %31 = OpULessThan %9 %24 %15\n"
                                 "         %24 = OpISub %7 %23 %32\n"));
    assert_int_equal(e.c.words[3], 33);
    assert_int_equal(spv_edit_next(&e, mul), less);
}

static void uses_follow(void **state)
{
    struct fixture *f = *state;
    struct spv_module m;
    struct spv_edit e;
    start(f, &m, &e, 0);
    spv_edit_use(&e, 13, 12); // a constant, in an operand of a specialised one too
    spv_edit_use(&e, 29, 26); // a label of a switch, which has literals between
    spv_edit_use(&e, 26, 28); // and what it becomes becomes something
    spv_edit_drop(&e, nth(&m, SpvOpLabel, 7));
    spv_edit_drop(&e, nth(&m, SpvOpReturn, 0));
    const char *text;
    spv_edit_write(&e, false);
    assert_true(spv_disassemble(f->tools, &f->arena, e.c.words, e.c.count, &text, NULL));
    assert_non_null(strstr(text, "OpSwitch %21 %28 1 %28 5 %28\n"));
    assert_non_null(strstr(text, "OpIAdd %7 %23 %12"));
    assert_int_equal(spv_edit_resolve(&e, 29), 28);
}

static void declares_once(void **state)
{
    struct fixture *f = *state;
    struct spv_module m;
    struct spv_edit e;
    start(f, &m, &e, 0);
    assert_int_equal(spv_edit_uint(&e), 7);
    assert_int_equal(spv_edit_bool(&e), 9);
    assert_int_equal(spv_edit_constant(&e, 7, 4), 13);
    const uint32_t vector = SPV_EDIT_DECLARE(&e, SpvOpTypeVector, 0, 7, 3);
    assert_int_equal(vector, 32);
    assert_int_equal(SPV_EDIT_DECLARE(&e, SpvOpTypeVector, 0, 7, 3), vector);
    assert_int_equal(SPV_EDIT_DECLARE(&e, SpvOpTypeVector, 0, 7, 4), 33);
    const uint32_t zero = spv_edit_zero(&e, vector), wide = spv_edit_zero(&e, 8);
    assert_int_equal(spv_edit_zero(&e, vector), zero);
    assert_int_equal(spv_edit_constant(&e, 8, 1), 0); // one word is not enough
    assert_int_equal(spv_edit_zero(&e, 5), 0);        // void has no null
    const uint32_t first = SPV_EDIT_DECLARE(&e, SpvOpVariable, 11, SpvStorageClassInput);
    assert_int_not_equal(SPV_EDIT_DECLARE(&e, SpvOpVariable, 11, SpvStorageClassInput), first);
    spv_edit_capability(&e, SpvCapabilityShader);
    spv_edit_capability(&e, SpvCapabilityInt16);
    spv_edit_capability(&e, SpvCapabilityInt16);
    const char *text = text_of(f, &e, false);
    assert_memory_equal(text + strspn(text, " "),
                        "OpCapability Int16\n               OpCapability S", 40);
    assert_null(strstr(strstr(text, "Int16") + 1, "Int16"));
    assert_non_null(strstr(text, arena_printf(&f->arena, "%%%u = OpConstantNull %%8\n", wide)));
    assert_true(strstr(text, "OpConstantNull") < strstr(text, "OpFunction "));
    spv_edit_drop(&e, e.def[vector]); // what is gone is not found
    assert_int_not_equal(SPV_EDIT_DECLARE(&e, SpvOpTypeVector, 0, 7, 3), vector);
}

static void ids_are_as_many_as_allowed(void **state)
{
    struct fixture *f = *state;
    struct spv_module m;
    struct spv_edit e;
    start(f, &m, &e, 2);
    assert_int_not_equal(SPV_EDIT_DECLARE(&e, SpvOpTypeVector, 0, 7, 3), 0);
    assert_int_not_equal(SPV_EDIT_DECLARE(&e, SpvOpTypeVector, 0, 7, 4), 0);
    assert_int_equal(SPV_EDIT_DECLARE(&e, SpvOpTypeVector, 0, 7, 2), 0);
    start(f, &m, &e, 0);
    const uint32_t before = nth(&m, SpvOpReturn, 0);
    for (uint32_t k = 0; k < 1000; k++) {
        const uint32_t id = spv_edit_id(&e);
        assert_int_equal(id, 32 + k);
        assert_int_equal(e.def[id], SPV_NO_NODE);
        SPV_EDIT_INSERT(&e, before, SpvOpNot, 7, id, 12);
    }
    text_of(f, &e, false);
    assert_int_equal(e.c.words[3], 1032);
    assert_int_equal(e.node.v[e.def[1031]]->v[0], 12);
}

static void numbers_as_they_appear(void **state)
{
    struct fixture *f = *state;
    struct spv_module m;
    struct spv_edit e;
    start(f, &m, &e, 0);
    spv_edit_drop(&e, nth(&m, SpvOpDecorate, 0));
    const char *kept = text_of(f, &e, false);
    start(f, &m, &e, 0);
    spv_edit_drop(&e, nth(&m, SpvOpDecorate, 0));
    // What a specialised constant works on the grammar does not tell: all ids stay.
    assert_string_equal(text_of(f, &e, true), kept);
    start(f, &m, &e, 0);
    spv_edit_drop(&e, nth(&m, SpvOpDecorate, 0));
    spv_edit_use(&e, 15, 13);
    spv_edit_drop(&e, nth(&m, SpvOpSpecConstantOp, 0));
    // So does an instruction of another set.
    spv_edit_use(&e, 19, 17);
    spv_edit_drop(&e, nth(&m, SpvOpExtInst, 0));
    e.c.policy.count = 1;
    assert_non_null(strstr(text_of(f, &e, true), "%5 = OpTypeVoid\n")); // it names labels
    e.c.policy.count = 0;
    const char *text = text_of(f, &e, true);
    assert_non_null(strstr(text, "OpEntryPoint GLCompute %2 \"main\" %3\n"));
    assert_non_null(strstr(text, "OpDecorate %3 BuiltIn"));
    assert_non_null(strstr(text, "%4 = OpTypeVoid\n"));
    assert_int_equal(e.c.words[3], 30); // 31 were there, two are gone
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(writes_the_same),
        cmocka_unit_test(changes_instructions),
        cmocka_unit_test(uses_follow),
        cmocka_unit_test(declares_once),
        cmocka_unit_test(ids_are_as_many_as_allowed),
        cmocka_unit_test(numbers_as_they_appear),
    };
    return cmocka_run_group_tests_name("spv_edit", tests, fixture_up, fixture_down);
}
