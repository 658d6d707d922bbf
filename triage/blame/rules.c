// SPDX-License-Identifier: Apache-2.0
//
// The rules that a tangle can be fixed by: their names, what they say in our words, and the section of
// the extension's "Maximal Reconvergence" that says it (docs/rules.md).
#include "blame.h"

#include <string.h>

static const struct {
    const char *name, *text, *section;
} rules[BLAME_RULES] = {
    [BLAME_NO_RULE] = {"", "", ""},
    [BLAME_I1] = {"I1",
                  "an entry point's first instruction is executed by all invocations together",
                  "Initial State"},
    [BLAME_D1] =
        {"D1", "a conditional branch splits a tangle into at most two parts, by the value of its "
               "condition; those who take the same side stay together, and nobody else is with "
               "them",
                  "Divergence"},
    [BLAME_D2] =
        {"D2", "invocations with the same selector value that enter the same case construct stay "
               "together",
                  "Divergence"},
    [BLAME_D3] = {"D3",
                  "invocations with different selector values that enter the same case construct "
                  "may or may not be together",
                  "Divergence"},
    [BLAME_D5] = {"D5", "nothing but a divergent branch or switch splits a tangle",
                  "Divergence"},
    [BLAME_M1] = {"M1",
                  "at the merge block of a selection all invocations join again that executed its "
                  "merge instruction together, except those who left by another way",
                  "Reconvergence"},
    [BLAME_M2] = {"M2",
                  "at a case that another case falls into, those who enter it from the switch stay "
                  "together",
                  "Reconvergence"},
    [BLAME_M3] = {"M3",
                  "at a loop's merge block all invocations join that entered the loop together, "
                  "whatever the iteration they left in",
                  "Reconvergence"},
    [BLAME_M4] = {"M4",
                  "at a loop's continue target all invocations of the iteration join that go on to "
                  "the next one, and they start it together",
                  "Reconvergence"},
    [BLAME_M5] = {"M5",
                  "after a function call all invocations join that made the call together, however "
                  "early each of them returned",
                  "Reconvergence"},
    [BLAME_M6] = {"M6",
                  "invocations join nowhere but at merge blocks, continue targets and after calls; "
                  "code on the way out of a loop runs apart, iteration by iteration",
                  "Non-reconvergence"},
    [BLAME_E1] = {"E1", "who executes OpTerminateInvocation or OpKill is in no later tangle", "Reconvergence"},
    [BLAME_R8] = {"R8", "a derivative is a difference between the four invocations of the quad, which all execute it",
                  "Derivative Operations"},
    [BLAME_R10] = {"R10",
                   "where a descriptor differs between those who execute an instruction together, its operand must "
                   "be decorated NonUniform, and then each uses its own",
                   "NonUniform"},
    [BLAME_R11] = {"R11", "an implicit level follows from the derivatives of the coordinates in the quad, and its bias",
                   "Image Operations"},
    [BLAME_R13] = {"R13",
                   "a helper invocation executes what the others do, with them, as long as its quad lives; only its "
                   "stores and atomics have no effect; a demoted invocation is one from there on",
                   "Helper Invocations"},
    [BLAME_R15] = {"R15", "OpIsHelperInvocationEXT, and a volatile load of HelperInvocation, tell who is one now",
                   "HelperInvocation"},
};

const char *blame_rule_name(enum blame_rule r)
{
    return rules[r].name;
}

const char *blame_rule_text(enum blame_rule r)
{
    return rules[r].text;
}

bool blame_rule_is_vulkan(enum blame_rule r)
{
    return r >= BLAME_R8;
}

const char *blame_rule_section(enum blame_rule r)
{
    return rules[r].section;
}

enum blame_rule blame_rule_find(const char *name)
{
    for (int r = 1; r < BLAME_RULES; r++)
        if (strcmp(rules[r].name, name) == 0)
            return (enum blame_rule)r;
    return BLAME_NO_RULE;
}
