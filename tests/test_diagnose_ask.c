// SPDX-License-Identifier: Apache-2.0
//
// The test of interest: workers do not wait for each other's runs; what it refuses.
#define _DEFAULT_SOURCE
// clang-format off
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <cmocka.h>
// clang-format on

#include "diagnose/ask.h"
#include "mutants/mutants.h"

#include <signal.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <time.h>
#include <unistd.h>

struct slippage {
    struct ask *k;
    struct spv_case *c;
    struct judged judged;
    struct run_result result;
};

static void *slippage(void *user)
{
    struct slippage *s = user;
    struct arena a = {0};
    ask_slipped(s->k, &s->k->worker[ASK_MAIN], &a, s->c, &s->k->kind, &s->judged.verdict, &s->result,
                JUDGE_PROMISE_UNKNOWN);
    arena_free(&a);
    return NULL;
}

static void the_lock_is_free_while_the_target_runs(void **state)
{
    (void)state;
    struct arena a = {0};
    struct err e = {0};
    struct spv_case c;
    struct prediction *p;
    char dir[] = "/tmp/test_diagnose_ask.XXXXXX";
    assert_non_null(mkdtemp(dir));
    // The target tells that it runs, and goes on when it is told.
    const char *script = arena_printf(&a, "%s/slow", dir), *runs = arena_printf(&a, "%s/runs", dir),
               *go = arena_printf(&a, "%s/go", dir),
               *text = arena_printf(&a, "#!/bin/sh\necho $$ >%s.new\nmv %s.new %s\nuntil [ -e %s ]; do sleep 0.01; done\ncp \"$1\" \"$2\"\n",
                                    runs, runs, runs, go);
    assert_true(file_write(script, text, strlen(text), &e));
    assert_int_equal(chmod(script, 0755), 0);
    struct ask *k = calloc(1, sizeof *k);
    assert_non_null(k);
    k->target = arena_printf(&a, "exec-compiler:%s {in} {out} | mutant:fold-xor-of-uniform", script);
    k->self = getenv("TANGLEFUZZ");
    struct spv_tools *tools = spv_tools_new();
    const char *path =
        arena_printf(&a, "%s/corpus/mutants/fold-xor-of-uniform.spvasm", getenv("SOURCE_DIR"));
    assert_true(file_write(go, "", 0, &e));
    if (!spv_case_read(tools, &a, path, &c, &e) || !ask_start(k, &a, &c, &e))
        fail_msg("%s", e.msg);
    struct slippage s = {.k = k, .c = &c};
    assert_int_equal(ask_again(k, &a, &c, 1, &p, &s.judged, &s.result), 1);
    // As if another operation had been wrong before: it looks at the case again, on the target.
    ask_now(k, &c);
    k->now_op = (struct diag_op){.opcode = SpvOpGroupNonUniformElect};
    pthread_t thread;
    assert_int_equal(unlink(go), 0);
    assert_int_equal(unlink(runs), 0);
    assert_int_equal(pthread_create(&thread, NULL, slippage, &s), 0);
    while (access(runs, F_OK) != 0)
        nanosleep(&(struct timespec){.tv_nsec = 1000000}, NULL);
    // Who held the lock now would hold it until that run is over, which it is when we say go or its time is over.
    char *pid;
    size_t n;
    assert_true(file_read(&a, runs, 64, &pid, &n, &e));
    struct timespec end;
    clock_gettime(CLOCK_REALTIME, &end);
    end.tv_sec += 100;
    assert_int_equal(pthread_mutex_timedlock(&k->lock, &end), 0);
    assert_int_equal(kill((pid_t)strtol(pid, NULL, 10), 0), 0);
    pthread_mutex_unlock(&k->lock);
    assert_true(file_write(go, "", 0, &e));
    assert_int_equal(pthread_join(thread, NULL), 0);
    ask_end(k);
    free(k);
    spv_tools_free(tools);
    arena_free(&a);
    unlink(script);
    unlink(runs);
    unlink(go);
    rmdir(dir);
}

// A case that declares no mode, and could: a candidate is refused that could not (S1), however wrong the target is about it.
static void what_could_declare_the_mode_stays_so(void **state)
{
    (void)state;
    static const char head[] =
        "; tanglefuzz-case 1\n; dispatch 1 1 1\n; subgroup 4\n; model assumed-maximal\n; buffer 0:0 zero 3\n\n; Version: 1.3\n"
        "OpCapability Shader\nOpCapability GroupNonUniform\nOpCapability GroupNonUniformArithmetic\n"
        "OpMemoryModel Logical GLSL450\nOpEntryPoint GLCompute %main \"main\" %id\nOpExecutionMode %main LocalSize 3 1 1\n"
        "OpDecorate %id BuiltIn LocalInvocationIndex\n"
        "OpDecorate %array ArrayStride 4\nOpDecorate %block Block\nOpMemberDecorate %block 0 Offset 0\n"
        "OpDecorate %out DescriptorSet 0\nOpDecorate %out Binding 0\n"
        "%void = OpTypeVoid\n%bool = OpTypeBool\n%uint = OpTypeInt 32 0\n%fn = OpTypeFunction %void\n"
        "%array = OpTypeRuntimeArray %uint\n%block = OpTypeStruct %array\n%pb = OpTypePointer StorageBuffer %block\n"
        "%pu = OpTypePointer StorageBuffer %uint\n%out = OpVariable %pb StorageBuffer\n%true = OpConstantTrue %bool\n"
        "%u0 = OpConstant %uint 0\n%u1 = OpConstant %uint 1\n%u3 = OpConstant %uint 3\n"
        "%pin = OpTypePointer Input %uint\n%id = OpVariable %pin Input\n%main = OpFunction %void None %fn\n%x = OpLabel\n%i = OpLoad %uint %id\n",
        tail[] = "%op = OpGroupNonUniformBitwiseXor %uint %u3 Reduce %u1\n%p = OpAccessChain %pu %out %u0 %i\n"
                 "OpStore %p %op\nOpReturn\nOpFunctionEnd\n";
    static const char *const before[] = {
        "", "OpSelectionMerge %m None\nOpBranchConditional %true %a %b\n%a = OpLabel\nOpBranch %m\n%b = OpLabel\nOpBranch %m\n%m = OpLabel\n",
        "OpSelectionMerge %m None\nOpBranchConditional %true %a %b\n%a = OpLabel\nOpBranch %b\n%b = OpLabel\nOpBranch %m\n%m = OpLabel\n"};
    struct arena a = {0};
    struct err e = {0};
    struct spv_case c[3];
    struct spv_tools *tools = spv_tools_new();
    struct ask *k = calloc(1, sizeof *k);
    assert_non_null(k);
    for (int i = 0; i < 3; i++) {
        const char *text = arena_printf(&a, "%s%s%s", head, before[i], tail);
        if (!spv_case_parse(tools, &a, "module", text, strlen(text), &c[i], &e))
            fail_msg("%s", e.msg);
    }
    k->target = "mutant:fold-xor-of-uniform";
    k->self = getenv("TANGLEFUZZ");
    if (!ask_start(k, &a, &c[0], &e))
        fail_msg("%s", e.msg);
    assert_true(ask_candidate(k, 0, &a, &c[1], false));
    assert_int_equal(k->counts.invalid, 0);
    assert_false(ask_candidate(k, 0, &a, &c[2], false));
    assert_int_equal(k->counts.invalid, 1);
    ask_leave(k, 0);
    ask_end(k);
    // One that could not itself may stay what it is.
    *k = (struct ask){.target = k->target, .self = k->self};
    if (!ask_start(k, &a, &c[2], &e))
        fail_msg("%s", e.msg);
    assert_true(ask_candidate(k, 0, &a, &c[2], false));
    ask_leave(k, 0);
    ask_end(k);
    free(k);
    spv_tools_free(tools);
    arena_free(&a);
}

int main(void)
{
    run_own_add(&mut_backend);
    setenv("TANGLEFUZZ_CONTAIN", "no", 1); // its target writes that it runs
    const struct CMUnitTest tests[] = {cmocka_unit_test(the_lock_is_free_while_the_target_runs),
                                       cmocka_unit_test(what_could_declare_the_mode_stays_so)};
    return cmocka_run_group_tests_name("diag_ask", tests, NULL, NULL);
}
