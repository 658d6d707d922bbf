// SPDX-License-Identifier: Apache-2.0
//
// Races, and what memory holds, against a literal reading (test_orc_order.h): programs drawn at random, in
// which sets of invocations load, store and update words, with fences and barriers of all kinds between, under
// both memory models. What the oracle calls defined must be so by the text; what it calls a race without a
// doubt must be one by the most generous reading of the text.

// clang-format off
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <cmocka.h>
// clang-format on

#include <stdio.h>
#include <stdlib.h>

#include "oracle/oracle.h"
#include "test_orc_order.h"

enum { ROUNDS = 4000, TEXT = 1 << 15 };

static const char *const names[] = {"load", "store", "add", "add (workgroup)", "or", "exchange", "fence", "barrier"};
static const char *const scopes[] = {"subgroup", "workgroup", "none"};

static const char declarations[] =
    "OpEntryPoint GLCompute %main \"main\" %gid %buf %out %sh\n"
    "OpExecutionMode %main LocalSize 8 1 1\nOpExecutionMode %main MaximallyReconvergesKHR\n"
    "OpDecorate %gid BuiltIn GlobalInvocationId\nOpDecorate %words ArrayStride 4\n"
    "OpDecorate %block Block\nOpMemberDecorate %block 0 Offset 0\n"
    "OpDecorate %buf DescriptorSet 0\nOpDecorate %buf Binding 0\n"
    "OpDecorate %out DescriptorSet 0\nOpDecorate %out Binding 1\n";
static const char types[] =
    "%void = OpTypeVoid\n"
    "%bool = OpTypeBool\n%u32 = OpTypeInt 32 0\n%u3 = OpTypeVector %u32 3\n%fn = OpTypeFunction %void\n"
    "%words = OpTypeRuntimeArray %u32\n%block = OpTypeStruct %words\n"
    "%block_ptr = OpTypePointer StorageBuffer %block\n%word_ptr = OpTypePointer StorageBuffer %u32\n"
    "%in3_ptr = OpTypePointer Input %u3\n%gid = OpVariable %in3_ptr Input\n"
    "%buf = OpVariable %block_ptr StorageBuffer\n%out = OpVariable %block_ptr StorageBuffer\n";

static void add(char *text, size_t *n, const char *fmt, ...) TF_PRINTF(3, 4);
static void add(char *text, size_t *n, const char *fmt, ...)
{
    va_list args;
    va_start(args, fmt);
    *n += (size_t)vsnprintf(text + *n, TEXT - *n, fmt, args);
    va_end(args);
    assert_true(*n < TEXT);
}

static uint32_t scope_word(int scope) { return scope == IN_SUBGROUP ? 3 : 2; }

static uint32_t semantics(const struct program *g, const struct step *s)
{
    if (!(s->release || s->acquire) || !(s->of[0] || s->of[1]))
        return 0;
    return (s->release && s->acquire ? 8 : s->acquire ? 2 : 4) | (s->of[0] ? 64 : 0) | (s->of[1] ? 256 : 0) |
           (g->vulkan && s->available && s->release ? 0x2000 : 0) |
           (g->vulkan && s->visible && s->acquire ? 0x4000 : 0);
}

// Memory operands of a load or store.
static const char *operands(const struct program *g, const struct step *s)
{
    static char text[80];
    snprintf(text, sizeof text, !g->vulkan || !s->non_private ? "" : s->own == NOT ? " NonPrivatePointer" : " MakePointer%s|NonPrivatePointer %%c%u",
             s->what == LOAD ? "Visible" : "Available", scope_word(s->own));
    return text;
}

static void add_step(char *text, size_t *n, const struct program *g, uint32_t k)
{
    static const char *const op[] = {[ADD] = "IAdd", [ADD_IN_GROUP] = "IAdd", [OR] = "Or",
                                     [EXCHANGE] = "Exchange"};
    const struct step *s = &g->step[k];
    static const char barrier[] = "OpControlBarrier %%c%u %%c%u %%c%u\n";
    if (s->what == BARRIER && s->lanes == 0xffff) {
        add(text, n, barrier, scope_word(s->execution), scope_word(s->memory), semantics(g, s));
        return;
    }
    add(text, n,
        "%%s%u = OpShiftRightLogical %%u32 %%c%u %%me\n%%b%u = OpBitwiseAnd %%u32 %%s%u %%c1\n"
        "%%on%u = OpIEqual %%bool %%b%u %%c1\nOpSelectionMerge %%m%u None\n"
        "OpBranchConditional %%on%u %%t%u %%m%u\n%%t%u = OpLabel\n",
        k, s->lanes, k, k, k, k, k, k, k, k, k);
    if (s->what == FENCE)
        add(text, n, "OpMemoryBarrier %%c%u %%c%u\n", scope_word(s->memory), semantics(g, s));
    else if (s->what == BARRIER)
        add(text, n, barrier, scope_word(s->execution), scope_word(s->memory), semantics(g, s));
    else if (s->what == LOAD)
        add(text, n, "%%v%u = OpLoad %%u32 %%w%u%s\n%%p%u = OpIAdd %%u32 %%me %%c%u\n"
            "%%o%u = OpAccessChain %%word_ptr %%out %%c0 %%p%u\nOpStore %%o%u %%v%u\n",
            k, s->word, operands(g, s), k, k * ALL, k, k, k, k);
    else if (s->what == STORE)
        add(text, n, "OpStore %%w%u %%c%u%s\n", s->word, value_of(k), operands(g, s));
    else
        add(text, n, "%%v%u = OpAtomic%s %%u32 %%w%u %%c%u %%c0 %%c%u\n", k, op[s->what], s->word,
            s->what == ADD_IN_GROUP ? 2 : 1, value_of(k));
    add(text, n, "OpBranch %%m%u\n%%m%u = OpLabel\n", k, k);
}

static void write_program(const struct program *g, char *text, size_t *n)
{
    static bool constant[1 << 16];
    memset(constant, 0, sizeof constant);
    constant[2] = constant[3] = true;
    for (uint32_t k = 0; k < MOST; k++)
        constant[k] = constant[k * ALL] = constant[value_of(k)] = true;
    for (uint32_t k = 0; k < g->n; k++)
        constant[is_access(&g->step[k]) ? 0 : semantics(g, &g->step[k])] = constant[g->step[k].lanes] = true;
    add(text, n, "OpCapability Shader\nOpCapability GroupNonUniform\n%s"
        "OpExtension \"SPV_KHR_maximal_reconvergence\"\nOpMemoryModel Logical %s\n%s%s%s",
        g->vulkan ? "OpCapability VulkanMemoryModel\nOpCapability VulkanMemoryModelDeviceScope\n" : "",
        g->vulkan ? "Vulkan" : "GLSL450", declarations, g->vulkan ? "" : "OpDecorate %buf Coherent\n", types);
    for (uint32_t k = 0; k < 1 << 16; k++)
        if (constant[k])
            add(text, n, "%%c%u = OpConstant %%u32 %u\n", k, k);
    add(text, n, "%%sh_words = OpTypeArray %%u32 %%c2\n%%sh_ptr = OpTypePointer Workgroup %%sh_words\n"
        "%%sw_ptr = OpTypePointer Workgroup %%u32\n%%sh = OpVariable %%sh_ptr Workgroup\n"
        "%%main = OpFunction %%void None %%fn\n%%entry = OpLabel\n%%g = OpLoad %%u3 %%gid\n"
        "%%me = OpCompositeExtract %%u32 %%g 0\n%%w0 = OpAccessChain %%word_ptr %%buf %%c0 %%c0\n"
        "%%w1 = OpAccessChain %%word_ptr %%buf %%c0 %%c1\n%%w2 = OpAccessChain %%sw_ptr %%sh %%c0\n"
        "%%w3 = OpAccessChain %%sw_ptr %%sh %%c1\n");
    for (uint32_t k = 0; k < g->n; k++)
        add_step(text, n, g, k);
    add(text, n, "OpReturn\nOpFunctionEnd\n");
}

// PLAIN: accesses that are coherent, barriers that both release and acquire, no fences. FEW: three invocations
// and one word under the Vulkan memory model, where nearly all depends on the flags.
enum mode { PLAIN, FENCES, FEW };

static bool often(struct rng *r) { return rng_next(r) % 5 != 0; }

static uint32_t draw_lanes(struct rng *r, enum mode mode, bool one_only)
{
    static const uint32_t few[] = {1, 1, 2, 2, 1 << SIZE, 1 << SIZE, 3, 3 | 1 << SIZE};
    if (mode == FEW)
        return few[rng_next(r) % (one_only ? 6 : 8)];
    const uint32_t one = rng_next(r) % ALL, other = rng_next(r) % ALL;
    switch (rng_next(r) % 7) {
    case 0: return 0xfu << one / SIZE * SIZE;
    case 1: return 0xffu << one / GROUP * GROUP;
    case 2: return 1u << one | 1u << other;
    case 3: return one_only ? 1u << one : 0xffff;
    default: return 1u << (rng_next(r) % 2 ? one % SIZE : one);
    }
}

static void draw(struct rng *r, struct program *g, enum mode mode)
{
    const bool plain = mode == PLAIN;
    *g = (struct program){.n = 2 + rng_next(r) % (MOST - 1), .vulkan = mode == FEW || (!plain && rng_next(r) % 3 != 0)};
    const uint32_t words = mode == FEW ? 1 : 1 + rng_next(r) % 2, first = rng_next(r) % WORDS;
    for (uint32_t k = 0; k < g->n; k++) {
        struct step *s = &g->step[k];
        const uint64_t kind = rng_next(r) % 5;
        if (kind < 2 + (mode == FEW)) {
            const bool fence = !plain && rng_next(r) % 3 == 0;
            *s = (struct step){.what = fence ? FENCE : BARRIER,
                               .lanes = fence && rng_next(r) % 2 ? draw_lanes(r, mode, false) : 0xffff,
                               .execution = rng_next(r) % 4 ? IN_WORKGROUP : IN_SUBGROUP,
                               .memory = rng_next(r) % 4 ? IN_WORKGROUP : IN_SUBGROUP,
                               .of = {often(r), often(r)},
                               .release = plain || often(r), .acquire = plain || often(r),
                               .available = rng_next(r) % 2, .visible = rng_next(r) % 2};
            if (!plain && s->execution == IN_SUBGROUP && rng_next(r) % 4 == 0)
                s->lanes = draw_lanes(r, mode, false); // some of a subgroup
            if (fence && !semantics(g, s)) // which has no meaning
                s->of[0] = s->of[1] = s->release = s->acquire = true;
            continue;
        }
        *s = (struct step){.what = (enum what)(rng_next(r) % FENCE), .word = (first + rng_next(r) % words) % WORDS};
        s->lanes = draw_lanes(r, mode, s->what == STORE);
        if (mode == FEW && rng_next(r) % 2)
            s->what = rng_next(r) % 2 ? LOAD : STORE;
        s->non_private = !g->vulkan || is_atomic(s) || often(r);
        s->own = !g->vulkan || is_atomic(s) ? IN_WORKGROUP : !s->non_private || rng_next(r) % 3 == 0 ? NOT
                 : often(r) ? IN_WORKGROUP : IN_SUBGROUP;
    }
}

static void told(const struct program *g, const char *what)
{
    print_error("%s: %s\n", g->vulkan ? "Vulkan" : "GLSL450", what);
    for (uint32_t k = 0; k < g->n; k++) {
        const struct step *s = &g->step[k];
        if (is_access(s))
            print_error("  %u: %s of word %u by 0x%x%s, itself for %s\n", k, names[s->what], s->word, s->lanes,
                        s->non_private ? "" : ", private", scopes[s->own]);
        else
            print_error("  %u: %s of %s by 0x%x, memory %s, semantics 0x%x\n", k, names[s->what],
                        scopes[s->execution], s->lanes, scopes[s->memory], semantics(g, s));
    }
    fail();
}

struct seen {
    uint32_t raced, doubted, known, programs;
};

static void compare(struct spv_tools *tools, const struct program *g, struct seen *seen)
{
    static char text[TEXT];
    static struct order o[2], most[2];
    struct arena a = {0};
    struct err e;
    struct spv_case c = {.groups = {2, 1, 1}, .subgroup = SIZE, .buffer_count = 2};
    uint32_t start[2] = {0, 1}, zero[MOST * ALL] = {0};
    size_t n = 0;
    char what[200];
    write_program(g, text, &n);
    if (!spv_assemble(tools, &a, text, n, 1, &c.words, &c.count, &e) ||
        !spv_validate(tools, SPV_ENV_UNIVERSAL_1_6, c.words, c.count, &e))
        fail_msg("%s\n%s", e.msg, text);
    c.buffer[0] = (struct spv_buffer){.count = 2, .words = start};
    c.buffer[1] = (struct spv_buffer){.binding = 1, .count = MOST * ALL, .words = zero};
    for (uint32_t of = 0; of < 2; of++) {
        order_make(g, of, false, &o[of]);
        order_make(g, of, true, &most[of]);
    }
    const bool race = races(g, o, false), surely = race && races(g, most, true);
    for (int machine = ORC_MASK; machine <= ORC_TAG; machine++) {
        struct orc_result r;
        orc_predict(&a, &c, 0, &(struct orc_options){.machine = (enum orc_machine)machine}, &r);
        const bool refused = r.why.status == RAN_UNDEFINED && strcmp(r.why.rule, "E-race") == 0;
        if ((!refused && (race || r.why.status != RAN_OK)) || (refused && !surely && !r.doubt_order)) {
            snprintf(what, sizeof what, "%s; the oracle: %s", surely ? "a race" : race ? "perhaps a race" : "no race", r.why.text);
            told(g, what);
        }
        seen->programs++;
        seen->raced += refused;
        seen->doubted += refused && r.doubt_order;
        for (uint32_t k = 0; k <= g->n && !refused; k++)
            for (uint32_t p = 0; p < ALL; p++) {
                const struct step *s = &g->step[k];
                if (k == g->n ? p >= 2 : s->what != LOAD || !does(s, p))
                    continue;
                const struct spv_memory *m = &r.memory[k < g->n];
                const uint32_t at = k < g->n ? k * ALL + p : p;
                uint32_t value, mask = m->mask ? m->mask[at] : UINT32_MAX;
                const bool must = holds(g, o, k < g->n ? s->word : p, p / GROUP, k, &value);
                seen->known += mask != 0;
                if ((mask != 0 && (!must || m->words[at] != value)) || (must && !mask && !r.doubt_order)) {
                    snprintf(what, sizeof what, "step %u, invocation %u: %s%u; the oracle: 0x%x/0x%x", k,
                             p, must ? "" : "not known, perhaps ", value, m->words[at], mask);
                    told(g, what);
                }
            }
    }
    arena_free(&a);
}

// One after the other, for what is rarely drawn: `race` and `doubt` is what both machines say.
#define BOTH .of = {true, true}
#define ALL_DO .lanes = 0xffff
#define OWN(w, l, s) .lanes = l, .word = w, .non_private = true, .own = s
#define LOADS(w, l) {.what = LOAD, OWN(w, l, NOT)}
#define STORES(w, l) {.what = STORE, OWN(w, l, NOT)}
#define STORES_AVAILABLE(w, l) {.what = STORE, OWN(w, l, IN_WORKGROUP)}
#define RELEASES(l, a) {.what = FENCE, .lanes = l, .memory = IN_WORKGROUP, BOTH, .release = true, .available = a}
#define ACQUIRES(l) {.what = FENCE, .lanes = l, .memory = IN_WORKGROUP, BOTH, .acquire = true, .visible = true}
#define MEETS {.what = BARRIER, ALL_DO, .execution = IN_WORKGROUP, .memory = IN_WORKGROUP}
#define MEETS_AND_TELLS(a) {.what = BARRIER, ALL_DO, .execution = IN_WORKGROUP, .memory = IN_WORKGROUP, BOTH, .release = true, .acquire = true, \
    .available = a, .visible = true}
#define SOME_MEET(l) {.what = BARRIER, .lanes = l, .execution = IN_SUBGROUP, .memory = IN_SUBGROUP, BOTH, .release = true, .acquire = true, \
    .available = true, .visible = true}
#define PRIVATE(does, l) {.what = does, .lanes = l, .own = NOT}
static void test_by_hand(void **state)
{
    (void)state;
    static const struct {
        const char *what;
        struct step step[MOST];
        bool race, doubt;
    } rows[] = {
        {"released, and one more load that is not", {STORES(0, 1), RELEASES(1, true), LOADS(1, 1), MEETS, ACQUIRES(16), LOADS(0, 16)}, true, true},
        {"the same in Workgroup memory", {STORES(2, 1), RELEASES(1, true), LOADS(3, 1), MEETS, ACQUIRES(16), LOADS(2, 16)}, true, true},
        {"available, and one more store that is not",
         {STORES(0, 1), RELEASES(1, true), STORES(1, 1), RELEASES(1, false), MEETS, ACQUIRES(16), LOADS(0, 16)}, true, true},
        {"released and acquired", {STORES(0, 1), RELEASES(1, true), MEETS, ACQUIRES(16), LOADS(0, 16)}, false, false},
        {"released by one of two", {STORES(0, 1), LOADS(1, 2), RELEASES(2, true), MEETS, ACQUIRES(16), LOADS(0, 16)}, true, true},
        {"available by one of two", {STORES(0, 1), STORES(1, 2), RELEASES(2, true), MEETS_AND_TELLS(false), LOADS(0, 16)}, true, true},
        {"a load makes nothing unavailable", {STORES(2, 1), RELEASES(1, true), LOADS(3, 1), MEETS_AND_TELLS(false), LOADS(2, 16)}, false, false},
        {"some of a subgroup", {STORES_AVAILABLE(0, 1), SOME_MEET(3), LOADS(0, 2)}, true, true},
        {"all of a subgroup", {STORES_AVAILABLE(0, 1), SOME_MEET(15), LOADS(0, 2)}, false, false},
        {"a store after one that is not available", {STORES(0, 1), MEETS_AND_TELLS(false), STORES(0, 16)}, true, false},
        {"a store after one that is", {STORES_AVAILABLE(0, 1), MEETS_AND_TELLS(false), STORES(0, 16)}, false, false},
        {"a store after a load", {LOADS(0, 1), MEETS_AND_TELLS(false), STORES(0, 16)}, false, false},
        {"a load of the first subgroup", {STORES(0, 16), MEETS_AND_TELLS(true), LOADS(0, 1)}, false, false},
        {"one of each subgroup, not available", {STORES(0, 1), MEETS_AND_TELLS(false), LOADS(0, 16)}, true, false},
        {"two loads of several, then a store that comes after the later alone",
         {LOADS(0, 1), MEETS_AND_TELLS(true), LOADS(0, 2), SOME_MEET(15), STORES(0, 4)}, false, false},
        {"two loads of two subgroups, then a store that comes after the later alone",
         {LOADS(0, 16), LOADS(0, 1), SOME_MEET(15), STORES(0, 2)}, true, false},
        {"loads before and after a barrier, then a store",
         {LOADS(0, 16), MEETS_AND_TELLS(true), LOADS(0, 1), SOME_MEET(15), STORES(0, 2)}, false, false},
        {"a private load among others", {{.what = LOAD, .lanes = 1, .own = NOT}, LOADS(0, 2), MEETS_AND_TELLS(true), STORES(0, 16)}, true, true},
        {"a private store after all of them", {LOADS(0, 1), LOADS(0, 2), MEETS_AND_TELLS(true), {.what = STORE, .lanes = 1, .own = NOT}}, true, false},
        // What one has done twice is of no other; what several have done one after the other, the last of them must see as well.
        {"two private loads of one subgroup, a barrier between", {PRIVATE(LOAD, 1), MEETS_AND_TELLS(true), PRIVATE(LOAD, 2), STORES(0, 16)}, true, false},
        {"private, of one alone", {PRIVATE(STORE, 1), PRIVATE(STORE, 1), PRIVATE(LOAD, 1), PRIVATE(STORE, 1)}, false, false},
        {"a private load after two stores", {STORES(0, 1), MEETS_AND_TELLS(true), STORES(0, 16), PRIVATE(LOAD, 16)}, true, true},
        {"the same after two loads", {STORES(0, 1), MEETS_AND_TELLS(true), STORES(0, 16), MEETS_AND_TELLS(true), LOADS(0, 1), MEETS_AND_TELLS(true), LOADS(0, 16), PRIVATE(LOAD, 16)}, true, true},
        {"a private load after two loads", {LOADS(0, 1), MEETS_AND_TELLS(true), LOADS(0, 16), PRIVATE(LOAD, 16)}, false, false},
        {"a private store after two loads", {LOADS(0, 1), MEETS_AND_TELLS(true), LOADS(0, 16), PRIVATE(STORE, 16)}, true, true},
        {"a private store after two stores", {STORES(0, 1), MEETS_AND_TELLS(true), STORES(0, 16), PRIVATE(STORE, 16)}, true, true},
        {"a load after two stores that are available", {STORES(0, 1), MEETS_AND_TELLS(true), STORES(0, 2), MEETS_AND_TELLS(true), LOADS(0, 16)}, false, false},
    };
    struct spv_tools *tools = spv_tools_new();
    int wrong = 0;
    for (size_t k = 0; k < sizeof rows / sizeof *rows; k++) {
        struct program g = {.vulkan = true};
        struct seen seen = {0};
        memcpy(g.step, rows[k].step, sizeof g.step);
        while (g.n < MOST && g.step[g.n].lanes)
            g.n++;
        compare(tools, &g, &seen);
        if (seen.raced == (rows[k].race ? 2 : 0) && seen.doubted == (rows[k].doubt ? 2 : 0))
            continue;
        print_error("%s: %u races, %u in doubt\n", rows[k].what, seen.raced, seen.doubted);
        wrong++;
    }
    assert_int_equal(wrong, 0);
    spv_tools_free(tools);
}

static struct seen rounds(enum mode mode, uint64_t seed)
{
    struct spv_tools *tools = spv_tools_new();
    struct rng r = {seed};
    const char *more = getenv("TANGLEFUZZ_TEST_ROUNDS"); // scripts/nightly.sh
    const uint32_t n = more ? (uint32_t)atoi(more) : ROUNDS;
    struct seen seen = {0};
    for (uint32_t k = 0; k < n; k++) {
        struct program g;
        draw(&r, &g, mode);
        compare(tools, &g, &seen);
    }
    print_message("%u runs: %u races, %u in doubt, %u values known\n", seen.programs, seen.raced, seen.doubted, seen.known);
    spv_tools_free(tools);
    return seen;
}

static void test_barriers(void **state)
{
    (void)state;
    const struct seen s = rounds(PLAIN, 20261122);
    assert_in_range(s.raced, s.programs / 5, s.programs - s.programs / 5); // enough of both
    assert_true(s.doubted < s.raced / 4 && s.known > s.programs / 2);
}

static void test_fences(void **state)
{
    (void)state;
    const struct seen s = rounds(FENCES, 20261123);
    assert_in_range(s.raced, s.programs / 5, s.programs - s.programs / 5);
    assert_true(s.doubted < s.raced / 3 && s.known > s.programs / 2);
}

static void test_few(void **state)
{
    (void)state;
    const struct seen s = rounds(FEW, 20261124);
    assert_in_range(s.raced, s.programs / 5, s.programs - s.programs / 5);
    assert_true(s.doubted < s.raced / 3 && s.known > s.programs / 2);
}

int main(void)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(test_by_hand), cmocka_unit_test(test_barriers), cmocka_unit_test(test_fences),
                                       cmocka_unit_test(test_few)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
