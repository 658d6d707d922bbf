// SPDX-License-Identifier: Apache-2.0
//
// Reads the operations of SASS that split and join lanes. README.md says what is inferred.
#include "cuda_sass.h"

static bool branch(struct cuda_reader *r)
{
    struct nak_operand o[2];
    if (cuda_has(r, "DIV") || cuda_has(r, "CONV")) {
        if (!sass_fits(r, cuda_has(r, "DIV") ? " DIV " : " CONV ") ||
            !sass_operands(r, r->args == 1 ? "L" : "uL", o) ||
            (r->args == 2 && o[0].kind != OPERAND_UR && !word_is(r->arg[0], "~URZ")))
            return cuda_refuse(r, "the operands of", r->whole);
        if (r->args == 1) { // sm_75: the mask is all lanes
            o[1] = o[0];
            o[0] = cuda_none();
        } else if (o[0].kind == OPERAND_NUMBER) {
            o[0] = cuda_number(UINT32_MAX);
        }
        // Whether a lane's guard is true is part of the condition: without a guard it is not.
        const struct nak_operand guard =
            r->guard.kind == OPERAND_NONE ? cuda_true(false) : r->guard;
        r->guard = cuda_none();
        CUDA_ADD(r, cuda_has(r, "DIV") ? NAK_BRA_DIV : NAK_BRA_CONV, guard, o[0], o[1]);
        return true;
    }
    if (!sass_fits(r, " U ") || !sass_operands(r, r->args == 1 ? "L" : "pL", o))
        return false;
    CUDA_ADD(r, NAK_BRA, r->args == 1 ? cuda_true(true) : o[0], o[r->args - 1]);
    return true;
}

// The return address of a call is in registers; CALL only branches.
static bool call(struct cuda_reader *r)
{
    struct nak_operand o[2];
    if (!sass_fits(r, " REL NOINC ") || !sass_operands(r, "L", o))
        return false;
    CUDA_ADD(r, NAK_BRA, cuda_true(true), o[0]);
    return true;
}

static bool ret(struct cuda_reader *r)
{
    struct nak_operand o[2];
    const char *blank = r->args ? memchr(r->arg[0].s, ' ', r->arg[0].n) : NULL;
    if (blank && r->args == 1) { // "R4 `(tf_main)"
        const size_t n = (size_t)(blank - r->arg[0].s);
        r->arg[1] = word_after(r->arg[0], n + 1);
        r->arg[0].n = n;
        r->args = 2;
    }
    if (!sass_fits(r, " REL NODEC ") || !sass_operands(r, "uL", o))
        return false;
    CUDA_ADD(r, NAK_RET, o[0], o[1]);
    return true;
}

// "BRX R4 -0x100": to the byte in R4 and R5, plus the number, plus the byte after the instruction.
static bool branch_to(struct cuda_reader *r)
{
    struct nak_operand o[2];
    const char *blank = r->args == 1 ? memchr(r->arg[0].s, ' ', r->arg[0].n) : NULL;
    if (blank) {
        const size_t n = (size_t)(blank - r->arg[0].s);
        r->arg[1] = word_trimmed(word_after(r->arg[0], n));
        r->arg[0].n = n;
        r->args = 2;
    }
    if (!sass_fits(r, " ") || !sass_operands(r, "qi", o))
        return false;
    if (o[0].kind != OPERAND_R || o[0].neg)
        return cuda_refuse(r, "the operands of", r->whole);
    CUDA_ADD(r, NAK_BRX, o[0], cuda_number(o[1].value + r->byte + SASS_BYTES));
    return true;
}

// "BMOV.32.CLEAR RZ, B0", "BMOV.32.CLEAR R4, B0", "BMOV.32 B0, R4"
static bool move_barrier(struct cuda_reader *r)
{
    struct nak_operand o[2];
    const bool writes = r->args && word_starts(r->arg[0], "B");
    if (!sass_fits(r, " 32 CLEAR ") || !sass_operands(r, writes ? "Bu" : "rB", o))
        return false;
    if (o[0].kind == OPERAND_NONE) {
        if (cuda_has(r, "CLEAR"))
            CUDA_ADD(r, NAK_BCLEAR, o[1]);
        return true;
    }
    struct nak_inst *in = CUDA_ADD(r, NAK_BMOV, o[0], o[1]);
    if (cuda_has(r, "CLEAR"))
        nak_modify(in, MOD_CLEAR);
    return (!writes || o[1].kind == OPERAND_R) || cuda_refuse(r, "the operands of", r->whole);
}

static bool warpsync(struct cuda_reader *r)
{
    struct nak_operand o[2];
    if (!sass_fits(r, " ALL EXCLUSIVE COLLECTIVE "))
        return false;
    if (cuda_has(r, "ALL")) {
        if (!sass_operands(r, "", o))
            return false;
        o[0] = cuda_number(UINT32_MAX);
    } else if (!sass_operands(r, cuda_has(r, "COLLECTIVE") ? "uL" : "u", o)) {
        return false;
    }
    CUDA_ADD(r, NAK_WARPSYNC, o[0]);
    return true;
}

static bool barrier(struct cuda_reader *r)
{
    struct nak_operand o[2];
    if (!sass_fits(r, " "))
        return false;
    if (word_is(r->part[0], "BSSY")) {
        if (!sass_operands(r, "BL", o))
            return false;
        CUDA_ADD(r, NAK_BSSY, o[0], o[0], cuda_true(true), o[1]);
        return true;
    }
    if (!sass_operands(r, r->args == 1 ? "B" : "pB", o))
        return false;
    const struct nak_operand guard = r->args == 1 ? cuda_true(true) : o[0], b = o[r->args - 1];
    if (word_is(r->part[0], "BSYNC"))
        CUDA_ADD(r, NAK_BSYNC, b, guard);
    else
        CUDA_ADD(r, NAK_BREAK, b, b, guard);
    return true;
}

static const struct {
    const char *name;
    bool (*read)(struct cuda_reader *r);
} flows[] = {{"BRA", branch},        {"CALL", call},     {"RET", ret},
             {"WARPSYNC", warpsync}, {"BRX", branch_to}, {"BMOV", move_barrier},
             {"BSSY", barrier},      {"BSYNC", barrier}, {"BREAK", barrier}};

bool sass_flow(struct cuda_reader *r, bool *found)
{
    for (size_t i = 0; i < sizeof flows / sizeof *flows; i++)
        if (word_is(r->part[0], flows[i].name)) {
            *found = true;
            return flows[i].read(r);
        }
    return *found = false;
}

bool sass_flow_right(struct cuda_reader *r)
{
    for (size_t i = 0; i < r->inst.n; i++) {
        const struct nak_inst *in = &r->inst.v[i];
        if (in->id == NAK_RET && in->o[1].value)
            return isa_refuse(r->why, RAN_UNSUPPORTED, in->line,
                              "a return to a place that is not counted from the start");
        if (in->id != NAK_BSSY)
            continue;
        const uint32_t to = in->o[3].value;
        const struct nak_inst *sync = to ? &r->inst.v[to - 1] : NULL;
        if (!sync || sync->id != NAK_BSYNC || sync->o[0].reg != in->o[0].reg)
            return isa_refuse(r->why, RAN_UNSUPPORTED, in->line,
                              "BSSY of a place that does not follow its BSYNC");
    }
    return true;
}
