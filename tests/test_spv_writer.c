// SPDX-License-Identifier: Apache-2.0
//
// The writer: what it writes can be read, is valid, and survives the way
// through text.
#include "test_spv_common.h"

static uint32_t glsl_name(struct spv_writer *w)
{
    struct words v = {0};
    uint32_t id = spv_new_id(w);
    *VEC_PUSH(w->arena, &v) = id;
    spv_string_words(w->arena, &v, "GLSL.std.450");
    spv_put(w, SPV_IMPORTS, SpvOpExtInstImport, v.v, v.n);
    return id;
}

// buffer[index] = loop of `ops` additions; sections are written out of order.
static const uint32_t *write_sample(struct spv_writer *w, struct arena *a, uint32_t version,
                                    int ops, size_t *count)
{
    spv_writer_start(w, a, version);
    uint32_t u32 = spv_type_int(w, 32, false), v = spv_type_void(w);
    uint32_t main_type = spv_type_function(w, v, NULL, 0), main_id = spv_new_id(w);
    spv_put_name(w, main_id, "main");
    uint32_t array = spv_new_id(w), block = spv_new_id(w), var = spv_new_id(w),
             index = spv_new_id(w);
    SPV_PUT(w, SPV_GLOBALS, SpvOpTypeRuntimeArray, array, u32);
    SPV_PUT(w, SPV_GLOBALS, SpvOpTypeStruct, block, array);
    SPV_PUT(w, SPV_ANNOTATIONS, SpvOpDecorate, array, SpvDecorationArrayStride, 4);
    SPV_PUT(w, SPV_ANNOTATIONS, SpvOpDecorate, block, SpvDecorationBlock);
    SPV_PUT(w, SPV_ANNOTATIONS, SpvOpMemberDecorate, block, 0, SpvDecorationOffset, 0);
    SPV_PUT(w, SPV_ANNOTATIONS, SpvOpDecorate, var, SpvDecorationDescriptorSet, 0);
    SPV_PUT(w, SPV_ANNOTATIONS, SpvOpDecorate, var, SpvDecorationBinding, 1);
    SPV_PUT(w, SPV_ANNOTATIONS, SpvOpDecorate, index, SpvDecorationBuiltIn,
            SpvBuiltInLocalInvocationIndex);
    uint32_t to_block = spv_type_pointer(w, SpvStorageClassStorageBuffer, block);
    uint32_t to_input = spv_type_pointer(w, SpvStorageClassInput, u32);
    SPV_PUT(w, SPV_GLOBALS, SpvOpVariable, to_block, var, SpvStorageClassStorageBuffer);
    SPV_PUT(w, SPV_GLOBALS, SpvOpVariable, to_input, index, SpvStorageClassInput);
    spv_capability(w, SpvCapabilityShader);
    spv_capability(w, SpvCapabilityGroupNonUniform);
    spv_capability(w, SpvCapabilityShader);
    spv_extension(w, "SPV_KHR_maximal_reconvergence");
    spv_extension(w, "SPV_KHR_maximal_reconvergence");
    uint32_t glsl = glsl_name(w);
    SPV_PUT(w, SPV_MEMORY_MODEL, SpvOpMemoryModel, SpvAddressingModelLogical,
            SpvMemoryModelGLSL450);
    struct words entry = {0};
    *VEC_PUSH(a, &entry) = SpvExecutionModelGLCompute;
    *VEC_PUSH(a, &entry) = main_id;
    spv_string_words(a, &entry, "main");
    *VEC_PUSH(a, &entry) = index;
    if (version >= 0x00010400)
        *VEC_PUSH(a, &entry) = var;
    spv_put(w, SPV_ENTRY_POINTS, SpvOpEntryPoint, entry.v, entry.n);
    SPV_PUT(w, SPV_EXECUTION_MODES, SpvOpExecutionMode, main_id, SpvExecutionModeLocalSize, 32, 1,
            1);
    SPV_PUT(w, SPV_EXECUTION_MODES, SpvOpExecutionMode, main_id,
            SpvExecutionModeMaximallyReconvergesKHR);

    SPV_PUT(w, SPV_FUNCTIONS, SpvOpFunction, v, main_id, SpvFunctionControlMaskNone, main_type);
    SPV_PUT(w, SPV_FUNCTIONS, SpvOpLabel, spv_new_id(w));
    uint32_t i = SPV_VALUE(w, SpvOpLoad, u32, index), x = i;
    for (int k = 0; k < ops; k++)
        x = SPV_VALUE(w, SpvOpIAdd, u32, x, spv_const_u32(w, (uint32_t)k % 7));
    x = SPV_VALUE(w, SpvOpExtInst, u32, glsl, 38 /* UMin */, x, spv_const_u32(w, 1000));
    uint32_t to_u32 = spv_type_pointer(w, SpvStorageClassStorageBuffer, u32);
    uint32_t at = SPV_VALUE(w, SpvOpAccessChain, to_u32, var, spv_const_u32(w, 0), i);
    SPV_PUT(w, SPV_FUNCTIONS, SpvOpStore, at, x);
    SPV_PUT0(w, SPV_FUNCTIONS, SpvOpReturn);
    SPV_PUT0(w, SPV_FUNCTIONS, SpvOpFunctionEnd);
    return spv_writer_finish(w, count);
}

static void goes_round(void **state)
{
    struct fixture *f = *state;
    static const struct {
        uint32_t version;
        enum spv_env env;
    } rows[] = {
        {0x00010300, SPV_ENV_VULKAN_1_1},
        {0x00010500, SPV_ENV_VULKAN_1_2},
        {0x00010600, SPV_ENV_VULKAN_1_3},
        {0x00010600, SPV_ENV_UNIVERSAL_1_6},
    };
    for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
        struct spv_writer w;
        size_t count, again;
        struct err e = {{0}};
        const uint32_t *words =
                           write_sample(&w, &f->arena, rows[i].version, 20 + 100 * (int)i, &count),
                       *back;
        struct spv_module m;
        assert_true(spv_module_read(&f->arena, words, count, &m, &e));
        assert_int_equal(m.version, rows[i].version);
        assert_int_equal(m.bound, w.next_id);
        uint32_t capabilities = 0, extensions = 0;
        for (uint32_t k = 0; k < m.inst_count; k++) {
            capabilities += m.insts[k].op == SpvOpCapability;
            extensions += m.insts[k].op == SpvOpExtension;
        }
        assert_int_equal(capabilities, 2);
        assert_int_equal(extensions, 1);
        spv_validate(f->tools, rows[i].env, words, count, &e);
        assert_string_equal(e.msg, "");
        const char *text;
        assert_true(spv_disassemble(f->tools, &f->arena, words, count, &text, &e));
        assert_true(spv_assemble(f->tools, &f->arena, text, strlen(text), 1, &back, &again, &e));
        assert_int_equal(again, count);
        assert_memory_equal(back, words, count * sizeof *words);
    }
}

static void makes_once(void **state)
{
    struct fixture *f = *state;
    struct spv_writer w;
    spv_writer_start(&w, &f->arena, 0x00010600);
    uint32_t u32 = spv_type_int(&w, 32, false), i32 = spv_type_int(&w, 32, true);
    uint32_t f32 = spv_type_float(&w, 32), b = spv_type_bool(&w);
    assert_true(u32 != i32 && i32 != f32 && f32 != b);
    assert_int_equal(spv_type_int(&w, 32, false), u32);
    assert_true(spv_type_int(&w, 64, false) != u32);
    uint32_t v4 = spv_type_vector(&w, u32, 4);
    assert_int_equal(spv_type_vector(&w, u32, 4), v4);
    assert_true(spv_type_vector(&w, u32, 3) != v4 && spv_type_vector(&w, i32, 4) != v4);
    uint32_t p = spv_type_pointer(&w, SpvStorageClassFunction, u32);
    assert_int_equal(spv_type_pointer(&w, SpvStorageClassFunction, u32), p);
    assert_true(spv_type_pointer(&w, SpvStorageClassPrivate, u32) != p);
    uint32_t params[20];
    for (int i = 0; i < 20; i++)
        params[i] = u32;
    uint32_t fn = spv_type_function(&w, b, params, 20);
    assert_int_equal(spv_type_function(&w, b, params, 20), fn);
    assert_true(spv_type_function(&w, b, params, 19) != fn);
    // Equal bits of different types; values whose words look like each other's.
    assert_true(spv_const_u32(&w, 7) != spv_const_i32(&w, 7));
    assert_int_equal(spv_const_i32(&w, -1), spv_const_i32(&w, -1));
    assert_true(spv_const_bool(&w, true) != spv_const_bool(&w, false));
    assert_int_equal(spv_const_bool(&w, true), spv_const_bool(&w, true));
    uint32_t parts[4] = {spv_const_u32(&w, 1), spv_const_u32(&w, 2), spv_const_u32(&w, 3),
                         spv_const_u32(&w, 4)};
    uint32_t c = spv_const_composite(&w, v4, parts, 4);
    assert_int_equal(spv_const_composite(&w, v4, parts, 4), c);
    parts[3] = parts[0];
    assert_true(spv_const_composite(&w, v4, parts, 4) != c);
    // Many more than the table begins with, enough for 32-bit hashes to
    // collide: each once, all different.
#ifdef TANGLEFUZZ_TINY
    enum { MANY = 300 }; // an array there grows by one: memory is quadratic
#else
    enum { MANY = 300000 };
#endif
    uint32_t *ids = ARENA_ARRAY(&f->arena, uint32_t, MANY), last = w.next_id;
    struct rng r = {1};
    for (uint32_t i = 0; i < MANY; i++) {
        uint64_t n = rng_next(&r);
        ids[i] = spv_const_composite(&w, v4, (uint32_t[]){(uint32_t)n, (uint32_t)(n >> 32)}, 2);
        assert_int_equal(ids[i], last + i);
    }
    r.state = 1;
    for (uint32_t i = 0; i < MANY; i++) {
        uint64_t n = rng_next(&r);
        assert_int_equal(
            spv_const_composite(&w, v4, (uint32_t[]){(uint32_t)n, (uint32_t)(n >> 32)}, 2), ids[i]);
    }
    last += MANY;
    assert_int_equal(w.next_id, last);
}

static void pads_strings(void **state)
{
    struct fixture *f = *state;
    static const struct {
        const char *s;
        size_t words;
    } rows[] = {{"", 1}, {"abc", 1}, {"abcd", 2}, {"abcdefg", 2}, {"abcdefgh", 3}};
    for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
        struct words v = {0}; // used before: what pads has to be written
        for (int k = 0; k < 8; k++)
            *VEC_PUSH(&f->arena, &v) = 0xffffffff;
        v.n = 1;
        spv_string_words(&f->arena, &v, rows[i].s);
        assert_int_equal(v.n, rows[i].words + 1);
        assert_int_equal(v.v[0], 0xffffffff);
        assert_string_equal(spv_string(v.v + 1, v.n - 1), rows[i].s);
        assert_int_equal(v.v[v.n - 1] >> 24, 0);
        assert_null(spv_string(v.v + 1, v.n - 2));
    }
}

// The arena's memory was used before: nothing may be left over from then.
static void writes_the_same_in_a_used_arena(void **state)
{
    (void)state;
    struct arena a = {0};
    struct spv_writer w;
    size_t count, n;
    const uint32_t *words = write_sample(&w, &a, 0x00010600, 50, &count);
    struct arena b = {0};
    uint32_t *kept = arena_copy(&b, words, count * sizeof *words);
    memset(arena_alloc(&a, 100000), 0xff, 100000);
    arena_reset(&a);
    words = write_sample(&w, &a, 0x00010600, 50, &n);
    assert_int_equal(n, count);
    assert_memory_equal(words, kept, n * sizeof *words);
    arena_free(&a);
    arena_free(&b);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(goes_round),
        cmocka_unit_test(makes_once),
        cmocka_unit_test(pads_strings),
        cmocka_unit_test(writes_the_same_in_a_used_arena),
    };
    return cmocka_run_group_tests_name("spv_writer", tests, fixture_up, fixture_down);
}
