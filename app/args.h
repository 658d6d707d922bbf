// SPDX-License-Identifier: Apache-2.0
//
// Options of a command. One table serves parsing, --help and shell completion. A value is stored in
// a member of the command's struct given; the macros check that the member's type fits the option.
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
    ARG_TEXTS,   // struct arg_texts; may be repeated
};

enum { ARG_TEXTS_MAX = 64 };
struct arg_texts {
    const char *v[ARG_TEXTS_MAX];
    uint32_t n;
};

struct arg_option {
    const char *name;  // without the dashes
    char letter;       // -X; 0: none
    const char *value; // name of the value in --help; NULL for a flag
    const char *line;  // help, one or several lines
    enum arg_kind kind;
    size_t to;         // offset in the struct given; the member keeps its default if not given
    uint64_t min, max; // range of a number; both 0: no limit
    const char *words; // ARG_WORD: the values, "a, b, c"; --help appends them
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
    OPT_TEXT("targets", 0, "FILE", "file of more targets, one per line; # starts a comment", member)
#define OPTIONS(table) .options = (table), .count = sizeof(table) / sizeof *(table)

// Parses argv[1 ..) into x->words and `given`. Options may stand anywhere; "--" ends them. Returns
// -1 if the command should run, else an exit status: STATUS_GOOD after printing help, STATUS_BAD
// after printing a usage error.
int args_parse(struct context *x, void *given, int argc, char **argv);

#endif
