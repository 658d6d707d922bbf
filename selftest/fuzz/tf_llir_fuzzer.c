// SPDX-License-Identifier: Apache-2.0
//
// LLVM IR as words (llir.h), valid or not: reads it and runs it with a small step limit. It must
// not crash or hang, must explain a rejection in one line, and must give the same result twice.
// Seeds: LLVM's output for generated programs.
#include "fuzz.h"
#include "llir/llir.h"

#include <string.h>

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    struct arena a = {0};
    struct spv_case c;
    struct llir_result r[2];
    const size_t count = size / 4;
    const struct llir_options o = {.step_limit = 2000};
    fz_machine_case(&a, 8, 4, &c);
    const uint32_t *words = arena_copy(&a, data, count * 4);
    for (int k = 0; k < 2; k++)
        llir_run(&a, words, count, &c, 8, &o, &r[k]);
    CHECK(r[0].status == r[1].status && strcmp(r[0].text, r[1].text) == 0 &&
          r[0].steps == r[1].steps);
    CHECK(r[0].status == RAN_OK || (r[0].text[0] && !strchr(r[0].text, '\n')));
    for (uint32_t k = 0; r[0].status == RAN_OK && k < r[0].memory_count; k++)
        CHECK(memcmp(r[0].memory[k].words, r[1].memory[k].words, FZ_MACHINE_WORDS * 4) == 0);
    arena_free(&a);
    return 0;
}
