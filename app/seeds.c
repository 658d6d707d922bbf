// SPDX-License-Identifier: Apache-2.0
#define _GNU_SOURCE // strptime
#include "seeds.h"

#include <string.h>
#include <time.h>

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

bool seeds_of_day(const char *s, uint64_t *first)
{
    const time_t now = time(NULL);
    struct tm t = {0};
    gmtime_r(&now, &t);
    const char *end = strcmp(s, "today") == 0 ? "" : strptime(s, "%Y-%m-%d", &t);
    const int day = (t.tm_year + 1900) * 10000 + (t.tm_mon + 1) * 100 + t.tm_mday;
    if (!end || *end || t.tm_year < 0)
        return false;
    *first = (uint64_t)day * DAY_SEEDS;
    return true;
}
