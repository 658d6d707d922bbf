// SPDX-License-Identifier: Apache-2.0
//
// The tables of operations and of modifiers.
#include "program.h"

const struct nak_op nak_ops[NAK_IDS] = {
#define VALUE(id, name, mods, dst, src, value, source) {name, mods, dst, src, source, NAK_VALUE},
#define CARRY(id, name, mods, dst, src, value, source) {name, mods, dst, src, source, NAK_CARRY},
#define WIDE(id, name, mods, dst, src, value, source)  {name, mods, dst, src, source, NAK_WIDE},
#define TEST(id, name, mods, dst, src, value, source)  {name, mods, dst, src, source, NAK_TEST},
#define OTHER(id, name, mods, dst, src, unit, source)  {name, mods, dst, src, source, unit},
#include "ops.def"
};

const struct nak_mod_row nak_mods[MODS] = {{"", MOD_OTHER},
#define X(id, text, kind) {text, MOD_##kind},
                                           NAK_MODS(X)
#undef X
};

uint32_t nak_rows(struct nak_row *out, uint32_t max)
{
    for (uint32_t i = 0; i < NAK_IDS && i < max; i++)
        out[i] = (struct nak_row){nak_ops[i].name, nak_ops[i].mods, nak_ops[i].source};
    return NAK_IDS;
}
