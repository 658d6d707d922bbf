// SPDX-License-Identifier: Apache-2.0
//
// Target `vulkan`: target spec, driver folders, opening and listing.
//
// A driver folder is DRIVERS/NAME. Its file `env` has lines KEY=VALUE: the environment that a
// process needs to use the driver. An optional file `prefix` has words to put before the command,
// one per line, for a driver with its own libc. A file `device` marks a driver of another
// architecture, which vk_far.c opens. The file `compile-only` marks a driver whose
// hardware is not present. The validation layer lies in DRIVERS/../layers/validation, with its own
// `env` and perhaps a `prefix`.
#define _GNU_SOURCE
#include "command.h"
#include "vk.h"

#include <dirent.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

// ---- driver folders ------------------------------------------------------------------

static int by_name(const void *a, const void *b)
{
    return strcmp(*(const char *const *)a, *(const char *const *)b);
}

// Names of the driver folders, sorted.
static struct vk_lines list_drivers(struct arena *a)
{
    struct vk_lines names = {0};
    const char *dir = drivers_dir(a);
    DIR *d = dir ? opendir(dir) : NULL;
    if (!d)
        return names;
    for (struct dirent *entry; (entry = readdir(d));)
        if (entry->d_name[0] != '.' &&
            access(arena_printf(a, "%s/%s/env", dir, entry->d_name), R_OK) == 0 &&
            access(arena_printf(a, "%s/%s/" OPENCL_MARK, dir, entry->d_name), R_OK) != 0)
            *VEC_PUSH(a, &names) = arena_str(a, entry->d_name);
    closedir(d);
    if (names.n > 1)
        qsort(names.v, names.n, sizeof names.v[0], by_name);
    return names;
}

static bool only_compiles(struct arena *a, const char *name)
{
    return access(arena_printf(a, "%s/%s/compile-only", drivers_dir(a), name), F_OK) == 0;
}

bool vk_only_compiles(const char *driver, const char *way, struct err *e)
{
    return err_set(e,
                   "vulkan: driver '%s' only compiles here: use check:vulkan:driver=%s, or "
                   "%svulkan:driver=%s if its %s is supported",
                   driver, driver, way, driver,
                   strcmp(way, "isa:") == 0 ? "machine code" : "intermediate code");
}

static bool no_such_driver(struct arena *a, const char *name, struct err *e)
{
    const char *dir = drivers_dir(a);
    struct text known = {.arena = a};
    struct vk_lines names = list_drivers(a);
    for (size_t i = 0; i < names.n; i++)
        text_add(&known, "%s%s", i ? ", " : "", names.v[i]);
    if (!dir)
        return err_set(e,
                       "vulkan: no driver '%s': the drivers folder is missing "
                       "(TANGLEFUZZ_DRIVERS sets it)",
                       name);
    return err_set(e,
                   "vulkan: no driver '%s' in %s (available: %s); `scripts/drivers.sh get` "
                   "downloads drivers",
                   name, dir, known.n ? known.v : "none");
}

// {data} in them stands for the folder that contains the drivers folder, so that the tree can be
// moved.
bool vk_read_lines(struct arena *a, const char *path, struct vk_lines *out, struct err *e)
{
    char *data;
    size_t size;
    if (!file_read(a, path, 1 << 16, &data, &size, e))
        return false;
    char *const whole[] = {data, NULL};
    data = *command_with(a, whole, "{data}", arena_printf(a, "%s/..", drivers_dir(a)));
    for (char *save = NULL, *line = strtok_r(data, "\n", &save); line;
         line = strtok_r(NULL, "\n", &save))
        if (line[0] != '#')
            *VEC_PUSH(a, out) = line;
    return true;
}

// For `vulkan` on a machine without a system driver: extends the message with the first driver from
// scripts/drivers.sh.
static void hint_at_driver(struct arena *a, const struct vk_spec *spec, struct err *e)
{
    const struct vk_lines names = list_drivers(a);
    for (size_t i = 0; i < names.n && !spec->driver && !spec->icd; i++)
        if (!only_compiles(a, names.v[i])) {
            struct err with = {0};
            err_set(&with, "%.300s (set-up installed one: use vulkan:driver=%.100s)", e->msg,
                    names.v[i]);
            *e = with;
            return;
        }
}

// ---- options ---------------------------------------------------------------------------

static bool set_once(const char **field, const char *key, const char *value, struct err *e)
{
    if (*field)
        return err_set(e, "vulkan: option %s is given twice", key);
    if (!value[0])
        return err_set(e, "vulkan: option %s needs a value", key);
    *field = value;
    return true;
}

static bool set_device(struct vk_spec *s, const char *value, struct err *e)
{
    if (s->has_device)
        return err_set(e, "vulkan: option device is given twice");
    s->has_device = true;
    if (!parse_u32(value, strlen(value), &s->device))
        return err_set(e, "vulkan: device=%s: expected a device number, counted from 0", value);
    return true;
}

static bool set_size(struct vk_spec *s, const char *value, struct err *e)
{
    if (!parse_u32(value, strlen(value), &s->size) || s->size == 0 || s->size > LANES_MAX ||
        (s->size & (s->size - 1)) != 0)
        return err_set(e, "vulkan: size=%s: expected a power of two up to %d", value, LANES_MAX);
    return true;
}

bool vk_spec_read(struct arena *a, const struct run_stage *s, struct vk_spec *out, struct err *e)
{
    *out = (struct vk_spec){0};
    struct vk_lines env = {0};
    for (uint32_t i = 0; i < s->count; i++) {
        const char *key = s->option[i].key, *value = s->option[i].value;
        uint32_t number;
        bool ok;
        if (!key[0] && parse_u32(value, strlen(value), &number)) { // vulkan:0 is vulkan:device=0
            key = "device";
        } else if (!key[0]) {
            key = value;
            value = "";
        }
        if (strcmp(key, "driver") == 0)
            ok = set_once(&out->driver, key, value, e);
        else if (strcmp(key, "icd") == 0)
            ok = set_once(&out->icd, key, value, e);
        else if (strcmp(key, "name") == 0)
            ok = set_once(&out->name, key, value, e);
        else if (strcmp(key, "device") == 0)
            ok = set_device(out, value, e);
        else if (strcmp(key, "size") == 0)
            ok = set_size(out, value, e);
        else if (strcmp(key, "dump") == 0 && !value[0])
            ok = out->dump = true;
        else if (strcmp(key, "env") == 0 && strchr(value, '=') && value[0] != '=')
            ok = (*VEC_PUSH(a, &env) = value) != NULL;
        else if (strcmp(key, "env") == 0)
            ok = err_set(e, "vulkan: env=%s: expected KEY=VALUE", value);
        else
            ok = err_set(e,
                         "vulkan: unknown option '%s'; the options are driver=NAME, icd=FILE, "
                         "device=N, name=TEXT, size=S, env=KEY=VALUE, dump",
                         key);
        if (!ok)
            return false;
    }
    if (out->driver && out->icd)
        return err_set(e, "vulkan: driver and icd exclude each other");
    if (out->name && out->has_device)
        return err_set(e, "vulkan: device and name exclude each other");
    out->env = env.v;
    out->env_count = (uint32_t)env.n;
    return true;
}

// ---- supervisor's side --------------------------------------------------------------------

bool vk_plan_driver(struct arena *a, const struct vk_spec *spec, struct vk_lines *env,
                    struct vk_lines *prefix, struct err *e)
{
    if (spec->driver) {
        const char *dir = drivers_dir(a);
        if (!dir || strchr(spec->driver, '/') || spec->driver[0] == '.' ||
            access(arena_printf(a, "%s/%s/env", dir, spec->driver), R_OK) != 0)
            return no_such_driver(a, spec->driver, e);
        if (access(arena_printf(a, "%s/%s/" OPENCL_MARK, dir, spec->driver), R_OK) == 0)
            return err_set(e, "vulkan: driver '%s' is one of OpenCL: use opencl:driver=%s",
                           spec->driver, spec->driver);
        const char *words = arena_printf(a, "%s/%s/prefix", dir, spec->driver);
        return vk_read_lines(a, arena_printf(a, "%s/%s/env", dir, spec->driver), env, e) &&
               (access(words, R_OK) != 0 || vk_read_lines(a, words, prefix, e));
    }
    if (spec->icd) {
        char *path = realpath(spec->icd, NULL);
        bool ok = path && access(path, R_OK) == 0;
        if (ok) {
            *VEC_PUSH(a, env) = arena_printf(a, "VK_DRIVER_FILES=%s", path);
            *VEC_PUSH(a, env) = arena_printf(a, "VK_ICD_FILENAMES=%s", path);
        }
        free(path);
        if (!ok)
            return err_set(e,
                           "vulkan: cannot read the ICD file '%s' (expected a driver's .json "
                           "file)",
                           spec->icd);
    }
    return true;
}

// A Vulkan loader that scripts/drivers.sh installed with a driver, for a machine without one; NULL:
// none.
static const char *spare_loader(struct arena *a)
{
    const char *dir = drivers_dir(a);
    struct vk_lines names = list_drivers(a);
    for (size_t i = 0; i < names.n; i++) {
        const char *file = arena_printf(a, "%s/%s/lib/libvulkan.so.1", dir, names.v[i]);
        // A loader from a driver with its own libc does not work in another process.
        if (access(file, R_OK) == 0 &&
            access(arena_printf(a, "%s/%s/prefix", dir, names.v[i]), F_OK) != 0)
            return file;
    }
    return NULL;
}

// ANV compiles a fragment shader for several sizes of subgroups: has it make that of `size` last,
// whose code is run (vk_eu.c). 32 lanes need the code of 16, and would be dropped if slower.
static void variant_env(struct arena *a, uint32_t size, struct vk_lines *env)
{
    const bool most = !size || size >= 32;
    *VEC_PUSH(a, env) =
        most ? "INTEL_SIMD_DEBUG=fs16,fs32" : arena_printf(a, "INTEL_SIMD_DEBUG=fs%u", size);
    if (most)
        *VEC_PUSH(a, env) = "INTEL_DEBUG=do32";
}

static bool plan(struct arena *a, const struct run_stage *s, const struct run_options *o,
                 struct run_plan *out, struct err *e)
{
    struct vk_spec spec;
    struct vk_lines env = {0}, prefix = {0};
    if (!vk_spec_read(a, s, &spec, e) || !vk_plan_driver(a, &spec, &env, &prefix, e))
        return false;
    // Without hardware a dispatch does not change memory, so running would be meaningless.
    if (spec.driver && !s->check && !s->isa && only_compiles(a, spec.driver))
        return vk_only_compiles(spec.driver, "isa:", e);
    const char *dir = drivers_dir(a);
    if (o->validate && dir) {
        // If it is absent, the loader may still find a system layer.
        const char *layer = arena_printf(a, "%s/../layers/validation", dir);
        const char *layer_env = arena_printf(a, "%s/env", layer);
        const char *layer_prefix = arena_printf(a, "%s/prefix", layer);
        if (access(layer_env, R_OK) == 0 && !vk_read_lines(a, layer_env, &env, e))
            return false;
        // A driver with its own libc loads the layer through its own prefix.
        if (!prefix.n && access(layer_prefix, R_OK) == 0 &&
            !vk_read_lines(a, layer_prefix, &prefix, e))
            return false;
    }
    const char *loader = spare_loader(a);
    if (loader)
        *VEC_PUSH(a, &env) = arena_printf(a, VK_LOADER_VARIABLE "=%s", loader);
    for (uint32_t i = 0; i < spec.env_count; i++)
        *VEC_PUSH(a, &env) = spec.env[i];
    if (spec.dump)
        vk_levels_env(a, &env);
    if (s->isa && !s->nir && !spec.dump)
        variant_env(a, spec.size, &env);
    // Makes Honeykrisp print its code. It does not print constants that it moved to uniforms, so
    // for its machine code they stay in instructions.
    if (s->isa)
        *VEC_PUSH(a, &env) = s->nir ? "AGX_MESA_DEBUG=shaders" : "AGX_MESA_DEBUG=shaders,nopromote";
    *out = (struct run_plan){.env = env.v,
                             .env_count = (uint32_t)env.n,
                             .prefix = prefix.v,
                             .prefix_count = (uint32_t)prefix.n};
    return true;
}

static uint32_t places(struct arena *a, const char ***specs)
{
    struct vk_lines out = {0}, names = list_drivers(a);
    *VEC_PUSH(a, &out) = "vulkan";
    static const char *const ways[] = {"", "check:", "isa:", "isa:nir:"};
    for (size_t way = 0; way < sizeof ways / sizeof *ways; way++)
        for (size_t i = 0; i < names.n; i++)
            if (only_compiles(a, names.v[i]) == (way > 0))
                *VEC_PUSH(a, &out) = arena_printf(a, "%svulkan:driver=%s", ways[way], names.v[i]);
    *specs = out.v;
    return (uint32_t)out.n;
}

// ---- worker's side ------------------------------------------------------------------------

// Creates an instance that is never destroyed: it keeps the driver's libraries loaded for the
// workers' own instances.
static bool load(const struct run_options *o)
{
    static struct vk_instance kept;
    return vk_instance_load(&kept, o->validate, NULL);
}

static void *open_device(struct arena *a, const struct run_stage *s, const struct run_options *o,
                         struct run_info *info, struct err *e)
{
    struct vk_spec spec;
    if (!vk_spec_read(a, s, &spec, e))
        return NULL;
    struct vk_device *d = mem_new(sizeof *d);
    d->size = spec.size;
    d->driver_text = o->driver_text;
    d->compile_only = s->check;
    d->isa = s->isa;
    d->code.nir = s->nir;
    d->code.dump = spec.dump;
    d->fence_seconds = o->fence_seconds;
    const bool there = vk_instance_open(&d->instance, a, o->validate, e);
    if (!there)
        hint_at_driver(a, &spec, e);
    if (!there || !vk_device_open(d, a, &spec, e) || (d->isa && !vk_isa_open(d, e))) {
        vk_device_close(d);
        free(d);
        return NULL;
    }
    // The executors run code without images, and only one of them shaders that draw.
    if (s->isa)
        d->info.offers &= ~(vk_isa_lacks(d) | SPV_NEED(IMAGES));
    *info = d->info;
    info->form = s->check ? RUN_FORM_NONE : s->kind->form;
    return d;
}

static bool run(void *state, struct arena *a, const struct run_job *job, struct run_sink *sink)
{
    return vk_run(state, a, job, sink);
}

static void close_device(void *state)
{
    vk_device_close(state);
    free(state);
}

static uint32_t list(struct arena *a, const char *spec, const struct run_stage *s,
                     struct run_listed **out)
{
    VEC(struct run_listed) rows = {0};
    struct vk_instance v = {0};
    struct err e = {0};
    bool ok = vk_instance_open(&v, a, false, &e);
    if (ok && v.device_count == 0)
        ok = err_set(&e, "the Vulkan driver has no device");
    for (uint32_t i = 0; ok && i < v.device_count; i++) {
        struct run_listed *row = VEC_PUSH(a, &rows);
        snprintf(row->spec, sizeof row->spec, "%.450s", spec);
        size_t at = strlen(row->spec);
        if (v.device_count > 1)
            snprintf(row->spec + at, sizeof row->spec - at, "%cdevice=%u", s->count ? ',' : ':', i);
        row->usable = vk_device_info(v.devices[i], &row->info, &e);
        row->info.form = s->check ? RUN_FORM_NONE : s->kind->form;
        struct vk_code code = {.nir = s->nir};
        if (row->usable && s->isa && !vk_isa_known(&row->info, &code, &e))
            row->usable = false;
        if (!row->usable)
            snprintf(row->why, sizeof row->why, "%.510s", e.msg);
    }
    if (!ok) {
        struct run_listed *row = VEC_PUSH(a, &rows);
        snprintf(row->spec, sizeof row->spec, "%.450s", spec);
        snprintf(row->why, sizeof row->why, "%.510s", e.msg);
    }
    vk_instance_close(&v);
    *out = rows.v;
    return (uint32_t)rows.n;
}

const struct run_backend vk_backend = {
    .plan = plan,
    .places = places,
    .load = load,
    .open = open_device,
    .run = run,
    .close = close_device,
    .opens_ahead = true,
    .list = list,
};
