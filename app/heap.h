// SPDX-License-Identifier: Apache-2.0
//
// Heap settings for commands that validate many modules.
#ifndef TF_APP_HEAP_H
#define TF_APP_HEAP_H

// Called first in main, but not in workers. May execute the program again with the same arguments
// (in the same process); after any failure the program just continues.
void heap_prepare(char **argv);

#endif
