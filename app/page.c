// SPDX-License-Identifier: Apache-2.0
#define _DEFAULT_SOURCE // realpath
#include "page.h"

#include "campaign/found.h"
#include "report/view_proof.h"

#include <stdlib.h>
#include <string.h>

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

// The folder's name, also if the path is "." or "..".
static const char *title_of(struct arena *a, const char *dir)
{
    const char *name = found_name(a, dir);
    char *whole = strspn(name, ".") == strlen(name) ? realpath(dir, NULL) : NULL;
    if (whole)
        name = found_name(a, whole);
    free(whole);
    return name;
}

void page_text(struct context *x, const char *dir, const struct store_findings *v, struct text *out)
{
    struct source s = {x, dir};
    const struct report_views views = {&s, load_view};
    const uint32_t full = v->buckets < REPORT_PAGE_FULL ? v->buckets : REPORT_PAGE_FULL;
    report_html(title_of(&x->arena, dir), version_number(), v, full, &views, out);
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
