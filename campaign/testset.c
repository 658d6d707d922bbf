// SPDX-License-Identifier: Apache-2.0
//
// The gain of a candidate is, over the mutants that it finds, 4^-k for one that k tests of the set
// find already: so a mutant's first test counts more than all later ones, and the set grows after
// each mutant has one. Candidates that may not be tests (testset_options.fits) are not looked at.
// A kept bug counts like a mutant. Ties: a new behaviour (census.h), then the smaller module, then
// the order.
// The search for what no candidate finds comes after them, and adds few candidates; chance is
// measured without it. A chosen random program is reduced (reduce/), and counts with what it then
// finds.
#include "testset.h"

#include "census.h"
#include "kept.h"
#include "mutbench.h"
#include "oracle/oracle.h"
#include "reduce/reduce.h"

#include "base/interrupt.h"

#include <string.h>

struct candidate {
    uint64_t number, behaviour;
    // An enumeration; profile small; profile default; `number` of the kept bugs.
    enum { SMALL, RANDOM, SEARCHED, KEPT } source;
    enum mut_programs kind;
    bool taken;
    uint32_t words;
    uint64_t finds[TESTSET_MUTANTS / 64]; // the mutants, then the kept bugs
};

struct chooser {
    const struct testset_options *o;
    const struct enumeration *all;
    struct arena *keep;
    struct mutbench bench;
    struct mutbench missing; // rows of the mutants that no candidate finds, while they are searched
    const struct kept_bug *kept;
    uint32_t kept_n;
    VEC(struct candidate) v;
    uint64_t candidates, searched;
    uint32_t found[TESTSET_MUTANTS]; // by so many tests of the set; as candidate.finds
};

static bool finds(const struct candidate *c, uint32_t thing)
{
    return c->finds[thing / 64] >> thing % 64 & 1;
}

static void make(struct arena *a, const struct chooser *x, const struct candidate *c,
                 struct gen_made *out)
{
    const struct gen_options g = {.subgroup = x->o->subgroup,
                                  .inputs = x->o->inputs,
                                  .stage = x->o->stage,
                                  .model = x->o->model,
                                  .profile = c->source == SEARCHED ? GEN_DEFAULT : GEN_SMALL};
    struct gen_options kind = mutbench_options(&g, c->kind);
    struct gen_choices choices;
    if (c->source == KEPT) {
        *out = (struct gen_made){.case_count = 1, .cases = ARENA_NEW(a, struct spv_case)};
        out->cases[0] = x->kept[c->number].c;
        out->cases[0].subgroup = x->o->subgroup;
        return;
    }
    if (x->o->offered)
        kind.features = ((kind.features ? kind.features : gen_features_of(x->o->stage)) |
                         GEN_BIT(GEN_PLAIN_BALLOTS)) &
                        x->o->offered;
    if (c->source == SMALL) {
        gen_make_number(a, x->all, c->number, &g, out);
        return;
    }
    gen_choices_seed(&choices, a, c->number);
    gen_make(&choices, &kind, out);
}

// Runs a program against all mutants that such programs can find. Returns whether it finds any.
static bool find(struct chooser *x, struct arena *a, const struct spv_case *cases, uint32_t n,
                 enum mut_programs kind, uint64_t *found)
{
    bool any = false;
    memset(found, 0, TESTSET_MUTANTS / 8);
    for (uint32_t k = 0; k < x->bench.n; k++)
        x->bench.rows[k].killed = false;
    mutbench_program(&x->bench, a, cases, n, x->o->subgroup, kind);
    for (uint32_t k = 0; k < x->bench.n; k++)
        if (x->bench.rows[k].killed) {
            found[k / 64] |= UINT64_C(1) << k % 64;
            any = true;
        }
    return any;
}

static bool fits(const struct testset_options *o, struct arena *a, const struct spv_case *c)
{
    struct spv_case alone = *c;
    alone.subgroup = o->subgroup;
    return !o->fits || o->fits(o->user, a, &alone);
}

static enum mut_programs usual(const struct testset_options *o)
{
    return spv_stage_row(o->stage)->has_helpers ? MUT_FRAGMENTS : MUT_ANY;
}

static bool has_choices(const struct prediction *p)
{
    const struct orc_stats *s = &p->made.stats;
    return s->choice_points || s->helper_choices || s->derivative_choices;
}

// Lists the mutants of a kind that no candidate finds. Returns their number.
static uint32_t list_missing(struct chooser *x, enum mut_programs kind)
{
    x->missing.n = 0;
    for (uint32_t k = 0; k < x->bench.n; k++) {
        bool found = x->bench.rows[k].m->detected_by != kind;
        for (size_t i = 0; !found && i < x->v.n; i++)
            found = finds(&x->v.v[i], k);
        if (!found)
            x->missing.rows[x->missing.n++] = (struct row){.m = x->bench.rows[k].m};
    }
    return x->missing.n;
}

static bool finds_missing(struct chooser *x, struct arena *a, const struct gen_made *made,
                          enum mut_programs kind)
{
    mutbench_program(&x->missing, a, made->cases, made->case_count, x->o->subgroup, kind);
    for (uint32_t k = 0; k < x->missing.n; k++)
        if (x->missing.rows[k].killed)
            return true;
    return false;
}

// True if an implementation has no choice (D3, M2, D4, R9), whatever the inputs.
static bool has_one_meaning(struct chooser *x, struct arena *a, const struct gen_made *made)
{
    const struct prediction *p =
        judge_predict(a, made->cases, made->case_count, x->o->subgroup, SPV_POLICY_JOIN);
    for (uint32_t i = 0; i < made->case_count; i++)
        if (!judge_usable(&p[i]) || has_choices(&p[i]))
            return false;
    return true;
}

static void try_candidate(struct chooser *x, struct arena *a, struct candidate c)
{
    struct gen_made made;
    make(a, x, &c, &made);
    if ((x->o->offered && made.used & ~x->o->offered) || !fits(x->o, a, &made.cases[0]))
        return;
    x->candidates += c.source != SEARCHED;
    if (made.free_choice || (c.source != SMALL && !has_one_meaning(x, a, &made)) ||
        (c.source == SEARCHED && !finds_missing(x, a, &made, c.kind)))
        return;
    c.words = (uint32_t)made.cases[0].count;
    c.behaviour = census_behaviour(a, made.cases, made.case_count);
    if (find(x, a, made.cases, made.case_count, c.kind, c.finds))
        *VEC_PUSH(x->keep, &x->v) = c;
}

static bool try_all(struct chooser *x)
{
    struct arena a = {0};
    const uint64_t small = enu_count(x->all, x->o->size), all = small + x->o->random;
    bool on = true;
    for (uint64_t n = 0; n < all && on; n++, arena_reset(&a)) {
        on = x->o->tick(x->o->user, n, all);
        struct candidate c = {.number = n, .kind = usual(x->o)};
        if (n >= small) {
            c.source = RANDOM;
            c.number = x->o->seed + n - small;
        }
        if (on)
            try_candidate(x, &a, c);
    }
    arena_free(&a);
    return on;
}

// Searches programs of a kind for the mutants that no candidate finds.
static bool search_kind(struct chooser *x, enum mut_programs kind)
{
    struct arena a = {0};
    bool on = true;
    for (uint64_t n = 0; n < x->o->search && on && list_missing(x, kind); n++, arena_reset(&a)) {
        on = x->o->tick(x->o->user, n, x->o->search);
        x->searched++;
        if (on)
            try_candidate(
                x, &a,
                (struct candidate){.number = x->o->seed + n, .source = SEARCHED, .kind = kind});
    }
    arena_free(&a);
    return on;
}

// True if programs may use one of these features.
static bool is_offered(const struct testset_options *o, gen_features any)
{
    return !o->offered || o->offered & any;
}

static bool search(struct chooser *x)
{
    if (spv_stage_row(x->o->stage)->has_helpers)
        return search_kind(x, MUT_FRAGMENTS);
    return search_kind(x, MUT_ANY) &&
           (!is_offered(x->o, GEN_QUADS) || search_kind(x, MUT_DERIVATIVES)) &&
           (!is_offered(x->o, GEN_SAMPLING) || search_kind(x, MUT_IMAGES));
}

// ---- kept bugs ---------------------------------------------------------------------------------

static bool machines_agree(struct arena *a, const struct spv_case *c)
{
    struct orc_result mask, tag;
    orc_predict(a, c, 0, NULL, &mask);
    orc_predict(a, c, 0, &(struct orc_options){.machine = ORC_TAG}, &tag);
    return judge_same_result(&mask, &tag);
}

// True if the case's model promises no more than that of the set.
static bool is_promised(const struct testset_options *o, const struct spv_case *c)
{
    return c->model == o->model || c->model == SPV_WORKGROUP_UNIFORM ||
           c->model == SPV_SUBGROUP_UNIFORM;
}

// True if subgroups of the set's size, too, must leave the memory that the case expects, so that it
// still is what the bug was seen on.
static bool expects_the_same(const struct spv_case *c, const struct prediction *p)
{
    struct judge_verdict v;
    judge_compare(c, p->given, p->made.memory, p->made.memory_count, &v);
    return v.klass == JUDGE_AGREES;
}

// True if no choice of an implementation changes the results. A case that falls through has one,
// but of a single invocation there is nothing to part.
static bool has_one_result(struct arena *a, const struct spv_case *c, const struct prediction *p)
{
    struct spv_module m;
    return !has_choices(p) ||
           (spv_module_read(a, c->words, c->count, &m, NULL) && spv_case_invocations(c, &m) == 1);
}

// True if the target, where one is given, runs the test. What it offers is not all: it may
// lack one form of an operation.
static bool runs(const struct testset_options *o, const struct spv_case *c)
{
    struct arena a = {0};
    const bool does = !o->runs || o->runs(o->user, &a, c);
    arena_free(&a);
    return does;
}

static void try_kept(struct chooser *x)
{
    struct arena a = {0};
    for (uint32_t k = 0; k < x->kept_n; k++, arena_reset(&a)) {
        struct candidate c = {.number = k, .source = KEPT, .kind = usual(x->o)};
        const uint32_t thing = x->bench.n + k;
        struct gen_made made;
        make(&a, x, &c, &made);
        struct spv_case *one = made.cases;
        const struct prediction *p = judge_predict(&a, one, 1, x->o->subgroup, SPV_POLICY_JOIN);
        if (!is_promised(x->o, one) || !fits(x->o, &a, one) || !judge_usable(p) ||
            !has_one_result(&a, one, p) || !machines_agree(&a, one) || !expects_the_same(one, p) ||
            !runs(x->o, one))
            continue;
        c.words = (uint32_t)one->count;
        c.behaviour = census_behaviour(&a, one, 1);
        find(x, &a, one, 1, c.kind, c.finds);
        c.finds[thing / 64] |= UINT64_C(1) << thing % 64;
        *VEC_PUSH(x->keep, &x->v) = c;
    }
    arena_free(&a);
}

// ---- the greedy choice ----------------------------------------------------------------------

static bool is_new(const struct chooser *x, const struct candidate *c)
{
    for (size_t i = 0; i < x->v.n; i++)
        if (x->v.v[i].taken && x->v.v[i].behaviour == c->behaviour)
            return false;
    return true;
}

static uint64_t gain(const struct chooser *x, const struct candidate *c)
{
    enum { LEVELS = 20 };
    uint64_t sum = 0;
    for (uint32_t k = 0; k < x->bench.n + x->kept_n; k++)
        if (finds(c, k) && x->found[k] < LEVELS)
            sum += UINT64_C(1) << 2 * (LEVELS - x->found[k]);
    return sum;
}

static struct candidate *best(struct chooser *x)
{
    struct candidate *to = NULL;
    uint64_t most = 0;
    bool fresh = false;
    for (size_t i = 0; i < x->v.n; i++) {
        struct candidate *c = &x->v.v[i];
        const uint64_t g = c->taken ? 0 : gain(x, c);
        if (c->taken || g < most)
            continue;
        const bool is = (g > most || !to || !fresh || c->words < to->words) && is_new(x, c);
        if (!to || g > most || is > fresh || (is == fresh && c->words < to->words)) {
            to = c;
            most = g;
            fresh = is;
        }
    }
    return to;
}

static uint32_t count_found(const uint32_t *found, uint32_t n)
{
    uint32_t sum = 0;
    for (uint32_t k = 0; k < n; k++)
        sum += found[k] > 0;
    return sum;
}

// ---- what a test shows ----------------------------------------------------------------------

static void see(void *user, const struct orc_event *e)
{
    struct testset_test *t = user;
    char spaced[64], rule[16];
    if (e->kind != ORC_EVENT_BLOCK || !e->rule[0] || e->rule[1] < '0' || e->rule[1] > '9')
        return;
    snprintf(rule, sizeof rule, " %s ", e->rule);
    snprintf(spaced, sizeof spaced, " %s ", t->rules);
    const size_t n = strlen(t->rules);
    if (!strstr(spaced, rule) && n + 8 < sizeof t->rules)
        snprintf(t->rules + n, sizeof t->rules - n, "%s%s", n ? " " : "", e->rule);
}

// The mutants for which a candidate is taken, and their rows alone.
struct wanted {
    struct mutbench bench;
    enum mut_programs kind;
    const struct testset_options *o;
};

static bool finds_all(struct wanted *w, struct arena *a, const struct spv_case *c)
{
    for (uint32_t k = 0; k < w->bench.n; k++)
        w->bench.rows[k].killed = false;
    mutbench_program(&w->bench, a, c, 1, w->o->subgroup, w->kind);
    for (uint32_t k = 0; k < w->bench.n; k++)
        if (!w->bench.rows[k].killed)
            return false;
    return true;
}

static bool ask(void *user, uint32_t worker, struct arena *a, const struct spv_case *c,
                bool generated)
{
    struct wanted *w = user;
    (void)worker;
    (void)generated;
    if (c->subgroup != w->o->subgroup)
        return false;
    const struct prediction *p = judge_predict(a, c, 1, w->o->subgroup, SPV_POLICY_JOIN);
    return judge_usable(p) && !has_choices(p) && fits(w->o, a, c) && machines_agree(a, c) &&
           finds_all(w, a, c);
}

static bool keep_on(void *user, const struct spv_case *c, const struct red_stats *s)
{
    (void)user;
    (void)c;
    (void)s;
    return true;
}

static bool on(void *user, const struct red_stats *s)
{
    (void)user;
    (void)s;
    return !interrupted();
}

// Keeps one case of the program: the first input set that finds the mutants it is taken for, or, if
// none finds all, the first of them.
static void take_case(struct chooser *x, struct wanted *w, struct gen_made *made,
                      struct testset_test *t)
{
    struct arena a = {0};
    uint32_t input = made->case_count;
    while (input == made->case_count) {
        for (input = 0; input < made->case_count; input++, arena_reset(&a))
            if (finds_all(w, &a, &made->cases[input]))
                break;
        CHECK(input < made->case_count || w->bench.n > 1);
        if (input == made->case_count)
            w->bench.n = 1;
    }
    t->c = made->cases[input];
    t->c.subgroup = x->o->subgroup;
    t->c.inputs_at = t->c.inputs_of = 0; // it stands alone
    arena_free(&a);
}

static void reduce_case(struct chooser *x, struct wanted *w, struct testset_test *t)
{
    const struct red_events ev = {.user = w, .ask = ask, .better = keep_on, .tick = on};
    const struct red_options o = {.jobs = 1, .choices = true};
    struct spv_case small;
    struct red_stats stats;
    red_reduce(x->keep, &t->c, &o, &ev, &small, &stats);
    t->c = small;
}

static void name_mutant(struct testset_test *t, const struct row *r)
{
    t->name = r->m->name;
    t->line = r->m->line;
    t->classes = r->m->classes;
    snprintf(t->wrong, sizeof t->wrong, "%s", r->text);
}

static void name_kept(struct testset_test *t, const struct kept_bug *b)
{
    t->name = b->name;
    t->line = b->what;
    t->classes = b->classes;
    t->seen = b->seen;
    if (!t->c.from)
        t->c.from = "written by hand";
    t->c.expect_count = 0; // as of the others: the caller predicts it
}

// Makes the test of a candidate, and replaces what the candidate finds by what the test finds.
static void make_test(struct chooser *x, struct candidate *c, struct testset_test *t)
{
    struct arena a = {0};
    struct gen_made made;
    struct wanted w = {.o = x->o, .kind = c->kind, .bench = x->bench};
    w.bench.rows = ARENA_ARRAY(&a, struct row, x->bench.n);
    w.bench.n = 0;
    const bool random = c->source == RANDOM || c->source == SEARCHED;
    *t = (struct testset_test){.random = random};
    uint32_t least = UINT32_MAX;
    for (uint32_t k = 0; k < x->bench.n; k++)
        if (finds(c, k) && x->found[k] < least)
            least = x->found[k];
    for (uint32_t k = 0; k < x->bench.n; k++)
        if (finds(c, k) && x->found[k] == least && (!least || !w.bench.n))
            w.bench.rows[w.bench.n++].m = x->bench.rows[k].m;
    make(x->keep, x, c, &made);
    if (c->source == KEPT)
        w.bench.n = 0; // it is taken as it is
    take_case(x, &w, &made, t);
    if (random)
        reduce_case(x, &w, t);
    if (c->source == KEPT)
        name_kept(t, &x->kept[c->number]);
    else
        find(x, &a, &t->c, 1, c->kind, c->finds);
    for (uint32_t k = 0; k < x->bench.n; k++) {
        t->mutants += finds(c, k);
        if (w.bench.n && x->bench.rows[k].m == w.bench.rows[0].m)
            name_mutant(t, &x->bench.rows[k]);
    }
    const struct orc_observer observer = {see, t};
    struct orc_result ran;
    CHECK(machines_agree(&a, &t->c)); // generated programs all do, and reduced ones are asked
    orc_predict(&a, &t->c, 0, &(struct orc_options){.observer = &observer}, &ran);
    arena_free(&a);
}

// ---- the comparison --------------------------------------------------------------------------

// Adds to each step what so many random candidates find.
static void draw(const struct chooser *x, struct testset *s, uint32_t tests, uint64_t seed)
{
    struct rng r = {seed};
    uint32_t found[TESTSET_MUTANTS] = {0};
    for (uint32_t i = 0; i < tests; i++) {
        const struct candidate *c = &x->v.v[rng_next(&r) % x->v.n];
        for (uint32_t k = 0; k < x->bench.n; k++)
            found[k] += finds(c, k);
        s->step[i].random += (double)count_found(found, x->bench.n) / TESTSET_DRAWS;
    }
}

bool testset_choose(struct arena *a, struct spv_tools *tools, const struct testset_options *o,
                    struct testset *out)
{
    const struct mut_mutant *mutants;
    struct chooser x = {.o = o, .keep = a, .all = enu_make(a, o->stage, o->size)};
    x.bench.tools = tools;
    x.bench.n = mut_all(&mutants);
    x.bench.rows = ARENA_ARRAY(a, struct row, x.bench.n);
    for (uint32_t k = 0; k < x.bench.n; k++)
        x.bench.rows[k].m = &mutants[k];
    x.missing = (struct mutbench){.tools = tools, .rows = ARENA_ARRAY(a, struct row, x.bench.n)};
    *out = (struct testset){.mutants = x.bench.n,
                            .test = ARENA_ARRAY(a, struct testset_test, o->tests),
                            .step = ARENA_ARRAY(a, struct testset_step, o->tests)};
    x.kept = kept_bugs(a, tools, o->stage, &x.kept_n);
    CHECK(x.bench.n + x.kept_n <= TESTSET_MUTANTS);
    if (!try_all(&x))
        return false;
    for (uint32_t i = 0; i < TESTSET_DRAWS && x.v.n; i++)
        draw(&x, out, o->tests, i + 1);
    try_kept(&x);
    if (!search(&x))
        return false;
    out->candidates = x.candidates;
    out->searched = x.searched;
    out->kept_all = x.kept_n;
    for (size_t i = 0; i < x.v.n; i++)
        out->kept_candidates += x.v.v[i].source == KEPT;
    while (out->n < o->tests && !interrupted()) {
        struct candidate *c = best(&x);
        if (!c)
            break;
        make_test(&x, c, &out->test[out->n]);
        c->taken = true;
        if (!runs(o, &out->test[out->n].c))
            continue;
        for (uint32_t k = 0; k < x.bench.n + x.kept_n; k++)
            x.found[k] += finds(c, k);
        out->kept += c->source == KEPT;
        out->step[out->n++].greedy = count_found(x.found, x.bench.n);
    }
    uint32_t findable[TESTSET_MUTANTS]; // also by a reduced program that found it by chance
    memcpy(findable, x.found, sizeof findable);
    for (size_t i = 0; i < x.v.n; i++)
        for (uint32_t k = 0; k < x.bench.n; k++)
            findable[k] += finds(&x.v.v[i], k);
    out->findable = count_found(findable, x.bench.n);
    return !interrupted();
}
