// SPDX-License-Identifier: Apache-2.0
//
// Operations between lanes, and those whose result depends on the lane alone. A reduction takes the
// lanes for which its condition holds, of those that were started.
#include "isa/isa_float.h"
#include "qpu_machine.h"

static uint32_t random_word(struct qpu_machine *m)
{
    return (uint32_t)(rng_next(&m->random_fill) >> 32);
}

static bool equal(char type, uint32_t a, uint32_t b)
{
    return type == 'f' ? isa_single(a) == isa_single(b) : a == b;
}

static void reduce(struct qpu_machine *m, const struct qpu_thread *t, const struct qpu_alu *x,
                   const uint32_t *a, uint32_t *out)
{
    const lanes16 on = qpu_lanes(t, x->cond) & t->started;
    uint32_t v = 0;
    // Without a lane, the result of the last two is not known.
    const uint32_t first = on ? (uint32_t)__builtin_ctz(on) : 0;
    bool same = true;
    for (uint32_t l = 0; l < QPU_LANES; l++) {
        const bool is_on = on >> l & 1;
        v |= (uint32_t)(is_on && a[l]) << l;
        same &= !is_on || equal(qpu_ops[x->id].types[1], a[l], a[first]);
    }
    if (x->id == QPU_BCASTF)
        v = on ? a[first] : random_word(m);
    else if (x->id != QPU_BALLOT)
        v = same ? random_word(m) | 1 : 0; // any value but 0
    for (uint32_t l = 0; l < QPU_LANES; l++)
        out[l] = v;
}

void qpu_between(struct qpu_machine *m, const struct qpu_thread *t, const struct qpu_alu *x,
                 const uint32_t *a, const uint32_t *b, uint32_t *out)
{
    const lanes16 with = x->id == QPU_FLNAFIRST ? ~t->a & ((1 << QPU_LANES) - 1) : t->a;
    switch ((int)x->id) {
    case QPU_NOP:
    case QPU_FCMP:
    case QPU_BARRIERID: // t->sync
        break;
    case QPU_EIDX:
        for (uint32_t l = 0; l < QPU_LANES; l++)
            out[l] = l;
        break;
    case QPU_TIDX:
        for (uint32_t l = 0; l < QPU_LANES; l++)
            out[l] = t->number;
        break;
    case QPU_MSF:
        for (uint32_t l = 0; l < QPU_LANES; l++)
            out[l] = t->started >> l & 1;
        break;
    case QPU_FLAFIRST:
    case QPU_FLNAFIRST:
        for (uint32_t l = 0; l < QPU_LANES; l++)
            out[l] = with && (uint32_t)__builtin_ctz(with) == l;
        break;
    case QPU_SHUFFLE:
        for (uint32_t l = 0; l < QPU_LANES; l++)
            out[l] = a[b[l] % QPU_LANES];
        break;
    case QPU_TMUWT:
        isa_random_row(&m->random_fill, out, QPU_LANES);
        break;
    case QPU_BALLOT:
    case QPU_BCASTF:
    case QPU_ALLEQ:
    case QPU_ALLFEQ:
        reduce(m, t, x, a, out);
        break;
    }
}
