// SPDX-License-Identifier: Apache-2.0
#include "bundle_write.h"

#include "base/interrupt.h"
#include "campaign/bundle_run.h"
#include "campaign/cross_check.h"
#include "report/view_proof.h"

int bundle_write(struct context *x, const struct looked *found, const struct bundle_given *g)
{
    struct arena *a = &x->arena;
    struct report_view w;
    struct command_runner runner;
    struct command_count n;
    report_view(x->tools, a, found->dir, found->bucket, &w);
    if (!bundle_run_start(a, x->self, w.f->target, g->target, &runner, &x->e))
        return refuse(x);
    cross_check_finding(a, x->tools, x->self, !g->alone, &w);
    bool ok = !interrupted() || err_set(&x->e, "interrupted");
    const char *form = g->form ? g->form : report_form_guess(w.f->target);
    ok = ok && report_bundle(x->tools, &w, form, g->to, &runner, &n, &x->e);
    bundle_run_end(&runner);
    if (!ok)
        return refuse(x);
    char shown[32];
    say("%s\n%s run and end as they must, %u left out, %u not run\n", g->to,
        count_of(shown, sizeof shown, n.shown, "command"), n.left_out, n.unrun);
    return STATUS_GOOD;
}
