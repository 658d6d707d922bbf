// SPDX-License-Identifier: Apache-2.0
//
// The state of a run. Private to backends/isa/gallivm/.
#ifndef TF_GALLIVM_MACHINE_H
#define TF_GALLIVM_MACHINE_H

#include "gallivm_program.h"

// A call that runs. A subgroup of a program with barriers is a coroutine: its call waits at each
// barrier, and the function that started it resumes it.
struct gv_frame {
    const struct gv_function *f;
    uint64_t *v;     // slots
    uint32_t at;     // instruction
    uint64_t handle; // of a coroutine; 0: none
    bool waiting, done;
    struct gv_frame *next;
};

struct gv_machine {
    struct arena *a, calls; // of the run; of a workgroup
    const struct gv_program *p;
    const struct spv_case *c;
    struct isa_result *out;
    struct rng random_fill;
    struct isa_memory memory;
    struct isa_shared shared;
    struct isa_region *stack;
    uint32_t used; // bytes of the stack
    uint64_t *constant;
    struct gv_frame *coroutine; // all of the workgroup
    uint64_t steps, step_limit;
    uint32_t depth; // of calls
    uint32_t group[3], local[3], invocations;
    // Addresses: the context, the resources, what a thread of the processor has.
    uint64_t context, resources, thread;
};

static inline uint64_t *gv_row(const struct gv_machine *m, const struct gv_frame *f, uint32_t value)
{
    const struct gv_value *v = &m->p->value[value];
    return (v->constant ? m->constant : f->v) + v->at;
}

// Memory, and values that rows do not describe (gallivm_memory.c). False with m->out filled.
bool gv_execute(struct gv_machine *m, struct gv_frame *f, const struct gv_inst *in);
// Takes bytes of the stack; false with m->out filled.
bool gv_alloca(struct gv_machine *m, uint32_t line, uint64_t bytes, uint64_t *address);
// Lays out what lavapipe passes to the program (gallivm_place.c).
void gv_place(struct gv_machine *m);

#endif
