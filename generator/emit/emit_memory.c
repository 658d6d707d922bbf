// SPDX-License-Identifier: Apache-2.0
//
// Memory that invocations share: exchange of values through a control barrier, and atomic
// operations.
#include "emit_parts.h"

static uint32_t memory_at(struct emit *e, enum gen_memory memory, uint32_t index)
{
    if (memory == MEMORY_SHARED)
        return SPV_VALUE(e->w, SpvOpAccessChain, e->shared_u32, e->shared, index);
    return emit_buffer_at(e, GEN_HEAP, index);
}

// Returns the index of the word of invocation `local` of the own workgroup.
static uint32_t word_of(struct emit *e, enum gen_memory memory, uint32_t local)
{
    if (memory == MEMORY_SHARED)
        return local;
    uint32_t first = SPV_VALUE(e->w, SpvOpISub, e->u32, e->global, e->local);
    uint32_t at = SPV_VALUE(e->w, SpvOpIAdd, e->u32, first, local);
    return SPV_VALUE(e->w, SpvOpIAdd, e->u32, at, emit_const(e, GEN_HEAP_WORDS));
}

static void barrier(struct emit *e, enum gen_memory memory)
{
    const uint32_t storage = memory == MEMORY_SHARED ? SpvMemorySemanticsWorkgroupMemoryMask
                                                     : SpvMemorySemanticsUniformMemoryMask;
    const uint32_t scope = emit_const(e, SpvScopeWorkgroup);
    const uint32_t semantics = emit_const(e, SpvMemorySemanticsAcquireReleaseMask | storage);
    SPV_PUT(e->w, SPV_FUNCTIONS, SpvOpControlBarrier, scope, scope, semantics);
}

// The scope covers all invocations that access the word: the workgroup for its array, the device
// for the heap.
static void put_atomic(struct emit *e, SpvOp op, SpvScope scope, uint32_t pointer, uint32_t value)
{
    const uint32_t scope_id = emit_const(e, scope), relaxed = emit_const(e, 0);
    SPV_VALUE(e->w, op, e->u32, pointer, scope_id, relaxed, value);
}

// (own + n) % local_size
static uint32_t neighbour(struct emit *e, uint32_t n)
{
    const uint32_t size = e->p->local_size;
    uint32_t at = SPV_VALUE(e->w, SpvOpIAdd, e->u32, e->local, emit_const(e, n));
    const bool mask = (size & (size - 1)) == 0;
    const uint32_t by = emit_const(e, mask ? size - 1 : size);
    return SPV_VALUE(e->w, mask ? SpvOpBitwiseAnd : SpvOpUMod, e->u32, at, by);
}

uint32_t emit_exchange(struct emit *e, const struct gen_stmt *s)
{
    const enum gen_memory memory = s->exchange.memory;
    const uint32_t v = emit_expr(e, s->exchange.expr);
    const bool sum = s->exchange.how == MEET_SUM;
    const uint32_t own = word_of(e, memory, e->local);
    emit_store(e, memory_at(e, memory, own), v);
    barrier(e, memory);
    const uint32_t other = sum ? emit_const(e, s->exchange.n) : neighbour(e, s->exchange.n);
    const uint32_t at = memory_at(e, memory, word_of(e, memory, other));
    if (sum) {
        put_atomic(e, SpvOpAtomicIAdd, memory == MEMORY_SHARED ? SpvScopeWorkgroup : SpvScopeDevice,
                   at, v);
        barrier(e, memory);
    }
    const uint32_t x = emit_load(e, e->u32, at);
    barrier(e, memory); // before any invocation writes again
    return x;
}

void emit_atomic(struct emit *e, const struct gen_stmt *s)
{
    const uint32_t v = emit_expr(e, s->atomic.expr);
    const uint32_t word = emit_const(e, (uint32_t)s->atomic.op);
    put_atomic(e, gen_atomic_row(s->atomic.op)->opcode, SpvScopeDevice,
               emit_buffer_at(e, GEN_HEAP, word), v);
}
