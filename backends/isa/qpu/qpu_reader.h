// SPDX-License-Identifier: Apache-2.0
//
// What the readers of machine code and of VIR share. Private to backends/isa/qpu/.
#ifndef TF_QPU_READER_H
#define TF_QPU_READER_H

#include "isa/isa_text.h"
#include "qpu.h"
#include "qpu_program.h"

struct qpu_reader {
    struct arena *a;
    struct isa_result *why;
    uint32_t line;
    bool vir;           // has registers "t5" too, and one operation in an instruction
    uint32_t registers; // one more than the highest that is named
    VEC(struct qpu_inst) inst;
    VEC(struct qpu_uniform) uniform;
};

static inline bool qpu_reader_refuse(const struct qpu_reader *r, const char *what, struct word t)
{
    return word_refuse(r->why, r->line, what, t);
}

static inline bool qpu_is_branch(struct word t)
{
    return word_starts(t, "b ") || word_starts(t, "bu ") || word_starts(t, "b.") ||
           word_starts(t, "bu.");
}

struct word qpu_trimmed(struct word t);
// Takes what precedes `mark` off the text; all of it, and an empty rest, if there is none.
struct word qpu_take(struct word *t, char mark);
// Reads "mov.ifa rf3, 1" for the ALU 'A' or 'M'.
bool qpu_operation_read(struct qpu_reader *r, struct word t, char unit, struct qpu_alu *out);
// Reads "rf3", "tmud", "-".
bool qpu_target_read(struct qpu_reader *r, struct word t, struct qpu_target *out);
// Reads "thrsw", "ldunif".
bool qpu_signal_read(struct qpu_reader *r, struct word t, struct qpu_inst *out);
// Reads "bu.allna  160, r:unif", all but its target; *to: the 160.
bool qpu_branch_read(struct qpu_reader *r, struct word t, struct qpu_inst *out, uint32_t *to);
// Takes the uniform "(...)" off the end of a line, and adds it to the stream.
bool qpu_uniform_take(struct qpu_reader *r, struct word *t, bool *has);
// Checks that an instruction has a uniform if it takes one.
bool qpu_uniform_fits(struct qpu_reader *r, const struct qpu_inst *in, bool has, struct word t);
// Checks the destination of an operation.
bool qpu_target_fits(struct qpu_reader *r, const struct qpu_alu *x, struct word t);
// Adds an instruction.
bool qpu_inst_add(struct qpu_reader *r, const struct qpu_inst *in);
// Puts the numbers into the line `t` of VIR, number `line`, in the place of "-nan". Where they are
// not known, that stays.
struct word qpu_with_numbers(struct arena *a, const struct qpu_vir_texts *x, uint32_t line,
                             struct word t);

#endif
