// SPDX-License-Identifier: Apache-2.0
//
// The state of a run: the invocations of one subgroup. Private to backends/llir/.
#ifndef TF_LLIR_MACHINE_H
#define TF_LLIR_MACHINE_H

#include "llir_module.h"

enum { LLIR_DEPTH = 66 };

// A dynamic instance of a token. Two invocations hold the same one exactly if they executed its
// definition together (L3).
struct llir_instance {
    uint32_t
        what; // of a heart: its token; of an entry: llir_module.tokens + the call; main: LLIR_NONE
    uint32_t parent; // instance
    uint32_t n;      // of a heart: the n-th time with that parent, from 1
};

struct llir_frame {
    uint32_t call;  // instruction; LLIR_NONE: main
    uint32_t entry; // instance that the function's entry gives, LLIR_NONE where it has none
};

struct llir_lane {
    uint32_t number; // in its subgroup
    uint32_t global[3], local[3], local_index;
    bool waits, ended;
    uint32_t at;       // instruction; one that it waits at has not been run
    uint32_t instance; // waits: of the operation's token
    uint64_t steps;
    uint32_t depth; // frames: 0 .. depth
    struct llir_frame frame[LLIR_DEPTH];
    uint64_t *v;                          // cells, less the constants'
    uint8_t *poison;                      // enum llir_lack
    uint32_t *token;                      // [token] instance at hand, LLIR_NONE
    uint32_t *heart_parent, *heart_count; // [token] executions so far with that parent
    uint8_t *bytes;                       // objects
    bool *bad;                            // their bytes without a value
};

struct llir_buffer {
    uint32_t size; // bytes
    uint8_t *bytes;
    bool *bad;
};

struct llir_path { // blocks that can be entered from the end of one, never through a token's maker
    uint32_t from, token;
    uint64_t *blocks; // bits
    struct llir_path *next;
};

struct llir_machine {
    const struct llir_module *m;
    const struct spv_case *c;
    const struct llir_options *o;
    struct llir_result *out;
    struct arena *arena;
    uint32_t size[3], group[3];
    uint32_t subgroup, subgroups, index; // lanes of one, of a workgroup, the one at hand
    struct llir_lane *lane;
    uint32_t lanes;   // of the subgroup at hand
    uint32_t *offset; // [object] in a lane's bytes
    uint32_t bytes;
    struct llir_buffer *buffer;
    uint64_t *phi; // values of a block's phis, while they are read
    uint8_t *phi_poison;
    // Instances of the subgroup at hand.
    struct {
        struct llir_instance *v;
        size_t n, cap;
    } instance;
    uint32_t *found; // by hash: index + 1
    uint32_t found_room;
    struct llir_path **path; // [block]
};

static inline uint64_t llir_value(const struct llir_machine *x, const struct llir_lane *l,
                                  uint32_t cell)
{
    return cell < x->m->const_cells ? x->m->const_value[cell] : l->v[cell - x->m->const_cells];
}
static inline enum llir_lack llir_poison(const struct llir_machine *x, const struct llir_lane *l,
                                         uint32_t cell)
{
    return (enum llir_lack)(cell < x->m->const_cells ? x->m->const_poison[cell]
                                                     : l->poison[cell - x->m->const_cells]);
}
static inline void llir_set(const struct llir_machine *x, struct llir_lane *l, uint32_t cell,
                            uint64_t v, unsigned lack)
{
    l->v[cell - x->m->const_cells] = v;
    l->poison[cell - x->m->const_cells] = (uint8_t)lack;
}

// All false with out->status and text, when the run has come to its end.

// llir_value.c: an instruction without control flow, memory or other invocations.
bool llir_compute(struct llir_machine *x, struct llir_lane *l, const struct llir_inst *i);
bool llir_intrinsic(struct llir_machine *x, struct llir_lane *l, const struct llir_inst *i);
// llir_memory.c
bool llir_memory(struct llir_machine *x, struct llir_lane *l, const struct llir_inst *i);
void llir_memory_start(struct llir_machine *x, struct llir_lane *l);
// llir_group.c: a group operation, for the lanes that execute it together.
bool llir_group(struct llir_machine *x, lane_mask group, const struct llir_inst *i);
// llir_token.c
void llir_token_start(struct llir_machine *x);
uint32_t llir_token_instance(struct llir_machine *x, uint32_t what, uint32_t parent, uint32_t n);
// The instance that a lane gets of a heart, which it executes now.
uint32_t llir_token_heart(struct llir_machine *x, struct llir_lane *l, const struct llir_inst *i);
// May `l`, which waits, come to what `other` waits at, in the same instance of its token?
bool llir_token_may_come(struct llir_machine *x, const struct llir_lane *l,
                         const struct llir_lane *other);

// "%12, lane 3": where something happened, for messages.
bool llir_undefined(struct llir_machine *x, const struct llir_lane *l, const char *what);

#endif
