// SPDX-License-Identifier: Apache-2.0
//
// Where and how a fault is, in words for readers: what a compiler changed, which lanes are counted,
// in which constructs. The signature has words of its own for the same facts (words_signature.c),
// which never change, since buckets are named by them.
#include "construct.h"

#include <string.h>

// Adds "; " or ", " between two parts, and formats a part.
#define ADD(t, mark, ...) (text_add(t, "%s", (t)->n ? (mark) : ""), text_add(t, __VA_ARGS__))

// ---- the compiler's change -----------------------------------------------------------------

static const char *const constructs[] = {
    [DIAG_LOOP] = "loop", [DIAG_SWITCH] = "switch", [DIAG_CALL] = "call", [DIAG_IF] = "if"};

// Returns a place relative to a construct: "after the loop".
static const char *side(struct arena *a, uint8_t s, uint8_t construct)
{
    static const char *const sides[] = {[DIAG_UNRELATED] = "elsewhere",
                                        [DIAG_BEFORE] = "before the %s",
                                        [DIAG_AFTER] = "after the %s",
                                        [DIAG_INSIDE] = "inside the %s",
                                        [DIAG_CONTINUE] = "the continue construct of the %s",
                                        [DIAG_WAY_OUT] = "the path out of the %s"};
    const char *form = sides[s], *hole = strstr(form, "%s");
    return hole ? arena_printf(a, "%.*s%s", (int)(hole - form), form, constructs[construct]) : form;
}

static void add_op(struct text *t, const struct diag_op *op)
{
    ADD(t, "; ", "%s", diag_operation_words(t->arena, op));
}

static void add_count(struct text *t, const char *what, int8_t n)
{
    if (n)
        ADD(t, "; ", "%s %s", n > 0 ? "more" : "fewer", what);
}

const char *diag_change_detail(struct arena *a, const struct diag_change *c)
{
    static const char *const uses[] = {[DIAG_BRANCHES] = "by a branch",
                                       [DIAG_SWITCHES] = "by a switch",
                                       [DIAG_VALUE] = "as a value",
                                       [DIAG_INDEX] = "as a descriptor index"};
    static const char *const reuses[] = {[DIAG_REUSE_AFTER] = "after it",
                                         [DIAG_REUSE_IN_BRANCH] = "in a branch",
                                         [DIAG_REUSE_IN_LOOP] = "in a loop",
                                         [DIAG_REUSE_BY_PHI] = "by OpPhi, for one of its paths"};
    static const char *const labels[] = {[DIAG_TO_BLOCK] = "another block",
                                         [DIAG_TO_CASE] = "a case",
                                         [DIAG_TO_DEFAULT] = "the default",
                                         [DIAG_TO_CONTINUE] = "a continue target",
                                         [DIAG_TO_IF_MERGE] = "the merge block of an if",
                                         [DIAG_TO_SWITCH_MERGE] = "the merge block of a switch",
                                         [DIAG_TO_LOOP_MERGE] = "the merge block of a loop"};
    static const char *const values[] = {[DIAG_OF_LITERAL] = "a literal",
                                         [DIAG_OF_UNDEFINED] = "an undefined value",
                                         [DIAG_OF_CONSTANT] = "a constant",
                                         [DIAG_OF_VALUE] = "another value"};
    struct text out = {.arena = a}, *t = &out;
    text_addn(t, "", 0);
    switch ((enum diag_did)c->did) {
    case DIAG_COPIED:
    case DIAG_MERGED:
    case DIAG_MOVED:
        if (c->over)
            ADD(t, "; ", "from %s to %s", side(a, c->from, c->construct),
                side(a, c->to, c->construct));
        if (c->turned)
            ADD(t, "; ", "its result was used %s, and now %s", uses[c->use_from], uses[c->use_to]);
        break;
    case DIAG_REUSED:
        ADD(t, "; ", "%s", reuses[c->reuse]);
        break;
    case DIAG_OP_NEW:
        add_op(t, &c->op);
        text_add(t, ", used %s%s", uses[c->use_to],
                 c->after_loop ? ", of a value of an earlier loop" : "");
        break;
    case DIAG_OP_GONE:
        add_op(t, &c->op);
        break;
    case DIAG_EDGE:
    case DIAG_CASE_EDGE:
        ADD(t, "; ", "from %s to %s", labels[c->label_from], labels[c->label_to]);
        break;
    case DIAG_INST_GONE:
        ADD(t, "; ", "%s%s", spv_op_name(c->opcode), c->called ? " of a called function" : "");
        if (c->value_to)
            text_add(t, ", replaced by %s", values[c->value_to]);
        break;
    case DIAG_INST_MOVED:
        ADD(t, "; ", "%s, to a %s place in its block", spv_op_name(c->opcode),
            c->later ? "later" : "earlier");
        break;
    case DIAG_DESCRIPTOR:
        ADD(t, "; ", "%s",
            c->opcode == SpvOpDecorate ? "NonUniform removed"
                                       : "an inserted index without NonUniform");
        break;
    case DIAG_ASKED: {
        const struct spv_inst i = {.op = c->opcode};
        ADD(t, "; ", "%s%s",
            spv_group_find(c->opcode) ? spv_group_class_name(spv_group_class(&i))
                                      : spv_op_name(c->opcode),
            c->round ? " of a loop" : "");
        break;
    }
    case DIAG_OP_OPERAND:
        ADD(t, "; ", "%s", spv_op_name(c->opcode));
        break;
    case DIAG_OPERAND:
        ADD(t, "; ", "of %s: from %s to %s", spv_op_name(c->opcode), values[c->value_from],
            values[c->value_to]);
        break;
    default:
        break;
    }
    add_count(t, "loops", c->loops);
    add_count(t, "switches", c->switches);
    add_count(t, "ifs", c->ifs);
    add_count(t, "demotes", c->demotes);
    add_count(t, "ends of invocations", c->ends);
    if (c->did != DIAG_ASKED)
        add_count(t, "queries for helper invocations", c->queries);
    return t->v;
}

// ---- where in a program ---------------------------------------------------------------------

static const char *path(struct arena *a, const struct diag_path *p)
{
    static const char *const parts[] = {[DIAG_IN_IF] = "an if",
                                        [DIAG_IN_CASE] = "a case",
                                        [DIAG_IN_FALL] = "a case that another one falls through to",
                                        [DIAG_IN_LOOP] = "a loop",
                                        [DIAG_IN_HEAD] = "a loop's header",
                                        [DIAG_IN_CONT] = "a continue construct",
                                        [DIAG_IN_CALL] = "a called function",
                                        [DIAG_IN_BREAK] = "a path out of a loop",
                                        [DIAG_IN_JUMP] = "a path out of a selection"};
    struct text t = {.arena = a};
    text_addn(&t, "", 0);
    if (p->known && !p->n)
        text_add(&t, "outside all constructs");
    for (uint32_t i = 0; i < p->n; i++) // the innermost first
        text_add(&t, "%s%s", i ? " in " : "in ", parts[p->part[p->n - 1 - i]]);
    if (p->is_after)
        ADD(&t, ", ", "after %s %s", p->after == DIAG_IF ? "an" : "a", constructs[p->after]);
    return t.v;
}

static const char *flow(struct arena *a, const struct diag_flow *f)
{
    static const char *const cases[] = {
        [DIAG_CASES] = "a switch",
        [DIAG_CASES_SHARED] = "a switch with a shared case",
        [DIAG_CASES_SHARED_DEFAULT] = "a switch with a case shared with the default",
        [DIAG_CASES_FALL] = "a switch with a fall-through",
        [DIAG_CASES_FALL_TO_DEFAULT] = "a switch that falls through to its default",
        [DIAG_CASES_DEFAULT_FALLS] = "a switch whose default falls through"};
    struct text t = {.arena = a};
    text_addn(&t, "", 0);
    if (f->loop)
        text_add(&t, "a loop");
    if (f->cases)
        ADD(&t, " and ", "%s", cases[f->cases]);
    if (!t.n && f->ifs)
        text_add(&t, f->ifs > 1 ? "several ifs" : "an if");
    if (!t.n && f->call)
        text_add(&t, "a call");
    if (!t.n && f->atomic)
        text_add(&t, "%s outside all constructs", spv_op_name(f->atomic));
    if (f->left)
        ADD(&t, ", ", "left from inside the switch");
    if (f->phis)
        ADD(&t, ", ", "several OpPhi");
    return t.n ? arena_printf(a, "with %s", t.v) : "without constructs";
}

// ---- how a tangle is wrong --------------------------------------------------------------------

static const char *pattern(struct arena *a, const struct diag_signature *s)
{
    static const char *const where[] = {[DIAG_WHOLE] = "although all lanes execute it",
                                        [DIAG_PART] = "if some lanes do not execute it",
                                        [DIAG_UNFULL] = "counts lanes that do not exist"};
    static const char *const arms[] = {[DIAG_ONLY_ARM] = ", in the only arm of an if",
                                       [DIAG_FIRST_ARM] = ", in the first arm of an if",
                                       [DIAG_SECOND_ARM] = ", in the second arm of an if"};
    const struct diag_pattern *m = &s->pattern;
    struct text t = {.arena = a};
    text_addn(&t, "", 0);
    if (m->where)
        text_add(&t, "%s%s", where[m->where], m->wide ? ", with five lanes or more" : "");
    else
        text_add(&t, "%s", diag_tangle_words(a, m));
    if (s->about == DIAG_ANY_OP)
        ADD(&t, ", ", "%s%s", flow(a, &s->flow), s->arm ? arms[s->arm] : "");
    return t.v;
}

const char *diag_place_words(struct arena *a, const struct diag_signature *s)
{
    const char *detail = diag_change_detail(a, &s->change);
    if (s->change.did)
        return arena_printf(a, "%s%s%s%s", diag_did_words(&s->change), detail[0] ? " (" : "",
                            detail, detail[0] ? ")" : "");
    if (!s->probed)
        return path(a, &s->path);
    const char *place = s->about ? pattern(a, s) : flow(a, &s->flow);
    return detail[0] ? arena_printf(a, "%s; the output has %s", place, detail) : place;
}
