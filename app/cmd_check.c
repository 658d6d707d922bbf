// SPDX-License-Identifier: Apache-2.0
//
// tanglefuzz check: compares the oracle with the expectations in case files.
#include "args.h"
#include "campaign/caselist.h"

#include "judge/judge.h"
#include "runners/runners.h"

#include <string.h>
#include <sys/stat.h>

struct given {
    uint32_t subgroup;
    bool all;
};

enum check { PASSED, FAILED, UNREADABLE };

// True if the rule of a verdict line ("E-race") matches; a line without a rule matches any.
static bool same_rule(const char *want, const char *got)
{
    return !want || strcmp(want, got) == 0;
}

static enum check check_verdict(const struct spv_case *c, const struct prediction *p,
                                const struct err *invalid, struct err *e)
{
    const struct orc_why *w = &p->made.why;
    const char *rule = c->verdict_rule ? c->verdict_rule : "";
    if (c->verdict == SPV_VERDICT_INVALID) {
        // "spirv-val" as the rule: its rejection suffices. Any other rule is one of the oracle.
        if (strcmp(rule, "spirv-val") == 0 ? invalid->msg[0]
                                           : w->status == RAN_INVALID && same_rule(rule, w->rule))
            return PASSED;
        err_set(e, "must be invalid%s%s; the oracle reports %s%s%s", rule[0] ? " by " : "", rule,
                ran_name(w->status), w->text[0] ? ": " : "", w->text);
        return FAILED;
    }
    if ((w->status == RAN_UNDEFINED || w->status == RAN_OVER_LIMIT) &&
        same_rule(c->verdict_rule, w->rule))
        return PASSED;
    err_set(e, "must be undefined%s%s; the oracle reports %s%s%s", rule[0] ? " by " : "", rule,
            ran_name(w->status), w->text[0] ? ": " : "", w->text);
    return FAILED;
}

// Compares memory with the `; expect` lines. False with the first difference in `err`: other words,
// or other defined bits.
static bool same_memory(const struct spv_memory *e, const struct spv_memory *m, struct err *err)
{
    for (uint32_t i = 0; i < e->count; i++) {
        uint32_t want = e->mask ? e->mask[i] : UINT32_MAX, got = m->mask ? m->mask[i] : UINT32_MAX;
        if (((e->words[i] ^ m->words[i]) & want & got) == 0 && want == got)
            continue;
        char expected[48], predicted[48];
        snprintf(expected, sizeof expected, want ? "0x%x" : "?", e->words[i] & want);
        snprintf(predicted, sizeof predicted, got ? "0x%x" : "? (not defined)", m->words[i] & got);
        if ((want & got) && want != got)
            snprintf(predicted, sizeof predicted, "0x%x (bits 0x%x are defined, not 0x%x)",
                     m->words[i] & got, got, want);
        return err_set(err, "buffer %u:%u, word %u: expected %s, predicted %s", e->set, e->binding,
                       i, expected, predicted);
    }
    return true;
}

static enum check check_memory(const struct spv_case *c, const struct prediction *p, struct err *e)
{
    const struct orc_why *w = &p->made.why;
    if (w->status != RAN_OK) {
        struct arena a = {0};
        err_set(e, "%s", orc_why_line(&a, w));
        arena_free(&a);
        return FAILED;
    }
    for (uint32_t i = 0; i < c->expect_count; i++) {
        uint32_t at = spv_buffer_index(c, c->expect[i].set, c->expect[i].binding);
        CHECK(at < c->buffer_count);
        if (!same_memory(&c->expect[i], &p->made.memory[at], e))
            return FAILED;
    }
    return PASSED;
}

// Checks that every word that is certain whatever an implementation chooses is the same under this
// choice.
static bool same_where_certain(struct arena *a, const struct prediction *p, struct err *e)
{
    struct orc_result any;
    orc_run(p->program, a, p->c, p->subgroup, &(struct orc_options){.any_policy = true}, &any);
    // such a run ends at a branch on a value that a choice decides; then nothing is checked
    for (uint32_t k = 0; any.why.status == RAN_OK && k < any.memory_count; k++) {
        const struct spv_memory *x = &any.memory[k], *y = &p->made.memory[k];
        for (uint32_t w = 0; w < x->count; w++) {
            uint32_t certain = x->mask ? x->mask[w] : UINT32_MAX;
            uint32_t known = y->mask ? y->mask[w] : UINT32_MAX;
            if ((certain & ~known) || ((x->words[w] ^ y->words[w]) & certain))
                return err_set(e,
                               "buffer %u:%u, word %u is certain whatever the implementation "
                               "chooses, 0x%x, but not under this choice",
                               x->set, x->binding, w, x->words[w]);
        }
    }
    return true;
}

// Checks the case against its own lines, under its own policy or, if it has none, under `policy`.
// `another`: errors name the policy, because the lines do not.
static enum check check_under(struct arena *a, const struct spv_case *c, uint32_t size,
                              enum spv_policy policy, bool another, const struct err *invalid,
                              struct orc_stats *left, struct err *e)
{
    struct prediction *p = judge_predict(a, c, 1, size, policy);
    enum check r =
        c->verdict != SPV_VERDICT_NONE ? check_verdict(c, p, invalid, e) : check_memory(c, p, e);
    *left = p->made.stats;
    if (r == PASSED && p->program) {
        // The tag machine, the second model, must agree.
        struct orc_options o = {
            .machine = ORC_TAG, .policy = &p->policy, .elects = true, .strict = true};
        struct orc_result tag;
        orc_run(p->program, a, c, size, &o, &tag);
        if (!c->has_lanes && !judge_same_result(&p->made, &tag)) {
            err_set(e, "the mask machine and the tag machine disagree%s%s",
                    tag.why.text[0] ? ": " : "", tag.why.text);
            r = FAILED;
        }
    }
    if (r == PASSED && p->made.why.status == RAN_OK &&
        (p->made.stats.choice_points || p->made.stats.derivative_choices) && !c->has_lanes &&
        !same_where_certain(a, p, e))
        r = FAILED;
    if (r != PASSED && another) {
        struct text t = {.arena = a};
        spv_choices_print(&p->policy, &t);
        err_prefix(e, "policy %s", t.v);
    }
    return r;
}

static enum check check_case(struct spv_tools *tools, struct arena *a, const char *path,
                             uint32_t subgroup, struct err *e)
{
    struct spv_case c;
    check_context(path);
    if (!spv_case_read(tools, a, path, &c, e))
        return UNREADABLE;
    if (!c.expect_count && c.verdict == SPV_VERDICT_NONE) {
        err_set(e, "nothing to compare: the case has neither `; expect` nor `; verdict` lines");
        return FAILED;
    }
    uint32_t size = judge_subgroup(&c, subgroup, NULL);
    if (!size) {
        err_set(e, "has no fixed subgroup size: choose one with --subgroup N");
        return FAILED;
    }
    struct err invalid = {0};
    bool valid = spv_validate(tools, SPV_ENV_VULKAN_1_3, c.words, c.count, &invalid);
    if (!valid && c.verdict != SPV_VERDICT_INVALID) {
        err_set(e, "not valid: %s", invalid.msg);
        return FAILED;
    }
    // Without a `; policy` line the expectations must hold under every choice.
    struct orc_stats left;
    enum check r = check_under(a, &c, size, SPV_POLICY_JOIN, false, &invalid, &left, e);
    const bool joins = !c.has_policy && left.choice_points,
               derives = !c.has_policy && c.expect_count && left.derivative_choices;
    for (int k = 1; r == PASSED && joins && k < SPV_POLICIES; k++)
        r = check_under(a, &c, size, (enum spv_policy)k, true, &invalid, &left, e);
    c.has_policy |= derives;
    for (uint32_t k = 1; r == PASSED && derives && spv_derivatives_nth(k, &c.policy.derivatives);
         k++)
        r = check_under(a, &c, size, SPV_POLICY_JOIN, true, &invalid, &left, e);
    return r;
}

static bool is_target(struct arena *a, const char *word)
{
    struct stat st;
    const struct run_stage *s = run_spec_parse(a, word, NULL);
    return s && s->kind && stat(word, &st) != 0;
}

static int run(struct context *x, void *user)
{
    const struct given *g = user;
    struct arena a = {0};
    struct caselist cases;
    uint64_t count[3] = {0};
    if (!caselist_read(&x->arena, x->words, x->n, &cases, &x->e))
        return is_target(&x->arena, x->words[0])
                   ? complain(x,
                              "%s: a target, not a case; to compile on it and run nothing, use "
                              "fuzz --target %s%s",
                              x->words[0], strncmp(x->words[0], "vulkan", 6) == 0 ? "check:" : "",
                              x->words[0])
                   : refuse(x);
    for (size_t i = 0; i < cases.n; i++) {
        x->e.msg[0] = 0;
        enum check r = check_case(x->tools, &a, cases.v[i], g->subgroup, &x->e);
        count[r]++;
        if (r == UNREADABLE)
            refuse(x);
        else if (r == FAILED)
            say("not ok %s: %s\n", cases.v[i], x->e.msg);
        else if (g->all)
            say("ok %s\n", cases.v[i]);
        arena_reset(&a);
    }
    say("%llu passed, %llu failed\n", (unsigned long long)count[PASSED],
        (unsigned long long)(count[FAILED] + count[UNREADABLE]));
    check_context(NULL);
    arena_free(&a);
    return count[UNREADABLE] ? STATUS_BAD : count[FAILED] ? STATUS_FOUND : STATUS_GOOD;
}

static const struct arg_option options[] = {
    OPT_LANES("subgroup", "subgroup size of cases that do not fix one", subgroup, 1),
    OPT_FLAG("all", 0, "also print a line for each case that passes", all),
};

const struct command cmd_check = {
    .name = "check",
    .task = TASK_SHADER,
    .line = "compare the oracle with the expectations in cases",
    .rest = "CASE...",
    .about = "Compares the oracle's prediction with the `; expect` and `; verdict` lines of case "
             "files, or of all\n"
             "*.spvasm below a folder. A case fails if it has neither line, if spirv-val rejects "
             "it, or if the\n"
             "two machines of the oracle disagree. No target is asked: targets named check: "
             "compile, and\n"
             "belong to fuzz and replay.\n"
             "Exit status: 0 all pass, 1 some fail, 2 a case cannot be read.",
    .example = "tanglefuzz check corpus/rules corpus/regress",
    OPTIONS(options),
    .rest_min = 1,
    .rest_max = UINT32_MAX,
    .size = sizeof(struct given),
    .many = true,
    .run = run,
};
