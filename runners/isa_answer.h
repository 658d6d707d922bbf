// SPDX-License-Identifier: Apache-2.0
//
// Machine code that a driver or a compiler told, as an answer to a case. Private to runners/.
#ifndef TF_RUNNERS_ISA_ANSWER_H
#define TF_RUNNERS_ISA_ANSWER_H

#include "backend.h"
#include "isa/isa.h"

// Passes `code` on. NULL: *out is skipped, and says why.
const struct isa_code *isa_readable(const struct isa_code *code, const struct isa_result *why,
                                    struct run_result *out);
// What it leaves in the case's buffers: status, text, memory. `told`: the text is in driver_text,
// from its line `told` on (counted from 1), and where words come from is told as well; 0: it is
// not.
void isa_answer(struct arena *a, const struct isa_code *code, const struct spv_case *c,
                uint32_t told, struct run_result *out);

#endif
