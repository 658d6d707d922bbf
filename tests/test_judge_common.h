// SPDX-License-Identifier: Apache-2.0
//
// A shader whose memory tells which invocation sits in which lane, and a device's answer made by hand.
// What is expected of an answer follows from the shader below.
#ifndef TF_TEST_JUDGE_COMMON_H
#define TF_TEST_JUDGE_COMMON_H

// clang-format off
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <cmocka.h>
// clang-format on

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "judge/judge.h"

enum { ALL = 16, GROUP = 8, SIZE = 4, OUT = 0, LANES = 1, BUFFERS = 2 };

// Two workgroups of 8 in subgroups of 4. Word i of 0:0: 10 more than the invocation that is first in the
// subgroup of invocation i, and 16 times its lane; 0:1 holds the lane mapping. A word more than is needed in each.
static char shader[] =
    "OpCapability Shader\nOpCapability GroupNonUniform\nOpCapability GroupNonUniformBallot\n"
    "OpExtension \"SPV_KHR_maximal_reconvergence\"\nOpMemoryModel Logical GLSL450\n"
    "OpEntryPoint GLCompute %main \"main\" %wid %lii %sid %lid %size %out %lanes\n"
    "OpExecutionMode %main LocalSize {SIZE}\nOpExecutionMode %main MaximallyReconvergesKHR\n"
    "OpDecorate %wid BuiltIn WorkgroupId\nOpDecorate %lii BuiltIn LocalInvocationIndex\nOpDecorate %sid BuiltIn SubgroupId\n"
    "OpDecorate %lid BuiltIn SubgroupLocalInvocationId\nOpDecorate %size BuiltIn SubgroupSize\n"
    "OpDecorate %words ArrayStride 4\nOpDecorate %block Block\nOpMemberDecorate %block 0 Offset 0\n"
    "OpDecorate %out DescriptorSet 0\nOpDecorate %out Binding 0\n"
    "OpDecorate %lanes DescriptorSet 0\nOpDecorate %lanes Binding 1\n%void = OpTypeVoid\n"
    "%bool = OpTypeBool\n%uint = OpTypeInt 32 0\n%uvec3 = OpTypeVector %uint 3\n%fn = OpTypeFunction %void\n"
    "%words = OpTypeRuntimeArray %uint\n%block = OpTypeStruct %words\n"
    "%block_ptr = OpTypePointer StorageBuffer %block\n%uint_ptr = OpTypePointer StorageBuffer %uint\n"
    "%in_ptr = OpTypePointer Input %uint\n%in3_ptr = OpTypePointer Input %uvec3\n"
    "%u0 = OpConstant %uint 0\n%u1 = OpConstant %uint 1\n%u2 = OpConstant %uint 2\n"
    "%u3 = OpConstant %uint 3\n%u4 = OpConstant %uint 4\n%u10 = OpConstant %uint 10\n%u8 = OpConstant %uint 8\n"
    "%u16 = OpConstant %uint 16\n%wid = OpVariable %in3_ptr Input\n%lii = OpVariable %in_ptr Input\n"
    "%sid = OpVariable %in_ptr Input\n%lid = OpVariable %in_ptr Input\n"
    "%size = OpVariable %in_ptr Input\n%out = OpVariable %block_ptr StorageBuffer\n"
    "%lanes = OpVariable %block_ptr StorageBuffer\n%main = OpFunction %void None %fn\n"
    "%entry = OpLabel\n%wid3 = OpLoad %uvec3 %wid\n%group = OpCompositeExtract %uint %wid3 0\n"
    "%before = OpIMul %uint %group %u8\n%index = OpLoad %uint %lii\n%me = OpIAdd %uint %before %index\n"
    "%mine = OpLoad %uint %lid\n%mine16 = OpIMul %uint %mine %u16\n"
    "%first = OpGroupNonUniformBroadcastFirst %uint %u3 %me\n%value10 = OpIAdd %uint %first %u10\n"
    "%value = OpIAdd %uint %value10 %mine16\n"
    "%to = OpAccessChain %uint_ptr %out %u0 %me\nOpStore %to %value\n%row = OpIMul %uint %me %u3\n"
    "%row1 = OpIAdd %uint %row %u1\n%row2 = OpIAdd %uint %row %u2\n"
    "%x0 = OpLoad %uint %sid\n%x1 = OpLoad %uint %lid\n%x2 = OpLoad %uint %size\n"
    "%p0 = OpAccessChain %uint_ptr %lanes %u0 %row\n%p1 = OpAccessChain %uint_ptr %lanes %u0 %row1\n"
    "%p2 = OpAccessChain %uint_ptr %lanes %u0 %row2\nOpStore %p0 %x0\nOpStore %p1 %x1\n"
    "OpStore %p2 %x2\nOpReturn\nOpFunctionEnd\n";
static const char last[] = "OpReturn\nOpFunctionEnd\n";

struct world {
    struct arena a;
    struct spv_tools *tools;
    struct spv_case c;
    struct prediction *p;
    uint32_t out[ALL + 1], lanes[3 * ALL + 1];
    struct spv_memory memory[BUFFERS];
    struct run_result r;
    struct shown_policy shown;
    struct judged j;
};

// What a device leaves whose invocation i of a workgroup sits in lane[i] of subgroup sid[i].
static inline void mapped(struct world *w, const uint32_t *sid, const uint32_t *lane)
{
    for (uint32_t i = 0; i < ALL; i++) {
        const uint32_t k = i % GROUP;
        w->lanes[3 * i] = sid[k];
        w->lanes[3 * i + 1] = lane[k];
        w->lanes[3 * i + 2] = SIZE;
        for (uint32_t j = 0; j < GROUP; j++)
            if (sid[j] == sid[k] && lane[j] == 0)
                w->out[i] = i - k + j + 10 + 16 * lane[k];
    }
}
static const uint32_t linear_sid[GROUP] = {0, 0, 0, 0, 1, 1, 1, 1},
                      linear_lane[GROUP] = {0, 1, 2, 3, 0, 1, 2, 3};
static const uint32_t other_sid[GROUP] = {1, 1, 0, 0, 1, 1, 0, 0},
                      other_lane[GROUP] = {3, 2, 1, 0, 1, 0, 3, 2};

// A world with these lines of metadata more, and a device that maps lanes the plain way.
static inline void start_sized(struct world *w, const char *lines, const char *size)
{
    struct err e = {0};
    const char *at = strstr(shader, "{SIZE}");
    *w = (struct world){.tools = spv_tools_new()};
    const char *text = arena_printf(&w->a,
                                    "; tanglefuzz-case 1\n; dispatch 2 1 1\n; subgroup 4\n"
                                    "; model maximal\n; buffer 0:0 zero 17\n; buffer 0:1 zero 49\n%s\n%.*s%s%s",
                                    lines, (int)(at - shader), shader, size, at + strlen("{SIZE}"));
    if (!spv_case_parse(w->tools, &w->a, "test", text, strlen(text), &w->c, &e))
        fail_msg("%s", e.msg);
    w->p = judge_predict(&w->a, &w->c, 1, w->c.subgroup, SPV_POLICY_JOIN);
    mapped(w, linear_sid, linear_lane);
    w->memory[OUT] = (struct spv_memory){.binding = 0, .count = ALL + 1, .words = w->out};
    w->memory[LANES] = (struct spv_memory){.binding = 1, .count = 3 * ALL + 1, .words = w->lanes};
    w->r = (struct run_result){
        .status = RUN_OK, .form = RUN_FORM_MEMORY, .memory = w->memory, .memory_count = BUFFERS};
}

static inline void start(struct world *w, const char *lines) { start_sized(w, lines, "8 1 1"); }

// The same with this code at its end, under a model.
static inline void start_with(struct world *w, const char *lines, enum spv_model model, const char *code)
{
    struct err e = {0};
    start(w, lines);
    const char *text = arena_printf(&w->a, "; tanglefuzz-case 1\n; dispatch 2 1 1\n; subgroup 4\n; model maximal\n"
                                           "; buffer 0:0 zero 17\n; buffer 0:1 zero 49\n%s\n%.*s%s", lines,
                                    (int)(strstr(shader, last) - shader), shader, arena_printf(&w->a, "%s%s", code, last));
    char *at = strstr((char *)text, "{SIZE}");
    memcpy(at, "8 1 1 ", 6);
    if (!spv_case_parse(w->tools, &w->a, "test", text, strlen(text), &w->c, &e))
        fail_msg("%s", e.msg);
    w->c.model = model;
    w->p = judge_predict(&w->a, &w->c, 1, w->c.subgroup, SPV_POLICY_JOIN);
}

static inline void stop(struct world *w)
{
    spv_tools_free(w->tools);
    arena_free(&w->a);
}

static inline enum judge_class judge(struct world *w)
{
    memset(&w->j, 0xaa, sizeof w->j); // whatever was there before
    judge_result(&w->a, w->tools, w->p, &w->r, &w->shown, &w->j);
    return w->j.verdict.klass;
}

static const char with_lanes[] = "; lanes 0:1\n";

// In the arm: by the linear mapping all of one subgroup, by the other one a part of each, and of whom is elected
// there the weaker models promise nothing but that it is somebody.
static const char elect[] = "%in = OpULessThan %bool %index %u4\nOpSelectionMerge %end None\nOpBranchConditional %in %arm %end\n"
    "%arm = OpLabel\n%one = OpGroupNonUniformElect %bool %u3\nOpSelectionMerge %m None\nOpBranchConditional %one %put %m\n"
    "%put = OpLabel\nOpStore %to %u16\nOpBranch %m\n%m = OpLabel\nOpBranch %end\n%end = OpLabel\n";
// Out of bounds but where lanes are linear.
static const char far[] = "%low = OpBitwiseAnd %uint %index %u3\n%off = OpISub %uint %mine %low\n"
    "%many = OpIMul %uint %off %u16\n%far = OpIMul %uint %many %u16\n%here = OpIAdd %uint %me %far\n"
    "%there = OpAccessChain %uint_ptr %out %u0 %here\n%again = OpLoad %uint %there\nOpStore %to %again\n";

#endif
