// SPDX-License-Identifier: Apache-2.0
//
// The case: its size, its entry point, and the contents of its input sets.
#include "grow_shapes.h"

static const struct gen_profile_row *profile_row(enum gen_profile p)
{
    static const struct gen_profile_row rows[] = {
        [GEN_SMALL] = {"small", 8, 96, 4, 1},
        [GEN_DEFAULT] = {"default", 14, 256, GEN_DEPTH_MAX, 2},
        [GEN_LARGE] = {"large", 60, 768, GEN_DEPTH_MAX, 5},
    };
    CHECK(p <= GEN_LARGE);
    return &rows[p];
}

const char *gen_profile_name(enum gen_profile p)
{
    return profile_row(p)->name;
}

static void grow_sizes(struct grow *g)
{
    struct gen_program *p = g->p;
    const uint32_t s = g->o->subgroup, max = g->o->max_invocations;
    static const uint16_t odds[] = {60, 25, 15};
    uint32_t subgroups = 1u << gen_weighted(g->c, odds, 3);
    const bool many = gen_chance(
        g->c, g->o->features & GEN_BIT(GEN_SHARED) && max > GEN_INVOCATIONS_USUAL ? 4 : 0);
    const uint32_t most = !many && max == GEN_INVOCATIONS ? GEN_INVOCATIONS_USUAL : max;
    if (many) { // for the sake of its shared memory
        subgroups = most / s ? most / s : 1;
        g->swarm.feature[GEN_SHARED] = 8;
    }
    bool partial = gen_chance(g->c, grow_has(g, GEN_PARTIAL) ? 50 : 0);
    // Half a subgroup is missing more often than other numbers.
    const bool half = gen_chance(g->c, 20);
    const uint32_t any = gen_choose(g->c, 128), missing = half ? s / 2 - 1 : any;
    uint32_t groups = 1 + gen_choose(g->c, 3);
    p->local_size = subgroups * s;
    if (partial) {
        p->local_size -= 1 + missing % (s - 1);
        grow_note(g, GEN_PARTIAL);
    }
    if (p->local_size > most)
        p->local_size = most < s ? most : most / s * s;
    if (g->o->features & GEN_QUADS) { // round up so that no quad is cut
        const uint32_t up = (p->local_size + SPV_QUAD - 1) / SPV_QUAD * SPV_QUAD;
        p->local_size = up <= most                 ? up
                        : p->local_size / SPV_QUAD ? p->local_size / SPV_QUAD * SPV_QUAD
                                                   : p->local_size;
        const bool quads = (grow_has(g, GEN_OP_DERIVATIVE) || grow_has(g, GEN_OP_SAMPLE)) &&
                           p->local_size % SPV_QUAD == 0;
        p->two_by_two = gen_chance(g->c, quads ? 40 : 0);
    }
    if (p->two_by_two)
        grow_note(g, grow_has(g, GEN_OP_DERIVATIVE) ? GEN_OP_DERIVATIVE : GEN_OP_SAMPLE);
    p->groups = grow_has(g, GEN_GROUPS) && !many ? groups : 1;
    if (p->groups > 1)
        grow_note(g, GEN_GROUPS);
    p->input_words = p->groups * p->local_size < 16 ? 16 : p->groups * p->local_size;
}

static void grow_vertices(struct grow *g)
{
    struct gen_program *p = g->p;
    static const uint16_t odds[] = {45, 25, 20, 10};
    const uint32_t s = g->o->subgroup, most = g->o->max_invocations;
    const uint32_t subgroups = 1u << gen_weighted(g->c, odds, 4);
    const bool partial = gen_chance(g->c, 25);
    const uint32_t missing = gen_choose(g->c, 128);
    p->groups = 1;
    p->local_size = subgroups * s - (partial ? 1 + missing % (s - 1) : 0);
    if (p->local_size > most)
        p->local_size = most;
    p->target[0] = p->local_size;
    p->target[1] = 1;
    p->input_words = p->local_size < 16 ? 16 : p->local_size;
}

static void main_body(struct grow *g)
{
    uint32_t held[GROW_PRESSURE_MAX];
    const uint32_t n = grow_pressure(g, held);
    grow_stmts(g, 99, 97);
    grow_pressure_end(g, held, n);
}

// Grows the entry point, which always logs something.
static void grow_main(struct grow *g)
{
    struct gen_function *f = ARENA_NEW(g->arena, struct gen_function);
    const struct spv_stage_row *stage = spv_stage_row(g->o->stage);
    g->main = true;
    g->at =
        (struct grow_place){.f = f,
                            .block = &f->body,
                            .times = 1,
                            .odds = {lanes_below(g->o->subgroup), GROW_ALL, GROW_ALL},
                            .accumulator = GROW_NONE,
                            .together = stage->has_workgroups,
                            .whole = gen_begins_whole(g->p),
                            // In a stage with helpers only end_some may end an invocation.
                            .may.leave_function = grow_has(g, GEN_RETURN) && !stage->has_helpers};
    uint32_t span = gen_span_open(g->c, GEN_SPAN_FUNCTION);
    grow_body(g, main_body);
    gen_span_close(g->c, span);
    f->index = (uint32_t)g->p->functions.n;
    *VEC_PUSH(g->arena, &g->p->functions) = f;
    gen_measure(g->p, f);
}

// Draws the number of invocations, by stage.
static void (*const sizes[SPV_STAGES])(struct grow *g) = {grow_sizes, grow_target, grow_vertices};

struct gen_program *gen_grow(struct gen_choices *c, const struct gen_options *o)
{
    struct grow g = {.c = c, .arena = c->arena, .o = o, .stmts = grow_any_stmts};
    g.profile = profile_row(o->profile);
    g.p = ARENA_NEW(g.arena, struct gen_program);
    g.p->subgroup = o->subgroup;
    g.weak = o->model == SPV_SUBGROUP_UNIFORM || o->model == SPV_WORKGROUP_UNIFORM;
    g.words = g.profile->row_words - 1;
    uint32_t span = gen_span_open(c, GEN_SPAN_SETUP);
    grow_swarm(&g);
    g.p->stage = o->stage;
    sizes[o->stage](&g);
    g.p->ssa = gen_chance(c, grow_has(&g, GEN_SSA) && o->features & GEN_BIT(GEN_PHI) ? 45 : 0);
    if (g.p->ssa) {
        grow_note(&g, GEN_SSA);
        grow_note(&g, GEN_PHI);
    }
    static const uint16_t stored[] = {60, 28, 12};
    const uint32_t how = gen_weighted(c, stored, 3);
    g.p->stored = grow_has(&g, GEN_STORED) && !g.p->ssa ? (enum gen_stored)how : STORED_NOT;
    if (g.p->stored)
        grow_note(&g, GEN_STORED);
    g.nodes = (int32_t)(g.profile->nodes / 2 + gen_choose(c, g.profile->nodes));
    gen_span_close(c, span);
    grow_main(&g);
    const uint32_t words = g.p->functions.v[g.p->functions.n - 1]->log_words;
    CHECK(words < g.profile->row_words);
    for (g.p->row_mask = 1; g.p->row_mask + 1 < words;)
        g.p->row_mask = 2 * g.p->row_mask + 1;
    // An entry may begin at row_mask and extends beyond it.
    g.p->row_words = (g.p->row_mask + GEN_LOG_MAX + 2 + 3) / 4 * 4;
    return g.p;
}

// ---- inputs -----------------------------------------------------------------------------

// Patterns of input words; each splits tangles differently. Shaders read any few bits of a word, so
// most patterns repeat in every nibble or are hashed.
enum { NOISE, SAME, SMALL, ONE, ALTERNATE, RAMP, BY_QUAD, BY_SUBGROUP, FILLS };

// Returns a hash: the same word for the same seed and key.
static uint32_t word_of(uint32_t seed, uint32_t key)
{
    struct rng r = {(uint64_t)key << 32 | seed};
    return (uint32_t)rng_next(&r);
}

static uint32_t input_word(uint32_t fill, uint32_t i, uint32_t subgroup, uint32_t seed)
{
    const uint32_t each_nibble = 0x11111111;
    switch (fill) {
    case SAME:
        return word_of(seed, 0);
    case SMALL: // 0 .. 7
        return (word_of(seed, i) & 7) * each_nibble;
    case ONE: // one invocation per subgroup differs from the others
        return word_of(seed, i % subgroup == seed % subgroup);
    case ALTERNATE:
        return word_of(seed, i & 1);
    case RAMP:
        return ((i + seed) & 7) * each_nibble;
    case BY_QUAD:
        return word_of(seed, i / 4);
    case BY_SUBGROUP:
        return word_of(seed, i / subgroup);
    default:
        return 0;
    }
}

void gen_grow_inputs(struct gen_choices *c, const struct gen_program *p, uint32_t n,
                     struct spv_buffer *inputs)
{
    static const uint16_t odds[FILLS] = {40, 2, 16, 8, 8, 8, 8, 6};
    uint32_t span = gen_span_open(c, GEN_SPAN_SETUP);
    for (uint32_t k = 0; k < n; k++) {
        uint32_t fill = gen_weighted(c, odds, FILLS), seed = gen_choose(c, 1 << 16);
        struct spv_buffer *buf = &inputs[k];
        buf->count = p->input_words;
        buf->words = ARENA_ARRAY(c->arena, uint32_t, buf->count);
        if (fill == NOISE) {
            buf->fill = SPV_FILL_SEED;
            buf->seed = seed;
            spv_seed_fill(seed, buf->words, buf->count);
            continue;
        }
        buf->fill = SPV_FILL_WORDS;
        for (uint32_t i = 0; i < buf->count; i++)
            buf->words[i] = input_word(fill, i, p->subgroup, seed);
    }
    gen_span_close(c, span);
}
