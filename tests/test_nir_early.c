// SPDX-License-Identifier: Apache-2.0
//
// isa: what NIR has before its passes lower it: variables, pointers, calls. Answers were worked out by hand;
// text that the reader does not know is refused by its line.
// clang-format off
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <cmocka.h>
// clang-format on

#include "test_nir_common.h"

enum { LANES = 8 };

// Binding 2 of set 1: a structure { uint unused; uint kept[8]; uvec2 pair[] } with gaps.
static const char module[] = "OpCapability Shader\nOpMemoryModel Logical GLSL450\nOpEntryPoint GLCompute %main \"main\" %out\n"
                             "OpExecutionMode %main LocalSize 8 1 1\nOpMemberName %block 1 \"kept\"\nOpDecorate %out DescriptorSet 1\n"
                             "OpDecorate %out Binding 2\nOpDecorate %block Block\nOpMemberDecorate %block 0 Offset 0\n"
                             "OpMemberDecorate %block 1 Offset 8\nOpMemberDecorate %block 2 Offset 64\nOpDecorate %kept ArrayStride 4\n"
                             "OpDecorate %pairs ArrayStride 16\n%void = OpTypeVoid\n%fn = OpTypeFunction %void\n%uint = OpTypeInt 32 0\n"
                             "%eight = OpConstant %uint 8\n%pair = OpTypeVector %uint 2\n%kept = OpTypeArray %uint %eight\n"
                             "%pairs = OpTypeRuntimeArray %pair\n%block = OpTypeStruct %uint %kept %pairs\n"
                             "%ptr = OpTypePointer StorageBuffer %block\n%out = OpVariable %ptr StorageBuffer\n"
                             "%main = OpFunction %void None %fn\n%entry = OpLabel\nOpReturn\nOpFunctionEnd\n";

// The case with so many buffers, from binding 2 on, of which the first has these words.
static struct spv_case case_of(struct arena *a, const char *text, uint32_t buffers, uint32_t words[64])
{
    struct spv_tools *tools = spv_tools_new();
    struct spv_case c = {.groups = {1, 1, 1}, .buffer_count = buffers};
    struct err e = {0};
    CHECK(spv_assemble(tools, a, text, strlen(text), 1, &c.words, &c.count, &e));
    spv_tools_free(tools);
    for (uint32_t i = 0; i < buffers; i++)
        c.buffer[i] = (struct spv_buffer){
            .set = 1, .binding = 2 + i, .count = 64, .words = i ? ARENA_ARRAY(a, uint32_t, 64) : words};
    return c;
}

static struct isa_result run_case(struct arena *a, const char *text, enum nir_driver driver, const struct spv_case *c)
{
    struct isa_result out;
    isa_trial_run(a, nir_read(a, text, driver, LANES, &out), c, (struct isa_options){0}, &out);
    return out;
}

static struct isa_result run(struct arena *a, const char *text, uint32_t words[64])
{
    const struct spv_case c = case_of(a, module, 1, words);
    return run_case(a, text, NIR_RADV, &c);
}

#define INDEX                                                                                             \
    "    32     %0 = load_const (0x00000000)\n"                                                           \
    "    32x3   %1 = @vulkan_resource_index (%0 (0x0)) (desc_set=1, binding=2, desc_type=SSBO)\n"         \
    "    32x3   %2 = @load_vulkan_descriptor (%1) (desc_type=SSBO)\n"                                     \
    "    32x3   %3 = deref_cast (results *)%2 (ssbo results)  (ptr_stride=0, align_mul=0, align_offset=0)\n"
#define BEGIN                                                                                             \
    "shader: MESA_SHADER_COMPUTE\n"                                                                       \
    "decl_var system INTERP_MODE_NONE none uint lane (SYSTEM_VALUE_LOCAL_INVOCATION_INDEX)\n"             \
    "decl_var system INTERP_MODE_NONE none uvec3 local (SYSTEM_VALUE_LOCAL_INVOCATION_ID)\n"              \
    "decl_var shared INTERP_MODE_NONE none uint[8] room\n"                                                \
    "decl_var  INTERP_MODE_NONE none uint own\n"                                                          \
    "decl_function main () (entrypoint)\n\nimpl main {\n"                                                 \
    "    decl_var  INTERP_MODE_NONE none uint[3] table\n"                                                 \
    "    decl_var  INTERP_MODE_NONE none bool seen\n"                                                     \
    "    decl_var  INTERP_MODE_NONE none uint (table[1]) = null\n    block b0:   // preds:\n" INDEX       \
    "    32     %4 = deref_var &lane (system uint)\n    32     %5 = @load_deref (%4) (access=none)\n"
// Lane i writes `v` to kept[i].
#define KEEP(v)                                                                                           \
    "    32x3 %90 = deref_struct &%3->kept (ssbo uint[8])  // &((results *)%2)->kept\n"                   \
    "    32x3 %91 = deref_array &(*%90)[%5] (ssbo uint)\n    @store_deref (%91, " v ") (wrmask=x, access=none)\n"
#define END "    // succs: b9\n    block b9:\n}\n\n"

// What lane i must have written to kept[i].
static void check(const char *text, uint32_t (*want)(uint32_t lane))
{
    struct arena a = {0};
    uint32_t words[64] = {0};
    const struct isa_result r = run(&a, text, words);
    if (r.status != RAN_OK)
        fail_msg("%s", r.text);
    for (uint32_t i = 0; i < LANES; i++)
        if (words[2 + i] != want(i))
            fail_msg("lane %u: %u, not %u", i, words[2 + i], want(i));
    for (uint32_t i = 0; i < 64; i++)
        if ((i < 2 || i >= 2 + LANES) && words[i] && i < 16)
            fail_msg("word %u: %u", i, words[i]);
    arena_free(&a);
}

static uint32_t own_lane(uint32_t i) { return i; }
static uint32_t next_lane(uint32_t i) { return (i + 1) % LANES; }
static uint32_t by_place(uint32_t i) { return 10 + i % 2; }
static uint32_t zero_and_one(uint32_t i) { return i < 4; }
static uint32_t of_odd(uint32_t i) { return i % 2 ? 7 : 0xf0; }
static uint32_t threes(uint32_t i) { return i == 3 ? 77 : i; }

static void pointers_lead_to_variables_and_buffers(void **state)
{
    (void)state;
    check(BEGIN KEEP("%5") END, own_lane);
    // Through shared memory, to the next lane.
    check(BEGIN "    32 %6 = deref_var &room (shared uint[8])\n    32 %7 = deref_array &(*%6)[%5] (shared uint)\n"
                "    @store_deref (%7, %5) (wrmask=x, access=none)\n    32 %8 = load_const (0x00000001)\n    32 %9 = iadd %5, %8\n"
                "    32 %10 = load_const (0x00000007)\n    32 %11 = iand %9, %10\n    32 %12 = deref_array &(*%6)[%11] (shared uint)\n"
                "    32 %13 = @load_deref (%12) (access=none)\n" KEEP("%13") END,
          next_lane);
    // An array of each lane, by a constant and by a value.
    check(BEGIN "    32 %6 = deref_var &table (function_temp uint[3])\n    32 %7 = deref_array &(*%6)[1] (function_temp uint)\n"
                "    32 %8 = load_const (0x0000000a)\n    @store_deref (%7, %8 (0xa)) (wrmask=x, access=none)\n"
                "    32 %9 = deref_array &(*%6)[2] (function_temp uint)\n    32 %10 = load_const (0x0000000b)\n"
                "    @store_deref (%9, %10) (wrmask=x, access=none)\n    32 %11 = load_const (0x00000001)\n    32 %12 = iand %5, %11\n"
                "    32 %13 = iadd %12, %11\n    32 %14 = deref_array &(*%6)[%13] (function_temp uint)\n"
                "    32 %15 = @load_deref (%14) (access=none)\n" KEEP("%15") END,
          by_place);
    // A bool; and a variable that begins as 0, of a name that a pass made.
    check(BEGIN "    32 %6 = load_const (0x00000004)\n    1 %7 = ult %5, %6\n    32 %8 = deref_var &seen (function_temp bool)\n"
                "    @store_deref (%8, %7) (wrmask=x, access=none)\n    1 %9 = @load_deref (%8) (access=none)\n    32 %10 = b2i32 %9\n"
                "    32 %11 = deref_var &(table[1]) (function_temp uint)\n    32 %12 = @load_deref (%11) (access=none)\n"
                "    32 %13 = iadd %10, %12\n" KEEP("%13") END,
          zero_and_one);
    // The second component of a value from the driver: it is 0, the first is the lane.
    check(BEGIN "    32 %6 = deref_var &local (system uvec3)\n    32 %7 = deref_array &(*%6)[1] (system uint)\n"
                "    32 %8 = @load_deref (%7) (access=none)\n    32 %9 = iadd %8, %5\n" KEEP("%9") END,
          own_lane);
    // Lanes that return early store nothing more.
    check(BEGIN KEEP("%5") "    32 %6 = load_const (0x00000003)\n    1 %7 = ine %5, %6\n    if %7 {\n    block b1:\n    return\n"
                           "    } else {\n    block b2:\n    }\n    block b3:\n    32 %8 = load_const (0x0000004d)\n"
                           "    32x3 %92 = deref_array &(*%90)[%5] (ssbo uint)\n    @store_deref (%92, %8) (wrmask=x, access=none)\n" END,
          threes);
}

static void members_lie_where_the_module_says(void **state)
{
    (void)state;
    struct arena a = {0};
    uint32_t words[64] = {0};
    // pair[lane].y, of lane 2 alone: at byte 64 + 2 * 16 + 4.
    const struct isa_result r =
        run(&a, BEGIN "    32x3 %6 = deref_struct &%3->field2 (ssbo uvec2[])\n    32x3 %7 = deref_array &(*%6)[%5] (ssbo uvec2)\n"
                      "    32x3 %8 = deref_array &(*%7)[1] (ssbo uint)\n    32 %9 = load_const (0x00000002)\n    1 %10 = ieq %5, %9\n"
                      "    if %10 {\n    block b1:\n    32 %11 = @deref_atomic (%8, %9) (access=none, atomic_op=iadd)\n"
                      "    32 %12 = @deref_atomic (%8, %9) (access=none, atomic_op=iadd)\n    } else {\n    block b2:\n    }\n    block b3:\n" END,
            words);
    if (r.status != RAN_OK)
        fail_msg("%s", r.text);
    for (uint32_t i = 0; i < 64; i++)
        assert_int_equal(words[i], i == 16 + 2 * 4 + 1 ? 4 : 0);
    arena_free(&a);
}

// What follows "decl_function main": %5 is the lane. f(x): returns 7 for odd lanes early, else which lanes are there.
#define FUNCTION                                                                                          \
    "decl_function f (32 return, 32)\n\nimpl f {\n    decl_var  INTERP_MODE_NONE none uint seen#1\n    block b0:\n" \
    "    32 %0 = @load_param (param_idx=0)\n    32 %1 = @load_param (param_idx=1)\n"                      \
    "    32 %2 = deref_cast (uint *)%0 (function_temp uint)  (ptr_stride=0, align_mul=0, align_offset=0)\n" \
    "    32 %3 = load_const (0x00000001)\n    32 %4 = iand %1, %3\n    1 %5 = ieq %4, %3\n    if %5 {\n   block b1:\n" \
    "    32 %6 = load_const (0x00000007)\n    @store_deref (%2, %6) (wrmask=x, access=none)\n    return\n    } else {\n" \
    "    block b2:\n    }\n    block b3:\n    32 %13 = deref_var &seen#1 (function_temp uint)\n    1 %7 = load_const (true)\n" \
    "    32 %8 = @ballot (%7)\n    @store_deref (%13, %8) (wrmask=x, access=none)\n    32 %14 = @load_deref (%13) (access=none)\n" \
    "    @store_deref (%2, %14) (wrmask=x, access=none)\n    return\n    block b4:\n}\n\n"

static uint32_t called(uint32_t i) { return i < 4 ? 9 : i % 2 ? 7 : 0x50; }

static void calls_join_their_lanes(void **state)
{
    (void)state;
    // Lanes 4 to 7 call: of them 4 and 6 are together; all are together again after it.
#define CALL                                                                                              \
    BEGIN "    32 %6 = deref_var &own (shader_temp uint)\n    32 %7 = load_const (0x00000009)\n"           \
          "    @store_deref (%6, %7) (wrmask=x, access=none)\n    32 %8 = load_const (0x00000004)\n    1 %9 = uge %5, %8\n" \
          "    if %9 {\n    block b1:\n    call f %6, %5\n    } else {\n    block b2:\n    }\n    block b3:\n"
    check(CALL "    32 %11 = phi b1: %8, b2: %8\n    32 %10 = @load_deref (%6) (access=none)\n" KEEP("%10") END FUNCTION, called);
    check(CALL "    1 %12 = load_const (true)\n    32 %13 = @ballot (%12)\n    32 %14 = load_const (0x000000ff)\n    32 %15 = isub %13, %14\n"
               "    32 %10 = iadd %15, %5\n" KEEP("%10") END FUNCTION,
          own_lane);
    check(BEGIN "    32 %6 = deref_var &own (shader_temp uint)\n    call f %6, %5\n    32 %10 = @load_deref (%6) (access=none)\n"
                "    32 %11 = load_const (0x00000055)\n    1 %12 = ieq %10, %11\n    32 %13 = load_const (0x000000f0)\n"
                "    32 %14 = bcsel %12, %13, %10\n" KEEP("%14") END FUNCTION,
          of_odd);
}

static void the_unknown_is_refused(void **state)
{
    static const struct {
        const char *text, *why;
    } bad[] = {
        {BEGIN "    32 %6 = deref_var &other (function_temp uint)\n" END, "unsupported: the variable 'other' at line 19"},
        {"decl_var  INTERP_MODE_NONE none thing own\n" BEGIN "    32 %6 = deref_var &table (shared uint[3])\n" END,
         "unsupported: the variable 'table' at line 20"},
        {"decl_var  INTERP_MODE_NONE none thing odd\n" BEGIN "    32 %6 = deref_var &odd (shader_temp thing)\n" END,
         "unsupported: the variable 'odd' at line 20"},
        {"decl_var  INTERP_MODE_NONE none uint odd = { 0x00000007 }\n" BEGIN END, "unsupported: a variable's first value '{ 0x00000007 }' at line 1"},
        {"decl_var  INTERP_MODE_NONE none uint[99999999] odd\n" BEGIN "    32 %6 = deref_var &odd (shader_temp uint)\n" END,
         "unsupported: the variable 'odd' at line 20"},
        {BEGIN "    32 %6 = deref_var &own (push_const uint)\n" END, "unsupported: a pointer to 'push_const' at line 19"},
        {BEGIN "    32 %6 = deref_var &own\n" END, "unsupported: a pointer '&own' at line 19"},
        {BEGIN "    32x3 %6 = deref_array &(*%3)[*] (ssbo uint)\n" END, "unsupported: a pointer '&(*%3)[*] (ssbo uint)' at line 19"},
        {BEGIN "    32 %6 = deref_var &own (shader_temp uint)\n    32 %7 = mov %6\n    32 %8 = @load_deref (%7) (access=none)\n" END,
         "unsupported: a pointer that is computed at line 21"},
        {BEGIN "    32 %6 = deref_var &own (shader_temp uint)\n    32 %7 = deref_struct &%6->x (shader_temp uint)\n" END,
         "unsupported: a structure outside of a buffer at line 20"},
        {BEGIN "    64 %6 = deref_var &own (shader_temp uint)\n" END, "unsupported: a pointer of this form at line 19"},
        {BEGIN "    32x3 %6 = deref_struct &%3->field1 (ssbo uint[8])\n" END,
         "unsupported: a place in a buffer that the case's module does not describe at line 19"},
        {BEGIN "    32x3 %6 = @vulkan_resource_index (%0) (desc_set=0, binding=2, desc_type=SSBO)\n" END,
         "unsupported: binding 2 of set 0 in this form at line 19"},
        {BEGIN "    call g %5\n" END FUNCTION, "unsupported: a call of 'g' at line 19"},
        {BEGIN "    call f %5\n" END FUNCTION, "unsupported: a parameter without an argument at line 30"},
        {BEGIN "    call f %77, %5\n" END FUNCTION, "%77 is not defined at line 19"},
        {BEGIN "    call main\n" END, "unsupported: a call of 'main' at line 19"},
        {BEGIN "    32 %6 = @load_param (param_idx=0)\n" END, "unsupported: a parameter without an argument at line 19"},
    };
    (void)state;
    for (size_t i = 0; i < sizeof bad / sizeof *bad; i++) {
        struct arena a = {0};
        uint32_t words[64] = {0};
        const struct isa_result r = run(&a, bad[i].text, words);
        assert_int_not_equal(r.status, RAN_OK);
        if (strcmp(r.text, bad[i].why) != 0)
            fail_msg("%s, not %s", r.text, bad[i].why);
        arena_free(&a);
    }
}

// Returns the text with the first `from` replaced.
static char *replaced(struct arena *a, const char *text, const char *from, const char *to)
{
    const char *at = strstr(text, from);
    if (!at)
        fail_msg("the text has no '%s'", from);
    return arena_printf(a, "%.*s%s%s", (int)(at - text), text, to, at + strlen(from));
}

// A pointer whose buffer the text does not name may lead into each of the case's buffers: if a place is the same in all
// that have it, it is known.
static void a_pointer_into_an_unnamed_buffer(void **state)
{
#define SECOND(offset, name)                                                                                        \
    "OpMemberName %other " name "\nOpDecorate %more DescriptorSet 1\nOpDecorate %more Binding 3\nOpDecorate %other Block\n" \
    "OpMemberDecorate %other 0 Offset 0\nOpMemberDecorate %other 1 Offset " offset "\n%void"
    struct arena a = {0};
    uint32_t words[64] = {0};
    (void)state;
    const char *text = replaced(&a, BEGIN KEEP("%5") END, "32x3   %1 =", "32x4   %1 =");
    text = replaced(&a, text, "    32x3   %2 = @load_vulkan_descriptor (%1) (desc_type=SSBO)\n",
                    "    32     %60 = mov %1.x\n    32     %61 = mov %1.y\n    32     %62 = mov %1.z\n"
                    "    32x4   %2 = vec4 %60, %61, %62, %0 (0x0)\n");
    for (uint32_t i = 0; i < 3; i++) // the pointers
        text = replaced(&a, text, i == 0 ? "32x3   %3 =" : i == 1 ? "32x3 %90 =" : "32x3 %91 =",
                        i == 0 ? "32x4   %3 =" : i == 1 ? "32x4 %90 =" : "32x4 %91 =");
    static const struct {
        const char *names, *type, *why; // why: NULL: it runs
    } rows[] = {
        {SECOND("8", "1 \"kept\""), "%other = OpTypeStruct %uint %kept", NULL},
        {SECOND("12", "1 \"rest\""), "%other = OpTypeStruct %uint %kept", NULL},
        {SECOND("12", "1 \"kept\""), "%other = OpTypeStruct %uint %kept",
         "unsupported: a place in a buffer that the text does not name at line 22"},
    };
    for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
        const char *two = replaced(&a, module, "%void", rows[i].names);
        two = replaced(&a, two, "%ptr = ", arena_printf(&a, "%s\n%%ptr_other = OpTypePointer StorageBuffer %%other\n"
                                                            "%%more = OpVariable %%ptr_other StorageBuffer\n%%ptr = ", rows[i].type));
        two = replaced(&a, two, "\"main\" %out", "\"main\" %out %more");
        memset(words, 0, sizeof words);
        const struct spv_case c = case_of(&a, two, 2, words);
        const struct isa_result r = run_case(&a, text, NIR_RADV, &c);
        assert_string_equal(r.text, rows[i].why ? rows[i].why : "");
        for (uint32_t k = 0; k < LANES && !rows[i].why; k++)
            assert_int_equal(words[2 + k], k);
    }
    arena_free(&a);
}

// NVK of Mesa 25.0 reads the address of the descriptor set from the root table.
static void the_root_table_has_the_address_of_the_set(void **state)
{
#define ROOT(place, more)                                                                                          \
    "impl main {\n    block b0:   // preds:\n    32   %0 = @load_sysval_nv (access=reorderable, base=33)\n"             \
    "    32   %3 = load_const (0x00000000)\n    32   %4 = load_const (0x00000002)\n    32   %5 = load_const (" place ")\n" \
    "    64   %6 = @ldc_nv (%3 (0x0), %5) (access=none, align_mul=8, align_offset=0)\n" more                           \
    "    32x4 %7 = @load_global_constant_offset (%6, %3) (access=none, align_mul=16, align_offset=0)\n"               \
    "    32x2 %8 = mov %7.xy\n    64   %9 = pack_64_2x32 %8\n    32   %10 = ishl %0, %4\n    64   %11 = u2u64 %10\n"    \
    "    64   %12 = iadd %9, %11\n    @store_global (%0, %12) (wrmask=x, access=none, align_mul=4, align_offset=0)\n}\n"
#define AGAIN(place) "    32   %20 = load_const (" place ")\n    64   %21 = @ldc_nv (%3 (0x0), %20) (access=none)\n"
    static const struct {
        const char *text;
        uint32_t push; // words of push constants
        const char *why;
    } rows[] = {
        {ROOT("0x00000128", ""), 0, NULL},
        {ROOT("0x00000158", AGAIN("0x00000158")), 0, NULL},
        {ROOT("0x00000128", AGAIN("0x00000138")), 0, "unsupported: the constant c[0x0][0x138] at line 9"},
        {ROOT("0x00000128", ""), 1, "unsupported: the constant c[0x0][0x128] at line 7"},
        {ROOT("0x00000128", "    32   %20 = @ldc_nv (%3 (0x0), %5) (access=none)\n"), 0,
         "unsupported: the constant c[0x0][0x128] at line 8"},
    };
    struct arena a = {0};
    (void)state;
    for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
        uint32_t words[64] = {0};
        struct spv_case c = case_of(&a, module, 1, words);
        c.push_count = rows[i].push;
        const struct isa_result r = run_case(&a, rows[i].text, NIR_NVK, &c);
        assert_string_equal(r.text, rows[i].why ? rows[i].why : "");
        for (uint32_t k = 0; k < LANES && !rows[i].why; k++)
            assert_int_equal(words[k], k);
    }
    arena_free(&a);
}

// Any part of a text is read or refused, and never more than that.
static void any_part_is_fit(void **state)
{
    static const char whole[] = CALL "    32 %10 = @load_deref (%6) (access=none)\n" KEEP("%10") END FUNCTION;
    (void)state;
    for (size_t i = 0; i < sizeof whole; i++) {
        struct arena a = {0};
        uint32_t words[64] = {0};
        char *text = arena_str(&a, whole);
        text[i] = i % 3 ? (char)('%' + i % 7) : 0;
        run(&a, text, words);
        arena_free(&a);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(pointers_lead_to_variables_and_buffers),
        cmocka_unit_test(members_lie_where_the_module_says),
        cmocka_unit_test(calls_join_their_lanes),
        cmocka_unit_test(the_unknown_is_refused),
        cmocka_unit_test(a_pointer_into_an_unnamed_buffer),
        cmocka_unit_test(the_root_table_has_the_address_of_the_set),
        cmocka_unit_test(any_part_is_fit),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
