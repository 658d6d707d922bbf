// SPDX-License-Identifier: Apache-2.0
//
// Registers as operands name them, and loads in flight. A load reads memory when it is issued; its
// registers hold random values until a wait completes it. Loads of one counter complete in order.
// Scalar loads do not: they are complete only when the counter is 0 (SMEM, "Data Dependency
// Resolution").
#include "machine.h"

#include <string.h>

static bool busy(const struct amd_wave *w, bool vector, uint32_t reg, uint32_t count)
{
    const uint64_t *map = vector ? w->busy_v : w->busy_s;
    for (uint32_t r = reg; r < reg + count; r++)
        if (r < (vector ? (uint32_t)REG_VECTORS : (uint32_t)REG_SCALARS) &&
            (map[r / 64] >> r % 64 & 1))
            return true;
    return false;
}

void amd_use(struct amd_machine *m, struct amd_wave *w, const struct amd_operand *o)
{
    if (!w->pendings || m->out->early_line ||
        (o->kind != OPERAND_VECTOR && o->kind != OPERAND_SCALAR))
        return;
    if (!busy(w, o->kind == OPERAND_VECTOR, o->reg, o->count))
        return;
    const uint64_t exec = wave_exec(m, w);
    for (uint32_t i = 0; i < w->pendings; i++) {
        const struct amd_pending *p = w->pending[i];
        if (p->vector == (o->kind == OPERAND_VECTOR) && p->reg < o->reg + o->count &&
            o->reg < p->reg + p->count && (!p->vector || (p->lanes & exec)))
            m->out->early_line = m->line;
    }
}

static uint32_t scalar(const struct amd_machine *m, const struct amd_wave *w, uint32_t reg)
{
    switch (reg) {
    case REG_SCC:
        return wave_scc(m, w);
    case REG_VCCZ:
        return wave_mask(m, w, REG_VCC) == 0;
    case REG_EXECZ:
        return wave_exec(m, w) == 0;
    case REG_NULL:
        return 0;
    default:
        return is_scalar(m, reg) ? w->s[reg] : 0;
    }
}

// Converts register words to an operand's type.
static uint64_t typed(char type, bool high, uint32_t low_word, uint32_t high_word)
{
    switch (type) {
    case 'i':
        return (uint64_t)(int32_t)low_word;
    case 'h':
    case 'e':
        return high ? low_word >> 16 : low_word & 0xffff;
    case 'j':
        return (uint64_t)(int16_t)(high ? low_word >> 16 : low_word);
    case 'q':
    case 'l':
    case 'd':
        return low_word | (uint64_t)high_word << 32;
    default:
        return low_word;
    }
}

uint64_t amd_scalar_read(struct amd_machine *m, struct amd_wave *w, const struct amd_operand *o)
{
    if (o->kind == OPERAND_NUMBER)
        return o->value;
    if (o->kind == OPERAND_OFF)
        return 0;
    amd_use(m, w, o);
    if (o->type == 'm')
        return o->reg == REG_NULL ? 0 : wave_mask(m, w, o->reg);
    return typed(o->type, o->high, scalar(m, w, o->reg),
                 o->count > 1 ? scalar(m, w, o->reg + 1u) : 0);
}

void amd_scalar_write(struct amd_machine *m, struct amd_wave *w, const struct amd_operand *o,
                      uint64_t value)
{
    if (!is_scalar(m, o->reg) || o->reg == REG_NULL)
        return;
    w->s[o->reg] = (uint32_t)value;
    const bool two = o->type == 'm' ? m->p->wave == 64 : strchr("qld", o->type) != NULL;
    if (two && is_scalar(m, o->reg + 1u))
        w->s[o->reg + 1] = (uint32_t)(value >> 32);
}

uint32_t amd_word(struct amd_machine *m, struct amd_wave *w, const struct amd_operand *o,
                  uint32_t k, uint32_t lane)
{
    switch (o->kind) {
    case OPERAND_VECTOR:
        return o->reg + k < m->p->vectors ? w->v[o->reg + k][lane] : 0;
    case OPERAND_SCALAR:
        return k < o->count ? scalar(m, w, o->reg + k) : 0;
    case OPERAND_NUMBER:
        return (uint32_t)(o->value >> (k ? 32 : 0));
    default:
        return 0;
    }
}

// ---- loads in flight -------------------------------------------------------

static void mark(struct amd_wave *w)
{
    memset(w->busy_v, 0, sizeof w->busy_v);
    memset(w->busy_s, 0, sizeof w->busy_s);
    for (uint32_t i = 0; i < w->pendings; i++)
        for (uint32_t r = w->pending[i]->reg;
             r < (uint32_t)w->pending[i]->reg + w->pending[i]->count; r++)
            (w->pending[i]->vector ? w->busy_v : w->busy_s)[r / 64] |= UINT64_C(1) << r % 64;
}

void amd_mirror(struct amd_machine *m, struct amd_wave *w, uint32_t reg, uint64_t lanes)
{
    if (m->p->shared && reg >= m->p->shared)
        LANES_EACH (l, lanes)
            w->v[reg][l ^ 32] = w->v[reg][l];
}

static void finish(struct amd_machine *m, struct amd_wave *w, uint32_t i)
{
    struct amd_pending *p = w->pending[i];
    for (uint32_t k = 0; k < p->count; k++) {
        if (!p->vector)
            w->s[p->reg + k] = p->v[0][k];
        else
            LANES_EACH (l, p->lanes)
                w->v[p->reg + k][l] = (w->v[p->reg + k][l] & p->keep) | (p->v[k][l] & ~p->keep);
        if (p->vector)
            amd_mirror(m, w, p->reg + k, p->lanes);
    }
    memmove(&w->pending[i], &w->pending[i + 1], (w->pendings - i - 1) * sizeof *w->pending);
    w->pending[--w->pendings] = p;
}

struct amd_pending *amd_begin(struct amd_machine *m, struct amd_wave *w, enum amd_counter counter)
{
    if (w->pendings == PENDING) // the counters are saturated: the hardware waits
        finish(m, w, 0);
    struct amd_pending **p = &w->pending[w->pendings];
    if (!*p)
        *p = arena_room(m->a, sizeof **p);
    (*p)->counter = counter;
    (*p)->vector = counter != COUNT_SCALAR;
    (*p)->count = 0;
    (*p)->reg = 0;
    (*p)->keep = 0;
    (*p)->lanes = wave_exec(m, w);
    return *p;
}

void amd_began(struct amd_machine *m, struct amd_wave *w, struct amd_pending *p)
{
    w->pendings++;
    if (m->prompt) {
        finish(m, w, w->pendings - 1);
        return;
    }
    for (uint32_t k = 0; k < p->count; k++) {
        if (!p->vector)
            w->s[p->reg + k] = (uint32_t)rng_next(&m->random_fill);
        else
            LANES_EACH (l, p->lanes)
                w->v[p->reg + k][l] = (w->v[p->reg + k][l] & p->keep) |
                                      ((uint32_t)rng_next(&m->random_fill) & ~p->keep);
    }
    mark(w);
}

void amd_wait(struct amd_machine *m, struct amd_wave *w, enum amd_counter counter, int left)
{
    // Loads of one counter complete in order, so `left` of them may remain in flight.
    int after = 0;
    for (uint32_t i = 0; i < w->pendings; i++)
        after += w->pending[i]->counter == counter;
    if (counter == COUNT_SCALAR && left)
        return;
    for (uint32_t i = 0; i < w->pendings && after > left;)
        if (w->pending[i]->counter == counter) {
            finish(m, w, i);
            after--;
        } else {
            i++;
        }
    mark(w);
}
