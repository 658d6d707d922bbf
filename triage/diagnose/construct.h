// SPDX-License-Identifier: Apache-2.0
//
// Where an instruction stands in the structure of its module, statically: which
// constructs are around it and what it stands after. Private to the room.
#ifndef TF_DIAGNOSE_CONSTRUCT_H
#define TF_DIAGNOSE_CONSTRUCT_H

#include "diagnose.h"
#include "spirv/spirv_flow.h"
#include "spirv/spirv_groups.h"

// The flow of the function that holds an instruction, and its block there. False where it stands in
// no block, or in one that is not reached.
bool site_flow(struct arena *a, const struct spv_module *m, uint32_t inst, struct spv_flow *out,
               uint32_t *block);

// Where instruction `inst` stands: constructs from the outside in, then what it stands after.
void construct_path(struct arena *a, const struct spv_module *m, uint32_t inst,
                    struct diag_path *out);
// The rule that fixes the tangle there.
enum diag_rule construct_rule(const struct diag_path *p);

// ---- site.c

// The place in the module that made the first wrong word.
struct site {
    bool found;     // a log entry's or a buffer's store was found
    uint32_t store; // instruction index of that store
    bool has_op;
    uint32_t op;    // instruction index of the group operation that made the stored value
    uint32_t bits;  // of what reads that ballot's bits on the way; 0 for none
    uint32_t inner; // of the operation that made what `op` works on; 0 for none
    uint32_t guard; // without an op: of the one that decides who comes by; 0 for none
};
void site_find(struct arena *a, const struct spv_case *c, const struct spv_module *m,
               const struct judge_verdict *v, struct site *out);

// ---- subject.c
// The single pass that a target is: "spirv-opt:--loop-unswitch"; "" for none.
void signature_pass(const char *target, char *out, size_t size);
// Words of a crash, a refusal, an invalid module: frames of its backtrace, numbers folded.
// `repair_at`: judge_verdict's, 0 for what is no verdict's text.
void signature_message(struct arena *a, const char *text, size_t repair_at, char *out, size_t size);

// ---- shape.c
// Does it ask who is a helper invocation?
bool shape_asks_helpers(const struct spv_module *m, const struct spv_inst *i);
struct diag_op shape_op(const struct spv_module *m, const struct spv_inst *i);
// Another operation like instruction `at`.
enum diag_pair shape_pair(struct arena *a, const struct spv_module *m, uint32_t at);
struct diag_flow shape_flow(struct arena *a, const struct spv_module *m);
// Of the selection around an instruction.
enum diag_arm shape_arm(struct arena *a, const struct spv_module *m, uint32_t at);

// ---- signature.c, classify.c, words_signature.c
bool signature_tells_lanes(enum judge_class k);
uint8_t signature_bug_class(const struct diag_signature *s);
// Its text and name, of the other fields. `a` for what is needed on the way.
void signature_words(struct arena *a, struct diag_signature *s);

#endif
