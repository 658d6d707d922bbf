// SPDX-License-Identifier: Apache-2.0
//
// A module decoded for the mask machine. Made once by load_*.c, never changed
// by a run.
//
// Values are flat: a value of any type is a row of *cells*, its scalars in
// order; a cell of all lanes is a *plane*, lanes x 64 bits, zero-extended from
// its width. SPIR-V has no recursion, so every id owns its planes for good and a
// lane never has two activations of a function: masked writes are all it takes.
#ifndef TF_ORACLE_PROGRAM_H
#define TF_ORACLE_PROGRAM_H

#include "oracle.h"

#include <stdarg.h>

#define NONE UINT32_MAX

// ---- types --------------------------------------------------------------------

enum type_kind {
    TY_NONE, // not a type, or one the oracle does not know
    TY_VOID,
    TY_BOOL,
    TY_INT,
    TY_FLOAT,
    TY_VECTOR,
    TY_MATRIX,
    TY_ARRAY,
    TY_RUNTIME_ARRAY,
    TY_STRUCT,
    TY_POINTER,
    TY_IMAGE,   // one cell: which descriptor, as pointer_make(variable, element)
    TY_SAMPLER, // the same
    TY_SAMPLED, // two: of the image, of the sampler
};

struct member {
    uint32_t type, cell; // first cell in the struct
    uint32_t offset;     // byte offset by decoration, NONE when there is none
    uint32_t matrix_stride;
    bool row_major;
    bool coherent;
};

struct type {
    uint8_t kind;
    uint8_t width; // bits of the scalar inside (bool: 1); of vectors' and matrices' scalars too
    bool is_signed;
    uint32_t elem;    // component, column, element or pointee type id
    uint32_t count;   // components, columns, elements
    uint32_t cells;   // flattened; a pointer has 1, a runtime array 0
    uint32_t stride;  // ArrayStride, 0 when there is none
    uint32_t storage; // of a pointer
    struct member *member;
    uint32_t member_count;
    const struct image_type *image; // TY_IMAGE, TY_SAMPLED
};

// What OpTypeImage says.
struct image_type {
    char texel; // 'f', 'i', 'u' of 32 bits; 0: of another type
    uint32_t dim;
    bool arrayed, multisampled, storage;
    uint32_t format;
};

// Where the cells of a value lie in laid-out memory.
struct layout_cell {
    uint32_t offset; // bytes from the value's start
    uint8_t bytes;
};

// ---- memory objects ---------------------------------------------------------------

enum object_kind {
    OBJ_LANE,   // Function, Private, Input: planes of each invocation's own
    OBJ_SHARED, // Workgroup: cells
    OBJ_BUFFER, // StorageBuffer, Uniform, storage images: bytes of a case's buffer
    OBJ_PUSH,   // PushConstant: bytes
    OBJ_BOUND,  // UniformConstant: sampled images, samplers
};

struct object {
    uint8_t kind;
    bool may_be_written; // some store or atomic may reach it
    uint32_t id, type;   // of the variable; type is the pointee
    uint32_t plane;      // OBJ_LANE: first plane; OBJ_SHARED: first cell
    uint32_t cells;
    uint32_t init; // plane of the initialiser, NONE when there is none
    uint32_t set, binding;
    const struct image_type
        *image;           // OBJ_BUFFER: of a storage image, whose texels the bytes are; OBJ_BOUND
    bool samples;         // OBJ_BOUND: samplers, or images with samplers
    uint32_t descriptors; // elements, where the type says so; NONE for a runtime array
    bool many; // OBJ_BUFFER: an array of buffers, one every DESCRIPTOR_BYTES of its pointers'
               // offsets
    uint32_t builtin;  // Input: SpvBuiltIn; NONE else
    uint32_t uniform;  // OBJ_LANE: OpenGL's uniforms: 1 + the word of uniform_words that its first
                       // cell is; 0 else
    uint32_t function; // index of the function that owns it, NONE for globals
};

// A pointer in a plane: the object's index above, cells or bytes below.
enum { POINTER_SHIFT = 40 };
#define POINTER_BAD                                                                                \
    0xfffffeu // came from an index out of bounds; must not be used. Offset 1: of an array whose
              // length the module says
// What stands between two buffers of one array in such an offset. The first object of a module with
// physical addresses is what these point into, an array of buffers as well: an address and a
// pointer are the same number.
enum { DESCRIPTOR_SHIFT = 26 };
#define DESCRIPTOR_BYTES (UINT64_C(1) << DESCRIPTOR_SHIFT)
static inline uint64_t pointer_make(uint32_t object, uint64_t offset)
{
    return ((uint64_t)(object + 1) << POINTER_SHIFT) | offset;
}
static inline uint32_t pointer_object(uint64_t p)
{
    return (uint32_t)(p >> POINTER_SHIFT) - 1;
}
static inline uint64_t pointer_offset(uint64_t p)
{
    return p & (((uint64_t)1 << POINTER_SHIFT) - 1);
}

// ---- instructions -------------------------------------------------------------

enum inst_class {
    IN_ALU,     // op, width: alu.c
    IN_ACROSS,  // alu_across.c
    IN_RELAXED, // a result that may have been computed in 16 bits: alu_across.c
    IN_NO_WRAP, // a result that has no value where it wrapped: alu_across.c
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
    IN_GLSL,    // GLSL.std.450: op is its number
    IN_FLOAT,   // float.c
    IN_FLOAT_GLSL,
    IN_QUIETEN,  // floats from memory or casts: float.c
    IN_PRINT,    // debugPrintf: `moves` has the planes of its arguments; told to an observer, else
                 // nothing
    IN_HELPER,   // is it a helper now?
    IN_DEMOTE,   // OpDemoteToHelperInvocation
    IN_IMAGE,    // image.c
    IN_TOGETHER, // the same, but what it gives depends on who is in the tangle
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
    IMAGE_LOD, // OpImageQueryLod
};

struct image_op {
    uint8_t kind;
    bool implicit; // its LOD comes from derivatives in the quad
    bool projective;
    bool non_uniform; // its images may differ in the tangle
    bool any_sampler; // its samplers may: SPIR-V has no capability for arrays of them (R10)
    uint8_t axes;     // coordinates but for the layer; of a cube three
    const struct image_type *type;
    // Planes; NONE where there is no such operand.
    uint32_t image, sampler, coordinate, offset, lod, bias, min_lod, dx, dy;
    uint32_t texel; // IMAGE_WRITE: the value; IMAGE_GATHER: the component
};

struct move {
    uint32_t dst, src; // planes
};

struct step {       // of an access chain, beyond its constant part
    uint32_t plane; // index
    uint8_t width;
    bool is_signed;
    uint64_t stride; // cells or bytes
    uint32_t count;  // elements, NONE for a runtime array
};

struct inst {
    uint8_t klass;
    uint8_t width;  // of the operands' scalars
    uint8_t width2; // of the second operand's scalars (shifts), or of the result's (conversions)
    bool is_signed;
    uint16_t op;         // SpvOp
    uint16_t group_op;   // SpvGroupOperation
    uint32_t comps;      // scalars to go over
    uint32_t dst;        // first plane of the result, NONE for none
    uint32_t a, b, c, d; // first planes of operands
    uint32_t spv;        // index of the instruction in the module
    uint32_t n;          // entries of the list below
    union {
        struct move *moves;
        struct step *steps;
        const struct layout_cell *layout; // loads and stores of laid-out memory
        struct call *call;
        const struct image_op *image;
    };
    // Loads, stores and chains: the object, when it is known while loading (else
    // NONE), and the constant part of the offset.
    uint32_t object;
    uint64_t offset;
    bool is_static;   // nothing but the constant part
    uint32_t cluster; // group operations: ClusterSize, 0 when absent
    uint8_t space;    // accesses: enum order_class
    uint16_t order;   // accesses, barriers, fences: what order.h has names for
    bool bad;         // chains: a constant index is out of bounds
    bool selects;     // chains: the first step is into an array of buffers
    bool uniform;     // accesses: to a buffer that must be the same in the tangle (R10)
    uint32_t align;   // accesses by address: what the operand promises of it; 0: nothing
    bool is_float;    // group operations: the operand is of floats
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
    struct move *moves; // the target's OpPhi for this edge, one after the other
    bool parallel;      // a phi reads what another one writes: read all, then write
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

// A label of an OpSwitch. Labels of one block are one entry; run in an order in
// which a case comes after those that fall through to it.
struct switch_case {
    uint32_t edge; // index in the block's edges
    uint32_t value_count;
    uint64_t *values; // zero-extended; none for a pure default
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
    // Is this block some construct's merge block, continue target, header of a
    // loop, or label of a switch? Only then a branch to it may end a tangle's part.
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
    uint32_t target, member; // member: NONE where the target itself is meant
    uint32_t kind;           // SpvDecoration
    const uint32_t *v;       // what stands after it
    uint32_t n;
    uint32_t spv; // index of the instruction that says so
};

// What is said of variables and specialisation constants; NONE where nothing is.
struct said {
    uint32_t spec_id, set, binding, builtin;
};

// What OpCapability *ArrayNonUniformIndexing is of.
enum image_array { ARRAY_SAMPLED, ARRAY_STORAGE, ARRAY_UNIFORM_TEXEL, ARRAY_STORAGE_TEXEL };

struct orc_program {
    struct arena *arena;
    const struct spv_case *c;
    struct spv_module m;
    struct decoration *decorations;
    uint32_t decoration_count, decoration_room;
    struct said *said;  // [bound]
    struct type *types; // [bound]
    uint32_t *plane;    // [bound] first plane of an id's value, NONE
    uint32_t *type_of;  // [bound] type id of a value
    uint32_t plane_count;
    // Planes that hold constants (and OpUndef), filled before a run: [plane], where
    // plane < const_room and is_const.
    uint32_t const_room;
    bool *is_const;
    uint64_t *const_value;
    bool *const_defined;
    struct object *objects;
    uint32_t object_count;
    uint32_t shared_cells;
    uint32_t uniform_words; // of OpenGL's uniforms, one after the other: the last ones of the push
                            // constants
    struct function *functions;
    uint32_t function_count;
    struct block *blocks;
    uint32_t block_count;
    uint32_t entry; // function index
    uint32_t local_size[3];
    enum spv_quads quads;
    bool small_access; // 8- or 16-bit accesses: races are watched by the byte
    bool has_barrier;
    bool has_fence;     // OpMemoryBarrier, or a barrier of a subgroup
    bool atomic_order;  // an atomic that acquires or releases
    bool vulkan_memory; // MemoryModel Vulkan
    const struct spv_stage_row *stage;
    const struct stage_rules *rules; // of the stage: machine.h
    bool full_quads;                 // RequireFullQuadsKHR
    bool quad_derivatives;           // QuadDerivativesKHR
    bool wants_quads;  // it has derivatives or quad operations: helpers are launched for them
    uint32_t coverage; // object of the coverage buffer, NONE
    bool physical;     // PhysicalStorageBuffer64: object 0 is what addresses point into
    bool has_buffer_array[2]; // capabilities: buffers that differ in a tangle, of Uniform,
                              // StorageBuffer
    bool has_image_array[4];  // capabilities: descriptors that differ in a tangle, enum image_array
    bool maximal;             // the entry point declares MaximallyReconvergesKHR
    bool assumed;             // it is taken to declare what its model asks for
    bool weak;                // judged by a model that promises less than maximal reconvergence
    bool *relaxed; // [bound] results decorated RelaxedPrecision, of a program that is taken in full
                   // precision; else NULL
    uint32_t max_phi; // most moves of one edge
};

// load_decorations.c
bool load_decorations(struct orc_program *p, struct orc_why *why);
// load_types.c
bool load_types(struct orc_program *p, struct orc_why *why);
// Cells of a type in laid-out memory. False when a decoration is missing.
// (`matrix_stride` and `row_major` of the member that a matrix type stands in.)
bool load_layout(struct orc_program *p, uint32_t type, uint32_t matrix_stride, bool row_major,
                 struct layout_cell **out, uint32_t *n);
// load_constants.c
bool load_constant_of(struct orc_program *p, uint32_t spv, struct orc_why *why);
bool load_is_constant(const struct orc_program *p, uint32_t plane);
// A constant plane of one defined value.
uint32_t load_constant(struct orc_program *p, uint64_t value);
// load_pointer.c: what is known of a pointer while loading.
struct pointer_info {
    uint32_t object;     // NONE: only known at run time
    uint64_t offset;     // bytes or cells, when is_static
    bool is_static, bad; // bad: an index out of bounds; it is not static then
    uint32_t matrix_stride;
    bool row_major;
    bool coherent; // by decoration of the variable or a member on the way
};
// Reads an access chain; makes an instruction unless it is static.
bool load_chain(struct orc_program *p, struct pointer_info *info, uint32_t spv, struct inst *out,
                bool *needed, struct orc_why *why);
bool load_is_laid_out(uint32_t storage_class); // offsets are bytes by decoration, not cells
// load_code.c: instructions of every function that the entry point reaches.
bool load_code(struct orc_program *p, struct orc_why *why);
// load_flow.c: terminators, merges, phis, the order of cases.
bool load_flow(struct orc_program *p, uint32_t block, uint32_t function, struct orc_why *why);

// Writes the reason behind the first `at` bytes of why->text, and before it the status where that
// is unsupported.
void why_reason(struct orc_why *why, size_t at, const char *fmt, va_list args);
// Fills `why` and returns false. `spv` is an instruction's index, or NONE.
bool why_set(const struct spv_module *m, struct orc_why *why, enum orc_status status,
             const char *rule, uint32_t spv, const char *fmt, ...) TF_PRINTF(6, 7);

#endif
