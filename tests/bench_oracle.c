// SPDX-License-Identifier: Apache-2.0
//
// How fast the oracle is, on one core, in time of this thread alone (so that a busy machine matters little):
//
//   bench_oracle CASE...   load + predict of each case, the best of 15; the median of them, and the worst
//   bench_oracle           lane-instructions a second of a straight-line arithmetic module
//
// scripts/bench.sh calls both. Not a test.
#define _POSIX_C_SOURCE 200809L // clock_gettime
#include "oracle/oracle.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

static double now(void)
{
    struct timespec t;
    clock_gettime(CLOCK_THREAD_CPUTIME_ID, &t);
    return (double)t.tv_sec + 1e-9 * (double)t.tv_nsec;
}

static int by_size(const void *a, const void *b)
{
    double x = *(const double *)a, y = *(const double *)b;
    return (x > y) - (x < y);
}

static int cases(int count, char **path)
{
    struct spv_tools *tools = spv_tools_new();
    double *best = calloc((size_t)count, sizeof *best);
    uint64_t lane_steps = 0;
    double total = 0;
    for (int k = 0; k < count; k++) {
        struct arena a = {0}, each = {0};
        struct spv_case c;
        struct err e;
        if (!spv_case_read(tools, &a, path[k], &c, &e)) {
            fprintf(stderr, "bench_oracle: %s\n", e.msg);
            return 2;
        }
        best[k] = 1e9;
        for (int turn = 0; turn < 15; turn++) {
            struct orc_result r;
            arena_reset(&each);
            double start = now();
            orc_predict(&each, &c, 0, NULL, &r);
            double t = now() - start;
            if (r.why.status != RAN_OK) {
                fprintf(stderr, "bench_oracle: %s: %s\n", path[k], r.why.text);
                return 2;
            }
            best[k] = t < best[k] ? t : best[k];
            lane_steps += turn == 0 ? r.stats.lane_steps : 0;
        }
        total += best[k];
        arena_free(&each);
        arena_free(&a);
    }
    qsort(best, (size_t)count, sizeof *best, by_size);
    printf("load + predict of %d cases: median %.3f ms, 90 %% below %.3f ms, worst %.3f ms; "
           "%.0f million lane-instructions/s\n", count, 1e3 * best[count / 2], 1e3 * best[count * 9 / 10],
           1e3 * best[count - 1], 1e-6 * (double)lane_steps / total);
    free(best);
    spv_tools_free(tools);
    return 0;
}

// 2000 instructions of arithmetic on the invocation's index, one store at the end.
static void straight_line(struct arena *a, struct spv_case *c, uint32_t subgroup)
{
    struct text t = {.arena = a};
    struct err e;
    struct spv_tools *tools = spv_tools_new();
    text_add(&t, "OpCapability Shader\nOpExtension \"SPV_KHR_maximal_reconvergence\"\n"
                 "OpMemoryModel Logical GLSL450\nOpEntryPoint GLCompute %%main \"main\" %%index %%out\n"
                 "OpExecutionMode %%main LocalSize 128 1 1\nOpExecutionMode %%main MaximallyReconvergesKHR\n"
                 "OpDecorate %%words ArrayStride 4\nOpDecorate %%block Block\nOpMemberDecorate %%block 0 Offset 0\n"
                 "OpDecorate %%out DescriptorSet 0\nOpDecorate %%out Binding 0\n"
                 "OpDecorate %%index BuiltIn LocalInvocationIndex\n%%void = OpTypeVoid\n"
                 "%%fn = OpTypeFunction %%void\n%%u32 = OpTypeInt 32 0\n%%u0 = OpConstant %%u32 0\n"
                 "%%c7 = OpConstant %%u32 7\n%%words = OpTypeRuntimeArray %%u32\n%%block = OpTypeStruct %%words\n"
                 "%%block_ptr = OpTypePointer StorageBuffer %%block\n%%ptr = OpTypePointer StorageBuffer %%u32\n"
                 "%%in_ptr = OpTypePointer Input %%u32\n%%out = OpVariable %%block_ptr StorageBuffer\n"
                 "%%index = OpVariable %%in_ptr Input\n%%main = OpFunction %%void None %%fn\n%%start = OpLabel\n"
                 "%%i = OpLoad %%u32 %%index\n%%v0 = OpIMul %%u32 %%i %%c7\n%%v1 = OpIAdd %%u32 %%i %%c7\n");
    static const char *const ops[] = {"IAdd", "IMul", "BitwiseXor", "ISub", "BitwiseAnd", "BitwiseOr", "Not"};
    for (unsigned k = 2; k < 2000; k++) {
        const char *op = ops[k % 7];
        if (strcmp(op, "Not") == 0)
            text_add(&t, "%%v%u = OpNot %%u32 %%v%u\n", k, k - 1);
        else
            text_add(&t, "%%v%u = Op%s %%u32 %%v%u %%v%u\n", k, op, k - 1, k - 2);
    }
    text_add(&t, "%%p = OpAccessChain %%ptr %%out %%u0 %%i\nOpStore %%p %%v1999\nOpReturn\nOpFunctionEnd\n");
    *c = (struct spv_case){.groups = {1, 1, 1}, .subgroup = subgroup, .buffer_count = 1, .model = SPV_MAXIMAL};
    c->buffer[0] = (struct spv_buffer){.count = 128, .words = ARENA_ARRAY(a, uint32_t, 128)};
    if (!spv_assemble(tools, a, t.v, t.n, 1, &c->words, &c->count, &e)) {
        fprintf(stderr, "bench_oracle: %s\n", e.msg);
        exit(2);
    }
    spv_tools_free(tools);
}

static int arithmetic(void)
{
    for (uint32_t subgroup = 4; subgroup <= 128; subgroup *= 2) {
        struct arena a = {0}, each = {0};
        struct spv_case c;
        struct orc_why why;
        struct orc_result r;
        straight_line(&a, &c, subgroup);
        struct orc_program *p = orc_load(&a, &c, &why);
        if (!p) {
            fprintf(stderr, "bench_oracle: %s\n", why.text);
            return 2;
        }
        double best = 1e9;
        for (int turn = 0; turn < 400; turn++) {
            arena_reset(&each);
            double start = now();
            orc_run(p, &each, &c, 0, NULL, &r);
            double t = now() - start;
            best = t < best ? t : best;
        }
        printf("straight-line arithmetic, subgroups of %3u: %.0f million lane-instructions/s\n", subgroup,
               1e-6 * (double)r.stats.lane_steps / best);
        arena_free(&each);
        arena_free(&a);
    }
    return 0;
}

int main(int argc, char **argv) { return argc > 1 ? cases(argc - 1, argv + 1) : arithmetic(); }
