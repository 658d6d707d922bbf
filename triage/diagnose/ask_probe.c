// SPDX-License-Identifier: Apache-2.0
//
// What a reduced case is about: runs its probes (diag_probe) on the target.
#include "ask_probe.h"

// Reports whether the target is wrong about a probe as well. *j and *res, in `a`, hold the result.
// A probe is validated and must be defined before the target runs it, like any candidate.
static bool probe_is_wrong(struct ask *k, struct arena *a, const struct spv_case *probe,
                           struct judged *j, struct run_result *res)
{
    const struct ask_worker *w = &k->worker[ASK_MAIN];
    struct prediction *p = judge_predict_within(a, NULL, probe, 1, probe->subgroup,
                                                w->policy.choices.base, k->step_limit);
    if (p->made.why.status != RAN_OK ||
        !spv_validate(w->tools, SPV_ENV_VULKAN_1_3, probe->words, probe->count, NULL))
        return false;
    ask_again(k, a, probe, 1, &p, j, res);
    return judge_class_is_mismatch(j->verdict.klass);
}

// Reports whether words of the case's first buffer are wrong.
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

// Reports whether the operation at the first wrong word is executed too often or too rarely.
static bool count_is_wrong(struct ask *k, struct arena *a, const struct spv_case *c,
                           const struct judge_verdict *v)
{
    struct spv_case with;
    struct judged j = {.expected = NULL};
    struct run_result r = {.memory = NULL};
    uint32_t id = diag_site_op(c, v, false);
    return id && diag_expose(a, c, id, DIAG_EXPOSE_COUNT, &with) &&
           probe_is_wrong(k, a, &with, &j, &r) && first_buffer_is_wrong(&j, &r);
}

// Stores the operation that the wrong word came from (for a ballot, the operation that reads its
// bits) right where it stands, each time. Reports whether that is right while the word is wrong.
static bool is_right_there(struct ask *k, struct arena *a, const struct spv_case *c,
                           const struct judge_verdict *v)
{
    struct spv_case with;
    struct judged j = {.expected = NULL};
    struct run_result r = {.memory = NULL};
    const uint32_t reader = diag_site_reader(c, v),
                   id = reader ? reader : diag_site_op(c, v, false);
    return id && diag_expose(a, c, id, DIAG_EXPOSE_EACH, &with) &&
           probe_is_wrong(k, a, &with, &j, &r) && j.expected && r.memory &&
           !first_buffer_is_wrong(&j, &r);
}

// Finds out whether other operations in place of the wrong one are wrong too, and how.
enum diag_what probe_ask(struct ask *k, struct arena *a, const struct spv_case *c,
                         const struct judge_verdict *v, struct diag_pattern *pattern)
{
    bool any = false, before = false;
    *pattern = (struct diag_pattern){.where = DIAG_NOWHERE};
    for (int i = 0; i < DIAG_PROBES; i++) {
        struct spv_case with;
        struct judged pj;
        struct run_result pr;
        uint32_t id;
        bool same = diag_probe_is(c, v, (enum diag_probe)i), wrong = false;
        if (!diag_probe(a, c, v, (enum diag_probe)i, &with, &id))
            continue;
        wrong = probe_is_wrong(k, a, &with, &pj, &pr);
        if (i == DIAG_PROBE_OPERAND)
            before = wrong;
        else
            any |= wrong && !same;
        if (i == DIAG_PROBE_BALLOT && wrong && pj.expected && pr.memory)
            *pattern = pattern_of(&with, id, pj.expected, pr.memory);
    }
    // A lane that has left keeps its old word there, which looks like a wrong tangle.
    if (!before && count_is_wrong(k, a, c, v)) {
        *pattern = (struct diag_pattern){.where = DIAG_NOWHERE};
        return DIAG_ANY;
    }
    // If a later step changes the result, other operations in its place leave the same wrong word.
    if (!before && is_right_there(k, a, c, v)) {
        *pattern = (struct diag_pattern){.where = DIAG_NOWHERE};
        return DIAG_LATER;
    }
    // For a fault of one operation: whether it is also wrong with all lanes active.
    if (before || (!any && !(pattern->extra.ways >> DIAG_ABSENT & 1)))
        *pattern =
            (struct diag_pattern){.where = (uint8_t)pattern_of_place(c, diag_site_op(c, v, before)),
                                  .wide = c->subgroup > 4}; // a few lanes do not show it
    return before ? DIAG_INNER : any ? DIAG_ANY : DIAG_OP;
}

bool probe_value(struct ask *k, struct arena *a, const struct spv_case *c,
                 const struct judge_verdict *v)
{
    return !c->has_log && diag_is_exposed(c, v) && !count_is_wrong(k, a, c, v);
}

bool probe_alone(struct ask *k, struct arena *a, const struct spv_case *c,
                 const struct judge_verdict *v, enum diag_what at_fault, struct diag_alone *alone)
{
    struct diag_plan plan;
    uint32_t id = at_fault == DIAG_ANY ? 0 : diag_site_op(c, v, at_fault == DIAG_INNER);
    if (!id)
        return false;
    diag_alone_plan(a, c, id, pattern_of_place(c, id) == DIAG_PART, &plan);
    for (size_t i = 0; i < plan.n; i++) {
        struct spv_case with;
        struct judged j;
        struct run_result r;
        if (!diag_alone(k->worker[ASK_MAIN].tools, a, &plan.v[i], c->model, &with) ||
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

static bool change_of(const struct spv_case *c, const struct run_result *r, struct diag_change *out)
{
    return r->form == RUN_FORM_SPIRV &&
           diag_change(c->words, c->count, r->words, r->word_count, out);
}

bool probe_earlier(struct ask *k, struct arena *a, const struct spv_case *c,
                   const struct judge_verdict *v, const struct run_result *was,
                   struct spv_case *out)
{
    const bool compiler = run_is_compiler(&k->info);
    struct diag_change change, same;
    uint32_t ids[OPS], n = 0;
    if (!compiler || (is_by_execution(k->kind.klass) && change_of(c, was, &change)))
        n = pattern_order(c, ids, OPS);
    // First without the other stores: otherwise a reduction may keep those.
    for (uint32_t i = 0; i < 2 * n; i++) {
        struct judged j = {.expected = NULL};
        struct run_result r = {.memory = NULL};
        const uint32_t id = ids[i / 2];
        if (diag_expose(a, c, id, i % 2 == 0 ? DIAG_EXPOSE_ALONE : DIAG_EXPOSE_TOO, out) &&
            probe_is_wrong(k, a, out, &j, &r) && first_buffer_is_wrong(&j, &r) &&
            (!compiler || (change_of(out, &r, &same) && diag_change_equal(&change, &same))))
            return id != diag_site_op(c, v, false) || !diag_is_exposed(c, v);
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
    return barrier && !run_is_compiler(&k->info) && diag_barrier_ballot(a, c, &ballot, &id) &&
           diag_expose(a, &ballot, id, DIAG_EXPOSE_ALONE, out) &&
           probe_is_wrong(k, a, out, &j, &res) && first_buffer_is_wrong(&j, &res);
}

bool probe_condition(struct ask *k, struct arena *a, const struct spv_case *c,
                     const struct run_result *r, struct spv_case *out)
{
    struct spv_module m;
    struct diag_change change;
    if (r->form != RUN_FORM_SPIRV || !spv_module_read(a, c->words, c->count, &m, NULL) ||
        !diag_change(c->words, c->count, r->words, r->word_count, &change) ||
        change.did != DIAG_OP_NEW || change.use_to != DIAG_BRANCHES)
        return false;
    for (uint32_t i = 0; i < 2 * m.block_count; i++) {
        struct judged j = {.expected = NULL};
        struct run_result res = {.memory = NULL};
        if (diag_expose_condition(a, c, m.blocks[i / 2].label, i % 2 == 0, out) &&
            probe_is_wrong(k, a, out, &j, &res) && first_buffer_is_wrong(&j, &res))
            return true;
    }
    return false;
}
