// SPDX-License-Identifier: Apache-2.0
//
// The fields of a finding's record as tables, for its codec finding_json.c. Private to store/.
#ifndef TF_FINDING_FIELDS_H
#define TF_FINDING_FIELDS_H

#include "finding.h"

enum kind { BOOL, NUMBER, ENUM, SET, LANES, CHARS, STRUCT, PATH, LIST };
struct names {
    const char *(*name)(unsigned value);
    unsigned count;
};
struct row {
    const char *key;
    enum kind kind;
    uint32_t at, size;
    const struct names *names; // ENUM, SET, PATH
    const struct row *rows;    // STRUCT, LIST; a row without a key ends them
    uint32_t count_at, max;    // LIST: place of its length, one byte; `size` is that of an entry
};
extern const struct row finding_rows[], finding_signature_rows[];
extern const struct names finding_class_names;

// The texts of a record, each a const char * at an offset of struct finding; "" is left out.
enum { FINDING_TEXTS = 9 };
struct finding_text {
    const char *key;
    uint32_t at;
};
extern const struct finding_text finding_texts[FINDING_TEXTS];

#endif
