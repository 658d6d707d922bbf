// SPDX-License-Identifier: Apache-2.0
//
// spirv_stage: shader stages, and which invocations a case has.
//
//   compute   the invocations of a dispatch, numbered by workgroup and LocalInvocationIndex
//   fragment  the pixels that primitives cover in a target, and the helpers of their quads. Which
//             pixel runs in which lane of which subgroup is not known in advance. The shader logs
//             it, and the oracle predicts the results for the logged mapping.
//   vertex    the vertices of a list of points, numbered by VertexIndex and logged like pixels.
//             Vulkan allows a vertex to run more than once. Plain stores to its own words
//             then race, and results that depend on them are not judged. A draw is not judged
//             either if lanes take part in ballots but log nothing.
//
// The coverage buffer of a draw (`; coverage SET:BINDING`). It must be all zeros before the run.
//
//   word 0    how many subgroups have counted themselves
//   word 1    SubgroupSize as the shader read it
//   from word SPV_COVERAGE_HEAD on, for each subgroup number n and each lane l below the case's
//   subgroup size, a row of spv_coverage_row(size) words at spv_coverage_at(size, n, l):
//     pixel          SPV_COVERAGE_LIVE | y << 14 | x; for a vertex SPV_COVERAGE_LIVE | VertexIndex;
//                    0: not a live invocation (a helper writes nothing)
//     participants   OpGroupNonUniformBallot of true: one word per 32 lanes or part of them
//     live           OpGroupNonUniformBallot of "not HelperInvocation"; in stages without helpers,
//                    of true again
//
// The module logs this first, in the control flow that all invocations start in:
//
//     live = Ballot(!HelperInvocation);  all = Ballot(true);  first = BallotFindLSB(live)
//     if (SubgroupLocalInvocationId == first) {
//         number = AtomicIAdd(word 0, 1); AtomicUMax(word 1, SubgroupSize)
//     }
//     number = Shuffle(phi(number, 0), first)    (no Broadcast: Id would have to be uniform in the
//                                                 draw)
//     if (number < capacity) store the row       (helpers' stores do nothing)
//
// The oracle makes the atomic on word 0 return the logged number, so the subgroup's number is
// defined. The other words of the coverage buffer are not compared. (A plain store to word 1, by
// every subgroup, would be a race.) Invocations are numbered number * size + lane. The rows of an
// observation log (`; log`) belong to pixels (y * width + x) or vertices (VertexIndex), so they do
// not depend on the mapping. Where primitives overlap, a pixel has several invocations, and its
// rows race.
#ifndef TF_SPIRV_STAGE_H
#define TF_SPIRV_STAGE_H

#include "needs.h"

enum spv_stage {
    SPV_COMPUTE,
    SPV_FRAGMENT,
    SPV_VERTEX,
    SPV_STAGES,
    SPV_STAGE_DEFAULT = SPV_COMPUTE
};
#define SPV_STAGE_NAMES "compute, fragment, vertex" // names of the table, for help texts

// Properties of a stage (spirv_stage.c). Other files test the property that they need, never the
// stage.
struct spv_stage_row {
    const char *name;       // in a case file, and for --stage
    const char *model_name; // name of the execution model of its entry point
    uint32_t model;         // SpvExecutionModel
    spv_needs needs;        // features that a target needs to run it
    // Dispatched: workgroups of a size, with ids, Workgroup memory and control barriers. Other
    // stages are drawn.
    bool has_workgroups;
    bool has_pixels;       // the pixels of `target` that `cover` covers; quads are 2 by 2 pixels
    bool has_vertices;     // a list of points: target[0] vertices, by VertexIndex
    bool has_helpers;      // helper invocations complete quads; live invocations may become helpers
    bool may_end;          // an invocation may end itself (OpKill, OpTerminateInvocation)
    bool has_outputs;      // Output variables
    bool maps_by_coverage; // has a coverage buffer, which maps lanes; else `lanes` does
};
const struct spv_stage_row *spv_stage_row(enum spv_stage s);
// Finds the stage of that name; false if there is none.
bool spv_stage_find(const char *name, size_t n, enum spv_stage *out);

// What is drawn: the whole target, by one larger triangle, or a list of primitives of one kind.
// Points have size 1, lines width 1. Triangles of either winding are drawn. No blending, depth or
// stencil; one sample per pixel.
enum spv_cover {
    SPV_COVER_FULL,
    SPV_COVER_TRIANGLES,
    SPV_COVER_POINTS,
    SPV_COVER_LINES,
    SPV_COVERS
};
uint32_t spv_cover_vertices(enum spv_cover c); // vertices per primitive; 0 for full

enum {
    SPV_TARGET_SIDE = 1024,   // pixels
    SPV_TARGET_PIXELS = 4096, // in all
    SPV_COVER_VERTICES = 96,
    SPV_SUBPIXELS = 16, // vertices are in 1/16 pixel; (0, 0) is the target's upper left corner
};

// ---- lanes -------------------------------------------------------------------------

// The lanes buffer (`; lanes SET:BINDING`): each invocation, by its linear number, writes its
// SubgroupId, SubgroupLocalInvocationId and SubgroupSize, as three words or packed into one.
enum { SPV_LANES_SUBGROUP = 16, SPV_LANES_LANE = 8 }; // where a part begins in the packed word
struct spv_case;
struct spv_memory;
struct spv_lane {
    uint32_t subgroup, lane, size;
};
// Returns the number of words of an invocation.
uint32_t spv_lanes_words(const struct spv_case *c);
// Decodes what an invocation wrote into the case's lanes buffer. False: the memory has no such
// invocation; then *out is unchanged.
bool spv_lanes_at(const struct spv_case *c, const struct spv_memory *lanes, uint64_t invocation,
                  struct spv_lane *out);

// ---- coverage ----------------------------------------------------------------------

#define SPV_COVERAGE_LIVE 0x80000000u
enum { SPV_COVERAGE_HEAD = 2, SPV_COVERAGE_BITS = 14 };
static inline uint32_t spv_coverage_pixel(uint32_t x, uint32_t y)
{
    return SPV_COVERAGE_LIVE | y << SPV_COVERAGE_BITS | x;
}
static inline uint32_t spv_coverage_x(uint32_t pixel)
{
    return pixel & ((1u << SPV_COVERAGE_BITS) - 1);
}
static inline uint32_t spv_coverage_y(uint32_t pixel)
{
    return (pixel & ~SPV_COVERAGE_LIVE) >> SPV_COVERAGE_BITS;
}
// Words of a lane mask, and of a row, for this subgroup size.
static inline uint32_t spv_coverage_mask(uint32_t size)
{
    return (size + 31) / 32;
}
static inline uint32_t spv_coverage_row(uint32_t size)
{
    return 1 + 2 * spv_coverage_mask(size);
}
// Returns the word at which the row of a lane begins.
static inline uint64_t spv_coverage_at(uint32_t size, uint32_t subgroup, uint32_t lane)
{
    return SPV_COVERAGE_HEAD + ((uint64_t)subgroup * size + lane) * spv_coverage_row(size);
}
// Returns how many subgroups fit in a buffer of so many words.
static inline uint32_t spv_coverage_room(uint32_t size, uint32_t words)
{
    return words < SPV_COVERAGE_HEAD
               ? 0
               : (words - SPV_COVERAGE_HEAD) / (size * spv_coverage_row(size));
}

#endif
