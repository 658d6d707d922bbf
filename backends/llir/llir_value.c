// SPDX-License-Identifier: Apache-2.0
//
// Executes one instruction of one invocation: LLVM's integers. Poison propagates. Undef propagates
// too, unless the other operand alone determines the result (0 & x). It is treated as poison if
// only some of its bits are masked away, after it was in memory, and in group operations. That is
// stricter than LLVM, but appears as *undefined*, never as a wrong value. freeze of an undefined
// value returns 0, as any value is allowed.
#include "llir_machine.h"

// Computes one component of a binary operation. False if the result is poison; *ends is set on
// undefined behavior.
static bool binary(const struct llir_inst *i, uint64_t a, uint64_t b, uint64_t *out,
                   const char **ends)
{
    const unsigned w = i->to;
    const int64_t sa = llir_signed(a, w), sb = llir_signed(b, w);
    const int64_t least = llir_signed((uint64_t)1 << (w - 1), w);
    __extension__ typedef __int128 wide;
    __extension__ typedef unsigned __int128 uwide;
    wide s = 0;
    uwide u = 0;
    switch (i->op) {
    case LLIR_ADD:
        s = (wide)sa + sb;
        u = (uwide)a + b;
        break;
    case LLIR_SUB:
        s = (wide)sa - sb;
        u = (uwide)a - b;
        break;
    case LLIR_MUL:
        s = (wide)sa * sb;
        u = (uwide)a * b;
        break;
    case LLIR_SHL:
        if (b >= w)
            return false;
        s = (wide)sa * ((wide)1 << b);
        u = (uwide)a << b;
        break;
    case LLIR_LSHR:
    case LLIR_ASHR:
        if (b >= w || ((i->flags & LLIR_EXACT) && (a & (((uint64_t)1 << b) - 1))))
            return false;
        *out = i->op == LLIR_LSHR ? a >> b : (uint64_t)(sa >> b) & llir_ones(w);
        return true;
    case LLIR_UDIV:
    case LLIR_UREM:
        if (!b) {
            *ends = "a division by zero";
            return false;
        }
        *out = i->op == LLIR_UDIV ? a / b : a % b;
        return !((i->flags & LLIR_EXACT) && a % b);
    case LLIR_SDIV:
    case LLIR_SREM:
        if (!b || (sb == -1 && sa == least)) {
            *ends = b ? "a signed division that overflows" : "a division by zero";
            return false;
        }
        *out = (uint64_t)(i->op == LLIR_SDIV ? sa / sb : sa % sb) & llir_ones(w);
        return !((i->flags & LLIR_EXACT) && sa % sb);
    case LLIR_AND:
        *out = a & b;
        return true;
    case LLIR_OR:
        *out = a | b;
        return !((i->flags & LLIR_DISJOINT) && (a & b));
    default:
        *out = a ^ b;
        return true;
    }
    *out = (uint64_t)u & llir_ones(w);
    if ((i->flags & LLIR_NUW) && u != *out)
        return false;
    return !((i->flags & LLIR_NSW) && s != llir_signed(*out, w));
}

enum { EQ = 32, NE, UGT, UGE, ULT, ULE, SGT, SGE, SLT, SLE };
static bool compare(const struct llir_inst *i, uint64_t a, uint64_t b)
{
    const int64_t sa = llir_signed(a, i->width), sb = llir_signed(b, i->width);
    switch (i->predicate) {
    case EQ:
        return a == b;
    case NE:
        return a != b;
    case UGT:
        return a > b;
    case UGE:
        return a >= b;
    case ULT:
        return a < b;
    case ULE:
        return a <= b;
    case SGT:
        return sa > sb;
    case SGE:
        return sa >= sb;
    case SLT:
        return sa < sb;
    default:
        return sa <= sb;
    }
}

// Does this operand alone determine the result?
static bool absorbs(const struct llir_inst *i, uint64_t v, enum llir_lack lack)
{
    return lack == LLIR_HAS &&
           ((v == 0 && (i->op == LLIR_AND || (i->op == LLIR_MUL && !i->flags))) ||
            (v == llir_ones(i->to) && i->op == LLIR_OR && !i->flags));
}

// Returns the enum llir_lack of a result from those of its operands.
static enum llir_lack lacks(const struct llir_inst *i, enum llir_lack a, enum llir_lack b)
{
    const bool any = i->op == LLIR_ADD || i->op == LLIR_SUB || i->op == LLIR_MUL ||
                     i->op == LLIR_AND || i->op == LLIR_OR || i->op == LLIR_XOR ||
                     i->op == LLIR_ICMP;
    if (a == LLIR_HAS && b == LLIR_HAS)
        return LLIR_HAS;
    return a == LLIR_IS_POISON || b == LLIR_IS_POISON || !any || i->flags ? LLIR_IS_POISON
                                                                          : LLIR_IS_UNDEF;
}

static bool binaries(struct llir_machine *x, struct llir_lane *l, const struct llir_inst *i)
{
    for (uint32_t k = 0; k < i->comps; k++) {
        const uint64_t a = llir_value(x, l, i->v[0] + k), b = llir_value(x, l, i->v[1] + k);
        const enum llir_lack pa = llir_poison(x, l, i->v[0] + k),
                             pb = llir_poison(x, l, i->v[1] + k);
        const bool divides =
            i->op == LLIR_UDIV || i->op == LLIR_SDIV || i->op == LLIR_UREM || i->op == LLIR_SREM;
        const char *ends = NULL;
        uint64_t out = 0;
        bool good;
        if (pb && divides)
            return llir_undefined(x, l, "a division by poison");
        if (i->op == LLIR_ICMP) {
            out = compare(i, a, b);
            good = !((i->flags & LLIR_SAMESIGN) && ((a ^ b) >> (i->width - 1) & 1));
        } else {
            good = binary(i, a, b, &out, &ends);
        }
        if (ends)
            return llir_undefined(x, l, ends);
        enum llir_lack lack = lacks(i, pa, pb);
        if (lack == LLIR_IS_UNDEF && (absorbs(i, a, pa) || absorbs(i, b, pb))) {
            out = i->op == LLIR_OR ? llir_ones(i->to) : 0;
            lack = LLIR_HAS;
        } else if (!good && lack == LLIR_HAS) {
            lack = LLIR_IS_POISON;
        }
        llir_set(x, l, i->dst + k, lack ? 0 : out, lack);
    }
    return true;
}

static uint64_t cast(const struct llir_inst *i, uint64_t v, bool *poison)
{
    const uint64_t s = (uint64_t)llir_signed(v, i->width);
    switch (i->op) {
    case LLIR_TRUNC: {
        const uint64_t t = v & llir_ones(i->to);
        *poison |= ((i->flags & LLIR_NUW) && t != v) ||
                   ((i->flags & LLIR_NSW) && llir_signed(t, i->to) != (int64_t)s);
        return t;
    }
    case LLIR_ZEXT:
        *poison |= (i->flags & LLIR_NNEG) && v >> (i->width - 1);
        return v;
    case LLIR_SEXT:
        return s & llir_ones(i->to);
    default: // bitcast, freeze
        return v;
    }
}

static bool select(struct llir_machine *x, struct llir_lane *l, const struct llir_inst *i)
{
    for (uint32_t k = 0; k < i->comps; k++) {
        const uint32_t c = i->v[0] + (i->of > 1 ? k : 0);
        const uint32_t from = i->v[llir_value(x, l, c) ? 1 : 2] + k;
        const enum llir_lack lack = llir_poison(x, l, c) ? LLIR_IS_POISON : llir_poison(x, l, from);
        llir_set(x, l, i->dst + k, lack ? 0 : llir_value(x, l, from), lack);
    }
    return true;
}

static void copy(struct llir_machine *x, struct llir_lane *l, uint32_t to, uint32_t from)
{
    llir_set(x, l, to, llir_value(x, l, from), llir_poison(x, l, from));
}

static bool vector(struct llir_machine *x, struct llir_lane *l, const struct llir_inst *i)
{
    const uint32_t index = i->op == LLIR_INSERT ? i->v[2] : i->v[1];
    const bool known =
        i->op == LLIR_SHUFFLE || (!llir_poison(x, l, index) && llir_value(x, l, index) < i->of);
    const uint32_t at = known && i->op != LLIR_SHUFFLE ? (uint32_t)llir_value(x, l, index) : 0;
    for (uint32_t k = 0; k < i->comps; k++) {
        uint32_t from = i->v[0] + (i->op == LLIR_EXTRACT ? at : k);
        if (i->op == LLIR_INSERT && k == at)
            from = i->v[1];
        if (i->op == LLIR_SHUFFLE) {
            const uint32_t m = i->v[2 + k];
            if (m >= 2 * i->of) {
                llir_set(x, l, i->dst + k, 0, true);
                continue;
            }
            from = m < i->of ? i->v[0] + m : i->v[1] + m - i->of;
        }
        if (known)
            copy(x, l, i->dst + k, from);
        else
            llir_set(x, l, i->dst + k, 0, true);
    }
    return true;
}

// Reinterprets a vector, bit by bit, starting at the lowest bit of the first component.
static void recast(struct llir_machine *x, struct llir_lane *l, const struct llir_inst *i)
{
    for (uint32_t k = 0, from = 0; k < i->comps; k++) {
        uint64_t v = 0;
        bool poison = false;
        for (uint32_t b = 0; b < i->to; b++, from++) {
            const uint32_t cell = i->v[0] + from / i->width;
            v |= (llir_value(x, l, cell) >> from % i->width & 1) << b;
            poison |= llir_poison(x, l, cell);
        }
        llir_set(x, l, i->dst + k, poison ? 0 : v, poison);
    }
}

bool llir_compute(struct llir_machine *x, struct llir_lane *l, const struct llir_inst *i)
{
    if (i->op == LLIR_BITCAST && i->of != i->comps) {
        recast(x, l, i);
        return true;
    }
    switch (i->op) {
    case LLIR_TRUNC:
    case LLIR_ZEXT:
    case LLIR_SEXT:
    case LLIR_BITCAST:
    case LLIR_FREEZE:
        for (uint32_t k = 0; k < i->comps; k++) {
            const enum llir_lack lack = llir_poison(x, l, i->v[0] + k);
            bool poison = false;
            const uint64_t v = cast(i, llir_value(x, l, i->v[0] + k), &poison);
            const enum llir_lack now = i->op == LLIR_FREEZE           ? LLIR_HAS
                                       : poison || (lack && i->flags) ? LLIR_IS_POISON
                                                                      : lack;
            llir_set(x, l, i->dst + k, now ? 0 : v, now);
        }
        return true;
    case LLIR_SELECT:
        return select(x, l, i);
    case LLIR_EXTRACT:
    case LLIR_INSERT:
    case LLIR_SHUFFLE:
        return vector(x, l, i);
    default:
        return binaries(x, l, i);
    }
}

// ---- intrinsics ------------------------------------------------------------------------------

static uint64_t leading(uint64_t v, unsigned w)
{
    return v ? (uint64_t)__builtin_clzll(v) - (64 - w) : w;
}

static uint64_t reversed(uint64_t v, unsigned w, unsigned step)
{
    uint64_t out = 0;
    for (unsigned b = 0; b < w; b += step)
        out |= (v >> b & llir_ones(step)) << (w - step - b);
    return out;
}

static uint64_t funnel(uint64_t a, uint64_t b, uint64_t c, unsigned w, bool left)
{
    const unsigned n = (unsigned)(c % w);
    if (left)
        return n ? (a << n | b >> (w - n)) & llir_ones(w) : a;
    return n ? (a << (w - n) | b >> n) & llir_ones(w) : b;
}

// Computes one component; sets *poison if the result is poison.
static uint64_t simple(const struct llir_inst *i, uint64_t a, uint64_t b, uint64_t c, bool *poison)
{
    const unsigned w = i->width;
    const int64_t sa = llir_signed(a, w), sb = llir_signed(b, w);
    switch (i->call) {
    case LLIR_CALL_CTPOP:
        return (uint64_t)__builtin_popcountll(a);
    case LLIR_CALL_CTLZ:
    case LLIR_CALL_CTTZ:
        *poison |= !a && b;
        return i->call == LLIR_CALL_CTLZ ? leading(a, w) : a ? (uint64_t)__builtin_ctzll(a) : w;
    case LLIR_CALL_BSWAP:
        return reversed(a, w, 8);
    case LLIR_CALL_BITREVERSE:
        return reversed(a, w, 1);
    case LLIR_CALL_UMIN:
        return a < b ? a : b;
    case LLIR_CALL_UMAX:
        return a > b ? a : b;
    case LLIR_CALL_SMIN:
        return sa < sb ? a : b;
    case LLIR_CALL_SMAX:
        return sa > sb ? a : b;
    case LLIR_CALL_ABS:
        *poison |= b && a == (uint64_t)1 << (w - 1);
        return (sa < 0 ? 0 - a : a) & llir_ones(w);
    case LLIR_CALL_FSHL:
        return funnel(a, b, c, w, true);
    case LLIR_CALL_FSHR:
        return funnel(a, b, c, w, false);
    case LLIR_CALL_UADD_SAT:
        return b > llir_ones(w) - a ? llir_ones(w) : a + b;
    case LLIR_CALL_USUB_SAT:
        return a > b ? a - b : 0;
    case LLIR_CALL_UCMP:
        return (uint64_t)((a > b) - (a < b)) & llir_ones(i->to);
    case LLIR_CALL_SCMP:
        return (uint64_t)((sa > sb) - (sa < sb)) & llir_ones(i->to);
    case LLIR_CALL_BIT_LOW:
        return a ? (uint64_t)__builtin_ctzll(a) : llir_ones(i->to);
    default:
        return a ? w - 1 - leading(a, w) : llir_ones(i->to); // the highest bit
    }
}

static void reduce(struct llir_machine *x, struct llir_lane *l, const struct llir_inst *i)
{
    uint64_t sum = i->call == LLIR_CALL_VECTOR_AND ? UINT64_MAX : 0;
    bool poison = false;
    for (uint32_t k = 0; k < i->of; k++) {
        const uint64_t v = llir_value(x, l, i->v[1] + k);
        poison |= llir_poison(x, l, i->v[1] + k);
        sum = i->call == LLIR_CALL_VECTOR_OR    ? sum | v
              : i->call == LLIR_CALL_VECTOR_AND ? sum & v
              : i->call == LLIR_CALL_VECTOR_ADD ? sum + v
                                                : sum ^ v;
    }
    llir_set(x, l, i->dst, poison ? 0 : sum & llir_ones(i->to), poison);
}

static bool resource(struct llir_machine *x, struct llir_lane *l, const struct llir_inst *i)
{
    const uint64_t a = llir_value(x, l, i->v[1]), b = llir_value(x, l, i->v[2]);
    const bool poison = llir_poison(x, l, i->v[1]) || llir_poison(x, l, i->v[2]);
    if (i->call == LLIR_CALL_POINTER) {
        const uint32_t object = (uint32_t)(a >> LLIR_POINTER_SHIFT);
        llir_set(x, l, i->dst,
                 object && !poison ? llir_pointer(object - 1, 4 * (b & UINT32_MAX)) : 0,
                 poison || !object);
        return true;
    }
    for (uint32_t k = 0; k < x->c->buffer_count; k++)
        if (!poison && x->c->buffer[k].set == a && x->c->buffer[k].binding == b) {
            llir_set(x, l, i->dst, llir_pointer(x->m->objects + k, 0), false);
            return true;
        }
    return llir_undefined(x, l, "a resource that the case does not have");
}

// Computes ids and sizes of the invocation.
static bool place(struct llir_machine *x, struct llir_lane *l, const struct llir_inst *i)
{
    const uint32_t *of = i->call == LLIR_CALL_GLOBAL_ID  ? l->global
                         : i->call == LLIR_CALL_LOCAL_ID ? l->local
                         : i->call == LLIR_CALL_GROUP_ID ? x->group
                                                         : x->c->groups;
    uint64_t v = 0;
    bool poison = false;
    switch (i->call) {
    case LLIR_CALL_LOCAL_INDEX:
        v = l->local_index;
        break;
    case LLIR_CALL_LANE:
        v = l->number;
        break;
    case LLIR_CALL_SUBGROUP:
        v = x->index;
        break;
    case LLIR_CALL_SUBGROUP_SIZE:
        v = x->subgroup;
        break;
    case LLIR_CALL_SUBGROUPS:
        v = x->subgroups;
        break;
    default: {
        const uint64_t dim = llir_value(x, l, i->v[1]);
        poison = llir_poison(x, l, i->v[1]) || dim > 2;
        v = poison ? 0 : of[dim];
    }
    }
    llir_set(x, l, i->dst, v, poison);
    return true;
}

bool llir_intrinsic(struct llir_machine *x, struct llir_lane *l, const struct llir_inst *i)
{
    switch (llir_call_kinds[i->call]) {
    case LLIR_CONTROL:
        if (i->call == LLIR_CALL_ASSUME &&
            (llir_poison(x, l, i->v[1]) || !llir_value(x, l, i->v[1])))
            return llir_undefined(x, l, "an assumption that does not hold");
        return true;
    case LLIR_RESOURCE:
        return resource(x, l, i);
    case LLIR_OVER_VECTOR:
        reduce(x, l, i);
        return true;
    case LLIR_PLACE:
        return place(x, l, i);
    default:
        break;
    }
    const bool flag =
        i->call == LLIR_CALL_CTLZ || i->call == LLIR_CALL_CTTZ || i->call == LLIR_CALL_ABS;
    for (uint32_t k = 0; k < i->comps; k++) {
        uint64_t v[3] = {0};
        bool poison = false;
        for (uint32_t n = 1; n < i->n; n++) {
            const uint32_t cell = i->v[n] + (flag && n == 2 ? 0 : k);
            v[n - 1] = llir_value(x, l, cell);
            poison |= llir_poison(x, l, cell);
        }
        const uint64_t out = simple(i, v[0], v[1], v[2], &poison);
        llir_set(x, l, i->dst + k, poison ? 0 : out, poison);
    }
    return true;
}
