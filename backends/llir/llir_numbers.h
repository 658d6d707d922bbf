// SPDX-License-Identifier: Apache-2.0
//
// Numbers of LLVM's C API in the serialized form of a module (llir.h). Source: the enums
// LLVMOpcode, LLVMTypeKind and LLVMValueKind in the Core header of LLVM 23; tests/app_llvm_test.sh
// checks this table against that header. The API never reuses numbers, but one was split: until
// LLVM 22, conditional and unconditional branches are both LLVMBr (llvm-project's pull request
// 184027).
#ifndef TF_LLIR_NUMBERS_H
#define TF_LLIR_NUMBERS_H

// X(our name, number, LLVM's name)
#define LLIR_OPS(X)                                                                                \
    X(LLIR_RET, 1, LLVMRet)                                                                        \
    X(LLIR_SWITCH, 3, LLVMSwitch)                                                                  \
    X(LLIR_UNREACHABLE, 7, LLVMUnreachable)                                                        \
    X(LLIR_ADD, 8, LLVMAdd)                                                                        \
    X(LLIR_SUB, 10, LLVMSub)                                                                       \
    X(LLIR_MUL, 12, LLVMMul)                                                                       \
    X(LLIR_UDIV, 14, LLVMUDiv)                                                                     \
    X(LLIR_SDIV, 15, LLVMSDiv)                                                                     \
    X(LLIR_UREM, 17, LLVMURem)                                                                     \
    X(LLIR_SREM, 18, LLVMSRem)                                                                     \
    X(LLIR_SHL, 20, LLVMShl)                                                                       \
    X(LLIR_LSHR, 21, LLVMLShr)                                                                     \
    X(LLIR_ASHR, 22, LLVMAShr)                                                                     \
    X(LLIR_AND, 23, LLVMAnd)                                                                       \
    X(LLIR_OR, 24, LLVMOr)                                                                         \
    X(LLIR_XOR, 25, LLVMXor)                                                                       \
    X(LLIR_ALLOCA, 26, LLVMAlloca)                                                                 \
    X(LLIR_LOAD, 27, LLVMLoad)                                                                     \
    X(LLIR_STORE, 28, LLVMStore)                                                                   \
    X(LLIR_GEP, 29, LLVMGetElementPtr)                                                             \
    X(LLIR_TRUNC, 30, LLVMTrunc)                                                                   \
    X(LLIR_ZEXT, 31, LLVMZExt)                                                                     \
    X(LLIR_SEXT, 32, LLVMSExt)                                                                     \
    X(LLIR_BITCAST, 41, LLVMBitCast)                                                               \
    X(LLIR_ICMP, 42, LLVMICmp)                                                                     \
    X(LLIR_PHI, 44, LLVMPHI)                                                                       \
    X(LLIR_CALL, 45, LLVMCall)                                                                     \
    X(LLIR_SELECT, 46, LLVMSelect)                                                                 \
    X(LLIR_EXTRACT, 50, LLVMExtractElement)                                                        \
    X(LLIR_INSERT, 51, LLVMInsertElement)                                                          \
    X(LLIR_SHUFFLE, 52, LLVMShuffleVector)                                                         \
    X(LLIR_FREEZE, 68, LLVMFreeze)                                                                 \
    X(LLIR_BR, 70, LLVMUncondBr)                                                                   \
    X(LLIR_COND_BR, 71, LLVMCondBr)
enum { LLIR_BR_UNTIL_22 = 2 };

#define LLIR_TYPES(X)                                                                              \
    X(LLIR_TY_VOID, 0, LLVMVoidTypeKind)                                                           \
    X(LLIR_TY_HALF, 1, LLVMHalfTypeKind)                                                           \
    X(LLIR_TY_FLOAT, 2, LLVMFloatTypeKind)                                                         \
    X(LLIR_TY_DOUBLE, 3, LLVMDoubleTypeKind)                                                       \
    X(LLIR_TY_INT, 8, LLVMIntegerTypeKind)                                                         \
    X(LLIR_TY_STRUCT, 10, LLVMStructTypeKind)                                                      \
    X(LLIR_TY_ARRAY, 11, LLVMArrayTypeKind)                                                        \
    X(LLIR_TY_POINTER, 12, LLVMPointerTypeKind)                                                    \
    X(LLIR_TY_VECTOR, 13, LLVMVectorTypeKind)                                                      \
    X(LLIR_TY_METADATA, 14, LLVMMetadataTypeKind)                                                  \
    X(LLIR_TY_TOKEN, 16, LLVMTokenTypeKind)                                                        \
    X(LLIR_TY_HANDLE, 20, LLVMTargetExtTypeKind)

#define LLIR_VALUES(X)                                                                             \
    X(LLIR_VALUE_VECTOR, 13, LLVMConstantVectorValueKind)                                          \
    X(LLIR_VALUE_DATA_VECTOR, 17, LLVMConstantDataVectorValueKind)                                 \
    X(LLIR_VALUE_INTEGER, 18, LLVMConstantIntValueKind)

#define LLIR_NUMBER(own, number, theirs) own = number,
enum llir_op { LLIR_OPS(LLIR_NUMBER) };
enum llir_kind { LLIR_TYPES(LLIR_NUMBER) };        // of a type
enum llir_value_kind { LLIR_VALUES(LLIR_NUMBER) }; // of a constant
#undef LLIR_NUMBER

#endif
