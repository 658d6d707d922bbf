// SPDX-License-Identifier: Apache-2.0
//
// Slippage: where a target has two bugs, a smaller case may show the other one. If a candidate's
// first wrong operation was not in the last accepted case, it is tested by itself, in a program of
// a dozen lines. If it fails there and the earlier wrong operation does not, or the reverse, the
// causes differ. They also differ if a compiler removes the one operation and moves the other.
#include "ask.h"

#include <string.h>

static bool same_op(const struct diag_alone *x, const struct diag_alone *y)
{
    return x->op == y->op && x->form == y->form && x->vector == y->vector &&
           x->cluster == y->cluster;
}

// Lists programs with the operation by itself, executed by all lanes: the last elements of the
// plan, one for each size. False if the operation has no such program.
static bool plan_of(struct arena *a, const struct spv_case *c, uint32_t id, struct diag_plan *plan)
{
    diag_alone_plan(a, c, id, false, plan);
    return plan->n != 0;
}

// Predicts, runs and judges; false if the case is undefined. Releases the lock meanwhile, since all
// workers need it to count and a run may take up to the job's timeout.
static bool look(struct ask *k, struct ask_worker *w, struct arena *a, const struct spv_case *c,
                 struct judged *j, struct run_result *r)
{
    pthread_mutex_unlock(&k->lock);
    const struct prediction *p =
        judge_predict_within(a, NULL, c, 1, c->subgroup, w->policy.choices.base, k->step_limit);
    const bool good = p->made.why.status == RAN_OK;
    if (good) {
        ask_run(k, w, a, c, r);
        judge_result(a, w->tools, p, r, &w->policy, j);
    }
    pthread_mutex_lock(&k->lock);
    k->counts.runs += good;
    return good;
}

static bool run_alone(struct ask *k, struct ask_worker *w, struct arena *a,
                      const struct diag_alone *q, enum spv_model model)
{
    struct spv_case c;
    struct judged j;
    struct run_result r;
    return diag_alone(w->tools, a, q, model, &c) && look(k, w, a, &c, &j, &r) &&
           judge_class_is_finding(j.verdict.klass);
}

// Each operation is tested once, by the first worker that needs it; other workers wait.
static bool is_wrong(struct ask *k, struct ask_worker *w, struct arena *a,
                     const struct diag_plan *plan, enum spv_model model)
{
    const struct diag_alone *last = &plan->v[plan->n - 1];
    bool wrong = false;
    for (size_t i = 0; i < plan->n && !wrong; i++) {
        const struct diag_alone *q = &plan->v[i];
        uint32_t at = 0;
        if (!same_op(q, last))
            continue;
        while (at < k->alones &&
               !(same_op(&k->alone[at].what, q) && k->alone[at].what.lanes == q->lanes))
            at++;
        if (at == k->alones) {
            if (k->alones == ASK_ALONE)
                return false;
            k->alone[k->alones++] = (struct ask_alone){.what = *q, .asking = true};
            k->alone[at].wrong = run_alone(k, w, a, q, model);
            k->alone[at].asking = false;
            pthread_cond_broadcast(&k->finished);
        }
        while (k->alone[at].asking)
            pthread_cond_wait(&k->finished, &k->lock);
        wrong = k->alone[at].wrong;
    }
    return wrong;
}

static bool has_op(struct arena *a, const struct spv_case *c, const struct diag_alone *q)
{
    struct spv_module m;
    struct diag_plan plan;
    if (!spv_module_read(a, c->words, c->count, &m, NULL))
        return false;
    for (uint32_t i = 0; i < m.inst_count; i++)
        if (spv_group_find(m.insts[i].op) && plan_of(a, c, m.insts[i].result, &plan) &&
            same_op(&plan.v[plan.n - 1], q))
            return true;
    return false;
}

static unsigned change_of(const struct spv_case *c, uint32_t id, const struct run_result *r)
{
    return !id || r->form != RUN_FORM_SPIRV
               ? 0
               : diag_change_of_op(c->words, c->count, id, r->words, r->word_count);
}

// Returns the operation that reads the ballot's bits, if any; else the operation itself.
static uint32_t wrong_op(const struct spv_case *c, const struct judge_verdict *v)
{
    const uint32_t reader = diag_site_reader(c, v);
    return reader ? reader : diag_site_op(c, v, false);
}

// Computes the other facts about the last accepted case.
static void look_at_now(struct ask *k, struct ask_worker *w, struct arena *a)
{
    struct judged j;
    struct run_result r;
    struct diag_plan plan;
    while (k->now_asking)
        pthread_cond_wait(&k->finished, &k->lock);
    if (k->now_known)
        return;
    k->now_asking = true;
    const struct spv_case *c = &k->now;
    const bool seen = look(k, w, a, c, &j, &r);
    const uint32_t id =
        seen && judge_class_is_mismatch(j.verdict.klass) ? wrong_op(c, &j.verdict) : 0;
    k->now_alone = id && plan_of(a, c, id, &plan) && is_wrong(k, w, a, &plan, c->model);
    k->now_change = id ? change_of(c, id, &r) : 0;
    k->now_known = true;
    k->now_asking = false;
    pthread_cond_broadcast(&k->finished);
}

static struct diag_op first_wrong(const struct diag_signature *s)
{
    const struct diag_op none = {.opcode = 0};
    return !judge_class_is_mismatch(s->klass) ? none
           : s->bits.opcode                   ? s->bits
           : s->exact.opcode                  ? s->exact
                                              : s->guard;
}

static void remember(struct ask *k, const struct spv_case *c, const struct diag_op *op,
                     enum judge_promise promise)
{
    k->good[k->goods++ % ASK_GOOD] = (struct ask_good){red_hash(c), *op, promise};
}

void ask_now_promised(struct ask *k, const struct spv_case *c, enum judge_promise promise)
{
    struct ask_weak *weak = &k->weak[promise];
    arena_reset(&weak->arena);
    red_copy(&weak->arena, c, &weak->c);
}

void ask_now(struct ask *k, const struct spv_case *c)
{
    const uint64_t hash = red_hash(c);
    k->now_op = first_wrong(&k->kind);
    for (uint32_t i = 0; i < ASK_GOOD && i < k->goods; i++)
        if (k->good[i].hash == hash) {
            k->now_op = k->good[i].op;
            ask_now_promised(k, c, k->good[i].promise);
            break;
        }
    k->now = *c;
    k->now_known = false;
}

bool ask_slipped(struct ask *k, struct ask_worker *w, struct arena *a, const struct spv_case *c,
                 const struct diag_signature *is, const struct judge_verdict *v,
                 const struct run_result *r, enum judge_promise promise)
{
    struct diag_plan plan;
    const struct diag_op op = first_wrong(is);
    pthread_mutex_lock(&k->lock);
    bool slipped = false, look = op.opcode && !diag_op_same(&op, &k->now_op) && k->now.words;
    const uint32_t id = look ? wrong_op(c, v) : 0;
    if (id && plan_of(a, c, id, &plan)) {
        // An operation of the last accepted case may come after that case's first wrong one.
        const bool there = has_op(a, &k->now, &plan.v[plan.n - 1]);
        look_at_now(k, w, a);
        slipped = (!there || k->now_alone) && is_wrong(k, w, a, &plan, c->model) != k->now_alone;
        if (!slipped && (!there || k->now_change)) {
            const unsigned change = change_of(c, id, r);
            slipped = (change || k->now_change) && !(change & k->now_change);
        }
    }
    if (!slipped)
        remember(k, c, &op, promise);
    pthread_mutex_unlock(&k->lock);
    return slipped;
}
