// SPDX-License-Identifier: Apache-2.0
//
// Names of features, lists of them, and what they need.
#include "generator.h"

#include <string.h>

static const struct {
    const char *name, *line;
    spv_needs needs;
} rows[] = {
#define NEED SPV_NEED
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

spv_needs gen_feature_needs(enum gen_feature f)
{
    CHECK(f < GEN_FEATURE_COUNT);
    return rows[f].needs;
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
