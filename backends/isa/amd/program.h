// SPDX-License-Identifier: Apache-2.0
//
// The program that the machine runs: instructions with typed operands. Private to backends/isa/.
#ifndef TF_AMD_PROGRAM_H
#define TF_AMD_PROGRAM_H

#include "amd.h"

// The unit that executes an instruction.
enum amd_unit {
    AMD_SKIP,    // no modelled effect: hints, hazards, caches
    AMD_SALU,    // one value for the wave; the expression computes r and may set scc
    AMD_SCMP,    // only sets scc
    AMD_VALU,    // one value per lane
    AMD_VCMP,    // one bit per lane
    AMD_VCARRY,  // one value and one bit per lane
    AMD_VPACK,   // two halves per lane
    AMD_CONTROL, // branches, waits, barriers: code in run.c
    AMD_LANES,
    AMD_SMEM,    // scalar loads from an address
    AMD_SBUFFER, // scalar loads from a buffer
    AMD_BUFFER,
    AMD_BUFFER_ATOMIC,
    AMD_GLOBAL,
    AMD_GLOBAL_ATOMIC,
    AMD_SCRATCH,
    AMD_LDS,
    AMD_LDS_ATOMIC,
};

// Sets of units.
enum {
    AMD_SCALARS = 1 << AMD_SKIP | 1 << AMD_SALU | 1 << AMD_SCMP,
    AMD_VECTORS = 1 << AMD_VALU | 1 << AMD_VCMP | 1 << AMD_VCARRY | 1 << AMD_VPACK,
    AMD_SCALAR_LOADS = 1 << AMD_SMEM | 1 << AMD_SBUFFER,
    AMD_MEMORY = AMD_SCALAR_LOADS | 1 << AMD_BUFFER | 1 << AMD_BUFFER_ATOMIC | 1 << AMD_GLOBAL |
                 1 << AMD_GLOBAL_ATOMIC | 1 << AMD_SCRATCH | 1 << AMD_LDS | 1 << AMD_LDS_ATOMIC,
};
static inline bool amd_unit_in(enum amd_unit unit, uint32_t set)
{
    return set >> unit & 1;
}

// Types of operands, one letter each:
//   u i  32 bits, unsigned and signed      h j  16 bits      q l  64 bits
//   f    32-bit float                      e    16-bit       d    64-bit
//   m    one bit per lane, in a mask as wide as the wave    k    a signed 16-bit number
//   n    a number or a register; the operation decides       x    a label
//   1 2 3 4 8 G   that many registers (G: 16)
//   B b S s       a byte or a short of memory, zero-extended or sign-extended
//   H I           a short to or from the low or the high half of a register
//   C c P p       a byte, zero-extended or sign-extended, to the low (C c) or high half (P p)
enum amd_id {
#define SALU(id, names, dst, src, value, scc_, section)    AMD_##id,
#define SCMP(id, names, src, value, section)               AMD_##id,
#define VALU(id, names, dst, src, value, section)          AMD_##id,
#define VCMP(id, names, src, value, section)               AMD_##id,
#define VCARRY(id, names, dst, src, value, carry, section) AMD_##id,
#define VPACK(id, names, dst, src, value, section)         AMD_##id,
#define OTHER(id, names, unit, dst, src, section)          AMD_##id,
#include "ops.def"
    AMD_IDS
};

struct amd_op {
    const char *names;
    enum amd_unit unit;
    const char *dst, *src; // types
    const char *section;
};
extern const struct amd_op amd_ops[AMD_IDS];

// Registers of the scalar file, by their numbers in gfx10 machine code (used for all generations).
enum {
    REG_FLAT = 102, // gfx9's flat_scratch
    REG_VCC = 106,
    REG_TTMP = 108,
    REG_M0 = 124,
    REG_NULL = 125,
    REG_EXEC = 126,
    REG_SCALARS = 128,
    REG_VCCZ = 251, // sources that are computed when they are read
    REG_EXECZ = 252,
    REG_SCC = 253,
    REG_VIRTUAL = 256, // scalars without a register yet: code before register allocation
    REG_VECTORS = 256,
};

enum amd_kind {
    OPERAND_NONE,
    OPERAND_VECTOR,
    OPERAND_SCALAR,
    OPERAND_NUMBER,
    OPERAND_LABEL,
    OPERAND_OFF
};

// The part of a 32-bit source or destination that is used (SDWA).
enum amd_part { PART_ALL, PART_BYTE0, PART_BYTE1, PART_BYTE2, PART_BYTE3, PART_WORD0, PART_WORD1 };

struct amd_operand {
    enum amd_kind kind;
    char type;     // a letter of the list above
    uint16_t reg;  // number of the first register
    uint8_t count; // number of registers
    bool high;     // uses the upper half of a register
    bool neg, abs, sext;
    enum amd_part part;
    uint64_t value; // of a number, converted to its type; of a label, the index of its instruction
};

enum amd_dpp {
    DPP_NONE,
    DPP_QUAD_PERM,
    DPP_ROW_SHL,
    DPP_ROW_SHR,
    DPP_ROW_ROR,
    DPP_ROW_MIRROR,
    DPP_ROW_HALF_MIRROR,
    DPP_ROW_BCAST,
    DPP_ROW_SHARE,
    DPP_ROW_XMASK,
    DPP_WAVE_SHL,
    DPP_WAVE_SHR,
    DPP_WAVE_ROL,
    DPP_WAVE_ROR,
    DPP_8,
};
enum amd_swizzle { SWIZZLE_NONE, SWIZZLE_QUAD, SWIZZLE_BITS, SWIZZLE_ROTATE };
enum amd_unused { UNUSED_PAD, UNUSED_SEXT, UNUSED_PRESERVE };

enum { AMD_OPERANDS = 6 };
struct amd_inst {
    enum amd_id id;
    uint32_t line;
    uint32_t n; // number of operands; destinations come first
    uint32_t dst;
    struct amd_operand o[AMD_OPERANDS];
    bool with_next; // first of a VOPD pair: both read before either writes
    bool exec;      // a comparison that writes exec
    bool clamp, offen, glc;
    bool fi, bound; // DPP: fetch inactive, bound_ctrl
    uint8_t omod;   // output modifier: 0 none, 1 times 2, 2 times 4, 3 half
    enum amd_dpp dpp;
    uint8_t dpp_value, perm[8];
    uint8_t row_mask, bank_mask;
    enum amd_unused unused;
    uint8_t op_sel, op_sel_hi, neg_lo, neg_hi;
    enum amd_swizzle swizzle;
    uint8_t and_mask, or_mask, xor_mask;
    int32_t offset, offset1;
    int16_t vmcnt, lgkmcnt; // of s_waitcnt; -1: no wait
};
// Returns an instruction without modifiers.
static inline struct amd_inst amd_plain(uint32_t line)
{
    return (struct amd_inst){.line = line,
                             .row_mask = 15,
                             .bank_mask = 15,
                             .offset1 = -1,
                             .op_sel_hi = 255,
                             .vmcnt = -1,
                             .lgkmcnt = -1};
}

// One argument that arrives in registers.
struct amd_argument {
    bool vector;
    uint16_t reg;
    uint8_t count;
};
enum { AMD_ARGUMENTS = 32 };

// The content of LLVM's assembly other than instructions (llvm.c).
enum { AMD_SYMBOLS = 64 };
struct amd_image {
    struct amd_symbol {
        const char *name; // of a data symbol
        uint32_t bytes;
        const struct amd_global *global; // the buffer of the case that it is; NULL: none
    } symbol[AMD_SYMBOLS];
    uint32_t symbols;
    struct {
        struct amd_fixup {
            uint32_t inst, operand, after; // after: the base of a relative address
            const char *name;
            bool high, got;
        } *v;
        size_t n, cap;
    } fixups;
    bool in_data, ended;
    uint32_t user_scalars; // number of user SGPRs; the workgroup's id follows them
    bool private_buffer;   // before gfx11: the first four user SGPRs are scratch's descriptor
    bool dispatch_ptr, queue_ptr, kernarg_ptr; // the next user SGPRs, in this order, two each
    bool private_offset; // before gfx11: a wave's scratch offset, after the workgroup's id
    bool group_id[3];
    uint32_t entry;
};

struct aco_code;
struct amd_program {
    struct isa_code code;
    const struct aco_code *aco; // code before the machine code; NULL: machine code
    struct amd_image *image;    // NULL: a shader from RADV
    enum amd_gen gen;
    uint32_t wave;             // number of lanes
    uint32_t scalars, vectors; // number of registers: REG_SCALARS and REG_VECTORS, or more
    uint32_t named;            // vector registers from here on are neither read nor written
    struct amd_inst *inst;
    uint32_t count;
    bool has_abi; // the driver says where arguments are: abi; else `argument` and the sets after it
    struct amd_abi abi;
    struct amd_argument argument[AMD_ARGUMENTS];
    uint32_t arguments;
    uint32_t pointers;  // bit i: argument i is used as an address
    uint32_t wave_info; // bit i: argument i holds the wave's index in its workgroup and the number
                        // of waves
    uint32_t used;      // bit i: argument i is used
    bool known;         // the three sets above are known (Mesa 23 and newer report them)
    // The first of two vector registers that lanes i and i + 32 share (RDNA 1 and 2, waves of 64:
    // "Wave64 shared VGPRs"); 0: none.
    uint32_t shared;
};

// Returns a program without instructions. NULL with *why filled: another wave size.
struct amd_program *amd_program_new(struct arena *a, enum amd_gen gen, uint32_t wave,
                                    struct isa_result *why);
// Parses an operand (operand.c). `type` determines how a number is converted.
bool amd_operand_read(const char *s, size_t n, char type, struct amd_operand *out);
// Parses a modifier after the operands: "offset:4", "row_shr:1".
bool amd_modifier_read(struct amd_inst *in, const char *s, size_t n);
// Decodes an instruction that LLVM's disassembler does not know from the two lines that it printed.
// Returns the correct text; NULL: not known here either.
const char *amd_encoding_text(struct arena *a, enum amd_gen gen, const char *first, size_t n,
                              const char *second, size_t second_n);
// Reads a line of LLVM's assembly that is neither an instruction nor a label (llvm.c).
bool amd_directive(struct amd_program *p, const char *s, size_t n);
// Reads a label in a data section.
bool amd_data_label(struct arena *a, struct amd_program *p, const char *s, size_t n);
// Reads an operand "name@rel32@lo+4" of the instruction `inst`; false if it is not one.
bool amd_symbol_read(struct arena *a, struct amd_program *p, const char *s, size_t n, uint32_t inst,
                     uint32_t operand, uint32_t after, struct amd_operand *out);
// The artificial address of an instruction, of data, and of an entry in the table of data
// addresses.
uint64_t amd_code_address(uint32_t inst);
uint64_t amd_data_address(uint32_t symbol);
uint64_t amd_table_address(uint32_t symbol);

// Runs a program (run.c). It is isa_code.run.
void amd_run(struct arena *a, const struct isa_code *code, const struct spv_case *c,
             const struct isa_options *o, struct isa_result *out);

// Finds the registers of the arguments (abi.c).
bool amd_arguments_read(struct amd_program *p, const struct amd_source *s, struct isa_result *out);

#endif
