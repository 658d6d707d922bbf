// SPDX-License-Identifier: Apache-2.0
//
// Runs the SPIRV-Tools optimizer on any module: FZ_HEAD bytes choose the pipeline, the rest are
// SPIR-V words. The results of a valid and defined module must not change. The target creates
// buffers for the declared bindings. Seeds: the words of generated cases.
#include "fuzz.h"

#include <string.h>

enum { BUFFER_WORDS = 1024 };

// Adds a buffer for each binding that the module decorates, filled with small numbers.
static void buffers(struct arena *a, const struct spv_module *m, struct spv_case *c)
{
    for (uint32_t i = 0; i < m->inst_count; i++) {
        const struct spv_inst *in = &m->insts[i];
        if (in->op != SpvOpDecorate || in->n < 3 || in->v[1] != SpvDecorationBinding)
            continue;
        uint32_t set = 0;
        for (uint32_t k = 0; k < m->inst_count; k++) {
            const struct spv_inst *d = &m->insts[k];
            if (d->op == SpvOpDecorate && d->n >= 3 && d->v[0] == in->v[0] &&
                d->v[1] == SpvDecorationDescriptorSet)
                set = d->v[2];
        }
        bool there = c->buffer_count == SPV_CASE_BUFFERS;
        for (uint32_t k = 0; k < c->buffer_count; k++)
            there |= c->buffer[k].set == set && c->buffer[k].binding == in->v[2];
        if (there)
            continue;
        uint32_t *words = ARENA_ARRAY(a, uint32_t, BUFFER_WORDS);
        for (uint32_t w = 0; w < BUFFER_WORDS; w++)
            words[w] = (w * 5 + 3) % 7;
        c->buffer[c->buffer_count++] = (struct spv_buffer){
            .set = set, .binding = in->v[2], .count = BUFFER_WORDS, .words = words};
    }
}

// Returns the reconvergence model of the module's execution modes (S3). Without such a mode:
// SPIR-V's own rule for uniform control flow.
static enum spv_model promise(const struct spv_module *m)
{
    enum spv_model found = SPV_WORKGROUP_UNIFORM;
    for (uint32_t i = 0; i < m->inst_count && found != SPV_MAXIMAL; i++)
        if (m->insts[i].op == SpvOpExecutionMode && m->insts[i].n >= 2) {
            if (m->insts[i].v[1] == SpvExecutionModeMaximallyReconvergesKHR)
                found = SPV_MAXIMAL;
            else if (m->insts[i].v[1] == SpvExecutionModeSubgroupUniformControlFlowKHR)
                found = SPV_SUBGROUP_UNIFORM;
        }
    return found;
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    if (size < FZ_HEAD + 5 * 4)
        return 0;
    struct arena a = {0};
    struct gen_choices head;
    struct fz_pipeline p;
    struct spv_module m;
    struct err e;
    gen_choices_bytes(&head, &a, data, FZ_HEAD);
    struct spv_case c = {.groups = {1, 1, 1}};
    c.subgroup = 4u << gen_choose(&head, 4);
    fz_pipeline(&head, &p);
    c.count = (size - FZ_HEAD) / 4;
    c.words = arena_copy(&a, data + FZ_HEAD, c.count * 4);
    if (spv_module_read(&a, c.words, c.count, &m, &e) &&
        spv_validate(fz_tools(), SPV_ENV_VULKAN_1_3, c.words, c.count, &e)) {
        c.model = promise(&m);
        buffers(&a, &m, &c);
        fz_optimizer_keeps_meaning(&a, &c, 1, &p);
    }
    arena_free(&a);
    return 0;
}
