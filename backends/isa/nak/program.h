// SPDX-License-Identifier: Apache-2.0
//
// The program that the machine runs: instructions with typed operands. Private to backends/isa/nak.
#ifndef TF_NAK_PROGRAM_H
#define TF_NAK_PROGRAM_H

#include "nak.h"

// Types of sources, one letter each:
//   u    32 bits                       n    32 bits, may be negated
//   b    32 bits, may be inverted      f    a 32-bit float, may be negated or made absolute
//   q    64 bits                       d    a 64-bit float, the same
//   h    two halves, the same          w    h, f, d, q or u, according to the second type
//   p    a predicate, may be inverted
//   a    a predicate that the comparison is combined with; k: one that it extends (.ex)
//   m    32 bits, present if the result is the high half (.hi)
//   x    32 bits in brackets           i    a decimal number
//   t    a truth table LUT[...]        S    a system register
//   L    a label                       B    a barrier
//   A    an address                    C    a location in constant memory
//   D    registers as wide as the access;  M: the same, the comparator of .cmpexch
//   G    a barrier or a register
//   V    a value of any file: register, predicate, barrier
// Types of destinations: r, R (64 bits), W (as wide as the first type), p, D, B, G, V. All but G
// may be omitted.
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
    NAK_VALUE, // 32 bits per lane
    NAK_CARRY, // a 32-bit sum and its carries
    NAK_WIDE,  // up to 64 bits per lane
    NAK_TEST,  // one bit per lane
    NAK_PREDICATES,
    NAK_LANES, // moves values between lanes
    NAK_MOVE,  // copies a value of any file
    NAK_MEMORY,
    NAK_CONSTANT,
    NAK_SYSTEM, // system registers
    NAK_BARRIER,
    NAK_BRANCH,
    NAK_END,
    NAK_GROUP, // the workgroup barrier
    NAK_SKIP,  // no modelled effect
    NAK_STOP,  // no lane may come here
};

struct nak_op {
    const char *name, *mods, *dst, *src, *source;
    enum nak_unit unit;
};
extern const struct nak_op nak_ops[NAK_IDS];

// clang-format off
// Modifiers, one row each: X(ID, text, what it is).
#define NAK_MODS(X)                                                                                \
    X(EQ, "eq", COMPARES) X(NE, "ne", COMPARES) X(LT, "lt", COMPARES) X(LE, "le", COMPARES)        \
    X(GT, "gt", COMPARES) X(GE, "ge", COMPARES) X(EQU, "equ", COMPARES) X(NEU, "neu", COMPARES)    \
    X(LTU, "ltu", COMPARES) X(LEU, "leu", COMPARES) X(GTU, "gtu", COMPARES)                        \
    X(GEU, "geu", COMPARES) X(NUM, "num", COMPARES) X(NAN, "nan", COMPARES)                        \
    X(U8, "u8", INTEGER) X(I8, "i8", INTEGER) X(U16, "u16", INTEGER) X(I16, "i16", INTEGER)        \
    X(U32, "u32", INTEGER) X(I32, "i32", INTEGER) X(U64, "u64", INTEGER) X(I64, "i64", INTEGER)    \
    X(F16, "f16", FLOAT) X(F32, "f32", FLOAT) X(F64, "f64", FLOAT)                                 \
    X(B32, "b32", BITS) X(B64, "b64", BITS) X(B128, "b128", BITS)                                  \
    X(RE, "re", OTHER) X(RM, "rm", OTHER) X(RP, "rp", OTHER) X(RZ, "rz", OTHER)                    \
    X(FTZ, "ftz", OTHER) X(EX, "ex", OTHER) X(X, "x", OTHER) X(HI, "hi", OTHER) X(W, "w", OTHER)   \
    X(L, "l", OTHER) X(R, "r", OTHER) X(SAMT, "samt", OTHER) X(WRAP, "wrap", OTHER)                \
    X(CLAMP, "clamp", OTHER) X(ANY, "any", OTHER) X(ALL, "all", OTHER) X(IDX, "idx", OTHER)        \
    X(UP, "up", OTHER) X(DOWN, "down", OTHER) X(BFLY, "bfly", OTHER)                               \
    X(AND, "and", COMBINES) X(OR, "or", COMBINES) X(XOR, "xor", COMBINES)                          \
    X(SUM, "sum", COMBINES) X(MIN, "min", COMBINES) X(MAX, "max", COMBINES)                        \
    X(ADD, "add", COMBINES) X(INC, "inc", COMBINES) X(DEC, "dec", COMBINES)                        \
    X(EXCH, "exch", COMBINES) X(CMPEXCH, "cmpexch", COMBINES)                                      \
    X(PACKED, "packed", OTHER) X(GLOBAL, "global", OTHER) X(SHARED, "shared", OTHER)               \
    X(LOCAL, "local", OTHER) X(A64, "a64", OTHER) X(A32, "a32", OTHER) X(WEAK, "weak", OTHER)      \
    X(CONSTANT, "constant", OTHER) X(STRONG, "strong", OTHER) X(CTA, "cta", OTHER)                 \
    X(GPU, "gpu", OTHER) X(SYS, "sys", OTHER) X(SC, "sc", OTHER) X(EF, "ef", OTHER)                \
    X(EL, "el", OTHER) X(LU, "lu", OTHER) X(SYNC, "sync", OTHER) X(32, "32", OTHER)                \
    X(CLEAR, "clear", OTHER)
// clang-format on
enum nak_mod_kind { MOD_OTHER, MOD_COMPARES, MOD_INTEGER, MOD_FLOAT, MOD_BITS, MOD_COMBINES };
#define X(id, text, kind) MOD_##id,
enum nak_mod { MOD_NONE, NAK_MODS(X) MODS };
#undef X
struct nak_mod_row {
    const char *text;
    enum nak_mod_kind kind;
};
extern const struct nak_mod_row nak_mods[MODS];
#define HAS(in, mod) ((in)->mods[(mod) / 64] >> ((mod) % 64) & 1)

enum nak_kind {
    OPERAND_NONE,   // null, or omitted
    OPERAND_R,      // registers
    OPERAND_UR,     // uniform registers, one value per warp
    OPERAND_P,      // predicates; pT is number PT, pF is its inverse
    OPERAND_UP,     // uniform predicates
    OPERAND_B,      // barriers
    OPERAND_NUMBER, // also labels (index of the instruction), tables, system registers
    OPERAND_C,      // constant memory: buffer `reg`, byte `value` (plus the register `index`)
    OPERAND_A,      // an address: register(s), uniform register(s), offset
};
enum {
    PT = 7,
    PREDICATES = 8,
    UNIFORMS = 64,
    REGISTERS = 256,
    BARRIERS = 16,
};
#define NO_REGISTER UINT32_MAX

// The register files. Before register allocation each holds any number of values, "%r12": the first
// one has the number after the last register of the file.
enum nak_file { NAK_R, NAK_UR, NAK_P, NAK_UP, NAK_B, NAK_FILES };
enum { NAK_SSA_END = 1 << 20 }; // the numbers of values are below this
struct nak_files {
    struct arena *a;
    uint32_t size[NAK_FILES];          // one more than the highest number that the code names
    uint32_t *number[NAK_FILES];       // [SSA number]: the value's number in the file; 0: none yet
    uint32_t *phi;                     // the same for phis, which are registers of the machine
    uint32_t numbers[NAK_FILES], phis; // sizes of these arrays
};

struct nak_operand {
    enum nak_kind kind;
    char type;
    uint32_t reg;
    uint8_t count;        // number of registers: reg, reg + 1 ...
    const uint32_t *list; // the registers of a vector of values; NULL: as above
    bool neg, abs;        // neg: for predicates and bits it means "not"
    uint8_t swizzle;      // of halves: 0 none, 1 .xx, 2 .yy
    bool uniform;         // OPERAND_A: `reg` is uniform
    bool negative;        // OPERAND_A: the offset has a sign
    uint32_t index;       // OPERAND_C: a register to add; OPERAND_A: further register(s)
    bool index_uniform;
    uint8_t index_count, shift; // OPERAND_A: number of `index` registers; shift of `reg`
    const uint32_t *index_list; // like `list`
    uint32_t value;
};

enum { NAK_OPERANDS = 8 };
struct nak_inst {
    enum nak_id id;
    uint32_t line;
    uint8_t dst, n; // number of destinations; of all operands: destinations first, one per letter
    struct nak_operand o[NAK_OPERANDS];
    struct nak_operand guard; // OPERAND_NONE: unconditional
    uint64_t mods[2];
    enum nak_mod cmp, type[2], set; // if present; `set`: and, or, xor, add ...
    uint32_t lut;
    bool uniform; // its destination is uniform: runs once for the fragment
};

enum { SASS_BYTES = 16 }; // of each instruction
struct nak_program {
    struct isa_code code;
    struct nak_inst *inst;
    uint32_t count;
    uint32_t size[NAK_FILES];       // registers of each file
    const struct cuda_source *cuda; // NULL: NVK's shader
    uint32_t required[3];           // PTX: the size of a workgroup that it names; {0}: none
    uint32_t parameters_at;         // byte of the first parameter of a kernel of CUDA
    uint32_t *place, places;        // SASS: [byte / SASS_BYTES], index of the instruction there
    uint8_t *table;                 // SASS: what constant buffer 2 holds, `table_bytes` of it
    uint32_t table_bytes;
    bool signed_products;   // the shader has signed 64-bit products
    bool unsigned_products; // and unsigned ones; the text does not distinguish them
};

// Parses an operand of the type `type` (operand.c), and counts its registers in *f. False for
// labels, which the caller reads.
bool nak_operand_read(struct nak_files *f, const char *s, size_t n, char type,
                      struct nak_operand *out);
// Parses a predicate: "p0", "!up1".
bool nak_predicate_read(struct nak_files *f, const char *s, size_t n, struct nak_operand *out);
// Adds a modifier to an instruction: its comparison, a type, or what it combines. (read.c)
void nak_modify(struct nak_inst *in, enum nak_mod m);
// Returns a register of the file `r` that the code does not name: for phi number `k`, always the
// same one; for UINT32_MAX a new one. UINT32_MAX if `k` is too large.
uint32_t nak_files_extra(struct nak_files *f, uint32_t k);
// Register `k` of an operand.
static inline uint32_t nak_register(const struct nak_operand *o, uint32_t k)
{
    return o->list ? o->list[k] : o->reg + k;
}

void nak_run(struct arena *a, const struct isa_code *code, const struct spv_case *c,
             const struct isa_options *o, struct isa_result *out);

#endif
