// SPDX-License-Identifier: Apache-2.0
//
// The rules that a tangle can be fixed by: their names, what they say in our words, and the section
// of the extension's "Maximal Reconvergence" that says it (docs/rules.md).
#include "diagnose.h"

#include <string.h>

static const struct {
    const char *name, *text, *section;
} rules[DIAG_RULES] = {
    [DIAG_NO_RULE] = {"", "", ""},
    [DIAG_I1] = {"I1", "an entry point's first instruction is executed by all invocations together",
                 "Initial State"},
    [DIAG_D1] = {"D1",
                 "a conditional branch splits a tangle into at most two parts, by the value of its "
                 "condition; those who take the same side stay together, and nobody else is with "
                 "them",
                 "Divergence"},
    [DIAG_D2] = {"D2",
                 "invocations with the same selector value that enter the same case construct stay "
                 "together",
                 "Divergence"},
    [DIAG_D3] = {"D3",
                 "invocations with different selector values that enter the same case construct "
                 "may or may not be together",
                 "Divergence"},
    [DIAG_D5] = {"D5", "nothing but a divergent branch or switch splits a tangle", "Divergence"},
    [DIAG_M1] = {"M1",
                 "at the merge block of a selection all invocations join again that executed its "
                 "merge instruction together, except those who left by another way",
                 "Reconvergence"},
    [DIAG_M2] = {"M2",
                 "at a case that another case falls into, those who enter it from the switch stay "
                 "together",
                 "Reconvergence"},
    [DIAG_M3] = {"M3",
                 "at a loop's merge block all invocations join that entered the loop together, "
                 "whatever the iteration they left in",
                 "Reconvergence"},
    [DIAG_M4] = {"M4",
                 "at a loop's continue target all invocations of the iteration join that go on to "
                 "the next one, and they start it together",
                 "Reconvergence"},
    [DIAG_M5] = {"M5",
                 "after a function call all invocations join that made the call together, however "
                 "early each of them returned",
                 "Reconvergence"},
    [DIAG_M6] = {"M6",
                 "invocations join nowhere but at merge blocks, continue targets and after calls; "
                 "code on the way out of a loop runs apart, iteration by iteration",
                 "Non-reconvergence"},
    [DIAG_E1] = {"E1", "who executes OpTerminateInvocation or OpKill is in no later tangle",
                 "Reconvergence"},
    [DIAG_R8] = {"R8",
                 "a derivative is a difference between the four invocations of the quad, which all "
                 "execute it",
                 "Derivative Operations"},
    [DIAG_R10] = {"R10",
                  "where a descriptor differs between those who execute an instruction together, "
                  "its operand must be decorated NonUniform, and then each uses its own",
                  "NonUniform"},
    [DIAG_R11] = {"R11",
                  "an implicit level follows from the derivatives of the coordinates in the quad, "
                  "and its bias",
                  "Image Operations"},
    [DIAG_R13] =
        {"R13",
         "a helper invocation executes what the others do, with them, as long as its quad lives; "
         "only its stores and atomics have no effect; a demoted invocation is one from there on",
         "Helper Invocations"},
    [DIAG_R15] =
        {"R15",
         "OpIsHelperInvocationEXT, and a volatile load of HelperInvocation, tell who is one now",
         "HelperInvocation"},
};

const char *diag_rule_name(enum diag_rule r)
{
    return rules[r].name;
}

const char *diag_rule_text(enum diag_rule r)
{
    return rules[r].text;
}

bool diag_rule_is_vulkan(enum diag_rule r)
{
    return r >= DIAG_R8;
}

const char *diag_rule_section(enum diag_rule r)
{
    return rules[r].section;
}

enum diag_rule diag_rule_find(const char *name)
{
    for (int r = 1; r < DIAG_RULES; r++)
        if (strcmp(rules[r].name, name) == 0)
            return (enum diag_rule)r;
    return DIAG_NO_RULE;
}
