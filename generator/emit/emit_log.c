// SPDX-License-Identifier: Apache-2.0
//
// The log: an invocation's row of entries, or a digest of these entries. One variable counts the
// used words of the row, or holds the digest. It is stored to the row's first word where the
// invocation ends: going through memory for each entry costs some drivers more than the rest of the
// program.
#include "emit_parts.h"

// Returns the header of an entry. `ballots`: a bit for each value that is a set of lanes.
static uint32_t header_of(const struct gen_stmt *s)
{
    uint32_t ballots = 0;
    for (uint32_t i = 0; i < s->log.n; i++)
        ballots |= (uint32_t)(s->log.expr[i]->kind == EXPR_WORD) << i;
    return ballots << 24 | s->log.site << 8 | s->log.n;
}

// Appends an entry to the row. A mask keeps the position inside the row (row_mask), so that wrong
// code of one invocation cannot overwrite the row of another.
static void emit_entry(struct emit *e, const struct gen_stmt *s, const uint32_t *v)
{
    struct spv_writer *w = e->w;
    const uint32_t n = s->log.n, size = n + 1;
    uint32_t used = emit_load(e, e->u32, e->used_var);
    uint32_t mask = emit_const(e, e->p->row_mask);
    uint32_t at = SPV_VALUE(w, SpvOpBitwiseAnd, e->u32, used, mask);
    uint32_t index = SPV_VALUE(w, SpvOpIAdd, e->u32, e->entries, at);
    uint32_t head = emit_const(e, header_of(s));
    emit_store(e, emit_buffer_at(e, GEN_LOG, index), head);
    for (uint32_t i = 0; i < n; i++) {
        uint32_t to = SPV_VALUE(w, SpvOpIAdd, e->u32, index, emit_const(e, i + 1));
        emit_store(e, emit_buffer_at(e, GEN_LOG, to), v[i]);
    }
    const uint32_t length = emit_const(e, size), now = SPV_VALUE(w, SpvOpIAdd, e->u32, at, length);
    emit_store(e, e->used_var, now);
    if (spv_stage_row(e->p->stage)->has_helpers) // it may become a helper, whose stores have no
                                                 // effect
        emit_store(e, e->counter, now);
}

// Adds an entry to the digest. The shift brings the upper bits down: a product alone moves bits up
// only, so two entries whose highest bits are wrong would cancel.
static void emit_digest(struct emit *e, const struct gen_stmt *s, const uint32_t *v)
{
    enum { SHIFT = 15 };
    static const uint32_t factor = 0x9e3779b1; // odd, so that the product loses nothing
    struct spv_writer *w = e->w;
    const uint32_t old = emit_load(e, e->u32, e->used_var);
    uint32_t now = SPV_VALUE(w, SpvOpIAdd, e->u32, old, emit_const(e, header_of(s)));
    for (uint32_t i = 0; i < s->log.n; i++) {
        now = SPV_VALUE(w, SpvOpBitwiseXor, e->u32, now, v[i]);
        now = SPV_VALUE(w, SpvOpIMul, e->u32, now, emit_const(e, factor));
        const uint32_t down =
            SPV_VALUE(w, SpvOpShiftRightLogical, e->u32, now, emit_const(e, SHIFT));
        now = SPV_VALUE(w, SpvOpBitwiseXor, e->u32, now, down);
    }
    emit_store(e, e->used_var, now);
}

void emit_log(struct emit *e, const struct gen_stmt *s)
{
    uint32_t v[GEN_LOG_MAX];
    for (uint32_t i = 0; i < s->log.n; i++)
        v[i] = emit_expr(e, s->log.expr[i]);
    const size_t from = e->w->section[SPV_FUNCTIONS].n;
    if (e->p->digest)
        emit_digest(e, s, v);
    else
        emit_entry(e, s, v);
    emit_note_harness(e, from);
}

void emit_log_row(struct emit *e)
{
    struct spv_writer *w = e->w;
    if (e->p->digest) {
        e->counter = e->main ? emit_buffer_at(e, GEN_LOG, e->global) : 0;
        return;
    }
    const uint32_t size = emit_const(e, e->p->row_words);
    const uint32_t row = SPV_VALUE(w, SpvOpIMul, e->u32, e->global, size);
    e->counter = emit_buffer_at(e, GEN_LOG, row);
    e->entries = SPV_VALUE(w, SpvOpIAdd, e->u32, row, emit_const(e, 1));
}

void emit_log_end(struct emit *e)
{
    if (!e->main || spv_stage_row(e->p->stage)->has_helpers)
        return;
    const size_t from = e->w->section[SPV_FUNCTIONS].n;
    emit_store(e, e->counter, emit_load(e, e->u32, e->used_var));
    emit_note_harness(e, from);
}
