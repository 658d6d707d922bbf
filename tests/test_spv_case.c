// SPDX-License-Identifier: Apache-2.0
//
// The case file: every key both ways, and what is said of a broken one.
#define _XOPEN_SOURCE 700
#include "test_spv_common.h"

#include <dirent.h>
#include <stdlib.h>
#include <sys/stat.h>
#include <unistd.h>

#define BODY                                                                                       \
    "OpCapability Shader\n"                                                                        \
    "OpMemoryModel Logical GLSL450\n"                                                              \
    "; a comment, kept\n"                                                                          \
    "%void = OpTypeVoid"
#define HEAD                                                                                       \
    "; tanglefuzz-case 1\n"                                                                        \
    "; dispatch 2 1 65535\n"                                                                       \
    "; subgroup 8\n"                                                                               \
    "; model maximal\n"

static bool parse(struct fixture *f, const char *text, struct spv_case *c, struct err *e)
{
    *e = (struct err){{0}};
    return spv_case_parse(f->tools, &f->arena, "t.spvasm", text, strlen(text), c, e);
}

static const char *printed(struct fixture *f, const struct spv_case *c)
{
    struct err e = {{0}};
    struct text out = {.arena = &f->arena};
    bool ok = spv_case_print(f->tools, c, &out, &e);
    assert_string_equal(e.msg, "");
    assert_true(ok);
    return out.v;
}

static void reads_every_key(void **state)
{
    struct fixture *f = *state;
    struct spv_case c;
    struct err e;
    static const char text[] = "; tanglefuzz-case 1\n"
                               "; dispatch 2 1 65535\n"
                               "; subgroup 128\n"
                               "; model subgroup-uniform\n"
                               "; push u32 0x60 0 7\n"
                               "; spec 3 u32 4294967295\n"
                               "; spec 4 i32 -5\n"
                               "; spec 5 f32 -1.5\n"
                               "; spec 6 f32 0x7fc00001\n"
                               "; spec 7 i32 -2147483648\n"
                               "; buffer 0:0 u32 3 0x1f 0xffffffff\n"
                               "; buffer 0:1 zero 5\n"
                               "; buffer 31:65535 seed 18446744073709551615 4\n"
                               "; image 1:0 2d 2 1 rgba32i u32 1 2 3 4 0xffffffff 6 7 8\n"
                               "; image 1:1 texels 6 r32f count 2 zero 12\n"
                               "; image 1:2 2d-array 16 8 3 r32f count 2 levels 2 values 1 -0.5 0x7f800000 4\n"
                               "; image 1:3 cube 4 rgba32i levels 1 values 1 -2 3 4\n"
                               "; sampler 1:2 linear lod 0 1 lod 0.5 1000\n"
                               "; sampler 1:4 nearest lod 0 0\n"
                               "; expect 0:0 u32 7 ? 12\n"
                               "; expect 0:1 u32 0x7f ? 0x10/0xff 0x0/0x1 9\n"
                               "; log 0:1 stride 64\n"
                               "; lanes 31:65535 packed\n"
                               "; policy direct coarse=first,own plain=coarse 5=split 12@9c3f00000000000f=join\n"
                               "; inputs 2 of 3\n"
                               "; from generator 1 choices 5f03, and  words\n"
                               "\n"
                               "; Version: 1.4\n"
                               "OpCapability Shader ; comment\n"
                               "OpMemoryModel Logical GLSL450";
    bool ok = parse(f, text, &c, &e);
    assert_string_equal(e.msg, "");
    assert_true(ok);
    assert_int_equal(c.groups[0], 2);
    assert_int_equal(c.groups[2], 65535);
    assert_int_equal(c.subgroup, 128);
    assert_int_equal(c.model, SPV_SUBGROUP_UNIFORM);
    assert_int_equal(c.push_count, 3);
    assert_int_equal(c.push[0], 96);
    assert_int_equal(c.spec_count, 5);
    assert_int_equal(c.spec[0].value, 0xffffffff);
    assert_int_equal(c.spec[1].id, 4);
    assert_int_equal(c.spec[1].value, (uint32_t)-5);
    assert_string_equal(c.spec[1].type, "i32");
    assert_int_equal(c.spec[2].value, 0xbfc00000);
    assert_int_equal(c.spec[3].value, 0x7fc00001);
    assert_int_equal(c.buffer_count, 5);
    assert_int_equal(c.buffer[0].image.count, 0);
    assert_int_equal(c.buffer[3].image.texel, SPV_RGBA32I);
    assert_int_equal(c.buffer[3].words[4], 0xffffffff);
    assert_int_equal(spv_image_words(&c.buffer[3].image), 8);
    assert_int_equal(c.buffer[4].image.shape, SPV_IMAGE_BUFFER);
    assert_int_equal(c.image_count, 2);
    assert_int_equal(c.image[0].form.shape, SPV_IMAGE_2D_ARRAY);
    assert_int_equal(c.image[0].form.size[1], 8);
    assert_int_equal(c.image[0].form.layers, 3);
    assert_int_equal(c.image[0].form.count, 2);
    assert_int_equal(c.image[0].levels, 2);
    assert_int_equal(spv_image_levels(&c.image[0].form), 5);
    assert_int_equal(c.image[0].values[1], 0xbf000000);
    assert_int_equal(c.image[0].values[2], 0x7f800000);
    assert_int_equal(c.image[1].form.size[1], 4);
    assert_int_equal(spv_image_words(&c.image[1].form), 4 * 4 * 6 * 4);
    assert_int_equal(c.sampler_count, 2);
    assert_true(c.sampler[0].linear && c.sampler[0].count == 2 && !c.sampler[1].linear);
    assert_true(c.sampler[0].lod[2] == 0.5f && c.sampler[0].lod[3] == 1000.0f);
    assert_int_equal(c.buffer[0].count, 3);
    assert_int_equal(c.buffer[0].words[1], 0x1f);
    assert_true(c.buffer[0].hex);
    assert_int_equal(c.buffer[1].fill, SPV_FILL_ZERO);
    assert_int_equal(c.buffer[1].words[4], 0);
    assert_int_equal(c.buffer[2].set, 31);
    uint32_t seeded[4];
    spv_seed_fill(UINT64_MAX, seeded, 4);
    assert_memory_equal(c.buffer[2].words, seeded, sizeof seeded);
    assert_int_equal(c.expect_count, 2);
    assert_false(c.expect[0].hex);
    assert_int_equal(c.expect[0].mask[0], 0xffffffff);
    assert_int_equal(c.expect[0].mask[1], 0);
    assert_int_equal(c.expect[1].words[2], 0x10);
    assert_int_equal(c.expect[1].mask[2], 0xff);
    assert_true(c.has_log && c.log_stride == 64 && c.log_binding == 1);
    assert_true(c.has_lanes && c.lanes_set == 31 && c.lanes_packed);
    assert_true(c.has_policy && c.policy.base == SPV_POLICY_DIRECT);
    assert_int_equal(c.policy.derivatives.x, SPV_COARSE_FIRST);
    assert_int_equal(c.policy.derivatives.y, SPV_COARSE_OWN);
    assert_true(c.policy.derivatives.plain_is_coarse);
    assert_int_equal(c.policy.count, 2);
    assert_int_equal(c.policy.at[0].label, 5);
    assert_int_equal(c.policy.at[0].instance, 0);
    assert_int_equal(c.policy.at[1].policy, SPV_POLICY_JOIN);
    assert_true(c.policy.at[1].instance == UINT64_C(0x9c3f00000000000f));
    assert_int_equal(c.inputs_at, 2);
    assert_int_equal(c.inputs_of, 3);
    assert_string_equal(c.from, "generator 1 choices 5f03, and  words");
    assert_int_equal(c.words[1], 0x00010400);
    assert_string_equal(printed(f, &c), text);
}

#define FRAGMENT                                                                                                       \
    "OpCapability Shader\nOpMemoryModel Logical GLSL450\nOpEntryPoint Fragment %1 \"main\"\n"                           \
    "OpExecutionMode %1 OriginUpperLeft\n"
#define COVERED "; buffer 0:1 zero 26\n; coverage 0:1\n"

// A fragment case in every form of cover, and back.
static void reads_the_fragment_stage(void **state)
{
    struct fixture *f = *state;
    struct spv_case c;
    struct err e;
    static const struct {
        const char *cover;
        enum spv_cover kind;
        uint32_t vertices;
    } rows[] = {{"full", SPV_COVER_FULL, 0},
                {"triangles 0 0 256 0 0 128 256 128 8 9 1 7", SPV_COVER_TRIANGLES, 6},
                {"points 8 8", SPV_COVER_POINTS, 1},
                {"lines 0 0 256 128 16 16 32 48", SPV_COVER_LINES, 4}};
    for (size_t k = 0; k < sizeof rows / sizeof *rows; k++) {
        const char *text = arena_printf(&f->arena, "; tanglefuzz-case 1\n; stage fragment\n; target 16 8\n; cover %s\n"
                                        "; subgroup 8\n; model maximal\n%s\n%s", rows[k].cover, COVERED, FRAGMENT);
        bool ok = parse(f, text, &c, &e);
        assert_string_equal(e.msg, "");
        assert_true(ok && c.stage == SPV_FRAGMENT && c.has_coverage && c.coverage_binding == 1);
        assert_int_equal(c.target[0], 16);
        assert_int_equal(c.target[1], 8);
        assert_int_equal(c.groups[0] * c.groups[1] * c.groups[2], 1);
        assert_int_equal(c.cover, rows[k].kind);
        assert_int_equal(c.vertex_count, rows[k].vertices);
        assert_string_equal(printed(f, &c), text);
    }
    assert_int_equal(c.vertex[1][0], 256);
    assert_int_equal(c.vertex[3][1], 48);
    // Rows of a coverage buffer: 2 words, then 8 lanes of 3; of 64 lanes 5 each.
    assert_int_equal(spv_coverage_at(8, 1, 2), 2 + 24 + 6);
    assert_int_equal(spv_coverage_row(64), 5);
    assert_int_equal(spv_coverage_room(8, 26), 1);
    assert_int_equal(spv_coverage_room(8, 25), 0);
    assert_int_equal(spv_coverage_x(spv_coverage_pixel(1023, 5)), 1023);
    assert_int_equal(spv_coverage_y(spv_coverage_pixel(1023, 5)), 5);
}

#define VERTEX "OpCapability Shader\nOpMemoryModel Logical GLSL450\nOpEntryPoint Vertex %1 \"main\"\n"

static void reads_the_vertex_stage(void **state)
{
    struct fixture *f = *state;
    struct spv_case c;
    struct err e = {{0}};
    struct text work = {.arena = &f->arena};
    const char *text = arena_printf(&f->arena, "; tanglefuzz-case 1\n; stage vertex\n; vertices 13\n"
                                    "; subgroup 2\n; model maximal\n%s\n%s", COVERED, VERTEX);
    if (!parse(f, text, &c, &e))
        fail_msg("%s", e.msg);
    assert_true(c.stage == SPV_VERTEX && c.has_coverage && c.target[0] == 13 && c.target[1] == 1);
    assert_int_equal(spv_case_invocations(&c, NULL), 13);
    spv_case_work(&c, &work);
    assert_string_equal(work.v, "vertex shader, 13 vertices");
    assert_string_equal(printed(f, &c), text);
}

// splitmix64 from seed 0 as published: 0xe220a8397b1dcdaf, 0x6e789e6aa1b965f4.
static void fills_from_a_seed(void **state)
{
    (void)state;
    uint32_t words[2];
    spv_seed_fill(0, words, 2);
    assert_int_equal(words[0], 0x7b1dcdaf);
    assert_int_equal(words[1], 0xa1b965f4);
}

// Accepted spellings and their usual form.
static void normalises(void **state)
{
    struct fixture *f = *state;
    static const struct {
        const char *in, *out;
    } rows[] = {
        {"; subgroup any\n", "; subgroup any\n"},
        {";  subgroup\t0x8 \r\n", "; subgroup 8\n"},
        {"; subgroup 8\n; buffer 0:0 u32 0x0A 11 0x9\n",
         "; subgroup 8\n; buffer 0:0 u32 0xa 0xb 9\n"},
        {"; buffer 0:0 zero 0x10\n; subgroup 8\n", "; subgroup 8\n; buffer 0:0 zero 16\n"},
        {"; subgroup 8\n; verdict undefined E-race\n",
         "; subgroup 8\n; verdict undefined E-race\n"},
        {"; subgroup 8\n; verdict invalid S1\n", "; subgroup 8\n; verdict invalid S1\n"},
        {"; subgroup 8\n; spec 1 f32 1.50e0\n", "; subgroup 8\n; spec 1 f32 1.5\n"},
        {"; subgroup 8\n; spec 1 f32 0.1\n", "; subgroup 8\n; spec 1 f32 0.100000001\n"},
        {"; subgroup 8\n; spec 1 f32 0x7f800000\n", "; subgroup 8\n; spec 1 f32 0x7f800000\n"},
        {"; subgroup 8\n; spec 1 f32 3\n", "; subgroup 8\n; spec 1 f32 3\n"},
        {"; subgroup 8\n; buffer 0:0 zero 2\n; expect 0:0 u32 5/0xffffffff 0/0\n",
         "; subgroup 8\n; buffer 0:0 zero 2\n; expect 0:0 u32 5 ?\n"},
        {"; from a\r\n; subgroup 8\n", "; subgroup 8\n; from a\n"},
    };
    for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
        struct spv_case c;
        struct err e;
        const char *text = arena_printf(&f->arena,
                                        "; tanglefuzz-case 1\n; model assumed-maximal\n"
                                        "; dispatch 1 1 1\n%s%s",
                                        rows[i].in, BODY);
        bool ok = parse(f, text, &c, &e);
        assert_string_equal(e.msg, "");
        assert_true(ok);
        const char *out = printed(f, &c), *after = strstr(out, "; subgroup");
        assert_true(strncmp(after, "; subgroup", 10) == 0);
        // The model comes after the subgroup; take it out to compare the rest.
        const char *nl = strchr(after, '\n') + 1;
        assert_true(strncmp(nl, "; model assumed-maximal\n", 24) == 0);
        assert_string_equal(arena_printf(&f->arena, "%.*s%s", (int)(nl - after), after, nl + 24),
                            arena_printf(&f->arena, "%s%s", rows[i].out, BODY));
        // What was printed reads and prints the same.
        assert_true(parse(f, out, &c, &e));
        assert_string_equal(printed(f, &c), out);
    }
}

struct bad {
    const char *text, *message;
};

static void refuse_all(struct fixture *f, const struct bad *rows, size_t n, const char *before,
                       const char *after)
{
    for (size_t i = 0; i < n; i++) {
        struct err e;
        struct spv_case c, untouched;
        memset(&c, 0x5a, sizeof c);
        memset(&untouched, 0x5a, sizeof untouched);
        const char *text = arena_printf(&f->arena, "%s%s%s", before, rows[i].text, after);
        bool ok = parse(f, text, &c, &e);
        assert_string_equal(e.msg, rows[i].message);
        assert_false(ok);
        assert_memory_equal(&c, &untouched, sizeof c); // never half filled
    }
}

static void refuses_beginnings(void **state)
{
    static const struct bad rows[] = {
        {"", "t.spvasm:1: not a case file: \"; tanglefuzz-case 1\" was expected"},
        {BODY, "t.spvasm:1: not a case file: \"; tanglefuzz-case 1\" was expected"},
        {"\n" HEAD BODY, "t.spvasm:1: not a case file: \"; tanglefuzz-case 1\" was expected"},
        {" " HEAD BODY, "t.spvasm:1: not a case file: \"; tanglefuzz-case 1\" was expected"},
        {"; SPIR-V\n" BODY, "t.spvasm:1: not a case file: \"; tanglefuzz-case 1\" was expected"},
        {"; tanglefuzz-case 2\n", "t.spvasm:1: case format \"2\", this program reads format 1"},
        {"; tanglefuzz-case\n",
         "t.spvasm:1: case format the end of the line, this program reads format 1"},
        {"; tanglefuzz-case 1 2\n", "t.spvasm:1: \"2\", the end of the line was expected"},
        {"; tanglefuzz-case 1\n" BODY,
         "t.spvasm:2: the metadata ends here without \"; dispatch\", which is required"},
        {"; tanglefuzz-case 1\n; dispatch 1 1 1\n; model maximal\n" BODY,
         "t.spvasm:4: the metadata ends here without \"; subgroup\", which is required"},
        {"; tanglefuzz-case 1\n; dispatch 1 1 1\n; subgroup 1\n" BODY,
         "t.spvasm:4: the metadata ends here without \"; model\", which is required"},
        {HEAD, "t.spvasm:5: no instructions, a module in SPIR-V assembly was expected"},
        {HEAD "\n; only comments\n",
         "t.spvasm:5: no instructions, a module in SPIR-V assembly was expected"},
        {HEAD "OpCapability Shader\nOpFoo\n",
         "t.spvasm:6: not SPIR-V assembly: Invalid Opcode name 'OpFoo'"},
        {HEAD "\n; c\n\n%1 = OpTypeInt 32 x\n\n",
         "t.spvasm:8: not SPIR-V assembly: Invalid unsigned integer literal: x"},
    };
    refuse_all(*state, rows, sizeof rows / sizeof *rows, "", "");
}

// What does not go with a stage, and a module of another one.
static void refuses_stages(void **state)
{
    struct fixture *f = *state;
    static const struct {
        const char *keys, *module, *message;
    } rows[] = {
        {"; stage pixel\n", FRAGMENT, "t.spvasm:2: stage: the stage is \"pixel\", one of compute, fragment, vertex was expected"},
        {"; stage fragment\n; target 0 8\n", FRAGMENT,
         "t.spvasm:3: target: a side of the target is \"0\", a number from 1 to 1024 was expected"},
        {"; target 8 16384\n", FRAGMENT,
         "t.spvasm:2: target: a side of the target is \"16384\", a number from 1 to 1024 was expected"},
        {"; target 128 128\n", FRAGMENT, "t.spvasm:2: target: 128 x 128 pixels, at most 4096 in all were expected"},
        {"; cover circle\n", FRAGMENT,
         "t.spvasm:2: cover: \"circle\", full, triangles, points or lines was expected"},
        {"; cover triangles 0 0 1 1\n", FRAGMENT,
         "t.spvasm:2: cover: 4 numbers, whole triangles of 6 each were expected"},
        {"; cover points 0 16385\n", FRAGMENT, "t.spvasm:2: cover: vertex 0 is outside of the target"},
        {"; cover points\n", FRAGMENT, "t.spvasm:2: cover: no words, at least one was expected"},
        {"; stage fragment\n; target 8 8\n; cover points 0 0 0 129\n; subgroup 8\n; model maximal\n" COVERED,
         FRAGMENT, "t.spvasm:4: cover: vertex 1, at 0 129, is outside of the target, which ends at 128 128 "
         "(sixteenths of a pixel)"},
        {"; stage fragment\n; target 8 8\n; subgroup 8\n; model maximal\n" COVERED, FRAGMENT,
         "t.spvasm:8: the metadata ends here without \"; cover\", which is required"},
        {"; stage fragment\n; target 8 8\n; cover full\n; subgroup 8\n; model maximal\n", FRAGMENT,
         "t.spvasm:7: the metadata ends here without \"; coverage\", which is required"},
        {"; stage fragment\n; dispatch 1 1 1\n; target 8 8\n; cover full\n; subgroup 8\n; model maximal\n" COVERED,
         FRAGMENT, "t.spvasm:3: dispatch is not allowed with \"stage fragment\""},
        {"; dispatch 1 1 1\n; target 8 8\n; subgroup 8\n; model maximal\n", FRAGMENT,
         "t.spvasm:3: target is not allowed with \"stage compute\""},
        {"; stage fragment\n; target 8 8\n; cover full\n; subgroup 8\n; model maximal\n; coverage 0:1\n", FRAGMENT,
         "t.spvasm:7: coverage 0:1 has no such buffer"},
        {"; stage fragment\n; target 8 8\n; cover full\n; subgroup 8\n; model maximal\n"
         "; buffer 0:1 zero 25\n; coverage 0:1\n", FRAGMENT,
         "t.spvasm:8: coverage 0:1 has 25 words, at least 26, for one subgroup of 8, were expected"},
        {"; stage fragment\n; target 8 8\n; cover full\n; subgroup 2\n; model maximal\n" COVERED, FRAGMENT,
         "t.spvasm:8: coverage with subgroup size 2, which is smaller than a quad"},
        {"; stage fragment\n; target 1 1\n; cover full\n; subgroup 4\n; model maximal\n"
         "; buffer 0:1 seed 1 64\n; coverage 0:1\n", FRAGMENT,
         "t.spvasm:8: coverage 0:1: word 0 of the buffer is 2298633409, zeros were expected"},
        {"; dispatch 1 1 1\n; subgroup 8\n; model maximal\n", FRAGMENT,
         "t.spvasm:5: the module's entry point is of the stage fragment, \"; stage fragment\" was expected"},
        {"; stage fragment\n; target 8 8\n; cover full\n; subgroup 8\n; model maximal\n" COVERED,
         "OpEntryPoint GLCompute %1 \"main\"\n",
         "t.spvasm:9: the module's entry point is of the stage compute, \"; stage compute\" was expected"},
        {"; stage fragment\n; target 8 8\n; cover full\n; subgroup 8\n; model maximal\n" COVERED,
         "OpEntryPoint TessellationControl %1 \"main\"\n",
         "t.spvasm:9: the module has no entry point of the stage fragment"},
        {"; vertices 4097\n", VERTEX,
         "t.spvasm:2: vertices: the number of vertices is \"4097\", a number from 1 to 4096 was expected"},
        {"; stage vertex\n; subgroup 8\n; model maximal\n" COVERED, VERTEX,
         "t.spvasm:7: the metadata ends here without \"; vertices\", which is required"},
        {"; stage vertex\n; target 8 8\n; vertices 8\n; subgroup 8\n; model maximal\n" COVERED, VERTEX,
         "t.spvasm:3: target is not allowed with \"stage vertex\""},
        {"; stage fragment\n; target 8 8\n; cover full\n; vertices 8\n; subgroup 8\n; model maximal\n" COVERED, FRAGMENT,
         "t.spvasm:5: vertices is not allowed with \"stage fragment\""},
        {"; stage vertex\n; vertices 8\n; subgroup 8\n; model maximal\n; buffer 0:1 zero 26\n; lanes 0:1\n"
         "; coverage 0:1\n", VERTEX, "t.spvasm:7: lanes is not allowed with \"stage vertex\""},
    };
    for (size_t k = 0; k < sizeof rows / sizeof *rows; k++) {
        struct spv_case c;
        struct err e = {{0}};
        assert_false(parse(f, arena_printf(&f->arena, "; tanglefuzz-case 1\n%s\n%s", rows[k].keys, rows[k].module), &c, &e));
        assert_string_equal(e.msg, rows[k].message);
    }
}

static void refuses_keys(void **state)
{
#define AT "t.spvasm:5: "
    static const struct bad rows[] = {
        #define KEYS_LINE "; the keys are stage, dispatch, target, cover, vertices, subgroup, model, push, spec, buffer, image, sampler, expect, log, "      \
                  "lanes, coverage, policy, verdict, inputs, from (a comment may stand after an empty line)"
        {"; sub 1", AT "unknown key \"sub\"" KEYS_LINE},
        {";", AT "unknown key the end of the line" KEYS_LINE},
        {"; tanglefuzz-case 1", AT "unknown key \"tanglefuzz-case\"" KEYS_LINE},
        {"; dispatch 1 1 1", AT "dispatch appears twice, first on line 2"},
        {"; model maximal", AT "model appears twice, first on line 4"},
        {"; push 1", AT "push: \"1\", \"u32\" was expected"},
        {"; push u32", AT "push: no words, at least one was expected"},
        {"; push u32 1 -1", AT "push: word 1 is \"-1\", a 32-bit number was expected"},
        {"; push u32 1\n; push u32 1",
         "t.spvasm:6: push appears twice, first on line 5"},
        {"; push u32 0 1 2 3 4 5 6 7 8 9 0 1 2 3 4 5 6 7 8 9 0 1 2 3 4 5 6 7 8 9 0 1 2 3 4 5 6 7 8 "
         "9 0 1 2 3 4 5 6 7 8 9 0 1 2 3 4 5 6 7 8 9 0 1 2 3 4",
         AT "push: more than 64 words"},
        {"; spec x u32 1",
         AT "spec: the SpecId is \"x\", a number from 0 to 4294967295 was expected"},
        {"; spec 1 u64 1", AT "spec: \"u64\", u32, i32 or f32 was expected"},
        {"; spec 1 u32 1.5", AT "spec: the value is \"1.5\", a number of type u32 was expected"},
        {"; spec 1 u32 -1", AT "spec: the value is \"-1\", a number of type u32 was expected"},
        {"; spec 1 i32 -2147483649",
         AT "spec: the value is \"-2147483649\", a number of type i32 was expected"},
        {"; spec 1 f32 inf", AT "spec: the value is \"inf\", a number of type f32 was expected"},
        {"; spec 1 f32 1e99", AT "spec: the value is \"1e99\", a number of type f32 was expected"},
        {"; spec 1 f32", AT "spec: the value is the end of the line, a number of type f32 was "
                            "expected"},
        {"; spec 1 u32 1 1", AT "spec: \"1\", the end of the line was expected"},
        {"; spec 1 u32 1\n; spec 1 u32 1", "t.spvasm:6: spec: spec 1 appears twice"},
        {"; buffer 0", AT "buffer: \"0\", SET:BINDING such as 0:1 was expected"},
        {"; buffer 0: zero 1", AT "buffer: \"0:\", SET:BINDING such as 0:1 was expected"},
        {"; buffer 0:0 x0 zero 1", AT "buffer: \"x0\", x and the number of buffers (1 to 4096) was expected"},
        {"; buffer 0:0 x3 zero 4", AT "buffer: 4 words, the same number for each of 3 buffers was expected"},
        {"; buffer 32:1 zero 1",
         AT "buffer: \"32:1\", a set below 32 and a binding below 65536 were expected"},
        {"; buffer 0:65536 zero 1",
         AT "buffer: \"0:65536\", a set below 32 and a binding below 65536 were expected"},
        {"; buffer 0:0 f32 1", AT "buffer: \"f32\", u32, zero, seed or file was expected"},
        {"; buffer 0:0 u32", AT "buffer: no words, at least one was expected"},
        {"; buffer 0:0 u32 4294967296",
         AT "buffer: word 0 is \"4294967296\", a 32-bit number was expected"},
        {"; buffer 0:0 u32 ?", AT "buffer: word 0 is \"?\", a 32-bit number was expected"},
        {"; buffer 0:0 zero 0",
         AT "buffer: the number of words is \"0\", a number from 1 to 67108864 was expected"},
        {"; buffer 0:0 zero 67108865", AT
         "buffer: the number of words is \"67108865\", a number from 1 to 67108864 was expected"},
        {"; buffer 0:0 zero 1 2", AT "buffer: \"2\", the end of the line was expected"},
        {"; buffer 0:0 seed 18446744073709551616 1",
         AT "buffer: the seed is \"18446744073709551616\", a number from 0 to 18446744073709551615 "
            "was expected"},
        {"; buffer 0:0 seed 1",
         AT "buffer: the number of words is the end of the line, a number from 1 to 67108864 was "
            "expected"},
        {"; buffer 0:0 zero 1\n; buffer 0:0 zero 1",
         "t.spvasm:6: buffer: buffer 0:0 appears twice"},
        {"; buffer 0:0 zero 67108864\n; buffer 0:1 zero 67108864\n; buffer 0:2 zero 67108864\n"
         "; buffer 0:3 zero 67108864\n; buffer 0:4 zero 1",
         "t.spvasm:9: buffer: the buffers hold 1073741828 bytes up to here, at most 1073741824 are "
         "allowed"},
        {"; buffer 0:0 file", AT "buffer: the end of the line, the plain name of a file next to the "
                                 "case was expected"},
        {"; buffer 0:0 file ../x",
         AT "buffer: \"../x\", the plain name of a file next to the case was expected"},
        {"; buffer 0:0 file /etc/passwd",
         AT "buffer: \"/etc/passwd\", the plain name of a file next to the case was expected"},
        {"; buffer 0:0 file ..",
         AT "buffer: \"..\", the plain name of a file next to the case was expected"},
        {"; buffer 0:0 file no-such-file-here",
         AT "buffer: no-such-file-here: cannot open: No such file or directory"},
        {"; buffer 0:0 zero 1\n; image 0:0 2d 4 4 r32f levels 1 values 1", "t.spvasm:6: image: 0:0 appears twice"},
        {"; image 0:0 4d", AT "image: the shape is \"4d\", 1d, 2d, 3d, cube, 1d-array, 2d-array, cube-array, texels, 2d-ms or 2d-ms-array was expected"},
        {"; image 0:0 2d 4 r32f levels 1 values 1", AT "image: the height is \"r32f\", a number from 1 to 4096 was expected"},
        {"; image 0:0 3d 4 4 257 r32f", AT "image: the depth is \"257\", a number from 1 to 256 was expected"},
        {"; image 0:0 cube-array 4 43 r32f", AT "image: the number of layers is \"43\", a number from 1 to 42 was expected"},
        {"; image 0:0 2d 4 4 r16f", AT "image: the format is \"r16f\", r32f, r32i, r32ui, rgba32f, rgba32i or rgba32ui was expected"},
        {"; image 0:0 2d 4 4 r32f count 65 levels 1 values 1", AT "image: the number of descriptors is \"65\", a number from 1 to 64 was expected"},
        {"; image 0:0 2d 4 4 r32f", AT "image: the end of the line, \"levels\" (a sampled image) or u32, zero, seed or file (a storage image) was expected"},
        {"; image 0:0 2d 4 4 r32f levels 4 values 1", AT "image: the number of levels is \"4\", a number from 1 to 3 was expected"},
        {"; image 0:0 2d 4 4 r32f levels 0", AT "image: the number of levels is \"0\", a number from 1 to 3 was expected"},
        {"; image 0:0 2d 4 4 r32f levels 2", AT "image: the end of the line, \"values\" was expected"},
        {"; image 0:0 2d 4 4 r32f levels 2 values 1", AT "image: value 1 is the end of the line, 2 numbers of type f32 were expected (1 descriptors, 2 levels, 1 components)"},
        {"; image 0:0 2d 4 4 r32ui levels 1 values 1.5", AT "image: value 0 is \"1.5\", 1 numbers of type u32 were expected (1 descriptors, 1 levels, 1 components)"},
        {"; image 0:0 2d 4 4 r32ui levels 1 values 1 2", AT "image: \"2\", the end of the line was expected"},
        {"; image 0:0 2d 4 4 r32ui zero 15", AT "image: 15 words, a storage image of this size and format has 16"},
        {"; sampler 0:0 cubic", AT "sampler: \"cubic\", nearest or linear (between levels) was expected"},
        {"; sampler 0:0 nearest", AT "sampler: the end of the line, \"lod MIN MAX\" was expected"},
        {"; sampler 0:0 nearest lod nan 1", AT "sampler: the smallest LOD is \"nan\", a number from -16 to 1000 was expected"},
        {"; sampler 0:0 nearest lod 0 1e9", AT "sampler: the largest LOD is \"1e9\", a number from -16 to 1000 was expected"},
        {"; sampler 0:0 nearest lod 2 1", AT "sampler: the smallest LOD 2 is above the largest 1"},
        {"; sampler 0:0 nearest lod 0 1\n; sampler 0:0 nearest lod 0 1", "t.spvasm:6: sampler: sampler 0:0 appears twice"},
        {"; buffer 0:0 zero 1\n; sampler 0:0 nearest lod 0 1", "t.spvasm:6: sampler 0:0 has the binding of a buffer or storage image"},
        {"; image 0:0 2d 4 4 r32f levels 1 values 1\n; sampler 0:0 nearest lod 0 1 lod 0 0", "t.spvasm:6: 0:0 has 1 images and 2 samplers, equal numbers were expected where they are combined"},
        {"; expect 0:0 u32 1", AT "expect 0:0 has no buffer 0:0"},
        {"; expect 0:0 u32 1\n; buffer 0:0 zero 2", AT "expect 0:0 has 1 words, the buffer has 2"},
        {"; expect 0:0 1", AT "expect: \"1\", \"u32\" was expected"},
        {"; expect 0:0 u32", AT "expect: no words, at least one was expected"},
        {"; expect 0:0 u32 x",
         AT "expect: word 0 is \"x\", a 32-bit number, ? or VALUE/MASK was expected"},
        {"; expect 0:0 u32 1/", AT "expect: word 0 is \"1/\", VALUE/MASK of two 32-bit numbers was "
                                   "expected"},
        {"; expect 0:0 u32 0 0x10/0xf",
         AT "expect: word 1 is \"0x10/0xf\", a value with bits only inside its mask was expected"},
        {"; buffer 0:0 zero 1\n; expect 0:0 u32 1\n; expect 0:0 u32 1",
         "t.spvasm:7: expect: expect 0:0 appears twice"},
        {"; buffer 0:0 zero 1\n; expect 0:0 u32 1\n; verdict undefined E-race",
         "t.spvasm:6: expect with a verdict: such a program has no memory to expect"},
        {"; log 0:0", AT "log: the end of the line, \"stride\" was expected"},
        {"; log 0:0 stride 0",
         AT "log: the stride is \"0\", a number from 1 to 67108864 was expected"},
        {"; log 0:0 stride 1", AT "log 0:0 has no such buffer"},
        {"; lanes 0:0", AT "lanes 0:0 has no such buffer"},
        {"; lanes 0:0 1", AT "lanes: \"1\", the end of the line was expected"},
        {"; lanes 0:0 packed 1", AT "lanes: \"1\", the end of the line was expected"},
        {"; policy join 5", AT "policy: \"5\", LABEL=POLICY or LABEL@INSTANCE=POLICY was expected"},
        {"; policy join 0=split", AT "policy: \"0=split\", LABEL=POLICY or LABEL@INSTANCE=POLICY was expected"},
        {"; policy join 5@=split", AT "policy: \"5@=split\", LABEL=POLICY or LABEL@INSTANCE=POLICY was expected"},
        {"; policy join 5@0=split", AT "policy: \"5@0=split\", LABEL=POLICY or LABEL@INSTANCE=POLICY was expected"},
        {"; policy join 5@12345678123456781=split", AT "policy: \"5@12345678123456781=split\", LABEL=POLICY or LABEL@INSTANCE=POLICY was expected"},
        {"; policy join 5@1x=split", AT "policy: \"5@1x=split\", LABEL=POLICY or LABEL@INSTANCE=POLICY was expected"},
        {"; policy join 5=", AT "policy: \"5=\", LABEL=POLICY or LABEL@INSTANCE=POLICY was expected"},
        {"; policy join coarse=first", AT "policy: \"coarse=first\", coarse=X,Y (each own, first or other, not both own) or plain=coarse was expected"},
        {"; policy join coarse=own,own", AT "policy: \"coarse=own,own\", coarse=X,Y (each own, first or other, not both own) or plain=coarse was expected"},
        {"; policy join plain=fine", AT "policy: \"plain=fine\", coarse=X,Y (each own, first or other, not both own) or plain=coarse was expected"},
        {"; policy any", AT "policy: the policy is \"any\", join, direct or split was expected"},
        {"; verdict wrong", AT "verdict: the verdict is \"wrong\", \"undefined RULE\" or \"invalid "
                               "RULE\" was expected"},
        {"; verdict undefined",
         AT "verdict: the end of the line, the violated rule was expected"},
        {"; inputs 0 of 1",
         AT "inputs: the input set is \"0\", a number from 1 to 4294967295 was expected"},
        {"; inputs 2 of 1", AT "inputs: the number of input sets is \"1\", a number from 2 to "
                               "4294967295 was expected"},
        {"; inputs 1 2", AT "inputs: \"2\", \"of\" was expected"},
        {"; from", AT "from: the end of the line, the origin of the case was expected"},
        {"; from a\rb", AT "a control character (byte 13), text was expected"},
        {"; policy \x1b[31m", AT "a control character (byte 27), text was expected"},
        {"; buffer 0:0 zero \xc3\xff", AT "buffer: the number of words is \"??\", a number from 1 "
                                          "to 67108864 was expected"},
        {"; policy aaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaa", AT
         "policy: the policy is \"aaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaa...\", join, direct or "
         "split was expected"},
    };
    refuse_all(*state, rows, sizeof rows / sizeof *rows, HEAD, "\n" BODY);
    static const struct bad sizes[] = {
        {"; subgroup 0", ""}, {"; subgroup 3", ""},   {"; subgroup 256", ""},
        {"; subgroup", ""},   {"; subgroup all", ""}, {"; subgroup -8", ""},
    };
    for (size_t i = 0; i < sizeof sizes / sizeof *sizes; i++) {
        struct err e;
        struct spv_case c;
        struct fixture *f = *state;
        const char *text = arena_printf(
            &f->arena, "; tanglefuzz-case 1\n; dispatch 1 1 1\n%s\n; model maximal\n%s",
            sizes[i].text, BODY);
        assert_false(parse(f, text, &c, &e));
        assert_non_null(strstr(e.msg, "t.spvasm:3: subgroup: the subgroup size is "));
        assert_non_null(strstr(e.msg, ", a power of two from 1 to 128, or \"any\", was expected"));
    }
    static const struct bad dispatches[] = {
        {"; dispatch 0 1 1", "t.spvasm:2: dispatch: a number of workgroups is \"0\", a number from "
                             "1 to 65535 was expected"},
        {"; dispatch 1 1 65536", "t.spvasm:2: dispatch: a number of workgroups is \"65536\", a "
                                 "number from 1 to 65535 was expected"},
        {"; dispatch 1 1", "t.spvasm:2: dispatch: a number of workgroups is the end of the line, a "
                           "number from 1 to 65535 was expected"},
        {"; dispatch 1 1 1 1", "t.spvasm:2: dispatch: \"1\", the end of the line was expected"},
        {"; model maximum", "t.spvasm:2: model: the model is \"maximum\", maximal, "
                            "subgroup-uniform, workgroup-uniform or assumed-maximal was expected"},
        {"; subgroup any\n; buffer 0:0 zero 1\n; expect 0:0 u32 1\n; dispatch 1 1 1\n"
         "; model maximal",
         "t.spvasm:4: expect with \"subgroup any\", which has no single result"},
    };
    refuse_all(*state, dispatches, sizeof dispatches / sizeof *dispatches, "; tanglefuzz-case 1\n",
               "\n" BODY);
}

static void refuses_nul_bytes(void **state)
{
    struct fixture *f = *state;
    static const char text[] = HEAD "OpCapability Shader\n\0OpNop\n";
    struct spv_case c;
    struct err e = {{0}};
    assert_false(spv_case_parse(f->tools, &f->arena, "t.spvasm", text, sizeof text - 1, &c, &e));
    assert_string_equal(e.msg, "t.spvasm:6: a NUL byte, assembly text was expected");
    static const char key[] = HEAD "; from a\0b\n" BODY;
    assert_false(spv_case_parse(f->tools, &f->arena, "t.spvasm", key, sizeof key - 1, &c, &e));
    assert_string_equal(e.msg, "t.spvasm:5: a control character (byte 0), text was expected");
}

static void makes_and_reads_files(void **state)
{
    struct fixture *f = *state;
    struct err e = {{0}};
    char dir[] = "/tmp/tanglefuzz-test-XXXXXX";
    assert_non_null(mkdtemp(dir));
    const char *words = arena_printf(&f->arena, "%s/in.bin", dir);
    const char *path = arena_printf(&f->arena, "%s/a.spvasm", dir);
    const char *copy = arena_printf(&f->arena, "%s/b.spvasm", dir);
    const char *bare = arena_printf(&f->arena, "%s/c.spv", dir);
    static const uint32_t data[] = {1, 0xdeadbeef, 3};
    static const char text[] = HEAD "; buffer 0:0 file in.bin\n" BODY;
    assert_true(file_write(words, data, sizeof data, &e));
    assert_true(file_write(path, text, sizeof text - 1, &e));
    struct spv_case c, again;
    bool ok = spv_case_read(f->tools, &f->arena, path, &c, &e);
    assert_string_equal(e.msg, "");
    assert_true(ok);
    assert_string_equal(c.path, path);
    assert_int_equal(c.buffer[0].fill, SPV_FILL_FILE);
    assert_string_equal(c.buffer[0].file, "in.bin");
    assert_int_equal(c.buffer[0].count, 3);
    assert_memory_equal(c.buffer[0].words, data, sizeof data);
    // Written elsewhere it still names the file, and does not touch it.
    c.buffer[0].words[0] = 99;
    assert_true(spv_case_write(f->tools, &c, copy, &e));
    assert_true(spv_case_read(f->tools, &f->arena, copy, &again, &e));
    assert_memory_equal(again.buffer[0].words, data, sizeof data);
    assert_string_equal(printed(f, &again), text);
    assert_false(spv_case_write(f->tools, &c, "/no-such-folder/x.spvasm", &e));
    assert_non_null(strstr(e.msg, "/no-such-folder/x.spvasm"));
    // Broken data files.
    assert_true(file_write(words, data, 7, &e));
    assert_false(spv_case_read(f->tools, &f->arena, path, &c, &e));
    assert_string_equal(e.msg, arena_printf(&f->arena,
                                            "%s:5: buffer: %s has 7 bytes, whole 4-byte words "
                                            "were expected",
                                            path, words));
    assert_true(file_write(words, data, 0, &e));
    assert_false(spv_case_read(f->tools, &f->arena, path, &c, &e));
    // Bare words.
    assert_true(file_write(bare, again.words, again.count * 4, &e));
    assert_true(spv_case_read(f->tools, &f->arena, bare, &c, &e));
    assert_int_equal(c.count, again.count);
    assert_memory_equal(c.words, again.words, c.count * 4);
    assert_int_equal(c.groups[0] * c.groups[1] * c.groups[2], 1);
    assert_int_equal(c.buffer_count + c.subgroup, 0);
    assert_null(c.body);
    assert_non_null(strstr(printed(f, &c), "; subgroup any\n"));
    assert_true(file_write(bare, again.words, 22, &e));
    assert_false(spv_case_read(f->tools, &f->arena, bare, &c, &e));
    assert_string_equal(e.msg, arena_printf(&f->arena,
                                            "%s: 22 bytes, a whole number of at least "
                                            "five 4-byte words was expected of a .spv "
                                            "file",
                                            bare));
    unlink(words), unlink(path), unlink(copy), unlink(bare), rmdir(dir);
    assert_false(spv_case_read(f->tools, &f->arena, path, &c, &e));
    assert_string_equal(
        e.msg, arena_printf(&f->arena, "%s: cannot open: No such file or directory", path));
}

// A case made in memory: printed, read, and the same words, of any version.
static void prints_cases_made_in_memory(void **state)
{
    struct fixture *f = *state;
    for (uint32_t version = 0x00010000; version <= 0x00010600; version += 0x100) {
        struct spv_case c = {.groups = {3, 2, 1}, .subgroup = 16}, again;
        struct err e;
        size_t count;
        uint32_t *words = assembled(f, SAMPLE, &count), four[] = {1, 2, 30, 4};
        words[1] = version;
        c.words = words;
        c.count = count;
        c.buffer_count = c.expect_count = 1;
        c.buffer[0] = (struct spv_buffer){.binding = 3, .count = 4, .words = four};
        c.expect[0] = (struct spv_memory){.binding = 3, .count = 4, .words = four, .hex = true};
        bool ok = parse(f, printed(f, &c), &again, &e);
        assert_string_equal(e.msg, "");
        assert_true(ok);
        assert_int_equal(again.count, count);
        assert_memory_equal(again.words, words, count * 4);
        assert_memory_equal(again.buffer[0].words, four, sizeof four);
        assert_memory_equal(again.expect[0].words, four, sizeof four);
        assert_non_null(strstr(printed(f, &c), "; expect 0:3 u32 1 2 0x1e 4\n"));
        assert_string_equal(printed(f, &again), printed(f, &c));
    }
}

static void reads_memory_files(void **state)
{
    struct fixture *f = *state;
    struct err e = {{0}};
    struct spv_memory m[3];
    size_t n;
    static const char text[] = "memory 0:1 u32 7 7 ? 12\nmemory 1:0 u32 0xff ? 0x1f/0xff\n";
    assert_true(spv_memory_parse(&f->arena, "m", text, strlen(text), m, 3, &n, &e));
    assert_int_equal(n, 2);
    assert_int_equal(m[0].count, 4);
    assert_int_equal(m[0].mask[2], 0);
    assert_int_equal(m[1].words[2], 0x1f);
    struct text out = {.arena = &f->arena};
    spv_memory_print(m, n, &out);
    assert_string_equal(out.v, text);
    assert_true(spv_memory_parse(&f->arena, "m", "\nmemory 0:0 u32 1", 17, m, 3, &n, &e));
    assert_int_equal(n, 1);
    assert_null(m[0].mask);
    static const struct bad rows[] = {
        {"memory 0:0 u32 1\nmem 0:1 u32 1\n",
         "m:2: \"mem\", \"memory SET:BINDING u32 WORD...\" was expected"},
        {"memory 0:0 u32 1\nmemory 0:0 u32 1\n", "m:2: memory 0:0 appears twice"},
        {"memory 0:0 u32 1\n\nmemory 0:1 u32 1\nmemory 0:2 u32 1\nmemory 0:3 u32 1\n",
         "m:5: more than 3 buffers"},
        {"memory 0:0 u32 1 1/2/3\n",
         "m:1: word 1 is \"1/2/3\", VALUE/MASK of two 32-bit numbers was expected"},
    };
    for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
        n = 77;
        assert_false(
            spv_memory_parse(&f->arena, "m", rows[i].text, strlen(rows[i].text), m, 3, &n, &e));
        assert_string_equal(e.msg, rows[i].message);
        assert_int_equal(n, 77);
    }
}

static void finds_the_workgroup_size(void **state)
{
    struct fixture *f = *state;
#define ENTRY                                                                                      \
    "OpCapability Shader\nOpMemoryModel Logical GLSL450\nOpEntryPoint GLCompute %2 \"m\"\n"
#define TYPES "%3 = OpTypeInt 32 0\n%4 = OpTypeVector %3 3\n"
    static const struct {
        const char *text;
        uint32_t size[3];
        const char *message;
    } rows[] = {
        {ENTRY "OpExecutionMode %2 LocalSize 8 4 2\n", {8, 4, 2}, ""},
        {ENTRY "OpExecutionMode %9 LocalSize 7 7 7\nOpExecutionMode %2 LocalSize 8 4 2\n",
         {8, 4, 2},
         ""},
        {ENTRY "OpExecutionModeId %2 LocalSizeId %5 %6 %5\nOpDecorate %6 SpecId 9\n" TYPES
               "%5 = OpConstant %3 2\n%6 = OpSpecConstant %3 3\n",
         {2, 3, 2},
         ""},
        {ENTRY "OpExecutionModeId %2 LocalSizeId %5 %6 %5\nOpDecorate %6 SpecId 1\n" TYPES
               "%5 = OpConstant %3 2\n%6 = OpSpecConstant %3 3\n",
         {2, 64, 2},
         ""},
        {ENTRY "OpExecutionMode %2 LocalSize 1 1 1\nOpDecorate %7 BuiltIn WorkgroupSize\n"
               "OpDecorate %6 SpecId 1\n" TYPES "%5 = OpConstant %3 2\n%6 = OpSpecConstant %3 3\n"
               "%7 = OpSpecConstantComposite %4 %6 %5 %5\n",
         {64, 2, 2},
         ""},
        {"OpCapability Shader\n", {0}, "workgroup size: the module has no GLCompute entry point"},
        {ENTRY,
         {0},
         "workgroup size: entry point %2 has no LocalSize, LocalSizeId or WorkgroupSize"},
        {ENTRY "OpExecutionMode %2 LocalSize 8 0 2\n",
         {0},
         "workgroup size: 8 x 0 x 2, at least 1 x 1 x 1 was expected"},
        {ENTRY "OpExecutionModeId %2 LocalSizeId %5 %6 %5\n" TYPES "%6 = OpConstant %3 2\n",
         {0},
         "workgroup size: %5 is not defined, a 32-bit OpConstant or OpSpecConstant was expected"},
        {ENTRY "OpDecorate %3 BuiltIn WorkgroupSize\n" TYPES,
         {0},
         "workgroup size: %3 is decorated WorkgroupSize, a constant of three components was "
         "expected"},
    };
    for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
        struct spv_case c = {.spec_count = 1, .spec = {{1, 64, "u32"}}};
        struct spv_module m;
        struct err e = {{0}};
        size_t count;
        uint32_t size[3] = {0};
        uint32_t *words = assembled(f, rows[i].text, &count);
        assert_true(spv_module_read(&f->arena, words, count, &m, &e));
        assert_int_equal(spv_local_size(&c, &m, size, &e), rows[i].message[0] == 0);
        assert_string_equal(e.msg, rows[i].message);
        assert_memory_equal(size, rows[i].size, sizeof size);
    }
}

// Cases of an independent generator (corpus/external): the same bytes again, the same text
// from the words, and valid.
static void agrees_with_external_cases(void **state)
{
    struct fixture *f = *state;
    const char *source = getenv("SOURCE_DIR");
    const char *dir = arena_printf(&f->arena, "%s/corpus/external", source ? source : ".");
    DIR *d = opendir(dir);
    assert_non_null(d);
    int seen = 0;
    for (struct dirent *entry; (entry = readdir(d));) {
        if (!strstr(entry->d_name, ".spvasm"))
            continue;
        struct arena a = {0};
        struct err e = {{0}};
        struct spv_case c;
        struct spv_module m;
        char *data;
        size_t size;
        const char *path = arena_printf(&a, "%s/%s", dir, entry->d_name), *text;
        assert_true(file_read(&a, path, 1 << 28, &data, &size, &e));
        bool ok = spv_case_parse(f->tools, &a, path, data, size, &c, &e);
        assert_string_equal(e.msg, "");
        assert_true(ok);
        struct text out = {.arena = &a};
        assert_true(spv_case_print(f->tools, &c, &out, &e));
        assert_int_equal(out.n, size);
        assert_memory_equal(out.v, data, size);
        assert_true(spv_disassemble(f->tools, &a, c.words, c.count, &text, &e));
        assert_true(strcmp(text, c.body) == 0);
        assert_true(spv_module_read(&a, c.words, c.count, &m, &e));
        assert_true(spv_validate(f->tools, SPV_ENV_VULKAN_1_3, c.words, c.count, &e));
        arena_free(&a);
        seen++;
    }
    closedir(d);
    assert_int_equal(seen, 114);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(reads_every_key),
        cmocka_unit_test(fills_from_a_seed),
        cmocka_unit_test(normalises),
        cmocka_unit_test(refuses_beginnings),
        cmocka_unit_test(reads_the_fragment_stage),
        cmocka_unit_test(reads_the_vertex_stage),
        cmocka_unit_test(refuses_stages),
        cmocka_unit_test(refuses_keys),
        cmocka_unit_test(refuses_nul_bytes),
        cmocka_unit_test(makes_and_reads_files),
        cmocka_unit_test(prints_cases_made_in_memory),
        cmocka_unit_test(reads_memory_files),
        cmocka_unit_test(finds_the_workgroup_size),
        cmocka_unit_test(agrees_with_external_cases),
    };
    return cmocka_run_group_tests_name("spv_case", tests, fixture_up, fixture_down);
}
