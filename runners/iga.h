// SPDX-License-Identifier: Apache-2.0
//
// Intel's disassembler (libiga64), loaded at run time. Private to runners/.
#ifndef TF_RUNNERS_IGA_H
#define TF_RUNNERS_IGA_H

#include "base/base.h"

// IGA's numbers of generations.
#define IGA_XE(major, minor) ((uint32_t)(major) << 24 | (minor))
#define IGA_GEN(major)       ((uint32_t)(major) << 16)

struct iga;
// Loads the library `path` for a generation. NULL: it is not there or does not know that one;
// *loaded says which.
struct iga *iga_open(const char *path, uint32_t generation, bool *loaded);
void iga_close(struct iga *iga);
// Returns the text of a program, valid until the next call; NULL: none. Padding and constants may
// follow the program: an error in them does not matter.
const char *iga_text(struct iga *iga, const void *code, uint32_t size);
// The text of the instruction at `code`, valid until the next call; NULL: it is none. Jumps have
// distances in bytes for labels. 16 bytes are read.
const char *iga_instruction(struct iga *iga, const void *code);

// The same text as iga_text's up to the end of the program, but for blanks and comments, from forms
// of instructions that are kept. (iga_lines.c)
struct iga_lines;
// Where instructions have the numbers of registers. From gfx12 on they have marks of the
// scoreboard, too; the text may have those of another instruction.
enum iga_layout { IGA_GFX9, IGA_GFX12, IGA_XE2 };
// `iga` must outlive the result.
struct iga_lines *iga_lines_new(struct iga *iga, enum iga_layout layout);
void iga_lines_free(struct iga_lines *l);
// Valid until the next call. NULL: this takes iga_text.
const char *iga_lines_text(struct iga_lines *l, const void *code, uint32_t size);

#endif
