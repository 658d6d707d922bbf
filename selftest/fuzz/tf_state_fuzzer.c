// SPDX-License-Identifier: Apache-2.0
//
// Reads any bytes as state.json and campaign.json of a campaign's folder, as another process may
// leave them. An accepted state must contain finite numbers and be the same when written and read
// again. A rejected one must be reported in one line. Seeds: the two files.
#include "campaign/campaign_parts.h"
#include "fuzz.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

// Loads the state from the folder; NULL if it is rejected.
static struct campaign *load(const struct campaign_options *o)
{
    struct campaign *c = calloc(1, sizeof *c);
    struct err e = {{0}};
    CHECK(c);
    c->lock_fd = -1;
    if (state_load(c, o, &e))
        return c;
    CHECK(e.msg[0] && !strchr(e.msg, '\n'));
    arena_free(&c->arena);
    free(c);
    return NULL;
}

static void close_campaign(struct campaign *c)
{
    arena_free(&c->arena);
    free(c);
}

static void use(struct campaign *c, const struct campaign_options *o)
{
    struct err e = {{0}};
    CHECK(isfinite(c->before) && c->o.target_count >= 1 && c->o.jobs >= 1);
    for (size_t i = 0; i < c->redo.n; i++)
        CHECK(c->redo.v[i].group < CAMPAIGN_TARGETS_MAX);
    c->start = now_seconds();
    for (uint32_t t = 0; t < c->o.target_count; t++) // as a resumed campaign sets them
        c->target[t].device = c->was[t];
    if (state_save(c, &e)) {
        struct campaign *again = load(o);
        CHECK(again && again->next.seed == c->next.seed && again->redo.n == c->redo.n &&
              again->known.n == c->known.n && again->o.features == c->o.features &&
              again->stats.sum.cases == c->stats.sum.cases);
        close_campaign(again);
    } else {
        CHECK(e.msg[0] && !strchr(e.msg, '\n'));
    }
    close_campaign(c);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    static const char *const files[] = {"state.json", "campaign.json"};
    struct arena a = {0};
    struct err e = {{0}};
    const struct campaign_options o = {.out = fz_folder(), .stop_after = CAMPAIGN_AS_BEFORE};
    for (size_t k = 0; k < sizeof files / sizeof *files; k++) {
        size_t n;
        const uint8_t *part = fz_part(&data, &size, &n);
        fz_file(&a, files[k], part, n);
    }
    CHECK(json_check_campaigns(o.out, &e) || (e.msg[0] && !strchr(e.msg, '\n')));
    struct campaign *c = load(&o);
    if (c)
        use(c, &o);
    arena_free(&a);
    return 0;
}
