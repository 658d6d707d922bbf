// SPDX-License-Identifier: Apache-2.0
//
// Reads a bucket's best finding from its folder.
#include "report.h"
#include "store/store_json.h"

#include <string.h>
#include <unistd.h>

static const struct spv_memory *memory(struct arena *a, const char *folder, const char *name,
                                       const struct spv_case *c)
{
    const char *path = arena_printf(a, "%s/%s", folder, name);
    char *text;
    size_t size, n = 0;
    struct spv_memory *m = ARENA_ARRAY(a, struct spv_memory, SPV_CASE_BUFFERS);
    if (!file_read(a, path, STORE_FILE_MAX, &text, &size, NULL) ||
        !spv_memory_parse(a, path, text, size, m, SPV_CASE_BUFFERS, &n, NULL) ||
        n != c->buffer_count)
        return NULL;
    for (size_t i = 0; i < n; i++)
        if (m[i].set != c->buffer[i].set || m[i].binding != c->buffer[i].binding ||
            m[i].count != c->buffer[i].count)
            return NULL;
    return m;
}

void report_view_load(struct spv_tools *t, struct arena *a, const char *dir,
                      const struct store_bucket *b, struct report_view *out)
{
    const struct finding *f = store_shown(b->best);
    *out = (struct report_view){.bucket = b, .f = f, .reason = {"", "", "", "", ""}};
    const char *folder = out->folder = arena_printf(a, "%s/%s", dir, f->folder);
    const char *path = arena_printf(a, "%s/case.spvasm", folder);
    char *text;
    size_t size;
    if (!file_read(a, path, STORE_FILE_MAX, &text, &size, NULL) ||
        !spv_case_parse(t, a, path, text, size, &out->c, NULL))
        return;
    out->has_case = true;
    out->text = text;
    struct spv_module m;
    struct text pseudo = {.arena = a};
    // A finding's folder may hold any module.
    if (spv_validate(t, SPV_ENV_VULKAN_1_3, out->c.words, out->c.count, NULL) &&
        spv_module_read(a, out->c.words, out->c.count, &m, NULL))
        report_pseudo(a, &m, &pseudo);
    out->pseudo = pseudo.v;
    report_reason_words(a, &out->c, &f->reason, &f->trials, &out->reason);
    out->expected = memory(a, folder, "expected.mem", &out->c);
    out->observed = memory(a, folder, "observed.mem", &out->c);
    if (out->expected && out->observed)
        judge_compare(&out->c, out->expected, out->observed, out->c.buffer_count, &out->verdict);
    if (file_read(a, arena_printf(a, "%s/stderr.txt", folder), STORE_FILE_MAX, &text, &size, NULL))
        out->printed = text;
    if (file_read(a, arena_printf(a, "%s/backtrace.txt", folder), STORE_FILE_MAX, &text, &size,
                  NULL))
        out->backtrace = text;
    path = arena_printf(a, "%s/driver.txt", folder);
    if (access(path, R_OK) == 0 && file_read(a, path, STORE_FILE_MAX, &text, &size, NULL))
        out->target_output = text;
    out->code = report_code_of(f, out->target_output);
    path = arena_printf(a, "%s/output.spv", folder);
    if (access(path, R_OK) == 0 && file_read(a, path, STORE_FILE_MAX, &text, &size, NULL)) {
        out->output = arena_copy(a, text, size);
        out->output_count = size / 4;
    }
}
