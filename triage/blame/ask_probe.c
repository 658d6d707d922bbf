// SPDX-License-Identifier: Apache-2.0
//
// What a reduced case is about: its probes (blame_probe) on the target.
#include "ask_probe.h"

// Is the target wrong about a probe as well? *j and *res, in `a`, say how. As every candidate it
// is valid and has a meaning before the target sees it.
static bool probe_is_wrong(struct ask *k, struct arena *a, const struct spv_case *probe,
                           struct judged *j, struct run_result *res)
{
    const struct ask_worker *w = &k->worker[ASK_MAIN];
    struct prediction *p = judge_predict_within(a, NULL, probe, 1, probe->subgroup,
                                                w->policy.choices.base, k->step_limit);
    if (p->made.why.status != ORC_OK ||
        !spv_validate(w->tools, SPV_ENV_VULKAN_1_3, probe->words, probe->count, NULL))
        return false;
    ask_again(k, a, probe, 1, &p, j, res);
    return judge_class_is_mismatch(j->verdict.klass);
}

// Are words of the case's first buffer wrong?
static bool first_buffer_is_wrong(const struct judged *j, const struct run_result *r)
{
    if (!j->expected || !r->memory)
        return false;
    const struct spv_memory *e = &j->expected[0], *o = &r->memory[0];
    for (uint32_t i = 0; i < e->count; i++)
        if (judge_wrong_bits(e, o, i))
            return true;
    return false;
}

// Is the operation at the first wrong place executed another number of times than it must be?
static bool count_is_wrong(struct ask *k, struct arena *a, const struct spv_case *c,
                           const struct judge_verdict *v)
{
    struct spv_case with;
    struct judged j = {.expected = NULL};
    struct run_result r = {.memory = NULL};
    uint32_t id = blame_site_op(c, v, false);
    return id && blame_expose(a, c, id, BLAME_EXPOSE_COUNT, &with) &&
           probe_is_wrong(k, a, &with, &j, &r) && first_buffer_is_wrong(&j, &r);
}

// Is the wrong word still wrong when the operation that it was made of (of a ballot what reads its
// bits) is stored where it stands, each time, and that right?
static bool is_right_there(struct ask *k, struct arena *a, const struct spv_case *c,
                           const struct judge_verdict *v)
{
    struct spv_case with;
    struct judged j = {.expected = NULL};
    struct run_result r = {.memory = NULL};
    const uint32_t reader = blame_site_reader(c, v), id = reader ? reader : blame_site_op(c, v, false);
    return id && blame_expose(a, c, id, BLAME_EXPOSE_EACH, &with) &&
           probe_is_wrong(k, a, &with, &j, &r) && j.expected && r.memory &&
           !first_buffer_is_wrong(&j, &r);
}

// Whether other operations in the place of the wrong one are wrong too, and in which manner.
enum blame_what probe_ask(struct ask *k, struct arena *a, const struct spv_case *c,
                          const struct judge_verdict *v, struct blame_manner *manner)
{
    bool any = false, before = false;
    *manner = (struct blame_manner){.where = BLAME_NOWHERE};
    for (int i = 0; i < BLAME_PROBES; i++) {
        struct spv_case with;
        struct judged pj;
        struct run_result pr;
        uint32_t id;
        bool same = blame_probe_is(c, v, (enum blame_probe)i), wrong = false;
        if (!blame_probe(a, c, v, (enum blame_probe)i, &with, &id))
            continue;
        wrong = probe_is_wrong(k, a, &with, &pj, &pr);
        if (i == BLAME_PROBE_OPERAND)
            before = wrong;
        else
            any |= wrong && !same;
        if (i == BLAME_PROBE_BALLOT && wrong && pj.expected && pr.memory)
            *manner = manner_of(&with, id, pj.expected, pr.memory);
    }
    // Who is not there any more leaves his old word behind, which looks like a wrong tangle.
    if (!before && count_is_wrong(k, a, c, v)) {
        *manner = (struct blame_manner){.where = BLAME_NOWHERE};
        return BLAME_ANY;
    }
    // Others in its place leave the same wrong word when what became of it is to blame.
    if (!before && is_right_there(k, a, c, v)) {
        *manner = (struct blame_manner){.where = BLAME_NOWHERE};
        return BLAME_LATER;
    }
    // Of an operation that alone is wrong counts whether it is when nobody is missing.
    if (before || (!any && !(manner->extra.ways >> BLAME_ABSENT & 1)))
        *manner =
            (struct blame_manner){.where = (uint8_t)manner_of_place(c, blame_site_op(c, v, before)),
                                  .wide = c->subgroup > 4}; // a few lanes do not show it
    return before ? BLAME_INNER : any ? BLAME_ANY : BLAME_OP;
}

bool probe_value(struct ask *k, struct arena *a, const struct spv_case *c,
                 const struct judge_verdict *v)
{
    return !c->has_log && blame_is_exposed(c, v) && !count_is_wrong(k, a, c, v);
}

bool probe_alone(struct ask *k, struct arena *a, const struct spv_case *c,
                 const struct judge_verdict *v, enum blame_what blame, struct blame_alone *alone)
{
    struct blame_plan plan;
    uint32_t id = blame == BLAME_ANY ? 0 : blame_site_op(c, v, blame == BLAME_INNER);
    if (!id)
        return false;
    blame_alone_plan(a, c, id, manner_of_place(c, id) == BLAME_PART, &plan);
    for (size_t i = 0; i < plan.n; i++) {
        struct spv_case with;
        struct judged j;
        struct run_result r;
        if (!blame_alone(k->worker[ASK_MAIN].tools, a, &plan.v[i], c->model, &with) ||
            !probe_is_wrong(k, a, &with, &j, &r))
            continue;
        *alone = plan.v[i];
        return true;
    }
    return false;
}

enum { OPS = 64 };

static bool is_by_execution(enum judge_class k)
{
    return k == JUDGE_MISSING_EXECUTION || k == JUDGE_EXTRA_EXECUTION;
}

static bool change_of(const struct spv_case *c, const struct run_result *r, struct blame_change *out)
{
    return r->form == RUN_FORM_SPIRV && blame_change(c->words, c->count, r->words, r->word_count, out);
}

bool probe_earlier(struct ask *k, struct arena *a, const struct spv_case *c,
                   const struct judge_verdict *v, const struct run_result *was, struct spv_case *out)
{
    const bool compiler = run_is_compiler(&k->info);
    struct blame_change change, same;
    uint32_t ids[OPS], n = 0;
    if (!compiler || (is_by_execution(k->kind.klass) && change_of(c, was, &change)))
        n = manner_order(c, ids, OPS);
    // Without the other stores first: with them a reduction may keep those.
    for (uint32_t i = 0; i < 2 * n; i++) {
        struct judged j = {.expected = NULL};
        struct run_result r = {.memory = NULL};
        const uint32_t id = ids[i / 2];
        if (blame_expose(a, c, id, i % 2 == 0 ? BLAME_EXPOSE_ALONE : BLAME_EXPOSE_TOO, out) &&
            probe_is_wrong(k, a, out, &j, &r) && first_buffer_is_wrong(&j, &r) &&
            (!compiler || (change_of(out, &r, &same) && blame_change_alike(&change, &same))))
            return id != blame_site_op(c, v, false) || !blame_is_exposed(c, v);
    }
    return false;
}

bool probe_barrier(struct ask *k, struct arena *a, const struct spv_case *c, struct spv_case *out)
{
    struct spv_case ballot;
    struct judged j = {.expected = NULL};
    struct run_result res = {.memory = NULL};
    uint32_t id;
    bool barrier = k->kind.klass == JUDGE_HANG || k->kind.klass == JUDGE_CRASH;
    return barrier && !run_is_compiler(&k->info) && blame_barrier_ballot(a, c, &ballot, &id) &&
           blame_expose(a, &ballot, id, BLAME_EXPOSE_ALONE, out) &&
           probe_is_wrong(k, a, out, &j, &res) && first_buffer_is_wrong(&j, &res);
}

bool probe_condition(struct ask *k, struct arena *a, const struct spv_case *c,
                     const struct run_result *r, struct spv_case *out)
{
    struct spv_module m;
    struct blame_change change;
    if (r->form != RUN_FORM_SPIRV || !spv_module_read(a, c->words, c->count, &m, NULL) ||
        !blame_change(c->words, c->count, r->words, r->word_count, &change) ||
        change.did != BLAME_OP_NEW || change.use_to != BLAME_BRANCHES)
        return false;
    for (uint32_t i = 0; i < 2 * m.block_count; i++) {
        struct judged j = {.expected = NULL};
        struct run_result res = {.memory = NULL};
        if (blame_expose_condition(a, c, m.blocks[i / 2].label, i % 2 == 0, out) &&
            probe_is_wrong(k, a, out, &j, &res) && first_buffer_is_wrong(&j, &res))
            return true;
    }
    return false;
}
