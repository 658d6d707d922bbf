// SPDX-License-Identifier: Apache-2.0
//
// The reader of a text and the words of its current line. Private to backends/isa/ir3/.
#ifndef TF_IR3_READER_H
#define TF_IR3_READER_H

#include "ir3_program.h"
#include "isa/isa_text.h"

enum { IR3_LABELS = 1 << 16, IR3_WORDS_MAX = 6 };

struct reader {
    struct arena *a;
    struct isa_result *why;
    struct ir3_program *p;
    VEC(struct ir3_inst) inst;
    uint32_t *label; // index of the instruction, plus one; 0: undefined
    uint32_t line;
    struct word operation, w[IR3_WORDS_MAX];
    uint32_t words;
    bool virtual; // operands may be registers without a name: %o200, h%s64, %p5
};

#define is     word_is
#define begins word_starts
#define after  word_after

// Splits *t at the first `c`: returns the word before it, and *t becomes the rest.
static inline struct word cut(struct word *t, char c)
{
    const char *at = t->n ? memchr(t->s, c, t->n) : NULL;
    const struct word part = {t->s, at ? (size_t)(at - t->s) : t->n};
    *t = after(*t, part.n + (at != NULL));
    return part;
}

static inline bool ir3_label_read(struct word t, uint32_t *out)
{
    return t.n > 1 && *t.s == 'l' && parse_u32(t.s + 1, t.n - 1, out) && *out < IR3_LABELS;
}

static inline bool refuse(struct reader *r, const char *what, struct word t)
{
    return word_refuse(r->why, r->line, what, t);
}

// ir3_form.c: reads r->w as the operands of in->id; `rest` is the suffix of the operation's name.
// False with r->why filled.
bool ir3_form_read(struct reader *r, struct ir3_inst *in, struct word rest);
// Begins a program. False with r->why filled: `size` is not 1 to 128.
bool ir3_reader_begin(struct reader *r, struct arena *a, uint32_t size, struct isa_result *why);
// Reads r->operation and r->w; `in` holds its marks. Adds the instruction.
bool ir3_words_read(struct reader *r, struct ir3_inst *in);
// Resolves labels; returns the program. NULL with r->why filled.
const struct isa_code *ir3_reader_end(struct reader *r);
// Notes that the code names `count` registers starting at *o.
void ir3_named(struct reader *r, const struct ir3_operand *o, uint32_t count);

#endif
