// SPDX-License-Identifier: Apache-2.0
//
// Where an instruction stands in the structure of its module, statically: which
// constructs are around it and what it stands after. Private to the room.
#ifndef TF_BLAME_CONSTRUCT_H
#define TF_BLAME_CONSTRUCT_H

#include "blame.h"
#include "spirv/spirv_flow.h"
#include "spirv/spirv_groups.h"

// The flow of the function that holds an instruction, and its block there. False where it stands in
// no block, or in one that is not reached.
bool site_flow(struct arena *a, const struct spv_module *m, uint32_t inst, struct spv_flow *out,
               uint32_t *block);

// Where instruction `inst` stands: constructs from the outside in, joined by '/', of
// "if", "case", "fall" (a case that another one falls into), "loop", "head" (the loop's
// header block), "cont" (its continue construct), "call"; last perhaps "break" (on the way
// out of the loop) or "jump" (out of a selection by another way than its merge); then what it
// stands after, "+if", "+switch", "+loop", "+call", if anything; "top" when nothing is around it.
// The innermost comes last. `rule` (8 bytes) is the rule of docs/rules.md that fixes the tangle
// there.
void construct_path(struct arena *a, const struct spv_module *m, uint32_t inst, struct text *out,
                    char rule[8]);

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
// "IAdd ClusteredReduce 2": opcode, form, size of clusters, whether of vectors.
void shape_op(const struct spv_module *m, const struct spv_inst *i, char *out, size_t size);
// Another operation like instruction `at`: "before" it on every way to it, "beside"; NULL.
const char *shape_pair(struct arena *a, const struct spv_module *m, uint32_t at);
// Kinds of constructs: "loop, switch, falls"; "top" for none.
void shape_flow(struct arena *a, const struct spv_module *m, char *out, size_t size);
// "only arm", "first arm", "second arm" of the selection around an instruction; "" for none.
const char *shape_arm(struct arena *a, const struct spv_module *m, uint32_t at);

// ---- classify.c
const char *signature_taxonomy(const struct blame_signature *s);

#endif
