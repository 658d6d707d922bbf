// SPDX-License-Identifier: Apache-2.0
//
// The pass of a driver's compiler that is at fault, as text: for `bisect` and for a finding's
// README.
#include "report.h"

#include "diagnose/passes.h"

#include <string.h>

// One line for each level that was skipped; neighbours with one reason share it.
static void skipped(const struct passes *b, struct text *out)
{
    text_add(out, "  levels  %u: %u run, %u skipped\n", b->levels.n, b->ran, b->skipped);
    for (uint32_t i = 0, next; i < b->levels.n; i = next) {
        next = i + 1;
        if (b->level[i].seen != PASSES_SKIPPED)
            continue;
        while (next < b->levels.n && b->level[next].seen == PASSES_SKIPPED &&
               strcmp(b->level[next].text, b->level[i].text) == 0)
            next++;
        text_add(out, "    %s (line %u of the dump)", b->levels.v[i].pass, b->levels.v[i].line);
        if (next > i + 1)
            text_add(out, " to %s, %u levels", b->levels.v[next - 1].pass, next - i);
        text_add(out, ": %s\n", b->level[i].text);
    }
}

// One line for each level that was wrong although a later one is right: a value that nothing uses,
// or our reader.
static void again(const struct passes *b, struct text *out)
{
    for (uint32_t i = 0; b->right != PASSES_NONE && i < b->right; i++)
        if (b->level[i].seen == PASSES_WRONG)
            text_add(out, "  also    wrong after %s (level %u), right again later: %s\n",
                     b->levels.v[i].pass, i + 1, b->level[i].text);
}

void report_change_text(const char *before, const char *after, uint32_t most, struct text *out)
{
    struct passes_change *v;
    const uint32_t n = passes_difference(out->arena, before, after, &v);
    if (n == UINT32_MAX)
        text_add(out, "  the pass changes more than %d lines\n", PASSES_CHANGES);
    for (uint32_t i = 0; n != UINT32_MAX && i < n && i < most; i++)
        text_add(out, "  %c %.*s\n", v[i].added ? '+' : '-', (int)v[i].n, v[i].text);
    if (n != UINT32_MAX && n > most)
        text_add(out, "  and %u more lines\n", n - most);
}

// The variable that makes the driver print its code, and a command that sets it.
static void printed(const struct passes *b, const char *path, struct text *out)
{
    const struct run_stage *s = run_spec_parse(out->arena, b->target, NULL);
    const char *variable = s ? run_dump_variable(run_stage_option(s, "driver")) : NULL;
    text_add(out, "  printed by the driver%s%s: tanglefuzz replay %s --target %s%s\n",
             variable ? " with " : "", variable ? variable : "", path,
             shell_quote(out->arena, b->target),
             strstr(b->target, "dump") ? " --driver-text FILE" : "");
}

// The line of a level whose value it marks as uniform although lanes differ.
static void uniform(const struct level *v, uint32_t line, struct text *out)
{
    const char *at = v->text;
    for (uint32_t i = 1; i < line && at; i++)
        at = strchr(at, '\n') ? strchr(at, '\n') + 1 : NULL;
    if (!at)
        return;
    at += strspn(at, " \t");
    text_add(out, "  marked  %.*s (line %u after %s)\n", (int)strcspn(at, "\n"), at, line, v->pass);
}

// A compiler that ended before its last pass.
static void died(const struct passes *b, const char *path, struct text *out)
{
    if (b->doubt == PASSES_DIED)
        text_add(out, "  pass    %s: %s\n  printed after %s, and no more\n", b->pass,
                 passes_doubt_line(b->doubt), b->after);
    else
        text_add(out, "  pass    the one after %s; not sure which: %s\n", b->after,
                 passes_doubt_line(b->doubt));
    printed(b, path, out);
}

void report_passes_text(const struct passes *b, const char *path, uint32_t most, struct text *out)
{
    if (b->after) {
        died(b, path, out);
        return;
    }
    if (b->wrong == PASSES_NONE) {
        text_add(out, "  no pass found: %s\n", passes_doubt_line(b->doubt));
        again(b, out);
        skipped(b, out);
        return;
    }
    text_add(out, "  pass    %s (level %u of %u)%s%s\n", b->pass, b->wrong + 1, b->levels.n,
             b->doubt == PASSES_SURE ? "" : "; not sure: ",
             b->doubt == PASSES_SURE ? "" : passes_doubt_line(b->doubt));
    if (b->right != PASSES_NONE)
        text_add(out, "  right   after %s (level %u)\n", b->levels.v[b->right].pass, b->right + 1);
    else if (b->doubt == PASSES_SURE)
        text_add(out, "  right   the case's module\n");
    if (b->doubt == PASSES_UNEVEN)
        uniform(&b->levels.v[b->marked], b->level[b->marked].uneven, out);
    text_add(out, "  wrong   %s\n", b->level[b->wrong].text);
    if (b->target)
        printed(b, path, out);
    again(b, out);
    skipped(b, out);
    if (b->right == PASSES_NONE)
        return;
    const struct level *before = &b->levels.v[b->right], *after = &b->levels.v[b->wrong];
    if (before->language == after->language && before->language != LEVEL_UNREAD)
        report_change_text(before->text, after->text, most, out);
}
