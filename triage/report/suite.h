// SPDX-License-Identifier: Apache-2.0
//
// A set of tests (campaign/testset.h) as the folder that a project's own runner takes.
#ifndef TF_REPORT_SUITE_H
#define TF_REPORT_SUITE_H

#include "base/base.h"
#include "spirv/spirv.h"

// Forms: name, what it is.
#define SUITE_FORMS(ROW)                                                                           \
    ROW("amber", "Amber scripts")                                                                  \
    ROW("cts", "Amber scripts, their C++ lines and a mustpass list for VK-GL-CTS")                 \
    ROW("lit", "cases that lit runs through tanglefuzz replay, for a compiler")                    \
    ROW("offload", "tests for LLVM's offload-test-suite")                                          \
    ROW("spirv-tools", "a gtest file for SPIRV-Tools' test/opt")                                   \
    ROW("webgpu", "a TypeScript file for the WebGPU CTS")
#define SUITE_FORM_LISTED(name, line) ", " name
#define SUITE_FORM_NAMES              (SUITE_FORMS(SUITE_FORM_LISTED) + 2)

struct suite_test {
    const char *name;           // of its file, with '-'
    const char *program;        // how it is generated again
    const char *line, *classes; // the mistake that it is chosen for
    const char *seen;           // a kept bug: target and versions; NULL: a mutant
    uint32_t mutants;           // that it finds
    const char *rules, *wrong;  // wrong: what a mutant stores
    struct spv_case c;          // with its expectation
    // spirv-tools: a right output of the optimizer with `flag`; NULL: it is left out.
    const char *output, *flag;
};
struct suite_step {
    uint32_t tests, greedy, random; // mutants found by so many tests
};
struct suite {
    const struct suite_test *test;
    uint32_t n, subgroup;
    uint32_t findable, mutants;               // found by some candidate; all
    uint32_t kept, kept_candidates, kept_all; // kept bugs: whose case is a test; may be; all
    uint64_t candidates, searched; // searched: larger random programs, for what no candidate finds
    const char *command;           // that writes this folder again
    const struct suite_step *step;
    uint32_t steps;
};
// True if the form can express the case; its expectation is not needed.
bool suite_fits(struct arena *a, const char *form, const struct spv_case *c);
// Writes the folder, atomically. False with a message: it exists, or cannot be written, or a form
// cannot express a test. *left_out: tests that the form cannot express.
bool suite_write(struct spv_tools *tools, const struct suite *s, const char *form, const char *to,
                 uint32_t *left_out, struct err *e);

#endif
