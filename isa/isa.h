// SPDX-License-Identifier: Apache-2.0
//
// isa: the machine code of AMD's GPUs, as a driver tells it in text, and a machine that runs it.
//
// A Mesa driver that compiles without hardware says through VK_KHR_pipeline_executable_properties
// what it made of a shader. This machine runs that text on the case's own buffers, so that memory
// comes out as from a device. It knows no SPIR-V and no rules of reconvergence: exec masks are what
// the compiler made of them. What it does not know it refuses by name, and never guesses.
#ifndef TF_ISA_H
#define TF_ISA_H

#include "base/base.h"
#include "spirv/spirv.h"

// The generations that are known, oldest first.
enum isa_gen {
    ISA_GFX9,    // Vega
    ISA_GFX10,   // RDNA 1
    ISA_GFX10_3, // RDNA 2
    ISA_GFX11,   // RDNA 3, 3.5
    ISA_GFX12,   // RDNA 4
};
// From a name of the chip that stands in `device` ("AMD Radeon Graphics (RADV NAVI31)", "gfx1100").
// False for one that is not known.
bool isa_gen_of(const char *device, enum isa_gen *out);

// What a driver says of one shader; each NUL-terminated, NULL where it does not.
struct isa_source {
    const char *nir;      // the last intermediate code: which argument is which
    const char *ir;       // the back end's: which register each argument arrives in
    const char *assembly; // the machine code, disassembled by LLVM
    // Or LLVM's own assembly of a kernel `main` (gfx11 and gfx12), whose globals of these names are the
    // case's buffers, and `tf.groups` the size of the dispatch.
    bool llvm;
    const struct isa_global {
        const char *name;
        uint32_t set, binding;
    } *global;
    uint32_t globals;
};

enum isa_status {
    ISA_RAN,
    ISA_UNSUPPORTED, // something that is not known here: `text` names it and its line
    ISA_INVALID,     // no text of a program
    ISA_OVER_LIMIT,  // a wave took more instructions than it may
    ISA_STUCK,       // all waves wait at barriers that the others never reach
    ISA_FAULT,       // an access outside of all memory, or a jump out of the program
};

struct isa_result {
    enum isa_status status;
    char text[400];            // what was wrong, one line; says its line of the assembly
    uint32_t line;             // of the assembly, counted from 1; 0: none
    struct spv_memory *memory; // one a buffer of the case, in its order; masks are NULL
    uint32_t memory_count;
    uint64_t steps; // instructions of all waves
    // The first line that uses a register for which a load is still under way, 0: none. The value
    // there is junk until its s_waitcnt, so memory shows whether it matters.
    uint32_t early_line;
};

struct isa_program;

// Reads a program. Any text. NULL, with *why filled, when it is none or something in it is not known.
const struct isa_program *isa_read(struct arena *a, const struct isa_source *s, enum isa_gen gen,
                                   uint32_t wave, struct isa_result *why);

struct isa_options {
    uint64_t step_limit; // instructions of one wave; 0: 4,000,000
    uint64_t junk;       // seed of what registers and LDS hold before they are written
};

// Runs it on the case's dispatch and buffers: workgroups one after the other, their waves in turns.
// Invocation i of a workgroup is lane i % wave of wave i / wave. Everything lives in `a`.
void isa_run(struct arena *a, const struct isa_program *p, const struct spv_case *c,
             const struct isa_options *o, struct isa_result *out);

// ---- the table of operations (isa_ops.def) ------------------------------------------------

struct isa_row {
    const char *names;   // of all generations, with blanks between them
    const char *section; // of AMD's instruction set manuals
};
uint32_t isa_rows(struct isa_row *out, uint32_t max); // how many there are

#endif
