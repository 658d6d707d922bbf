// SPDX-License-Identifier: Apache-2.0
//
// The payload: registers that a thread starts with. Of a Vulkan shader as Mesa's compiler expects
// it, of an OpenCL kernel as IGC says in its "ze_info".
//
// Of a fragment shader (Mesa's thread payload of fragment shaders): after the header for every 16
// lanes 32 bytes, of which words 2 to 5 are x and y of each quad's upper left pixel, 16 bits each,
// and word 7 is the mask of lanes that are not helpers. On Xe2 a header precedes each of them.
#include "eu_machine.h"

#include <string.h>

static void put(struct eu_thread *t, uint32_t byte, uint32_t v, uint32_t bytes)
{
    memcpy(t->r + byte, &v, bytes);
}

// Of a Vulkan shader. r0: ids of the workgroup, and from DG2 on the
// number of the thread in it. Before DG2 push data follow; from DG2 on local ids, 16 bits each, a
// register or more for each axis, and inline data (Mesa's thread payload of compute shaders).
static bool shader(struct eu_machine *m, struct eu_thread *t)
{
    const struct eu_program *p = m->p;
    const bool new = p->gen >= EU_GFX12_5;
    uint32_t at = p->grf;
    memcpy(&t->scratch_base, t->r + 20, 4);
    put(t, 4, m->group[0], 4);
    put(t, 24, m->group[1], 4);
    put(t, 28, m->group[2], 4);
    if (new)
        put(t, 8, t->number, 1);
    // The base workgroup, which is 0, and the number of the thread. The registers hold one of them
    // only if the program does not read the other one.
    if (!new && p->push_bytes) {
        memset(t->r + at, 0, p->push_bytes);
        put(t, at + p->push_thread, t->number, 4);
    }
    if (!new)
        return true;
    for (uint32_t axis = 0; axis < 3 && p->local_ids; axis++) {
        if (axis && m->local[axis] == 1)
            continue;
        if (axis == 2 && m->local[1] == 1)
            return isa_refuse(m->out, RAN_UNSUPPORTED, 0, "local ids of axes x and z");
        for (uint32_t lane = 0; lane < p->size; lane++) {
            uint32_t id[3];
            isa_local_id(m->local, t->number * p->size + lane, id);
            put(t, at + 2 * lane, id[axis], 2);
        }
        at += p->size * 2 > p->grf ? 2 * p->grf : p->grf;
    }
    if (p->inline_data)
        memset(t->r + at, 0, 12); // the base workgroup
    return true;
}

static bool fragment(struct eu_machine *m, struct eu_thread *t)
{
    const struct eu_program *p = m->p;
    memcpy(&t->scratch_base, t->r + 20, 4);
    for (uint32_t lane = 0; lane < p->size; lane += SPV_QUAD) {
        const uint32_t half = lane / 16;
        const struct spv_cover_block *b = &m->quad[lane / SPV_QUAD];
        const uint32_t at = p->gen >= EU_XE2 ? half * p->grf + 32 : (1 + half) * p->grf;
        put(t, at + 28, t->dispatched >> 16 * half & 0xffff, 2);
        if (!(t->started >> lane & 15))
            continue;
        put(t, at + 8 + lane % 16, b->x, 2);
        put(t, at + 10 + lane % 16, b->y, 2);
    }
    return true;
}

// ---- kernels ----

struct isa_region *eu_kernel_buffer(struct eu_machine *m, uint32_t argument)
{
    const struct eu_kernel *k = &m->p->kernel;
    for (uint32_t i = 0; argument < k->places && i < m->c->buffer_count; i++)
        if (m->c->buffer[i].set == k->place[argument].set &&
            m->c->buffer[i].binding == k->place[argument].binding)
            return &m->memory.v[i];
    return NULL;
}

// Bytes of arguments that are not in a register; the local ids of thread 0 begin after them, at a
// multiple of 32 bytes (PVC's registers have 64).
static uint32_t rest(const struct eu_program *p)
{
    const struct eu_kernel *k = &p->kernel;
    const uint32_t n = k->bytes > k->in_register ? k->bytes - k->in_register : 0;
    return (n + 31) / 32 * 32;
}

// `to` is zero.
static void argument_write(struct eu_machine *m, const struct eu_argument *x, uint8_t *to)
{
    const struct isa_region *r = eu_kernel_buffer(m, x->index);
    const uint32_t surface = (x->index + 1) << 6;
    switch (x->kind) {
    case ARGUMENT_ADDRESS:
        if (r)
            memcpy(to, &r->base, 8);
        break;
    case ARGUMENT_SURFACE:
        memcpy(to, &surface, 4);
        break;
    case ARGUMENT_GROUPS:
        memcpy(to, m->c->groups, 12);
        break;
    case ARGUMENT_ZERO:
        break;
    }
}

// All of a kernel's arguments, in the order of their offsets.
static uint8_t *arguments(struct eu_machine *m, uint32_t bytes)
{
    const struct eu_kernel *k = &m->p->kernel;
    uint8_t *out = ARENA_ARRAY(m->a, uint8_t, bytes);
    for (uint32_t i = 0; i < k->arguments; i++)
        argument_write(m, &k->argument[i], out + k->argument[i].at);
    return out;
}

// The ids of a thread's lanes, 16 bits each: axes one after the other, each of whole registers.
static void local_ids(const struct eu_machine *m, uint32_t thread, uint8_t *to)
{
    const struct eu_program *p = m->p;
    const uint32_t axis = (2 * p->size + p->grf - 1) / p->grf * p->grf;
    for (uint32_t k = 0; k < 3 && (k + 1) * axis <= p->kernel.of_thread; k++)
        for (uint32_t lane = 0; lane < p->size; lane++) {
            uint32_t id[3];
            isa_local_id(m->local, thread * p->size + lane, id);
            memcpy(to + k * axis + 2 * lane, &id[k], 2);
        }
}

bool eu_kernel_memory(struct eu_machine *m)
{
    const struct eu_kernel *k = &m->p->kernel;
    if (!k->known)
        return true;
    for (uint32_t i = 0; i < k->places; i++)
        if (!eu_kernel_buffer(m, i))
            return isa_refuse(m->out, RAN_UNSUPPORTED, 0, "argument %u: not a buffer of the case",
                              i);
    const uint32_t first = rest(m->p), all = k->in_register + first;
    uint8_t *bytes = arguments(m, all > k->bytes ? all : k->bytes);
    struct isa_region *r =
        isa_region_add(&m->memory, EU_KERNEL_BASE, first + m->threads * k->of_thread + 256, false);
    memcpy(r->bytes, bytes + k->in_register, first);
    for (uint32_t i = 0; i < m->threads; i++)
        local_ids(m, i, r->bytes + first + i * k->of_thread);
    return true;
}

// r0: address of the arguments, ids of the workgroup, number of the thread; then arguments.
static bool kernel(struct eu_machine *m, struct eu_thread *t)
{
    const struct eu_kernel *k = &m->p->kernel;
    const uint32_t bytes = k->bytes > k->in_register ? k->bytes : k->in_register;
    memcpy(&t->scratch_base, t->r + 20, 4);
    put(t, 0, EU_KERNEL_BASE | (t->unstarted & 31), 4);
    put(t, 4, m->group[0], 4);
    put(t, 24, m->group[1], 4);
    put(t, 28, m->group[2], 4);
    put(t, 8, t->number, 1);
    memcpy(t->r + m->p->grf, arguments(m, bytes), k->in_register);
    return true;
}

bool eu_payload(struct eu_machine *m, struct eu_thread *t)
{
    return m->p->kernel.known ? kernel(m, t) : m->p->fragment ? fragment(m, t) : shader(m, t);
}
