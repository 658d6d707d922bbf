// SPDX-License-Identifier: Apache-2.0
//
// Places the case's buffers, one table of descriptors per set, and push constants in memory.
#include "machine.h"

#include <string.h>

// The last word of a descriptor: a format, which raw accesses ignore.
enum { FORMAT = 0x31016fac };

bool amd_place(struct amd_machine *m)
{
    const struct spv_case *c = m->c;
    if (m->p->image)
        return amd_image_place(m);
    isa_buffers_add(&m->memory, c);
    m->sets = isa_radv_place(&m->memory, c, FORMAT, m->set_base);
    m->push_base = ISA_RADV_HIGH + 0x20000;
    struct isa_region *push = isa_region_add(&m->memory, m->push_base, SPV_CASE_PUSH * 4, false);
    memcpy(push->bytes, c->push, c->push_count * sizeof c->push[0]);
    return true;
}
