// SPDX-License-Identifier: Apache-2.0
//
// Names of the verdict classes. To add a class, add a row here, in the order of the enum.
#include "judge.h"

enum kind { GOOD, MISMATCH, FAULT, ASIDE };

static const struct {
    const char *name, *line;
    enum kind kind;
} classes[JUDGE_CLASSES] = {
    [JUDGE_AGREES] = {"agrees", "the observed memory is the expected one", GOOD},
    [JUDGE_WRONG_VALUE] = {"wrong-value", "an operation returned a wrong value", MISMATCH},
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
    [JUDGE_WRONG_MEMORY] = {"wrong-memory", "a buffer holds wrong words", MISMATCH},
    [JUDGE_WRONG_MAPPING] = {"wrong-mapping",
                             "the subgroup ids and lanes that the shader read are impossible",
                             MISMATCH},
    [JUDGE_WRONG_COVERAGE] =
        {"wrong-coverage",
         "a draw ran for impossible pixels or vertices, or in impossible subgroups or quads",
         MISMATCH},
    [JUDGE_CRASH] = {"crash", "the driver or compiler crashed", FAULT},
    [JUDGE_HANG] = {"hang", "the driver, compiler or shader did not terminate", FAULT},
    [JUDGE_DEVICE_LOST] = {"device-lost", "the device was lost", FAULT},
    [JUDGE_MEMORY] = {"memory", "the worker exceeded its memory limit", FAULT},
    [JUDGE_REJECTED] = {"rejected", "a valid module was rejected", FAULT},
    [JUDGE_INVALID_OUTPUT] = {"invalid-output", "the compiler's output is not a valid module",
                              FAULT},
    [JUDGE_SCHEDULE] =
        {"schedule-dependent",
         "the result of the machine code depends on which lanes of a warp run first, or "
         "on which lane's value is used for all",
         FAULT},
    [JUDGE_UNDEFINED_OUTPUT] = {"undefined-output",
                                "the compiler's output has undefined behaviour, and its input "
                                "has not",
                                FAULT},
    [JUDGE_EARLY_USE] =
        {"early-use",
         "machine code uses a register before waiting for its load, and memory is wrong", FAULT},
    [JUDGE_COMPILED] = {"compiled", "the driver accepted the module; nothing was run", ASIDE},
    [JUDGE_NOTHING_COMPARED] = {"nothing-compared",
                                "no bit that the shader wrote could be compared", ASIDE},
    [JUDGE_AMBIGUOUS] =
        {"ambiguous", "the rules leave a choice, and no choice that was tried explains the result",
         ASIDE},
    [JUDGE_FLAKY] = {"flaky", "the finding did not repeat often enough", ASIDE},
    [JUDGE_UNJUDGED] = {"unjudged", "the oracle cannot decide whether the output is right", ASIDE},
    [JUDGE_SKIPPED] = {"skipped", "the target does not offer what the case needs", ASIDE},
    [JUDGE_UNDEFINED] = {"undefined", "the case has no expected result", ASIDE},
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
