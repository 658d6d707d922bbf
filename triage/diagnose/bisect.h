// SPDX-License-Identifier: Apache-2.0
//
// Finds the pass of an optimiser that turns agreement into a finding.
#ifndef TF_DIAGNOSE_BISECT_H
#define TF_DIAGNOSE_BISECT_H

#include "diagnose.h"

struct bisect {
    enum judge_class klass;  // class of the case with the whole target
    const char *target;      // the shortest list found that shows that class, as a target spec
    const char *list;        // the same without a limit on the passes inside of its last element
    const char *pass;        // its last pass: the class shows with it and not without it
    bool after_passes;       // it crashes after its passes: they lead to it, but are not at fault
    enum judge_class before; // class without the last pass
    // The pass of the back end in which the compiler crashes without any pass of the list, by the
    // crash's text; NULL: not such a crash. The functions below return false then.
    const char *back_end;
    uint32_t passes; // number of passes in that list
    uint32_t runs;   // of the target, in total
    // The module before and after the last pass, as text; NULL: it is not SPIR-V, or none was made.
    const char *code_before, *code_after;
};

// Runs the target repeatedly with parts of its list of passes: first finds the shortest prefix that
// shows the class of the whole list, then drops earlier passes as long as the class stays.
// Supports `spirv-opt:...` (-O, -Os, --legalize-hlsl and random are expanded),
// `exec-compiler:PROGRAM PASSES {in} -o {out}` if the program's name starts with "spirv-opt", and
// chains that begin with one of them; `llvm:passes=...`, where a pass inside an element that stands
// for many ("default<O3>") is found by running only the first N; `clang-hlsl:-O3` by the same
// method: there few passes may leave nothing that can be judged, see `before`. Each run has a
// worker process of its own, so passes may crash or hang. False with a message in `e`: the target
// agrees on the case, it has no passes, it fails without any, or its expanded list does not show
// the class.
bool bisect_passes(struct arena *a, struct spv_tools *tools, const struct prediction *p,
                   const char *target, const char *self, const struct run_options *o,
                   struct bisect *out, struct err *e);
// Predicts the case for `subgroup` lanes (0: the target's size). NULL with a message in `e`: the
// target cannot be opened, or the case has no expected result.
const struct prediction *bisect_predict(struct arena *a, const struct spv_case *c,
                                        uint32_t subgroup, const char *target, const char *self,
                                        const struct run_options *o, struct err *e);
// The same for a case without a prediction: predicts it for `subgroup` lanes (0: the target's
// size). *p is the prediction, in `a`.
bool bisect_case(struct arena *a, struct spv_tools *tools, const struct spv_case *c,
                 uint32_t subgroup, const char *target, const char *self,
                 const struct run_options *o, const struct prediction **p, struct bisect *out,
                 struct err *e);
// Reports whether the target has several passes to bisect. An element that stands for many counts
// as several.
bool bisect_has_passes(const char *target);

#endif
