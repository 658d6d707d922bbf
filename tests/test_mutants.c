// SPDX-License-Identifier: Apache-2.0
//
// Every mutant is wrong, shown by its case in corpus/mutants/, whose answer was worked out by
// hand, or, of a fragment program, is a reduced finding's; makes valid modules; changes nothing where there is nothing to change; and, but for
// those that are told below, does right by an invocation that is alone.

// clang-format off
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <cmocka.h>
// clang-format on

#include "generator/generator.h"
#include "mutants/mutants.h"

#include <stdlib.h>
#include <string.h>

static struct spv_tools *tools;

// Wrong about a single invocation as well: what they get wrong is a result or a way.
static const char *const wrong_alone[] = {
    "fold-sum-of-uniform",  "fold-xor-of-uniform",
    "fold-ballot-of-true",  "switch-continue-is-break",
    "fall-through-lost",    "last-case-is-default",
    "loop-value-lost",      "shuffles-share-scratch",
    "workgroup-is-first",   "phis-in-order",
    "missing-in-ballot",    "missing-in-cluster",
    "scan-includes-self",
    "scan-leaves-self-out", "count-includes-self",
    "one-component",        "sign-lost",
    "sampler-is-first",     "bias-lost",
    "gradients-lost",       "level-lost",
    "texel-kept",           "implicit-level-zero",
    "loop-break-leaves-switch",
};

static bool is_wrong_alone(const char *name)
{
    for (size_t k = 0; k < sizeof wrong_alone / sizeof wrong_alone[0]; k++)
        if (strcmp(wrong_alone[k], name) == 0)
            return true;
    return false;
}

// Do the bits agree that `want` defines? What `seen` leaves undefined does not.
static bool agree(const struct spv_memory *want, const struct spv_memory *seen, uint32_t n)
{
    for (uint32_t k = 0; k < n; k++)
        for (uint32_t w = 0; w < want[k].count; w++) {
            uint32_t mask = want[k].mask ? want[k].mask[w] : UINT32_MAX;
            uint32_t known = seen[k].mask ? seen[k].mask[w] : UINT32_MAX;
            if ((mask & ~known) || ((want[k].words[w] ^ seen[k].words[w]) & mask))
                return false;
        }
    return true;
}

// What the mutant makes of a case; `places`: in how many it changed the module. Fails the
// test when the module it makes is not valid.
static void answer(struct arena *a, const struct mut_mutant *m, const struct spv_case *c,
                   uint32_t subgroup, struct orc_result *out, uint32_t *places)
{
    struct orc_why why;
    struct err e;
    *places = 1;
    if (m->kind == MUT_FAULT) {
        struct orc_program *p = orc_load(a, c, &why);
        assert_non_null(p);
        mut_run(p, a, m, c, subgroup, NULL, out);
        return;
    }
    struct spv_case made = *c;
    *places = mut_compile(a, m, c->words, c->count, &made.words, &made.count);
    if (!*places) {
        assert_ptr_equal(made.words, c->words);
        assert_int_equal(made.count, c->count);
    }
    if (!spv_validate(tools, SPV_ENV_VULKAN_1_3, made.words, made.count, &e))
        fail_msg("%s makes an invalid module: %s", m->name, e.msg);
    orc_predict(a, &made, subgroup, NULL, out);
}

static void read_case(struct arena *a, const char *folder, const char *name, struct spv_case *out)
{
    struct err e;
    const char *source = getenv("SOURCE_DIR");
    const char *path = arena_printf(a, "%s/%s/%s.spvasm", source ? source : ".", folder, name);
    if (!spv_case_read(tools, a, path, out, &e))
        fail_msg("%s", e.msg);
}

static void table_is_sound(void **state)
{
    (void)state;
    const struct mut_mutant *all;
    uint32_t n = mut_all(&all);
    bool classes[21] = {0};
    assert_true(n >= 50);
    for (uint32_t k = 0; k < n; k++) {
        const char *name = all[k].name;
        assert_int_equal(strspn(name, "abcdefghijklmnopqrstuvwxyz-"), strlen(name));
        assert_ptr_equal(mut_find(name), &all[k]);
        assert_true((all[k].edit != NULL) == (all[k].kind == MUT_TRANSFORMATION));
        assert_true((all[k].fault != ORC_FAULT_NONE) == (all[k].kind == MUT_FAULT));
        assert_true(strlen(all[k].line) > 10);
        for (const char *t = all[k].classes; t; t = strchr(t, ' ') ? strchr(t, ' ') + 1 : NULL) {
            assert_int_equal(t[0], 'T');
            long klass = strtol(t + 1, NULL, 10);
            assert_in_range(klass, 1, 20);
            classes[klass] = true;
        }
    }
    for (int t = 1; t <= 20; t++)
        if (!classes[t])
            fail_msg("no mutant of class T%d", t);
    assert_null(mut_find("nosuch"));
}

static void each_is_wrong_on_its_case(void **state)
{
    (void)state;
    const struct mut_mutant *all;
    uint32_t n = mut_all(&all);
    for (uint32_t k = 0; k < n; k++) {
        struct arena a = {0};
        struct spv_case c;
        struct orc_result right, wrong;
        struct err e;
        uint32_t places;
        read_case(&a, "corpus/mutants", all[k].name, &c);
        assert_int_equal(c.expect_count, c.buffer_count);
        if (!spv_validate(tools, SPV_ENV_VULKAN_1_3, c.words, c.count, &e))
            fail_msg("%s.spvasm: %s", all[k].name, e.msg);
        orc_predict(&a, &c, 0, NULL, &right);
        if (right.why.status != RAN_OK || !agree(c.expect, right.memory, c.expect_count))
            fail_msg("%s.spvasm: the oracle does not give what was worked out: %s", all[k].name,
                     right.why.text);
        answer(&a, &all[k], &c, 0, &wrong, &places);
        if (!places)
            fail_msg("%s finds nothing to change in its case", all[k].name);
        if (wrong.why.status == RAN_OK && agree(c.expect, wrong.memory, c.expect_count))
            fail_msg("%s is right about its case", all[k].name);
        arena_free(&a);
    }
}

// A program without a group operation, a branch or a barrier.
static const char plain[] =
    "; tanglefuzz-case 1\n; dispatch 1 1 1\n; subgroup 8\n; model maximal\n; buffer 0:0 zero 8\n\n"
    "OpCapability Shader\nOpExtension \"SPV_KHR_maximal_reconvergence\"\n"
    "OpMemoryModel Logical GLSL450\nOpEntryPoint GLCompute %main \"main\" %in %out\n"
    "OpExecutionMode %main LocalSize 8 1 1\nOpExecutionMode %main MaximallyReconvergesKHR\n"
    "OpDecorate %in BuiltIn LocalInvocationIndex\nOpDecorate %words ArrayStride 4\n"
    "OpDecorate %block Block\nOpMemberDecorate %block 0 Offset 0\n"
    "OpDecorate %out DescriptorSet 0\nOpDecorate %out Binding 0\n"
    "%void = OpTypeVoid\n%u32 = OpTypeInt 32 0\n%fn = OpTypeFunction %void\n"
    "%words = OpTypeRuntimeArray %u32\n%block = OpTypeStruct %words\n"
    "%to_block = OpTypePointer StorageBuffer %block\n%to_u32 = OpTypePointer StorageBuffer %u32\n"
    "%to_in = OpTypePointer Input %u32\n%zero = OpConstant %u32 0\n%three = OpConstant %u32 3\n"
    "%out = OpVariable %to_block StorageBuffer\n%in = OpVariable %to_in Input\n"
    "%main = OpFunction %void None %fn\n%entry = OpLabel\n%i = OpLoad %u32 %in\n"
    "%x = OpIMul %u32 %i %three\n%p = OpAccessChain %to_u32 %out %zero %i\nOpStore %p %x\n"
    "OpReturn\nOpFunctionEnd\n";

static void nothing_to_change(void **state)
{
    (void)state;
    const struct mut_mutant *all;
    uint32_t n = mut_all(&all);
    struct arena a = {0};
    struct spv_case c;
    struct orc_result right, seen;
    struct err e;
    if (!spv_case_parse(tools, &a, "plain", plain, strlen(plain), &c, &e))
        fail_msg("%s", e.msg);
    orc_predict(&a, &c, 0, NULL, &right);
    assert_int_equal(right.why.status, RAN_OK);
    assert_int_equal(right.memory[0].words[7], 21);
    for (uint32_t k = 0; k < n; k++) {
        uint32_t places;
        answer(&a, &all[k], &c, 0, &seen, &places);
        if (all[k].kind == MUT_TRANSFORMATION && places)
            fail_msg("%s changes what has nothing in it", all[k].name);
        if (seen.why.status != RAN_OK || !agree(right.memory, seen.memory, right.memory_count))
            fail_msg("%s is wrong about a program without any group operation", all[k].name);
    }
    arena_free(&a);
}

// Generated programs. With one invocation in a workgroup nobody can be missing or too many.
static void generated(uint32_t invocations, uint64_t programs)
{
    const struct mut_mutant *all;
    uint32_t n = mut_all(&all);
    struct arena a = {0};
    uint64_t changed = 0, compared = 0;
    for (uint64_t seed = 0; seed < programs; seed++) {
        static const uint32_t sizes[] = {4, 8, 16, 32, 64};
        struct gen_options o = {.features = GEN_ALL_FEATURES,
                                .subgroup = sizes[seed % 5],
                                .max_invocations = invocations,
                                .inputs = 1,
                                .profile = GEN_DEFAULT};
        struct gen_choices c;
        struct gen_made made;
        struct orc_result right, seen;
        arena_reset(&a);
        gen_choices_seed(&c, &a, seed);
        gen_make(&c, &o, &made);
        orc_predict(&a, &made.cases[0], o.subgroup, NULL, &right);
        assert_int_equal(right.why.status, RAN_OK);
        for (uint32_t k = 0; k < n; k++) {
            uint32_t places;
            if (invocations > 1 && all[k].kind == MUT_FAULT)
                continue;
            answer(&a, &all[k], &made.cases[0], o.subgroup, &seen, &places);
            changed += places > 0;
            if (invocations > 1 || is_wrong_alone(all[k].name) || right.stats.choice_points)
                continue;
            compared++;
            if (seen.why.status != RAN_OK || !agree(right.memory, seen.memory, right.memory_count))
                fail_msg("%s is wrong about a lone invocation: seed %llu, subgroup %u", all[k].name,
                         (unsigned long long)seed, o.subgroup);
        }
    }
    assert_true(changed > programs);
    assert_true(invocations > 1 || compared > programs * 20);
    arena_free(&a);
}

static void right_about_a_lone_invocation(void **state)
{
    (void)state;
    generated(1, 80);
}

static void modules_are_valid(void **state)
{
    (void)state;
    generated(128, 120);
}

static int set_up(void **state)
{
    (void)state;
    tools = spv_tools_new();
    return 0;
}

static int tear_down(void **state)
{
    (void)state;
    spv_tools_free(tools);
    return 0;
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(table_is_sound),    cmocka_unit_test(each_is_wrong_on_its_case),
        cmocka_unit_test(nothing_to_change), cmocka_unit_test(right_about_a_lone_invocation),
        cmocka_unit_test(modules_are_valid),
    };
    return cmocka_run_group_tests_name("mutants", tests, set_up, tear_down);
}
