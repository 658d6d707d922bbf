// SPDX-License-Identifier: Apache-2.0
//
// Restores MaximallyReconvergesKHR in the output of a compiler whose language cannot express it and
// that keeps the control flow as written.
#include "command.h"

#include "spirv/spirv_edit.h"

static bool has_mode(const struct spv_module *m)
{
    for (uint32_t i = 0; i < m->inst_count && m->insts[i].op != SpvOpFunction; i++)
        if (m->insts[i].op == SpvOpExecutionMode &&
            m->insts[i].v[1] == SpvExecutionModeMaximallyReconvergesKHR)
            return true;
    return false;
}

void mode_restore(struct arena *a, const struct spv_case *c, struct run_result *r)
{
    const struct spv_case made = {.words = r->words, .count = r->word_count};
    struct spv_module was, m;
    struct words name = {0};
    uint32_t extensions = 0, modes = 0,
             main = 0; // insertion points: instructions are inserted before these
    if (!spv_module_read(a, c->words, c->count, &was, NULL) || !has_mode(&was) ||
        !spv_module_read(a, r->words, r->word_count, &m, NULL) || has_mode(&m))
        return;
    for (uint32_t i = 0; i + 1 < m.inst_count && m.insts[i].op != SpvOpFunction; i++) {
        if (m.insts[i].op == SpvOpCapability || m.insts[i].op == SpvOpExtension)
            extensions = i + 1;
        if (m.insts[i].op == SpvOpEntryPoint) {
            modes = i + 1;
            main = m.insts[i].v[1];
        }
    }
    if (!extensions || !modes)
        return;
    struct spv_edit e;
    spv_edit_start(&e, a, &made, &m, 0);
    spv_string_words(a, &name, "SPV_KHR_maximal_reconvergence");
    spv_edit_insert(&e, extensions, SpvOpExtension, name.v, (uint32_t)name.n);
    SPV_EDIT_INSERT(&e, modes, SpvOpExecutionMode, main, SpvExecutionModeMaximallyReconvergesKHR);
    spv_edit_write(&e, false);
    r->words = e.c.words;
    r->word_count = e.c.count;
}
