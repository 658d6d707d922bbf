// SPDX-License-Identifier: Apache-2.0
//
// isa: code that a driver or compiler tells in text, run on the case's own buffers.
//
// A Mesa driver that compiles without hardware says through VK_KHR_pipeline_executable_properties
// what it made of a shader. A machine of this room runs that text, so that memory comes out as from
// a device. The machines know no SPIR-V and no rules of reconvergence: who is together is what the
// compiler made of it. What they do not know they refuse by name, and never guess.
//
// This header is what all machines share. One room for each language of the text stands below this
// one (backends/isa/amd/), with a reader that gives a struct isa_code; isa_run runs any of them.
#ifndef TF_ISA_H
#define TF_ISA_H

#include "base/base.h"
#include "spirv/spirv.h"

enum isa_status {
    ISA_RAN,
    ISA_UNSUPPORTED, // something that is not known here: `text` names it and its line
    ISA_INVALID,     // no text of a program
    ISA_OVER_LIMIT,  // more instructions than the limit
    ISA_STUCK,       // all wait at barriers that the others never reach
    ISA_FAULT,       // an access outside of all memory, or a jump out of the program
};

// Where a word of memory got its value: for who reads a finding.
struct isa_origin {
    uint32_t line;  // of the last operation on the value's way that looks at other lanes, or at who
                    // is on; 0: none
    uint32_t store; // of the store that was the last; 0: nothing was stored
    uint64_t
        lanes; // of the wave that were on at `line`; where all were turned on for it, before that
};

struct isa_result {
    enum isa_status status;
    char text[400];            // what was wrong, one line; says its line of the code
    uint32_t line;             // of the code, counted from 1; 0: none
    struct spv_memory *memory; // one a buffer of the case, in its order; masks are NULL
    uint32_t memory_count;
    // What other schedules left, where it is not the same: `others` memories like the first one.
    struct spv_memory **other;
    uint32_t others;
    uint64_t steps; // instructions run, of all lanes together as the machine counts them
    // The first line that uses a register for which a load is still under way, 0: none. The value
    // there is junk until it is waited for, so memory shows whether it matters.
    uint32_t early_line;
    struct isa_origin *
        *origin; // [buffer][word], where it was asked for and the machine tells; else NULL
    // The first line whose value the text calls the same for all lanes that run it, and it was not:
    // 0: none. A driver may keep such a value in one register for all.
    uint32_t uneven_line;
};

// Fills *out: the status, and one line of text that ends in " at line N" (0: without). Bytes of the
// text that are not printable become '?'. Returns false, for the caller to return.
bool isa_refuse(struct isa_result *out, enum isa_status s, uint32_t line, const char *fmt, ...)
    TF_PRINTF(4, 5);
// One more instruction: false with *out filled where that is beyond the limit.
static inline bool isa_step(struct isa_result *out, uint64_t *steps, uint64_t limit, uint32_t line)
{
    return ++*steps <= limit || isa_refuse(out, ISA_OVER_LIMIT, line, "more than %llu instructions",
                                           (unsigned long long)limit);
}

struct isa_options {
    uint64_t step_limit; // instructions of one wave, warp or subgroup; 0: 4,000,000
    uint64_t junk;       // seed of what registers and shared memory hold before they are written
    bool origin;         // isa_result.origin is wanted; slower
    bool prompt;         // loads are done at once, whatever is waited for
};

// A program that was read: the first member of each machine's own.
struct isa_code {
    // *out is {0} before it, o->step_limit not 0. Gives memory by isa_give, or refuses.
    void (*run)(struct arena *a, const struct isa_code *code, const struct spv_case *c,
                const struct isa_options *o, struct isa_result *out);
};

// Runs it on the case's dispatch and buffers: workgroups one after the other. Invocation i of a
// workgroup is lane i % size of subgroup i / size. Everything lives in `a`.
void isa_run(struct arena *a, const struct isa_code *code, const struct spv_case *c,
             const struct isa_options *o, struct isa_result *out);
// For machines, at the start of a run: the workgroup's size, and how many invocations that is, 1 to
// 1,024. False with *out filled.
bool isa_shape(struct arena *a, const struct spv_case *c, uint32_t local[3], uint32_t *invocations,
               struct isa_result *out);
// Lanes from the lowest to the highest of a set that is not empty. Loops over all of them are
// vectors; where the set has gaps, what comes out for the lanes in between is dropped.
struct isa_span {
    uint32_t first, last;
    bool whole; // no gap
};
static inline struct isa_span isa_span(lane_mask on)
{
    const unsigned first = lane_first(on), last = lane_last(on);
    return (struct isa_span){first, last, on == (lanes_below(last + 1) & ~lanes_below(first))};
}

// Workgroup i of a dispatch.
void isa_group(const struct spv_case *c, uint64_t i, uint32_t group[3]);
// Runs workgroups one after the other, which of them in group[]; false where `run` is.
typedef bool isa_group_fn(void *machine);
bool isa_groups(const struct spv_case *c, uint32_t group[3], void *machine, isa_group_fn *run);
// A workgroup's waves in turns, each until it ends or comes to the workgroup's barrier, which it
// passes when all that have not ended have come as often. False where a turn failed.
enum isa_turn { ISA_TURN_ENDED, ISA_TURN_BARRIER, ISA_TURN_FAILED };
typedef enum isa_turn isa_turn_fn(void *machine, uint32_t wave);
bool isa_turns(struct arena *a, void *machine, uint32_t waves, isa_turn_fn *turn);

#endif
