// SPDX-License-Identifier: Apache-2.0
//
// The names of the classes. A new class: a row here, in the order of the enum.
#include "triage.h"

enum kind { GOOD, MISMATCH, FAULT, ASIDE };

static const struct {
    const char *name, *line;
    enum kind kind;
} classes[TRI_CLASSES] = {
    [TRI_AGREES] = {"agrees", "observed is what was expected", GOOD},
    [TRI_WRONG_VALUE] = {"wrong-value", "an operation gave another value than it must", MISMATCH},
    [TRI_MISSING_LANES] = {"missing-lanes", "a ballot lacks lanes that must be in its tangle",
                           MISMATCH},
    [TRI_EXTRA_LANES] = {"extra-lanes", "a ballot has lanes that must not be in its tangle",
                         MISMATCH},
    [TRI_WRONG_SET] = {"wrong-set", "a ballot lacks lanes of its tangle and has lanes of another",
                       MISMATCH},
    [TRI_MISSING_EXECUTION] = {"missing-execution",
                               "an invocation did not reach a place that it must reach", MISMATCH},
    [TRI_EXTRA_EXECUTION] = {"extra-execution",
                             "an invocation reached a place that it must not reach", MISMATCH},
    [TRI_WRONG_MEMORY] = {"wrong-memory", "a buffer holds other words than it must", MISMATCH},
    [TRI_WRONG_MAPPING] = {"wrong-mapping",
                           "subgroup ids and lanes as the shader saw them cannot be", MISMATCH},
    [TRI_CRASH] = {"crash", "the driver or compiler crashed", FAULT},
    [TRI_HANG] = {"hang", "the driver, compiler or shader did not come to an end", FAULT},
    [TRI_DEVICE_LOST] = {"device-lost", "the device was lost", FAULT},
    [TRI_MEMORY] = {"memory", "the worker took more memory than it may", FAULT},
    [TRI_REJECTED] = {"rejected", "a valid module was refused", FAULT},
    [TRI_INVALID_OUTPUT] = {"invalid-output", "the module that came out is not valid", FAULT},
    [TRI_UNDEFINED_OUTPUT] = {"undefined-output",
                              "the module that came out has undefined behaviour, the one that "
                              "went in has not",
                              FAULT},
    [TRI_COMPILED] = {"compiled", "the driver took the module; nothing was run", ASIDE},
    [TRI_NOTHING_COMPARED] = {"nothing-compared", "no bit that the shader wrote could be compared",
                              ASIDE},
    [TRI_AMBIGUOUS] = {"ambiguous",
                       "the rules leave a choice, and none that was tried explains it", ASIDE},
    [TRI_FLAKY] = {"flaky", "it did not repeat often enough", ASIDE},
    [TRI_SKIPPED] = {"skipped", "the target does not offer what the case needs", ASIDE},
    [TRI_UNDEFINED] = {"undefined", "nothing may be expected of the case", ASIDE},
    [TRI_FAILED] = {"failed", "the environment failed", ASIDE},
};

const char *tri_class_name(enum tri_class c)
{
    return (unsigned)c < TRI_CLASSES ? classes[c].name : "unknown";
}

const char *tri_class_line(enum tri_class c)
{
    return (unsigned)c < TRI_CLASSES ? classes[c].line : "unknown";
}

bool tri_class_is_finding(enum tri_class c)
{
    return (unsigned)c < TRI_CLASSES && (classes[c].kind == MISMATCH || classes[c].kind == FAULT);
}

bool tri_class_is_mismatch(enum tri_class c)
{
    return (unsigned)c < TRI_CLASSES && classes[c].kind == MISMATCH;
}
