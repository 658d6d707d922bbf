// SPDX-License-Identifier: Apache-2.0
//
// A reason as sentences for people. Nothing reads them back.
#include "words.h"

#include "spirv/spirv_flow.h"

#include <string.h>

enum { LANES_TEXT = 200 };

// ---- words for things ------------------------------------------------------------------

const char *words_name(struct arena *a, const struct diag_names *n, uint32_t id)
{
    if (n->name && n->name[id])
        return arena_printf(a, "`%s`", n->name[id]);
    const char *own = n->m ? spv_name(n->m, id) : NULL;
    return own && own[0] ? arena_printf(a, "`%%%s`", own) : arena_printf(a, "`%%%u`", id);
}

// "the OpGroupNonUniformBallot `%38`"
const char *words_operation(struct arena *a, const struct diag_names *n, uint32_t id)
{
    const struct spv_inst *d = n->m ? spv_def(n->m, id) : NULL;
    return arena_printf(a, "%s %s", d ? spv_op_name(d->op) : "the operation", words_name(a, n, id));
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
    const char *from = r->other ? words_name(a, n, r->other) : "";
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
    const char *where = other ? arena_printf(a, " (block %s)", words_name(a, n, other)) : "";
    switch (why) {
    case DIAG_NOT_PARTED:
        return other ? arena_printf(a,
                                    "nothing has parted them yet; the %s at the end of block %s "
                                    "will, later",
                                    ends_by(n, other), words_name(a, n, other))
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
                 why_is(why, WHY_EXTRA) ? "counts lanes that" : "lacks lanes:",
                 why_is(why, WHY_EXTRA) ? extra_do(a, r, false, n)
                                        : missing_are(a, why, r->other, n));
        text_add(&t, ".");
        return t.v;
    }
    const char *what = r->op ? words_operation(a, n, r->op)
                             : arena_printf(a, "block %s", words_name(a, n, r->label));
    text_add(&t, "%s is executed by %s %s (%s)", what, diag_lanes_words(a, r->tangle),
             lane_count(r->tangle) == 1 ? "alone" : "together", place(a, r));
    if (r->op && r->time)
        text_add(&t, ", execution %u", r->time + 1);
    text_add(&t, ".");
    if (why_is(why, WHY_EXTRA)) {
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

static const struct fault_row *fault_row(enum orc_fault f)
{
    for (int k = 0; k < FAULT_ROWS; k++)
        if (fault_rows[k].fault == f)
            return &fault_rows[k];
    return NULL;
}

static const char *later_value(struct arena *a, const struct diag_reason *r,
                               const struct diag_names *n)
{
    if (!r->has_place)
        return arena_printf(a,
                            "Lanes that have left a loop hold what a later iteration made%s%s: "
                            "their value was overwritten after they had left.",
                            r->op ? " of " : "", r->op ? words_name(a, n, r->op) : "");
    return arena_printf(a,
                        "After the loop %s (%s) must hold what execution %u of %s gave (lane %u: "
                        "%llu). What was observed is what execution %u made for those still in "
                        "the loop (%llu): the value was overwritten after %s had left.",
                        diag_lanes_words(a, r->wrong), place(a, r), r->own,
                        words_operation(a, n, r->op), r->lane, (unsigned long long)r->own_value,
                        r->later, (unsigned long long)r->later_value,
                        lane_count(r->wrong) == 1 ? "it" : "they");
}

const char *words_where(struct arena *a, const struct diag_reason *r, const struct diag_names *n)
{
    if (!r->has_place)
        return "";
    return arena_printf(a, " It shows first in block %s, for %s (%s).", words_name(a, n, r->label),
                        diag_lanes_words(a, r->wrong ? r->wrong : r->tangle), place(a, r));
}

static const char *of_value(struct arena *a, const struct diag_reason *r,
                            const struct diag_names *n)
{
    const struct diag_hypothesis *h = &r->hypothesis;
    const char *what = r->op ? words_operation(a, n, r->op) : "A group operation",
               *first = words_where(a, r, n);
    const struct fault_row *row = fault_row(h->fault);
    switch ((enum diag_why)r->why) {
    case DIAG_OPERATION:
        return arena_printf(a, "%s %s.%s", what, row ? row->text : "", first);
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
                            r->op ? words_name(a, n, r->op) : "value", first);
    case DIAG_PHIS_IN_ORDER:
        return arena_printf(a,
                            "A phi reads what another phi of the same block has just become; all "
                            "phis of a block read what was there before it.%s",
                            first);
    case DIAG_VALUE_LOST:
        return r->op ? arena_printf(
                           a, "After the loop %s is 0, and not what it was when the lanes left.",
                           words_name(a, n, r->op))
                     : "A value that must be stored is not.";
    case DIAG_WRONG_OPERAND:
        return "An instruction works on another value than it must.";
    case DIAG_FIRST_LANE_WAY:
        return arena_printf(a,
                            "All lanes go where the first active lane goes%s%s%s, though the "
                            "condition differs between them.%s",
                            h->at ? arena_printf(a, " at the %s of block ", ends_by(n, h->at)) : "",
                            h->at ? words_name(a, n, h->at) : "", "", first);
    case DIAG_ELSEWHERE:
        return h->mistake == DIAG_EDGE_ELSEWHERE
                   ? arena_printf(a,
                                  "The %s at the end of block %s goes to %s where it must go to "
                                  "%s.",
                                  ends_by(n, h->edge_from), words_name(a, n, h->edge_from),
                                  words_name(a, n, h->edge_is), words_name(a, n, h->edge_was))
                   : "A branch goes elsewhere.";
    case DIAG_LOOP_ENDS:
        return arena_printf(a, "No lane starts another iteration%s%s once one has left the loop.%s",
                            h->at ? " of the loop of block " : "",
                            h->at ? words_name(a, n, h->at) : "", first);
    case DIAG_NO_BARRIER:
        return "A barrier is gone that orders accesses to the same memory.";
    default:
        return "";
    }
}

static const char *list(struct arena *a, uint64_t whys)
{
    struct text t = {.arena = a};
    text_addn(&t, "", 0);
    for (int w = 0; w < DIAG_WHY_COUNT; w++)
        if (whys >> w & 1 && why_rows[w].phrase[0])
            text_add(&t, "%s%s", t.n ? "; " : "", why_rows[w].phrase);
    return t.v;
}

const char *diag_why_words(struct arena *a, const struct diag_reason *r, const struct diag_names *n)
{
    const enum diag_why w = (enum diag_why)r->why;
    const char *words = why_is_tangle(w)       ? tangle(a, r, n)
                        : why_is(w, WHY_STAGE) ? words_stage(a, r, n)
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
    static const char *const promises[] = {
        [PROMISE_NONE] = "",
        [PROMISE_ANY_SPIRV] = "This needs no rule of reconvergence: any SPIR-V promises it.",
        [PROMISE_OWN_RESULT] = "A result id is the invocation's own: what others execute does not "
                               "change it. Any SPIR-V promises this.",
    };
    const enum diag_rule rule = (enum diag_rule)r->rule;
    if (r->known == DIAG_BY_SEVERAL)
        return "";
    if (!rule)
        return promises[why_rows[r->why].promise];
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

static const char *near_counted(struct arena *a, const struct diag_hypothesis *h,
                                const struct diag_names *n)
{
    static const struct {
        const char *near, *after;
    } rows[] = {
#define COUNTED(id, name, near, after) {near, after},
        DIAG_COUNTED_ROWS(COUNTED)};
    const char *near = rows[h->counted].near, *after = rows[h->counted].after;
    return after[0] ? arena_printf(a, "%s%s%s", near, words_name(a, n, h->block), after) : near;
}

const char *diag_why_near(struct arena *a, const struct diag_reason *r, const struct diag_names *n)
{
    const struct diag_hypothesis *h = &r->hypothesis;
    const struct fault_row *row = fault_row(h->fault);
    if (r->known == DIAG_BY_PROBE)
        return "A ballot of true in its place showed who is counted.";
    if (r->known != DIAG_BY_HYPOTHESIS)
        return "";
    struct text t = {.arena = a};
    if (h->mistake == DIAG_LANES_COUNTED)
        text_add(&t, "Each word would be what was observed %s.", near_counted(a, h, n));
    else if (row && why_is(row->why, WHY_MISSING))
        text_add(&t, "Each word would be what was observed if %s%s.", row->text,
                 h->at ? words_name(a, n, h->at) : "");
    else
        text_add(&t, "With this one mistake, and no other, each word is what was observed.");
    if (r->rivals)
        text_add(&t, " The same words come of %s.", list(a, r->rivals));
    return t.v;
}
