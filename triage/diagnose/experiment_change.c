// SPDX-License-Identifier: Apache-2.0
//
// Tests a reason that is a compiler's change, where no hypothesis predicts the memory. If the
// change is the cause, then memory is wrong in other programs in which the compiler makes it, and
// right in programs in which it does not.
#include "experiment_parts.h"

enum { CONFIRMED = 2, ASKED = 12 };

struct seen {
    uint32_t wrong, right; // programs: changed and wrong; right
    bool refuted;          // not changed and wrong
};

static void see(const struct diag_tweak *t, const struct spv_case *c,
                const struct diag_signature *s, const struct experiment_answer *answer,
                struct seen *seen, struct diag_reason *out)
{
    struct diag_change change;
    const bool made =
        diag_change(c->words, c->count, answer->output, answer->output_count, &change) &&
        diag_change_equal(&change, &s->change);
    const bool wrong = judge_class_is_mismatch(answer->verdict.klass) ||
                       answer->verdict.klass == JUDGE_UNDEFINED_OUTPUT,
               right = answer->verdict.klass == JUDGE_AGREES ||
                       (answer->verdict.klass == JUDGE_NOTHING_COMPARED &&
                        s->klass == JUDGE_UNDEFINED_OUTPUT); // it is defined
    seen->wrong += made && wrong;
    seen->right += right;
    seen->refuted |= !made && wrong;
    if (out->controls < DIAG_CONTROLS)
        out->control[out->controls++] =
            (struct diag_control){.tweak = *t, .by_change = true, .made = made, .wrong = wrong};
}

void experiment_change(const struct spv_case *c, const struct diag_signature *s,
                       const struct experiment_target *t, uint32_t runs, struct diag_reason *out)
{
    struct arena a = {0};
    struct spv_module m;
    struct tweaks all = {0};
    struct seen seen = {0};
    uint32_t asked[DIAG_TWEAK_COUNT] = {0};
    if (spv_module_read(&a, c->words, c->count, &m, NULL))
        tweaks_of(&a, c, &m, false, &all);
    // One of each kind of change, then another one of each.
    for (uint32_t round = 0; round < 8 && !seen.refuted; round++)
        for (size_t i = 0; i < all.n && out->asked < runs && out->asked < ASKED; i++) {
            struct experiment_answer answer;
            struct spv_case with;
            const bool stop = t->stop && t->stop(t->stop_user);
            if (asked[all.v[i].kind] > round || !all.v[i].kind || stop ||
                !tweak_apply(&a, c, &m, &all.v[i], &with) || !t->ask(t->user, &a, &with, &answer) ||
                !answer.output)
                continue;
            out->asked++;
            asked[all.v[i].kind]++;
            see(&all.v[i], &with, s, &answer, &seen, out);
            all.v[i].kind = DIAG_NO_TWEAK; // asked
        }
    out->confirmed = (uint8_t)(seen.wrong + seen.right);
    if (seen.refuted || seen.wrong < CONFIRMED || !seen.right)
        *out = (struct diag_reason){.why = DIAG_WHY_UNKNOWN, .asked = out->asked};
    arena_free(&a);
}
