// SPDX-License-Identifier: Apache-2.0
//
// Where a target has two bugs, a smaller case may show the other one. A candidate whose first
// wrong operation was not in the case before is looked at twice: is that operation wrong by itself,
// in a program of a dozen lines? If it is and the one that was wrong before is not, or the other
// way round, they are not wrong for one reason. Nor are they where a compiler takes out the
// one and moves the other.
#include "reduce_ask.h"

#include "llir/llir.h"

#include <string.h>

static bool same_op(const struct tri_alone *x, const struct tri_alone *y)
{
    return x->op == y->op && x->form == y->form && x->vector == y->vector && x->cluster == y->cluster;
}

// The operation by itself, executed by all lanes, at as many sizes as it is asked about; the last
// ones of the plan. False where it is not known how to ask.
static bool plan_of(struct arena *a, const struct spv_case *c, uint32_t id, struct tri_plan *plan)
{
    tri_alone_plan(a, c, id, false, plan);
    return plan->n != 0;
}

static bool run_alone(struct ask *k, struct ask_worker *w, struct arena *a, const struct tri_alone *q,
                      enum spv_model model)
{
    struct spv_case c;
    struct judged j;
    struct run_result r;
    if (!tri_alone(w->tools, a, q, model, &c))
        return false;
    const struct prediction *p =
        judge_predict_within(a, NULL, &c, 1, c.subgroup, w->policy.choices.base, k->step_limit);
    if (p->made.why.status != ORC_OK)
        return false;
    run_case(w->target, a, &c, 0, &r);
    k->counts.runs++;
    judge_result(a, w->tools, p, &r, &w->policy, &j);
    return tri_class_is_finding(j.verdict.klass);
}

// With the lock, so that each is asked about once.
static bool is_wrong(struct ask *k, struct ask_worker *w, struct arena *a, const struct tri_plan *plan,
                     enum spv_model model)
{
    const struct tri_alone *last = &plan->v[plan->n - 1];
    bool wrong = false;
    for (size_t i = 0; i < plan->n && !wrong; i++) {
        const struct tri_alone *q = &plan->v[i];
        uint32_t at = 0;
        if (!same_op(q, last))
            continue;
        while (at < k->alones && !(same_op(&k->alone[at].what, q) && k->alone[at].what.lanes == q->lanes))
            at++;
        if (at == k->alones) {
            if (k->alones == ASK_ALONE)
                return false;
            k->alone[k->alones++] = (struct ask_alone){*q, run_alone(k, w, a, q, model)};
        }
        wrong = k->alone[at].wrong;
    }
    return wrong;
}

static bool has_op(struct arena *a, const struct spv_case *c, const struct tri_alone *q)
{
    struct spv_module m;
    struct tri_plan plan;
    if (!spv_module_read(a, c->words, c->count, &m, NULL))
        return false;
    for (uint32_t i = 0; i < m.inst_count; i++) {
        const struct spv_op *row = spv_op_find(m.insts[i].op);
        if (row && strcmp(row->klass, "Non-Uniform") == 0 && plan_of(a, c, m.insts[i].result, &plan) &&
            same_op(&plan.v[plan.n - 1], q))
            return true;
    }
    return false;
}

static unsigned change_of(const struct spv_case *c, uint32_t id, const struct run_result *r)
{
    return !id || !r->words || llir_is(r->words, r->word_count)
               ? 0
               : tri_change_of_op(c->words, c->count, id, r->words, r->word_count);
}

// Of the case that was accepted last; nothing of one without a wrong operation.
static void look_at_now(struct ask *k, struct ask_worker *w, struct arena *a)
{
    struct judged j;
    struct run_result r;
    struct tri_plan plan;
    if (k->now_known)
        return;
    const struct spv_case *c = &k->now;
    const struct prediction *p =
        judge_predict_within(a, NULL, c, 1, c->subgroup, w->policy.choices.base, k->step_limit);
    run_case(w->target, a, c, 0, &r);
    k->counts.runs++;
    judge_result(a, w->tools, p, &r, &w->policy, &j);
    const uint32_t id = tri_class_is_mismatch(j.verdict.klass) ? tri_site_op(c, &j.verdict, false) : 0;
    k->now_known = true;
    k->now_alone = id && plan_of(a, c, id, &plan) && is_wrong(k, w, a, &plan, c->model);
    k->now_change = change_of(c, id, &r);
}

bool ask_slipped(struct ask *k, struct ask_worker *w, struct arena *a, const struct spv_case *c,
                 const struct tri_verdict *v, const struct run_result *r)
{
    struct tri_plan plan;
    const uint32_t id = tri_class_is_mismatch(v->klass) && k->now.words ? tri_site_op(c, v, false) : 0;
    if (!id || !plan_of(a, c, id, &plan))
        return false;
    const bool there = has_op(a, &k->now, &plan.v[plan.n - 1]);
    pthread_mutex_lock(&k->lock);
    look_at_now(k, w, a);
    // What was there before may be what is behind the first that was wrong.
    bool slipped = (!there || k->now_alone) && is_wrong(k, w, a, &plan, c->model) != k->now_alone;
    if (!slipped && (!there || k->now_change)) {
        const unsigned change = change_of(c, id, r);
        slipped = (change || k->now_change) && !(change & k->now_change);
    }
    pthread_mutex_unlock(&k->lock);
    return slipped;
}
