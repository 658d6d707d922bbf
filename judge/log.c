// SPDX-License-Identifier: Apache-2.0
//
// Reads the observation log. Rows come from devices and may hold any words; nothing beyond the row
// is read.
#include "judge.h"

#include <string.h>

bool judge_log_next(struct judge_cursor *c, struct judge_entry *out)
{
    if (c->stride == 0)
        return false;
    uint32_t used = c->row[0] < c->stride - 1 ? c->row[0] : c->stride - 1;
    uint32_t header = c->at == 0 ? 1 : c->at;
    if (header > used)
        return false;
    uint32_t n = c->row[header] & 0xff;
    if (n > used - header)
        return false;
    *out = (struct judge_entry){.site = c->row[header] >> 8 & 0xffff,
                                .n = n,
                                .ballots = c->row[header] >> 24,
                                .at = header + 1};
    c->at = header + 1 + n;
    return true;
}

static void add(char *out, size_t size, size_t *at, const char *s)
{
    size_t n = strlen(s);
    if (*at + n + 1 > size)
        return;
    memcpy(out + *at, s, n + 1);
    *at += n;
}

void judge_lane_set(uint32_t word, char *out, size_t size)
{
    size_t at = 0;
    add(out, size, &at, "{");
    for (unsigned l = 0; l < 32; l++) {
        if (!(word >> l & 1))
            continue;
        unsigned end = l;
        while (end < 31 && word >> (end + 1) & 1)
            end++;
        char part[32];
        snprintf(part, sizeof part,
                 end == l       ? "%s%u"
                 : end == l + 1 ? "%s%u,%u"
                                : "%s%u-%u",
                 at > 1 ? "," : "", l, end);
        add(out, size, &at, part);
        l = end;
    }
    add(out, size, &at, "}");
}
