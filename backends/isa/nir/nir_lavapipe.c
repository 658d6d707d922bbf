// SPDX-License-Identifier: Apache-2.0
//
// lavapipe of Mesa 26.2: load_const_buf_base_addr_lvp returns the address of a table: table 1 is
// descriptor set 0, and so on. A set's buffers have 16 bytes each, in the order of bindings. Table
// 0 holds the push constants; its code is refused. Mesa 25.0 has the table's number and the
// buffer's in two components.
#include "nir_machine.h"

enum { TABLE_SHIFT = 16 };

uint32_t nir_lavapipe_handle(uint32_t table, uint32_t buffer)
{
    return (table << TABLE_SHIFT) + buffer * ISA_DESCRIPTOR;
}

bool nir_lavapipe_resource(struct nir_machine *m, uint32_t handle, uint64_t *base, uint32_t *bytes)
{
    for (uint32_t i = 0; i < m->c->buffer_count; i++)
        if (handle == nir_lavapipe_handle(m->c->buffer[i].set + 1, isa_place_in_set(m->c, i))) {
            *base = m->memory.v[i].base;
            *bytes = m->memory.v[i].size;
            return true;
        }
    return false;
}

bool nir_lavapipe_value(struct nir_machine *m, struct nir_wave *w, const struct nir_inst *in)
{
    const uint64_t *table = nir_source(m, w, in, 0, 0);
    uint64_t *out = nir_row(m, w, in->def, 0);
    if (in->id != NIR_LOAD_CONST_BUF)
        return isa_refuse(m->out, RAN_UNSUPPORTED, in->line, "%s", nir_ops[in->id].name);
    LANES_EACH (lane, w->active)
        out[lane] = table[lane] << TABLE_SHIFT;
    return true;
}
