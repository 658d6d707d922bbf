// SPDX-License-Identifier: Apache-2.0
//
// judge: predicts the memory that a case must leave, and compares it with the observed memory: one
// verdict. All commands that run a target use it, and so do the fuzz targets.
#ifndef TF_JUDGE_H
#define TF_JUDGE_H

#include "oracle/oracle.h"
#include "runners/runners.h"

// ---- verdicts -------------------------------------------------------------------------

// The result of a case on a target.
enum judge_class {
    JUDGE_AGREES,
    // Mismatches, classified by the first wrong place in the log:
    JUDGE_WRONG_VALUE,       // same sites, different value
    JUDGE_MISSING_LANES,     // a ballot lacks lanes that it must have
    JUDGE_EXTRA_LANES,       // a ballot has lanes that it must not have
    JUDGE_WRONG_SET,         // both
    JUDGE_MISSING_EXECUTION, // an invocation did not reach a site that it must reach
    JUDGE_EXTRA_EXECUTION,   // an invocation reached a site that it must not reach
    JUDGE_WRONG_MEMORY,      // a difference outside the log's entries, or no log is declared
    JUDGE_WRONG_MAPPING,     // the observed lane mapping is impossible
    JUDGE_WRONG_COVERAGE,    // a draw: the logged invocations are impossible
    // Other faults of the target:
    JUDGE_CRASH,
    JUDGE_HANG,
    JUDGE_DEVICE_LOST,
    JUDGE_MEMORY, // exceeded its memory limit
    JUDGE_REJECTED,
    JUDGE_INVALID_OUTPUT, // a compiler's module fails spirv-val, or lacks the entry point
    JUDGE_SCHEDULE, // machine code: right if a warp's diverged lanes run in one order, wrong in
                    // another
    JUDGE_UNDEFINED_OUTPUT, // the output has undefined behaviour, the input has not
    JUDGE_EARLY_USE, // machine code uses a register before waiting for its load, and the result is
                     // wrong
    // Neither agreement nor finding:
    JUDGE_COMPILED,         // accepted by a target that only compiles
    JUDGE_NOTHING_COMPARED, // no bit was compared, so the case proves nothing
    JUDGE_AMBIGUOUS, // the rules leave a choice, and no choice that was tried explains the result
    JUDGE_FLAKY,     // did not repeat
    JUDGE_UNJUDGED, // a compiler's module may be right under a reading of the rules that the oracle
                    // does not use
    JUDGE_SKIPPED,  // the target lacks a feature that the case needs
    JUDGE_UNDEFINED, // the case has no expected result
    JUDGE_FAILED,    // failure of the environment
    JUDGE_CLASSES
};
const char *judge_class_name(enum judge_class c); // "missing-lanes"
const char *judge_class_line(enum judge_class c); // one sentence without a full stop
bool judge_class_is_finding(enum judge_class c);
// True for JUDGE_WRONG_VALUE .. JUDGE_WRONG_COVERAGE: the observed memory shows the fault.
bool judge_class_is_mismatch(enum judge_class c);
// True if the logged mapping of invocations is impossible: then no word was compared.
bool judge_class_is_mapping(enum judge_class c);

// A verdict, with the first difference.
struct judge_verdict {
    enum judge_class klass;
    // Compared bits that the shader must have written: those of the log's counts and entries, and
    // those of other words that differ from the buffer's initial contents.
    uint64_t live_bits;
    uint64_t wrong_bits;        // wrong bits, live or not
    uint32_t wrong_invocations; // log rows with a difference
    bool has_place;
    uint32_t set, binding, word; // place of the first difference
    bool has_site;               // the place is in the log and has a site:
    uint32_t invocation;         // linear global index
    uint32_t entry;              // index of the entry in its row, from 0
    uint32_t site;               // site of the expected entry, or else of the observed one
    uint32_t value;              // index of the value in the entry, from 0
    uint32_t expected, observed; // the words there
    bool undefined;              // the observed word is not fully defined
    char text[400];              // one line for the user
    // Set if JUDGE_INVALID_OUTPUT and the merge repair moved something: where in `text` the result
    // for the repaired module begins (else 0), and the class of that result.
    uint32_t repair_at;
    enum judge_class repaired;
};

// ---- the log --------------------------------------------------------------------

// The log buffer has one row of `stride` words per invocation (linear global index). Word 0 of a
// row is the number of used words after it. They are entries: a header and n values. The header
// has, from the lowest bit: n (8 bits), site (16 bits), and one bit for each of the first 8 values
// that marks it as a word of a ballot. A shader that runs out of space overwrites the last words of
// its row, never other rows.
struct judge_entry {
    uint32_t site, n;
    uint32_t ballots; // bit i: value i is a word of a ballot
    uint32_t at;      // word offset of the first value in the row
};

// Iterates over one row; `at` starts at 0.
struct judge_cursor {
    const uint32_t *row;
    uint32_t stride, at;
};
// Returns the next entry; false at the end, or if an entry exceeds the row.
bool judge_log_next(struct judge_cursor *c, struct judge_entry *out);

// Compares all buffers under their masks. expected[i] and observed[i] are buffer i of the case,
// with equal word counts. The lanes buffer is not compared: the prediction was made for its
// contents. A difference in the log precedes one elsewhere. In the log one with a site precedes one
// without, then the smallest entry index, then the smallest invocation. The class is a mismatch,
// JUDGE_AGREES or JUDGE_NOTHING_COMPARED.
void judge_compare(const struct spv_case *c, const struct spv_memory *expected,
                   const struct spv_memory *observed, uint32_t n, struct judge_verdict *out);

// Returns the wrong bits of word i: bits that are defined in `expected` and are different, or
// undefined (in a compiler's output), in `observed`.
uint32_t judge_wrong_bits(const struct spv_memory *expected, const struct spv_memory *observed,
                          size_t i);

// Prints the lanes of one ballot word: "{0-3,7}".
void judge_lane_set(uint32_t word, char *out, size_t size);
enum { JUDGE_LANE_SET = 96 }; // size that fits any word

// The weakest model that promises the expected result. Later values need fewer promises.
enum judge_promise {
    JUDGE_PROMISE_UNKNOWN,
    JUDGE_PROMISE_MAXIMAL,   // only maximal reconvergence
    JUDGE_PROMISE_SUBGROUP,  // VK_KHR_shader_subgroup_uniform_control_flow, if declared
    JUDGE_PROMISE_WORKGROUP, // SPIR-V's own uniform control flow
    JUDGE_PROMISE_SINGLE,    // the same, and the dispatch has a single invocation
};
enum { JUDGE_PROMISES = JUDGE_PROMISE_SINGLE + 1 };
// Judges a mismatch again under the weaker models. c->subgroup and c->policy must be those of the
// verdict. `observed`: the case's buffers. JUDGE_PROMISE_UNKNOWN for a draw or without a subgroup.
enum judge_promise judge_weakest(const struct spv_case *c, const struct spv_memory *observed);
// True if nothing that the module and the device declare promises the expected result, so the
// mismatch is a lead, not a bug: the model is assumed-maximal, and no weaker model is known to
// suffice (JUDGE_PROMISE_UNKNOWN included).
bool judge_is_lead(enum spv_model m, enum judge_promise p);
const char *judge_promise_name(enum judge_promise p); // "workgroup-uniform"; "": unknown

// judge_lanes_index: the index of the lanes buffer (for a draw, the coverage buffer) among the
// case's buffers, or UINT32_MAX. judge_lanes_read: decodes the lane mapping in that buffer's memory
// `lanes`. False with a message in `e` if the buffer is too small, or if no device can have this
// mapping (orc_lanes_read and orc_lanes_fit, or orc_coverage_read).
uint32_t judge_lanes_index(const struct spv_case *c);
bool judge_lanes_read(struct arena *a, const struct spv_case *c, const struct spv_memory *lanes,
                      uint32_t subgroup, struct orc_lanes *out, struct err *e);

// Reads the lane mapping that a device showed in `observed`, the case's buffers, with subgroups of
// c->subgroup. *out is NULL if it equals the mapping that `made` was predicted for (as in a reduced
// case that no longer writes it), else `room`, which receives it. False if it is impossible.
bool judge_lanes_seen(struct arena *a, const struct spv_case *c, const struct orc_result *made,
                      const struct spv_memory *observed, struct orc_lanes *room,
                      const struct orc_lanes **out);

// True for subgroup-uniform and workgroup-uniform, which promise less than
// SPV_KHR_maximal_reconvergence: findings must not cite its rules.
bool judge_weak(enum spv_model m);

// ---- prediction and verdict ---------------------------------------------------------

// The expected result of one case, before any target runs it.
struct prediction {
    const struct spv_case *c;
    uint32_t subgroup;           // the size assumed
    struct spv_choices policy;   // the assumed choices of D3 and M2
    struct orc_program *program; // NULL: the oracle cannot load it; shared by input sets
    struct orc_result made;      // for the default lane mapping, or the one in `; expect`
    // All buffers as given by the case's `; expect` lines, and by the oracle for buffers without
    // such a line. NULL if the case has no such lines.
    struct spv_memory *given;
};

// Predicts n cases that share words, specialisation and dispatch. Always returns n predictions;
// check each with judge_usable. `subgroup`: see judge_subgroup. A case without a `; policy` line is
// predicted with `policy`, and is undefined if another policy, another choice of derivatives (R9)
// or the early end of quads (D4) makes it undefined. Everything lives in `a`.
struct prediction *judge_predict(struct arena *a, const struct spv_case *cases, uint32_t n,
                                 uint32_t subgroup, enum spv_policy policy);
// The same with a step limit; 0: the oracle's. A case that needs more steps is usable only by its
// `; expect` lines.
// Temporary data goes to `scratch`, which is reset; NULL: to a temporary arena.
struct prediction *judge_predict_within(struct arena *a, struct arena *scratch,
                                        const struct spv_case *cases, uint32_t n, uint32_t subgroup,
                                        enum spv_policy policy, uint64_t step_limit);
// True if two runs of the oracle have equal status, rule, words and masks.
bool judge_same_result(const struct orc_result *x, const struct orc_result *y);
// Prints the first difference between the mask machine's result x and the tag machine's y as one
// line; false if there is none.
bool judge_difference(const struct orc_result *x, const struct orc_result *y, char *text,
                      size_t size);
// True if the case has an expected result: from the oracle, or from `; expect` lines if the oracle
// does not support an instruction or exceeded a limit.
bool judge_usable(const struct prediction *p);
// The subgroup size to judge a case for: the case's, else `asked`, else the device's; 0: unknown.
uint32_t judge_subgroup(const struct spv_case *c, uint32_t asked, const struct run_info *info);

struct judged {
    struct judge_verdict verdict;
    const struct spv_memory *expected; // explains the result, or is the closest; NULL: none
    struct spv_choices policy;         // the choices that `expected` was predicted with
    bool chose;                        // the rules left a choice
    bool any_policy;                   // `expected` holds only what is the same under every choice
    uint32_t tried;                    // runs of the oracle during the search for choices
    bool other_mapping;                // predicted again for the observed lane mapping
};

// Choices that a device showed; they are tried first next time.
struct shown_policy {
    struct spv_choices choices;
    uint64_t module; // hash of the module that choices.at belongs to
};

// Judges a target's result; JUDGE_UNDEFINED if the prediction is not usable. If the rules leave a
// choice, any choices that explain the result are accepted (policy.h); *shown is tried first and
// updated. If the target is a compiler that returned a module, that module is run
// (observe_module), and *r receives its memory.
void judge_result(struct arena *a, struct spv_tools *tools, const struct prediction *p,
                  struct run_result *r, struct shown_policy *shown, struct judged *out);

// Runs a compiler's output in *r on the case's inputs: SPIR-V with the oracle, LLVM IR with
// backends/llir (observe.c). Stores the memory in *r. Uses only `base` and `derivatives` of
// `policy`: the output may have other labels. False with the verdict if the output is invalid, has
// undefined behaviour, does not end or cannot be judged.
bool observe_module(struct arena *a, struct spv_tools *tools, const struct prediction *p,
                    const struct spv_choices *policy, const struct spv_memory *expected,
                    struct run_result *r, struct judge_verdict *verdict);

#endif
