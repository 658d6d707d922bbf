// SPDX-License-Identifier: Apache-2.0
//
// Computes from a verdict on a case what it has in common with other findings of the same bug: the
// text that is hashed to the bucket's name; and decides whether a smaller case still shows it.
#include "construct.h"
#include "reason.h"
#include "rows.h"

#include <string.h>

// ---- the signature ----------------------------------------------------------------

// Writes ten letters from 64 bits, consonants and vowels in turn, to be pronounceable.
void diag_bucket_name(const char *text, char out[16])
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

// Reports whether the class itself names the wrong lanes: ballots and similar results.
bool signature_names_lanes(enum judge_class k)
{
    return k == JUDGE_MISSING_LANES || k == JUDGE_EXTRA_LANES || k == JUDGE_WRONG_SET;
}

void diag_signature_finish(struct diag_signature *s)
{
    struct arena a = {0};
    s->bug_class = signature_bug_class(s);
    signature_words(&a, s);
    arena_free(&a);
}

void diag_signature_probed(struct diag_signature *s, enum diag_what at_fault,
                           const struct diag_pattern *pattern)
{
    bool any = at_fault == DIAG_ANY;
    bool reached = s->klass != JUDGE_MISSING_EXECUTION && s->klass != JUDGE_EXTRA_EXECUTION;
    bool known = pattern->extra.rules || pattern->extra.ways || pattern->missing.rules ||
                 pattern->missing.ways;
    s->probed = true;
    s->pattern = *pattern;
    if (!any && pattern->extra.ways >> DIAG_ABSENT & 1)
        s->pattern = (struct diag_pattern){.where = DIAG_UNFULL};
    if (s->about && any)
        s->about = DIAG_ANY_OP;
    if (at_fault == DIAG_INNER && s->inner.opcode) {
        s->exact = s->inner;
        s->bits.opcode = 0;
        s->pair = DIAG_NO_PAIR;
    }
    // An operation decides which lanes reach the store, and it is still in the reduced case: so it
    // matters.
    if (!s->about && s->guard.opcode) {
        s->about = DIAG_GUARD;
        s->exact = s->guard;
    }
    // A lane took a wrong path or has a wrong value, and no tangle is at fault.
    if ((at_fault == DIAG_INNER && !s->inner.opcode) || at_fault == DIAG_LATER ||
        (any && (!reached || !known)))
        s->about = DIAG_NOTHING;
    if (s->about != DIAG_THE_OP)
        s->op = SPV_GROUP_NONE;
    diag_signature_finish(s);
}

void diag_signature_alone(struct diag_signature *s, const struct diag_alone *op)
{
    if (!s->about || s->about == DIAG_ANY_OP)
        return;
    s->exact = diag_alone_op(op);
    s->pattern =
        (struct diag_pattern){.where = op->part ? DIAG_PART : DIAG_WHOLE, .wide = op->lanes > 4};
    s->bits.opcode = 0;
    s->pair = DIAG_NO_PAIR;
    diag_signature_finish(s);
}

void diag_signature_reasoned(struct diag_signature *s, const struct diag_reason *r)
{
    const bool one_operation = s->probed && s->about == DIAG_THE_OP && !s->change.did;
    if (r->confirmed < 2)
        return;
    if (one_operation && why_is(r->why, WHY_OPERATION) && r->hypothesis.mistake == DIAG_RULE_BROKEN)
        s->fault = r->hypothesis.fault;
    // What depends on the helper status is then a load, whichever instruction uses its value.
    if (s->change.did == DIAG_ASKED && s->change.opcode != SpvOpAccessChain &&
        r->why == DIAG_HELPERS_LOAD)
        s->change.opcode = SpvOpLoad;
    diag_signature_finish(s);
}

void diag_signature_changed(struct diag_signature *s, const struct spv_case *c,
                            const uint32_t *output, size_t output_count)
{
    bool wrong = judge_class_is_mismatch(s->klass) || s->klass == JUDGE_UNDEFINED_OUTPUT;
    if (!wrong || judge_class_is_mapping(s->klass))
        return;
    diag_change(c->words, c->count, output, output_count, &s->change);
    diag_signature_finish(s);
}

// ---- all together --------------------------------------------------------------------

void diag_signature(const struct spv_case *c, const struct judge_verdict *v, const char *target,
                    const char *driver, const char *target_output, const char *culprit,
                    struct diag_signature *out)
{
    *out = (struct diag_signature){.klass = v->klass};
    struct arena a = {0};
    snprintf(out->family, sizeof out->family, "%s", run_family(&a, target, driver));
    if (culprit)
        snprintf(out->culprit, sizeof out->culprit, "%s", culprit);
    else
        signature_pass(target, out->culprit, sizeof out->culprit);
    if (judge_class_is_mismatch(v->klass) && !judge_class_is_mapping(v->klass)) {
        struct spv_module m;
        struct site s = {0};
        if (spv_module_read(&a, c->words, c->count, &m, NULL))
            site_find(&a, c, &m, v, &s);
        if (s.found)
            construct_path(&a, &m, s.has_op ? s.op : s.store, &out->path);
        if (s.found && !judge_weak(c->model))
            out->rule = construct_rule(&out->path);
        if (s.has_op) {
            out->about = DIAG_THE_OP;
            out->op = spv_group_class(&m.insts[s.op]);
            out->exact = shape_op(&m, &m.insts[s.op]);
            out->pair = shape_pair(&a, &m, s.op);
            out->arm = shape_arm(&a, &m, s.op);
        }
        if (s.inner)
            out->inner = shape_op(&m, &m.insts[s.inner]);
        if (s.guard)
            out->guard = shape_op(&m, &m.insts[s.guard]);
        if (s.has_op && s.bits)
            out->bits = shape_op(&m, &m.insts[s.bits]);
        out->flow = shape_flow(&a, &m);
    } else if (!judge_class_is_mapping(v->klass)) {
        // For a wrong module the text is our own; the output of the target (its list of passes)
        // varies.
        bool ours = v->klass == JUDGE_INVALID_OUTPUT || v->klass == JUDGE_UNDEFINED_OUTPUT;
        if (target_output && !ours)
            signature_message(&a, target_output, 0, out->message, sizeof out->message);
        else
            signature_message(&a, v->text, v->repair_at, out->message, sizeof out->message);
    }
    diag_signature_finish(out);
    arena_free(&a);
}

bool diag_same_kind(const struct diag_signature *was, const struct diag_signature *is)
{
    if (strcmp(was->family, is->family) != 0)
        return false;
    if (!judge_class_is_mismatch(was->klass))
        return was->klass == is->klass && strcmp(was->message, is->message) == 0 &&
               (!was->site || !is->site || was->site == is->site);
    bool op_was = was->about, op_is = is->about;
    // Whether an operation decided which lanes reach the store does not matter.
    bool reached = was->klass != JUDGE_MISSING_EXECUTION && was->klass != JUDGE_EXTRA_EXECUTION;
    if (was->klass == is->klass)
        return op_was == op_is || !reached;
    return was->klass == JUDGE_WRONG_VALUE && op_was && signature_names_lanes(is->klass) && op_is;
}
