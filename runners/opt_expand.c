// SPDX-License-Identifier: Apache-2.0
//
// What -O, -Os and --legalize-hlsl stand for: lists of single passes, for whoever bisects them. They
// are those of SPIRV-Tools 2025.1 (`spirv-opt --help` prints them; other versions have others, and
// the lists are a hint then, which a test notices: it compares what both make of a module).
#include "runners.h"

#include <string.h>

static const struct {
    const char *flag, *passes;
} lists[] = {
    {"-O",
     "--wrap-opkill,--eliminate-dead-branches,--merge-return,"
     "--inline-entry-points-exhaustive,--eliminate-dead-functions,"
     "--eliminate-dead-code-aggressive,--private-to-local,--eliminate-local-single-block,"
     "--eliminate-local-single-store,--eliminate-dead-code-aggressive,"
     "--scalar-replacement=100,--convert-local-access-chains,--eliminate-local-single-block,"
     "--eliminate-local-single-store,--eliminate-dead-code-aggressive,--ssa-rewrite,"
     "--eliminate-dead-code-aggressive,--ccp,--eliminate-dead-code-aggressive,--loop-unroll,"
     "--eliminate-dead-branches,--redundancy-elimination,--combine-access-chains,"
     "--simplify-instructions,--scalar-replacement=100,--convert-local-access-chains,"
     "--eliminate-local-single-block,--eliminate-local-single-store,"
     "--eliminate-dead-code-aggressive,--ssa-rewrite,--eliminate-dead-code-aggressive,"
     "--vector-dce,--eliminate-dead-inserts,--eliminate-dead-branches,"
     "--simplify-instructions,--if-conversion,--copy-propagate-arrays,--reduce-load-size,"
     "--eliminate-dead-code-aggressive,--merge-blocks,--redundancy-elimination,"
     "--eliminate-dead-branches,--merge-blocks,--simplify-instructions"},
    {"-Os",
     "--wrap-opkill,--eliminate-dead-branches,--merge-return,"
     "--inline-entry-points-exhaustive,--eliminate-dead-functions,--private-to-local,"
     "--scalar-replacement=0,--ssa-rewrite,--ccp,--loop-unroll,--eliminate-dead-branches,"
     "--simplify-instructions,--scalar-replacement=0,--eliminate-local-single-store,"
     "--if-conversion,--simplify-instructions,--eliminate-dead-code-aggressive,"
     "--eliminate-dead-branches,--merge-blocks,--convert-local-access-chains,"
     "--eliminate-local-single-block,--eliminate-dead-code-aggressive,"
     "--copy-propagate-arrays,--vector-dce,--eliminate-dead-inserts,"
     "--eliminate-dead-members,--eliminate-local-single-store,--merge-blocks,--ssa-rewrite,"
     "--redundancy-elimination,--simplify-instructions,--eliminate-dead-code-aggressive,"
     "--cfg-cleanup"},
    {"--legalize-hlsl",
     "--wrap-opkill,--eliminate-dead-branches,--merge-return,"
     "--inline-entry-points-exhaustive,--eliminate-dead-functions,--private-to-local,"
     "--fix-storage-class,--eliminate-local-single-block,--eliminate-local-single-store,"
     "--eliminate-dead-code-aggressive,--scalar-replacement=0,"
     "--eliminate-local-single-block,--eliminate-local-single-store,"
     "--eliminate-dead-code-aggressive,--ssa-rewrite,--eliminate-dead-code-aggressive,--ccp,"
     "--loop-unroll,--eliminate-dead-branches,--simplify-instructions,"
     "--eliminate-dead-code-aggressive,--copy-propagate-arrays,--vector-dce,"
     "--eliminate-dead-inserts,--reduce-load-size,--eliminate-dead-code-aggressive,"
     "--remove-unused-interface-variables,--interpolate-fixup,--fix-opextinst-opcodes"}};

const char *run_opt_expand(const char *flag)
{
    for (size_t i = 0; i < sizeof lists / sizeof lists[0]; i++)
        if (strcmp(lists[i].flag, flag) == 0)
            return lists[i].passes;
    return flag;
}
