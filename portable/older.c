// SPDX-License-Identifier: Apache-2.0
//
// Instructions of older extensions, rewritten as those of SPIR-V 1.3 with the same meaning: the
// votes and ballots of SPV_KHR_subgroup_vote and SPV_KHR_shader_ballot, and the minimum, maximum
// and middle of three numbers (SPV_AMD_shader_trinary_minmax).
#include "portable_inner.h"

#include "spirv/spirv_edit.h"

#include <spirv/unified1/GLSL.std.450.h>
#include <string.h>

static const struct {
    uint16_t old, now, capability;
} votes[] = {
    {SpvOpSubgroupAllKHR, SpvOpGroupNonUniformAll, SpvCapabilityGroupNonUniformVote},
    {SpvOpSubgroupAnyKHR, SpvOpGroupNonUniformAny, SpvCapabilityGroupNonUniformVote},
    {SpvOpSubgroupAllEqualKHR, SpvOpGroupNonUniformAllEqual, SpvCapabilityGroupNonUniformVote},
    {SpvOpSubgroupBallotKHR, SpvOpGroupNonUniformBallot, SpvCapabilityGroupNonUniformBallot},
    {SpvOpSubgroupFirstInvocationKHR, SpvOpGroupNonUniformBroadcastFirst,
     SpvCapabilityGroupNonUniformBallot},
    {SpvOpSubgroupReadInvocationKHR, SpvOpGroupNonUniformShuffle,
     SpvCapabilityGroupNonUniformShuffle},
};

// Minimum and maximum of GLSL.std.450 for the instructions 3 k + 1 .. 3 k + 3 of the AMD set:
// floats, unsigned and signed integers.
static const uint32_t least[] = {GLSLstd450FMin, GLSLstd450UMin, GLSLstd450SMin},
                      most[] = {GLSLstd450FMax, GLSLstd450UMax, GLSLstd450SMax};
enum { MIN3, MAX3, MID3, KINDS };

static void vote(struct spv_edit *e, uint32_t inst, size_t k)
{
    const struct spv_inst *s = &e->m->insts[inst];
    const uint32_t scope = spv_edit_constant(e, spv_edit_uint(e), SpvScopeSubgroup);
    const uint32_t v[] = {s->type, s->result, scope, s->v[0], s->n > 1 ? s->v[1] : 0};
    spv_edit_capability(e, (SpvCapability)votes[k].capability);
    spv_edit_set(e, inst, (SpvOp)votes[k].now, v, 3u + s->n);
}

static uint32_t two(struct spv_edit *e, uint32_t inst, uint32_t glsl, uint32_t op, uint32_t x,
                    uint32_t y)
{
    const uint32_t id = spv_edit_id(e);
    SPV_EDIT_INSERT(e, inst, SpvOpExtInst, e->m->insts[inst].type, id, glsl, op, x, y);
    return id;
}

static void three(struct spv_edit *e, uint32_t inst, uint32_t glsl)
{
    const struct spv_inst *s = &e->m->insts[inst];
    const uint32_t kind = (s->v[1] - 1) / KINDS, of = (s->v[1] - 1) % KINDS, x = s->v[2],
                   y = s->v[3], z = s->v[4];
    uint32_t op = kind == MIN3 ? least[of] : most[of], a, b = z;
    if (kind == MID3) { // max(min(x, y), min(max(x, y), z))
        a = two(e, inst, glsl, least[of], x, y);
        b = two(e, inst, glsl, least[of], two(e, inst, glsl, most[of], x, y), z);
    } else {
        a = two(e, inst, glsl, op, x, y);
    }
    spv_edit_set(e, inst, SpvOpExtInst, (const uint32_t[]){s->type, s->result, glsl, op, a, b}, 6);
}

// The id of an imported set of instructions; 0: it is not imported.
static uint32_t import_of(const struct spv_module *m, const char *name, uint32_t *at)
{
    for (uint32_t k = 0; k < m->inst_count && m->insts[k].op != SpvOpFunction; k++) {
        const char *is =
            m->insts[k].op == SpvOpExtInstImport ? spv_string(m->insts[k].v, m->insts[k].n) : NULL;
        if (is && strcmp(is, name) == 0) {
            *at = k;
            return m->insts[k].result;
        }
    }
    return 0;
}

void por_older(struct arena *a, struct spv_case *c)
{
    struct spv_module m;
    struct spv_edit e;
    struct err why;
    uint32_t import = 0;
    bool any = false;
    if (!spv_module_read(a, c->words, c->count, &m, &why))
        return; // por_ask says so
    const uint32_t amd = import_of(&m, "SPV_AMD_shader_trinary_minmax", &import);
    uint32_t glsl = import_of(&m, "GLSL.std.450", &import);
    for (uint32_t k = 0; k < m.inst_count && !any; k++) {
        any = amd && m.insts[k].op == SpvOpExtInst && m.insts[k].v[0] == amd;
        for (size_t j = 0; j < sizeof votes / sizeof *votes; j++)
            any |= m.insts[k].op == votes[j].old;
    }
    if (!any)
        return;
    spv_edit_start(&e, a, c, &m, 0);
    if (amd && !glsl) {
        static const uint32_t name[] = {0x4c534c47, 0x6474732e, 0x3035342e, 0}; // "GLSL.std.450"
        glsl = spv_edit_id(&e);
        SPV_EDIT_INSERT(&e, import, SpvOpExtInstImport, glsl, name[0], name[1], name[2], name[3]);
    }
    for (uint32_t k = 0; k < m.inst_count; k++) {
        const struct spv_inst *s = &m.insts[k];
        for (size_t j = 0; j < sizeof votes / sizeof *votes; j++)
            if (s->op == votes[j].old)
                vote(&e, k, j);
        if (amd && s->op == SpvOpExtInst && s->v[0] == amd && s->n == 5 && s->v[1] && s->v[1] <= 9)
            three(&e, k, glsl);
    }
    spv_edit_write(&e, false);
    c->words = e.c.words;
    c->count = e.c.count;
}
