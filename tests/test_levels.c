// SPDX-License-Identifier: Apache-2.0
//
// levels: a driver's dump, split into its code after each pass; dumps that are none. diagnose: the
// lines by which two levels differ.
#include "diagnose/passes.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <string.h>
#include <cmocka.h>

#define NIR_OF(title) title " for compute shader:\nshader: MESA_SHADER_COMPUTE\nimpl main {\n    block b0:\n    if x {\n    }\n}\n\n"
#define BOTH NIR_OF("Structured NIR") NIR_OF("NIR")
#define CODE(op) "block.u 0 L0 [] -> {\n  " op "\n} -> [1]\nblock 1 L1 [0] -> {\n  exit\n} -> []\n\n"

static void a_dump_becomes_levels(void **state)
{
    struct arena a = {0};
    struct levels l;
    struct err e = {0};
    (void)state;
    const char *dump = "driver says\n" BOTH "NAK IR:\n" CODE("nop") "NAK IR after opt_dce:\n" CODE("bar.sync") "Encoded shader:\n  00001234\n";
    assert_true(levels_read(&a, LEVELS_NVK, dump, &l, &e));
    assert_int_equal(l.n, 4);
    static const struct {
        const char *pass, *first;
        uint32_t line;
        bool nir;
    } want[] = {{"NIR", "shader: MESA_SHADER_COMPUTE\n", 3, true},
                {"nak_nir_lower_cf", "shader: MESA_SHADER_COMPUTE\n", 11, true},
                {"nak_from_nir", "block.u 0 L0 [] -> {\n  nop\n", 19, false},
                {"opt_dce", "block.u 0 L0 [] -> {\n  bar.sync\n", 27, false}};
    for (uint32_t i = 0; i < l.n; i++) {
        assert_string_equal(l.v[i].pass, want[i].pass);
        assert_int_equal(l.v[i].line, want[i].line);
        assert_int_equal(l.v[i].language == LEVEL_NIR, want[i].nir);
        assert_memory_equal(l.v[i].text, want[i].first, strlen(want[i].first));
        assert_null(strstr(l.v[i].text, "Encoded"));
    }
    arena_free(&a);
}

static void what_is_no_dump_is_refused_in_one_line(void **state)
{
    static const struct {
        const char *dump, *why;
    } bad[] = {
        {"", "not a dump of nak: expected lines 'Structured NIR for compute shader:', 'NIR for compute shader:', 'NAK IR:' and 'NAK IR after PASS:'"},
        {"AFTER: ir3_cp:\nblock0 {\n}\n", "not a dump of nak: expected lines 'Structured NIR for compute shader:', 'NIR for compute shader:', 'NAK IR:' and 'NAK IR after PASS:'"},
        {BOTH "NAK IR:\n" CODE("nop") "NAK IR after opt_dce:\nblock.u 0 L0 [] -> {\n  nop\n",
         "the dump is cut: the level of 'opt_dce' has no end (line 27); expected whole blocks"},
        {BOTH "NAK IR:\n" "block.u 0 L0 [] -> {\n} -> [1, 2]\nblock 1 L1 [0] -> {\n} -> []\n",
         "the dump is cut: the level of 'nak_from_nir' has no end (line 21); expected whole blocks"},
        {BOTH "NAK IR:\n" CODE("nop") "NAK IR after opt_dce:\n",
         "the dump is cut: the level of 'opt_dce' has no end (line 25); expected whole blocks"},
        {BOTH "NAK IR:\nblock.u 0 L0 [] -> {\n  nop\nNAK IR after opt_dce:\n" CODE("nop"),
         "the dump is cut: the level of 'nak_from_nir' has no end (line 20); expected whole blocks"},
        {BOTH "NAK IR:\n" CODE("nop") BOTH "NAK IR:\n" CODE("nop"), "the dump holds 2 shaders; expected one"},
        {NIR_OF("NIR") "NAK IR:\n" CODE("nop"),
         "the dump has no line 'Structured NIR for compute shader:'; expected 'Structured NIR for compute shader:', "
         "'NIR for compute shader:', 'NAK IR:' and 'NAK IR after PASS:'"},
    };
    struct arena a = {0};
    (void)state;
    for (size_t i = 0; i < sizeof bad / sizeof *bad; i++) {
        struct levels l;
        struct err e = {0};
        assert_false(levels_read(&a, LEVELS_NVK, bad[i].dump, &l, &e));
        assert_string_equal(e.msg, bad[i].why);
    }
    arena_free(&a);
}

// RADV's first level has no title, and ACO's code no braces: an empty line follows it.
static void radv_has_two_languages(void **state)
{
    struct arena a = {0};
    struct levels l;
    struct err e = {0};
    (void)state;
    const char *nir = "shader: MESA_SHADER_COMPUTE\nimpl main {\n}\n\n";
    const char *dump = arena_printf(&a, "%sNIR shader before instruction selection:\n%sAfter Instruction Selection:\nBB0\n\tp_end\n\n"
                                    "After RA:\nBB0\n\nCompute Shader\ndisasm:\nBB0:\n\ts_endpgm ; bfb00000\n\nstatistics\n", nir, nir);
    assert_true(levels_read(&a, LEVELS_RADV, dump, &l, &e));
    assert_int_equal(l.n, 5);
    assert_string_equal(l.v[0].text, nir);
    assert_string_equal(l.v[1].text, nir);
    assert_string_equal(l.v[2].text, "BB0\n\tp_end\n");
    assert_string_equal(l.v[3].text, "BB0\n");
    assert_string_equal(l.v[3].pass, "ACO up to register allocation");
    assert_string_equal(l.v[4].text, "BB0:\n\ts_endpgm ; bfb00000\n");
    assert_true(l.v[0].language == LEVEL_NIR && l.v[2].language == LEVEL_ACO_SELECTED);
    assert_true(l.v[3].language == LEVEL_ACO && l.v[4].language == LEVEL_AMD);
    assert_int_equal(l.v[0].line, 1);
    assert_false(levels_read(&a, LEVELS_RADV, nir, &l, &e));
    assert_non_null(strstr(e.msg, "the dump has no line 'NIR shader before instruction selection:'"));
    dump = arena_printf(&a, "%sNIR shader before instruction selection:\n%sAfter Instruction Selection:\nBB0\n\tp_end\n", nir, nir);
    assert_false(levels_read(&a, LEVELS_RADV, dump, &l, &e));
    assert_non_null(strstr(e.msg, "the dump is cut: the level of 'instruction selection' has no end"));
    arena_free(&a);
}

#define NIR_LEVEL(hash) "shader: MESA_SHADER_COMPUTE\nsource_blake3: {" hash "}\nimpl main {\n    block b0:\n    if x {\n    }\n}\n\n"

// What NIR_DEBUG=print writes: a pass without a shader changed nothing.
static void nir_of_a_debug_build(void **state)
{
    static const struct {
        const char *dump, *why;
    } bad[] = {
        {"", "not a dump of nir: expected lines 'PASS' and 'shader: MESA_SHADER_COMPUTE'"},
        {"nir_opt_dce\nnir_opt_cse\n", "not a dump of nir: expected lines 'PASS' and 'shader: MESA_SHADER_COMPUTE'"},
        {"nir_opt_dce\nshader: MESA_SHADER_COMPUTE\nimpl main {\n", "the dump is cut: the level of 'nir_opt_dce' has no end (line 3); expected whole functions"},
        {"nir_opt_dce\nshader: MESA_SHADER_COMPUTE\n", "the dump is cut: the level of 'nir_opt_dce' has no end (line 2); expected whole functions"},
        {"nir_opt_dce\nshader: MESA_SHADER_COMPUTE\nimpl main {\nshader: MESA_SHADER_COMPUTE\n",
         "the dump is cut: the level of 'nir_opt_dce' has no end (line 4); expected whole functions"},
        {NIR_LEVEL("1") "nir_opt_dce\n" NIR_LEVEL("2"), "the dump holds 2 shaders (line 11); expected one"},
        {"shader: MESA_SHADER_VERTEX\n", "the dump holds a shader of another stage (line 1): 'shader: MESA_SHADER_VERTEX'"},
    };
    struct arena a = {0};
    struct levels l;
    struct err e = {0};
    (void)state;
    const char *dump = "driver info\n" NIR_LEVEL("1") "nir_opt_dce\nnir_opt_cse\n" NIR_LEVEL("1") "\nskipping nir_opt_x\n"
                       "nir_lower_y\n" NIR_LEVEL("1") "the end\n";
    if (!levels_read(&a, LEVELS_NIR, dump, &l, &e))
        fail_msg("%s", e.msg);
    assert_int_equal(l.n, 3);
    assert_string_equal(l.v[0].pass, "NIR");
    assert_string_equal(l.v[1].pass, "nir_opt_cse");
    assert_string_equal(l.v[2].pass, "nir_lower_y");
    assert_string_equal(l.v[2].text, NIR_LEVEL("1"));
    assert_int_equal(l.v[1].line, 12);
    for (size_t i = 0; i < sizeof bad / sizeof *bad; i++) {
        assert_false(levels_read(&a, LEVELS_NIR, bad[i].dump, &l, &e));
        assert_string_equal(e.msg, bad[i].why);
    }
    arena_free(&a);
}

static void a_driver_is_known_by_its_name(void **state)
{
    enum level_driver d = LEVELS_DRIVERS;
    (void)state;
    assert_true(levels_driver_of("NVK Mesa 26.2.6", &d) && d == LEVELS_NVK);
    assert_true(levels_driver_of("nak", &d) && d == LEVELS_NVK);
    assert_true(levels_driver_of("llvmpipe (LLVM 22.1)", &d) && d == LEVELS_LAVAPIPE);
    assert_true(levels_driver_of("lavapipe-26.2", &d) && d == LEVELS_LAVAPIPE);
    assert_true(levels_driver_of("Honeykrisp Mesa 26.2.6-1", &d) && d == LEVELS_HONEYKRISP);
    assert_true(levels_driver_of("agx", &d) && d == LEVELS_HONEYKRISP);
    assert_false(levels_driver_of("SwiftShader", &d));
    assert_false(levels_driver_of("", &d));
}

// Honeykrisp's NIR has two functions; what its compiler prints of its own after them is not read.
static void nir_with_a_preamble(void **state)
{
    static const char nir[] = "shader: MESA_SHADER_COMPUTE\ndecl_function main () (entrypoint)\n\nimpl main {\n    block b0:\n}\n\n"
                              "decl_function @preamble ()\n\nimpl @preamble {\n    block b0:\n}\n\n";
    struct arena a = {0};
    struct levels l;
    struct err e = {0};
    (void)state;
    const char *dump = arena_printf(&a, "%sblock0 {\n   stop\n}\n\n   0: 8800   stop\n", nir);
    if (!levels_read(&a, LEVELS_HONEYKRISP, dump, &l, &e))
        fail_msg("%s", e.msg);
    assert_int_equal(l.n, 1);
    assert_string_equal(l.v[0].pass, "NIR");
    assert_string_equal(l.v[0].text, nir);
    assert_false(levels_read(&a, LEVELS_HONEYKRISP, "block0 {\n}\n", &l, &e));
    assert_string_equal(e.msg, "not a dump of agx: expected lines 'shader: MESA_SHADER_COMPUTE'");
    arena_free(&a);
}

// What a compiler printed before it ended: of its last shader, whole or not.
static void levels_that_began(void **state)
{
    static const struct {
        enum level_driver driver;
        const char *dump, *names;
    } rows[] = {
        {LEVELS_NVK, "", ""},
        {LEVELS_NVK, BOTH, "NIR nak_nir_lower_cf"},
        {LEVELS_NVK, BOTH "NAK IR:\nblock 0 L0 [] -> {\n", "NIR nak_nir_lower_cf nak_from_nir"},
        {LEVELS_NVK, BOTH "NAK IR:\n" CODE("nop") "NAK IR after opt_dce:\n" BOTH, "NIR nak_nir_lower_cf"}, // another shader
        {LEVELS_NVK, "op\nNAK IR after opt_lop:\nNAK IR after opt_dce:\n", "opt_lop opt_dce"}, // the beginning is lost
        {LEVELS_TURNIP, "MESA: info: AFTER: nir->ir3:\nMESA: info: NIR (final form) for CL shader (null):\nUnhandled\n",
         "NIR with preamble"},
        {LEVELS_TURNIP, "MESA: info: AFTER: ir3_cp:\nMESA: info: Native code for x:\n", "ir3_cp machine code"},
        {LEVELS_LAVAPIPE, "shader: MESA_SHADER_COMPUTE\nimpl main {\n}\n; ModuleID = 'cs0_variant0'\n", "NIR gallivm"},
        {LEVELS_RADV, "shader: MESA_SHADER_COMPUTE\nAfter Instruction Selection:\n", "NIR instruction selection"},
    };
    struct arena a = {0};
    (void)state;
    for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
        const char *const *names;
        struct text t = {.arena = &a};
        text_addn(&t, "", 0);
        const uint32_t n = levels_begun(&a, rows[i].driver, rows[i].dump, &names);
        for (uint32_t k = 0; k < n; k++)
            text_add(&t, "%s%s", k ? " " : "", names[k]);
        assert_string_equal(t.v ? t.v : "", rows[i].names);
    }
    arena_free(&a);
}

// ---- differences -----------------------------------------------------------------------------------

// "-b +x": the lines that went and came, in order.
static const char *difference(struct arena *a, const char *before, const char *after)
{
    struct passes_change *v;
    struct text t = {.arena = a};
    const uint32_t n = passes_difference(a, before, after, &v);
    for (uint32_t i = 0; n != UINT32_MAX && i < n; i++)
        text_add(&t, "%s%c%.*s:%u", i ? " " : "", v[i].added ? '+' : '-', (int)v[i].n, v[i].text, v[i].line);
    return n == UINT32_MAX ? "many" : n ? t.v : "";
}

static void lines_that_differ(void **state)
{
    struct arena a = {0};
    struct text many = {.arena = &a};
    (void)state;
    assert_string_equal(difference(&a, "", ""), "");
    assert_string_equal(difference(&a, "a\nb\n", "a\nb\n"), "");
    assert_string_equal(difference(&a, "a\nb\nc\n", "a\nc\n"), "-b:2");
    assert_string_equal(difference(&a, "a\nc\n", "a\nb\nc\n"), "+b:2");
    assert_string_equal(difference(&a, "a\nb\nc\n", "a\nx\nc\n"), "-b:2 +x:2");
    assert_string_equal(difference(&a, "", "a\nb\n"), "+a:1 +b:2");
    assert_string_equal(difference(&a, "a\nb\n", ""), "-a:1 -b:2");
    assert_string_equal(difference(&a, "  a  b // one\n\n\nc\n", "a b\n// two\nc\n"), ""); // words alone count
    assert_string_equal(difference(&a, "ab\n", "a b\n"), "-ab:1 +a b:1");
    assert_string_equal(difference(&a, "a\nb\nc\na\nb\nb\na\n", "c\nb\na\nb\na\nc\n"), "-a:1 -b:2 +b:2 -b:6 +c:6");
    for (int i = 0; i <= PASSES_CHANGES; i++)
        text_add(&many, "%d\n", i);
    assert_string_equal(difference(&a, many.v, ""), "many");
    arena_free(&a);
}

// A debug build's own dump: what it prints of NIR on standard output comes before its other levels.
static void nir_comes_before_the_driver_s_own(void **state)
{
    struct arena a = {0};
    struct levels l;
    struct err e = {0};
    (void)state;
    const char *nir = "shader: MESA_SHADER_COMPUTE\nimpl main {\n}\n\n";
    const char *own = arena_printf(&a, "%sNIR shader before instruction selection:\n%sAfter Instruction Selection:\nBB0\n\tp_end\n\n"
                                   "After RA:\nBB0\n\n", nir, nir);
    const char *dump = arena_printf(&a, "nir_lower_sysvals_to_varyings\n%snir_opt_dce\n%snir_opt_cse\n%s%s", nir, nir, LEVELS_BETWEEN, own);
    static const char *const want[] = {"spirv_to_nir", "nir_opt_dce", "NIR for ACO", "instruction selection", "ACO up to register allocation"};
    static const uint32_t lines[] = {2, 7, 19, 24, 28};
    assert_true(levels_read(&a, LEVELS_RADV, dump, &l, &e));
    assert_int_equal(l.n, 5);
    for (uint32_t i = 0; i < l.n; i++) {
        assert_string_equal(l.v[i].pass, want[i]);
        assert_int_equal(l.v[i].line, lines[i]);
    }
    assert_true(l.from_start);
    // The same, taken for NIR alone; and a driver that prints something else on standard output.
    assert_true(levels_read(&a, LEVELS_NIR, dump, &l, &e));
    assert_int_equal(l.n, 2);
    assert_true(levels_read(&a, LEVELS_RADV, arena_printf(&a, "hello\n%s%s", LEVELS_BETWEEN, own), &l, &e));
    assert_int_equal(l.n, 4);
    assert_string_equal(l.v[0].pass, "NIR");
    assert_false(l.from_start);
    arena_free(&a);
}

#define V3D "MESA: info: MESA_SHADER_COMPUTE prog 5/0 "
#define V3D_NIR "MESA: info: shader: MESA_SHADER_COMPUTE\nMESA: info: impl main {\nMESA: info: }\nMESA: info: \n"
#define V3D_DUMP V3D_BEGIN V3D_REST
#define V3D_BEGIN                                                                                                    \
    "MESA: info: NIR after vk_pipeline_shader_stage_to_nir: MESA_SHADER_COMPUTE prog 5 NIR:\n" V3D_NIR                \
    "MESA: info: Just before v3d_compile: MESA_SHADER_COMPUTE prog 5 NIR:\n" V3D_NIR
#define V3D_REST                                                                                                     \
    V3D "NIR:\n" V3D_NIR V3D "pre-opt VIR:\nMESA: info: BLOCK 0:\nMESA: info: nop null; thrsw\nMESA: info: \n" V3D   \
    "VIR:\nMESA: info: BLOCK 0:\nMESA: info: \n" V3D                                                                 \
    "QPU:\nMESA: info: 0x38203186bb03f000 nop ; nop ; thrsw\nMESA: info: \n"
#define BLOCK0(op) "block0 {\n   " op "\n}\n\n"

static void drivers_of_arm64(void **state)
{
    static const struct {
        enum level_driver driver;
        const char *dump, *passes, *last;
    } rows[] = {
        // Compiled again, before the first way made machine code.
        {LEVELS_V3DV, V3D_BEGIN V3D "NIR:\n" V3D_NIR V3D "pre-opt VIR:\nMESA: info: BLOCK 7:\nMESA: info: \n" V3D_REST,
         "NIR,NIR for v3d_compile,NIR out of SSA,nir_to_vir,vir_optimize,machine code", "0x38203186bb03f000 nop ; nop ; thrsw\n"},
        {LEVELS_V3DV, V3D_DUMP, "NIR,NIR for v3d_compile,NIR out of SSA,nir_to_vir,vir_optimize,machine code",
         "0x38203186bb03f000 nop ; nop ; thrsw\n"},
        {LEVELS_PANVK, "shader: MESA_SHADER_COMPUTE\nimpl main {\n}\n\n" BLOCK0("a") BLOCK0("b") BLOCK0("c") "   d\n",
         "NIR,back end in SSA,bi_register_allocate,va_insert_flow_control_nops", BLOCK0("c") "   d\n"},
        {LEVELS_POWERVR, "after pco_lower_nir:\nshader: MESA_SHADER_COMPUTE\nimpl main {\n}\n\nshader ir after pco_dce:\nfunc\n{\n}\n",
         "pco_lower_nir,pco_dce", "func\n{\n}\n"},
    };
    static const struct {
        enum level_driver driver;
        const char *dump, *why;
    } bad[] = {
        {LEVELS_V3DV, V3D_DUMP V3D_DUMP, "the dump holds 2 shaders; expected one"},
        {LEVELS_V3DV, V3D_DUMP V3D_REST, "the dump holds 2 shaders; expected one"}, // which machine code is kept?
        {LEVELS_V3DV, V3D_DUMP V3D "NIR:\n" V3D_NIR, "the dump holds 2 shaders; expected one"},
        {LEVELS_V3DV, V3D "NIR:\n" V3D_NIR, "the dump has no line 'NIR after vk_pipeline_shader_stage_to_nir: MESA_SHADER_COMPUTE prog '"},
        {LEVELS_V3DV, V3D "NIR:\nMESA: info: impl main {\n", "the dump is cut: the level of 'NIR out of SSA' has no end"},
        {LEVELS_PANVK, "shader: MESA_SHADER_COMPUTE\nimpl main {\n}\n" BLOCK0("a"), "the dump has no line 'block0 {'"},
        {LEVELS_POWERVR, "", "not a dump of pco: expected lines 'after PASS:' and 'shader ir after PASS:'"},
    };
    struct arena a = {0};
    struct levels l;
    struct err e = {0};
    (void)state;
    for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
        struct text t = {.arena = &a};
        if (!levels_read(&a, rows[i].driver, rows[i].dump, &l, &e))
            fail_msg("%s", e.msg);
        for (uint32_t k = 0; k < l.n; k++)
            text_add(&t, "%s%s", k ? "," : "", l.v[k].pass);
        assert_string_equal(t.v, rows[i].passes);
        assert_string_equal(l.v[l.n - 1].text, rows[i].last);
        assert_true(l.v[0].language == LEVEL_NIR);
    }
    for (size_t i = 0; i < sizeof bad / sizeof *bad; i++) {
        assert_false(levels_read(&a, bad[i].driver, bad[i].dump, &l, &e));
        assert_memory_equal(e.msg, bad[i].why, strlen(bad[i].why));
    }
    assert_true(levels_only_nir(LEVELS_PANVK) && levels_only_nir(LEVELS_POWERVR) && !levels_only_nir(LEVELS_V3DV));
    arena_free(&a);
}

// ---- Turnip's descriptors -----------------------------------------------------------------------------

// NIR that names buffers: "b1" binding 1 of set 0, "d4" descriptor 4 of set 0; in upper case, of set 1.
static const char *turnip_nir(struct arena *a, const char *names)
{
    struct text t = {.arena = a};
    text_add(&t, "shader: MESA_SHADER_COMPUTE\nimpl main {\n");
    for (; *names; names += 2 + (names[2] == ' ')) {
        const unsigned set = *names == 'B' || *names == 'D', n = (unsigned)(names[1] - '0');
        if (*names == 'b' || *names == 'B')
            text_add(&t, "    32x3 %%1 = @vulkan_resource_index (%%2 (0x0)) (desc_set=%u, binding=%u, desc_type=SSBO)\n", set, n);
        else
            text_add(&t, "    32 %%1 = @bindless_resource_ir3 (%%2 (0x%x)) (desc_set=%u)\n", n, set);
    }
    text_add(&t, "}\n\n");
    return t.v;
}

static void descriptors_of_a_buffer(void **state)
{
    static const struct {
        const char *before, *after;
        uint32_t want;
    } rows[] = {
        {"b0 b1 b3", "d0 d1 d2", 1},       {"b0 b1 b3", "d0 d2 d4", 2}, {"b3 b0 b1", "d4 d0 d2", 2},
        {"b0 b1 b3", "d0 d3 d6", 3},       {"b0", "d0", 1}, // any: the first buffer of a set is found
        {"b1", "d1", 1},                   {"b1", "d2", 2},
        {"b0 b3", "d0 d4", 2},             {"b0 b3", "d0 d2", 1},
        {"b0 b1 b3", "d0 d2", UINT32_MAX}, // one is not named any more: which?
        {"b0 b1", "d0 d2 d3", UINT32_MAX}, // a second descriptor of two, or of three
        {"b0 b1 b3", "d0 d1 d9", UINT32_MAX}, {"b0 b1 b3", "", UINT32_MAX}, {"b0 b2", "d0 d1", UINT32_MAX},
        {"b0 B0 B1", "d0 D0 D2", 2},       {"b0 B0 B1", "d0 D0 D1", 1}, {"B1", "d1", UINT32_MAX},
    };
    struct arena a = {0};
    struct spv_buffer buffer[] = {{.set = 0, .binding = 3}, {.set = 0, .binding = 0}, {.set = 0, .binding = 1},
                                  {.set = 1, .binding = 0}, {.set = 1, .binding = 1}};
    struct spv_case c = {.buffer_count = sizeof buffer / sizeof *buffer};
    (void)state;
    memcpy(c.buffer, buffer, sizeof buffer);
    for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
        struct level v[] = {{.language = LEVEL_NIR, .text = turnip_nir(&a, rows[i].before)},
                            {.language = LEVEL_NIR, .text = turnip_nir(&a, rows[i].after)},
                            {.language = LEVEL_IR3, .text = ""}};
        struct levels l = {.driver = LEVELS_TURNIP, .n = 3, .v = v};
        if (levels_descriptors(&l, &c) != rows[i].want)
            fail_msg("'%s' to '%s': %u", rows[i].before, rows[i].after, levels_descriptors(&l, &c));
        l.driver = LEVELS_NVK;
        assert_int_equal(levels_descriptors(&l, &c), 0);
        l.driver = LEVELS_TURNIP, l.v = v + 1, l.n = 2;
        assert_true(levels_descriptors(&l, &c) == UINT32_MAX);
    }
    arena_free(&a);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(a_dump_becomes_levels), cmocka_unit_test(what_is_no_dump_is_refused_in_one_line),
        cmocka_unit_test(radv_has_two_languages),
        cmocka_unit_test(a_driver_is_known_by_its_name), cmocka_unit_test(nir_with_a_preamble),
        cmocka_unit_test(levels_that_began), cmocka_unit_test(descriptors_of_a_buffer), cmocka_unit_test(drivers_of_arm64),
        cmocka_unit_test(nir_of_a_debug_build),
        cmocka_unit_test(nir_comes_before_the_driver_s_own), cmocka_unit_test(lines_that_differ),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
