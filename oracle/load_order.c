// SPDX-License-Identifier: Apache-2.0
//
// Decodes the order, availability and visibility that accesses, barriers and fences specify: memory
// operands, scopes and memory semantics; under GLSL450 and Simple the storage class and Coherent.
#include "load.h"

// Returns the levels whose invocations are all in the scope.
static uint16_t levels(uint64_t scope)
{
    switch (scope) {
    case SpvScopeSubgroup:
        return 1u << ORDER_SUBGROUP;
    case SpvScopeCrossDevice:
    case SpvScopeDevice:
    case SpvScopeQueueFamily:
    case SpvScopeWorkgroup:
        return 1u << ORDER_SUBGROUP | 1u << ORDER_WORKGROUP;
    default:
        return 0;
    }
}

enum { EVERYWHERE = 1u << ORDER_SUBGROUP | 1u << ORDER_WORKGROUP };

uint16_t load_order_of_atomic(void)
{
    return (uint16_t)(ORDER_NON_PRIVATE | ORDER_AVAILABLE * EVERYWHERE |
                      ORDER_VISIBLE * EVERYWHERE);
}

bool load_order_of_access(struct code *c, uint32_t storage, bool coherent, const uint32_t *operands,
                          uint32_t n, uint16_t *order)
{
    *order = 0;
    if (!c->p->vulkan_memory) {
        // Without the Vulkan memory model each access to Workgroup memory or to memory decorated
        // Coherent makes itself available and visible (Vulkan, "Memory Model", modules without
        // VulkanMemoryModel). Nothing is promised for other accesses.
        if (coherent || storage == SpvStorageClassWorkgroup)
            *order = load_order_of_atomic();
        return true;
    }
    if (!n)
        return true;
    const uint32_t mask = operands[0];
    uint32_t at = 1 + ((mask & SpvMemoryAccessAlignedMask) != 0);
    if (mask & SpvMemoryAccessNonPrivatePointerMask)
        *order |= ORDER_NON_PRIVATE;
    for (int k = 0; k < 2; k++) {
        uint64_t scope;
        if (!(mask & (k ? SpvMemoryAccessMakePointerVisibleMask
                        : SpvMemoryAccessMakePointerAvailableMask)))
            continue;
        if (at >= n || !code_constant(c, operands[at++], &scope))
            return code_unsupported(c, "a memory operand whose scope is not a constant");
        *order |= (uint16_t)((k ? ORDER_VISIBLE : ORDER_AVAILABLE) * levels(scope));
    }
    return true;
}

// Returns the scope and semantics of a barrier as inst.order. GLSL450 has no MakeAvailable and
// MakeVisible and needs none: accesses that are not coherent are never ordered.
static uint16_t order_of_fence(uint64_t scope, uint64_t semantics)
{
    const bool both = semantics & (SpvMemorySemanticsAcquireReleaseMask |
                                   SpvMemorySemanticsSequentiallyConsistentMask);
    uint16_t order = (uint16_t)(ORDER_IN_SUBGROUP * levels(scope));
    if (both || semantics & SpvMemorySemanticsReleaseMask)
        order |= ORDER_RELEASE;
    if (both || semantics & SpvMemorySemanticsAcquireMask)
        order |= ORDER_ACQUIRE;
    if (semantics & SpvMemorySemanticsMakeAvailableMask)
        order |= ORDER_AVAILABLE;
    if (semantics & SpvMemorySemanticsMakeVisibleMask)
        order |= ORDER_VISIBLE;
    if (semantics & SpvMemorySemanticsWorkgroupMemoryMask)
        order |= ORDER_OF_SHARED;
    if (semantics & SpvMemorySemanticsUniformMemoryMask)
        order |= ORDER_OF_BUFFER;
    if (semantics & SpvMemorySemanticsImageMemoryMask)
        order |= ORDER_OF_IMAGE;
    return order;
}

// OpControlBarrier: Execution, Memory, Semantics. OpMemoryBarrier: Memory, Semantics.
bool load_barrier(struct code *c)
{
    const struct spv_inst *s = &c->p->m.insts[c->spv];
    const bool fence = s->op == SpvOpMemoryBarrier;
    uint64_t scope = SpvScopeInvocation, memory, semantics;
    if ((!fence && !code_constant(c, s->v[0], &scope)) ||
        !code_constant(c, s->v[s->n - 2], &memory) || !code_constant(c, s->v[s->n - 1], &semantics))
        return code_unsupported(c, "a barrier whose scopes or semantics are not constants");
    if (!fence && scope != SpvScopeWorkgroup && scope != SpvScopeSubgroup)
        return code_unsupported(c, "an execution scope that is neither Workgroup nor Subgroup");
    struct inst *i = code_add(c, fence ? IN_FENCE : IN_BARRIER);
    i->order = order_of_fence(memory, semantics);
    c->p->has_fence |= fence || scope == SpvScopeSubgroup;
    if (!fence && scope == SpvScopeSubgroup)
        i->order |= ORDER_SUBGROUP_BARRIER;
    else if (!fence)
        c->p->has_barrier = true;
    return true;
}
