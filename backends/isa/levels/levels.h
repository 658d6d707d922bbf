// SPDX-License-Identifier: Apache-2.0
//
// A driver's dump: its code after each of its passes, as text. Each text is a *level*, named after
// the pass that made it. The machines of backends/isa/ run the levels that they can read, so that
// the first wrong one names the pass at fault.
#ifndef TF_LEVELS_H
#define TF_LEVELS_H

#include "isa/isa.h"

enum level_driver {
    LEVELS_NVK,        // NAK_DEBUG=print
    LEVELS_TURNIP,     // IR3_SHADER_DEBUG=cs,optmsgs
    LEVELS_ANV,        // INTEL_DEBUG=cs
    LEVELS_RADV,       // RADV_DEBUG=shaders,preoptir
    LEVELS_HONEYKRISP, // AGX_MESA_DEBUG=shaders
    LEVELS_LAVAPIPE,   // GALLIVM_DEBUG=ir
    LEVELS_V3DV,       // V3D_DEBUG=cs
    LEVELS_PANVK,      // BIFROST_MESA_DEBUG=shaders
    LEVELS_POWERVR,    // PCO_DEBUG_PRINT=cs,passes,nir
    LEVELS_NIR,        // NIR_DEBUG=print of a debug build, of any driver
    LEVELS_DRIVERS
};
// Finds the driver by the start of its name in Vulkan ("NVK Mesa 26.2.6"), or by the name of its
// compiler ("nak"), in either case of letters. False: no dump of that driver can be read.
bool levels_driver_of(const char *name, enum level_driver *out);
// Does a machine run only NIR of the driver's levels, and no code of its back end?
bool levels_only_nir(enum level_driver driver);
// The names of the compilers whose dumps can be read, in one line: "nak, ir3, ...".
const char *levels_known(void);

enum level_language {
    LEVEL_NIR,
    LEVEL_NAK,
    LEVEL_ACO_SELECTED, // RADV's compiler, by its stages
    LEVEL_ACO_SPILLED,
    LEVEL_ACO,
    LEVEL_AMD, // machine code of the dump
    LEVEL_IR3,
    LEVEL_IR3_NATIVE, // machine code of the dump
    LEVEL_GALLIVM,    // LLVM IR of lavapipe's compiler
    LEVEL_VIR,        // v3dv's code between its passes
    LEVEL_QPU,        // machine code of the dump
    LEVEL_UNREAD,     // no machine knows it
    LEVEL_MACHINE,    // the machine code, which the target itself runs: it has no text
};
struct level {
    const char *pass; // the pass that made it, in the driver's words; "NIR": what it was given
    const char *text;
    uint32_t line; // of the dump, from 1, at which the text begins
    enum level_language language;
};
struct levels {
    enum level_driver driver;
    // The GPU, for code that does not name it; of LEVELS_NIR, the driver. NULL: not known.
    const char *device;
    // The first level is made from the case's own module, by the pass that it is named after.
    bool from_start;
    uint32_t n;
    struct level *v; // in the order of the passes
};

// The line between what a driver prints on its two streams: before it are the levels of NIR_DEBUG,
// if the driver is a debug build, which come before its own.
#define LEVELS_BETWEEN "\n==== standard error\n"

// Splits the dump of one compute shader into its levels. The dump may be any bytes up to its NUL;
// what stands before the first level and after the last is left out. False with one line in `e`
// that says what was expected: it has no level (of another driver or version), its end is missing,
// or it holds several shaders.
bool levels_read(struct arena *a, enum level_driver driver, const char *dump, struct levels *out,
                 struct err *e);

// For a compiler that died: finds the levels that it began to print for its last shader, whole or
// not, by the names of their passes. The dump may lack its beginning. Returns their number.
uint32_t levels_begun(struct arena *a, enum level_driver driver, const char *dump,
                      const char *const **names);

// Returns how many descriptors a buffer of the case has in Turnip's code, see isa_options: by NIR
// before and after Mesa puts them in the place of set and binding. 0: another driver's dump.
uint32_t levels_descriptors(const struct levels *l, const struct spv_case *c);

// Reads level `i` for subgroups of `size` lanes. NULL with *why filled: a machine does not know
// this language or something in it. why->line counts from the start of the level.
const struct isa_code *levels_code(struct arena *a, const struct levels *l, uint32_t i,
                                   uint32_t size, struct isa_result *why);

#endif
