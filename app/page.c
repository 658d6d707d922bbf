// SPDX-License-Identifier: Apache-2.0
#include "page.h"

#include "campaign/found.h"
#include "report/view_proof.h"

struct source {
    struct context *x;
    const char *dir;
};

static void load_view(void *user, struct arena *a, const struct store_bucket *b,
                      struct report_view *out)
{
    const struct source *s = user;
    report_view(s->x->tools, a, s->dir, b, out);
}

void page_text(struct context *x, const char *dir, const struct store_findings *v, struct text *out)
{
    struct source s = {x, dir};
    const struct report_views views = {&s, load_view};
    const uint32_t full = v->buckets < REPORT_PAGE_FULL ? v->buckets : REPORT_PAGE_FULL;
    report_html(found_name(&x->arena, dir), version_number(), v, full, &views, out);
}

bool page_write(struct context *x, const char *dir, const struct store_findings *v,
                const char *path)
{
    struct text t = {.arena = &x->arena};
    page_text(x, dir, v, &t);
    if (!file_write(path, t.v, t.n, &x->e))
        return false;
    say("%s\n", path);
    return true;
}
