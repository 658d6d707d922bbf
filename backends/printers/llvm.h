// SPDX-License-Identifier: Apache-2.0
//
// LLVM IR. Names: %x12 value, b12 block, %t12 token of the loop whose header is b12, %t token of
// the function, %v1.27 variable; the numbers are the module's ids. Private to backends/printers/.
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
    bool bare; // no convergence tokens: uncontrolled convergence, by `convergent` alone
    const struct form *f;
    struct text *out;
    struct err *e;
    uint32_t block;           // index of the current block
    uint32_t temps;           // number of names %n0, %n1 ... used so far
    uint32_t unrolls;         // loop metadata: number of nodes so far
    struct text nodes;        // text of the nodes
    VEC(const char *) wanted; // functions to define, in the order of first use (llvm_intrinsic)
};

const char *llvm_type(const struct llvm *p, uint32_t type);   // "i32", "<4 x i32>"; NULL: none
const char *llvm_mangle(const struct llvm *p, uint32_t type); // "i32", "v4i32"
const char *llvm_value(const struct llvm *p,
                       uint32_t id);   // "%x7", "3", "true"; a function: its name
const char *llvm_temp(struct llvm *p); // returns a new name
// Returns ` [ "convergencectrl"(token %t) ]` for the current block; "" if bare.
const char *llvm_bundle(const struct llvm *p);
// Returns false, with "OpFoo: why" and the id of the result.
bool llvm_refuse(const struct llvm *p, const struct spv_inst *in, const char *why);

// Returns the function for the intrinsic llvm.spv.NAME: itself, or one that llvm_target_end prints.
const char *llvm_intrinsic(struct llvm *p, const char *name);

// llvm_target.c, for dialects other than SPIR-V's: the start of the module; a Private variable
// (`name` includes its sign); the start of a function; the functions that llvm_intrinsic returned.
void llvm_target_start(struct llvm *p);
void llvm_target_private(struct llvm *p, const char *name, const char *type);
void llvm_target_enter(struct llvm *p, bool main);
bool llvm_target_end(struct llvm *p);

bool llvm_inst(struct llvm *p, const struct spv_inst *in);
bool llvm_group_op(struct llvm *p, const struct spv_inst *in);

#endif
