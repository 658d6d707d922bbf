// SPDX-License-Identifier: Apache-2.0
//
// The state of a run. Private to backends/isa/eu/.
#ifndef TF_EU_MACHINE_H
#define TF_EU_MACHINE_H

#include "eu_program.h"
#include "isa/isa_places.h"

#include "spirv/spirv_cover.h"
#include "spirv/spirv_groups.h"

enum {
    SHARED_BYTES = 64 << 10,
    SCRATCH_BYTES = 16 << 10,
    FLAG_BYTES = 16,
    ADDRESS_BYTES = 32,
    ACCUMULATORS = 64,
};

// A subgroup: one thread of the hardware.
struct eu_thread {
    uint8_t *r; // EU_REGISTERS registers, and room for a gathered payload
    uint8_t scalar[EU_SCALARS];
    uint8_t flag[FLAG_BYTES], address[ADDRESS_BYTES];
    eu_wide acc[ACCUMULATORS];
    uint32_t started;    // lanes that were started: of a fragment shader, those of whole quads
    uint32_t dispatched; // lanes that are not helpers
    uint32_t on;         // lanes whose instruction pointer is `at`
    uint32_t waiting;    // lanes that wait at waits_at
    uint32_t at, waits_at[EU_LANES];
    uint32_t unstarted; // what `ce` says about lanes that were not started
    uint32_t number;
    bool ended, signalled;
    uint8_t *scratch;      // SCRATCH_BYTES, allocated on first use
    uint32_t scratch_base; // the sixth word of r0
    uint64_t steps;
};

struct eu_machine {
    struct arena *a;
    const struct eu_program *p;
    const struct spv_case *c;
    struct isa_result *out;
    struct rng random_fill;
    struct isa_memory memory;
    struct isa_shared shared;
    struct eu_thread *t; // of the current workgroup
    uint32_t threads, invocations, local[3], group[3];
    struct spv_cover_block quad[EU_LANES / SPV_QUAD]; // of the current thread of a fragment shader
    uint32_t quads;
    uint64_t step_limit;
};

static inline uint32_t eu_bit(uint32_t lane)
{
    return UINT32_C(1) << lane;
}
// Returns the accumulator of the element that is `byte` after the first: one for each element, also
// of words.
static inline uint32_t eu_accumulator(const struct eu_operand *o, uint32_t byte)
{
    return o->at / 4 + byte / eu_types[o->type].bytes;
}
// Returns the lanes of an instruction.
static inline uint32_t eu_span(const struct eu_inst *in)
{
    return (in->size == 32 ? UINT32_MAX : eu_bit(in->size) - 1) << in->first;
}

// eu_payload.c: fills the registers that a thread starts with.
bool eu_payload(struct eu_machine *m, struct eu_thread *t);
// Adds the memory that a kernel's threads read at their start. False with m->out filled.
bool eu_kernel_memory(struct eu_machine *m);
// The buffer of an argument; NULL: none.
struct isa_region *eu_kernel_buffer(struct eu_machine *m, uint32_t argument);

// eu_register.c. Each returns false with m->out filled.
// Reads source k of every lane of the instruction, as bits.
bool eu_source(struct eu_machine *m, const struct eu_thread *t, const struct eu_inst *in,
               const struct eu_operand *o, uint64_t out[EU_LANES]);
// Writes v[i] for the lanes first + i of `lanes`.
bool eu_write(struct eu_machine *m, struct eu_thread *t, const struct eu_inst *in, uint32_t lanes,
              const uint64_t v[EU_LANES]);
// The lanes of the instruction for which its predicate is true; all if it has none.
bool eu_predicate(struct eu_machine *m, const struct eu_thread *t, const struct eu_inst *in,
                  uint32_t *out);
// Sets the condition's flag of `lanes` to their bits in `v`.
bool eu_set_flags(struct eu_machine *m, struct eu_thread *t, const struct eu_inst *in,
                  uint32_t lanes, uint32_t v);

bool eu_flow(struct eu_machine *m, struct eu_thread *t, const struct eu_inst *in);
void eu_join(struct eu_thread *t);
// Executes a message for the lanes of `on`.
bool eu_send(struct eu_machine *m, struct eu_thread *t, const struct eu_inst *in, uint32_t on);

#endif
