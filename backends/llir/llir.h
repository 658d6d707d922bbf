// SPDX-License-Identifier: Apache-2.0
//
// LLVM IR with convergence tokens, in a serialized form, and a machine that executes it.
//
// It is the third executor and shares no code with the oracle's two: it does not know merge blocks
// and constructs. Two invocations execute a convergent operation together exactly if they hold the
// same *instance* of its token (L3). So an optimizer's output is judged as IR, before a back end
// translates it to SPIR-V. Unsupported IR is refused by name and never approximated.
#ifndef TF_LLIR_H
#define TF_LLIR_H

#include "base/base.h"
#include "spirv/spirv.h"

// ---- a serialized module -------------------------------------------------------------
//
// Four words: LLIR_MAGIC, LLIR_VERSION, the bound of all ids, 0. Then records. The first word of a
// record holds its kind in the low 8 bits and its number of words, including this one, above.
// Constants, globals, functions, parameters and instructions have ids. Types, and the blocks of a
// function, are numbered from 0 in their order. Opcodes, predicates and kinds of types are the
// numbers of LLVM's C API (llir_numbers.h).

enum { LLIR_MAGIC = 0x52494654, LLIR_VERSION = 1, LLIR_HEADER = 4 };
#define LLIR_RECORD(kind, words) ((uint32_t)(kind) | (uint32_t)(words) << 8)

enum llir_record {
    LLIR_UNKNOWN = 1, // a string: names what the module contains but the format cannot express
    LLIR_TYPE,     // kind; width of an integer, or components of a vector; type of the components
    LLIR_CONSTANT, // id, type, enum llir_constant, then its data
    LLIR_GLOBAL,   // id, bytes, address space, bytes of an element; ids of initial values
    LLIR_FUNCTION, // id, type of its result, declared only?, parameters; (id, type) each; a string
    LLIR_BLOCK,    // belongs to the function before it
    LLIR_INST,     // belongs to the block before it: opcode, id, type, flags, id of its token or 0;
                   // operands
};
// A string is packed four bytes to a word and padded with at least one NUL.

enum llir_constant {
    LLIR_INTEGER, // low word, high word
    LLIR_UNDEF,
    LLIR_POISON,
    LLIR_ZERO,   // of any type
    LLIR_VECTOR, // ids of its components
};

enum llir_flag { // of an instruction; the predicate of an icmp is above bit 8
    LLIR_NUW = 1,
    LLIR_NSW = 2,
    LLIR_EXACT = 4,
    LLIR_NNEG = 8,
    LLIR_DISJOINT = 16,
    LLIR_SAMESIGN = 32,
};

// Operands are ids, except for
//   br        block; br i1: id, block, block
//   switch    id, block of the default, (id of a constant, block) each
//   phi       (id, block) each
//   alloca    bytes
//   getelementptr   id, constant bytes (low word, high word), (id of an index, its unit in bytes)
//                   each
//   shufflevector   id, id, component each (UINT32_MAX: poison)
//   call            id of the function, ids of the arguments (the token is not an operand)

// True if the words start with the header of this version. `words` may be NULL if `count` is 0.
bool llir_is(const uint32_t *words, size_t count);

// ---- the machine ---------------------------------------------------------------------

// Faults that can be injected into the machine's rules, to check that tests detect them.
enum llir_fault {
    LLIR_FAULT_NONE,
    LLIR_FAULT_NO_ITERATIONS, // executions of a heart are not counted: all are one instance
    LLIR_FAULT_NO_PARENT,  // a heart counts its own executions, regardless of its parent's instance
    LLIR_FAULT_NO_WAITING, // a group runs without the lanes that may still arrive
    LLIR_FAULT_NO_TOKENS,  // one group per instruction, regardless of tokens
};

struct llir_options {
    uint64_t step_limit; // instructions of one invocation; 0: 4,000,000
    enum llir_fault fault;
};

struct llir_result {
    enum ran status;
    char text[400];            // the error, one line
    struct spv_memory *memory; // one per buffer of the case, in its order, with masks
    uint32_t memory_count;
    uint64_t steps;     // instructions of all invocations
    uint64_t group_ops; // convergent operations executed, counted once per group
    uint64_t partial;   // of these, by fewer than all invocations of the subgroup
    uint64_t waits;     // times that a group had to wait for lanes that may still arrive
};

// Runs a module on the case's dispatch and buffers, in subgroups of `subgroup` lanes (1 to 128;
// invocation i is lane i % subgroup of subgroup i / subgroup). The workgroup size comes from the
// case's own module. The words may be any data. `o` NULL: all defaults. Fills *out: the status, and
// the memory only if it is RAN_OK. All memory is allocated in `a`.
void llir_run(struct arena *a, const uint32_t *words, size_t count, const struct spv_case *c,
              uint32_t subgroup, const struct llir_options *o, struct llir_result *out);

#endif
