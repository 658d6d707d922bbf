// SPDX-License-Identifier: Apache-2.0
#include "seeds.h"

#include <string.h>

bool seeds_read(const char *s, uint64_t *first, uint64_t *end)
{
    size_t n = strcspn(s, ":");
    if (!parse_u64(s, n, first) || *first == UINT64_MAX)
        return false;
    *end = *first + 1;
    if (!s[n])
        return true;
    *end = UINT64_MAX;
    return !s[n + 1] || (parse_u64(s + n + 1, strlen(s + n + 1), end) && *end > *first);
}
