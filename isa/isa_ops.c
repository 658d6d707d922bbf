// SPDX-License-Identifier: Apache-2.0
//
// The rows of isa_ops.def as a table.
#include "isa_program.h"

const struct isa_op isa_ops[ISA_IDS] = {
#define SALU(id, names, dst, src, value, scc_, section) {names, ISA_SALU, dst, src, section},
#define SCMP(id, names, src, value, section) {names, ISA_SCMP, "", src, section},
#define VALU(id, names, dst, src, value, section) {names, ISA_VALU, dst, src, section},
#define VCMP(id, names, src, value, section) {names, ISA_VCMP, "m", src, section},
#define VCARRY(id, names, dst, src, value, carry, section) {names, ISA_VCARRY, dst, src, section},
#define VPACK(id, names, dst, src, value, section) {names, ISA_VPACK, dst, src, section},
#define OTHER(id, names, unit, dst, src, section) {names, unit, dst, src, section},
#include "isa_ops.def"
};

uint32_t isa_rows(struct isa_row *out, uint32_t max)
{
    for (uint32_t i = 0; i < ISA_IDS && i < max; i++)
        out[i] = (struct isa_row){isa_ops[i].names, isa_ops[i].section};
    return ISA_IDS;
}
