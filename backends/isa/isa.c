// SPDX-License-Identifier: Apache-2.0
//
// Code shared by all machines: refusals, the shape of a dispatch, turns of waves.
#include "isa.h"

#include <stdarg.h>
#include <stdio.h>
#include <string.h>

bool isa_refuse(struct isa_result *out, enum ran s, uint32_t line, const char *fmt, ...)
{
    va_list ap;
    const char *what = s == RAN_UNSUPPORTED ? "unsupported: " : "";
    const size_t n = strlen(what);
    memcpy(out->text, what, n + 1);
    va_start(ap, fmt);
    vsnprintf(out->text + n, sizeof out->text - n - 20, fmt, ap);
    va_end(ap);
    if (line)
        snprintf(out->text + strlen(out->text), 20, " at line %u", line);
    // The text may contain bytes of an untrusted input.
    for (char *c = out->text; *c; c++)
        *c = *c < ' ' || *c > '~' ? '?' : *c;
    out->status = s;
    out->line = line;
    return false;
}

void isa_run(struct arena *a, const struct isa_code *code, const struct spv_case *c,
             const struct isa_options *o, struct isa_result *out)
{
    struct isa_options full = *o;
    full.step_limit = o->step_limit ? o->step_limit : 4000000;
    *out = (struct isa_result){0};
    code->run(a, code, c, &full, out);
}

bool isa_shape(struct arena *a, const struct spv_case *c, uint32_t local[3], uint32_t *invocations,
               struct isa_result *out)
{
    struct spv_module v;
    if (!spv_module_read(a, c->words, c->count, &v, NULL) || !spv_local_size(c, &v, local, NULL))
        return isa_refuse(out, RAN_INVALID, 0, "the case has no compute shader");
    const uint64_t all = (uint64_t)local[0] * local[1] * local[2];
    if (!all || all > 1024)
        return isa_refuse(out, RAN_UNSUPPORTED, 0, "workgroups of %llu", (unsigned long long)all);
    *invocations = (uint32_t)all;
    return true;
}

void isa_group(const struct spv_case *c, uint64_t i, uint32_t group[3])
{
    group[0] = (uint32_t)(i % c->groups[0]);
    group[1] = (uint32_t)(i / c->groups[0] % c->groups[1]);
    group[2] = (uint32_t)(i / c->groups[0] / c->groups[1]);
}

bool isa_groups(const struct spv_case *c, uint32_t group[3], void *machine, isa_group_fn *run)
{
    bool ok = true;
    for (uint64_t i = 0; ok && i < (uint64_t)c->groups[0] * c->groups[1] * c->groups[2]; i++) {
        isa_group(c, i, group);
        ok = run(machine);
    }
    return ok;
}

bool isa_turns(struct arena *a, void *machine, uint32_t waves, isa_turn_fn *turn)
{
    uint32_t *signals = ARENA_ARRAY(a, uint32_t, waves); // UINT32_MAX: ended
    for (uint32_t left = waves; left;) {
        uint32_t least = UINT32_MAX;
        for (uint32_t i = 0; i < waves; i++)
            least = signals[i] < least ? signals[i] : least;
        for (uint32_t i = 0; i < waves; i++) {
            if (signals[i] != least)
                continue;
            const enum isa_turn t = turn(machine, i);
            if (t == ISA_TURN_FAILED)
                return false;
            left -= t == ISA_TURN_ENDED;
            signals[i] = t == ISA_TURN_ENDED ? UINT32_MAX : signals[i] + 1;
        }
    }
    return true;
}
