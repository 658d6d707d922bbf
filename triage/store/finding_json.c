// SPDX-License-Identifier: Apache-2.0
//
// A finding as JSON: the only codec of the record. Each struct is described by a table of its
// fields (finding_fields.c). Zeroes are left out, so fields of a later version read as "not known"
// in an older record.
#include "finding_fields.h"
#include "store_json.h"

#include <stdlib.h>
#include <string.h>

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
    put(o, "where", diag_place_words(a, s));
    put(o, "rule", diag_rule_name(finding_rule(f)));
    put(o, "taxonomy", diag_bug_class(s->bug_class));
    if (f->promise)
        json_object_set_new(o, "lead", json_boolean(judge_is_lead(f->model, f->promise)));
}

static json_t *record_json(const struct finding *f)
{
    json_t *o = json_pack("{s:i, s:s}", "schema", FINDING_SCHEMA, "type", "finding");
    CHECK(o);
    for (size_t k = 0; k < FINDING_TEXTS; k++)
        put(o, finding_texts[k].key, *(const char *const *)((const char *)f + finding_texts[k].at));
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
    json_object_set_new(o, "facts", rows_json(finding_signature_rows, f->signature));
    return dumped(a, o);
}

const char *finding_facts_json(struct arena *a, const struct diag_signature *s)
{
    return dumped(a, rows_json(finding_signature_rows, s));
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
    if (!rows_read(finding_signature_rows, o, out, "facts", e))
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
        if (!name_find(&finding_class_names, json_object_get(x, "class"), &k))
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
    for (size_t k = 0; k < FINDING_TEXTS; k++)
        *(const char **)((char *)out + finding_texts[k].at) =
            arena_str(a, json_text(o, finding_texts[k].key));
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
