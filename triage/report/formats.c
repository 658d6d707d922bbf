// SPDX-License-Identifier: Apache-2.0
//
// The store in the formats of other tools: its rows as values, and a template per format. A test's
// name in CSV is tanglefuzz.FAMILY.BUCKET.FINDING: the same in each run of a seed. In JUnit a
// bucket is a test.
#define _XOPEN_SOURCE 700 // realpath
#include "fill.h"
#include "report.h"

#include <stdlib.h>
#include <string.h>
#include <time.h>
#include <unistd.h>

static const struct {
    const char *name, *template;
} formats[REPORT_FORMATS] = {
#define ROW(id, name, file) {name, "formats/" file},
    REPORT_FORMAT_ROWS(ROW)
#undef ROW
};

bool report_format_find(const char *name, enum report_format *out)
{
    for (int f = 0; f < REPORT_FORMATS; f++)
        if (strcmp(formats[f].name, name) == 0) {
            *out = (enum report_format)f;
            return true;
        }
    return false;
}

static void set_time(struct fill *f, const char *name, int64_t at)
{
    char buf[32];
    time_t t = (time_t)at;
    struct tm utc;
    strftime(buf, sizeof buf, "%Y-%m-%dT%H:%M:%SZ", gmtime_r(&t, &utc));
    fill_text(f, name, arena_str(f->a, buf));
}

static void set_real(struct fill *f, const char *name, double value)
{
    fill_text(f, name, arena_printf(f->a, "%.15g", value));
}

// ---- campaigns -----------------------------------------------------------------------

static void campaign_row(struct fill *row, const void *user, uint32_t i)
{
    const struct store_campaign *c = &((const struct store_findings *)user)->campaign[i];
    fill_text(row, "target", c->target);
    fill_text(row, "device", c->device);
    fill_text(row, "driver", c->driver);
    fill_text(row, "ended", c->ended);
    fill_number(row, "cases", c->cases);
    fill_number(row, "agreed", c->agreed);
    fill_number(row, "findings", c->findings);
    fill_number(row, "live_bits", c->live_bits);
    const char *seconds = arena_printf(row->a, "%.6g", c->seconds);
    fill_text(row, "seconds_real",
              strpbrk(seconds, ".e") ? seconds : arena_printf(row->a, "%s.0", seconds));
}

struct target_sums {
    bool first; // no campaign before this one has its target
    double seconds;
    uint64_t cases, agreed, live_bits, compiled, skipped;
};

// The sums of all campaigns of campaign i's target.
static struct target_sums sums_of(const struct store_findings *v, uint32_t i)
{
    struct target_sums s = {.first = true};
    for (uint32_t k = 0; k < v->campaigns; k++) {
        const struct store_campaign *c = &v->campaign[k];
        if (strcmp(c->target, v->campaign[i].target) != 0)
            continue;
        s.first = s.first && k >= i;
        s.cases += c->cases;
        s.agreed += c->agreed;
        s.live_bits += c->live_bits;
        s.compiled += c->compiled;
        s.skipped += c->skipped;
        s.seconds += c->seconds;
    }
    return s;
}

// A target with the sums of its campaigns: two samples of a metric may not have the same labels.
static void target_row(struct fill *row, const void *user, uint32_t i)
{
    const struct store_findings *v = user;
    const struct target_sums s = sums_of(v, i);
    fill_flag(row, "first_of_target", s.first);
    fill_text(row, "target", v->campaign[i].target);
    fill_text(row, "device", v->campaign[i].device);
    fill_text(row, "driver", v->campaign[i].driver);
    fill_text(row, "campaign_note", v->campaign[i].note);
    set_real(row, "cases", (double)s.cases);
    set_real(row, "agreed", (double)s.agreed);
    set_real(row, "live_bits", (double)s.live_bits);
    set_real(row, "seconds", s.seconds);
    fill_number(row, "target_skipped", s.skipped);
    fill_number(row, "target_compiled", s.compiled);
    fill_flag(row, "nothing_compared", !s.live_bits && !s.compiled);
}

// ---- known bugs that were only counted --------------------------------------------------

struct seen {
    const struct store_seen **v; // each name once
    uint64_t *n;
    uint32_t count;
};

static struct seen *seen_of(struct arena *a, const struct store_findings *v)
{
    uint32_t most = 0;
    struct seen *s = ARENA_NEW(a, struct seen);
    for (uint32_t i = 0; i < v->campaigns; i++)
        most += v->campaign[i].seen_count;
    s->v = ARENA_ARRAY(a, const struct store_seen *, most);
    s->n = ARENA_ARRAY(a, uint64_t, most);
    for (uint32_t i = 0; i < v->campaigns; i++)
        for (uint32_t k = 0; k < v->campaign[i].seen_count; k++) {
            const struct store_seen *x = &v->campaign[i].seen[k];
            uint32_t at = 0;
            while (at < s->count && strcmp(s->v[at]->name, x->name) != 0)
                at++;
            s->v[at] = x;
            s->n[at] += x->seen;
            s->count += at == s->count;
        }
    return s;
}

static void seen_row(struct fill *row, const void *user, uint32_t i)
{
    const struct seen *s = user;
    fill_text(row, "seen_name", s->v[i]->name);
    fill_text(row, "seen_reason", s->v[i]->reason);
    fill_number(row, "seen_times", s->n[i]);
}

// ---- findings ------------------------------------------------------------------------

static const char *runner_status(enum judge_class k)
{
    return k == JUDGE_CRASH || k == JUDGE_DEVICE_LOST ? "Crash"
           : k == JUDGE_HANG                          ? "Timeout"
           : k == JUDGE_FLAKY                         ? "Flake"
                                                      : "Fail";
}

// Commas and blanks would end a field, as these files have no quotes.
static const char *test_name(struct arena *a, const struct store_finding *r)
{
    char *name =
        arena_printf(a, "tanglefuzz.%s.%s.%s", r->f.signature->family, r->now->name, r->f.name);
    for (char *c = name; (c = strpbrk(c, ", \t\n"));)
        *c = '_';
    return name;
}

static void finding_values(struct fill *row, const struct store_finding *r)
{
    const struct finding *f = &r->f;
    fill_text(row, "digest", f->digest);
    fill_text(row, "name", f->name);
    fill_text(row, "folder", f->folder);
    fill_text(row, "reduced", r->reduced ? r->reduced->folder : NULL);
    fill_text(row, "class", judge_class_name(finding_class(f)));
    fill_text(row, "first_class", judge_class_name(f->verdict.klass));
    fill_text(row, "status", runner_status(finding_class(f)));
    fill_text(row, "test", test_name(row->a, r));
    fill_text(row, "verdict", f->verdict.text);
    fill_text(row, "target", f->target);
    fill_text(row, "device", f->device);
    fill_text(row, "driver", f->driver);
    fill_text(row, "now", r->now->name);
    fill_text(row, "first_bucket", f->signature->name);
    fill_text(row, "first_family", f->signature->family);
    fill_flag(row, "presumed", r->presumed);
    fill_text(row, "replay", f->replay);
    fill_text(row, "generated", f->generated);
    fill_number(row, "subgroup", f->subgroup);
    fill_number(row, "words", store_shown(r)->words);
    fill_number(row, "first_words", f->words);
    fill_number(row, "live_bits", f->verdict.live_bits);
    fill_number(row, "wrong_bits", f->verdict.wrong_bits);
    fill_number(row, "reproduced", f->reproduced);
    fill_number(row, "tries", f->tries);
    set_time(row, "found_at", f->found_at);
}

static void finding_row(struct fill *row, const void *user, uint32_t i)
{
    finding_values(row, &((const struct store_findings *)user)->row[i]);
}

static void bucket_finding_row(struct fill *row, const void *user, uint32_t i)
{
    finding_values(row, ((const struct store_bucket *)user)->row[i]);
}

// Returns text for Markdown, in which no character but a back-tick has a meaning.
static const char *markdown(struct arena *a, const char *s)
{
    struct text t = {.arena = a};
    bool code = false;
    text_addn(&t, "", 0);
    for (; *s; s++) {
        code ^= *s == '`';
        text_add(&t, "%s%c", !code && strchr("_*<[|~", *s) ? "\\" : "", *s);
    }
    return t.v;
}

// ---- buckets -------------------------------------------------------------------------

static void known_values(struct fill *row, const struct report_known *k)
{
    fill_text(row, "known", k ? k->name : NULL);
    fill_text(row, "known_state", k ? report_known_state(row->a, k) : NULL);
    fill_text(row, "known_reason", k ? k->reason : NULL);
    fill_text(row, "known_link", k ? k->link : NULL);
}

// Returns a finding's target as it can be typed: with the path of the given target's program, also
// where a reduction has removed arguments.
static const char *target_given(struct arena *a, const struct store_findings *v, const char *target)
{
    if (!v->target_given)
        return target;
    const size_t given = strcspn(v->target_given, " "), n = strcspn(target, " ");
    const char *program = diag_without_paths(a, arena_strn(a, v->target_given, given));
    return strcmp(diag_without_paths(a, v->target_given), target) == 0 ? v->target_given
           : target[n] && v->target_given[given] && strlen(program) == n &&
                   strncmp(program, target, n) == 0
               ? arena_printf(a, "%.*s%s", (int)given, v->target_given, target + n)
               : target;
}

enum { IN_FULL = 10 }; // bugs that a summary describes; it lists the others

bool report_fails(const struct store_bucket *b)
{
    return store_bucket_class(b) != JUDGE_FLAKY && !b->known;
}

// Counts the failures among the first `n` buckets that are reduced, or that are not.
static uint32_t failures(const struct store_findings *v, uint32_t n, bool reduced)
{
    uint32_t sum = 0;
    for (uint32_t b = 0; b < n; b++)
        sum += report_fails(&v->bucket[b]) && reduced == (v->bucket[b].best->reduced != NULL);
    return sum;
}

static uint32_t count_bugs(const struct store_findings *v)
{
    return failures(v, v->buckets, true);
}

const char *report_headline(struct arena *a, const struct store_findings *v)
{
    const uint32_t bugs = failures(v, v->buckets, true), raw = failures(v, v->buckets, false);
    const char *many = raw == 1 ? "" : "s", *was = raw == 1 ? "was" : "were";
    for (uint32_t i = 0; i < v->campaigns && !bugs && !raw; i++) {
        const struct target_sums s = sums_of(v, i);
        if (s.first && !s.live_bits && !s.compiled)
            return "nothing was compared: this is not a pass";
    }
    return bugs && raw ? arena_printf(a, "%u bug%s; %u more bucket%s %s not reduced", bugs,
                                      bugs == 1 ? "" : "s", raw, many, was)
           : bugs      ? arena_printf(a, "%u bug%s", bugs, bugs == 1 ? "" : "s")
           : raw ? arena_printf(a, "failures in %u bucket%s, which %s not reduced", raw, many, was)
                 : "no new bug";
}

static void bucket_row(struct fill *row, const void *user, uint32_t i)
{
    const struct store_bucket *b = &((const struct store_findings *)user)->bucket[i];
    const struct diag_signature *s = b->signature;
    const struct finding *f = store_shown(b->best), *small = b->best->reduced;
    const char *where = diag_where_words(row->a, s), *place = diag_place_words(row->a, s);
    const enum diag_rule rule = finding_rule(f);
    const bool flaky = finding_class(f) == JUDGE_FLAKY;
    fill_text(row, "bucket", s->name);
    fill_text(row, "title", report_title(row->a, f, s));
    fill_text(row, "title_markdown", markdown(row->a, report_title(row->a, f, s)));
    fill_text(row, "verdict_markdown", markdown(row->a, f->verdict.text));
    fill_text(row, "signature", s->text);
    fill_text(row, "class", judge_class_name(finding_class(f)));
    fill_flag(row, "flaky", flaky);
    const bool fails = report_fails(b), raw = fails && !small;
    const bool in_full = failures(user, i, small != NULL) < IN_FULL && (small || !count_bugs(user));
    fill_flag(row, "fails_in_full", fails && in_full);
    fill_flag(row, "bug_in_short", fails && small && !in_full);
    fill_flag(row, "raw_in_short", raw && !in_full);
    fill_flag(row, "raw", raw);
    fill_flag(row, "bug", fails && small);
    fill_text(row, "family", s->family);
    fill_text(row, "op", diag_op_words(row->a, s));
    fill_text(row, "where", where);
    fill_text(row, "place", place[0] ? place : s->message);
    fill_text(row, "rule", diag_rule_name(rule));
    fill_text(row, "rule_text", rule ? diag_rule_text(rule) : NULL);
    fill_text(row, "taxonomy", diag_bug_class(s->bug_class));
    fill_text(row, "promise", judge_promise_name(f->promise));
    fill_text(row, "pass", s->culprit);
    fill_text(row, "message", s->message);
    fill_text(row, "targets", b->targets);
    fill_text(row, "target_text", b->target_text);
    fill_number(row, "findings", b->findings);
    fill_number(row, "further", b->further);
    fill_number(row, "seen_in_all", b->findings + b->further);
    fill_number(row, "presumed", b->presumed);
    fill_text(row, "count", arena_printf(row->a, "%4u", b->findings));
    known_values(row, b->known);
    fill_text(row, "state", store_state_name(b->mark.state));
    fill_flag(row, "marked", b->mark.at != 0);
    fill_text(row, "note", b->mark.note);
    fill_text(row, "link", b->mark.link);
    fill_text(row, "verdict", f->verdict.text);
    fill_text(row, "versions", finding_versions_words(row->a, f));
    fill_text(row, "best", f->folder);
    fill_text(row, "best_target", shell_quote(row->a, target_given(row->a, user, f->target)));
    fill_text(row, "first_folder", b->best->f.folder);
    fill_text(row, "reduced", small ? small->folder : NULL);
    fill_number(row, "words", f->words);
    set_time(row, "first_at", b->first_at);
    set_time(row, "last_at", b->last_at);
    fill_list(row, "bucket_findings", b->findings, bucket_finding_row, b);
}

// A known bug: whether the campaigns could have found it and did not.
static void known_row(struct fill *row, const void *user, uint32_t i)
{
    const struct store_findings *v = user;
    const struct report_known *k = &v->known[i];
    bool seen = false, here = false;
    for (uint32_t b = 0; b < v->buckets; b++)
        seen |= v->bucket[b].known == k;
    for (uint32_t c = 0; c < v->campaigns; c++)
        here |= report_known_applies(k, v->campaign[c].target, v->campaign[c].driver);
    fill_flag(row, "not_seen", report_known_of_findings(k) && here && !seen);
    known_values(row, k);
}

static void left_row(struct fill *row, const void *user, uint32_t i)
{
    fill_text(row, "why", ((const struct store_findings *)user)->left[i].why);
}

struct classes {
    enum judge_class v[JUDGE_CLASSES];
    uint32_t n;
};

static void class_row(struct fill *row, const void *user, uint32_t i)
{
    const enum judge_class k = ((const struct classes *)user)->v[i];
    fill_text(row, "class", judge_class_name(k));
    fill_text(row, "line", judge_class_line(k));
}

// Counts the tests of JUnit: one per target, per bucket and per known bug that was only counted.
static void test_counts(struct fill *f, const struct store_findings *v, const struct seen *seen)
{
    const uint32_t bugs = count_bugs(v), raw = failures(v, v->buckets, false), fails = bugs + raw;
    const uint32_t shown = bugs ? bugs : raw, rest = shown > IN_FULL ? shown - IN_FULL : 0;
    uint32_t tests = v->buckets + seen->count, known = 0, nothing = 0, targets = 0;
    double seconds = 0;
    for (uint32_t b = 0; b < v->buckets; b++)
        known += v->bucket[b].known != NULL;
    for (uint32_t i = 0; i < v->campaigns; i++) {
        const struct target_sums s = sums_of(v, i);
        targets += s.first;
        nothing += s.first && !s.live_bits && !s.compiled;
        seconds += v->campaign[i].seconds;
    }
    fill_text(f, "headline", report_headline(f->a, v));
    fill_number(f, "bugs", bugs);
    fill_number(f, "raw_tests", raw);
    fill_number(f, "bugs_not_in_full", bugs ? rest : 0);
    fill_number(f, "raw_not_in_full", bugs ? raw : rest);
    fill_flag(f, "raw_of_many", fails > 1 && raw);
    fill_number(f, "known_bugs", known + seen->count);
    fill_number(f, "bug_tests", tests - raw);
    fill_number(f, "bugs_skipped", tests - fails);
    fill_number(f, "tests", tests + targets);
    fill_number(f, "tests_failed", fails + nothing);
    fill_number(f, "nothing_targets", nothing);
    set_real(f, "all_seconds", seconds);
}

void report_format_write(enum report_format format, const struct store_findings *v,
                         const char *place, struct text *to)
{
    struct fill f = {.a = to->arena};
    struct text out = {.arena = to->arena};
    uint64_t cases = 0, agreed = 0, further = 0;
    struct classes reported = {.n = 0};
    const struct seen *seen = seen_of(to->arena, v);
    for (int k = 0; k < JUDGE_CLASSES; k++)
        if (judge_class_is_finding((enum judge_class)k) || k == JUDGE_FLAKY)
            reported.v[reported.n++] = (enum judge_class)k;
    for (uint32_t i = 0; i < v->campaigns; i++) {
        cases += v->campaign[i].cases;
        agreed += v->campaign[i].agreed;
    }
    for (uint32_t b = 0; b < v->buckets; b++)
        further += v->bucket[b].further;
    fill_text(&f, "tanglefuzz_version", version_number());
    fill_text(&f, "root", place);
    fill_number(&f, "campaigns", v->campaigns);
    fill_number(&f, "cases", cases);
    fill_number(&f, "agreed", agreed);
    fill_number(&f, "findings", v->rows);
    fill_number(&f, "further", further);
    fill_number(&f, "buckets", v->buckets);
    fill_number(&f, "left", v->left_count);
    test_counts(&f, v, seen);
    fill_list(&f, "each_seen", seen->count, seen_row, seen);
    fill_list(&f, "each_campaign", v->campaigns, campaign_row, v);
    fill_list(&f, "each_target", v->campaigns, target_row, v);
    fill_list(&f, "each_bucket", v->buckets, bucket_row, v);
    fill_list(&f, "each_finding", v->rows, finding_row, v);
    fill_list(&f, "each_known", v->known_count, known_row, v);
    fill_list(&f, "each_left", v->left_count, left_row, v);
    fill_list(&f, "each_class", reported.n, class_row, &reported);
    text_addn(&out, "", 0);
    fill_template(formats[format].template, &f, &out);
    text_add(
        to, "%s",
        text_printable(to->arena, out.v)); // texts of other programs may hold control characters
}

const char *report_repository_path(struct arena *a, const char *dir)
{
    char *full = realpath(dir, NULL);
    const char *path = full ? arena_str(a, full) : dir;
    free(full);
    for (size_t n = strlen(path); full && n > 0; n--)
        if (path[n] == '/' || (!path[n] && n > 1))
            if (access(arena_printf(a, "%.*s/.git", (int)n, path), F_OK) == 0)
                return path[n] ? path + n + 1 : ".";
    return dir;
}
