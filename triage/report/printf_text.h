// SPDX-License-Identifier: Apache-2.0
#ifndef TF_REPORT_PRINTF_TEXT_H
#define TF_REPORT_PRINTF_TEXT_H

#include "oracle/oracle.h"

// Returns the output of a debugPrintf call (NonSemantic.DebugPrintf; ORC_EVENT_PRINT), in `a`: one
// text if all lanes print the same, else the texts of the first lanes with their numbers. An
// undefined value and a missing argument print "?".
const char *printf_text(struct arena *a, const struct spv_module *m, const struct orc_event *e);

#endif
