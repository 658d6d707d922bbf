// SPDX-License-Identifier: Apache-2.0
//
// LLVM IR. Names: %x12 value, b12 block, %t12 token of the loop whose header is b12,
// %t the function's, %v1.27 variable; numbers are the module's ids. Private to backends/printers/.
//
//   llvm.c        functions, blocks, tokens, terminators
//   llvm_inst.c   one instruction each
//   llvm_ops.c    group operations -> llvm.spv.* intrinsics
//   llvm_target.c the same for amdgcn and nvptx64
#ifndef TF_PRINTERS_LLVM_H
#define TF_PRINTERS_LLVM_H

#include "form.h"

enum llvm_dialect { LLVM_SPIRV, LLVM_AMDGCN, LLVM_NVPTX };

struct llvm {
    enum llvm_dialect dialect;
    const struct form *f;
    struct text *out;
    struct err *e;
    uint32_t block;           // index of the one at hand
    uint32_t temps;           // names %n0, %n1 ... used so far
    uint32_t unrolls;         // loop metadata: nodes so far
    struct text nodes;        // and their text
    VEC(const char *) wanted; // of llvm_intrinsic, in the order in which they were first asked for
};

const char *llvm_type(const struct llvm *p, uint32_t type);   // "i32", "<4 x i32>"; NULL: none
const char *llvm_mangle(const struct llvm *p, uint32_t type); // "i32", "v4i32"
const char *llvm_value(const struct llvm *p,
                       uint32_t id);   // "%x7", "3", "true"; a function: its name
const char *llvm_temp(struct llvm *p); // a new name
// ` [ "convergencectrl"(token %t) ]` of the block at hand.
const char *llvm_bundle(const struct llvm *p);
// False with "%7: OpFoo" and why.
bool llvm_refuse(const struct llvm *p, const struct spv_inst *in, const char *why);

// The function that stands for intrinsic llvm.spv.NAME: itself, or one that llvm_target_end prints.
const char *llvm_intrinsic(struct llvm *p, const char *name);

// llvm_target.c, of other dialects than SPIR-V's: what stands first, a Private variable (`name`
// with its sign), what a function begins with, and the functions that llvm_intrinsic was
// asked for.
void llvm_target_start(struct llvm *p);
void llvm_target_private(struct llvm *p, const char *name, const char *type);
void llvm_target_enter(struct llvm *p, bool main);
bool llvm_target_end(struct llvm *p);

bool llvm_inst(struct llvm *p, const struct spv_inst *in);
bool llvm_group_op(struct llvm *p, const struct spv_inst *in);

#endif
