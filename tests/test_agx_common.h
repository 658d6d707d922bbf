// SPDX-License-Identifier: Apache-2.0
//
// A program's text, run by the machine of backends/isa/agx on one buffer.
#ifndef TF_TEST_AGX_COMMON_H
#define TF_TEST_AGX_COMMON_H

#include "agx/agx.h"

#include "test_isa_trial.h"

enum { AGX_WORDS = 512 };

struct agx_trial {
    uint32_t local, groups; // 0: 32, 1
    uint64_t step_limit;
    uint32_t words[AGX_WORDS]; // of buffer 0:0
};

// The text of a program: each line gets its place. Each instruction takes 8 bytes.
static inline const char *agx_lines(struct arena *a, const char *program)
{
    struct text t = {.arena = a};
    uint32_t at = 0;
    for (const char *line = program; *line; at += 8) {
        const size_t n = strcspn(line, "\n");
        text_add(&t, "%4x: 0123456789abcdef       %.*s\n", at, (int)n, line);
        line += n + (line[n] == '\n');
    }
    return t.n ? t.v : "";
}

// r1 is the invocation, dr2 the buffer's address. Six instructions.
#define AGX_BEGIN                                                                                                      \
    "load r2_r3_r4_r5, du2, 0, i32, xyzw, a\nwait a\nmov r1, thread_index_in_threadgroup\nldimm r0l, 0\n"              \
    "mov $r7, r1\nupdate_exec\n"
// Stores r8 to the invocation's word.
#define AGX_END "store r8, dr2, r1, i32, x, a\nstop\n"

static inline struct isa_result agx_run_text(struct arena *a, struct agx_trial *t, const char *text)
{
    const struct spv_case c = isa_trial_case(a, t->local ? t->local : 32, t->groups, t->words, AGX_WORDS);
    struct isa_result out;
    isa_trial_run(a, agx_read(a, text, &out), &c, (struct isa_options){.step_limit = t->step_limit}, &out);
    return out;
}

static inline struct isa_result agx_try(struct arena *a, struct agx_trial *t, const char *program)
{
    return agx_run_text(a, t, agx_lines(a, arena_printf(a, "%s%s%s", AGX_BEGIN, program, AGX_END)));
}

#endif
