// SPDX-License-Identifier: Apache-2.0
//
// What every printer asks about a module: types, buffers, builtins, loops. Private to
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
    const char *name; // an identifier, different for each buffer
};

// What stands behind a pointer or composite that no language has a value for.
enum form_place { FORM_NOWHERE, FORM_LOCAL, FORM_PRIVATE, FORM_BUFFER, FORM_BUILTIN, FORM_OPAQUE };

// By id.
struct form_id {
    uint8_t place;                       // enum form_place
    uint32_t builtin;                    // BUILTIN: SpvBuiltIn
    uint32_t part;                       // BUILTIN: component, FORM_NONE for all of it
    uint32_t buffer;                     // BUFFER: index in buffers
    uint32_t word;                       // BUFFER: id of the array index, 0 for the whole buffer
    uint32_t set, binding;               // decorations, FORM_NONE without
    bool non_writable;                   // of a variable or of a block's member
    bool coherent, non_uniform, precise; // Coherent, NonUniform, NoContraction
    const char *name;                    // OpName, NULL without
};

struct form {
    struct arena *arena;
    uint32_t
        *refused; // the id at which printing ended; 0 while it goes on, and where there is none
    struct spv_module m;
    uint32_t subgroup;  // lanes, 0 when not known
    uint32_t entry;     // id of the entry point's function
    uint32_t size[3];   // of a workgroup
    bool maximal;       // mode MaximallyReconvergesKHR
    struct form_id *id; // [bound]
    VEC(struct form_buffer) buffers;
    VEC(uint32_t) opaque; // variables that are images, samplers, or arrays of them
    uint32_t derivatives; // SpvExecutionModeDerivativeGroup*; 0: none
    // loop_of[block]: block index of the header of the innermost loop construct that
    // holds it, break and return blocks included (L4); FORM_NONE outside of loops. A
    // header lies in its own loop.
    uint32_t *loop_of;
    // loop_around[block]: of a header, the loop around its own.
    uint32_t *loop_around;
};

// Reads a module. False with what no printer can say.
bool form_read(struct arena *a, const uint32_t *words, size_t count, uint32_t subgroup,
               struct form *out, struct err *e);

// False, with why and the id it is at.
bool form_refuse(const struct form *f, uint32_t id, const char *why, struct err *e);

// Types: components of the value (1 for a scalar; 0 for what is no bool or 32-bit
// integer, or a vector of them), and whether they are bools.
uint32_t form_components(const struct form *f, uint32_t type, bool *is_bool);
// The same of 32-bit floats.
uint32_t form_floats(const struct form *f, uint32_t type);
uint32_t form_type_of(const struct form *f, uint32_t id); // id of the type of a value
// The value of a 32-bit or bool constant. False when it is none.
bool form_constant(const struct form *f, uint32_t id, uint32_t *value);

#endif
