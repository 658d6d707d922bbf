// SPDX-License-Identifier: Apache-2.0
//
// A machine that executes the machine code of AMD's GPUs as LLVM disassembles it. Exec masks
// determine which lanes run together.
#ifndef TF_AMD_H
#define TF_AMD_H

#include "isa/isa.h"

// The supported generations, oldest first.
enum amd_gen {
    AMD_GFX9,    // Vega
    AMD_GFX10,   // RDNA 1
    AMD_GFX10_3, // RDNA 2
    AMD_GFX11,   // RDNA 3, 3.5
    AMD_GFX12,   // RDNA 4
};
// Finds the generation by a chip name inside `device` ("AMD Radeon Graphics (RADV NAVI31)",
// "gfx1100"), in either case. False if no supported chip is named; *out is unchanged.
bool amd_gen_of(const char *device, enum amd_gen *out);

// Where a shader finds its arguments, if the driver says so. -1: not passed.
enum { AMD_SETS = 32 };
struct amd_abi {
    int8_t set[AMD_SETS], push; // the scalar register with the address of a set, of push constants
    int8_t inlined;             // the first one of those with words of the push constants
    uint64_t pushed;            // which words these are, a bit each
    uint8_t user;               // number of scalar registers before those that the GPU sets:
    bool group[3], wave_info;   // components of the workgroup's id, the index of the wave
    bool shared;                // the last two vector registers are shared by halves of the wave
};

// What a driver reports about one shader. Strings end in NUL; NULL if not reported.
struct amd_source {
    const char *nir;           // the last intermediate code: shows which argument is which
    const char *ir;            // the back end's code: shows the register of each argument
    const char *assembly;      // the machine code, disassembled by LLVM
    const struct amd_abi *abi; // instead of `nir` and `ir`
    // Or LLVM's own assembly of a kernel `main` (gfx10 to gfx12). The named globals are the case's
    // buffers; `tf.groups` holds the size of the dispatch.
    bool llvm;
    const struct amd_global {
        const char *name;
        uint32_t set, binding;
    } *global;
    uint32_t globals;
};

// Reads a program for waves of `wave` lanes: 32 (not gfx9) or 64 (not with `llvm`). The text may be
// any bytes. NULL with *why filled: another wave size, not a program, or something unsupported.
const struct isa_code *amd_read(struct arena *a, const struct amd_source *s, enum amd_gen gen,
                                uint32_t wave, struct isa_result *why);

// A compute shader in the data of RADV's pipeline cache (Mesa 26.2).
struct amd_cached {
    const uint8_t *code; // in the data
    uint32_t bytes, wave;
    struct amd_abi abi;
};
// Finds the only shader of a cache. False: anything else, or something that is not understood.
bool amd_cached_find(const void *data, size_t bytes, struct amd_cached *out);
// Prints the first instruction of `code` as LLVM's disassembler does. Returns its bytes, 0 if it is
// none.
typedef size_t amd_printer(void *context, const uint8_t *code, size_t bytes, char *out,
                           size_t size);
// Returns the lines that RADV would print, with other labels and without the words of instructions;
// NULL: RADV must print them.
const char *amd_cached_text(struct arena *a, const struct amd_cached *c, enum amd_gen gen,
                            amd_printer *printer, void *context);

// Code of RADV's compiler, ACO, before the machine code.
enum aco_stage {
    ACO_SELECTED, // after instruction selection: no exec yet
    ACO_SPILLED,  // no registers yet
    ACO_ALLOCATED
};
// Reads the code `ir` of a source, as ACO prints it after a stage. The same as amd_read in all
// else.
const struct isa_code *aco_read(struct arena *a, const struct amd_source *s, enum aco_stage stage,
                                enum amd_gen gen, uint32_t wave, struct isa_result *why);

// ---- the table of operations (ops.def) -------------------------------------

struct amd_row {
    const char *names;   // of all generations, separated by blanks
    const char *section; // chapter of AMD's instruction set manuals
};
// Fills at most `max` rows; returns the number of all rows, which may be more.
uint32_t amd_rows(struct amd_row *out, uint32_t max);

#endif
