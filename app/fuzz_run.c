// SPDX-License-Identifier: Apache-2.0
#include "fuzz_run.h"

#include "base/interrupt.h"
#include "on_finding.h"
#include "status.h"

struct fuzz {
    const struct context *x;
    struct status status;
    const struct fuzz_how *how;
    bool gone; // the reader of standard output has closed it
    struct on_finding on;
};

static void found(void *user, struct arena *a, const struct campaign_found *f)
{
    struct fuzz *z = user;
    const struct finding *x = f->finding;
    status_clear(&z->status);
    if (z->how->json) {
        say("%s\n", finding_json(a, x, NULL));
    } else {
        char seen[64];
        if (x->tries)
            snprintf(seen, sizeof seen, "%u of %u re-runs", x->reproduced, x->tries);
        else
            snprintf(seen, sizeof seen, "not re-run");
        say("%s %s (%s%s)\n    %s\n    %s\n", x->flaky ? "flaky  " : "finding", x->name, seen,
            f->again ? ", found before" : "", report_title(a, x, x->signature), x->verdict.text);
    }
    say_flush();
    on_finding_start(&z->on, f);
    if (z->how->found)
        z->how->found(z->how->user, f);
}

static void own_bug(void *user, const char *file, const char *why)
{
    struct fuzz *z = user;
    status_clear(&z->status);
    complain(z->x, "bug in tanglefuzz, please report it: %s: %s", file, why);
}

static bool tick(void *user, const struct campaign_stats *s)
{
    struct fuzz *z = user;
    status_tick(&z->status, s);
    z->gone = !say_flush();
    return !interrupted() && !z->gone;
}

bool fuzz_run(struct context *x, struct campaign *c, const struct fuzz_how *how,
              struct campaign_stats *s, bool *gone)
{
    const struct campaign_options *o = campaign_options(c);
    struct fuzz z = {.x = x, .how = how, .on.command = how->on_finding};
    const struct campaign_events ev = {
        .user = &z, .found = found, .own_bug = own_bug, .tick = tick};
    status_start(&z.status, o->seconds,
                 o->end_seed == UINT64_MAX ? 0 : o->end_seed - o->first_seed);
    z.status.first = o->first_seed;
    const bool ok = campaign_run(c, &ev, s, &x->e);
    status_clear(&z.status);
    on_finding_end(&z.on);
    *gone = z.gone;
    return ok;
}
