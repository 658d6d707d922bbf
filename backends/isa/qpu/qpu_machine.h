// SPDX-License-Identifier: Apache-2.0
//
// The state of a run. A thread runs one subgroup of 16 lanes, which never part: each instruction is
// executed for all of them, and a condition says which lanes take its result.
#ifndef TF_QPU_MACHINE_H
#define TF_QPU_MACHINE_H

#include "isa/isa_memory.h"
#include "qpu_program.h"

enum {
    SHARED_BYTES = 1 << 16,
    SPILL_BYTES = 1 << 18, // of a thread
    DATA_ROWS = 16,        // that wait for an access
    RESULT_ROWS = 64,
    DELAY_BRANCH = 3,
    DELAY_SWITCH = 2,
    DELAY_UNIFA = 4, // distance of the first load
};
// Places that the driver chooses; regions are far from each other.
#define BUFFER_BASE(i) (UINT32_C(0x02000000) * ((i) + 1))
#define SHARED_BASE    UINT32_C(0xe0000000)
#define SPILL_BASE     UINT32_C(0xf0000000)

typedef uint32_t qpu_row[QPU_LANES];
typedef uint32_t lanes16; // a bit per lane

struct qpu_thread {
    qpu_row *r;      // registers of the program
    lanes16 a, b;    // flags
    lanes16 started; // lanes with an invocation
    uint32_t rtop[QPU_LANES];
    uint32_t number; // of the thread in the workgroup
    uint32_t at;
    uint32_t uniform; // position in the stream

    uint32_t unifa;     // address
    uint32_t unifa_age; // instructions since it was written

    uint32_t jump_in, jump_to, jump_uniform; // delay slots left, plus 1; 0: no jump
    uint32_t switch_in;                      // the same for a thread switch
    bool switched;                           // the instruction before switched
    bool last, ends;                         // the next switch, this switch ends the thread
    bool sync;                               // the next switch waits at the barrier

    qpu_row data[DATA_ROWS];
    uint32_t data_rows;
    qpu_row result[RESULT_ROWS]; // a queue, with the lanes that each row is of
    lanes16 result_of[RESULT_ROWS];
    uint32_t result_at, result_rows;
    uint64_t steps;
};

struct qpu_machine {
    struct arena *a;
    const struct qpu_program *p;
    const struct spv_case *c;
    struct isa_result *out;
    struct isa_memory memory; // the case's buffers, then the threads' spilled values
    struct isa_shared shared;
    struct rng random_fill;
    uint64_t step_limit;
    uint32_t local[3], group[3], invocations, threads;
    struct qpu_thread *t;
    uint32_t buffer[SPV_CASE_BUFFERS]; // of each index
    uint32_t *uniform;                 // the stream's values
};

static inline bool qpu_refuse(struct qpu_machine *m, enum ran s, const struct qpu_inst *in,
                              const char *what)
{
    return isa_refuse(m->out, s, in->line, "%s", what);
}

// Computes the result of an operation for all lanes, and the new flag in *flag if it has one.
void qpu_compute(struct qpu_machine *m, struct qpu_thread *t, const struct qpu_alu *x,
                 uint32_t *out, lanes16 *flag);
// Returns the lanes for which a condition holds.
static inline lanes16 qpu_lanes(const struct qpu_thread *t, enum qpu_cond c)
{
    static const lanes16 all = (1 << QPU_LANES) - 1;
    const lanes16 flag = c == COND_A || c == COND_NOT_A ? t->a : t->b;
    return c == COND_NONE ? all : (c == COND_NOT_A || c == COND_NOT_B ? ~flag : flag) & all;
}
// Operations between lanes.
void qpu_between(struct qpu_machine *m, const struct qpu_thread *t, const struct qpu_alu *x,
                 const uint32_t *a, const uint32_t *b, uint32_t *out);

// Starts an access for the lanes of `on`, with the rows of data that were written.
bool qpu_access(struct qpu_machine *m, struct qpu_thread *t, const struct qpu_inst *in,
                const uint32_t *address, lanes16 on, uint32_t config);
// Takes the oldest row that an access returned, and its lanes.
bool qpu_result(struct qpu_machine *m, struct qpu_thread *t, const struct qpu_inst *in,
                uint32_t *out, lanes16 *of);
// Loads the word at the address in unifa, and moves it to the next one.
bool qpu_unifa(struct qpu_machine *m, struct qpu_thread *t, const struct qpu_inst *in,
               uint32_t *out);

#endif
