// SPDX-License-Identifier: Apache-2.0
//
// oracle.c's own: one run (dispatch.c).
#ifndef TF_ORACLE_DISPATCH_H
#define TF_ORACLE_DISPATCH_H

#include "machine.h"

// Of a draw: which invocations there are.
bool run_cover(struct run *run);
// Runs all workgroups. False with run->why filled.
bool run_dispatch(struct run *run);
// What the buffers hold, with the bits that may be compared.
void run_collect(const struct run *run, struct arena *a, struct orc_result *out);
// bind.c: gives an object of images or samplers its descriptors, from the case.
bool bind_descriptors(struct run *run, uint32_t object);
// Fails the run as a whole, at no instruction.
bool run_fail(const struct run *run, enum orc_status status, const char *fmt, ...) TF_PRINTF(3, 4);

#endif
