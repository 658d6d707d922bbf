// SPDX-License-Identifier: Apache-2.0
//
// Commands that stay (runners/server.c): what they answer, and what happens to those that answer
// nonsense, twice, late, for another job or never, die, or grow.
#define _DEFAULT_SOURCE
#include "test_run_common.h"
#include "runners/command.h"

#include <dirent.h>
#include <signal.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <stdlib.h>
#include <unistd.h>

static char dir[] = "/tmp/tf-server-XXXXXX";

// A server in Python: `body` answers one job, of which it knows job, files and n, how many this
// process has had; say() writes a line, double() does what SHADER_DOUBLE does.
static const char *server(struct fixture *f, const char *body)
{
    static unsigned made;
    const char *path = arena_printf(&f->arena, "%s/%u.py", dir, made++);
    const char *text = arena_printf(
        &f->arena,
        "import os, shutil, sys, time\n"
        "def say(*fields): print(*fields, sep='\\t', flush=True)\n"
        "def copy(): shutil.copy(files[0], files[1])\n"
        "def double():\n"
        "    words = next(l for l in open(files[0]) if l.startswith('; buffer 0:0 ')).split()[4:]\n"
        "    out = ' '.join(str(2 * int(w)) for w in words)\n"
        "    open(files[2], 'w').write('memory 0:0 u32 %%s\\nmemory 0:1 u32 %%s\\n' %% (' "
        "'.join(words), out))\n"
        "say('ready', 'the test\\'s own')\n"
        "n = 0\n"
        "for line in sys.stdin:\n"
        "    job, *files = line[:-1].split('\\t')\n"
        "    n += 1\n"
        "    %s\n",
        body);
    assert_true(file_write(path, text, strlen(text), NULL));
    return path;
}

static double patience = 30;

static struct run_target *open_server(struct fixture *f, const char *kind, const char *script)
{
    const struct run_options o = {.fence_seconds = patience, .memory_mib = 200};
    struct err e = {0};
    struct run_target *t =
        run_open(arena_printf(&f->arena, "%s:python3 %s", kind, script), f->self, &o, &e);
    if (!t)
        fail_msg("%s", e.msg);
    return t;
}

static void ask(struct fixture *f, struct run_target *t, enum run_status status, const char *text)
{
    struct spv_case c = make_counting(f, SHADER_DOUBLE, 1);
    struct run_result r;
    run_case(t, &f->arena, &c, 0, &r);
    if (r.status != status)
        fail_msg("%s, not %s: %s", run_status_name(r.status), run_status_name(status), r.text);
    assert_contains(r.text, text);
}

// A server that does this is asked three times. The first and the third answer are good.
static void second(struct fixture *f, const char *body, enum run_status status, const char *text)
{
    struct run_target *t = open_server(f, "exec-compiler-server", server(f, body));
    ask(f, t, RUN_OK, "");
    ask(f, t, status, text);
    ask(f, t, RUN_OK, "");
    run_close(t);
}

static void test_answers(void **state)
{
    struct fixture *f = *state;
    struct run_target *t = open_server(
        f, "exec-compiler-server",
        server(f, "n == 1 and copy(); say(job, [0, 77, 1, 139, 124, 125, 0][n - 1], 'as it is')"));
    assert_string_equal(run_info(t)->driver, "the test's own");
    ask(f, t, RUN_OK, "");
    ask(f, t, RUN_SKIPPED, "as it is");
    ask(f, t, RUN_REJECTED, "as it is");
    ask(f, t, RUN_CRASHED, "as it is");
    ask(f, t, RUN_HUNG, "as it is"); // the worker goes, and n with it
    ask(f, t, RUN_OK, "");
    run_close(t);
    t = open_server(f, "exec-compiler-server", server(f, "say(job, 0)"));
    ask(f, t, RUN_REJECTED, "the command wrote no SPIR-V module");
    run_close(t);
}

static void test_device(void **state)
{
    struct fixture *f = *state;
    struct run_target *t = open_server(f, "exec-device-server", server(f, "double(); say(job, 0)"));
    for (uint32_t k = 1; k < 4; k++) {
        struct spv_case c = make_counting(f, SHADER_DOUBLE, k);
        struct run_result r;
        run_case(t, &f->arena, &c, 0, &r);
        assert_doubled(&r, k);
    }
    run_close(t);
}

static void test_nonsense(void **state)
{
    struct fixture *f = *state;
    second(f, "copy(); say(job, 0) if n == 1 else say('hello')", RUN_FAILED,
           "its answer is 'hello'");
    second(f, "copy(); say(job, 0 if n == 1 else 'yes')", RUN_FAILED, "yes'; expected a job number");
    second(f, "copy(); say(job, 0) if n == 1 else say('x' * 5000)", RUN_FAILED,
           "its answer is longer than 4096");
    second(f, "copy(); n == 1 or say(); say(job, 0)", RUN_FAILED, "its answer is ''");
}

static void test_other_jobs(void **state)
{
    struct fixture *f = *state;
    second(f, "copy(); say(int(job) - (n > 1), 0)", RUN_FAILED,
           "it answered job 0 instead of job 1");
    second(f, "copy(); say(int(job) + (n > 1), 0)", RUN_FAILED,
           "it answered job 2 instead of job 1");
    // Two lines at once; one more before the next job comes.
    second(f, "copy(); print('%s\\t0' % job + ('\\n%s\\t0' % job if n > 1 else ''), flush=True)",
           RUN_FAILED, "it answered job 1 with more than one line");
    // One more long after: it waits until its answer has been heard, we until it has spoken again.
    const char *heard = arena_printf(&f->arena, "%s/heard", dir), *spoken = arena_printf(&f->arena, "%s/spoken", dir);
    struct run_target *t = open_server(
        f, "exec-compiler-server",
        server(f, arena_printf(&f->arena,
                               "copy(); say(job, 0)\n"
                               "    while not os.path.exists('%s'): time.sleep(0.01)\n"
                               "    say(job, 0); open('%s', 'w').close()",
                               heard, spoken)));
    ask(f, t, RUN_OK, "");
    assert_true(file_write(heard, "", 0, NULL));
    while (access(spoken, F_OK) != 0)
        usleep(10000);
    ask(f, t, RUN_FAILED, "it printed '0 0' after the answer to job 0");
    run_close(t);
}

static void test_never_and_late(void **state)
{
    struct fixture *f = *state;
    patience = 1.5;
    second(f, "copy(); say(job, 0) if n == 1 else time.sleep(60)", RUN_HUNG,
           "no answer after 1.5 seconds");
    // The late answer dies with who gave it.
    second(f, "copy(); n > 1 and time.sleep(5); say(job, 0)", RUN_HUNG,
           "no answer after 1.5 seconds");
    second(f,
           "copy(); n > 1 and sys.stdout.write(job) and sys.stdout.flush() or n > 1 and "
           "time.sleep(60); say(job, 0)",
           RUN_HUNG, "no answer");
    patience = 30;
}

static void test_deaths(void **state)
{
    struct fixture *f = *state;
    second(f, "copy(); say(job, 0) if n == 1 else os.kill(os.getpid(), 11)", RUN_CRASHED,
           "died of Segmentation fault instead of an answer");
    second(f, "copy(); say(job, 0) if n == 1 else sys.exit('no such op')", RUN_CRASHED,
           "exit status 1 instead of an answer: no such op");
    second(f,
           "copy(); say(job, 0) if n == 1 else (sys.stdout.write(job), sys.stdout.flush(), "
           "os._exit(3))",
           RUN_CRASHED, "exit status 3 in the middle of its answer");
    second(f, "copy(); say(job, 0) if n == 1 else os._exit(125)", RUN_FAILED, "exit status 125");
    // One that serves one job only, and one that ends before its second.
    struct run_target *t =
        open_server(f, "exec-compiler-server", server(f, "copy(); say(job, 0); break"));
    for (int k = 0; k < 4; k++)
        ask(f, t, RUN_OK, "");
    run_close(t);
    t = open_server(f, "exec-compiler-server",
                    server(f, "n > 1 and os._exit(0); copy(); say(job, 0)"));
    for (int k = 0; k < 4; k++)
        ask(f, t, RUN_OK, "");
    run_close(t);
    t = open_server(f, "exec-compiler-server", server(f, "os._exit(0)"));
    ask(f, t, RUN_CRASHED, "exit status 0 instead of an answer");
    run_close(t);
}

static void test_growing(void **state)
{
    struct fixture *f = *state;
    second(f,
           "copy(); say(job, 0) if n == 1 else [hold.append(bytearray(1 << 24)) for hold in [[]] "
           "for k in range(500)]",
           RUN_MEMORY, "it used more than 200 MiB");
    // A file without an end; words to people without an end, of which the last are told.
    second(f,
           "copy(); say(job, 0) if n == 1 else os.ftruncate(os.open(files[1], os.O_RDWR | os.O_CREAT), 1 << 40)",
           RUN_CRASHED, "File too large");
    second(f,
           "copy(); say(job, 0) if n == 1 else ([os.write(2, b'x' * 65536) for k in range(1000)], sys.exit(1))",
           RUN_CRASHED, "exit status 1 instead of an answer: xxx");
    // Half of its memory between two jobs: a fresh one, and nobody is blamed.
    struct run_target *t =
        open_server(f, "exec-compiler-server",
                    server(f, "hold = bytearray(130 << 20); copy(); say(job, 0 if n == 1 else 1)"));
    for (int k = 0; k < 3; k++)
        ask(f, t, RUN_OK, "");
    run_close(t);
}

static void test_renewed(void **state)
{
    struct fixture *f = *state;
    struct run_target *t =
        open_server(f, "exec-compiler-server", server(f, "copy(); say(job, 0 if n <= 256 else 1)"));
    for (int k = 0; k < 300; k++)
        ask(f, t, RUN_OK, "");
    run_close(t);
}

// What runs to its end takes nothing from a command that stays beside it, but all else that is there.
static void test_beside(void **state)
{
    struct fixture *f = *state;
    char *words[] = {"/bin/true", NULL};
    struct run_result r = {.status = RUN_OK};
    const pid_t kept = fork(), other = kept ? fork() : 0;
    if (!kept || !other)
        for (;;)
            pause();
    command_keep(kept, true);
    command_run(words, dir, 10, 0, &f->arena, &r);
    assert_int_equal(r.status, RUN_OK);
    assert_int_equal(waitpid(kept, NULL, WNOHANG), 0);
    assert_int_not_equal(kill(other, 0), 0);
    command_keep(kept, false);
    command_kill_all();
    assert_int_not_equal(kill(kept, 0), 0);
}

static void refuse(struct fixture *f, const char *spec, const char *why)
{
    struct err e = {0};
    struct run_target *t = run_open(spec, f->self, NULL, &e);
    assert_null(t);
    assert_contains(e.msg, why);
}

static void test_starts(void **state)
{
    struct fixture *f = *state;
    refuse(f, "exec-compiler-server:", "needs a command");
    refuse(f, "exec-compiler-server:cp {in} {out}", "on standard input; remove {in}");
    refuse(f, "exec-compiler-server:no-such-program", "not an executable program");
    refuse(f, "exec-compiler-server:echo hello", "its first line is 'hello'; expected 'ready'");
    refuse(f, "exec-device-server:sh -c 'echo cable out >&2; exit 3'",
           "exit status 3 instead of an answer: cable out");
    refuse(f, "exec-device-server:printf 'ready\\tx\\tsubgroup=5\\n'", "a power of two up to 128");
    refuse(f, "exec-device-server:printf 'ready\\tx\\nmore\\n'",
           "more than one line before the first job");
}

// Nothing of a server is left: no process, no folder.
static void test_nothing_is_left(void **state)
{
    struct fixture *f = *state;
    struct run_target *t =
        open_server(f, "exec-compiler-server",
                    server(f, "copy(); open('%s/pid' % os.path.dirname(sys.argv[0]), "
                              "'w').write('%d %s' % (os.getpid(), "
                              "os.environ['TMPDIR'])); say(job, 0)"));
    ask(f, t, RUN_OK, "");
    run_close(t);
    char *text, folder[300];
    size_t n;
    int pid;
    const char *path = arena_printf(&f->arena, "%s/pid", dir);
    assert_true(file_read(&f->arena, path, 4096, &text, &n, NULL));
    assert_int_equal(sscanf(text, "%d %299s", &pid, folder), 2);
    assert_int_not_equal(kill(pid, 0), 0);
    assert_int_not_equal(access(folder, F_OK), 0);
}

static int setup(void **state)
{
    *state = fixture_new(NULL);
    return mkdtemp(dir) ? 0 : -1;
}

static int teardown(void **state)
{
    struct fixture *f = *state;
    DIR *d = opendir(dir);
    for (struct dirent *entry; d && (entry = readdir(d));)
        unlink(arena_printf(&f->arena, "%s/%s", dir, entry->d_name));
    closedir(d);
    fixture_free(f);
    return rmdir(dir);
}

int main(void)
{
    setenv("TANGLEFUZZ_CONTAIN", "no", 1); // its servers write down who they are
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_answers),        cmocka_unit_test(test_device),
        cmocka_unit_test(test_nonsense),       cmocka_unit_test(test_other_jobs),
        cmocka_unit_test(test_never_and_late), cmocka_unit_test(test_deaths),
        cmocka_unit_test(test_growing),        cmocka_unit_test(test_renewed),
        cmocka_unit_test(test_beside),         cmocka_unit_test(test_starts),         cmocka_unit_test(test_nothing_is_left),
    };
    return cmocka_run_group_tests_name("run_server", tests, setup, teardown);
}
