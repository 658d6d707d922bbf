// SPDX-License-Identifier: Apache-2.0
//
// tanglefuzz gen: one generated case.
#include "choices.h"

#include "printers/printers.h"

#include <string.h>

static void print_features(void)
{
    for (int f = 0; f < GEN_FEATURE_COUNT; f++)
        say("%-18s %s\n", gen_feature_name((enum gen_feature)f),
            gen_feature_line((enum gen_feature)f));
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

// x.spvasm -> x.3.spvasm; x -> x.3.spvasm
static const char *numbered(struct arena *a, const char *out, uint32_t i)
{
    size_t n = strlen(out);
    if (n > 7 && strcmp(out + n - 7, ".spvasm") == 0)
        n -= 7;
    return arena_printf(a, "%.*s.%u.spvasm", (int)n, out, i);
}

static int write_cases(struct arena *a, struct gen_made *m, const char *out)
{
    struct err e = {0};
    struct spv_tools *tools = spv_tools_new();
    bool ok = true;
    for (uint32_t i = 0; i < m->case_count && ok; i++) {
        struct spv_case *c = &m->cases[i];
        if (m->case_count > 1) {
            c->inputs_at = i + 1;
            c->inputs_of = m->case_count;
        }
        struct text t = {.arena = a};
        if (out) {
            ok = spv_case_write(tools, c, m->case_count > 1 ? numbered(a, out, i + 1) : out, &e);
        } else {
            ok = spv_case_print(tools, c, &t, &e);
            if (ok)
                say_text(&t);
        }
    }
    spv_tools_free(tools);
    return ok ? STATUS_GOOD : complain("gen", "%s", e.msg);
}

// The module in another language, on standard output.
static int print_as(struct arena *a, const struct gen_made *m, const char *as)
{
    struct err e = {0};
    enum print_language language;
    struct text t = {.arena = a};
    const struct spv_case *c = &m->cases[0];
    if (!print_language_find(as, &language, &e))
        return complain("gen", "--as: %s", e.msg);
    if (!print_module(a, language, c->words, c->count, c->subgroup, &t, &e))
        return complain("gen", "%s", e.msg);
    say_text(&t);
    return STATUS_GOOD;
}

static int run(int argc, char **argv)
{
    uint64_t seed = 0;
    const char *choices = NULL, *out = NULL, *as = NULL;
    bool features = false, tree = false;
    struct choice_options how = choice_defaults();
    const struct arg_option options[] = {
        OPT_U64("seed", 's', "N", "seed; default 0", &seed, 0, UINT64_MAX),
        OPT_TEXT("choices", 0, "HEX", "a recorded choice sequence instead of a seed", &choices),
        OPT_TEXT("out", 'o', "FILE", "write there; several inputs: FILE.1.spvasm ...", &out),
        OPT_FLAG("tree", 0, "print the program as pseudo-code instead", &tree),
        OPT_TEXT("as", 0, "LANGUAGE", "print the module in another language: llvm, hlsl, glsl", &as),
        OPT_FLAG("features", 0, "print the table of features", &features),
        CHOICE_OPTIONS(how),
    };
    const struct arg_command command = {
        .name = "gen",
        .about = "Makes one random program: a case file that any SPIR-V assembler accepts. The "
                 "same seed,\noptions and version give the same bytes on every machine. The "
                 "subgroup size is 32\nunless --subgroup says another.",
        .example = "tanglefuzz gen --seed 42 --subgroup 8 -o case.spvasm\n"
                   "tanglefuzz gen --seed 42 --only if,ballot --tree",
        .options = options,
        .count = OPT_COUNT(options),
    };
    struct args args;
    int said = args_parse(&command, argc, argv, &args);
    if (said >= 0)
        return said;
    if (features) {
        print_features();
        return STATUS_GOOD;
    }
    struct gen_options g;
    said = choice_read("gen", &how, &g);
    if (said >= 0)
        return said;
    if (!g.subgroup)
        g.subgroup = 32;
    if (g.inputs > 1 && !out && !tree)
        return complain("gen", "--inputs %u makes %u files: say where with -o FILE", g.inputs,
                        g.inputs);
    struct arena a = {0};
    struct gen_choices c;
    uint8_t *bytes;
    size_t n;
    if (!choices) {
        gen_choices_seed(&c, &a, seed);
    } else if (read_hex(&a, choices, &bytes, &n)) {
        gen_choices_bytes(&c, &a, bytes, n);
    } else {
        arena_free(&a);
        return complain("gen", "--choices: not pairs of hexadecimal digits");
    }
    struct gen_made m;
    gen_make(&c, &g, &m);
    if (tree) {
        struct text t = {.arena = &a};
        gen_print(m.program, &t);
        say_text(&t);
        said = STATUS_GOOD;
    } else if (as) {
        said = print_as(&a, &m, as);
    } else {
        said = write_cases(&a, &m, out);
    }
    arena_free(&a);
    return said;
}

const struct command cmd_gen = {"gen", "make one random program", run};
