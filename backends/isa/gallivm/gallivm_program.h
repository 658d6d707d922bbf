// SPDX-License-Identifier: Apache-2.0
//
// The module as the machine runs it. Private to backends/isa/gallivm/.
#ifndef TF_GALLIVM_PROGRAM_H
#define TF_GALLIVM_PROGRAM_H

#include "gallivm.h"
#include "isa/isa_bits.h"
#include "isa/isa_memory.h"
#include "isa/isa_text.h"

// ---- types -----------------------------------------------------------------

enum gv_kind { GV_VOID, GV_INT, GV_FLOAT, GV_PTR, GV_VECTOR, GV_ARRAY, GV_STRUCT, GV_OTHER };
// A value is a row of slots, one for each scalar in it, zero-extended to 64 bits.
struct gv_type {
    enum gv_kind kind;
    uint32_t bits;            // of a scalar
    uint32_t count;           // elements or members
    const struct gv_type *of; // of a vector or array
    const struct gv_type **member;
    uint64_t *offset;     // of each member, in bytes
    uint64_t size, align; // in memory
    uint32_t slots;
};
enum { GV_SLOTS = 64 }; // most slots of a value
static inline const struct gv_type *gv_scalar(const struct gv_type *t)
{
    return t->kind == GV_VECTOR ? t->of : t;
}
static inline bool gv_is_scalar(const struct gv_type *t)
{
    return t->kind == GV_INT || t->kind == GV_FLOAT || t->kind == GV_PTR;
}

static inline bool gv_is_plain(const struct gv_type *t) // a scalar or a vector
{
    return gv_is_scalar(gv_scalar(t));
}

// ---- instructions ----------------------------------------------------------

enum gv_op {
#define BINARY(id, name, value)   GV_##id,
#define CAST(id, name, value)     GV_##id,
#define COMPARE(id, name, value)  GV_##id,
#define FCOMPARE(id, name, value) GV_##id,
#define FUNCTION(id, name, value) GV_##id,
#include "gallivm_ops.def"
    GV_EACH,           // the end of those above
    GV_COPY = GV_EACH, // freeze
    GV_BITCAST,
    GV_FNEG,
    GV_SELECT,
    GV_EXTRACT,
    GV_INSERT,
    GV_SHUFFLE,
    GV_EXTRACT_VALUE,
    GV_LOAD,
    GV_STORE,
    GV_ADDRESS, // getelementptr
    GV_ALLOCA,
    GV_ATOMIC,
    GV_CMPXCHG,
    GV_FENCE,
    GV_BR,
    GV_BR_IF,
    GV_SWITCH,
    GV_RET,
    GV_CALL, // of a function of the module
    GV_GATHER,
    GV_SCATTER,
    GV_PERMUTE,     // x86's permd
    GV_FIRST_LEAST, // x86's min.ss: of the first elements
    GV_FIRST_MOST,
    GV_REDUCE,
    GV_CORO_ID,
    GV_CORO_SIZE,
    GV_CORO_BEGIN,
    GV_CORO_SUSPEND,
    GV_CORO_END,
    GV_CORO_RESUME,
    GV_CORO_DESTROY,
    GV_CORO_DONE,
    GV_CORO_MALLOC,
    GV_NOTHING,
};

enum { GV_NONE = UINT32_MAX };
struct gv_value {
    const struct gv_type *type;
    uint32_t at; // its first slot: of the constants, or of a frame
    bool constant, defined;
    uint32_t line;   // of its first use
    uint32_t target; // of a label: index of its first instruction
};
struct gv_inst {
    enum gv_op op;
    uint32_t line;
    uint32_t def;               // GV_NONE: none
    const struct gv_type *type; // result; of a store and an alloca: of what is in memory
    uint32_t srcs, *src;
    // GV_ADDRESS: bytes by which each source is multiplied. GV_SWITCH: the constants. GV_SHUFFLE:
    // the elements.
    uint64_t *number;
    int64_t offset;    // GV_ADDRESS: bytes to add
    uint32_t label[2]; // GV_BR: the first; GV_BR_IF: true, false; GV_SWITCH: default
    uint32_t *cases;   // GV_SWITCH: labels
    uint32_t numbers;
    enum isa_combine combine; // GV_ATOMIC, GV_REDUCE
    uint32_t callee;          // GV_CALL: a function
};
struct gv_function {
    const char *name;
    uint32_t first;          // instruction
    uint32_t params, *param; // values
    uint32_t slots;          // of a frame
};

struct gv_program {
    struct isa_code code;
    uint32_t size; // lanes per subgroup
    struct gv_inst *inst;
    uint32_t count;
    struct gv_value *value;
    uint32_t values;
    uint64_t *constant; // slots
    uint8_t *undefined; // of each slot of the constants: any value
    uint32_t constants;
    struct gv_function *function;
    uint32_t functions, main;
};

// Finds a function that LLVM declares, by its name. False: not known (gallivm_names.c).
bool gv_function_known(struct word name, struct gv_inst *out);

// ---- reading types and constants (gallivm_type.c) ---------------------------------------------

struct gv_reader {
    struct arena *a;
    struct gv_program *p;
    struct isa_result *why;
    uint32_t line, first; // of the function's first value
    VEC(struct gv_inst) inst;
    VEC(struct gv_value) value;
    VEC(uint64_t) constant;
    VEC(uint8_t) undefined;
    VEC(struct gv_function) function;
    struct word *name; // a hash table of names in the function
    uint32_t *named, names, slots;
    uint32_t depth; // of types
};
enum { GV_NAMES = 1 << 16, GV_DEPTH = 8 };

bool gv_refuse(struct gv_reader *r, const char *what, struct word at);
void gv_blanks(struct word *at);
bool gv_take(struct word *at, const char *text); // skips blanks before it
struct word gv_word(struct word *at);            // letters, digits, '.', '_'; may be empty
// NULL with r->why filled.
const struct gv_type *gv_read_type(struct gv_reader *r, struct word *at);
// Reads a value of a type: a name or a constant. GV_NONE with r->why filled.
uint32_t gv_read_value(struct gv_reader *r, struct word *at, const struct gv_type *t);
// Reads "%name". GV_NONE with r->why filled; t NULL: a label.
uint32_t gv_read_name(struct gv_reader *r, struct word *at, const struct gv_type *t);
const struct gv_type *gv_integer(struct gv_reader *r, uint32_t bits);
const struct gv_type *gv_pointer(struct gv_reader *r);
const struct gv_type *gv_pair(struct gv_reader *r, const struct gv_type *first); // and an i1

// ---- reading instructions (gallivm_inst.c) ------------------------------------------------------

// Reads a line; false with r->why filled. A switch's cases follow in lines of their own.
bool gv_read_inst(struct gv_reader *r, struct word at);
bool gv_read_case(struct gv_reader *r, struct word at);

// Copies a value to memory or back, as LLVM lays it out (gallivm_memory.c).
void gv_to_bytes(const struct gv_type *t, const uint64_t *v, uint8_t *to);
void gv_from_bytes(const struct gv_type *t, const uint8_t *from, uint64_t *v);

// ---- running -----------------------------------------------------------------------------------

// Runs a program (gallivm_run.c). It is isa_code.run.
void gv_run(struct arena *a, const struct isa_code *code, const struct spv_case *c,
            const struct isa_options *o, struct isa_result *out);

// Computes one element (gallivm_value.c). `n` and `s`: bits of the result, of the first operand.
uint64_t gv_element(enum gv_op op, uint32_t n, uint32_t s, uint64_t a, uint64_t b, uint64_t c,
                    uint64_t random_fill);

#endif
