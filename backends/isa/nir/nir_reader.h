// SPDX-License-Identifier: Apache-2.0
//
// The state of reading a text. Private to the readers of backends/isa/nir/.
#ifndef TF_NIR_READER_H
#define TF_NIR_READER_H

#include "nir_program.h"

enum { NIR_NAMES = 1 << 20 }; // values, or blocks, of a function

struct open {
    enum nir_id id; // NIR_IF, NIR_ELSE or NIR_LOOP
    uint32_t inst;
};

// The names of one function. A function that is called is read in place of the call, as a loop that
// is left at its return.
struct scope {
    struct words name;     // by the number of a value: its definition + 1
    struct words block;    // by the number of a block: its instruction + 1
    uint32_t number;       // blocks are numbered from number * NIR_NAMES on
    uint32_t first, depth; // instructions and open constructs before it
    uint32_t at;           // the block that is read
    const struct nir_src *argument;
    uint32_t arguments;
};

struct reader {
    struct arena *a;
    struct nir_program *p;
    struct isa_result *why;
    uint32_t line;
    const struct nir_function *function;
    uint32_t functions;
    VEC(struct nir_inst) inst;
    VEC(struct nir_def) def;
    struct scope s;
    uint32_t scopes, calls;
    struct open open[NIR_NESTING];
    uint32_t depth;
    bool done;
};

static inline bool nir_refuse(struct reader *r, const char *what, const char *s, size_t n)
{
    return word_refuse(r->why, r->line, what, (struct word){s, n});
}

static inline void nir_skip(const char **s, size_t *n, size_t k)
{
    *s += k;
    *n -= k;
    while (*n && (**s == ' ' || **s == '\t')) {
        ++*s;
        --*n;
    }
}

static inline struct nir_inst *nir_add(struct reader *r, enum nir_id id)
{
    struct nir_inst *in = VEC_PUSH(r->a, &r->inst);
    *in = (struct nir_inst){.id = id, .line = r->line, .def = NIR_NO_DEF};
    return in;
}

// Returns the entry of a number; extends the table if necessary.
static inline uint32_t *nir_named(struct arena *a, struct words *names, uint32_t number)
{
    while (names->n <= number)
        *VEC_PUSH(a, names) = 0;
    return &names->v[number];
}

// ---- instructions (nir_instruction.c) ---------------------------------------

// Reads `mark` and a number: "%3", "b7".
bool nir_number_read(const char **s, size_t *n, char mark, uint32_t *out);
// Reads "%3", "%3.xy", "%3 (0x2)" or "%3 (0x0, 0x20).y". `def` is the number of the value until
// names are resolved; `count` 0: all components.
bool nir_source_read(const char **s, size_t *n, struct nir_src *out);
// Reads "%3, %4.x" to the end or to `stop`. False with r->why filled, as all that follow.
bool nir_sources_read(struct reader *r, struct nir_inst *in, const char **s, size_t *n, char stop);
void nir_sources_keep(struct reader *r, struct nir_inst *in, const struct nir_src *src, uint32_t n);
// Reads "iadd %3, %4" or "@ballot (%12) (base=0)", after the "=" of a definition or alone.
bool nir_operation_read(struct reader *r, const char *s, size_t n, uint32_t def);
// Reads "32x4 %22 = ...".
bool nir_definition_read(struct reader *r, const char *s, size_t n, bool uniform);
// Turns the number of a value into its definition.
bool nir_source_link(struct reader *r, const struct nir_inst *in, struct nir_src *s);

#endif
