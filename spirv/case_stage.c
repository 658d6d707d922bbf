// SPDX-License-Identifier: Apache-2.0
//
// Who the invocations of a case are, as its file says it (docs/case-format.md, "Stages"): the keys
// stage, target, cover and coverage, and what must hold between them and the module.
#include "case_inner.h"

#include <string.h>

static const struct {
    const char *name;
    SpvExecutionModel model;
    spv_needs needs;
} stages[SPV_STAGES] = {
    [SPV_COMPUTE] = {"compute", SpvExecutionModelGLCompute, 0},
    [SPV_FRAGMENT] = {"fragment", SpvExecutionModelFragment, SPV_NEED(FRAGMENT)},
};

static const struct {
    const char *name;
    uint32_t vertices;
} covers[SPV_COVERS] = {
    [SPV_COVER_FULL] = {"full", 0},
    [SPV_COVER_TRIANGLES] = {"triangles", 3},
    [SPV_COVER_POINTS] = {"points", 1},
    [SPV_COVER_LINES] = {"lines", 2},
};

const char *spv_stage_name(enum spv_stage s)
{
    return stages[s].name;
}
uint32_t spv_stage_model(enum spv_stage s)
{
    return (uint32_t)stages[s].model;
}
spv_needs spv_stage_needs(enum spv_stage s)
{
    return stages[s].needs;
}
uint32_t spv_cover_vertices(enum spv_cover c)
{
    return covers[c].vertices;
}

// ---- keys ----------------------------------------------------------------------------

bool read_stage(struct case_reader *r)
{
    struct token t = line_token(&r->l);
    for (int s = 0; s < SPV_STAGES; s++)
        if (token_is(t, stages[s].name)) {
            r->c.stage = (enum spv_stage)s;
            return line_end(&r->l);
        }
    return line_bad(&r->l, "the stage is %s, compute or fragment was expected",
                    line_shown(&r->l, t));
}

bool read_target(struct case_reader *r)
{
    for (int i = 0; i < 2; i++)
        if (!line_u32(&r->l, "a side of the target", 1, SPV_TARGET_SIDE, &r->c.target[i]))
            return false;
    if (r->c.target[0] * r->c.target[1] > SPV_TARGET_PIXELS)
        return line_bad(&r->l, "%u x %u pixels, at most %d in all were expected", r->c.target[0],
                        r->c.target[1], SPV_TARGET_PIXELS);
    return line_end(&r->l);
}

bool read_cover(struct case_reader *r)
{
    struct spv_case *c = &r->c;
    struct token t = line_token(&r->l);
    int kind = 0;
    while (kind < SPV_COVERS && !token_is(t, covers[kind].name))
        kind++;
    if (kind == SPV_COVERS)
        return line_bad(&r->l, "%s, full, triangles, points or lines was expected",
                        line_shown(&r->l, t));
    c->cover = (enum spv_cover)kind;
    if (c->cover == SPV_COVER_FULL)
        return line_end(&r->l);
    uint32_t *at, count;
    bool hex;
    if (!line_words(&r->l, 2 * SPV_COVER_VERTICES, &at, &count, &hex))
        return false;
    if (count % (2 * covers[kind].vertices))
        return line_bad(&r->l, "%u numbers, whole %s of %u each were expected", count,
                        covers[kind].name, 2 * covers[kind].vertices);
    for (uint32_t k = 0; k < count; k++) {
        if (at[k] > SPV_TARGET_SIDE * SPV_SUBPIXELS)
            return line_bad(&r->l, "vertex %u is outside of the target", k / 2);
        c->vertex[k / 2][k % 2] = (uint16_t)at[k];
    }
    c->vertex_count = count / 2;
    return true;
}

bool read_coverage(struct case_reader *r)
{
    r->c.has_coverage = true;
    return line_place(&r->l, &r->c.coverage_set, &r->c.coverage_binding) && line_end(&r->l);
}

// ---- what holds between them -----------------------------------------------------------

// Is key k there exactly if it must be?
static bool asked(struct case_reader *r, enum key k, const char *name, bool wanted)
{
    if (wanted && !r->seen[k])
        return line_bad(&r->l, "the metadata end here without \"; %s\", which is required", name);
    if (wanted || !r->seen[k])
        return true;
    r->l.number = r->seen[k];
    return line_bad(&r->l, "%s does not go with \"stage %s\"", name, stages[r->c.stage].name);
}

bool stage_consistent(struct case_reader *r)
{
    struct spv_case *c = &r->c;
    const bool fragment = c->stage == SPV_FRAGMENT;
    if (!asked(r, KEY_DISPATCH, "dispatch", !fragment) ||
        !asked(r, KEY_TARGET, "target", fragment) || !asked(r, KEY_COVER, "cover", fragment) ||
        !asked(r, KEY_COVERAGE, "coverage", fragment) ||
        (fragment && !asked(r, KEY_LANES, "lanes", false)))
        return false;
    if (!fragment)
        return true;
    c->groups[0] = c->groups[1] = c->groups[2] = 1;
    for (uint32_t k = 0; k < c->vertex_count; k++)
        for (int i = 0; i < 2; i++)
            if (c->vertex[k][i] > c->target[i] * SPV_SUBPIXELS) {
                r->l.number = r->seen[KEY_COVER];
                return line_bad(
                    &r->l,
                    "cover: vertex %u, at %u %u, is outside of the target, which ends at %u %u "
                    "(sixteenths of a pixel)",
                    k, c->vertex[k][0], c->vertex[k][1], c->target[0] * SPV_SUBPIXELS,
                    c->target[1] * SPV_SUBPIXELS);
            }
    return true;
}

bool coverage_consistent(struct case_reader *r)
{
    struct spv_case *c = &r->c;
    if (!c->has_coverage)
        return true;
    const struct spv_buffer *b = case_buffer(c, c->coverage_set, c->coverage_binding);
    r->l.number = r->seen[KEY_COVERAGE];
    if (!b)
        return line_bad(&r->l, "coverage %u:%u has no such buffer", c->coverage_set,
                        c->coverage_binding);
    for (uint32_t k = 0; k < b->count; k++)
        if (b->words[k])
            return line_bad(&r->l,
                            "coverage %u:%u: word %u of the buffer is %u, zeros were expected",
                            c->coverage_set, c->coverage_binding, k, b->words[k]);
    if (c->subgroup && c->subgroup < 4)
        return line_bad(&r->l, "coverage in subgroups of %u, which hold no quad", c->subgroup);
    if (c->subgroup && !spv_coverage_room(c->subgroup, b->count))
        return line_bad(
            &r->l,
            "coverage %u:%u has %u words, at least %u, for one subgroup of %u, were expected",
            c->coverage_set, c->coverage_binding, b->count,
            (uint32_t)spv_coverage_at(c->subgroup, 1, 0), c->subgroup);
    return true;
}

// The first entry point that is of the stage, else the first of all; its execution model is told.
// Words that are no module tell nothing: who reads them will say so.
bool stage_fits_module(struct case_reader *r)
{
    const struct spv_case *c = &r->c;
    bool any = false;
    uint32_t other = 0;
    for (size_t k = 5; k < c->count && c->words[k] >> 16 && k + (c->words[k] >> 16) <= c->count;
         k += c->words[k] >> 16) {
        if ((c->words[k] & 0xffff) != SpvOpEntryPoint || c->words[k] >> 16 < 2)
            continue;
        if (c->words[k + 1] == (uint32_t)stages[c->stage].model)
            return true;
        other = any ? other : c->words[k + 1];
        any = true;
    }
    for (int s = 0; s < SPV_STAGES; s++)
        if (any && other == (uint32_t)stages[s].model)
            return line_bad(
                &r->l, "the module's entry point is of the stage %s, \"; stage %s\" was expected",
                stages[s].name, stages[s].name);
    return c->stage == SPV_COMPUTE ||
           line_bad(&r->l, "the module has no entry point of the stage %s", stages[c->stage].name);
}

// ---- printing --------------------------------------------------------------------------

void print_stage(const struct spv_case *c, struct text *out)
{
    if (c->stage == SPV_COMPUTE) {
        text_add(out, "; dispatch %u %u %u\n", c->groups[0], c->groups[1], c->groups[2]);
        return;
    }
    text_add(out, "; stage %s\n; target %u %u\n; cover %s", stages[c->stage].name, c->target[0],
             c->target[1], covers[c->cover].name);
    for (uint32_t k = 0; k < c->vertex_count; k++)
        text_add(out, " %u %u", c->vertex[k][0], c->vertex[k][1]);
    text_addn(out, "\n", 1);
}

void print_coverage(const struct spv_case *c, struct text *out)
{
    if (c->has_coverage)
        text_add(out, "; coverage %u:%u\n", c->coverage_set, c->coverage_binding);
}
