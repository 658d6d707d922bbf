// SPDX-License-Identifier: Apache-2.0
//
// The table of group operations against the grammar and against spirv-val: which there are, how
// their operands stand, what they need; families, classes, forms.
#include "spirv/spirv_groups.h"
#include "test_spv_common.h"

#define COUNT(v) (sizeof(v) / sizeof *(v))

// Each OpGroupNonUniform* and each derivative of the grammar has a row, and its operands stand as the row says.
static void agrees_with_the_grammar(void **state)
{
    (void)state;
    uint32_t found = 0;
    for (uint32_t op = 0; op < 0x10000; op++) {
        const struct spv_op *in = spv_op_find(op);
        const struct spv_group_op *g = spv_group_find(op);
        const bool derives = in && in->klass == SPV_CLASS_DERIVATIVE;
        const bool named = derives || (in && strncmp(in->name, "OpGroupNonUniform", 17) == 0);
        if (named != (g != NULL))
            fail_msg("%s", spv_op_name(op));
        if (!g)
            continue;
        assert_ptr_equal(g, spv_group_row(found++));
        assert_int_equal(g->opcode, op);
        const bool form = in->operands[1].kind && in->operands[1].kind != SPV_OPERAND_ID;
        uint32_t must = 0, may = 0;
        for (uint32_t k = 0; in->operands[k].kind; k++)
            *(in->operands[k].quantifier == SPV_ONCE ? &must : &may) += 1;
        const uint32_t operands = g->operand[1] ? 2 : g->operand[0] ? 1 : 0;
        if (g->has_form != form || must != spv_group_first(g) + operands ||
            (may == 1) != (g->has_cluster || g->klass == SPV_GROUP_REDUCE))
            fail_msg("%s: the grammar has %u operands and %u optional", in->name, must, may);
        assert_string_equal(spv_group_name(op), in->name + (derives ? 2 : 17));
        assert_true(derives == (g->klass == SPV_GROUP_DERIVATIVE));
        assert_true(g->uniform <= operands);
    }
    assert_null(spv_group_row(found));
    assert_string_equal(spv_group_name(SpvOpIAdd), "OpIAdd");
    assert_null(spv_group_find(SpvOpGroupAll));
    assert_null(spv_group_find(SpvOpSubgroupBallotKHR));
}

// ---- what a module needs ----------------------------------------------------------

static const char *type_of(uint8_t shape)
{
    return shape == SPV_SHAPE_BOOL || shape == SPV_SHAPE_BOOLS ? "bool"
           : shape == SPV_SHAPE_BALLOT                         ? "uvec4"
           : shape == SPV_SHAPE_FLOATS                         ? "float"
                                                               : "uint";
}

// A module that executes the operation once; without its capability number `leave`, or (2) its
// extension.
static bool is_valid(struct fixture *f, const struct spv_group_op *g, uint32_t form, uint32_t leave)
{
    struct text t = {.arena = &f->arena};
    const struct spv_group_capability needs[] = {spv_group_capability(g, form), g->capability[1]};
    text_add(&t, "OpCapability Shader\n");
    for (uint32_t k = 0; k < 2; k++)
        if (k != leave && needs[k].name)
            text_add(&t, "OpCapability %s\n", needs[k].name);
    if (g->extension && leave != 2)
        text_add(&t, "OpExtension \"%s\"\n", g->extension);
    text_add(&t, "OpMemoryModel Logical GLSL450\nOpEntryPoint GLCompute %%main \"main\"\n"
                 "OpExecutionMode %%main LocalSize 8 1 1\n");
    if (g->klass == SPV_GROUP_DERIVATIVE)
        text_add(&t, "OpExecutionMode %%main DerivativeGroupLinearKHR\n");
    text_add(&t, "%%void = OpTypeVoid\n"
                 "%%fn = OpTypeFunction %%void\n%%bool = OpTypeBool\n%%uint = OpTypeInt 32 0\n"
                 "%%float = OpTypeFloat 32\n%%uvec4 = OpTypeVector %%uint 4\n"
                 "%%c_bool = OpConstantTrue %%bool\n%%c_uint = OpConstant %%uint 1\n"
                 "%%c_float = OpConstant %%float 1\n%%scope = OpConstant %%uint 3\n"
                 "%%c_uvec4 = OpConstantComposite %%uvec4 %%c_uint %%c_uint %%c_uint %%c_uint\n"
                 "%%main = OpFunction %%void None %%fn\n%%start = OpLabel\n");
    const uint8_t result = g->result == SPV_SHAPE_SAME ? g->operand[0] : g->result;
    text_add(&t, "%%r = %s %%%s%s", spv_op_name(g->opcode), type_of(result),
             g->has_scope ? " %scope" : "");
    if (g->has_form)
        text_add(&t, " %s", spv_group_form_name(form));
    for (uint32_t k = 0; k < 2 && g->operand[k]; k++)
        text_add(&t, " %%c_%s", type_of(g->operand[k]));
    if (g->has_form && form == SpvGroupOperationClusteredReduce)
        text_add(&t, " %%c_uint");
    text_add(&t, "\nOpReturn\nOpFunctionEnd\n");
    const uint32_t *words;
    size_t count;
    struct err e = {{0}};
    if (!spv_assemble(f->tools, &f->arena, t.v, t.n, 1, &words, &count, &e))
        fail_msg("%s: %s", spv_op_name(g->opcode), e.msg);
    return spv_validate(f->tools, SPV_ENV_VULKAN_1_3, words, count, &e);
}

static void needs_what_it_says(void **state)
{
    struct fixture *f = *state;
    const struct spv_group_op *g;
    for (uint32_t i = 0; (g = spv_group_row(i)); i++) {
        const uint32_t forms = g->klass == SPV_GROUP_REDUCE ? 4 : g->has_form ? 3 : 1;
        for (uint32_t form = 0; form < forms; form++) {
            const char *name = spv_op_name(g->opcode);
            if (!is_valid(f, g, form, UINT32_MAX))
                fail_msg("%s, form %u: is not valid with all that the table says", name, form);
            if (is_valid(f, g, form, 0) && g->capability[0].id != SpvCapabilityGroupNonUniformQuad)
                fail_msg("%s, form %u: is valid without its capability", name, form);
            if (g->capability[1].name && is_valid(f, g, form, 1))
                fail_msg("%s, form %u: is valid without its second capability", name, form);
            if (g->extension && is_valid(f, g, form, 2))
                fail_msg("%s, form %u: is valid without its extension", name, form);
        }
        arena_reset(&f->arena);
    }
}

// ---- families, classes, forms --------------------------------------------------------

// Ranks are dense, and a plainer member takes what another one takes.
static void families_fit(void **state)
{
    (void)state;
    const struct spv_group_op *g;
    uint32_t members = 0, in_families = 0;
    for (uint32_t i = 0; (g = spv_group_row(i)); i++)
        in_families += g->family != SPV_FAMILY_NONE;
    for (int k = SPV_FAMILY_NONE + 1; k < SPV_FAMILIES; k++) {
        const struct spv_group_op *plain = spv_group_member((enum spv_group_family)k, 0);
        assert_non_null(plain);
        for (uint32_t r = 0; (g = spv_group_member((enum spv_group_family)k, r)); r++, members++) {
            const bool any = g->opcode == SpvOpGroupNonUniformAllEqual;
            assert_int_equal(g->result, plain->result);
            assert_int_equal(g->operand[0], any ? SPV_SHAPE_ANY : plain->operand[0]);
            assert_int_equal(!g->operand[1], !plain->operand[1]);
            assert_int_equal(spv_group_first(g), spv_group_first(plain));
        }
    }
    assert_int_equal(members, in_families);
    assert_null(spv_group_member(SPV_FAMILY_NONE, 0));
    assert_int_equal(spv_group_member(SPV_FAMILY_VOTES, 2)->opcode, SpvOpGroupNonUniformAllEqual);
}

static void instructions_tell(void **state)
{
    (void)state;
    static const struct {
        uint16_t op, n;
        uint32_t v[4];
        enum spv_group_class klass;
        uint32_t form, cluster;
    } rows[] = {
        {SpvOpIAdd, 2, {7, 8}, SPV_GROUP_NONE, UINT32_MAX, 0},
        {SpvOpGroupNonUniformElect, 1, {7}, SPV_GROUP_ELECT, UINT32_MAX, 0},
        {SpvOpGroupNonUniformAllEqual, 2, {7, 1}, SPV_GROUP_VOTE, UINT32_MAX, 0},
        {SpvOpGroupNonUniformIAdd, 3, {7, 0, 8}, SPV_GROUP_REDUCE, 0, 0},
        {SpvOpGroupNonUniformIAdd, 3, {7, 2, 8}, SPV_GROUP_SCAN, 2, 0},
        {SpvOpGroupNonUniformIAdd, 4, {7, 3, 8, 9}, SPV_GROUP_REDUCE, 3, 9},
        {SpvOpGroupNonUniformIAdd, 4, {7, 7, 8, 9}, SPV_GROUP_SCAN, 7, 0}, // partitioned
        {SpvOpGroupNonUniformBallotBitCount, 3, {7, 1, 8}, SPV_GROUP_BITS, 1, 0},
        {SpvOpGroupNonUniformRotateKHR, 3, {7, 8, 9}, SPV_GROUP_SHUFFLE, UINT32_MAX, 0},
        {SpvOpGroupNonUniformRotateKHR, 4, {7, 8, 9, 6}, SPV_GROUP_SHUFFLE, UINT32_MAX, 6},
        {SpvOpGroupNonUniformQuadAnyKHR, 1, {7}, SPV_GROUP_QUAD, UINT32_MAX, 0},
        {SpvOpGroupNonUniformPartitionNV, 1, {7}, SPV_GROUP_BALLOT, UINT32_MAX, 0},
    };
    for (size_t k = 0; k < COUNT(rows); k++) {
        const struct spv_inst i = {.op = rows[k].op, .n = rows[k].n, .v = rows[k].v};
        if (spv_group_class(&i) != rows[k].klass || spv_group_form(&i) != rows[k].form ||
            spv_group_cluster(&i) != rows[k].cluster)
            fail_msg("row %zu: %s", k, spv_op_name(rows[k].op));
    }
    assert_string_equal(spv_group_class_name(SPV_GROUP_NONE), "");
    assert_string_equal(spv_group_class_name(SPV_GROUP_QUAD), "quad");
    assert_string_equal(spv_group_class_name(SPV_GROUP_DERIVATIVE), "derivative");
    assert_string_equal(spv_group_form_name(SpvGroupOperationClusteredReduce), "ClusteredReduce");
    assert_string_equal(spv_group_form_name(UINT32_MAX), "");
}

// Each four in a row of the order are a quad: two by two of one z, by quad index.
static void quads_are_places(void **state)
{
    (void)state;
    static const uint32_t sizes[][3] = {{8, 1, 1}, {4, 2, 1}, {2, 2, 4}, {6, 4, 2}, {16, 8, 1}};
    for (size_t k = 0; k < COUNT(sizes); k++) {
        const uint32_t *size = sizes[k], n = size[0] * size[1] * size[2];
        uint32_t at[256];
        for (uint32_t i = 0; i < n; i++)
            at[i] = UINT32_MAX;
        assert_true(spv_quads_fit(SPV_QUADS_LINEAR, size));
        assert_int_equal(spv_quads_fit(SPV_QUADS_2X2, size), size[1] % 2 == 0);
        for (uint32_t i = 0; i < n; i++) {
            assert_int_equal(spv_quads_place(SPV_QUADS_LINEAR, size, i), i);
            assert_int_equal(spv_quads_first(SPV_QUADS_LINEAR, size, i), i & ~3u);
        }
        for (uint32_t i = 0; i < n && size[1] % 2 == 0; i++) {
            const uint32_t place = spv_quads_place(SPV_QUADS_2X2, size, i);
            assert_true(place < n && at[place] == UINT32_MAX);
            at[place] = i;
        }
        for (uint32_t p = 0; p < n && size[1] % 2 == 0; p++) {
            const uint32_t i = at[p], first = at[p & ~3u];
            assert_int_equal(spv_quads_first(SPV_QUADS_2X2, size, i), first);
            assert_int_equal(i % size[0], first % size[0] + (p & 1));
            assert_int_equal(i / size[0] % size[1], first / size[0] % size[1] + (p >> 1 & 1));
            assert_int_equal(i / size[0] / size[1], first / size[0] / size[1]);
        }
    }
    assert_false(spv_quads_fit(SPV_QUADS_LINEAR, (const uint32_t[]){6, 1, 1}));
    assert_false(spv_quads_fit(SPV_QUADS_2X2, (const uint32_t[]){4, 3, 1}));
    assert_true(spv_quads_fit(SPV_QUADS_OF_LANES, (const uint32_t[]){7, 1, 1}));
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(agrees_with_the_grammar),
        cmocka_unit_test(needs_what_it_says),
        cmocka_unit_test(families_fit),
        cmocka_unit_test(instructions_tell),
        cmocka_unit_test(quads_are_places),
    };
    return cmocka_run_group_tests_name("spirv: groups", tests, fixture_up, fixture_down);
}
