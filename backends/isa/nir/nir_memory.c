// SPDX-License-Identifier: Apache-2.0
//
// Loads, stores and atomics, executed immediately.
#include "nir_machine.h"

#include <string.h>

bool nir_place(struct nir_machine *m)
{
    const struct spv_case *c = m->c;
    isa_buffers_add(&m->memory, c);
    if (!nir_deref_place(m))
        return false;
    switch (m->p->driver) {
    case NIR_RADV:
        m->sets = isa_radv_place(&m->memory, c, 0, m->set_base);
        nir_radv_place(m);
        return true;
    case NIR_NVK:
        return isa_nvk_place(&m->memory, c, m->out);
    case NIR_HONEYKRISP:
        return nir_honeykrisp_place(m);
    case NIR_TURNIP:
        m->constants = ARENA_NEW(m->a, struct nir_constants);
        break;
    case NIR_ANV:
    case NIR_PANVK:
    case NIR_POWERVR:
    case NIR_LAVAPIPE:
        break;
    case NIR_V3DV:
        return nir_v3dv_place(m);
    }
    return true;
}

// ---- one lane's access -----------------------------------------------------

static uint8_t *at_address(const struct nir_machine *m, uint64_t address, uint32_t bytes,
                           bool write)
{
    return isa_at(&m->memory, isa_address(address), bytes, write);
}

static bool fault(struct nir_machine *m, const struct nir_inst *in, uint64_t address)
{
    return isa_refuse(m->out, RAN_FAULT, in->line, "%s of address 0x%llx, which is not mapped",
                      nir_ops[in->id].name, (unsigned long long)address);
}

static uint64_t word(const struct nir_machine *m, const struct nir_wave *w,
                     const struct nir_inst *in, uint32_t source, uint32_t k, uint32_t lane)
{
    return nir_source(m, w, in, source, k)[lane];
}

// Finds the buffer that a resource names: a handle, of PowerVR two words. False: none has it.
static bool resource(struct nir_machine *m, const struct nir_wave *w, const struct nir_inst *in,
                     uint32_t source, uint32_t lane, uint64_t *base, uint32_t *bytes)
{
    const uint32_t handle = (uint32_t)word(m, w, in, source, 0, lane);
    switch (m->p->driver) {
    case NIR_TURNIP:
        return nir_turnip_resource(m, handle, base, bytes);
    case NIR_ANV:
        return nir_anv_resource(m, handle, base, bytes);
    case NIR_PANVK:
        return nir_panvk_resource(m, handle, base, bytes);
    case NIR_V3DV:
        return nir_v3dv_resource(m, handle, base, bytes);
    case NIR_LAVAPIPE:
        return nir_lavapipe_resource(m, handle, base, bytes);
    case NIR_POWERVR:
        return !word(m, w, in, source, 1, lane) && nir_powervr_resource(m, handle, base, bytes);
    case NIR_RADV:
    case NIR_NVK:
    case NIR_HONEYKRISP:
        break;
    }
    return false;
}

static bool is_ir3(enum nir_id id)
{
    return id == NIR_LOAD_SSBO_IR3 || id == NIR_STORE_SSBO_IR3 || id == NIR_SSBO_ATOMIC_IR3;
}

static uint64_t buffer_offset(const struct nir_machine *m, const struct nir_wave *w,
                              const struct nir_inst *in, uint32_t source, uint32_t lane)
{
    if (is_ir3(in->id)) { // the last source; the base has its unit: of Mesa 25.0, an element
        const uint32_t bits = m->p->def[in->def != NIR_NO_DEF ? in->def : in->src[0].def].bits;
        const uint32_t shift = in->has_offset_shift ? in->offset_shift
                               : bits == 8          ? 0
                               : bits == 16         ? 1
                                                    : 2;
        return (word(m, w, in, in->srcs - 1, 0, lane) + (uint64_t)in->base) << shift;
    }
    return (word(m, w, in, source + 1, 0, lane) << in->offset_shift) + (uint64_t)in->base;
}

// Finds an access to a buffer. A resource is a descriptor of four words (RADV) or names a buffer.
static bool buffer_place(struct nir_machine *m, struct nir_wave *w, const struct nir_inst *in,
                         uint32_t source, uint32_t lane, uint32_t bytes, bool write, uint8_t **out)
{
    uint64_t base;
    uint32_t size;
    const uint64_t offset = buffer_offset(m, w, in, source, lane) & UINT32_MAX;
    if (m->p->driver == NIR_RADV && in->src[source].count == 4) {
        base = word(m, w, in, source, 0, lane) | (word(m, w, in, source, 1, lane) & 0xffff) << 32;
        size = (uint32_t)word(m, w, in, source, 2, lane);
    } else if (in->src[source].count == 2 && m->p->driver == NIR_LAVAPIPE) { // table, buffer
        if (!nir_lavapipe_resource(m,
                                   nir_lavapipe_handle((uint32_t)word(m, w, in, source, 0, lane),
                                                       (uint32_t)word(m, w, in, source, 1, lane)),
                                   &base, &size))
            return isa_refuse(m->out, RAN_FAULT, in->line, "%s of a table without this buffer",
                              nir_ops[in->id].name);
    } else if (in->src[source].count == 2 && m->p->driver != NIR_POWERVR) { // before descriptors
        if (!nir_index_resource(m, (uint32_t)word(m, w, in, source, 0, lane), &base, &size))
            return isa_refuse(m->out, RAN_FAULT, in->line, "%s of an index that is not a buffer's",
                              nir_ops[in->id].name);
    } else if (m->p->driver == NIR_NVK || m->p->driver == NIR_HONEYKRISP ||
               in->src[source].count != (m->p->driver == NIR_POWERVR ? 2 : 1)) {
        return isa_refuse(m->out, RAN_UNSUPPORTED, in->line, "resource of %s",
                          nir_ops[in->id].name);
    } else if (!resource(m, w, in, source, lane, &base, &size)) {
        return isa_refuse(m->out, RAN_FAULT, in->line, "%s of a handle that is not a resource",
                          nir_ops[in->id].name);
    }
    *out = offset + bytes > size ? NULL : at_address(m, base + offset, bytes, write);
    return *out || offset + bytes > size || fault(m, in, base + offset);
}

static uint8_t *shared_place(struct nir_machine *m, uint64_t at, uint32_t bytes)
{
    at &= UINT32_MAX;
    return at + bytes > SHARED_BYTES ? NULL : isa_shared(&m->shared) + at;
}

static bool scratch_place(struct nir_machine *m, struct nir_wave *w, const struct nir_inst *in,
                          uint64_t at, uint32_t lane, uint32_t bytes, uint8_t **out)
{
    if (!w->scratch)
        w->scratch = isa_random_bytes(m->a, &m->random_fill, (size_t)SCRATCH_BYTES * m->p->size);
    at &= UINT32_MAX;
    if (at + bytes > SCRATCH_BYTES)
        return isa_refuse(m->out, RAN_UNSUPPORTED, in->line, "scratch beyond %d bytes",
                          SCRATCH_BYTES);
    *out = w->scratch + (size_t)SCRATCH_BYTES * lane + at;
    return true;
}

// Finds the bytes of an access. `first` is the source with the location. *out is NULL if the access
// is out of bounds of its buffer: then loads return 0 and stores are dropped.
static bool place(struct nir_machine *m, struct nir_wave *w, const struct nir_inst *in,
                  uint32_t first, uint32_t lane, uint32_t bytes, bool write, uint8_t **out)
{
    uint64_t at = word(m, w, in, first, 0, lane), base;
    switch (in->id) {
    case NIR_LOAD_DEREF:
    case NIR_STORE_DEREF:
    case NIR_DEREF_ATOMIC:
    case NIR_DEREF_ATOMIC_SWAP:
        return nir_deref_at(m, w, in, first, lane, bytes, write, out);
    case NIR_LOAD_SSBO:
    case NIR_STORE_SSBO:
    case NIR_LOAD_SSBO_IR3:
    case NIR_STORE_SSBO_IR3:
    case NIR_SSBO_ATOMIC_IR3:
    case NIR_LOAD_SSBO_INTEL:
    case NIR_LOAD_SSBO_UNIFORM:
    case NIR_STORE_SSBO_INTEL:
    case NIR_SSBO_ATOMIC:
    case NIR_SSBO_ATOMIC_SWAP:
        return buffer_place(m, w, in, first, lane, bytes, write, out);
    case NIR_LOAD_SHARED:
    case NIR_STORE_SHARED:
    case NIR_SHARED_ATOMIC:
    case NIR_SHARED_ATOMIC_SWAP:
        // PowerVR's memory is addressed by words.
        *out = shared_place(m, (at + (uint64_t)in->base) << (m->p->driver == NIR_POWERVR ? 2 : 0),
                            bytes);
        return true;
    case NIR_LOAD_GLOBAL:
    case NIR_LOAD_GLOBAL_CONSTANT:
    case NIR_STORE_GLOBAL:
    case NIR_GLOBAL_ATOMIC:
    case NIR_GLOBAL_ATOMIC_SWAP:
        *out = at_address(m, at, bytes, write);
        return *out || fault(m, in, at);
    case NIR_LOAD_SHARED_NV:
    case NIR_STORE_SHARED_NV:
    case NIR_SHARED_ATOMIC_NV: // an offset per lane, shifted, plus a common one
        at = (at << in->offset_shift) + word(m, w, in, first + 1, 0, lane) + (uint64_t)in->base;
        *out = shared_place(m, at, bytes);
        return true;
    case NIR_LOAD_SCRATCH:
    case NIR_STORE_SCRATCH:
        return scratch_place(m, w, in, at + (uint64_t)in->base, lane, bytes, out);
    case NIR_LOAD_AGX:
    case NIR_LOAD_CONSTANT_AGX:
    case NIR_STORE_AGX:
    case NIR_ATOMIC_AGX:
    case NIR_ATOMIC_SWAP_AGX: { // indexed by elements, not bytes
        const uint64_t element = in->element ? in->element : m->p->def[in->def].bits / 8u;
        const uint32_t index = (uint32_t)word(m, w, in, first + 1, 0, lane);
        at += ((in->sign_extend ? (uint64_t)(int64_t)(int32_t)index : index) << in->base) * element;
        *out = at_address(m, at, bytes, write);
        return *out || fault(m, in, at);
    }
    case NIR_LDC_NV:
    case NIR_LOAD_UBO:
        base = word(m, w, in, first + 1, 0, lane) + (uint64_t)in->base;
        *out = nir_nvk_constant(m, in, at, base, bytes);
        return *out ||
               isa_refuse(m->out, RAN_UNSUPPORTED, in->line, "the constant c[0x%llx][0x%llx]",
                          (unsigned long long)at, (unsigned long long)base);
    default: // global: an address and an offset
        at += word(m, w, in, first + 1, 0, lane) + (uint64_t)in->base;
        *out = at_address(m, at, bytes, write);
        return *out || fault(m, in, at);
    }
}

// Returns the bytes of a component in memory; a variable holds a bool as a word.
static uint32_t bytes_of(const struct nir_machine *m, uint32_t def)
{
    return m->p->def[def].bits == 1 ? 4u : m->p->def[def].bits / 8u;
}

// Reduces *count to the leading components that are in bounds; *out is NULL if there are none.
static bool reach(struct nir_machine *m, struct nir_wave *w, const struct nir_inst *in,
                  uint32_t first, uint32_t lane, uint32_t each, uint32_t *count, bool write,
                  uint8_t **out)
{
    for (*out = NULL; *count; --*count) {
        if (!place(m, w, in, first, lane, each * *count, write, out))
            return false;
        if (*out)
            break;
    }
    return true;
}

static bool store(struct nir_machine *m, struct nir_wave *w, const struct nir_inst *in,
                  uint32_t lane)
{
    const uint32_t each = bytes_of(m, in->src[0].def),
                   mask = in->has_write_mask ? in->write_mask : UINT32_MAX;
    uint32_t n = in->src[0].count;
    uint8_t *p;
    while (n && !(mask >> (n - 1) & 1))
        n--;
    if (!reach(m, w, in, 1, lane, each, &n, true, &p))
        return false;
    for (uint32_t k = 0; k < n; k++)
        if (mask >> k & 1) {
            const uint64_t v = word(m, w, in, 0, k, lane);
            memcpy(p + each * k, &v, each);
        }
    return true;
}

static bool load(struct nir_machine *m, struct nir_wave *w, const struct nir_inst *in,
                 uint32_t lane)
{
    const struct nir_def *d = &m->p->def[in->def];
    const uint32_t each = bytes_of(m, in->def);
    uint32_t n = d->components;
    uint8_t *p = NULL;
    if (in->id == NIR_LOAD_GLOBAL_NV &&
        !(word(m, w, in, 2, 0, lane) & 1)) // a disabled load returns 0
        n = 0;
    else if (!reach(m, w, in, 0, lane, each, &n, false, &p))
        return false;
    for (uint32_t k = 0; k < d->components; k++) {
        uint64_t v = 0;
        if (k < n)
            memcpy(&v, p + each * k, each);
        nir_row(m, w, in->def, k)[lane] = v;
    }
    return true;
}

// Sources: location, comparator (swap only), data.
static bool atomic(struct nir_machine *m, struct nir_wave *w, const struct nir_inst *in,
                   uint32_t lane)
{
    const struct nir_def *d = &m->p->def[in->def];
    const bool swap = in->id == NIR_SSBO_ATOMIC_SWAP || in->id == NIR_SHARED_ATOMIC_SWAP ||
                      in->id == NIR_ATOMIC_SWAP_AGX || in->id == NIR_DEREF_ATOMIC_SWAP ||
                      in->id == NIR_GLOBAL_ATOMIC_SWAP;
    const uint32_t bytes = d->bits / 8u;
    uint8_t *p;
    uint64_t old = 0;
    if (!place(m, w, in, 0, lane, bytes, true, &p))
        return false;
    if (p) {
        const uint32_t data = in->srcs - 1 - (in->id == NIR_SSBO_ATOMIC_IR3);
        const uint64_t v = word(m, w, in, data, 0, lane);
        memcpy(&old, p, bytes);
        const uint64_t new = swap &&old != word(m, w, in, in->srcs - 2, 0, lane)
                                 ? old
                                 : isa_combined(in->combine, d->bits, old, v);
        memcpy(p, &new, bytes);
    }
    nir_row(m, w, in->def, 0)[lane] = old;
    return true;
}

// Adds the number of active lanes to a counter or subtracts it; all lanes get the old value.
static void count_lanes(struct nir_machine *m, struct nir_wave *w, const struct nir_inst *in)
{
    uint8_t *p = shared_place(m, (uint64_t)in->base, 4);
    uint32_t old = 0, new;
    if (p) {
        memcpy(&old, p, 4);
        new =
            in->id == NIR_SHARED_APPEND ? old + lane_count(w->active) : old - lane_count(w->active);
        memcpy(p, &new, 4);
    }
    nir_write_all(m, w, in, 0, old);
}

// Reads or writes a register, in the lanes that are on.
static void registers(struct nir_machine *m, struct nir_wave *w, const struct nir_inst *in)
{
    const bool load = in->id == NIR_LOAD_REG;
    const struct nir_src *reg = &in->src[!load];
    for (uint32_t k = 0; k < reg->count; k++) {
        const uint64_t *from = nir_source(m, w, in, 0, k);
        uint64_t *to = nir_row(m, w, load ? in->def : reg->def, load ? k : reg->component[k]);
        if (load || !in->has_write_mask || in->write_mask >> k & 1)
            LANES_EACH (lane, w->active)
                to[lane] = from[lane];
    }
}

bool nir_memory(struct nir_machine *m, struct nir_wave *w, const struct nir_inst *in)
{
    if (in->id == NIR_LOAD_CONST_IR3 || in->id == NIR_STORE_CONST_IR3 ||
        in->id == NIR_PREFETCH_IR3 || in->id == NIR_PREAMBLE_END_IR3)
        return nir_turnip_preamble(m, w, in);
    const bool atomics = strchr(nir_ops[in->id].attributes, 'a') || in->id == NIR_SSBO_ATOMIC_SWAP;
    const uint32_t bits = m->p->def[in->def != NIR_NO_DEF ? in->def : in->src[0].def].bits;
    if (in->id == NIR_SHARED_APPEND || in->id == NIR_SHARED_CONSUME) {
        count_lanes(m, w, in);
        return true;
    }
    if (in->id == NIR_LOAD_REG || in->id == NIR_STORE_REG) {
        registers(m, w, in);
        return true;
    }
    if (in->id == NIR_LOAD_PREAMBLE || in->id == NIR_STORE_PREAMBLE)
        return m->p->driver == NIR_TURNIP ? nir_turnip_preamble(m, w, in)
                                          : nir_honeykrisp_uniforms(m, w, in);
    if (in->element && bits != 8 * in->element)
        return isa_refuse(m->out, RAN_UNSUPPORTED, in->line,
                          "%s whose width differs from its format", nir_ops[in->id].name);
    if (in->id == NIR_LOAD_DEREF && in->deref->mode == NIR_SYSTEM)
        return nir_deref_system(m, w, in);
    const bool variable = in->deref && in->deref->mode != NIR_BUFFER;
    if (bits < 8 && (!variable || atomics))
        return isa_refuse(m->out, RAN_INVALID, in->line, "%s of a bool", nir_ops[in->id].name);
    LANES_EACH (lane, w->active)
        if (!(atomics                 ? atomic(m, w, in, lane)
              : in->def != NIR_NO_DEF ? load(m, w, in, lane)
                                      : store(m, w, in, lane)))
            return false;
    return true;
}
