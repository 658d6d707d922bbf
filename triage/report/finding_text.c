// SPDX-License-Identifier: Apache-2.0
//
// The README of a finding's folder.
#include "finding.h"

#include "diagnose/passes.h"

#include <string.h>

enum { CHANGED_LINES = 40 }; // most lines of a pass's change

// The results of the campaign's other targets.
static void agreement(const struct finding *f, struct text *out)
{
    uint32_t agreed, judged;
    if (!f->cross_checks)
        return;
    finding_agreement(f, &agreed, &judged);
    text_add(out,
             "\n## The other targets\n\nExpected by the oracle and %u of %u other target%s:\n\n",
             agreed, judged, judged == 1 ? "" : "s");
    for (uint32_t i = 0; i < f->cross_checks; i++)
        text_add(out, "- `%s` (%s): %s\n", f->cross_check[i].target, f->cross_check[i].driver,
                 judge_class_name(f->cross_check[i].klass));
}

// What is guaranteed and expected, independent of the campaign.
static const char *why(struct arena *a, const struct finding *f)
{
    const enum judge_class k = f->verdict.klass;
    const enum judge_promise p = f->promise;
    if (judge_class_is_mapping(k))
        return "Every invocation writes its SubgroupId, SubgroupLocalInvocationId and "
               "SubgroupSize. In a workgroup no two invocations may have the same subgroup and "
               "lane, "
               "lanes are less than the size, and the size is the one that the pipeline required.";
    if (judge_class_is_mismatch(k))
        return arena_printf(
            a,
            "%s %s%s`expected.mem` follows from that; `?` marks words that it does not determine, "
            "which are not compared. The module passes spirv-val and the program has defined "
            "behaviour: every loop ends, no race, no use of an inactive invocation's value.",
            diag_promise_text(f->model, p), diag_weakest_text(p), p ? " " : "");
    if (k == JUDGE_SCHEDULE)
        return "No rule of SPIR-V or Vulkan sets the order in which the lanes of a subgroup run, "
               "or chooses a lane whose value stands for all. So the result must be "
               "`expected.mem` whichever lane runs first; `?` marks words that the rules do not "
               "determine, which are not compared. The module passes spirv-val and the program has "
               "defined behaviour: every loop ends, no race, no use of an inactive invocation's "
               "value.";
    return "The module passes spirv-val, every loop of the program ends and its behaviour is "
           "defined, so a driver must accept it and run it to completion.";
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
    report_reason_words(a, ev->c, &f->reason, &f->trials, &reason);
    text_add(out, "# %s\n\n", name);
    text_add(out, "%s: %s.\n", judge_class_name(k), judge_class_line(k));
    if (f->flaky)
        text_add(out, "Observed too rarely to count as a finding: %s: %s.\n",
                 judge_class_name(v->klass), judge_class_line(v->klass));
    text_add(out, "\n## %s\n\n%s\n", heading(f), v->text);
    if (ev->target_output && strcmp(ev->target_output, v->text) != 0)
        text_add(out, "\nMessage of the driver or compiler: %s\n",
                 diag_without_paths(a, ev->target_output));
    if (has_backtrace(ev))
        text_add(out, "\nBacktrace:\n\n```\n%s```\n", diag_without_paths(a, ev->backtrace));
    if (reason.tried[0])
        text_add(out, "\nOther programs that were tried: %s\n", reason.tried);
    if (v->wrong_bits) {
        // Words that must not change are compared too, but are not counted in live_bits.
        text_add(out,
                 v->wrong_bits <= v->live_bits ? "\n%llu of %llu compared bits are wrong"
                                               : "\nBits that are wrong: %llu",
                 (unsigned long long)v->wrong_bits, (unsigned long long)v->live_bits);
        if (v->wrong_invocations)
            text_add(out, ", in the log of %u invocation%s", v->wrong_invocations,
                     v->wrong_invocations == 1 ? "" : "s");
        text_add(out, ev->expected && ev->observed
                          ? "; `lanes.txt` shows the expected and observed values.\n"
                          : ".\n");
    }
    text_add(out, "\n## What is expected, and why\n\n%s\n", why(a, f));
    if (f->reason.why) {
        text_add(out, "\n## Why it is wrong\n");
        report_reason_text(&reason, out);
    }
    if (f->stage)
        text_add(out, "\n## Which stage\n\n%s\n", diag_stage_text(f->stage));
    if (ev->passes) {
        text_add(
            out, "\n## Which pass\n\n%s\n\n```\n",
            ev->passes->after
                ? "The driver printed its code after each of its compiler's passes, up to the one "
                  "that ended it: that one printed nothing."
                : "The driver printed its code after each of its compiler's passes. Each text, a "
                  "level, was run here, without the GPU, on this case's buffers and compared "
                  "with the expected values. The pass at fault made the first level from "
                  "which on all are wrong. \"up to\" a pass: all passes since the level "
                  "before, as the driver prints no text between them.");
        report_passes_text(ev->passes, "case.spvasm", CHANGED_LINES, out);
        text_add(out, "```\n");
    }
    if (code.text) {
        text_add(out, "\n## In the machine code\n");
        report_code_text(&code, out);
    }
    if (sig->change.did && diag_sentence(a, sig)[0])
        text_add(out, "\nBetween the two modules: %s.\n", diag_sentence(a, sig));
    if (!f->reason.why && judge_class_is_mismatch(v->klass))
        text_add(out, "\n%s\n",
                 f->of[0]
                     ? "No reason survived its control programs: only what differs is known."
                     : "The reason is not known: `tanglefuzz reduce` looks for it, and asks the "
                       "target about control programs.");
    text_add(out, "\nBucket: `%s`%s%s. Signature: `%s`\n", sig->name,
             sig->bug_class ? ", bug class " : "", diag_bug_class(sig->bug_class), sig->text);
    if (ev->c->has_policy) {
        text_add(out,
                 "\nWhere several values of a switch enter one case construct, the rules permit "
                 "several results; none of them explains what was observed. `expected.mem` "
                 "is the result for the policy `");
        spv_choices_print(&ev->c->policy, out);
        text_add(out, "`.\n");
    }
    text_add(out, "\n## Where\n\nTarget: `%s`\n\n", f->target);
    if (f->subgroup)
        text_add(out, "The case runs in subgroups of %u invocation%s.\n\n", f->subgroup,
                 f->subgroup == 1 ? "" : "s");
    if (f->device[0])
        text_add(out, "```\n%s%s```\n", f->device,
                 f->device[strlen(f->device) - 1] != '\n' ? "\n" : "");
    agreement(f, out);
    text_add(out, "\n## How to reproduce it\n\n    %s\n\n", f->replay);
    if (f->tries)
        text_add(out, "Reproduced in %u of %u runs after the first one.\n", f->reproduced,
                 f->tries);
    else
        text_add(out, "It was not run again: the campaign was interrupted.\n");
    if (f->generated[0])
        text_add(out, "\nThe case was generated by\n\n    %s\n", f->generated);
    text_add(out, "\n## Files\n\n"
                  "- `case.spvasm`: assembly with everything needed to run and judge it\n"
                  "- `case.spv`: the same module as a binary\n");
    if (ev->output)
        text_add(out, "- `output.spv`: the module that the compiler produced\n");
    if (ev->driver_text)
        text_add(out,
                 "- `driver.txt`: the driver's intermediate and machine code, as it prints them\n");
    if (ev->printed)
        text_add(out, "- `stderr.txt`: the last %d KiB that the target printed\n",
                 RUN_OUTPUT >> 10);
    if (has_backtrace(ev))
        text_add(out, "- `backtrace.txt`: the stack when it ended, innermost frame first\n");
    if (ev->expected)
        text_add(out, "- `expected.mem`: memory as it must be; `?` where it is undefined\n");
    if (ev->observed)
        text_add(out, "- `observed.mem`: memory after the run%s\n",
                 ev->output ? "; `?` where the compiler's module leaves it undefined" : "");
    if (ev->expected && ev->observed)
        text_add(out, "- `lanes.txt`: the difference, invocation by invocation\n");
    text_add(out, "- `finding.json`: this page as JSON\n");
}
