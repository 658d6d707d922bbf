// SPDX-License-Identifier: Apache-2.0
//
// Group operations against their literal definitions (test_orc_group_literal.h): operation x type x
// components x cluster size, in subgroups of 4 to 128 of which the last is partial, for random sets
// of active invocations, with operands that are partly undefined.
//
// Where the oracle gives a value it must be the definition's, whatever the undefined operands are
// and in whatever order floats are combined. Where a definition reads nothing undefined, the oracle
// must give a value; of floats where everything is a small whole number, so that nothing is rounded.

// clang-format off
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <cmocka.h>
// clang-format on

#include "test_orc_group_module.h"

enum { READINGS = 3 }; // of what is undefined, and of the order

static const struct element elements[] = {
    {"u8", UINT, 8},   {"u16", UINT, 16},  {"u32", UINT, 32},  {"u64", UINT, 64},
    {"bool", BOOL, 1}, {"f16", FLOAT, 16}, {"f32", FLOAT, 32}, {"f64", FLOAT, 64},
};

static uint64_t seed = 1;
static uint64_t random_bits(void)
{
    seed ^= seed << 13;
    seed ^= seed >> 7;
    seed ^= seed << 17;
    return seed * UINT64_C(0x2545f4914f6cdd1d);
}
static uint32_t below(uint32_t n) { return (uint32_t)(random_bits() >> 32) % n; }

// ---- inputs ---------------------------------------------------------------------------

// One subgroup's inputs, read in several ways: what is undefined is something else in each.
struct inputs {
    struct group reading[READINGS];
    lane_mask undefined[COMPONENTS], index_undefined, ballot_undefined, partition_undefined;
    bool nice; // floats: small whole numbers, none of them zero
};

static uint64_t random_value(const struct element *e, unsigned kinds, bool nice)
{
    uint64_t which = kinds ? below(kinds) : random_bits();
    if (e->kind == BOOL)
        return which & 1;
    if (e->kind == FLOAT && nice)
        return bits_of((which & 1 ? -1 : 1) * (double)(1 + (which >> 1) % 8), e->width);
    if (e->kind == FLOAT && kinds) { // of which the order matters: it rounds, or overflows
        int far = e->width == 16 ? 12 : e->width == 32 ? 25 : 54;
        int top = e->width == 16 ? 14 : e->width == 32 ? 120 : 1000;
        int power = kinds == 1 ? far : below(2) ? top : -top;
        return bits_of((below(2) ? -1 : 1) * ldexp(1, below(2) ? 0 : power), e->width);
    }
    if (e->kind == FLOAT && below(4) == 0) { // zero, infinity, the largest, a denormal
        const uint64_t special[] = {0, bits_of((double)INFINITY, e->width),
                                    bits_of((double)INFINITY, e->width) - 1, 1};
        return special[below(4)];
    }
    if (below(4) == 0) // as large, or as small, as can be
        return (all_ones(e->width) >> 1) + below(3) - 1;
    return which & all_ones(e->width);
}

static uint64_t random_index(unsigned size)
{
    return below(8) ? below(size) : below(4) ? below(2 * size) : random_bits() & UINT32_MAX;
}

// Of every `one_in` invocations one is undefined; 0 for none.
static lane_mask random_lanes(unsigned one_in)
{
    lane_mask lanes = 0;
    for (unsigned l = 0; one_in && l < LANES_MAX; l++)
        lanes |= below(one_in) == 0 ? lane_bit(l) : 0;
    return lanes;
}

// A partition of the active invocations: who drew the same number is together.
static void make_partition(struct group *g, unsigned kinds)
{
    unsigned drawn[LANES_MAX];
    for (unsigned l = 0; l < g->size; l++)
        drawn[l] = below(kinds);
    for (unsigned l = 0; l < g->size; l++)
        for (unsigned other = 0; other < g->size; other++)
            if (is_active(&(struct question){.g = g}, other) && drawn[other] == drawn[l])
                g->partition[l][other / 32] |= UINT32_C(1) << other % 32;
}

static void order_lanes(struct group *g, unsigned reading)
{
    for (unsigned l = 0; l < g->size; l++)
        g->order[l] = reading == 1 ? g->size - 1 - l : l;
    for (unsigned l = 0; reading == 2 && l < g->size; l++) {
        unsigned other = below(g->size), was = g->order[l];
        g->order[l] = g->order[other];
        g->order[other] = was;
    }
}

static void make_inputs(struct inputs *in, const struct module *m, unsigned size, unsigned live,
                        unsigned round, uint64_t uniform)
{
    struct group *g = &in->reading[0];
    memset(in, 0, sizeof *in);
    *g = (struct group){.element = m->element, .components = m->components, .size = size};
    in->nice = round % 3 != 2;
    const unsigned kinds = below(3); // 0: any value; 1, 2: so few that they are often equal
    const unsigned one_in = below(2) ? 0 : 1 + below(2 * size);
    g->active = (round == 0 ? lanes_below(size) : random_lanes(1 + below(3))) & lanes_below(live);
    g->uniform = uniform;
    for (unsigned k = 0; k < 4; k++)
        g->uniform_ballot[k] = (uint32_t)random_bits();
    for (unsigned l = 0; l < size; l++) {
        for (unsigned k = 0; k < m->components; k++)
            g->x[k][l] = random_value(m->element, kinds, in->nice);
        g->index[l] = random_index(size);
        const bool few = below(3) == 0; // bits, or none
        for (unsigned k = 0; k < 4; k++)
            g->ballot[l][k] = (uint32_t)(random_bits() & (few ? random_bits() & random_bits() : ~UINT64_C(0))) *
                              (few ? below(2) : 1);
    }
    make_partition(g, 1 + below(4));
    for (unsigned k = 0; k < m->components; k++)
        in->undefined[k] = random_lanes(one_in);
    in->index_undefined = random_lanes(one_in ? size : 0);
    in->ballot_undefined = random_lanes(one_in ? size : 0);
    in->partition_undefined = random_lanes(one_in ? size : 0);
    for (unsigned r = 0; r < READINGS; r++) {
        struct group *other = &in->reading[r];
        if (r)
            *other = *g;
        order_lanes(other, r);
        for (unsigned l = 0; r && l < size; l++) {
            uint64_t any = r == 1 ? ~UINT64_C(0) : random_bits();
            for (unsigned k = 0; k < m->components; k++)
                if (lane_in(in->undefined[k], l))
                    other->x[k][l] = any & all_ones(m->element->width);
            if (lane_in(in->index_undefined, l))
                other->index[l] = r == 1 ? (g->index[l] + 1) % size : below(size);
            if (lane_in(in->ballot_undefined, l))
                other->ballot[l][0] = (uint32_t)any;
            if (lane_in(in->partition_undefined, l))
                other->partition[l][0] = (uint32_t)any;
        }
    }
}

static void write_inputs(const struct inputs *in, struct module *m, unsigned first, unsigned live)
{
    const struct group *g = &in->reading[0];
    for (unsigned l = 0; l < live; l++) {
        uint32_t *words = m->c.buffer[0].words + (first + l) * IN_WORDS;
        words[IN_ACTIVE] = lane_in(g->active, l);
        words[IN_INDEX] = (uint32_t)g->index[l];
        words[IN_INDEX_SHIFT] = lane_in(in->index_undefined, l) ? 32 : 0;
        words[IN_UNIFORM] = (uint32_t)g->uniform;
        memcpy(words + IN_BALLOT, g->ballot[l], sizeof g->ballot[l]);
        words[IN_BALLOT_SHIFT] = lane_in(in->ballot_undefined, l) ? 32 : 0;
        memcpy(words + IN_PARTITION, g->partition[l], sizeof g->partition[l]);
        words[IN_PARTITION_SHIFT] = lane_in(in->partition_undefined, l) ? 32 : 0;
        memcpy(words + IN_UNIFORM_BALLOT, g->uniform_ballot, sizeof g->uniform_ballot);
        for (unsigned k = 0; k < m->components; k++) {
            words[IN_VALUE + 3 * k] = (uint32_t)g->x[k][l];
            words[IN_VALUE + 3 * k + 1] = (uint32_t)(g->x[k][l] >> 32);
            words[IN_VALUE + 3 * k + 2] = lane_in(in->undefined[k], l) ? 64 : 0;
        }
    }
}

// ---- comparison ---------------------------------------------------------------------

static uint64_t compared, known; // components of results; of them with a value

// Is a float something that any order gives, and that no freedom of Vulkan's touches? Of a product
// the oracle is sure only where so many factors, each below 2^4, cannot overflow.
static bool is_plain(const struct module *m, const struct call *c, const struct inputs *in, uint64_t bits,
                     unsigned operands)
{
    if (m->element->kind != FLOAT)
        return true;
    unsigned width = m->element->width, top = width == 16 ? 15 : width == 32 ? 127 : 1023;
    double d = c->result == SAME ? fabs(float_of(bits, width)) : 1;
    return in->nice && d != 0 && d <= 2048 && (!c->op || c->op->combine != f_mul || 4 * operands <= top);
}

static void check_component(const struct module *m, const struct call *c, const struct inputs *in,
                            unsigned lane, unsigned component, uint64_t got, bool has_value)
{
    const char *form = c->form ? c->form->name : "";
    uint64_t want = 0;
    compared++;
    known += has_value;
    bool settled = !has_value;
    for (unsigned r = 0; r == 0 || (r < READINGS && !settled); r++) {
        struct question q = {.g = &in->reading[r], .me = lane, .component = component,
                             .constant = c->constant, .op = c->op, .form = c->form};
        bool defined = c->definition(&q, &want);
        lane_mask undefined = c->result == SAME ? in->undefined[component] : 0;
        for (unsigned k = 0; k < m->components && c->result != SAME; k++)
            undefined |= in->undefined[k];
        bool partitioned = c->form >= &forms[PARTITIONED] && c->form < &forms[CLUSTERED];
        bool all_known = !(q.reads & undefined) && // a partition is one only if it is known of all
                         !(partitioned && (in->partition_undefined & q.g->active)) &&
                         !(q.reads_own && lane_in(in->index_undefined | in->ballot_undefined, lane));
        if (has_value && (!defined || got != want))
            fail_msg("%s %s of %s x %u (%u), %u lanes, lane %u.%u: got 0x%llx, by definition %s0x%llx",
                     c->name, form, m->element->name, m->components, c->constant, q.g->size, lane,
                     component, (unsigned long long)got, defined ? "" : "undefined, not ",
                     (unsigned long long)want);
        if (!has_value && defined && all_known && is_plain(m, c, in, want, lane_count(q.reads)))
            fail_msg("%s %s of %s x %u (%u), %u lanes, lane %u.%u: undefined, by definition 0x%llx",
                     c->name, form, m->element->name, m->components, c->constant, q.g->size, lane,
                     component, (unsigned long long)want);
        settled |= all_known && m->element->kind != FLOAT; // every reading gives the same
    }
}

static void check_run(struct module *m, const struct orc_result *r, const struct inputs *in, unsigned first,
                      unsigned live)
{
    for (uint32_t n = 0; n < m->count; n++) {
        const struct call *c = &m->calls[n];
        unsigned wide = result_width(m, c) == 64 ? 2 : 1;
        for (unsigned k = 0; k < result_components(m, c); k++)
            for (unsigned l = 0; l < live; l++) {
                uint64_t got = 0, mask = 0;
                for (unsigned word = 0; word < wide; word++) {
                    uint32_t at = (c->slot + k * wide + word) * INVOCATIONS + first + l;
                    got |= (uint64_t)r->memory[1].words[at] << 32 * word;
                    mask |= (uint64_t)(r->memory[1].mask ? r->memory[1].mask[at] : UINT32_MAX) << 32 * word;
                }
                bool has_value = mask == (wide == 2 ? UINT64_MAX : UINT32_MAX);
                assert_true(has_value || mask == 0);
                if (lane_in(in->reading[0].active, l))
                    check_component(m, c, in, l, k, got, has_value);
                else
                    assert_true(has_value && got == 0); // nothing was stored
            }
    }
}

static void check_element(const struct element *e)
{
    enum { SUBGROUPS_MAX = (INVOCATIONS + 3) / 4 };
    struct spv_tools *tools = spv_tools_new();
    struct arena arena = {0}, each = {0};
    struct inputs *in = ARENA_ARRAY(&arena, struct inputs, SUBGROUPS_MAX);
    seed = 0x1234567 + (uint64_t)e->width * 2 + e->kind;
    compared = known = 0;
    for (unsigned components = 1; components <= COMPONENTS; components++) {
        struct module *m = ARENA_NEW(&arena, struct module);
        m->element = e;
        m->components = components;
        add_all(m);
        make_module(m, &arena, tools);
        for (unsigned size = 4; size <= 128; size *= 2)
            for (unsigned round = 0; round < (components > 1 ? 2 : e->kind == BOOL ? 12 : 3); round++) {
                struct orc_result r;
                uint64_t uniform = random_index(below(2) ? size : 4); // of the whole workgroup
                for (unsigned first = 0, s = 0; first < INVOCATIONS; first += size, s++) {
                    unsigned live = INVOCATIONS - first < size ? INVOCATIONS - first : size;
                    make_inputs(&in[s], m, size, live, round, uniform);
                    write_inputs(&in[s], m, first, live);
                }
                arena_reset(&each);
                orc_run(m->program, &each, &m->c, size, NULL, &r);
                if (r.why.status != RAN_OK)
                    fail_msg("%s x %u, %u lanes: %s", e->name, components, size, r.why.text);
                for (unsigned first = 0, s = 0; first < INVOCATIONS; first += size, s++)
                    check_run(m, &r, &in[s], first,
                              INVOCATIONS - first < size ? INVOCATIONS - first : size);
            }
    }
    // Most results have a value: of floats, those that nothing rounds.
    assert_true(compared > 100000 && known > compared / (e->kind == FLOAT ? 4 : 2));
    arena_free(&each);
    arena_free(&arena);
    spv_tools_free(tools);
}

// An operand that must be dynamically uniform, of the subgroup (Delta; Value of InverseBallot) or of
// all who execute the instance (Id, Index): it may differ where nobody is active.
static void test_not_uniform(void **state)
{
    enum { SIZE = 8 };
    struct spv_tools *tools = spv_tools_new();
    struct arena arena = {0};
    (void)state;
    for (unsigned k = 0; k < 4; k++) {
        struct module *m = ARENA_NEW(&arena, struct module);
        struct orc_result r;
        m->element = &elements[2];
        m->components = 1;
        if (k == 0)
            add_plain(m, "Broadcast", broadcast, SAME, "%k3 %x %uniform");
        else if (k == 1)
            add_plain(m, "RotateKHR", rotate, SAME, "%k3 %x %uniform");
        else if (k == 2)
            add_plain(m, "QuadBroadcast", quad_broadcast, SAME, "%k3 %x %uniform");
        else
            add_plain(m, "InverseBallot", inverse_ballot, ONE_BOOL, "%k3 %uniform_ballot");
        make_module(m, &arena, tools);
        unsigned word = k < 3 ? IN_UNIFORM : IN_UNIFORM_BALLOT + 3;
        for (unsigned differs = 0; differs < 4; differs++) { // nowhere, another subgroup, inactive, active
            memset(m->c.buffer[0].words, 0, m->c.buffer[0].count * sizeof(uint32_t));
            for (unsigned l = 0; l < INVOCATIONS; l++) {
                uint32_t *words = m->c.buffer[0].words + l * IN_WORDS;
                words[IN_ACTIVE] = l % SIZE != 5;
                words[word] = (differs == 1 && l >= 2 * SIZE) || (differs == 2 && l == 2 * SIZE + 5) ||
                              (differs == 3 && l == 2 * SIZE + 6);
            }
            orc_run(m->program, &arena, &m->c, SIZE, NULL, &r);
            bool refused = differs == 3 || (differs == 1 && (k == 0 || k == 2));
            assert_int_equal(r.why.status, refused ? RAN_UNDEFINED : RAN_OK);
            assert_string_equal(r.why.rule, refused ? "E-uniform" : "");
        }
    }
    arena_free(&arena);
    spv_tools_free(tools);
}

// "Ballot must be a valid partition" of the active invocations.
static void test_no_partition(void **state)
{
    enum { SIZE = 8 };
    static const uint32_t ballots[][SIZE] = {
        {0x0b, 0x0b, 0x04, 0x0b, 0x50, 0, 0x50, 0x80}, // one: lane 5 is not active
        {0x0b, 0x0b, 0x04, 0x0b, 0x50, 0, 0x10, 0x80}, // lane 6 is in another's
        {0x0b, 0x0b, 0x06, 0x0b, 0x50, 0, 0x50, 0x80}, // two overlap
        {0x0b, 0x0b, 0x04, 0x0b, 0x70, 0, 0x70, 0x80}, // an inactive lane is in one
        {0x0b, 0x0b, 0x04, 0x0b, 0x50, 0, 0x50, 0},    // lane 7 is in none
        {0x05, 0x02, 0x04, 0x08, 0x50, 0, 0x50, 0x80}, // lane 2 is in lane 0's, another one lies between
    };
    struct spv_tools *tools = spv_tools_new();
    struct arena arena = {0};
    struct module *m = ARENA_NEW(&arena, struct module);
    struct orc_result r;
    (void)state;
    m->element = &elements[2];
    m->components = 1;
    add(m, (struct call){.name = "IAdd", .op = &operations[0], .form = &forms[PARTITIONED],
                         .definition = arithmetic}, "%k3 PartitionedReduceNV %x %p");
    make_module(m, &arena, tools);
    for (unsigned k = 0; k < sizeof ballots / sizeof *ballots; k++) {
        for (unsigned l = 0; l < SIZE; l++) {
            m->c.buffer[0].words[l * IN_WORDS + IN_ACTIVE] = l != 5;
            m->c.buffer[0].words[l * IN_WORDS + IN_PARTITION] = ballots[k][l];
        }
        orc_run(m->program, &arena, &m->c, SIZE, NULL, &r);
        assert_int_equal(r.why.status, k ? RAN_UNDEFINED : RAN_OK);
        assert_string_equal(r.why.rule, k ? "E-uniform" : "");
    }
    arena_free(&arena);
    spv_tools_free(tools);
}

static void test_u8(void **state) { (void)state, check_element(&elements[0]); }
static void test_u16(void **state) { (void)state, check_element(&elements[1]); }
static void test_u32(void **state) { (void)state, check_element(&elements[2]); }
static void test_u64(void **state) { (void)state, check_element(&elements[3]); }
static void test_bool(void **state) { (void)state, check_element(&elements[4]); }
static void test_f16(void **state) { (void)state, check_element(&elements[5]); }
static void test_f32(void **state) { (void)state, check_element(&elements[6]); }
static void test_f64(void **state) { (void)state, check_element(&elements[7]); }

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_u8),   cmocka_unit_test(test_u16), cmocka_unit_test(test_u32),
        cmocka_unit_test(test_u64),  cmocka_unit_test(test_bool), cmocka_unit_test(test_f16),
        cmocka_unit_test(test_f32),  cmocka_unit_test(test_f64),
        cmocka_unit_test(test_not_uniform), cmocka_unit_test(test_no_partition),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
