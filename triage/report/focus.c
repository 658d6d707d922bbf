// SPDX-License-Identifier: Apache-2.0
//
// Leaves steps of a picture out: those in which all invocations of a subgroup are together, or
// those far from a line of the source. One step says how many are missing there.
#include "tangles.h"

enum { NEXT = 1, AROUND = 4 }; // steps shown before and after a diverged one, one of the line

static bool same_subgroup(const struct report_step *x, const struct report_step *y)
{
    return x->workgroup == y->workgroup && x->subgroup == y->subgroup;
}

static bool is_wanted(const struct tangles *t, const struct report_step *s)
{
    return t->only ? s->focus : (s->live & ~s->active) != 0 || s->wrong;
}

// A block without a line of its own, that the same lanes come to as the step before: a jump.
static bool is_jump(const struct report_step *v, size_t k)
{
    return k && !v[k].is_op && !v[k].line && !v[k].folded && !v[k].joined &&
           same_subgroup(&v[k], &v[k - 1]) && v[k].active == v[k - 1].active;
}

size_t report_focus(const struct tangles *t, struct report_step *v, size_t n)
{
    const size_t reach = t->only ? AROUND : NEXT;
    struct arena a = {0};
    bool *keep = ARENA_ARRAY(&a, bool, n + 1);
    size_t out = 0;
    for (size_t k = 0; k < n; k++)
        v[k].focus = t->line && v[k].line == t->line;
    for (size_t k = 0; k < n; k++) {
        keep[k] |= !t->only && !t->diverged && !(t->picture.by_source && is_jump(v, k));
        if ((!t->only && !t->diverged) || !is_wanted(t, &v[k]))
            continue;
        for (size_t j = k > reach ? k - reach : 0; j <= k + reach && j < n; j++)
            keep[j] |= same_subgroup(&v[j], &v[k]);
    }
    for (size_t k = 0; k < n;) {
        size_t gap = k;
        while (gap < n && !keep[gap] && same_subgroup(&v[gap], &v[k]))
            gap++;
        if (gap == k) {
            v[out++] = v[k++];
            continue;
        }
        if (t->only || t->diverged) {
            struct report_step none = v[k];
            none.left_out = (uint32_t)(gap - k);
            none.name = none.rule = "";
            none.line = 0;
            v[out++] = none;
        }
        k = gap;
    }
    arena_free(&a);
    return out;
}
