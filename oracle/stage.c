// SPDX-License-Identifier: Apache-2.0
//
// The differences between shader stages, one row each. spirv_stage.h describes the stages.
#include "execute.h"

// All logged invocations are live.
static void start_logged(struct machine *m)
{
    m->live = m->group->run->coverage->subgroup[m->id].live;
}

static const struct stage_rules rows[SPV_STAGES] = {
    [SPV_COMPUTE] = {.group = group_run, .images = true},
    [SPV_FRAGMENT] = {.start = helper_start,
                      .group = helper_group,
                      .end = helper_end,
                      .derivative = helper_derivative},
    [SPV_VERTEX] = {.start = start_logged, .group = group_run},
};

const struct stage_rules *stage_rules_of(enum spv_stage s)
{
    return &rows[s];
}
