// SPDX-License-Identifier: Apache-2.0
//
// The promises of the weaker models (docs/rules.md). Both require a tangle that is a full subgroup
// with the same path, which the machine checks. subgroup-uniform requires nothing more.
// workgroup-uniform requires that all other subgroups of the workgroup arrive with the same path.
// Subgroups run one after another, so the dispatch runs twice: the first run counts the arrivals.
// Both runs have the same control flow, because a branch on a result without a promise ends the
// second run (E-branch). Helpers of a fragment shader are the exception: such a branch makes them
// lost (R14), so they may not arrive where the first run counted them. Further runs therefore check
// the counts until all counted invocations arrive.
#include "execute.h"

#include "spirv/spirv_groups.h"

#include <stdlib.h>

// Returns the number of invocations that arrived at `at`, from a sorted list.
static uint32_t counted(const struct arrivals *v, size_t n, uint64_t at)
{
    size_t low = 0, high = n;
    while (low < high) {
        size_t middle = (low + high) / 2;
        if (v[middle].at < at)
            low = middle + 1;
        else
            high = middle;
    }
    return low < n && v[low].at == at ? v[low].invocations : 0;
}

bool promise_holds(const struct machine *m, uint32_t spv, uint64_t way)
{
    struct run *run = m->group->run;
    if (m->p->c->model != SPV_WORKGROUP_UNIFORM)
        return true;
    uint64_t at = path_with(path_with(way, spv, 1), m->group->index, 2);
    if (run->counting) {
        *VEC_PUSH(run->arena, &run->arrivals) = (struct arrivals){at, lane_count(m->live)};
        return true;
    }
    if (run->checking)
        *VEC_PUSH(run->arena, &run->came) = (struct arrivals){at, lane_count(m->live)};
    return counted(run->arrivals.v, run->arrivals.n, at) == m->group->size;
}

// Handles an Elect in a part of a subgroup, for orc_options.elects: the part may be divided
// arbitrarily, and one lane of each piece is elected. Two of the possible choices are tried: one
// lane for all (join, direct), or every lane (split). Others exist, and tangles may be larger, so a
// search over these choices is never complete. An Elect of a full subgroup is not a choice, because
// workgroup-uniform may promise it in the first run and not in the second; only a run with a trace
// (portable/) includes it.
static bool elected_by_choice(const struct machine *m, const struct inst *i)
{
    struct run *run = m->group->run;
    const uint32_t label = m->p->m.insts[i->spv].result;
    enum { MORE_THAN_TWO = 3 };
    if (i->op != SpvOpGroupNonUniformElect || (m->v.active == m->live && !run->trace) ||
        run->o.any_policy)
        return false;
    run->elect_withdrawn = true;
    if (!run->elects)
        return false;
    run->stats->choice_points++;
    choice_seen(m, label, m->path, MORE_THAN_TWO);
    if (choice_at(m, label, m->path) == SPV_POLICY_SPLIT)
        LANES_EACH (l, m->v.active)
            plane_of(&m->v, i->dst)[l] = 1;
    return true;
}

// Lane 0 for a scan: no lower lane can take part, so its result is the same in any tangle.
static lane_mask has_no_lower(const struct inst *i)
{
    const bool scans = i->klass == IN_GROUP && spv_group_find(i->op)->klass == SPV_GROUP_REDUCE &&
                       (i->group_op == SpvGroupOperationInclusiveScan ||
                        i->group_op == SpvGroupOperationExclusiveScan);
    return scans ? lane_bit(0) : 0;
}

void promise_withdraw(struct machine *m, const struct inst *i)
{
    if (elected_by_choice(m, i))
        return;
    // A result that does not depend on other lanes' values is the same in any tangle.
    if (m->group->run->trace && i->klass == IN_GROUP &&
        spv_group_find(i->op)->klass == SPV_GROUP_BITS)
        return;
    uint32_t cells = m->p->types[m->p->m.insts[i->spv].type].cells;
    const lane_mask first = m->group->run->trace ? has_no_lower(i) : 0;
    for (uint32_t k = 0; k < cells; k++)
        define(&m->v, i->dst + k, first & m->v.defined[i->dst + k]);
    if (m->group->run->trace)
        trace_withdrawn(m, i,
                        m->p->weak && (m->decided || !m->sure) ? ORC_ORIGIN_UNPROMISED
                                                               : ORC_ORIGIN_CHOICE);
}

static int order(const void *x, const void *y)
{
    const struct arrivals *a = x, *b = y;
    return a->at < b->at ? -1 : a->at > b->at;
}

// Sorts the list and merges equal places. Returns the new length.
static size_t sum(struct arrivals *v, size_t count)
{
    size_t n = 0;
    if (count)
        qsort(v, count, sizeof *v, order);
    for (size_t k = 0; k < count; k++)
        if (n && v[n - 1].at == v[k].at)
            v[n - 1].invocations += v[k].invocations;
        else
            v[n++] = v[k];
    return n;
}

void promise_counted(struct run *run)
{
    run->arrivals.n = sum(run->arrivals.v, run->arrivals.n);
    run->counting = false;
}

bool promise_kept(const struct run *checked, struct run *run)
{
    const size_t n = sum(checked->came.v, checked->came.n);
    bool kept = true;
    for (size_t k = 0; k < run->arrivals.n; k++) {
        struct arrivals *a = &run->arrivals.v[k];
        const uint32_t came = counted(checked->came.v, n, a->at);
        kept &= came == 0 || came >= a->invocations;
        a->invocations = came < a->invocations ? came : a->invocations;
    }
    return kept;
}
