// SPDX-License-Identifier: Apache-2.0
//
// The supported functions that LLVM declares, by name without the mangled types.
#include "llir_module.h"

#include <string.h>

#define ANY LLIR_NONE
static const struct {
    const char *name; // the name, or its part before ".TYPE"
    enum llir_call call;
    uint32_t arguments;
} names[] = {
    {"llvm.experimental.convergence.entry", LLIR_CALL_ENTRY, 0},
    {"llvm.experimental.convergence.loop", LLIR_CALL_LOOP, 0},
    {"llvm.assume", LLIR_CALL_ASSUME, 1},
    {"llvm.lifetime.start", LLIR_CALL_NOTHING, ANY},
    {"llvm.lifetime.end", LLIR_CALL_NOTHING, ANY},
    {"llvm.experimental.noalias.scope.decl", LLIR_CALL_NOTHING, ANY},
    {"llvm.donothing", LLIR_CALL_NOTHING, 0},
    {"llvm.spv.resource.handlefrombinding", LLIR_CALL_HANDLE, 5},
    {"llvm.spv.resource.getpointer", LLIR_CALL_POINTER, 2},
    {"llvm.ctpop", LLIR_CALL_CTPOP, 1},
    {"llvm.ctlz", LLIR_CALL_CTLZ, 2},
    {"llvm.cttz", LLIR_CALL_CTTZ, 2},
    {"llvm.bswap", LLIR_CALL_BSWAP, 1},
    {"llvm.bitreverse", LLIR_CALL_BITREVERSE, 1},
    {"llvm.umin", LLIR_CALL_UMIN, 2},
    {"llvm.umax", LLIR_CALL_UMAX, 2},
    {"llvm.smin", LLIR_CALL_SMIN, 2},
    {"llvm.smax", LLIR_CALL_SMAX, 2},
    {"llvm.abs", LLIR_CALL_ABS, 2},
    {"llvm.fshl", LLIR_CALL_FSHL, 3},
    {"llvm.fshr", LLIR_CALL_FSHR, 3},
    {"llvm.uadd.sat", LLIR_CALL_UADD_SAT, 2},
    {"llvm.usub.sat", LLIR_CALL_USUB_SAT, 2},
    {"llvm.ucmp", LLIR_CALL_UCMP, 2},
    {"llvm.scmp", LLIR_CALL_SCMP, 2},
    {"llvm.vector.reduce.or", LLIR_CALL_VECTOR_OR, 1},
    {"llvm.vector.reduce.and", LLIR_CALL_VECTOR_AND, 1},
    {"llvm.vector.reduce.add", LLIR_CALL_VECTOR_ADD, 1},
    {"llvm.vector.reduce.xor", LLIR_CALL_VECTOR_XOR, 1},
    {"llvm.spv.firstbitlow", LLIR_CALL_BIT_LOW, 1},
    {"llvm.spv.firstbituhigh", LLIR_CALL_BIT_HIGH, 1},
    {"llvm.spv.thread.id", LLIR_CALL_GLOBAL_ID, 1},
    {"llvm.spv.thread.id.in.group", LLIR_CALL_LOCAL_ID, 1},
    {"llvm.spv.group.id", LLIR_CALL_GROUP_ID, 1},
    {"llvm.spv.num.workgroups", LLIR_CALL_GROUPS, 1},
    {"llvm.spv.flattened.thread.id.in.group", LLIR_CALL_LOCAL_INDEX, 0},
    {"llvm.spv.subgroup.local.invocation.id", LLIR_CALL_LANE, 0},
    {"llvm.spv.subgroup.id", LLIR_CALL_SUBGROUP, 0},
    {"llvm.spv.subgroup.size", LLIR_CALL_SUBGROUP_SIZE, 0},
    {"llvm.spv.num.subgroups", LLIR_CALL_SUBGROUPS, 0},
    {"llvm.spv.subgroup.ballot", LLIR_CALL_BALLOT, 1},
    {"llvm.spv.wave.is.first.lane", LLIR_CALL_ELECT, 0},
    {"llvm.spv.wave.all", LLIR_CALL_ALL, 1},
    {"llvm.spv.wave.any", LLIR_CALL_ANY, 1},
    {"llvm.spv.wave.all.equal", LLIR_CALL_ALL_EQUAL, 1},
    {"llvm.spv.wave.reduce.sum", LLIR_CALL_SUM, 1},
    {"llvm.spv.wave.product", LLIR_CALL_PRODUCT, 1},
    {"llvm.spv.wave.reduce.umin", LLIR_CALL_GROUP_UMIN, 1},
    {"llvm.spv.wave.reduce.umax", LLIR_CALL_GROUP_UMAX, 1},
    {"llvm.spv.wave.reduce.min", LLIR_CALL_GROUP_SMIN, 1},
    {"llvm.spv.wave.reduce.max", LLIR_CALL_GROUP_SMAX, 1},
    {"llvm.spv.wave.reduce.and", LLIR_CALL_GROUP_AND, 1},
    {"llvm.spv.wave.reduce.or", LLIR_CALL_GROUP_OR, 1},
    {"llvm.spv.wave.reduce.xor", LLIR_CALL_GROUP_XOR, 1},
    {"llvm.spv.wave.prefix.sum", LLIR_CALL_PREFIX_SUM, 1},
    {"llvm.spv.wave.prefix.product", LLIR_CALL_PREFIX_PRODUCT, 1},
    {"llvm.spv.wave.readlane", LLIR_CALL_READ_LANE, 2},
    {"llvm.spv.quad.read.across.x", LLIR_CALL_QUAD_X, 1},
    {"llvm.spv.quad.read.across.y", LLIR_CALL_QUAD_Y, 1},
    {"llvm.spv.quad.read.across.diagonal", LLIR_CALL_QUAD_DIAGONAL, 1},
};

// Is s a mangled type: ".i32", ".v4i32", ".p11", ".tspirv.VulkanBuffer..."?
static bool is_type(const char *s)
{
    return (strchr("ivp", s[1]) && s[1] && s[2] >= '0' && s[2] <= '9') ||
           strncmp(s, ".tspirv.", 8) == 0;
}

// Returns the operation with the longest name that matches.
enum llir_call llir_call_find(const char *name, uint32_t *arguments)
{
    enum llir_call found = LLIR_CALL_UNKNOWN;
    size_t longest = 0;
    for (size_t i = 0; i < sizeof names / sizeof *names; i++) {
        const size_t n = strlen(names[i].name);
        if (n > longest && strncmp(name, names[i].name, n) == 0 &&
            (!name[n] || (name[n] == '.' && is_type(name + n)))) {
            longest = n;
            found = names[i].call;
            *arguments = names[i].arguments;
        }
    }
    return found;
}
