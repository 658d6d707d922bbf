// SPDX-License-Identifier: Apache-2.0
//
// spirv_edit: a module while it is being changed, the one way to do so: its instructions in a
// list, some of them gone, changed or new. What a change leaves behind (uses of what is gone,
// code that nobody reaches) is whose change it is to put right.
#ifndef TF_SPIRV_EDIT_H
#define TF_SPIRV_EDIT_H

#include "spirv.h"

#define SPV_NO_NODE UINT32_MAX

// One instruction. Nodes stay where they are as long as the arena lives; they are named by
// their index in spv_edit.node, or by their address.
struct spv_node {
    uint16_t op; // SpvOp
    bool gone;
    uint32_t n;      // operand words, without result type and result id
    uint32_t type;   // result type id, 0 when it has none
    uint32_t result; // result id, 0 when it has none
    uint32_t *v;     // the n operand words, the editor's own: write to them
    uint32_t index;
    uint32_t prev, next; // in the list; SPV_NO_NODE at the ends. Those that are gone stay in it.
    // For who edits by blocks and says what one is; the editor does not look.
    struct spv_edit_block *block;
    uint32_t place;
};

struct spv_edit {
    struct arena *a;
    const struct spv_module *m; // as it was
    struct spv_case c;          // what else is changed; spv_edit_write sets its words
    // node.v[0 .. m->inst_count): as in m->insts; behind them the new ones, as they were made.
    struct {
        struct spv_node **v;
        size_t n, cap;
    } node;
    uint32_t first, last;
    uint32_t next_id, id_limit; // no id is made from id_limit on
    uint32_t id_room;           // places of map and def
    uint32_t *map;              // [id]: what its uses become when it is written; 0: itself
    uint32_t *def;              // [id]: the node that defines it, SPV_NO_NODE for none
    bool sweep; // whoever finishes it may take what nobody used before, too (reduce/tidy.c)
};

// An edit of the module of a case, in the arena. At most `new_ids` ids are made by it; 0: as
// many as it takes. `m` is the case's module and stays as it is.
void spv_edit_start(struct spv_edit *e, struct arena *a, const struct spv_case *c,
                    const struct spv_module *m, uint32_t new_ids);
uint32_t spv_edit_id(struct spv_edit *e); // a new one
void spv_edit_drop(struct spv_edit *e, uint32_t node);
// Another instruction in its place. `v`: all its words but the first, with type and result if
// it has any, as the module would have them.
void spv_edit_set(struct spv_edit *e, uint32_t node, SpvOp op, const uint32_t *v, uint32_t n);
// A new instruction in front of a node, words as in spv_edit_set. Gives its index.
uint32_t spv_edit_insert(struct spv_edit *e, uint32_t before, SpvOp op, const uint32_t *v,
                         uint32_t n);
#define SPV_EDIT_INSERT(e, before, op, ...)                                                        \
    spv_edit_insert((e), (before), (op), (const uint32_t[]){__VA_ARGS__},                          \
                    sizeof((const uint32_t[]){__VA_ARGS__}) / sizeof(uint32_t))
// A node that is not in the list yet; with type and result 0 where it has none.
struct spv_node *spv_edit_make(struct spv_edit *e, SpvOp op, uint32_t type, uint32_t result,
                               const uint32_t *v, uint32_t n);
// The list ends before a node: it and what follows are in it no more. Not the first.
void spv_edit_cut(struct spv_edit *e, uint32_t node);
// A node that is not in the list comes last.
void spv_edit_append(struct spv_edit *e, struct spv_node *x);
// A node in front of another one, in the place of where it was. Not the first or last.
void spv_edit_move(struct spv_edit *e, uint32_t node, uint32_t before);
// All uses of `id` become uses of `other`, once it is written.
void spv_edit_use(struct spv_edit *e, uint32_t id, uint32_t other);
// What an id becomes.
uint32_t spv_edit_resolve(const struct spv_edit *e, uint32_t id);
// The next node that is not gone; SPV_NO_NODE.
uint32_t spv_edit_next(const struct spv_edit *e, uint32_t node);

// ---- declarations --------------------------------------------------------------------

// The type, constant or global variable of these operands (type and result left out), there
// already or new, in front of the first function; `type` 0: a type. A variable is always new.
// 0 when no id may be made any more.
uint32_t spv_edit_declare(struct spv_edit *e, SpvOp op, uint32_t type, const uint32_t *v,
                          uint32_t n);
#define SPV_EDIT_DECLARE(e, op, type, ...)                                                         \
    spv_edit_declare((e), (op), (type), (const uint32_t[]){__VA_ARGS__},                           \
                     sizeof((const uint32_t[]){__VA_ARGS__}) / sizeof(uint32_t))
uint32_t spv_edit_uint(struct spv_edit *e); // the type of unsigned 32-bit integers
uint32_t spv_edit_bool(struct spv_edit *e);
// The constant of a scalar type with that bit pattern (one word; bool: 0 or 1); 0 when the
// type has none.
uint32_t spv_edit_constant(struct spv_edit *e, uint32_t type, uint32_t value);
uint32_t spv_edit_zero(struct spv_edit *e, uint32_t type); // of any type with a null; 0 else
// In front of all, where it is not there.
void spv_edit_capability(struct spv_edit *e, SpvCapability capability);

// ---- reading ---------------------------------------------------------------------------

// Positions in v of the operand words that are ids; how many. *rest: from where on words may
// or may not be ids, because the grammar says no more (n when all is known). `at` has room for
// n. Of any instruction, a node's or a module's: spv_operand_ids.
uint32_t spv_edit_ids(const struct spv_edit *e, const struct spv_node *x, uint16_t *at,
                      uint32_t *rest);
// `literal`: words of one literal, of an OpSwitch (spv_literal_words).
uint32_t spv_operand_ids(uint32_t op, const uint32_t *v, uint32_t n, uint32_t literal, uint16_t *at,
                         uint32_t *rest);
// Room for the positions of any instruction that is there.
uint16_t *spv_edit_places(struct spv_edit *e);
// Words of one literal of an OpSwitch on that selector.
uint32_t spv_edit_literal_words(const struct spv_edit *e, uint32_t selector);

// ---- words again ------------------------------------------------------------------------

// The words of what is not gone become e->c's. `renumber`: ids are numbered as they appear, so
// that two edits which come to the same give the same words and ids do not grow with every edit.
// Ids stay all the same where an instruction may hide one (operands that the grammar does not
// tell), or where a policy names labels; the bound is one more than the highest one then.
void spv_edit_write(struct spv_edit *e, bool renumber);

#endif
