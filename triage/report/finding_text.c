// SPDX-License-Identifier: Apache-2.0
//
// The README of a finding's folder.
#include "finding.h"

#include <string.h>

// What the other targets of the campaign say.
static void agreement(const struct finding *f, struct text *out)
{
    uint32_t agreed, judged;
    if (!f->witnesses)
        return;
    finding_agreement(f, &agreed, &judged);
    text_add(out,
             "\n## The other targets\n\nExpected by the oracle and %u of %u other target%s:\n\n",
             agreed, judged, judged == 1 ? "" : "s");
    for (uint32_t i = 0; i < f->witnesses; i++)
        text_add(out, "- `%s` (%s): %s\n", f->witness[i].target, f->witness[i].driver,
                 judge_class_name(f->witness[i].klass));
}

// What was promised and what is expected, for someone who opens the folder cold.
static const char *why(struct arena *a, const struct finding *f)
{
    const enum judge_class k = f->verdict.klass;
    const enum judge_promise p = f->promise;
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
            diag_promise_text(f->model, p), diag_weakest_text(p), p ? " " : "");
    return "The module passes spirv-val, every loop of the program ends and its behaviour is "
           "defined: a driver has to take it and run it to its end.";
}

static const char *heading(const struct finding *f)
{
    switch (f->verdict.klass) {
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

void report_finding_readme(const char *name, const struct finding_evidence *ev,
                           const struct finding *f, struct text *out)
{
    struct arena *a = out->arena;
    const struct judge_verdict *v = &f->verdict;
    const struct diag_signature *sig = f->signature;
    const enum judge_class k = finding_class(f);
    struct finding_sentences reason;
    const struct report_code code = report_code_of(f, ev->driver_text);
    report_reason_words(a, ev->c, &f->reason, &reason);
    text_add(out, "# %s\n\n", name);
    text_add(out, "%s: %s.\n", judge_class_name(k), judge_class_line(k));
    if (f->flaky)
        text_add(out, "What was seen, too seldom to count as a finding, is %s: %s.\n",
                 judge_class_name(v->klass), judge_class_line(v->klass));
    text_add(out, "\n## %s\n\n%s\n", heading(f), v->text);
    if (ev->subject_text && strcmp(ev->subject_text, v->text) != 0)
        text_add(out, "\nIn the subject's words: %s\n", diag_without_paths(a, ev->subject_text));
    if (has_backtrace(ev))
        text_add(out, "\nWhere it was:\n\n```\n%s```\n", diag_without_paths(a, ev->backtrace));
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
    text_add(out, "\n## What is expected, and why\n\n%s\n", why(a, f));
    if (f->reason.why) {
        text_add(out, "\n## Why it is wrong\n");
        report_reason_text(&reason, out);
    }
    if (f->stage)
        text_add(out, "\n## Which stage\n\n%s\n", diag_stage_text(f->stage));
    if (code.text) {
        text_add(out, "\n## In the machine code\n");
        report_code_text(&code, out);
    }
    if (sig->change.did && diag_sentence(a, sig)[0])
        text_add(out, "\nBetween the two modules: %s.\n", diag_sentence(a, sig));
    if (!f->reason.why && judge_class_is_mismatch(v->klass))
        text_add(out, "\nNo single wrong reading of the rules that was tried gives what was "
                      "observed.\n");
    if (sig->rule && !f->reason.why)
        text_add(out,
                 "\nThe rule that decides at the first wrong place (`%s`) is %s of "
                 "SPV_KHR_maximal_reconvergence as docs/rules.md numbers it: %s.\n",
                 diag_path_words(a, &sig->path), diag_rule_name(sig->rule),
                 diag_rule_text(sig->rule));
    text_add(out, "\nBucket: `%s`%s%s. Signature: `%s`\n", sig->name,
             sig->bug_class ? ", bug class " : "", diag_bug_class(sig->bug_class), sig->text);
    if (ev->c->has_policy) {
        text_add(out,
                 "\nWhere several values of a switch enter one case construct the rules leave a "
                 "choice; none of the permitted ones explains what was observed. `expected.mem` "
                 "is the policy `");
        spv_choices_print(&ev->c->policy, out);
        text_add(out, "`.\n");
    }
    text_add(out, "\n## Where\n\nTarget: `%s`\n\n", f->target);
    if (f->device[0])
        text_add(out, "```\n%s%s```\n", f->device,
                 f->device[strlen(f->device) - 1] != '\n' ? "\n" : "");
    agreement(f, out);
    text_add(out, "\n## How to see it again\n\n    %s\n\n", f->replay);
    if (f->tries)
        text_add(out, "After the first time it was seen again in %u of %u runs.\n", f->reproduced,
                 f->tries);
    else
        text_add(out, "It was not run again: the campaign was interrupted.\n");
    if (f->generated[0])
        text_add(out, "\nThe case comes from\n\n    %s\n", f->generated);
    text_add(out, "\n## Files\n\n"
                  "- `case.spvasm`: assembly with everything needed to run and judge it\n"
                  "- `case.spv`: the same module as a binary\n");
    if (ev->output)
        text_add(out, "- `output.spv`: the module that the compiler made of it\n");
    if (ev->driver_text)
        text_add(out,
                 "- `driver.txt`: what the driver made of it, in its own words (intermediate and "
                 "machine code)\n");
    if (ev->said)
        text_add(out, "- `stderr.txt`: what the subject printed, its last %d KiB\n",
                 RUN_SAID >> 10);
    if (has_backtrace(ev))
        text_add(out, "- `backtrace.txt`: where it was when it ended, innermost first\n");
    if (ev->expected)
        text_add(out, "- `expected.mem`: memory as it must be, `?` where it is not defined\n");
    if (ev->observed)
        text_add(out, "- `observed.mem`: memory as it was read back%s\n",
                 ev->output ? "; `?` where the compiler's module leaves it undefined" : "");
    if (ev->expected && ev->observed)
        text_add(out, "- `lanes.txt`: the difference, invocation by invocation\n");
    text_add(out, "- `finding.json`: this page for programs\n");
}
