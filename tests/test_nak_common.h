// SPDX-License-Identifier: Apache-2.0
//
// A program's text, run by the machine of backends/isa/nak on one buffer.
#ifndef TF_TEST_NAK_COMMON_H
#define TF_TEST_NAK_COMMON_H

#include "nak/nak.h"

#include "test_isa_trial.h"

enum { NAK_WORDS = 1024 };

struct nak_trial {
    uint32_t local, groups; // 0: 32, 1
    uint64_t step_limit;
    uint32_t words[NAK_WORDS]; // of buffer 0:0, which c[0x1][0x0] leads to
    const char *nir;           // NULL: nothing to be said
};

// r0 is the invocation, r1 four times as much, ur62 and the next one the buffer.
#define NAK_SET_UP "block.u 0 L99 [] -> {\nr0 = s2r sr[0x21]\nr1 = shf.l.w.i32 r0 rZ 0x2\n" \
                   "ur60 = ldc.b32 c[0x1][+0x0]\nur61 = ldc.b32 c[0x1][+0x4] // delay=1 wr:0\n"
// r2 goes to the invocation's word.
#define NAK_STORE "st.global.a64.strong.gpu.b32 [r1+ur60..62] r2 // delay=1\nexit\n} -> []\n"

static inline struct isa_result nak_try(struct arena *a, struct nak_trial *t, const char *text)
{
    const struct spv_case c = isa_trial_case(a, t->local ? t->local : 32, t->groups, t->words, NAK_WORDS);
    const struct nak_source s = {.nir = t->nir ? t->nir : "", .assembly = text};
    struct isa_result out;
    isa_trial_run(a, nak_read(a, &s, &out), &c, (struct isa_options){.step_limit = t->step_limit}, &out);
    return out;
}

#endif
