// SPDX-License-Identifier: Apache-2.0
//
// Templates: the files of templates/, which the build embeds in the program, filled with values.
//
//   {{name}}                    the value, escaped as the template's format requires: .xml, .json
//   {{{name}}}                  the value as it is
//   {{s:name}}                  "s", or nothing if the value is 1
//   {{#name}} ... {{/name}}     kept if the value is neither empty nor 0; for a list, once per row
//   {{^name}} ... {{/name}}     kept if the value is empty or 0
//   {{#name=word}}, {{^name=word}}  kept if the value is, or is not, that word
//   {{>file}}                   another template with the same values
//
// A tag alone on its line takes the whole line; a backslash at the end of a line joins it with the
// next one. A row also finds the values outside of its list, and has `first`: whether it is the
// first one. A name without a value is an error even in a block that is left out.
#ifndef TF_REPORT_FILL_H
#define TF_REPORT_FILL_H

#include "base/base.h"

struct fill;
// Sets the values of row `i`, in row->a.
typedef void fill_row(struct fill *row, const void *user, uint32_t i);
struct fill_value {
    const char *name, *text; // text: NULL is the same as ""
    fill_row *row;           // a list: sets the values of each of its `rows` rows
    const void *user;
    uint32_t rows;
};
struct fill {
    struct arena *a;
    const struct fill *outer; // of a row: the values outside of its list
    VEC(struct fill_value) values;
};

void fill_text(struct fill *f, const char *name, const char *text);
void fill_number(struct fill *f, const char *name, uint64_t value);
void fill_flag(struct fill *f, const char *name, bool value);
// `user` must stay valid until the template is filled.
void fill_list(struct fill *f, const char *name, uint32_t rows, fill_row *row, const void *user);

// Whether a template of that name, "readme/mesa.md", is embedded.
bool fill_has(const char *name);
// Adds the filled template to `out`. Aborts on an error in the template, which is our own bug.
void fill_template(const char *name, const struct fill *f, struct text *out);
// Fills `text`; `name` determines its format and appears in messages. False with a message if a tag
// is malformed, a block is not closed, or a name has no value.
bool fill_string(const char *name, const char *text, const struct fill *f, struct text *out,
                 struct err *e);

// Defined by the build (cmake/embed.cmake); the last one has no name.
extern const struct embedded {
    const char *name, *text;
} fill_templates[];

#endif
