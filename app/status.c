// SPDX-License-Identifier: Apache-2.0
//
// Status line on standard error.
#define _DEFAULT_SOURCE // struct winsize
#include "status.h"
#include "app.h"

#include <stdlib.h>
#include <string.h>
#include <sys/ioctl.h>
#include <unistd.h>

void status_start(struct status *s, double seconds, uint64_t total)
{
    const char *no_colour = getenv("NO_COLOR"), *term = getenv("TERM");
    bool dumb = !term || strcmp(term, "dumb") == 0;
    *s = (struct status){.seconds = seconds, .total = total};
    s->terminal = isatty(STDERR_FILENO) && !dumb;
    s->colour = s->terminal && !(no_colour && no_colour[0]);
    s->next = s->terminal ? 0 : STATUS_PLAIN;
}

const char *status_time(char *buf, size_t size, double seconds)
{
    unsigned long t = (unsigned long)seconds;
    if (t < 60)
        snprintf(buf, size, "%.*f s", seconds < 9.95 ? 1 : 0, seconds);
    else if (t < 3600)
        snprintf(buf, size, "%lu:%02lu", t / 60, t % 60);
    else
        snprintf(buf, size, "%lu:%02lu:%02lu", t / 3600, t / 60 % 60, t % 60);
    return buf;
}

void status_clear(struct status *s)
{
    if (s->drawn)
        fputs("\r\033[K", stderr);
    s->drawn = false;
}

static unsigned columns(void)
{
    struct winsize w;
    return ioctl(STDERR_FILENO, TIOCGWINSZ, &w) == 0 && w.ws_col ? w.ws_col : 80;
}

// Writes the progress in percent, by time or by number of seeds; "" for an endless campaign.
static void progress(const struct status *s, const struct campaign_stats *st, char *out, size_t n)
{
    double done = s->total ? (double)(st->next_seed - s->first) / (double)s->total : 0;
    if (s->seconds > 0 && st->seconds / s->seconds > done)
        done = st->seconds / s->seconds;
    out[0] = 0;
    if (s->total || s->seconds > 0)
        snprintf(out, n, " %3.0f%%", (done > 1 ? 1 : done) * 100);
}

void status_line(struct status *s, const char *line)
{
    if (s->terminal)
        fprintf(stderr, "\r%.*s\033[K", (int)columns() - 1, line);
    else
        fprintf(stderr, "%s\n", line);
    fflush(stderr);
    s->drawn = s->terminal;
}

// A narrow terminal cuts the end of the line, so findings come first.
void status_tick(struct status *s, const struct campaign_stats *st)
{
    static const char *const words[] = {"bugs in tanglefuzz", "skipped", "quarantined"};
    const struct campaign_count *all = &st->sum;
    const uint64_t counts[] = {st->own_bugs, all->skipped, all->quarantine};
    const double rate = st->seconds > 0 ? (double)all->cases / st->seconds : 0;
    char time[32], n[64], done[16], found[160], rest[200];
    struct arena a = {0};
    struct text line = {.arena = &a};
    if (st->seconds < s->next)
        return;
    s->next = st->seconds + (s->terminal ? STATUS_REDRAW : STATUS_PLAIN);
    progress(s, st, done, sizeof done);
    snprintf(found, sizeof found, "%s", count_of(n, sizeof n, all->findings, "finding"));
    if (st->buckets)
        snprintf(found + strlen(found), sizeof found - strlen(found), " in %s",
                 count_of(n, sizeof n, st->buckets, "bucket"));
    if (all->further)
        snprintf(found + strlen(found), sizeof found - strlen(found), ", %llu only counted",
                 (unsigned long long)all->further);
    if (all->flaky)
        snprintf(found + strlen(found), sizeof found - strlen(found), ", %llu flaky",
                 (unsigned long long)all->flaky);
    snprintf(rest, sizeof rest, "%llu cases  %.*f/s  driver %.0f%%", (unsigned long long)all->cases,
             rate < 10 ? 1 : 0, rate, campaign_driver_share(st, all, st->jobs * st->targets) * 100);
    text_add(&line, "%s%s  ", status_time(time, sizeof time, st->seconds), done);
    const size_t head = line.n;
    text_add(&line, "%s  %s", found, rest);
    for (size_t i = 0; i < sizeof counts / sizeof counts[0]; i++)
        if (counts[i])
            text_add(&line, ", %llu %s", (unsigned long long)counts[i], words[i]);
    if (all->repeated < all->rerun)
        text_add(&line, ", stability %.0f%%", campaign_stability(all) * 100);
    if (st->last[0])
        text_add(&line, ", last %s ago: %s",
                 status_time(time, sizeof time, st->seconds - st->last_at), st->last);
    const size_t room = columns() - 1, shown = line.n < room ? line.n : room;
    // Only the findings are coloured, as far as they are visible.
    size_t end = head + strlen(found);
    end = end < shown ? end : shown;
    if (!s->colour || !all->findings || shown <= head)
        status_line(s, line.v);
    else
        fprintf(stderr, "\r%.*s\033[1;31m%.*s\033[0m%.*s\033[K", (int)head, line.v,
                (int)(end - head), line.v + head, (int)(shown - end), line.v + end);
    fflush(stderr);
    s->drawn = s->terminal;
    arena_free(&a);
}
