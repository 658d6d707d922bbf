// SPDX-License-Identifier: Apache-2.0
//
// A run that remembers: where each value that is not sure was born, who raced whom, which branch
// hangs on what. For who asks about a shader (portable/), never about a compiler: values that an
// expectation must leave open have one here, as one implementation would give it, and say so.
//
//   rounded floats     the nearest value, by the host's arithmetic
//   atomics' results   what one legal order gives: orc_options.order
//
// Such a value is defined and carries its birth with it, through arithmetic and memory. What is
// undefined stays undefined, and carries its birth too. (Through a branch none is carried: where a
// branch hangs on one is told in `branches`.)
#ifndef TF_ORACLE_TRACE_H
#define TF_ORACLE_TRACE_H

#include "oracle.h"

// Why a value is not sure. Of several that came together the last one here is told.
enum orc_birth {
    ORC_BORN_SURE,
    ORC_BORN_ROUNDED,    // a float that was rounded, or that Vulkan leaves open: has a value
    ORC_BORN_ORDER,      // depends on the order of atomics: has a value
    ORC_BORN_NOTHING,    // the operation has no result for these operands: division by zero, ...
    ORC_BORN_INACTIVE,   // a lane that is not active, or does not exist, was asked for its value
    ORC_BORN_UNWRITTEN,  // memory or a variable that nobody has written
    ORC_BORN_CHOICE,     // what the rules leave to the implementation even under maximal (D3, M2)
    ORC_BORN_UNPROMISED, // a group operation by a tangle of which the model promises nothing
    ORC_BIRTHS
};
struct orc_origin {
    enum orc_birth birth;
    uint32_t inst; // index of the instruction in the module view, where birth is not SURE
};
// As it is kept: of several that come together the largest is told.
static inline struct orc_origin orc_origin(uint32_t code)
{
    return (struct orc_origin){(enum orc_birth)(code >> 27), code & ((UINT32_C(1) << 27) - 1)};
}

struct orc_trace {
    struct arena *arena; // where the rest lives
    // Out. Of each buffer of the case: of each word the code of its origin; NULL: all are sure.
    uint32_t **words;
    // What made the run end: the origin of the condition, address or operand.
    struct orc_origin fault;
    // E-race, E-bounds: the variable and, of a buffer, the byte in it.
    bool fixed;        // E-bounds: of an array whose length the module says
    bool object;       // it is known
    uint32_t variable; // id; 0: what addresses point into
    bool many;         // an array of buffers: DESCRIPTOR_BYTES of `byte` are the next one
    uint64_t byte;
    // E-race: who else.
    bool has_other;
    bool other_reads;
    uint32_t other_inst; // index in the module view
    uint32_t other_who;  // linear global invocation; UINT32_MAX: several
    // First branch on a value that has a birth and a value, by birth; inst 0: none.
    uint32_t branches[ORC_BIRTHS];
    struct orc_origin branch_origin[ORC_BIRTHS];
    bool *ran;        // [block of the module view] somebody was there
    bool *apart;      // [block] somebody was there in a tangle of which the model promises nothing
    uint32_t atomics; // executed, one an invocation
};

#endif
