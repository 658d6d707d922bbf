// SPDX-License-Identifier: Apache-2.0
//
// Runs a hypothesis: the oracle runs the case with one rule broken, and the resulting memory is
// compared with the observed memory.
#include "hypothesis.h"

#include <string.h>

// Instruction limits: for all hypotheses of a case; for one run, a minimum and a factor.
enum { STEPS_ALL = 20 * 1000 * 1000, STEPS_MORE = 20000, STEPS_TIMES = 8 };

// ---- the lanes that an operation counts ----------------------------------------------

struct counting {
    const struct trace *base;
    const struct diag_hypothesis *h;
    bool *met; // [moment] of the base run: already matched with an execution
    size_t at; // the moment matched with the current execution
};

// Matches executions with those of the right run: the order is the same if nothing else is wrong.
static lane_mask counts(void *user, const struct orc_event *e, uint32_t lane)
{
    struct counting *c = user;
    if (lane == lane_first(e->active)) {
        c->at = hypothesis_moment(c->base, e->workgroup, e->subgroup, e->id, e->active, 0);
        while (c->at != SIZE_MAX && c->met[c->at])
            c->at =
                hypothesis_moment(c->base, e->workgroup, e->subgroup, e->id, e->active, c->at + 1);
        if (c->at != SIZE_MAX)
            c->met[c->at] = true;
    }
    return c->at == SIZE_MAX ? e->active : hypothesis_counts(c->base, c->at, lane, c->h);
}

static struct orc_options options_of(const struct hypotheses *r, const struct diag_hypothesis *h)
{
    return (struct orc_options){
        .fault = h->fault,
        .fault_at = h->at,
        .policy = r->c.has_policy ? &r->c.policy : NULL,
        .lanes = r->mapped ? &r->lanes : NULL,
        .step_limit = STEPS_MORE + STEPS_TIMES * r->base.result.stats.steps,
    };
}

// ---- a changed branch target ----------------------------------------------------------

// Returns the words of the module with the replaced label; NULL if the block does not name it.
static const uint32_t *words_with_edge(struct arena *a, const struct hypotheses *r,
                                       const struct diag_hypothesis *h)
{
    const struct spv_module *m = &r->m;
    const uint32_t b = h->edge_from < m->bound ? m->block_of[h->edge_from] : UINT32_MAX;
    if (b == UINT32_MAX)
        return NULL;
    const struct spv_inst *end = &m->insts[m->blocks[b].last];
    const struct spv_inst *selector = end->op == SpvOpSwitch ? spv_def(m, end->v[0]) : NULL;
    const struct spv_labels l =
        spv_labels(end->op, end->n, selector ? spv_literal_words(spv_def(m, selector->type)) : 1);
    for (uint32_t k = 0; k < l.count; k++) {
        const uint32_t at = l.first + k * l.step;
        if (end->v[at] != h->edge_was)
            continue;
        uint32_t *words = arena_copy(a, m->words, m->count * sizeof *words);
        words[(size_t)(end->v - m->words) + at] = h->edge_is;
        return words;
    }
    return NULL;
}

static bool module_of(struct arena *a, const struct hypotheses *r, const struct diag_hypothesis *h,
                      struct spv_case *out)
{
    uint32_t places;
    *out = r->c;
    if (h->mistake == DIAG_INST_EDITED)
        return hypothesis_edit(a, r, h, out, &places);
    out->words = words_with_edge(a, r, h);
    out->body = NULL;
    return out->words != NULL;
}

// ---- the comparison -------------------------------------------------------------------

static void compare(const struct hypotheses *r, const struct orc_result *made,
                    struct hypothesis_words *out)
{
    for (uint32_t b = 0; b < r->c.buffer_count; b++) {
        const struct spv_memory *e = &r->expected[b], *o = &r->observed[b], *h = &made->memory[b];
        for (uint32_t i = 0; i < e->count && b != r->lanes_at; i++) {
            const uint32_t defined = e->mask ? e->mask[i] : UINT32_MAX,
                           must = defined & (o->mask ? o->mask[i] : UINT32_MAX),
                           lost = r->only_defined ? 0 : defined & ~must;
            const bool wrong = lost || ((e->words[i] ^ o->words[i]) & must) != 0;
            const uint32_t mine = h->mask ? h->mask[i] : UINT32_MAX;
            const bool fits = !((h->words[i] ^ o->words[i]) & must & mine) && !(lost & mine),
                       given = fits && !(must & ~mine);
            out->right += must && !wrong;
            out->wrong += wrong;
            out->right_given += must && !wrong && given;
            out->wrong_given += wrong && given;
            out->open += must && fits && !given;
        }
    }
}

bool hypothesis_predict(struct hypotheses *r, const struct diag_hypothesis *h,
                        struct orc_result *out)
{
    *out = (struct orc_result){.why.status = RAN_INVALID};
    struct orc_options o = options_of(r, h);
    struct counting counting = {.base = &r->base, .h = h};
    const struct orc_counter counter = {counts, &counting};
    if (r->steps > r->budget)
        return false;
    arena_reset(&r->scratch);
    if (h->mistake == DIAG_LANES_COUNTED) {
        counting.met = ARENA_ARRAY(&r->scratch, bool, r->base.v.n + 1);
        o.counter = &counter;
    }
    if (h->mistake == DIAG_EDGE_ELSEWHERE || h->mistake == DIAG_INST_EDITED) {
        struct spv_case c;
        if (module_of(&r->scratch, r, h, &c))
            orc_predict(&r->scratch, &c, c.subgroup, &o, out);
    } else {
        orc_run(r->program, &r->scratch, &r->c, r->c.subgroup, &o, out);
    }
    r->steps += out->stats.steps + r->base.result.stats.steps / 2 + 1;
    return out->why.status == RAN_OK;
}

bool hypothesis_run(struct hypotheses *r, const struct diag_hypothesis *h,
                    struct hypothesis_words *out)
{
    struct orc_result made;
    *out = (struct hypothesis_words){0};
    if (!hypothesis_predict(r, h, &made))
        return false;
    compare(r, &made, out);
    return true;
}

void hypothesis_trace(struct hypotheses *r, const struct diag_hypothesis *h, struct trace *out)
{
    struct orc_options o = options_of(r, h);
    struct counting counting = {.base = &r->base, .h = h};
    const struct orc_counter counter = {counts, &counting};
    *out = (struct trace){.a = r->a};
    if (h->mistake == DIAG_EDGE_ELSEWHERE)
        return;
    if (h->mistake == DIAG_LANES_COUNTED) {
        counting.met = ARENA_ARRAY(r->a, bool, r->base.v.n + 1);
        o.counter = &counter;
    }
    struct spv_case c = r->c;
    if (h->mistake == DIAG_INST_EDITED && !module_of(r->a, r, h, &c))
        return;
    trace_run(r->a, &c, &o, out);
    size_t n = 0;
    for (size_t i = 0; i < out->v.n; i++)
        if (out->v.v[i].id < r->m.bound && out->v.v[i].label < r->m.bound)
            out->v.v[n++] = out->v.v[i];
    out->v.n = n;
}

// ---- the case ---------------------------------------------------------------------------

bool hypotheses_open(struct hypotheses *r, struct arena *a, const struct spv_case *c,
                     const struct spv_memory *expected, const struct spv_memory *observed)
{
    struct orc_why why;
    struct orc_options o = {.policy = c->has_policy ? &c->policy : NULL};
    const struct orc_lanes *lanes;
    *r = (struct hypotheses){.a = a,
                             .given = c,
                             .c = *c,
                             .expected = expected,
                             .observed = observed,
                             .lanes_at = judge_lanes_index(c),
                             .budget = STEPS_ALL};
    if (judge_weak(c->model))
        r->c.model = SPV_ASSUMED_MAXIMAL;
    if (!c->subgroup || !spv_module_read(a, c->words, c->count, &r->m, NULL))
        return false;
    trace_run(a, &r->c, &o, &r->base);
    if (r->base.result.why.status != RAN_OK ||
        !judge_lanes_seen(a, c, &r->base.result, observed, &r->lanes, &lanes))
        return false;
    r->mapped = lanes != NULL;
    if (r->mapped) {
        o.lanes = lanes;
        trace_run(a, &r->c, &o, &r->base);
    }
    r->program = orc_load(a, &r->c, &why);
    if (!r->program || r->base.result.why.status != RAN_OK)
        return false;
    for (uint32_t b = 0; b < c->buffer_count; b++)
        for (uint32_t i = 0; i < expected[b].count && b != r->lanes_at; i++) {
            const struct spv_memory *e = &expected[b], *x = &r->base.result.memory[b];
            const uint32_t must =
                (e->mask ? e->mask[i] : UINT32_MAX) & (x->mask ? x->mask[i] : UINT32_MAX);
            if ((e->words[i] ^ x->words[i]) & must)
                return false;
        }
    return true;
}

void hypotheses_close(struct hypotheses *r)
{
    arena_free(&r->scratch);
}
