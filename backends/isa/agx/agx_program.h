// SPDX-License-Identifier: Apache-2.0
//
// The program that the machine runs: instructions with typed operands. Private to
// backends/isa/agx/.
#ifndef TF_AGX_PROGRAM_H
#define TF_AGX_PROGRAM_H

#include "agx.h"

// The first five compute each lane's result from values of the same lane.
enum agx_unit {
    UNIT_INTEGER,
    UNIT_FLOAT,
    UNIT_CONVERT,
    UNIT_SELECT,
    UNIT_NUMBER,
    UNIT_LANE,
    UNIT_MEMORY,
    UNIT_FLOW,
    UNIT_NONE
};

enum agx_id {
#define OP(id, name, unit, operands, source) AGX_##id,
#include "agx_ops.def"
    AGX_IDS
};

struct agx_op {
    const char *name;
    enum agx_unit unit;
    const char *operands; // agx_ops.def
    const char *source;
};
extern const struct agx_op agx_ops[AGX_IDS];

// Registers and uniforms are named by 16-bit halves: r0l is 0, r0h is 1, r1 starts at 2.
enum {
    AGX_LANES = 32,
    AGX_HALVES = 256,   // of registers
    AGX_UNIFORMS = 512, // halves of uniforms
    AGX_SOURCES = 4,
};

enum agx_kind {
    OPERAND_NONE, // "_"
    OPERAND_REGISTER,
    OPERAND_UNIFORM,
    OPERAND_NUMBER, // an integer
    OPERAND_FLOAT,
};

struct agx_operand {
    enum agx_kind kind;
    uint32_t bits; // 16, 32 or 64
    uint32_t half; // the first one
    uint32_t count;
    bool neg, abs, sx; // sx: sign-extended
    bool discard;      // the register is not read again
    int64_t number;
    float real;
};

enum agx_compare {
    COMPARE_EQ,
    COMPARE_LT,
    COMPARE_GT,
    COMPARE_GE,
    COMPARE_LE,
    COMPARE_LTN,
    COMPARE_GTN
};
struct agx_condition {
    const char *name;
    enum agx_compare compare;
    bool is_float, is_signed, inverted;
};

enum agx_format { FORMAT_I8, FORMAT_I16, FORMAT_I32, AGX_FORMATS };
enum agx_atomic {
    ATOMIC_ADD,
    ATOMIC_SUB,
    ATOMIC_XCHG,
    ATOMIC_CMPXCHG,
    ATOMIC_UMIN,
    ATOMIC_IMIN,
    ATOMIC_UMAX,
    ATOMIC_IMAX,
    ATOMIC_AND,
    ATOMIC_OR,
    ATOMIC_XOR,
    AGX_ATOMICS
};
enum agx_reduce {
    REDUCE_AND,
    REDUCE_OR,
    REDUCE_XOR,
    REDUCE_IADD,
    REDUCE_SMIN,
    REDUCE_SMAX,
    REDUCE_UMIN,
    REDUCE_UMAX,
    REDUCE_FADD,
    REDUCE_FMUL,
    REDUCE_FMIN,
    REDUCE_FMAX,
    AGX_REDUCES
};
enum agx_special {
    SPECIAL_GROUP_X,
    SPECIAL_GROUP_Y,
    SPECIAL_GROUP_Z,
    SPECIAL_LOCAL_X,
    SPECIAL_LOCAL_Y,
    SPECIAL_LOCAL_Z,
    SPECIAL_LOCAL_INDEX,
    SPECIAL_LANE,
    SPECIAL_WAVE,
    SPECIAL_ACTIVE_INDEX,
    SPECIAL_ACTIVE_COUNT,
    SPECIAL_GLOBAL_X,
    SPECIAL_GLOBAL_Y,
    SPECIAL_GLOBAL_Z,
    AGX_SPECIALS
};
enum agx_way { WAY_INDEX, WAY_XOR, WAY_UP, WAY_DOWN, AGX_WAYS };

struct agx_inst {
    enum agx_id id;
    uint32_t line;
    uint32_t at; // offset in bytes
    struct agx_operand dst, src[AGX_SOURCES];
    uint32_t srcs;
    int64_t number;  // n: bits of a mask, lanes' nesting, bytes of a jump
    uint32_t target; // index of the instruction that a jump goes to
    uint32_t shift;
    uint32_t mask; // one bit for each component of an access
    enum agx_format format;
    enum agx_atomic atomic;
    enum agx_reduce reduce;
    enum agx_special special;
    enum agx_way way;
    const struct agx_condition *condition;
    bool group;   // wait group b, not a
    bool nearest; // rounds to the nearest even number, not toward zero
    bool saturates, quad, prefix;
};

struct agx_program {
    struct isa_code code;
    struct agx_inst *inst;
    uint32_t count;    // of all instructions
    uint32_t preamble; // index of the preamble's first one; `count`: there is none
};

// Runs a program (agx_run.c). It is isa_code.run.
void agx_run(struct arena *a, const struct isa_code *code, const struct spv_case *c,
             const struct isa_options *o, struct isa_result *out);

#endif
