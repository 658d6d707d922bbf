// SPDX-License-Identifier: Apache-2.0
//
// A machine that executes the machine code of Qualcomm's GPUs (Adreno 6xx and 7xx) as Turnip prints
// it. Branches and (jp) marks determine which lanes run together: README.md.
#ifndef TF_IR3_H
#define TF_IR3_H

#include "isa/isa.h"

// Reads a program ("IR3 Assembly") for waves of `size` lanes. The text may be any bytes. NULL with
// *why filled: `size` is not 1 to 128, not a program, or something unsupported.
const struct isa_code *ir3_read(struct arena *a, const char *text, uint32_t size,
                                struct isa_result *why);

struct ir3_source {
    const char *text;   // the code after a pass, as ir3 prints it
    const char *native; // the machine code's text: shows constants and arguments; NULL: unknown
    const char *nir;    // the last intermediate code: shows signs; NULL: unknown
};
// Reads ir3's code after one of its passes. The same as ir3_read in all else.
const struct isa_code *ir3_level_read(struct arena *a, const struct ir3_source *s, uint32_t size,
                                      struct isa_result *why);

// Returns the text that ir3_read reads, of a compute shader without that text: from the data of a
// VkPipelineCache of Turnip (Mesa 26.2) that holds nothing else. The data may be any bytes. NULL:
// they are not that, or have an instruction that is not known here.
const char *ir3_cached(struct arena *a, const void *data, size_t bytes);

// Prints the instruction of a word as that text does, without a newline: number `at` of `count`.
// *target is the number of the instruction that it may jump to. False: it is not known here.
enum { IR3_LINE = 128 };
#define IR3_NO_TARGET UINT32_MAX
bool ir3_word_line(uint64_t word, uint32_t at, uint32_t count, char out[IR3_LINE],
                   uint32_t *target);

// ---- the table of operations (ir3_ops.def) ---------------------------------

struct ir3_row {
    const char *name;
    bool alu;              // computes each lane's result from values of the same lane
    const char *dst, *src; // types, see ir3_program.h
    const char *source;    // documentation of the operation
};
// Fills at most `max` rows; returns the number of all rows, which may be more.
uint32_t ir3_rows(struct ir3_row *out, uint32_t max);

#endif
