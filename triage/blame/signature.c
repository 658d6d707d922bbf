// SPDX-License-Identifier: Apache-2.0
//
// A verdict on a case -> what makes it the same bug as another: the text that is
// hashed to the bucket's name, and whether a smaller case still shows it.
#include "construct.h"

#include <ctype.h>
#include <string.h>

// ---- the signature ----------------------------------------------------------------

// Ten letters of 64 bits: consonant and vowel by turns, so that it can be said.
void blame_bucket_name(const char *text, char out[16])
{
    static const char soft[] = "bdfghjklmnprstvwz", vowel[] = "aeiou";
    uint64_t h = hash64(text, strlen(text));
    for (int i = 0; i < 10; i += 2) {
        out[i] = soft[h % 17];
        h /= 17;
        out[i + 1] = vowel[h % 5];
        h /= 5;
    }
    out[10] = 0;
}

// Ballots and everything else whose result is the tangle's doing.
static bool tells_lanes(enum judge_class k)
{
    return k == JUDGE_MISSING_LANES || k == JUDGE_EXTRA_LANES || k == JUDGE_WRONG_SET;
}

// A wrong result of a group operation is a wrong tangle: which of the classes it looks like
// depends on the operation and the inputs.
static const char *class_of(const struct blame_signature *s)
{
    bool lanes = s->op[0] && (tells_lanes(s->klass) || s->klass == JUDGE_WRONG_VALUE ||
                              s->klass == JUDGE_WRONG_MEMORY || s->probed);
    bool flow = s->probed && judge_class_is_mismatch(s->klass) && s->klass != JUDGE_WRONG_MAPPING;
    return lanes ? "wrong-tangle" : flow ? "wrong-flow" : judge_class_name(s->klass);
}

// The text's fields "op" and "where" of a reduced case: see docs/dedup.md.
static void what_and_where(const struct blame_signature *s, char *op, char *where, size_t size)
{
    const char *pair = s->pair ? s->pair : "";
    op[0] = where[0] = 0;
    // One selection more before an operation or before a wrong turn only leads there.
    bool one = !s->op[0] || strstr(s->manner, "before");
    const char *flow = one && strcmp(s->flow, "ifs") == 0 ? "if" : s->flow;
    if (!s->op[0]) {
        snprintf(where, size, "%s", flow);
    } else if (strcmp(s->op, "any") == 0) {
        // By M3, M4 and M5 the construct is told; around a selection there may be a loop.
        bool open = strstr(s->manner, "M1") || strstr(s->manner, "before");
        const char *arm = strstr(s->manner, "extra: M1") && s->arm[0] ? s->arm : "";
        snprintf(op, size, "any%s%s", pair[0] ? ", another " : "", pair);
        snprintf(where, size, "%s%s%s%s%s%s", s->manner, open ? " (" : "", open ? flow : "",
                 arm[0] ? ", " : "", arm, open ? ")" : "");
    } else {
        bool reader = s->bits[0] && strcmp(s->manner, "absent") != 0;
        snprintf(op, size, "%s%s", reader ? s->bits : s->exact, pair[0] ? ", twice" : "");
        snprintf(where, size, "%s", s->manner);
    }
}

// What follows from the fields.
static void finish(struct blame_signature *s)
{
    char op[96], where[160];
    s->rule_text = blame_rule_text(s->rule);
    s->taxonomy = signature_taxonomy(s);
    if (s->telling) {
        snprintf(s->text, sizeof s->text, "2|%s|wrong-code||%s||%s", s->family, s->change,
                 s->culprit);
    } else if (s->probed) {
        what_and_where(s, op, where, sizeof op);
        snprintf(s->text, sizeof s->text, "2|%s|%s|%s|%s%s%s|%s|%s", s->family, class_of(s), op,
                 where, s->change[0] ? "; " : "", s->change, s->message, s->culprit);
    } else {
        snprintf(s->text, sizeof s->text, "1|%s|%s|%s|%s|%s|%s", s->family, class_of(s), s->op,
                 s->path, s->message, s->culprit);
    }
    blame_bucket_name(s->text, s->name);
}

void blame_signature_probed(struct blame_signature *s, enum blame_what blame, const char *manner)
{
    bool any = blame == BLAME_ANY;
    bool reached = s->klass != JUDGE_MISSING_EXECUTION && s->klass != JUDGE_EXTRA_EXECUTION;
    bool told = manner && (strncmp(manner, "extra", 5) == 0 || strncmp(manner, "missing", 7) == 0);
    s->probed = true;
    snprintf(s->manner, sizeof s->manner, "%s", manner ? manner : "");
    if (!any && strstr(s->manner, "absent"))
        snprintf(s->manner, sizeof s->manner, "absent");
    if (s->op[0] && any)
        snprintf(s->op, sizeof s->op, "any");
    if (blame == BLAME_INNER && s->inner[0]) {
        snprintf(s->exact, sizeof s->exact, "%s", s->inner);
        s->bits[0] = 0;
        s->pair = NULL;
    }
    // What decides who comes by is left over: then it is not only on the way.
    if (!s->op[0] && s->guard[0]) {
        snprintf(s->op, sizeof s->op, "guard");
        snprintf(s->exact, sizeof s->exact, "%s", s->guard);
    }
    // Somebody went the wrong way or has a wrong value, and no tangle is to blame for it.
    if ((blame == BLAME_INNER && !s->inner[0]) || (any && (!reached || !told)))
        s->op[0] = 0;
    finish(s);
}

void blame_signature_alone(struct blame_signature *s, const char *op, const char *place)
{
    if (!s->op[0] || strcmp(s->op, "any") == 0)
        return;
    snprintf(s->exact, sizeof s->exact, "%s", op);
    snprintf(s->manner, sizeof s->manner, "%s", place);
    s->bits[0] = 0;
    s->pair = NULL;
    finish(s);
}

void blame_signature_changed(struct blame_signature *s, const struct spv_case *c,
                             const uint32_t *output, size_t output_count)
{
    bool wrong = judge_class_is_mismatch(s->klass) || s->klass == JUDGE_UNDEFINED_OUTPUT;
    if (!wrong || s->klass == JUDGE_WRONG_MAPPING)
        return;
    s->telling = blame_change(c->words, c->count, output, output_count, s->change);
    finish(s);
}

// ---- all together --------------------------------------------------------------------

void blame_signature(const struct spv_case *c, const struct judge_verdict *v, const char *target,
                     const char *driver, const char *subject_text, const char *culprit,
                     struct blame_signature *out)
{
    *out = (struct blame_signature){.klass = v->klass, .taxonomy = "", .rule_text = "", .arm = ""};
    struct arena a = {0};
    snprintf(out->family, sizeof out->family, "%s", run_family(&a, target, driver));
    if (culprit)
        snprintf(out->culprit, sizeof out->culprit, "%s", culprit);
    else
        signature_pass(target, out->culprit, sizeof out->culprit);
    if (judge_class_is_mismatch(v->klass) && v->klass != JUDGE_WRONG_MAPPING) {
        struct spv_module m;
        struct site s = {0};
        if (spv_module_read(&a, c->words, c->count, &m, NULL))
            site_find(&a, c, &m, v, &s);
        struct text path = {.arena = &a};
        text_addn(&path, "", 0);
        if (s.found)
            construct_path(&a, &m, s.has_op ? s.op : s.store, &path, out->rule);
        if (judge_weak(c->model))
            out->rule[0] = 0;
        if (s.has_op) {
            snprintf(out->op, sizeof out->op, "%s",
                     spv_group_class_name(spv_group_class(&m.insts[s.op])));
            shape_op(&m, &m.insts[s.op], out->exact, sizeof out->exact);
            out->pair = shape_pair(&a, &m, s.op);
            out->arm = shape_arm(&a, &m, s.op);
        }
        if (s.inner)
            shape_op(&m, &m.insts[s.inner], out->inner, sizeof out->inner);
        if (s.guard)
            shape_op(&m, &m.insts[s.guard], out->guard, sizeof out->guard);
        if (s.has_op && s.bits)
            shape_op(&m, &m.insts[s.bits], out->bits, sizeof out->bits);
        snprintf(out->path, sizeof out->path, "%s", path.v);
        shape_flow(&a, &m, out->flow, sizeof out->flow);
    } else if (v->klass != JUDGE_WRONG_MAPPING) {
        // What is wrong with a module that came out is in our words; what the subject says of
        // it (its list of passes) varies.
        bool ours = v->klass == JUDGE_INVALID_OUTPUT || v->klass == JUDGE_UNDEFINED_OUTPUT;
        if (subject_text && !ours)
            signature_message(&a, subject_text, 0, out->message, sizeof out->message);
        else
            signature_message(&a, v->text, v->repair_at, out->message, sizeof out->message);
    }
    finish(out);
    arena_free(&a);
}

bool blame_same_kind(const struct blame_signature *was, const struct blame_signature *is)
{
    if (strcmp(was->family, is->family) != 0)
        return false;
    if (!judge_class_is_mismatch(was->klass))
        return was->klass == is->klass && strcmp(was->message, is->message) == 0;
    bool op_was = was->op[0] != 0, op_is = is->op[0] != 0;
    // Whether an operation decided who comes by does not matter.
    bool reached = was->klass != JUDGE_MISSING_EXECUTION && was->klass != JUDGE_EXTRA_EXECUTION;
    if (was->klass == is->klass)
        return op_was == op_is || !reached;
    return was->klass == JUDGE_WRONG_VALUE && op_was && tells_lanes(is->klass) && op_is;
}
