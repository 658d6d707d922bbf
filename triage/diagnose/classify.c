// SPDX-License-Identifier: Apache-2.0
//
// The bug class of a signature, T1 to T18, if the culprit pass or the shape of the reduced case
// determines it.
#include "construct.h"

#include <string.h>

static uint8_t by_pass(const char *pass)
{
    // The first row whose word is in the pass name decides.
    static const struct {
        const char *word;
        uint8_t bug_class;
    } rows[] = {
        {"unswitch", 2}, {"unroll", 10},       {"peel", 10},       {"rotate", 2},
        {"loop", 2},     {"merge-blocks", 1},  {"block-merge", 1}, {"jump-thread", 3},
        {"branch", 3},   {"cfg", 3},           {"tail", 4},        {"hoist", 5},
        {"licm", 5},     {"if-conversion", 5}, {"redundan", 6},    {"gvn", 6},
        {"cse", 6},      {"sink", 7},          {"uniform", 9},     {"structur", 11},
        {"switch", 12},  {"return", 13},       {"inline", 13},     {"fold", 15},
        {"simplif", 15}, {"ccp", 15},
    };
    for (size_t k = 0; k < sizeof rows / sizeof *rows; k++)
        if (strstr(pass, rows[k].word))
            return rows[k].bug_class;
    return 0;
}

// For an operation with no construct between it and the start of its innermost construct.
static uint8_t by_part(const struct diag_signature *s, enum diag_part part)
{
    bool missing = s->klass == JUDGE_MISSING_LANES, extra = s->klass == JUDGE_EXTRA_LANES;
    switch (part) {
    case DIAG_IN_BREAK:
        return missing ? 11 : 1;
    case DIAG_IN_CONT:
    case DIAG_IN_JUMP:
        return 13;
    case DIAG_IN_IF:
        return extra ? 4 : 0;
    default:
        return 0;
    }
}

static uint8_t by_shape(const struct diag_signature *s)
{
    const struct diag_path *p = &s->path;
    const enum diag_part last = p->n ? (enum diag_part)p->part[p->n - 1] : DIAG_PART_COUNT;
    bool missing = s->klass == JUDGE_MISSING_LANES, extra = s->klass == JUDGE_EXTRA_LANES;
    if (s->op == SPV_GROUP_QUAD)
        return 16;
    if (p->is_after && p->after == DIAG_CALL)
        return 13;
    if ((p->is_after && p->after == DIAG_SWITCH) || last == DIAG_IN_CASE || last == DIAG_IN_FALL)
        return 12;
    if (p->is_after && p->after == DIAG_LOOP)
        return s->about ? 11 : 8;
    if (p->is_after)
        return missing ? 5 : extra ? 3 : 0;
    if (p->n)
        return by_part(s, last);
    return !p->known ? 0 : missing ? 7 : s->op == SPV_GROUP_BROADCAST ? 9 : 0;
}

uint8_t signature_bug_class(const struct diag_signature *s)
{
    if (!judge_class_is_mismatch(s->klass) || judge_class_is_mapping(s->klass))
        return 0;
    const uint8_t t = by_pass(s->culprit);
    return t ? t : by_shape(s);
}
