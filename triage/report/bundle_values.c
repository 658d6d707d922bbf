// SPDX-License-Identifier: Apache-2.0
//
// A finding as values for the templates of its bundle.
#define _GNU_SOURCE
#include "bundle.h"
#include "diagnose/reason.h"

#include "spirv/spirv_groups.h"
#include "spirv/spirv_ops.h"

#include <string.h>

static enum judge_promise promise_of(const struct report_view *w)
{
    return w->observed && judge_class_is_mismatch(w->verdict.klass)
               ? judge_weakest(&w->c, w->observed)
               : JUDGE_PROMISE_UNKNOWN;
}

// The frames of the compiler or driver: without those of its caller, and without unnamed addresses
// at the end.
static const char *backtrace(struct arena *a, const char *frames)
{
    size_t keep = 0;
    for (const char *line = frames, *end; line && *line; line = end) {
        const size_t n = strcspn(line, "\n");
        const char *name = memmem(line, n, "?? ()", 5);
        end = line + n + (line[n] != 0);
        if (memmem(line, n, " at ../../", 10) || memmem(line, n, "spv_optimize (", 14))
            break;
        if (!name || memmem(line, n, " from ", 6))
            keep = (size_t)(end - frames);
    }
    return keep ? arena_strn(a, frames, keep) : frames;
}

struct others {
    const struct finding_cross_check **v;
    uint32_t n;
};

static void other_row(struct fill *row, const void *user, uint32_t i)
{
    const struct finding_cross_check *x = ((const struct others *)user)->v[i];
    fill_text(row, "target", diag_without_paths(row->a, x->target));
    fill_text(row, "driver", diag_without_paths(row->a, x->driver));
}

// Of the other targets that ran the case: those that agree, or those that fail as this one does.
static void others(const struct report_view *w, const char *name, bool right, struct fill *f)
{
    const bool mismatch = w->observed && judge_class_is_mismatch(w->verdict.klass);
    struct others *o = ARENA_NEW(f->a, struct others);
    o->v = ARENA_ARRAY(f->a, const struct finding_cross_check *, w->cross_checks);
    for (uint32_t i = 0; i < w->cross_checks; i++) {
        const enum judge_class k = w->cross_check[i].klass;
        const bool same = mismatch ? judge_class_is_mismatch(k) : k == finding_class(w->f);
        if (right ? k == JUDGE_AGREES : same)
            o->v[o->n++] = &w->cross_check[i];
    }
    fill_list(f, name, o->n, other_row, o);
}

// GLSL without the lines that enable extensions.
static const char *without_directives(struct arena *a, const char *glsl)
{
    struct text t = {.arena = a};
    text_addn(&t, "", 0);
    for (const char *s = glsl, *end; s && *s; s = end) {
        const char *line = strchr(s, '\n');
        end = line ? line + 1 : s + strlen(s);
        if (*s != '#')
            text_addn(&t, s, (size_t)(end - s));
    }
    return t.v;
}

// The module's own lines: without the comments on top, which are tanglefuzz's.
static const char *without_head(const char *text)
{
    while (text && (*text == ';' || *text == '\n')) {
        const char *end = strchr(text, '\n');
        if (!end)
            break;
        text = end + 1;
    }
    return text;
}

static void shader(const struct bundle *b, struct fill *f)
{
    fill_text(f, "wgsl", b->wgsl);
    fill_text(f, "glsl", b->glsl);
    fill_text(f, "glsl_body", without_directives(f->a, b->glsl));
    fill_text(f, "hlsl", b->hlsl);
    fill_text(f, "llvm_ir", b->llvm);
    fill_text(f, "pseudo", b->w->pseudo);
    fill_text(f, "assembly", without_head(b->w->text));
}

static void reason(const struct report_view *w, struct fill *f)
{
    const struct diag_signature *s = w->bucket->signature;
    const char *sentence = diag_sentence(f->a, s);
    struct text words = {.arena = f->a}, code = {.arena = f->a};
    report_reason_text(&w->reason, &words);
    if (w->code.text)
        report_code_text(&w->code, &code);
    fill_flag(f, "has_reason", w->f->reason.why != 0);
    fill_text(f, "reason", words.v);
    fill_text(f, "code", code.v);
    fill_text(f, "sentence", sentence);
    fill_text(f, "tried", w->reason.tried);
    const bool ran = w->expected && w->observed;
    const enum judge_promise p = ran ? promise_of(w) : JUDGE_PROMISE_UNKNOWN;
    fill_flag(f, "compared", ran);
    fill_number(f, "wrong_invocations", ran ? w->verdict.wrong_invocations : 0);
    fill_text(f, "promise", diag_promise_text(w->c.model, p));
    fill_text(f, "weakest_model", diag_weakest_text(p));
}

static const char *ended(struct arena *a, const char *s)
{
    return !s || !s[0] || s[strlen(s) - 1] == '\n' ? s : arena_printf(a, "%s\n", s);
}

static void finding(const struct report_view *w, struct fill *f)
{
    const struct finding *r = w->f;
    const enum judge_class k = finding_class(r);
    fill_text(f, "bucket", w->bucket->signature->name);
    fill_text(f, "origin",
              arena_printf(f->a, "Found by tanglefuzz, bucket %s", w->bucket->signature->name));
    fill_flag(f, "fails_now", true);
    fill_text(f, "signature", w->bucket->signature->text);
    fill_text(f, "class", judge_class_name(k));
    fill_flag(f, "compiler_fails", k == JUDGE_CRASH || k == JUDGE_REJECTED || k == JUDGE_HANG);
    fill_text(f, "verdict", r->verdict.text);
    fill_text(f, "verdict_line", arena_strn(f->a, r->verdict.text, strcspn(r->verdict.text, "\n")));
    fill_text(f, "backtrace", backtrace(f->a, w->backtrace));
    fill_number(f, "tries", r->tries);
    fill_number(f, "reproduced", r->reproduced);
    fill_number(f, "findings", w->bucket->findings);
    fill_text(f, "proof", w->proof.words);
    fill_text(f, "target", r->target);
    fill_text(f, "versions", finding_versions_words(f->a, r));
    fill_text(f, "device", ended(f->a, r->device));
    fill_text(f, "version_now",
              w->version && w->version[0] ? diag_without_paths(f->a, w->version) : NULL);
    fill_text(f, "tanglefuzz_version",
              arena_printf(f->a, "%s%s%s", version_number(), version_commit()[0] ? " " : "",
                           version_commit()));
    fill_text(f, "spirv_tools_version", spv_tools_version(f->a));
    fill_text(f, "replay", r->replay);
    fill_flag(f, "has_expectation", w->c.expect_count); // none if nothing was observed
    fill_flag(f, "names_icd", strstr(r->target, "icd=") != NULL);
    fill_flag(f, "names_tools", strstr(r->target, "{tools}") != NULL);
}

// Does the compiler's module leave a word undefined that the case determines? Then a driver may
// return any value.
static bool output_undefined(const struct report_view *w)
{
    for (uint32_t k = 0; w->expected && w->observed && k < w->c.buffer_count; k++)
        for (uint32_t i = 0; w->observed[k].mask && i < w->observed[k].count; i++)
            if (~w->observed[k].mask[i] &
                (w->expected[k].mask ? w->expected[k].mask[i] : UINT32_MAX))
                return true;
    return false;
}

// The module's only group operation; NULL if there is none, or several kinds.
static const char *group_operation(const struct bundle *b)
{
    uint32_t opcode = 0;
    for (uint32_t i = 0; i < b->m.inst_count; i++) {
        const uint32_t op = b->m.insts[i].op;
        if (!spv_group_find(op))
            continue;
        if (opcode && opcode != op)
            return NULL;
        opcode = op;
    }
    return opcode ? spv_op_name(opcode) : NULL;
}

// A group operation that must stay in its loop, which FileCheck can test. Else NULL.
static const char *loop_op(const struct bundle *b)
{
    const struct report_view *w = b->w;
    struct diag_change x = {0};
    if (w->output)
        diag_change(w->c.words, w->c.count, w->output, w->output_count, &x);
    return x.did == DIAG_MOVED && x.over && x.construct == DIAG_LOOP && x.to == DIAG_AFTER
               ? group_operation(b)
               : NULL;
}

// The line of deqp-runner's results.csv.
static const char *results(const struct bundle *b, struct arena *a)
{
    struct store_bucket one = *b->w->bucket;
    const struct store_findings v = {.bucket = &one, .buckets = 1};
    struct text t = {.arena = a};
    report_format_write(REPORT_FORMAT_RESULTS, &v, ".", &t);
    return t.v;
}

void bundle_values(const struct bundle *b, struct fill *f)
{
    const struct report_view *w = b->w;
    const struct run_stage *s = run_spec_parse(f->a, w->f->target, NULL);
    fill_text(f, "pass", w->bucket->signature->culprit);
    fill_text(f, "title", report_title(f->a, w->f, w->bucket->signature));
    finding(w, f);
    others(w, "right_targets", true, f);
    others(w, "wrong_targets", false, f);
    shader(b, f);
    reason(w, f);
    fill_text(f, "results", results(b, f->a));
    fill_flag(f, "has_output", w->output != NULL);
    fill_flag(f, "output_undefined", output_undefined(w));
    fill_text(f, "loop_op", s && strcmp(s->name, "llvm") == 0 ? loop_op(b) : NULL);
    fill_text(f, "feature",
              w->c.model == SPV_MAXIMAL            ? "shaderMaximalReconvergence"
              : w->c.model == SPV_SUBGROUP_UNIFORM ? "shaderSubgroupUniformControlFlow"
                                                   : NULL);
    fill_flag(f, "partial_subgroup", w->c.subgroup && b->local[0] % w->c.subgroup);
    bundle_case_values(&w->c, &b->m, w->expected, f);
    bundle_target_values(b, s, f);
}
