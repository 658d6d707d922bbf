// SPDX-License-Identifier: Apache-2.0
//
// generator: whole programs. The same words for the same choices on every
// machine, valid modules from any bytes, and nothing that was not asked for.
#include "test_gen_common.h"

// ---- golden ------------------------------------------------------------------

// XXH3 over the words of seeds 0 .. 63, for each profile. A difference means
// that old choices give new modules: raise GEN_VERSION and put the new ones here.
static const uint64_t golden[3] = {0xd7746c4e70f87914, 0xa28ba603e0c90547, 0x0174cde33b43d6fc};

static void golden_hashes(void **state)
{
    struct arena *a = &((struct fixture *)*state)->arena;
    uint32_t wrong = 0;
    for (int p = 0; p < 3; p++) {
        uint64_t h = 0;
        for (uint64_t seed = 0; seed < 64; seed++) {
            struct gen_options o = options_of((enum gen_profile)p);
            struct gen_made m = make_seed(a, seed, &o);
            h = hash64_with(h, m.cases[0].words, m.cases[0].count * sizeof(uint32_t));
            h = hash64_with(h, m.cases[0].buffer[0].words,
                            m.cases[0].buffer[0].count * sizeof(uint32_t));
            arena_reset(a);
        }
        if (h != golden[p])
            print_error("profile %s: 0x%016llx\n", gen_profile_name((enum gen_profile)p),
                        (unsigned long long)h);
        wrong += h != golden[p];
    }
    assert_int_equal(wrong, 0);
}

static void replayed(void **state)
{
    struct arena *a = &((struct fixture *)*state)->arena;
    for (uint64_t seed = 0; seed < 500; seed++) {
        struct gen_options o = options_of((enum gen_profile)(seed % 3));
        struct gen_made m = make_seed(a, seed, &o);
        struct gen_made again = make_bytes(a, m.choices, m.choice_count, &o);
        assert_same_words(&m, &again);
        assert_int_equal(m.choice_count, again.choice_count);
        assert_memory_equal(m.choices, again.choices, m.choice_count);
        arena_reset(a);
    }
}

static void two_simplest(void **state)
{
    struct fixture *f = *state;
    for (uint32_t subgroup = 4; subgroup <= 128; subgroup *= 2)
        for (int model = SPV_MAXIMAL; model <= SPV_ASSUMED_MAXIMAL; model++) {
            const struct gen_options o = {.subgroup = subgroup, .inputs = 1, .model = (enum spv_model)model};
            struct gen_made one, other;
            gen_make_simplest(&f->arena, &o, false, &one);
            gen_make_simplest(&f->arena, &o, true, &other);
            assert_valid(f, &one);
            assert_valid(f, &other);
            assert_false(one.cases->count == other.cases->count &&
                         memcmp(one.cases->words, other.cases->words,
                                one.cases->count * sizeof(uint32_t)) == 0);
        }
}

static void other_inputs_same_words(void **state)
{
    struct arena *a = &((struct fixture *)*state)->arena;
    uint32_t different = 0;
    for (uint64_t seed = 0; seed < 100; seed++) {
        struct gen_options one = options_of(GEN_DEFAULT), three = one;
        three.inputs = 3;
        struct gen_made m = make_seed(a, seed, &one), n = make_seed(a, seed, &three);
        assert_same_words(&m, &n);
        assert_int_equal(n.case_count, 3);
        for (uint32_t i = 0; i < 3; i++) {
            const struct spv_case *c = &n.cases[i];
            assert_ptr_equal(c->words, n.cases[0].words);
            assert_true(c->inputs_at == i + 1 && c->inputs_of == 3);
            assert_int_equal(c->buffer[0].count, n.program->input_words);
            different += i && memcmp(c->buffer[0].words, n.cases[0].buffer[0].words,
                                     c->buffer[0].count * sizeof(uint32_t)) != 0;
        }
        assert_int_equal(m.cases[0].inputs_at, 0);
        arena_reset(a);
    }
    assert_true(different > 190);
}

// ---- any bytes ------------------------------------------------------------------

// gen_make checks the tree itself (gen_check) and aborts where it is wrong.
static void any_bytes_are_valid(void **state)
{
    struct fixture *f = *state;
    struct arena *a = &f->arena;
    struct rng r = {2024};
    for (uint32_t i = 0; i < 10000; i++) {
        uint8_t bytes[1024];
        uint32_t n = rng_below(&r, sizeof bytes), most = 1 + rng_below(&r, 256);
        for (uint32_t k = 0; k < n; k++)
            bytes[k] = (uint8_t)rng_below(&r, most);
        struct gen_options o = options_of((enum gen_profile)(i % 3));
        o.subgroup = 4u << rng_below(&r, 6);
        struct gen_made m = make_bytes(a, bytes, n, &o);
        if (i % 20 == 0)
            assert_valid(f, &m);
        arena_reset(a);
    }
}

static void seeds_are_valid(void **state)
{
    struct fixture *f = *state;
    for (uint64_t seed = 0; seed < 600; seed++) {
        struct gen_options o = options_of((enum gen_profile)(seed % 3));
        o.subgroup = 4u << seed % 6;
        o.model = seed % 5 == 4 ? SPV_ASSUMED_MAXIMAL : SPV_MAXIMAL;
        struct gen_made m = make_seed(&f->arena, seed, &o);
        assert_valid(f, &m);
        arena_reset(&f->arena);
    }
}

// No choices at all: one ballot, logged.
static void the_simplest(void **state)
{
    struct fixture *f = *state;
    struct gen_options o = options_of(GEN_DEFAULT);
    struct gen_made m = make_bytes(&f->arena, NULL, 0, &o);
    struct text t = {.arena = &f->arena};
    assert_valid(f, &m);
    gen_print(m.program, &t);
    assert_string_equal(t.v, "1 x 8 invocations, subgroup 8, 16 input words, log rows of 12 words\n"
                             "\n"
                             "void main() {\n"
                             "    x0 = ballot(true)\n"
                             "    log #1: x0.x\n"
                             "}\n");
    for (size_t i = 0; i < m.choice_count; i++)
        assert_int_equal(m.choices[i], 0);
    static const uint8_t zeros[500] = {0};
    struct gen_made zero = make_bytes(&f->arena, zeros, sizeof zeros, &o);
    assert_same_words(&m, &zero);
}

// ---- the case --------------------------------------------------------------------

static void shapes_of_cases(void **state)
{
    struct arena *a = &((struct fixture *)*state)->arena;
    for (uint64_t seed = 0; seed < 300; seed++) {
        struct gen_options o = options_of((enum gen_profile)(seed % 3));
        o.subgroup = 4u << seed % 6;
        o.max_invocations = seed % 7 ? 128 : 16;
        struct gen_made m = make_seed(a, seed, &o);
        const struct gen_program *p = m.program;
        const struct spv_case *c = &m.cases[0];
        struct spv_module module;
        struct err e;
        uint32_t size[3], invocations = p->groups * p->local_size;
        if (!spv_module_read(a, c->words, c->count, &module, &e))
            fail_msg("%s", e.msg);
        assert_true(spv_local_size(c, &module, size, &e));
        assert_true(size[0] == p->local_size && size[1] == 1 && size[2] == 1);
        assert_true(p->local_size >= 1 && p->local_size <= o.max_invocations);
        assert_true(c->groups[0] == p->groups && p->groups >= 1 && p->groups <= 3);
        assert_true(p->local_size % o.subgroup == 0 || m.used & GEN_BIT(GEN_PARTIAL) ||
                    o.max_invocations < o.subgroup);
        const bool heap = m.used & (GEN_BIT(GEN_ATOMIC) | GEN_BIT(GEN_THROUGH_BUFFER));
        assert_int_equal(c->buffer_count, heap ? 4 : 3);
        assert_true(!heap || c->buffer[3].count == GEN_HEAP_WORDS + invocations);
        assert_true(c->buffer[0].count >= invocations);
        assert_int_equal(c->buffer[1].count, invocations * c->log_stride);
        assert_int_equal(c->buffer[2].count, invocations * 3);
        assert_true(c->has_log && c->has_lanes && c->log_binding == 1 && c->lanes_binding == 2);
        assert_true(c->log_stride > main_of(p)->log_words);
        arena_reset(a);
    }
}

// ---- features ---------------------------------------------------------------------

// The features of which one must be wanted where an instruction is there.
static gen_features feature_of(const struct spv_inst *in)
{
    static const enum gen_group_operation forms[] = {
        [SpvGroupOperationReduce] = OVER_REDUCE,
        [SpvGroupOperationInclusiveScan] = OVER_INCLUSIVE,
        [SpvGroupOperationExclusiveScan] = OVER_EXCLUSIVE,
        [SpvGroupOperationClusteredReduce] = OVER_CLUSTERED,
        [SpvGroupOperationPartitionedReduceNV] = OVER_PART_REDUCE,
        [SpvGroupOperationPartitionedInclusiveScanNV] = OVER_PART_INCLUSIVE,
        [SpvGroupOperationPartitionedExclusiveScanNV] = OVER_PART_EXCLUSIVE};
    const enum gen_group_operation over = spv_group_cluster(in)    ? OVER_CLUSTERED
                                          : spv_group_form(in) < sizeof forms / sizeof *forms ? forms[spv_group_form(in)]
                                                                   : OVER_NONE;
    gen_features any = 0;
    for (uint32_t i = 0; i < GROUP_OPS; i++) {
        const struct gen_group_row *row = gen_group_row((enum gen_group_op)i);
        if (row->opcode == in->op && row->group == over)
            any |= GEN_BIT(row->feature);
    }
    if (any)
        return any;
    switch (in->op) {
    case SpvOpTypeInt:
        return in->v[0] == 8    ? GEN_BIT(GEN_INT8)
               : in->v[0] == 16 ? GEN_BIT(GEN_INT16)
               : in->v[0] == 64 ? GEN_BIT(GEN_INT64)
               : in->v[1]       ? GEN_BIT(GEN_SIGNED) | GEN_BIT(GEN_OP_DERIVATIVE) | GEN_SAMPLING
                                : 0;
    case SpvOpTypeFloat:
        return in->v[0] == 16   ? GEN_BIT(GEN_FLOAT16)
               : in->v[0] == 64 ? GEN_BIT(GEN_FLOAT64)
                                : GEN_BIT(GEN_FLOAT32) | GEN_BIT(GEN_OP_DERIVATIVE) | GEN_SAMPLING;
    case SpvOpPhi:
        return GEN_BIT(GEN_PHI);
    case SpvOpSwitch:
        return GEN_BIT(GEN_SWITCH);
    case SpvOpFunctionCall:
        return GEN_BIT(GEN_CALL) | GEN_BIT(GEN_CALL_VALUE);
    case SpvOpLoopMerge:
        return GEN_BIT(GEN_FOR) | GEN_BIT(GEN_DO_WHILE) | GEN_BIT(GEN_INFINITE);
    case SpvOpSelectionMerge:
        return GEN_BIT(GEN_IF) | GEN_BIT(GEN_ELSE) | GEN_BIT(GEN_SWITCH);
    case SpvOpReturnValue:
        return GEN_BIT(GEN_CALL_VALUE);
    default:
        break;
    }
    assert_null(spv_group_find(in->op));
    return 0;
}

static void only_what_is_wanted(void **state)
{
    struct fixture *f = *state;
    struct arena *a = &f->arena;
    struct rng r = {7};
    for (uint32_t i = 0; i < 3000; i++) {
        struct gen_options o = options_of((enum gen_profile)(i % 3));
        // Random halves, and in turn all but one.
        o.features = i % 2 ? ((gen_features)rng_next(&r) << 64 | rng_next(&r)) & GEN_ALL_FEATURES
                           : GEN_ALL_FEATURES & ~GEN_BIT(i / 2 % GEN_FEATURE_COUNT);
        if (!o.features)
            continue;
        struct gen_made m = make_seed(a, i, &o);
        struct spv_module module;
        struct err e;
        assert_true((m.used & ~o.features) == 0);
        assert_true(spv_module_read(a, m.cases[0].words, m.cases[0].count, &module, &e));
        for (uint32_t k = 0; k < module.inst_count; k++) {
            const gen_features needs = feature_of(&module.insts[k]);
            if (needs && !(needs & m.used))
                fail_msg("%s: %s", spv_op_name(module.insts[k].op), m.cases[0].from);
        }
        if (i % 10 == 0)
            assert_valid(f, &m);
        arena_reset(a);
    }
}

// Each feature is really grown when it is wanted.
static void all_that_is_wanted(void **state)
{
    struct arena *a = &((struct fixture *)*state)->arena;
    uint32_t counts[GEN_FEATURE_COUNT] = {0};
    for (uint64_t seed = 0; seed < 3000; seed++) {
        struct gen_options o = options_of(GEN_DEFAULT);
        const bool by_name = seed >= 1000 && seed < 2000; // those that have to be asked for
        o.features = by_name ? GEN_ALL_FEATURES : 0;
        o.stage = seed >= 2000 ? SPV_FRAGMENT : SPV_COMPUTE;
        struct gen_made m = make_seed(a, seed, &o);
        assert_true(by_name || !(m.used & ~gen_features_of(o.stage)));
        for (uint32_t f = 0; f < GEN_FEATURE_COUNT; f++) {
            const bool fragment = GEN_OF_FRAGMENTS & GEN_BIT(f);
            if (o.stage == SPV_FRAGMENT ? fragment : !fragment && by_name == (f >= GEN_BY_NAME))
                counts[f] += (m.used & GEN_BIT(f)) != 0;
        }
        arena_reset(a);
    }
    for (uint32_t f = 0; f < GEN_FEATURE_COUNT; f++)
        if (counts[f] < 50)
            fail_msg("%s: %u of 1000", gen_feature_name((enum gen_feature)f), counts[f]);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(golden_hashes),           cmocka_unit_test(replayed),
        cmocka_unit_test(other_inputs_same_words), cmocka_unit_test(any_bytes_are_valid),
        cmocka_unit_test(seeds_are_valid),         cmocka_unit_test(the_simplest),
        cmocka_unit_test(two_simplest),
        cmocka_unit_test(shapes_of_cases),         cmocka_unit_test(only_what_is_wanted),
        cmocka_unit_test(all_that_is_wanted),
    };
    return cmocka_run_group_tests(tests, fixture_up, fixture_down);
}
