// SPDX-License-Identifier: Apache-2.0
//
// Options of a command, from one table: it is read to parse, and to print --help.
#ifndef TF_APP_ARGS_H
#define TF_APP_ARGS_H

#include "app.h"

enum arg_kind {
    ARG_FLAG,    // to: bool
    ARG_TEXT,    // to: const char *
    ARG_U32,     // to: uint32_t, min .. max
    ARG_U64,     // to: uint64_t, min .. max
    ARG_SECONDS, // to: double; "90", "90s", "10m", "2h"
    ARG_TEXTS,   // to: struct arg_texts; may be given several times
};

enum { ARG_TEXTS_MAX = 64 };
struct arg_texts {
    const char *v[ARG_TEXTS_MAX];
    uint32_t n;
};

struct arg_option {
    const char *name;  // without the dashes
    char letter;       // -X; 0: none
    const char *value; // what --help calls it; NULL for a flag
    const char *line;  // one line of help
    enum arg_kind kind;
    void *to;          // keeps its value while the option is not given
    uint64_t min, max; // of a number; both 0: any
};

#define OPT_FLAG(name, letter, line, to)                                                           \
    {                                                                                              \
        name, letter, NULL, line, ARG_FLAG, to, 0, 0                                               \
    }
#define OPT_TEXT(name, letter, value, line, to)                                                    \
    {                                                                                              \
        name, letter, value, line, ARG_TEXT, to, 0, 0                                              \
    }
#define OPT_U32(name, letter, value, line, to, min, max)                                           \
    {                                                                                              \
        name, letter, value, line, ARG_U32, to, min, max                                           \
    }
#define OPT_U64(name, letter, value, line, to, min, max)                                           \
    {                                                                                              \
        name, letter, value, line, ARG_U64, to, min, max                                           \
    }
#define OPT_SECONDS(name, letter, value, line, to)                                                 \
    {                                                                                              \
        name, letter, value, line, ARG_SECONDS, to, 0, 0                                           \
    }
#define OPT_TEXTS(name, letter, value, line, to)                                                   \
    {                                                                                              \
        name, letter, value, line, ARG_TEXTS, to, 0, 0                                             \
    }
#define OPT_COUNT(table) (sizeof(table) / sizeof((table)[0]))

struct arg_command {
    const char *name;
    const char *rest;    // "CASE...", NULL: takes no words
    const char *about;   // paragraphs for --help
    const char *example; // command lines, one a line
    const struct arg_option *options;
    uint32_t count;
    uint32_t rest_min, rest_max; // words besides the options
};

struct args {
    char **rest; // the words besides the options, in their order
    uint32_t n;
};

// Parses argv[1 ..). Options may stand anywhere; "--" ends them. Returns -1 when
// the command should go on, or an exit status when all is said: help was printed
// (STATUS_GOOD) or the usage was bad (STATUS_BAD, one line with a hint).
int args_parse(const struct arg_command *c, int argc, char **argv, struct args *out);

// The nearest of `n` names to what was typed, NULL when none is near.
const char *args_nearest(const char *typed, const char *const *names, size_t n);

#endif
