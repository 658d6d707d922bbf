// SPDX-License-Identifier: Apache-2.0
//
// Ctrl-C and SIGTERM: the first asks to finish, the second exits at once.
#ifndef TF_BASE_INTERRUPT_H
#define TF_BASE_INTERRUPT_H

#include <stdbool.h>

void interrupt_catch(void);
// Whether someone asked to finish.
bool interrupted(void);

#endif
