// SPDX-License-Identifier: Apache-2.0
//
// PTX whose masks the program computes: register %m of a lane holds the lanes that are with it, and
// every operation of a group names it. At a branch, the lanes vote which of them take which way; at
// a join, the mask is that of the header again, less the lanes that escaped (ptx_flow.c). Where the
// lanes of several cases or iterations meet by chance, their masks stay different.
//
// Calls are expanded. Parameters: the buffers in the order of print_buffers, then the three numbers
// of workgroups. Variables are registers, so phis and stores are moves.
#include "ptx.h"

#include "print_inner.h"

#include <string.h>

bool ptx_refuse(const struct ptx *p, const struct spv_inst *in, const char *why)
{
    return form_refuse(p->f, in->result,
                       arena_printf(p->f->arena, "%s: %s", spv_op_name(in->op), why), p->e);
}

uint32_t ptx_parts(struct ptx *p, const struct spv_inst *in, uint32_t type, bool *is_bool)
{
    const uint32_t n = form_components(p->f, type, is_bool);
    if (!n)
        ptx_refuse(p, in, "a type that is neither bool nor a 32-bit integer");
    return n;
}

// ---- registers -------------------------------------------------------------------------

static const char *fresh(struct ptx *p, const char *type, const char *prefix)
{
    const char *name = arena_printf(p->f->arena, "%%%s%u", prefix, p->temps++);
    text_add(&p->registers, "  .reg .%s %s;\n", type, name);
    return name;
}

const char *ptx_temp(struct ptx *p)
{
    return fresh(p, "b32", "t");
}

const char *ptx_predicate(struct ptx *p)
{
    return fresh(p, "pred", "p");
}

const char *ptx_wide(struct ptx *p)
{
    return fresh(p, "b64", "d");
}

// The type of what a variable's or value's registers hold.
static uint32_t held(const struct ptx *p, uint32_t id)
{
    const struct spv_inst *d = spv_def(&p->f->m, id);
    return d->op == SpvOpVariable ? spv_def(&p->f->m, d->type)->v[1] : d->type;
}

const char *ptx_register(struct ptx *p, uint32_t id, uint32_t k)
{
    const bool global = p->f->id[id].place == FORM_PRIVATE;
    const uint32_t copy = global ? 0 : p->copy;
    bool is_bool;
    const uint32_t n = form_components(p->f, held(p, id), &is_bool);
    if (!global && !p->declared[id]) {
        for (uint32_t i = 0; i < n; i++)
            text_add(&p->registers, "  .reg .%s %%f%ux%u_%u;\n", is_bool ? "pred" : "b32", copy, id,
                     i);
        p->declared[id] = true;
    }
    return arena_printf(p->f->arena, "%%f%ux%u_%u", copy, id, k);
}

// A constant predicate is a register, since no instruction takes a number for it.
static const char *number(struct ptx *p, bool is_bool, uint32_t n)
{
    return is_bool ? (n ? "%true" : "%false") : arena_printf(p->f->arena, "%u", n);
}

const char *ptx_value(struct ptx *p, uint32_t id, uint32_t k)
{
    const struct spv_inst *d = spv_def(&p->f->m, id);
    uint32_t n;
    bool is_bool;
    form_components(p->f, d->type, &is_bool);
    if (form_constant(p->f, id, &n))
        return number(p, is_bool, n);
    if (d->op == SpvOpConstantComposite)
        return ptx_value(p, d->v[k], 0);
    if (d->op == SpvOpConstantNull || d->op == SpvOpUndef)
        return number(p, is_bool, 0);
    return ptx_register(p, id, k);
}

void ptx_move(struct ptx *p, bool is_bool, const char *to, const char *from)
{
    text_add(p->out, "  mov.%s %s, %s;\n", is_bool ? "pred" : "b32", to, from);
}

// ---- ways ------------------------------------------------------------------------------

static uint32_t label_of(const struct ptx *p, uint32_t b)
{
    return p->f->m.blocks[p->flow->g.first + b].label;
}

// Values of phis, all read before the first is written.
static void phis(struct ptx *p, uint32_t from, uint32_t to)
{
    const struct spv_module *m = &p->f->m;
    const struct spv_block *x = &m->blocks[p->flow->g.first + to];
    const uint32_t source = label_of(p, from);
    VEC(const char *) copy = {0};
    for (int round = 0; round < 2; round++) {
        size_t at = 0;
        for (uint32_t i = x->first + 1; i < x->last; i++) {
            const struct spv_inst *in = &m->insts[i];
            bool is_bool;
            if (in->op != SpvOpPhi)
                continue;
            const uint32_t n = form_components(p->f, in->type, &is_bool);
            for (uint32_t k = 0; k + 1 < in->n; k += 2)
                for (uint32_t c = 0; in->v[k + 1] == source && c < n; c++) {
                    if (round) {
                        ptx_move(p, is_bool, ptx_register(p, in->result, c), copy.v[at++]);
                        continue;
                    }
                    const char *t = is_bool ? ptx_predicate(p) : ptx_temp(p);
                    ptx_move(p, is_bool, t, ptx_value(p, in->v[k], c));
                    *VEC_PUSH(p->f->arena, &copy) = t;
                }
        }
    }
}

static const char *stop_label(const struct ptx *p, struct ptx_stop s)
{
    const struct spv_flow_block *x = &p->flow->g.block[s.header];
    return arena_printf(p->f->arena, "$f%ub%u", p->copy, label_of(p, s.cont ? x->cont : x->merge));
}

// Goes to the block itself, past all joins that the escape leaves out.
static void arrive(struct ptx *p, uint32_t b, uint32_t target)
{
    if (target == SPV_NO_BLOCK) {
        text_add(p->out, p->copy ? "  bra $f%ureturn;\n" : "  exit;\n", p->copy);
        return;
    }
    const struct spv_flow *g = &p->flow->g;
    const uint32_t h = target;
    const bool back = b != SPV_NO_BLOCK && g->block[h].kind == SPV_LOOP &&
                      spv_flow_inside(g, h, b) && g->block[h].merge != target;
    text_add(p->out, "  bra $f%ub%u%s;\n", p->copy, label_of(p, target), back ? "again" : "");
}

static uint32_t escape_id(const struct ptx *p, uint32_t target)
{
    return target == SPV_NO_BLOCK ? UINT32_MAX : label_of(p, target);
}

static void go(struct ptx *p, uint32_t b, uint32_t target)
{
    struct ptx_stop *way = ARENA_ARRAY(p->f->arena, struct ptx_stop, 2 * p->flow->g.n + 1);
    uint32_t n;
    if (target != SPV_NO_BLOCK)
        phis(p, b, target);
    const struct ptx_stop first = ptx_flow_way(p->flow, b, target, way, &n);
    if (!n) {
        arrive(p, b, target);
        return;
    }
    text_add(p->out, "  mov.b32 %%f%uescape, %u;\n  bra %s;\n", p->copy, escape_id(p, target),
             stop_label(p, first));
}

// ---- joins -----------------------------------------------------------------------------

// The mask of lanes that come to the stop: a register of each lane, written at the header.
static const char *coming(const struct ptx *p, struct ptx_stop s)
{
    return arena_printf(p->f->arena, "%%f%u%s%u", p->copy, s.cont ? "c" : "k",
                        label_of(p, s.header));
}

static void join(struct ptx *p, struct ptx_stop s, bool vote)
{
    if (!vote) {
        text_add(p->out, "  mov.b32 %%m, %s;\n", coming(p, s));
        return;
    }
    const char *stays = ptx_predicate(p), *mask = ptx_temp(p);
    const uint32_t in = p->labels++;
    text_add(p->out,
             "  setp.eq.u32 %s, %%f%uescape, 0;\n  vote.sync.ballot.b32 %s, %s, %s;\n"
             "  @%s bra $in%u;\n",
             stays, p->copy, mask, stays, coming(p, s), stays, in);
    for (size_t i = 0; i < p->flow->hops.n; i++) {
        const struct ptx_hop *hop = &p->flow->hops.v[i];
        if (hop->at.header != s.header || hop->at.cont != s.cont)
            continue;
        const char *mine = ptx_predicate(p);
        const uint32_t other = p->labels++;
        text_add(p->out, "  setp.eq.u32 %s, %%f%uescape, %u;\n  @!%s bra $in%u;\n", mine, p->copy,
                 escape_id(p, hop->target), mine, other);
        if (hop->next.header == SPV_NO_BLOCK) {
            text_add(p->out, "  mov.b32 %%f%uescape, 0;\n", p->copy);
            arrive(p, SPV_NO_BLOCK, hop->target);
        } else {
            text_add(p->out, "  bra %s;\n", stop_label(p, hop->next));
        }
        text_add(p->out, "$in%u:\n", other);
    }
    text_add(p->out, "  trap;\n$in%u:\n  mov.b32 %%m, %s;\n", in, mask);
}

// The label of a block, with the mask of the lanes that execute it.
static void enter(struct ptx *p, uint32_t b)
{
    const struct ptx_flow *f = p->flow;
    const struct spv_flow *g = &f->g;
    text_add(p->out, "$f%ub%u:\n", p->copy, label_of(p, b));
    for (uint32_t h = 0; h < g->n; h++) {
        if (!spv_flow_reached(g, h) || g->block[h].kind == SPV_NO_CONSTRUCT)
            continue;
        if (g->block[h].kind == SPV_LOOP && g->block[h].cont == b && f->cont_vote[h])
            join(p, (struct ptx_stop){h, true}, true);
        if (g->block[h].merge == b)
            join(p, (struct ptx_stop){h, false}, f->merge_vote[h]);
    }
    if (g->block[b].kind == SPV_NO_CONSTRUCT)
        return;
    text_add(&p->registers, "  .reg .b32 %%f%uk%u, %%f%uc%u;\n", p->copy, label_of(p, b), p->copy,
             label_of(p, b));
    if (g->block[b].kind == SPV_LOOP)
        text_add(p->out, "  mov.b32 %s, %%m;\n$f%ub%uagain:\n  mov.b32 %s, %%m;\n",
                 coming(p, (struct ptx_stop){b, false}), p->copy, label_of(p, b),
                 coming(p, (struct ptx_stop){b, true}));
}

// ---- terminators -----------------------------------------------------------------------

// Votes which lanes take a way; returns their mask.
static const char *vote(struct ptx *p, const char *predicate)
{
    const char *mask = ptx_temp(p);
    text_add(p->out, "  vote.sync.ballot.b32 %s, %s, %%m;\n", mask, predicate);
    return mask;
}

static bool is_header(const struct ptx *p, uint32_t b)
{
    const enum spv_construct kind = p->flow->g.block[b].kind;
    return kind == SPV_SELECTION || kind == SPV_SWITCH;
}

// At a header: the lanes of each way that may lead to the merge block.
static void expect(struct ptx *p, uint32_t b, const char *const *mask, const uint32_t *way,
                   uint32_t n)
{
    if (!is_header(p, b))
        return;
    const char *to = coming(p, (struct ptx_stop){b, false});
    text_add(p->out, "  mov.b32 %s, 0;\n", to);
    for (uint32_t i = 0; i < n; i++)
        if (p->flow->arm[b][way[i]] != PTX_ESCAPES)
            text_add(p->out, "  or.b32 %s, %s, %s;\n", to, to, mask[i]);
}

// Takes way i if predicate[i] is true, the last one otherwise.
static void split(struct ptx *p, uint32_t b, const char *const *predicate, const char *const *mask,
                  const uint32_t *way, uint32_t n)
{
    expect(p, b, mask, way, n);
    for (uint32_t i = 0; i < n; i++) {
        const uint32_t other = p->labels++;
        if (i + 1 < n)
            text_add(p->out, "  @!%s bra $in%u;\n", predicate[i], other);
        text_add(p->out, "  mov.b32 %%m, %s;\n", mask[i]);
        go(p, b, p->flow->g.block[b].succ[way[i]]);
        if (i + 1 < n)
            text_add(p->out, "$in%u:\n", other);
    }
}

static void conditional(struct ptx *p, uint32_t b, const struct spv_inst *in)
{
    const struct spv_flow_block *x = &p->flow->g.block[b];
    if (x->succ[0] == x->succ[1]) {
        if (is_header(p, b))
            text_add(p->out, "  mov.b32 %s, %%m;\n", coming(p, (struct ptx_stop){b, false}));
        go(p, b, x->succ[0]);
        return;
    }
    const char *condition = ptx_value(p, in->v[0], 0), *rest = ptx_temp(p);
    const char *mask[2] = {vote(p, condition), rest};
    text_add(p->out, "  not.b32 %s, %s;\n  and.b32 %s, %s, %%m;\n", rest, mask[0], rest, rest);
    split(p, b, (const char *const[]){condition, NULL}, mask, (const uint32_t[]){0, 1}, 2);
}

// One vote for each target; the default (successor 0) takes the rest.
static void several(struct ptx *p, uint32_t b, const struct spv_inst *in)
{
    struct arena *a = p->f->arena;
    const struct spv_flow_block *x = &p->flow->g.block[b];
    const uint32_t most = x->succ_count;
    const char **predicate = ARENA_ARRAY(a, const char *, most),
               **mask = ARENA_ARRAY(a, const char *, most);
    uint32_t *way = ARENA_ARRAY(a, uint32_t, most), n = 0;
    const char *rest = ptx_temp(p);
    text_add(p->out, "  mov.b32 %s, %%m;\n", rest);
    for (uint32_t i = 1; i < most; i++) {
        bool earlier = x->succ[i] == x->succ[0];
        for (uint32_t k = 0; k < n; k++)
            earlier |= x->succ[way[k]] == x->succ[i];
        if (earlier)
            continue;
        predicate[n] = ptx_predicate(p);
        text_add(p->out, "  mov.pred %s, %%false;\n", predicate[n]);
        for (uint32_t k = i; k < most; k++)
            if (x->succ[k] == x->succ[i]) {
                const char *is = ptx_predicate(p);
                text_add(p->out, "  setp.eq.u32 %s, %s, %u;\n  or.pred %s, %s, %s;\n", is,
                         ptx_value(p, in->v[0], 0), in->v[2 * k], predicate[n], predicate[n], is);
            }
        const char *left = ptx_temp(p);
        mask[n] = vote(p, predicate[n]);
        text_add(p->out, "  not.b32 %s, %s;\n  and.b32 %s, %s, %s;\n", left, mask[n], rest, rest,
                 left);
        way[n++] = i;
    }
    mask[n] = rest;
    way[n++] = 0;
    split(p, b, predicate, mask, way, n);
}

static bool terminator(struct ptx *p, uint32_t b, const struct spv_inst *in)
{
    const struct spv_flow_block *x = &p->flow->g.block[b];
    bool is_bool;
    switch (in->op) {
    case SpvOpBranch:
        if (is_header(p, b))
            text_add(p->out, "  mov.b32 %s, %%m;\n", coming(p, (struct ptx_stop){b, false}));
        go(p, b, x->succ[0]);
        return true;
    case SpvOpBranchConditional:
        conditional(p, b, in);
        return true;
    case SpvOpSwitch:
        several(p, b, in);
        return true;
    case SpvOpReturnValue:
        for (uint32_t k = 0, n = form_components(p->f, form_type_of(p->f, in->v[0]), &is_bool);
             p->result && k < n; k++)
            ptx_move(p, is_bool,
                     arena_printf(p->f->arena, "%%f%ux%u_%u", p->result_copy, p->result, k),
                     ptx_value(p, in->v[0], k));
        go(p, b, SPV_NO_BLOCK);
        return true;
    case SpvOpReturn:
        go(p, b, SPV_NO_BLOCK);
        return true;
    case SpvOpUnreachable:
        text_add(p->out, "  trap;\n");
        return true;
    default:
        return ptx_refuse(p, in, "a terminator that PTX does not have");
    }
}

// ---- functions -------------------------------------------------------------------------

static bool body(struct ptx *p, const struct spv_function *fn)
{
    const struct spv_module *m = &p->f->m;
    struct ptx_flow *flow = ARENA_NEW(p->f->arena, struct ptx_flow);
    ptx_flow_read(p->f, fn, flow);
    p->flow = flow;
    text_add(&p->registers, "  .reg .b32 %%f%uescape, %%f%um;\n", p->copy, p->copy);
    text_add(p->out, "  mov.b32 %%f%uescape, 0;\n", p->copy);
    for (uint32_t b = 0; b < flow->g.n; b++) {
        if (!spv_flow_reached(&flow->g, b)) {
            const uint32_t h = spv_flow_merges(&flow->g, b);
            if (h != SPV_NO_BLOCK) // no lane comes here
                text_add(p->out, "$f%ub%u:\n  trap;\n", p->copy, label_of(p, b));
            continue;
        }
        const struct spv_block *x = &m->blocks[fn->block_first + b];
        enter(p, b);
        for (uint32_t i = x->first + 1; i < x->last; i++)
            if (!ptx_inst(p, &m->insts[i]))
                return false;
        if (!terminator(p, b, &m->insts[x->last]))
            return false;
    }
    return true;
}

enum { COPIES = 500 };

bool ptx_call(struct ptx *p, const struct spv_inst *in)
{
    const struct spv_module *m = &p->f->m;
    const struct spv_function *fn = NULL;
    struct ptx outer = *p;
    for (uint32_t i = 0; i < m->function_count; i++)
        if (m->functions[i].id == in->v[0])
            fn = &m->functions[i];
    if (!fn || !fn->block_count || p->copies == COPIES)
        return ptx_refuse(p, in, "more calls than can be expanded");
    const bool nothing = spv_def(m, in->type)->op == SpvOpTypeVoid;
    bool is_bool;
    if (!nothing && !ptx_parts(p, in, in->type, &is_bool))
        return false;
    if (!nothing)
        ptx_register(p, in->result, 0);
    VEC(const char *) argument = {0};
    for (uint32_t i = 1; i < in->n; i++) {
        const uint32_t n = ptx_parts(p, in, form_type_of(p->f, in->v[i]), &is_bool);
        if (!n)
            return false;
        for (uint32_t k = 0; k < n; k++)
            *VEC_PUSH(p->f->arena, &argument) = ptx_value(p, in->v[i], k);
    }
    p->result = nothing ? 0 : in->result;
    p->result_copy = p->copy;
    p->copy = ++p->copies;
    p->declared = ARENA_ARRAY(p->f->arena, bool, m->bound);
    size_t at = 0;
    for (uint32_t i = fn->first + 1; m->insts[i].op == SpvOpFunctionParameter; i++) {
        const uint32_t n = ptx_parts(p, &m->insts[i], m->insts[i].type, &is_bool);
        if (!n)
            return false;
        for (uint32_t k = 0; k < n && at < argument.n; k++)
            ptx_move(p, is_bool, ptx_register(p, m->insts[i].result, k), argument.v[at++]);
    }
    const uint32_t copy = p->copy;
    text_add(p->out, "  mov.b32 %%f%um, %%m;\n", copy);
    if (!body(p, fn))
        return false;
    text_add(p->out, "$f%ureturn:\n  mov.b32 %%m, %%f%um;\n", copy, copy);
    p->flow = outer.flow;
    p->copy = outer.copy;
    p->declared = outer.declared;
    p->result = outer.result;
    p->result_copy = outer.result_copy;
    return true;
}

static bool privates(struct ptx *p)
{
    const struct spv_module *m = &p->f->m;
    for (uint32_t i = 0; i < m->inst_count; i++) {
        const struct spv_inst *in = &m->insts[i];
        bool is_bool;
        if (in->op != SpvOpVariable || p->f->id[in->result].place != FORM_PRIVATE)
            continue;
        const uint32_t n = ptx_parts(p, in, held(p, in->result), &is_bool);
        if (!n)
            return false;
        for (uint32_t k = 0; k < n; k++) {
            text_add(&p->registers, "  .reg .%s %%f0x%u_%u;\n", is_bool ? "pred" : "b32",
                     in->result, k);
            ptx_move(p, is_bool, ptx_register(p, in->result, k),
                     in->n > 1 ? ptx_value(p, in->v[1], k) : number(p, is_bool, 0));
        }
    }
    return true;
}

// The mask at the start: all lanes of the warp that were launched.
static void start(struct ptx *p)
{
    const uint32_t *size = p->f->size, all = size[0] * size[1] * size[2];
    text_add(p->out,
             "  setp.eq.u32 %%true, 0, 0;\n  setp.ne.u32 %%false, 0, 0;\n"
             "  mov.u32 %%lane, %%laneid;\n  mov.u32 %%local0, %%tid.x;\n"
             "  mov.u32 %%local1, %%tid.y;\n  mov.u32 %%local2, %%tid.z;\n"
             "  mad.lo.u32 %%flat, %%local2, %u, %%local1;\n"
             "  mad.lo.u32 %%flat, %%flat, %u, %%local0;\n",
             size[1], size[0]);
    if (all < 32)
        text_add(p->out, "  mov.b32 %%m, %u;\n", (1u << all) - 1);
    else
        text_add(p->out, "  mov.b32 %%m, 4294967295;\n");
    if (all > 32 && all % 32)
        text_add(p->out, "  setp.ge.u32 %%last, %%flat, %u;\n  selp.b32 %%m, %u, %%m, %%last;\n",
                 all / 32 * 32, (1u << all % 32) - 1);
}

static bool print(const struct form *f, uint32_t sm, struct text *out, struct err *e)
{
    struct text code = {.arena = f->arena};
    struct ptx p = {.f = f,
                    .registers = {.arena = f->arena},
                    .out = &code,
                    .e = e,
                    .sm = sm,
                    .declared = ARENA_ARRAY(f->arena, bool, f->m.bound)};
    const struct spv_function *main = NULL;
    if (f->subgroup != 32)
        return err_set(e, "subgroups of %u lanes; a warp has 32", f->subgroup);
    for (uint32_t i = 0; i < f->m.function_count; i++)
        if (f->m.functions[i].id == f->entry)
            main = &f->m.functions[i];
    if (!main || !main->block_count)
        return err_set(e, "no entry point");
    start(&p);
    for (size_t i = 0; i < f->buffers.n; i++)
        text_add(&code,
                 "  ld.param.u64 %%buffer%zu, [buffer%zu];\n"
                 "  cvta.to.global.u64 %%buffer%zu, %%buffer%zu;\n",
                 i, i, i, i);
    if (!privates(&p) || !body(&p, main))
        return false;
    text_add(out, ".version 8.0\n.target sm_%u\n.address_size 64\n.visible .entry tf_main(\n", sm);
    for (size_t i = 0; i < f->buffers.n; i++)
        text_add(out, "  .param .u64 buffer%zu,\n", i);
    text_add(out,
             "  .param .u32 groups0, .param .u32 groups1, .param .u32 groups2)\n"
             ".reqntid %u, %u, %u\n{\n  .reg .pred %%true, %%false, %%last;\n"
             "  .reg .b32 %%m, %%lane, %%flat, %%local0, %%local1, %%local2;\n",
             f->size[0], f->size[1], f->size[2]);
    for (size_t i = 0; i < f->buffers.n; i++)
        text_add(out, "  .reg .b64 %%buffer%zu;\n", i);
    text_addn(out, p.registers.v, p.registers.n);
    text_addn(out, code.v, code.n);
    text_add(out, "}\n");
    return true;
}

bool print_ptx(const struct form *f, struct text *out, struct err *e)
{
    return print(f, 80, out, e);
}

bool print_ptx_sm75(const struct form *f, struct text *out, struct err *e)
{
    return print(f, 75, out, e);
}
