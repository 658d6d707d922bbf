// SPDX-License-Identifier: Apache-2.0
//
// Portability check. Input: a compute shader. Output: for each subgroup size and each reconvergence
// model, whether the model guarantees the results.
//
//   source   GLSL, HLSL, SPIR-V -> SPIR-V words   (source.c)
//   inputs   words -> a case with invented buffers (inputs.c)
//   ask      a case -> a table: model x size       (ask.c)
//   say      the table as text, SVG                (say.c, say_svg.c; app/ makes JSON and SARIF)
//
// The oracle runs the case under each model. It runs atomics in one legal order, then in others to
// see whether the result differs. Anything it cannot judge is reported as not known.
#ifndef TF_PORTABLE_H
#define TF_PORTABLE_H

#include "base/base.h"
#include "oracle/trace.h"
#include "spirv/spirv.h"

// ---- from a file to words -----------------------------------------------------------

// Reads FILE into `out`: SPIR-V words (.spv), or GLSL (.comp, .glsl) and HLSL (.hlsl) compiled by
// glslang (entry point main), or WGSL by naga or Tint. Any other file is a case if it starts as
// one, else assembly. *is_case: it is a case, which has its own inputs. False with one line in `e`:
// what is missing, or the compiler's first error. `how`: options for the compilers; NULL: none.
struct por_compile {
    const char *entry;                          // NULL: main
    const char *naga;                           // for WGSL; NULL: the one in PATH
    const char *const *include, *const *define; // folders; NAME or NAME=VALUE
    uint32_t includes, defines;
    // HLSL: 2018: both sides of ?:, && and || are evaluated, as glslang does; 2021: one side only.
    // 0: 2021 for HLSL files, unchanged for SPIR-V.
    uint32_t hlsl;
};
bool por_read(struct spv_tools *t, struct arena *a, const char *path, const struct por_compile *how,
              struct spv_case *out, bool *is_case, struct err *e);

// ---- inputs --------------------------------------------------------------------------

// For tests: the runs that an answer was made from (runs.c).
struct por_runs_made {
    bool anew;          // input: no run is looked up
    uint64_t digest;    // output: of all that each run left, in their order
    uint32_t looked_up; // output: runs that were not made again
};
enum por_fill { POR_TRIED, POR_ZERO, POR_SEEDED }; // several shapes; all zeros; from a seed
struct por_given {
    enum por_fill fill;
    uint64_t seed;
    const struct spv_case
        *data; // buffers, push constants and specialisation read from a file; NULL: none
    // Single buffers and push constants. They override all other inputs.
    struct spv_buffer buffer[SPV_CASE_BUFFERS];
    uint32_t buffer_count, push_count; // push_count in words
    uint32_t push[SPV_CASE_PUSH];
    uint32_t workgroups; // in x; 0: the case's own, or 2
    // "NAME=VALUE": a member of a push constant or buffer block, or a specialisation constant.
    const char *const *set;
    uint32_t sets;
    // Buffers whose elements have no order, by name or "SET:BINDING".
    const char *const *unordered;
    uint32_t unordered_count;
    struct por_runs_made *made; // NULL: not asked
};
// A word of an invented variable that is set to a given value.
struct por_set {
    uint32_t variable, byte, value;
    bool spec; // a specialisation constant: `byte` is its SpecId, `variable` 0
    const char *name;
};
enum { POR_SETS = 3 };
// One set of rules for inventing the inputs that the module does not specify.
struct por_shape {
    uint32_t scalar; // value of integers outside arrays: counts, strides
    uint64_t seed;   // seed for array elements; 0: all zeros
    uint32_t words;  // least length of arrays that do not declare one
    uint32_t groups; // workgroups, if not given
    bool aligned;    // array elements are multiples of 16: some are used as offsets
    uint32_t width;  // of a workgroup that has no width of its own
    // Integers in arrays: 0: small numbers; else their position, counted from `ordered` - 1.
    uint32_t ordered;
    bool identity; // matrices outside arrays are the identity; else all their floats are equal
    bool counters; // variables used by atomics begin with zeros (or the largest number, for a
                   // minimum)
    uint32_t sets;
    struct por_set set[POR_SETS];
    const struct por_set *more; // set before those of `set`
    uint32_t mores;
    bool blanks; // specialisation constants of 0 are blanks to be filled: they get `scalar`
    bool floats; // half of the integers in arrays are the bits of small floats where the module
                 // reads such numbers as floats (read_as_floats.c)
    uint32_t exact, elements; // the array of this variable has so many elements; 0: none
    struct por_set flag; // all integers in arrays of this variable have the value; variable 0: none
};
enum { POR_SHAPES = 8 };
struct por_inputs {
    bool invented;    // some input is invented
    bool width;       // the workgroup's width is invented
    bool groups;      // there are several workgroups, and their number is invented
    const char *text; // the inputs as text for people, one per line
    struct por_shape shape;
    // What the user provided (given_inputs.c): whole variables [id], NULL: none; the memory that
    // addresses point into; single numbers by --set.
    const bool *given;
    bool given_addresses;
    const bool *constant; // [id] specialisation constants whose value is invented; NULL: none
    const struct por_set *set;
    uint32_t set_count;
};
// Fills the case's dispatch, buffers and push constants by `shape` where neither `given` nor the
// module specifies them. `own`: the case has its own inputs. False with one line in `e` if the
// words are not a module, it needs more than a case can hold, or it lacks a buffer or the push
// constants that `given` has.
bool por_fill_case(struct arena *a, struct spv_case *c, bool own, const struct por_given *given,
                   const struct por_shape *shape, struct por_inputs *out, struct err *e);
// False with one line in `e` if a row of given->set names no number of the module, or one of
// given->unordered no buffer.
bool por_check_sets(struct arena *a, const struct spv_case *c, const struct por_given *given,
                    struct err *e);
// Returns shape k to try, k < POR_SHAPES. given->fill selects zeros, the given seed, or seed 1.
struct por_shape por_shape(const struct por_given *given, uint32_t k);
// Returns the variable that a pointer points into, through access chains and copies; 0: unknown.
uint32_t por_root(const struct spv_module *m, uint32_t pointer);
// The same, or the parameter, or any other instruction that makes a pointer.
uint32_t por_base(const struct spv_module *m, uint32_t pointer);

// ---- places --------------------------------------------------------------------------

// The place of an instruction, for people. Unknown fields are "" or 0.
struct por_place {
    const char *file;
    uint32_t line;
    const char *text; // the source line
    const char *name; // of the result or variable, "" for none
    const char *what; // "subgroupBallot", "OpStore"
};
struct por_place por_place(struct arena *a, const struct spv_module *m, uint32_t inst);
// Returns por_given_name, else "binding 0:1" for a variable with a binding, else "%7".
const char *por_name(struct arena *a, const struct spv_module *m, uint32_t id);
// The OpName of a variable, or of its block type; NULL: neither has a name.
const char *por_given_name(struct arena *a, const struct spv_module *m, uint32_t id);

// ---- the answer ----------------------------------------------------------------------

// The statuses, worst last: name, word, short word for a terminal, word for a cell of a picture,
// its colour, SARIF's level, meaning as a sentence. UNKNOWN: not supported, too long, or undefined
// only because of its inputs.
#define POR_STATUS_ROWS(X)                                                                         \
    X(PORTABLE, "portable", "ok", "portable", "#cdeac8", "none",                                   \
      "the model guarantees all results for these inputs")                                         \
    X(LETTER, "letter", "letter", "letter", "#dfeec8", "note",                                     \
      "undefined by the letter of the specification only: no device is known to show it")          \
    X(UNREACHED, "not reached", "unrun", "not run", "#e4e4e4", "note",                             \
      "the inputs did not reach operations whose result may not be promised")                      \
    X(ORDER, "order", "order", "order", "#f7e3a6", "warning",                                      \
      "the result depends on the order of atomics, which is not promised")                         \
    X(RECONVERGENCE, "reconvergence", "reconv", "reconverg.", "#f6c79b", "warning",                \
      "the result depends on reconvergence that the model does not promise")                       \
    X(UNDEFINED, "undefined", "undef", "undefined", "#f0a8a4", "error",                            \
      "the program is undefined on every device")                                                  \
    X(UNKNOWN, "not known", "?", "not known", "#dcdfe4", "note", "cannot be judged: see the reason")
enum por_status {
#define POR_NUMBER(name, ...) POR_##name,
    POR_STATUS_ROWS(POR_NUMBER)
#undef POR_NUMBER
        POR_STATUSES
};
struct por_status_row {
    const char *word, *brief, *cell, *colour, *level, *line;
};
extern const struct por_status_row por_status_rows[POR_STATUSES];

enum { POR_MODELS = 3, POR_SIZES = 8 };
// workgroup-uniform, subgroup-uniform, maximal.
enum spv_model por_model(uint32_t k);
const char *por_model_line(uint32_t k); // the model as a shader's author knows it

struct por_reason {
    char rule[16];       // docs/rules.md; "" for none
    const char *text;    // one sentence: the operation and its effect
    const char *fix;     // "" for none
    uint32_t declare;    // reconvergence: the weakest model (as in por_model) that promises all of
                         // the results; 0: none
    struct por_place at; // where the effect shows; `what` NULL or "": no place
    struct por_place from; // the origin of the value; `what` NULL or "": the same place, or none
};
// Why a portable cell is not proved: other orders of atomics were tried; code was not reached; a
// note says it.
enum { POR_TRIED_ORDERS = 1, POR_TRIED_RUN = 2, POR_TRIED_NOTED = 4 };
struct por_cell {
    enum por_status status;
    bool known;    // por_take_baseline has found it
    uint8_t tried; // portable only as far as the tried orders and inputs show: POR_TRIED_*
    struct por_reason reason;
};
struct por_answer {
    struct spv_module m;
    struct spv_case c; // the case that was run last
    struct por_inputs inputs;
    uint32_t sizes, size[POR_SIZES];
    struct por_cell cell[POR_MODELS][POR_SIZES];
    VEC(const char *)
    notes; // remarks that are not verdicts: a branch on a rounded float, results that differ by
           // size
    // Blocks; those that ran; those that ran or whose group operations, atomics and barriers cannot
    // differ (uniform.h).
    uint32_t blocks, blocks_ran, blocks_decided;
    const char *alone; // "one invocation reached the atomicAdd in line 3"; NULL: not so
    bool by_size;      // results differ between subgroup sizes
    bool nothing;      // no input reached a store to a buffer or image
    enum por_status worst;
};
// Fills the table for 1 .. POR_SIZES subgroup sizes. Never fails: a cell that cannot be judged is
// POR_UNKNOWN with a reason. The answer lives in `a` and refers to the words of `c`.
void por_ask(struct arena *a, const struct spv_case *c, bool own, const struct por_given *given,
             const uint32_t *size, uint32_t sizes, struct por_answer *out);

// por_declared returns the row (as in por_model) of the model that the module declares. por_verdict
// returns the worst status of that row. POR_UNKNOWN counts only if all other cells are
// POR_PORTABLE.
uint32_t por_declared(const struct por_answer *w);
enum por_status por_verdict(const struct por_answer *w);
// True if a baseline has the cell, or if the source line of its place says "portable: ok" in a
// comment: its author knows.
bool por_suppressed(const struct por_cell *c);
// The worst status that por_verdict may return if suppressed cells do not count.
enum por_status por_verdict_left(const struct por_answer *w);
// baseline.c: a baseline is a text with a line per known result: the shader, the verdict and the
// place, by the text of its source line, so that other lines may move. por_take_baseline marks the
// cells that `text` knows and returns the number of their results. por_write_baseline replaces the
// lines of this shader in `text` ("": none) by those of the answer.
uint32_t por_take_baseline(struct por_answer *w, const char *path, struct arena *a,
                           const char *text);
void por_write_baseline(const struct por_answer *w, const char *path, struct arena *a,
                        const char *text, struct text *out);
// The verdict as a headline: "the result depends on ... (at 128 lanes)".
const char *por_headline(struct arena *a, const struct por_answer *w);
// por_same: the same verdict for the same reason. por_sizes: the sizes of model k that share cell
// `c`, "8, 16 and 32 lanes". por_models: the models that share the cell of model k at size[s],
// where k is the first of them.
bool por_same(const struct por_cell *x, const struct por_cell *y);
const char *por_models(const struct por_answer *w, uint32_t k, uint32_t s); // "any model"
const char *por_sizes(struct arena *a, const struct por_answer *w, uint32_t k,
                      const struct por_cell *c);

// ---- output -------------------------------------------------------------------------

const char *por_sentence(struct arena *a, const char *text); // the text with a capital letter
// Append the answer to `out`, as text for a terminal or as SVG. `path`: the shader's, for the
// title. `a`: memory for temporary strings.
void por_text(const struct por_answer *w, const char *path, struct arena *a, struct text *out);
void por_svg(const struct por_answer *w, const char *path, struct arena *a, struct text *out);

#endif
