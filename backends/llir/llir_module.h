// SPDX-License-Identifier: Apache-2.0
//
// The module as the machine runs it. Private to backends/llir/.
//
//   llir_read.c    reads the serialized form and checks it; llir_shapes.c: operands
//   llir_calls.def, llir_names.c   the supported functions that LLVM declares
//   llir_value.c   one instruction of one invocation: arithmetic, vectors, casts
//   llir_memory.c  pointers, loads, stores
//   llir_group.c   group operations
//   llir_token.c   instances of tokens; which lanes may still reach an operation
//   llir_run.c     invocations, frames, subgroups
//
// A value is a row of *cells*, one per scalar. Recursion is refused, so each value has fixed cells
// in each invocation, and every call of a function uses the same ones.
#ifndef TF_LLIR_MODULE_H
#define TF_LLIR_MODULE_H

#include "llir.h"
#include "llir_numbers.h"

#define LLIR_NONE UINT32_MAX

struct llir_type {
    uint8_t kind;   // of a vector: LLIR_TY_VECTOR
    uint8_t width;  // bits of a scalar; a pointer: 64
    uint32_t comps; // cells of a value
};

// The operation of a called function, and what computes it (llir_calls.def).
enum llir_call {
    LLIR_CALL_OWN,     // defined in the module
    LLIR_CALL_NOTHING, // no effect: lifetime markers and similar
#define CALL(id, name, arguments, kind) LLIR_CALL_##id,
#include "llir_calls.def"
    LLIR_CALL_UNKNOWN
};
enum llir_call_kind {
    LLIR_CONTROL,
    LLIR_RESOURCE,
    LLIR_EACH,
    LLIR_OVER_VECTOR,
    LLIR_PLACE,
    LLIR_GROUP
};
extern const enum llir_call_kind llir_call_kinds[LLIR_CALL_UNKNOWN + 1];
// Finds the operation of a declared function by name; *arguments is the required number of
// arguments, LLIR_NONE: any.
enum llir_call llir_call_find(const char *name, uint32_t *arguments);

struct llir_inst {
    uint8_t op;
    uint8_t flags;
    uint8_t call;      // enum llir_call
    uint8_t predicate; // of an icmp
    uint8_t width;     // bits of the first operand's scalars; without operands, of the result's
    uint8_t to;        // bits of the result's scalars
    uint32_t comps;    // cells of the result
    uint32_t of;       // cells of the first operand
    uint32_t dst;      // first cell of the result
    uint32_t token;    // index of its token in llir_module.token, LLIR_NONE: none
    uint32_t own;      // token definition: its index in llir_module.token; alloca: its object
    uint32_t n;
    uint32_t *v; // first cells of operands; literals and blocks (indices in llir_module.block) as
                 // in the record; for a call, the function's index and the arguments
};

struct llir_block {
    uint32_t first, count; // instructions
    uint32_t function;
};

struct llir_function {
    const char *name;
    uint32_t id;
    uint32_t block, blocks;
    uint32_t *param; // first cells
    uint32_t *param_comps;
    uint32_t params;
    uint32_t comps; // of its result
    bool declared;
    uint8_t call;
    uint32_t arguments;
    uint32_t entry_token; // index in llir_module.token, LLIR_NONE
};

// The definition of a token.
struct llir_token {
    uint32_t inst; // index of the instruction
    uint32_t block;
    uint32_t parent; // heart: index of its operand's token; LLIR_NONE: an entry
};

struct llir_object {       // a global or an alloca: memory of each invocation
    uint32_t bytes, each;  // each: bytes of an element
    uint32_t *init, inits; // first cells of the initial elements
    uint32_t comps;        // cells of an element, and their width
    uint8_t width;
};

// Why a value is undefined: poison, or undef, for which each use may see a different value of the
// type.
enum llir_lack { LLIR_HAS, LLIR_IS_POISON, LLIR_IS_UNDEF };

struct llir_module {
    struct arena *arena;
    uint32_t bound;
    struct llir_type *type;
    uint32_t types;
    uint32_t *cell;              // [id] first cell, LLIR_NONE: none
    uint32_t *type_of;           // [id] type
    uint32_t *function_of;       // [id] index, LLIR_NONE: none
    uint32_t cells, const_cells; // cells of constants come first
    uint32_t const_room;
    uint64_t *const_value;
    uint8_t *const_poison; // enum llir_lack
    struct llir_inst *inst;
    uint32_t *block_of; // [instruction]
    uint32_t insts;
    struct llir_block *block;
    uint32_t blocks;
    struct llir_function *function;
    uint32_t functions;
    struct llir_token *token;
    uint32_t tokens;
    struct llir_object *object; // globals, then allocas
    uint32_t objects, globals;
    uint32_t main;
};

// Reads a module. False with text and `out->status` (RAN_INVALID or RAN_UNSUPPORTED).
bool llir_read(struct arena *a, const uint32_t *words, size_t count, struct llir_module *m,
               struct llir_result *out);
// Fills out->status and text; returns false.
bool llir_stop(struct llir_result *out, enum ran status, const char *fmt, ...) TF_PRINTF(3, 4);

// A pointer: an object (of the module, then the buffers of the case) and a byte offset into it. 0
// is the null pointer.
#define LLIR_POINTER_SHIFT 40
static inline uint64_t llir_pointer(uint32_t object, uint64_t offset)
{
    return ((uint64_t)(object + 1) << LLIR_POINTER_SHIFT) |
           (offset & (((uint64_t)1 << LLIR_POINTER_SHIFT) - 1));
}

static inline uint64_t llir_ones(unsigned width)
{
    return width >= 64 ? UINT64_MAX : ((uint64_t)1 << width) - 1;
}
static inline int64_t llir_signed(uint64_t v, unsigned width)
{
    const uint64_t top = (uint64_t)1 << (width - 1);
    return (int64_t)(((v & llir_ones(width)) ^ top) - top);
}

#endif
