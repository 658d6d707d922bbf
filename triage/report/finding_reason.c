// SPDX-License-Identifier: Apache-2.0
//
// Why a finding is wrong (diagnose/reason.h), as its folder says it.
#include "finding.h"
#include "store/store_json.h"
#include "tangles.h"

#include "diagnose/reason.h"

#include <string.h>

static const struct report_reason nothing = {
    .why = "", .known = "", .rule = "", .what = "", .says = "", .near = ""};

// What a compiler's module leaves open under a weaker model is what it would be under maximal
// reconvergence, as the judge takes it too. `observed` where that says no more.
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
    return full.why.status == ORC_OK ? full.memory : observed;
}

void report_reason(struct arena *a, const struct spv_case *c, const struct spv_memory *expected,
                   const struct spv_memory *observed, const uint32_t *output, size_t output_count,
                   const struct diag_signature *s, struct report_reason *out)
{
    static const char *const known[] = {"", "reading", "probe", "change", "several"};
    struct diag_reason r;
    struct spv_module m;
    *out = nothing;
    if (!spv_module_read(a, c->words, c->count, &m, NULL) ||
        !diag_reason(c, expected, as_maximal(a, c, observed, output, output_count), s, &r))
        return;
    const struct diag_names names = {&m, tangles_names(a, &m, c->body)};
    *out = (struct report_reason){
        .why = diag_why_name((enum diag_why)r.why),
        .known = known[r.known],
        .rule = judge_weak(c->model) ? "" : diag_rule_name((enum diag_rule)r.rule),
        .what = diag_why_words(a, &r, &names),
        .says = diag_why_rule(a, &r, c->model),
        .near = diag_why_near(a, &r, &names),
        .has_place = r.has_place,
        .workgroup = r.workgroup,
        .subgroup = r.subgroup,
        .label = r.label,
        .op = r.row,
        .time = r.time,
        .wrong = r.wrong};
}

void report_finding_reason(struct arena *a, const struct report_finding *f,
                           struct report_reason *out)
{
    const enum judge_class k = f->verdict->klass;
    struct diag_signature s;
    *out = nothing;
    if (judge_class_is_mapping(k) || (!judge_class_is_mismatch(k) && k != JUDGE_UNDEFINED_OUTPUT))
        return;
    report_finding_signature(f, &s);
    report_reason(a, f->c, f->expected, f->observed, f->output, f->output_count, &s, out);
}

void report_reason_text(const struct report_reason *r, struct text *out)
{
    const char *const parts[] = {r->what, r->says, r->near};
    for (size_t k = 0; k < sizeof parts / sizeof *parts; k++)
        if (parts[k] && parts[k][0])
            text_add(out, "\n%s\n", parts[k]);
}

json_t *report_reason_json(const struct report_reason *r)
{
    json_t *o = json_object(), *wrong = json_array();
    const struct {
        const char *key, *text;
    } rows[] = {{"why", r->why},   {"known_by", r->known}, {"rule", r->rule},
                {"what", r->what}, {"says", r->says},      {"near_miss", r->near}};
    for (size_t k = 0; k < sizeof rows / sizeof *rows; k++)
        if (rows[k].text[0])
            json_object_set_new(o, rows[k].key, json_string(rows[k].text));
    LANES_EACH (l, r->wrong)
        json_array_append_new(wrong, json_integer(l));
    if (r->has_place) {
        json_object_set_new(o, "workgroup", json_integer(r->workgroup));
        json_object_set_new(o, "subgroup", json_integer(r->subgroup));
        json_object_set_new(o, "block", json_integer(r->label));
        json_object_set_new(o, "operation", json_integer(r->op));
        json_object_set_new(o, "executed_before", json_integer(r->time));
        json_object_set_new(o, "wrong_lanes", json_incref(wrong));
    }
    json_decref(wrong);
    return o;
}

static uint32_t number(const json_t *o, const char *key)
{
    const json_int_t n = json_integer_value(json_object_get(o, key));
    return n < 0 || n > UINT32_MAX ? 0 : (uint32_t)n;
}

bool report_reason_read(struct arena *a, const char *folder, struct report_reason *out)
{
    struct err unread; // then it tells none
    json_t *o = json_file(a, arena_printf(a, "%s/finding.json", folder), &unread);
    const json_t *r = json_object_get(o, "reason"), *wrong = json_object_get(r, "wrong_lanes");
    *out = nothing;
    if (json_is_object(r)) {
        *out = (struct report_reason){.why = arena_str(a, json_text(r, "why")),
                                      .known = arena_str(a, json_text(r, "known_by")),
                                      .rule = arena_str(a, json_text(r, "rule")),
                                      .what = arena_str(a, json_text(r, "what")),
                                      .says = arena_str(a, json_text(r, "says")),
                                      .near = arena_str(a, json_text(r, "near_miss")),
                                      .has_place = wrong != NULL,
                                      .workgroup = number(r, "workgroup"),
                                      .subgroup = number(r, "subgroup"),
                                      .label = number(r, "block"),
                                      .op = number(r, "operation"),
                                      .time = number(r, "executed_before")};
        for (size_t k = 0; k < json_array_size(wrong); k++) {
            const json_int_t l = json_integer_value(json_array_get(wrong, k));
            if (l >= 0 && l < LANES_MAX)
                out->wrong |= lane_bit((unsigned)l);
        }
    }
    json_decref(o);
    return out->why[0] != 0;
}
