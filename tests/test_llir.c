// SPDX-License-Identifier: Apache-2.0
//
// llir: the machine that runs LLVM IR by its tokens. Two programs written by hand as the words that
// the worker would write, their results worked out by L3 and L4; the machine with its rule broken
// in four ways must give others. And any words at all must do no harm.
// clang-format off
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <cmocka.h>
// clang-format on

#include "judge/judge.h"
#include "llir/llir.h"

#include <string.h>

enum { LANES = 8, WORDS = 64 };
enum { VOID, I32, I1, TOKEN, V4, PTR, HANDLE, I64, V2, TYPES }; // types, in order
enum {
    RET = 1,
    CBR = 71,
    BR = 70,
    ADD = 8,
    SUB = 10,
    UDIV = 14,
    SHL = 20,
    AND = 23,
    STORE = 28,
    LOAD = 27,
    ALLOCA = 26,
    ICMP = 42,
    PHI = 44,
    CALL = 45,
    SELECT = 46,
    FREEZE = 68,
    EXTRACT = 50,
    ZEXT = 31
};
enum { EQ = 32 << 8, ULT = 36 << 8, NSW = 2 };
enum {
    F_ENTRY = 1,
    F_LOOP,
    F_BALLOT,
    F_LANE,
    F_HANDLE,
    F_POINTER,
    F_MAIN,
    C0,
    C1,
    C3,
    C5,
    C16,
    C_TRUE,
    C_POISON,
    C_UNDEF,
    C_MAX,
    C_32,
    C_V4,
    GLOBAL,
    FIRST
}; // ids of instructions

struct made {
    struct arena *a;
    struct words w;
};

static void put(struct made *m, uint32_t kind, const uint32_t *v, uint32_t n)
{
    *VEC_PUSH(m->a, &m->w) = LLIR_RECORD(kind, n + 1);
    for (uint32_t i = 0; i < n; i++)
        *VEC_PUSH(m->a, &m->w) = v[i];
}
#define PUT(m, kind, ...)                                                                          \
    put((m), (kind), (const uint32_t[]){__VA_ARGS__},                                              \
        sizeof((const uint32_t[]){__VA_ARGS__}) / sizeof(uint32_t))
// INST(m, opcode, id, type, flags, token, operands...)
#define INST(m, ...) PUT(m, LLIR_INST, __VA_ARGS__)
#define BLOCK(m)     put((m), LLIR_BLOCK, NULL, 0)

static void declare(struct made *m, uint32_t id, uint32_t type, const char *name)
{
    uint32_t v[32] = {id, type, 1, 0};
    memcpy(v + 4, name, strlen(name));
    put(m, LLIR_FUNCTION, v, 4 + (uint32_t)strlen(name) / 4 + 1);
}

// Everything up to main's first block.
static void start(struct made *m, struct arena *a)
{
    static const uint32_t types[TYPES][3] = {
        [VOID] = {0}, [I32] = {8, 32}, [I1] = {8, 1},   [TOKEN] = {16},     [V4] = {13, 4, I32},
        [PTR] = {12}, [HANDLE] = {20}, [I64] = {8, 64}, [V2] = {13, 2, I64}};
    *m = (struct made){.a = a};
    for (uint32_t i = 0; i < LLIR_HEADER; i++)
        *VEC_PUSH(a, &m->w) = 0;
    for (uint32_t i = 0; i < TYPES; i++)
        put(m, LLIR_TYPE, types[i], 3);
    PUT(m, LLIR_CONSTANT, C0, I32, LLIR_ZERO);
    PUT(m, LLIR_CONSTANT, C1, I32, LLIR_INTEGER, 1, 0);
    PUT(m, LLIR_CONSTANT, C3, I32, LLIR_INTEGER, 3, 0);
    PUT(m, LLIR_CONSTANT, C5, I32, LLIR_INTEGER, 5, 0);
    PUT(m, LLIR_CONSTANT, C16, I32, LLIR_INTEGER, 16, 0);
    PUT(m, LLIR_CONSTANT, C_MAX, I32, LLIR_INTEGER, INT32_MAX, 0);
    PUT(m, LLIR_CONSTANT, C_32, I64, LLIR_INTEGER, 32, 0);
    PUT(m, LLIR_CONSTANT, C_V4, V4, LLIR_VECTOR, C1, C3, C5, C16);
    PUT(m, LLIR_CONSTANT, C_TRUE, I1, LLIR_INTEGER, 1, 0);
    PUT(m, LLIR_CONSTANT, C_POISON, I32, LLIR_POISON);
    PUT(m, LLIR_CONSTANT, C_UNDEF, I32, LLIR_UNDEF);
    PUT(m, LLIR_GLOBAL, GLOBAL, 12, 0, 4, C5, C3, C16);
    declare(m, F_ENTRY, TOKEN, "llvm.experimental.convergence.entry");
    declare(m, F_LOOP, TOKEN, "llvm.experimental.convergence.loop");
    declare(m, F_BALLOT, V4, "llvm.spv.subgroup.ballot");
    declare(m, F_LANE, I32, "llvm.spv.subgroup.local.invocation.id");
    declare(m, F_HANDLE, HANDLE,
            "llvm.spv.resource.handlefrombinding.tspirv.VulkanBuffer_a0i32_12_1t");
    declare(m, F_POINTER, PTR, "llvm.spv.resource.getpointer.p11.tspirv.VulkanBuffer_a0i32_12_1t");
    PUT(m, LLIR_FUNCTION, F_MAIN, VOID, 0, 0, 0x6e69616d, 0);
}

static void end(struct made *m)
{
    const uint32_t header[LLIR_HEADER] = {LLIR_MAGIC, LLIR_VERSION, 200, 0};
    memcpy(m->w.v, header, sizeof header);
}

// out[word at `index`] = ballot(true) with a token; takes ids from `id` on.
static void log_ballot(struct made *m, uint32_t id, uint32_t handle, uint32_t token, uint32_t index)
{
    INST(m, CALL, id, V4, 0, token, F_BALLOT, C_TRUE);
    INST(m, EXTRACT, id + 1, I32, 0, 0, id, C0);
    INST(m, CALL, id + 2, PTR, 0, 0, F_POINTER, handle, index);
    INST(m, STORE, id + 3, VOID, 0, 0, id + 1, id + 2);
}

enum { ENTRY = FIRST, OUT, LANE, AND3, I, LOOP, IS, NEXT, AFTER, LAST = 60 };

// for (i = 0;; ++i) if (i == (lane & 3)) { out[lane] = ballot; break; }   out[lane + 16] = ballot
static void break_block(struct made *m, struct arena *a)
{
    start(m, a);
    BLOCK(m); // 0
    INST(m, CALL, ENTRY, TOKEN, 0, 0, F_ENTRY);
    INST(m, CALL, OUT, HANDLE, 0, 0, F_HANDLE, C0, C0, C1, C0, GLOBAL);
    INST(m, CALL, LANE, I32, 0, 0, F_LANE);
    INST(m, AND, AND3, I32, 0, 0, LANE, C3);
    INST(m, BR, LAST, VOID, 0, 0, 1);
    BLOCK(m); // 1: header
    INST(m, PHI, I, I32, 0, 0, C0, 0, NEXT, 2);
    INST(m, CALL, LOOP, TOKEN, 0, ENTRY, F_LOOP);
    INST(m, ICMP, IS, I1, EQ, 0, I, AND3);
    INST(m, CBR, LAST + 1, VOID, 0, 0, IS, 3, 2);
    BLOCK(m); // 2: latch
    INST(m, ADD, NEXT, I32, NSW, 0, I, C1);
    INST(m, BR, LAST + 2, VOID, 0, 0, 1);
    BLOCK(m); // 3: break block, of the loop's extended cycle (L4)
    log_ballot(m, 70, OUT, LOOP, LANE);
    INST(m, BR, LAST + 3, VOID, 0, 0, 4);
    BLOCK(m); // 4
    INST(m, ADD, AFTER, I32, 0, 0, LANE, C16);
    log_ballot(m, 80, OUT, ENTRY, AFTER);
    INST(m, RET, LAST + 4, VOID, 0, 0);
    end(m);
}

// n = lane * 4 (8 lanes); for (o = 0; o < 2; ++o)   for (i = 0; i <= (lane & 1); ++i)
//     out[n++] = ballot;                   out[lane + 32] = ballot
static void nested(struct made *m, struct arena *a)
{
    enum { O = 40, TO, OK, TI, N, NN, IN, IOK, ILIM, ONEXT, INEXT, L1, BASE, AT, NO, C32_ };
    start(m, a);
    BLOCK(m); // 0
    INST(m, CALL, ENTRY, TOKEN, 0, 0, F_ENTRY);
    INST(m, CALL, OUT, HANDLE, 0, 0, F_HANDLE, C0, C0, C1, C0, GLOBAL);
    INST(m, CALL, LANE, I32, 0, 0, F_LANE);
    INST(m, AND, L1, I32, 0, 0, LANE, C1);
    INST(m, ADD, ILIM, I32, 0, 0, L1, C1);
    INST(m, ADD, C32_, I32, 0, 0, C16, C16);
    INST(m, ADD, AT, I32, 0, 0, C32_, LANE);
    INST(m, ADD, 90, I32, 0, 0, LANE, LANE);
    INST(m, ADD, BASE, I32, 0, 0, 90, 90);
    INST(m, BR, LAST, VOID, 0, 0, 1);
    BLOCK(m); // 1: outer header
    INST(m, PHI, O, I32, 0, 0, C0, 0, ONEXT, 4);
    INST(m, PHI, NO, I32, 0, 0, BASE, 0, NN, 4);
    INST(m, CALL, TO, TOKEN, 0, ENTRY, F_LOOP);
    INST(m, ICMP, OK, I1, ULT, 0, O, 91);
    INST(m, CBR, LAST + 1, VOID, 0, 0, OK, 2, 5);
    BLOCK(m); // 2: inner header
    INST(m, PHI, IN, I32, 0, 0, C0, 1, INEXT, 3);
    INST(m, PHI, N, I32, 0, 0, NO, 1, NN, 3);
    INST(m, CALL, TI, TOKEN, 0, TO, F_LOOP);
    log_ballot(m, 70, OUT, TI, N);
    INST(m, ADD, NN, I32, 0, 0, N, C1);
    INST(m, ADD, INEXT, I32, 0, 0, IN, C1);
    INST(m, ICMP, IOK, I1, ULT, 0, INEXT, ILIM);
    INST(m, CBR, LAST + 2, VOID, 0, 0, IOK, 3, 4);
    BLOCK(m); // 3: inner latch
    INST(m, BR, LAST + 3, VOID, 0, 0, 2);
    BLOCK(m); // 4: outer latch
    INST(m, ADD, ONEXT, I32, 0, 0, O, C1);
    INST(m, BR, LAST + 4, VOID, 0, 0, 1);
    BLOCK(m); // 5
    log_ballot(m, 80, OUT, ENTRY, AT);
    INST(m, RET, LAST + 5, VOID, 0, 0);
    PUT(m, LLIR_CONSTANT, 91, I32, LLIR_INTEGER, 2, 0);
    end(m);
}

// A straight program: out[lane] = one value of ids FIRST + 10 .., made by `body`.
static void straight(struct made *m, struct arena *a, void (*body)(struct made *m), uint32_t value)
{
    start(m, a);
    BLOCK(m);
    INST(m, CALL, ENTRY, TOKEN, 0, 0, F_ENTRY);
    INST(m, CALL, OUT, HANDLE, 0, 0, F_HANDLE, C0, C0, C1, C0, GLOBAL);
    INST(m, CALL, LANE, I32, 0, 0, F_LANE);
    body(m);
    INST(m, CALL, LAST, PTR, 0, 0, F_POINTER, OUT, LANE);
    INST(m, STORE, LAST + 1, VOID, 0, 0, value, LAST);
    INST(m, RET, LAST + 2, VOID, 0, 0);
    end(m);
}

// A case that is run with the words in the place of its shader.
static struct spv_case shell_case(struct arena *a)
{
    static const char shell[] =
        "OpCapability Shader\nOpMemoryModel Logical GLSL450\nOpEntryPoint GLCompute %1 \"main\"\n"
        "OpExecutionMode %1 LocalSize 8 1 1\n%2 = OpTypeVoid\n%3 = OpTypeFunction %2\n"
        "%1 = OpFunction %2 None %3\n%4 = OpLabel\nOpReturn\nOpFunctionEnd\n";
    struct spv_tools *tools = spv_tools_new();
    struct spv_case c = {.groups = {1, 1, 1}, .buffer_count = 1};
    struct err e = {0};
    assert_true(spv_assemble(tools, a, shell, sizeof shell - 1, 1, &c.words, &c.count, &e));
    spv_tools_free(tools);
    c.buffer[0] = (struct spv_buffer){.count = WORDS, .words = ARENA_ARRAY(a, uint32_t, WORDS)};
    return c;
}

static struct llir_result run(struct arena *a, const uint32_t *words, size_t count,
                              enum llir_fault fault)
{
    const struct spv_case c = shell_case(a);
    struct llir_result out;
    struct llir_options o = {.fault = fault, .step_limit = 10000};
    llir_run(a, words, count, &c, LANES, &o, &out);
    return out;
}

static void a_break_block_stays_split(void **state)
{
    (void)state;
    struct arena a = {0};
    struct made m;
    break_block(&m, &a);
    struct llir_result r = run(&a, m.w.v, m.w.n, LLIR_FAULT_NONE);
    assert_string_equal(r.text, "");
    for (uint32_t l = 0; l < LANES; l++) {
        assert_int_equal(r.memory[0].words[l], 0x11u << (l & 3));
        assert_int_equal(r.memory[0].words[l + 16], 0xff);
    }
    assert_int_equal(r.group_ops, 5);
    assert_int_equal(r.partial, 4);
    // One instance for all iterations, and no instances: all eight are together.
    r = run(&a, m.w.v, m.w.n, LLIR_FAULT_NO_ITERATIONS);
    assert_int_equal(r.memory[0].words[0], 0xff);
    r = run(&a, m.w.v, m.w.n, LLIR_FAULT_NO_TOKENS);
    assert_int_equal(r.memory[0].words[0], 0xff);
    arena_free(&a);
}

static void nested_loops(void **state)
{
    (void)state;
    struct arena a = {0};
    struct made m;
    nested(&m, &a);
    struct llir_result r = run(&a, m.w.v, m.w.n, LLIR_FAULT_NONE);
    assert_string_equal(r.text, "");
    const uint32_t *w = r.memory[0].words;
    for (uint32_t l = 0; l < LANES; l++) {
        // Each outer round: all do the inner loop's first, odd lanes the second.
        const uint32_t odd[4] = {0xff, 0xaa, 0xff, 0xaa}, even[4] = {0xff, 0xff, 0, 0};
        assert_memory_equal(w + 4 * l, l & 1 ? odd : even, sizeof odd);
        assert_int_equal(w[32 + l], 0xff);
    }
    assert_true(r.waits > 0); // even lanes come first to the next round, and to the end
    // The second round's first time in the inner loop is not odd lanes' third.
    r = run(&a, m.w.v, m.w.n, LLIR_FAULT_NO_PARENT);
    assert_int_not_equal(r.memory[0].words[2 + 4], 0xff);
    // Who does not wait is alone behind the loop.
    r = run(&a, m.w.v, m.w.n, LLIR_FAULT_NO_WAITING);
    assert_int_not_equal(r.memory[0].words[32], 0xff);
    arena_free(&a);
}

// ---- poison ------------------------------------------------------------------------------------

enum { V = FIRST + 10 };
static void wraps(struct made *m)
{
    INST(m, ADD, V, I32, NSW, 0, C_MAX, C1);
}
static void plain(struct made *m)
{
    INST(m, ADD, V, I32, 0, 0, C_MAX, C1);
}
// 0 and any value is 0, also where that went through another operation; of poison it is poison.
static void undef_absorbed(struct made *m)
{
    INST(m, ADD, V + 1, I32, 0, 0, C_UNDEF, C1);
    INST(m, AND, V, I32, 0, 0, V + 1, C0);
}
static void undef_not_absorbed(struct made *m)
{
    INST(m, AND, V, I32, 0, 0, C_UNDEF, C1);
}
static void undef_that_may_wrap(struct made *m)
{
    INST(m, ADD, V + 1, I32, NSW, 0, C_UNDEF, C1);
    INST(m, AND, V, I32, 0, 0, V + 1, C0);
}
static void poison_not_absorbed(struct made *m)
{
    INST(m, AND, V, I32, 0, 0, C_POISON, C0);
}
static void frozen(struct made *m)
{
    INST(m, FREEZE, V, I32, 0, 0, C_POISON);
}
static void far_shift(struct made *m)
{
    INST(m, ADD, V + 1, I32, 0, 0, C16, C16);
    INST(m, SHL, V, I32, 0, 0, C1, V + 1);
}
static void divides(struct made *m)
{
    INST(m, UDIV, V, I32, 0, 0, C1, C0);
}
static void far_load(struct made *m)
{
    INST(m, ADD, V + 2, I32, 0, 0, C_MAX, C0);
    INST(m, CALL, V + 1, PTR, 0, 0, F_POINTER, OUT, V + 2);
    INST(m, LOAD, V, I32, 0, 0, V + 1);
}
static void unwritten(struct made *m)
{
    INST(m, ALLOCA, V + 1, PTR, 0, 0, 4);
    INST(m, LOAD, V, I32, 0, 0, V + 1);
}
static void chosen(struct made *m)
{
    INST(m, ICMP, V + 1, I1, EQ, 0, C1, C1);
    INST(m, SELECT, V, I32, 0, 0, V + 1, C5, C_POISON);
}
static void recast(struct made *m) // <4 x i32> <1, 3, 5, 16> as two words of 64 bits
{
    INST(m, 41, V + 1, V2, 0, 0, C_V4);
    INST(m, EXTRACT, V + 2, I64, 0, 0, V + 1, C1);
    INST(m, 21, V + 3, I64, 0, 0, V + 2, C_32);
    INST(m, 30, V, I32, 0, 0, V + 3);
}
static void table(struct made *m) // {5, 3, 16}[2]
{
    INST(m, 29, V + 1, PTR, 0, 0, GLOBAL, 8, 0);
    INST(m, LOAD, V, I32, 0, 0, V + 1);
}
static void past_the_table(struct made *m)
{
    INST(m, 29, V + 1, PTR, 0, 0, GLOBAL, 0, 0, C3, 4);
    INST(m, LOAD, V, I32, 0, 0, V + 1);
}
static void unknown(struct made *m)
{
    INST(m, 200, V, I32, 0, 0, C1, C1);
}
static void without_token(struct made *m)
{
    INST(m, CALL, V + 1, V4, 0, 0, F_BALLOT, C_TRUE);
    INST(m, EXTRACT, V, I32, 0, 0, V + 1, C0);
}

static void poison(void **state)
{
    (void)state;
    static const struct {
        void (*body)(struct made *m);
        enum ran status;
        uint32_t word, mask;
    } rows[] = {
        {plain, RAN_OK, 0x80000000, UINT32_MAX},
        {wraps, RAN_OK, 0, 0},
        {frozen, RAN_OK, 0, UINT32_MAX},
        {far_shift, RAN_OK, 0, 0},
        {divides, RAN_UNDEFINED, 0, 0},
        {far_load, RAN_UNDEFINED, 0, 0},
        {unwritten, RAN_OK, 0, 0},
        {chosen, RAN_OK, 5, UINT32_MAX},
        {recast, RAN_OK, 16, UINT32_MAX},
        {table, RAN_OK, 16, UINT32_MAX},
        {past_the_table, RAN_UNDEFINED, 0, 0},
        {unknown, RAN_UNSUPPORTED, 0, 0},
        {without_token, RAN_UNSUPPORTED, 0, 0},
    };
    for (size_t k = 0; k < sizeof rows / sizeof *rows; k++) {
        struct arena a = {0};
        struct made m;
        straight(&m, &a, rows[k].body, V);
        struct llir_result r = run(&a, m.w.v, m.w.n, LLIR_FAULT_NONE);
        if (r.status != rows[k].status)
            fail_msg("row %zu: status %d, %s", k, (int)r.status, r.text);
        assert_int_equal(r.text[0] != 0, r.status != RAN_OK);
        if (r.status == RAN_OK) {
            assert_int_equal(r.memory[0].words[3], rows[k].word);
            assert_int_equal(r.memory[0].mask[3], rows[k].mask);
        }
        arena_free(&a);
    }
}

// A branch on poison has no meaning, an endless loop is one.
static void ends(void **state)
{
    (void)state;
    struct arena a = {0};
    struct made m;
    break_block(&m, &a);
    for (size_t k = 0; k + 6 < m.w.n; k++) {
        const uint32_t branch[] = {LLIR_RECORD(LLIR_INST, 9), CBR, LAST + 1, VOID, 0, 0, IS, 3, 2};
        if (memcmp(&m.w.v[k], branch, sizeof branch) == 0)
            m.w.v[k + 7] = 2; // both ways lead on
    }
    struct llir_result r = run(&a, m.w.v, m.w.n, LLIR_FAULT_NONE);
    assert_int_equal(r.status, RAN_OVER_LIMIT);
    arena_free(&a);
}

// What the judge makes of it: the IR is what a compiler left, the words are what is expected.
static void judged(void **state)
{
    (void)state;
    static const struct {
        void (*body)(struct made *m); // NULL: an endless loop
        uint32_t word, mask;          // expected of the first eight
        enum judge_class klass;       // JUDGE_AGREES: it leaves memory
        const char *text;
    } rows[] = {
        {plain, 0x80000000, UINT32_MAX, JUDGE_AGREES, ""},
        {wraps, 0, 0, JUDGE_AGREES, ""},
        {wraps, 0, 1, JUDGE_UNDEFINED_OUTPUT, "the IR leaves poison or undef in memory: buffer 0:0, word 0"},
        {undef_absorbed, 0, UINT32_MAX, JUDGE_AGREES, ""},
        {undef_not_absorbed, 0, 1, JUDGE_UNDEFINED_OUTPUT, "the IR leaves poison or undef in memory: "},
        {undef_that_may_wrap, 0, 1, JUDGE_UNDEFINED_OUTPUT, "the IR leaves poison or undef in memory: "},
        {poison_not_absorbed, 0, 1, JUDGE_UNDEFINED_OUTPUT, "the IR leaves poison or undef in memory: "},
        {divides, 0, UINT32_MAX, JUDGE_UNDEFINED_OUTPUT, "the IR has undefined behaviour: "},
        {unknown, 0, UINT32_MAX, JUDGE_SKIPPED, ""},
        {NULL, 0, UINT32_MAX, JUDGE_HANG, "the output does not end: more than 200640 instructions in a subgroup, where all of the input takes 10"},
    };
    for (size_t k = 0; k < sizeof rows / sizeof *rows; k++) {
        struct arena a = {0};
        struct made m;
        uint32_t words[WORDS] = {0}, mask[WORDS];
        if (rows[k].body)
            straight(&m, &a, rows[k].body, V);
        else
            break_block(&m, &a);
        for (size_t i = 0; !rows[k].body && i + 8 < m.w.n; i++)
            if (m.w.v[i] == LLIR_RECORD(LLIR_INST, 9) && m.w.v[i + 1] == CBR)
                m.w.v[i + 7] = 2; // both ways lead on
        memset(mask, 0xff, sizeof mask);
        for (uint32_t i = 0; i < LANES; i++)
            words[i] = rows[k].word, mask[i] = rows[k].mask;
        const struct spv_case c = shell_case(&a);
        struct spv_memory expected = {.count = WORDS, .words = words, .mask = mask, .hex = true};
        struct prediction p = {.c = &c, .subgroup = LANES};
        p.made.memory = &expected, p.made.memory_count = 1, p.made.stats.steps = 10;
        struct run_result r = {.form = RUN_FORM_LLVM_IR, .words = m.w.v, .word_count = m.w.n};
        struct judge_verdict v = {.klass = JUDGE_FAILED};
        const bool ran = observe_module(&a, NULL, &p, &p.policy, &expected, &r, &v);
        assert_int_equal(ran, rows[k].klass == JUDGE_AGREES);
        if (!ran)
            assert_int_equal(v.klass, rows[k].klass);
        assert_int_equal(strncmp(v.text, rows[k].text, strlen(rows[k].text)), 0);
        assert_int_equal(v.text[0] != 0, !ran);
        if (ran) {
            assert_int_equal(r.memory_count, 1);
            assert_null(r.memory[0].mask);
            assert_true(r.memory[0].hex);
            assert_true(!rows[k].mask || r.memory[0].words[LANES - 1] == rows[k].word);
        }
        arena_free(&a);
    }
}

// ---- any words
// -----------------------------------------------------------------------------------

static void any_words(void **state)
{
    (void)state;
    struct rng rng = {7};
    for (uint32_t turn = 0; turn < 6000; turn++) {
        struct arena a = {0};
        struct made m;
        (turn & 1 ? break_block : nested)(&m, &a);
        for (uint32_t n = 1 + rng_below(&rng, 3); n; n--) {
            uint32_t *w = &m.w.v[rng_below(&rng, (uint32_t)m.w.n)];
            *w = rng_below(&rng, 3) ? rng_below(&rng, 100) : *w ^ 1u << rng_below(&rng, 32);
        }
        const size_t count = rng_below(&rng, 8) ? m.w.n : rng_below(&rng, (uint32_t)m.w.n + 1);
        const uint32_t *exact = arena_copy(&a, m.w.v, count * sizeof *m.w.v);
        struct llir_result r = run(&a, exact, count, LLIR_FAULT_NONE);
        if ((r.text[0] != 0) != (r.status != RAN_OK))
            fail_msg("%d '%s' %u", (int)r.status, r.text, turn);
        arena_free(&a);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(a_break_block_stays_split),
        cmocka_unit_test(nested_loops),
        cmocka_unit_test(poison),
        cmocka_unit_test(ends),
        cmocka_unit_test(judged),
        cmocka_unit_test(any_words),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
