// SPDX-License-Identifier: Apache-2.0
//
// The row `check`: a Vulkan driver makes the pipeline and nothing is dispatched. So
// drivers for hardware that is not here can be asked whether they crash, hang or
// refuse. The rest of the target text is that of `vulkan`.
#include "vk.h"

#include <string.h>

// "vulkan:driver=radv" -> "driver=radv"; NULL with a line when it is something else.
static const char *inner(const char *options, struct err *e)
{
    static const char word[] = "vulkan";
    size_t n = sizeof word - 1;
    if (strncmp(options, word, n) == 0 && options[n] == 0)
        return options + n;
    if (strncmp(options, word, n) == 0 && options[n] == ':')
        return options + n + 1;
    err_set(e, "check: '%.100s': a Vulkan target was expected: check:vulkan[:OPTIONS]", options);
    return NULL;
}

static bool plan(struct arena *a, const char *options, const struct run_options *o,
                 struct run_plan *out, struct err *e)
{
    const char *in = inner(options, e);
    return in && vk_plan(a, in, o, true, out, e);
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

static void *open_device(struct arena *a, const char *options, const struct run_options *o,
                         struct run_info *info, struct err *e)
{
    const char *in = inner(options, e);
    return in ? vk_open(a, in, o, true, info, e) : NULL;
}

static bool run(void *state, struct arena *a, const struct run_job *job, struct run_sink *sink)
{
    return vk_backend.run(state, a, job, sink);
}

static void close_device(void *state)
{
    vk_backend.close(state);
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
