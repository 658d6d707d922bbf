// SPDX-License-Identifier: Apache-2.0
//
// The happens-before order of memory accesses, and which writes are visible: the subset of the
// Vulkan memory model that a compute dispatch can rely on (docs/rules.md, "Order"; Vulkan,
// appendix "Memory Model"; SPIR-V 2.18.2 leaves it to the client API).
//
// Only control barriers order invocations, with a release before (or in) them and an acquire after
// (or in) them. Atomics never do: their results are undefined, so no program can know which value
// it has read. Fences distinguish three storage classes. All invocations of a workgroup pass its
// barriers together, so barriers divide its run into *phases*. A barrier of subgroup scope does the
// same for a subgroup if all of it arrives.
#ifndef TF_ORACLE_ORDER_H
#define TF_ORACLE_ORDER_H

#include "program.h"

enum order_level { ORDER_SUBGROUP, ORDER_WORKGROUP, ORDER_LEVELS };
enum order_class {
    ORDER_SHARED,
    ORDER_BUFFER,
    ORDER_IMAGE,
    ORDER_CLASSES
}; // Workgroup; StorageBuffer, Uniform; images

// Flags of an access (inst.order), or of a barrier or fence.
enum {
    ORDER_NON_PRIVATE = 1, // takes part in the order between invocations
    ORDER_AVAILABLE = 2,
    ORDER_VISIBLE =
        8, // << level: the access does so by itself; a fence: for the accesses that it orders
    ORDER_RELEASE = 32,
    ORDER_ACQUIRE = 64, // of fences, like the following flags
    ORDER_OF_SHARED = 128,
    ORDER_OF_BUFFER = 256, // << class: storage classes of the semantics
    ORDER_OF_IMAGE = 512,
    ORDER_IN_SUBGROUP = 1024,
    ORDER_IN_WORKGROUP = 2048,     // << level: its scope, or a wider one
    ORDER_SUBGROUP_BARRIER = 4096, // its execution scope
};

// The invocation that made an access, and the phase.
struct stamp {
    uint32_t invocation; // linear global invocation + 1; 0: no access yet; SEVERAL, ANYONE
    uint32_t group;      // workgroup; not valid for ANYONE
    uint32_t subgroup;   // NONE: several subgroups
    uint32_t phase[ORDER_LEVELS];
    uint16_t order; // flags of the access
};
#define SEVERAL (UINT32_MAX - 1) // several invocations of one workgroup
#define ANYONE  UINT32_MAX       // invocations of several workgroups

// The last accesses of a word (or byte, or cell) of shared memory.
struct race {
    struct stamp writer, reader, atomic;
    struct stamp equal; // stores of the value that was there, in a run that forgives them (raced.c)
    // Classes of the atomics: since the last barrier of the level that ordered them; in the
    // dispatch.
    uint16_t kinds[ORDER_LEVELS], kinds_ever;
    uint16_t several; // accesses of other invocations before those above, RACE_*
};
// Read; written; written, and available in the writer's subgroup only.
enum { RACE_READ = 1, RACE_WRITTEN = 2, RACE_WRITTEN_NEAR = 4 };
// Classes of atomics that commute with each other.
enum {
    ATOMIC_ADD = 1,
    ATOMIC_AND = 2,
    ATOMIC_OR = 4,
    ATOMIC_XOR = 8,
    ATOMIC_SMIN = 16,
    ATOMIC_UMIN = 32,
    ATOMIC_SMAX = 64,
    ATOMIC_UMAX = 128,
    ATOMIC_ORDERED = 256, // stores and exchanges: do not commute even with themselves
    ATOMIC_KINDS = 511,
    ATOMIC_IN_GROUP = 1024, // scope Workgroup: races with atomics of other workgroups
    ATOMIC_SHORT = 2048,    // writes at most 32 bits
    ATOMIC_LONG = 4096,     // 64 bits
    ATOMIC_SIZES = ATOMIC_SHORT | ATOMIC_LONG,
};

// The phases that an invocation has synchronized with. Accesses of phases below `before` happen
// before its current access; writes below `available` are available; below `visible` they are
// visible to it; below `visible_itself` they are visible if the write makes itself available.
struct order_seen {
    uint32_t before, available, visible, visible_itself;
};
// What the last barrier releases to invocations that acquire after it.
struct order_released {
    uint32_t before, available;
};
// The state of one subgroup.
struct order {
    uint32_t phase; // number of subgroup barriers passed, including those of the workgroup
    struct order_released released[ORDER_CLASSES];
    struct order_seen *seen; // [level][class][lane]
    // Lanes with accesses that they have not released; lanes with writes that they have not made
    // available.
    lane_mask unreleased[ORDER_LEVELS][ORDER_CLASSES], unavailable[ORDER_LEVELS][ORDER_CLASSES];
};

struct machine;
struct workgroup;
// Resets the state for a new workgroup.
void order_start(struct machine *m);
// Executes an OpMemoryBarrier for the active lanes; a barrier of subgroup scope for a tangle.
void order_fence(struct machine *m, const struct inst *i);
void order_subgroup_barrier(struct machine *m, const struct inst *i, bool promised);
// Executes the control barrier at which all subgroups of the workgroup wait.
void order_workgroup_barrier(struct workgroup *g, const struct inst *i);
// Records an access of class c by the lanes.
void order_note(struct machine *m, const struct inst *i, enum order_class c, lane_mask lanes,
                bool writes);

// Record an access of `lane`. False if it is a data race.
bool race_read(const struct machine *m, struct race *r, uint32_t lane, const struct inst *i);
bool race_write(const struct machine *m, struct race *r, uint32_t lane, const struct inst *i);
// Sets `clash` if the word's value depends on an unspecified order.
bool race_atomic(const struct machine *m, struct race *r, uint32_t lane, const struct inst *i,
                 uint16_t kind, bool *clash);

// For runs with orc_options.forgive (raced.c). race_ordered: the access of the stamp does not race
// with the current one. race_equal records a store that leaves the value as it is.
// race_read_anyway records a read. race_write_over_reads records a write that may race with reads,
// but not with writes; false: it races with a write or an atomic.
bool race_ordered(const struct machine *m, const struct stamp *s, uint32_t lane,
                  const struct inst *i);
void race_equal(const struct machine *m, struct race *r, uint32_t lane, const struct inst *i);
void race_read_anyway(const struct machine *m, struct race *r, uint32_t lane, const struct inst *i);
bool race_write_over_reads(const struct machine *m, struct race *r, uint32_t lane,
                           const struct inst *i);

// Returns the access with which an access races that one of the functions above rejected: the
// writer, an atomic or the reader. NULL if unknown.
const struct stamp *race_other(const struct machine *m, const struct race *r, uint32_t lane,
                               const struct inst *i);

// True if only invocation `me` has accessed the word, so that a race is impossible.
static inline bool race_alone(const struct race *r, uint32_t me)
{
    return (!r->writer.invocation || r->writer.invocation == me) &&
           (!r->reader.invocation || r->reader.invocation == me) &&
           (!r->atomic.invocation || r->atomic.invocation == me) &&
           (!r->equal.invocation || r->equal.invocation == me) && !r->several;
}

// Returns the flags of an access that replaces one of the same invocation. If either access was
// private, the result is private.
static inline uint16_t race_order(const struct stamp *was, uint32_t me, uint16_t order)
{
    return was->invocation == me ? order & (was->order | (uint16_t)~ORDER_NON_PRIVATE) : order;
}

#endif
