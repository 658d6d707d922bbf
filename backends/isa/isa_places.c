// SPDX-License-Identifier: Apache-2.0
//
// Where Mesa's drivers place the buffers and ids of a case.
#include "isa_places.h"

#include <string.h>

uint32_t isa_place_in_set(const struct spv_case *c, uint32_t buffer)
{
    uint32_t at = 0;
    for (uint32_t i = 0; i < c->buffer_count; i++)
        at += c->buffer[i].set == c->buffer[buffer].set &&
              c->buffer[i].binding < c->buffer[buffer].binding;
    return at;
}

// Writes a descriptor: address, size in bytes, one more word.
static void describe(uint8_t *to, const struct isa_region *r, uint32_t last)
{
    const uint32_t words[4] = {(uint32_t)r->base, (uint32_t)(r->base >> 32), r->size, last};
    memcpy(to, words, sizeof words);
}

// ---- Turnip ------------------------------------------------------------------------------------

uint32_t isa_turnip_buffer(const struct spv_case *c, uint32_t set, uint32_t k)
{
    enum { DESCRIPTORS = 2 };
    for (uint32_t i = 0; i < c->buffer_count; i++)
        if (c->buffer[i].set == set && isa_place_in_set(c, i) * DESCRIPTORS == k)
            return i;
    return c->buffer_count;
}

// ---- RADV --------------------------------------------------------------------------------------

uint32_t isa_radv_place(struct isa_memory *m, const struct spv_case *c, uint32_t format,
                        uint64_t set_base[SPV_CASE_BUFFERS])
{
    // One table holds all sets, with the same number of bytes for each, to use few regions.
    const uint32_t each = SPV_CASE_BUFFERS * ISA_DESCRIPTOR;
    uint32_t set[SPV_CASE_BUFFERS], sets = 0;
    for (uint32_t i = 0; i < c->buffer_count; i++) { // sorted by set number
        uint32_t k = 0;
        while (k < sets && set[k] < c->buffer[i].set)
            k++;
        if (k < sets && set[k] == c->buffer[i].set)
            continue;
        memmove(set + k + 1, set + k, (sets - k) * sizeof *set);
        set[k] = c->buffer[i].set;
        sets++;
    }
    struct isa_region *table = isa_region_add(m, ISA_RADV_HIGH + 0x10000, sets * each + 1, false);
    for (uint32_t k = 0; k < sets; k++)
        set_base[k] = table->base + k * each;
    for (uint32_t i = 0; i < c->buffer_count; i++) {
        uint32_t k = 0;
        while (set[k] != c->buffer[i].set)
            k++;
        describe(table->bytes + k * each + isa_place_in_set(c, i) * ISA_DESCRIPTOR, &m->v[i],
                 format);
    }
    return sets;
}

// ---- NVK ---------------------------------------------------------------------------------------

enum {
    ROOT_GROUPS = 12,
    ROOT_PUSH = 0x700,
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

bool isa_nvk_place(struct isa_memory *m, const struct spv_case *c, struct isa_result *out)
{
    struct isa_region *root = isa_region_add(m, CONSTANTS, ROOT_PUSH + 4 * SPV_CASE_PUSH, false);
    struct isa_region *set =
        isa_region_add(m, CONSTANTS + CONSTANTS_EACH, ISA_DESCRIPTOR * SPV_CASE_BUFFERS, false);
    memcpy(root->bytes + ROOT_GROUPS, c->groups, sizeof c->groups);
    memcpy(root->bytes + ROOT_PUSH, c->push, c->push_count * sizeof c->push[0]);
    for (uint32_t i = 0; i < c->buffer_count; i++) {
        if (c->buffer[i].set != c->buffer[0].set)
            return isa_refuse(
                out, RAN_UNSUPPORTED, 0,
                "several descriptor sets: the text does not show which constant buffer is which");
        describe(set->bytes + isa_place_in_set(c, i) * ISA_DESCRIPTOR, &m->v[i], 0);
    }
    return true;
}

enum { HONEYKRISP_BASE_GROUP = 80 }; // in the root table
#define HONEYKRISP_ROOT UINT64_C(0x7000000000)
#define HONEYKRISP_SET  UINT64_C(0x7100000000)

bool isa_honeykrisp_place(struct isa_memory *m, const struct spv_case *c, uint64_t *root,
                          uint64_t *set, struct isa_result *out)
{
    for (uint32_t i = 0; i < c->buffer_count; i++)
        if (c->buffer[i].set)
            return isa_refuse(out, RAN_UNSUPPORTED, 0, "Honeykrisp: descriptor set %u",
                              c->buffer[i].set);
    isa_region_add(m, HONEYKRISP_ROOT + HONEYKRISP_BASE_GROUP, 12, false);
    struct isa_region *table =
        isa_region_add(m, HONEYKRISP_SET, SPV_CASE_BUFFERS * ISA_DESCRIPTOR, false);
    for (uint32_t i = 0; i < c->buffer_count; i++) {
        uint8_t *to = table->bytes + isa_place_in_set(c, i) * ISA_DESCRIPTOR;
        memcpy(to, &m->v[i].base, 8);
        memcpy(to + 8, &m->v[i].size, 4);
    }
    *root = HONEYKRISP_ROOT;
    *set = HONEYKRISP_SET;
    return true;
}

uint8_t *isa_nvk_constant(const struct isa_memory *m, uint64_t buffer, uint64_t byte,
                          uint32_t bytes)
{
    const bool known =
        buffer == 0 ? byte + bytes <= ROOT_GROUPS + 12 || byte >= ROOT_PUSH : buffer == 1;
    return known ? isa_at(m, CONSTANTS + CONSTANTS_EACH * buffer + byte, bytes, false) : NULL;
}

bool isa_nvk_register(int64_t which, uint32_t lane, const uint32_t local[3],
                      const uint32_t group[3], uint32_t *out)
{
    const uint32_t bit = UINT32_C(1) << (lane & 31);
    switch (which) {
    case SR_LANE:
        *out = lane;
        return true;
    case SR_TID:
    case SR_TID + 1:
    case SR_TID + 2:
        *out = local[which - SR_TID];
        return true;
    case SR_CTAID:
    case SR_CTAID + 1:
    case SR_CTAID + 2:
        *out = group[which - SR_CTAID];
        return true;
    case SR_MASK_EQ:
        *out = bit;
        return true;
    case SR_MASK_LT:
        *out = bit - 1;
        return true;
    case SR_MASK_LE:
        *out = bit | (bit - 1);
        return true;
    case SR_MASK_GT:
        *out = ~(bit | (bit - 1));
        return true;
    case SR_MASK_GE:
        *out = ~(bit - 1);
        return true;
    default:
        return false;
    }
}
