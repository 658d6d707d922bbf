// SPDX-License-Identifier: Apache-2.0
//
// What a signature is called: the bug class of the taxonomy, where the culprit pass or
// the shape of the reduced case tells it, and the rule that is broken, in words.
#include "construct.h"

#include <string.h>

const char *blame_rule_text(const char *rule)
{
    static const struct {
        const char *rule, *text;
    } rows[] = {
        {"I1", "an entry point's first instruction is executed by all invocations together"},
        {"D1", "a conditional branch splits a tangle into at most two parts, by the value of its "
               "condition; those who take the same side stay together, and nobody else is with "
               "them"},
        {"D2", "invocations with the same selector value that enter the same case construct stay "
               "together"},
        {"D5", "nothing but a divergent branch or switch splits a tangle"},
        {"M1", "at the merge block of a selection all invocations join again that executed its "
               "merge instruction together, except those who left by another way"},
        {"M2", "at a case that another case falls into, those who enter it from the switch stay "
               "together"},
        {"M3", "at a loop's merge block all invocations join that entered the loop together, "
               "whatever the iteration they left in"},
        {"M4",
         "at a loop's continue target all invocations of the iteration join that go on to the "
         "next one, and they start it together"},
        {"M5", "after a function call all invocations join that made the call together, however "
               "early each of them returned"},
        {"M6", "invocations join nowhere but at merge blocks, continue targets and after calls; "
               "code on the way out of a loop runs apart, iteration by iteration"},
    };
    for (size_t k = 0; k < sizeof rows / sizeof *rows; k++)
        if (strcmp(rows[k].rule, rule) == 0)
            return rows[k].text;
    return "";
}

bool judge_weak(enum spv_model m)
{
    return m == SPV_SUBGROUP_UNIFORM || m == SPV_WORKGROUP_UNIFORM;
}

const char *blame_promise_text(enum spv_model m)
{
    switch (m) {
    case SPV_MAXIMAL:
        return "The module declares `MaximallyReconvergesKHR`, so the tangle at each instruction "
               "follows "
               "from SPV_KHR_maximal_reconvergence: invocations part at divergent branches and "
               "join again "
               "at merge blocks, continue targets and after calls, nowhere else.";
    case SPV_ASSUMED_MAXIMAL:
        return "Nothing promised maximal reconvergence, neither the module's mode nor a device: it "
               "is judged "
               "as if it had been promised. This is a lead, not a promise that was broken.";
    case SPV_SUBGROUP_UNIFORM:
        return "The module declares `SubgroupUniformControlFlowKHR`, so invocations of a subgroup "
               "that enter a "
               "structured selection or loop together, and all leave it by its merge block, are "
               "together "
               "there. What group operations give where not all of a subgroup come the same way is "
               "not "
               "compared.";
    case SPV_WORKGROUP_UNIFORM:
        return "It is judged by SPIR-V's own uniform control flow, which needs no execution mode: "
               "where all "
               "invocations of the workgroup come the same way. What group operations give "
               "elsewhere is not "
               "compared.";
    }
    return "";
}

// ---- in which manner -------------------------------------------------------------------

struct meaning {
    const char *code, *text;
};

static const char *look_up(const struct meaning *rows, size_t n, const char *s)
{
    const char *best = "";
    size_t length = 0;
    for (size_t k = 0; k < n; k++) {
        size_t len = strlen(rows[k].code);
        if (len > length && strncmp(rows[k].code, s, len) == 0) {
            best = rows[k].text;
            length = len;
        }
    }
    return best;
}

// What a compiler did, of blame_change.
static const char *change_text(struct arena *a, const char *where)
{
    static const struct meaning did[] = {
        {"moved", "moved a group operation"},
        {"copied", "made several group operations of one"},
        {"merged", "made one group operation of several"},
        {"reused", "took an earlier operation's result for a later one"},
        {"branch: ", "let a branch go elsewhere"},
        {"label: ", "let a switch's label go elsewhere"},
        {"a stored", "lost a value that is stored"},
    };
    const char *what = look_up(did, sizeof did / sizeof *did, where);
    what = what[0]                              ? what
           : strstr(where, " new for a ")       ? "put in a group operation"
           : strstr(where, " gone")             ? "took out an instruction that is needed"
           : strstr(where, " of another value") ? "gave a group operation another value to work on"
           : strstr(where, ": a value -> ")     ? "put something else in the place of a value"
                                                : "";
    return what[0] ? arena_printf(a, "the compiler %s (%s)", what, where) : "";
}

const char *blame_manner_text(struct arena *a, const char *where)
{
    static const struct meaning extra[] = {
        {"M1", "that run another arm of the selection, or none, and wait at its merge block"},
        {"M3", "that have left the loop"},
        {"M4", "that wait at the continue target for the next iteration"},
        {"M5", "that have returned from the function"},
        {"D2", "that wait for another case of the switch"},
        {"again", "that execute the operation later, by themselves"},
        {"ended", "that have returned"},
        {"absent", "that do not exist: the subgroup is not full"},
    };
    static const struct meaning missing[] = {
        {"M1", "that came by another arm of the selection before it"},
        {"M3", "that left the loop in another iteration"},
        {"M4", "that came to the continue target by another way"},
        {"M5", "that returned from the function at another place"},
        {"before D1", "that a branch after the operation sends elsewhere"},
        {"before D2", "that a switch after the operation sends elsewhere"},
        {"never apart", "that are with the others all the time"},
    };
    static const struct meaning alone[] = {
        {"part",
         "the operation is wrong where some lanes of the subgroup do not execute it; others "
         "in its place are right"},
        {"whole",
         "the operation is wrong though all lanes of the subgroup execute it; others in its "
         "place are right"},
        {"absent", "the operation counts lanes that do not exist: the subgroup is not full"},
    };
    const char *is_extra = strstr(where, "extra: "), *is_missing = strstr(where, "missing: ");
    const char *x = is_extra ? look_up(extra, sizeof extra / sizeof *extra, is_extra + 7) : "";
    const char *y =
        is_missing ? look_up(missing, sizeof missing / sizeof *missing, is_missing + 9) : "";
    if (x[0] && y[0])
        return arena_printf(a, "the operation counts lanes %s; it lacks lanes %s", x, y);
    if (x[0])
        return arena_printf(a, "the operation counts lanes %s", x);
    if (y[0])
        return arena_printf(a, "the operation lacks lanes %s", y);
    if (is_extra || is_missing)
        return "";
    const char *only = look_up(alone, sizeof alone / sizeof *alone, where);
    return only[0] ? only : change_text(a, where);
}

// ---- the bug class ---------------------------------------------------------------------

static const char *by_pass(const char *pass)
{
    // The first word that the pass' name holds.
    static const struct {
        const char *word, *taxonomy;
    } rows[] = {
        {"unswitch", "T2"}, {"unroll", "T10"},       {"peel", "T10"},       {"rotate", "T2"},
        {"loop", "T2"},     {"merge-blocks", "T1"},  {"block-merge", "T1"}, {"jump-thread", "T3"},
        {"branch", "T3"},   {"cfg", "T3"},           {"tail", "T4"},        {"hoist", "T5"},
        {"licm", "T5"},     {"if-conversion", "T5"}, {"redundan", "T6"},    {"gvn", "T6"},
        {"cse", "T6"},      {"sink", "T7"},          {"uniform", "T9"},     {"structur", "T11"},
        {"switch", "T12"},  {"return", "T13"},       {"inline", "T13"},     {"fold", "T15"},
        {"simplif", "T15"}, {"ccp", "T15"},
    };
    for (size_t k = 0; k < sizeof rows / sizeof *rows; k++)
        if (strstr(pass, rows[k].word))
            return rows[k].taxonomy;
    return "";
}

// The last part of a path and what it stands after.
static bool last_part(const char *path, const char *part)
{
    const char *at = strrchr(path, '/');
    at = at ? at + 1 : path;
    size_t n = strcspn(at, "+");
    return n == strlen(part) && strncmp(at, part, n) == 0;
}

static const char *by_shape(const struct blame_signature *s)
{
    const char *after = strchr(s->path, '+');
    bool missing = s->klass == JUDGE_MISSING_LANES, extra = s->klass == JUDGE_EXTRA_LANES;
    if (strcmp(s->op, "quad") == 0)
        return "T16";
    if (after && strcmp(after, "+call") == 0)
        return "T13";
    if ((after && strcmp(after, "+switch") == 0) || last_part(s->path, "case") ||
        last_part(s->path, "fall"))
        return "T12";
    if (!after && last_part(s->path, "break"))
        return missing ? "T11" : "T1";
    if (!after && (last_part(s->path, "cont") || last_part(s->path, "jump")))
        return "T13";
    if (after && strcmp(after, "+loop") == 0)
        return s->op[0] ? "T11" : "T8";
    if (after && strcmp(after, "+if") == 0)
        return missing ? "T5" : extra ? "T3" : "";
    if (!after && last_part(s->path, "if"))
        return extra ? "T4" : "";
    if (!after && last_part(s->path, "top"))
        return missing ? "T7" : strcmp(s->op, "broadcast") == 0 ? "T9" : "";
    return "";
}

const char *signature_taxonomy(const struct blame_signature *s)
{
    if (!judge_class_is_mismatch(s->klass) || s->klass == JUDGE_WRONG_MAPPING)
        return "";
    const char *t = by_pass(s->culprit);
    return t[0] ? t : by_shape(s);
}
