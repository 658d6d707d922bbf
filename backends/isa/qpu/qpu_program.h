// SPDX-License-Identifier: Apache-2.0
//
// The program that the machine runs: an array of instructions, and the stream of uniforms.
#ifndef TF_QPU_PROGRAM_H
#define TF_QPU_PROGRAM_H

#include "qpu.h"

enum { QPU_LANES = 16, QPU_REGISTERS = 64 };

enum qpu_id {
#define ALU(id, name, units, types, value, carry, source) QPU_##id,
#define OTHER(id, name, units, types, source)             QPU_##id,
#include "qpu_ops.def"
    QPU_IDS
};

struct qpu_op {
    const char *name;
    bool alu;          // computes each lane's result from values of the same lane
    const char *units; // 'A' the add ALU has it, 'M' the multiply ALU
    // Of the result and the sources: 'u' integer, 'f' float, 'h' two half floats, '-' no result.
    const char *types;
    const char *source;
};
extern const struct qpu_op qpu_ops[QPU_IDS];

enum qpu_cond { COND_NONE, COND_A, COND_NOT_A, COND_B, COND_NOT_B };
// What an instruction does to the flags, from its result: Z zero, N negative, C carry. A push moves
// A to B, then sets A; an update changes A alone: and, or the negation of or.
enum qpu_flag { FLAG_NONE, FLAG_PUSH, FLAG_AND, FLAG_AND_NOT, FLAG_NOR, FLAG_NOR_NOT };

enum qpu_place {
    PLACE_NONE, // "-"
    PLACE_REGISTER,
    PLACE_UNIFA, // the address that ldunifa reads
    PLACE_TMUD,  // a row of data for the next access
    PLACE_TMUA,  // the addresses of an access, which starts it
    PLACE_TMUAU, // the same; the next uniform says which access
    PLACE_SYNCB, // the workgroup barrier
};
struct qpu_target {
    enum qpu_place place;
    uint32_t reg; // of PLACE_REGISTER
};

enum qpu_unpack {
    UNPACK_NONE,
    UNPACK_ABS,
    UNPACK_LOW,       // float from the half in the low bits
    UNPACK_HIGH,      // from the high bits
    UNPACK_BOTH_LOW,  // of two halves: the low one twice
    UNPACK_BOTH_HIGH, // the high one twice
    UNPACK_SWAP,
    UNPACK_HALVES, // of two halves: a float's, rounded, twice
};
struct qpu_operand {
    bool immediate;
    uint32_t v; // register, or value
    enum qpu_unpack unpack;
};

enum qpu_pack { PACK_NONE, PACK_LOW, PACK_HIGH }; // a float's half, the other bits stay

struct qpu_alu {
    enum qpu_id id;
    enum qpu_cond cond;
    enum qpu_flag flag;
    char on; // 'z', 'n', 'c'
    struct qpu_target to;
    enum qpu_pack pack;
    struct qpu_operand src[2];
};

// A row of values that comes from elsewhere than the ALUs.
enum qpu_arrival { ARRIVAL_UNIFORM, ARRIVAL_UNIFA, ARRIVAL_TMU };
struct qpu_load {
    enum qpu_arrival from;
    struct qpu_target to;
};

enum qpu_branch { BRANCH_ALWAYS, BRANCH_A0, BRANCH_NA0, BRANCH_ALL, BRANCH_ANY };

struct qpu_inst {
    uint32_t line;
    struct qpu_alu alu[2]; // add, multiply
    struct qpu_load load[2];
    uint32_t loads;
    bool thread_switch;
    bool jumps;
    enum qpu_branch branch;
    bool branch_not; // for ALL, ANY: of the lanes without flag A
    bool started;    // lanes that were not started do not count
    uint32_t target;
    uint32_t uniform; // of VIR: the place of its own in the stream
};

enum qpu_uniform_kind {
    UNIFORM_CONSTANT,
    UNIFORM_SSBO,
    UNIFORM_SSBO_SIZE,
    UNIFORM_GROUPS, // number of workgroups, of component `v`
    UNIFORM_BASE,   // base workgroup
    UNIFORM_SHARED,
    UNIFORM_SPILL,
    UNIFORM_SPILL_SIZE,
    UNIFORM_UNKNOWN,
};
struct qpu_uniform {
    enum qpu_uniform_kind kind;
    uint32_t v, line;
    const char *text; // of UNIFORM_UNKNOWN
};

struct qpu_program {
    struct isa_code code;
    bool vir;           // nothing has delay slots, and the last instruction ends the thread
    uint32_t registers; // from QPU_REGISTERS on they are VIR's
    struct qpu_inst *inst;
    uint32_t count;
    struct qpu_uniform *uniform;
    uint32_t uniforms;
    uint8_t use[SPV_CASE_BUFFERS]; // what the code does with each index of a buffer
    uint32_t indices;
};

// Reads what the code does with each index of a buffer from the intermediate code in the text.
bool qpu_read_use(struct arena *a, struct qpu_program *p, const char *text, struct isa_result *why);
void qpu_run(struct arena *a, const struct isa_code *code, const struct spv_case *c,
             const struct isa_options *o, struct isa_result *out);

#endif
