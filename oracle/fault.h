// SPDX-License-Identifier: Apache-2.0
//
// The places at which the mask machine may break one of its rules (enum orc_fault). Without an
// injected fault, which is always the case outside selftest/mutants/ and triage/diagnose/, each
// function is one comparison and does nothing.
#ifndef TF_ORACLE_FAULT_H
#define TF_ORACLE_FAULT_H

#include "machine.h"

// fault.c: called by the functions below and by flow.c.
bool fault_joins_not(const struct machine *m, const struct frame *f, uint32_t target);
void fault_iterations_end(struct frame *f);
void fault_part_after_call(struct machine *m, lane_mask first);
bool fault_group(struct machine *m, const struct inst *i); // group_run with the fault
bool fault_run_as(struct machine *m, const struct inst *i, lane_mask with, lane_mask to);
// fault_exits.c: `lanes` go from block `from` to `target`, under the lowest `depth` frames. True:
// they leave a natural loop, and wait until the loop has ended.
bool fault_waits_outside(struct machine *m, uint32_t depth, uint32_t from, uint32_t target,
                         lane_mask lanes);
// The loop on top of the stack has ended: continues what waits outside. False: nothing does.
bool fault_continues_outside(struct machine *m);
// fault_quad.c: replaces the result of a quad operation or derivative.
void fault_quad(const struct machine *m, const struct inst *i);
// fault_half.c: runs an operation that does not read the upper half of the subgroup. *done: it did.
bool fault_half(struct machine *m, const struct inst *i, bool *done);
// fault_words.c: runs an operation on the two words of 64-bit integers. *done: it did.
bool fault_words(struct machine *m, const struct inst *i, bool *done);
// fault_inline.c: before a select, LogicalAnd or LogicalOr: evaluates its operands again.
bool fault_inline(struct machine *m, const struct inst *i);
// fault_value.c: faults of values and paths.
bool fault_execute(struct machine *m, const struct inst *i); // machine_execute with the fault
bool fault_same_operand(struct machine *m, const struct inst *i, lane_mask others);
bool fault_group_value(struct machine *m, const struct inst *i, bool *done);
void fault_made(const struct machine *m, const struct inst *i); // after a group operation
void fault_enters(const struct machine *m);

static inline bool fault_any(const struct machine *m)
{
    return m->group->run->o.fault != ORC_FAULT_NONE;
}
static inline bool fault_is(const struct machine *m, enum orc_fault fault)
{
    return m->group->run->o.fault == fault;
}

// Lanes go to `target`. True: they wait outside of a loop.
static inline bool fault_goes_outside(struct machine *m, uint32_t from, uint32_t target,
                                      lane_mask lanes)
{
    return fault_is(m, ORC_FAULT_LOOP_EXITS_MEET) &&
           fault_waits_outside(m, m->depth, from, target, lanes);
}
static inline bool fault_leaves_loop(struct machine *m)
{
    return fault_is(m, ORC_FAULT_LOOP_EXITS_MEET) && fault_continues_outside(m);
}

// True if a part ignores this construct's merge block or continue target. It continues alone, up to
// a place where an outer construct joins it.
static inline bool fault_passes_by(const struct machine *m, const struct frame *f, uint32_t target)
{
    return fault_any(m) && fault_joins_not(m, f, target);
}

// True if the fault applies to the block with this index.
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

// The current tangle leaves its block by a branch or a switch. True if all lanes follow the first
// one.
static inline bool fault_follows_first(const struct machine *m)
{
    return fault_is(m, ORC_FAULT_FIRST_LANES_WAY) && fault_in_block(m, m->block);
}

// All parts of an iteration have run: the lanes that would start the next one leave the loop too.
static inline void fault_ends_loop(const struct machine *m, struct frame *f)
{
    if (fault_is(m, ORC_FAULT_LOOP_ENDS_WITH_FIRST) && fault_in_block(m, f->block))
        fault_iterations_end(f);
}

// The current tangle returns from the call `f`. After the call the first part to return continues
// alone, and the other parts continue separately from it.
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
