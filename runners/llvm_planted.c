// SPDX-License-Identifier: Apache-2.0
//
// An injected wrong LLVM pass: `planted-hoist`. It moves the first group operation of a conditional
// block before the branch, where more lanes are active. The IR stays legal, but its semantics
// change (C2). Search, bisection and reduction must find it.
#include "llvm_worker.h"

#include <string.h>

#define API(X)                                                                                     \
    X(void *, GetFirstFunction, (void *))                                                          \
    X(void *, GetNextFunction, (void *))                                                           \
    X(void *, GetFirstBasicBlock, (void *))                                                        \
    X(void *, GetNextBasicBlock, (void *))                                                         \
    X(void *, GetBasicBlockTerminator, (void *))                                                   \
    X(unsigned, GetNumSuccessors, (void *))                                                        \
    X(void *, GetSuccessor, (void *, unsigned))                                                    \
    X(void *, GetFirstInstruction, (void *))                                                       \
    X(void *, GetNextInstruction, (void *))                                                        \
    X(void *, GetInstructionParent, (void *))                                                      \
    X(void *, IsACallInst, (void *))                                                               \
    X(void *, IsAInstruction, (void *))                                                            \
    X(void *, GetCalledValue, (void *))                                                            \
    X(const char *, GetValueName2, (void *, size_t *))                                             \
    X(int, GetNumOperands, (void *))                                                               \
    X(void *, GetOperand, (void *, unsigned))                                                      \
    X(void, InstructionRemoveFromParent, (void *))                                                 \
    X(void *, CreateBuilderInContext, (void *))                                                    \
    X(void, PositionBuilderBefore, (void *, void *))                                               \
    X(void, InsertIntoBuilder, (void *, void *))                                                   \
    X(void, DisposeBuilder, (void *))

static struct {
#define X(result, name, args) result(*name) args;
    API(X)
#undef X
} llvm;

bool llvm_planted_load(void *so)
{
    const struct llvm_symbol rows[] = {
#define X(result, name, args) {"LLVM" #name, &llvm.name},
        API(X)
#undef X
    };
    return llvm_symbols(so, rows, sizeof rows / sizeof *rows);
}

bool llvm_is_planted(const char *name, size_t n)
{
    static const char hoist[] = "planted-hoist";
    return n == sizeof hoist - 1 && strncmp(name, hoist, n) == 0;
}

static unsigned predecessors(void *function, void *block)
{
    unsigned n = 0;
    for (void *b = llvm.GetFirstBasicBlock(function); b; b = llvm.GetNextBasicBlock(b)) {
        void *end = llvm.GetBasicBlockTerminator(b);
        for (unsigned i = 0; i < llvm.GetNumSuccessors(end); i++)
            n += llvm.GetSuccessor(end, i) == block;
    }
    return n;
}

// True if a token is defined or used in a block. Then it may be used at the block's end.
static bool has_token(void *block, void *token)
{
    if (!llvm.IsAInstruction(token) || llvm.GetInstructionParent(token) == block)
        return true;
    for (void *in = llvm.GetFirstInstruction(block); in; in = llvm.GetNextInstruction(in))
        for (int i = 0; llvm.IsACallInst(in) && i < llvm.GetNumOperands(in); i++)
            if (llvm.GetOperand(in, (unsigned)i) == token)
                return true;
    return false;
}

// True for a group operation whose operands all come from other blocks and whose token may be used
// in `to`, so that it neither enters nor leaves a loop.
static bool can_move(void *in, void *block, void *to)
{
    static const char *const names[] = {"llvm.spv.subgroup.ballot", "llvm.spv.wave."};
    size_t n;
    if (!llvm.IsACallInst(in))
        return false;
    const char *name = llvm.GetValueName2(llvm.GetCalledValue(in), &n);
    if (strncmp(name, names[0], strlen(names[0])) != 0 &&
        strncmp(name, names[1], strlen(names[1])) != 0)
        return false;
    // After the arguments come the token and the function.
    const int operands = llvm.GetNumOperands(in);
    if (operands < 2 || !has_token(to, llvm.GetOperand(in, (unsigned)operands - 2)))
        return false;
    for (int i = 0; i < operands; i++) {
        void *of = llvm.GetOperand(in, (unsigned)i);
        if (llvm.IsAInstruction(of) && llvm.GetInstructionParent(of) == block)
            return false;
    }
    return true;
}

static void hoist_from(void *context, void *branch, void *block)
{
    for (void *in = llvm.GetFirstInstruction(block); in; in = llvm.GetNextInstruction(in)) {
        if (!can_move(in, block, llvm.GetInstructionParent(branch)))
            continue;
        void *builder = llvm.CreateBuilderInContext(context);
        llvm.InstructionRemoveFromParent(in);
        llvm.PositionBuilderBefore(builder, branch);
        llvm.InsertIntoBuilder(builder, in);
        llvm.DisposeBuilder(builder);
        return;
    }
}

void llvm_planted_run(void *context, void *module)
{
    for (void *f = llvm.GetFirstFunction(module); f; f = llvm.GetNextFunction(f))
        for (void *b = llvm.GetFirstBasicBlock(f); b; b = llvm.GetNextBasicBlock(b)) {
            void *end = llvm.GetBasicBlockTerminator(b);
            unsigned n = llvm.GetNumSuccessors(end);
            for (unsigned i = 0; n == 2 && i < n; i++)
                if (predecessors(f, llvm.GetSuccessor(end, i)) == 1)
                    hoist_from(context, end, llvm.GetSuccessor(end, i));
        }
}
