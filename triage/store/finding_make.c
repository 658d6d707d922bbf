// SPDX-License-Identifier: Apache-2.0
//
// Combines the observations and the diagnosis of a finding into a record.
#include "finding.h"

#include <string.h>

enum judge_class finding_class(const struct finding *f)
{
    return f->flaky ? JUDGE_FLAKY : f->verdict.klass;
}

enum diag_rule finding_rule(const struct finding *f)
{
    return judge_weak(f->model) ? DIAG_NO_RULE : (enum diag_rule)f->reason.rule;
}

void finding_agreement(const struct finding *f, uint32_t *agreed, uint32_t *judged)
{
    *agreed = *judged = 0;
    for (uint32_t i = 0; i < f->cross_checks; i++) {
        const enum judge_class k = f->cross_check[i].klass;
        *agreed += k == JUDGE_AGREES;
        *judged += k == JUDGE_AGREES || judge_class_is_finding(k);
    }
}

bool finding_crash_named(const char *printed)
{
    struct arena a = {0};
    const bool named = printed && (run_names_error(printed) || diag_frames(&a, printed)[0]);
    arena_free(&a);
    return named;
}

// Returns text that locates a crash, in addition to the message. A backtrace counts for a reduced
// case, or if what the target printed names no fault: not each case is run in a debugger as it is
// found.
static const char *where_it_was(const struct finding_evidence *v)
{
    const bool printed = v->printed && v->printed[0] && v->verdict->klass == JUDGE_CRASH;
    if (v->backtrace && v->backtrace[0] && (v->of || !finding_crash_named(v->printed)))
        return v->backtrace;
    return printed ? v->printed : NULL;
}

void finding_signature(const struct finding_evidence *v, struct diag_signature *out)
{
    struct arena a = {0};
    const char *words = v->target_output, *where = where_it_was(v);
    if (where && (v->of || !v->culprit))
        words = arena_printf(&a, "%s\n%s", words ? words : v->verdict->text, where);
    diag_signature(v->c, v->verdict, v->target, v->driver, words, v->culprit, out);
    arena_free(&a);
    if (v->probed)
        diag_signature_probed(out, v->what, &v->pattern);
    if (v->probed && v->alone)
        diag_signature_alone(out, v->alone);
    if (v->of && v->output)
        diag_signature_changed(out, v->c, v->output, v->output_count);
    if (v->of && v->reason)
        diag_signature_reasoned(out, v->reason);
}

// Under a weaker model, values that a compiler's module leaves undefined are taken as under maximal
// reconvergence, as the judge does. Returns `observed` if nothing changes.
static const struct spv_memory *as_maximal(struct arena *a, const struct spv_case *c,
                                           const struct spv_memory *observed,
                                           const uint32_t *output, size_t output_count)
{
    struct spv_case made = *c;
    struct orc_options o = {.policy = c->has_policy ? &c->policy : NULL};
    struct orc_result full;
    if (!observed || !output || !judge_weak(c->model))
        return observed;
    made.words = output;
    made.count = output_count;
    made.body = NULL;
    made.model = SPV_ASSUMED_MAXIMAL;
    orc_predict(a, &made, c->subgroup, &o, &full);
    return full.why.status == RAN_OK ? full.memory : observed;
}

void finding_reason(struct arena *a, const struct spv_case *c, const struct spv_memory *expected,
                    const struct spv_memory *observed, const uint32_t *output, size_t output_count,
                    const struct diag_signature *s, const struct experiment_target *t,
                    struct diag_reason *out)
{
    diag_reason_tested(c, expected, as_maximal(a, c, observed, output, output_count), s, t, out);
}

// Removes the machine's folders from a text.
static const char *kept(struct arena *a, const char *s)
{
    return s ? diag_without_paths(a, s) : "";
}

void finding_make(struct arena *a, const struct finding_evidence *v, struct finding *out)
{
    const enum judge_class k = v->verdict->klass;
    struct diag_signature *s = ARENA_NEW(a, struct diag_signature);
    struct finding_cross_check *others =
        ARENA_ARRAY(a, struct finding_cross_check, v->cross_checks);
    finding_signature(v, s);
    for (uint32_t i = 0; i < v->cross_checks; i++)
        others[i] = (struct finding_cross_check){kept(a, v->cross_check[i].target),
                                                 kept(a, v->cross_check[i].driver),
                                                 v->cross_check[i].klass};
    *out = (struct finding){.name = "",
                            .folder = "",
                            .digest = "",
                            .verdict = *v->verdict,
                            .flaky = v->flaky,
                            .model = v->c->model,
                            .subgroup = v->c->subgroup,
                            .words = (uint32_t)v->c->count,
                            .target = kept(a, v->target),
                            .device = kept(a, v->device),
                            .driver = kept(a, v->driver),
                            .host = v->host ? v->host : "",
                            .signature = s,
                            .stage = v->stage,
                            .cross_check = others,
                            .cross_checks = v->cross_checks,
                            .found_at = v->found_at,
                            .reproduced = v->reproduced,
                            .tries = v->tries,
                            .replay = kept(a, v->replay),
                            .generated = kept(a, v->generated),
                            .of = v->of ? v->of : ""};
    snprintf(out->verdict.text, sizeof out->verdict.text, "%s", kept(a, v->verdict->text));
    if (v->observed && judge_class_is_mismatch(k))
        out->promise = judge_weakest(v->c, v->observed);
    if (v->reason && v->reason->why)
        out->reason = *v->reason;
    if (v->trials)
        out->trials = *v->trials;
    if (v->origin && v->driver_text && v->origin->store)
        out->code = (struct finding_code){.line = v->origin->line,
                                          .store = v->origin->store,
                                          .lanes = v->origin->lanes[0] |
                                                   (lane_mask)v->origin->lanes[1] << 32,
                                          .unset = v->unset_line};
}
