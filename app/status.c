// SPDX-License-Identifier: Apache-2.0
//
// The status line.
#define _DEFAULT_SOURCE // struct winsize
#include "status.h"
#include "app.h"

#include <stdlib.h>
#include <string.h>
#include <sys/ioctl.h>
#include <unistd.h>

static const double REDRAW = 0.2, PLAIN = 10;

void status_start(struct status *s, double seconds, uint64_t total)
{
    const char *no_colour = getenv("NO_COLOR"), *term = getenv("TERM");
    bool dumb = !term || strcmp(term, "dumb") == 0;
    *s = (struct status){.seconds = seconds, .total = total};
    s->terminal = isatty(STDERR_FILENO) && !dumb;
    s->colour = s->terminal && !(no_colour && no_colour[0]);
    s->next = s->terminal ? 0 : PLAIN;
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

// How far it is: by time or by number, where an end is known; "" else.
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

void status_tick(struct status *s, const struct campaign_stats *st)
{
    if (st->seconds < s->next)
        return;
    s->next = st->seconds + (s->terminal ? REDRAW : PLAIN);
    char time[32], age[32], done[16], last[128] = "", line[400], found[64];
    progress(s, st, done, sizeof done);
    if (st->last[0])
        snprintf(last, sizeof last, ", last %s ago: %s",
                 status_time(age, sizeof age, st->seconds - st->last_at), st->last);
    const struct campaign_count *all = &st->sum;
    double rate = st->seconds > 0 ? (double)all->cases / st->seconds : 0;
    count_of(found, sizeof found, all->findings, "finding");
    int n =
        snprintf(line, sizeof line, "%s%s  %llu cases  %.*f/s  driver %.0f%%  ",
                 status_time(time, sizeof time, st->seconds), done, (unsigned long long)all->cases,
                 rate < 10 ? 1 : 0, rate,
                 campaign_driver_share(st, all, st->jobs * st->targets) * 100);
    size_t head = n > 0 ? (size_t)n : 0;
    n = snprintf(line + head, sizeof line - head, "%s%s", found, last);
    size_t end = head + (n > 0 ? (size_t)n : 0);
    static const char *const words[] = {"our mistakes", "flaky", "skipped", "in quarantine"};
    const uint64_t counts[] = {st->ours, all->flaky, all->skipped, all->quarantine};
    for (size_t i = 0; i < sizeof counts / sizeof counts[0] && end < sizeof line; i++) {
        n = counts[i] ? snprintf(line + end, sizeof line - end, ", %llu %s",
                                 (unsigned long long)counts[i], words[i])
                      : 0;
        end += n > 0 ? (size_t)n : 0;
    }
    if (all->repeated < all->rerun && end < sizeof line)
        snprintf(line + end, sizeof line - end, ", stability %.0f%%", campaign_stability(all) * 100);
    if (!s->terminal) {
        fprintf(stderr, "%s\n", line);
        return;
    }
    size_t room = columns() - 1, shown = strlen(line) < room ? strlen(line) : room;
    // The finding's part alone is coloured, where it is in sight.
    bool colour = s->colour && all->findings && shown > head;
    if (colour)
        fprintf(stderr, "\r%.*s\033[1;31m%.*s\033[0m\033[K", (int)head, line, (int)(shown - head),
                line + head);
    else
        fprintf(stderr, "\r%.*s\033[K", (int)shown, line);
    fflush(stderr);
    s->drawn = true;
}
