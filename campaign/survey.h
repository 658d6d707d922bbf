// SPDX-License-Identifier: Apache-2.0
//
// A survey: what share of random programs a compiler gets right, and in which ways it is wrong
// about the others. Where fuzz keeps each finding, a survey asks once and counts: for compilers
// that are wrong about every third program.
#ifndef TF_CAMPAIGN_SURVEY_H
#define TF_CAMPAIGN_SURVEY_H

#include "campaign.h"

// The ways, in the order in which they are looked for.
enum survey_kind {
    SURVEY_AGREES,
    SURVEY_REFUSED,   // the compiler's own verifier, or a message
    SURVEY_CRASH,     // or a fatal error
    SURVEY_HANG,      // of the compiler
    SURVEY_REPAIRED,  // invalid, and right once the merge repair has been at it
    SURVEY_INVALID,   // invalid, else
    SURVEY_WRONG,     // another answer, also where all choices of D3 and M2 are to join
    SURVEY_UNDEFINED, // the output has no meaning
    SURVEY_ENDLESS,   // the output does not end
    SURVEY_SPLIT,     // right where tangles join at the output's switches (D3, M2), else wrong,
                      // though nothing is left to choose in the input
    SURVEY_COMPILED,  // by a target that only compiles
    SURVEY_OTHER,     // nothing was compared, or more choices than were tried
    SURVEY_KINDS
};
const char *survey_kind_name(enum survey_kind k);
const char *survey_kind_line(enum survey_kind k);

// One bug, as far as a static look tells: what shares kind and signature.
struct survey_row {
    enum survey_kind kind;
    struct diag_signature signature;
    char text[400];      // of the smallest
    uint64_t n, first;   // programs, and the first seed
    VEC(uint64_t) seeds; // of all of them where the output is valid: each of these is worth a look
    uint64_t seed;       // of the smallest
    bool repeats;        // asked again it was wrong in the same way
    const struct report_known *known; // NULL: new
    size_t words;                     // and its module's words
};

struct survey_options {
    const char *target, *self, *out; // out: folder, NULL for none
    struct run_options run;
    struct gen_options gen; // subgroup 0: the target's
    uint64_t first, cases;
    const struct report_known *known;
    uint32_t known_count;
    bool split; // look for SURVEY_SPLIT as well
};

struct survey {
    struct arena keep;
    struct spv_tools *tools;
    struct run_info info;
    struct gen_options gen; // what is really made
    char dropped[512];      // features that are not generated for the target
    uint64_t made, asked, by_kind[SURVEY_KINDS];
    uint64_t unusable; // of our own making: no meaning
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

// Runs it; false with one line when the target cannot be opened or fails. What was counted
// until an interrupt holds.
bool survey_run(const struct survey_options *o, struct survey *out, struct err *e);
// Writes OUT/survey.json and OUT/cases/KIND-BUCKET.spvasm, the smallest case of each row.
bool survey_save(const struct survey_options *o, struct survey *s, struct err *e);
void survey_free(struct survey *s);

#endif
