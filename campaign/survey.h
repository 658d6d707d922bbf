// SPDX-License-Identifier: Apache-2.0
//
// Survey: counts what share of random programs a compiler gets right, and how the others fail. Fuzz
// keeps each finding; a survey runs each program once and counts, for compilers that get every
// third program wrong.
#ifndef TF_CAMPAIGN_SURVEY_H
#define TF_CAMPAIGN_SURVEY_H

#include "campaign.h"

// Kinds of result, in the order in which they are tested.
enum survey_kind {
    SURVEY_AGREES,
    SURVEY_REFUSED,   // by the compiler's verifier, or with an error message
    SURVEY_CRASH,     // or a fatal error
    SURVEY_HANG,      // the compiler does not end
    SURVEY_REPAIRED,  // invalid output, right after the merge repair
    SURVEY_INVALID,   // other invalid output
    SURVEY_WRONG,     // wrong result, also if all choices of D3 and M2 are to join
    SURVEY_LEAD,      // the same, but the expected result was not promised
    SURVEY_UNDEFINED, // the output is undefined
    SURVEY_ENDLESS,   // the output does not end
    SURVEY_SPLIT,     // right only if tangles join at the output's switches (D3, M2), although
                      // the input leaves no such choice
    SURVEY_COMPILED,  // by a target that only compiles
    SURVEY_OTHER,     // nothing was compared, or more choices exist than were tried
    SURVEY_KINDS
};
const char *survey_kind_name(enum survey_kind k);
const char *survey_kind_line(enum survey_kind k);

// One bug, by kind and signature.
struct survey_row {
    enum survey_kind kind;
    struct diag_signature signature;
    char text[400];                   // of the smallest case
    uint64_t n, first;                // number of programs; the first seed
    VEC(uint64_t) seeds;              // all seeds, if the output is valid: each may deserve a look
    uint64_t seed;                    // of the smallest case
    bool repeats;                     // the smallest case failed the same way again
    const struct report_known *known; // NULL: new
    size_t words;                     // size of the smallest module
};

struct survey_options {
    const char *target, *self, *out; // out: folder; NULL: none
    struct run_options run;
    struct gen_options gen; // subgroup 0: the target's
    uint64_t first, cases;
    const struct report_known *known;
    uint32_t known_count;
    bool split; // also test for SURVEY_SPLIT
};

struct survey {
    struct arena keep;
    struct spv_tools *tools;
    struct run_info info;
    struct gen_options gen; // after removing what the target does not offer
    char dropped[512];      // names of the removed features
    uint64_t made, asked, by_kind[SURVEY_KINDS];
    uint64_t unusable; // invalid or undefined programs: bugs in tanglefuzz
    uint64_t live;     // compared bits
    double seconds, driver_seconds;
    VEC(struct survey_row) rows; // most frequent first within a kind, new before known
    VEC(struct survey_skip {
        const char *why;
        uint64_t n;
    })
    skips;
    bool interrupted;
};

// Runs the survey. False with a message if the target cannot be opened or fails. After an interrupt
// the figures until then are valid.
bool survey_run(const struct survey_options *o, struct survey *out, struct err *e);
// Writes OUT/survey.json and OUT/cases/KIND-BUCKET.spvasm, the smallest case of each row.
bool survey_save(const struct survey_options *o, struct survey *s, struct err *e);
void survey_free(struct survey *s);

#endif
