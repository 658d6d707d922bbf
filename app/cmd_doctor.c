// SPDX-License-Identifier: Apache-2.0
//
// tanglefuzz doctor: reports what is installed, what is missing, and how to install it.
#define _DEFAULT_SOURCE
#include "args.h"
#include "devices.h"
#include "doctor_target.h"
#include "spirv/spirv.h"

#include <dlfcn.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

static void line(const char *state, const char *what, const char *text)
{
    say("%-8s %-18s %s\n", state, what, text);
}

static void hint(const char *text)
{
    say("%-27s -> %s\n", "", text);
}

static bool on_path(const char *program)
{
    const char *path = getenv("PATH");
    for (const char *p = path ? path : ""; *p;) {
        size_t n = strcspn(p, ":");
        char file[4096];
        int k = snprintf(file, sizeof file, "%.*s/%s", (int)n, p, program);
        if (k > 0 && (size_t)k < sizeof file && access(file, X_OK) == 0)
            return true;
        p += n + (p[n] == ':');
    }
    return false;
}

static void look_for_programs(void)
{
    static const struct {
        const char *name, *also, *use, *package;
    } table[] = {
        {"glslang", "glslangValidator", "to read cases from GLSL", "glslang-tools"},
        {"spirv-opt", "spirv-opt", "to inspect cases by hand", "spirv-tools"},
        {"clang", "clang-14", "to build the fuzz targets of tanglefuzz itself",
         "clang libclang-rt-dev"},
    };
    for (size_t i = 0; i < sizeof table / sizeof table[0]; i++) {
        bool have = on_path(table[i].name) || on_path(table[i].also);
        char text[200];
        snprintf(text, sizeof text, "%s%s%s", table[i].use, have ? "" : "; on Debian: apt install ",
                 have ? "" : table[i].package);
        line(have ? "ok" : "optional", table[i].name, text);
    }
}

static void look_for_loader(bool used)
{
    void *lib = dlopen("libvulkan.so.1", RTLD_NOW | RTLD_LOCAL);
    if (lib) {
        line("ok", "Vulkan loader", "libvulkan.so.1");
        dlclose(lib);
    } else if (used) { // a driver's folder may contain a loader
        line("ok", "Vulkan loader",
             "installed by scripts/setup.sh; the machine has none of its own");
    } else {
        line("missing", "Vulkan loader", "libvulkan.so.1 cannot be loaded");
        hint("run scripts/setup.sh; or on Debian: apt install libvulkan1");
    }
}

// A driver, with a device or with our machine; else a compiler.
static bool is_driver(struct arena *a, const struct run_listed *d)
{
    const struct run_stage *s = run_spec_parse(a, d->spec, NULL);
    return !s || !s->kind || s->kind->attribution == RUN_BY_DRIVER;
}

static bool promises(const struct run_listed *d)
{
    return d->usable && !run_is_compiler(&d->info) &&
           run_offers(&d->info, SPV_NEED(MAXIMAL_RECONVERGENCE)) && d->info.subgroup_size >= 4;
}

// Compilers are optional: a missing one is not an error.
static void look_at_compiler(const struct run_listed *d)
{
    char text[1200];
    snprintf(text, sizeof text, "%s%s%s", d->spec, d->usable ? "" : ": ", d->usable ? "" : d->why);
    line(d->usable ? "ok" : "optional", "compiler", text);
}

// `best`: the first that campaigns can run on, which makes those that cannot be used optional.
static void look_at_device(const struct run_listed *d, const struct run_listed *best)
{
    char text[1200];
    if (!d->usable)
        snprintf(text, sizeof text, "%s: %s", d->spec, d->why);
    else
        snprintf(text, sizeof text, "%s: %s, subgroups of %u%s", d->spec, d->info.device,
                 d->info.subgroup_size,
                 promises(d) ? ", maximal reconvergence"
                             : "; does not promise maximal reconvergence");
    line(promises(d) ? "ok" : d->usable ? "lesser" : best ? "optional" : "no", "device", text);
}

// Returns the first target that campaigns can run on; NULL if there is none.
static const char *look_for_devices(struct arena *a, const struct run_listed *v, uint32_t n)
{
    const struct run_listed *best = NULL;
    bool used = false;
    for (uint32_t i = 0; i < n && !best; i++)
        best = is_driver(a, &v[i]) && promises(&v[i]) ? &v[i] : NULL;
    for (uint32_t i = 0; i < n; i++) {
        if (!is_driver(a, &v[i])) {
            look_at_compiler(&v[i]);
            continue;
        }
        look_at_device(&v[i], best);
        used |= v[i].usable;
    }
    look_for_loader(used);
    if (!best) {
        line("missing", "device", "no device here promises maximal reconvergence");
        hint("scripts/setup.sh installs Mesa's lavapipe, which runs on the CPU, in the build "
             "folder");
        hint("for your own driver: --target vulkan:icd=FILE (its ICD JSON file)");
    }
    return best ? best->spec : NULL;
}

// Opens the device with the validation layer: only that proves that the layer works.
static void look_for_layer(const char *spec, const char *self)
{
    struct err e = {0};
    struct run_options o = {.validate = true};
    struct run_target *t = run_open(spec, self, &o, &e);
    line(t ? "ok" : "missing", "validation layer", t ? "optional: fuzz --validate" : e.msg);
    if (!t)
        hint("run scripts/setup.sh; or on Debian: apt install vulkan-validationlayers");
    run_close(t);
}

// Reports whether the commands of exec-compiler can be contained.
static void look_at_containment(void)
{
    char why[200];
    bool there = run_contained(why, sizeof why);
    line(there ? "ok" : "optional", "containment",
         there ? "bubblewrap contains the commands of exec-compiler" : why);
    if (!there)
        hint("without it, commands of exec-compiler can write anywhere and use the network");
}

struct given {
    const char *target;
};

static int run(struct context *x, void *user)
{
    const struct given *g = user;
    if (g->target)
        return doctor_target(x, g->target);
    line("ok", "tanglefuzz", version_number());
    line("ok", "SPIRV-Tools", spv_tools_version(&x->arena));
    say_flush();
    struct run_listed *devices;
    uint32_t n = run_list(&x->arena, x->self, &devices);
    const char *best = look_for_devices(&x->arena, devices, n);
    if (best)
        look_for_layer(best, x->self);
    look_for_programs();
    look_at_containment();
    if (best)
        say("\nready: tanglefuzz fuzz --target %s --time 60\n", best);
    else
        say("\nnot ready: campaigns need a device that promises maximal reconvergence\n");
    return best ? STATUS_GOOD : STATUS_BAD;
}

static const struct arg_option options[] = {
    OPT_TEXT("target", 't', "SPEC",
             "report on this target instead: what it promises, what is left out and\n"
             "why, how fast it is",
             target),
};

const struct command cmd_doctor = {
    .name = "doctor",
    .task = TASK_BUGS,
    .line = "list what is installed, what is missing, how to get it",
    .about =
        "Lists what is installed, what is missing and how to install it. With --target, reports on "
        "one\n"
        "target, and runs a few programs on it.\n"
        "Exit status: 0 if a device promises maximal reconvergence, or the target ran programs; "
        "else 2.",
    .example = "tanglefuzz doctor\n"
               "tanglefuzz doctor --target 'device:ssh HOST ./tanglefuzz-device'",
    OPTIONS(options),
    .size = sizeof(struct given),
    .finishes = true,
    .run = run,
};
