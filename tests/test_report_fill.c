// SPDX-License-Identifier: Apache-2.0
//
// Templates: the language of triage/report/fill.h, its errors, and that each template in
// triage/report/templates has a value for every name.
#define _POSIX_C_SOURCE 200809L
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include "triage/report/bundle.h"

static void row(struct fill *r, const void *user, uint32_t i)
{
    (void)user;
    fill_number(r, "n", i);
}

static void values(struct fill *f)
{
    fill_text(f, "name", "a<\"b\"");
    fill_text(f, "empty", NULL);
    fill_number(f, "one", 1);
    fill_number(f, "none", 0);
    fill_number(f, "n", 7);
    fill_list(f, "rows", 3, row, NULL);
    fill_list(f, "no_rows", 0, row, NULL);
}

static void language(void **state)
{
    static const struct {
        const char *name, *text, *want;
    } rows[] = {
        {"x.md", "", ""},
        {"x.md", "{{name}}{{empty}}{{one}}", "a<\"b\"1"},
        {"x.xml", "{{name}} {{{name}}}", "a&lt;&quot;b&quot; a<\"b\""},
        {"x.json", "{{name}}", "a<\\\"b\\\""},
        {"x.md", "{{n}} row{{s:n}}, {{one}} row{{s:one}}, {{none}} row{{s:none}}", "7 rows, 1 row, 0 rows"},
        {"x.md", "{{#one}}yes{{/one}}{{#none}}no{{/none}}{{#empty}}no{{/empty}}", "yes"},
        {"x.md", "{{^one}}no{{/one}}{{^none}}0{{/none}}{{^empty}}-{{/empty}}", "0-"},
        {"x.md", "{{#n=7}}seven{{/n}}{{^n=7}}not{{/n}}{{#n=8}}eight{{/n}}", "seven"},
        {"x.md", "{{#rows}}{{^first}}, {{/first}}{{n}}{{one}}{{/rows}}", "01, 11, 21"},
        {"x.md", "{{#no_rows}}{{n}}{{/no_rows}}{{^no_rows}}none{{/no_rows}}{{^rows}}no{{/rows}}", "none"},
        {"x.md", "{{#no_rows}}{{#one}}{{/one}}{{/no_rows}}.", "."},
        {"x.md", "a\n{{#one}}\nb\n{{/one}}\nc\n", "a\nb\nc\n"},
        {"x.md", "a\n{{#none}}\nb\n{{/none}}\nc\n", "a\nc\n"},
        {"x.md", "a\n{{#one}}b\n{{/one}}c\n", "a\nb\nc\n"},
        {"x.md", "a \\\nb\\n\\\n", "a b\\n"},
        {"x.md", "{{>parts/signature.md}}", NULL},
        {"x.md", "{{ }} { {", NULL},
    };
    struct arena a = {0};
    struct fill f = {.a = &a};
    (void)state;
    values(&f);
    for (size_t k = 0; k < sizeof rows / sizeof *rows; k++) {
        struct text t = {.arena = &a};
        struct err e = {0};
        text_addn(&t, "", 0);
        const bool ok = fill_string(rows[k].name, rows[k].text, &f, &t, &e);
        assert_int_equal(ok, rows[k].want != NULL);
        if (ok)
            assert_string_equal(t.v, rows[k].want);
    }
    arena_free(&a);
}

static void errors(void **state)
{
    static const struct {
        const char *text, *want;
    } rows[] = {
        {"\n{{nothing}}", "template x.md:2: no value is called 'nothing'"},
        {"{{#none}}\n\n{{nothing}}{{/none}}", "template x.md:3: no value is called 'nothing'"},
        {"{{#rows}}{{nothing}}{{/rows}}", "template x.md:1: no value is called 'nothing'"},
        {"{{#nothing}}{{/nothing}}", "template x.md:1: no value is called 'nothing'"},
        {"{{first}}", "template x.md:1: no value is called 'first'"},
        {"{{#one}}", "template x.md:1: no end of block 'one'"},
        {"{{#no_rows}}", "template x.md:1: no end of block 'no_rows'"},
        {"{{#one}}{{/none}}", "template x.md:1: no such block is open: 'none'"},
        {"{{/one}}", "template x.md:1: no such block is open: 'one'"},
        {"{{>nothing.md}}", "template x.md:1: no template 'nothing.md'"},
        {"{{>parts/signature.md}}", "template parts/signature.md:3: no value is called 'bucket'"},
        {"{{name", "template x.md:1: not a tag '{{'"},
        {"{{}}", "template x.md:1: not a tag '{{'"},
        {"{{{name}}", "template x.md:1: not a tag '{{'"},
    };
    struct arena a = {0};
    struct fill f = {.a = &a};
    (void)state;
    values(&f);
    for (size_t k = 0; k < sizeof rows / sizeof *rows; k++) {
        struct text t = {.arena = &a};
        struct err e = {0};
        assert_false(fill_string("x.md", rows[k].text, &f, &t, &e));
        assert_string_equal(e.msg, rows[k].want);
    }
    arena_free(&a);
}

// A case with everything that a template has rows for; PUSH and SPEC exclude the offload test.
static const char CASE[] = "; tanglefuzz-case 1\n"
                           "; dispatch 1 1 1\n"
                           "; subgroup 4\n"
                           "; model maximal\n"
                           "; buffer 0:0 zero 4\n"
                           "%s"
                           "OpCapability Shader\n"
                           "OpExtension \"SPV_KHR_maximal_reconvergence\"\n"
                           "OpMemoryModel Logical GLSL450\n"
                           "OpEntryPoint GLCompute %%1 \"main\"\n"
                           "OpExecutionMode %%1 LocalSize 2 1 1\n"
                           "OpDecorate %%6 SpecId 1\n"
                           "%%2 = OpTypeVoid\n"
                           "%%3 = OpTypeFunction %%2\n"
                           "%%5 = OpTypeInt 32 0\n"
                           "%%6 = OpSpecConstant %%5 1\n"
                           "%%1 = OpFunction %%2 None %%3\n"
                           "%%4 = OpLabel\n"
                           "OpReturn\n"
                           "OpFunctionEnd\n";

struct sample {
    struct arena a;
    struct spv_tools *tools;
    struct report_view w;
};

static void start(struct sample *s, const char *inputs, const char *target)
{
    struct arena *a = &s->a;
    struct err e = {0};
    const char *text = arena_printf(a, CASE, inputs);
    s->tools = spv_tools_new();
    struct spv_memory *x = ARENA_ARRAY(a, struct spv_memory, 2);
    for (int k = 0; k < 2; k++)
        x[k] = (struct spv_memory){.count = 4, .words = ARENA_ARRAY(a, uint32_t, 4)};
    x[1].words[2] = 5;
    if (!spv_case_parse(s->tools, a, "in.spvasm", text, strlen(text), &s->w.c, &e))
        fail_msg("%s", e.msg);
    struct judge_verdict v;
    judge_compare(&s->w.c, &x[0], &x[1], 1, &v);
    const struct finding_evidence evidence = {.c = &s->w.c, .expected = &x[0], .observed = &x[1],
                                              .memory_count = 1, .verdict = &v, .target = target,
                                              .device = "d", .driver = "e", .replay = "r",
                                              .generated = "g"};
    struct store_finding *row = ARENA_NEW(a, struct store_finding);
    finding_make(a, &evidence, &row->f);
    row->now = row->f.signature;
    row->f.name = row->f.folder = "n";
    const struct store_finding **rows = ARENA_NEW(a, const struct store_finding *);
    rows[0] = row;
    struct store_bucket *b = ARENA_NEW(a, struct store_bucket);
    *b = (struct store_bucket){.signature = row->f.signature, .targets = target, .target_text = target,
                               .findings = 1, .best = row, .row = rows, .mark = {.note = "", .link = ""}};
    struct finding_cross_check *others = ARENA_ARRAY(a, struct finding_cross_check, 2);
    others[0] = (struct finding_cross_check){"spirv-as", "1", JUDGE_AGREES};
    others[1] = (struct finding_cross_check){"spirv-opt:-O", "1", v.klass};
    s->w.bucket = b;
    s->w.f = &row->f;
    s->w.folder = "n";
    s->w.has_case = true;
    s->w.text = text;
    s->w.pseudo = "p";
    s->w.expected = &x[0];
    s->w.observed = &x[1];
    s->w.verdict = v;
    s->w.cross_check = others;
    s->w.cross_checks = 2;
}

static void end(struct sample *s)
{
    spv_tools_free(s->tools);
    arena_free(&s->a);
}

// fill_template aborts if a name has no value, even in a block that is left out.
static void bundles(void **state)
{
    static const char *const targets[] = {
        "spirv-opt:-O,--merge-blocks", "exec-compiler:x {in} {out}", "llvm", "naga", "tint", "glslang",
        "glslang-hlsl", "roundtrip:spirv-cross", "roundtrip:naga-tint"};
#define NAME(name, subjects) name,
    static const char *const forms[] = {"generic", REPORT_FORMS(NAME)};
    (void)state;
    for (size_t k = 0; k < sizeof targets / sizeof *targets; k++)
        for (size_t f = 0; f < sizeof forms / sizeof *forms; f++) {
            char to[] = "/tmp/test_report_fill.XXXXXX";
            struct sample s = {.tools = NULL};
            struct err e = {0};
            struct command_count n;
            start(&s, f % 2 ? "; push u32 1 2\n; spec 1 f32 1.5\n" : "", targets[k]);
            assert_non_null(mkdtemp(to));
            const char *folder = arena_printf(&s.a, "%s/b", to);
            if (!report_bundle(s.tools, &s.w, forms[f], folder, NULL, &n, &e))
                fail_msg("%s", e.msg);
            assert_int_equal(system(arena_printf(&s.a, "rm -r %s", to)), 0);
            end(&s);
        }
}

static void formats(void **state)
{
    (void)state;
    for (int f = 0; f < REPORT_FORMATS; f++) {
        struct sample s = {.tools = NULL};
        start(&s, "", "spirv-opt:-O");
        struct store_bucket b = *s.w.bucket;
        struct store_finding r = *b.best;
        struct store_campaign c = {.target = "t", .device = "", .driver = "", .ended = "", .version = ""};
        struct store_left left = {"f", "why"};
        struct report_known known;
        static const char KNOWN[] = "tanglefuzz-known 2\nclass crash\ntarget *\nreason r\n";
        struct err e = {0};
        struct text t = {.arena = &s.a};
        if (!report_known_parse(&s.a, "k.known", KNOWN, sizeof KNOWN - 1, &known, &e))
            fail_msg("%s", e.msg);
        const struct store_findings v = {.row = &r, .rows = 1, .bucket = &b, .buckets = 1, .campaign = &c,
                                         .campaigns = 1, .known = &known, .known_count = 1, .left = &left,
                                         .left_count = 1};
        report_format_write((enum report_format)f, &v, "c", &t);
        assert_true(t.n > 0);
        end(&s);
    }
}

// Each template is filled, and a name without a value in a block that is left out is found.
static void every_template_can_fail(void **state)
{
    struct sample s = {.tools = NULL};
    struct err e = {0};
    (void)state;
    start(&s, "", "spirv-opt:-O");
    struct bundle b = {.a = &s.a, .w = &s.w, .form = "generic"};
    struct fill f = {.a = &s.a};
    assert_true(spv_module_read(&s.a, s.w.c.words, s.w.c.count, &b.m, &e));
    bundle_values(&b, &f);
    bundle_readme_values(&b, &f);
    unsigned seen = 0;
    for (const struct embedded *x = fill_templates; x->name; x++) {
        struct text t = {.arena = &s.a};
        if (strncmp(x->name, "readme/", 7) != 0 && strncmp(x->name, "commands/", 9) != 0)
            continue;
        const char *broken = arena_printf(&s.a, "%s{{#class=crash}}{{nothing}}{{/class}}", x->text);
        fill_flag(&f, "case.test", false);
        fill_flag(&f, "case_test.cpp", false);
        assert_true(fill_string(x->name, x->text, &f, &t, &e));
        assert_false(fill_string(x->name, broken, &f, &t, &e));
        assert_non_null(strstr(e.msg, "no value is called 'nothing'"));
        seen++;
    }
    assert_true(seen >= 20);
    end(&s);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(language), cmocka_unit_test(errors), cmocka_unit_test(bundles),
        cmocka_unit_test(formats), cmocka_unit_test(every_template_can_fail)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
