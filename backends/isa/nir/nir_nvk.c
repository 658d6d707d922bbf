// SPDX-License-Identifier: Apache-2.0
//
// NVK: ids are system registers; constant buffer 0 is the root table (base workgroup, workgroups,
// push constants), buffer 1 the descriptor set: address, bytes and a zero for each storage buffer,
// by their bindings.
#include "nir_machine.h"

#include <string.h>

enum {
    ROOT_BASE_GROUP = 0,
    ROOT_GROUPS = 12,
    ROOT_PUSH = 0x700,
    DESCRIPTOR = 16,
    SR_LANE = 0x00,
    SR_TID = 0x21,
    SR_CTAID = 0x25,
    SR_MASK_EQ = 0x38,
    SR_MASK_LT,
    SR_MASK_LE,
    SR_MASK_GT,
    SR_MASK_GE,
};
#define CONSTANTS      UINT64_C(0x700000000000)
#define CONSTANTS_EACH UINT64_C(0x10000000000)

bool nir_nvk_place(struct nir_machine *m)
{
    const struct spv_case *c = m->c;
    struct nir_region *root = nir_region_add(m, CONSTANTS, ROOT_PUSH + 4 * SPV_CASE_PUSH, false);
    struct nir_region *set =
        nir_region_add(m, CONSTANTS + CONSTANTS_EACH, DESCRIPTOR * SPV_CASE_BUFFERS, false);
    memcpy(root->bytes + ROOT_GROUPS, c->groups, sizeof c->groups);
    memcpy(root->bytes + ROOT_PUSH, c->push, c->push_count * sizeof c->push[0]);
    for (uint32_t i = 0; i < c->buffer_count; i++) {
        uint32_t before = 0;
        if (c->buffer[i].set != c->buffer[0].set)
            return isa_refuse(
                m->out, ISA_UNSUPPORTED, 0,
                "several descriptor sets: the text does not tell which constant buffer is which");
        for (uint32_t k = 0; k < c->buffer_count; k++)
            before += c->buffer[k].binding < c->buffer[i].binding;
        const struct nir_region *r = &m->region[i];
        const uint32_t words[4] = {(uint32_t)r->base, (uint32_t)(r->base >> 32), r->size, 0};
        memcpy(set->bytes + before * DESCRIPTOR, words, sizeof words);
    }
    return true;
}

bool nir_nvk_constant(struct nir_machine *m, const struct nir_inst *in, uint64_t buffer,
                      uint64_t byte, uint32_t bytes, uint8_t **out)
{
    const bool known =
        buffer == 0 ? byte + bytes <= ROOT_GROUPS + 12 || byte >= ROOT_PUSH : buffer == 1;
    *out = known ? nir_at(m, CONSTANTS + CONSTANTS_EACH * buffer + byte, bytes, false) : NULL;
    return *out || isa_refuse(m->out, ISA_UNSUPPORTED, in->line, "the constant c[0x%llx][0x%llx]",
                              (unsigned long long)buffer, (unsigned long long)byte);
}

bool nir_nvk_value(struct nir_machine *m, struct nir_wave *w, const struct nir_inst *in)
{
    uint64_t *out = nir_row(m, w, in->def, 0);
    const int64_t which = in->base;
    if (which >= SR_TID && which < SR_TID + 3) {
        nir_write_local(m, w, in, 0, (uint32_t)(which - SR_TID));
        return true;
    }
    if (which >= SR_CTAID && which < SR_CTAID + 3) {
        nir_write_all(m, w, in, 0, m->group[which - SR_CTAID]);
        return true;
    }
    LANES_EACH (lane, w->active) {
        const uint32_t bit = UINT32_C(1) << (lane & 31);
        switch (which) {
        case SR_LANE:
            out[lane] = lane;
            break;
        case SR_MASK_EQ:
            out[lane] = bit;
            break;
        case SR_MASK_LT:
            out[lane] = bit - 1;
            break;
        case SR_MASK_LE:
            out[lane] = bit | (bit - 1);
            break;
        case SR_MASK_GT:
            out[lane] = ~(bit | (bit - 1)) & UINT32_MAX;
            break;
        case SR_MASK_GE:
            out[lane] = ~(bit - 1) & UINT32_MAX;
            break;
        default:
            return isa_refuse(m->out, ISA_UNSUPPORTED, in->line, "system register 0x%x",
                              (unsigned)which);
        }
    }
    return true;
}
