// SPDX-License-Identifier: Apache-2.0
//
// Injected wrong LLVM passes. The IR stays legal, but its semantics change. Search, bisection and
// reduction must find them. `planted-hoist` moves the first group operation of a conditional block
// before the branch, where more lanes are active (C2). `planted-duplicate` moves group operations
// after a branch to the ends of its arms, where fewer are; it needs IR without tokens (L6).
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
    X(void *, InstructionClone, (void *))                                                          \
    X(void *, InstructionEraseFromParent, (void *))                                                \
    X(void *, ReplaceAllUsesWith, (void *, void *))                                                \
    X(void *, TypeOf, (void *))                                                                    \
    X(void *, BuildPhi, (void *, void *, const char *))                                            \
    X(void, AddIncoming, (void *, void **, void **, unsigned))                                     \
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

static const char hoist[] = "planted-hoist", duplicate[] = "planted-duplicate";

static bool is(const char *name, size_t n, const char *pass)
{
    return n == strlen(pass) && strncmp(name, pass, n) == 0;
}

bool llvm_is_planted(const char *name, size_t n)
{
    return is(name, n, hoist) || is(name, n, duplicate);
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

static bool is_token(void *value)
{
    size_t n;
    return llvm.IsACallInst(value) &&
           strstr(llvm.GetValueName2(llvm.GetCalledValue(value), &n), "experimental.convergence");
}

static bool is_group_op(void *in)
{
    static const char *const names[] = {"llvm.spv.subgroup.ballot", "llvm.spv.wave."};
    size_t n;
    if (!llvm.IsACallInst(in))
        return false;
    const char *name = llvm.GetValueName2(llvm.GetCalledValue(in), &n);
    return strncmp(name, names[0], strlen(names[0])) == 0 ||
           strncmp(name, names[1], strlen(names[1])) == 0;
}

// True for a group operation whose operands all come from other blocks and whose token may be used
// in `to`, so that it neither enters nor leaves a loop.
static bool can_move(void *in, void *block, void *to)
{
    if (!is_group_op(in))
        return false;
    // After the arguments come the token and the function.
    const int operands = llvm.GetNumOperands(in);
    void *last = operands > 1 ? llvm.GetOperand(in, (unsigned)operands - 2) : NULL;
    if (!last || (is_token(last) && !has_token(to, last)))
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

static void run_hoist(void *context, void *f, void *b)
{
    void *end = llvm.GetBasicBlockTerminator(b);
    const unsigned n = llvm.GetNumSuccessors(end);
    for (unsigned i = 0; n == 2 && i < n; i++)
        if (predecessors(f, llvm.GetSuccessor(end, i)) == 1)
            hoist_from(context, end, llvm.GetSuccessor(end, i));
}

// Finds the two blocks that end with a branch to `block`; false if it has others.
static bool arms(void *f, void *block, void *arm[2])
{
    unsigned n = 0;
    for (void *b = llvm.GetFirstBasicBlock(f); b; b = llvm.GetNextBasicBlock(b)) {
        void *end = llvm.GetBasicBlockTerminator(b);
        if (llvm.GetNumSuccessors(end) == 1 && llvm.GetSuccessor(end, 0) == block && n < 2)
            arm[n++] = b;
    }
    return n == 2 && predecessors(f, block) == 2;
}

static bool is_constant(void *in)
{
    for (int i = 0; i < llvm.GetNumOperands(in); i++)
        if (llvm.IsAInstruction(llvm.GetOperand(in, (unsigned)i)))
            return false;
    return true;
}

static void run_duplicate(void *context, void *f, void *b)
{
    void *arm[2], *copy[2], *next;
    if (!arms(f, b, arm))
        return;
    for (void *in = llvm.GetFirstInstruction(b); in; in = next) {
        next = llvm.GetNextInstruction(in);
        if (!is_group_op(in) || !is_constant(in))
            continue;
        void *builder = llvm.CreateBuilderInContext(context);
        for (unsigned i = 0; i < 2; i++) {
            copy[i] = llvm.InstructionClone(in);
            llvm.PositionBuilderBefore(builder, llvm.GetBasicBlockTerminator(arm[i]));
            llvm.InsertIntoBuilder(builder, copy[i]);
        }
        llvm.PositionBuilderBefore(builder, llvm.GetFirstInstruction(b));
        void *phi = llvm.BuildPhi(builder, llvm.TypeOf(in), "");
        llvm.AddIncoming(phi, copy, arm, 2);
        llvm.ReplaceAllUsesWith(in, phi);
        llvm.InstructionEraseFromParent(in);
        llvm.DisposeBuilder(builder);
    }
}

void llvm_planted_run(const char *name, size_t n, void *context, void *module)
{
    for (void *f = llvm.GetFirstFunction(module); f; f = llvm.GetNextFunction(f))
        for (void *b = llvm.GetFirstBasicBlock(f); b; b = llvm.GetNextBasicBlock(b))
            (is(name, n, hoist) ? run_hoist : run_duplicate)(context, f, b);
}
