// SPDX-License-Identifier: Apache-2.0
//
// The program that the machine runs: the control-flow tree as a list, with indices of construct
// ends. Private to backends/isa/nir/.
#ifndef TF_NIR_PROGRAM_H
#define TF_NIR_PROGRAM_H

#include "isa/isa_bits.h"
#include "isa/isa_text.h"
#include "nir.h"

enum { NIR_LANES = LANES_MAX, NIR_COMPONENTS = 16, NIR_NESTING = 256 };

enum nir_unit {
    UNIT_FLOW,  // blocks, ifs, loops, jumps
    UNIT_VALUE, // load_const, undefined, phi, vecN
    UNIT_ALU,   // one expression per component
    UNIT_DEREF, // pointers of early code
    UNIT_PACK,  // several components to one, or one to several
    UNIT_GROUP, // moves values between lanes
    UNIT_MEMORY,
    UNIT_SYSTEM, // values from the driver: ids, sizes, resources, arguments
    UNIT_BARRIER,
};

// Types, one letter each. V, W and B have any number of components; the others have one, or in ALU
// rows as many as the result.
//   n    any width, the same at each n of a row        x    any width, independent
//   f    a float: 16, 32 or 64 bits, the same at each  1    a bool of one bit
//   8 w u q   8, 16, 32, 64 bits
//   V    any vector, the same at each V of a row       W    any vector
//   B    any vector of 32 or 64 bits
enum nir_id {
#define ALU(id, name, dst, src, value)                       NIR_##id,
#define OTHER(id, name, unit, dst, src, attributes, drivers) NIR_##id,
#include "nir_ops.def"
    NIR_IDS
};

struct nir_op {
    const char *name;
    enum nir_unit unit;
    const char *dst, *src;
    const char *attributes; // allowed attributes with an effect, one letter each (nir_attribute.c)
    const char *drivers;    // drivers whose code may contain it: T, R, N, H, I, P, V, W, L; "":
                            // all
    bool intrinsic;
};
extern const struct nir_op nir_ops[NIR_IDS];

struct nir_def {
    uint8_t bits, components;
    bool uniform; // the text marks the value as uniform ("con")
    bool undefined;
    uint32_t at; // index of its first component in nir_wave.v
};

struct nir_src {
    uint32_t def;
    uint8_t count, component[NIR_COMPONENTS];
};

// What a pointer of early code points to, as its text says.
enum nir_mode {
    NIR_TEMP,   // a variable that each lane has
    NIR_SHARED, // a variable of the workgroup
    NIR_BUFFER, // a storage or uniform buffer
    NIR_SYSTEM, // a value from the driver, as a variable
};
// A pointer is the offset in bytes of what it points to: of the lane's variables, or of shared
// memory, or of a value. A pointer into a buffer is a vector: the buffer, and last the offset.
struct nir_deref {
    enum nir_mode mode;
    uint32_t bytes;     // of what it points to, as we lay it out; 0: not known, or a buffer's
    uint32_t variable;  // NIR_SYSTEM: which one; deref_var: its variable
    int64_t index;      // deref_array without a second source
    struct word member; // deref_struct: its name
};

struct nir_variable {
    struct word name;
    enum nir_mode mode;
    uint32_t at, bytes; // 0 bytes: a type whose layout is not known
    enum nir_id id;     // NIR_SYSTEM: the operation that has the value
    uint32_t def;       // NIR_SYSTEM: where the value is written
    bool zero;          // begins as 0
};

enum { NIR_NO_DEF = UINT32_MAX };
struct nir_inst {
    enum nir_id id;
    uint32_t line;
    uint32_t def; // NIR_NO_DEF: none
    uint32_t srcs;
    struct nir_src *src;
    // Constants: one value per component. Phis: the predecessor block of each source.
    uint64_t *number;
    // Index of an instruction: an if's else, an else's end, the start or end of a loop, the target
    // of a goto. For break and continue: the nesting depth of the loop. For a block: its number.
    uint32_t target, other;
    // Of early code: a pointer, or an access through one.
    const struct nir_deref *deref;
    bool linked; // its sources are definitions
    // Attributes.
    int64_t base;
    bool has_offset_shift;
    uint32_t offset_shift, write_mask, cluster, set, binding;
    enum isa_combine combine;
    bool workgroup; // a barrier for the workgroup
    bool has_write_mask;
    bool has_low_bits; // an argument whose text says how many of its low bits are 0
    bool sign_extend;  // of the index of an element
    uint32_t element;  // bytes per element
    uint8_t and_mask, or_mask, xor_mask;
};

struct nir_program {
    struct isa_code code;
    enum nir_driver driver;
    uint32_t size; // lanes per subgroup
    struct nir_inst *inst;
    uint32_t count;
    struct nir_def *def;
    uint32_t defs;
    uint32_t components; // of all definitions together
    bool jumps;          // contains goto: unstructured
    VEC(struct nir_variable) variable;
    uint32_t temp_bytes, shared_bytes; // of all variables
    bool derefs;                       // contains pointers
    // PowerVR: barriers count subgroups in shared memory. Nothing in the code sets the counts, so
    // we assume that all of it is 0 at the beginning.
    bool counts_barriers;
    struct nir_program *preamble; // one lane runs it before everything else; NULL: none
};

// Reads the attributes "(base=4, access=none)" of a line (nir_attribute.c). False with *why filled.
bool nir_attributes_read(struct nir_inst *in, const char *s, size_t n, struct isa_result *why);

// Reads "decl_var ..." (nir_deref_read.c). False with *why filled.
bool nir_variable_read(struct arena *a, struct nir_program *p, struct word s, uint32_t line,
                       struct isa_result *why);
// Reads what follows "deref_...": fills in->deref, and in->src with numbers of values.
bool nir_deref_read(struct arena *a, const struct nir_program *p, struct nir_inst *in,
                    struct word s, struct isa_result *why);
// Finds the pointer of each access, after names are resolved. False with *why filled.
bool nir_deref_link(struct arena *a, struct nir_program *p, struct isa_result *why);

// A function of a text.
struct nir_function {
    struct word name;
    const char *body; // the line after its head
    uint32_t line;    // of its head
    bool entry;
};
// Finds the functions of a text up to `end` (nir_functions.c).
uint32_t nir_functions_find(struct arena *a, const char *text, const char *end,
                            struct nir_function **out);

// Checks the types of the operands against the row. False with *why filled (nir_ops.c).
bool nir_types_fit(const struct nir_program *p, const struct nir_inst *in, struct isa_result *why);

// Runs a program (nir_run.c). It is isa_code.run.
void nir_run(struct arena *a, const struct isa_code *code, const struct spv_case *c,
             const struct isa_options *o, struct isa_result *out);

// ---- values (nir_alu.c) ----------------------------------------------------

struct nir_alu {
    const uint64_t *v[4]; // one row of lanes per source, zero-extended; all four are set
    uint32_t from, width; // bits of the first source that is not a bool, and of the result
};
// Evaluates an ALU row: writes out[lanes.first .. lanes.last], zero-extended.
void nir_alu_rows(enum nir_id id, const struct nir_alu *x, struct isa_span lanes, uint64_t *out);

#endif
