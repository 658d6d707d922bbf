// SPDX-License-Identifier: Apache-2.0
//
// Kernels of CUDA for tests: 32 invocations, each with a word of one buffer.
#ifndef TF_TEST_CUDA_H
#define TF_TEST_CUDA_H

#include "nak/nak.h"
#include "test_isa_trial.h"

enum { WORDS = 1024 };

// Register 0 is the invocation, 2 and 3 the address of its word.
#define SASS_FROM(parameters)                                                                      \
    "\t.section .text.tf_main\n.text.tf_main:\n/*00*/ S2R R0, SR_TID.X ;\n"                         \
    "/*10*/ LDC.64 R2, c[0x0][" parameters "] ;\n/*20*/ IMAD.WIDE.U32 R2, R0, 0x4, R2 ;\n"
#define SASS_START SASS_FROM("0x210")
// R4 becomes the invocation's word.
#define SASS_END "/*f0*/ STG.E desc[UR4][R2.64], R4 ;\n/*f1*/ EXIT ;\n"
#define I "/*0*/ "
#define N " ;\n"

// %x is the invocation, %r becomes its word.
#define PTX_START                                                                                  \
    ".visible .entry tf_main(\n  .param .u64 buffer0)\n{\n  .reg .pred %true, %false, %p, %q;\n"    \
    "  .reg .b32 %m, %x, %r, %a, %b;\n  .reg .b64 %d, %w, %v;\n  setp.eq.u32 %true, 0, 0;\n"        \
    "  setp.ne.u32 %false, 0, 0;\n  mov.u32 %x, %tid.x;\n  ld.param.u64 %d, [buffer0];\n"           \
    "  mul.wide.u32 %w, %x, 4;\n  add.s64 %d, %d, %w;\n  mov.b32 %m, 4294967295;\n"
#define PTX_END "  st.global.u32 [%d], %r;\n  exit;\n}\n"

struct cuda_trial {
    bool ptx;
    uint32_t sm;       // of SASS; 0: 90
    uint32_t local[3]; // {0}: 32, 1, 1
    uint32_t groups;   // 0: 1
};

static inline struct isa_result cuda_try(struct arena *a, const struct cuda_trial *t, const char *text, uint32_t words[WORDS])
{
    static const struct cuda_place place = {0, 0};
    static const uint32_t warp[3] = {32, 1, 1};
    const struct spv_case c = isa_trial_sized(a, t->local[0] ? t->local : warp, t->groups, words, WORDS);
    const struct cuda_source s = {.text = text, .buffer = &place, .buffers = 1, .sm = t->sm};
    struct isa_result out;
    isa_trial_run(a, t->ptx ? ptx_read(a, &s, &out) : sass_read(a, &s, &out), &c, (struct isa_options){0}, &out);
    return out;
}

static inline const char *cuda_text(struct arena *a, const struct cuda_trial *t, const char *body)
{
    const char *start = t->ptx ? PTX_START : t->sm && t->sm < 90 ? SASS_FROM("0x160") : SASS_START;
    return arena_printf(a, "%s%s%s", start, body, t->ptx ? PTX_END : SASS_END);
}

// Runs a body between START and END; each invocation must leave want[i].
static inline void cuda_leaves(const struct cuda_trial *t, const char *body, const uint32_t want[32])
{
    struct arena a = {0};
    uint32_t words[WORDS] = {0};
    const struct isa_result r = cuda_try(&a, t, cuda_text(&a, t, body), words);
    if (r.status != RAN_OK)
        fail_msg("%s: %s", body, r.text);
    if (r.others)
        fail_msg("%s: the schedules differ", body);
    for (uint32_t i = 0; i < 32; i++)
        if (words[i] != want[i])
            fail_msg("%s: invocation %u has 0x%x, not 0x%x", body, i, words[i], want[i]);
    arena_free(&a);
}
#define LEAVES(trial, body, expression)                                                             \
    do {                                                                                           \
        uint32_t right[32];                                                                        \
        for (uint32_t i = 0; i < 32; i++)                                                          \
            right[i] = (uint32_t)(expression);                                                     \
        cuda_leaves(trial, body, right);                                                            \
    } while (0)

// Reading or running it ends with a message that holds `why`.
static inline void cuda_refuses(const struct cuda_trial *t, const char *body, const char *why)
{
    struct arena a = {0};
    uint32_t words[WORDS] = {0};
    const struct isa_result r = cuda_try(&a, t, cuda_text(&a, t, body), words);
    if (!strstr(r.text, why))
        fail_msg("%s: '%s' does not say '%s'", body, r.text, why);
    arena_free(&a);
}

#endif
