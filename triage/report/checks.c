// SPDX-License-Identifier: Apache-2.0
//
// Results of cases that were run again: how they changed, and their formats.
#include "checks.h"

#include "html.h"

#include <jansson.h>
#include <stdlib.h>
#include <string.h>

static const struct report_check *check(const struct report_checks *c, uint32_t i, uint32_t t)
{
    return &c->at[(size_t)i * c->targets + t];
}

// ---- from one version to the next ------------------------------------------------------

enum report_became report_became(const struct report_checks *c, uint32_t i, uint32_t *in)
{
    uint32_t turns = 0, judged = 0;
    bool first = false, last = false;
    *in = 0;
    for (uint32_t t = 0; t < c->targets; t++) {
        const struct report_check *x = check(c, i, t);
        if (!x->asked || (!x->good && !x->wrong))
            continue;
        if (judged++ && x->wrong != last) {
            turns++;
            *in = t;
        }
        first = judged == 1 ? x->wrong : first;
        last = x->wrong;
    }
    if (!judged)
        return REPORT_NOT_JUDGED;
    if (!turns)
        return first ? REPORT_STILL : REPORT_NOT_SEEN;
    return turns > 1 ? REPORT_CHANGES : first ? REPORT_FIXED : REPORT_NEW;
}

const char *report_became_words(struct arena *a, const struct report_checks *c, uint32_t i)
{
    uint32_t in;
    switch (report_became(c, i, &in)) {
    case REPORT_NOT_JUDGED:
        return "not judged";
    case REPORT_NOT_SEEN:
        return "not seen";
    case REPORT_STILL:
        return c->targets > 1 ? "wrong in all" : "still wrong";
    case REPORT_FIXED:
        return arena_printf(a, "fixed in %s", c->target[in]);
    case REPORT_NEW:
        return arena_printf(a, "new in %s", c->target[in]);
    case REPORT_CHANGES:
        return "comes and goes";
    }
    return "";
}

// ---- text and CSV ------------------------------------------------------------------------

static const char *cell(const struct report_check *x)
{
    return x->asked ? judge_class_name(x->klass) : "-";
}

static size_t columns_of(const struct report_checks *c, uint32_t t)
{
    size_t most = 4;
    for (uint32_t i = 0; i < c->n; i++) {
        const size_t n = strlen(cell(check(c, i, t)));
        most = n > most ? n : most;
    }
    return most;
}

static void as_text(const struct report_checks *c, struct text *out)
{
    size_t most = 4;
    for (uint32_t i = 0; i < c->n; i++)
        most = strlen(c->name[i]) > most ? strlen(c->name[i]) : most;
    for (uint32_t t = 0; t < c->targets; t++)
        text_add(out, "%u  %s\n", t + 1, c->target[t]);
    text_add(out, "\n%-*s", (int)most, "");
    for (uint32_t t = 0; t < c->targets; t++)
        text_add(out, "  %-*u", (int)columns_of(c, t), t + 1);
    text_add(out, "\n");
    for (uint32_t i = 0; i < c->n; i++) {
        text_add(out, "%-*s", (int)most, c->name[i]);
        for (uint32_t t = 0; t < c->targets; t++)
            text_add(out, "  %-*s", (int)columns_of(c, t), cell(check(c, i, t)));
        text_add(out, "  %s\n", report_became_words(out->arena, c, i));
    }
}

static void csv_field(struct text *out, const char *s, const char *end)
{
    if (!strpbrk(s, ",\"\n\r")) {
        text_add(out, "%s%s", s, end);
        return;
    }
    text_add(out, "\"");
    for (; *s; s++)
        text_add(out, "%s%c", *s == '"' ? "\"" : "", *s);
    text_add(out, "\"%s", end);
}

static void as_csv(const struct report_checks *c, struct text *out)
{
    text_add(out, "case,");
    for (uint32_t t = 0; t < c->targets; t++)
        csv_field(out, c->target[t], ",");
    text_add(out, "outcome\n");
    for (uint32_t i = 0; i < c->n; i++) {
        csv_field(out, c->name[i], ",");
        for (uint32_t t = 0; t < c->targets; t++)
            csv_field(out, cell(check(c, i, t)), ",");
        csv_field(out, report_became_words(out->arena, c, i), "\n");
    }
}

// ---- JSON ----------------------------------------------------------------------------------

static void set(json_t *o, const char *key, const char *value)
{
    json_t *s = json_string(value);
    json_object_set_new(o, key, s ? s : json_null());
}

static void as_json(const struct report_checks *c, struct text *out)
{
    static const char *const became[] = {"not-judged", "not-seen", "wrong",
                                         "fixed",      "new",      "changes"};
    for (uint32_t i = 0; i < c->n; i++) {
        uint32_t in;
        json_t *o = json_object(), *list = json_array();
        const enum report_became b = report_became(c, i, &in);
        json_object_set_new(o, "schema", json_integer(1));
        set(o, "type", "check");
        set(o, "name", c->name[i]);
        set(o, "file", c->file[i]);
        set(o, "outcome", became[b]);
        if (b == REPORT_FIXED || b == REPORT_NEW)
            set(o, "in", c->target[in]);
        for (uint32_t t = 0; t < c->targets; t++) {
            const struct report_check *x = check(c, i, t);
            json_t *y = json_object();
            set(y, "target", c->target[t]);
            json_object_set_new(y, "class",
                                x->asked ? json_string(judge_class_name(x->klass)) : json_null());
            json_object_set_new(y, "hits", json_integer(x->hits));
            json_object_set_new(y, "runs", json_integer(x->runs));
            json_object_set_new(y, "known", json_boolean(x->known));
            set(y, "text", x->text ? x->text : "");
            json_array_append_new(list, y);
        }
        json_object_set_new(o, "targets", list);
        char *s = json_dumps(o, JSON_COMPACT);
        CHECK(s);
        text_add(out, "%s\n", s);
        free(s);
        json_decref(o);
    }
}

// ---- JUnit ---------------------------------------------------------------------------------

// Whether a result is not the expected one.
static bool fails(const struct report_check *x)
{
    return x->asked && (x->known ? x->good : x->wrong);
}

static bool skipped(const struct report_check *x)
{
    return !fails(x) && (!x->good || x->known);
}

static void test_case(const struct report_checks *c, uint32_t i, uint32_t t, struct text *out)
{
    const struct report_check *x = check(c, i, t);
    const char *text = x->text ? x->text : "";
    text_add(out, "    <testcase classname=\"");
    text_xml(out, c->target[t]);
    text_add(out, "\" name=\"");
    text_xml(out, c->name[i]);
    text_add(out, "\" time=\"%.3f\"", x->seconds);
    if (fails(x)) {
        text_add(out, ">\n      <failure type=\"%s\" message=\"",
                 x->known ? "no-longer-fails" : cell(x));
        text_xml(out, text);
        text_add(out, "\">");
        text_xml(out, c->file[i]);
        text_add(out, "\n%u of %u runs</failure>\n    </testcase>\n", x->hits, x->runs);
    } else if (skipped(x)) {
        text_add(out, ">\n      <skipped message=\"%s%s: ", x->known ? "known: " : "", cell(x));
        text_xml(out, text);
        text_add(out, "\"/>\n    </testcase>\n");
    } else {
        text_add(out, "/>\n");
    }
}

static void as_junit(const struct report_checks *c, struct text *out)
{
    text_add(out, "<?xml version=\"1.0\" encoding=\"UTF-8\"?>\n<testsuites name=\"tanglefuzz\">\n");
    for (uint32_t t = 0; t < c->targets; t++) {
        uint32_t bad = 0, left = 0;
        for (uint32_t i = 0; i < c->n; i++) {
            bad += fails(check(c, i, t));
            left += skipped(check(c, i, t));
        }
        text_add(out, "  <testsuite name=\"");
        text_xml(out, c->target[t]);
        text_add(out, "\" tests=\"%u\" failures=\"%u\" skipped=\"%u\">\n", c->n, bad, left);
        for (uint32_t i = 0; i < c->n; i++)
            test_case(c, i, t, out);
        text_add(out, "  </testsuite>\n");
    }
    text_add(out, "</testsuites>\n");
}

// ---- all -------------------------------------------------------------------------------------

static const struct {
    const char *name;
    void (*write)(const struct report_checks *c, struct text *out);
} formats[REPORT_CHECKS_FORMATS] = {[REPORT_CHECKS_TEXT] = {"text", as_text},
                                    [REPORT_CHECKS_JSON] = {"json", as_json},
                                    [REPORT_CHECKS_JUNIT] = {"junit", as_junit},
                                    [REPORT_CHECKS_CSV] = {"csv", as_csv}};

bool report_checks_find(const char *name, enum report_checks_format *out)
{
    for (int f = 0; f < REPORT_CHECKS_FORMATS; f++)
        if (strcmp(formats[f].name, name) == 0) {
            *out = (enum report_checks_format)f;
            return true;
        }
    return false;
}

void report_checks_write(enum report_checks_format f, const struct report_checks *c,
                         struct text *out)
{
    text_addn(out, "", 0);
    formats[f].write(c, out);
}
