// SPDX-License-Identifier: Apache-2.0
//
// tanglefuzz portable: reports what a shader's results depend on. tanglefuzz case: writes the
// shader with the inputs that portable uses.
#define _POSIX_C_SOURCE 200809L
#include "args.h"
#include "portable_json.h"
#include "watch.h"

#include "runners/runners.h"

#include <string.h>
#include <unistd.h>

struct given {
    const char *out;
    const char *entry;
    const char *sizes;
    struct arg_texts data, set, include, define, unordered;
    uint32_t subgroup, workgroups, hlsl;
    bool json, sarif, strict, watch;
    const char *baseline, *update;
};

// Reads "push=FILE" or "SET:BINDING=FILE": the bytes of a file, padded with 0 to a multiple of 4.
// Sets *is if `text` has that form. False with a message in x->e.
static bool raw_of(struct context *x, const char *text, struct por_given *to, bool *is)
{
    uint64_t set = 0, binding = 0;
    const char *file = strchr(text, '='), *colon = strchr(text, ':');
    const bool push = strncmp(text, "push=", 5) == 0;
    char *bytes;
    size_t size;
    *is = push || (file && colon && colon < file && parse_u64(text, (size_t)(colon - text), &set) &&
                   parse_u64(colon + 1, (size_t)(file - colon - 1), &binding));
    if (!*is)
        return true;
    const size_t limit = push ? sizeof to->push : (size_t)SPV_CASE_BUFFER_WORDS * 4;
    if (!file_read(&x->arena, file + 1, limit, &bytes, &size, &x->e))
        return false;
    const size_t count = (size + 3) / 4;
    if (!size || set > 31 || binding > 65535 || (!push && to->buffer_count == SPV_CASE_BUFFERS))
        return err_set(&x->e,
                       !size ? "%s is empty" : "%s: not a buffer of a case, or too many buffers",
                       !size ? file + 1 : text);
    uint32_t *words = ARENA_ARRAY(&x->arena, uint32_t, count);
    memcpy(words, bytes, size);
    if (push) {
        memcpy(to->push, words, count * sizeof *words);
        to->push_count = (uint32_t)count;
        return true;
    }
    to->buffer[to->buffer_count++] = (struct spv_buffer){.set = (uint32_t)set,
                                                         .binding = (uint32_t)binding,
                                                         .fill = SPV_FILL_WORDS,
                                                         .count = (uint32_t)count,
                                                         .words = words};
    return true;
}

// Reads the files of a folder: push.bin, SET-BINDING.bin. *is: it is a folder.
static bool folder_of(struct context *x, const char *folder, struct por_given *to, bool *is)
{
    const char **names;
    size_t n;
    *is = dir_exists(folder);
    if (!*is)
        return true;
    if (!dir_list(&x->arena, folder, &names, &n, &x->e))
        return false;
    for (size_t k = 0; k < n; k++) {
        const size_t set = strspn(names[k], "0123456789"),
                     binding = names[k][set] == '-' ? strspn(names[k] + set + 1, "0123456789") : 0;
        const bool push = strcmp(names[k], "push.bin") == 0;
        bool raw;
        if (!push && (!set || !binding || strcmp(names[k] + set + 1 + binding, ".bin") != 0))
            return err_set(&x->e, "%s/%s: not push.bin or SET-BINDING.bin (as 0-1.bin)", folder,
                           names[k]);
        const char *text = push ? arena_printf(&x->arena, "push=%s/%s", folder, names[k])
                                : arena_printf(&x->arena, "%.*s:%.*s=%s/%s", (int)set, names[k],
                                               (int)binding, names[k] + set + 1, folder, names[k]);
        if (!raw_of(x, text, to, &raw))
            return false;
    }
    return n || err_set(&x->e, "%s: no push.bin or SET-BINDING.bin in it", folder);
}

// Reads --data: "zero", a seed, a case file whose buffers, push constants and specialisation are
// used, or raw bytes.
static bool data_of(struct context *x, const struct given *g, struct por_given *to)
{
    *to = (struct por_given){.fill = POR_TRIED, .workgroups = g->workgroups};
    for (uint32_t k = 0; k < g->data.n; k++) {
        const char *text = g->data.v[k];
        uint64_t seed;
        bool raw, folder = false;
        if (!raw_of(x, text, to, &raw) || (!raw && !folder_of(x, text, to, &folder))) {
            err_prefix(&x->e, "--data");
            return false;
        }
        if (raw || folder)
            continue;
        if (strcmp(text, "zero") == 0) {
            to->fill = POR_ZERO;
        } else if (parse_u64(text, strlen(text), &seed)) {
            to->fill = POR_SEEDED;
            to->seed = seed ? seed : 1;
        } else {
            struct spv_case *c = ARENA_NEW(&x->arena, struct spv_case);
            if (!spv_case_read(x->tools, &x->arena, text, c, &x->e)) {
                err_prefix(&x->e,
                           "--data (zero, a seed, a case file, SET:BINDING=FILE, push=FILE)");
                return false;
            }
            to->data = c;
        }
    }
    return true;
}

static bool read_shader(struct context *x, const struct given *g, struct spv_case *c, bool *own,
                        struct por_given *to)
{
    const char *naga = arena_printf(&x->arena, "%s/naga/bin/naga", run_tools(&x->arena));
    const struct por_compile how = {.entry = g->entry,
                                    .naga = naga,
                                    .include = g->include.v,
                                    .includes = g->include.n,
                                    .define = g->define.v,
                                    .defines = g->define.n,
                                    .hlsl = g->hlsl};
    if (g->hlsl && g->hlsl != 2018 && g->hlsl != 2021)
        return err_set(&x->e, "--hlsl %u: 2018 or 2021", g->hlsl);
    if (!data_of(x, g, to))
        return false;
    to->set = g->set.v;
    to->sets = g->set.n;
    to->unordered = g->unordered.v;
    to->unordered_count = g->unordered.n;
    return por_read(x->tools, &x->arena, x->words[0], &how, c, own, &x->e) &&
           por_check_sets(&x->arena, c, to, &x->e);
}

// The subgroup sizes to judge: --subgroup N, --sizes A-B, or all. Returns their number; 0 with a
// message in x->e.
static uint32_t sizes_of(struct context *x, const struct given *g, uint32_t size[POR_SIZES])
{
    uint64_t first = 4, last = 128;
    uint32_t n = 0;
    const char *dash = g->sizes ? strchr(g->sizes, '-') : NULL;
    if (g->subgroup) {
        size[0] = g->subgroup;
        return 1;
    }
    const bool ok = !g->sizes || (dash && parse_u64(g->sizes, (size_t)(dash - g->sizes), &first) &&
                                  parse_u64(dash + 1, strlen(dash + 1), &last));
    for (uint32_t k = 4; ok && k <= 128; k *= 2)
        if (k >= first && k <= last)
            size[n++] = k;
    if (!n)
        err_set(&x->e, "--sizes %s: two sizes of 4 to 128, as 16-64", g->sizes);
    return n;
}

static bool is_svg(const char *path)
{
    const size_t n = strlen(path);
    return n > 4 && strcmp(path + n - 4, ".svg") == 0;
}

// Reads a baseline; a file that is to be written need not exist.
static bool baseline_of(struct context *x, const char *path, bool must, const char **text)
{
    char *data = NULL;
    size_t n = 0;
    *text = "";
    if (!must && access(path, F_OK) != 0)
        return true;
    if (!file_read(&x->arena, path, 1 << 24, &data, &n, &x->e))
        return false;
    *text = arena_strn(&x->arena, data, n);
    return true;
}

static bool known(struct context *x, const struct given *g, struct por_answer *w)
{
    const char *path = x->words[0], *text;
    struct text t = {.arena = &x->arena};
    uint32_t n = 0;
    if (g->update) {
        if (!baseline_of(x, g->update, false, &text))
            return false;
        por_write_baseline(w, path, &x->arena, text, &t);
        if (!file_write(g->update, t.n ? t.v : "", t.n, &x->e))
            return false;
    }
    const char *from = g->baseline ? g->baseline : g->update;
    if (!from)
        return true;
    if (!baseline_of(x, from, true, &text))
        return err_prefix(&x->e, "--baseline");
    n = por_take_baseline(w, path, &x->arena, text);
    if (n)
        *VEC_PUSH(&x->arena, &w->notes) =
            arena_printf(&x->arena, "%u result%s known, and not counted: %s has %s", n,
                         n == 1 ? " is" : "s are", from, n == 1 ? "it" : "them");
    return true;
}

static int once(struct context *x, const void *user)
{
    const struct given *g = user;
    uint32_t size[POR_SIZES];
    const char *path = x->words[0];
    struct por_given to;
    struct por_answer *w = ARENA_NEW(&x->arena, struct por_answer);
    struct spv_case *c = ARENA_NEW(&x->arena, struct spv_case);
    struct text t = {.arena = &x->arena};
    bool own;
    if (g->json && g->sarif)
        return complain(x, "--json and --sarif exclude each other: choose one");
    const uint32_t sizes = sizes_of(x, g, size);
    if (!sizes || !read_shader(x, g, c, &own, &to))
        return refuse(x);
    por_ask(&x->arena, c, own, &to, size, sizes, w);
    if (!known(x, g, w))
        return refuse(x);
    if (g->json)
        portable_json(w, path, &t);
    else if (g->sarif)
        portable_sarif(w, path, &t);
    else if (g->out && is_svg(g->out))
        por_svg(w, path, &x->arena, &t);
    else
        por_text(w, path, &x->arena, &t);
    if (!g->out)
        say_text(&t);
    else if (!file_write(g->out, t.v, t.n, &x->e))
        return refuse(x);
    const enum por_status verdict = por_verdict_left(w);
    switch (verdict) {
    case POR_PORTABLE:
        return STATUS_GOOD;
    case POR_LETTER:
        return g->strict ? STATUS_FOUND : STATUS_GOOD;
    case POR_UNREACHED:
    case POR_UNKNOWN:
        return STATUS_BAD;
    default:
        return STATUS_FOUND;
    }
}

static int run(struct context *x, void *user)
{
    const struct given *g = user;
    return g->watch ? watch_folders(x, g->include.v, g->include.n, g->out, once, g) : once(x, g);
}

static int make_case(struct context *x, void *user)
{
    const struct given *g = user;
    struct por_given to;
    struct por_answer *w = ARENA_NEW(&x->arena, struct por_answer);
    struct spv_case *c = ARENA_NEW(&x->arena, struct spv_case);
    struct text t = {.arena = &x->arena};
    const uint32_t size = g->subgroup ? g->subgroup : 32;
    bool own;
    if (!read_shader(x, g, c, &own, &to))
        return refuse(x);
    por_ask(&x->arena, c, own, &to, &size, 1, w);
    if (!w->c.words)
        return complain(x, "%s: %s", x->words[0], w->cell[0][0].reason.text);
    w->c.subgroup = size;
    w->c.from =
        arena_printf(&x->arena, "tanglefuzz case, of %s", text_printable(&x->arena, x->words[0]));
    if (!spv_case_print(x->tools, &w->c, &t, &x->e))
        return refuse(x);
    if (!g->out)
        say_text(&t);
    else if (!file_write(g->out, t.v, t.n, &x->e))
        return refuse(x);
    return STATUS_GOOD;
}

#define DATA                                                                                       \
    OPT_TEXTS("data", 0, "D",                                                                      \
              "inputs: zero, a seed, a case file (its buffers, push constants and\n"               \
              "specialisation), raw bytes (SET:BINDING=FILE, push=FILE), or a folder\n"            \
              "with SET-BINDING.bin and push.bin; may be repeated; default: several\n"             \
              "generated sets",                                                                    \
              data)
#define SOURCE                                                                                     \
    OPT_TEXTS("set", 0, "NAME=VALUE",                                                              \
              "a number of a push constant or buffer, or a specialisation constant;\n"             \
              "may be repeated",                                                                   \
              set),                                                                                \
        OPT_TEXT("entry", 'e', "NAME", "HLSL, WGSL: the entry point; default: main", entry),       \
        OPT_U32("hlsl", 0, "YEAR",                                                                 \
                "HLSL: 2018 evaluates both sides of ?:, && and ||; default: 2021", hlsl, 2018,     \
                2021),                                                                             \
        OPT_TEXTS("include", 'I', "DIR", "folder of included files; may be repeated", include),    \
        OPT_TEXTS("define", 'D', "NAME=VALUE", "preprocessor definition; may be repeated", define)
#define WORKGROUPS                                                                                 \
    OPT_U32("workgroups", 0, "N", "number of workgroups; default 2, or the case's own",            \
            workgroups, 1, 65535)

static const struct arg_option options[] = {
    OPT_LANES("subgroup", "one subgroup size; default: all from 4 to 128", subgroup, 1),
    OPT_TEXT("sizes", 0, "A-B", "the subgroup sizes from A to B, as 16-64", sizes),
    OPT_TEXTS("unordered", 0, "BUFFER",
              "a buffer, by name or SET:BINDING, whose elements have no order:\n"
              "a list that an atomic counter fills; may be repeated",
              unordered),
    WORKGROUPS,
    DATA,
    SOURCE,
    OPT_FLAG("json", 0, "print JSON", json),
    OPT_TEXT("baseline", 0, "FILE", "results that FILE knows do not count for the exit status",
             baseline),
    OPT_TEXT("update-baseline", 0, "FILE", "write the results of this shader to FILE", update),
    OPT_FLAG("watch", 0, "check again when a file next to the shader or in -I changes", watch),
    OPT_FLAG("strict", 0, "exit status 1 also for what is undefined by the letter only", strict),
    OPT_FLAG("sarif", 0, "print SARIF, for editors and CI", sarif),
    OPT_TEXT("out", 'o', "FILE", "output file, a picture if it ends in .svg; default: print", out),
};

const struct command cmd_portable = {
    .name = "portable",
    .task = TASK_SHADER,
    .line = "check if a shader is portable: what its results depend on",
    .rest = "FILE",
    .about = "Reports what the results of a compute shader depend on: Vulkan only, reconvergence "
             "that only an\n"
             "extension promises, the order of atomics, or something undefined. It tries subgroups "
             "of 4 to 128\n"
             "lanes and names the first place by source line. FILE is GLSL (.comp, .glsl), HLSL "
             "(.hlsl), WGSL,\n"
             "SPIR-V (.spv, .spvasm) or a case. Exit status: 0 portable under the model that it "
             "declares, "
             "1 not\n"
             "portable, 2 not known.",
    .example = "tanglefuzz portable examples/shaders/waterfall.comp\n"
               "tanglefuzz portable kernel.spv --subgroup 32 --sarif -o kernel.sarif",
    OPTIONS(options),
    .rest_min = 1,
    .rest_max = 1,
    .size = sizeof(struct given),
    .run = run,
};

static const struct arg_option case_options[] = {
    OPT_LANES("subgroup", "subgroup size; default 32", subgroup, 1),  WORKGROUPS, DATA, SOURCE,
    OPT_TEXT("out", 'o', "FILE", "output file; default: print", out),
};

const struct command cmd_case = {
    .name = "case",
    .task = TASK_SHADER,
    .line = "make a case of a shader, with the inputs of portable",
    .rest = "FILE",
    .about = "Writes the case that portable runs: the module, its dispatch, buffers, push "
             "constants and\n"
             "specialisation. Other commands read it: predict, explain, replay, reduce.",
    .example = "tanglefuzz case kernel.spv -o kernel.spvasm",
    OPTIONS(case_options),
    .rest_min = 1,
    .rest_max = 1,
    .size = sizeof(struct given),
    .run = make_case,
};
