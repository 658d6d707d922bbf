// SPDX-License-Identifier: Apache-2.0
//
// What the fuzz targets share. Each target is one file tf_*_fuzzer.c with LLVMFuzzerTestOneInput:
// total on any bytes, deterministic, nothing kept from one input to the next but what is made once.
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

// An input of a target that generates: FZ_HEAD bytes decide the frame (subgroup size, profile,
// inputs, and what the target does with the case; the last of them the model), the rest is the
// generator's choice sequence. Fewer bytes are as good as zeros.
enum { FZ_HEAD = 16 };

struct fz_case {
    struct gen_options options;
    struct gen_made made;
    struct gen_choices head; // what is left of the head, for the target's own choices
};
void fz_make(struct arena *a, const uint8_t *data, size_t size, struct fz_case *out);
// In two steps, for a target that cannot take everything: the head into options, then the rest into
// a program by what the options have become.
void fz_frame(struct arena *a, const uint8_t *data, size_t size, struct fz_case *out);
void fz_grow(struct arena *a, const uint8_t *data, size_t size, struct fz_case *out);

// Words of a module that need not be valid, with buffers and a dispatch (words.c).
void fz_words(struct arena *a, const uint8_t *data, size_t size, struct spv_case *out);

// ---- code for machines (machine.c)

// A case for subgroups of `size` with `buffers` buffers of FZ_MACHINE_WORDS zeros, whatever the
// code does. The first call's size is kept: its module says how large a workgroup is.
enum { FZ_MACHINE_WORDS = 256 };
void fz_machine_case(struct arena *a, uint32_t size, uint32_t buffers, struct spv_case *c);
// For machines of isa/: reads bytes behind the first as text, in a way that the first byte chooses,
// and runs what was read with a small limit; twice: the same, with memory or one line why there is
// none.
typedef const struct isa_code *fz_read_fn(struct arena *a, const char *text, uint8_t first,
                                          struct isa_result *why);
int fz_machine(const uint8_t *data, size_t size, fz_read_fn *read);

// ---- bytes as files (folder.c)

// An input of a target that reads files holds several, each ended by the byte FZ_PART.
enum { FZ_PART = 0x1e };
// The next of them; *size becomes what is left after it.
const uint8_t *fz_part(const uint8_t **data, size_t *size, size_t *part);
// The folder that such a target may write to, made once, gone at the end of the process. In memory
// where there is a file system for that.
const char *fz_folder(void);
// Writes FOLDER/NAME, no file where the part has no bytes.
void fz_file(struct arena *a, const char *name, const uint8_t *data, size_t size);

// ---- pass pipelines (pipeline.c)

enum { FZ_PASSES = 96 };
struct fz_pipeline {
    const char *flags[FZ_PASSES];
    uint32_t n;
};
// One to four single passes or whole recipes, the recipes spelled out.
void fz_pipeline(struct gen_choices *c, struct fz_pipeline *out);
// "--ssa-rewrite,--merge-blocks", in `a`.
const char *fz_pipeline_text(struct arena *a, const struct fz_pipeline *p);

// ---- module in, module out, same memory? (same.c)

// The tools, made once.
struct spv_tools *fz_tools(void);

// Optimises the cases' module and holds its memory against the oracle's prediction for the
// original. Returns when they agree, when nothing may be expected of the cases (undefined, over
// limit, unsupported), and when the optimiser refuses the module or its output cannot be judged.
// Otherwise, unless the bucket is known, it does not return: fz_report. Before that everything that
// could be our own mistake is looked at: the input is valid, both machines of the oracle agree on
// it.
void fz_optimizer_keeps_meaning(struct arena *a, const struct spv_case *cases, uint32_t n,
                                const struct fz_pipeline *p);

// ---- the one line (bucket.c)

// With TANGLEFUZZ_SAVE=FILE in the environment: writes the case there and says the target's text,
// so that also what kills the process can be replayed. Called before the subject runs.
void fz_save(const struct spv_case *c, const char *target);

// A finding, in its diag_farm_bucket. Comes back only where that is known.
void fz_report(struct arena *a, const struct spv_case *c, const char *target, const char *culprit,
               const struct judge_verdict *v);

// Is this bucket in TANGLEFUZZ_KNOWN=NAME,NAME...? So the first bug that an engine meets does not
// hide the next one.
bool fz_is_known(const char *bucket);

// Prints what a person needs, then the line that a farm buckets by, and aborts. `about` may be
// NULL. With TANGLEFUZZ_SAVE=FILE in the environment the case is written there.
_Noreturn void fz_mismatch(const struct spv_case *c, const char *target, const char *bucket,
                           const char *klass, const char *about);

#endif
