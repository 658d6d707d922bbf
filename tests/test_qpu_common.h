// SPDX-License-Identifier: Apache-2.0
//
// A program's text, run by the machine of backends/isa/qpu on one buffer.
#ifndef TF_TEST_QPU_COMMON_H
#define TF_TEST_QPU_COMMON_H

#include "qpu/qpu.h"

#include "test_isa_trial.h"

enum { QPU_WORDS = 512 };

struct qpu_trial {
    uint32_t local, groups; // 0: 16, 1
    uint32_t y, z;          // workgroups along these axes; 0: 1
    uint64_t step_limit;
    uint32_t words[QPU_WORDS]; // of buffer 0:0
};

// A case whose module loads and stores the buffer, as v3dv's numbering of buffers needs it.
static inline struct spv_case qpu_case(struct arena *a, struct qpu_trial *t)
{
    struct spv_case c = isa_trial_case(a, t->local ? t->local : 16, t->groups, t->words, QPU_WORDS);
    struct spv_tools *tools = spv_tools_new();
    struct err e = {0};
    c.groups[1] = t->y ? t->y : 1;
    c.groups[2] = t->z ? t->z : 1;
    const char *text = arena_printf(
        a,
        "OpCapability Shader\nOpMemoryModel Logical GLSL450\nOpEntryPoint GLCompute %%main \"main\"\n"
        "OpExecutionMode %%main LocalSize %u 1 1\nOpDecorate %%block Block\nOpMemberDecorate %%block 0 Offset 0\n"
        "OpDecorate %%words ArrayStride 4\nOpDecorate %%buffer DescriptorSet 0\nOpDecorate %%buffer Binding 0\n"
        "%%void = OpTypeVoid\n%%f = OpTypeFunction %%void\n%%u = OpTypeInt 32 0\n%%zero = OpConstant %%u 0\n"
        "%%words = OpTypeRuntimeArray %%u\n%%block = OpTypeStruct %%words\n"
        "%%ptr_block = OpTypePointer StorageBuffer %%block\n%%ptr = OpTypePointer StorageBuffer %%u\n"
        "%%buffer = OpVariable %%ptr_block StorageBuffer\n%%main = OpFunction %%void None %%f\n%%label = OpLabel\n"
        "%%at = OpAccessChain %%ptr %%buffer %%zero %%zero\n%%v = OpLoad %%u %%at\nOpStore %%at %%v\nOpReturn\n"
        "OpFunctionEnd\n",
        t->local ? t->local : 16);
    CHECK(spv_assemble(tools, a, text, strlen(text), 3, &c.words, &c.count, &e));
    spv_tools_free(tools);
    return c;
}

#define QPU_NIR                                                                                                        \
    "MESA: info: Just before v3d_compile: MESA_SHADER_COMPUTE prog 1 NIR:\nMESA: info: shader: MESA_SHADER_COMPUTE\n"  \
    "MESA: info:     32    %7 = mov %2 (0x5, 0x0).y\n"                                                                 \
    "MESA: info:     32    %3 = @load_ssbo (%7, %4) (access=none)\n"                                                   \
    "MESA: info:           @store_ssbo (%3, %5 (0x0), %4) (wrmask=x)\n"
#define QPU_HEAD "MESA: info: \nMESA: info: MESA_SHADER_COMPUTE prog 1/0 QPU:\n"

// The text of a program: each line gets its encoding, and a second operation if it has none.
static inline const char *qpu_lines(struct arena *a, const char *program)
{
    struct text t = {.arena = a};
    for (const char *at = program; *at;) {
        const size_t n = strcspn(at, "\n");
        const char *line = arena_strn(a, at, n), *uniform = strchr(line, '(');
        const bool whole = strchr(line, ';') || strncmp(line, "bu", 2) == 0;
        const size_t code = uniform ? (size_t)(uniform - line) : n;
        text_add(&t, "MESA: info: 0x0123456789abcdef %.*s%s %s\n", (int)code, line, whole ? "" : " ; nop",
                 uniform ? uniform : "");
        at += n + (at[n] == '\n');
    }
    return t.n ? t.v : "";
}

// rf10 is the lane, rf13 the invocation, rf11 the address of its word.
#define QPU_BEGIN                                                                                                      \
    "eidx rf10 ; nop ; ldunifrf.rf12 (ssbo[0])\nshr rf13, rf2, 26\nshl rf14, rf13, 2\nadd rf11, rf12, rf14\n"
// Stores rf20 there.
#define QPU_END                                                                                                        \
    "nop ; mov tmud, rf20\nadd tmua, rf11, 0\nnop ; nop ; thrsw\nnop ; nop ; thrsw\nnop\ntmuwt -\nnop ; nop ; thrsw\n" \
    "nop\nnop\n"

static inline struct isa_result qpu_try(struct arena *a, struct qpu_trial *t, const char *program)
{
    const struct spv_case c = qpu_case(a, t);
    struct isa_result out;
    const char *text =
        arena_printf(a, "%s%s%s", QPU_NIR, QPU_HEAD, qpu_lines(a, arena_printf(a, "%s%s%s", QPU_BEGIN, program, QPU_END)));
    isa_trial_run(a, qpu_read(a, text, &out), &c, (struct isa_options){.step_limit = t->step_limit}, &out);
    return out;
}

#endif
