// SPDX-License-Identifier: Apache-2.0
//
// Experiments as sentences: what was changed, what was predicted, what was observed.
#include "experiment_parts.h"
#include "words.h"

#include "spirv/spirv_groups.h"
#include "spirv/spirv_ops.h"

#include <string.h>

// Returns a constant by its type: "4", "-1.5", "true".
static const char *number(struct arena *a, const struct diag_names *n, const struct diag_tweak *t,
                          uint32_t bits)
{
    const struct spv_inst *x = n->m && t->at < n->m->inst_count ? &n->m->insts[t->at] : NULL,
                          *d = x && t->operand < x->n ? spv_def(n->m, x->v[t->operand]) : NULL,
                          *type = d ? spv_def(n->m, d->type) : NULL;
    float f;
    memcpy(&f, &bits, sizeof f);
    if (type && type->op == SpvOpTypeBool)
        return bits ? "true" : "false";
    return type && type->op == SpvOpTypeFloat ? arena_printf(a, "%g", (double)f)
                                              : arena_printf(a, "%u", bits);
}

static const char *instruction(struct arena *a, const struct diag_names *n,
                               const struct diag_tweak *t)
{
    const struct spv_inst *x = n->m && t->at < n->m->inst_count ? &n->m->insts[t->at] : NULL;
    return x && x->result
               ? arena_printf(a, "%s %s", spv_op_name(t->opcode), words_name(a, n, x->result))
               : arena_printf(a, "the %s of block %s", spv_op_name(t->opcode),
                              words_name(a, n, t->id));
}

// Returns what stands in the place of what: "OpIMul", "InclusiveScan", "5", "NonUniform".
static const char *token(struct arena *a, const struct diag_names *n, const struct diag_tweak *t,
                         uint32_t v)
{
    switch ((enum diag_tweak_kind)t->kind) {
    case DIAG_TWEAK_OPCODE:
        return spv_op_name(v);
    case DIAG_TWEAK_FORM:
        return spv_group_form_name(v);
    case DIAG_TWEAK_CONSTANT:
        return number(a, n, t, v);
    case DIAG_TWEAK_DECORATION:
    case DIAG_TWEAK_PLAIN:
        return tweak_decoration_name(v);
    case DIAG_TWEAK_LITERAL:
    case DIAG_TWEAK_SIZE:
        return arena_printf(a, "%u", v);
    default:
        return "";
    }
}

// `to`: the new token, or several.
static const char *tweak(struct arena *a, const struct diag_tweak *t, const struct diag_names *n,
                         const char *to)
{
    const char *was = token(a, n, t, t->from);
    switch ((enum diag_tweak_kind)t->kind) {
    case DIAG_TWEAK_OPCODE:
        return arena_printf(a, "with %s in place of %s", to, instruction(a, n, t));
    case DIAG_TWEAK_FORM:
        return arena_printf(a, "with %s in place of %s in %s", to, was, instruction(a, n, t));
    case DIAG_TWEAK_CONSTANT:
        return arena_printf(a, "with %s in place of %s as operand %u of %s", to, was,
                            t->operand + 1, instruction(a, n, t));
    case DIAG_TWEAK_COMPLEMENT:
        return arena_printf(a, "with the complement of operand %u of %s", t->operand + 1,
                            instruction(a, n, t));
    case DIAG_TWEAK_LANES:
        return arena_printf(a, "with a value that differs by lane as operand %u of %s",
                            t->operand + 1, instruction(a, n, t));
    case DIAG_TWEAK_SIDES:
        return arena_printf(a, "with the two sides of the branch of block %s exchanged",
                            words_name(a, n, t->id));
    case DIAG_TWEAK_ALWAYS:
        return t->opcode == SpvOpSwitch
                   ? arena_printf(a, "with the switch of block %s always taking its first case",
                                  words_name(a, n, t->id))
                   : arena_printf(a, "with the branch of block %s always taking its %s side",
                                  words_name(a, n, t->id), t->to ? "first" : "second");
    case DIAG_TWEAK_LITERAL:
        return arena_printf(a, "with case %s in place of case %s in the switch of block %s", to,
                            was, words_name(a, n, t->id));
    case DIAG_TWEAK_SIZE:
        return arena_printf(a, "with a workgroup %s wide instead of %s", to, was);
    case DIAG_TWEAK_GONE:
        return arena_printf(a, "without %s, and a plain value in its place", instruction(a, n, t));
    case DIAG_TWEAK_PLAIN:
        return arena_printf(a, "without the decoration %s of %s", was, words_name(a, n, t->id));
    case DIAG_TWEAK_DECORATION:
        return arena_printf(a, "with %s in place of the decoration %s of %s", to, was,
                            words_name(a, n, t->id));
    case DIAG_TWEAK_HINT:
        return arena_printf(a, "without the control hints of the %s of block %s",
                            spv_op_name(t->opcode), words_name(a, n, t->id));
    default:
        return "";
    }
}

const char *diag_tweak_words(struct arena *a, const struct diag_tweak *t,
                             const struct diag_names *n)
{
    return tweak(a, t, n, token(a, n, t, t->to));
}

// ---- controls of a reason ------------------------------------------------------------------

static const char *of_change(struct arena *a, const struct diag_reason *r,
                             const struct diag_names *n)
{
    const struct diag_control *wrong = NULL, *right = NULL;
    struct text t = {.arena = a};
    for (int i = r->controls; i-- > 0;)
        *(r->control[i].wrong ? &wrong : &right) = &r->control[i];
    if (!wrong)
        return "";
    text_add(&t, "Control: %s, the compiler makes the same change, and memory is wrong again.",
             diag_tweak_words(a, &wrong->tweak, n));
    if (right)
        text_add(&t, " Memory is right %s%s.", diag_tweak_words(a, &right->tweak, n),
                 right->made ? ", where the change does no harm"
                             : "; the change is not made there");
    text_add(&t, " %u such programs were run; memory was wrong in none without the change.",
             r->asked);
    return t.v;
}

static const char *of_record(struct arena *a, const struct diag_reason *r,
                             const struct diag_names *n)
{
    const struct diag_control *c = &r->control[0];
    const struct spv_inst *d = n->m ? spv_def(n->m, r->op) : NULL;
    const bool wide = d && words_bits(n, d->type) == 64; // a control holds 32 bits
    const char *what = wide ? "its result is wrong again"
                            : arena_printf(a, "it %s %s instead of %s", r->other ? "is" : "returns",
                                           words_result(a, n, r->op, c->observed),
                                           words_result(a, n, r->op, c->expected));
    return arena_printf(a,
                        "Control: %s, %s. %u such programs were run. The result is wrong in %u of "
                        "them, and in all of them any other wrong word follows from it.",
                        diag_tweak_words(a, &c->tweak, n), what, r->asked, r->confirmed);
}

const char *diag_control_words(struct arena *a, const struct diag_reason *r,
                               const struct diag_names *n)
{
    const struct diag_control *c = &r->control[0];
    struct text t = {.arena = a};
    if (!r->controls)
        return "";
    if (c->by_change)
        return of_change(a, r, n);
    if (r->known == DIAG_BY_RECORD)
        return of_record(a, r, n);
    const char *change = diag_tweak_words(a, &c->tweak, n);
    if (c->undefined)
        text_add(&t,
                 "Control: %s, this reading predicts no defined value in word %u of set %u, "
                 "binding %u; observed no defined value.",
                 change, c->word, c->set, c->binding);
    else
        text_add(&t,
                 "Control: %s, this reading predicts %u in word %u of set %u, binding %u; "
                 "observed %u.",
                 change, c->predicted, c->word, c->set, c->binding, c->observed);
    if (c->undefined || c->expected != c->predicted)
        text_add(&t, " By the rules it is %u.", c->expected);
    if (c->rival_why && (c->undefined || c->rival != c->predicted))
        text_add(&t, " Its best rival (%s) predicts %u.", why_rows[c->rival_why].phrase, c->rival);
    text_add(&t,
             " %u such program%s asked; on %u of them this reading predicts a fault, and each "
             "word was as it predicts.",
             r->asked, r->asked == 1 ? " was" : "s were", r->confirmed);
    return t.v;
}

// ---- trials of a crash -------------------------------------------------------------------------

enum { SHOWN = 4 };

static bool same_place(const struct diag_tweak *x, const struct diag_tweak *y)
{
    return x->kind == y->kind && x->at == y->at && x->operand == y->operand && x->from == y->from &&
           x->kind != DIAG_TWEAK_ALWAYS;
}

// Adds the changes that failed, or those that did not; those of one token as one. Returns their
// number.
static uint32_t list(struct text *out, const struct diag_trials *t, bool fails,
                     const struct diag_names *n)
{
    uint32_t parts = 0, left = 0;
    for (uint32_t i = 0; i < t->n; i++) {
        const struct diag_tweak *x = &t->trial[i].tweak;
        struct text to = {.arena = out->arena};
        bool again = t->trial[i].fails != fails;
        for (uint32_t k = 0; k < i && !again; k++)
            again = t->trial[k].fails == fails && same_place(&t->trial[k].tweak, x);
        if (again)
            continue;
        for (uint32_t k = i; k < t->n; k++)
            if (t->trial[k].fails == fails && same_place(&t->trial[k].tweak, x))
                text_add(&to, "%s%s", to.n ? " or " : "",
                         token(out->arena, n, x, t->trial[k].tweak.to));
        if (parts < SHOWN)
            text_add(out, "%s%s", parts ? "; " : "", tweak(out->arena, x, n, to.n ? to.v : ""));
        left += parts >= SHOWN;
        parts++;
    }
    if (left)
        text_add(out, "; and with %u more change%s", left, left == 1 ? "" : "s");
    return parts;
}

const char *diag_trials_words(struct arena *a, const struct diag_trials *t,
                              const struct diag_names *n)
{
    struct text all = {.arena = a}, fails = {.arena = a}, passes = {.arena = a};
    text_addn(&all, "", 0);
    if (list(&fails, t, true, n))
        text_add(&all, "It fails in the same way %s.", fails.v);
    if (list(&passes, t, false, n))
        text_add(&all, "%sIt does not fail in this way %s.", all.n ? " " : "", passes.v);
    return all.v;
}
