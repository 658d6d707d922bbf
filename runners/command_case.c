// SPDX-License-Identifier: Apache-2.0
//
// Reads and writes the files of a command that runs cases (docs/protocol.md): a case file in, a
// memory file out.
#include "command.h"

bool command_case(struct spv_tools *tools, struct arena *a, const struct spv_case *c,
                  uint32_t subgroup, const char *path, struct err *e)
{
    struct spv_case asked = *c;
    struct text t = {.arena = a};
    asked.subgroup = subgroup;
    asked.body = NULL;
    return spv_case_print(tools, &asked, &t, e) && file_put(path, t.v, t.n, false, e);
}

// Reads the memory file into all buffers of the case, in order.
static bool read_memory(const char *path, struct arena *a, const struct spv_case *c,
                        struct spv_memory *memory, struct err *e)
{
    char *text;
    size_t size, n;
    struct spv_memory *got = ARENA_ARRAY(a, struct spv_memory, SPV_CASE_BUFFERS);
    if (!command_read(a, path, &text, &size))
        return err_set(e, "the command wrote no memory file");
    if (!spv_memory_parse(a, "memory", text, size, got, SPV_CASE_BUFFERS, &n, e))
        return err_prefix(e, "the memory file cannot be read");
    for (uint32_t i = 0; i < c->buffer_count; i++) {
        const struct spv_buffer *b = &c->buffer[i];
        const struct spv_memory *m = NULL;
        for (size_t k = 0; k < n; k++)
            if (got[k].set == b->set && got[k].binding == b->binding)
                m = &got[k];
        if (!m)
            return err_set(e, "the memory file has no buffer %u:%u", b->set, b->binding);
        if (m->count != b->count)
            return err_set(e, "the memory file has %u words of buffer %u:%u, the case has %u",
                           m->count, b->set, b->binding, b->count);
        if (m->mask)
            return err_set(
                e,
                "buffer %u:%u of the memory file has unknown words (?): each word must be a number",
                b->set, b->binding);
        memory[i] = *m;
    }
    return true;
}

void command_memory(const char *path, struct arena *a, const struct spv_case *c,
                    struct run_result *r)
{
    struct err e = {0};
    struct spv_memory *memory = ARENA_ARRAY(a, struct spv_memory, SPV_CASE_BUFFERS);
    if (read_memory(path, a, c, memory, &e)) {
        r->text[0] = 0;
        r->form = RUN_FORM_MEMORY;
        r->memory = memory;
        r->memory_count = c->buffer_count;
    } else {
        result_set(r, RUN_REJECTED, &e);
    }
}
