// SPDX-License-Identifier: Apache-2.0
//
// The commands of a bundle: which there are, and how each ended in an empty folder. A recipe is
// printed if all its commands ended as they must; one that did not is left out of the README,
// which says so.
#define _POSIX_C_SOURCE 200809L
#include "bundle.h"

#include <string.h>
#include <sys/stat.h>

enum {
    REPLAYS = 3,               // runs of `replay`
    COMMAND_SECONDS = 150,     // `replay` itself ends a job after 60
    HANG_SECONDS = 20,         // for a compiler that does not end
    RECIPES_SECONDS = 10 * 60, // for all of them
};

static struct bundle_recipe *add(struct bundle *b, enum bundle_place place, bool target)
{
    CHECK(b->recipes < sizeof b->recipe / sizeof *b->recipe);
    struct bundle_recipe *r = &b->recipe[b->recipes++];
    *r = (struct bundle_recipe){.place = place, .target = target, .why = ""};
    return r;
}

static void step(struct bundle_recipe *r, const char *line, enum command_want want)
{
    CHECK(r->steps < sizeof r->step / sizeof *r->step);
    r->step[r->steps++] = (struct bundle_step){.line = line, .want = want};
}

// How the compiler's own command ends if it shows the finding by itself; else 0.
static enum command_want compiler_want(enum judge_class k)
{
    return k == JUDGE_CRASH      ? COMMAND_CRASHES
           : k == JUDGE_REJECTED ? COMMAND_REJECTS
           : k == JUDGE_HANG     ? COMMAND_HANGS
                                 : COMMAND_OK;
}

// Replaces the name of an icd= file, whose folder a bundle does not name, by the variable ICD.
static const char *replay_target(struct arena *a, const char *target)
{
    const struct run_stage *s = run_spec_parse(a, target, NULL);
    const char *icd = s && !s->next ? run_stage_option(s, "icd") : NULL;
    if (!icd)
        return shell_quote(a, target);
    const char *text = run_stage_text(a, run_stage_with(a, s, "icd", "$ICD"));
    return strpbrk(text, "\"\\`") ? shell_quote(a, target) : arena_printf(a, "\"%s\"", text);
}

// A replay of `file` that must report the finding's class. `target`: quoted for a shell.
static void replay(struct bundle *b, struct bundle_recipe *r, const char *file, const char *target)
{
    struct arena *a = b->a;
    step(r, arena_printf(a, "tanglefuzz replay %s --target %s -n %d", file, target, REPLAYS),
         COMMAND_WRONG);
    r->step[r->steps - 1].says =
        arena_printf(a, "%s: %s", file, judge_class_name(b->w->f->verdict.klass));
}

// Judges out.spv, which the compiler made, without running the compiler again.
static void judge_output(struct bundle *b, struct bundle_recipe *r, bool prints)
{
    const char *file = "case.spvasm";
    // A language in between has no words for the mode: it is assumed.
    if (prints && b->w->c.model == SPV_MAXIMAL) {
        file = "assumed.spvasm";
        step(r, "sed 's/^; model maximal/; model assumed-maximal/' case.spvasm >assumed.spvasm",
             COMMAND_OK);
    }
    replay(b, r, file, "'exec-compiler:env in={in} cp out.spv {out}'"); // the text must name {in}
}

static void with_tanglefuzz(struct bundle *b)
{
    struct arena *a = b->a;
    const char *target = b->w->f->target, *pass = b->w->bucket->signature->culprit;
    if (b->w->c.expect_count)
        step(add(b, BUNDLE_WITH, false), "tanglefuzz check case.spvasm", COMMAND_OK);
    step(add(b, BUNDLE_WITH, false), "tanglefuzz predict case.spvasm", COMMAND_OK);
    replay(b, add(b, BUNDLE_WITH, true), "case.spvasm", replay_target(a, target));
    const struct run_stage *s = run_spec_parse(a, target, NULL);
    if (!pass || !pass[0] || !s || s->next || !s->kind || s->kind->passes != RUN_PASSES_WORDS)
        return;
    const char *alone = arena_printf(a, "%s:%s", s->name, pass);
    struct bundle_recipe *r = &b->recipe[b->recipes - 1];
    if (strcmp(alone, target) != 0) {
        r = add(b, BUNDLE_WITH, true);
        r->asks = true;
        replay(b, r, "case.spvasm", shell_quote(a, alone));
    }
    b->alone = r;
}

// Adds the lines of commands/NAME.txt: a word and a command.
//   ok       it ends with 0
//   compile  the compiler runs: it ends as the finding's class says
//   output   the compiler's module, out.spv, is validated
static void compiler(struct bundle *b, const struct fill *f)
{
    struct arena *a = b->a;
    const struct run_stage *s = run_spec_parse(a, b->w->f->target, NULL);
    const enum judge_class k = finding_class(b->w->f);
    const enum command_want want = compiler_want(k);
    struct text t = {.arena = a};
    if (!s || s->next)
        return;
    const bool passes = s->kind && s->kind->passes == RUN_PASSES_WORDS;
    char *name = arena_printf(a, "commands/%s.txt", passes ? "spirv-opt" : s->name), *save = NULL;
    for (char *c = name; (c = strchr(c, ':'));)
        *c = '-';
    if (!fill_has(name))
        return;
    fill_template(name, f, &t);
    struct bundle_recipe *r = add(b, BUNDLE_WITHOUT, true);
    for (char *line = t.v ? strtok_r(t.v, "\n", &save) : NULL; line;
         line = strtok_r(NULL, "\n", &save)) {
        const size_t n = strcspn(line, " ");
        const bool compiles = strncmp(line, "compile", n) == 0;
        const bool output = strncmp(line, "output", n) == 0;
        step(r, arena_str(a, line + n + (line[n] == ' ')),
             compiles                              ? want
             : output && k == JUDGE_INVALID_OUTPUT ? COMMAND_REJECTS
                                                   : COMMAND_OK);
        r->step[r->steps - 1].passes = compiles && want != COMMAND_OK;
        r->step[r->steps - 1].optional = output && k != JUDGE_INVALID_OUTPUT;
    }
    if (r->steps && judge_class_is_mismatch(k) && b->w->output)
        judge_output(b, r,
                     !passes && strcmp(s->name, "llvm") != 0 && s->kind &&
                         s->kind->options != RUN_SYNTAX_COMMAND);
    if (!r->steps)
        b->recipes--;
}

static void amber(struct bundle *b, const struct fill *f)
{
    struct arena *a = b->a;
    const struct run_stage *s = run_spec_parse(a, b->w->f->target, NULL);
    // A compiler that crashes or rejects the module does so before anything runs.
    const bool compiles = s && !s->check && !s->isa && s->kind && s->kind->form != RUN_FORM_MEMORY;
    const bool has_output = bundle_has(b, "output.amber");
    struct text env = {.arena = a};
    if (!bundle_has(b, "case.amber") || (compiles && !has_output))
        return;
    fill_string("amber_env", "{{amber_env}}", f, &env, NULL);
    step(add(b, BUNDLE_AMBER, true),
         arena_printf(a, "%samber -d -v 1.3 case.amber", env.v ? env.v : ""),
         compiles ? COMMAND_OK : COMMAND_FAILS);
    if (has_output)
        step(add(b, BUNDLE_AMBER, true), "amber -d -v 1.3 output.amber", COMMAND_FAILS);
}

static void unit_test(struct bundle *b)
{
    if (!bundle_has(b, "case_test.cpp"))
        return;
    struct bundle_recipe *r = add(b, BUNDLE_TEST, true);
    step(r,
         "c++ -std=c++17 case_test.cpp -lSPIRV-Tools-opt -lSPIRV-Tools -lgtest -lgtest_main "
         "-o case_test",
         COMMAND_OK);
    step(r, "./case_test", COMMAND_FAILS);
}

// The C file: compiled, then run on the driver of ICD or the system's.
static void standalone(struct bundle *b, const struct fill *f)
{
    struct arena *a = b->a;
    struct text env = {.arena = a};
    const struct run_stage *s = run_spec_parse(a, b->w->f->target, NULL);
    const enum judge_class k = finding_class(b->w->f);
    const bool device = s && !s->next && !s->check && !s->isa && strcmp(s->name, "vulkan") == 0;
    if (!bundle_has(b, "case.c"))
        return;
    const bool asked = strcmp(b->form, "c") == 0;
    struct bundle_recipe *r = add(b, asked ? BUNDLE_TEST : BUNDLE_WITHOUT, true);
    step(r, "cc -std=c11 case.c -o case -lvulkan", COMMAND_OK);
    if (!device && !bundle_runs_output(b->w))
        return;
    fill_string("amber_env", "{{amber_env}}", f, &env, NULL);
    const bool icd = device && run_stage_option(s, "icd");
    step(r,
         arena_printf(a, "%s%s./case", env.v ? env.v : "",
                      icd ? "VK_DRIVER_FILES=\"$ICD\" VK_ICD_FILENAMES=\"$ICD\" " : ""),
         k == JUDGE_CRASH ? COMMAND_CRASHES : COMMAND_WRONG);
}

void bundle_recipes(struct bundle *b, const struct fill *f)
{
    with_tanglefuzz(b);
    step(add(b, BUNDLE_WITHOUT, false), "spirv-val --target-env vulkan1.3 case.spv", COMMAND_OK);
    compiler(b, f);
    amber(b, f);
    unit_test(b);
    standalone(b, f);
}

// ---- programs ----------------------------------------------------------------------------------

// Programs that print their version, and how.
static const struct {
    const char *name, *version;
} programs[] = {{"spirv-val", "spirv-val --version"},
                {"spirv-opt", "spirv-opt --version"},
                {"spirv-cross", "spirv-cross --revision"},
                {"glslang", "glslang --version"},
                {"naga", "naga --version"},
                {"opt", "opt --version"},
                {"llc", "llc --version"},
                {"tint", "tint --version"}};

// The first line with a digit, without what a build outside a checkout says: "unknown hash, DATE".
static const char *version_line(struct arena *a, const char *output)
{
    for (const char *s = output; *s; s += strcspn(s, "\n") + (s[strcspn(s, "\n")] != 0)) {
        const size_t end = strcspn(s, "\n"), blank = strspn(s, " ");
        const char *unknown = strstr(s, " unknown hash");
        const size_t n = unknown && unknown < s + end ? (size_t)(unknown - s) : end;
        if (strcspn(s, "0123456789") < n)
            return text_printable(a, diag_without_paths(a, arena_strn(a, s + blank, n - blank)));
    }
    return "";
}

static bool ask_versions(struct bundle *b, const struct bundle_recipe *r, const char *folder,
                         const struct command_runner *runner, struct err *e)
{
    for (uint32_t i = 0; i < r->steps && r->state == BUNDLE_SHOWS; i++)
        for (size_t k = 0; k < sizeof programs / sizeof *programs; k++) {
            const size_t n = strcspn(r->step[i].line, " ");
            struct command_end end;
            bool had =
                strlen(programs[k].name) != n || strncmp(r->step[i].line, programs[k].name, n) != 0;
            for (uint32_t p = 0; p < b->programs; p++)
                had |= b->program[p].name == programs[k].name;
            if (had || b->programs == sizeof b->program / sizeof *b->program)
                continue;
            if (!runner->run(runner->user, folder, programs[k].version, COMMAND_SECONDS, b->a, &end,
                             e))
                return false;
            b->program[b->programs].name = programs[k].name;
            b->program[b->programs].version = version_line(b->a, end.output);
            b->programs += b->program[b->programs].version[0] != 0;
        }
    return true;
}

// ---- running them ------------------------------------------------------------------------------

// Makes the folder `to` with the bundle's files.
static bool copy(struct bundle *b, const char *folder, const char *to, struct err *e)
{
    if (!dir_make(to, e))
        return false;
    for (uint32_t i = 0; i < b->files; i++) {
        struct arena a = {0};
        char *data;
        size_t size;
        const char *name = b->file[i].name;
        const bool ok =
            file_read(&a, arena_printf(&a, "%s/%s", folder, name), SIZE_MAX, &data, &size, e) &&
            file_put(arena_printf(&a, "%s/%s", to, name), data, size, false, e);
        arena_free(&a);
        if (!ok)
            return false;
    }
    return true;
}

static void leave_out(struct bundle_recipe *r, const struct bundle_step *s)
{
    r->state = s->missing ? BUNDLE_UNRUN : BUNDLE_LEFT_OUT;
    r->why = s->ended;
}

static bool run_recipe(struct bundle *b, struct bundle_recipe *r, const char *folder,
                       const struct command_runner *runner, struct err *e)
{
    struct arena *a = b->a;
    for (uint32_t i = 0; i < r->steps; i++) {
        struct bundle_step *s = &r->step[i];
        struct command_end end;
        if (!runner->run(runner->user, folder, s->line,
                         s->want == COMMAND_HANGS ? HANG_SECONDS : COMMAND_SECONDS, a, &end, e))
            return false;
        b->ran = true;
        const bool goes_on = s->passes && !end.timed_out && !end.status;
        s->missing = report_command_missing(&end);
        s->ended = s->missing ? arena_printf(a, "not run: no program `%.*s` here",
                                             (int)strcspn(s->line, " "), s->line)
                              : report_command_ended(a, goes_on ? COMMAND_OK : s->want, &end);
        if (report_command_shows(s->want, s->says, &end) && s->passes) {
            r->steps = i + 1; // nothing follows a compiler that fails as it must
            break;
        }
        if ((goes_on && i + 1 < r->steps) || (s->missing && s->optional))
            continue;
        if (!report_command_shows(s->want, s->says, &end)) {
            leave_out(r, s);
            return true;
        }
    }
    r->state = BUNDLE_SHOWS;
    return true;
}

bool bundle_recipes_run(struct bundle *b, const char *folder, const struct command_runner *runner,
                        struct err *e)
{
    char tmp[256];
    const double until = now_seconds() + RECIPES_SECONDS;
    bool ok = true;
    for (uint32_t i = 0; i < b->recipes; i++)
        b->recipe[i].why = runner ? "" : "not run";
    if (!runner)
        return true;
    if (!dir_temporary(tmp, sizeof tmp, e))
        return false;
    for (uint32_t i = 0; i < b->recipes && ok; i++) {
        struct bundle_recipe *r = &b->recipe[i];
        const char *to = arena_printf(b->a, "%s/%u", tmp, i);
        if (r->target && runner->refused)
            r->why = arena_printf(b->a, "not run: %s", runner->refused);
        else if (now_seconds() >= until)
            r->why = arena_printf(b->a, "not run: the commands before it took %d minutes",
                                  RECIPES_SECONDS / 60);
        else
            ok = copy(b, folder, to, e) && run_recipe(b, r, to, runner, e) &&
                 ask_versions(b, r, to, runner, e);
        dir_remove(to);
    }
    dir_remove(tmp);
    return ok;
}
