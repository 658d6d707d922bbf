// SPDX-License-Identifier: Apache-2.0
//
// The report of `doctor --target` on one target.
#ifndef TF_APP_DOCTOR_TARGET_H
#define TF_APP_DOCTOR_TARGET_H

#include "app.h"

// Opens the target, prints what it promises and what is left out, runs a few programs and prints
// how fast they are. Returns STATUS_GOOD if cases ran and were compared, else STATUS_BAD.
int doctor_target(struct context *x, const char *spec);

#endif
