// SPDX-License-Identifier: Apache-2.0
//
// Memory files: the memory that a device or the oracle returned, one line per buffer.
#include "case_inner.h"

void spv_memory_print(const struct spv_memory *m, size_t n, struct text *out)
{
    for (size_t i = 0; i < n; i++) {
        text_add(out, "memory ");
        print_memory(out, &m[i]);
    }
}

bool spv_memory_parse(struct arena *a, const char *path, const char *text, size_t size,
                      struct spv_memory *out, size_t max, size_t *n, struct err *e)
{
    struct line l = {.arena = a, .path = path ? path : "memory", .e = e};
    struct spv_memory *all = ARENA_ARRAY(a, struct spv_memory, max);
    size_t count = 0;
    for (const char *p = text, *end = text + size; p < end;) {
        p = line_start(&l, p, end);
        struct token key = line_token(&l);
        if (key.n == 0)
            continue;
        if (!token_is(key, "memory"))
            return line_bad(&l, "%s, \"memory SET:BINDING u32 WORD...\" was expected",
                            line_shown(&l, key));
        if (count == max)
            return line_bad(&l, "more than %zu buffers", max);
        if (!line_memory(&l, &all[count]))
            return false;
        for (size_t i = 0; i < count; i++)
            if (all[i].set == all[count].set && all[i].binding == all[count].binding)
                return line_bad(&l, "memory %u:%u appears twice", all[i].set, all[i].binding);
        count++;
    }
    for (size_t i = 0; i < count; i++)
        out[i] = all[i];
    *n = count;
    return true;
}
