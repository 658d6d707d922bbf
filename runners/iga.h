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

#endif
