// SPDX-License-Identifier: Apache-2.0
//
// Targets `clang-hlsl`, `glslang` and `glslang-hlsl`: compilers of a language, run as commands. The
// module is printed in that language; the oracle runs the compiler's output.
//
// clang runs directly as cc1, through the loader of LLVM's private root: clang's driver would start
// itself again without that loader.
#include "command.h"

#include <stdlib.h>
#include <string.h>
#include <unistd.h>

enum { LLVM_VERSION = 23 };

// The properties of each compiler.
static const struct row {
    const char *kind, *place, *name, *ending;
    enum print_language language;
    bool narrow;     // the printed code uses only the first word of a ballot
    bool loses_mode; // MaximallyReconvergesKHR is added to the output again
} rows[] = {
    {"clang-hlsl", "clang-hlsl:-O3", "clang", "hlsl", PRINT_HLSL, true, false},
    {"glslang", "glslang", "glslang", "comp", PRINT_GLSL, false, false},
    {"glslang-hlsl", "glslang-hlsl", "glslang, HLSL", "hlsl", PRINT_HLSL_PLAIN, true, true},
};

static const struct row *row_of(const struct run_stage *s)
{
    const struct row *r = rows;
    while (strcmp(r->kind, s->name) != 0)
        r++;
    return r;
}

struct compiler {
    const struct row *row;
    char folder[200];
    const char *in, *out;
    const char *log; // file for its output; NULL: command_run keeps it
    char *const *words;
    double seconds;
    bool limited; // clang lists the passes that it runs
};

static const char *root(struct arena *a)
{
    const char *other = getenv("TANGLEFUZZ_LLVM_DIR");
    return arena_printf(a, "%s/%d", other && other[0] ? other : TANGLEFUZZ_LLVM_DIR, LLVM_VERSION);
}

// ---- clang-hlsl ------------------------------------------------------------------------

// Parses "-O1" to "-O3" (default -O3) and "limit=N": only the first N passes, as -opt-bisect-limit
// counts them, including optional passes of the back end. *limit: UINT32_MAX if not given.
static bool read_clang(const struct run_stage *s, const char **level, uint32_t *limit,
                       struct err *e)
{
    static const char *const levels[] = {"-O3", "-O2", "-O1"};
    *level = levels[0];
    *limit = UINT32_MAX;
    for (uint32_t i = 0; i < s->count; i++) {
        const struct run_option *o = &s->option[i];
        bool known = false;
        for (size_t k = 0; k < sizeof levels / sizeof *levels && !i; k++)
            if (!o->key[0] && strcmp(o->value, levels[k]) == 0) {
                *level = levels[k];
                known = true;
            }
        if (known)
            continue;
        if (!i && !o->key[0])
            return err_set(e, "clang-hlsl: '%.100s': the options are -O1, -O2 or -O3, then limit=N",
                           o->value);
        if (strcmp(o->key, "limit") != 0 || !parse_u32(o->value, strlen(o->value), limit) ||
            *limit > INT32_MAX)
            return err_set(e, "clang-hlsl: '%.40s=%.60s': expected limit=N, with N below 2^31",
                           o->key, o->value);
    }
    return true;
}

static bool plan_clang(struct arena *a, const struct run_stage *s, const struct run_options *o,
                       struct run_plan *out, struct err *e)
{
    const char *level;
    uint32_t limit;
    (void)o;
    *out = (struct run_plan){0};
    if (!read_clang(s, &level, &limit, e))
        return false;
    if (access(arena_printf(a, "%s/usr/lib/llvm-%d/bin/clang", root(a), LLVM_VERSION), R_OK) != 0)
        return err_set(
            e,
            "clang-hlsl: clang %d is not here (scripts/llvm.sh downloads it into the build "
            "folder, and installs nothing)",
            LLVM_VERSION);
    return true;
}

static const char **clang_words(struct arena *a, const struct compiler *c, const char *level,
                                uint32_t limit)
{
    const char *dir = root(a), *llvm = arena_printf(a, "%s/usr/lib/llvm-%d", dir, LLVM_VERSION);
    const bool limited = limit != UINT32_MAX;
    const char *words[] = {
        // All output, including the stack of a crash, goes to a file.
        "/bin/sh", "-c", "exec \"$@\" 2>\"$0\"", c->log, arena_printf(a, "%s/loader", dir),
        "--library-path", arena_printf(a, "%s/libs:%s/lib", dir, llvm),
        arena_printf(a, "%s/bin/clang", llvm), "-cc1", "-triple",
        "spirv1.6-unknown-vulkan1.3-compute", level, "-emit-obj",
        // As clang's driver does; with the verifier many programs would fail here.
        "-disable-llvm-verifier", "-hlsl-entry", "main", "-fspv-enable-maximal-reconvergence",
        "-mllvm", "-spirv-ext=+SPV_KHR_maximal_reconvergence", "-w", "-o", c->out, "-x", "hlsl",
        c->in, limited ? "-mllvm" : NULL, arena_printf(a, "-opt-bisect-limit=%u", limit), NULL};
    return arena_copy(a, words, sizeof words);
}

// ---- glslang ---------------------------------------------------------------------------

static const char *find_glslang(struct arena *a)
{
    const char *places[] = {arena_printf(a, "%s/bin/glslang", root(a)),
                            arena_printf(a, "%s/sid/bin/glslang", command_tools(a)), "glslang"};
    for (size_t i = 0; i < sizeof places / sizeof *places; i++)
        if (command_there(a, "glslang", places[i], NULL))
            return places[i];
    return NULL;
}

// Returns glslang's optional flag, "-Od" by default. NULL with a line in `e`.
static const char *glslang_flag(const struct run_stage *s, struct err *e)
{
    if (!s->count)
        return "-Od";
    if (s->count == 1 && strcmp(s->option[0].value, "-Os") == 0)
        return "-Os";
    err_set(e, "%s: '%.100s': the only option is -Os", s->name, s->option[0].value);
    return NULL;
}

static bool plan_glslang(struct arena *a, const struct run_stage *s, const struct run_options *o,
                         struct run_plan *out, struct err *e)
{
    (void)o;
    *out = (struct run_plan){0};
    if (!glslang_flag(s, e))
        return false;
    if (!find_glslang(a))
        return err_set(e,
                       "%s: glslang is not installed (scripts/drivers.sh get tools-sid, or "
                       "scripts/llvm.sh, downloads it into the build folder)",
                       s->name);
    return true;
}

// glslang has separate front ends for HLSL and GLSL.
static const char **glslang_words(struct arena *a, const struct compiler *c, const char *flag)
{
    const char *glsl[] = {find_glslang(a), "-V", "--target-env", "vulkan1.3", "-S", "comp", flag,
                          c->in,           "-o", c->out,         NULL};
    const char *hlsl[] = {find_glslang(a), "-D", "-V",   "--target-env", "vulkan1.3", "-S",
                          "comp",          "-e", "main", flag,           c->in,       "-o",
                          c->out,          NULL};
    return c->row->language == PRINT_GLSL ? arena_copy(a, glsl, sizeof glsl)
                                          : arena_copy(a, hlsl, sizeof hlsl);
}

// ---- all compilers -----------------------------------------------------------------------

static const char *version_of(struct arena *a, const struct row *row, const char *folder)
{
    return row->language == PRINT_HLSL ? version_read(a, arena_printf(a, "%s/version", root(a)))
                                       : command_version(a, find_glslang(a), folder);
}

static void *open_compiler(struct arena *a, const struct run_stage *s, const struct run_options *o,
                           struct run_info *info, struct err *e)
{
    struct compiler *c = ARENA_NEW(a, struct compiler);
    const bool clang = row_of(s)->language == PRINT_HLSL;
    const char *level;
    uint32_t limit = UINT32_MAX;
    c->row = row_of(s);
    // Most of the job's time: a command is delayed more by a busy machine than a worker is.
    c->seconds = o->job_seconds * 0.75;
    if ((clang && !read_clang(s, &level, &limit, e)) ||
        !dir_temporary(c->folder, sizeof c->folder, e))
        return NULL;
    c->in = arena_printf(a, "%s/in.%s", c->folder, c->row->ending);
    c->out = arena_printf(a, "%s/out.spv", c->folder);
    c->log = clang ? arena_printf(a, "%s/output", c->folder) : NULL;
    c->limited = limit != UINT32_MAX;
    c->words = (char *const *)(clang ? clang_words(a, c, level, limit)
                                     : glslang_words(a, c, glslang_flag(s, NULL)));
    compiler_info(info, s, c->row->name, version_of(a, c->row, c->folder));
    if (c->row->narrow)
        info->subgroup_max = 32;
    return c;
}

static void close_compiler(void *state)
{
    dir_remove(((struct compiler *)state)->folder);
}

// Condenses clang's output: how it ended, the pass that was running, and its first error.
static void clang_text(struct arena *a, const struct compiler *c, struct run_result *r)
{
    static const char *const marks[] = {"error in backend: ", "LLVM ERROR: ", "error: "};
    char *text, *at = NULL, *pass = NULL, ended[80], line[300] = "";
    size_t n;
    if (!file_read(a, c->log, 1 << 20, &text, &n, NULL))
        return;
    for (size_t i = 0; i < sizeof marks / sizeof *marks && !at; i++)
        if ((at = strstr(text, marks[i])))
            one_line(line, sizeof line, at + strlen(marks[i]),
                     strcspn(at + strlen(marks[i]), "\n"));
    for (char *p = text; (p = strstr(p, "Running pass '")); p++)
        pass = p + strlen("Running pass '");
    snprintf(ended, sizeof ended, "%.*s", (int)strcspn(r->text, ":"), r->text);
    snprintf(r->text, sizeof r->text, "%s%s%.*s%s%s%s", ended, pass ? " in pass '" : "",
             pass ? (int)strcspn(pass, "'\n") : 0, pass ? pass : "", pass ? "'" : "",
             line[0] ? ": " : "", line);
}

// The last pass that the limit allowed, and the IR unit it ran on: "licm on loop ...".
static const char *last_pass(struct arena *a, const struct compiler *c)
{
    static const char mark[] = "BISECT: running pass (";
    char *text, *found = NULL;
    size_t n;
    if (!file_read(a, c->log, 1 << 24, &text, &n, NULL))
        return NULL;
    for (char *at = text; (at = strstr(at, mark)); at++)
        found = at;
    found = found ? strstr(found, ") ") : NULL;
    return found ? arena_strn(a, found + 2, strcspn(found + 2, "\n")) : NULL;
}

static void compile(const struct compiler *c, struct arena *a, const struct run_job *job,
                    struct run_result *r)
{
    struct text text;
    struct err e = {0};
    unlink(c->out);
    if (!print_job(a, c->row->language, job, &text, r))
        return;
    if (!file_put(c->in, text.v, text.n, false, &e)) {
        result_set(r, RUN_FAILED, &e);
        return;
    }
    command_run(c->words, c->folder, c->seconds, 0, a, r);
    if (c->log && r->status != RUN_OK)
        clang_text(a, c, r);
    if (c->limited)
        r->driver_text = last_pass(a, c);
    if (r->status == RUN_OK && module_read(a, c->out, r) && c->row->loses_mode)
        mode_restore(a, &job->cases[0], r);
}

static bool run(void *state, struct arena *a, const struct run_job *job, struct run_sink *sink)
{
    struct run_result r = {.status = RUN_OK};
    struct run_time start = run_time_now();
    compile(state, a, job, &r);
    run_time_add(&r, run_time_since(start));
    return result_all(job, sink, &r) || (close_compiler(state), false);
}

static uint32_t list(struct arena *a, const char *spec, const struct run_stage *s,
                     struct run_listed **out)
{
    char folder[sizeof((struct compiler *)0)->folder];
    if (!dir_temporary(folder, sizeof folder, NULL))
        return 0;
    const char *version = version_of(a, row_of(s), folder);
    dir_remove(folder);
    return list_compiler(a, spec, s, row_of(s)->name, version, out);
}

#define BACKEND(name, row, plans)                                                                  \
    static uint32_t name##_places(struct arena *a, const char ***specs)                            \
    {                                                                                              \
        return one_place(a, rows[row].place, specs);                                               \
    }                                                                                              \
    const struct run_backend name##_backend = {                                                    \
        .plan = plans,                                                                             \
        .places = name##_places,                                                                   \
        .open = open_compiler,                                                                     \
        .run = run,                                                                                \
        .close = close_compiler,                                                                   \
        .list = list,                                                                              \
    };
BACKEND(clang, 0, plan_clang)
BACKEND(glslang, 1, plan_glslang)
BACKEND(glslang_hlsl, 2, plan_glslang)
