// SPDX-License-Identifier: Apache-2.0
//
// Code that is not structured, as NVIDIA's: lanes of a wave that stand at one instruction together
// are a strand. A branch splits a strand. Lanes that wait at a barrier continue when all lanes of
// the barrier have come or ended; those at one place are then one strand. Nothing else joins. Which
// strand runs next is not promised: the schedule chooses (nak/README.md has the sources). Waves
// have at most 64 lanes, a bit of a word each.
#ifndef TF_ISA_STRANDS_H
#define TF_ISA_STRANDS_H

#include "isa.h"

struct isa_strand {
    uint32_t at;
    uint64_t lanes;
    bool at_group; // waits at the workgroup's barrier
};

// Of one wave. A strand without lanes is removed before the next is picked.
struct isa_strands {
    struct isa_strand *v;
    uint32_t n, most, current;
    uint64_t live, ended;
    uint64_t waiting; // lanes at a barrier: which one, and where they continue
    uint32_t *wait_for, *wait_at;
};

enum isa_order { ISA_DEPTH_FIRST, ISA_BREADTH_FIRST, ISA_RANDOM };
enum { ISA_SCHEDULES = 4 }; // that a case is run by: the last of them at random

struct isa_schedule {
    struct arena *a;
    enum isa_order order;
    struct rng chance;            // what it draws
    bool choice;                  // it had one
    uint32_t line;                // at work, for a message; 0: none
    VEC(uint64_t) barrier, named; // lanes that have to come
};

struct isa_schedule isa_schedule(struct arena *a, const struct isa_options *o, uint32_t which);
// A workgroup begins: no barrier is left.
void isa_schedule_begin(struct isa_schedule *q);
// For so many waves of `lanes` lanes.
struct isa_strands *isa_strands_new(struct arena *a, uint32_t waves, uint32_t lanes);
// A wave begins at instruction 0.
void isa_strands_begin(struct isa_strands *s, uint64_t lanes);

// Each is about lanes of the current strand.
void isa_strands_part(struct isa_schedule *q, struct isa_strands *s, uint64_t lanes, uint32_t at);
void isa_strands_end(struct isa_schedule *q, struct isa_strands *s, uint64_t lanes);
// The workgroup's barrier.
void isa_strands_group(struct isa_strands *s, uint64_t lanes);
// At the barriers of wait_for; they continue at `at`.
void isa_strands_wait(struct isa_schedule *q, struct isa_strands *s, uint64_t lanes, uint32_t at);

// A new barrier's number. `named`: by its lanes (warpsync); the code holds no number of it.
uint32_t isa_barrier_new(struct isa_schedule *q, uint64_t lanes, bool named);
enum { ISA_BARRIER_NAMED = 1 << 30 }; // a bit of such a number
uint64_t *isa_barrier(struct isa_schedule *q, uint32_t id);
// Is it the number of a barrier that is not named? Any number.
bool isa_barrier_known(const struct isa_schedule *q, uint64_t id);
// Lanes of barriers that have all come continue, those of one barrier and place together.
void isa_strands_release(struct isa_schedule *q, struct isa_strands *s);

// Runs a workgroup's waves to their end, `step` one instruction of a wave's current strand. False
// where a step failed, or with *out filled (ISA_STUCK) where all wait for others.
typedef bool isa_step_fn(void *machine, uint32_t wave);
bool isa_strands_run(struct isa_schedule *q, void *machine, struct isa_strands *wave,
                     uint32_t waves, isa_step_fn *step, struct isa_result *out);

// One run by schedule `which`, into *out, which is {0}. Returns whether there was any choice.
typedef bool isa_schedule_fn(struct arena *a, const struct isa_code *code, const struct spv_case *c,
                             const struct isa_options *o, uint32_t which, struct isa_result *out);
// Runs schedule 0 and, where there is a choice, the others. The first that could not end decides
// the status; else the first one's memory is *out, and out->other has those that are not like it.
void isa_schedules(struct arena *a, const struct isa_code *code, const struct spv_case *c,
                   const struct isa_options *o, isa_schedule_fn *run, struct isa_result *out);

#endif
