// SPDX-License-Identifier: Apache-2.0
//
// Where Turnip puts a case's buffers.
#ifndef TF_ISA_TURNIP_H
#define TF_ISA_TURNIP_H

#include "spirv/spirv.h"

// The buffer that is descriptor `k` of a set: a storage buffer has two, one for words and one for
// halves, and those of a set lie by their bindings. buffer_count: none.
uint32_t isa_turnip_buffer(const struct spv_case *c, uint32_t set, uint32_t k);

#endif
