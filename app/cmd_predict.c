// SPDX-License-Identifier: Apache-2.0
//
// tanglefuzz predict: what every invocation must leave in memory.
#include "args.h"
#include "judge.h"

#include <string.h>

// The case with its `; expect` lines, for the size and policy it was predicted for.
static void bake(const struct prediction *p, struct spv_case *c)
{
    *c = *p->c;
    c->subgroup = p->subgroup;
    c->verdict = SPV_VERDICT_NONE;
    c->verdict_rule = NULL;
    c->expect_count = 0;
    for (uint32_t i = 0; i < p->made.memory_count; i++) {
        struct spv_memory m = p->made.memory[i];
        m.hex = m.hex || p->c->buffer[i].hex;
        c->expect[c->expect_count++] = m;
    }
    c->has_policy = p->c->has_policy || p->made.stats.choice_points > 0;
    c->policy = p->policy;
}

static int answer(struct spv_tools *tools, struct arena *a, const struct prediction *p, bool baked,
                  const char *out)
{
    struct err e = {0};
    struct text t = {.arena = a};
    if (baked) {
        struct spv_case c;
        bake(p, &c);
        if (!spv_case_print(tools, &c, &t, &e))
            return complain("predict", "%s", e.msg);
    } else {
        spv_memory_print(p->made.memory, p->made.memory_count, &t);
    }
    if (!out)
        say_text(&t);
    else if (!file_write(out, t.v, t.n, &e))
        return complain("predict", "%s", e.msg);
    return STATUS_GOOD;
}

static bool policy_named(const char *name, enum spv_policy *out)
{
    for (int k = 0; k < SPV_POLICIES; k++)
        if (strcmp(spv_policy_name((enum spv_policy)k), name) == 0) {
            *out = (enum spv_policy)k;
            return true;
        }
    return false;
}

static int predict(const char *path, uint32_t subgroup, const char *policy, bool baked,
                   const char *out)
{
    struct arena a = {0};
    struct err e = {0};
    struct spv_tools *tools = spv_tools_new();
    struct spv_case c;
    enum spv_policy chosen = SPV_POLICY_JOIN;
    int status = STATUS_BAD;
    if (policy && !policy_named(policy, &chosen)) {
        complain("predict", "--policy: '%s' is none of join, direct, split", policy);
    } else if (!spv_case_read(tools, &a, path, &c, &e)) {
        complain("predict", "%s", e.msg);
    } else {
        if (policy) {
            c.has_policy = true;
            c.policy = chosen;
        }
        if (c.subgroup && subgroup && c.subgroup != subgroup)
            c.subgroup = subgroup; // asked for: what would it give at another size?
        c.expect_count = 0;        // nor may its old lines decide anything
        uint32_t size = judge_subgroup(&c, subgroup, NULL);
        if (!size) {
            complain("predict", "%s: runs at any subgroup size: choose one with --subgroup N",
                     path);
        } else {
            struct prediction *p = judge_predict(&a, &c, 1, size, chosen);
            if (p->made.why.status == ORC_OK)
                status = answer(tools, &a, p, baked, out);
            else
                status = complain("predict", "%s: %s: %s", path,
                                  orc_status_name(p->made.why.status), p->made.why.text);
        }
    }
    spv_tools_free(tools);
    arena_free(&a);
    return status;
}

static int run(int argc, char **argv)
{
    uint32_t subgroup = 0;
    const char *policy = NULL, *out = NULL;
    bool baked = false;
    const struct arg_option options[] = {
        OPT_U32("subgroup", 0, "N", "subgroup size, instead of the case's own", &subgroup, 1,
                LANES_MAX),
        OPT_TEXT("policy", 0, "P", "what the rules leave open: join, direct, split", &policy),
        OPT_FLAG("bake", 0, "print the case with its `; expect` lines", &baked),
        OPT_TEXT("out", 'o', "FILE", "write there", &out),
    };
    const struct arg_command command = {
        .name = "predict",
        .rest = "CASE",
        .about = "Prints the memory that a case must leave under maximal reconvergence: a line a "
                 "buffer,\n`?` for words that the rules leave open. A program without a defined "
                 "result is refused\nwith the instruction and the rule (exit status 2).",
        .example = "tanglefuzz predict case.spvasm\n"
                   "tanglefuzz predict case.spvasm --bake -o case.spvasm",
        .options = options,
        .count = OPT_COUNT(options),
        .rest_min = 1,
        .rest_max = 1,
    };
    struct args args;
    int said = args_parse(&command, argc, argv, &args);
    if (said >= 0)
        return said;
    if (subgroup & (subgroup - 1))
        return complain("predict", "--subgroup: %u is not a power of two", subgroup);
    return predict(args.rest[0], subgroup, policy, baked, out);
}

const struct command cmd_predict = {"predict", "print what a case must leave in memory", run};
