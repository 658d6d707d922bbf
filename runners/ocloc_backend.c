// SPDX-License-Identifier: Apache-2.0
//
// Target `isa:ocloc:device=dg2`: Intel's offline compiler for OpenCL (IGC), loaded as a library.
// The module is printed as OpenCL C; the machine code is disassembled and run by the executor in
// backends/isa/eu/. `check:ocloc` compiles only.
//
// OpenCL does not say where work-items meet again: the modules do not declare
// MaximallyReconvergesKHR, and beyond uniform control flow a mismatch is a lead.
#define _GNU_SOURCE // strtok_r
#include "command.h"
#include "iga.h"
#include "isa_answer.h"

#include "eu/eu.h"

#include <dlfcn.h>
#include <elf.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

// The devices: ocloc's name, IGA's number, our generation, the smallest subgroup.
static const struct device {
    const char *name;
    uint32_t iga;
    enum eu_gen gen;
    uint32_t least;
} devices[] = {
    {"dg2", IGA_XE(1, 2), EU_GFX12_5, 8}, {"mtl", IGA_XE(1, 2), EU_GFX12_5, 8},
    {"arl", IGA_XE(1, 2), EU_GFX12_5, 8}, {"pvc", IGA_XE(1, 4), EU_XE2, 16},
    {"bmg", IGA_XE(2, 0), EU_XE2, 16},    {"lnl", IGA_XE(2, 0), EU_XE2, 16},
    {"ptl", IGA_XE(3, 0), EU_XE2, 16},    {"wcl", IGA_XE(3, 0), EU_XE2, 16},
};
static const char *const full_names[][2] = {{"bmg", "bmg-g21"}, {"lnl", "lnl-m"}, {"ptl", "ptl-h"}};

typedef int (*ocloc_invoke)(uint32_t words, const char *const *word, uint32_t sources,
                            const uint8_t **source, const uint64_t *source_size,
                            const char **source_name, uint32_t headers, const uint8_t **header,
                            const uint64_t *header_size, const char **header_name,
                            uint32_t *outputs, uint8_t ***output, uint64_t **output_size,
                            char ***output_name);
struct ocloc {
    const struct device *device;
    bool check, text;
    ocloc_invoke invoke;
    int (*release)(uint32_t *outputs, uint8_t ***output, uint64_t **output_size,
                   char ***output_name);
    struct iga *iga;
};

static const char *folder(struct arena *a)
{
    return arena_printf(a, "%s/ocloc", command_tools(a));
}

static const struct device *device_of(const struct run_stage *s, struct err *e)
{
    const char *name = run_stage_option(s, "device");
    for (size_t i = 0; name && s->count == 1 && i < sizeof devices / sizeof *devices; i++)
        if (strcmp(devices[i].name, name) == 0)
            return &devices[i];
    err_set(e,
            "ocloc: '%.100s': the only option is device=dg2, mtl, arl, pvc, bmg, lnl, "
            "ptl or wcl (tgllp's kernels use binding tables, which are not read)",
            s->count ? s->option[0].value : "");
    return NULL;
}

static bool lines(struct arena *a, const char *path, const char ***out, uint32_t *n, struct err *e)
{
    char *data;
    size_t size;
    VEC(const char *) v = {0};
    if (!file_read(a, path, 1 << 16, &data, &size, e))
        return false;
    for (char *save = NULL, *line = strtok_r(data, "\n", &save); line;
         line = strtok_r(NULL, "\n", &save))
        *VEC_PUSH(a, &v) = line;
    *out = v.v;
    *n = (uint32_t)v.n;
    return true;
}

static bool plan(struct arena *a, const struct run_stage *s, const struct run_options *o,
                 struct run_plan *out, struct err *e)
{
    (void)o;
    *out = (struct run_plan){0};
    if (!device_of(s, e))
        return false;
    if (!s->check && !s->isa)
        return err_set(
            e, "ocloc: the code cannot run here: use isa:ocloc:device=... or check:ocloc:...");
    const char *prefix = arena_printf(a, "%s/prefix", folder(a));
    if (access(prefix, R_OK) != 0)
        return err_set(e, "ocloc: Intel's compiler is not installed (scripts/drivers.sh get ocloc "
                          "downloads it into the build folder)");
    return lines(a, prefix, &out->prefix, &out->prefix_count, e);
}

static void limit_info(struct run_info *info, const struct device *d)
{
    info->subgroup_size = 16;
    info->subgroup_min = d->least;
    info->subgroup_max = 32;
    info->max_invocations = 256;
    info->offers &= ~SPV_NEED(MAXIMAL_RECONVERGENCE);
    info->has_driver_text = true;
}

static void close_ocloc(void *state)
{
    struct ocloc *c = state;
    iga_close(c->iga);
}

static void *open_ocloc(struct arena *a, const struct run_stage *s, const struct run_options *o,
                        struct run_info *info, struct err *e)
{
    struct ocloc *c = ARENA_NEW(a, struct ocloc);
    void *library = dlopen("libocloc.so", RTLD_NOW | RTLD_LOCAL);
    bool loaded;
    c->check = s->check;
    c->text = o->driver_text;
    if (!(c->device = device_of(s, e)))
        return NULL;
    if (library) {
        *(void **)&c->invoke = dlsym(library, "oclocInvoke");
        *(void **)&c->release = dlsym(library, "oclocFreeOutput");
    }
    if (!c->invoke || !c->release) {
        err_set(e, "ocloc: cannot load Intel's compiler: %.300s", dlerror());
        return NULL;
    }
    c->iga = iga_open("libiga64.so.2", c->device->iga, &loaded);
    if (!c->iga) {
        err_set(e, "ocloc: cannot load Intel's disassembler for %s", c->device->name);
        return NULL;
    }
    compiler_info(info, s, "IGC", version_read(a, arena_printf(a, "%s/version", folder(a))));
    snprintf(info->device, sizeof info->device, "IGC for %s", c->device->name);
    limit_info(info, c->device);
    return c;
}

// ---- the compiler's output ----

struct made {
    uint32_t n;
    uint8_t **data;
    uint64_t *size;
    char **name;
};

// The bytes of an ELF file's section; NULL: none.
static const uint8_t *section(const uint8_t *elf, uint64_t size, const char *name, uint64_t *n)
{
    Elf64_Ehdr head;
    if (size < sizeof head)
        return NULL;
    memcpy(&head, elf, sizeof head);
    if (memcmp(head.e_ident, ELFMAG, SELFMAG) != 0 || head.e_shentsize != sizeof(Elf64_Shdr) ||
        head.e_shoff > size || size - head.e_shoff < head.e_shnum * sizeof(Elf64_Shdr) ||
        head.e_shstrndx >= head.e_shnum)
        return NULL;
    Elf64_Shdr names, s;
    memcpy(&names, elf + head.e_shoff + head.e_shstrndx * sizeof s, sizeof s);
    for (uint32_t i = 0; i < head.e_shnum; i++) {
        memcpy(&s, elf + head.e_shoff + i * sizeof s, sizeof s);
        const uint64_t at = names.sh_offset + s.sh_name, length = strlen(name) + 1;
        if (at > size || size - at < length || memcmp(elf + at, name, length) != 0)
            continue;
        if (s.sh_offset > size || size - s.sh_offset < s.sh_size)
            return NULL;
        *n = s.sh_size;
        return elf + s.sh_offset;
    }
    return NULL;
}

// Reads the code of the kernel as text and what the compiler says about it.
static bool code_read(struct ocloc *c, struct arena *a, const struct made *x, struct eu_source *out)
{
    for (uint32_t i = 0; i < x->n; i++) {
        uint64_t n, info_n;
        const uint8_t *text = section(x->data[i], x->size[i], ".text.tf_main", &n);
        const uint8_t *info = section(x->data[i], x->size[i], ".ze_info", &info_n);
        if (!text || !info || n > UINT32_MAX)
            continue;
        const char *printed = iga_text(c->iga, text, (uint32_t)n);
        out->assembly = arena_str(a, printed ? printed : "");
        out->kernel = arena_strn(a, (const char *)info, info_n);
        return true;
    }
    return false;
}

// What the compiler says: its first line with an error, else its last one.
static void reason_read(const struct made *x, struct run_result *r)
{
    for (uint32_t i = 0; i < x->n; i++) {
        if (strcmp(x->name[i], "stdout.log") != 0)
            continue;
        struct arena a = {0};
        const char *text = arena_strn(&a, (const char *)x->data[i], x->size[i]);
        const char *at = strstr(text, "error: ");
        at = at ? at : text;
        one_line(r->text, sizeof r->text, at, strlen(at) < 500 ? strlen(at) : 500);
        arena_free(&a);
    }
}

static bool compile(struct ocloc *c, struct arena *a, const struct text *cl, struct eu_source *out,
                    struct run_result *r)
{
    const char *device = c->device->name;
    for (size_t i = 0; i < sizeof full_names / sizeof *full_names; i++)
        device = strcmp(device, full_names[i][0]) == 0 ? full_names[i][1] : device;
    const char *const words[] = {"ocloc",    "compile",          "-file",
                                 "case.cl",  "-device",          device,
                                 "-options", "-cl-std=CL3.0 -w", "-q"};
    const uint8_t *source = (const uint8_t *)cl->v;
    const uint64_t size = cl->n + 1;
    const char *name = "case.cl";
    struct made x = {0};
    const struct run_time start = run_time_now();
    const int status = c->invoke(sizeof words / sizeof *words, words, 1, &source, &size, &name, 0,
                                 NULL, NULL, NULL, &x.n, &x.data, &x.size, &x.name);
    run_time_add(r, run_time_since(start));
    const bool ok = status == 0 && code_read(c, a, &x, out);
    if (!ok) {
        r->status = RUN_REJECTED;
        reason_read(&x, r);
        if (!r->text[0])
            snprintf(r->text, sizeof r->text, "status %d", status);
    }
    c->release(&x.n, &x.data, &x.size, &x.name);
    return ok;
}

// ---- jobs ----

static void arguments(struct arena *a, const struct spv_case *c, struct eu_source *out)
{
    struct print_buffer *v;
    out->arguments = print_buffers(a, c->words, c->count, &v);
    struct eu_place *place = ARENA_ARRAY(a, struct eu_place, out->arguments);
    for (uint32_t i = 0; i < out->arguments; i++)
        place[i] = (struct eu_place){v[i].set, v[i].binding};
    out->argument = place;
}

static bool run(void *state, struct arena *a, const struct run_job *job, struct run_sink *sink)
{
    struct ocloc *c = state;
    const struct spv_case *first = &job->cases[0];
    const uint32_t size = first->subgroup ? first->subgroup : job->subgroup;
    struct eu_source source = {0};
    struct run_result r = {.status = RUN_OK};
    struct text cl = {.arena = a};
    struct isa_result why;
    struct err e = {0};
    const struct isa_code *code = NULL;
    if (size < c->device->least || size > 32) {
        r.status = RUN_SKIPPED;
        snprintf(r.text, sizeof r.text, "subgroups of %u lanes", size);
    } else if (!print_module(a, PRINT_OPENCL, first->words, first->count, size, &cl, NULL, &e)) {
        result_set(&r, RUN_SKIPPED, &e);
    } else if (compile(c, a, &cl, &source, &r)) {
        if (c->text)
            r.driver_text = arena_printf(a, "%s\n%s", source.assembly, cl.v);
        if (c->check) {
            r.status = RUN_COMPILED;
        } else {
            arguments(a, first, &source);
            code = isa_readable(eu_read(a, &source, c->device->gen, size, &why), &why, &r);
        }
    }
    for (uint32_t k = 0; k < job->n; k++) {
        if (code)
            isa_answer(a, code, &job->cases[k], c->text ? 1 : 0, &r);
        sink->result(sink, &r);
        if (r.status == RUN_HUNG || r.status == RUN_DEVICE_LOST)
            return k + 1 == job->n || (close_ocloc(c), false);
        r.driver_seconds = r.driver_cpu = 0;
    }
    return true;
}

static uint32_t places(struct arena *a, const char ***specs)
{
    return access(arena_printf(a, "%s/prefix", folder(a)), R_OK) == 0
               ? one_place(a, "isa:ocloc:device=dg2", specs)
               : 0;
}

static uint32_t list(struct arena *a, const char *spec, const struct run_stage *s,
                     struct run_listed **out)
{
    const uint32_t rows = list_compiler(
        a, spec, s, "IGC", version_read(a, arena_printf(a, "%s/version", folder(a))), out);
    limit_info(&(*out)->info, &devices[0]);
    return rows;
}

const struct run_backend ocloc_backend = {
    .plan = plan,
    .places = places,
    .list = list,
    .open = open_ocloc,
    .run = run,
    .close = close_ocloc,
};
