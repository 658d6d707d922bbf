// SPDX-License-Identifier: Apache-2.0
//
// The folder to be filed: everything that somebody needs who has never heard of us,
// whole or not at all.
#define _POSIX_C_SOURCE 200809L
#include "bundle.h"

#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

enum { FILES_MAX = 32, TABLE_ROWS = 64, TABLE_WORDS = 64 };

struct out {
    struct arena *a;
    const char *folder;
    const char *names[FILES_MAX];
    uint32_t n;
};

static bool put(struct out *o, const char *name, const void *data, size_t size, struct err *e)
{
    CHECK(o->n < FILES_MAX);
    o->names[o->n++] = name;
    return file_put(arena_printf(o->a, "%s/%s", o->folder, name), data, size, true, e);
}

static bool put_text(struct out *o, const char *name, const struct text *t, struct err *e)
{
    return put(o, name, t->v ? t->v : "", t->n, e);
}

static bool put_str(struct out *o, const char *name, const char *s, struct err *e)
{
    return !s || put(o, name, s, strlen(s), e);
}

static bool put_inputs(struct out *o, const struct spv_case *c, struct err *e)
{
    bool ok = true;
    for (uint32_t b = 0; ok && b < c->buffer_count; b++)
        ok = put(o, arena_printf(o->a, "input-%u-%u.bin", c->buffer[b].set, c->buffer[b].binding),
                 c->buffer[b].words, c->buffer[b].count * sizeof(uint32_t), e);
    if (ok && c->push_count)
        ok = put(o, "input-push.bin", c->push, c->push_count * sizeof(uint32_t), e);
    return ok;
}

static bool put_all(struct spv_tools *tools, struct out *o, const struct report_view *w,
                    enum report_form form, struct err *e)
{
    struct arena *a = o->a;
    struct text t = {.arena = a}, amber = {.arena = a}, lanes = {.arena = a}, x = {.arena = a},
                y = {.arena = a};
    const struct spv_case *c = &w->c;
    bundle_readme(w, form, &t);
    if (!put_text(o, "README.md", &t, e) || !put_str(o, "case.spvasm", w->text, e) ||
        !put(o, "case.spv", c->words, c->count * sizeof(uint32_t), e) || !put_inputs(o, c, e) ||
        !bundle_amber(tools, c, w->expected, &amber, e) || !put_text(o, "case.amber", &amber, e) ||
        !put_str(o, "case.txt", w->pseudo, e))
        return false;
    if (w->expected) {
        spv_memory_print(w->expected, c->buffer_count, &x);
        if (!put_text(o, "expected.mem", &x, e))
            return false;
    }
    if (w->observed) {
        spv_memory_print(w->observed, c->buffer_count, &y);
        if (!put_text(o, "observed.mem", &y, e))
            return false;
    }
    if (w->expected && w->observed) {
        report_table(c, w->expected, w->observed, c->buffer_count, TABLE_ROWS, TABLE_WORDS, &lanes);
        if (!put_text(o, "lanes.txt", &lanes, e))
            return false;
    }
    if (w->output) {
        const char *assembly;
        if (!put(o, "output.spv", w->output, w->output_count * sizeof(uint32_t), e))
            return false;
        // What cannot be disassembled is there as words.
        if (spv_disassemble(tools, a, w->output, w->output_count, &assembly, NULL) &&
            !put_str(o, "output.spvasm", assembly, e))
            return false;
    }
    if (!put_str(o, "stderr.txt", w->said, e) || !put_str(o, "backtrace.txt", w->backtrace, e))
        return false;
    return put_str(o, "tangles-expected.svg", w->expected_svg, e) &&
           put_str(o, "tangles-observed.svg", w->observed_svg, e) &&
           put_str(o, "tangles-expected.txt", w->expected_steps, e) &&
           put_str(o, "proof.txt", w->proof.words, e);
}

bool report_bundle(struct spv_tools *tools, const struct report_view *w, enum report_form form,
                   const char *to, struct err *e)
{
    struct arena a = {0};
    struct stat st;
    if (!w->has_case)
        return err_set(e, "%s: holds no case that can be read", w->folder);
    if (lstat(to, &st) == 0)
        return err_set(e, "%s: is there already; remove it or choose another folder", to);
    const char *tmp = arena_printf(&a, "%s.tmp%ld", to, (long)getpid());
    struct out o = {.a = &a, .folder = tmp};
    bool ok = dir_make(tmp, e) && put_all(tools, &o, w, form, e) && file_move(tmp, to, e);
    if (!ok) {
        for (uint32_t i = 0; i < o.n; i++)
            unlink(arena_printf(&a, "%s/%s", tmp, o.names[i]));
        rmdir(tmp);
    }
    arena_free(&a);
    return ok;
}
