// SPDX-License-Identifier: Apache-2.0
//
// A hypothesis as a module: one instruction of it, or all of a kind, does something else. This
// models mistakes of compilers and drivers with images and helper invocations: the oracle runs the
// edited module by the unchanged rules. The module only has to be valid for the oracle, which
// rejects an undefined one.
#include "hypothesis_edit.h"

#include <string.h>

uint32_t edit_put(struct editor *k, uint32_t before, SpvOp op, uint32_t type, const uint32_t *v,
                  uint32_t n)
{
    uint32_t words[8] = {type, spv_edit_id(&k->e)};
    CHECK(n + 2 <= sizeof words / sizeof *words);
    if (n)
        memcpy(words + 2, v, n * sizeof *v);
    spv_edit_insert(&k->e, before, op, words, n + 2);
    return words[1];
}

void edit_add(struct edit_list *l, uint32_t at, enum diag_edit edit, uint32_t value)
{
    CHECK(l->n < HYPOTHESIS_EDITS);
    l->v[l->n++] = (struct diag_hypothesis){
        .mistake = DIAG_INST_EDITED, .at = at, .edit = (uint8_t)edit, .value = value};
}

// Returns the id that names instruction i.
static uint32_t called(const struct spv_module *m, uint32_t i)
{
    const uint32_t b = spv_block_at(m, i);
    return m->insts[i].result ? m->insts[i].result : b == UINT32_MAX ? 0 : m->blocks[b].label;
}

bool hypothesis_edit(struct arena *a, const struct hypotheses *r, const struct diag_hypothesis *h,
                     struct spv_case *out, uint32_t *places)
{
    struct editor k = {.m = &r->m, .h = h};
    *places = 0;
    spv_edit_start(&k.e, a, &r->c, &r->m, 0);
    for (uint32_t i = r->m.functions[0].first; i < r->m.inst_count; i++)
        if (spv_block_at(&r->m, i) != UINT32_MAX && (!h->at || called(&r->m, i) == h->at))
            *places += helper_edit(&k, i) || image_edit(&k, i);
    if (!*places)
        return false;
    spv_edit_write(&k.e, false);
    *out = k.e.c;
    return true;
}

void hypothesis_edits(const struct hypotheses *r, uint32_t i, struct edit_list *out)
{
    out->n = 0;
    if (spv_block_at(&r->m, i) == UINT32_MAX)
        return;
    if (spv_stage_row(r->c.stage)->has_helpers)
        helper_edits(r, i, called(&r->m, i), out);
    image_edits(r, i, called(&r->m, i), out);
}
