// SPDX-License-Identifier: Apache-2.0
//
// The row `check`: a compiler is asked to compile and nothing is run. So drivers and back ends for
// hardware that is not here can be asked whether they crash, hang or refuse. The rest of the target
// text is that of `vulkan` or of `llvm`.
#include "llvm.h"
#include "vk.h"

#include <string.h>

// Whose options follow: "vulkan:driver=radv" -> "driver=radv".
static const char *after(const char *options, const char *word)
{
    const size_t n = strlen(word);
    if (strncmp(options, word, n) != 0 || (options[n] && options[n] != ':'))
        return NULL;
    return options + n + (options[n] == ':');
}

static bool unknown(const char *options, struct err *e)
{
    return err_set(e,
                   "check: '%.100s': a Vulkan target was expected: check:vulkan[:OPTIONS], or "
                   "check:llvm[:OPTIONS]",
                   options);
}

static bool plan(struct arena *a, const char *options, const struct run_options *o,
                 struct run_plan *out, struct err *e)
{
    const char *vulkan = after(options, "vulkan"), *llvm = after(options, "llvm");
    if (llvm)
        return llvm_plan(a, llvm, true, out, e);
    return vulkan ? vk_plan(a, vulkan, o, true, out, e) : unknown(options, e);
}

static uint32_t places(struct arena *a, const char ***specs)
{
    const char **names;
    uint32_t n = vk_drivers(a, true, &names);
    for (uint32_t i = 0; i < n; i++)
        names[i] = arena_printf(a, "check:vulkan:driver=%s", names[i]);
    *specs = names;
    return n;
}

struct check {
    const struct run_backend *of;
    void *state;
};

static void *open_device(struct arena *a, const char *options, const struct run_options *o,
                         struct run_info *info, struct err *e)
{
    const char *vulkan = after(options, "vulkan"), *llvm = after(options, "llvm");
    struct check *c = ARENA_NEW(a, struct check);
    if (!vulkan && !llvm) {
        unknown(options, e);
        return NULL;
    }
    c->of = llvm ? &llvm_backend : &vk_backend;
    c->state = llvm ? llvm_open(a, llvm, o, true, info, e) : vk_open(a, vulkan, o, true, info, e);
    return c->state ? c : NULL;
}

static bool run(void *state, struct arena *a, const struct run_job *job, struct run_sink *sink)
{
    struct check *c = state;
    return c->of->run(c->state, a, job, sink);
}

static void close_device(void *state)
{
    struct check *c = state;
    c->of->close(c->state);
}

static uint32_t list(struct arena *a, const char *spec, const char *options,
                     struct run_listed **out)
{
    uint32_t n = vk_backend.list(a, spec, strchr(options, ':') ? options : "", out);
    for (uint32_t i = 0; i < n; i++)
        (*out)[i].info.compile_only = true;
    return n;
}

const struct run_backend check_backend = {
    .plan = plan,
    .places = places,
    .open = open_device,
    .run = run,
    .close = close_device,
    .list = list,
};
