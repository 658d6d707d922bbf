// SPDX-License-Identifier: Apache-2.0
//
// Reads the operands of an instruction: replaces ids by cells and blocks, and checks that their
// shapes match the instruction. Other shapes and unsupported operands are refused by name.
#include "llir_reader.h"

#include <string.h>

static uint32_t comps_of(const struct reader *r, uint32_t id)
{
    const struct llir_module *m = r->m;
    if (id >= m->bound || m->cell[id] == LLIR_NONE)
        return 0;
    return m->type_of[id] == LLIR_NONE ? 1 : m->type[m->type_of[id]].comps; // a global: a pointer
}

static uint32_t width_of(const struct reader *r, uint32_t id)
{
    const struct llir_module *m = r->m;
    return id >= m->bound || m->type_of[id] == LLIR_NONE ? 64 : m->type[m->type_of[id]].width;
}

// Replaces operand k by its first cell. It must have `comps` cells (LLIR_NONE: at least one).
static bool operand(struct reader *r, struct llir_inst *i, uint32_t k, uint32_t comps)
{
    const uint32_t id = i->v[k], is = comps_of(r, id);
    if (!is || (comps != LLIR_NONE && is != comps))
        return llir_no(r,
                       is ? "operands whose shapes differ" : "an operand of an unsupported type");
    i->v[k] = r->m->cell[id];
    return true;
}

static bool block(struct reader *r, struct llir_inst *i, uint32_t k, const struct llir_function *f)
{
    if (i->v[k] >= f->blocks)
        return llir_bad(r, "a branch");
    i->v[k] += f->block;
    return true;
}

static bool operands(struct reader *r, struct llir_inst *i, uint32_t from, uint32_t comps)
{
    for (uint32_t k = from; k < i->n; k++)
        if (!operand(r, i, k, comps))
            return false;
    return true;
}

// Checks the arguments of a function that LLVM declares.
static bool intrinsic(struct reader *r, struct llir_inst *i, const struct llir_function *f)
{
    const uint32_t args = i->n - 1;
    const char *name = f->name;
    if (f->call == LLIR_CALL_UNKNOWN || (f->arguments != LLIR_NONE && f->arguments != args))
        return llir_no(r, name);
    switch (f->call) {
    case LLIR_CALL_NOTHING:
        i->n = 1;
        return true;
    case LLIR_CALL_ENTRY:
    case LLIR_CALL_LOOP:
        return true;
    case LLIR_CALL_ELECT:
        return i->comps == 1 || llir_no(r, name);
    case LLIR_CALL_ASSUME:
        return operand(r, i, 1, 1);
    case LLIR_CALL_BALLOT:
        return (i->comps == 4 || llir_no(r, name)) && operand(r, i, 1, 1);
    case LLIR_CALL_VECTOR_OR:
    case LLIR_CALL_VECTOR_AND:
    case LLIR_CALL_VECTOR_ADD:
    case LLIR_CALL_VECTOR_XOR:
        return (i->comps == 1 || llir_no(r, name)) && operand(r, i, 1, LLIR_NONE);
    case LLIR_CALL_CTLZ:
    case LLIR_CALL_CTTZ:
    case LLIR_CALL_ABS:
    case LLIR_CALL_READ_LANE:
        return (i->comps || llir_no(r, name)) && operand(r, i, 1, i->comps) && operand(r, i, 2, 1);
    default:
        return (i->comps || llir_no(r, name)) && operands(r, i, 1, i->comps);
    }
}

static bool call(struct reader *r, struct llir_inst *i)
{
    struct llir_module *m = r->m;
    const uint32_t id = i->n ? i->v[0] : LLIR_NONE;
    if (id >= m->bound || m->function_of[id] == LLIR_NONE)
        return llir_no(r, "a call of something other than a function");
    const struct llir_function *f = &m->function[m->function_of[id]];
    i->v[0] = m->function_of[id];
    i->call = f->call;
    i->width = i->n > 1 ? (uint8_t)width_of(r, i->v[1]) : i->to;
    i->of = i->n > 1 ? comps_of(r, i->v[1]) : 0;
    if (f->declared)
        return intrinsic(r, i, f);
    if (i->n - 1 != f->params || i->comps != f->comps)
        return llir_bad(r, "a call");
    for (uint32_t k = 0; k < f->params; k++)
        if (!operand(r, i, k + 1, f->param_comps[k]))
            return false;
    return true;
}

static bool address(struct reader *r, struct llir_inst *i)
{
    // Converts each (id, bytes) to (cell, bytes, width).
    if (i->n < 3 || (i->n - 3) % 2)
        return llir_bad(r, "an address");
    uint32_t *v = ARENA_ARRAY(r->m->arena, uint32_t, 3 + (i->n - 3) / 2 * 3), n = 3;
    if (i->comps != 1 || !operand(r, i, 0, 1))
        return i->comps != 1 ? llir_no(r, "vectors of pointers") : false;
    memcpy(v, i->v, 3 * sizeof *v);
    for (uint32_t k = 3; k < i->n; k += 2) {
        const uint32_t width = width_of(r, i->v[k]);
        if (!operand(r, i, k, 1))
            return false;
        v[n++] = i->v[k];
        v[n++] = i->v[k + 1];
        v[n++] = width;
    }
    i->v = v;
    i->n = n;
    return true;
}

bool llir_shapes(struct reader *r, struct llir_inst *i, const struct llir_function *f)
{
    struct llir_module *m = r->m;
    const uint32_t least[] = {
        [LLIR_COND_BR] = 3, [LLIR_BR] = 1,     [LLIR_SWITCH] = 2,  [LLIR_ALLOCA] = 1,
        [LLIR_LOAD] = 1,    [LLIR_STORE] = 2,  [LLIR_ICMP] = 2,    [LLIR_SELECT] = 3,
        [LLIR_EXTRACT] = 2, [LLIR_INSERT] = 3, [LLIR_SHUFFLE] = 2, [LLIR_FREEZE] = 1,
        [LLIR_TRUNC] = 1,   [LLIR_ZEXT] = 1,   [LLIR_SEXT] = 1,    [LLIR_BITCAST] = 1,
        [LLIR_ADD] = 2,     [LLIR_SUB] = 2,    [LLIR_MUL] = 2,     [LLIR_UDIV] = 2,
        [LLIR_SDIV] = 2,    [LLIR_UREM] = 2,   [LLIR_SREM] = 2,    [LLIR_SHL] = 2,
        [LLIR_LSHR] = 2,    [LLIR_ASHR] = 2,   [LLIR_AND] = 2,     [LLIR_OR] = 2,
        [LLIR_XOR] = 2,
    };
    if (i->op < sizeof least / sizeof *least && i->n < least[i->op])
        return llir_bad(r, "an instruction with too few operands");
    if (i->op != LLIR_CALL && i->op != LLIR_ALLOCA && i->op != LLIR_BR && i->op != LLIR_PHI &&
        i->n) {
        i->width = (uint8_t)width_of(r, i->v[0]);
        i->of = comps_of(r, i->v[0]);
    }
    switch (i->op) {
    case LLIR_RET:
        return i->n == 0 ? f->comps == 0 || llir_bad(r, "a return") : operand(r, i, 0, f->comps);
    case LLIR_UNREACHABLE:
        return true;
    case LLIR_BR:
        return block(r, i, 0, f);
    case LLIR_COND_BR:
        return operand(r, i, 0, 1) && block(r, i, 1, f) && block(r, i, 2, f);
    case LLIR_SWITCH:
        if (i->n % 2 || !operand(r, i, 0, 1) || !block(r, i, 1, f))
            return i->n % 2 ? llir_bad(r, "a switch") : false;
        for (uint32_t k = 2; k < i->n; k += 2)
            if (!operand(r, i, k, 1) || !block(r, i, k + 1, f))
                return false;
        return true;
    case LLIR_PHI:
        if (i->n % 2 || !i->comps)
            return i->n % 2 ? llir_bad(r, "a phi") : llir_no(r, "a phi of an unsupported type");
        for (uint32_t k = 0; k < i->n; k += 2)
            if (!operand(r, i, k, i->comps) || !block(r, i, k + 1, f))
                return false;
        return true;
    case LLIR_CALL:
        return call(r, i);
    case LLIR_ALLOCA:
        if (i->v[0] > LLIR_OBJECT_BYTES || i->comps != 1)
            return llir_no(r, "a variable of more than 64 KiB");
        i->own = llir_new_object(m, i->v[0]);
        return true;
    case LLIR_LOAD:
        return (i->comps || llir_no(r, "a load of an unsupported type")) && operand(r, i, 0, 1);
    case LLIR_STORE:
        return operand(r, i, 0, LLIR_NONE) && operand(r, i, 1, 1);
    case LLIR_GEP:
        return address(r, i);
    case LLIR_SELECT:
        return ((i->comps && (i->of == 1 || i->of == i->comps)) || llir_bad(r, "a select")) &&
               operand(r, i, 0, LLIR_NONE) && operand(r, i, 1, i->comps) &&
               operand(r, i, 2, i->comps);
    case LLIR_EXTRACT:
        return operand(r, i, 0, LLIR_NONE) && operand(r, i, 1, 1);
    case LLIR_INSERT:
        return operand(r, i, 0, i->comps) && operand(r, i, 1, 1) && operand(r, i, 2, 1);
    case LLIR_SHUFFLE:
        return (i->n == 2 + i->comps || llir_bad(r, "a shuffle")) && operand(r, i, 0, LLIR_NONE) &&
               operand(r, i, 1, i->of);
    case LLIR_BITCAST:
        if (i->width * i->of != i->to * i->comps || !i->comps)
            return llir_bad(r, "a bitcast that changes the number of bits");
        return operand(r, i, 0, i->of);
    case LLIR_ICMP:
        if (width_of(r, i->v[1]) != i->width)
            return llir_bad(r, "a comparison of different widths");
        return (i->comps || llir_bad(r, "a value without cells")) && operands(r, i, 0, i->comps);
    case LLIR_ADD:
    case LLIR_SUB:
    case LLIR_MUL:
    case LLIR_UDIV:
    case LLIR_SDIV:
    case LLIR_UREM:
    case LLIR_SREM:
    case LLIR_SHL:
    case LLIR_LSHR:
    case LLIR_ASHR:
    case LLIR_AND:
    case LLIR_OR:
    case LLIR_XOR:
        if (i->width != i->to || width_of(r, i->v[1]) != i->to)
            return llir_bad(r, "arithmetic of different widths");
        return (i->comps || llir_bad(r, "a value without cells")) && operands(r, i, 0, i->comps);
    case LLIR_TRUNC:
    case LLIR_ZEXT:
    case LLIR_SEXT:
    case LLIR_FREEZE:
        return (i->comps || llir_bad(r, "a value without cells")) && operands(r, i, 0, i->comps);
    default:
        return llir_no(r, arena_printf(m->arena, "LLVM's opcode %u", i->op));
    }
}
