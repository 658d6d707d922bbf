// SPDX-License-Identifier: Apache-2.0
//
// The state of a run: one `struct machine` for each subgroup. The mask machine runs one tangle at a
// time: `v.active` holds its lanes, `block` and `next` its position; all other lanes wait on the
// stack. The tag machine (tag.c) uses the same struct with its own walkers.
#ifndef TF_ORACLE_MACHINE_H
#define TF_ORACLE_MACHINE_H

#include "order.h"
#include "program.h"
#include "trace.h"

// Planes, and the lanes of each that are defined.
struct values {
    uint64_t *planes;   // [plane][lanes]
    lane_mask *defined; // [plane]
    uint32_t lanes;
    lane_mask active;
    bool full;          // every lane of the subgroup is active
    const uint64_t *on; // [lanes] all ones for an active lane, else 0; valid if not full
};
static inline uint64_t *plane_of(const struct values *v, uint32_t plane)
{
    return v->planes + (size_t)plane * v->lanes;
}
// The values of w bits, 1 to 64; and the sign-extended low w bits of v.
static inline uint64_t width_mask(unsigned w)
{
    return w >= 64 ? ~UINT64_C(0) : (UINT64_C(1) << w) - 1;
}
static inline int64_t sign_extend(uint64_t v, unsigned w)
{
    return (int64_t)(v << (64 - w)) >> (64 - w);
}
static inline void define(const struct values *v, uint32_t plane, lane_mask ok)
{
    v->defined[plane] = (v->defined[plane] & ~v->active) | (ok & v->active);
}

enum frame_kind {
    FR_CALL,      // a call that has not ended, or the entry point
    FR_SELECTION, // an open construct of OpSelectionMerge
    FR_LOOP,      // an open construct of OpLoopMerge
    FR_SWITCH,    // the cases of an OpSwitch that have not run yet
    FR_PART,      // a part of a split tangle that has not run yet
};

// Parts that wait at one place until they reconverge.
struct join {
    lane_mask lanes;
    uint32_t parts; // number of parts that arrived; more than one: a reconvergence
};

// The last part that arrived at a place; only weaker models use it (flow.c).
struct last_part {
    bool sure; // the model promises the part
    uint64_t way;
};

// A stack entry: an open construct or call, or a part that has not run yet.
struct frame {
    uint8_t kind;
    bool decided;       // independent of choices: the tangle that opened it (FR_PART: the part)
    bool sure;          // promised by the model: the tangle that opened it (FR_PART: the part)
    uint32_t block;     // the header, the block of the call, or the block where the part continues
    uint64_t path, way; // those of the tangle that opened it (FR_PART: its own), see flow.c
    lane_mask entered;  // lanes of the tangle that opened it (FR_PART: of the part)
    union {
        struct {           // M5
            uint32_t next; // instruction of `block` after the call
            struct join returned;
            struct last_part last;
            lane_mask first; // the first part that returned; only fault.c uses it
        } call;
        struct { // M1
            uint32_t merge_block;
            struct join at_merge;
        } selection;
        struct {
            uint32_t merge_block, continue_target;
            struct join at_merge;    // M3
            struct join at_continue; // M4, in this iteration
            lane_mask at_header;     // lanes that took the back edge, for the next iteration
            struct last_part last;   // the last to reach the continue target or take the back edge
            uint32_t iteration;
            bool again; // the header starts another iteration: do not open the loop again
        } loop;
        struct {            // D2, M2
            uint32_t first; // its first case in machine.cases
            struct last_part last;
        } cases;
        struct { // D1, D2
            const char *rule;
            uint32_t
                next; // instruction of `block`; not 0 only for a part that fault.c keeps diverged
        } part;
    };
};

// Lanes that wait for a case of a switch. `unsettled`: a choice decided which of them wait
// together.
struct waiting_case {
    lane_mask lanes;
    bool by_choice;
    bool fell, joined; // some lanes fell through to it; others already waited: for the observer
};

struct workgroup;
struct tags; // tag.c

// The position of a lane: the calls and loops that it is in, outermost first, then the instruction.
struct helper_place {
    uint32_t block, at; // `at`: the instruction, or the loop's iteration
    bool loop;          // a loop with header `block`
};
typedef VEC(struct helper_place) helper_places;

struct machine {
    const struct orc_program *p;
    struct workgroup *group;
    struct values v;
    uint64_t *on; // storage for v.on
    struct frame *stack;
    uint32_t depth, room;
    struct waiting_case *cases; // [frame.cases.first + case]
    uint32_t case_top, case_room;
    uint32_t block, next; // position of the current tangle: the next instruction of block
    bool sure;            // the model promises the current tangle (flow.c)
    bool decided;         // no choice decides which lanes are in it
    uint64_t path;        // hash of its branches since the joins that ended their effect
    uint64_t way;     // hash of its branches, without constructs that it left by the merge block
    const char *rule; // for the observer: the rule by which the tangle is here, and
    bool joined;      // whether several parts joined
    lane_mask live;   // lanes that exist
    // Fragment shaders only (helper.c), else 0.
    lane_mask helper, ended; // lanes that are helpers now; lanes that have ended
    lane_mask killed;        // lanes that ended by OpKill
    lane_mask lost;          // helpers whose position is unknown (lost.c)
    lane_mask near; // those of `lost` that may be in the current tangle, at a group operation
    lane_mask absent_at_start;      // helpers that were inactive in the first ballot
    lane_mask helper_quads;         // lanes of quads in which only helpers are left at some time
    helper_places was[LANES_MAX];   // position at which each lost lane was last known
    uint32_t id;                    // SubgroupId
    uint32_t invocation[LANES_MAX]; // linear index in the workgroup, of live lanes
    uint64_t steps;
    bool waiting, done;   // waits at a barrier; has finished
    uint64_t barrier_tag; // identifies the barrier and its dynamic instance
    struct order order;   // of memory accesses
    struct tags *tags;    // of the tag machine only
    uint64_t *scratch;    // [max_phi][lanes]
    lane_mask *scratch_defined;
    // With a trace (trace.c): codes of origins [plane][lane]; lanes with a code other than 0
    // [plane].
    uint32_t *origins, *origins_scratch;
    lane_mask *doubt;
};

struct buffer_state {
    uint8_t *data;
    uint8_t *defined; // for each byte 0xff or 0
    uint64_t size;
    uint64_t each;      // size of one buffer of an array of buffers; 0: not an array
    struct race *races; // one for each unit of 1 << grain bytes; NULL if never written
    uint64_t *raced;    // one bit for each unit: its entry is initialised
    // For descriptors of images and samplers: how many, their form, the image and the sampler.
    uint32_t descriptors;
    const struct spv_image_form *form;
    const struct spv_image *image;
    const struct spv_sampler *sampler;
};

struct arrivals {
    uint64_t at; // a dynamic instance
    uint32_t invocations;
};

// A construct that is open at a branch: its merge block, its continue target (NONE for a
// selection), and its index in the machine's stack.
struct helper_level {
    uint32_t merge, continue_target, at;
};

struct derived {
    uint64_t at;                     // the dynamic instance of a derivative
    uint32_t spv, invocations, lost; // lanes that executed it; lost lanes that may have
    bool sure; // a subgroup without lost lanes executed it and used the result as defined
};

// Lanes that left the loop of a frame, and wait to continue at `block`.
struct fault_exit {
    const struct machine *machine;
    uint32_t depth, block;
    lane_mask lanes;
};

struct run {
    const struct orc_program *p;
    const struct spv_case *c;
    struct arena *arena;
    struct orc_options o;
    bool watched;                 // any_value or trace handles the result of each instruction
    struct tracing *trace;        // NULL: no trace
    uint32_t subgroup;            // subgroup size
    struct buffer_state *buffers; // [object_count], for OBJ_BUFFER and OBJ_PUSH
    bool doubt_order;             // something that is not modelled may order accesses that race
    bool doubt_scope; // an operand differs in the workgroup, but is uniform in each subgroup
    unsigned grain;   // log2 of the bytes of a unit for race detection
    struct orc_stats *stats;
    struct orc_why *why;
    struct orc_why stray; // strict: what makes the run undefined at its end; else RAN_OK
    VEC(struct orc_point) points;
    bool elects;          // Elect is a choice where the model promises nothing (promise.c)
    bool elect_withdrawn; // such an Elect was executed and withdrawn
    bool counting;        // the first of two runs under workgroup-uniform
    const struct orc_coverage *coverage; // for a draw
    lane_mask *watch_quads; // [subgroup] output: lanes of quads in which only helpers were left
    const lane_mask *helper_quads; // [subgroup] watch_quads of an earlier run
    VEC(struct derived) derived;
    struct ways *ways; // of lost.c
    VEC(struct helper_level) levels;
    helper_places here;            // scratch: the position of the lane or tangle in question
    VEC(struct arrivals) arrivals; // of the counting run: sorted by `at`, each once
    VEC(struct arrivals) came;     // of a checking run
    bool checking;
    // Of fault_exits.c.
    struct natural **natural; // [function]
    VEC(struct fault_exit) exits;
};

struct workgroup {
    struct run *run;
    uint32_t index, id[3]; // linear index, WorkgroupId
    uint32_t size;         // invocations
    uint32_t subgroups;
    bool one_by_one; // subgroups run one after another and share one machine's memory
    struct machine *machines;
    uint32_t phase; // number of barriers passed
    struct order_released released[ORDER_CLASSES];
    // Operands that must be dynamically uniform: the value that another subgroup had at the same
    // dynamic instance.
    VEC(struct uniform_operand {
        uint64_t path;
        uint32_t spv;
        uint64_t value;
    })
    uniform;
    uint64_t *shared; // cells of Workgroup memory
    bool *shared_defined;
    struct race *shared_races;
};

// Returns the hash `path` extended by one step. The path of a tangle or an invocation covers the
// branches that it took and that no join has ended. Both machines compute the same path for a
// dynamic instance, so it identifies choices.
static inline uint64_t path_with(uint64_t path, uint64_t what, uint64_t which)
{
    uint64_t z = (path ^ (what << 32 | (which & UINT32_MAX)) ^ which >> 32 << 7) *
                 UINT64_C(0x9e3779b97f4a7c15);
    z = (z ^ (z >> 29)) * UINT64_C(0xbf58476d1ce4e5b9);
    return z ^ (z >> 32);
}

// promise.c, for models weaker than maximal reconvergence. True if the model promises the tangle at
// instruction `spv`; the caller has checked that it is a full subgroup. Under workgroup-uniform all
// subgroups of the workgroup must have come with this `way`; a first run counts them, a second one
// asks.
bool promise_holds(const struct machine *m, uint32_t spv, uint64_t way);
// Makes the result of a group operation undefined, for a tangle without a promise.
void promise_withdraw(struct machine *m, const struct inst *i);
void promise_counted(struct run *run); // ends the counting run
// Compares a checking run with the counts. False if fewer invocations arrived than were counted;
// then reduces the counts in `run`.
bool promise_kept(const struct run *checked, struct run *run);

// The functions that differ between shader stages (stage.c).
struct stage_rules {
    // Sets the live lanes of a subgroup that starts; NULL: the lane mapping has set them.
    void (*start)(struct machine *m);
    bool (*group)(struct machine *m, const struct inst *i); // runs a group operation
    // Ends lanes (`killed`: by OpKill); returns other lanes that end with them. NULL: no others
    // can.
    lane_mask (*end)(struct machine *m, lane_mask lanes, bool killed);
    void (*derivative)(struct machine *m,
                       const struct inst *i); // a derivative is executed; may be NULL
    bool images;                              // images are supported
};
const struct stage_rules *stage_rules_of(enum spv_stage s);

// helper.c, for stages with helpers. helper_start starts a subgroup. helper_demote and helper_end
// turn lanes into helpers or end them (`killed`: by OpKill); both return the lanes that end with
// them under the run's choice. helper_group runs a group operation like group_run.
void helper_start(struct machine *m);
lane_mask helper_demote(struct machine *m, lane_mask lanes);
lane_mask helper_end(struct machine *m, lane_mask lanes, bool killed);
bool helper_group(struct machine *m, const struct inst *i);
// Returns those of the lanes, which branch on an undefined value, for which this is not an error:
// helpers whose undefined value comes from a group operation that may ignore them. They are lost
// from now on (R14, lost.c).
lane_mask helper_lose(struct machine *m, lane_mask undefined);
// Returns where lanes that are lost at the end of block `from` continue: an index of `levels`, for
// the merge block of that construct (innermost first); n for the end of the function, if it was
// `called`; NONE if nowhere. Makes everything undefined that they may have written before.
uint32_t helper_way_back(struct machine *m, uint32_t from, const struct helper_level *levels,
                         uint32_t n, bool called, lane_mask lanes);
// helper_seen_last records run->here as the last known position of the lanes. helper_may_be_here
// returns the lost lanes that may have reached run->here.
void helper_seen_last(struct machine *m, lane_mask lanes);
lane_mask helper_may_be_here(struct machine *m);
// For derivatives whose group is the primitive. helper_derivative records which lanes executed one.
// helper_check_derivatives fails the run if not all invocations did.
void helper_derivative(struct machine *m, const struct inst *i);
bool helper_check_derivatives(struct machine *m);

// choice.c: returns the choice for the block `label`, which a switch executed with `path` enters or
// falls through to, or for an Elect, by its result id.
enum spv_policy choice_at(const struct machine *m, uint32_t label, uint64_t path);
// Records that `tangles` more arrived there.
void choice_seen(const struct machine *m, uint32_t label, uint64_t path, uint32_t tangles);

// flow.c, the mask machine. Runs a subgroup until it has finished or waits at a barrier; false with
// run->why filled if the run fails.
void machine_start(struct machine *m);
bool machine_run(struct machine *m);

// tag.c, the tag machine: the same functions.
void tag_start(struct machine *m);
bool tag_run(struct machine *m);

// execute.c
void machine_activate(struct machine *m, lane_mask active);
// Fails the run: records status, rule and place. Returns false.
bool machine_fail(struct machine *m, enum ran status, const char *rule, uint32_t spv,
                  lane_mask lanes, const char *fmt, ...) TF_PRINTF(6, 7);
// With orc_options.strict: the run continues and is undefined at its end by the first such event.
void machine_stray(struct machine *m, const char *rule, uint32_t spv, lane_mask lanes,
                   const char *text);
// Executes an instruction without control flow for the active lanes.
bool machine_execute(struct machine *m, const struct inst *i);
void copy_plane(const struct values *v, uint64_t *to, const uint64_t *from, lane_mask lanes);

#endif
