// SPDX-License-Identifier: Apache-2.0
//
// Instructions of the functions that the entry point reaches. In: the module view,
// types and constants. Out: functions, blocks and their instructions, planes for
// every result. What is not known is refused by name, never guessed.
#include "machine.h"

#include <spirv/unified1/GLSL.std.450.h>
#include <string.h>

enum { PLANES_MAX = 1 << 23 };

struct code {
    struct orc_program *p;
    struct orc_why *why;
    struct pointer_info *info; // [bound]
    const uint8_t *glsl;       // [bound] 1: import of GLSL.std.450, 2: non-semantic, 0: neither
    VEC(struct inst) insts;    // of the block at hand
    uint32_t spv;              // instruction at hand
    uint32_t *function_of;     // [bound] index of an OpFunction, NONE
    bool *reached;             // [function]
};

static bool unsupported(struct code *c, const char *what)
{
    return why_set(&c->p->m, c->why, ORC_UNSUPPORTED, NULL, c->spv, "unsupported: %s", what);
}

static bool invalid(struct code *c, const char *what)
{
    return why_set(&c->p->m, c->why, ORC_INVALID, NULL, c->spv, "%s", what);
}

static const struct type *type_of(const struct code *c, uint32_t id)
{
    return &c->p->types[c->p->type_of[id]];
}

// First plane of an operand; fails for what has no known value.
static bool operand(struct code *c, uint32_t id, uint32_t *plane)
{
    *plane = c->p->plane[id];
    if (*plane == NONE)
        return why_set(&c->p->m, c->why, ORC_UNSUPPORTED, NULL, c->spv,
                       "unsupported: operand %%%u is nothing the oracle knows", id);
    return true;
}

static struct inst *add(struct code *c, enum inst_class klass)
{
    struct inst *i = VEC_PUSH(c->p->arena, &c->insts);
    const struct spv_inst *s = &c->p->m.insts[c->spv];
    *i = (struct inst){.klass = (uint8_t)klass, .op = s->op, .spv = c->spv, .object = NONE,
                       .dst = s->result ? c->p->plane[s->result] : NONE};
    return i;
}

// ---- planes -------------------------------------------------------------------

static bool give_planes(struct code *c, uint32_t id, uint32_t type)
{
    struct orc_program *p = c->p;
    const struct type *t = &p->types[type];
    if (t->kind == TY_NONE || t->kind == TY_RUNTIME_ARRAY)
        return unsupported(c, "a result of a type the oracle does not know");
    if ((uint64_t)p->plane_count + t->cells > PLANES_MAX)
        return unsupported(c, "values of more than 8388608 scalars");
    p->type_of[id] = type;
    p->plane[id] = p->plane_count;
    p->plane_count += t->cells;
    return true;
}

static bool local_variable(struct code *c, struct function *f)
{
    struct orc_program *p = c->p;
    const struct spv_inst *s = &p->m.insts[c->spv];
    const struct type *ptr = &p->types[s->type];
    if (ptr->kind != TY_POINTER || p->types[ptr->elem].kind == TY_NONE ||
        p->types[ptr->elem].kind == TY_RUNTIME_ARRAY)
        return unsupported(c, "a variable of a type the oracle does not know");
    uint32_t cells = p->types[ptr->elem].cells, object = p->object_count;
    if ((uint64_t)p->plane_count + cells > PLANES_MAX)
        return unsupported(c, "values of more than 8388608 scalars");
    struct object *o = &p->objects[p->object_count++];
    *o = (struct object){.kind = OBJ_LANE, .id = s->result, .type = ptr->elem, .cells = cells,
                         .init = NONE, .builtin = NONE, .plane = p->plane_count,
                         .function = (uint32_t)(f - p->functions), .may_be_written = true};
    p->plane_count += cells;
    if (s->n > 1 && !operand(c, s->v[1], &o->init))
        return false;
    f->objects[f->object_count++] = object;
    p->object_of[s->result] = object;
    p->type_of[s->result] = s->type;
    return true;
}

// Pointers to variables are constants.
static void pointer_constants(struct code *c)
{
    struct orc_program *p = c->p;
    for (uint32_t k = 0; k < p->object_count; k++) {
        struct object *o = &p->objects[k];
        if (o->kind == OBJ_LANE && o->function == NONE) { // Private, Input
            o->plane = p->plane_count;
            p->plane_count += o->cells;
        }
        p->plane[o->id] = load_constant(p, pointer_make(k, 0));
        c->info[o->id] = (struct pointer_info){.object = k, .is_static = true};
    }
}

// ---- instructions ---------------------------------------------------------------

static bool alu(struct code *c)
{
    struct orc_program *p = c->p;
    const struct spv_inst *s = &p->m.insts[c->spv];
    uint32_t plane[4] = {0};
    if (s->n < 1 || s->n > 4)
        return unsupported(c, "its operands");
    for (uint32_t k = 0; k < s->n; k++)
        if (!operand(c, s->v[k], &plane[k]))
            return false;
    const struct type *t = &p->types[s->type], *t0 = type_of(c, s->v[0]);
    if (t0->kind == TY_FLOAT || (t0->kind == TY_VECTOR && p->types[t0->elem].kind == TY_FLOAT))
        if (s->op != SpvOpVectorExtractDynamic && s->op != SpvOpVectorInsertDynamic)
            return unsupported(c, "arithmetic on floats");
    struct inst *i = add(c, IN_ALU);
    i->comps = t->cells;
    i->width = t0->width;
    i->width2 = t->width;
    i->a = plane[0], i->b = plane[1], i->c = plane[2], i->d = plane[3];
    uint32_t cells[4] = {0}, n = t->cells; // of the operands, of the result
    for (uint32_t k = 0; k < s->n; k++)
        cells[k] = type_of(c, s->v[k])->cells;
    bool fits;
    switch (s->op) {
    case SpvOpSelect: // condition first in SPIR-V, last here
        i->a = plane[1], i->b = plane[2], i->c = plane[0];
        i->d = t0->kind == TY_VECTOR;
        i->width2 = 64;
        fits = cells[1] == n && cells[2] == n && cells[0] == (i->d ? n : 1);
        break;
    case SpvOpAny:
    case SpvOpAll:
        i->comps = cells[0];
        fits = n == 1;
        break;
    case SpvOpIAddCarry:
    case SpvOpISubBorrow:
    case SpvOpUMulExtended:
    case SpvOpSMulExtended:
        i->comps = cells[0];
        fits = n == 2 * cells[0] && cells[1] == cells[0];
        break;
    case SpvOpBitFieldInsert: fits = cells[0] == n && cells[1] == n; break;
    case SpvOpBitFieldSExtract:
    case SpvOpBitFieldUExtract: fits = cells[0] == n; break;
    case SpvOpVectorExtractDynamic:
        i->comps = cells[0];
        fits = n == 1 && cells[1] == 1;
        break;
    case SpvOpVectorInsertDynamic: fits = cells[0] == n && cells[1] == 1 && cells[2] == 1; break;
    default:
        fits = cells[0] == n && (s->n < 2 || cells[1] == n);
        break;
    }
    return fits || invalid(c, "has operands of another shape than its result");
}

static bool glsl(struct code *c)
{
    struct orc_program *p = c->p;
    const struct spv_inst *s = &p->m.insts[c->spv];
    uint32_t want, plane[3] = {0};
    if (c->glsl[s->v[0]] == 2) { // non-semantic: may be ignored
        p->plane[s->result] = NONE;
        return true;
    }
    if (c->glsl[s->v[0]] != 1 || !glsl_knows(s->v[1], &want) || s->n != 2 + want)
        return why_set(&p->m, c->why, ORC_UNSUPPORTED, NULL, c->spv,
                       "unsupported: extended instruction %u", s->v[1]);
    for (uint32_t k = 0; k < want; k++)
        if (!operand(c, s->v[2 + k], &plane[k]))
            return false;
    for (uint32_t k = 0; k < want; k++)
        if (type_of(c, s->v[2 + k])->cells < p->types[s->type].cells)
            return invalid(c, "has operands of another shape than its result");
    struct inst *i = add(c, IN_GLSL);
    i->op = (uint16_t)s->v[1];
    i->comps = p->types[s->type].cells;
    i->width = type_of(c, s->v[2])->width;
    i->width2 = p->types[s->type].width;
    i->a = plane[0], i->b = plane[1], i->c = plane[2];
    return true;
}

static void move(struct code *c, struct inst *i, uint32_t dst, uint32_t src, uint32_t cells)
{
    for (uint32_t k = 0; k < cells; k++)
        i->moves[i->n++] = (struct move){dst + k, src + k};
    (void)c;
}

// Cell of a constant index path into a type. False when there is no such path.
static bool walk(struct code *c, uint32_t type, const uint32_t *index, uint32_t n, uint32_t *cell,
                 uint32_t *out)
{
    struct orc_program *p = c->p;
    *cell = 0;
    for (uint32_t k = 0; k < n; k++) {
        const struct type *t = &p->types[type];
        if (t->kind == TY_STRUCT && index[k] < t->member_count) {
            *cell += t->member[index[k]].cell;
            type = t->member[index[k]].type;
        } else if ((t->kind == TY_VECTOR || t->kind == TY_MATRIX || t->kind == TY_ARRAY) &&
                   index[k] < t->count) {
            *cell += index[k] * p->types[t->elem].cells;
            type = t->elem;
        } else
            return invalid(c, "has an index that is out of its type's bounds");
    }
    *out = type;
    return true;
}

static bool composite(struct code *c)
{
    struct orc_program *p = c->p;
    const struct spv_inst *s = &p->m.insts[c->spv];
    uint32_t cells = p->types[s->type].cells, plane, other, cell, part;
    struct inst *i = add(c, IN_MOVE);
    i->moves = ARENA_ARRAY(p->arena, struct move, cells);
    switch (s->op) {
    case SpvOpCompositeConstruct:
        for (uint32_t k = 0; k < s->n; k++) {
            uint32_t n = type_of(c, s->v[k])->cells;
            if (!operand(c, s->v[k], &plane))
                return false;
            if (n > cells - i->n)
                return invalid(c, "has too many constituents");
            move(c, i, i->dst + i->n, plane, n);
        }
        break;
    case SpvOpCompositeExtract:
        if (!operand(c, s->v[0], &plane) ||
            !walk(c, p->type_of[s->v[0]], s->v + 1, s->n - 1u, &cell, &part))
            return false;
        if (p->types[part].cells != cells)
            return invalid(c, "its type is not that of the part");
        move(c, i, i->dst, plane + cell, cells);
        break;
    case SpvOpCompositeInsert: // object, composite, indices
        if (!operand(c, s->v[0], &other) || !operand(c, s->v[1], &plane) ||
            !walk(c, p->type_of[s->v[1]], s->v + 2, s->n - 2u, &cell, &part))
            return false;
        if (type_of(c, s->v[1])->cells != cells ||
            type_of(c, s->v[0])->cells != p->types[part].cells)
            return invalid(c, "its types do not fit together");
        move(c, i, i->dst, plane, cell);
        move(c, i, i->dst + cell, other, p->types[part].cells);
        move(c, i, i->dst + i->n, plane + i->n, cells - i->n);
        break;
    case SpvOpVectorShuffle: {
        uint32_t n0 = type_of(c, s->v[0])->cells, n1 = type_of(c, s->v[1])->cells;
        if (!operand(c, s->v[0], &plane) || !operand(c, s->v[1], &other))
            return false;
        if (s->n - 2u != cells)
            return invalid(c, "has another number of components than its type");
        for (uint32_t k = 0; k < cells; k++) {
            uint32_t from = s->v[2 + k];
            if (from == UINT32_MAX) { // undefined component
                uint32_t undef = load_constant(p, 0);
                p->const_defined[undef] = false;
                move(c, i, i->dst + k, undef, 1);
            } else if (from >= n0 + n1)
                return invalid(c, "has a component out of bounds");
            else
                move(c, i, i->dst + k, from < n0 ? plane + from : other + from - n0, 1);
        }
        break;
    }
    default: // OpCopyObject, OpCopyLogical, OpBitcast of the same shape
        if (!operand(c, s->v[0], &plane))
            return false;
        if (type_of(c, s->v[0])->cells != cells ||
            (s->op == SpvOpBitcast && type_of(c, s->v[0])->width != p->types[s->type].width))
            return unsupported(c, "a cast between shapes");
        move(c, i, i->dst, plane, cells);
        if (s->op == SpvOpCopyObject)
            c->info[s->result] = c->info[s->v[0]];
        break;
    }
    if (i->n != cells)
        return invalid(c, "leaves parts of its result without a value");
    return true;
}

static bool load_store(struct code *c)
{
    struct orc_program *p = c->p;
    const struct spv_inst *s = &p->m.insts[c->spv];
    bool is_load = s->op == SpvOpLoad;
    uint32_t pointer = s->v[0], value = is_load ? s->result : s->v[1];
    const struct type *ptr = type_of(c, pointer);
    if (ptr->kind != TY_POINTER || p->plane[pointer] == NONE)
        return unsupported(c, "access through what is no known pointer");
    const struct type *t = &p->types[ptr->elem];
    struct inst *i = add(c, is_load ? IN_LOAD : IN_STORE);
    const struct pointer_info *info = &c->info[pointer];
    if (!is_load && !operand(c, value, &i->b))
        return false;
    if (type_of(c, value)->cells != t->cells)
        return invalid(c, "value and pointer are of different types");
    i->a = p->plane[pointer];
    i->comps = t->cells;
    i->object = info->bad ? NONE : info->object;
    i->is_static = info->is_static && !info->bad;
    i->offset = info->offset;
    if (load_is_laid_out(ptr->storage)) {
        struct layout_cell *layout;
        if (!load_layout(p, ptr->elem, info->matrix_stride, info->row_major, &layout, &i->n))
            return unsupported(c, "a type without layout in a buffer");
        i->layout = layout;
        for (uint32_t k = 0; k < i->n; k++)
            p->small_access |= layout[k].bytes < 4;
    }
    if (!is_load) {
        for (uint32_t k = 0; k < p->object_count; k++)
            if (i->object == k || i->object == NONE)
                p->objects[k].may_be_written = true;
    }
    return true;
}

static bool call(struct code *c)
{
    struct orc_program *p = c->p;
    const struct spv_inst *s = &p->m.insts[c->spv];
    uint32_t callee = c->function_of[s->v[0]];
    if (callee == NONE)
        return invalid(c, "calls what is no function");
    const struct spv_function *f = &p->m.functions[callee];
    if (f->block_count == 0)
        return unsupported(c, "a function without a body");
    struct inst *i = add(c, IN_CALL);
    i->comps = p->types[s->type].cells;
    i->call = ARENA_NEW(p->arena, struct call);
    i->call->function = callee;
    i->call->params = ARENA_ARRAY(p->arena, struct param, s->n);
    uint32_t at = f->first + 1;
    for (uint32_t k = 1; k < s->n; k++, at++) {
        while (at < f->last && (p->m.insts[at].op == SpvOpLine || p->m.insts[at].op == SpvOpNoLine))
            at++;
        const struct spv_inst *param = &p->m.insts[at];
        struct param *to = &i->call->params[i->call->param_count++];
        if (param->op != SpvOpFunctionParameter)
            return invalid(c, "has more arguments than the function has parameters");
        if (!operand(c, s->v[k], &to->src))
            return false;
        to->dst = p->plane[param->result];
        to->cells = p->types[param->type].cells;
        if (to->cells != type_of(c, s->v[k])->cells)
            return invalid(c, "has an argument of another type than its parameter");
    }
    if (p->m.insts[at].op == SpvOpFunctionParameter)
        return invalid(c, "has fewer arguments than the function has parameters");
    return true;
}

static bool constant_u32(const struct code *c, uint32_t id, uint64_t *value)
{
    uint32_t plane = c->p->plane[id];
    if (plane == NONE || !load_is_constant(c->p, plane) || !c->p->const_defined[plane])
        return false;
    *value = c->p->const_value[plane];
    return true;
}

// Scalars of the result, the first and the second operand of a group operation.
static bool group_fits(uint32_t op, uint32_t result, uint32_t a, uint32_t b)
{
    switch (op) {
    case SpvOpGroupNonUniformElect: return result == 1;
    case SpvOpGroupNonUniformAll:
    case SpvOpGroupNonUniformAny:
    case SpvOpGroupNonUniformQuadAllKHR:
    case SpvOpGroupNonUniformQuadAnyKHR: return result == 1 && a == 1;
    case SpvOpGroupNonUniformAllEqual: return result == 1;
    case SpvOpGroupNonUniformBallot: return result == 4 && a == 1;
    case SpvOpGroupNonUniformInverseBallot:
    case SpvOpGroupNonUniformBallotBitCount:
    case SpvOpGroupNonUniformBallotFindLSB:
    case SpvOpGroupNonUniformBallotFindMSB: return result == 1 && a == 4;
    case SpvOpGroupNonUniformBallotBitExtract: return result == 1 && a == 4 && b == 1;
    default: return result == a && b == 1;
    }
}

// OpGroupNonUniform*: scope, [group operation,] operands, [cluster size].
static bool group(struct code *c)
{
    struct orc_program *p = c->p;
    const struct spv_inst *s = &p->m.insts[c->spv];
    const struct spv_op *row = spv_op_find(s->op);
    uint64_t scope, cluster;
    uint32_t at = 0, plane[3] = {0}, n = 0;
    struct inst *i = add(c, IN_GROUP);
    bool scoped = s->op != SpvOpGroupNonUniformQuadAllKHR &&
                  s->op != SpvOpGroupNonUniformQuadAnyKHR;
    if (scoped) {
        if (!constant_u32(c, s->v[at++], &scope) || scope != SpvScopeSubgroup)
            return unsupported(c, "a scope that is not Subgroup");
    }
    if (row->operands[1].kind == SPV_OPERAND_LITERAL ||
        row->operands[1].kind == SPV_OPERAND_ENUM_ARGS) {
        if (s->n < 2)
            return invalid(c, "has no group operation");
        i->group_op = (uint16_t)s->v[at++];
        if (i->group_op > SpvGroupOperationClusteredReduce)
            return unsupported(c, "its group operation");
    }
    uint32_t first = at;
    for (; at < s->n && n < 3; at++)
        if (!operand(c, s->v[at], &plane[n++]))
            return false;
    bool clustered = i->group_op == SpvGroupOperationClusteredReduce ||
                     (s->op == SpvOpGroupNonUniformRotateKHR && n == 3);
    if (clustered) {
        if (n < 2 || !constant_u32(c, s->v[s->n - 1], &cluster) || cluster == 0 ||
            cluster > LANES_MAX || (cluster & (cluster - 1)))
            return unsupported(c, "its cluster size");
        i->cluster = (uint32_t)cluster;
        n--;
    }
    if (n > 0) {
        const struct type *t = type_of(c, s->v[first]);
        i->width = t->width;
        i->is_signed = t->is_signed;
        i->comps = t->cells;
        const struct type *scalar = t->kind == TY_VECTOR ? &p->types[t->elem] : t;
        if (s->op >= SpvOpGroupNonUniformIAdd && s->op <= SpvOpGroupNonUniformLogicalXor &&
            scalar->kind == TY_FLOAT)
            return unsupported(c, "group arithmetic on floats");
        if (s->op == SpvOpGroupNonUniformAllEqual && scalar->kind == TY_FLOAT)
            return unsupported(c, "AllEqual of floats");
    }
    i->width2 = p->types[s->type].width;
    i->a = plane[0], i->b = plane[1];
    i->n = n;
    uint32_t cells = p->types[s->type].cells, second = n > 1 ? type_of(c, s->v[first + 1])->cells : 1;
    return group_fits(s->op, cells, i->comps, second) ||
           invalid(c, "has operands of another shape than its result");
}

static bool barrier(struct code *c)
{
    const struct spv_inst *s = &c->p->m.insts[c->spv];
    uint64_t scope, memory, semantics;
    if (!constant_u32(c, s->v[0], &scope) || !constant_u32(c, s->v[1], &memory) ||
        !constant_u32(c, s->v[2], &semantics))
        return unsupported(c, "a barrier whose scopes or semantics are no constants");
    if (scope != SpvScopeWorkgroup && scope != SpvScopeSubgroup)
        return unsupported(c, "an execution scope that is neither Workgroup nor Subgroup");
    if (scope == SpvScopeSubgroup)
        return true; // converges nothing: group operations need no help, memory gets no order
    struct inst *i = add(c, IN_BARRIER);
    // Orders memory only when it says so, for this workgroup or wider.
    i->is_static = (semantics & (SpvMemorySemanticsAcquireReleaseMask |
                                 SpvMemorySemanticsSequentiallyConsistentMask)) &&
                   (memory == SpvScopeWorkgroup || memory == SpvScopeDevice ||
                    memory == SpvScopeQueueFamily);
    // Which storage: bit 0 Workgroup, bit 1 buffers.
    i->n = (semantics & SpvMemorySemanticsWorkgroupMemoryMask ? 1u : 0u) |
           (semantics & SpvMemorySemanticsUniformMemoryMask ? 2u : 0u);
    c->p->has_barrier = true;
    return true;
}

static bool array_length(struct code *c)
{
    struct orc_program *p = c->p;
    const struct spv_inst *s = &p->m.insts[c->spv];
    const struct pointer_info *info = &c->info[s->v[0]];
    const struct type *ptr = type_of(c, s->v[0]);
    const struct type *t = &p->types[ptr->elem];
    if (ptr->kind != TY_POINTER || t->kind != TY_STRUCT || s->v[1] >= t->member_count ||
        p->types[t->member[s->v[1]].type].kind != TY_RUNTIME_ARRAY || info->object == NONE ||
        p->objects[info->object].kind != OBJ_BUFFER)
        return unsupported(c, "the length of what is no runtime array of a known buffer");
    struct inst *i = add(c, IN_LENGTH);
    i->object = info->object;
    i->offset = t->member[s->v[1]].offset;
    i->n = p->types[t->member[s->v[1]].type].stride;
    if (i->n == 0)
        return invalid(c, "its array has no ArrayStride");
    return true;
}

static bool instruction(struct code *c)
{
    struct orc_program *p = c->p;
    const struct spv_inst *s = &p->m.insts[c->spv];
    if (alu_knows(s->op))
        return alu(c);
    if (group_knows(s->op))
        return group(c);
    switch (s->op) {
    case SpvOpLabel:
    case SpvOpNop:
    case SpvOpLine:
    case SpvOpNoLine:
    case SpvOpSelectionMerge:
    case SpvOpLoopMerge:
    case SpvOpVariable:
    case SpvOpPhi: // by the edges
    case SpvOpUndef:
    case SpvOpMemoryBarrier: // gives no order here: a race stays one (docs/undefined.md)
        return true;
    case SpvOpBranch:
    case SpvOpBranchConditional:
    case SpvOpSwitch:
    case SpvOpReturn:
    case SpvOpReturnValue:
    case SpvOpUnreachable: return true; // load_flow.c
    case SpvOpCompositeConstruct:
    case SpvOpCompositeExtract:
    case SpvOpCompositeInsert:
    case SpvOpVectorShuffle:
    case SpvOpCopyObject:
    case SpvOpCopyLogical:
    case SpvOpBitcast: return composite(c);
    case SpvOpAccessChain:
    case SpvOpInBoundsAccessChain: {
        struct inst i;
        bool needed;
        if (!load_chain(p, c->info, c->spv, &i, &needed, c->why))
            return false;
        if (needed) {
            i.dst = p->plane[s->result];
            *VEC_PUSH(p->arena, &c->insts) = i;
        }
        return true;
    }
    case SpvOpLoad:
    case SpvOpStore: return load_store(c);
    case SpvOpArrayLength: return array_length(c);
    case SpvOpFunctionCall: return call(c);
    case SpvOpExtInst: return glsl(c);
    case SpvOpControlBarrier: return barrier(c);
    default:
        return why_set(&p->m, c->why, ORC_UNSUPPORTED, NULL, c->spv, "unsupported: %s at %%%u",
                       spv_op_name(s->op), s->result);
    }
}

// ---- functions ------------------------------------------------------------------

// Depth-first over calls: what is reached, and that nothing calls itself.
static bool reach(struct code *c, uint32_t function, uint8_t *state, uint32_t depth)
{
    const struct spv_module *m = &c->p->m;
    const struct spv_function *f = &m->functions[function];
    state[function] = 1;
    c->reached[function] = true;
    for (uint32_t k = f->first; k < f->last; k++) {
        const struct spv_inst *s = &m->insts[k];
        if (s->op != SpvOpFunctionCall)
            continue;
        uint32_t callee = c->function_of[s->v[0]];
        c->spv = k;
        if (callee == NONE)
            return invalid(c, "calls what is no function");
        if (state[callee] == 1)
            return invalid(c, "is a recursive call");
        if (depth > 200)
            return unsupported(c, "calls nested more than 200 deep");
        if (state[callee] == 0 && !reach(c, callee, state, depth + 1))
            return false;
    }
    state[function] = 2;
    return true;
}

static bool give_function(struct code *c, uint32_t index)
{
    struct orc_program *p = c->p;
    const struct spv_function *f = &p->m.functions[index];
    struct function *out = &p->functions[index];
    uint32_t variables = 0;
    *out = (struct function){.id = f->id, .entry = f->block_first, .block_count = f->block_count};
    for (uint32_t k = f->first; k < f->last; k++)
        variables += p->m.insts[k].op == SpvOpVariable;
    out->objects = ARENA_ARRAY(p->arena, uint32_t, variables);
    for (uint32_t k = f->first + 1; k < f->last; k++) {
        const struct spv_inst *s = &p->m.insts[k];
        c->spv = k;
        if (s->op == SpvOpVariable) {
            if (!local_variable(c, out))
                return false;
        } else if (s->result && s->type && s->op != SpvOpUndef && s->op != SpvOpExtInst) {
            if (!give_planes(c, s->result, s->type))
                return false;
            if (p->types[s->type].kind == TY_POINTER)
                c->info[s->result].object = NONE;
        } else if (s->op == SpvOpExtInst && p->types[s->type].cells) {
            if (!give_planes(c, s->result, s->type))
                return false;
        }
    }
    return true;
}

static bool fill_function(struct code *c, uint32_t index)
{
    struct orc_program *p = c->p;
    const struct function *f = &p->functions[index];
    for (uint32_t b = f->entry; b < f->entry + f->block_count; b++) {
        const struct spv_block *from = &p->m.blocks[b];
        struct block *to = &p->blocks[b];
        c->insts.v = NULL;
        c->insts.n = c->insts.cap = 0;
        for (uint32_t k = from->first; k <= from->last; k++) {
            c->spv = k;
            if (!instruction(c))
                return false;
        }
        to->label = from->label;
        to->insts = c->insts.v;
        to->inst_count = (uint32_t)c->insts.n;
        to->steps = from->last - from->first + 1;
        if (!load_flow(p, b, index, c->why))
            return false;
    }
    return true;
}

bool load_code(struct orc_program *p, struct orc_why *why)
{
    const struct spv_module *m = &p->m;
    struct code c = {.p = p, .why = why};
    uint8_t *imports = ARENA_ARRAY(p->arena, uint8_t, m->bound);
    c.glsl = imports;
    c.info = ARENA_ARRAY(p->arena, struct pointer_info, m->bound);
    c.function_of = ARENA_ARRAY(p->arena, uint32_t, m->bound);
    c.reached = ARENA_ARRAY(p->arena, bool, m->function_count);
    memset(c.function_of, 0xff, m->bound * sizeof *c.function_of);
    for (uint32_t k = 0; k < m->inst_count && m->insts[k].op != SpvOpFunction; k++) {
        const struct spv_inst *s = &m->insts[k];
        const char *name = s->op == SpvOpExtInstImport ? spv_string(s->v, s->n) : NULL;
        if (name)
            imports[s->result] = strcmp(name, "GLSL.std.450") == 0            ? 1
                                 : strncmp(name, "NonSemantic.", 12) == 0 ? 2
                                                                              : 0;
    }
    for (uint32_t k = 0; k < m->function_count; k++)
        c.function_of[m->functions[k].id] = k;
    p->functions = ARENA_ARRAY(p->arena, struct function, m->function_count);
    p->function_count = m->function_count;
    p->blocks = ARENA_ARRAY(p->arena, struct block, m->block_count);
    p->block_count = m->block_count;
    uint8_t *state = ARENA_ARRAY(p->arena, uint8_t, m->function_count);
    if (!reach(&c, p->entry, state, 0))
        return false;
    for (uint32_t k = 0; k < m->function_count; k++)
        if (c.reached[k] && !give_function(&c, k))
            return false;
    pointer_constants(&c);
    for (uint32_t k = 0; k < m->function_count; k++)
        if (c.reached[k] && !fill_function(&c, k))
            return false;
    return true;
}
