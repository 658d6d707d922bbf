// SPDX-License-Identifier: Apache-2.0
//
// A text for a machine of backends/isa/, run on one buffer.
#ifndef TF_TEST_ISA_TRIAL_H
#define TF_TEST_ISA_TRIAL_H

#include "isa/isa.h"

#include <string.h>

// Workgroups of this size, `groups` of them (0: one), and buffer 0:0.
static inline struct spv_case isa_trial_sized(struct arena *a, const uint32_t size[3], uint32_t groups, uint32_t *words,
                                              uint32_t count)
{
    struct spv_tools *tools = spv_tools_new();
    struct spv_case c = {.groups = {groups ? groups : 1, 1, 1}, .buffer_count = 1};
    struct err e = {0};
    const char *shell = arena_printf(
        a,
        "OpCapability Shader\nOpMemoryModel Logical GLSL450\nOpEntryPoint GLCompute %%1 \"main\"\n"
        "OpExecutionMode %%1 LocalSize %u %u %u\n%%2 = OpTypeVoid\n%%3 = OpTypeFunction %%2\n"
        "%%1 = OpFunction %%2 None %%3\n%%4 = OpLabel\nOpReturn\nOpFunctionEnd\n",
        size[0], size[1], size[2]);
    CHECK(spv_assemble(tools, a, shell, strlen(shell), 1, &c.words, &c.count, &e));
    spv_tools_free(tools);
    c.buffer[0] = (struct spv_buffer){.count = count, .words = words};
    return c;
}

static inline struct spv_case isa_trial_case(struct arena *a, uint32_t local, uint32_t groups, uint32_t *words,
                                             uint32_t count)
{
    return isa_trial_sized(a, (const uint32_t[]){local, 1, 1}, groups, words, count);
}

// Runs what was read, if anything was; the buffer's words then hold what it left. step_limit 0: 100,000.
static inline void isa_trial_run(struct arena *a, const struct isa_code *code, const struct spv_case *c, struct isa_options o,
                                 struct isa_result *out)
{
    o.step_limit = o.step_limit ? o.step_limit : 100000;
    o.random_fill = 7;
    if (!code)
        return;
    isa_run(a, code, c, &o, out);
    if (out->status == RAN_OK)
        memcpy(c->buffer[0].words, out->memory[0].words, c->buffer[0].count * sizeof(uint32_t));
}

#endif
