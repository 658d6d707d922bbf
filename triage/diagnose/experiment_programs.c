// SPDX-License-Identifier: Apache-2.0
//
// Programs for experiments: a case with one change. All ids stay, so a hypothesis about the case is
// also one about the changed program.
#include "experiment_parts.h"

#include "spirv/spirv_edit.h"
#include "spirv/spirv_flow.h"
#include "spirv/spirv_groups.h"
#include "spirv/spirv_ops.h"

#include <string.h>

// Opcodes with the same operands and result: each may replace another one of its row.
enum { SAME_FORM = 12 };
static const uint16_t same_form[][SAME_FORM] = {
    {SpvOpIAdd, SpvOpISub, SpvOpIMul, SpvOpBitwiseXor, SpvOpBitwiseOr, SpvOpBitwiseAnd},
    {SpvOpFAdd, SpvOpFSub, SpvOpFMul},
    {SpvOpLogicalAnd, SpvOpLogicalOr, SpvOpLogicalEqual, SpvOpLogicalNotEqual},
    {SpvOpIEqual, SpvOpINotEqual, SpvOpULessThan, SpvOpULessThanEqual, SpvOpUGreaterThan,
     SpvOpUGreaterThanEqual, SpvOpSLessThan, SpvOpSLessThanEqual, SpvOpSGreaterThan,
     SpvOpSGreaterThanEqual},
    {SpvOpFOrdEqual, SpvOpFOrdNotEqual, SpvOpFOrdLessThan, SpvOpFOrdLessThanEqual,
     SpvOpFOrdGreaterThan, SpvOpFOrdGreaterThanEqual},
    {SpvOpShiftLeftLogical, SpvOpShiftRightLogical},
    {SpvOpGroupNonUniformQuadAllKHR, SpvOpGroupNonUniformQuadAnyKHR},
    {SpvOpAtomicIAdd, SpvOpAtomicISub, SpvOpAtomicOr, SpvOpAtomicXor, SpvOpAtomicAnd,
     SpvOpAtomicSMax, SpvOpAtomicUMax, SpvOpAtomicSMin, SpvOpAtomicUMin, SpvOpAtomicExchange},
};

// Decorations without a literal that may be removed or take another one's place.
static const struct {
    uint16_t id;
    const char *name;
} plain[] = {
// clang-format off
#define PLAIN_ROW(name) {SpvDecoration##name, #name}
    PLAIN_ROW(RelaxedPrecision), PLAIN_ROW(NonUniform), PLAIN_ROW(NoContraction),
    PLAIN_ROW(Restrict), PLAIN_ROW(Aliased), PLAIN_ROW(Volatile),
    PLAIN_ROW(Coherent), PLAIN_ROW(NonWritable), PLAIN_ROW(NonReadable),
    PLAIN_ROW(Invariant), PLAIN_ROW(Uniform), PLAIN_ROW(Centroid),
    PLAIN_ROW(Sample), PLAIN_ROW(NoPerspective),
    // clang-format on
};
enum { PLAIN = sizeof plain / sizeof *plain };

const char *tweak_decoration_name(uint32_t d)
{
    for (int k = 0; k < PLAIN; k++)
        if (plain[k].id == d)
            return plain[k].name;
    return "";
}

struct list {
    struct arena *a;
    const struct spv_module *m;
    struct tweaks *out;
    struct diag_tweak now; // the instruction
};

static void add(struct list *l, enum diag_tweak_kind kind, uint32_t operand, uint32_t from,
                uint32_t to)
{
    struct diag_tweak *t = VEC_PUSH(l->a, l->out);
    *t = l->now;
    t->kind = (uint8_t)kind;
    t->operand = operand;
    t->from = from;
    t->to = to;
}

static const struct spv_inst *type_of(const struct spv_module *m, uint32_t id)
{
    const struct spv_inst *d = spv_def(m, id);
    return d && d->type ? spv_def(m, d->type) : NULL;
}

// Returns the letter of a scalar type: 'i', 'f' of 32 bits, 'b'; 0 for another one.
static char scalar(const struct spv_inst *t)
{
    return !t                        ? 0
           : t->op == SpvOpTypeBool  ? 'b'
           : t->op == SpvOpTypeInt   ? (t->v[0] == 32 ? 'i' : 0)
           : t->op == SpvOpTypeFloat ? (t->v[0] == 32 ? 'f' : 0)
                                     : 0;
}

// Returns the letter of a scalar type of any width, or of a vector's components; 0 for another one.
static char number_of(const struct spv_module *m, const struct spv_inst *t)
{
    t = t && t->op == SpvOpTypeVector ? spv_def(m, t->v[0]) : t;
    return !t                        ? 0
           : t->op == SpvOpTypeBool  ? 'b'
           : t->op == SpvOpTypeInt   ? 'i'
           : t->op == SpvOpTypeFloat ? 'f'
                                     : 0;
}

// ---- lists ---------------------------------------------------------------------------------

// Returns the constant of a scalar type: its bits; false for other ids.
static bool constant(const struct spv_module *m, uint32_t id, char *type, uint32_t *bits)
{
    const struct spv_inst *d = spv_def(m, id);
    if (!d || (d->op != SpvOpConstant && d->op != SpvOpConstantTrue && d->op != SpvOpConstantFalse))
        return false;
    *type = scalar(spv_def(m, d->type));
    *bits = d->op == SpvOpConstant ? d->v[0] : d->op == SpvOpConstantTrue;
    return *type != 0;
}

// Returns the first operand that is a value, not a pointer, scope or semantics; UINT32_MAX: none.
static uint32_t first_value(const struct spv_inst *x)
{
    const struct spv_group_op *g = spv_group_find(x->op);
    if (g)
        return spv_group_first(g);
    switch (x->op) {
    case SpvOpAccessChain:
    case SpvOpInBoundsAccessChain:
    case SpvOpControlBarrier:
    case SpvOpMemoryBarrier:
    case SpvOpLoad:
    case SpvOpAtomicLoad:
    case SpvOpAtomicCompareExchange:
    case SpvOpVariable:
    case SpvOpBranchConditional: // TWEAK_ALWAYS
        return UINT32_MAX;
    case SpvOpStore:
    case SpvOpFunctionCall:
        return 1;
    default:
        return spv_op_class(x->op) == SPV_CLASS_ATOMIC ? 3 : 0;
    }
}

static void list_constants(struct list *l, const struct spv_inst *x)
{
    uint16_t at[64];
    uint32_t rest, first = first_value(x), bits;
    char type;
    if (first == UINT32_MAX || x->n > sizeof at / sizeof *at)
        return;
    const uint32_t n = spv_operand_ids(x->op, x->v, x->n, 1, at, &rest);
    for (uint32_t k = 0; k < n; k++) {
        if (at[k] < first || !constant(l->m, x->v[at[k]], &type, &bits))
            continue;
        float f;
        memcpy(&f, &bits, sizeof f);
        if (type == 'b') {
            add(l, DIAG_TWEAK_CONSTANT, at[k], bits, !bits);
        } else if (type == 'f') {
            f += 1;
            uint32_t to;
            memcpy(&to, &f, sizeof to);
            add(l, DIAG_TWEAK_CONSTANT, at[k], bits, to);
        } else {
            add(l, DIAG_TWEAK_CONSTANT, at[k], bits, bits + 1);
            add(l, DIAG_TWEAK_CONSTANT, at[k], bits, bits ? bits - 1 : 2);
            if (bits > 3)
                add(l, DIAG_TWEAK_CONSTANT, at[k], bits, bits / 2);
        }
    }
}

static void list_opcodes(struct list *l, const struct spv_inst *x)
{
    const struct spv_group_op *g = spv_group_find(x->op), *o;
    for (uint32_t r = 0; g && g->family && (o = spv_group_member(g->family, r)); r++)
        if (o->opcode != x->op && !o->extension)
            add(l, DIAG_TWEAK_OPCODE, 0, x->op, o->opcode);
    if (x->op == SpvOpGroupNonUniformPartitionNV)
        add(l, DIAG_TWEAK_OPCODE, 0, x->op, SpvOpGroupNonUniformBallot);
    for (size_t row = 0; row < sizeof same_form / sizeof *same_form; row++) {
        bool has = false;
        for (int k = 0; k < SAME_FORM; k++)
            has |= same_form[row][k] == x->op && same_form[row][k];
        for (int k = 0; k < SAME_FORM && has && same_form[row][k]; k++)
            if (same_form[row][k] != x->op)
                add(l, DIAG_TWEAK_OPCODE, 0, x->op, same_form[row][k]);
    }
}

// Lists other values for the operands of instructions that compute, store, or use an image.
static void list_operands(struct list *l, const struct spv_inst *x)
{
    const enum spv_op_class k = spv_op_class(x->op);
    uint16_t at[64];
    uint32_t rest, bits;
    char type;
    if ((k != SPV_CLASS_ARITHMETIC && k != SPV_CLASS_BIT && k != SPV_CLASS_RELATIONAL_AND_LOGICAL &&
         k != SPV_CLASS_COMPOSITE && k != SPV_CLASS_CONVERSION && k != SPV_CLASS_IMAGE &&
         x->op != SpvOpStore) ||
        x->n > sizeof at / sizeof *at)
        return;
    const uint32_t n = spv_operand_ids(x->op, x->v, x->n, 1, at, &rest);
    for (uint32_t i = 0; i < n; i++)
        if (number_of(l->m, type_of(l->m, x->v[at[i]])) &&
            !constant(l->m, x->v[at[i]], &type, &bits)) {
            add(l, DIAG_TWEAK_COMPLEMENT, at[i], 0, 0);
            if (x->op != SpvOpStore) // a stored number shows nothing of what was computed
                add(l, DIAG_TWEAK_LANES, at[i], 0, 0);
        }
}

static void list_group(struct list *l, const struct spv_inst *x)
{
    const struct spv_group_op *g = spv_group_find(x->op);
    if (spv_op_class(x->op) == SPV_CLASS_IMAGE && x->type)
        add(l, DIAG_TWEAK_GONE, UINT32_MAX, 0, 0);
    if (!g)
        return;
    const uint32_t first = spv_group_first(g), form = spv_group_form(x);
    for (uint32_t f = 0; form <= SpvGroupOperationClusteredReduce && f < 3; f++)
        if (f != form)
            add(l, DIAG_TWEAK_FORM, 0, form, f);
    if (first < x->n && number_of(l->m, type_of(l->m, x->v[first]))) {
        add(l, DIAG_TWEAK_LANES, first, 0, 0);
        add(l, DIAG_TWEAK_COMPLEMENT, first, 0, 0);
    }
    add(l, DIAG_TWEAK_GONE, first, 0, 0);
}

static void list_end(struct list *l, const struct spv_inst *x)
{
    if (x->op == SpvOpBranchConditional) {
        add(l, DIAG_TWEAK_SIDES, 0, 0, 0);
        add(l, DIAG_TWEAK_ALWAYS, 0, 0, 1);
        add(l, DIAG_TWEAK_ALWAYS, 0, 0, 0);
    } else if (x->op == SpvOpSwitch && x->n > 3 && x->n % 2 == 0 &&
               scalar(type_of(l->m, x->v[0])) == 'i') {
        add(l, DIAG_TWEAK_ALWAYS, 0, 0, x->v[2]);
        for (uint32_t k = 2; k + 1 < x->n; k += 2) {
            add(l, DIAG_TWEAK_LITERAL, k, x->v[k], x->v[k] + 1);
            add(l, DIAG_TWEAK_LITERAL, k, x->v[k], x->v[k] - 1);
        }
    }
}

static void list_decorations(struct list *l, const struct spv_inst *x)
{
    bool is = false;
    for (int k = 0; k < PLAIN; k++)
        is |= x->op == SpvOpDecorate && x->n == 2 && x->v[1] == plain[k].id;
    if (!is)
        return;
    l->now.id = x->v[0];
    add(l, DIAG_TWEAK_PLAIN, 0, x->v[1], 0);
    for (int k = 0; k < PLAIN; k++)
        if (plain[k].id != x->v[1])
            add(l, DIAG_TWEAK_DECORATION, 0, x->v[1], plain[k].id);
}

void tweaks_of(struct arena *a, const struct spv_case *c, const struct spv_module *m, bool tokens,
               struct tweaks *out)
{
    struct list l = {.a = a, .m = m, .out = out};
    *out = (struct tweaks){0};
    for (uint32_t i = 0; i < m->inst_count; i++) {
        const struct spv_inst *x = &m->insts[i];
        const uint32_t b =
            m->function_count && i >= m->functions[0].first ? spv_block_at(m, i) : SPV_NO_BLOCK;
        l.now = (struct diag_tweak){.at = i, .opcode = x->op, .id = x->result};
        if (tokens)
            list_decorations(&l, x);
        if (x->op == SpvOpExecutionMode && x->n == 5 && x->v[1] == SpvExecutionModeLocalSize &&
            spv_stage_row(c->stage)->has_workgroups) {
            add(&l, DIAG_TWEAK_SIZE, 2, x->v[2], x->v[2] + 1);
            if (x->v[2] > 1) {
                add(&l, DIAG_TWEAK_SIZE, 2, x->v[2], 2 * x->v[2]);
                add(&l, DIAG_TWEAK_SIZE, 2, x->v[2], x->v[2] - 1);
            }
        }
        if (b == SPV_NO_BLOCK)
            continue;
        if (!x->result)
            l.now.id = m->blocks[b].label;
        list_opcodes(&l, x);
        list_group(&l, x);
        list_operands(&l, x);
        list_constants(&l, x);
        list_end(&l, x);
        const uint32_t hint = x->op == SpvOpLoopMerge ? 2 : 1;
        if (tokens && (x->op == SpvOpLoopMerge || x->op == SpvOpSelectionMerge) && x->v[hint])
            add(&l, DIAG_TWEAK_HINT, hint, x->v[hint], 0);
    }
}

bool tweak_equal(const struct diag_tweak *x, const struct diag_tweak *y)
{
    return x->kind == y->kind && x->at == y->at && x->operand == y->operand && x->from == y->from &&
           x->to == y->to;
}

// ---- edits -----------------------------------------------------------------------------------

// Inserts an instruction with a result before node `at`; returns the result.
static uint32_t put(struct spv_edit *e, uint32_t at, SpvOp op, uint32_t type, const uint32_t *v,
                    uint32_t n)
{
    uint32_t words[5] = {type, spv_edit_id(e)};
    CHECK(n + 2 <= sizeof words / sizeof *words);
    memcpy(words + 2, v, n * sizeof *v);
    spv_edit_insert(e, at, op, words, n + 2);
    return words[1];
}
#define PUT(e, at, op, type, ...)                                                                  \
    put((e), (at), (op), (type), (const uint32_t[]){__VA_ARGS__},                                  \
        sizeof((const uint32_t[]){__VA_ARGS__}) / sizeof(uint32_t))

// Declares SubgroupLocalInvocationId as an input of all entry points; 0 if it cannot.
static uint32_t lane_input(struct spv_edit *e)
{
    const struct spv_module *m = e->m;
    const uint32_t u = spv_edit_uint(e),
                   p = SPV_EDIT_DECLARE(e, SpvOpTypePointer, 0, SpvStorageClassInput, u),
                   v = SPV_EDIT_DECLARE(e, SpvOpVariable, p, SpvStorageClassInput);
    uint32_t types = 0;
    while (types < m->inst_count && spv_op_class(m->insts[types].op) != SPV_CLASS_TYPE_DECLARATION)
        types++;
    if (!v || types == m->inst_count)
        return 0;
    spv_edit_capability(e, SpvCapabilityGroupNonUniform);
    SPV_EDIT_INSERT(e, types, SpvOpDecorate, v, SpvDecorationBuiltIn,
                    SpvBuiltInSubgroupLocalInvocationId);
    if (spv_stage_row(e->c.stage)->has_pixels)
        SPV_EDIT_INSERT(e, types, SpvOpDecorate, v, SpvDecorationFlat);
    for (uint32_t i = 0; i < m->inst_count; i++) {
        struct spv_node *x = e->node.v[i];
        if (x->op != SpvOpEntryPoint)
            continue;
        uint32_t *words = ARENA_ARRAY(e->a, uint32_t, x->n + 1);
        memcpy(words, x->v, x->n * sizeof *words);
        words[x->n] = v;
        spv_edit_set(e, i, SpvOpEntryPoint, words, x->n + 1);
    }
    return v;
}

// Returns the variable of SubgroupLocalInvocationId; a new one if the module has none.
static uint32_t lane_variable(struct spv_edit *e)
{
    const struct spv_module *m = e->m;
    for (uint32_t i = 0; i < m->inst_count; i++) {
        const struct spv_inst *d = &m->insts[i], *v = d->n == 3 ? spv_def(m, d->v[0]) : NULL;
        if (d->op == SpvOpDecorate && v && v->op == SpvOpVariable &&
            d->v[1] == SpvDecorationBuiltIn && d->v[2] == SpvBuiltInSubgroupLocalInvocationId)
            return d->v[0];
    }
    return lane_input(e);
}

// Returns the number of the lane, from 1, before node `at`; 0 if it cannot.
static uint32_t lane_number(struct spv_edit *e, uint32_t at)
{
    const uint32_t u = spv_edit_uint(e), v = lane_variable(e);
    const struct spv_inst *d = v ? spv_def(e->m, v) : NULL, *p = d ? spv_def(e->m, d->type) : NULL;
    if (!v)
        return 0;
    const uint32_t x = PUT(e, at, SpvOpLoad, p ? p->v[1] : u, v);
    return PUT(e, at, SpvOpIAdd, u, PUT(e, at, SpvOpBitcast, u, x), spv_edit_constant(e, u, 1));
}

static uint32_t by_lane(struct spv_edit *e, uint32_t at, uint32_t type)
{
    const struct spv_inst *t = spv_def(e->m, type);
    const uint32_t u = spv_edit_uint(e);
    if (t->op == SpvOpTypeVector && t->v[1] <= 3) {
        const uint32_t x = by_lane(e, at, t->v[0]), parts[] = {x, x, x};
        return x ? put(e, at, SpvOpCompositeConstruct, type, parts, t->v[1]) : 0;
    }
    const uint32_t number = t->op == SpvOpTypeVector ? 0 : lane_number(e, at);
    if (!number)
        return 0;
    switch (number_of(e->m, t)) {
    case 'b':
        return PUT(e, at, SpvOpINotEqual, type,
                   PUT(e, at, SpvOpBitwiseAnd, u, number, spv_edit_constant(e, u, 1)),
                   spv_edit_constant(e, u, 0));
    case 'f':
        return PUT(e, at, SpvOpConvertUToF, type, number);
    default:
        return PUT(e, at,
                   t->v[0] == 32 ? SpvOpBitcast
                   : t->v[1]     ? SpvOpSConvert
                                 : SpvOpUConvert,
                   type, number);
    }
}

static uint32_t complement(struct spv_edit *e, uint32_t at, uint32_t id, uint32_t type)
{
    const char t = number_of(e->m, spv_def(e->m, type));
    return PUT(e, at, t == 'b' ? SpvOpLogicalNot : t == 'f' ? SpvOpFNegate : SpvOpNot, type, id);
}

static bool set_opcode(struct spv_edit *e, struct spv_node *x, uint32_t to)
{
    const struct spv_group_op *g = spv_group_find(to);
    x->op = (uint16_t)to;
    if (!g)
        return true;
    const struct spv_group_capability form =
        spv_group_capability(g, g->has_form ? x->v[1] : UINT32_MAX);
    spv_edit_capability(e, form.id);
    if (g->capability[1].name)
        spv_edit_capability(e, g->capability[1].id);
    return true;
}

// Replaces a partition by a ballot of true: both return a set of lanes.
static void set_ballot(struct spv_edit *e, uint32_t at, const struct spv_node *x)
{
    const uint32_t words[] = {x->type, x->result,
                              spv_edit_constant(e, spv_edit_uint(e), SpvScopeSubgroup),
                              spv_edit_constant(e, spv_edit_bool(e), 1)};
    spv_edit_capability(e, SpvCapabilityGroupNonUniformBallot);
    spv_edit_set(e, at, SpvOpGroupNonUniformBallot, words, 4);
}

static bool set_form(struct spv_edit *e, struct spv_node *x, uint32_t to)
{
    const struct spv_group_op *g = spv_group_find(x->op);
    if (x->v[1] == SpvGroupOperationClusteredReduce)
        x->n--; // without the size of a cluster
    x->v[1] = to;
    spv_edit_capability(e, spv_group_capability(g, to).id);
    return true;
}

// Returns a constant of that type that is not zero: each number 1, each condition true, each bit of
// a ballot set; 0: none.
static uint32_t one_of(struct spv_edit *e, uint32_t type)
{
    const struct spv_inst *t = spv_def(e->m, type);
    if (scalar(t))
        return spv_edit_constant(e, type, t->op == SpvOpTypeFloat ? 0x3f800000 : 1);
    if (!t || t->op != SpvOpTypeVector || !scalar(spv_def(e->m, t->v[0])))
        return 0;
    const bool ballot = t->v[1] == 4 && scalar(spv_def(e->m, t->v[0])) == 'i';
    const uint32_t part = ballot ? spv_edit_constant(e, t->v[0], UINT32_MAX) : one_of(e, t->v[0]),
                   parts[] = {part, part, part, part};
    return spv_edit_declare(e, SpvOpConstantComposite, type, parts, t->v[1]);
}

// Replaces an operation by its operand if that has the result's type, else by a constant.
static bool set_gone(struct spv_edit *e, const struct diag_tweak *t, const struct spv_node *x)
{
    const struct spv_inst *d = t->operand < x->n ? spv_def(e->m, x->v[t->operand]) : NULL;
    const uint32_t from = d && d->type == x->type ? x->v[t->operand] : one_of(e, x->type);
    if (!from)
        return false;
    spv_edit_set(e, t->at, SpvOpCopyObject, (const uint32_t[]){x->type, x->result, from}, 3);
    return true;
}

static bool set_always(struct spv_edit *e, const struct diag_tweak *t, struct spv_node *x)
{
    x->v[0] = spv_edit_constant(e, spv_def(e->m, x->v[0])->type, t->to);
    return x->v[0] != 0;
}

// Makes room for more invocations: buffers have one part for each. A storage image keeps the size
// of its form.
static void grow(struct spv_edit *e, bool more)
{
    for (uint32_t b = 0; b < e->c.buffer_count && more; b++) {
        struct spv_buffer *p = &e->c.buffer[b];
        if (p->image.count)
            continue;
        uint32_t *words = ARENA_ARRAY(e->a, uint32_t, 2 * (size_t)p->count);
        memcpy(words, p->words, p->count * sizeof *words);
        memcpy(words + p->count, p->words, p->count * sizeof *words);
        p->words = words;
        p->count *= 2;
        p->fill = SPV_FILL_WORDS;
        p->file = NULL;
    }
}

static bool set_operand(uint32_t *v, uint32_t id)
{
    *v = id ? id : *v;
    return id != 0;
}

bool tweak_apply(struct arena *a, const struct spv_case *c, const struct spv_module *m,
                 const struct diag_tweak *t, struct spv_case *out)
{
    struct spv_edit e;
    bool ok = true;
    spv_edit_start(&e, a, c, m, 0);
    struct spv_node *x = e.node.v[t->at];
    const uint32_t operand = t->operand < x->n ? x->v[t->operand] : 0;
    const struct spv_inst *d = operand ? spv_def(m, operand) : NULL;
    switch ((enum diag_tweak_kind)t->kind) {
    case DIAG_TWEAK_OPCODE:
        if (x->op == SpvOpGroupNonUniformPartitionNV)
            set_ballot(&e, t->at, x);
        else
            ok = set_opcode(&e, x, t->to);
        break;
    case DIAG_TWEAK_FORM:
        ok = set_form(&e, x, t->to);
        break;
    case DIAG_TWEAK_COMPLEMENT:
        ok = d && set_operand(&x->v[t->operand], complement(&e, t->at, operand, d->type));
        break;
    case DIAG_TWEAK_LANES:
        ok = d && set_operand(&x->v[t->operand], by_lane(&e, t->at, d->type));
        break;
    case DIAG_TWEAK_CONSTANT:
        ok = d && set_operand(&x->v[t->operand], spv_edit_constant(&e, d->type, t->to));
        break;
    case DIAG_TWEAK_SIDES:
        x->v[1] ^= x->v[2], x->v[2] ^= x->v[1], x->v[1] ^= x->v[2];
        break;
    case DIAG_TWEAK_ALWAYS:
        ok = set_always(&e, t, x);
        break;
    case DIAG_TWEAK_GONE:
        ok = set_gone(&e, t, x);
        break;
    case DIAG_TWEAK_SIZE:
        grow(&e, t->to > t->from);
        x->v[t->operand] = t->to;
        break;
    case DIAG_TWEAK_LITERAL:
    case DIAG_TWEAK_HINT:
        x->v[t->operand] = t->to;
        x->n = t->kind == DIAG_TWEAK_HINT ? t->operand + 1 : x->n; // without the hint's numbers
        break;
    case DIAG_TWEAK_PLAIN:
        spv_edit_drop(&e, t->at);
        break;
    case DIAG_TWEAK_DECORATION:
        x->v[1] = t->to;
        break;
    default:
        return false;
    }
    if (!ok)
        return false;
    spv_edit_write(&e, false);
    *out = e.c;
    return true;
}
