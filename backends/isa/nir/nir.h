// SPDX-License-Identifier: Apache-2.0
//
// nir: Mesa's intermediate code as its drivers print it, and a machine that runs it. The structure
// of the code says who is together.
//
// What is taken of NIR: control flow is a tree of blocks, ifs and loops (Mesa's header says that);
// an if's lanes are together again behind it, a loop's behind the loop, those that go on at its
// first block, and nobody anywhere else. No text of Mesa's promises this in a sentence: its
// divergence analysis, its lowering of continue constructs and the back ends (ACO's selection of
// ifs and loops) rest on it, and maximal reconvergence asks it of them.
#ifndef TF_NIR_H
#define TF_NIR_H

#include "isa/isa.h"

enum nir_driver {
    NIR_TURNIP,
    NIR_RADV,
    NIR_NVK,
    NIR_HONEYKRISP,
};
enum { NIR_DRIVERS = NIR_HONEYKRISP + 1 };

// Reads a program for subgroups of `size` lanes, 1 to 128. Any text. NULL, with *why filled, when
// it is none or something in it is not known.
const struct isa_code *nir_read(struct arena *a, const char *text, enum nir_driver driver,
                                uint32_t size, struct isa_result *why);

// ---- the table of operations (nir_ops.def) ---------------------------------

struct nir_row {
    const char *name;
    bool alu;              // one value a lane from those of the same lane
    const char *dst, *src; // types, see nir_program.h
};
uint32_t nir_rows(struct nir_row *out, uint32_t max); // how many there are

#endif
