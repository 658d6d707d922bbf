// SPDX-License-Identifier: Apache-2.0
//
// Addresses: the case's buffers, the tables of descriptors (one a descriptor set), push constants.
#include "machine.h"

#include <string.h>

// Of a descriptor: a format that raw accesses do not look at.
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
