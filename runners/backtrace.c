// SPDX-License-Identifier: Apache-2.0
//
// Runs a worker under gdb, if installed, to locate a crash. The frames belong to the worker, or to
// the child process that did the work.
#define _POSIX_C_SOURCE 200809L
#include "command.h"
#include "target.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static const double SECONDS = 30; // gdb reads symbols first

static const char *debugger(void)
{
    const char *given = getenv("TANGLEFUZZ_GDB");
    return given ? given : "gdb";
}

void debugger_plan(struct arena *a, struct run_plan *plan)
{
    static const char *const words[] = {"/usr/bin/env",
                                        "LC_ALL=C",
                                        "",
                                        "-q",
                                        "-nx",
                                        "-batch",
                                        "-iex",
                                        "set auto-load off",
                                        "-iex",
                                        "set debuginfod enabled off",
                                        "-iex",
                                        "set confirm off",
                                        "-ex",
                                        "set width 0",
                                        "-ex",
                                        "set print frame-arguments none",
                                        "-ex",
                                        "set disable-randomization off",
                                        "-ex",
                                        "set startup-with-shell off",
                                        "-ex",
                                        "set follow-fork-mode child",
                                        "-ex",
                                        "run",
                                        "-ex",
                                        "info proc mappings",
                                        "-ex",
                                        "bt 40",
                                        "--args"};
    enum { N = sizeof words / sizeof *words };
    const char **all = ARENA_ARRAY(a, const char *, N + plan->prefix_count);
    memcpy(all, words, sizeof words);
    all[2] = debugger();
    if (plan->prefix_count)
        memcpy(all + N, plan->prefix, plan->prefix_count * sizeof *all);
    plan->prefix = all;
    plan->prefix_count += N;
}

// Returns the place of address `pc` in a file, "my-opt@0x1149", by the table of mappings that gdb
// printed; NULL: it is in no file.
static const char *place_of(struct arena *a, const char *text, unsigned long long pc)
{
    for (const char *s = text; s && *s; s = strchr(s, '\n') ? strchr(s, '\n') + 1 : NULL) {
        unsigned long long from, to, size, offset;
        const char *line = arena_strn(a, s, strcspn(s, "\n"));
        if (sscanf(line, "%llx %llx %llx %llx", &from, &to, &size, &offset) != 4 || pc < from ||
            pc >= to)
            continue;
        const char *file = strrchr(line, '/');
        return file ? arena_printf(a, "%s@0x%llx", file + 1, pc - from + offset) : NULL;
    }
    return NULL;
}

// The lines of the first backtrace, from "#0 ..." on. A frame of a program without symbols gets its
// place in the file, instead of "??".
static const char *frames_of(struct arena *a, const char *text)
{
    struct text t = {.arena = a};
    text_addn(&t, "", 0);
    const char *at = text && text[0] == '#' ? text : text ? strstr(text, "\n#0 ") : NULL;
    for (at = at && *at == '\n' ? at + 1 : at; at && *at == '#'; at = strchr(at, '\n') + 1) {
        const size_t n = strcspn(at, "\n");
        const char *line = arena_strn(a, at, n), *none = strstr(line, " in ?? (");
        const char *pc = none ? strstr(line, "0x") : NULL;
        const char *place = pc && pc < none ? place_of(a, text, strtoull(pc, NULL, 16)) : NULL;
        if (place)
            text_add(&t, "%.*s in %s%s\n", (int)(none - line), line, place, none + 6);
        else
            text_add(&t, "%s\n", line);
        if (!at[n])
            break;
    }
    return t.v;
}

const char *run_backtrace(struct arena *a, const char *spec, const char *self,
                          const struct run_options *o, const struct spv_case *c)
{
    struct run_options in_gdb = *o;
    struct run_result r;
    if (!debugger()[0] || !command_there(a, "backtrace", debugger(), NULL))
        return "";
    in_gdb.debugger = true;
    if (in_gdb.job_seconds <= 0 || in_gdb.job_seconds > SECONDS)
        in_gdb.job_seconds = SECONDS;
    // A driver elsewhere is out of its reach: the device program reports the stack.
    const struct run_stage *stage = run_spec_parse(a, spec, NULL);
    const struct run_backend *backend = stage ? stage_backend(stage, NULL) : NULL;
    if (!backend || backend->serve)
        return "";
    struct run_target *t = run_open(spec, self, &in_gdb, NULL);
    if (!t)
        return "";
    run_case(t, a, c, c->subgroup, &r);
    // If the worker left the work to a child, gdb prints to the worker's own output.
    worker_drain(&t->worker);
    const char *frames = frames_of(a, r.printed);
    if (!frames[0])
        frames = frames_of(a, arena_strn(a, t->worker.output.tail, t->worker.output.n));
    run_close(t);
    return frames;
}
