// SPDX-License-Identifier: Apache-2.0
//
// The target of a bundle as values for its templates: the compiler's options, and its command
// without tanglefuzz. That command is the template commands/NAME.md for stage NAME of a target
// text.
#include "bundle.h"

#include <string.h>

enum { OPTIONS = 2 }; // values of options that templates know by their position

struct flags {
    const char **v;
    uint32_t n;
};

static void flag_row(struct fill *row, const void *user, uint32_t i)
{
    const struct flags *flags = user;
    fill_text(row, "flag", flags->v[i]);
    fill_text(row, "flag_quoted", shell_quote(row->a, flags->v[i]));
}

// Passes of spirv-opt, in their order; none if the target is another compiler.
static struct flags flags_of(struct arena *a, const struct run_stage *s)
{
    struct flags out = {0};
    if (!s || s->next || s->check || !s->kind)
        return out;
    out.v = ARENA_ARRAY(a, const char *, s->count + 1);
    const bool command = s->kind->passes == RUN_PASSES_COMMAND &&
                         strncmp(run_stage_family(a, s, NULL), "spirv-opt", 9) == 0;
    for (uint32_t i = command ? 1 : 0; i < s->count; i++) {
        const char *word = s->option[i].value;
        if (command && (word[0] != '-' || strcmp(word, "-o") == 0))
            break;
        if (command || s->kind->passes == RUN_PASSES_WORDS)
            out.v[out.n++] = word;
    }
    return out;
}

// A user's command: {in} and {out} by their names, its program without its folder.
static void word_row(struct fill *row, const void *user, uint32_t i)
{
    const struct run_stage *s = user;
    const char *word = s->option[i].value, *slash = i ? NULL : strrchr(word, '/');
    word = strcmp(word, "{in}") == 0    ? "case.spv"
           : strcmp(word, "{out}") == 0 ? "out.spv"
           : slash                      ? slash + 1
                                        : word;
    fill_text(row, "word", shell_quote(row->a, word));
}

// KEY=VALUE of each env= option, for a shell.
static const char *environment(struct arena *a, const struct run_stage *s)
{
    struct text t = {.arena = a};
    for (uint32_t i = 0; s && i < s->count; i++)
        if (strcmp(s->option[i].key, "env") == 0) {
            const char *value = strchr(s->option[i].value, '=');
            text_add(&t, "%.*s=%s ", value ? (int)(value - s->option[i].value) : 0,
                     s->option[i].value, value ? shell_quote(a, value + 1) : "");
        }
    return t.v;
}

static const char *or_else(const char *s, const char *other)
{
    return s ? s : other;
}

void bundle_target_values(const struct bundle *b, const struct run_stage *s, struct fill *f)
{
    struct flags *flags = ARENA_NEW(f->a, struct flags);
    const bool any = s != NULL, llvm = any && strcmp(s->name, "llvm") == 0;
    const char *pipeline = or_else(any ? run_stage_option(s, "passes") : NULL, "default<O3>");
    *flags = flags_of(f->a, s);
    fill_list(f, "flags", flags->n, flag_row, flags);
    fill_list(f, "words", any ? s->count : 0, word_row, s);
    fill_flag(f, "is_unit_test", flags->n && b->w->text);
    fill_flag(f, "llvm_target", llvm);
    fill_flag(f, "checked_only", any && s->check);
    fill_text(f, "pipeline", pipeline);
    fill_text(f, "pipeline_quoted", shell_quote(f->a, pipeline));
    fill_text(f, "level", or_else(any ? run_stage_option(s, "level") : NULL, "2"));
    fill_text(f, "limit", any ? run_stage_option(s, "limit") : NULL);
    fill_text(f, "judge", any ? run_stage_option(s, "judge") : NULL);
    for (uint32_t i = 0; i < OPTIONS; i++)
        fill_text(f, arena_printf(f->a, "option_%u", i + 1),
                  any && i < s->count ? s->option[i].value : NULL);
    fill_text(f, "amber_env", environment(f->a, s));
}

static void file_row(struct fill *row, const void *user, uint32_t i)
{
    const struct bundle *b = user;
    fill_text(row, "name", b->file[i].name);
    fill_text(row, "holds", b->file[i].holds);
}

void bundle_readme_values(const struct bundle *b, struct fill *f)
{
    const struct run_stage *s = run_spec_parse(f->a, b->w->f->target, NULL);
    struct text t = {.arena = f->a};
    fill_list(f, "files", b->files, file_row, b);
    fill_flag(f, "output.amber", bundle_has(b, "output.amber"));
    if (s && !s->next) {
        const bool passes = s->kind && s->kind->passes == RUN_PASSES_WORDS;
        char *name = arena_printf(f->a, "commands/%s.md", passes ? "spirv-opt" : s->name);
        for (char *c = name; (c = strchr(c, ':'));)
            *c = '-';
        if (fill_has(name))
            fill_template(name, f, &t);
    }
    fill_text(f, "commands", t.v);
    // A compiler that crashes or rejects the module does so before anything runs.
    const bool compiler = s && !s->check && !s->isa && s->kind && s->kind->form != RUN_FORM_MEMORY;
    fill_flag(f, "run_amber", bundle_has(b, compiler ? "output.amber" : "case.amber"));
}
