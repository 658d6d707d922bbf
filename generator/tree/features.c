// SPDX-License-Identifier: Apache-2.0
//
// Names of features, parsing of feature lists, and the capabilities that features need.
#include "features.h"

#include <string.h>

static const struct {
    const char *name, *line;
    spv_needs needs;
} rows[] = {
#define NEED                     SPV_NEED
#define X(id, name, needs, line) {name, line, needs},
    GEN_FEATURES(X)
#undef X
#undef NEED
};

const char *gen_feature_name(enum gen_feature f)
{
    CHECK(f < GEN_FEATURE_COUNT);
    return rows[f].name;
}

const char *gen_feature_line(enum gen_feature f)
{
    CHECK(f < GEN_FEATURE_COUNT);
    return rows[f].line;
}

// Features by stage.
static const struct {
    gen_features with, never; // `with`: added to the default; `never`: impossible in the stage
    spv_needs always;         // capabilities of every target that supports the stage
} stages[SPV_STAGES] = {
    [SPV_COMPUTE] = {.never = GEN_OF_FRAGMENTS},
    [SPV_FRAGMENT] = {.with = GEN_OF_FRAGMENTS | GEN_BIT(GEN_OP_DERIVATIVE),
                      .never = GEN_OF_WORKGROUPS,
                      .always = SPV_NEED(DERIVATIVES) | SPV_NEED(DERIVATIVE_QUADS)},
    // Vertex shaders have no meaningful quads, and few devices support quad operations there.
    [SPV_VERTEX] = {.never = GEN_OF_WORKGROUPS | GEN_OF_FRAGMENTS | GEN_QUADS |
                             GEN_BIT(GEN_OP_QUAD) | GEN_BIT(GEN_OP_QUAD_VOTE) |
                             GEN_BIT(GEN_OP_LANE_VALUE)},
};

spv_needs gen_feature_needs(enum gen_feature f, enum spv_stage stage)
{
    CHECK(f < GEN_FEATURE_COUNT);
    return rows[f].needs & ~stages[stage].always;
}

gen_features gen_features_of(enum spv_stage stage)
{
    return (GEN_DEFAULT_FEATURES & ~stages[stage].never) | stages[stage].with;
}

gen_features gen_features_beyond(enum spv_stage stage)
{
    return stages[stage].never;
}

bool gen_features_parse(const char *list, gen_features *out, struct err *e)
{
    gen_features set = 0;
    while (*list) {
        size_t n = strcspn(list, ",");
        uint32_t f = 0;
        while (f < GEN_FEATURE_COUNT &&
               (strlen(rows[f].name) != n || memcmp(rows[f].name, list, n) != 0))
            f++;
        if (f == GEN_FEATURE_COUNT)
            return err_set(e, "unknown feature '%.*s' (tanglefuzz gen --features lists them)",
                           (int)(n < 60 ? n : 60), list);
        set |= GEN_BIT(f);
        list += n;
        if (*list == ',')
            list++;
    }
    *out = set;
    return true;
}

void gen_features_text(gen_features set, struct text *out)
{
    const unsigned long long high = (unsigned long long)(set >> 64), low = (unsigned long long)set;
    if (high)
        text_add(out, "0x%llx%016llx", high, low);
    else
        text_add(out, "0x%llx", low);
}

bool gen_features_read(const char *s, size_t n, gen_features *out)
{
    enum { LOW = 16 }; // digits of the lower half
    const bool wide = n > 2 + LOW && s[0] == '0' && (s[1] == 'x' || s[1] == 'X');
    uint64_t high = 0, low = 0;
    char half[2 + LOW + 1] = "0x";
    if (wide) {
        memcpy(half + 2, s + n - LOW, LOW);
        if (!parse_u64(s, n - LOW, &high) || !parse_u64(half, 2 + LOW, &low))
            return false;
    } else if (!parse_u64(s, n, &low)) {
        return false;
    }
    *out = (gen_features)high << 64 | low;
    return !(*out & ~GEN_ALL_FEATURES);
}
