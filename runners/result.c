// SPDX-License-Identifier: Apache-2.0
//
// Names of statuses, the text of a result, and the time spent for it: for both sides, and for the
// device program.
#include "backend.h"

#include <string.h>

const char *run_status_name(enum run_status s)
{
    static const char *const names[RUN_STATUSES] = {
        [RUN_OK] = "ok",
        [RUN_REJECTED] = "rejected",
        [RUN_CRASHED] = "crashed",
        [RUN_HUNG] = "hung",
        [RUN_DEVICE_LOST] = "device lost",
        [RUN_MEMORY] = "out of its memory",
        [RUN_INVALID] = "invalid output",
        [RUN_COMPILED] = "compiled",
        [RUN_SKIPPED] = "skipped",
        [RUN_FAILED] = "failed",
    };
    return (unsigned)s < RUN_STATUSES ? names[s] : "unknown";
}

void one_line(char *out, size_t size, const char *text, size_t n)
{
    while (n && (unsigned char)text[n - 1] <= ' ')
        n--;
    // Copies from the end, because the last words are the most informative.
    size_t need = 0, from = n;
    while (from > 0) {
        need += text[from - 1] == '\n' ? 3 : 1;
        if (need > size - 1)
            break;
        from--;
    }
    size_t at = 0;
    for (size_t i = from; i < n; i++) {
        if (text[i] == '\n') {
            memcpy(out + at, " / ", 3);
            at += 3;
        } else {
            out[at++] = (unsigned char)text[i] < 32 || text[i] == 127 ? ' ' : text[i];
        }
    }
    out[at] = 0;
    text_mend(out); // the text becomes part of a finding's signature and of its JSON file
}

// ---- time spent in targets ------------------------------------------------------------

struct run_time run_time_now(void)
{
    return (struct run_time){now_seconds(), cpu_seconds()};
}

struct run_time run_time_since(struct run_time start)
{
    return (struct run_time){now_seconds() - start.wall, cpu_seconds() - start.cpu};
}

void run_time_add(struct run_result *r, struct run_time t)
{
    r->driver_seconds += t.wall;
    r->driver_cpu += t.cpu;
}
