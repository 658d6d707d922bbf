// SPDX-License-Identifier: Apache-2.0
//
// Round trips of generated programs: words -> assembly -> words, and case -> text -> case. Nothing
// may be lost.
#include "fuzz.h"

#include <string.h>

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    struct arena a = {0};
    struct fz_case z;
    struct err e = {{0}};
    fz_make(&a, data, size, &z);
    for (uint32_t i = 0; i < z.made.case_count; i++) {
        const struct spv_case *c = &z.made.cases[i];
        struct spv_case again;
        struct text text = {.arena = &a}, second = {.arena = &a};
        if (!spv_validate(fz_tools(), SPV_ENV_VULKAN_1_3, c->words, c->count, &e))
            fz_mismatch(c, "generator", "generator", "invalid", e.msg);
        CHECK(spv_case_print(fz_tools(), c, &text, &e));
        CHECK(spv_case_parse(fz_tools(), &a, "fuzz.spvasm", text.v, text.n, &again, &e));
        CHECK(again.count == c->count);
        // The assembler writes its own number into the generator word.
        for (size_t w = 0; w < c->count; w++)
            CHECK(w == 2 || again.words[w] == c->words[w]);
        CHECK(spv_case_print(fz_tools(), &again, &second, &e));
        CHECK(text.n == second.n && memcmp(text.v, second.v, text.n) == 0);
    }
    arena_free(&a);
    return 0;
}
