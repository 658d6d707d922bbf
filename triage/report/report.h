// SPDX-License-Identifier: Apache-2.0
//
// report: a verdict and its blame -> what people and tools read: a finding's folder, a picture, a
// page, a bundle to be filed. store.h: many findings.
#ifndef TF_REPORT_H
#define TF_REPORT_H

#include "formats.h"
#include "store/known.h"
#include "store/store.h"

// ---- words and tables ------------------------------------------------------------------

// A word that was observed, for people; `expected`: the bits of it that must be defined.
enum { REPORT_WORD_TEXT = 32 };
const char *report_word_text(const struct spv_memory *o, size_t i, uint32_t expected,
                             char out[REPORT_WORD_TEXT]);

// Expected against observed, for people: the log's wrong rows entry by entry, the
// first `max_rows` of them; for differences elsewhere the first `max_words` words.
void report_table(const struct spv_case *c, const struct spv_memory *expected,
                  const struct spv_memory *observed, uint32_t n, uint32_t max_rows,
                  uint32_t max_words, struct text *out);

// ---- a picture of a run ------------------------------------------------------------

// One row: a tangle starts a block, or a group operation gives its result.
struct report_step {
    uint32_t workgroup, subgroup, depth;
    lane_mask active, live;
    lane_mask helper; // of a fragment shader: helper invocations
    bool quads;       // of a fragment shader
    const char *name; // "%body", "%vote Ballot"
    const char *rule; // why the tangle is there: "D1", "M3" ...; "" for a plain branch
    bool joined;      // several parts came together
    bool is_op;
    uint32_t id;      // the operation's result, or the block's label
    uint64_t *values; // is_op: [lane], valid where active
    lane_mask defined;
    bool is_float;    // the values are floats of 32 bits
    lane_mask wrong;  // lanes to be marked: something else was observed of them
    uint32_t line;    // of the source, where the module says it; 0: none
    const char *text; // of that line; NULL or "" where the module does not hold it
    const char *said; // is_op: what stands in the place of values; NULL: they do
    uint32_t folded;  // no step: so many iterations by the same lanes are left out here
};
struct report_picture {
    const char *title, *subtitle;
    uint32_t lanes;
    const struct report_step *steps;
    size_t count;
};
// An SVG that stands alone or inside of a page; it shows the same where CSS variables are not
// known.
void report_picture_svg(const struct report_picture *p, struct text *out);
// The SVG as a PNG file, whole or not at all, by the program rsvg-convert. False with a line where
// that is not installed.
bool report_picture_png(const struct text *svg, const char *path, struct err *e);
void report_picture_text(const struct report_picture *p, bool colour, struct text *out);

// ---- a finding ------------------------------------------------------------------

// The sentences of a reason, with the names that the case's text gives to its ids. In `a`.
void report_reason_words(struct arena *a, const struct spv_case *c, const struct diag_reason *r,
                         struct finding_sentences *out);
// As paragraphs, with an empty line before each; nothing where there is nothing to say.
void report_reason_text(const struct finding_sentences *r, struct text *out);

// Where machine code that was run here (isa: targets) gave the first wrong word its value.
struct report_code {
    const char *text; // of the driver; NULL: nothing to say
    struct finding_code at;
};
// `driver_text`: what the driver made of the case; NULL: not known.
struct report_code report_code_of(const struct finding *f, const char *driver_text);
// Fills the lanes that are expected there, by a run of the oracle on the finding's case.
void report_code_expect(struct arena *a, const struct spv_case *c, struct finding *f);
// The lines around it, marked, with a sentence before them; nothing where there is nothing to say.
void report_code_text(const struct report_code *c, struct text *out);
// All lines, those marked.
void report_code_lines(const struct report_code *c, struct text *out);

// Writes DIR/NAME/ whole or not at all (a temporary folder, renamed): README.md,
// finding.json, case.spvasm (with its `; expect`), case.spv, expected.mem,
// observed.mem, lanes.txt (expected against observed, lane by lane). Where another
// finding has that name, NAME-DIGEST. *written is the folder's name, in `a`;
// NULL when the finding (finding_digest) is there already. `f`: finding_make of the evidence.
bool report_finding_write(struct spv_tools *t, struct arena *a, const char *dir, const char *name,
                          const struct finding_evidence *v, const struct finding *f,
                          const char **written, struct err *e);

// ---- what is shown of a bucket -------------------------------------------------------

// A bucket with its best finding's folder read. What only the oracle can say is filled by the
// caller. Everything in the arena it was loaded with.
struct report_view {
    const struct store_bucket *bucket;
    const struct finding
        *f;             // what is shown of its best finding: the reduced one where there is one
    const char *folder; // that was read: the reduced case's where there is one
    bool has_case;      // c, text and pseudo hold
    struct spv_case c;
    const char *text, *pseudo;                    // case.spvasm; report_pseudo
    const struct spv_memory *expected, *observed; // NULL where the folder has none
    struct judge_verdict verdict;                 // of the two, when both are there
    const uint32_t *output;                       // what a compiler made of it; NULL for none
    size_t output_count;
    struct finding_sentences reason;
    struct report_code code;
    const char *said, *backtrace; // as in struct finding_evidence
    // Filled by the caller, NULL where it cannot be said:
    const char *expected_svg, *observed_svg; // pictures of the subgroup of the first wrong place
    const char *expected_steps;              // the same as a table for a terminal
    struct report_proof {
        bool asked, valid, defined, machines_agree;
        const char *words; // a line each
    } proof;
    // As it is now, where the caller has asked (campaign/witness.h):
    const char *version;      // the target's device and driver
    const char *subject_text; // its own words about the case; else those in the folder
    const struct finding_witness *witnesses; // other targets
    uint32_t witness_count;
};
// Reads what bucket->best's folder below `dir` holds; what cannot be read is left out.
void report_view_load(struct spv_tools *t, struct arena *a, const char *dir,
                      const struct store_bucket *b, struct report_view *out);
// A valid module as nested pseudo-code: constructs as blocks, values by name, single uses inline.
// For reading, not for judging; what it does not know is printed as an instruction.
void report_pseudo(struct arena *a, const struct spv_module *m, struct text *out);
// How the page gets a bucket's view: into `a`, which holds one at a time.
struct report_views {
    void *user;
    void (*load)(void *user, struct arena *a, const struct store_bucket *b,
                 struct report_view *out);
};
// One self-contained page: overview, then a section for each of the first `n` buckets in order of
// review; the other buckets are rows of the table alone. `title` names the campaign.
enum { REPORT_PAGE_FULL = 200, REPORT_PAGE_BYTES = 5 << 20 }; // sections: at most so many, so long
void report_html(const char *title, const char *version, const struct store_findings *v, uint32_t n,
                 const struct report_views *views, struct text *out);

// ---- bundles -------------------------------------------------------------------------

// Forms of a bundle: name (--form NAME, templates/readme/NAME.md) and the drivers and compilers
// whose bugs are reported in it. A target takes the first that fits; none: generic.
#define REPORT_FORMS(ROW)                                                                          \
    ROW("mesa", "lavapipe mesa radv nvk turnip honeykrisp")                                        \
    ROW("spirv-tools", "spirv-opt")                                                                \
    ROW("naga", "naga")                                                                            \
    ROW("tint", "tint dawn")                                                                       \
    ROW("spirv-cross", "roundtrip spirv-cross")                                                    \
    ROW("llvm", "llvm clang")                                                                      \
    ROW("offload-test", "")                                                                        \
    ROW("glslang", "glslang")                                                                      \
    ROW("amber", "")                                                                               \
    ROW("cts", "")
#define REPORT_FORM_LISTED(name, subjects) ", " name
#define REPORT_FORM_NAMES                  "generic" REPORT_FORMS(REPORT_FORM_LISTED)
// Returns the form for the first of the target's drivers and compilers that has one.
const char *report_form_guess(const char *target);
// Writes folder `to`, which must not be there, whole or not at all: README.md, the case as
// assembly, binary, pseudo-code and Amber script, inputs, expected and observed memory,
// lane table, pictures, proofs, what the compiler made of it. Holds no path of the machine.
bool report_bundle(struct spv_tools *tools, const struct report_view *w, const char *form,
                   const char *to, struct err *e);

#endif
