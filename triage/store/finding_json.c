// SPDX-License-Identifier: Apache-2.0
//
// A finding as JSON: the only codec of the record. Each struct is described by a table of its
// fields. Zeroes are left out, so fields of a later version read as "not known" in an older record.
#include "finding.h"
#include "store_json.h"

#include <stdlib.h>
#include <string.h>

// ---- tables of fields --------------------------------------------------------------------

enum kind { BOOL, NUMBER, ENUM, SET, LANES, CHARS, STRUCT, PATH, LIST };
struct names {
    const char *(*name)(unsigned value);
    unsigned count;
};
struct row {
    const char *key;
    enum kind kind;
    uint32_t at, size;
    const struct names *names; // ENUM, SET, PATH
    const struct row *rows;    // STRUCT, LIST; a row without a key ends them
    uint32_t count_at, max;    // LIST: place of its length, one byte; `size` is that of an entry
};
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
static const struct names class_names = {class_of, JUDGE_CLASSES};
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
static const struct row signature_rows[] = {
    NAMED(diag_signature, klass, "class", ENUM, &class_names),
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
    NAMED(diag_signature, rule, "rule", ENUM, &rule_names),
    FIELD(diag_signature, message, "message", CHARS),
    FIELD(diag_signature, culprit, "pass", CHARS),
    {.key = NULL}};
static const struct row hypothesis_rows[] = {
    NAMED(diag_hypothesis, mistake, "mistake", ENUM, &mistake_names),
    FIELD(diag_hypothesis, fault, "fault", NUMBER),
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
    {.key = NULL}};
static const struct row finding_rows[] = {
    NAMED(finding, verdict.klass, "first_class", ENUM, &class_names),
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
// Its texts; "" is left out.
static const struct {
    const char *key;
    uint32_t at;
} texts[] = {{"name", offsetof(struct finding, name)},
             {"folder", offsetof(struct finding, folder)},
             {"target", offsetof(struct finding, target)},
             {"device", offsetof(struct finding, device)},
             {"driver", offsetof(struct finding, driver)},
             {"replay", offsetof(struct finding, replay)},
             {"generated", offsetof(struct finding, generated)},
             {"reduced_from", offsetof(struct finding, of)}};
enum { TEXTS = sizeof texts / sizeof *texts };

// ---- writing -----------------------------------------------------------------------------

// Returns the unsigned number in `size` bytes.
static uint64_t get(const void *p, uint32_t size)
{
    uint64_t v = 0;
    CHECK(size <= sizeof v);
    memcpy(&v, p, size); // little-endian, as on all supported machines
    return v;
}

// One-byte fields are signed.
static json_t *number_json(const struct row *r, const void *p)
{
    return json_integer(r->size == 1 ? *(const int8_t *)p : (json_int_t)get(p, r->size));
}

static json_t *lanes_json(const void *p)
{
    json_t *o = json_array();
    lane_mask m;
    memcpy(&m, p, sizeof m);
    LANES_EACH (l, m)
        json_array_append_new(o, json_integer(l));
    return o;
}

static json_t *set_json(const struct row *r, uint64_t set)
{
    json_t *o = json_array();
    for (unsigned k = 0; k < r->names->count; k++)
        if (set >> k & 1)
            json_array_append_new(o, json_string(r->names->name(k)));
    return o;
}

static json_t *path_json(const struct row *r, const struct diag_path *p)
{
    json_t *o = json_array();
    for (uint32_t i = 0; i < p->n; i++)
        json_array_append_new(o, json_string(r->names->name(p->part[i])));
    return o;
}

static bool is_zero(const struct row *r, const void *base)
{
    const void *p = (const char *)base + r->at;
    if (r->kind == LIST)
        return !((const uint8_t *)base)[r->count_at];
    if (r->kind == CHARS)
        return !*(const char *)p;
    if (r->kind == PATH)
        return !((const struct diag_path *)p)->n;
    for (uint32_t i = 0; i < r->size; i++)
        if (((const char *)p)[i])
            return false;
    return true;
}

static json_t *rows_json(const struct row *rows, const void *base);

static json_t *list_json(const struct row *r, const void *base)
{
    json_t *o = json_array();
    for (uint32_t i = 0; i < ((const uint8_t *)base)[r->count_at]; i++)
        json_array_append_new(o,
                              rows_json(r->rows, (const char *)base + r->at + (size_t)i * r->size));
    return o;
}

static json_t *rows_json(const struct row *rows, const void *base)
{
    json_t *o = json_object();
    for (const struct row *r = rows; r->key; r++) {
        const void *p = (const char *)base + r->at;
        json_t *v = NULL;
        if (is_zero(r, base))
            continue;
        switch (r->kind) {
        case BOOL:
            v = json_true();
            break;
        case NUMBER:
            v = number_json(r, p);
            break;
        case ENUM:
            v = json_string(r->names->name((unsigned)get(p, r->size)));
            break;
        case SET:
            v = set_json(r, get(p, r->size));
            break;
        case LANES:
            v = lanes_json(p);
            break;
        case CHARS: // if a driver's message is not UTF-8, only the message is left out
            v = json_string(p);
            break;
        case STRUCT:
            v = rows_json(r->rows, p);
            break;
        case PATH:
            v = path_json(r, p);
            break;
        case LIST:
            v = list_json(r, base);
            break;
        }
        if (v)
            json_object_set_new(o, r->key, v);
    }
    return o;
}

static const char *dumped(struct arena *a, json_t *o)
{
    char *s = json_dumps(o, JSON_COMPACT);
    CHECK(s);
    const char *kept = arena_str(a, s);
    free(s);
    json_decref(o);
    return kept;
}

static json_t *witnesses_json(const struct finding *f)
{
    uint32_t agreed, judged;
    finding_agreement(f, &agreed, &judged);
    json_t *list = json_array();
    for (uint32_t i = 0; i < f->cross_checks; i++)
        json_array_append_new(list,
                              json_pack("{s:s*, s:s*, s:s}", "target", f->cross_check[i].target,
                                        "driver", f->cross_check[i].driver, "class",
                                        judge_class_name(f->cross_check[i].klass)));
    return json_pack("{s:i, s:i, s:o}", "agreed", (int)agreed, "judged", (int)judged, "targets",
                     list);
}

static void put(json_t *o, const char *key, const char *text)
{
    if (text && text[0])
        json_object_set_new(o, key, json_string(text));
}

// Adds texts for readers, generated from the facts; finding_parse ignores them.
static void add_texts(struct arena *a, json_t *o, const struct finding *f)
{
    const struct diag_signature *s = f->signature;
    put(o, "class", judge_class_name(finding_class(f)));
    put(o, "bucket", s->name);
    put(o, "signature", s->text);
    put(o, "sentence", diag_sentence(a, s));
    put(o, "operation", diag_op_words(a, s));
    put(o, "where", diag_where_words(a, s));
    put(o, "rule", diag_rule_name(finding_rule(f)));
    put(o, "taxonomy", diag_bug_class(s->bug_class));
    if (f->promise)
        json_object_set_new(o, "lead", json_boolean(judge_is_lead(f->model, f->promise)));
}

static json_t *record_json(const struct finding *f)
{
    json_t *o = json_pack("{s:i, s:s}", "schema", FINDING_SCHEMA, "type", "finding");
    CHECK(o);
    for (size_t k = 0; k < TEXTS; k++)
        put(o, texts[k].key, *(const char *const *)((const char *)f + texts[k].at));
    json_t *rows = rows_json(finding_rows, f);
    json_object_update(o, rows);
    json_decref(rows);
    if (f->cross_checks)
        json_object_set_new(o, "others", witnesses_json(f));
    finding_versions_put(o, f);
    return o;
}

const char *finding_record_json(struct arena *a, const struct finding *f)
{
    return dumped(a, record_json(f));
}

const char *finding_json(struct arena *a, const struct finding *f,
                         const struct finding_sentences *s)
{
    json_t *o = record_json(f), *reason = json_object_get(o, "reason");
    add_texts(a, o, f);
    if (s && reason) {
        put(reason, "what", s->what);
        put(reason, "says", s->says);
        put(reason, "near_miss", s->near);
        put(reason, "control", s->control);
    }
    if (s && json_object_get(o, "trials"))
        put(json_object_get(o, "trials"), "says", s->tried);
    json_object_set_new(o, "facts", rows_json(signature_rows, f->signature));
    return dumped(a, o);
}

const char *finding_facts_json(struct arena *a, const struct diag_signature *s)
{
    return dumped(a, rows_json(signature_rows, s));
}

// ---- reading -----------------------------------------------------------------------------

static bool name_find(const struct names *n, const json_t *v, unsigned *out)
{
    const char *s = json_string_value(v);
    for (unsigned k = 0; s && k < n->count; k++)
        if (strcmp(n->name(k), s) == 0) {
            *out = k;
            return true;
        }
    return false;
}

static bool set_read(const struct row *r, const json_t *v, void *p)
{
    uint64_t set = 0;
    unsigned k;
    for (size_t i = 0; i < json_array_size(v); i++) {
        if (!name_find(r->names, json_array_get(v, i), &k))
            return false;
        set |= UINT64_C(1) << k;
    }
    memcpy(p, &set, r->size);
    return json_is_array(v);
}

static bool lanes_read(const json_t *v, void *p)
{
    lane_mask m = 0;
    for (size_t i = 0; i < json_array_size(v); i++) {
        const json_t *x = json_array_get(v, i);
        const json_int_t l = json_integer_value(x);
        if (!json_is_integer(x) || l < 0 || l >= LANES_MAX)
            return false;
        m |= lane_bit((unsigned)l);
    }
    memcpy(p, &m, sizeof m);
    return json_is_array(v);
}

static bool path_read(const struct row *r, const json_t *v, struct diag_path *p)
{
    unsigned k;
    if (!json_is_array(v) || json_array_size(v) > DIAG_PATH_MAX)
        return false;
    for (size_t i = 0; i < json_array_size(v); i++) {
        if (!name_find(r->names, json_array_get(v, i), &k))
            return false;
        p->part[p->n++] = (uint8_t)k;
    }
    return true;
}

static bool number_read(const struct row *r, const json_t *v, void *p)
{
    const json_int_t n = json_integer_value(v);
    const unsigned bits = 8 * r->size;
    if (!json_is_integer(v) ||
        (bits == 8 ? n < INT8_MIN || n > UINT8_MAX : bits < 64 && (n < 0 || (uint64_t)n >> bits)))
        return false;
    memcpy(p, &n, r->size);
    return true;
}

static bool rows_read(const struct row *rows, const json_t *o, void *base, const char *what,
                      struct err *e);

static bool list_read(const struct row *r, const json_t *v, void *base, struct err *e)
{
    const size_t n = json_array_size(v);
    if (!json_is_array(v) || n > r->max)
        return err_set(e, "'%s' is not a list of at most %u entries", r->key, r->max);
    for (size_t i = 0; i < n; i++)
        if (!rows_read(r->rows, json_array_get(v, i), (char *)base + r->at + i * r->size, r->key,
                       e))
            return false;
    ((uint8_t *)base)[r->count_at] = (uint8_t)n;
    return true;
}

// `what`: the part of the record, for messages.
static bool rows_read(const struct row *rows, const json_t *o, void *base, const char *what,
                      struct err *e)
{
    if (!json_is_object(o))
        return err_set(e, "%s is not a JSON object", what);
    for (const struct row *r = rows; r->key; r++) {
        const json_t *v = json_object_get(o, r->key);
        void *p = (char *)base + r->at;
        const char *text = json_string_value(v);
        unsigned k = 0;
        bool ok = true;
        if (!v)
            continue;
        switch (r->kind) {
        case BOOL:
            *(bool *)p = json_is_true(v);
            ok = json_is_boolean(v);
            break;
        case NUMBER:
            ok = number_read(r, v, p);
            break;
        case ENUM:
            ok = name_find(r->names, v, &k);
            memcpy(p, &k, r->size);
            break;
        case SET:
            ok = set_read(r, v, p);
            break;
        case LANES:
            ok = lanes_read(v, p);
            break;
        case CHARS:
            ok = text != NULL;
            snprintf(p, r->size, "%s", text ? text : "");
            break;
        case STRUCT:
            if (!rows_read(r->rows, v, p, r->key, e))
                return false;
            break;
        case PATH:
            ok = path_read(r, v, p);
            break;
        case LIST:
            if (!list_read(r, v, base, e))
                return false;
            break;
        }
        if (!ok)
            return text ? err_set(e, "'%s' of %s is '%.60s', which is not known here", r->key, what,
                                  text)
                        : err_set(e, "'%s' of %s has a wrong type or value", r->key, what);
    }
    return true;
}

static bool facts_read(const json_t *o, struct diag_signature *out, struct err *e)
{
    *out = (struct diag_signature){0};
    if (!rows_read(signature_rows, o, out, "facts", e))
        return false;
    diag_signature_finish(out);
    return true;
}

bool finding_facts_parse(const char *json, struct diag_signature *out, struct err *e)
{
    json_t *o = json_loads(json, 0, NULL);
    bool ok = facts_read(o, out, e);
    json_decref(o);
    return ok;
}

static bool witnesses_read(struct arena *a, const json_t *o, struct finding *out)
{
    const json_t *list = json_object_get(o, "targets");
    const size_t n = json_array_size(list);
    struct finding_cross_check *v = ARENA_ARRAY(a, struct finding_cross_check, n);
    unsigned k;
    for (size_t i = 0; i < n; i++) {
        const json_t *x = json_array_get(list, i);
        if (!name_find(&class_names, json_object_get(x, "class"), &k))
            return false;
        v[i] =
            (struct finding_cross_check){arena_str(a, json_text(x, "target")),
                                         arena_str(a, json_text(x, "driver")), (enum judge_class)k};
    }
    out->cross_check = v;
    out->cross_checks = (uint32_t)n;
    return true;
}

static bool record_read(struct arena *a, const json_t *o, const struct diag_signature *signature,
                        struct finding *out, struct err *e)
{
    struct diag_signature *s = signature ? NULL : ARENA_NEW(a, struct diag_signature);
    const json_t *schema = json_object_get(o, "schema");
    *out = (struct finding){.digest = "", .signature = signature ? signature : s};
    if (!json_is_integer(schema) || strcmp(json_text(o, "type"), "finding") != 0)
        return err_set(e, "is not a finding's record");
    if (json_integer_value(schema) != FINDING_SCHEMA)
        return err_set(e, "schema %lld, this tanglefuzz reads %d: %s",
                       (long long)json_integer_value(schema), FINDING_SCHEMA,
                       json_integer_value(schema) < FINDING_SCHEMA
                           ? "run its replay command, or `tanglefuzz fuzz` again"
                           : "read it with the tanglefuzz that wrote it");
    for (size_t k = 0; k < TEXTS; k++)
        *(const char **)((char *)out + texts[k].at) = arena_str(a, json_text(o, texts[k].key));
    if (!rows_read(finding_rows, o, out, "the record", e) ||
        (s && !facts_read(json_object_get(o, "facts"), s, e)))
        return false;
    if (!out->reason.asked) // of a version that did not test reasons
        out->reason = (struct diag_reason){.why = DIAG_WHY_UNKNOWN};
    return (witnesses_read(a, json_object_get(o, "others"), out) ||
            err_set(e, "a class of 'others' is not known here")) &&
           (finding_versions_read(a, o, out) ||
            err_set(e, "a class of 'versions' is not known here"));
}

bool finding_parse(struct arena *a, const char *json, size_t size,
                   const struct diag_signature *signature, struct finding *out, struct err *e)
{
    json_t *o = json_loadb(json, size, 0, NULL);
    bool ok = record_read(a, o, signature, out, e);
    json_decref(o);
    return ok;
}
