// SPDX-License-Identifier: Apache-2.0
//
// The sentences about image operations and helper invocations. No code parses them.
#include "words.h"

#include "spirv/spirv_groups.h"

// ---- images ------------------------------------------------------------------------------

// Returns what must determine the level.
static const char *level_of(const struct spv_inst *d)
{
    const uint32_t first = d && d->op == SpvOpImageGather ? 3 : 2,
                   mask = d && d->n > first ? d->v[first] : 0;
    if (mask & SpvImageOperandsLodMask)
        return "its Lod operand determines the level";
    if (mask & SpvImageOperandsGradMask)
        return "its gradients (Grad) determine the level";
    return mask & SpvImageOperandsBiasMask
               ? "the derivatives of its coordinates in the quad and its bias determine the level"
               : "the derivatives of its coordinates in the quad determine the level";
}

static const char *level(struct arena *a, const struct diag_reason *r, const char *what,
                         const char *first, const struct diag_names *n)
{
    const struct diag_hypothesis *h = &r->hypothesis;
    const struct spv_inst *d = n->m && r->op ? spv_def(n->m, r->op) : NULL;
    switch ((enum diag_edit)h->edit) {
    case DIAG_EDIT_NO_BIAS:
        return arena_printf(a, "%s ignores its bias when it selects the level.%s", what, first);
    case DIAG_EDIT_IMPLICIT:
        return arena_printf(
            a, "%s reads the level that the derivatives of its coordinates select, though %s.%s",
            what, level_of(d), first);
    case DIAG_EDIT_LEVEL:
        return arena_printf(a, "%s reads level %u of the image, though %s.%s", what, h->value,
                            level_of(d), first);
    default:
        return arena_printf(a, "%s reads a wrong level of the image.", what);
    }
}

static const char *texel(struct arena *a, const struct diag_reason *r, const char *what,
                         const char *first)
{
    const struct diag_hypothesis *h = &r->hypothesis;
    switch ((enum diag_edit)h->edit) {
    case DIAG_EDIT_NO_OFFSET:
        return arena_printf(a, "%s ignores its offset and reads the texel at its coordinates.%s",
                            what, first);
    case DIAG_EDIT_NEXT_TEXEL:
        return arena_printf(a, "%s reads the texel next to the one at its coordinates (%s %s 1).%s",
                            what, h->value & 1 ? "y" : "x", h->value & 2 ? "-" : "+", first);
    case DIAG_EDIT_SWAPPED:
        return arena_printf(a, "%s swaps x and y of its coordinates.%s", what, first);
    default:
        return arena_printf(a, "%s reads a wrong texel.", what);
    }
}

// Returns the name of the variable that a chain indexes.
static const char *array_of(struct arena *a, const struct diag_reason *r,
                            const struct diag_names *n)
{
    const struct spv_inst *d = n->m && r->hypothesis.at ? spv_def(n->m, r->hypothesis.at) : NULL;
    return d && d->n ? words_name(a, n, d->v[0]) : "the array";
}

static const char *element(struct arena *a, const struct diag_reason *r, const struct diag_names *n)
{
    const struct diag_hypothesis *h = &r->hypothesis;
    const char *what = r->why == DIAG_OTHER_SAMPLER ? "sampler" : "image", *of = array_of(a, r, n);
    if (h->edit == DIAG_EDIT_INDEX_FIRST)
        return arena_printf(a,
                            "All lanes use the %s of %s that the first active lane takes, though "
                            "their indices (%s) differ.",
                            what, of, words_name(a, n, h->at));
    if (h->edit == DIAG_EDIT_INDEX)
        return arena_printf(a, "%s %u of %s is used, whatever the index (%s).",
                            r->why == DIAG_OTHER_SAMPLER ? "Sampler" : "Image", h->value, of,
                            words_name(a, n, h->at));
    return arena_printf(a, "A wrong %s of an array is used, not the one at the index.", what);
}

// ---- helpers -------------------------------------------------------------------------------

static const char *left_out(struct arena *a, const struct diag_reason *r, const char *what,
                            const char *first)
{
    const char *does = r->hypothesis.edit == DIAG_EDIT_HELPERS_ZERO
                           ? "uses 0 as the operand of helper invocations"
                       : r->hypothesis.edit == DIAG_EDIT_HELPERS_OWN
                           ? "returns the lane's own value where it must read a helper invocation's"
                           : "ignores helper invocations";
    if (!r->has_place || !r->helpers)
        return arena_printf(a, "%s %s.%s", what, does, first);
    const bool all = r->helpers == r->tangle, one = lane_count(r->helpers) == 1;
    return arena_printf(a,
                        "%s must be executed by %s together (workgroup %u, subgroup %u); %s %s. "
                        "The observed result is that of an operation that %s.",
                        what, diag_lanes_words(a, r->tangle), r->workgroup, r->subgroup,
                        all ? "all of them" : diag_lanes_words(a, r->helpers),
                        all   ? "are helper invocations"
                        : one ? "is a helper invocation"
                              : "are helper invocations",
                        does);
}

static const char *demote_is(struct arena *a, const struct diag_reason *r,
                             const struct diag_names *n)
{
    return r->hypothesis.at ? arena_printf(a, "OpDemoteToHelperInvocation in block %s",
                                           words_name(a, n, r->hypothesis.at))
                            : "OpDemoteToHelperInvocation";
}

static const char *branch_side(struct arena *a, const struct diag_reason *r,
                               const struct diag_names *n)
{
    const struct spv_module *m = n->m;
    const uint32_t at = r->hypothesis.at,
                   b = m && at && at < m->bound ? m->block_of[at] : UINT32_MAX;
    const struct spv_inst *end = b != UINT32_MAX ? &m->insts[m->blocks[b].last] : NULL;
    if (!end || end->op != SpvOpBranchConditional)
        return "a branch";
    return arena_printf(a, "the branch at the end of block %s to block %s", words_name(a, n, at),
                        words_name(a, n, end->v[r->hypothesis.value ? 1 : 2]));
}

const char *words_stage(struct arena *a, const struct diag_reason *r, const struct diag_names *n)
{
    const struct diag_hypothesis *h = &r->hypothesis;
    const char *what = r->op && r->known == DIAG_BY_HYPOTHESIS ? words_operation(a, n, r->op)
                                                               : "An operation",
               *first = words_where(a, r, n);
    switch ((enum diag_why)r->why) {
    case DIAG_LEVEL:
        return level(a, r, what, first, n);
    case DIAG_TEXEL:
        return texel(a, r, what, first);
    case DIAG_TEXEL_KEPT:
        return arena_printf(
            a, "%s returns what the earlier read %s returned, though the texel was written since.",
            what, words_name(a, n, h->value));
    case DIAG_OTHER_IMAGE:
    case DIAG_OTHER_SAMPLER:
        return element(a, r, n);
    case DIAG_NOT_UNIFORM:
        return "An index into an array of images or samplers differs between invocations, but lost "
               "its NonUniform decoration.";
    case DIAG_HELPERS_OUT:
        return left_out(a, r, h->at ? what : "Each group operation", first);
    case DIAG_HELPERS_LOAD:
        return arena_printf(a,
                            "Helper invocations %s instead of the value that they must "
                            "load%s%s.%s",
                            h->edit == DIAG_EDIT_LOADS_FIRST ? "load the element at index 0"
                                                             : "get 0",
                            h->at ? ": " : "", h->at ? words_operation(a, n, h->at) : "", first);
    case DIAG_HELPERS_SKIP:
        return arena_printf(a,
                            "If only helper invocations would take %s, they do not take it and go "
                            "to the other label instead.%s",
                            branch_side(a, r, n), first);
    case DIAG_HELPERS_ASKED:
        return arena_printf(a, "%s reports %s.%s",
                            h->at ? words_operation(a, n, h->at)
                                  : "A query of the helper invocation status",
                            h->edit == DIAG_EDIT_QUERY_START
                                ? "the status at the start of the shader, not that after a demote"
                                : "that no invocation is a helper invocation, though some are",
                            first);
    case DIAG_DEMOTE_LOST:
        return arena_printf(a,
                            "An invocation that executes %s continues unchanged: its later stores "
                            "reach memory, and it does not become a helper invocation.%s",
                            demote_is(a, r, n), first);
    case DIAG_DEMOTE_MOVED:
        return arena_printf(a,
                            "%s takes effect at the %s of its block: the invocations that execute "
                            "the code in between %s.%s",
                            demote_is(a, r, n), h->edit == DIAG_EDIT_DEMOTE_FIRST ? "start" : "end",
                            h->edit == DIAG_EDIT_DEMOTE_FIRST ? "are helper invocations too early"
                                                              : "are not yet helper invocations",
                            first);
    case DIAG_DEMOTE_ENDS:
        return arena_printf(a,
                            "An invocation that executes %s terminates. It must continue as a "
                            "helper invocation, and the others of its tangle no longer count "
                            "it.%s",
                            demote_is(a, r, n), first);
    case DIAG_END_LOST:
        return arena_printf(
            a,
            "An invocation that terminates%s continues as a helper invocation%s and is counted "
            "there.%s",
            h->at ? arena_printf(a, " in block %s", words_name(a, n, h->at)) : "",
            h->value ? arena_printf(a, " in block %s", words_name(a, n, h->value)) : "", first);
    default:
        return "";
    }
}
