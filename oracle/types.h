// SPDX-License-Identifier: Apache-2.0
//
// Types, memory objects and pointers of a decoded module (program.h). A pointer is one cell: its
// object and an offset.
#ifndef TF_ORACLE_TYPES_H
#define TF_ORACLE_TYPES_H

#include "oracle.h"

#define NONE UINT32_MAX

// ---- types --------------------------------------------------------------------

enum type_kind {
    TY_NONE, // not a type, or not supported
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
    TY_IMAGE,   // one cell: the descriptor, as pointer_make(variable, element)
    TY_SAMPLER, // the same
    TY_SAMPLED, // two cells: the image, the sampler
};

struct member {
    uint32_t type, cell; // first cell within the struct
    uint32_t offset;     // from the Offset decoration; NONE: absent
    uint32_t matrix_stride;
    bool row_major;
    bool coherent;
};

struct type {
    uint8_t kind;
    uint8_t width; // bits of a scalar (bool: 1); for vectors and matrices, of their scalars
    bool is_signed;
    uint32_t elem;    // type id of the component, column, element or pointee
    uint32_t count;   // number of components, columns or elements
    uint32_t cells;   // number of scalars; a pointer has 1, a runtime array 0
    uint32_t stride;  // ArrayStride; 0: absent
    uint32_t storage; // storage class of a pointer
    struct member *member;
    uint32_t member_count;
    const struct image_type *image; // TY_IMAGE, TY_SAMPLED
};

// An OpTypeImage.
struct image_type {
    char texel; // 'f', 'i', 'u': 32-bit components; 0: any other type
    uint32_t dim;
    bool arrayed, multisampled, storage;
    uint32_t format;
};

// Position of a cell in memory with explicit layout.
struct layout_cell {
    uint32_t offset; // bytes from the value's start
    uint8_t bytes;
};

// ---- memory objects ---------------------------------------------------------------

enum object_kind {
    OBJ_LANE,   // Function, Private, Input: planes, one value for each invocation
    OBJ_SHARED, // Workgroup: cells
    OBJ_BUFFER, // StorageBuffer, Uniform, storage images: bytes of a buffer of the case
    OBJ_PUSH,   // PushConstant: bytes
    OBJ_BOUND,  // UniformConstant: sampled images, samplers
};

struct object {
    uint8_t kind;
    bool may_be_written; // a store or atomic may access it
    uint32_t id, type;   // of the variable; the type is the pointee
    uint32_t plane;      // OBJ_LANE: first plane; OBJ_SHARED: first cell
    uint32_t cells;
    uint32_t init; // plane of the initialiser; NONE: absent
    uint32_t set, binding;
    const struct image_type *image; // OBJ_BUFFER: a storage image, stored in the bytes; OBJ_BOUND
    bool samples;                   // OBJ_BOUND: samplers, or images combined with samplers
    uint32_t descriptors;           // number of descriptors; NONE for a runtime array
    bool many; // OBJ_BUFFER: an array of buffers; pointer offsets of consecutive buffers differ by
               // DESCRIPTOR_BYTES
    uint32_t builtin;  // Input: SpvBuiltIn; else NONE
    uint32_t uniform;  // OBJ_LANE: for OpenGL's uniforms, 1 + index in uniform_words of its first
                       // cell; else 0
    uint32_t function; // index of the function that declares it; NONE for globals
};

// A pointer in a plane: the index of its object in the upper bits, the offset in cells or bytes in
// the lower ones.
enum { POINTER_SHIFT = 40 };
#define POINTER_BAD                                                                                \
    0xfffffeu // result of an index out of bounds; any access is an error. Offset 1: the array's
              // length is a constant
// Distance between consecutive buffers of an array in a pointer's offset. If the module uses
// physical addresses, object 0 is an array of buffers that all addresses point into; its pointers
// equal the addresses.
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

#endif
