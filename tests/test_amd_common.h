// SPDX-License-Identifier: Apache-2.0
//
// A program's text, run by the machine of backends/isa/ on one buffer.
#ifndef TF_TEST_AMD_COMMON_H
#define TF_TEST_AMD_COMMON_H

#include "amd/amd.h"

#include "test_isa_trial.h"

enum { AMD_WORDS = 1024 };

struct amd_trial {
    enum amd_gen gen;
    uint32_t wave, local, groups; // 0: 32, as many as a wave, 1
    uint64_t step_limit;
    bool origin, prompt;
    const char *ir; // of the back end's code, behind its first line
    uint32_t words[AMD_WORDS]; // of buffer 0:0; v0 is the invocation, s[0:1] leads to its descriptor
};

// s[4:7] is the buffer after it.
#define AMD_BUFFER_SET_UP "\ts_movk_i32 s1, 0x8000\n\ts_load_b128 s[4:7], s[0:1], null\n\ts_waitcnt lgkmcnt(0)\n"

static inline struct isa_result amd_try(struct arena *a, struct amd_trial *t, const char *text)
{
    const uint32_t wave = t->wave ? t->wave : 32;
    const struct spv_case c = isa_trial_case(a, t->local ? t->local : wave, t->groups, t->words, AMD_WORDS);
    struct isa_result out;
    const bool old = t->gen < AMD_GFX11;
    const struct amd_source s = {
        .nir = old ? "load_scalar_arg_amd (base=1, arg_num_lsb_zero=2)\n"
                   : "load_scalar_arg_amd (base=0, arg_num_lsb_zero=2)\n",
        .ir = arena_printf(a, "%s%s",
                           old ? "\t s2: %1:s[2-3],  s1: %2:s[0],  s1: %3:s[8],  v1: %4:v[0],  v1: %5:v[1],  v1: %6:v[2] = p_startpgm\n"
                               : "\t s1: %1:s[0],  v1: (kill)%2:v[0] = p_startpgm\n",
                           t->ir ? t->ir : ""),
        .assembly = text};
    isa_trial_run(a, amd_read(a, &s, t->gen, wave, &out), &c,
                  (struct isa_options){.step_limit = t->step_limit, .origin = t->origin, .prompt = t->prompt}, &out);
    return out;
}

#endif
