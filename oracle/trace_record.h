// SPDX-License-Identifier: Apache-2.0
//
// What trace.c and trace_memory.c share: the records of a run with a trace (trace.h).
//
// Each plane, unit of a buffer (a word, or a byte if accesses may be that small: run.grain) and
// Workgroup cell has a code for each lane, unit or cell: the kind of origin in the upper bits, the
// instruction in the lower ones; 0: certain. The result of an instruction gets the largest code of
// its operands, or a new code if the uncertainty starts there.
#ifndef TF_ORACLE_TRACE_RECORD_H
#define TF_ORACLE_TRACE_RECORD_H

#include "execute.h"

// The last instruction that accessed a unit, its phase and invocation, and the last instruction
// that another invocation than that one executed.
struct site {
    uint32_t inst; // index + 1; 0: none
    uint32_t phase[ORDER_LEVELS];
    uint32_t by, other; // linear global invocation + 1; index + 1, 0: none
};
struct traced { // by unit of a buffer, or by cell of Workgroup memory
    uint32_t *origin;
    struct site *wrote, *read;
    uint64_t count;
    // One bit for each TRACED_ROW units: their entries are initialised. Most units of a large
    // buffer are never accessed. NULL: all are.
    uint64_t *rows;
};
enum { TRACED_ROW = 64 };
struct tracing {
    struct orc_trace *out;
    struct traced *object; // [object_count]
    struct traced shared;
    uint16_t *places;                       // scratch: positions of an instruction's operands
    const struct trace_operands **operands; // [instruction]; NULL: not asked for yet
};

static inline uint32_t code_of(enum orc_birth birth, uint32_t inst)
{
    return (uint32_t)birth << 27 | inst;
}
static inline uint32_t larger(uint32_t x, uint32_t y)
{
    return x > y ? x : y;
}

static inline uint32_t *origins_of(const struct machine *m, uint32_t plane)
{
    return m->origins + (size_t)plane * m->v.lanes;
}

// Sets the code of a value in a lane.
static inline void put(const struct machine *m, uint32_t plane, uint32_t lane, uint32_t code)
{
    origins_of(m, plane)[lane] = code;
    if (code)
        m->doubt[plane] |= lane_bit(lane);
    else
        m->doubt[plane] &= ~lane_bit(lane);
}

// trace_memory.c: records an IN_LOAD or IN_STORE of the active lanes.
void trace_accesses(const struct machine *m, const struct inst *i);
// Returns the instruction that made the last write of a location; NONE: not known.
uint32_t trace_writer(const struct machine *m, const struct race *r);

// trace.c: the operands of an instruction that have values.
struct trace_operand {
    uint32_t plane, cells;
};
struct trace_operands {
    uint32_t n;
    struct trace_operand v[];
};
const struct trace_operands *trace_operands(const struct machine *m, const struct inst *i);

#endif
