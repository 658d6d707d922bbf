// SPDX-License-Identifier: Apache-2.0
//
// The checker's state, and what its two files ask of each other: tree_check_value.c what makes
// values, tree_check.c statements and functions.
#ifndef TF_GENERATOR_TREE_CHECK_H
#define TF_GENERATOR_TREE_CHECK_H

#include "tree_form.h"

struct checker {
    const struct gen_program *p;
    const struct gen_function *f;
    const struct gen_stmt *at;
    bool *visible;  // of the values of f
    bool *counting; // of the variables of f: a loop has it for its counter
    bool *sites;    // of the program, those seen
    bool in_loop;   // inside the body of a loop
    bool in_switch; // inside a case, no loop between
    bool bound_in;  // inside a continue construct: no way out but its end
    bool together;  // all invocations of the workgroup come here together
    bool whole;     // quads are, here (tree_quads.c); in a callee: where they are at each call
    bool spared;    // only invocations come here that their quads can do without (gen_expr_spares)
    struct gen_quads quads; // what is the same in each of them
    bool *derives;          // of functions: must be called where quads are whole
    struct text *out;
    uint32_t errors;
};

// Tells a mistake, with the function and the statement that it is at.
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
// An expression of this type.
void check_expr(struct checker *k, const struct gen_expr *e, enum gen_type type);
// A value that a statement binds, of one of these types (bits).
void check_bound(struct checker *k, const struct gen_stmt *s, uint32_t value, unsigned types);
void check_group_op(struct checker *k, const struct gen_stmt *s);

#endif
