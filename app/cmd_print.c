// SPDX-License-Identifier: Apache-2.0
//
// tanglefuzz print: prints a case's module in another language.
#include "args.h"
#include "printers/printers.h"

struct given {
    const char *as;
    uint32_t subgroup;
};

static int run(struct context *x, void *user)
{
    const struct given *g = user;
    struct spv_case c;
    struct text t = {.arena = &x->arena};
    enum print_language language;
    uint32_t at;
    if (!print_language_find(g->as, &language, &x->e) ||
        !spv_case_read(x->tools, &x->arena, x->words[0], &c, &x->e))
        return refuse(x);
    // The printers require a valid module: they follow branches and types without checks.
    if (!spv_validate(x->tools, SPV_ENV_VULKAN_1_3, c.words, c.count, &x->e))
        return complain(x, "%s: cannot print an invalid module: spirv-val: %s", x->words[0],
                        x->e.msg);
    if (!print_module(&x->arena, language, c.words, c.count, c.subgroup ? c.subgroup : g->subgroup,
                      &t, &at, &x->e))
        return refuse_at(x, at);
    say_text(&t);
    return STATUS_GOOD;
}

static const struct arg_option options[] = {
    OPT_TEXT("as", 0, "LANGUAGE",
             "llvm (IR with convergence tokens, the default), llvm-amdgcn,\n"
             "llvm-nvptx (for these back ends), each with -no-tokens too, hlsl,\n"
             "hlsl-plain (without clang's builtins), glsl, wgsl, opencl,\n"
             "opencl-plain, ptx and ptx-sm75 (masks that the program computes)",
             as),
    OPT_LANES("subgroup", "subgroup size, if the case does not fix one", subgroup, 1),
};

const struct command cmd_print = {
    .name = "print",
    .task = TASK_SHADER,
    .line = "print a case in another language",
    .rest = "CASE",
    .about = "Prints the module of a case in another language, for the compilers of that language. "
             "It must\n"
             "still leave in memory what predict shows. A module that the language cannot express "
             "is refused\n"
             "with the reason, status 2.",
    .example = "tanglefuzz print case.spvasm --as llvm >case.ll",
    OPTIONS(options),
    .rest_min = 1,
    .rest_max = 1,
    .size = sizeof(struct given),
    .defaults = &(const struct given){.as = "llvm"},
    .run = run,
};
