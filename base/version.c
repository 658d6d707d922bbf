// SPDX-License-Identifier: Apache-2.0
//
// Which tanglefuzz this is. The build knows (cmake/version.cmake).
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
