// SPDX-License-Identifier: Apache-2.0
//
// What the sentences of reason_words.c and reason_stage.c share. Private to the room.
#ifndef TF_BLAME_REASON_WORDS_H
#define TF_BLAME_REASON_WORDS_H

#include "reason.h"

// "`%x`"; "OpGroupNonUniformBallot `%38`"; " It shows first in block ..., for lanes ...", "" where it is not known.
const char *reason_name(struct arena *a, const struct blame_names *n, uint32_t id);
const char *reason_operation(struct arena *a, const struct blame_names *n, uint32_t id);
const char *reason_where(struct arena *a, const struct blame_reason *r, const struct blame_names *n);
// Of images and helper invocations (reason_stage.c).
static inline bool reason_is_stage(enum blame_why w)
{
    return w >= BLAME_LEVEL && w <= BLAME_END_LOST;
}
const char *reason_stage(struct arena *a, const struct blame_reason *r, const struct blame_names *n);

#endif
