// SPDX-License-Identifier: Apache-2.0
#include "case_files.h"

#include <string.h>

// Inserts the number: x.spvasm -> x.3.spvasm; x -> x.3.spvasm.
static const char *numbered(struct arena *a, const char *out, uint32_t i)
{
    size_t n = strlen(out);
    if (n > 7 && strcmp(out + n - 7, ".spvasm") == 0)
        n -= 7;
    return arena_printf(a, "%.*s.%u.spvasm", (int)n, out, i);
}

const char *case_files_name(struct arena *a, const char *out, uint32_t input, uint32_t inputs)
{
    return inputs > 1 ? numbered(a, out, input + 1) : out;
}

bool case_files_write(struct context *x, struct arena *a, const struct gen_made *m, const char *out)
{
    for (uint32_t i = 0; i < m->case_count; i++) {
        struct spv_case *c = &m->cases[i];
        struct text t = {.arena = a};
        if (m->case_count > 1) {
            c->inputs_at = i + 1;
            c->inputs_of = m->case_count;
        }
        if (out ? !spv_case_write(x->tools, c, case_files_name(a, out, i, m->case_count), &x->e)
                : !spv_case_print(x->tools, c, &t, &x->e))
            return false;
        if (!out)
            say_text(&t);
    }
    return true;
}
