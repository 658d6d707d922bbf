// SPDX-License-Identifier: Apache-2.0
//
// A program as it is run: instructions with typed operands. Private to backends/isa/nak.
#ifndef TF_NAK_PROGRAM_H
#define TF_NAK_PROGRAM_H

#include "nak.h"

// Types of sources, a letter each:
//   u    32 bits                       n    32 bits, perhaps to be negated
//   b    32 bits, perhaps inverted     f    a 32-bit float, perhaps negated or made positive
//   q    64 bits                       d    a 64-bit float, the same
//   h    two halves, the same          w    h, f, d, q or u, as the second type says
//   p    a predicate, perhaps inverted
//   a    a predicate, where the comparison is combined with one; k: where it continues one (.ex)
//   m    32 bits, where the result is the high half (.hi)
//   x    32 bits in brackets           i    a decimal number
//   t    a truth table LUT[...]        S    a system register
//   L    a label                       B    a barrier
//   A    an address                    C    a place in constant memory
//   D    registers as wide as the access;  M: the same, for a comparison (.cmpexch)
//   G    a barrier or a register
// and of destinations: r, R (64 bits), W (as wide as the first type), p, D, B, G. A destination may
// be left out, but for G.
enum nak_id {
#define VALUE(id, name, mods, dst, src, value, source) NAK_##id,
#define CARRY(id, name, mods, dst, src, value, source) NAK_##id,
#define WIDE(id, name, mods, dst, src, value, source)  NAK_##id,
#define TEST(id, name, mods, dst, src, value, source)  NAK_##id,
#define OTHER(id, name, mods, dst, src, unit, source)  NAK_##id,
#include "ops.def"
    NAK_IDS
};

enum nak_unit {
    NAK_VALUE, // 32 bits a lane
    NAK_CARRY, // a sum of 32 bits and its carries
    NAK_WIDE,  // up to 64 bits a lane
    NAK_TEST,  // one bit a lane
    NAK_PREDICATES,
    NAK_LANES, // values from lane to lane
    NAK_MEMORY,
    NAK_CONSTANT,
    NAK_SYSTEM, // system registers
    NAK_BARRIER,
    NAK_BRANCH,
    NAK_END,
    NAK_GROUP, // the workgroup's barrier
    NAK_SKIP,  // no effect that is modelled
};

struct nak_op {
    const char *name, *mods, *dst, *src, *source;
    enum nak_unit unit;
};
extern const struct nak_op nak_ops[NAK_IDS];

// Modifiers, in the order of nak_mod_names (ops.c).
enum nak_mod {
    MOD_NONE,
    MOD_EQ,
    MOD_NE,
    MOD_LT,
    MOD_LE,
    MOD_GT,
    MOD_GE,
    MOD_EQU,
    MOD_NEU,
    MOD_LTU,
    MOD_LEU,
    MOD_GTU,
    MOD_GEU,
    MOD_NUM,
    MOD_NAN,
    MOD_U8,
    MOD_I8,
    MOD_U16,
    MOD_I16,
    MOD_U32,
    MOD_I32,
    MOD_U64,
    MOD_I64,
    MOD_F16,
    MOD_F32,
    MOD_F64,
    MOD_B32,
    MOD_B64,
    MOD_B128,
    MOD_RE,
    MOD_RM,
    MOD_RP,
    MOD_RZ,
    MOD_FTZ,
    MOD_EX,
    MOD_X,
    MOD_HI,
    MOD_W,
    MOD_L,
    MOD_R,
    MOD_SAMT,
    MOD_WRAP,
    MOD_CLAMP,
    MOD_ANY,
    MOD_ALL,
    MOD_IDX,
    MOD_UP,
    MOD_DOWN,
    MOD_BFLY,
    MOD_AND,
    MOD_OR,
    MOD_XOR,
    MOD_SUM,
    MOD_MIN,
    MOD_MAX,
    MOD_ADD,
    MOD_INC,
    MOD_DEC,
    MOD_EXCH,
    MOD_CMPEXCH,
    MOD_PACKED,
    MOD_GLOBAL,
    MOD_SHARED,
    MOD_LOCAL,
    MOD_A64,
    MOD_A32,
    MOD_WEAK,
    MOD_CONSTANT,
    MOD_STRONG,
    MOD_CTA,
    MOD_GPU,
    MOD_SYS,
    MOD_SC,
    MOD_EF,
    MOD_EL,
    MOD_LU,
    MOD_SYNC,
    MOD_32,
    MOD_CLEAR,
    MODS
};
extern const char *const nak_mod_names[MODS];
#define HAS(in, mod) ((in)->mods[(mod) / 64] >> ((mod) % 64) & 1)

enum nak_kind {
    OPERAND_NONE,   // null, or left out
    OPERAND_R,      // registers
    OPERAND_UR,     // uniform registers, one value a warp
    OPERAND_P,      // predicates; pT is number PT, pF the same, inverted
    OPERAND_UP,     // uniform predicates
    OPERAND_B,      // barriers
    OPERAND_NUMBER, // also labels (the instruction), tables, system registers
    OPERAND_C,      // constant memory: buffer `reg`, byte `value` (and the register `index`)
    OPERAND_A,      // an address: register(s), uniform register(s), offset
};
enum {
    PT = 7,
    PREDICATES = 8,
    UNIFORMS = 64,
    REGISTERS = 256,
    BARRIERS = 16,
    NO_REGISTER = 0xffff
};

struct nak_operand {
    enum nak_kind kind;
    char type;
    uint16_t reg;
    uint8_t count;   // registers
    bool neg, abs;   // neg: also of a predicate and of bits, where it is "not"
    uint8_t swizzle; // of halves: 0 as they are, 1 .xx, 2 .yy
    uint16_t index;  // OPERAND_C: a register that is added; OPERAND_A: the uniform register(s)
    bool index_uniform;
    uint8_t index_count, shift; // OPERAND_A: registers of `index`; how far `reg` is shifted
    uint32_t value;
};

enum { NAK_OPERANDS = 8 };
struct nak_inst {
    enum nak_id id;
    uint32_t line;
    uint8_t dst, n; // operands: destinations first, one a letter of the row
    struct nak_operand o[NAK_OPERANDS];
    struct nak_operand guard; // OPERAND_NONE: always
    uint64_t mods[2];
    enum nak_mod cmp, type[2], set; // as far as there are; `set`: and, or, xor, add ...
    uint32_t lut;
    bool uniform; // its destination is uniform: it runs once for the warp
};

struct nak_program {
    struct isa_code code;
    struct nak_inst *inst;
    uint32_t count;
    uint32_t registers;     // that are named
    bool signed_products;   // some 64-bit products of the shader are signed, some may be unsigned:
    bool unsigned_products; // the text does not tell which
};

// One operand's text (operand.c), of the type `type`. Labels stay text: false.
bool nak_operand_read(const char *s, size_t n, char type, struct nak_operand *out);
// A predicate, "p0", "!up1".
bool nak_predicate_read(const char *s, size_t n, struct nak_operand *out);

void nak_run(struct arena *a, const struct isa_code *code, const struct spv_case *c,
             const struct isa_options *o, struct isa_result *out);

#endif
