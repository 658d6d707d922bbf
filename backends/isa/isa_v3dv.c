// SPDX-License-Identifier: Apache-2.0
//
// v3dv: a buffer is named by an index. The driver numbers the buffers in the order in which it
// meets them in the code: that of the module's access chains with calls inlined, without those
// whose loads have no use. So the buffers that are stored keep their order, and one that is only
// loaded may be anywhere: it is known by its use. If that does not decide which index is which
// buffer, the program is refused.
#include "isa_places.h"

enum { FUNCTIONS = 64 };

struct placing {
    struct arena *a;
    const struct spv_case *c;
    struct spv_module s;
    struct isa_result *out;
    uint32_t met[SPV_CASE_BUFFERS], n; // buffers in the order in which the code meets them
    uint32_t seen[FUNCTIONS], functions;
};

// Returns the case's buffer of a variable; buffer_count: none.
static uint32_t buffer_of(const struct placing *p, uint32_t variable)
{
    const struct spv_module *s = &p->s;
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
    while (i < p->c->buffer_count &&
           (p->c->buffer[i].set != set || p->c->buffer[i].binding != binding))
        i++;
    return i;
}

// Notes what an instruction does with a pointer to a buffer.
static void note_use(const struct placing *p, const struct spv_inst *in, uint8_t *use)
{
    const bool store = in->op == SpvOpStore;
    const bool atomic = in->op >= SpvOpAtomicLoad && in->op <= SpvOpAtomicXor;
    if ((!store && !atomic && in->op != SpvOpLoad) || !in->n)
        return;
    const struct spv_inst *chain = spv_def(&p->s, in->v[0]);
    if (!chain || (chain->op != SpvOpAccessChain && chain->op != SpvOpInBoundsAccessChain))
        return;
    const uint32_t i = buffer_of(p, chain->v[0]);
    if (i < p->c->buffer_count)
        use[i] |= (uint8_t)(store ? ISA_STORED : atomic ? ISA_LOADED | ISA_STORED : ISA_LOADED);
}

// Adds the buffers that a function's chains meet, and those of the functions that it calls, in the
// order of the code. False: there are too many functions.
static bool order(struct placing *p, uint32_t function)
{
    const struct spv_module *s = &p->s;
    uint32_t k = 0;
    for (uint32_t i = 0; i < p->functions; i++)
        if (p->seen[i] == function)
            return true;
    if (p->functions == FUNCTIONS)
        return isa_refuse(p->out, RAN_UNSUPPORTED, 0, "more than %d functions", FUNCTIONS);
    p->seen[p->functions++] = function;
    while (k < s->inst_count && (s->insts[k].op != SpvOpFunction || s->insts[k].result != function))
        k++;
    for (; k < s->inst_count && s->insts[k].op != SpvOpFunctionEnd; k++) {
        const struct spv_inst *in = &s->insts[k];
        if (in->op == SpvOpFunctionCall && in->n && !order(p, in->v[0]))
            return false;
        if ((in->op != SpvOpAccessChain && in->op != SpvOpInBoundsAccessChain) || in->n < 1)
            continue;
        const uint32_t i = buffer_of(p, in->v[0]);
        bool known = i == p->c->buffer_count;
        for (uint32_t n = 0; n < p->n; n++)
            known |= p->met[n] == i;
        if (!known)
            p->met[p->n++] = i;
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

bool isa_v3dv_place(struct arena *a, const struct spv_case *c,
                    const uint8_t of_index[SPV_CASE_BUFFERS], uint32_t n,
                    uint32_t indexed[SPV_CASE_BUFFERS], struct isa_result *out)
{
    struct placing *p = ARENA_NEW(a, struct placing);
    struct err e = {0};
    uint8_t of_buffer[SPV_CASE_BUFFERS] = {0};
    uint32_t stored[SPV_CASE_BUFFERS], loaded[SPV_CASE_BUFFERS];
    uint32_t stores = 0, loads = 0, next = 0, met = 0;
    *p = (struct placing){.a = a, .c = c, .out = out};
    if (!spv_module_read(a, c->words, c->count, &p->s, &e))
        return isa_refuse(out, RAN_INVALID, 0, "the module: %.200s", e.msg);
    if (!order(p, entry(&p->s)))
        return false;
    for (uint32_t k = 0; k < p->s.inst_count; k++)
        note_use(p, &p->s.insts[k], of_buffer);
    // The stored buffers keep their order; the one that is only loaded may be met anywhere.
    bool fits = n <= p->n;
    for (uint32_t k = 0; k < p->n; k++) {
        if (of_buffer[p->met[k]] & ISA_STORED)
            stored[stores++] = p->met[k];
        else
            loaded[loads++] = p->met[k];
    }
    for (uint32_t k = 0; fits && k < n; k++) {
        const bool store = of_index[k] & ISA_STORED;
        fits = store ? next < stores : of_index[k] == ISA_LOADED && loads == 1 && !met++;
        if (fits)
            indexed[k] = store ? stored[next++] : loaded[0];
        fits = fits && !(of_index[k] & ~of_buffer[indexed[k]]);
    }
    return (fits && next == stores) ||
           isa_refuse(out, RAN_UNSUPPORTED, 0, "which buffer has which index");
}
