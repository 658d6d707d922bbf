// SPDX-License-Identifier: Apache-2.0
//
// Where an instruction stands in the structure of its module, statically: which
// constructs are around it and what it stands behind. Private to the room.
#ifndef TF_TRIAGE_CONSTRUCT_H
#define TF_TRIAGE_CONSTRUCT_H

#include "triage.h"

// Blocks of one function as a graph. Indices are those of m->blocks.
struct graph {
    const struct spv_module *m;
    const struct spv_function *f;
    uint32_t first, n;     // blocks first .. first+n-1
    uint32_t *idom;        // [block - first]: index relative to first, UINT32_MAX: not reached
    uint32_t *order;       // reverse post-order of the reached blocks, relative indices
    uint32_t reached;
    uint32_t **succ;       // [relative]: relative indices
    uint32_t *succ_count;
};

void graph_make(struct arena *a, const struct spv_module *m, const struct spv_function *f,
                struct graph *out);
// Does block x dominate block y (relative indices)? A block dominates itself.
bool graph_dominates(const struct graph *g, uint32_t x, uint32_t y);
// Is `to` reached from `from` by edges, without entering `wall` (UINT32_MAX: none)?
bool graph_reaches(struct arena *a, const struct graph *g, uint32_t from, uint32_t to,
                   uint32_t wall);
// The block that holds an instruction; UINT32_MAX when it stands in none.
uint32_t block_at(const struct spv_module *m, uint32_t inst);
const struct spv_function *function_at(const struct spv_module *m, uint32_t inst);

// Where instruction `inst` stands: constructs from the outside in, joined by '/', of
// "if", "case", "fall" (a case that another one falls into), "loop", "head" (the loop's
// header block), "cont" (its continue construct), "call"; last perhaps "break" (on the way
// out of the loop) or "jump" (out of a selection by another way than its merge); then what it stands behind, "+if", "+switch", "+loop", "+call", if
// anything; "top" when nothing is around it. The innermost comes last.
// `rule` (8 bytes) is the rule of docs/rules.md that fixes the tangle there.
void construct_path(struct arena *a, const struct spv_module *m, uint32_t inst, struct text *out,
                    char rule[8]);

// ---- site.c

// The place in the module that made the first wrong word.
struct site {
    bool found;     // a log entry's or a buffer's store was found
    uint32_t store; // instruction index of that store
    bool has_op;
    uint32_t op;    // instruction index of the group operation behind the stored value
};
void site_find(struct arena *a, const struct spv_case *c, const struct spv_module *m,
               const struct tri_verdict *v, struct site *out);
// The variable of a buffer by its decorations; 0 for none.
uint32_t module_buffer(const struct spv_module *m, uint32_t set, uint32_t binding);
// "ballot", "vote", "elect", "broadcast", "reduce", "scan", "shuffle", "quad"; "" for
// what is no group operation.
const char *op_class(const struct spv_inst *i);

// ---- classify.c
const char *signature_taxonomy(const struct tri_signature *s);

#endif
