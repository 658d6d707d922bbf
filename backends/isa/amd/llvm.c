// SPDX-License-Identifier: Apache-2.0
//
// LLVM's own assembly of a kernel: symbols, the kernel descriptor, and the initial state of a wave
// (LLVM's "User Guide for AMDGPU Backend": "Initial Kernel Execution State", "Kernel Descriptor").
// Each instruction and each symbol has an artificial address. Data is reached through a table of
// addresses, as the loader creates it.
#include "isa/isa_text.h"
#include "machine.h"

enum { MOST_BYTES = 64 << 20 };

uint64_t amd_code_address(uint32_t inst)
{
    return UINT64_C(0x7f0000000000) + UINT64_C(8) * inst;
}

uint64_t amd_data_address(uint32_t symbol)
{
    return UINT64_C(0x200000000000) + ((uint64_t)symbol << 32);
}

uint64_t amd_table_address(uint32_t symbol)
{
    return UINT64_C(0x100000000000) + UINT64_C(8) * symbol;
}

// ---- reading ---------------------------------------------------------------

bool amd_directive(struct amd_program *p, const char *s, size_t n)
{
    struct amd_image *image = p->image;
    uint32_t v;
    if (image->ended) // metadata for the loader follows the code
        return true;
    if (text_starts(s, n, ".section"))
        image->in_data = !memchr(s, 'x', n) || !strstr(s, "\"ax\"");
    else if (text_starts(s, n, ".text"))
        image->in_data = false;
    else if (text_starts(s, n, ".amdgpu_metadata"))
        image->ended = true;
    else if (text_take(&s, &n, ".zero ") || text_take(&s, &n, ".zero\t"))
        return image->in_data && image->symbols && parse_u32(s, n, &v) && v <= MOST_BYTES &&
               (image->symbol[image->symbols - 1].bytes = v, true);
    else if (text_starts(s, n, ".long") || text_starts(s, n, ".byte") ||
             text_starts(s, n, ".quad") || text_starts(s, n, ".ascii"))
        return false; // data with contents is not supported
    else if (text_take(&s, &n, ".amdhsa_user_sgpr_count "))
        return parse_u32(s, n, &image->user_scalars) && image->user_scalars <= 32;
    const struct {
        const char *name;
        bool *flag;
    } flags[] = {{".amdhsa_user_sgpr_private_segment_buffer ", &image->private_buffer},
                 {".amdhsa_system_sgpr_private_segment_wavefront_offset ", &image->private_offset},
                 {".amdhsa_user_sgpr_dispatch_ptr ", &image->dispatch_ptr},
                 {".amdhsa_user_sgpr_queue_ptr ", &image->queue_ptr},
                 {".amdhsa_user_sgpr_kernarg_segment_ptr ", &image->kernarg_ptr},
                 {".amdhsa_system_sgpr_workgroup_id_x ", &image->group_id[0]},
                 {".amdhsa_system_sgpr_workgroup_id_y ", &image->group_id[1]},
                 {".amdhsa_system_sgpr_workgroup_id_z ", &image->group_id[2]}};
    for (size_t i = 0; i < sizeof flags / sizeof *flags; i++)
        if (text_take(&s, &n, flags[i].name)) {
            *flags[i].flag = text_is(s, n, "1");
            break;
        }
    return true;
}

bool amd_data_label(struct arena *a, struct amd_program *p, const char *s, size_t n)
{
    struct amd_image *image = p->image;
    // A buffer's symbol exists already; directives that follow a label apply to the last symbol.
    if (image->symbols == AMD_SYMBOLS)
        return false;
    struct amd_symbol *last = &image->symbol[image->symbols++];
    *last = (struct amd_symbol){.name = arena_strn(a, s, n)};
    return true;
}

bool amd_symbol_read(struct arena *a, struct amd_program *p, const char *s, size_t n, uint32_t inst,
                     uint32_t operand, uint32_t after, struct amd_operand *out)
{
    const char *at = p->image ? memchr(s, '@', n) : NULL;
    if (!at)
        return false;
    const char *rest = at + 1;
    const size_t left = (size_t)(s + n - rest);
    const bool got = left > 3 && memcmp(rest, "got", 3) == 0;
    const char *part = memchr(rest, '@', left);
    if (!part || s + n - part < 3 || (part[1] != 'l' && part[1] != 'h'))
        return false;
    *VEC_PUSH(a, &p->image->fixups) = (struct amd_fixup){
        inst, operand, after, arena_strn(a, s, (size_t)(at - s)), part[1] == 'h', got};
    *out = (struct amd_operand){.kind = OPERAND_NUMBER};
    return true;
}

// The packet that dispatches a kernel (HSA, "Kernel dispatch packet"), and the hidden arguments
// that LLVM appends to a kernel's own (code object V5).
#define PACKET UINT64_C(0x110000000000)
#define HIDDEN UINT64_C(0x120000000000)
enum { PACKET_BYTES = 64, HIDDEN_BYTES = 256 };

// ---- running ---------------------------------------------------------------

static uint32_t buffer_of(const struct spv_case *c, const struct amd_global *g)
{
    return g ? spv_buffer_index(c, g->set, g->binding) : UINT32_MAX;
}

bool amd_image_place(struct amd_machine *m)
{
    const struct amd_image *image = m->p->image;
    const struct spv_case *c = m->c;
    uint64_t base[SPV_CASE_BUFFERS] = {0};
    for (uint32_t k = 0; k < image->symbols; k++) {
        const uint32_t i = buffer_of(c, image->symbol[k].global);
        if (i != UINT32_MAX)
            base[i] = amd_data_address(k);
    }
    // The buffers come first, in their order. A buffer that the module does not name gets an
    // address that no symbol has.
    for (uint32_t i = 0; i < c->buffer_count; i++)
        isa_buffer_add(&m->memory, &c->buffer[i],
                       base[i] ? base[i] : amd_data_address(AMD_SYMBOLS + i));
    for (uint32_t k = 0; k < image->symbols; k++) {
        const struct amd_symbol *s = &image->symbol[k];
        bool first = true; // a buffer's own label occurs a second time in the text
        for (uint32_t j = 0; j < k; j++)
            first &= strcmp(image->symbol[j].name, s->name) != 0;
        if (!first || s->global)
            continue;
        struct isa_region *r = isa_region_add(&m->memory, amd_data_address(k), s->bytes, true);
        if (strcmp(s->name, "tf.groups") == 0)
            memcpy(r->bytes, c->groups, sizeof c->groups);
    }
    struct isa_region *packet = isa_region_add(&m->memory, PACKET, PACKET_BYTES, false);
    struct isa_region *hidden = isa_region_add(&m->memory, HIDDEN, HIDDEN_BYTES, false);
    for (uint32_t k = 0; k < 3; k++) {
        const uint16_t local = (uint16_t)m->local[k];
        const uint32_t grid = m->local[k] * c->groups[k];
        memcpy(packet->bytes + 4 + 2 * k, &local, sizeof local);
        memcpy(packet->bytes + 12 + 4 * k, &grid, sizeof grid);
        memcpy(hidden->bytes + 4 * k, &c->groups[k], sizeof c->groups[k]);
        memcpy(hidden->bytes + 12 + 2 * k, &local, sizeof local);
    }
    struct isa_region *table =
        isa_region_add(&m->memory, amd_table_address(0), image->symbols * 8, false);
    for (uint32_t k = 0; k < image->symbols; k++) {
        const uint64_t address = amd_data_address(k);
        memcpy(table->bytes + 8 * k, &address, sizeof address);
    }
    return true;
}

void amd_image_give(struct amd_machine *m, struct amd_wave *w, uint32_t index)
{
    const struct amd_image *image = m->p->image;
    const uint32_t all = m->local[0] * m->local[1] * m->local[2];
    uint32_t at = 0;
    if (image->private_buffer) {
        w->s[at++] = 0;
        w->s[at++] = AMD_PRIVATE;
        w->s[at++] = UINT32_MAX;
        w->s[at++] = 1u << 23; // swizzled: each lane has its own offset
    }
    if (image->dispatch_ptr) {
        w->s[at++] = (uint32_t)PACKET;
        w->s[at++] = (uint32_t)(PACKET >> 32);
    }
    at += image->queue_ptr ? 2 : 0; // left random
    if (image->kernarg_ptr) {
        w->s[at++] = (uint32_t)HIDDEN;
        w->s[at++] = (uint32_t)(HIDDEN >> 32);
    }
    at = image->user_scalars;
    for (uint32_t k = 0; k < 3 && m->p->gen < AMD_GFX12; k++)
        if (image->group_id[k])
            w->s[at++] = m->group[k];
    if (image->private_offset && m->p->gen < AMD_GFX11)
        w->s[at++] = index << 20;
    w->s[REG_TTMP + 9] = m->group[0];
    w->s[REG_TTMP + 7] = m->group[1] | m->group[2] << 16;
    w->s[REG_TTMP + 8] = (w->s[REG_TTMP + 8] & ~(31u << 25)) | index << 25;
    for (uint32_t lane = 0; lane < m->p->wave && index * m->p->wave + lane < all; lane++) {
        const uint32_t i = index * m->p->wave + lane;
        uint32_t id[3];
        isa_local_id(m->local, i, id);
        if (m->p->gen >= AMD_GFX11)
            w->v[0][lane] = id[0] | id[1] << 10 | id[2] << 20;
        else // one register each; unused ones beyond the descriptor's count do no harm
            for (uint32_t k = 0; k < 3; k++)
                w->v[k][lane] = id[k];
    }
}
