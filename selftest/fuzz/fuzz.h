// SPDX-License-Identifier: Apache-2.0
//
// Shared code of the fuzz targets. Each target is one file tf_*_fuzzer.c with
// LLVMFuzzerTestOneInput. It accepts any bytes and is deterministic. It keeps nothing between
// inputs except objects that are created once.
#ifndef TF_FUZZ_H
#define TF_FUZZ_H

#include "diagnose/diagnose.h"
#include "generator/generator.h"
#include "isa/isa.h"
#include "judge/judge.h"
#include "oracle/oracle.h"
#include "spirv/spirv.h"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

// ---- bytes as a case (choices.c)

// Input of a generating target: FZ_HEAD bytes choose the frame (subgroup size, profile, inputs,
// what the target does with the case; the last one chooses the model). The remaining bytes are the
// generator's choice sequence. Missing bytes count as zeros.
enum { FZ_HEAD = 16 };

struct fz_case {
    struct gen_options options;
    struct gen_made made;
    struct gen_choices head; // the rest of the head, for choices of the target itself
};
void fz_make(struct arena *a, const uint8_t *data, size_t size, struct fz_case *out);
// The same in two steps, for a target with restrictions: fz_frame reads the head into options,
// which the target may change; fz_grow generates the program with them.
void fz_frame(struct arena *a, const uint8_t *data, size_t size, struct fz_case *out);
void fz_grow(struct arena *a, const uint8_t *data, size_t size, struct fz_case *out);

// Reads the words of a module, valid or not, and adds buffers and a dispatch (words.c).
void fz_words(struct arena *a, const uint8_t *data, size_t size, struct spv_case *out);

// ---- code for ISA executors (machine.c)

// Creates a case for subgroups of `size` with `buffers` buffers of FZ_MACHINE_WORDS zeros, for any
// code. The first call determines the size for all calls, as its module sets the workgroup size.
enum { FZ_MACHINE_WORDS = 256 };
void fz_machine_case(struct arena *a, uint32_t size, uint32_t buffers, struct spv_case *c);
// For the executors in isa/. Parses the bytes after the first one as text; the first byte selects a
// variant. Runs the code twice with a small step limit, and checks that both runs return the same
// memory, or the same one-line reason for having none.
typedef const struct isa_code *fz_read_fn(struct arena *a, const char *text, uint8_t first,
                                          struct isa_result *why);
int fz_machine(const uint8_t *data, size_t size, fz_read_fn *read);

// ---- bytes as files (folder.c)

// Input of a target that reads files: several files, each terminated by the byte FZ_PART.
enum { FZ_PART = 0x1e };
// Returns the next file; *size becomes the number of bytes after it.
const uint8_t *fz_part(const uint8_t **data, size_t *size, size_t *part);
// Returns the folder that such a target may write to. It is created once and removed at the end of
// the process. In memory if such a file system exists.
const char *fz_folder(void);
// Writes FOLDER/NAME, or deletes it if the part is empty.
void fz_file(struct arena *a, const char *name, const uint8_t *data, size_t size);

// ---- the link to a device program (link.c)

// The jobs that the relay is given: FZ_JOBS programs, the first with one input, the next with two
// and so on. The first call makes them.
enum { FZ_JOBS = 3 };
struct fz_job {
    struct gen_made made;
    uint32_t subgroup;
};
const struct fz_job *fz_jobs(void);
// Head of an input of tf_relay_fuzzer: the lengths of FZ_LINKS links, two bytes each. With the
// highest bit, the link stays open and silent after its bytes.
enum { FZ_LINKS = 4 };

// ---- pass pipelines (pipeline.c)

enum { FZ_PASSES = 96 };
struct fz_pipeline {
    const char *flags[FZ_PASSES];
    uint32_t n;
};
// Draws one to four passes or recipes; a recipe is expanded into its passes.
void fz_pipeline(struct gen_choices *c, struct fz_pipeline *out);
// Returns for example "--ssa-rewrite,--merge-blocks", allocated in `a`.
const char *fz_pipeline_text(struct arena *a, const struct fz_pipeline *p);

// ---- does the optimizer preserve memory? (same.c)

// Returns the SPIRV-Tools context, created once.
struct spv_tools *fz_tools(void);

// Optimizes the cases' module and compares the memory of the output with the oracle's prediction
// for the original. Returns if they agree, if the cases have no expected result (undefined, over a
// limit, unsupported), if the optimizer rejects the module, or if its output cannot be judged.
// Otherwise calls fz_report, which returns only for a known bucket. Before that it rules out our
// own bugs: the input must be valid, and both executors of the oracle must agree on it.
void fz_optimizer_keeps_meaning(struct arena *a, const struct spv_case *cases, uint32_t n,
                                const struct fz_pipeline *p);

// ---- the report line (bucket.c)

// If the environment has TANGLEFUZZ_SAVE=FILE, writes the case to FILE and prints the target.
// Called before the system under test runs, so that an input that kills the process can be
// replayed.
void fz_save(const struct spv_case *c, const char *target);

// Reports a finding in its diag_farm_bucket. Returns only if that bucket is known.
void fz_report(struct arena *a, const struct spv_case *c, const char *target, const char *culprit,
               const struct judge_verdict *v);

// True if the bucket is in TANGLEFUZZ_KNOWN=NAME,NAME... or in known.txt in the program's folder.
// With this, the first bug that an engine finds does not hide the next one.
bool fz_is_known(const char *bucket);
// True if a line of `file` has this bucket: "FAMILY PASS KIND MESSAGE", as diag_farm_bucket hashes
// it; # starts a comment. False for a file that cannot be read.
bool fz_known_in(const char *file, const char *bucket);

// Prints the description and the line that a fuzzing farm uses as the bucket, and aborts. `about`
// may be NULL. If TANGLEFUZZ_SAVE=FILE is set, writes the case to FILE.
_Noreturn void fz_mismatch(const struct spv_case *c, const char *target, const char *bucket,
                           const char *klass, const char *about);

#endif
