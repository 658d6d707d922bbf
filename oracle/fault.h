// SPDX-License-Identifier: Apache-2.0
//
// Where the mask machine asks whether one of its rules is to be broken (enum orc_fault). Without a
// fault, which is always but for selftest/mutants/, each of these is one comparison and does
// nothing.
#ifndef TF_ORACLE_FAULT_H
#define TF_ORACLE_FAULT_H

#include "machine.h"

// fault.c: what the functions below ask.
bool fault_joins_not(const struct machine *m, const struct frame *f, uint32_t target);
void fault_iterations_end(struct frame *f);
void fault_part_after_call(struct machine *m, lane_mask first);
bool fault_group(struct machine *m, const struct inst *i); // group_run, made wrong
bool fault_run_as(struct machine *m, const struct inst *i, lane_mask with, lane_mask to);
// fault_quad.c: a quad operation or derivative that has given its result gives another.
void fault_quad(const struct machine *m, const struct inst *i);
// fault_value.c: values and ways.
bool fault_execute(struct machine *m, const struct inst *i); // machine_execute, made wrong
bool fault_alike(struct machine *m, const struct inst *i, lane_mask others);
bool fault_group_value(struct machine *m, const struct inst *i, bool *done);
void fault_made(const struct machine *m,
                const struct inst *i); // a group operation's result is there
void fault_enters(const struct machine *m);

static inline bool fault_any(const struct machine *m)
{
    return m->group->run->o.fault != ORC_FAULT_NONE;
}
static inline bool fault_is(const struct machine *m, enum orc_fault fault)
{
    return m->group->run->o.fault == fault;
}

// Does a part pass by this construct's merge block or continue target? It then goes on alone, up
// to a place where an outer construct takes it.
static inline bool fault_passes_by(const struct machine *m, const struct frame *f, uint32_t target)
{
    return fault_any(m) && fault_joins_not(m, f, target);
}

// Is the fault in the block of this index?
static inline bool fault_in_block(const struct machine *m, uint32_t block)
{
    const uint32_t at = m->group->run->o.fault_at;
    return !at || at == m->p->blocks[block].label;
}
static inline bool fault_in_value(const struct machine *m, const struct inst *i)
{
    const uint32_t at = m->group->run->o.fault_at;
    return !at || at == m->p->m.insts[i->spv].result;
}

// The tangle is about to leave its block by a branch or a switch: whose condition counts?
static inline bool fault_follows_first(const struct machine *m)
{
    return fault_is(m, ORC_FAULT_FIRST_LANES_WAY) && fault_in_block(m, m->block);
}

// The parts of an iteration have run: whoever would start the next one leaves the loop, too.
static inline void fault_ends_loop(const struct machine *m, struct frame *f)
{
    if (fault_is(m, ORC_FAULT_LOOP_ENDS_WITH_FIRST) && fault_in_block(m, f->block))
        fault_iterations_end(f);
}

// The current tangle returns from the call `f`, and goes on after it: only the first part to
// return, and the others for themselves.
static inline void fault_returns(const struct machine *m, struct frame *f)
{
    if (fault_is(m, ORC_FAULT_SPLIT_AFTER_CALL) && !f->call.returned.parts)
        f->call.first = m->v.active;
}
static inline void fault_splits_after_call(struct machine *m, const struct frame *f)
{
    if (fault_is(m, ORC_FAULT_SPLIT_AFTER_CALL))
        fault_part_after_call(m, f->call.first);
}

#endif
