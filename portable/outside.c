// SPDX-License-Identifier: Apache-2.0
//
// Reads outside of images and texel buffers. A feature that all devices have defines them; without
// it they are undefined. So they are a fault by the letter, where it is certain that they happen:
//
//   the sizes are given      each read outside
//   a size is invented       a negative coordinate, which lies outside of every size: if inputs
//                            decide neither it nor which invocations read, or if ordinary numbers
//                            show it, and not with one value of a constant only; else a note
#include "ask.h"

#include "spirv/spirv_flow.h"

static void saw_below(struct por_table *b, const struct orc_trace *t, bool varied)
{
    for (uint32_t k = 0; k < t->belows; k++) {
        uint32_t j = 0;
        while (j < b->belows && b->below[j].inst != t->below[k])
            j++;
        if (j == ORC_BELOWS)
            continue;
        if (j == b->belows)
            b->below[b->belows++] = (struct por_below){.inst = t->below[k]};
        b->below[j].varied += varied;
    }
}

void por_saw_outside(struct por_table *b, const struct orc_trace *t)
{
    b->outside = b->outside ? b->outside : t->outside;
    saw_below(b, t, false);
}

void por_varied_outside(struct por_table *b, const struct orc_trace *t)
{
    saw_below(b, t, true);
}

// Other values of specialisation constants that the host may set: those of branches, and single
// bits that the module tests.
static uint32_t other_constants(struct por_table *b, struct por_set *out, uint32_t most)
{
    const struct spv_module *m = b->w.m;
    uint32_t all, uneven, n = 0;
    const struct por_set *set = por_branch_values(b->w.a, b->bare, m, &all, &uneven);
    for (uint32_t k = 0; k < m->inst_count; k++) {
        const struct spv_inst *s = &m->insts[k];
        const bool masks = s->op == SpvOpSpecConstantOp && s->n == 3 && s->v[0] == SpvOpBitwiseAnd;
        for (uint32_t j = 1; masks && j < 3 && n < most; j++) {
            const uint32_t spec = por_free_constant(m, b->bare, s->v[j]);
            const struct spv_inst *mask = spv_def(m, s->v[3 - j]);
            if (spec != UINT32_MAX && mask && mask->op == SpvOpConstant)
                out[n++] =
                    (struct por_set){.byte = spec, .spec = true, .name = "", .value = mask->v[0]};
        }
    }
    for (uint32_t k = 0; k < all - uneven && n < most; k++)
        if (set[k].spec)
            out[n++] = set[k];
    return n;
}

// True if the read is not at a negative coordinate with another value of a specialisation constant.
static bool by_constant(struct por_table *b, uint32_t size, uint32_t inst)
{
    enum { RUNS = 12 };
    const struct por_inputs first = b->out->inputs;
    struct spv_case *c = ARENA_NEW(b->w.a, struct spv_case),
                    *was = ARENA_NEW(b->w.a, struct spv_case);
    struct por_set set[RUNS];
    const uint32_t n = other_constants(b, set, RUNS);
    bool differs = false;
    *was = b->c[POR_MAXIMAL];
    for (uint32_t k = 0; k < n && !differs && first.shape.sets < POR_SETS; k++) {
        struct por_shape shape = first.shape;
        struct por_ran x;
        struct err e;
        shape.set[shape.sets++] = set[k];
        if (!por_fill_shape(b, &b->inputs, &shape, c, &e))
            break;
        por_take(b, c);
        por_run(b, &b->now, POR_MAXIMAL, size, &(struct orc_options){.any_policy = true}, &x);
        differs = x.t.ran && x.t.ran[spv_block_at(b->w.m, inst)];
        for (uint32_t j = 0; j < x.t.belows; j++)
            differs &= x.t.below[j] != inst;
    }
    if (n)
        por_take(b, was);
    b->out->inputs = first;
    return differs;
}

// True if no invented number can keep the coordinate from being negative.
static bool is_sure(struct por_table *b, uint32_t size, const struct por_below *x, bool varies)
{
    const uint32_t inst[2] = {x->inst, x->inst};
    const bool sure =
        por_from_inputs(&b->w, x->inst)
            ? por_places_of(&b->w, inst) != POR_BY_ARRAYS && x->varied >= POR_ORDINARY
            : !varies || !por_divided_by_inputs(&b->w, x->inst) || x->varied >= POR_SHOWN;
    return sure && !by_constant(b, size, x->inst);
}

// The OpTypeImage that an instruction reads from; NULL: unknown. *variable: where it comes from.
static const struct spv_inst *image_of(const struct spv_module *m, uint32_t inst,
                                       uint32_t *variable)
{
    const struct spv_inst *d = spv_def(m, m->insts[inst].v[0]), *t;
    for (int depth = 0; d && depth < 4 && d->n && (d->op == SpvOpImage || d->op == SpvOpCopyObject);
         depth++)
        d = spv_def(m, d->v[0]);
    t = d ? spv_def(m, d->type) : NULL;
    *variable = d && d->op == SpvOpLoad ? por_root(m, d->v[0]) : 0;
    t = t && t->op == SpvOpTypeSampledImage ? spv_def(m, t->v[0]) : t;
    return t && t->op == SpvOpTypeImage ? t : NULL;
}

void por_outside(struct por_table *b, uint32_t size)
{
    struct por_answer *out = b->out;
    struct arena *a = b->w.a;
    uint32_t at = b->outside, variable, numbers;
    bool below = false, perhaps = false;
    por_numbers(a, b->w.m, &numbers);
    for (uint32_t k = 0; k < b->belows && !below; k++)
        if (!out->inputs.invented || is_sure(b, size, &b->below[k], numbers != 0))
            at = b->below[k].inst, below = true;
    for (uint32_t k = 0; k < b->belows; k++)
        perhaps |= b->below[k].inst == at;
    if (!at)
        return;
    const struct spv_inst *type = image_of(b->w.m, at, &variable);
    const bool texels = type && type->v[1] == SpvDimBuffer,
               invented = out->inputs.invented && !(variable && por_is_given(&b->w, variable));
    const char *text = arena_printf(
        a, "%s reads outside of its %s%s: that is %s, and undefined otherwise",
        por_inst_text(&b->w, at), texels ? "texel buffer" : "image",
        below      ? ", at a negative coordinate, which no size has"
        : perhaps  ? ", at a negative coordinate, to which invented inputs lead"
        : invented ? ", whose size was invented"
                   : "",
        texels ? "zero, or another value of the buffer's memory, where the feature "
                 "robustBufferAccess is enabled (every device has it)"
               : "zero where the feature robustImageAccess is enabled (every device of Vulkan 1.3 "
                 "has it)");
    bool in_table = false;
    for (uint32_t k = 0; k < POR_MODELS; k++)
        for (uint32_t s = 0; s < out->sizes; s++) {
            out->cell[k][s].tried |= POR_TRIED_NOTED;
            if ((invented && !below) || out->cell[k][s].status != POR_PORTABLE)
                continue;
            in_table = true;
            out->cell[k][s].status = POR_LETTER;
            out->cell[k][s].reason = (struct por_reason){
                .rule = "E-bounds",
                .text = arena_printf(a, "%s.", text),
                .fix = texels ? "enable robustBufferAccess, or test the index"
                              : "enable robustImageAccess, or test the coordinates",
                .at = por_place(a, b->w.m, at)};
        }
    if (!in_table)
        por_note(b, text);
}
