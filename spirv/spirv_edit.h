// SPDX-License-Identifier: Apache-2.0
//
// spirv_edit: edits a module as a linked list of instructions. Instructions can be removed, changed
// and added. The editor does not repair side effects: the caller must fix uses of removed ids and
// remove unreachable code.
#ifndef TF_SPIRV_EDIT_H
#define TF_SPIRV_EDIT_H

#include "spirv.h"

#define SPV_NO_NODE UINT32_MAX

// One instruction. Nodes live as long as the arena. They are named by their index in spv_edit.node,
// or by their address.
struct spv_node {
    uint16_t op; // SpvOp
    bool gone;
    uint32_t n;      // operand words, without result type and result id
    uint32_t type;   // result type id; 0: none
    uint32_t result; // result id; 0: none
    uint32_t *v;     // the n operand words, owned by the editor and writable
    uint32_t index;
    uint32_t prev, next; // in the list; SPV_NO_NODE at the ends. Removed nodes stay in it.
    // Used by callers that edit block by block. The editor itself does not read them.
    struct spv_edit_block *block;
    uint32_t place;
};

struct spv_edit {
    struct arena *a;
    const struct spv_module *m; // the module before the edits
    struct spv_case c;          // the edited case; spv_edit_write sets its words
    // node.v[0 .. m->inst_count) are m->insts; new nodes follow in order of creation.
    struct {
        struct spv_node **v;
        size_t n, cap;
    } node;
    uint32_t first, last;
    uint32_t next_id, id_limit; // new ids are below id_limit
    uint32_t id_room;           // length of map and def
    uint32_t *map; // [id]: the id that replaces it when the module is written; 0: itself
    uint32_t *def; // [id]: the node that defines it; SPV_NO_NODE: none
    bool sweep;    // reduce's clean-up may also remove code that was already unused
};

// Starts editing the module `m` of case `c`; both stay unchanged. e->c is a copy of the case
// without its `; expect` lines and `body`. Memory is in the arena. At most `new_ids` ids can be
// created; 0: no limit but SPV_ID_LIMIT.
void spv_edit_start(struct spv_edit *e, struct arena *a, const struct spv_case *c,
                    const struct spv_module *m, uint32_t new_ids);
// Returns a new id. CHECKs that one is left.
uint32_t spv_edit_id(struct spv_edit *e);
// Removes a node: sets `gone`, and clears def[] of its result.
void spv_edit_drop(struct spv_edit *e, uint32_t node);
// Replaces a node's instruction. `v`: all words except the first, with result type and result id if
// it has them, as in the module.
void spv_edit_set(struct spv_edit *e, uint32_t node, SpvOp op, const uint32_t *v, uint32_t n);
// Inserts a new instruction before a node; `v` as in spv_edit_set. Returns its index.
uint32_t spv_edit_insert(struct spv_edit *e, uint32_t before, SpvOp op, const uint32_t *v,
                         uint32_t n);
#define SPV_EDIT_INSERT(e, before, op, ...)                                                        \
    spv_edit_insert((e), (before), (op), (const uint32_t[]){__VA_ARGS__},                          \
                    sizeof((const uint32_t[]){__VA_ARGS__}) / sizeof(uint32_t))
// Creates a node that is not in the list yet. `type` and `result` are 0 if it has none.
struct spv_node *spv_edit_make(struct spv_edit *e, SpvOp op, uint32_t type, uint32_t result,
                               const uint32_t *v, uint32_t n);
// Ends the list before a node: the node and all after it leave the list. Not for the first node.
void spv_edit_cut(struct spv_edit *e, uint32_t node);
// Appends a node that is not in the list.
void spv_edit_append(struct spv_edit *e, struct spv_node *x);
// Moves `node`, which is not the first or last of the list, before another node.
void spv_edit_move(struct spv_edit *e, uint32_t node, uint32_t before);
// Replaces `id` by `other` when the module is written: as a result type, and in all operands that
// spv_edit_ids finds.
void spv_edit_use(struct spv_edit *e, uint32_t id, uint32_t other);
// Returns the id that replaces `id`.
uint32_t spv_edit_resolve(const struct spv_edit *e, uint32_t id);
// Returns the next node that is not removed, or SPV_NO_NODE.
uint32_t spv_edit_next(const struct spv_edit *e, uint32_t node);

// ---- declarations --------------------------------------------------------------------

// Returns the type, constant or global variable with these operands (without result type and result
// id). Creates it before the first function if it does not exist. `type` 0: declares a type. A
// variable is always new. 0 if no more ids may be created.
uint32_t spv_edit_declare(struct spv_edit *e, SpvOp op, uint32_t type, const uint32_t *v,
                          uint32_t n);
#define SPV_EDIT_DECLARE(e, op, type, ...)                                                         \
    spv_edit_declare((e), (op), (type), (const uint32_t[]){__VA_ARGS__},                           \
                     sizeof((const uint32_t[]){__VA_ARGS__}) / sizeof(uint32_t))
uint32_t spv_edit_uint(struct spv_edit *e); // the type of unsigned 32-bit integers
uint32_t spv_edit_bool(struct spv_edit *e);
// Returns the constant with that bit pattern (one word; bool: 0 or 1) of a scalar type of up to 32
// bits. For other types: spv_edit_zero if `value` is 0, else 0.
uint32_t spv_edit_constant(struct spv_edit *e, uint32_t type, uint32_t value);
// Returns the zero of a bool, number, vector, matrix, array or struct type; 0 for other types.
uint32_t spv_edit_zero(struct spv_edit *e, uint32_t type);
// Adds a capability at the front of the module, unless it is declared.
void spv_edit_capability(struct spv_edit *e, SpvCapability capability);

// ---- reading ---------------------------------------------------------------------------

// Finds the operand words that are ids. Writes their positions in v to `at` and returns their
// number. *rest: the first word that may or may not be an id, because the grammar does not specify
// it (n if all are known). `at` must have space for n. For instructions outside an edit use
// spv_operand_ids.
uint32_t spv_edit_ids(const struct spv_edit *e, const struct spv_node *x, uint16_t *at,
                      uint32_t *rest);
// `literal`: words per literal of an OpSwitch (spv_literal_words).
uint32_t spv_operand_ids(uint32_t op, const uint32_t *v, uint32_t n, uint32_t literal, uint16_t *at,
                         uint32_t *rest);
// Returns an array with space for the positions of any instruction of the module.
uint16_t *spv_edit_places(struct spv_edit *e);
// Words per literal of an OpSwitch with that selector.
uint32_t spv_edit_literal_words(const struct spv_edit *e, uint32_t selector);

// ---- writing ----------------------------------------------------------------------------

// Sets e->c's words to the remaining instructions. `renumber`: numbers ids in order of appearance,
// so that equal edits produce equal words and ids do not grow with every edit. Ids are kept despite
// `renumber` if an instruction may contain ids that the grammar does not specify, or if a policy
// names labels. The bound is then the highest id plus one.
void spv_edit_write(struct spv_edit *e, bool renumber);

#endif
