// SPDX-License-Identifier: Apache-2.0
//
// HLSL and GLSL: one walk over the structured control flow, two spellings. Names: x12
// value, p12 what a phi gets, v1_27 variable; numbers are the module's ids. Private to
// printers/.
//
//   clike.c       names, declarations, functions
//   clike_flow.c  loops, selections, switches
//   clike_inst.c  one instruction each
//   clike_ops.c   group operations
#ifndef TF_PRINTERS_CLIKE_H
#define TF_PRINTERS_CLIKE_H

#include "form.h"

struct clike {
    const struct form *f;
    struct text *out;
    struct err *e;
    bool hlsl; // else GLSL
    uint32_t indent;
    // Statements end a line; in the header of a loop they are joined by commas.
    bool in_header;
    bool first_in_header;
    bool *printed; // by block index
    // Where the innermost constructs go; ids of labels, 0 for none.
    uint32_t loop_merge, loop_continue, switch_merge;
    bool in_switch; // a switch is nearer than the loop: `break` leaves it
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
// Extensions that group operations ask for, of the whole module (GLSL).
void clike_extensions(struct clike *p);

#endif
