// SPDX-License-Identifier: Apache-2.0
//
// The worker of a target `device:` stands between the supervisor and a device program elsewhere
// (link.h). Jobs from the supervisor are sent on at once, numbered; answers are checked as the
// supervisor checks a worker's, and go back.
//
// What always holds: each case of a job is answered once. If the link ends, a case that has an
// answer keeps it; the first without one is asked again on a new link, and after a second loss it
// is RUN_FAILED: not run, and no finding. Only the device program's own word that its driver died
// makes a crash. An answer that is not exactly the next one that was asked for ends the link.
#define _GNU_SOURCE
#include "link_relay.h"

#include "crash_site.h"

#include <errno.h>
#include <poll.h>
#include <signal.h>
#include <stdlib.h>
#include <string.h>
#include <sys/socket.h>
#include <time.h>
#include <unistd.h>

enum {
    JOBS = RUN_QUEUE_FAR,
    TRIES = 2,                // links on which a case may be running when they end
    LOST = 3,                 // links in a row that end without an answer
    GREETING_LIMIT = 1 << 16, // bytes of a frame before the device is open
};

struct asked {
    struct arena arena;
    struct wire_buf payload; // as the supervisor sent it
    struct run_job job;
    uint32_t number, got, tries;
    bool sent, begun; // on this link
    bool started;     // the supervisor has its FRAME_START
};

enum link_state { LINK_NONE, LINK_GREETING, LINK_OPENING, LINK_READY };

struct relay {
    int fd; // to the supervisor
    struct wire_buf in, out;
    char *const *words;
    struct link_open open;
    const struct link_use *use;
    struct link_process link;
    enum link_state state;
    double begun, heard; // times: of the start, of the last bytes
    double patience;     // seconds for a link to be ready
    bool known;          // the device has been open
    bool over;           // it hung or was lost: the supervisor will end this process
    bool ended;          // the supervisor is gone, or has the reason for a refusal
    struct run_info info;
    struct asked asked[JOBS];
    uint32_t head, count, numbers;
    unsigned lost; // links in a row
};

static struct asked *current(struct relay *r)
{
    return r->count ? &r->asked[r->head] : NULL;
}

// ---- to the supervisor ----------------------------------------------------------------

static void flush(struct relay *r)
{
    while (r->out.at < r->out.n) {
        const ssize_t n = send(r->fd, r->out.v + r->out.at, r->out.n - r->out.at, MSG_NOSIGNAL);
        if (n > 0)
            r->out.at += (size_t)n;
        else if (!(n < 0 && errno == EINTR)) {
            r->ended = true;
            return;
        }
    }
}

static void pass_start(struct relay *r, struct asked *j)
{
    if (!j->started)
        frame_end(&r->out, frame_begin(&r->out, FRAME_START));
    j->started = true;
}

static void pass_done(struct relay *r, double wall, double cpu)
{
    const size_t begin = frame_begin(&r->out, FRAME_DONE);
    put_f64(&r->out, wall);
    put_f64(&r->out, cpu);
    frame_end(&r->out, begin);
    r->head = (r->head + 1) % JOBS;
    r->count--;
}

// As a worker's own crash site: equal for the same build of the driver.
static uint64_t site_of(const struct link_stack *s)
{
    struct crash_site site = {.frames = 0};
    for (uint32_t i = 0; i < s->count; i++)
        if (!crash_site_add(&site, s->frame[i].module, s->frame[i].start))
            break;
    return crash_site_hash(&site);
}

// Answers the current case without the device, and skips the rest of its job; `all`: answers the
// rest in the same way. `stack`: of a crash.
static void answer(struct relay *r, enum run_status status, bool all, const char *text,
                   const struct link_stack *stack)
{
    struct asked *j = current(r);
    struct arena a = {0};
    struct run_result x = {.status = status};
    snprintf(x.text, sizeof x.text, "%s", text);
    if (stack) {
        x.backtrace = link_stack_text(&a, stack);
        x.crash_site = site_of(stack);
    }
    if (r->link.output.n)
        x.printed = arena_strn(&a, r->link.output.tail, r->link.output.n);
    pass_start(r, j);
    put_result(&r->out, &x);
    if (!all) {
        x = (struct run_result){.status = RUN_SKIPPED};
        snprintf(x.text, sizeof x.text, "not run: an earlier case of its job ended the worker");
    }
    for (uint32_t i = j->got + 1; i < j->job.n; i++)
        put_result(&r->out, &x);
    pass_done(r, 0, 0);
    arena_free(&a);
}

static void refuse(struct relay *r, const char *why)
{
    const size_t begin = frame_begin(&r->out, FRAME_REFUSED);
    put_str(&r->out, why);
    frame_end(&r->out, begin);
    flush(r);
    r->ended = true;
}

// ---- the link's end -------------------------------------------------------------------

static void end_link(struct relay *r, char *how, size_t size)
{
    link_stop(&r->link, how, size);
    r->state = LINK_NONE;
    for (uint32_t i = 0; i < JOBS; i++)
        r->asked[i].sent = false;
}

// The link is lost: the jobs that it had are asked again. `why`: what it did wrong; NULL: it ended.
static void lose(struct relay *r, const char *why)
{
    char how[300], line[520];
    struct asked *j = current(r);
    if (r->state != LINK_NONE)
        end_link(r, how, sizeof how);
    else
        how[0] = 0;
    snprintf(line, sizeof line, "the link to the device was lost: %s%s%s", why ? why : how,
             why && r->link.output.n ? "; " : "", why && r->link.output.n ? how : "");
    if (!r->known) {
        refuse(r, line + strlen("the link to the device was lost: "));
        return;
    }
    r->lost++;
    if (j && j->got == j->job.n) { // only the end of the job was missing
        pass_done(r, 0, 0);
        return;
    }
    if (j && j->begun)
        j->tries++;
    if (j)
        j->begun = false;
    if (j && (j->tries >= TRIES || r->lost >= LOST))
        answer(r, RUN_FAILED, r->lost >= LOST, line, NULL);
    else if (j) // the time of the job begins again
        frame_end(&r->out, frame_begin(&r->out, FRAME_START));
    if (j)
        j->started = true;
}

// The device program's driver ended it.
static void take_ended(struct relay *r, struct frame *f)
{
    struct link_ended x;
    struct asked *j = current(r);
    char how[300], line[600];
    const bool fair = get_ended(f, &x);
    // Killed from outside, or not during a case: no case is at fault.
    if (!fair || !j || !j->begun || j->got == j->job.n || (x.crashed && x.code == SIGKILL)) {
        snprintf(line, sizeof line, "the device program %s", fair ? x.text : "ended");
        lose(r, line);
        return;
    }
    end_link(r, how, sizeof how);
    int n = snprintf(line, sizeof line, "the worker %s", x.text); // as of a worker here
    if (r->link.output.n && n > 0) {
        n += snprintf(line + n, sizeof line - (size_t)n, ": ");
        output_reason(&r->link.output, line + n, sizeof line - (size_t)n);
    }
    r->lost = 0;
    answer(r, RUN_CRASHED, false, line, &x.stack);
}

// ---- from the device ------------------------------------------------------------------

static bool take_ready(struct relay *r, struct frame *f)
{
    struct run_info info;
    struct err e = {0};
    if (!get_info(f, &info) || info.form != r->use->form)
        return false;
    if (r->known && memcmp(&info, &r->info, sizeof info) != 0) {
        lose(r, "it leads to another device, or to another driver, than before");
        return true;
    }
    r->state = LINK_READY;
    r->info = info;
    if (!r->known) {
        if (r->use->ready && !r->use->ready(r->use->user, &info, &e))
            refuse(r, e.msg);
        const size_t at = frame_begin(&r->out, FRAME_READY);
        put_info(&r->out, &info);
        frame_end(&r->out, at);
    }
    r->known = true;
    return true;
}

// Checks that a result is of the case: the same buffers.
static bool of_case(const struct relay *r, const struct run_result *x, const struct spv_case *c)
{
    if (x->status == (r->use->form == RUN_FORM_NONE ? RUN_OK : RUN_COMPILED) ||
        x->form != (x->status == RUN_OK ? RUN_FORM_MEMORY : RUN_FORM_NONE) || x->word_count ||
        x->others || x->memory_count != (x->status == RUN_OK ? c->buffer_count : 0))
        return false;
    for (uint32_t i = 0; i < x->memory_count; i++)
        if (x->memory[i].set != c->buffer[i].set || x->memory[i].binding != c->buffer[i].binding ||
            x->memory[i].count != c->buffer[i].count)
            return false;
    return true;
}

static bool take_result(struct relay *r, struct asked *j, struct frame *f)
{
    struct arena a = {0};
    struct run_result x;
    const uint32_t at = get_u32(f);
    const bool ok =
        at == j->got && at < j->job.n && get_result(f, &a, &x) && of_case(r, &x, &j->job.cases[at]);
    if (ok) {
        if (r->use->result)
            r->use->result(r->use->user, &a, &j->job, &j->job.cases[at], &x);
        r->over = x.status == RUN_HUNG || x.status == RUN_DEVICE_LOST;
        put_result(&r->out, &x);
        j->got++;
        j->tries = 0;
        r->lost = 0;
    }
    arena_free(&a);
    return ok;
}

// The supervisor times jobs by the processors of the device's machine.
static bool take_alive(struct relay *r, struct frame *f)
{
    struct contain_processors has;
    if (!get_alive(f, &has))
        return false;
    if (r->known)
        put_alive(&r->out, has);
    return true;
}

// False if the frame is not the next one that may come.
static bool take_frame(struct relay *r, struct frame *f)
{
    struct asked *j = current(r);
    if (f->kind == FRAME_ALIVE)
        return r->state != LINK_GREETING && take_alive(r, f);
    if (f->kind == FRAME_ENDED) {
        take_ended(r, f);
        return true;
    }
    if (r->state == LINK_OPENING && f->kind == FRAME_REFUSED) {
        struct arena a = {0};
        char line[400];
        const char *text = get_str(f, &a);
        one_line(line, sizeof line, text, strlen(text));
        arena_free(&a);
        lose(r, line[0] ? line : "it refuses, without a reason");
        return true;
    }
    if (r->state == LINK_OPENING && f->kind == FRAME_READY)
        return take_ready(r, f);
    if (r->state != LINK_READY || !j || !j->sent || get_u32(f) != j->number)
        return false;
    if (f->kind == FRAME_START && !j->begun && f->p == f->end) {
        j->begun = true;
        pass_start(r, j);
        return true;
    }
    if (f->kind == FRAME_RESULT && j->begun)
        return take_result(r, j, f);
    if (f->kind == FRAME_DONE && j->begun && j->got == j->job.n) {
        const double wall = get_seconds(f), cpu = get_seconds(f);
        if (f->bad || f->p != f->end)
            return false;
        r->lost = 0;
        pass_done(r, wall, cpu);
        return true;
    }
    return false;
}

static void take_greeting(struct relay *r, struct frame *f)
{
    struct link_greeting hello;
    struct err e = {0};
    if (!get_greeting(f, &hello, &e)) {
        lose(r, e.msg);
        return;
    }
    put_open(&r->link.out, &r->open);
    r->state = LINK_OPENING;
}

// Bytes of the next frame at most.
static uint64_t limit(struct relay *r)
{
    const struct asked *j = current(r);
    uint64_t most = FRAME_ANSWER;
    if (r->state != LINK_READY)
        return GREETING_LIMIT;
    for (uint32_t i = 0; j && j->got < j->job.n && i < j->job.cases[j->got].buffer_count; i++)
        most += (uint64_t)j->job.cases[j->got].buffer[i].count * sizeof(uint32_t);
    return most;
}

static void wrong_bytes(struct relay *r)
{
    char first[80], line[200];
    const struct wire_buf *b = &r->link.in;
    if (r->state != LINK_GREETING) {
        lose(r, "its bytes are not the frame that was asked for");
        return;
    }
    one_line(first, sizeof first, (const char *)b->v + b->at,
             b->n - b->at < 60 ? b->n - b->at : 60);
    snprintf(line, sizeof line,
             "its first bytes are '%s', not tanglefuzz-device's greeting (a login script may print "
             "them)",
             first);
    lose(r, line);
}

static void take_frames(struct relay *r)
{
    struct frame f;
    bool bad = false;
    while (!r->over && r->state != LINK_NONE && frame_next(&r->link.in, limit(r), &f, &bad)) {
        const enum link_state was = r->state;
        if (was == LINK_GREETING)
            take_greeting(r, &f);
        else if (!take_frame(r, &f))
            lose(r, "its answer is not the one that was asked for");
    }
    if (bad && r->state != LINK_NONE)
        wrong_bytes(r);
}

// ---- to the device --------------------------------------------------------------------

// Starts a link if one is needed, and sends the jobs that it has not got.
static void send_jobs(struct relay *r)
{
    struct err e = {0};
    if (r->over)
        return;
    while (r->state == LINK_NONE && !r->ended && (!r->known || r->count)) {
        if (r->lost)
            nanosleep(&(struct timespec){.tv_nsec = 100 * 1000 * 1000}, NULL);
        if (link_start(&r->link, r->words, &e)) {
            r->state = LINK_GREETING;
            r->begun = r->heard = now_seconds();
        } else {
            lose(r, e.msg);
        }
    }
    for (uint32_t i = 0; r->state == LINK_READY && i < r->count; i++) {
        struct asked *j = &r->asked[(r->head + i) % JOBS];
        if (j->sent)
            continue;
        const size_t begin = frame_begin(&r->link.out, FRAME_JOB);
        put_u32(&r->link.out, j->number);
        put_u32(&r->link.out, j->got);
        put_bytes(&r->link.out, j->payload.v, j->payload.n);
        frame_end(&r->link.out, begin);
        j->sent = true;
        j->begun = false;
    }
    // Its end is heard after its last frames, which may have the reason.
    if (r->state != LINK_NONE && !link_send(&r->link))
        r->link.out.at = r->link.out.n;
}

static void take_job(struct relay *r, struct frame *f)
{
    CHECK(f->kind == FRAME_JOB && r->count < JOBS);
    struct asked *j = &r->asked[(r->head + r->count++) % JOBS];
    struct arena arena = j->arena;
    struct wire_buf payload = j->payload;
    arena_reset(&arena);
    payload.at = payload.n = 0;
    put_bytes(&payload, f->p, (size_t)(f->end - f->p));
    *j = (struct asked){.arena = arena, .payload = payload, .number = ++r->numbers};
    CHECK(get_job(f, &j->arena, &j->job));
}

static void take_jobs(struct relay *r)
{
    struct frame f;
    bool bad = false;
    while (frame_next(&r->in, FRAME_LIMIT, &f, &bad))
        take_job(r, &f);
    CHECK(!bad);
}

// False at the end of the supervisor's connection.
static bool listen_to(struct relay *r)
{
    uint8_t *room = wire_room(&r->in, 1 << 16);
    const ssize_t n = recv(r->fd, room, r->in.cap - r->in.n, MSG_DONTWAIT);
    if (n <= 0)
        return n < 0 && (errno == EAGAIN || errno == EWOULDBLOCK || errno == EINTR);
    r->in.n += (size_t)n;
    take_jobs(r);
    return true;
}

// ---- the loop -------------------------------------------------------------------------

static void watch_clock(struct relay *r)
{
    const double now = now_seconds();
    char line[120];
    if (r->over || r->state == LINK_NONE)
        return;
    if (r->state != LINK_READY && now - r->begun > r->patience) {
        snprintf(line, sizeof line, "no %s after %g seconds",
                 r->state == LINK_GREETING ? "greeting of tanglefuzz-device" : "open device",
                 r->patience);
        lose(r, line);
    } else if (r->state == LINK_READY && now - r->heard > r->open.silence) {
        snprintf(line, sizeof line, "nothing was heard for %g seconds", r->open.silence);
        lose(r, line);
    }
}

static void hear(struct relay *r)
{
    const bool alive = link_receive(&r->link);
    take_frames(r);
    r->heard = now_seconds();
    if (!alive && !r->over && r->state != LINK_NONE)
        lose(r, NULL);
}

static void relay_free(struct relay *r)
{
    link_stop(&r->link, NULL, 0);
    wire_free(&r->link.in);
    wire_free(&r->link.out);
    wire_free(&r->in);
    wire_free(&r->out);
    for (uint32_t i = 0; i < JOBS; i++) {
        wire_free(&r->asked[i].payload);
        arena_free(&r->asked[i].arena);
    }
    free(r);
}

int link_relay(int fd, const struct wire_buf *in, char *const *words, const struct link_open *open,
               const struct link_use *use)
{
    struct relay *r = mem_new(sizeof *r);
    r->fd = fd;
    r->words = words;
    r->open = *open;
    r->use = use;
    // Less than the supervisor's, so that the reason is known.
    const double most = 25, part = open->options.job_seconds * 3 / 4;
    r->patience = part < most ? part : most;
    put_bytes(&r->in, in->v + in->at, in->n - in->at);
    signal(SIGPIPE, SIG_IGN);
    take_jobs(r); // a worker that replaces another has them at once
    for (bool alive = true; alive;) {
        send_jobs(r);
        flush(r);
        if (r->ended)
            break;
        const bool linked = r->state != LINK_NONE && !r->over;
        const bool waits = linked && r->link.out.at < r->link.out.n;
        struct pollfd p[] = {
            {fd, POLLIN, 0},
            {linked ? r->link.from : -1, POLLIN, 0},
            {waits ? r->link.to : -1, POLLOUT, 0},
            {linked ? r->link.err : -1, POLLIN, 0},
        };
        poll(p, sizeof p / sizeof *p, 200);
        if (p[3].revents)
            link_listen(&r->link);
        if (p[1].revents)
            hear(r);
        if (p[0].revents)
            alive = listen_to(r);
        watch_clock(r);
    }
    relay_free(r);
    return 0;
}
