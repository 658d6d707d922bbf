// SPDX-License-Identifier: Apache-2.0
//
// Reads a shader file and produces SPIR-V. Runs glslang as a program for GLSL and HLSL.
#define _POSIX_C_SOURCE 200809L
#include "portable.h"

#include <fcntl.h>
#include <spawn.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>

extern char **environ;

static bool ends_with(const char *path, const char *end)
{
    const size_t n = strlen(path), m = strlen(end);
    return n >= m && strcmp(path + n - m, end) == 0;
}

// Runs a program with its output in a file. False if the program does not exist.
static bool run(char *const *words, const char *output, int *status)
{
    pid_t pid;
    posix_spawn_file_actions_t files;
    posix_spawn_file_actions_init(&files);
    posix_spawn_file_actions_addopen(&files, STDOUT_FILENO, output, O_WRONLY | O_CREAT | O_TRUNC,
                                     0600);
    posix_spawn_file_actions_adddup2(&files, STDOUT_FILENO, STDERR_FILENO);
    const int failed = posix_spawnp(&pid, words[0], &files, NULL, words, environ);
    posix_spawn_file_actions_destroy(&files);
    if (failed)
        return false;
    while (waitpid(pid, status, 0) < 0)
        ;
    return !(WIFEXITED(*status) && WEXITSTATUS(*status) == 127);
}

static const char *first_error(struct arena *a, const char *output)
{
    char *text = NULL;
    size_t n = 0;
    struct err e;
    if (!file_read(a, output, 1 << 20, &text, &n, &e) || !n)
        return "it printed no message";
    const char *at = strstr(text, "ERROR: ");
    at = at ? at : text;
    return text_printable(a, arena_strn(a, at, strcspn(at, "\n")));
}

static bool compile(struct arena *a, const char *path, bool hlsl, struct spv_case *out,
                    struct err *e)
{
    static const char *const programs[] = {"glslangValidator", "glslang"};
    const char *tmp = getenv("TMPDIR");
    char *folder = arena_printf(a, "%s/tanglefuzz-portable-XXXXXX", tmp && tmp[0] ? tmp : "/tmp");
    if (!mkdtemp(folder))
        return err_set(e, "%s: cannot create a temporary folder in %s", path,
                       tmp && tmp[0] ? tmp : "/tmp");
    char *words = arena_printf(a, "%s/out.spv", folder),
         *output = arena_printf(a, "%s/output", folder);
    const char *of_hlsl[] = {"-D", "-e", "main"};
    const char *common[] = {NULL, "-V",   "--target-env",        "vulkan1.3", "-g",
                            "-S", "comp", "--auto-map-bindings", "-o",        words,
                            path};
    enum { COMMON = sizeof common / sizeof *common };
    char *call[COMMON + 4] = {NULL};
    size_t n_words = 1;
    for (size_t k = 1; k < COMMON; k++)
        call[n_words++] = arena_str(a, common[k]);
    for (size_t k = 0; hlsl && k < sizeof of_hlsl / sizeof *of_hlsl; k++)
        call[n_words++] = arena_str(a, of_hlsl[k]);
    int status = 0;
    bool there = false;
    for (size_t k = 0; k < sizeof programs / sizeof *programs && !there; k++) {
        call[0] = arena_str(a, programs[k]);
        there = run(call, output, &status);
    }
    bool ok = false;
    if (!there)
        err_set(e,
                "%s: cannot be compiled: neither glslangValidator nor glslang was "
                "found (package glslang-tools; or provide SPIR-V)",
                path);
    else if (status)
        err_set(e, "%s: %s", path, first_error(a, output));
    else {
        char *data = NULL;
        size_t n = 0;
        ok = file_read(a, words, 1 << 26, &data, &n, e);
        if (ok) {
            *out = (struct spv_case){.words = (const uint32_t *)(const void *)data,
                                     .count = n / 4,
                                     .groups = {1, 1, 1},
                                     .model = SPV_ASSUMED_MAXIMAL,
                                     .path = path};
        }
    }
    unlink(words);
    unlink(output);
    rmdir(folder);
    return ok;
}

bool por_read(struct spv_tools *t, struct arena *a, const char *path, struct spv_case *out,
              bool *is_case, struct err *e)
{
    static const char mark[] = "; tanglefuzz-case";
    *is_case = false;
    const bool hlsl = ends_with(path, ".hlsl");
    if (hlsl || ends_with(path, ".comp") || ends_with(path, ".glsl"))
        return compile(a, path, hlsl, out, e);
    if (ends_with(path, ".spv"))
        return spv_case_read(t, a, path, out, e);
    char *text = NULL;
    size_t n = 0;
    if (!file_read(a, path, 1 << 26, &text, &n, e))
        return false;
    *is_case = n >= sizeof mark - 1 && memcmp(text, mark, sizeof mark - 1) == 0;
    if (*is_case)
        return spv_case_parse(t, a, path, text, n, out, e);
    *out = (struct spv_case){.groups = {1, 1, 1}, .model = SPV_ASSUMED_MAXIMAL, .path = path};
    if (!spv_assemble(t, a, text, n, 1, &out->words, &out->count, e))
        return err_prefix(e, "%s", path);
    return true;
}
