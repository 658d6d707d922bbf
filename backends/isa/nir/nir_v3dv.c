// SPDX-License-Identifier: Apache-2.0
//
// v3dv: a buffer is named by an index. The driver numbers the buffers in the order in which it
// meets them in the code: that of the module's access chains with calls inlined, without those
// whose loads have no use. So the buffers that are stored keep their order, and one that is only
// loaded may be anywhere: it is known by its use. If that does not decide which index is which
// buffer, the program is refused.
#include "nir_machine.h"

#include "spirv/spirv.h"

enum { LOADED = 1, STORED = 2 };

// Returns the case's buffer of a variable; buffer_count: none.
static uint32_t buffer_of(const struct nir_machine *m, const struct spv_module *s,
                          uint32_t variable)
{
    uint32_t set = UINT32_MAX, binding = UINT32_MAX, i = 0;
    for (uint32_t k = 0; k < s->inst_count && s->insts[k].op != SpvOpFunction; k++) {
        const struct spv_inst *in = &s->insts[k];
        if (in->op != SpvOpDecorate || in->n < 3 || in->v[0] != variable)
            continue;
        if (in->v[1] == SpvDecorationDescriptorSet)
            set = in->v[2];
        if (in->v[1] == SpvDecorationBinding)
            binding = in->v[2];
    }
    while (i < m->c->buffer_count &&
           (m->c->buffer[i].set != set || m->c->buffer[i].binding != binding))
        i++;
    return i;
}

// Notes what an instruction does with a pointer to a buffer.
static void note_use(const struct nir_machine *m, const struct spv_module *s,
                     const struct spv_inst *in, uint8_t *use)
{
    const bool store = in->op == SpvOpStore;
    const bool atomic = in->op >= SpvOpAtomicLoad && in->op <= SpvOpAtomicXor;
    if ((!store && !atomic && in->op != SpvOpLoad) || !in->n)
        return;
    const struct spv_inst *chain = spv_def(s, in->v[0]);
    if (!chain || (chain->op != SpvOpAccessChain && chain->op != SpvOpInBoundsAccessChain))
        return;
    const uint32_t i = buffer_of(m, s, chain->v[0]);
    if (i < m->c->buffer_count)
        use[i] |= (uint8_t)(store ? STORED : atomic ? LOADED | STORED : LOADED);
}

enum { FUNCTIONS = 64 };

// Adds the buffers that a function's chains meet, and those of the functions that it calls, in the
// order of the code. `seen`: the functions that were looked at. False: there are too many.
static bool order(struct nir_machine *m, const struct spv_module *s, uint32_t function,
                  uint32_t seen[FUNCTIONS], uint32_t *count)
{
    uint32_t k = 0;
    for (uint32_t i = 0; i < *count; i++)
        if (seen[i] == function)
            return true;
    if (*count == FUNCTIONS)
        return isa_refuse(m->out, RAN_UNSUPPORTED, 0, "more than %d functions", FUNCTIONS);
    seen[(*count)++] = function;
    while (k < s->inst_count && (s->insts[k].op != SpvOpFunction || s->insts[k].result != function))
        k++;
    for (; k < s->inst_count && s->insts[k].op != SpvOpFunctionEnd; k++) {
        const struct spv_inst *in = &s->insts[k];
        if (in->op == SpvOpFunctionCall && in->n && !order(m, s, in->v[0], seen, count))
            return false;
        if ((in->op != SpvOpAccessChain && in->op != SpvOpInBoundsAccessChain) || in->n < 1)
            continue;
        const uint32_t i = buffer_of(m, s, in->v[0]);
        bool known = i == m->c->buffer_count;
        for (uint32_t n = 0; n < m->indices; n++)
            known |= m->indexed[n] == i;
        if (!known)
            m->indexed[m->indices++] = i;
    }
    return true;
}

// Returns the function of the first entry point for compute.
static uint32_t entry(const struct spv_module *s)
{
    for (uint32_t k = 0; k < s->inst_count; k++)
        if (s->insts[k].op == SpvOpEntryPoint && s->insts[k].n > 1 &&
            s->insts[k].v[0] == SpvExecutionModelGLCompute)
            return s->insts[k].v[1];
    return 0;
}

// Returns the constant of a source; UINT32_MAX: it has none.
static uint32_t constant(const struct nir_program *p, const struct nir_src *s)
{
    uint32_t def = s->def, component = s->component[0];
    for (uint32_t i = p->count; i--;) {
        const struct nir_inst *in = &p->inst[i];
        if (in->def != def)
            continue;
        if (in->id == NIR_LOAD_CONST)
            return (uint32_t)in->number[component];
        if (in->id != NIR_MOV)
            break;
        def = in->src[0].def;
        component = in->src[0].component[component];
    }
    return UINT32_MAX;
}

// Fills what the code does with each index. Returns the number of indices; UINT32_MAX: an access
// has one that is not constant, or out of range.
static uint32_t used(const struct nir_program *p, uint8_t *use)
{
    uint32_t n = 0;
    for (uint32_t i = 0; i < p->count; i++) {
        const struct nir_inst *in = &p->inst[i];
        const bool store = in->id == NIR_STORE_SSBO;
        const bool atomic = in->id == NIR_SSBO_ATOMIC || in->id == NIR_SSBO_ATOMIC_SWAP;
        if (!store && !atomic && in->id != NIR_LOAD_SSBO)
            continue;
        const uint32_t at = constant(p, &in->src[store]);
        if (at >= SPV_CASE_BUFFERS)
            return UINT32_MAX;
        use[at] |= (uint8_t)(store ? STORED : atomic ? LOADED | STORED : LOADED);
        n = at >= n ? at + 1 : n;
    }
    return n;
}

bool nir_v3dv_place(struct nir_machine *m)
{
    struct spv_module s;
    struct err e = {0};
    uint8_t of_buffer[SPV_CASE_BUFFERS] = {0}, of_index[SPV_CASE_BUFFERS] = {0};
    uint32_t stored[SPV_CASE_BUFFERS], loaded[SPV_CASE_BUFFERS];
    uint32_t stores = 0, loads = 0, next = 0, met = 0;
    if (!spv_module_read(m->a, m->c->words, m->c->count, &s, &e))
        return isa_refuse(m->out, RAN_INVALID, 0, "the module: %.200s", e.msg);
    uint32_t seen[FUNCTIONS], functions = 0;
    if (!order(m, &s, entry(&s), seen, &functions))
        return false;
    for (uint32_t k = 0; k < s.inst_count; k++)
        note_use(m, &s, &s.insts[k], of_buffer);
    // The stored buffers keep their order; the one that is only loaded may be met anywhere.
    const uint32_t n = used(m->p, of_index);
    bool fits = n <= m->indices;
    for (uint32_t k = 0; k < m->indices; k++) {
        if (of_buffer[m->indexed[k]] & STORED)
            stored[stores++] = m->indexed[k];
        else
            loaded[loads++] = m->indexed[k];
    }
    for (uint32_t k = 0; fits && k < n; k++) {
        const bool store = of_index[k] & STORED;
        fits = store ? next < stores : of_index[k] == LOADED && loads == 1 && !met++;
        if (fits)
            m->indexed[k] = store ? stored[next++] : loaded[0];
        fits = fits && !(of_index[k] & ~of_buffer[m->indexed[k]]);
    }
    m->indices = n;
    return (fits && next == stores) ||
           isa_refuse(m->out, RAN_UNSUPPORTED, 0, "which buffer has which index");
}

bool nir_v3dv_resource(struct nir_machine *m, uint32_t handle, uint64_t *base, uint32_t *bytes)
{
    if (handle >= m->indices)
        return false;
    *base = m->memory.v[m->indexed[handle]].base;
    *bytes = m->memory.v[m->indexed[handle]].size;
    return true;
}
