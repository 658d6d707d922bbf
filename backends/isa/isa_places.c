// SPDX-License-Identifier: Apache-2.0
//
// Where Mesa's drivers place the buffers and ids of a case.
#define _GNU_SOURCE // memmem
#include "isa_places.h"

#include "isa_text.h"

#include <ctype.h>
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

enum { TURNIP_MOST = 3 }; // descriptors of a buffer

bool isa_turnip_buffer(const struct spv_case *c, uint32_t descriptors, uint32_t set, uint32_t k,
                       uint32_t line, uint32_t *buffer, struct isa_result *out)
{
    const uint32_t each = descriptors ? descriptors : 2;
    if (descriptors == ISA_DESCRIPTORS_OPEN)
        return isa_refuse(out, RAN_UNSUPPORTED, line, "how many descriptors a buffer has");
    for (*buffer = 0; *buffer < c->buffer_count; ++*buffer)
        if (c->buffer[*buffer].set == set && isa_place_in_set(c, *buffer) * each == k)
            break;
    return true;
}

// Reads the number that follows `name` in a line, in base 16 if that ends with "0x"; false: there
// is none.
static bool number_after(struct word line, const char *name, uint32_t *out)
{
    const char *at = memmem(line.s, line.n, name, strlen(name));
    const char *end = line.s + line.n;
    uint64_t v;
    size_t k = strlen(name);
    if (!at)
        return false;
    const bool hex = k > 2 && memcmp(name + k - 2, "0x", 2) == 0;
    at += hex ? k - 2 : k;
    k = hex ? 2 : 0;
    while (at + k < end && isalnum((unsigned char)at[k]))
        k++;
    if (!parse_u64(at, k, &v) || v > UINT32_MAX)
        return false;
    *out = (uint32_t)v;
    return true;
}

// Fills which of the case's buffers a text names by set and binding. False: another one, or an
// array.
static bool turnip_named(const struct spv_case *c, const char *text, bool named[SPV_CASE_BUFFERS])
{
    uint32_t set, binding, element;
    for (struct word t; text_line(&text, &t);) {
        if (!memmem(t.s, t.n, "@vulkan_resource_index", strlen("@vulkan_resource_index")))
            continue;
        if (!number_after(t, "desc_set=", &set) || !number_after(t, "binding=", &binding) ||
            !number_after(t, " (0x", &element) || element)
            return false;
        uint32_t i = 0;
        while (i < c->buffer_count && (c->buffer[i].set != set || c->buffer[i].binding != binding))
            i++;
        if (i == c->buffer_count)
            return false;
        named[i] = true;
    }
    return true;
}

// Can the descriptors that a text names be those of these buffers, with so many each? *whole: the
// first one of each of these buffers is named.
static bool turnip_fits(const struct spv_case *c, const char *text, uint32_t each,
                        const bool named[SPV_CASE_BUFFERS], bool *whole)
{
    static const char resource[] = "@bindless_resource_ir3", number[] = " (0x";
    bool first[SPV_CASE_BUFFERS] = {0};
    uint32_t set, k;
    for (struct word t; text_line(&text, &t);) {
        if (!memmem(t.s, t.n, resource, strlen(resource)))
            continue;
        if (!number_after(t, number, &k) || !number_after(t, "desc_set=", &set))
            return false;
        uint32_t i = 0;
        while (i < c->buffer_count &&
               (!named[i] || c->buffer[i].set != set || isa_place_in_set(c, i) != k / each))
            i++;
        if (i == c->buffer_count)
            return false;
        first[i] |= k % each == 0;
    }
    *whole = true;
    for (uint32_t i = 0; i < c->buffer_count; i++)
        *whole &= !named[i] || first[i];
    return true;
}

uint32_t isa_turnip_descriptors(const struct spv_case *c, const char *before, const char *after)
{
    bool named[SPV_CASE_BUFFERS] = {0}, whole, later = false;
    uint32_t last = 0, fits = 0, last_whole = 0, wholes = 0;
    if (!turnip_named(c, before, named))
        return ISA_DESCRIPTORS_OPEN;
    for (uint32_t i = 0; i < c->buffer_count; i++)
        later |= named[i] && isa_place_in_set(c, i);
    for (uint32_t each = TURNIP_MOST; each; each--)
        if (turnip_fits(c, after, each, named, &whole)) {
            last = each;
            fits++;
            last_whole = whole ? each : last_whole;
            wholes += whole;
        }
    // The first buffer of a set is found in any case.
    return wholes == 1 || (wholes && !later) ? last_whole : fits == 1 ? last : ISA_DESCRIPTORS_OPEN;
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
#define CONSTANTS_EACH (ISA_NVK_SET - CONSTANTS)

bool isa_nvk_place(struct isa_memory *m, const struct spv_case *c, struct isa_result *out)
{
    struct isa_region *root = isa_region_add(m, CONSTANTS, ROOT_PUSH + 4 * SPV_CASE_PUSH, false);
    struct isa_region *set =
        isa_region_add(m, ISA_NVK_SET, ISA_DESCRIPTOR * SPV_CASE_BUFFERS, false);
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
