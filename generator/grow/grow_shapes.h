// SPDX-License-Identifier: Apache-2.0
//
// Shapes, and the program built from shapes and other statements. As in grow_parts.h, a file calls
// only functions listed above its own section.
#ifndef TF_GENERATOR_GROW_SHAPES_H
#define TF_GENERATOR_GROW_SHAPES_H

#include "grow_parts.h"

// ---- grow_shape.c: shapes with loops --------------------------------------------------

// loop { if (i == t) { op; leave; } ... }
void grow_loop_with_exit(struct grow *g, enum gen_leave how);
void grow_waterfall(struct grow *g, bool images); // images: the values that it iterates over are
                                                  // image indices
void grow_left_early(struct grow *g);
void grow_remainder(struct grow *g);
void grow_inner_break(struct grow *g);
void grow_late_op(struct grow *g);
void grow_dense_continue(struct grow *g);
void grow_two_levels(struct grow *g);
void grow_goes_on(struct grow *g);
void grow_way_out(struct grow *g);
void grow_loop_around(struct grow *g, void (*body)(struct grow *g, const void *what),
                      const void *what);
// Observe the value only inside a loop, or only in case `in` of the n cases of a switch.
void grow_see_in_loop(struct grow *g, uint32_t value);
void grow_see_in_case(struct grow *g, uint32_t value, const struct gen_expr *e, uint32_t n,
                      uint32_t in);
// Emits a sample of images[index] and observes it.
void grow_sample_at(struct grow *g, const struct gen_expr *index);

// ---- where a shape of each kind fits, and the shape --------------------------------------

// grow_reported.c: shapes of public bug reports. `room`: how deep constructs may still nest.
bool grow_can_reported(const struct grow *g, enum grow_pattern i, uint32_t room);
void grow_reported(struct grow *g, enum grow_pattern i);

// grow_derived.c: quad shapes.
bool grow_can_derive(const struct grow *g, enum grow_pattern i);
void grow_derived(struct grow *g, enum grow_pattern i);
// grow_image.c: image shapes.
bool grow_can_image(const struct grow *g, enum grow_pattern i);
void grow_imaged(struct grow *g, enum grow_pattern i);
// grow_fragment.c: shapes with helper invocations.
bool grow_can_fragment(const struct grow *g, enum grow_pattern i);
void grow_fragment(struct grow *g, enum grow_pattern i);
// grow_pattern.c, grow_pattern_table.c: any shape.
void grow_pattern(struct grow *g, enum grow_pattern i);
bool grow_can_pattern(const struct grow *g, enum grow_pattern i);

// ---- the program: grow_stmt.c, grow_swarm.c, grow_target.c, and grow_case.c on top ----------

void grow_any_stmts(struct grow *g, uint32_t first, uint32_t percent); // the value of g->stmts
void grow_swarm(struct grow *g);
// Ensures that an operation can be observed: if none has a weight, sets one for the first requested
// one. Never picks an operation of feature `but` (GEN_FEATURE_COUNT: no restriction).
void grow_want_op(struct grow *g, enum gen_feature but);
void grow_target(struct grow *g); // fragments: draws the sizes

#endif
