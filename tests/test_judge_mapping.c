// SPDX-License-Identifier: Apache-2.0
//
// Which invocation sat in which lane, and what a result is by it: as it is told, as it is read, and as it may be
// where nothing tells it.
#include "test_judge_common.h"

// Another mapping of lanes is judged as what it is; one that cannot be is wrong.
static void test_mapping(void **state)
{
    (void)state;
    struct world w;
    start(&w, with_lanes);
    mapped(&w, other_sid, other_lane);
    assert_int_equal(w.out[0], 10 + 5 + 3 * 16);
    assert_int_equal(judge(&w), JUDGE_AGREES);
    assert_true(w.j.other_mapping);
    assert_false(w.j.chose);
    assert_int_equal(w.j.expected[OUT].words[0], 10 + 5 + 3 * 16);
    assert_int_equal(w.j.expected[OUT].words[8], 10 + 8 + 5 + 3 * 16);
    w.out[15] ^= 1;
    assert_int_equal(judge(&w), JUDGE_WRONG_MEMORY);
    assert_int_equal(w.j.verdict.word, 15);
    w.lanes[3 * 15 + 1] = 1; // that is another invocation's lane
    assert_int_equal(judge(&w), JUDGE_WRONG_MAPPING);
    assert_string_equal(w.j.verdict.text,
                        "invocation 15 read subgroup 0 lane 1, which another invocation has");
    assert_false(w.j.other_mapping);
    mapped(&w, linear_sid, linear_lane);
    w.lanes[0] = 1; // the first word alone
    assert_int_equal(judge(&w), JUDGE_WRONG_MAPPING);
    stop(&w);
    start_with(&w, with_lanes, SPV_SUBGROUP_UNIFORM, elect);
    assert_int_equal(w.p->made.why.status, RAN_OK);
    w.out[0] = w.out[8] = 16;
    assert_int_equal(judge(&w), JUDGE_AGREES);
    assert_false(w.j.chose);
    mapped(&w, other_sid, other_lane); // subgroup 0: 3 2 7 6, subgroup 1: 5 4 1 0
    w.out[3] = w.out[1] = w.out[11] = w.out[9] = 16;
    assert_int_equal(judge(&w), JUDGE_AGREES);
    assert_true(w.j.chose && w.j.other_mapping);
    w.out[0] = w.out[2] = w.out[8] = w.out[10] = 16; // each alone
    assert_int_equal(judge(&w), JUDGE_AGREES);
    assert_int_equal(w.j.policy.base, SPV_POLICY_SPLIT);
    w.out[0] ^= 1;
    assert_int_equal(judge(&w), JUDGE_AMBIGUOUS); // there are more choices than are searched
    stop(&w);
    start_with(&w, with_lanes, SPV_MAXIMAL, far);
    assert_int_equal(w.p->made.why.status, RAN_OK);
    assert_int_equal(judge(&w), JUDGE_AGREES);
    mapped(&w, other_sid, other_lane);
    assert_int_equal(judge(&w), JUDGE_UNDEFINED);
    assert_non_null(strstr(w.j.verdict.text, "undefined E-bounds"));
    stop(&w);
}

// Where the module has derivatives a mapping may not tear its quads (R8).
static void test_mapping_of_quads(void **state)
{
    (void)state;
    static const uint32_t swapped_sid[GROUP] = {1, 1, 1, 1, 0, 0, 0, 0};
    struct world w;
    start_sized(&w, with_lanes, "8 1 1\nOpExecutionMode %main DerivativeGroupLinearKHR");
    assert_int_equal(judge(&w), JUDGE_AGREES);
    mapped(&w, swapped_sid, linear_lane);
    assert_int_equal(judge(&w), JUDGE_AGREES);
    assert_true(w.j.other_mapping);
    mapped(&w, other_sid, other_lane);
    assert_int_equal(judge(&w), JUDGE_WRONG_MAPPING);
    assert_string_equal(w.j.verdict.text,
                        "invocation 0, of quad index 0, is lane 3 of subgroup 1, and that of quad index 0 is "
                        "lane 3 of subgroup 1: not a quad (R8)");
    stop(&w);
    // In a workgroup of 4 x 2 the quads are 0 1 4 5 and 2 3 6 7; a mapping by index is not one of them.
    start_sized(&w, with_lanes, "4 2 1\nOpExecutionMode %main DerivativeGroupQuadsKHR");
    assert_int_equal(judge(&w), JUDGE_WRONG_MAPPING);
    static const uint32_t quad_sid[GROUP] = {0, 0, 1, 1, 0, 0, 1, 1}, quad_lane[GROUP] = {0, 1, 0, 1, 2, 3, 2, 3};
    mapped(&w, quad_sid, quad_lane);
    assert_int_equal(judge(&w), JUDGE_AGREES);
    assert_false(w.j.other_mapping); // it is the one that is predicted for
    stop(&w);
}

// Without the line a device that may map as it likes is wrong only where no other mapping makes it right.
static void test_no_lanes(void **state)
{
    (void)state;
    static const struct {
        uint32_t sid[GROUP], lane[GROUP];
        bool is_known;
    } table[] = {
        {{0, 0, 0, 0, 1, 1, 1, 1}, {0, 1, 2, 3, 0, 1, 2, 3}, true}, // one after the other: agrees
        {{1, 1, 1, 1, 0, 0, 0, 0}, {3, 2, 1, 0, 3, 2, 1, 0}, true}, // backwards
        {{0, 1, 0, 1, 0, 1, 0, 1}, {0, 0, 1, 1, 2, 2, 3, 3}, true}, // dealt out
        {{1, 1, 0, 0, 1, 1, 0, 0}, {3, 2, 1, 0, 1, 0, 3, 2}, false},
    };
    struct world w;
    start(&w, "");
    for (size_t k = 0; k < sizeof table / sizeof *table; k++) {
        mapped(&w, table[k].sid, table[k].lane);
        memcpy(w.lanes, w.p->made.memory[LANES].words, sizeof w.lanes); // it is not looked at:
        for (uint32_t i = 0; i < ALL; i++) { // but as a buffer like others
            w.lanes[3 * i] = table[k].sid[i % GROUP];
            w.lanes[3 * i + 1] = table[k].lane[i % GROUP];
        }
        w.r.maps_lanes = true;
        const enum judge_class seen = judge(&w);
        assert_int_equal(seen, k == 0 ? JUDGE_AGREES : table[k].is_known ? JUDGE_UNJUDGED : JUDGE_WRONG_MEMORY);
        if (seen == JUDGE_UNJUDGED)
            assert_non_null(strstr(w.j.verdict.text, k == 1 ? "from the last to the first" : "in turn"));
        w.r.maps_lanes = false; // what we run ourselves maps one after the other
        assert_int_equal(judge(&w), k == 0 ? JUDGE_AGREES : JUDGE_WRONG_MEMORY);
    }
    stop(&w);
    static const uint32_t by_columns[2][GROUP] = {{0, 1, 0, 1, 0, 1, 0, 1}, {0, 0, 1, 1, 2, 2, 3, 3}},
                          in_quads[2][GROUP] = {{0, 0, 1, 1, 0, 0, 1, 1}, {0, 1, 0, 1, 2, 3, 2, 3}},
                          of_layers[2][GROUP] = {{0, 0, 0, 0, 1, 1, 1, 1}, {0, 2, 1, 3, 0, 2, 1, 3}};
    static const struct {
        const char *size, *word;
        const uint32_t (*map)[GROUP];
    } shapes[] = {{"2 4 1", "by columns", by_columns}, {"4 2 1", "in quads", in_quads}, {"2 2 2", "by columns", of_layers}};
    for (size_t k = 0; k < sizeof shapes / sizeof *shapes; k++) {
        start_sized(&w, with_lanes, shapes[k].size);
        w.c.has_lanes = false; // what the buffer holds still tells, as any buffer does
        w.r.maps_lanes = true;
        mapped(&w, shapes[k].map[0], shapes[k].map[1]);
        assert_int_equal(judge(&w), JUDGE_UNJUDGED);
        assert_non_null(strstr(w.j.verdict.text, shapes[k].word));
        w.out[9] ^= 1;
        assert_int_equal(judge(&w), JUDGE_WRONG_MEMORY);
        stop(&w);
    }
    // Workgroups along the other axes.
    for (uint32_t axis = 1; axis < 3; axis++) {
        static const char first[] = "%wid3 0\n";
        char *at = strstr(shader, first);
        at[strlen("%wid3 ")] = (char)('0' + axis);
        start(&w, "");
        at[strlen("%wid3 ")] = '0';
        w.c.groups[0] = 1, w.c.groups[axis] = 2;
        w.p = judge_predict(&w.a, &w.c, 1, SIZE, SPV_POLICY_JOIN);
        assert_int_equal(judge(&w), JUDGE_AGREES);
        w.r.maps_lanes = true;
        mapped(&w, table[1].sid, table[1].lane);
        assert_int_equal(judge(&w), JUDGE_UNJUDGED);
        w.out[12] ^= 1;
        assert_int_equal(judge(&w), JUDGE_WRONG_MEMORY);
        stop(&w);
    }
    // Dealt out, the arm has a part of each subgroup: somebody of it is elected.
    start_with(&w, "", SPV_SUBGROUP_UNIFORM, elect);
    w.r.maps_lanes = true;
    mapped(&w, table[2].sid, table[2].lane);
    w.out[0] = w.out[1] = w.out[8] = w.out[9] = 16;
    assert_int_equal(judge(&w), JUDGE_UNJUDGED);
    stop(&w);
    // By any other mapping it has no meaning.
    start_with(&w, "", SPV_MAXIMAL, far);
    w.r.maps_lanes = true;
    assert_int_equal(judge(&w), JUDGE_AGREES);
    w.out[3] ^= 1;
    assert_int_equal(judge(&w), JUDGE_WRONG_MEMORY);
    stop(&w);
    // A wrong word that no mapping explains.
    start(&w, with_lanes);
    w.c.has_lanes = false;
    w.r.maps_lanes = true;
    w.out[3] ^= 1;
    assert_int_equal(judge(&w), JUDGE_WRONG_MEMORY);
    stop(&w);
}

static void test_lanes_read(void **state)
{
    (void)state;
    struct world w;
    struct orc_lanes lanes;
    struct err e = {0};
    start(&w, with_lanes);
    mapped(&w, other_sid, other_lane);
    struct spv_memory m = {.count = 3 * ALL, .words = w.lanes};
    assert_true(judge_lanes_read(&w.a, &w.c, &m, SIZE, &lanes, &e));
    assert_int_equal(lanes.invocations, ALL);
    assert_int_equal(lanes.subgroup[8], 1);
    assert_int_equal(lanes.lane[8], 3);
    m.count--;
    assert_false(judge_lanes_read(&w.a, &w.c, &m, SIZE, &lanes, &e));
    assert_string_equal(e.msg, "the lanes buffer has 47 words, 16 invocations need 3 each");
    m.count++;
    assert_false(judge_lanes_read(&w.a, &w.c, &m, 8, &lanes, &e));
    assert_string_equal(e.msg, "invocation 0 read SubgroupSize 4 where 8 was required");
    static const struct {
        uint32_t word, value;
        const char *text;
    } wrong[] = {{3 * 9 + 1, 4, "invocation 9 read SubgroupLocalInvocationId 4 in a subgroup of 4"},
                 {3 * 9, 8, "invocation 9 read SubgroupId 8 in a workgroup of 8 invocations"},
                 {3 * 9, 9, "invocation 9 read SubgroupId 9 in a workgroup of 8 invocations"}};
    for (size_t k = 0; k < sizeof wrong / sizeof *wrong; k++) {
        const uint32_t was = w.lanes[wrong[k].word];
        w.lanes[wrong[k].word] = wrong[k].value;
        assert_false(judge_lanes_read(&w.a, &w.c, &m, SIZE, &lanes, &e));
        assert_string_equal(e.msg, wrong[k].text);
        w.lanes[wrong[k].word] = was;
    }
    w.lanes[3 * 9] = 7; // subgroups may be more than are needed
    assert_true(judge_lanes_read(&w.a, &w.c, &m, SIZE, &lanes, &e));
    w.lanes[3 * 1] = 7; // and another workgroup's are others
    assert_true(judge_lanes_read(&w.a, &w.c, &m, SIZE, &lanes, &e));
    w.lanes[3 * 9] = w.lanes[3 * 1] = other_sid[1];
    w.c.groups[1] = 2; // twice as many invocations
    assert_false(judge_lanes_read(&w.a, &w.c, &m, SIZE, &lanes, &e));
    assert_string_equal(e.msg, "the lanes buffer has 48 words, 32 invocations need 3 each");
    w.c.groups[1] = 1, w.c.groups[2] = 3;
    assert_false(judge_lanes_read(&w.a, &w.c, &m, SIZE, &lanes, &e));
    assert_string_equal(e.msg, "the lanes buffer has 48 words, 48 invocations need 3 each");
    w.c.groups[2] = 1;
    uint32_t word = w.c.words[0];
    ((uint32_t *)w.c.words)[0] = 7; // no module at all
    assert_false(judge_lanes_read(&w.a, &w.c, &m, SIZE, &lanes, &e));
    ((uint32_t *)w.c.words)[0] = word;
    assert_int_equal(judge_lanes_index(&w.c), LANES);
    w.c.has_lanes = false;
    assert_int_equal(judge_lanes_index(&w.c), UINT32_MAX);
    stop(&w);
    start_sized(&w, with_lanes, "4 2 1");
    assert_true(judge_lanes_read(&w.a, &w.c, &(struct spv_memory){.count = 3 * ALL, .words = w.lanes}, SIZE, &lanes, &e));
    assert_false(judge_lanes_read(&w.a, &w.c, &(struct spv_memory){.count = 3 * ALL - 1, .words = w.lanes}, SIZE, &lanes, &e));
    assert_string_equal(e.msg, "the lanes buffer has 47 words, 16 invocations need 3 each");
    stop(&w);
}

// The same mapping, one word for each invocation.
static void test_lanes_packed(void **state)
{
    (void)state;
    struct world w;
    struct orc_lanes lanes;
    struct err e = {0};
    start(&w, with_lanes);
    mapped(&w, other_sid, other_lane);
    uint32_t word[ALL];
    for (uint32_t i = 0; i < ALL; i++)
        word[i] = w.lanes[3 * i] << 16 | w.lanes[3 * i + 1] << 8 | w.lanes[3 * i + 2];
    struct spv_memory m = {.count = ALL, .words = word};
    w.c.lanes_packed = true;
    assert_true(judge_lanes_read(&w.a, &w.c, &m, SIZE, &lanes, &e));
    for (uint32_t i = 0; i < ALL; i++) {
        assert_int_equal(lanes.subgroup[i], w.lanes[3 * i]);
        assert_int_equal(lanes.lane[i], w.lanes[3 * i + 1]);
    }
    m.count--;
    assert_false(judge_lanes_read(&w.a, &w.c, &m, SIZE, &lanes, &e));
    assert_string_equal(e.msg, "the lanes buffer has 15 words, 16 invocations need 1 each");
    m.count++;
    word[9] |= 4 << 8;
    assert_false(judge_lanes_read(&w.a, &w.c, &m, SIZE, &lanes, &e));
    assert_non_null(strstr(e.msg, "invocation 9 read SubgroupLocalInvocationId"));
    stop(&w);
}

// ---- other mappings, by how they are drawn on paper ---------------------------------------------

enum { BY_COLUMNS, IN_QUADS, BACKWARDS, DEALT, LAYOUTS };

// place[invocation of the workgroup] = its place, counted in the order of the layout
static void lay_out(int layout, const uint32_t s[3], uint32_t *place)
{
    const uint32_t n = s[0] * s[1] * s[2];
    uint32_t next = 0;
#define AT(x, y, z) place[((z) * s[1] + (y)) * s[0] + (x)]
    if (layout == BY_COLUMNS) {
        for (uint32_t z = 0; z < s[2]; z++)
            for (uint32_t x = 0; x < s[0]; x++)
                for (uint32_t y = 0; y < s[1]; y++)
                    AT(x, y, z) = next++;
    } else if (layout == IN_QUADS) {
        for (uint32_t z = 0; z < s[2]; z++)
            for (uint32_t y = 0; y < s[1]; y += 2)
                for (uint32_t x = 0; x < s[0]; x += 2)
                    for (uint32_t k = 0; k < 4; k++)
                        AT(x + k % 2, y + k / 2, z) = next++;
    } else if (layout == BACKWARDS) {
        for (uint32_t i = n; i-- > 0;)
            place[i] = next++;
    } else {
        for (uint32_t lane = 0; lane < SIZE; lane++)
            for (uint32_t g = 0; g < n / SIZE; g++)
                place[next++] = g * SIZE + lane;
    }
}

static void test_layouts(void **state)
{
    (void)state;
    static const char *const words[] = {"laid out by columns", "in quads of two by two", "from the last to the first", "in turn"};
    static const struct {
        const char *size;
        uint32_t s[3], groups[3];
    } shapes[] = {{"4 4 1", {4, 4, 1}, {1, 1, 1}}, {"8 2 1", {8, 2, 1}, {1, 1, 1}}, {"2 8 1", {2, 8, 1}, {1, 1, 1}},
                  {"4 2 2", {4, 2, 2}, {1, 1, 1}}, {"2 4 2", {2, 4, 2}, {1, 1, 1}}, {"4 2 1", {4, 2, 1}, {2, 1, 1}},
                  {"2 4 1", {2, 4, 1}, {2, 1, 1}}, {"2 2 2", {2, 2, 2}, {2, 1, 1}}, {"3 2 1", {3, 2, 1}, {1, 1, 1}},
                  {"2 3 1", {2, 3, 1}, {1, 1, 1}}, {"2 1 1", {2, 1, 1}, {1, 1, 1}}, {"5 2 1", {5, 2, 1}, {1, 1, 1}}, {"8 1 1", {8, 1, 1}, {2, 1, 1}}};
    for (size_t k = 0; k < sizeof shapes / sizeof *shapes; k++)
        for (int layout = 0; layout < LAYOUTS; layout++) {
            const uint32_t *s = shapes[k].s, *g = shapes[k].groups, n = s[0] * s[1] * s[2], all = n * g[0] * g[1] * g[2];
            uint32_t place[ALL];
            if ((layout == IN_QUADS && (s[0] % 2 || s[1] % 2)) || (layout == DEALT && n % SIZE))
                continue;
            struct world w;
            start_sized(&w, "", shapes[k].size);
            memcpy(w.c.groups, g, sizeof w.c.groups);
            w.p = judge_predict(&w.a, &w.c, 1, SIZE, SPV_POLICY_JOIN);
            assert_int_equal(w.p->made.why.status, RAN_OK);
            lay_out(layout, s, place);
            memset(w.out, 0, sizeof w.out);
            memset(w.lanes, 0, sizeof w.lanes);
            bool linear = true;
            for (uint32_t i = 0; i < all; i++) {
                const uint32_t at = place[i % n];
                linear &= at == i % n;
                w.lanes[3 * i] = at / SIZE, w.lanes[3 * i + 1] = at % SIZE, w.lanes[3 * i + 2] = SIZE;
                for (uint32_t j = 0; j < n; j++) // the first of its subgroup
                    if (place[j] / SIZE == at / SIZE && place[j] % SIZE == 0)
                        w.out[i] = i - i % n + j + 10 + 16 * (at % SIZE);
            }
            w.r.maps_lanes = true;
            const enum judge_class seen = judge(&w);
            if (seen != (linear ? JUDGE_AGREES : JUDGE_UNJUDGED) || (!linear && !strstr(w.j.verdict.text, "(`; lanes`), and the result is right")))
                fail_msg("%s, %s: %s %s", shapes[k].size, words[layout], judge_class_name(seen), w.j.verdict.text);
            w.out[all - 1] ^= 1; // explained by none
            assert_int_equal(judge(&w), JUDGE_WRONG_MEMORY);
            stop(&w);
        }
    // The case declares its buffer: what it says is so, and no other is looked for.
    struct world w;
    start(&w, with_lanes);
    mapped(&w, (const uint32_t[]){1, 1, 1, 1, 0, 0, 0, 0}, (const uint32_t[]){3, 2, 1, 0, 3, 2, 1, 0});
    w.r.maps_lanes = true;
    for (uint32_t i = 0; i < ALL; i++)
        w.lanes[3 * i] = linear_sid[i % GROUP], w.lanes[3 * i + 1] = linear_lane[i % GROUP];
    assert_int_equal(judge(&w), JUDGE_WRONG_MEMORY);
    stop(&w);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_mapping),
        cmocka_unit_test(test_mapping_of_quads),
        cmocka_unit_test(test_no_lanes),
        cmocka_unit_test(test_lanes_read),
        cmocka_unit_test(test_lanes_packed),
        cmocka_unit_test(test_layouts),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
