// SPDX-License-Identifier: Apache-2.0
//
// Reads the code that ACO prints after its stages into a program of the same machine:
//    BB1
//    /* logical preds: BB0, BB6, / linear preds: BB0, BB6, / kind: loop-header, branch, */
//            s1: %13:s[5] = p_linear_phi 0, %18:s[5]
// After register allocation it is machine code with copies of several registers at once. The copies
// for phis are made where a block before them ends. After instruction selection nothing writes exec
// yet, and each lane follows the blocks' logical edges: aco_run.c.
#include "aco_reader.h"

enum {
    KIND_UNIFORM = 1,
    KIND_HEADER = 2,
    KIND_EXIT = 4,
    KIND_CONTINUE = 8,
    KIND_BREAK = 16,
    KIND_BRANCH = 32,
    KIND_INVERT = 64,
};

// ---- blocks ----------------------------------------------------------------

static bool take(struct word *t, const char *text)
{
    return text_take(&t->s, &t->n, text);
}

static bool block_number(struct word *t, uint32_t *out)
{
    struct word left = *t;
    size_t n = 0;
    if (!take(&left, "BB"))
        return false;
    while (n < left.n && left.s[n] >= '0' && left.s[n] <= '9')
        n++;
    *t = word_after(left, n);
    return parse_u32(left.s, n, out) && *out < ACO_BLOCKS;
}

// "BB0, BB6, / "
static bool edges_read(struct word *t, uint32_t *out, uint32_t *count)
{
    for (*count = 0; !take(t, "/ ");)
        if (*count == ACO_EDGES || !block_number(t, &out[(*count)++]) || !take(t, ", "))
            return false;
    return true;
}

static bool kinds_read(struct word t, uint32_t *out)
{
    static const struct {
        const char *name;
        uint32_t bit;
    } kinds[] = {
        {"uniform, ", KIND_UNIFORM},    {"top-level, ", 0},         {"loop-preheader, ", 0},
        {"loop-header, ", KIND_HEADER}, {"loop-exit, ", KIND_EXIT}, {"continue, ", KIND_CONTINUE},
        {"break, ", KIND_BREAK},        {"branch, ", KIND_BRANCH},  {"merge, ", 0},
        {"invert, ", KIND_INVERT},
    };
    *out = 0;
    for (bool more = true; more && !word_is(t, "*/");) {
        more = false;
        for (size_t i = 0; i < sizeof kinds / sizeof *kinds; i++)
            if (take(&t, kinds[i].name)) {
                *out |= kinds[i].bit;
                more = true;
            }
    }
    return word_is(t, "*/");
}

static bool edges_line(struct aco_reader *r, struct word t, uint32_t line)
{
    struct aco_text_block *b = &r->block.v[r->block.n - 1];
    const struct word whole = t;
    return (take(&t, "/* logical preds: ") && edges_read(&t, b->logical, &b->logicals) &&
            take(&t, "linear preds: ") && edges_read(&t, b->linear, &b->linears) &&
            take(&t, "kind: ") && kinds_read(t, &b->kind)) ||
           word_refuse(r->why, line, "the edges", whole);
}

static bool line_read(struct aco_reader *r, struct word t, uint32_t number)
{
    uint32_t index;
    while (t.n && (t.s[t.n - 1] == ' ' || t.s[t.n - 1] == '\r'))
        t.n--;
    const bool inside = t.n && *t.s == '\t';
    while (t.n && (*t.s == '\t' || *t.s == ' '))
        t = word_after(t, 1);
    if (!t.n || word_starts(t, "// "))
        return true;
    if (word_starts(t, "ACO shader stage: ")) {
        r->old = !word_starts(t, "ACO shader stage: SW (");
        return true;
    }
    struct word left = t;
    if (!inside && block_number(&left, &index) && !left.n) {
        struct aco_text_block *b = VEC_PUSH(r->a, &r->block);
        *b = (struct aco_text_block){.number = index,
                                     .line = number,
                                     .first = (uint32_t)r->line.n,
                                     .last = (uint32_t)r->line.n,
                                     .logical_end = ACO_NONE};
        return (r->block.n < 2 || r->block.v[r->block.n - 2].number < index) ||
               word_refuse(r->why, number, "the order of block", t);
    }
    if (!r->block.n)
        return word_refuse(r->why, number, "outside of a block", t);
    if (!inside && word_starts(t, "/* logical"))
        return edges_line(r, t, number);
    if (!inside)
        return word_refuse(r->why, number, "outside of a block", t);
    if (!aco_line_read(r, t, number))
        return false;
    struct aco_text_block *b = &r->block.v[r->block.n - 1];
    b->last = (uint32_t)r->line.n;
    if (word_is(r->line.v[r->line.n - 1].op, "p_logical_end"))
        b->logical_end = b->last - 1;
    return true;
}

static uint32_t block_of(const struct aco_reader *r, uint32_t number)
{
    for (uint32_t i = 0; i < r->block.n; i++)
        if (r->block.v[i].number == number)
            return i;
    return ACO_NONE;
}

// Fills the blocks that follow each block, in order, from those that come before.
static bool successors(struct aco_reader *r)
{
    for (uint32_t i = 0; i < r->block.n; i++)
        for (uint32_t k = 0; k < r->block.v[i].logicals + r->block.v[i].linears; k++) {
            struct aco_text_block *b = &r->block.v[i];
            const bool lane = k < b->logicals;
            uint32_t *number = lane ? &b->logical[k] : &b->linear[k - b->logicals];
            const uint32_t from = block_of(r, *number);
            struct aco_text_block *f = from == ACO_NONE ? NULL : &r->block.v[from];
            uint32_t *count = f ? (lane ? &f->lane_succs : &f->succs) : NULL;
            if (!f || *count == 2)
                return isa_refuse(r->why, RAN_UNSUPPORTED, b->line, "the edges of BB%u", b->number);
            (lane ? f->lane_succ : f->succ)[(*count)++] = i;
            *number = from;
        }
    return true;
}

// ---- phis ------------------------------------------------------------------

static bool is_phi(const struct aco_line *l)
{
    return word_is(l->op, "p_phi") || word_is(l->op, "p_linear_phi") ||
           word_is(l->op, "p_boolean_phi");
}

// A mask with a bit per lane. Mesa 22.3 has no operation of its own for it.
static bool is_boolean(const struct aco_reader *r, const struct aco_line *l)
{
    return word_is(l->op, "p_boolean_phi") ||
           (r->old && word_is(l->op, "p_phi") && l->defs && !l->def[0].vector);
}

static bool is_linear(const struct aco_line *l)
{
    return word_is(l->op, "p_linear_phi");
}

// Checks the phis at the start of a block; *end: the line after them.
static bool phis_check(struct aco_reader *r, const struct aco_text_block *b, uint32_t *end)
{
    for (*end = b->first; *end < b->last && is_phi(&r->line.v[*end]); ++*end) {
        const struct aco_line *l = &r->line.v[*end];
        const bool boolean = is_boolean(r, l);
        if (l->defs != 1 || l->srcs != (is_linear(l) ? b->linears : b->logicals) || l->rest.n ||
            ((boolean || !l->def[0].vector) && !r->by_lane && !is_linear(l)) ||
            (boolean && l->def[0].vector) || l->def[0].linear)
            return aco_refuse(r, l, "the form of");
    }
    return true;
}

// Of a phi that is a mask, each active lane changes its own bit.
static void mask_pieces(struct aco_reader *r, const struct aco_line *l, size_t first)
{
    for (size_t n = first; n < r->piece.n && is_boolean(r, l); n++) {
        r->piece.v[n].mask = true;
        r->piece.v[n].word = (uint8_t)(n - first);
    }
}

// Adds the pieces for the k-th block before `b`: from the phis' operands to the phis, or to their
// slots, which follow the phis' own registers.
static bool phi_moves(struct aco_reader *r, const struct aco_text_block *b, uint32_t k, bool linear,
                      struct aco_moves *out)
{
    out->first = (uint32_t)r->piece.n;
    for (uint32_t i = b->first; i < b->last && is_phi(&r->line.v[i]); i++) {
        const struct aco_line *l = &r->line.v[i];
        const size_t first = r->piece.n;
        if (is_linear(l) != linear)
            continue;
        if (!l->defs || k >= l->srcs)
            return aco_refuse(r, l, "the form of");
        if (l->src[k].kind == VALUE_UNDEFINED)
            continue;
        struct aco_value to = l->def[0];
        if (r->by_lane)
            to.id += ACO_TEMPS;
        if (!aco_move(r, l, &to, 0, &l->src[k], 0, to.bytes))
            return false;
        mask_pieces(r, l, first);
    }
    out->count = (uint32_t)r->piece.n - out->first;
    r->most = out->count > r->most ? out->count : r->most;
    return true;
}

static void moves_add(struct aco_reader *r, const struct aco_line *l, struct aco_moves m)
{
    if (m.count)
        aco_moved(r, l, m.first);
}

// The copies for the phis of all blocks that follow `b` by an edge of one kind.
static bool copies_add(struct aco_reader *r, uint32_t b, const struct aco_line *l, bool linear)
{
    const struct aco_text_block *from = &r->block.v[b];
    const uint32_t n = linear ? from->succs : from->lane_succs;
    for (uint32_t s = 0; s < n; s++) {
        const struct aco_text_block *to = &r->block.v[(linear ? from->succ : from->lane_succ)[s]];
        struct aco_moves moves;
        uint32_t k = 0;
        while ((linear ? to->linear : to->logical)[k] != b)
            k++;
        if (!phi_moves(r, to, k, linear, &moves))
            return false;
        if (moves.count && linear && n > 1)
            return aco_refuse(r, l, "phis after a block with two ways out by");
        moves_add(r, l, moves);
    }
    return true;
}

// ---- after register allocation: branches name blocks -----------------------

static bool targets_read(struct aco_reader *r, const struct aco_line *l, uint32_t b, uint32_t *out,
                         uint32_t n)
{
    struct word t = l->rest;
    for (uint32_t i = 0; i < n; i++) {
        uint32_t number;
        if ((i && !take(&t, ", ")) || !block_number(&t, &number))
            return word_refuse(r->why, l->line, "the targets", l->rest);
        out[i] = block_of(r, number);
        bool follows = false;
        for (uint32_t s = 0; s < r->block.v[b].succs; s++)
            follows |= r->block.v[b].succ[s] == out[i];
        if (!follows)
            return word_refuse(r->why, l->line, "the targets", l->rest);
    }
    take(&t, " rarely_taken");
    take(&t, " never_taken");
    return !t.n || word_refuse(r->why, l->line, "the targets", l->rest);
}

static struct amd_operand label(uint32_t block)
{
    return (struct amd_operand){.kind = OPERAND_LABEL, .type = 'x', .value = block};
}

static bool branch_add(struct aco_reader *r, const struct aco_line *l, uint32_t b)
{
    uint32_t to[2];
    if (word_is(l->op, "p_branch")) {
        if (!targets_read(r, l, b, to, 1))
            return false;
        struct amd_inst *in = aco_inst(r, l, AMD_S_BRANCH);
        in->o[in->n++] = label(to[0]);
        return true;
    }
    const bool zero = word_is(l->op, "p_cbranch_z");
    struct amd_operand cond;
    if ((!zero && !word_is(l->op, "p_cbranch_nz")) || l->srcs != 1 || l->src[0].vector)
        return aco_refuse(r, l, "the operation");
    if (!targets_read(r, l, b, to, 2) ||
        !aco_operand(r, l, &l->src[0], l->src[0].bytes == 8 ? 'q' : 'u', &cond))
        return false;
    struct amd_inst *in = aco_inst(r, l, ACO_BRANCH);
    in->n = 3;
    in->o[0] = cond;
    in->o[1] = label(to[!zero]);
    in->o[2] = label(to[zero]);
    return true;
}

// ---- after instruction selection: how a wave leaves a block ----------------

static bool leave_find(struct aco_reader *r, uint32_t b, const struct aco_line *l,
                       struct aco_block *out)
{
    const struct aco_text_block *t = &r->block.v[b];
    const bool conditional = word_is(l->op, "p_cbranch_z");
    const bool two = t->succs == 2;
    if (!conditional && !word_is(l->op, "p_branch"))
        return aco_refuse(r, l, "the operation");
    if (conditional && (!two || l->srcs != 1 || l->src[0].vector))
        return aco_refuse(r, l, "the edges of");
    out->leave = t->kind & KIND_BRANCH     ? LEAVE_BRANCH
                 : conditional             ? LEAVE_UNIFORM
                 : !two                    ? LEAVE_ONE
                 : t->kind & KIND_INVERT   ? LEAVE_INVERT
                 : t->kind & KIND_BREAK    ? LEAVE_BREAK
                 : t->kind & KIND_UNIFORM  ? LEAVE_LOOP
                 : t->kind & KIND_CONTINUE ? LEAVE_CONTINUE
                                           : LEAVE_ONE;
    const bool lanes_two = out->leave == LEAVE_BRANCH;
    const bool in_loop =
        out->leave == LEAVE_BREAK || out->leave == LEAVE_LOOP || out->leave == LEAVE_CONTINUE;
    if ((lanes_two && (!conditional || t->lane_succs != 2)) ||
        (in_loop && (out->header == ACO_NONE || out->exit == ACO_NONE)) ||
        (out->leave == LEAVE_ONE && two) ||
        (conditional && !(t->kind & (KIND_BRANCH | KIND_UNIFORM))))
        return aco_refuse(r, l, "the kind of block before");
    // The first way out of a break leads out of the loop, that of a continue to its header.
    const struct aco_text_block *first = &r->block.v[t->succ[0]];
    const uint32_t goal = out->leave == LEAVE_CONTINUE ? out->header : out->exit;
    if (in_loop && (first->succs != 1 || first->succ[0] != goal ||
                    (out->leave == LEAVE_BREAK && (t->lane_succs != 1 || t->lane_succ[0] != goal))))
        return aco_refuse(r, l, "the edges of");
    const char type = l->srcs && l->src[0].bytes == 8 ? 'q' : 'u';
    return !conditional || aco_operand(r, l, &l->src[0], type, &out->condition);
}

static bool leave_add(struct aco_reader *r, uint32_t b, const struct aco_line *l,
                      struct aco_block *out)
{
    const struct aco_text_block *t = &r->block.v[b];
    if (!leave_find(r, b, l, out))
        return false;
    for (uint32_t s = 0; s < 2; s++) {
        out->logical[s] = s < t->lane_succs ? t->lane_succ[s] : ACO_NONE;
        out->linear[s] = s < t->succs ? t->succ[s] : ACO_NONE;
        for (uint32_t k = 0; out->logical[s] != ACO_NONE; k++)
            if (r->block.v[out->logical[s]].logical[k] == b) {
                if (!phi_moves(r, &r->block.v[out->logical[s]], k, false, &out->phi[s]))
                    return false;
                break;
            }
        for (uint32_t k = 0; out->linear[s] != ACO_NONE; k++)
            if (r->block.v[out->linear[s]].linear[k] == b) {
                if (!phi_moves(r, &r->block.v[out->linear[s]], k, true, &out->linear_phi[s]))
                    return false;
                break;
            }
    }
    struct amd_inst *in = aco_inst(r, l, ACO_LEAVE);
    in->offset = (int32_t)b;
    return true;
}

// Assigns each phi a slot, which the blocks before it fill, and adds the moves from the slots.
static bool arrive_add(struct aco_reader *r, uint32_t b, struct aco_block *out)
{
    const struct aco_text_block *t = &r->block.v[b];
    out->arrive.first = (uint32_t)r->piece.n;
    for (uint32_t i = t->first; i < t->last && is_phi(&r->line.v[i]); i++) {
        const struct aco_line *l = &r->line.v[i];
        struct aco_value slot = l->def[0];
        const size_t first = r->piece.n;
        slot.id += ACO_TEMPS;
        if (!aco_move(r, l, &l->def[0], 0, &slot, 0, slot.bytes))
            return false;
        mask_pieces(r, l, first);
    }
    out->arrive.count = (uint32_t)r->piece.n - out->arrive.first;
    r->most = out->arrive.count > r->most ? out->arrive.count : r->most;
    const struct aco_line at = {.line = t->line};
    struct amd_inst *in = aco_inst(r, &at, ACO_ARRIVE);
    in->offset = (int32_t)b;
    return true;
}

static void slots_new(struct aco_reader *r)
{
    for (size_t i = 0; i < r->line.n; i++) {
        const struct aco_line *l = &r->line.v[i];
        if (!is_phi(l) || l->defs != 1)
            continue;
        struct aco_temp *slot = &r->temp[l->def[0].id + ACO_TEMPS];
        uint32_t *end = l->def[0].vector ? &r->p->vectors : &r->p->scalars;
        *slot = r->temp[l->def[0].id];
        slot->reg = (uint16_t)*end;
        *end += (slot->bytes + 3) / 4;
    }
}

// The innermost loop of each block: from its header to the block before its exit.
static bool loops_find(struct aco_reader *r, struct aco_block *blocks)
{
    uint32_t open[64], depth = 0;
    for (uint32_t b = 0; b < r->block.n; b++) {
        const struct aco_text_block *t = &r->block.v[b];
        if (t->kind & KIND_EXIT) {
            if (!depth)
                return isa_refuse(r->why, RAN_UNSUPPORTED, t->line, "BB%u leaves no loop",
                                  t->number);
            const uint32_t header = open[--depth];
            for (uint32_t i = header; i < b; i++)
                if (blocks[i].header == header)
                    blocks[i].exit = b;
        }
        if (t->kind & KIND_HEADER) {
            if (depth == sizeof open / sizeof *open)
                return isa_refuse(r->why, RAN_UNSUPPORTED, t->line, "more than 64 loops");
            open[depth++] = b;
        }
        blocks[b].header = depth ? open[depth - 1] : ACO_NONE;
        blocks[b].exit = ACO_NONE;
    }
    return true;
}

// ---- programs --------------------------------------------------------------

static bool is_branch(const struct aco_line *l)
{
    return word_starts(l->op, "p_branch") || word_starts(l->op, "p_cbranch");
}

static bool block_add(struct aco_reader *r, uint32_t b, struct aco_block *out)
{
    const struct aco_text_block *t = &r->block.v[b];
    uint32_t i;
    bool ended = false;
    out->start = (uint32_t)r->inst.n;
    out->line = t->line;
    if (!phis_check(r, t, &i) || (r->by_lane && !arrive_add(r, b, out)))
        return false;
    for (; i < t->last; i++) {
        const struct aco_line *l = &r->line.v[i];
        if (ended)
            return aco_refuse(r, l, "after the end of its block:");
        ended = is_branch(l);
        // ACO copies for the phis of lanes before the branch; that of Mesa 22.3, before
        // p_logical_end.
        const bool here = r->old ? i == t->logical_end : ended;
        if (!r->by_lane && here && !copies_add(r, b, l, false))
            return false;
        if (ended && r->by_lane        ? !leave_add(r, b, l, out)
            : ended                    ? !copies_add(r, b, l, true) || !branch_add(r, l, b)
            : word_starts(l->op, "p_") ? !aco_pseudo(r, l)
                                       : !aco_build(r, l))
            return false;
        ended |= word_is(l->op, "s_endpgm");
    }
    return ended || isa_refuse(r->why, RAN_UNSUPPORTED, t->line, "BB%u without a branch at its end",
                               t->number);
}

static void labels_resolve(struct aco_reader *r, const struct aco_block *blocks)
{
    for (size_t i = 0; i < r->inst.n; i++)
        for (uint32_t k = 0; k < r->inst.v[i].n; k++)
            if (r->inst.v[i].o[k].kind == OPERAND_LABEL)
                r->inst.v[i].o[k].value = blocks[r->inst.v[i].o[k].value].start;
}

static bool blocks_add(struct aco_reader *r, struct aco_code *code)
{
    struct aco_block *blocks = ARENA_ARRAY(r->a, struct aco_block, r->block.n);
    if (r->by_lane) {
        slots_new(r);
        if (!loops_find(r, blocks))
            return false;
    }
    for (uint32_t b = 0; b < r->block.n; b++)
        if (!block_add(r, b, &blocks[b]))
            return false;
    labels_resolve(r, blocks);
    code->block = blocks;
    code->blocks = (uint32_t)r->block.n;
    code->by_lane = r->by_lane;
    code->piece = r->piece.v;
    code->most = r->most;
    return true;
}

const struct isa_code *aco_read(struct arena *a, const struct amd_source *s, enum aco_stage stage,
                                enum amd_gen gen, uint32_t wave, struct isa_result *why)
{
    struct aco_reader *r = ARENA_NEW(a, struct aco_reader);
    const char *at = s->ir;
    *why = (struct isa_result){0};
    r->a = a;
    r->why = why;
    r->by_lane = stage == ACO_SELECTED;
    r->temporary = stage != ACO_ALLOCATED;
    r->p = amd_program_new(a, gen, wave, why);
    if (!r->p)
        return NULL;
    r->temp = ARENA_ARRAY(a, struct aco_temp, 2 * ACO_TEMPS);
    r->p->scalars = REG_VIRTUAL;
    uint32_t number = 0;
    for (struct word line; text_line(&at, &line);)
        if (!line_read(r, line, ++number))
            return NULL;
    if (!r->block.n) {
        isa_refuse(why, RAN_INVALID, 0, "no block");
        return NULL;
    }
    struct aco_code *code = ARENA_NEW(a, struct aco_code);
    if (!aco_sizes(r) || !successors(r) || !blocks_add(r, code))
        return NULL;
    r->p->aco = code;
    r->p->inst = r->inst.v;
    r->p->count = (uint32_t)r->inst.n;
    r->p->named = r->p->vectors;
    return amd_arguments_read(r->p, s, why) ? &r->p->code : NULL;
}
