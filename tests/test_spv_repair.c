// SPDX-License-Identifier: Apache-2.0
//
// spirv: the merge repair moves what stands in the wrong place, and nothing else.
#include "test_spv_common.h"

static const uint32_t *assemble(struct arena *a, const char *text, size_t *count)
{
    struct spv_tools *tools = spv_tools_new();
    const uint32_t *words;
    struct err e = {0};
    if (!spv_assemble(tools, a, text, strlen(text), 1, &words, count, &e))
        fail_msg("%s", e.msg);
    spv_tools_free(tools);
    return words;
}

static void repaired(void **state)
{
    (void)state;
    struct arena a = {0};
    size_t n;
    const uint32_t *good = assemble(&a, SAMPLE, &n), *out = NULL;
    assert_false(spv_merge_repair(&a, good, n, &out)); // nothing to move

    // The merge instruction of each block, put behind the block's label.
    uint32_t *bad = arena_copy(&a, good, n * sizeof *good);
    uint32_t moved = 0;
    size_t label = 0;
    for (size_t at = 5; at < n; at += good[at] >> 16) {
        const uint32_t op = good[at] & 0xffff, size = good[at] >> 16;
        if (op == SpvOpLabel)
            label = at + size;
        if (op != SpvOpSelectionMerge && op != SpvOpLoopMerge)
            continue;
        moved += at > label;
        memmove(bad + label + size, good + label, (at - label) * sizeof *good);
        memcpy(bad + label, good + at, size * sizeof *good);
    }
    assert_true(moved >= 1);
    assert_memory_not_equal(bad, good, n * sizeof *good);
    assert_true(spv_merge_repair(&a, bad, n, &out));
    assert_memory_equal(out, good, n * sizeof *good);
    arena_free(&a);
}

static void hostile(void **state)
{
    (void)state;
    struct arena a = {0};
    size_t n;
    const uint32_t *good = assemble(&a, SAMPLE, &n), *out;
    for (size_t cut = 5; cut < n; cut++)
        spv_merge_repair(&a, good, cut, &out);
    uint32_t *bad = arena_copy(&a, good, n * sizeof *good);
    bad[5] &= 0xffff; // an instruction of no words
    assert_false(spv_merge_repair(&a, bad, n, &out));
    arena_free(&a);
}

int main(void)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(repaired), cmocka_unit_test(hostile)};
    return cmocka_run_group_tests_name("spv_repair", tests, NULL, NULL);
}
