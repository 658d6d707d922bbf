// SPDX-License-Identifier: Apache-2.0
#define _GNU_SOURCE
#include "on_finding.h"

#include <errno.h>
#include <signal.h>
#include <spawn.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>

extern char **environ;

// Removes the i-th command if it has ended; with `wait`, waits for its end. False if it still runs.
static bool ended(struct on_finding *o, uint32_t i, bool wait)
{
    pid_t got;
    while ((got = waitpid((pid_t)o->pid[i], NULL, wait ? 0 : WNOHANG)) < 0 && errno == EINTR)
        ;
    if (got == 0)
        return false;
    o->pid[i] = o->pid[--o->running];
    return true;
}

static void reap(struct on_finding *o, bool one)
{
    for (uint32_t i = 0; i < o->running;)
        if (!ended(o, i, false))
            i++;
    if (one && o->running == ON_FINDING_AT_ONCE)
        ended(o, 0, true);
}

static bool is_started(struct on_finding *o, const char *bucket)
{
    for (size_t i = 0; i < o->buckets.n; i++)
        if (strcmp(o->buckets.v[i], bucket) == 0)
            return true;
    *VEC_PUSH(&o->arena, &o->buckets) = arena_str(&o->arena, bucket);
    return false;
}

void on_finding_start(struct on_finding *o, const struct campaign_found *f)
{
    struct arena a = {0};
    VEC(char *) env = {0};
    char shell[] = "/bin/sh", option[] = "-c";
    pid_t pid;
    if (!o->command || f->again || f->finding->flaky)
        return;
    const struct diag_signature *s = f->finding->signature;
    if (is_started(o, s->name))
        return;
    reap(o, true);
    for (char **e = environ; *e; e++)
        *VEC_PUSH(&a, &env) = *e;
    *VEC_PUSH(&a, &env) = arena_printf(&a, "TANGLEFUZZ_FINDING=%s", f->finding->folder);
    *VEC_PUSH(&a, &env) = arena_printf(&a, "TANGLEFUZZ_BUCKET=%s", s->name);
    *VEC_PUSH(&a, &env) = arena_printf(&a, "TANGLEFUZZ_TITLE=%s", report_title(&a, f->finding, s));
    *VEC_PUSH(&a, &env) =
        arena_printf(&a, "TANGLEFUZZ_CLASS=%s", judge_class_name(finding_class(f->finding)));
    *VEC_PUSH(&a, &env) = arena_printf(&a, "TANGLEFUZZ_TARGET=%s", f->finding->target);
    *VEC_PUSH(&a, &env) = NULL;
    char *words[] = {shell, option, arena_str(&a, o->command), NULL};
    // Its output goes to standard error, and the signals that we ignore get their default action.
    posix_spawn_file_actions_t files;
    posix_spawnattr_t how;
    sigset_t usual;
    sigemptyset(&usual);
    sigaddset(&usual, SIGPIPE);
    sigaddset(&usual, SIGXFSZ);
    posix_spawn_file_actions_init(&files);
    posix_spawn_file_actions_adddup2(&files, STDERR_FILENO, STDOUT_FILENO);
    posix_spawnattr_init(&how);
    posix_spawnattr_setsigdefault(&how, &usual);
    posix_spawnattr_setflags(&how, POSIX_SPAWN_SETSIGDEF);
    if (posix_spawn(&pid, shell, &files, &how, words, env.v) == 0)
        o->pid[o->running++] = pid;
    posix_spawn_file_actions_destroy(&files);
    posix_spawnattr_destroy(&how);
    arena_free(&a);
}

void on_finding_end(struct on_finding *o)
{
    while (o->running)
        ended(o, 0, true);
    arena_free(&o->arena);
}
