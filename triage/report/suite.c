// SPDX-License-Identifier: Apache-2.0
//
// The folder of a suite, from templates/suite/ and the templates of bundles.
#define _POSIX_C_SOURCE 200809L
#include "suite.h"

#include "bundle.h"
#include "printers/printers.h"

#include <errno.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

struct writer {
    struct arena *a;
    struct spv_tools *tools;
    const struct suite *s;
    const char *form, *folder;
    VEC(const char *) files;
    VEC(const struct suite_test *) kept; // tests that the form can express
    struct err *e;
};

static bool put(struct writer *w, const char *name, const struct text *t)
{
    *VEC_PUSH(w->a, &w->files) = name;
    return file_write(arena_printf(w->a, "%s/%s", w->folder, name), t->v ? t->v : "", t->n, w->e);
}

// ---- values --------------------------------------------------------------------------------

// A test's name as a word of C: '_' for '-'.
static const char *word_of(struct arena *a, const char *name)
{
    char *s = arena_str(a, name);
    for (char *c = s; *c; c++)
        if (*c == '-')
            *c = '_';
    return s;
}

// A disassembled module without the line of its version.
static const char *module_text(const char *s)
{
    return s && *s == ';' ? s + strcspn(s, "\n") + 1 : s;
}

static void test_values(const struct suite_test *t, struct fill *f)
{
    fill_text(f, "name", t->name);
    fill_text(f, "word", word_of(f->a, t->name));
    fill_text(f, "program", t->program);
    fill_text(f, "seen", t->seen);
    fill_text(f, "line", t->line);
    fill_text(f, "classes", t->classes);
    fill_number(f, "finds", t->mutants);
    fill_text(f, "rules", t->rules);
    fill_text(f, "wrong", t->wrong);
    fill_text(f, "flag", t->flag);
    fill_text(f, "output", module_text(t->output));
    fill_text(f, "model", spv_model_name(t->c.model));
}

static const char *listed(struct arena *a, const uint32_t *v, uint32_t n)
{
    struct text t = {.arena = a};
    for (uint32_t i = 0; v && i < n; i++) {
        text_add(&t, i ? ", " : "");
        text_u32(&t, v[i]);
    }
    return t.v;
}

static void buffer_row(struct fill *row, const void *user, uint32_t i)
{
    const struct spv_case *c = user;
    fill_number(row, "binding", c->buffer[i].binding);
    const bool zero = c->buffer[i].fill == SPV_FILL_ZERO;
    fill_number(row, "size", c->buffer[i].count);
    fill_text(row, "data", zero ? "" : listed(row->a, c->buffer[i].words, c->buffer[i].count));
    fill_text(row, "right", listed(row->a, c->expect[i].words, c->expect[i].count));
    fill_text(row, "mask", listed(row->a, c->expect[i].mask, c->expect[i].count));
}

// The values of a test that WGSL can express.
static void webgpu_values(const struct suite_test *t, struct fill *f)
{
    struct text wgsl = {.arena = f->a};
    CHECK(print_module(f->a, PRINT_WGSL, t->c.words, t->c.count, t->c.subgroup, &wgsl, NULL, NULL));
    fill_text(f, "wgsl", wgsl.v);
    fill_text(f, "groups", listed(f->a, t->c.groups, 3));
    fill_text(f, "lanes", t->c.has_lanes ? arena_printf(f->a, "%u", t->c.lanes_binding) : "-1");
    fill_list(f, "buffers", t->c.buffer_count, buffer_row, &t->c);
}

static void test_row(struct fill *row, const void *user, uint32_t i)
{
    const struct writer *w = user;
    const struct suite_test *t = w->kept.v[i];
    const char *assembly = NULL;
    struct spv_module *m = ARENA_ARRAY(row->a, struct spv_module, 1); // lists are filled later
    test_values(t, row);
    CHECK(spv_module_read(row->a, t->c.words, t->c.count, m, NULL) &&
          spv_disassemble(w->tools, row->a, t->c.words, t->c.count, &assembly, NULL));
    fill_text(row, "assembly", module_text(assembly));
    fill_number(row, "spirv_minor", m->version >> 8 & 0xff);
    bundle_amber_needs(m, row);
    fill_number(row, "subgroup", t->c.subgroup);
    if (strcmp(w->form, "webgpu") == 0)
        webgpu_values(t, row);
}

static void step_row(struct fill *row, const void *user, uint32_t i)
{
    const struct suite_step *s = &((const struct suite *)user)->step[i];
    fill_number(row, "tests", s->tests);
    fill_number(row, "greedy", s->greedy);
    fill_number(row, "at_random", s->random);
}

struct cts_features {
    uint32_t n;
    const char *name[32];
};

static void cts_feature_row(struct fill *row, const void *user, uint32_t i)
{
    fill_text(row, "cts_feature", ((const struct cts_features *)user)->name[i]);
}

// Lists the features that the tests name in their lines for the Vulkan CTS.
static struct cts_features *cts_features(const struct writer *w)
{
    struct cts_features *out = ARENA_NEW(w->a, struct cts_features);
    uint32_t used = 0;
    const char *name;
    for (size_t i = 0; i < w->kept.n; i++) {
        struct spv_module m;
        CHECK(spv_module_read(w->a, w->kept.v[i]->c.words, w->kept.v[i]->c.count, &m, NULL));
        used |= bundle_features(&m);
    }
    for (uint32_t row = 0; (name = bundle_cts_feature(w->a, row)); row++)
        if (used >> row & 1)
            out->name[out->n++] = name;
    return out;
}

static void suite_values(const struct writer *w, struct fill *f)
{
    const struct suite *s = w->s;
    const struct cts_features *features = cts_features(w);
    fill_list(f, "cts_features", features->n, cts_feature_row, features);
    fill_text(f, "form", w->form);
    fill_text(f, "command", s->command);
    fill_text(f, "tanglefuzz", version_number());
    fill_number(f, "count", w->kept.n);
    fill_number(f, "left_out", s->n - w->kept.n);
    fill_number(f, "size_of_subgroup", s->subgroup);
    fill_number(f, "candidates", s->candidates);
    fill_number(f, "searched", s->searched);
    fill_number(f, "findable", s->findable);
    fill_number(f, "all_mutants", s->mutants);
    fill_number(f, "kept", s->kept);
    fill_number(f, "kept_all", s->kept_all);
    fill_list(f, "steps", s->steps, step_row, s);
    fill_list(f, "tests", (uint32_t)w->kept.n, test_row, w);
}

// Adds the comment of a test: each line after `mark`.
static void comment(struct arena *a, const struct suite_test *t, const char *mark, struct text *out)
{
    struct fill f = {.a = a};
    fill_text(&f, "mark", mark);
    test_values(t, &f);
    fill_template("suite/comment.txt", &f, out);
}

// ---- what a form can express -------------------------------------------------------------------

static bool fits_amber(struct arena *a, const struct spv_case *c, struct text *out)
{
    (void)a;
    (void)out;
    return bundle_amber_says(c);
}

static bool fits_offload(struct arena *a, const struct spv_case *c, struct text *out)
{
    return spv_stage_row(c->stage)->has_workgroups &&
           print_module(a, PRINT_HLSL_PLAIN, c->words, c->count, c->subgroup, out, NULL, NULL);
}

// WebGPU cannot ask for a subgroup size: the test reads the lanes and is skipped where they are
// others, or it has a single invocation, which needs no others.
static bool knows_its_lanes(struct arena *a, const struct spv_case *c)
{
    struct spv_module m;
    return (c->has_lanes && !c->lanes_packed) ||
           (spv_module_read(a, c->words, c->count, &m, NULL) && spv_case_invocations(c, &m) == 1);
}

static bool fits_webgpu(struct arena *a, const struct spv_case *c, struct text *out)
{
    if (!knows_its_lanes(a, c))
        return false;
    for (uint32_t i = 0; i < c->buffer_count; i++)
        if (c->buffer[i].set != 0)
            return false;
    return spv_stage_row(c->stage)->has_workgroups &&
           print_module(a, PRINT_WGSL, c->words, c->count, c->subgroup, out, NULL, NULL);
}

// ---- one file for each test ------------------------------------------------------------------

static bool amber(struct writer *w, const struct suite_test *t)
{
    struct text script = {.arena = w->a}, out = {.arena = w->a};
    static const char head[] = "#!amber\n";
    if (!fits_amber(w->a, &t->c, NULL))
        return true;
    if (!bundle_amber(w->tools, &t->c, t->c.words, t->c.count, t->c.expect, &script, w->e))
        return false;
    CHECK(strncmp(script.v, head, sizeof head - 1) == 0);
    text_addn(&out, head, sizeof head - 1);
    comment(w->a, t, "#", &out);
    text_addn(&out, script.v + sizeof head - 1, script.n - (sizeof head - 1));
    *VEC_PUSH(w->a, &w->kept) = t;
    return put(w, arena_printf(w->a, "%s.amber", t->name), &out);
}

// The case, with its comment and RUN line after the module.
static bool lit(struct writer *w, const struct suite_test *t)
{
    struct text out = {.arena = w->a};
    if (!spv_case_print(w->tools, &t->c, &out, w->e))
        return false;
    text_add(&out, "\n; RUN: %%{tanglefuzz} replay %%s --target %%{target}\n");
    comment(w->a, t, ";", &out);
    *VEC_PUSH(w->a, &w->kept) = t;
    return put(w, arena_printf(w->a, "%s.spvasm", t->name), &out);
}

static bool offload(struct writer *w, const struct suite_test *t)
{
    struct text hlsl = {.arena = w->a}, out = {.arena = w->a};
    struct fill f = {.a = w->a};
    struct spv_module m;
    if (!fits_offload(w->a, &t->c, &hlsl))
        return true;
    CHECK(spv_module_read(w->a, t->c.words, t->c.count, &m, NULL));
    bundle_case_values(&t->c, &m, t->c.expect, &f);
    fill_text(&f, "hlsl", hlsl.v);
    fill_text(&f, "class", *t->classes ? t->classes : "Reconvergence");
    fill_text(&f, "verdict_line", t->line);
    fill_text(&f, "sentence",
              t->seen ? arena_printf(w->a, "Seen in a real one: %s", t->seen) : t->wrong);
    fill_text(&f, "origin",
              arena_printf(w->a, "Test %s of a suite of tanglefuzz; rules %s", t->name, t->rules));
    fill_flag(&f, "fails_now", false);
    fill_template("tests/case.test", &f, &out);
    if (!out.n)
        return true;
    *VEC_PUSH(w->a, &w->kept) = t;
    return put(w, arena_printf(w->a, "%s.test", t->name), &out);
}

static bool spirv_tools(struct writer *w, const struct suite_test *t)
{
    if (t->output) // all are in one file
        *VEC_PUSH(w->a, &w->kept) = t;
    return true;
}

static bool webgpu(struct writer *w, const struct suite_test *t)
{
    struct text wgsl = {.arena = w->a};
    if (fits_webgpu(w->a, &t->c, &wgsl)) // all are in one file
        *VEC_PUSH(w->a, &w->kept) = t;
    return true;
}

// ---- the folder --------------------------------------------------------------------------------

static const struct {
    const char *form;
    bool (*fits)(struct arena *a, const struct spv_case *c, struct text *out); // NULL: each does
    bool (*test)(struct writer *w, const struct suite_test *t);
    struct {
        const char *file, *of; // of templates/suite/
    } more[3];
} rows[] = {
    {"amber", fits_amber, amber, {{0}}},
    {"cts",
     fits_amber,
     amber,
     {{"reconvergence_small.cpp", "cts.cpp"}, {"reconvergence.txt", "mustpass.txt"}}},
    {"lit", NULL, lit, {{"lit.cfg.py", "lit.cfg.py"}}},
    {"offload", fits_offload, offload, {{0}}},
    {"spirv-tools", NULL, spirv_tools, {{"reconvergence_test.cpp", "reconvergence_test.cpp"}}},
    {"webgpu", fits_webgpu, webgpu, {{"small.spec.ts", "webgpu.spec.ts"}}},
};

bool suite_fits(struct arena *a, const char *form, const struct spv_case *c)
{
    struct text out = {.arena = a};
    for (size_t k = 0; k < sizeof rows / sizeof *rows; k++)
        if (strcmp(rows[k].form, form) == 0)
            return !rows[k].fits || rows[k].fits(a, c, &out);
    return true;
}

static bool fill_file(struct writer *w, const char *file, const char *of)
{
    struct fill f = {.a = w->a};
    struct text out = {.arena = w->a};
    suite_values(w, &f);
    fill_template(arena_printf(w->a, "suite/%s", of), &f, &out);
    return put(w, file, &out);
}

static bool put_all(struct writer *w)
{
    bool ok = true;
    for (size_t k = 0; k < sizeof rows / sizeof *rows; k++) {
        if (strcmp(rows[k].form, w->form) != 0)
            continue;
        for (uint32_t i = 0; ok && i < w->s->n; i++)
            ok = rows[k].test(w, &w->s->test[i]);
        for (uint32_t i = 0; ok && i < 3 && rows[k].more[i].file; i++)
            ok = fill_file(w, rows[k].more[i].file, rows[k].more[i].of);
    }
    if (ok && !w->kept.n)
        return err_set(w->e, "no test can be expressed in the form '%s'", w->form);
    return ok && fill_file(w, "README.md", "README.md");
}

bool suite_write(struct spv_tools *tools, const struct suite *s, const char *form, const char *to,
                 uint32_t *left_out, struct err *e)
{
    struct arena a = {0};
    struct stat st;
    if (lstat(to, &st) == 0)
        return err_set(e, "%s: exists already; remove it or choose another folder", to);
    struct writer w = {.a = &a,
                       .tools = tools,
                       .s = s,
                       .form = form,
                       .folder = arena_printf(&a, "%s.tmp%ld", to, (long)getpid()),
                       .e = e};
    bool ok = dir_make(w.folder, e) && put_all(&w);
    if (ok && rename(w.folder, to) != 0)
        ok = err_set(e, "%s: cannot write: %s", to, strerror(errno));
    for (size_t i = 0; !ok && i < w.files.n; i++)
        unlink(arena_printf(&a, "%s/%s", w.folder, w.files.v[i]));
    if (!ok)
        rmdir(w.folder);
    *left_out = s->n - (uint32_t)w.kept.n;
    arena_free(&a);
    return ok;
}
