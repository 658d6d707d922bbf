// SPDX-License-Identifier: Apache-2.0
//
// The judge. A mismatch is never reported for a program that the oracle finds undefined, nor for a
// lane mapping other than the observed one.
#include "judge.h"
#include "policy.h"

#include <string.h>

uint32_t judge_subgroup(const struct spv_case *c, uint32_t asked, const struct run_info *info)
{
    return c->subgroup ? c->subgroup : asked ? asked : info ? info->subgroup_size : 0;
}

static const struct spv_memory *find_expect(const struct spv_case *c, uint32_t set,
                                            uint32_t binding)
{
    for (uint32_t i = 0; i < c->expect_count; i++)
        if (c->expect[i].set == set && c->expect[i].binding == binding)
            return &c->expect[i];
    return NULL;
}

// Returns the memory of all buffers, from `; expect` lines where they exist.
static struct spv_memory *expect_memory(struct arena *a, const struct spv_case *c,
                                        const struct orc_result *made)
{
    struct spv_memory *m = ARENA_ARRAY(a, struct spv_memory, c->buffer_count);
    bool ok = made->why.status == RAN_OK;
    for (uint32_t i = 0; i < c->buffer_count; i++) {
        const struct spv_buffer *b = &c->buffer[i];
        const struct spv_memory *e = find_expect(c, b->set, b->binding);
        if (e && e->count == b->count)
            m[i] = *e;
        else if (ok)
            m[i] = made->memory[i];
        else
            m[i] = (struct spv_memory){.set = b->set,
                                       .binding = b->binding,
                                       .count = b->count,
                                       .words = ARENA_ARRAY(a, uint32_t, b->count),
                                       .mask = ARENA_ARRAY(a, uint32_t, b->count)};
    }
    return m;
}

// Reads the invocations that a draw had.
static bool coverage_read(struct arena *a, const struct spv_case *c, const struct spv_memory *words,
                          uint32_t subgroup, struct orc_lanes *out, struct err *e)
{
    struct orc_why why;
    const struct orc_program *p = orc_load(a, c, &why);
    struct orc_coverage *v;
    if (!p)
        return err_set(e, "%.300s", why.text);
    if (!orc_coverage_read(a, c, words->words, words->count, subgroup, orc_full_quads(p), &v, e))
        return false;
    *out = (struct orc_lanes){.coverage = v};
    return true;
}

bool judge_lanes_read(struct arena *a, const struct spv_case *c, const struct spv_memory *lanes,
                      uint32_t subgroup, struct orc_lanes *out, struct err *e)
{
    struct spv_module m;
    uint32_t size[3];
    if (spv_stage_row(c->stage)->maps_by_coverage)
        return coverage_read(a, c, lanes, subgroup, out, e);
    if (!spv_module_read(a, c->words, c->count, &m, e) || !spv_local_size(c, &m, size, e))
        return false;
    uint64_t per_group = (uint64_t)size[0] * size[1] * size[2];
    uint64_t all = per_group * c->groups[0] * c->groups[1] * c->groups[2];
    const uint32_t each = spv_lanes_words(c);
    if (all * each > lanes->count)
        return err_set(e, "the lanes buffer has %u words, %llu invocations need %u each",
                       lanes->count, (unsigned long long)all, each);
    struct spv_lane *l = ARENA_ARRAY(a, struct spv_lane, all);
    for (uint64_t i = 0; i < all; i++)
        (void)spv_lanes_at(c, lanes, i, &l[i]);
    return orc_lanes_read(a, l, (uint32_t)all, (uint32_t)per_group, subgroup, out, e) &&
           orc_lanes_fit(out, spv_quads_of(&m), size, e);
}

uint32_t judge_lanes_index(const struct spv_case *c)
{
    if (c->has_coverage)
        return spv_buffer_index(c, c->coverage_set, c->coverage_binding);
    return c->has_lanes ? spv_buffer_index(c, c->lanes_set, c->lanes_binding) : UINT32_MAX;
}

// If the program is undefined under any allowed choice of coarse derivatives (R9), marks the
// prediction as undefined. One run in which such derivatives have unknown values comes first: if it
// is defined, so is every choice.
static void under_derivatives(struct arena *a, struct prediction *p,
                              const struct orc_options *asked)
{
    struct orc_result other;
    struct spv_choices choices = p->policy;
    struct orc_options any = *asked, o = *asked;
    any.any_policy = true;
    orc_run(p->program, a, p->c, p->subgroup, &any, &other);
    if (other.why.status == RAN_OK)
        return;
    o.policy = &choices;
    for (uint32_t k = 1;
         spv_derivatives_nth(k, &choices.derivatives) && p->made.why.status == RAN_OK; k++) {
        orc_run(p->program, a, p->c, p->subgroup, &o, &other);
        if (other.why.status == RAN_UNDEFINED)
            p->made.why = other.why;
    }
}

struct prediction *judge_predict(struct arena *a, const struct spv_case *cases, uint32_t n,
                                 uint32_t subgroup, enum spv_policy policy)
{
    return judge_predict_within(a, NULL, cases, n, subgroup, policy, 0);
}

struct prediction *judge_predict_within(struct arena *a, struct arena *scratch,
                                        const struct spv_case *cases, uint32_t n, uint32_t subgroup,
                                        enum spv_policy policy, uint64_t step_limit)
{
    struct prediction *out = ARENA_ARRAY(a, struct prediction, n);
    struct orc_why why = {0};
    struct orc_program *program = orc_load(a, cases, &why);
    struct arena own = {0};
    if (!scratch)
        scratch = &own;
    for (uint32_t i = 0; i < n; i++) {
        const struct spv_case *c = &cases[i];
        struct prediction *p = &out[i];
        *p = (struct prediction){.c = c, .subgroup = subgroup, .program = program};
        p->policy = c->has_policy ? c->policy : (struct spv_choices){.base = policy};
        p->made.why = why;
        if (program) {
            // `; expect` lines for the lanes buffer declare the mapping that the other lines
            // assume.
            struct orc_lanes lanes;
            const uint32_t at = judge_lanes_index(c);
            const struct spv_memory *shown =
                at < c->buffer_count ? find_expect(c, c->buffer[at].set, c->buffer[at].binding)
                                     : NULL;
            struct err e = {{0}};
            bool mapped =
                shown && !shown->mask && judge_lanes_read(a, c, shown, subgroup, &lanes, &e);
            struct orc_options o = {.policy = &p->policy,
                                    .step_limit = step_limit,
                                    .scratch = scratch,
                                    .lanes = mapped ? &lanes : NULL,
                                    .elects = true,
                                    .strict = true};
            orc_run(program, a, c, subgroup, &o, &p->made);
            if (p->made.why.status == RAN_OK && p->made.logs_other) {
                p->made.why = (struct orc_why){.status = RAN_UNSUPPORTED};
                snprintf(
                    p->made.why.text, sizeof p->made.why.text,
                    "unsupported: the module logs other invocations in coverage %u:%u than it has",
                    c->coverage_set, c->coverage_binding);
            }
            if (p->made.stats.derivative_choices && !c->has_policy)
                under_derivatives(a, p, &o);
            if (p->made.why.status == RAN_OK && p->made.stats.helper_choices &&
                !c->has_policy) { // D4
                struct orc_result other;
                struct spv_choices choices = p->policy;
                choices.quads_end = true;
                o.policy = &choices;
                orc_run(program, a, c, subgroup, &o, &other);
                if (other.why.status == RAN_UNDEFINED)
                    p->made.why = other.why;
            }
            // A program that is undefined under one allowed choice is undefined.
            for (int k = 0; k < SPV_POLICIES && p->made.why.status == RAN_OK &&
                            p->made.stats.choice_points && !c->has_policy;
                 k++) {
                struct orc_result other;
                struct spv_choices choices = {.base = (enum spv_policy)k};
                if (choices.base == p->policy.base)
                    continue; // the first run used this policy
                o.policy = &choices;
                orc_run(program, a, c, subgroup, &o, &other);
                if (other.why.status == RAN_UNDEFINED)
                    p->made.why = other.why;
            }
        }
        if (c->expect_count)
            p->given = expect_memory(a, c, &p->made);
    }
    arena_free(&own);
    return out;
}

// The two machines of the oracle must return equal bits, or fail by the same rule.
bool judge_difference(const struct orc_result *x, const struct orc_result *y, char *text,
                      size_t size)
{
    if (x->why.status != y->why.status || strcmp(x->why.rule, y->why.rule) != 0) {
        snprintf(text, size, "mask: %.80s, tag: %.80s",
                 x->why.text[0] ? x->why.text : ran_name(x->why.status),
                 y->why.text[0] ? y->why.text : ran_name(y->why.status));
        return true;
    }
    for (uint32_t k = 0; k < x->memory_count; k++) {
        const struct spv_memory *a = &x->memory[k], *b = &y->memory[k];
        for (uint32_t w = 0; w < a->count; w++) {
            uint32_t known = a->mask ? a->mask[w] : UINT32_MAX;
            uint32_t other = b->mask ? b->mask[w] : UINT32_MAX;
            if (a->words[w] == b->words[w] && known == other)
                continue;
            snprintf(text, size, "buffer %u:%u, word %u: mask 0x%x/0x%x, tag 0x%x/0x%x", a->set,
                     a->binding, w, a->words[w], known, b->words[w], other);
            return true;
        }
    }
    return false;
}

bool judge_same_result(const struct orc_result *x, const struct orc_result *y)
{
    char text[200];
    return !judge_difference(x, y, text, sizeof text);
}

bool judge_usable(const struct prediction *p)
{
    switch (p->made.why.status) {
    case RAN_OK:
        return true;
    case RAN_OVER_LIMIT:
    case RAN_UNSUPPORTED:
        return p->given != NULL;
    default:
        return false;
    }
}

// ---- verdicts ----------------------------------------------------------------------

static enum judge_class class_of_status(enum run_status s)
{
    switch (s) {
    case RUN_REJECTED:
        return JUDGE_REJECTED;
    case RUN_CRASHED:
        return JUDGE_CRASH;
    case RUN_HUNG:
        return JUDGE_HANG;
    case RUN_DEVICE_LOST:
        return JUDGE_DEVICE_LOST;
    case RUN_MEMORY:
        return JUDGE_MEMORY;
    case RUN_INVALID:
        return JUDGE_INVALID_OUTPUT;
    case RUN_COMPILED:
        return JUDGE_COMPILED;
    case RUN_SKIPPED:
        return JUDGE_SKIPPED;
    case RUN_FAILED:
        return JUDGE_FAILED;
    case RUN_OK:
    case RUN_STATUSES:
        break;
    }
    return JUDGE_AGREES;
}

static void no_comparison(struct judged *out, enum judge_class k, const char *text)
{
    out->verdict = (struct judge_verdict){.klass = k};
    snprintf(out->verdict.text, sizeof out->verdict.text, "%s", text);
}

static bool same_words(const struct spv_memory *e, const struct spv_memory *o)
{
    for (uint32_t i = 0; i < e->count; i++)
        if (judge_wrong_bits(e, o, i))
            return false;
    return true;
}

// Returns the choices that a device showed before. Choices for single places apply only to the same
// module.
static struct spv_choices remembered(const struct shown_policy *shown, const struct spv_case *c)
{
    struct spv_choices choices = shown->choices;
    if (shown->module != hash64(c->words, c->count * sizeof *c->words))
        choices.count = 0;
    return choices;
}

static void remember(struct shown_policy *shown, const struct spv_case *c,
                     const struct spv_choices *choices)
{
    shown->choices = *choices;
    shown->module = hash64(c->words, c->count * sizeof *c->words);
}

static bool left_a_choice(const struct orc_stats *s)
{
    return s->choice_points || s->derivative_choices || s->helper_choices;
}

static void judge_as_mapped(struct arena *a, struct spv_tools *tools, const struct prediction *p,
                            struct run_result *r, struct shown_policy *shown, struct judged *out)
{
    const struct spv_case *c = p->c;
    bool ok = p->made.why.status == RAN_OK;
    *out = (struct judged){.policy = p->policy};
    out->chose = ok && left_a_choice(&p->made.stats);
    // A crash counts even if the oracle cannot predict the result, but only for programs without
    // undefined behaviour.
    if (!judge_usable(p)) {
        no_comparison(out, JUDGE_UNDEFINED, p->made.why.text);
        return;
    }
    out->expected = p->given ? p->given : p->made.memory;
    if (r->status != RUN_OK) {
        no_comparison(out, class_of_status(r->status), r->text);
        return;
    }

    if (r->form != RUN_FORM_MEMORY &&
        !observe_module(a, tools, p, &p->policy, out->expected, r, &out->verdict))
        return;

    struct orc_lanes lanes;
    const struct orc_lanes *seen = NULL;
    uint32_t at = judge_lanes_index(c);
    if (at < c->buffer_count && !same_words(&out->expected[at], &r->memory[at])) {
        struct err e = {0};
        if (!judge_lanes_read(a, c, &r->memory[at], p->subgroup, &lanes, &e)) {
            no_comparison(out, c->has_coverage ? JUDGE_WRONG_COVERAGE : JUDGE_WRONG_MAPPING, e.msg);
            return;
        }
        seen = &lanes;
        out->other_mapping = true;
    }
    if (!seen) {
        judge_compare(c, out->expected, r->memory, r->memory_count, &out->verdict);
    } else if (!p->program || !ok) {
        no_comparison(out, JUDGE_UNDEFINED,
                      "the device maps lanes differently than the "
                      "`; expect` lines assume, and the oracle cannot judge it");
    } else {
        struct orc_options o = {.policy = &p->policy, .lanes = seen, .elects = true};
        struct orc_result made;
        orc_run(p->program, a, c, p->subgroup, &o, &made);
        out->chose = left_a_choice(&made.stats);
        if (made.why.status != RAN_OK && seen->coverage && seen->coverage->again) {
            no_comparison(out, JUDGE_UNJUDGED, "");
            snprintf(out->verdict.text, sizeof out->verdict.text,
                     "%u more invocations than vertices, which Vulkan allows: %.300s",
                     seen->coverage->again, made.why.text);
            return;
        }
        if (made.why.status != RAN_OK || made.logs_other) {
            no_comparison(
                out, JUDGE_UNDEFINED,
                made.why.status != RAN_OK
                    ? made.why.text
                    : "with the observed mapping the module logs other invocations than it has");
            return;
        }
        out->expected = made.memory;
        judge_compare(c, out->expected, r->memory, r->memory_count, &out->verdict);
    }
    if (!out->chose)
        return;
    if (!judge_class_is_mismatch(out->verdict.klass)) {
        remember(shown, c, &p->policy);
        return;
    }
    struct spv_choices first = remembered(shown, c);
    struct policy_search s;
    policy_search(a, p, seen, r->memory, r->memory_count, &first, POLICY_BUDGET, &s);
    out->tried = s.tried;
    if (s.answer == POLICY_FOUND)
        remember(shown, c, &s.choices);
    // A compiler's output was run with the choices of the prediction, so a finding keeps these:
    // with the closest ones the output would be run again, and may be right.
    if (s.answer == POLICY_NONE && !s.by_no_choice && r->form != RUN_FORM_MEMORY)
        return;
    switch (s.answer) {
    case POLICY_FOUND:
    case POLICY_NONE:
        out->policy = s.choices;
        out->expected = s.expected;
        out->verdict = s.verdict;
        out->any_policy = s.by_no_choice;
        return;
    case POLICY_OUT:
        out->verdict.klass = JUDGE_AMBIGUOUS;
        return;
    case POLICY_UNDEFINED:
        no_comparison(out, JUDGE_UNDEFINED, s.why);
        return;
    }
}

// True if some word is wrong in every memory of r.
static bool wrong_in_all(const struct spv_memory *expected, const struct run_result *r)
{
    for (uint32_t b = 0; b < r->memory_count; b++)
        for (uint32_t i = 0; i < r->memory[b].count; i++) {
            bool all = judge_wrong_bits(&expected[b], &r->memory[b], i) != 0;
            for (uint32_t k = 0; k < r->others && all; k++)
                all = judge_wrong_bits(&expected[b], &r->other[k * r->memory_count + b], i) != 0;
            if (all)
                return true;
        }
    return false;
}

// Judges machine code whose results differ between schedules. No schedule is guaranteed, so a
// result is a plain mismatch only if it is wrong in all of them. Each schedule may have its own
// choices of D3 and M2.
static void judge_schedules(struct arena *a, struct spv_tools *tools, const struct prediction *p,
                            struct run_result *r, struct judged *out)
{
    struct judged other;
    bool all = judge_class_is_mismatch(out->verdict.klass);
    for (uint32_t k = 0; k < r->others; k++) {
        struct run_result one = *r;
        struct shown_policy fresh = {0};
        one.memory = r->other + k * r->memory_count;
        judge_as_mapped(a, tools, p, &one, &fresh, &other);
        all &= judge_class_is_mismatch(other.verdict.klass);
        // Report the first wrong schedule.
        if (judge_class_is_mismatch(other.verdict.klass) && out->verdict.klass == JUDGE_AGREES) {
            *out = other;
            for (uint32_t b = 0; b < r->memory_count; b++) {
                const struct spv_memory m = r->memory[b];
                r->memory[b] = one.memory[b];
                one.memory[b] = m;
            }
        }
    }
    if (!judge_class_is_mismatch(out->verdict.klass) || (all && wrong_in_all(out->expected, r)))
        return;
    char text[sizeof out->verdict.text];
    if (r->unset_line) { // the flag may hold either value, so one wrong result is enough
        snprintf(text, sizeof text,
                 "%.300s; with one value of a flag that the machine code reads before it sets it",
                 out->verdict.text);
    } else {
        out->verdict.klass = JUDGE_SCHEDULE;
        snprintf(text, sizeof text, "with one of %u schedules: %.300s", r->others + 1,
                 out->verdict.text);
    }
    memcpy(out->verdict.text, text, sizeof text);
}

// True if the memory is right when every load completes at once: then the code waits too late.
static bool is_early_use(const struct spv_case *c, const struct spv_memory *expected,
                         const struct run_result *r)
{
    struct judge_verdict prompt;
    if (!r->early_line)
        return false;
    judge_compare(c, expected, r->prompt, r->memory_count, &prompt);
    return !judge_class_is_mismatch(prompt.klass);
}

void judge_result(struct arena *a, struct spv_tools *tools, const struct prediction *p,
                  struct run_result *r, struct shown_policy *shown, struct judged *out)
{
    judge_as_mapped(a, tools, p, r, shown, out);
    if (judge_class_is_mismatch(out->verdict.klass) && is_early_use(p->c, out->expected, r)) {
        out->verdict.klass = JUDGE_EARLY_USE;
        snprintf(out->verdict.text, sizeof out->verdict.text,
                 "line %u of the machine code uses a register before waiting for its load",
                 r->early_line);
        return;
    }
    if (r->others)
        judge_schedules(a, tools, p, r, out);
    if (!judge_class_is_mismatch(out->verdict.klass) || !r->maps_lanes || p->c->has_lanes ||
        p->made.why.status != RAN_OK)
        return;
    const char *name = other_mapping(p, r);
    if (name) {
        no_comparison(out, JUDGE_UNJUDGED, "");
        snprintf(
            out->verdict.text, sizeof out->verdict.text,
            "the case reads no lane mapping (`; lanes`), and the result is right if lanes are %s",
            name);
    }
}
