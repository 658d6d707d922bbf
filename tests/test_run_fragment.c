// SPDX-License-Identifier: Apache-2.0
//
// The fragment stage of the Vulkan backend on lavapipe: the pixels of each kind of cover are drawn, once each, and
// no others; what the stage cannot have is refused before the driver sees it.
#define _GNU_SOURCE
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include "test_run_common.h"

enum { SIDE = 8 };

// in[y * 8 + x] says what out[y * 8 + x] gets; counted in out[64].
#define FRAGMENT(model, mode, capability)                                                          \
    "OpCapability Shader\n" capability "OpMemoryModel Logical GLSL450\n"                           \
    "OpEntryPoint " model " %main \"main\" %coord %in %out\n" mode                                          \
    "OpDecorate %coord BuiltIn FragCoord\n"                                                        \
    "OpDecorate %words ArrayStride 4\nOpDecorate %block Block\nOpMemberDecorate %block 0 Offset 0\n" \
    "OpDecorate %in DescriptorSet 0\nOpDecorate %in Binding 0\n"                                   \
    "OpDecorate %out DescriptorSet 0\nOpDecorate %out Binding 1\n"                                 \
    "%void = OpTypeVoid\n%fn = OpTypeFunction %void\n%u32 = OpTypeInt 32 0\n%f32 = OpTypeFloat 32\n" \
    "%vec4 = OpTypeVector %f32 4\n%p_vec4 = OpTypePointer Input %vec4\n"                           \
    "%words = OpTypeRuntimeArray %u32\n%block = OpTypeStruct %words\n"                             \
    "%p_block = OpTypePointer StorageBuffer %block\n%p_u32 = OpTypePointer StorageBuffer %u32\n"   \
    "%coord = OpVariable %p_vec4 Input\n"                                                          \
    "%in = OpVariable %p_block StorageBuffer\n%out = OpVariable %p_block StorageBuffer\n"          \
    "%c0 = OpConstant %u32 0\n%c1 = OpConstant %u32 1\n%c8 = OpConstant %u32 8\n%c64 = OpConstant %u32 64\n" \
    "%main = OpFunction %void None %fn\n%entry = OpLabel\n"                                        \
    "%at = OpLoad %vec4 %coord\n%fx = OpCompositeExtract %f32 %at 0\n%fy = OpCompositeExtract %f32 %at 1\n" \
    "%x = OpConvertFToU %u32 %fx\n%y = OpConvertFToU %u32 %fy\n%y8 = OpIMul %u32 %y %c8\n%i = OpIAdd %u32 %y8 %x\n" \
    "%in_i = OpAccessChain %p_u32 %in %c0 %i\n%out_i = OpAccessChain %p_u32 %out %c0 %i\n"         \
    "%v = OpLoad %u32 %in_i\nOpStore %out_i %v\n"                                                  \
    "%count = OpAccessChain %p_u32 %out %c0 %c64\n%n = OpAtomicIAdd %u32 %count %c1 %c0 %c1\n"     \
    "OpReturn\nOpFunctionEnd\n"
#define PLAIN FRAGMENT("Fragment", "OpExecutionMode %main OriginUpperLeft\n", "")

static struct spv_case make_fragment(struct fixture *f, const char *text, uint32_t first)
{
    uint32_t in[SIDE * SIDE + 1];
    for (uint32_t i = 0; i <= SIDE * SIDE; i++)
        in[i] = first + i;
    struct spv_case c = make_case(f, text, in, SIDE * SIDE + 1);
    c.stage = SPV_FRAGMENT;
    c.target[0] = c.target[1] = SIDE;
    return c;
}

static void set_cover(struct spv_case *c, enum spv_cover cover, const uint16_t (*v)[2], uint32_t n)
{
    c->cover = cover;
    c->vertex_count = n;
    memcpy(c->vertex, v, n * sizeof *v);
}

// '#' is a pixel that is drawn.
static void assert_drawn(const struct run_result *r, uint32_t first, const char *const rows[SIDE])
{
    uint32_t drawn = 0;
    if (r->status != RUN_OK)
        fail_msg("%s: %s", run_status_name(r->status), r->text);
    for (uint32_t i = 0; i < SIDE * SIDE; i++) {
        const bool here = rows[i / SIDE][i % SIDE] == '#';
        if (r->memory[1].words[i] != (here ? first + i : 0))
            fail_msg("pixel %u %u has %u", i % SIDE, i / SIDE, r->memory[1].words[i]);
        drawn += here;
    }
    assert_int_equal(r->memory[1].words[SIDE * SIDE], drawn);
}

static const char *const all[] = {"########", "########", "########", "########",
                                  "########", "########", "########", "########"};

static void test_full(void **state)
{
    struct fixture *f = need_lavapipe(state);
    struct spv_case c = make_fragment(f, PLAIN, 1000);
    c.cover = SPV_COVER_FULL;
    struct run_result r;
    run_case(f->lavapipe, &f->arena, &c, 0, &r);
    assert_drawn(&r, 1000, all);
}

// Two jobs of one module whose cases draw something else each: the pipeline of the one is not taken for the other.
static void test_each_cover(void **state)
{
    struct fixture *f = need_lavapipe(state);
    static const uint16_t triangle[][2] = {{0, 0}, {128, 0}, {0, 128}}, points[][2] = {{8, 8}, {40, 88}};
    static const uint16_t lines[][2] = {{8, 40}, {72, 40}};
    static const char *const wedge[] = {"#######.", "######..", "#####...", "####....",
                                        "###.....", "##......", "#.......", "........"};
    static const char *const two[] = {"#.......", "........", "........", "........",
                                      "........", "..#.....", "........", "........"};
    static const char *const line[] = {"........", "........", "####....", "........",
                                       "........", "........", "........", "........"};
    struct spv_case c[4];
    for (uint32_t k = 0; k < 4; k++) {
        c[k] = make_fragment(f, PLAIN, 100 * k + 1);
        c[k].words = c[0].words;
    }
    set_cover(&c[0], SPV_COVER_TRIANGLES, triangle, 3);
    set_cover(&c[1], SPV_COVER_POINTS, points, 2);
    set_cover(&c[2], SPV_COVER_LINES, lines, 2);
    c[3].cover = SPV_COVER_FULL;
    struct run_result *r = NULL;
    assert_true(run_submit(f->lavapipe, c, 4, 0));
    assert_int_equal(run_take(f->lavapipe, &f->arena, 60, &r), 4);
    // The hypotenuse goes through centres: which side has them is the driver's.
    for (uint32_t i = 0; i < SIDE; i++)
        assert_true(r[0].memory[1].words[i * SIDE + SIDE - 1 - i] <= 1u + 100 * SIDE * SIDE);
    const bool outside = r[0].memory[1].words[SIDE - 1] == 0;
    static const char *const more[] = {"########", "#######.", "######..", "#####...",
                                       "####....", "###.....", "##......", "#......."};
    assert_drawn(&r[0], 1, outside ? wedge : more);
    assert_drawn(&r[1], 101, two);
    assert_drawn(&r[2], 201, line);
    assert_drawn(&r[3], 301, all);
}

static void test_refused(void **state)
{
    struct fixture *f = need_lavapipe(state);
    struct spv_case c = make_fragment(f, PLAIN, 1);
    struct run_result r;
    c.stage = SPV_COMPUTE;
    run_case(f->lavapipe, &f->arena, &c, 0, &r);
    assert_int_equal(r.status, RUN_SKIPPED);
    assert_string_equal(r.text, "the module has no entry point of the compute stage");
    c.stage = SPV_FRAGMENT;
    c.target[0] = 1 << 20;
    run_case(f->lavapipe, &f->arena, &c, 0, &r);
    assert_int_equal(r.status, RUN_SKIPPED);
    assert_contains(r.text, "the render target is 1048576x8; the device supports up to ");
    c = make_counting(f, SHADER_DOUBLE, 3);
    c.stage = SPV_FRAGMENT;
    c.target[0] = c.target[1] = SIDE;
    run_case(f->lavapipe, &f->arena, &c, 0, &r);
    assert_int_equal(r.status, RUN_SKIPPED);
    assert_string_equal(r.text, "the module has no entry point of the fragment stage");
    // The compute stage goes on as before.
    c = make_counting(f, SHADER_DOUBLE, 3);
    run_case(f->lavapipe, &f->arena, &c, 0, &r);
    assert_doubled(&r, 3);
    assert_true(run_offers(run_info(f->lavapipe), SPV_NEED(FRAGMENT) | SPV_NEED(DEMOTE)));
}

// The layers have nothing to say about the pipeline and the draw.
static void test_validation(void **state)
{
    struct fixture *f = need_lavapipe(state);
    struct err e = {0};
    struct run_target *t = run_open(LAVAPIPE, f->self, &(struct run_options){.validate = true}, &e);
    if (!t) {
        assert_contains(e.msg, "the validation layer (VK_LAYER_KHRONOS_validation) is not");
        SKIP_BECAUSE("no validation layer: scripts/setup.sh gets it");
    }
    struct spv_case c = make_fragment(f, PLAIN, 7);
    struct run_result r;
    run_case(t, &f->arena, &c, 0, &r);
    assert_drawn(&r, 7, all);
    run_close(t);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_full),
        cmocka_unit_test(test_each_cover),
        cmocka_unit_test(test_refused),
        cmocka_unit_test(test_validation),
    };
    return cmocka_run_group_tests_name("run_fragment", tests, fixture_start, fixture_end);
}
