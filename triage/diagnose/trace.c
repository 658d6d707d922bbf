// SPDX-License-Identifier: Apache-2.0
//
// Records what the oracle reports while it runs.
#include "trace.h"

#include "diagnose.h"

#include <string.h>

// Converts the oracle's name of it: a rule's name, or "loop", "call", "".
static struct diag_lanes came_by(const char *name)
{
    const enum diag_rule r = diag_rule_of(name);
    return (struct diag_lanes){.rules = r ? 1u << r : 0,
                               .ways = r || !name[0]               ? 0
                                       : strcmp(name, "call") == 0 ? 1u << DIAG_BY_CALL
                                                                   : 1u << DIAG_BY_LOOP};
}

static void see(void *user, const struct orc_event *e)
{
    struct trace *t = user;
    if (t->v.n >= TRACE_MOMENTS)
        return;
    struct moment *m = VEC_PUSH(t->a, &t->v);
    *m = (struct moment){.workgroup = e->workgroup,
                         .subgroup = e->subgroup,
                         .label = e->label,
                         .active = e->active,
                         .live = e->live,
                         .helper = e->helper,
                         .joined = e->joined,
                         .by = came_by(e->rule ? e->rule : "")};
    if (e->kind != ORC_EVENT_GROUP)
        return;
    m->id = e->id;
    m->cells = e->cells;
    m->values = arena_copy(t->a, e->values, (size_t)e->cells * e->lanes * sizeof *e->values);
}

void trace_run(struct arena *a, const struct spv_case *c, const struct orc_options *o,
               struct trace *out)
{
    struct spv_case mine = *c;
    struct orc_options options = o ? *o : (struct orc_options){0};
    const struct orc_observer observer = {see, out};
    *out = (struct trace){.a = a};
    options.observer = &observer;
    if (!options.policy && c->has_policy)
        options.policy = &c->policy;
    if (mine.model != SPV_MAXIMAL)
        mine.model = SPV_ASSUMED_MAXIMAL;
    orc_predict(a, &mine, c->subgroup, &options, &out->result);
}
