// SPDX-License-Identifier: Apache-2.0
//
// The smallest shapes that are known to break compilers, one row each. Columns: name; how often a
// program begins with it (higher for shapes that measurements show to detect less often); the
// features it uses, in F(); its bug classes (docs/mutants.md) and pseudo-code. grow_can_pattern
// decides where a shape fits, grow_pattern grows it.
#ifndef TF_GENERATOR_GROW_PATTERNS_H
#define TF_GENERATOR_GROW_PATTERNS_H

#include "grow.h"

// clang-format off
#define GROW_FLOW_PATTERNS(X)                                                                      \
    X(BREAK_BLOCK, "break-block", 7, F(IF) | F(BREAK) | F(INFINITE) | F(DIVERGENT_TRIPS),         \
      "T1, T2: loop { if (i == t) { op; break; } }")                                              \
    X(TWO_IFS, "two-ifs", 2, F(IF),                                                               \
      "T3: if (c) A; if (c) B; op")                                                               \
    X(BOTH_ARMS, "both-arms", 5, F(ELSE) | F(OBSERVE_LATER),                                      \
      "T4: if (c) { A; v = op } else { B; v = op }")                                              \
    X(AFTER_MERGE, "behind-merge", 2, F(IF),                                                     \
      "T5, T9: if (c) v = A; else v = B; op(v)")                                                  \
    X(AGAIN_INSIDE, "again-inside", 4, F(IF) | F(FOR),                                            \
      "T6: x = op; if (c) y = op")                                                                \
    X(CALLEE_LOOP, "callee-loop", 2, F(CALL) | F(FOR) | F(IF) | F(RETURN),                        \
      "T13: early return in a callee's loop, op after the call")                                  \
    X(WATERFALL, "waterfall", 1,                                                                  \
      F(IF) | F(FOR) | F(BREAK) | F(OBSERVE_BRANCH) | F(OP_BROADCAST_FIRST),                      \
      "T3: loop { f = first(v); if (f == v) { op; break; } }")                                    \
    X(LEFT_EARLY, "left-early", 12, F(IF) | F(FOR) | F(BREAK) | F(OBSERVE_LATER),                 \
      "T8, T17: loop { v = op; if (..) break; } op(v)")                                           \
    X(SAME_OR_SAME, "same-or-same", 2, F(IF),                                                     \
      "T9: v = u; if (c) v = u2; op(v), u and u2 uniform")                                        \
    X(REMAINDER, "remainder", 2, F(FOR) | F(DIVERGENT_TRIPS),                                     \
      "T10: for (i < t) op, unrolled")                                                            \
    X(INNER_BREAK, "inner-break", 1, F(IF) | F(FOR) | F(BREAK),                                   \
      "T11: loop { loop { if (c) break; } op }")                                                  \
    X(CASES, "cases", 15, F(SWITCH) | F(SWITCH_SHARED) | F(IF),                                   \
      "T12: switch { case k: op } of one op")                                                     \
    X(LATE_OP, "late-op", 2, F(IF) | F(FOR) | F(CONTINUE) | F(CONTINUE_CODE),                     \
      "T13: loop { if (c) continue; A } continue { op }")                                         \
    X(DENSE, "dense", 1, F(IF) | F(FOR) | F(CONTINUE),                                            \
      "T13: loop { if (c) continue; op; if (d) continue; op }")                                   \
    X(TWO_LEVELS, "two-levels", 1, F(IF) | F(FOR) | F(BREAK),                                     \
      "T14: loop { loop { if (c) { f = 1; break; } } if (f) break; op }")                         \
    X(FOLDED, "folded", 7, F(IF) | F(OP_REDUCE) | F(OP_SCAN),                                     \
      "T15: if (few) op(constant)")                                                               \
    X(QUADS, "quads", 5, F(IF) | F(OP_QUAD) | F(OP_QUAD_VOTE),                                    \
      "T16: if (part of each quad) quad op")                                                      \
    X(ONE_GROUP, "one-group", 1, F(IF) | F(GROUPS),                                               \
      "T18: if (WorkgroupId == k) op, or SubgroupId")                                             \
    X(BACK_TO_BACK, "back-to-back", 6, F(OP_SHUFFLE) | F(OP_BALLOT),                              \
      "T18: shuffle(shuffle(v))")                                                                 \
    X(CHAIN, "chain", 3, F(IF) | F(PHI) | F(OBSERVE_BRANCH),                                      \
      "p = a && op && ..., as branches; if (p) op")                                               \
    X(USED_INSIDE, "used-inside", 10, F(IF) | F(FOR) | F(SWITCH) | F(OBSERVE_LATER),               \
      "T7, T11: x = op; a case or a loop { use(x) }")                                             \
    X(AGAIN_AFTER, "again-behind", 2, F(IF) | F(FOR) | F(BREAK),                                 \
      "T6: x = op; if (c) leave; y = op")                                                         \
    X(GOES_ON, "goes-on", 2, F(IF) | F(FOR) | F(SWITCH) | F(CONTINUE),                            \
      "T12: loop { switch { case k: op; continue; } op }")                                        \
    X(WAY_OUT, "way-out", 1, F(IF) | F(FOR) | F(BREAK),                                           \
      "T1, T11, T13: loop { if (c) { loop { op } leave; } }")
// Shapes of public bug reports (grow_reported.c).
#define GROW_REPORTED_PATTERNS(X)                                                                  \
    X(WATERFALL_RETURNS, "waterfall-returns", 3,                                                  \
      F(IF) | F(FOR) | F(RETURN) | F(CALL) | F(OBSERVE_BRANCH) | F(OP_BROADCAST_FIRST),           \
      "T3, T14: loop { f = first(v); if (f == v) { op; return; } }")                              \
    X(LEADER_VALUE, "leader-value", 3,                                                            \
      F(IF) | F(PHI) | F(OBSERVE_BRANCH) | F(OP_ELECT) | F(OP_BROADCAST_FIRST),                   \
      "T9: if (elect) x = v; first(phi(x, undefined))")                                           \
    X(LEADER_ELSE, "leader-else", 3, F(ELSE) | F(OBSERVE_BRANCH) | F(OP_ELECT),                   \
      "T5, T9: if (elect) A; else op")                                                            \
    X(LATCH, "latch", 7,                                                                          \
      F(DO_WHILE) | F(DIVERGENT_TRIPS) | F(CONTINUE_CODE) | F(OBSERVE_BRANCH),                    \
      "T2, T8: loop { A } continue { x = op; v = ..; } while (x)")                                \
    X(PHI_THEN_LOOP, "phi-then-loop", 3,                                                          \
      F(IF) | F(ELSE) | F(PHI) | F(FOR) | F(DIVERGENT_TRIPS),                                     \
      "T9: p = phi of constants from arms of several blocks; for (i < p) op")                     \
    X(CONVERTED, "converted", 8, F(IF) | F(INT16) | F(OP_REDUCE) | F(OBSERVE_LATER),              \
      "T15: x = op(u16(a)); if (c) use(u16(x))")
// Quad shapes, with the operation as a parameter. The parameter after `has`: features of an
// operation that broadcasts one number in a quad, because the operand of a sample must be uniform
// there. Half of the programs with such operations begin with one of these.
#define GROW_QUAD_PATTERNS(X, OP, name, op, has, quad, early, phi, call, loop, cases, exit,        \
                           select)                                                                 \
    X(OP##_EARLY, name "-early", early, has | F(IF) | F(SWITCH) | F(OBSERVE_LATER),               \
      "T7, T16: d = " op "; in a branch or case: use(d)")                                         \
    X(OP##_PHI, name "-phi", phi, has | F(IF) | quad,                                             \
      "T5, T16: if (c) v = A; " op "(v)")                                                         \
    X(OP##_CALL, name "-call", call, has | F(IF) | F(CALL_VALUE) | F(RETURN) | quad,              \
      "T13, T16: " op "(f(v)), f left early by some")                                             \
    X(OP##_LOOP, name "-loop", loop, has | F(FOR) | F(DIVERGENT_TRIPS),                           \
      "T2, T16: loop by quad { " op "(i) }")                                                      \
    X(OP##_CASES, name "-cases", cases, has | F(SWITCH),                                          \
      "T12, T16: switch by quad { case k: " op " }")                                              \
    X(OP##_EXIT, name "-exit", exit, has | F(FOR) | F(IF) | F(BREAK) | quad,                      \
      "T8, T16: loop { v = ..; if (c) break; } " op "(v)")                                        \
    X(OP##_SELECT, name "-select", select, has | F(OBSERVE_LATER),                                \
      "T16: c ? " op "(a) : " op "(b), c of one lane")
// Only if derivatives are requested.
#define GROW_DERIVED_PATTERNS(X)                                                                   \
    GROW_QUAD_PATTERNS(X, DERIVED, "derived", "derivative", F(OP_DERIVATIVE), 0,                   \
                     22, 12, 8, 12, 8, 8, 8)
// Only if images are sampled.
#define GROW_SAMPLED_PATTERNS(X)                                                                   \
    GROW_QUAD_PATTERNS(X, SAMPLED, "sampled", "sample", F(OP_SAMPLE), F(OP_QUAD) | F(OP_BALLOT),   \
                     22, 6, 6, 10, 8, 8, 6)
// Only in the fragment stage.
#define GROW_FRAGMENT_PATTERNS(X)                                                                  \
    X(DEMOTE_SOME, "demote-some", 30, F(DEMOTE) | F(IF),                                          \
      "T19: if (c) demote; op")                                                                   \
    X(DEMOTE_KEPT, "demote-kept", 26, F(DEMOTE) | F(IF) | F(OBSERVE_LATER),                       \
      "T19: x = op; if (c) demote; op(x)")                                                        \
    X(DEMOTE_LOOP, "demote-loop", 20, F(DEMOTE) | F(IF) | F(FOR) | F(HELPERS) | F(BREAK),         \
      "T19: loop { op; if (c) demote; if (helper) break; }")                                      \
    X(DEMOTE_CALL, "demote-call", 16, F(DEMOTE) | F(IF) | F(CALL),                                \
      "T13, T19: f() { if (c) demote; } op")                                                      \
    X(DEMOTE_DERIVED, "demote-derived", 16, F(DEMOTE) | F(IF) | F(OP_DERIVATIVE) | F(FULL_QUADS), \
      "T16, T19: if (c) demote; derivative")                                                      \
    X(END_SOME, "end-some", 30, F(TERMINATE) | F(IF) | F(RETURN),                                 \
      "T19: if (c) { terminate, kill or return } op")                                             \
    X(HELPER_QUERY, "helper-told", 24, F(HELPERS) | F(IF) | F(OP_BALLOT) | F(DEMOTE),              \
      "T20: ballot(helper); if (c) demote; ballot(helper)")                                       \
    X(HELPER_VOTE, "helper-vote", 16, F(HELPERS) | F(IF) | F(OP_VOTE),                            \
      "T20: any(helper && c)")                                                                    \
    X(HELPER_QUAD, "helper-quad", 20, F(HELPERS) | F(IF) | F(OP_QUAD),                            \
      "T20: v = A; if (helper) v = B; quad op(v)")                                                \
    X(HELPER_LOOP, "helper-loop", 20,                                                             \
      F(HELPERS) | F(IF) | F(FOR) | F(DIVERGENT_TRIPS) | F(OP_QUAD),                              \
      "T20: for (i < (helper ? long : short)) v = ..; quad op(v)")                                \
    X(HELPER_INDEX, "helper-index", 16, F(HELPERS) | F(IF) | F(OP_QUAD),                          \
      "T20: quad op(in[helper ? i : k])")
// Only if there are images.
#define GROW_IMAGE_PATTERNS(X)                                                                     \
    X(EITHER_SAMPLER, "either-sampler", 14,                                                       \
      F(OP_SAMPLE) | F(OP_SAMPLE_LOD) | F(ELSE) | F(OBSERVE_LATER),                               \
      "T4, T9: if (c) v = sample(s1); else v = sample(s2)")                                       \
    X(INDEX_PHI, "index-phi", 12, F(OP_SAMPLE_LOD) | F(IF) | F(IMAGE_INDEX) | F(IMAGE_NONUNIFORM),\
      "T9: i = A; if (c) i = B; sample(images[i])")                                               \
    X(INDEX_WATERFALL, "index-waterfall", 8,                                                      \
      F(OP_SAMPLE_LOD) | F(IF) | F(FOR) | F(BREAK) | F(OBSERVE_BRANCH) |                          \
      F(OP_BROADCAST_FIRST) | F(IMAGE_INDEX) | F(IMAGE_NONUNIFORM),                               \
      "T3, T9: loop { f = first(i); if (f == i) { sample(images[f]); break; } }")                 \
    X(TEXEL_AGAIN, "texel-again", 8, F(OP_IMAGE) | F(IF),                                         \
      "T6: write and read a texel; if (c) again; again")
#define GROW_PATTERNS(X)                                                                           \
    GROW_FLOW_PATTERNS(X) GROW_REPORTED_PATTERNS(X) GROW_DERIVED_PATTERNS(X)                       \
    GROW_FRAGMENT_PATTERNS(X)                                                                      \
    GROW_SAMPLED_PATTERNS(X) GROW_IMAGE_PATTERNS(X)
// clang-format on

enum grow_pattern {
#define X(id, ...) PATTERN_##id,
    GROW_PATTERNS(X)
#undef X
        GROW_PATTERN_COUNT,
    PATTERN_REPORTED = PATTERN_WATERFALL_RETURNS, // from here on: shapes of public bug reports
    PATTERN_BY_NAME = PATTERN_DERIVED_EARLY, // from here on: shapes of features from GEN_BY_NAME on
    PATTERN_OF_FRAGMENTS = PATTERN_DEMOTE_SOME, // from here on: shapes of the fragment stage
    PATTERN_OF_IMAGES = PATTERN_SAMPLED_EARLY   // from here on: shapes with images
};

struct grow_pattern_row {
    struct gen_pattern shown;
    uint16_t share;
    gen_features features;
};
const struct grow_pattern_row *grow_pattern_row(enum grow_pattern i);

#endif
