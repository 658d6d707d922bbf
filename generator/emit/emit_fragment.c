// SPDX-License-Identifier: Apache-2.0
//
// What draws have instead of a dispatch: builtins, execution modes, and the log of their
// invocations (spirv/spirv_stage.h). Also the helper operations of fragment shaders.
#include "emit_parts.h"

void emit_fragment_globals(struct emit *e)
{
    const uint32_t f32 = spv_type_float(e->w, 32), vec4 = spv_type_vector(e->w, f32, 4);
    e->coord_var = emit_builtin(e, vec4, SpvBuiltInFragCoord, "coord");
    e->lane_var = emit_builtin(e, e->u32, SpvBuiltInSubgroupLocalInvocationId, "lane");
    e->size_var = emit_builtin(e, e->u32, SpvBuiltInSubgroupSize, "size");
    e->helper_var = emit_builtin(e, e->bool_type, SpvBuiltInHelperInvocation, "helper");
    emit_decorate(e, e->lane_var, SpvDecorationFlat);
    emit_decorate(e, e->size_var, SpvDecorationFlat);
    uint32_t uses = 0;
    for (size_t i = 0; i < e->p->functions.n; i++)
        uses |= e->p->functions.v[i]->uses;
    if (uses >> EXPR_FREE & 1)
        e->free_var = emit_global_variable(e, e->bool_type, SpvStorageClassPrivate, "free");
    e->pixel_var = emit_global_variable(e, e->u32, SpvStorageClassPrivate, "pixel");
    spv_type_pointer(e->w, SpvStorageClassPrivate, e->u32);
}

void emit_fragment_modes(struct emit *e, uint32_t main)
{
    SPV_PUT(e->w, SPV_EXECUTION_MODES, SpvOpExecutionMode, main, SpvExecutionModeOriginUpperLeft);
    if (!e->p->full_quads)
        return;
    spv_capability(e->w, SpvCapabilityQuadControlKHR);
    spv_extension(e->w, "SPV_KHR_quad_control");
    SPV_PUT(e->w, SPV_EXECUTION_MODES, SpvOpExecutionMode, main,
            SpvExecutionModeRequireFullQuadsKHR);
    SPV_PUT(e->w, SPV_EXECUTION_MODES, SpvOpExecutionMode, main,
            SpvExecutionModeQuadDerivativesKHR);
}

struct pixel {
    uint32_t x, y;
};

static struct pixel emit_place(struct emit *e)
{
    struct spv_writer *w = e->w;
    struct pixel p;
    const uint32_t f32 = spv_type_float(w, 32), vec4 = spv_type_vector(w, f32, 4);
    const uint32_t at = emit_load(e, vec4, e->coord_var);
    const uint32_t x = SPV_VALUE(w, SpvOpCompositeExtract, f32, at, 0);
    p.x = SPV_VALUE(w, SpvOpConvertFToU, e->u32, x);
    const uint32_t y = SPV_VALUE(w, SpvOpCompositeExtract, f32, at, 1);
    p.y = SPV_VALUE(w, SpvOpConvertFToU, e->u32, y);
    return p;
}

// Returns the live invocations of the own quad, one bit each. `live`: ballot of the live ones of
// the subgroup.
static uint32_t emit_quad(struct emit *e, uint32_t live)
{
    struct spv_writer *w = e->w;
    const bool many = e->p->subgroup > 32;
    const uint32_t part =
        many ? SPV_VALUE(w, SpvOpShiftRightLogical, e->u32, e->lane, emit_const(e, 5)) : 0;
    const uint32_t word = many ? SPV_VALUE(w, SpvOpVectorExtractDynamic, e->u32, live, part)
                               : SPV_VALUE(w, SpvOpCompositeExtract, e->u32, live, 0);
    const uint32_t by = SPV_VALUE(w, SpvOpBitwiseAnd, e->u32, e->lane, emit_const(e, 28));
    const uint32_t moved = SPV_VALUE(w, SpvOpShiftRightLogical, e->u32, word, by);
    return SPV_VALUE(w, SpvOpBitwiseAnd, e->u32, moved, emit_const(e, 15));
}

// Ends quads without a live invocation. Their FragCoord is undefined, and the implementation
// chooses when such a quad ends (R14).
static void emit_end_of_empty(struct emit *e, uint32_t quad)
{
    struct spv_writer *w = e->w;
    const size_t from = w->section[SPV_FUNCTIONS].n;
    const uint32_t end = spv_new_id(w), on = spv_new_id(w), zero = emit_const(e, 0);
    const uint32_t empty = SPV_VALUE(w, SpvOpIEqual, e->bool_type, quad, zero);
    SPV_PUT(w, SPV_FUNCTIONS, SpvOpSelectionMerge, on, SpvSelectionControlMaskNone);
    SPV_PUT(w, SPV_FUNCTIONS, SpvOpBranchConditional, empty, end, on);
    emit_note_harness(e, from);
    SPV_PUT(w, SPV_FUNCTIONS, SpvOpLabel, end);
    SPV_PUT0(w, SPV_FUNCTIONS, SpvOpReturn);
    emit_label(e, on);
}

uint32_t emit_fragment_number(struct emit *e)
{
    return emit_load(e, e->u32, e->pixel_var);
}

static uint32_t emit_pixel(struct emit *e)
{
    const struct pixel p = emit_place(e);
    const uint32_t row = SPV_VALUE(e->w, SpvOpIMul, e->u32, p.y, emit_const(e, e->p->target[0]));
    const uint32_t pixel = SPV_VALUE(e->w, SpvOpIAdd, e->u32, row, p.x);
    emit_store(e, e->pixel_var, pixel);
    return pixel;
}

// Stores whether this invocation was not the first live one of its quad.
static void emit_free(struct emit *e, uint32_t quad)
{
    struct spv_writer *w = e->w;
    const uint32_t zero = emit_const(e, 0), minus = SPV_VALUE(w, SpvOpISub, e->u32, zero, quad);
    const uint32_t lowest = SPV_VALUE(w, SpvOpBitwiseAnd, e->u32, quad, minus);
    const uint32_t index =
        SPV_VALUE(w, SpvOpBitwiseAnd, e->u32, e->lane, emit_const(e, SPV_QUAD - 1));
    const uint32_t own = SPV_VALUE(w, SpvOpShiftRightLogical, e->u32, lowest, index);
    const uint32_t bit = SPV_VALUE(w, SpvOpBitwiseAnd, e->u32, own, emit_const(e, 1));
    emit_store(e, e->free_var, SPV_VALUE(w, SpvOpIEqual, e->bool_type, bit, zero));
}

// y << SPV_COVERAGE_BITS | x
static uint32_t emit_place_bits(struct emit *e)
{
    const struct pixel p = emit_place(e);
    const uint32_t high =
        SPV_VALUE(e->w, SpvOpShiftLeftLogical, e->u32, p.y, emit_const(e, SPV_COVERAGE_BITS));
    return SPV_VALUE(e->w, SpvOpBitwiseOr, e->u32, high, p.x);
}

// Emits: if (number < room) write the row of this lane.
static void emit_row(struct emit *e, uint32_t number, uint32_t all, uint32_t live)
{
    struct spv_writer *w = e->w;
    const uint32_t size = e->p->subgroup, masks = spv_coverage_mask(size);
    const uint32_t store = spv_new_id(w), merge = spv_new_id(w),
                   room = emit_const(e, gen_subgroups(e->p));
    size_t from = w->section[SPV_FUNCTIONS].n;
    const uint32_t fits = SPV_VALUE(w, SpvOpULessThan, e->bool_type, number, room);
    SPV_PUT(w, SPV_FUNCTIONS, SpvOpSelectionMerge, merge, SpvSelectionControlMaskNone);
    SPV_PUT(w, SPV_FUNCTIONS, SpvOpBranchConditional, fits, store, merge);
    emit_note_harness(e, from);
    emit_label(e, store);
    from = w->section[SPV_FUNCTIONS].n;
    const uint32_t place = e->helper_var
                               ? emit_place_bits(e)
                               : emit_load(e, e->u32, e->coord_var); // vertices: the vertex index
    const uint32_t pixel =
        SPV_VALUE(w, SpvOpBitwiseOr, e->u32, place, emit_const(e, SPV_COVERAGE_LIVE));
    const uint32_t first = SPV_VALUE(w, SpvOpIMul, e->u32, number, emit_const(e, size));
    const uint32_t lane = SPV_VALUE(w, SpvOpIAdd, e->u32, first, e->lane);
    const uint32_t row =
        SPV_VALUE(w, SpvOpIMul, e->u32, lane, emit_const(e, spv_coverage_row(size)));
    uint32_t at = SPV_VALUE(w, SpvOpIAdd, e->u32, row, emit_const(e, SPV_COVERAGE_HEAD));
    emit_store(e, emit_buffer_at(e, GEN_LANES, at), pixel);
    for (uint32_t i = 0; i < 2 * masks; i++) {
        const uint32_t word =
            SPV_VALUE(w, SpvOpCompositeExtract, e->u32, i < masks ? all : live, i % masks);
        at = SPV_VALUE(w, SpvOpIAdd, e->u32, at, emit_const(e, 1));
        emit_store(e, emit_buffer_at(e, GEN_LANES, at), word);
    }
    SPV_PUT(w, SPV_FUNCTIONS, SpvOpBranch, merge);
    emit_note_harness(e, from);
    emit_label(e, merge);
}

uint32_t emit_coverage(struct emit *e)
{
    struct spv_writer *w = e->w;
    spv_capability(w, SpvCapabilityGroupNonUniformBallot);
    spv_capability(w, SpvCapabilityGroupNonUniformShuffle);
    size_t from = w->section[SPV_FUNCTIONS].n;
    const uint32_t draw = spv_new_id(w), merge = spv_new_id(w), zero = emit_const(e, 0),
                   one = emit_const(e, 1);
    const uint32_t helper = e->helper_var ? emit_load(e, e->bool_type, e->helper_var) : 0;
    const uint32_t alive = e->helper_var ? SPV_VALUE(w, SpvOpLogicalNot, e->bool_type, helper)
                                         : spv_const_bool(w, true);
    const uint32_t live = SPV_VALUE(w, SpvOpGroupNonUniformBallot, e->ballot, e->scope, alive);
    const uint32_t yes = spv_const_bool(w, true);
    const uint32_t all = SPV_VALUE(w, SpvOpGroupNonUniformBallot, e->ballot, e->scope, yes);
    const uint32_t first = SPV_VALUE(w, SpvOpGroupNonUniformBallotFindLSB, e->u32, e->scope, live);
    const uint32_t is = SPV_VALUE(w, SpvOpIEqual, e->bool_type, e->lane, first);
    const uint32_t before = e->block;
    SPV_PUT(w, SPV_FUNCTIONS, SpvOpSelectionMerge, merge, SpvSelectionControlMaskNone);
    SPV_PUT(w, SPV_FUNCTIONS, SpvOpBranchConditional, is, draw, merge);
    emit_note_harness(e, from);
    emit_label(e, draw);
    from = w->section[SPV_FUNCTIONS].n;
    const uint32_t count = emit_buffer_at(e, GEN_LANES, zero);
    const uint32_t drawn = SPV_VALUE(w, SpvOpAtomicIAdd, e->u32, count, one, zero, one);
    const uint32_t size = emit_load(e, e->u32, e->size_var);
    SPV_VALUE(w, SpvOpAtomicUMax, e->u32, emit_buffer_at(e, GEN_LANES, one), one, zero, size);
    SPV_PUT(w, SPV_FUNCTIONS, SpvOpBranch, merge);
    emit_note_harness(e, from);
    emit_label(e, merge);
    from = w->section[SPV_FUNCTIONS].n;
    const uint32_t one_of = SPV_VALUE(w, SpvOpPhi, e->u32, drawn, draw, zero, before);
    const uint32_t number =
        SPV_VALUE(w, SpvOpGroupNonUniformShuffle, e->u32, e->scope, one_of, first);
    const uint32_t quad = e->helper_var ? emit_quad(e, live) : 0;
    emit_note_harness(e, from);
    emit_row(e, number, all, live);
    if (quad)
        emit_end_of_empty(e, quad);
    from = w->section[SPV_FUNCTIONS].n;
    const uint32_t own =
        quad ? emit_pixel(e) : emit_load(e, e->u32, e->coord_var); // vertices: the vertex index
    if (e->free_var)
        emit_free(e, quad);
    emit_note_harness(e, from);
    return own;
}

// ---- helpers ---------------------------------------------------------------------------

uint32_t emit_helper(struct emit *e)
{
    struct spv_writer *w = e->w;
    if (e->p->helper_way == HELPER_BUILTIN)
        return emit_load(e, e->bool_type, e->helper_var);
    if (e->p->helper_way == HELPER_VOLATILE)
        return SPV_VALUE(w, SpvOpLoad, e->bool_type, e->helper_var, SpvMemoryAccessVolatileMask);
    spv_capability(w, SpvCapabilityDemoteToHelperInvocation);
    spv_extension(w, "SPV_EXT_demote_to_helper_invocation"); // of the instruction, also in 1.6
    return spv_put_value(w, SpvOpIsHelperInvocationEXT, e->bool_type, NULL, 0);
}

void emit_demote(struct emit *e)
{
    spv_capability(e->w, SpvCapabilityDemoteToHelperInvocation);
    if (e->w->version < SPV_1_6) // with it, a volatile load of HelperInvocation is undefined (R15)
        spv_extension(e->w, "SPV_EXT_demote_to_helper_invocation");
    SPV_PUT0(e->w, SPV_FUNCTIONS, SpvOpDemoteToHelperInvocation);
}

void emit_end(struct emit *e, enum gen_leave how)
{
    if (how == LEAVE_TERMINATE)
        spv_extension(e->w, "SPV_KHR_terminate_invocation");
    SPV_PUT0(e->w, SPV_FUNCTIONS, how == LEAVE_TERMINATE ? SpvOpTerminateInvocation : SpvOpKill);
}
