// SPDX-License-Identifier: Apache-2.0
//
// What the runners' tests share: small shaders, cases of them, and lavapipe.
#ifndef TF_TEST_RUN_COMMON_H
#define TF_TEST_RUN_COMMON_H

#include "runners/runners.h"

#include <setjmp.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#define LAVAPIPE "vulkan:driver=lavapipe"

struct fixture {
    struct arena arena;
    struct spv_tools *tools;
    const char *self;
    struct run_target *lavapipe; // NULL: see why
    struct err why;
};

// ---- shaders ------------------------------------------------------------------

// `interface`: more ids for OpEntryPoint; `modes`, `decorations`: more lines.
#define SHADER_HEAD(capabilities, interface, local, modes, decorations)                            \
    "OpCapability Shader\n" capabilities "OpMemoryModel Logical GLSL450\n"                         \
    "OpEntryPoint GLCompute %main \"main\" %gid %in %out " interface "\n"                          \
    "OpExecutionMode %main LocalSize " local "\n" modes                                            \
    "OpDecorate %gid BuiltIn GlobalInvocationId\n"                                                 \
    "OpDecorate %words ArrayStride 4\n"                                                            \
    "OpDecorate %block Block\n"                                                                    \
    "OpMemberDecorate %block 0 Offset 0\n"                                                         \
    "OpDecorate %in DescriptorSet 0\nOpDecorate %in Binding 0\n"                                   \
    "OpDecorate %out DescriptorSet 0\nOpDecorate %out Binding 1\n" decorations                     \
    "%void = OpTypeVoid\n%fn = OpTypeFunction %void\n"                                             \
    "%u32 = OpTypeInt 32 0\n%bool = OpTypeBool\n%v3 = OpTypeVector %u32 3\n"                       \
    "%p_v3 = OpTypePointer Input %v3\n%p_in = OpTypePointer Input %u32\n"                          \
    "%gid = OpVariable %p_v3 Input\n"                                                              \
    "%words = OpTypeRuntimeArray %u32\n%block = OpTypeStruct %words\n"                             \
    "%p_block = OpTypePointer StorageBuffer %block\n"                                              \
    "%p_u32 = OpTypePointer StorageBuffer %u32\n"                                                  \
    "%in = OpVariable %p_block StorageBuffer\n%out = OpVariable %p_block StorageBuffer\n"          \
    "%c0 = OpConstant %u32 0\n%c1 = OpConstant %u32 1\n%c2 = OpConstant %u32 2\n"                  \
    "%c3 = OpConstant %u32 3\n"
#define SHADER_MAIN                                                                                \
    "%main = OpFunction %void None %fn\n%entry = OpLabel\n"                                        \
    "%gid_x = OpAccessChain %p_in %gid %c0\n%i = OpLoad %u32 %gid_x\n"                             \
    "%in_i = OpAccessChain %p_u32 %in %c0 %i\n%out_i = OpAccessChain %p_u32 %out %c0 %i\n"
#define SHADER_END "OpReturn\nOpFunctionEnd\n"

// out[i] = 2 * in[i], 16 invocations a group.
#define SHADER_DOUBLE                                                                              \
    SHADER_HEAD("", "", "16 1 1", "", "")                                                          \
    SHADER_MAIN "%x = OpLoad %u32 %in_i\n%y = OpIMul %u32 %x %c2\nOpStore %out_i %y\n" SHADER_END

// Spins while in[0] is 0, which it stays; then doubles.
#define SHADER_SPIN                                                                                \
    SHADER_HEAD("", "", "16 1 1", "", "")                                                          \
    SHADER_MAIN                                                                                    \
    "%in_0 = OpAccessChain %p_u32 %in %c0 %c0\n"                                                   \
    "OpBranch %head\n%head = OpLabel\nOpLoopMerge %done %more None\nOpBranch %body\n"              \
    "%body = OpLabel\n%w = OpLoad %u32 %in_0 Volatile\n%go = OpIEqual %bool %w %c0\n"              \
    "OpBranchConditional %go %more %done\n"                                                        \
    "%more = OpLabel\nOpBranch %head\n%done = OpLabel\n"                                           \
    "%x = OpLoad %u32 %in_i\n%y = OpIMul %u32 %x %c2\nOpStore %out_i %y\n" SHADER_END

// A case of an assembly text: 0:0 holds `in`, 0:1 as many zeros, one group of 16.
static inline struct spv_case make_case(struct fixture *f, const char *text, const uint32_t *in,
                                        uint32_t n)
{
    struct spv_case c = {.groups = {1, 1, 1}, .buffer_count = 2};
    struct err e = {0};
    if (!spv_assemble(f->tools, &f->arena, text, strlen(text), 1, &c.words, &c.count, &e))
        fail_msg("the test's own shader: %s", e.msg);
    c.buffer[0] = (struct spv_buffer){
        .set = 0, .binding = 0, .count = n, .words = arena_copy(&f->arena, in, n * sizeof *in)};
    c.buffer[1] = (struct spv_buffer){.set = 0,
                                      .binding = 1,
                                      .fill = SPV_FILL_ZERO,
                                      .count = n,
                                      .words = ARENA_ARRAY(&f->arena, uint32_t, n)};
    return c;
}

// A case of SHADER_DOUBLE or SHADER_SPIN whose inputs are first, first+1, ...
static inline struct spv_case make_counting(struct fixture *f, const char *text, uint32_t first)
{
    uint32_t in[16];
    for (uint32_t i = 0; i < 16; i++)
        in[i] = first + i;
    return make_case(f, text, in, 16);
}

static inline void assert_doubled(const struct run_result *r, uint32_t first)
{
    if (r->status != RUN_OK)
        fail_msg("%s: %s", run_status_name(r->status), r->text);
    assert_int_equal(r->memory_count, 2);
    assert_int_equal(r->memory[1].binding, 1);
    assert_int_equal(r->memory[1].count, 16);
    for (uint32_t i = 0; i < 16; i++) {
        assert_int_equal(r->memory[0].words[i], first + i);
        assert_int_equal(r->memory[1].words[i], 2 * (first + i));
    }
}

#define assert_contains(text, part)                                                                \
    do {                                                                                           \
        if (!strstr((text), (part)))                                                               \
            fail_msg("'%s' does not contain '%s'", (text), (part));                                \
    } while (0)

static inline struct fixture *fixture_new(const struct run_options *o)
{
    struct fixture *f = calloc(1, sizeof *f);
    assert_non_null(f);
    f->tools = spv_tools_new();
    f->self = getenv("TANGLEFUZZ") ? getenv("TANGLEFUZZ") : "(TANGLEFUZZ is not set)";
    f->lavapipe = run_open(LAVAPIPE, f->self, o, &f->why);
    return f;
}

static inline void fixture_free(struct fixture *f)
{
    run_close(f->lavapipe);
    spv_tools_free(f->tools);
    arena_free(&f->arena);
    free(f);
}

static inline int fixture_start(void **state)
{
    *state = fixture_new(NULL);
    return 0;
}

static inline int fixture_end(void **state)
{
    fixture_free(*state);
    return 0;
}

// Skips, and says why: cmocka's line has no place for it, and scripts/lib/count_tests.py counts by
// it.
#define SKIP_BECAUSE(why)                                                                          \
    do {                                                                                           \
        print_message("# skipped: %s\n", why);                                                     \
        skip();                                                                                    \
    } while (0)

// Skips where set-up brought no lavapipe; that it cannot be opened is a failure.
static inline struct fixture *need_lavapipe(void **state)
{
    struct fixture *f = *state;
    if (!f->lavapipe && strstr(f->why.msg, "no driver 'lavapipe'"))
        SKIP_BECAUSE("no lavapipe: scripts/setup.sh gets it");
    if (!f->lavapipe)
        fail_msg("%s", f->why.msg);
    return f;
}

#endif
