// SPDX-License-Identifier: Apache-2.0
//
// What programs with one feature of the generator need of a device.
#include "runners.h"

#include <string.h>

// VkSubgroupFeatureFlagBits. Vulkan's headers are for the files of its backend.
enum { BASIC = 1, VOTE = 2, ARITHMETIC = 4, BALLOT = 8, SHUFFLE = 16 };
enum { SHUFFLE_RELATIVE = 32, CLUSTERED = 64, QUAD = 128 };

enum { SPIRV_1_4 = 0x00010400 };

// Where the device tells of it: its place in run_info.
#define AT(member) (offsetof(struct run_info, member) + 1)

static const struct {
    const char *feature;
    uint32_t ops;
    size_t flag[2];
    uint32_t version; // of SPIR-V
} rows[] = {
    {"elect", .ops = BASIC},
    {"vote", .ops = VOTE},
    {"ballot", .ops = BALLOT},
    {"broadcast", .ops = BALLOT},
    {"broadcast-first", .ops = BALLOT},
    {"inverse-ballot", .ops = BALLOT},
    {"reduce", .ops = ARITHMETIC},
    {"scan", .ops = ARITHMETIC},
    {"more-arithmetic", .ops = ARITHMETIC},
    {"shuffle", .ops = SHUFFLE},
    {"shuffle-xor", .ops = SHUFFLE},
    {"shuffle-relative", .ops = SHUFFLE_RELATIVE},
    {"rotate", .flag = {AT(rotate)}},
    {"cluster", .ops = CLUSTERED},
    {"quad", .ops = QUAD},
    {"quad-vote", .ops = QUAD | VOTE, .flag = {AT(quad_control)}},
    {"int8", .flag = {AT(int8), AT(extended_types)}},
    {"int16", .flag = {AT(int16), AT(extended_types)}},
    {"int64", .flag = {AT(int64), AT(extended_types)}},
    {"float16", .flag = {AT(float16), AT(extended_types)}},
    {"float64", .flag = {AT(float64)}},
    {"peel", .version = SPIRV_1_4},
};

static bool flag(const struct run_info *i, size_t at)
{
    return !at || *(const bool *)((const char *)i + at - 1);
}

// Is a name one of a list with commas?
static bool named(const char *list, const char *name)
{
    const size_t n = strlen(name);
    for (const char *at = list; (at = strstr(at, name)); at += n)
        if ((at == list || at[-1] == ',') && (at[n] == ',' || !at[n]))
            return true;
    return false;
}

bool run_offers(const struct run_info *i, const char *feature)
{
    if (named(i->without, feature))
        return false;
    for (size_t k = 0; k < sizeof rows / sizeof *rows; k++)
        if (strcmp(rows[k].feature, feature) == 0)
            return (i->subgroup_ops & rows[k].ops) == rows[k].ops && flag(i, rows[k].flag[0]) &&
                   flag(i, rows[k].flag[1]) &&
                   (!i->spirv_version || i->spirv_version >= rows[k].version);
    return true;
}
