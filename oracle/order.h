// SPDX-License-Identifier: Apache-2.0
//
// Which access happens before which, and what of it may be seen: the part of the Vulkan memory
// model that a compute dispatch can rely on (docs/undefined.md, "Order"; SPIR-V "Memory Model",
// Vulkan appendix "Memory Model").
//
// Order between invocations comes from control barriers with a release before (or in) them and an
// acquire after (or in) them. Nothing comes from atomics: the result of one is not known, so no
// program can be sure of what it has read. Storage is of three classes that fences name apart. All
// invocations of a workgroup pass its barriers together, so they cut its run into *phases*; a
// barrier of subgroup scope does the same for a subgroup that reaches it whole.
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

// What is said of an access (inst.order), and of a barrier or fence.
enum {
    ORDER_NON_PRIVATE = 1, // takes part in order between invocations
    ORDER_AVAILABLE = 2,
    ORDER_VISIBLE = 8, // << level: the access does so by itself; of a
                       // fence: what it orders
    ORDER_RELEASE = 32,
    ORDER_ACQUIRE = 64, // of fences, the rest too
    ORDER_OF_SHARED = 128,
    ORDER_OF_BUFFER = 256, // << class: storage that it names
    ORDER_OF_IMAGE = 512,
    ORDER_IN_SUBGROUP = 1024,
    ORDER_IN_WORKGROUP = 2048,     // << level: its scope, or one wider
    ORDER_SUBGROUP_BARRIER = 4096, // its execution scope
};

// Who made an access, and when.
struct stamp {
    uint32_t who;      // linear global invocation + 1; 0: nobody; SEVERAL, ANYONE
    uint32_t group;    // workgroup, where it is not ANYONE
    uint32_t subgroup; // NONE: of several
    uint32_t phase[ORDER_LEVELS];
    uint16_t order; // of the access
};
#define SEVERAL (UINT32_MAX - 1) // of one workgroup
#define ANYONE  UINT32_MAX       // of several workgroups

// A word (or byte, or cell) of memory that invocations share, and who touched it.
struct race {
    struct stamp writer, reader, atomic;
    // How atomically: since a barrier of the level ordered it, in the whole dispatch.
    uint16_t kinds[ORDER_LEVELS], kinds_ever;
    uint16_t several; // what others did before those above
};
// Read, written, by a write that is available to its subgroup alone.
enum { RACE_READ = 1, RACE_WRITTEN = 2, RACE_WRITTEN_NEAR = 4 };
// Classes of atomics that commute with their own kind.
enum {
    ATOMIC_ADD = 1,
    ATOMIC_AND = 2,
    ATOMIC_OR = 4,
    ATOMIC_XOR = 8,
    ATOMIC_SMIN = 16,
    ATOMIC_UMIN = 32,
    ATOMIC_SMAX = 64,
    ATOMIC_UMAX = 128,
    ATOMIC_ORDERED = 256, // stores and exchanges: not even with themselves
    ATOMIC_KINDS = 511,
    ATOMIC_IN_GROUP = 1024, // scope Workgroup: races with other workgroups
    ATOMIC_SHORT = 2048,    // writes up to 32 bits
    ATOMIC_LONG = 4096,     // 64 bits
    ATOMIC_SIZES = ATOMIC_SHORT | ATOMIC_LONG,
};

// Accesses in phases below these come before what an invocation does now; their writes are
// available; and are visible to it; and are visible where each makes itself available.
struct order_seen {
    uint32_t before, available, visible, visible_itself;
};
// What the last barrier told those who acquire after it.
struct order_told {
    uint32_t before, available;
};
// Of one subgroup.
struct order {
    uint32_t phase; // subgroup barriers passed, those of the workgroup too
    struct order_told told[ORDER_CLASSES];
    struct order_seen *seen; // [level][class][lane]
    // Lanes with accesses that no release of theirs came after; with writes that none made
    // available.
    lane_mask unreleased[ORDER_LEVELS][ORDER_CLASSES], unavailable[ORDER_LEVELS][ORDER_CLASSES];
};

struct machine;
struct workgroup;
// For a fresh workgroup.
void order_start(struct machine *m);
// An OpMemoryBarrier by the active lanes; the subgroup's barrier by a tangle.
void order_fence(struct machine *m, const struct inst *i);
void order_subgroup_barrier(struct machine *m, const struct inst *i, bool promised);
// The control barrier that all subgroups of the workgroup stand at.
void order_workgroup_barrier(struct workgroup *g, const struct inst *i);
// Lanes made an access of class c.
void order_note(struct machine *m, const struct inst *i, enum order_class c, lane_mask lanes,
                bool writes);

// Records an access of `lane`; false when it races.
bool race_read(const struct machine *m, struct race *r, uint32_t lane, const struct inst *i);
bool race_write(const struct machine *m, struct race *r, uint32_t lane, const struct inst *i);
// `clash`: what the word holds depends on an order that nothing tells.
bool race_atomic(const struct machine *m, struct race *r, uint32_t lane, const struct inst *i,
                 uint16_t kind, bool *clash);

// Whom an access has raced that one of these three refused: the writer, who made an atomic, the
// reader; NULL: nobody else is known there.
const struct stamp *race_whom(const struct machine *m, const struct race *r, uint32_t lane,
                              const struct inst *i);

// Nobody but `me` has been there, so that nothing can race.
static inline bool race_alone(const struct race *r, uint32_t me)
{
    return (!r->writer.who || r->writer.who == me) && (!r->reader.who || r->reader.who == me) &&
           (!r->atomic.who || r->atomic.who == me) && !r->several;
}

// The order of an access that takes the place of one of the same invocation: private once is
// private.
static inline uint16_t race_order(const struct stamp *was, uint32_t me, uint16_t order)
{
    return was->who == me ? order & (was->order | (uint16_t)~ORDER_NON_PRIVATE) : order;
}

#endif
