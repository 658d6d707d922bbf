// SPDX-License-Identifier: Apache-2.0
//
// tanglefuzz predict: prints what every invocation must leave in memory.
#include "args.h"

#include "judge/judge.h"

#include <string.h>

struct given {
    uint32_t subgroup;
    const char *policy, *out, *machine, *fault;
    bool baked, counts;
};

// Copies the case and adds `; expect` lines, for the subgroup size and policy of the prediction.
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

static int answer(struct context *x, const struct given *g, const struct prediction *p, bool any)
{
    struct text t = {.arena = &x->arena};
    if (g->baked) {
        struct spv_case c;
        bake(p, any, &c);
        if (!spv_case_print(x->tools, &c, &t, &x->e))
            return refuse(x);
    } else {
        spv_memory_print(p->made.memory, p->made.memory_count, &t);
    }
    if (!g->out)
        say_text(&t);
    else if (!file_write(g->out, t.v, t.n, &x->e))
        return refuse(x);
    return STATUS_GOOD;
}

// Runs the tag machine too. False if the machines disagree, which is a bug in the oracle.
static bool second_machine(struct context *x, struct prediction *p, bool only)
{
    struct orc_result tag;
    char what[200];
    if (!p->program)
        return true;
    orc_run(p->program, &x->arena, p->c, p->subgroup,
            &(struct orc_options){
                .machine = ORC_TAG, .policy = &p->policy, .elects = true, .strict = true},
            &tag);
    bool differ = judge_difference(&p->made, &tag, what, sizeof what);
    if (only)
        p->made = tag;
    else if (differ)
        complain(x, "%s: the mask machine and the tag machine disagree: %s", x->words[0], what);
    return only || !differ;
}

// Prints what a comparison can use: the bits of each buffer that may be compared, and the results
// of group operations that the model promises.
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
    say("group operations: %llu, by a partial subgroup %llu\n"
        "their results, one per invocation: %llu, with defined bits %llu\n"
        "splits: %llu, joins: %llu, choices left by the rules: %llu\n"
        "instructions: %llu, one per invocation %llu\n",
        (unsigned long long)s->group_ops, (unsigned long long)s->partial_group_ops,
        (unsigned long long)s->group_results, (unsigned long long)s->live_results,
        (unsigned long long)s->divergences, (unsigned long long)s->reconvergences,
        (unsigned long long)s->choice_points, (unsigned long long)s->steps,
        (unsigned long long)s->lane_steps);
    return STATUS_GOOD;
}

// Replaces the prediction by what a machine leaves that breaks one rule.
static bool break_rule(struct context *x, struct prediction *p, const char *name)
{
    uint32_t f = 1;
    while (f < ORC_FAULTS && strcmp(orc_fault_name((enum orc_fault)f), name) != 0)
        f++;
    if (f == ORC_FAULTS)
        return err_set(&x->e, "--fault: no fault is named '%.100s' (oracle/fault.def)", name);
    orc_run(p->program, &x->arena, p->c, p->subgroup,
            &(struct orc_options){.fault = (enum orc_fault)f, .policy = &p->policy}, &p->made);
    return true;
}

static int run(struct context *x, void *user)
{
    const struct given *g = user;
    const char *path = x->words[0];
    const bool any = g->policy && strcmp(g->policy, "any") == 0, mask = g->machine[0] == 'm';
    struct spv_case c;
    struct spv_choices chosen = {0};
    if (any && !mask)
        return complain(x, "--policy any needs --machine mask");
    if (g->policy && !any && !spv_choices_parse(g->policy, strlen(g->policy), &chosen, &x->e))
        return complain(x, "--policy: %s (or any)", x->e.msg);
    if (!spv_case_read(x->tools, &x->arena, path, &c, &x->e))
        return refuse(x);
    if (g->policy) {
        c.has_policy = !any;
        c.policy = chosen;
    }
    if (c.subgroup && g->subgroup)
        c.subgroup = g->subgroup; // the user asks for the result at another size
    uint32_t kept = 0; // drop the old expectations, except the buffer that maps invocations
    for (uint32_t k = 0; k < c.expect_count; k++)
        if (c.has_coverage && c.expect[k].set == c.coverage_set &&
            c.expect[k].binding == c.coverage_binding)
            c.expect[kept++] = c.expect[k];
    c.expect_count = kept;
    const uint32_t size = judge_subgroup(&c, g->subgroup, NULL);
    if (!size)
        return complain(x, "%s: has no fixed subgroup size: choose one with --subgroup N", path);
    struct prediction *p = judge_predict(&x->arena, &c, 1, size, SPV_POLICY_JOIN);
    if (any && p->made.why.status == RAN_OK)
        orc_run(p->program, &x->arena, &c, size, &(struct orc_options){.any_policy = true},
                &p->made);
    if (!mask && !second_machine(x, p, g->machine[0] == 't'))
        return STATUS_BAD;
    if (g->fault && p->made.why.status == RAN_OK && !break_rule(x, p, g->fault))
        return refuse(x);
    if (p->made.why.status != RAN_OK)
        return complain(x, "%s: %s", path, orc_why_line(&x->arena, &p->made.why));
    return g->counts ? count(p) : answer(x, g, p, any);
}

static const struct arg_option options[] = {
    OPT_LANES("subgroup", "subgroup size; default the case's own", subgroup, 1),
    OPT_TEXT("policy", 0, "P",
             "choices where the rules leave one: join, direct, split; any: undecided", policy),
    OPT_WORD("machine", 0, "M", "model of the oracle; both must agree; default mask", machine,
             "mask, tag, both"),
    OPT_TEXT("fault", 0, "NAME", "what a machine leaves that breaks this rule", fault),
    OPT_FLAG("bake", 0, "print the case with its `; expect` lines", baked),
    OPT_FLAG("count", 0, "print how much can be compared, instead of memory", counts),
    OPT_TEXT("out", 'o', "FILE", "output file; default: print", out),
};

const struct command cmd_predict = {
    .name = "predict",
    .task = TASK_SHADER,
    .line = "print what a case must leave in memory",
    .rest = "CASE",
    .about =
        "Prints the memory that a case must leave under its model: one line per buffer, `?` for\n"
        "words that the rules leave open. A program whose result is undefined is refused with the\n"
        "instruction and the rule (exit status 2).",
    .example = "tanglefuzz predict case.spvasm\n"
               "tanglefuzz predict case.spvasm --bake -o case.spvasm\n"
               "tanglefuzz predict case.spvasm --policy \"join 23=split\"  (%23: a case's label)",
    OPTIONS(options),
    .rest_min = 1,
    .rest_max = 1,
    .size = sizeof(struct given),
    .defaults = &(const struct given){.machine = "mask"},
    .run = run,
};
