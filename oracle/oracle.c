// SPDX-License-Identifier: Apache-2.0
//
// The public functions of the oracle: load a module, run a dispatch.
#include "dispatch.h"
#include "execute.h"

#include <string.h>

const char *orc_why_line(struct arena *a, const struct orc_why *w)
{
    if (w->status == RAN_UNSUPPORTED && w->text[0])
        return w->text;
    return arena_printf(a, "%s%s%s", ran_name(w->status), w->text[0] ? ": " : "", w->text);
}

// ---- loading ------------------------------------------------------------------

// Finds the (first) entry point of the case's stage, and reads its execution modes.
static bool find_entry(struct orc_program *p, bool assumed, struct orc_why *why)
{
    const struct spv_module *m = &p->m;
    uint32_t id = 0, at = NONE;
    bool uniform = false;
    for (uint32_t k = 0; k < m->inst_count && m->insts[k].op != SpvOpFunction; k++) {
        const struct spv_inst *s = &m->insts[k];
        if (s->op == SpvOpEntryPoint && !id && s->v[0] == p->stage->model) {
            id = s->v[1];
            at = k;
        }
        if (s->op == SpvOpExecutionMode && s->v[0] == id &&
            s->v[1] == SpvExecutionModeMaximallyReconvergesKHR)
            p->maximal = true;
        if (s->op == SpvOpExecutionMode && s->v[0] == id &&
            s->v[1] == SpvExecutionModeSubgroupUniformControlFlowKHR)
            uniform = true;
        if (s->op == SpvOpExecutionMode && s->v[0] == id &&
            s->v[1] == SpvExecutionModeRequireFullQuadsKHR)
            p->full_quads = true;
        if (s->op == SpvOpExecutionMode && s->v[0] == id &&
            s->v[1] == SpvExecutionModeQuadDerivativesKHR)
            p->quad_derivatives = true;
        if (s->op == SpvOpMemoryModel && s->n > 1)
            p->vulkan_memory = s->v[1] == SpvMemoryModelVulkan;
        p->physical |=
            s->op == SpvOpMemoryModel && s->v[0] == SpvAddressingModelPhysicalStorageBuffer64;
        if (s->op == SpvOpMemoryModel && s->v[0] != SpvAddressingModelLogical && !p->physical)
            return why_set(
                m, why, RAN_UNSUPPORTED, NULL, k,
                "an addressing model that is neither Logical nor PhysicalStorageBuffer64");
    }
    uniform |= assumed && p->c->model == SPV_SUBGROUP_UNIFORM;
    p->maximal |= assumed && p->c->model == SPV_MAXIMAL;
    if (!id)
        return why_set(m, why, RAN_INVALID, NULL, NONE, "the module has no %s entry point",
                       p->stage->model_name);
    if (p->c->model == SPV_MAXIMAL && !p->maximal) // S3
        return why_set(m, why, RAN_INVALID, "S3", at,
                       "the case is to be judged by the model 'maximal', but its entry point does "
                       "not declare MaximallyReconvergesKHR (judge it as 'assumed-maximal')");
    // Maximal reconvergence implies the promises of this model.
    if (p->c->model == SPV_SUBGROUP_UNIFORM && !uniform && !p->maximal)
        return why_set(m, why, RAN_INVALID, "S3", at,
                       "the case is to be judged by the model 'subgroup-uniform', but its entry "
                       "point does not declare SubgroupUniformControlFlowKHR");
    p->weak = p->c->model == SPV_SUBGROUP_UNIFORM || p->c->model == SPV_WORKGROUP_UNIFORM;
    p->entry = NONE;
    for (uint32_t k = 0; k < m->function_count; k++)
        if (m->functions[k].id == id)
            p->entry = k;
    if (p->entry == NONE || m->functions[p->entry].block_count == 0)
        return why_set(m, why, RAN_INVALID, NULL, at, "its function has no body");
    return true;
}

// True if the module has an opcode that the table lacks: it is newer than the table, so unsupported
// rather than invalid. Sets `at` to its word.
static bool unknown_opcode(const struct spv_case *c, size_t *at)
{
    for (*at = 5; *at < c->count && c->words[*at] >> 16; *at += c->words[*at] >> 16)
        if (!spv_op_find(c->words[*at] & 0xffff))
            return true;
    return false;
}

static struct orc_program *load(struct arena *a, const struct spv_case *c, bool assumed,
                                struct orc_why *why)
{
    struct orc_program *p = ARENA_NEW(a, struct orc_program);
    struct err e;
    *why = (struct orc_why){0};
    p->arena = a;
    p->c = c;
    if (!spv_module_read(a, c->words, c->count, &p->m, &e)) {
        size_t at;
        bool unknown = unknown_opcode(c, &at);
        why_set(&p->m, why, unknown ? RAN_UNSUPPORTED : RAN_INVALID, NULL, NONE, "%.370s", e.msg);
        return NULL;
    }
    p->assumed = assumed;
    p->stage = spv_stage_row(c->stage);
    p->rules = stage_rules_of(c->stage);
    p->coverage = NONE;
    if (!find_entry(p, assumed, why))
        return NULL;
    for (int k = 0; k < 3; k++)
        p->local_size[k] = 1;
    if (p->stage->has_workgroups && !spv_local_size(c, &p->m, p->local_size, &e)) {
        *why = (struct orc_why){.status = RAN_INVALID};
        snprintf(why->text, sizeof why->text, "%.390s", e.msg);
        return NULL;
    }
    for (int k = 0; k < 3; k++)
        if (p->local_size[k] > 4096) {
            why_set(&p->m, why, RAN_INVALID, NULL, NONE,
                    "a workgroup size of %u x %u x %u cannot be run", p->local_size[0],
                    p->local_size[1], p->local_size[2]);
            return NULL;
        }
    p->quads = spv_quads_of(&p->m);
    if (!spv_quads_fit(p->quads, p->local_size)) {
        why_set(&p->m, why, RAN_INVALID, "R8", NONE,
                "a workgroup of %u x %u x %u has no quads as the entry point's derivative group "
                "mode requires them (R8)",
                p->local_size[0], p->local_size[1], p->local_size[2]);
        return NULL;
    }
    if (!load_decorations(p, why) || !load_types(p, why))
        return NULL;
    for (uint32_t k = p->object_count; c->has_coverage && k-- > 0;)
        if (p->objects[k].kind == OBJ_BUFFER && p->objects[k].set == c->coverage_set &&
            p->objects[k].binding == c->coverage_binding)
            p->coverage = k;
    return load_code(p, why) ? p : NULL;
}

bool orc_full_quads(const struct orc_program *p)
{
    return p->full_quads && p->maximal;
}

struct orc_program *orc_load(struct arena *a, const struct spv_case *c, struct orc_why *why)
{
    return load(a, c, false, why);
}

struct orc_program *orc_load_assumed(struct arena *a, const struct spv_case *c, struct orc_why *why)
{
    return load(a, c, true, why);
}

// ---- running --------------------------------------------------------------------

// `elects`: an Elect without a promise returns what the implementation chose. Returns true if
// a run with `elects` may differ.
static bool run_once(struct orc_program *p, struct arena *a, const struct spv_case *c,
                     uint32_t subgroup, const struct orc_options *o, bool elects,
                     struct orc_result *out)
{
    *out = (struct orc_result){0};
    struct run run = {.p = p,
                      .c = c,
                      .arena = o && o->scratch ? o->scratch : a,
                      .stats = &out->stats,
                      .why = &out->why,
                      .elects = elects};
    static const struct spv_choices all_join = {.base = SPV_POLICY_JOIN};
    if (o)
        run.o = *o;
    if (run.o.scratch)
        arena_reset(run.o.scratch);
    if (!run.o.policy || run.o.any_policy)
        run.o.policy = &all_join;
    if (!run.o.step_limit)
        run.o.step_limit = ORC_STEP_LIMIT;
    run.watched = run.o.any_value || run.o.trace;
    run.subgroup = c->subgroup ? c->subgroup : subgroup;
    run.grain = p->small_access ? 0 : 2;
    if (!run.subgroup || run.subgroup > LANES_MAX || (run.subgroup & (run.subgroup - 1))) {
        run_fail(&run, RAN_INVALID, "a subgroup size of %u cannot be run", run.subgroup);
        return false;
    }
    bool ok = true;
    if (p->stage->maps_by_coverage) {
        ok = run_cover(&run);
        if (ok && p->stage->has_helpers &&
            run.o.any_policy) { // find the quads that may end before their helpers do (R14)
            struct run first = run;
            first.o.any_policy = first.o.points = false;
            first.o.observer = NULL;
            first.watch_quads = ARENA_ARRAY(run.arena, lane_mask, run.coverage->subgroups);
            ok = run_dispatch(&first);
            for (uint32_t k = 0; k < run.coverage->subgroups && out->stats.choice_points; k++)
                first.watch_quads[k] = ~(lane_mask)0;
            run.helper_quads = first.watch_quads;
            out->stats = (struct orc_stats){0};
        }
    }
    if (ok && p->stage->has_helpers && p->weak && !run.watched && run.o.fault == ORC_FAULT_NONE) {
        // A program that is undefined under maximal reconvergence is undefined; lost helpers (R14)
        // must not hide it, so run it under maximal first.
        struct run strong = run;
        strong.o.any_policy = strong.o.points = false;
        strong.o.observer = NULL;
        p->weak = false;
        ok = run_dispatch(&strong);
        p->weak = true;
        run.doubt_order = strong.doubt_order;
        run.doubt_scope = strong.doubt_scope;
        out->stats = (struct orc_stats){0};
    }
    if (ok && p->c->model == SPV_WORKGROUP_UNIFORM) {
        struct run count = run;
        count.counting = true;
        count.o.observer = NULL;
        ok = run_dispatch(&count);
        promise_counted(&count);
        run.arrivals.v = count.arrivals.v;
        run.arrivals.n = count.arrivals.n;
        run.elect_withdrawn = count.elect_withdrawn;
        // The first run also counted helpers that will be lost: repeat until the counts hold.
        for (bool kept = !ok || !p->stage->has_helpers; !kept;) {
            struct run check = run;
            check.checking = true;
            check.o.observer = NULL;
            check.o.points = false;
            out->stats = (struct orc_stats){0}; // drawn values depend on them
            ok = run_dispatch(&check);
            kept = !ok || promise_kept(&check, &run);
        }
        out->stats = (struct orc_stats){0};
    }
    if (ok && run_dispatch(&run))
        run_collect(&run, a, out);
    if (run.trace && run.why->status == RAN_OK)
        trace_collect(&run, out);
    out->doubt_order = run.doubt_order;
    out->doubt_scope = run.doubt_scope;
    out->points = arena_copy(a, run.points.v, run.points.n * sizeof *out->points);
    for (size_t k = 0; k < run.points.n; k++)
        if (run.points.v[k].tangles > 1)
            out->points[out->point_count++] = run.points.v[k];
    return run.elect_withdrawn;
}

void orc_run(struct orc_program *p, struct arena *a, const struct spv_case *c, uint32_t subgroup,
             const struct orc_options *o, struct orc_result *out)
{
    if (run_once(p, a, c, subgroup, o, false, out) && o && o->elects &&
        out->why.status == RAN_UNDEFINED)
        run_once(p, a, c, subgroup, o, true, out);
}

void orc_predict(struct arena *a, const struct spv_case *c, uint32_t subgroup,
                 const struct orc_options *o, struct orc_result *out)
{
    struct orc_why why;
    struct orc_program *p = orc_load(a, c, &why);
    if (p)
        orc_run(p, a, c, subgroup, o, out);
    else
        *out = (struct orc_result){.why = why};
}
