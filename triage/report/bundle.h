// SPDX-License-Identifier: Apache-2.0
//
// Private to triage/report: a bundle's folder and the values for its templates.
#ifndef TF_REPORT_BUNDLE_H
#define TF_REPORT_BUNDLE_H

#include "fill.h"
#include "report.h"

struct bundle {
    struct arena *a;
    const struct report_view *w;
    const char *form;
    struct spv_module m;                   // of w->c
    uint32_t local[3];                     // its workgroup's size
    const char *glsl, *hlsl, *llvm, *wgsl; // the case in these languages; NULL: not possible
    struct {
        const char *name, *holds; // a file of the folder
    } file[40];
    uint32_t files;
};

bool bundle_has(const struct bundle *b, const char *file);
// The values of templates tests/; they refer to `b`.
void bundle_values(const struct bundle *b, struct fill *f);
// Those of the target's options (bundle_target.c). `s`: its first stage, NULL if it has none.
void bundle_target_values(const struct bundle *b, const struct run_stage *s, struct fill *f);
// The values that readme/ needs besides: when all files but README.md are in b->file.
void bundle_readme_values(const struct bundle *b, struct fill *f);
// Those of the case's module and buffers (bundle_case.c). `expected`: NULL if not known.
void bundle_case_values(const struct spv_case *c, const struct spv_module *m,
                        const struct spv_memory *expected, struct fill *f);

// Whether an Amber script can express the case: compute shaders without images and samplers.
bool bundle_amber_says(const struct spv_case *c);
// A module with the case's buffers as an Amber script; without EXPECT if `expected` is NULL.
bool bundle_amber(struct spv_tools *tools, const struct spv_case *c, const uint32_t *words,
                  size_t count, const struct spv_memory *expected, struct text *t, struct err *e);

#endif
