// SPDX-License-Identifier: Apache-2.0
//
// tanglefuzz completion: what completes command lines in a shell, made of the tables of commands
// and options.
#include "args.h"
#include "runners/runners.h"

#include <string.h>

// What may stand for a value, by what --help calls it.
enum value { VALUE_NONE, VALUE_WORDS, VALUE_FILE, VALUE_FOLDER };

static bool begins(const char *s, const char *with)
{
    return strncmp(s, with, strlen(with)) == 0;
}

static enum value value_of(const char *called)
{
    return begins(called, "DIR")                              ? VALUE_FOLDER
           : begins(called, "FILE") || begins(called, "CASE") ? VALUE_FILE
                                                              : VALUE_NONE;
}

// The words of an option's value, with blanks between them; "" where any may stand.
static const char *words_of(struct arena *a, const struct arg_option *o)
{
    struct text t = {.arena = a};
    text_addn(&t, "", 0);
    if (o->words)
        for (const char *p = o->words; *p; p++)
            if (*p != ',')
                text_addn(&t, p, 1);
    if (o->value && strcmp(o->value, "SPEC") == 0) {
        const struct run_kind *kinds;
        const uint32_t n = run_kinds(&kinds);
        for (uint32_t i = 0; i < n; i++)
            text_add(&t, "%s%s", i ? " " : "", kinds[i].name);
    }
    return t.v;
}

static enum value value_of_option(struct arena *a, const struct arg_option *o)
{
    return words_of(a, o)[0] ? VALUE_WORDS : value_of(o->value);
}

// The first line of a help text, each of `special` after a backslash, ' as a shell's '\''.
static const char *quoted(struct arena *a, const char *line, const char *special)
{
    struct text t = {.arena = a};
    text_addn(&t, "", 0);
    for (const char *p = line; *p && *p != '\n'; p++) {
        if (*p == '\'')
            text_add(&t, "'\\''");
        else
            text_add(&t, "%s%c", strchr(special, *p) ? "\\" : "", *p);
    }
    return t.v;
}

static bool is_listed(const struct command *c)
{
    return c->task != TASK_HIDDEN;
}

// The next listed command after *i, which starts as 0; NULL at the end.
static const struct command *next(size_t *i)
{
    while (commands[*i] && !is_listed(commands[*i]))
        ++*i;
    return commands[*i] ? commands[(*i)++] : NULL;
}

// The options of a command, and of those below it, each name once; how many.
static uint32_t options_of(struct arena *a, const struct command *c, const struct arg_option **out)
{
    VEC(struct arg_option) v = {0};
    const struct command *const one[] = {c, NULL}, *const *from = c->sub ? c->sub : one;
    for (; *from; from++)
        for (uint32_t k = 0; k < (*from)->count; k++) {
            const struct arg_option *o = &(*from)->options[k];
            bool had = false;
            for (size_t i = 0; i < v.n; i++)
                had |= strcmp(v.v[i].name, o->name) == 0;
            if (!had)
                *VEC_PUSH(a, &v) = *o;
        }
    *out = v.v;
    return (uint32_t)v.n;
}

// The words that may follow a command which takes no files: shells, or the commands below it.
static const char *words_after(struct arena *a, const struct command *c)
{
    struct text t = {.arena = a};
    if (!c->sub)
        return "bash zsh fish";
    for (size_t i = 0; c->sub[i]; i++)
        text_add(&t, "%s%s", i ? " " : "", c->sub[i]->name + strlen(c->name) + 1);
    return t.v;
}

// ---- bash ------------------------------------------------------------------------

static void bash_value(struct arena *a, const struct command *c, const struct arg_option *o)
{
    static const char *const how[] = {
        [VALUE_NONE] = "", [VALUE_FILE] = "-f", [VALUE_FOLDER] = "-d"};
    const enum value v = value_of_option(a, o);
    say("    '%s --%s'", c->name, o->name);
    if (o->letter)
        say(" | '%s -%c'", c->name, o->letter);
    if (v == VALUE_WORDS)
        say(") COMPREPLY=($(compgen -W '%s' -- \"$cur\")); return ;;\n", words_of(a, o));
    else if (v == VALUE_NONE)
        say(") return ;;\n");
    else
        say(") COMPREPLY=($(compgen %s -- \"$cur\")); return ;;\n", how[v]);
}

static void bash(struct arena *a)
{
    const struct command *c;
    say("# bash completion of tanglefuzz, made by: tanglefuzz completion bash\n"
        "_tanglefuzz() {\n"
        "    local cur=${COMP_WORDS[COMP_CWORD]} prev=${COMP_WORDS[COMP_CWORD - 1]} "
        "command=${COMP_WORDS[1]}\n"
        "    COMPREPLY=()\n"
        "    if [ \"$COMP_CWORD\" = 1 ] || [ \"$COMP_CWORD$command\" = 2help ]; then\n"
        "        COMPREPLY=($(compgen -W '");
    for (size_t i = 0; (c = next(&i));)
        say("%s ", c->name);
    say("help --help --version' -- \"$cur\"))\n        return\n    fi\n"
        "    case \"$command $prev\" in\n");
    const struct arg_option *v;
    for (size_t i = 0; (c = next(&i));) {
        const uint32_t n = options_of(a, c, &v);
        for (uint32_t k = 0; k < n; k++)
            if (v[k].value)
                bash_value(a, c, &v[k]);
    }
    say("    esac\n    case \"$command $cur\" in\n");
    for (size_t i = 0; (c = next(&i));) {
        const uint32_t n = options_of(a, c, &v);
        say("    '%s -'*) COMPREPLY=($(compgen -W '", c->name);
        for (uint32_t k = 0; k < n; k++)
            say("--%s ", v[k].name);
        say("--help' -- \"$cur\")) ;;\n");
        if (c->rest && value_of(c->rest) != VALUE_NONE)
            say("    '%s '*) COMPREPLY=($(compgen -%c -- \"$cur\")) ;;\n", c->name,
                value_of(c->rest) == VALUE_FOLDER ? 'd' : 'f');
        else if (c->rest)
            say("    '%s '*) COMPREPLY=($(compgen -W '%s' -- \"$cur\")) ;;\n", c->name,
                words_after(a, c));
    }
    say("    esac\n}\ncomplete -o filenames -F _tanglefuzz tanglefuzz\n");
}

// ---- zsh -------------------------------------------------------------------------

static const char *zsh_value(struct arena *a, const struct arg_option *o)
{
    static const char *const how[] = {
        [VALUE_NONE] = " ", [VALUE_FILE] = "_files", [VALUE_FOLDER] = "_files -/"};
    const enum value v = value_of_option(a, o);
    return arena_printf(a, ":%s:%s", quoted(a, o->value, "[]:\\"),
                        v == VALUE_WORDS ? arena_printf(a, "(%s)", words_of(a, o)) : how[v]);
}

static void zsh(struct arena *a)
{
    const struct command *c;
    say("#compdef tanglefuzz\n# Made by: tanglefuzz completion zsh\n_tanglefuzz() {\n"
        "    local -a commands=(\n");
    for (size_t i = 0; (c = next(&i));)
        say("        '%s:%s'\n", c->name, quoted(a, c->line, ":\\"));
    say("        'help:what a command does'\n    )\n"
        "    if ((CURRENT == 2)) || [[ $words[2] == help ]]; then\n"
        "        _describe command commands\n        return\n    fi\n"
        "    shift words\n    ((CURRENT--))\n    case $words[1] in\n");
    for (size_t i = 0; (c = next(&i));) {
        say("    %s) _arguments -s", c->name);
        const struct arg_option *v;
        const uint32_t n = options_of(a, c, &v);
        for (uint32_t k = 0; k < n; k++) {
            const struct arg_option *o = &v[k];
            const char *value = o->value ? zsh_value(a, o) : "",
                       *many = o->kind == ARG_TEXTS ? "\\*" : "";
            const char *line = quoted(a, o->line, "[]:\\");
            say(" \\\n        %s'--%s[%s]%s'", many, o->name, line, value);
            if (o->letter)
                say(" %s'-%c[%s]%s'", many, o->letter, line, value);
        }
        say(" \\\n        '(-h --help)'{-h,--help}'[print help]'");
        if (c->rest && value_of(c->rest) != VALUE_NONE)
            say(" \\\n        '*: :_files%s'", value_of(c->rest) == VALUE_FOLDER ? " -/" : "");
        else if (c->rest)
            say(" \\\n        '1: :(%s)'", words_after(a, c));
        say(" ;;\n");
    }
    say("    esac\n}\n_tanglefuzz \"$@\"\n");
}

// ---- fish ------------------------------------------------------------------------

static void fish(struct arena *a)
{
    const struct command *c;
    static const char *const how[] = {[VALUE_NONE] = "-x",
                                      [VALUE_FILE] = "-r -F",
                                      [VALUE_FOLDER] = "-x -a '(__fish_complete_directories)'"};
    say("# fish completion of tanglefuzz, made by: tanglefuzz completion fish\n"
        "complete -c tanglefuzz -f -n __fish_use_subcommand -a help -d 'what a command does'\n");
    for (size_t i = 0; (c = next(&i));) {
        const enum value rest = c->rest ? value_of(c->rest) : VALUE_NONE;
        const char *when =
            arena_printf(a, "complete -c tanglefuzz -n '__fish_seen_subcommand_from %s'", c->name);
        say("complete -c tanglefuzz -f -n __fish_use_subcommand -a %s -d '%s'\n", c->name,
            quoted(a, c->line, "\\"));
        say("%s %s\n", when,
            rest == VALUE_FILE     ? "-F"
            : rest == VALUE_FOLDER ? "-f -a '(__fish_complete_directories)'"
            : c->rest              ? arena_printf(a, "-f -a '%s'", words_after(a, c))
                                   : "-f");
        const struct arg_option *v;
        const uint32_t n = options_of(a, c, &v);
        for (uint32_t k = 0; k < n; k++) {
            const struct arg_option *o = &v[k];
            say("%s -l %s", when, o->name);
            if (o->letter)
                say(" -s %c", o->letter);
            if (o->value && value_of_option(a, o) == VALUE_WORDS)
                say(" -x -a '%s'", words_of(a, o));
            else if (o->value)
                say(" %s", how[value_of(o->value)]);
            say(" -d '%s'\n", quoted(a, o->line, "\\"));
        }
    }
}

// ---- the command -----------------------------------------------------------------

static int run(struct context *x, void *given)
{
    static const struct {
        const char *name;
        void (*print)(struct arena *a);
    } shells[] = {{"bash", bash}, {"zsh", zsh}, {"fish", fish}};
    (void)given;
    for (size_t i = 0; i < sizeof shells / sizeof *shells; i++)
        if (strcmp(shells[i].name, x->words[0]) == 0) {
            shells[i].print(&x->arena);
            return STATUS_GOOD;
        }
    return complain(x, "'%s' is none of bash, zsh, fish", x->words[0]);
}

const struct command cmd_completion = {
    .name = "completion",
    .task = TASK_FINDINGS,
    .line = "print what completes command lines in a shell",
    .rest = "SHELL",
    .about = "Prints what completes commands, options and their values in bash, zsh or fish. An\n"
             "installed tanglefuzz (cmake --install) has it where these shells look.",
    .example = "tanglefuzz completion bash >~/.local/share/bash-completion/completions/tanglefuzz\n"
               "tanglefuzz completion zsh >~/.zfunc/_tanglefuzz\n"
               "tanglefuzz completion fish >~/.config/fish/completions/tanglefuzz.fish",
    .rest_min = 1,
    .rest_max = 1,
    .run = run,
};
