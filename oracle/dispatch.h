// SPDX-License-Identifier: Apache-2.0
//
// One run: its buffers (attach.c, bind.c), built-ins (builtin.c) and workgroups (dispatch.c).
#ifndef TF_ORACLE_DISPATCH_H
#define TF_ORACLE_DISPATCH_H

#include "machine.h"

// Sets the invocations of a draw. False with run->why filled if they are unknown.
bool run_cover(struct run *run);
// Runs all workgroups. False with run->why filled.
bool run_dispatch(struct run *run);
// attach.c: attaches the buffers of the case. Variables with one binding share their state. False
// with run->why filled: a variable without a buffer, or one of another form.
bool run_attach(struct run *run);
// Copies the final contents of the buffers to `out`, with masks of the bits that may be compared.
void run_collect(const struct run *run, struct arena *a, struct orc_result *out);
// bind.c: binds the case's descriptors to an object of images or samplers.
bool bind_descriptors(struct run *run, uint32_t object);
// builtin.c: the number of scalars of a built-in (SpvBuiltIn) in a stage; 0: not supported.
uint32_t builtin_cells(const struct spv_stage_row *stage, uint32_t builtin);
// Scalar c of a built-in in a lane of a subgroup.
uint32_t builtin_value(const struct machine *m, uint32_t builtin, uint32_t lane, uint32_t c);
// The lanes for which that scalar is defined.
lane_mask builtin_defined(const struct machine *m, uint32_t builtin, uint32_t c);
// Fails the run without naming an instruction. Returns false.
bool run_fail(const struct run *run, enum ran status, const char *fmt, ...) TF_PRINTF(3, 4);

#endif
