// SPDX-License-Identifier: Apache-2.0
//
// What a finding says about itself: the README of its folder, and one JSON object.
#include "finding.h"

#include <jansson.h>
#include <stdlib.h>
#include <string.h>

enum judge_class report_finding_class(const struct report_finding *f)
{
    return f->flaky ? JUDGE_FLAKY : f->verdict->klass;
}

void report_finding_signature(const struct report_finding *f, struct diag_signature *out)
{
    struct arena a = {0};
    const char *words = f->subject_text ? f->subject_text : f->verdict->text;
    // Where it was, beside what it said. As found a debugger is not always asked: the pass says
    // enough, or what the subject said itself.
    const bool said = f->said && f->said[0] && f->verdict->klass == JUDGE_CRASH;
    const char *where = has_backtrace(f) && (f->reduced || !said) ? f->backtrace
                        : said                                    ? f->said
                                                                  : NULL;
    if (where && (f->reduced || !f->culprit))
        words = arena_printf(&a, "%s\n%s", words, where);
    diag_signature(f->c, f->verdict, f->target, f->driver,
                   f->subject_text || words != f->verdict->text ? words : NULL, f->culprit, out);
    arena_free(&a);
    if (f->probed)
        diag_signature_probed(out, f->blame, &f->manner);
    if (f->probed && f->alone)
        diag_signature_alone(out, f->alone);
    if (f->reduced && f->output)
        diag_signature_changed(out, f->c, f->output, f->output_count);
}

void report_agreement(const struct report_finding *f, uint32_t *agreed, uint32_t *judged)
{
    *agreed = *judged = 0;
    for (uint32_t i = 0; i < f->witness_count; i++) {
        enum judge_class k = f->witnesses[i].klass;
        *agreed += k == JUDGE_AGREES;
        *judged += k == JUDGE_AGREES || judge_class_is_finding(k);
    }
}

// What the other targets of the campaign say.
static void agreement(const struct report_finding *f, struct text *out)
{
    uint32_t agreed, judged;
    if (!f->witness_count)
        return;
    report_agreement(f, &agreed, &judged);
    text_add(out,
             "\n## The other targets\n\nExpected by the oracle and %u of %u other target%s:\n\n",
             agreed, judged, judged == 1 ? "" : "s");
    for (uint32_t i = 0; i < f->witness_count; i++)
        text_add(out, "- `%s` (%s): %s\n", diag_without_paths(out->arena, f->witnesses[i].target),
                 diag_without_paths(out->arena, f->witnesses[i].driver),
                 judge_class_name(f->witnesses[i].klass));
}

static json_t *agreement_json(struct arena *a, const struct report_finding *f)
{
    uint32_t agreed, judged;
    report_agreement(f, &agreed, &judged);
    json_t *o = json_object(), *list = json_array();
    for (uint32_t i = 0; i < f->witness_count; i++) {
        json_t *x = json_object();
        json_object_set_new(x, "target",
                            json_string(diag_without_paths(a, f->witnesses[i].target)));
        json_object_set_new(x, "class", json_string(judge_class_name(f->witnesses[i].klass)));
        json_array_append_new(list, x);
    }
    json_object_set_new(o, "agreed", json_integer(agreed));
    json_object_set_new(o, "judged", json_integer(judged));
    json_object_set_new(o, "targets", list);
    return o;
}

// The weakest model that promises what is wrong.
static enum judge_promise promise_of(const struct report_finding *f)
{
    return f->observed && judge_class_is_mismatch(f->verdict->klass)
               ? judge_weakest(f->c, f->observed)
               : JUDGE_PROMISE_UNKNOWN;
}

// What was promised and what is expected, for someone who opens the folder cold.
static const char *why(struct arena *a, const struct report_finding *f)
{
    enum judge_class k = f->verdict->klass;
    const enum judge_promise p = promise_of(f);
    if (judge_class_is_mapping(k))
        return "Every invocation writes its SubgroupId, SubgroupLocalInvocationId and "
               "SubgroupSize. In a workgroup no two invocations may share subgroup and lane, lanes "
               "lie below the size, and the size is the one that the pipeline asked for.";
    if (judge_class_is_mismatch(k))
        return arena_printf(
            a,
            "%s %s%s`expected.mem` follows from that; words that it leaves open are `?` and "
            "are not compared. The module passes spirv-val and the program has defined "
            "behaviour: every loop ends, no race, no read of an inactive invocation.",
            diag_promise_text(f->c->model, p), diag_weakest_text(p), p ? " " : "");
    return "The module passes spirv-val, every loop of the program ends and its behaviour is "
           "defined: a driver has to take it and run it to its end.";
}

static const char *heading(const struct report_finding *f)
{
    switch (f->verdict->klass) {
    case JUDGE_CRASH:
    case JUDGE_HANG:
    case JUDGE_DEVICE_LOST:
    case JUDGE_MEMORY:
    case JUDGE_REJECTED:
        return "What happened";
    default:
        return "First difference";
    }
}

void report_finding_readme(const char *name, const struct report_finding *f, struct text *out)
{
    struct arena *a = out->arena;
    const struct judge_verdict *v = f->verdict;
    text_add(out, "# %s\n\n", name);
    text_add(out, "%s: %s.\n", judge_class_name(v->klass), judge_class_line(v->klass));
    if (f->flaky)
        text_add(out, "**Flaky**: it did not repeat often enough to count as a finding.\n");
    text_add(out, "\n## %s\n\n%s\n", heading(f), diag_without_paths(a, v->text));
    if (f->subject_text && strcmp(f->subject_text, v->text) != 0)
        text_add(out, "\nIn the subject's words: %s\n", diag_without_paths(a, f->subject_text));
    if (has_backtrace(f))
        text_add(out, "\nWhere it was:\n\n```\n%s```\n", diag_without_paths(a, f->backtrace));
    if (v->wrong_bits) {
        // A word that must stay as it was is compared, and is none that the shader had to write.
        text_add(out,
                 v->wrong_bits <= v->live_bits ? "\n%llu of %llu compared bits are wrong"
                                               : "\nBits that are wrong: %llu",
                 (unsigned long long)v->wrong_bits, (unsigned long long)v->live_bits);
        if (v->wrong_invocations)
            text_add(out, ", in the log of %u invocation%s", v->wrong_invocations,
                     v->wrong_invocations == 1 ? "" : "s");
        text_add(out, "; `lanes.txt` shows them side by side.\n");
    }
    struct diag_signature sig;
    report_finding_signature(f, &sig);
    text_add(out, "\n## What is expected, and why\n\n%s\n", why(a, f));
    const struct report_reason *reason = f->reason;
    const bool why_known = reason && reason->why[0];
    if (why_known) {
        text_add(out, "\n## Why it is wrong\n");
        report_reason_text(reason, out);
    }
    if (f->stage)
        text_add(out, "\n## Which stage\n\n%s\n", diag_stage_text(f->stage));
    struct report_code code;
    report_finding_code(a, f, &code);
    if (code.text) {
        text_add(out, "\n## In the machine code\n");
        report_code_text(&code, out);
    }
    if (sig.change.did && diag_sentence(a, &sig)[0])
        text_add(out, "\nBetween the two modules: %s.\n", diag_sentence(a, &sig));
    if (!why_known && judge_class_is_mismatch(v->klass))
        text_add(out, "\nNo single wrong reading of the rules that was tried gives what was "
                      "observed.\n");
    if (sig.rule && !why_known)
        text_add(out,
                 "\nThe rule that decides at the first wrong place (`%s`) is %s of "
                 "SPV_KHR_maximal_reconvergence as docs/rules.md numbers it: %s.\n",
                 diag_path_words(a, &sig.path), diag_rule_name(sig.rule), diag_rule_text(sig.rule));
    text_add(out, "\nBucket: `%s`%s%s. Signature: `%s`\n", sig.name,
             sig.bug_class ? ", bug class " : "", diag_bug_class(sig.bug_class), sig.text);
    if (f->c->has_policy) {
        text_add(out,
                 "\nWhere several values of a switch enter one case construct the rules leave a "
                 "choice; none of the permitted ones explains what was observed. `expected.mem` "
                 "is the policy `");
        spv_choices_print(&f->c->policy, out);
        text_add(out, "`.\n");
    }
    text_add(out, "\n## Where\n\nTarget: `%s`\n\n", diag_without_paths(a, f->target));
    if (f->device)
        text_add(out, "```\n%s%s```\n", diag_without_paths(a, f->device),
                 f->device[0] && f->device[strlen(f->device) - 1] != '\n' ? "\n" : "");
    agreement(f, out);
    text_add(out, "\n## How to see it again\n\n    %s\n\n", diag_without_paths(a, f->replay));
    if (f->tries)
        text_add(out, "After the first time it was seen again in %u of %u runs.\n", f->reproduced,
                 f->tries);
    else
        text_add(out, "It was not run again: the campaign was interrupted.\n");
    if (f->generated)
        text_add(out, "\nThe case comes from\n\n    %s\n", diag_without_paths(a, f->generated));
    text_add(out, "\n## Files\n\n"
                  "- `case.spvasm`: assembly with everything needed to run and judge it\n"
                  "- `case.spv`: the same module as a binary\n");
    if (f->output)
        text_add(out, "- `output.spv`: the module that the compiler made of it\n");
    if (f->driver_text)
        text_add(out,
                 "- `driver.txt`: what the driver made of it, in its own words (intermediate and "
                 "machine code)\n");
    if (f->said)
        text_add(out, "- `stderr.txt`: what the subject printed, its last %d KiB\n",
                 RUN_SAID >> 10);
    if (has_backtrace(f))
        text_add(out, "- `backtrace.txt`: where it was when it ended, innermost first\n");
    if (f->expected)
        text_add(out, "- `expected.mem`: memory as it must be, `?` where it is not defined\n");
    if (f->observed)
        text_add(out, "- `observed.mem`: memory as it was read back%s\n",
                 f->output ? "; `?` where the compiler's module leaves it undefined" : "");
    if (f->expected && f->observed)
        text_add(out, "- `lanes.txt`: the difference, invocation by invocation\n");
    text_add(out, "- `finding.json`: this page for programs\n");
}

// What is blamed, a key a fact; what is not known is left out.
static json_t *diag_json(struct arena *a, const struct diag_signature *s)
{
    static const char *const about[] = {"", "op", "any", "guard"};
    const struct {
        const char *key, *text;
    } rows[] = {{"class", diag_class_words(s)},
                {"family", s->family},
                {"about", about[s->about]},
                {"op", diag_op_words(a, s)},
                {"where", diag_where_words(a, s)},
                {"message", s->message},
                {"culprit", s->culprit},
                {"path", diag_path_words(a, &s->path)},
                {"operation", diag_operation_words(a, &s->exact)},
                {"manner", diag_manner_words(a, &s->manner)},
                {"change", diag_change_words(a, &s->change)},
                {"sentence", diag_sentence(a, s)}};
    json_t *o = json_object();
    for (size_t k = 0; k < sizeof rows / sizeof *rows; k++)
        if (rows[k].text[0])
            json_object_set_new(o, rows[k].key, json_string(rows[k].text));
    return o;
}

const char *report_finding_json(struct arena *a, const char *name, const char *folder,
                                const struct report_finding *f)
{
    const struct judge_verdict *v = f->verdict;
    json_t *o = json_object();
    CHECK(o != NULL);
    json_object_set_new(o, "schema", json_integer(1));
    json_object_set_new(o, "type", json_string("finding"));
    if (name)
        json_object_set_new(o, "name", json_string(name));
    json_object_set_new(o, "class", json_string(judge_class_name(report_finding_class(f))));
    if (f->flaky)
        json_object_set_new(o, "first_class", json_string(judge_class_name(v->klass)));
    if (folder)
        json_object_set_new(o, "folder", json_stringn_nocheck(folder, strlen(folder)));
    // A driver's words may be no UTF-8: then they are left out rather than the line.
    json_object_set_new(o, "text", json_string(diag_without_paths(a, v->text)));
    json_object_set_new(o, "target", json_string(diag_without_paths(a, f->target)));
    if (f->device)
        json_object_set_new(o, "device", json_string(diag_without_paths(a, f->device)));
    if (f->driver)
        json_object_set_new(o, "driver", json_string(diag_without_paths(a, f->driver)));
    json_object_set_new(o, "subgroup", json_integer(f->c->subgroup));
    json_object_set_new(o, "live_bits", json_integer((json_int_t)v->live_bits));
    json_object_set_new(o, "wrong_bits", json_integer((json_int_t)v->wrong_bits));
    if (v->has_place) {
        json_object_set_new(o, "buffer", json_sprintf("%u:%u", v->set, v->binding));
        json_object_set_new(o, "word", json_integer(v->word));
        json_object_set_new(o, "expected", json_integer(v->expected));
        json_object_set_new(o, "observed", v->undefined ? json_null() : json_integer(v->observed));
    }
    if (v->has_site) {
        json_object_set_new(o, "invocation", json_integer(v->invocation));
        json_object_set_new(o, "entry", json_integer(v->entry));
        json_object_set_new(o, "site", json_integer(v->site));
    }
    struct diag_signature sig;
    report_finding_signature(f, &sig);
    json_object_set_new(o, "bucket", json_string(sig.name));
    json_object_set_new(o, "signature", json_string(sig.text));
    const bool why_known = f->reason && f->reason->why[0];
    const char *rule = why_known ? f->reason->rule : diag_rule_name(sig.rule);
    if (rule[0])
        json_object_set_new(o, "rule", json_string(rule));
    if (why_known)
        json_object_set_new(o, "reason", report_reason_json(f->reason));
    struct report_code code;
    report_finding_code(a, f, &code);
    if (code.text)
        json_object_set_new(o, "code", report_code_json(&code));
    if (f->stage)
        json_object_set_new(o, "first_wrong_stage", json_string(diag_stage_name(f->stage)));
    if (sig.bug_class)
        json_object_set_new(o, "taxonomy", json_string(diag_bug_class(sig.bug_class)));
    json_object_set_new(o, "blame", diag_json(a, &sig));
    const enum judge_promise p = promise_of(f);
    if (p) {
        json_object_set_new(o, "promise", json_string(judge_promise_name(p)));
        json_object_set_new(o, "lead", json_boolean(judge_is_lead(f->c->model, p)));
    }
    if (f->witness_count)
        json_object_set_new(o, "others", agreement_json(a, f));
    if (f->found_at)
        json_object_set_new(o, "found_at", json_integer((json_int_t)f->found_at));
    json_object_set_new(o, "reproduced", json_integer(f->reproduced));
    json_object_set_new(o, "tries", json_integer(f->tries));
    json_object_set_new(o, "replay", json_string(diag_without_paths(a, f->replay)));
    if (f->generated)
        json_object_set_new(o, "generated", json_string(diag_without_paths(a, f->generated)));
    char *s = json_dumps(o, JSON_COMPACT);
    CHECK(s != NULL);
    char *kept = arena_str(a, s);
    free(s);
    json_decref(o);
    return kept;
}
