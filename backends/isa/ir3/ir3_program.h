// SPDX-License-Identifier: Apache-2.0
//
// The program that the machine runs: instructions with typed operands. Private to
// backends/isa/ir3/.
#ifndef TF_IR3_PROGRAM_H
#define TF_IR3_PROGRAM_H

#include "ir3.h"

enum ir3_unit {
    UNIT_ALU,  // one value per lane
    UNIT_MOVE, // moves, conversions
    UNIT_LANE, // moves values between lanes
    UNIT_MEMORY,
    UNIT_FLOW, // control flow
    UNIT_NONE,
};

// Types, one letter each. The sources of one instruction are all half or all full registers.
//   u  bits                    s  signed: a source may be negated or made absolute, a result is
//   b  bits, may be inverted      sign-extended
//   f  a float                 h  signed, 16 bits
//   w  signed, 32 bits         1  0 or 1
enum ir3_id {
#define ALU(id, name, dst, src, value, source) IR3_##id,
#define OTHER(id, name, unit, source)          IR3_##id,
#include "ir3_ops.def"
    IR3_IDS
};

struct ir3_op {
    const char *name;
    enum ir3_unit unit;
    const char *dst, *src; // types of an ALU row
    const char *source;
};
extern const struct ir3_op ir3_ops[IR3_IDS];

// r0 to r47 are private to each lane; r48 to r55 are shared by the wave. Two half registers overlay
// one full register: hr0.x and hr0.y are in r0.x.
enum {
    IR3_OWN = 48 * 4,
    IR3_SHARED = 8 * 4,
    IR3_PREDICATES = 4,
    IR3_CONSTANTS = 512 * 4,
    IR3_VIRTUAL = 1 << 20, // registers of a file before register allocation
    IR3_SOURCES = 4,
};

enum ir3_kind {
    OPERAND_NONE, // also r63.x, which discards a result
    OPERAND_OWN,
    OPERAND_SHARED,
    OPERAND_CONSTANT,
    OPERAND_PREDICATE,
    OPERAND_NUMBER,
};

struct ir3_operand {
    enum ir3_kind kind;
    bool half;
    bool uniform;  // a predicate written by the uniform ALU (up0.x)
    bool steps;    // (r): advances by one register with each repetition
    bool neg, abs; // neg: for predicates and bits it means "not"
    uint32_t reg;  // index of the 32-bit (or half) register; shared registers start at 0
    uint32_t value;
};

enum ir3_type { TYPE_F16, TYPE_F32, TYPE_U16, TYPE_U32, TYPE_S16, TYPE_S32, TYPE_U8, IR3_TYPES };
// clang-format off
// What a shfl, a quad_shuffle or an atomic does: X(ID, text, kind of operation).
#define IR3_MODE_ROWS(X)                                                                           \
    X(MODE_XOR, "xor", SHUFFLES) X(MODE_UP, "up", SHUFFLES) X(MODE_DOWN, "down", SHUFFLES)         \
    X(MODE_RUP, "rup", SHUFFLES) X(MODE_RDOWN, "rdown", SHUFFLES)                                  \
    X(MODE_BRCST, "brcst", QUADS) X(MODE_HORIZ, "horiz", QUADS) X(MODE_VERT, "vert", QUADS)        \
    X(MODE_DIAG, "diag", QUADS)                                                                    \
    X(ATOMIC_ADD, "add", ATOMICS) X(ATOMIC_SUB, "sub", ATOMICS) X(ATOMIC_XCHG, "xchg", ATOMICS)    \
    X(ATOMIC_CMPXCHG, "cmpxchg", ATOMICS) X(ATOMIC_MIN, "min", ATOMICS)                            \
    X(ATOMIC_MAX, "max", ATOMICS) X(ATOMIC_AND, "and", ATOMICS) X(ATOMIC_OR, "or", ATOMICS)        \
    X(ATOMIC_XOR, "xor", ATOMICS)
// clang-format on
enum ir3_mode_kind { IR3_SHUFFLES, IR3_QUADS, IR3_ATOMICS };
#define X(id, text, kind) id,
enum ir3_mode { IR3_MODE_ROWS(X) IR3_MODES };
#undef X

struct ir3_inst {
    enum ir3_id id;
    uint32_t line;
    bool joins;      // marked (jp)
    uint32_t repeat; // N of (rptN)
    struct ir3_operand dst, dst1, src[IR3_SOURCES];
    uint32_t srcs;
    uint32_t target; // index of an instruction
    enum ir3_type to, from;
    enum ir3_mode mode;
    uint32_t count; // words of a memory access; lanes of a cluster; lanes of a mask
    uint32_t mask;  // which of four components are written
    uint32_t set, descriptor;
    int32_t offset;
};

struct ir3_program {
    struct isa_code code;
    uint32_t size; // lanes per wave
    struct ir3_inst *inst;
    uint32_t count;
    uint32_t registers;          // number of private registers that the code names
    uint32_t shared, predicates; // IR3_SHARED and IR3_PREDICATES, or more
    uint32_t driver_words;       // number of words of driver parameters, which start at c0.x
    uint32_t local_id, group_id; // first registers of the ids (group_id: shared); UINT32_MAX: none
    uint32_t constant[IR3_CONSTANTS];
    bool known[IR3_CONSTANTS]; // constants that the text defines
    bool preamble;
};

// Parses an operand with its prefixes (last), (r), (neg), (abs) (ir3_operand.c).
bool ir3_operand_read(const char *s, size_t n, struct ir3_operand *out);

// Runs a program (ir3_run.c). It is isa_code.run.
void ir3_run(struct arena *a, const struct isa_code *code, const struct spv_case *c,
             const struct isa_options *o, struct isa_result *out);

// ---- values (ir3_alu.c) ----------------------------------------------------

// Evaluates an ALU row. `w` is the width of the sources, 16 or 32; `v` holds three rows of lanes,
// zero-extended. The result has the width `to`.
void ir3_alu(enum ir3_id id, uint32_t w, uint32_t to, const uint32_t *const v[3],
             struct isa_span lanes, uint32_t *out);
// Are the product of the first two and its sum with the third exact, so that the number of
// roundings does not matter?
bool ir3_exact(uint32_t w, const uint32_t v[3]);
uint32_t ir3_convert(enum ir3_type from, enum ir3_type to, uint32_t v);
void ir3_negate(char type, uint32_t w, bool neg, bool abs, struct isa_span lanes, uint32_t *v);
// Converts a constant to a half register.
uint32_t ir3_demoted(char type, uint32_t v);

#endif
