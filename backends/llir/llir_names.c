// SPDX-License-Identifier: Apache-2.0
//
// The supported functions that LLVM declares, by name without the mangled types.
#include "llir_module.h"

#include <string.h>

static const struct {
    const char *name; // the name, or its part before ".TYPE"
    enum llir_call call;
    uint32_t arguments;
} names[] = {
    {"llvm.lifetime.start", LLIR_CALL_NOTHING, LLIR_NONE},
    {"llvm.lifetime.end", LLIR_CALL_NOTHING, LLIR_NONE},
    {"llvm.experimental.noalias.scope.decl", LLIR_CALL_NOTHING, LLIR_NONE},
    {"llvm.donothing", LLIR_CALL_NOTHING, 0},
#define CALL(id, name, arguments, kind) {name, LLIR_CALL_##id, arguments},
#include "llir_calls.def"
};

const enum llir_call_kind llir_call_kinds[LLIR_CALL_UNKNOWN + 1] = {
#define CALL(id, name, arguments, kind) [LLIR_CALL_##id] = LLIR_##kind,
#include "llir_calls.def"
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
