// SPDX-License-Identifier: Apache-2.0
//
// The tree as readable pseudo-code.
#ifndef TF_GENERATOR_TREE_PRINT_H
#define TF_GENERATOR_TREE_PRINT_H

#include "base/base.h"

struct gen_program;
struct gen_function;
struct gen_stmt;

void gen_print(const struct gen_program *p, struct text *out);
// One statement on one line, without what is inside.
void gen_print_stmt(const struct gen_program *p, const struct gen_function *f,
                    const struct gen_stmt *s, struct text *out);

#endif
