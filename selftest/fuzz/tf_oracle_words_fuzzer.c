// SPDX-License-Identifier: Apache-2.0
//
// Runs any words (words.c) through the oracle, on both executors with small limits. It must not
// crash, hang or leak. If the words happen to be a valid module, both executors must agree.
#include "fuzz.h"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    struct arena a = {0};
    struct spv_case c;
    fz_words(&a, data, size, &c);
    struct orc_result r[2];
    for (int k = 0; k < 2; k++) {
        struct orc_options o = {
            .machine = k ? ORC_TAG : ORC_MASK, .step_limit = 20000, .memory_limit = 16u << 20};
        orc_predict(&a, &c, 0, &o, &r[k]);
    }
    struct err e;
    if (r[0].why.status == RAN_OK && r[1].why.status == RAN_OK &&
        !judge_same_result(&r[0], &r[1]) &&
        spv_validate(fz_tools(), SPV_ENV_VULKAN_1_3, c.words, c.count, &e))
        fz_mismatch(&c, "oracle", "oracle", "machines-disagree", r[1].why.text);
    arena_free(&a);
    return 0;
}
