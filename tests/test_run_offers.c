// SPDX-License-Identifier: Apache-2.0
//
// Which features of the generator a device gets, by what it tells of itself.
#include "generator/generator.h"
#include "test_spv_common.h"

#include "runners/vk.h"
#include "runners/wire.h"

// The names of what it does not offer, with commas, in the generator's order.
static const char *missing(struct arena *a, spv_needs offers)
{
    const struct run_info info = {.offers = offers};
    struct text t = {.arena = a};
    text_addn(&t, "", 0);
    for (int f = 0; f < GEN_FEATURE_COUNT; f++) {
        const char *name = gen_feature_name((enum gen_feature)f);
        if (!run_offers(&info, gen_feature_needs((enum gen_feature)f, SPV_COMPUTE)))
            text_add(&t, "%s%s", t.n ? "," : "", name);
    }
    return t.v;
}

static void test_nothing_is_offered(void **unused)
{
    (void)unused;
    struct arena a = {0};
    assert_string_equal(missing(&a, 0),
                        "elect,vote,ballot,broadcast-first,reduce,scan,shuffle,switch-fall,shuffle-relative,"
                        "broadcast,rotate,cluster,quad,quad-vote,shuffle-xor,inverse-ballot,"
                        "more-arithmetic,int8,int16,int64,float16,float32,float64,vectors,bools,shared,"
                        "through-buffer,atomic,peel,rotate-cluster,"
                        "partition,derivative,demote,full-quads,sample,sample-lod,image-index,image-nonuniform,storage-image,lane-value");
    assert_string_equal(missing(&a, SPV_ALL_NEEDS), "");
    arena_free(&a);
}

static void test_each_needs_its_own(void **unused)
{
    (void)unused;
    struct arena a = {0};
    static const struct {
        spv_needs need;
        const char *missing;
    } rows[] = {
        {SPV_NEED(BASIC), "elect"},
        {SPV_NEED(VOTE), "vote,quad-vote"},
        {SPV_NEED(ARITHMETIC), "reduce,scan,more-arithmetic"},
        {SPV_NEED(BALLOT), "ballot,broadcast-first,broadcast,inverse-ballot,lane-value"},
        {SPV_NEED(SHUFFLE), "shuffle,shuffle-xor"},
        {SPV_NEED(SHUFFLE_RELATIVE), "shuffle-relative"},
        {SPV_NEED(CLUSTERED), "cluster"},
        {SPV_NEED(QUAD), "quad,quad-vote,lane-value"},
        {SPV_NEED(PARTITIONED), "partition"},
        {SPV_NEED(ROTATE), "rotate,rotate-cluster"},
        {SPV_NEED(ROTATE_CLUSTERED), "rotate-cluster"},
        {SPV_NEED(QUAD_CONTROL), "quad-vote,full-quads"},
        {SPV_NEED(DEMOTE), "demote"},
        {SPV_NEED(FRAGMENT), ""},
        {SPV_NEED(VERTEX), ""},
        {SPV_NEED(DERIVATIVES), "derivative,sample"},
        {SPV_NEED(DERIVATIVE_QUADS), "derivative,sample"},
        {SPV_NEED(IMAGES), "sample,sample-lod,image-index,image-nonuniform,storage-image"},
        {SPV_NEED(IMAGE_INDEX), "image-index,image-nonuniform"},
        {SPV_NEED(IMAGE_NONUNIFORM), "image-nonuniform"},
        {SPV_NEED(LANE_VALUE), "lane-value"},
        {SPV_NEED(INT8), "int8"},
        {SPV_NEED(INT16), "int16"},
        {SPV_NEED(INT64), "int64"},
        {SPV_NEED(FLOAT16), "float16"},
        {SPV_NEED(FLOAT64), "float64"},
        {SPV_NEED(SPIRV_1_4), "peel"},
        {SPV_NEED(SHARED) | SPV_NEED(FLOAT16), "float16,shared"},
        {SPV_NEED(SIZE_CONTROL) | SPV_NEED(MAXIMAL_RECONVERGENCE) | SPV_NEED(SUBGROUP_UNIFORM), ""},
    };
    for (size_t i = 0; i < sizeof rows / sizeof *rows; i++)
        assert_string_equal(missing(&a, SPV_ALL_NEEDS & ~rows[i].need), rows[i].missing);
    arena_free(&a);
}

// A device of Vulkan: each feature, switched off by itself, takes with it what needs it.
static void test_features_of_vulkan(void **unused)
{
    (void)unused;
    static const struct {
        size_t at;
        uint32_t bit;
        const char *capability; // that the device then refuses
        uint32_t id;
        spv_needs lacks;
    } rows[] = {
#define OFF(member, ...) {offsetof(struct vk_features, member), UINT32_MAX, __VA_ARGS__}
#define CLASS_OFF(bit, ...) {offsetof(struct vk_features, operations), VK_SUBGROUP_FEATURE_##bit, __VA_ARGS__}
        CLASS_OFF(BASIC_BIT, "GroupNonUniform", SpvCapabilityGroupNonUniform, SPV_NEED(BASIC)),
        CLASS_OFF(VOTE_BIT, "GroupNonUniformVote", SpvCapabilityGroupNonUniformVote, SPV_NEED(VOTE)),
        CLASS_OFF(ARITHMETIC_BIT, "GroupNonUniformArithmetic", SpvCapabilityGroupNonUniformArithmetic, SPV_NEED(ARITHMETIC)),
        CLASS_OFF(BALLOT_BIT, "GroupNonUniformBallot", SpvCapabilityGroupNonUniformBallot, SPV_NEED(BALLOT)),
        CLASS_OFF(SHUFFLE_BIT, "GroupNonUniformShuffle", SpvCapabilityGroupNonUniformShuffle, SPV_NEED(SHUFFLE)),
        CLASS_OFF(SHUFFLE_RELATIVE_BIT, "GroupNonUniformShuffleRelative", SpvCapabilityGroupNonUniformShuffleRelative, SPV_NEED(SHUFFLE_RELATIVE)),
        CLASS_OFF(CLUSTERED_BIT, "GroupNonUniformClustered", SpvCapabilityGroupNonUniformClustered, SPV_NEED(CLUSTERED)),
        CLASS_OFF(QUAD_BIT, "GroupNonUniformQuad", SpvCapabilityGroupNonUniformQuad, SPV_NEED(QUAD)),
        CLASS_OFF(PARTITIONED_BIT_NV, "GroupNonUniformPartitionedNV", SpvCapabilityGroupNonUniformPartitionedNV, SPV_NEED(PARTITIONED)),
        OFF(rotate.shaderSubgroupRotate, "GroupNonUniformRotateKHR", SpvCapabilityGroupNonUniformRotateKHR, SPV_NEED(ROTATE)),
        OFF(rotate.shaderSubgroupRotateClustered, NULL, 0, SPV_NEED(ROTATE_CLUSTERED)),
        OFF(quad_control.shaderQuadControl, "QuadControlKHR", SpvCapabilityQuadControlKHR, SPV_NEED(QUAD_CONTROL)),
        OFF(float16_int8.shaderInt8, "Int8", SpvCapabilityInt8, SPV_NEED(INT8)),
        OFF(core.features.shaderInt16, "Int16", SpvCapabilityInt16, SPV_NEED(INT16)),
        OFF(core.features.shaderInt64, "Int64", SpvCapabilityInt64, SPV_NEED(INT64)),
        OFF(float16_int8.shaderFloat16, "Float16", SpvCapabilityFloat16, SPV_NEED(FLOAT16)),
        OFF(core.features.shaderFloat64, "Float64", SpvCapabilityFloat64, SPV_NEED(FLOAT64)),
        OFF(extended_types.shaderSubgroupExtendedTypes, NULL, 0, SPV_NEED(INT8) | SPV_NEED(INT16) | SPV_NEED(INT64) | SPV_NEED(FLOAT16)),
        OFF(derivatives.computeDerivativeGroupLinear, "ComputeDerivativeGroupLinearKHR", SpvCapabilityComputeDerivativeGroupLinearKHR, SPV_NEED(DERIVATIVES)),
        OFF(derivatives.computeDerivativeGroupQuads, "ComputeDerivativeGroupQuadsKHR", SpvCapabilityComputeDerivativeGroupQuadsKHR, SPV_NEED(DERIVATIVE_QUADS)),
        OFF(dynamic.dynamicRendering, NULL, 0, SPV_NEED(FRAGMENT) | SPV_NEED(VERTEX)),
        OFF(core.features.fragmentStoresAndAtomics, NULL, 0, SPV_NEED(FRAGMENT)),
        OFF(core.features.vertexPipelineStoresAndAtomics, NULL, 0, SPV_NEED(VERTEX)),
        OFF(demote.shaderDemoteToHelperInvocation, "DemoteToHelperInvocation", SpvCapabilityDemoteToHelperInvocation, SPV_NEED(DEMOTE)),
        OFF(core.features.shaderSampledImageArrayDynamicIndexing, "SampledImageArrayDynamicIndexing", SpvCapabilitySampledImageArrayDynamicIndexing, SPV_NEED(IMAGE_INDEX)),
        OFF(indexing.shaderSampledImageArrayNonUniformIndexing, "SampledImageArrayNonUniformIndexing", SpvCapabilitySampledImageArrayNonUniformIndexing, SPV_NEED(IMAGE_NONUNIFORM)),
        OFF(core12.subgroupBroadcastDynamicId, NULL, 0, SPV_NEED(LANE_VALUE)),
        OFF(size_control.subgroupSizeControl, NULL, 0, SPV_NEED(SIZE_CONTROL)),
        OFF(maximal.shaderMaximalReconvergence, NULL, 0, SPV_NEED(MAXIMAL_RECONVERGENCE)),
        OFF(subgroup_uniform.shaderSubgroupUniformControlFlow, NULL, 0, SPV_NEED(SUBGROUP_UNIFORM)),
        OFF(core.features.robustBufferAccess, NULL, 0, 0), // no row: never switched on
        OFF(core.features.imageCubeArray, "ImageCubeArray", SpvCapabilityImageCubeArray, 0),
#undef OFF
#undef CLASS_OFF
    };
    static struct vk_features full, copy;
    memset(&full, 0xff, sizeof full);
    assert_true(vk_features_offer(&full) == SPV_ALL_NEEDS);
    assert_true(vk_capability_fits(&(struct vk_features){0}, SpvCapabilityShader, NULL));
    assert_false(vk_capability_fits(&full, SpvCapabilityKernel, NULL));
    for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
        struct vk_features less = full;
        uint32_t word;
        struct err e = {0};
        memcpy(&word, (char *)&less + rows[i].at, sizeof word);
        word &= ~rows[i].bit;
        memcpy((char *)&less + rows[i].at, &word, sizeof word);
        assert_true(vk_features_offer(&less) == (SPV_ALL_NEEDS & ~rows[i].lacks));
        if (rows[i].capability) {
            assert_true(vk_capability_fits(&full, rows[i].id, &e));
            assert_false(vk_capability_fits(&less, rows[i].id, &e));
            assert_non_null(strstr(e.msg, rows[i].capability));
        }
    }
    vk_features_copy(&full, &copy);
    assert_true(vk_features_offer(&copy) == SPV_ALL_NEEDS);
    assert_true(copy.core.features.shaderInt64 && !copy.core.features.robustBufferAccess);
}

// What its language has no words for: of every kind, as it stands in the table.
static void test_languages(void **unused)
{
    (void)unused;
    struct arena a = {0};
    static const struct {
        const char *spec, *missing;
    } rows[] = {
        {"spirv-opt", ""},
        {"vulkan", ""},
        {"roundtrip:spirv-cross", "through-buffer,derivative,sample"},
        {"llvm", "rotate,cluster,quad,quad-vote,more-arithmetic,int8,int16,int64,float16,float32,"
                 "float64,vectors,bools,shared,through-buffer,atomic,rotate-cluster,partition,derivative,full-quads,sample,sample-lod,image-index,image-nonuniform,storage-image,lane-value"},
        {"clang-hlsl", "rotate,cluster,quad,quad-vote,more-arithmetic,int8,int16,int64,float16,"
                       "float32,float64,vectors,bools,shared,through-buffer,atomic,"
                       "rotate-cluster,partition,derivative,sample,sample-lod,image-index,image-nonuniform,storage-image,lane-value"},
        {"glslang", "rotate,int8,int16,int64,float16,float32,float64,vectors,bools,shared,through-buffer,atomic,"
                    "rotate-cluster,partition,lane-value"},
    };
    for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
        const spv_needs without = run_spec_parse(&a, rows[i].spec, NULL)->kind->without;
        assert_string_equal(missing(&a, SPV_ALL_NEEDS & ~without), rows[i].missing);
    }
    arena_free(&a);
}

// The set goes to the other process and back as a number; one with a bit that has no row is refused.
static void test_between_processes(void **unused)
{
    (void)unused;
    for (int known = 0; known < 2; known++) {
        const struct run_info info = {.offers = known ? SPV_ALL_NEEDS : SPV_ALL_NEEDS + 1, .has_driver_text = true};
        struct run_info out;
        struct wire_buf b = {0};
        struct frame f;
        bool bad;
        size_t at = frame_begin(&b, FRAME_READY);
        put_info(&b, &info);
        frame_end(&b, at);
        assert_true(frame_next(&b, FRAME_ANSWER, &f, &bad));
        assert_int_equal(get_info(&f, &out), known);
        assert_true(!known || (out.offers == SPV_ALL_NEEDS && out.has_driver_text));
        wire_free(&b);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_nothing_is_offered),
        cmocka_unit_test(test_each_needs_its_own),
        cmocka_unit_test(test_features_of_vulkan),
        cmocka_unit_test(test_languages),
        cmocka_unit_test(test_between_processes),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
