// SPDX-License-Identifier: Apache-2.0
//
// Runs machine code in the executor of backends/isa/ on the case's buffers and returns memory as a
// device would. Code that the executor does not support is skipped, with its name.
#include "isa_answer.h"

#include <string.h>

const struct isa_code *isa_readable(const struct isa_code *code, const struct isa_result *why,
                                    struct run_result *out)
{
    if (!code) {
        out->status = RUN_SKIPPED;
        snprintf(out->text, sizeof out->text, "machine code: %.400s", why->text);
    }
    return code;
}

static const struct run_origin **origins(struct arena *a, const struct isa_result *seen,
                                         uint32_t first_line)
{
    const struct run_origin **out = ARENA_ARRAY(a, const struct run_origin *, seen->memory_count);
    for (uint32_t i = 0; i < seen->memory_count; i++) {
        struct run_origin *v = ARENA_ARRAY(a, struct run_origin, seen->memory[i].count);
        for (uint32_t k = 0; k < seen->memory[i].count; k++) {
            const struct isa_origin *x = &seen->origin[i][k];
            v[k] = (struct run_origin){x->line ? x->line + first_line - 1 : 0,
                                       x->store ? x->store + first_line - 1 : 0,
                                       {(uint32_t)x->lanes, (uint32_t)(x->lanes >> 32)}};
        }
        out[i] = v;
    }
    return out;
}

// The use of a register before waiting for its load may not matter. Returns the memory when every
// load completes at once; NULL if it is the same.
static struct spv_memory *prompt(struct arena *a, const struct isa_code *code,
                                 const struct spv_case *c, const struct isa_result *seen)
{
    const struct isa_options o = {.random_fill = 1, .prompt = true};
    struct isa_result other;
    isa_run(a, code, c, &o, &other);
    for (uint32_t i = 0; other.status == RAN_OK && i < seen->memory_count; i++)
        if (memcmp(seen->memory[i].words, other.memory[i].words,
                   seen->memory[i].count * sizeof(uint32_t)) != 0)
            return other.memory;
    return NULL;
}

void isa_answer(struct arena *a, const struct isa_code *code, const struct spv_case *c,
                uint32_t first_line, struct run_result *out)
{
    isa_answer_places(a, code, c, first_line, 0, out);
}

void isa_answer_places(struct arena *a, const struct isa_code *code, const struct spv_case *c,
                       uint32_t first_line, uint32_t descriptors, struct run_result *out)
{
    const struct isa_options o = {
        .random_fill = 1, .origin = first_line != 0, .descriptors = descriptors};
    struct isa_result seen;
    isa_run(a, code, c, &o, &seen);
    out->origin = NULL;
    out->early_line = 0;
    out->prompt = NULL;
    snprintf(out->text, sizeof out->text, "%s%.400s", seen.text[0] ? "machine code: " : "",
             seen.text);
    switch (seen.status) {
    case RAN_OK:
        out->status = RUN_OK;
        out->form = RUN_FORM_MEMORY;
        out->memory = seen.memory;
        out->memory_count = seen.memory_count;
        out->uneven_line = seen.uneven_line;
        out->origin = seen.origin ? origins(a, &seen, first_line) : NULL;
        out->others = seen.others;
        out->unset_line =
            seen.unset_line && first_line ? seen.unset_line + first_line - 1 : seen.unset_line;
        out->other = ARENA_ARRAY(a, struct spv_memory, seen.others * seen.memory_count);
        for (uint32_t k = 0; k < seen.others; k++)
            memcpy(out->other + k * seen.memory_count, seen.other[k],
                   seen.memory_count * sizeof *out->other);
        if (seen.early_line && (out->prompt = prompt(a, code, c, &seen)))
            out->early_line = seen.early_line;
        if (seen.uneven_line)
            snprintf(out->text, sizeof out->text,
                     "the value of line %u is marked uniform, but it differs between lanes",
                     seen.uneven_line);
        break;
    case RAN_OVER_LIMIT:
    case RAN_STUCK:
        out->status = RUN_HUNG;
        break;
    case RAN_FAULT:
        out->status = RUN_DEVICE_LOST;
        break;
    case RAN_UNDEFINED: // machine code has none
    case RAN_UNSUPPORTED:
    case RAN_INVALID:
        out->status = RUN_SKIPPED;
        break;
    }
}
