// SPDX-License-Identifier: Apache-2.0
//
// The lines by which the code before and after a pass differ: the shortest edit from one text to
// the other, by Myers' greedy algorithm ("An O(ND) Difference Algorithm and Its Variations", 1986).
#include "passes.h"

#include <string.h>

struct line {
    const char *s;
    uint32_t n, number;
    uint64_t hash; // of its words, without a comment
};
struct lines {
    struct line *v;
    size_t n, cap;
};

static uint64_t words_hash(const char *s, uint32_t n)
{
    uint64_t h = 14695981039346656037u; // FNV-1a
    bool blank = true;
    for (uint32_t i = 0; i < n && !(s[i] == '/' && i + 1 < n && s[i + 1] == '/'); i++) {
        if (s[i] == ' ' || s[i] == '\t') {
            blank = true;
            continue;
        }
        h = blank ? (h ^ ' ') * 1099511628211u : h;
        h = (h ^ (uint8_t)s[i]) * 1099511628211u;
        blank = false;
    }
    return h;
}

// Lines with words; the others never count.
static struct lines split(struct arena *a, const char *text)
{
    const uint64_t none = words_hash("", 0);
    struct lines out = {0};
    for (uint32_t number = 1; *text; number++) {
        const size_t n = strcspn(text, "\n");
        const struct line l = {text, (uint32_t)n, number, words_hash(text, (uint32_t)n)};
        if (l.hash != none)
            *VEC_PUSH(a, &out) = l;
        text += n + (text[n] == '\n');
    }
    return out;
}

// Walks back from the end through the furthest points reached with d edits, and fills *out in
// order.
static void edits(const struct lines *x, const struct lines *y, int32_t *const *reached, int32_t d,
                  struct passes_change *out)
{
    int32_t i = (int32_t)x->n, k = i - (int32_t)y->n;
    for (; d > 0; d--) {
        const int32_t *v = reached[d - 1] + d; // [-d .. d]
        const bool down = k == -d || (k != d && v[k - 1] < v[k + 1]);
        k += down ? 1 : -1;
        i = v[k];
        const struct line *l = down ? &y->v[i - k] : &x->v[i];
        out[d - 1] = (struct passes_change){down, l->number, l->s, l->n};
    }
}

uint32_t passes_difference(struct arena *a, const char *before, const char *after,
                           struct passes_change **out)
{
    const struct lines x = split(a, before), y = split(a, after);
    int32_t *reached[PASSES_CHANGES + 1];
    for (int32_t d = 0; d <= PASSES_CHANGES; d++) {
        int32_t *v = ARENA_ARRAY(a, int32_t, (size_t)(2 * d + 3)) + d + 1;
        const int32_t *last = d ? reached[d - 1] + d : NULL;
        reached[d] = v - d - 1;
        for (int32_t k = -d; k <= d; k += 2) {
            int32_t i = !d                                                 ? 0
                        : k == -d || (k != d && last[k - 1] < last[k + 1]) ? last[k + 1]
                                                                           : last[k - 1] + 1;
            while (i < (int32_t)x.n && i - k < (int32_t)y.n && i - k >= 0 &&
                   x.v[i].hash == y.v[i - k].hash)
                i++;
            v[k] = i;
            if (k != (int32_t)x.n - (int32_t)y.n || i < (int32_t)x.n)
                continue;
            *out = ARENA_ARRAY(a, struct passes_change, (size_t)d);
            edits(&x, &y, reached, d, *out);
            return (uint32_t)d;
        }
    }
    *out = NULL;
    return UINT32_MAX;
}
