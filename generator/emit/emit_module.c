// SPDX-License-Identifier: Apache-2.0
//
// The module around the functions: capabilities, execution modes, builtins and buffers
// (emit_parts.h), and the start of each function.
#include "emit_parts.h"

// ---- buffers and builtins ---------------------------------------------------------------

// Returns the type struct { uint words[]; }, with a member decoration if `how` is not NULL.
static uint32_t block_type(struct emit *e, uint32_t array, const SpvDecoration *how)
{
    struct spv_writer *w = e->w;
    uint32_t id = spv_new_id(w);
    SPV_PUT(w, SPV_GLOBALS, SpvOpTypeStruct, id, array);
    SPV_PUT(w, SPV_ANNOTATIONS, SpvOpDecorate, id, SpvDecorationBlock);
    SPV_PUT(w, SPV_ANNOTATIONS, SpvOpMemberDecorate, id, 0, SpvDecorationOffset, 0);
    if (how)
        SPV_PUT(w, SPV_ANNOTATIONS, SpvOpMemberDecorate, id, 0, (uint32_t)*how);
    return id;
}

uint32_t emit_buffer_count(const struct gen_program *p)
{
    const bool heap = p->used & (GEN_BIT(GEN_ATOMIC) | GEN_BIT(GEN_THROUGH_BUFFER));
    return heap ? GEN_BUFFERS : GEN_HEAP;
}

static void emit_buffers(struct emit *e)
{
    const char *const names[] = {[GEN_INPUTS] = "inputs",
                                 [GEN_LOG] = e->p->digest ? "digest" : "log",
                                 [GEN_LANES] = "lanes",
                                 [GEN_HEAP] = "heap"};
    static const SpvDecoration read_only = SpvDecorationNonWritable;
    static const SpvDecoration coherent = SpvDecorationCoherent;
    struct spv_writer *w = e->w;
    uint32_t array = spv_new_id(w);
    SPV_PUT(w, SPV_GLOBALS, SpvOpTypeRuntimeArray, array, e->u32);
    emit_decorate_with(e, array, SpvDecorationArrayStride, 4);
    const uint32_t n = emit_buffer_count(e->p), write = block_type(e, array, NULL);
    for (uint32_t i = 0; i < n; i++) {
        uint32_t type = write;
        if (i == GEN_INPUTS || i == GEN_HEAP)
            type = block_type(e, array, i == GEN_INPUTS ? &read_only : &coherent);
        e->buffer[i] = emit_global_variable(e, type, SpvStorageClassStorageBuffer, names[i]);
        emit_decorate_with(e, e->buffer[i], SpvDecorationDescriptorSet, 0);
        emit_decorate_with(e, e->buffer[i], SpvDecorationBinding, i);
    }
}

// True if all variables are values: those that functions share only if there is one function.
static bool no_private(const struct gen_program *p)
{
    return p->ssa && p->functions.n == 1;
}

// Declares Workgroup memory and Private variables.
static void emit_memory(struct emit *e)
{
    struct spv_writer *w = e->w;
    const uint32_t local = (uint32_t)e->p->functions.v[0]->vars.n;
    e->common = ARENA_ARRAY(w->arena, uint32_t, e->p->commons.n);
    for (uint32_t i = 0; i < e->p->commons.n; i++)
        e->common[i] = EMIT_SLOT | (local + i);
    e->used_var = EMIT_SLOT | (local + (uint32_t)e->p->commons.n);
    e->private_u32 = spv_type_pointer(w, SpvStorageClassPrivate, e->u32);
    if (!no_private(e->p))
        e->used_var = emit_global_variable(e, e->u32, SpvStorageClassPrivate,
                                           e->p->digest ? "digest" : "used");
    for (uint32_t i = 0; i < e->p->commons.n && !no_private(e->p); i++) {
        char name[16];
        snprintf(name, sizeof name, "g%u", i);
        e->common[i] = emit_global_variable(e, e->u32, SpvStorageClassPrivate, name);
    }
    if (e->p->used & GEN_BIT(GEN_SHARED)) {
        const uint32_t size = emit_const(e, e->p->local_size), array = spv_new_id(w);
        SPV_PUT(w, SPV_GLOBALS, SpvOpTypeArray, array, e->u32, size);
        e->shared_u32 = spv_type_pointer(w, SpvStorageClassWorkgroup, e->u32);
        e->shared = emit_global_variable(e, array, SpvStorageClassWorkgroup, "shared");
    }
}

static void emit_compute_globals(struct emit *e)
{
    uint32_t uses = 0;
    for (size_t i = 0; i < e->p->functions.n; i++)
        uses |= e->p->functions.v[i]->uses;
    e->global_var = emit_builtin(e, e->vec3, SpvBuiltInGlobalInvocationId, "global");
    e->lane_var = emit_builtin(e, e->u32, SpvBuiltInSubgroupLocalInvocationId, "lane");
    e->subgroup_var = emit_builtin(e, e->u32, SpvBuiltInSubgroupId, "subgroup");
    e->size_var = emit_builtin(e, e->u32, SpvBuiltInSubgroupSize, "size");
    if (uses & USES_LOCAL || e->p->two_by_two)
        e->local_var = emit_builtin(e, e->u32, SpvBuiltInLocalInvocationIndex, "local");
    if (uses & USES_GROUP || e->p->two_by_two)
        e->group_var = emit_builtin(e, e->vec3, SpvBuiltInWorkgroupId, "group");
}

// Emits the size of the workgroup and, if quads matter, the mode that defines them.
static void emit_compute_modes(struct emit *e, uint32_t main)
{
    const bool square = e->p->two_by_two;
    SPV_PUT(e->w, SPV_EXECUTION_MODES, SpvOpExecutionMode, main, SpvExecutionModeLocalSize,
            square ? e->p->local_size / 2 : e->p->local_size, square ? 2 : 1, 1);
    if (!square && !(e->p->used & GEN_QUADS))
        return;
    spv_capability(e->w, square ? SpvCapabilityComputeDerivativeGroupQuadsKHR
                                : SpvCapabilityComputeDerivativeGroupLinearKHR);
    spv_extension(e->w, "SPV_KHR_compute_shader_derivatives");
    SPV_PUT(e->w, SPV_EXECUTION_MODES, SpvOpExecutionMode, main,
            square ? SpvExecutionModeDerivativeGroupQuadsKHR
                   : SpvExecutionModeDerivativeGroupLinearKHR);
}

static uint32_t emit_compute_number(struct emit *e)
{
    struct spv_writer *w = e->w;
    const bool square = e->p->two_by_two;
    const uint32_t id = emit_load(e, e->vec3, square ? e->group_var : e->global_var);
    const uint32_t x = SPV_VALUE(w, SpvOpCompositeExtract, e->u32, id, 0);
    if (!square)
        return x;
    const uint32_t first = SPV_VALUE(w, SpvOpIMul, e->u32, x, emit_const(e, e->p->local_size));
    const uint32_t local = emit_load(e, e->u32, e->local_var);
    return SPV_VALUE(w, SpvOpIAdd, e->u32, first, local);
}

static void emit_no_modes(struct emit *e, uint32_t main)
{
    (void)e, (void)main;
}

static void emit_vertex_globals(struct emit *e)
{
    const uint32_t f32 = spv_type_float(e->w, 32);
    e->coord_var = emit_builtin(e, e->u32, SpvBuiltInVertexIndex, "vertex");
    e->lane_var = emit_builtin(e, e->u32, SpvBuiltInSubgroupLocalInvocationId, "lane");
    e->size_var = emit_builtin(e, e->u32, SpvBuiltInSubgroupSize, "size");
    e->point_var = emit_global_variable(e, f32, SpvStorageClassOutput, "point"); // Vulkan requires
                                                                                 // it for points
    SPV_PUT(e->w, SPV_ANNOTATIONS, SpvOpDecorate, e->point_var, SpvDecorationBuiltIn,
            SpvBuiltInPointSize);
}

static uint32_t emit_vertex_number(struct emit *e)
{
    return emit_load(e, e->u32, e->coord_var);
}

// Functions for each stage, one row each. `number` loads the linear index of the invocation; in the
// entry point of a draw the coverage log has already computed it.
static const struct {
    void (*globals)(struct emit *e);
    void (*modes)(struct emit *e, uint32_t main);
    uint32_t (*number)(struct emit *e);
} stages[SPV_STAGES] = {
    [SPV_COMPUTE] = {emit_compute_globals, emit_compute_modes, emit_compute_number},
    [SPV_FRAGMENT] = {emit_fragment_globals, emit_fragment_modes, emit_fragment_number},
    [SPV_VERTEX] = {emit_vertex_globals, emit_no_modes, emit_vertex_number},
};

static uint32_t emit_number(struct emit *e)
{
    return stages[e->p->stage].number(e);
}

static void emit_entry_point(struct emit *e, enum spv_model model)
{
    struct spv_writer *w = e->w;
    const uint32_t main = e->function[e->p->functions.n - 1];
    struct words v = {0};
    *VEC_PUSH(w->arena, &v) = spv_stage_row(e->p->stage)->model;
    *VEC_PUSH(w->arena, &v) = main;
    spv_string_words(w->arena, &v, "main");
    const uint32_t builtins[] = {e->global_var, e->lane_var,   e->subgroup_var,
                                 e->size_var,   e->local_var,  e->group_var,
                                 e->coord_var,  e->helper_var, e->point_var};
    for (size_t i = 0; i < sizeof builtins / sizeof *builtins; i++)
        if (builtins[i])
            *VEC_PUSH(w->arena, &v) = builtins[i];
    if (w->version >= SPV_1_4) { // since 1.4 all variables of the module must be listed
        for (uint32_t i = 0; i < emit_buffer_count(e->p); i++)
            *VEC_PUSH(w->arena, &v) = e->buffer[i];
        for (uint32_t i = 0; i < e->p->commons.n && !no_private(e->p); i++)
            *VEC_PUSH(w->arena, &v) = e->common[i];
        const uint32_t others[] = {e->shared, e->free_var, e->used_var, e->pixel_var};
        for (size_t i = 0; i < sizeof others / sizeof *others; i++)
            if (others[i] && !(others[i] & EMIT_SLOT))
                *VEC_PUSH(w->arena, &v) = others[i];
        for (uint32_t i = 0; i < GEN_IMAGE_BINDINGS; i++)
            if (e->images.variable[i])
                *VEC_PUSH(w->arena, &v) = e->images.variable[i];
    }
    spv_put(w, SPV_ENTRY_POINTS, SpvOpEntryPoint, v.v, v.n);
    stages[e->p->stage].modes(e, main);
    if (model == SPV_MAXIMAL) {
        spv_extension(w, "SPV_KHR_maximal_reconvergence");
        SPV_PUT(w, SPV_EXECUTION_MODES, SpvOpExecutionMode, main,
                SpvExecutionModeMaximallyReconvergesKHR);
    } else if (model == SPV_SUBGROUP_UNIFORM) {
        spv_extension(w, "SPV_KHR_subgroup_uniform_control_flow");
        SPV_PUT(w, SPV_EXECUTION_MODES, SpvOpExecutionMode, main,
                SpvExecutionModeSubgroupUniformControlFlowKHR);
    }
}

// ---- functions -----------------------------------------------------------------------------

static void emit_signature(struct emit *e)
{
    const struct gen_function *f = e->f;
    struct spv_writer *w = e->w;
    uint32_t types[GEN_PARAMS_MAX];
    for (uint32_t i = 0; i < f->param_count; i++)
        types[i] = f->param[i] == TYPE_BOOL ? e->bool_type : e->u32;
    uint32_t result = f->has_result ? e->u32 : e->void_type;
    SPV_PUT(w, SPV_FUNCTIONS, SpvOpFunction, result, e->function[f->index],
            SpvFunctionControlMaskNone, spv_type_function(w, result, types, f->param_count));
    for (uint32_t i = 0; i < f->param_count; i++)
        e->param[i] = spv_put_value(w, SpvOpFunctionParameter, types[i], NULL, 0);
}

static void emit_variables(struct emit *e, bool main)
{
    const struct gen_function *f = e->f;
    struct spv_writer *w = e->w;
    e->value = ARENA_ARRAY(w->arena, uint32_t, f->values.n);
    e->var = ARENA_ARRAY(w->arena, uint32_t, f->vars.n);
    const uint32_t local = (uint32_t)f->vars.n;
    emit_slots(e, !e->p->ssa         ? 0
                  : no_private(e->p) ? local + (uint32_t)e->p->commons.n + 1
                                     : local);
    for (uint32_t i = 0; i < f->vars.n; i++) {
        char name[16];
        if (f->vars.v[i].common) {
            e->var[i] = e->common[f->vars.v[i].common - 1];
            continue;
        }
        e->var[i] = EMIT_SLOT | i;
        if (e->slots)
            continue;
        e->var[i] = SPV_VALUE(w, SpvOpVariable, e->function_u32, SpvStorageClassFunction);
        snprintf(name, sizeof name, "%c%u", f->vars.v[i].counter ? 'i' : 'v', i);
        spv_put_name(w, e->var[i], name);
    }
    emit_places(e);
    for (uint32_t i = 0; i < f->vars.n; i++)
        if (!f->vars.v[i].common)
            emit_store(e, e->var[i], emit_const(e, f->vars.v[i].first));
    for (uint32_t i = 0; main && i < e->p->commons.n; i++)
        emit_store(e, e->common[i], emit_const(e, e->p->commons.v[i]));
    const size_t from = w->section[SPV_FUNCTIONS].n;
    if (main)
        emit_store(e, e->used_var, emit_const(e, 0));
    if (main && e->point_var)
        emit_store(e, e->point_var, spv_const_f32(w, 1));
    emit_note_harness(e, from);
}

// A program with a digest stores its mapping as one word, any other as three.
static void emit_lanes(struct emit *e)
{
    struct spv_writer *w = e->w;
    uint32_t subgroup = emit_load(e, e->u32, e->subgroup_var);
    uint32_t size = emit_load(e, e->u32, e->size_var);
    const uint32_t value[] = {subgroup, e->lane, size};
    if (e->p->digest) {
        const uint32_t by[] = {SPV_LANES_SUBGROUP, SPV_LANES_LANE};
        uint32_t word = size;
        for (uint32_t i = 0; i < 2; i++) {
            const uint32_t part =
                SPV_VALUE(w, SpvOpShiftLeftLogical, e->u32, value[i], emit_const(e, by[i]));
            word = SPV_VALUE(w, SpvOpBitwiseOr, e->u32, word, part);
        }
        emit_store(e, emit_buffer_at(e, GEN_LANES, e->global), word);
        return;
    }
    uint32_t at = SPV_VALUE(w, SpvOpIMul, e->u32, e->global, emit_const(e, 3));
    for (uint32_t i = 0; i < 3; i++) {
        uint32_t to = i ? SPV_VALUE(w, SpvOpIAdd, e->u32, at, emit_const(e, i)) : at;
        emit_store(e, emit_buffer_at(e, GEN_LANES, to), value[i]);
    }
}

// True if the function needs the address of its invocation's log row.
static bool writes_row(const struct emit *e)
{
    return e->main || (e->f->logs && !e->p->digest);
}

// Loads the builtins, the input word and the log row that the function needs.
static void emit_start(struct emit *e, bool main)
{
    struct spv_writer *w = e->w;
    const uint32_t uses = e->f->uses;
    e->lane = e->local = e->global = e->group = e->input_own = e->counter = e->entries = 0;
    size_t from = w->section[SPV_FUNCTIONS].n;
    const bool draws = !spv_stage_row(e->p->stage)->has_workgroups;
    if (uses & USES_LANE || main)
        e->lane = emit_load(e, e->u32, e->lane_var);
    if (!(uses & USES_LANE)) // only the mapping needs it
        emit_note_harness(e, from);
    from = w->section[SPV_FUNCTIONS].n;
    if (main && draws)
        e->global = emit_coverage(e);
    else if (uses & USES_GLOBAL || writes_row(e) || (draws && uses & USES_LOCAL))
        e->global = emit_number(e);
    if (main && draws)
        from = w->section[SPV_FUNCTIONS].n;
    if (!(uses & USES_GLOBAL)) // only the log row needs it
        emit_note_harness(e, from);
    if (uses & USES_LOCAL)
        e->local = draws ? e->global : emit_load(e, e->u32, e->local_var);
    if (uses & USES_GROUP && draws) {
        e->group = emit_const(e, 0);
    } else if (uses & USES_GROUP) {
        uint32_t id = emit_load(e, e->vec3, e->group_var);
        e->group = SPV_VALUE(w, SpvOpCompositeExtract, e->u32, id, 0);
    }
    if (uses & 1u << EXPR_INPUT_OWN)
        e->input_own = emit_load(e, e->u32, emit_buffer_at(e, GEN_INPUTS, e->global));
    from = w->section[SPV_FUNCTIONS].n;
    if (writes_row(e))
        emit_log_row(e);
    if (main && !draws)
        emit_lanes(e);
    emit_note_harness(e, from);
}

static void emit_function(struct emit *e, uint32_t index)
{
    const bool main = index + 1 == e->p->functions.n;
    e->f = e->p->functions.v[index];
    e->main = main;
    emit_signature(e);
    emit_label(e, spv_new_id(e->w));
    emit_variables(e, main);
    emit_start(e, main);
    emit_body(e, &e->f->body);
    SPV_PUT0(e->w, SPV_FUNCTIONS, SpvOpFunctionEnd);
}

// Returns the oldest SPIR-V version that has all used features, so that as many tools as possible
// can read the module.
static uint32_t version_of(const struct gen_program *p)
{
    if (p->helper_way == HELPER_VOLATILE && p->used & GEN_BIT(GEN_HELPERS))
        return SPV_1_6; // R15
    return p->used & GEN_BIT(GEN_OP_LANE_VALUE) ? SPV_1_5
           : p->used & GEN_BIT(GEN_PEEL)        ? SPV_1_4
                                                : SPV_1_3;
}

const uint32_t *emit_module(const struct gen_program *p, struct arena *a, enum spv_model model,
                            size_t *count, struct gen_emitted *out)
{
    struct spv_writer w;
    struct emit e = {.p = p, .w = &w};
    spv_writer_start(&w, a, version_of(p));
    spv_capability(&w, SpvCapabilityShader);
    spv_capability(&w, SpvCapabilityGroupNonUniform);
    SPV_PUT(&w, SPV_MEMORY_MODEL, SpvOpMemoryModel, SpvAddressingModelLogical,
            SpvMemoryModelGLSL450);
    e.void_type = spv_type_void(&w);
    e.bool_type = spv_type_bool(&w);
    e.u32 = spv_type_int(&w, 32, false);
    e.vec3 = spv_type_vector(&w, e.u32, 3);
    e.scope = spv_const_u32(&w, SpvScopeSubgroup);
    e.ballot = spv_type_vector(&w, e.u32, 4);
    e.buffer_u32 = spv_type_pointer(&w, SpvStorageClassStorageBuffer, e.u32);
    e.function_u32 = spv_type_pointer(&w, SpvStorageClassFunction, e.u32);
    e.function = ARENA_ARRAY(a, uint32_t, p->functions.n);
    for (uint32_t i = 0; i < p->functions.n; i++) {
        char name[16];
        e.function[i] = spv_new_id(&w);
        snprintf(name, sizeof name, i + 1 == p->functions.n ? "main" : "f%u", i);
        spv_put_name(&w, e.function[i], name);
    }
    emit_buffers(&e);
    stages[p->stage].globals(&e);
    emit_memory(&e);
    emit_image_variables(&e);
    emit_entry_point(&e, model);
    for (uint32_t i = (uint32_t)p->functions.n; i-- > 0;) // the entry point first
        emit_function(&e, i);
    *out = (struct gen_emitted){e.ops.v, (uint32_t)e.ops.n, e.harness.v, (uint32_t)e.harness.n};
    return spv_writer_finish(&w, count);
}
