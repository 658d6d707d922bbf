// SPDX-License-Identifier: Apache-2.0
//
// Output of a system under test: its end, and the line that reports a fatal error. That line is
// kept even if long output follows (Mesa prints the shader, LLVM the node's operands). Private to
// runners/.
#ifndef TF_RUNNERS_OUTPUT_H
#define TF_RUNNERS_OUTPUT_H

#include "runners.h"

enum { OUTPUT_LINE = 512 };

struct output {
    char tail[RUN_OUTPUT]; // the last bytes
    size_t n;
    // private to the implementation
    struct output_state {
        char text[OUTPUT_LINE]; // the last line with a reason, from the keyword on; "": none
        char line[OUTPUT_LINE]; // the unfinished line; only the start of a long one
        size_t line_n;
        bool continued; // the next line may continue the reason
    } reason;
};

void output_clear(struct output *s);
void output_add(struct output *s, const char *text, size_t n);
// Describes why a process died in one line of at most `size` bytes: the reason; else all output if
// it fits; else the first line that mentions an error, or the end.
void output_reason(const struct output *s, char *out, size_t size);

#endif
