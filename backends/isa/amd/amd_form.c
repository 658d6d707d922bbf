// SPDX-License-Identifier: Apache-2.0
//
// The rows of ops.def by their names, and what an instruction's row requires of its operands.
#include "amd_form.h"

#include <pthread.h>
#include <string.h>

// ---- names -> rows ---------------------------------------------------------

enum { NAMES = 4096 }; // a power of two, more than twice the number of names

static struct amd_name {
    const char *name;
    uint32_t n;
    enum amd_id id;
} names[NAMES];

static uint32_t name_slot(const char *s, size_t n)
{
    uint32_t h = 2166136261u;
    for (size_t i = 0; i < n; i++)
        h = (h ^ (unsigned char)s[i]) * 16777619u;
    for (h ^= h >> 13;; h++) {
        const char *there = names[h & (NAMES - 1)].name;
        if (!there || (names[h & (NAMES - 1)].n == n && memcmp(there, s, n) == 0))
            return h & (NAMES - 1);
    }
}

static void names_fill(void)
{
    for (uint32_t id = 0; id < AMD_IDS; id++)
        for (const char *s = amd_ops[id].names; *s;) {
            const size_t n = strcspn(s, " ");
            const uint32_t slot = name_slot(s, n);
            CHECK(!names[slot].name);
            names[slot].name = s;
            names[slot].n = (uint32_t)n;
            names[slot].id = (enum amd_id)id;
            s += n + (s[n] == ' ');
        }
}

bool amd_name_find(const char *s, size_t n, struct amd_inst *in)
{
    static const char *const endings[] = {"_e32", "_e64", "_dpp", "_sdwa", "_e64_dpp"};
    static pthread_once_t once = PTHREAD_ONCE_INIT;
    char name[64];
    pthread_once(&once, names_fill);
    for (size_t i = 0; i < sizeof endings / sizeof *endings; i++) {
        const size_t len = strlen(endings[i]);
        if (n > len && memcmp(s + n - len, endings[i], len) == 0) {
            n -= len;
            i = 0 - (size_t)1; // "_e64_dpp" has two suffixes
        }
    }
    if (n >= sizeof name)
        return false;
    memcpy(name, s, n);
    name[n] = 0;
    if (strncmp(name, "v_cmpx_", 7) == 0) {
        in->exec = true;
        memmove(name + 5, name + 6, n - 5);
        n--;
    } else if (strncmp(name, "v_dual_", 7) == 0) {
        memmove(name + 2, name + 7, n - 6);
        n -= 5;
    }
    const uint32_t slot = name_slot(name, n);
    in->id = names[slot].id;
    return names[slot].name != NULL;
}

// ---- checking operands against types ---------------------------------------

static uint32_t registers_of(const struct amd_program *p, char type)
{
    switch (type) {
    case 'q':
    case 'l':
    case 'd':
        return 2;
    case 'm':
        return p->wave / 32;
    case '2':
    case '3':
    case '4':
    case '8':
        return (uint32_t)(type - '0');
    case 'G':
        return 16;
    default:
        return 1;
    }
}

bool amd_operand_fits(const struct amd_program *p, const struct amd_inst *in,
                      const struct amd_operand *o, bool dst)
{
    const enum amd_unit unit = amd_ops[in->id].unit;
    const bool vector = amd_unit_in(unit, AMD_VECTORS);
    const bool memory = amd_unit_in(unit, AMD_MEMORY) || unit == AMD_CONTROL;
    if (dst && o->kind != OPERAND_VECTOR && o->kind != OPERAND_SCALAR)
        return false;
    if (dst && o->kind == OPERAND_SCALAR && o->reg >= REG_SCALARS && o->reg < REG_VIRTUAL)
        return false;
    if (vector && dst && (o->kind == OPERAND_VECTOR) == (o->type == 'm'))
        return false;
    if (amd_unit_in(unit, AMD_SCALARS) && o->kind == OPERAND_VECTOR)
        return false;
    if (o->type == 'x' || o->type == 'n')
        return true;
    if (o->kind == OPERAND_OFF || o->kind == OPERAND_LABEL)
        return false;
    if (o->kind == OPERAND_NUMBER)
        return !strchr("12348GBbSsHICcPp", o->type);
    if (o->type == 'k' || (memory && !dst && o->type == 'q' && o->kind == OPERAND_VECTOR))
        return false;
    // A scalar pair as wide as a wave may be written as one name (vcc, exec, null).
    if (o->reg == REG_NULL || (o->reg >= REG_VCCZ && o->reg < REG_VIRTUAL))
        return o->kind == OPERAND_SCALAR || o->count == registers_of(p, o->type);
    return o->count == registers_of(p, o->type);
}

// Adds operands that the text may omit, and checks their number.
static bool complete(const struct amd_program *p, struct amd_inst *in, struct isa_result *why)
{
    const struct amd_op *op = &amd_ops[in->id];
    const uint32_t need = in->dst + (uint32_t)strlen(op->src);
    const struct amd_operand vcc = {
        .kind = OPERAND_SCALAR, .type = 'm', .reg = REG_VCC, .count = (uint8_t)(p->wave / 32)};
    if (in->n && in->n + 1 == need && *op->src && op->src[strlen(op->src) - 1] == 'm') // VOPD
        in->o[in->n++] = vcc;
    if (in->n != need)
        return isa_refuse(why, RAN_UNSUPPORTED, in->line, "%u operands of %.60s", in->n, op->names);
    return true;
}

static bool lanes_fit(const struct amd_inst *in)
{
    const bool to_scalar = in->id == AMD_V_READLANE_B32 || in->id == AMD_V_READFIRSTLANE_B32;
    const bool from_scalar = in->id == AMD_V_WRITELANE_B32;
    if ((in->o[0].kind == OPERAND_SCALAR) != to_scalar)
        return false;
    if (in->n > 1 && !from_scalar && in->o[1].kind != OPERAND_VECTOR)
        return false;
    for (uint32_t i = from_scalar ? 1 : 2; i < in->n; i++) // selectors; for LDS permutations, data
        if ((in->o[i].kind == OPERAND_VECTOR) !=
            (in->id == AMD_DS_BPERMUTE_B32 || in->id == AMD_DS_PERMUTE_B32))
            return false;
    return true;
}

// Checks the kinds of operands that the types leave open.
static bool memory_fits(const struct amd_inst *in, struct isa_result *why)
{
    const struct amd_op *op = &amd_ops[in->id];
    if (op->unit == AMD_LANES)
        return lanes_fit(in) ||
               isa_refuse(why, RAN_UNSUPPORTED, in->line, "kinds of operands of %.60s", op->names);
    if (!amd_unit_in(op->unit, AMD_MEMORY))
        return true;
    const struct amd_operand *o = in->o + in->dst;
    const uint32_t n = in->n - in->dst;
    bool ok =
        !in->dst || in->o[0].kind ==
                        (amd_unit_in(op->unit, AMD_SCALAR_LOADS) ? OPERAND_SCALAR : OPERAND_VECTOR);
    const bool scalar_1 = n &&
                          (o[n - 1].kind == OPERAND_SCALAR || o[n - 1].kind == OPERAND_NUMBER) &&
                          o[n - 1].count <= 1;
    switch (op->unit) {
    case AMD_SMEM:
    case AMD_SBUFFER:
        ok &= o[0].kind == OPERAND_SCALAR && scalar_1;
        break;
    case AMD_LDS:
    case AMD_LDS_ATOMIC:
        for (uint32_t i = 0; i < n; i++)
            ok &= o[i].kind == OPERAND_VECTOR;
        break;
    case AMD_BUFFER:
    case AMD_BUFFER_ATOMIC:
        ok &=
            (n == 3 || o[0].kind == OPERAND_VECTOR) && o[n - 2].kind == OPERAND_SCALAR && scalar_1;
        ok &= in->offen ? o[n - 3].kind == OPERAND_VECTOR && o[n - 3].count == 1
                        : o[n - 3].kind == OPERAND_OFF;
        break;
    case AMD_GLOBAL:
    case AMD_GLOBAL_ATOMIC:
    case AMD_SCRATCH: {
        const bool off = o[n - 1].kind == OPERAND_OFF, own = op->unit == AMD_SCRATCH;
        ok &= (n == 2 || o[1].kind == OPERAND_VECTOR) &&
              (off || (o[n - 1].kind == OPERAND_SCALAR && o[n - 1].count == (own ? 1 : 2)));
        ok &= (o[0].kind == OPERAND_VECTOR && o[0].count == (own || !off ? 1 : 2)) ||
              (own && o[0].kind == OPERAND_OFF);
        break;
    }
    default:
        break;
    }
    return ok ||
           isa_refuse(why, RAN_UNSUPPORTED, in->line, "kinds of operands of %.60s", op->names);
}

// Refuses modifiers that the operation does not support; they must not be ignored silently.
static bool sensible(const struct amd_inst *in, struct isa_result *why)
{
    const struct amd_op *op = &amd_ops[in->id];
    const char *what = NULL;
    for (uint32_t i = 0; i < in->n; i++) {
        const struct amd_operand *o = &in->o[i];
        if ((o->neg || o->abs) && !strchr("fed", o->type) && in->id != AMD_V_CNDMASK_B32)
            what = "neg or abs";
        if ((o->part || o->sext) && op->unit != AMD_VALU && op->unit != AMD_VCMP &&
            op->unit != AMD_VCARRY)
            what = "SDWA";
        if (o->high && !strchr("hje", o->type))
            what = "half of a register";
    }
    if (in->dpp && (!amd_unit_in(op->unit, AMD_VECTORS) || op->unit == AMD_VPACK || in->with_next))
        what = "DPP";
    if (in->dpp && (op->unit == AMD_VCMP || op->unit == AMD_VCARRY) &&
        (in->row_mask != 15 || in->bank_mask != 15) && op->unit == AMD_VCMP)
        what = "DPP that leaves lanes out";
    if (in->clamp && op->unit != AMD_VALU && op->unit != AMD_VPACK)
        what = "clamp";
    if (in->omod && (!*op->dst || *op->dst != 'f'))
        what = "output modifier";
    return !what || isa_refuse(why, RAN_UNSUPPORTED, in->line, "%s of %.60s", what, op->names);
}

bool amd_inst_fits(const struct amd_program *p, struct amd_inst *in, struct isa_result *why)
{
    return complete(p, in, why) && memory_fits(in, why) && sensible(in, why);
}
