// SPDX-License-Identifier: Apache-2.0
//
// What a device program elsewhere sends, as any bytes: the relay of target `device:` reads them.
// Its answers to the supervisor must be valid, and each case of each job must be answered exactly
// once, whatever comes and however often the link ends.
//
// Input: the head (FZ_LINKS), then the bytes of the links, one after the other.
// Seeds: links of a device program.
#define _GNU_SOURCE
#include "fuzz.h"
#include "runners/link_process.h"
#include "runners/link_relay.h"

#include <errno.h>
#include <poll.h>
#include <signal.h>
#include <stdlib.h>
#include <string.h>
#include <sys/socket.h>
#include <time.h>
#include <unistd.h>

enum { TURNS = 400 };

static struct {
    const uint8_t *data;
    size_t size, length[FZ_LINKS];
    bool silent[FZ_LINKS];
    unsigned link, turn;
    bool open;
    double now;
    struct wire_buf answers; // to the supervisor
} world;

// ---- the system, for the relay -----------------------------------------------------------

static bool fz_start(struct link_process *p, char *const *words, struct err *e)
{
    (void)words, (void)e;
    p->in.at = p->in.n = p->out.at = p->out.n = 0;
    p->to = p->from = p->err = -1;
    output_clear(&p->output);
    world.open = true;
    return true;
}

static bool fz_send(struct link_process *p)
{
    p->out.at = p->out.n;
    return true;
}

static bool fz_receive(struct link_process *p)
{
    const unsigned k = world.link;
    if (k >= FZ_LINKS)
        return false;
    put_bytes(&p->in, world.data, world.length[k]);
    world.data += world.length[k];
    world.length[k] = 0;
    return world.silent[k];
}

static void fz_listen(struct link_process *p)
{
    (void)p;
}

static void fz_stop(struct link_process *p, char *how, size_t size)
{
    (void)p;
    world.link += world.open && world.link < FZ_LINKS;
    world.open = false;
    if (how)
        snprintf(how, size, "the command ended");
}

static int fz_poll(struct pollfd *p, nfds_t n, int ms)
{
    const unsigned k = world.link;
    const bool heard = k >= FZ_LINKS || world.length[k] || !world.silent[k]; // bytes, or the end
    CHECK(n == 4 && ms > 0);
    for (nfds_t i = 0; i < n; i++)
        p[i].revents = 0;
    p[0].revents = POLLIN;
    p[1].revents = world.open && heard ? POLLIN : 0;
    world.now += 1;
    return 1;
}

static ssize_t fz_answer(int fd, const void *v, size_t n, int flags)
{
    (void)fd, (void)flags;
    put_bytes(&world.answers, v, n);
    return (ssize_t)n;
}

// The supervisor stays until the relay has had its turns.
static ssize_t fz_supervisor(int fd, void *v, size_t n, int flags)
{
    (void)fd, (void)v, (void)n, (void)flags;
    errno = EAGAIN;
    return ++world.turn < TURNS ? -1 : 0;
}

static double fz_now(void)
{
    return world.now;
}

static int fz_sleep(const struct timespec *wanted, struct timespec *rest)
{
    (void)wanted, (void)rest;
    return 0;
}

#define link_start   fz_start
#define link_send    fz_send
#define link_receive fz_receive
#define link_listen  fz_listen
#define link_stop    fz_stop
#define poll         fz_poll
#define send         fz_answer
#define recv         fz_supervisor
#define now_seconds  fz_now
#define nanosleep    fz_sleep
#include "runners/link_relay.c"

// ---- what the supervisor must see ----------------------------------------------------------

static bool is_answer(const struct run_result *r, const struct spv_case *c)
{
    if (r->memory_count != (r->status == RUN_OK ? c->buffer_count : 0))
        return false;
    for (uint32_t i = 0; i < r->memory_count; i++)
        if (r->memory[i].set != c->buffer[i].set || r->memory[i].binding != c->buffer[i].binding ||
            r->memory[i].count != c->buffer[i].count)
            return false;
    return true;
}

static void check_answers(void)
{
    struct arena a = {0};
    struct frame f;
    bool bad = false, ready = false, begun = false;
    uint32_t job = 0, got = 0;
    while (frame_next(&world.answers, FRAME_LIMIT, &f, &bad)) {
        struct run_info info;
        struct run_result r;
        struct contain_processors has;
        arena_reset(&a);
        switch (f.kind) {
        case FRAME_READY:
            CHECK(!ready && get_info(&f, &info) && info.form == RUN_FORM_MEMORY);
            ready = true;
            break;
        case FRAME_REFUSED:
            CHECK(!ready && strlen(get_str(&f, &a)) > 0 && world.answers.at == world.answers.n);
            arena_free(&a);
            return;
        case FRAME_ALIVE:
            CHECK(ready && get_alive(&f, &has));
            break;
        case FRAME_START:
            CHECK(ready && job < FZ_JOBS);
            begun = true;
            break;
        case FRAME_RESULT:
            CHECK(ready && begun && job < FZ_JOBS && got < fz_jobs()[job].made.case_count);
            CHECK(get_result(&f, &a, &r));
            CHECK(is_answer(&r, &fz_jobs()[job].made.cases[got]));
            got++;
            if (r.status == RUN_HUNG || r.status == RUN_DEVICE_LOST) {
                arena_free(&a); // the supervisor ends the worker
                return;
            }
            break;
        case FRAME_DONE:
            CHECK(begun && job < FZ_JOBS && got == fz_jobs()[job].made.case_count);
            job++;
            got = 0;
            begun = false;
            break;
        default:
            CHECK(!"a frame for the supervisor");
        }
    }
    CHECK(!bad && world.answers.at == world.answers.n);
    CHECK(job == FZ_JOBS); // nothing is lost
    arena_free(&a);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    static char name[] = "a command";
    char *words[] = {name, NULL};
    const struct link_open open = {.silence = 5,
                                   .options = {.fence_seconds = 10, .job_seconds = 60}};
    struct wire_buf in = {0};
    const struct fz_job *jobs = fz_jobs();
    if (size < 2 * FZ_LINKS)
        return 0;
    const struct wire_buf kept = world.answers;
    memset(&world, 0, sizeof world);
    world.answers = kept;
    world.answers.at = world.answers.n = 0;
    world.data = data + 2 * FZ_LINKS;
    size -= 2 * FZ_LINKS;
    for (uint32_t k = 0; k < FZ_LINKS; k++) {
        const size_t n = data[2 * k] | (size_t)(data[2 * k + 1] & 127) << 8;
        world.length[k] = n < size ? n : size;
        world.silent[k] = data[2 * k + 1] & 128;
        size -= world.length[k];
    }
    for (uint32_t k = 0; k < FZ_JOBS; k++)
        put_job(&in, jobs[k].made.cases, jobs[k].made.case_count, jobs[k].subgroup);
    const struct link_use use = {.form = RUN_FORM_MEMORY};
    CHECK(link_relay(0, &in, words, &open, &use) == 0);
    check_answers();
    wire_free(&in);
    return 0;
}
