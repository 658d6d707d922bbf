// SPDX-License-Identifier: Apache-2.0
//
// A device in a list, as targets and doctor show it.
#ifndef TF_APP_DEVICES_H
#define TF_APP_DEVICES_H

#include "runners/runners.h"

void devices_print(const struct run_listed *d);

#endif
