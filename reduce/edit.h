// SPDX-License-Identifier: Apache-2.0
//
// A module while it is being changed: the instructions of a view in a list, some of
// them gone, changed or new. What a change leaves behind (uses of what is gone, code
// that nobody reaches, what nobody uses) is put right at the end, by tidy.c. Inside of
// reduce.
#ifndef TF_REDUCE_EDIT_H
#define TF_REDUCE_EDIT_H

#include "inner.h"

#define EDIT_NONE UINT32_MAX
enum { EDIT_NEW_IDS = 64 }; // largest number that one edit makes

struct edit_node {
    const uint32_t *w; // all words of the instruction
    uint32_t n;
    uint16_t op;
    bool gone;
    uint32_t prev, next; // EDIT_NONE at the ends
};

struct red_edit {
    struct arena *a;
    const struct spv_module *m;
    struct spv_case c; // what else the edit changes; the words are edit_finish's
    VEC(struct edit_node) node; // the first m->inst_count as in m
    bool sweep; // what was unused before goes too
    uint32_t first, last;
    uint32_t next_id, id_limit;
    uint32_t *map; // [id] what its uses become; 0: itself
    uint32_t *def; // [id] node that defines it, EDIT_NONE for none; kept up to date
};

void edit_start(struct red_edit *e, struct arena *a, const struct spv_case *c,
                const struct spv_module *m);
void edit_drop(struct red_edit *e, uint32_t node);
// Words of a node, to be written to.
uint32_t *edit_write(struct red_edit *e, uint32_t node);
// Another instruction in its place (words of operands, with type and result if any).
void edit_set(struct red_edit *e, uint32_t node, SpvOp op, const uint32_t *v, uint32_t n);
// A new instruction in front of a node. Gives its index.
uint32_t edit_insert(struct red_edit *e, uint32_t before, SpvOp op, const uint32_t *v, uint32_t n);
// A node in front of another one, in the place of where it was.
void edit_move(struct red_edit *e, uint32_t node, uint32_t before);
// All uses of `id` become uses of `other`.
void edit_use(struct red_edit *e, uint32_t id, uint32_t other);
uint32_t edit_id(struct red_edit *e); // a new one
// The constant of a scalar type with that bit pattern (one word; bool: 0 or 1), there
// already or new; 0 when the type has none.
uint32_t edit_constant(struct red_edit *e, uint32_t type, uint32_t value);
uint32_t edit_zero(struct red_edit *e, uint32_t type); // of any type with a null; 0 else
// finish.c: the words, tidied, into e->c. False when the edit makes no sense.
bool edit_finish(struct red_edit *e);

// tidy.c: false when there is no end to it.
bool tidy(struct red_edit *e);

// ---- reading ---------------------------------------------------------------------------

// Positions in w of the words that are ids, the result's left out, the type's kept; how
// many. *rest: from where on words may or may not be ids (n when all is known).
uint32_t inst_ids(const struct red_edit *e, const uint32_t *w, uint32_t n, uint16_t *at,
                  uint32_t *rest);
uint32_t inst_result(const uint32_t *w); // 0 for none
uint32_t inst_type(const uint32_t *w);   // 0 for none
uint32_t inst_head(uint32_t op);         // words before the first operand
// Changes nothing but its result, and no group operation.
bool inst_is_pure(uint32_t op);
bool inst_is_terminator(uint32_t op);
bool inst_is_group(uint32_t op);
bool inst_is_constant(uint32_t op); // OpConstant..., OpUndef
bool inst_is_type(uint32_t op);
// Labels that a terminator goes to (with repetitions), at most `max`; how many there are.
uint32_t inst_targets(const struct red_edit *e, const uint32_t *w, uint32_t n, uint32_t *out,
                      uint32_t max);

#endif
