// SPDX-License-Identifier: Apache-2.0
//
// Turns a reason into sentences for readers. No code parses them.
#include "experiment.h"
#include "words.h"

#include "spirv/spirv_flow.h"

#include <string.h>

enum { LANES_TEXT = 200 };

// ---- names of things -------------------------------------------------------------------

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

// ---- counted lanes -----------------------------------------------------------------------

// Returns what the extra lanes do: "took the other side of the branch of `%4`".
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
                            r->other ? ", diverging at the end of block " : "", from);
    case DIAG_CONTINUED:
        return arena_printf(a, "%s at the loop's continue target%s%s", one ? "waits" : "wait",
                            r->other ? ", diverging at the end of block " : "", from);
    case DIAG_RETURNED:
        return r->other ? arena_printf(a, "diverged at the end of block %s and %s returned", from,
                                       one ? "has" : "have")
               : one    ? "has returned"
                        : "have returned";
    case DIAG_OTHER_ITERATION:
        return one ? "leaves the loop in another iteration and executes the operation then"
                   : "leave the loop in another iteration and execute the operation then";
    case DIAG_ABSENT_LANES:
        return one ? "does not exist: the subgroup is not full"
                   : "do not exist: the subgroup is not full";
    default:
        return "";
    }
}

// Returns why the missing lanes belong to the tangle: "no branch has split the lanes yet".
static const char *missing_are(struct arena *a, enum diag_why why, uint32_t other,
                               const struct diag_names *n)
{
    const char *where = other ? arena_printf(a, " (block %s)", words_name(a, n, other)) : "";
    switch (why) {
    case DIAG_SPLIT_EARLY:
        return other ? arena_printf(a,
                                    "no branch has split the lanes yet; the %s at the end of "
                                    "block %s will do so later",
                                    ends_by(n, other), words_name(a, n, other))
                     : "no branch has split the lanes";
    case DIAG_AFTER_SELECTION:
        return arena_printf(a, "the lanes reconverged at the selection's merge block%s", where);
    case DIAG_AFTER_SWITCH:
        return arena_printf(a, "the lanes reconverged at the switch's merge block%s", where);
    case DIAG_AFTER_LOOP:
        return arena_printf(a,
                            "the lanes reconverged at the loop's merge block%s, whatever "
                            "iteration each left in",
                            where);
    case DIAG_AT_CONTINUE:
        return arena_printf(a, "the lanes reconverged at the loop's continue target%s", where);
    case DIAG_AFTER_CALL:
        return "the lanes reconverged after the function call, wherever each returned";
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
                 why_is(why, WHY_EXTRA) ? "counts lanes that" : "misses lanes:",
                 why_is(why, WHY_EXTRA) ? extra_do(a, r, false, n)
                                        : missing_are(a, why, r->other, n));
        text_add(&t, ".");
        return t.v;
    }
    const char *what = r->op ? words_operation(a, n, r->op)
                             : arena_printf(a, "Block %s", words_name(a, n, r->label));
    text_add(&t, "%s must be executed by %s %s (%s)", what, diag_lanes_words(a, r->tangle),
             lane_count(r->tangle) == 1 ? "alone" : "together", place(a, r));
    if (r->op && r->time)
        text_add(&t, ", execution %u", r->time + 1);
    text_add(&t, ".");
    if (why_is(why, WHY_EXTRA)) {
        if (extra)
            text_add(&t, " The observed result also counts %s, which %s.",
                     diag_lanes_words(a, extra), extra_do(a, r, lane_count(extra) == 1, n));
        else
            text_add(&t, " The observed result also counts lanes that %s.",
                     extra_do(a, r, false, n));
        if (also && missing)
            text_add(&t, " It misses %s: %s.", diag_lanes_words(a, missing),
                     missing_are(a, also, 0, n));
        return t.v;
    }
    if (missing)
        text_add(&t,
                 r->op ? " The observed result of lane %u counts only %s"
                       : " The observed values show lane %u there only with %s",
                 r->lane,
                 r->counted & r->tangle ? diag_lanes_words(a, r->counted & r->tangle)
                                        : "none of them");
    else
        text_add(&t, " The observed values show the lanes diverged");
    text_add(&t, ", but %s.", missing_are(a, why, r->other, n));
    return t.v;
}

// ---- operations, values, branches ----------------------------------------------------------

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
                            "Lanes that have left a loop hold the value that a later iteration "
                            "produced%s%s: it was overwritten after they had left.",
                            r->op ? " for " : "", r->op ? words_name(a, n, r->op) : "");
    return arena_printf(a,
                        "After the loop, %s (%s) must hold the value from execution %u of %s (lane "
                        "%u: %llu). The observed value is from execution %u, for the lanes still "
                        "in the loop (%llu): the value was overwritten after %s had left.",
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

// Returns the type of a number, or of a vector's components; NULL if the id is unknown.
static const struct spv_inst *number_type(const struct diag_names *n, uint32_t type)
{
    const struct spv_inst *t = n->m ? spv_def(n->m, type) : NULL;
    return t && t->op == SpvOpTypeVector ? spv_def(n->m, t->v[0]) : t;
}

uint32_t words_bits(const struct diag_names *n, uint32_t type)
{
    const struct spv_inst *t = number_type(n, type);
    return t && (t->op == SpvOpTypeInt || t->op == SpvOpTypeFloat) ? t->v[0] : 0;
}

const char *words_result(struct arena *a, const struct diag_names *n, uint32_t id, uint64_t value)
{
    const struct spv_inst *d = n->m ? spv_def(n->m, id) : NULL;
    const struct spv_inst *t = d ? number_type(n, d->type) : NULL;
    const uint32_t bits = d ? words_bits(n, d->type) : 0;
    if (t && t->op == SpvOpTypeBool)
        return value ? "true" : "false";
    if (t && t->op == SpvOpTypeFloat) {
        const uint32_t low = (uint32_t)value;
        float f;
        double g;
        memcpy(&f, &low, sizeof f);
        memcpy(&g, &value, sizeof g);
        return arena_printf(a, "%.9g", bits == 64 ? g : (double)f);
    }
    if (t && t->v[1] && bits < 64) // sign-extended
        return arena_printf(a, "%d",
                            (int)((int32_t)((uint32_t)value << (32 - bits)) >> (32 - bits)));
    return t && t->v[1] ? arena_printf(a, "%lld", (long long)value)
                        : arena_printf(a, "%llu", (unsigned long long)value);
}

static const char *wrong_result(struct arena *a, const struct diag_reason *r,
                                const struct diag_names *n)
{
    const struct spv_inst *d = n->m ? spv_def(n->m, r->op) : NULL,
                          *t = d ? spv_def(n->m, d->type) : NULL;
    struct text s = {.arena = a};
    const bool load = d && d->op == SpvOpLoad;
    const char *what =
        r->other
            ? arena_printf(a,
                           "is right where it is computed, and wrong at the start of block %s, for",
                           words_name(a, n, r->other))
        : load ? "loads a wrong value for"
               : "returns a wrong result to";
    text_add(&s, "%s %s %s (%s). Lane %u: ", words_operation(a, n, r->op), what,
             diag_lanes_words(a, r->wrong), place(a, r), r->lane);
    if (t && t->op == SpvOpTypeVector)
        text_add(&s, "component %u is ", r->own);
    text_add(&s, "%s instead of %s.", words_result(a, n, r->op, r->later_value),
             words_result(a, n, r->op, r->own_value));
    const lane_mask extra = r->counted & ~r->tangle, missing = r->tangle & ~r->counted;
    if (extra)
        text_add(&s, " It also counts %s, which %s.", diag_lanes_words(a, extra),
                 r->also                  ? lane_count(extra) == 1 ? "executes it at another time"
                                                                   : "execute it at another time"
                 : lane_count(extra) == 1 ? "does not execute it"
                                          : "do not all execute it");
    if (missing)
        text_add(&s, " It does not count %s, which %s it at the same time.",
                 diag_lanes_words(a, missing), lane_count(missing) == 1 ? "executes" : "execute");
    if (r->later && !r->other)
        text_add(&s, " Its %s, recorded on the target, %s right.",
                 r->later == 1 ? "operand" : "operands", r->later == 1 ? "is" : "are");
    bool some = false; // the fault may be in another operation, whose record makes it right
    for (int i = 0; i < r->controls; i++)
        if (!r->control[i].wrong && r->control[i].tweak.kind == DIAG_TWEAK_GONE) {
            text_add(&s, "%s%s", some ? "; " : " All memory is right ",
                     diag_tweak_words(a, &r->control[i].tweak, n));
            some = true;
        }
    text_add(&s, "%s", some ? "." : "");
    return s.v;
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
    case DIAG_ATOMIC:
        return arena_printf(a, "%s %s.%s", what, row ? row->text : "", first);
    case DIAG_WHERE_CHOSEN:
        return arena_printf(
            a,
            "%s is executed only by the lanes that select its result (OpSelect, OpLogicalAnd or "
            "OpLogicalOr). These instructions do not split a tangle: all lanes must execute it.",
            what);
    case DIAG_INACTIVE:
        return arena_printf(a, "%s reads stale values of lanes that do not execute it.%s", what,
                            first);
    case DIAG_WHOLE_SUBGROUP:
        return arena_printf(a,
                            "%s returns what it would return if all lanes of the subgroup "
                            "executed it with the same operand; they do not.%s",
                            what, first);
    case DIAG_ALONE_LANE:
        return arena_printf(a, "%s returns to each lane what it would if that lane were alone.%s",
                            what, first);
    case DIAG_LATER_VALUE:
        return later_value(a, r, n);
    case DIAG_FIRST_LANE_VALUE:
        return arena_printf(a,
                            "All lanes use the first active lane's %s, though the value differs "
                            "between lanes.%s",
                            r->op ? words_name(a, n, r->op) : "value", first);
    case DIAG_PHIS_IN_ORDER:
        return arena_printf(a,
                            "A phi reads the new value of another phi of its block; all phis of a "
                            "block must read the values from before the block.%s",
                            first);
    case DIAG_CLEARED:
        return arena_printf(
            a,
            "When other lanes execute %s, its result becomes 0 in lanes that do not: they "
            "lose the value that they have.",
            words_operation(a, n, r->op));
    case DIAG_VALUE_LOST:
        return r->op ? arena_printf(
                           a, "After the loop, %s is 0 instead of its value when the lanes left.",
                           words_name(a, n, r->op))
                     : "A value that must be stored is not stored.";
    case DIAG_WRONG_RESULT:
        return wrong_result(a, r, n);
    case DIAG_WRONG_OPERAND:
        return "An instruction uses a wrong operand.";
    case DIAG_FIRST_LANE_WAY:
        return arena_printf(a,
                            "All lanes go where the first active lane goes%s%s%s, though the "
                            "condition differs between lanes.%s",
                            h->at ? arena_printf(a, " at the %s of block ", ends_by(n, h->at)) : "",
                            h->at ? words_name(a, n, h->at) : "", "", first);
    case DIAG_ELSEWHERE:
        return h->mistake == DIAG_EDGE_ELSEWHERE
                   ? arena_printf(a, "%s %s at the end of block %s goes to %s instead of %s.%s",
                                  r->also ? "A branch goes to a wrong block; for example, the"
                                          : "The",
                                  ends_by(n, h->edge_from), words_name(a, n, h->edge_from),
                                  words_name(a, n, h->edge_is), words_name(a, n, h->edge_was),
                                  r->also ? " Other branches explain the words as well." : "")
                   : "A branch goes to a wrong block.";
    case DIAG_LOOP_ENDS:
        return arena_printf(a, "No lane starts another iteration%s%s once one lane has left it.%s",
                            h->at ? " of the loop with header block " : "",
                            h->at ? words_name(a, n, h->at) : "", first);
    case DIAG_NO_BARRIER:
        return "A barrier that orders accesses to the same memory is missing.";
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
                              "Several single mistakes explain all observed words, and nothing "
                              "distinguishes them: %s.",
                              list(a, r->rivals | UINT64_C(1) << w))
               : words;
}

// ---- the rule, and the mistake that explains it ----------------------------------------------

const char *diag_why_rule(struct arena *a, const struct diag_reason *r, enum spv_model model)
{
    static const char *const promises[] = {
        [PROMISE_NONE] = "",
        [PROMISE_ANY_SPIRV] =
            "No rule of reconvergence is needed: SPIR-V promises it without any extension.",
        [PROMISE_OWN_RESULT] = "A result id belongs to its invocation: what other invocations "
                               "execute does not change it. SPIR-V promises this without any "
                               "extension.",
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
        return "All invocations took the same path: uniform control flow is enough to promise this "
               "value.";
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
        return "A ballot of true in its place showed which lanes are counted.";
    if (r->known == DIAG_BY_RECORD)
        return r->other ? "Any other wrong word follows from this value by the rules."
                        : "Any other wrong word follows from this result by the rules.";
    if (r->known != DIAG_BY_HYPOTHESIS)
        return "";
    struct text t = {.arena = a};
    if (h->mistake == DIAG_LANES_COUNTED)
        text_add(&t, "Each word would be as observed %s.", near_counted(a, h, n));
    else if (row && why_is(row->why, WHY_MISSING))
        text_add(&t, "Each word would be as observed if %s%s.", row->text,
                 h->at ? words_name(a, n, h->at) : "");
    else
        text_add(&t, "With this single mistake, each word would be as observed.");
    if (r->without.kind)
        text_add(&t,
                 " The case itself leaves no memory: these are the words that it leaves %s, with "
                 "the result of %s stored. With the same mistake the case itself has undefined "
                 "behaviour.",
                 diag_tweak_words(a, &r->without, n), words_operation(a, n, r->shown));
    if (r->rivals)
        text_add(&t, " The same words follow from %s.", list(a, r->rivals));
    return t.v;
}
