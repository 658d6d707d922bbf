// SPDX-License-Identifier: Apache-2.0
//
// Options of a command, from one table: it is read to parse, to print --help and to complete
// command lines. A value goes to a member of the command's struct given; the macros see that it
// has the type that the option needs.
#ifndef TF_APP_ARGS_H
#define TF_APP_ARGS_H

#include "app.h"

#include <stddef.h>

enum arg_kind {
    ARG_FLAG,    // bool
    ARG_TEXT,    // const char *
    ARG_WORD,    // const char *, one of `words`
    ARG_U32,     // uint32_t, min .. max
    ARG_U64,     // uint64_t, min .. max
    ARG_LANES,   // uint32_t, a power of two, min .. max
    ARG_SECONDS, // double; "90", "90s", "10m", "2h"
    ARG_TEXTS,   // struct arg_texts; may be given several times
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
    const char *line;  // help, a line or several
    enum arg_kind kind;
    size_t to;         // where in the struct given; keeps its value while the option is not given
    uint64_t min, max; // of a number; both 0: any
    const char *words; // "a, b, c" of ARG_WORD; --help appends them
};

#define OPT_TO(member, type)                                                                       \
    _Generic(((struct given *)0)->member, type: offsetof(struct given, member))
#define OPT_FLAG(name, letter, line, member)                                                       \
    {name, letter, NULL, line, ARG_FLAG, OPT_TO(member, bool), 0, 0, NULL}
#define OPT_TEXT(name, letter, value, line, member)                                                \
    {name, letter, value, line, ARG_TEXT, OPT_TO(member, const char *), 0, 0, NULL}
#define OPT_WORD(name, letter, value, line, member, words)                                         \
    {name, letter, value, line, ARG_WORD, OPT_TO(member, const char *), 0, 0, words}
#define OPT_U32(name, letter, value, line, member, min, max)                                       \
    {name, letter, value, line, ARG_U32, OPT_TO(member, uint32_t), min, max, NULL}
#define OPT_U64(name, letter, value, line, member, min, max)                                       \
    {name, letter, value, line, ARG_U64, OPT_TO(member, uint64_t), min, max, NULL}
#define OPT_LANES(name, line, member, min)                                                         \
    {name, 0, "N", line, ARG_LANES, OPT_TO(member, uint32_t), min, LANES_MAX, NULL}
#define OPT_SECONDS(name, letter, value, line, member)                                             \
    {name, letter, value, line, ARG_SECONDS, OPT_TO(member, double), 0, 0, NULL}
#define OPT_TEXTS(name, letter, value, line, member)                                               \
    {name, letter, value, line, ARG_TEXTS, OPT_TO(member, struct arg_texts), 0, 0, NULL}
#define OPT_TARGETS(member)                                                                        \
    OPT_TEXT("targets", 0, "FILE", "more targets: one a line, # for comments", member)
#define OPTIONS(table) .options = (table), .count = sizeof(table) / sizeof *(table)

// Parses argv[1 ..) into x->words and `given`. Options may stand anywhere; "--" ends them. Returns
// -1 when the command should go on, or an exit status when all is said: help was printed
// (STATUS_GOOD) or the usage was bad (STATUS_BAD, one line with a hint).
int args_parse(struct context *x, void *given, int argc, char **argv);

#endif
