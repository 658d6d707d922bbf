// SPDX-License-Identifier: Apache-2.0
//
// The sentence about a wrong image operation, or about helper invocations. Nothing reads it back.
#include "words.h"

#include "spirv/spirv_groups.h"

// ---- images ------------------------------------------------------------------------------

// From what the level must come.
static const char *level_of(const struct spv_inst *d)
{
    const uint32_t first = d && d->op == SpvOpImageGather ? 3 : 2,
                   mask = d && d->n > first ? d->v[first] : 0;
    if (mask & SpvImageOperandsLodMask)
        return "its Lod operand says which";
    if (mask & SpvImageOperandsGradMask)
        return "its gradients say which (Grad)";
    return mask & SpvImageOperandsBiasMask
               ? "the derivatives of its coordinates in the quad and its bias say which"
               : "the derivatives of its coordinates in the quad say which";
}

static const char *level(struct arena *a, const struct diag_reason *r, const char *what,
                         const char *first, const struct diag_names *n)
{
    const struct diag_hypothesis *h = &r->hypothesis;
    const struct spv_inst *d = n->m && r->op ? spv_def(n->m, r->op) : NULL;
    switch ((enum diag_edit)h->edit) {
    case DIAG_EDIT_NO_BIAS:
        return arena_printf(a, "%s leaves its bias out of the level that it reads.%s", what, first);
    case DIAG_EDIT_IMPLICIT:
        return arena_printf(
            a, "%s reads the level that the derivatives of its coordinates give, though %s.%s",
            what, level_of(d), first);
    case DIAG_EDIT_LEVEL:
        return arena_printf(a, "%s reads level %u of the image, though %s.%s", what, h->value,
                            level_of(d), first);
    default:
        return arena_printf(a, "%s reads another level of the image than it must.", what);
    }
}

static const char *texel(struct arena *a, const struct diag_reason *r, const char *what,
                         const char *first)
{
    const struct diag_hypothesis *h = &r->hypothesis;
    switch ((enum diag_edit)h->edit) {
    case DIAG_EDIT_NO_OFFSET:
        return arena_printf(
            a, "%s leaves its offset out, and reads the texel at its coordinates.%s", what, first);
    case DIAG_EDIT_BESIDE:
        return arena_printf(a, "%s reads the texel beside the one at its coordinates (%s %s 1).%s",
                            what, h->value & 1 ? "y" : "x", h->value & 2 ? "-" : "+", first);
    case DIAG_EDIT_SWAPPED:
        return arena_printf(a, "%s takes y for x and x for y of its coordinates.%s", what, first);
    default:
        return arena_printf(a, "%s reads another texel than the one at its coordinates.", what);
    }
}

// Which variable a chain leads into.
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
                            "All lanes take the %s of %s that the first active lane takes, though "
                            "their indices (%s) differ.",
                            what, of, words_name(a, n, h->at));
    if (h->edit == DIAG_EDIT_INDEX)
        return arena_printf(a, "%s %u of %s is taken, whatever the index says (%s).",
                            r->why == DIAG_OTHER_SAMPLER ? "Sampler" : "Image", h->value, of,
                            words_name(a, n, h->at));
    return arena_printf(a, "Another %s of an array is taken than the index says.", what);
}

// ---- helpers -------------------------------------------------------------------------------

static const char *left_out(struct arena *a, const struct diag_reason *r, const char *what,
                            const char *first)
{
    const char *does = r->hypothesis.edit == DIAG_EDIT_HELPERS_ZERO
                           ? "takes 0 for what helper invocations have"
                       : r->hypothesis.edit == DIAG_EDIT_HELPERS_OWN
                           ? "gives the own value where it is to read a helper invocation's"
                           : "leaves helper invocations out, as if they were not there";
    if (!r->has_place || !r->helpers)
        return arena_printf(a, "%s %s.%s", what, does, first);
    const bool all = r->helpers == r->tangle, one = lane_count(r->helpers) == 1;
    return arena_printf(a,
                        "%s is executed by %s together (workgroup %u, subgroup %u), %s %s. What "
                        "was observed is what comes of an operation that %s.",
                        what, diag_lanes_words(a, r->tangle), r->workgroup, r->subgroup,
                        all ? "all of them" : diag_lanes_words(a, r->helpers),
                        all   ? "helper invocations"
                        : one ? "of them a helper invocation"
                              : "of them helper invocations",
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
    return arena_printf(a, "the branch at the end of block %s, to block %s,", words_name(a, n, at),
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
        return arena_printf(a,
                            "%s gives what the earlier read %s gave: it was written between them.",
                            what, words_name(a, n, h->value));
    case DIAG_OTHER_IMAGE:
    case DIAG_OTHER_SAMPLER:
        return element(a, r, n);
    case DIAG_NOT_UNIFORM:
        return "Of an array of images or samplers an element is taken by an index that differs "
               "between invocations, and that nothing calls NonUniform any more.";
    case DIAG_HELPERS_OUT:
        return left_out(a, r, h->at ? what : "Each group operation", first);
    case DIAG_HELPERS_LOAD:
        return arena_printf(a,
                            "Helper invocations %s, where they are to load as the others do%s%s.%s",
                            h->edit == DIAG_EDIT_LOADS_FIRST ? "load what is at index 0"
                                                             : "get 0 for what they load",
                            h->at ? ": " : "", h->at ? words_operation(a, n, h->at) : "", first);
    case DIAG_HELPERS_SKIP:
        return arena_printf(a,
                            "Where helper invocations alone would take %s they do not take it, and "
                            "go where the other label goes.%s",
                            branch_side(a, r, n), first);
    case DIAG_HELPERS_ASKED:
        return arena_printf(
            a, "%s tells %s.%s",
            h->at ? words_operation(a, n, h->at) : "What asks who is a helper invocation",
            h->edit == DIAG_EDIT_ASKS_START
                ? "who was a helper invocation at the start; who was demoted since is one, too"
                : "that nobody is a helper invocation, though some are",
            first);
    case DIAG_DEMOTE_LOST:
        return arena_printf(a,
                            "Who executes %s goes on as if nothing had been: what it stores "
                            "afterwards is in memory, and it is no "
                            "helper invocation.%s",
                            demote_is(a, r, n), first);
    case DIAG_DEMOTE_MOVED:
        return arena_printf(a, "%s takes effect at the %s of its block: what stands between %s.%s",
                            demote_is(a, r, n), h->edit == DIAG_EDIT_DEMOTE_FIRST ? "start" : "end",
                            h->edit == DIAG_EDIT_DEMOTE_FIRST
                                ? "is done by helper invocations, and must not be"
                                : "is done by helper invocations, and takes them for none",
                            first);
    case DIAG_DEMOTE_ENDS:
        return arena_printf(a,
                            "Who executes %s ends there: it is to go on as a helper invocation, "
                            "and those who are with it do not count it "
                            "any more.%s",
                            demote_is(a, r, n), first);
    case DIAG_END_LOST:
        return arena_printf(
            a, "Who ends%s goes on as a helper invocation%s, and is counted there.%s",
            h->at ? arena_printf(a, " in block %s", words_name(a, n, h->at)) : "",
            h->value ? arena_printf(a, " in block %s", words_name(a, n, h->value)) : "", first);
    default:
        return "";
    }
}
