// SPDX-License-Identifier: Apache-2.0
//
// tanglefuzz COMMAND ...: finds the command.
#define _POSIX_C_SOURCE 200809L
#include "app.h"
#include "args.h"
#include "heap.h"
#include "generator/generator.h"
#include "mutants/mutants.h"
#include "spirv/spirv.h"

#include <signal.h>
#include <string.h>

// To add a command: cmd_NAME.c, its declaration in app.h, a row here, a section in
// docs/tanglefuzz.1.
static const struct command *const commands[] = {
    &cmd_doctor, &cmd_targets,                                                      // what is here
    &cmd_gen,    &cmd_print,   &cmd_predict, &cmd_check,  &cmd_explain,             // cases
    &cmd_fuzz,   &cmd_replay,  &cmd_bisect,  &cmd_reduce, &cmd_report,  &cmd_merge, // bugs
    &cmd_survey, &cmd_stats,   &cmd_mutants, // ourselves, measured
    &cmd_worker,
};
enum { COMMANDS = sizeof commands / sizeof commands[0] };

static void usage(void)
{
    say("usage: tanglefuzz COMMAND [options] ...\n\n"
        "Finds compilers and drivers that break reconvergence.\n\n"
        "commands:\n");
    for (size_t i = 0; i < COMMANDS; i++)
        if (commands[i]->line)
            say("  %-10s %s\n", commands[i]->name, commands[i]->line);
    say("\n  tanglefuzz COMMAND --help says more; tanglefuzz --version\n\n"
        "exit status: 0 nothing found, 1 findings, 2 bad usage or environment\n\n"
        "example:\n  tanglefuzz doctor\n  tanglefuzz fuzz --target vulkan:driver=lavapipe --time "
        "60\n");
}

static int run(int argc, char **argv)
{
    const char *word = argc > 1 ? argv[1] : NULL;
    if (!word) {
        complain(NULL, "needs a command (see tanglefuzz --help)");
        return STATUS_BAD;
    }
    if (strcmp(word, "--help") == 0 || strcmp(word, "-h") == 0 ||
        (strcmp(word, "help") == 0 && argc == 2)) {
        usage();
        return STATUS_GOOD;
    }
    if (strcmp(word, "--version") == 0) {
        say("tanglefuzz %s%s%s (generator %d, %s)\n", version_number(),
            version_commit()[0] ? " " : "", version_commit(), (int)GEN_VERSION, spv_tools_version());
        return STATUS_GOOD;
    }
    // tanglefuzz help fuzz = tanglefuzz fuzz --help
    char help[] = "--help";
    char *swapped[] = {argv[0], argc > 2 ? argv[2] : NULL, help, NULL};
    if (strcmp(word, "help") == 0) {
        argv = swapped;
        argc = 3;
        word = argv[1];
    }
    const char *names[COMMANDS];
    size_t n = 0;
    for (size_t i = 0; i < COMMANDS; i++) {
        if (strcmp(commands[i]->name, word) == 0)
            return commands[i]->run(argc - 1, argv + 1);
        if (commands[i]->line)
            names[n++] = commands[i]->name;
    }
    const char *near = args_nearest(word, names, n);
    if (near)
        return complain(NULL, "unknown command '%s'; did you mean '%s'?", word, near);
    return complain(NULL, "unknown command '%s' (see tanglefuzz --help)", word);
}

int main(int argc, char **argv)
{
    static const char *const many[] = {"fuzz", "stats", "reduce", "mutants", "survey", "check"};
    for (size_t i = 0; argc > 1 && i < sizeof many / sizeof *many; i++)
        if (strcmp(argv[1], many[i]) == 0)
            heap_prepare(argv);
    // A reader that goes away is an error of a write, not of the process.
    signal(SIGPIPE, SIG_IGN);
    run_own_add(&mut_backend); // target mutant:NAME, here and in workers
    return say_end(run(argc, argv));
}
