// SPDX-License-Identifier: Apache-2.0
//
// Runs machine code that a driver or compiler printed and returns the result of the case. Private
// to runners/.
#ifndef TF_RUNNERS_ISA_ANSWER_H
#define TF_RUNNERS_ISA_ANSWER_H

#include "backend.h"
#include "isa/isa.h"

// Returns `code`. If that is NULL, returns NULL and sets *out to skipped, with the reason from
// `why`.
const struct isa_code *isa_readable(const struct isa_code *code, const struct isa_result *why,
                                    struct run_result *out);
// Runs the code on the buffers of the case and fills status, text and memory. If the line of
// driver_text (from 1) at which the code starts is given, it fills the origin of each word as well;
// 0: driver_text lacks the code.
void isa_answer(struct arena *a, const struct isa_code *code, const struct spv_case *c,
                uint32_t first_line, struct run_result *out);
// The same with how many descriptors a buffer of Turnip has, see isa_options.
void isa_answer_places(struct arena *a, const struct isa_code *code, const struct spv_case *c,
                       uint32_t first_line, uint32_t descriptors, struct run_result *out);

#endif
