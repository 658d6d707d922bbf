// SPDX-License-Identifier: Apache-2.0
//
// A program's text, run by the machine of isa/ir3 on one buffer.
#ifndef TF_TEST_IR3_COMMON_H
#define TF_TEST_IR3_COMMON_H

#include "ir3/ir3.h"

#include <string.h>

enum { IR3_WORDS = 1024 };

struct ir3_trial {
    uint32_t size, local, groups; // 0: 64, as many as a wave, 1
    uint64_t step_limit;
    uint32_t words[IR3_WORDS]; // of buffer 0:0
};

// r0.x is the invocation, r48.x the workgroup.
// Lane i writes r1.x to word i.
#define IR3_END                                                                                    \
    "stib.b.untyped.1d.u32.1.imm.base0 r1.x, r0.x, 0\nend\n"                                       \
    "; CL: inputs: r0.x (SYSTEM_VALUE_LOCAL_INVOCATION_ID slot=42) r48.x "                         \
    "(SYSTEM_VALUE_WORKGROUP_ID slot=47)\n"

static inline struct isa_result ir3_try(struct arena *a, struct ir3_trial *t, const char *text)
{
    struct spv_tools *tools = spv_tools_new();
    struct spv_case c = {.groups = {t->groups ? t->groups : 1, 1, 1}, .buffer_count = 1};
    struct err e = {0};
    struct isa_result out;
    const uint32_t size = t->size ? t->size : 64;
    const char *shell = arena_printf(
        a,
        "OpCapability Shader\nOpMemoryModel Logical GLSL450\nOpEntryPoint GLCompute %%1 \"main\"\n"
        "OpExecutionMode %%1 LocalSize %u 1 1\n%%2 = OpTypeVoid\n%%3 = OpTypeFunction %%2\n"
        "%%1 = OpFunction %%2 None %%3\n%%4 = OpLabel\nOpReturn\nOpFunctionEnd\n",
        t->local ? t->local : size);
    CHECK(spv_assemble(tools, a, shell, strlen(shell), 1, &c.words, &c.count, &e));
    spv_tools_free(tools);
    c.buffer[0] = (struct spv_buffer){.count = IR3_WORDS, .words = t->words};
    const struct isa_code *p = ir3_read(a, text, size, &out);
    if (p) {
        const struct isa_options o = {.step_limit = t->step_limit ? t->step_limit : 100000,
                                      .junk = 7};
        isa_run(a, p, &c, &o, &out);
        if (out.status == ISA_RAN)
            memcpy(t->words, out.memory[0].words, sizeof t->words);
    }
    return out;
}

#endif
