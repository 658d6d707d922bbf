// SPDX-License-Identifier: Apache-2.0
//
// Races, and what memory holds, against a literal reading: programs drawn at random, in which sets of
// invocations load, store and update words one step after the other, with barriers between; and every *pair*
// of accesses is asked whether something orders it. Two workgroups of two subgroups of four; buffers and
// Workgroup memory; GLSL450, with coherent buffers.

// clang-format off
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <cmocka.h>
// clang-format on

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "oracle/oracle.h"

enum { SIZE = 4, GROUP = 8, ALL = 16, WORDS = 4, MOST = 9, ROUNDS = 6000 };

enum what { LOAD, STORE, ADD, ADD_IN_GROUP, OR, EXCHANGE, ACCESSES, BARRIER = ACCESSES };
static const char *const names[] = {"load", "store", "add", "add (workgroup)", "or", "exchange", "barrier"};

struct step {
    enum what what;
    uint32_t word;  // 0, 1: of the buffer; 2, 3: Workgroup
    uint32_t lanes; // of all invocations
    // BARRIER:
    bool whole;   // of the workgroup, or of the subgroup
    bool wide;    // memory scope Workgroup, or Subgroup
    bool of[2];   // buffers, Workgroup memory: acquire and release; neither: no memory semantics
};
struct program {
    uint32_t n;
    struct step step[MOST];
};

// ---- the literal reading ------------------------------------------------------------------

static bool is_atomic(const struct step *s) { return s->what >= ADD && s->what <= EXCHANGE; }
static uint32_t space(const struct step *s) { return s->word >= 2; }

// Does step k release (and acquire) the memory `of` for the level: 0 a subgroup, 1 a workgroup?
static bool fences(const struct step *s, uint32_t of, int level)
{
    return s->what == BARRIER && s->of[of] && (level == 0 || s->wide);
}

// The invocations of p's subgroup (level 0) or workgroup.
static uint32_t around(uint32_t p, int level)
{
    return level ? 0xffu << (p / GROUP * GROUP) : 0xfu << (p / SIZE * SIZE);
}

// At this barrier everybody around p has released all that came before.
static bool tells(const struct program *g, uint32_t b, uint32_t of, int level, uint32_t p)
{
    if (g->step[b].what != BARRIER || (level == 1 && !g->step[b].whole))
        return false;
    for (uint32_t k = 0; k < b; k++) {
        const struct step *s = &g->step[k];
        bool released = s->what == BARRIER || space(s) != of || !(s->lanes & around(p, level));
        for (uint32_t r = k + 1; r <= b; r++)
            released |= fences(&g->step[r], of, level);
        if (!released)
            return false;
    }
    return true;
}

// Is what p does in step i before what q does in step j?
static bool before(const struct program *g, uint32_t i, uint32_t p, uint32_t j, uint32_t q)
{
    if (p == q)
        return i < j;
    const uint32_t of = space(&g->step[i]);
    for (int level = p / SIZE == q / SIZE ? 0 : 1; level < 2 && p / GROUP == q / GROUP; level++)
        for (uint32_t b = i + 1; b < j; b++)
            for (uint32_t a = b; a < j && tells(g, b, of, level, p); a++)
                if (fences(&g->step[a], of, level))
                    return true;
    return false;
}

static bool same_word(const struct step *s, uint32_t p, const struct step *t, uint32_t q)
{
    return s->what != BARRIER && t->what != BARRIER && s->word == t->word && s->lanes >> p & 1 &&
           t->lanes >> q & 1 && (s->word < 2 || p / GROUP == q / GROUP);
}

static bool unordered(const struct program *g, uint32_t i, uint32_t p, uint32_t j, uint32_t q)
{
    return p != q && same_word(&g->step[i], p, &g->step[j], q) && !before(g, i, p, j, q) &&
           !before(g, j, q, i, p);
}

// "Two conflicting accesses": one writes, not both are atomic, or their scope has not both.
static bool conflict(const struct step *s, uint32_t p, const struct step *t, uint32_t q)
{
    if (is_atomic(s) && is_atomic(t))
        return p / GROUP != q / GROUP && (s->what == ADD_IN_GROUP || t->what == ADD_IN_GROUP);
    return s->what != LOAD || t->what != LOAD;
}

static bool races(const struct program *g)
{
    for (uint32_t i = 0; i < g->n; i++)
        for (uint32_t j = i; j < g->n; j++)
            for (uint32_t p = 0; p < ALL; p++)
                for (uint32_t q = 0; q < ALL; q++)
                    if (conflict(&g->step[i], p, &g->step[j], q) && unordered(g, i, p, j, q))
                        return true;
    return false;
}

static bool commute(enum what x, enum what y)
{
    if (x == ADD_IN_GROUP)
        x = ADD;
    if (y == ADD_IN_GROUP)
        y = ADD;
    return x == y && x != EXCHANGE;
}

// Before step `end`: may the order of two updates of a word, as workgroup w sees it, be seen? Not where
// somebody later overwrites the word after both.
static bool open_order(const struct program *g, uint32_t word, uint32_t w, uint32_t end)
{
    const struct step at = {.what = LOAD, .word = word, .lanes = 0xffff};
    for (uint32_t i = 0; i < end; i++)
        for (uint32_t j = i; j < end; j++)
            for (uint32_t p = 0; p < ALL; p++)
                for (uint32_t q = 0; q < ALL; q++) {
                    const struct step *s = &g->step[i], *t = &g->step[j];
                    if (!same_word(s, p, &at, w * GROUP) || !same_word(t, q, &at, w * GROUP) ||
                        !is_atomic(s) || !is_atomic(t) || commute(s->what, t->what) ||
                        !unordered(g, i, p, j, q))
                        continue;
                    bool over = false;
                    for (uint32_t z = j; z < end; z++)
                        for (uint32_t o = 0; o < ALL; o++)
                            over |= (g->step[z].what == STORE || g->step[z].what == EXCHANGE) &&
                                    same_word(&g->step[z], o, t, q) && before(g, i, p, z, o) &&
                                    before(g, j, q, z, o);
                    if (!over)
                        return true;
                }
    return false;
}

static uint32_t value_of(uint32_t k) { return 3 * k + 1; }

// What the word holds for workgroup w before step `end`; false where that is not known.
static bool holds(const struct program *g, uint32_t word, uint32_t w, uint32_t end, uint32_t *value)
{
    bool known = word < 2; // Workgroup memory begins undefined
    *value = word;
    for (uint32_t k = 0; k < end; k++)
        for (uint32_t p = 0; p < ALL; p++) {
            const struct step *s = &g->step[k], at = {.word = word, .lanes = 0xffff};
            if (!same_word(s, p, &at, w * GROUP))
                continue;
            if (s->what == STORE || s->what == EXCHANGE)
                *value = value_of(k), known = true;
            else if (s->what == OR)
                *value |= value_of(k);
            else if (s->what != LOAD)
                *value += value_of(k);
        }
    return known && !open_order(g, word, w, end);
}

// ---- the same for the oracle ----------------------------------------------------------------

static const char head[] =
    "OpCapability Shader\nOpCapability GroupNonUniform\n"
    "OpExtension \"SPV_KHR_maximal_reconvergence\"\nOpMemoryModel Logical GLSL450\n"
    "OpEntryPoint GLCompute %main \"main\" %gid %buf %out %sh\n"
    "OpExecutionMode %main LocalSize 8 1 1\nOpExecutionMode %main MaximallyReconvergesKHR\n"
    "OpDecorate %gid BuiltIn GlobalInvocationId\nOpDecorate %words ArrayStride 4\n"
    "OpDecorate %block Block\nOpMemberDecorate %block 0 Offset 0\nOpDecorate %buf Coherent\n"
    "OpDecorate %buf DescriptorSet 0\nOpDecorate %buf Binding 0\n"
    "OpDecorate %out DescriptorSet 0\nOpDecorate %out Binding 1\n%void = OpTypeVoid\n"
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
    *n += (size_t)vsnprintf(text + *n, 32768 - *n, fmt, args);
    va_end(args);
    assert_true(*n < 32768);
}

static void add_access(char *text, size_t *n, uint32_t k, const struct step *s)
{
    static const char *const op[] = {[ADD] = "IAdd", [ADD_IN_GROUP] = "IAdd", [OR] = "Or",
                                     [EXCHANGE] = "Exchange"};
    add(text, n,
        "%%s%u = OpShiftRightLogical %%u32 %%c%u %%me\n%%b%u = OpBitwiseAnd %%u32 %%s%u %%c1\n"
        "%%on%u = OpIEqual %%bool %%b%u %%c1\nOpSelectionMerge %%m%u None\n"
        "OpBranchConditional %%on%u %%t%u %%m%u\n%%t%u = OpLabel\n",
        k, s->lanes, k, k, k, k, k, k, k, k, k);
    if (s->what == LOAD)
        add(text, n, "%%v%u = OpLoad %%u32 %%w%u\n%%p%u = OpIAdd %%u32 %%me %%c%u\n"
            "%%o%u = OpAccessChain %%word_ptr %%out %%c0 %%p%u\nOpStore %%o%u %%v%u\n",
            k, s->word, k, k * ALL, k, k, k, k);
    else if (s->what == STORE)
        add(text, n, "OpStore %%w%u %%c%u\n", s->word, value_of(k));
    else
        add(text, n, "%%v%u = OpAtomic%s %%u32 %%w%u %%c%u %%c0 %%c%u\n", k, op[s->what], s->word,
            s->what == ADD_IN_GROUP ? 2 : 1, value_of(k));
    add(text, n, "OpBranch %%m%u\n%%m%u = OpLabel\n", k, k);
}

static void write_program(const struct program *g, char *text, size_t *n)
{
    static bool constant[1 << 16];
    memset(constant, 0, sizeof constant);
    for (uint32_t k = 0; k < MOST; k++)
        constant[k] = constant[k * ALL] = constant[value_of(k)] = true;
    for (uint32_t k = 0; k < g->n; k++)
        if (g->step[k].what != BARRIER)
            constant[g->step[k].lanes] = true;
    constant[8 | 64] = constant[8 | 256] = constant[8 | 64 | 256] = true;
    add(text, n, "%s", head);
    for (uint32_t k = 0; k < 1 << 16; k++)
        if (constant[k])
            add(text, n, "%%c%u = OpConstant %%u32 %u\n", k, k);
    add(text, n, "%%sh_words = OpTypeArray %%u32 %%c2\n%%sh_ptr = OpTypePointer Workgroup %%sh_words\n"
        "%%sw_ptr = OpTypePointer Workgroup %%u32\n%%sh = OpVariable %%sh_ptr Workgroup\n"
        "%%main = OpFunction %%void None %%fn\n%%entry = OpLabel\n%%g = OpLoad %%u3 %%gid\n"
        "%%me = OpCompositeExtract %%u32 %%g 0\n%%w0 = OpAccessChain %%word_ptr %%buf %%c0 %%c0\n"
        "%%w1 = OpAccessChain %%word_ptr %%buf %%c0 %%c1\n%%w2 = OpAccessChain %%sw_ptr %%sh %%c0\n"
        "%%w3 = OpAccessChain %%sw_ptr %%sh %%c1\n");
    for (uint32_t k = 0; k < g->n; k++) {
        const struct step *s = &g->step[k];
        const uint32_t classes = (s->of[0] ? 64 : 0) | (s->of[1] ? 256 : 0);
        if (s->what == BARRIER)
            add(text, n, "OpControlBarrier %%c%u %%c%u %%c%u\n", s->whole ? 2 : 3, s->wide ? 2 : 3,
                classes ? classes | 8 : 0);
        else
            add_access(text, n, k, s);
    }
    add(text, n, "OpReturn\nOpFunctionEnd\n");
}

static void draw(struct rng *r, struct program *g)
{
    g->n = 2 + rng_next(r) % (MOST - 1);
    const uint32_t words = 1 + rng_next(r) % 2, first = rng_next(r) % WORDS;
    for (uint32_t k = 0; k < g->n; k++) {
        struct step *s = &g->step[k];
        *s = (struct step){.what = (enum what)(rng_next(r) % ACCESSES)};
        if (rng_next(r) % 5 < 2) {
            s->what = BARRIER;
            s->whole = rng_next(r) % 4 != 0;
            s->wide = rng_next(r) % 4 != 0;
            s->of[0] = rng_next(r) % 5 != 0;
            s->of[1] = rng_next(r) % 5 != 0;
            continue;
        }
        s->word = (first + rng_next(r) % words) % WORDS;
        const uint32_t one = rng_next(r) % ALL, other = rng_next(r) % ALL;
        switch (rng_next(r) % 7) {
        case 0: s->lanes = around(one, 0); break;
        case 1: s->lanes = around(one, 1); break;
        case 2: s->lanes = 1u << one | 1u << other; break;
        case 3: s->lanes = s->what == STORE ? 1u << one : 0xffff; break;
        default: s->lanes = 1u << (rng_next(r) % 2 ? one % SIZE : one); break;
        }
    }
}

static void told(const struct program *g, const char *what)
{
    print_error("%s\n", what);
    for (uint32_t k = 0; k < g->n; k++) {
        const struct step *s = &g->step[k];
        if (s->what == BARRIER)
            print_error("  %u: barrier of %s, memory scope %s%s%s\n", k, s->whole ? "workgroup" : "subgroup",
                        s->wide ? "workgroup" : "subgroup", s->of[0] ? ", buffers" : "",
                        s->of[1] ? ", workgroup memory" : "");
        else
            print_error("  %u: %s of word %u by 0x%x\n", k, names[s->what], s->word, s->lanes);
    }
    fail();
}

static void compare(struct spv_tools *tools, const struct program *g, uint32_t *raced, uint32_t *known)
{
    static char text[32768];
    struct arena a = {0};
    struct err e;
    struct spv_case c = {.groups = {2, 1, 1}, .subgroup = SIZE, .buffer_count = 2};
    uint32_t start[2] = {0, 1}, zero[MOST * ALL] = {0};
    size_t n = 0;
    char what[200];
    write_program(g, text, &n);
    if (!spv_assemble(tools, &a, text, n, 1, &c.words, &c.count, &e) ||
        !spv_validate(tools, SPV_ENV_UNIVERSAL_1_6, c.words, c.count, &e))
        fail_msg("%s", e.msg);
    c.buffer[0] = (struct spv_buffer){.count = 2, .words = start};
    c.buffer[1] = (struct spv_buffer){.binding = 1, .count = MOST * ALL, .words = zero};
    const bool race = races(g);
    *raced += race;
    for (int machine = ORC_MASK; machine <= ORC_TAG; machine++) {
        struct orc_result r;
        orc_predict(&a, &c, 0, &(struct orc_options){.machine = (enum orc_machine)machine}, &r);
        if (race != (r.why.status == ORC_UNDEFINED && strcmp(r.why.rule, "E-race") == 0) ||
            (!race && r.why.status != ORC_OK)) {
            snprintf(what, sizeof what, "%s; the oracle: %s", race ? "a race" : "no race", r.why.text);
            told(g, what);
        }
        for (uint32_t k = 0; k <= g->n && !race; k++)
            for (uint32_t p = 0; p < ALL; p++) {
                const struct step *s = &g->step[k];
                if (k == g->n ? p >= 2 : s->what != LOAD || !(s->lanes >> p & 1))
                    continue;
                const struct spv_memory *m = &r.memory[k < g->n];
                const uint32_t at = k < g->n ? k * ALL + p : p;
                uint32_t value, mask = m->mask ? m->mask[at] : UINT32_MAX;
                const bool must = holds(g, k < g->n ? s->word : p, p / GROUP, k, &value);
                *known += must;
                if (must != (mask != 0) || (must && m->words[at] != value)) {
                    snprintf(what, sizeof what, "step %u, invocation %u: %s%u; the oracle: 0x%x/0x%x", k,
                             p, must ? "" : "not known, perhaps ", value, m->words[at], mask);
                    told(g, what);
                }
            }
    }
    arena_free(&a);
}

static void test_pairs(void **state)
{
    (void)state;
    struct spv_tools *tools = spv_tools_new();
    struct rng r = {20261122};
    const char *more = getenv("TANGLEFUZZ_TEST_ROUNDS"); // scripts/nightly.sh
    const uint32_t rounds = more ? (uint32_t)atoi(more) : ROUNDS;
    uint32_t raced = 0, known = 0;
    for (uint32_t k = 0; k < rounds; k++) {
        struct program g;
        draw(&r, &g);
        compare(tools, &g, &raced, &known);
    }
    // There is enough of both.
    assert_in_range(raced, rounds / 5, rounds - rounds / 5);
    assert_true(known > rounds);
    spv_tools_free(tools);
}

int main(void)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(test_pairs)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
