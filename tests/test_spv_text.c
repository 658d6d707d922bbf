// SPDX-License-Identifier: Apache-2.0
//
// Assembly both ways and validation: lines of errors, versions, verdicts.
#include "test_spv_common.h"

#define HEAD "OpCapability Shader\nOpMemoryModel Logical GLSL450\n"

static void goes_round(void **state)
{
    struct fixture *f = *state;
    size_t count, again;
    struct err e = {{0}};
    uint32_t *words = assembled(f, SAMPLE, &count);
    const char *text;
    const uint32_t *back;
    assert_true(spv_disassemble(f->tools, &f->arena, words, count, &text, &e));
    assert_string_equal(text, SAMPLE);
    assert_true(spv_assemble(f->tools, &f->arena, text, strlen(text), 1, &back, &again, &e));
    assert_int_equal(again, count);
    assert_memory_equal(back, words, count * 4);
}

static void keeps_versions(void **state)
{
    struct fixture *f = *state;
    static const struct {
        const char *text;
        uint32_t version;
        const char *printed;
    } rows[] = {
        {HEAD, 0x00010600, "               OpCapability Shader\n"},
        {"; Version: 1.3\n" HEAD, 0x00010300, "; Version: 1.3\n               OpCapability"},
        {"; SPIR-V\n; Version: 1.0\n; Generator: a\n" HEAD, 0x00010000, "; Version: 1.0\n"},
        {"\n; Version: 1.5\r\n" HEAD, 0x00010500, "; Version: 1.5\n"},
        {"; Version: 1.6\n" HEAD, 0x00010600, "               OpCapability"},
        {"; Version: 1.7\n" HEAD, 0x00010600, "               OpCapability"},
        {"; Version: 1.33\n" HEAD, 0x00010600, "               OpCapability"},
        {HEAD "; Version: 1.3\n", 0x00010600, "               OpCapability"},
        {"; Version: 1.3", 0x00010300, "; Version: 1.3\n"},
    };
    for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
        size_t count, again;
        const char *text;
        const uint32_t *back;
        struct err e = {{0}};
        uint32_t *words = assembled(f, rows[i].text, &count);
        assert_int_equal(words[1], rows[i].version);
        assert_true(spv_disassemble(f->tools, &f->arena, words, count, &text, &e));
        assert_true(strncmp(text, rows[i].printed, strlen(rows[i].printed)) == 0);
        assert_true(spv_assemble(f->tools, &f->arena, text, strlen(text), 1, &back, &again, &e));
        assert_int_equal(again, count);
        assert_memory_equal(back, words, count * 4);
    }
}

static void tells_the_line(void **state)
{
    struct fixture *f = *state;
    static const struct {
        const char *text, *message;
    } rows[] = {
        {"OpFoo\n", "line 10: Invalid Opcode name 'OpFoo'"},
        {HEAD "OpFoo\n", "line 12: Invalid Opcode name 'OpFoo'"},
        {"\n\n; c\n  OpCapability Nope\n", "line 13: Invalid capability 'Nope'."},
        {HEAD "%1 = OpTypeInt 32\n",
         "line 13: Expected operand for OpTypeInt instruction, but found the end of the stream."},
        {HEAD "\xff\x1b[31m\n",
         "line 12: Expected <opcode> or <result-id> at the beginning of an instruction, found "
         "'??[31m'."},
    };
    for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
        const uint32_t *words;
        size_t count;
        struct err e = {{0}};
        assert_false(spv_assemble(f->tools, &f->arena, rows[i].text, strlen(rows[i].text), 10,
                                  &words, &count, &e));
        assert_string_equal(e.msg, rows[i].message);
    }
    const uint32_t *words;
    size_t count;
    struct err e = {{0}};
    assert_false(spv_assemble(f->tools, &f->arena, "OpNop\n\0OpNop", 12, 1, &words, &count, &e));
    assert_string_equal(e.msg, "line 2: a NUL byte, assembly text was expected");
}

static void judges(void **state)
{
    struct fixture *f = *state;
    size_t count;
    struct err e = {{0}};
    uint32_t *words = assembled(f, SAMPLE, &count);
    spv_validate(f->tools, SPV_ENV_VULKAN_1_3, words, count, &e);
    assert_string_equal(e.msg, "");
    // One rule broken, the words still a module.
    struct spv_module m;
    assert_true(spv_module_read(&f->arena, words, count, &m, &e));
    words[spv_def(&m, 24)->at + 1] = 9; // OpIAdd of type bool, which the phi takes
    assert_true(spv_module_read(&f->arena, words, count, &m, &e));
    assert_false(spv_validate(f->tools, SPV_ENV_VULKAN_1_3, words, count, &e));
    assert_non_null(strstr(e.msg, "spirv-val (Vulkan 1.3): "));
    assert_non_null(strstr(e.msg, "OpPhi"));
    assert_null(strchr(e.msg, '\n'));
    // Rules differ between environments: a 1.6 module is too new for 1.1.
    words = assembled(f, SAMPLE, &count);
    assert_true(spv_validate(f->tools, SPV_ENV_UNIVERSAL_1_6, words, count, &e));
    assert_false(spv_validate(f->tools, SPV_ENV_VULKAN_1_1, words, count, &e));
    words[1] = 0x00010300;
    assert_true(spv_validate(f->tools, SPV_ENV_VULKAN_1_1, words, count, &e));
    // Any words.
    for (size_t n = 0; n < 12; n++)
        assert_false(spv_validate(f->tools, SPV_ENV_VULKAN_1_3, words, n, &e));
    assert_false(spv_validate(f->tools, SPV_ENV_VULKAN_1_3, NULL, 0, &e));
    const char *text;
    assert_false(spv_disassemble(f->tools, &f->arena, words, 4, &text, &e));
    assert_string_equal(e.msg, "Module has incomplete header: only 4 words instead of 5");
    assert_non_null(strstr(spv_tools_version(&f->arena), "SPIRV-Tools v20"));
    assert_null(strstr(spv_tools_version(&f->arena), "unknown"));
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(goes_round),
        cmocka_unit_test(keeps_versions),
        cmocka_unit_test(tells_the_line),
        cmocka_unit_test(judges),
    };
    return cmocka_run_group_tests_name("spv_text", tests, fixture_up, fixture_down);
}
