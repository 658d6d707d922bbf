// SPDX-License-Identifier: Apache-2.0
//
// Functions shared by the files of portable/: sentences, reasons, advice, invented inputs.
#ifndef TF_PORTABLE_INNER_H
#define TF_PORTABLE_INNER_H

#include "portable.h"
#include "uniform.h"

struct por_asker {
    struct arena *a;
    const struct spv_module *m;
    const struct spv_case *c;
    const struct por_inputs *inputs;
    const struct por_uniform *uniform;
    const bool *unpromised; // [block] of the run being explained, as in orc_trace; NULL: unknown
    // Two instructions that race whatever ordinary numbers the inputs are (vary.c); 0: none.
    uint32_t sure[2];
    const char *several; // a fault that may be absent with one workgroup; NULL: none
};

// Instructions that a subgroup may execute: a loop that needs more does not end.
enum { POR_STEPS = 250 * 1000 };

// layouts.c. For ids: ArrayStride, SpecId; for structs: the index of the first member, and for
// members Offset and MatrixStride. UINT32_MAX: not decorated.
struct por_layouts {
    uint32_t *stride, *spec, *first; // [id]
    uint32_t *offset, *matrix;       // [member]
};
const struct por_layouts *por_layouts_of(struct arena *a, const struct spv_module *m);

const char *por_inst_text(struct por_asker *w, uint32_t inst);
// The source line of an instruction, or of the nearest one before it; 0: none is known.
uint32_t por_line_near(struct por_asker *w, uint32_t inst);
// "word 3 of buffer 0:1 out"
const char *por_word_text(struct por_asker *w, uint32_t buffer, uint32_t word);

// advice.c. The branch, switch or loop around an instruction: the terminator of its header; 0:
// none.
uint32_t por_around(struct por_asker *w, uint32_t inst);
bool por_is_loop(struct por_asker *w, uint32_t header); // `header` as returned by por_around
// True if a branch on inputs decides whether the instruction is executed.
bool por_guarded_by_inputs(struct por_asker *w, uint32_t inst);
// Returns the first branch on inputs, of those that decide whether the instruction is executed,
// that may divide the workgroup; 0: inputs do not decide which invocations come to it.
uint32_t por_divided_by_inputs(struct por_asker *w, uint32_t inst);
// True if the address of an access counts iterations of a loop whose end inputs decide.
bool por_counted_by_inputs(struct por_asker *w, uint32_t inst);
// True if a value may be without one where inputs choose the way to a phi.
bool por_undef_by_inputs(struct por_asker *w, uint32_t id, int depth);
// Returns advice for a group operation for which a model promises nothing.
const char *por_promise_fix(struct por_asker *w, uint32_t inst);
// The same where subgroup uniform control flow suffices: that first, then the advice `other`.
const char *por_uniform_fix(struct por_asker *w, const char *other);
// If a block leaves a loop depending on an atomic that reads what others may write, returns that
// atomic; 0: no. *loop: the loop's branch.
uint32_t por_waits(struct por_asker *w, uint32_t block, uint32_t *loop);
// Explains that the result of a group operation, for which model k promises nothing, decides `sink`
// at instruction `at`.
void por_reason_promise(struct por_asker *w, uint32_t k, struct orc_origin from, const char *sink,
                        uint32_t at, struct por_reason *out);
void por_reason_weak(struct por_asker *w, uint32_t k, const struct orc_why *why, uint32_t at,
                     struct por_reason *out);
// Explains that a value which is undefined in every model decides `sink`.
enum por_status por_reason_value(struct por_asker *w, struct orc_origin from, const char *sink,
                                 uint32_t at, struct por_reason *out);
// Explains what the oracle does not support, and whether support is planned.
void por_reason_refused(struct por_asker *w, const struct orc_why *why, uint32_t at,
                        struct por_reason *out);
// Advice for a problem that hangs on an invented input: which one, its value, how to provide it.
const char *por_invented_fix(struct por_asker *w, uint32_t inst, const char *what);
// reason_race.c. Explains a race.
enum por_status por_reason_race(struct por_asker *w, const struct orc_result *r,
                                const struct orc_trace *t, uint32_t at, struct por_reason *out);
// Explains a run that stopped early.
enum por_status por_reason_fault(struct por_asker *w, const struct orc_result *r,
                                 const struct orc_trace *t, uint32_t at, struct por_reason *out);

// given_inputs.c: fills what the user provided. `c`: the case before inputs are invented.
void por_given_inputs(struct arena *a, const struct spv_module *m, const struct spv_case *c,
                      bool own, const struct por_given *given, struct por_inputs *out);
// True if the variable, or the one that an image comes from, was given; if --set provided the
// number that a load reads.
bool por_is_given(const struct por_asker *w, uint32_t id);
bool por_is_set(const struct por_asker *w, uint32_t load);

// True if what decides whether instruction `inst` is defined (its address, condition or selector,
// or all operands of a computation) depends on inputs that were not
// given, judged by the values that flow into it.
bool por_from_inputs(const struct por_asker *w, uint32_t inst);
// Returns the id of the first load of an input that por_from_inputs finds; 0: none.
uint32_t por_input_of(const struct por_asker *w, uint32_t inst);
// True if any branch, or the address of any OpStore to Workgroup memory, depends on inputs.
bool por_flow_from_inputs(const struct por_asker *w);
// True if operands of the computation depend on such inputs and on a subtraction.
bool por_may_be_negative(const struct por_asker *w, uint32_t inst);
// True if the value of an id depends on such inputs.
bool por_value_from_inputs(const struct por_asker *w, uint32_t id);

// True if the cell of model k at size s shows something that no earlier model or size showed.
bool por_first(const struct por_answer *w, uint32_t k, uint32_t s);

// The numbers that a shape sets, k < mores + sets; later ones count.
static inline const struct por_set *por_set_of(const struct por_shape *shape, uint32_t k)
{
    return k < shape->mores ? &shape->more[k] : &shape->set[k - shape->mores];
}

// The pointee of an address type (PhysicalStorageBuffer); 0: not an address type.
static inline uint32_t por_pointee(const struct spv_inst *t)
{
    return t && t->op == SpvOpTypePointer && t->v[0] == SpvStorageClassPhysicalStorageBuffer
               ? t->v[1]
               : 0;
}

// The operand of a decoration of an id, or of its member (UINT32_MAX: the id itself); UINT32_MAX if
// it has no such decoration.
uint32_t por_decoration(const struct spv_module *m, uint32_t id, uint32_t member,
                        uint32_t decoration);
// branches.c: block members that atomics use, each with the first such operation.
struct por_member {
    uint32_t variable; // 0: the member is reached through an address
    uint32_t type, member, op;
};
const struct por_member *por_counters(struct arena *a, const struct spv_module *m, uint32_t *n);
// Input words that a branch compares with a constant, each with values that take the branch both
// ways. The last *uneven rows are words compared with something that is not a constant. Their value
// is a number that no subgroup size divides.
const struct por_set *por_branch_values(struct arena *a, const struct spv_case *c,
                                        const struct spv_module *m, uint32_t *n, uint32_t *uneven);

// Finds the byte of an input that a load reads through constant indices. False: `id` is not such a
// load of one number.
bool por_number_of(struct arena *a, const struct spv_module *m, uint32_t id, struct por_set *out);
// True if `id` is a load, through constant indices, of a number or of a vector of numbers: *out.
bool por_single(struct arena *a, const struct spv_module *m, uint32_t id, struct por_set *out);
// Pairs of 32-bit numbers that the module uses as addresses; `value`: the type that they point to.
const struct por_set *por_address_pairs(struct arena *a, const struct spv_module *m, uint32_t *n);
// Buffers whose elements the module compares with a constant, other than 0, that it does not only
// read: flags that another invocation or dispatch sets. One row for each constant.
const struct por_set *por_flags(struct arena *a, const struct spv_module *m, uint32_t *n);
// read_as_floats.c: [id] buffers whose integers in arrays the module turns into floats, bit by bit;
// NULL: none.
const bool *por_read_as_floats(struct arena *a, const struct spv_module *m);
// Input words that the module reads as numbers, each once.
const struct por_set *por_numbers(struct arena *a, const struct spv_module *m, uint32_t *n);

// Names the input that a load (an id) reads, with its value if it is one number: "count = 64";
// NULL: the id is not a load of a variable.
const char *por_invented_text(struct por_asker *w, uint32_t id);

// given_set.c: reads "NAME=VALUE". A specialisation constant is set in the case; a member of a
// block is appended: *out is filled and *count grows. False with a message: the input does not
// exist.
bool por_given_set(struct arena *a, const struct spv_module *m, const char *text,
                   struct spv_case *c, struct por_set *out, uint32_t *count, struct err *e);

// from_inputs.c: true if the module reads which workgroup, in x, an invocation is in; if nothing
// distinguishes one workgroup from another: no such index, no atomics but on Workgroup memory.
bool por_by_workgroup(const struct spv_module *m);
// True if the module reads the index or the number of workgroups itself.
bool por_names_workgroups(const struct spv_module *m);
// True if the address of an access depends on the workgroup.
bool por_from_workgroup(const struct por_asker *w, uint32_t inst);
bool por_for_one_workgroup(const struct spv_module *m);
// advice.c: true if a branch that decides whether an instruction is executed depends on it.
bool por_guarded_by_workgroup(struct por_asker *w, uint32_t inst);
// Which inputs that were not given decide the places of two accesses: the same single numbers;
// single numbers; elements of arrays, too.
enum por_places { POR_BY_SAME_NUMBERS, POR_BY_NUMBERS, POR_BY_ARRAYS };
enum por_places por_places_of(const struct por_asker *w, const uint32_t inst[2]);
// vary.c: true if the pair of instructions is in w->sure.
bool por_is_sure(const struct por_asker *w, const uint32_t inst[2]);
// True if what por_from_inputs follows changes between instructions first .. last.
bool por_varies(const struct por_asker *w, uint32_t inst, uint32_t first, uint32_t last);

// workgroup_width.c: `invented`: the width if the module has no better number.
void por_workgroup_width(const struct spv_module *m, struct spv_case *c, uint32_t invented,
                         struct por_inputs *in, struct text *t);

// constants.c. True if the module has specialisation constants of 0 that neither the case nor the
// user sets.
bool por_has_blanks(struct arena *a, const struct spv_case *c, const struct por_given *given);
// Sets specialisation constants of the case as the shape has them, where it does not have them, and
// appends a line for each.
void por_set_constants(struct arena *a, const struct spv_module *m, const struct por_shape *shape,
                       struct spv_case *c, struct por_inputs *in, struct text *t);
// The SpecId of a specialised number of 32 bits or truth value that the case does not set;
// UINT32_MAX: `id` is something else.
uint32_t por_free_constant(const struct spv_module *m, const struct spv_case *c, uint32_t id);

// True if the result of the instruction may become a part of the bits of a number: what is computed
// from the other bits does not depend on it.
bool por_is_packed(const struct spv_module *m, uint32_t inst);

// unordered.c: False with a message if a row of given->unordered names anything but a buffer with
// an array.
bool por_check_unordered(struct arena *a, const struct spv_case *c, const struct por_given *given,
                         struct err *e);

// older.c: instructions of older extensions become those of SPIR-V 1.3. The new words live in `a`.
void por_older(struct arena *a, struct spv_case *c);

// short_circuit.c: evaluates ?:, && and || of scalars as HLSL 2021 does. The new words live in `a`.
void por_short_circuit(struct arena *a, struct spv_case *c);

// invented_images.c: binds invented images or samplers, in the form that the type requires, to a
// variable, and appends a description for users.
struct por_maker {
    struct arena *a;
    const struct spv_module *m;
    uint64_t seed;   // 0: all zeros
    uint64_t length; // length if the variable is an array; 0: not given
    uint32_t set, binding, variable;
    const struct spv_inst *image; // its OpTypeImage; set by por_make_image
};
bool por_make_image(const struct por_maker *w, struct spv_case *c, const struct spv_case *given,
                    struct text *out, struct err *e);

#endif
