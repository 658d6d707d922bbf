// SPDX-License-Identifier: Apache-2.0
//
// Further rounds with ordinary numbers: what is called invented above may hide a fault that a host
// meets every day. All numbers outside arrays change together: sizes are 64, 256 or 1024, numbers
// that their names call places (offsets, mip levels) are 0 or 1; or all are small and differ.
//
//   a certain fault      the table is filled again with these numbers
//   a race whose place   certain if all ordinary numbers show it that let both accesses run, and no
//   is a number's        element of an array, and the same numbers, decide both places; else a note
//   a negative remainder by the letter if three sets of numbers show it
#include "ask.h"

#include "spirv/spirv_flow.h"

#include <ctype.h>
#include <string.h>

// Sets of numbers: ORDINARY ones come first; up to CONSISTENT all sizes are equal.
enum { ORDINARY = POR_ORDINARY, CONSISTENT = 8, SETS = 11 };
enum { PAIRS = 4, REMAINDERS = 8, SPEND = 20 * 1000 * 1000 };

struct varied {
    struct por_table *b;
    const struct por_set *number;
    uint32_t numbers, size;
    struct por_set *set; // of all numbers that differ from the others
    struct spv_case *c;
    uint64_t spent;
    uint16_t *ran; // [block] bit k: ran with set k of ordinary numbers
    struct pair {
        uint32_t inst[2];
        uint16_t shown, example; // bits of sets; one of them
        bool same;               // the same numbers decide both places
        struct por_cell why;
    } pair[PAIRS];
    uint32_t pairs;
    struct remainder {
        uint32_t inst, shown;
        const char *with;
    } remainder[REMAINDERS];
    uint32_t remainders;
    bool rounded;                 // a branch on a rounded float was noted
    uint32_t also[2], also_count; // lines of other places that were noted
};

static bool has_word(const char *name, const char *const *words, size_t n)
{
    char low[64];
    size_t k = 0;
    for (; name[k] && k + 1 < sizeof low; k++)
        low[k] = (char)tolower((unsigned char)name[k]);
    low[k] = 0;
    for (size_t j = 0; j < n; j++)
        if (strstr(low, words[j]))
            return true;
    return false;
}

// True if a number's name calls it a place, and no size.
static bool is_place(const char *name)
{
    static const char *const places[] = {"offset", "start", "begin", "first", "pad",  "mip",
                                         "lod",    "level", "layer", "slice", "base", "origin",
                                         "shift",  "index", "row",   "bias",  "pass", "step"},
                             *const sizes[] = {"count", "size",   "num",    "limit", "max",
                                               "width", "height", "length", "total", "stride"};
    return has_word(name, places, sizeof places / sizeof *places) &&
           !has_word(name, sizes, sizeof sizes / sizeof *sizes);
}

// True if a number's name calls it a width of steps, which is not 0.
static bool is_step(const char *name)
{
    static const char *const step[] = {"step"}, *const time[] = {"time"};
    return has_word(name, step, 1) && !has_word(name, time, 1);
}

// Fills *shape with set k of numbers; returns a text that names them.
static const char *numbers(struct varied *v, uint32_t k, struct por_shape *shape)
{
    static const struct {
        uint32_t scalar, place;
    } values[SETS] = {{64, 0}, {64, 1}, {256, 0}, {256, 1}, {1024, 0}, {1024, 1},
                      {8, 1},  {1, 0},  {0, 0},   {0, 0},   {0, 0}};
    struct arena *a = v->b->w.a;
    struct text t = {.arena = a};
    struct rng r = {77 + k};
    const bool differ = !values[k].scalar;
    uint32_t n = 0;
    shape->scalar = differ ? shape->scalar : values[k].scalar;
    if (!differ)
        text_add(&t, "integers = %u", shape->scalar);
    for (uint32_t j = 0; j < v->numbers; j++) {
        const bool place = is_place(v->number[j].name);
        struct por_set *s = &v->set[n];
        if (!place && !differ)
            continue;
        *s = v->number[j];
        s->value = !differ ? (is_step(s->name) ? 1 : values[k].place)
                           : (uint32_t)(rng_next(&r) >> 20) % (place ? 3 : 7) + !place;
        if (t.n < 80)
            text_add(&t, "%s%s = %u", t.n ? ", " : "", s->name, s->value);
        else if (strcmp(t.v + t.n - 3, "...") != 0)
            text_add(&t, ", ...");
        n++;
    }
    shape->more = v->set;
    shape->mores = n;
    return t.v;
}

bool por_is_sure(const struct por_asker *w, const uint32_t inst[2])
{
    return w->sure[0] && ((inst[0] == w->sure[0] && inst[1] == w->sure[1]) ||
                          (inst[0] == w->sure[1] && inst[1] == w->sure[0]));
}

// True if an access loads a whole struct: perhaps only a member that is not used races.
static bool loads_struct(const struct spv_module *m, const uint32_t inst[2])
{
    for (uint32_t k = 0; k < 2; k++) {
        const struct spv_inst *s = &m->insts[inst[k]];
        if (s->op == SpvOpLoad && spv_def(m, s->type)->op == SpvOpTypeStruct)
            return true;
    }
    return false;
}

// Remembers a race that is not known, because its place is a number's.
static void remember_race(struct varied *v, uint32_t k, const struct por_ran *x,
                          const struct por_cell *why)
{
    struct por_table *b = v->b;
    uint32_t at = por_ended_at(b, &x->r.why), j = 0;
    const uint32_t inst[2] = {at, x->t.has_other ? x->t.other_inst : at};
    const enum por_places places = por_places_of(&b->w, inst);
    if (k >= ORDINARY || places == POR_BY_ARRAYS)
        return;
    for (; j < v->pairs; j++)
        if (v->pair[j].inst[0] == inst[0] && v->pair[j].inst[1] == inst[1])
            break;
    if (j == PAIRS)
        return;
    v->pair[j].inst[0] = inst[0];
    v->pair[j].inst[1] = inst[1];
    v->pair[j].shown |= (uint16_t)(1u << k);
    v->pair[j].example = (uint16_t)k;
    v->pair[j].same = places == POR_BY_SAME_NUMBERS && !loads_struct(b->w.m, inst);
    v->pair[j].why = *why;
    v->pairs += j == v->pairs;
}

static bool is_remainder(const struct varied *v, struct orc_origin o)
{
    const uint32_t op = v->b->w.m->insts[o.inst].op;
    return o.birth == ORC_ORIGIN_NOTHING && (op == SpvOpSRem || op == SpvOpSMod);
}

// Remembers remainders of a negative number that decide memory, a branch or an address.
static void remember_remainders(struct varied *v, const struct por_ran *x, const char *with)
{
    struct orc_origin found[REMAINDERS];
    uint32_t n = 0;
    if (is_remainder(v, x->t.fault))
        found[n++] = x->t.fault;
    for (uint32_t k = 0; k < x->r.memory_count; k++)
        for (uint32_t i = 0; x->t.words[k] && i < x->r.memory[k].count && n < REMAINDERS; i++) {
            const struct orc_origin o = orc_origin(x->t.words[k][i]);
            bool known = !is_remainder(v, o);
            for (uint32_t j = 0; j < n && !known; j++)
                known = found[j].inst == o.inst;
            if (!known)
                found[n++] = o;
        }
    for (uint32_t k = 0; k < n; k++) {
        uint32_t j = 0;
        while (j < v->remainders && v->remainder[j].inst != found[k].inst)
            j++;
        if (j == REMAINDERS)
            continue;
        if (j == v->remainders)
            v->remainder[v->remainders++] = (struct remainder){found[k].inst, 0, with};
        v->remainder[j].shown++;
    }
}

// Fills the table again, at all sizes.
static void again(struct varied *v, const char *with)
{
    struct por_table *b = v->b;
    b->with = with;
    for (uint32_t s = 0; s < b->out->sizes; s++) {
        struct por_ran x;
        por_one_size(b, &b->here, s, &x);
    }
    b->more = arena_printf(b->w.a, "%s%s%s", b->more, b->more[0] ? "; " : "", with);
}

// True if a cell says more than the one in the table.
static bool is_worse(enum por_status now, enum por_status was)
{
    return now > POR_PORTABLE && now < POR_UNKNOWN && now != POR_UNREACHED &&
           (was == POR_UNKNOWN ? now >= POR_ORDER : now > was);
}

// Notes a place that is not the one of the verdict.
static void also(struct varied *v, const struct por_cell *cell, const char *with)
{
    enum { MOST = 2 };
    struct por_table *b = v->b;
    bool known = false;
    for (uint32_t k = 0; k < POR_MODELS * b->out->sizes; k++) {
        const struct por_place *at = &b->out->cell[k % POR_MODELS][k / POR_MODELS].reason.at;
        known |= at->line == cell->reason.at.line;
    }
    for (uint32_t k = 0; k < v->also_count; k++)
        known |= v->also[k] == cell->reason.at.line;
    if (known || v->also_count == MOST || !cell->reason.at.line)
        return;
    v->also[v->also_count++] = cell->reason.at.line;
    por_note(b, arena_printf(b->w.a, "also %s, with %s: %s", por_status_rows[cell->status].word,
                             with, cell->reason.text));
}

// The run under maximal reconvergence ended early: does the weaker model show more than that?
static void also_weak(struct varied *v, uint32_t row, const char *with)
{
    struct por_table *b = v->b;
    struct por_ran weak;
    struct por_cell cell;
    b->forgive = true;
    por_run(b, &b->weak, row, v->size, &(struct orc_options){.any_policy = true}, &weak);
    b->forgive = false;
    v->spent += weak.r.stats.lane_steps;
    por_judge_run(b, row, &weak, &(struct por_cell){.status = POR_UNKNOWN}, &cell);
    if (cell.status == POR_RECONVERGENCE)
        also(v, &cell, with);
}

// Notes a branch on a rounded float that the runs of the table did not come to.
static void rounded(struct varied *v, const struct por_ran *x, const char *with)
{
    struct por_table *b = v->b;
    const uint32_t at = x->t.branches[ORC_ORIGIN_ROUNDED],
                   block = at ? spv_block_at(b->w.m, at) : UINT32_MAX;
    if (block == UINT32_MAX || b->reached[block] || v->rounded)
        return;
    v->rounded = true;
    por_note(b, arena_printf(b->w.a, "%s depends on a rounded float, too, with %s",
                             por_inst_text(&b->w, at), with));
}

// One set of numbers.
static void try(struct varied *v, const struct por_inputs *first, uint32_t k)
{
    struct por_table *b = v->b;
    const uint32_t row = por_declared(b->out);
    struct por_shape shape = first->shape;
    const char *with = numbers(v, k, &shape);
    struct por_ran x;
    struct por_cell cell;
    struct err e;
    shape.groups = b->w.several ? 1 : shape.groups;
    if (!por_fill_shape(b, &b->inputs, &shape, v->c, &e))
        return;
    por_take(b, v->c);
    por_run(b, &b->here, POR_MAXIMAL, v->size, &(struct orc_options){.any_policy = true}, &x);
    v->spent += 2 * x.r.stats.lane_steps;
    for (uint32_t j = 0; x.t.ran && k < ORDINARY && j < b->w.m->block_count; j++)
        v->ran[j] |= (uint16_t)((x.t.ran[j] ? 1u : 0) << k);
    por_judge_run(b, POR_MAXIMAL, &x, &(struct por_cell){.status = POR_UNKNOWN}, &cell);
    rounded(v, &x, with);
    remember_remainders(v, &x, with);
    if (k < ORDINARY)
        por_varied_outside(b, &x.t);
    if (cell.status == POR_UNKNOWN && strcmp(cell.reason.rule, "E-race") == 0)
        remember_race(v, k, &x, &cell);
    const size_t notes = b->out->notes.n;
    if (cell.status == POR_UNDEFINED) { // perhaps by the letter only
        const bool letter = por_go_on(b, &b->here, v->size, &x, &cell);
        if (letter && cell.status == POR_PORTABLE)
            cell.status = POR_LETTER;
    }
    b->forgive = false;
    b->out->notes.n = notes;
    if (row != POR_MAXIMAL && cell.status >= POR_UNDEFINED && !b->agree)
        also_weak(v, row, with);
    if (row != POR_MAXIMAL && cell.status < POR_RECONVERGENCE && x.r.why.status == RAN_OK &&
        !b->agree) {
        struct por_ran weak;
        const struct por_cell maximal = cell;
        por_run(b, &b->weak, row, v->size, &(struct orc_options){.any_policy = true}, &weak);
        v->spent += weak.r.stats.lane_steps;
        por_judge_run(b, row, &weak, &maximal, &cell);
        if (cell.status == POR_RECONVERGENCE && por_elections(b, row, v->size, &x, &weak))
            cell = maximal;
        if (cell.status < maximal.status)
            cell = maximal;
    }
    b->out->notes.n = notes;
    enum por_status was = POR_PORTABLE;
    for (uint32_t s = 0; s < b->out->sizes; s++)
        if (b->out->size[s] == v->size)
            was = b->out->cell[row][s].status;
    const bool worse = is_worse(cell.status, was);
    if (k >= CONSISTENT && cell.status != POR_RECONVERGENCE)
        return;
    // Small counts divide a workgroup: the author may know that (ask_again.c notes it, too).
    if (worse && (k < ORDINARY || cell.status != POR_RECONVERGENCE))
        again(v, with);
    else if (cell.status == POR_RECONVERGENCE || cell.status == POR_UNDEFINED)
        also(v, &cell, with);
}

static void race_for_sure(struct varied *v, const struct por_inputs *first)
{
    struct por_table *b = v->b;
    for (uint32_t j = 0; j < v->pairs; j++) {
        const struct pair *p = &v->pair[j];
        const uint32_t block[2] = {spv_block_at(b->w.m, p->inst[0]),
                                   spv_block_at(b->w.m, p->inst[1])};
        uint32_t sets = 0, sizes = 0;
        struct por_shape shape = first->shape;
        struct err e;
        if (p->shown != (v->ran[block[0]] & v->ran[block[1]]))
            continue;
        for (uint32_t k = 0; k < ORDINARY; k++)
            sets += p->shown >> k & 1, sizes += (p->shown >> (k & ~1u) & 3) != 0 && k % 2;
        if (sets < 3 && sizes < 3)
            continue;
        const char *with = numbers(v, p->example, &shape);
        if (!p->same) {
            also(v, &p->why, with);
            continue;
        }
        shape.groups = b->w.several ? 1 : shape.groups;
        if (!por_fill_shape(b, &b->inputs, &shape, v->c, &e))
            return;
        por_take(b, v->c);
        memcpy(b->w.sure, p->inst, sizeof p->inst);
        again(v, with);
        memset(b->w.sure, 0, sizeof b->w.sure);
        return;
    }
}

// A remainder of a negative number: SPIR-V defines it, Vulkan's text does not, unless the device
// has maintenance8.
static void remainders(struct varied *v)
{
    struct por_table *b = v->b;
    for (uint32_t j = 0; j < v->remainders; j++) {
        const struct remainder *r = &v->remainder[j];
        if (r->shown < POR_SHOWN)
            continue;
        const struct por_reason why = {
            .text = arena_printf(b->w.a,
                                 "with %s, %s has a negative operand: Vulkan leaves its result "
                                 "undefined where the device has no VK_KHR_maintenance8.",
                                 r->with, por_inst_text(&b->w, r->inst)),
            .fix = "compute with uint, or add a multiple of the divisor before it",
            .at = por_place(b->w.a, b->w.m, r->inst)};
        for (uint32_t k = 0; k < POR_MODELS; k++)
            for (uint32_t s = 0; s < b->out->sizes; s++)
                if (b->out->cell[k][s].status == POR_PORTABLE)
                    b->out->cell[k][s] = (struct por_cell){.status = POR_LETTER, .reason = why};
        return;
    }
}

// Small floats in memory of words, so that what is computed from them (boxes, lengths) is not all
// empty: first with the numbers so far; then with sizes of 1024, and distant places in larger
// memory. Both fill the table again.
static void floats(struct varied *v, const struct por_inputs *first)
{
    enum { SIZE = 1024, SPACING = 1 << 16, WORDS = 1 << 18, RUNS = 10 };
    struct por_table *b = v->b;
    struct err e;
    if (!por_read_as_floats(b->w.a, b->w.m))
        return;
    for (uint32_t k = 0; k < 2; k++) {
        struct por_shape shape = first->shape;
        uint32_t n = 0;
        shape.floats = true;
        for (uint32_t j = 0; k && j < v->numbers; j++)
            if (is_place(v->number[j].name)) {
                v->set[n] = v->number[j];
                v->set[n].value = SPACING * (n + 1);
                n++;
            }
        if (k) {
            shape.scalar = SIZE;
            shape.words = WORDS;
            shape.more = v->set;
            shape.mores = n;
        }
        if (b->one_run * RUNS * b->out->sizes > SPEND ||
            !por_fill_shape(b, &b->inputs, &shape, v->c, &e))
            return;
        por_take(b, v->c);
        again(v, arena_printf(b->w.a, "small floats in memory of words%s",
                              !k  ? ""
                              : n ? ", integers = 1024, and offsets that are far from each other"
                                  : " and integers = 1024"));
    }
}

void por_vary(struct por_table *b, uint32_t size)
{
    const struct por_inputs first = b->out->inputs;
    struct varied v = {.b = b, .size = size, .c = ARENA_NEW(b->w.a, struct spv_case)};
    v.number = por_numbers(b->w.a, b->w.m, &v.numbers);
    v.set = ARENA_ARRAY(b->w.a, struct por_set, v.numbers + 1);
    v.ran = ARENA_ARRAY(b->w.a, uint16_t, b->w.m->block_count + 1);
    static const uint8_t cheap_first[SETS] = {0, 1, 6, 7, 2, 3, 8, 9, 10, 4, 5};
    for (uint32_t k = 0; k < SETS && v.numbers && v.spent < SPEND; k++)
        try(&v, &first, cheap_first[k]);
    race_for_sure(&v, &first);
    remainders(&v);
    floats(&v, &first);
}
