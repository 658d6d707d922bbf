// SPDX-License-Identifier: Apache-2.0
//
// Runs the levels of a driver's dump, as if each were the driver's machine code.
#ifndef TF_RUN_LEVELS_H
#define TF_RUN_LEVELS_H

#include "levels/levels.h"
#include "runners.h"

// Runs level `i` on the case for subgroups of `size` lanes. *out is what a target of isa: returns:
// RUN_SKIPPED with the reason, and the line of the dump, if no machine knows the level.
void run_level(struct arena *a, const struct levels *l, uint32_t i, uint32_t size,
               const struct spv_case *c, struct run_result *out);
// Returns the same target with the option `dump`, whose driver_text is the driver's dump. NULL: the
// target is not a driver whose machine code is run here.
const char *run_levels_target(struct arena *a, const char *spec);

#endif
