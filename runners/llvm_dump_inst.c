// SPDX-License-Identifier: Apache-2.0
//
// Writes an LLVM instruction as a record (backends/llir/llir.h).
#include "llvm_dump.h"

static uint32_t flags(void *in, int op)
{
    const bool wraps =
        op == LLIR_ADD || op == LLIR_SUB || op == LLIR_MUL || op == LLIR_SHL || op == LLIR_TRUNC;
    const bool exact = op == LLIR_UDIV || op == LLIR_SDIV || op == LLIR_LSHR || op == LLIR_ASHR;
    uint32_t f = 0;
    if (wraps)
        f = (dump_llvm.GetNUW(in) ? LLIR_NUW : 0u) | (dump_llvm.GetNSW(in) ? LLIR_NSW : 0u);
    if (exact && dump_llvm.GetExact(in))
        f |= LLIR_EXACT;
    if (op == LLIR_ZEXT && dump_llvm.GetNNeg(in))
        f |= LLIR_NNEG;
    if (op == LLIR_OR && dump_llvm.GetIsDisjoint(in))
        f |= LLIR_DISJOINT;
    if (op == LLIR_ICMP)
        f |= (uint32_t)dump_llvm.GetICmpPredicate(in) << 8 |
             (dump_llvm.GetICmpSameSign(in) ? LLIR_SAMESIGN : 0u);
    return f;
}

// ---- instructions whose operands are not all ids --------------------------------------------

static void address(struct dump *d, void *in)
{
    void *t = dump_llvm.GetGEPSourceElementType(in);
    uint64_t fixed = 0;
    const unsigned n = (unsigned)dump_llvm.GetNumOperands(in);
    uint32_t index[32], count = 0;
    uint64_t each[32];
    for (unsigned i = 1; i < n && count < 32; i++) {
        void *v = dump_llvm.GetOperand(in, i);
        const int kind = i > 1 ? dump_llvm.GetTypeKind(t) : 0;
        const bool known = dump_llvm.GetValueKind(v) == LLIR_VALUE_INTEGER;
        if (kind == LLIR_TY_STRUCT) {
            dump_unknown(d, "an address inside a struct");
            return;
        }
        if (i > 1)
            t = dump_llvm.GetElementType(t);
        const uint64_t size = dump_llvm.ABISizeOfType(d->layout, t);
        if (known) {
            const unsigned width = dump_llvm.GetIntTypeWidth(dump_llvm.TypeOf(v));
            uint64_t k = dump_llvm.ConstIntGetZExtValue(v);
            if (width < 64 && k >> (width - 1))
                k -= (uint64_t)1 << width;
            fixed += k * size;
        } else {
            index[count] = dump_value(d, v);
            each[count++] = size;
        }
    }
    dump_put(d, dump_value(d, dump_llvm.GetOperand(in, 0)));
    dump_put64(d, fixed);
    for (uint32_t i = 0; i < count; i++) {
        dump_put(d, index[i]);
        dump_put(d, (uint32_t)each[i]);
    }
}

static uint32_t block(struct dump *d, void *b)
{
    return dump_slot_of(d, b)->id;
}

static void operands(struct dump *d, void *in, int op)
{
    const unsigned n = (unsigned)dump_llvm.GetNumOperands(in);
    switch (op) {
    case LLIR_BR:
        dump_put(d, block(d, dump_llvm.GetSuccessor(in, 0)));
        return;
    case LLIR_COND_BR:
        dump_put(d, dump_value(d, dump_llvm.GetOperand(in, 0)));
        dump_put(d, block(d, dump_llvm.GetSuccessor(in, 0)));
        dump_put(d, block(d, dump_llvm.GetSuccessor(in, 1)));
        return;
    case LLIR_SWITCH:
        dump_put(d, dump_value(d, dump_llvm.GetOperand(in, 0)));
        dump_put(d, block(d, dump_llvm.GetSuccessor(in, 0)));
        for (unsigned i = 1; i < dump_llvm.GetNumSuccessors(in); i++) {
            dump_put(d, dump_value(d, dump_llvm.GetSwitchCaseValue(in, i)));
            dump_put(d, block(d, dump_llvm.GetSuccessor(in, i)));
        }
        return;
    case LLIR_PHI:
        for (unsigned i = 0; i < dump_llvm.CountIncoming(in); i++) {
            dump_put(d, dump_value(d, dump_llvm.GetIncomingValue(in, i)));
            dump_put(d, block(d, dump_llvm.GetIncomingBlock(in, i)));
        }
        return;
    case LLIR_ALLOCA:
        dump_put(d, (uint32_t)dump_llvm.ABISizeOfType(d->layout, dump_llvm.GetAllocatedType(in)));
        return;
    case LLIR_GEP:
        address(d, in);
        return;
    case LLIR_SHUFFLE:
        dump_put(d, dump_value(d, dump_llvm.GetOperand(in, 0)));
        dump_put(d, dump_value(d, dump_llvm.GetOperand(in, 1)));
        for (unsigned i = 0; i < dump_llvm.GetNumMaskElements(in); i++)
            dump_put(d, (uint32_t)dump_llvm.GetMaskValue(in, i));
        return;
    case LLIR_CALL:
        dump_put(d, dump_value(d, dump_llvm.GetCalledValue(in)));
        for (unsigned i = 0; i < dump_llvm.GetNumArgOperands(in); i++)
            dump_put(d, dump_value(d, dump_llvm.GetOperand(in, i)));
        return;
    default:
        for (unsigned i = 0; i < n; i++)
            dump_put(d, dump_value(d, dump_llvm.GetOperand(in, i)));
    }
}

// After a call's arguments come the operands of its bundles, then the function.
static uint32_t token(struct dump *d, void *in, int op)
{
    const int n = op == LLIR_CALL ? dump_llvm.GetNumOperands(in) : 0;
    for (int i = n ? (int)dump_llvm.GetNumArgOperands(in) : 0; i < n; i++) {
        void *v = dump_llvm.GetOperand(in, (unsigned)i);
        if (dump_llvm.GetTypeKind(dump_llvm.TypeOf(v)) == LLIR_TY_TOKEN)
            return dump_value(d, v);
    }
    return 0;
}

void dump_instruction(struct dump *d, void *in)
{
    int op = dump_llvm.GetInstructionOpcode(in);
    if (op == LLIR_BR_UNTIL_22)
        op = dump_llvm.GetNumOperands(in) == 1 ? LLIR_BR : LLIR_COND_BR;
    const size_t from = d->now.n;
    dump_put(d, (uint32_t)op);
    dump_put(d, dump_slot_of(d, in)->id);
    dump_put(d, dump_type(d, dump_llvm.TypeOf(in)));
    dump_put(d, flags(in, op));
    dump_put(d, token(d, in, op));
    operands(d, in, op);
    dump_end(d, LLIR_INST, from);
}
