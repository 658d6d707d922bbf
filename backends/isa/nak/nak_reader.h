// SPDX-License-Identifier: Apache-2.0
//
// The state of the reader. Private to backends/isa/nak.
#ifndef TF_NAK_READER_H
#define TF_NAK_READER_H

#include "isa/isa_text.h"
#include "program.h"

enum { LABELS = 4096, INSTRUCTIONS = 200000 };

struct nak_reader {
    struct arena *a;
    struct isa_result *why;
    struct nak_program *p;
    struct nak_files files;
    VEC(struct nak_inst) inst;
    uint32_t label[LABELS]; // index of the instruction, plus one; 0: undefined
    uint32_t line;
    VEC(struct word) t; // the words of the line
};

// Adds an instruction; false if there are too many.
bool nak_reader_add(struct nak_reader *r, const struct nak_inst *in);
// Is word `i` of the line the name of an operation that copies several values? These are the phis'
// (phi_src at a block's end, phi_dst at the start of its successor), par_copy and swap.
bool nak_copies_begin(const struct nak_reader *r, size_t i);
// Reads such a line as copies, under this guard. False with the refusal in r->why.
bool nak_copies_read(struct nak_reader *r, size_t at, const struct nak_operand *guard);
// The same for a swap of two registers: words `at` to `equals` are its destinations.
bool nak_swap_read(struct nak_reader *r, size_t at, size_t equals, const struct nak_operand *guard);

#endif
