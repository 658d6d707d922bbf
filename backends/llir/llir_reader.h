// SPDX-License-Identifier: Apache-2.0
//
// Shared by the two files that read a module. Private to backends/llir/.
#ifndef TF_LLIR_READER_H
#define TF_LLIR_READER_H

#include "llir_module.h"

enum { LLIR_OBJECT_BYTES = 1 << 16 };

struct reader {
    struct llir_module *m;
    struct llir_result *out;
    const uint32_t *words;
    size_t count;
    uint32_t *token_of; // [id]
};

static inline bool llir_bad(struct reader *r, const char *what)
{
    return llir_stop(r->out, RAN_INVALID, "not a valid IR dump: %s", what);
}
static inline bool llir_no(struct reader *r, const char *what)
{
    return llir_stop(r->out, RAN_UNSUPPORTED, "IR not judged: %s", what);
}
static inline uint32_t llir_new_object(struct llir_module *m, uint32_t bytes)
{
    m->object[m->objects].bytes = bytes;
    return m->objects++;
}

// llir_shapes.c: replaces operands by cells and blocks, and checks that their shapes match the
// instruction.
bool llir_shapes(struct reader *r, struct llir_inst *i, const struct llir_function *f);

#endif
