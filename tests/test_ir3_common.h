// SPDX-License-Identifier: Apache-2.0
//
// A program's text, run by the machine of backends/isa/ir3 on one buffer.
#ifndef TF_TEST_IR3_COMMON_H
#define TF_TEST_IR3_COMMON_H

#include "ir3/ir3.h"

#include "test_isa_trial.h"

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
    const uint32_t size = t->size ? t->size : 64;
    const struct spv_case c = isa_trial_case(a, t->local ? t->local : size, t->groups, t->words, IR3_WORDS);
    struct isa_result out;
    isa_trial_run(a, ir3_read(a, text, size, &out), &c, (struct isa_options){.step_limit = t->step_limit}, &out);
    return out;
}

#endif
