// SPDX-License-Identifier: Apache-2.0
//
// Option parser, and the text of --help.
#include "args.h"

#include <string.h>

enum { NAME_MAX_LEN = 32, OPTIONS_MAX = 32, HELP_COLUMN = 26, HELP_WIDTH = 96 };

// ---- help ------------------------------------------------------------------------

// Prints a comma-separated list from column `at` on, broken at blanks.
static void help_words(const char *words, size_t at)
{
    for (const char *p = words; *p; p += strspn(p, " ")) {
        const size_t n = strcspn(p, " ");
        if (at + 1 + n > HELP_WIDTH) {
            say("\n%*s", HELP_COLUMN - 1, "");
            at = HELP_COLUMN - 1;
        }
        say(" %.*s", (int)n, p);
        at += 1 + n;
        p += n;
    }
    say("\n");
}

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
    // Continuation lines are indented to the first.
    const char *p = o->line;
    for (const char *nl; (nl = strchr(p, '\n')); p = nl + 1)
        say("%.*s\n%*s", (int)(nl - p), p, HELP_COLUMN, "");
    say("%s%s", p, o->words ? ":" : "\n");
    if (o->words)
        help_words(o->words, HELP_COLUMN + strlen(p) + 1);
}

void print_help(const struct command *c)
{
    say("usage: tanglefuzz %s%s%s%s\n\n%s\n", c->name, c->count ? " [options]" : "",
        c->rest ? " " : "", c->rest ? c->rest : "", c->about);
    if (c->sub) {
        say("\ncommands:\n");
        for (uint32_t i = 0; c->sub[i]; i++)
            say("  %-14s %s\n", c->sub[i]->name, c->sub[i]->line);
        say("\n  tanglefuzz %s COMMAND --help shows its options and examples\n", c->name);
    } else {
        say("\noptions:\n");
        for (uint32_t i = 0; i < c->count; i++)
            help_option(&c->options[i]);
        help_option(&(struct arg_option){.name = "help", .letter = 'h', .line = "print this help"});
    }
    say("\nexample:\n");
    for (const char *p = c->example; *p;) {
        size_t n = strcspn(p, "\n");
        say("  %.*s\n", (int)n, p);
        p += n + (p[n] == '\n');
    }
}

// ---- hints -----------------------------------------------------------------------

static int unknown(const struct context *x, const char *typed, const char *name)
{
    const struct command *c = x->command;
    const char *names[OPTIONS_MAX + 1];
    CHECK(c->count <= OPTIONS_MAX);
    for (uint32_t i = 0; i < c->count; i++)
        names[i] = c->options[i].name;
    names[c->count] = "help";
    const char *near = name ? text_nearest(name, names, c->count + 1) : NULL;
    if (near)
        return complain(x, "unknown option '%s'; did you mean '--%s'?", typed, near);
    return complain(x, "unknown option '%s' (see tanglefuzz %s --help)", typed, c->name);
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

// True if `v` is one of "a, b, c".
static bool is_word(const char *v, const char *words)
{
    const size_t n = strlen(v);
    for (const char *p = words; *p; p += strcspn(p, ","), p += strspn(p, ", "))
        if (n && strncmp(p, v, n) == 0 && (p[n] == ',' || !p[n]))
            return true;
    return false;
}

static int set(const struct context *x, void *given, const struct arg_option *o, const char *v)
{
    void *to = (char *)given + o->to;
    uint64_t max = o->min || o->max ? o->max : UINT64_MAX, number = 0;
    if (o->kind != ARG_U64 && max > UINT32_MAX)
        max = UINT32_MAX;
    switch (o->kind) {
    case ARG_FLAG:
        *(bool *)to = true;
        break;
    case ARG_TEXT:
        *(const char **)to = v;
        break;
    case ARG_WORD:
        if (!is_word(v, o->words))
            return complain(x, "--%s: '%s' is not one of %s", o->name, v, o->words);
        *(const char **)to = v;
        break;
    case ARG_U32:
    case ARG_U64:
    case ARG_LANES:
        if (!parse_u64(v, strlen(v), &number) || number < o->min || number > max)
            return complain(x, "--%s: '%s' is not a number from %llu to %llu", o->name, v,
                            (unsigned long long)o->min, (unsigned long long)max);
        if (o->kind == ARG_LANES && number & (number - 1))
            return complain(x, "--%s: %llu is not a power of two", o->name,
                            (unsigned long long)number);
        if (o->kind != ARG_U64)
            *(uint32_t *)to = (uint32_t)number;
        else
            *(uint64_t *)to = number;
        break;
    case ARG_SECONDS:
        if (!seconds(v, to))
            return complain(x, "--%s: '%s' is not a time like 90, 90s, 10m or 2h, above 0", o->name,
                            v);
        break;
    case ARG_TEXTS: {
        struct arg_texts *all = to;
        if (all->n == ARG_TEXTS_MAX)
            return complain(x, "--%s: given more than %d times", o->name, ARG_TEXTS_MAX);
        all->v[all->n++] = v;
        break;
    }
    }
    return -1;
}

// ---- words -----------------------------------------------------------------------

// Parses one long option; increments *i if it uses the next argument.
static int long_option(const struct context *x, void *given, int argc, char **argv, int *i)
{
    const struct command *c = x->command;
    const char *word = argv[*i] + 2;
    size_t n = strcspn(word, "=");
    for (uint32_t k = 0; k < c->count; k++) {
        const struct arg_option *o = &c->options[k];
        if (strlen(o->name) != n || memcmp(o->name, word, n) != 0)
            continue;
        if (!o->value)
            return word[n] ? complain(x, "--%s takes no value", o->name) : set(x, given, o, NULL);
        if (word[n])
            return set(x, given, o, word + n + 1);
        if (*i + 1 >= argc)
            return complain(x, "--%s needs a value (%s)", o->name, o->value);
        return set(x, given, o, argv[++*i]);
    }
    char name[NAME_MAX_LEN + 1];
    snprintf(name, sizeof name, "%.*s", n < NAME_MAX_LEN ? (int)n : NAME_MAX_LEN, word);
    return unknown(x, argv[*i], name);
}

static int short_option(const struct context *x, void *given, int argc, char **argv, int *i)
{
    const struct command *c = x->command;
    const char *word = argv[*i] + 1;
    for (uint32_t k = 0; k < c->count; k++) {
        const struct arg_option *o = &c->options[k];
        if (!o->letter || o->letter != word[0])
            continue;
        if (!o->value)
            return word[1] ? unknown(x, argv[*i], NULL) : set(x, given, o, NULL);
        if (word[1])
            return set(x, given, o, word + 1);
        if (*i + 1 >= argc)
            return complain(x, "-%c needs a value (%s)", o->letter, o->value);
        return set(x, given, o, argv[++*i]);
    }
    return unknown(x, argv[*i], NULL);
}

int args_parse(struct context *x, void *given, int argc, char **argv)
{
    const struct command *c = x->command;
    for (int i = 1; i < argc && strcmp(argv[i], "--") != 0; i++)
        if (strcmp(argv[i], "--help") == 0 || strcmp(argv[i], "-h") == 0) {
            print_help(c);
            return STATUS_GOOD;
        }
    x->words = argv + 1;
    bool ended = false;
    for (int i = 1; i < argc; i++) {
        int status = -1;
        if (!ended && strcmp(argv[i], "--") == 0)
            ended = true;
        else if (!ended && strncmp(argv[i], "--", 2) == 0)
            status = long_option(x, given, argc, argv, &i);
        else if (!ended && argv[i][0] == '-' && argv[i][1])
            status = short_option(x, given, argc, argv, &i);
        else
            x->words[x->n++] = argv[i]; // x->n < i: overwrites only arguments already read
        if (status >= 0)
            return status;
    }
    if (x->n > c->rest_max) {
        bool takes_target = false;
        for (uint32_t i = 0; i < c->count; i++)
            takes_target |= strcmp(c->options[i].name, "target") == 0;
        if (c->rest_max == 0 && takes_target)
            return complain(x, "unexpected '%s'; did you mean --target %s?", x->words[0],
                            x->words[0]);
        if (c->rest_max == 0)
            return complain(x, "unexpected '%s' (see tanglefuzz %s --help)", x->words[0], c->name);
        return complain(x, "unexpected '%s': one %s at a time", x->words[c->rest_max], c->rest);
    }
    if (x->n < c->rest_min)
        return complain(x, "needs %s (see tanglefuzz %s --help)", c->rest, c->name);
    return -1;
}
