// SPDX-License-Identifier: Apache-2.0
//
// A finding: one typed record, from the verdict to the page. Text for people is made of it where it
// is shown, and is never read back. A reduced finding is a finding of its own: it has its own
// target, class, rule and commands; of the one that it was reduced from it keeps the name alone.
#ifndef TF_STORE_FINDING_H
#define TF_STORE_FINDING_H

#include "diagnose/diagnose.h"
#include "diagnose/reason.h"

enum {
    FINDING_SCHEMA = 2, // of finding.json
    FINDING_DIGEST = 17,
};

// What another target of the same campaign made of the same input.
struct finding_witness {
    const char *target, *driver;
    enum judge_class klass;
};

// Where machine code that was run here (isa: targets) gave the first wrong word its value.
struct finding_code {
    uint32_t line, store; // of driver.txt, from 1, as in struct run_origin; store 0: not known
    lane_mask lanes;      // that were on at `line`
    lane_mask expected;   // that execute the operation together, by the oracle; 0: not told
};

// Texts are "" where not known.
struct finding {
    const char *name;   // of its folder
    const char *folder; // below the campaign's folder: "findings/NAME", ".../reduced/NAME"
    const char *digest; // of case, class, target and device; "": not read from a folder
    struct judge_verdict verdict;
    bool flaky; // it repeated less often than it must: its class is JUDGE_FLAKY
    enum spv_model model;
    uint32_t subgroup;
    uint32_t words;              // of the module
    const char *target;          // without folders of the machine
    const char *device, *driver; // driver: run_info.driver
    const struct diag_signature *signature;
    struct diag_reason reason;  // why DIAG_WHY_UNKNOWN: none
    enum diag_stage stage;      // the first that is wrong
    enum judge_promise promise; // the weakest model that promises what is wrong
    struct finding_code code;
    const struct finding_witness *witness; // the other targets that were asked
    uint32_t witnesses;
    int64_t found_at;           // seconds since 1970, UTC; 0: not told
    uint32_t reproduced, tries; // re-runs after the first; tries 0: interrupted before
    const char *replay;         // the command that shows it again, run inside the folder
    const char *generated;      // the command that makes the case again
    const char *of;             // reduced: the name of the finding that it was reduced from
};
// The class that it counts as.
enum judge_class finding_class(const struct finding *f);
// The rule that says otherwise: the reason's, else the one that decides at the first wrong place.
enum diag_rule finding_rule(const struct finding *f);
// "expected by the oracle and 4 of 5 other targets": how many of the witnesses were judged, and how
// many of those agreed.
void finding_agreement(const struct finding *f, uint32_t *agreed, uint32_t *judged);

// ---- from what was observed ----------------------------------------------------------

// All that is known when a finding is made. Pointers are NULL where there is nothing.
struct finding_evidence {
    const struct spv_case *c; // subgroup size and policy as it was judged
    const struct spv_memory *expected;
    const struct spv_memory *observed; // NULL after a crash or hang
    uint32_t memory_count;
    const struct judge_verdict *verdict;
    bool flaky;
    const char *target; // spec
    const char *device; // who answered: device, driver, versions, one a line; for people alone
    const char *driver; // run_info.driver
    const char *replay, *generated;
    int64_t found_at;
    uint32_t reproduced, tries;
    const char *subject_text; // the subject's own message
    const char *said;         // all that the subject printed: stderr.txt
    const char *backtrace;    // of a crash, as a debugger prints it: backtrace.txt
    const char *culprit;      // the compiler pass at fault
    const char *of;           // as in struct finding; then `output` counts
    bool probed;              // `what` and `manner` hold
    enum diag_what what;
    struct diag_manner manner;
    const struct diag_alone *alone; // what is wrong by itself
    const uint32_t *output;         // the module that a compiler made of it: output.spv
    size_t output_count;
    const char *driver_text;         // what a driver made of it, in its own words: driver.txt
    const struct run_origin *origin; // of the first wrong word, in driver_text
    enum diag_stage stage;
    const struct finding_witness *witness;
    uint32_t witnesses;
};
// The signature alone: cheap. Of a flaky one that of its first verdict.
void finding_signature(const struct finding_evidence *v, struct diag_signature *out);
// The record, without name, folder and digest. Everything in `a`, or the evidence's.
void finding_make(struct arena *a, const struct finding_evidence *v, struct finding *out);
// Why a mismatch is wrong. `output`: the module that a compiler made of the case, or NULL.
void finding_reason(struct arena *a, const struct spv_case *c, const struct spv_memory *expected,
                    const struct spv_memory *observed, const uint32_t *output, size_t output_count,
                    const struct diag_signature *s, struct diag_reason *out);

// ---- as JSON (finding_json.c) ---------------------------------------------------------

// Why it is wrong, as sentences: what happened, which rule says otherwise, the near miss. "": not
// known. They need the case, so report/ makes them.
struct finding_sentences {
    const char *what, *says, *near;
};
// The record as one JSON object without a newline (docs/tanglefuzz.1). Beside the typed facts it
// holds texts for readers, those of `s` (which may be NULL) too. Keys of `name` and `folder` are
// left out where these are "".
const char *finding_json(struct arena *a, const struct finding *f,
                         const struct finding_sentences *s);
// The same without texts for readers and without the signature, for a database.
const char *finding_record_json(struct arena *a, const struct finding *f);
// The record of a JSON text of either; `signature`: its signature, where that is known already
// (NULL: it is read). False with a message: no JSON object, another schema, a class or another name
// that is not known.
bool finding_parse(struct arena *a, const char *json, size_t size,
                   const struct diag_signature *signature, struct finding *out, struct err *e);
// The facts of a signature alone; its text, name and bug class are made of them again.
const char *finding_facts_json(struct arena *a, const struct diag_signature *s);
bool finding_facts_parse(const char *json, struct diag_signature *out, struct err *e);

// ---- folders (finding_folder.c) ---------------------------------------------------------

// A finding's identity: its case (the text of case.spvasm), class, target and device.
const char *finding_digest(const char *text, size_t size, const char *klass, const char *target,
                           const char *device, char out[FINDING_DIGEST]);
enum finding_read {
    FINDING_READ,
    FINDING_NONE,   // no finding's folder
    FINDING_LEFT,   // its record is not understood: the message says why
    FINDING_FAILED, // cannot be read: the message says why
};
// The finding in DIR/FOLDER.
enum finding_read finding_read(struct arena *a, const char *dir, const char *folder,
                               struct finding *out, struct err *e);
// Its smallest reduction, below DIR/FOLDER/reduced; FINDING_NONE: none.
enum finding_read finding_read_reduced(struct arena *a, const char *dir, const char *folder,
                                       struct finding *out, struct err *e);

#endif
