// SPDX-License-Identifier: Apache-2.0
//
// Determines the memory that a compiler's output leaves, as if a device had run it: validates the
// output module and runs it with the oracle on the case's inputs.
#include "judge.h"

#include "llir/llir.h"

#include <string.h>

// Judges an invalid module again after the merge repair, because the first error may hide another.
// Adds the result to the verdict's text; the class stays invalid-output.
static void judge_repaired(struct arena *a, struct spv_tools *tools, const struct prediction *p,
                           const struct orc_options *o, const struct spv_memory *expected,
                           struct spv_case *made, struct judge_verdict *verdict)
{
    struct err e;
    struct orc_result seen;
    struct judge_verdict after = {0};
    const size_t n = strlen(verdict->text);
    const char *what = "not valid either";
    if (!spv_merge_repair(a, made->words, made->count, &made->words))
        return;
    verdict->repaired = JUDGE_INVALID_OUTPUT;
    if (spv_validate(tools, SPV_ENV_VULKAN_1_3, made->words, made->count, &e)) {
        orc_predict(a, made, p->subgroup, o, &seen);
        if (seen.why.status == RAN_OK)
            judge_compare(p->c, expected, seen.memory, seen.memory_count, &after);
        verdict->repaired = seen.why.status == RAN_OK            ? after.klass
                            : seen.why.status == RAN_OVER_LIMIT  ? JUDGE_HANG
                            : seen.why.status == RAN_UNSUPPORTED ? JUDGE_SKIPPED
                                                                 : JUDGE_UNDEFINED_OUTPUT;
        what = seen.why.status == RAN_OK           ? judge_class_name(after.klass)
               : seen.why.status == RAN_OVER_LIMIT ? "it does not end"
                                                   : seen.why.text;
    }
    verdict->repair_at = (uint32_t)n;
    snprintf(verdict->text + n, sizeof verdict->text - n, "; after the merge repair: %.100s", what);
}

// If the output equals the input, returns the expected memory with all bits defined. Not if the
// case has `; expect` lines.
static bool unchanged(struct arena *a, const struct prediction *p,
                      const struct spv_memory *expected, struct run_result *r)
{
    if (p->given || r->word_count != p->c->count ||
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

// Runs LLVM IR from an optimizer in the machine of backends/llir/. If a word is defined in the
// input's result but not in the output's, it is poison or undef, and is reported as that.
static bool observe_ir(struct arena *a, const struct prediction *p, uint64_t limit,
                       const struct spv_memory *expected, struct run_result *r,
                       struct judge_verdict *verdict)
{
    const struct llir_options o = {.step_limit = limit};
    struct llir_result seen;
    char text[100];
    llir_run(a, r->words, r->word_count, p->c, p->subgroup, &o, &seen);
    switch (seen.status) {
    case RAN_OK:
        break;
    case RAN_UNDEFINED:
        return no(verdict, JUDGE_UNDEFINED_OUTPUT, "the IR has undefined behaviour: ", seen.text);
    case RAN_OVER_LIMIT:
        return endless(p, limit, verdict);
    default:
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

// The entry point to run is the input's first one of the stage; it is looked up by name. Returns
// its name if the output has no entry point with that execution model and name, else NULL.
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

// True if a bit that must be defined has a wrong value. *undefined: a bit that must be defined is
// not.
static bool any_wrong(const struct spv_memory *expected, const struct orc_result *seen,
                      bool *undefined)
{
    bool wrong = false;
    *undefined = seen->why.status == RAN_UNDEFINED;
    for (uint32_t b = 0; seen->why.status == RAN_OK && b < seen->memory_count; b++)
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

// Runs the output once, with drawn values in place of undefined ones.
static enum drawn draw_once(struct arena *a, const struct prediction *p,
                            const struct spv_case *made, const struct orc_options *o,
                            const struct spv_memory *expected, struct orc_result *run)
{
    bool undefined;
    orc_predict(a, made, p->subgroup, o, run);
    if (any_wrong(expected, run, &undefined))
        return DRAWN_WRONG;
    if (run->why.status == RAN_OK)
        return undefined ? DRAWN_OPEN : DRAWN_RIGHT;
    if (run->why.status == RAN_OVER_LIMIT)
        return DRAWN_WRONG; // the output does not end, but the input does
    if (run->why.status != RAN_UNDEFINED)
        return DRAWN_OPEN; // unsupported by the machine: nothing is known
    const char *rule = run->why.rule;
    const bool open = strcmp(rule, "E-race") == 0 ? run->doubt_order
                      : strcmp(rule, "E-uniform") == 0
                          ? run->doubt_scope
                          : strcmp(rule, "E-branch") == 0 || strcmp(rule, "E-pointer") == 0;
    return open ? DRAWN_OPEN : DRAWN_WRONG; // open: a branch or address by an undrawn value
}

// Called if nothing is wrong in the output except that something is undefined. An undefined value
// may be any value, so the output is run with several drawn values. It is wrong if one draw leaves
// an unexpected word. It is right if all draws leave the expected words, because then nothing
// depends on the drawn values; *seen becomes such a run. Values with a constrained range are drawn
// only to find out whether anything depends on them. If something does, the output cannot be
// judged: returns false.
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
    // A subgroup that takes far longer than the whole input is taken not to terminate.
    enum { LONGER = 64, SLACK = 200 * 1000 };
    const bool known = p->made.why.status == RAN_OK;
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
        judge_repaired(a, tools, p, &o, expected, &made, verdict);
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
    // Under a weaker model a correct transformation may leave a module that promises less than its
    // input: a call with early returns moves before a loop's merge instruction, a construct
    // disappears that alone made the invocations uniform again, or whole subgroups take separate
    // paths. That is not a compiler bug. So results that are undefined in the output are judged as
    // under maximal reconvergence.
    if (judge_weak(made.model) && undefined) {
        made.model = SPV_ASSUMED_MAXIMAL;
        orc_predict(a, &made, p->subgroup, &o, &seen);
        wrong = any_wrong(expected, &seen, &undefined);
    }
    if (undefined && !wrong && !by_any_value(a, p, &made, &o, expected, &seen)) {
        verdict->klass = JUDGE_UNJUDGED;
        snprintf(verdict->text, sizeof verdict->text, "the output may be right: %.350s",
                 seen.why.status == RAN_OK ? "it leaves values that are only partly known"
                                           : seen.why.text);
        return false;
    }
    switch (seen.why.status) {
    case RAN_OK:
        break;
    case RAN_UNSUPPORTED:
        verdict->klass = JUDGE_SKIPPED;
        snprintf(verdict->text, sizeof verdict->text, "the output cannot be judged: %.340s",
                 seen.why.text);
        return false;
    case RAN_OVER_LIMIT: // the input ends
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
