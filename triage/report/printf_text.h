// SPDX-License-Identifier: Apache-2.0
#ifndef TF_REPORT_PRINTF_TEXT_H
#define TF_REPORT_PRINTF_TEXT_H

#include "oracle/oracle.h"

// What a call of debugPrintf (NonSemantic.DebugPrintf; ORC_EVENT_PRINT) prints: one text where all
// lanes print the same, else the first lanes' with their numbers. What is not defined, or no
// argument is there for, is "?". In `a`.
const char *printf_said(struct arena *a, const struct spv_module *m, const struct orc_event *e);

#endif
