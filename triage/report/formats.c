// SPDX-License-Identifier: Apache-2.0
//
// The database in the forms that other tools read. A test's name, in CSV and
// JUnit, is tanglefuzz.FAMILY.BUCKET.FINDING: the same from run to run for the same seed.
#define _POSIX_C_SOURCE 200809L
#include "html.h"
#include "report.h"
#include "store/store_json.h"

#include <stdlib.h>
#include <string.h>
#include <time.h>

static const char *const names[REPORT_FORMATS] = {
    [REPORT_FORMAT_TEXT] = "text",
    [REPORT_FORMAT_JSONL] = "jsonl",
    [REPORT_FORMAT_RESULTS] = "results",
    [REPORT_FORMAT_FAILURES] = "failures",
    [REPORT_FORMAT_JUNIT] = "junit",
    [REPORT_FORMAT_SARIF] = "sarif",
    [REPORT_FORMAT_PROMETHEUS] = "prometheus",
};

bool report_format_find(const char *name, enum report_format *out)
{
    for (int f = 0; f < REPORT_FORMATS; f++)
        if (strcmp(names[f], name) == 0) {
            *out = (enum report_format)f;
            return true;
        }
    return false;
}

// ---- for a terminal ----------------------------------------------------------------

// Known bugs that the campaigns might have shown and did not.
static void not_seen(const struct store_findings *v, struct text *out)
{
    for (uint32_t i = 0; i < v->known_count; i++) {
        const struct report_known *k = &v->known[i];
        bool seen = false, here = false;
        for (uint32_t b = 0; b < v->buckets; b++)
            seen |= v->bucket[b].known == k;
        for (uint32_t c = 0; c < v->campaigns; c++)
            here |= report_known_applies(k, v->campaign[c].target, v->campaign[c].driver);
        if (report_known_of_findings(k) && here && !seen)
            text_add(out,
                     "\nknown and not seen (%s): %s\n            fixed? its case tells: "
                     "tanglefuzz replay --known\n",
                     k->name, k->reason);
    }
}

static void as_text(const struct store_findings *v, struct text *out)
{
    uint64_t cases = 0;
    for (uint32_t i = 0; i < v->campaigns; i++)
        cases += v->campaign[i].cases;
    text_add(out, "%u campaign%s, %llu cases, %u finding%s in %u bucket%s\n", v->campaigns,
             v->campaigns == 1 ? "" : "s", (unsigned long long)cases, v->rows,
             v->rows == 1 ? "" : "s", v->buckets, v->buckets == 1 ? "" : "s");
    for (uint32_t i = 0; i < v->buckets; i++) {
        const struct store_bucket *b = &v->bucket[i];
        const struct diag_signature *s = b->signature;
        const char *where = diag_where_words(out->arena, s), *op = diag_op_words(out->arena, s);
        where = where[0] ? where : s->message;
        text_add(out, "\n%s  %4u  %s%s%s%s%s%s%s\n            %s\n", s->name, b->findings,
                 judge_class_name(store_bucket_class(b)), op[0] ? ", " : "", op,
                 where[0] ? ", " : "", where, s->bug_class ? ", " : "",
                 diag_bug_class(s->bug_class), b->target_text);
        if (b->mark.at)
            text_add(out, "            %s%s%s%s%s\n", store_state_name(b->mark.state),
                     b->mark.note[0] ? ": " : "", b->mark.note, b->mark.link[0] ? ", " : "",
                     b->mark.link);
        if (b->known)
            text_add(out, "            %s (%s): %s%s%s\n", report_known_state(out->arena, b->known),
                     b->known->name, b->known->reason, b->known->link[0] ? ", " : "",
                     b->known->link);
        const struct finding *small = b->best->reduced;
        text_add(out, "            %s (%u words)%s%s\n", b->best->f.folder,
                 store_shown(b->best)->words, small ? ", reduced: " : "",
                 small ? small->folder : "");
        if (b->presumed)
            text_add(out,
                     "            %u of them are not reduced, and were found like those that are\n",
                     b->presumed);
    }
    not_seen(v, out);
    if (v->left_count)
        text_add(out, "\n%u folder%s of findings left alone, not understood:\n", v->left_count,
                 v->left_count == 1 ? "" : "s");
    for (uint32_t i = 0; i < v->left_count; i++)
        text_add(out, "            %s\n", v->left[i].why);
}

// ---- JSON lines ---------------------------------------------------------------------

// A text that may be no UTF-8: then null.
static void put(json_t *o, const char *key, const char *value)
{
    json_t *s = json_string(value);
    json_object_set_new(o, key, s ? s : json_null());
}

static void put_number(json_t *o, const char *key, uint64_t value)
{
    json_object_set_new(o, key, json_integer((json_int_t)value));
}

static void put_time(json_t *o, const char *key, int64_t at)
{
    char buf[32];
    time_t t = (time_t)at;
    struct tm utc;
    strftime(buf, sizeof buf, "%Y-%m-%dT%H:%M:%SZ", gmtime_r(&t, &utc));
    put(o, key, buf);
}

static void put_line(struct text *out, json_t *o, size_t flags)
{
    char *s = json_dumps(o, flags);
    CHECK(s);
    text_add(out, "%s\n", s);
    free(s);
    json_decref(o);
}

static json_t *bucket_json(struct arena *a, const struct store_bucket *b)
{
    const struct diag_signature *s = b->signature;
    const struct finding *f = store_shown(b->best);
    json_t *o = json_object();
    put_number(o, "schema", 1);
    put(o, "type", "bucket");
    put(o, "bucket", s->name);
    put(o, "signature", s->text);
    put(o, "class", judge_class_name(finding_class(f)));
    put(o, "family", s->family);
    put(o, "op", diag_op_words(a, s));
    put(o, "path", diag_where_words(a, s));
    put(o, "rule", diag_rule_name(finding_rule(f)));
    put(o, "taxonomy", diag_bug_class(s->bug_class));
    put(o, "promise", judge_promise_name(f->promise));
    put(o, "culprit", s->culprit);
    put(o, "message", s->message);
    put(o, "targets", b->targets);
    put_number(o, "findings", b->findings);
    put_number(o, "presumed", b->presumed);
    if (b->known)
        put(o, "known", b->known->name);
    put(o, "state", store_state_name(b->mark.state));
    put(o, "note", b->mark.note);
    put(o, "link", b->mark.link);
    put(o, "best", f->folder);
    put_time(o, "first_at", b->first_at);
    put_time(o, "last_at", b->last_at);
    return o;
}

static json_t *row_json(const struct store_finding *r)
{
    const struct finding *f = &r->f, *shown = store_shown(r);
    json_t *o = json_object();
    put_number(o, "schema", 1);
    put(o, "type", "finding");
    put(o, "digest", f->digest);
    put(o, "name", f->name);
    put(o, "folder", f->folder);
    put(o, "reduced", r->reduced ? r->reduced->folder : "");
    put(o, "class", judge_class_name(finding_class(f)));
    put(o, "first_class", judge_class_name(f->verdict.klass));
    put(o, "text", f->verdict.text);
    put(o, "target", f->target);
    put(o, "device", f->device);
    put(o, "driver", f->driver);
    put(o, "bucket", r->now->name);
    put(o, "first_bucket", f->signature->name);
    json_object_set_new(o, "presumed", json_boolean(r->presumed));
    put(o, "replay", f->replay);
    put(o, "generated", f->generated);
    put_number(o, "subgroup", f->subgroup);
    put_number(o, "words", shown->words);
    put_number(o, "first_words", f->words);
    put_number(o, "live_bits", f->verdict.live_bits);
    put_number(o, "wrong_bits", f->verdict.wrong_bits);
    put_number(o, "reproduced", f->reproduced);
    put_number(o, "tries", f->tries);
    put_time(o, "found_at", f->found_at);
    return o;
}

static void as_jsonl(const struct store_findings *v, struct text *out)
{
    for (uint32_t i = 0; i < v->campaigns; i++) {
        const struct store_campaign *c = &v->campaign[i];
        json_t *o = json_object();
        put_number(o, "schema", 1);
        put(o, "type", "campaign");
        put(o, "target", c->target);
        put(o, "device", c->device);
        put(o, "driver", c->driver);
        put(o, "ended", c->ended);
        put_number(o, "cases", c->cases);
        put_number(o, "agreed", c->agreed);
        put_number(o, "findings", c->findings);
        put_number(o, "live_bits", c->live_bits);
        json_object_set_new(o, "seconds", json_real(c->seconds));
        put_line(out, o, JSON_COMPACT | JSON_REAL_PRECISION(6));
    }
    for (uint32_t i = 0; i < v->buckets; i++)
        put_line(out, bucket_json(out->arena, &v->bucket[i]), JSON_COMPACT);
    for (uint32_t i = 0; i < v->rows; i++)
        put_line(out, row_json(&v->row[i]), JSON_COMPACT);
}

// ---- CSV -----------------------------------------------------------------------------

static const char *runner_status(enum judge_class k)
{
    return k == JUDGE_CRASH || k == JUDGE_DEVICE_LOST ? "Crash"
           : k == JUDGE_HANG                          ? "Timeout"
           : k == JUDGE_FLAKY                         ? "Flake"
                                                      : "Fail";
}

// Commas and blanks would end a field of a file that knows no quotes.
static void test_name(const struct store_finding *r, struct text *out)
{
    size_t from = out->n;
    text_add(out, "tanglefuzz.%s.%s.%s", r->f.signature->family, r->now->name, r->f.name);
    for (size_t i = from; i < out->n; i++)
        if (strchr(", \t\n", out->v[i]))
            out->v[i] = '_';
}

static void as_csv(const struct store_findings *v, bool all, struct text *out)
{
    for (uint32_t b = 0; b < v->buckets; b++)
        for (uint32_t i = 0; i < v->bucket[b].findings; i++) {
            const struct store_bucket *k = &v->bucket[b];
            if (k->known && !all)
                continue; // a baseline holds what is expected to fail: it is in known/ already
            test_name(k->row[i], out);
            text_add(out, ",%s%s\n",
                     k->known ? "ExpectedFail" : runner_status(finding_class(&k->row[i]->f)),
                     all ? ",0.0" : "");
        }
}

// ---- JUnit ----------------------------------------------------------------------------

static void as_junit(const struct store_findings *v, struct text *out)
{
    uint32_t known = 0;
    for (uint32_t b = 0; b < v->buckets; b++)
        known += v->bucket[b].known ? v->bucket[b].findings : 0;
    text_add(out,
             "<?xml version=\"1.0\" encoding=\"UTF-8\"?>\n<testsuites name=\"tanglefuzz\" "
             "tests=\"%u\" failures=\"%u\" skipped=\"%u\">\n",
             v->rows, v->rows - known, known);
    for (uint32_t b = 0; b < v->buckets; b++) {
        const struct store_bucket *k = &v->bucket[b];
        text_add(out, "  <testsuite name=\"%s\" tests=\"%u\" failures=\"%u\" skipped=\"%u\">\n",
                 k->signature->name, k->findings, k->known ? 0 : k->findings,
                 k->known ? k->findings : 0);
        for (uint32_t i = 0; i < k->findings; i++) {
            const struct store_finding *r = k->row[i];
            text_add(out, "    <testcase classname=\"");
            html(out, r->f.signature->family);
            text_add(out, ".%s\" name=\"", k->signature->name);
            html(out, r->f.name);
            if (k->known) {
                text_add(out, "\" time=\"0\">\n      <skipped message=\"known: ");
                html(out, k->known->reason);
                text_add(out, "\"/>\n    </testcase>\n");
                continue;
            }
            text_add(out, "\" time=\"0\">\n      <failure type=\"%s\" message=\"",
                     judge_class_name(finding_class(&r->f)));
            html(out, r->f.verdict.text);
            text_add(out, "\">");
            html(out, r->f.target);
            text_add(out, "\n");
            html(out, r->f.replay);
            text_add(out, "\n%s</failure>\n    </testcase>\n", r->f.folder);
        }
        text_add(out, "  </testsuite>\n");
    }
    text_add(out, "</testsuites>\n");
}

// ---- SARIF ----------------------------------------------------------------------------

static json_t *sarif_rule(enum judge_class k)
{
    return json_pack("{s:s, s:s, s:{s:s}, s:{s:s}}", "id", judge_class_name(k), "name",
                     judge_class_name(k), "shortDescription", "text", judge_class_line(k),
                     "defaultConfiguration", "level", "error");
}

static json_t *sarif_result(const struct store_bucket *b)
{
    struct arena a = {0};
    const struct finding *f = store_shown(b->best);
    const enum judge_class k = finding_class(f);
    const enum diag_rule rule = finding_rule(f);
    const char *what = arena_printf(&a, "%s: %s. %u finding%s on %s.%s%s", judge_class_name(k),
                                    f->verdict.text, b->findings, b->findings == 1 ? "" : "s",
                                    b->target_text, rule ? " Rule: " : "", diag_rule_text(rule));
    json_t *o = json_pack(
        "{s:s, s:s, s:{s:s}, s:[{s:{s:{s:s, s:s}}}], s:{s:s, s:s}, s:{s:s}}", "ruleId",
        judge_class_name(k), "level", k == JUDGE_FLAKY ? "note" : "error", "message", "text", what,
        "locations", "physicalLocation", "artifactLocation", "uri",
        arena_printf(&a, "%s/case.spvasm", f->folder), "uriBaseId", "CAMPAIGN", "fingerprints",
        "tanglefuzz/signature/v1", b->signature->text, "tanglefuzz/bucket/v1", b->signature->name,
        "properties", "taxonomy", diag_bug_class(b->signature->bug_class));
    if (o && b->known)
        json_object_set_new(
            o, "suppressions",
            json_pack("[{s:s, s:s}]", "kind", "external", "justification", b->known->reason));
    arena_free(&a);
    return o;
}

static void as_sarif(const struct store_findings *v, struct text *out)
{
    json_t *rules = json_array(), *results = json_array();
    for (int k = 0; k < JUDGE_CLASSES; k++)
        if (judge_class_is_finding((enum judge_class)k) || k == JUDGE_FLAKY)
            json_array_append_new(rules, sarif_rule((enum judge_class)k));
    for (uint32_t i = 0; i < v->buckets; i++) {
        json_t *r = sarif_result(&v->bucket[i]);
        if (r)
            json_array_append_new(results, r);
    }
    json_t *o =
        json_pack("{s:s, s:s, s:[{s:{s:{s:s, s:s, s:o}}, s:s, s:o}]}", "$schema",
                  "https://json.schemastore.org/sarif-2.1.0.json", "version", "2.1.0", "runs",
                  "tool", "driver", "name", "tanglefuzz", "semanticVersion", "0.1.0", "rules",
                  rules, "columnKind", "utf16CodeUnits", "results", results);
    CHECK(o);
    put_line(out, o, JSON_INDENT(1));
}

// ---- Prometheus -----------------------------------------------------------------------

// A label's value: backslash, quote and line end are escaped.
static void label(struct text *out, const char *name, const char *value, const char *end)
{
    text_add(out, "%s=\"", name);
    for (const char *s = value; *s; s++)
        switch (*s) {
        case '\\':
            text_add(out, "\\\\");
            break;
        case '"':
            text_add(out, "\\\"");
            break;
        case '\n':
            text_add(out, "\\n");
            break;
        default:
            text_addn(out, s, 1);
        }
    text_add(out, "\"%s", end);
}

static void metric(struct text *out, const char *name, const char *kind, const char *help)
{
    text_add(out, "# HELP tanglefuzz_%s %s\n# TYPE tanglefuzz_%s %s\n", name, help, name, kind);
}

// Sums of the campaigns of one target: two samples of one metric may not have the same labels.
static void campaign_metric(const struct store_findings *v, const char *name, const char *help,
                            int field, struct text *out)
{
    metric(out, name, "counter", help);
    for (uint32_t i = 0; i < v->campaigns; i++) {
        double sum = 0;
        bool first = true;
        for (uint32_t k = 0; k < v->campaigns; k++) {
            const struct store_campaign *c = &v->campaign[k];
            if (strcmp(c->target, v->campaign[i].target) != 0)
                continue;
            first = first && k >= i;
            sum += field == 0   ? (double)c->cases
                   : field == 1 ? (double)c->agreed
                   : field == 2 ? (double)c->live_bits
                                : c->seconds;
        }
        if (!first)
            continue;
        text_add(out, "tanglefuzz_%s{", name);
        label(out, "target", v->campaign[i].target, "} ");
        text_add(out, "%.15g\n", sum);
    }
}

static void as_prometheus(const struct store_findings *v, struct text *out)
{
    campaign_metric(v, "cases_total", "Cases that were run.", 0, out);
    campaign_metric(v, "agreed_total", "Cases that agreed with the oracle.", 1, out);
    campaign_metric(v, "live_bits_total", "Bits compared that the shader had to write.", 2, out);
    campaign_metric(v, "seconds_total", "Wall time of the campaigns.", 3, out);
    metric(out, "buckets", "gauge", "Buckets of findings.");
    text_add(out, "tanglefuzz_buckets %u\n", v->buckets);
    metric(out, "findings", "gauge", "Findings of a bucket.");
    for (uint32_t i = 0; i < v->buckets; i++) {
        const struct store_bucket *b = &v->bucket[i];
        text_add(out, "tanglefuzz_findings{");
        label(out, "bucket", b->signature->name, ",");
        label(out, "class", judge_class_name(store_bucket_class(b)), ",");
        label(out, "family", b->signature->family, "} ");
        text_add(out, "%u\n", b->findings);
    }
}

void report_format_write(enum report_format f, const struct store_findings *v, struct text *to)
{
    struct text all = {.arena = to->arena}, *out = &all;
    text_addn(out, "", 0);
    switch (f) {
    case REPORT_FORMAT_TEXT:
        as_text(v, out);
        break;
    case REPORT_FORMAT_JSONL:
        as_jsonl(v, out);
        break;
    case REPORT_FORMAT_RESULTS:
        as_csv(v, true, out);
        break;
    case REPORT_FORMAT_FAILURES:
        as_csv(v, false, out);
        break;
    case REPORT_FORMAT_JUNIT:
        as_junit(v, out);
        break;
    case REPORT_FORMAT_SARIF:
        as_sarif(v, out);
        break;
    case REPORT_FORMAT_PROMETHEUS:
        as_prometheus(v, out);
        break;
    case REPORT_FORMATS:
        break;
    }
    text_add(to, "%s", text_printable(to->arena, all.v)); // names and words of others
}
