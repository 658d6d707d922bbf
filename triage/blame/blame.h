// SPDX-License-Identifier: Apache-2.0
//
// blame: what was done to whom, and why. A case, a verdict and what a compiler made of it in; the
// operation that made the first wrong word, the constructs around it, the compiler's change, and
// the signature that makes two findings one bug.
#ifndef TF_BLAME_H
#define TF_BLAME_H

#include "judge/judge.h"

// ---- signature -------------------------------------------------------------------

// What makes two findings the same bug, as far as a static look tells (docs/dedup.md
// has measured how far that is). Computed before reduction for steering, and after it
// for the bucket: small cases have few constructs, and then paths are alike.
enum { BLAME_CHANGE = 160 };
struct blame_signature {
    enum judge_class klass;
    char family[64];  // who is wrong: run_family
    char op[16];      // class of the group operation that made the first wrong word: "ballot",
                      // "vote", "elect", "broadcast", "reduce", "scan", "shuffle", "quad",
                      // "bits"; "any" where it does not matter which; "" for none
    char exact[64];   // the operation itself: "IAdd ExclusiveScan"; "" for none
    char inner[64];   // the operation whose result it works on; "" for none
    char guard[64];   // without an operation: the one that decides who comes by; "" for none
    char bits[64];    // what reads the ballot that `exact` is: "BallotFindLSB"; "" for none
    const char *pair; // the module holds another one like it: "before" it (dominates), "beside"
    char flow[48];    // kinds of constructs of the module: "loop, switch"; "top" for none
    const char *arm;  // of the selection that holds the operation: "only arm", "first arm" ...; ""
    bool probed;      // `manner` and "any" count, in place of the path
    char manner[64];  // who is missing or too many, and where the rules have them
    char change[BLAME_CHANGE]; // of a reduced case: what the compiler did (blame_change)
    bool telling;              // that alone is the signature
    char path[160];            // constructs around it from the outside in: "loop/break", "top+if"
    char rule[8]; // the rule of docs/rules.md that fixes the tangle there: "M6"; "" also under the
                  // weaker models, which promise less than it
    char message[200];     // of a crash, rejection, invalid module: its words, numbers folded
    char culprit[64];      // compiler pass, "" where not known
    const char *taxonomy;  // bug class "T1" .. "T18" where shape or pass tell it, else ""
    const char *rule_text; // the rule in one sentence, in our words
    char text[600];        // stable form: what blame_bucket_name hashes
    char name[16];         // the bucket: ten letters
};
// `s` without the machine's folders: "icd=/home/me/x/icd.json" -> "icd=icd.json".
const char *blame_without_paths(struct arena *a, const char *s);
// A message without what differs between two occurrences of one fault: ids, numbers,
// addresses, paths, names in quotes that hold digits. In `a`.
const char *blame_normal_message(struct arena *a, const char *message);
// The signature of a verdict on a case. `subject_text`: the subject's words, also a
// backtrace, for classes that are no mismatch (NULL: the verdict's text). `culprit`: the
// pass at fault, NULL where not known; of a target that is one pass ("spirv-opt:--x") it
// is that. Never fails: what cannot be told is left out.
void blame_signature(const struct spv_case *c, const struct judge_verdict *v, const char *target,
                     const char *driver, const char *subject_text, const char *culprit,
                     struct blame_signature *out);
// What a compiler did to a module, as far as who is together can depend on it: "moved, loop: before
// -> in", "Elect gone"; "" where nothing of the kind is seen or a module cannot be read. False
// where it says no more than that constructs are more or fewer: that says little about a fault.
bool blame_change(const uint32_t *in, size_t in_count, const uint32_t *out, size_t out_count,
                  char text[BLAME_CHANGE]);
// And what it did to the operations that are like operation `id` of the module that went in.
// Flags; 0 where they stand as they stood, or a module cannot be read.
enum blame_op_change { BLAME_OP_FEWER = 1, BLAME_OP_MORE = 2, BLAME_OP_ELSEWHERE = 4 };
unsigned blame_change_of_op(const uint32_t *in, size_t in_count, uint32_t id, const uint32_t *out,
                            size_t out_count);
// What probes of a reduced case said about the operation that made the first wrong word.
enum blame_what {
    BLAME_OP,    // it alone is wrong in its place
    BLAME_ANY,   // any group operation would be: the tangle is wrong
    BLAME_INNER, // what it works on is wrong already: the operation behind that, if any
};
// The place in the program does not count then, but for what it is that goes wrong. `manner`: in
// which manner the tangle is wrong, "" for not known.
void blame_signature_probed(struct blame_signature *s, enum blame_what blame, const char *manner);
// An operation alone is to blame, and by itself this one of its kind is wrong: the plainest.
// `place`: "whole", "part", and whether a few lanes do not show it.
void blame_signature_alone(struct blame_signature *s, const char *op, const char *place);
// A reduced case about which a compiler is wrong: what came out of it beside what went in. Of two
// findings in which it did the same to a group operation it is the same mistake, however it shows.
void blame_signature_changed(struct blame_signature *s, const struct spv_case *c,
                             const uint32_t *output, size_t output_count);
// May a reduction of a finding `was` go on with a candidate that shows `is`? The
// same fault as far as the first wrong site tells, whatever the program's size: same family
// and class; for crashes and refusals the same message; for a mismatch the same kind of site
// (a group operation's result or another value). A wrong result of an op that is no ballot may
// become a wrong ballot, which says more. Not symmetric for that reason.
bool blame_same_kind(const struct blame_signature *was, const struct blame_signature *is);
// The case with the group operation that made the first wrong word, and all that are alike,
// replaced by another one that shows who is together. When a target is wrong about this too, any
// operation would show the bug. *id: the operation in its place. False when no operation is found
// or its result is no word. In `a`.
enum blame_probe {
    BLAME_PROBE_BALLOT, // of true: its first word
    BLAME_PROBE_SUM,    // of ones
    BLAME_PROBE_ELECT,
    BLAME_PROBE_OPERAND, // what the operation works on: if that is wrong, the operation is not
    BLAME_PROBES
};
bool blame_probe(struct arena *a, const struct spv_case *c, const struct judge_verdict *v,
                 enum blame_probe kind, struct spv_case *out, uint32_t *id);
// The case with what a group operation does stored right behind it, in a buffer of its own, the
// first of the case. False where that cannot be. In `a`. And whether the first wrong word is an
// operation's result as it is.
enum blame_expose {
    BLAME_EXPOSE_ALONE, // its result, without the stores to other buffers
    BLAME_EXPOSE_TOO,   // its result, beside them
    BLAME_EXPOSE_COUNT, // how often the invocation executed it
};
bool blame_expose(struct arena *a, const struct spv_case *c, uint32_t id, enum blame_expose what,
                  struct spv_case *out);
// The case in which a block goes to one side of its conditional branch (1: where it is true), and
// the condition is stored instead, by itself, as above. False where the block has none, or a
// constant one.
bool blame_expose_condition(struct arena *a, const struct spv_case *c, uint32_t label,
                            uint32_t side, struct spv_case *out);
bool blame_is_exposed(const struct spv_case *c, const struct judge_verdict *v);
// The case with its one barrier replaced by a ballot of true, *id. False where there is none or
// more. In `a`.
bool blame_barrier_ballot(struct arena *a, const struct spv_case *c, struct spv_case *out,
                          uint32_t *id);
// A group operation by itself (alone.c).
struct blame_alone {
    uint16_t op;
    uint32_t form, cluster; // SpvGroupOperation, where it has one; lanes of a cluster
    bool vector;            // of words; else a word, a number or a condition
    bool part;              // lane 0 does not execute it
    uint32_t lanes;         // of the subgroup, a full one
};
struct blame_plan {
    struct blame_alone *v;
    size_t n, cap;
};
// What to ask about operation `id` of the case: the plainest of its kind first; `part`: also where
// not all lanes execute it. None where it is not known.
void blame_alone_plan(struct arena *a, const struct spv_case *c, uint32_t id, bool part,
                      struct blame_plan *out);
bool blame_alone(struct spv_tools *tools, struct arena *a, const struct blame_alone *q,
                 enum spv_model model, struct spv_case *out);
void blame_alone_name(const struct blame_alone *q, char *name, size_t size); // "IAdd ExclusiveScan"
// The group operation that made the first wrong word, or the one that decides who comes by: its
// result id, 0 for none. `inner`: the one whose result it works on, 0 for none.
uint32_t blame_site_op(const struct spv_case *c, const struct judge_verdict *v, bool inner);
// The operation that made the first wrong word of that one's result, a ballot; 0 for none.
uint32_t blame_site_reader(const struct spv_case *c, const struct judge_verdict *v);
// Is it that operation already?
bool blame_probe_is(const struct spv_case *c, const struct judge_verdict *v, enum blame_probe kind);
// The bucket's name for a signature's text: ten letters.
void blame_bucket_name(const char *text, char out[16]);
// What the field "where" of a reduced case's signature means, in words: "extra: M4" -> "the
// operation counts lanes that wait at ..."; "" where it is a place in the program. In `a`.
const char *blame_manner_text(struct arena *a, const char *where);
// The rule's sentence for "M1", "D5" ...; "" for an unknown one.
const char *blame_rule_text(const char *rule);
// What a module that is judged by this model was promised, and by whom: a sentence or two, in our
// words.
const char *blame_promise_text(enum spv_model m);

// The variable of a buffer by its decorations; 0 for none.
uint32_t blame_buffer_variable(const struct spv_module *m, uint32_t set, uint32_t binding);

#endif
