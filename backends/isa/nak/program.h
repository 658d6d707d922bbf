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
