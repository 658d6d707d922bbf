// SPDX-License-Identifier: Apache-2.0
//
// Notes below the table: code that was not reached, and other things that a result depends on.
#include "ask.h"

#include "spirv/spirv_flow.h"
#include "spirv/spirv_groups.h"

#include <string.h>

// True for the operations that verdicts are about: group operations, atomics and barriers.
static bool counts(const struct spv_inst *s)
{
    return spv_group_find(s->op) || spv_op_class(s->op) == SPV_CLASS_ATOMIC ||
           s->op == SpvOpControlBarrier;
}

uint32_t por_first_that_counts(const struct spv_module *m, uint32_t block)
{
    for (uint32_t i = m->blocks[block].first; i <= m->blocks[block].last; i++)
        if (counts(&m->insts[i]))
            return i;
    return 0;
}

// Records which blocks ran at size s. Notes loops that may wait for other invocations, and branches
// that depend on rounding.
void por_coverage(struct por_table *b, uint32_t s, const struct orc_trace *t)
{
    for (uint32_t k = 0; t->ran && k < b->w.m->block_count; k++) {
        uint32_t loop = 0;
        const uint32_t at = t->ran[k] && !b->reached[k] ? por_waits(&b->w, k, &loop) : 0;
        b->reached[k] |= t->ran[k] ? 1u << s : 0;
        b->waits |= at != 0;
        if (at)
            por_note(
                b, arena_printf(
                       b->w.a,
                       "the loop at line %u ends when %s reads a value that another invocation "
                       "writes: Vulkan "
                       "does not promise that the other one makes progress, even if it has started",
                       por_line_near(&b->w, loop), por_inst_text(&b->w, at)));
    }
    por_saw_outside(b, t);
    por_updated(b, t);
    if (t->branches[ORC_ORIGIN_ROUNDED])
        por_note(b, arena_printf(
                        b->w.a,
                        "%s depends on a rounded float (%s): on a device that rounds differently, "
                        "invocations may take another path",
                        por_inst_text(&b->w, t->branches[ORC_ORIGIN_ROUNDED]),
                        por_inst_text(&b->w, t->branch_origin[ORC_ORIGIN_ROUNDED].inst)));
}

// True if an operation that did not run cannot make a difference under model k, whatever the inputs
// are: all invocations that the model asks for execute it together, or it is an atomic whose order
// does not matter.
static bool is_decided(const struct por_table *b, uint32_t inst, uint32_t k)
{
    const struct spv_module *m = b->w.m;
    const struct spv_inst *s = &m->insts[inst];
    const uint32_t block = spv_block_at(m, inst);
    const uint8_t level = block == UINT32_MAX ? POR_DIFFER : b->w.uniform->block[block];
    if (spv_op_class(s->op) == SPV_CLASS_ATOMIC)
        return !por_order_counts(m, inst);
    const struct spv_group_op *g = spv_group_find(s->op);
    const bool reads_others =
        g && (g->klass == SPV_GROUP_SHUFFLE || g->klass == SPV_GROUP_QUAD ||
              g->klass == SPV_GROUP_BROADCAST || g->klass == SPV_GROUP_DERIVATIVE);
    return level == POR_SAME || (g && level == POR_GROUPS && k > 0) ||
           (g && k == POR_MAXIMAL && !reads_others);
}

// True if some operation of the block that counts is not decided under model k. *at: the first.
static bool is_open(const struct por_table *b, uint32_t block, uint32_t k, uint32_t *at)
{
    for (uint32_t i = b->w.m->blocks[block].first; i <= b->w.m->blocks[block].last; i++)
        if (counts(&b->w.m->insts[i]) && !is_decided(b, i, k)) {
            *at = i;
            return true;
        }
    return false;
}

// Why a block may be executed by a part where no branch is the reason: the callers of its function,
// or a call before it that invocations may leave at different times.
static const char *why_called(struct por_table *b, uint32_t inst)
{
    const struct spv_module *m = b->w.m;
    const uint32_t f = spv_function_at(m, inst);
    uint32_t call = 0;
    for (uint32_t k = 0; f != UINT32_MAX && k < m->inst_count; k++) {
        if (m->insts[k].op != SpvOpFunctionCall)
            continue;
        if (m->insts[k].v[0] == m->functions[f].id)
            return ": its function may be called by a part of a subgroup";
        for (uint32_t g = 0; g < m->function_count && (k < inst || !call); g++)
            if (m->functions[g].id == m->insts[k].v[0] && b->w.uniform->ragged[g] &&
                spv_function_at(m, k) == f)
                call = k; // the last one before it; a later one may precede it in a loop
    }
    const uint32_t line = call ? por_line_near(&b->w, call) : 0;
    return call ? arena_printf(b->w.a,
                               ": invocations may leave %s at different times, because it returns "
                               "in several places",
                               line ? arena_printf(b->w.a, "the call in line %u", line)
                                    : por_inst_text(&b->w, call))
                : "";
}

// Why a block may be executed by a part: ", because the branch in line 7 differs: it depends on X".
static const char *why_open(struct por_table *b, uint32_t inst)
{
    const struct spv_module *m = b->w.m;
    const struct por_uniform *u = b->w.uniform;
    const uint32_t block = spv_block_at(m, inst), branch = u->branch[block];
    if (u->block[block] == POR_SAME)
        return "";
    if (!branch)
        return why_called(b, inst);
    const uint32_t source = por_source(u, m->insts[branch].v[0]);
    const struct spv_inst *d = spv_def(m, source);
    const char *what = !d ? ""
                       : d->op == SpvOpVariable || spv_name(m, source)
                           ? por_name(b->w.a, m, source)
                           : por_inst_text(&b->w, m->def[source]);
    return arena_printf(b->w.a, ": %s may differ between invocations, because it depends on %s",
                        por_inst_text(&b->w, branch), what);
}

// "the subgroupAdd in line 7", or one of its copies if another one was reached: a compiler may copy
// a function into each call.
static const char *copy_text(struct por_table *b, uint32_t inst)
{
    const struct spv_module *m = b->w.m;
    const struct por_place at = por_place(b->w.a, m, inst);
    const char *text = por_inst_text(&b->w, inst);
    for (uint32_t k = 0; at.line && k < m->block_count; k++)
        for (uint32_t i = m->blocks[k].first; b->reached[k] && i <= m->blocks[k].last; i++) {
            if (m->insts[i].op != m->insts[inst].op)
                continue;
            const struct por_place other = por_place(b->w.a, m, i);
            if (other.line == at.line && strcmp(other.file, at.file) == 0)
                return arena_printf(b->w.a, "one of several instances of %s", text);
        }
    return text;
}

// Turns cells that show no problem into "not reached" where an operation that may differ was
// reached at no size. Notes such operations, and those that were not reached at every size.
void por_unreached(struct por_table *b)
{
    enum { MOST = 3 };
    struct por_answer *out = b->out;
    uint32_t count = 0, line = 0, open = 0, decided = 0;
    out->blocks = out->blocks_ran = out->blocks_decided = 0;
    for (uint32_t k = 0; k < b->w.m->block_count; k++) {
        const uint32_t row = por_declared(out);
        uint32_t at = por_first_that_counts(b->w.m, k), first = at;
        const bool real = b->w.m->insts[b->w.m->blocks[k].last].op != SpvOpUnreachable,
                   is_left = !b->reached[k] && at && real && !por_excluded(b, k);
        out->blocks += real;
        out->blocks_ran += real && b->reached[k] != 0;
        const bool mine = is_left && is_open(b, k, row, &first);
        out->blocks_decided += real && !mine;
        for (uint32_t j = 0; is_left && j < POR_MODELS; j++)
            for (uint32_t s = 0; is_open(b, k, j, &first) && s < out->sizes; s++)
                if (out->cell[j][s].status <= POR_LETTER)
                    out->cell[j][s] = (struct por_cell){
                        .status = POR_UNREACHED,
                        .reason = {.text = arena_printf(b->w.a, "no input reached %s%s.",
                                                        copy_text(b, first), why_open(b, first)),
                                   .fix = "provide inputs that reach it, with --data or --set",
                                   .at = por_place(b->w.a, b->w.m, first)}};
        if (!at || !real || b->reached[k] == (1u << out->sizes) - 1 || (!b->reached[k] && !is_left))
            continue;
        if (is_left && !mine) {
            decided++;
            continue;
        }
        open += is_left;
        for (uint32_t s = 0; s < out->sizes; s++)
            for (uint32_t j = 0; j < POR_MODELS && !(b->reached[k] >> s & 1); j++)
                out->cell[j][s].tried |= POR_TRIED_RUN;
        const struct por_place place = por_place(b->w.a, b->w.m, at);
        if (count++ >= MOST || (place.line && place.line == line))
            continue;
        line = place.line;
        struct text sizes = {.arena = b->w.a};
        for (uint32_t s = 0; s < out->sizes && b->reached[k]; s++)
            if (!(b->reached[k] >> s & 1))
                text_add(&sizes, "%s%u", sizes.n ? ", " : "", out->size[s]);
        por_note(b, b->reached[k]
                        ? arena_printf(b->w.a, "%s is not reached at %s lanes: is that intended?",
                                       por_inst_text(&b->w, at), sizes.v)
                        : arena_printf(b->w.a, "%s was never reached with these inputs%s",
                                       copy_text(b, first), why_open(b, first)));
    }
    if (count > MOST)
        por_note(b, arena_printf(
                        b->w.a,
                        "%u more blocks with such operations were not reached, or not at all sizes",
                        count - MOST));
    if (decided)
        por_note(b, arena_printf(b->w.a,
                                 "%u blocks with such operations were not reached and cannot "
                                 "differ: by all paths to them, all invocations reconverge, or "
                                 "they are atomics whose order does not matter",
                                 decided));
}

// A race between workgroups whose number is invented, if the verdict is about one workgroup.
void por_several(struct por_table *b)
{
    if (!b->w.several || b->out->inputs.groups)
        return;
    por_note(b, arena_printf(b->w.a, "with more than one workgroup, not known: %s", b->w.several));
    for (uint32_t k = 0; k < POR_MODELS * b->out->sizes; k++)
        b->out->cell[k % POR_MODELS][k / POR_MODELS].tried |= POR_TRIED_NOTED;
}

// A remainder of a negative number is undefined in Vulkan. Notes one that other inputs may lead to.
void por_remainders(struct por_table *b)
{
    const struct spv_module *m = b->w.m;
    for (uint32_t k = 0; b->out->inputs.invented && k < m->inst_count; k++) {
        const uint32_t block = m->insts[k].op == SpvOpSMod || m->insts[k].op == SpvOpSRem
                                   ? spv_block_at(m, k)
                                   : UINT32_MAX;
        if (block == UINT32_MAX || !b->reached[block] || !por_may_be_negative(&b->w, k))
            continue;
        por_note(b, arena_printf(b->w.a,
                                 "%s has no result for a negative number, which other inputs may "
                                 "lead to: compute with uint, or add before it",
                                 por_inst_text(&b->w, k)));
        for (uint32_t i = 0; i < POR_MODELS * b->out->sizes; i++)
            b->out->cell[i % POR_MODELS][i / POR_MODELS].tried |= POR_TRIED_NOTED;
        return;
    }
}

static bool is_decorated(const struct spv_module *m, uint32_t id, uint32_t decoration)
{
    for (uint32_t k = 0; k < m->inst_count && m->insts[k].op != SpvOpFunction; k++)
        if (m->insts[k].op == SpvOpDecorate && m->insts[k].v[0] == id &&
            m->insts[k].v[1] == decoration)
            return true;
    return false;
}

// True if a store or atomic writes through a variable.
static bool is_written(const struct spv_module *m, uint32_t variable)
{
    for (uint32_t k = 0; k < m->inst_count; k++) {
        const struct spv_inst *s = &m->insts[k];
        if ((s->op == SpvOpStore ||
             (spv_op_class(s->op) == SPV_CLASS_ATOMIC && s->op != SpvOpAtomicLoad)) &&
            por_root(m, s->v[0]) == variable)
            return true;
    }
    return false;
}

// Notes two buffer variables on one binding, one of them written, that are not both decorated
// Aliased: then SPIR-V (2.18.2) lets a compiler treat them as two memories.
void por_aliases(struct por_table *b)
{
    const struct spv_module *m = b->w.m;
    uint32_t v[64], n = 0;
    for (uint32_t k = 0; k < m->inst_count && m->insts[k].op != SpvOpFunction && n < 64; k++)
        if (m->insts[k].op == SpvOpVariable &&
            (m->insts[k].v[0] == SpvStorageClassStorageBuffer ||
             m->insts[k].v[0] == SpvStorageClassUniform) &&
            por_decoration(m, m->insts[k].result, UINT32_MAX, SpvDecorationBinding) != UINT32_MAX)
            v[n++] = m->insts[k].result;
    for (uint32_t k = 0; k < n; k++)
        for (uint32_t j = 0; j < k; j++)
            if (por_decoration(m, v[k], UINT32_MAX, SpvDecorationBinding) ==
                    por_decoration(m, v[j], UINT32_MAX, SpvDecorationBinding) &&
                por_decoration(m, v[k], UINT32_MAX, SpvDecorationDescriptorSet) ==
                    por_decoration(m, v[j], UINT32_MAX, SpvDecorationDescriptorSet) &&
                (is_written(m, v[k]) || is_written(m, v[j])) &&
                !(is_decorated(m, v[k], SpvDecorationAliased) &&
                  is_decorated(m, v[j], SpvDecorationAliased))) {
                por_note(b, arena_printf(
                                b->w.a,
                                "%s and %s are the same buffer, which is written, and are not both "
                                "decorated Aliased: a compiler may treat them as two buffers, "
                                "and move a load from one across a store to the other",
                                por_name(b->w.a, m, v[j]), por_name(b->w.a, m, v[k])));
                for (uint32_t i = 0; i < POR_MODELS * b->out->sizes; i++)
                    b->out->cell[i % POR_MODELS][i / POR_MODELS].tried |= POR_TRIED_NOTED;
            }
}

// Notes an access whose index is decorated NonUniform but whose pointer is not (R10).
void por_lost_decoration(struct por_table *b)
{
    const struct spv_module *m = b->w.m;
    for (uint32_t k = 0; k < m->inst_count; k++) {
        const struct spv_inst *s = &m->insts[k], *chain;
        if (!s->n ||
            (s->op != SpvOpLoad && s->op != SpvOpStore && spv_op_class(s->op) != SPV_CLASS_ATOMIC))
            continue;
        chain = spv_def(m, s->v[0]);
        for (uint32_t j = 1; chain && chain->op == SpvOpAccessChain && j < chain->n; j++)
            if (is_decorated(m, chain->v[j], SpvDecorationNonUniform) &&
                !is_decorated(m, s->v[0], SpvDecorationNonUniform)) {
                por_note(b,
                         arena_printf(b->w.a,
                                      "the compiler decorated an index of %s NonUniform, but not "
                                      "its pointer, where Vulkan requires it: try a newer compiler",
                                      por_inst_text(&b->w, k)));
                return;
            }
    }
}

// RelaxedPrecision lets a device compute in 16 bits. Notes whether that changes the result.
void por_precision(struct por_table *b, uint32_t size, const struct por_ran *first)
{
    struct por_ran other;
    uint32_t buffer, word;
    por_run(b, &b->now, POR_MAXIMAL, size,
            &(struct orc_options){.any_policy = true, .relaxed = true}, &other);
    if (other.r.why.status != RAN_OK)
        por_note(
            b, arena_printf(
                   b->w.a,
                   "in 16 bits, as RelaxedPrecision (mediump) allows, the run ends differently: %s",
                   orc_why_line(b->w.a, &other.r.why)));
    else if (por_differ(b, first, &other, true, &buffer, &word))
        por_note(b, arena_printf(b->w.a,
                                 "%s depends on the precision, which RelaxedPrecision (mediump) "
                                 "leaves open: %#x in 32 bits, %#x in 16",
                                 por_word_text(&b->w, buffer, word),
                                 first->r.memory[buffer].words[word],
                                 other.r.memory[buffer].words[word]));
}

// Notes a shader that assumes that invocation i is lane i % size. Devices may use another mapping.
void por_mapping(struct por_table *b, uint32_t size, const struct por_ran *first)
{
    uint32_t local[3], buffer, word;
    struct err e;
    if (!spv_local_size(&b->c[POR_MAXIMAL], b->w.m, local, &e))
        return;
    const uint32_t n = local[0] * local[1] * local[2], groups = b->c[POR_MAXIMAL].groups[0] *
                                                                b->c[POR_MAXIMAL].groups[1] *
                                                                b->c[POR_MAXIMAL].groups[2];
    if (n % size || (uint64_t)n * groups > 65536)
        return;
    uint32_t *subgroup = ARENA_ARRAY(b->w.a, uint32_t, (size_t)n *groups),
             *lane = ARENA_ARRAY(b->w.a, uint32_t, (size_t)n *groups);
    for (uint32_t k = 0; k < n * groups; k++) {
        subgroup[k] = k % n / size;
        lane[k] = size - 1 - k % n % size;
    }
    const struct orc_lanes lanes = {.invocations = n * groups, .subgroup = subgroup, .lane = lane};
    struct por_ran other;
    por_run(b, &b->now, POR_MAXIMAL, size,
            &(struct orc_options){.any_policy = true, .lanes = &lanes}, &other);
    if (other.r.why.status == RAN_OK && por_differ(b, first, &other, false, &buffer, &word))
        por_note(
            b,
            arena_printf(
                b->w.a,
                "%s changes if a device numbers the lanes of a subgroup differently (backwards, "
                "at %u lanes): only Vulkan's built-ins define the mapping of invocations to lanes",
                por_word_text(&b->w, buffer, word), size));
}
