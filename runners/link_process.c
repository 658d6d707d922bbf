// SPDX-License-Identifier: Apache-2.0
//
// What always holds: the command has no terminal, so nothing asks for a password. It dies with this
// process, whose end also ends the other processes that it started (worker.c finds them).
#define _GNU_SOURCE
#include "link_process.h"

#include "command.h"

#include <errno.h>
#include <fcntl.h>
#include <netdb.h>
#include <netinet/in.h>
#include <netinet/tcp.h>
#include <poll.h>
#include <signal.h>
#include <string.h>
#include <sys/prctl.h>
#include <sys/socket.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

static const char tcp[] = "tcp=";
enum { CONNECT_SECONDS = 10 };

const char *link_address(char *const *words)
{
    return strncmp(words[0], tcp, strlen(tcp)) == 0 ? words[0] + strlen(tcp) : NULL;
}

// ---- a connection ---------------------------------------------------------------------

static int connect_to(const struct addrinfo *x)
{
    const int fd = socket(x->ai_family, SOCK_STREAM | SOCK_NONBLOCK | SOCK_CLOEXEC, 0), on = 1;
    int why = 0;
    socklen_t n = sizeof why;
    if (fd < 0)
        return -1;
    if (connect(fd, x->ai_addr, x->ai_addrlen) != 0) {
        struct pollfd p = {fd, POLLOUT, 0};
        if (errno != EINPROGRESS || poll(&p, 1, CONNECT_SECONDS * 1000) <= 0)
            why = errno == EINPROGRESS ? ETIMEDOUT : errno;
        else
            getsockopt(fd, SOL_SOCKET, SO_ERROR, &why, &n);
    }
    if (why) {
        close(fd);
        errno = why;
        return -1;
    }
    setsockopt(fd, IPPROTO_TCP, TCP_NODELAY, &on, sizeof on);
    return fd;
}

static bool link_connect(struct link_process *p, const char *address, struct err *e)
{
    const char *colon = strrchr(address, ':');
    char host[256];
    struct addrinfo hint = {.ai_socktype = SOCK_STREAM}, *all = NULL;
    if (!colon || colon == address || !colon[1])
        return err_set(e, "device: tcp=%s: expected HOST:PORT", address);
    snprintf(host, sizeof host, "%.*s", (int)(colon - address), address);
    const int how = getaddrinfo(host, colon + 1, &hint, &all);
    if (how != 0)
        return err_set(e, "device: tcp=%s: %s", address, gai_strerror(how));
    for (const struct addrinfo *x = all; x && p->to < 0; x = x->ai_next)
        p->to = p->from = connect_to(x);
    const int why = errno;
    freeaddrinfo(all);
    return p->to >= 0 || err_set(e, "device: cannot connect to %s: %s", address, strerror(why));
}

// ---- a command ------------------------------------------------------------------------

TF_NORETURN static void become(char *const *words, const int ends[3], pid_t parent)
{
    prctl(PR_SET_PDEATHSIG, SIGKILL);
    if (getppid() != parent)
        _exit(0);
    setsid();
    for (int i = 0; i < 3; i++)
        dup2(ends[i], i);
    close_range(3, ~0u, 0);
    signal(SIGINT, SIG_DFL);
    signal(SIGPIPE, SIG_DFL);
    execvp(words[0], words);
    dprintf(2, "cannot run %s: %s\n", words[0], strerror(errno));
    _exit(127);
}

bool link_start(struct link_process *p, char *const *words, struct err *e)
{
    int in[2] = {-1, -1}, out[2] = {-1, -1}, err[2] = {-1, -1};
    const pid_t parent = getpid();
    p->in.at = p->in.n = p->out.at = p->out.n = 0;
    p->pid = 0;
    p->to = p->from = p->err = -1;
    output_clear(&p->output);
    if (link_address(words))
        return link_connect(p, link_address(words), e);
    const bool piped = pipe2(in, O_CLOEXEC) == 0 && pipe2(out, O_CLOEXEC) == 0 &&
                       pipe2(err, O_CLOEXEC) == 0 && fcntl(in[1], F_SETFL, O_NONBLOCK) == 0 &&
                       fcntl(out[0], F_SETFL, O_NONBLOCK) == 0 &&
                       fcntl(err[0], F_SETFL, O_NONBLOCK) == 0;
    p->pid = piped ? fork() : -1;
    if (p->pid == 0)
        become(words, (const int[]){in[0], out[1], err[1]}, parent);
    const int why = errno;
    const int theirs[] = {in[0], out[1], err[1]};
    for (int i = 0; i < 3; i++)
        if (theirs[i] >= 0)
            close(theirs[i]);
    p->to = in[1];
    p->from = out[0];
    p->err = err[0];
    if (p->pid > 0)
        return true;
    p->pid = 0;
    link_stop(p, NULL, 0);
    return err_set(e, "device: cannot start %s: %s", words[0], strerror(why));
}

// ---- bytes ----------------------------------------------------------------------------

static bool later(void)
{
    return errno == EAGAIN || errno == EWOULDBLOCK || errno == EINTR;
}

bool link_send(struct link_process *p)
{
    while (p->out.at < p->out.n) {
        const ssize_t n = write(p->to, p->out.v + p->out.at, p->out.n - p->out.at);
        if (n < 0)
            return later();
        p->out.at += (size_t)n;
    }
    return true;
}

bool link_receive(struct link_process *p)
{
    enum { AT_ONCE = 4 << 20 };
    for (size_t taken = 0; taken < AT_ONCE;) {
        uint8_t *room = wire_room(&p->in, 1 << 16);
        const ssize_t n = read(p->from, room, p->in.cap - p->in.n);
        if (n <= 0)
            return n < 0 && later();
        p->in.n += (size_t)n;
        taken += (size_t)n;
        if (p->in.n < p->in.cap)
            return true;
    }
    return true;
}

void link_listen(struct link_process *p)
{
    char chunk[1 << 14];
    ssize_t n = -1;
    for (int i = 0; i < 64 && (n = read(p->err, chunk, sizeof chunk)) > 0; i++)
        output_add(&p->output, chunk, (size_t)n);
    if (n == 0) {
        close(p->err);
        p->err = -1;
    }
}

// Waits a moment for a command that has closed its output.
static bool ended(pid_t pid, double seconds, int *status)
{
    const double end = now_seconds() + seconds;
    while (waitpid(pid, status, WNOHANG) != pid) {
        if (now_seconds() >= end)
            return false;
        nanosleep(&(struct timespec){.tv_nsec = 500 * 1000}, NULL);
    }
    return true;
}

void link_stop(struct link_process *p, char *how, size_t size)
{
    int status = 0, n = 0;
    const bool command = p->pid > 0;
    if (p->to >= 0)
        close(p->to);
    if (p->from >= 0 && p->from != p->to)
        close(p->from);
    p->to = p->from = -1;
    if (command && !ended(p->pid, 0.5, &status)) {
        kill(-p->pid, SIGKILL);
        waitpid(p->pid, &status, 0);
        status = 0;
    } else if (command) {
        kill(-p->pid, SIGKILL); // what it started
    }
    p->pid = 0;
    if (p->err >= 0) {
        link_listen(p);
        if (p->err >= 0)
            close(p->err);
        p->err = -1;
    }
    if (!how)
        return;
    n = command ? command_ended(status, how, size) : 0;
    if (!n)
        n = snprintf(how, size, "%s", command ? "the command ended" : "the connection ended");
    if (p->output.n && (size_t)n + 3 < size) {
        memcpy(how + n, ": ", 3);
        output_reason(&p->output, how + n + 2, size - (size_t)n - 2);
    }
}
