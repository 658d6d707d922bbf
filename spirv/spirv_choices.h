// SPDX-License-Identifier: Apache-2.0
//
// spirv_choices: what the rules leave to an implementation, as a case's policy line tells it.
#ifndef TF_SPIRV_CHOICES_H
#define TF_SPIRV_CHOICES_H

#include "base/base.h"

// What the implementation chose where the rules let it (R3): which lanes share
// a tangle at a case construct that several selector values enter, or that
// another case falls through to.
enum spv_policy {
    SPV_POLICY_JOIN,   // all join: direct entries, and fall-through
    SPV_POLICY_DIRECT, // direct entries join, fall-through does not
    SPV_POLICY_SPLIT,  // only equal selector values stay together
    SPV_POLICIES
};
const char *spv_policy_name(enum spv_policy p);

// Which difference of its quad a coarse derivative gives along an axis: that of the invocation's
// own row or column (a fine one), of the first (the one of quad index 0), of the other.
enum spv_coarse { SPV_COARSE_OWN, SPV_COARSE_FIRST, SPV_COARSE_OTHER, SPV_COARSES };

// All choices of one implementation in one module: `base`, but for the places that are
// told apart: a case construct by its label, and one time that it is reached by the
// dynamic instance of its switch (orc_point) as well. The last one that fits counts.
// And of derivatives (R9): what coarse ones give along x and y, and whether plain ones are coarse.
enum { SPV_CHOICES = 48 };
struct spv_choices {
    enum spv_policy base;
    struct spv_derivatives {
        uint8_t x, y; // enum spv_coarse
        bool plain_is_coarse;
    } derivatives;
    bool quads_end; // of fragment shaders: a quad in which only helpers are left ends at once (D4)
    uint32_t count;
    struct spv_choice {
        uint32_t label; // id of the case construct's OpLabel
        enum spv_policy policy;
        uint64_t instance; // 0: whenever it is reached
    } at[SPV_CHOICES];
};
// Number i of all that differ; false after the last. The first is zeros: all fine.
enum { SPV_DERIVATIVES = 17 };
bool spv_derivatives_nth(uint32_t i, struct spv_derivatives *out);
// As the case file spells it: "join coarse=first,own plain=coarse 23=split 31@9c3f=direct".
void spv_choices_print(const struct spv_choices *p, struct text *out);
bool spv_choices_parse(const char *text, size_t size, struct spv_choices *out, struct err *e);

#endif
