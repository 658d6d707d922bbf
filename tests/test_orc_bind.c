// SPDX-License-Identifier: Apache-2.0
//
// Images and samplers that a case binds to a module's variables: each form that does not fit is refused with a line that says
// which variable, what was found and where; one that fits runs.
#include "test_orc_text.h"

struct bound {
    const char *type, *is; // of the variable: an image, "sampled" (with a sampler), "sampler"
    uint32_t descriptors;  // of an array; 0: one
    char given;            // 's': a storage image, 't': a sampled one, 0: none
    struct spv_image_form form;
    uint32_t samplers;
    const char *text; // NULL: it runs
    enum ran status;
    bool assumed; // to declare what the model asks for: formats are taken as they come
};
#define FORM(s, t, n) {.shape = SPV_IMAGE_##s, .size = {4, 4, 4}, .layers = 6, .texel = SPV_##t, .count = n}
#define INVALID(what) .text = what, .status = RAN_INVALID
#define UNKNOWN(what) .text = what, .status = RAN_UNSUPPORTED

static const struct bound rows[] = {
    // Storage images: by shape, type and format.
    {"%f32 2D 0 0 0 2 R32f", "image", 0, 's', FORM(2D, R32F, 1)},
    {"%f32 1D 0 0 0 2 R32f", "image", 0, 's', FORM(1D, R32F, 1)},
    {"%f32 1D 0 1 0 2 R32f", "image", 0, 's', FORM(1D_ARRAY, R32F, 1)},
    {"%f32 2D 0 1 0 2 R32f", "image", 0, 's', FORM(2D_ARRAY, R32F, 1)},
    {"%f32 3D 0 0 0 2 R32f", "image", 0, 's', FORM(3D, R32F, 1)},
    {"%f32 Cube 0 0 0 2 R32f", "image", 0, 's', FORM(CUBE, R32F, 1)},
    {"%f32 Cube 0 1 0 2 R32f", "image", 0, 's', FORM(CUBE_ARRAY, R32F, 1)},
    {"%f32 Buffer 0 0 0 2 R32f", "image", 0, 's', FORM(BUFFER, R32F, 1)},
    {"%i32 2D 0 0 0 2 R32i", "image", 0, 's', FORM(2D, R32I, 1)},
    {"%u32 2D 0 0 0 2 R32ui", "image", 0, 's', FORM(2D, R32UI, 1)},
    {"%f32 2D 0 0 0 2 Rgba32f", "image", 0, 's', FORM(2D, RGBA32F, 1)},
    {"%i32 2D 0 0 0 2 Rgba32i", "image", 0, 's', FORM(2D, RGBA32I, 1)},
    {"%u32 2D 0 0 0 2 Rgba32ui", "image", 0, 's', FORM(2D, RGBA32UI, 1)},
    {"%u32 2D 0 0 0 2 Unknown", "image", 0, 's', FORM(2D, RGBA32UI, 1)},
    {"%u32 2D 0 0 0 2 Unknown", "image", 0, 's', FORM(2D, R32UI, 1)},
    {"%f32 2D 0 0 0 2 R32f", "image", 0, 0, {0}, INVALID("is bound to 0:2, for which the case has no storage image")},
    {"%f32 2D 0 0 0 2 R32f", "image", 0, 't', FORM(2D, R32F, 1), INVALID("is bound to 0:2, for which the case has no storage image")},
    {"%f32 2D 0 0 0 2 R32f", "image", 0, 's', FORM(3D, R32F, 1), INVALID("is of a 2d image, the case has a 3d one at 0:2")},
    {"%f32 2D 0 0 0 2 R32f", "image", 0, 's', FORM(2D_ARRAY, R32F, 1), INVALID("is of a 2d image, the case has a 2d-array one at 0:2")},
    {"%f32 1D 0 1 0 2 R32f", "image", 0, 's', FORM(1D, R32F, 1), INVALID("is of a 1d-array image, the case has a 1d one at 0:2")},
    {"%f32 Cube 0 1 0 2 R32f", "image", 0, 's', FORM(CUBE, R32F, 1), INVALID("is of a cube-array image, the case has a cube one at 0:2")},
    {"%f32 2D 0 0 0 2 R32f", "image", 0, 's', FORM(2D, R32UI, 1), INVALID("is of an image of another type than r32ui, which the case has at 0:2")},
    {"%u32 2D 0 0 0 2 Unknown", "image", 0, 's', FORM(2D, R32I, 1), INVALID("is of an image of another type than r32i, which the case has at 0:2")},
    {"%f32 2D 0 0 0 2 R32f", "image", 0, 's', FORM(2D, RGBA32F, 1), INVALID("is of a r32f image, the case has a rgba32f one at 0:2")},
    {"%u32 2D 0 0 0 2 Rgba32ui", "image", 0, 's', FORM(2D, R32UI, 1), INVALID("is of a rgba32ui image, the case has a r32ui one at 0:2")},
    {"%f32 2D 0 0 0 2 Rgba16f", "image", 0, 's', FORM(2D, RGBA32F, 1), UNKNOWN("is an image whose format a case cannot have")},
    {"%f32 2D 0 0 0 2 Rgba16f", "image", 0, 's', FORM(2D, RGBA32F, 1), .assumed = true},
    {"%f32 2D 0 0 0 2 R32f", "image", 0, 's', FORM(2D, RGBA32F, 1), .assumed = true},
    {"%f32 2D 0 0 1 2 R32f", "image", 0, 's', FORM(2D_MS, R32F, 1)},
    {"%f32 2D 0 1 1 2 R32f", "image", 0, 's', FORM(2D_MS_ARRAY, R32F, 1)},
    {"%f32 2D 0 0 1 2 R32f", "image", 0, 's', FORM(2D, R32F, 1), INVALID("is of a 2d-ms image, the case has a 2d one at 0:2")},
    {"%f32 Rect 0 0 0 2 R32f", "image", 0, 's', FORM(2D, R32F, 1),
     UNKNOWN("is a rectangle, an input attachment or an image whose components are not of 32 bits")},
    {"%u64 2D 0 0 0 2 R64ui", "image", 0, 's', FORM(2D, R32UI, 1),
     UNKNOWN("is a rectangle, an input attachment or an image whose components are not of 32 bits")},
    // Sampled ones: their formats are the case's.
    {"%f32 2D 0 0 0 1 Unknown", "image", 0, 't', FORM(2D, RGBA32F, 1)},
    {"%f32 2D 0 0 0 1 R32f", "image", 0, 't', FORM(2D, RGBA32F, 1)},
    {"%f32 2D 0 0 0 1 Unknown", "image", 0, 's', FORM(2D, RGBA32F, 1), INVALID("is bound to 0:2, for which the case has no sampled image")},
    {"%f32 2D 0 0 0 1 Unknown", "image", 0, 0, {0}, .samplers = 1, INVALID("is bound to 0:2, for which the case has no sampled image")},
    {"%f32 2D 0 0 0 1 Unknown", "image", 0, 't', FORM(CUBE, RGBA32F, 1), INVALID("is of a 2d image, the case has a cube one at 0:2")},
    {"%i32 2D 0 0 0 1 Unknown", "image", 0, 't', FORM(2D, RGBA32F, 1), INVALID("is of an image of another type than rgba32f, which the case has at 0:2")},
    {"%f32 2D 0 0 0 1 Unknown", "sampled", 0, 't', FORM(2D, RGBA32F, 1), 1},
    {"%f32 2D 0 0 0 1 Unknown", "sampled", 0, 't', FORM(2D, RGBA32F, 1), 0, INVALID("is bound to 0:2, for which the case has no sampler")},
    {"%f32 2D 0 0 0 1 Unknown", "sampled", 0, 0, {0}, 1, INVALID("is bound to 0:2, for which the case has no sampled image")},
    {"%f32 2D 0 0 0 1 Unknown", "sampler", 0, 0, {0}, 1},
    {"%f32 2D 0 0 0 1 Unknown", "sampler", 0, 't', FORM(2D, RGBA32F, 1), 0, INVALID("is bound to 0:2, for which the case has no sampler")},
    // Arrays of them.
    {"%f32 2D 0 0 0 1 Unknown", "image", 3, 't', FORM(2D, RGBA32F, 3)},
    {"%f32 2D 0 0 0 1 Unknown", "image", 3, 't', FORM(2D, RGBA32F, 4)},
    {"%f32 2D 0 0 0 1 Unknown", "image", 3, 't', FORM(2D, RGBA32F, 2), INVALID("has 3 descriptors, the case has 2 at 0:2")},
    {"%f32 2D 0 0 0 2 Unknown", "image", 2, 's', FORM(2D, RGBA32F, 2)},
    {"%f32 2D 0 0 0 2 Unknown", "image", 2, 's', FORM(2D, RGBA32F, 1), INVALID("has 2 descriptors, the case has 1 at 0:2")},
    {"%f32 2D 0 0 0 1 Unknown", "sampler", 2, 0, {0}, 2},
    {"%f32 2D 0 0 0 1 Unknown", "sampler", 2, 0, {0}, 1, INVALID("has 2 descriptors, the case has 1 at 0:2")},
    {"%f32 2D 0 0 0 1 Unknown", "sampled", 2, 't', FORM(2D, RGBA32F, 2), 2},
    {"%f32 2D 0 0 0 1 Unknown", "sampled", 2, 't', FORM(2D, RGBA32F, 2), 1, INVALID("has 2 descriptors, the case has 1 at 0:2")},
    {"%f32 2D 0 0 0 1 Unknown", "sampled", 2, 't', FORM(2D, RGBA32F, 1), 2, INVALID("has 2 descriptors, the case has 1 at 0:2")},
};

static void test_bindings(void **state)
{
    (void)state;
    struct spv_tools *tools = spv_tools_new();
    int wrong = 0;
    for (size_t k = 0; k < sizeof rows / sizeof *rows; k++) {
        const struct bound *b = &rows[k];
        struct arena a = {0};
        struct spv_case c;
        struct orc_result r = {0};
        float lod[16] = {0};
        const char *element = strcmp(b->is, "sampled") == 0 ? "%pair" : strcmp(b->is, "sampler") == 0 ? "%sampler" : "%image";
        struct row row = {"bound", "%r = OpIAdd %u32 %x %u0\n", .annotations = "OpDecorate %more DescriptorSet 0\nOpDecorate %more Binding 2\n", .interface = " %more", .is_invalid = true};
        row.globals = arena_printf(&a, "%%image = OpTypeImage %s\n%%pair = OpTypeSampledImage %%image\n%%sampler = OpTypeSampler\n%%n = OpConstant %%u32 %u\n%%all = OpTypeArray %s %%n\n"
                                   "%%all_ptr = OpTypePointer UniformConstant %s\n%%more = OpVariable %%all_ptr UniformConstant\n", b->type, b->descriptors ? b->descriptors : 1, element,
                                   b->descriptors ? "%all" : element);
        row_case(tools, &a, &row, &c);
        if (b->given == 's') {
            c.buffer[2] = (struct spv_buffer){.binding = 2, .count = (uint32_t)spv_image_words(&b->form), .image = b->form};
            c.buffer[2].words = ARENA_ARRAY(&a, uint32_t, c.buffer[2].count);
            c.buffer_count = 3;
        } else if (b->given == 't') {
            c.image[0] = (struct spv_image){.binding = 2, .form = b->form, .levels = 1};
            c.image[0].values = ARENA_ARRAY(&a, uint32_t, spv_image_values(&c.image[0]));
            c.image_count = 1;
        }
        // Beside it are bindings that are not meant.
        c.sampler[c.sampler_count++] = (struct spv_sampler){.binding = 3, .count = 9, .lod = lod};
        c.image[c.image_count++] = (struct spv_image){.set = 1, .binding = 2, .form = FORM(3D, R32I, 9), .levels = 1};
        c.sampler[c.sampler_count++] = (struct spv_sampler){.set = 1, .binding = 2, .count = 9, .lod = lod};
        c.image[c.image_count++] = (struct spv_image){.set = 0, .binding = 3, .form = FORM(3D, R32I, 9), .levels = 1};
        for (uint32_t k2 = 3; k2 < 6; k2++) { // one of another set, of another binding, and one that is no image
            const struct spv_image_form other = FORM(1D, R32I, 9);
            const uint32_t n = (uint32_t)spv_image_words(&other);
            struct spv_buffer *more = &c.buffer[c.buffer_count++];
            *more = (struct spv_buffer){.set = k2 == 3, .binding = k2 == 4 ? 7 : k2 == 5 ? 9 : 2, .count = n, .words = ARENA_ARRAY(&a, uint32_t, n)};
            if (k2 != 5)
                more->image = other;
        }
        if (b->samplers)
            c.sampler[c.sampler_count++] = (struct spv_sampler){.binding = 2, .count = b->samplers, .lod = lod};
        struct orc_program *p = (b->assumed ? orc_load_assumed : orc_load)(&a, &c, &r.why);
        if (p)
            orc_run(p, &a, &c, 0, NULL, &r);
        const char *at = b->text ? strstr(r.why.text, b->text) : r.why.text;
        const char *begins = b->status == RAN_UNSUPPORTED ? "unsupported: variable %" : "variable %";
        if (!p || r.why.status != b->status || (r.memory == NULL) != (b->text != NULL) || !at || (b->text && (strlen(at) != strlen(b->text) || strncmp(r.why.text, begins, strlen(begins)) != 0))) {
            print_error("%s, %s of %u, given '%c' %s: '%s', expected '%s'\n", b->type, b->is, b->descriptors, b->given ? b->given : '-', spv_image_shape_name(b->form.shape), r.why.text,
                        b->text ? b->text : "to run");
            wrong++;
        }
        arena_free(&a);
    }
    spv_tools_free(tools);
    assert_int_equal(wrong, 0);
}

// ---- texels that may have no value ------------------------------------------------------------------------

// A storage image of 8 x 1 texels of one word; odd lanes have y, even ones nothing.
#define SOMETIMES "%im = OpLoad %image %more\n%at = OpCompositeConstruct %uvec2 %lane %u0\n%odd = OpBitwiseAnd %u32 %lane %u1\n%q = OpUDiv %u32 %y %odd\n%four = OpCompositeConstruct %uvec4 %q %q %q %q\n"
#define READ "%back = OpImageRead %uvec4 %im %at\n%r = OpCompositeExtract %u32 %back 0\n"
#define YS {1, 2, 3, 4, 5, 6, 7, 8}
#define ODD_ONES {U, 2, U, 4, U, 6, U, 8}
#define IMAGE .annotations = "OpDecorate %more DescriptorSet 0\nOpDecorate %more Binding 2\nOpDecorate %more Coherent\n", \
    .globals = "%image = OpTypeImage %u32 2D 0 0 0 2 R32ui\n%image_ptr = OpTypePointer UniformConstant %image\n%more = OpVariable %image_ptr UniformConstant\n%u7 = OpConstant %u32 7\n%u2056 = OpConstant %u32 2056\n", \
    .interface = " %more", .more = {20, 21, 22, 23, 24, 25, 26, 27}, .more_count = 8, .is_invalid = true, .checks_more = true
static const struct row texels[] = {
    {"what was there", SOMETIMES READ, {0}, YS, {20, 21, 22, 23, 24, 25, 26, 27}, IMAGE, .after = {20, 21, 22, 23, 24, 25, 26, 27}},
    {"written and read", SOMETIMES "OpImageWrite %im %at %four\n" READ, {0}, YS, ODD_ONES, IMAGE, .after = ODD_ONES},
    {"by half of the lanes", SOMETIMES "OpImageWrite %im %at %four\n" READ, {0}, YS, {U, 2, U, 4}, .active = 0x0f, IMAGE, .after = {U, 2, U, 4, 24, 25, 26, 27}},
    {"written again", SOMETIMES "OpImageWrite %im %at %four\n%ys = OpCompositeConstruct %uvec4 %y %y %y %y\nOpImageWrite %im %at %ys\n" READ, {0}, YS, YS, IMAGE, .after = YS},
    {"of another lane, after a barrier", SOMETIMES "OpImageWrite %im %at %four\nOpControlBarrier %u2 %u2 %u2056\n%back_lane = OpISub %u32 %u7 %lane\n%at2 = OpCompositeConstruct %uvec2 %back_lane %u0\n"
     "%back = OpImageRead %uvec4 %im %at2\n%r = OpCompositeExtract %u32 %back 0\n", {0}, YS, {8, U, 6, U, 4, U, 2, U}, IMAGE, .after = ODD_ONES},
    {"without one", SOMETIMES "OpImageWrite %im %at %four\n%back_lane = OpISub %u32 %u7 %lane\n%at2 = OpCompositeConstruct %uvec2 %back_lane %u0\n"
     "%back = OpImageRead %uvec4 %im %at2\n%r = OpCompositeExtract %u32 %back 0\n", {0}, YS, IMAGE, .refused = "E-race"},
    {"all write one", "%im = OpLoad %image %more\n%at = OpCompositeConstruct %uvec2 %u0 %u0\n%ys = OpCompositeConstruct %uvec4 %y %y %y %y\nOpImageWrite %im %at %ys\n%r = OpIAdd %u32 %x %y\n", IMAGE, .refused = "E-race"},
    {"outside, which is discarded", "%im = OpLoad %image %more\n%right = OpIAdd %u32 %lane %u1\n%at = OpCompositeConstruct %uvec2 %right %u0\n%ys = OpCompositeConstruct %uvec4 %y %y %y %y\nOpImageWrite %im %at %ys\n%r = OpIAdd %u32 %x %y\n", {0}, YS, YS, IMAGE,
     .after = {20, 1, 2, 3, 4, 5, 6, 7}},
};

static void test_texels(void **state)
{
    (void)state;
    struct spv_tools *tools = spv_tools_new();
    for (size_t k = 0; k < sizeof texels / sizeof *texels; k++)
        for (int machine = ORC_MASK; machine <= ORC_TAG; machine++) {
            const struct row *row = &texels[k];
            struct arena a = {0};
            struct spv_case c;
            struct orc_result r;
            row_case(tools, &a, row, &c);
            c.buffer[2].image = (struct spv_image_form){.shape = SPV_IMAGE_2D, .size = {8, 1, 1}, .layers = 1, .texel = SPV_R32UI, .count = 1};
            orc_predict(&a, &c, 0, &(struct orc_options){.machine = (enum orc_machine)machine}, &r);
            if (row->refused) {
                if (strcmp(r.why.rule, row->refused) != 0 && !strstr(r.why.text, row->refused))
                    fail_msg("%s: got '%s', expected '%s'", row->name, r.why.text, row->refused);
                arena_free(&a);
                continue;
            }
            if (r.why.status != RAN_OK)
                fail_msg("%s: %s", row->name, r.why.text);
            for (uint32_t b = 1; b < 3; b++)
                for (uint32_t l = 0; l < LANES; l++) {
                    const uint32_t want = b == 1 ? row->r[l] : row->after[l], mask = r.memory[b].mask ? r.memory[b].mask[l] : UINT32_MAX;
                    if (want == U ? mask != 0 || r.memory[b].words[l] : mask != UINT32_MAX || r.memory[b].words[l] != want)
                        fail_msg("%s, buffer %u, word %u: got 0x%x (mask 0x%x), expected 0x%x", row->name, b, l, r.memory[b].words[l], mask, want);
                }
            arena_free(&a);
        }
    spv_tools_free(tools);
}

// ---- a sample in a tangle that a choice made -----------------------------------------------------------------

// Its LOD comes from the quad: of a tangle that an implementation need not make nothing is known.
static void test_implicit(void **state)
{
    (void)state;
    static const struct row samples[] = {
        {"of all", "%si = OpLoad %pair %more\n%v = OpImageSampleImplicitLod %vec4 %si %middle\n%f = OpCompositeExtract %f32 %v 1\n%r = OpBitcast %u32 %f\n"},
        {"in a case of two values", "%half = OpShiftRightLogical %u32 %lane %u2\nOpSelectionMerge %j None\nOpSwitch %half %j 0 %o 1 %o\n%o = OpLabel\n%si = OpLoad %pair %more\n%v = OpImageSampleImplicitLod %vec4 %si %middle\n"
         "%f = OpCompositeExtract %f32 %v 1\n%b = OpBitcast %u32 %f\nOpStore %local %b\nOpBranch %j\n%j = OpLabel\n%r = OpLoad %u32 %local\n"},
        {"the same of a level that is told", "%half = OpShiftRightLogical %u32 %lane %u2\nOpSelectionMerge %j None\nOpSwitch %half %j 0 %o 1 %o\n%o = OpLabel\n%si = OpLoad %pair %more\n%v = OpImageSampleExplicitLod %vec4 %si %middle Lod %f0\n"
         "%f = OpCompositeExtract %f32 %v 1\n%b = OpBitcast %u32 %f\nOpStore %local %b\nOpBranch %j\n%j = OpLabel\n%r = OpLoad %u32 %local\n"},
    };
    struct spv_tools *tools = spv_tools_new();
    for (size_t k = 0; k < sizeof samples / sizeof *samples; k++)
        for (int any = 0; any < 2; any++) {
            struct arena a = {0};
            struct spv_case c;
            struct orc_result r;
            struct row row = samples[k];
            float lod[2] = {0, 0};
            uint32_t texel[4] = {1, 0x3f800000, 3, 4};
            row.annotations = "OpDecorate %more DescriptorSet 0\nOpDecorate %more Binding 2\n";
            row.globals = "%image = OpTypeImage %f32 2D 0 0 0 1 Unknown\n%pair = OpTypeSampledImage %image\n%pair_ptr = OpTypePointer UniformConstant %pair\n%more = OpVariable %pair_ptr UniformConstant\n"
                          "%fh = OpConstant %f32 0.5\n%middle = OpConstantComposite %vec2 %fh %fh\n";
            row.names = "OpExecutionMode %main DerivativeGroupLinearKHR\n";
            row.interface = " %more";
            row.is_invalid = true;
            row_case(tools, &a, &row, &c);
            c.image[0] = (struct spv_image){.binding = 2, .form = {.shape = SPV_IMAGE_2D, .size = {1, 1, 1}, .layers = 1, .texel = SPV_RGBA32F, .count = 1}, .levels = 1, .values = texel};
            c.sampler[0] = (struct spv_sampler){.binding = 2, .count = 1, .lod = lod};
            c.image_count = c.sampler_count = 1;
            orc_predict(&a, &c, 0, &(struct orc_options){.any_policy = any}, &r);
            if (r.why.status != RAN_OK)
                fail_msg("%s: %s", row.name, r.why.text);
            for (uint32_t l = 0; l < LANES; l++) {
                const uint32_t mask = r.memory[1].mask ? r.memory[1].mask[l] : UINT32_MAX;
                if (mask != (any && k == 1 ? 0 : UINT32_MAX) || (mask && r.memory[1].words[l] != 0x3f800000))
                    fail_msg("%s, %s, lane %u: 0x%x (mask 0x%x)", row.name, any ? "whatever is chosen" : "all join", l, r.memory[1].words[l], mask);
            }
            arena_free(&a);
        }
    spv_tools_free(tools);
}

int main(void)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(test_bindings), cmocka_unit_test(test_texels), cmocka_unit_test(test_implicit)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
