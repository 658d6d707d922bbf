// SPDX-License-Identifier: Apache-2.0
//
// The version and commit of this build, set by cmake/version.cmake.
#include "base.h"

#include "tanglefuzz_commit.h"

const char *version_number(void)
{
    return TANGLEFUZZ_VERSION;
}

const char *version_commit(void)
{
    return TANGLEFUZZ_COMMIT;
}
