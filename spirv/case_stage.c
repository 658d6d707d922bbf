// SPDX-License-Identifier: Apache-2.0
//
// Reads and prints the stage of a case (docs/case-format.md, "Stages"): the keys stage, target,
// cover, vertices and coverage. Checks the constraints between them and the module.
#include "case_inner.h"
#include "spirv_groups.h"

#include <string.h>

static const struct {
    const char *name;
    uint32_t vertices;
} covers[SPV_COVERS] = {
    [SPV_COVER_FULL] = {"full", 0},
    [SPV_COVER_TRIANGLES] = {"triangles", 3},
    [SPV_COVER_POINTS] = {"points", 1},
    [SPV_COVER_LINES] = {"lines", 2},
};

uint32_t spv_cover_vertices(enum spv_cover c)
{
    return covers[c].vertices;
}

// ---- keys ----------------------------------------------------------------------------

bool read_stage(struct case_reader *r)
{
    struct token t = line_token(&r->l);
    if (!spv_stage_find(t.s, t.n, &r->c.stage))
        return line_bad(&r->l, "the stage is %s, one of " SPV_STAGE_NAMES " was expected",
                        line_shown(&r->l, t));
    return line_end(&r->l);
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

bool read_vertices(struct case_reader *r)
{
    r->c.target[1] = 1;
    return line_u32(&r->l, "the number of vertices", 1, SPV_TARGET_PIXELS, &r->c.target[0]) &&
           line_end(&r->l);
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

// ---- constraints ------------------------------------------------------------------------

// Checks that key k is present exactly if `wanted`.
static bool asked(struct case_reader *r, enum key k, const char *name, bool wanted)
{
    if (wanted && !r->seen[k])
        return line_bad(&r->l, "the metadata ends here without \"; %s\", which is required", name);
    if (wanted || !r->seen[k])
        return true;
    r->l.number = r->seen[k];
    return line_bad(&r->l, "%s is not allowed with \"stage %s\"", name,
                    spv_stage_row(r->c.stage)->name);
}

bool stage_consistent(struct case_reader *r)
{
    struct spv_case *c = &r->c;
    const struct spv_stage_row *row = spv_stage_row(c->stage);
    if (!asked(r, KEY_DISPATCH, "dispatch", row->has_workgroups) ||
        !asked(r, KEY_TARGET, "target", row->has_pixels) ||
        !asked(r, KEY_COVER, "cover", row->has_pixels) ||
        !asked(r, KEY_VERTICES, "vertices", row->has_vertices) ||
        !asked(r, KEY_COVERAGE, "coverage", row->maps_by_coverage) ||
        (row->maps_by_coverage && !asked(r, KEY_LANES, "lanes", false)))
        return false;
    if (row->has_workgroups)
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
    const struct spv_buffer *b = spv_buffer_at(c, c->coverage_set, c->coverage_binding);
    r->l.number = r->seen[KEY_COVERAGE];
    if (!b)
        return line_bad(&r->l, "coverage %u:%u has no such buffer", c->coverage_set,
                        c->coverage_binding);
    for (uint32_t k = 0; k < b->count; k++)
        if (b->words[k])
            return line_bad(&r->l,
                            "coverage %u:%u: word %u of the buffer is %u, zeros were expected",
                            c->coverage_set, c->coverage_binding, k, b->words[k]);
    if (spv_stage_row(c->stage)->has_helpers && c->subgroup && c->subgroup < SPV_QUAD)
        return line_bad(&r->l, "coverage with subgroup size %u, which is smaller than a quad",
                        c->subgroup);
    if (c->subgroup && !spv_coverage_room(c->subgroup, b->count))
        return line_bad(
            &r->l,
            "coverage %u:%u has %u words, at least %u, for one subgroup of %u, were expected",
            c->coverage_set, c->coverage_binding, b->count,
            (uint32_t)spv_coverage_at(c->subgroup, 1, 0), c->subgroup);
    return true;
}

// Checks that the module has an entry point of the case's stage; if not, the message names the
// stage of the first entry point. Words that are not a module are accepted: spv_module_read reports
// them later.
bool stage_fits_module(struct case_reader *r)
{
    const struct spv_case *c = &r->c;
    const struct spv_stage_row *row = spv_stage_row(c->stage);
    bool any = false;
    uint32_t other = 0;
    for (size_t k = 5; k < c->count && c->words[k] >> 16 && k + (c->words[k] >> 16) <= c->count;
         k += c->words[k] >> 16) {
        if ((c->words[k] & 0xffff) != SpvOpEntryPoint || c->words[k] >> 16 < 2)
            continue;
        if (c->words[k + 1] == row->model)
            return true;
        other = any ? other : c->words[k + 1];
        any = true;
    }
    for (int s = 0; s < SPV_STAGES; s++)
        if (any && other == spv_stage_row((enum spv_stage)s)->model)
            return line_bad(
                &r->l, "the module's entry point is of the stage %s, \"; stage %s\" was expected",
                spv_stage_row((enum spv_stage)s)->name, spv_stage_row((enum spv_stage)s)->name);
    return c->stage == SPV_STAGE_DEFAULT ||
           line_bad(&r->l, "the module has no entry point of the stage %s", row->name);
}

// ---- printing --------------------------------------------------------------------------

void print_stage(const struct spv_case *c, struct text *out)
{
    const struct spv_stage_row *row = spv_stage_row(c->stage);
    if (c->stage != SPV_STAGE_DEFAULT)
        text_add(out, "; stage %s\n", row->name);
    if (row->has_workgroups)
        text_add(out, "; dispatch %u %u %u\n", c->groups[0], c->groups[1], c->groups[2]);
    if (row->has_vertices)
        text_add(out, "; vertices %u\n", c->target[0]);
    if (!row->has_pixels)
        return;
    text_add(out, "; target %u %u\n; cover %s", c->target[0], c->target[1], covers[c->cover].name);
    for (uint32_t k = 0; k < c->vertex_count; k++)
        text_add(out, " %u %u", c->vertex[k][0], c->vertex[k][1]);
    text_addn(out, "\n", 1);
}

void print_coverage(const struct spv_case *c, struct text *out)
{
    if (c->has_coverage)
        text_add(out, "; coverage %u:%u\n", c->coverage_set, c->coverage_binding);
}

void spv_case_work(const struct spv_case *c, struct text *out)
{
    const struct spv_stage_row *row = spv_stage_row(c->stage);
    if (row->has_workgroups)
        text_add(out, "dispatch %u x %u x %u", c->groups[0], c->groups[1], c->groups[2]);
    else if (row->has_vertices)
        text_add(out, "%s shader, %u vertices", row->name, c->target[0]);
    else
        text_add(out, "%s shader, target %u x %u", row->name, c->target[0], c->target[1]);
}

// ---- number of invocations ----------------------------------------------------------------

uint64_t spv_case_invocations(const struct spv_case *c, const struct spv_module *m)
{
    uint32_t size[3] = {1, 1, 1};
    if (!spv_stage_row(c->stage)->has_workgroups)
        return (uint64_t)c->target[0] * c->target[1];
    if (m)
        (void)spv_local_size(c, m, size, NULL);
    return (uint64_t)size[0] * size[1] * size[2] * c->groups[0] * c->groups[1] * c->groups[2];
}
