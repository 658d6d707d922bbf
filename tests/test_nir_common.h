// SPDX-License-Identifier: Apache-2.0
//
// A function's text, run by the machine of isa/nir on one buffer.
#ifndef TF_TEST_NIR_COMMON_H
#define TF_TEST_NIR_COMMON_H

#include "nir/nir.h"

#include <string.h>

enum { NIR_WORDS = 4096 };

struct nir_trial {
    enum nir_driver driver;
    uint32_t size, local, groups; // 0: 32, as many as a subgroup, 1
    uint64_t step_limit;
    uint32_t words[NIR_WORDS]; // of buffer 0:0
};

// %0 is the invocation, %1 the buffer, %2 1.
#define NIR_BEGIN                                                                                   \
    "impl main {\n    block b0:   // preds:\n    32   %0 = @load_local_invocation_index\n"             \
    "    32   %3 = load_const (0x00000000)\n    32   %1 = @bindless_resource_ir3 (%3 (0x0)) (desc_set=0)\n" \
    "    32   %2 = load_const (0x00000001)\n    1    %4 = load_const (true)\n"
// Lane i writes value `v` to word i.
#define NIR_STORE(v) "    @store_ssbo (" v ", %1, %0) (wrmask=x, access=none, align_mul=4, align_offset=0, offset_shift=2)\n"
#define NIR_LOAD(v) "    32 " v " = @load_ssbo (%1, %0) (access=none, offset_shift=2)\n"
#define NIR_END "}\n"

static inline struct isa_result nir_try(struct arena *a, struct nir_trial *t, const char *text)
{
    struct spv_tools *tools = spv_tools_new();
    struct spv_case c = {.groups = {t->groups ? t->groups : 1, 1, 1}, .buffer_count = 1};
    struct err e = {0};
    struct isa_result out;
    const uint32_t size = t->size ? t->size : 32;
    const char *shell = arena_printf(
        a,
        "OpCapability Shader\nOpMemoryModel Logical GLSL450\nOpEntryPoint GLCompute %%1 \"main\"\n"
        "OpExecutionMode %%1 LocalSize %u 1 1\n%%2 = OpTypeVoid\n%%3 = OpTypeFunction %%2\n"
        "%%1 = OpFunction %%2 None %%3\n%%4 = OpLabel\nOpReturn\nOpFunctionEnd\n",
        t->local ? t->local : size);
    CHECK(spv_assemble(tools, a, shell, strlen(shell), 1, &c.words, &c.count, &e));
    spv_tools_free(tools);
    c.buffer[0] = (struct spv_buffer){.count = NIR_WORDS, .words = t->words};
    const struct isa_code *p = nir_read(a, text, t->driver, size, &out);
    if (p) {
        const struct isa_options o = {.step_limit = t->step_limit ? t->step_limit : 100000, .junk = 7};
        isa_run(a, p, &c, &o, &out);
        if (out.status == ISA_RAN)
            memcpy(t->words, out.memory[0].words, sizeof t->words);
    }
    return out;
}

#endif
