// SPDX-License-Identifier: Apache-2.0
//
// Two texts as lines that they share and lines that they do not.
#include "diff.h"

#include <string.h>

struct lines {
    const char **v;
    size_t *len, n;
};

static struct lines lines_of(struct arena *a, const char *s)
{
    struct lines out = {0};
    size_t n = 1;
    for (const char *p = s; *p; p++)
        n += *p == '\n';
    out.v = ARENA_ARRAY(a, const char *, n);
    out.len = ARENA_ARRAY(a, size_t, n);
    for (const char *p = s; *p;
         p += p[out.len[out.n - 1]] ? out.len[out.n - 1] + 1 : out.len[out.n - 1]) {
        out.v[out.n] = p;
        out.len[out.n++] = strcspn(p, "\n");
    }
    return out;
}

static bool same(const struct lines *x, size_t i, const struct lines *y, size_t k)
{
    return x->len[i] == y->len[k] && memcmp(x->v[i], y->v[k], x->len[i]) == 0;
}

// Returns for each pair of line numbers the length of the longest common rest.
static uint16_t *common(struct arena *a, const struct lines *x, const struct lines *y)
{
    uint16_t *t = ARENA_ARRAY(a, uint16_t, (x->n + 1) * (y->n + 1));
    const size_t w = y->n + 1;
    for (size_t i = x->n; i-- > 0;)
        for (size_t k = y->n; k-- > 0;) {
            const uint16_t down = t[(i + 1) * w + k], right = t[i * w + k + 1];
            t[i * w + k] = same(x, i, y, k) ? (uint16_t)(t[(i + 1) * w + k + 1] + 1)
                           : down > right   ? down
                                            : right;
        }
    return t;
}

static void put(struct diff_line *out, char mark, const struct lines *x, size_t i)
{
    *out = (struct diff_line){mark, x->v[i], x->len[i]};
}

size_t diff_lines(struct arena *a, const char *before, const char *after, struct diff_line **out)
{
    const struct lines x = lines_of(a, before), y = lines_of(a, after);
    size_t i = 0, k = 0, n = 0;
    if (x.n > DIFF_LINES || y.n > DIFF_LINES)
        return 0;
    const uint16_t *rest = common(a, &x, &y);
    *out = ARENA_ARRAY(a, struct diff_line, x.n + y.n);
    while (i < x.n || k < y.n) {
        const size_t at = i * (y.n + 1) + k;
        if (i < x.n && k < y.n && same(&x, i, &y, k)) {
            put(&(*out)[n++], ' ', &x, i++);
            k++;
        } else if (i < x.n && (k == y.n || rest[at + y.n + 1] >= rest[at + 1])) {
            put(&(*out)[n++], '-', &x, i++);
        } else {
            put(&(*out)[n++], '+', &y, k++);
        }
    }
    return n;
}
