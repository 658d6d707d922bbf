// SPDX-License-Identifier: Apache-2.0
//
// The static position of an instruction in the structure of its module: the constructs around it
// and the construct that it follows. Private to the room.
#ifndef TF_DIAGNOSE_CONSTRUCT_H
#define TF_DIAGNOSE_CONSTRUCT_H

#include "diagnose.h"
#include "spirv/spirv_flow.h"
#include "spirv/spirv_groups.h"

// Reads the control flow of the function that holds an instruction, and its block there. False if
// the instruction is in no block, or in an unreachable one.
bool site_flow(struct arena *a, const struct spv_module *m, uint32_t inst, struct spv_flow *out,
               uint32_t *block);

// Fills the path of instruction `inst`: constructs from the outside in, then what it follows.
void construct_path(struct arena *a, const struct spv_module *m, uint32_t inst,
                    struct diag_path *out);
// Returns the rule that fixes the tangle there.
enum diag_rule construct_rule(const struct diag_path *p);

// ---- site.c

// The place in the module that produced the first wrong word.
struct site {
    bool found;     // a log entry's or a buffer's store was found
    uint32_t store; // instruction index of that store
    bool has_op;
    uint32_t op;    // instruction index of the group operation that produced the stored value
    uint32_t bits;  // of the operation that reads bits of that ballot on the path; 0 for none
    uint32_t inner; // of the operation that produced the operand of `op`; 0 for none
    uint32_t guard; // without `op`: of the one that decides which lanes reach the store; 0 for none
};
void site_find(struct arena *a, const struct spv_case *c, const struct spv_module *m,
               const struct judge_verdict *v, struct site *out);

// ---- names and messages of targets
// Writes the single pass of a target: "spirv-opt:--loop-unswitch"; "" for none.
void signature_pass(const char *target, char *out, size_t size);
// Writes the normalized text of a crash, refusal or invalid module: backtrace frames, then text
// without numbers. `repair_at`: judge_verdict's; 0 for text that is not a verdict's.
void signature_message(struct arena *a, const char *text, size_t repair_at, char *out, size_t size);

// ---- shape.c
// Reports whether an instruction queries the helper invocation status.
bool shape_queries_helper(const struct spv_module *m, const struct spv_inst *i);
struct diag_op shape_op(const struct spv_module *m, const struct spv_inst *i);
// Finds another operation like instruction `at`.
enum diag_pair shape_pair(struct arena *a, const struct spv_module *m, uint32_t at);
struct diag_flow shape_flow(struct arena *a, const struct spv_module *m);
// Returns the arm of the innermost selection that holds an instruction.
enum diag_arm shape_arm(struct arena *a, const struct spv_module *m, uint32_t at);

// ---- signature.c, classify.c, words_signature.c
bool signature_names_lanes(enum judge_class k);
uint8_t signature_bug_class(const struct diag_signature *s);
// Fills text and name from the other fields. `a`: scratch memory.
void signature_words(struct arena *a, struct diag_signature *s);

#endif
