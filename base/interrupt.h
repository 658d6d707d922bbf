// SPDX-License-Identifier: Apache-2.0
//
// Ctrl-C, SIGTERM and SIGHUP. The first one requests an orderly end, the second exits at once.
#ifndef TF_BASE_INTERRUPT_H
#define TF_BASE_INTERRUPT_H

#include <stdbool.h>

// Installs the handlers; not for SIGHUP if it is ignored, as under nohup. A signal interrupts
// blocking calls such as poll() (EINTR).
void interrupt_catch(void);
// True after the first signal.
bool interrupted(void);

#endif
