// SPDX-License-Identifier: Apache-2.0
//
// PTX whose masks the program computes. Private to backends/printers/.
//
//   ptx.c       the kernel, blocks, terminators, joins
//   ptx_flow.c  which joins need a vote, and the way of an escape through them
//   ptx_inst.c  one instruction each
//   ptx_ops.c   group operations
#ifndef TF_PRINTERS_PTX_H
#define TF_PRINTERS_PTX_H

#include "form.h"

#include "spirv/spirv_flow.h"

// Where lanes meet: the merge block of a construct, or the continue target of a loop.
struct ptx_stop {
    uint32_t header; // of the construct; SPV_NO_BLOCK: the target of the escape itself
    bool cont;
};
// A lane that escapes to block `target` (SPV_NO_BLOCK: returns) passes `at` on its way to `next`.
struct ptx_hop {
    struct ptx_stop at, next;
    uint32_t target;
};

enum ptx_arm { PTX_ARRIVES, PTX_ESCAPES, PTX_EITHER }; // what lanes of an arm do at the merge block

struct ptx_flow {
    struct spv_flow g;
    bool *merge_vote, *cont_vote; // [header]: the lanes that come are known by a vote only
    enum ptx_arm **arm;           // [header][successor], of selections and switches
    VEC(struct ptx_hop) hops;
};
void ptx_flow_read(const struct form *f, const struct spv_function *fn, struct ptx_flow *out);
// Returns the first stop of the edge from block `b` to `target`, which is an escape's way.
struct ptx_stop ptx_flow_way(const struct ptx_flow *f, uint32_t b, uint32_t target,
                             struct ptx_stop *room, uint32_t *n);

struct ptx {
    const struct form *f;
    struct text registers, *out; // declarations; the code
    struct err *e;
    uint32_t sm;                 // the architecture
    const struct ptx_flow *flow; // of the current function
    uint32_t copy, copies;       // the inlined function: number 0 is main
    uint32_t temps, labels;
    bool *declared;  // [id] in the current function
    uint32_t result; // id of the call's result; 0: none
    uint32_t result_copy;
};

bool ptx_refuse(const struct ptx *p, const struct spv_inst *in, const char *why);
bool ptx_inst(struct ptx *p, const struct spv_inst *in);
bool ptx_group_op(struct ptx *p, const struct spv_inst *in);
bool ptx_call(struct ptx *p, const struct spv_inst *in);

// The number of components; bools are predicates. 0 with a refusal: another type.
uint32_t ptx_parts(struct ptx *p, const struct spv_inst *in, uint32_t type, bool *is_bool);
// Component `k` of a value as an operand: a register or a number. A bool is a predicate register.
const char *ptx_value(struct ptx *p, uint32_t id, uint32_t k);
// The register of component `k` of a result or variable; declares it.
const char *ptx_register(struct ptx *p, uint32_t id, uint32_t k);
const char *ptx_temp(struct ptx *p);      // a new 32-bit register
const char *ptx_predicate(struct ptx *p); // a new predicate
const char *ptx_wide(struct ptx *p);      // a new 64-bit register
void ptx_move(struct ptx *p, bool is_bool, const char *to, const char *from);

#endif
