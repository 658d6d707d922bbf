// SPDX-License-Identifier: Apache-2.0
//
// Changes to a module: adding and removing instructions; splitting and copying blocks, adding
// blocks on edges, updating phis; finding or creating built-ins.
#include "ir.h"

#include <string.h>

// ---- bodies ---------------------------------------------------------------------

void ir_put(struct ir *m, struct spv_edit_block *b, size_t at, struct spv_node *i)
{
    *VEC_PUSH(m->arena, &b->body) = i;
    for (size_t k = b->body.n - 1; k > at; k--)
        b->body.v[k] = b->body.v[k - 1];
    b->body.v[at] = i;
    i->block = b;
}

void ir_add(struct ir *m, struct spv_edit_block *b, struct spv_node *i)
{
    ir_put(m, b, b->body.n, i);
}

size_t ir_place(const struct spv_edit_block *b, const struct spv_node *i)
{
    size_t k = 0;
    while (k < b->body.n && b->body.v[k] != i)
        k++;
    return k;
}

void ir_take(struct spv_edit_block *b, struct spv_node *i)
{
    size_t at = ir_place(b, i);
    CHECK(at < b->body.n);
    for (size_t k = at; k + 1 < b->body.n; k++)
        b->body.v[k] = b->body.v[k + 1];
    b->body.n--;
}

size_t ir_phis(const struct spv_edit_block *b)
{
    size_t n = 0;
    while (n < b->body.n && b->body.v[n]->op == SpvOpPhi)
        n++;
    return n;
}

// ---- ids ------------------------------------------------------------------------

void ir_rename_in(struct spv_node *i, uint32_t old, uint32_t new_id)
{
    uint32_t *ids[IR_IDS], n = ir_ids(i, ids, IR_IDS);
    for (uint32_t k = 0; k < n; k++)
        if (*ids[k] == old)
            *ids[k] = new_id;
}

void ir_rename(struct ir *m, uint32_t old, uint32_t new_id)
{
    struct ir_uses u = ir_uses(m, old);
    for (size_t k = 0; k < u.n; k++)
        ir_rename_in(u.v[k], old, new_id);
}

// ---- edges ----------------------------------------------------------------------

struct spv_edit_block *ir_new_block(struct ir *m, struct ir_function *f)
{
    struct spv_edit_block *b = ARENA_NEW(m->arena, struct spv_edit_block);
    b->label = spv_edit_id(&m->e);
    b->function = f;
    b->order = NOWHERE;
    *VEC_PUSH(m->arena, &f->blocks) = b;
    return b;
}

void ir_branch(struct ir *m, struct spv_edit_block *b, uint32_t label)
{
    b->end = IR_MAKE(m, SpvOpBranch, 0, 0, label);
}

void ir_retarget(struct ir *m, struct spv_edit_block *b, uint32_t old, uint32_t new_label)
{
    uint32_t *labels[IR_LABELS], n = ir_labels(m, b->end, labels, IR_LABELS);
    for (uint32_t k = 0; k < n; k++)
        if (*labels[k] == old)
            *labels[k] = new_label;
}

void ir_phi_from(struct spv_edit_block *b, uint32_t old, uint32_t new_label)
{
    for (size_t k = 0; k < ir_phis(b); k++)
        for (uint32_t j = 1; j < b->body.v[k]->n; j += 2)
            if (b->body.v[k]->v[j] == old)
                b->body.v[k]->v[j] = new_label;
}

struct spv_edit_block *ir_edge(struct ir *m, struct spv_edit_block *from, struct spv_edit_block *to)
{
    if (from->end->op == SpvOpBranch)
        return from;
    // A condition that breaks or continues needs no merge instruction. With a block on its edge it
    // does: its merge block is a new block on the other edge.
    if (from->merge && from->merge->op == SpvOpLoopMerge) { // move the test out of the header
        struct spv_edit_block *test = ir_new_block(m, from->function);
        test->end = from->end;
        uint32_t *labels[IR_LABELS], n = ir_labels(m, test->end, labels, IR_LABELS);
        for (uint32_t k = 0; k < n; k++)
            ir_phi_from(m->block_of[*labels[k]], from->label, test->label);
        ir_branch(m, from, test->label);
        from = test;
    }
    if (from->end->op == SpvOpBranchConditional && !from->merge) {
        uint32_t other = from->end->v[from->end->v[1] == to->label ? 2 : 1];
        struct spv_edit_block *on = ir_new_block(m, from->function);
        ir_branch(m, on, other);
        ir_retarget(m, from, other, on->label);
        ir_phi_from(m->block_of[other], from->label, on->label);
        from->merge = IR_MAKE(m, SpvOpSelectionMerge, 0, 0, on->label, 0);
    }
    struct spv_edit_block *b = ir_new_block(m, from->function);
    ir_branch(m, b, to->label);
    ir_retarget(m, from, to->label, b->label);
    ir_phi_from(to, from->label, b->label);
    return b;
}

struct spv_edit_block *ir_split(struct ir *m, struct spv_edit_block *b, size_t at)
{
    struct spv_edit_block *rest = ir_new_block(m, b->function);
    CHECK(!b->merge || b->merge->op != SpvOpLoopMerge); // a loop header keeps its merge instruction
    for (size_t k = at; k < b->body.n; k++)
        *VEC_PUSH(m->arena, &rest->body) = b->body.v[k];
    b->body.n = at;
    rest->merge = b->merge;
    rest->end = b->end;
    uint32_t *labels[IR_LABELS], n = ir_labels(m, rest->end, labels, IR_LABELS);
    for (uint32_t k = 0; k < n; k++)
        if (*labels[k] < m->bound && m->block_of[*labels[k]])
            ir_phi_from(m->block_of[*labels[k]], b->label, rest->label);
    b->merge = NULL;
    ir_branch(m, b, rest->label);
    return rest;
}

// ---- copies ---------------------------------------------------------------------

uint32_t *ir_map(struct ir *m)
{
    return ARENA_ARRAY(m->arena, uint32_t, m->e.next_id + 1);
}

static uint32_t mapped(const uint32_t *map, uint32_t bound, uint32_t id)
{
    return id < bound && map[id] ? map[id] : id;
}

// If an index or image is decorated NonUniform, decorates its copy too.
static void copy_nonuniform(struct ir *m, uint32_t id, uint32_t copy)
{
    uint32_t before = SPV_NO_NODE;
    IR_EACH_HEAD(x, m)
    if (x->op == SpvOpDecorate && x->v[0] == id && x->v[1] == SpvDecorationNonUniform)
        before = x->index;
    if (before != SPV_NO_NODE)
        SPV_EDIT_INSERT(&m->e, before, SpvOpDecorate, copy, SpvDecorationNonUniform);
}

// `bound`: ids from here on are new and not in the map.
static struct spv_node *copy(struct ir *m, const struct spv_node *i, const uint32_t *map,
                             uint32_t bound)
{
    struct spv_node *c =
        spv_edit_make(&m->e, (SpvOp)i->op, i->type, mapped(map, bound, i->result), i->v, i->n);
    uint32_t *ids[IR_IDS], n = ir_ids(c, ids, IR_IDS);
    for (uint32_t k = 0; k < n; k++)
        *ids[k] = mapped(map, bound, *ids[k]);
    if (i->result && c->result != i->result && spv_op_class(i->op) != SPV_CLASS_ARITHMETIC)
        copy_nonuniform(m, i->result, c->result);
    return c;
}

struct spv_node *ir_copy(struct ir *m, const struct spv_node *i, uint32_t *map)
{
    // The map has room for ids below m->bound; only such instructions may be copied.
    uint32_t bound = m->bound;
    if (i->result) {
        CHECK(i->result < bound);
        map[i->result] = spv_edit_id(&m->e);
    }
    return copy(m, i, map, bound);
}

void ir_copy_blocks(struct ir *m, struct spv_edit_block *const *blocks, size_t n, uint32_t *map)
{
    uint32_t bound = m->bound;
    for (size_t k = 0; k < n; k++) {
        map[blocks[k]->label] = spv_edit_id(&m->e);
        for (size_t j = 0; j < blocks[k]->body.n; j++)
            if (blocks[k]->body.v[j]->result)
                map[blocks[k]->body.v[j]->result] = spv_edit_id(&m->e);
    }
    for (size_t k = 0; k < n; k++) {
        const struct spv_edit_block *b = blocks[k];
        struct spv_edit_block *c = ARENA_NEW(m->arena, struct spv_edit_block);
        c->label = map[b->label];
        c->function = b->function;
        c->order = NOWHERE;
        *VEC_PUSH(m->arena, &b->function->blocks) = c;
        for (size_t j = 0; j < b->body.n; j++)
            *VEC_PUSH(m->arena, &c->body) = copy(m, b->body.v[j], map, bound);
        if (b->merge)
            c->merge = copy(m, b->merge, map, bound);
        c->end = copy(m, b->end, map, bound);
        uint32_t *labels[IR_LABELS], count = ir_labels(m, c->end, labels, IR_LABELS);
        uint32_t *old[IR_LABELS];
        ir_labels(m, b->end, old, IR_LABELS);
        for (uint32_t j = 0; j < count; j++) {
            *labels[j] = mapped(map, bound, *old[j]);
            if (*labels[j] != *old[j])
                continue;
            bool again = false;
            for (uint32_t i = 0; i < j; i++)
                again |= *old[i] == *old[j];
            struct spv_edit_block *to = m->block_of[*old[j]];
            for (size_t i = 0; !again && i < ir_phis(to); i++) {
                struct spv_node *phi = to->body.v[i];
                for (uint32_t p = 0; p + 1 < phi->n; p += 2)
                    if (phi->v[p + 1] == b->label) {
                        uint32_t *v = ARENA_ARRAY(m->arena, uint32_t, phi->n + 2);
                        memcpy(v, phi->v, phi->n * sizeof *v);
                        v[phi->n] = mapped(map, bound, phi->v[p]);
                        v[phi->n + 1] = c->label;
                        phi->v = v;
                        phi->n += 2;
                        break;
                    }
            }
        }
    }
}

// ---- the head -------------------------------------------------------------------

uint32_t ir_truth(struct ir *m, bool value)
{
    return spv_edit_constant(&m->e, spv_edit_bool(&m->e), value);
}

uint32_t ir_null(struct ir *m, uint32_t type)
{
    const uint32_t id = spv_edit_id(&m->e);
    SPV_EDIT_INSERT(&m->e, m->functions.v[0]->head->index, SpvOpConstantNull, type, id);
    return id;
}

// True if there is a variable with this id and type. (It may be newer than the last analysis.)
static bool is_variable(const struct ir *m, uint32_t id, uint32_t type)
{
    IR_EACH_HEAD(x, m)
    if (x->op == SpvOpVariable && x->result == id)
        return x->type == type;
    return false;
}

uint32_t ir_builtin(struct ir *m, SpvBuiltIn builtin)
{
    struct spv_edit *e = &m->e;
    const uint32_t u = spv_edit_uint(e);
    const uint32_t pointer = SPV_EDIT_DECLARE(e, SpvOpTypePointer, 0, SpvStorageClassInput, u);
    uint32_t types = SPV_NO_NODE;
    IR_EACH_HEAD(x, m)
    {
        if (x->op == SpvOpDecorate && x->v[1] == SpvDecorationBuiltIn && x->v[2] == builtin &&
            is_variable(m, x->v[0], pointer))
            return x->v[0];
        if (x->op >= SpvOpTypeVoid && x->op <= SpvOpTypeFunction && types == SPV_NO_NODE)
            types = x->index;
    }
    const uint32_t id = SPV_EDIT_DECLARE(e, SpvOpVariable, pointer, SpvStorageClassInput);
    SPV_EDIT_INSERT(e, types, SpvOpDecorate, id, SpvDecorationBuiltIn, builtin);
    IR_EACH_HEAD(x, m)
    if (x->op == SpvOpEntryPoint) {
        uint32_t *v = ARENA_ARRAY(m->arena, uint32_t, x->n + 1);
        memcpy(v, x->v, x->n * sizeof *v);
        v[x->n++] = id;
        x->v = v;
    }
    return id;
}
