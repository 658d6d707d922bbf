// SPDX-License-Identifier: Apache-2.0
//
// Shared by module.c and module_blocks.c.
#ifndef TF_MODULE_INNER_H
#define TF_MODULE_INNER_H

#include "spirv.h"

// Fills functions[], blocks[] and block_of[] from the decoded instructions. `labels` and
// `functions`: how many OpLabel and OpFunction there are.
bool module_blocks(struct arena *a, struct spv_module *m, uint32_t functions, uint32_t labels,
                   struct err *e);

#endif
