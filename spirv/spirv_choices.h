// SPDX-License-Identifier: Apache-2.0
//
// spirv_choices: what the rules leave to an implementation. Printed and parsed as a case's policy
// line.
#ifndef TF_SPIRV_CHOICES_H
#define TF_SPIRV_CHOICES_H

#include "base/base.h"

// The implementation's choice under R3: which lanes share a tangle at a case construct that is
// entered by several selector values or by fall-through.
enum spv_policy {
    SPV_POLICY_JOIN,   // all join: direct entries and fall-through
    SPV_POLICY_DIRECT, // direct entries join, fall-through does not
    SPV_POLICY_SPLIT,  // only equal selector values stay together
    SPV_POLICIES
};
const char *spv_policy_name(enum spv_policy p);

// The difference that a coarse derivative returns along an axis: that of the invocation's own row
// or column (as a fine one does), of the first (which contains quad index 0), or of the other.
enum spv_coarse { SPV_COARSE_OWN, SPV_COARSE_FIRST, SPV_COARSE_OTHER, SPV_COARSES };

// All choices of one implementation for one module. `base` applies everywhere except at the places
// in at[]. A place is a case construct, named by its label; with `instance`, only one arrival at
// it, named by the dynamic instance of its switch (orc_point). The last place that matches applies.
// Derivatives (R9): what coarse ones return along x and y, and whether plain ones are coarse.
enum { SPV_CHOICES = 48 };
struct spv_choices {
    enum spv_policy base;
    struct spv_derivatives {
        uint8_t x, y; // enum spv_coarse
        bool plain_is_coarse;
    } derivatives;
    bool quads_end; // fragment shaders: a quad with only helpers left ends at once (D4)
    uint32_t count;
    struct spv_choice {
        uint32_t label; // id of the case construct's OpLabel
        enum spv_policy policy;
        uint64_t instance; // 0: every arrival
    } at[SPV_CHOICES];
};
// Returns choice number i of all distinct ones; false after the last. Number 0 is all zeros: coarse
// and plain derivatives return what fine ones return.
enum { SPV_DERIVATIVES = 17 };
bool spv_derivatives_nth(uint32_t i, struct spv_derivatives *out);
// Print and parse the syntax of the case file: "join coarse=first,own plain=coarse quads=end
// 23=split 31@9c3f=direct". Only the first word is required. Parsing returns false with a message
// in `e` for other words, and for more than SPV_CHOICES places.
void spv_choices_print(const struct spv_choices *p, struct text *out);
bool spv_choices_parse(const char *text, size_t size, struct spv_choices *out, struct err *e);

#endif
