// SPDX-License-Identifier: Apache-2.0
//
// HLSL, GLSL, WGSL and OpenCL C: one walk over the structured control flow, four syntaxes. Names:
// x12 value, p12 input of a phi, v1_27 variable; the numbers are the module's ids. GLSL has names
// by what a value is (clike_names.c). Private to backends/printers/.
//
//   clike.c       names, declarations, functions
//   clike_flow.c  loops, selections, switches
//   clike_inst.c  one instruction each
//   clike_ops.c   group operations
//   clike_image.c floats, derivatives and images, GLSL only
//   clike_draw.c  fragment shaders, atomics and extensions, GLSL only
//   clike_names.c names of values in GLSL
//   hlsl_plain.c  HLSL without clang's builtins
//   wgsl.c        WGSL's own syntax: declarations, builtins, loops
//   opencl.c      OpenCL C: a struct in place of globals, builtins, group operations
#ifndef TF_PRINTERS_CLIKE_H
#define TF_PRINTERS_CLIKE_H

#include "form.h"

enum clike_language { CLIKE_GLSL, CLIKE_HLSL, CLIKE_WGSL, CLIKE_OPENCL };

struct clike {
    const struct form *f;
    struct text *out;
    struct err *e;
    enum clike_language to;
    bool plain;    // HLSL with standard intrinsics instead of clang's builtins (hlsl_plain.c);
                   // OpenCL C with the functions that whole subgroups execute
    bool all_here; // OpenCL C: in main, and no invocation has returned
    uint32_t indent;
    // Statements end with a newline; in a loop's header they are separated by commas.
    bool in_header;
    bool first_in_header;
    bool *printed; // by block index
    // Targets of the innermost constructs; ids of labels, 0: none.
    uint32_t loop_merge, loop_continue, switch_merge;
    bool in_switch;       // the innermost construct that `break` leaves is a switch
    uint32_t back_to;     // WGSL, in a continue construct: the loop's header
    uint32_t result_type; // of the function; 0: none
    uint32_t *vectors;    // HLSL: bit 2 n + is_bool for each named vector type of n components
    const struct clike_names *names; // GLSL; NULL: x12
};

const char *clike_type(const struct clike *p, uint32_t type); // "uint", "uint4"; NULL: none
const char *clike_value(const struct clike *p, uint32_t id);  // "x7", "3u", "true"
// What precedes the components of a vector: "uint4"; in OpenCL C "(uint4)".
const char *clike_vector(const struct clike *p, uint32_t type);
// Returns the names of a module's values. `also`: a module that is printed to be compared with it,
// where equal ids have equal names if they are of one kind; NULL: none.
const struct clike_names *clike_names(struct arena *a, const struct form *f,
                                      const struct form *also);
bool clike_has_name(const struct clike *p, uint32_t id);    // one by its kind
const char *clike_name(const struct clike *p, uint32_t id); // of a value or variable
const char *clike_phi(const struct clike *p, uint32_t id);  // of the input of a phi
// Returns the variable or buffer element that a pointer refers to.
const char *clike_place(const struct clike *p, uint32_t pointer);
// Start and end a statement, or an expression in a loop's header.
void clike_begin(struct clike *p);
void clike_end(struct clike *p);
// Prints a line, indented.
void clike_line(struct clike *p, const char *text);
// Starts the statement "x7 = " for a result.
void clike_result(struct clike *p, const struct spv_inst *in);
bool clike_refuse(const struct clike *p, const struct spv_inst *in, const char *why);

// Prints a function from its first block on. False if the language cannot express its control flow.
bool clike_flow(struct clike *p, uint32_t label);
bool clike_inst(struct clike *p, const struct spv_inst *in);
bool clike_group_op(struct clike *p, const struct spv_inst *in);
// GLSL only (clike_image.c): a float constant; an image or sampler; declarations;
// derivatives, quad votes and image operations. clike_image_op sets *mine to false if the
// instruction is none of these.
const char *clike_float(const struct clike *p, uint32_t bits);
const char *clike_opaque(const struct clike *p, uint32_t id);
bool clike_images(struct clike *p);
bool clike_image_op(struct clike *p, const struct spv_inst *in, bool *mine);
// Prints the blocks from `label` on, until a branch to `stop`.
bool clike_from(struct clike *p, uint32_t label, uint32_t stop);
// Print a loop's body (with its merge instruction), or the instructions of one block.
bool clike_body(struct clike *p, uint32_t label, const struct spv_inst *merge);
bool clike_straight(struct clike *p, uint32_t label);
// Prints the assignments to the phis of `to` on the edge from `from`.
void clike_copies(struct clike *p, uint32_t from, uint32_t to);
bool clike_cannot_express(const struct clike *p, uint32_t label, const char *what);

// The HLSL variant in hlsl_plain.c: what precedes the functions; the first line of main.
void hlsl_plain_head(struct text *out);
void hlsl_plain_main(struct text *out);

// WGSL (wgsl.c): what precedes the functions; a function's first line, and in main the copies of
// builtins; a loop; the conditional end of a continue construct.
void wgsl_head(const struct form *f, struct text *out);
void wgsl_function(struct clike *p, const struct spv_function *fn, const char *type);
bool wgsl_loop(struct clike *p, uint32_t header, const struct spv_inst *merge);
void wgsl_back(struct clike *p, uint32_t from, const struct spv_inst *end);
// Returns the variable of a builtin; NULL: none.
const char *wgsl_builtin(uint32_t builtin);

// OpenCL C (opencl.c): what precedes the functions, false: a global that it cannot declare; a
// function's first line; an expression for a builtin or a component of it, NULL: none; a group
// operation on the subgroup.
bool opencl_head(const struct clike *p, struct text *out);
void opencl_function(struct clike *p, const struct spv_function *fn, const char *type);
const char *opencl_builtin(const struct clike *p, uint32_t builtin, uint32_t part);
bool opencl_group_op(struct clike *p, const struct spv_inst *in);

// GLSL only (clike_draw.c). Prints the extensions that are in use, and the layout of a workgroup or
// of fragments.
void clike_extensions(struct clike *p);
// Prints an atomic, or a demotion; *mine: false if the instruction is neither.
bool clike_draw_op(struct clike *p, const struct spv_inst *in, bool *mine);
// Returns the statement that ends an invocation, "discard;"; NULL: not such a terminator.
const char *clike_ends(uint32_t op);

#endif
