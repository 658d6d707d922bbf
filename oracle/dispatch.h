// SPDX-License-Identifier: Apache-2.0
//
// The interface of dispatch.c and bind.c for oracle.c: one run.
#ifndef TF_ORACLE_DISPATCH_H
#define TF_ORACLE_DISPATCH_H

#include "machine.h"

// Sets the invocations of a draw. False with run->why filled if they are unknown.
bool run_cover(struct run *run);
// Runs all workgroups. False with run->why filled.
bool run_dispatch(struct run *run);
// Copies the final contents of the buffers to `out`, with masks of the bits that may be compared.
void run_collect(const struct run *run, struct arena *a, struct orc_result *out);
// bind.c: binds the case's descriptors to an object of images or samplers.
bool bind_descriptors(struct run *run, uint32_t object);
// Fails the run without naming an instruction. Returns false.
bool run_fail(const struct run *run, enum ran status, const char *fmt, ...) TF_PRINTF(3, 4);

#endif
