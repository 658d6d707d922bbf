// SPDX-License-Identifier: Apache-2.0
//
// The option parser.
#include "args.h"

#include <string.h>

enum { NAME_MAX_LEN = 32, OPTIONS_MAX = 32, HELP_COLUMN = 26 };

// ---- help ------------------------------------------------------------------------

static void help_option(const struct arg_option *o)
{
    char left[80];
    char letter[8] = "";
    if (o->letter)
        snprintf(letter, sizeof letter, "-%c, ", o->letter);
    snprintf(left, sizeof left, "  %s--%s%s%s", letter, o->name, o->value ? " " : "",
             o->value ? o->value : "");
    if (strlen(left) >= HELP_COLUMN)
        say("%s\n%*s", left, HELP_COLUMN, "");
    else
        say("%-*s", HELP_COLUMN, left);
    // Further lines of help stand under the first.
    const char *p = o->line;
    for (const char *nl; (nl = strchr(p, '\n')); p = nl + 1)
        say("%.*s\n%*s", (int)(nl - p), p, HELP_COLUMN, "");
    say("%s\n", p);
}

static void help(const struct arg_command *c)
{
    say("usage: tanglefuzz %s%s%s%s\n\n%s\n", c->name, c->count ? " [options]" : "",
        c->rest ? " " : "", c->rest ? c->rest : "", c->about);
    say("\noptions:\n");
    for (uint32_t i = 0; i < c->count; i++)
        help_option(&c->options[i]);
    help_option(&(struct arg_option){.name = "help", .letter = 'h', .line = "print this"});
    say("\nexample:\n");
    for (const char *p = c->example; *p;) {
        size_t n = strcspn(p, "\n");
        say("  %.*s\n", (int)n, p);
        p += n + (p[n] == '\n');
    }
}

// ---- hints -----------------------------------------------------------------------

static unsigned least(unsigned a, unsigned b)
{
    return a < b ? a : b;
}

// Levenshtein distance; both are short.
static unsigned distance(const char *a, const char *b)
{
    size_t n = strlen(a), m = strlen(b);
    if (n > NAME_MAX_LEN || m > NAME_MAX_LEN)
        return NAME_MAX_LEN;
    unsigned row[NAME_MAX_LEN + 1];
    for (unsigned j = 0; j <= m; j++)
        row[j] = j;
    for (unsigned i = 1; i <= n; i++) {
        unsigned before = row[0];
        row[0] = i;
        for (unsigned j = 1; j <= m; j++) {
            unsigned change = before + (a[i - 1] != b[j - 1]);
            before = row[j];
            row[j] = least(change, least(row[j], row[j - 1]) + 1);
        }
    }
    return row[m];
}

const char *args_nearest(const char *typed, const char *const *names, size_t n)
{
    const char *best = NULL;
    unsigned least_far = strlen(typed) > 3 ? 3 : 2;
    for (size_t i = 0; i < n; i++) {
        unsigned d = distance(typed, names[i]);
        if (d < least_far) {
            least_far = d;
            best = names[i];
        }
    }
    return best;
}

static int unknown(const struct arg_command *c, const char *typed, const char *name)
{
    const char *names[OPTIONS_MAX + 1];
    CHECK(c->count <= OPTIONS_MAX);
    for (uint32_t i = 0; i < c->count; i++)
        names[i] = c->options[i].name;
    names[c->count] = "help";
    const char *near = name ? args_nearest(name, names, c->count + 1) : NULL;
    if (near)
        return complain(c->name, "unknown option '%s'; did you mean '--%s'?", typed, near);
    return complain(c->name, "unknown option '%s' (see tanglefuzz %s --help)", typed, c->name);
}

// ---- values ----------------------------------------------------------------------

static bool seconds(const char *s, double *out)
{
    size_t n = strlen(s);
    double unit = 1;
    if (n && strchr("smh", s[n - 1])) {
        unit = s[n - 1] == 'm' ? 60 : s[n - 1] == 'h' ? 3600 : 1;
        n--;
    }
    const char *dot = memchr(s, '.', n);
    size_t whole = dot ? (size_t)(dot - s) : n;
    uint32_t v, part = 0;
    if (!parse_u32(s, whole, &v))
        return false;
    double scale = 1;
    if (dot) {
        size_t digits = n - whole - 1;
        if (digits > 6 || !parse_u32(dot + 1, digits, &part))
            return false;
        while (digits--)
            scale *= 10;
    }
    *out = ((double)v + (double)part / scale) * unit;
    return *out > 0;
}

static int set(const struct arg_command *c, const struct arg_option *o, const char *v)
{
    uint64_t max = o->min || o->max ? o->max : UINT64_MAX, number = 0;
    if (o->kind == ARG_U32 && max > UINT32_MAX)
        max = UINT32_MAX;
    switch (o->kind) {
    case ARG_FLAG:
        *(bool *)o->to = true;
        break;
    case ARG_TEXT:
        *(const char **)o->to = v;
        break;
    case ARG_U32:
    case ARG_U64:
        if (!parse_u64(v, strlen(v), &number) || number < o->min || number > max)
            return complain(c->name, "--%s: '%s' is not a number from %llu to %llu", o->name, v,
                            (unsigned long long)o->min, (unsigned long long)max);
        if (o->kind == ARG_U32)
            *(uint32_t *)o->to = (uint32_t)number;
        else
            *(uint64_t *)o->to = number;
        break;
    case ARG_SECONDS:
        if (!seconds(v, o->to))
            return complain(c->name, "--%s: '%s' is not a time like 90, 90s, 10m or 2h", o->name,
                            v);
        break;
    case ARG_TEXTS: {
        struct arg_texts *all = o->to;
        if (all->n == ARG_TEXTS_MAX)
            return complain(c->name, "--%s: more than %d of them", o->name, ARG_TEXTS_MAX);
        all->v[all->n++] = v;
        break;
    }
    }
    return -1;
}

// ---- words -----------------------------------------------------------------------

// One long option; *i moves on when it takes the next word.
static int long_option(const struct arg_command *c, int argc, char **argv, int *i)
{
    const char *word = argv[*i] + 2;
    size_t n = strcspn(word, "=");
    for (uint32_t k = 0; k < c->count; k++) {
        const struct arg_option *o = &c->options[k];
        if (strlen(o->name) != n || memcmp(o->name, word, n) != 0)
            continue;
        if (!o->value)
            return word[n] ? complain(c->name, "--%s takes no value", o->name) : set(c, o, NULL);
        if (word[n])
            return set(c, o, word + n + 1);
        if (*i + 1 >= argc)
            return complain(c->name, "--%s needs a value (%s)", o->name, o->value);
        return set(c, o, argv[++*i]);
    }
    char name[NAME_MAX_LEN + 1];
    snprintf(name, sizeof name, "%.*s", n < NAME_MAX_LEN ? (int)n : NAME_MAX_LEN, word);
    return unknown(c, argv[*i], name);
}

static int short_option(const struct arg_command *c, int argc, char **argv, int *i)
{
    const char *word = argv[*i] + 1;
    for (uint32_t k = 0; k < c->count; k++) {
        const struct arg_option *o = &c->options[k];
        if (!o->letter || o->letter != word[0])
            continue;
        if (!o->value)
            return word[1] ? unknown(c, argv[*i], NULL) : set(c, o, NULL);
        if (word[1])
            return set(c, o, word + 1);
        if (*i + 1 >= argc)
            return complain(c->name, "-%c needs a value (%s)", o->letter, o->value);
        return set(c, o, argv[++*i]);
    }
    return unknown(c, argv[*i], NULL);
}

int args_parse(const struct arg_command *c, int argc, char **argv, struct args *out)
{
    for (int i = 1; i < argc && strcmp(argv[i], "--") != 0; i++)
        if (strcmp(argv[i], "--help") == 0 || strcmp(argv[i], "-h") == 0) {
            help(c);
            return STATUS_GOOD;
        }
    *out = (struct args){.rest = argv + 1};
    bool ended = false;
    for (int i = 1; i < argc; i++) {
        int said = -1;
        if (!ended && strcmp(argv[i], "--") == 0)
            ended = true;
        else if (!ended && strncmp(argv[i], "--", 2) == 0)
            said = long_option(c, argc, argv, &i);
        else if (!ended && argv[i][0] == '-' && argv[i][1])
            said = short_option(c, argc, argv, &i);
        else
            out->rest[out->n++] = argv[i]; // never ahead of i
        if (said >= 0)
            return said;
    }
    if (out->n > c->rest_max) {
        if (c->rest_max == 0)
            return complain(c->name, "unexpected '%s' (see tanglefuzz %s --help)", out->rest[0],
                            c->name);
        return complain(c->name, "unexpected '%s': one %s at a time", out->rest[c->rest_max],
                        c->rest);
    }
    if (out->n < c->rest_min)
        return complain(c->name, "needs %s (see tanglefuzz %s --help)", c->rest, c->name);
    return -1;
}
