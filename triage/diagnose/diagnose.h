// SPDX-License-Identifier: Apache-2.0
//
// Root-cause analysis of a mismatch. Input: a case, the verdict on it and, of a compiler, the
// module that it made. Output: the operation that made the first wrong word, the constructs around
// it, what the compiler changed, and the signature by which two findings are one bug.
#ifndef TF_DIAGNOSE_H
#define TF_DIAGNOSE_H

#include "facts.h"
#include "judge/judge.h"
#include "spirv/spirv_groups.h"

// ---- signature -------------------------------------------------------------------

// What makes two findings the same bug, as far as a static look tells (docs/dedup.md
// has measured how far that is). Computed before reduction for steering, and after it
// for the bucket: small cases have few constructs, and then paths are alike.
struct diag_signature {
    enum judge_class klass;
    char family[64]; // who is wrong: run_family
    enum diag_about about;
    enum spv_group_class op;     // of the operation that made the first wrong word, as long as it
                                 // is known to be that one alone
    struct diag_op exact;        // that operation, or the one that decides who comes by
    struct diag_op inner, guard; // the one whose result it works on; the one that decides
    struct diag_op bits;         // what reads the ballot that `exact` is
    enum diag_pair pair;
    struct diag_flow flow;
    enum diag_arm arm;
    bool probed; // `manner` and DIAG_ANY_OP count, in place of the path
    struct diag_manner manner;
    struct diag_change change; // of a reduced case; where it did something that alone counts
    struct diag_path path;
    enum diag_rule rule; // that fixes the tangle there; none also under the weaker
                         // models, which promise less than it
    uint8_t bug_class;   // T1 .. T18 where shape or pass tell it; 0
    uint64_t site;       // run_result.crash_site; no part of `text`, for another build has another
    char message[320];   // of a crash, rejection, invalid module: frames; words, numbers folded
    char culprit[64];    // compiler pass, "" where not known
    char text[800];      // stable form: what diag_bucket_name hashes
    char name[16];       // the bucket: ten letters
};
// Fills bug_class, text and name of a signature from its other fields.
void diag_signature_finish(struct diag_signature *s);
// `s` without the machine's folders: "icd=/home/me/x/icd.json" -> "icd=icd.json".
const char *diag_without_paths(struct arena *a, const char *s);
// A message without what differs between two occurrences of one fault: ids, numbers,
// addresses, paths, names in quotes that hold digits. In `a`.
const char *diag_normal_message(struct arena *a, const char *message);
// Of what a subject said the frames that tell where it was, the first three, "LoopFusion::Fuse <
// Pass::Run"; of gdb's form, a sanitizer's or glibc's. "" for none. In `a`.
const char *diag_frames(struct arena *a, const char *said);
// The signature of a verdict on a case. `subject_text`: the subject's words, also a
// backtrace, for classes that are no mismatch (NULL: the verdict's text). `culprit`: the
// pass at fault, NULL where not known; of a target that is one pass ("spirv-opt:--x") it
// is that. Never fails: what cannot be told is left out.
void diag_signature(const struct spv_case *c, const struct judge_verdict *v, const char *target,
                    const char *driver, const char *subject_text, const char *culprit,
                    struct diag_signature *out);
// What a compiler did to a module; nothing where a module cannot be read. False where it did no
// more than make constructs more or fewer: that says little about a fault.
bool diag_change(const uint32_t *in, size_t in_count, const uint32_t *out, size_t out_count,
                 struct diag_change *change);
// Is it one kind of mistake? Over which construct does not matter.
bool diag_change_alike(const struct diag_change *x, const struct diag_change *y);
bool diag_op_same(const struct diag_op *x, const struct diag_op *y);
// And what it did to the operations that are like operation `id` of the module that went in.
// Flags; 0 where they stand as they stood, or a module cannot be read.
enum diag_op_change { DIAG_OP_FEWER = 1, DIAG_OP_MORE = 2, DIAG_OP_ELSEWHERE = 4 };
unsigned diag_change_of_op(const uint32_t *in, size_t in_count, uint32_t id, const uint32_t *out,
                           size_t out_count);
// What probes of a reduced case said about the operation that made the first wrong word.
enum diag_what {
    DIAG_OP,    // it alone is wrong in its place
    DIAG_ANY,   // any group operation would be: the tangle is wrong
    DIAG_INNER, // what it works on is wrong already: the operation that made that, if any
    DIAG_LATER, // it is right where it stands: what became of its result is not
};
// The place in the program does not count then, but for what it is that goes wrong. `manner`: in
// which manner the tangle is wrong, all zeroes for not known.
void diag_signature_probed(struct diag_signature *s, enum diag_what blame,
                           const struct diag_manner *manner);
struct diag_alone;
// An operation alone is to blame, and by itself this one of its kind is wrong: the plainest.
void diag_signature_alone(struct diag_signature *s, const struct diag_alone *op);
// A reduced case about which a compiler is wrong: what came out of it beside what went in. Of two
// findings in which it did the same to a group operation it is the same mistake, however it shows.
void diag_signature_changed(struct diag_signature *s, const struct spv_case *c,
                            const uint32_t *output, size_t output_count);
// May a reduction of a finding `was` go on with a candidate that shows `is`? The
// same fault as far as the first wrong site tells, whatever the program's size: same family
// and class; for crashes and refusals the same message; for a mismatch the same kind of site
// (a group operation's result or another value). A wrong result of an op that is no ballot may
// become a wrong ballot, which says more. Not symmetric for that reason.
bool diag_same_kind(const struct diag_signature *was, const struct diag_signature *is);
// The case with the group operation that made the first wrong word, and all that are alike,
// replaced by another one that shows who is together. When a target is wrong about this too, any
// operation would show the bug. *id: the operation in its place. False when no operation is found
// or its result is no word. In `a`.
enum diag_probe {
    DIAG_PROBE_BALLOT, // of true: its first word
    DIAG_PROBE_SUM,    // of ones
    DIAG_PROBE_ELECT,
    DIAG_PROBE_OPERAND, // what the operation works on: if that is wrong, the operation is not
    DIAG_PROBES
};
bool diag_probe(struct arena *a, const struct spv_case *c, const struct judge_verdict *v,
                enum diag_probe kind, struct spv_case *out, uint32_t *id);
// The case with what a group operation does stored right after it, in a buffer of its own, the
// first of the case. False where that cannot be. In `a`. And whether the first wrong word is an
// operation's result as it is.
enum diag_expose {
    DIAG_EXPOSE_ALONE, // its result, without the stores to other buffers
    DIAG_EXPOSE_TOO,   // its result, beside them
    DIAG_EXPOSE_EACH,  // its results, whole and of each time that it was executed, beside them
    DIAG_EXPOSE_COUNT, // how often the invocation executed it
};
bool diag_expose(struct arena *a, const struct spv_case *c, uint32_t id, enum diag_expose what,
                 struct spv_case *out);
// The case in which a block goes to one side of its conditional branch (1: where it is true), and
// the condition is stored instead, by itself, as above. False where the block has none, or a
// constant one.
bool diag_expose_condition(struct arena *a, const struct spv_case *c, uint32_t label, uint32_t side,
                           struct spv_case *out);
bool diag_is_exposed(const struct spv_case *c, const struct judge_verdict *v);
// The case with its one barrier replaced by a ballot of true, *id. False where there is none or
// more. In `a`.
bool diag_barrier_ballot(struct arena *a, const struct spv_case *c, struct spv_case *out,
                         uint32_t *id);
// A group operation by itself (probe_alone.c).
struct diag_alone {
    uint16_t op;
    uint32_t form, cluster; // SpvGroupOperation, where it has one; lanes of a cluster
    bool vector;            // of words; else a word, a number or a condition
    bool part;              // lane 0 does not execute it
    uint32_t lanes;         // of the subgroup, a full one
};
struct diag_plan {
    struct diag_alone *v;
    size_t n, cap;
};
// What to ask about operation `id` of the case: the plainest of its kind first; `part`: also where
// not all lanes execute it. None where it is not known.
void diag_alone_plan(struct arena *a, const struct spv_case *c, uint32_t id, bool part,
                     struct diag_plan *out);
bool diag_alone(struct spv_tools *tools, struct arena *a, const struct diag_alone *q,
                enum spv_model model, struct spv_case *out);
struct diag_op diag_alone_op(const struct diag_alone *q);
// The group operation that made the first wrong word, or the one that decides who comes by: its
// result id, 0 for none. `inner`: the one whose result it works on, 0 for none.
uint32_t diag_site_op(const struct spv_case *c, const struct judge_verdict *v, bool inner);
// The operation that made the first wrong word of that one's result, a ballot; 0 for none.
uint32_t diag_site_reader(const struct spv_case *c, const struct judge_verdict *v);
// Is it that operation already?
bool diag_probe_is(const struct spv_case *c, const struct judge_verdict *v, enum diag_probe kind);
// The bucket's name for a signature's text: ten letters.
void diag_bucket_name(const char *text, char out[16]);

// ---- in words (words_signature.c) ------------------------------------------------------------

// Fields of the signature's text: "wrong-tangle"; "any, another before", "IAdd ExclusiveScan";
// "extra: M1 (if, only arm)", "loop/break". In `a`.
const char *diag_class_words(const struct diag_signature *s);
const char *diag_op_words(struct arena *a, const struct diag_signature *s);
const char *diag_where_words(struct arena *a, const struct diag_signature *s);
// What was done to whom, as a sentence without a full stop: "the operation counts lanes that wait
// at ..."; "" where no more is known than a place in the program. In `a`.
const char *diag_sentence(struct arena *a, const struct diag_signature *s);
const char *diag_path_words(struct arena *a, const struct diag_path *p);     // "loop/break+if"
const char *diag_change_words(struct arena *a, const struct diag_change *c); // "copied, loops+"
const char *diag_manner_words(struct arena *a, const struct diag_manner *m); // "extra: M4"
const char *diag_operation_words(struct arena *a, const struct diag_op *op); // "IAdd Reduce"
const char *diag_stage_text(enum diag_stage s); // one sentence; "" unknown
const char *diag_bug_class(uint8_t bug_class);  // "T1"; "" for 0

// A rule's sentence in our words, and the extension's section (or Vulkan's) that it is from; "" for
// DIAG_NO_RULE.
const char *diag_rule_text(enum diag_rule r);
const char *diag_rule_section(enum diag_rule r);
bool diag_rule_is_vulkan(enum diag_rule r);
// What a module that is judged by this model was promised, and by whom, when `p` still promises
// what is wrong; and that: a sentence or two, in our words.
const char *diag_promise_text(enum spv_model m, enum judge_promise p);
const char *diag_weakest_text(enum judge_promise p);

// The variable of a buffer by its decorations; 0 for none.
uint32_t diag_buffer_variable(const struct spv_module *m, uint32_t set, uint32_t binding);

// ---- the one line that fuzzing farms bucket by (ClusterFuzz) ----------------------------

enum { DIAG_FARM_LINE = 112 };
// The bucket of what can be told without reduction: who is wrong, the pass at fault (NULL: not
// known), and in which kind of way, which is returned. diag_signature has more, but of an unreduced
// program that changes from one input to the next.
const char *diag_farm_bucket(struct arena *a, const char *target, const char *culprit,
                             const struct judge_verdict *v, char bucket[16]);
// "ASSERTION FAILED: tanglefuzz FuzzerHash=<letters> <way>".
void diag_farm_line(const char *bucket, const char *how, char out[DIAG_FARM_LINE]);

#endif
