// SPDX-License-Identifier: Apache-2.0
//
// What all machines share: refusals, the shape of a dispatch, schedules, the answer.
#include "isa.h"

#include <stdarg.h>
#include <stdio.h>
#include <string.h>

bool isa_refuse(struct isa_result *out, enum isa_status s, uint32_t line, const char *fmt, ...)
{
    va_list ap;
    const char *what = s == ISA_UNSUPPORTED ? "unsupported: " : "";
    const size_t n = strlen(what);
    memcpy(out->text, what, n + 1);
    va_start(ap, fmt);
    vsnprintf(out->text + n, sizeof out->text - n - 20, fmt, ap);
    va_end(ap);
    if (line)
        snprintf(out->text + strlen(out->text), 20, " at line %u", line);
    // Words of a text that may be anybody's.
    for (char *c = out->text; *c; c++)
        *c = *c < ' ' || *c > '~' ? '?' : *c;
    out->status = s;
    out->line = line;
    return false;
}

void isa_run(struct arena *a, const struct isa_code *code, const struct spv_case *c,
             const struct isa_options *o, struct isa_result *out)
{
    *out = (struct isa_result){0};
    code->run(a, code, c, o, out);
}

bool isa_shape(struct arena *a, const struct spv_case *c, uint32_t local[3], uint32_t *invocations,
               struct isa_result *out)
{
    struct spv_module v;
    if (!spv_module_read(a, c->words, c->count, &v, NULL) || !spv_local_size(c, &v, local, NULL))
        return isa_refuse(out, ISA_INVALID, 0, "the case has no compute shader");
    const uint64_t all = (uint64_t)local[0] * local[1] * local[2];
    if (!all || all > 1024)
        return isa_refuse(out, ISA_UNSUPPORTED, 0, "workgroups of %llu", (unsigned long long)all);
    *invocations = (uint32_t)all;
    return true;
}

void isa_give(struct arena *a, const struct spv_case *c, const uint32_t *const *words,
              struct isa_result *out)
{
    out->memory = ARENA_ARRAY(a, struct spv_memory, c->buffer_count);
    out->memory_count = c->buffer_count;
    for (uint32_t i = 0; i < c->buffer_count; i++) {
        uint32_t *copy = ARENA_ARRAY(a, uint32_t, c->buffer[i].count);
        memcpy(copy, words[i], c->buffer[i].count * sizeof *copy);
        out->memory[i] = (struct spv_memory){.set = c->buffer[i].set,
                                             .binding = c->buffer[i].binding,
                                             .count = c->buffer[i].count,
                                             .words = copy};
    }
}

void isa_shared_room(struct arena *a, struct isa_shared *s, uint32_t size)
{
    *s = (struct isa_shared){.bytes = arena_room(a, size), .size = size};
}

void isa_shared_begin(struct isa_shared *s, struct rng *junk)
{
    s->junk = (struct rng){rng_next(junk)};
    s->made = false;
}

uint8_t *isa_shared(struct isa_shared *s)
{
    for (uint32_t i = 0; !s->made && i < s->size; i += 8) {
        const uint64_t v = rng_next(&s->junk);
        memcpy(s->bytes + i, &v, 8);
    }
    s->made = true;
    return s->bytes;
}

void isa_group(const struct spv_case *c, uint64_t i, uint32_t group[3])
{
    group[0] = (uint32_t)(i % c->groups[0]);
    group[1] = (uint32_t)(i / c->groups[0] % c->groups[1]);
    group[2] = (uint32_t)(i / c->groups[0] / c->groups[1]);
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

static bool same_memory(const struct isa_result *x, const struct isa_result *y)
{
    for (uint32_t i = 0; i < x->memory_count; i++)
        if (memcmp(x->memory[i].words, y->memory[i].words,
                   x->memory[i].count * sizeof *x->memory[i].words) != 0)
            return false;
    return true;
}

void isa_schedules(struct arena *a, const struct isa_code *code, const struct spv_case *c,
                   const struct isa_options *o, uint32_t count, isa_schedule_fn *run,
                   struct isa_result *out)
{
    if (!run(a, code, c, o, 0, out))
        return;
    out->other = ARENA_ARRAY(a, struct spv_memory *, count - 1);
    for (uint32_t k = 1; k < count; k++) {
        struct isa_result again = {0};
        run(a, code, c, o, k, &again);
        const uint64_t steps = out->steps + again.steps;
        const bool differs = again.status != out->status;
        if (differs && out->status == ISA_RAN)
            *out = again;
        out->steps = steps;
        if (differs) {
            const size_t n = strlen(out->text);
            snprintf(out->text + n, sizeof out->text - n,
                     " (under one schedule, not under another)");
            out->others = 0;
            return;
        }
        if (again.status == ISA_RAN && !same_memory(&again, out))
            out->other[out->others++] = again.memory;
    }
}
