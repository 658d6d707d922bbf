// SPDX-License-Identifier: Apache-2.0
//
// The program that the machine runs: the control-flow tree as a list, with indices of construct
// ends. Private to backends/isa/nir/.
#ifndef TF_NIR_PROGRAM_H
#define TF_NIR_PROGRAM_H

#include "isa/isa_bits.h"
#include "nir.h"

enum { NIR_LANES = LANES_MAX, NIR_COMPONENTS = 16, NIR_NESTING = 256 };

enum nir_unit {
    UNIT_FLOW,  // blocks, ifs, loops, jumps
    UNIT_VALUE, // load_const, undefined, phi, vecN
    UNIT_ALU,   // one expression per component
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
    // Attributes.
    int64_t base;
    uint32_t offset_shift, write_mask, cluster, set, binding;
    enum isa_combine combine;
    bool workgroup; // a barrier for the workgroup
    bool has_write_mask;
    bool sign_extend; // of the index of an element
    uint32_t element; // bytes per element
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
    // PowerVR: barriers count subgroups in shared memory. Nothing in the code sets the counts, so
    // we assume that all of it is 0 at the beginning.
    bool counts_barriers;
    struct nir_program *preamble; // Honeykrisp: one lane runs it before everything else; NULL: none
};

// Reads the attributes "(base=4, access=none)" of a line (nir_attribute.c). False with *why filled.
bool nir_attributes_read(struct nir_inst *in, const char *s, size_t n, struct isa_result *why);

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
