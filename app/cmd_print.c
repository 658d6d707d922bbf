// SPDX-License-Identifier: Apache-2.0
//
// tanglefuzz print: a case's module in another language.
#include "args.h"
#include "printers/printers.h"

static int print(const char *path, const char *as, uint32_t subgroup)
{
    struct arena a = {0};
    struct err e = {0};
    struct spv_case c;
    struct text t = {.arena = &a};
    enum print_language language;
    struct spv_tools *tools = spv_tools_new();
    bool ok =
        print_language_find(as, &language, &e) && spv_case_read(tools, &a, path, &c, &e) &&
        print_module(&a, language, c.words, c.count, c.subgroup ? c.subgroup : subgroup, &t, &e);
    if (ok)
        say_text(&t);
    else
        complain("print", "%s", e.msg);
    spv_tools_free(tools);
    arena_free(&a);
    return ok ? STATUS_GOOD : STATUS_BAD;
}

static int run(int argc, char **argv)
{
    const char *as = "llvm";
    uint32_t subgroup = 0;
    const struct arg_option options[] = {
        OPT_TEXT("as", 0, "LANGUAGE", "llvm (IR with convergence tokens, the default), llvm-amdgcn,\n"
                 "llvm-nvptx (the same for these back ends), hlsl,\n"
                 "hlsl-plain (without clang's builtins), glsl", &as),
        OPT_U32("subgroup", 0, "N", "subgroup size of a case that runs at any", &subgroup, 1, 128),
    };
    const struct arg_command command = {
        .name = "print",
        .rest = "CASE",
        .about = "Prints the module of a case in another language, for the compilers of that "
                 "language. What\nit must leave in memory stays what predict says for the case. A "
                 "module that the language\ncannot say is refused with the reason, status 2.",
        .example = "tanglefuzz print case.spvasm --as llvm >case.ll",
        .options = options,
        .count = OPT_COUNT(options),
        .rest_min = 1,
        .rest_max = 1,
    };
    struct args args;
    int said = args_parse(&command, argc, argv, &args);
    return said >= 0 ? said : print(args.rest[0], as, subgroup);
}

const struct command cmd_print = {"print", "print a case in another language", run};
