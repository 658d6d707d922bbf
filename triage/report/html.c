// SPDX-License-Identifier: Apache-2.0
//
// The HTML report: one page that needs no other file. The build embeds its style and script, which
// are files of html/.
#define _POSIX_C_SOURCE 200809L
#include "html.h"

#include <stdlib.h>
#include <string.h>
#include <time.h>

void html(struct text *t, const char *s)
{
    for (; *s; s++)
        switch (*s) {
        case '<':
            text_add(t, "&lt;");
            break;
        case '>':
            text_add(t, "&gt;");
            break;
        case '&':
            text_add(t, "&amp;");
            break;
        case '"':
            text_add(t, "&quot;");
            break;
        default: // XML 1.0 does not allow other control characters
            if ((unsigned char)*s >= 0x20 || *s == '\n' || *s == '\t')
                text_addn(t, s, 1);
        }
}

static void element(struct text *t, const char *open, const char *s, const char *close)
{
    text_add(t, "%s", open);
    html(t, s);
    text_add(t, "%s", close);
}

static void date(struct text *t, int64_t at, const char *format)
{
    char buf[64];
    time_t when = (time_t)at;
    struct tm utc;
    strftime(buf, sizeof buf, format, gmtime_r(&when, &utc));
    text_add(t, "%s", buf);
}

// 1234567 -> "1 234 567" with thin spaces
static void count(struct text *t, uint64_t n)
{
    char s[32];
    int len = snprintf(s, sizeof s, "%llu", (unsigned long long)n);
    for (int i = 0; i < len; i++)
        text_add(t, "%s%c", i && (len - i) % 3 == 0 ? "&#8239;" : "", s[i]);
}

static const char *tone(enum judge_class k)
{
    return k == JUDGE_FLAKY ? "warn" : "bad";
}

static const char *class_of(const struct store_bucket *b)
{
    return judge_class_name(store_bucket_class(b));
}

static void path(struct text *t, const struct store_bucket *b)
{
    text_add(t, "<span class=\"path mono\">");
    for (const char *s = diag_where_words(t->arena, b->signature); *s; s++)
        if (*s == '/')
            text_add(t, "<i>&rsaquo;</i><wbr>");
        else if (*s == '+' && s[1] >= 'a' &&
                 s[1] <= 'z') // "top+loop"; "loops+" means several loops
            text_add(t, "<wbr><i>after</i>");
        else
            text_addn(t, s, 1);
    text_add(t, "</span>");
}

// ---- overview -----------------------------------------------------------------------

static void tile(struct text *t, const char *kind, uint64_t n, const char *what)
{
    text_add(t, "<div class=\"tile %s\"><b>", kind);
    count(t, n);
    text_add(t, "</b><span>%s</span></div>\n", what);
}

static void tiles(struct text *t, const struct store_findings *v)
{
    uint64_t cases = 0, live = 0;
    double seconds = 0;
    for (uint32_t i = 0; i < v->campaigns; i++) {
        cases += v->campaign[i].cases;
        live += v->campaign[i].live_bits;
        seconds += v->campaign[i].seconds;
    }
    text_add(t, "<section class=\"tiles\">\n");
    tile(t, v->buckets ? "bad" : "", v->buckets, v->buckets == 1 ? "bucket" : "buckets");
    tile(t, "", v->rows, v->rows == 1 ? "finding" : "findings");
    tile(t, "", cases, "cases run");
    tile(t, "", seconds > 0 ? (uint64_t)((double)cases / seconds + 0.5) : 0, "cases a second");
    tile(t, "", live, "bits compared");
    text_add(t, "</section>\n");
}

static void campaigns(struct text *t, const struct store_findings *v)
{
    text_add(
        t, "<h2>Campaigns</h2>\n<div class=\"card scroll\"><table><thead><tr><th>Target</th>"
           "<th class=\"wide\">Device</th><th class=\"n\">Cases</th><th class=\"n\">Agreed</th>"
           "<th class=\"n\">a&nbsp;second</th><th class=\"wide\">Ended</th></tr></thead><tbody>\n");
    for (uint32_t i = 0; i < v->campaigns; i++) {
        const struct store_campaign *c = &v->campaign[i];
        element(t, "<tr><td class=\"mono\">", c->target, "</td><td class=\"wide\">");
        html(t, c->device);
        element(t, "<br><small>", c->driver, "</small></td><td class=\"n\">");
        count(t, c->cases);
        text_add(t, "</td><td class=\"n\">");
        count(t, c->agreed);
        text_add(t, "</td><td class=\"n\">%.*f</td><td class=\"wide\">",
                 c->seconds > 0 && (double)c->cases / c->seconds < 10 ? 1 : 0,
                 c->seconds > 0 ? (double)c->cases / c->seconds : 0);
        html(t, c->ended);
        text_add(t, "</td></tr>\n");
    }
    text_add(t, "</tbody></table></div>\n");
}

static int by_time(const void *x, const void *y)
{
    int64_t a = *(const int64_t *)x, b = *(const int64_t *)y;
    return a < b ? -1 : a > b;
}

// The number of buckets over time, which shows whether the campaign still finds new ones.
static void chart(struct text *t, const struct store_findings *v)
{
    if (v->buckets < 2)
        return;
    enum { W = 1100, H = 170, LEFT = 40, RIGHT = 16, TOP = 14, FOOT = 26 };
    int64_t *at = ARENA_ARRAY(t->arena, int64_t, v->buckets), last = 0;
    for (uint32_t i = 0; i < v->buckets; i++) {
        at[i] = v->bucket[i].first_at;
        last = v->bucket[i].last_at > last ? v->bucket[i].last_at : last;
    }
    qsort(at, v->buckets, sizeof *at, by_time);
    double span = last > at[0] ? (double)(last - at[0]) : 1;
    text_add(t,
             "<h2>Buckets over time</h2>\n<div class=\"card chart\"><svg viewBox=\"0 0 %d %d\" "
             "role=\"img\" aria-label=\"number of buckets over time\" font-size=\"12\" "
             "fill=\"var(--soft)\">\n",
             W, H);
    for (int k = 0; k <= 2; k++) {
        double y = TOP + (H - TOP - FOOT) * (2 - k) / 2.0;
        text_add(t,
                 "<line x1=\"%d\" x2=\"%d\" y1=\"%.1f\" y2=\"%.1f\" stroke=\"var(--line)\"/>"
                 "<text x=\"%d\" y=\"%.1f\" text-anchor=\"end\">%u</text>\n",
                 LEFT, W - RIGHT, y, y, LEFT - 8, y + 4, (v->buckets * (unsigned)k + 1) / 2);
    }
    struct text d = {.arena = t->arena};
    text_add(&d, "M%d %d", LEFT, H - FOOT);
    for (uint32_t i = 0; i < v->buckets; i++)
        text_add(&d, "H%.1fV%.1f", LEFT + (W - LEFT - RIGHT) * (double)(at[i] - at[0]) / span,
                 TOP + (H - TOP - FOOT) * (1 - (double)(i + 1) / v->buckets));
    text_add(&d, "H%d", W - RIGHT);
    text_add(t,
             "<path d=\"%sV%dZ\" fill=\"var(--accent)\" fill-opacity=\".12\"/>"
             "<path d=\"%s\" fill=\"none\" stroke=\"var(--accent)\" stroke-width=\"2\"/>\n"
             "<text x=\"%d\" y=\"%d\">",
             d.v, H - FOOT, d.v, LEFT, H - 8);
    date(t, at[0], "%Y-%m-%d %H:%M UTC");
    text_add(t, "</text><text x=\"%d\" y=\"%d\" text-anchor=\"end\">", W - RIGHT, H - 8);
    date(t, last, "%Y-%m-%d %H:%M UTC");
    text_add(t, "</text></svg></div>\n");
}

static void bucket_row(struct text *t, const struct store_bucket *b, bool section);

// `full`: the number of buckets that have a section.
static void bucket_table(struct text *t, const struct store_findings *v, uint32_t full)
{
    static const struct {
        const char *name, *means;
    } heads[] = {{"Bucket", "findings that are presumed to be one bug"},
                 {"Class", "what is wrong"},
                 {"Op", "the group operation that produced the first wrong word"},
                 {"Where", "the constructs around it, outermost first, or the message"},
                 {"Kind", "kind of bug (docs/dedup.md), if its shape or pass determines it"},
                 {"Findings", "random programs that triggered it"},
                 {"Size", "words of the smallest module that triggers it"},
                 {"First", "when it was first seen (UTC)"},
                 {"Last", "when it was last seen (UTC)"},
                 {"Target", "the target that is wrong"}};
    text_add(t,
             "<h2>Buckets</h2>\n<div class=\"tools\"><input id=\"filter\" type=\"search\" "
             "placeholder=\"Filter: class, op, path, target, text\" aria-label=\"filter buckets\">"
             "<select id=\"class\" aria-label=\"class\"><option value=\"\">All classes</option>");
    for (uint32_t i = 0; i < v->buckets; i++) {
        bool seen = false;
        for (uint32_t k = 0; k < i && !seen; k++)
            seen = store_bucket_class(&v->bucket[k]) == store_bucket_class(&v->bucket[i]);
        if (!seen)
            element(t, "<option>", class_of(&v->bucket[i]), "</option>");
    }
    text_add(t, "</select><select id=\"family\" aria-label=\"target\"><option value=\"\">All "
                "targets</option>");
    for (uint32_t i = 0; i < v->buckets; i++) {
        bool seen = false;
        for (uint32_t k = 0; k < i && !seen; k++)
            seen = strcmp(v->bucket[k].signature->family, v->bucket[i].signature->family) == 0;
        if (!seen)
            element(t, "<option>", v->bucket[i].signature->family, "</option>");
    }
    text_add(t, "</select><select id=\"promise\" aria-label=\"weakest model that promises "
                "it\"><option value=\"\">All models</option>");
    for (int p = JUDGE_PROMISES - 1; p > JUDGE_PROMISE_UNKNOWN; p--) {
        bool seen = false;
        for (uint32_t i = 0; i < v->buckets && !seen; i++)
            seen = store_shown(v->bucket[i].best)->promise == (enum judge_promise)p;
        if (seen)
            text_add(t, "<option value=\"%s\">promised by: %s</option>",
                     judge_promise_name((enum judge_promise)p),
                     judge_promise_name((enum judge_promise)p));
    }
    text_add(t,
             "</select><output id=\"shown\">%u buckets</output></div>\n<div class=\"card scroll\">"
             "<table id=\"buckets\" class=\"sortable\"><thead><tr>",
             v->buckets);
    for (size_t k = 0; k < sizeof heads / sizeof *heads; k++)
        text_add(t, "<th class=\"%s%s\" title=\"%s\"><button>%s</button></th>",
                 k == 5 || k == 6 ? "n" : "", k == 2 || k == 4 || k >= 6 ? " wide" : "",
                 heads[k].means, heads[k].name);
    text_add(t, "</tr></thead><tbody>\n");
    for (uint32_t i = 0; i < v->buckets; i++)
        bucket_row(t, &v->bucket[i], i < full);
    text_add(t, "</tbody></table></div>\n");
}

static void known(struct text *t, const struct store_bucket *b)
{
    if (b->known)
        element(t, "<span class=\"tag good\">", report_known_state(t->arena, b->known), "</span>");
}

// The filter searches the row's text and data-text, which has the texts that only the bucket's
// section shows.
static void bucket_row(struct text *t, const struct store_bucket *b, bool section)
{
    const struct diag_signature *s = b->signature;
    const struct finding *f = store_shown(b->best);
    const bool placed = diag_where_words(t->arena, s)[0];
    text_add(t, "<tr data-bucket=\"%s\" data-class=\"%s\" data-family=\"", s->name, class_of(b));
    html(t, s->family);
    element(t, "\" data-promise=\"", judge_promise_name(f->promise), "\"");
    if (section) {
        struct text all = {.arena = t->arena};
        text_add(&all, "%s %s %s", diag_rule_name(finding_rule(f)), s->message, s->culprit);
        element(t, " data-text=\"", all.v, "\"");
    }
    text_add(t,
             section ? "><td><a class=\"bname\" href=\"#%s\">%s</a></td><td>"
                     : "><td><span id=\"%s\" class=\"bname\">%s</span></td><td>",
             s->name, s->name);
    text_add(t, "<span class=\"tag %s\">%s</span>", tone(store_bucket_class(b)), class_of(b));
    known(t, b);
    if (b->mark.at)
        text_add(t, "<span class=\"tag\">%s</span>", store_state_name(b->mark.state));
    text_add(t, "</td><td class=\"wide\">");
    html(t, diag_op_words(t->arena, s));
    text_add(t, "</td><td>");
    if (placed)
        path(t, b);
    if (b->known || !placed)
        element(t, placed ? "<br><small>" : "<small>", b->known ? b->known->reason : s->message,
                "</small>");
    if (s->culprit[0])
        element(t, "<br><small class=\"mono\">", s->culprit, "</small>");
    text_add(t,
             "</td><td class=\"wide\">%s</td><td class=\"n\">%u</td><td class=\"n wide\">%u</td>"
             "<td class=\"wide date\" data-key=\"%lld\">",
             diag_bug_class(s->bug_class), b->findings, f->words, (long long)b->first_at);
    date(t, b->first_at, "%Y-%m-%d");
    text_add(t, "</td><td class=\"wide date\" data-key=\"%lld\">", (long long)b->last_at);
    date(t, b->last_at, "%Y-%m-%d");
    text_add(t, "</td><td class=\"wide mono target\"><div>");
    html(t, b->target_text);
    text_add(t, "</div></td></tr>\n");
}

// ---- a bucket ------------------------------------------------------------------------

static void command(struct text *t, const char *s)
{
    element(t, "<div class=\"cmd\"><pre>", s,
            "</pre><button type=\"button\">Copy</button></div>\n");
}

static void details(struct text *t, const struct report_view *w)
{
    const struct store_bucket *b = w->bucket;
    const struct finding *f = w->f;
    const struct diag_signature *s = b->signature;
    const char *sentence = diag_sentence(t->arena, s);
    const enum diag_rule rule = finding_rule(f);
    element(t, "<p class=\"lead\"><b>", f->verdict.text, "</b></p>\n");
    if (b->known) {
        text_add(t, "<p>");
        known(t, b);
        element(t, " ", b->known->reason, " ");
        html(t, b->known->link);
        text_add(t, "</p>\n");
    }
    if (b->mark.at) {
        text_add(t, "<p><span class=\"tag\">%s</span> ", store_state_name(b->mark.state));
        html(t, b->mark.note);
        element(t, " ", b->mark.link, "</p>\n");
    }
    if (w->reason.what && w->reason.what[0])
        element(t, "<p class=\"reason\"><b>Why it is wrong:</b> ", w->reason.what, "</p>\n");
    if (w->reason.says && w->reason.says[0])
        element(t, "<p class=\"law\">", w->reason.says, "</p>\n");
    if (w->reason.near && w->reason.near[0])
        element(t, "<p class=\"reason\">", w->reason.near, "</p>\n");
    if (w->code.text) {
        struct text code = {.arena = t->arena};
        report_code_text(&w->code, &code);
        element(t, "<pre>", code.v, "</pre>\n");
    }
    if (sentence[0])
        element(t, "<p>What is wrong: ", sentence, ".</p>\n");
    if (rule && !f->reason.why) {
        element(t, "<p class=\"law\"><b>", diag_rule_name(rule), "</b> &nbsp;");
        html(t, diag_rule_text(rule));
        text_add(t, ".</p>\n");
    }
    text_add(t, "<p>");
    if (f->tries)
        text_add(t, "<span class=\"tag\">reproduced in %u of %u runs</span> ", f->reproduced,
                 f->tries);
    if (w->proof.asked) {
        text_add(t, "<span class=\"tag %s\">%s</span> ", w->proof.valid ? "good" : "bad",
                 w->proof.valid ? "valid" : "not valid");
        text_add(t, "<span class=\"tag %s\">%s</span> ", w->proof.defined ? "good" : "bad",
                 w->proof.defined ? "defined" : "not defined");
        text_add(t, "<span class=\"tag %s\">%s</span> ", w->proof.machines_agree ? "good" : "bad",
                 w->proof.machines_agree ? "both models agree" : "models differ");
    }
    text_add(t, "</p>\n<h3>Reproduce it</h3>\n");
    command(t, f->replay);
    text_add(t, "<h3>About</h3>\n<dl><dt>Target</dt><dd class=\"mono\">");
    html(t, b->target_text);
    element(t, "</dd><dt>Device</dt><dd style=\"white-space:pre-line\">", f->device, "</dd>");
    if (w->has_case)
        element(t, "<dt>Model</dt><dd>", spv_model_name(w->c.model), "</dd>");
    if (f->promise)
        element(t, "<dt>Promised by</dt><dd>", judge_promise_name(f->promise), "</dd>");
    text_add(t, "<dt>Subgroup size</dt><dd>%u</dd><dt>Size</dt><dd>%u words",
             w->has_case && w->c.subgroup ? w->c.subgroup : f->subgroup, f->words);
    if (b->best->reduced)
        text_add(t, ", reduced from %u", b->best->f.words);
    text_add(t, "</dd>");
    if (s->culprit[0])
        element(t, "<dt>Pass at fault</dt><dd class=\"mono\">", s->culprit, "</dd>");
    if (s->bug_class)
        element(t, "<dt>Kind of bug</dt><dd>", diag_bug_class(s->bug_class), "</dd>");
    element(t, "<dt>Signature</dt><dd class=\"mono\">", s->text, "</dd></dl>\n");
}

static void findings(struct text *t, const struct store_bucket *b)
{
    text_add(t, "<div class=\"scroll\"><table><thead><tr><th>Finding</th><th>First bucket</th>"
                "<th class=\"n\">Size in words</th><th class=\"n\">Reproduced</th><th "
                "class=\"wide\">Found</th></tr></thead><tbody>\n");
    for (uint32_t i = 0; i < b->findings && i < 100; i++) {
        const struct store_finding *r = b->row[i];
        const struct finding *shown = store_shown(r);
        const char *first = r->f.signature->name;
        element(t, "<tr><td class=\"mono\">", r->f.name, "</td><td class=\"mono\">");
        html(t, strcmp(first, b->signature->name) == 0 ? "the same bucket" : first);
        text_add(t, "</td><td class=\"n\">%u</td><td class=\"n\">%u of %u</td><td class=\"wide\">",
                 shown->words, shown->reproduced, shown->tries);
        date(t, r->f.found_at, "%Y-%m-%d %H:%M");
        text_add(t, "</td></tr>\n");
    }
    text_add(t, "</tbody></table></div>\n");
    if (b->findings > 100)
        text_add(t, "<p class=\"sub\">and %u more</p>\n", b->findings - 100);
}

static void pictures(struct text *t, const struct report_view *w)
{
    text_add(t,
             "<div class=\"pictures\"><figure><figcaption class=\"good\">Expected</figcaption>"
             "<div class=\"picture\">%s</div></figure>",
             w->expected_svg);
    if (w->observed_svg)
        text_add(t,
                 "<figure><figcaption class=\"bad\">What the compiler's module does</figcaption>"
                 "<div class=\"picture\">%s</div></figure>",
                 w->observed_svg);
    text_add(t, "</div>\n");
}

static void section(struct text *t, const struct report_view *w)
{
    const struct store_bucket *b = w->bucket;
    const char *name = b->signature->name, *op = diag_op_words(t->arena, b->signature);
    text_add(t,
             "<details class=\"bucket\" id=\"%s\"><summary><span class=\"bname\">%s</span><span "
             "class=\"tag %s\">%s</span>",
             name, name, tone(store_bucket_class(b)), class_of(b));
    known(t, b);
    if (op[0])
        text_add(t, "<span class=\"tag\">%s</span>", op);
    if (b->known)
        element(t, "<span>", b->known->reason, "</span>");
    else if (diag_where_words(t->arena, b->signature)[0])
        path(t, b);
    text_add(t,
             "<span class=\"grow\"></span><span class=\"count\">%u finding%s</span></summary>\n"
             "<div class=\"inside\">\n",
             b->findings, b->findings == 1 ? "" : "s");
    details(t, w);
    bool lanes = w->expected && w->observed;
    const struct {
        const char *id, *title;
        bool there;
    } tabs[] = {{"lanes", "Lane by lane", lanes},
                {"tangles", "Tangles", w->expected_svg != NULL},
                {"pseudo", "Pseudo-code", w->has_case},
                {"asm", "Assembly", w->has_case},
                {"all", "Findings", true}};
    enum { TABS = sizeof tabs / sizeof *tabs };
    bool first = true;
    text_add(t, "<h3>Details</h3>\n<div class=\"tabs\" role=\"tablist\">");
    for (int k = 0; k < TABS; k++)
        if (tabs[k].there) {
            text_add(
                t, "<button role=\"tab\" aria-selected=\"%s\" aria-controls=\"%s-%s\">%s</button>",
                first ? "true" : "false", name, tabs[k].id, tabs[k].title);
            first = false;
        }
    text_add(t, "</div>\n");
    first = true;
    for (int k = 0; k < TABS; k++) {
        if (!tabs[k].there)
            continue;
        text_add(t, "<div role=\"tabpanel\" id=\"%s-%s\"%s>\n", name, tabs[k].id,
                 first ? "" : " hidden");
        first = false;
        switch (k) {
        case 0:
            html_lanes(t, w);
            break;
        case 1:
            pictures(t, w);
            break;
        case 2:
            element(t, "<pre data-code=\"pseudo\">", w->pseudo ? w->pseudo : "", "</pre>");
            break;
        case 3:
            element(t, "<pre data-code=\"asm\">", w->text, "</pre>");
            break;
        default:
            findings(t, b);
        }
        text_add(t, "</div>\n");
    }
    text_add(t, "</div></details>\n");
}

void report_html(const char *title, const char *version, const struct store_findings *v, uint32_t n,
                 const struct report_views *views, struct text *t)
{
    text_add(t, "<!DOCTYPE html>\n<html lang=\"en\">\n<head>\n<meta charset=\"utf-8\">\n"
                "<meta name=\"viewport\" content=\"width=device-width, initial-scale=1\">\n"
                "<meta name=\"color-scheme\" content=\"light dark\">\n"
                "<link rel=\"icon\" href=\"data:,\">\n<title>");
    html(t, title);
    text_add(t, " - tanglefuzz</title>\n<style>\n%s</style>\n</head>\n<body>\n<main>\n<h1>",
             html_css);
    html(t, title);
    text_add(t, "</h1>\n<p class=\"sub\">Findings of tanglefuzz: expected and observed results, in "
                "buckets of one cause each, the most different buckets first.</p>\n");
    tiles(t, v);
    struct text sections = {.arena = t->arena};
    struct arena one = {0}; // a view is many times larger than its section
    uint32_t full = 0;
    for (; full < n && sections.n < REPORT_PAGE_BYTES; full++) {
        struct report_view w;
        struct text s = {.arena = &one};
        views->load(views->user, &one, &v->bucket[full], &w);
        section(&s, &w);
        text_addn(&sections, s.v, s.n);
        arena_reset(&one);
    }
    arena_free(&one);
    if (v->buckets)
        bucket_table(t, v, full);
    else
        text_add(t, "<div class=\"card empty\">Nothing was found.</div>\n");
    if (full < v->buckets)
        text_add(
            t,
            "<p class=\"sub\">The first %u buckets are shown in full, the other %u only in the "
            "table "
            "(<code>tanglefuzz report DIR --bundle BUCKET</code> writes a folder for one).</p>\n",
            full, v->buckets - full);
    text_add(t, "<div id=\"sections\">\n%s</div>\n", full ? sections.v : "");
    chart(t, v);
    campaigns(t, v);
    text_add(
        t,
        "<footer>tanglefuzz %s. This page needs no network and contains no path of the "
        "machine that generated it.</footer>\n</main>\n<script>\n%s</script>\n</body>\n</html>\n",
        version, html_js);
}
