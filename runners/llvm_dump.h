// SPDX-License-Identifier: Apache-2.0
//
// Shared by llvm_dump.c and llvm_dump_inst.c: the functions of LLVM's C API that read a module, and
// the records being written.
#ifndef TF_RUNNERS_LLVM_DUMP_H
#define TF_RUNNERS_LLVM_DUMP_H

#include "llvm_worker.h"

#include "llir/llir.h"
#include "llir/llir_numbers.h"

#define DUMP_API(X)                                                                                \
    X(void *, GetFirstGlobal, (void *))                                                            \
    X(void *, GetNextGlobal, (void *))                                                             \
    X(void *, GetInitializer, (void *))                                                            \
    X(void *, GlobalGetValueType, (void *))                                                        \
    X(void *, GetFirstFunction, (void *))                                                          \
    X(void *, GetNextFunction, (void *))                                                           \
    X(int, IsDeclaration, (void *))                                                                \
    X(unsigned, CountParams, (void *))                                                             \
    X(void *, GetParam, (void *, unsigned))                                                        \
    X(void *, GetReturnType, (void *))                                                             \
    X(void *, GetFirstBasicBlock, (void *))                                                        \
    X(void *, GetNextBasicBlock, (void *))                                                         \
    X(void *, GetFirstInstruction, (void *))                                                       \
    X(void *, GetNextInstruction, (void *))                                                        \
    X(int, GetInstructionOpcode, (void *))                                                         \
    X(int, GetValueKind, (void *))                                                                 \
    X(const char *, GetValueName2, (void *, size_t *))                                             \
    X(void *, TypeOf, (void *))                                                                    \
    X(int, GetTypeKind, (void *))                                                                  \
    X(unsigned, GetIntTypeWidth, (void *))                                                         \
    X(unsigned, GetVectorSize, (void *))                                                           \
    X(unsigned long long, GetArrayLength2, (void *))                                               \
    X(void *, GetElementType, (void *))                                                            \
    X(unsigned, GetPointerAddressSpace, (void *))                                                  \
    X(unsigned long long, ConstIntGetZExtValue, (void *))                                          \
    X(int, IsConstant, (void *))                                                                   \
    X(int, IsPoison, (void *))                                                                     \
    X(int, IsUndef, (void *))                                                                      \
    X(int, IsNull, (void *))                                                                       \
    X(void *, GetAggregateElement, (void *, unsigned))                                             \
    X(int, GetNumOperands, (void *))                                                               \
    X(void *, GetOperand, (void *, unsigned))                                                      \
    X(unsigned, GetNumArgOperands, (void *))                                                       \
    X(void *, GetCalledValue, (void *))                                                            \
    X(unsigned, GetNumSuccessors, (void *))                                                        \
    X(void *, GetSuccessor, (void *, unsigned))                                                    \
    X(void *, GetSwitchCaseValue, (void *, unsigned))                                              \
    X(unsigned, CountIncoming, (void *))                                                           \
    X(void *, GetIncomingValue, (void *, unsigned))                                                \
    X(void *, GetIncomingBlock, (void *, unsigned))                                                \
    X(int, GetICmpPredicate, (void *))                                                             \
    X(int, GetICmpSameSign, (void *))                                                              \
    X(int, GetNUW, (void *))                                                                       \
    X(int, GetNSW, (void *))                                                                       \
    X(int, GetExact, (void *))                                                                     \
    X(int, GetNNeg, (void *))                                                                      \
    X(int, GetIsDisjoint, (void *))                                                                \
    X(void *, GetAllocatedType, (void *))                                                          \
    X(void *, GetGEPSourceElementType, (void *))                                                   \
    X(unsigned, GetNumMaskElements, (void *))                                                      \
    X(int, GetMaskValue, (void *, unsigned))                                                       \
    X(void *, GetModuleDataLayout, (void *))                                                       \
    X(unsigned long long, ABISizeOfType, (void *, void *))                                         \
    X(unsigned long long, OffsetOfElement, (void *, void *, unsigned))

struct dump_api {
#define X(result, name, args) result(*name) args;
    DUMP_API(X)
#undef X
};
extern struct dump_api dump_llvm;

enum { DUMP_TYPES = 256 };
struct dump {
    struct arena arena;
    void *layout;
    struct words out; // finished records
    struct words now; // the current record; records that it depends on go to `out` first
    uint32_t bound;
    void *type[DUMP_TYPES];
    uint32_t types;
    struct slot {
        void *value;
        uint32_t id;
    } *slot; // by address
    uint32_t slots, used;
    char unknown[200]; // the first thing that is not supported; "" for none
};

// Records the first reason why the module cannot be written. Returns false.
bool dump_unknown(struct dump *d, const char *what);
// Returns the slot of a value or block; its id is 0 if it is new.
struct slot *dump_slot_of(struct dump *d, const void *value);
// Appends words to the current record.
void dump_put(struct dump *d, uint32_t word);
void dump_put64(struct dump *d, uint64_t value);
// Ends the record that was begun at word `from` of `now`.
void dump_end(struct dump *d, enum llir_record kind, size_t from);
// Returns the number of a type, and the id of a value. Writes the record of a new type or value
// first.
uint32_t dump_type(struct dump *d, void *t);
uint32_t dump_value(struct dump *d, void *v);
void dump_instruction(struct dump *d, void *in); // llvm_dump_inst.c

#endif
