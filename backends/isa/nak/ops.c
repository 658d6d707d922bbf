// SPDX-License-Identifier: Apache-2.0
//
// The table of operations, and the names of modifiers.
#include "program.h"

const struct nak_op nak_ops[NAK_IDS] = {
#define VALUE(id, name, mods, dst, src, value, source) {name, mods, dst, src, source, NAK_VALUE},
#define CARRY(id, name, mods, dst, src, value, source) {name, mods, dst, src, source, NAK_CARRY},
#define WIDE(id, name, mods, dst, src, value, source)  {name, mods, dst, src, source, NAK_WIDE},
#define TEST(id, name, mods, dst, src, value, source)  {name, mods, dst, src, source, NAK_TEST},
#define OTHER(id, name, mods, dst, src, unit, source)  {name, mods, dst, src, source, unit},
#include "ops.def"
};

const char *const nak_mod_names[MODS] = {
    "",       "eq",     "ne",     "lt",    "le",  "gt",  "ge",   "equ",      "neu",    "ltu",
    "leu",    "gtu",    "geu",    "num",   "nan", "u8",  "i8",   "u16",      "i16",    "u32",
    "i32",    "u64",    "i64",    "f16",   "f32", "f64", "b32",  "b64",      "b128",   "re",
    "rm",     "rp",     "rz",     "ftz",   "ex",  "x",   "hi",   "w",        "l",      "r",
    "samt",   "wrap",   "clamp",  "any",   "all", "idx", "up",   "down",     "bfly",   "and",
    "or",     "xor",    "sum",    "min",   "max", "add", "inc",  "dec",      "exch",   "cmpexch",
    "packed", "global", "shared", "local", "a64", "a32", "weak", "constant", "strong", "cta",
    "gpu",    "sys",    "sc",     "ef",    "el",  "lu",  "sync", "32",       "clear",
};

uint32_t nak_rows(struct nak_row *out, uint32_t max)
{
    for (uint32_t i = 0; i < NAK_IDS && i < max; i++)
        out[i] = (struct nak_row){nak_ops[i].name, nak_ops[i].mods, nak_ops[i].source};
    return NAK_IDS;
}
