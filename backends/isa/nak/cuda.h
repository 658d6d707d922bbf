// SPDX-License-Identifier: Apache-2.0
//
// What the readers of PTX and of SASS share: they write the operations of ops.def. Private to
// backends/isa/nak.
#ifndef TF_NAK_CUDA_H
#define TF_NAK_CUDA_H

#include "isa/isa_text.h"
#include "program.h"

struct cuda_label {
    struct word name;
    uint32_t at;
};

enum { CUDA_WORDS = 16 };
struct cuda_reader {
    struct arena *a;
    struct isa_result *why;
    struct nak_program *p;
    struct nak_files files;
    VEC(struct nak_inst) inst;
    VEC(struct cuda_label) label;
    VEC(struct word) used; // labels of branches: operand.value is the index
    uint32_t line;
    // The line: the operation without its guard, split at dots, and its operands.
    struct word whole, part[CUDA_WORDS], arg[CUDA_WORDS];
    uint32_t parts, args;
    struct nak_operand guard;
    // SASS: the section, and the byte of the line.
    enum { SASS_CODE, SASS_TABLE, SASS_OTHER } section;
    uint32_t byte;
    VEC(uint8_t) table; // constant buffer 2
};

bool cuda_refuse(struct cuda_reader *r, const char *what, struct word t);
// Splits "OP.MOD a, b, c" into r->part and r->arg; false: too long.
bool cuda_split(struct cuda_reader *r, struct word t);
bool cuda_has(const struct cuda_reader *r, const char *part); // after the first part
// Are all parts after the first among these? " A B C "
bool cuda_only(const struct cuda_reader *r, const char *list);

// Operands.
struct nak_operand cuda_number(uint32_t v);
struct nak_operand cuda_none(void);
struct nak_operand cuda_true(bool is_true);
struct nak_operand cuda_new(struct cuda_reader *r, uint32_t count); // new registers
struct nak_operand cuda_new_predicate(struct cuda_reader *r);
struct nak_operand cuda_part(struct nak_operand o, uint32_t k); // one register of several
bool cuda_parse(struct word t, uint32_t *out);                  // "0x1f", "-0x4", "12"

// Adds an operation under the line's guard: destinations and sources as the row has them.
struct nak_inst *cuda_add(struct cuda_reader *r, enum nak_id id, uint32_t n,
                          const struct nak_operand *o);
#define CUDA_ADD(r, id, ...)                                                                       \
    cuda_add(r, id, sizeof((struct nak_operand[]){__VA_ARGS__}) / sizeof(struct nak_operand),      \
             (struct nak_operand[]){__VA_ARGS__})
// sum = a + b + c; what is negated comes by its operand.
struct nak_inst *cuda_sum(struct cuda_reader *r, struct nak_operand to, struct nak_operand carry,
                          struct nak_operand x, struct nak_operand y, struct nak_operand z);
struct nak_inst *cuda_lop(struct cuda_reader *r, uint32_t lut, struct nak_operand to,
                          struct nak_operand x, struct nak_operand y, struct nak_operand z);
struct nak_inst *cuda_compare(struct cuda_reader *r, enum nak_mod cmp, enum nak_mod type,
                              struct nak_operand to, struct nak_operand x, struct nak_operand y);
struct nak_inst *cuda_load(struct cuda_reader *r, struct nak_operand to, struct nak_operand base,
                           uint32_t offset);
struct nak_inst *cuda_store(struct cuda_reader *r, struct nak_operand base, uint32_t offset,
                            struct nak_operand v);

// A new program with the source's parameters at this byte of constant buffer 0.
struct nak_program *cuda_program(struct arena *a, const struct cuda_source *s, uint32_t at);
struct nak_operand cuda_label_use(struct cuda_reader *r, struct word name);
bool cuda_label_here(struct cuda_reader *r, struct word name);
// Resolves labels and completes the program; NULL with r->why filled.
const struct isa_code *cuda_finish(struct cuda_reader *r);

#endif
