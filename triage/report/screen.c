// SPDX-License-Identifier: Apache-2.0
//
// A bug on one screen of a terminal: its title, where it is seen, why it is wrong, the shader or
// what the compiler changed in it, the lanes, the command. What does not fit is left out, and a
// line says so.
#define _POSIX_C_SOURCE 200809L // gmtime_r
#include "diff.h"
#include "report.h"

#include <ctype.h>
#include <string.h>
#include <time.h>

enum {
    COLUMNS = 100,
    LINES = 40,
    WHY_LINES = 6,
    TABLE_LINES = 9,  // of values
    SHADER_LEAST = 6, // lines of the shader, however long the rest is
    BEFORE = 3,       // lines of the shader before its first group operation
};

static const char RED[] = "\033[31m", GREEN[] = "\033[32m", BOLD[] = "\033[1m", DIM[] = "\033[2m",
                  END[] = "\033[0m";

struct screen {
    struct arena *a;
    bool colour;
};

static size_t lines_in(const struct text *t)
{
    size_t n = 0;
    for (size_t i = 0; i < t->n; i++)
        n += t->v[i] == '\n';
    return n;
}

// Adds one line, cut at the last column.
static void put(const struct screen *s, struct text *t, const char *colour, const char *line,
                size_t n)
{
    const bool cut = n > COLUMNS;
    text_add(t, "%s%s%s%s\n", s->colour ? colour : "",
             text_printable(s->a, arena_strn(s->a, line, cut ? COLUMNS - 4 : n)), cut ? " ..." : "",
             s->colour && colour[0] ? END : "");
}

// Adds a text in lines of whole words, at most `most` of them.
static void wrapped(const struct screen *s, struct text *t, const char *colour, const char *words,
                    uint32_t most)
{
    while (*words && most--) {
        size_t n = strlen(words);
        if (n > COLUMNS) {
            n = COLUMNS - (most ? 0 : 4);
            while (n && words[n] != ' ')
                n--;
            n = n ? n : COLUMNS - 4;
        }
        const char *rest = words + n + strspn(words + n, " ");
        put(s, t, colour, !most && *rest ? arena_printf(s->a, "%.*s ...", (int)n, words) : words,
            !most && *rest ? n + 4 : n);
        words = rest;
    }
}

static void plain(const struct screen *s, struct text *t, const char *line)
{
    put(s, t, "", line, strlen(line));
}

// ---- parts ---------------------------------------------------------------------------------

static void head(const struct screen *s, const struct report_view *w, struct text *t)
{
    const struct store_bucket *b = w->bucket;
    const struct finding *f = w->f;
    struct text facts = {.arena = s->a};
    const char *versions = finding_versions_words(s->a, f);
    wrapped(s, t, BOLD, report_title(s->a, f, b->signature), 3);
    text_add(&facts, "%s, bucket %s, %u words", judge_class_name(finding_class(f)),
             b->signature->name, f->words);
    if (b->findings > 1)
        text_add(&facts, ", %u findings", b->findings);
    if (f->tries)
        text_add(&facts, ", seen in %u of %u runs", f->reproduced, f->tries);
    if (versions[0])
        text_add(&facts, "; %s", versions);
    wrapped(s, t, "", facts.v, 2);
    plain(s, t, arena_printf(s->a, "target  %s", f->target));
    if (f->driver[0])
        plain(s, t, arena_printf(s->a, "version %s", f->driver));
    const struct finding *first = &b->best->f;
    if (first->host[0] && first->found_at) {
        char day[32];
        const time_t at = (time_t)first->found_at;
        struct tm utc;
        strftime(day, sizeof day, "%Y-%m-%d %H:%M UTC", gmtime_r(&at, &utc));
        plain(s, t, arena_printf(s->a, "found   %s on %s", day, first->host));
    }
}

static void why(const struct screen *s, const struct report_view *w, struct text *t)
{
    const char *words = w->reason.what && w->reason.what[0] ? w->reason.what : w->f->verdict.text;
    text_add(t, "\n");
    wrapped(s, t, "", words, WHY_LINES);
    if (w->reason.says && w->reason.says[0] && w->reason.what[0])
        wrapped(s, t, DIM, w->reason.says, 2);
}

// Lines of the table near the first wrong one.
static void lanes(const struct screen *s, const struct report_view *w, struct text *t)
{
    struct text table = {.arena = s->a};
    if (w->backtrace && w->backtrace[0])
        text_add(&table, "%s", w->backtrace);
    else if (w->expected && w->observed)
        report_table(&w->c, w->expected, w->observed, w->c.buffer_count, 1, TABLE_LINES, &table);
    if (!table.n)
        return;
    const char *line = table.v, *first = strstr(table.v, "\n*");
    size_t wrong = 0, at = 0;
    for (const char *p = table.v; first && p <= first; p++)
        wrong += *p == '\n';
    const size_t from = wrong > TABLE_LINES - 3 ? wrong - 2 : 2;
    text_add(t, "\n");
    for (uint32_t shown = 0; *line && shown < TABLE_LINES; at++) {
        const size_t n = strcspn(line, "\n");
        if (at < 2 || at >= from || !first) { // the first two lines are its head
            put(s, t, *line == '*' ? RED : "", line, n);
            shown++;
        }
        line += n + (line[n] != 0);
    }
    if (*line)
        plain(s, t, arena_printf(s->a, "... more: %s/lanes.txt", w->folder));
}

static void commands(const struct screen *s, const struct report_view *w, struct text *t)
{
    const char *target = run_harmless(w->f->target)
                             ? ""
                             : arena_printf(s->a, " --target %s", shell_quote(s->a, w->f->target));
    // A command is not cut: it can be typed.
    text_add(t, "\ntanglefuzz replay %s%s\n", shell_quote(s->a, w->folder), target);
}

// ---- the shader ----------------------------------------------------------------------------

// GLSL without directives, layouts and declarations of values.
static const char *statements(struct arena *a, const char *glsl)
{
    static const char *const types[] = {"uint ", "bool ", "float ",   "uvec",
                                        "bvec",  "vec",   "precise ", NULL};
    struct text t = {.arena = a};
    bool declares = false;
    text_addn(&t, "", 0);
    for (const char *line = glsl; *line;) {
        const size_t n = strcspn(line, "\n");
        bool leave = declares || *line == '#' || n == 0;
        const char *word = line + strspn(line, " ");
        for (size_t k = 0; types[k] && !leave; k++)
            leave = strncmp(word, types[k], strlen(types[k])) == 0 && !memchr(line, '=', n) &&
                    !memchr(line, '(', n);
        leave |= strncmp(line, "layout(local_size", 17) == 0;
        declares = leave && *line == ' ' && n && line[n - 1] != ';';
        if (!leave)
            text_addn(&t, line, n + (line[n] != 0));
        line += n + (line[n] != 0);
    }
    return t.v;
}

// The first call of a group operation in GLSL.
static const char *first_operation(const char *code)
{
    const char *s = code;
    while ((s = strstr(s, "subgroup")) && !isupper((unsigned char)s[8]))
        s += 8;
    return s;
}

static void one_shader(const struct screen *s, const char *code, size_t most, struct text *t)
{
    const char *first = first_operation(code);
    size_t all = 0, before = 0, at = 0;
    for (const char *p = code; *p; p++) {
        all += *p == '\n';
        before += first && p < first && *p == '\n';
    }
    const size_t from = all > most && before > BEFORE ? before - BEFORE : 0;
    for (const char *line = code; *line; at++) {
        const size_t n = strcspn(line, "\n");
        if (at >= from && at < from + most - (all > most))
            put(s, t, "", line, n);
        line += n + (line[n] != 0);
    }
    if (all > most)
        plain(s, t,
              arena_printf(s->a, "... lines %zu to %zu of %zu", from + 1,
                           from + most - 1 < all ? from + most - 1 : all, all));
}

// Changed lines with one line before and after each group.
static bool difference(const struct screen *s, const char *before, const char *after, size_t most,
                       struct text *t)
{
    struct diff_line *v;
    const size_t n = diff_lines(s->a, before, after, &v);
    size_t shown = 0, left = 0;
    bool gap = false;
    for (size_t i = 0; i < n; i++) {
        const bool near =
            v[i].mark != ' ' || (i && v[i - 1].mark != ' ') || (i + 1 < n && v[i + 1].mark != ' ');
        if (!near) {
            gap = true;
            continue;
        }
        if (shown + 2 >= most) {
            left += v[i].mark != ' ';
            continue;
        }
        if (gap && shown) {
            plain(s, t, "  ...");
            shown++;
        }
        gap = false;
        const char *line = arena_printf(s->a, "%c %.*s", v[i].mark, (int)v[i].n, v[i].s);
        put(s, t, v[i].mark == '-' ? RED : v[i].mark == '+' ? GREEN : "", line, strlen(line));
        shown++;
    }
    if (left)
        plain(s, t, arena_printf(s->a, "... %zu more lines differ", left));
    return shown;
}

static void shader(const struct screen *s, const struct report_view *w, size_t most, struct text *t)
{
    const char *code = w->glsl ? statements(s->a, w->glsl) : w->pseudo;
    if (!code)
        return;
    if (w->glsl && w->glsl_output) {
        text_add(t, "\n");
        plain(s, t, "What the compiler changed, in GLSL (- given, + written):");
        if (difference(s, code, statements(s->a, w->glsl_output), most - 2, t))
            return;
        plain(s, t, "nothing that GLSL shows; the shader:");
        one_shader(s, code, most - 3, t);
        return;
    }
    text_add(t, "\n");
    one_shader(s, code, most - 1, t);
}

void report_screen(const struct report_view *w, bool colour, struct text *out)
{
    const struct screen s = {out->arena, colour};
    struct text top = {.arena = s.a}, low = {.arena = s.a}, middle = {.arena = s.a};
    head(&s, w, &top);
    why(&s, w, &top);
    lanes(&s, w, &low);
    commands(&s, w, &low);
    const size_t used = lines_in(&top) + lines_in(&low);
    shader(&s, w, used + SHADER_LEAST < LINES ? LINES - used : SHADER_LEAST, &middle);
    text_add(out, "%s%s%s", top.v, middle.n ? middle.v : "", low.v);
}
