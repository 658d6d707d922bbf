// SPDX-License-Identifier: Apache-2.0
//
// The order of review: furthest point first. The greedy walk that starts with the
// biggest bucket and goes on with the one that is least like all those before it. Who has
// looked at the first few hundred has seen what there is: the rest is ordered by size.
#include "store_parts.h"

#include <stdlib.h>
#include <string.h>

enum { WALK = 300 }; // steps of the walk; each looks at all buckets

// Words of a path that one has and the other has not.
static unsigned path_distance(const char *x, const char *y)
{
    unsigned d = 0;
    const char *pair[2] = {x, y};
    for (int k = 0; k < 2; k++)
        for (const char *s = pair[k]; *s;) {
            size_t n = strcspn(s, "/+");
            bool found = false;
            for (const char *t = pair[1 - k]; *t && !found;) {
                size_t m = strcspn(t, "/+");
                found = m == n && strncmp(s, t, n) == 0;
                t += m + (t[m] != 0);
            }
            d += !found;
            s += n + (s[n] != 0);
        }
    return d;
}

static unsigned distance(const struct store_bucket *x, const struct store_bucket *y)
{
    static const unsigned weight[] = {8, 6, 4, 4, 4, 2};
    const char *pair[][2] = {{x->klass, y->klass},   {x->culprit, y->culprit},
                             {x->family, y->family}, {x->message, y->message},
                             {x->rule, y->rule},     {x->op, y->op}};
    unsigned d = path_distance(x->path, y->path);
    for (size_t k = 0; k < sizeof weight / sizeof *weight; k++)
        d += strcmp(pair[k][0], pair[k][1]) != 0 ? weight[k] : 0;
    return d;
}

static int biggest_first(const void *x, const void *y)
{
    const struct store_bucket *a = x, *b = y;
    return a->findings != b->findings ? (a->findings < b->findings) - (a->findings > b->findings)
                                      : strcmp(a->name, b->name);
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
