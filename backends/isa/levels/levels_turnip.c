// SPDX-License-Identifier: Apache-2.0
//
// Which descriptor of Turnip's code is which buffer: that differs between versions and GPUs, and no
// text says it. A dump has NIR that names buffers by set and binding, and NIR that names
// descriptors in their place.
#include "isa/isa_places.h"
#include "levels_inner.h"

#include <string.h>

static bool has(const struct level *v, const char *what)
{
    return v->language == LEVEL_NIR && strstr(v->text, what);
}

uint32_t levels_descriptors(const struct levels *l, const struct spv_case *c)
{
    enum nir_driver driver;
    uint32_t after = 0;
    if (!levels_dialect(l, &driver) || driver != NIR_TURNIP)
        return 0;
    while (after < l->n && !has(&l->v[after], "@bindless_resource_ir3"))
        after++;
    for (uint32_t before = after; after < l->n && before-- > 0;)
        if (has(&l->v[before], "@vulkan_resource_index"))
            return isa_turnip_descriptors(c, l->v[before].text, l->v[after].text);
    return ISA_DESCRIPTORS_OPEN;
}
