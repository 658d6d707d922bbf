// SPDX-License-Identifier: Apache-2.0
//
// The tables of operations and types.
#include "eu_program.h"

#include <string.h>

#define NO "NO"
const struct eu_op eu_ops[EU_IDS] = {
#define ALU(id, name, srcs, integers, floats, source)                                              \
    {name, srcs, UNIT_ALU, #integers[0] != 'N', #floats[0] != 'N', source},
#define OTHER(id, name, srcs, unit, source) {name, srcs, unit, false, false, source},
#include "eu_ops.def"
};

const struct eu_type_form eu_types[EU_TYPES] = {
    [TYPE_UB] = {"ub", 1, false, false}, [TYPE_B] = {"b", 1, true, false},
    [TYPE_UW] = {"uw", 2, false, false}, [TYPE_W] = {"w", 2, true, false},
    [TYPE_UD] = {"ud", 4, false, false}, [TYPE_D] = {"d", 4, true, false},
    [TYPE_UQ] = {"uq", 8, false, false}, [TYPE_Q] = {"q", 8, true, false},
    [TYPE_HF] = {"hf", 2, true, true},   [TYPE_F] = {"f", 4, true, true},
    [TYPE_DF] = {"df", 8, true, true},   [TYPE_V] = {"v", 2, true, false},
    [TYPE_UV] = {"uv", 2, false, false},
};

uint32_t eu_rows(struct eu_row *out, uint32_t max)
{
    for (uint32_t i = 0; i < EU_IDS && i < max; i++)
        out[i] = (struct eu_row){eu_ops[i].name,     eu_ops[i].srcs,   eu_ops[i].unit == UNIT_ALU,
                                 eu_ops[i].integers, eu_ops[i].floats, eu_ops[i].source};
    return EU_IDS;
}
