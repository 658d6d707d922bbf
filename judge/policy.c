// SPDX-License-Identifier: Apache-2.0
//
// Searches for choices that explain an observed result. POLICY_NONE is returned only if it is
// certain, POLICY_OUT (ambiguous) if the budget ran out first.
//
// First it compares the bits that no choice affects; a wrong one decides. Then it tries, always
// starting from the choices with the fewest wrong bits: each result of coarse derivatives; the
// three policies for the whole module; another policy for one case construct; another policy for
// one arrival at it. Last, if at most two tangles meet at each place (so "joined" and "split" are
// the only outcomes), every combination, with derivatives.
#include "policy.h"

#include <string.h>

struct search {
    const struct prediction *p;
    const struct orc_lanes *lanes;
    const struct spv_memory *observed;
    uint32_t count, budget;
    struct arena scratch; // for one run of the oracle
    struct arena keep;    // holds `points`
    struct policy_search *out;
    uint64_t wrong; // wrong bits under `best`
    struct spv_choices best;
    struct orc_point *points; // choice points of the run under `best`
    uint32_t point_count;
    bool helpers;     // some run had OpKill, or a quad with only helpers left
    bool derivatives; // in some run a derivative's result depended on the choice
};

// Runs the oracle once. False if the search has ended: found, out of budget, undefined.
static bool predict_under(struct search *s, const struct spv_choices *choices,
                          struct orc_result *made, struct judge_verdict *verdict)
{
    if (s->out->tried == s->budget) {
        s->out->answer = POLICY_OUT;
        return false;
    }
    s->out->tried++;
    arena_reset(&s->scratch);
    struct orc_options o = {.policy = choices, .lanes = s->lanes, .points = true, .elects = true};
    orc_run(s->p->program, &s->scratch, s->p->c, s->p->subgroup, &o, made);
    if (made->why.status != RAN_OK) { // a finding must not rest on such a program
        s->out->answer = POLICY_UNDEFINED;
        memcpy(s->out->why, made->why.text, sizeof s->out->why);
        return false;
    }
    s->helpers |= made->stats.helper_choices > 0;
    s->derivatives |= made->stats.derivative_choices > 0;
    judge_compare(s->p->c, made->memory, s->observed, s->count, verdict);
    if (!judge_class_is_mismatch(verdict->klass)) {
        s->out->answer = POLICY_FOUND;
        s->out->choices = *choices;
        return false;
    }
    return true;
}

// Tries choices and keeps them if fewer bits are wrong. False if the search has ended.
static bool try(struct search *s, const struct spv_choices *choices, bool *better)
{
    struct orc_result made;
    struct judge_verdict verdict;
    *better = false;
    if (!predict_under(s, choices, &made, &verdict))
        return false;
    if (verdict.wrong_bits >= s->wrong)
        return true;
    *better = true;
    s->wrong = verdict.wrong_bits;
    s->best = *choices;
    arena_reset(&s->keep);
    s->point_count = made.point_count;
    s->points = arena_copy(&s->keep, made.points, made.point_count * sizeof *made.points);
    return true;
}

// Sets the policy of one place; false if the list is full.
static bool change(struct spv_choices *c, uint32_t label, uint64_t instance, enum spv_policy policy)
{
    uint32_t k = 0;
    while (k < c->count && (c->at[k].label != label || c->at[k].instance != instance))
        k++;
    if (k == SPV_CHOICES)
        return false;
    c->count += k == c->count;
    c->at[k] = (struct spv_choice){label, policy, instance};
    return true;
}

// Changes the policy of one place at a time while that reduces the wrong bits. A place is a label,
// or with `each_time` one arrival.
static bool one_by_one(struct search *s, bool each_time)
{
    for (bool helped = true; helped;) {
        helped = false;
        for (uint32_t k = 0; k < s->point_count && !helped; k++) {
            struct orc_point at = s->points[k];
            bool again = false; // the label occurred before
            for (uint32_t j = 0; j < k && !each_time; j++)
                again |= s->points[j].label == at.label;
            for (int policy = 0; policy < SPV_POLICIES && !again && !helped; policy++) {
                struct spv_choices c = s->best;
                if (!change(&c, at.label, each_time ? at.instance : 0, (enum spv_policy)policy))
                    return true;
                if (!try(s, &c, &helped))
                    return false;
            }
        }
    }
    return true;
}

// Tries every combination of joined and split at places where two tangles meet, after the places
// fixed in c->at[0 .. count). Overwrites later elements of c->at. False if the search has ended;
// *complete stays true if no combination was left out.
static bool every(struct search *s, struct spv_choices *c, bool *complete)
{
    struct orc_result made;
    struct judge_verdict verdict;
    if (!predict_under(s, c, &made, &verdict))
        return false;
    for (uint32_t k = 0; k < made.point_count; k++) {
        struct orc_point at = made.points[k];
        bool fixed = false;
        for (uint32_t j = 0; j < c->count; j++)
            fixed |= c->at[j].label == at.label && c->at[j].instance == at.instance;
        *complete = *complete && at.tangles == 2;
        if (fixed)
            continue;
        if (c->count == SPV_CHOICES)
            *complete = false;
        if (!*complete)
            return true;
        // This run joined here, so joining again only has to explore the places that come later.
        const uint32_t n = c->count;
        static const enum spv_policy both[] = {SPV_POLICY_SPLIT, SPV_POLICY_JOIN};
        for (int j = 0; j < 2 && *complete; j++) {
            c->count = n + 1;
            c->at[n] = (struct spv_choice){at.label, both[j], at.instance};
            if (!every(s, c, complete))
                return false;
        }
        return true;
    }
    return true;
}

// Tries each result of coarse derivatives with the best other choices. False if the search has
// ended.
static bool by_derivatives(struct search *s)
{
    struct spv_choices c = s->best;
    bool better;
    for (uint32_t k = 0; spv_derivatives_nth(k, &c.derivatives); k++)
        if (!try(s, &c, &better))
            return false;
    return true;
}

static void search(struct search *s, const struct spv_choices *first)
{
    bool better;
    if (!try(s, first, &better) || (s->derivatives && !by_derivatives(s)))
        return;
    if (s->helpers) {
        struct spv_choices c = s->best;
        c.quads_end = !c.quads_end;
        if (!try(s, &c, &better))
            return;
    }
    for (int k = 0; k < SPV_POLICIES; k++) {
        struct spv_choices c = {.base = (enum spv_policy)k,
                                .derivatives = s->best.derivatives,
                                .quads_end = s->best.quads_end};
        if ((c.base != first->base || first->count) && !try(s, &c, &better))
            return;
    }
    if (!one_by_one(s, false) || !one_by_one(s, true))
        return;
    struct spv_derivatives d;
    bool complete =
        !s->helpers; // a quad of helpers may end at any time, which is more than two choices
    for (uint32_t k = 0; spv_derivatives_nth(k, &d) && (k == 0 || s->derivatives); k++) {
        struct spv_choices c = {.base = SPV_POLICY_JOIN, .derivatives = d};
        if (!every(s, &c, &complete))
            return;
    }
    s->out->answer = complete ? POLICY_NONE : POLICY_OUT;
}

void policy_search(struct arena *a, const struct prediction *p, const struct orc_lanes *lanes,
                   const struct spv_memory *observed, uint32_t count,
                   const struct spv_choices *first, uint32_t budget, struct policy_search *out)
{
    struct search s = {.p = p,
                       .lanes = lanes,
                       .observed = observed,
                       .count = count,
                       .budget = budget,
                       .out = out,
                       .wrong = UINT64_MAX};
    *out = (struct policy_search){.answer = POLICY_OUT};
    struct orc_options any = {.lanes = lanes, .any_policy = true};
    struct orc_result made;
    orc_run(p->program, a, p->c, p->subgroup, &any, &made);
    out->tried = 1;
    if (made.why.status == RAN_OK) {
        out->expected = made.memory;
        judge_compare(p->c, made.memory, observed, count, &out->verdict);
        if (judge_class_is_mismatch(out->verdict.klass)) {
            out->answer = POLICY_NONE;
            out->by_no_choice = true;
            return;
        }
    }
    search(&s, first);
    if (out->answer == POLICY_FOUND || out->answer == POLICY_NONE) {
        // POLICY_NONE after all combinations: report the closest one.
        struct orc_options o = {.policy = out->answer == POLICY_FOUND ? &out->choices : &s.best,
                                .lanes = lanes,
                                .elects = true};
        orc_run(p->program, a, p->c, p->subgroup, &o, &made);
        out->choices = *o.policy;
        out->expected = made.memory;
        judge_compare(p->c, made.memory, observed, count, &out->verdict);
    }
    arena_free(&s.scratch);
    arena_free(&s.keep);
}
