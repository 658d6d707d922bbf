// SPDX-License-Identifier: Apache-2.0
//
// The commands of a bundle's README, run in its folder: with tanglefuzz, and with the project's own
// programs alone. A comment behind a command says where it must fail.
#include "bundle.h"

#include <string.h>

static const char spirv_val[] = "spirv-val --target-env vulkan1.3";

static bool has_file(const struct bundle *b, const char *name)
{
    for (uint32_t i = 0; i < b->files; i++)
        if (strcmp(b->file[i].name, name) == 0)
            return true;
    return false;
}

// The last command's outcome, where it is the compiler that fails; else "".
static const char *dies(const struct bundle *b)
{
    const enum judge_class k = finding_class(b->w->f);
    return k == JUDGE_CRASH      ? "    # dies"
           : k == JUDGE_REJECTED ? "    # refuses it"
           : k == JUDGE_HANG     ? "    # does not end"
                                 : "";
}

// out.spv, where there is one: valid or not.
static void look_at_output(const struct bundle *b, struct text *t)
{
    if (b->w->output)
        text_add(t, "    %s out.spv%s\n", spirv_val,
                 finding_class(b->w->f) == JUDGE_INVALID_OUTPUT ? "    # refuses it" : "");
}

uint32_t bundle_passes(const struct bundle *b, struct arena *a, const char ***flags)
{
    const struct run_stage *s = run_spec_parse(a, b->w->f->target, NULL);
    uint32_t n = 0;
    if (!s || s->next || s->check || !s->kind)
        return 0;
    *flags = ARENA_ARRAY(a, const char *, s->count + 1);
    const bool command = s->kind->passes == RUN_PASSES_COMMAND &&
                         strncmp(run_stage_subject(a, s, NULL), "spirv-opt", 9) == 0;
    for (uint32_t i = command ? 1 : 0; i < s->count; i++) {
        const char *word = s->option[i].value;
        if (command && (word[0] != '-' || strcmp(word, "-o") == 0))
            break;
        if (command || s->kind->passes == RUN_PASSES_WORDS)
            (*flags)[n++] = word;
    }
    return n;
}

static void llvm(const struct bundle *b, const struct run_stage *s, struct text *t)
{
    static const char triple[] = "-mtriple=spirv1.6-unknown-vulkan1.3-compute";
    struct arena *a = t->arena;
    const char *passes = run_stage_option(s, "passes"), *level = run_stage_option(s, "level"),
               *limit = run_stage_option(s, "limit"), *judge = run_stage_option(s, "judge");
    const bool only_ir = judge && strcmp(judge, "ir") == 0, refused = *dies(b) && only_ir;
    const char *from = "case.ll";
    if (!b->llvm)
        return;
    text_add(t, "    opt -passes=verify -disable-output case.ll\n");
    if (!passes || strcmp(passes, "none") != 0) {
        text_add(t, "    opt %s -passes=%s%s%s -S case.ll -o out.ll%s\n", triple,
                 shell_quote(a, passes ? passes : "default<O3>"),
                 limit ? " -opt-bisect-limit=" : "", limit ? limit : "", refused ? dies(b) : "");
        from = "out.ll";
    }
    if (!only_ir && !s->check) {
        text_add(t,
                 "    llc -O%s %s --spirv-ext=+SPV_KHR_maximal_reconvergence -filetype=obj %s -o "
                 "out.spv%s\n",
                 level ? level : "2", triple, from, dies(b));
        look_at_output(b, t);
    }
}

// A command of somebody's: {in} and {out} by their names, its program without its folder.
static void command(const struct bundle *b, const struct run_stage *s, struct text *t)
{
    text_add(t, "   ");
    for (uint32_t i = 0; i < s->count; i++) {
        const char *word = s->option[i].value, *slash = i ? NULL : strrchr(word, '/');
        word = strcmp(word, "{in}") == 0    ? "case.spv"
               : strcmp(word, "{out}") == 0 ? "out.spv"
               : slash                      ? slash + 1
                                            : word;
        text_add(t, " %s", shell_quote(t->arena, word));
    }
    text_add(t, "%s\n", dies(b));
    look_at_output(b, t);
}

// The compiler's own commands.
static void own(const struct bundle *b, const struct run_stage *s, struct text *t)
{
    struct arena *a = t->arena;
    const char **flags;
    const char *name = s->name;
    const uint32_t n = bundle_passes(b, a, &flags);
    if (s->kind && s->kind->passes == RUN_PASSES_WORDS) {
        text_add(t, "    spirv-opt");
        for (uint32_t i = 0; i < n; i++)
            text_add(t, " %s", shell_quote(a, flags[i]));
        text_add(t, " case.spv -o out.spv%s\n", dies(b));
        look_at_output(b, t);
    } else if (strcmp(name, "exec-compiler") == 0) {
        command(b, s, t);
    } else if (strcmp(name, "llvm") == 0) {
        llvm(b, s, t);
    } else if (strcmp(name, "roundtrip") == 0) {
        const bool force = s->count > 1 && strcmp(s->option[1].value, "force-temporary") == 0;
        text_add(t,
                 "    spirv-cross --vulkan-semantics --version 460%s case.spv --output out.glsl\n"
                 "    glslang -V --target-env vulkan1.3 -S comp out.glsl -o out.spv%s\n",
                 force ? " --force-temporary" : "", dies(b));
        look_at_output(b, t);
    } else if (strcmp(name, "naga") == 0) {
        const bool wgsl = s->count && strcmp(s->option[0].value, "wgsl") == 0;
        text_add(t,
                 wgsl ? "    naga case.spv out.wgsl%s\n    naga out.wgsl out.spv\n"
                      : "    naga case.spv out.spv%s\n",
                 dies(b));
        look_at_output(b, t);
    } else if (b->wgsl && strcmp(name, "tint") == 0) {
        text_add(t, "    tint --format spirv case.wgsl -o out.spv%s\n", dies(b));
        look_at_output(b, t);
    } else if (strcmp(name, "roundtrip:naga-tint") == 0) {
        text_add(t, "    naga case.spv out.wgsl\n    tint --format spirv out.wgsl -o out.spv%s\n",
                 dies(b));
        look_at_output(b, t);
    } else if (b->glsl && strcmp(name, "glslang") == 0) {
        text_add(t, "    glslang -V --target-env vulkan1.3 -S comp case.glsl -o out.spv%s\n",
                 dies(b));
        look_at_output(b, t);
    } else if (b->hlsl && strcmp(name, "glslang-hlsl") == 0) {
        text_add(
            t, "    glslang -D -V --target-env vulkan1.3 -S comp -e main case.hlsl -o out.spv%s\n",
            dies(b));
        look_at_output(b, t);
    }
}

// Does the compiler's module leave a word undefined that the case fixes? Then a driver may give any
// value.
static bool left_open(const struct report_view *w)
{
    for (uint32_t k = 0; w->expected && w->observed && k < w->c.buffer_count; k++)
        for (uint32_t i = 0; w->observed[k].mask && i < w->observed[k].count; i++)
            if (~w->observed[k].mask[i] &
                (w->expected[k].mask ? w->expected[k].mask[i] : UINT32_MAX))
                return true;
    return false;
}

static void amber(const struct bundle *b, const struct run_stage *s, struct text *t)
{
    static const char run[] = "amber -d -v 1.3";
    const struct spv_case *c = &b->w->c;
    text_add(t, "    ");
    for (uint32_t i = 0; s && i < s->count; i++)
        if (strcmp(s->option[i].key, "env") == 0) {
            const char *value = strchr(s->option[i].value, '=');
            text_add(t, "%.*s=%s ", value ? (int)(value - s->option[i].value) : 0,
                     s->option[i].value, value ? shell_quote(t->arena, value + 1) : "");
        }
    text_add(t, "%s case.amber\n", run);
    const bool output = has_file(b, "output.amber");
    if (output)
        text_add(t, "    %s output.amber\n", run);
    text_add(t, "\nAmber compares every word that is fixed, on a device with the extensions and "
                "the subgroup size that the first lines ask for. ");
    text_add(
        t,
        output && left_open(b->w) ? "`output.amber` holds the module that the compiler "
                                    "made, which leaves a value undefined that the "
                                    "case fixes: it fails wherever that value is another "
                                    "one. `case.amber` holds what went in: it "
                                    "passes on every driver that is right. "
        : output
            ? "`output.amber` holds the module that the compiler made: it fails on every driver "
              "that is right. `case.amber` holds what went in: it passes there. "
            : "Of several drivers choose one with `VK_DRIVER_FILES=` and the path of its manifest "
              "before the command (`VK_ICD_FILENAMES=` for a loader before 1.3.207), of "
              "several devices with `-D`. ");
    if (c->model == SPV_MAXIMAL || c->model == SPV_SUBGROUP_UNIFORM)
        text_add(t,
                 "Amber enables the extension, but has no word for the feature behind it (%s): "
                 "validation layers, which `-d` leaves out, say so. Vulkan CTS enables all that a "
                 "device has. ",
                 c->model == SPV_MAXIMAL ? "shaderMaximalReconvergence"
                                         : "shaderSubgroupUniformControlFlow");
    if (c->subgroup && b->local[0] % c->subgroup)
        text_add(
            t,
            "The last subgroup of a workgroup is partial, so full subgroups cannot be asked for.");
    text_add(t, "\n");
}

// The files that only this form has.
static void form(const struct bundle *b, struct text *t)
{
    const char *test = NULL;
    if (has_file(b, "case_test.cpp"))
        test =
            "`case_test.cpp` is the same as a unit test: it fails. In SPIRV-Tools' tree it goes to "
            "`test/opt` (a line in its `CMakeLists.txt`); alone, with the installed libraries:\n\n"
            "    c++ -std=c++17 case_test.cpp -lSPIRV-Tools-opt -lSPIRV-Tools -lgtest "
            "-lgtest_main -o case_test\n"
            "    ./case_test    # fails\n";
    else if (has_file(b, "case.test"))
        test = "`case.test` goes to offload-test-suite's `test/Bugs`; its HLSL is compiled by "
               "clang or dxc and run on a device.\n";
    else if (has_file(b, "add_case.cpp"))
        test = "`case.amber` goes to `external/vulkancts/data/vulkan/amber/reconvergence`; "
               "`add_case.cpp` holds the lines that add it to a group.\n";
    if (test)
        text_add(t, "\n%s", test);
}

void bundle_reproduce(const struct bundle *b, struct text *t)
{
    const struct report_view *w = b->w;
    const struct finding *r = w->f;
    const struct run_stage *s = run_spec_parse(t->arena, r->target, NULL);
    // Where nothing was observed the case has no `; expect` lines, and nothing to check.
    text_add(
        t,
        "With tanglefuzz, in this folder:\n\n"
        "%s"
        "    tanglefuzz predict case.spvasm\n"
        "    %s\n\n"
        "%s`predict` says what must be in memory, the last what the target makes of it (exit "
        "status 1: wrong).%s%s\n\n"
        "Without it:\n\n"
        "    %s case.spv\n",
        w->c.expect_count ? "    tanglefuzz check case.spvasm\n" : "", r->replay,
        w->c.expect_count ? "`check` says whether the case is valid and defined, " : "",
        strstr(r->target, "icd=") ? " After `icd=` write the whole path of the driver's manifest."
                                  : "",
        strstr(r->target, "{tools}") ? " `{tools}` is where `scripts/drivers.sh` puts compilers."
                                     : "",
        spirv_val);
    if (s && !s->next)
        own(b, s, t);
    // A compiler that dies of a module, or refuses it, does so before anything runs.
    const bool compiler = s && !s->check && !s->isa && s->kind && s->kind->form != RUN_FORM_MEMORY;
    if (has_file(b, compiler ? "output.amber" : "case.amber"))
        amber(b, s, t);
    if (w->c.model == SPV_MAXIMAL)
        text_add(t, "\nspirv-val from 2024.4 on knows the execution mode.\n");
    form(b, t);
}
