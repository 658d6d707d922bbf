// SPDX-License-Identifier: Apache-2.0
//
// How a run of a program ends, for every interpreter: the oracle, LLVM IR, machine code.
#ifndef TF_SPIRV_OUTCOME_H
#define TF_SPIRV_OUTCOME_H

#define OUTCOMES(X)                                                                                \
    X(RAN_OK, "ok")                                                                                \
    X(RAN_UNDEFINED, "undefined")     /* undefined behaviour: docs/rules.md; poison in LLVM IR */  \
    X(RAN_OVER_LIMIT, "over limit")   /* more instructions than step_limit: it may not end */      \
    X(RAN_UNSUPPORTED, "unsupported") /* an instruction, type or shape that is not implemented */  \
    X(RAN_INVALID, "invalid")         /* not a program, or one that cannot run */                  \
    X(RAN_STUCK, "stuck")             /* all wait at barriers that others never reach */           \
    X(RAN_FAULT, "fault")             /* an access outside of all memory, or a jump out of it */

enum ran {
#define X(id, name) id,
    OUTCOMES(X)
#undef X
};
// Returns the name: "ok", "over limit", ...
const char *ran_name(enum ran o);

#endif
