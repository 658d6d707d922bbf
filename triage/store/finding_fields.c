// SPDX-License-Identifier: Apache-2.0
//
// The tables of finding_fields.h: each struct of a finding's record, a row for each of its fields.
#include "finding_fields.h"

#define PLACE(type, field)                                                                         \
    .at = offsetof(struct type, field), .size = sizeof((struct type *)0)->field
#define FIELD(type, field, k, how) {.key = k, .kind = how, PLACE(type, field)}
#define NAMED(type, field, k, how, whose)                                                          \
    {.key = k, .kind = how, .names = whose, PLACE(type, field)}
#define PARTS(type, field, k, below) {.key = k, .kind = STRUCT, .rows = below, PLACE(type, field)}
#define ENTRIES(type, field, n, k, below)                                                          \
    {.key = k,                                                                                     \
     .kind = LIST,                                                                                 \
     .rows = below,                                                                                \
     .at = offsetof(struct type, field),                                                           \
     .size = sizeof((struct type *)0)->field[0],                                                   \
     .count_at = offsetof(struct type, n),                                                         \
     .max = sizeof((struct type *)0)->field / sizeof((struct type *)0)->field[0]}

#define NAMES(x, X)                                                                                \
    static const char *x##_of(unsigned v)                                                          \
    {                                                                                              \
        return diag_enum_name(&diag_##x##_names, v);                                               \
    }                                                                                              \
    static const struct names x##_names = {x##_of, DIAG_##X##_COUNT};
// clang-format off
NAMES(why, WHY) NAMES(known, KNOWN) NAMES(rule, RULE) NAMES(counted, COUNTED) NAMES(edit, EDIT)
NAMES(part, PART) NAMES(construct, CONSTRUCT) NAMES(way, WAY) NAMES(where, WHERE) NAMES(pair, PAIR)
NAMES(arm, ARM) NAMES(cases, CASES) NAMES(did, DID) NAMES(side, SIDE) NAMES(use, USE)
NAMES(kind, KIND) NAMES(reuse, REUSE) NAMES(label, LABEL) NAMES(value, VALUE) NAMES(about, ABOUT)
NAMES(stage, STAGE) NAMES(mistake, MISTAKE) NAMES(tweak_kind, TWEAK)
// clang-format on
#undef NAMES
                    static const char *class_of(unsigned v)
{
    return judge_class_name((enum judge_class)v);
}
const struct names finding_class_names = {class_of, JUDGE_CLASSES};
static const char *promise_of(unsigned v)
{
    return judge_promise_name((enum judge_promise)v);
}
static const struct names promise_names = {promise_of, JUDGE_PROMISES};
static const char *model_of(unsigned v)
{
    return spv_model_name((enum spv_model)v);
}
static const struct names model_names = {model_of, SPV_ASSUMED_MAXIMAL + 1};
static const char *fault_of(unsigned v)
{
    return orc_fault_name((enum orc_fault)v);
}
static const struct names fault_names = {fault_of, ORC_FAULTS};
static const char *group_of(unsigned v)
{
    return spv_group_class_name((enum spv_group_class)v);
}
static const struct names group_names = {group_of, SPV_GROUP_CLASSES};

// clang-format off
static const struct row op_rows[] = {
    FIELD(diag_op, opcode, "opcode", NUMBER),
    FIELD(diag_op, has_form, "has_form", BOOL),
    FIELD(diag_op, form, "form", NUMBER),
    FIELD(diag_op, vector, "vector", BOOL),
    FIELD(diag_op, cluster, "cluster", NUMBER),
    {.key = NULL}};
static const struct row flow_rows[] = {
    FIELD(diag_flow, loop, "loop", BOOL),
    FIELD(diag_flow, call, "call", BOOL),
    FIELD(diag_flow, phis, "phis", BOOL),
    FIELD(diag_flow, left, "left", BOOL),
    NAMED(diag_flow, cases, "cases", ENUM, &cases_names),
    FIELD(diag_flow, atomic, "atomic", NUMBER),
    FIELD(diag_flow, ifs, "ifs", NUMBER),
    {.key = NULL}};
static const struct row lanes_rows[] = {
    NAMED(diag_lanes, rules, "rules", SET, &rule_names),
    NAMED(diag_lanes, ways, "ways", SET, &way_names),
    {.key = NULL}};
static const struct row pattern_rows[] = {
    PARTS(diag_pattern, extra, "extra", lanes_rows),
    PARTS(diag_pattern, missing, "missing", lanes_rows),
    NAMED(diag_pattern, where, "where", ENUM, &where_names),
    FIELD(diag_pattern, wide, "wide", BOOL),
    {.key = NULL}};
static const struct row change_rows[] = {
    NAMED(diag_change, did, "did", ENUM, &did_names),
    FIELD(diag_change, over, "over", BOOL),
    FIELD(diag_change, turned, "turned", BOOL),
    NAMED(diag_change, kind, "kind", ENUM, &kind_names),
    NAMED(diag_change, construct, "construct", ENUM, &construct_names),
    NAMED(diag_change, from, "from", ENUM, &side_names),
    NAMED(diag_change, to, "to", ENUM, &side_names),
    NAMED(diag_change, use_from, "use_from", ENUM, &use_names),
    NAMED(diag_change, use_to, "use_to", ENUM, &use_names),
    NAMED(diag_change, reuse, "reuse", ENUM, &reuse_names),
    PARTS(diag_change, op, "op", op_rows),
    FIELD(diag_change, after_loop, "after_loop", BOOL),
    FIELD(diag_change, by_return, "by_return", BOOL),
    NAMED(diag_change, label_from, "label_from", ENUM, &label_names),
    NAMED(diag_change, label_to, "label_to", ENUM, &label_names),
    FIELD(diag_change, opcode, "opcode", NUMBER),
    NAMED(diag_change, value_from, "value_from", ENUM, &value_names),
    NAMED(diag_change, value_to, "value_to", ENUM, &value_names),
    FIELD(diag_change, round, "round", BOOL),
    FIELD(diag_change, later, "later", BOOL),
    FIELD(diag_change, called, "called", BOOL),
    FIELD(diag_change, loops, "loops", NUMBER),
    FIELD(diag_change, switches, "switches", NUMBER),
    FIELD(diag_change, ifs, "ifs", NUMBER),
    FIELD(diag_change, demotes, "demotes", NUMBER),
    FIELD(diag_change, ends, "ends", NUMBER),
    FIELD(diag_change, queries, "asks", NUMBER),
    {.key = NULL}};
static const struct row path_rows[] = {
    FIELD(diag_path, known, "known", BOOL),
    FIELD(diag_path, is_after, "is_after", BOOL),
    NAMED(diag_path, after, "after", ENUM, &construct_names),
    {.key = "parts", .kind = PATH, .names = &part_names},
    {.key = NULL}};
const struct row finding_signature_rows[] = {
    NAMED(diag_signature, klass, "class", ENUM, &finding_class_names),
    FIELD(diag_signature, family, "family", CHARS),
    NAMED(diag_signature, about, "about", ENUM, &about_names),
    NAMED(diag_signature, op, "op", ENUM, &group_names),
    PARTS(diag_signature, exact, "exact", op_rows),
    PARTS(diag_signature, inner, "inner", op_rows),
    PARTS(diag_signature, guard, "guard", op_rows),
    PARTS(diag_signature, bits, "bits", op_rows),
    NAMED(diag_signature, pair, "pair", ENUM, &pair_names),
    PARTS(diag_signature, flow, "flow", flow_rows),
    NAMED(diag_signature, arm, "arm", ENUM, &arm_names),
    FIELD(diag_signature, probed, "probed", BOOL),
    PARTS(diag_signature, pattern, "manner", pattern_rows),
    PARTS(diag_signature, change, "change", change_rows),
    PARTS(diag_signature, path, "path", path_rows),
    NAMED(diag_signature, fault, "fault", ENUM, &fault_names),
    NAMED(diag_signature, rule, "rule", ENUM, &rule_names),
    FIELD(diag_signature, message, "message", CHARS),
    FIELD(diag_signature, culprit, "pass", CHARS),
    {.key = NULL}};
static const struct row hypothesis_rows[] = {
    NAMED(diag_hypothesis, mistake, "mistake", ENUM, &mistake_names),
    NAMED(diag_hypothesis, fault, "broken", ENUM, &fault_names),
    FIELD(diag_hypothesis, at, "at", NUMBER),
    NAMED(diag_hypothesis, counted, "counted", ENUM, &counted_names),
    FIELD(diag_hypothesis, block, "block", NUMBER),
    FIELD(diag_hypothesis, edge_from, "edge_from", NUMBER),
    FIELD(diag_hypothesis, edge_was, "edge_was", NUMBER),
    FIELD(diag_hypothesis, edge_is, "edge_is", NUMBER),
    NAMED(diag_hypothesis, edit, "edit", ENUM, &edit_names),
    FIELD(diag_hypothesis, value, "value", NUMBER),
    {.key = NULL}};
static const struct row tweak_rows[] = {
    NAMED(diag_tweak, kind, "change", ENUM, &tweak_kind_names),
    FIELD(diag_tweak, opcode, "opcode", NUMBER),
    FIELD(diag_tweak, at, "instruction", NUMBER),
    FIELD(diag_tweak, id, "id", NUMBER),
    FIELD(diag_tweak, operand, "operand", NUMBER),
    FIELD(diag_tweak, from, "from", NUMBER),
    FIELD(diag_tweak, to, "to", NUMBER),
    {.key = NULL}};
static const struct row control_rows[] = {
    PARTS(diag_control, tweak, "program", tweak_rows),
    FIELD(diag_control, by_change, "by_change", BOOL),
    FIELD(diag_control, made, "change_made", BOOL),
    FIELD(diag_control, wrong, "wrong", BOOL),
    NAMED(diag_control, rival_why, "rival", ENUM, &why_names),
    FIELD(diag_control, set, "set", NUMBER),
    FIELD(diag_control, binding, "binding", NUMBER),
    FIELD(diag_control, word, "word", NUMBER),
    FIELD(diag_control, predicted, "predicted", NUMBER),
    FIELD(diag_control, rival, "predicted_by_rival", NUMBER),
    FIELD(diag_control, expected, "expected", NUMBER),
    FIELD(diag_control, observed, "observed", NUMBER),
    FIELD(diag_control, undefined, "undefined", BOOL),
    {.key = NULL}};
static const struct row trial_rows[] = {
    PARTS(diag_trial, tweak, "program", tweak_rows),
    FIELD(diag_trial, fails, "fails", BOOL),
    {.key = NULL}};
static const struct row trials_rows[] = {
    ENTRIES(diag_trials, trial, n, "tried", trial_rows),
    {.key = NULL}};
static const struct row reason_rows[] = {
    NAMED(diag_reason, why, "why", ENUM, &why_names),
    NAMED(diag_reason, also, "also", ENUM, &why_names),
    NAMED(diag_reason, known, "known_by", ENUM, &known_names),
    NAMED(diag_reason, rule, "rule", ENUM, &rule_names),
    PARTS(diag_reason, hypothesis, "hypothesis", hypothesis_rows),
    FIELD(diag_reason, has_place, "has_place", BOOL),
    FIELD(diag_reason, workgroup, "workgroup", NUMBER),
    FIELD(diag_reason, subgroup, "subgroup", NUMBER),
    FIELD(diag_reason, label, "block", NUMBER),
    FIELD(diag_reason, op, "value", NUMBER),
    FIELD(diag_reason, row, "operation", NUMBER),
    FIELD(diag_reason, time, "executed_before", NUMBER),
    FIELD(diag_reason, tangle, "tangle", LANES),
    FIELD(diag_reason, counted, "counted", LANES),
    FIELD(diag_reason, wrong, "wrong_lanes", LANES),
    FIELD(diag_reason, helpers, "helpers", LANES),
    FIELD(diag_reason, lane, "lane", NUMBER),
    FIELD(diag_reason, other, "other_block", NUMBER),
    FIELD(diag_reason, own, "own", NUMBER),
    FIELD(diag_reason, later, "later", NUMBER),
    FIELD(diag_reason, own_value, "own_value", NUMBER),
    FIELD(diag_reason, later_value, "later_value", NUMBER),
    PARTS(diag_reason, without, "without", tweak_rows),
    FIELD(diag_reason, shown, "shown", NUMBER),
    NAMED(diag_reason, rivals, "rivals", SET, &why_names),
    FIELD(diag_reason, asked, "asked", NUMBER),
    FIELD(diag_reason, confirmed, "confirmed", NUMBER),
    ENTRIES(diag_reason, control, controls, "controls", control_rows),
    {.key = NULL}};
static const struct row code_rows[] = {
    FIELD(finding_code, store, "stored_at_line", NUMBER),
    FIELD(finding_code, line, "line", NUMBER),
    FIELD(finding_code, lanes, "lanes", LANES),
    FIELD(finding_code, expected, "expected_lanes", LANES),
    FIELD(finding_code, unset, "unset_flag_line", NUMBER),
    {.key = NULL}};
const struct row finding_rows[] = {
    NAMED(finding, verdict.klass, "first_class", ENUM, &finding_class_names),
    FIELD(finding, verdict.text, "text", CHARS),
    FIELD(finding, verdict.live_bits, "live_bits", NUMBER),
    FIELD(finding, verdict.wrong_bits, "wrong_bits", NUMBER),
    FIELD(finding, verdict.wrong_invocations, "wrong_invocations", NUMBER),
    FIELD(finding, verdict.has_place, "has_place", BOOL),
    FIELD(finding, verdict.set, "set", NUMBER),
    FIELD(finding, verdict.binding, "binding", NUMBER),
    FIELD(finding, verdict.word, "word", NUMBER),
    FIELD(finding, verdict.has_site, "has_site", BOOL),
    FIELD(finding, verdict.invocation, "invocation", NUMBER),
    FIELD(finding, verdict.entry, "entry", NUMBER),
    FIELD(finding, verdict.site, "site", NUMBER),
    FIELD(finding, verdict.value, "value", NUMBER),
    FIELD(finding, verdict.expected, "expected", NUMBER),
    FIELD(finding, verdict.observed, "observed", NUMBER),
    FIELD(finding, verdict.undefined, "undefined", BOOL),
    FIELD(finding, flaky, "flaky", BOOL),
    NAMED(finding, model, "model", ENUM, &model_names),
    FIELD(finding, subgroup, "subgroup", NUMBER),
    FIELD(finding, words, "words", NUMBER),
    PARTS(finding, reason, "reason", reason_rows),
    PARTS(finding, trials, "trials", trials_rows),
    NAMED(finding, stage, "first_wrong_stage", ENUM, &stage_names),
    NAMED(finding, promise, "promise", ENUM, &promise_names),
    PARTS(finding, code, "code", code_rows),
    FIELD(finding, found_at, "found_at", NUMBER),
    FIELD(finding, reproduced, "reproduced", NUMBER),
    FIELD(finding, tries, "tries", NUMBER),
    {.key = NULL}};
// clang-format on
const struct finding_text finding_texts[FINDING_TEXTS] = {
    {"name", offsetof(struct finding, name)},
    {"folder", offsetof(struct finding, folder)},
    {"target", offsetof(struct finding, target)},
    {"device", offsetof(struct finding, device)},
    {"driver", offsetof(struct finding, driver)},
    {"host", offsetof(struct finding, host)},
    {"replay", offsetof(struct finding, replay)},
    {"generated", offsetof(struct finding, generated)},
    {"reduced_from", offsetof(struct finding, of)}};
