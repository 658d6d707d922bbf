// SPDX-License-Identifier: Apache-2.0
//
// Known bugs: files of a `known/` folder, one bug each. They select findings to count without
// reporting them, features not to generate for a target, and cases of a regression suite that may
// fail.
#include "known.h"
#include "store_parts.h"

#include <ctype.h>
#include <stdlib.h>
#include <string.h>

enum { FILE_LIMIT = 1 << 20 };

static const struct key {
    const char *name;
    size_t at; // offset of the text in struct report_known
} keys[] = {
    {"bucket", offsetof(struct report_known, bucket)},
    {"pass", offsetof(struct report_known, pass)},
    {"message", offsetof(struct report_known, message)},     // may be given several times
    {"signature", offsetof(struct report_known, signature)}, // the same
    {"target", offsetof(struct report_known, target)},
    {"feature", offsetof(struct report_known, feature)},
    {"case", offsetof(struct report_known, cases)},
    {"reason", offsetof(struct report_known, reason)},
    {"link", offsetof(struct report_known, link)},
    {"upstream", offsetof(struct report_known, upstream)},
    {"until", offsetof(struct report_known, until)},
};
enum { KEYS = sizeof keys / sizeof *keys };

// Values of `upstream`, and their labels on a page.
static const struct {
    const char *word, *shown;
} states[] = {
    {"new", "new upstream"},
    {"known", "known upstream"},
    {"design", "by design"},
    {"fixed", "fixed in "}, // then `until`
};
enum { STATES = sizeof states / sizeof *states };

const char *report_known_state(struct arena *a, const struct report_known *k)
{
    for (size_t i = 0; i < STATES; i++)
        if (strcmp(k->upstream, states[i].word) == 0)
            return arena_printf(a, "%s%s", states[i].shown,
                                strcmp(k->upstream, "fixed") == 0 ? k->until : "");
    return "known";
}

static const char **text_of(struct report_known *k, const struct key *key)
{
    return (const char **)((char *)k + key->at);
}

// ---- reading ---------------------------------------------------------------------

static bool set_class(struct report_known *k, const char *path, uint32_t line, const char *value,
                      struct err *e)
{
    if (k->klass)
        return err_set(e, "%s:%u: 'class' is given twice", path, line);
    for (int i = 0; i < JUDGE_CLASSES; i++)
        if (judge_class_is_finding((enum judge_class)i) &&
            strcmp(value, judge_class_name((enum judge_class)i)) == 0)
            k->klass = (enum judge_class)i;
    return k->klass || err_set(e, "%s:%u: '%s' is not a class of findings", path, line, value);
}

static bool set_key(struct arena *a, struct report_known *k, const char *path, uint32_t line,
                    const char *word, size_t n, const char *value, struct err *e)
{
    if (n == 5 && strncmp(word, "class", n) == 0 && value[0])
        return set_class(k, path, line, value, e);
    for (size_t i = 0; i < KEYS; i++) {
        if (strlen(keys[i].name) != n || strncmp(keys[i].name, word, n) != 0)
            continue;
        const char **to = text_of(k, &keys[i]);
        if (!value[0])
            return err_set(e, "%s:%u: '%s' needs a value", path, line, keys[i].name);
        uint32_t *count = to == k->message     ? &k->messages
                          : to == k->signature ? &k->signatures
                                               : NULL;
        if (count) {
            if (*count == REPORT_KNOWN_PATTERNS)
                return err_set(e, "%s:%u: more than %d of '%s'", path, line, REPORT_KNOWN_PATTERNS,
                               keys[i].name);
            to += (*count)++;
        } else if ((*to)[0]) {
            return err_set(e, "%s:%u: '%s' is given twice", path, line, keys[i].name);
        }
        *to = arena_str(a, value);
        return true;
    }
    return err_set(
        e,
        "%s:%u: unknown key '%.*s'; the keys are bucket, class, pass, message, signature, "
        "target, feature, case, reason, link, upstream, until",
        path, line, (int)n, word);
}

bool report_known_of_findings(const struct report_known *k)
{
    return k->bucket[0] || k->messages || k->signatures || k->pass[0] || k->klass;
}

static bool whole(const struct report_known *k, struct err *e)
{
    if (!report_known_of_findings(k) && !k->feature[0] && !k->cases[0])
        return err_set(e, "%s: needs a bucket, class, pass, message, signature, feature or case",
                       k->path);
    const bool narrow = k->bucket[0] || k->messages || k->signatures || k->pass[0];
    if (((k->klass && !narrow) || k->feature[0] || k->cases[0]) && !k->target[0])
        return err_set(e, "%s: a class alone, a feature or a case needs a target (* for any)",
                       k->path);
    if (!k->reason[0])
        return err_set(e, "%s: needs a reason", k->path);
    bool word = !k->upstream[0];
    for (size_t i = 0; i < STATES; i++)
        word |= strcmp(k->upstream, states[i].word) == 0;
    if (!word)
        return err_set(e, "%s: upstream is new, known, design or fixed, not '%s'", k->path,
                       k->upstream);
    if (strcmp(k->upstream, "fixed") == 0 && !k->until[0])
        return err_set(e, "%s: 'upstream fixed' needs an until", k->path);
    return true;
}

bool report_known_parse(struct arena *a, const char *path, const char *text, size_t size,
                        struct report_known *out, struct err *e)
{
    *out = (struct report_known){.path = arena_str(a, path)};
    for (size_t i = 0; i < KEYS; i++)
        *text_of(out, &keys[i]) = "";
    uint32_t line = 0;
    bool versioned = false;
    for (const char *s = text, *end = text + size; s < end;) {
        const char *stop = memchr(s, '\n', (size_t)(end - s));
        size_t n = (size_t)((stop ? stop : end) - s);
        char *row = arena_strn(a, s, n);
        s += n + 1;
        line++;
        for (size_t k = strlen(row); k && isspace((unsigned char)row[k - 1]); k--)
            row[k - 1] = 0;
        row += strspn(row, " \t");
        if (!row[0] || row[0] == '#')
            continue;
        size_t word = strcspn(row, " \t");
        const char *value = row + word + strspn(row + word, " \t");
        if (!versioned) {
            versioned = word == 16 && strncmp(row, "tanglefuzz-known", 16) == 0 &&
                        (strcmp(value, "2") == 0 || strcmp(value, "1") == 0);
            if (!versioned)
                return err_set(e, "%s:%u: must start with 'tanglefuzz-known 2'", path, line);
            continue;
        }
        if (!set_key(a, out, path, line, row, word, value, e))
            return false;
    }
    return versioned ? whole(out, e) : err_set(e, "%s: must start with 'tanglefuzz-known 2'", path);
}

bool report_known_read(struct arena *a, const char *dir, struct report_known **out, uint32_t *n,
                       struct err *e)
{
    const char **names;
    size_t all;
    if (!dir_list(a, dir, &names, &all, e))
        return false;
    struct report_known *v = ARENA_ARRAY(a, struct report_known, all);
    *out = v;
    *n = 0;
    for (size_t i = 0; i < all; i++) {
        size_t len = strlen(names[i]);
        if (len < 7 || strcmp(names[i] + len - 6, ".known") != 0)
            continue;
        char *text;
        size_t size;
        const char *path = arena_printf(a, "%s/%s", dir, names[i]);
        if (!file_read(a, path, FILE_LIMIT, &text, &size, e) ||
            !report_known_parse(a, path, text, size, &v[*n], e))
            return false;
        v[*n].name = arena_strn(a, names[i], len - 6);
        ++*n;
    }
    return true;
}

// ---- matching --------------------------------------------------------------------

// '*' matches any text, also an empty one.
static bool glob(const char *pattern, const char *s)
{
    const char *star = NULL, *from = NULL;
    for (; *s;) {
        if (*pattern == '*') {
            star = pattern++;
            from = s;
        } else if (*pattern == *s) {
            pattern++;
            s++;
        } else if (star) {
            pattern = star + 1;
            s = ++from;
        } else {
            return false;
        }
    }
    while (*pattern == '*')
        pattern++;
    return !*pattern;
}

static bool one_fits(const char *const *pattern, uint32_t n, const char *s)
{
    bool fits = n == 0;
    for (uint32_t i = 0; i < n && !fits; i++)
        fits = glob(pattern[i], s);
    return fits;
}

// Returns the first version in a text, "Mesa 25.0.7-2" -> 25.0.7; NULL for none. A plain number is
// a version only if it is the entire text.
static const char *version_in(const char *s)
{
    for (const char *p = s; *p; p++) {
        if (!isdigit((unsigned char)*p) ||
            (p > s && (isalnum((unsigned char)p[-1]) || p[-1] == '.') && p[-1] != 'v'))
            continue;
        size_t n = strspn(p, "0123456789");
        if ((p[n] == '.' && isdigit((unsigned char)p[n + 1])) || (p == s && !p[n]))
            return p;
    }
    return NULL;
}

// Reports whether version x is below y, number by number.
static bool older(const char *x, const char *y)
{
    for (;;) {
        char *xe, *ye;
        unsigned long a = strtoul(x, &xe, 10), b = strtoul(y, &ye, 10);
        if (a != b)
            return a < b;
        bool x_more = *xe == '.' && isdigit((unsigned char)xe[1]);
        bool y_more = *ye == '.' && isdigit((unsigned char)ye[1]);
        if (!x_more || !y_more)
            return !x_more && y_more && strspn(ye, ".0") != strlen(ye);
        x = xe + 1;
        y = ye + 1;
    }
}

bool report_known_applies(const struct report_known *k, const char *target, const char *driver)
{
    if (k->target[0] && !glob(k->target, target))
        return false;
    if (!k->until[0])
        return true;
    // Without a version to compare, the entry applies: a false report is worse than a missed one.
    const char *have = driver ? version_in(driver) : NULL, *until = version_in(k->until);
    return !have || !until || older(have, until);
}

const struct report_known *report_known_finding(const struct report_known *v, uint32_t n,
                                                const char *target, const char *driver,
                                                const struct diag_signature *s)
{
    for (uint32_t i = 0; i < n; i++) {
        const struct report_known *k = &v[i];
        if (!report_known_applies(k, target, driver))
            continue;
        // An entry with only a case or a feature matches no finding.
        if (!report_known_of_findings(k))
            continue;
        if ((!k->bucket[0] || strcmp(k->bucket, s->name) == 0) &&
            one_fits(k->message, k->messages, s->message) &&
            one_fits(k->signature, k->signatures, s->text) &&
            (!k->pass[0] || strcmp(k->pass, s->culprit) == 0) &&
            (!k->klass || k->klass == s->klass))
            return k;
    }
    return NULL;
}

static const struct report_known *known_row(const struct report_known *v, uint32_t n,
                                            const struct store_finding *r)
{
    return report_known_finding(v, n, r->f.target, r->f.driver[0] ? r->f.driver : NULL, r->now);
}

void report_known_mark(struct arena *a, struct store_findings *f, const struct report_known *v,
                       uint32_t n)
{
    struct store_bucket *sorted = ARENA_ARRAY(a, struct store_bucket, f->buckets);
    f->known = v;
    f->known_count = n;
    uint32_t at = 0;
    for (uint32_t b = 0; b < f->buckets; b++) {
        f->bucket[b].known = known_row(v, n, f->bucket[b].row[0]);
        for (uint32_t i = 1; i < f->bucket[b].findings && f->bucket[b].known; i++)
            if (!known_row(v, n, f->bucket[b].row[i]))
                f->bucket[b].known = NULL; // on another target, or in another version
    }
    for (int pass = 0; pass < 2; pass++)
        for (uint32_t b = 0; b < f->buckets; b++)
            if ((f->bucket[b].known != NULL) == (pass == 1))
                sorted[at++] = f->bucket[b];
    f->bucket = sorted;
}

const struct report_known *report_known_case(const struct report_known *v, uint32_t n,
                                             const char *target, const char *driver,
                                             const char *path)
{
    const char *base = strrchr(path, '/') ? strrchr(path, '/') + 1 : path;
    for (uint32_t i = 0; i < n; i++)
        if (v[i].cases[0] && glob(v[i].cases, base) && report_known_applies(&v[i], target, driver))
            return &v[i];
    return NULL;
}
