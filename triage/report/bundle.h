// SPDX-License-Identifier: Apache-2.0
//
// Private to triage/report: a bundle's folder and the values for its templates.
#ifndef TF_REPORT_BUNDLE_H
#define TF_REPORT_BUNDLE_H

#include "commands.h"
#include "fill.h"
#include "report.h"

// The part of the README in which a recipe stands.
enum bundle_place { BUNDLE_WITH, BUNDLE_WITHOUT, BUNDLE_TEST, BUNDLE_AMBER, BUNDLE_PLACES };
// Commands that are run one after the other in one folder.
struct bundle_recipe {
    enum bundle_place place;
    bool target; // starts the finding's target, or a program that its text names
    bool asks;   // only asks something: not printed, and not left out
    struct bundle_step {
        const char *line; // for a shell
        enum command_want want;
        const char *says;  // what its output must have; NULL: nothing
        bool passes;       // it may also end with 0, if a later one ends as it must
        bool optional;     // no later step needs it: if its program is missing, they run
        bool missing;      // its program is missing
        const char *ended; // NULL: it was not run
    } step[6];
    uint32_t steps;
    enum { BUNDLE_UNRUN, BUNDLE_SHOWS, BUNDLE_LEFT_OUT } state;
    const char *why; // not BUNDLE_SHOWS: one line
};

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
    struct bundle_recipe recipe[16];
    uint32_t recipes;
    const struct bundle_recipe *alone; // the pass at fault by itself; NULL: it was not tried
    bool ran;                          // at least one command was
    struct {
        const char *name, *version; // a program that a command ran
    } program[8];
    uint32_t programs;
};

bool bundle_has(const struct bundle *b, const char *file);
// The values of templates tests/; they refer to `b`.
void bundle_values(const struct bundle *b, struct fill *f);
// Those of the target's options (bundle_target.c). `s`: its first stage, NULL if it has none.
void bundle_target_values(const struct bundle *b, const struct run_stage *s, struct fill *f);
// Fills b->recipe: when all files but README.md are in b->file. `f`: the values of bundle_values.
void bundle_recipes(struct bundle *b, const struct fill *f);
// Runs them, each in a folder of its own with the files of `folder`. False with a message:
// interrupted, or no such folder can be made. `r` NULL: none is run.
bool bundle_recipes_run(struct bundle *b, const char *folder, const struct command_runner *r,
                        struct err *e);
// The values that readme/ needs besides: after bundle_recipes_run.
void bundle_readme_values(const struct bundle *b, struct fill *f);
// Those of the case's module and buffers (bundle_case.c). `expected`: NULL if not known.
void bundle_case_values(const struct spv_case *c, const struct spv_module *m,
                        const struct spv_memory *expected, struct fill *f);

// Whether an Amber script can express the case: compute shaders without images and samplers.
bool bundle_amber_says(const struct spv_case *c);
// Fills in the lists "extensions" and "features" of what the script of a module asks the device
// for: rows {extension or feature, used}. The module must outlive `f`.
void bundle_amber_needs(const struct spv_module *m, struct fill *f);
// Returns the features of the device that a module needs, as bits of rows of a table; the name that
// the Vulkan CTS has for a row, NULL after the last one.
uint32_t bundle_features(const struct spv_module *m);
const char *bundle_cts_feature(struct arena *a, uint32_t row);
// A module with the case's buffers as an Amber script; without EXPECT if `expected` is NULL.
bool bundle_amber(struct spv_tools *tools, const struct spv_case *c, const uint32_t *words,
                  size_t count, const struct spv_memory *expected, struct text *t, struct err *e);

// The case as one C file on Vulkan (standalone.c). bundle_standalone_lacks returns what such a file
// does not support and the case has; NULL: nothing.
const char *bundle_standalone_lacks(const struct spv_case *c);
// True if the file runs the module that a compiler wrote: its bug shows on a correct driver.
bool bundle_runs_output(const struct report_view *w);
void bundle_standalone(const struct bundle *b, struct text *out);
// True if the module's buffer is a uniform buffer (bundle_case.c).
bool bundle_is_uniform(const struct spv_module *m, uint32_t set, uint32_t binding);

#endif
