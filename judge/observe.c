// SPDX-License-Identifier: Apache-2.0
//
// What a compiler made of a case, as if a device had run it: the module that came
// out is validated and run by the oracle on the case's own inputs.
#include "judge.h"

#include "llir/llir.h"

#include <string.h>

// What the repaired module would have done: a compiler that is wrong in two ways hides one
// of them. Added to the verdict, whose class stays what it is.
static void behind_invalid(struct arena *a, struct spv_tools *tools, const struct prediction *p,
                           const struct orc_options *o, const struct spv_memory *expected,
                           struct spv_case *made, struct judge_verdict *verdict)
{
    struct err e;
    struct orc_result seen;
    struct judge_verdict behind = {0};
    const size_t n = strlen(verdict->text);
    const char *what = "not valid either";
    if (!spv_merge_repair(a, made->words, made->count, &made->words))
        return;
    verdict->repaired = JUDGE_INVALID_OUTPUT;
    if (spv_validate(tools, SPV_ENV_VULKAN_1_3, made->words, made->count, &e)) {
        orc_predict(a, made, p->subgroup, o, &seen);
        if (seen.why.status == ORC_OK)
            judge_compare(p->c, expected, seen.memory, seen.memory_count, &behind);
        verdict->repaired = seen.why.status == ORC_OK            ? behind.klass
                            : seen.why.status == ORC_OVER_LIMIT  ? JUDGE_HANG
                            : seen.why.status == ORC_UNSUPPORTED ? JUDGE_SKIPPED
                                                                 : JUDGE_UNDEFINED_OUTPUT;
        what = seen.why.status == ORC_OK           ? judge_class_name(behind.klass)
               : seen.why.status == ORC_OVER_LIMIT ? "it does not end"
                                                   : seen.why.text;
    }
    verdict->repair_at = (uint32_t)n;
    snprintf(verdict->text + n, sizeof verdict->text - n, "; after the merge repair: %.100s", what);
}

// The module came out as it went in: it leaves what is expected, all of it defined or not
// as it is there. Only where the oracle itself expects it.
static bool unchanged(struct arena *a, const struct prediction *p,
                      const struct spv_memory *expected, struct run_result *r)
{
    if (p->told || r->word_count != p->c->count ||
        memcmp(r->words, p->c->words, r->word_count * sizeof r->words[0]) != 0)
        return false;
    struct spv_memory *m = arena_copy(a, expected, p->made.memory_count * sizeof *m);
    for (uint32_t k = 0; k < p->made.memory_count; k++)
        m[k].mask = NULL;
    r->memory = m;
    r->memory_count = p->made.memory_count;
    return true;
}

static bool no(struct judge_verdict *verdict, enum judge_class k, const char *what,
               const char *text)
{
    verdict->klass = k;
    snprintf(verdict->text, sizeof verdict->text, "%s%.390s", what, text);
    return false;
}

static bool endless(const struct prediction *p, uint64_t limit, struct judge_verdict *verdict)
{
    verdict->klass = JUDGE_HANG;
    snprintf(verdict->text, sizeof verdict->text,
             "the output does not end: more than %llu instructions in a subgroup, where all of "
             "the input takes %llu",
             (unsigned long long)limit, (unsigned long long)p->made.stats.steps);
    return false;
}

// The optimiser's IR, as it is, run by the machine of backends/llir/. A word that has no value
// there and has one in the input is no wrong number, but poison or undef: said as such.
static bool observe_ir(struct arena *a, const struct prediction *p, uint64_t limit,
                       const struct spv_memory *expected, struct run_result *r,
                       struct judge_verdict *verdict)
{
    const struct llir_options o = {.step_limit = limit};
    struct llir_result seen;
    char text[100];
    llir_run(a, r->words, r->word_count, p->c, p->subgroup, &o, &seen);
    switch (seen.status) {
    case LLIR_RAN:
        break;
    case LLIR_UNDEFINED:
        return no(verdict, JUDGE_UNDEFINED_OUTPUT, "the IR has no meaning: ", seen.text);
    case LLIR_OVER_LIMIT:
        return endless(p, limit, verdict);
    case LLIR_UNSUPPORTED:
    case LLIR_INVALID:
        return no(verdict, JUDGE_SKIPPED, "", seen.text);
    }
    for (uint32_t k = 0; k < seen.memory_count; k++) {
        struct spv_memory *m = &seen.memory[k];
        for (uint32_t w = 0; w < m->count; w++) {
            const uint32_t want = expected[k].mask ? expected[k].mask[w] : UINT32_MAX;
            if (!(want & ~m->mask[w]))
                continue;
            snprintf(text, sizeof text, "buffer %u:%u, word %u", m->set, m->binding, w);
            return no(verdict, JUDGE_UNDEFINED_OUTPUT,
                      "the IR leaves poison or undef in memory: ", text);
        }
        m->mask = NULL;
        m->hex = expected[k].hex;
    }
    r->memory = seen.memory;
    r->memory_count = seen.memory_count;
    return true;
}

// The entry point that is run, the first one of the stage, is found by its name: an output without
// one of that execution model and name cannot be run. Returns the name that is missing, or NULL.
static const char *entry_that_is_missing(struct arena *a, const struct spv_case *in,
                                         const struct spv_case *made)
{
    const uint32_t model = spv_stage_row(in->stage)->model;
    const char *want = NULL;
    struct spv_module m;
    if (!spv_module_read(a, in->words, in->count, &m, NULL))
        return NULL;
    for (uint32_t i = 0; i < m.inst_count && !want; i++)
        if (m.insts[i].op == SpvOpEntryPoint && m.insts[i].v[0] == model)
            want = spv_string(m.insts[i].v + 2, m.insts[i].n - 2u);
    if (!want || !spv_module_read(a, made->words, made->count, &m, NULL))
        return NULL;
    for (uint32_t i = 0; i < m.inst_count; i++) {
        const struct spv_inst *x = &m.insts[i];
        if (x->op != SpvOpEntryPoint || x->v[0] != model)
            continue;
        const char *name = spv_string(x->v + 2, x->n - 2u);
        if (name && strcmp(name, want) == 0)
            return NULL;
    }
    return want;
}

// Is a bit that must be defined defined otherwise? *undefined: or not defined.
static bool any_wrong(const struct spv_memory *expected, const struct orc_result *seen,
                      bool *undefined)
{
    bool wrong = false;
    *undefined = seen->why.status == ORC_UNDEFINED;
    for (uint32_t b = 0; seen->why.status == ORC_OK && b < seen->memory_count; b++)
        for (uint32_t i = 0; i < expected[b].count; i++) {
            const struct spv_memory *m = &seen->memory[b];
            const uint32_t want = expected[b].mask ? expected[b].mask[i] : UINT32_MAX;
            const uint32_t known = m->mask ? m->mask[i] : UINT32_MAX;
            wrong |= ((expected[b].words[i] ^ m->words[i]) & want & known) != 0;
            *undefined |= (want & ~known) != 0;
        }
    return wrong;
}

enum drawn { DRAWN_RIGHT, DRAWN_WRONG, DRAWN_OPEN };

// One run of the output with values drawn for what is not defined.
static enum drawn draw_once(struct arena *a, const struct prediction *p,
                            const struct spv_case *made, const struct orc_options *o,
                            const struct spv_memory *expected, struct orc_result *run)
{
    bool undefined;
    orc_predict(a, made, p->subgroup, o, run);
    if (any_wrong(expected, run, &undefined))
        return DRAWN_WRONG;
    if (run->why.status == ORC_OK)
        return undefined ? DRAWN_OPEN : DRAWN_RIGHT;
    if (run->why.status == ORC_OVER_LIMIT)
        return DRAWN_WRONG; // it does not end, where the input does
    if (run->why.status != ORC_UNDEFINED)
        return DRAWN_OPEN; // what the machine does not know tells nothing
    const char *rule = run->why.rule;
    const bool open = strcmp(rule, "E-race") == 0 ? run->doubt_order
                      : strcmp(rule, "E-uniform") == 0
                          ? run->doubt_scope
                          : strcmp(rule, "E-branch") == 0 || strcmp(rule, "E-pointer") == 0;
    return open ? DRAWN_OPEN : DRAWN_WRONG; // a branch or an address by what was not drawn
}

// Nothing is wrong in the output but that something is not defined. Whatever is not defined is
// *some* value: the output is run with values drawn for it. It is wrong where a draw leaves another
// word than is expected. It is right where all draws leave what is expected, for then nothing
// depends on them; *seen becomes such a run. What is less free than any value is drawn only to see
// whether anything depends on it: then nobody can tell, and the answer is false.
static bool by_any_value(struct arena *a, const struct prediction *p, const struct spv_case *made,
                         const struct orc_options *o, const struct spv_memory *expected,
                         struct orc_result *seen)
{
    enum { DRAWS = 6 }; // all zeros, all ones, four at random
    struct orc_options drawn = *o;
    struct orc_result run;
    bool open = false;
    for (drawn.any_value = 1; drawn.any_value <= DRAWS; drawn.any_value++) {
        const enum drawn answer = draw_once(a, p, made, &drawn, expected, &run);
        if (answer == DRAWN_WRONG)
            return true;
        open |= answer == DRAWN_OPEN;
    }
    drawn.any_bound = true;
    for (drawn.any_value = 1; open && drawn.any_value <= DRAWS; drawn.any_value++)
        if (draw_once(a, p, made, &drawn, expected, &run) != DRAWN_RIGHT)
            return false;
    *seen = run;
    return true;
}

bool observe_module(struct arena *a, struct spv_tools *tools, const struct prediction *p,
                    const struct spv_choices *policy, const struct spv_memory *expected,
                    struct run_result *r, struct judge_verdict *verdict)
{
    struct err e;
    struct spv_case made = *p->c;
    struct orc_result seen;
    struct spv_choices choices = {.base = policy->base, .derivatives = policy->derivatives};
    // A subgroup that takes longer by far than all of the input takes has come to no end.
    enum { LONGER = 64, SLACK = 200 * 1000 };
    const bool known = p->made.why.status == ORC_OK;
    struct orc_options o = {.policy = &choices,
                            .elects = true,
                            .step_limit =
                                known ? p->made.stats.steps * LONGER + SLACK : ORC_STEP_LIMIT};
    made.words = r->words;
    made.count = r->word_count;
    made.body = NULL;
    *verdict = (struct judge_verdict){0};
    if (unchanged(a, p, expected, r))
        return true;
    if (r->form == RUN_FORM_LLVM_IR)
        return observe_ir(a, p, o.step_limit, expected, r, verdict);
    if (!spv_validate(tools, SPV_ENV_VULKAN_1_3, made.words, made.count, &e)) {
        verdict->klass = JUDGE_INVALID_OUTPUT;
        snprintf(verdict->text, sizeof verdict->text, "%.250s", e.msg);
        behind_invalid(a, tools, p, &o, expected, &made, verdict);
        return false;
    }
    const char *gone = entry_that_is_missing(a, p->c, &made);
    if (gone) {
        verdict->klass = JUDGE_INVALID_OUTPUT;
        snprintf(verdict->text, sizeof verdict->text,
                 "the output has no %s entry point named \"%.200s\", as the input has",
                 spv_stage_row(made.stage)->model_name, gone);
        return false;
    }
    orc_predict(a, &made, p->subgroup, &o, &seen);
    bool undefined, wrong = any_wrong(expected, &seen, &undefined);
    // By the letter of a weaker model a module may promise less than the one that it was made of,
    // and be no worse: a call that some return early from comes to stand before a loop's merge
    // instruction, a construct goes that alone made the invocations uniform again, whole subgroups
    // take a way of their own. No compiler is blamed for that: what such a module leaves undefined
    // is as it would be under maximal reconvergence.
    if (judge_weak(made.model) && undefined) {
        made.model = SPV_ASSUMED_MAXIMAL;
        orc_predict(a, &made, p->subgroup, &o, &seen);
        wrong = any_wrong(expected, &seen, &undefined);
    }
    if (undefined && !wrong && !by_any_value(a, p, &made, &o, expected, &seen)) {
        verdict->klass = JUDGE_UNJUDGED;
        snprintf(verdict->text, sizeof verdict->text, "the output may be right: %.350s",
                 seen.why.status == ORC_OK ? "it leaves values of which not all is known"
                                           : seen.why.text);
        return false;
    }
    switch (seen.why.status) {
    case ORC_OK:
        break;
    case ORC_UNSUPPORTED:
        verdict->klass = JUDGE_SKIPPED;
        snprintf(verdict->text, sizeof verdict->text, "the output cannot be judged: %.340s",
                 seen.why.text);
        return false;
    case ORC_OVER_LIMIT: // the input ends
        return endless(p, o.step_limit, verdict);
    default:
        verdict->klass = JUDGE_UNDEFINED_OUTPUT;
        snprintf(verdict->text, sizeof verdict->text, "%.390s", seen.why.text);
        return false;
    }
    for (uint32_t k = 0; k < seen.memory_count; k++)
        seen.memory[k].hex = expected[k].hex;
    r->memory = seen.memory;
    r->memory_count = seen.memory_count;
    return true;
}
