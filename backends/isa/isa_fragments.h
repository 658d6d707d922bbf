// SPDX-License-Identifier: Apache-2.0
//
// Execution of unstructured code, as on NVIDIA's GPUs. Lanes of a warp that are at the same
// instruction together form a fragment. A branch splits a fragment. Lanes that wait at a barrier
// continue when all lanes of that barrier have arrived or ended; those that continue at the same
// instruction then form one fragment. Nothing else joins fragments. The order in which fragments
// run is not guaranteed: a schedule chooses it (nak/README.md lists the sources). A warp has at
// most 64 lanes, one bit each.
#ifndef TF_ISA_FRAGMENTS_H
#define TF_ISA_FRAGMENTS_H

#include "isa.h"

struct isa_fragment {
    uint32_t at;
    uint64_t lanes;
    bool at_group; // waits at the workgroup barrier
};

// The fragments of one warp. Empty fragments are removed before the next one is picked.
struct isa_fragments {
    struct isa_fragment *v;
    uint32_t n, most, current;
    uint64_t live, ended;
    uint64_t waiting; // lanes at a barrier, with the barrier and the continuation of each below
    uint32_t *wait_for, *wait_at;
};

enum isa_order { ISA_DEPTH_FIRST, ISA_BREADTH_FIRST, ISA_RANDOM };
enum { ISA_SCHEDULES = 4 }; // schedules that a case is run under; the last one is random

struct isa_schedule {
    struct arena *a;
    enum isa_order order;
    struct rng chance;            // source of the random choices
    bool choice;                  // some choice was possible
    uint32_t line;                // current line, for messages; 0: none
    VEC(uint64_t) barrier, named; // lanes that must arrive at each barrier
};

struct isa_schedule isa_schedule(struct arena *a, const struct isa_options *o, uint32_t which);
// Starts a workgroup: clears all barriers.
void isa_schedule_begin(struct isa_schedule *q);
// Allocates the fragments of `waves` warps of `lanes` lanes.
struct isa_fragments *isa_fragments_new(struct arena *a, uint32_t waves, uint32_t lanes);
// Starts a warp at instruction 0.
void isa_fragments_begin(struct isa_fragments *s, uint64_t lanes);

// The next four act on lanes of the current fragment. This one splits them off to `at`.
void isa_fragments_split(struct isa_schedule *q, struct isa_fragments *s, uint64_t lanes,
                         uint32_t at);
void isa_fragments_end(struct isa_schedule *q, struct isa_fragments *s, uint64_t lanes);
// They wait at the workgroup barrier.
void isa_fragments_group(struct isa_fragments *s, uint64_t lanes);
// They wait at the barriers in wait_for and continue at `at`.
void isa_fragments_wait(struct isa_schedule *q, struct isa_fragments *s, uint64_t lanes,
                        uint32_t at);

// Creates a barrier and returns its number. `named`: identified by its lanes (warpsync), without a
// number in the code.
uint32_t isa_barrier_new(struct isa_schedule *q, uint64_t lanes, bool named);
enum { ISA_BARRIER_NAMED = 1 << 30 }; // set in the number of a named barrier
uint64_t *isa_barrier(struct isa_schedule *q, uint32_t id);
// Is `id`, which may be any number, the number of a barrier that is not named?
bool isa_barrier_known(const struct isa_schedule *q, uint64_t id);
// Releases the barriers at which all lanes have arrived. Lanes of one barrier that continue at the
// same instruction form one fragment.
void isa_fragments_release(struct isa_schedule *q, struct isa_fragments *s);

// Runs the warps of a workgroup to their end; `step` executes one instruction of a warp's current
// fragment. False if a step failed, or with *out filled (RAN_STUCK) if all lanes wait for others.
typedef bool isa_step_fn(void *machine, uint32_t wave);
bool isa_fragments_run(struct isa_schedule *q, void *machine, struct isa_fragments *wave,
                       uint32_t waves, isa_step_fn *step, struct isa_result *out);

// Runs schedule `which` into *out, which is {0}. Returns whether there was any choice.
typedef bool isa_schedule_fn(struct arena *a, const struct isa_code *code, const struct spv_case *c,
                             const struct isa_options *o, uint32_t which, struct isa_result *out);
// Runs schedule 0 and, if it had a choice, the others. The first schedule that fails decides the
// status. Otherwise *out holds the memory of schedule 0, and out->other the memories that differ
// from it.
void isa_schedules(struct arena *a, const struct isa_code *code, const struct spv_case *c,
                   const struct isa_options *o, isa_schedule_fn *run, struct isa_result *out);

#endif
