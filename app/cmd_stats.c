// SPDX-License-Identifier: Apache-2.0
//
// tanglefuzz stats: measures the generator's programs, without a device. Each program is validated,
// and predicted by both machines of the oracle.
#include "args.h"
#include "base/interrupt.h"
#include "campaign/measure.h"
#include "choices.h"

#include <stdlib.h>

struct given {
    uint64_t first, cases;
    bool fast, all_models;
    const char *keep_in;
    struct choice_options how;
};

static int order(const void *x, const void *y)
{
    double a = *(const double *)x, b = *(const double *)y;
    return a < b ? -1 : a > b;
}

static double percent(uint64_t part, uint64_t all)
{
    return all ? 100.0 * (double)part / (double)all : 0;
}

static void sizes(struct measure *s)
{
    static const char *const names[MEASURE_SERIES] = {
        "words of the module",
        "blocks",
        "lines of pseudo-code",
        "instructions executed by an invocation",
        "  without log and lane mapping",
        "group operations executed",
        "live compared bits",
        "words logged, longest row",
    };
    say("%-40s %10s %10s %10s\n", "", "min", "median", "max");
    for (int k = 0; k < MEASURE_SERIES; k++) {
        const size_t n = s->series[k].v.n;
        double *v = s->series[k].v.v;
        if (!n)
            continue;
        qsort(v, n, sizeof(double), order);
        say("%-40s %10.0f %10.0f %10.0f\n", names[k], v[0], v[n / 2], v[n - 1]);
    }
}

static void tallies(const char *title, const struct tally *rows, uint32_t room)
{
    say("\n%-22s %10s %10s %12s %10s\n", title, "placed", "executed", "executions", "partial");
    for (uint32_t k = 0; k < room; k++)
        if (rows[k].name && rows[k].placed)
            say("%-22s %10llu %8.1f %% %12llu %8.1f %%\n", rows[k].name,
                (unsigned long long)rows[k].placed, percent(rows[k].reached, rows[k].placed),
                (unsigned long long)rows[k].runs, percent(rows[k].partial, rows[k].runs));
}

static void what_is_in_them(struct measure *s)
{
    static const char *const deep[MEASURE_DEPTHS] = {"0", "1", "2", "3", "4", "5", "6 and more"};
    s->all_ops.name = "all";
    for (uint32_t k = 0; k < MEASURE_DEPTHS; k++)
        s->depth[k].name = deep[k];
    tallies("operations", &s->all_ops, 1);
    tallies("  by enclosing constructs", s->depth, MEASURE_DEPTHS);
    tallies("  of element type", s->type, MEASURE_TYPES);
    tallies("  by name", s->op, MEASURE_OPS);
    say("\nrule   programs      times\n");
    for (uint32_t k = 0; k < MEASURE_RULES; k++)
        say("%-4s   %6.1f %% %10llu   %s\n", measure_rules[k].name,
            percent(s->rule[k].programs, s->programs), (unsigned long long)s->rule[k].times,
            measure_rules[k].line);
    say("(D5 and M6 state what must not happen; D4, E1 and E2 need the fragment stage)\n\n");
    for (uint32_t i = 0; gen_pattern_row(i); i++)
        say("%-18s %5.1f %%   %s\n", gen_pattern_row(i)->name, percent(s->pattern[i], s->programs),
            gen_pattern_row(i)->line);
    say("\n");
    for (int f = 0; f < GEN_FEATURE_COUNT; f++)
        say("%-18s %5.1f %%   %s\n", gen_feature_name((enum gen_feature)f),
            percent(s->used[f], s->programs), gen_feature_line((enum gen_feature)f));
}

static int report(struct context *x, struct measure *s, bool both)
{
    say("%llu programs: %llu invalid, %llu undefined, %llu over limit, %llu unsupported\n",
        (unsigned long long)s->programs, (unsigned long long)s->invalid,
        (unsigned long long)s->undefined, (unsigned long long)s->over_limit,
        (unsigned long long)s->other);
    if (both)
        say("mask machine and tag machine disagree on %llu\n", (unsigned long long)s->disagree);
    say("%llu compare nothing\n\n", (unsigned long long)s->nothing);
    sizes(s);
    const struct {
        const char *line;
        uint64_t n;
    } shares[] = {{"programs that diverge", s->with_divergence},
                  {"         that reconverge", s->with_reconvergence},
                  {"         that do both", s->with_both},
                  {"         with a partial tangle's op", s->with_partial},
                  {"         without an op executed", s->without_op},
                  {"         that leave a choice (D3, M2)", s->with_choice}};
    say("\n");
    for (size_t k = 0; k < sizeof shares / sizeof *shares; k++)
        say("%-36s %5.1f %%\n", shares[k].line, percent(shares[k].n, s->programs));
    say("\nsubgroup size   programs   results of group operations   promised by the model\n");
    for (unsigned k = 0; k < 8; k++)
        if (s->size[k].programs)
            say("%13u %10llu %29llu %21llu\n", 1u << k, (unsigned long long)s->size[k].programs,
                (unsigned long long)s->size[k].results,
                (unsigned long long)s->size[k].live_results);
    what_is_in_them(s);
    const double n = (double)s->programs;
    say("\nper second of CPU time: %.0f generated, %.0f validated, %.0f both; %.0f predicted",
        n / s->generate, n / s->validate, n / (s->generate + s->validate), n / s->predict);
    if (both)
        say(", %.0f by the tag machine", n / s->check);
    say("\n");
    bool bad = s->invalid || s->undefined || s->over_limit || s->other || s->disagree || s->nothing;
    if (s->first[0])
        complain(x, "%s", s->first);
    if (s->nothing)
        complain(x, "at least one program compares nothing");
    return bad ? STATUS_FOUND : STATUS_GOOD;
}

static int run(struct context *x, void *user)
{
    const struct given *given = user;
    const bool both = !given->fast;
    struct gen_options g;
    if (!choice_read(x, &given->how, &g))
        return refuse(x);
    struct arena a = {0};
    struct measure s = {.tools = x->tools, .keep_in = given->keep_in};
    for (uint64_t k = 0; k < given->cases && !interrupted(); k++) {
        static const uint32_t sizes[] = {4, 8, 16, 32, 64};
        struct gen_options one_of = g;
        if (!one_of.subgroup)
            one_of.subgroup = sizes[k % 5];
        if (given->all_models)
            one_of.model = (enum spv_model)(k / 5 % 4);
        char name[64];
        snprintf(name, sizeof name, "stats, seed %llu", (unsigned long long)(given->first + k));
        check_context(name);
        measure_one(&s, &a, given->first + k, &one_of, both);
        arena_reset(&a);
    }
    check_context(NULL);
    int status = report(x, &s, both);
    arena_free(&a);
    arena_free(&s.keep);
    return status;
}

static const struct arg_option options[] = {
    OPT_U64("cases", 'n', "N", "number of programs; default 1000", cases, 1, UINT64_MAX / 2),
    OPT_U64("first", 0, "SEED", "the first seed; default 0", first, 0, UINT64_MAX / 2),
    OPT_FLAG("fast", 0, "do not run the tag machine", fast),
    OPT_FLAG("all-models", 0, "also vary the model", all_models),
    OPT_TEXT("keep", 0, "DIR", "folder for programs on which the machines disagree", keep_in),
    CHOICE_OPTIONS(how, CHOICE_MODELS),
};

const struct command cmd_stats = {
    .name = "stats",
    .task = TASK_OURSELVES,
    .line = "measure the generator's programs",
    .about = "Generates programs and measures them without a device: all must be valid, be "
             "defined, end, compare\n"
             "something, and get the same result from both machines of the oracle. Without "
             "--subgroup the\n"
             "subgroup size cycles through 4, 8, 16, 32 and 64.\n"
             "Exit status: 0 all is well, 1 a bug in tanglefuzz, 2 bad usage.",
    .example = "tanglefuzz stats --cases 20000\ntanglefuzz stats --cases 100000 --all-models "
               "--keep bad\ntanglefuzz stats --profile large --fast",
    OPTIONS(options),
    .size = sizeof(struct given),
    .defaults = &(const struct given){.cases = 1000, .how = CHOICE_DEFAULTS},
    .finishes = true,
    .many = true,
    .run = run,
};
