// SPDX-License-Identifier: Apache-2.0
//
// Linux, Android and macOS.
#define _GNU_SOURCE
#include "system.h"

#include "crash_walk.h"
#include "signal_name.h"

#include <arpa/inet.h>
#include <dlfcn.h>
#include <errno.h>
#include <netinet/tcp.h>
#include <signal.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/socket.h>
#include <sys/utsname.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>
#ifdef __linux__
#include <sys/prctl.h>
#endif

static int input = STDIN_FILENO, output = STDOUT_FILENO;

const char *system_name(void)
{
    static char name[LINK_TEXT];
    struct utsname u;
    if (!name[0] && uname(&u) >= 0)
        snprintf(name, sizeof name, "%.60s %.60s, %.60s", u.sysname, u.release, u.machine);
    return name;
}

size_t system_read(void *v, size_t size)
{
    ssize_t n;
    while ((n = read(input, v, size)) < 0 && errno == EINTR)
        ;
    return n > 0 ? (size_t)n : 0;
}

bool system_write(const void *v, size_t size)
{
    for (const uint8_t *p = v; size;) {
        const ssize_t n = write(output, p, size);
        if (n < 0 && errno == EINTR)
            continue;
        if (n <= 0)
            return false;
        p += n;
        size -= (size_t)n;
    }
    return true;
}

void system_leave(int status)
{
    _exit(status);
}

void system_sleep(double seconds)
{
    const time_t whole = (time_t)seconds;
    nanosleep(&(struct timespec){whole, (long)((seconds - (double)whole) * 1e9)}, NULL);
}

// ---- a crash ----------------------------------------------------------------------------

// Shared with the process that has the driver, which fills it as it dies. NULL: not known.
static struct link_stack *stack;

static void note_text(char *to, size_t size, const char *from)
{
    size_t n = 0;
    for (; from && from[n] && n + 1 < size; n++)
        to[n] = from[n];
    to[n] = 0;
}

static bool note_place(void *user, const struct crash_place *p)
{
    struct link_stack *s = user;
    struct link_frame *f = &s->frame[s->count];
    note_text(f->module, sizeof f->module, p->module);
    note_text(f->function, sizeof f->function, p->symbol);
    f->start = p->start;
    f->at = p->at;
    return ++s->count < LINK_FRAMES;
}

static void note(int number)
{
    signal(number, SIG_DFL);
    stack->count = 0;
    crash_walk(note, note_place, stack);
    raise(number); // delivered on return
}

static void share_stack(void)
{
    void *v = mmap(NULL, sizeof *stack, PROT_READ | PROT_WRITE, MAP_SHARED | MAP_ANONYMOUS, -1, 0);
    stack = v != MAP_FAILED ? v : NULL;
}

// Writes the names of C++ functions as in the source, if the system has C++'s library.
static void write_names(struct link_stack *s)
{
    static const char *const libraries[] = {"libstdc++.so.6", "libc++.so.1", "libc++.1.dylib"};
    char *(*plain)(const char *name, char *room, size_t *size, int *status) = NULL;
    for (size_t i = 0; i < sizeof libraries / sizeof *libraries && !plain; i++) {
        void *library = dlopen(libraries[i], RTLD_NOW);
        *(void **)&plain = library ? dlsym(library, "__cxa_demangle") : NULL;
    }
    for (uint32_t i = 0; i < s->count && plain; i++) {
        char *to = s->frame[i].function;
        char *name = strncmp(to, "_Z", 2) == 0 ? plain(to, NULL, NULL, &(int){0}) : NULL;
        if (name)
            note_text(to, sizeof s->frame[i].function, name);
        free(name);
    }
}

// What the process wrote before it died; its memory may have been corrupted.
static void take_stack(struct link_stack *out)
{
    if (!stack)
        return;
    *out = *stack;
    if (out->count > LINK_FRAMES)
        out->count = 0;
    for (uint32_t i = 0; i < out->count; i++) {
        struct link_frame *f = &out->frame[i];
        f->module[sizeof f->module - 1] = f->function[sizeof f->function - 1] = 0;
    }
    write_names(out);
}

// ---- the process for the driver ---------------------------------------------------------

// Waits for the process with the driver, and reports its end if the driver caused it.
TF_NORETURN static void watch(pid_t pid)
{
    int status = 0;
    struct link_ended x = {0};
    while (waitpid(pid, &status, 0) < 0 && errno == EINTR)
        ;
    const int code = WIFEXITED(status) ? WEXITSTATUS(status) : 0;
    if (WIFEXITED(status) && !code)
        _exit(0);
    x.crashed = WIFSIGNALED(status);
    x.code = (uint32_t)(x.crashed ? WTERMSIG(status) : code);
    const char *name = x.crashed ? signal_name((int)x.code) : NULL;
    if (name)
        snprintf(x.text, sizeof x.text, "died of %s", name);
    else
        snprintf(x.text, sizeof x.text, x.crashed ? "died of signal %u" : "exited with status %u",
                 x.code);
    if (x.crashed)
        take_stack(&x.stack);
    struct wire_buf b = {0};
    put_ended(&b, &x);
    system_write(b.v, b.n);
    _exit(x.crashed ? 128 + (int)x.code : code);
}

bool system_start(int argc, char **argv, struct err *e)
{
    (void)argc, (void)argv;
    signal(SIGPIPE, SIG_IGN);
    share_stack();
    const pid_t parent = getpid(), pid = fork();
    if (pid < 0)
        return err_set(e, "cannot start a process: %s", strerror(errno));
    if (pid > 0)
        watch(pid);
#ifdef __linux__
    prctl(PR_SET_PDEATHSIG, SIGKILL);
#endif
    if (getppid() != parent)
        _exit(0);
    if (output == STDOUT_FILENO) {
        output = dup(STDOUT_FILENO);
        dup2(STDERR_FILENO, STDOUT_FILENO);
    }
    if (stack)
        crash_watch(note);
    return true;
}

bool system_listen(const char *address, uint32_t port, struct err *e)
{
    struct sockaddr_in here = {.sin_family = AF_INET, .sin_port = htons((uint16_t)port)};
    if (port > 65535 || inet_pton(AF_INET, address, &here.sin_addr) != 1)
        return err_set(e, "--listen %s:%u: expected an IPv4 address and a port", address, port);
    const int fd = socket(AF_INET, SOCK_STREAM, 0), on = 1;
    setsockopt(fd, SOL_SOCKET, SO_REUSEADDR, &on, sizeof on);
    if (fd < 0 || bind(fd, (struct sockaddr *)&here, sizeof here) != 0 || listen(fd, 8) != 0)
        return err_set(e, "cannot listen on %s:%u: %s", address, port, strerror(errno));
    fprintf(stderr, "tanglefuzz-device: listening on %s:%u\n", address, port);
    signal(SIGCHLD, SIG_IGN); // the watching processes need no reaping
    for (;;) {
        const int one = accept(fd, NULL, NULL);
        if (one < 0)
            continue;
        if (fork() == 0) {
            signal(SIGCHLD, SIG_DFL);
            close(fd);
            setsockopt(one, IPPROTO_TCP, TCP_NODELAY, &on, sizeof on);
            input = output = one;
            return system_start(0, NULL, e);
        }
        close(one);
    }
}
