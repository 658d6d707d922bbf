// SPDX-License-Identifier: Apache-2.0
//
// The reader of ACO's code as it prints it, and the lines that it has read. Private to
// backends/isa/amd/.
#ifndef TF_ACO_READER_H
#define TF_ACO_READER_H

#include "aco_program.h"
#include "amd_form.h"
#include "isa/isa_text.h"

enum aco_value_kind { VALUE_REGISTER, VALUE_NUMBER, VALUE_UNDEFINED };
// A definition or an operand: "v1: %11:v[0]", "%4:s[0-1]", "hi(%5)", "0x1f", "s1: undef".
struct aco_value {
    enum aco_value_kind kind;
    struct word text;    // of a number
    bool vector, linear; // linear: of all lanes
    bool fixed;          // names a register
    bool neg, abs, high, low;
    uint8_t swizzle_lo, swizzle_hi, neg_lo, neg_hi; // of a packed operation: ".yx", "*[-1,1]"
    uint16_t reg;
    uint8_t byte;   // of the register
    uint32_t id;    // of the temporary; 0: none (exec)
    uint32_t bytes; // 0: not known before all lines are read
};
struct aco_line {
    uint32_t line;
    struct word op, rest; // rest: what follows the operands
    struct aco_value *def, *src;
    uint32_t defs, srcs;
};

// A register of the code before register allocation.
struct aco_temp {
    bool known, vector, linear;
    uint16_t reg;
    uint32_t bytes;
};
enum { ACO_TEMPS = 1 << 16, ACO_BLOCKS = 1 << 14, ACO_EDGES = 64 };

struct aco_text_block {
    uint32_t number, line, kind;
    uint32_t logical[ACO_EDGES], linear[ACO_EDGES]; // numbers of blocks before it
    uint32_t logicals, linears;
    uint32_t first, last; // lines of it
    uint32_t logical_end; // index of p_logical_end among all lines; ACO_NONE
    uint32_t succ[2], succs, lane_succ[2], lane_succs; // indices of blocks after it
};

struct aco_reader {
    struct arena *a;
    struct isa_result *why;
    struct amd_program *p;
    bool by_lane;   // after instruction selection
    bool temporary; // before register allocation
    bool old;       // of Mesa 22.3
    struct aco_temp *temp;
    uint32_t undefined[2]; // registers that nothing writes: scalar, vector; 0: none yet
    VEC(struct aco_line) line;
    VEC(struct aco_text_block) block;
    VEC(struct amd_inst) inst;
    VEC(struct aco_piece) piece;
    uint32_t most;
};

// aco_text.c: reads one line of a block; it becomes the last of r->line.
bool aco_line_read(struct aco_reader *r, struct word t, uint32_t number);
// Assigns each temporary its registers, and all operands their sizes.
bool aco_sizes(struct aco_reader *r);

// aco_build.c: adds an instruction of ops.def.
bool aco_build(struct aco_reader *r, const struct aco_line *l);
// Converts a value to an operand of a type.
bool aco_operand(struct aco_reader *r, const struct aco_line *l, const struct aco_value *v,
                 char type, struct amd_operand *out);
struct amd_inst *aco_inst(struct aco_reader *r, const struct aco_line *l, uint32_t id);
// aco_pseudo.c: adds one of ACO's own operations (p_...).
bool aco_pseudo(struct aco_reader *r, const struct aco_line *l);
// Adds the pieces of a move of `bytes` bytes, from byte `at` of the source on.
bool aco_move(struct aco_reader *r, const struct aco_line *l, const struct aco_value *to,
              uint32_t to_at, const struct aco_value *from, uint32_t at, uint32_t bytes);
// Adds an instruction that moves all pieces from `first` on.
void aco_moved(struct aco_reader *r, const struct aco_line *l, uint32_t first);

static inline bool aco_refuse(struct aco_reader *r, const struct aco_line *l, const char *what)
{
    return word_refuse(r->why, l->line, what, l->op);
}

#endif
