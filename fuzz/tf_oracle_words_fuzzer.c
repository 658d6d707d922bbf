// SPDX-License-Identifier: Apache-2.0
//
// Any words through the oracle: loaded and run on both machines with small limits.
// No crash, no hang, no leak.
#include "oracle/oracle.h"

#include <string.h>

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    static const uint32_t zeros[64];
    struct arena a = {0};
    struct spv_case c = {.groups = {1, 1, 1}, .subgroup = 8, .model = SPV_ASSUMED_MAXIMAL};
    c.count = size / 4;
    c.words = arena_copy(&a, data, c.count * 4);
    c.buffer_count = 3;
    for (uint32_t k = 0; k < c.buffer_count; k++)
        c.buffer[k] = (struct spv_buffer){.binding = k, .count = 64,
                                          .words = arena_copy(&a, zeros, sizeof zeros)};
    struct orc_result r;
    for (int k = 0; k < 2; k++) {
        struct orc_options o = {.machine = k ? ORC_TAG : ORC_MASK, .step_limit = 20000,
                                .memory_limit = 16u << 20};
        orc_predict(&a, &c, 0, &o, &r);
    }
    arena_free(&a);
    return 0;
}
