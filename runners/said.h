// SPDX-License-Identifier: Apache-2.0
//
// What a subject printed: the end of it, and the line in which it says why it gives up, however
// long what follows is (Mesa shows the whole shader, LLVM what the node is made of). Private to
// runners/.
#ifndef TF_RUNNERS_SAID_H
#define TF_RUNNERS_SAID_H

#include "runners.h"

enum { SAID_LINE = 512 };

struct said {
    char tail[RUN_SAID]; // the last bytes
    size_t n;
    // said.c's own
    struct said_reason {
        char text[SAID_LINE]; // the last line with a reason, from the word on that tells it; "" for
                              // none
        char line[SAID_LINE]; // the line that has begun: of a longer one its beginning
        size_t line_n;
        bool goes_on; // the next line may belong to it
    } reason;
};

void said_clear(struct said *s);
void said_add(struct said *s, const char *text, size_t n);
// One line for who died, `size` bytes at most: the reason; else all, where it has room; else the
// first line that speaks of an error, or the end.
void said_why(const struct said *s, char *out, size_t size);

#endif
