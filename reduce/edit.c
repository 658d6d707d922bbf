// SPDX-License-Identifier: Apache-2.0
//
// Changes to a module, one by one.
#include "edit.h"

#include <string.h>

void edit_start(struct red_edit *e, struct arena *a, const struct spv_case *c,
                const struct spv_module *m)
{
    *e = (struct red_edit){.a = a, .m = m, .c = *c};
    e->id_limit = m->bound + EDIT_NEW_IDS;
    e->next_id = m->bound;
    e->map = ARENA_ARRAY(a, uint32_t, e->id_limit);
    e->def = ARENA_ARRAY(a, uint32_t, e->id_limit);
    memset(e->def, 0xff, e->id_limit * sizeof *e->def);
    VEC_RESERVE(a, &e->node, m->inst_count + EDIT_NEW_IDS);
    for (uint32_t i = 0; i < m->inst_count; i++) {
        const struct spv_inst *in = &m->insts[i];
        const uint32_t *w = m->words + in->at;
        *VEC_PUSH(a, &e->node) = (struct edit_node){.w = w,
                                                    .n = w[0] >> 16,
                                                    .op = in->op,
                                                    .prev = i ? i - 1 : EDIT_NONE,
                                                    .next = i + 1};
        if (in->result)
            e->def[in->result] = i;
    }
    e->first = 0;
    e->last = m->inst_count - 1;
    e->node.v[e->last].next = EDIT_NONE;
    e->c.body = NULL;
    e->c.expect_count = 0;
}

void edit_drop(struct red_edit *e, uint32_t node)
{
    e->node.v[node].gone = true;
    uint32_t id = inst_result(e->node.v[node].w);
    if (id && e->def[id] == node)
        e->def[id] = EDIT_NONE;
}

uint32_t *edit_write(struct red_edit *e, uint32_t node)
{
    struct edit_node *x = &e->node.v[node];
    uint32_t *w = arena_copy(e->a, x->w, x->n * sizeof *w);
    x->w = w;
    return w;
}

static const uint32_t *words_of(struct red_edit *e, SpvOp op, const uint32_t *v, uint32_t n)
{
    uint32_t *w = ARENA_ARRAY(e->a, uint32_t, n + 1);
    w[0] = (n + 1) << 16 | (uint32_t)op;
    if (n)
        memcpy(w + 1, v, n * sizeof *w);
    return w;
}

void edit_set(struct red_edit *e, uint32_t node, SpvOp op, const uint32_t *v, uint32_t n)
{
    edit_drop(e, node);
    struct edit_node *x = &e->node.v[node];
    x->w = words_of(e, op, v, n);
    x->n = n + 1;
    x->op = (uint16_t)op;
    x->gone = false;
    uint32_t id = inst_result(x->w);
    if (id)
        e->def[id] = node;
}

uint32_t edit_insert(struct red_edit *e, uint32_t before, SpvOp op, const uint32_t *v, uint32_t n)
{
    const uint32_t *w = words_of(e, op, v, n);
    uint32_t at = (uint32_t)e->node.n, prev = e->node.v[before].prev;
    *VEC_PUSH(e->a, &e->node) =
        (struct edit_node){.w = w, .n = n + 1, .op = (uint16_t)op, .prev = prev, .next = before};
    e->node.v[before].prev = at;
    if (prev == EDIT_NONE)
        e->first = at;
    else
        e->node.v[prev].next = at;
    uint32_t id = inst_result(w);
    if (id)
        e->def[id] = at;
    return at;
}

void edit_move(struct red_edit *e, uint32_t node, uint32_t before)
{
    struct edit_node *v = e->node.v;
    const uint32_t prev = v[node].prev, next = v[node].next;
    CHECK(prev != EDIT_NONE && next != EDIT_NONE && v[before].prev != EDIT_NONE);
    v[prev].next = next;
    v[next].prev = prev;
    v[node].prev = v[before].prev;
    v[node].next = before;
    v[v[before].prev].next = node;
    v[before].prev = node;
}

void edit_use(struct red_edit *e, uint32_t id, uint32_t other)
{
    e->map[id] = other;
}

uint32_t edit_id(struct red_edit *e)
{
    CHECK(e->next_id < e->id_limit);
    return e->next_id++;
}

// ---- constants ---------------------------------------------------------------------------

static uint32_t first_function(const struct red_edit *e)
{
    for (uint32_t i = e->first; i != EDIT_NONE; i = e->node.v[i].next)
        if (e->node.v[i].op == SpvOpFunction)
            return i;
    return e->last;
}

static uint32_t find_global(const struct red_edit *e, const uint32_t *w, uint32_t n)
{
    for (uint32_t i = e->first; i != EDIT_NONE; i = e->node.v[i].next) {
        const struct edit_node *x = &e->node.v[i];
        if (x->op == SpvOpFunction)
            break;
        if (!x->gone && x->n == n && x->w[0] == w[0] && x->w[1] == w[1] &&
            (n <= 3 || memcmp(x->w + 3, w + 3, (n - 3) * sizeof *w) == 0))
            return x->w[2];
    }
    return 0;
}

static uint32_t constant(struct red_edit *e, SpvOp op, uint32_t type, const uint32_t *value,
                         uint32_t n)
{
    uint32_t v[4] = {0, type, 0, n ? *value : 0};
    v[0] = (n + 3) << 16 | (uint32_t)op;
    uint32_t id = find_global(e, v, n + 3);
    if (id)
        return id;
    if (e->next_id == e->id_limit)
        return 0;
    v[2] = edit_id(e);
    edit_insert(e, first_function(e), op, v + 1, n + 2);
    return v[2];
}

uint32_t edit_constant(struct red_edit *e, uint32_t type, uint32_t value)
{
    const uint32_t at = type < e->id_limit ? e->def[type] : EDIT_NONE;
    if (at == EDIT_NONE)
        return 0;
    const struct edit_node *t = &e->node.v[at];
    if (t->op == SpvOpTypeBool)
        return constant(e, value ? SpvOpConstantTrue : SpvOpConstantFalse, type, NULL, 0);
    if ((t->op == SpvOpTypeInt || t->op == SpvOpTypeFloat) && t->w[2] <= 32)
        return constant(e, SpvOpConstant, type, &value, 1);
    return value ? 0 : edit_zero(e, type);
}

uint32_t edit_zero(struct red_edit *e, uint32_t type)
{
    const uint32_t at = type < e->id_limit ? e->def[type] : EDIT_NONE;
    if (at == EDIT_NONE)
        return 0;
    switch (e->node.v[at].op) {
    case SpvOpTypeBool:
    case SpvOpTypeInt:
    case SpvOpTypeFloat:
        if (e->node.v[at].op != SpvOpTypeBool && e->node.v[at].w[2] > 32)
            return constant(e, SpvOpConstantNull, type, NULL, 0);
        return edit_constant(e, type, 0);
    case SpvOpTypeVector:
    case SpvOpTypeMatrix:
    case SpvOpTypeArray:
    case SpvOpTypeStruct:
        return constant(e, SpvOpConstantNull, type, NULL, 0);
    default:
        return 0;
    }
}

// ---- reading -------------------------------------------------------------------------------

uint32_t inst_head(uint32_t op)
{
    const struct spv_op *row = spv_op_find(op);
    return row ? 1u + row->has_type + row->has_result : 1;
}

uint32_t inst_type(const uint32_t *w)
{
    const struct spv_op *row = spv_op_find(w[0] & 0xffff);
    return row && row->has_type ? w[1] : 0;
}

uint32_t inst_result(const uint32_t *w)
{
    const struct spv_op *row = spv_op_find(w[0] & 0xffff);
    return row && row->has_result ? w[1 + row->has_type] : 0;
}

static uint32_t string_end(const uint32_t *w, uint32_t n, uint32_t i)
{
    while (i < n && w[i] >> 24)
        i++;
    return i < n ? i + 1 : n;
}

// Words of a literal of a switch on that selector.
static uint32_t switch_words(const struct red_edit *e, uint32_t selector)
{
    uint32_t at = selector < e->id_limit ? e->def[selector] : EDIT_NONE;
    uint32_t type = at == EDIT_NONE ? 0 : inst_type(e->node.v[at].w);
    at = type && type < e->id_limit ? e->def[type] : EDIT_NONE;
    return at != EDIT_NONE && e->node.v[at].w[2] > 32 ? 2 : 1;
}

uint32_t inst_ids(const struct red_edit *e, const uint32_t *w, uint32_t n, uint16_t *at,
                  uint32_t *rest)
{
    const struct spv_op *row = spv_op_find(w[0] & 0xffff);
    uint32_t count = 0, i = 1;
    *rest = n;
    if (!row)
        return 0;
    if (row->has_type)
        at[count++] = (uint16_t)i++;
    i += row->has_result;
    for (size_t k = 0; k < SPV_OPERANDS_MAX && row->operands[k].kind != SPV_OPERAND_END; k++) {
        while (i < n) {
            switch (row->operands[k].kind) {
            case SPV_OPERAND_ID:
                at[count++] = (uint16_t)i++;
                break;
            case SPV_OPERAND_STRING:
                i = string_end(w, n, i);
                break;
            case SPV_OPERAND_WIDE:
                return count;
            case SPV_OPERAND_PAIR_ID_LITERAL:
                at[count++] = (uint16_t)i;
                i += 2;
                break;
            case SPV_OPERAND_PAIR_ID_ID:
                at[count++] = (uint16_t)i++;
                if (i < n)
                    at[count++] = (uint16_t)i++;
                break;
            case SPV_OPERAND_PAIR_LITERAL_ID:
                i += switch_words(e, w[1]);
                if (i < n)
                    at[count++] = (uint16_t)i++;
                break;
            case SPV_OPERAND_ENUM_ARGS:
                *rest = i;
                return count;
            default:
                i++;
                break;
            }
            if (row->operands[k].quantifier != SPV_MANY)
                break;
        }
    }
    return count;
}

bool inst_is_terminator(uint32_t op)
{
    switch (op) {
    case SpvOpBranch:
    case SpvOpBranchConditional:
    case SpvOpSwitch:
    case SpvOpReturn:
    case SpvOpReturnValue:
    case SpvOpKill:
    case SpvOpUnreachable:
    case SpvOpTerminateInvocation:
        return true;
    default:
        return false;
    }
}

static bool in_class(uint32_t op, const char *const *names, size_t n)
{
    const struct spv_op *row = spv_op_find(op);
    for (size_t i = 0; row && i < n; i++)
        if (strcmp(row->klass, names[i]) == 0)
            return true;
    return false;
}

bool inst_is_group(uint32_t op)
{
    static const char *const names[] = {"Non-Uniform", "Group"};
    return in_class(op, names, 2) && op != SpvOpGroupDecorate && op != SpvOpGroupMemberDecorate;
}

bool inst_is_pure(uint32_t op)
{
    static const char *const names[] = {"Arithmetic", "Bit", "Composite", "Conversion",
                                        "Relational_and_Logical"};
    return in_class(op, names, sizeof names / sizeof *names) || op == SpvOpLoad ||
           op == SpvOpAccessChain || op == SpvOpInBoundsAccessChain || op == SpvOpPhi ||
           op == SpvOpSelect || op == SpvOpUndef || op == SpvOpArrayLength || op == SpvOpExtInst;
}

bool inst_is_constant(uint32_t op)
{
    static const char *const names[] = {"Constant-Creation"};
    return op == SpvOpUndef || in_class(op, names, 1);
}

bool inst_is_type(uint32_t op)
{
    static const char *const names[] = {"Type-Declaration"};
    return in_class(op, names, 1);
}

uint32_t inst_targets(const struct red_edit *e, const uint32_t *w, uint32_t n, uint32_t *out,
                      uint32_t max)
{
    uint32_t count = 0, step;
    switch (w[0] & 0xffff) {
    case SpvOpBranch:
        if (count < max)
            out[count] = w[1];
        return 1;
    case SpvOpBranchConditional:
        for (uint32_t k = 2; k <= 3; k++, count++)
            if (count < max)
                out[count] = w[k];
        return count;
    case SpvOpSwitch:
        step = switch_words(e, w[1]) + 1;
        for (uint32_t k = 2; k < n; k += step, count++)
            if (count < max)
                out[count] = w[k];
        return count;
    default:
        return 0;
    }
}
