// SPDX-License-Identifier: Apache-2.0
//
// Facts about spirv-opt passes, by name: which passes preserve a shader's semantics, and which
// passes -O, -Os and legalisation consist of (SPIRV-Tools 2026.4), so that a bug can be attributed
// to one pass.
#include "spirv.h"

#include <string.h>

// Passes that preserve the shader's results for all inputs, after any other pass. Debug,
// instrumentation and interface passes are left out. --freeze-spec-const makes a case's
// specialisation constants ineffective; use it only for cases that have none.
static const char *const steps[] = {
    "--ccp",
    "--cfg-cleanup",
    "--code-sink",
    "--combine-access-chains",
    "--convert-local-access-chains",
    "--copy-propagate-arrays",
    "--eliminate-dead-branches",
    "--eliminate-dead-code-aggressive",
    "--eliminate-dead-const",
    "--eliminate-dead-functions",
    "--eliminate-dead-inserts",
    "--eliminate-dead-variables",
    "--eliminate-insert-extract",
    "--eliminate-local-multi-store",
    "--eliminate-local-single-block",
    "--eliminate-local-single-store",
    "--fix-func-call-param",
    "--fix-storage-class",
    "--fold-spec-const-op-composite",
    "--freeze-spec-const",
    "--if-conversion",
    "--inline-entry-points-exhaustive",
    "--inline-entry-points-opaque",
    "--local-redundancy-elimination",
    "--loop-fission=1",
    "--loop-fusion=200",
    "--loop-invariant-code-motion",
    "--loop-peeling",
    "--loop-unroll",
    "--loop-unroll-partial=3",
    "--loop-unswitch",
    "--merge-blocks",
    "--merge-return",
    "--private-to-local",
    "--reduce-load-size",
    "--redundancy-elimination",
    "--remove-duplicates",
    "--replace-invalid-opcode",
    "--scalar-replacement=0",
    "--simplify-instructions",
    "--ssa-rewrite",
    "--strength-reduction",
    "--trim-capabilities",
    "--unify-const",
    "--vector-dce",
    "--workaround-1209",
    "--wrap-opkill",
};

static const char *const performance[] = {
    "--wrap-opkill",
    "--eliminate-dead-branches",
    "--merge-return",
    "--inline-entry-points-exhaustive",
    "--eliminate-dead-functions",
    "--eliminate-dead-code-aggressive",
    "--private-to-local",
    "--eliminate-local-single-block",
    "--eliminate-local-single-store",
    "--eliminate-dead-code-aggressive",
    "--scalar-replacement=0",
    "--convert-local-access-chains",
    "--eliminate-local-single-block",
    "--eliminate-local-single-store",
    "--eliminate-dead-code-aggressive",
    "--eliminate-local-multi-store",
    "--eliminate-dead-code-aggressive",
    "--ccp",
    "--eliminate-dead-code-aggressive",
    "--loop-unroll",
    "--eliminate-dead-branches",
    "--redundancy-elimination",
    "--combine-access-chains",
    "--simplify-instructions",
    "--scalar-replacement=0",
    "--convert-local-access-chains",
    "--eliminate-local-single-block",
    "--eliminate-local-single-store",
    "--eliminate-dead-code-aggressive",
    "--ssa-rewrite",
    "--eliminate-dead-code-aggressive",
    "--vector-dce",
    "--eliminate-dead-inserts",
    "--eliminate-dead-branches",
    "--simplify-instructions",
    "--if-conversion",
    "--copy-propagate-arrays",
    "--reduce-load-size",
    "--eliminate-dead-code-aggressive",
    "--merge-blocks",
    "--redundancy-elimination",
    "--eliminate-dead-branches",
    "--merge-blocks",
    "--simplify-instructions",
};

static const char *const size[] = {
    "--wrap-opkill",
    "--eliminate-dead-branches",
    "--merge-return",
    "--inline-entry-points-exhaustive",
    "--eliminate-dead-functions",
    "--private-to-local",
    "--scalar-replacement=0",
    "--eliminate-local-multi-store",
    "--ccp",
    "--loop-unroll",
    "--eliminate-dead-branches",
    "--simplify-instructions",
    "--scalar-replacement=0",
    "--eliminate-local-single-store",
    "--if-conversion",
    "--simplify-instructions",
    "--eliminate-dead-code-aggressive",
    "--eliminate-dead-branches",
    "--merge-blocks",
    "--convert-local-access-chains",
    "--eliminate-local-single-block",
    "--eliminate-dead-code-aggressive",
    "--copy-propagate-arrays",
    "--vector-dce",
    "--eliminate-dead-inserts",
    "--eliminate-dead-members",
    "--eliminate-local-single-store",
    "--merge-blocks",
    "--eliminate-local-multi-store",
    "--redundancy-elimination",
    "--simplify-instructions",
    "--eliminate-dead-code-aggressive",
    "--cfg-cleanup",
};

static const char *const legalisation[] = {
    "--wrap-opkill",
    "--eliminate-dead-branches",
    "--merge-return",
    "--inline-entry-points-exhaustive",
    "--eliminate-dead-functions",
    "--private-to-local",
    "--fix-storage-class",
    "--eliminate-local-single-block",
    "--eliminate-local-single-store",
    "--eliminate-dead-code-aggressive",
    "--scalar-replacement=0",
    "--eliminate-local-single-block",
    "--eliminate-local-single-store",
    "--eliminate-dead-code-aggressive",
    "--eliminate-local-multi-store",
    "--combine-access-chains",
    "--eliminate-dead-code-aggressive",
    "--legalize-multidim-array", // new in 2026
    "--ccp",
    "--loop-unroll",
    "--eliminate-dead-branches",
    "--simplify-instructions",
    "--eliminate-dead-code-aggressive",
    "--copy-propagate-arrays",
    "--vector-dce",
    "--eliminate-dead-inserts",
    "--reduce-load-size",
    "--eliminate-dead-code-aggressive",
    "--remove-unused-interface-variables",
    "--interpolate-fixup",
};

static const struct {
    const char *flag;
    const char *const *v;
    uint32_t n;
} recipes[] = {
    {"-O", performance, sizeof performance / sizeof *performance},
    {"-Os", size, sizeof size / sizeof *size},
    {"--legalize-hlsl", legalisation, sizeof legalisation / sizeof *legalisation},
};

const char *const *spv_optimizer_steps(uint32_t *n)
{
    *n = sizeof steps / sizeof *steps;
    return steps;
}

const char *const *spv_optimizer_before(const char *flag)
{
    static const struct {
        const char *flag, *before[3];
    } rows[] = {
        {"--merge-return", {"--eliminate-dead-branches"}},
        {"--inline-entry-points-exhaustive", {"--eliminate-dead-branches", "--merge-return"}},
    };
    static const char *const none[] = {NULL};
    for (size_t k = 0; k < sizeof rows / sizeof *rows; k++)
        if (strcmp(flag, rows[k].flag) == 0)
            return rows[k].before;
    return none;
}

const char *const *spv_optimizer_recipe(const char *flag, uint32_t *n)
{
    for (size_t k = 0; k < sizeof recipes / sizeof *recipes; k++)
        if (strcmp(flag, recipes[k].flag) == 0) {
            *n = recipes[k].n;
            return recipes[k].v;
        }
    *n = 0;
    return NULL;
}
