// SPDX-License-Identifier: Apache-2.0
//
// Prints a device, for targets.
#ifndef TF_APP_DEVICES_H
#define TF_APP_DEVICES_H

#include "runners/runners.h"

void devices_print(const struct run_listed *d);

#endif
