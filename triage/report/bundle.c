// SPDX-License-Identifier: Apache-2.0
//
// The folder for a bug report. It has everything needed to understand and reproduce the bug without
// knowledge of tanglefuzz. It is written under a temporary name and renamed when it is complete.
#define _POSIX_C_SOURCE 200809L
#include "bundle.h"

#include "printers/printers.h"

#include <errno.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

enum { TABLE_ROWS = 64, TABLE_WORDS = 64 };

struct out {
    struct arena *a;
    const char *folder;
    struct bundle b;
    struct fill values;
};

static const struct {
    const char *name, *subjects;
} forms[] = {
#define ROW(name, subjects) {name, subjects},
    REPORT_FORMS(ROW)
#undef ROW
};

// A form's tests: templates/tests/FILE. One that is empty once filled is not written.
static const struct {
    const char *form, *file, *holds;
} tests[] = {
    {"spirv-tools", "case_test.cpp", "a unit test for `test/opt`"},
    {"llvm", "case.ll", "the case as LLVM IR, with RUN lines for lit"},
    {"llvm", "case.test", "the same for offload-test-suite"},
    {"offload-test", "case.test", "a test for offload-test-suite"},
    {"cts", "add_case.cpp", "the lines that add `case.amber` to a group"},
    {"mesa", "results.csv", "the result as deqp-runner writes it"},
};
enum { TESTS = sizeof tests / sizeof *tests };

// Whether one of the words is part of the name.
static bool has_word(const char *name, const char *words)
{
    for (const char *w = words; *w; w += strcspn(w, " "), w += *w == ' ') {
        char word[32];
        snprintf(word, sizeof word, "%.*s", (int)strcspn(w, " "), w);
        if (strstr(name, word))
            return true;
    }
    return false;
}

const char *report_form_guess(const char *target)
{
    struct arena a = {0};
    const char *form = NULL;
    for (const struct run_stage *s = run_spec_parse(&a, target, NULL); s && !form; s = s->next)
        for (size_t k = 0; k < sizeof forms / sizeof *forms && !form; k++)
            if (has_word(run_stage_family(&a, s, NULL), forms[k].subjects))
                form = forms[k].name;
    arena_free(&a);
    return form ? form : "generic";
}

bool bundle_has(const struct bundle *b, const char *file)
{
    for (uint32_t i = 0; i < b->files; i++)
        if (strcmp(b->file[i].name, file) == 0)
            return true;
    return false;
}

static bool put(struct out *o, const char *name, const char *holds, const void *data, size_t size,
                struct err *e)
{
    CHECK(o->b.files < sizeof o->b.file / sizeof *o->b.file);
    o->b.file[o->b.files].name = name;
    o->b.file[o->b.files++].holds = holds;
    return file_write(arena_printf(o->a, "%s/%s", o->folder, name), data, size, e);
}

static bool put_text(struct out *o, const char *name, const char *holds, const struct text *t,
                     struct err *e)
{
    return put(o, name, holds, t->v ? t->v : "", t->n, e);
}

// Writes nothing if `s` is NULL.
static bool put_str(struct out *o, const char *name, const char *holds, const char *s,
                    struct err *e)
{
    return !s || put(o, name, holds, s, strlen(s), e);
}

static bool put_inputs(struct out *o, const struct spv_case *c, struct err *e)
{
    bool ok = true;
    for (uint32_t b = 0; ok && b < c->buffer_count; b++)
        ok = put(o, arena_printf(o->a, "input-%u-%u.bin", c->buffer[b].set, c->buffer[b].binding),
                 arena_printf(o->a, "buffer %u:%u (set:binding) before the run", c->buffer[b].set,
                              c->buffer[b].binding),
                 c->buffer[b].words, c->buffer[b].count * sizeof(uint32_t), e);
    if (ok && c->push_count)
        ok = put(o, "input-push.bin", "the push constants", c->push,
                 c->push_count * sizeof(uint32_t), e);
    return ok;
}

static bool put_memory(struct out *o, const struct report_view *w, struct err *e)
{
    const struct spv_case *c = &w->c;
    struct text x = {.arena = o->a}, y = {.arena = o->a}, lanes = {.arena = o->a};
    if (w->expected) {
        spv_memory_print(w->expected, c->buffer_count, &x);
        if (!put_text(o, "expected.mem", "the buffers as they must be after the run", &x, e))
            return false;
    }
    if (w->observed) {
        spv_memory_print(w->observed, c->buffer_count, &y);
        if (!put_text(
                o, "observed.mem",
                w->output
                    ? "the buffers after the run; `?` where the compiler's module leaves them "
                      "undefined"
                    : "the buffers after the run",
                &y, e))
            return false;
    }
    if (!w->expected || !w->observed)
        return true;
    report_table(c, w->expected, w->observed, c->buffer_count, TABLE_ROWS, TABLE_WORDS, &lanes);
    return put_text(o, "lanes.txt", "expected and observed values, side by side", &lanes, e);
}

static bool put_output(struct spv_tools *tools, struct out *o, const struct report_view *w,
                       struct err *e)
{
    const char *assembly;
    struct text amber = {.arena = o->a};
    if (!w->output)
        return true;
    if (!put(o, "output.spv", "the module that the compiler produced", w->output,
             w->output_count * sizeof(uint32_t), e))
        return false;
    // A module that cannot be disassembled is only written as a binary.
    if (!spv_disassemble(tools, o->a, w->output, w->output_count, &assembly, NULL))
        return true;
    if (!put_str(o, "output.spvasm", "the same as assembly", assembly, e))
        return false;
    // A module that is invalid or has undefined behaviour proves nothing when it is run.
    return !judge_class_is_mismatch(w->verdict.klass) || !bundle_amber_says(&w->c) ||
           !bundle_amber(tools, &w->c, w->output, w->output_count, w->expected, &amber, NULL) ||
           put_text(o, "output.amber", "the compiler's module as an Amber script", &amber, e);
}

// The case in a language; NULL if that cannot express it. A finding's folder may hold any module,
// so only a valid one is printed.
static const char *printed(struct arena *a, const struct report_view *w, enum print_language l)
{
    struct text t = {.arena = a};
    const struct spv_case *c = &w->c;
    if (l == PRINT_GLSL)
        text_add(&t, "%s", report_drawn(a, c));
    return w->proof.valid && print_module(a, l, c->words, c->count, c->subgroup, &t, NULL, NULL)
               ? t.v
               : NULL;
}

// The tests of the bundle's form. Sets the flag FILE for each test: whether it was written.
static bool put_tests(struct out *o, struct err *e)
{
    bool ok = true;
    bundle_values(&o->b, &o->values);
    for (int k = 0; ok && k < TESTS; k++) {
        struct text t = {.arena = o->a};
        if (strcmp(tests[k].form, o->b.form) != 0)
            continue;
        fill_template(arena_printf(o->a, "tests/%s", tests[k].file), &o->values, &t);
        if (t.n)
            ok = put_text(o, tests[k].file, tests[k].holds, &t, e);
    }
    for (int k = 0; k < TESTS; k++)
        fill_flag(&o->values, tests[k].file, bundle_has(&o->b, tests[k].file));
    return ok;
}

// The C file of form `c`. False with a message: a case that it does not support.
static bool put_standalone(struct out *o, struct err *e)
{
    struct text t = {.arena = o->a};
    // In another form, where a device is wrong and Amber cannot run the case: a fragment shader.
    const char *lacks = bundle_standalone_lacks(&o->b.w->c);
    const bool asked = strcmp(o->b.form, "c") == 0;
    if (!asked && (lacks || bundle_amber_says(&o->b.w->c) ||
                   strncmp(o->b.w->f->target, "vulkan", strlen("vulkan")) != 0))
        return true;
    if (lacks)
        return err_set(e, "--form c: a case with %s has no such form", lacks);
    bundle_standalone(&o->b, &t);
    return put_text(o, "case.c", "the case as one C file, which needs only Vulkan", &t, e);
}

static bool put_all(struct spv_tools *tools, struct out *o, const struct command_runner *runner,
                    struct err *e)
{
    struct arena *a = o->a;
    const struct report_view *w = o->b.w;
    const struct spv_case *c = &w->c;
    struct text readme = {.arena = a}, amber = {.arena = a};
    if (!spv_module_read(a, c->words, c->count, &o->b.m, e) ||
        (spv_stage_row(c->stage)->has_workgroups && !spv_local_size(c, &o->b.m, o->b.local, e)))
        return false;
    o->b.glsl = printed(a, w, PRINT_GLSL);
    o->b.hlsl = printed(a, w, PRINT_HLSL_PLAIN);
    o->b.llvm = printed(a, w, PRINT_LLVM);
    if (strcmp(o->b.form, "naga") == 0 || strcmp(o->b.form, "tint") == 0)
        o->b.wgsl = printed(a, w, PRINT_WGSL);
    if (!put_str(o, "case.spvasm", "assembly, with dispatch, buffers and expectation in comments",
                 w->text, e) ||
        !put(o, "case.spv", "the module as a binary", c->words, c->count * sizeof(uint32_t), e) ||
        !put_str(o, "case.glsl", "the same program in GLSL", o->b.glsl, e) ||
        !put_str(o, "case.hlsl", "the same in HLSL", o->b.hlsl, e) ||
        !put_str(o, "case.wgsl", "the same in WGSL", o->b.wgsl, e) ||
        !put_str(o, "case.txt", "the same as pseudo-code", w->pseudo, e) ||
        (bundle_amber_says(c) &&
         (!bundle_amber(tools, c, c->words, c->count, w->expected, &amber, e) ||
          !put_text(o, "case.amber", "the same as an Amber script", &amber, e))) ||
        !put_inputs(o, c, e) || !put_memory(o, w, e) || !put_output(tools, o, w, e) ||
        !put_standalone(o, e) || !put_tests(o, e))
        return false;
    struct text code = {.arena = a};
    struct finding record = *w->f;
    record.host = ""; // nothing of it is for others
    if (w->code.text)
        report_code_lines(&w->code, &code);
    if (!put_str(o, "code.txt", "the machine code, with marks where it goes wrong", code.v, e) ||
        !put_str(o, "stderr.txt", "everything that the target printed", w->printed, e) ||
        !put_str(o, "backtrace.txt", "the stack where it crashed", w->backtrace, e) ||
        !put_str(o, "tangles-expected.svg", "which invocations execute each block together",
                 w->expected_svg, e) ||
        !put_str(o, "tangles-expected.txt", "the same as text", w->expected_steps, e) ||
        !put_str(o, "tangles-observed.svg", "the same for the compiler's module", w->observed_svg,
                 e) ||
        !put_str(o, "subject.txt",
                 w->target_output && strstr(w->target_output, "NIR")
                     ? "the driver's NIR and its later stages"
                     : "the driver's or compiler's own account of the case",
                 w->target_output ? diag_without_paths(a, w->target_output) : NULL, e) ||
        !put_str(o, "proof.txt", "what was checked about the case", w->proof.words, e) ||
        !put_str(o, "finding.json", "all of it for programs: `tanglefuzz recheck` of this folder",
                 finding_json(a, &record, &w->reason), e))
        return false;
    bundle_recipes(&o->b, &o->values);
    if (!bundle_recipes_run(&o->b, o->folder, runner, e))
        return false;
    bundle_readme_values(&o->b, &o->values);
    fill_template(arena_printf(a, "readme/%s.md", o->b.form), &o->values, &readme);
    return put_text(o, "README.md", "this file", &readme, e);
}

// A recipe that was left out counts once; of the others, each command does.
static struct command_count bundle_count(const struct bundle *b)
{
    struct command_count n = {0};
    for (uint32_t i = 0; i < b->recipes; i++) {
        const struct bundle_recipe *r = &b->recipe[i];
        if (r->state == BUNDLE_SHOWS)
            for (uint32_t k = 0; k < r->steps; k++)
                *(r->step[k].missing ? &n.unrun : &n.shown) += 1;
        else if (!r->asks && r->state == BUNDLE_LEFT_OUT)
            n.left_out++;
        else if (!r->asks)
            n.unrun += r->steps;
    }
    return n;
}

bool report_bundle(struct spv_tools *tools, const struct report_view *w, const char *form,
                   const char *to, const struct command_runner *runner, struct command_count *count,
                   struct err *e)
{
    struct arena a = {0};
    struct stat st;
    if (!w->has_case)
        return err_set(e, "%s: has no readable case", w->folder);
    if (lstat(to, &st) == 0)
        return err_set(e, "%s: exists already; remove it or choose another folder", to);
    const char *tmp = arena_printf(&a, "%s.tmp%ld", to, (long)getpid());
    struct out o = {
        .a = &a, .folder = tmp, .b = {.a = &a, .w = w, .form = form}, .values = {.a = &a}};
    bool ok = dir_make(tmp, e) && put_all(tools, &o, runner, e);
    if (ok && rename(tmp, to) != 0)
        ok = err_set(e, "%s: cannot write: %s", to, strerror(errno));
    if (!ok) {
        for (uint32_t i = 0; i < o.b.files; i++)
            unlink(arena_printf(&a, "%s/%s", tmp, o.b.file[i].name));
        rmdir(tmp);
    }
    *count = bundle_count(&o.b);
    arena_free(&a);
    return ok;
}
