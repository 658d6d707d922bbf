// SPDX-License-Identifier: Apache-2.0
//
// The mask machine: one subgroup's state. The current tangle is `at` and
// `active`; everything that waits is on the stack.
#ifndef TF_ORACLE_MACHINE_H
#define TF_ORACLE_MACHINE_H

#include "order.h"
#include "program.h"
#include "trace.h"

// Planes and which lanes of each are defined.
struct values {
    uint64_t *planes;   // [plane][lanes]
    lane_mask *defined; // [plane]
    uint32_t lanes;
    lane_mask active;
    bool full;          // active is every lane of the subgroup
    const uint64_t *on; // [lanes] all ones where active, valid when not full
};
static inline uint64_t *plane_of(const struct values *v, uint32_t plane)
{
    return v->planes + (size_t)plane * v->lanes;
}
static inline void define(const struct values *v, uint32_t plane, lane_mask ok)
{
    v->defined[plane] = (v->defined[plane] & ~v->active) | (ok & v->active);
}

enum frame_kind {
    FR_CALL,      // a call that has not ended, or the entry point
    FR_SELECTION, // an open construct of OpSelectionMerge
    FR_LOOP,      // of OpLoopMerge
    FR_SWITCH,    // cases of an OpSwitch that have not run yet
    FR_PART,      // a part of a split tangle that has not run yet
};

// Parts that wait at one place, to go on together.
struct join {
    lane_mask lanes;
    uint32_t parts; // that came: more than one is a reconvergence
};

// The last part that came to a place, under a model that promises less (flow.c).
struct last_part {
    bool sure; // the model promises it
    uint64_t way;
};

// What waits, on a stack: an open construct or call, or a part that has not run yet.
struct frame {
    uint8_t kind;
    bool settled;       // no choice has a say in who opened it (a part: in who it is)
    bool sure;          // the model promises the tangle that opened it (a part: the part)
    uint32_t block;     // the header, the block of the call, or where the part goes on
    uint64_t path, way; // of the tangle that opened it (a part: its own), see flow.c
    lane_mask entered;  // the tangle that opened it (a part: the part)
    union {
        struct {           // M5
            uint32_t next; // instruction of `block` after the call
            struct join returned;
            struct last_part last;
            lane_mask first; // of those who returned: for fault.c alone
        } call;
        struct { // M1
            uint32_t merge_block;
            struct join at_merge;
        } selection;
        struct {
            uint32_t merge_block, continue_target;
            struct join at_merge;    // M3
            struct join at_continue; // M4, in this iteration
            lane_mask at_header;     // by the back edge, for the next iteration
            struct last_part last;   // to the continue target or by the back edge
            uint32_t iteration;
            bool again; // the header runs for the next iteration: do not open it anew
        } loop;
        struct {            // D2, M2
            uint32_t first; // of its cases, in machine.cases
            struct last_part last;
        } cases;
        struct { // D1, D2
            const char *rule;
            uint32_t next; // instruction of `block`: 0, but for a part that fault.c keeps apart
        } part;
    };
};

// Lanes that wait for a case, and whether a choice let them wait together.
struct waiting_case {
    lane_mask lanes;
    bool unsettled;
    bool fell, joined; // some fell through to it, and others were there: for who watches
};

struct workgroup;
struct tags; // tag.c

// Where a lane is: the calls and loops that it is in, outermost first, and its own place.
struct helper_place {
    uint32_t block, at; // `at`: the instruction; of a loop the iteration
    bool loop;          // of this header
};
typedef VEC(struct helper_place) helper_places;

struct machine {
    const struct orc_program *p;
    struct workgroup *group;
    struct values v;
    uint64_t *on; // backing of v.on
    struct frame *stack;
    uint32_t depth, room;
    struct waiting_case *cases; // [frame.cases.first + case]
    uint32_t case_top, case_room;
    uint32_t block, next; // where the current tangle is: next instruction of block
    bool sure;            // the model promises the current tangle (flow.c)
    bool settled;         // no choice has a say in who is in it
    uint64_t path;        // branches it took that no join has made forgotten
    uint64_t way;         // branches it took since constructs that it left by their merge block
    const char *rule;     // why it is there, and
    bool joined;          // whether parts came together: for who watches
    lane_mask live;       // lanes that exist
    // Of a fragment shader (helper.c); all 0 else.
    lane_mask helper, ended; // helpers by now; who has ended
    lane_mask killed;        // by OpKill
    lane_mask lost;          // helpers of which nobody knows where they are (lost.c)
    lane_mask
        near; // of them: who may be in the current tangle, where it executes a group operation
    lane_mask ghost;                // helpers that took no part in a ballot at the start
    lane_mask torn;                 // of quads in which only helpers are left at some time
    helper_places was[LANES_MAX];   // of who is lost: where it was seen last
    uint32_t id;                    // SubgroupId
    uint32_t invocation[LANES_MAX]; // linear index in the workgroup, of live lanes
    uint64_t steps;
    bool waiting, done;   // at a barrier; finished
    uint64_t barrier_tag; // which dynamic instance of which barrier
    struct order order;   // of memory accesses
    struct tags *tags;    // of the tag machine
    uint64_t *scratch;    // max_phi * lanes
    lane_mask *scratch_defined;
    // With a trace (trace.c): codes [plane][lane], which lanes have one [plane].
    uint32_t *born, *born_scratch;
    lane_mask *doubt;
};

struct buffer_state {
    uint8_t *data;
    uint8_t *defined; // 0xff or 0 a byte
    uint64_t size;
    uint64_t each;      // of an array of buffers: bytes of one; 0 else
    struct race *races; // by `grain`; NULL where nothing is ever written
    uint64_t *raced;    // one bit for each of them: it holds something
    // Of descriptors with images and samplers: how many, of which form; what is sampled, by which
    // samplers.
    uint32_t descriptors;
    const struct spv_image_form *form;
    const struct spv_image *image;
    const struct spv_sampler *sampler;
};

struct arrivals {
    uint64_t at; // a dynamic instance
    uint32_t invocations;
};

// A construct that is open around a branch: blocks (continue_target is NONE of a selection), and
// where the machine has it.
struct helper_level {
    uint32_t merge, continue_target, at;
};

struct derived {
    uint64_t at;                     // a dynamic instance of a derivative
    uint32_t spv, invocations, lost; // who was there, and who may have been
    bool sure; // a subgroup was there of which nobody is lost: it takes what it gets for known
};

struct run {
    const struct orc_program *p;
    const struct spv_case *c;
    struct arena *arena;
    struct orc_options o;
    bool watched;          // something is to be done after each instruction: any_value, trace
    struct tracing *trace; // NULL: nobody asks
    uint32_t subgroup;     // size
    struct buffer_state *buffers; // [object_count], of OBJ_BUFFER and OBJ_PUSH
    bool doubt_order;             // what is not looked at here might order accesses that race
    bool doubt_scope; // an operand is not uniform in the workgroup, but in each subgroup
    unsigned grain;   // log2 of the bytes of a race unit
    struct orc_stats *stats;
    struct orc_why *why;
    VEC(struct orc_point) points;
    bool elects;                         // by choice, where the model promises nothing (promise.c)
    bool elect_withdrawn;                // that would have made a difference
    bool counting;                       // the first of two runs
    const struct orc_coverage *coverage; // of a draw
    lane_mask
        *watch_quads; // [subgroup] to be filled: lanes of quads in which only helpers were left
    const lane_mask *torn; // [subgroup] what an earlier run filled
    VEC(struct derived) derived;
    struct ways *ways; // of lost.c
    VEC(struct helper_level) levels;
    helper_places here;            // of the lane or tangle that is asked about
    VEC(struct arrivals) arrivals; // counted: sorted by `at`, each once
    VEC(struct arrivals) came;     // of a run that checks them
    bool checking;
};

struct workgroup {
    struct run *run;
    uint32_t index, id[3]; // linear, WorkgroupId
    uint32_t size;         // invocations
    uint32_t subgroups;
    bool one_by_one; // subgroups run one after the other, in the same memory
    struct machine *machines;
    uint32_t phase; // barriers passed
    struct order_told told[ORDER_CLASSES];
    // Operands that must be dynamically uniform, by dynamic instance: what another subgroup had
    // there.
    VEC(struct uniform_operand {
        uint64_t path;
        uint32_t spv;
        uint64_t value;
    })
    uniform;
    uint64_t *shared; // Workgroup cells
    bool *shared_defined;
    struct race *shared_races;
};

// The path of a tangle or an invocation: the branches it took that no join has made
// forgotten. Both machines give one dynamic instance one path, so that choices can be told
// by it.
static inline uint64_t path_with(uint64_t path, uint64_t what, uint64_t which)
{
    uint64_t z = (path ^ (what << 32 | (which & UINT32_MAX)) ^ which >> 32 << 7) *
                 UINT64_C(0x9e3779b97f4a7c15);
    z = (z ^ (z >> 29)) * UINT64_C(0xbf58476d1ce4e5b9);
    return z ^ (z >> 32);
}

// promise.c, under a model that promises less than maximal reconvergence: is a tangle that is
// a whole subgroup, and came here that way, one that the model promises? Under
// workgroup-uniform only where the whole workgroup came that way: asked in a second run, after
// a first one has counted.
bool promise_holds(const struct machine *m, uint32_t spv, uint64_t way);
// What a group operation gives to a tangle without a promise is not defined.
void promise_withdraw(struct machine *m, const struct inst *i);
void promise_counted(struct run *run); // the first run is over
// A run with what was counted is over: were all there where it took that for granted? Else less is
// counted from now on.
bool promise_kept(const struct run *checked, struct run *run);

// What a stage makes different, a row each (stage.c).
struct stage_rules {
    // Which lanes are live in a subgroup that starts; NULL: the lane mapping has said so.
    void (*start)(struct machine *m);
    bool (*group)(struct machine *m, const struct inst *i); // runs a group operation
    // Lanes end, by OpKill perhaps; returns the lanes that end with them. NULL: nothing follows.
    lane_mask (*end)(struct machine *m, lane_mask lanes, bool killed);
    void (*derivative)(struct machine *m, const struct inst *i); // one is computed; or NULL
    bool images;                                                 // are known
};
const struct stage_rules *stage_rules_of(enum spv_stage s);

// helper.c, of stages with helpers: a subgroup starts; lanes become helpers, or end (by OpKill),
// and the lanes that end with them by the run's choice are given back; a group operation, as
// group_run.
void helper_start(struct machine *m);
lane_mask helper_demote(struct machine *m, lane_mask lanes);
lane_mask helper_end(struct machine *m, lane_mask lanes, bool killed);
bool helper_group(struct machine *m, const struct inst *i);
// Of lanes that branch on an undefined value, those for which it is no fault: what a helper got of
// a group operation that need not count it has no value. They are lost from then on (R14, lost.c).
lane_mask helper_lose(struct machine *m, lane_mask undefined);
// Where lanes come back that are lost at the end of the block `from`: at the merge block of a
// construct, innermost first; n: at the end of the function, where it was `called`; NONE: nowhere.
// What they may have written has no value.
uint32_t helper_way_back(struct machine *m, uint32_t from, const struct helper_level *levels,
                         uint32_t n, bool called, lane_mask lanes);
// The lanes are lost where run->here says; who of the lost ones may have come by now to where it
// says.
void helper_seen_last(struct machine *m, lane_mask lanes);
lane_mask helper_may_be_here(struct machine *m);
// Derivatives whose group is the primitive: who was there is noted; at the end of the run, whether
// all were.
void helper_derivative(struct machine *m, const struct inst *i);
bool helper_check_derivatives(struct machine *m);

// choice.c: what the implementation chose where a switch, executed with `path`, enters or
// falls through to the block `label`; or at an Elect, by its result.
enum spv_policy choice_at(const struct machine *m, uint32_t label, uint64_t path);
// Notes that `tangles` more arrived there.
void choice_seen(const struct machine *m, uint32_t label, uint64_t path, uint32_t tangles);

// flow.c, the mask machine: runs a subgroup until it is done, waits at a barrier,
// or fails (false, run->why filled).
void machine_start(struct machine *m);
bool machine_run(struct machine *m);

// tag.c, the tag machine: the same.
void tag_start(struct machine *m);
bool tag_run(struct machine *m);

// execute.c
void machine_activate(struct machine *m, lane_mask active);
// Fails the run at an instruction: status, rule and place.
bool machine_fail(struct machine *m, enum orc_status status, const char *rule, uint32_t spv,
                  lane_mask lanes, const char *fmt, ...) TF_PRINTF(6, 7);
// An instruction without control flow, for the active lanes.
bool machine_execute(struct machine *m, const struct inst *i);
void copy_plane(const struct values *v, uint64_t *to, const uint64_t *from, lane_mask lanes);

// alu.c: false when the opcode is unknown to it.
bool alu_run(const struct inst *i, const struct values *v);
bool alu_knows(uint32_t op);
// alu_across.c: casts between shapes, integer dot products.
bool across_knows(uint32_t op);
void across_run(const struct inst *i, const struct values *v);
void no_wrap_run(const struct inst *i, const struct values *v);
void relaxed_run(const struct inst *i, const struct values *v);
bool glsl_run(const struct inst *i, const struct values *v);
bool glsl_knows(uint32_t op, uint32_t *operands);

// float.c, with float.def; float_convert.c.
enum float_shape {
    FLOAT_UNKNOWN,
    FLOAT_SAME, // floats to a float of their type
    FLOAT_TEST, // floats to a boolean
    FLOAT_TO_INT,
    FLOAT_FROM_INT,
    FLOAT_TO_FLOAT, // of another width
    FLOAT_LINEAR,   // vectors and matrices: sums of products
};
enum float_shape float_knows(uint32_t op, uint32_t *operands);
void float_run(const struct inst *i, const struct values *v);
bool float_glsl_knows(uint32_t op, uint32_t *operands, bool *is_open);
void float_run_glsl(const struct inst *i, const struct values *v);
void float_quieten(const struct inst *i, const struct values *v);

// group.c
bool group_run(struct machine *m, const struct inst *i);
bool group_arithmetic(struct machine *m, const struct inst *i); // group_arith.c
bool derivative_run(struct machine *m, const struct inst *i);   // derivative.c
// The lanes of the quad that a lane is of.
static inline lane_mask quad_of(uint32_t lane)
{
    return lanes_below((lane & ~(SPV_QUAD - 1u)) + SPV_QUAD) &
           ~lanes_below(lane & ~(SPV_QUAD - 1u));
}

// Invocations are linear over the whole dispatch, plus one.
static inline uint32_t race_who(const struct machine *m, uint32_t lane)
{
    return m->group->index * m->group->size + m->invocation[lane] + 1;
}
// Who touched a unit of a buffer. Most units are never touched: they are cleared when they are.
static inline struct race *race_at(const struct buffer_state *b, uint64_t unit)
{
    uint64_t bit = UINT64_C(1) << (unit & 63);
    if (!(b->raced[unit >> 6] & bit)) {
        b->raced[unit >> 6] |= bit;
        b->races[unit] = (struct race){0};
    }
    return &b->races[unit];
}
// Where an offset of a pointer is in the buffer's bytes, and where they end that it may reach.
// False: out of bounds.
bool buffer_span(const struct buffer_state *b, uint64_t offset, uint64_t *at,
                 uint64_t *end); // memory.c
// any_value.c, in a run with orc_options.any_value: what an instruction, a variable or the module's
// constants leave undefined becomes some value.
void any_value_result(struct machine *m, const struct inst *i);
void any_value_variable(const struct machine *m, const struct object *o, lane_mask lanes);
void any_value_constants(const struct machine *m);
void any_value_shared(struct workgroup *g); // Workgroup memory that nobody has written

// trace.c, in a run with orc_options.trace.
void trace_start(struct run *run);         // buffers are attached
void trace_machine(struct machine *m);     // planes are made
void trace_workgroup(struct workgroup *g); // a fresh one
void trace_prepare(struct machine *m);     // a fresh subgroup
// What an instruction has made for the active lanes; rounded floats get their values.
void trace_result(struct machine *m, const struct inst *i);
void trace_withdrawn(struct machine *m, const struct inst *i, enum orc_birth why);
void trace_move(const struct machine *m, uint32_t to, uint32_t from, lane_mask lanes);
void trace_edge(struct machine *m, const struct edge *e, lane_mask lanes);
void trace_fresh(const struct machine *m, uint32_t plane, uint32_t cells, lane_mask lanes);
void trace_atomic(const struct machine *m, const struct inst *i, uint32_t lane, uint32_t object,
                  uint64_t offset, bool writes, bool clash);
void trace_word(const struct machine *m, const struct inst *i, uint32_t lane, uint32_t object,
                uint64_t at, bool is_load, uint32_t plane);
void trace_block(const struct machine *m);                         // it starts
void trace_branch(const struct machine *m, const struct block *b); // it ends
// Why the run fails: by an operand; by an access.
void trace_fault(const struct machine *m, uint32_t plane, lane_mask lanes);
void trace_access_fault(const struct machine *m, const struct inst *i, uint32_t lane, bool race);
void trace_collect(const struct run *run, struct orc_result *out);

// rounded.c: a float result that rounds, by the host's arithmetic. False where there is none
// either.
bool rounded_value(const struct inst *i, const struct values *v, uint32_t cell, uint32_t lane,
                   uint64_t *bits);
uint64_t rounded_in_16(uint64_t bits); // of 32 bits, to what 16 hold
uint64_t rounded_atomic(uint32_t op, unsigned width, uint64_t x, uint64_t y);
bool rounded_group(const struct inst *i, const struct values *v, uint32_t cell, uint32_t lane,
                   uint64_t *bits);

// image.c: images, by the active lanes.
bool image_run(struct machine *m, const struct inst *i);

// atomic.c
bool atomic_run(struct machine *m, const struct inst *i);
bool atomic_knows(uint32_t op);

// memory.c
// Where a lane's access goes. False when the run has failed.
bool memory_locate(struct machine *m, const struct inst *i, uint32_t lane, uint32_t *object,
                   uint64_t *offset);
bool memory_race(struct machine *m, const struct inst *i, uint32_t lane, const char *how);
bool memory_out_of_bounds(struct machine *m, const struct inst *i, uint32_t lane);
bool memory_uniform(struct machine *m, const struct inst *i);
bool memory_chain(struct machine *m, const struct inst *i);
// One word of a buffer, aligned and inside of it, to or from a plane.
bool memory_word(struct machine *m, const struct inst *i, uint32_t lane, uint32_t object,
                 uint64_t at, bool is_load, uint32_t plane);
bool memory_load(struct machine *m, const struct inst *i);
bool memory_store(struct machine *m, const struct inst *i);
bool memory_length(struct machine *m, const struct inst *i);
void memory_enter(struct machine *m, const struct function *f); // fresh Function variables

#endif
