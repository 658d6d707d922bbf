// SPDX-License-Identifier: Apache-2.0
//
// Runs LLVM in a child, forked from a process that has loaded libLLVM. One child runs many cases,
// since starting it takes most of a short case's time. If it dies, the current case is at fault,
// and the next case gets a fresh child.
#define _GNU_SOURCE
#include "command.h"
#include "llvm_worker.h"

#include "base/sanitized.h"

#include <errno.h>
#include <fcntl.h>
#include <poll.h>
#include <signal.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/resource.h>
#include <sys/socket.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

enum { JOBS_MAX = 256 }; // jobs per child: a new child frees what LLVM leaks
#define MEMORY_LIMIT ((rlim_t)8 << 30)

bool llvm_parent_open(struct llvm_parent *p, struct err *e)
{
    p->log = memfd_create("llvm-output", MFD_CLOEXEC);
    p->shared =
        mmap(NULL, sizeof *p->shared, PROT_READ | PROT_WRITE, MAP_SHARED | MAP_ANONYMOUS, -1, 0);
    if (p->log >= 0 && p->shared != MAP_FAILED)
        return true;
    return err_set(e, "llvm: cannot create shared memory for child processes: %s", strerror(errno));
}

// Ends the child; returns its wait status if it had died before.
static int end_child(struct llvm_process *c)
{
    int status = 0;
    if (!c->pid)
        return 0;
    close(c->sock);
    command_keep(c->pid, false);
    kill(c->pid, SIGKILL); // a dead one keeps its status
    while (waitpid(c->pid, &status, 0) < 0 && errno == EINTR)
        ;
    c->pid = 0;
    return status;
}

void llvm_parent_close(struct llvm_parent *p)
{
    end_child(&p->child);
    munmap(p->shared, sizeof *p->shared);
    close(p->log);
}

bool llvm_put(struct llvm_parent *p, const char *text, size_t size, const char *passes)
{
    const size_t n = strlen(passes);
    if (size > sizeof p->shared->text || n >= sizeof p->shared->passes)
        return false;
    memcpy(p->shared->passes, passes, n + 1);
    memcpy(p->shared->text, text, size);
    p->shared->size = (uint32_t)size;
    return true;
}

TF_NORETURN static void become(const struct llvm_parent *p, int sock)
{
    struct rlimit cpu = {(rlim_t)(p->seconds * JOBS_MAX) + 5, (rlim_t)(p->seconds * JOBS_MAX) + 5};
    setrlimit(RLIMIT_CPU, &cpu);
#if !SANITIZED
    struct rlimit memory = {MEMORY_LIMIT, MEMORY_LIMIT};
    setrlimit(RLIMIT_AS, &memory);
#endif
    dup2(p->log, 2);
    llvm_child(p->shared, sock);
}

static bool start(struct llvm_parent *p, struct llvm_process *c)
{
    int sock[2];
    if (socketpair(AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC, 0, sock) != 0)
        return false;
    c->pid = fork();
    if (c->pid == 0) {
        close(sock[0]);
        if (c != &p->child && p->child.pid)
            close(p->child.sock);
        become(p, sock[1]);
    }
    close(sock[1]);
    c->sock = sock[0];
    c->jobs = 0;
    if (c->pid > 0) {
        command_keep(c->pid, true); // it keeps running when a command's processes are killed
        return true;
    }
    c->pid = 0;
    close(sock[0]);
    return false;
}

// CPU seconds used by the child; 0 if unknown.
static double child_seconds(const struct llvm_process *c)
{
    clockid_t clock;
    struct timespec t;
    if (clock_getcpuclockid(c->pid, &clock) != 0 || clock_gettime(clock, &t) != 0)
        return 0;
    return (double)t.tv_sec + (double)t.tv_nsec * 1e-9;
}

// Waits for the child's byte. RUN_CRASHED if it closes the connection instead. The time limit
// counts CPU time, so that a child on a busy machine is not reported as hung.
static enum run_status await(const struct llvm_process *c, double seconds)
{
    enum { BUSY = 8 };
    struct pollfd fd = {.fd = c->sock, .events = POLLIN};
    const double start = now_seconds(), computed = child_seconds(c);
    for (;;) {
        double waited = now_seconds() - start, worked = child_seconds(c) - computed;
        double left = seconds - worked;
        if (left <= 0 || waited >= seconds * BUSY)
            return RUN_HUNG;
        int ready = poll(&fd, 1, (int)(left * 1000) + 1);
        char byte;
        if (ready > 0)
            return recv(c->sock, &byte, 1, 0) == 1 ? RUN_OK : RUN_CRASHED;
        if (ready < 0 && errno != EINTR)
            return RUN_FAILED;
    }
}

// Called after each job without a crash. After MANY jobs it also runs a few jobs in this process,
// so that new children start with LLVM's per-process tables, options and heap.
static void warm(struct llvm_parent *p)
{
    enum { MANY = 32, SOME = 4 };
    p->good++;
    if (p->good == MANY)
        llvm_large_pages();
    if (p->good >= MANY && p->good < MANY + SOME)
        llvm_do(p->shared);
}

enum run_status llvm_run(struct llvm_parent *p, const struct llvm_job *job, bool alone, int *status)
{
    struct llvm_shared *s = p->shared;
    struct llvm_process other = {0}, *c = alone ? &other : &p->child;
    s->job = *job;
    s->stage = LLVM_START;
    s->failed = false;
    s->why[0] = 0;
    s->count = 0;
    if (c->jobs >= JOBS_MAX)
        end_child(c);
    // All children write to this file through one shared offset.
    if (ftruncate(p->log, 0) != 0 || lseek(p->log, 0, SEEK_SET) != 0 || (!c->pid && !start(p, c)))
        return RUN_FAILED;
    c->jobs++;
    enum run_status how =
        send(c->sock, "j", 1, MSG_NOSIGNAL) == 1 ? await(c, p->seconds) : RUN_CRASHED;
    if (how != RUN_OK || alone)
        *status = end_child(c);
    else if (!s->failed)
        warm(p);
    return how;
}

char *llvm_output(const struct llvm_parent *p, struct arena *a)
{
    off_t end = lseek(p->log, 0, SEEK_END);
    char *all = arena_alloc(a, (size_t)(end > 0 ? end : 0) + 1);
    ssize_t n = end > 0 ? pread(p->log, all, (size_t)end, 0) : 0;
    all[n > 0 ? n : 0] = 0;
    return all;
}
