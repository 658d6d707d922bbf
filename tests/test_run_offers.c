// SPDX-License-Identifier: Apache-2.0
//
// Which features of the generator a device gets, by what it tells of itself.
#include "generator/generator.h"
#include "test_spv_common.h"

#include "runners/runners.h"

// The names of what it does not offer, with commas, in the generator's order.
static const char *missing(struct arena *a, const struct run_info *info)
{
    struct text t = {.arena = a};
    text_addn(&t, "", 0);
    for (int f = 0; f < GEN_FEATURE_COUNT; f++) {
        const char *name = gen_feature_name((enum gen_feature)f);
        if (gen_feature_needs((enum gen_feature)f, SPV_COMPUTE) & run_lacks(info))
            text_add(&t, "%s%s", t.n ? "," : "", name);
    }
    return t.v;
}

static const struct run_info all = {.subgroup_ops = 0x7ff,
                                    .int8 = true,
                                    .int16 = true,
                                    .int64 = true,
                                    .float16 = true,
                                    .float64 = true,
                                    .extended_types = true,
                                    .quad_control = true,
                                    .fragment = true,
                                    .demote = true,
                                    .derivatives = true,
                                    .derivative_quads = true,
                                    .images = true,
                                    .image_index = true,
                                    .image_nonuniform = true,
                                    .lane_value = true,
                                    .spirv_version = 0x00010600};

static void test_nothing_is_offered(void **unused)
{
    (void)unused;
    struct arena a = {0};
    assert_string_equal(missing(&a, &(struct run_info){.spirv_version = 0x00010300}),
                        "elect,vote,ballot,broadcast-first,reduce,scan,shuffle,shuffle-relative,"
                        "broadcast,rotate,cluster,quad,quad-vote,shuffle-xor,inverse-ballot,"
                        "more-arithmetic,int8,int16,int64,float16,float64,peel,rotate-cluster,"
                        "partition,derivative,demote,full-quads,sample,sample-lod,image-index,image-nonuniform,storage-image,lane-value");
    assert_string_equal(missing(&a, &all), "");
    arena_free(&a);
}

static void test_each_needs_its_own(void **unused)
{
    (void)unused;
    struct arena a = {0};
    static const char *const ops[] = {"elect",
                                      "vote,quad-vote",
                                      "reduce,scan,more-arithmetic",
                                      "ballot,broadcast-first,broadcast,inverse-ballot,lane-value",
                                      "shuffle,shuffle-xor",
                                      "shuffle-relative",
                                      "cluster",
                                      "quad,quad-vote,lane-value",
                                      "partition",
                                      "rotate,rotate-cluster",
                                      "rotate-cluster"};
    for (uint32_t bit = 0; bit < sizeof ops / sizeof *ops; bit++) {
        struct run_info less = all;
        less.subgroup_ops &= ~(1u << bit);
        assert_string_equal(missing(&a, &less), ops[bit]);
    }
#define WITHOUT(member, names)                                                                     \
    do {                                                                                           \
        struct run_info less = all;                                                                \
        less.member = 0;                                                                           \
        assert_string_equal(missing(&a, &less), names);                                            \
    } while (0)
    WITHOUT(quad_control, "quad-vote,full-quads");
    WITHOUT(demote, "demote");
    WITHOUT(fragment, "");
    WITHOUT(derivatives, "derivative,sample");
    WITHOUT(derivative_quads, "derivative,sample");
    WITHOUT(images, "sample,sample-lod,image-index,image-nonuniform,storage-image");
    WITHOUT(image_index, "image-index,image-nonuniform");
    WITHOUT(image_nonuniform, "image-nonuniform");
    WITHOUT(lane_value, "lane-value");
    WITHOUT(int8, "int8");
    WITHOUT(int16, "int16");
    WITHOUT(int64, "int64");
    WITHOUT(float16, "float16");
    WITHOUT(float64, "float64");
    WITHOUT(extended_types, "int8,int16,int64,float16");
    WITHOUT(spirv_version, ""); // it does not say
#undef WITHOUT
    struct run_info old = all;
    old.spirv_version = 0x00010300;
    assert_string_equal(missing(&a, &old), "peel");
    arena_free(&a);
}

// What its language has no words for: of every kind, as it stands in the table.
static void test_languages(void **unused)
{
    (void)unused;
    struct arena a = {0};
    struct run_info less = all;
    less.without = SPV_NEED(SHARED) | SPV_NEED(FLOAT16);
    assert_string_equal(missing(&a, &less), "float16,shared");
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
        less = all;
        less.without = run_spec_parse(&a, rows[i].spec, NULL)->kind->without;
        assert_string_equal(missing(&a, &less), rows[i].missing);
    }
    arena_free(&a);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_nothing_is_offered),
        cmocka_unit_test(test_each_needs_its_own),
        cmocka_unit_test(test_languages),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
