// SPDX-License-Identifier: Apache-2.0
//
// Where no hypothesis survives: finds the first instruction that returns a wrong result from right
// operands. A program that records its result and its operands is run on the target, and then the
// same for control programs. Each wrong word must follow from the recorded result by the rules.
#include "experiment_parts.h"
#include "probe_record.h"

#include <string.h>

enum {
    PLACES = 40,    // instructions at most: a case with more is not reduced
    CONFIRMED = 2,  // control programs on which it must be wrong again
    WANTED = 4,     // ... and on which the search ends
    NOT_SHOWN = 16, // programs at most on which the result is right
};

struct search {
    struct arena *a;
    const struct spv_case *c;
    const struct experiment_target *t;
    struct spv_module m;
    struct trace base;
    uint32_t asked, most; // runs of the target; the limit
};

// What the record of a program shows.
enum shows {
    SHOWS_NOTHING, // not run, or no memory to compare
    SHOWS_RIGHT,   // all memory is right
    SHOWS_RESULT,  // the result is wrong, its operands are right, and all else follows from it
    SHOWS_ELSE,    // anything else is wrong
};
struct shown {
    uint32_t invocations;           // of the dispatch
    uint32_t operands;              // that were recorded
    uint32_t invocation, component; // of the first wrong result
    uint64_t expected, observed;
    bool *wrong; // [invocation]
};

// ---- one program ---------------------------------------------------------------------------

static uint32_t must_of(const struct spv_memory *e, const struct spv_memory *o, uint32_t i)
{
    return (e->mask ? e->mask[i] : UINT32_MAX) & (o->mask ? o->mask[i] : UINT32_MAX);
}

// Compares all memory but the record, the first buffer, and the lane mapping.
static bool same(const struct spv_case *c, const struct spv_memory *e, const struct spv_memory *o)
{
    const uint32_t lanes = judge_lanes_index(c);
    for (uint32_t b = 1; b < c->buffer_count; b++)
        for (uint32_t i = 0; i < e[b].count && i < o[b].count && b != lanes; i++)
            if ((e[b].words[i] ^ o[b].words[i]) & must_of(&e[b], &o[b], i))
                return false;
    return true;
}

// Reports whether word `i` of the record is wrong.
static bool is_wrong(const struct probe_record *p, const struct spv_memory *e,
                     const struct spv_memory *o, uint32_t i)
{
    const uint32_t must = must_of(e, o, i), x = e->words[i] & must, y = o->words[i] & must;
    return p->truth[i % p->words] ? !x != !y : x != y;
}

// Reports whether the memory after the record follows by the rules if the instruction returns what
// was recorded.
static bool follows(struct arena *a, const struct spv_case *c, const struct probe_record *p,
                    const uint32_t *words, const struct experiment_answer *x)
{
    struct spv_case given;
    struct orc_result made;
    struct orc_options o = {.policy = x->chose ? &x->policy : c->has_policy ? &c->policy : NULL};
    if (!probe_given(a, c, p, words, &given))
        return false;
    if (judge_weak(given.model))
        given.model = SPV_ASSUMED_MAXIMAL;
    orc_predict(a, &given, c->subgroup, &o, &made);
    const uint32_t lanes = judge_lanes_index(&given);
    for (uint32_t b = 1; made.why.status == RAN_OK && b < given.buffer_count; b++)
        for (uint32_t i = 0; i < x->expected[b].count && b != lanes; i++) {
            const uint32_t must = must_of(&x->expected[b], &x->observed[b], i);
            const uint32_t *mask = made.memory[b].mask;
            if ((made.memory[b].words[i] ^ x->observed[b].words[i]) & must ||
                (mask && must & ~mask[i]))
                return false;
        }
    return made.why.status == RAN_OK;
}

// Reports whether invocation i of a workgroup is lane i % size of subgroup i / size.
static bool plain_lanes(struct search *k, const struct spv_case *c,
                        const struct experiment_answer *x)
{
    struct orc_options o = {.policy = c->has_policy ? &c->policy : NULL};
    struct orc_result made;
    struct orc_lanes room;
    const struct orc_lanes *lanes = NULL;
    if (judge_lanes_index(c) == UINT32_MAX)
        return true;
    orc_predict(k->a, c, c->subgroup, &o, &made);
    return judge_lanes_seen(k->a, c, &made, x->observed, &room, &lanes) && !lanes;
}

// Fills the first wrong component of a result.
static void first_wrong(const struct search *k, const struct probe_record *p,
                        const struct spv_memory *e, const struct spv_memory *o, struct shown *out)
{
    const struct spv_inst *d = spv_def(&k->m, p->id), *t = spv_def(&k->m, d->type);
    const uint32_t parts = t->op == SpvOpTypeVector ? t->v[1] : 1, each = p->result_words / parts;
    for (uint32_t n = 0; n < p->invocations; n++)
        for (uint32_t i = 0; i < parts; i++) {
            const uint32_t at = n * p->words + 1 + i * each;
            bool differs = false;
            for (uint32_t w = 0; w < each; w++)
                differs |= is_wrong(p, e, o, at + w);
            out->wrong[n] |= differs;
            if (!differs || out->expected != out->observed)
                continue;
            out->invocation = n;
            out->component = i;
            out->expected = e->words[at] | (each > 1 ? (uint64_t)e->words[at + 1] << 32 : 0);
            out->observed = o->words[at] | (each > 1 ? (uint64_t)o->words[at + 1] << 32 : 0);
        }
}

struct spot {
    uint32_t id, label; // label 0: where it is computed
};

// Runs a case with a record of an instruction's result, or of its value at the start of a block.
static enum shows ask(struct search *k, const struct spv_case *c, struct spot at, struct shown *out)
{
    struct spv_case with;
    struct probe_record p;
    struct experiment_answer x;
    if (!probe_record(k->a, c, at.id, at.label, &p, &with) ||
        !k->t->ask(k->t->user, k->a, &with, &x))
        return SHOWS_NOTHING;
    k->asked++;
    if (!x.expected || !x.observed || !plain_lanes(k, &with, &x))
        return SHOWS_NOTHING;
    const struct spv_memory *e = &x.expected[0], *o = &x.observed[0];
    *out = (struct shown){.invocations = p.invocations,
                          .operands = p.operands,
                          .wrong = ARENA_ARRAY(k->a, bool, p.invocations)};
    for (uint32_t i = 0; i < p.invocations * p.words; i++)
        if ((i % p.words == 0 || i % p.words > p.result_words) && is_wrong(&p, e, o, i))
            return SHOWS_ELSE; // an operand, or the number of executions
    first_wrong(k, &p, e, o, out);
    if (out->expected == out->observed)
        return same(&with, x.expected, x.observed) ? SHOWS_RIGHT : SHOWS_ELSE;
    return follows(k->a, c, &p, o->words, &x) ? SHOWS_RESULT : SHOWS_ELSE;
}

// ---- the instruction -----------------------------------------------------------------------

// Reports whether each invocation executes the block at most once, and one does.
static bool once(const struct search *k, uint32_t label)
{
    bool some = false;
    for (size_t i = 0; i < k->base.v.n; i++) {
        const struct moment *x = &k->base.v.v[i];
        if (x->id || x->label != label)
            continue;
        some = true;
        for (size_t j = 0; j < i; j++) {
            const struct moment *y = &k->base.v.v[j];
            if (!y->id && y->label == label && trace_same_place(x, y) && (x->active & y->active))
                return false;
        }
    }
    return some;
}

static uint32_t label_at(const struct spv_module *m, uint32_t i)
{
    const uint32_t b = spv_block_at(m, i);
    return b == SPV_NO_BLOCK ? 0 : m->blocks[b].label;
}

struct places {
    struct spot v[PLACES];
    uint32_t n;
};

static void add(struct places *all, uint32_t id, uint32_t label)
{
    for (uint32_t i = 0; i < all->n && i < PLACES; i++)
        if (all->v[i].id == id && all->v[i].label == label)
            return;
    if (all->n < PLACES)
        all->v[all->n] = (struct spot){id, label};
    all->n++; // too many: none is tried
}

// Adds the values that instruction `i` uses from other blocks.
static void add_uses(const struct search *k, uint32_t i, uint32_t label, struct places *all)
{
    const struct spv_inst *x = &k->m.insts[i];
    uint16_t at[64];
    uint32_t rest;
    const uint32_t n =
        x->n <= 64 && x->op != SpvOpPhi ? spv_operand_ids(x->op, x->v, x->n, 1, at, &rest) : 0;
    for (uint32_t o = 0; o < n; o++) {
        const uint32_t d = x->v[at[o]] < k->m.bound ? k->m.def[x->v[at[o]]] : UINT32_MAX;
        const uint32_t from = d == UINT32_MAX ? 0 : label_at(&k->m, d);
        if (from && from != label && probe_records(&k->m, d))
            add(all, x->v[at[o]], label);
    }
}

// Finds the first instruction, in the order of the module, whose result is wrong; else the first
// value that is right where it is computed and wrong at the start of a block that uses it.
static bool find(struct search *k, struct shown *out, struct spot *found)
{
    struct places all = {.n = 0};
    for (int uses = 0; uses < 2; uses++)
        for (uint32_t i = k->m.functions[0].first; i < k->m.inst_count; i++) {
            const uint32_t label = label_at(&k->m, i);
            if (!label || !once(k, label))
                continue;
            if (uses)
                add_uses(k, i, label, &all);
            else if (probe_records(&k->m, i))
                add(&all, k->m.insts[i].result, 0);
        }
    for (uint32_t i = 0; i < all.n && all.n <= PLACES && k->asked < k->most; i++)
        if (ask(k, k->c, all.v[i], out) == SHOWS_RESULT) {
            *found = all.v[i];
            return true;
        }
    return false;
}

// ---- control programs ------------------------------------------------------------------------

// Reports whether the change is one of the instruction itself: then it is another instruction. Or
// of what is stored: that is another use of a result, which a compiler may compute without it.
static bool is_another(const struct search *k, const struct diag_tweak *t, uint32_t id)
{
    return (t->opcode == SpvOpStore && t->kind == DIAG_TWEAK_COMPLEMENT) ||
           (t->at == k->m.def[id] && (t->kind == DIAG_TWEAK_OPCODE || t->kind == DIAG_TWEAK_FORM ||
                                      t->kind == DIAG_TWEAK_GONE));
}

static enum shows ask_changed(struct search *k, const struct diag_tweak *t, struct spot at,
                              struct shown *s)
{
    struct spv_case c;
    return is_another(k, t, at.id) || !tweak_apply(k->a, k->c, &k->m, t, &c) ? SHOWS_NOTHING
                                                                             : ask(k, &c, at, s);
}

// Asks about control programs. False if one refutes it, or too few confirm it.
static bool confirm(struct search *k, struct spot at, struct diag_reason *out)
{
    struct tweaks all;
    enum { WITHOUT, KINDS, OTHERS, ROUNDS };
    bool kind[DIAG_TWEAK_COUNT] = {false};
    uint32_t right = 0;
    tweaks_of(k->a, k->c, &k->m, false, &all);
    bool *asked = ARENA_ARRAY(k->a, bool, all.n + 1);
    // First those without an operation, then one of each kind of change, then the others.
    for (int round = 0; round < ROUNDS; round++)
        for (size_t i = 0; i < all.n; i++) {
            const struct diag_tweak *t = &all.v[i];
            struct shown s;
            if (asked[i] || (round == WITHOUT && t->kind != DIAG_TWEAK_GONE) ||
                (round == KINDS && kind[t->kind]) ||
                (round != WITHOUT && out->confirmed >= WANTED) || right >= NOT_SHOWN ||
                out->controls == DIAG_CONTROLS || k->asked >= k->most ||
                (k->t->stop && k->t->stop(k->t->stop_user)))
                continue;
            const enum shows x = ask_changed(k, t, at, &s);
            asked[i] = true;
            if (x == SHOWS_ELSE)
                return false;
            if (x == SHOWS_NOTHING)
                continue;
            kind[t->kind] = true;
            right += x == SHOWS_RIGHT;
            struct diag_control *to = &out->control[out->controls++];
            *to = (struct diag_control){.tweak = *t, .wrong = x == SHOWS_RESULT};
            if (x == SHOWS_RESULT) {
                to->expected = (uint32_t)s.expected;
                to->observed = to->predicted = (uint32_t)s.observed;
                // The first one is shown.
                const struct diag_control first = out->control[out->confirmed];
                out->control[out->confirmed++] = *to;
                if (&out->control[out->confirmed - 1] != to)
                    *to = first;
            }
        }
    return out->confirmed >= CONFIRMED;
}

// ---- all of it ---------------------------------------------------------------------------------

// A ballot of `true` shows the lanes that it counts: fills them for the lane, and whether the extra
// ones execute it at another time.
static void counted_lanes(const struct search *k, const struct shown *s, struct diag_reason *out)
{
    const struct spv_inst *d = spv_def(&k->m, out->op);
    const struct spv_inst *of = d->n > 1 ? spv_def(&k->m, d->v[1]) : NULL;
    lane_mask ever = 0;
    if (d->op != SpvOpGroupNonUniformBallot || !of || of->op != SpvOpConstantTrue || s->component)
        return;
    out->tangle = (lane_mask)s->expected;
    out->counted = (lane_mask)s->observed;
    for (size_t i = 0; i < k->base.v.n; i++)
        if (k->base.v.v[i].id == out->op && k->base.v.v[i].workgroup == out->workgroup &&
            k->base.v.v[i].subgroup == out->subgroup)
            ever |= k->base.v.v[i].active;
    if (out->counted & ~out->tangle && !(out->counted & ~ever))
        out->also = DIAG_OTHER_ITERATION;
}

// Fills the place: the first wrong invocation, and the lanes of its subgroup that are wrong.
static void place(const struct search *k, struct spot at, const struct shown *s,
                  struct diag_reason *out)
{
    const uint32_t group = s->invocations / k->c->groups[0], lanes = k->c->subgroup;
    out->has_place = true;
    out->op = at.id;
    out->other = at.label;
    out->label = at.label ? at.label : label_at(&k->m, k->m.def[at.id]);
    out->workgroup = s->invocation / group;
    out->subgroup = s->invocation % group / lanes;
    out->lane = s->invocation % group % lanes;
    for (uint32_t l = 0; l < lanes; l++) {
        const uint32_t n = out->workgroup * group + out->subgroup * lanes + l;
        if (out->subgroup * lanes + l < group && s->wrong[n])
            out->wrong |= lane_bit(l);
    }
    out->own = s->component;
    out->later = s->operands;
    out->own_value = s->expected;
    out->later_value = s->observed;
    counted_lanes(k, s, out);
}

static bool start(struct search *k)
{
    struct orc_options o = {.policy = k->c->has_policy ? &k->c->policy : NULL};
    if (!spv_stage_row(k->c->stage)->has_workgroups || !k->c->subgroup ||
        !spv_module_read(k->a, k->c->words, k->c->count, &k->m, NULL) || !k->m.function_count)
        return false;
    trace_run(k->a, k->c, &o, &k->base);
    return k->base.result.why.status == RAN_OK;
}

void experiment_result(const struct spv_case *c, const struct experiment_target *t, uint32_t runs,
                       struct diag_reason *out)
{
    struct arena a = {0};
    struct search k = {.a = &a, .c = c, .t = t, .most = runs};
    struct shown s;
    struct diag_reason r = {.why = DIAG_WRONG_RESULT, .known = DIAG_BY_RECORD};
    struct spot at;
    if (start(&k) && find(&k, &s, &at)) {
        place(&k, at, &s, &r);
        k.asked = 0;
        if (confirm(&k, at, &r)) {
            r.asked = r.controls;
            *out = r;
        }
    }
    arena_free(&a);
}

enum experiment_drawn experiment_result_draw(const struct spv_case *c, const struct diag_reason *r,
                                             const struct diag_tweak *tweak,
                                             const struct experiment_target *t,
                                             struct diag_control *out)
{
    struct arena a = {0};
    struct search k = {.a = &a, .c = c, .t = t, .most = 1};
    struct shown s = {0};
    const enum shows x =
        start(&k) ? ask_changed(&k, tweak, (struct spot){r->op, r->other}, &s) : SHOWS_NOTHING;
    *out = (struct diag_control){.tweak = *tweak,
                                 .expected = (uint32_t)s.expected,
                                 .observed = (uint32_t)s.observed,
                                 .wrong = x == SHOWS_RESULT};
    arena_free(&a);
    return x == SHOWS_RESULT  ? EXPERIMENT_AGREES
           : x == SHOWS_RIGHT ? EXPERIMENT_NARROW
           : x == SHOWS_ELSE  ? EXPERIMENT_REFUTED
                              : EXPERIMENT_NONE;
}
