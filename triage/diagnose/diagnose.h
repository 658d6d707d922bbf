// SPDX-License-Identifier: Apache-2.0
//
// Root-cause analysis of a mismatch. Input: a case, its verdict and, for a compiler, the module
// that it produced. Output: the operation that produced the first wrong word, the constructs around
// it, what the compiler changed, and the signature by which two findings are one bug.
#ifndef TF_DIAGNOSE_H
#define TF_DIAGNOSE_H

#include "facts.h"
#include "judge/judge.h"
#include "spirv/spirv_groups.h"

// ---- signature -------------------------------------------------------------------

// What two findings of one bug have in common, as far as static analysis shows (docs/dedup.md
// measures how far). Computed before reduction to steer it, and after reduction for the bucket:
// small cases have few constructs, and so equal paths.
struct diag_signature {
    enum judge_class klass;
    char family[64]; // the target at fault: run_family
    enum diag_about about;
    enum spv_group_class op;     // of the operation that produced the first wrong word; only where
                                 // that operation is at fault, and no other
    struct diag_op exact;        // that operation, or the guard (see `guard`)
    struct diag_op inner, guard; // the operation that produced the operand of `exact`; the one
                                 // whose result decides which lanes reach the store
    struct diag_op bits;         // the operation that reads the ballot `exact`
    enum diag_pair pair;
    struct diag_flow flow;
    enum diag_arm arm;
    bool probed; // the next field and DIAG_ANY_OP are valid, and replace the path
    struct diag_pattern pattern;
    enum orc_fault fault;      // the oracle's fault that explains one wrong operation, and survived
                               // experiments; replaces operation and pattern; 0: none
    struct diag_change change; // for a reduced case; if `did` is set, only the change counts
    struct diag_path path;
    enum diag_rule rule; // the rule that fixes the tangle there; none under the weaker models,
                         // which promise less than it
    uint8_t bug_class;   // T1 .. T18 where shape or pass shows it; else 0
    uint64_t site;     // run_result.crash_site, set by the caller; not in `text`, since it differs
                       // between builds
    char message[320]; // of a crash, rejection, invalid module: frames, then text without numbers
    char culprit[64];  // compiler pass; "" if not known
    char text[800];    // stable form: what diag_bucket_name hashes
    char name[16];     // the bucket: ten letters
};
// Fills bug_class, text and name of a signature from its other fields. The functions below that
// fill or change a signature call it.
void diag_signature_finish(struct diag_signature *s);
// Returns `s` without the machine's folders: "icd=/home/me/x/icd.json" -> "icd=icd.json".
const char *diag_without_paths(struct arena *a, const char *s);
// Returns a message without the details that vary between occurrences of one fault: ids, numbers,
// addresses, paths, quoted names that hold digits. In `a`.
const char *diag_normal_message(struct arena *a, const char *message);
// Returns the first three frames of a crash report that locate the fault, "LoopFusion::Fuse <
// Pass::Run", or by places, "opt@0x1149 < opt@0x115e", if no function is named; "" for none. Reads
// the forms of gdb, of the sanitizers and of glibc. In `a`.
const char *diag_frames(struct arena *a, const char *printed);
// Computes the signature of a verdict on a case. `driver`: run_info.driver or NULL.
// `target_output`: what the target printed, or a backtrace, for crashes, rejections and the like;
// NULL: the verdict's text, which invalid and undefined outputs always use. `culprit`: the pass at
// fault, NULL if not known; a target that is a single pass ("spirv-opt:--x") is its own culprit.
// Never fails.
void diag_signature(const struct spv_case *c, const struct judge_verdict *v, const char *target,
                    const char *driver, const char *target_output, const char *culprit,
                    struct diag_signature *out);
// Finds what a compiler did to a module: compares input and output. False if change->did is
// DIAG_DID_NOTHING: nothing was found, or a module cannot be read, or only the number of constructs
// changed (the fields at its end), which is weak evidence about a fault.
bool diag_change(const uint32_t *in, size_t in_count, const uint32_t *out, size_t out_count,
                 struct diag_change *change);
// Reports whether two changes are one kind of mistake; ignores the construct and the counts.
bool diag_change_equal(const struct diag_change *x, const struct diag_change *y);
bool diag_op_same(const struct diag_op *x, const struct diag_op *y); // all fields equal
// Finds what the compiler did to operation `id` of the input module and all that equal it
// (diag_op_same). Returns flags of diag_op_change: fewer or more of them, or some at another place;
// 0 if all are in their places, or if a module cannot be read.
enum diag_op_change { DIAG_OP_FEWER = 1, DIAG_OP_MORE = 2, DIAG_OP_ELSEWHERE = 4 };
unsigned diag_change_of_op(const uint32_t *in, size_t in_count, uint32_t id, const uint32_t *out,
                           size_t out_count);
// What the probes of a reduced case show about the operation that produced the first wrong word.
enum diag_what {
    DIAG_OP,    // only this operation is wrong in its place
    DIAG_ANY,   // any group operation would be wrong there: the tangle is wrong
    DIAG_INNER, // its operand is already wrong: the operation that produced it, if any, is at fault
    DIAG_LATER, // it is right where it stands: its result is lost or changed later
};
// Sets `probed` and replaces the path by what the probes show. `pattern`: how the tangle is wrong;
// all zeroes if not known.
void diag_signature_probed(struct diag_signature *s, enum diag_what at_fault,
                           const struct diag_pattern *pattern);
struct diag_alone;
// For a fault of one operation: replaces `exact` by `op`, the plainest operation of its kind that
// fails by itself (probe_alone). No effect for other faults.
void diag_signature_alone(struct diag_signature *s, const struct diag_alone *op);
// Sets `change` for a reduced case: compares the module that the compiler produced with the input
// (diag_change). If it did the same to a group operation in two findings, they are the same
// mistake, whatever the symptom. No effect for a class that is not a mismatch or undefined output.
void diag_signature_changed(struct diag_signature *s, const struct spv_case *c,
                            const uint32_t *output, size_t output_count);
// May a reduction of a finding `was` accept a candidate that shows `is`? It must be the same fault
// as far as the first wrong site shows, at any program size: same family and class; for crashes and
// refusals the same message; for a mismatch the same kind of site (a group operation's result or
// another value). A wrong result of an operation other than a ballot may become a wrong ballot,
// which shows more. So the relation is not symmetric.
bool diag_same_kind(const struct diag_signature *was, const struct diag_signature *is);
// Builds a probe: the case with the group operation that produced the first wrong word, and all
// that differ from it only in operands, replaced by another operation that shows the tangle. If the
// target is wrong about the probe too, any operation would show the bug. *id: the result of the new
// operation. False if no operation is found, or no word is derived from its result alone. In `a`.
enum diag_probe {
    DIAG_PROBE_BALLOT, // of true: its first word
    DIAG_PROBE_SUM,    // of ones
    DIAG_PROBE_ELECT,
    DIAG_PROBE_OPERAND, // the operation's operand: if that is wrong, the operation is not at fault
    DIAG_PROBES
};
bool diag_probe(struct arena *a, const struct spv_case *c, const struct judge_verdict *v,
                enum diag_probe kind, struct spv_case *out, uint32_t *id);
// Builds the case that stores what group operation `id` does right after it, in a new buffer, the
// first of the case: one word per invocation, by GlobalInvocationId.x. In `a`. False if the case
// has the maximum number of buffers, is not 1 to 4,096 invocations wide in x, or if the result has
// no form of one word.
enum diag_expose {
    DIAG_EXPOSE_ALONE, // its result, without the stores to other buffers
    DIAG_EXPOSE_TOO,   // its result; the other stores stay
    DIAG_EXPOSE_EACH,  // a hash of its one-word results of all executions; the other stores stay
    DIAG_EXPOSE_COUNT, // how often the invocation executed it
};
bool diag_expose(struct arena *a, const struct spv_case *c, uint32_t id, enum diag_expose what,
                 struct spv_case *out);
// Builds the case in which a block always takes one side of its conditional branch (1: the true
// side) and stores the condition instead, as with DIAG_EXPOSE_ALONE. False as above, and if the
// block has no conditional branch, or a constant condition.
bool diag_expose_condition(struct arena *a, const struct spv_case *c, uint32_t label, uint32_t side,
                           struct spv_case *out);
// Reports whether the first wrong word is a group operation's result, unchanged.
bool diag_is_exposed(const struct spv_case *c, const struct judge_verdict *v);
// Builds the case with its barrier replaced by a ballot of true, *id. False unless it has exactly
// one barrier. In `a`.
bool diag_barrier_ballot(struct arena *a, const struct spv_case *c, struct spv_case *out,
                         uint32_t *id);
// A group operation by itself (probe_alone.c).
struct diag_alone {
    uint16_t op;
    uint32_t form, cluster; // SpvGroupOperation, where it has one; lanes of a cluster
    bool vector;            // a vector of words; else one word, number or condition
    bool part;              // lane 0 does not execute it
    uint32_t lanes;         // of the subgroup, which is full
};
struct diag_plan {
    struct diag_alone *v;
    size_t n, cap;
};
// Lists the programs that test operation `id` of the case by itself, the plainest operation of its
// kind first, in subgroups of 4 and then of the case's size; `part`: also with lane 0 inactive.
// Empty if `id` is not a group operation, or the case's subgroup size is not 4 to 32.
void diag_alone_plan(struct arena *a, const struct spv_case *c, uint32_t id, bool part,
                     struct diag_plan *out);
// Builds the program of an entry of the plan, with an all-zero output buffer. False if the
// operation has none, or if spirv-as rejects it. In `a`.
bool diag_alone(struct spv_tools *tools, struct arena *a, const struct diag_alone *q,
                enum spv_model model, struct spv_case *out);
struct diag_op diag_alone_op(const struct diag_alone *q); // the entry's operation
// Returns the result id of the group operation that produced the first wrong word, else of the
// guard (struct diag_signature). `inner`: of the one that produced its operand. 0: none.
uint32_t diag_site_op(const struct spv_case *c, const struct judge_verdict *v, bool inner);
// Returns the result id of the operation that reads the bits of the ballot that diag_site_op finds;
// 0: none.
uint32_t diag_site_reader(const struct spv_case *c, const struct judge_verdict *v);
// Reports whether the operation that produced the first wrong word is already the one that
// diag_probe would insert. False for DIAG_PROBE_OPERAND.
bool diag_probe_is(const struct spv_case *c, const struct judge_verdict *v, enum diag_probe kind);
// Computes the bucket's name from a signature's text: ten letters.
void diag_bucket_name(const char *text, char out[16]);

// ---- as text (words_signature.c) -------------------------------------------------------------

// Return fields of the signature's text, which never changes. Class: "wrong-tangle". Operation:
// "IAdd ExclusiveScan", "any, another before"; "". Place: "extra: M1 (if, only arm)", "loop/break".
// In `a`.
const char *diag_class_words(const struct diag_signature *s);
const char *diag_op_words(struct arena *a, const struct diag_signature *s);
const char *diag_where_words(struct arena *a, const struct diag_signature *s);
// Returns what happened as a sentence without a full stop: "the operation counts lanes that wait
// at ..."; "" if only a place in the program is known. In `a`.
const char *diag_sentence(struct arena *a, const struct diag_signature *s);
const char *diag_path_words(struct arena *a, const struct diag_path *p);       // "loop/break+if"
const char *diag_change_words(struct arena *a, const struct diag_change *c);   // "copied, loops+"
const char *diag_pattern_words(struct arena *a, const struct diag_pattern *m); // "extra: M4"
const char *diag_operation_words(struct arena *a, const struct diag_op *op);   // "IAdd Reduce"
// The same for readers, in words (words_place.c): what happened and where; what a compiler did, and
// its details; which lanes are counted and missed. In `a`.
const char *diag_place_words(struct arena *a, const struct diag_signature *s);
const char *diag_did_words(const struct diag_change *c); // "moved a group operation"
const char *diag_change_detail(struct arena *a, const struct diag_change *c);
const char *diag_tangle_words(struct arena *a, const struct diag_pattern *m);
const char *diag_stage_text(enum diag_stage s); // one sentence; "" if not known
const char *diag_bug_class(uint8_t bug_class);  // "T1"; "" for 0

// Return a rule's sentence, in our wording, and its section of the extension or of Vulkan; "" for
// DIAG_NO_RULE.
const char *diag_rule_text(enum diag_rule r);
const char *diag_rule_section(enum diag_rule r);
bool diag_rule_is_vulkan(enum diag_rule r);
// Return one or two sentences: what model `m` promises, and its source; what it means that `p` is
// the weakest promise that the wrong value breaks.
const char *diag_promise_text(enum spv_model m, enum judge_promise p);
const char *diag_weakest_text(enum judge_promise p);

// Returns the variable with a descriptor set and binding; 0 for none.
uint32_t diag_buffer_variable(const struct spv_module *m, uint32_t set, uint32_t binding);

// ---- the one line that fuzzing farms bucket by (ClusterFuzz) ----------------------------

enum { DIAG_FARM_LINE = 112 };
// Computes the bucket from facts known without reduction: the target, the pass at fault (NULL: not
// known) and the kind of failure, and writes ten letters. Returns that kind: "mismatch", or the
// name of another class. diag_signature has more, but those vary with an unreduced program.
const char *diag_farm_bucket(struct arena *a, const char *target, const char *culprit,
                             const struct judge_verdict *v, char bucket[16]);
// Writes "ASSERTION FAILED: tanglefuzz FuzzerHash=BUCKET KIND"; `how`: as diag_farm_bucket returns.
void diag_farm_line(const char *bucket, const char *how, char out[DIAG_FARM_LINE]);

#endif
