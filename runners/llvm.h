// SPDX-License-Identifier: Apache-2.0
//
// The rows `llvm`: what its two files share. Private to runners/.
//
//   llvm_backend.c  options, the private root, one forked child for each case
//   llvm_child.c    libLLVM through its C API: parse, verify, passes, back end
#ifndef TF_RUNNERS_LLVM_H
#define TF_RUNNERS_LLVM_H

#include "backend.h"

// How far a child came, and what it left there. Lies in memory that parent and child
// share, so that it is known after a crash.
enum llvm_stage {
    LLVM_START,
    LLVM_PARSE,        // our text
    LLVM_VERIFY_INPUT, // it is to be valid before any pass
    LLVM_PASSES,
    LLVM_VERIFY_OUTPUT,
    LLVM_BACK_END,
    LLVM_DONE,
};
enum { LLVM_SAID = 4096, LLVM_WORDS = 1 << 21 };
struct llvm_shared {
    volatile enum llvm_stage stage;
    volatile bool failed; // the stage said no; `said` has why
    char said[LLVM_SAID];
    uint32_t count;
    uint32_t words[LLVM_WORDS];
};

struct llvm_job {
    const char *passes;  // pipeline text, "" for none
    unsigned level;      // of the back end, 0 .. 3
    uint32_t limit;      // passes to run at most, as -opt-bisect-limit counts; UINT32_MAX: all
    bool until_verified; // no back end: LLVM_DONE means that the IR is valid
};

// Loads libLLVM and makes its SPIR-V target ready; once a process. False with one line.
bool llvm_load(const char *library, struct err *e);
const char *llvm_version(void);
// In the child: does the job on the text and never returns. A crash tells its top frames
// on standard error.
TF_NORETURN void llvm_child(const struct llvm_job *job, const char *text, size_t size,
                            struct llvm_shared *out);

#endif
