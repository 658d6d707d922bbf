// SPDX-License-Identifier: Apache-2.0
//
// The table: each model at each subgroup size. Under maximal reconvergence a run with every choice left open; where it has
// a meaning and executes atomics, the same in other orders; then the weaker models.
#include "portable_inner.h"

#include "spirv/spirv_groups.h"

#include <string.h>

enum { STEPS = 1000 * 1000, GROWS = 3 };
// Instructions, one an invocation, that trying other inputs may take beside the table.
enum { SPEND = 40 * 1000 * 1000, RUNS_OF_A_ROUND = 10 };

const char *por_status_word(enum por_status s)
{
    static const char *const words[POR_STATUSES] = {"portable", "order", "reconvergence", "undefined", "not known"};
    return words[s];
}

const char *por_status_line(enum por_status s)
{
    static const char *const lines[POR_STATUSES] = {
        "the model makes sure all that these inputs show",
        "the result depends on the order of atomics, which nobody promises",
        "the result depends on reconvergence that the model does not promise",
        "the program has no meaning on any device",
        "cannot be said: see the reason",
    };
    return lines[s];
}

enum spv_model por_model(uint32_t k)
{
    static const enum spv_model models[POR_MODELS] = {SPV_WORKGROUP_UNIFORM, SPV_SUBGROUP_UNIFORM, SPV_MAXIMAL};
    return models[k];
}

const char *por_model_line(uint32_t k)
{
    static const char *const lines[POR_MODELS] = {"Vulkan alone", "+ subgroup uniform control flow", "+ maximal reconvergence"};
    return lines[k];
}

enum { MAXIMAL = POR_MODELS - 1 };

struct table {
    struct por_asker w;
    struct por_answer *out;
    struct arena load, scratch;
    // What runs leave: of the first size that has an answer, of the size at hand, of the run at hand.
    struct arena keep, here, now;
    struct spv_case c[POR_MODELS];
    struct orc_program *p[POR_MODELS];
    struct orc_why refused[POR_MODELS];
    const struct spv_case *bare;
    const struct por_given *given;
    bool own;
    uint64_t spent;    // of SPEND
    uint64_t one_run;  // what a run with the first inputs takes
    bool partly;       // with counts that no subgroup divides it comes out otherwise
    bool waits;        // some loop may wait for another invocation
    uint32_t *reached; // [block] a bit each: of the sizes at which somebody ran it
    const char *more;  // of all of them
    const char *with;  // the inputs of a further round, for its reasons; "" in the first one
};

struct ran {
    struct orc_result r;
    struct orc_trace t;
};

// Leaves its memory in the arena, which is reset first.
static void run(struct table *b, struct arena *in, uint32_t k, uint32_t size, const struct orc_options *how,
                struct ran *out)
{
    struct orc_options o = *how;
    arena_reset(in);
    *out = (struct ran){.t = {.arena = in}};
    o.trace = &out->t;
    o.scratch = &b->scratch;
    o.step_limit = STEPS;
    if (!o.order)
        o.order = 1;
    if (b->p[k])
        orc_run(b->p[k], in, &b->c[k], size, &o, &out->r);
    else
        out->r.why = b->refused[k];
}

static void load(struct table *b, const struct spv_case *c)
{
    for (uint32_t k = 0; k < POR_MODELS; k++) {
        b->c[k] = *c;
        b->c[k].model = por_model(k);
        b->c[k].subgroup = 0;
        b->c[k].expect_count = 0;
        b->c[k].has_policy = false;
        b->p[k] = orc_load_assumed(&b->load, &b->c[k], &b->refused[k]);
    }
}

// The instruction where a run ended.
static uint32_t ended_at(const struct table *b, const struct orc_why *why)
{
    for (uint32_t k = 0; why->at && k < b->w.m->inst_count; k++)
        if (b->w.m->insts[k].at == why->at)
            return k;
    return 0;
}

// ---- shapes -----------------------------------------------------------------------

// Blocks that a way leads to, and those that somebody ran.
static void count_blocks(const struct table *b, const struct orc_trace *t, uint32_t *all, uint32_t *ran)
{
    *all = *ran = 0;
    for (uint32_t k = 0; k < b->w.m->block_count; k++) {
        const uint32_t last = b->w.m->insts[b->w.m->blocks[k].last].op;
        *all += last != SpvOpUnreachable;
        *ran += t->ran && t->ran[k];
    }
}

static bool fill(struct table *b, const struct por_shape *shape, struct spv_case *c, struct err *e)
{
    *c = *b->bare;
    return por_fill_case(b->w.a, c, b->own, b->given, shape, &b->out->inputs, e);
}

// The inputs of a filled case, for the programs that are loaded.
static void take(struct table *b, const struct spv_case *c)
{
    for (uint32_t j = 0; j < POR_MODELS; j++) {
        memcpy(b->c[j].buffer, c->buffer, sizeof c->buffer);
        memcpy(b->c[j].push, c->push, sizeof c->push);
        memcpy(b->c[j].groups, c->groups, sizeof c->groups);
        b->c[j].buffer_count = c->buffer_count;
        b->c[j].push_count = c->push_count;
    }
}

// Tries shapes until one runs to its end through most blocks; leaves the best one filled. Buffers grow
// where the module walks out of one whose length was a guess.
static bool shapes(struct table *b, uint32_t size, struct err *e)
{
    const struct por_given *given = b->given;
    struct por_shape best = por_shape(given, 0);
    uint32_t most = 0;
    struct spv_case *c = ARENA_NEW(b->w.a, struct spv_case);
    for (uint32_t k = 0; k < POR_SHAPES; k++) {
        struct por_shape shape = por_shape(given, k);
        struct ran r;
        for (uint32_t grown = 0; grown <= GROWS; grown++) {
            if (!fill(b, &shape, c, e))
                return false;
            if (!b->p[MAXIMAL] && !b->refused[MAXIMAL].text[0])
                load(b, c);
            b->w.c = &b->c[MAXIMAL];
            b->w.inputs = &b->out->inputs;
            take(b, c);
            run(b, &b->now, MAXIMAL, size, &(struct orc_options){.any_policy = true}, &r);
            if (strcmp(r.r.why.rule, "E-bounds") != 0 || !r.t.variable || r.t.byte > (1u << 22))
                break;
            shape.words = shape.words * 8 > r.t.byte / 2 ? shape.words * 8 : (uint32_t)(r.t.byte / 2);
        }
        uint32_t all, ran;
        count_blocks(b, &r.t, &all, &ran);
        const uint32_t score = (r.r.why.status == ORC_OK ? 1000000 : 0) + (all ? 1000 * ran / all : 0) + 1;
        if (score > most) {
            most = score;
            best = shape;
        }
        if (r.r.why.status >= ORC_UNSUPPORTED || !b->out->inputs.invented || given->fill == POR_ZERO ||
            score >= 1000000 + 850)
            break;
    }
    if (!fill(b, &best, c, e))
        return false;
    take(b, c);
    return true;
}

static void note(struct table *b, const char *text)
{
    for (size_t k = 0; k < b->out->notes.n; k++)
        if (strcmp(b->out->notes.v[k], text) == 0)
            return;
    *VEC_PUSH(b->w.a, &b->out->notes) = text;
}

// ---- one run ----------------------------------------------------------------------

// The worst origin of a word that is not defined; false: all are.
static bool undefined_word(const struct ran *x, uint32_t *buffer, uint32_t *word, struct orc_origin *from)
{
    bool found = false;
    for (uint32_t k = 0; k < x->r.memory_count; k++) {
        const struct spv_memory *m = &x->r.memory[k];
        for (uint32_t i = 0; m->mask && i < m->count; i++) {
            if (m->mask[i] == UINT32_MAX)
                continue;
            const struct orc_origin o = orc_origin(x->t.words[k] ? x->t.words[k][i] : 0);
            if (found && o.birth <= from->birth)
                continue;
            found = true;
            *buffer = k, *word = i, *from = o;
        }
    }
    return found;
}

static bool is_promise(struct orc_origin o)
{
    return o.birth == ORC_BORN_UNPROMISED || o.birth == ORC_BORN_CHOICE;
}

static void judge(struct table *b, uint32_t k, const struct ran *x, const struct por_cell *maximal,
                  struct por_cell *out)
{
    struct por_reason *why = &out->reason;
    uint32_t buffer, word;
    struct orc_origin from;
    *out = (struct por_cell){.status = POR_PORTABLE, .reason = {.text = "", .fix = ""}};
    b->w.apart = x->t.apart;
    if (x->r.why.status == ORC_OK) {
        if (!undefined_word(x, &buffer, &word, &from))
            return;
        const char *sink = por_word_said(&b->w, buffer, word);
        if (is_promise(from)) {
            out->status = POR_RECONVERGENCE;
            por_reason_promise(&b->w, k, from, sink, from.inst, why);
        } else {
            out->status = por_reason_value(&b->w, from, sink, from.inst, why);
        }
        return;
    }
    const uint32_t at = ended_at(b, &x->r.why);
    if (x->r.why.status == ORC_UNDEFINED && is_promise(x->t.fault)) {
        out->status = POR_RECONVERGENCE;
        memcpy(why->rule, x->r.why.rule, sizeof why->rule);
        por_reason_promise(&b->w, k, x->t.fault, por_said(&b->w, at), at, why);
        return;
    }
    if (x->r.why.status == ORC_UNDEFINED && k != MAXIMAL && maximal->status <= POR_RECONVERGENCE) {
        out->status = POR_RECONVERGENCE;
        memcpy(why->rule, x->r.why.rule, sizeof why->rule);
        por_reason_weak(&b->w, k, &x->r.why, at, why);
        return;
    }
    out->status = por_reason_fault(&b->w, &x->r, &x->t, at, why);
}

// Where a subgroup is not full, lanes are missing that a shader may take for granted.
static void not_full(struct table *b, uint32_t size, struct por_cell *c)
{
    uint32_t local[3];
    struct err e;
    if (c->status != POR_UNDEFINED || !spv_local_size(&b->c[MAXIMAL], b->w.m, local, &e))
        return;
    const uint32_t n = local[0] * local[1] * local[2];
    if (n % size)
        c->reason.fix = arena_printf(b->w.a, "%s%sa workgroup of %u does not fill its last subgroup of %u: is some lane taken for granted?",
                                     c->reason.fix, c->reason.fix[0] ? "; " : "", n, size);
}

// ---- orders -----------------------------------------------------------------------

// A word that two runs leave different; `rounded`: also of floats that were rounded. False: none.
static bool differ(const struct ran *x, const struct ran *y, bool rounded, uint32_t *buffer, uint32_t *word)
{
    for (uint32_t k = 0; k < x->r.memory_count; k++)
        for (uint32_t i = 0; i < x->r.memory[k].count; i++) {
            const uint32_t sure = (x->r.memory[k].mask ? x->r.memory[k].mask[i] : UINT32_MAX) &
                                  (y->r.memory[k].mask ? y->r.memory[k].mask[i] : UINT32_MAX);
            if (!((x->r.memory[k].words[i] ^ y->r.memory[k].words[i]) & sure) ||
                (!rounded && x->t.words[k] && orc_origin(x->t.words[k][i]).birth == ORC_BORN_ROUNDED))
                continue;
            *buffer = k, *word = i;
            return true;
        }
    return false;
}

static struct orc_origin order_of(const struct table *b, const struct ran *x, uint32_t buffer, uint32_t word)
{
    const struct orc_origin o = orc_origin(x->t.words[buffer] ? x->t.words[buffer][word] : 0);
    if (o.birth == ORC_BORN_ORDER)
        return o;
    if (x->t.branches[ORC_BORN_ORDER])
        return x->t.branch_origin[ORC_BORN_ORDER];
    for (uint32_t k = 0; k < b->w.m->inst_count; k++)
        if (spv_op_class(b->w.m->insts[k].op) == SPV_CLASS_ATOMIC)
            return (struct orc_origin){ORC_BORN_ORDER, k};
    return o;
}

static void orders(struct table *b, uint32_t size, const struct ran *first, struct por_cell *out)
{
    bool used = first->t.branches[ORC_BORN_ORDER] != 0;
    for (uint32_t k = 0; k < first->r.memory_count; k++)
        for (uint32_t i = 0; first->t.words[k] && i < first->r.memory[k].count && !used; i++)
            used = orc_origin(first->t.words[k][i]).birth == ORC_BORN_ORDER;
    for (uint32_t order = 2; order <= ORC_ORDERS && first->t.atomics; order++) {
        struct ran other;
        uint32_t buffer = 0, word = 0;
        run(b, &b->now, MAXIMAL, size, &(struct orc_options){.any_policy = true, .order = order}, &other);
        const bool waits = other.r.why.status == ORC_OVER_LIMIT;
        if (other.r.why.status == ORC_OK && !differ(first, &other, true, &buffer, &word))
            continue;
        if (other.r.why.status != ORC_OK && !waits) {
            judge(b, MAXIMAL, &other, out, out);
            return;
        }
        const uint32_t at = waits ? ended_at(b, &other.r.why) : 0;
        const struct orc_origin from = waits ? (struct orc_origin){ORC_BORN_ORDER, at}
                                             : order_of(b, first, buffer, word);
        out->status = POR_ORDER;
        out->reason.from = por_place(b->w.a, b->w.m, from.inst);
        out->reason.at = out->reason.from;
        const bool sum = b->w.m->insts[from.inst].op == SpvOpAtomicFAddEXT;
        out->reason.text =
            sum ? arena_printf(b->w.a, "%s adds floats, and sums round by the order in which invocations come; two legal orders leave %s different (%#x, %#x).",
                               por_said(&b->w, from.inst), por_word_said(&b->w, buffer, word), first->r.memory[buffer].words[word],
                               other.r.memory[buffer].words[word])
            : waits ? arena_printf(b->w.a, "around %s an invocation waits for another one; Vulkan promises no forward progress between them, so it may wait for ever.",
                                 por_said(&b->w, from.inst))
                  : arena_printf(b->w.a, "%s gives what the order of atomics leaves open; two legal orders leave %s different (%#x, %#x).",
                                 por_said(&b->w, from.inst), por_word_said(&b->w, buffer, word),
                                 first->r.memory[buffer].words[word], other.r.memory[buffer].words[word]);
        out->reason.fix = sum     ? "compare with a tolerance, or add integers (fixed point)"
                          : waits ? "do not wait for other invocations, or only for those that have surely begun"
                                : "let nothing that counts rest on who comes first (positions from a scan instead of a counter), or compare results without their order";
        return;
    }
    out->tried = used || b->waits;
}

// ---- elections --------------------------------------------------------------------

// Somebody is elected in every tangle, whatever it is: does it matter who, and how many?
static bool elections(struct table *b, uint32_t k, uint32_t size, const struct ran *maximal, struct ran *x)
{
    static const enum spv_policy all[] = {SPV_POLICY_JOIN, SPV_POLICY_SPLIT};
    const struct orc_origin from = x->t.fault;
    if (x->r.why.status != ORC_UNDEFINED || from.birth != ORC_BORN_UNPROMISED ||
        b->w.m->insts[from.inst].op != SpvOpGroupNonUniformElect || maximal->r.why.status != ORC_OK)
        return false;
    for (size_t n = 0; n < sizeof all / sizeof *all; n++) {
        struct ran other;
        uint32_t buffer, word;
        struct orc_origin why;
        const struct spv_choices choices = {.base = all[n]};
        run(b, &b->now, k, size, &(struct orc_options){.elects = true, .policy = &choices}, &other);
        if (other.r.why.status != ORC_OK || undefined_word(&other, &buffer, &word, &why) ||
            differ(maximal, &other, true, &buffer, &word))
            return false;
    }
    note(b, arena_printf(b->w.a, "%s is not needed for the result: it is the same if each invocation is elected", por_said(&b->w, from.inst)));
    return true;
}

// ---- what is told besides ------------------------------------------------------------

// A group operation, atomic or barrier: what a verdict is about.
static bool counts(const struct spv_inst *s)
{
    return spv_group_find(s->op) || spv_op_class(s->op) == SPV_CLASS_ATOMIC || s->op == SpvOpControlBarrier;
}

// The first of these in a block; 0: none.
static uint32_t first_that_counts(const struct spv_module *m, uint32_t block)
{
    for (uint32_t i = m->blocks[block].first; i <= m->blocks[block].last; i++)
        if (counts(&m->insts[i]))
            return i;
    return 0;
}

// Which blocks ran at size s, a branch that hangs on rounding, loops that may wait for others.
static void coverage(struct table *b, uint32_t s, const struct orc_trace *t)
{
    for (uint32_t k = 0; t->ran && k < b->w.m->block_count; k++) {
        uint32_t loop = 0;
        const uint32_t at = t->ran[k] && !b->reached[k] ? por_waits(&b->w, k, &loop) : 0;
        b->reached[k] |= t->ran[k] ? 1u << s : 0;
        b->waits |= at != 0;
        if (at)
            note(b, arena_printf(b->w.a, "the loop of line %u ends by what %s finds that others write: Vulkan promises no progress to whom it waits for, not even to one that has begun",
                                 por_line_near(&b->w, loop), por_said(&b->w, at)));
    }
    if (t->branches[ORC_BORN_ROUNDED])
        note(b, arena_printf(b->w.a, "%s hangs on a rounded float (%s): where devices round otherwise, invocations may go another way",
                             por_said(&b->w, t->branches[ORC_BORN_ROUNDED]),
                             por_said(&b->w, t->branch_origin[ORC_BORN_ROUNDED].inst)));
}

// What was reached at no size, or not at all of them.
static void unreached(struct table *b)
{
    enum { MOST = 3 };
    uint32_t told = 0, line = 0;
    b->out->blocks = b->out->blocks_ran = 0;
    for (uint32_t k = 0; k < b->w.m->block_count; k++) {
        const uint32_t at = first_that_counts(b->w.m, k);
        b->out->blocks += b->w.m->insts[b->w.m->blocks[k].last].op != SpvOpUnreachable;
        b->out->blocks_ran += b->reached[k] != 0;
        if (!at || b->reached[k] == (1u << b->out->sizes) - 1)
            continue;
        for (uint32_t s = 0; s < b->out->sizes; s++)
            for (uint32_t j = 0; j < POR_MODELS && !(b->reached[k] >> s & 1); j++)
                b->out->cell[j][s].tried = true;
        const struct por_place place = por_place(b->w.a, b->w.m, at);
        if (told++ >= MOST || (place.line && place.line == line))
            continue;
        line = place.line;
        struct text sizes = {.arena = b->w.a};
        for (uint32_t s = 0; s < b->out->sizes && b->reached[k]; s++)
            if (!(b->reached[k] >> s & 1))
                text_add(&sizes, "%s%u", sizes.n ? ", " : "", b->out->size[s]);
        note(b, b->reached[k] ? arena_printf(b->w.a, "%s is not reached at %s lanes: is that meant?", por_said(&b->w, at), sizes.v)
                              : arena_printf(b->w.a, "%s was never reached with these inputs: nothing is said of it", por_said(&b->w, at)));
    }
    if (told > MOST)
        note(b, arena_printf(b->w.a, "%u more blocks with such operations were not reached, or not at all sizes", told - MOST));
}

static bool is_decorated(const struct spv_module *m, uint32_t id, uint32_t decoration)
{
    for (uint32_t k = 0; k < m->inst_count && m->insts[k].op != SpvOpFunction; k++)
        if (m->insts[k].op == SpvOpDecorate && m->insts[k].v[0] == id && m->insts[k].v[1] == decoration)
            return true;
    return false;
}

// Is something written through a variable?
static bool is_written(const struct spv_module *m, uint32_t variable)
{
    for (uint32_t k = 0; k < m->inst_count; k++) {
        const struct spv_inst *s = &m->insts[k];
        if ((s->op == SpvOpStore || (spv_op_class(s->op) == SPV_CLASS_ATOMIC && s->op != SpvOpAtomicLoad)) &&
            por_root(m, s->v[0]) == variable)
            return true;
    }
    return false;
}

// Two buffer variables on one binding, one of them written: SPIR-V (2.18.2) lets a compiler take them for two memories but
// where they are decorated Aliased.
static void aliases(struct table *b)
{
    const struct spv_module *m = b->w.m;
    uint32_t v[64], n = 0;
    for (uint32_t k = 0; k < m->inst_count && m->insts[k].op != SpvOpFunction && n < 64; k++)
        if (m->insts[k].op == SpvOpVariable &&
            (m->insts[k].v[0] == SpvStorageClassStorageBuffer || m->insts[k].v[0] == SpvStorageClassUniform) &&
            por_decoration(m, m->insts[k].result, UINT32_MAX, SpvDecorationBinding) != UINT32_MAX)
            v[n++] = m->insts[k].result;
    for (uint32_t k = 0; k < n; k++)
        for (uint32_t j = 0; j < k; j++)
            if (por_decoration(m, v[k], UINT32_MAX, SpvDecorationBinding) == por_decoration(m, v[j], UINT32_MAX, SpvDecorationBinding) &&
                por_decoration(m, v[k], UINT32_MAX, SpvDecorationDescriptorSet) ==
                    por_decoration(m, v[j], UINT32_MAX, SpvDecorationDescriptorSet) &&
                (is_written(m, v[k]) || is_written(m, v[j])) &&
                !(is_decorated(m, v[k], SpvDecorationAliased) && is_decorated(m, v[j], SpvDecorationAliased))) {
                note(b, arena_printf(b->w.a, "%s and %s are one buffer, which is written, and not both are decorated Aliased: a compiler may take them for two, and move a load of one over a store to the other",
                                     por_name(b->w.a, m, v[j]), por_name(b->w.a, m, v[k])));
                for (uint32_t i = 0; i < POR_MODELS * b->out->sizes; i++)
                    b->out->cell[i % POR_MODELS][i / POR_MODELS].tried = true;
            }
}

// An index that is NonUniform, and an access by a pointer that is not (R10).
static void lost_decoration(struct table *b)
{
    const struct spv_module *m = b->w.m;
    for (uint32_t k = 0; k < m->inst_count; k++) {
        const struct spv_inst *s = &m->insts[k], *chain;
        if (!s->n || (s->op != SpvOpLoad && s->op != SpvOpStore && spv_op_class(s->op) != SPV_CLASS_ATOMIC))
            continue;
        chain = spv_def(m, s->v[0]);
        for (uint32_t j = 1; chain && chain->op == SpvOpAccessChain && j < chain->n; j++)
            if (is_decorated(m, chain->v[j], SpvDecorationNonUniform) && !is_decorated(m, s->v[0], SpvDecorationNonUniform)) {
                note(b, arena_printf(b->w.a, "the compiler has put NonUniform on an index of %s and not on its pointer, where Vulkan wants it: a newer compiler may",
                                     por_said(&b->w, k)));
                return;
            }
    }
}

// RelaxedPrecision lets a device compute in 16 bits: does that show?
static void precision(struct table *b, uint32_t size, const struct ran *first)
{
    struct ran other;
    uint32_t buffer, word;
    run(b, &b->now, MAXIMAL, size, &(struct orc_options){.any_policy = true, .relaxed = true}, &other);
    if (other.r.why.status != ORC_OK)
        note(b, arena_printf(b->w.a, "in 16 bits, as RelaxedPrecision (mediump) allows, it comes to another end: %s",
                             orc_why_line(b->w.a, &other.r.why)));
    else if (differ(first, &other, true, &buffer, &word))
        note(b, arena_printf(b->w.a, "%s depends on the precision that RelaxedPrecision (mediump) leaves open: %#x in 32 bits, %#x in 16",
                             por_word_said(&b->w, buffer, word), first->r.memory[buffer].words[word], other.r.memory[buffer].words[word]));
}

// Does it take invocation i for lane i % size? Devices need not.
static void mapping(struct table *b, uint32_t size, const struct ran *first)
{
    uint32_t local[3], buffer, word;
    struct err e;
    if (!spv_local_size(&b->c[MAXIMAL], b->w.m, local, &e))
        return;
    const uint32_t n = local[0] * local[1] * local[2], groups = b->c[MAXIMAL].groups[0] *
                       b->c[MAXIMAL].groups[1] * b->c[MAXIMAL].groups[2];
    if (n % size || (uint64_t)n * groups > 65536)
        return;
    uint32_t *subgroup = ARENA_ARRAY(b->w.a, uint32_t, (size_t)n * groups),
             *lane = ARENA_ARRAY(b->w.a, uint32_t, (size_t)n * groups);
    for (uint32_t k = 0; k < n * groups; k++) {
        subgroup[k] = k % n / size;
        lane[k] = size - 1 - k % n % size;
    }
    const struct orc_lanes lanes = {.invocations = n * groups, .subgroup = subgroup, .lane = lane};
    struct ran other;
    run(b, &b->now, MAXIMAL, size, &(struct orc_options){.any_policy = true, .lanes = &lanes}, &other);
    if (other.r.why.status == ORC_OK && differ(first, &other, false, &buffer, &word))
        note(b, arena_printf(b->w.a, "%s changes where a device numbers the lanes of a subgroup otherwise (backwards, at %u lanes): Vulkan ties invocations to lanes only by its built-ins",
                             por_word_said(&b->w, buffer, word), size));
}

// ---- the table --------------------------------------------------------------------

static void all_unknown(struct por_answer *out, const char *text)
{
    for (uint32_t k = 0; k < POR_MODELS; k++)
        for (uint32_t s = 0; s < out->sizes; s++)
            out->cell[k][s] = (struct por_cell){.status = POR_UNKNOWN, .reason = {.text = text, .fix = ""}};
    out->worst = POR_UNKNOWN;
}

// A cell of this round goes in where it says something worse. Invented inputs that say nothing take nothing back.
static void put(struct table *b, uint32_t k, uint32_t s, struct por_cell now)
{
    struct por_cell *was = &b->out->cell[k][s];
    if (!b->with[0]) {
        *was = now;
        return;
    }
    was->tried |= now.tried;
    if (now.status == POR_UNKNOWN || (was->status != POR_UNKNOWN && now.status <= was->status))
        return;
    if (now.reason.text[0])
        now.reason.text = arena_printf(b->w.a, "with %s, %s", b->with, now.reason.text);
    *was = now;
}

static void one_size(struct table *b, struct arena *in, uint32_t s, struct ran *maximal)
{
    struct por_answer *out = b->out;
    const uint32_t size = out->size[s];
    struct por_cell order, cell[POR_MODELS];
    run(b, in, MAXIMAL, size, &(struct orc_options){.any_policy = true}, maximal);
    judge(b, MAXIMAL, maximal, &(struct por_cell){.status = POR_UNKNOWN}, &cell[MAXIMAL]);
    not_full(b, size, &cell[MAXIMAL]);
    const struct por_cell own = cell[MAXIMAL];
    order = own;
    coverage(b, s, &maximal->t);
    if (maximal->r.why.status == ORC_OK && own.status == POR_PORTABLE)
        orders(b, size, maximal, &order);
    cell[MAXIMAL] = order;
    for (uint32_t k = 0; k < MAXIMAL; k++) {
        struct ran x;
        if (own.status >= POR_UNDEFINED) { // no model makes that better
            cell[k] = own;
            continue;
        }
        run(b, &b->now, k, size, &(struct orc_options){.any_policy = true}, &x);
        judge(b, k, &x, &own, &cell[k]);
        if (cell[k].status == POR_RECONVERGENCE && elections(b, k, size, maximal, &x))
            cell[k] = (struct por_cell){.status = POR_PORTABLE, .tried = true, .reason = {.text = "", .fix = ""}};
        if (cell[k].status == POR_PORTABLE) {
            const bool tried = cell[k].tried;
            cell[k] = order;
            cell[k].tried |= tried;
        }
    }
    for (uint32_t k = 0; k < POR_MODELS; k++)
        put(b, k, s, cell[k]);
}

// ---- other ways ---------------------------------------------------------------------

// The inputs of a round, said beside the first ones.
static void text_more(struct table *b, const struct por_inputs *first, const char *with)
{
    const char *at = strstr(b->more, with);
    if (!at)
        b->more = arena_printf(b->w.a, "%s%s%s", b->more, b->more[0] ? "; " : "", with);
    b->out->inputs.said = arena_printf(b->w.a, "%safter that the same with %s\n", first->said, b->more);
}

// What a run at this size with these inputs reaches that nothing has reached so far, and a verdict is about.
static uint32_t news(struct table *b, uint32_t size, const struct por_shape *shape, struct spv_case *c)
{
    struct err e;
    struct ran r;
    uint32_t n = 0;
    if (!fill(b, shape, c, &e))
        return 0;
    take(b, c);
    run(b, &b->now, MAXIMAL, size, &(struct orc_options){.any_policy = true}, &r);
    b->spent += r.r.stats.lane_steps;
    for (uint32_t k = 0; r.t.ran && k < b->w.m->block_count; k++)
        n += r.t.ran[k] && !b->reached[k] && first_that_counts(b->w.m, k);
    return n;
}

// Counts that subgroups divide hide what a guard (i < count) does to the last of them: is it the same otherwise?
static void partly(struct table *b, uint32_t size, const struct por_inputs *first, const struct por_set *set, uint32_t n)
{
    const uint32_t k = por_declared(b->out);
    struct spv_case *c = ARENA_NEW(b->w.a, struct spv_case), *was = ARENA_NEW(b->w.a, struct spv_case);
    struct por_cell cell, maximal;
    struct err e;
    bool fine = true;
    for (uint32_t s = 0; s < b->out->sizes; s++)
        fine &= b->out->cell[k][s].status <= POR_ORDER;
    *was = b->c[MAXIMAL];
    for (uint32_t j = 0; fine && j < n && b->spent < SPEND; j++) {
        struct por_shape shape = first->shape;
        struct ran x;
        shape.sets = 1;
        shape.set[0] = set[j];
        if (!fill(b, &shape, c, &e))
            break;
        take(b, c);
        run(b, &b->now, MAXIMAL, size, &(struct orc_options){.any_policy = true}, &x);
        b->spent += 3 * x.r.stats.lane_steps;
        judge(b, MAXIMAL, &x, &(struct por_cell){.status = POR_UNKNOWN}, &maximal);
        struct ran full = x;
        cell = maximal;
        if (k != MAXIMAL && maximal.status < POR_UNDEFINED) {
            run(b, &b->here, k, size, &(struct orc_options){.any_policy = true}, &x);
            judge(b, k, &x, &maximal, &cell);
            if (cell.status == POR_RECONVERGENCE && elections(b, k, size, &full, &x))
                continue;
        }
        if (cell.status != POR_RECONVERGENCE && cell.status != POR_UNDEFINED)
            continue;
        note(b, arena_printf(b->w.a, "not so with %s = %u, which %u does not divide: %s", set[j].name, set[j].value, size,
                             cell.reason.text));
        b->partly = true;
        break;
    }
    take(b, was);
    b->out->inputs = *first;
}

// Branches that the invented numbers led nowhere: numbers that they are compared with are tried one by one, those that
// reach something new are asked in a round of their own.
static void other_ways(struct table *b, uint32_t size)
{
    enum { ROUNDS = 3 };
    struct por_answer *out = b->out;
    uint32_t n = 0, uneven = 0, missing = 0;
    const struct por_inputs first = out->inputs;
    struct spv_case *c = ARENA_NEW(b->w.a, struct spv_case), *was = ARENA_NEW(b->w.a, struct spv_case);
    *was = b->c[MAXIMAL];
    for (uint32_t k = 0; k < b->w.m->block_count; k++)
        missing += !b->reached[k] && first_that_counts(b->w.m, k);
    if (!first.invented || b->given->fill == POR_ZERO)
        return;
    const struct por_set *set = por_branch_values(b->w.a, b->bare, b->w.m, &n, &uneven);
    n -= uneven;
    partly(b, size, &first, set + n, uneven);
    for (uint32_t round = 0; round < ROUNDS && missing; round++) {
        uint32_t most = 0, best = 0;
        struct por_shape shape = first.shape;
        shape.sets = 1;
        for (uint32_t k = 0; k < n && b->spent < SPEND; k++) {
            shape.set[0] = set[k];
            const uint32_t more = news(b, size, &shape, c);
            if (more > most)
                most = more, best = k;
        }
        b->spent += b->one_run * RUNS_OF_A_ROUND * out->sizes;
        if (!most || b->spent > SPEND)
            break;
        shape.set[0] = set[best];
        news(b, size, &shape, c);
        b->with = arena_printf(b->w.a, "%s = %u", set[best].name, set[best].value);
        for (uint32_t s = 0; s < out->sizes; s++) {
            struct ran x;
            one_size(b, &b->here, s, &x);
        }
        text_more(b, &first, b->with);
        missing -= most < missing ? most : missing;
    }
    const char *said = out->inputs.said;
    out->inputs = first;
    if (b->with[0])
        out->inputs.said = said;
    take(b, was);
}

void por_ask(struct arena *a, const struct spv_case *c, bool own, const struct por_given *given,
             const uint32_t *size, uint32_t sizes, struct por_answer *out)
{
    struct table *b = ARENA_NEW(a, struct table);
    struct err e;
    *out = (struct por_answer){.sizes = sizes, .inputs = {.said = ""}};
    memcpy(out->size, size, sizes * sizeof *size);
    b->out = out;
    b->w = (struct por_asker){.a = a, .m = &out->m, .c = c, .inputs = &out->inputs};
    if (!spv_module_read(a, c->words, c->count, &out->m, &e)) {
        all_unknown(out, arena_str(a, e.msg));
        return;
    }
    b->bare = c, b->own = own, b->given = given, b->with = b->more = "";
    b->reached = ARENA_ARRAY(a, uint32_t, out->m.block_count);
    const uint32_t middle = sizes > 3 ? 3 : sizes - 1;
    const bool filled = shapes(b, size[middle], &e);
    if (!filled || !b->p[MAXIMAL]) {
        all_unknown(out, filled ? orc_why_line(a, &b->refused[MAXIMAL]) : arena_str(a, e.msg));
        if (filled) {
            struct por_reason why = {.text = "", .fix = ""};
            const uint32_t at = ended_at(b, &b->refused[MAXIMAL]);
            why.at = por_place(a, b->w.m, at);
            por_reason_refused(&b->w, &b->refused[MAXIMAL], at, &why);
            for (uint32_t k = 0; k < POR_MODELS; k++)
                for (uint32_t s = 0; s < sizes; s++)
                    out->cell[k][s].reason = why;
        }
    } else {
        struct ran first = {.r = {.why = {.status = ORC_UNSUPPORTED}}}, x;
        bool sizes_differ = false, relaxed = false;
        for (uint32_t k = 0; k < out->m.inst_count && out->m.insts[k].op != SpvOpFunction; k++)
            relaxed |= out->m.insts[k].op == SpvOpDecorate && out->m.insts[k].v[1] == SpvDecorationRelaxedPrecision;
        for (uint32_t s = 0; s < sizes; s++) {
            uint32_t buffer, word;
            one_size(b, first.r.why.status == ORC_OK ? &b->here : &b->keep, s, &x);
            const bool fine = x.r.why.status == ORC_OK && out->cell[MAXIMAL][s].status == POR_PORTABLE;
            if (fine && first.r.why.status == ORC_OK && !sizes_differ && differ(&first, &x, false, &buffer, &word)) {
                sizes_differ = out->by_size = true;
                note(b, arena_printf(a, "%s depends on the subgroup size: it differs at %u lanes",
                                     por_word_said(&b->w, buffer, word), out->size[s]));
            }
            b->one_run = x.r.stats.lane_steps;
            if (fine && s == middle)
                mapping(b, out->size[s], &x);
            if (fine && s == middle && relaxed)
                precision(b, out->size[s], &x);
            if (fine && first.r.why.status != ORC_OK)
                first = x;
        }
        other_ways(b, size[middle]);
        lost_decoration(b);
        aliases(b);
        unreached(b);
        for (uint32_t k = 0; b->partly && k < POR_MODELS; k++)
            for (uint32_t s = 0; s < sizes; s++)
                out->cell[k][s].tried = true;
    }
    out->worst = POR_PORTABLE;
    for (uint32_t k = 0; k < POR_MODELS; k++)
        for (uint32_t s = 0; s < sizes; s++)
            out->worst = out->cell[k][s].status > out->worst ? out->cell[k][s].status : out->worst;
    out->c = b->c[MAXIMAL];
    out->c.model = por_declared(out) == MAXIMAL ? SPV_MAXIMAL : SPV_ASSUMED_MAXIMAL;
    struct arena *all[] = {&b->load, &b->scratch, &b->keep, &b->here, &b->now};
    for (size_t k = 0; k < sizeof all / sizeof *all; k++)
        arena_free(all[k]);
}
