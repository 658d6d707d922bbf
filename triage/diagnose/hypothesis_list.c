// SPDX-License-Identifier: Apache-2.0
//
// All hypotheses that are tried for a case, in order. The probes decide which: if other operations
// in its place are right, the tangle is right; if others are wrong too, the operation is not at
// fault.
#include "hypothesis.h"

// ---- a hypothesis at each of its places ---------------------------------------------------------

static bool try(struct hypothesis_fits *k, struct diag_hypothesis h, enum diag_why why)
{
    struct hypothesis_words words;
    if (k->fits == HYPOTHESIS_FITS || !hypothesis_run(&k->run, &h, &words) ||
        !hypothesis_explains(&words))
        return false;
    struct diag_reason *f = &k->fit[k->fits];
    *f = (struct diag_reason){.why = (uint8_t)why, .known = DIAG_BY_HYPOTHESIS, .hypothesis = h};
    hypothesis_place(&k->run, f);
    uint32_t same_kind = 0; // of its kind
    bool spare = false;
    for (uint32_t i = 0; i < k->fits; i++) {
        const struct diag_hypothesis *x = &k->fit[i].hypothesis;
        same_kind += k->fit[i].why == f->why;
        spare |=
            k->fit[i].why == f->why || (x->fault == h.fault && h.mistake == DIAG_LANES_COUNTED &&
                                        h.at == x->at && h.counted == x->counted);
    }
    k->spare[k->fits] = spare;
    k->fits += f->why != DIAG_WHY_UNKNOWN && same_kind < HYPOTHESIS_PER_KIND;
    return true;
}

// Reports whether instruction i is a place of this kind. *id: the id that names it.
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
    case ATOMICS:
        return x->result && spv_op_class(x->op) == SPV_CLASS_ATOMIC;
    case VALUES:
        return x->result && x->type && x->op != SpvOpVariable && x->op != SpvOpUndef &&
               x->op != SpvOpAccessChain && x->op != SpvOpFunction && x->op != SpvOpFunctionCall;
    default:
        return false;
    }
}

static void try_fault(struct hypothesis_fits *k, const struct fault_row *row)
{
    const struct spv_module *m = &k->run.m;
    struct diag_hypothesis h = {.mistake = DIAG_RULE_BROKEN, .fault = row->fault};
    if (row->at == EVERYWHERE)
        try(k, h, row->why);
    for (uint32_t i = m->functions[0].first; i < m->inst_count && row->at != EVERYWHERE; i++)
        if (is_place(m, i, row->at, &h.at))
            try(k, h, row->why);
}

static void try_faults(struct hypothesis_fits *k, enum about about)
{
    for (int i = 0; i < FAULT_ROWS; i++)
        if (fault_rows[i].about == about)
            try_fault(k, &fault_rows[i]);
}

static void try_set(struct hypothesis_fits *k, struct diag_hypothesis h)
{
    if (try(k, h, DIAG_WHY_UNKNOWN))
        return;
    h.fault = ORC_FAULT_COUNTED_SAME;
    try(k, h, DIAG_WHY_UNKNOWN);
}

static void try_sets(struct hypothesis_fits *k, struct diag_hypothesis h)
{
    static const enum diag_counted plain[] = {DIAG_COUNTS_BEFORE_JOIN, DIAG_COUNTS_AFTER_SPLIT,
                                              DIAG_COUNTS_EVERYBODY};
    const struct spv_module *m = &k->run.m;
    for (int s = 0; s < 3; s++) {
        h.counted = (uint8_t)plain[s];
        try_set(k, h);
    }
    for (uint32_t b = 0; b < 2 * m->block_count; b++) {
        h.counted = b % 2 == 0 ? DIAG_COUNTS_IN_EARLIER : DIAG_COUNTS_IN_LATER;
        h.block = m->blocks[b / 2].label;
        try_set(k, h);
    }
}

// Tries each operation with other counted lanes. Several descriptions may fit; only the resulting
// set of lanes is reported.
static void try_counted(struct hypothesis_fits *k, bool alone)
{
    const struct spv_module *m = &k->run.m;
    struct diag_hypothesis h = {.mistake = DIAG_LANES_COUNTED, .fault = ORC_FAULT_COUNTED};
    for (uint32_t i = m->functions[0].first; i < m->inst_count && !alone; i++)
        if (is_place(m, i, OPERATIONS, &h.at))
            try_sets(k, h);
    h.at = 0; // two operations that were merged
    if (!alone)
        try_sets(k, h);
    h.counted = DIAG_COUNTS_ALONE;
    h.block = 0;
    for (uint32_t i = m->functions[0].first; i < m->inst_count; i++)
        if (is_place(m, i, OPERATIONS, &h.at))
            try(k, h, alone ? DIAG_ALONE_LANE : DIAG_WHY_UNKNOWN);
}

// Replaces a label of a branch: by a merge block, a continue target or a case of the function.
static void try_edges(struct hypothesis_fits *k)
{
    const struct spv_module *m = &k->run.m;
    bool *target = ARENA_ARRAY(k->run.a, bool, m->bound);
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
            struct diag_hypothesis h = {.mistake = DIAG_EDGE_ELSEWHERE,
                                        .edge_from = m->blocks[b].label,
                                        .edge_was = end->v[v]};
            const bool named = h.edge_was < m->bound && m->block_of[h.edge_was] != UINT32_MAX;
            for (h.edge_is = 1; named && h.edge_is < m->bound; h.edge_is++)
                if (target[h.edge_is] && h.edge_is != h.edge_was &&
                    spv_function_at(m, m->def[h.edge_is]) == f)
                    try(k, h, DIAG_ELSEWHERE);
        }
    }
}

// ---- images and helpers ------------------------------------------------------------------

// Reports whether a chain leads to a sampler.
static bool is_sampler(const struct spv_module *m, uint32_t chain)
{
    const struct spv_inst *d = spv_def(m, chain), *p = d ? spv_def(m, d->type) : NULL,
                          *t = p && p->n > 1 ? spv_def(m, p->v[1]) : NULL;
    return t && t->op == SpvOpTypeSampler;
}

static enum diag_why edit_why(const struct spv_module *m, const struct diag_hypothesis *h)
{
    const enum diag_why w = edit_rows[h->edit].why;
    return w == DIAG_OTHER_IMAGE && is_sampler(m, h->at) ? DIAG_OTHER_SAMPLER : w;
}

// Tries each place by itself; then, for helpers, all places of a kind together.
static void try_edits(struct hypothesis_fits *k)
{
    const struct spv_module *m = &k->run.m;
    struct edit_list h;
    uint32_t places[DIAG_EDIT_COUNT] = {0};
    const uint32_t before = k->fits;
    for (uint32_t i = m->functions[0].first; i < m->inst_count; i++) {
        hypothesis_edits(&k->run, i, &h);
        for (uint32_t e = 0; e < h.n; e++) {
            places[h.v[e].edit] += edit_rows[h.v[e].edit].every;
            try(k, h.v[e], edit_why(m, &h.v[e]));
        }
    }
    for (uint8_t e = 1; e < DIAG_EDIT_COUNT && k->fits == before; e++) {
        const struct diag_hypothesis all = {.mistake = DIAG_INST_EDITED, .edit = e};
        if (places[e] > 1)
            try(k, all, edit_why(m, &all));
    }
}

// ---- order -------------------------------------------------------------------------------------

// Tries the faults about values of lanes that have left a loop.
static void try_left(struct hypothesis_fits *k)
{
    for (int i = 0; i < FAULT_ROWS; i++)
        if (fault_rows[i].why == DIAG_LATER_VALUE || fault_rows[i].why == DIAG_CLEARED)
            try_fault(k, &fault_rows[i]);
}

static void try_tangle(struct hypothesis_fits *k)
{
    try_counted(k, false);
    try_faults(k, TANGLE);
}

static void try_operation(struct hypothesis_fits *k)
{
    try_faults(k, OPERATION);
    try_counted(k, true);
}

static void try_flow(struct hypothesis_fits *k)
{
    try_faults(k, WAY);
    try_faults(k, VALUE);
    try_edges(k);
}

// Tries the likelier hypotheses first, according to probes and the compiler's change. If any
// operation would be wrong in its place, no operation is at fault. If only the operation is wrong
// and it did not move, no tangle is.
void hypothesis_try_all(struct hypothesis_fits *k, const struct diag_signature *s)
{
    const bool probed = s && s->probed;
    const uint8_t did = s ? s->change.did : DIAG_DID_NOTHING;
    // The code of a machine is not visible. A compiler's module has separate values for each lane,
    // so no value of a later iteration.
    const bool machine = !s || (!did && !s->change.loops && !s->change.switches && !s->change.ifs);
    const bool moved =
        did == DIAG_COPIED || did == DIAG_MERGED || did == DIAG_MOVED || did == DIAG_REUSED;
    try_edits(k);
    if (machine && (!probed || s->about != DIAG_THE_OP))
        try_left(k);
    if (probed && s->about == DIAG_ANY_OP) {
        try_tangle(k);
    } else if (probed && s->about == DIAG_THE_OP && !moved) {
        try_operation(k);
        if (did)
            try_flow(k);
    } else if (probed && !moved) {
        try_flow(k);
        try_operation(k);
        try_tangle(k);
    } else if (did == DIAG_OP_GONE) {
        try_operation(k);
        try_tangle(k);
        try_flow(k);
    } else {
        try_tangle(k);
        if (moved && k->fits)
            return; // the move is visible
        try_flow(k);
        try_operation(k);
    }
    if (!k->fits)
        try_faults(k, LEFT); // zeros are common: only if nothing else fits
}
