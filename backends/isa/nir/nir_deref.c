// SPDX-License-Identifier: Apache-2.0
//
// Executes the pointers of early NIR. Where a member or an element of a buffer lies is decorated in
// the case's module: a pointer's way from its buffer is followed there once, before the run.
#include "nir_machine.h"

enum { HANDLE = 0x5b000000 };

// ---- the layout of buffers -------------------------------------------------

// Returns the value of a decoration of `id`, of a structure's member if `member` is not
// UINT32_MAX. False: it has none.
static bool decorated(const struct spv_module *s, uint32_t id, uint32_t member,
                      SpvDecoration decoration, uint32_t *out)
{
    const bool whole = member == UINT32_MAX;
    const uint32_t at = whole ? 1 : 2;
    for (uint32_t i = 0; i < s->inst_count && s->insts[i].op != SpvOpFunction; i++) {
        const struct spv_inst *in = &s->insts[i];
        if (in->op == (whole ? SpvOpDecorate : SpvOpMemberDecorate) && in->n >= at + 2 &&
            in->v[0] == id && (whole || in->v[1] == member) && in->v[at] == (uint32_t)decoration) {
            *out = in->v[at + 1];
            return true;
        }
    }
    return false;
}

// Returns the type of the buffer at a set and binding; 0: none, or variables of several types.
static uint32_t buffer_type(const struct spv_module *s, uint32_t set, uint32_t binding)
{
    uint32_t type = 0, v;
    for (uint32_t i = 0; i < s->inst_count && s->insts[i].op != SpvOpFunction; i++) {
        const struct spv_inst *in = &s->insts[i];
        if (in->op != SpvOpVariable ||
            !decorated(s, in->result, UINT32_MAX, SpvDecorationDescriptorSet, &v) || v != set ||
            !decorated(s, in->result, UINT32_MAX, SpvDecorationBinding, &v) || v != binding)
            continue;
        const struct spv_inst *pointer = spv_def(s, in->type);
        if (!pointer || pointer->op != SpvOpTypePointer || pointer->n < 2 ||
            (type && type != pointer->v[1]))
            return 0;
        type = pointer->v[1];
    }
    return type;
}

// Is member `i` of a structure called this? NIR has the name of the module, or "fieldI".
static bool is_called(struct arena *a, const struct spv_module *s, uint32_t type, uint32_t i,
                      struct word name)
{
    for (uint32_t k = 0; k < s->inst_count && s->insts[k].op != SpvOpFunction; k++) {
        const struct spv_inst *in = &s->insts[k];
        const char *given =
            in->op == SpvOpMemberName && in->n > 2 && in->v[0] == type && in->v[1] == i
                ? spv_string(in->v + 2, in->n - 2u)
                : NULL;
        if (given && *given)
            return word_is(name, given);
    }
    return word_is(name, arena_printf(a, "field%u", i));
}

static uint32_t scalar_bytes(const struct spv_module *s, uint32_t type)
{
    const struct spv_inst *t = spv_def(s, type);
    const bool number = t && (t->op == SpvOpTypeInt || t->op == SpvOpTypeFloat) && t->n;
    return number ? t->v[0] / 8 : 0;
}

// Follows one step into a type: sets *type to what is there, and *step to its offset in bytes, of
// an array to the size of an element. False: the module does not decorate it.
static bool step_into(struct arena *a, const struct spv_module *s, const struct nir_inst *in,
                      uint32_t *type, uint32_t *step)
{
    const struct spv_inst *t = spv_def(s, *type);
    if (!t || !t->n)
        return false;
    if (in->id == NIR_DEREF_STRUCT) {
        uint32_t found = UINT32_MAX;
        for (uint32_t i = 0; t->op == SpvOpTypeStruct && i < t->n; i++)
            if (is_called(a, s, *type, i, in->deref->member)) {
                if (found != UINT32_MAX)
                    return false;
                found = i;
            }
        if (found == UINT32_MAX || !decorated(s, *type, found, SpvDecorationOffset, step))
            return false;
        *type = t->v[found];
        return true;
    }
    const uint32_t array = *type;
    *type = t->v[0];
    if (t->op == SpvOpTypeArray || t->op == SpvOpTypeRuntimeArray)
        return decorated(s, array, UINT32_MAX, SpvDecorationArrayStride, step);
    *step = scalar_bytes(s, *type);
    return t->op == SpvOpTypeVector && *step;
}

// Follows the pointers into buffers. One whose buffer the text does not name is taken to lead into
// buffer `b` of the case. Fills m->step, and `found` for each place that is described. False with
// *out filled: the step is another one than with a buffer before.
static bool follow(struct nir_machine *m, const struct spv_module *s, uint32_t b, bool *found)
{
    const struct nir_program *p = m->p;
    const struct spv_case *c = m->c;
    uint32_t *type = ARENA_ARRAY(m->a, uint32_t, p->defs); // of what is pointed to; 0: not known
    for (uint32_t i = 0; i < p->count; i++) {
        const struct nir_inst *in = &p->inst[i];
        if (in->id == NIR_VULKAN_INDEX) {
            type[in->def] = buffer_type(s, in->set, in->binding);
            continue;
        }
        if (in->id == NIR_VULKAN_DESCRIPTOR || in->id == NIR_DEREF_CAST) {
            type[in->def] = type[in->src[0].def];
            if (!type[in->def] && in->id == NIR_DEREF_CAST && b < c->buffer_count)
                type[in->def] = buffer_type(s, c->buffer[b].set, c->buffer[b].binding);
            continue;
        }
        if (in->id != NIR_DEREF_STRUCT && in->id != NIR_DEREF_ARRAY)
            continue;
        if (in->deref->mode != NIR_BUFFER) {
            m->step[i] = in->deref->bytes;
            continue;
        }
        uint32_t step = in->deref->bytes;
        type[in->def] = type[in->src[0].def];
        if (!step_into(m->a, s, in, &type[in->def], &step)) {
            type[in->def] = 0;
            continue;
        }
        if (found[i] && m->step[i] != step)
            return isa_refuse(m->out, RAN_UNSUPPORTED, in->line,
                              "a place in a buffer that the text does not name");
        found[i] = true;
        m->step[i] = step;
    }
    return true;
}

bool nir_deref_place(struct nir_machine *m)
{
    const struct nir_program *p = m->p;
    struct spv_module s;
    if (!p->derefs)
        return true;
    if (!spv_module_read(m->a, m->c->words, m->c->count, &s, NULL))
        return isa_refuse(m->out, RAN_INVALID, 0, "the case has no compute shader");
    m->step = ARENA_ARRAY(m->a, uint32_t, p->count);
    bool *found = ARENA_ARRAY(m->a, bool, p->count);
    for (uint32_t b = 0; b == 0 || b < m->c->buffer_count; b++)
        if (!follow(m, &s, b, found))
            return false;
    for (uint32_t i = 0; i < p->count; i++) {
        const struct nir_inst *in = &p->inst[i];
        if ((in->id == NIR_DEREF_STRUCT || in->id == NIR_DEREF_ARRAY) &&
            in->deref->mode == NIR_BUFFER && !found[i])
            return isa_refuse(m->out, RAN_UNSUPPORTED, in->line,
                              "a place in a buffer that the case's module does not describe");
    }
    return true;
}

// ---- buffers ---------------------------------------------------------------

bool nir_index_resource(const struct nir_machine *m, uint32_t handle, uint64_t *base,
                        uint32_t *bytes)
{
    const uint32_t i = handle - HANDLE;
    if (i >= m->c->buffer_count)
        return false;
    *base = m->memory.v[i].base;
    *bytes = m->memory.v[i].size;
    return true;
}

// An index of two or three words is the buffer and an offset, with a 0 between them. One of four
// words is what a descriptor holds: an address, a size, and an offset.
bool nir_vulkan_index(struct nir_machine *m, struct nir_wave *w, const struct nir_inst *in)
{
    const struct nir_def *d = &m->p->def[in->def];
    const uint64_t *k = nir_source(m, w, in, 0, 0);
    uint32_t i = 0;
    while (i < m->c->buffer_count &&
           (m->c->buffer[i].set != in->set || m->c->buffer[i].binding != in->binding))
        i++;
    LANES_EACH (lane, w->active)
        if (k[lane])
            i = m->c->buffer_count;
    if (i == m->c->buffer_count || d->bits != 32 || d->components < 2 || d->components > 4)
        return isa_refuse(m->out, RAN_UNSUPPORTED, in->line, "binding %u of set %u in this form",
                          in->binding, in->set);
    const uint64_t base = m->memory.v[i].base;
    const uint64_t three[] = {HANDLE + i, 0, 0};
    const uint64_t four[] = {base & UINT32_MAX, base >> 32, m->memory.v[i].size, 0};
    for (uint32_t c = 0; c < d->components; c++)
        nir_write_all(m, w, in, c, d->components <= 3 ? three[c] : four[c]);
    return true;
}

bool nir_copy(struct nir_machine *m, struct nir_wave *w, const struct nir_inst *in)
{
    const struct nir_def *d = &m->p->def[in->def];
    if (in->src[0].count != d->components || m->p->def[in->src[0].def].bits != d->bits)
        return isa_refuse(m->out, RAN_INVALID, in->line, "%s of another type",
                          nir_ops[in->id].name);
    for (uint32_t k = 0; k < d->components; k++)
        LANES_EACH (lane, w->active)
            nir_row(m, w, in->def, k)[lane] = nir_source(m, w, in, 0, k)[lane];
    return true;
}

// ---- pointers --------------------------------------------------------------

bool nir_deref(struct nir_machine *m, struct nir_wave *w, const struct nir_inst *in)
{
    const struct nir_deref *d = in->deref;
    if (in->id == NIR_DEREF_VAR) {
        nir_write_all(m, w, in, 0, m->p->variable.v[d->variable].at);
        return true;
    }
    if (!nir_copy(m, w, in))
        return false;
    if (in->id == NIR_DEREF_CAST)
        return true;
    const uint32_t step = m->step[in - m->p->inst];
    const uint64_t *index = in->srcs > 1 ? nir_source(m, w, in, 1, 0) : NULL;
    const uint32_t bits = index ? m->p->def[in->src[1].def].bits : 64;
    uint64_t *offset = nir_row(m, w, in->def, m->p->def[in->def].components - 1u);
    LANES_EACH (lane, w->active) {
        const uint64_t i = in->id == NIR_DEREF_STRUCT ? 1
                           : index                    ? (uint64_t)isa_signed(index[lane], bits)
                                                      : (uint64_t)d->index;
        offset[lane] = (offset[lane] + i * step) & UINT32_MAX;
    }
    return true;
}

bool nir_deref_system(struct nir_machine *m, struct nir_wave *w, const struct nir_inst *in)
{
    const struct nir_variable *v = &m->p->variable.v[in->deref->variable];
    const struct nir_inst get = {.id = v->id, .line = in->line, .def = v->def};
    const uint32_t have = m->p->def[v->def].components;
    const uint64_t *offset = nir_source(m, w, in, 0, 0);
    if (m->p->def[in->def].bits != 32)
        return isa_refuse(m->out, RAN_UNSUPPORTED, in->line, "a value of this width");
    if (!nir_system(m, w, &get))
        return false;
    for (uint32_t k = 0; k < m->p->def[in->def].components; k++)
        LANES_EACH (lane, w->active) {
            const uint64_t at = offset[lane] / 4 + k;
            nir_row(m, w, in->def, k)[lane] =
                at < have ? nir_row(m, w, v->def, (uint32_t)at)[lane] : 0;
        }
    return true;
}

// ---- accesses --------------------------------------------------------------

bool nir_deref_at(struct nir_machine *m, struct nir_wave *w, const struct nir_inst *in,
                  uint32_t first, uint32_t lane, uint32_t bytes, bool write, uint8_t **out)
{
    const uint32_t words = in->src[first].count;
    const uint64_t offset = nir_source(m, w, in, first, words - 1)[lane];
    const uint64_t low = nir_source(m, w, in, first, 0)[lane];
    uint64_t base;
    uint32_t size;
    *out = NULL;
    switch (in->deref->mode) {
    case NIR_TEMP:
        if (offset + bytes <= m->p->temp_bytes)
            *out = w->variables + (size_t)m->p->temp_bytes * lane + offset;
        return true;
    case NIR_SHARED:
        if (offset + bytes <= m->p->shared_bytes)
            *out = isa_shared(&m->shared) + offset;
        return true;
    case NIR_BUFFER:
        if (words == 4) {
            base = low | nir_source(m, w, in, first, 1)[lane] << 32;
            size = (uint32_t)nir_source(m, w, in, first, 2)[lane];
        } else if (!nir_index_resource(m, (uint32_t)low, &base, &size)) {
            break;
        }
        *out = offset + bytes > size ? NULL
                                     : isa_at(&m->memory, isa_address(base + offset), bytes, write);
        if (*out || offset + bytes > size)
            return true;
        break;
    case NIR_SYSTEM:
        break;
    }
    return isa_refuse(m->out, RAN_FAULT, in->line, "%s of a pointer that leads nowhere",
                      nir_ops[in->id].name);
}
