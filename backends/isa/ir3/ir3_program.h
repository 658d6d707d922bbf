// SPDX-License-Identifier: Apache-2.0
//
// A program as it is run: instructions with typed operands. Private to backends/isa/ir3/.
#ifndef TF_IR3_PROGRAM_H
#define TF_IR3_PROGRAM_H

#include "ir3.h"

enum ir3_unit {
    UNIT_ALU,  // one value a lane
    UNIT_MOVE, // moves, conversions
    UNIT_LANE, // from lane to lane
    UNIT_MEMORY,
    UNIT_FLOW, // branches, who runs
    UNIT_NONE,
};

// Types, a letter each. Sources of one instruction are halves or whole registers, all alike.
//   u    bits           s    signed: as source perhaps negated or made positive, as answer widened
//   by its sign b    bits, perhaps inverted       f    a float h    signed, 16 bits              w
//   signed, 32 bits        1    0 or 1
enum ir3_id {
#define ALU(id, name, dst, src, value, source) IR3_##id,
#define OTHER(id, name, unit, source)          IR3_##id,
#include "ir3_ops.def"
    IR3_IDS
};

struct ir3_op {
    const char *name;
    enum ir3_unit unit;
    const char *dst, *src; // of an ALU row
    const char *source;
};
extern const struct ir3_op ir3_ops[IR3_IDS];

// r48 to r55 are one for the wave ("shared"); r0 to r47 a lane's own. Half registers lie in whole
// ones: hr0.x and hr0.y in r0.x.
enum {
    IR3_OWN = 48 * 4,
    IR3_SHARED = 8 * 4,
    IR3_PREDICATES = 4,
    IR3_CONSTANTS = 512 * 4,
    IR3_SOURCES = 4,
};

enum ir3_kind {
    OPERAND_NONE, // also r63.x, where a result goes to nobody
    OPERAND_OWN,
    OPERAND_SHARED,
    OPERAND_CONSTANT,
    OPERAND_PREDICATE,
    OPERAND_NUMBER,
};

struct ir3_operand {
    enum ir3_kind kind;
    bool half;
    bool uniform;  // a predicate that the unit for uniform values writes
    bool steps;    // (r): the next one with each repetition
    bool neg, abs; // neg: also of a predicate, and "not" of bits
    uint32_t reg;  // words; of half registers, halves; also from IR3_OWN on for shared ones: from 0
    uint32_t value;
};

enum ir3_type { TYPE_F16, TYPE_F32, TYPE_U16, TYPE_U32, TYPE_S16, TYPE_S32, TYPE_U8, IR3_TYPES };
enum ir3_mode {
    MODE_XOR,
    MODE_UP,
    MODE_DOWN,
    MODE_RUP,
    MODE_RDOWN, // shfl
    MODE_BRCST,
    MODE_HORIZ,
    MODE_VERT,
    MODE_DIAG, // quad_shuffle
    ATOMIC_ADD,
    ATOMIC_SUB,
    ATOMIC_XCHG,
    ATOMIC_CMPXCHG,
    ATOMIC_MIN,
    ATOMIC_MAX,
    ATOMIC_AND,
    ATOMIC_OR,
    ATOMIC_XOR,
    IR3_MODES
};

struct ir3_inst {
    enum ir3_id id;
    uint32_t line;
    bool joins;      // (jp)
    uint32_t repeat; // (rptN)
    struct ir3_operand dst, dst1, src[IR3_SOURCES];
    uint32_t srcs;
    uint32_t target; // the instruction
    enum ir3_type to, from;
    enum ir3_mode mode;
    uint32_t count; // of a memory access words; lanes of a cluster; words of a mask
    uint32_t mask;  // which of four words
    uint32_t set, descriptor;
    int32_t offset;
};

struct ir3_program {
    struct isa_code code;
    uint32_t size; // lanes of a wave
    struct ir3_inst *inst;
    uint32_t count;
    uint32_t registers;    // a lane's own that are named
    uint32_t driver_words; // of the driver's parameters, from c0.x on
    uint32_t local_id,
        group_id; // the registers where a wave's ids begin (a group's: shared); UINT32_MAX: nowhere
    uint32_t constant[IR3_CONSTANTS];
    bool known[IR3_CONSTANTS]; // that the text gives
    bool preamble;
};

// One operand's text (ir3_operand.c); *flags of (last), (r), (neg), (abs) stand before it.
bool ir3_operand_read(const char *s, size_t n, struct ir3_operand *out);

// isa_code's run (ir3_run.c).
void ir3_run(struct arena *a, const struct isa_code *code, const struct spv_case *c,
             const struct isa_options *o, struct isa_result *out);

// ---- values (ir3_alu.c) ----------------------------------------------------

// Of an ALU row: `w` 16 or 32, sources rows of lanes, zeros above it, all three there; the answer
// as wide as `to`.
void ir3_alu(enum ir3_id id, uint32_t w, uint32_t to, const uint32_t *const v[3],
             struct isa_span lanes, uint32_t *out);
// Is the product of the first two, and its sum with the third, the same however often it is
// rounded?
bool ir3_exact(uint32_t w, const uint32_t v[3]);
uint32_t ir3_convert(enum ir3_type from, enum ir3_type to, uint32_t v);
void ir3_negate(char type, uint32_t w, bool neg, bool abs, struct isa_span lanes, uint32_t *v);
// A constant as a half register's worth.
uint32_t ir3_demoted(char type, uint32_t v);

#endif
