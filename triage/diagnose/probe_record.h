// SPDX-License-Identifier: Apache-2.0
//
// What an instruction returns to each invocation, as the target executes it: where it is computed,
// or later, where another block uses it.
#ifndef TF_DIAGNOSE_PROBE_RECORD_H
#define TF_DIAGNOSE_PROBE_RECORD_H

#include "spirv/spirv.h"

enum { PROBE_WORDS = 8, PROBE_OPERANDS = 3 };
// One record for each invocation, in the new case's first buffer, by GlobalInvocationId.x: the
// number of executions, then of the last one the result and the operands. For a value at the start
// of a block: how often the block was executed, the value there, and the value where it is
// computed.
struct probe_record {
    uint32_t id;          // of the instruction
    uint32_t label;       // of the block; 0: the result where it is computed
    uint32_t invocations; // records
    uint32_t words, result_words;
    uint32_t operand[PROBE_OPERANDS], operands; // ids; no constants
    // [word]: it is a condition: 1 or 0. A target whose conditions have other bits may show them,
    // so any word that is not 0 is true.
    bool truth[1 + (1 + PROBE_OPERANDS) * PROBE_WORDS];
};
// Reports whether instruction `i` returns a value that can be recorded in full and replaced: at
// most PROBE_WORDS words, no phi, call or atomic operation.
bool probe_records(const struct spv_module *m, uint32_t i);
// Builds the case that records instruction `id` right after it, or at the start of block `label`.
// In `a`. False if it cannot.
bool probe_record(struct arena *a, const struct spv_case *c, uint32_t id, uint32_t label,
                  struct probe_record *p, struct spv_case *out);
// Builds the case in which the instruction returns what `words` recorded, or in which its value is
// that from the block on, for the oracle. In `a`.
bool probe_given(struct arena *a, const struct spv_case *c, const struct probe_record *p,
                 const uint32_t *words, struct spv_case *out);

#endif
