// SPDX-License-Identifier: Apache-2.0
//
// Prints words (words.c) in every language and as pseudo-code, if they are a valid module. It must
// not crash, and must reject an unsupported module with one line. Seeds: those of
// tf_oracle_words_fuzzer.
#include "fuzz.h"
#include "printers/printers.h"
#include "report/report.h"

#include <string.h>

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    struct arena a = {0};
    struct spv_case c;
    struct spv_module m;
    struct err e = {{0}};
    struct text pseudo = {.arena = &a};
    fz_words(&a, data, size, &c);
    const bool valid = spv_validate(fz_tools(), SPV_ENV_VULKAN_1_3, c.words, c.count, NULL);
    if (valid && spv_module_read(&a, c.words, c.count, &m, NULL))
        report_pseudo(&a, &m, &pseudo);
    for (int l = 0; valid && l < PRINT_LANGUAGES; l++) {
        struct text t = {.arena = &a};
        const uint32_t subgroup = size ? (uint32_t)data[size - 1] % 4 * 16 : 32;
        if (print_module(&a, (enum print_language)l, c.words, c.count, subgroup, &t, NULL, &e))
            CHECK(t.n && strlen(t.v) == t.n);
        else
            CHECK(e.msg[0] && !strchr(e.msg, '\n'));
    }
    arena_free(&a);
    return 0;
}
