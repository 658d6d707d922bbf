// SPDX-License-Identifier: Apache-2.0
//
// A bundle's README in the form of the project it goes to: the same parts, in the order
// and under the headings that its people are used to.
#define _GNU_SOURCE
#include "bundle.h"
#include "diagnose/reason.h"

#include <string.h>

static const struct {
    const char *name;
} forms[REPORT_FORM_COUNT] = {{"generic"}, {"mesa"},         {"spirv-tools"}, {"spirv-cross"},
                              {"llvm"},    {"offload-test"}, {"glslang"},     {"naga"},
                              {"tint"},    {"amber"},        {"cts"}};

bool report_form_find(const char *name, enum report_form *out)
{
    for (int f = 0; f < REPORT_FORM_COUNT; f++)
        if (strcmp(forms[f].name, name) == 0) {
            *out = (enum report_form)f;
            return true;
        }
    return false;
}

// By the first of a chain's drivers and compilers that has a project with a form of its own.
enum report_form report_form_guess(const char *target)
{
    static const struct {
        const char *subject; // in its name
        enum report_form form;
    } rows[] = {{"spirv-opt", REPORT_FORM_SPIRV_TOOLS},
                {"naga", REPORT_FORM_NAGA},
                {"tint", REPORT_FORM_TINT},
                {"dawn", REPORT_FORM_TINT},
                {"roundtrip", REPORT_FORM_SPIRV_CROSS},
                {"spirv-cross", REPORT_FORM_SPIRV_CROSS},
                {"lavapipe", REPORT_FORM_MESA},
                {"mesa", REPORT_FORM_MESA},
                {"radv", REPORT_FORM_MESA},
                {"nvk", REPORT_FORM_MESA},
                {"turnip", REPORT_FORM_MESA},
                {"honeykrisp", REPORT_FORM_MESA},
                {"llvm", REPORT_FORM_LLVM},
                {"clang", REPORT_FORM_LLVM},
                {"glslang", REPORT_FORM_GLSLANG}};
    struct arena a = {0};
    enum report_form form = REPORT_FORM_GENERIC;
    for (const struct run_stage *s = run_spec_parse(&a, target, NULL);
         s && form == REPORT_FORM_GENERIC; s = s->next) {
        const char *subject = run_stage_subject(&a, s, NULL);
        for (size_t k = 0; k < sizeof rows / sizeof *rows; k++)
            if (strstr(subject, rows[k].subject) && form == REPORT_FORM_GENERIC)
                form = rows[k].form;
    }
    arena_free(&a);
    return form;
}

static bool has(const char *s)
{
    return s && s[0];
}

// ---- parts -----------------------------------------------------------------------

static const char *in_words(const struct store_bucket *b)
{
    static const struct {
        const char *klass, *words;
    } rows[] = {{"missing-lanes", "a ballot lacks lanes"},
                {"extra-lanes", "a ballot has lanes that are not in its tangle"},
                {"wrong-set", "a ballot shows a wrong set of lanes"},
                {"wrong-value", "a wrong value"},
                {"missing-execution", "code is not reached that must be"},
                {"extra-execution", "code is reached that must not be"},
                {"wrong-memory", "wrong memory"},
                {"wrong-tangle", "a group operation sees wrong lanes"},
                {"wrong-flow", "a wrong way is taken, or a wrong value comes out of it"},
                {"wrong-code", "wrong code"},
                {"crash", "crash"},
                {"hang", "does not come to an end"},
                {"rejected", "a valid module is refused"},
                {"invalid-output", "the module that comes out is not valid"},
                {"schedule-dependent", "what comes out depends on who runs first"},
                {"undefined-output", "the module that comes out has undefined behaviour"}};
    for (size_t k = 0; k < sizeof rows / sizeof *rows; k++)
        if (strcmp(rows[k].klass, diag_class_words(b->signature)) == 0)
            return rows[k].words;
    return diag_class_words(b->signature);
}

static enum judge_promise promise_of(const struct report_view *w)
{
    return w->observed && judge_class_is_mismatch(w->verdict.klass)
               ? judge_weakest(&w->c, w->observed)
               : JUDGE_PROMISE_UNKNOWN;
}

static void title(const struct report_view *w, struct text *t)
{
    const struct store_bucket *b = w->bucket;
    const struct diag_signature *s = b->signature;
    const char *why = diag_why_title((enum diag_why)w->f->reason.why);
    const char *op = diag_op_words(t->arena, s);
    text_add(t, "# %s%s%s: %s", s->family, s->culprit[0] ? " " : "", s->culprit,
             why[0] ? why : in_words(b));
    if (!why[0] && op[0] && s->about != DIAG_ANY_OP)
        text_add(t, " (%s)", op);
    const enum judge_promise p = promise_of(w);
    const bool vulkan = diag_rule_is_vulkan(finding_rule(w->f));
    if (w->c.model == SPV_MAXIMAL && diag_where_words(t->arena, s)[0] &&
        p < JUDGE_PROMISE_SUBGROUP && !vulkan)
        text_add(t, " under maximal reconvergence");
    text_add(t, "\n\n");
}

// The frames up to the last one that has a name and is the subject's: not those of the program that
// asked it, nor the addresses without a name at the end.
static void backtrace(const char *frames, struct text *t)
{
    size_t keep = 0;
    for (const char *line = frames, *end; *line; line = end) {
        const size_t n = strcspn(line, "\n");
        const char *name = memmem(line, n, "?? ()", 5);
        end = line + n + (line[n] != 0);
        if (memmem(line, n, " at ../../", 10) || memmem(line, n, "spv_optimize (", 14))
            break;
        if (!name || memmem(line, n, " from ", 6))
            keep = (size_t)(end - frames);
    }
    if (keep)
        text_addn(t, frames, keep);
    else
        text_add(t, "%s", frames);
}

static void what(const struct report_view *w, struct text *t)
{
    text_add(t, "%s.\n", w->f->verdict.text);
    if (w->expected && w->observed && w->verdict.wrong_invocations)
        text_add(t,
                 "\n%u invocation%s a wrong value; `lanes.txt` has expected beside observed, "
                 "invocation by invocation.\n",
                 w->verdict.wrong_invocations,
                 w->verdict.wrong_invocations == 1 ? " sees" : "s see");
    else if (w->expected && w->observed) // without a log there are only words
        text_add(t, "\n`lanes.txt` has expected beside observed, word by word.\n");
    if (w->backtrace) {
        text_add(t, "\nWhere it was (`backtrace.txt`):\n\n```\n");
        backtrace(w->backtrace, t);
        text_add(t, "```\n");
    }
}

// Of the other targets that were asked, those that agree, or that are wrong in the finding's own
// way.
static void others(const struct report_view *w, bool good, const char *words, struct text *t)
{
    const bool mismatch = w->observed && judge_class_is_mismatch(w->verdict.klass);
    uint32_t n = 0;
    for (uint32_t i = 0; i < w->witness_count; i++) {
        const struct finding_witness *x = &w->witnesses[i];
        const bool same =
            mismatch ? judge_class_is_mismatch(x->klass) : x->klass == finding_class(w->f);
        if (good ? x->klass != JUDGE_AGREES : !same)
            continue;
        text_add(t, "%s- `%s`: %s\n", n++ ? "" : words, diag_without_paths(t->arena, x->target),
                 diag_without_paths(t->arena, x->driver));
    }
}

// The shader in GLSL, without the lines that switch extensions on; else as pseudo-code.
static void shader(const struct bundle *b, struct text *t)
{
    if (b->wgsl) {
        text_add(
            t, "\nThe shader (`case.wgsl` is this, `case.spvasm` the module):\n\n```wgsl\n%s```\n",
            b->wgsl);
        return;
    }
    if (!b->glsl) {
        text_add(t,
                 "\nThe shader (`case.txt` is this, `case.spvasm` the assembly):\n\n```\n%s```\n",
                 b->w->pseudo ? b->w->pseudo : "");
        return;
    }
    text_add(t,
             "\nThe shader (`case.glsl` is this with its extensions, `case.spvasm` the module):\n\n"
             "```glsl\n");
    for (const char *s = b->glsl, *end; *s; s = end) {
        const char *line = strchr(s, '\n');
        end = line ? line + 1 : s + strlen(s);
        if (*s != '#')
            text_addn(t, s, (size_t)(end - s));
    }
    text_add(t, "```\n");
}

static void happens(const struct bundle *b, struct text *t)
{
    what(b->w, t);
    others(b->w, true, "\nThe same case agrees on:\n\n", t);
    others(b->w, false, "\nIt is wrong as well, perhaps for another reason, on:\n\n", t);
    shader(b, t);
}

static void expected(const struct report_view *w, struct text *t)
{
    const struct diag_signature *s = w->bucket->signature;
    const char *sentence = diag_sentence(t->arena, s);
    const enum diag_rule rule = finding_rule(w->f);
    if (w->f->reason.why) {
        text_add(t, "**Why it is wrong.**\n");
        report_reason_text(&w->reason, t);
        text_add(t, "\n");
    }
    if (w->code.text) {
        text_add(t, "**In the machine code.**\n");
        report_code_text(&w->code, t);
        text_add(t, "\n");
    }
    if (sentence[0])
        text_add(t, "%s: %s.\n\n", w->f->reason.why ? "In short" : "What is wrong", sentence);
    else if (rule && !s->probed && !s->change.did)
        text_add(t, "The place of the first wrong value is `%s`.\n\n",
                 diag_path_words(t->arena, &s->path));
    if (rule && !w->f->reason.why)
        text_add(t,
                 "The rule at the place of the first wrong value (%s in tanglefuzz's numbering of "
                 "SPV_KHR_maximal_reconvergence): **%s.**\n\n",
                 diag_rule_name(rule), diag_rule_text(rule));
    const bool ran = w->expected && w->observed;
    if (ran) {
        const enum judge_promise p = promise_of(w);
        text_add(t, "%s %s\n\n", diag_promise_text(w->c.model, p), diag_weakest_text(p));
    }
    text_add(t, "%s",
             ran ? "`expected.mem` holds all buffers as they must be after the run; words "
                   "that the rules leave open are `?`. `tangles-expected.svg` shows who "
                   "runs together, block by block.\n"
                 : "The module is valid and its program has defined behaviour: it has to be "
                   "taken and run to its end.\n");
}

static void often(const struct report_view *w, struct text *t)
{
    const struct store_bucket *b = w->bucket;
    if (w->f->tries)
        text_add(t, "Seen again in %u of %u runs.", w->f->reproduced, w->f->tries);
    else
        text_add(t, "Seen once; it was not run again.");
    text_add(t, " %u random program%s showed it.\n", b->findings, b->findings == 1 ? "" : "s");
    if (b->signature->culprit[0])
        text_add(t, "\nPass at fault: `%s`. It does it alone; no other pass is needed before it.\n",
                 b->signature->culprit);
}

static void proof(const struct report_view *w, struct text *t)
{
    text_add(t, "```\n%s```\n", w->proof.words ? w->proof.words : "not looked at\n");
}

static void versions(const struct bundle *b, struct text *t)
{
    const struct report_view *w = b->w;
    const struct finding *r = w->f;
    text_add(t, "Target: `%s`\n", r->target);
    if (has(r->device))
        text_add(t, "\n```\n%s%s```\n", r->device,
                 r->device[strlen(r->device) - 1] == '\n' ? "" : "\n");
    if (has(w->version))
        text_add(t, "\nReplayed for this report on: %s\n",
                 diag_without_paths(t->arena, w->version));
    text_add(t, "\nJudged by tanglefuzz %s with %s.\n", version_number(), spv_tools_version());
}

static void files(const struct bundle *b, struct text *t)
{
    text_add(t, "| file | holds |\n| --- | --- |\n");
    for (uint32_t k = 0; k < b->files; k++)
        text_add(t, "| `%s` | %s |\n", b->file[k].name, b->file[k].holds);
}

static void none(const struct report_view *w, struct text *t)
{
    (void)w;
    text_add(t, "Not known: only the version above was looked at.\n");
}

// ---- forms -----------------------------------------------------------------------

struct part {
    const char *heading;
    void (*write)(const struct report_view *w, struct text *t);
    void (*whole)(const struct bundle *b, struct text *t); // what needs more than the finding
};
enum { PARTS = 9 };
static const struct part parts[REPORT_FORM_COUNT][PARTS] = {
    [REPORT_FORM_GENERIC] = {{"What happens", .whole = happens},
                             {"What must happen, and why", expected},
                             {"How to see it", .whole = bundle_reproduce},
                             {"Versions", .whole = versions},
                             {"How often", often},
                             {"Why the case counts", proof},
                             {"Files", .whole = files}},
    [REPORT_FORM_MESA] = {{"System information", .whole = versions},
                          {"Describe the issue", .whole = happens},
                          {"Expected behaviour", expected},
                          {"Steps to reproduce", .whole = bundle_reproduce},
                          {"How often", often},
                          {"Regression", none},
                          {"Log files as attachment", .whole = files},
                          {"Any extra information", proof}},
    [REPORT_FORM_SPIRV_TOOLS] = {{"Reproducer", .whole = bundle_reproduce},
                                 {"Observed", .whole = happens},
                                 {"Expected", expected},
                                 {"How often", often},
                                 {"Why the input counts as valid", proof},
                                 {"Version", .whole = versions},
                                 {"Files", .whole = files}},
    [REPORT_FORM_LLVM] = {{"Reproducer", .whole = bundle_reproduce},
                          {"Actual behavior", .whole = happens},
                          {"Expected behavior", expected},
                          {"How often, and which pass", often},
                          {"Version", .whole = versions},
                          {"Why the input is well-defined", proof},
                          {"Attachments", .whole = files}},
    [REPORT_FORM_GLSLANG] = {{"Steps to reproduce", .whole = bundle_reproduce},
                             {"Actual result", .whole = happens},
                             {"Expected result", expected},
                             {"How often", often},
                             {"Version", .whole = versions},
                             {"Why the input is valid", proof},
                             {"Files", .whole = files}},
    [REPORT_FORM_NAGA] = {{"Description", .whole = happens},
                          {"Repro steps", .whole = bundle_reproduce},
                          {"Expected vs observed behavior", expected},
                          {"How often", often},
                          {"Why the input is valid", proof},
                          {"Extra materials", .whole = files},
                          {"Platform", .whole = versions}},
    [REPORT_FORM_TINT] = {{"Steps to reproduce the problem", .whole = bundle_reproduce},
                          {"Problem description", .whole = happens},
                          {"Expected behavior", expected},
                          {"How often", often},
                          {"Version", .whole = versions},
                          {"Additional comments", proof},
                          {"Attachments", .whole = files}},
};

// The rest take the parts of their neighbours.
static const enum report_form like[REPORT_FORM_COUNT] = {
    [REPORT_FORM_MESA] = REPORT_FORM_MESA,
    [REPORT_FORM_SPIRV_TOOLS] = REPORT_FORM_SPIRV_TOOLS,
    [REPORT_FORM_SPIRV_CROSS] = REPORT_FORM_GLSLANG,
    [REPORT_FORM_LLVM] = REPORT_FORM_LLVM,
    [REPORT_FORM_OFFLOAD_TEST] = REPORT_FORM_LLVM,
    [REPORT_FORM_GLSLANG] = REPORT_FORM_GLSLANG,
    [REPORT_FORM_NAGA] = REPORT_FORM_NAGA,
    [REPORT_FORM_TINT] = REPORT_FORM_TINT,
};

void bundle_readme(const struct bundle *b, struct text *t)
{
    const struct part *p = parts[like[b->form]];
    title(b->w, t);
    for (int k = 0; k < PARTS && p[k].heading; k++) {
        text_add(t, "%s %s\n\n", b->form == REPORT_FORM_MESA ? "###" : "##", p[k].heading);
        if (p[k].whole)
            p[k].whole(b, t);
        else
            p[k].write(b->w, t);
        text_add(t, "\n");
    }
    text_add(t,
             "---\n\nFound by tanglefuzz, a differential fuzzer for reconvergence. Bucket `%s`, "
             "signature `%s`.\n",
             b->w->bucket->signature->name, b->w->bucket->signature->text);
}
