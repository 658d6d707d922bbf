// SPDX-License-Identifier: Apache-2.0
//
// The rows of facts.def and reasons.def as tables: the names of all enums, and the other columns.
#include "reason.h"
#include "rows.h"

#include <string.h>

// ---- names -----------------------------------------------------------------------------------

#define FIRST(x, ...) x,
#define NAME(id, ...) FIRST(__VA_ARGS__, 0)
// clang-format off
#define NAMES(e, E)                                                                                \
    static const char *const e##_list[] = {DIAG_##E##_ROWS(NAME)};                                 \
    const struct diag_enum e##_names = {e##_list, DIAG_##E##_COUNT};
DIAG_ENUMS(NAMES)
// clang-format on

const char *diag_enum_name(const struct diag_enum *e, unsigned v)
{
    return v < e->count ? e->name[v] : "";
}

bool diag_enum_find(const struct diag_enum *e, const char *name, unsigned *v)
{
    for (unsigned k = 0; k < e->count; k++)
        if (strcmp(e->name[k], name) == 0) {
            *v = k;
            return true;
        }
    return false;
}

// ---- rules and stages --------------------------------------------------------------------------

static const struct {
    bool is_vulkan;
    const char *section, *text;
} rules[] = {
#define RULE(id, name, is_vulkan, section, text, ...) {is_vulkan, section, text},
    DIAG_RULE_ROWS(RULE)};

const char *diag_rule_text(enum diag_rule r)
{
    return rules[r].text;
}

bool diag_rule_is_vulkan(enum diag_rule r)
{
    return rules[r].is_vulkan;
}

const char *diag_rule_section(enum diag_rule r)
{
    return rules[r].section;
}

const char *diag_stage_text(enum diag_stage s)
{
#define STAGE(id, name, text) text,
    static const char *const texts[] = {DIAG_STAGE_ROWS(STAGE)};
    return texts[s];
}

// ---- columns that decide -----------------------------------------------------------------------

const struct construct_row construct_rows[] = {
#define CONSTRUCT(id, name, after, out, into, rank) {DIAG_##after, DIAG_##out, DIAG_##into, rank},
    DIAG_CONSTRUCT_ROWS(CONSTRUCT)};

const struct why_row why_rows[] = {
#define WHY(id, name, kind, rule, promise, rank, covers, title, phrase)                            \
    {WHY_##kind, DIAG_##rule, PROMISE_##promise, rank, covers, title, phrase},
    DIAG_WHY_ROWS(WHY)};

const struct edit_row edit_rows[] = {
#define EDIT(id, name, why, every) {DIAG_##why, every},
    DIAG_EDIT_ROWS(EDIT)};

const struct fault_row fault_rows[] = {
#define FAULT(fault, about, at, why, text) {ORC_FAULT_##fault, about, at, DIAG_##why, text},
    DIAG_FAULT_ROWS(FAULT)};

const char *diag_why_title(enum diag_why w)
{
    return why_rows[w].title;
}
