// SPDX-License-Identifier: Apache-2.0
//
// Images of the Vulkan backend on lavapipe: each descriptor and level holds what the case says, also where image and
// sampler were kept from the case before; storage images go in and come out; what is not bound, or bound in another
// form, is refused before the driver sees it. The modules are those of corpus/, the values are the tests' own.
#define _GNU_SOURCE
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>

#include "test_run_common.h"

static struct spv_case corpus(struct fixture *f, const char *name)
{
    struct spv_case c;
    struct err e = {0};
    const char *path = arena_printf(&f->arena, "%s/corpus/%s.spvasm", getenv("SOURCE_DIR"), name);
    if (!spv_case_read(f->tools, &f->arena, path, &c, &e))
        fail_msg("%s", e.msg);
    return c;
}

static struct run_result run(struct fixture *f, const struct spv_case *c)
{
    struct run_result r;
    run_case(f->lavapipe, &f->arena, c, 0, &r);
    return r;
}

static const uint32_t *words_of(const struct run_result *r, uint32_t binding)
{
    if (r->status != RUN_OK)
        fail_msg("%s: %s", run_status_name(r->status), r->text);
    for (uint32_t i = 0; i < r->memory_count; i++)
        if (r->memory[i].binding == binding)
            return r->memory[i].words;
    fail_msg("no memory 0:%u", binding);
    return NULL;
}

static uint32_t bits(float v)
{
    uint32_t w;
    memcpy(&w, &v, sizeof w);
    return w;
}

// ---- sampled images ---------------------------------------------------------------

// Lane i has level 1 of descriptor i mod 2 in its first word.
static void sample_two(struct fixture *f, float first)
{
    struct spv_case c = corpus(f, "rules/R10-waterfall");
    struct spv_image *s = &c.image[0];
    assert_int_equal(s->form.count * s->levels, 10);
    for (uint32_t i = 0; i < 10; i++)
        s->values[i] = bits(first + (float)i);
    const struct run_result r = run(f, &c);
    const uint32_t *out = words_of(&r, 0);
    for (uint32_t i = 0; i < 8; i++)
        assert_int_equal(out[4 * i], bits(first + 1 + 5 * (float)(i % 2)));
}

// Levels 0, 1 and 3 of one image of integers, of 8 by 2 texels.
static void fetch_levels(struct fixture *f, uint32_t first)
{
    struct spv_case c = corpus(f, "ops/image-fetch");
    for (uint32_t i = 0; i < 4; i++)
        c.image[0].values[i] = first + i;
    const struct run_result r = run(f, &c);
    const uint32_t *out = words_of(&r, 0);
    for (uint32_t i = 0; i < 8; i++) {
        assert_int_equal(out[4 * i], first);
        assert_int_equal(out[4 * i + 1], first + 1);
        assert_int_equal(out[4 * i + 2], first + 3);
    }
}

static void test_levels_of_descriptors(void **state)
{
    struct fixture *f = need_lavapipe(state);
    sample_two(f, 100);
    sample_two(f, 200); // the images are kept, and filled again
}

static void test_another_form_after(void **state)
{
    struct fixture *f = need_lavapipe(state);
    sample_two(f, 100);
    fetch_levels(f, 1000); // in the place of the first of the two
    sample_two(f, 300);
    fetch_levels(f, 2000);
}

// A cube and an array, of which every layer is filled.
static void test_layers(void **state)
{
    struct fixture *f = need_lavapipe(state);
    for (uint32_t round = 0; round < 2; round++) {
        struct spv_case c = corpus(f, "ops/image-cube-and-array");
        const float first = round ? 50.0f : 10.0f;
        for (uint32_t i = 0; i < 3; i++) {
            c.image[0].values[i] = bits(first + (float)i);
            c.image[1].values[i] = bits(first + 20 + (float)i);
        }
        const struct run_result r = run(f, &c);
        const uint32_t *out = words_of(&r, 0);
        for (uint32_t i = 0; i < 8; i++) {
            assert_int_equal(out[4 * i], bits(first + 1));
            assert_int_equal(out[4 * i + 1], bits(first + 22));
        }
    }
}

// Of the same form but for its levels: lane 4 asks for LOD 7, which is the last one.
static void test_fewer_levels_after(void **state)
{
    struct fixture *f = need_lavapipe(state);
    for (uint32_t levels = 5; levels >= 3; levels--) {
        struct spv_case c = corpus(f, "rules/R11-explicit-lod");
        c.image[0].levels = levels;
        const struct run_result r = run(f, &c);
        assert_int_equal(words_of(&r, 0)[4 * 4], c.image[0].values[levels - 1]);
    }
}

// Two images that the module does not name are bound before those that it samples.
static void test_unused_images_before(void **state)
{
    struct fixture *f = need_lavapipe(state);
    struct spv_case c = corpus(f, "rules/R10-waterfall");
    uint32_t values[2] = {bits(7), bits(8)};
    c.image[1] = c.image[0];
    c.image[0] = (struct spv_image){.binding = 9, .form = c.image[1].form, .levels = 1, .values = values};
    c.image_count = 2;
    const struct run_result r = run(f, &c);
    for (uint32_t i = 0; i < 8; i++)
        assert_int_equal(words_of(&r, 0)[4 * i], c.image[1].values[5 * (i % 2) + 1]);
}

// Even lanes ask sampler 0 for LOD 1, odd ones sampler 1 for LOD 2.
static void test_limits_of_samplers(void **state)
{
    static const float limits[][4] = {{0, 1, 2, 1000}, {0, 0, 3, 1000}, {4, 4, 0, 1}};
    static const float told[][2] = {{20, 30}, {10, 40}, {50, 20}};
    struct fixture *f = need_lavapipe(state);
    for (size_t i = 0; i < sizeof limits / sizeof *limits; i++) {
        struct spv_case c = corpus(f, "rules/R10-a-sampler-in-each-arm");
        memcpy(c.sampler[0].lod, limits[i], sizeof limits[i]);
        const struct run_result r = run(f, &c);
        const uint32_t *out = words_of(&r, 0);
        for (uint32_t lane = 0; lane < 8; lane++)
            assert_int_equal(out[4 * lane], bits(told[i][lane % 2]));
    }
}

// ---- storage images, texel buffers ------------------------------------------------

static void test_storage_image(void **state)
{
    struct fixture *f = need_lavapipe(state);
    for (uint32_t round = 1; round < 3; round++) {
        struct spv_case c = corpus(f, "ops/image-read-and-write");
        struct spv_buffer *b = &c.buffer[1];
        assert_int_equal(b->image.count, 1);
        b->image.size[1] = 3; // a row that the shader leaves alone
        b->count = 12;
        b->words = ARENA_ARRAY(&f->arena, uint32_t, 12);
        for (uint32_t i = 0; i < 12; i++)
            ((uint32_t *)b->words)[i] = 100 * round + i;
        const struct run_result r = run(f, &c);
        const uint32_t *out = words_of(&r, 0), *image = words_of(&r, 1);
        for (uint32_t i = 0; i < 8; i++)
            assert_int_equal(out[4 * i], 100 * round + i);
        for (uint32_t i = 0; i < 12; i++)
            assert_int_equal(image[i], (i < 8 ? 16 : 1) * (100 * round + i));
    }
}

// Lane i writes its number to x = i / 2 of descriptor i mod 2.
static void test_array_of_storage_images(void **state)
{
    struct fixture *f = need_lavapipe(state);
    struct spv_case c = corpus(f, "ops/image-array-of-storage-images");
    const struct run_result r = run(f, &c);
    const uint32_t *image = words_of(&r, 1);
    for (uint32_t i = 0; i < 8; i++)
        assert_int_equal(image[4 * (i % 2) + i / 2], i);
}

static void test_texel_buffers(void **state)
{
    struct fixture *f = need_lavapipe(state);
    for (uint32_t round = 1; round < 3; round++) {
        struct spv_case c = corpus(f, "ops/image-texel-buffers");
        uint32_t at = c.buffer[0].image.count ? 0 : 1;
        uint32_t *words = ARENA_ARRAY(&f->arena, uint32_t, 8);
        for (uint32_t i = 0; i < 8; i++)
            words[i] = 50 * round + i;
        c.buffer[at].words = words;
        c.image[0].values[0] = 7 * round;
        const struct run_result r = run(f, &c);
        const uint32_t *out = words_of(&r, 0), *texels = words_of(&r, 2);
        for (uint32_t i = 0; i < 8; i++) {
            assert_int_equal(out[4 * i], 7 * round);
            assert_int_equal(out[4 * i + 1], 50 * round + i);
            assert_int_equal(texels[i], 50 * round + i + 8);
        }
    }
}

// ---- what is not as the module has it -----------------------------------------------

static void assert_skipped(struct fixture *f, const struct spv_case *c, const char *why)
{
    const struct run_result r = run(f, c);
    if (r.status != RUN_SKIPPED || !strstr(r.text, why))
        fail_msg("not '%s' but %s: %s", why, run_status_name(r.status), r.text);
    sample_two(f, 400); // and the device goes on
}

static void test_refused(void **state)
{
    struct fixture *f = need_lavapipe(state);
    struct spv_case c = corpus(f, "rules/R10-waterfall");
    c.image_count = 0;
    assert_skipped(f, &c, "the module declares image 0:1, which the case lacks");
    c = corpus(f, "rules/R10-waterfall");
    c.sampler_count = 0;
    assert_skipped(f, &c, "the module declares 2 samplers at 0:1, the case has 0");
    c = corpus(f, "rules/R10-waterfall");
    c.sampler[0].count = 1;
    assert_skipped(f, &c, "the module declares 2 samplers at 0:1, the case has 1");
    c = corpus(f, "rules/R10-waterfall");
    c.image[0].form.count = 1;
    assert_skipped(f, &c, "the module declares 2 images at 0:1, the case has 1");
    c = corpus(f, "rules/R10-waterfall");
    c.image[0].form.shape = SPV_IMAGE_1D;
    c.image[0].form.size[1] = 1;
    assert_skipped(f, &c, "image 0:1 is 1d, but the module declares another shape");
    c = corpus(f, "rules/R10-waterfall");
    c.image[0].form.texel = SPV_R32I;
    assert_skipped(f, &c, "image 0:1 is r32i, but the module declares another format");
    c = corpus(f, "ops/image-read-and-write");
    c.buffer[1].image.count = 0;
    assert_skipped(f, &c, "the module declares storage image 0:1, which the case lacks");
    c = corpus(f, "ops/image-read-and-write");
    c.buffer[1].image.texel = SPV_R32F;
    assert_skipped(f, &c, "image 0:1 is r32f, but the module declares another format");
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_levels_of_descriptors),
        cmocka_unit_test(test_another_form_after),
        cmocka_unit_test(test_layers),
        cmocka_unit_test(test_fewer_levels_after),
        cmocka_unit_test(test_unused_images_before),
        cmocka_unit_test(test_limits_of_samplers),
        cmocka_unit_test(test_storage_image),
        cmocka_unit_test(test_array_of_storage_images),
        cmocka_unit_test(test_texel_buffers),
        cmocka_unit_test(test_refused),
    };
    return cmocka_run_group_tests_name("run_image", tests, fixture_start, fixture_end);
}
