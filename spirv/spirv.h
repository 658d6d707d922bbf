// SPDX-License-Identifier: Apache-2.0
//
// spirv: words <-> structure. What a module *is*, never what it does.
//
//   opcodes       shape and class of each (spirv_ops.h)
//   module view   words, checked, as instructions, functions and blocks
//   writer        instructions -> words, section by section
//   text          assembly both ways, and spirv-val, through SPIRV-Tools
//   case          a module with everything needed to run and judge it, one file
#ifndef TF_SPIRV_H
#define TF_SPIRV_H

#include "spirv_choices.h"
#include "spirv_images.h"
#include "spirv_ops.h"
#include "spirv_stage.h"

// ---- module view ------------------------------------------------------------

// One instruction. All word counts and ids were checked: operand words lie
// inside the module, ids lie below `bound` and are not zero.
struct spv_inst {
    uint16_t op;       // SpvOp
    uint16_t n;        // operand words, without result type and result id
    uint32_t type;     // result type id, 0 when the opcode has none
    uint32_t result;   // result id, 0 when the opcode has none
    const uint32_t *v; // the n operand words
    uint32_t at;       // word offset of the instruction in the module
};

struct spv_block {
    uint32_t label;       // id
    uint32_t first, last; // instruction indices: OpLabel .. terminator
    uint32_t merge;       // index of OpSelectionMerge or OpLoopMerge, 0 when none
};

struct spv_function {
    uint32_t id;
    uint32_t first, last;              // instruction indices: OpFunction .. OpFunctionEnd
    uint32_t block_first, block_count; // in blocks[]; none for a declaration
};

struct spv_module {
    const uint32_t *words; // the caller's, host byte order
    size_t count;
    uint32_t version; // 0x00010600 is 1.6
    uint32_t bound;   // ids are 1 .. bound-1
    struct spv_inst *insts;
    uint32_t inst_count;
    // def[id]: index of the defining instruction, UINT32_MAX when there is none.
    uint32_t *def;
    struct spv_function *functions;
    uint32_t function_count;
    struct spv_block *blocks; // of all functions, in binary order
    uint32_t block_count;
    // block_of[id of a label]: index in blocks[], UINT32_MAX else.
    uint32_t *block_of;
};

// Ids are limited to 0x3fffff (the universal limit); larger bounds are refused.
enum { SPV_ID_LIMIT = 0x400000 };

// Reads any words, hostile ones too. False with a message that names the word
// offset and what was expected. Opposite byte order is refused. Checks shape
// only (word counts, ids in range and defined once, operands as the grammar has
// them, functions and blocks nested properly, every block terminated); what is
// *valid* says spv_validate.
bool spv_module_read(struct arena *a, const uint32_t *words, size_t count, struct spv_module *out,
                     struct err *e);
// The defining instruction of an id, NULL when there is none.
const struct spv_inst *spv_def(const struct spv_module *m, uint32_t id);
// A NUL-terminated literal string that starts at v[0] of n words; NULL when it
// does not end inside them.
const char *spv_string(const uint32_t *v, size_t n);
// OpName of an id, or NULL.
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
    struct spv_unique *unique; // types and constants already there
};

void spv_writer_start(struct spv_writer *w, struct arena *a, uint32_t version);
uint32_t spv_new_id(struct spv_writer *w);

// Appends one instruction of raw operand words.
void spv_put(struct spv_writer *w, enum spv_section s, SpvOp op, const uint32_t *v, size_t n);
// The same with the operands listed: SPV_PUT(w, SPV_FUNCTIONS, SpvOpStore, ptr, value)
#define SPV_PUT(w, s, op, ...)                                                                     \
    spv_put((w), (s), (op), (const uint32_t[]){__VA_ARGS__},                                       \
            sizeof((const uint32_t[]){__VA_ARGS__}) / sizeof(uint32_t))
#define SPV_PUT0(w, s, op) spv_put((w), (s), (op), NULL, 0)
// In SPV_FUNCTIONS: result type, a new result id, the operands; returns the id.
uint32_t spv_put_value(struct spv_writer *w, SpvOp op, uint32_t type, const uint32_t *v, size_t n);
#define SPV_VALUE(w, op, type, ...)                                                                \
    spv_put_value((w), (op), (type), (const uint32_t[]){__VA_ARGS__},                              \
                  sizeof((const uint32_t[]){__VA_ARGS__}) / sizeof(uint32_t))
// Words of a literal string are appended to `out`.
void spv_string_words(struct arena *a, struct words *out, const char *s);
void spv_put_name(struct spv_writer *w, uint32_t id, const char *name);

// Types and constants, each made once. Pointers and arrays too; structs and
// decorated arrays are always new (decorations belong to one id): use
// spv_new_id and SPV_PUT for them.
uint32_t spv_capability(struct spv_writer *w, SpvCapability c); // declared once; returns 0
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

// The finished module, header and all, in the writer's arena.
const uint32_t *spv_writer_finish(struct spv_writer *w, size_t *count);

// ---- text and validation (SPIRV-Tools) ------------------------------------------

// Which environment's rules a module is held against.
enum spv_env { SPV_ENV_VULKAN_1_1, SPV_ENV_VULKAN_1_2, SPV_ENV_VULKAN_1_3, SPV_ENV_UNIVERSAL_1_6 };

// SPIRV-Tools' contexts are costly to make: a process (or thread) keeps one of
// these and passes it around. Made on first use of each environment.
struct spv_tools;
struct spv_tools *spv_tools_new(void);
void spv_tools_free(struct spv_tools *t);

// Assembly text -> words. The message of a failure names the line (counted from
// `first_line`) and what was wrong.
bool spv_assemble(struct spv_tools *t, struct arena *a, const char *text, size_t size,
                  int first_line, const uint32_t **words, size_t *count, struct err *e);
// Words -> assembly text without header comment, indented, ids as numbers: the
// form that a case file holds. It assembles back to the same words, except that
// the header's generator is 0 then. A module older than 1.6 gets the comment
// "; Version: 1.N" on top, which spv_assemble obeys; without one it makes 1.6.
bool spv_disassemble(struct spv_tools *t, struct arena *a, const uint32_t *words, size_t count,
                     const char **text, struct err *e);
// spirv-val. False with the validator's first message. Any words.
bool spv_validate(struct spv_tools *t, enum spv_env env, const uint32_t *words, size_t count,
                  struct err *e);
// Seconds of processor time that spirv-val has taken so far, with these tools.
double spv_tools_validation_cpu(const struct spv_tools *t);
// The merge repair (merge_repair.c): moves merge instructions that do not stand right
// before their block's terminator. False when there is none to move. Any words; the same
// number of words comes out.
bool spv_merge_repair(struct arena *a, const uint32_t *words, size_t count, const uint32_t **out);
// spirv-opt's passes by its own flags ("-O", "-Os", "--ssa-rewrite" ...), in this
// process: call it where a crash does no harm. False with the optimiser's message.
bool spv_optimize(struct arena *a, const char *const *flags, size_t flag_count,
                  const uint32_t *words, size_t count, const uint32_t **out, size_t *out_count,
                  struct err *e);
bool spv_optimizer_knows(const char *flag);
// Flags of passes that keep a shader's meaning wherever they stand.
const char *const *spv_optimizer_steps(uint32_t *n);
// The passes that one needs before it, NULL after the last: --merge-return takes no unreachable
// block, and only functions of one return are inlined.
const char *const *spv_optimizer_before(const char *flag);
// The passes that "-O", "-Os" and "--legalize-hlsl" stand for in 2026.4, in order; NULL for other
// flags.
const char *const *spv_optimizer_recipe(const char *flag, uint32_t *n);
// SPIRV-Tools' own version text.
const char *spv_tools_version(void);

// ---- case -------------------------------------------------------------------

// The model a case is judged by (docs/rules.md, "Weaker models").
enum spv_model { SPV_MAXIMAL, SPV_SUBGROUP_UNIFORM, SPV_WORKGROUP_UNIFORM, SPV_ASSUMED_MAXIMAL };
const char *spv_model_name(enum spv_model m);

// First contents of a buffer, as the case file tells them.
enum spv_fill { SPV_FILL_WORDS, SPV_FILL_ZERO, SPV_FILL_SEED, SPV_FILL_FILE };
// SPV_ADDRESS_SET:0 names no descriptor, but what addresses (PhysicalStorageBuffer) point to:
// buffer k of that array begins at the address SPV_ADDRESS + k * SPV_ADDRESS_STEP.
#define SPV_ADDRESS_SET  32u
#define SPV_ADDRESS      (UINT64_C(1) << 40)
#define SPV_ADDRESS_STEP (UINT64_C(1) << 26)
struct spv_buffer {
    uint32_t set, binding;
    enum spv_fill fill;
    uint32_t count;    // words; for SPV_FILL_FILE what the file held
    uint64_t seed;     // SPV_FILL_SEED: splitmix64 from it, low half of each number
    const char *file;  // SPV_FILL_FILE: name as in the case, beside the case file
    bool hex;          // numbers of ten and more are spelled 0x...
    uint32_t *words;   // the contents, for every kind of fill
    uint32_t elements; // of an array of buffers of equal size, one after the other in `words`; 0:
                       // one buffer
    struct spv_image_form
        image; // a storage image, whose texels the words are; image.count 0: a plain buffer
};

// Words of a buffer after the run, with the bits that may be compared.
struct spv_memory {
    uint32_t set, binding;
    uint32_t count; // words
    bool hex;
    uint32_t *words; // bits outside the mask are 0
    uint32_t *mask;  // set bits are defined; NULL when all are
};

enum spv_verdict_kind { SPV_VERDICT_NONE, SPV_VERDICT_UNDEFINED, SPV_VERDICT_INVALID };

// Limits on what a case file may ask for.
enum {
    SPV_CASE_BUFFERS = 16,
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
    uint32_t groups[3]; // of workgroups; of a draw 1, 1, 1
    uint32_t target[2]; // of a draw: pixels in x and y; vertices, and 1
    enum spv_cover cover;
    uint32_t vertex_count;
    uint16_t vertex[SPV_COVER_VERTICES][2]; // x, y, in units of 1/SPV_SUBPIXELS
    uint32_t subgroup;                      // size: a power of two, 1 .. 128; 0: any
    enum spv_model model;

    uint32_t push_count; // words given from offset 0; what lies beyond is undefined
    uint32_t push[SPV_CASE_PUSH];
    bool push_hex; // spelling, as in spv_buffer
    uint32_t spec_count;
    struct spv_spec {
        uint32_t id; // SpecId
        uint32_t value;
        char type[4]; // "u32", "i32", "f32": how `value` is spelled; bits are bits
    } spec[SPV_CASE_SPECS];

    uint32_t buffer_count;
    struct spv_buffer buffer[SPV_CASE_BUFFERS]; // storage images too
    uint32_t image_count;                       // bindings with sampled images
    struct spv_image image[SPV_CASE_IMAGES];
    uint32_t
        sampler_count; // bindings with samplers; where there is an image too, they are combined
    struct spv_sampler sampler[SPV_CASE_IMAGES];
    uint32_t expect_count; // 0: ask the oracle
    struct spv_memory expect[SPV_CASE_BUFFERS];

    bool has_log;                              // how triage decodes the observation log
    uint32_t log_set, log_binding, log_stride; // words a row
    bool has_lanes; // where the shader writes its lane mapping: for each invocation (linear
                    // global index) SubgroupId, SubgroupLocalInvocationId, SubgroupSize
    uint32_t lanes_set, lanes_binding;
    bool has_coverage; // of a draw: where the shader logs which invocations it has (spirv_stage.h)
    uint32_t coverage_set, coverage_binding;
    bool has_policy;
    struct spv_choices policy;
    enum spv_verdict_kind verdict;
    const char *verdict_rule;      // "E-race", "S1"; NULL for none
    uint32_t inputs_at, inputs_of; // "inputs N of M", 1-based; 0 when absent
    const char *from;              // provenance, free text; NULL for none

    // The assembly as it was read, comments and all, so that writing gives the
    // same bytes; NULL for a case made in memory. Whoever changes `words` clears it.
    const char *body;
    const char *path; // where it was read from, for messages; NULL otherwise
};

// Reads a case from text. `path` names it in messages and is where `file NAME`
// is looked for. False with "path:line: what was found, what was expected".
bool spv_case_parse(struct spv_tools *t, struct arena *a, const char *path, const char *text,
                    size_t size, struct spv_case *out, struct err *e);
// The same from a file. A path that ends in .spv is read as bare words with
// dispatch 1 1 1 and no buffers.
bool spv_case_read(struct spv_tools *t, struct arena *a, const char *path, struct spv_case *out,
                   struct err *e);
// The file's text. Reading it gives the same case; writing what was read gives
// the same bytes (numbers in their usual spelling: see docs/case-format.md).
bool spv_case_print(struct spv_tools *t, const struct spv_case *c, struct text *out, struct err *e);
bool spv_case_write(struct spv_tools *t, const struct spv_case *c, const char *path, struct err *e);

// What is asked for in words: "dispatch 2 x 1 x 1", "vertex shader, 16 vertices".
void spv_case_work(const struct spv_case *c, struct text *out);
// Invocations of a dispatch; of a draw its vertices, or pixels that might be drawn. `m`: the case's
// module; NULL, or without a workgroup size: workgroups count as one invocation each.
uint64_t spv_case_invocations(const struct spv_case *c, const struct spv_module *m);

// Contents of SPV_FILL_SEED: `count` words from `seed`.
void spv_seed_fill(uint64_t seed, uint32_t *words, size_t count);

// The memory file: one line a buffer, "memory 0:1 u32 7 7 ? 9"; a word of which
// only some bits are defined is "0x1f/0xff" (value/mask).
void spv_memory_print(const struct spv_memory *m, size_t n, struct text *out);
bool spv_memory_parse(struct arena *a, const char *path, const char *text, size_t size,
                      struct spv_memory *out, size_t max, size_t *n, struct err *e);

// LocalSize of the module's (first) GLCompute entry point with the case's
// specialisation applied. False when it has none.
bool spv_local_size(const struct spv_case *c, const struct spv_module *m, uint32_t size[3],
                    struct err *e);

#endif
