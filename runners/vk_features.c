// SPDX-License-Identifier: Apache-2.0
//
// The features of vk_features.def as a table: the capability that each one enables, and the needs
// that a device without it does not satisfy.
#include "vk.h"

#include <string.h>

#define NO_CAPABILITY             SpvCapabilityMax
#define NEED                      SPV_NEED
#define AT(member)                offsetof(struct vk_features, member)
#define FREE(c)                   {SpvCapability##c, #c, 0, 0, 0},
#define FEATURE(c, member, needs) {SpvCapability##c, #c, AT(member), UINT32_MAX, needs},
#define CLASS(c, bit, needs)                                                                       \
    {SpvCapability##c, #c, AT(operations), VK_SUBGROUP_FEATURE_##bit, needs},
#define ALONE(member, needs) {NO_CAPABILITY, NULL, AT(member), UINT32_MAX, needs},
static const struct {
    SpvCapability capability;
    const char *name;
    size_t at;     // offset of a word in struct vk_features
    uint32_t bits; // bits of that word, one of which must be set; 0: no condition
    spv_needs needs;
} rows[] = {
#include "vk_features.def"
};
#undef AT
#undef NEED
enum { ROWS = sizeof rows / sizeof *rows };

static bool on(const struct vk_features *f, size_t row)
{
    uint32_t word;
    memcpy(&word, (const char *)f + rows[row].at, sizeof word);
    return !rows[row].bits || word & rows[row].bits;
}

void vk_features_copy(const struct vk_features *from, struct vk_features *to)
{
    for (size_t i = 0; i < ROWS; i++)
        if (rows[i].bits)
            memcpy((char *)to + rows[i].at, (const char *)from + rows[i].at, sizeof(uint32_t));
}

spv_needs vk_features_offer(const struct vk_features *f)
{
    spv_needs offers = SPV_ALL_NEEDS;
    for (size_t i = 0; i < ROWS; i++)
        offers &= on(f, i) ? SPV_ALL_NEEDS : ~rows[i].needs;
    return offers;
}

bool vk_capability_fits(const struct vk_features *f, uint32_t capability, struct err *why)
{
    for (size_t i = 0; i < ROWS; i++)
        if (rows[i].name && (uint32_t)rows[i].capability == capability)
            return on(f, i) ||
                   err_set(why, "the device does not offer capability %s", rows[i].name);
    return err_set(why, "capability %u is not supported by this backend", capability);
}
