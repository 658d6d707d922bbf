// SPDX-License-Identifier: Apache-2.0
//
// What code of ACO before the machine code has beyond instructions: moves of several registers at
// once, and after instruction selection blocks that each lane leaves by its own edge. Private to
// backends/isa/amd/.
#ifndef TF_ACO_PROGRAM_H
#define TF_ACO_PROGRAM_H

#include "program.h"

// Some bits of one register are moved to another register.
struct aco_piece {
    bool to_vector, from_vector;
    bool all;    // a vector register of all lanes, active or not
    bool number; // the source is `value`
    bool mask;   // a bit per lane: only bits of active lanes change
    uint16_t to, from;
    uint8_t to_bit, from_bit, bits;
    uint8_t word; // of a mask
    uint32_t value;
};
// Pieces that are all read before any is written.
struct aco_moves {
    uint32_t first, count;
};

// How a wave leaves a block. The numbers are those of ACO's kinds of blocks.
enum aco_leave {
    LEAVE_ONE,      // by the only edge
    LEAVE_UNIFORM,  // by a condition of the whole wave
    LEAVE_BRANCH,   // each lane by its own condition
    LEAVE_INVERT,   // to the other side of a branch
    LEAVE_BREAK,    // the lanes leave the loop
    LEAVE_CONTINUE, // the lanes go to the loop's header
    LEAVE_LOOP,     // on to the header, or out of the loop if no lane is left in it
};
enum { ACO_NONE = UINT32_MAX };
// Instructions that are not machine code.
enum {
    ACO_MOVE = AMD_IDS, // offset, offset1: first piece, number of pieces
    ACO_CLOBBER,        // o[0]: a register that is left with a random value
    ACO_BRANCH,         // o[0]: the condition; o[1], o[2]: where to if it is 0, or not
    ACO_ARRIVE,         // offset: the block that begins
    ACO_LEAVE,          // offset: the block that ends
    ACO_REDUCE, // o[0], o[1]: result, value; offset: operation << 8 | bits; offset1: cluster
    ACO_INCLUSIVE_SCAN,
    ACO_EXCLUSIVE_SCAN,
};
// A block after instruction selection. Lanes follow its logical edges, the wave the linear ones.
struct aco_block {
    uint32_t start; // index of an instruction
    uint32_t line;
    enum aco_leave leave;
    uint32_t logical[2], linear[2]; // blocks that follow, in order; ACO_NONE: none
    uint32_t header, exit;          // of the innermost loop; ACO_NONE: none
    struct amd_operand condition;   // of LEAVE_UNIFORM and LEAVE_BRANCH: true leads to the first
    struct aco_moves arrive;        // at its start: slots to phis
    struct aco_moves phi[2];        // along logical edges: values to slots
    struct aco_moves linear_phi[2]; // along linear edges
};

struct aco_code {
    bool by_lane; // after instruction selection: exec follows from the blocks
    struct aco_piece *piece;
    struct aco_block *block;
    uint32_t blocks;
    uint32_t most; // pieces of the longest moves
};

// Executes an instruction of ACO's own (aco_run.c). False with m->out filled.
struct amd_machine;
struct amd_wave;
bool aco_step(struct amd_machine *m, struct amd_wave *w, const struct amd_inst *in);

#endif
