// SPDX-License-Identifier: Apache-2.0
//
// spirv_stage: who the invocations of a case are.
//
//   compute   the invocations of a dispatch, counted by workgroup and LocalInvocationIndex
//   fragment  the pixels that primitives cover in a target, and the helpers of their quads. Which
//             pixel is which lane of which subgroup cannot be known beforehand: the shader logs it,
//             and what it must do is predicted for what was logged.
//   vertex    the vertices of a list of points, numbered by VertexIndex. They are logged as pixels
//             are. A vertex runs once or, by Vulkan, more often: then plain stores to its own words
//             race, and what depends on them is not judged. Nor is a draw judged with lanes that
//             take part in ballots and log nothing.
//
// The coverage buffer of a draw (`; coverage SET:BINDING`), its first contents all zeros:
//
//   word 0    how many subgroups have counted themselves
//   word 1    SubgroupSize as the shader read it
//   from word SPV_COVERAGE_HEAD on, for each number n that a subgroup drew, and each lane l below
//   the case's subgroup size, a row of spv_coverage_row(size) words at
//   spv_coverage_at(size, n, l):
//     pixel          SPV_COVERAGE_LIVE | y << 14 | x, of a vertex SPV_COVERAGE_LIVE | VertexIndex;
//                    0: this lane is no live invocation (a helper writes nothing)
//     participants   of an OpGroupNonUniformBallot of true: one word for each 32 lanes begun
//     live           of an OpGroupNonUniformBallot of "not HelperInvocation", in stages without
//                    helpers of true again: the same
//
// The module logs this itself, before anything else, in the control flow that all invocations start
// in:
//
//     live = Ballot(!HelperInvocation);  all = Ballot(true);  first = BallotFindLSB(live)
//     if (SubgroupLocalInvocationId == first) {
//         number = AtomicIAdd(word 0, 1); AtomicUMax(word 1, SubgroupSize)
//     }
//     number = Shuffle(phi(number, 0), first)    (no Broadcast: Id would have to be uniform in the
//                                                 draw)
//     if (number < capacity) store the row       (helpers' stores do nothing)
//
// The oracle gives that atomic on word 0 what was logged: the subgroup's number is defined, and
// what else is stored in the coverage buffer is not compared. (A plain store to word 1, by every
// subgroup, would be a race.) Invocations are numbered number * size + lane. The rows of an
// observation log (`; log`) are those of *pixels*: y * width + x, or of vertices: VertexIndex, so
// they do not depend on the mapping; where primitives overlap a pixel has several invocations, and
// rows of pixels race.
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
#define SPV_STAGE_NAMES "compute, fragment, vertex" // of the table, for help texts

// What a stage is, a row each (spirv_stage.c). Other files ask for the property that they mean,
// never for the stage.
struct spv_stage_row {
    const char *name;       // in a case file, and of --stage
    const char *model_name; // of the execution model of its entry point:
    uint32_t model;         // SpvExecutionModel
    spv_needs needs;        // what a target must offer to run it
    // Dispatched: workgroups of a size, with ids, Workgroup memory and control barriers. What has
    // none is drawn.
    bool has_workgroups;
    bool has_pixels;       // of `target`, as far as `cover` covers them; quads are of 2 by 2 pixels
    bool has_vertices;     // a list of points: target[0] vertices, by VertexIndex
    bool has_helpers;      // helper invocations fill up quads, and live ones may become helpers
    bool may_end;          // an invocation may end itself (OpKill, OpTerminateInvocation)
    bool has_outputs;      // Output variables
    bool maps_by_coverage; // the coverage buffer maps lanes, and may be there; else `lanes`
};
const struct spv_stage_row *spv_stage_row(enum spv_stage s);
// The stage of that name; false where there is none.
bool spv_stage_find(const char *name, size_t n, enum spv_stage *out);

// What is drawn in the target: all of it, by one triangle that is larger, or a list of primitives
// of one kind. Points have size 1, lines width 1; triangles of either winding are drawn, nothing is
// blended, and there is no depth, no stencil and one sample a pixel.
enum spv_cover {
    SPV_COVER_FULL,
    SPV_COVER_TRIANGLES,
    SPV_COVER_POINTS,
    SPV_COVER_LINES,
    SPV_COVERS
};
uint32_t spv_cover_vertices(enum spv_cover c); // of one primitive; 0 for full

enum {
    SPV_TARGET_SIDE = 1024,   // pixels
    SPV_TARGET_PIXELS = 4096, // in all
    SPV_COVER_VERTICES = 96,
    SPV_SUBPIXELS =
        16, // vertices are in sixteenths of a pixel, (0, 0) the upper left corner of the target
};

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
// Words of a mask, and of a row, in subgroups of that size.
static inline uint32_t spv_coverage_mask(uint32_t size)
{
    return (size + 31) / 32;
}
static inline uint32_t spv_coverage_row(uint32_t size)
{
    return 1 + 2 * spv_coverage_mask(size);
}
// The word at which the row of a lane begins.
static inline uint64_t spv_coverage_at(uint32_t size, uint32_t subgroup, uint32_t lane)
{
    return SPV_COVERAGE_HEAD + ((uint64_t)subgroup * size + lane) * spv_coverage_row(size);
}
// Subgroups that a buffer of so many words has room for.
static inline uint32_t spv_coverage_room(uint32_t size, uint32_t words)
{
    return words < SPV_COVERAGE_HEAD
               ? 0
               : (words - SPV_COVERAGE_HEAD) / (size * spv_coverage_row(size));
}

#endif
