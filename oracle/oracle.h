// SPDX-License-Identifier: Apache-2.0
//
// oracle: SPIR-V words and a dispatch -> what every invocation must see under
// the rules of docs/rules.md, or why the program has no meaning.
//
// It never sees the generator's tree. Load once, run for many inputs.
#ifndef TF_ORACLE_H
#define TF_ORACLE_H

#include "base/base.h"
#include "spirv/spirv_groups.h"

// A module, decoded for the mask machine.
struct orc_program;
struct orc_trace; // trace.h

enum orc_status {
    ORC_OK,
    ORC_UNDEFINED,   // the program's own fault: what it does has no meaning
    ORC_OVER_LIMIT,  // more steps than the limit: does it end?
    ORC_UNSUPPORTED, // an instruction, type or shape the oracle does not know
    ORC_INVALID,     // not a module that can be run (no entry point, ...)
};
const char *orc_status_name(enum orc_status s);

// Why a program could not be judged: where, by which rule.
struct orc_why {
    enum orc_status status;
    char rule[16];       // "E-race", "E-branch", ... (docs/undefined.md); "" for others
    uint32_t op;         // SpvOp of the instruction, 0 when there is none
    uint32_t id;         // its result id, or else its first operand; 0 when none
    uint32_t at;         // its word offset in the module
    bool has_place;      // the next two are known
    uint32_t workgroup;  // linear index
    uint32_t invocation; // linear index in the workgroup
    uint16_t reason;     // where in `text` the reason begins, behind the place and the status
    char text[400];      // one line for a person, everything above in it
};
// "undefined: TEXT", or the status alone; of ORC_UNSUPPORTED the text alone, which says so itself.
const char *orc_why_line(struct arena *a, const struct orc_why *w);

// Where each invocation of a workgroup sits. The oracle predicts for the mapping
// that a device showed; by default invocation i is lane i % size of subgroup
// i / size.
struct orc_lanes {
    uint32_t invocations;                // in all workgroups together
    const uint32_t *subgroup;            // [linear global invocation]: SubgroupId
    const uint32_t *lane;                // [linear global invocation]: SubgroupLocalInvocationId
    const struct orc_coverage *coverage; // of a draw: this alone
};

// Which invocations a draw has (R12; spirv_stage.h). Invocation: subgroup * size + lane.
struct orc_coverage {
    uint32_t subgroups, size;
    struct orc_covered {
        lane_mask live;    // no helpers
        lane_mask present; // who took part in a ballot at the start
    } *subgroup;
    uint32_t *pixel; // [invocation] as spv_coverage_pixel, of a helper without SPV_COVERAGE_LIVE;
                     // UINT32_MAX: not known
    uint32_t again;  // invocations of vertices beyond the first of each; among them
    uint32_t silent; // lanes that took part in ballots and logged no vertex
};
// From the words that a device left. False with a line that says why it cannot be: masks of a
// subgroup that differ, a quad that is torn, a pixel that ran more or less often than primitives
// cover it, a vertex that did not run. `full_quads`: each quad must start with four active
// invocations.
bool orc_coverage_read(struct arena *a, const struct spv_case *c, const uint32_t *words,
                       uint32_t count, uint32_t size, bool full_quads, struct orc_coverage **out,
                       struct err *e);
// The words that a device with this coverage leaves.
void orc_coverage_words(const struct orc_coverage *v, uint32_t *words, uint32_t count);
// For who has no device: each subgroup a block of whole quads, of one primitive, or the next
// vertices. `helpers`: they
// take part in ballots.
struct orc_coverage *orc_coverage_make(struct arena *a, const struct spv_case *c, uint32_t size,
                                       bool helpers);

// What a run does, told as it happens: for pictures and explanations.
enum orc_event_kind {
    ORC_EVENT_BLOCK, // a tangle starts a block, or goes on in it after a call
    ORC_EVENT_GROUP, // a group operation gave its result
    ORC_EVENT_PRINT, // debugPrintf was called: `values` are those of its arguments, one after the
                     // other
};
struct orc_event {
    enum orc_event_kind kind;
    uint32_t workgroup, subgroup;
    uint32_t depth;   // calls and constructs around it
    uint32_t lanes;   // of the subgroup
    lane_mask active; // the tangle
    lane_mask live;   // the subgroup's invocations
    lane_mask helper; // of them: helper invocations, now
    bool quads;       // four lanes in a row are a quad of pixels
    uint32_t label;   // id of the block
    // Why the tangle is there: "I1", "D1", "D2", "M1" ...; "" for a plain branch,
    // "loop" for a back edge, "call".
    const char *rule;
    bool joined; // several parts came together here
    // ORC_EVENT_GROUP, ORC_EVENT_PRINT:
    uint32_t op, id;          // SpvOp, result id
    uint32_t cells;           // scalars of the result, or of all arguments
    const uint64_t *values;   // [cell][lane], of active lanes
    const lane_mask *defined; // [cell]
};
struct orc_observer {
    void (*see)(void *user, const struct orc_event *e);
    void *user;
};

// The two models. They share the loader, arithmetic and memory, and must agree.
enum orc_machine {
    ORC_MASK, // fast, the one in use
    ORC_TAG,  // slow, literal: every invocation alone, with the tag of its dynamic instance
};

// A place where the rules left a choice (D3, M2), as a run met it.
struct orc_point {
    uint32_t
        label; // id of the case construct's label, or of the Elect's result (orc_options.elects)
    uint64_t instance; // which execution of its switch, in which subgroup; never 0
    uint32_t tangles;  // that may come together there: one a selector value, or falling through
};

// One rule broken on purpose, to measure whether a program can tell (selftest/mutants/): the mask
// machine alone has them. Nothing of it is ever in use for a verdict.
enum orc_fault {
    ORC_FAULT_NONE,
    // where tangles split and join
    ORC_FAULT_SPLIT_AFTER_CALL,     // M5: who returned at another place stays apart
    ORC_FAULT_SPLIT_AT_CONTINUE,    // M4: the continue construct runs once for each way into it
    ORC_FAULT_SPLIT_AT_MERGE,       // M1: both arms go on alone
    ORC_FAULT_SPLIT_AFTER_LOOP,     // M3: those of each iteration go on alone
    ORC_FAULT_LOOP_ENDS_WITH_FIRST, // a back edge is not taken once anybody has left the loop
    ORC_FAULT_PHIS_IN_ORDER,        // phis of one edge read what the one before has written
    // who counts in a group operation without standing at it
    ORC_FAULT_BROKEN_LANES_STAY,    // those who left the loop
    ORC_FAULT_CONTINUED_LANES_STAY, // those who wait at the continue target
    ORC_FAULT_RETURNED_LANES_STAY,  // those who returned
    ORC_FAULT_OTHER_ARM_STAYS,      // those who have yet to run the other arm
    ORC_FAULT_DONE_ARM_STAYS,       // those who have run it
    ORC_FAULT_CASES_STAY,           // those who wait for another case of the switch
    ORC_FAULT_INACTIVE_IN_BALLOT,   // the whole subgroup, with its stale values
    ORC_FAULT_MISSING_IN_BALLOT,    // lanes that do not exist, in a partial subgroup
    ORC_FAULT_INACTIVE_IN_VOTE,
    ORC_FAULT_INACTIVE_IN_QUAD, // quad votes
    ORC_FAULT_INACTIVE_IN_REDUCE,
    ORC_FAULT_INACTIVE_IN_SCAN,
    ORC_FAULT_UPPER_HALF_LOST, // reductions see the lower half of the subgroup
    // what an operation does
    ORC_FAULT_SCAN_INCLUDES_SELF,   // exclusive as inclusive
    ORC_FAULT_SCAN_LEAVES_SELF_OUT, // inclusive as exclusive
    ORC_FAULT_COUNT_INCLUDES_SELF,  // BallotBitCount, exclusive as inclusive
    ORC_FAULT_HIGHEST_FOR_LOWEST,   // FindLSB as FindMSB
    ORC_FAULT_CLUSTER_IS_WHOLE,     // ClusterSize ignored
    ORC_FAULT_CLUSTER_OF_HALF,      // half of it
    ORC_FAULT_FIRST_IS_LANE_ZERO,   // BroadcastFirst
    ORC_FAULT_ELECTS_LANE_ZERO,
    ORC_FAULT_ELECTS_LAST,
    ORC_FAULT_SHUFFLE_BY_FIRST_INDEX,  // the index taken for uniform
    ORC_FAULT_SHUFFLE_IN_ROW,          // two bits of the index
    ORC_FAULT_BROADCAST_IS_FIRST,      // Broadcast as BroadcastFirst
    ORC_FAULT_ROTATE_BACK,             // the other way round
    ORC_FAULT_QUAD_SWAP_MIXED,         // vertical for horizontal, and horizontal for vertical
    ORC_FAULT_QUAD_BROADCAST_IS_FIRST, // QuadBroadcast reads quad index 0
    ORC_FAULT_DERIVATIVE_AXES_MIXED,   // DPdx as DPdy, DPdy as DPdx
    ORC_FAULT_DERIVATIVE_BACKWARDS,    // P0 - P1
    ORC_FAULT_DERIVATIVE_FINE_IS_COARSE,
    ORC_FAULT_DERIVATIVE_WIDTH_SIGNED, // Fwidth without absolute values
    ORC_FAULT_DERIVATIVE_OF_INDICES,   // DerivativeGroupQuadsKHR as DerivativeGroupLinearKHR
    ORC_FAULT_SIGN_LOST,               // SMin as UMin, SMax as UMax
    ORC_FAULT_ONE_COMPONENT,           // of a vector, the first for all
    // hypotheses of who asks what explains a wrong memory (blame): no mutant
    ORC_FAULT_COUNTED,              // a group operation counts whom orc_options.counter says
    ORC_FAULT_COUNTED_ALIKE,        // the same, and those have the operand of the first active lane
    ORC_FAULT_TAKEN_FOR_WHOLE,      // it takes the whole subgroup to be there, with one operand
    ORC_FAULT_SCAN_ADDS_SELF_TWICE, // an inclusive scan of a sum or product
    ORC_FAULT_CHOSEN_ONLY,          // it is executed by those who choose its result by a select,
                                    // or need it for an and or an or
    ORC_FAULT_LEFT_LANES_GO_ON,     // values of a loop are made again for those who left it
    ORC_FAULT_LEFT_LANES_LOAD_ZERO, // the same, but what they load then is 0
    ORC_FAULT_FIRST_LANES_WAY,      // all take the branch or case of the first active lane
    ORC_FAULT_FIRST_LANES_VALUE,    // all have the first active lane's value
    ORC_FAULT_ZERO_AFTER_LOOP,      // a value is 0 once they come together after a loop
    ORC_FAULT_FIRST_LANES_AFTER_LOOP, // the same, once they come together after a loop
    ORC_FAULTS
};

// ORC_FAULT_COUNTED: the lanes that the operation of the event counts for one of its lanes.
struct orc_counter {
    lane_mask (*counts)(void *user, const struct orc_event *e, uint32_t lane);
    void *user;
};

struct orc_options {
    enum orc_machine machine;
    enum orc_fault fault; // ORC_FAULT_NONE, but for who measures
    // Where the fault is: the label of a construct's header or of a branch's block, or a result id;
    // 0: everywhere. (The faults about one operation's result and those of a call ask nothing.)
    uint32_t fault_at;
    const struct orc_counter *counter; // of ORC_FAULT_COUNTED
    uint64_t step_limit;               // instructions per subgroup; 0: the default
    struct arena *scratch; // for what is needed while it runs: reset first; NULL: with the results
    uint32_t memory_limit; // bytes for values and variables of a workgroup; 0: the default
    const struct spv_choices *policy; // what the implementation chose (D3, M2); NULL: all join
    // Whatever it chooses: what depends on its choices is not defined, the rest is what every
    // implementation must give. (Of the mask machine only; `policy` must be NULL.)
    bool any_policy;
    // A program that has no meaning by a weaker model is run again with another reading: somebody
    // is elected where a part of a subgroup executes an Elect of which nothing is promised, and who
    // is one more choice (orc_point.label: the Elect's result). For who searches choices.
    bool elects;
    // Not 0: what is not defined takes some value of its type, drawn by this seed (1: all zeros, 2:
    // all ones), and counts as defined. For who judges what a compiler made, never for an
    // expectation.
    uint64_t any_value;
    bool any_bound; // also for values that are less free than any of their type (any_value.c)
    struct orc_trace
        *trace; // not NULL: what it asks for is filled (trace.h; of the mask machine only)
    // 0: what depends on the order of atomics is not defined. 1 .. ORC_ORDERS: it is what one legal
    // order gives, with a trace alone. For who looks whether the order matters.
    uint32_t order;
    // With a trace: what RelaxedPrecision decorates is computed in 16 bits. For who looks whether
    // that matters.
    bool relaxed;
    bool points; // list the places of choice in the result (of the mask machine only)
    const struct orc_lanes *lanes;       // NULL: the default mapping
    const struct orc_observer *observer; // NULL: nobody (of the mask machine only)
};
enum { ORC_ORDERS = 4 }; // 1: invocations as they are counted; 2: backwards; 3, 4: by chance
enum { ORC_STEP_LIMIT = 4 * 1000 * 1000, ORC_MEMORY_LIMIT = 512 << 20 };
// Of a dispatch: invocations, bytes of all buffers, and of what a run keeps of them; our own memory
// is twice that.
enum {
    ORC_INVOCATIONS_LIMIT = 1 << 24,
    ORC_BUFFERS_LIMIT = 256 << 20,
    ORC_STATE_LIMIT = 512 << 20
};

// What happened in a run, counted over all subgroups.
struct orc_stats {
    uint64_t steps;              // instructions executed, one per tangle
    uint64_t lane_steps;         // the same, one per invocation
    uint64_t group_ops;          // group operations executed, one per tangle
    uint64_t partial_group_ops;  // of them by a tangle that was not its whole subgroup
    uint64_t group_results;      // results they gave, one an invocation
    uint64_t live_results;       // of these with defined bits: what the model promises
    uint64_t divergences;        // D1, D2: tangles split
    uint64_t reconvergences;     // M1, M3, M4, M5: tangles of different parts joined
    uint64_t returns_early;      // E3: returns from inside a construct
    uint64_t escapes;            // E4: branches to what an outer construct joins at
    uint64_t choice_points;      // times that D3 or M2 left the implementation a choice
    uint64_t helper_choices;     // quads in which only helpers are left, and OpKill (D4, N2)
    uint64_t derivative_choices; // derivatives that come out otherwise by another choice of R9
};

struct orc_result {
    struct orc_why why;        // why.status says whether the rest counts
    struct spv_memory *memory; // one a buffer of the case, in its order
    uint32_t memory_count;
    struct orc_stats stats;
    // E-race by what the oracle looks at; what it does not look at might order the accesses.
    bool doubt_order;
    bool doubt_scope;         // E-uniform of an operand that is uniform in each subgroup
    bool logs_other;          // a draw: the module logs something else than who its invocations are
                              // (spirv_stage.h)
    struct orc_point *points; // where two tangles or more met, if asked for
    uint32_t point_count;
};

// Decodes the module of a case (its specialisation and dispatch count; its
// buffers do not). NULL with `why` filled when the oracle cannot judge it. The
// program and everything in it live in `a`; the case's words must stay.
struct orc_program *orc_load(struct arena *a, const struct spv_case *c, struct orc_why *why);

// The same for a module that is taken to declare what the case's model asks for: what would be so
// if it did.
struct orc_program *orc_load_assumed(struct arena *a, const struct spv_case *c,
                                     struct orc_why *why);

// Runs a loaded program on the buffers and push constants of `c` (a case of the
// same words, specialisation and dispatch; subgroup size c->subgroup, or
// `subgroup` when that is 0). Results live in `a`. Never fails: the outcome is
// out->why.status.
void orc_run(struct orc_program *p, struct arena *a, const struct spv_case *c, uint32_t subgroup,
             const struct orc_options *o, struct orc_result *out);

// Of a fragment shader: does the entry point ask for full quads and maximal reconvergence?
bool orc_full_quads(const struct orc_program *p);

// orc_load and orc_run in one.
void orc_predict(struct arena *a, const struct spv_case *c, uint32_t subgroup,
                 const struct orc_options *o, struct orc_result *out);

// The lane mapping that a shader wrote to its `; lanes` buffer (`words`, three a
// linear global invocation). False with a line that says why it cannot be one:
// a lane taken twice, a size that is not `subgroup`, a lane not below the size.
bool orc_lanes_read(struct arena *a, const uint32_t *words, uint32_t invocations,
                    uint32_t workgroup_size, uint32_t subgroup, struct orc_lanes *out,
                    struct err *e);
// Is each quad of invocations, as the module's derivative group mode says (spv_quads_of), on four
// lanes of one subgroup in a row, by their quad index (R8)? False with a line that names one that
// is not. `size`: of a workgroup.
bool orc_lanes_fit(const struct orc_lanes *lanes, enum spv_quads quads, const uint32_t size[3],
                   struct err *e);

#endif
