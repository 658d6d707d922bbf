// SPDX-License-Identifier: Apache-2.0
//
// Output for readers and tools. Input: a verdict with its diagnosis, or the findings of a store
// (store.h). Output: a finding's folder, pictures, the HTML page, bundles for bug reports.
#ifndef TF_REPORT_H
#define TF_REPORT_H

#include "commands.h"
#include "formats.h"
#include "store/known.h"
#include "store/store.h"

// ---- words and tables ------------------------------------------------------------------

// Writes observed word `i` of a buffer, "12 (0xc)", or "no defined value" if a bit of `expected`,
// the mask of bits that must be defined, is not. Returns `out`.
enum { REPORT_WORD_TEXT = 32 };
const char *report_word_text(const struct spv_memory *o, size_t i, uint32_t expected,
                             char out[REPORT_WORD_TEXT]);

// Adds the wrong values of n buffers, expected and observed: of the log, the first `max_rows` wrong
// invocations, entry by entry; of each other buffer, the first `max_words` wrong words.
void report_table(const struct spv_case *c, const struct spv_memory *expected,
                  const struct spv_memory *observed, uint32_t n, uint32_t max_rows,
                  uint32_t max_words, struct text *out);

// ---- a picture of a run ------------------------------------------------------------

// One row: a tangle starts a block, or a group operation returns its result.
struct report_step {
    uint32_t workgroup, subgroup, depth;
    lane_mask active, live;
    lane_mask helper; // helper invocations of a fragment shader
    bool quads;       // lanes form quads
    const char *name; // "%body", "%vote Ballot"
    const char *rule; // by which the tangle is there: "D1", "M3" ...; "" for a plain branch
    bool joined;      // several parts of a tangle reconverged
    bool is_op;
    uint32_t id;      // the operation's result, or the block's label
    uint64_t *values; // is_op: [lane], valid where active
    lane_mask defined;
    bool is_float;     // the values are 32-bit floats
    lane_mask wrong;   // lanes to mark: another value was observed
    uint32_t line;     // of the source, if the module has it; 0: none
    const char *text;  // of that line; NULL or "" if the module does not have it
    const char *shown; // is_op: text to show instead of the values; NULL: none
    uint32_t folded;   // not a step, but this number of equal iterations, which are left out
    uint32_t left_out; // not a step, but this number of steps, which are left out (report_focus)
    bool focus;        // in the line that is asked about
};
struct report_picture {
    const char *title, *subtitle;
    uint32_t lanes;
    const struct report_step *steps;
    size_t count;
    bool by_source; // the left column has lines of the source instead of names, and there is a
                    // legend
};
// Adds a self-contained SVG, for a file or inside a page. Title and subtitle must not be NULL.
void report_picture_svg(const struct report_picture *p, struct text *out);
// Writes the SVG as a PNG file, atomically, by the program rsvg-convert. False with a message if
// that is not installed or fails.
bool report_picture_png(const struct text *svg, const char *path, struct err *e);
// Adds the steps as a table for a terminal: a row per step, a column per lane. `colour`: with
// escape sequences; equal sets of lanes have equal colours.
void report_picture_text(const struct report_picture *p, bool colour, struct text *out);

// ---- a finding ------------------------------------------------------------------

// The pass of a driver's compiler at fault (diagnose/passes.h), in lines that begin with two
// blanks: the pass, the level before it, what is wrong, the command that prints the code (for the
// case at `path`), levels that were skipped, and at most `most` of the lines that the pass changed.
struct passes;
void report_passes_text(const struct passes *b, const char *path, uint32_t most, struct text *out);
// The lines by which the code after a pass differs from that before it, at most `most` of them.
void report_change_text(const char *before, const char *after, uint32_t most, struct text *out);
// Returns a bug's headline, one line: "spirv-opt --loop-unswitch: a group operation sees wrong
// lanes (IAdd Reduce) under maximal reconvergence". `f`: a finding of the bucket with signature
// `s`. In `a`.
const char *report_title(struct arena *a, const struct finding *f, const struct diag_signature *s);
// Returns the outcome of campaigns, one line: "5 bugs; 47 more buckets were not reduced". Without
// failures: "no new bug", or "nothing was compared: this is not a pass". In `a`.
const char *report_headline(struct arena *a, const struct store_findings *v);
// True for a bucket that is a failure: it is not known, and it repeats. It counts as a bug of its
// own if it is reduced: several buckets that are not may be one bug.
bool report_fails(const struct store_bucket *b);

// Fills the sentences of a reason and of trials (NULL: none), with the names of ids in the case's
// text. In `a`.
void report_reason_words(struct arena *a, const struct spv_case *c, const struct diag_reason *r,
                         const struct diag_trials *trials, struct finding_sentences *out);
// Adds those of the reason as paragraphs, each after an empty line; empty ones add nothing.
void report_reason_text(const struct finding_sentences *r, struct text *out);

// The machine code (isa: targets) that computed and stored the first wrong word.
struct report_code {
    const char *text; // of the driver; NULL: unknown, nothing is shown
    struct finding_code at;
};
// `driver_text`: the driver's code for the case; NULL: unknown. It is kept, not copied.
struct report_code report_code_of(const struct finding *f, const char *driver_text);
// Fills f->code.expected by running the oracle on the finding's case; 0 if the invocation of the
// first wrong word does not execute the operation exactly once, or the dispatch is not 1-D.
void report_code_expect(struct arena *a, const struct spv_case *c, struct finding *f);
// Adds a sentence and the lines near those of c->at, marked. Adds nothing if c->text is NULL.
void report_code_text(const struct report_code *c, struct text *out);
// Adds all lines, with the same marks. c->text must not be NULL.
void report_code_lines(const struct report_code *c, struct text *out);

// Writes DIR/NAME/ atomically (a temporary folder, renamed): README.md, finding.json, case.spvasm
// (with `; expect`), case.spv; as far as known expected.mem, observed.mem, lanes.txt
// (report_table), output.spv, driver.txt, stderr.txt, backtrace.txt. `f`: finding_make of the
// evidence. If another finding has that name: NAME-DIGEST. *written is the folder's name, in `a`;
// NULL, with result true, if the folder of this finding (finding_digest) exists. False with a
// message in `e`.
bool report_finding_write(struct spv_tools *t, struct arena *a, const char *dir, const char *name,
                          const struct finding_evidence *v, const struct finding *f,
                          const char **written, struct err *e);

// ---- a bucket -----------------------------------------------------------------------

// A bucket with the contents of its best finding's folder. All of it is in the arena that it was
// loaded with. report_view (view_proof.h) adds the results of the oracle.
struct report_view {
    const struct store_bucket *bucket;
    const struct finding *f; // store_shown of its best finding
    const char *folder;      // of `f`
    bool has_case;           // c, text and pseudo are valid
    struct spv_case c;
    const char *text, *pseudo;                    // case.spvasm; report_pseudo
    const struct spv_memory *expected, *observed; // NULL if the folder has none
    struct judge_verdict verdict;                 // of the two, if both exist
    const uint32_t *output;                       // the compiler's module; NULL: none
    size_t output_count;
    struct finding_sentences reason;
    struct report_code code;
    const char *printed, *backtrace; // as in struct finding_evidence
    // Filled by report_view; NULL if unknown:
    const char *expected_svg, *observed_svg; // of the subgroup of the first wrong place
    const char *expected_steps;              // the same as a table for a terminal
    const char *glsl, *glsl_output;          // the case and the compiler's module in GLSL
    struct report_proof {
        bool asked, valid, defined, machines_agree;
        const char *words; // one line per check
    } proof;
    // Filled by a run for this report (campaign/cross_check.h), else NULL but for target_output:
    const char *version;       // the target's device and driver
    const char *device;        // the target's device
    const char *target_output; // its own text about the case; else the folder's driver.txt or NULL
    const struct finding_cross_check *cross_check; // other targets
    uint32_t cross_checks;
};
// Reads the folder of b->best below `dir`. Files that cannot be read are left out; without a
// readable case.spvasm, all of them are.
void report_view_load(struct spv_tools *t, struct arena *a, const char *dir,
                      const struct store_bucket *b, struct report_view *out);
// Adds a valid module as nested pseudo-code: constructs as blocks, values by name, values with one
// use inline. It is for reading only; an unknown instruction is printed as it is. Scratch in `a`.
void report_pseudo(struct arena *a, const struct spv_module *m, struct text *out);
// Returns what a fragment case draws, and by which vertex shader, as comments of GLSL; "" for other
// stages. In `a`.
const char *report_drawn(struct arena *a, const struct spv_case *c);
// Loads a bucket's view for the page, into `a`, which holds one view at a time.
struct report_views {
    void *user;
    void (*load)(void *user, struct arena *a, const struct store_bucket *b,
                 struct report_view *out);
};
// Adds a self-contained page: an overview, then a section for each of the first `n` buckets (at
// most v->buckets) in order of review, until the sections exceed REPORT_PAGE_BYTES; further buckets
// are only rows of the table. `title` names the campaign.
enum {
    REPORT_PAGE_FULL = 200, // the `n` that callers pass, if there are so many buckets
    REPORT_PAGE_BYTES = 5 << 20
};
void report_html(const char *title, const char *version, const struct store_findings *v, uint32_t n,
                 const struct report_views *views, struct text *out);

// Adds a bug on one screen of a terminal, about 40 lines of 100 columns: the title, why it is
// wrong, the shader or what a compiler changed in it, expected and observed values, the command.
// `colour`: with escape sequences.
void report_screen(const struct report_view *w, bool colour, struct text *out);

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
    ROW("cts", "")                                                                                 \
    ROW("c", "")
#define REPORT_FORM_LISTED(name, subjects) ", " name
#define REPORT_FORM_NAMES                  "generic" REPORT_FORMS(REPORT_FORM_LISTED)
// Returns the form for the first of the target's stages whose driver or compiler has one; "generic"
// if none has.
const char *report_form_guess(const char *target);
// Writes folder `to` atomically, in one of REPORT_FORM_NAMES: README.md, the form's tests, the case
// as assembly, binary, pseudo-code, GLSL, HLSL and Amber script where possible, inputs, expected
// and observed memory, lane table, pictures, proofs, the compiler's module. The files contain no
// path of this machine. `runner` runs the README's commands, which says how each ended (NULL: none
// is run); *count: how many. False with a message: no case, interrupted, or `to` exists or cannot
// be written.
bool report_bundle(struct spv_tools *tools, const struct report_view *w, const char *form,
                   const char *to, const struct command_runner *runner, struct command_count *count,
                   struct err *e);

#endif
