// SPDX-License-Identifier: Apache-2.0
//
// Decodes the functions that the entry point reaches. Input: the module view, types and constants.
// Output: functions, blocks with their instructions, and planes for every result. An instruction
// that is not supported is rejected by name.
#include "execute.h"
#include "load.h"

#include "spirv/spirv_groups.h"

#include <string.h>

bool code_unsupported(struct code *c, const char *what)
{
    return why_set(&c->p->m, c->why, RAN_UNSUPPORTED, NULL, c->spv, "%s", what);
}

bool code_invalid(struct code *c, const char *what)
{
    return why_set(&c->p->m, c->why, RAN_INVALID, NULL, c->spv, "%s", what);
}

bool code_unknown_pointer(struct code *c, uint32_t pointer, const char *what)
{
    const struct spv_module *m = &c->p->m;
    const struct spv_inst *root =
        spv_def(m, pointer); // a chain from an unknown pointer is rejected at the chain itself
    const struct spv_inst *t = root && root->op == SpvOpVariable ? spv_def(m, root->type) : NULL;
    t = t && t->op == SpvOpTypePointer ? spv_def(m, t->v[1]) : NULL;
    if (!t)
        return code_unsupported(c, what);
    const char *name = spv_name(m, root->result);
    const struct spv_inst *e =
        t->op == SpvOpTypeArray || t->op == SpvOpTypeRuntimeArray ? spv_def(m, t->v[0]) : NULL;
    return why_set(m, c->why, RAN_UNSUPPORTED, NULL, c->spv, "variable %%%u%s%.60s is %s%s",
                   root->result, name && name[0] ? " " : "", name ? name : "",
                   e ? "an array of descriptors, " : "of ", spv_op_name(e ? e->op : t->op));
}

const struct type *code_type(const struct code *c, uint32_t id)
{
    return &c->p->types[c->p->type_of[id]];
}

bool code_operand(struct code *c, uint32_t id, uint32_t *plane)
{
    *plane = c->p->plane[id];
    if (*plane == NONE)
        return why_set(&c->p->m, c->why, RAN_UNSUPPORTED, NULL, c->spv,
                       "operand %%%u is not supported by the oracle", id);
    return true;
}

struct inst *code_add(struct code *c, enum inst_class klass)
{
    struct inst *i = VEC_PUSH(c->p->arena, &c->insts);
    const struct spv_inst *s = &c->p->m.insts[c->spv];
    *i = (struct inst){.klass = (uint8_t)klass,
                       .op = s->op,
                       .spv = c->spv,
                       .object = NONE,
                       .dst = s->result ? c->p->plane[s->result] : NONE};
    return i;
}

bool code_constant(const struct code *c, uint32_t id, uint64_t *value)
{
    uint32_t plane = c->p->plane[id];
    if (!load_is_constant(c->p, plane) || !c->p->const_defined[plane])
        return false;
    *value = c->p->const_value[plane];
    return true;
}

// ---- planes -------------------------------------------------------------------

static bool give_planes(struct code *c, uint32_t id, uint32_t type)
{
    struct orc_program *p = c->p;
    const struct type *t = &p->types[type];
    if (t->kind == TY_NONE || t->kind == TY_RUNTIME_ARRAY) {
        const struct spv_inst *d = spv_def(&p->m, type);
        return why_set(&p->m, c->why, RAN_UNSUPPORTED, NULL, c->spv, "a result of %s",
                       d ? spv_op_name(d->op) : "no type");
    }
    if ((uint64_t)p->plane_count + t->cells > PLANES_MAX)
        return code_unsupported(c, "values of more than 8388608 scalars");
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
    if (s->v[0] != SpvStorageClassFunction)
        return code_invalid(c, "is in a function, but its storage class is not Function");
    if (p->types[ptr->elem].kind == TY_NONE ||
        p->types[ptr->elem].kind == TY_RUNTIME_ARRAY) // for a type that is not a pointer: none
        return code_unsupported(c, "a variable of an unsupported type");
    uint32_t cells = p->types[ptr->elem].cells, object = p->object_count;
    if ((uint64_t)p->plane_count + cells > PLANES_MAX)
        return code_unsupported(c, "values of more than 8388608 scalars");
    struct object *o = &p->objects[p->object_count++];
    *o = (struct object){.kind = OBJ_LANE,
                         .id = s->result,
                         .type = ptr->elem,
                         .cells = cells,
                         .init = NONE,
                         .builtin = NONE,
                         .plane = p->plane_count,
                         .function = (uint32_t)(f - p->functions)};
    p->plane_count += cells;
    if (s->n > 1 && !code_operand(c, s->v[1], &o->init))
        return false;
    f->objects[f->object_count++] = object;
    p->type_of[s->result] = s->type;
    return true;
}

// Assigns planes to Private and Input variables, and a constant pointer to each variable.
static void pointer_constants(struct code *c)
{
    struct orc_program *p = c->p;
    for (uint32_t k = 0; k < p->object_count; k++) {
        struct object *o = &p->objects[k];
        if (o->kind == OBJ_LANE && o->function == NONE) { // Private, Input
            o->plane = p->plane_count;
            p->plane_count += o->cells;
        }
        if (!o->id) // the object that addresses point into
            continue;
        p->plane[o->id] = load_constant(p, pointer_make(k, 0));
        c->info[o->id] =
            (struct pointer_info){.object = k, .is_static = true, .coherent = c->coherent[o->id]};
    }
}

// ---- instructions ---------------------------------------------------------------

static bool call(struct code *c)
{
    struct orc_program *p = c->p;
    const struct spv_inst *s = &p->m.insts[c->spv];
    const uint32_t callee = c->function_of[s->v[0]]; // reach() has checked that it is a function
    const struct spv_function *f = &p->m.functions[callee];
    if (f->block_count == 0)
        return code_unsupported(c, "a function without a body");
    struct inst *i = code_add(c, IN_CALL);
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
            return code_invalid(c, "has more arguments than the function has parameters");
        if (!code_operand(c, s->v[k], &to->src))
            return false;
        to->dst = p->plane[param->result];
        to->cells = p->types[param->type].cells;
        if (to->cells != code_type(c, s->v[k])->cells)
            return code_invalid(c, "has an argument of another type than its parameter");
    }
    if (p->m.insts[at].op == SpvOpFunctionParameter)
        return code_invalid(c, "has fewer arguments than the function has parameters");
    return true;
}

static bool one_instruction(struct code *c)
{
    struct orc_program *p = c->p;
    const struct spv_inst *s = &p->m.insts[c->spv];
    uint32_t operands;
    if (alu_knows(s->op))
        return load_alu(c);
    if (across_knows(s->op))
        return load_across(c);
    if (float_knows(s->op, &operands))
        return load_float(c);
    if (atomic_knows(s->op))
        return load_atomic(c);
    if (spv_group_find(s->op))
        return load_group(c);
    if (load_image_knows(s->op))
        return load_image(c);
    if (p->assumed && load_meets_nothing(c))
        return true;
    switch (s->op) {
    case SpvOpLabel:
    case SpvOpNop:
    case SpvOpLine:
    case SpvOpNoLine:
    case SpvOpSelectionMerge:
    case SpvOpLoopMerge:
    case SpvOpVariable:
    case SpvOpPhi: // decoded with the edges
    case SpvOpUndef:
        return true;
    case SpvOpBranch:
    case SpvOpBranchConditional:
    case SpvOpSwitch:
    case SpvOpReturn:
    case SpvOpReturnValue:
    case SpvOpUnreachable:
        return true; // load_flow.c decodes it
    case SpvOpCompositeConstruct:
    case SpvOpCompositeExtract:
    case SpvOpCompositeInsert:
    case SpvOpVectorShuffle:
    case SpvOpCopyObject:
    case SpvOpCopyLogical:
    case SpvOpExpectKHR:
    case SpvOpTranspose:
        return load_composite(c);
    case SpvOpAssumeTrueKHR: {
        uint32_t plane;
        if (!code_operand(c, s->v[0], &plane))
            return false;
        struct inst *i = code_add(c, IN_ASSUME);
        i->a = plane;
        return true;
    }
    case SpvOpConvertPtrToU:
    case SpvOpConvertUToPtr:
        return load_address(c);
    case SpvOpPtrAccessChain:
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
    case SpvOpStore:
        return load_access(c);
    case SpvOpCopyMemory:
        return load_copy_memory(c);
    case SpvOpArrayLength:
        return load_array_length(c);
    case SpvOpFunctionCall:
        return call(c);
    case SpvOpExtInstWithForwardRefsKHR: // only non-semantic sets may use it
    case SpvOpExtInst:
        return load_extended(c);
    case SpvOpControlBarrier:
    case SpvOpMemoryBarrier:
        return load_barrier(c);
    case SpvOpIsHelperInvocationEXT:
        code_add(c, IN_HELPER);
        return true;
    case SpvOpKill: // N2, R4
    case SpvOpTerminateInvocation:
        return p->stage->may_end || why_set(&p->m, c->why, RAN_INVALID, "E1", c->spv,
                                            "only a fragment shader may execute it (E1)");
    case SpvOpDemoteToHelperInvocation: // E2, R4
        code_add(c, IN_DEMOTE);
        return p->stage->has_helpers || why_set(&p->m, c->why, RAN_INVALID, "D4", c->spv,
                                                "only a fragment shader may execute it (D4, E2)");
    default:
        return why_set(&p->m, c->why, RAN_UNSUPPORTED, NULL, c->spv, "%s at %%%u",
                       spv_op_name(s->op), s->result);
    }
}

// RelaxedPrecision on a result is supported only for integers, and for instructions whose low bits
// depend only on low bits.
static bool relaxed(struct code *c)
{
    const struct spv_inst *s = &c->p->m.insts[c->spv];
    const struct type *t = &c->p->types[s->type];
    const struct type *scalar = t->kind == TY_VECTOR ? &c->p->types[t->elem] : t;
    switch (s->op) {
    case SpvOpLoad:
    case SpvOpIAdd:
    case SpvOpISub:
    case SpvOpIMul:
    case SpvOpNot:
    case SpvOpSNegate:
    case SpvOpBitwiseAnd:
    case SpvOpBitwiseOr:
    case SpvOpBitwiseXor:
    case SpvOpCompositeExtract:
    case SpvOpCopyObject:
        if (scalar->kind == TY_INT)
            break;
        return code_unsupported(c, "RelaxedPrecision");
    default:
        return code_unsupported(c, "RelaxedPrecision");
    }
    struct inst *i = code_add(c, IN_RELAXED);
    i->comps = t->cells;
    i->width = t->width;
    i->is_signed = t->is_signed;
    return true;
}

static bool instruction(struct code *c)
{
    uint32_t result = c->p->m.insts[c->spv].result;
    if (!one_instruction(c))
        return false;
    return (!(c->no_wrap[0][result] || c->no_wrap[1][result]) || load_no_wrap(c)) &&
           (!c->relaxed[result] || relaxed(c));
}

// RelaxedPrecision on other ids than results is supported only for inputs.
static bool relaxed_globals(struct code *c)
{
    const struct spv_module *m = &c->p->m;
    for (uint32_t k = 0; k < c->p->decoration_count; k++) {
        const struct decoration *d = &c->p->decorations[k];
        const struct spv_inst *s = spv_def(m, d->target);
        c->spv = d->spv;
        if (d->kind == SpvDecorationRelaxedPrecision &&
            (d->member != NONE || (s && s->op == SpvOpVariable && s->v[0] != SpvStorageClassInput)))
            return code_unsupported(c, "RelaxedPrecision");
    }
    return true;
}

// ---- functions ------------------------------------------------------------------

// Visits all functions that a function calls, depth-first. False for recursion or unsupported
// calls.
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
            return code_invalid(c, "calls an id that is not a function");
        if (state[callee] == 1)
            return code_invalid(c, "is a recursive call");
        if (depth > 200)
            return code_unsupported(c, "calls nested more than 200 deep");
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
        } else if (s->type && s->op != SpvOpUndef && s->op != SpvOpExtInst) {
            if (!give_planes(c, s->result, s->type))
                return false;
            c->info[s->result].object =
                p->types[s->type].storage == SpvStorageClassPhysicalStorageBuffer ? 0 : NONE;
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

// True for extended instruction sets that do not affect the program.
static bool is_non_semantic(const char *set)
{
    return strncmp(set, "NonSemantic.", 12) == 0 || strcmp(set, "OpenCL.DebugInfo.100") == 0 ||
           strcmp(set, "DebugInfo") == 0;
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
            imports[s->result] = strcmp(name, "GLSL.std.450") == 0              ? 1
                                 : strcmp(name, "NonSemantic.DebugPrintf") == 0 ? 3
                                 : is_non_semantic(name)                        ? 2
                                                                                : 0;
    }
    for (uint32_t k = 0; k < m->inst_count && m->insts[k].op == SpvOpCapability; k++)
        switch (m->insts[k].v[0]) {
        case SpvCapabilityUniformBufferArrayNonUniformIndexing:
            p->has_buffer_array[0] = true;
            break;
        case SpvCapabilityStorageBufferArrayNonUniformIndexing:
            p->has_buffer_array[1] = true;
            break;
        case SpvCapabilitySampledImageArrayNonUniformIndexing:
            p->has_image_array[ARRAY_SAMPLED] = true;
            break;
        case SpvCapabilityStorageImageArrayNonUniformIndexing:
            p->has_image_array[ARRAY_STORAGE] = true;
            break;
        case SpvCapabilityUniformTexelBufferArrayNonUniformIndexing:
            p->has_image_array[ARRAY_UNIFORM_TEXEL] = true;
            break;
        case SpvCapabilityStorageTexelBufferArrayNonUniformIndexing:
            p->has_image_array[ARRAY_STORAGE_TEXEL] = true;
            break;
        default:
            break;
        }
    c.precise = ARENA_ARRAY(p->arena, bool, m->bound);
    c.relaxed = ARENA_ARRAY(p->arena, bool, m->bound);
    load_is_decorated(p, SpvDecorationNoContraction, c.precise);
    if (p->assumed) // the caller runs all of it in full precision, or all of it in 16 bits
        p->relaxed = ARENA_ARRAY(p->arena, bool, m->bound);
    load_is_decorated(p, SpvDecorationRelaxedPrecision, p->assumed ? p->relaxed : c.relaxed);
    c.coherent = ARENA_ARRAY(p->arena, bool, m->bound);
    load_is_decorated(p, SpvDecorationCoherent, c.coherent);
    c.is_volatile = ARENA_ARRAY(p->arena, bool, m->bound);
    load_is_decorated(p, SpvDecorationVolatile, c.is_volatile);
    c.non_uniform = ARENA_ARRAY(p->arena, bool, m->bound);
    load_is_decorated(p, SpvDecorationNonUniform, c.non_uniform);
    for (int k = 0; k < 2; k++) {
        c.no_wrap[k] = ARENA_ARRAY(p->arena, bool, m->bound);
        load_is_decorated(p, k ? SpvDecorationNoSignedWrap : SpvDecorationNoUnsignedWrap,
                          c.no_wrap[k]);
    }
    if (!p->assumed && !relaxed_globals(&c))
        return false;
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
        if (!fill_function(&c, k)) // a function that is not reached has no blocks
            return false;
    return load_static(&c);
}
