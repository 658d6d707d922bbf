// SPDX-License-Identifier: Apache-2.0
//
// A program as it is run: the tree as a list, with the ends of its constructs as numbers. Private
// to backends/isa/nir/.
#ifndef TF_NIR_PROGRAM_H
#define TF_NIR_PROGRAM_H

#include "isa/isa_bits.h"
#include "nir.h"

enum { NIR_LANES = LANES_MAX, NIR_COMPONENTS = 16, NIR_NESTING = 256 };

enum nir_unit {
    UNIT_FLOW,  // blocks, ifs, loops, jumps
    UNIT_VALUE, // load_const, undefined, phi, vecN
    UNIT_ALU,   // component by component: an expression
    UNIT_PACK,  // from several components to one, or the other way round
    UNIT_GROUP, // from lane to lane
    UNIT_MEMORY,
    UNIT_SYSTEM, // what the driver knows: ids, sizes, resources, arguments
    UNIT_BARRIER,
};

// Types, a letter each. One component, but for the last two lines.
//   n    any width, the same at each n of a row        x    any width, its own
//   f    a float, 16, 32 or 64 bits, all alike         1    a bool of one bit
//   8 w u q   8, 16, 32, 64 bits
//   V    any vector, the same at each V of a row       W    any vector
//   B    any vector, of 32 or 64 bits
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
    const char *attributes; // those that mean something to it, a letter each (nir_attribute.c)
    const char *drivers;    // that may have it: T, R, N, H; "" all
    bool intrinsic;
};
extern const struct nir_op nir_ops[NIR_IDS];

struct nir_def {
    uint8_t bits, components;
    bool alike; // the text says that all lanes have one value ("con")
    bool undefined;
    uint32_t at; // first of its components, see nir_wave.v
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
    // Constants: one a component. Phis: the block that each source comes from. Blocks, jumps: [0],
    // [1].
    uint64_t *number;
    // Instructions: an if's else, an else's end, a loop's begin and end, where a goto goes. Of a
    // break or continue how many constructs are around its loop; of a block its number.
    uint32_t target, other;
    // Attributes.
    int64_t base;
    uint32_t offset_shift, write_mask, cluster, set;
    enum isa_combine combine;
    bool workgroup; // a barrier that the workgroup waits at
    bool has_write_mask;
    bool sign_extend; // of the elements behind an address
    uint32_t element; // bytes of one
    uint8_t and_mask, or_mask, xor_mask;
};

struct nir_program {
    struct isa_code code;
    enum nir_driver driver;
    uint32_t size; // lanes of a subgroup
    struct nir_inst *inst;
    uint32_t count;
    struct nir_def *def;
    uint32_t defs;
    uint32_t components;          // of all definitions
    bool jumps;                   // unstructured: goto
    struct nir_program *preamble; // Honeykrisp: what one lane runs before all others; NULL: nothing
};

// One line's attributes "(base=4, access=none)" (nir_attribute.c). False with *why filled.
bool nir_attributes_read(struct nir_inst *in, const char *s, size_t n, struct isa_result *why);

// Are the types of the operands what the row says? False with *why filled (nir_ops.c).
bool nir_types_fit(const struct nir_program *p, const struct nir_inst *in, struct isa_result *why);

// isa_code's run (nir_run.c).
void nir_run(struct arena *a, const struct isa_code *code, const struct spv_case *c,
             const struct isa_options *o, struct isa_result *out);

// ---- values (nir_alu.c) ----------------------------------------------------

struct nir_alu {
    const uint64_t
        *v[4]; // of each source a row of lanes, zeros above its width; all four are there
    uint32_t from, width; // bits of the first source that is not a bool, of the answer
};
// Of an ALU row: out[lanes.first .. lanes.last], zeros above the width.
void nir_alu_rows(enum nir_id id, const struct nir_alu *x, struct isa_span lanes, uint64_t *out);
// What combines with any value to that value.
uint64_t nir_identity(enum isa_combine c, uint32_t bits);

#endif
