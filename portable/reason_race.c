// SPDX-License-Identifier: Apache-2.0
//
// Reasons: a race. Which invocations access what, whether the race may be due to what was invented,
// and the cure.
#include "portable_inner.h"

#include "spirv/spirv_flow.h"

#include <string.h>

static const char *invocation_of(struct por_asker *w, uint32_t linear)
{
    uint32_t size[3];
    struct err e;
    if (linear == UINT32_MAX || !spv_local_size(w->c, w->m, size, &e))
        return "several invocations";
    const uint32_t n = size[0] * size[1] * size[2];
    return arena_printf(w->a, "invocation %u of workgroup %u", linear % n, linear / n);
}

static const char *spot_of(struct por_asker *w, const struct orc_trace *t)
{
    const unsigned long long in = t->byte & (SPV_ADDRESS_STEP - 1),
                             which = t->byte / SPV_ADDRESS_STEP;
    if (t->object && !t->variable)
        return arena_printf(
            w->a, "block %llu of the memory that addresses point to (its byte %llu)", which, in);
    if (t->object && t->many)
        return arena_printf(w->a, "%s[%llu] (its byte %llu)", por_name(w->a, w->m, t->variable),
                            which, in);
    if (!t->variable)
        return "one location";
    const struct spv_inst *d = spv_def(w->m, t->variable);
    const bool bytes = d && d->op == SpvOpVariable && d->v[0] != SpvStorageClassWorkgroup;
    return arena_printf(w->a, "%s (its %s %llu)", por_name(w->a, w->m, t->variable),
                        bytes ? "byte" : "scalar", (unsigned long long)t->byte);
}

// True if an atomic acquires or releases, which may order accesses in ways the oracle does not
// check.
static bool has_ordering_atomics(const struct spv_module *m)
{
    for (uint32_t k = 0; k < m->inst_count; k++) {
        const struct spv_inst *s = &m->insts[k];
        if (spv_op_class(s->op) != SPV_CLASS_ATOMIC || s->n < 3)
            continue;
        const struct spv_inst *d = spv_def(m, s->v[2]);
        const uint32_t any = SpvMemorySemanticsAcquireMask | SpvMemorySemanticsReleaseMask |
                             SpvMemorySemanticsAcquireReleaseMask |
                             SpvMemorySemanticsSequentiallyConsistentMask;
        if (d && d->op == SpvOpConstant && d->v[0] & any)
            return true;
    }
    return false;
}

static bool has_barrier(const struct spv_module *m)
{
    for (uint32_t k = 0; k < m->inst_count; k++)
        if (m->insts[k].op == SpvOpControlBarrier || m->insts[k].op == SpvOpMemoryBarrier)
            return true;
    return false;
}

// True if all invocations store to one place, whatever the inputs are: one instruction, which all
// invocations of a workgroup execute, and whose address is the same in all of them.
static bool is_one_place(const struct por_asker *w, const uint32_t n[2])
{
    const struct spv_inst *s = &w->m->insts[n[0]];
    const uint32_t block = spv_block_at(w->m, n[0]);
    uint32_t id = n[0] == n[1] && s->op == SpvOpStore ? s->v[0] : 0;
    if (!id || block == UINT32_MAX || w->uniform->block[block] != POR_SAME)
        return false;
    for (const struct spv_inst *d = spv_def(w->m, id); d && d->op != SpvOpVariable;
         d = spv_def(w->m, d->v[0])) {
        if (d->op != SpvOpAccessChain && d->op != SpvOpInBoundsAccessChain)
            return false;
        for (uint32_t k = 1; k < d->n; k++)
            if (w->uniform->value[d->v[k]] != POR_SAME)
                return false;
        id = d->v[0];
    }
    return por_root(w->m, id) != 0;
}

// True if the shader may be for one workgroup: which one an invocation is in decides no place in a
// buffer or image, and not whether the two accesses are executed.
static bool is_for_one(struct por_asker *w, const uint32_t n[2])
{
    const struct spv_module *m = w->m;
    for (uint32_t k = 0; k < 2; k++)
        if (por_guarded_by_workgroup(w, n[k]))
            return false;
    for (uint32_t k = m->function_count ? m->functions[0].first : m->inst_count; k < m->inst_count;
         k++) {
        const struct spv_inst *s = &m->insts[k];
        const enum spv_op_class class = spv_op_class(s->op);
        const bool image = class == SPV_CLASS_IMAGE, accesses = s->op == SpvOpLoad ||
                                                                s->op == SpvOpStore ||
                                                                class == SPV_CLASS_ATOMIC;
        const uint32_t root = accesses ? por_root(m, s->v[0]) : 0;
        const struct spv_inst *d = root ? spv_def(m, root) : NULL;
        const bool buffer =
            d && (d->v[0] == SpvStorageClassUniform || d->v[0] == SpvStorageClassStorageBuffer);
        if ((image || buffer) && por_from_workgroup(w, k))
            return false;
    }
    return true;
}

// True if the variable that is accessed, or a member of its block, is decorated Coherent.
static bool is_coherent(const struct spv_module *m, const struct spv_inst *variable)
{
    const struct spv_inst *pointer = variable ? spv_def(m, variable->type) : NULL;
    for (uint32_t k = 0; pointer && k < m->inst_count && m->insts[k].op != SpvOpFunction; k++) {
        const struct spv_inst *s = &m->insts[k];
        if ((s->op == SpvOpDecorate && s->v[0] == variable->result &&
             s->v[1] == SpvDecorationCoherent) ||
            (s->op == SpvOpMemberDecorate && s->v[0] == pointer->v[1] &&
             s->v[2] == SpvDecorationCoherent))
            return true;
    }
    return false;
}

// True if some barrier orders accesses to buffers (images).
static bool has_barrier_for(const struct spv_module *m, bool images)
{
    for (uint32_t k = 0; k < m->inst_count; k++) {
        const struct spv_inst *s = &m->insts[k];
        const struct spv_inst *d = s->op == SpvOpControlBarrier && s->n > 2  ? spv_def(m, s->v[2])
                                   : s->op == SpvOpMemoryBarrier && s->n > 1 ? spv_def(m, s->v[1])
                                                                             : NULL;
        if (d && d->op == SpvOpConstant &&
            d->v[0] &
                (images ? SpvMemorySemanticsImageMemoryMask : SpvMemorySemanticsUniformMemoryMask))
            return true;
    }
    return false;
}

// Whether the accesses of a race are within one workgroup.
enum reach { WITHIN, PERHAPS, ACROSS };

// The cure of a race on a buffer or image. `orders`: some barrier may stand between the accesses,
// and does not order them.
static const char *barrier_fix(struct por_asker *w, const struct spv_inst *variable, bool image,
                               bool orders, enum reach reach)
{
    if (reach == ACROSS)
        return "they are in different workgroups, which no barrier orders: use atomics that "
               "release and acquire, or another dispatch";
    const char *what = image ? "image" : "buffer",
               *coherent = is_coherent(w->m, variable)
                               ? ""
                               : arena_printf(w->a, " and declare the %s coherent", what);
    if (orders && coherent[0] && has_barrier_for(w->m, image))
        return arena_printf(w->a,
                            "a barrier orders accesses to %s %s only if it is declared coherent: "
                            "declare it coherent",
                            image ? "an" : "a", what);
    if (has_barrier(w->m) && (orders || !has_barrier_for(w->m, image)))
        return arena_printf(w->a,
                            "put memoryBarrier%s() before and after a barrier() between the "
                            "accesses%s: barrier() alone orders shared memory only",
                            image ? "Image" : "Buffer", coherent);
    return arena_printf(w->a, "put a barrier between the accesses%s%s",
                        coherent[0] ? arena_printf(w->a, " (%s)", coherent + 1) : "",
                        reach == WITHIN ? ", or use atomics"
                                        : "; between workgroups, only atomics that release and "
                                          "acquire, or another dispatch, order them");
}

// False if the accesses are in one stretch of code that runs once, without a barrier between them.
static bool may_have_barrier(struct por_asker *w, const uint32_t n[2])
{
    const uint32_t first = n[0] < n[1] ? n[0] : n[1], last = n[0] < n[1] ? n[1] : n[0];
    if (spv_block_at(w->m, first) != spv_block_at(w->m, last) || por_around(w, first))
        return true;
    for (uint32_t k = first; k <= last; k++)
        if (w->m->insts[k].op == SpvOpControlBarrier || w->m->insts[k].op == SpvOpMemoryBarrier ||
            w->m->insts[k].op == SpvOpFunctionCall)
            return true;
    return spv_function_at(w->m, first) != 0; // another function may be called in a loop
}

enum por_status por_reason_race(struct por_asker *w, const struct orc_result *r,
                                const struct orc_trace *t, uint32_t at, struct por_reason *out)
{
    const uint32_t n[2] = {at, t->has_other ? t->other_inst : at};
    const struct spv_inst *d = t->variable ? spv_def(w->m, t->variable) : NULL;
    const bool shared = d && d->v[0] == SpvStorageClassWorkgroup;
    uint32_t size[3];
    struct err e;
    if (!spv_local_size(w->c, w->m, size, &e))
        size[0] = size[1] = size[2] = 1;
    const uint32_t linear = r->why.workgroup * size[0] * size[1] * size[2] + r->why.invocation;
    out->text =
        t->has_other
            ? arena_printf(w->a, "%s (%s) and %s (%s) access %s, and nothing orders them.",
                           por_inst_text(w, at), invocation_of(w, linear), por_inst_text(w, n[1]),
                           invocation_of(w, t->other_invocation), spot_of(w, t))
            : arena_printf(w->a,
                           "%s (%s) accesses %s, and nothing orders it with the access of "
                           "another invocation.",
                           por_inst_text(w, at), invocation_of(w, linear), spot_of(w, t));
    if (t->has_other)
        out->from = por_place(w->a, w->m, n[1]);
    if (w->inputs->invented && !is_one_place(w, n) && !por_is_sure(w, n) &&
        (por_from_inputs(w, n[0]) || por_from_inputs(w, n[1]))) {
        out->fix = por_invented_fix(w, por_from_inputs(w, n[0]) ? n[0] : n[1], "the address");
        return POR_UNKNOWN;
    }
    if (w->inputs->width) {
        out->fix =
            "the workgroup's width is invented: provide the real one with --data to find out";
        return POR_UNKNOWN;
    }
    const bool far =
        !t->has_other ? r->why.workgroup != 0 // the other one may be in another
                      : t->other_invocation == UINT32_MAX ||
                            t->other_invocation / (size[0] * size[1] * size[2]) != r->why.workgroup;
    if (!shared && w->inputs->groups && far &&
        (is_for_one(w, n) || (has_barrier(w->m) && !por_names_workgroups(w->m)))) {
        out->fix = "the number of workgroups is invented: provide the real one with --workgroups "
                   "to find out";
        w->several = w->several ? w->several : out->text;
        return POR_UNKNOWN;
    }
    if (has_ordering_atomics(w->m)) {
        out->fix =
            "an atomic that acquires or releases may order the accesses: this is not checked";
        return POR_UNKNOWN;
    }
    const bool one_statement = t->has_other && n[0] == n[1] && w->m->insts[at].op == SpvOpStore &&
                               (is_one_place(w, n) || !may_have_barrier(w, n));
    const bool many = (uint64_t)w->c->groups[0] * w->c->groups[1] * w->c->groups[2] > 1,
               known = t->has_other && t->other_invocation != UINT32_MAX;
    const enum reach reach = !many ? WITHIN : !known ? PERHAPS : far ? ACROSS : WITHIN;
    out->fix = one_statement ? "let one invocation store it, or each one in a place of its own"
               : shared      ? "put barrier() between the two accesses"
                        : barrier_fix(w, d, spv_op_class(w->m->insts[at].op) == SPV_CLASS_IMAGE,
                                      r->doubt_order && has_barrier(w->m) && may_have_barrier(w, n),
                                      reach);
    return POR_UNDEFINED;
}
