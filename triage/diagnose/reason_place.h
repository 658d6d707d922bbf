// SPDX-License-Identifier: Apache-2.0
//
// Where a wrong reading first shows, and what lanes do that are counted or lacking there. Private
// to the room.
#ifndef TF_DIAGNOSE_REASON_PLACE_H
#define TF_DIAGNOSE_REASON_PLACE_H

#include "reading.h"

// Fills the place of a reading that explains the case, and `why` where it is about who is counted.
void reason_place(struct reader *r, struct diag_reason *out);
// Fills why, also and other of a place with op, tangle, lane and counted: moment `at` of the base
// run.
void reason_lanes(struct reader *r, size_t at, struct diag_reason *out);

#endif
