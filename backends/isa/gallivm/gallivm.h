// SPDX-License-Identifier: Apache-2.0
//
// A machine that executes the LLVM IR of gallivm, the compiler of Mesa's lavapipe, as
// GALLIVM_DEBUG=ir prints it before LLVM's own passes. A vector holds one value for each lane of a
// subgroup, and masks in memory say which lanes are on: reconvergence is written out, so that plain
// execution decides which lanes run together.
#ifndef TF_GALLIVM_H
#define TF_GALLIVM_H

#include "isa/isa.h"

// Reads a module with a function cs_variant, for subgroups of `size` lanes. The text may be any
// bytes. NULL with *why filled: not such a module, or something unsupported.
const struct isa_code *gallivm_read(struct arena *a, const char *text, uint32_t size,
                                    struct isa_result *why);

#endif
