// SPDX-License-Identifier: Apache-2.0
//
// LLVM's disassembler inside of RADV, whose texts are kept. Private to runners/.
#ifndef TF_RUNNERS_LLVM_KEPT_H
#define TF_RUNNERS_LLVM_KEPT_H

#include "base/base.h"

// From now on the functions of LLVM that the driver calls to print AMD's code are ours: they print
// by forms of instructions (forms.h), with one machine and one disassembler for all shaders.
// Before, or in a program that does not export them, they are LLVM's.
void llvm_kept_begin(void);

// Returns the disassembler that the driver made for shaders of one size of waves, for a new shader.
// NULL: it has made none, or some for several GPUs.
void *llvm_kept_disassembler(bool wave64);
// Prints one instruction by it: an amd_printer.
size_t llvm_kept_print(void *disassembler, const uint8_t *code, size_t bytes, char *out,
                       size_t size);

#endif
