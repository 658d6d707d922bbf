// SPDX-License-Identifier: Apache-2.0
//
// The state of a run. Private to backends/isa/ir3/.
#ifndef TF_IR3_MACHINE_H
#define TF_IR3_MACHINE_H

#include "ir3_program.h"
#include "isa/isa_places.h"

enum { SHARED_BYTES = 32 << 10, ALIASES = 16 };

// Execution between predt or predf and prede.
enum ir3_predication { PREDICATION_NONE, PREDICATION_TRUE, PREDICATION_FALSE };

struct ir3_wave {
    uint32_t (*r)[LANES_MAX]; // p->registers of them
    uint32_t *s;              // p->shared of them
    lane_mask *p;             // p->predicates of them
    lane_mask live, active;   // `active`: at instruction `at`
    lane_mask waiting_lanes;  // waiting at waits_at since the branch numbered waits_since
    uint32_t lowest;          // minimum of waits_at over waiting lanes; UINT32_MAX: none
    uint32_t at, waits_at[LANES_MAX], waits_since[LANES_MAX], branches;
    enum ir3_predication predication;
    lane_mask predicate;
    struct {
        uint32_t reg, value;
    } alias[ALIASES]; // for the next texture operation
    uint32_t aliases;
    bool ended, preamble;
    uint64_t steps;
};

struct ir3_machine {
    struct arena *a;
    const struct ir3_program *p;
    const struct spv_case *c;
    struct isa_result *out;
    struct rng random_fill;
    struct isa_memory memory;
    struct isa_shared shared;
    uint32_t descriptors; // isa_options
    uint32_t buffer;      // of the current instruction; the number of buffers: none
    uint32_t constant[IR3_CONSTANTS];
    bool known[IR3_CONSTANTS];
    struct ir3_wave *w; // of the current workgroup
    uint32_t waves, invocations, local[3], group[3];
    uint64_t step_limit;
};

// Returns the lanes whose state an instruction changes: the active ones, less those that predt or
// predf disables.
static inline lane_mask ir3_on(const struct ir3_wave *w)
{
    return w->predication == PREDICATION_NONE   ? w->active
           : w->predication == PREDICATION_TRUE ? w->active & w->predicate
                                                : w->active & ~w->predicate;
}

// ir3_register.c: reads the k-th repetition of a source in the lanes of `on`, converted to `type`.
// `wide` is the width of numbers, 16 or 32. Lanes in gaps of `on` get arbitrary values. False with
// m->out filled.
bool ir3_source(struct ir3_machine *m, const struct ir3_wave *w, const struct ir3_inst *in,
                const struct ir3_operand *o, uint32_t k, char type, uint32_t wide, lane_mask on,
                uint32_t out[LANES_MAX]);
// Writes the k-th register of a destination. A shared register gets the value of the lowest lane of
// `on`. A predicate becomes 1 where the value is not 0.
void ir3_write(struct ir3_wave *w, const struct ir3_operand *o, uint32_t k, lane_mask on,
               const uint32_t v[LANES_MAX]);

// Each executes one instruction for the lanes of `on`, which is not empty. False with m->out
// filled.
bool ir3_lane(struct ir3_machine *m, struct ir3_wave *w, const struct ir3_inst *in, lane_mask on);
bool ir3_memory(struct ir3_machine *m, struct ir3_wave *w, const struct ir3_inst *in, lane_mask on);

// ir3_flow.c: executes a control-flow instruction; w->at is already the next one.
bool ir3_flow(struct ir3_machine *m, struct ir3_wave *w, const struct ir3_inst *in);
// Joins lanes that wait at w->at, before that instruction. False with m->out filled.
bool ir3_join(struct ir3_machine *m, struct ir3_wave *w);

#endif
