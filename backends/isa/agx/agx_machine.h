// SPDX-License-Identifier: Apache-2.0
//
// The state of a run. Private to backends/isa/agx/.
#ifndef TF_AGX_MACHINE_H
#define TF_AGX_MACHINE_H

#include "agx_program.h"
#include "isa/isa_places.h"

enum { SHARED_BYTES = 32 << 10, PENDING = 64 };

typedef uint32_t lanes32; // a bit per lane

// A load whose result arrives at the wait for its group.
struct agx_pending {
    struct agx_operand dst;
    lanes32 lanes;
    bool group;
    uint32_t v[4][AGX_LANES];
};

struct agx_wave {
    uint16_t r[AGX_HALVES][AGX_LANES];
    lanes32 live, active;
    uint32_t number; // of the wave in the workgroup
    uint32_t at;
    struct agx_pending pending[PENDING];
    uint32_t pendings;
    bool preamble;
    uint64_t steps;
};

struct agx_machine {
    struct arena *a;
    const struct agx_program *p;
    const struct spv_case *c;
    struct isa_result *out;
    struct rng random_fill;
    struct isa_memory memory;
    struct isa_shared shared;
    uint16_t uniform[AGX_UNIFORMS];
    bool known[AGX_UNIFORMS];
    struct agx_wave *w; // of the current workgroup
    uint32_t waves, invocations, local[3], group[3];
    uint64_t step_limit;
};

static inline bool agx_refuse(struct agx_machine *m, enum ran s, const struct agx_inst *in,
                              const char *what)
{
    return isa_refuse(m->out, s, in->line, "%s: %s", agx_ops[in->id].name, what);
}

// agx_operand.c: reads value k of a source in all lanes, as bits, zero-extended; `.sx` extends the
// sign to 64 bits. False with m->out filled: a uniform that is not set.
bool agx_source(struct agx_machine *m, const struct agx_wave *w, const struct agx_inst *in,
                const struct agx_operand *o, uint32_t k, uint64_t out[AGX_LANES]);
// The same as a float, with its modifiers.
bool agx_float(struct agx_machine *m, const struct agx_wave *w, const struct agx_inst *in,
               const struct agx_operand *o, double out[AGX_LANES]);
// Writes value k of a destination in the lanes of `on`.
void agx_write(struct agx_wave *w, const struct agx_operand *o, uint32_t k, lanes32 on,
               const uint64_t v[AGX_LANES]);
// Fills registers that are not read again with random values.
void agx_discard(struct agx_machine *m, struct agx_wave *w, const struct agx_inst *in);
// The lanes for which the condition of an instruction holds for its first two sources.
bool agx_compare(struct agx_machine *m, const struct agx_wave *w, const struct agx_inst *in,
                 lanes32 *out);

// Each executes one instruction for the active lanes. False with m->out filled.
bool agx_alu(struct agx_machine *m, struct agx_wave *w, const struct agx_inst *in);
bool agx_lane(struct agx_machine *m, struct agx_wave *w, const struct agx_inst *in);
bool agx_memory(struct agx_machine *m, struct agx_wave *w, const struct agx_inst *in);

#endif
