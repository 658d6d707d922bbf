// SPDX-License-Identifier: Apache-2.0
//
// Target `vulkan` with a driver of another architecture (scripts/drivers.sh get panvk). The file
// `device` of its folder has the words of a command, one per line, that starts tanglefuzz-device
// with the driver, in an emulator. The driver only compiles: for `check` its answers are passed on,
// for `isa:nir` the machine in backends/isa/nir/ runs here the NIR that it reports, for `isa` that
// of backends/isa/qpu/ the machine code that v3dv prints.
//
// What always holds: a crash of the device program is the driver's and a finding; it is started
// again for the next case.
#define _GNU_SOURCE
#include "command.h"
#include "link_relay.h"
#include "vk.h"

#include <stdlib.h>
#include <string.h>
#include <unistd.h>

static const char *words_file(struct arena *a, const char *driver)
{
    const char *dir = drivers_dir(a);
    return dir ? arena_printf(a, "%s/%s/device", dir, driver) : "";
}

bool vk_is_far(const struct run_stage *s)
{
    struct arena a = {0};
    const char *driver = run_stage_option(s, "driver");
    const bool far = driver && !strchr(driver, '/') && driver[0] != '.' &&
                     access(words_file(&a, driver), R_OK) == 0;
    arena_free(&a);
    return far;
}

// ---- supervisor's side --------------------------------------------------------------------

// False if the emulator or the device program is missing: the first and the last word.
static bool programs_there(const char *driver, const struct vk_lines *words, struct err *e)
{
    if (!words->n)
        return err_set(e, "vulkan: driver '%s': its file `device` is empty", driver);
    for (size_t i = 0; i < words->n; i += words->n > 1 ? words->n - 1 : 1)
        if (access(words->v[i], X_OK) != 0)
            return err_set(e,
                           "vulkan: driver '%s' needs %s, which is missing: `scripts/drivers.sh "
                           "get %s` makes it",
                           driver, words->v[i], driver);
    return true;
}

static bool plan(struct arena *a, const struct run_stage *s, const struct run_options *o,
                 struct run_plan *out, struct err *e)
{
    struct vk_spec spec;
    struct vk_lines env = {0}, prefix = {0}, words = {0};
    if (!vk_spec_read(a, s, &spec, e) || !vk_plan_driver(a, &spec, &env, &prefix, e) ||
        !vk_read_lines(a, words_file(a, spec.driver), &words, e) ||
        !programs_there(spec.driver, &words, e))
        return false;
    const bool prints = spec.dump || (s->isa && !s->nir);
    const char *print = prints ? run_dump_variable(spec.driver) : NULL;
    if (!s->check && !s->nir && !print)
        return vk_only_compiles(spec.driver, "isa:nir:", e);
    if (spec.dump && !print)
        return err_set(e, "vulkan: driver '%s' has no option dump", spec.driver);
    if (o->validate)
        return err_set(e, "vulkan: driver '%s' runs in an emulator, without the validation layer",
                       spec.driver);
    for (uint32_t i = 0; i < spec.env_count; i++)
        *VEC_PUSH(a, &env) = spec.env[i];
    if (print)
        *VEC_PUSH(a, &env) = print;
    *out = (struct run_plan){.env = env.v, .env_count = (uint32_t)env.n};
    return true;
}

// ---- worker's side ------------------------------------------------------------------------

// For `isa:nir` and `isa`.
struct far {
    uint32_t size;  // subgroup size for cases that do not choose one; 0: the device's
    bool with_text; // the user wants the driver's code
    bool nir, dump;
    enum nir_driver driver; // if `nir`
    uint32_t device_size;
};

static bool ready(void *user, struct run_info *info, struct err *e)
{
    struct far *f = user;
    const struct vk_nir *nir = vk_nir_known(info, e);
    if (!nir)
        return false;
    if (!f->nir && nir->driver != NIR_V3DV)
        return err_set(e, "isa: the machine code of '%.100s' is not supported (v3dv's is)",
                       info->device);
    f->driver = nir->driver;
    f->device_size = info->subgroup_size;
    info->form = RUN_FORM_MEMORY;
    // The machine runs only compute code without images.
    info->offers &= ~(vk_stages_lack(VK_SHADER_STAGE_ALL, false) | SPV_NEED(IMAGES));
    return true;
}

static const struct isa_code *read_code(const struct far *f, struct arena *a, const char *text,
                                        uint32_t size, struct isa_result *why)
{
    if (f->nir)
        return nir_read(a, text, f->driver, size ? size : f->device_size, why);
    return qpu_read(a, text, why);
}

static void run_code(void *user, struct arena *a, const struct run_job *job,
                     const struct spv_case *c, struct run_result *x)
{
    const struct far *f = user;
    const char *text = x->driver_text;
    struct isa_result why;
    uint32_t size = job->subgroup ? job->subgroup : c->subgroup ? c->subgroup : f->size;
    if (!f->with_text)
        x->driver_text = NULL;
    if (x->status != RUN_COMPILED || (f->nir && f->dump)) // its levels are run, not the last NIR
        return;
    const struct isa_code *code =
        isa_readable(read_code(f, a, text ? text : "", size, &why), &why, x);
    if (code)
        isa_answer(a, code, c, 1, x);
}

static char **device_words(struct arena *a, const struct vk_spec *spec, const char *use)
{
    struct vk_lines words = {0};
    CHECK(vk_read_lines(a, words_file(a, spec->driver), &words, NULL));
    *VEC_PUSH(a, &words) = use;
    if (spec->name) {
        *VEC_PUSH(a, &words) = "--name";
        *VEC_PUSH(a, &words) = spec->name;
    }
    if (spec->has_device) {
        *VEC_PUSH(a, &words) = "--device";
        *VEC_PUSH(a, &words) = arena_printf(a, "%u", spec->device);
    }
    if (spec->size) {
        *VEC_PUSH(a, &words) = "--size";
        *VEC_PUSH(a, &words) = arena_printf(a, "%u", spec->size);
    }
    char **out = ARENA_ARRAY(a, char *, words.n + 1);
    for (size_t i = 0; i < words.n; i++)
        out[i] = arena_str(a, words.v[i]);
    return out;
}

static int serve(int fd, const struct wire_buf *in, struct arena *a, const struct run_stage *s,
                 const struct run_options *o)
{
    struct vk_spec spec;
    CHECK(vk_spec_read(a, s, &spec, NULL));
    struct link_open open = {.silence = o->job_seconds / 3, .options = *o};
    struct far f = {
        .size = spec.size, .with_text = o->driver_text, .nir = s->nir, .dump = spec.dump};
    struct link_use use = {.form = RUN_FORM_NONE};
    if (s->isa)
        use = (struct link_use){
            .form = RUN_FORM_NONE, .ready = ready, .result = run_code, .user = &f};
    const bool prints = spec.dump || (s->isa && !s->nir);
    const char *words = prints ? "--dump" : s->nir ? "--nir" : "--compile";
    return link_relay(fd, in, device_words(a, &spec, words), &open, &use);
}

const struct run_backend vk_far_backend = {.plan = plan, .serve = serve};
