// SPDX-License-Identifier: Apache-2.0
//
// Folds long loops of a picture: of consecutive equal iterations, the first and the last are shown.
// Iterations are equal if the same lanes execute the same steps.
#include "tangles.h"

#include <string.h>

enum { FOLD_AT = 4 }; // fold at least this many equal iterations

static bool next_iteration(const struct report_step *s)
{
    return !s->is_op && strcmp(s->rule, "loop") == 0;
}

static bool same_subgroup(const struct report_step *x, const struct report_step *y)
{
    return x->workgroup == y->workgroup && x->subgroup == y->subgroup;
}

static bool equal(const struct report_step *x, const struct report_step *y)
{
    return x->id == y->id && x->is_op == y->is_op && x->active == y->active && x->live == y->live &&
           x->depth == y->depth && x->folded == y->folded && !x->wrong && !y->wrong &&
           strcmp(x->rule, y->rule) == 0;
}

// Returns the end of the iteration that begins at `from`: the next one of its loop, or n.
static size_t iteration_end(const struct report_step *v, size_t n, size_t from)
{
    for (size_t k = from + 1; k < n && same_subgroup(&v[k], &v[from]); k++)
        if (next_iteration(&v[k]) && v[k].id == v[from].id && v[k].depth == v[from].depth)
            return k;
    return n;
}

// Returns the number of equal iterations from `from` on, each `length` steps long.
static size_t count_equal(const struct report_step *v, size_t n, size_t from, size_t length)
{
    size_t count = 1;
    for (size_t at = from + length; at + length <= n; at += length, count++)
        for (size_t k = 0; k < length; k++)
            if (!same_subgroup(&v[at + k], &v[from]) || !equal(&v[at + k], &v[from + k]))
                return count;
    return count;
}

size_t report_fold(struct report_step *v, size_t n)
{
    for (bool again = true; again;) { // inner loops first: outer iterations may become equal
        size_t out = 0;
        again = false;
        for (size_t k = 0; k < n;) {
            const size_t end = next_iteration(&v[k]) ? iteration_end(v, n, k) : n;
            const size_t length = end - k, count = end < n ? count_equal(v, n, k, length) : 1;
            bool inner = false; // has an inner loop to fold, which comes first
            for (size_t i = k + 1; i < end && end < n; i++)
                inner |= next_iteration(&v[i]) &&
                         count_equal(v, n, i, iteration_end(v, n, i) - i) >= FOLD_AT;
            if (count < FOLD_AT || inner) {
                v[out++] = v[k++];
                continue;
            }
            memmove(&v[out], &v[k], length * sizeof *v);
            out += length;
            const size_t left_out = count - 2;
            struct report_step gap = v[k];
            gap.name = "";
            gap.rule = "";
            gap.line = 0;
            gap.folded = (uint32_t)left_out;
            k += length * (count - 1);
            v[out++] = gap; // fits: at least two iterations of at least one step are left out
            memmove(&v[out], &v[k], length * sizeof *v);
            out += length;
            k += length;
            again = true;
        }
        n = out;
    }
    return n;
}
