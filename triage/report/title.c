// SPDX-License-Identifier: Apache-2.0
//
// The headline of a bug: the target, the pass at fault, what is wrong.
#include "report.h"

#include <string.h>

enum { MESSAGE = 160 }; // bytes of a crash's or refusal's message

// Returns a message without the words that begin every message of its kind.
static const char *without_lead(const char *message)
{
    static const char *const leads[] = {
        "spirv-val (Vulkan #.#): ", "exit status #: ", "error: ", "line #: "};
    for (size_t k = 0; k < sizeof leads / sizeof *leads; k++)
        if (strncmp(message, leads[k], strlen(leads[k])) == 0)
            message += strlen(leads[k]);
    return message;
}

// Adds ": " and a message, cut between two words.
static void add_message(struct text *t, const char *message)
{
    size_t n = strlen(message);
    const bool cut = n > MESSAGE;
    for (n = cut ? MESSAGE : n; cut && n > MESSAGE / 2 && message[n] != ' ';)
        n--;
    text_add(t, ": %.*s%s", (int)n, message, cut ? " ..." : "");
}

static const char *problem_text(const struct diag_signature *s)
{
    static const struct {
        const char *klass, *words;
    } rows[] = {{"missing-lanes", "a ballot lacks lanes"},
                {"extra-lanes", "a ballot has lanes that are not in its tangle"},
                {"wrong-set", "a ballot shows a wrong set of lanes"},
                {"wrong-value", "a wrong value"},
                {"missing-execution", "code that must run does not run"},
                {"extra-execution", "code that must not run runs"},
                {"wrong-memory", "wrong memory"},
                {"wrong-tangle", "a group operation sees wrong lanes"},
                {"wrong-flow", "a wrong path is taken, or a wrong value leaves it"},
                {"wrong-code", "wrong code"},
                {"crash", "crash"},
                {"hang", "does not terminate"},
                {"rejected", "a valid module is rejected"},
                {"invalid-output", "the output module is not valid"},
                {"schedule-dependent", "the result depends on the execution order"},
                {"undefined-output", "the output module has undefined behaviour"}};
    for (size_t k = 0; k < sizeof rows / sizeof *rows; k++)
        if (strcmp(rows[k].klass, diag_class_words(s)) == 0)
            return rows[k].words;
    return diag_class_words(s);
}

// Writes " under maximal reconvergence" for a fault that only this model forbids.
static bool needs_maximal(struct arena *a, const struct finding *f, const struct diag_signature *s)
{
    return f->model == SPV_MAXIMAL && diag_where_words(a, s)[0] &&
           f->promise < JUDGE_PROMISE_SUBGROUP && !diag_rule_is_vulkan(finding_rule(f));
}

// Returns the target at fault. Of one that only compiles, the compiler.
static const char *at_fault(struct arena *a, const struct finding *f,
                            const struct diag_signature *s)
{
    static const char compiles[] = "check:";
    const size_t n = sizeof compiles - 1;
    return strncmp(f->target, compiles, n) == 0 && strcmp(s->family, "check") == 0
               ? run_family(a, f->target + n, f->driver)
               : s->family;
}

const char *report_title(struct arena *a, const struct finding *f, const struct diag_signature *s)
{
    const char *why = diag_why_title((enum diag_why)f->reason.why);
    const char *op = !why[0] && s->about != DIAG_ANY_OP ? diag_op_words(a, s) : "";
    struct text t = {.arena = a};
    text_add(&t, "%s%s%s: %s%s", at_fault(a, f, s), s->culprit[0] ? " " : "", s->culprit,
             f->flaky ? "not always: " : "", why[0] ? why : problem_text(s));
    if (op[0])
        text_add(&t, " (%s)", op);
    // The message of a schedule is that of one run.
    if (s->message[0] && s->klass != JUDGE_SCHEDULE)
        add_message(&t, without_lead(s->message));
    if (needs_maximal(a, f, s))
        text_add(&t, " under maximal reconvergence");
    return t.v;
}
