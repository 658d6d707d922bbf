// SPDX-License-Identifier: Apache-2.0
//
// Both sides of a fork server. Messages are packets on a SOCK_SEQPACKET socket:
//
//   supervisor                      server
//   OPEN or LOAD, then FRAME_OPEN   opens the target or only loads its driver; READY
//   FORK, two descriptors           forks; FORKED with the process id; ENDED when the worker ends
//   REAP, after ENDED               reaps; REAPED with status and peak
#define _GNU_SOURCE
#include "fork_server.h"

#include "crash_site.h"
#include "fork_safety.h"
#include "held_threads.h"
#include "llvm_worker.h"

#include <errno.h>
#include <poll.h>
#include <signal.h>
#include <stdlib.h>
#include <string.h>
#include <sys/prctl.h>
#include <sys/resource.h>
#include <sys/socket.h>
#include <sys/wait.h>
#include <unistd.h>

enum message_kind { OPEN = 1, LOAD, READY, FORK, FORKED, ENDED, REAP, REAPED };

struct message {
    uint32_t kind; // enum message_kind
    int32_t value; // FORKED: process id or -1; REAPED: wait status
    uint64_t peak; // REAPED: bytes
};

// ---- packets -----------------------------------------------------------------------

static bool send_message(int fd, const struct message *m)
{
    ssize_t n;
    while ((n = send(fd, m, sizeof *m, MSG_NOSIGNAL)) < 0 && errno == EINTR)
        ;
    return n == sizeof *m;
}

static bool receive_message(int fd, struct message *m)
{
    ssize_t n;
    while ((n = recv(fd, m, sizeof *m, 0)) < 0 && errno == EINTR)
        ;
    return n == sizeof *m;
}

// Waits at most `seconds` for data or the end of the connection.
static bool wait_readable(int fd, double seconds)
{
    const double end = now_seconds() + seconds;
    for (;;) {
        const double left = end - now_seconds();
        struct pollfd p = {.fd = fd, .events = POLLIN};
        const int n = poll(&p, 1, left > 0 ? (int)(left * 1000) + 1 : 0);
        if (n > 0)
            return true;
        if (n == 0 || errno != EINTR)
            return false;
    }
}

// ---- the supervisor's side -----------------------------------------------------------

bool fork_server_ready(struct fork_server *s, const struct wire_buf *open, bool ahead,
                       double seconds)
{
    struct message m = {.kind = ahead ? OPEN : LOAD};
    ssize_t n;
    s->refused = !send_message(s->fd, &m);
    while ((n = send(s->fd, open->v, open->n, MSG_NOSIGNAL)) < 0 && errno == EINTR)
        ;
    s->refused = s->refused || n != (ssize_t)open->n || !wait_readable(s->fd, seconds) ||
                 !receive_message(s->fd, &m) || m.kind != READY;
    return !s->refused;
}

pid_t fork_server_fork(struct fork_server *s, int sock, int out)
{
    const int both[2] = {sock, out};
    union {
        struct cmsghdr head;
        char bytes[CMSG_SPACE(sizeof both)];
    } control = {.bytes = {0}};
    struct message m = {.kind = FORK};
    struct iovec part = {&m, sizeof m};
    struct msghdr packet = {.msg_iov = &part,
                            .msg_iovlen = 1,
                            .msg_control = control.bytes,
                            .msg_controllen = sizeof control.bytes};
    struct cmsghdr *rights = CMSG_FIRSTHDR(&packet);
    rights->cmsg_level = SOL_SOCKET;
    rights->cmsg_type = SCM_RIGHTS;
    rights->cmsg_len = CMSG_LEN(sizeof both);
    memcpy(CMSG_DATA(rights), both, sizeof both);
    ssize_t n;
    while ((n = sendmsg(s->fd, &packet, MSG_NOSIGNAL)) < 0 && errno == EINTR)
        ;
    enum { SECONDS = 30 };
    if (n != sizeof m || !wait_readable(s->fd, SECONDS) || !receive_message(s->fd, &m) ||
        m.kind != FORKED)
        return -1;
    return m.value;
}

bool fork_server_ended(struct fork_server *s, double seconds)
{
    return wait_readable(s->fd, seconds);
}

bool fork_server_reap(struct fork_server *s, int *status, size_t *peak)
{
    struct message m;
    if (!receive_message(s->fd, &m) || m.kind != ENDED ||
        !send_message(s->fd, &(struct message){.kind = REAP}) || !receive_message(s->fd, &m) ||
        m.kind != REAPED)
        return false;
    *status = m.value;
    *peak = (size_t)m.peak;
    return true;
}

// ---- the server's side ----------------------------------------------------------------

// Opens the target of a FRAME_OPEN and holds its threads. False if it does not open, or if forks
// would not be safe.
static bool open_ahead(struct arena *a, struct frame *f, struct run_opened *out)
{
    struct err e;
    held_threads_begin();
    const bool opened = run_open_frame(a, f, out, &e);
    held_threads_end();
    return opened && fork_is_safe(CRASH_SITE_FD);
}

// Opens the target of the first packets, or loads its driver, as they request. `out->state` is NULL
// if the target was not opened. False if forks would not be safe.
static bool prepare(int fd, struct arena *a, struct run_opened *out)
{
    static uint8_t packet[1 << 16];
    struct wire_buf b = {.v = packet, .cap = sizeof packet};
    struct message m;
    struct frame f;
    bool bad = false;
    if (!receive_message(fd, &m))
        return false;
    const ssize_t n = recv(fd, packet, sizeof packet, 0);
    b.n = n > 0 ? (size_t)n : 0;
    if (!frame_next(&b, sizeof packet, &f, &bad) || f.kind != FRAME_OPEN)
        return false;
    struct run_options o;
    struct frame rest = f;
    const struct run_stage *stage = run_spec_parse(a, get_str(&rest, a), NULL);
    const struct run_backend *backend = stage ? stage_backend(stage, NULL) : NULL;
    get_options(&rest, &o);
    if (backend && backend->opens_ahead && m.kind == OPEN)
        return open_ahead(a, &f, out);
    return backend && (!backend->load || backend->load(&o)) && fork_keeps_threads();
}

// Reads the next request and its descriptors; false at the end.
static bool next_request(int fd, struct message *m, int both[2])
{
    union {
        struct cmsghdr head;
        char bytes[CMSG_SPACE(2 * sizeof(int))];
    } control;
    struct iovec part = {m, sizeof *m};
    struct msghdr packet = {.msg_iov = &part,
                            .msg_iovlen = 1,
                            .msg_control = control.bytes,
                            .msg_controllen = sizeof control.bytes};
    ssize_t n;
    while ((n = recvmsg(fd, &packet, 0)) < 0 && errno == EINTR)
        ;
    if (n != sizeof *m)
        return false;
    const struct cmsghdr *rights = CMSG_FIRSTHDR(&packet);
    if (m->kind == FORK) {
        if (!rights || rights->cmsg_len != CMSG_LEN(2 * sizeof(int)))
            return false;
        memcpy(both, CMSG_DATA(rights), 2 * sizeof(int));
    }
    return true;
}

// In the child: moves the descriptors to the numbers that a worker expects.
TF_NORETURN static void become_worker(int fd, const int both[2], pid_t server,
                                      const struct run_opened *opened)
{
    prctl(PR_SET_PDEATHSIG, SIGKILL);
    if (getppid() != server)
        _exit(0);
    setpgid(0, 0);
    if (fd != WORKER_FD)
        close(fd);
    dup2(both[1], 1);
    dup2(both[1], 2);
    dup2(both[0], WORKER_FD);
    for (int i = 0; i < 2; i++)
        if (both[i] != WORKER_FD)
            close(both[i]);
    if (!opened->state)
        exit(run_worker_main(WORKER_FD));
    if (!fork_renew_files(CRASH_SITE_FD))
        _exit(1);
    held_threads_start();
    exit(run_worker_opened(WORKER_FD, opened));
}

int run_fork_server_main(int fd)
{
    struct message m;
    struct arena a = {0};
    struct run_opened opened = {0};
    int both[2];
    signal(SIGINT, SIG_IGN); // the supervisor decides
    if (!prepare(fd, &a, &opened) || !send_message(fd, &(struct message){.kind = READY}))
        return 1;
    // Copying LLVM's code takes as much time as it saves in some 10 workers that compile with it.
    enum { MANY = 16 };
    const pid_t self = getpid();
    for (int forks = 0; next_request(fd, &m, both) && m.kind == FORK; forks++) {
        if (forks == MANY)
            llvm_large_pages();
        const pid_t pid = fork();
        if (pid == 0)
            become_worker(fd, both, self, &opened);
        close(both[0]);
        close(both[1]);
        if (pid > 0)
            setpgid(pid, pid); // here too, so that a kill of the group always reaches it
        if (!send_message(fd, &(struct message){.kind = FORKED, .value = (int32_t)pid}) || pid < 0)
            return 1;
        siginfo_t info;
        while (waitid(P_PID, (id_t)pid, &info, WEXITED | WNOWAIT) < 0 && errno == EINTR)
            ;
        if (!send_message(fd, &(struct message){.kind = ENDED}) || !receive_message(fd, &m) ||
            m.kind != REAP)
            return 1;
        struct rusage used = {0};
        int status = 0;
        wait4(pid, &status, 0, &used);
        m = (struct message){
            .kind = REAPED, .value = status, .peak = (uint64_t)used.ru_maxrss << 10};
        if (!send_message(fd, &m))
            return 1;
    }
    return 0;
}
