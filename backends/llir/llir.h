// SPDX-License-Identifier: Apache-2.0
//
// llir: LLVM IR with convergence tokens, written down as words, and a machine that runs it.
//
// A third machine, which shares nothing with the oracle's two: it knows no merge blocks and no
// constructs. Two invocations execute a convergent operation together exactly if they hold the
// same *instance* of its token (L3), so an optimiser's output is judged as IR, before anything
// makes SPIR-V of it. What it does not know it names, and never guesses.
#ifndef TF_LLIR_H
#define TF_LLIR_H

#include "base/base.h"
#include "spirv/spirv.h"

// ---- a module as words ---------------------------------------------------------------
//
// Four words: LLIR_MAGIC, LLIR_VERSION, the bound of all ids, 0. Then records, each of which begins
// with its kind and, above bit 8, its words (itself included). Ids are those of constants,
// globals, functions, parameters and instructions; types and the blocks of a function are counted
// from 0 in their order. Opcodes, predicates and kinds of types are the numbers of LLVM's C API
// (llir_numbers.h).

enum { LLIR_MAGIC = 0x52494654, LLIR_VERSION = 1, LLIR_HEADER = 4 };
#define LLIR_RECORD(kind, words) ((uint32_t)(kind) | (uint32_t)(words) << 8)

enum llir_record {
    LLIR_UNKNOWN = 1, // a string: what of the module cannot be written down
    LLIR_TYPE,        // kind; width of an integer, or components of a vector; type of these
    LLIR_CONSTANT,    // id, type, enum llir_constant, then as it says
    LLIR_GLOBAL,      // id, bytes, address space, bytes of an element; ids of first values
    LLIR_FUNCTION, // id, type of its result, declared only?, parameters; (id, type) each; a string
    LLIR_BLOCK,    // of the function before it
    LLIR_INST, // of the block before it: opcode, id, type, flags, id of its token or 0; operands
};
// A string: words of four bytes each, the last one padded with NULs, at least one of them.

enum llir_constant {
    LLIR_INTEGER, // low word, high word
    LLIR_UNDEF,
    LLIR_POISON,
    LLIR_ZERO,   // of any type
    LLIR_VECTOR, // ids of its components
};

enum llir_flag { // of an instruction; an icmp's predicate above bit 8
    LLIR_NUW = 1,
    LLIR_NSW = 2,
    LLIR_EXACT = 4,
    LLIR_NNEG = 8,
    LLIR_DISJOINT = 16,
    LLIR_SAMESIGN = 32,
};

// Operands are ids, but for
//   br        block; br i1: id, block, block
//   switch    id, block of the default, (id of a constant, block) each
//   phi       (id, block) each
//   alloca    bytes
//   getelementptr   id, constant bytes (low word, high word), (id of an index, bytes it counts)
//                   each
//   shufflevector   id, id, component each (UINT32_MAX: poison)
//   call            id of the function, ids of the arguments (the token stands before)

bool llir_is(const uint32_t *words, size_t count); // words may be NULL where count is 0

// ---- the machine ---------------------------------------------------------------------

enum llir_status {
    LLIR_RAN,
    LLIR_UNDEFINED,   // it does what has no meaning: a branch on poison, an address out of bounds
    LLIR_OVER_LIMIT,  // an invocation took more instructions than it may
    LLIR_UNSUPPORTED, // something that the machine does not know, or an order it cannot find
    LLIR_INVALID,     // words that are no module
};

// The machine with its rule broken, to see that its tests can tell.
enum llir_fault {
    LLIR_FAULT_NONE,
    LLIR_FAULT_NO_ITERATIONS, // a heart's executions are not counted: all are one instance
    LLIR_FAULT_NO_PARENT,     // a heart's own count alone: its parent's instance is not looked at
    LLIR_FAULT_NO_WAITING,    // whoever is there is the group: nobody waits for those still to come
    LLIR_FAULT_NO_TOKENS,     // one group an instruction, whatever the tokens
};

struct llir_options {
    uint64_t step_limit; // instructions of one invocation; 0: 4,000,000
    enum llir_fault fault;
};

struct llir_result {
    enum llir_status status;
    char text[400];            // what was wrong, one line
    struct spv_memory *memory; // one a buffer of the case, in its order, with masks
    uint32_t memory_count;
    uint64_t steps;     // instructions of all invocations
    uint64_t group_ops; // convergent operations run, one a group
    uint64_t partial;   // of them by fewer than all of a subgroup's invocations
    uint64_t waits;     // times that a group had to wait for those who may still come
};

// Runs a module on the case's dispatch and buffers, in subgroups of `subgroup` lanes (at most 128;
// invocation i is lane i % subgroup of subgroup i / subgroup). Takes the size of workgroups from
// the case's own module. Any words; everything lives in `a`.
void llir_run(struct arena *a, const uint32_t *words, size_t count, const struct spv_case *c,
              uint32_t subgroup, const struct llir_options *o, struct llir_result *out);

#endif
