// SPDX-License-Identifier: Apache-2.0
//
// A function's text, run by the machine of backends/isa/nir on one buffer.
#ifndef TF_TEST_NIR_COMMON_H
#define TF_TEST_NIR_COMMON_H

#include "nir/nir.h"

#include "test_isa_trial.h"

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
    const uint32_t size = t->size ? t->size : 32;
    const struct spv_case c = isa_trial_case(a, t->local ? t->local : size, t->groups, t->words, NIR_WORDS);
    struct isa_result out;
    isa_trial_run(a, nir_read(a, text, t->driver, size, &out), &c, (struct isa_options){.step_limit = t->step_limit}, &out);
    return out;
}

#endif
