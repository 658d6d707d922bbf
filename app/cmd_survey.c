// SPDX-License-Identifier: Apache-2.0
//
// tanglefuzz survey: counts how a compiler gets random programs wrong, and how often.
#include "args.h"
#include "campaign/survey.h"
#include "choices.h"

struct given {
    struct survey_options o;
    struct choice_options how;
    const char *known;
};

static double percent(uint64_t n, uint64_t of)
{
    return of ? 100.0 * (double)n / (double)of : 0;
}

static void print(const struct survey_options *o, const struct survey *s)
{
    say("target   %s, %s, subgroups of %u\n", o->target, s->info.driver, s->gen.subgroup);
    if (s->dropped[0])
        say("not generated, because the target does not offer it: %s\n", s->dropped);
    say("programs %llu, compiled %llu%s: %llu bits compared; %.0f s (%.0f programs/s)\n",
        (unsigned long long)s->made, (unsigned long long)s->asked,
        s->interrupted ? " (interrupted)" : "", (unsigned long long)s->live, s->seconds,
        s->seconds > 0 ? (double)s->asked / s->seconds : 0);
    if (s->unusable)
        say("  %llu are invalid or undefined: a bug in tanglefuzz\n",
            (unsigned long long)s->unusable);
    for (size_t i = 0; i < s->skips.n; i++)
        say("  skipped %llu: %s\n", (unsigned long long)s->skips.v[i].n, s->skips.v[i].why);
    for (int k = 0; k < SURVEY_KINDS; k++)
        if (s->by_kind[k])
            say("%9llu  %5.1f %%  %-9s  %s\n", (unsigned long long)s->by_kind[k],
                percent(s->by_kind[k], s->asked), survey_kind_name((enum survey_kind)k),
                survey_kind_line((enum survey_kind)k));
    for (size_t i = 0; i < s->rows.n; i++) {
        const struct survey_row *row = &s->rows.v[i];
        say("\n%s-%s: %llu programs, first seed %llu%s\n", survey_kind_name(row->kind),
            row->signature.name, (unsigned long long)row->n, (unsigned long long)row->first,
            row->repeats || s->interrupted ? "" : "; did not repeat");
        if (row->known)
            say("    known: %s (%s)%s%s\n", row->known->name, row->known->reason,
                row->known->link[0] ? ", " : "", row->known->link);
        say("    %s\n", row->text);
    }
}

static bool is_good(const struct survey *s)
{
    for (size_t i = 0; i < s->rows.n; i++)
        if (!s->rows.v[i].known)
            return false;
    return !s->unusable;
}

static bool read_known(struct context *x, const char *known, struct survey_options *o)
{
    struct report_known *entries;
    if (!report_known_read(&x->arena, known, &entries, &o->known_count, &x->e))
        return false;
    o->known = entries;
    return o->known_count || err_set(&x->e, "%s: contains no file NAME.known", known);
}

static int run(struct context *x, void *user)
{
    struct given *g = user;
    struct survey_options *o = &g->o;
    if (!o->target)
        return complain(x, "needs --target SPEC (tanglefuzz targets lists the targets here)");
    if (g->how.inputs != 1)
        return complain(x, "--inputs: survey runs one input set per program");
    o->self = x->self;
    if (!choice_read(x, &g->how, &o->gen) || (g->known && !read_known(x, g->known, o)) ||
        (o->out && !dir_make(o->out, &x->e)))
        return refuse(x);
    struct survey *s = ARENA_NEW(&x->arena, struct survey);
    int status;
    if (!survey_run(o, s, &x->e) || (o->out && !survey_save(o, s, &x->e))) {
        status = refuse(x);
    } else {
        print(o, s);
        status = is_good(s) ? STATUS_GOOD : STATUS_FOUND;
        // A target that gets every program wrong compares nothing either; that was printed.
        if (!s->live && !run_only_compiles(&s->info) &&
            s->asked == s->by_kind[SURVEY_AGREES] + s->by_kind[SURVEY_OTHER])
            status = complain(x, "nothing was compared");
    }
    survey_free(s);
    return status;
}

static const struct arg_option options[] = {
    OPT_TEXT("target", 't', "SPEC", "compiler, see tanglefuzz targets (needed)", o.target),
    OPT_U64("cases", 'n', "N", "number of programs; default 1000", o.cases, 1, UINT64_MAX / 2),
    OPT_U64("first", 0, "SEED", "the first seed; default 0", o.first, 0, UINT64_MAX / 2),
    OPT_TEXT("out", 'o', "DIR", "folder for survey.json and the smallest case of each bucket",
             o.out),
    OPT_TEXT("known", 0, "DIR", "folder of known bugs, NAME.known: counted, but not for status 1",
             known),
    OPT_FLAG("split", 0,
             "also report outputs that are right only if tangles join at their\n"
             "switches (D3, M2), although the input leaves no such choice",
             o.split),
    OPT_SECONDS("job-time", 0, "S", "timeout of one program; default 60", o.run.job_seconds),
    CHOICE_OPTIONS(how, CHOICE_MODELS),
};

const struct command cmd_survey = {
    .name = "survey",
    .task = TASK_FINDINGS,
    .line = "count how a compiler gets random programs wrong",
    .about =
        "Compiles random programs, each once, and sorts what goes wrong into buckets: refused by "
        "its own\n"
        "verifier, crash, invalid output (judged again after moving misplaced merge instructions), "
        "wrong\n"
        "result, no end. Prints the number of programs, the first seed and the smallest case of "
        "each\n"
        "bucket. For compilers that get every third program wrong, where fuzz would keep too many\n"
        "findings.\n"
        "Exit status: 0 nothing but known bugs, 1 something else is wrong, 2 bad usage or "
        "environment.",
    .example = "tanglefuzz survey --target 'llvm:passes=default<O3>' --cases 20000 -o o3\n"
               "tanglefuzz survey --target llvm:passes=none,level=0 --known corpus/known/llvm",
    OPTIONS(options),
    .size = sizeof(struct given),
    .defaults = &(const struct given){.o = {.cases = 1000}, .how = CHOICE_DEFAULTS},
    .finishes = true,
    .many = true,
    .run = run,
};
