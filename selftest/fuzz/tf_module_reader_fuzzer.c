// SPDX-License-Identifier: Apache-2.0
//
// Reads any bytes with the module reader. In an accepted module every word and id must be usable.
// Also runs the merge repair, which reads compiler output before validation: it moves instructions
// and must lose none. Seeds: SPIR-V binaries.
#include "spirv/spirv.h"

#include <string.h>

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

static void use(const struct spv_module *m)
{
    uint32_t sum = 0;
    for (uint32_t i = 0; i < m->inst_count; i++) {
        const struct spv_inst *in = &m->insts[i];
        const struct spv_op *op = spv_op_find(in->op);
        CHECK(op && op->has_type == (in->type != 0) && op->has_result == (in->result != 0));
        CHECK(in->at >= 5 && in->at < m->count && in->v + in->n <= m->words + m->count);
        for (uint32_t k = 0; k < in->n; k++)
            sum += in->v[k];
        if (in->result)
            CHECK(spv_def(m, in->result) == in);
        if (in->op == SpvOpName)
            CHECK(spv_string(in->v + 1, in->n - 1u) != NULL);
    }
    for (uint32_t b = 0; b < m->block_count; b++) {
        const struct spv_block *block = &m->blocks[b];
        CHECK(block->first < block->last && block->last < m->inst_count);
        CHECK(m->insts[block->first].op == SpvOpLabel && m->block_of[block->label] == b);
        CHECK(block->merge == 0 || (block->first < block->merge && block->merge < block->last));
    }
    for (uint32_t k = 0; k < m->function_count; k++) {
        const struct spv_function *f = &m->functions[k];
        CHECK(m->insts[f->first].op == SpvOpFunction && m->insts[f->last].op == SpvOpFunctionEnd);
        CHECK(f->block_first + f->block_count <= m->block_count);
    }
    struct spv_case c = {.words = m->words, .count = m->count, .spec_count = 1};
    struct err e = {{0}};
    uint32_t local[3];
    if (!spv_local_size(&c, m, local, &e))
        CHECK(e.msg[0] && !strchr(e.msg, '\n'));
    spv_name(m, sum % m->bound);
}

// Checks that the repaired module has the same words in another order (by their sum).
static void repair(struct arena *a, const uint32_t *words, size_t count)
{
    const uint32_t *repaired;
    if (!spv_merge_repair(a, words, count, &repaired))
        return;
    uint64_t before = 0, after = 0;
    for (size_t i = 0; i < count; i++) {
        before += words[i];
        after += repaired[i];
    }
    CHECK(before == after);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    struct arena a = {0};
    struct spv_module m;
    struct err e = {{0}};
    size_t count = size / 4;
    const uint32_t *words = arena_copy(&a, data, count * 4);
    repair(&a, words, count);
    if (spv_module_read(&a, words, count, &m, &e))
        use(&m);
    else
        CHECK(e.msg[0] && !strchr(e.msg, '\n'));
    arena_free(&a);
    return 0;
}
