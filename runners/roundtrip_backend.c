// SPDX-License-Identifier: Apache-2.0
//
// Target `roundtrip:spirv-cross`: SPIR-V to GLSL by spirv-cross, and back to SPIR-V by glslang.
// Input: the module. Output: the resulting module, or the reason why there was none.
//
// Limits of GLSL are not mismatches. spirv-cross does not write the maximal reconvergence mode,
// although GLSL has it (GL_EXT_maximal_reconvergence), so it is added to the text. A module that
// spirv-cross refuses, or that comes back without its mode, is skipped with the reason. Text from
// spirv-cross that glslang refuses is a rejection.
#include "command.h"
#include "spirv/spirv_edit.h"

#include <stdlib.h>
#include <string.h>
#include <unistd.h>

static const char name[] = "roundtrip";

struct trip {
    char *const *cross, *const *glslang; // commands
    char folder[200];
    const char *in, *glsl, *out;
    double seconds;
};

// ---- programs ------------------------------------------------------------------------

struct pair {
    const char *cross, *glslang;
    const char *which; // shown to users
    bool force;        // spirv-cross stores every value in a variable of its own instead of nesting
                       // expressions
};

static bool both(struct arena *a, const char *cross, const char *glslang, const char *which,
                 struct pair *out)
{
    if (!command_there(a, name, cross, NULL) || !command_there(a, name, glslang, NULL))
        return false;
    *out = (struct pair){cross, glslang, which, false};
    return true;
}

static bool in_tools(struct arena *a, const char *tools, struct pair *out)
{
    const char *dir = arena_printf(a, "%s/%s", command_tools(a), tools);
    const char *file = arena_printf(a, "%s/version", dir);
    char *version;
    size_t n;
    const char *which = file_read(a, file, 4096, &version, &n, NULL) ? version : tools;
    char *end = strpbrk(version = arena_str(a, which), "\n");
    if (end)
        *end = 0;
    return both(a, arena_printf(a, "%s/bin/spirv-cross", dir),
                arena_printf(a, "%s/bin/glslang", dir), version, out);
}

// Parses "spirv-cross[,force-temporary][,tools=NAME]". Without a name it tries sid's tools, then
// the system's, then bookworm's.
static bool find(struct arena *a, const struct run_stage *s, struct pair *out, struct err *e)
{
    const char *tools = run_stage_option(s, "tools");
    bool force = false, known = s->count && strcmp(s->option[0].value, "spirv-cross") == 0;
    for (uint32_t i = 1; known && i < s->count; i++) {
        const bool word = !s->option[i].key[0];
        known = word ? strcmp(s->option[i].value, "force-temporary") == 0
                     : strcmp(s->option[i].key, "tools") == 0;
        force |= word;
    }
    if (!known)
        return err_set(e,
                       "roundtrip: '%.100s': use "
                       "roundtrip:spirv-cross[,force-temporary][,tools=NAME]",
                       run_stage_text(a, s));
    if (tools ? in_tools(a, tools, out)
              : in_tools(a, "sid", out) || both(a, "spirv-cross", "glslang", "the system's", out) ||
                    both(a, "spirv-cross", "glslangValidator", "the system's", out) ||
                    in_tools(a, "bookworm", out)) {
        out->force = force;
        return true;
    }
    return err_set(
        e,
        "roundtrip: spirv-cross and glslang were not found%s%s: `scripts/drivers.sh get tools-sid` "
        "downloads them",
        tools ? " in tools " : "", tools ? tools : "");
}

// ---- GLSL ------------------------------------------------------------------------------

// Modes that GLSL expresses as an attribute of main.
static const struct {
    SpvExecutionMode mode;
    const char *extension, *attribute, *name;
} modes[] = {
    {SpvExecutionModeMaximallyReconvergesKHR, "GL_EXT_maximal_reconvergence",
     "maximally_reconverges", "MaximallyReconvergesKHR"},
    {SpvExecutionModeSubgroupUniformControlFlowKHR, "GL_EXT_subgroup_uniform_control_flow",
     "subgroup_uniform_control_flow", "SubgroupUniformControlFlowKHR"},
};
enum { MODES = sizeof modes / sizeof modes[0] };

// Returns which of `modes` the module has, as bits.
static uint32_t modes_of(struct arena *a, const uint32_t *words, size_t count)
{
    struct spv_module m;
    uint32_t found = 0;
    if (!spv_module_read(a, words, count, &m, NULL))
        return 0;
    for (uint32_t i = 0; i < m.inst_count && m.insts[i].op != SpvOpFunction; i++)
        for (uint32_t k = 0; m.insts[i].op == SpvOpExecutionMode && k < MODES; k++)
            found |= (uint32_t)(m.insts[i].v[1] == (uint32_t)modes[k].mode) << k;
    return found;
}

// `mediump` and RelaxedPrecision permit less precision. Removing them keeps the semantics and lets
// the oracle judge every operation. RelaxedPrecision must be removed too, because glslang declares
// gl_SubgroupInvocationID as mediump and values computed from it inherit that.
static void without_relaxed(struct arena *a, struct run_result *r)
{
    struct spv_module m;
    if (!spv_module_read(a, r->words, r->word_count, &m, NULL))
        return; // the validator will report the reason
    const struct spv_case made = {.words = r->words, .count = r->word_count};
    struct spv_edit e;
    spv_edit_start(&e, a, &made, &m, 0);
    for (uint32_t i = 0; i < m.inst_count; i++) {
        const struct spv_inst *x = &m.insts[i];
        uint32_t at = x->op == SpvOpDecorate ? 1 : x->op == SpvOpMemberDecorate ? 2 : 0;
        if (at && x->v[at] == SpvDecorationRelaxedPrecision)
            spv_edit_drop(&e, i);
    }
    spv_edit_write(&e, false);
    r->words = e.c.words;
    r->word_count = e.c.count;
}

static void without_mediump(char *text)
{
    for (char *at = text; (at = strstr(at, "mediump "));) {
        memcpy(at, "  highp ", 8);
        at += 8;
    }
}

// Group operations on small and wide integers: spirv-cross uses them without the extension that
// they need. A glslang that does not know an extension only warns.
static const char *const types[] = {"int8", "int16", "int64", "float16"};

// Adds the modes to the text: an extension after the first line, an attribute after "void main()".
static bool add_modes(struct arena *a, const char *path, uint32_t want, struct err *e)
{
    static const char main_text[] = "void main()";
    char *text;
    size_t size;
    if (!command_read(a, path, &text, &size))
        return err_set(e, "spirv-cross wrote no GLSL");
    without_mediump(text);
    char *line = strncmp(text, "#version", 8) == 0 ? strchr(text, '\n') : NULL;
    char *at = strstr(text, main_text);
    if (!line || !at || strstr(at + 1, main_text))
        return err_set(e, "the GLSL does not have a #version line and exactly one main");
    struct text out = {.arena = a};
    text_addn(&out, text, (size_t)(line + 1 - text));
    for (uint32_t k = 0; k < MODES; k++)
        if (want >> k & 1)
            text_add(&out, "#extension %s : require\n", modes[k].extension);
    for (size_t k = 0; k < sizeof types / sizeof types[0]; k++)
        text_add(&out, "#extension GL_EXT_shader_subgroup_extended_types_%s : enable\n", types[k]);
    at += sizeof main_text - 1;
    text_addn(&out, line + 1, (size_t)(at - line - 1));
    for (uint32_t k = 0; k < MODES; k++)
        if ((want >> k & 1) && !strstr(text, modes[k].attribute))
            text_add(&out, " [[%s]]", modes[k].attribute);
    text_addn(&out, at, strlen(at));
    return file_put(path, out.v, out.n, false, e);
}

// ---- the backend ------------------------------------------------------------------------

static void skip(struct run_result *r, const char *what, const char *why)
{
    char text[sizeof r->text];
    snprintf(text, sizeof text, "%s: %.500s", what, why);
    memcpy(r->text, text, sizeof text);
    r->status = RUN_SKIPPED;
}

static void trip(const struct trip *t, struct arena *a, const struct spv_case *c,
                 struct run_result *r)
{
    struct err e = {0};
    unlink(t->glsl);
    unlink(t->out);
    uint32_t want = modes_of(a, c->words, c->count);
    if (!file_put(t->in, c->words, c->count * 4, false, &e)) {
        result_set(r, RUN_FAILED, &e);
        return;
    }
    command_run(t->cross, t->folder, t->seconds, 0, a, r);
    if (r->status == RUN_REJECTED)
        skip(r, "spirv-cross cannot express it in GLSL", arena_str(a, r->text));
    if (r->status != RUN_OK)
        return;
    if (!add_modes(a, t->glsl, want, &e)) {
        skip(r, "the execution mode is lost", e.msg);
        return;
    }
    command_run(t->glslang, t->folder, t->seconds, 0, a, r);
    if (r->status == RUN_REJECTED && strstr(r->text, "extension not supported"))
        skip(r, "this glslang does not know the extension of the execution mode",
             arena_str(a, r->text));
    if (r->status != RUN_OK || !module_read(a, t->out, r))
        return;
    uint32_t lost = want & ~modes_of(a, r->words, r->word_count);
    for (uint32_t k = 0; k < MODES; k++)
        if (lost >> k & 1) {
            r->form = RUN_FORM_NONE;
            r->words = NULL;
            r->word_count = 0;
            skip(r, "the execution mode was lost", modes[k].name);
            return;
        }
    without_relaxed(a, r);
}

static bool plan(struct arena *a, const struct run_stage *s, const struct run_options *o,
                 struct run_plan *out, struct err *e)
{
    struct pair p;
    (void)o;
    *out = (struct run_plan){0};
    return find(a, s, &p, e);
}

static void *open_trip(struct arena *a, const struct run_stage *s, const struct run_options *o,
                       struct run_info *info, struct err *e)
{
    struct trip *t = ARENA_NEW(a, struct trip);
    struct pair p;
    t->seconds = o->fence_seconds;
    if (!find(a, s, &p, e) || !dir_temporary(t->folder, sizeof t->folder, e))
        return NULL;
    t->in = arena_printf(a, "%s/in.spv", t->folder);
    t->glsl = arena_printf(a, "%s/in.comp", t->folder);
    t->out = arena_printf(a, "%s/out.spv", t->folder);
    const char *cross[] = {p.cross,
                           t->in,
                           "--vulkan-semantics",
                           "--version",
                           "460",
                           "--output",
                           t->glsl,
                           p.force ? "--force-temporary" : NULL,
                           NULL};
    const char *back[] = {p.glslang, "-V",    "--target-env", "vulkan1.3", "-S",
                          "comp",    t->glsl, "-o",           t->out,      NULL};
    t->cross = arena_copy(a, cross, sizeof cross);
    t->glslang = arena_copy(a, back, sizeof back);
    compiler_info(info, s, "spirv-cross and glslang", p.which);
    return t;
}

static void close_trip(void *state)
{
    dir_remove(((struct trip *)state)->folder);
}

static bool run(void *state, struct arena *a, const struct run_job *job, struct run_sink *sink)
{
    struct run_result r = {.status = RUN_OK};
    struct run_time start = run_time_now();
    trip(state, a, &job->cases[0], &r);
    run_time_add(&r, run_time_since(start));
    return result_all(job, sink, &r) || (close_trip(state), false);
}

static uint32_t places(struct arena *a, const char ***specs)
{
    struct pair p;
    const uint32_t n = one_place(a, "roundtrip:spirv-cross", specs);
    return find(a, run_spec_parse(a, (*specs)[0], NULL), &p, NULL) ? n : 0;
}

// The caller has checked with `plan` that the programs exist.
static uint32_t list(struct arena *a, const char *spec, const struct run_stage *s,
                     struct run_listed **out)
{
    struct pair p;
    CHECK(find(a, s, &p, NULL));
    return list_compiler(a, spec, s, "spirv-cross and glslang", p.which, out);
}

const struct run_backend roundtrip_backend = {
    .plan = plan,
    .places = places,
    .open = open_trip,
    .run = run,
    .close = close_trip,
    .list = list,
};
