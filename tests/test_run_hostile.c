// SPDX-License-Identifier: Apache-2.0
//
// Workers whose process was written over: what they say is refused, costs little memory, and leaves
// no figures. The worker is a script that answers each job with one wrong frame.
#define _GNU_SOURCE
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "runners/wire.h"

#include <stdlib.h>
#include <string.h>
#include <sys/resource.h>
#include <sys/stat.h>
#include <unistd.h>

static const char script[] =
    "#!/usr/bin/env python3\n"
    "import os, socket, struct\n"
    "s = socket.socket(fileno=3)\n"
    "def frame(kind, payload, size=None):\n"
    "    s.sendall(struct.pack('=IIQ', 0x7a756674, kind, len(payload) if size is None else size))\n"
    "    s.sendall(payload)\n"
    "def result(wall, cpu, buffers):\n"
    "    frame(7, struct.pack('=IIddIIIII', 0, 0, wall, cpu, 2, buffers, 0, 0, 0))\n"
    "what = os.environ['HOSTILE']\n"
    "s.recv(1 << 16)\n"
    "frame(4, struct.pack('=I', 2) + bytes(int(os.environ['INFO']) - 4))\n"
    "s.recv(1 << 16)\n"
    "frame(6, b'')\n"
    "if what == 'nan': result(float('nan'), 1.0, 0)\n"
    "if what == 'negative': result(1.0, -1.0, 0)\n"
    "if what == 'refused': result(5.0, 5.0, 0)\n" // a module of no words
    "if what == 'late':\n"
    "    frame(7, struct.pack('=IIddIIIIII', 0, 0, 0.0, 0.0, 2, 0, 1, 0, 0, 0))\n"
    "    frame(8, struct.pack('=dd', 1.0, float('inf')))\n"
    "if what == 'huge':\n"
    "    try:\n"
    "        frame(7, b'', (1 << 31) - 1)\n"
    "        while True: s.sendall(bytes(1 << 20))\n"
    "    except OSError: pass\n"
    "s.recv(1 << 16)\n";

static long rss_most(void)
{
    struct rusage u;
    getrusage(RUSAGE_SELF, &u);
    return u.ru_maxrss;
}

static void wrong_frames(void **state)
{
    (void)state;
    static const char *const what[] = {"nan", "negative", "refused", "late", "huge"};
    char path[] = "/tmp/tanglefuzz-hostile-XXXXXX", size[16];
    int fd = mkstemp(path);
    assert_true(fd >= 0 && write(fd, script, sizeof script - 1) == (ssize_t)sizeof script - 1);
    assert_true(fchmod(fd, 0700) == 0 && close(fd) == 0);
    snprintf(size, sizeof size, "%zu", sizeof(struct run_info));
    setenv("INFO", size, 1);
    const uint32_t words[] = {0x07230203, 0x10600, 0, 1, 0};
    const struct spv_case c = {.groups = {1, 1, 1}, .words = words, .count = 5};
    for (size_t i = 0; i < sizeof what / sizeof *what; i++) {
        struct err e = {0};
        struct arena a = {0};
        struct run_result r;
        setenv("HOSTILE", what[i], 1);
        const long before = rss_most();
        struct run_target *t = run_open("fault", path, &(struct run_options){.job_seconds = 20}, &e);
        if (!t)
            fail_msg("%s", e.msg);
        run_case(t, &a, &c, 8, &r);
        if (r.status != RUN_CRASHED || !strstr(r.text, "is not valid: its memory is corrupted"))
            fail_msg("%s: %s: %s", what[i], run_status_name(r.status), r.text);
        assert_true(r.driver_seconds == 0 && r.driver_cpu == 0);
        assert_true(rss_most() - before < 100 * 1024); // KiB
        run_close(t);
        arena_free(&a);
    }
    unlink(path);
}

int main(void)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(wrong_frames)};
    return cmocka_run_group_tests_name("run_hostile", tests, NULL, NULL);
}
