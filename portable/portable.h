// SPDX-License-Identifier: Apache-2.0
//
// portable: a compute shader -> what of its results each promise makes sure, at each subgroup size.
//
//   source   GLSL, HLSL, SPIR-V -> words           (source.c)
//   inputs   words -> a case with invented buffers (inputs.c)
//   ask      a case -> a table: model x size       (ask.c)
//   say      the table as text, SVG                (say.c, say_svg.c; app/ makes JSON and SARIF)
//
// The oracle runs the case under each model; atomics in one legal order, and in others to see
// whether the result differs. What is not known is said to be not known.
#ifndef TF_PORTABLE_H
#define TF_PORTABLE_H

#include "base/base.h"
#include "oracle/trace.h"
#include "spirv/spirv.h"

// ---- from a file to words -----------------------------------------------------------

// Reads FILE into `out`: a case, SPIR-V words (.spv), assembly (.spvasm), or GLSL (.comp, .glsl)
// and HLSL (.hlsl) by glslang (its entry point is main). *is_case: it says its own inputs. False
// with one line: what is missing, or the compiler's first error.
bool por_read(struct spv_tools *t, struct arena *a, const char *path, struct spv_case *out,
              bool *is_case, struct err *e);

// ---- inputs --------------------------------------------------------------------------

enum por_fill { POR_TRIED, POR_ZERO, POR_SEEDED }; // several shapes; zeros; by a seed
struct por_given {
    enum por_fill fill;
    uint64_t seed;
    const struct spv_case *data; // buffers, push constants and specialisation of a file; NULL: none
    // Single buffers and push constants, which go before all else.
    struct spv_buffer buffer[SPV_CASE_BUFFERS];
    uint32_t buffer_count, push_count; // push_count in words
    uint32_t push[SPV_CASE_PUSH];
    uint32_t workgroups; // in x; 0: the case's own, or 2
};
// A word of an invented variable that is told.
struct por_set {
    uint32_t variable, byte, value;
    const char *name;
};
enum { POR_SETS = 2 };
// One way to invent what the module does not say.
struct por_shape {
    uint32_t scalar; // integers that stand alone: counts, strides
    uint64_t seed;   // of the elements of arrays; 0: all is zero
    uint32_t words;  // of arrays without a length, at least
    uint32_t groups; // workgroups, where nobody said how many
    bool counters;   // what atomics use begins with zeros (or the largest number, for a minimum)
    uint32_t sets;
    struct por_set set[POR_SETS];
};
enum { POR_SHAPES = 8 };
struct por_inputs {
    bool invented;    // something is
    bool width;       // the workgroup's width is, too
    const char *said; // what, for people: a line each
    struct por_shape shape;
};
// Fills the case's dispatch, buffers and push constants, as far as `given` and the module do not
// say them, by a shape. `own`: the case has its own inputs. False with one line where the module
// has no compute entry point, more than a case can hold, or not the buffer that is given.
bool por_fill_case(struct arena *a, struct spv_case *c, bool own, const struct por_given *given,
                   const struct por_shape *shape, struct por_inputs *out, struct err *e);
// The shapes to be tried, in order.
struct por_shape por_shape(const struct por_given *given, uint32_t k);
// Does what an instruction uses (an address, a condition) come from inputs? By what values flow
// into it.
bool por_from_inputs(const struct spv_module *m, uint32_t inst);
// The same of some branch, or of where something is written in Workgroup memory.
bool por_flow_from_inputs(const struct spv_module *m);
// The variable that a pointer points into; 0 where that is not said.
uint32_t por_root(const struct spv_module *m, uint32_t pointer);

// ---- places --------------------------------------------------------------------------

// Where an instruction is, for people. What the module does not say is "" or 0.
struct por_place {
    const char *file;
    uint32_t line;
    const char *text; // the line of the source
    const char *name; // of the result or variable, "" for none
    const char *what; // "subgroupBallot", "OpStore"
};
struct por_place por_place(struct arena *a, const struct spv_module *m, uint32_t inst);
// OpName of a variable, or "binding 0:1", or "%7".
const char *por_name(struct arena *a, const struct spv_module *m, uint32_t id);
// Its own name, or of a variable its block's; NULL: none was given.
const char *por_given_name(struct arena *a, const struct spv_module *m, uint32_t id);

// ---- the answer ----------------------------------------------------------------------

enum por_status { // worst last
    POR_PORTABLE,
    POR_ORDER,         // depends on the order of atomics
    POR_RECONVERGENCE, // on reconvergence that this model does not promise
    POR_UNDEFINED,     // has no meaning on any device
    POR_UNKNOWN,       // the oracle cannot say: refused, too long, or for its inputs alone
    POR_STATUSES
};
const char *por_status_word(enum por_status s); // for a table
const char *por_status_line(enum por_status s); // what it means

enum { POR_MODELS = 3, POR_SIZES = 8 };
// workgroup-uniform, subgroup-uniform, maximal.
enum spv_model por_model(uint32_t k);
const char *por_model_line(uint32_t k); // as a shader's author knows it

struct por_reason {
    char rule[16];         // docs/undefined.md; "" for none
    const char *text;      // one sentence: what, where
    const char *fix;       // "" for none
    struct por_place at;   // where it shows
    struct por_place from; // where it was born, line 0 and what "" where that is the same
};
struct por_cell {
    enum por_status status;
    bool tried; // portable as far as the orders and the inputs that were tried can tell
    struct por_reason reason;
};
struct por_answer {
    struct spv_module m;
    struct spv_case c; // that was run last
    struct por_inputs inputs;
    uint32_t sizes, size[POR_SIZES];
    struct por_cell cell[POR_MODELS][POR_SIZES];
    VEC(const char *)
    notes; // what is no verdict: a branch on a rounded float, other results at other sizes
    uint32_t blocks, blocks_ran;
    bool by_size; // results differ between subgroup sizes
    enum por_status worst;
};
// Never fails: what cannot be judged is POR_UNKNOWN with its reason. The answer lives in `a`.
void por_ask(struct arena *a, const struct spv_case *c, bool own, const struct por_given *given,
             const uint32_t *size, uint32_t sizes, struct por_answer *out);

// Which row the module declares itself; what that row comes to: its worst, POR_UNKNOWN where
// nothing worse is known.
uint32_t por_declared(const struct por_answer *w);
enum por_status por_verdict(const struct por_answer *w);
// What that comes to, for a headline: "the result depends on ... (at 128 lanes)".
const char *por_headline(struct arena *a, const struct por_answer *w);
// The same verdict for the same reason; the sizes of model k that have it, "8, 16 and 32 lanes".
bool por_same(const struct por_cell *x, const struct por_cell *y);
const char *por_models(const struct por_answer *w, uint32_t k, uint32_t s); // "any model"
const char *por_sizes(struct arena *a, const struct por_answer *w, uint32_t k,
                      const struct por_cell *c);

// ---- said ----------------------------------------------------------------------------

const char *por_sentence(struct arena *a, const char *text); // with a capital letter
void por_text(const struct por_answer *w, const char *path, struct arena *a, struct text *out);
void por_svg(const struct por_answer *w, const char *path, struct arena *a, struct text *out);

#endif
