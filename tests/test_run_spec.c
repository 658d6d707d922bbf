// SPDX-License-Identifier: Apache-2.0
//
// Target texts: parsed, printed, and who they are about.
#define _POSIX_C_SOURCE 200809L // popen
#include "test_run_common.h"

static struct arena arena;

static const struct run_stage *parsed(const char *text)
{
    struct err e = {0};
    const struct run_stage *s = run_spec_parse(&arena, text, &e);
    if (!s)
        fail_msg("'%s': %s", text, e.msg);
    return s;
}

// "KIND[?]{KEY=VALUE;...}" of each stage.
static const char *shown(const struct run_stage *s)
{
    struct text t = {.arena = &arena};
    for (; s; s = s->next) {
        text_add(&t, "%s%s%s{", s->check ? "check " : "", s->name, s->kind ? "" : "?");
        for (uint32_t i = 0; i < s->count; i++)
            text_add(&t, "%s%s=%s", i ? ";" : "", s->option[i].key, s->option[i].value);
        text_add(&t, "}");
    }
    return t.v;
}

static void test_parsed(void **state)
{
    (void)state;
    static const struct {
        const char *text, *shown, *printed; // printed NULL: the text itself
    } rows[] = {
        {"vulkan", "vulkan{}", NULL},
        {"vulkan:", "vulkan{}", "vulkan"},
        {"vulkan:0", "vulkan{=0}", NULL},
        {"vulkan:driver=lavapipe,size=8", "vulkan{driver=lavapipe;size=8}", NULL},
        {"vulkan:name=A\\, B,env=K=V", "vulkan{name=A, B;env=K=V}", NULL},
        {"check:vulkan:driver=radv", "check vulkan{driver=radv}", NULL},
        {"check:llvm", "check llvm{}", NULL},
        {"spirv-opt:--ccp,--scalar-replacement=100,-O",
         "spirv-opt{=--ccp;=--scalar-replacement=100;=-O}", NULL},
        {"spirv-opt:-O,", "spirv-opt{=-O;=}", NULL},
        {"llvm:passes=default<O3>,level=2", "llvm{passes=default<O3>;level=2}", NULL},
        {"llvm:limit=3,passes=a<b;c>,function(d,e),level=1,f",
         "llvm{limit=3;passes=a<b;c>,function(d,e),f;level=1}",
         "llvm:limit=3,passes=a<b;c>,function(d,e),f,level=1"},
        {"exec-compiler:sh -c 'cat $0 | head'", "exec-compiler{=sh;=-c;=cat $0 | head}", NULL},
        {"exec-compiler:a \"b 'c\"  d'\"'e {in} | spirv-opt",
         "exec-compiler{=a;=b 'c;=d\"e;={in}}spirv-opt{}",
         "exec-compiler:a 'b '\"'\"'c' 'd\"e' {in} | spirv-opt"},
        {"exec-compiler:a ''", "exec-compiler{=a;=}", NULL},
        {"spirv-opt:-O |  vulkan:driver=x,size=4", "spirv-opt{=-O}vulkan{driver=x;size=4}",
         "spirv-opt:-O | vulkan:driver=x,size=4"},
        {"nobody:a=b,c", "nobody?{a=b;=c}", NULL},
    };
    for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
        const struct run_stage *s = parsed(rows[i].text);
        const char *printed = run_spec_text(&arena, s);
        assert_string_equal(shown(s), rows[i].shown);
        assert_string_equal(printed, rows[i].printed ? rows[i].printed : rows[i].text);
        assert_string_equal(shown(parsed(printed)), rows[i].shown);
    }
}

static void test_none(void **state)
{
    (void)state;
    static const char *const rows[][2] = {
        {"exec-compiler:sh 'x", "exec-compiler: unclosed '"},
        {"spirv-opt | ", "a stage is missing"},
        {" | spirv-opt", "a stage is missing"},
    };
    for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
        struct err e = {0};
        assert_null(run_spec_parse(&arena, rows[i][0], &e));
        assert_contains(e.msg, rows[i][1]);
    }
}

static void test_changed(void **state)
{
    (void)state;
    const struct run_stage *s = parsed("llvm:passes=a | spirv-opt");
    assert_string_equal(run_spec_text(&arena, run_stage_with(&arena, s, "limit", "7")),
                        "llvm:passes=a,limit=7 | spirv-opt");
    assert_string_equal(run_spec_text(&arena, run_stage_with(&arena, s, "passes", "b")),
                        "llvm:passes=b | spirv-opt");
    assert_string_equal(run_spec_text(&arena, s),
                        "llvm:passes=a | spirv-opt"); // a copy was changed
}

static void test_dump_variables(void **state)
{
    (void)state;
    assert_string_equal(run_dump_variable("lavapipe"), "GALLIVM_DEBUG=ir");
    assert_string_equal(run_dump_variable("radv-22.3"), "RADV_DEBUG=shaders,preoptir");
    assert_null(run_dump_variable("radvx"));
    assert_null(run_dump_variable("swiftshader"));
    assert_null(run_dump_variable(NULL));
}

static void test_families(void **state)
{
    (void)state;
    static const struct {
        const char *target, *driver, *family;
    } rows[] = {
        {"spirv-opt:-O", NULL, "spirv-opt"},
        {"spirv-opt:--loop-unswitch | vulkan:driver=lavapipe,size=8", NULL, "spirv-opt+lavapipe"},
        {"vulkan:driver=lavapipe-26,env=A=B", NULL, "lavapipe-26"},
        {"vulkan:0", "NVIDIA 550.1", "nvidia"},
        {"vulkan", NULL, "vulkan"},
        {"exec-compiler:/usr/bin/spirv-opt -O {in} -o {out}", NULL, "spirv-opt"},
        {"exec-compiler:sh -c 'cat $0 | head'", NULL, "sh"}, // no chain
        {"exec-compiler:'/my tools/C C' {in} {out} | spirv-opt", NULL, "c-c+spirv-opt"},
        {"check:vulkan:driver=radv", NULL, "check"},
        {"mutant:m4-no-join", NULL, "mutant"},
        {"exec-compiler:'x", NULL, "unknown"},
    };
    for (size_t k = 0; k < sizeof rows / sizeof *rows; k++)
        assert_string_equal(run_family(&arena, rows[k].target, rows[k].driver), rows[k].family);
}

static void test_harmless(void **state)
{
    (void)state;
    static const char *const yes[] = {
        "spirv-opt",
        "spirv-opt:-O,--ccp",
        "vulkan:driver=lavapipe,size=8",
        "check:vulkan:driver=x",
        "llvm:passes=function(sroa),level=0",
        "check:llvm:cpu=sm_90",
        "clang-hlsl:-O1,limit=3",
        "glslang:-Os",
        "roundtrip:spirv-cross,tools=sid",
        "spirv-opt:-O | vulkan:driver=lavapipe",
    };
    static const char *const no[] = {
        "vulkan",
        "vulkan:icd=/x.json",
        "vulkan:driver=lavapipe,env=LD_PRELOAD=x.so",
        "vulkan:driver=../../x",
        "exec-compiler:true {in} {out}",
        "spirv-opt | exec-device:x",
        "check:exec-device:x",
        "check:spirv-opt",
        "llvm:tool=x",
        "fault:crash=2,log=x",
        "roundtrip:spirv-cross,tools=../x",
        "other",
        "",
        "exec-compiler:'",
    };
    for (size_t k = 0; k < sizeof yes / sizeof *yes; k++)
        if (!run_harmless(yes[k]))
            fail_msg("'%s' is harmless", yes[k]);
    for (size_t k = 0; k < sizeof no / sizeof *no; k++)
        if (run_harmless(no[k]))
            fail_msg("'%s' is not harmless", no[k]);
}

static void test_commands(void **state)
{
    (void)state;
    static const char *const yes[] = {"exec-compiler:true {in} {out}",
                                      "spirv-opt:-O | exec-device:x", "exec-device-server:x"};
    static const char *const no[] = {"spirv-opt:-O | vulkan:driver=lavapipe", "check:vulkan",
                                     "exec-compiler:'", "exec-other:x"};
    for (size_t k = 0; k < sizeof yes / sizeof *yes; k++)
        if (!run_has_command(yes[k]))
            fail_msg("'%s' starts a command", yes[k]);
    for (size_t k = 0; k < sizeof no / sizeof *no; k++)
        if (run_has_command(no[k]))
            fail_msg("'%s' starts no command", no[k]);
}

// A shell reads back what was quoted for it.
static void test_quoted_for_a_shell(void **state)
{
    (void)state;
    static const char *const rows[] = {
        "plain",
        "",
        "vulkan:driver=a,size=8",
        "two words",
        "it's",
        "''",
        "a\"b$HOME`id`\\c",
        "*?[a]~#!",
        "a\nb",
        "exec-compiler:sh -c 'cat \"$0\" | head' {in} {out}",
    };
    assert_string_equal(shell_quote(&arena, rows[2]), rows[2]);
    for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
        char got[200] = "";
        FILE *f = popen(arena_printf(&arena, "printf %%s %s", shell_quote(&arena, rows[i])), "r");
        assert_non_null(f);
        got[fread(got, 1, sizeof got - 1, f)] = 0;
        assert_int_equal(pclose(f), 0);
        assert_string_equal(got, rows[i]);
    }
}

static int end(void **state)
{
    (void)state;
    arena_free(&arena);
    return 0;
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_parsed),
        cmocka_unit_test(test_none),
        cmocka_unit_test(test_changed),
        cmocka_unit_test(test_families),
        cmocka_unit_test(test_dump_variables),
        cmocka_unit_test(test_harmless),
        cmocka_unit_test(test_commands),
        cmocka_unit_test(test_quoted_for_a_shell),
    };
    return cmocka_run_group_tests_name("run_spec", tests, NULL, end);
}
