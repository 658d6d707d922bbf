// SPDX-License-Identifier: Apache-2.0
//
// Machine code and intermediate code that a driver or compiler dumps as text, run on the case's own
// buffers.
//
// A Mesa driver that compiles without hardware reports the code of a shader through
// VK_KHR_pipeline_executable_properties. A machine of this room executes that text, so that the
// memory can be compared as if it came from a device. The machines know neither SPIR-V nor the
// rules of reconvergence: which lanes execute together follows from the compiled code alone. They
// refuse an unknown instruction by name and never guess.
//
// This header holds what all machines share. Each language has its own room below this one
// (backends/isa/amd/), whose reader returns a struct isa_code; isa_run runs any of them.
#ifndef TF_ISA_H
#define TF_ISA_H

#include "base/base.h"
#include "spirv/spirv.h"

// The origin of a word's value, for the page of a finding.
struct isa_origin {
    uint32_t line;  // last operation of its history that reads other lanes or exec; 0: none
    uint32_t store; // last store to the word; 0: never stored
    // Active lanes at `line`; where code enables all lanes only for that operation, the lanes that
    // were active before.
    uint64_t lanes;
};

struct isa_result {
    enum ran status;
    char text[400];            // the error in one line, with the line number of the code
    uint32_t line;             // line of the code, from 1; 0: none
    struct spv_memory *memory; // one per buffer of the case, in its order; masks are NULL
    uint32_t memory_count;
    // Results of other schedules that differ from `memory`: `others` arrays of the same shape.
    struct spv_memory **other;
    uint32_t others;
    // Not 0: `other` is not of schedules. This line was the first to read a flag that no
    // instruction had set, and the flag held the other value.
    uint32_t unset_line;
    uint64_t steps; // instructions executed, summed over all waves or subgroups
    // The first line that uses a register while a load into it is in flight; 0: none. The register
    // holds a random value until the wait, so memory shows whether that matters.
    uint32_t early_line;
    struct isa_origin **origin; // [buffer][word], if requested and supported; else NULL
    // The first line whose value the text marks as uniform although the lanes that ran it computed
    // different values; 0: none. A driver may keep a uniform value in one scalar register.
    uint32_t uneven_line;
};

// Fills *out with the status and one line of text: "unsupported: " for RAN_UNSUPPORTED, the
// message, " at line N" (not if `line` is 0). Replaces bytes that are not printable ASCII by '?'.
// Always returns false, so that callers can return it.
bool isa_refuse(struct isa_result *out, enum ran s, uint32_t line, const char *fmt, ...)
    TF_PRINTF(4, 5);
// Counts one instruction. False with *out filled if the limit is exceeded.
static inline bool isa_step(struct isa_result *out, uint64_t *steps, uint64_t limit, uint32_t line)
{
    return ++*steps <= limit || isa_refuse(out, RAN_OVER_LIMIT, line, "more than %llu instructions",
                                           (unsigned long long)limit);
}

struct isa_options {
    uint64_t step_limit;  // instructions of one wave, warp or subgroup; 0: 4,000,000
    uint64_t random_fill; // seed of the initial values of registers and shared memory
    bool origin;          // fill isa_result.origin; slower
    bool prompt;          // each load completes at once, as if a wait followed it (AMD only)
    // Turnip: descriptors of a storage buffer; 0: as Mesa 26.2 has them for Adreno 730, two.
    // ISA_DESCRIPTORS_OPEN: not known, so code that names a buffer is refused.
    uint32_t descriptors;
};
#define ISA_DESCRIPTORS_OPEN UINT32_MAX

// A program that was read. It is the first member of each machine's own struct.
struct isa_code {
    // Expects *out as {0} and a step limit other than 0. Fills the memory by isa_give, or refuses.
    void (*run)(struct arena *a, const struct isa_code *code, const struct spv_case *c,
                const struct isa_options *o, struct isa_result *out);
};

// Runs `code` on the case's dispatch and buffers, one workgroup after the other. Invocation i of a
// workgroup is lane i % size of subgroup i / size. All memory is allocated in `a`.
void isa_run(struct arena *a, const struct isa_code *code, const struct spv_case *c,
             const struct isa_options *o, struct isa_result *out);
// For machines, at the start of a run: reads the size of a workgroup and its number of invocations
// from the case's module. False with *out filled: not a compute shader, or not 1 to 1,024 of them.
bool isa_shape(struct arena *a, const struct spv_case *c, uint32_t local[3], uint32_t *invocations,
               struct isa_result *out);
// The range from the lowest to the highest lane of a set that is not empty. Loops over a whole
// range vectorize; results for lanes in the set's gaps are dropped.
struct isa_span {
    uint32_t first, last;
    bool whole; // no gaps
};
static inline struct isa_span isa_span(lane_mask on)
{
    const unsigned first = lane_first(on), last = lane_last(on);
    return (struct isa_span){first, last, on == (lanes_below(last + 1) & ~lanes_below(first))};
}

// Fills group[] with the id of workgroup i of the dispatch; x varies fastest.
void isa_group(const struct spv_case *c, uint64_t i, uint32_t group[3]);
// Calls `run` for each workgroup in order, after it set group[] to its id. Stops and returns false
// if `run` does.
typedef bool isa_group_fn(void *machine);
bool isa_groups(const struct spv_case *c, uint32_t group[3], void *machine, isa_group_fn *run);
// Runs the waves of a workgroup in turns. A turn lasts until the wave ends or reaches the workgroup
// barrier; the wave continues when all waves that have not ended have reached it as often. False if
// a turn failed.
enum isa_turn { ISA_TURN_ENDED, ISA_TURN_BARRIER, ISA_TURN_FAILED };
typedef enum isa_turn isa_turn_fn(void *machine, uint32_t wave);
bool isa_turns(struct arena *a, void *machine, uint32_t waves, isa_turn_fn *turn);

#endif
