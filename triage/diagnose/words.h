// SPDX-License-Identifier: Apache-2.0
//
// Shared by the sentences of words_reason.c and words_stage.c. Private to the room.
#ifndef TF_DIAGNOSE_WORDS_H
#define TF_DIAGNOSE_WORDS_H

#include "reason.h"
#include "rows.h"

// Return "`%x`"; "OpGroupNonUniformBallot `%38`"; " It shows first in block ..., for lanes ...", ""
// if the place is not known.
const char *words_name(struct arena *a, const struct diag_names *n, uint32_t id);
// Returns a value of the type of result `id`, or of its components: "true", "-7", "1.5". In `a`.
const char *words_result(struct arena *a, const struct diag_names *n, uint32_t id, uint64_t value);
// Returns the bits of a number's type, or of a vector's components; 0 for other types.
uint32_t words_bits(const struct diag_names *n, uint32_t type);
const char *words_operation(struct arena *a, const struct diag_names *n, uint32_t id);
const char *words_where(struct arena *a, const struct diag_reason *r, const struct diag_names *n);
// Returns the sentence about images or helper invocations (words_stage.c).
const char *words_stage(struct arena *a, const struct diag_reason *r, const struct diag_names *n);

#endif
