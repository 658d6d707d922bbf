// SPDX-License-Identifier: Apache-2.0
//
// Parses and prints an implementation's choices in the syntax of a case's policy line:
//     join coarse=first,own plain=coarse 23=split 31@9c3f=direct
#include "case_inner.h"

#include <string.h>

static const char *const coarse_names[SPV_COARSES] = {
    [SPV_COARSE_OWN] = "own", [SPV_COARSE_FIRST] = "first", [SPV_COARSE_OTHER] = "other"};

bool spv_derivatives_nth(uint32_t i, struct spv_derivatives *out)
{
    enum { AXES = SPV_COARSES * SPV_COARSES };
    // With fine coarse derivatives along both axes, plain ones have no choice: skip that one.
    *out = (struct spv_derivatives){(uint8_t)(i % AXES / SPV_COARSES), (uint8_t)(i % SPV_COARSES),
                                    false};
    if (i >= AXES) {
        i++;
        *out = (struct spv_derivatives){(uint8_t)(i % AXES / SPV_COARSES),
                                        (uint8_t)(i % SPV_COARSES), true};
    }
    return i < 2 * AXES;
}

void spv_choices_print(const struct spv_choices *p, struct text *out)
{
    const struct spv_derivatives *d = &p->derivatives;
    text_add(out, "%s", spv_policy_name(p->base));
    if (d->x || d->y)
        text_add(out, " coarse=%s,%s", coarse_names[d->x], coarse_names[d->y]);
    if (d->plain_is_coarse)
        text_add(out, " plain=coarse");
    if (p->quads_end)
        text_add(out, " quads=end");
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

static bool coarse_named(const char *s, size_t n, uint8_t *out)
{
    for (uint8_t k = 0; k < SPV_COARSES; k++)
        if (strlen(coarse_names[k]) == n && memcmp(coarse_names[k], s, n) == 0) {
            *out = k;
            return true;
        }
    return false;
}

// Parses "coarse=X,Y" or "plain=coarse". False for other words. *ok: the syntax is correct.
static bool derivatives_parse(const char *s, size_t n, struct spv_derivatives *out, bool *ok)
{
    static const char coarse[] = "coarse=", plain[] = "plain=";
    if (n >= sizeof coarse - 1 && memcmp(s, coarse, sizeof coarse - 1) == 0) {
        const char *x = s + sizeof coarse - 1, *end = s + n,
                   *comma = memchr(x, ',', (size_t)(end - x));
        *ok = comma && coarse_named(x, (size_t)(comma - x), &out->x) &&
              coarse_named(comma + 1, (size_t)(end - comma) - 1, &out->y) && (out->x || out->y);
        return true;
    }
    if (n < sizeof plain - 1 || memcmp(s, plain, sizeof plain - 1) != 0)
        return false;
    out->plain_is_coarse = *ok = n == 12 && memcmp(s, "plain=coarse", n) == 0;
    return true;
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
        // Only one spelling is accepted: no leading zero. 0 means no instance.
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
    for (bool first = true;; first = false) {
        while (text < end && (*text == ' ' || *text == '\t' || *text == '\r'))
            text++;
        const char *word = text;
        while (text < end && *text != ' ' && *text != '\t' && *text != '\r')
            text++;
        size_t n = (size_t)(text - word);
        int shown = n > 40 ? 40 : (int)n;
        if (first) {
            if (!policy_named(word, n, &out->base))
                return err_set(e, "the policy is \"%.*s%s\", join, direct or split was expected",
                               shown, word, (size_t)shown < n ? "..." : "");
            continue;
        }
        if (n == 0)
            return true;
        bool ok;
        if (n == 9 && memcmp(word, "quads=end", n) == 0) {
            out->quads_end = true;
            continue;
        }
        if (derivatives_parse(word, n, &out->derivatives, &ok)) {
            if (!ok)
                return err_set(e,
                               "\"%.*s%s\", coarse=X,Y (each own, first or other, not both own) or "
                               "plain=coarse was expected",
                               shown, word, (size_t)shown < n ? "..." : "");
            continue;
        }
        if (out->count == SPV_CHOICES)
            return err_set(e, "more than %d choices", SPV_CHOICES);
        if (!choice_parse(word, n, &out->at[out->count++]))
            return err_set(e, "\"%.*s%s\", LABEL=POLICY or LABEL@INSTANCE=POLICY was expected",
                           shown, word, (size_t)shown < n ? "..." : "");
    }
}
