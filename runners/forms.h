// SPDX-License-Identifier: Apache-2.0
//
// Texts of machine instructions that are kept. Instructions that differ in their registers only are
// one *form*, whose text has holes for the numbers of the registers. Where the holes are is learned
// from the disassembler: it prints a form with other numbers, and nothing but these may change.
// Private to runners/.
#ifndef TF_RUNNERS_FORMS_H
#define TF_RUNNERS_FORMS_H

#include "base/base.h"

enum { FORM_FIELDS = 6, FORM_HOLES = 8, FORM_MORE = 3 * FORM_HOLES };

struct form {
    uint64_t key[2];  // the code without the fields that are registers
    const char *text; // without the numbers
    uint32_t n;       // bytes of it
    uint8_t holes;
    uint8_t registers; // a bit for each field that is one; 0 in the key
    struct form_hole {
        uint8_t field, more; // the number is the field's and so much more
        uint16_t at;         // byte of the text where the number goes
    } hole[FORM_HOLES];
    bool seen; // these two are free for the caller: 0 in a new form
    uint32_t note[4];
};

struct forms;
// Prints an instruction: a text that is valid until the next call; NULL: this is not an
// instruction.
typedef const char *(*form_printer)(void *context, const uint64_t code[2]);
// Registers are `letter` and a number, or of several registers, as in v[4:7].
struct forms *forms_new(form_printer print, void *context, char letter);
void forms_free(struct forms *f);
// Drops all forms if `more` new ones may not fit. Earlier ones end here.
void forms_make_room(struct forms *f, uint32_t more);

// The form of an instruction. `key` is its code without bits that its text need not have. `bits`
// has the first bits of FORM_FIELDS fields of eight bits each, which may be registers; 0: none.
// `text` is what the printer prints for it, or NULL: not known. Returns NULL if the printer prints
// nothing, or if the table is full. The result is valid until forms_make_room.
struct form *forms_get(struct forms *f, const uint64_t key[2], const uint64_t code[2],
                       const uint8_t *bits, const char *text);
// The same, but NULL if the form is not there yet.
const struct form *forms_find(struct forms *f, const uint64_t key[2], const uint64_t code[2],
                              const uint8_t *bits);
// Writes the text of the instruction of this form, at most n + FORM_MORE bytes. Returns its end.
char *form_put(char *to, const struct form *x, const uint64_t code[2], const uint8_t *bits);

#endif
