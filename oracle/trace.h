// SPDX-License-Identifier: Apache-2.0
//
// A run that records the origins of uncertain values, the accesses that race, and the branches that
// depend on uncertain values. It serves the analysis of shaders (portable/), never the judgement of
// a compiler: values that an expectation must leave undefined get a value here, as one
// implementation computes them, and are marked.
//
//   rounded floats       the nearest value, by the host's arithmetic
//   results of atomics   the result in one legal order: orc_options.order
//
// Such a value is defined and carries its origin through arithmetic and memory. Undefined values
// stay undefined and carry their origin too. A branch does not pass an origin to the values
// computed under it; `branches` lists the branches that depend on one.
#ifndef TF_ORACLE_TRACE_H
#define TF_ORACLE_TRACE_H

#include "oracle.h"

// Origin of an uncertain value. If several values are combined, the result has the last one in this
// list.
enum orc_birth {
    ORC_ORIGIN_SURE,
    ORC_ORIGIN_ROUNDED,   // a float that was rounded, or that Vulkan does not specify: has a value
    ORC_ORIGIN_ORDER,     // depends on the order of atomics: has a value
    ORC_ORIGIN_NOTHING,   // the operation is undefined for these operands: division by zero, ...
    ORC_ORIGIN_INACTIVE,  // the value of a lane that is inactive or does not exist
    ORC_ORIGIN_UNWRITTEN, // memory or a variable that was never written
    ORC_ORIGIN_CHOICE, // a choice of the implementation, even under maximal reconvergence (D3, M2)
    ORC_ORIGIN_UNPROMISED, // a group operation of a tangle for which the model promises nothing
    ORC_ORIGIN_RACED,      // a load that races (orc_options.raced)
    ORC_ORIGINS
};
struct orc_origin {
    enum orc_birth birth;
    uint32_t inst; // index of the instruction in the module view; valid if birth is not SURE
};
// Decodes the code of an origin. Of two codes the larger one is kept.
static inline struct orc_origin orc_origin(uint32_t code)
{
    return (struct orc_origin){(enum orc_birth)(code >> 27), code & ((UINT32_C(1) << 27) - 1)};
}

// The races that runs with orc_options.forgive continued through because a load races whose value
// may be dead: recorded by a first run; not to be changed before a second one with `taint`.
struct orc_raced {
    struct arena *arena; // for all fields below
    bool taint;          // loads that race have no value; the run fails with the origin
                         // ORC_ORIGIN_RACED in orc_trace.fault where such a value counts
    bool found;          // output: some load races
    bool *carries;       // output: [instruction] whose result or stored value has such an origin
    bool *insts; // output: [instruction] such a load, or the store that it races with; NULL:
                 // none
    struct raced_place *place; // private (raced.c)
    uint32_t count, room;
};

enum { ORC_BELOWS = 8 };
struct orc_trace {
    struct arena *arena; // for all fields below
    // Output. The code of each word's origin, for each buffer of the case; NULL: all words are
    // certain.
    uint32_t **words;
    // The origin of the condition, address or operand that ended the run.
    struct orc_origin fault;
    // E-race, E-bounds: the variable, and for a buffer the byte offset.
    bool fixed; // E-bounds: in an array of constant length
    // E-bounds: the index beyond that length; length 0: the next one is not known.
    uint32_t length;
    int64_t index;
    bool object;       // the next three are valid
    uint32_t variable; // id; 0: the object that addresses point into
    bool many;         // an array of buffers with a stride of DESCRIPTOR_BYTES
    uint64_t byte;
    // E-race: the other access.
    bool has_other;
    bool other_reads;
    uint32_t other_inst;       // index in the module view
    uint32_t other_invocation; // linear global invocation; UINT32_MAX: several
    // For each kind of origin, the first branch on a defined value with that origin; 0: none.
    uint32_t branches[ORC_ORIGINS];
    struct orc_origin branch_origin[ORC_ORIGINS];
    bool *ran;        // [block of the module view] was executed
    bool *unpromised; // [block] was executed by a tangle for which the model promises nothing
    uint32_t outside; // the first read outside of an image (robust_images); 0: none
    // The first such reads at a negative coordinate, which is outside of every size.
    uint32_t below[ORC_BELOWS], belows;
    uint32_t *updated_by; // [instruction] the invocation that executed an atomic, plus one;
                          // UINT32_MAX: several; NULL: no atomic was executed
    uint32_t atomics;     // number of executed atomics, counted once for each invocation
};

#endif
