// SPDX-License-Identifier: Apache-2.0
//
// Chooses the reason. The evidence, best first: a single mistake with which the oracle produces all
// observed words; a ballot probe that showed the counted lanes; the compiler's change.
#include "hypothesis.h"

// ---- by observations ---------------------------------------------------------------------

static enum diag_why by_pattern(const struct diag_pattern *m)
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
        {false, false, DIAG_BEFORE_D1, DIAG_SPLIT_EARLY},
        {false, false, DIAG_BEFORE_D2, DIAG_SPLIT_EARLY},
        {false, false, DIAG_NEVER_SPLIT, DIAG_SPLIT_EARLY},
    };
    for (size_t k = 0; k < sizeof seen / sizeof *seen; k++) {
        const struct diag_lanes *l = seen[k].extra ? &m->extra : &m->missing;
        if ((seen[k].rule ? l->rules : l->ways) >> seen[k].bit & 1)
            return (enum diag_why)seen[k].why;
    }
    return DIAG_WHY_UNKNOWN;
}

// Derives which lanes an operation counts wrongly from the construct over which it moved.
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
        return c->from == DIAG_AFTER ? construct_rows[c->construct].into : DIAG_SPLIT_EARLY;
    return DIAG_WHY_UNKNOWN;
}

// The same from changes to demotes, terminations and queries of the helper status.
static enum diag_why by_stage(const struct diag_change *c)
{
    if (c->demotes < 0)
        return c->ends > 0 ? DIAG_DEMOTE_ENDS : DIAG_DEMOTE_LOST;
    if (c->demotes > 0 && c->ends < 0)
        return DIAG_END_LOST;
    if (c->queries < 0)
        return DIAG_HELPERS_ASKED;
    if (c->did == DIAG_INST_MOVED)
        return DIAG_DEMOTE_MOVED;
    // A branch on the helper status decides which lanes continue.
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
               : c->reuse == DIAG_REUSE_BY_PHI  ? construct_rows[c->construct].into
                                                : DIAG_WHY_UNKNOWN;
    case DIAG_OP_NEW:
        return c->op.opcode != SpvOpGroupNonUniformBroadcastFirst   ? DIAG_WHY_UNKNOWN
               : c->use_to == DIAG_VALUE || c->use_to == DIAG_INDEX ? DIAG_FIRST_LANE_VALUE
                                                                    : DIAG_FIRST_LANE_WAY;
    case DIAG_OP_GONE: // the code that is left does not depend on the active lanes
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

// ---- which of them ------------------------------------------------------------------------------

// Reports whether evidence for reason x also supports reason y.
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

// Returns the reasons that an engineer would investigate in the same place as `w`.
static uint64_t kinds_like(enum diag_why w)
{
    const unsigned tangles = 1u << WHY_EXTRA | 1u << WHY_MISSING | 1u << WHY_CHOSEN,
                   reads = 1u << WHY_READS, operations = reads | 1u << WHY_OPERATION;
    switch (why_rows[w].kind) {
    case WHY_EXTRA: // reading inactive lanes is a description of the same
        return whys_of(tangles | reads);
    case WHY_MISSING:
    case WHY_CHOSEN:
        return whys_of(tangles);
    case WHY_READS:
    case WHY_OPERATION:
        return whys_of(operations);
    case WHY_STAGE: // a small case that still has an image or helpers fails by them
        return UINT64_MAX;
    default:
        return ~whys_of(tangles | operations);
    }
}

// Reports whether the value is computed again in a later iteration, after some lanes have left. For
// a machine, whose code is not visible, an overwritten value is then as likely as an early split.
static bool made_again(const struct hypotheses *r, const struct diag_reason *f)
{
    for (size_t i = 0; i < r->base.v.n; i++) {
        const struct moment *m = &r->base.v.v[i];
        if (f->has_place && m->id == f->row && m->id && m->workgroup == f->workgroup &&
            m->subgroup == f->subgroup && !(m->active & ~f->tangle) && m->active != f->tangle)
            return true;
    }
    return false;
}

// Reports whether a move is evidence about the counted lanes: only for a single pass, or if probes
// show a wrong tangle. A compiler with many passes moves a lot.
static bool move_is_evidence(const struct diag_signature *s, bool observed)
{
    return !observed || s->culprit[0] || (s->probed && s->about == DIAG_ANY_OP);
}

// Reports whether an image operation's level follows from derivatives.
static bool is_implicit(const struct spv_module *m, uint32_t id)
{
    const struct spv_inst *d = spv_def(m, id);
    return d && (d->op == SpvOpImageSampleImplicitLod || d->op == SpvOpImageSampleProjImplicitLod);
}

// The same among those that are spare, or that are not.
static uint32_t best_of(const struct hypothesis_fits *k, const struct diag_signature *s, bool spare,
                        uint64_t *rivals)
{
    const enum diag_why probe = s ? by_pattern(&s->pattern) : DIAG_WHY_UNKNOWN,
                        change = s ? by_change(&s->change) : DIAG_WHY_UNKNOWN;
    uint32_t best = k->fits;
    int most = -1;
    *rivals = 0; // reasons with as much support as the best
    for (uint32_t i = 0; i < k->fits; i++) {
        const enum diag_why w = (enum diag_why)k->fit[i].why;
        const int points =
            (probe && covers(probe, w) ? 2 : 0) + (change && covers(change, w) ? 1 : 0);
        if (k->refuted[i] || k->spare[i] != spare)
            continue;
        *rivals = (points > most ? 0 : *rivals) | (points < most ? 0 : UINT64_C(1) << w);
        if (points > most ||
            (points == most && why_rows[w].rank < why_rows[k->fit[best].why].rank)) {
            most = points;
            best = i;
        }
    }
    if (best < k->fits)
        *rivals &= ~(UINT64_C(1) << k->fit[best].why);
    return best;
}

uint32_t hypothesis_best(const struct hypothesis_fits *k, const struct diag_signature *s,
                         uint64_t *rivals)
{
    const uint32_t best = best_of(k, s, false, rivals);
    return best < k->fits ? best : best_of(k, s, true, rivals);
}

enum diag_why hypothesis_change(const struct diag_signature *s, bool observed)
{
    const enum diag_why change = s ? by_change(&s->change) : DIAG_WHY_UNKNOWN;
    const bool is = change && change != DIAG_WHOLE_SUBGROUP &&
                    (!why_is_tangle(change) || move_is_evidence(s, observed));
    return is ? change : DIAG_WHY_UNKNOWN;
}

void hypothesis_choose(const struct hypothesis_fits *k, const struct diag_signature *s,
                       bool observed, struct diag_reason *out)
{
    const enum diag_why probe = s ? by_pattern(&s->pattern) : DIAG_WHY_UNKNOWN,
                        change = s ? by_change(&s->change) : DIAG_WHY_UNKNOWN,
                        alone = hypothesis_change(s, observed);
    uint64_t rivals;
    const uint32_t best = hypothesis_best(k, s, &rivals);
    if (best < k->fits) {
        *out = k->fit[best];
        out->rivals = rivals;
        for (uint32_t i = 0; i < k->fits && out->why == DIAG_ELSEWHERE; i++)
            if (i != best && !k->refuted[i] && k->fit[i].why == DIAG_ELSEWHERE)
                out->also = DIAG_ELSEWHERE;
        if (out->why == DIAG_SPLIT_EARLY && !change && !k->tested && made_again(&k->run, out))
            out->rivals |= DIAG_WHY(LATER_VALUE);
        if (out->rivals & ~kinds_like((enum diag_why)out->why)) {
            out->known = DIAG_BY_SEVERAL;
            out->has_place = false;
        }
    } else if (probe && !(k->tested && alone)) { // experiments can test a change
        *out = (struct diag_reason){.why = (uint8_t)probe, .known = DIAG_BY_PROBE};
    } else if (alone) {
        *out = (struct diag_reason){.why = (uint8_t)alone, .known = DIAG_BY_CHANGE};
    }
    if (out->known != DIAG_BY_SEVERAL)
        out->rule = (uint8_t)(out->why == DIAG_LEVEL && is_implicit(&k->run.m, out->hypothesis.at)
                                  ? DIAG_R11
                                  : why_rows[out->why].rule);
}

void hypothesis_fits_of(struct hypothesis_fits *k, struct arena *a, const struct spv_case *c,
                        const struct spv_memory *expected, const struct spv_memory *observed,
                        const struct diag_signature *s)
{
    if (!expected || !observed || !hypotheses_open(&k->run, a, c, expected, observed))
        return;
    k->run.only_defined = k->untested;
    if (k->run.m.function_count)
        hypothesis_try_all(k, s);
}

bool diag_reason(const struct spv_case *c, const struct spv_memory *expected,
                 const struct spv_memory *observed, const struct diag_signature *s,
                 struct diag_reason *out)
{
    struct arena a = {0};
    struct hypothesis_fits *k = ARENA_NEW(&a, struct hypothesis_fits);
    *out = (struct diag_reason){.why = DIAG_WHY_UNKNOWN};
    k->untested = true;
    hypothesis_fits_of(k, &a, c, expected, observed, s);
    hypothesis_choose(k, s, observed != NULL, out);
    hypotheses_close(&k->run);
    arena_free(&a);
    return out->why != DIAG_WHY_UNKNOWN;
}
