// SPDX-License-Identifier: Apache-2.0
//
// Which reason is given. In this order: a single wrong reading of the rules under which the oracle
// gives every word as it was observed; who was counted by a ballot that was probed; what the
// compiler did. What probes have shown decides which readings are asked: where other operations in
// its place are right the tangle is, and where others are wrong too it is not the operation.
#include "reason.h"

#include "reason_place.h"
#include "rows.h"

#include <string.h>

// ---- asking ------------------------------------------------------------------------------

enum { FITS = 64 };
struct asker {
    struct reader r;
    struct diag_reason fit[FITS]; // readings that give what was observed, the likelier first
    uint32_t fits;
};

static bool ask(struct asker *k, struct diag_reading h, enum diag_why why)
{
    if (k->fits == FITS || !reading_explains(&k->r, &h))
        return false;
    struct diag_reason *f = &k->fit[k->fits];
    *f = (struct diag_reason){.why = (uint8_t)why, .known = DIAG_BY_READING, .reading = h};
    reason_place(&k->r, f);
    for (uint32_t i = 0; i < k->fits; i++)
        if (k->fit[i].why == f->why ||
            (k->fit[i].reading.fault == h.fault && reading_is_counted(&h) &&
             h.at == k->fit[i].reading.at && h.counted == k->fit[i].reading.counted))
            return true; // of each kind the first, and each once
    k->fits += f->why != DIAG_WHY_UNKNOWN;
    return true;
}

// Is instruction i a place of this kind? *id: what it is called by.
static bool is_place(const struct spv_module *m, uint32_t i, enum at at, uint32_t *id)
{
    const struct spv_inst *x = &m->insts[i];
    const uint32_t b = x->op == SpvOpLabel ? m->block_of[x->result] : UINT32_MAX;
    *id = x->result;
    switch (at) {
    case HEADERS:
        return b != UINT32_MAX && m->blocks[b].merge;
    case BRANCHES:
        return b != UINT32_MAX && (m->insts[m->blocks[b].last].op == SpvOpBranchConditional ||
                                   m->insts[m->blocks[b].last].op == SpvOpSwitch);
    case OPERATIONS:
        return spv_group_find(x->op) != NULL;
    case VALUES:
        return x->result && x->type && x->op != SpvOpVariable && x->op != SpvOpUndef &&
               x->op != SpvOpAccessChain && x->op != SpvOpFunction && x->op != SpvOpFunctionCall;
    default:
        return false;
    }
}

// One place where it fits is enough.
static void ask_row(struct asker *k, const struct fault_row *row)
{
    const struct spv_module *m = &k->r.m;
    struct diag_reading h = {.fault = row->fault};
    if (row->at == EVERYWHERE)
        ask(k, h, row->why);
    for (uint32_t i = m->functions[0].first; i < m->inst_count && row->at != EVERYWHERE; i++)
        if (is_place(m, i, row->at, &h.at) && ask(k, h, row->why))
            return;
}

static void ask_rows(struct asker *k, enum about about)
{
    for (int i = 0; i < FAULT_ROWS; i++)
        if (fault_rows[i].about == about)
            ask_row(k, &fault_rows[i]);
}

static void ask_set(struct asker *k, struct diag_reading h)
{
    if (ask(k, h, DIAG_WHY_UNKNOWN))
        return;
    h.fault = ORC_FAULT_COUNTED_ALIKE;
    ask(k, h, DIAG_WHY_UNKNOWN);
}

static void ask_sets(struct asker *k, struct diag_reading h)
{
    static const enum diag_counted plain[] = {DIAG_COUNTS_BEFORE_JOIN, DIAG_COUNTS_AFTER_SPLIT,
                                              DIAG_COUNTS_EVERYBODY};
    const struct spv_module *m = &k->r.m;
    for (int s = 0; s < 3; s++) {
        h.counted = (uint8_t)plain[s];
        ask_set(k, h);
    }
    for (uint32_t b = 0; b < 2 * m->block_count; b++) {
        h.counted = b % 2 == 0 ? DIAG_COUNTS_IN_EARLIER : DIAG_COUNTS_IN_LATER;
        h.block = m->blocks[b / 2].label;
        ask_set(k, h);
    }
}

// Each operation as if it counted others. Which of several ways of saying so fits does not matter:
// what is told is who was counted.
static void ask_counted(struct asker *k, bool alone)
{
    const struct spv_module *m = &k->r.m;
    struct diag_reading h = {.fault = ORC_FAULT_COUNTED};
    for (uint32_t i = m->functions[0].first; i < m->inst_count && !alone; i++)
        if (is_place(m, i, OPERATIONS, &h.at))
            ask_sets(k, h);
    h.at = 0; // two that became one
    if (!alone)
        ask_sets(k, h);
    h.counted = DIAG_COUNTS_ALONE;
    h.block = 0;
    for (uint32_t i = m->functions[0].first; i < m->inst_count; i++)
        if (is_place(m, i, OPERATIONS, &h.at))
            ask(k, h, alone ? DIAG_ALONE_LANE : DIAG_WHY_UNKNOWN);
}

// A label of a branch is another one: a merge block, a continue target or a case of the function.
static void ask_edges(struct asker *k)
{
    const struct spv_module *m = &k->r.m;
    bool *target = ARENA_ARRAY(k->r.a, bool, m->bound);
    for (uint32_t b = 0; b < m->block_count; b++) {
        const struct spv_inst *end = &m->insts[m->blocks[b].last];
        const struct spv_inst *merge = m->blocks[b].merge ? &m->insts[m->blocks[b].merge] : NULL;
        for (uint32_t v = 0; merge && v < (merge->op == SpvOpLoopMerge ? 2 : 1); v++)
            target[merge->v[v]] = true;
        for (uint32_t v = 1; end->op == SpvOpSwitch && v < end->n; v++)
            if (end->v[v] < m->bound && m->block_of[end->v[v]] != UINT32_MAX)
                target[end->v[v]] = true;
    }
    for (uint32_t b = 0; b < m->block_count; b++) {
        const struct spv_inst *end = &m->insts[m->blocks[b].last];
        const uint32_t f = spv_function_at(m, m->blocks[b].first);
        for (uint32_t v = 0; v < end->n; v++) {
            struct diag_reading h = {.edge_from = m->blocks[b].label, .edge_was = end->v[v]};
            const bool named = h.edge_was < m->bound && m->block_of[h.edge_was] != UINT32_MAX;
            for (h.edge_is = 1; named && h.edge_is < m->bound; h.edge_is++)
                if (target[h.edge_is] && h.edge_is != h.edge_was &&
                    spv_function_at(m, m->def[h.edge_is]) == f && ask(k, h, DIAG_ELSEWHERE))
                    return;
        }
    }
}

// ---- images and helpers ------------------------------------------------------------------

// Is the descriptor that a chain leads to a sampler?
static bool is_sampler(const struct spv_module *m, uint32_t chain)
{
    const struct spv_inst *d = spv_def(m, chain), *p = d ? spv_def(m, d->type) : NULL,
                          *t = p && p->n > 1 ? spv_def(m, p->v[1]) : NULL;
    return t && t->op == SpvOpTypeSampler;
}

static enum diag_why edit_why(const struct spv_module *m, const struct diag_reading *h)
{
    const enum diag_why w = edit_rows[h->edit].why;
    return w == DIAG_OTHER_IMAGE && is_sampler(m, h->at) ? DIAG_OTHER_SAMPLER : w;
}

// Each place by itself; then, of helpers, all places of a kind.
static void ask_edits(struct asker *k)
{
    const struct spv_module *m = &k->r.m;
    struct diag_reading h[READING_EDITS];
    uint32_t places[DIAG_EDIT_COUNT] = {0};
    const uint32_t before = k->fits;
    for (uint32_t i = m->functions[0].first; i < m->inst_count; i++) {
        const uint32_t n = reading_edits(&k->r, i, h);
        for (uint32_t e = 0; e < n; e++) {
            places[h[e].edit] += edit_rows[h[e].edit].every;
            ask(k, h[e], edit_why(m, &h[e]));
        }
    }
    for (uint8_t e = 1; e < DIAG_EDIT_COUNT && k->fits == before; e++) {
        const struct diag_reading all = {.edit = e};
        if (places[e] > 1)
            ask(k, all, edit_why(m, &all));
    }
}

// ---- by what was seen of it --------------------------------------------------------------

static enum diag_why by_manner(const struct diag_manner *m)
{
    static const struct {
        bool rule, extra;
        uint8_t bit, why;
    } seen[] = {
        {false, true, DIAG_ABSENT, DIAG_ABSENT_LANES},
        {false, true, DIAG_AGAIN, DIAG_OTHER_ITERATION},
        {true, true, DIAG_M3, DIAG_LEFT_LOOP},
        {true, true, DIAG_M4, DIAG_CONTINUED},
        {true, true, DIAG_M5, DIAG_RETURNED},
        {true, true, DIAG_D2, DIAG_OTHER_CASE},
        {true, true, DIAG_M1, DIAG_OTHER_ARM},
        {false, true, DIAG_ENDED, DIAG_RETURNED},
        {true, false, DIAG_M1, DIAG_AFTER_SELECTION},
        {true, false, DIAG_M3, DIAG_AFTER_LOOP},
        {true, false, DIAG_M4, DIAG_AT_CONTINUE},
        {true, false, DIAG_M5, DIAG_AFTER_CALL},
        {false, false, DIAG_BEFORE_D1, DIAG_NOT_PARTED},
        {false, false, DIAG_BEFORE_D2, DIAG_NOT_PARTED},
        {false, false, DIAG_NEVER_APART, DIAG_NOT_PARTED},
    };
    for (size_t k = 0; k < sizeof seen / sizeof *seen; k++) {
        const struct diag_lanes *l = seen[k].extra ? &m->extra : &m->missing;
        if ((seen[k].rule ? l->rules : l->ways) >> seen[k].bit & 1)
            return (enum diag_why)seen[k].why;
    }
    return DIAG_WHY_UNKNOWN;
}

// Over which kind of construct an operation went, and so whom it counts there.
static enum diag_why by_move(const struct diag_change *c)
{
    const bool was_in = c->from == DIAG_INSIDE || c->from == DIAG_WAY_OUT;
    const bool is_in = c->to == DIAG_INSIDE || c->to == DIAG_WAY_OUT;
    if (!c->over)
        return DIAG_WHY_UNKNOWN;
    if (c->from == DIAG_WAY_OUT && c->to == DIAG_AFTER)
        return DIAG_OTHER_ITERATION;
    if (c->from == DIAG_CONTINUE)
        return is_in ? DIAG_AT_CONTINUE : DIAG_WHY_UNKNOWN;
    if (was_in && !is_in)
        return construct_rows[c->construct].out;
    if (is_in && !was_in)
        return c->from == DIAG_AFTER ? construct_rows[c->construct].behind : DIAG_NOT_PARTED;
    return DIAG_WHY_UNKNOWN;
}

// What a compiler did to demotes and ends, and to who asks for helpers.
static enum diag_why by_stage(const struct diag_change *c)
{
    if (c->demotes < 0)
        return c->ends > 0 ? DIAG_DEMOTE_ENDS : DIAG_DEMOTE_LOST;
    if (c->demotes > 0 && c->ends < 0)
        return DIAG_END_LOST;
    if (c->asks < 0)
        return DIAG_HELPERS_ASKED;
    if (c->did == DIAG_INST_MOVED)
        return DIAG_DEMOTE_MOVED;
    // Who is a helper decides who goes on.
    return c->did == DIAG_ASKED && c->opcode == SpvOpBranchConditional ? DIAG_HELPERS_SKIP
                                                                       : DIAG_WHY_UNKNOWN;
}

static enum diag_why by_change(const struct diag_change *c)
{
    const enum diag_why stage = by_stage(c);
    if (stage)
        return stage;
    switch ((enum diag_did)c->did) {
    case DIAG_COPIED:
    case DIAG_MERGED:
    case DIAG_MOVED:
        return by_move(c);
    case DIAG_REUSED:
        return c->reuse == DIAG_REUSE_IN_BRANCH ? DIAG_OTHER_ARM
               : c->reuse == DIAG_REUSE_IN_LOOP ? DIAG_LEFT_LOOP
               : c->reuse == DIAG_REUSE_BY_PHI  ? construct_rows[c->construct].behind
                                                : DIAG_WHY_UNKNOWN;
    case DIAG_OP_NEW:
        return c->op.opcode != SpvOpGroupNonUniformBroadcastFirst   ? DIAG_WHY_UNKNOWN
               : c->use_to == DIAG_VALUE || c->use_to == DIAG_INDEX ? DIAG_FIRST_LANE_VALUE
                                                                    : DIAG_FIRST_LANE_WAY;
    case DIAG_OP_GONE: // what is left does not ask who is there
        return DIAG_WHOLE_SUBGROUP;
    case DIAG_EDGE:
    case DIAG_CASE_EDGE:
        return DIAG_ELSEWHERE;
    case DIAG_STORE_LOST:
        return DIAG_VALUE_LOST;
    case DIAG_INST_GONE:
        return c->opcode == SpvOpControlBarrier ? DIAG_NO_BARRIER : DIAG_WHY_UNKNOWN;
    case DIAG_DESCRIPTOR:
        return DIAG_NOT_UNIFORM;
    case DIAG_INST_MOVED:
        return DIAG_DEMOTE_MOVED;
    case DIAG_OP_OPERAND:
        return DIAG_WRONG_OPERAND;
    case DIAG_OPERAND:
        return c->value_from == DIAG_OF_VALUE ? DIAG_WRONG_OPERAND : DIAG_WHY_UNKNOWN;
    default:
        return DIAG_WHY_UNKNOWN;
    }
}

// ---- all together --------------------------------------------------------------------------

// A value that a loop has left: of a machine, whose code is not seen.
static void ask_left(struct asker *k, enum diag_why how)
{
    for (int i = 0; i < FAULT_ROWS; i++)
        if (fault_rows[i].why == how)
            ask_row(k, &fault_rows[i]);
}

static void ask_tangle(struct asker *k)
{
    ask_counted(k, false);
    ask_rows(k, TANGLE);
}

static void ask_operation(struct asker *k)
{
    ask_rows(k, OPERATION);
    ask_counted(k, true);
}

static void ask_flow(struct asker *k)
{
    ask_rows(k, WAY);
    ask_rows(k, VALUE);
    ask_edges(k);
}

// The likelier first, by what probes and the compiler's change say. Where any operation would be
// wrong in its place, none is to blame; where it alone is, and stands where it stood, no tangle is.
static void ask_all(struct asker *k, const struct diag_signature *s)
{
    const bool probed = s && s->probed;
    const uint8_t did = s ? s->change.did : DIAG_DID_NOTHING;
    // Of a machine's code nothing is known; a compiler's module has values of its own for each
    // lane.
    const bool machine = !s || (!did && !s->change.loops && !s->change.switches && !s->change.ifs);
    const bool moved =
        did == DIAG_COPIED || did == DIAG_MERGED || did == DIAG_MOVED || did == DIAG_REUSED;
    ask_edits(k);
    if (machine && (!probed || s->about != DIAG_THE_OP))
        ask_left(k, DIAG_LATER_VALUE);
    if (probed && s->about == DIAG_ANY_OP) {
        ask_tangle(k);
    } else if (probed && s->about == DIAG_THE_OP && !moved) {
        ask_operation(k);
        if (did)
            ask_flow(k);
    } else if (probed && !moved) {
        ask_flow(k);
        ask_operation(k);
        ask_tangle(k);
    } else if (did == DIAG_OP_GONE) {
        ask_operation(k);
        ask_tangle(k);
        ask_flow(k);
    } else {
        ask_tangle(k);
        if (moved && k->fits)
            return; // that it stands elsewhere is seen
        ask_flow(k);
        ask_operation(k);
    }
    if (!k->fits)
        ask_left(k, DIAG_VALUE_LOST); // zeros are common: where nothing else fits
}

// Does one say what the other says, or less?
static bool covers(enum diag_why x, enum diag_why y)
{
    return x == y || why_rows[x].covers >> y & 1;
}

static uint64_t whys_of(unsigned kinds)
{
    uint64_t set = 0;
    for (int w = 0; w < DIAG_WHY_COUNT; w++)
        set |= (uint64_t)(kinds >> why_rows[w].kind & 1) << w;
    return set;
}

// Kinds of reasons that a reader would look for in different places.
static uint64_t kinds_like(enum diag_why w)
{
    const unsigned tangles = 1u << WHY_EXTRA | 1u << WHY_MISSING | 1u << WHY_CHOSEN,
                   reads = 1u << WHY_READS, operations = reads | 1u << WHY_OPERATION;
    switch (why_rows[w].kind) {
    case WHY_EXTRA: // that an operation reads lanes which are not there says so, too
        return whys_of(tangles | reads);
    case WHY_MISSING:
    case WHY_CHOSEN:
        return whys_of(tangles);
    case WHY_READS:
    case WHY_OPERATION:
        return whys_of(operations);
    case WHY_STAGE: // what still has an image or helpers when it is small is wrong by them
        return UINT64_MAX;
    default:
        return ~whys_of(tangles | operations);
    }
}

// Is the value made again in a later iteration, when those who hold it have left? Of a machine
// whose code nobody sees that is as likely as that it parts nobody knows why.
static bool made_again(const struct reader *r, const struct diag_reason *f)
{
    for (size_t i = 0; i < r->base.v.n; i++) {
        const struct moment *m = &r->base.v.v[i];
        if (f->has_place && m->id == f->row && m->id && m->workgroup == f->workgroup &&
            m->subgroup == f->subgroup && !(m->active & ~f->tangle) && m->active != f->tangle)
            return true;
    }
    return false;
}

// Where an operation went says which lanes it counts only of a single pass, or where probes say
// that the tangle is wrong: a compiler of many passes moves much.
static bool move_tells(const struct diag_signature *s, bool observed)
{
    return !observed || s->culprit[0] || (s->probed && s->about == DIAG_ANY_OP);
}

// Does its level follow from derivatives?
static bool is_implicit(const struct spv_module *m, uint32_t id)
{
    const struct spv_inst *d = spv_def(m, id);
    return d && (d->op == SpvOpImageSampleImplicitLod || d->op == SpvOpImageSampleProjImplicitLod);
}

// Chooses among the readings that fit: the one that a probe agrees with, else the compiler's
// change, else the first.
static void choose(const struct asker *k, const struct diag_signature *s, bool observed,
                   struct diag_reason *out)
{
    const enum diag_why probe = s ? by_manner(&s->manner) : DIAG_WHY_UNKNOWN,
                        change = s ? by_change(&s->change) : DIAG_WHY_UNKNOWN;
    const struct diag_reason *best = NULL;
    int most = -1;
    uint64_t equal = 0; // those that nothing speaks against more than against the best
    for (uint32_t i = 0; i < k->fits; i++) {
        const enum diag_why w = (enum diag_why)k->fit[i].why;
        const int points =
            (probe && covers(probe, w) ? 2 : 0) + (change && covers(change, w) ? 1 : 0);
        equal = (points > most ? 0 : equal) | (points < most ? 0 : UINT64_C(1) << w);
        if (points > most || (points == most && why_rows[w].rank < why_rows[best->why].rank)) {
            most = points;
            best = &k->fit[i];
        }
    }
    if (best) {
        *out = *best;
        out->rivals = equal & ~(UINT64_C(1) << best->why);
        if (out->why == DIAG_NOT_PARTED && !change && made_again(&k->r, out))
            out->rivals |= DIAG_WHY(LATER_VALUE);
        if (out->rivals & ~kinds_like((enum diag_why)out->why)) {
            out->known = DIAG_BY_SEVERAL;
            out->has_place = false;
        }
    } else if (probe) {
        *out = (struct diag_reason){.why = (uint8_t)probe, .known = DIAG_BY_PROBE};
    } else if (change && change != DIAG_WHOLE_SUBGROUP &&
               (!why_is_tangle(change) || move_tells(s, observed))) {
        *out = (struct diag_reason){.why = (uint8_t)change, .known = DIAG_BY_CHANGE};
    }
    if (out->known != DIAG_BY_SEVERAL)
        out->rule = (uint8_t)(out->why == DIAG_LEVEL && is_implicit(&k->r.m, out->reading.at)
                                  ? DIAG_R11
                                  : why_rows[out->why].rule);
}

bool diag_reason(const struct spv_case *c, const struct spv_memory *expected,
                 const struct spv_memory *observed, const struct diag_signature *s,
                 struct diag_reason *out)
{
    struct arena a = {0};
    struct asker *k = ARENA_NEW(&a, struct asker);
    *out = (struct diag_reason){.why = DIAG_WHY_UNKNOWN};
    if (expected && observed && reader_open(&k->r, &a, c, expected, observed) &&
        k->r.m.function_count)
        ask_all(k, s);
    choose(k, s, observed != NULL, out);
    reader_close(&k->r);
    arena_free(&a);
    return out->why != DIAG_WHY_UNKNOWN;
}
