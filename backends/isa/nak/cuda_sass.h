// SPDX-License-Identifier: Apache-2.0
//
// Operands of SASS. Private to backends/isa/nak.
#ifndef TF_NAK_CUDA_SASS_H
#define TF_NAK_CUDA_SASS_H

#include "cuda.h"

// Each returns false if the text is something else.
bool sass_predicate(struct word t, struct nak_operand *out);
bool sass_source(struct word t, uint32_t count, struct nak_operand *out); // `count` registers
bool sass_address(struct word t, struct nak_operand *base, uint32_t *offset);
// Reads the line's operands by letters: r register destination, 2 of 64 bits, u source, q of 64
// bits, p predicate, i number, L label, B barrier, * ignored. False with the refusal in r->why.
bool sass_operands(struct cuda_reader *r, const char *types, struct nak_operand *o);
// Are all modifiers of the operation among these? " A B "; false with the refusal in r->why.
static inline bool sass_fits(struct cuda_reader *r, const char *mods)
{
    return cuda_only(r, mods) || cuda_refuse(r, "the operation", r->whole);
}

// Reads an operation that splits or joins lanes; *found: it is one (cuda_flow.c).
bool sass_flow(struct cuda_reader *r, bool *found);
enum { SASS_TABLE_MOST = 1 << 16 };
// Reads a line of a section that is not code, or the directive that starts a section; *code: it is
// a line of code (cuda_table.c).
bool sass_section(struct cuda_reader *r, struct word t, bool *code);
// Each BSSY names the instruction after a BSYNC of its barrier: then it does not matter which of
// them determines where lanes continue. Returns count from the start of the code.
bool sass_flow_right(struct cuda_reader *r);

#endif
