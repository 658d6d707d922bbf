// SPDX-License-Identifier: Apache-2.0
//
// Private to triage/: the parts of a bundle.
#ifndef TF_REPORT_BUNDLE_H
#define TF_REPORT_BUNDLE_H

#include "report.h"

struct bundle {
    const struct report_view *w;
    enum report_form form;
    struct spv_module m;            // of w->c
    uint32_t local[3];              // its workgroup's size
    const char *glsl, *hlsl, *llvm; // the case in these languages; NULL: they cannot say it
    const char *wgsl;               // the same, for WebGPU's forms alone
    struct {
        const char *name, *holds; // a file of the folder
    } file[40];
    uint32_t files;
};

// A module with the case's buffers as an Amber script; without EXPECT when `expected` is NULL.
// Whether an Amber script is made of the case: of compute shaders without images and samplers.
bool bundle_amber_says(const struct spv_case *c);
bool bundle_amber(struct spv_tools *tools, const struct spv_case *c, const uint32_t *words,
                  size_t count, const struct spv_memory *expected, struct text *t, struct err *e);
void bundle_readme(const struct bundle *b, struct text *t);
// Every command that shows the bug, with tanglefuzz and without (bundle_commands.c).
void bundle_reproduce(const struct bundle *b, struct text *t);

// ---- bundle_tests.c: the case as a test of a project's own. False where the case cannot be said
// so.

// SPIRV-Tools: a unit test for test/opt, that fails where the optimiser is wrong.
bool bundle_spirv_tools_test(const struct bundle *b, struct text *t);
// LLVM: IR with RUN lines for lit.
bool bundle_lit_test(const struct bundle *b, struct text *t);
// offload-test-suite: HLSL, and a pipeline that compares buffers (BufferExact).
bool bundle_offload_test(const struct bundle *b, struct text *t);
// Vulkan CTS: the lines of C++ that add case.amber to a group of tests.
bool bundle_cts_test(const struct bundle *b, struct text *t);
// deqp-runner's line of results.
bool bundle_deqp_csv(const struct bundle *b, struct text *t);

// spirv-opt's flags of the target, in their order; 0 where it is another compiler.
uint32_t bundle_passes(const struct bundle *b, struct arena *a, const char ***flags);

#endif
