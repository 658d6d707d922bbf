// SPDX-License-Identifier: Apache-2.0
//
// The program that the machine runs: instructions with typed regions of registers. Private to
// backends/isa/eu/.
#ifndef TF_EU_PROGRAM_H
#define TF_EU_PROGRAM_H

#include "eu.h"

enum {
    EU_LANES = 32,
    EU_SOURCES = 3,
    EU_REGISTERS = 256,
    EU_GATHERED = 16, // registers of a payload that s0 names (Xe3)
    EU_SCALARS = 64,  // bytes of s0
    EU_TABLE = 240,   // entries of the binding table
    EU_SHARED_ENTRY = 254,
    EU_DISPATCH_MASK = 8, // bytes of sr0
    EU_VECTOR_MASK = 12,
};

enum eu_unit { UNIT_ALU, UNIT_FLOW, UNIT_SEND, UNIT_WAIT, UNIT_NONE };
enum eu_id {
#define ALU(id, name, srcs, integers, floats, source) EU_##id,
#define OTHER(id, name, srcs, unit, source)           EU_##id,
#include "eu_ops.def"
    EU_IDS
};
struct eu_op {
    const char *name;
    uint32_t srcs;
    enum eu_unit unit;
    bool integers, floats;
    const char *source;
};
extern const struct eu_op eu_ops[EU_IDS];

enum eu_type {
    TYPE_UB,
    TYPE_B,
    TYPE_UW,
    TYPE_W,
    TYPE_UD,
    TYPE_D,
    TYPE_UQ,
    TYPE_Q,
    TYPE_HF,
    TYPE_F,
    TYPE_DF,
    TYPE_V,  // immediate: eight signed nibbles
    TYPE_UV, // immediate: eight unsigned nibbles
    EU_TYPES
};
struct eu_type_form {
    const char *name;
    uint32_t bytes;
    bool sign, real;
};
extern const struct eu_type_form eu_types[EU_TYPES];

enum eu_file {
    FILE_NULL,
    FILE_GRF,
    FILE_NUMBER,
    FILE_FLAG,    // f0.0, as bytes
    FILE_ADDRESS, // a0.0, as bytes
    FILE_ACC,     // accumulators, one per element
    FILE_STATE,   // sr0: .2 is the dispatch mask, .3 the vector mask
    FILE_CE,      // lanes that are on
    FILE_NOTIFY,  // n0: gfx9's barrier
    FILE_SCALAR,  // s0 (Xe3), as bytes
    FILE_CONTROL, // cr0: modes of floats, which are not modelled
};

struct eu_operand {
    enum eu_file file;
    enum eu_type type;
    bool neg, abs;    // neg of a logic operation: not
    bool saturate;    // a destination
    uint32_t at;      // byte in its file
    uint32_t v, w, h; // region: element i is at (i / w) * v + (i % w) * h; destinations: i * h
    bool indirect;    // the byte is in a0, plus `offset`
    bool each;        // every w elements have an address of their own
    uint32_t address; // byte in a0
    int32_t offset;
    uint64_t number;
};

enum eu_condition { COND_NONE, COND_EQ, COND_NE, COND_LT, COND_LE, COND_GT, COND_GE };
enum eu_group { GROUP_NONE, GROUP_ANY, GROUP_ALL }; // of a predicate, over `grouped` lanes

struct eu_inst {
    enum eu_id id;
    uint32_t line;
    uint32_t size, first; // lanes first to first + size - 1
    bool all;             // (W): whatever is on
    bool predicated, inverted;
    uint32_t flag; // first bit of the predicate's flag
    enum eu_group group;
    uint32_t grouped; // 0: of the instruction's lanes
    enum eu_condition condition;
    uint32_t condition_flag;
    bool writes_acc;
    struct eu_operand dst, src[EU_SOURCES];
    uint32_t jip, uip; // indices of instructions
    bool branch;       // else.b, goto.b
    uint32_t table;    // bfn
    // Messages: the unit, registers as bytes (EU_NOWHERE: none), descriptors.
    uint32_t unit, to, from, data, descriptor, extended;
    bool ends;
    bool by_address; // the extended descriptor is in a0, at byte `extended`
    bool gathers;    // the payload is named by s0, from byte `gather` on
    uint32_t gather;
};
#define EU_NOWHERE UINT32_MAX

struct eu_binding {
    bool known;
    uint32_t set, binding;
};
// A kernel of OpenCL (eu_kernel.c). Arguments lie in one block of memory: its first bytes are also
// in the register after r0, the rest, and after it local ids of each thread, in memory that r0
// names.
enum eu_argument_kind { ARGUMENT_ADDRESS, ARGUMENT_SURFACE, ARGUMENT_GROUPS, ARGUMENT_ZERO };
struct eu_argument {
    enum eu_argument_kind kind;
    uint32_t at, size, index;
};
enum { EU_ARGUMENTS = 48 };
struct eu_kernel {
    bool known;
    struct eu_argument argument[EU_ARGUMENTS];
    uint32_t arguments, bytes; // of arguments
    uint32_t in_register;      // bytes
    uint32_t of_thread;        // bytes of local ids
    struct eu_place *place;    // the buffers of arguments
    uint32_t places;
};
enum { EU_KERNEL_BASE = 0x10000 }; // of that memory
// Reads "ze_info". False with *why filled: an argument of another kind.
bool eu_kernel_read(struct arena *a, const struct eu_source *s, struct eu_kernel *out,
                    struct isa_result *why);

struct eu_program {
    struct isa_code code;
    enum eu_gen gen;
    uint32_t size, grf;
    struct eu_inst *inst;
    uint32_t count;
    bool *joins; // [count + 1]: lanes may wait there
    struct eu_binding table[EU_TABLE];
    uint32_t push_bytes;         // before DG2
    uint32_t push_thread;        // where the thread's number stands in them
    bool local_ids, inline_data; // from DG2 on: in the payload
    bool fragment;
    bool reads_dispatched, reads_quads; // sr0.2; sr0.3
    struct eu_kernel kernel;
};

// Units that messages go to.
enum {
    SFID_GATEWAY = 3,
    SFID_RENDER = 5,
    SFID_SPAWNER = 7,
    SFID_DCRO = 9,
    SFID_DC0 = 10,
    SFID_DC1 = 12,
    SFID_SLM = 14,
    SFID_UGM = 15
};

// Parses an operand (eu_operand.c); `srcs`: of the operation (of three, regions have another form).
bool eu_operand_read(const char *s, size_t n, bool dst, uint32_t srcs, uint32_t grf,
                     struct eu_operand *out);
// Parses "16|m0".
bool eu_lanes_read(const char *s, size_t n, uint32_t *size, uint32_t *first);

// Runs a program (eu_run.c). It is isa_code.run.
void eu_run(struct arena *a, const struct isa_code *code, const struct spv_case *c,
            const struct isa_options *o, struct isa_result *out);

// ---- values (eu_alu.c) -----------------------------------------------------

__extension__ typedef __int128 eu_wide;
struct eu_value {
    eu_wide i; // of an integer type
    double f;  // of a float type
};
// A value of a type, with the modifiers of a source; `logic`: neg means not.
struct eu_value eu_value_of(const struct eu_operand *o, uint64_t bits, bool logic);
// The bits of a result in the destination's type. `real`: it was computed in floats.
uint64_t eu_bits_of(const struct eu_operand *dst, struct eu_value v, bool real);
// Evaluates an ALU row. `type`: of the first source; `to`: of the result.
struct eu_value eu_alu(enum eu_id id, enum eu_type type, enum eu_type to,
                       const struct eu_value v[EU_SOURCES]);
// Compares a with b.
bool eu_holds(enum eu_condition c, bool real, struct eu_value a, struct eu_value b);

#endif
