// SPDX-License-Identifier: Apache-2.0
//
// Reads a shader file and produces SPIR-V. Runs glslang as a program for GLSL and HLSL, naga or
// Tint for WGSL.
#define _POSIX_C_SOURCE 200809L
#include "portable_inner.h"

#include <fcntl.h>
#include <spawn.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>

extern char **environ;

enum { HLSL_BOTH_SIDES = 2018 }; // the last standard without short-circuit evaluation

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

// The compiler's words: its first error, else its first warning, else its first line.
static const char *first_error(struct arena *a, const char *output)
{
    static const char *const marks[] = {"ERROR: ", "Error: ", "WARNING: "};
    char *text = NULL;
    size_t n = 0;
    struct err e;
    if (!file_read(a, output, 1 << 20, &text, &n, &e) || !n)
        return "the compiler printed no message";
    const char *at = NULL;
    for (size_t k = 0; k < sizeof marks / sizeof *marks && !at; k++)
        at = strstr(text, marks[k]);
    at = at ? at : text;
    return text_printable(a, arena_strn(a, at, strcspn(at, "\n")));
}

// ---- #include ---------------------------------------------------------------------

// Writes a copy of a GLSL shader that includes files without the extension that glslang needs for
// it, with the extension, as glslc compiles it. False: it needs none, or has no #version.
static bool with_include(struct arena *a, const char *path, const char *copy)
{
    static const char extension[] = "GL_GOOGLE_include_directive";
    char *source = NULL;
    size_t n = 0;
    struct err e;
    struct text t = {.arena = a};
    if (!file_read(a, path, 1 << 26, &source, &n, &e) || strstr(source, extension) ||
        !strstr(source, "#include"))
        return false;
    const char *version = strstr(source, "#version"), *end = version ? strchr(version, '\n') : NULL;
    uint32_t line = 2;
    if (!end)
        return false;
    for (const char *p = source; p < end; p++)
        line += *p == '\n';
    text_add(&t, "%.*s#extension %s : require\n#line %u\n%s", (int)(end + 1 - source), source,
             extension, line, end + 1);
    return file_write(copy, t.v, t.n, &e);
}

// Replaces the name of the copy in the module's OpString instructions by that of the shader.
static void rename_source(struct arena *a, struct spv_case *c, const char *copy, const char *path)
{
    struct words out = {0};
    for (size_t k = 0; k < c->count;) {
        const uint32_t n = k < 5 ? 1 : c->words[k] >> 16;
        const char *name =
            k >= 5 && (c->words[k] & 0xffff) == SpvOpString && n > 2 && n <= c->count - k
                ? spv_string(c->words + k + 2, n - 2)
                : NULL;
        if (!n || n > c->count - k)
            return; // not a module: spv_module_read says so
        if (name && strcmp(name, copy) == 0) {
            struct words string = {0};
            spv_string_words(a, &string, path);
            *VEC_PUSH(a, &out) = (uint32_t)(string.n + 2) << 16 | SpvOpString;
            *VEC_PUSH(a, &out) = c->words[k + 1];
            for (size_t j = 0; j < string.n; j++)
                *VEC_PUSH(a, &out) = string.v[j];
        } else {
            for (uint32_t j = 0; j < n; j++)
                *VEC_PUSH(a, &out) = c->words[k + j];
        }
        k += n;
    }
    c->words = out.v;
    c->count = out.n;
}

// ---- glslang ----------------------------------------------------------------------

typedef VEC(char *) arguments;

static void add(struct arena *a, arguments *to, const char *word)
{
    *VEC_PUSH(a, to) = arena_str(a, word);
}

// The command line. HLSL: the registers t, u, b and s get different bindings.
static arguments command(struct arena *a, bool hlsl, const struct por_compile *how,
                         const char *folder, const char *words, const char *path)
{
    static const char *const common[] = {"",   "-V",   "--target-env",        "vulkan1.3", "-g",
                                         "-S", "comp", "--auto-map-bindings", "-o"};
    static const char *const shifts[] = {"-D",  "--sbb", "100", "--sib", "150", "--scb",
                                         "200", "--ssb", "300", "--stb", "400", "-e"};
    arguments out = {0};
    for (size_t k = 0; k < sizeof common / sizeof *common; k++)
        add(a, &out, common[k]);
    add(a, &out, words);
    for (size_t k = 0; hlsl && k < sizeof shifts / sizeof *shifts; k++)
        add(a, &out, shifts[k]);
    if (hlsl)
        add(a, &out, how && how->entry ? how->entry : "main");
    for (uint32_t k = 0; how && k < how->defines; k++)
        add(a, &out, arena_printf(a, "-D%s", how->define[k]));
    for (uint32_t k = 0; how && k < how->includes; k++)
        add(a, &out, arena_printf(a, "-I%s", how->include[k]));
    add(a, &out, arena_printf(a, "-I%s", folder));
    add(a, &out, path);
    *VEC_PUSH(a, &out) = NULL;
    return out;
}

// glslang assigns one binding to the buffers of registers t and u: moves those that are only read.
static void part_registers(struct arena *a, struct spv_case *c, uint32_t *words)
{
    enum { REGISTER_GAP = 400 };
    struct spv_module m;
    struct err e;
    if (!spv_module_read(a, c->words, c->count, &m, &e))
        return;
    for (uint32_t k = 0; k < m.inst_count && m.insts[k].op != SpvOpFunction; k++) {
        const struct spv_inst *s = &m.insts[k];
        const struct spv_inst *d =
                                  s->op == SpvOpDecorate && s->n == 3 ? spv_def(&m, s->v[0]) : NULL,
                              *pointer = d && d->op == SpvOpVariable ? spv_def(&m, d->type) : NULL;
        bool reads = false;
        if (!pointer || pointer->n < 2 || s->v[1] != SpvDecorationBinding)
            continue;
        for (uint32_t j = 0; j < m.inst_count && m.insts[j].op != SpvOpFunction && !reads; j++)
            reads = m.insts[j].op == SpvOpMemberDecorate && m.insts[j].v[0] == pointer->v[1] &&
                    m.insts[j].v[2] == SpvDecorationNonWritable;
        if (reads)
            words[s->v + 2 - m.words] += REGISTER_GAP;
    }
}

static bool compiled(struct arena *a, const char *words, const char *path, bool hlsl,
                     struct spv_case *out, struct err *e)
{
    char *data = NULL;
    size_t n = 0;
    if (!file_read(a, words, 1 << 26, &data, &n, e))
        return false;
    *out = (struct spv_case){.words = (const uint32_t *)(const void *)data,
                             .count = n / 4,
                             .groups = {1, 1, 1},
                             .model = SPV_ASSUMED_MAXIMAL,
                             .path = path};
    if (hlsl)
        part_registers(a, out, (uint32_t *)(void *)data);
    return true;
}

// WGSL: the programs in question, in turn. Their output has no lines.
static bool from_wgsl(struct arena *a, const char *path, const struct por_compile *how,
                      const char *words, const char *output, int *status)
{
    char *file = arena_str(a, path), *to = arena_str(a, words);
    char *const naga[] = {arena_str(a, how && how->naga ? how->naga : "naga"), file, to, NULL},
                *const other[] = {arena_str(a, "naga"), file, to, NULL},
                *const tint[] = {arena_str(a, "tint"),
                                 arena_str(a, "--format"),
                                 arena_str(a, "spirv"),
                                 file,
                                 arena_str(a, "-o"),
                                 to,
                                 NULL};
    return run(naga, output, status) || run(other, output, status) || run(tint, output, status);
}

// Leaves only the entry point of that name, if the module has it; without a name, the first one for
// compute.
static bool one_entry(struct arena *a, struct spv_case *c, const char *name)
{
    struct words out = {0};
    struct spv_module m;
    struct err e;
    uint32_t kept = 0;
    if (!spv_module_read(a, c->words, c->count, &m, &e))
        return false;
    for (uint32_t k = 0; k < m.inst_count && !kept; k++) {
        const struct spv_inst *s = &m.insts[k];
        const char *is = s->op == SpvOpEntryPoint ? spv_string(s->v + 2, s->n - 2u) : NULL;
        if (is && s->v[0] == SpvExecutionModelGLCompute && (!name || strcmp(is, name) == 0))
            kept = s->v[1];
    }
    for (size_t k = 0; k < c->count && kept;) {
        const uint32_t n = k < 5 ? 1 : c->words[k] >> 16, op = k < 5 ? 0 : c->words[k] & 0xffff;
        const bool drop = (op == SpvOpEntryPoint && c->words[k + 2] != kept) ||
                          (op == SpvOpExecutionMode && c->words[k + 1] != kept);
        for (uint32_t j = 0; !drop && j < n; j++)
            *VEC_PUSH(a, &out) = c->words[k + j];
        k += n;
    }
    c->words = out.v;
    c->count = out.n;
    return kept != 0;
}

static bool wgsl(struct arena *a, const char *path, const struct por_compile *how,
                 struct spv_case *out, struct err *e)
{
    const char *tmp = getenv("TMPDIR");
    char *folder = arena_printf(a, "%s/tanglefuzz-portable-XXXXXX", tmp && tmp[0] ? tmp : "/tmp");
    int status = 0;
    bool ok = false;
    if (access(path, F_OK) != 0)
        return err_set(e, "%s: no such file", path);
    if (!mkdtemp(folder))
        return err_set(e, "%s: cannot create a temporary folder", path);
    char *words = arena_printf(a, "%s/out.spv", folder),
         *output = arena_printf(a, "%s/output", folder);
    if (!from_wgsl(a, path, how, words, output, &status))
        err_set(e,
                "%s: cannot be compiled: neither naga nor tint was found (cargo install naga-cli, "
                "or scripts/drivers.sh get naga; or provide SPIR-V)",
                path);
    else if (status)
        err_set(e, "%s: %s", path, first_error(a, output));
    else
        ok = compiled(a, words, path, false, out, e);
    if (ok && !one_entry(a, out, how ? how->entry : NULL))
        ok = err_set(e, "%s: no entry point %s for compute (--entry NAME)", path,
                     how && how->entry ? how->entry : "");
    unlink(words);
    unlink(output);
    rmdir(folder);
    return ok;
}

static bool compile(struct arena *a, const char *path, bool hlsl, const struct por_compile *how,
                    struct spv_case *out, struct err *e)
{
    static const char *const programs[] = {"glslangValidator", "glslang"};
    const char *tmp = getenv("TMPDIR");
    char *folder = arena_printf(a, "%s/tanglefuzz-portable-XXXXXX", tmp && tmp[0] ? tmp : "/tmp");
    if (access(path, F_OK) != 0)
        return err_set(e, "%s: no such file", path);
    if (!mkdtemp(folder))
        return err_set(e, "%s: cannot create a temporary folder in %s", path,
                       tmp && tmp[0] ? tmp : "/tmp");
    char *words = arena_printf(a, "%s/out.spv", folder),
         *output = arena_printf(a, "%s/output", folder),
         *copy = arena_printf(a, "%s/copy.comp", folder);
    const char *slash = strrchr(path, '/');
    const bool copied = !hlsl && with_include(a, path, copy);
    arguments call =
        command(a, hlsl, how, slash ? arena_strn(a, path, (size_t)(slash - path)) : ".", words,
                copied ? copy : path);
    int status = 0;
    bool there = false, ok = false;
    for (size_t k = 0; k < sizeof programs / sizeof *programs && !there; k++) {
        call.v[0] = arena_str(a, programs[k]);
        there = run(call.v, output, &status);
    }
    if (!there)
        err_set(e,
                "%s: cannot be compiled: neither glslangValidator nor glslang was "
                "found (package glslang-tools; or provide SPIR-V)",
                path);
    else if (status)
        err_set(e, "%s: %s%s", path, first_error(a, output),
                hlsl && !(how && how->entry) ? " (--entry NAME: another entry point than main)"
                                             : "");
    else
        ok = compiled(a, words, path, hlsl, out, e);
    if (ok && copied)
        rename_source(a, out, copy, path);
    if (ok)
        por_older(a, out);
    if (ok && hlsl && !(how && how->hlsl == HLSL_BOTH_SIDES))
        por_short_circuit(a, out);
    unlink(words);
    unlink(output);
    unlink(copy);
    rmdir(folder);
    return ok;
}

// Languages that are not read, each with a command that makes SPIR-V of it.
static const struct {
    const char *end, *language, *make;
} refused[] = {
    {".slang", "Slang", "slangc FILE -target spirv -g -entry NAME -stage compute -o FILE.spv"},
    {".compute", "Unity HLSL", "dxc -T cs_6_0 -E NAME -spirv -Zi FILE -Fo FILE.spv"},
    {".cl", "OpenCL C", "clspv FILE -o FILE.spv"},
    {".metal", "Metal", "none: port it to GLSL, HLSL or WGSL"},
};

bool por_read(struct spv_tools *t, struct arena *a, const char *path, const struct por_compile *how,
              struct spv_case *out, bool *is_case, struct err *e)
{
    static const char mark[] = "; tanglefuzz-case";
    *is_case = false;
    const bool hlsl = ends_with(path, ".hlsl");
    for (size_t k = 0; k < sizeof refused / sizeof *refused; k++)
        if (ends_with(path, refused[k].end))
            return err_set(e, "%s: %s is not read here; give the SPIR-V that this makes: %s", path,
                           refused[k].language, refused[k].make);
    if (hlsl || ends_with(path, ".comp") || ends_with(path, ".glsl"))
        return compile(a, path, hlsl, how, out, e);
    if (ends_with(path, ".wgsl"))
        return wgsl(a, path, how, out, e);
    if (ends_with(path, ".spv")) {
        if (!spv_case_read(t, a, path, out, e))
            return false;
        por_older(a, out);
        if (how && how->hlsl && how->hlsl != HLSL_BOTH_SIDES)
            por_short_circuit(a, out);
        return true;
    }
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
    por_older(a, out);
    return true;
}
