// SPDX-License-Identifier: Apache-2.0
//
// A program's text, run by the machine of isa/nak on one buffer.
#ifndef TF_TEST_NAK_COMMON_H
#define TF_TEST_NAK_COMMON_H

#include "nak/nak.h"

#include <string.h>

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
    struct spv_tools *tools = spv_tools_new();
    struct spv_case c = {.groups = {t->groups ? t->groups : 1, 1, 1}, .buffer_count = 1};
    struct err e = {0};
    struct isa_result out;
    const char *shell = arena_printf(
        a,
        "OpCapability Shader\nOpMemoryModel Logical GLSL450\nOpEntryPoint GLCompute %%1 \"main\"\n"
        "OpExecutionMode %%1 LocalSize %u 1 1\n%%2 = OpTypeVoid\n%%3 = OpTypeFunction %%2\n"
        "%%1 = OpFunction %%2 None %%3\n%%4 = OpLabel\nOpReturn\nOpFunctionEnd\n",
        t->local ? t->local : 32);
    CHECK(spv_assemble(tools, a, shell, strlen(shell), 1, &c.words, &c.count, &e));
    spv_tools_free(tools);
    c.buffer[0] = (struct spv_buffer){.count = NAK_WORDS, .words = t->words};
    const struct nak_source s = {.nir = t->nir ? t->nir : "", .assembly = text};
    const struct isa_code *p = nak_read(a, &s, &out);
    if (p) {
        const struct isa_options o = {.step_limit = t->step_limit ? t->step_limit : 100000, .junk = 7};
        isa_run(a, p, &c, &o, &out);
        if (out.status == ISA_RAN)
            memcpy(t->words, out.memory[0].words, sizeof t->words);
    }
    return out;
}

#endif
