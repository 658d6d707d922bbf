// SPDX-License-Identifier: Apache-2.0
//
// The state of a run: the invocations of one subgroup. Private to backends/llir/.
#ifndef TF_LLIR_MACHINE_H
#define TF_LLIR_MACHINE_H

#include "llir_module.h"

enum { LLIR_DEPTH = 66 };

// A dynamic instance of a token. Two invocations hold the same instance exactly if they executed
// its definition together (L3).
struct llir_instance {
    uint32_t what;   // heart: its token; entry: llir_module.tokens + the call; main: LLIR_NONE
    uint32_t parent; // instance of the parent token
    uint32_t n;      // heart: the n-th execution with that parent, from 1
};

struct llir_frame {
    uint32_t call;  // the call instruction; LLIR_NONE: main
    uint32_t entry; // instance of the function's entry token; LLIR_NONE: no such token
};

struct llir_lane {
    uint32_t number; // index in its subgroup
    uint32_t global[3], local[3], local_index;
    bool waits, ended;
    uint32_t at;       // current instruction; a waiting lane has not executed it yet
    uint32_t instance; // while waiting: instance of the operation's token
    uint64_t steps;
    uint32_t depth; // index of the innermost frame
    struct llir_frame frame[LLIR_DEPTH];
    uint64_t *v;                          // values of cells, without the constants
    uint8_t *poison;                      // enum llir_lack of each cell
    uint32_t *token;                      // [token] current instance, LLIR_NONE: none
    uint32_t *heart_parent, *heart_count; // [token] last parent instance, and executions with it
    uint8_t *bytes;                       // contents of objects
    bool *bad;                            // bytes of objects that are undefined
};

struct llir_buffer {
    uint32_t size; // bytes
    uint8_t *bytes;
    bool *bad;
};

// Blocks reachable from the end of block `from` without executing the token's definition.
struct llir_path {
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
    uint32_t subgroup, subgroups, index; // lanes of one, number per workgroup, the current one
    struct llir_lane *lane;
    uint32_t lanes;   // of the current subgroup
    uint32_t *offset; // [object] its offset in llir_lane.bytes
    uint32_t bytes;
    struct llir_buffer *buffer;
    uint64_t *phi; // temporary values of a block's phis
    uint8_t *phi_poison;
    // Instances of the current subgroup.
    struct {
        struct llir_instance *v;
        size_t n, cap;
    } instance;
    uint32_t *found; // hash table: index + 1
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

// All return false with out->status and text if the run must stop.

// llir_value.c: executes an instruction without control flow, memory or other invocations.
bool llir_compute(struct llir_machine *x, struct llir_lane *l, const struct llir_inst *i);
bool llir_intrinsic(struct llir_machine *x, struct llir_lane *l, const struct llir_inst *i);
// llir_memory.c
bool llir_memory(struct llir_machine *x, struct llir_lane *l, const struct llir_inst *i);
void llir_memory_start(struct llir_machine *x, struct llir_lane *l);
// llir_group.c: executes a group operation for the lanes of `group`.
bool llir_group(struct llir_machine *x, lane_mask group, const struct llir_inst *i);
// llir_token.c
void llir_token_start(struct llir_machine *x);
uint32_t llir_token_instance(struct llir_machine *x, uint32_t what, uint32_t parent, uint32_t n);
// Executes a heart for a lane and returns its instance.
uint32_t llir_token_heart(struct llir_machine *x, struct llir_lane *l, const struct llir_inst *i);
// Could `l`, which waits, still reach the operation that `other` waits at, with the same instance
// of its token?
bool llir_token_may_come(struct llir_machine *x, const struct llir_lane *l,
                         const struct llir_lane *other);

// Stops the run with RAN_UNDEFINED; the message names `what`, the instruction and the invocation.
bool llir_undefined(struct llir_machine *x, const struct llir_lane *l, const char *what);

#endif
