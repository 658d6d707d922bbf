// SPDX-License-Identifier: Apache-2.0
//
// isa: the NIR of PanVK, v3dv and PowerVR. The texts in tests/nir/ are the NIR of these drivers of Mesa 26.2.6 for
// corpus/rules/M6-break-block-stays-split.spvasm (for PowerVR: as SPIR-V 1.5 without the mode), in subgroups of 16, 16 and 32.
// Run as they are, they give what the case expects; with one token changed they do not, or are refused by name and line.
// clang-format off
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <cmocka.h>
// clang-format on

#include "nir/nir.h"

#include <stdlib.h>
#include <string.h>

static const struct dialect {
    const char *name;
    enum nir_driver driver;
    uint32_t size;
} dialects[] = {{"panvk", NIR_PANVK, 16}, {"v3dv", NIR_V3DV, 16}, {"powervr", NIR_POWERVR, 32}};
enum { DIALECTS = sizeof dialects / sizeof *dialects };

static const struct dialect *dialect(const char *name)
{
    uint32_t i = 0;
    while (i < DIALECTS && strcmp(dialects[i].name, name) != 0)
        i++;
    assert_true(i < DIALECTS);
    return &dialects[i];
}

static struct spv_case read_case(struct arena *a, struct spv_tools *tools)
{
    struct spv_case c;
    struct err e;
    if (!spv_case_read(tools, a, arena_printf(a, "%s/corpus/rules/M6-break-block-stays-split.spvasm", getenv("SOURCE_DIR")), &c, &e))
        fail_msg("%s", e.msg);
    return c;
}

static const char *text_of(struct arena *a, const struct dialect *d)
{
    char *text;
    size_t size;
    struct err e;
    if (!file_read(a, arena_printf(a, "%s/tests/nir/%s.nir", getenv("SOURCE_DIR"), d->name), 1 << 20, &text, &size, &e))
        fail_msg("%s", e.msg);
    return text;
}

// Returns the text with the first `from` replaced.
static const char *replaced(struct arena *a, const char *text, const char *from, const char *to)
{
    const char *at = strstr(text, from);
    if (!at)
        fail_msg("the text has no '%s'", from);
    return arena_printf(a, "%.*s%s%s", (int)(at - text), text, to, at + strlen(from));
}

static struct isa_result run(struct arena *a, const struct dialect *d, const char *text, const struct spv_case *c)
{
    const struct isa_options o = {.step_limit = 100000, .random_fill = 7};
    struct isa_result out;
    const struct isa_code *code = nir_read(a, text, d->driver, d->size, &out);
    if (code)
        isa_run(a, code, c, &o, &out);
    return out;
}

static bool right(const struct isa_result *r, const struct spv_case *c)
{
    return r->status == RAN_OK && c->expect_count == 1 && r->memory[0].count == c->expect[0].count &&
           memcmp(r->memory[0].words, c->expect[0].words, r->memory[0].count * sizeof(uint32_t)) == 0;
}

static void texts_give_what_is_expected(void **state)
{
    struct arena a = {0};
    const struct spv_case c = read_case(&a, *state);
    for (uint32_t i = 0; i < DIALECTS; i++) {
        const struct isa_result r = run(&a, &dialects[i], text_of(&a, &dialects[i]), &c);
        if (!right(&r, &c))
            fail_msg("%s: %s", dialects[i].name, r.status == RAN_OK ? "another result" : r.text);
    }
    arena_free(&a);
}

static void changed_tokens_are_seen(void **state)
{
    static const char *const changes[][3] = {
        {"panvk", "ieq_pan %4, %2", "ine_pan %4, %2"},
        {"panvk", "%15 = @ballot (%8 (0xffffffff))", "%15 = mov %9"},
        {"panvk", "@store_global (%9, %11)", "@store_global (%7, %11)"},
        {"panvk", "iadd %7, %6 (0x4)", "iadd %7, %1"},
        {"panvk", "                        break\n", ""},
        {"v3dv", "break\n", "continue\n"},
        {"v3dv", "= ieq ", "= ine "},
        {"v3dv", "mov %22.x", "mov %22.y"},
        {"powervr", "ishl %5 (0x1), %4", "ishl %5 (0x1), %5"},
        {"powervr", "atomic_op=ior", "atomic_op=iand"},
        {"powervr", "@store_reg (%29, %0)", "@store_reg (%28, %0)"},
        {"powervr", "%34 = @load_shared (%23)", "%34 = @load_shared (%5)"},
        {"powervr", "@store_shared (%21 (0x0), %20)", "@store_shared (%7, %20)"},
    };
    struct arena a = {0};
    const struct spv_case c = read_case(&a, *state);
    for (size_t i = 0; i < sizeof changes / sizeof *changes; i++) {
        const struct dialect *d = dialect(changes[i][0]);
        const struct isa_result r = run(&a, d, replaced(&a, text_of(&a, d), changes[i][1], changes[i][2]), &c);
        if (right(&r, &c))
            fail_msg("%s: '%s' for '%s' is not seen", d->name, changes[i][2], changes[i][1]);
    }
    arena_free(&a);
}

static void the_unknown_is_refused(void **state)
{
    static const char *const unknown[][4] = {
        {"panvk", "(0x01000000 = 0.000000 = 16777216)", "(0x02000000)", "resource 0x2000000 at line"},
        {"panvk", "32x3   %0 = @load_local_invocation_id", "32x3   %0 = @load_push_constant (%3) (base=0)",
         "load_push_constant of 3 words at byte"},
        {"panvk", "@ballot", "@ballot_pan", "operation '@ballot_pan' at line"},
        {"v3dv", "(wrmask=x", "(colour=1", "attribute 'colour=1' of store_ssbo at line"},
        {"v3dv", "load_const (0x00000000, 0x00000000)", "load_const (0x00000001, 0x00000000)", "which buffer has which index"},
        {"powervr", "num_array_elems=0", "num_array_elems=4", "attribute 'num_array_elems=4' of decl_reg at line"},
        {"powervr", "@store_reg (%14, %0) (base=0", "@store_reg (%14, %0) (base=1", "attribute 'base=1' of store_reg at line"},
        {"powervr", "legacy_fsat=0", "legacy_fsat=1", "attribute 'legacy_fsat=1' of store_reg at line"},
        {"powervr", "@load_reg", "@load_ssbo_address", "another driver's operation"},
    };
    struct arena a = {0};
    const struct spv_case c = read_case(&a, *state);
    for (size_t i = 0; i < sizeof unknown / sizeof *unknown; i++) {
        const struct dialect *d = dialect(unknown[i][0]);
        const struct isa_result r = run(&a, d, replaced(&a, text_of(&a, d), unknown[i][1], unknown[i][2]), &c);
        if (r.status != RAN_UNSUPPORTED || !strstr(r.text, unknown[i][3]))
            fail_msg("%s with '%s': status %d, '%s'", d->name, unknown[i][2], (int)r.status, r.text);
    }
    arena_free(&a);
}

static int begin(void **state)
{
    *state = spv_tools_new();
    return 0;
}

static int end(void **state)
{
    spv_tools_free(*state);
    return 0;
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(texts_give_what_is_expected),
        cmocka_unit_test(changed_tokens_are_seen),
        cmocka_unit_test(the_unknown_is_refused),
    };
    return cmocka_run_group_tests(tests, begin, end);
}
