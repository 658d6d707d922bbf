// SPDX-License-Identifier: Apache-2.0
//
// A finding: a typed record, from the verdict to the page. Text for readers is generated from it
// where it is shown, and is never parsed. A reduced finding is a separate finding with its own
// target, class, rule and commands; it only keeps the name of the finding that it was reduced from.
#ifndef TF_STORE_FINDING_H
#define TF_STORE_FINDING_H

#include "diagnose/diagnose.h"
#include "diagnose/experiment.h"
#include "diagnose/reason.h"

enum {
    FINDING_SCHEMA = 2, // of finding.json
    FINDING_DIGEST = 17,
};

// The result of another target of the same campaign for the same input.
struct finding_cross_check {
    const char *target, *driver;
    enum judge_class klass;
};

// What a later run showed on one version (`tanglefuzz recheck`).
struct finding_version {
    const char *target, *driver; // without the machine's folders
    enum judge_class klass;      // JUDGE_AGREES: it is right there
    int64_t at;                  // seconds since 1970, UTC
};

// The instruction of machine code, run here (isa: targets), that produced the first wrong word.
struct finding_code {
    uint32_t line, store; // of driver.txt, from 1, as in struct run_origin; store 0: not known
    lane_mask lanes;      // active at `line`
    lane_mask expected;   // execute the operation together, by the oracle; 0: not known
    uint32_t unset;       // first line that reads a flag before it is set, if memory depends on it
};

// Texts are "" if not known.
struct finding {
    const char *name;   // of its folder
    const char *folder; // below the campaign's folder: "findings/NAME", ".../reduced/NAME"
    const char *digest; // of case, class, target and device; "": not read from a folder
    struct judge_verdict verdict;
    bool flaky; // it repeated too rarely: its class is JUDGE_FLAKY
    enum spv_model model;
    uint32_t subgroup;
    uint32_t words;              // of the module
    const char *target;          // without the machine's folders
    const char *device, *driver; // driver: run_info.driver
    const char *host;            // the machine that ran it; a bundle leaves it out
    const struct diag_signature *signature;
    struct diag_reason reason;  // it survived experiments; why DIAG_WHY_UNKNOWN: none did
    struct diag_trials trials;  // of a reduced crash or rejection
    enum diag_stage stage;      // the first wrong stage of a driver
    enum judge_promise promise; // the weakest model that promises the value that is wrong
    struct finding_code code;
    const struct finding_cross_check *cross_check; // results of the other targets
    uint32_t cross_checks;
    const struct finding_version *version; // of `recheck`, in the order in which they were run
    uint32_t versions;
    int64_t found_at;           // seconds since 1970, UTC; 0: not known
    uint32_t reproduced, tries; // re-runs after the first; tries 0: interrupted before
    const char *replay;         // the command that shows it again, to run inside the folder
    const char *generated;      // the command that generates the case again
    const char *of;             // reduced: the name of the original finding
};
// Returns the class that it counts as.
enum judge_class finding_class(const struct finding *f);
// Returns the broken rule, which is the reason's; DIAG_NO_RULE without a reason.
enum diag_rule finding_rule(const struct finding *f);
// For "expected by the oracle and 4 of 5 other targets": counts the other targets that were judged,
// and those of them that agreed.
void finding_agreement(const struct finding *f, uint32_t *agreed, uint32_t *judged);

// ---- from what was observed ----------------------------------------------------------

// All that is known when a finding is created. Pointers may be NULL.
struct finding_evidence {
    const struct spv_case *c; // subgroup size and policy as it was judged
    const struct spv_memory *expected;
    const struct spv_memory *observed; // NULL after a crash or hang
    uint32_t memory_count;
    const struct judge_verdict *verdict;
    bool flaky;
    const char *target; // spec
    const char *device; // of the device that answered: device, driver, versions, one per line; only
                        // for readers
    const char *driver; // run_info.driver
    const char *host;   // of this machine
    const char *replay, *generated;
    int64_t found_at;
    uint32_t reproduced, tries;
    const char *target_output;   // the target's own message
    const char *printed;         // all that the target printed: stderr.txt
    const char *backtrace;       // of a crash, as a debugger prints it: backtrace.txt
    const char *culprit;         // the compiler pass at fault
    const struct passes *passes; // how a driver's dump showed it (diagnose/passes.h)
    const char *of;              // as in struct finding; with it `output` is used
    bool probed;                 // the next two fields are valid
    enum diag_what what;
    struct diag_pattern pattern;
    const struct diag_alone *alone; // the operation that fails by itself
    const uint32_t *output;         // the module that a compiler produced: output.spv
    size_t output_count;
    const char *driver_text;         // the driver's intermediate or machine code: driver.txt
    const struct run_origin *origin; // of the first wrong word, in driver_text
    uint32_t unset_line;             // as in struct run_result, of driver_text; 0: none
    enum diag_stage stage;
    const struct diag_reason *reason; // tested by experiments: diag_reason_tested; NULL: none
    const struct diag_trials *trials; // NULL: nothing was tried
    const struct finding_cross_check *cross_check;
    uint32_t cross_checks;
};
// Reports whether what a target printed before it died identifies the crash: frames, or the line of
// a fatal error. NULL: it printed nothing.
bool finding_crash_named(const char *printed);
// Computes only the signature: cheap. For a flaky finding, that of its first verdict.
void finding_signature(const struct finding_evidence *v, struct diag_signature *out);
// Fills the record, without name, folder and digest. Texts are in `a`, or belong to the evidence.
void finding_make(struct arena *a, const struct finding_evidence *v, struct finding *out);
// Finds why a mismatch is wrong, and tests the reason on the target. `output`: the module that a
// compiler produced, or NULL.
void finding_reason(struct arena *a, const struct spv_case *c, const struct spv_memory *expected,
                    const struct spv_memory *observed, const uint32_t *output, size_t output_count,
                    const struct diag_signature *s, const struct experiment_target *t,
                    struct diag_reason *out);

// ---- as JSON (finding_json.c) ---------------------------------------------------------

// Why it is wrong, as sentences: what happened; the broken rule; the mistake that explains it; one
// of the control programs on which it was tested; for a crash or rejection, what else was tried.
// "": not known. They require the case, so report/ generates them.
struct finding_sentences {
    const char *what, *says, *near, *control, *tried;
};
// Returns the record as one JSON object without a newline (docs/tanglefuzz.1): the typed facts, and
// texts for readers, including those of `s` (which may be NULL). The keys of empty texts such as
// `name` and `folder` are left out.
const char *finding_json(struct arena *a, const struct finding *f,
                         const struct finding_sentences *s);
// The same without texts for readers and without the signature, for a database.
const char *finding_record_json(struct arena *a, const struct finding *f);
// Parses the record in either form. `signature`: the signature if it is known already (NULL: it is
// parsed). False with a message: not a JSON object, another schema, an unknown class or another
// unknown name.
bool finding_parse(struct arena *a, const char *json, size_t size,
                   const struct diag_signature *signature, struct finding *out, struct err *e);
// Only the facts of a signature. Parsing computes its text, name and bug class again.
const char *finding_facts_json(struct arena *a, const struct diag_signature *s);
bool finding_facts_parse(const char *json, struct diag_signature *out, struct err *e);

// ---- folders (finding_folder.c) ---------------------------------------------------------

// Computes a finding's identity: its case (the text of case.spvasm), class, target and device.
const char *finding_digest(const char *text, size_t size, const char *klass, const char *target,
                           const char *device, char out[FINDING_DIGEST]);
enum finding_read {
    FINDING_READ,
    FINDING_NONE,   // not a finding's folder
    FINDING_LEFT,   // its record is not understood: the message says why
    FINDING_FAILED, // cannot be read: the message says why
};
// Reads the finding in DIR/FOLDER.
enum finding_read finding_read(struct arena *a, const char *dir, const char *folder,
                               struct finding *out, struct err *e);
// Reads its smallest reduction, below DIR/FOLDER/reduced; FINDING_NONE if it has none.
enum finding_read finding_read_reduced(struct arena *a, const char *dir, const char *folder,
                                       struct finding *out, struct err *e);

// ---- versions (finding_versions.c) ----

// Adds to the record in the folder at `path` what a run on a version showed; a later run on the
// same version replaces it. False with a message: no record there, or it cannot be written.
bool finding_version_add(struct arena *a, const char *path, const struct finding_version *v,
                         struct err *e);
// Returns where it is wrong and where it is not, "wrong in 25.0.7, fixed in 26.2.6"; "" if no other
// run was remembered. In `a`.
const char *finding_versions_words(struct arena *a, const struct finding *f);

#endif
