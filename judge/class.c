// SPDX-License-Identifier: Apache-2.0
//
// The names of the classes. A new class: a row here, in the order of the enum.
#include "judge.h"

enum kind { GOOD, MISMATCH, FAULT, ASIDE };

static const struct {
    const char *name, *line;
    enum kind kind;
} classes[JUDGE_CLASSES] = {
    [JUDGE_AGREES] = {"agrees", "observed is what was expected", GOOD},
    [JUDGE_WRONG_VALUE] = {"wrong-value", "an operation gave another value than it must", MISMATCH},
    [JUDGE_MISSING_LANES] = {"missing-lanes", "a ballot lacks lanes that must be in its tangle",
                             MISMATCH},
    [JUDGE_EXTRA_LANES] = {"extra-lanes", "a ballot has lanes that must not be in its tangle",
                           MISMATCH},
    [JUDGE_WRONG_SET] = {"wrong-set", "a ballot lacks lanes of its tangle and has lanes of another",
                         MISMATCH},
    [JUDGE_MISSING_EXECUTION] = {"missing-execution",
                                 "an invocation did not reach a place that it must reach",
                                 MISMATCH},
    [JUDGE_EXTRA_EXECUTION] = {"extra-execution",
                               "an invocation reached a place that it must not reach", MISMATCH},
    [JUDGE_WRONG_MEMORY] = {"wrong-memory", "a buffer holds other words than it must", MISMATCH},
    [JUDGE_WRONG_MAPPING] = {"wrong-mapping",
                             "subgroup ids and lanes as the shader saw them cannot be", MISMATCH},
    [JUDGE_WRONG_COVERAGE] =
        {"wrong-coverage",
         "a draw ran for pixels or vertices, or in subgroups and quads, that cannot be", MISMATCH},
    [JUDGE_CRASH] = {"crash", "the driver or compiler crashed", FAULT},
    [JUDGE_HANG] = {"hang", "the driver, compiler or shader did not come to an end", FAULT},
    [JUDGE_DEVICE_LOST] = {"device-lost", "the device was lost", FAULT},
    [JUDGE_MEMORY] = {"memory", "the worker took more memory than it may", FAULT},
    [JUDGE_REJECTED] = {"rejected", "a valid module was refused", FAULT},
    [JUDGE_INVALID_OUTPUT] = {"invalid-output", "the module that came out is not valid", FAULT},
    [JUDGE_SCHEDULE] =
        {"schedule-dependent",
         "what the machine code leaves depends on which part of a warp runs first, or "
         "on which lane's value is taken for all",
         FAULT},
    [JUDGE_UNDEFINED_OUTPUT] = {"undefined-output",
                                "the module that came out has undefined behaviour, the one that "
                                "went in has not",
                                FAULT},
    [JUDGE_EARLY_USE] =
        {"early-use",
         "machine code uses a register before its load is waited for, and memory shows it", FAULT},
    [JUDGE_COMPILED] = {"compiled", "the driver took the module; nothing was run", ASIDE},
    [JUDGE_NOTHING_COMPARED] = {"nothing-compared",
                                "no bit that the shader wrote could be compared", ASIDE},
    [JUDGE_AMBIGUOUS] = {"ambiguous",
                         "the rules leave a choice, and none that was tried explains it", ASIDE},
    [JUDGE_FLAKY] = {"flaky", "it did not repeat often enough", ASIDE},
    [JUDGE_UNJUDGED] = {"unjudged", "the oracle cannot tell whether the output is right", ASIDE},
    [JUDGE_SKIPPED] = {"skipped", "the target does not offer what the case needs", ASIDE},
    [JUDGE_UNDEFINED] = {"undefined", "nothing may be expected of the case", ASIDE},
    [JUDGE_FAILED] = {"failed", "the environment failed", ASIDE},
};

const char *judge_class_name(enum judge_class c)
{
    return (unsigned)c < JUDGE_CLASSES ? classes[c].name : "unknown";
}

const char *judge_class_line(enum judge_class c)
{
    return (unsigned)c < JUDGE_CLASSES ? classes[c].line : "unknown";
}

bool judge_class_is_finding(enum judge_class c)
{
    return (unsigned)c < JUDGE_CLASSES && (classes[c].kind == MISMATCH || classes[c].kind == FAULT);
}

bool judge_class_is_mismatch(enum judge_class c)
{
    return (unsigned)c < JUDGE_CLASSES && classes[c].kind == MISMATCH;
}

bool judge_class_is_mapping(enum judge_class c)
{
    return c == JUDGE_WRONG_MAPPING || c == JUDGE_WRONG_COVERAGE;
}

bool judge_weak(enum spv_model m)
{
    return m == SPV_SUBGROUP_UNIFORM || m == SPV_WORKGROUP_UNIFORM;
}
