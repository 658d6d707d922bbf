// SPDX-License-Identifier: Apache-2.0
//
// Measures one program: whether it is valid, defined and finite, and gets the same result from both
// machines of the oracle; which of its parts are executed, and by which rules.
#include "measure.h"
#include "judge/judge.h"

#include <string.h>

static void put(struct measure *s, unsigned which, double v)
{
    *VEC_PUSH(&s->keep, &s->series[which].v) = v;
}

static void wrong(struct measure *s, uint64_t seed, const char *what, const char *text)
{
    if (!s->first[0])
        snprintf(s->first, sizeof s->first, "seed %llu: %s: %s", (unsigned long long)seed, what,
                 text);
}

// ---- executed rules and operations ------------------------------------------------------

const struct measure_rule measure_rules[MEASURE_RULES] = {
    {"I1", "all invocations start together"},
    {"D1", "a branch splits a tangle"},
    {"D2", "a switch splits a tangle"},
    {"D3", "different selector values enter one case, or one falls through to another (M2)"},
    {"M1", "arms reconverge at a selection's merge block"},
    {"M3", "iterations reconverge at a loop's merge block"},
    {"M4", "paths reconverge at a continue target"},
    {"M5", "paths out of a function reconverge after the call"},
    {"E3", "a return from inside a construct"},
    {"E4", "a branch out of a construct to where an outer one joins"},
    {"D4", "fragments: only helpers are left in a quad, which may end (E2; after OpKill N2)"},
};
enum { D3 = 3, M1 = 4, E3 = 8, E4 = 9, D4 = 10 };

struct seen {
    uint64_t *runs, *partial; // [bound]: executions of a group operation, by its result id
    uint32_t *harness;        // [bound]: instructions of a block that belong to log and mapping
    uint64_t harness_steps;   // executed by all invocations
    uint64_t rule[MEASURE_RULES];
};

static void see(void *user, const struct orc_event *e)
{
    struct seen *s = user;
    if (e->kind == ORC_EVENT_GROUP) {
        s->runs[e->id]++;
        s->partial[e->id] += e->active != e->live;
        return;
    }
    if (strcmp(e->rule, "M5") != 0) // M5 resumes a block that was counted when it began
        s->harness_steps += (uint64_t)s->harness[e->label] * lane_count(e->active);
    for (uint32_t k = 0; k < E3; k++)
        if (strcmp(e->rule, measure_rules[k].name) == 0)
            s->rule[k] += k < M1 || e->joined;
}

// Returns the row of a name, added if new. Names are compared by pointer: they are literals of the
// generator's tables.
static struct tally *row_of(struct tally *rows, uint32_t room, const char *name)
{
    for (uint32_t k = 0; k < room; k++) {
        if (!rows[k].name)
            rows[k].name = name;
        if (rows[k].name == name)
            return &rows[k];
    }
    return NULL;
}

static void count_op(struct tally *t, const struct seen *seen, uint32_t id)
{
    CHECK(t != NULL);
    t->placed++;
    t->reached += seen->runs[id] > 0;
    t->runs += seen->runs[id];
    t->partial += seen->partial[id];
}

static void count_ops(struct measure *s, const struct gen_made *made, const struct seen *seen)
{
    for (uint32_t k = 0; k < made->emitted.op_count; k++) {
        const struct gen_placed *p = &made->emitted.ops[k];
        const char *type = p->width > 1 ? "vectors" : p->type[0] ? p->type : "u32";
        count_op(&s->all_ops, seen, p->id);
        count_op(row_of(s->op, MEASURE_OPS, p->name), seen, p->id);
        count_op(row_of(s->type, MEASURE_TYPES, type), seen, p->id);
        count_op(&s->depth[p->depth < MEASURE_DEPTHS ? p->depth : MEASURE_DEPTHS - 1], seen, p->id);
    }
    for (uint32_t i = 0; gen_pattern_row(i); i++)
        s->pattern[i] += made->patterns >> i & 1;
}

// Returns the number of bits that a device comparison can use: those of the log, as far as it was
// written.
static uint64_t live_bits(const struct spv_case *c, const struct orc_result *r, uint32_t *longest)
{
    const bool digest = !c->has_log; // then a row is one word
    uint64_t bits = 0;
    *longest = 0;
    for (uint32_t k = 0; k < r->memory_count; k++) {
        const struct spv_memory *m = &r->memory[k];
        if (m->set != c->log_set || m->binding != c->log_binding)
            continue;
        for (uint32_t row = 0; (row + 1) * c->log_stride <= m->count; row++) {
            uint32_t used = digest ? 0 : m->words[row * c->log_stride];
            *longest = used > *longest ? used : *longest;
            for (uint32_t w = 0; w <= used && w < c->log_stride; w++)
                bits += (unsigned)__builtin_popcount(m->mask ? m->mask[row * c->log_stride + w]
                                                             : UINT32_MAX);
        }
    }
    return bits;
}

static uint32_t lines_of(struct arena *a, const struct gen_program *p)
{
    struct text t = {.arena = a};
    uint32_t n = 0;
    gen_print(p, &t);
    for (size_t i = 1; i < t.n; i++)
        n += t.v[i] == '\n' && t.v[i - 1] != '\n';
    return n;
}

static void watch(struct measure *s, struct arena *a, const struct gen_made *made,
                  const struct spv_module *m, const struct orc_result *r)
{
    const struct spv_case *c = &made->cases[0];
    struct seen seen = {.runs = ARENA_ARRAY(a, uint64_t, m->bound),
                        .partial = ARENA_ARRAY(a, uint64_t, m->bound),
                        .harness = ARENA_ARRAY(a, uint32_t, m->bound)};
    for (uint32_t k = 0; k < made->emitted.harness_count; k++)
        seen.harness[made->emitted.harness[k].label] += made->emitted.harness[k].count;
    struct orc_observer observer = {see, &seen};
    struct orc_result watched;
    orc_predict(a, c, 0, &(struct orc_options){.observer = &observer}, &watched);
    const uint64_t harness_steps = seen.harness_steps;
    seen.rule[D3] = r->stats.choice_points;
    seen.rule[E3] = r->stats.returns_early;
    seen.rule[E4] = r->stats.escapes;
    seen.rule[D4] = r->stats.helper_choices;
    for (uint32_t k = 0; k < MEASURE_RULES; k++) {
        s->rule[k].programs += seen.rule[k] > 0;
        s->rule[k].times += seen.rule[k];
    }
    // An operation is unreached only if no input set reaches it.
    for (uint32_t k = 1; k < made->case_count; k++)
        orc_predict(a, &made->cases[k], 0, &(struct orc_options){.observer = &observer}, &watched);
    count_ops(s, made, &seen);
    const double invocations = (double)spv_case_invocations(c, m);
    put(s, MEASURE_STEPS, (double)r->stats.lane_steps / invocations);
    put(s, MEASURE_OWN, (double)(r->stats.lane_steps - harness_steps) / invocations);
}

// ---- the oracle's machines ----------------------------------------------------------------

// Checks that the tag machine agrees with the mask machine; otherwise keeps the program.
static void compare_machines(struct measure *s, struct arena *a, const struct spv_case *c,
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
        wrong(s, seed, "the program could not be saved", e.msg);
}

// Does the same with random choices where the rules leave one: both machines must identify the
// places by the same labels.
static void compare_choices(struct measure *s, struct arena *a, const struct spv_case *c,
                            uint64_t seed)
{
    struct orc_result points, mask;
    orc_predict(a, c, 0, &(struct orc_options){.points = true}, &points);
    if (points.point_count == 0 && !points.stats.derivative_choices)
        return;
    struct rng draw = {seed};
    struct spv_choices choices = {.base = (enum spv_policy)(rng_next(&draw) % SPV_POLICIES)};
    if (points.stats.derivative_choices)
        spv_derivatives_nth((uint32_t)(rng_next(&draw) % SPV_DERIVATIVES), &choices.derivatives);
    while (choices.count < points.point_count && choices.count < SPV_CHOICES) {
        const struct orc_point *p = &points.points[rng_next(&draw) % points.point_count];
        choices.at[choices.count++] =
            (struct spv_choice){p->label, (enum spv_policy)(rng_next(&draw) % SPV_POLICIES),
                                rng_next(&draw) % 4 ? p->instance : 0};
    }
    orc_predict(a, c, 0, &(struct orc_options){.policy = &choices}, &mask);
    compare_machines(s, a, c, &choices, &mask, seed);
}

static void measure(struct measure *s, struct arena *a, const struct gen_made *made, uint64_t seed,
                    bool both)
{
    const struct spv_case *c = &made->cases[0];
    struct spv_module m;
    struct err e;
    CHECK(spv_module_read(a, c->words, c->count, &m, &e));
    struct orc_result r;
    double start = thread_cpu_seconds();
    orc_predict(a, c, 0, &(struct orc_options){.machine = ORC_MASK}, &r);
    s->predict += thread_cpu_seconds() - start;
    if (both) {
        start = thread_cpu_seconds();
        compare_machines(s, a, c, NULL, &r, seed);
        s->check += thread_cpu_seconds() - start;
        compare_choices(s, a, c, seed);
    }
    const bool weak = c->model == SPV_SUBGROUP_UNIFORM || c->model == SPV_WORKGROUP_UNIFORM;
    if (r.why.status != RAN_OK) {
        *(r.why.status == RAN_UNDEFINED    ? &s->undefined
          : r.why.status == RAN_OVER_LIMIT ? &s->over_limit
                                           : &s->other) += 1;
        wrong(s, seed, ran_name(r.why.status), r.why.text);
        return;
    }
    // Results may depend on a choice only if the generator knows of it (free_choice).
    for (int policy = 1; r.stats.choice_points && !weak && policy < SPV_POLICIES; policy++) {
        struct orc_result t;
        struct spv_choices choices = {.base = (enum spv_policy)policy};
        orc_predict(a, c, 0, &(struct orc_options){.policy = &choices}, &t);
        if (!made->free_choice && !judge_same_result(&r, &t)) {
            s->disagree++;
            wrong(s, seed, "has another result under another choice of the implementation",
                  t.why.text);
        }
    }
    uint32_t longest;
    const uint64_t bits = live_bits(c, &r, &longest);
    watch(s, a, made, &m, &r);
    put(s, MEASURE_WORDS, (double)c->count);
    put(s, MEASURE_BLOCKS, m.block_count);
    put(s, MEASURE_LINES, lines_of(a, made->program));
    put(s, MEASURE_GROUP_OPS, (double)r.stats.group_ops);
    put(s, MEASURE_LIVE_BITS, (double)bits);
    put(s, MEASURE_LOG_WORDS, longest);
    const unsigned log2 = (unsigned)__builtin_ctz(c->subgroup);
    s->size[log2].programs++;
    s->size[log2].results += r.stats.group_results;
    s->size[log2].live_results += r.stats.live_results;
    s->nothing += bits == 0;
    s->with_divergence += r.stats.divergences > 0;
    s->with_reconvergence += r.stats.reconvergences > 0;
    s->with_both += r.stats.divergences > 0 && r.stats.reconvergences > 0;
    s->with_choice += r.stats.choice_points > 0;
    s->with_partial += r.stats.partial_group_ops > 0;
    s->without_op += r.stats.group_ops == 0;
}

void measure_one(struct measure *s, struct arena *a, uint64_t seed, const struct gen_options *g,
                 bool both)
{
    struct gen_choices c;
    struct gen_made made;
    struct err e;
    const double start = thread_cpu_seconds();
    gen_choices_seed(&c, a, seed);
    gen_make(&c, g, &made);
    const double made_at = thread_cpu_seconds();
    const bool valid =
        spv_validate(s->tools, SPV_ENV_VULKAN_1_3, made.cases[0].words, made.cases[0].count, &e);
    s->generate += made_at - start;
    s->validate += thread_cpu_seconds() - made_at;
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
