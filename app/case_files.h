// SPDX-License-Identifier: Apache-2.0
//
// The cases of one program as files, for gen and enumerate.
#ifndef TF_APP_CASE_FILES_H
#define TF_APP_CASE_FILES_H

#include "app.h"
#include "generator/generator.h"

// Returns the name of the file of an input set: `out`, or of several x.1.spvasm, x.2.spvasm ...
const char *case_files_name(struct arena *a, const char *out, uint32_t input, uint32_t inputs);
// Writes a case for each input set, to files, or to standard output if `out` is NULL. False with a
// message in x->e.
bool case_files_write(struct context *x, struct arena *a, const struct gen_made *m,
                      const char *out);

#endif
