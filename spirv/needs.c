// SPDX-License-Identifier: Apache-2.0
//
// Names and descriptions of the features that a module may need.
#include "needs.h"

_Static_assert(SPV_NEED_COUNT < 64, "a bit each");

static const struct {
    const char *name, *meaning;
} rows[] = {
#define X(id, name, meaning) {name, meaning},
    SPV_NEEDS(X)
#undef X
};

static uint32_t first(spv_needs set)
{
    CHECK(set && !(set & ~SPV_ALL_NEEDS));
    return (uint32_t)__builtin_ctzll(set);
}

const char *spv_need_name(spv_needs set)
{
    return rows[first(set)].name;
}

const char *spv_need_meaning(spv_needs set)
{
    return rows[first(set)].meaning;
}
