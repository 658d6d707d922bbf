// SPDX-License-Identifier: Apache-2.0
//
// What the two files that read a module share. Private to backends/llir/.
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
    return llir_stop(r->out, LLIR_INVALID, "the IR that was written down is no module: %s", what);
}
static inline bool llir_no(struct reader *r, const char *what)
{
    return llir_stop(r->out, LLIR_UNSUPPORTED, "IR not judged: %s", what);
}
static inline uint32_t llir_new_object(struct llir_module *m, uint32_t bytes)
{
    m->object[m->objects].bytes = bytes;
    return m->objects++;
}

// llir_shapes.c: operands become cells and blocks; each has the shape that its instruction asks
// for.
bool llir_shapes(struct reader *r, struct llir_inst *i, const struct llir_function *f);

#endif
