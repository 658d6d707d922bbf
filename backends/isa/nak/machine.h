// SPDX-License-Identifier: Apache-2.0
//
// The state of a run. Private to backends/isa/nak.
#ifndef TF_NAK_MACHINE_H
#define TF_NAK_MACHINE_H

#include "program.h"

enum { LANES = 32, SHARED_BYTES = 48 << 10, LOCAL_BYTES = 16 << 10, SPLITS = LANES };

// Lanes of a warp that are together, at one instruction.
struct nak_split {
    uint32_t at, lanes;
    bool at_group; // waits at the workgroup's barrier
};

struct nak_warp {
    uint32_t (*r)[LANES]; // p->registers of them
    uint32_t ur[UNIFORMS];
    uint32_t p[PREDICATES];      // a bit a lane; PT is all ones
    uint32_t up[PREDICATES];     // all ones or none
    uint32_t b[BARRIERS][LANES]; // each lane's own: which barrier of `barrier`, 0: clear
    struct nak_split split[SPLITS];
    uint32_t splits, current;
    uint32_t launched, exited;
    uint32_t waiting; // lanes at a bsync or warpsync
    uint32_t wait_for[LANES], wait_at[LANES];
    uint8_t *local; // LOCAL_BYTES a lane, made on first use
};

// A barrier that a bssy or warpsync began.
struct nak_barrier {
    uint32_t lanes; // that have to come
    bool warpsync;
};

enum nak_schedule { NAK_DEPTH_FIRST, NAK_BREADTH_FIRST, NAK_RANDOM };

struct nak_region {
    uint64_t base;
    uint32_t size;
    uint8_t *bytes;
};

struct nak_machine {
    struct arena *a;
    const struct nak_program *p;
    const struct spv_case *c;
    struct isa_result *out;
    const struct isa_options *o;
    struct nak_region region[SPV_CASE_BUFFERS];
    uint32_t set[SPV_CASE_BUFFERS * 4]; // the descriptor set
    uint32_t set_words;
    struct isa_shared shared;
    struct nak_warp *w; // of the workgroup
    uint32_t warps, invocations;
    VEC(struct nak_barrier) barrier; // number 0 is none
    uint32_t local[3], group[3];
    enum nak_schedule schedule;
    struct rng chance; // what the schedule draws
    struct rng junk;
    bool choice; // the schedule had one
    uint64_t steps, step_limit;
    uint32_t line; // at work
};

static inline uint32_t lowest_lane(uint32_t lanes)
{
    return (uint32_t)__builtin_ctz(lanes);
}
// for (lanes of m, lowest first): EACH(l, m) { ... }
#define EACH(l, m)                                                                                 \
    for (uint32_t l##_left = (m), l; l##_left && (l = lowest_lane(l##_left), true);                \
         l##_left &= l##_left - 1)

// register.c: the words of a source, one a lane; `k`: which of its registers. They may be *room.
const uint32_t *nak_words(struct nak_machine *m, struct nak_warp *w, const struct nak_operand *o,
                          uint32_t k, uint32_t room[LANES]);
// The same with modifiers of floats and bits applied (not of 'n'), up to 64 bits.
void nak_values(struct nak_machine *m, struct nak_warp *w, const struct nak_operand *o,
                uint64_t out[LANES]);
uint32_t nak_predicate(const struct nak_warp *w, const struct nak_operand *o);
// To the registers of a destination, if it is there; of a uniform one what the lowest of `lanes`
// has.
void nak_write(struct nak_warp *w, const struct nak_operand *o, uint32_t k, uint32_t lanes,
               const uint32_t v[LANES]);
void nak_write_bits(struct nak_warp *w, const struct nak_operand *o, uint32_t lanes, uint32_t bits);

// Each runs one instruction for `lanes`; false with m->out filled.
bool nak_compute(struct nak_machine *m, struct nak_warp *w, const struct nak_inst *in,
                 uint32_t lanes);
bool nak_lanes(struct nak_machine *m, struct nak_warp *w, const struct nak_inst *in,
               uint32_t lanes);
bool nak_memory(struct nak_machine *m, struct nak_warp *w, const struct nak_inst *in,
                uint32_t lanes);
bool nak_constant(struct nak_machine *m, struct nak_warp *w, const struct nak_inst *in,
                  uint32_t lanes);
bool nak_system(struct nak_machine *m, struct nak_warp *w, const struct nak_inst *in,
                uint32_t lanes);
// A word of constant memory; false with m->out filled.
bool nak_constant_word(struct nak_machine *m, uint32_t buffer, uint32_t byte, uint32_t *out);

// split.c: who is together. Runs one instruction that says so for `lanes` of the split w->current,
// which stands behind it; lanes that are not among `lanes` are not meant and go on.
bool nak_barrier(struct nak_machine *m, struct nak_warp *w, const struct nak_inst *in,
                 uint32_t lanes);
void nak_branch(struct nak_machine *m, struct nak_warp *w, const struct nak_inst *in,
                uint32_t lanes);
void nak_exit(struct nak_machine *m, struct nak_warp *w, uint32_t lanes);
void nak_group_wait(struct nak_warp *w, uint32_t lanes);
// Chooses the split that runs next; false where none can.
bool nak_pick(struct nak_machine *m, struct nak_warp *w);

bool nak_place(struct nak_machine *m);

#endif
