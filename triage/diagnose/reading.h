// SPDX-License-Identifier: Apache-2.0
//
// Hypotheses about a wrong memory, each a run of the oracle: reading.c runs one and compares,
// reading_sets.c says whom an operation would count. Private to the room.
#ifndef TF_DIAGNOSE_READING_H
#define TF_DIAGNOSE_READING_H

#include "reason.h"
#include "spirv/spirv_flow.h"
#include "trace.h"

struct reader {
    struct arena *a;      // kept
    struct arena scratch; // of one run
    const struct spv_case *given;
    struct spv_case c; // judged as if it reconverged maximally
    const struct spv_memory *expected, *observed;
    uint32_t lanes_at; // the buffer of the lane mapping, UINT32_MAX for none
    struct spv_module m;
    struct orc_program *program;
    struct orc_lanes lanes;
    bool mapped; // `lanes` holds
    struct trace base;
    uint64_t steps, budget; // instructions, of all runs so far and at most
};
// False where the case cannot be run, or what is right by the oracle is not `expected`.
bool reader_open(struct reader *r, struct arena *a, const struct spv_case *c,
                 const struct spv_memory *expected, const struct spv_memory *observed);
void reader_close(struct reader *r);

static inline bool reading_is_counted(const struct diag_reading *h)
{
    return h->fault == ORC_FAULT_COUNTED || h->fault == ORC_FAULT_COUNTED_ALIKE;
}
// Is it a module of its own?
static inline bool reading_is_module(const struct diag_reading *h)
{
    return h->edge_from || h->edit;
}
// The module of an edit (reading_edit.c), in `a`; false where there is no such place. *places: how
// many there were.
bool reading_edit(struct arena *a, const struct reader *r, const struct diag_reading *h,
                  struct spv_case *out, uint32_t *places);
// Edits to ask about instruction i: `value` is theirs, `at` i's. At most READING_EDITS.
enum { READING_EDITS = 40 };
uint32_t reading_edits(const struct reader *r, uint32_t i, struct diag_reading out[READING_EDITS]);
// Does the reading give each bit that is expected and has a value as it was observed, a wrong one
// among them?
bool reading_explains(struct reader *r, const struct diag_reading *h);
// The reading's run as a list of moments, in r->a, those of what an edit put in left out. Nothing
// for an edge that goes elsewhere.
void reading_trace(struct reader *r, const struct diag_reading *h, struct trace *out);

// Whom lane `lane` of the operation at moment `at` would count.
lane_mask reading_counts(const struct trace *t, size_t at, uint32_t lane,
                         const struct diag_reading *h);
// The next moment of the operation at or after `from` in the same place, with these lanes;
// SIZE_MAX.
size_t reading_moment(const struct trace *t, uint32_t workgroup, uint32_t subgroup, uint32_t id,
                      lane_mask active, size_t from);

#endif
