// SPDX-License-Identifier: Apache-2.0
//
// The machine of isa/nak on a driver's texts: how long it takes, and what it sees of faults planted in them.
//
//   bench_nak FOLDER    of NAME.spvasm, a case each, and NAME.txt, what the driver made of it
//
// Of each text every line that a kind of fault applies to is changed, at most FAULTS of them; seen is what leaves
// another memory by some schedule, or does not come to an end. scripts/nak_faults.sh makes the texts. Not a test.
#define _POSIX_C_SOURCE 200809L // clock_gettime, scandir
#include "nak/nak.h"

#include <dirent.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

enum { FAULTS = 3, CASES = 5000 };

static double now(void)
{
    struct timespec t;
    clock_gettime(CLOCK_THREAD_CPUTIME_ID, &t);
    return (double)t.tv_sec + 1e-9 * (double)t.tv_nsec;
}

static const struct {
    const char *name, *in, *from, *to; // in lines that hold `in`; an empty `from` drops the line
} kinds[] = {
    {"bsync dropped", " bsync b", "", ""},
    {"bssy dropped", "= bssy b", "", ""},
    {"lane of a shuffle", "shfl.bfly", " 0x1 ", " 0x2 "},
    {"lane of a shuffle, up", "shfl.up", " 0x1 ", " 0x2 "},
    {"guard inverted", "@!p", "@!p", "@p"},
    {"comparison inverted", "isetp.", "isetp.ne", "isetp.eq"},
    {"comparison's end", "isetp.", "isetp.lt", "isetp.le"},
    {"select inverted", "= sel p", "sel p", "sel !p"},
    {"vote of none", "vote.any", "vote.any pT", "vote.any pF"},
    {"ballot of another predicate", "vote.any p0", "p0", "!p0"},
    {"sum by one", "= iadd3 ", " 0x1 ", " 0x2 "},
    {"store dropped", " st.", "", ""},
    {"load of the next word", "ld.global", "], pT", "+0x4], pT"},
    {"workgroup's barrier dropped", "bar.sync", "", ""},
    {"uniform register's source", "= r2ur", "r2ur", "mov rZ //"},
};
enum { KINDS = sizeof kinds / sizeof kinds[0] };

static bool same(const struct spv_case *c, const struct isa_result *x, const struct isa_result *y)
{
    if (y->status != ISA_RAN || y->others != x->others)
        return false;
    for (uint32_t i = 0; i < c->buffer_count; i++)
        if (memcmp(x->memory[i].words, y->memory[i].words, x->memory[i].count * 4) != 0)
            return false;
    return true;
}

static void try(struct arena *a, const struct nak_source *s, const struct spv_case *c, struct isa_result *out)
{
    const struct isa_options o = {.junk = 1, .step_limit = 400000};
    const struct isa_code *p = nak_read(a, s, out);
    if (p)
        isa_run(a, p, c, &o, out);
}

// The part of what the driver said between two heads.
static const char *part(struct arena *a, const char *all, const char *head)
{
    const char *at = strstr(all, head);
    if (!at)
        return NULL;
    at = strchr(at, '\n') + 1;
    const char *end = strstr(at, "\n====");
    return arena_strn(a, at, end ? (size_t)(end - at) + 1 : strlen(at));
}

static void plant(struct arena *a, const struct nak_source *s, const struct spv_case *c, const struct isa_result *right,
                  uint32_t all[KINDS], uint32_t seen[KINDS])
{
    struct arena turn = {0};
    for (uint32_t k = 0; k < KINDS; k++) {
        uint32_t n = 0;
        for (const char *at = s->assembly; *at && n < FAULTS;) {
            const char *end = strchr(at, '\n');
            end = end ? end + 1 : at + strlen(at);
            const char *line = arena_strn(&turn, at, (size_t)(end - at));
            const char *from = strstr(line, kinds[k].in) ? strstr(line, kinds[k].from) : NULL;
            if (from) {
                const char *made = kinds[k].from[0] ? arena_printf(&turn, "%.*s%s%s", (int)(from - line), line, kinds[k].to,
                                                                   from + strlen(kinds[k].from))
                                                    : "";
                const struct nak_source wrong = {
                    s->nir, arena_printf(&turn, "%.*s%s%s", (int)(at - s->assembly), s->assembly, made, end)};
                struct isa_result r;
                try(&turn, &wrong, c, &r);
                if (r.status != ISA_UNSUPPORTED) {
                    n++;
                    all[k]++;
                    seen[k] += !same(c, right, &r);
                }
            }
            at = end;
            arena_reset(&turn);
        }
    }
    arena_free(&turn);
    (void)a;
}

static int by_size(const void *a, const void *b)
{
    const double x = *(const double *)a, y = *(const double *)b;
    return x < y ? -1 : x > y;
}

static int is_case(const struct dirent *d)
{
    const char *dot = strrchr(d->d_name, '.');
    return dot && strcmp(dot, ".spvasm") == 0;
}

int main(int argc, char **argv)
{
    static double took[CASES];
    uint32_t n = 0, all[KINDS] = {0}, seen[KINDS] = {0};
    struct dirent **names;
    struct spv_tools *tools = spv_tools_new();
    struct arena a = {0};
    const int found = argc == 2 ? scandir(argv[1], &names, is_case, alphasort) : -1;
    if (found < 0)
        return fprintf(stderr, "usage: bench_nak FOLDER\n"), 2;
    for (int i = 0; i < found && n < CASES; i++) {
        struct spv_case c;
        struct err e;
        char *told;
        size_t size;
        struct isa_result right;
        const char *path = arena_printf(&a, "%s/%s", argv[1], names[i]->d_name);
        const char *text = arena_printf(&a, "%.*s.txt", (int)strlen(path) - (int)strlen(".spvasm"), path);
        if (spv_case_read(tools, &a, path, &c, &e) && file_read(&a, text, 1 << 24, &told, &size, &e)) {
            const struct nak_source s = {part(&a, told, "==== NIR shader"), part(&a, told, "==== NAK assembly")};
            const double begin = now();
            try(&a, &s, &c, &right);
            took[n] = now() - begin;
            if (right.status == ISA_RAN) {
                n++;
                plant(&a, &s, &c, &right, all, seen);
            }
        }
        arena_reset(&a);
    }
    qsort(took, n, sizeof *took, by_size);
    if (n)
        printf("%u texts, read and run by all schedules: median %.2f ms, one in ten over %.2f ms.\n\n", n, 1e3 * took[n / 2],
               1e3 * took[n - 1 - n / 10]);
    printf("| fault | planted | seen |\n| --- | ---: | ---: |\n");
    for (uint32_t k = 0; k < KINDS; k++)
        if (all[k])
            printf("| %s | %u | %u %% |\n", kinds[k].name, all[k], (100 * seen[k] + all[k] / 2) / all[k]);
    return n ? 0 : 1;
}
