// SPDX-License-Identifier: Apache-2.0
//
// The oracle. Input: the words of a SPIR-V module and a dispatch or draw (struct spv_case). Output:
// the final contents of each buffer under the rules of docs/rules.md, with a mask of the bits that
// may be compared, or the reason why the program is undefined.
//
// The oracle reads SPIR-V only; it never sees the generator's tree. A program is loaded once and
// can run for many inputs.
#ifndef TF_ORACLE_H
#define TF_ORACLE_H

#include "base/base.h"
#include "fault.def"
#include "spirv/outcome.h"
#include "spirv/spirv_groups.h"

// A module, decoded for the mask machine.
struct orc_program;
struct orc_trace; // trace.h
struct orc_raced;

// Why a program has no expected result: the place and the rule.
struct orc_why {
    enum ran status;
    char rule[16];       // "E-race", "E-branch", ... (docs/rules.md); "" for others
    uint32_t op;         // SpvOp of the instruction, 0: none
    uint32_t id;         // its result id, or its first operand if it has none; 0: neither
    uint32_t at;         // its word offset in the module
    bool has_place;      // the next two are valid
    uint32_t workgroup;  // linear index
    uint32_t invocation; // linear index in the workgroup
    uint16_t reason; // offset in `text` at which the reason begins, after the place and the status
    char text[400];  // one line for people; contains all of the above
};
// Returns "undefined: TEXT", or the status alone without a text. For RAN_UNSUPPORTED returns
// the text alone, which contains the status.
const char *orc_why_line(struct arena *a, const struct orc_why *w);

// The lane mapping: subgroup and lane of each invocation. The oracle predicts for the mapping that
// a device reported. By default invocation i of a workgroup is lane i % size of subgroup i / size.
struct orc_lanes {
    uint32_t invocations;                // in all workgroups
    const uint32_t *subgroup;            // [linear global invocation]: SubgroupId
    const uint32_t *lane;                // [linear global invocation]: SubgroupLocalInvocationId
    const struct orc_coverage *coverage; // for a draw: the only field that is used
};

// The invocations of a draw (R12; spirv_stage.h). Invocation number: subgroup * size + lane.
struct orc_coverage {
    uint32_t subgroups, size;
    struct orc_covered {
        lane_mask live;    // invocations that are not helpers
        lane_mask present; // lanes that took part in a ballot at the start
    } *subgroup;
    uint32_t *pixel; // [invocation] as spv_coverage_pixel, for a helper without SPV_COVERAGE_LIVE;
                     // UINT32_MAX: unknown
    uint32_t again;  // invocations of a vertex beyond its first one; `silent` is included
    uint32_t silent; // lanes that took part in ballots but logged no vertex
};
// Reads the coverage buffer that a device wrote (`count` words, at least 1), with subgroups of
// `size` lanes. False with a message in `e` if a draw cannot produce it: SubgroupSize is not
// `size`, more subgroups ran than the buffer holds, the masks of a subgroup differ, a quad is
// split, a pixel ran more or fewer times than primitives cover it, a vertex did not run.
// `full_quads`: each quad must start with four active invocations.
bool orc_coverage_read(struct arena *a, const struct spv_case *c, const uint32_t *words,
                       uint32_t count, uint32_t size, bool full_quads, struct orc_coverage **out,
                       struct err *e);
// Writes the coverage buffer that a device with this coverage produces. The caller must check that
// v->subgroups is at most spv_coverage_room(v->size, count).
void orc_coverage_words(const struct orc_coverage *v, uint32_t *words, uint32_t count);
// Returns a coverage for runs without a device: each subgroup (of `size` lanes) runs a block of
// quads of one primitive, or the next vertices. `helpers`: helpers take part in ballots.
struct orc_coverage *orc_coverage_make(struct arena *a, const struct spv_case *c, uint32_t size,
                                       bool helpers);

// Events of a run, reported while it runs. Used for pictures and explanations.
enum orc_event_kind {
    ORC_EVENT_BLOCK, // a tangle starts a block, or continues in it after a call
    ORC_EVENT_GROUP, // a group operation has computed its result
    ORC_EVENT_PRINT, // debugPrintf is executed: `values` holds the values of all arguments in order
};
struct orc_event {
    enum orc_event_kind kind;
    uint32_t workgroup, subgroup;
    uint32_t depth;   // number of calls and constructs that are open
    uint32_t lanes;   // number of lanes of the subgroup
    lane_mask active; // the tangle
    lane_mask live;   // the subgroup's invocations
    lane_mask helper; // those of `live` that are helper invocations now
    bool quads;       // four consecutive lanes are a quad of pixels
    uint32_t label;   // id of the block
    // Rule by which the tangle is here: "I1", "D1", "D2", "M1", ...; "" after a plain branch,
    // "loop" after a back edge, "call" in a callee.
    const char *rule;
    bool joined; // several parts reconverged here
    // ORC_EVENT_GROUP, ORC_EVENT_PRINT:
    uint32_t op, id;          // SpvOp, result id
    uint32_t cells;           // number of scalars of the result, or of all arguments
    const uint64_t *values;   // [cell][lane], valid for active lanes
    const lane_mask *defined; // [cell]
};
struct orc_observer {
    void (*see)(void *user, const struct orc_event *e);
    void *user;
};

// Two independent implementations of the rules. They share the loader, arithmetic and memory; tests
// check that they agree.
enum orc_machine {
    ORC_MASK, // fast; computes all verdicts
    ORC_TAG, // slow; follows the text of the rules: runs each invocation alone, with the tag of its
             // dynamic instance
};

// A place at which a run met a choice that D3 or M2 leave to the implementation.
struct orc_point {
    uint32_t
        label; // id of the case construct's label, or of the Elect's result (orc_options.elects)
    uint64_t instance; // identifies one execution of the switch in one subgroup; never 0
    uint32_t tangles; // number of tangles that may join there: one for each selector value, and one
                      // for each fall-through
};

// Injected faults: each breaks one rule. They measure whether a program detects the fault
// (selftest/mutants/), and serve as hypotheses for a diagnosis. Only the mask machine implements
// them. Verdicts never use them.
#define ORC_FAULT_ID(id, name) ORC_FAULT_##id,
enum orc_fault { ORC_FAULT_ROWS(ORC_FAULT_ID) ORC_FAULTS };
// Returns a fault's name, "" for ORC_FAULT_NONE.
const char *orc_fault_name(enum orc_fault f);

// For ORC_FAULT_COUNTED: returns the lanes that the operation of the event counts for `lane`.
struct orc_counter {
    lane_mask (*counts)(void *user, const struct orc_event *e, uint32_t lane);
    void *user;
};

struct orc_options {
    enum orc_machine machine;
    enum orc_fault fault; // ORC_FAULT_NONE except for injected faults
    // Limits the fault to a place: the label of a construct's header or of a branch's block, or a
    // result id; 0: everywhere. Faults of one operation's result and of calls ignore it.
    uint32_t fault_at;
    const struct orc_counter *counter; // for ORC_FAULT_COUNTED
    uint64_t step_limit;               // instructions per subgroup; 0: ORC_STEP_LIMIT
    struct arena
        *scratch; // memory needed during the run only; reset first; NULL: use the results' arena
    uint32_t memory_limit; // bytes for values and variables of a workgroup; 0: ORC_MEMORY_LIMIT
    const struct spv_choices *policy; // the implementation's choices (D3, M2); NULL: all join
    // A result is defined only if it is the same for all choices of the implementation. Mask
    // machine only; `policy` must be NULL.
    bool any_policy;
    // If a weaker model leaves the program undefined, run it again with OpGroupNonUniformElect as a
    // choice: a tangle without a promise elects at least one lane, and which one is a choice
    // (orc_point.label: the Elect's result). For the search over choices.
    bool elects;
    // For a compiler's input. Also undefined: an index out of bounds, a cluster larger than the
    // subgroup and a loop that exceeds its MaxIterations, even if no result of them is used. An
    // output is judged without: compilers may execute such an instruction early.
    bool strict;
    // Not 0: an undefined value becomes some defined value of its type, drawn with this seed (1:
    // all zeros, 2: all ones). Only for runs of a compiler's output, never for an expectation.
    uint64_t any_value;
    bool any_bound;          // also draw for values that are restricted further than by their type
                             // (any_value.c)
    struct orc_trace *trace; // not NULL: is filled (trace.h); mask machine only
    // 0: values that depend on the order of atomics are undefined. 1 .. ORC_ORDERS: they follow one
    // legal order; requires `trace`. To find out whether the order matters.
    uint32_t order;
    // Continues where a program is undefined in a way that ends a run, as devices do, to find what
    // comes after it. A barrier orders all accesses (also those of a buffer that is not Coherent);
    // a store of the value that memory has does not race; an operation without a result and memory
    // that was never written are 0; an access out of bounds reads 0 or does nothing. Requires
    // `trace`, which keeps the origins. Never for an expectation.
    bool forgive;
    // With `forgive`: loads that race, too (trace.h). NULL: they end the run.
    struct orc_raced *raced;
    // A read outside of an image is 0, as the feature robustImageAccess promises; the trace names
    // the first. Requires `trace`.
    bool robust_images;
    // Computes results decorated RelaxedPrecision in 16 bits, to find out whether the output
    // depends on precision. Requires `trace`.
    bool relaxed;
    bool points;                         // list the choice points in the result; mask machine only
    const struct orc_lanes *lanes;       // NULL: the default mapping
    const struct orc_observer *observer; // NULL: none; mask machine only
};
enum { ORC_ORDERS = 4 }; // 1: increasing; 2: decreasing; 3, 4: mixed (atomic.c, dispatch.c)
enum { ORC_STEP_LIMIT = 4 * 1000 * 1000, ORC_MEMORY_LIMIT = 512 << 20 };
// Limits of a dispatch: invocations; bytes of all buffers; bytes of state that a run keeps for its
// buffers, half of the memory that the process needs.
enum {
    ORC_INVOCATIONS_LIMIT = 1 << 24,
    ORC_BUFFERS_LIMIT = 256 << 20,
    ORC_STATE_LIMIT = 512 << 20
};

// Counts of a run, over all subgroups.
struct orc_stats {
    uint64_t steps;             // instructions executed, counted once for each tangle
    uint64_t lane_steps;        // the same, counted once for each invocation
    uint64_t group_ops;         // group operations executed, counted once for each tangle
    uint64_t partial_group_ops; // those executed by a tangle that is not its full subgroup
    uint64_t group_results;     // their results, counted once for each invocation
    uint64_t live_results;      // results with defined bits, that is, promised by the model
    uint64_t divergences;       // D1, D2: splits of a tangle
    uint64_t reconvergences;    // M1, M3, M4, M5: joins of several parts
    uint64_t returns_early;     // E3: returns from inside a construct
    uint64_t escapes; // E4: branches to the merge block or continue target of an outer construct
    uint64_t choice_points;      // executions at which D3 or M2 left a choice
    uint64_t helper_choices;     // quads in which only helpers are left, and OpKill (D4, N2)
    uint64_t derivative_choices; // derivatives that another choice of R9 changes
};

struct orc_result {
    struct orc_why why;        // RAN_OK: `memory` is valid
    struct spv_memory *memory; // one for each buffer of the case, in its order
    uint32_t memory_count;
    struct orc_stats stats;
    // The race of E-race may be ordered by something that the oracle does not model.
    bool doubt_order;
    bool doubt_scope; // the operand of E-uniform is uniform in each subgroup, but not in the
                      // workgroup
    bool logs_other; // a draw: the module's log differs from its actual invocations (spirv_stage.h)
    struct orc_point *points; // places where two or more tangles met, if `points` was set
    uint32_t point_count;
};

// Decodes the module of a case; depends on its specialisation constants and dispatch, not on its
// buffers. Returns NULL with `why` filled if the oracle cannot judge the module. The program lives
// in `a` and refers to the case's words.
struct orc_program *orc_load(struct arena *a, const struct spv_case *c, struct orc_why *why);

// The same, but assumes that the module declares the execution mode of the case's model.
struct orc_program *orc_load_assumed(struct arena *a, const struct spv_case *c,
                                     struct orc_why *why);

// Runs a loaded program on the buffers and push constants of `c`, which must have the same words,
// specialisation and dispatch as the loaded case. The subgroup size is c->subgroup, or `subgroup`
// if that is 0. Results live in `a`. Never fails: out->why.status is the outcome.
void orc_run(struct orc_program *p, struct arena *a, const struct spv_case *c, uint32_t subgroup,
             const struct orc_options *o, struct orc_result *out);

// True if a fragment shader's entry point declares full quads and maximal reconvergence.
bool orc_full_quads(const struct orc_program *p);

// Calls orc_load, then orc_run.
void orc_predict(struct arena *a, const struct spv_case *c, uint32_t subgroup,
                 const struct orc_options *o, struct orc_result *out);

// Checks the lane mapping that a shader wrote to its `; lanes` buffer: `seen` has one for each
// global linear invocation. False with a message in `e` if no device can have it: two invocations
// of a workgroup have one lane, SubgroupSize is not `subgroup`, a lane is not below the size, or
// SubgroupId is not below `workgroup_size` (invocations).
bool orc_lanes_read(struct arena *a, const struct spv_lane *seen, uint32_t invocations,
                    uint32_t workgroup_size, uint32_t subgroup, struct orc_lanes *out,
                    struct err *e);
// True if the four invocations of each quad (spv_quads_of: the module's derivative group mode) are
// consecutive lanes of one subgroup in the order of their quad index (R8), or if the module has no
// such mode. Otherwise false with a message that names an invocation. `size`: the workgroup's.
bool orc_lanes_fit(const struct orc_lanes *lanes, enum spv_quads quads, const uint32_t size[3],
                   struct err *e);

#endif
