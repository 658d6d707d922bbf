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
};

const char *por_said(struct por_asker *w, uint32_t inst);
// A group operation of which model k promises nothing decides `sink`, at instruction `at`.
void por_reason_promise(struct por_asker *w, uint32_t k, struct orc_origin from, const char *sink,
                        uint32_t at, struct por_reason *out);
void por_reason_weak(struct por_asker *w, uint32_t k, const struct orc_why *why, uint32_t at,
                     struct por_reason *out);
// A value that is undefined in every model decides `sink`.
enum por_status por_reason_value(struct por_asker *w, struct orc_origin from, const char *sink,
                                 uint32_t at, struct por_reason *out);
// A run that ended before its end.
enum por_status por_reason_fault(struct por_asker *w, const struct orc_result *r,
                                 const struct orc_trace *t, uint32_t at, struct por_reason *out);

// With a capital letter.
const char *por_sentence(struct arena *a, const char *text);
// Has model k something to say at size s that it, or a model before it, has not said yet?
bool por_first(const struct por_answer *w, uint32_t k, uint32_t s);

// invented_images.c: a variable of images or samplers gets some, of the form that its type wants; `said` tells what.
struct por_maker {
    struct arena *a;
    const struct spv_module *m;
    uint64_t seed; // 0: all zeros
    uint64_t length; // of an array of them; 0: not told
    uint32_t set, binding, variable;
};
bool por_make_image(const struct por_maker *w, struct spv_case *c, const struct spv_case *given, struct text *said,
                    struct err *e);

#endif
