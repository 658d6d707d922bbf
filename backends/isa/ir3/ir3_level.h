// SPDX-License-Identifier: Apache-2.0
//
// The reader of ir3's code between passes, and the lines that it has read. Private to
// backends/isa/ir3/.
#ifndef TF_IR3_LEVEL_H
#define TF_IR3_LEVEL_H

#include "ir3_reader.h"

// A file of registers.
enum ir3_file { FILE_OWN, FILE_SHARED, FILE_PREDICATE, IR3_FILES };

enum ir3_value_kind { VALUE_RESULT, VALUE_PLACE, VALUE_NUMBER, VALUE_UNDEFINED };
// A destination or a source: "(kill)(neg)sssa_12:4 (wrmask=0x3)", "hr2.x", "imm[0.0,3,0x3]".
struct ir3_value {
    enum ir3_value_kind kind;
    struct word text; // as it is printed
    enum ir3_file file;
    bool half, neg, abs, steps, dummy;
    bool uniform;      // a predicate of the uniform ALU
    bool constant;     // a place of the constants
    uint32_t id, name; // of a result: its instruction, its own number (0: none)
    uint32_t at;       // of a place: index of the full or half register
    bool assigned;     // a destination: ir3_level_results has set `at`
    uint32_t number;
    uint32_t count; // of registers
};
struct ir3_line {
    uint32_t line;
    struct word op, about;   // about: "(u32)(x)" before the result of a texture operation
    struct ir3_value *value; // destinations first
    uint32_t values, dsts;
    uint32_t repeat;
    bool joins, saturates;
    struct word target; // "block6"; empty: none
    uint32_t off;       // of a split
};

// A result that has no register yet, or the register that its instruction writes.
struct ir3_result {
    uint32_t id, name, at, count;
    enum ir3_file file;
    bool half;
    bool allocated;    // its register is a register of the machine
    bool hidden;       // without a name of its own, no text means this one of several results
    bool moves_number; // its instruction moves a number
    uint32_t number;
};

struct ir3_block_text {
    struct word name;
    uint32_t line;
    bool joins;
    struct word succ[2];
    uint32_t succs;
    VEC(struct word) pred;
    bool enables;               // its end enables the lanes again that predt and predf disabled
    uint32_t first, last, phis; // lines; those from `first` to `phis` are phis
};

struct level_reader {
    struct reader r;
    VEC(struct ir3_line) line;
    VEC(struct ir3_block_text) block;
    VEC(struct ir3_result) result; // sorted by id
    uint32_t next[IR3_FILES];      // the next register that no text names
    uint32_t labels;               // used so far; those of the blocks come first
    bool targets;                  // branches name their targets
    bool marked;                   // blocks are marked (jp), else lanes join at each
    bool joins;                    // the next instruction joins lanes
    bool offsets;                  // the text omits offsets that are not 0
    const char *nir;               // shows the signs of minima and maxima
    struct word *slot;             // of each phi, by line; empty: none
};

// ---- ir3_level_line.c ------------------------------------------------------

// Reads an instruction; it becomes the last of l->line.
bool ir3_level_line(struct level_reader *l, struct word t, uint32_t number);
// Assigns registers to results.
bool ir3_level_results(struct level_reader *l);
// Returns the result that a value is; NULL: none.
const struct ir3_result *ir3_level_result(const struct level_reader *l, const struct ir3_value *v);
// Writes register `k` of a value as the machine's reader takes it, with its modifiers. False with
// r.why filled.
bool ir3_level_word(struct level_reader *l, const struct ir3_line *at, const struct ir3_value *v,
                    uint32_t k, struct word *out);
// The number that a value is, or that its instruction moved. False: none.
bool ir3_level_number(const struct level_reader *l, const struct ir3_value *v, uint32_t *out);
// Returns the name of a register that no text names.
struct word ir3_level_new(struct level_reader *l, enum ir3_file file, bool half);

// ---- ir3_level_op.c: instructions ------------------------------------------

// Adds the instruction of a line that is not a branch.
bool ir3_level_op(struct level_reader *l, const struct ir3_line *at);
// Adds an instruction with these operands.
bool ir3_level_add(struct level_reader *l, const struct ir3_line *at, const char *operation,
                   const struct word *w, uint32_t words);
// Adds a copy of a register, or a number.
bool ir3_level_copy(struct level_reader *l, const struct ir3_line *at, struct word to,
                    struct word from, bool half);
// Adds a branch to a label; `w` are its conditions.
bool ir3_level_branch(struct level_reader *l, const struct ir3_line *at, const char *operation,
                      const struct word *w, uint32_t words, uint32_t label);
// The next instruction has the label; joins: lanes that wait there join.
void ir3_level_here(struct level_reader *l, uint32_t label, bool joins);

// ---- ir3_level_macro.c -----------------------------------------------------

// Is it an operation that ir3 replaces by several instructions?
bool ir3_level_is_macro(const struct ir3_line *at);
bool ir3_level_macro(struct level_reader *l, const struct ir3_line *at);

static inline bool level_refuse(struct level_reader *l, const struct ir3_line *at, const char *what)
{
    return l->r.why->status ? false : word_refuse(l->r.why, at->line, what, at->op);
}

static inline struct word word_of(const char *s)
{
    return (struct word){s, strlen(s)};
}

#endif
