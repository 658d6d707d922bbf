// SPDX-License-Identifier: Apache-2.0
//
// The heap of commands that validate many modules.
#ifndef TF_APP_HEAP_H
#define TF_APP_HEAP_H

// Called first in main, but not by workers. May start the program again with the same arguments
// (as the same process); whatever fails, the program goes on as it is.
void heap_prepare(char **argv);

#endif
