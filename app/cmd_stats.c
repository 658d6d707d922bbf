// SPDX-License-Identifier: Apache-2.0
//
// tanglefuzz stats: what the generator makes, measured; no device needed. Every
// program is validated, predicted by both machines of the oracle, and counted.
#include "app.h"
#include "args.h"
#include "choices.h"
#include "interrupt.h"
#include "judge/judge.h"
#include "spirv/spirv.h"

#include <stdlib.h>
#include <string.h>

// A number that each program has, for median and extremes.
struct series {
    VEC(double) v;
};
enum { WORDS, BLOCKS, STEPS, GROUP_OPS, LIVE_BITS, LOG_WORDS, SERIES };

struct stats {
    struct arena keep; // of the series
    struct series series[SERIES];
    uint64_t programs, invalid, undefined, over_limit, other, disagree, nothing;
    uint64_t with_divergence, with_reconvergence, with_choice, with_partial, without_op;
    uint64_t group_ops, partial_group_ops;
    uint64_t static_ops, reached_ops; // group operations in the modules; of these executed
    uint64_t used[GEN_FEATURE_COUNT];
    double generate, validate, predict, check; // seconds
    char first[600]; // the first thing that is wrong, with its seed
    struct {         // by subgroup size: 1 << index
        uint64_t programs, results, live_results;
    } size[8];
    const char *keep_in; // folder for programs on which the machines disagree, NULL for none
    struct spv_tools *tools;
};

static int order(const void *x, const void *y)
{
    double a = *(const double *)x, b = *(const double *)y;
    return a < b ? -1 : a > b;
}

static void put(struct stats *s, unsigned which, double v)
{
    *VEC_PUSH(&s->keep, &s->series[which].v) = v;
}

static void wrong(struct stats *s, uint64_t seed, const char *what, const char *text)
{
    if (!s->first[0])
        snprintf(s->first, sizeof s->first, "seed %llu: %s: %s", (unsigned long long)seed, what,
                 text);
}

struct seen {
    bool *ids; // [bound]
    uint64_t n;
};

static void see(void *user, const struct orc_event *e)
{
    struct seen *s = user;
    if (e->kind == ORC_EVENT_GROUP && !s->ids[e->id]) {
        s->ids[e->id] = true;
        s->n++;
    }
}

// Bits that a comparison on a device rests on: the log's, as far as it was written.
static uint64_t live_bits(const struct spv_case *c, const struct orc_result *r, uint32_t *longest)
{
    uint64_t bits = 0;
    *longest = 0;
    for (uint32_t k = 0; k < r->memory_count; k++) {
        const struct spv_memory *m = &r->memory[k];
        if (!c->has_log || m->set != c->log_set || m->binding != c->log_binding)
            continue;
        for (uint32_t row = 0; (row + 1) * c->log_stride <= m->count; row++) {
            uint32_t used = m->words[row * c->log_stride];
            *longest = used > *longest ? used : *longest;
            for (uint32_t w = 0; w <= used && w < c->log_stride; w++)
                bits += (unsigned)__builtin_popcount(
                    m->mask ? m->mask[row * c->log_stride + w] : UINT32_MAX);
        }
    }
    return bits;
}

// The tag machine must say what the mask machine says; where it does not, the program is kept.
static void compare_machines(struct stats *s, struct arena *a, const struct spv_case *c,
                             const struct spv_choices *choices, const struct orc_result *mask,
                             uint64_t seed)
{
    struct orc_result tag;
    struct err e;
    orc_predict(a, c, 0, &(struct orc_options){.machine = ORC_TAG, .policy = choices}, &tag);
    if (judge_same_result(mask, &tag))
        return;
    char what[200], name[32];
    judge_difference(mask, &tag, what, sizeof what);
    s->disagree++;
    wrong(s, seed, "the mask machine and the tag machine disagree", what);
    if (!s->keep_in)
        return;
    struct spv_case kept = *c;
    kept.has_policy = choices != NULL;
    if (choices)
        kept.policy = *choices;
    snprintf(name, sizeof name, "%llu.spvasm", (unsigned long long)seed);
    if (!dir_make(s->keep_in, &e) ||
        !spv_case_write(s->tools, &kept, arena_printf(a, "%s/%s", s->keep_in, name), &e))
        complain("stats", "%s", e.msg);
}

// The same under choices drawn at random for the places where the rules leave one: both
// machines must know the places by the same names.
static void compare_choices(struct stats *s, struct arena *a, const struct spv_case *c, uint64_t seed)
{
    struct orc_result points, mask;
    orc_predict(a, c, 0, &(struct orc_options){.points = true}, &points);
    if (points.point_count == 0)
        return;
    struct rng draw = {seed};
    struct spv_choices choices = {.base = (enum spv_policy)(rng_next(&draw) % SPV_POLICIES)};
    while (choices.count < points.point_count && choices.count < SPV_CHOICES) {
        const struct orc_point *p = &points.points[rng_next(&draw) % points.point_count];
        choices.at[choices.count++] =
            (struct spv_choice){p->label, (enum spv_policy)(rng_next(&draw) % SPV_POLICIES),
                                rng_next(&draw) % 4 ? p->instance : 0};
    }
    orc_predict(a, c, 0, &(struct orc_options){.policy = &choices}, &mask);
    compare_machines(s, a, c, &choices, &mask, seed);
}

static void measure(struct stats *s, struct arena *a, const struct gen_made *made, uint64_t seed,
                  bool both)
{
    const struct spv_case *c = &made->cases[0];
    struct spv_module m;
    struct err e;
    CHECK(spv_module_read(a, c->words, c->count, &m, &e));
    struct seen seen = {.ids = ARENA_ARRAY(a, bool, m.bound)};
    struct orc_observer watch = {see, &seen};
    struct orc_result r;
    double start = now_seconds();
    orc_predict(a, c, 0, &(struct orc_options){.machine = ORC_MASK}, &r);
    s->predict += now_seconds() - start;
    put(s, WORDS, (double)c->count);
    put(s, BLOCKS, m.block_count);
    if (both) {
        start = now_seconds();
        compare_machines(s, a, c, NULL, &r, seed);
        s->check += now_seconds() - start;
        compare_choices(s, a, c, seed);
    }
    const bool weak = c->model == SPV_SUBGROUP_UNIFORM || c->model == SPV_WORKGROUP_UNIFORM;
    if (r.why.status != ORC_OK) {
        *(r.why.status == ORC_UNDEFINED    ? &s->undefined
          : r.why.status == ORC_OVER_LIMIT ? &s->over_limit
                                           : &s->other) += 1;
        wrong(s, seed, orc_status_name(r.why.status), r.why.text);
        return;
    }
    // A choice of the implementation that results depend on must be one that we know of.
    for (int policy = 1; r.stats.choice_points && !weak && policy < SPV_POLICIES; policy++) {
        struct orc_result t;
        struct spv_choices choices = {.base = (enum spv_policy)policy};
        orc_predict(a, c, 0, &(struct orc_options){.policy = &choices}, &t);
        if (!made->free_choice && !judge_same_result(&r, &t)) {
            s->disagree++;
            wrong(s, seed, "means something else where the implementation chooses so", t.why.text);
        }
    }
    struct orc_result watched;
    orc_predict(a, c, 0, &(struct orc_options){.observer = &watch}, &watched);
    for (uint32_t k = 0; k < m.inst_count; k++)
        s->static_ops += strncmp(spv_op_name(m.insts[k].op), "OpGroupNonUniform", 17) == 0;
    s->reached_ops += seen.n;
    uint32_t size[3], longest;
    CHECK(spv_local_size(c, &m, size, &e));
    double invocations = (double)size[0] * size[1] * size[2] * c->groups[0] * c->groups[1] *
                         c->groups[2];
    uint64_t bits = live_bits(c, &r, &longest);
    put(s, STEPS, (double)r.stats.lane_steps / invocations);
    put(s, GROUP_OPS, (double)r.stats.group_ops);
    put(s, LIVE_BITS, (double)bits);
    put(s, LOG_WORDS, longest);
    unsigned log2 = (unsigned)__builtin_ctz(c->subgroup);
    s->size[log2].programs++;
    s->size[log2].results += r.stats.group_results;
    s->size[log2].live_results += r.stats.live_results;
    s->nothing += bits == 0;
    s->group_ops += r.stats.group_ops;
    s->partial_group_ops += r.stats.partial_group_ops;
    s->with_divergence += r.stats.divergences > 0;
    s->with_reconvergence += r.stats.reconvergences > 0;
    s->with_choice += r.stats.choice_points > 0;
    s->with_partial += r.stats.partial_group_ops > 0;
    s->without_op += r.stats.group_ops == 0;
}

static void one(struct stats *s, struct arena *a, struct spv_tools *tools, uint64_t seed,
                const struct gen_options *g, bool both)
{
    struct gen_choices c;
    struct gen_made made;
    struct err e;
    double start = now_seconds();
    gen_choices_seed(&c, a, seed);
    gen_make(&c, g, &made);
    double made_at = now_seconds();
    bool valid = spv_validate(tools, SPV_ENV_VULKAN_1_3, made.cases[0].words, made.cases[0].count, &e);
    s->generate += made_at - start;
    s->validate += now_seconds() - made_at;
    s->programs++;
    for (int f = 0; f < GEN_FEATURE_COUNT; f++)
        s->used[f] += (made.used & GEN_BIT(f)) != 0;
    if (!valid) {
        s->invalid++;
        wrong(s, seed, "invalid", e.msg);
        return;
    }
    measure(s, a, &made, seed, both);
}

static double percent(uint64_t part, uint64_t all) { return all ? 100.0 * (double)part / (double)all : 0; }

static int report(struct stats *s, bool both)
{
    static const char *const names[SERIES] = {
        "words of the module", "blocks", "instructions executed by an invocation",
        "group operations executed", "live compared bits", "words logged, longest row"};
    say("%llu programs: %llu invalid, %llu undefined, %llu over limit, %llu unsupported\n",
        (unsigned long long)s->programs, (unsigned long long)s->invalid,
        (unsigned long long)s->undefined, (unsigned long long)s->over_limit,
        (unsigned long long)s->other);
    if (both)
        say("mask machine and tag machine disagree on %llu\n", (unsigned long long)s->disagree);
    say("%llu compare nothing\n\n", (unsigned long long)s->nothing);
    say("%-40s %10s %10s %10s\n", "", "min", "median", "max");
    for (int k = 0; k < SERIES; k++) {
        if (!s->series[k].v.n)
            continue;
        qsort(s->series[k].v.v, s->series[k].v.n, sizeof(double), order);
        say("%-40s %10.0f %10.0f %10.0f\n", names[k], s->series[k].v.v[0],
            s->series[k].v.v[s->series[k].v.n / 2], s->series[k].v.v[s->series[k].v.n - 1]);
    }
    say("\nprograms that diverge                %5.1f %%\n", percent(s->with_divergence, s->programs));
    say("         that reconverge             %5.1f %%\n", percent(s->with_reconvergence, s->programs));
    say("         with a partial tangle's op  %5.1f %%\n", percent(s->with_partial, s->programs));
    say("         without an op executed      %5.1f %%\n", percent(s->without_op, s->programs));
    say("         that leave a choice (D3, M2)%5.1f %%\n", percent(s->with_choice, s->programs));
    say("\nsubgroup size   programs   results of group operations   promised by the model\n");
    for (unsigned k = 0; k < 8; k++)
        if (s->size[k].programs)
            say("%13u %10llu %29llu %21llu\n", 1u << k, (unsigned long long)s->size[k].programs,
                (unsigned long long)s->size[k].results, (unsigned long long)s->size[k].live_results);
    say("\ngroup operations that are executed   %5.1f %%\n", percent(s->reached_ops, s->static_ops));
    say("         executions by a part of it  %5.1f %%\n\n", percent(s->partial_group_ops, s->group_ops));
    for (int f = 0; f < GEN_FEATURE_COUNT; f++)
        say("%-18s %5.1f %%   %s\n", gen_feature_name((enum gen_feature)f),
            percent(s->used[f], s->programs), gen_feature_line((enum gen_feature)f));
    double n = (double)s->programs;
    say("\nper second: %.0f generated, %.0f validated, %.0f both; %.0f predicted", n / s->generate,
        n / s->validate, n / (s->generate + s->validate), n / s->predict);
    if (both)
        say(", %.0f by the tag machine", n / s->check);
    say("\n");
    bool bad = s->invalid || s->undefined || s->over_limit || s->other || s->disagree || s->nothing;
    if (s->first[0])
        complain("stats", "%s", s->first);
    if (s->nothing)
        complain("stats", "a program compares nothing");
    return bad ? STATUS_FOUND : STATUS_GOOD;
}

static int run(int argc, char **argv)
{
    uint64_t first = 0, cases = 1000;
    bool fast = false, all_models = false;
    struct stats s = {0};
    struct choice_options how = choice_defaults();
    const struct arg_option options[] = {
        OPT_U64("cases", 'n', "N", "so many programs; default 1000", &cases, 1, UINT64_MAX / 2),
        OPT_U64("first", 0, "SEED", "the first seed; default 0", &first, 0, UINT64_MAX / 2),
        OPT_FLAG("fast", 0, "leave out the tag machine", &fast),
        OPT_FLAG("all-models", 0, "go through the models, too", &all_models),
        OPT_TEXT("keep", 0, "DIR", "keep programs there on which the machines disagree", &s.keep_in),
        CHOICE_OPTIONS(how),
    };
    const struct arg_command command = {
        .name = "stats",
        .about = "Makes programs and measures them without a device: all must be valid, defined "
                 "and end, compare\nsomething, and mean the same to both machines of the oracle. "
                 "The subgroup size goes through\n4, 8, 16, 32 and 64 unless --subgroup says one.\n"
                 "Exit status: 0 all is well, 1 something is wrong with us, 2 bad usage.",
        .example = "tanglefuzz stats --cases 20000\ntanglefuzz stats --cases 100000 --all-models --keep bad\ntanglefuzz stats --profile large --fast",
        .options = options,
        .count = OPT_COUNT(options),
    };
    struct args args;
    int said = args_parse(&command, argc, argv, &args);
    if (said >= 0)
        return said;
    struct gen_options g;
    said = choice_read("stats", &how, &g);
    if (said >= 0)
        return said;
    struct arena a = {0};
    struct spv_tools *tools = s.tools = spv_tools_new();
    interrupt_catch();
    for (uint64_t k = 0; k < cases && !interrupted(); k++) {
        static const uint32_t sizes[] = {4, 8, 16, 32, 64};
        struct gen_options one_of = g;
        if (!one_of.subgroup)
            one_of.subgroup = sizes[k % 5];
        if (all_models)
            one_of.model = (enum spv_model)(k / 5 % 4);
        char name[64];
        snprintf(name, sizeof name, "stats, seed %llu", (unsigned long long)(first + k));
        check_context(name);
        one(&s, &a, tools, first + k, &one_of, !fast);
        arena_reset(&a);
    }
    check_context(NULL);
    said = report(&s, !fast);
    spv_tools_free(tools);
    arena_free(&a);
    arena_free(&s.keep);
    return said;
}

const struct command cmd_stats = {"stats", "what the generator makes, measured", run};
