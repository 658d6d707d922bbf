// SPDX-License-Identifier: Apache-2.0
//
// tanglefuzz predict: what every invocation must leave in memory.
#include "args.h"

#include "judge/judge.h"

#include <string.h>

// The case with its `; expect` lines, for the size and policy it was predicted for.
static void bake(const struct prediction *p, bool any, struct spv_case *c)
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
    c->has_policy = p->c->has_policy || (p->made.stats.choice_points > 0 && !any);
    c->policy = p->policy;
}

static int answer(struct spv_tools *tools, struct arena *a, const struct prediction *p, bool baked,
                  bool any, const char *out)
{
    struct err e = {0};
    struct text t = {.arena = a};
    if (baked) {
        struct spv_case c;
        bake(p, any, &c);
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

// By the tag machine as well. False where the machines disagree: a mistake of ours.
static bool second_machine(struct arena *a, struct prediction *p, const char *path, bool only)
{
    struct orc_result tag;
    char what[200];
    if (!p->program)
        return true;
    orc_run(p->program, a, p->c, p->subgroup,
            &(struct orc_options){.machine = ORC_TAG, .policy = &p->policy}, &tag);
    bool differ = judge_difference(&p->made, &tag, what, sizeof what);
    if (only)
        p->made = tag;
    else if (differ)
        complain("predict", "%s: the mask machine and the tag machine disagree: %s", path, what);
    return only || !differ;
}

// What a comparison would rest on: of each buffer the bits that may be compared, of the group operations
// the results that the model promises.
static int count(const struct prediction *p)
{
    const struct orc_stats *s = &p->made.stats;
    for (uint32_t k = 0; k < p->made.memory_count; k++) {
        const struct spv_memory *m = &p->made.memory[k];
        uint64_t live = (uint64_t)m->count * 32;
        for (uint32_t w = 0; m->mask && w < m->count; w++)
            live -= 32u - (unsigned)__builtin_popcount(m->mask[w]);
        say("buffer %u:%u: %llu of %llu bits may be compared\n", m->set, m->binding,
            (unsigned long long)live, (unsigned long long)m->count * 32);
    }
    say("group operations: %llu, by a part of their subgroup %llu\n"
        "their results, one an invocation: %llu, with defined bits %llu\n"
        "splits: %llu, joins: %llu, choices left by the rules: %llu\n"
        "instructions: %llu, one an invocation %llu\n",
        (unsigned long long)s->group_ops, (unsigned long long)s->partial_group_ops,
        (unsigned long long)s->group_results, (unsigned long long)s->live_results,
        (unsigned long long)s->divergences, (unsigned long long)s->reconvergences,
        (unsigned long long)s->choice_points, (unsigned long long)s->steps,
        (unsigned long long)s->lane_steps);
    return STATUS_GOOD;
}

static int predict(const char *path, uint32_t subgroup, const char *policy, const char *machine,
                   bool baked, bool counts, const char *out)
{
    struct arena a = {0};
    struct err e = {0};
    struct spv_tools *tools = spv_tools_new();
    struct spv_case c;
    struct spv_choices chosen = {0};
    bool any = policy && strcmp(policy, "any") == 0;
    int status = STATUS_BAD;
    if (policy && !any && !spv_choices_parse(policy, strlen(policy), &chosen, &e)) {
        complain("predict", "--policy: %s (or any)", e.msg);
    } else if (!spv_case_read(tools, &a, path, &c, &e)) {
        complain("predict", "%s", e.msg);
    } else {
        if (policy) {
            c.has_policy = !any;
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
            struct prediction *p = judge_predict(&a, &c, 1, size, SPV_POLICY_JOIN);
            if (any && p->made.why.status == ORC_OK)
                orc_run(p->program, &a, &c, size, &(struct orc_options){.any_policy = true}, &p->made);
            bool agree = strcmp(machine, "mask") == 0 ||
                         second_machine(&a, p, path, strcmp(machine, "tag") == 0);
            if (!agree)
                status = STATUS_BAD;
            else if (p->made.why.status == ORC_OK)
                status = counts ? count(p) : answer(tools, &a, p, baked, any, out);
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
    const char *policy = NULL, *out = NULL, *machine = "mask";
    bool baked = false, counts = false;
    const struct arg_option options[] = {
        OPT_U32("subgroup", 0, "N", "subgroup size, instead of the case's own", &subgroup, 1,
                LANES_MAX),
        OPT_TEXT("policy", 0, "P",
                 "choices that the rules leave: join, direct, split; any: leave it open",
                 &policy),
        OPT_TEXT("machine", 0, "M", "which model of the oracle: mask, tag, both (must agree)", &machine),
        OPT_FLAG("bake", 0, "print the case with its `; expect` lines", &baked),
        OPT_FLAG("count", 0, "print what there is to compare, instead", &counts),
        OPT_TEXT("out", 'o', "FILE", "write there", &out),
    };
    const struct arg_command command = {
        .name = "predict",
        .rest = "CASE",
        .about = "Prints the memory that a case must leave under maximal reconvergence: a line a "
                 "buffer,\n`?` for words that the rules leave open. A program without a defined "
                 "result is refused\nwith the instruction and the rule (exit status 2).",
        .example = "tanglefuzz predict case.spvasm\n"
                   "tanglefuzz predict case.spvasm --bake -o case.spvasm\n"
                   "tanglefuzz predict case.spvasm --policy \"join 23=split\"  (%23: a case's label)",
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
    if (strcmp(machine, "mask") != 0 && strcmp(machine, "tag") != 0 && strcmp(machine, "both") != 0)
        return complain("predict", "--machine: '%s' is none of mask, tag, both", machine);
    if (policy && strcmp(policy, "any") == 0 && strcmp(machine, "mask") != 0)
        return complain("predict", "--policy any is of the mask machine only");
    return predict(args.rest[0], subgroup, policy, machine, baked, counts, out);
}

const struct command cmd_predict = {"predict", "print what a case must leave in memory", run};
