// SPDX-License-Identifier: Apache-2.0
//
// spirv: converts between SPIR-V words and structure. It knows what a module is, not what it
// computes.
//
//   opcodes       shape and class of each (spirv_ops.h)
//   module view   checked words as instructions, functions and blocks
//   writer        instructions -> words, section by section
//   text          assembler, disassembler and spirv-val, through SPIRV-Tools
//   case          one file: a module with everything needed to run and judge it
#ifndef TF_SPIRV_H
#define TF_SPIRV_H

#include "outcome.h"
#include "spirv_choices.h"
#include "spirv_images.h"
#include "spirv_ops.h"
#include "spirv_stage.h"

// ---- module view ------------------------------------------------------------

// One instruction. Word counts and ids are checked: operand words lie inside the module, ids are
// non-zero and below `bound`.
struct spv_inst {
    uint16_t op;       // SpvOp
    uint16_t n;        // operand words, without result type and result id
    uint32_t type;     // result type id; 0: none
    uint32_t result;   // result id; 0: none
    const uint32_t *v; // the n operand words
    uint32_t at;       // word offset of the instruction in the module
};

struct spv_block {
    uint32_t label;       // id
    uint32_t first, last; // instruction indices: OpLabel .. terminator
    uint32_t merge;       // index of OpSelectionMerge or OpLoopMerge; 0: none
};

struct spv_function {
    uint32_t id;
    uint32_t first, last;              // instruction indices: OpFunction .. OpFunctionEnd
    uint32_t block_first, block_count; // in blocks[]; none for a declaration
};

struct spv_module {
    const uint32_t *words; // owned by the caller; host byte order
    size_t count;
    uint32_t version; // SPV_1_6, ...
    uint32_t bound;   // ids are 1 .. bound-1
    struct spv_inst *insts;
    uint32_t inst_count;
    // def[id]: index of the defining instruction; UINT32_MAX: none
    uint32_t *def;
    struct spv_function *functions;
    uint32_t function_count;
    struct spv_block *blocks; // of all functions, in binary order
    uint32_t block_count;
    // block_of[label id]: index in blocks[]; UINT32_MAX for other ids
    uint32_t *block_of;
};

// Ids are limited to 0x3fffff (the universal limit); larger bounds are rejected.
enum { SPV_ID_LIMIT = 0x400000 };

// Reads a module from untrusted words. False with a message that names the word offset and what was
// expected. Rejects the opposite byte order. Checks shape only: word counts, ids in range and
// defined once, operands that fit the grammar, functions and blocks nested properly, every block
// terminated. spv_validate checks validity.
bool spv_module_read(struct arena *a, const uint32_t *words, size_t count, struct spv_module *out,
                     struct err *e);
// Returns the defining instruction of an id, or NULL.
const struct spv_inst *spv_def(const struct spv_module *m, uint32_t id);
// Returns the NUL-terminated literal string that starts at v[0]; NULL if it does not end within n
// words.
const char *spv_string(const uint32_t *v, size_t n);
// True if the module has an OpExtension of this name.
bool spv_declares(const struct spv_module *m, const char *extension);
// Returns the OpName of an id, or NULL.
const char *spv_name(const struct spv_module *m, uint32_t id);

// ---- writer -----------------------------------------------------------------

// The sections of a module in their order (SPIR-V 2.4).
enum spv_section {
    SPV_CAPABILITIES,
    SPV_EXTENSIONS,
    SPV_IMPORTS,
    SPV_MEMORY_MODEL,
    SPV_ENTRY_POINTS,
    SPV_EXECUTION_MODES,
    SPV_DEBUG,
    SPV_ANNOTATIONS,
    SPV_GLOBALS, // types, constants, variables
    SPV_FUNCTIONS,
    SPV_SECTIONS
};

struct spv_writer {
    struct arena *arena;
    uint32_t version; // set by spv_writer_start
    uint32_t next_id;
    struct words section[SPV_SECTIONS];
    struct spv_unique *unique; // the types and constants written so far
};

// Versions as the module's header has them.
enum { SPV_1_3 = 0x00010300, SPV_1_4 = 0x00010400, SPV_1_5 = 0x00010500, SPV_1_6 = 0x00010600 };

// Starts an empty module of that version. The first new id is 1.
void spv_writer_start(struct spv_writer *w, struct arena *a, uint32_t version);
uint32_t spv_new_id(struct spv_writer *w);

// Appends an instruction with raw operand words.
void spv_put(struct spv_writer *w, enum spv_section s, SpvOp op, const uint32_t *v, size_t n);
// The same with the operands listed: SPV_PUT(w, SPV_FUNCTIONS, SpvOpStore, ptr, value)
#define SPV_PUT(w, s, op, ...)                                                                     \
    spv_put((w), (s), (op), (const uint32_t[]){__VA_ARGS__},                                       \
            sizeof((const uint32_t[]){__VA_ARGS__}) / sizeof(uint32_t))
#define SPV_PUT0(w, s, op) spv_put((w), (s), (op), NULL, 0)
// Appends an instruction to SPV_FUNCTIONS: result type, a new result id, the operands. Returns the
// id.
uint32_t spv_put_value(struct spv_writer *w, SpvOp op, uint32_t type, const uint32_t *v, size_t n);
#define SPV_VALUE(w, op, type, ...)                                                                \
    spv_put_value((w), (op), (type), (const uint32_t[]){__VA_ARGS__},                              \
                  sizeof((const uint32_t[]){__VA_ARGS__}) / sizeof(uint32_t))
// Appends the words of a literal string to `out`.
void spv_string_words(struct arena *a, struct words *out, const char *s);
void spv_put_name(struct spv_writer *w, uint32_t id, const char *name);

// Types and constants. Each is written once and then reused, pointers included. Structs, and arrays
// with decorations, must be new each time, because decorations belong to one id: use spv_new_id and
// SPV_PUT. A type does not declare the capability that it needs.
uint32_t spv_capability(struct spv_writer *w, SpvCapability c); // declared once; always returns 0
void spv_extension(struct spv_writer *w, const char *name);     // declared once
uint32_t spv_type_void(struct spv_writer *w);
uint32_t spv_type_bool(struct spv_writer *w);
uint32_t spv_type_int(struct spv_writer *w, unsigned bits, bool is_signed);
uint32_t spv_type_float(struct spv_writer *w, unsigned bits);
uint32_t spv_type_vector(struct spv_writer *w, uint32_t component, uint32_t count);
uint32_t spv_type_pointer(struct spv_writer *w, SpvStorageClass sc, uint32_t pointee);
uint32_t spv_type_function(struct spv_writer *w, uint32_t ret, const uint32_t *params, size_t n);
uint32_t spv_const_u32(struct spv_writer *w, uint32_t value); // of the unsigned 32-bit type
uint32_t spv_const_i32(struct spv_writer *w, int32_t value);
uint32_t spv_const_f32(struct spv_writer *w, float value);
uint32_t spv_const_bool(struct spv_writer *w, bool value);
uint32_t spv_const_composite(struct spv_writer *w, uint32_t type, const uint32_t *v, size_t n);

// Returns the finished module with its header, in the writer's arena.
const uint32_t *spv_writer_finish(struct spv_writer *w, size_t *count);

// ---- text and validation (SPIRV-Tools) ------------------------------------------

// The environment whose rules spv_validate applies.
enum spv_env { SPV_ENV_VULKAN_1_1, SPV_ENV_VULKAN_1_2, SPV_ENV_VULKAN_1_3, SPV_ENV_UNIVERSAL_1_6 };

// Holds SPIRV-Tools' contexts, which are slow to create. Keep one of these per process or thread.
// Each environment's context is created on first use.
struct spv_tools;
struct spv_tools *spv_tools_new(void);
void spv_tools_free(struct spv_tools *t);

// Assembles text to words. A failure's message names the line (counted from `first_line`) and the
// error.
bool spv_assemble(struct spv_tools *t, struct arena *a, const char *text, size_t size,
                  int first_line, const uint32_t **words, size_t *count, struct err *e);
// Disassembles words to text without a header comment, indented, with numeric ids, as case files
// store it. Assembling it returns the same words, except that the header's generator is 0. A module
// older than 1.6 starts with the comment "; Version: 1.N", which spv_assemble obeys; without it
// spv_assemble writes 1.6.
bool spv_disassemble(struct spv_tools *t, struct arena *a, const uint32_t *words, size_t count,
                     const char **text, struct err *e);
// Runs spirv-val on any words. False with the validator's first message.
bool spv_validate(struct spv_tools *t, enum spv_env env, const uint32_t *words, size_t count,
                  struct err *e);
// Processor time in seconds that spirv-val has used with these tools.
double spv_tools_validation_cpu(const struct spv_tools *t);
// Moves each merge instruction that is not directly before its block's terminator to that place
// (merge_repair.c). The number of words stays the same. Accepts any words. False, with *out
// undefined, if nothing had to move or the words do not divide into instructions and blocks.
bool spv_merge_repair(struct arena *a, const uint32_t *words, size_t count, const uint32_t **out);
// Runs spirv-opt passes, named by its flags ("-O", "-Os", "--ssa-rewrite" ...), in this process.
// Call it only in a process that may crash. False with the optimizer's message.
bool spv_optimize(struct arena *a, const char *const *flags, size_t flag_count,
                  const uint32_t *words, size_t count, const uint32_t **out, size_t *out_count,
                  struct err *e);
// True if spv-opt accepts this flag: a pass, or a recipe such as "-O".
bool spv_optimizer_knows(const char *flag);
// Returns the flags of passes that preserve a shader's semantics after any other pass. Skip
// --freeze-spec-const for a case that sets specialisation constants: it makes them ineffective.
const char *const *spv_optimizer_steps(uint32_t *n);
// Returns the passes that must run before `flag`, ended by NULL; most flags need none.
// --merge-return rejects unreachable blocks, and only functions with one return are inlined.
const char *const *spv_optimizer_before(const char *flag);
// Returns the passes, in order, that "-O", "-Os" and "--legalize-hlsl" run in SPIRV-Tools 2026.4;
// NULL for other flags.
const char *const *spv_optimizer_recipe(const char *flag, uint32_t *n);
// Returns SPIRV-Tools' version, "SPIRV-Tools v2026.4", with commit and date where its build knew
// the commit. In `a`.
const char *spv_tools_version(struct arena *a);

// ---- case -------------------------------------------------------------------

// The model that a case is judged by (docs/rules.md, "Weaker models").
enum spv_model { SPV_MAXIMAL, SPV_SUBGROUP_UNIFORM, SPV_WORKGROUP_UNIFORM, SPV_ASSUMED_MAXIMAL };
const char *spv_model_name(enum spv_model m);

// Initial contents of a buffer, as the case file declares them.
enum spv_fill { SPV_FILL_WORDS, SPV_FILL_ZERO, SPV_FILL_SEED, SPV_FILL_FILE };
// SPV_ADDRESS_SET:0 is not a descriptor. It declares the memory that PhysicalStorageBuffer
// addresses point to: buffer k of that array begins at address SPV_ADDRESS + k * SPV_ADDRESS_STEP.
#define SPV_ADDRESS_SET  32u
#define SPV_ADDRESS      (UINT64_C(1) << 40)
#define SPV_ADDRESS_STEP (UINT64_C(1) << 26)
struct spv_buffer {
    uint32_t set, binding;
    enum spv_fill fill;
    uint32_t count;    // words; for SPV_FILL_FILE taken from the file
    uint64_t seed;     // SPV_FILL_SEED: splitmix64 seed; each word is the low half of a number
    const char *file;  // SPV_FILL_FILE: file name as in the case, in the case's folder
    bool hex;          // numbers from 10 on are written as 0x...
    uint32_t *words;   // contents, for every kind of fill
    uint32_t elements; // buffers of equal size in an array, consecutive in `words`; 0: no array
    struct spv_image_form
        image; // set for a storage image, whose texels are the words; image.count 0: a plain buffer
};

// Contents of a buffer after the run, and which bits may be compared.
struct spv_memory {
    uint32_t set, binding;
    uint32_t count; // words
    bool hex;
    uint32_t *words; // bits outside the mask are 0
    uint32_t *mask;  // bits that are set are defined; NULL: all are
};

enum spv_verdict_kind { SPV_VERDICT_NONE, SPV_VERDICT_UNDEFINED, SPV_VERDICT_INVALID };

// Limits of a case file.
enum {
    SPV_CASE_BUFFERS = 32,
    SPV_CASE_ELEMENTS = 4096, // of one array of buffers
    SPV_CASE_SPECS = 64,
    SPV_CASE_PUSH = 64,              // words
    SPV_CASE_BUFFER_WORDS = 1 << 26, // 256 MiB
    SPV_CASE_GROUPS = 65535,
};

struct spv_case {
    const uint32_t *words; // the module
    size_t count;
    enum spv_stage stage;
    uint32_t groups[3]; // number of workgroups; 1, 1, 1 for a draw
    uint32_t target[2]; // of a draw: pixels in x and y; or vertices, and 1
    enum spv_cover cover;
    uint32_t vertex_count;
    uint16_t vertex[SPV_COVER_VERTICES][2]; // x, y, in units of 1/SPV_SUBPIXELS
    uint32_t subgroup;                      // size: a power of two, 1 .. 128; 0: any
    enum spv_model model;

    uint32_t push_count; // words from offset 0; later words are undefined
    uint32_t push[SPV_CASE_PUSH];
    bool push_hex; // as in spv_buffer
    uint32_t spec_count;
    struct spv_spec {
        uint32_t id; // SpecId
        uint32_t value;
        char type[4]; // "u32", "i32", "f32": how `value` is printed; `value` itself is raw bits
    } spec[SPV_CASE_SPECS];

    uint32_t buffer_count;
    struct spv_buffer buffer[SPV_CASE_BUFFERS]; // includes storage images
    uint32_t image_count;                       // bindings with sampled images
    struct spv_image image[SPV_CASE_IMAGES];
    uint32_t sampler_count; // bindings with samplers; combined image samplers where an image has
                            // the same binding
    struct spv_sampler sampler[SPV_CASE_IMAGES];
    uint32_t expect_count; // 0: the oracle computes the expected memory
    struct spv_memory expect[SPV_CASE_BUFFERS];

    bool has_log;                              // the buffer that triage decodes as observation log
    uint32_t log_set, log_binding, log_stride; // words per row
    bool has_lanes;    // buffer where the shader writes its lane mapping (spirv_stage.h)
    bool lanes_packed; // in one word for each invocation
    uint32_t lanes_set, lanes_binding;
    bool has_coverage; // for a draw: buffer where the shader logs its invocations (spirv_stage.h)
    uint32_t coverage_set, coverage_binding;
    bool has_policy;
    struct spv_choices policy;
    enum spv_verdict_kind verdict;
    const char *verdict_rule;      // "E-race", "S1"; NULL: none
    uint32_t inputs_at, inputs_of; // "inputs N of M", from 1; 0: absent
    const char *from;              // origin, free text; NULL: none

    // The assembly as it was read, with comments, so that writing it returns the same bytes. NULL
    // for a case created in memory. Set it to NULL when you change `words`.
    const char *body;
    const char *path; // file it was read from, for messages; NULL: none
};

// Parses a case. `path` names it in messages, and `file NAME` is looked up in its folder. False
// with "path:line: what was found, what was expected".
bool spv_case_parse(struct spv_tools *t, struct arena *a, const char *path, const char *text,
                    size_t size, struct spv_case *out, struct err *e);
// The same from a file. A path that ends in .spv is read as a bare module with dispatch 1 1 1 and
// no buffers.
bool spv_case_read(struct spv_tools *t, struct arena *a, const char *path, struct spv_case *out,
                   struct err *e);
// Prints a case file. Reading it returns the same case. Writing a case that was read returns the
// same bytes, if its numbers have the usual spelling (docs/case-format.md). False with a message in
// `e` if the words cannot be disassembled or the file cannot be written. A buffer's file
// (SPV_FILL_FILE) is named, not copied.
bool spv_case_print(struct spv_tools *t, const struct spv_case *c, struct text *out, struct err *e);
bool spv_case_write(struct spv_tools *t, const struct spv_case *c, const char *path, struct err *e);

// Return what the case has at a set and binding; NULL: nothing, or `c` is NULL. spv_buffer_index
// returns the index of the buffer; UINT32_MAX: none.
const struct spv_buffer *spv_buffer_at(const struct spv_case *c, uint32_t set, uint32_t binding);
const struct spv_image *spv_image_at(const struct spv_case *c, uint32_t set, uint32_t binding);
const struct spv_sampler *spv_sampler_at(const struct spv_case *c, uint32_t set, uint32_t binding);
uint32_t spv_buffer_index(const struct spv_case *c, uint32_t set, uint32_t binding);

// Describes the size of the work: "dispatch 2 x 1 x 1", "vertex shader, 16 vertices".
void spv_case_work(const struct spv_case *c, struct text *out);
// Returns the invocations of a dispatch; for a draw the vertices, or the pixels of the target. `m`:
// the case's module. If it is NULL or has no workgroup size, each workgroup counts as one
// invocation.
uint64_t spv_case_invocations(const struct spv_case *c, const struct spv_module *m);

// Writes the contents of SPV_FILL_SEED: `count` words.
void spv_seed_fill(uint64_t seed, uint32_t *words, size_t count);

// Memory files have one line per buffer, "memory 0:1 u32 7 7 ? 9". A partly defined word is written
// as value/mask: "0x1f/0xff". Parsing writes *n memories, at most `max`, to `out`. False with
// "path:line: ..." for any other line, a buffer that appears twice, or more than `max`.
void spv_memory_print(const struct spv_memory *m, size_t n, struct text *out);
bool spv_memory_parse(struct arena *a, const char *path, const char *text, size_t size,
                      struct spv_memory *out, size_t max, size_t *n, struct err *e);

// Returns in `size` the workgroup size of the module's first GLCompute entry point, specialised by
// the case: from a WorkgroupSize constant, else LocalSizeId, else LocalSize. False with a message
// if it has none, a number is 0, or an id is not a 32-bit constant.
bool spv_local_size(const struct spv_case *c, const struct spv_module *m, uint32_t size[3],
                    struct err *e);

#endif
