// SPDX-License-Identifier: Apache-2.0
//
// What ask.c and reason.c share.
#ifndef TF_PORTABLE_INNER_H
#define TF_PORTABLE_INNER_H

#include "portable.h"

struct por_asker {
    struct arena *a;
    const struct spv_module *m;
    const struct spv_case *c;
    const struct por_inputs *inputs;
    const bool *apart; // [block] of the run that is told of: orc_trace.apart; NULL: not known
};

const char *por_said(struct por_asker *w, uint32_t inst);
// Its line, or that of what comes before it; 0: none is known.
uint32_t por_line_near(struct por_asker *w, uint32_t inst);
// "word 3 of buffer 0:1 out"
const char *por_word_said(struct por_asker *w, uint32_t buffer, uint32_t word);

// advice.c. The branch, switch or loop around an instruction: the terminator of its header; 0:
// none.
uint32_t por_around(struct por_asker *w, uint32_t inst);
bool por_is_loop(struct por_asker *w, uint32_t header); // of what por_around gives
// Is it executed, or not, by a branch on what comes from inputs?
bool por_guarded_by_inputs(struct por_asker *w, uint32_t inst);
// What to do about a group operation of which a model promises nothing.
const char *por_promise_fix(struct por_asker *w, uint32_t inst);
// Does a block leave a loop by what an atomic reads that others may write? That atomic; 0: no.
// *loop: the loop's branch.
uint32_t por_waits(struct por_asker *w, uint32_t block, uint32_t *loop);
// A group operation of which model k promises nothing decides `sink`, at instruction `at`.
void por_reason_promise(struct por_asker *w, uint32_t k, struct orc_origin from, const char *sink,
                        uint32_t at, struct por_reason *out);
void por_reason_weak(struct por_asker *w, uint32_t k, const struct orc_why *why, uint32_t at,
                     struct por_reason *out);
// A value that is undefined in every model decides `sink`.
enum por_status por_reason_value(struct por_asker *w, struct orc_origin from, const char *sink,
                                 uint32_t at, struct por_reason *out);
// What the oracle does not know, and whether it is planned.
void por_reason_refused(struct por_asker *w, const struct orc_why *why, uint32_t at,
                        struct por_reason *out);
// A run that ended before its end.
enum por_status por_reason_fault(struct por_asker *w, const struct orc_result *r,
                                 const struct orc_trace *t, uint32_t at, struct por_reason *out);

// Has model k something to say at size s that it, or a model before it, has not said yet?
bool por_first(const struct por_answer *w, uint32_t k, uint32_t s);

// The pointee of a type of addresses (PhysicalStorageBuffer); 0: it is none.
static inline uint32_t por_pointee(const struct spv_inst *t)
{
    return t && t->op == SpvOpTypePointer && t->v[0] == SpvStorageClassPhysicalStorageBuffer
               ? t->v[1]
               : 0;
}

// The word after a decoration of an id, or of a member of it (UINT32_MAX: of itself); UINT32_MAX
// where there is none.
uint32_t por_decoration(const struct spv_module *m, uint32_t id, uint32_t member,
                        uint32_t decoration);
// branches.c: members of blocks that atomics use, by the first of them.
struct por_member {
    uint32_t variable; // 0: wherever addresses point to
    uint32_t type, member, op;
};
const struct por_member *por_counters(struct arena *a, const struct spv_module *m, uint32_t *n);
// Words of inputs that some branch compares with a constant, with values that take it either way.
// *uneven of them, the last ones, are compared with what no constant is, and a number follows that
// no subgroup size divides.
const struct por_set *por_branch_values(struct arena *a, const struct spv_case *c,
                                        const struct spv_module *m, uint32_t *n, uint32_t *uneven);

// invented_images.c: a variable of images or samplers gets some, of the form that its type wants;
// `said` tells what.
struct por_maker {
    struct arena *a;
    const struct spv_module *m;
    uint64_t seed;   // 0: all zeros
    uint64_t length; // of an array of them; 0: not told
    uint32_t set, binding, variable;
};
bool por_make_image(const struct por_maker *w, struct spv_case *c, const struct spv_case *given,
                    struct text *said, struct err *e);

#endif
