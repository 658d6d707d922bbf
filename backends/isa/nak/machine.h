// SPDX-License-Identifier: Apache-2.0
//
// The state of a run. Private to backends/isa/nak.
#ifndef TF_NAK_MACHINE_H
#define TF_NAK_MACHINE_H

#include "isa/isa_bits.h"
#include "isa/isa_fragments.h"
#include "isa/isa_memory.h"
#include "program.h"

enum { LANES = 32, SHARED_BYTES = 48 << 10, LOCAL_BYTES = 16 << 10 };

struct nak_warp {
    // p->size of each:
    uint32_t (*r)[LANES];
    uint32_t *ur;
    uint32_t *p;          // one bit per lane; PT is all ones
    uint32_t *up;         // all ones or zero
    uint32_t (*b)[LANES]; // per lane: the number of a barrier, 0: clear
    struct isa_fragments *wave_fragments;
    uint8_t *local; // LOCAL_BYTES per lane, allocated on first use
};

struct nak_machine {
    struct arena *a;
    const struct nak_program *p;
    const struct spv_case *c;
    struct isa_result *out;
    const struct isa_options *o;
    struct isa_memory memory;
    struct isa_shared shared;
    struct nak_warp *w; // of the current workgroup
    uint32_t warps, invocations;
    struct isa_fragments *wave_fragments; // one element per warp
    struct isa_schedule q;
    uint32_t local[3], group[3];
    struct rng random_fill;
    uint64_t steps;
};

static inline uint32_t lowest_lane(uint32_t lanes)
{
    return (uint32_t)__builtin_ctz(lanes);
}
// for (lanes of m, lowest first): EACH(l, m) { ... }
#define EACH(l, m)                                                                                 \
    for (uint32_t l##_left = (m), l; l##_left && (l = lowest_lane(l##_left), true);                \
         l##_left &= l##_left - 1)

// register.c: returns register `k` of a source for all lanes; may use *room. NULL with m->out
// filled on failure.
const uint32_t *nak_words(struct nak_machine *m, struct nak_warp *w, const struct nak_operand *o,
                          uint32_t k, uint32_t room[LANES]);
// The same, up to 64 bits, with modifiers of floats and bits applied (not for type 'n').
void nak_values(struct nak_machine *m, struct nak_warp *w, const struct nak_operand *o,
                uint64_t out[LANES]);
uint32_t nak_predicate(const struct nak_warp *w, const struct nak_operand *o);
// Writes registers of a destination, unless it is omitted. A uniform register gets the value of the
// lowest lane of `lanes`.
void nak_write(struct nak_warp *w, const struct nak_operand *o, uint32_t k, uint32_t lanes,
               const uint32_t v[LANES]);
// Read and write one value of any file; a predicate is 0 or 1. NULL with m->out filled on failure.
const uint32_t *nak_any(struct nak_machine *m, struct nak_warp *w, const struct nak_operand *o,
                        uint32_t room[LANES]);
void nak_write_any(struct nak_warp *w, const struct nak_operand *o, uint32_t lanes,
                   const uint32_t v[LANES]);
void nak_write_bits(struct nak_warp *w, const struct nak_operand *o, uint32_t lanes, uint32_t bits);

// Each executes one instruction for `lanes`; false with m->out filled.
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
// Returns the combining operation of redux and atomics (lane.c).
enum isa_combine nak_combine(const struct nak_inst *in);
// Reads a word of constant memory at any buffer and offset; false with m->out filled.
bool nak_constant_word(struct nak_machine *m, uint32_t buffer, uint32_t byte, uint32_t *out);

// split.c: executes an instruction that splits or joins fragments, for `lanes` of the current
// fragment, which is already at the next instruction. Its other lanes continue.
bool nak_barrier(struct nak_machine *m, struct nak_warp *w, const struct nak_inst *in,
                 uint32_t lanes);
bool nak_branch(struct nak_machine *m, struct nak_warp *w, const struct nak_inst *in,
                uint32_t lanes);

bool nak_place(struct nak_machine *m);

#endif
