// SPDX-License-Identifier: Apache-2.0
//
// What all printers need from a module: types, buffers, builtins, loops. Private to
// backends/printers/.
#ifndef TF_PRINTERS_FORM_H
#define TF_PRINTERS_FORM_H

#include "printers.h"

#include "spirv/spirv_groups.h"

#define FORM_NONE UINT32_MAX

// A storage buffer: a block that holds one array of 32-bit words.
struct form_buffer {
    uint32_t set, binding;
    uint32_t length; // of the array; 0: runtime array
    bool read_only;
    bool used;        // the module has a pointer to one of its words
    const char *name; // an identifier, unique among the buffers
};

// What a pointer or composite refers to, if it is not a value of the printed language.
// ELEMENT: a word of an array in a local variable.
enum form_place {
    FORM_NOWHERE,
    FORM_LOCAL,
    FORM_PRIVATE,
    FORM_BUFFER,
    FORM_BUILTIN,
    FORM_OPAQUE,
    FORM_ELEMENT
};

// One per id.
struct form_id {
    uint8_t place;         // enum form_place
    uint32_t builtin;      // BUILTIN: SpvBuiltIn
    uint32_t part;         // BUILTIN: component, FORM_NONE: all
    uint32_t buffer;       // BUFFER: index in buffers; ELEMENT: id of the variable
    uint32_t word;         // of BUFFER and ELEMENT: id of the array index, 0: the buffer itself
    uint32_t set, binding; // decorations, FORM_NONE: missing
    bool non_writable;     // on a variable or a member of its block
    bool coherent, non_uniform, precise; // Coherent, NonUniform, NoContraction
    const char *name;                    // OpName, NULL: none
};

struct form {
    struct arena *arena;
    uint32_t *refused; // id at which printing stopped; 0: not stopped, or no id
    struct spv_module m;
    uint32_t subgroup;                        // lanes, 0: unknown
    uint32_t entry;                           // id of the entry point's function
    uint32_t size[3];                         // of a workgroup
    bool maximal;                             // mode MaximallyReconvergesKHR
    bool fragment;                            // a fragment shader; then `size` is 0
    bool full_quads, quad_derivatives, early; // its modes
    struct form_id *id;                       // [bound]
    VEC(struct form_buffer) buffers;
    VEC(uint32_t) opaque;    // variables that are images, samplers, or arrays of them
    uint32_t derivatives;    // SpvExecutionModeDerivativeGroup*; 0: none
    const struct form *also; // printed for a comparison with this module; NULL: it is not
    // loop_of[block]: index of the header block of the innermost loop construct that contains the
    // block, including break and return blocks (L4); FORM_NONE: outside of loops. A header belongs
    // to its own loop.
    uint32_t *loop_of;
    // loop_around[block]: for a header, the header of the enclosing loop.
    uint32_t *loop_around;
};

// Reads a module. False if no printer supports it.
bool form_read(struct arena *a, const uint32_t *words, size_t count, uint32_t subgroup,
               struct form *out, struct err *e);

// Stores the reason and the id; returns false.
bool form_refuse(const struct form *f, uint32_t id, const char *why, struct err *e);

// Returns the number of components of a type (1 for a scalar; 0 if it is neither bool nor a 32-bit
// integer, nor a vector of these), and whether they are bools.
uint32_t form_components(const struct form *f, uint32_t type, bool *is_bool);
// Returns the length of an array of 32-bit integers; 0: the type is something else.
uint32_t form_array(const struct form *f, uint32_t type);
// The same as form_components for 32-bit floats.
uint32_t form_floats(const struct form *f, uint32_t type);
uint32_t form_type_of(const struct form *f, uint32_t id); // id of the type of a value
// Reads a 32-bit or bool constant. False if `id` is not one.
bool form_constant(const struct form *f, uint32_t id, uint32_t *value);

// An operation of two operands of the same type. NULL: the language has no such instruction or
// sign.
struct form_operator {
    SpvOp op;
    const char *llvm, *ptx;
    const char *sign; // in C-like languages
    bool scalar;      // `sign` is for scalars alone: for vectors it is a function
};
const struct form_operator *form_operator(uint32_t op); // NULL: not such an operation

#endif
