// SPDX-License-Identifier: Apache-2.0
//
// The table of stages. To add one: spirv/README.md.
#include "spirv_stage.h"
#include "spirv_ops.h"

#include <string.h>

static const struct spv_stage_row rows[SPV_STAGES] = {
    [SPV_COMPUTE] = {.name = "compute",
                     .model_name = "GLCompute",
                     .model = SpvExecutionModelGLCompute,
                     .has_workgroups = true},
    [SPV_FRAGMENT] = {.name = "fragment",
                      .model_name = "Fragment",
                      .model = SpvExecutionModelFragment,
                      .needs = SPV_NEED(FRAGMENT),
                      .has_pixels = true,
                      .has_helpers = true,
                      .may_end = true,
                      .has_outputs = true,
                      .maps_by_coverage = true},
    [SPV_VERTEX] = {.name = "vertex",
                    .model_name = "Vertex",
                    .model = SpvExecutionModelVertex,
                    .needs = SPV_NEED(VERTEX),
                    .has_vertices = true,
                    .has_outputs = true,
                    .maps_by_coverage = true},
};

const struct spv_stage_row *spv_stage_row(enum spv_stage s)
{
    CHECK(s < SPV_STAGES);
    return &rows[s];
}

bool spv_stage_find(const char *name, size_t n, enum spv_stage *out)
{
    for (int s = 0; s < SPV_STAGES; s++)
        if (strlen(rows[s].name) == n && memcmp(rows[s].name, name, n) == 0) {
            *out = (enum spv_stage)s;
            return true;
        }
    return false;
}
