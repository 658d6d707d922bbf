// SPDX-License-Identifier: Apache-2.0
//
// Mutation benchmark: runs programs against all mutants that are not found yet, in this process.
//
// Cost of a mutant: generating, validating and predicting all programs up to the one that finds it,
// and its own execution and judging.
#include "mutbench.h"
#include "base/interrupt.h"
#include "caselist.h"

#include <string.h>

enum { SAMPLE = 200 }; // modules from which the share "applied" is computed

// A transformation is found if its module's results differ, are undefined, or it does not end; a
// fault if results differ or the machine cannot run the program.
static bool is_kill(const struct mut_mutant *m, enum judge_class k)
{
    return judge_class_is_mismatch(k) || k == JUDGE_HANG || k == JUDGE_UNDEFINED_OUTPUT ||
           (k == JUDGE_CRASH && m->kind == MUT_FAULT);
}

static void try_case(struct mutbench *r, struct row *row, struct arena *a,
                     const struct prediction *p, const uint32_t *words, size_t count,
                     const char *by)
{
    struct run_result result = {.status = RUN_OK};
    struct judged judged;
    struct shown_policy shown = {0};
    if (row->m->kind == MUT_FAULT) {
        struct spv_case c = *p->c;
        c.has_policy = true;
        c.policy = p->policy;
        char name[80];
        snprintf(name, sizeof name, "%s", row->m->name);
        mut_backend.answer(name, a, &c, p->subgroup, &result);
    } else {
        result.form = RUN_FORM_SPIRV;
        result.words = words;
        result.word_count = count;
    }
    judge_result(a, r->tools, p, &result, &shown, &judged);
    enum judge_class k = judged.verdict.klass;
    row->ambiguous += k == JUDGE_AMBIGUOUS;
    row->skipped += k == JUDGE_SKIPPED;
    if (k == JUDGE_INVALID_OUTPUT) {
        if (!row->broken++)
            snprintf(row->first_broken, sizeof row->first_broken, "%.90s: %.390s", by,
                     judged.verdict.text);
        return;
    }
    if (!is_kill(row->m, k))
        return;
    row->kills++;
    if (row->killed)
        return;
    row->killed = true;
    row->how = k;
    row->size = r->size;
    snprintf(row->text, sizeof row->text, "%s", judged.verdict.text);
    snprintf(row->by, sizeof row->by, "%s", by);
}

// Runs one module with its input sets against all mutants that are not found yet and that such
// programs can detect.
static void try_module(struct mutbench *r, struct arena *a, const struct spv_case *cases,
                       uint32_t n, const struct prediction *p, enum mut_programs programs,
                       const char *by)
{
    for (uint32_t k = 0; k < r->n; k++) {
        struct row *row = &r->rows[k];
        if (row->m->detected_by != programs)
            continue;
        const bool sampling = row->m->kind == MUT_TRANSFORMATION && row->sampled < SAMPLE;
        const bool done = row->killed && !r->target;
        const uint64_t kills = row->kills;
        if (done && !sampling)
            continue;
        double start = cpu_seconds();
        const uint32_t *words = cases[0].words;
        size_t count = cases[0].count;
        uint32_t places = 1;
        if (row->m->kind == MUT_TRANSFORMATION)
            places = mut_compile(a, row->m, words, count, &words, &count);
        if (sampling) {
            row->sampled++;
            row->applied += places > 0;
        }
        if (done)
            continue;
        row->cases++;
        for (uint32_t j = 0; j < n && places && row->kills == kills; j++)
            if (judge_usable(&p[j]))
                try_case(r, row, a, &p[j], words, count, by);
        row->seconds += cpu_seconds() - start;
        if (row->kills == 1 && !kills) {
            row->seconds += r->shared;
            r->left--;
        }
    }
}

// Runs the module on the target of --per-second, if any, and adds its time. False unless all inputs
// ran.
static bool drive(struct mutbench *r, struct arena *a, const struct spv_case *cases, uint32_t n)
{
    if (!r->target)
        return true;
    struct run_result *results;
    uint32_t got = 0;
    double seconds = 0;
    CHECK(run_submit(r->target, cases, n, r->subgroup));
    while (!got)
        got = run_take(r->target, a, 1, &results);
    for (uint32_t k = 0; k < got; k++) {
        seconds += results[k].driver_seconds;
        if (results[k].status != RUN_OK)
            return false;
    }
    r->driver_seconds += seconds;
    return true;
}

// ---- sources of programs --------------------------------------------------------

static bool is_left(const struct mutbench *r, enum mut_programs programs)
{
    for (uint32_t k = 0; k < r->n; k++)
        if (r->rows[k].m->detected_by == programs && (!r->rows[k].killed || r->target))
            return true;
    return false;
}

struct gen_options mutbench_options(const struct gen_options *g, enum mut_programs programs)
{
    static const gen_features images = GEN_SAMPLING | GEN_BIT(GEN_IMAGE_INDEX) |
                                       GEN_BIT(GEN_IMAGE_NONUNIFORM) | GEN_BIT(GEN_OP_IMAGE);
    struct gen_options one = *g;
    if (programs == MUT_FRAGMENTS) {
        one.stage = SPV_FRAGMENT;
        one.features = 0;
    }
    if (programs == MUT_DERIVATIVES)
        one.features =
            (one.features ? one.features : GEN_DEFAULT_FEATURES) | GEN_BIT(GEN_OP_DERIVATIVE);
    if (programs == MUT_IMAGES)
        one.features = (one.features ? one.features : GEN_DEFAULT_FEATURES) | images;
    return one;
}

// Generates the program of a seed, of the kind that some mutants need, and tries it.
static void try_seed(struct mutbench *r, struct arena *a, const struct gen_options *g,
                     uint64_t seed, enum mut_programs programs)
{
    const struct gen_options one = mutbench_options(g, programs);
    struct gen_choices c;
    struct gen_made made;
    struct err e;
    char by[160];
    static const char *const how[MUT_PROGRAMS] = {
        "", " --with derivative", " --stage fragment",
        " --with sample,sample-lod,image-index,image-nonuniform,storage-image"};
    snprintf(by, sizeof by, "--seed %llu --subgroup %u%s", (unsigned long long)seed, one.subgroup,
             how[programs]);
    check_context(by);
    arena_reset(a);
    double start = cpu_seconds();
    gen_choices_seed(&c, a, seed);
    gen_make(&c, &one, &made);
    bool valid =
        spv_validate(r->tools, SPV_ENV_VULKAN_1_3, made.cases[0].words, made.cases[0].count, &e);
    const struct prediction *p =
        judge_predict(a, made.cases, made.case_count, one.subgroup, SPV_POLICY_JOIN);
    r->shared += cpu_seconds() - start;
    r->programs++;
    if (valid && drive(r, a, made.cases, made.case_count))
        try_module(r, a, made.cases, made.case_count, p, programs, by);
    else
        r->unusable++;
}

void mutbench_generated(struct mutbench *r, const struct gen_options *g, uint64_t first,
                        uint64_t cases)
{
    struct arena a = {0};
    for (uint64_t k = 0; k < cases && (r->left || r->target); k++) {
        static const uint32_t sizes[] = {4, 8, 16, 32, 64};
        struct gen_options one = *g;
        if (interrupted()) {
            r->stop = "interrupted";
            break;
        }
        r->tick(r, k, cases);
        if (!one.subgroup)
            one.subgroup = sizes[k % 5];
        for (int programs = 0; programs < MUT_PROGRAMS; programs++)
            if (is_left(r, (enum mut_programs)programs))
                try_seed(r, &a, &one, first + k, (enum mut_programs)programs);
    }
    check_context(NULL);
    arena_free(&a);
}

void mutbench_program(struct mutbench *r, struct arena *a, const struct spv_case *cases, uint32_t n,
                      uint32_t subgroup, enum mut_programs programs)
{
    const double start = cpu_seconds();
    const struct prediction *p = judge_predict(a, cases, n, subgroup, SPV_POLICY_JOIN);
    r->shared += cpu_seconds() - start;
    r->programs++;
    try_module(r, a, cases, n, p, programs, cases[0].from);
    if (programs == MUT_DERIVATIVES || programs == MUT_IMAGES)
        try_module(r, a, cases, n, p, MUT_ANY, cases[0].from);
}

static void try_stage(struct mutbench *r, const struct gen_options *g, enum spv_stage stage,
                      uint32_t size)
{
    struct arena keep = {0}, a = {0};
    const struct enumeration *all = enu_make(&keep, stage, size);
    const enum mut_programs programs = spv_stage_row(stage)->has_helpers ? MUT_FRAGMENTS : MUT_ANY;
    const uint64_t count = enu_count(all, size);
    for (uint64_t n = 0; n < count && is_left(r, programs); n++, arena_reset(&a)) {
        struct gen_made made;
        if (interrupted()) {
            r->stop = "interrupted";
            break;
        }
        r->tick(r, n, count);
        gen_make_number(&a, all, n, g, &made);
        r->size = enu_size_of(all, n);
        mutbench_program(r, &a, made.cases, made.case_count, g->subgroup, programs);
    }
    arena_free(&a);
    arena_free(&keep);
}

void mutbench_enumerated(struct mutbench *r, const struct gen_options *g, uint32_t size)
{
    struct gen_options one = *g;
    if (!one.subgroup)
        one.subgroup = 8;
    if (one.inputs < 2) // each condition on the input in all its values
        one.inputs = 2;
    try_stage(r, &one, SPV_COMPUTE, size);
    if (!r->stop)
        try_stage(r, &one, SPV_FRAGMENT, size);
}

bool mutbench_files(struct mutbench *r, const char *dir, struct err *e)
{
    struct arena keep = {0}, a = {0};
    struct caselist list;
    char *words[1] = {arena_str(&keep, dir)};
    bool ok = caselist_read(&keep, words, 1, &list, e);
    for (size_t k = 0; ok && k < list.n && (r->left || r->target); k++) {
        struct spv_case c;
        if (interrupted()) {
            r->stop = "interrupted";
            break;
        }
        r->tick(r, k, list.n);
        arena_reset(&a);
        double start = cpu_seconds();
        ok = spv_case_read(r->tools, &a, list.v[k], &c, e);
        if (!ok)
            break;
        const uint32_t subgroup = judge_subgroup(&c, r->target ? r->subgroup : 32, NULL);
        struct prediction *p = judge_predict(&a, &c, 1, subgroup, SPV_POLICY_JOIN);
        r->shared += cpu_seconds() - start;
        r->programs++;
        const bool fits = !r->target || subgroup == r->subgroup;
        if (fits && judge_usable(p) && drive(r, &a, &c, 1)) {
            for (int programs = 0; programs < MUT_PROGRAMS; programs++)
                try_module(r, &a, &c, 1, p, (enum mut_programs)programs, list.v[k]);
        } else {
            r->unusable++;
        }
    }
    arena_free(&a);
    arena_free(&keep);
    return ok;
}
