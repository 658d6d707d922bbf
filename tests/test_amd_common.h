// SPDX-License-Identifier: Apache-2.0
//
// A program's text, run by the machine of isa/ on one buffer.
#ifndef TF_TEST_AMD_COMMON_H
#define TF_TEST_AMD_COMMON_H

#include "amd/amd.h"

#include <string.h>

enum { AMD_WORDS = 1024 };

struct amd_trial {
    enum amd_gen gen;
    uint32_t wave, local, groups; // 0: 32, as many as a wave, 1
    uint64_t step_limit;
    bool origin, prompt;
    uint32_t words[AMD_WORDS]; // of buffer 0:0; v0 is the invocation, s[0:1] leads to its descriptor
};

// s[4:7] is the buffer after it.
#define AMD_BUFFER_SET_UP "\ts_movk_i32 s1, 0x8000\n\ts_load_b128 s[4:7], s[0:1], null\n\ts_waitcnt lgkmcnt(0)\n"

static inline struct isa_result amd_try(struct arena *a, struct amd_trial *t, const char *text)
{
    struct spv_tools *tools = spv_tools_new();
    struct spv_case c = {.groups = {t->groups ? t->groups : 1, 1, 1}, .buffer_count = 1};
    struct err e = {0};
    struct isa_result out;
    const uint32_t wave = t->wave ? t->wave : 32;
    const char *shell = arena_printf(
        a,
        "OpCapability Shader\nOpMemoryModel Logical GLSL450\nOpEntryPoint GLCompute %%1 \"main\"\n"
        "OpExecutionMode %%1 LocalSize %u 1 1\n%%2 = OpTypeVoid\n%%3 = OpTypeFunction %%2\n"
        "%%1 = OpFunction %%2 None %%3\n%%4 = OpLabel\nOpReturn\nOpFunctionEnd\n",
        t->local ? t->local : wave);
    CHECK(spv_assemble(tools, a, shell, strlen(shell), 1, &c.words, &c.count, &e));
    spv_tools_free(tools);
    c.buffer[0] = (struct spv_buffer){.count = AMD_WORDS, .words = t->words};
    const bool old = t->gen < AMD_GFX11;
    const struct amd_source s = {
        .nir = old ? "load_scalar_arg_amd (base=1, arg_num_lsb_zero=2)\n"
                   : "load_scalar_arg_amd (base=0, arg_num_lsb_zero=2)\n",
        .ir = old ? "\t s2: %1:s[2-3],  s1: %2:s[0],  s1: %3:s[8],  v1: %4:v[0],  v1: %5:v[1],  v1: %6:v[2] = p_startpgm\n"
                  : "\t s1: %1:s[0],  v1: (kill)%2:v[0] = p_startpgm\n",
        .assembly = text};
    const struct isa_code *p = amd_read(a, &s, t->gen, wave, &out);
    if (p) {
        const struct isa_options o = {.step_limit = t->step_limit ? t->step_limit : 100000, .junk = 7, .origin = t->origin, .prompt = t->prompt};
        isa_run(a, p, &c, &o, &out);
        if (out.status == ISA_RAN)
            memcpy(t->words, out.memory[0].words, sizeof t->words);
    }
    return out;
}

#endif
