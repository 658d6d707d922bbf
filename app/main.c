// SPDX-License-Identifier: Apache-2.0
//
// tanglefuzz COMMAND ...: finds and starts the command.
#define _POSIX_C_SOURCE 200809L
#include "app.h"
#include "args.h"
#include "generator/generator.h"
#include "heap.h"
#include "mutants/mutants.h"

#include <jansson.h>
#include <signal.h>
#include <stdlib.h>
#include <string.h>

// To add a command: write cmd_NAME.c, add its name to COMMANDS (app.h), and a section to
// docs/tanglefuzz.1.
#define ROW(name) &cmd_##name,
const struct command *const commands[] = {COMMANDS(ROW) NULL};
#undef ROW

static void usage(void)
{
    static const char *const titles[TASKS] = {
        [TASK_BUGS] = "find bugs, from nothing to a report",
        [TASK_SHADER] = "look at one case or shader",
        [TASK_FINDINGS] = "do more with findings and targets",
        [TASK_OURSELVES] = "measure tanglefuzz itself",
    };
    say("usage: tanglefuzz COMMAND [options] ...\n\n"
        "Finds compilers and drivers that break reconvergence.\n");
    for (int t = 0; t < TASKS; t++) {
        say("\n%s:\n", titles[t]);
        for (size_t i = 0; commands[i]; i++)
            if (commands[i]->task == (enum task)t)
                say("  %-10s %s\n", commands[i]->name, commands[i]->line);
    }
    say("\n  tanglefuzz COMMAND --help shows its options; tanglefuzz --version (-V)\n\n"
        "exit status: 0 nothing found, 1 findings, 2 bad usage or environment\n\n"
        "example:\n  tanglefuzz doctor\n  tanglefuzz fuzz --target vulkan:driver=lavapipe --time "
        "60\n");
}

// Run without a command: prints six commands by purpose, and the names of the others.
static void start_here(void)
{
    static const struct {
        const char *name, *want;
    } first[] = {
        {"doctor", "see what is here, and what is missing"},
        {"fuzz", "find bugs of a driver or compiler (targets lists them)"},
        {"reduce", "make the findings small"},
        {"report", "read them: a page, buckets, a folder for a bug report"},
        {"replay", "run one program again, on any target"},
        {"explain", "see which lanes run together, and by which rule"},
    };
    enum { FIRST = sizeof first / sizeof *first };
    say("tanglefuzz finds compilers and drivers that break reconvergence.\n\n");
    for (size_t i = 0; i < FIRST; i++)
        say("  tanglefuzz %-8s  %s\n", first[i].name, first[i].want);
    say("\nand");
    for (size_t i = 0; commands[i]; i++) {
        bool shown = commands[i]->task == TASK_HIDDEN;
        for (size_t k = 0; k < FIRST; k++)
            shown |= strcmp(first[k].name, commands[i]->name) == 0;
        if (!shown)
            say(" %s", commands[i]->name);
    }
    say("\n\n  tanglefuzz help            all commands, one per line\n"
        "  tanglefuzz help COMMAND    its options, and examples\n");
}

// Returns the command of the list called `word`, after the name of `parent` if that is not NULL.
// NULL with a message if there is none.
static const struct command *find(const struct command *const *list, const struct command *parent,
                                  const char *word)
{
    const char *names[64] = {0}, *above = parent ? parent->name : "";
    const size_t skip = parent ? strlen(above) + 1 : 0;
    size_t n = 0;
    for (size_t i = 0; list[i]; i++) {
        if (strcmp(list[i]->name + skip, word) == 0)
            return list[i];
        CHECK(n < sizeof names / sizeof *names);
        if (list[i]->task != TASK_HIDDEN)
            names[n++] = list[i]->name + skip;
    }
    const char *near = text_nearest(word, names, n), *gap = parent ? ": " : "";
    if (near)
        complain(NULL, "%s%sunknown command '%s'; did you mean '%s'?", above, gap, word, near);
    else
        complain(NULL, "%s%sunknown command '%s' (see tanglefuzz %s%s--help)", above, gap, word,
                 above, parent ? " " : "");
    return NULL;
}

static bool is_one_of(const char *word, const char *a, const char *b)
{
    return strcmp(word, a) == 0 || strcmp(word, b) == 0;
}

// Returns the subcommand of `c` that argv names; NULL with *status set if help or an error was
// printed.
static const struct command *below(const struct command *c, int argc, char **argv, int *status)
{
    *status = STATUS_GOOD;
    if (argc < 1) {
        *status = complain(NULL, "%s needs a command (see tanglefuzz %s --help)", c->name, c->name);
    } else if (is_one_of(argv[0], "--help", "-h")) {
        print_help(c);
    } else {
        const struct command *found = find(c->sub, c, argv[0]);
        *status = found ? STATUS_GOOD : STATUS_BAD;
        return found;
    }
    return NULL;
}

static int run(int argc, char **argv)
{
    if (argc < 2) {
        start_here();
        return STATUS_BAD;
    }
    const bool help = strcmp(argv[1], "help") == 0;
    if (is_one_of(argv[1], "--help", "-h") ||
        (help && (argc == 2 || is_one_of(argv[2], "--help", "-h")))) {
        usage();
        return STATUS_GOOD;
    }
    if (is_one_of(argv[1], "--version", "-V")) {
        struct arena a = {0};
        say("tanglefuzz %s%s%s (generator %d, %s)\n", version_number(),
            version_commit()[0] ? " " : "", version_commit(), (int)GEN_VERSION,
            spv_tools_version(&a));
        arena_free(&a);
        return STATUS_GOOD;
    }
    if (help && argc > 3)
        return complain(NULL, "help: unexpected '%s': one command at a time", argv[3]);
    const struct command *c = find(commands, NULL, argv[help ? 2 : 1]);
    if (!c)
        return STATUS_BAD;
    if (help) {
        print_help(c);
        return STATUS_GOOD;
    }
    int words = 1; // number of arguments that name the command
    if (c->sub) {
        int status;
        words = 2;
        c = below(c, argc - 2, argv + 2, &status);
        if (!c)
            return status;
    }
    if (c->many)
        heap_prepare(argv);
    return start_command(c, argc - words, argv + words);
}

int main(int argc, char **argv)
{
    // A write to a closed pipe must fail with an error, not kill the process.
    signal(SIGPIPE, SIG_IGN);
    signal(SIGXFSZ, SIG_IGN); // the same at the file size limit
    json_set_alloc_funcs(mem_new, free);
    run_own_add(&mut_backend); // adds target mutant:NAME, here and in workers
    return say_end(run(argc, argv));
}
