// SPDX-License-Identifier: Apache-2.0
//
// The names of outcomes.
#include "outcome.h"

const char *ran_name(enum ran o)
{
    static const char *const names[] = {
#define X(id, name) [id] = name,
        OUTCOMES(X)
#undef X
    };
    return names[o];
}
