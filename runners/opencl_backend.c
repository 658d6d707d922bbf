// SPDX-License-Identifier: Apache-2.0
//
// Target `opencl`: any OpenCL device of the machine's loader. The module is printed as OpenCL C,
// which the device's driver compiles and runs. What a device offers follows from its extensions.
//
// OpenCL does not say where work-items meet again: the modules do not declare
// MaximallyReconvergesKHR, and beyond uniform control flow a mismatch is a lead.
#define _GNU_SOURCE // realpath
#include "backend.h"
#include "cl.h"
#include "vk.h"

#include "printers/printers.h"

#include <dlfcn.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

struct opencl {
    struct cl_calls cl;
    cl_object device, context, queue;
    uint32_t least, most;         // sizes of subgroups
    enum print_language language; // the OpenCL C that it reads
    bool check, text;
};

// ---- options -------------------------------------------------------------------------------

struct spec {
    const char *driver, *icd, *name, *device;
    struct vk_lines env;
};

static bool spec_read(struct arena *a, const struct run_stage *s, struct spec *out, struct err *e)
{
    const struct {
        const char *key;
        const char **to;
    } rows[] = {{"driver", &out->driver},
                {"icd", &out->icd},
                {"name", &out->name},
                {"device", &out->device}};
    *out = (struct spec){0};
    for (uint32_t i = 0; i < s->count; i++) {
        const char *key = s->option[i].key, *value = s->option[i].value;
        size_t k = 0;
        while (k < sizeof rows / sizeof *rows && strcmp(rows[k].key, key) != 0)
            k++;
        if (k < sizeof rows / sizeof *rows && value[0] && !*rows[k].to)
            *rows[k].to = value;
        else if (strcmp(key, "env") == 0 && strchr(value, '=') && value[0] != '=')
            *VEC_PUSH(a, &out->env) = value;
        else
            return err_set(e,
                           "opencl: '%.100s': the options are driver=NAME, icd=FILE, device=N, "
                           "name=TEXT, each once, and env=KEY=VALUE",
                           key[0] ? arena_printf(a, "%s=%s", key, value) : value);
    }
    uint32_t number;
    if (out->device && !parse_u32(out->device, strlen(out->device), &number))
        return err_set(e, "opencl: device=%s: expected a device number, counted from 0",
                       out->device);
    if (out->driver && out->icd)
        return err_set(e, "opencl: driver and icd exclude each other");
    return true;
}

// ---- supervisor's side ---------------------------------------------------------------------

static bool plan(struct arena *a, const struct run_stage *s, const struct run_options *o,
                 struct run_plan *out, struct err *e)
{
    struct spec spec;
    struct vk_lines env = {0}, prefix = {0};
    (void)o;
    if (!spec_read(a, s, &spec, e))
        return false;
    if (spec.driver) {
        const char *dir = drivers_dir(a),
                   *folder = arena_printf(a, "%s/%s", dir ? dir : "", spec.driver),
                   *words = arena_printf(a, "%s/prefix", folder);
        if (!dir || strchr(spec.driver, '/') ||
            access(arena_printf(a, "%s/" OPENCL_MARK, folder), R_OK) != 0)
            return err_set(e,
                           "opencl: no OpenCL driver '%s' in %s (scripts/drivers.sh get pocl "
                           "downloads one)",
                           spec.driver, dir ? dir : "the drivers folder");
        if (!vk_read_lines(a, arena_printf(a, "%s/env", folder), &env, e) ||
            (access(words, R_OK) == 0 && !vk_read_lines(a, words, &prefix, e)))
            return false;
    }
    if (spec.icd) {
        char *path = realpath(spec.icd, NULL);
        // The names of the two loaders in use, ocl-icd's and Khronos'.
        if (path) {
            *VEC_PUSH(a, &env) = arena_printf(a, "OCL_ICD_VENDORS=%s", path);
            *VEC_PUSH(a, &env) = arena_printf(a, "OCL_ICD_FILENAMES=%s", path);
        }
        free(path);
        if (!env.n)
            return err_set(e, "opencl: cannot read '%s' (expected a driver's library)", spec.icd);
    }
    for (size_t i = 0; i < spec.env.n; i++)
        *VEC_PUSH(a, &env) = spec.env.v[i];
    *out = (struct run_plan){.env = env.v,
                             .env_count = (uint32_t)env.n,
                             .prefix = prefix.v,
                             .prefix_count = (uint32_t)prefix.n};
    return true;
}

static uint32_t places(struct arena *a, const char ***specs)
{
    struct vk_lines out = {0};
    const char *dir = drivers_dir(a), **names;
    size_t n = 0;
    *VEC_PUSH(a, &out) = "opencl";
    if (dir && dir_list(a, dir, &names, &n, NULL))
        for (size_t i = 0; i < n; i++)
            if (access(arena_printf(a, "%s/%s/" OPENCL_MARK, dir, names[i]), R_OK) == 0)
                *VEC_PUSH(a, &out) = arena_printf(a, "opencl:driver=%s", names[i]);
    *specs = out.v;
    return (uint32_t)out.n;
}

// ---- the device ----------------------------------------------------------------------------

static bool calls_load(struct cl_calls *out, struct err *e)
{
    void *library = dlopen("libOpenCL.so.1", RTLD_NOW | RTLD_LOCAL);
    if (!library)
        return err_set(e, "opencl: no OpenCL loader (libOpenCL.so.1: Debian's ocl-icd-libopencl1)");
#define X(name, type, parameters)                                                                  \
    *(void **)&out->name = dlsym(library, #name);                                                  \
    if (!out->name)                                                                                \
        return err_set(e, "opencl: the loader has no %s: OpenCL 2.0 or newer is needed", #name);
    CL_CALLS(X)
#undef X
    return true;
}

static const char *device_text(const struct opencl *c, struct arena *a, cl_object d, uint32_t what)
{
    size_t n = 0;
    if (c->cl.clGetDeviceInfo(d, what, 0, NULL, &n) != 0 || !n)
        return "";
    char *text = arena_alloc(a, n + 1);
    return c->cl.clGetDeviceInfo(d, what, n, text, NULL) == 0 ? (text[n] = 0, text) : "";
}

// All devices of all platforms, in the loader's order.
static bool device_find(struct opencl *c, struct arena *a, const struct spec *s, struct err *e)
{
    cl_object platform[16], device[16];
    uint32_t platforms = 0, devices, at = 0, wanted = 0;
    struct text known = {.arena = a};
    if (s->device)
        parse_u32(s->device, strlen(s->device), &wanted);
    if (c->cl.clGetPlatformIDs(16, platform, &platforms) != 0)
        platforms = 0;
    for (uint32_t p = 0; p < platforms && p < 16; p++) {
        if (c->cl.clGetDeviceIDs(platform[p], (uint64_t)CL_DEVICE_TYPE_ALL, 16, device, &devices))
            continue;
        for (uint32_t i = 0; i < devices && i < 16; i++, at++) {
            const char *name = device_text(c, a, device[i], CL_DEVICE_NAME);
            text_add(&known, "%s%s", known.n ? ", " : "", name);
            if (s->name ? !strstr(name, s->name) : at != wanted)
                continue;
            c->device = device[i];
            return true;
        }
    }
    if (!at)
        return err_set(e, "opencl: no OpenCL device (`scripts/drivers.sh get pocl` downloads one "
                          "for the CPU; opencl:driver=pocl)");
    return err_set(e, "opencl: no such device; there are: %.400s", known.v);
}

// What each extension lets a module do. For votes, broadcasts, sums and scans without its own
// extension there are the functions of cl_khr_subgroups, which all of a subgroup must reach
// (PRINT_OPENCL_PLAIN).
static const struct {
    const char *extension;
    spv_needs needs;
} extensions[] = {
    {"cl_khr_subgroup_non_uniform_vote", SPV_NEED(BASIC)},
    {"cl_khr_subgroup_ballot", SPV_NEED(BALLOT)},
    {"cl_khr_subgroup_non_uniform_arithmetic", SPV_NEED(MORE_ARITHMETIC)},
    {"cl_khr_subgroup_shuffle", SPV_NEED(SHUFFLE)},
    {"cl_khr_subgroup_shuffle_relative", SPV_NEED(SHUFFLE_RELATIVE)},
    {"cl_khr_subgroup_clustered_reduce", SPV_NEED(CLUSTERED)},
};

static bool has_word(const char *list, const char *word)
{
    const size_t n = strlen(word);
    for (const char *at = list; (at = strstr(at, word)); at += n)
        if ((at == list || at[-1] == ' ') && (at[n] == ' ' || !at[n]))
            return true;
    return false;
}

static bool sizes_read(struct opencl *c, const char *offers, struct err *e)
{
    size_t size[16], n = 0;
    if (has_word(offers, "cl_intel_required_subgroup_size") &&
        c->cl.clGetDeviceInfo(c->device, CL_DEVICE_SUB_GROUP_SIZES_INTEL, sizeof size, size, &n) ==
            0)
        for (size_t i = 0; i < n / sizeof *size; i++) {
            if (size[i] < 4 || size[i] > LANES_MAX)
                continue;
            c->least = c->least && c->least < size[i] ? c->least : (uint32_t)size[i];
            c->most = c->most > size[i] ? c->most : (uint32_t)size[i];
        }
    return c->most || err_set(e, "opencl: the device has no subgroups of a required size "
                                 "(cl_khr_subgroups and cl_intel_required_subgroup_size)");
}

static void close_opencl(void *state)
{
    struct opencl *c = state;
    if (c->queue)
        c->cl.clReleaseCommandQueue(c->queue);
    if (c->context)
        c->cl.clReleaseContext(c->context);
}

static void *open_opencl(struct arena *a, const struct run_stage *s, const struct run_options *o,
                         struct run_info *info, struct err *e)
{
    struct opencl *c = ARENA_NEW(a, struct opencl);
    struct spec spec;
    int status = 0;
    c->check = s->check;
    c->text = o->driver_text;
    if (!spec_read(a, s, &spec, e) || !calls_load(&c->cl, e) || !device_find(c, a, &spec, e))
        return NULL;
    const char *offers = device_text(c, a, c->device, CL_DEVICE_EXTENSIONS);
    if (!has_word(offers, "cl_khr_subgroups")) {
        err_set(e, "opencl: %.200s does not offer cl_khr_subgroups",
                device_text(c, a, c->device, CL_DEVICE_NAME));
        return NULL;
    }
    if (!sizes_read(c, offers, e))
        return NULL;
    c->context = c->cl.clCreateContext(NULL, 1, &c->device, NULL, NULL, &status);
    if (c->context)
        c->queue = c->cl.clCreateCommandQueueWithProperties(c->context, c->device, NULL, &status);
    if (!c->queue) {
        err_set(e, "opencl: the device cannot be opened (error %d)", status);
        close_opencl(c);
        return NULL;
    }
    compiler_info(info, s, device_text(c, a, c->device, CL_DEVICE_NAME),
                  device_text(c, a, c->device, CL_DRIVER_VERSION));
    info->offers &= ~SPV_NEED(MAXIMAL_RECONVERGENCE);
    for (size_t i = 0; i < sizeof extensions / sizeof *extensions; i++)
        if (!has_word(offers, extensions[i].extension))
            info->offers &= ~extensions[i].needs;
    c->language = has_word(offers, extensions[0].extension) &&
                          has_word(offers, "cl_khr_subgroup_non_uniform_arithmetic")
                      ? PRINT_OPENCL
                      : PRINT_OPENCL_PLAIN;
    size_t most = 256, size[3] = {256, 256, 64};
    c->cl.clGetDeviceInfo(c->device, CL_DEVICE_MAX_WORK_GROUP_SIZE, sizeof most, &most, NULL);
    c->cl.clGetDeviceInfo(c->device, CL_DEVICE_MAX_WORK_ITEM_SIZES, sizeof size, size, NULL);
    info->max_invocations = (uint32_t)(most < 1024 ? most : 1024);
    for (int k = 0; k < 3; k++)
        info->max_size[k] = (uint32_t)(size[k] < 1024 ? size[k] : 1024);
    info->subgroup_min = c->least;
    info->subgroup_max = c->most;
    info->subgroup_size = c->most < 32 ? c->most : c->least > 32 ? c->least : 32;
    info->has_driver_text = true; // the kernel's text
    return c;
}

// ---- jobs ----------------------------------------------------------------------------------

static cl_object compile(struct opencl *c, struct arena *a, const struct text *cl,
                         cl_object *program, struct run_result *r)
{
    const char *text = cl->v;
    const size_t size = cl->n;
    int status = 0;
    cl_object kernel = NULL;
    *program = c->cl.clCreateProgramWithSource(c->context, 1, &text, &size, &status);
    if (*program)
        status = c->cl.clBuildProgram(*program, 1, &c->device, "-cl-std=CL3.0 -w", NULL, NULL);
    if (status == 0)
        kernel = c->cl.clCreateKernel(*program, "tf_main", &status);
    if (kernel)
        return kernel;
    size_t n = 0;
    char *log = NULL;
    r->status = RUN_REJECTED;
    if (*program &&
        c->cl.clGetProgramBuildInfo(*program, c->device, CL_PROGRAM_BUILD_LOG, 0, NULL, &n) == 0) {
        log = arena_alloc(a, n + 1);
        log[n] = 0;
        c->cl.clGetProgramBuildInfo(*program, c->device, CL_PROGRAM_BUILD_LOG, n, log, NULL);
    }
    const char *at = log ? strstr(log, "error: ") : NULL;
    at = at ? at : log && log[0] ? log : arena_printf(a, "error %d", status);
    one_line(r->text, sizeof r->text, at, strlen(at) < 500 ? strlen(at) : 500);
    return NULL;
}

static int dispatch(struct opencl *c, struct arena *a, cl_object kernel, const struct spv_case *k,
                    const uint32_t local[3], struct run_result *r)
{
    struct print_buffer *v;
    const uint32_t n = print_buffers(a, k->words, k->count, &v);
    cl_object *buffer = ARENA_ARRAY(a, cl_object, n + 1);
    size_t size[3], group[3];
    int status = 0;
    struct spv_memory *memory = ARENA_ARRAY(a, struct spv_memory, k->buffer_count + 1);
    for (uint32_t i = 0; i < k->buffer_count; i++) {
        const struct spv_buffer *b = &k->buffer[i];
        memory[i] = (struct spv_memory){
            b->set, b->binding, b->count, b->hex, ARENA_ARRAY(a, uint32_t, b->count + 1), NULL};
        if (b->words)
            memcpy(memory[i].words, b->words, b->count * sizeof(uint32_t));
    }
    for (uint32_t i = 0; i < n && status == 0; i++) {
        const uint32_t at = spv_buffer_index(k, v[i].set, v[i].binding);
        uint32_t none = 0;
        buffer[i] = c->cl.clCreateBuffer(
            c->context, CL_MEM_READ_WRITE | CL_MEM_COPY_HOST_PTR,
            at == UINT32_MAX || !memory[at].count ? sizeof none : memory[at].count * sizeof none,
            at == UINT32_MAX ? &none : memory[at].words, &status);
        if (status == 0)
            status = c->cl.clSetKernelArg(kernel, i, sizeof buffer[i], &buffer[i]);
    }
    for (int d = 0; d < 3; d++) {
        group[d] = local[d];
        size[d] = group[d] * k->groups[d];
    }
    if (status == 0)
        status =
            c->cl.clEnqueueNDRangeKernel(c->queue, kernel, 3, NULL, size, group, 0, NULL, NULL);
    if (status == 0)
        status = c->cl.clFinish(c->queue);
    for (uint32_t i = 0; i < n; i++) {
        const uint32_t at = spv_buffer_index(k, v[i].set, v[i].binding);
        if (status == 0 && at != UINT32_MAX && memory[at].count)
            status = c->cl.clEnqueueReadBuffer(c->queue, buffer[i], 1, 0,
                                               memory[at].count * sizeof(uint32_t),
                                               memory[at].words, 0, NULL, NULL);
        if (buffer[i])
            c->cl.clReleaseMemObject(buffer[i]);
    }
    r->memory = memory;
    r->memory_count = k->buffer_count;
    r->form = RUN_FORM_MEMORY;
    return status;
}

static bool run(void *state, struct arena *a, const struct run_job *job, struct run_sink *sink)
{
    struct opencl *c = state;
    const struct spv_case *first = &job->cases[0];
    const uint32_t lanes = first->subgroup ? first->subgroup : job->subgroup;
    struct run_result r = {.status = RUN_OK};
    struct text cl = {.arena = a};
    struct spv_module m;
    struct err e = {0};
    cl_object program = NULL, kernel = NULL;
    uint32_t local[3];
    if (lanes < c->least || lanes > c->most) {
        r.status = RUN_SKIPPED;
        snprintf(r.text, sizeof r.text, "subgroups of %u lanes", lanes);
    } else if (!print_module(a, c->language, first->words, first->count, lanes, &cl, NULL, &e) ||
               !spv_module_read(a, first->words, first->count, &m, &e) ||
               !spv_local_size(first, &m, local, &e)) {
        result_set(&r, RUN_SKIPPED, &e);
    } else {
        const struct run_time start = run_time_now();
        r.driver_text = c->text ? cl.v : NULL;
        kernel = compile(c, a, &cl, &program, &r);
        run_time_add(&r, run_time_since(start));
        if (kernel && c->check)
            r.status = RUN_COMPILED;
    }
    for (uint32_t k = 0; k < job->n; k++) {
        if (kernel && !c->check) {
            const struct run_time start = run_time_now();
            const int status = dispatch(c, a, kernel, &job->cases[k], local, &r);
            run_time_add(&r, run_time_since(start));
            if (status != 0) {
                r.status = RUN_DEVICE_LOST;
                snprintf(r.text, sizeof r.text, "OpenCL's error %d", status);
            }
        }
        sink->result(sink, &r);
        if (r.status == RUN_DEVICE_LOST)
            return k + 1 == job->n || (close_opencl(c), false);
        r.driver_seconds = r.driver_cpu = 0;
    }
    const struct run_time start = run_time_now();
    if (kernel)
        c->cl.clReleaseKernel(kernel);
    if (program)
        c->cl.clReleaseProgram(program);
    sink->late = run_time_since(start);
    return true;
}

const struct run_backend opencl_backend = {
    .plan = plan,
    .places = places,
    .open = open_opencl,
    .run = run,
    .close = close_opencl,
};
