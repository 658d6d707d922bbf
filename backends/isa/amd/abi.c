// SPDX-License-Identifier: Apache-2.0
//
// The registers that a shader's arguments arrive in. RADV passes to compute shaders, in this order:
// before gfx11 and before Mesa 26 a register pair for scratch; an address for each used descriptor
// set, and one for push constants; inlined push constants; the size of the dispatch; the used
// components of the workgroup's id; the index of the wave; before gfx11 an offset for scratch; the
// local invocation id. From gfx12 on the ids of workgroup and wave are in ttmp7 to ttmp9. The
// register numbers come from `p_startpgm` of the back end's code. Which argument is which follows
// from its uses in the intermediate code and from the module.
#include "machine.h"

#include <string.h>

// ---- reading ---------------------------------------------------------------

// "s2: %79:s[0-1]", "v1: (kill)%20:v[0]"
static bool argument_read(const char *s, size_t n, struct amd_argument *out)
{
    uint32_t first, last;
    const char *open = memchr(s, '[', n),
               *close = open ? memchr(open, ']', n - (size_t)(open - s)) : NULL;
    if (!close || open == s || (open[-1] != 's' && open[-1] != 'v'))
        return false;
    const char *dash = memchr(open, '-', (size_t)(close - open));
    const char *end = dash ? dash : close;
    if (!parse_u32(open + 1, (size_t)(end - open) - 1, &first))
        return false;
    last = first;
    if (dash && !parse_u32(dash + 1, (size_t)(close - dash) - 1, &last))
        return false;
    if (last < first || last - first > 7 || last >= REG_VCC)
        return false;
    *out = (struct amd_argument){open[-1] == 'v', (uint16_t)first, (uint8_t)(last - first + 1)};
    return true;
}

// Notes which arguments the intermediate code loads: "base=2" is the argument's index,
// "arg_num_lsb_zero=2" marks an address.
static void uses_read(struct amd_program *p, const char *nir)
{
    static const char scalar_name[] = "load_scalar_arg", vector_name[] = "load_vector_arg";
    for (const char *s = nir; s && *s; s++) {
        const char *line = s;
        s += strcspn(s, "\n");
        const char *load = NULL;
        for (const char *at = line; at + sizeof scalar_name < s && !load; at++)
            if (memcmp(at, scalar_name, sizeof scalar_name - 1) == 0 ||
                memcmp(at, vector_name, sizeof vector_name - 1) == 0)
                load = at;
        const char *base = load;
        while (base && base + 5 < s && memcmp(base, "base=", 5) != 0)
            base++;
        if (base && base + 5 < s) {
            uint32_t i;
            static const char zeros[] = "arg_num_lsb_zero=2";
            base += 5;
            if (parse_u32(base, strspn(base, "0123456789"), &i) && i < AMD_ARGUMENTS) {
                static const char mark[] = "arg_num_lsb_zero=";
                p->used |= 1u << i;
                for (const char *at = base; at + sizeof mark - 1 <= s && !p->known; at++)
                    p->known = memcmp(at, mark, sizeof mark - 1) == 0;
                for (const char *at = base; at + sizeof zeros - 1 <= s; at++)
                    if (memcmp(at, zeros, sizeof zeros - 1) == 0)
                        p->pointers |= 1u << i;
                if (memcmp(load + sizeof scalar_name - 1, "_wg_div", 7) == 0)
                    p->wave_info |= 1u << i;
            }
        }
        if (!*s)
            break;
    }
}

// Shared registers follow the others, whose number is rounded up to a multiple of four. No text
// names them. If the driver says so, or the back end's code shows that shared registers are used
// (`p_bpermute` in Mesa 22.3, in waves of 64 from gfx10 on; since then the operations whose names
// say so), the two highest registers of the program are the shared ones.
static bool shared_read(struct amd_program *p, const struct amd_source *s, struct isa_result *out)
{
    uint32_t most = 0;
    const bool old =
        !s->abi && p->wave == 64 && p->gen >= AMD_GFX10 && strstr(s->ir, "= p_bpermute ");
    if (s->abi ? !s->abi->shared
               : !old && !strstr(s->ir, "p_bpermute_shared_vgpr") &&
                     !strstr(s->ir, "p_permlane64_shared_vgpr"))
        return true;
    for (uint32_t i = 0; i < p->count; i++)
        for (uint32_t k = 0; k < p->inst[i].n; k++) {
            const struct amd_operand *o = &p->inst[i].o[k];
            if (o->kind == OPERAND_VECTOR && o->reg + o->count - 1u > most)
                most = o->reg + o->count - 1u;
        }
    if (most % 4 != 1)
        return isa_refuse(out, RAN_UNSUPPORTED, 0,
                          "shared vector registers whose last is v%u, not v(4n+1)", most);
    p->shared = most - 1;
    return true;
}

bool amd_arguments_read(struct amd_program *p, const struct amd_source *s, struct isa_result *out)
{
    if (s->abi) {
        p->has_abi = true;
        p->abi = *s->abi;
        return shared_read(p, s, out);
    }
    const char *start = s->ir ? strstr(s->ir, "= p_startpgm") : NULL;
    if (!start)
        return isa_refuse(out, RAN_UNSUPPORTED, 0, "a shader without p_startpgm");
    const char *line = start;
    while (line > s->ir && line[-1] != '\n')
        line--;
    while (line < start) {
        const char *comma = memchr(line, ',', (size_t)(start - line));
        const size_t n = (size_t)((comma ? comma : start) - line);
        if (p->arguments == AMD_ARGUMENTS || !argument_read(line, n, &p->argument[p->arguments]))
            return isa_refuse(out, RAN_UNSUPPORTED, 0, "arguments: '%.100s'", line);
        p->arguments++;
        line += n + (comma != NULL);
        while (line < start && *line == ' ')
            line++;
    }
    uses_read(p, s->nir);
    return shared_read(p, s, out);
}

// ---- what the module uses --------------------------------------------------

struct amd_uses {
    uint32_t group; // components of the workgroup's id
    bool push, groups;
    uint64_t push_words; // words of the push constants that are used, a bit each
    bool push_whole;     // some use is not of a single 32-bit word
};

// Returns the components of a built-in that are read; all of them if some use is not of one
// component.
static uint32_t components(const struct spv_module *v, uint32_t variable)
{
    uint32_t mask = 0;
    for (uint32_t i = 0; i < v->inst_count; i++) {
        const struct spv_inst *x = &v->insts[i];
        const struct spv_inst *index = NULL;
        if (x->op == SpvOpLoad && x->n && x->v[0] == variable) {
            for (uint32_t k = i + 1; k < v->inst_count; k++) {
                const struct spv_inst *y = &v->insts[k];
                for (uint32_t j = 0; j < y->n; j++) {
                    if (y->v[j] != x->result)
                        continue;
                    if (y->op == SpvOpCompositeExtract && y->n == 2 && j == 0 && y->v[1] < 3)
                        mask |= 1u << y->v[1];
                    else if (y->op != SpvOpCompositeExtract)
                        return 7;
                    break;
                }
            }
        } else if ((x->op == SpvOpAccessChain || x->op == SpvOpInBoundsAccessChain) && x->n == 2 &&
                   x->v[0] == variable) {
            index = spv_def(v, x->v[1]);
            if (!index || index->op != SpvOpConstant || index->n != 1 || index->v[0] > 2)
                return 7;
            mask |= 1u << index->v[0];
        }
    }
    return mask;
}

// Returns the index of the push-constant word that an access chain selects; -1 if it is not one
// word.
static int64_t push_word(const struct spv_module *v, const struct spv_inst *variable,
                         const struct spv_inst *chain)
{
    const struct spv_inst *pointer = spv_def(v, variable->type),
                          *index = chain->n == 2 ? spv_def(v, chain->v[1]) : NULL;
    const struct spv_inst *word = spv_def(v, chain->type);
    word = word && word->op == SpvOpTypePointer ? spv_def(v, word->v[1]) : NULL;
    if (!pointer || pointer->op != SpvOpTypePointer || !index || index->op != SpvOpConstant ||
        index->n != 1 || !word || (word->op != SpvOpTypeInt && word->op != SpvOpTypeFloat) ||
        word->v[0] != 32)
        return -1;
    for (uint32_t i = 0; i < v->inst_count; i++) {
        const struct spv_inst *x = &v->insts[i];
        if (x->op == SpvOpMemberDecorate && x->n == 4 && x->v[0] == pointer->v[1] &&
            x->v[1] == index->v[0] && x->v[2] == SpvDecorationOffset)
            return x->v[3] % 4 || x->v[3] >= 256 ? -1 : (int64_t)(x->v[3] / 4);
    }
    return -1;
}

static void push_uses(const struct spv_module *v, const struct spv_inst *variable,
                      struct amd_uses *out)
{
    out->push = true;
    for (uint32_t i = 0; i < v->inst_count; i++) {
        const struct spv_inst *x = &v->insts[i];
        const bool chain = x->op == SpvOpAccessChain || x->op == SpvOpInBoundsAccessChain;
        if (chain && x->v[0] == variable->result) {
            const int64_t word = push_word(v, variable, x);
            if (word >= 0)
                out->push_words |= UINT64_C(1) << word;
            out->push_whole |= word < 0;
        } else if (x->op == SpvOpLoad || x->op == SpvOpCopyObject || x->op == SpvOpFunctionCall ||
                   x->op == SpvOpSelect || x->op == SpvOpPhi || x->op == SpvOpCopyMemory) {
            for (uint32_t k = 0; k < x->n; k++)
                out->push_whole |= x->v[k] == variable->result;
        }
    }
}

// Reads them into m->uses, once in a run.
static bool module_uses(struct amd_machine *m)
{
    struct spv_module v;
    if (m->uses)
        return true;
    struct amd_uses *out = m->uses = ARENA_NEW(m->a, struct amd_uses);
    if (!spv_module_read(m->a, m->c->words, m->c->count, &v, NULL) ||
        !spv_local_size(m->c, &v, m->local, NULL))
        return isa_refuse(m->out, RAN_INVALID, 0, "the case has no compute shader");
    for (uint32_t i = 0; i < v.inst_count; i++) {
        const struct spv_inst *x = &v.insts[i];
        if (x->op == SpvOpVariable && x->n && x->v[0] == SpvStorageClassPushConstant)
            push_uses(&v, x, out);
        if (x->op != SpvOpDecorate || x->n < 3 || x->v[1] != SpvDecorationBuiltIn)
            continue;
        if (x->v[2] == SpvBuiltInWorkgroupId || x->v[2] == SpvBuiltInGlobalInvocationId)
            out->group |= components(&v, x->v[0]);
        out->groups |= x->v[2] == SpvBuiltInNumWorkgroups;
    }
    return true;
}

// ---- giving ----------------------------------------------------------------

// Returns the component of the workgroup's id that the k-th of n arguments holds; 3: unknown.
static uint32_t component(const struct amd_machine *m, const struct amd_uses *u, uint32_t k,
                          uint32_t n)
{
    if (n == 3)
        return k;
    if (count_ones(u->group) == n) {
        uint32_t mask = u->group;
        for (; k; k--)
            mask &= mask - 1;
        return (uint32_t)__builtin_ctz(mask);
    }
    // With a single workgroup in y and z, their ids are constant, so the argument is x.
    if (m->c->groups[1] == 1 && m->c->groups[2] == 1 && k == 0 && (u->group & 1))
        return 0;
    return 3;
}

static uint32_t group_info(const struct amd_machine *m, uint32_t index)
{
    // Up to gfx11, drivers read the wave's index in bits 6 to 11 for waves of 64, although the
    // manuals from RDNA 2 on call them the ordered append term.
    return m->waves | index << 6 | (m->p->gen >= AMD_GFX10_3 ? index << 20 : 0);
}

// Passes the local invocation id in n registers; in one: packed.
static void give_ids(struct amd_machine *m, struct amd_wave *w, uint32_t index, uint32_t n,
                     const uint32_t reg[3])
{
    const uint32_t wave = m->p->wave, all = m->local[0] * m->local[1] * m->local[2];
    for (uint32_t lane = 0; lane < wave && index * wave + lane < all; lane++) {
        uint32_t id[3];
        isa_local_id(m->local, index * wave + lane, id);
        if (n == 1)
            w->v[reg[0]][lane] = id[0] | id[1] << 10 | id[2] << 20;
        else
            for (uint32_t k = 0; k < n && k < 3; k++)
                w->v[reg[k]][lane] = id[k];
    }
}

static void give_local(struct amd_machine *m, struct amd_wave *w, uint32_t index, uint32_t argument)
{
    const struct amd_argument *first = &m->p->argument[argument];
    const uint32_t registers = first->count; // 1: one argument per component
    const uint32_t n = registers > 1 ? registers : m->p->arguments - argument;
    uint32_t reg[3];
    for (uint32_t k = 0; k < n && k < 3; k++)
        reg[k] = registers > 1 ? first->reg + k : first[k].reg;
    give_ids(m, w, index, n, reg);
}

// Passes inlined push constants: the words that the module uses, in ascending order. Only the
// components of the workgroup's id follow them. The compiler drops words that it does not need; the
// remaining ones then cannot be identified, and the shader is refused.
static bool give_push(struct amd_machine *m, struct amd_wave *w, const struct amd_uses *u,
                      uint32_t *at, uint32_t tail)
{
    const uint32_t ids = m->p->gen >= AMD_GFX12 ? 0 : count_ones(u->group),
                   words = count_ones(u->push_words);
    while (tail - *at > words + ids && !(m->p->used >> (tail - 1) & 1))
        tail--; // declared, but not used
    if (u->push_whole || !m->p->known || tail - *at != words + ids)
        return isa_refuse(m->out, RAN_UNSUPPORTED, 0, "push constants: %u words, %u arguments",
                          words, tail - *at - ids);
    for (uint32_t k = 0; k < 64; k++)
        if (u->push_words >> k & 1) {
            const uint32_t reg = m->p->argument[(*at)++].reg;
            if (k < m->c->push_count)
                w->s[reg] = m->c->push[k];
        }
    return true;
}

static void give_fixed(struct amd_machine *m, struct amd_wave *w, uint32_t index)
{
    w->s[REG_TTMP + 9] = m->group[0];
    w->s[REG_TTMP + 7] = m->group[1] | m->group[2] << 16;
    w->s[REG_TTMP + 8] = (w->s[REG_TTMP + 8] & ~(31u << 25)) | index << 25;
}

// The driver reports where the arguments are. Those for scratch stay random.
static bool give_abi(struct amd_machine *m, struct amd_wave *w, uint32_t index)
{
    static const uint32_t ids[3] = {0, 1, 2};
    const struct amd_abi *abi = &m->p->abi;
    uint32_t sets = 0, at = abi->user, word = (uint32_t)abi->inlined;
    for (uint32_t i = 0; i < m->c->buffer_count; i++)
        if (m->c->buffer[i].set < AMD_SETS)
            sets |= 1u << m->c->buffer[i].set;
    for (uint32_t i = 0; i < AMD_SETS; i++) {
        if (abi->set[i] < 0)
            continue;
        if (!(sets >> i & 1))
            return isa_refuse(m->out, RAN_UNSUPPORTED, 0, "more addresses than descriptor sets");
        w->s[abi->set[i]] = (uint32_t)m->set_base[count_ones(sets & ((1u << i) - 1))];
    }
    if (abi->push >= 0)
        w->s[abi->push] = (uint32_t)m->push_base;
    for (uint32_t k = 0; k < 64; k++)
        if (abi->pushed >> k & 1) {
            if (k < m->c->push_count)
                w->s[word] = m->c->push[k];
            word++;
        }
    give_ids(m, w, index, m->p->gen >= AMD_GFX11 ? 1 : 3, ids);
    if (m->p->gen >= AMD_GFX12)
        return give_fixed(m, w, index), true;
    for (uint32_t k = 0; k < 3; k++)
        if (abi->group[k])
            w->s[at++] = m->group[k];
    if (abi->wave_info)
        w->s[at] = group_info(m, index);
    return true;
}

bool amd_arguments_give(struct amd_machine *m, struct amd_wave *w, uint32_t index)
{
    const struct amd_program *p = m->p;
    if (p->has_abi)
        return give_abi(m, w, index);
    if (p->image)
        return amd_image_give(m, w, index), true;
    uint32_t at = 0, vectors = p->arguments, tail;
    if (!module_uses(m))
        return false;
    const struct amd_uses *u = m->uses;
    while (vectors && p->argument[vectors - 1].vector)
        vectors--;
    if (vectors < p->arguments)
        give_local(m, w, index, vectors);
    tail = vectors;
    if (p->gen < AMD_GFX11) {
        if (tail < 2 || p->argument[0].count != 2)
            return isa_refuse(m->out, RAN_UNSUPPORTED, 0, "no scratch argument");
        at = 1;
        tail--; // the scratch offset stays random
    } else if (tail && p->argument[0].count == 2) {
        at = 1; // before Mesa 26
    }
    // The addresses of the descriptor sets, then the address of the push constants.
    uint32_t set = 0;
    bool pushed = !u->push; // the push constants are in place
    if (!p->known && m->sets != 1)
        return isa_refuse(m->out, RAN_UNSUPPORTED, 0,
                          "other than one descriptor set with a Mesa older than 23");
    if (!p->known && at < tail)
        w->s[p->argument[at++].reg] = (uint32_t)m->set_base[set++];
    for (; at < tail && (p->pointers >> at & 1) && p->argument[at].count == 1; at++) {
        const bool last =
            at + 1 == tail || !(p->pointers >> (at + 1) & 1) || p->argument[at + 1].count != 1;
        const bool push = u->push && last && set == m->sets;
        if (!push && set == m->sets)
            return isa_refuse(m->out, RAN_UNSUPPORTED, 0, "more addresses than descriptor sets");
        w->s[p->argument[at].reg] = (uint32_t)(push ? m->push_base : m->set_base[set++]);
        pushed |= push;
    }
    if (set < m->sets && m->sets > 1)
        return isa_refuse(m->out, RAN_UNSUPPORTED, 0, "a descriptor set that is not used");
    if (u->groups)
        return isa_refuse(m->out, RAN_UNSUPPORTED, 0, "NumWorkgroups");
    if (at < tail && (p->wave_info >> (tail - 1) & 1))
        w->s[p->argument[--tail].reg] = group_info(m, index);
    if (!p->known && tail - at == count_ones(u->group) + 1)
        w->s[p->argument[--tail].reg] = group_info(m, index);
    if (!pushed && !give_push(m, w, u, &at, tail))
        return false;
    if (p->gen == AMD_GFX12 && at < tail && !(p->used >> at))
        at = tail; // declared, but not used
    for (uint32_t k = 0, n = tail - at; k < n; k++) {
        const uint32_t c = component(m, u, k, n);
        if (c > 2 && (!p->known || (p->used >> (at + k) & 1)))
            return isa_refuse(m->out, RAN_UNSUPPORTED, 0,
                              "which component of the workgroup's id argument %u is", at + k);
        if (c <= 2)
            w->s[p->argument[at + k].reg] = m->group[c];
    }
    if (p->gen >= AMD_GFX12)
        give_fixed(m, w, index);
    return true;
}
