// SPDX-License-Identifier: Apache-2.0
//
// The HTML report: one page that needs no other file. The build embeds its style and script, which
// are files of html/.
#define _POSIX_C_SOURCE 200809L
#include "html.h"

#include <stdlib.h>
#include <string.h>
#include <time.h>

static void element(struct text *t, const char *open, const char *s, const char *close)
{
    text_add(t, "%s", open);
    text_xml(t, s);
    text_add(t, "%s", close);
}

// Adds a sentence; `code` in back-ticks becomes an element.
static void prose(struct text *t, const char *s)
{
    bool in = false;
    for (size_t n; *s; s += n + (s[n] == '`')) {
        n = strcspn(s, "`");
        text_xml(t, arena_strn(t->arena, s, n));
        if (s[n] == '`') {
            text_add(t, in ? "</code>" : "<code>");
            in = !in;
        }
    }
    text_add(t, in ? "</code>" : "");
}

static void paragraph(struct text *t, const char *open, const char *s)
{
    if (!s || !s[0])
        return;
    text_add(t, "%s", open);
    prose(t, s);
    text_add(t, "</p>\n");
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
        t,
        "<h2>Campaigns</h2>\n<div class=\"card\"><table class=\"runs\"><thead><tr><th>Target</th>"
        "<th class=\"wide\">Device</th><th class=\"n\">Cases</th><th class=\"n\">Agreed</th>"
        "<th class=\"n wide\">a&nbsp;second</th><th "
        "class=\"wide\">Ended</th></tr></thead><tbody>\n");
    for (uint32_t i = 0; i < v->campaigns; i++) {
        const struct store_campaign *c = &v->campaign[i];
        element(t, "<tr><td class=\"mono\">", c->target, "</td><td class=\"wide\">");
        text_xml(t, c->device);
        element(t, "<br><small>", c->driver, "</small></td><td class=\"n\">");
        count(t, c->cases);
        text_add(t, "</td><td class=\"n\">");
        count(t, c->agreed);
        text_add(t, "</td><td class=\"n wide\">%.*f</td><td class=\"wide\">",
                 c->seconds > 0 && (double)c->cases / c->seconds < 10 ? 1 : 0,
                 c->seconds > 0 ? (double)c->cases / c->seconds : 0);
        text_xml(t, c->ended);
        text_add(t, "</td></tr>\n");
    }
    text_add(t, "</tbody></table></div>\n");
    // The two campaigns of ci have the same note.
    for (uint32_t i = 0; i < v->campaigns; i++)
        if (!i || strcmp(v->campaign[i].note, v->campaign[i - 1].note) != 0)
            paragraph(t, "<p class=\"sub\">", v->campaign[i].note);
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
    enum { W = 1000, H = 120, PAD = 2 };
    int64_t *at = ARENA_ARRAY(t->arena, int64_t, v->buckets), last = 0;
    for (uint32_t i = 0; i < v->buckets; i++) {
        at[i] = v->bucket[i].first_at;
        last = v->bucket[i].last_at > last ? v->bucket[i].last_at : last;
    }
    qsort(at, v->buckets, sizeof *at, by_time);
    if (last <= at[0])
        return;
    const char *format = last - at[0] < 600 ? "%Y-%m-%d %H:%M:%S UTC" : "%Y-%m-%d %H:%M UTC";
    struct text d = {.arena = t->arena};
    text_add(&d, "M0 %d", H);
    for (uint32_t i = 0; i < v->buckets; i++)
        text_add(&d, "H%.1fV%.1f", W * (double)(at[i] - at[0]) / (double)(last - at[0]),
                 PAD + (H - PAD) * (1 - (double)(i + 1) / v->buckets));
    text_add(&d, "H%d", W);
    // The labels are text of the page, which keeps its size when the picture is narrow.
    text_add(
        t,
        "<h2>Buckets over time</h2>\n<figure class=\"card chart\"><div class=\"axis\"><span>%u "
        "buckets</span></div><svg viewBox=\"0 0 %d %d\" preserveAspectRatio=\"none\" role=\"img\" "
        "aria-label=\"number of buckets over time\"><path d=\"%sV%dZ\" fill=\"var(--accent)\" "
        "fill-opacity=\".12\"/><path d=\"%s\" fill=\"none\" stroke=\"var(--accent)\" "
        "stroke-width=\"2\" vector-effect=\"non-scaling-stroke\"/></svg>\n<div "
        "class=\"axis\"><span>",
        v->buckets, W, H, d.v, H, d.v);
    date(t, at[0], format);
    text_add(t, "</span><span>");
    date(t, last, format);
    text_add(t, "</span></div></figure>\n");
}

// Adds an option per bucket whose text no bucket before it has.
static void options_of(struct text *t, const struct store_findings *v,
                       const char *text(const struct store_bucket *b))
{
    for (uint32_t i = 0; i < v->buckets; i++) {
        bool seen = false;
        for (uint32_t k = 0; k < i && !seen; k++)
            seen = strcmp(text(&v->bucket[k]), text(&v->bucket[i])) == 0;
        if (!seen && text(&v->bucket[i])[0])
            element(t, "<option>", text(&v->bucket[i]), "</option>");
    }
    text_add(t, "</select>");
}

static const char *promise_of(const struct store_bucket *b)
{
    return judge_promise_name(store_shown(b->best)->promise);
}

static const char *target_of(const struct store_bucket *b)
{
    return b->target_text;
}

static void tools(struct text *t, const struct store_findings *v)
{
    text_add(t,
             "<h2>Bugs</h2>\n<div class=\"tools\"><input id=\"filter\" type=\"search\" "
             "placeholder=\"Filter: title, operation, target, text\" aria-label=\"filter\">"
             "<select id=\"class\" aria-label=\"class\"><option value=\"\">All classes</option>");
    options_of(t, v, class_of);
    text_add(t, "<select id=\"family\" aria-label=\"target\"><option value=\"\">All "
                "targets</option>");
    options_of(t, v, target_of);
    text_add(t,
             "<select id=\"promise\" aria-label=\"weakest model that promises the value\"><option "
             "value=\"\">All models</option>");
    options_of(t, v, promise_of);
    text_add(
        t,
        "<select id=\"order\" aria-label=\"order\"><option value=\"\">Different bugs first"
        "</option><option value=\"findings\">Most findings first</option><option value=\"last\">"
        "Newest first</option><option value=\"words\">Smallest first</option></select>"
        "<output id=\"shown\">%u bucket%s</output></div>\n",
        v->buckets, v->buckets == 1 ? "" : "s");
}

static void known(struct text *t, const struct store_bucket *b)
{
    if (b->known)
        element(t, "<span class=\"tag good\">", report_known_state(t->arena, b->known), "</span>");
}

// Adds a title. A line may end after the class of a C++ function, "Pass::" "run".
static void headline(struct text *t, const char *s)
{
    text_add(t, "<span class=\"headline\">");
    for (const char *colons; (colons = strstr(s, "::")); s = colons + 2) {
        text_xml(t, arena_strn(t->arena, s, (size_t)(colons + 2 - s)));
        text_add(t, "<wbr>");
    }
    element(t, "", s, "</span>");
}

// One bug of the list: its title, and below it, small, what distinguishes it. `opens`: it has a
// section.
static void entry(struct text *t, const struct store_bucket *b, bool opens)
{
    const struct diag_signature *s = b->signature;
    const struct finding *f = store_shown(b->best);
    struct text first = {.arena = t->arena}, last = {.arena = t->arena}, all = {.arena = t->arena};
    date(&first, b->first_at, "%Y-%m-%d");
    date(&last, b->last_at, "%Y-%m-%d");
    text_add(&all, "%s %s %s %s %s", diag_rule_name(finding_rule(f)), s->message, s->culprit,
             diag_place_words(t->arena, s), b->targets);
    text_add(t, "<%s class=\"bucket\" id=\"%s\" data-class=\"%s\"", opens ? "details" : "div",
             s->name, class_of(b));
    element(t, " data-family=\"", target_of(b), "\"");
    element(t, " data-promise=\"", promise_of(b), "\"");
    element(t, " data-text=\"", all.v, "\"");
    text_add(t, " data-findings=\"%llu\" data-words=\"%u\" data-last=\"%lld\">",
             (unsigned long long)(b->findings + b->further), f->words, (long long)b->last_at);
    text_add(t, opens ? "<summary>" : "<div class=\"summary\">");
    headline(t, report_title(t->arena, f, s));
    text_add(t, "<span class=\"small\"><span class=\"tag %s\">%s</span>",
             tone(store_bucket_class(b)), class_of(b));
    known(t, b);
    if (!b->best->reduced)
        text_add(t, "<span class=\"tag\">not reduced</span>");
    if (b->mark.at)
        text_add(t, "<span class=\"tag\">%s</span>", store_state_name(b->mark.state));
    text_add(t, "<span>%u finding%s", b->findings, b->findings == 1 ? "" : "s");
    if (b->further)
        text_add(t, " and %llu counted", (unsigned long long)b->further);
    text_add(t, "</span><span>%u words</span><span>%s%s%s</span><span class=\"bname\">%s</span>",
             f->words, first.v, strcmp(first.v, last.v) == 0 ? "" : " to ",
             strcmp(first.v, last.v) == 0 ? "" : last.v, s->name);
    element(t, "<span class=\"mono target\">", target_of(b), "</span></span>");
    if (finding_versions_words(t->arena, f)[0])
        element(t, "<span class=\"small versions\">", finding_versions_words(t->arena, f),
                "</span>");
    if (b->known)
        element(t, "<span class=\"small\">", b->known->reason, "</span>");
    text_add(t, opens ? "</summary>\n" : "</div></div>\n");
}

// ---- a bucket ------------------------------------------------------------------------

static void command(struct text *t, const char *s)
{
    element(t, "<div class=\"cmd\"><pre>", s,
            "</pre><button type=\"button\">Copy</button></div>\n");
}

// Returns a bug class with what goes wrong in it, as in docs/mutants.md.
static const char *kind_of_bug(struct arena *a, uint8_t bug_class)
{
    static const char *const wrong[] = {
        "",
        "a break block is merged into the loop's merge block",
        "a loop is removed, rotated or unswitched",
        "jump threading past a join",
        "tail merge: the same operation in both arms becomes one",
        "an operation after a join is moved into the arms, or hoisted",
        "an earlier result is reused in another block",
        "an operation is sunk to its use, into a branch",
        "temporal divergence: a value is uniform in the loop, divergent after it",
        "a divergent value is taken for uniform",
        "a loop is unrolled with a remainder loop",
        "nested loops go wrong in a structurizer",
        "switches: lowering, fall-through, masks",
        "return, call, continue",
        "the masks of loop breaks",
        "operations are folded or lowered wrongly",
        "quads",
        "a value is lost in translation",
        "workgroups and synchronisation",
    };
    return arena_printf(a, "%s: %s", diag_bug_class(bug_class),
                        bug_class < sizeof wrong / sizeof *wrong ? wrong[bug_class] : "");
}

// `root`: the campaign's folder, for the command.
static void details(struct text *t, const struct report_view *w, const char *root)
{
    const struct store_bucket *b = w->bucket;
    const struct finding *f = w->f;
    const struct diag_signature *s = b->signature;
    const char *sentence = diag_sentence(t->arena, s);
    element(t, "<p class=\"lead\"><b>", f->verdict.text, "</b></p>\n");
    if (b->known) {
        text_add(t, "<p>");
        known(t, b);
        element(t, " ", b->known->reason, " ");
        text_xml(t, b->known->link);
        text_add(t, "</p>\n");
    }
    if (b->mark.at) {
        text_add(t, "<p><span class=\"tag\">%s</span> ", store_state_name(b->mark.state));
        text_xml(t, b->mark.note);
        element(t, " ", b->mark.link, "</p>\n");
    }
    paragraph(t, "<p class=\"reason\"><b>Why it is wrong:</b> ", w->reason.what);
    paragraph(t, "<p class=\"law\">", w->reason.says);
    paragraph(t, "<p class=\"reason\">", w->reason.near);
    paragraph(t, "<p class=\"reason\">", w->reason.control);
    paragraph(t, "<p class=\"reason\">Other programs that were tried: ", w->reason.tried);
    if (w->code.text) {
        struct text code = {.arena = t->arena};
        report_code_text(&w->code, &code);
        element(t, "<pre>", code.v, "</pre>\n");
    }
    if (sentence[0])
        element(t, "<p>What is wrong: ", sentence, ".</p>\n");
    text_add(t, "<p>");
    if (f->tries)
        text_add(t, "<span class=\"tag\">reproduced in %u of %u runs</span> ", f->reproduced,
                 f->tries);
    if (w->proof.asked) {
        text_add(t, "<span class=\"tag %s\">%s</span> ", w->proof.valid ? "good" : "bad",
                 w->proof.valid ? "valid module" : "module not valid");
        text_add(t, "<span class=\"tag %s\">%s</span> ", w->proof.defined ? "good" : "bad",
                 w->proof.defined ? "defined behaviour" : "undefined behaviour");
        text_add(t, "<span class=\"tag %s\">%s</span> ", w->proof.machines_agree ? "good" : "bad",
                 w->proof.machines_agree ? "both oracles agree" : "the oracles differ");
    }
    element(t, "</p>\n<h3>Reproduce it, in the folder that holds <code>",
            strcmp(root, ".") == 0 ? "findings" : root, "</code></h3>\n");
    command(t, arena_printf(t->arena, "tanglefuzz replay %s --target %s -n 3",
                            shell_quote(t->arena, arena_printf(t->arena, "%s/%s/case.spvasm", root,
                                                               f->folder)),
                            shell_quote(t->arena, f->target)));
    text_add(t, "<h3>About</h3>\n<dl><dt>Target</dt><dd class=\"mono\">");
    text_xml(t, b->target_text);
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
        element(t, "<dt>Kind of bug</dt><dd>", kind_of_bug(t->arena, s->bug_class), "</dd>");
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
        text_xml(t, strcmp(first, b->signature->name) == 0 ? "the same bucket" : first);
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

// The shader: in GLSL, and what differs in the module that a compiler wrote; else as pseudo-code.
static void shader(struct text *t, const struct report_view *w)
{
    if (w->glsl && w->glsl_output)
        html_diff(t, w->glsl, w->glsl_output);
    else
        element(t, "<pre data-code=\"pseudo\">",
                w->glsl     ? w->glsl
                : w->pseudo ? w->pseudo
                            : "",
                "</pre>");
}

static void section(struct text *t, const struct report_view *w, const char *root)
{
    const struct store_bucket *b = w->bucket;
    const char *name = b->signature->name;
    entry(t, b, true);
    text_add(t, "<div class=\"inside\">\n");
    details(t, w, root);
    const bool lanes = w->expected && w->observed, traced = w->backtrace && w->backtrace[0];
    const struct {
        const char *id, *title;
        bool there;
    } tabs[] = {{"trace", "Backtrace", traced},
                {"lanes", "Values", lanes},
                {"shader", w->glsl_output ? "Shader, in and out" : "Shader", w->has_case},
                {"tangles", "Tangles", w->expected_svg != NULL},
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
            element(t, "<pre>", w->backtrace, "</pre>");
            break;
        case 1:
            html_lanes(t, w);
            break;
        case 2:
            shader(t, w);
            break;
        case 3:
            pictures(t, w);
            break;
        case 4:
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
    text_xml(t, title);
    text_add(t, " - tanglefuzz</title>\n<style>\n%s</style>\n</head>\n<body>\n<main>\n<h1>",
             html_css);
    text_xml(t, title);
    text_add(
        t, "</h1>\n<p class=\"sub\">Findings of tanglefuzz, in buckets of one cause each.%s</p>\n",
        v->buckets > 1 ? " The first bugs of the list differ most from each other." : "");
    tiles(t, v);
    struct text sections = {.arena = t->arena};
    struct arena one = {0}; // a view is many times larger than its section
    uint32_t full = 0;
    for (; full < n && sections.n < REPORT_PAGE_BYTES; full++) {
        struct report_view w;
        struct text s = {.arena = &one};
        views->load(views->user, &one, &v->bucket[full], &w);
        section(&s, &w, title);
        text_addn(&sections, s.v, s.n);
        arena_reset(&one);
    }
    arena_free(&one);
    if (v->buckets)
        tools(t, v);
    else
        text_add(t, "<div class=\"card empty\">Nothing was found.</div>\n");
    if (full < v->buckets)
        text_add(
            t,
            "<p class=\"sub\">The first %u buckets open, the other %u do not "
            "(<code>tanglefuzz report DIR --bundle BUCKET</code> writes a folder for one).</p>\n",
            full, v->buckets - full);
    text_add(t, "<div id=\"sections\">\n%s", full ? sections.v : "");
    for (uint32_t i = full; i < v->buckets; i++)
        entry(t, &v->bucket[i], false);
    text_add(t, "</div>\n");
    chart(t, v);
    campaigns(t, v);
    text_add(
        t,
        "<footer>tanglefuzz %s. This page needs no network and contains no path of the "
        "machine that generated it.</footer>\n</main>\n<script>\n%s</script>\n</body>\n</html>\n",
        version, html_js);
}
