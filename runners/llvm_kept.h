// SPDX-License-Identifier: Apache-2.0
//
// LLVM's disassembler inside of RADV, whose texts are kept. Private to runners/.
#ifndef TF_RUNNERS_LLVM_KEPT_H
#define TF_RUNNERS_LLVM_KEPT_H

// From now on the functions of LLVM that the driver calls to print AMD's code are ours: they print
// by forms of instructions (forms.h), with one machine and one disassembler for all shaders.
// Before, or in a program that does not export them, they are LLVM's.
void llvm_kept_begin(void);

#endif
