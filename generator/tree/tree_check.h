// SPDX-License-Identifier: Apache-2.0
// State of the tree checker, and the functions that its two files share. tree_check_value.c checks
// expressions and group operations; tree_check.c checks statements and functions.
#ifndef TF_GENERATOR_TREE_CHECK_H
#define TF_GENERATOR_TREE_CHECK_H

#include "tree_form.h"

struct checker {
    const struct gen_program *p;
    const struct gen_function *f;
    const struct gen_stmt *at;
    bool *visible;  // per value of f: it may be used here
    bool *counting; // per variable of f: it is the counter of a loop
    bool *sites;    // per log site of the program: already seen
    bool in_loop;   // inside the body of a loop
    bool in_switch; // inside a case, no loop between
    bool bound_in;  // inside a continue construct: its end is the only exit
    bool together;  // all invocations of the workgroup are converged here
    bool whole;     // quads are whole here (tree_quads.c); in a callee: if they are at each call
    bool spared;    // the quad keeps a live invocation without those that reach this point
                    // (gen_expr_spares)
    struct gen_quads quads; // values that are uniform in each quad
    bool *derives;          // per function: it must be called where quads are whole
    struct text *out;
    uint32_t errors;
};

// Reports a mistake with its function and statement.
void check_wrong(struct checker *k, const char *what);
static inline void must(struct checker *k, bool ok, const char *what)
{
    if (!ok)
        check_wrong(k, what);
}
static inline bool feature(const struct checker *k, enum gen_feature f)
{
    return k->p->used & GEN_BIT(f);
}
// Checks that the expression is valid and has this type.
void check_expr(struct checker *k, const struct gen_expr *e, enum gen_type type);
// Checks that the statement may bind `value`, and that its type is one of `types` (bits).
void check_bound(struct checker *k, const struct gen_stmt *s, uint32_t value, unsigned types);
void check_group_op(struct checker *k, const struct gen_stmt *s);

#endif
