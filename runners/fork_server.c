// SPDX-License-Identifier: Apache-2.0
//
// Both sides of a fork server. Messages are packets on a SOCK_SEQPACKET socket:
//
//   supervisor                      server
//   FRAME_OPEN                      loads the driver; READY
//   FORK, two descriptors           forks; FORKED with the process id; ENDED when the worker ends
//   REAP, after ENDED               reaps; REAPED with status and peak
#define _GNU_SOURCE
#include "fork_server.h"

#include <dirent.h>
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

enum message_kind { READY = 1, FORK, FORKED, ENDED, REAP, REAPED };

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

bool fork_server_ready(struct fork_server *s, const struct wire_buf *open, double seconds)
{
    struct message m = {0};
    ssize_t n;
    while ((n = send(s->fd, open->v, open->n, MSG_NOSIGNAL)) < 0 && errno == EINTR)
        ;
    s->refused = n != (ssize_t)open->n || !wait_readable(s->fd, seconds) ||
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

static size_t threads(void)
{
    size_t n = 0;
    DIR *d = opendir("/proc/self/task");
    for (struct dirent *entry; d && (entry = readdir(d));)
        n += entry->d_name[0] != '.';
    if (d)
        closedir(d);
    return n;
}

// Loads the driver of the target in the first packet, a FRAME_OPEN.
static bool load(int fd)
{
    static uint8_t packet[1 << 16];
    struct arena a = {0};
    struct wire_buf b = {.v = packet, .cap = sizeof packet};
    struct frame f;
    bool bad = false;
    const ssize_t n = recv(fd, packet, sizeof packet, 0);
    b.n = n > 0 ? (size_t)n : 0;
    bool ok = frame_next(&b, sizeof packet, &f, &bad) && f.kind == FRAME_OPEN;
    if (ok) {
        struct run_options o;
        const struct run_stage *stage = run_spec_parse(&a, get_str(&f, &a), NULL);
        const struct run_backend *backend = stage ? stage_backend(stage, NULL) : NULL;
        get_options(&f, &o);
        ok = backend && (!backend->load || backend->load(&o));
    }
    arena_free(&a);
    return ok && threads() == 1;
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
TF_NORETURN static void become_worker(int fd, const int both[2], pid_t server)
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
    exit(run_worker_main(WORKER_FD));
}

int run_fork_server_main(int fd)
{
    struct message m;
    int both[2];
    signal(SIGINT, SIG_IGN); // the supervisor decides
    if (!load(fd) || !send_message(fd, &(struct message){.kind = READY}))
        return 1;
    const pid_t self = getpid();
    while (next_request(fd, &m, both) && m.kind == FORK) {
        const pid_t pid = fork();
        if (pid == 0)
            become_worker(fd, both, self);
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
