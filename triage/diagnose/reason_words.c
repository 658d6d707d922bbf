// SPDX-License-Identifier: Apache-2.0
//
// A reason as sentences for people. Nothing reads them back.
#include "reason_words.h"

#include "spirv/spirv_flow.h"

#include <string.h>

enum { LANES_TEXT = 200 };

const char *diag_why_name(enum diag_why w)
{
    static const char *const names[DIAG_WHYS] = {
        [DIAG_WHY_UNKNOWN] = "",
        [DIAG_OTHER_ARM] = "counts-other-arm",
        [DIAG_OTHER_CASE] = "counts-other-case",
        [DIAG_LEFT_LOOP] = "counts-left-loop",
        [DIAG_CONTINUED] = "counts-continued",
        [DIAG_RETURNED] = "counts-returned",
        [DIAG_OTHER_ITERATION] = "counts-other-iteration",
        [DIAG_ABSENT_LANES] = "counts-absent-lanes",
        [DIAG_NOT_PARTED] = "parted-too-early",
        [DIAG_AFTER_SELECTION] = "apart-after-selection",
        [DIAG_AFTER_SWITCH] = "apart-after-switch",
        [DIAG_AFTER_LOOP] = "apart-after-loop",
        [DIAG_AT_CONTINUE] = "apart-at-continue-target",
        [DIAG_AFTER_CALL] = "apart-after-call",
        [DIAG_WHERE_CHOSEN] = "executed-where-chosen",
        [DIAG_OPERATION] = "another-operation",
        [DIAG_INACTIVE] = "reads-inactive-lanes",
        [DIAG_WHOLE_SUBGROUP] = "takes-whole-subgroup",
        [DIAG_ALONE_LANE] = "each-lane-alone",
        [DIAG_LATER_VALUE] = "value-of-later-iteration",
        [DIAG_FIRST_LANE_VALUE] = "value-of-first-lane",
        [DIAG_PHIS_IN_ORDER] = "phis-in-order",
        [DIAG_VALUE_LOST] = "value-lost",
        [DIAG_WRONG_OPERAND] = "wrong-operand",
        [DIAG_FIRST_LANE_WAY] = "way-of-first-lane",
        [DIAG_ELSEWHERE] = "branch-elsewhere",
        [DIAG_LOOP_ENDS] = "loop-ends-early",
        [DIAG_NO_BARRIER] = "barrier-gone",
        [DIAG_LEVEL] = "another-level",
        [DIAG_OTHER_IMAGE] = "another-image",
        [DIAG_OTHER_SAMPLER] = "another-sampler",
        [DIAG_NOT_UNIFORM] = "nonuniform-lost",
        [DIAG_TEXEL] = "another-texel",
        [DIAG_TEXEL_KEPT] = "texel-of-before",
        [DIAG_HELPERS_OUT] = "leaves-helpers-out",
        [DIAG_HELPERS_LOAD] = "helpers-load-else",
        [DIAG_HELPERS_SKIP] = "helpers-skip",
        [DIAG_HELPERS_ASKED] = "helper-told-wrongly",
        [DIAG_DEMOTE_LOST] = "demote-lost",
        [DIAG_DEMOTE_MOVED] = "demote-elsewhere",
        [DIAG_DEMOTE_ENDS] = "demote-ends",
        [DIAG_END_LOST] = "end-goes-on",
    };
    return names[w];
}

enum diag_why diag_why_find(const char *name)
{
    int w = DIAG_WHYS - 1;
    while (w > DIAG_WHY_UNKNOWN && strcmp(diag_why_name((enum diag_why)w), name) != 0)
        w--;
    return (enum diag_why)w;
}

const char *diag_why_title(enum diag_why w)
{
    static const char *const titles[DIAG_WHYS] = {
        [DIAG_WHY_UNKNOWN] = "",
        [DIAG_OTHER_ARM] = "a group operation counts lanes of another arm of the selection",
        [DIAG_OTHER_CASE] = "a group operation counts lanes of another case of the switch",
        [DIAG_LEFT_LOOP] = "a group operation counts lanes that have left the loop",
        [DIAG_CONTINUED] = "a group operation counts lanes that wait for the next iteration",
        [DIAG_RETURNED] = "a group operation counts lanes that have returned",
        [DIAG_OTHER_ITERATION] = "a group operation counts lanes of another iteration",
        [DIAG_ABSENT_LANES] = "a group operation counts lanes that do not exist",
        [DIAG_NOT_PARTED] = "invocations are apart before a branch parts them",
        [DIAG_AFTER_SELECTION] = "invocations do not come together after a selection",
        [DIAG_AFTER_SWITCH] = "invocations do not come together after a switch",
        [DIAG_AFTER_LOOP] = "invocations do not come together after a loop",
        [DIAG_AT_CONTINUE] = "invocations do not come together at a loop's continue target",
        [DIAG_AFTER_CALL] = "invocations do not come together after a call",
        [DIAG_WHERE_CHOSEN] = "a group operation is executed only where its result is chosen",
        [DIAG_OPERATION] = "a group operation gives what another one would",
        [DIAG_INACTIVE] = "a group operation reads lanes that are not active",
        [DIAG_WHOLE_SUBGROUP] = "a group operation takes the whole subgroup for its tangle",
        [DIAG_ALONE_LANE] = "a group operation takes each lane alone",
        [DIAG_LATER_VALUE] = "a loop's value is overwritten by iterations after a lane has left it",
        [DIAG_FIRST_LANE_VALUE] = "all lanes get the first active lane's value",
        [DIAG_PHIS_IN_ORDER] = "phis of one block are assigned one after the other",
        [DIAG_VALUE_LOST] = "a value is lost",
        [DIAG_WRONG_OPERAND] = "an operand is another value",
        [DIAG_FIRST_LANE_WAY] = "all lanes take the first active lane's way at a branch",
        [DIAG_ELSEWHERE] = "a branch goes elsewhere",
        [DIAG_LOOP_ENDS] = "a loop ends too early",
        [DIAG_NO_BARRIER] = "a barrier is gone",
        [DIAG_LEVEL] = "a sample or fetch reads another level of the image",
        [DIAG_OTHER_IMAGE] = "another image of the array is taken",
        [DIAG_OTHER_SAMPLER] = "another sampler of the array is taken",
        [DIAG_NOT_UNIFORM] = "an index of a descriptor that differs is NonUniform no more",
        [DIAG_TEXEL] = "another texel is read",
        [DIAG_TEXEL_KEPT] = "a texel is read as it was before it was written",
        [DIAG_HELPERS_OUT] = "a group operation leaves helper invocations out",
        [DIAG_HELPERS_LOAD] = "helper invocations do not load what they must",
        [DIAG_HELPERS_SKIP] = "helper invocations do not go where nobody else goes",
        [DIAG_HELPERS_ASKED] = "it is told wrongly who is a helper invocation",
        [DIAG_DEMOTE_LOST] = "a demote does nothing",
        [DIAG_DEMOTE_MOVED] = "a demote takes effect too early or too late",
        [DIAG_DEMOTE_ENDS] = "a demoted invocation ends",
        [DIAG_END_LOST] = "an invocation that ends goes on as a helper",
    };
    return titles[w];
}

// ---- words for things ------------------------------------------------------------------

const char *reason_name(struct arena *a, const struct diag_names *n, uint32_t id)
{
    if (n->name && n->name[id])
        return arena_printf(a, "`%s`", n->name[id]);
    const char *own = n->m ? spv_name(n->m, id) : NULL;
    return own && own[0] ? arena_printf(a, "`%%%s`", own) : arena_printf(a, "`%%%u`", id);
}

// "the OpGroupNonUniformBallot `%38`"
const char *reason_operation(struct arena *a, const struct diag_names *n, uint32_t id)
{
    const struct spv_inst *d = n->m ? spv_def(n->m, id) : NULL;
    return arena_printf(a, "%s %s", d ? spv_op_name(d->op) : "the operation",
                        reason_name(a, n, id));
}

const char *diag_lanes_words(struct arena *a, lane_mask m)
{
    struct text t = {.arena = a};
    text_add(&t, lane_count(m) == 1 ? "lane " : "lanes ");
    for (unsigned l = 0, some = 0; l < LANES_MAX && t.n < LANES_TEXT; l++) {
        unsigned last = l;
        if (!lane_in(m, l))
            continue;
        while (last + 1 < LANES_MAX && lane_in(m, last + 1))
            last++;
        text_add(&t, last > l ? "%s%u-%u" : "%s%u", some++ ? ", " : "", l, last);
        l = last;
    }
    return t.v;
}

static const char *ends_by(const struct diag_names *n, uint32_t label)
{
    const struct spv_module *m = n->m;
    const uint32_t b = m && label < m->bound ? m->block_of[label] : UINT32_MAX;
    return b != UINT32_MAX && m->insts[m->blocks[b].last].op == SpvOpSwitch ? "switch" : "branch";
}

// ---- who is counted ----------------------------------------------------------------------

// What those do who are too many: "took the other side of the branch of `%4`".
static const char *extra_do(struct arena *a, const struct diag_reason *r, bool one,
                            const struct diag_names *n)
{
    const char *from = r->other ? reason_name(a, n, r->other) : "";
    switch ((enum diag_why)r->why) {
    case DIAG_OTHER_ARM:
        return r->other ? arena_printf(a, "took the other side of the %s at the end of block %s",
                                       ends_by(n, r->other), from)
                        : "took the other side of a branch";
    case DIAG_OTHER_CASE:
        return r->other ? arena_printf(a, "took another case of the switch of block %s", from)
                        : "took another case of the switch";
    case DIAG_LEFT_LOOP:
        return arena_printf(a, "%s left the loop%s%s", one ? "has" : "have",
                            r->other ? ", from block " : "", from);
    case DIAG_CONTINUED:
        return arena_printf(a, "%s at the loop's continue target%s%s", one ? "waits" : "wait",
                            r->other ? ", since block " : "", from);
    case DIAG_RETURNED:
        return r->other ? arena_printf(a, "parted from it at the end of block %s and %s returned",
                                       from, one ? "has" : "have")
               : one    ? "has returned"
                        : "have returned";
    case DIAG_OTHER_ITERATION:
        return one ? "leaves the loop in another iteration, and executes it then"
                   : "leave the loop in another iteration, and execute it then";
    case DIAG_ABSENT_LANES:
        return one ? "does not exist: the subgroup is not full"
                   : "do not exist: the subgroup is not full";
    default:
        return "";
    }
}

// Why those are together who are missed: "nothing has parted them yet".
static const char *missing_are(struct arena *a, enum diag_why why, uint32_t other,
                               const struct diag_names *n)
{
    const char *where = other ? arena_printf(a, " (block %s)", reason_name(a, n, other)) : "";
    switch (why) {
    case DIAG_NOT_PARTED:
        return other ? arena_printf(a,
                                    "nothing has parted them yet; the %s at the end of block %s "
                                    "will, later",
                                    ends_by(n, other), reason_name(a, n, other))
                     : "nothing has parted them";
    case DIAG_AFTER_SELECTION:
        return arena_printf(a, "they came together at the selection's merge block%s", where);
    case DIAG_AFTER_SWITCH:
        return arena_printf(a, "they came together at the switch's merge block%s", where);
    case DIAG_AFTER_LOOP:
        return arena_printf(a,
                            "they came together at the loop's merge block%s, whatever the "
                            "iteration each left in",
                            where);
    case DIAG_AT_CONTINUE:
        return arena_printf(a, "they came together at the loop's continue target%s", where);
    case DIAG_AFTER_CALL:
        return "they came together after the function call, wherever each returned";
    default:
        return "";
    }
}

static bool is_extra(enum diag_why w)
{
    return w >= DIAG_OTHER_ARM && w <= DIAG_ABSENT_LANES;
}

static bool is_missing(enum diag_why w)
{
    return w >= DIAG_NOT_PARTED && w <= DIAG_AFTER_CALL;
}

static const char *place(struct arena *a, const struct diag_reason *r)
{
    return arena_printf(a, "workgroup %u, subgroup %u", r->workgroup, r->subgroup);
}

static const char *tangle(struct arena *a, const struct diag_reason *r, const struct diag_names *n)
{
    const lane_mask extra = r->counted & ~r->tangle, missing = r->tangle & ~r->counted;
    const enum diag_why why = (enum diag_why)r->why, also = (enum diag_why)r->also;
    struct text t = {.arena = a};
    if (!r->has_place) {
        text_add(&t, "A group operation %s %s",
                 is_extra(why) ? "counts lanes that" : "lacks lanes:",
                 is_extra(why) ? extra_do(a, r, false, n) : missing_are(a, why, r->other, n));
        text_add(&t, ".");
        return t.v;
    }
    const char *what = r->op ? reason_operation(a, n, r->op)
                             : arena_printf(a, "block %s", reason_name(a, n, r->label));
    text_add(&t, "%s is executed by %s %s (%s)", what, diag_lanes_words(a, r->tangle),
             lane_count(r->tangle) == 1 ? "alone" : "together", place(a, r));
    if (r->op && r->time)
        text_add(&t, ", execution %u", r->time + 1);
    text_add(&t, ".");
    if (is_extra(why)) {
        if (extra)
            text_add(&t, " What was observed counts %s as well, which %s.",
                     diag_lanes_words(a, extra), extra_do(a, r, lane_count(extra) == 1, n));
        else
            text_add(&t, " What was observed counts lanes as well that %s.",
                     extra_do(a, r, false, n));
        if (also && missing)
            text_add(&t, " It lacks %s: %s.", diag_lanes_words(a, missing),
                     missing_are(a, also, 0, n));
        return t.v;
    }
    if (missing)
        text_add(&t,
                 r->op ? " What was observed for lane %u counts only %s"
                       : " By what was observed lane %u is there with %s alone",
                 r->lane,
                 r->counted & r->tangle ? diag_lanes_words(a, r->counted & r->tangle) : "nobody");
    else
        text_add(&t, " By what was observed they were apart");
    text_add(&t, ": but %s.", missing_are(a, why, r->other, n));
    return t.v;
}

// ---- operations, values, ways --------------------------------------------------------------

// What the operation does instead.
static const char *does(enum orc_fault f)
{
    static const char *const words[ORC_FAULTS] = {
        [ORC_FAULT_UPPER_HALF_LOST] = "sees the lower half of the subgroup only",
        [ORC_FAULT_SCAN_INCLUDES_SELF] =
            "counts the lane itself, as an inclusive scan does and an exclusive one does not",
        [ORC_FAULT_SCAN_LEAVES_SELF_OUT] =
            "leaves the lane itself out, as an exclusive scan does and an inclusive one does not",
        [ORC_FAULT_SCAN_ADDS_SELF_TWICE] = "counts the lane itself twice",
        [ORC_FAULT_COUNT_INCLUDES_SELF] = "counts the lane itself, as an inclusive bit count does "
                                          "and an exclusive one does not",
        [ORC_FAULT_HIGHEST_FOR_LOWEST] = "finds the highest bit in place of the lowest",
        [ORC_FAULT_CLUSTER_IS_WHOLE] = "reduces over all active lanes, not over its cluster",
        [ORC_FAULT_CLUSTER_OF_HALF] = "reduces over half of its cluster",
        [ORC_FAULT_FIRST_IS_LANE_ZERO] =
            "reads lane 0 for the first active lane, though lane 0 does not execute it",
        [ORC_FAULT_ELECTS_LANE_ZERO] = "elects lane 0, though lane 0 does not execute it",
        [ORC_FAULT_ELECTS_LAST] = "elects the last active lane, not the first",
        [ORC_FAULT_SHUFFLE_BY_FIRST_INDEX] = "takes the first active lane's index for everybody's",
        [ORC_FAULT_SHUFFLE_IN_ROW] = "reads inside the lane's own row of four only",
        [ORC_FAULT_BROADCAST_IS_FIRST] =
            "gives the first active lane's value, whichever lane is asked for",
        [ORC_FAULT_ROTATE_BACK] = "rotates the other way round",
        [ORC_FAULT_QUAD_SWAP_MIXED] = "swaps vertically for horizontally, or the other way round",
        [ORC_FAULT_QUAD_BROADCAST_IS_FIRST] = "gives the value of the quad's first invocation",
        [ORC_FAULT_DERIVATIVE_AXES_MIXED] = "derives along y for x, or the other way round",
        [ORC_FAULT_DERIVATIVE_BACKWARDS] = "gives the difference the other way round",
        [ORC_FAULT_DERIVATIVE_FINE_IS_COARSE] =
            "gives all of the quad the derivative of its first invocation",
        [ORC_FAULT_DERIVATIVE_WIDTH_SIGNED] = "adds differences, not their absolute values",
        [ORC_FAULT_DERIVATIVE_OF_INDICES] =
            "takes four of consecutive index for a quad of two by two",
        [ORC_FAULT_SIGN_LOST] = "compares signed numbers as unsigned ones",
        [ORC_FAULT_ONE_COMPONENT] = "gives the first component for all components of the vector",
    };
    return words[f] ? words[f] : "";
}

static const char *later_value(struct arena *a, const struct diag_reason *r,
                               const struct diag_names *n)
{
    if (!r->has_place)
        return arena_printf(a,
                            "Lanes that have left a loop hold what a later iteration made%s%s: "
                            "their value was overwritten after they had left.",
                            r->op ? " of " : "", r->op ? reason_name(a, n, r->op) : "");
    return arena_printf(a,
                        "After the loop %s (%s) must hold what execution %u of %s gave (lane %u: "
                        "%llu). What was observed is what execution %u made for those still in "
                        "the loop (%llu): the value was overwritten after %s had left.",
                        diag_lanes_words(a, r->wrong), place(a, r), r->own,
                        reason_operation(a, n, r->op), r->lane, (unsigned long long)r->own_value,
                        r->later, (unsigned long long)r->later_value,
                        lane_count(r->wrong) == 1 ? "it" : "they");
}

const char *reason_where(struct arena *a, const struct diag_reason *r, const struct diag_names *n)
{
    if (!r->has_place)
        return "";
    return arena_printf(a, " It shows first in block %s, for %s (%s).", reason_name(a, n, r->label),
                        diag_lanes_words(a, r->wrong ? r->wrong : r->tangle), place(a, r));
}

static const char *of_value(struct arena *a, const struct diag_reason *r,
                            const struct diag_names *n)
{
    const struct diag_reading *h = &r->reading;
    const char *what = r->op ? reason_operation(a, n, r->op) : "A group operation",
               *first = reason_where(a, r, n);
    switch ((enum diag_why)r->why) {
    case DIAG_OPERATION:
        return arena_printf(a, "%s %s.%s", what, does(h->fault), first);
    case DIAG_WHERE_CHOSEN:
        return arena_printf(
            a,
            "%s is evaluated only where its result is chosen, by an OpSelect, "
            "OpLogicalAnd or OpLogicalOr; these part nobody, and all lanes execute it.",
            what);
    case DIAG_INACTIVE:
        return arena_printf(a, "%s reads the stale values of lanes that do not execute it.%s", what,
                            first);
    case DIAG_WHOLE_SUBGROUP:
        return arena_printf(a,
                            "%s gives what it would give if all lanes of the subgroup size "
                            "executed it with the same operand; they do not.%s",
                            what, first);
    case DIAG_ALONE_LANE:
        return arena_printf(a, "%s gives each lane what it would give to that lane alone.%s", what,
                            first);
    case DIAG_LATER_VALUE:
        return later_value(a, r, n);
    case DIAG_FIRST_LANE_VALUE:
        return arena_printf(a,
                            "All lanes have the first active lane's %s, though it differs "
                            "between them.%s",
                            r->op ? reason_name(a, n, r->op) : "value", first);
    case DIAG_PHIS_IN_ORDER:
        return arena_printf(a,
                            "A phi reads what another phi of the same block has just become; all "
                            "phis of a block read what was there before it.%s",
                            first);
    case DIAG_VALUE_LOST:
        return r->op ? arena_printf(
                           a, "After the loop %s is 0, and not what it was when the lanes left.",
                           reason_name(a, n, r->op))
                     : "A value that must be stored is not.";
    case DIAG_WRONG_OPERAND:
        return "An instruction works on another value than it must.";
    case DIAG_FIRST_LANE_WAY:
        return arena_printf(a,
                            "All lanes go where the first active lane goes%s%s%s, though the "
                            "condition differs between them.%s",
                            h->at ? arena_printf(a, " at the %s of block ", ends_by(n, h->at)) : "",
                            h->at ? reason_name(a, n, h->at) : "", "", first);
    case DIAG_ELSEWHERE:
        return h->edge_from
                   ? arena_printf(a,
                                  "The %s at the end of block %s goes to %s where it must go to "
                                  "%s.",
                                  ends_by(n, h->edge_from), reason_name(a, n, h->edge_from),
                                  reason_name(a, n, h->edge_is), reason_name(a, n, h->edge_was))
                   : "A branch goes elsewhere.";
    case DIAG_LOOP_ENDS:
        return arena_printf(a, "No lane starts another iteration%s%s once one has left the loop.%s",
                            h->at ? " of the loop of block " : "",
                            h->at ? reason_name(a, n, h->at) : "", first);
    case DIAG_NO_BARRIER:
        return "A barrier is gone that orders accesses to the same memory.";
    default:
        return "";
    }
}

// What a mistake of that kind is called in a list.
static const char *const kinds[DIAG_WHYS] = {
    [DIAG_OTHER_ARM] = "lanes counted that took the other side of a branch",
    [DIAG_OTHER_CASE] = "lanes counted that took another case",
    [DIAG_LEFT_LOOP] = "lanes counted that have left the loop",
    [DIAG_CONTINUED] = "lanes counted that wait at the continue target",
    [DIAG_RETURNED] = "lanes counted that have returned",
    [DIAG_OTHER_ITERATION] = "lanes of several iterations counted together",
    [DIAG_ABSENT_LANES] = "lanes counted that do not exist",
    [DIAG_NOT_PARTED] = "lanes parted too early",
    [DIAG_AFTER_SELECTION] = "lanes apart after a selection",
    [DIAG_AFTER_SWITCH] = "lanes apart after a switch",
    [DIAG_AFTER_LOOP] = "lanes apart after a loop",
    [DIAG_AT_CONTINUE] = "lanes apart at a continue target",
    [DIAG_AFTER_CALL] = "lanes apart after a call",
    [DIAG_WHERE_CHOSEN] = "an operation that only those execute who choose its result",
    [DIAG_OPERATION] = "an operation that does what another one does",
    [DIAG_INACTIVE] = "an operation that reads inactive lanes",
    [DIAG_WHOLE_SUBGROUP] = "an operation that takes the whole subgroup to be there",
    [DIAG_ALONE_LANE] = "each lane for itself",
    [DIAG_LATER_VALUE] = "a value of a later iteration",
    [DIAG_VALUE_LOST] = "a value lost after a loop",
    [DIAG_FIRST_LANE_VALUE] = "one lane's value for all",
    [DIAG_PHIS_IN_ORDER] = "phis copied one after the other",
    [DIAG_FIRST_LANE_WAY] = "one lane's way for all",
    [DIAG_ELSEWHERE] = "a branch that goes elsewhere",
    [DIAG_LOOP_ENDS] = "a loop that ends once one has left",
    [DIAG_LEVEL] = "another level of the image",
    [DIAG_OTHER_IMAGE] = "another image of the array",
    [DIAG_OTHER_SAMPLER] = "another sampler of the array",
    [DIAG_TEXEL] = "another texel",
    [DIAG_TEXEL_KEPT] = "a texel as it was before",
    [DIAG_HELPERS_OUT] = "helper invocations left out",
    [DIAG_HELPERS_LOAD] = "helper invocations that load something else",
    [DIAG_HELPERS_SKIP] = "helper invocations that do not go where nobody else goes",
    [DIAG_HELPERS_ASKED] = "a wrong answer to who is a helper invocation",
    [DIAG_DEMOTE_LOST] = "a demote that does nothing",
    [DIAG_DEMOTE_MOVED] = "a demote elsewhere in its block",
    [DIAG_DEMOTE_ENDS] = "demoted invocations that end",
    [DIAG_END_LOST] = "an end that is a demote",
};

static const char *list(struct arena *a, uint64_t whys)
{
    struct text t = {.arena = a};
    text_addn(&t, "", 0);
    for (int w = 0; w < DIAG_WHYS; w++)
        if (whys >> w & 1 && kinds[w])
            text_add(&t, "%s%s", t.n ? "; " : "", kinds[w]);
    return t.v;
}

const char *diag_why_words(struct arena *a, const struct diag_reason *r, const struct diag_names *n)
{
    const enum diag_why w = (enum diag_why)r->why;
    const char *words = is_extra(w) || is_missing(w) ? tangle(a, r, n)
                        : reason_is_stage(w)         ? reason_stage(a, r, n)
                                                     : of_value(a, r, n);
    return r->known == DIAG_BY_SEVERAL
               ? arena_printf(a,
                              "Several single mistakes give each word that was observed, and "
                              "nothing tells which it is: %s.",
                              list(a, r->rivals | UINT64_C(1) << w))
               : words;
}

// ---- the rule, and the near miss -------------------------------------------------------------

const char *diag_why_rule(struct arena *a, const struct diag_reason *r, enum spv_model model)
{
    const enum diag_rule rule = (enum diag_rule)r->rule;
    if (r->known == DIAG_BY_SEVERAL)
        return "";
    switch ((enum diag_why)r->why) {
    case DIAG_WHY_UNKNOWN:
        return "";
    case DIAG_LATER_VALUE:
        return "A result id is the invocation's own: what others execute does not change it. Any "
               "SPIR-V promises this.";
    case DIAG_FIRST_LANE_VALUE:
    case DIAG_PHIS_IN_ORDER:
    case DIAG_VALUE_LOST:
    case DIAG_WRONG_OPERAND:
    case DIAG_ELSEWHERE:
    case DIAG_LOOP_ENDS:
    case DIAG_NO_BARRIER:
    case DIAG_OPERATION:
    case DIAG_ALONE_LANE:
    case DIAG_TEXEL:
    case DIAG_TEXEL_KEPT:
        return "This needs no rule of reconvergence: any SPIR-V promises it.";
    default:
        break;
    }
    if (!rule)
        return r->why == DIAG_LEVEL ? "This needs no rule of reconvergence: any SPIR-V promises it."
                                    : "";
    if (diag_rule_is_vulkan(rule))
        return arena_printf(a, "%s (docs/rules.md; Vulkan, \"%s\"): %s.", diag_rule_name(rule),
                            diag_rule_section(rule), diag_rule_text(rule));
    if (judge_weak(model))
        return "The invocations come the same way: uniform control flow is enough to promise it.";
    return arena_printf(a,
                        "%s (docs/rules.md; SPV_KHR_maximal_reconvergence, Maximal "
                        "Reconvergence, section \"%s\"): %s.",
                        diag_rule_name(rule), diag_rule_section(rule), diag_rule_text(rule));
}

static const char *near_counted(struct arena *a, const struct diag_reading *h,
                                const struct diag_names *n)
{
    switch ((enum diag_counted)h->counted) {
    case DIAG_COUNTS_BEFORE_JOIN:
        return "if they did not come together again before it";
    case DIAG_COUNTS_AFTER_SPLIT:
        return "if they were parted before it, and not after it";
    case DIAG_COUNTS_EVERYBODY:
        return "if all who ever execute it executed it together";
    case DIAG_COUNTS_IN_EARLIER:
        return arena_printf(a, "if it stood in block %s, before", reason_name(a, n, h->block));
    case DIAG_COUNTS_IN_LATER:
        return arena_printf(a, "if it stood in block %s, after", reason_name(a, n, h->block));
    case DIAG_COUNTS_ALONE:
        return "if each lane executed it alone";
    default:
        return "";
    }
}

const char *diag_why_near(struct arena *a, const struct diag_reason *r, const struct diag_names *n)
{
    static const char *const split[ORC_FAULTS] = {
        [ORC_FAULT_SPLIT_AT_MERGE] =
            "M1 did not hold at the merge block of the construct of block ",
        [ORC_FAULT_SPLIT_AFTER_LOOP] = "M3 did not hold at the merge block of the loop of block ",
        [ORC_FAULT_SPLIT_AT_CONTINUE] =
            "M4 did not hold at the continue target of the loop of block ",
        [ORC_FAULT_SPLIT_AFTER_CALL] = "M5 did not hold",
    };
    const struct diag_reading *h = &r->reading;
    if (r->known == DIAG_BY_PROBE)
        return "A ballot of true in its place showed who is counted.";
    if (r->known != DIAG_BY_READING)
        return "";
    struct text t = {.arena = a};
    if (h->fault == ORC_FAULT_COUNTED || h->fault == ORC_FAULT_COUNTED_ALIKE)
        text_add(&t, "Each word would be what was observed %s.", near_counted(a, h, n));
    else if (split[h->fault])
        text_add(&t, "Each word would be what was observed if %s%s.", split[h->fault],
                 h->at ? reason_name(a, n, h->at) : "");
    else
        text_add(&t, "With this one mistake, and no other, each word is what was observed.");
    if (r->rivals)
        text_add(&t, " The same words come of %s.", list(a, r->rivals));
    return t.v;
}
