// SPDX-License-Identifier: Apache-2.0
//
// A machine that executes Mesa's intermediate code as drivers print it. The structure of the code
// determines which lanes run together.
//
// Assumptions about NIR: control flow is a tree of blocks, ifs and loops (Mesa's header specifies
// that). Lanes reconverge after an if, after a loop that they left, and at the first block
// of a loop that they continue, and nowhere else. No document of Mesa promises this. Its
// divergence analysis, its lowering of continue constructs and the back ends (ACO's instruction
// selection of ifs and loops) rely on it, and maximal reconvergence requires it.
#ifndef TF_NIR_H
#define TF_NIR_H

#include "isa/isa.h"

enum nir_driver {
    NIR_TURNIP,
    NIR_RADV,
    NIR_NVK,
    NIR_HONEYKRISP,
    NIR_ANV,
    NIR_PANVK,
    NIR_V3DV,
    NIR_POWERVR,
    NIR_LAVAPIPE,
};
enum { NIR_DRIVERS = NIR_LAVAPIPE + 1 };

// Reads a program for subgroups of `size` lanes. The text may be any bytes. NULL with *why filled:
// `size` is not 1 to 128, not a program, or something unsupported.
const struct isa_code *nir_read(struct arena *a, const char *text, enum nir_driver driver,
                                uint32_t size, struct isa_result *why);

// ---- the table of operations (nir_ops.def) ---------------------------------

struct nir_row {
    const char *name;
    bool alu;              // computes each lane's result from values of the same lane
    const char *dst, *src; // types, see nir_program.h
};
// Fills at most `max` rows; returns the number of all rows, which may be more.
uint32_t nir_rows(struct nir_row *out, uint32_t max);

#endif
