// SPDX-License-Identifier: Apache-2.0
//
// Which pass of an optimiser turns agreement into a finding.
#ifndef TF_DIAGNOSE_BISECT_H
#define TF_DIAGNOSE_BISECT_H

#include "diagnose.h"

struct bisect {
    enum judge_class klass;  // what the whole target makes of the case
    const char *target;      // the shortest list found that shows the same class, as a target text
    const char *pass;        // its last pass: with it the class, without it none; "--merge-return"
    bool behind;             // it crashes behind its passes: they lead to it, and are not at fault
    enum judge_class before; // what it is without the last pass
    uint32_t passes;         // in that list
    uint32_t runs;           // of the target, in all
};

// Asks the target again and again with parts of its list of passes: the shortest beginning
// that shows the class of the whole, then passes before its last one are left out as long as the
// class stays. Knows `spirv-opt:...` (-O, -Os, --legalize-hlsl and random spelled out),
// `exec-compiler:PROGRAM PASSES {in} -o {out}` where the program's name starts with "spirv-opt",
// and chains that begin with one of them; `llvm:passes=...`, where of a part that stands for many
// ("default<O3>") the pass inside of it is found by running only the first N; `clang-hlsl:-O3` in
// the same way: there few passes may leave nothing that can be judged, see `before`. Each try has a
// worker of its own, so passes may crash or hang. False with one line: the case agrees with the
// target, the target has no passes, it is wrong without any, or its list spelled out does not show
// the class.
bool bisect_passes(struct arena *a, struct spv_tools *tools, const struct prediction *p,
                   const char *target, const char *self, const struct run_options *o,
                   struct bisect *out, struct err *e);
// The same for a case by itself: predicted for `subgroup`, 0: for the target's size. *p is the
// prediction, in `a`.
bool bisect_case(struct arena *a, struct spv_tools *tools, const struct spv_case *c,
                 uint32_t subgroup, const char *target, const char *self,
                 const struct run_options *o, const struct prediction **p, struct bisect *out,
                 struct err *e);
// Has the target more than one pass, so that there is something to find? Those that stand for many
// are more than one.
bool bisect_has_passes(const char *target);
// Does the list that was found hold for smaller cases as well? One that a limit cuts does not.
bool bisect_is_list(const struct bisect *b);

#endif
