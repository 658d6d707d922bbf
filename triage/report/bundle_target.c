// SPDX-License-Identifier: Apache-2.0
//
// The target of a bundle as values for its templates: the compiler's options, and what no hardware
// ran. Then its recipes, after they were run.
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

// ---- compiled without hardware -----------------------------------------------------------------

// How Mesa's drivers and their back ends are called.
static const struct {
    const char *driver, *name, *back_end;
} compilers[] = {{"radv", "RADV", "ACO"},
                 {"nvk", "NVK", "NAK"},
                 {"turnip", "Turnip", "ir3"},
                 {"honeykrisp", "Honeykrisp", "AGX"}};

// The version in the text of a driver: "radv Mesa 26.2.6-1" -> "26.2.6"; "" if there is none.
static const char *version_in(struct arena *a, const char *driver)
{
    const char *at = strstr(driver, "Mesa ");
    at = at ? at + 5 : strpbrk(driver, "0123456789");
    return at ? arena_strn(a, at, strspn(at, "0123456789.")) : "";
}

// The chip in a device's name: "AMD Radeon Graphics (RADV NAVI31)" -> "NAVI31"; else all of it.
static const char *chip_of(struct arena *a, const char *device)
{
    const size_t n = strlen(device);
    const char *at = strrchr(device, ' ');
    return at && n && device[n - 1] == ')' ? arena_strn(a, at + 1, strlen(at) - 2) : device;
}

static const char *stage_words(struct arena *a, enum diag_stage stage, const char *back_end)
{
    switch (stage) {
    case DIAG_STAGE_NIR:
        return " NIR is already wrong: its last form, run the same way, has a wrong result.";
    case DIAG_STAGE_DIVERGENCE:
        return arena_printf(a,
                            " NIR computes the right values, but marks a value as uniform that is "
                            "not; %s's code follows that mark.",
                            back_end);
    case DIAG_STAGE_MACHINE:
        return arena_printf(a, " NIR is right, %s's code is not.", back_end);
    default:
        return "";
    }
}

// " Line 173 computes the first wrong word: `v_readlane_b32 s3, v94, 31`."
static const char *line_words(struct arena *a, const struct report_code *code)
{
    const uint32_t at = code->at.line ? code->at.line : code->at.store;
    const char *s = code->text;
    for (uint32_t i = 1; s && i < at; i++)
        s = strchr(s, '\n') ? strchr(s, '\n') + 1 : NULL;
    if (!s || !at)
        return "";
    s += strspn(s, " \t");
    size_t n = strcspn(s, "\n;"); // without the encoding, a comment
    while (n && (s[n - 1] == ' ' || s[n - 1] == '\t'))
        n--;
    return arena_printf(a, " Line %u %s the first wrong word: `%.*s`.", at,
                        code->at.line ? "computes" : "stores", (int)n, s);
}

// Says that no hardware ran the code, and which stage is the first wrong one. NULL: hardware, or
// the oracle, ran it.
static const char *machine(struct arena *a, const struct report_view *w, const struct run_stage *s)
{
    const char *name = NULL, *back_end = "the back end";
    if (!s || s->next || (!s->isa && !s->check))
        return NULL;
    const char *driver = run_stage_option(s, "driver"), *cpu = run_stage_option(s, "cpu");
    for (size_t k = 0; driver && k < sizeof compilers / sizeof *compilers; k++)
        if (strncmp(driver, compilers[k].driver, strlen(compilers[k].driver)) == 0) {
            name = compilers[k].name;
            back_end = compilers[k].back_end;
        }
    if (strcmp(s->name, "llvm") == 0)
        name = "LLVM";
    const char *version = version_in(a, w->f->driver);
    const char *chip = cpu ? cpu : w->device && w->device[0] ? chip_of(a, w->device) : "a GPU";
    return arena_printf(a, "Compiled by %s%s%s for %s without hardware; %s.%s%s",
                        name ? name : "the driver", version[0] ? " " : "", version, chip,
                        !s->isa  ? "nothing was run"
                        : s->nir ? "its last NIR was run by tanglefuzz's simulator, not on a GPU"
                                 : "run by tanglefuzz's simulator, not on a GPU",
                        stage_words(a, w->f->stage, back_end), line_words(a, &w->code));
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
    fill_text(f, "dump",
              any && b->w->has_case && spv_stage_row(b->w->c.stage)->has_workgroups
                  ? run_dump_variable(run_stage_option(s, "driver"))
                  : NULL);
    fill_flag(f, "output.amber", bundle_has(b, "output.amber"));
    fill_text(f, "machine", machine(f->a, b->w, s));
}

static void file_row(struct fill *row, const void *user, uint32_t i)
{
    const struct bundle *b = user;
    fill_text(row, "name", b->file[i].name);
    fill_text(row, "holds", b->file[i].holds);
}

// The recipes of one part of the README, or those that were left out.
struct part {
    const struct bundle *b;
    const struct bundle_recipe
        *v[sizeof((struct bundle *)0)->recipe / sizeof(struct bundle_recipe)];
    uint32_t n;
};

static void step_row(struct fill *row, const void *user, uint32_t i)
{
    const struct bundle_recipe *r = user;
    fill_text(row, "line", r->step[i].line);
    fill_text(row, "ended", r->state == BUNDLE_SHOWS ? r->step[i].ended : r->why);
}

static void recipe_row(struct fill *row, const void *user, uint32_t i)
{
    const struct bundle_recipe *r = ((const struct part *)user)->v[i];
    fill_list(row, "steps", r->steps, step_row, r);
}

// All its commands that ran; the last one ended otherwise than it must.
static void left_row(struct fill *row, const void *user, uint32_t i)
{
    const struct bundle_recipe *r = ((const struct part *)user)->v[i];
    struct text lines = {.arena = row->a};
    for (uint32_t k = 0; k < r->steps && r->step[k].ended; k++)
        text_add(&lines, "%s`%s`", k ? ", then " : "", r->step[k].line);
    fill_text(row, "line", lines.v);
    fill_text(row, "why", r->why);
}

static void program_row(struct fill *row, const void *user, uint32_t i)
{
    const struct bundle *b = user;
    fill_text(row, "program", b->program[i].name);
    fill_text(row, "version", b->program[i].version);
}

static void recipes(const struct bundle *b, struct fill *f)
{
    static const char *const names[BUNDLE_PLACES] = {"with", "without", "test", "amber"};
    struct part *left = ARENA_NEW(f->a, struct part);
    bool judges = false;
    for (int place = 0; place < BUNDLE_PLACES; place++) {
        struct part *p = ARENA_NEW(f->a, struct part);
        for (uint32_t i = 0; i < b->recipes; i++) {
            const struct bundle_recipe *r = &b->recipe[i];
            if (r->place != (enum bundle_place)place || (r->asks && r->state != BUNDLE_SHOWS))
                continue;
            struct part *to = r->state == BUNDLE_LEFT_OUT ? left : p;
            to->v[to->n++] = r;
            judges |= to == p && place == BUNDLE_WITHOUT && r->steps > 1 &&
                      r->step[r->steps - 1].want == COMMAND_WRONG;
        }
        fill_list(f, names[place], p->n, recipe_row, p);
    }
    fill_list(f, "programs", b->programs, program_row, b);
    fill_list(f, "left_out", left->n, left_row, left);
    fill_flag(f, "judges_output", judges);
    fill_flag(f, "has_amber", bundle_has(b, "case.amber"));
    fill_flag(f, "ran", b->ran);
    const struct bundle_recipe *x = b->alone;
    fill_text(f, "alone",
              !x || x->state == BUNDLE_UNRUN ? NULL
              : x->state == BUNDLE_SHOWS     ? "wrong"
                                             : "right");
    fill_text(f, "alone_ended", x ? x->why : NULL);
}

void bundle_readme_values(const struct bundle *b, struct fill *f)
{
    fill_list(f, "files", b->files, file_row, b);
    recipes(b, f);
}
