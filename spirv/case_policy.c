// SPDX-License-Identifier: Apache-2.0
//
// The choices of an implementation, as a case's policy line tells them:
//     join 23=split 31@9c3f=direct
#include "case_inner.h"

#include <string.h>

void spv_choices_print(const struct spv_choices *p, struct text *out)
{
    text_add(out, "%s", spv_policy_name(p->base));
    for (uint32_t k = 0; k < p->count; k++) {
        text_add(out, " %u", p->at[k].label);
        if (p->at[k].instance)
            text_add(out, "@%llx", (unsigned long long)p->at[k].instance);
        text_add(out, "=%s", spv_policy_name(p->at[k].policy));
    }
}

static bool policy_named(const char *s, size_t n, enum spv_policy *out)
{
    for (int p = 0; p < SPV_POLICIES; p++) {
        const char *name = spv_policy_name((enum spv_policy)p);
        if (strlen(name) == n && memcmp(name, s, n) == 0) {
            *out = (enum spv_policy)p;
            return true;
        }
    }
    return false;
}

// "LABEL=POLICY" or "LABEL@INSTANCE=POLICY"
static bool choice_parse(const char *s, size_t n, struct spv_choice *out)
{
    *out = (struct spv_choice){0};
    const char *is = memchr(s, '=', n);
    if (!is || !policy_named(is + 1, (size_t)(s + n - is) - 1, &out->policy))
        return false;
    const char *at = memchr(s, '@', (size_t)(is - s));
    if (at) {
        if (is - at < 2 || is - at > 17)
            return false;
        for (const char *p = at + 1; p < is; p++) {
            const char *digit = strchr("0123456789abcdef", *p);
            if (!digit || !*digit)
                return false;
            out->instance = out->instance << 4 | (uint64_t)(digit - "0123456789abcdef");
        }
        // One spelling: no leading zero; 0 is none.
        if (at[1] == '0')
            return false;
    }
    uint64_t label;
    if (!parse_u64(s, (size_t)((at ? at : is) - s), &label) || label == 0 || label > UINT32_MAX)
        return false;
    out->label = (uint32_t)label;
    return true;
}

bool spv_choices_parse(const char *text, size_t size, struct spv_choices *out, struct err *e)
{
    const char *end = text + size;
    *out = (struct spv_choices){0};
    for (bool first = true; ; first = false) {
        while (text < end && (*text == ' ' || *text == '\t' || *text == '\r'))
            text++;
        const char *word = text;
        while (text < end && *text != ' ' && *text != '\t' && *text != '\r')
            text++;
        size_t n = (size_t)(text - word);
        int shown = n > 40 ? 40 : (int)n;
        if (first) {
            if (!policy_named(word, n, &out->base))
                return err_set(e, "the policy is \"%.*s%s\", join, direct or split was expected", shown,
                               word, (size_t)shown < n ? "..." : "");
            continue;
        }
        if (n == 0)
            return true;
        if (out->count == SPV_CHOICES)
            return err_set(e, "more than %d choices", SPV_CHOICES);
        if (!choice_parse(word, n, &out->at[out->count++]))
            return err_set(e, "\"%.*s%s\", LABEL=POLICY or LABEL@INSTANCE=POLICY was expected", shown,
                           word, (size_t)shown < n ? "..." : "");
    }
}
