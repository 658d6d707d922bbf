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
    uint32_t s[IR3_SHARED];
    lane_mask p[IR3_PREDICATES];
    lane_mask live, active; // at `at`
    lane_mask parked;       // at parked_at, by the branch counted in parked_by
    uint32_t lowest;        // of parked_at, where anybody is parked; else UINT32_MAX
    uint32_t at, parked_at[LANES_MAX], parked_by[LANES_MAX], branches;
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
    struct rng junk;
    struct isa_memory memory;
    struct isa_shared shared;
    uint32_t buffer; // of the instruction that runs; the case's count: none
    uint32_t constant[IR3_CONSTANTS];
    bool known[IR3_CONSTANTS];
    struct ir3_wave *w; // of the workgroup
    uint32_t waves, invocations, local[3], group[3];
    uint64_t step_limit;
};

// Lanes that instructions change.
static inline lane_mask ir3_on(const struct ir3_wave *w)
{
    return w->predication == PREDICATION_NONE   ? w->active
           : w->predication == PREDICATION_TRUE ? w->active & w->predicate
                                                : w->active & ~w->predicate;
}

// ir3_register.c: a source in the lanes of `on`, its k-th repetition, as `type` says. `wide`: 16 or
// 32, for numbers; lanes between those of `on` hold anything. False with m->out filled.
bool ir3_source(struct ir3_machine *m, const struct ir3_wave *w, const struct ir3_inst *in,
                const struct ir3_operand *o, uint32_t k, char type, uint32_t wide, lane_mask on,
                uint32_t out[LANES_MAX]);
// To the k-th register of a destination; one for the wave takes what the lowest of `on` has.
// Predicates: is it 0?
void ir3_write(struct ir3_wave *w, const struct ir3_operand *o, uint32_t k, lane_mask on,
               const uint32_t v[LANES_MAX]);

// Each runs one instruction for the lanes of `on`, of which there are some; false with m->out
// filled.
bool ir3_lane(struct ir3_machine *m, struct ir3_wave *w, const struct ir3_inst *in, lane_mask on);
bool ir3_memory(struct ir3_machine *m, struct ir3_wave *w, const struct ir3_inst *in, lane_mask on);

// ir3_flow.c: one instruction that says who runs; w->at stands behind it.
bool ir3_flow(struct ir3_machine *m, struct ir3_wave *w, const struct ir3_inst *in);
// What (jp) says, before the instruction at w->at. False with m->out filled.
bool ir3_join(struct ir3_machine *m, struct ir3_wave *w);

#endif
