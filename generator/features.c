// SPDX-License-Identifier: Apache-2.0
//
// Names of features, lists of them, and what they need.
#include "generator.h"

#include <string.h>

static const struct {
    const char *name, *line;
} rows[] = {
#define X(id, name, line) {name, line},
    GEN_FEATURES(X)
#undef X
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
    static const spv_needs needs[GEN_FEATURE_COUNT] = {
        [GEN_OP_ELECT] = SPV_NEED(BASIC),
        [GEN_OP_VOTE] = SPV_NEED(VOTE),
        [GEN_OP_BALLOT] = SPV_NEED(BALLOT),
        [GEN_OP_BROADCAST] = SPV_NEED(BALLOT),
        [GEN_OP_BROADCAST_FIRST] = SPV_NEED(BALLOT),
        [GEN_OP_INVERSE] = SPV_NEED(BALLOT),
        [GEN_OP_REDUCE] = SPV_NEED(ARITHMETIC),
        [GEN_OP_SCAN] = SPV_NEED(ARITHMETIC),
        [GEN_OP_MORE] = SPV_NEED(ARITHMETIC) | SPV_NEED(MORE_ARITHMETIC),
        [GEN_OP_SHUFFLE] = SPV_NEED(SHUFFLE),
        [GEN_OP_SHUFFLE_XOR] = SPV_NEED(SHUFFLE),
        [GEN_OP_SHUFFLE_RELATIVE] = SPV_NEED(SHUFFLE_RELATIVE),
        [GEN_OP_ROTATE] = SPV_NEED(ROTATE),
        [GEN_OP_CLUSTER] = SPV_NEED(CLUSTERED),
        [GEN_OP_QUAD] = SPV_NEED(QUAD),
        [GEN_OP_QUAD_VOTE] = SPV_NEED(QUAD) | SPV_NEED(VOTE) | SPV_NEED(QUAD_CONTROL),
        [GEN_INT8] = SPV_NEED(INT8),
        [GEN_INT16] = SPV_NEED(INT16),
        [GEN_INT64] = SPV_NEED(INT64),
        [GEN_FLOAT16] = SPV_NEED(FLOAT16),
        [GEN_FLOAT32] = SPV_NEED(FLOAT32),
        [GEN_FLOAT64] = SPV_NEED(FLOAT64),
        [GEN_VECTORS] = SPV_NEED(VECTORS),
        [GEN_BOOLS] = SPV_NEED(BOOLS),
        [GEN_SHARED] = SPV_NEED(SHARED),
        [GEN_ATOMIC] = SPV_NEED(ATOMIC),
        [GEN_THROUGH_BUFFER] = SPV_NEED(BUFFER_BARRIER),
        [GEN_PEEL] = SPV_NEED(SPIRV_1_4),
    };
    CHECK(f < GEN_FEATURE_COUNT);
    return needs[f];
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
