// SPDX-License-Identifier: Apache-2.0
//
// A decoded module. The loader (load_*.c) builds it once; a run does not change it.
//
// A value of any type is a row of *cells*, its scalars in order. A *plane* holds one cell for all
// lanes, as 64-bit words that are zero-extended from the cell's width. SPIR-V has no recursion, so
// a lane never has two activations of a function: each id has fixed planes, and writes are masked
// by the active lanes.
#ifndef TF_ORACLE_PROGRAM_H
#define TF_ORACLE_PROGRAM_H

#include "types.h"

#include <stdarg.h>

// ---- instructions -------------------------------------------------------------

enum inst_class {
    IN_ALU,     // op, width: alu.c
    IN_INDEX,   // the index of a vector's component, before its use: execute.c
    IN_DIVISOR, // the operands of a division or remainder, before it: execute.c
    IN_ACROSS,  // alu_across.c
    IN_RELAXED, // a result that may be computed in 16 bits: alu_across.c
    IN_NO_WRAP, // a result that is undefined if it wrapped: alu_across.c
    IN_MOVE,    // moves[]: copies of planes
    IN_GROUP,   // group.c
    IN_CHAIN,   // access chain: memory.c
    IN_LOAD,
    IN_STORE,
    IN_ATOMIC, // atomic.c
    IN_ASSUME, // OpAssumeTrueKHR
    IN_LENGTH, // OpArrayLength
    IN_CALL,
    IN_BARRIER, // OpControlBarrier: order.h
    IN_FENCE,   // OpMemoryBarrier
    IN_GLSL,    // GLSL.std.450: op is the instruction number
    IN_FLOAT,   // float.c
    IN_FLOAT_GLSL,
    IN_QUIETEN,  // floats from memory or casts: float.c
    IN_PRINT,    // debugPrintf: `moves` has the planes of its arguments; only an observer sees it
    IN_HELPER,   // OpIsHelperInvocationEXT
    IN_DEMOTE,   // OpDemoteToHelperInvocation
    IN_IMAGE,    // image.c
    IN_TOGETHER, // image.c, if the result depends on the tangle
};

enum image_kind {
    IMAGE_SAMPLE,
    IMAGE_GATHER,
    IMAGE_FETCH,
    IMAGE_READ,
    IMAGE_WRITE,
    IMAGE_POINTER, // OpImageTexelPointer
    IMAGE_SIZE,
    IMAGE_LEVELS,
    IMAGE_SAMPLES, // OpImageQuerySamples
    IMAGE_LOD,     // OpImageQueryLod
};

struct image_op {
    uint8_t kind;
    bool implicit; // the LOD comes from derivatives in the quad
    bool projective;
    bool non_uniform; // images may differ in the tangle
    bool any_sampler; // samplers may differ (R10)
    uint8_t axes;     // coordinates without the layer; three for a cube
    const struct image_type *type;
    // Planes; NONE if the operand is absent.
    uint32_t image, sampler, coordinate, offset, lod, bias, min_lod, dx, dy;
    uint32_t texel;  // IMAGE_WRITE: the value; IMAGE_GATHER: the component
    uint32_t sample; // of an image of several samples
    uint32_t depth;  // the number that a texel is compared with (Dref)
};

struct move {
    uint32_t dst, src; // planes
};

struct step {       // of an access chain, after its constant part
    uint32_t plane; // index
    uint8_t width;
    bool is_signed;
    uint64_t stride; // cells or bytes
    uint32_t count;  // number of elements; NONE for a runtime array
};

struct inst {
    uint8_t klass;
    uint8_t width;  // of a scalar of the operands
    uint8_t width2; // of a scalar of the second operand (shifts) or of the result (conversions)
    bool is_signed;
    uint16_t op;         // SpvOp
    uint16_t group_op;   // SpvGroupOperation
    uint32_t comps;      // number of scalars to process
    uint32_t dst;        // first plane of the result; NONE: no result
    uint32_t a, b, c, d; // first planes of operands
    uint32_t spv;        // index of the instruction in the module
    uint32_t n;          // entries of the list below
    union {
        struct move *moves;
        struct step *steps;
        const struct layout_cell *layout; // loads and stores of memory with explicit layout
        struct call *call;
        const struct image_op *image;
    };
    // Loads, stores, chains: the object if the loader knows it (else NONE), and the constant part
    // of the offset.
    uint32_t object;
    uint64_t offset;
    bool is_static;   // the offset has only the constant part
    uint32_t cluster; // group operations: ClusterSize; 0: absent
    uint8_t space;    // accesses: enum order_class
    uint16_t order;   // accesses, barriers, fences: flags of order.h
    bool bad;         // chains: a constant index is out of bounds
    bool selects;     // chains: the first step selects a buffer of an array
    bool uniform;     // accesses: the buffer must be the same in the tangle (R10)
    uint32_t align;   // buffer accesses: alignment of the Aligned operand; 0: none
    bool is_float;    // group operations: the operand is a float
    bool precise;     // floats: decorated NoContraction
};

struct call {
    uint32_t function;
    uint32_t param_count;
    struct param {
        uint32_t dst, src, cells;
    } *params;
};

// ---- control flow -----------------------------------------------------------------

struct edge {
    uint32_t target; // block index
    uint32_t move_count;
    struct move *moves; // the target's OpPhi for this edge, executed in order
    bool parallel;      // a phi reads what another one writes: read all before writing
};

enum terminator {
    END_BRANCH,
    END_CONDITIONAL,
    END_SWITCH,
    END_RETURN,
    END_RETURN_VALUE,
    END_UNREACHABLE,
    END_TERMINATE, // OpTerminateInvocation
    END_KILL,
};

// A case of an OpSwitch. Labels that branch to one block share one entry. The entries are ordered
// such that a case comes after all cases that fall through to it.
struct switch_case {
    uint32_t edge; // index in the block's edges
    uint32_t value_count;
    uint64_t *values; // zero-extended; empty if only the default
    bool is_default;
};

struct block {
    uint32_t label;
    struct inst *insts;
    uint32_t inst_count;
    uint32_t steps; // SPIR-V instructions from label to terminator, for the step limit

    uint8_t end;
    uint32_t end_spv; // index of the terminator in the module
    uint32_t plane;   // condition, selector, returned value
    uint32_t cells;   // of the returned value
    struct edge *edges;
    uint32_t edge_count;
    struct switch_case *cases;
    uint32_t case_count;

    uint8_t merge_kind;   // 0, SpvOpSelectionMerge, SpvOpLoopMerge
    uint32_t merge, cont; // block indices
    uint32_t most;        // MaxIterations of the loop control; UINT32_MAX: not given
    // This block is a merge block, continue target, loop header or switch label. Only a branch to
    // such a block can end a part of a tangle.
    bool is_target;
};

struct function {
    uint32_t id;
    uint32_t entry;       // block index
    uint32_t block_count; // blocks entry .. entry + count - 1
    uint32_t *objects;    // its Function variables
    uint32_t object_count;
};

struct decoration {
    uint32_t target, member; // NONE if the target itself is decorated
    uint32_t kind;           // SpvDecoration
    const uint32_t *v;       // its operands
    uint32_t n;
    uint32_t spv; // index of the decorating instruction
};

// Decorations of variables and specialisation constants; NONE: absent.
struct declared {
    uint32_t spec_id, set, binding, builtin;
};

// The kinds of image for which a capability allows nonuniform array indices.
enum image_array { ARRAY_SAMPLED, ARRAY_STORAGE, ARRAY_UNIFORM_TEXEL, ARRAY_STORAGE_TEXEL };

struct orc_program {
    struct arena *arena;
    const struct spv_case *c;
    struct spv_module m;
    struct decoration *decorations;
    uint32_t decoration_count, decoration_room;
    struct declared *declared; // [bound]
    struct type *types;        // [bound]
    uint32_t *plane;           // [bound] first plane of an id's value; NONE: no value
    uint32_t *type_of;         // [bound] type id of a value
    uint32_t plane_count;
    // Planes of constants and OpUndef, filled before a run: [plane]; valid where plane < const_room
    // and is_const.
    uint32_t const_room;
    bool *is_const;
    uint64_t *const_value;
    bool *const_defined;
    struct object *objects;
    uint32_t object_count;
    uint32_t shared_cells;
    uint32_t
        uniform_words; // number of words of OpenGL's uniforms; they are the last push constants
    struct function *functions;
    uint32_t function_count;
    struct block *blocks;
    uint32_t block_count;
    uint32_t entry; // function index
    uint32_t local_size[3];
    enum spv_quads quads;
    bool small_access; // 8- or 16-bit accesses exist: races are detected for each byte
    bool has_barrier;
    bool has_fence;     // OpMemoryBarrier, or a barrier of subgroup scope
    bool atomic_order;  // an atomic with Acquire or Release semantics
    bool vulkan_memory; // MemoryModel Vulkan
    const struct spv_stage_row *stage;
    const struct stage_rules *rules; // of the stage: machine.h
    bool full_quads;                 // RequireFullQuadsKHR
    bool quad_derivatives;           // QuadDerivativesKHR
    bool wants_quads;                // derivatives or quad operations exist: helpers are launched
    uint32_t coverage;               // object of the coverage buffer; NONE: absent
    bool physical;                   // PhysicalStorageBuffer64: addresses point into object 0
    bool has_buffer_array[2]; // capabilities for nonuniform buffer indices: Uniform, StorageBuffer
    bool has_image_array[4];  // capabilities for nonuniform image indices: enum image_array
    bool maximal;             // the entry point declares MaximallyReconvergesKHR
    bool assumed;             // treated as if it declared its model's execution mode
    bool weak;                // its model promises less than maximal reconvergence
    bool *relaxed;    // [bound] results decorated RelaxedPrecision that are computed in full
                      // precision; else NULL
    uint32_t max_phi; // largest number of moves of one edge
};

// load_decorations.c
bool load_decorations(struct orc_program *p, struct orc_why *why);
// load_types.c
bool load_types(struct orc_program *p, struct orc_why *why);
// Returns the layout of a type's cells in memory. False if a decoration is missing. `matrix_stride`
// and `row_major` are those of the member that holds a matrix.
bool load_layout(struct orc_program *p, uint32_t type, uint32_t matrix_stride, bool row_major,
                 struct layout_cell **out, uint32_t *n);
// load_constants.c
bool load_constant_of(struct orc_program *p, uint32_t spv, struct orc_why *why);
bool load_is_constant(const struct orc_program *p, uint32_t plane);
// Returns a plane with a defined constant value.
uint32_t load_constant(struct orc_program *p, uint64_t value);
// load_pointer.c: what the loader knows about a pointer.
struct pointer_info {
    uint32_t object;     // NONE: known only at run time
    uint64_t offset;     // in bytes or cells, if is_static
    bool is_static, bad; // bad: an index is out of bounds; then not static
    uint32_t matrix_stride;
    bool row_major;
    bool coherent; // the variable or an accessed member is decorated Coherent
};
// Decodes an access chain. Sets `needed` if it needs an instruction at run time, which is then in
// `out`.
bool load_chain(struct orc_program *p, struct pointer_info *info, uint32_t spv, struct inst *out,
                bool *needed, struct orc_why *why);
bool load_is_laid_out(
    uint32_t storage_class); // offsets are in bytes, with explicit layout; otherwise in cells
// load_code.c: decodes all functions that the entry point reaches.
bool load_code(struct orc_program *p, struct orc_why *why);
// load_flow.c: terminators, merges, phis, the order of cases.
bool load_flow(struct orc_program *p, uint32_t block, uint32_t function, struct orc_why *why);

// Writes the reason after the first `at` bytes of why->text. If the status is RAN_UNSUPPORTED, it
// is written before the reason.
void why_reason(struct orc_why *why, size_t at, const char *fmt, va_list args);
// Fills `why` and returns false. `spv`: index of an instruction, or NONE.
bool why_set(const struct spv_module *m, struct orc_why *why, enum ran status, const char *rule,
             uint32_t spv, const char *fmt, ...) TF_PRINTF(6, 7);

#endif
