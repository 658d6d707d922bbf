// SPDX-License-Identifier: Apache-2.0
//
// The rows of ops.def as a table.
#include "program.h"

const struct amd_op amd_ops[AMD_IDS] = {
#define SALU(id, names, dst, src, value, scc_, section)    {names, AMD_SALU, dst, src, section},
#define SCMP(id, names, src, value, section)               {names, AMD_SCMP, "", src, section},
#define VALU(id, names, dst, src, value, section)          {names, AMD_VALU, dst, src, section},
#define VCMP(id, names, src, value, section)               {names, AMD_VCMP, "m", src, section},
#define VCARRY(id, names, dst, src, value, carry, section) {names, AMD_VCARRY, dst, src, section},
#define VPACK(id, names, dst, src, value, section)         {names, AMD_VPACK, dst, src, section},
#define OTHER(id, names, unit, dst, src, section)          {names, unit, dst, src, section},
#include "ops.def"
};

uint32_t amd_rows(struct amd_row *out, uint32_t max)
{
    for (uint32_t i = 0; i < AMD_IDS && i < max; i++)
        out[i] = (struct amd_row){amd_ops[i].names, amd_ops[i].section};
    return AMD_IDS;
}
