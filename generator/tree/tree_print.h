// SPDX-License-Identifier: Apache-2.0
//
// Prints the tree as readable pseudo-code.
#ifndef TF_GENERATOR_TREE_PRINT_H
#define TF_GENERATOR_TREE_PRINT_H

#include "base/base.h"

struct gen_program;
struct gen_function;
struct gen_stmt;

void gen_print(const struct gen_program *p, struct text *out);
// Prints one statement on one line, without the blocks inside it.
void gen_print_stmt(const struct gen_program *p, const struct gen_function *f,
                    const struct gen_stmt *s, struct text *out);

#endif
