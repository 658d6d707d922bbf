// SPDX-License-Identifier: Apache-2.0
//
// tanglefuzz gen: writes one generated case, or a folder of them.
#define _POSIX_C_SOURCE 200809L
#include "case_files.h"
#include "choices.h"

#include "base/interrupt.h"
#include "campaign/campaign.h"
#include "printers/printers.h"

#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

struct given {
    uint64_t seed, count;
    const char *choices, *out, *as, *target;
    bool features, tree;
    struct choice_options how;
};

static void print_features(void)
{
    for (int f = 0; f < GEN_FEATURE_COUNT; f++)
        say("%-18s %s%s\n", gen_feature_name((enum gen_feature)f),
            gen_feature_line((enum gen_feature)f), f < GEN_BY_NAME ? "" : " (--with)");
}

static int digit(char c)
{
    return c >= '0' && c <= '9'   ? c - '0'
           : c >= 'a' && c <= 'f' ? c - 'a' + 10
           : c >= 'A' && c <= 'F' ? c - 'A' + 10
                                  : -1;
}

static bool read_hex(struct arena *a, const char *s, uint8_t **v, size_t *n)
{
    size_t len = strlen(s);
    *v = ARENA_ARRAY(a, uint8_t, len / 2 + 1);
    *n = len / 2;
    for (size_t i = 0; i < len / 2; i++) {
        int high = digit(s[2 * i]), low = digit(s[2 * i + 1]);
        if (high < 0 || low < 0)
            return false;
        (*v)[i] = (uint8_t)(high * 16 + low);
    }
    return len % 2 == 0;
}

// Prints the module in another language on standard output.
static int print_as(struct context *x, const struct gen_made *m, const char *as)
{
    enum print_language language;
    struct text t = {.arena = &x->arena};
    const struct spv_case *c = &m->cases[0];
    uint32_t at;
    if (!print_language_find(as, &language, &x->e))
        return complain(x, "--as: %s", x->e.msg);
    if (!print_module(&x->arena, language, c->words, c->count, c->subgroup, &t, &at, &x->e))
        return refuse_at(x, at);
    say_text(&t);
    return STATUS_GOOD;
}

// ---- a folder of cases -----------------------------------------------------------

static const char *file_of_seed(struct arena *a, const struct given *g, uint64_t seed)
{
    return arena_printf(a, "%s/s%06llu.spvasm", g->out, (unsigned long long)seed);
}

// Removes the cases written so far: a folder gets all of the cases or none.
static void remove_cases(const struct given *g, uint64_t written)
{
    struct arena a = {0};
    for (uint64_t k = 0; k < written; k++, arena_reset(&a))
        for (uint32_t i = 0; i < g->how.inputs; i++)
            unlink(case_files_name(&a, file_of_seed(&a, g, g->seed + k), i, g->how.inputs));
    arena_free(&a);
}

static bool in_the_way(struct context *x, const struct given *g)
{
    struct arena a = {0};
    struct stat st;
    bool is = stat(g->out, &st) == 0 && !S_ISDIR(st.st_mode);
    if (is)
        err_set(&x->e, "%s: is a file, not a folder", g->out);
    for (uint64_t k = 0; k < g->count && !is; k++, arena_reset(&a))
        for (uint32_t i = 0; i < g->how.inputs && !is; i++) {
            const char *path =
                case_files_name(&a, file_of_seed(&a, g, g->seed + k), i, g->how.inputs);
            is = lstat(path, &st) == 0;
            if (is)
                err_set(&x->e, "%s: exists already: choose another folder with -o", path);
        }
    arena_free(&a);
    return is;
}

static int make_folder(struct context *x, const struct given *g, const struct gen_options *o)
{
    struct arena a = {0};
    uint64_t k = 0;
    bool made = stat(g->out, &(struct stat){0}) != 0;
    if (in_the_way(x, g) || !dir_make(g->out, &x->e))
        return refuse(x);
    bool ok = true;
    for (; k < g->count && ok; k++, arena_reset(&a)) {
        struct gen_choices c;
        struct gen_made m;
        gen_choices_seed(&c, &a, g->seed + k);
        gen_make(&c, o, &m);
        ok = interrupted() ? err_set(&x->e, "interrupted: nothing was kept")
                           : case_files_write(x, &a, &m, file_of_seed(&a, g, g->seed + k));
    }
    if (!ok) {
        remove_cases(g, k);
        if (made)
            rmdir(g->out);
    }
    arena_free(&a);
    return ok ? STATUS_GOOD : refuse(x);
}

// Limits the generator to what the target offers, and takes its subgroup size unless one is set.
static bool ask_target(struct context *x, const char *spec, struct gen_options *g)
{
    char dropped[1024] = "";
    struct run_target *t = run_open(spec, x->self, &(struct run_options){0}, &x->e);
    if (!t)
        return false;
    const struct run_info *info = run_info(t);
    if (!g->features)
        g->features = gen_features_of(g->stage);
    const bool takes = campaign_takes_stage(spec, info, g->stage, &x->e);
    campaign_keep_offered(g, info, dropped, sizeof dropped);
    if (!g->subgroup)
        g->subgroup = info->subgroup_size;
    run_close(t);
    if (!takes)
        return false;
    return g->features ||
           err_set(&x->e,
                   "%s offers none of the selected features: change --only, --with or --without",
                   spec);
}

// ---- the command -----------------------------------------------------------------

static int run(struct context *x, void *user)
{
    const struct given *given = user;
    struct gen_options g;
    struct gen_choices c;
    struct gen_made m;
    uint8_t *bytes;
    size_t n;
    if (given->features) {
        print_features();
        return STATUS_GOOD;
    }
    if (!choice_read(x, &given->how, &g))
        return refuse(x);
    if (given->target && !ask_target(x, given->target, &g))
        return refuse(x);
    if (!g.subgroup)
        g.subgroup = 32;
    if (given->count && (given->choices || given->tree || given->as))
        return complain(
            x, "--count writes a folder of cases: --choices, --tree and --as are for one case");
    if (given->count && !given->out)
        return complain(x, "--count writes a folder of cases: name it with -o DIR");
    if (given->count > UINT64_MAX - given->seed)
        return complain(x, "--count: fewer seeds than that are left after --seed %llu",
                        (unsigned long long)given->seed);
    if (given->count)
        return make_folder(x, given, &g);
    if (g.inputs > 1 && !given->out && !given->tree)
        return complain(x, "--inputs %u writes %u files: name them with -o FILE", g.inputs,
                        g.inputs);
    if (!given->choices)
        gen_choices_seed(&c, &x->arena, given->seed);
    else if (read_hex(&x->arena, given->choices, &bytes, &n))
        gen_choices_bytes(&c, &x->arena, bytes, n);
    else
        return complain(x, "--choices: not pairs of hexadecimal digits");
    gen_make(&c, &g, &m);
    if (given->as && !given->tree)
        return print_as(x, &m, given->as);
    if (!given->tree)
        return case_files_write(x, &x->arena, &m, given->out) ? STATUS_GOOD : refuse(x);
    struct text t = {.arena = &x->arena};
    gen_print(m.program, &t);
    say_text(&t);
    return STATUS_GOOD;
}

static const struct arg_option options[] = {
    OPT_U64("seed", 's', "N", "seed; default 0", seed, 0, UINT64_MAX),
    OPT_U64("count", 'n', "N",
            "write N cases, for this seed and those after it, to the folder\n"
            "-o DIR: DIR/s000042.spvasm ...",
            count, 1, 10000000),
    OPT_TEXT("choices", 0, "HEX", "use this recorded choice sequence instead of a seed", choices),
    OPT_TEXT("out", 'o', "FILE",
             "output file; with several inputs FILE.1.spvasm ...; default: print", out),
    OPT_FLAG("tree", 0, "print the program as pseudo-code", tree),
    OPT_TEXT("target", 't', "SPEC", "use only what this target offers, at its subgroup size",
             target),
    OPT_TEXT("as", 0, "LANGUAGE", "print the module in another language: llvm, hlsl, glsl, wgsl",
             as),
    OPT_FLAG("features", 0, "list the features", features),
    CHOICE_OPTIONS(how, CHOICE_MODELS),
};

const struct command cmd_gen = {
    .name = "gen",
    .task = TASK_SHADER,
    .line = "generate random programs",
    .about = "Generates a random program: a case file that any SPIR-V assembler accepts. The same "
             "seed, options\n"
             "and version produce the same bytes on every machine. The subgroup size is 32 unless "
             "--subgroup\n"
             "sets it. With --count: a folder of programs, all or none.",
    .example = "tanglefuzz gen --seed 42 --subgroup 8 -o case.spvasm\n"
               "tanglefuzz gen --seed 42 --only if,ballot --tree\n"
               "tanglefuzz gen --count 100 -o cases",
    OPTIONS(options),
    .size = sizeof(struct given),
    .defaults = &(const struct given){.how = CHOICE_DEFAULTS},
    .finishes = true,
    .run = run,
};
