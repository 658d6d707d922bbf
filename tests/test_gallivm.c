// SPDX-License-Identifier: Apache-2.0
//
// isa: the machine of lavapipe's LLVM IR. Each row computes %r, a vector of eight words, as LLVM's language reference says;
// texts that are refused, by name and line; texts changed at random, which must not harm.
// clang-format off
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <cmocka.h>
// clang-format on

#include "gallivm/gallivm.h"

#include <stdlib.h>
#include <string.h>

#define MAIN                                                                                                                        \
    "define void @cs_variant(ptr noalias %0, ptr noalias %1, i32 %2, i32 %3, i32 %4, i32 %5, i32 %6, i32 %7, i32 %8, i32 %9, "       \
    "i32 %10, i32 %11, i32 %12, ptr noalias %13, ptr noalias %14) {\nentry:\n"                                                      \
    "  %t = getelementptr [16 x { ptr, i32 }], ptr %1, i32 0, i32 1, i32 0\n  %set = load ptr, ptr %t, align 8\n"                    \
    "  %b = load ptr, ptr %set, align 8\n"
#define END "  store <8 x i32> %r, ptr %b, align 4\n  ret void\n}\n"
#define LANES "<8 x i32> <i32 0, i32 1, i32 2, i32 3, i32 4, i32 5, i32 6, i32 7>"

static struct spv_case read_case(struct arena *a, struct spv_tools *tools)
{
    struct spv_case c;
    struct err e;
    if (!spv_case_read(tools, a, arena_printf(a, "%s/tests/passes/break-block.spvasm", getenv("SOURCE_DIR")), &c, &e))
        fail_msg("%s", e.msg);
    return c;
}

static void run(struct arena *a, const struct spv_case *c, const char *text, struct isa_result *out)
{
    const struct isa_options o = {.random_fill = 1, .step_limit = 10000};
    const struct isa_code *code = gallivm_read(a, text, 8, out);
    if (code)
        isa_run(a, code, c, &o, out);
}

static const struct {
    const char *body;
    uint32_t want[8];
} rows[] = {
    {"  %r = add " LANES ", splat (i32 -1)\n", {UINT32_MAX, 0, 1, 2, 3, 4, 5, 6}},
    {"  %r = sub " LANES ", splat (i32 1)\n", {UINT32_MAX, 0, 1, 2, 3, 4, 5, 6}},
    {"  %r = mul " LANES ", splat (i32 -2)\n", {0, -2u, -4u, -6u, -8u, -10u, -12u, -14u}},
    {"  %r = urem " LANES ", splat (i32 3)\n", {0, 1, 2, 0, 1, 2, 0, 1}},
    {"  %m = sub " LANES ", splat (i32 4)\n  %r = sdiv <8 x i32> %m, splat (i32 2)\n", {-2u, -1u, -1u, 0, 0, 0, 1, 1}},
    {"  %m = sub " LANES ", splat (i32 4)\n  %r = srem <8 x i32> %m, splat (i32 3)\n", {-1u, 0, -2u, -1u, 0, 1, 2, 0}},
    {"  %m = sub " LANES ", splat (i32 4)\n  %r = ashr <8 x i32> %m, splat (i32 1)\n", {-2u, -2u, -1u, -1u, 0, 0, 1, 1}},
    {"  %r = lshr " LANES ", splat (i32 1)\n", {0, 0, 1, 1, 2, 2, 3, 3}},
    {"  %r = shl <8 x i32> splat (i32 1), <i32 0, i32 1, i32 2, i32 3, i32 4, i32 5, i32 6, i32 31>\n",
     {1, 2, 4, 8, 16, 32, 64, 1u << 31}},
    {"  %c = icmp ult " LANES ", splat (i32 3)\n  %r = sext <8 x i1> %c to <8 x i32>\n", {-1u, -1u, -1u, 0, 0, 0, 0, 0}},
    {"  %m = sub " LANES ", splat (i32 4)\n  %c = icmp sge <8 x i32> %m, splat (i32 -1)\n  %r = zext <8 x i1> %c to <8 x i32>\n",
     {0, 0, 0, 1, 1, 1, 1, 1}},
    {"  %c = icmp ugt " LANES ", splat (i32 3)\n  %k = bitcast <8 x i1> %c to i8\n  %w = zext i8 %k to i32\n"
     "  %v = insertelement <8 x i32> undef, i32 %w, i32 0\n  %r = shufflevector <8 x i32> %v, <8 x i32> undef, <8 x i32> zeroinitializer\n",
     {0xf0, 0xf0, 0xf0, 0xf0, 0xf0, 0xf0, 0xf0, 0xf0}},
    {"  %c = icmp eq " LANES ", splat (i32 2)\n  %r = select <8 x i1> %c, <8 x i32> splat (i32 9), " LANES "\n", {0, 1, 9, 3, 4, 5, 6, 7}},
    {"  %r = shufflevector " LANES ", <8 x i32> splat (i32 9), <8 x i32> <i32 7, i32 6, i32 8, i32 4, i32 3, i32 2, i32 1, i32 0>\n",
     {7, 6, 9, 4, 3, 2, 1, 0}},
    {"  %x = extractelement " LANES ", i32 5\n  %r = insertelement <8 x i32> zeroinitializer, i32 %x, i32 3\n", {0, 0, 0, 5, 0, 0, 0, 0}},
    // Bits of a vector are packed in memory.
    {"  %p = alloca <8 x i1>, align 1\n  %c = icmp ne " LANES ", splat (i32 1)\n  store <8 x i1> %c, ptr %p, align 1\n"
     "  %k = load i8, ptr %p, align 1\n  %w = zext i8 %k to i32\n  %r = insertelement <8 x i32> zeroinitializer, i32 %w, i32 0\n", {0xfd}},
    {"  %f = uitofp " LANES " to <8 x float>\n  %g = fmul <8 x float> %f, splat (float 5.000000e-01)\n"
     "  %r = bitcast <8 x float> %g to <8 x i32>\n",
     {0, 0x3f000000, 0x3f800000, 0x3fc00000, 0x40000000, 0x40200000, 0x40400000, 0x40600000}},
    {"  %f = sitofp " LANES " to <8 x double>\n  %r = fptosi <8 x double> %f to <8 x i32>\n", {0, 1, 2, 3, 4, 5, 6, 7}},
    {"  %f = fadd <8 x half> splat (half 0xH3C00), splat (half 0xH3C00)\n  %s = bitcast <8 x half> %f to <8 x i16>\n"
     "  %r = zext <8 x i16> %s to <8 x i32>\n", {0x4000, 0x4000, 0x4000, 0x4000, 0x4000, 0x4000, 0x4000, 0x4000}},
    {"  %c = fcmp ult <8 x float> splat (float 0x7FF8000000000000), zeroinitializer\n  %r = zext <8 x i1> %c to <8 x i32>\n",
     {1, 1, 1, 1, 1, 1, 1, 1}},
    {"  %c = fcmp olt <8 x float> splat (float 0x7FF8000000000000), zeroinitializer\n  %r = zext <8 x i1> %c to <8 x i32>\n", {0}},
    {"  %r = call <8 x i32> @llvm.ctpop.v8i32(" LANES ")\n", {0, 1, 1, 2, 1, 2, 2, 3}},
    {"  %r = call <8 x i32> @llvm.cttz.v8i32(" LANES ", i1 false)\n", {32, 0, 1, 0, 2, 0, 1, 0}},
    {"  %r = call <8 x i32> @llvm.ctlz.v8i32(" LANES ", i1 false)\n", {32, 31, 30, 30, 29, 29, 29, 29}},
    {"  %s = call i32 @llvm.vector.reduce.add.v8i32(" LANES ")\n  %r = insertelement <8 x i32> zeroinitializer, i32 %s, i32 0\n", {28}},
    {"  %s = call i32 @llvm.vector.reduce.umax.v8i32(" LANES ")\n  %r = insertelement <8 x i32> zeroinitializer, i32 %s, i32 0\n", {7}},
    {"  %s = call float @llvm.vector.reduce.fadd.v8f32(float 1.000000e+00, <8 x float> splat (float 2.000000e+00))\n"
     "  %w = bitcast float %s to i32\n  %r = insertelement <8 x i32> zeroinitializer, i32 %w, i32 0\n", {0x41880000}},
    {"  %r = call <8 x i32> @llvm.x86.avx2.permd(" LANES ", <8 x i32> <i32 1, i32 0, i32 9, i32 0, i32 0, i32 0, i32 0, i32 0>)\n",
     {1, 0, 1, 0, 0, 0, 0, 0}},
    {"  %f = bitcast " LANES " to <8 x float>\n  %m = bitcast <8 x i32> <i32 -1, i32 0, i32 0, i32 0, i32 0, i32 0, i32 0, i32 -1> to "
     "<8 x float>\n  %g = call <8 x float> @llvm.x86.avx.blendv.ps.256(<8 x float> %f, <8 x float> splat (float 1.000000e+00), "
     "<8 x float> %m)\n  %r = bitcast <8 x float> %g to <8 x i32>\n", {0x3f800000, 1, 2, 3, 4, 5, 6, 0x3f800000}},
    {"  %p = alloca [8 x i32], align 4\n  store [8 x i32] zeroinitializer, ptr %p, align 4\n"
     "  %q = getelementptr i32, ptr %p, " LANES "\n"
     "  call void @llvm.masked.scatter.v8i32.v8p0(" LANES ", <8 x ptr> align 4 %q, <8 x i1> <i1 true, i1 true, i1 false, i1 true, "
     "i1 true, i1 true, i1 true, i1 false>)\n"
     "  %r = call <8 x i32> @llvm.masked.gather.v8i32.v8p0(<8 x ptr> align 4 %q, <8 x i1> <i1 true, i1 true, i1 true, i1 true, "
     "i1 true, i1 false, i1 true, i1 true>, <8 x i32> splat (i32 9))\n", {0, 1, 0, 3, 4, 9, 6, 0}},
    {"  %p = alloca i32, align 4\n  store i32 5, ptr %p, align 4\n  %o = atomicrmw add ptr %p, i32 -7 seq_cst, align 4\n"
     "  %x = cmpxchg ptr %p, i32 -2, i32 11 seq_cst seq_cst, align 4\n  %y = extractvalue { i32, i1 } %x, 1\n  %z = zext i1 %y to i32\n"
     "  %n = load i32, ptr %p, align 4\n  %u = insertelement <8 x i32> zeroinitializer, i32 %o, i32 0\n"
     "  %w = insertelement <8 x i32> %u, i32 %n, i32 1\n  %r = insertelement <8 x i32> %w, i32 %z, i32 2\n", {5, 11, 1}},
    {"  %i = bitcast i64 extractelement (<2 x i64> bitcast (<4 x i32> <i32 1, i32 2, i32 3, i32 4> to <2 x i64>), i32 1) to <2 x i32>\n"
     "  %x = extractelement <2 x i32> %i, i32 1\n  %r = insertelement <8 x i32> zeroinitializer, i32 %x, i32 0\n", {4}},
    {"  %p = alloca i32, align 4\n  store i32 0, ptr %p, align 4\n  br label %loop\n\nloop:                ; preds = %entry, %loop\n"
     "  %n = load i32, ptr %p, align 4\n  %m = add i32 %n, 1\n  store i32 %m, ptr %p, align 4\n  %c = icmp ult i32 %m, 5\n"
     "  br i1 %c, label %loop, label %out\n\nout:\n  switch i32 %m, label %loop [\n    i32 4, label %out\n    i32 5, label %last\n  ]\n\n"
     "last:\n  %r = insertelement <8 x i32> zeroinitializer, i32 %m, i32 0\n", {5}},
    // Sizes of the workgroup, of the dispatch, the place of a member.
    {"  %u = insertelement <8 x i32> zeroinitializer, i32 %2, i32 0\n  %w = insertelement <8 x i32> %u, i32 %8, i32 1\n"
     "  %q = getelementptr { i8, [3 x { i16, i32 }], i64 }, ptr null, i64 0, i32 1, i32 2, i32 1\n  %k = ptrtoint ptr %q to i64\n"
     "  %l = trunc i64 %k to i32\n  %r = insertelement <8 x i32> %w, i32 %l, i32 2\n", {8, 1, 24}},
};

static void rows_compute(void **state)
{
    struct arena a = {0};
    struct spv_tools *tools = spv_tools_new();
    const struct spv_case c = read_case(&a, tools);
    (void)state;
    for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
        struct isa_result r;
        run(&a, &c, arena_printf(&a, "%s%s%s", MAIN, rows[i].body, END), &r);
        if (r.status != RAN_OK)
            fail_msg("%s: %s", rows[i].body, r.text);
        for (uint32_t k = 0; k < 8; k++)
            if (r.memory[0].words[k] != rows[i].want[k])
                fail_msg("%s: word %u is 0x%x, expected 0x%x", rows[i].body, k, r.memory[0].words[k], rows[i].want[k]);
    }
    spv_tools_free(tools);
    arena_free(&a);
}

// A coroutine waits at a barrier, and runs on when it is resumed: both add to one word.
static void coroutines_wait(void **state)
{
    static const char text[] =
        "define ptr @cs_co_variant(ptr %0, i32 %1) {\nentry:\n  %id = call token @llvm.coro.id(i32 0, ptr null, ptr null, ptr null)\n"
        "  %n = call i32 @llvm.coro.size.i32()\n  %m = call ptr @coro_malloc(i32 %n)\n"
        "  %h = call ptr @llvm.coro.begin(token %id, ptr %m)\n  %o = atomicrmw add ptr %0, i32 %1 seq_cst, align 4\n"
        "  %s = call i8 @llvm.coro.suspend(token none, i1 false)\n  switch i8 %s, label %out [\n    i8 1, label %out\n"
        "    i8 0, label %resume\n  ]\n\nresume:\n  %p = atomicrmw mul_ ptr %0, i32 %1 seq_cst, align 4\n"
        "  %e = call i8 @llvm.coro.suspend(token none, i1 true)\n  br label %out\n\nout:\n"
        "  call void @llvm.coro.end(ptr %h, i1 false, token none)\n  ret ptr %h\n}\n" MAIN
        "  %x = call ptr @cs_co_variant(ptr %b, i32 3)\n  %y = call ptr @cs_co_variant(ptr %b, i32 4)\n"
        "  %f = call i1 @llvm.coro.done(ptr %x)\n  call void @llvm.coro.resume(ptr %x)\n  call void @llvm.coro.resume(ptr %y)\n"
        "  %g = call i1 @llvm.coro.done(ptr %y)\n  %w = load i32, ptr %b, align 4\n  %i = zext i1 %f to i32\n  %j = zext i1 %g to i32\n"
        "  %u = insertelement <8 x i32> zeroinitializer, i32 %w, i32 0\n  %v = insertelement <8 x i32> %u, i32 %i, i32 1\n"
        "  %r = insertelement <8 x i32> %v, i32 %j, i32 2\n" END;
    struct arena a = {0};
    struct spv_tools *tools = spv_tools_new();
    const struct spv_case c = read_case(&a, tools);
    struct isa_result r;
    (void)state;
    run(&a, &c, text, &r);
    assert_string_equal(r.text, "unsupported: the atomic 'mul_' at line 15");
    char *add = arena_str(&a, text);
    memcpy(strstr(add, "mul_"), " or ", 4);
    run(&a, &c, add, &r);
    assert_int_equal(r.status, RAN_OK);
    assert_int_equal(r.memory[0].words[0], 7 | 3 | 4);
    assert_int_equal(r.memory[0].words[1], 0);
    assert_int_equal(r.memory[0].words[2], 1);
    // One that ended cannot be resumed.
    char *again = arena_str(&a, add);
    memcpy(strstr(again, "resume(ptr %y)"), "resume(ptr %x)", 14);
    run(&a, &c, again, &r);
    assert_int_equal(r.status, RAN_FAULT);
    spv_tools_free(tools);
    arena_free(&a);
}

static void the_unknown_is_refused_by_line(void **state)
{
    static const struct {
        const char *text, *why;
    } bad[] = {
        {"", "no function cs_variant"},
        {"define void @cs_variant() {\nentry:\n  ret void\n}\n", "unsupported: cs_variant with 0 parameters"},
        {"define void @cs_variant() {\nentry:\n", "unsupported: a function without an end '' at line 2"},
        {"define void @cs_variant() {\nentry:\n}\n", "unsupported: a function without an end '' at line 3"},
        {MAIN "  %r = frobnicate i32 1\n" END, "unsupported: the instruction 'frobnicate' at line 6"},
        {MAIN "  %r = add nsw " LANES ", zeroinitializer\n" END, "unsupported: the type 'nsw' at line 6"},
        {MAIN "  %r = call <8 x i32> @llvm.frob(" LANES ")\n" END, "unsupported: the function 'llvm.frob' at line 6"},
        {MAIN END, "unsupported: a name that is not defined '' at line 6"},
        {MAIN "  %r = add <4 x i32> zeroinitializer, zeroinitializer\n" END, "unsupported: another type of 'r' at line 7"},
        {MAIN "  %r = add <99 x i32> zeroinitializer, zeroinitializer\n" END, "unsupported: the type ' zeroinitializer"},
        {MAIN "  %r = add " LANES ", zeroinitializer\n  %r = add " LANES ", zeroinitializer\n" END, "unsupported: the result of 'add' at line 7"},
        {MAIN "  br label %b\n" END, "unsupported: another type of 'b' at line 6"},
        {MAIN "  br label %nowhere\n}\n", "unsupported: a name that is not defined '' at line 6"},
        {MAIN "  %x = load i32, ptr null, align 4\n  ret void\n}\n", "no memory at 0x0 at line 6"},
        {MAIN "  %x = udiv i32 1, 0\n  ret void\n}\n", "a division by 0 at line 6"},
        {MAIN "  br label %l\n\nl:\n  br label %l\n}\n", "more than 10000 instructions at line 9"},
        {"define void @cs_variant({ i32 }* %0) {\n", "unsupported: a pointer with a type, of LLVM before 15: ' %0) {' at line 1"},
    };
    struct arena a = {0};
    struct spv_tools *tools = spv_tools_new();
    const struct spv_case c = read_case(&a, tools);
    (void)state;
    for (size_t i = 0; i < sizeof bad / sizeof *bad; i++) {
        struct isa_result r;
        run(&a, &c, bad[i].text, &r);
        if (r.status == RAN_OK || strncmp(r.text, bad[i].why, strlen(bad[i].why)) != 0)
            fail_msg("%s: '%s', expected '%s'", bad[i].text, r.text, bad[i].why);
    }
    spv_tools_free(tools);
    arena_free(&a);
}

// Bytes of a driver's own text changed, removed and doubled: it runs, or is refused.
static void any_text_is_input(void **state)
{
    struct arena a = {0}, tries = {0};
    struct spv_tools *tools = spv_tools_new();
    const struct spv_case c = read_case(&a, tools);
    struct rng rng = {1};
    struct err e;
    char *text;
    size_t n;
    uint32_t ran = 0, refused = 0;
    (void)state;
    if (!file_read(&a, arena_printf(&a, "%s/tests/passes/break-block.gallivm.txt", getenv("SOURCE_DIR")), 1 << 20, &text, &n, &e))
        fail_msg("%s", e.msg);
    for (int i = 0; i < 600; i++) {
        char *changed = arena_strn(&tries, text, n);
        for (uint32_t k = 0; k <= rng_below(&rng, 3); k++) {
            const size_t at = rng_below(&rng, (uint32_t)n - 40), len = 1 + rng_below(&rng, 30);
            if (rng_below(&rng, 2))
                changed[at] = text[rng_below(&rng, (uint32_t)n)];
            else
                memcpy(changed + at, text + rng_below(&rng, (uint32_t)n - 40), len);
        }
        struct isa_result r;
        run(&tries, &c, changed, &r);
        ran += r.status == RAN_OK;
        refused += r.status != RAN_OK;
        assert_true(r.status == RAN_OK || r.text[0]);
        arena_reset(&tries);
    }
    if (ran < 30 || refused < 30)
        fail_msg("%u ran, %u were refused", ran, refused);
    spv_tools_free(tools);
    arena_free(&tries);
    arena_free(&a);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(rows_compute),
        cmocka_unit_test(coroutines_wait),
        cmocka_unit_test(the_unknown_is_refused_by_line),
        cmocka_unit_test(any_text_is_input),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
