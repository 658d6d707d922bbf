// SPDX-License-Identifier: Apache-2.0
//
// Machine code run by the machine of isa/ on the case's own buffers: memory as from a device. What that
// machine does not know is skipped, by its name.
#include "isa_answer.h"

const struct isa_code *isa_readable(const struct isa_code *code, const struct isa_result *why,
                                    struct run_result *out)
{
    if (!code) {
        out->status = RUN_SKIPPED;
        snprintf(out->text, sizeof out->text, "machine code: %.400s", why->text);
    }
    return code;
}

void isa_answer(struct arena *a, const struct isa_code *code, const struct spv_case *c,
                struct run_result *out)
{
    const struct isa_options o = {.junk = 1};
    struct isa_result seen;
    isa_run(a, code, c, &o, &seen);
    snprintf(out->text, sizeof out->text, "%s%.400s", seen.text[0] ? "machine code: " : "", seen.text);
    switch (seen.status) {
    case ISA_RAN:
        out->status = RUN_OK;
        out->form = RUN_FORM_MEMORY;
        out->memory = seen.memory;
        out->memory_count = seen.memory_count;
        if (seen.early_line)
            snprintf(out->text, sizeof out->text,
                     "machine code: line %u uses a register before its load is waited for",
                     seen.early_line);
        break;
    case ISA_OVER_LIMIT:
    case ISA_STUCK:
        out->status = RUN_HUNG;
        break;
    case ISA_FAULT:
        out->status = RUN_DEVICE_LOST;
        break;
    case ISA_UNSUPPORTED:
    case ISA_INVALID:
        out->status = RUN_SKIPPED;
        break;
    }
}
