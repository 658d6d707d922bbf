// SPDX-License-Identifier: Apache-2.0
//
// Decodes decorations. Input: the module view. Output: decorations[], where OpGroupDecorate and
// OpGroupMemberDecorate are expanded to one entry for each target, and declared[].
#include "load.h"

#include <string.h>

enum {
    DECORATIONS_MAX = 1 << 20
}; // limit: n decorations of a group with m targets are n * m entries

static bool is_annotation(uint32_t op)
{
    return op == SpvOpDecorate || op == SpvOpMemberDecorate;
}

// Returns the decoration of `i`, applied to `target` and `member` instead of its own target.
static struct decoration made(const struct spv_inst *i, uint32_t spv, uint32_t target,
                              uint32_t member)
{
    uint32_t fixed = i->op == SpvOpMemberDecorate ? 3 : 2;
    return (struct decoration){.target = target,
                               .member = i->op == SpvOpMemberDecorate ? i->v[1] : member,
                               .kind = i->v[fixed - 1],
                               .v = i->v + fixed,
                               .n = i->n - fixed,
                               .spv = spv};
}

// Applies all decorations of a group to each of its targets.
static bool apply_group(struct orc_program *p, uint32_t spv, struct orc_why *why)
{
    const struct spv_inst *group = &p->m.insts[spv];
    uint32_t each = group->op == SpvOpGroupMemberDecorate ? 2 : 1;
    for (uint32_t k = 0; k < spv; k++) { // a group's own decorations precede it
        const struct spv_inst *i = &p->m.insts[k];
        if (i->op != SpvOpDecorate || i->v[0] != group->v[0])
            continue;
        // spv_local_size() does not expand groups, so it would miss these two.
        if (i->v[1] == SpvDecorationSpecId || i->v[1] == SpvDecorationBuiltIn)
            return why_set(&p->m, why, RAN_UNSUPPORTED, NULL, spv, "SpecId or BuiltIn of a group");
        for (uint32_t t = 1; t + each <= group->n; t += each) {
            if (p->decoration_count == DECORATIONS_MAX)
                return why_set(&p->m, why, RAN_UNSUPPORTED, NULL, spv,
                               "more than %d decorations by groups", DECORATIONS_MAX);
            if (p->decoration_count == p->decoration_room) {
                uint32_t room = p->decoration_room * 2 + 64;
                struct decoration *all = ARENA_ARRAY(p->arena, struct decoration, room);
                memcpy(all, p->decorations, p->decoration_count * sizeof *all);
                p->decorations = all;
                p->decoration_room = room;
            }
            p->decorations[p->decoration_count++] =
                made(i, k, group->v[t], each == 2 ? group->v[t + 1] : NONE);
        }
    }
    return true;
}

bool load_decorations(struct orc_program *p, struct orc_why *why)
{
    const struct spv_module *m = &p->m;
    uint32_t groups = 0;
    for (uint32_t k = 0; k < m->inst_count; k++)
        p->decoration_room += is_annotation(m->insts[k].op);
    p->decorations = ARENA_ARRAY(p->arena, struct decoration, p->decoration_room);
    for (uint32_t k = 0; k < m->inst_count; k++) {
        const struct spv_inst *i = &m->insts[k];
        if (is_annotation(i->op))
            p->decorations[p->decoration_count++] = made(i, k, i->v[0], NONE);
        if (i->op != SpvOpGroupDecorate && i->op != SpvOpGroupMemberDecorate)
            continue;
        if (++groups > 1000)
            return why_set(m, why, RAN_UNSUPPORTED, NULL, k,
                           "more than 1000 groups of decorations");
        if (!apply_group(p, k, why))
            return false;
    }
    p->declared = ARENA_ARRAY(p->arena, struct declared, m->bound);
    memset(p->declared, 0xff, m->bound * sizeof *p->declared);
    for (uint32_t k = 0; k < p->decoration_count; k++) {
        const struct decoration *d = &p->decorations[k];
        if (!d->n)
            continue;
        struct declared *declared = &p->declared[d->target];
        switch (d->kind) {
        case SpvDecorationSpecId:
            declared->spec_id = d->v[0];
            break;
        case SpvDecorationDescriptorSet:
            declared->set = d->v[0];
            break;
        case SpvDecorationBinding:
            declared->binding = d->v[0];
            break;
        case SpvDecorationBuiltIn:
            declared->builtin = d->v[0];
            break;
        default:
            break;
        }
    }
    return true;
}

void load_is_decorated(const struct orc_program *p, uint32_t kind, bool *out)
{
    for (uint32_t k = 0; k < p->decoration_count; k++)
        if (p->decorations[k].kind == kind)
            out[p->decorations[k].target] =
                true; // a decorated member marks its struct, which is not a value
}
