// SPDX-License-Identifier: Apache-2.0
//
// The state of a run. Private to backends/isa/.
#ifndef TF_AMD_MACHINE_H
#define TF_AMD_MACHINE_H

#include "aco_program.h"
#include "alu.h"
#include "isa/isa_places.h"

enum { LANES = 64, LDS_BYTES = 64 << 10, SCRATCH_WORDS = 4096, PENDING = 64 };

// A load in flight. Its registers hold random values until it completes; then they get what memory
// held when it was issued.
enum amd_counter { COUNT_VM, COUNT_LDS, COUNT_SCALAR };
struct amd_pending {
    enum amd_counter counter;
    bool vector;
    uint16_t reg;
    uint8_t count; // registers; 0 for a store, which only counts
    uint64_t lanes;
    uint32_t keep;        // bits of the register that do not change
    uint32_t v[4][LANES]; // scalar loads use v[0]
};

struct amd_wave {
    uint32_t *s;              // p->scalars of them
    uint32_t (*v)[LANES];     // p->vectors of them
    bool scc, scc_set, ended; // scc_set: the code has written it
    uint32_t at;
    uint64_t steps;
    uint32_t signals, waits; // barrier signals and waits so far
    struct amd_pending *pending[PENDING];
    uint32_t pendings;
    uint64_t busy_v[REG_VECTORS / 64], busy_s[2]; // registers with a load in flight
    uint32_t lane_at[LANES];                      // the block of each lane (aco_run.c)
    uint32_t *scratch;                            // SCRATCH_WORDS per lane, allocated on first use
};

// Word 1 of the descriptor through which LLVM's code accesses scratch before gfx11: part of the
// address, and the swizzle bit.
#define AMD_PRIVATE 0x80001300u

struct amd_machine {
    struct arena *a;
    const struct amd_program *p;
    const struct spv_case *c;
    struct isa_result *out;
    struct rng random_fill;
    bool other_scc;       // SCC begins with the other value
    uint32_t *unset_line; // the first line that reads SCC before it is written; 0: none
    struct isa_memory memory;
    struct isa_shared shared;
    uint8_t *lds;       // shared.bytes; random after isa_shared
    struct amd_wave *w; // of the current workgroup
    uint32_t waves;
    uint32_t line; // current line
    uint64_t step_limit;
    // Addresses that are passed in arguments.
    uint64_t set_base[SPV_CASE_BUFFERS], push_base;
    uint32_t sets;
    uint32_t local[3], group[3];
    bool wants_origin, prompt;
    uint32_t (*moved)[LANES]; // values on their way (aco_run.c)
    struct amd_uses *uses;    // what the module uses (abi.c); NULL: not read yet
    struct amd_watch *watch;  // with wants_origin, once memory is placed; else NULL
};

// Is it a register of the scalar file, and not a source that is computed?
static inline bool is_scalar(const struct amd_machine *m, uint32_t reg)
{
    return reg < REG_SCALARS || (reg >= REG_VIRTUAL && reg < m->p->scalars);
}
static inline uint64_t wave_lanes(const struct amd_machine *m)
{
    return m->p->wave == 64 ? UINT64_MAX : UINT32_MAX;
}
static inline uint64_t wave_mask(const struct amd_machine *m, const struct amd_wave *w,
                                 uint32_t reg)
{
    return m->p->wave == 64 ? w->s[reg] | (uint64_t)w->s[reg + 1] << 32 : w->s[reg];
}
static inline void amd_reads_unset(const struct amd_machine *m)
{
    if (!*m->unset_line)
        *m->unset_line = m->line;
}
static inline bool wave_scc(const struct amd_machine *m, const struct amd_wave *w)
{
    if (!w->scc_set)
        amd_reads_unset(m);
    return w->scc;
}
static inline uint64_t wave_exec(const struct amd_machine *m, const struct amd_wave *w)
{
    return wave_mask(m, w, REG_EXEC);
}

// register.c: registers, operands, loads in flight.
uint64_t amd_scalar_read(struct amd_machine *m, struct amd_wave *w, const struct amd_operand *o);
void amd_scalar_write(struct amd_machine *m, struct amd_wave *w, const struct amd_operand *o,
                      uint64_t value);
// Returns register `k` of a vector or scalar operand for a lane. For a number: its low word, or the
// high word if k is not 0.
uint32_t amd_word(struct amd_machine *m, struct amd_wave *w, const struct amd_operand *o,
                  uint32_t k, uint32_t lane);
// Records the use of a register while a load into it is in flight.
void amd_use(struct amd_machine *m, struct amd_wave *w, const struct amd_operand *o);
// After a write of a register in some lanes: copies it to the other half of the wave if the
// register is shared.
void amd_mirror(struct amd_machine *m, struct amd_wave *w, uint32_t reg, uint64_t lanes);
// Begins a load or store; amd_began sets its registers to random values until it completes.
struct amd_pending *amd_begin(struct amd_machine *m, struct amd_wave *w, enum amd_counter counter);
void amd_began(struct amd_machine *m, struct amd_wave *w, struct amd_pending *p);
void amd_wait(struct amd_machine *m, struct amd_wave *w, enum amd_counter counter, int left);

// Origins of values (origin.c), only if m->watch is set. amd_origin_note: before each instruction.
// amd_origin_access: a lane's access to word `k` of an operand, at p (NULL: out of bounds).
void amd_origin_begin(struct amd_machine *m);
void amd_origin_group(struct amd_machine *m);
void amd_origin_note(struct amd_machine *m, struct amd_wave *w, const struct amd_inst *in);
void amd_origin_access(struct amd_machine *m, struct amd_wave *w, const struct amd_inst *in,
                       const struct amd_operand *data, uint32_t k, uint32_t lane, const uint8_t *p);

// Each executes one instruction; false with m->out filled.
bool amd_vector(struct amd_machine *m, struct amd_wave *w, const struct amd_inst *in);
bool amd_vector_pair(struct amd_machine *m, struct amd_wave *w, const struct amd_inst *in);
bool amd_lanes(struct amd_machine *m, struct amd_wave *w, const struct amd_inst *in);
bool amd_memory(struct amd_machine *m, struct amd_wave *w, const struct amd_inst *in);
bool amd_lds(struct amd_machine *m, struct amd_wave *w, const struct amd_inst *in);
// Finds the lane that DPP reads for `lane`; false if there is none.
bool amd_dpp_lane(const struct amd_inst *in, uint32_t wave, uint32_t lane, uint32_t *from);

static inline uint8_t *amd_at(const struct amd_machine *m, uint64_t address, uint32_t bytes,
                              bool write)
{
    return isa_at(&m->memory, isa_address(address), bytes, write);
}
// Places buffers, descriptors and push constants in memory. Always true.
bool amd_place(struct amd_machine *m);
// The same for LLVM's assembly, and the initial state of a wave there (llvm.c).
bool amd_image_place(struct amd_machine *m);
void amd_image_give(struct amd_machine *m, struct amd_wave *w, uint32_t index);
// Sets the initial registers of wave `index` of the current workgroup (abi.c).
bool amd_arguments_give(struct amd_machine *m, struct amd_wave *w, uint32_t index);

#endif
