// SPDX-License-Identifier: Apache-2.0
//
// Computes the workgroup size of a compute entry point: from a constant decorated WorkgroupSize,
// else the mode LocalSizeId, else LocalSize.
#include "spirv.h"

// Returns in *out the SpecId of a constant; false if it has none.
static bool spec_id(const struct spv_module *m, uint32_t id, uint32_t *out)
{
    for (uint32_t i = 0; i < m->inst_count; i++) {
        const struct spv_inst *in = &m->insts[i];
        if (in->op == SpvOpFunction)
            break;
        if (in->op == SpvOpDecorate && in->n == 3 && in->v[0] == id &&
            in->v[1] == SpvDecorationSpecId) {
            *out = in->v[2];
            return true;
        }
    }
    return false;
}

// Returns in *out the value of a 32-bit constant, after specialisation.
static bool value_of(const struct spv_case *c, const struct spv_module *m, uint32_t id,
                     uint32_t *out, struct err *e)
{
    const struct spv_inst *d = spv_def(m, id);
    if (!d || (d->op != SpvOpConstant && d->op != SpvOpSpecConstant) || d->n != 1)
        return err_set(e,
                       "workgroup size: %%%u is %s, a 32-bit OpConstant or OpSpecConstant was "
                       "expected",
                       id, d ? spv_op_name(d->op) : "not defined");
    *out = d->v[0];
    uint32_t spec;
    if (d->op == SpvOpSpecConstant && spec_id(m, id, &spec))
        for (uint32_t i = 0; i < c->spec_count; i++)
            if (c->spec[i].id == spec)
                *out = c->spec[i].value;
    return true;
}

static bool values_of(const struct spv_case *c, const struct spv_module *m, const uint32_t *ids,
                      uint32_t size[3], struct err *e)
{
    for (int i = 0; i < 3; i++)
        if (!value_of(c, m, ids[i], &size[i], e))
            return false;
    return true;
}

// Finds the three numbers; they may be 0.
static bool find(const struct spv_case *c, const struct spv_module *m, uint32_t size[3],
                 struct err *e)
{
    uint32_t entry = 0;
    const struct spv_inst *mode = NULL;
    for (uint32_t i = 0; i < m->inst_count; i++) {
        const struct spv_inst *in = &m->insts[i];
        if (in->op == SpvOpFunction)
            break;
        if (in->op == SpvOpEntryPoint && !entry && in->v[0] == SpvExecutionModelGLCompute)
            entry = in->v[1];
        bool sized =
            (in->op == SpvOpExecutionMode && in->n == 5 && in->v[1] == SpvExecutionModeLocalSize) ||
            (in->op == SpvOpExecutionModeId && in->n == 5 &&
             in->v[1] == SpvExecutionModeLocalSizeId);
        if (sized && entry && in->v[0] == entry && !mode)
            mode = in;
        if (in->op == SpvOpDecorate && in->n == 3 && in->v[1] == SpvDecorationBuiltIn &&
            in->v[2] == SpvBuiltInWorkgroupSize && entry) {
            const struct spv_inst *d = spv_def(m, in->v[0]);
            if (!d || (d->op != SpvOpConstantComposite && d->op != SpvOpSpecConstantComposite) ||
                d->n != 3)
                return err_set(e,
                               "workgroup size: %%%u is decorated WorkgroupSize, a constant of "
                               "three components was expected",
                               in->v[0]);
            return values_of(c, m, d->v, size, e);
        }
    }
    if (!entry)
        return err_set(e, "workgroup size: the module has no GLCompute entry point");
    if (!mode)
        return err_set(e,
                       "workgroup size: entry point %%%u has no LocalSize, LocalSizeId or "
                       "WorkgroupSize",
                       entry);
    if (mode->op == SpvOpExecutionModeId)
        return values_of(c, m, mode->v + 2, size, e);
    for (int i = 0; i < 3; i++)
        size[i] = mode->v[2 + i];
    return true;
}

bool spv_local_size(const struct spv_case *c, const struct spv_module *m, uint32_t size[3],
                    struct err *e)
{
    uint32_t found[3];
    if (!find(c, m, found, e))
        return false;
    for (int i = 0; i < 3; i++)
        if (found[i] == 0)
            return err_set(e, "workgroup size: %u x %u x %u, at least 1 x 1 x 1 was expected",
                           found[0], found[1], found[2]);
    for (int i = 0; i < 3; i++)
        size[i] = found[i];
    return true;
}
