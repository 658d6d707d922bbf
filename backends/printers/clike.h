// SPDX-License-Identifier: Apache-2.0
//
// HLSL, GLSL and WGSL: one walk over the structured control flow, three spellings. Names: x12
// value, p12 what a phi gets, v1_27 variable; numbers are the module's ids. Private to
// backends/printers/.
//
//   clike.c       names, declarations, functions
//   clike_flow.c  loops, selections, switches
//   clike_inst.c  one instruction each
//   clike_ops.c   group operations
//   clike_image.c floats, derivatives and images, of GLSL alone
//   hlsl_plain.c  HLSL as the language has it
//   wgsl.c        what WGSL says in another way: declarations, builtins, loops
#ifndef TF_PRINTERS_CLIKE_H
#define TF_PRINTERS_CLIKE_H

#include "form.h"

enum clike_language { CLIKE_GLSL, CLIKE_HLSL, CLIKE_WGSL };

struct clike {
    const struct form *f;
    struct text *out;
    struct err *e;
    enum clike_language to;
    bool plain; // HLSL without clang's builtins (hlsl_plain.c)
    uint32_t indent;
    // Statements end a line; in the header of a loop they are joined by commas.
    bool in_header;
    bool first_in_header;
    bool *printed; // by block index
    // Where the innermost constructs go; ids of labels, 0 for none.
    uint32_t loop_merge, loop_continue, switch_merge;
    bool in_switch;       // a switch is nearer than the loop: `break` leaves it
    uint32_t back_to;     // WGSL, in a continue construct: the loop's header
    uint32_t result_type; // of the function; 0 for none
    uint32_t *vectors;    // HLSL: bit 2 n + is_bool for each vector of n components that was named
};

const char *clike_type(const struct clike *p, uint32_t type); // "uint", "uint4"; NULL: none
const char *clike_value(const struct clike *p, uint32_t id);  // "x7", "3u", "true"
// Starts a statement, or the next part of a loop's header; ends it.
void clike_begin(struct clike *p);
void clike_end(struct clike *p);
// A whole line, indented.
void clike_line(struct clike *p, const char *text);
// "x7 = " of a result.
void clike_result(struct clike *p, const struct spv_inst *in);
bool clike_refuse(const struct clike *p, const struct spv_inst *in, const char *why);

// All of a function from its first block on. False with what C has no words for.
bool clike_flow(struct clike *p, uint32_t label);
bool clike_inst(struct clike *p, const struct spv_inst *in);
bool clike_group_op(struct clike *p, const struct spv_inst *in);
// GLSL alone (clike_image.c): a float; an image or sampler; what comes before the functions;
// derivatives, quads' votes and what is done to images, else nothing (*mine = false).
const char *clike_float(const struct clike *p, uint32_t bits);
const char *clike_opaque(const struct clike *p, uint32_t id);
bool clike_images(struct clike *p);
void clike_image_extensions(struct clike *p);
bool clike_image_op(struct clike *p, const struct spv_inst *in, bool *mine);
// The blocks from `label` on, until one that goes to `stop`.
bool clike_from(struct clike *p, uint32_t label, uint32_t stop);
// A loop's body, with its merge instruction; one block's instructions.
bool clike_body(struct clike *p, uint32_t label, const struct spv_inst *merge);
bool clike_straight(struct clike *p, uint32_t label);
// What the phis of `to` get from here.
void clike_copies(struct clike *p, uint32_t from, uint32_t to);
bool clike_no_words(const struct clike *p, uint32_t label, const char *what);

// HLSL, one function each for what differs (clike.c, hlsl_plain.c): what comes before the
// functions; main's first line.
void hlsl_plain_head(struct text *out);
void hlsl_plain_main(struct text *out);

// WGSL (wgsl.c): what comes before the functions, with what main does first; a function's first
// line; a loop; the conditional end of a continue construct.
void wgsl_head(const struct form *f, struct text *out);
void wgsl_function(struct clike *p, const struct spv_function *fn, const char *type);
bool wgsl_loop(struct clike *p, uint32_t header, const struct spv_inst *merge);
void wgsl_back(struct clike *p, uint32_t from, const struct spv_inst *end);
// The variable of a builtin; NULL: none.
const char *wgsl_builtin(uint32_t builtin);

// Extensions that group operations ask for, of the whole module (GLSL).
void clike_extensions(struct clike *p);

#endif
