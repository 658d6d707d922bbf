// SPDX-License-Identifier: Apache-2.0
//
// case -> oracle -> expected; expected x observed -> verdict. What every command that asks a
// target shares, and the fuzz targets.
#ifndef TF_JUDGE_H
#define TF_JUDGE_H

#include "oracle/oracle.h"
#include "runners/runners.h"

// ---- verdicts -------------------------------------------------------------------------

// What a case on a target came to.
enum judge_class {
    JUDGE_AGREES,
    // Mismatches, by what the first wrong place in the log shows:
    JUDGE_WRONG_VALUE,       // same sites, another value
    JUDGE_MISSING_LANES,     // a ballot lacks lanes that must be there
    JUDGE_EXTRA_LANES,       // a ballot has lanes that must not be there
    JUDGE_WRONG_SET,         // both
    JUDGE_MISSING_EXECUTION, // an invocation did not reach a site that it must reach
    JUDGE_EXTRA_EXECUTION,   // it reached one that it must not reach
    JUDGE_WRONG_MEMORY,      // a difference outside the log's entries (or no log is declared)
    JUDGE_WRONG_MAPPING,     // the lane mapping read back is impossible
    JUDGE_WRONG_COVERAGE,    // of a draw: what its shader logged of its invocations cannot be
    // The subject's other ways to be wrong:
    JUDGE_CRASH,
    JUDGE_HANG,
    JUDGE_DEVICE_LOST,
    JUDGE_MEMORY, // took more memory than it may
    JUDGE_REJECTED,
    JUDGE_INVALID_OUTPUT, // a compiler's module does not pass spirv-val, or has no such entry point
    JUDGE_SCHEDULE,       // machine code: right by one order in which a warp's parts run, wrong by
                          // another
    JUDGE_UNDEFINED_OUTPUT, // it has undefined behaviour where the input has none
    JUDGE_EARLY_USE, // machine code uses a register before its load is waited for, and memory shows
                     // it
    // Neither agreement nor finding:
    JUDGE_COMPILED,         // a target that only compiles took it
    JUDGE_NOTHING_COMPARED, // no bit was compared: the case proves nothing
    JUDGE_AMBIGUOUS,        // the rules leave a choice, and no choice that was tried explains it
    JUDGE_FLAKY,            // did not repeat
    JUDGE_UNJUDGED,         // by a reading that we do not take a compiler's module may be right
    JUDGE_SKIPPED,          // the subject does not offer what the case needs
    JUDGE_UNDEFINED,        // nothing may be expected of the case
    JUDGE_FAILED,           // the environment
    JUDGE_CLASSES
};
const char *judge_class_name(enum judge_class c); // "missing-lanes"
const char *judge_class_line(enum judge_class c); // one sentence without a full stop
bool judge_class_is_finding(enum judge_class c);
// What the log or the buffers showed, as opposed to a crash or a rejection.
bool judge_class_is_mismatch(enum judge_class c);
// Who the invocations were cannot be: no word was compared.
bool judge_class_is_mapping(enum judge_class c);

// Where a case first differs.
struct judge_verdict {
    enum judge_class klass;
    // Bits compared that the shader has to have written: those of the log's entries and
    // counts, and those of words elsewhere that differ from the buffer's first contents.
    uint64_t live_bits;
    uint64_t wrong_bits;        // of all bits under the masks, live or not
    uint32_t wrong_invocations; // rows of the log with a difference
    bool has_place;
    uint32_t set, binding, word; // of the first difference
    bool has_site;               // it lies in the log, and names a site:
    uint32_t invocation;         // linear global index
    uint32_t entry;              // which entry of its row, from 0
    uint32_t site;               // as the entry (expected, else observed) names it
    uint32_t value;              // which value of the entry, from 0
    uint32_t expected, observed; // the words there
    bool undefined;              // what was observed there has no value that is defined
    char text[400];              // one line for a person
    // JUDGE_INVALID_OUTPUT, and the merge repair could move something: where in the text its
    // outcome begins (else 0), and what the module is after it.
    uint32_t repair_at;
    enum judge_class repaired;
};

// ---- the log --------------------------------------------------------------------

// The log buffer holds one row of `stride` words an invocation (linear global
// index). Word 0 of a row counts the words in use after it; they are entries: a
// header and n values. Header, from the lowest bit: n (8 bits), site (16), and for
// the first 8 values a bit each that says "a word of a ballot", a set of lanes. A
// shader that runs out of room writes over its last words; never beyond its row.
struct judge_entry {
    uint32_t site, n;
    uint32_t ballots; // bit i: value i is a word of a ballot
    uint32_t at;      // word offset in the row of the first value
};

// Walks one row: `at` starts at 0.
struct judge_cursor {
    const uint32_t *row;
    uint32_t stride, at;
};
// The next entry; false at the end, or where one does not fit.
bool judge_log_next(struct judge_cursor *c, struct judge_entry *out);

// Index of a buffer in the case's list, UINT32_MAX when it is not there.
uint32_t judge_buffer_index(const struct spv_case *c, uint32_t set, uint32_t binding);

// Compares all buffers under their masks (expected[i], observed[i]: buffer i of
// the case, as many words each). The lanes buffer is not compared here: it is what
// the prediction was made for. Of the differences in the log the first is the one
// with the smallest entry index, then the smallest invocation; a difference in the
// log comes before one elsewhere. The class is a mismatch, JUDGE_AGREES or
// JUDGE_NOTHING_COMPARED.
void judge_compare(const struct spv_case *c, const struct spv_memory *expected,
                   const struct spv_memory *observed, uint32_t n, struct judge_verdict *out);

// The bits of word i that are wrong: those that are expected, and are observed otherwise or, in
// what a compiler made, with no value that is defined.
uint32_t judge_wrong_bits(const struct spv_memory *expected, const struct spv_memory *observed,
                          size_t i);

// "{0-3,7}" of one word of a ballot.
void judge_lane_set(uint32_t word, char *out, size_t size);
enum { JUDGE_LANE_SET = 96 }; // enough for any word

// The weakest model that still promises what is wrong, in the order of how little they promise.
enum judge_promise {
    JUDGE_PROMISE_UNKNOWN,
    JUDGE_PROMISE_MAXIMAL,   // only maximal reconvergence does
    JUDGE_PROMISE_SUBGROUP,  // VK_KHR_shader_subgroup_uniform_control_flow, where it is declared
    JUDGE_PROMISE_WORKGROUP, // SPIR-V's own uniform control flow
    JUDGE_PROMISE_SINGLE,    // and there is one invocation in all
};
enum { JUDGE_PROMISES = JUDGE_PROMISE_SINGLE + 1 };
// Of a mismatch, with subgroup size and policy as it was judged; `observed`: the case's buffers.
enum judge_promise judge_weakest(const struct spv_case *c, const struct spv_memory *observed);
// Does nothing promise it? The model asks for more than module and device declare, and what they
// do declare is not enough.
bool judge_is_lead(enum spv_model m, enum judge_promise p);
const char *judge_promise_name(enum judge_promise p); // "workgroup-uniform"; "" for unknown

// The lanes buffer's (of a draw, the coverage buffer's) index among the case's buffers,
// UINT32_MAX for none; the mapping that a memory of it shows.
uint32_t judge_lanes_index(const struct spv_case *c);
bool judge_lanes_read(struct arena *a, const struct spv_case *c, const struct spv_memory *lanes,
                      uint32_t subgroup, struct orc_lanes *out, struct err *e);

// The lane mapping that a device showed: NULL where it is the one that `made` was predicted for, as
// in a reduced case that no longer writes it; *room else. False where it cannot be one.
bool judge_lanes_seen(struct arena *a, const struct spv_case *c, const struct orc_result *made,
                      const struct spv_memory *observed, struct orc_lanes *room,
                      const struct orc_lanes **out);

// Does it promise less than SPV_KHR_maximal_reconvergence, so that none of its rules may be named?
bool judge_weak(enum spv_model m);

// ---- prediction and verdict ---------------------------------------------------------

// What is expected of one case before any device has been asked.
struct prediction {
    const struct spv_case *c;
    uint32_t subgroup;           // the size predicted for
    struct spv_choices policy;   // and the choices of D3 and M2
    struct orc_program *program; // NULL when the oracle cannot load it; shared by input sets
    struct orc_result made;      // under the default lane mapping, or the one in `; expect`
    // All buffers by the case's own `; expect` lines, what they leave out by the
    // oracle; NULL when the case has none.
    struct spv_memory *told;
};

// Predicts n cases that share words, specialisation and dispatch. Always gives n
// predictions; what they are worth says judge_usable. Everything lives in `a`.
struct prediction *judge_predict(struct arena *a, const struct spv_case *cases, uint32_t n,
                                 uint32_t subgroup, enum spv_policy policy);
// The same with a limit on steps: a case that needs more is not usable. 0: the oracle's. What is
// needed only meanwhile goes to `scratch`, which is reset; NULL: it is given back.
struct prediction *judge_predict_within(struct arena *a, struct arena *scratch,
                                        const struct spv_case *cases, uint32_t n, uint32_t subgroup,
                                        enum spv_policy policy, uint64_t step_limit);
// Did two runs of the oracle give the same: status, rule, words and masks?
bool judge_same_result(const struct orc_result *x, const struct orc_result *y);
// The first place where the mask machine's result x and the tag machine's y differ, as one
// line; false when there is none.
bool judge_difference(const struct orc_result *x, const struct orc_result *y, char *text,
                      size_t size);
// Whether something may be expected of the case: defined by the oracle, or told by
// its `; expect` lines where the oracle does not know an instruction or gave up.
bool judge_usable(const struct prediction *p);
// The subgroup size that a case is judged for; 0 when nobody says one.
uint32_t judge_subgroup(const struct spv_case *c, uint32_t asked, const struct run_info *info);

struct judged {
    struct judge_verdict verdict;
    const struct spv_memory *expected; // what explains it, or the nearest to it; may be NULL
    struct spv_choices policy;         // under which
    bool chose;                        // the rules left a choice
    bool any_policy;                   // `expected` is what no choice has a say in
    uint32_t tried;                    // runs of the oracle in search of choices that explain it
    bool other_mapping;                // predicted again for the lane mapping that was seen
};

// Choices that a device showed: tried first next time.
struct shown_policy {
    struct spv_choices choices;
    uint64_t module; // to which choices.at belong
};

// The verdict on what a target answered. Where the rules leave a choice, any
// choices that explain it will do (policy.h); *shown is tried first and remembers them.
// Where a compiler answered with a module, the oracle runs it and *r gets its memory.
void judge_result(struct arena *a, struct spv_tools *tools, const struct prediction *p,
                  struct run_result *r, struct shown_policy *shown, struct judged *out);

// What the module in *r leaves in memory under choices that do not name labels (observe.c). False
// with the verdict when it is invalid, has no meaning or cannot be judged.
bool observe_module(struct arena *a, struct spv_tools *tools, const struct prediction *p,
                    const struct spv_choices *policy, const struct spv_memory *expected,
                    struct run_result *r, struct judge_verdict *verdict);

#endif
