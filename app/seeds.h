// SPDX-License-Identifier: Apache-2.0
//
// A range of seeds, or of numbers of programs, on the command line.
#ifndef TF_APP_SEEDS_H
#define TF_APP_SEEDS_H

#include "base/base.h"

enum { DAY_SEEDS = 10000000 }; // seeds of one day

// Parses "A:B" (A to B-1), "A:" (no end: UINT64_MAX) or "A" (one). False if it is neither, or
// empty.
bool seeds_read(const char *s, uint64_t *first, uint64_t *end);
// Parses a date, "2026-11-25", or "today" (UTC), and returns the first seed of that day in *first:
// 20261125 * DAY_SEEDS. False if it is neither.
bool seeds_of_day(const char *s, uint64_t *first);

#endif
