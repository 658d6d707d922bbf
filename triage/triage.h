// SPDX-License-Identifier: Apache-2.0
//
// triage: expected x observed -> verdict -> a finding's folder.
#ifndef TF_TRIAGE_H
#define TF_TRIAGE_H

#include "base/base.h"
#include "spirv/spirv.h"

// What a case on a target came to.
enum tri_class {
    TRI_AGREES,
    // Mismatches, by what the first wrong place in the log shows:
    TRI_WRONG_VALUE,       // same sites, another value
    TRI_MISSING_LANES,     // a ballot lacks lanes that must be there
    TRI_EXTRA_LANES,       // a ballot has lanes that must not be there
    TRI_WRONG_SET,         // both
    TRI_MISSING_EXECUTION, // an invocation did not reach a site that it must reach
    TRI_EXTRA_EXECUTION,   // it reached one that it must not reach
    TRI_WRONG_MEMORY,      // a difference outside the log's entries (or no log is declared)
    TRI_WRONG_MAPPING,     // the lane mapping read back is impossible
    // The subject's other ways to be wrong:
    TRI_CRASH,
    TRI_HANG,
    TRI_DEVICE_LOST,
    TRI_MEMORY, // took more memory than it may
    TRI_REJECTED,
    TRI_INVALID_OUTPUT,   // a compiler's module does not pass spirv-val
    TRI_UNDEFINED_OUTPUT, // it has undefined behaviour where the input has none
    // Neither agreement nor finding:
    TRI_COMPILED,         // a target that only compiles took it
    TRI_NOTHING_COMPARED, // no live bit: the case proves nothing
    TRI_AMBIGUOUS,        // the rules leave a choice, and no choice that was tried explains it
    TRI_FLAKY,            // did not repeat
    TRI_SKIPPED,          // the subject does not offer what the case needs
    TRI_UNDEFINED,        // nothing may be expected of the case
    TRI_FAILED,           // the environment
    TRI_CLASSES
};
const char *tri_class_name(enum tri_class c); // "missing-lanes"
const char *tri_class_line(enum tri_class c); // one sentence without a full stop
bool tri_class_is_finding(enum tri_class c);
// What the log or the buffers showed, as opposed to a crash or a rejection.
bool tri_class_is_mismatch(enum tri_class c);

// Where a case first differs.
struct tri_verdict {
    enum tri_class klass;
    // Bits compared that the shader has to have written: those of the log's entries and
    // counts, and those of words elsewhere that differ from the buffer's first contents.
    uint64_t live_bits;
    uint64_t wrong_bits;        // of all bits under the masks, live or not
    uint32_t wrong_invocations; // rows of the log with a difference
    bool has_place;
    uint32_t set, binding, word; // of the first difference
    bool has_site;               // it lies in the log, and names a site:
    uint32_t invocation;         // linear global index
    uint32_t entry;              // which entry of its row, from 0
    uint32_t site;               // as the entry (expected, else observed) names it
    uint32_t value;              // which value of the entry, from 0
    uint32_t expected, observed; // the words there
    bool undefined;              // what was observed there has no value that is defined
    char text[400];              // one line for a person
};

// ---- the log --------------------------------------------------------------------

// The log buffer holds one row of `stride` words an invocation (linear global
// index). Word 0 of a row counts the words in use after it; they are entries: a
// header and n values. Header, from the lowest bit: n (8 bits), site (16), and for
// the first 8 values a bit each that says "a word of a ballot", a set of lanes. A
// shader that runs out of room writes over its last words; never beyond its row.
struct tri_entry {
    uint32_t site, n;
    uint32_t ballots; // bit i: value i is a word of a ballot
    uint32_t at;      // word offset in the row of the first value
};

// Walks one row: `at` starts at 0.
struct tri_cursor {
    const uint32_t *row;
    uint32_t stride, at;
};
// The next entry; false at the end, or where one does not fit.
bool tri_log_next(struct tri_cursor *c, struct tri_entry *out);
// Entries of a row, at most `max`; stops at the first that does not fit.
uint32_t tri_log_row(const uint32_t *row, uint32_t stride, struct tri_entry *out, uint32_t max);

// Index of a buffer in the case's list, UINT32_MAX when it is not there.
uint32_t tri_buffer_index(const struct spv_case *c, uint32_t set, uint32_t binding);

// Compares all buffers under their masks (expected[i], observed[i]: buffer i of
// the case, as many words each). The lanes buffer is not compared here: it is what
// the prediction was made for. Of the differences in the log the first is the one
// with the smallest entry index, then the smallest invocation; a difference in the
// log comes before one elsewhere. The class is a mismatch, TRI_AGREES or
// TRI_NOTHING_COMPARED.
void tri_compare(const struct spv_case *c, const struct spv_memory *expected,
                 const struct spv_memory *observed, uint32_t n, struct tri_verdict *out);

// The bits of word i that are wrong: those that are expected, and are observed otherwise or, in
// what a compiler made, with no value that is defined.
uint32_t tri_wrong_bits(const struct spv_memory *expected, const struct spv_memory *observed,
                        size_t i);

// A word that was observed, for people; `expected`: the bits of it that must be defined.
enum { TRI_WORD_TEXT = 32 };
const char *tri_word_text(const struct spv_memory *o, size_t i, uint32_t expected,
                          char out[TRI_WORD_TEXT]);

// Expected against observed, for people: the log's wrong rows entry by entry, the
// first `max_rows` of them; for differences elsewhere the first `max_words` words.
void tri_table(const struct spv_case *c, const struct spv_memory *expected,
               const struct spv_memory *observed, uint32_t n, uint32_t max_rows, uint32_t max_words,
               struct text *out);

// ---- a picture of a run ------------------------------------------------------------

// One row: a tangle starts a block, or a group operation gives its result.
struct tri_step {
    uint32_t workgroup, subgroup, depth;
    lane_mask active, live;
    const char *name; // "%body", "%vote Ballot"
    const char *rule; // why the tangle is there: "D1", "M3" ...; "" for a plain branch
    bool joined;      // several parts came together
    bool is_op;
    uint64_t *values; // is_op: [lane], valid where active
    lane_mask defined;
};
struct tri_picture {
    const char *title, *subtitle;
    uint32_t lanes;
    const struct tri_step *steps;
    size_t count;
};
void tri_picture_svg(const struct tri_picture *p, struct text *out);
void tri_picture_text(const struct tri_picture *p, bool colour, struct text *out);

// "{0-3,7}" of one word of a ballot.
void tri_lane_set(uint32_t word, char *out, size_t size);
enum { TRI_LANE_SET = 96 }; // enough for any word

// ---- signature -------------------------------------------------------------------

// What makes two findings the same bug, as far as a static look tells (docs/dedup.md
// has measured how far that is). Computed before reduction for steering, and after it
// for the bucket: small cases have few constructs, and then paths are alike.
enum { TRI_CHANGE = 160 };
struct tri_signature {
    enum tri_class klass;
    char family[64];   // who is wrong: tri_family
    char op[16];       // class of the group operation behind the first wrong word: "ballot",
                       // "vote", "elect", "broadcast", "reduce", "scan", "shuffle", "quad",
                       // "bits"; "any" where it does not matter which; "" for none
    char exact[64];    // the operation itself: "IAdd ExclusiveScan"; "" for none
    char inner[64];    // the operation whose result it works on; "" for none
    char guard[64];    // without an operation: the one that decides who comes by; "" for none
    char bits[64];     // what reads the ballot that `exact` is: "BallotFindLSB"; "" for none
    const char *pair;  // the module holds another one like it: "before" it (dominates), "beside"
    char flow[48];     // kinds of constructs of the module: "loop, switch"; "top" for none
    const char *arm;   // of the selection that holds the operation: "only arm", "first arm" ...; ""
    bool probed;       // `manner` and "any" count, in place of the path
    char manner[64];   // who is missing or too many, and where the rules have them
    char change[TRI_CHANGE]; // of a reduced case: what the compiler did (tri_change)
    bool telling;      // that alone is the signature
    char path[160];    // constructs around it from the outside in: "loop/break", "top+if"
    char rule[8]; // the rule of docs/rules.md that fixes the tangle there: "M6"; "" also under the
                  // weaker models, which promise less than it
    char message[200]; // of a crash, rejection, invalid module: its words, numbers folded
    char culprit[64];  // compiler pass, "" where not known
    const char *taxonomy;  // bug class "T1" .. "T18" where shape or pass tell it, else ""
    const char *rule_text; // the rule in one sentence, in our words
    char text[600]; // stable form: what tri_signature_name hashes
    char name[16];  // the bucket: ten letters
};
// Who a target is, without what varies from run to run: "vulkan:driver=lavapipe,size=8"
// -> "lavapipe", "spirv-opt:-O | vulkan:0" -> "spirv-opt+vulkan", "exec-compiler:/x/foo -O
// {in}" -> "foo". `driver` (run_info.driver) names the driver where the target does not; may
// be NULL. In `a`.
const char *tri_family(struct arena *a, const char *target, const char *driver);
// A message without what differs between two occurrences of one fault: ids, numbers,
// addresses, paths, names in quotes that hold digits. In `a`.
const char *tri_normal_message(struct arena *a, const char *message);
// The signature of a verdict on a case. `subject_text`: the subject's words, also a
// backtrace, for classes that are no mismatch (NULL: the verdict's text). `culprit`: the
// pass at fault, NULL where not known; of a target that is one pass ("spirv-opt:--x") it
// is that. Never fails: what cannot be told is left out.
void tri_signature(const struct spv_case *c, const struct tri_verdict *v, const char *target,
                   const char *driver, const char *subject_text, const char *culprit,
                   struct tri_signature *out);
// What a compiler did to a module, as far as who is together can depend on it: "moved, loop: before
// -> in", "Elect gone"; "" where nothing of the kind is seen or a module cannot be read. False where
// it says no more than that constructs are more or fewer: that says little about a fault.
bool tri_change(const uint32_t *in, size_t in_count, const uint32_t *out, size_t out_count,
                char text[TRI_CHANGE]);
// And what it did to the operations that are like operation `id` of the module that went in.
// Flags; 0 where they stand as they stood, or a module cannot be read.
enum tri_op_change { TRI_OP_FEWER = 1, TRI_OP_MORE = 2, TRI_OP_ELSEWHERE = 4 };
unsigned tri_change_of_op(const uint32_t *in, size_t in_count, uint32_t id, const uint32_t *out,
                          size_t out_count);
// What probes of a reduced case said about the operation behind the first wrong word.
enum tri_blame {
    TRI_BLAME_OP,    // it alone is wrong in its place
    TRI_BLAME_ANY,   // any group operation would be: the tangle is wrong
    TRI_BLAME_INNER, // what it works on is wrong already: the operation behind that, if any
};
// The place in the program does not count then, but for what it is that goes wrong. `manner`: in
// which manner the tangle is wrong, "" for not known.
void tri_signature_probed(struct tri_signature *s, enum tri_blame blame, const char *manner);
// An operation alone is to blame, and by itself this one of its kind is wrong: the plainest. `place`:
// "whole", "part", and whether a few lanes do not show it.
void tri_signature_alone(struct tri_signature *s, const char *op, const char *place);
// A reduced case about which a compiler is wrong: what came out of it beside what went in. Of two
// findings in which it did the same to a group operation it is the same mistake, however it shows.
void tri_signature_changed(struct tri_signature *s, const struct spv_case *c, const uint32_t *output,
                           size_t output_count);
// May a reduction of a finding `was` go on with a candidate that shows `is`? The
// same fault as far as the first wrong site tells, whatever the program's size: same family
// and class; for crashes and refusals the same message; for a mismatch the same kind of site
// (a group operation's result or another value). A wrong result of an op that is no ballot may
// become a wrong ballot, which says more. Not symmetric for that reason.
bool tri_same_kind(const struct tri_signature *was, const struct tri_signature *is);
// The case with the group operation behind the first wrong word, and all that are alike,
// replaced by another one that shows who is together. When a target is wrong about this too, any
// operation would show the bug. *id: the operation in its place. False when no operation is found
// or its result is no word. In `a`.
enum tri_probe {
    TRI_PROBE_BALLOT, // of true: its first word
    TRI_PROBE_SUM,    // of ones
    TRI_PROBE_ELECT,
    TRI_PROBE_OPERAND, // what the operation works on: if that is wrong, the operation is not
    TRI_PROBES
};
bool tri_probe(struct arena *a, const struct spv_case *c, const struct tri_verdict *v,
               enum tri_probe kind, struct spv_case *out, uint32_t *id);
// The case with what a group operation does stored right behind it, in a buffer of its own, the first
// of the case. False where that cannot be. In `a`. And whether the first wrong word is an operation's
// result as it is.
enum tri_expose {
    TRI_EXPOSE_ALONE, // its result, without the stores to other buffers
    TRI_EXPOSE_TOO,   // its result, beside them
    TRI_EXPOSE_COUNT, // how often the invocation executed it
};
bool tri_expose(struct arena *a, const struct spv_case *c, uint32_t id, enum tri_expose what,
                struct spv_case *out);
// The case in which a block goes to one side of its conditional branch (1: where it is true), and the condition is stored
// instead, by itself, as above. False where the block has none, or a constant one.
bool tri_expose_condition(struct arena *a, const struct spv_case *c, uint32_t label, uint32_t side,
                          struct spv_case *out);
bool tri_is_exposed(const struct spv_case *c, const struct tri_verdict *v);
// The case with its one barrier replaced by a ballot of true, *id. False where there is none or
// more. In `a`.
bool tri_barrier_ballot(struct arena *a, const struct spv_case *c, struct spv_case *out, uint32_t *id);
// A group operation by itself (triage/alone.c).
struct tri_alone {
    uint16_t op;
    uint32_t form, cluster; // SpvGroupOperation, where it has one; lanes of a cluster
    bool vector;            // of words; else a word, a number or a condition
    bool part;              // lane 0 does not execute it
    uint32_t lanes;         // of the subgroup, a full one
};
struct tri_plan {
    struct tri_alone *v;
    size_t n, cap;
};
// What to ask about operation `id` of the case: the plainest of its kind first; `part`: also where
// not all lanes execute it. None where it is not known.
void tri_alone_plan(struct arena *a, const struct spv_case *c, uint32_t id, bool part,
                    struct tri_plan *out);
bool tri_alone(struct spv_tools *tools, struct arena *a, const struct tri_alone *q,
               enum spv_model model, struct spv_case *out);
void tri_alone_name(const struct tri_alone *q, char *name, size_t size); // "IAdd ExclusiveScan"
// The group operation behind the first wrong word, or the one that decides who comes by: its
// result id, 0 for none. `inner`: the one whose result it works on, 0 for none.
uint32_t tri_site_op(const struct spv_case *c, const struct tri_verdict *v, bool inner);
// The operation that made the first wrong word of that one's result, a ballot; 0 for none.
uint32_t tri_site_reader(const struct spv_case *c, const struct tri_verdict *v);
// Is it that operation already?
bool tri_probe_is(const struct spv_case *c, const struct tri_verdict *v, enum tri_probe kind);
// The bucket's name for a signature's text: ten letters.
void tri_bucket_name(const char *text, char out[16]);
// What the field "where" of a reduced case's signature means, in words: "extra: M4" -> "the
// operation counts lanes that wait at ..."; "" where it is a place in the program. In `a`.
const char *tri_manner_text(struct arena *a, const char *where);
// The rule's sentence for "M1", "D5" ...; "" for an unknown one.
const char *tri_rule_text(const char *rule);
// Does it promise less than SPV_KHR_maximal_reconvergence, so that none of its rules may be named?
bool tri_weak(enum spv_model m);
// What a module that is judged by this model was promised, and by whom: a sentence or two, in our
// words.
const char *tri_promise_text(enum spv_model m);

// ---- a finding ------------------------------------------------------------------

// What another target of the same campaign made of the same input.
struct tri_witness {
    const char *target, *driver;
    enum tri_class klass;
};

struct tri_finding {
    const struct spv_case *c;          // subgroup size and policy as it was judged
    const struct spv_memory *expected; // NULL when there is none
    const struct spv_memory *observed; // NULL after a crash or hang
    uint32_t memory_count;
    const struct tri_verdict *verdict;
    bool flaky;                 // confirmed less often than asked: its class is TRI_FLAKY
    const char *target;         // spec
    const char *device;         // who answered: device, driver, versions, one a line
    const char *replay;         // the command that shows it again, run inside the folder
    const char *generated;      // the command that makes the case again; NULL for none
    uint32_t reproduced, tries; // re-runs after the first; tries 0: interrupted before
    const char *subject_text;   // the subject's own words; NULL for none
    const char *culprit;        // the compiler pass at fault; NULL where not known
    bool reduced;               // a reduced case: `output` counts
    bool probed;                // and blame and manner are known
    enum tri_blame blame;
    const char *manner; // tri_signature.manner
    const char *alone, *place; // what is wrong by itself, and where; NULL where not known
    const uint32_t *output;     // the module that a compiler made of it: output.spv; NULL for none
    size_t output_count;
    const char *driver_text; // what a driver made of it, in its own words: driver.txt; NULL for none
    const struct tri_witness *witnesses; // the other targets that were asked
    uint32_t witness_count;
};
// The bucket's name of a stable text: ten letters of its XXH3.
void tri_bucket_name(const char *text, char out[16]);
// The signature of a finding; of a flaky one that of its first verdict.
void tri_finding_signature(const struct tri_finding *f, struct tri_signature *out);
// "expected by the oracle and 4 of 5 other targets" in numbers: how many of the witnesses
// were judged, and how many of those agreed.
void tri_agreement(const struct tri_finding *f, uint32_t *agreed, uint32_t *judged);

// Writes DIR/NAME/ whole or not at all (a temporary folder, renamed): README.md,
// finding.json, case.spvasm (with its `; expect`), case.spv, expected.mem,
// observed.mem, lanes.txt (expected against observed, lane by lane). Where another
// finding has that name, NAME-2 and so on. *written is the folder's name, in `a`;
// NULL when the same case on the same target with the same class is there already.
bool tri_finding_write(struct spv_tools *t, struct arena *a, const char *dir, const char *name,
                       const struct tri_finding *f, const char **written, struct err *e);

// The finding as one JSON object without a newline, schema 1 (docs/tanglefuzz.1); the
// keys of `name` and `folder` are left out where NULL.
const char *tri_finding_json(struct arena *a, const char *name, const char *folder,
                             const struct tri_finding *f);

// `s` without the machine's folders: "icd=/home/me/x/icd.json" -> "icd=icd.json".
const char *tri_without_paths(struct arena *a, const char *s);

// ---- the findings database ---------------------------------------------------------

// DIR/findings.db: what the folders of a campaign say, to be asked. SQLite in WAL mode:
// several processes may write. The folders stay the truth: a database that was lost is made
// again by the next tri_db_sync.
enum { TRI_DB_VERSION = 2 };
struct tri_db;
// Opens or makes it, and brings an older schema up to date. NULL with a line: cannot be
// made, no database, of a newer version.
struct tri_db *tri_db_open(const char *dir, struct err *e);
void tri_db_close(struct tri_db *db);
// Takes in what is new below `dir`: findings, their reductions, campaign.json. *added:
// findings that were not there. False with a line; then nothing of this call is in.
bool tri_db_sync(struct tri_db *db, const char *dir, uint32_t *added, struct err *e);

// A finding as the database has it. Texts are "" where not known.
struct tri_row {
    int64_t id;
    const char *name, *folder; // folder: below DIR, "findings/NAME"
    const char *klass, *first_class, *text, *target, *family, *device, *replay, *generated;
    const char *rule, *taxonomy;
    const char *bucket, *signature; // of the reduced case where there is one
    const char *first_bucket;       // of the case as it was found
    const char *reduced;            // folder of the reduced case below DIR
    uint32_t subgroup, words;       // words: of the module, reduced where it is
    uint32_t first_words;           // before reduction
    uint64_t live_bits, wrong_bits;
    uint32_t reproduced, tries;
    int64_t found_at; // seconds since 1970
};
struct tri_known;
struct tri_bucket {
    const char *name, *signature, *klass, *family, *op, *path, *rule, *taxonomy, *culprit;
    const char *message, *targets; // targets: each once, joined by ", "
    const char *target_text;       // for people: the best finding's, and how many others
    uint32_t findings;
    int64_t first_at, last_at;
    const struct tri_row *best; // the smallest that repeats
    const struct tri_row **row; // all, as the database orders them
    const struct tri_known *known; // filled by tri_known_mark; NULL: it is new
};
struct tri_campaign { // a row of campaign.json
    const char *target, *device, *driver, *ended, *version, *json;
    uint64_t cases, agreed, findings, live_bits;
    double seconds;
};
struct tri_findings {
    struct tri_row *row;
    uint32_t rows;
    // Furthest first: the one with most findings, then always the one that is least like
    // those before it, so that the first ten show ten different bugs.
    struct tri_bucket *bucket;
    uint32_t buckets;
    struct tri_campaign *campaign;
    uint32_t campaigns;
    const struct tri_known *known; // as tri_known_mark was given them
    uint32_t known_count;
};
bool tri_db_read(struct tri_db *db, struct arena *a, struct tri_findings *out, struct err *e);
// Copies the findings of campaign `from` that `into` has not, folders and all, and its rows of
// campaign.json. *copied counts findings, *known those that were there.
bool tri_merge(const char *into, const char *from, uint32_t *copied, uint32_t *known,
               struct err *e);

// ---- known bugs ------------------------------------------------------------------------

// A file NAME.known of a folder (docs/known.md): lines of a key and its value, after
// `tanglefuzz-known 1`; # starts a comment. Texts are "" where not given.
struct tri_known {
    const char *path, *name;
    bool versioned;
    const char *bucket, *signature; // of the findings that it is; * in a signature: any part
    const char *klass;              // all of a class on the target
    const char *target;             // a target's text; * stands for any part
    const char *feature;            // of the generator: not grown against the target
    const char *cases;              // file name of cases that may fail on the target; * as above
    const char *reason, *link;
    const char *until;              // driver's or compiler's version from which on it is fixed
};
// Reads every *.known of a folder, by name; none when the folder is not there. False with
// "path:line: what".
bool tri_known_read(struct arena *a, const char *dir, struct tri_known **out, uint32_t *n,
                    struct err *e);
bool tri_known_parse(struct arena *a, const char *path, const char *text, size_t size,
                     struct tri_known *out, struct err *e);
// Does the entry speak of this target in this version (run_info.driver; NULL: not known)?
bool tri_known_applies(const struct tri_known *k, const char *target, const char *driver);
// The first entry that a finding falls under; NULL: it is new. Entries that name only a
// feature or a case speak of no finding.
const struct tri_known *tri_known_finding(const struct tri_known *v, uint32_t n, const char *target,
                                          const char *driver, const struct tri_signature *s);
// Marks the buckets that are known, all of their findings, and moves them to the end.
void tri_known_mark(struct arena *a, struct tri_findings *f, const struct tri_known *v, uint32_t n);
// The first entry that lets a case of a suite fail on the target; NULL: it must pass. A case
// that has one and passes is fixed: say so.
const struct tri_known *tri_known_case(const struct tri_known *v, uint32_t n, const char *target,
                                       const char *driver, const char *path);

// ---- formats -----------------------------------------------------------------------

// What the database holds in the forms that other tools read. All texts go to `out`.
enum tri_format {
    TRI_FORMAT_TEXT,       // for a terminal: buckets in their order of review
    TRI_FORMAT_JSONL,      // JSON lines, schema docs/report.schema.json: campaigns, buckets, findings
    TRI_FORMAT_RESULTS,    // results.csv as deqp-runner's: test,status,duration
    TRI_FORMAT_FAILURES,   // failures.csv as deqp-runner's: test,status; serves as its baseline
    TRI_FORMAT_JUNIT,      // JUnit XML, a test case a finding
    TRI_FORMAT_SARIF,      // SARIF 2.1.0, a result a bucket, the signature as fingerprint
    TRI_FORMAT_PROMETHEUS, // Prometheus' text format
    TRI_FORMATS
};
const char *tri_format_name(enum tri_format f); // "jsonl"
bool tri_format_find(const char *name, enum tri_format *out);
void tri_format_write(enum tri_format f, const struct tri_findings *v, struct text *out);

// ---- what is shown of a bucket -------------------------------------------------------

// A bucket with its best finding's folder read. What only the oracle can say is filled by the
// caller. Everything in the arena it was loaded with.
struct tri_view {
    const struct tri_bucket *bucket;
    const char *folder;             // that was read: the reduced case's where there is one
    bool has_case;                  // c, text and pseudo hold
    struct spv_case c;
    const char *text, *pseudo;      // case.spvasm; tri_pseudo
    const struct spv_memory *expected, *observed; // NULL where the folder has none
    struct tri_verdict verdict;     // of the two, when both are there
    const uint32_t *output;         // what a compiler made of it; NULL for none
    size_t output_count;
    // Filled by the caller, NULL where it cannot be said:
    const char *expected_svg, *observed_svg; // pictures of the subgroup of the first wrong place
    const char *expected_steps;     // the same as a table for a terminal
    struct tri_proof {
        bool asked, valid, defined, machines_agree;
        const char *words;          // a line each
    } proof;
};
// Reads what bucket->best's folder below `dir` holds; what cannot be read is left out.
void tri_view_load(struct spv_tools *t, struct arena *a, const char *dir,
                   const struct tri_bucket *b, struct tri_view *out);
// A module as nested pseudo-code: constructs as blocks, values by name, single uses inline.
// For reading, not for judging; what it does not know is printed as an instruction.
void tri_pseudo(struct arena *a, const struct spv_module *m, struct text *out);
// One self-contained page: overview, then a section a bucket. `title` names the campaign.
void tri_html(const char *title, const char *version, const struct tri_findings *v,
              const struct tri_view *views, uint32_t n, struct text *out);

// ---- bundles -------------------------------------------------------------------------

// In whose form a bundle's README is.
enum tri_form {
    TRI_FORM_GENERIC, TRI_FORM_MESA, TRI_FORM_SPIRV_TOOLS, TRI_FORM_LLVM, TRI_FORM_GLSLANG,
    TRI_FORM_COUNT
};
bool tri_form_find(const char *name, enum tri_form *out); // "spirv-tools"
enum tri_form tri_form_guess(const char *target);
// Writes folder `to`, which must not be there, whole or not at all: README.md, the case as
// assembly, binary, pseudo-code and Amber script, inputs, expected and observed memory,
// lane table, pictures, proofs, what the compiler made of it. Holds no path of the machine.
bool tri_bundle(struct spv_tools *tools, const struct tri_view *w, enum tri_form form,
                const char *to, struct err *e);

#endif
