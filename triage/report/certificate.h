// SPDX-License-Identifier: Apache-2.0
//
// A certificate: which small programs (generator/enumerate/README.md) a target got right.
#ifndef TF_REPORT_CERTIFICATE_H
#define TF_REPORT_CERTIFICATE_H

#include "base/base.h"

enum { CERTIFICATE_SIZES = 8 };

struct certificate_finding {
    const char *name;            // of its folder, which begins with the program's number
    const char *title, *program; // program: the sketch
};
struct certificate {
    const char *target, *version; // version: of the driver or compiler
    const char *stage, *model;
    uint32_t subgroup, inputs;
    uint32_t size;                       // programs of at most so many constructs and operations
    uint64_t count;                      // there are so many
    uint64_t by_size[CERTIFICATE_SIZES]; // [size]
    uint64_t first, end;                 // numbers that were asked for
    uint64_t done;                       // all numbers before it are done
    uint64_t left_out;                   // programs that need what the target does not offer
    const char *without;                 // what that is: "shared, elect"
    uint64_t cases;                      // programs with one input set each
    uint64_t agreed, skipped, unjudged, compiled, flaky, wrong;
    uint64_t nothing; // cases in which no operation ran, or no bit could be compared
    double seconds;
    const struct certificate_finding *finding; // at most one for each folder
    uint32_t findings;
};
// True if all programs up to the size were run but those that are left out, each case agreed or has
// nothing to compare, and at least as many cases agreed as programs were run.
bool certificate_holds(const struct certificate *c);
// Adds it as JSON (`json`) or as a page in Markdown.
void certificate_write(const struct certificate *c, bool json, struct text *out);

#endif
