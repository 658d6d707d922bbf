// SPDX-License-Identifier: Apache-2.0
//
// The grammar of sketches, and how many there are. A *set* is all blocks of one size at one kind of
// place that have the same traits. Each set is a list of alternatives: a first statement whose
// blocks, and the rest after it, are each from one set. So the count of a set is a sum of products,
// and the sketch of a number is found by division.
#include "enumerate.h"

#include <string.h>

// Traits of a statement or block, exactly.
enum {
    ENDS = 1,     // control never continues after it
    OBSERVES = 2, // has an operation
    MEETS = 4,    // has a barrier
    CHOOSES = 8,  // has the switch whose fall-through an operation observes
    TRAITS = 16
};

// Where a block is.
struct place {
    uint32_t exits; // that it may contain, as bits
    uint32_t own;   // the exit that equals the block's end, which it may not end with; or COUNT
    uint32_t last;  // 1 + the operation before; 0: another statement, or none
    bool counter;   // in a loop of this function
    bool together;  // all invocations are here converged
    bool chooses;   // run at most once, in the entry point
};

// A set as a number, and back.
enum {
    SIZE_BITS = 3,
    TRAIT_BITS = 4,
    EXIT_BITS = 4,
    OWN_BITS = 3,
    LAST_BITS = 3,
    SETS = 1 << (SIZE_BITS + TRAIT_BITS + EXIT_BITS + OWN_BITS + LAST_BITS + 3)
};

struct alternative {
    uint8_t kind, detail, blocks;
    uint32_t block[ENU_BLOCKS], rest;
    uint64_t before; // sketches of the alternatives before this one
};
struct set {
    uint64_t count;
    uint32_t n;
    const struct alternative *v;
};
struct enumeration {
    struct arena *arena;
    enum spv_stage stage;
    uint32_t size;
    struct set *set[SETS]; // NULL: not counted yet
    // The sets of whole programs by size, each with the number of its first program.
    struct {
        uint32_t set[TRAITS], n;
        uint64_t first;
    } whole[ENU_SIZE_MAX + 2];
};

static uint32_t set_number(struct place at, uint32_t traits, uint32_t size)
{
    // Only what matters: so one set has one number.
    if (!(traits & MEETS))
        at.together = false;
    if (!(traits & CHOOSES))
        at.chooses = false;
    if (!size)
        at = (struct place){.own = ENU_EXIT_COUNT};
    uint32_t n = size;
    n = n << TRAIT_BITS | traits;
    n = n << EXIT_BITS | at.exits;
    n = n << OWN_BITS | at.own;
    n = n << LAST_BITS | at.last;
    return n << 3 | (uint32_t)at.counter << 2 | (uint32_t)at.together << 1 | at.chooses;
}

static uint32_t take(uint32_t *n, uint32_t bits)
{
    const uint32_t v = *n & ((1u << bits) - 1);
    *n >>= bits;
    return v;
}

static struct place set_place(uint32_t n, uint32_t *traits, uint32_t *size)
{
    struct place at;
    at.chooses = take(&n, 1);
    at.together = take(&n, 1);
    at.counter = take(&n, 1);
    at.last = take(&n, LAST_BITS);
    at.own = take(&n, OWN_BITS);
    at.exits = take(&n, EXIT_BITS);
    *traits = take(&n, TRAIT_BITS);
    *size = n;
    return at;
}

static const struct set *count_set(struct enumeration *e, uint32_t number);

// ---- the alternatives of one set -----------------------------------------------------------

// A list in the making.
struct list {
    struct enumeration *e;
    struct place at;
    uint32_t traits, size; // of the set
    struct set *set;
    VEC(struct alternative) v;
};

static void add(struct list *l, const struct alternative *x)
{
    uint64_t n = 1;
    for (uint32_t i = 0; i < x->blocks && n; i++)
        n *= count_set(l->e, x->block[i])->count;
    n = n ? n * count_set(l->e, x->rest)->count : 0;
    if (!n)
        return;
    struct alternative *to = VEC_PUSH(l->e->arena, &l->v);
    *to = *x;
    to->before = l->set->count;
    l->set->count += n;
}

// Adds a statement of this size and these traits, with each possible rest. `last`: 1 + the
// operation that it is.
static void add_first(struct list *l, struct alternative *x, uint32_t size, uint32_t traits,
                      uint32_t last)
{
    const uint32_t left = l->size - size;
    struct place after = l->at;
    after.last = last;
    if ((traits & ~l->traits) || (traits & ENDS && left))
        return;
    for (uint32_t rest = 0; rest < TRAITS; rest++) {
        if ((traits | rest) != l->traits || (traits & rest & CHOOSES) || (!left && rest))
            continue;
        // After the last barrier, invocations may leave.
        x->rest = set_number(after, rest, left);
        add(l, x);
    }
}

// Where a block in a statement of these traits is. Nothing leaves a statement with a barrier, nor
// one before the last barrier.
static struct place inside(const struct list *l, uint32_t traits)
{
    const bool meets = l->traits & MEETS;
    return (struct place){.exits = meets ? 0 : l->at.exits,
                          .own = ENU_EXIT_COUNT,
                          .counter = l->at.counter,
                          .together = (traits & MEETS) != 0,
                          .chooses = l->at.chooses};
}

static bool has_cond(const struct list *l, uint32_t cond)
{
    return cond != ENU_COUNTER || l->at.counter;
}

static void add_ifs(struct list *l, uint32_t a, uint32_t b, uint32_t ta, uint32_t tb)
{
    const uint32_t ends = b ? ta & tb & ENDS : 0, traits = ends | ((ta | tb) & ~(uint32_t)ENDS);
    if ((traits & ~l->traits) || (ta & tb & CHOOSES))
        return;
    const struct place in = inside(l, traits);
    for (uint32_t c = 0; c < ENU_COND_COUNT; c++) {
        if (!has_cond(l, c) || (traits & MEETS && c != ENU_UNIFORM))
            continue;
        struct alternative x = {.kind = ENU_IF, .detail = (uint8_t)c, .blocks = 2};
        x.block[0] = set_number(in, ta, a);
        x.block[1] = set_number(in, tb, b);
        add_first(l, &x, 1 + a + b, traits, 0);
    }
}

static void all_ifs(struct list *l)
{
    for (uint32_t a = 1; a < l->size; a++)
        for (uint32_t b = 0; a + b < l->size; b++)
            for (uint32_t ta = 0; ta < TRAITS; ta++)
                for (uint32_t tb = 0; tb < (b ? TRAITS : 1u); tb++)
                    add_ifs(l, a, b, ta, tb);
}

static struct place in_loop(const struct list *l, uint32_t traits)
{
    struct place in = inside(l, traits);
    const uint32_t own = 1u << ENU_BREAK | 1u << ENU_CONTINUE;
    in.exits = (in.exits & 1u << ENU_RETURN) | (traits & MEETS ? 0 : own);
    in.own = ENU_CONTINUE;
    in.counter = true;
    in.chooses = false;
    return in;
}

static void all_loops(struct list *l)
{
    for (uint32_t n = 1; n < l->size; n++)
        for (uint32_t t = 0; t < TRAITS; t++)
            for (uint32_t how = ENU_COUNTED; how <= ENU_DO; how++) {
                if ((t & MEETS && how != ENU_COUNTED) || (how == ENU_DO && t & ENDS) || t & CHOOSES)
                    continue;
                struct alternative x = {.kind = ENU_LOOP, .detail = (uint8_t)how, .blocks = 1};
                x.block[0] = set_number(in_loop(l, t), t, n);
                add_first(l, &x, 1 + n, t & ~(uint32_t)ENDS, 0);
            }
}

// Loops with a guard. Nothing continues before the guard's end.
static void add_guarded(struct list *l, const uint32_t n[ENU_BLOCKS], uint32_t traits)
{
    struct place in = in_loop(l, 0), early = in;
    early.exits &= ~(1u << ENU_CONTINUE);
    early.own = ENU_EXIT_COUNT;
    for (uint32_t t = 0; t < 1u << (2 * ENU_BLOCKS); t++) {
        const uint32_t each[ENU_BLOCKS] = {t & 3, t >> 2 & 3, t >> 4};
        struct place guarded = early;
        guarded.own = ENU_BREAK;
        if (((each[0] | each[1] | each[2]) & OBSERVES) != traits || (each[0] | each[1]) & ENDS)
            continue;
        struct alternative x = {.kind = ENU_LOOP, .detail = ENU_GUARDED, .blocks = ENU_BLOCKS};
        x.block[0] = set_number(early, each[0], n[0]);
        x.block[1] = set_number(guarded, each[1], n[1]);
        x.block[2] = set_number(in, each[2], n[2]);
        add_first(l, &x, 2 + n[0] + n[1] + n[2], traits, 0);
    }
}

static void add_switches(struct list *l, const uint32_t n[ENU_BLOCKS], uint32_t ta, uint32_t tb,
                         uint32_t tc)
{
    const uint32_t all = (ta | tb | tc) & ~(uint32_t)ENDS;
    // Each case may choose, but only one of them.
    if (!n[0] || tc & ENDS || all & MEETS || (ta & tb & CHOOSES) || ((ta | tb) & tc & CHOOSES))
        return;
    for (uint32_t falls = 0; falls < 2; falls++) {
        if (falls && (!n[1] || ta & ENDS || (tb & OBSERVES && all & CHOOSES)))
            continue;
        const uint32_t traits = all | (falls && tb & OBSERVES ? CHOOSES : 0);
        if (traits & CHOOSES && !l->at.chooses)
            continue;
        struct place in = inside(l, traits);
        in.exits |= 1u << ENU_LEAVE;
        in.own = ENU_LEAVE;
        struct alternative x = {.kind = ENU_SWITCH, .detail = (uint8_t)falls, .blocks = ENU_BLOCKS};
        x.block[0] = set_number(in, ta, n[0]);
        x.block[1] = set_number(in, tb, n[1]);
        x.block[2] = set_number(in, tc, n[2]);
        add_first(l, &x, 1 + n[0] + n[1] + n[2], traits, 0);
    }
}

// Statements with three blocks of any size.
static void all_threes(struct list *l)
{
    uint32_t n[ENU_BLOCKS];
    for (n[0] = 0; n[0] < l->size; n[0]++)
        for (n[1] = 0; n[0] + n[1] < l->size; n[1]++)
            for (n[2] = 0; n[0] + n[1] + n[2] < l->size; n[2]++) {
                if (n[0] + n[1] + n[2] + 2 <= l->size) {
                    add_guarded(l, n, 0);
                    add_guarded(l, n, OBSERVES);
                }
                for (uint32_t t = 0; t < 8 * 8 * 8; t++) { // three traits each, no barrier
                    uint32_t each[ENU_BLOCKS];
                    for (uint32_t i = 0; i < ENU_BLOCKS; i++)
                        each[i] = (t >> 3 * i & 3) | (t >> 3 * i & 4) << 1;
                    if (((each[0] | each[1] | each[2]) & ~l->traits & ~(uint32_t)ENDS) == 0)
                        add_switches(l, n, each[0], each[1], each[2]);
                }
            }
}

static void all_calls(struct list *l)
{
    const struct place in = {.exits = 1u << ENU_RETURN, .own = ENU_RETURN};
    for (uint32_t n = 1; n < l->size; n++)
        for (uint32_t ends = 0; ends <= ENDS;
             ends++) { // a function without operation is not called
            struct alternative x = {.kind = ENU_CALL, .blocks = 1};
            x.block[0] = set_number(in, OBSERVES | ends, n);
            add_first(l, &x, 1 + n, OBSERVES, 0);
        }
}

static void all_simple(struct list *l)
{
    for (uint32_t i = 0; i < ENU_EXIT_COUNT; i++)
        if (l->size == 1 && l->traits == ENDS && l->at.exits >> i & 1 && i != l->at.own) {
            const struct alternative x = {
                .kind = ENU_EXIT, .detail = (uint8_t)i, .rest = set_number(l->at, 0, 0)};
            add(l, &x);
        }
    // Neighbours commute, and an operation again has the same result.
    for (uint32_t i = l->at.last; i < ENU_OP_COUNT; i++) {
        struct alternative x = {.kind = ENU_OP, .detail = (uint8_t)i};
        add_first(l, &x, 1, OBSERVES, 1 + i);
    }
    if (l->at.together) {
        struct alternative x = {.kind = ENU_BARRIER};
        add_first(l, &x, 1, OBSERVES | MEETS, 0);
    }
    const bool helpers = spv_stage_row(l->e->stage)->has_helpers;
    for (uint32_t c = 0; c < ENU_COND_COUNT && helpers; c++) {
        struct alternative x = {.kind = ENU_DEMOTE, .detail = (uint8_t)c};
        if (has_cond(l, c) && c != ENU_UNIFORM)
            add_first(l, &x, 1, 0, 0);
    }
}

static const struct set *count_set(struct enumeration *e, uint32_t number)
{
    struct set *s = e->set[number];
    if (s)
        return s;
    s = e->set[number] = ARENA_NEW(e->arena, struct set);
    struct list l = {.e = e, .set = s};
    l.at = set_place(number, &l.traits, &l.size);
    if (!l.size) {
        s->count = l.traits == 0;
        return s;
    }
    if ((l.traits & MEETS && !l.at.together) || (l.traits & CHOOSES && !l.at.chooses))
        return s;
    all_simple(&l);
    all_ifs(&l);
    all_loops(&l);
    all_threes(&l);
    all_calls(&l);
    s->v = l.v.v;
    s->n = (uint32_t)l.v.n;
    return s;
}

// ---- whole programs ------------------------------------------------------------------------

const struct enumeration *enu_make(struct arena *a, enum spv_stage stage, uint32_t size)
{
    struct enumeration *e = ARENA_NEW(a, struct enumeration);
    CHECK(size >= 1 && size <= ENU_SIZE_MAX &&
          (stage == SPV_STAGE_DEFAULT || stage == SPV_FRAGMENT));
    e->arena = a;
    e->stage = stage;
    e->size = size;
    // In a stage with helpers an invocation of the entry point is demoted instead.
    const bool groups = spv_stage_row(stage)->has_workgroups;
    const struct place at = {.exits = groups ? 1u << ENU_RETURN : 0,
                             .own = groups ? ENU_RETURN : ENU_EXIT_COUNT,
                             .together = groups,
                             .chooses = true};
    for (uint32_t n = 1; n <= size; n++) {
        e->whole[n + 1].first = e->whole[n].first;
        for (uint32_t t = 0; t < TRAITS; t++) {
            if (!(t & OBSERVES)) // it shows nothing
                continue;
            const uint32_t set = set_number(at, t, n);
            e->whole[n].set[e->whole[n].n++] = set;
            e->whole[n + 1].first += count_set(e, set)->count;
        }
    }
    return e;
}

uint64_t enu_count(const struct enumeration *e, uint32_t size)
{
    CHECK(size <= e->size);
    return e->whole[size + 1].first;
}

enum spv_stage enu_stage(const struct enumeration *e)
{
    return e->stage;
}

uint32_t enu_size_of(const struct enumeration *e, uint64_t number)
{
    uint32_t n = 1;
    CHECK(number < enu_count(e, e->size));
    while (number >= e->whole[n + 1].first)
        n++;
    return n;
}

static const struct enu_node *sketch(const struct enumeration *e, struct arena *a, uint32_t set,
                                     uint64_t number)
{
    const struct set *s = e->set[set];
    CHECK(s && number < s->count);
    if (!s->n)
        return NULL;
    uint32_t at = 0, end = s->n;
    while (end - at > 1) {
        const uint32_t middle = at + (end - at) / 2;
        *(s->v[middle].before <= number ? &at : &end) = middle;
    }
    const struct alternative *x = &s->v[at];
    struct enu_node *n = ARENA_NEW(a, struct enu_node);
    number -= x->before;
    n->kind = (enum enu_kind)x->kind;
    n->detail = x->detail;
    for (uint32_t i = 0; i < x->blocks; i++) {
        const uint64_t count = e->set[x->block[i]]->count;
        n->block[i] = sketch(e, a, x->block[i], number % count);
        number /= count;
    }
    n->next = sketch(e, a, x->rest, number);
    return n;
}

const struct enu_node *enu_sketch(const struct enumeration *e, struct arena *a, uint64_t number)
{
    const uint32_t size = enu_size_of(e, number);
    number -= e->whole[size].first;
    for (uint32_t i = 0;; i++) {
        const uint64_t count = e->set[e->whole[size].set[i]]->count;
        if (number < count)
            return sketch(e, a, e->whole[size].set[i], number);
        number -= count;
    }
}

// ---- text ----------------------------------------------------------------------------------

#define TEXT(id, text) text,
static const char *const ops[] = {ENU_OPS(TEXT)}, *const conds[] = {ENU_CONDS(TEXT)},
                         *const loops[] = {ENU_LOOPS(TEXT)}, *const exits[] = {ENU_EXITS(TEXT)};
#undef TEXT

static void add_block(const char *before, const struct enu_node *b, struct text *out)
{
    text_add(out, "%s{ ", before);
    enu_text(b, out);
    text_add(out, b ? " }" : "}");
}

void enu_text(const struct enu_node *b, struct text *out)
{
    for (; b; b = b->next) {
        switch (b->kind) {
        case ENU_OP:
            text_add(out, "%s", ops[b->detail]);
            break;
        case ENU_BARRIER:
            text_add(out, "barrier");
            break;
        case ENU_IF:
            text_add(out, "if %s", conds[b->detail]);
            add_block(" ", b->block[0], out);
            if (b->block[1])
                add_block(" else ", b->block[1], out);
            break;
        case ENU_LOOP:
            text_add(out, "%s", loops[b->detail]);
            add_block(" ", b->block[0], out);
            if (b->detail == ENU_GUARDED) {
                add_block(" guard ", b->block[1], out);
                add_block(" then ", b->block[2], out);
            }
            break;
        case ENU_SWITCH:
            text_add(out, "switch");
            add_block(" 0: ", b->block[0], out);
            add_block(b->detail ? " falls 1: " : " 1: ", b->block[1], out);
            if (b->block[2])
                add_block(" default: ", b->block[2], out);
            break;
        case ENU_CALL:
            add_block("call ", b->block[0], out);
            break;
        case ENU_DEMOTE:
            text_add(out, "demote %s", conds[b->detail]);
            break;
        case ENU_EXIT:
            text_add(out, "%s", exits[b->detail]);
            break;
        }
        if (b->next)
            text_add(out, "; ");
    }
}
