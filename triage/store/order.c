// SPDX-License-Identifier: Apache-2.0
//
// The order of review, furthest point first: a greedy walk that starts with the biggest bucket and
// continues with the bucket that differs most from all those before it. The first few hundred cover
// the different bugs; the rest is sorted by size.
#include "store_parts.h"

#include <stdlib.h>
#include <string.h>

enum { WALK = 300 }; // steps of the walk; each compares with all buckets

// Counts the kinds of parts that are in one path and not in the other.
static unsigned path_distance(const struct diag_path *x, const struct diag_path *y)
{
    uint32_t parts[2] = {0};
    const struct diag_path *pair[2] = {x, y};
    for (int k = 0; k < 2; k++)
        for (uint32_t i = 0; i < pair[k]->n; i++)
            parts[k] |= 1u << pair[k]->part[i];
    return (unsigned)lane_count(parts[0] ^ parts[1]) +
           (unsigned)(x->is_after != y->is_after || x->after != y->after);
}

static unsigned distance(const struct store_bucket *x, const struct store_bucket *y)
{
    const struct diag_signature *p = x->signature, *q = y->signature;
    const bool same_op = p->about == q->about && diag_op_same(&p->exact, &q->exact);
    const struct {
        unsigned weight;
        bool differ;
    } rows[] = {
        {8, diag_class_words(p) != diag_class_words(q)},
        {6, strcmp(p->culprit, q->culprit) != 0},
        {4, strcmp(p->family, q->family) != 0},
        {4, strcmp(p->message, q->message) != 0},
        {4, finding_rule(store_shown(x->best)) != finding_rule(store_shown(y->best))},
        {2, !same_op},
        {2, !diag_change_equal(&p->change, &q->change)},
        {2, memcmp(&p->pattern, &q->pattern, sizeof p->pattern) != 0},
    };
    unsigned d = path_distance(&p->path, &q->path);
    for (size_t k = 0; k < sizeof rows / sizeof *rows; k++)
        d += rows[k].differ ? rows[k].weight : 0;
    return d;
}

static int biggest_first(const void *x, const void *y)
{
    const struct store_bucket *a = x, *b = y;
    return a->findings != b->findings ? (a->findings < b->findings) - (a->findings > b->findings)
                                      : strcmp(a->signature->name, b->signature->name);
}

void order_buckets(struct arena *a, struct store_bucket *v, uint32_t n)
{
    unsigned *near = ARENA_ARRAY(a, unsigned, n);
    for (uint32_t i = 0; i < n; i++)
        near[i] = UINT32_MAX;
    uint32_t walk = n < WALK ? n : WALK;
    for (uint32_t at = 0; at < walk; at++) {
        uint32_t best = at;
        for (uint32_t i = at + 1; i < n; i++)
            if (near[i] > near[best] || (near[i] == near[best] && v[i].findings > v[best].findings))
                best = i;
        struct store_bucket b = v[best];
        v[best] = v[at];
        near[best] = near[at];
        v[at] = b;
        for (uint32_t i = at + 1; i < n; i++) {
            unsigned d = distance(&v[i], &b);
            near[i] = d < near[i] ? d : near[i];
        }
    }
    if (n > walk)
        qsort(v + walk, n - walk, sizeof *v, biggest_first);
}
