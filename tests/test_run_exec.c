// SPDX-License-Identifier: Apache-2.0
//
// Commands as targets, friendly and not: every exit status, every kind of answer;
// commands that hang, fork, shout or leave odd files. Chains of them.
#define _GNU_SOURCE
#include "generator/generator.h"
#include "runners/backend.h"
#include "test_run_common.h"

#include <dirent.h>
#include <signal.h>
#include <sys/stat.h>
#include <unistd.h>

// The test's own folder, made by the first script.
static char dir[] = "/tmp/tf-exec-XXXXXX";
static unsigned scripts;

// A script in it; gives its path.
static const char *script(struct fixture *f, const char *body)
{
    if (!scripts)
        assert_non_null(mkdtemp(dir));
    const char *path = arena_printf(&f->arena, "%s/%u.sh", dir, scripts++);
    const char *text = arena_printf(&f->arena, "#!/bin/sh\n%s\n", body);
    assert_true(file_write(path, text, strlen(text), NULL));
    assert_int_equal(chmod(path, 0755), 0);
    return path;
}

static void ask(struct fixture *f, const char *spec, double patience, struct run_result *r)
{
    struct run_options o = {.fence_seconds = patience};
    struct err e = {0};
    struct run_target *t = run_open(spec, f->self, &o, &e);
    if (!t)
        fail_msg("%s", e.msg);
    struct spv_case c = make_counting(f, SHADER_DOUBLE, 1);
    run_case(t, &f->arena, &c, 0, r);
    run_close(t);
}

// What the target answers to the doubling shader when the command is this script.
static void expect(struct fixture *f, const char *kind, const char *body, enum run_status status,
                   const char *text)
{
    bool device = strcmp(kind, "exec-device") == 0;
    const char *spec = arena_printf(&f->arena, "%s:%s %s {out}", kind, script(f, body),
                                    device ? "{case}" : "{in}");
    struct run_result r;
    ask(f, spec, 20, &r);
    if (r.status != status)
        fail_msg("%s: %s, not %s: %s", body, run_status_name(r.status), run_status_name(status),
                 r.text);
    assert_contains(r.text, text);
}

static void test_exit_statuses(void **state)
{
    struct fixture *f = *state;
    static const char *const kinds[] = {"exec-compiler", "exec-device"};
    for (size_t k = 0; k < 2; k++) {
        expect(f, kinds[k], "echo what I think; exit 1", RUN_REJECTED, "what I think");
        expect(f, kinds[k], "echo no such op; exit 77", RUN_SKIPPED, "no such op");
        expect(f, kinds[k], "exit 124", RUN_HUNG, "exit status 124");
        expect(f, kinds[k], "echo cable gone; exit 125", RUN_FAILED, "cable gone");
        expect(f, kinds[k], "exec /no/such/program", RUN_FAILED, "exit status 127");
        expect(f, kinds[k], "exit 139", RUN_CRASHED, "died of Segmentation fault");
        expect(f, kinds[k], "kill -ABRT $$", RUN_CRASHED, "died of Aborted");
    }
}

static void test_answers_of_compilers(void **state)
{
    struct fixture *f = *state;
    expect(f, "exec-compiler", "cp \"$1\" \"$2\"; echo said on the way", RUN_OK, "");
    expect(f, "exec-compiler", "exit 0", RUN_REJECTED, "the command wrote no SPIR-V module");
    expect(f, "exec-compiler", "printf 12345 >\"$2\"", RUN_REJECTED, "the command wrote no SPIR-V module");
    expect(f, "exec-compiler", "mkfifo \"$2\"", RUN_REJECTED, "the command wrote no SPIR-V module");
    expect(f, "exec-compiler", "ln -s /dev/zero \"$2\"", RUN_REJECTED, "the command wrote no SPIR-V module");
    expect(f, "exec-compiler", "mkdir \"$2\"", RUN_REJECTED, "the command wrote no SPIR-V module");
    // More than may be written: the signal of RLIMIT_FSIZE, or head's complaint about it.
    expect(f, "exec-compiler", "exec dd if=/dev/zero of=\"$2\" bs=1M count=300", RUN_CRASHED, "died of");
}

#define MEMORY "memory 0:0 u32 1 2 3 4 5 6 7 8 9 10 11 12 13 14 15 16"
static void test_answers_of_devices(void **state)
{
    struct fixture *f = *state;
    const char *twice = "awk '/^; buffer 0:0/ { $1 = $2 = $3 = $4 = \"\"; a = \"\"; b = \"\"\n"
                        "  for (i = 5; i <= NF; i++) { a = a \" \" $i; b = b \" \" 2 * $i }\n"
                        "  print \"memory 0:0 u32\" a; print \"memory 0:1 u32\" b }' \"$1\" >\"$2\"";
    const char *spec = arena_printf(&f->arena, "exec-device:%s {case} {out}", script(f, twice));
    struct run_result r;
    ask(f, spec, 20, &r);
    assert_doubled(&r, 1);
    expect(f, "exec-device", "exit 0", RUN_REJECTED, "the command wrote no memory file");
    expect(f, "exec-device", "echo rubbish >\"$2\"", RUN_REJECTED, "the memory file cannot be read");
    expect(f, "exec-device", "echo memory 0:0 u32 1 >\"$2\"", RUN_REJECTED,
           "has 1 words of buffer 0:0, the case has 16");
    expect(f, "exec-device", "echo " MEMORY " >\"$2\"", RUN_REJECTED, "has no buffer 0:1");
    expect(f, "exec-device", "(echo " MEMORY "; echo " MEMORY " | sed 's/0:0/0:1/;s/16/?/') >\"$2\"",
           RUN_REJECTED, "unknown words");
    expect(f, "exec-device", "head -c 300000000 /dev/zero >\"$2\"", RUN_CRASHED, "File size limit");
}

// The folders that commands get; the test's own worker must leave none.
static unsigned folders(void)
{
    DIR *d = opendir("/tmp");
    unsigned n = 0;
    assert_non_null(d);
    for (struct dirent *entry; (entry = readdir(d));) {
        char *end;
        if (strncmp(entry->d_name, "tanglefuzz-", 11) != 0)
            continue;
        long pid = strtol(entry->d_name + 11, &end, 10);
        n += *end == '-' && kill((pid_t)pid, 0) != 0;
    }
    closedir(d);
    return n;
}

// Whether a process `sleep WORD` is there: looked for from here, for contained ones see none but their own.
static bool alive(const char *word)
{
    char path[300], line[64];
    bool found = false;
    DIR *d = opendir("/proc");
    assert_non_null(d);
    for (struct dirent *entry; !found && (entry = readdir(d));) {
        snprintf(path, sizeof path, "/proc/%s/cmdline", entry->d_name);
        FILE *file = *entry->d_name >= '0' && *entry->d_name <= '9' ? fopen(path, "r") : NULL;
        if (!file)
            continue;
        line[fread(line, 1, sizeof line - 1, file)] = 0;
        found = strcmp(line, "sleep") == 0 && strcmp(line + sizeof "sleep", word) == 0;
        fclose(file);
    }
    closedir(d);
    return found;
}

static void test_nothing_is_left(void **state)
{
    struct fixture *f = *state;
    unsigned before = folders();
    // In its own group, in another session, an orphan of an orphan.
    expect(f, "exec-compiler",
           "sleep 7771 & setsid sleep 7772 & (setsid sh -c 'sleep 7773 & sleep 7774' &)\n"
           "touch \"$TMPDIR/mine\"; mkdir -p \"$TMPDIR/a/b\"; touch \"$TMPDIR/a/b/c\"; exit 3",
           RUN_REJECTED, "exit status 3");
    for (int k = 1; k <= 4; k++)
        assert_false(alive(arena_printf(&f->arena, "777%d", k)));
    assert_int_equal(folders(), before);
}

static void test_hangs(void **state)
{
    struct fixture *f = *state;
    struct run_result r;
    const char *spec =
        arena_printf(&f->arena, "exec-compiler:%s {in} {out}",
                     script(f, "trap '' TERM INT HUP; setsid sleep 7775 & while :; do sleep 7776; done"));
    ask(f, spec, 0.5, &r); // whoever waits for it waits for two hours
    assert_int_equal(r.status, RUN_HUNG);
    assert_contains(r.text, "not finished after 0.5 seconds");
    assert_false(alive("7775"));
    assert_false(alive("7776"));
    // One that ends but leaves its output open to a child is not waited for, neither as long as it lives
    // nor as long as our patience is.
    spec = arena_printf(&f->arena, "exec-compiler:%s {in} {out}", script(f, "sleep 7777 & cp \"$1\" \"$2\""));
    ask(f, spec, 7777, &r);
    assert_int_equal(r.status, RUN_OK);
}

static void test_shouting(void **state)
{
    expect(*state, "exec-compiler", "head -c 100000000 /dev/zero | tr '\\0' x; echo; echo the end; exit 2",
           RUN_REJECTED, "the end");
}

static void test_standard_input_is_empty(void **state)
{
    expect(*state, "exec-compiler", "cat; echo read it; exit 2", RUN_REJECTED, "read it");
}

// ---- chains ---------------------------------------------------------------------------

static void refuse(struct fixture *f, const char *spec, const char *why)
{
    struct err e = {0};
    struct run_target *t = run_open(spec, f->self, NULL, &e);
    assert_null(t);
    assert_contains(e.msg, why);
}

static void test_chains_that_are_none(void **state)
{
    struct fixture *f = *state;
    refuse(f, "spirv-opt:-O | ", "a stage is missing");
    refuse(f, "spirv-opt:-O |  | spirv-opt", "a stage is missing");
    refuse(f, "spirv-opt:-O | none:x", "stage 2: target 'none': no such kind of target");
    refuse(f, "spirv-opt:--nonsense | spirv-opt", "stage 1: spirv-opt: unknown pass");
    refuse(f, "exec-device:true {case} {out} | spirv-opt", "is not a compiler");
}

static void test_chain_of_compilers(void **state)
{
    struct fixture *f = *state;
    struct run_result r;
    // A bar in quotes belongs to the command.
    const char *spec = "exec-compiler:sh -c 'cat \"$0\" | cat >\"$1\"' {in} {out} | spirv-opt:-O";
    ask(f, spec, 20, &r);
    if (r.status != RUN_OK)
        fail_msg("%s", r.text);
    assert_true(r.word_count > 5);
}

static void expect_chain(struct fixture *f, const char *spec, enum run_status status,
                         const char *text)
{
    struct run_result r;
    ask(f, spec, 20, &r);
    if (r.status != status)
        fail_msg("%s: %s: %s", spec, run_status_name(r.status), r.text);
    assert_contains(r.text, text);
}

static void test_chain_names_the_stage(void **state)
{
    struct fixture *f = *state;
    const char *copy = "exec-compiler:cp {in} {out}";
    const char *die = script(f, "kill -SEGV $$"), *no = script(f, "echo not this; exit 1");
    // The header alone: a module that spirv-val refuses.
    const char *cut = script(f, "head -c 20 \"$1\" >\"$2\"");
#define CHAIN(...) arena_printf(&f->arena, __VA_ARGS__)
    expect_chain(f, CHAIN("exec-compiler:%s {in} {out} | %s", die, copy), RUN_CRASHED,
                 "stage 1 (exec-compiler:");
    expect_chain(f, CHAIN("%s | exec-compiler:%s {in} {out} | %s", copy, no, copy), RUN_REJECTED,
                 "stage 2 (exec-compiler:");
    expect_chain(f, CHAIN("exec-compiler:%s {in} {out} | exec-compiler:%s {in} {out}", cut, die),
                 RUN_INVALID, "stage 1 (exec-compiler:");
    expect_chain(f, CHAIN("spirv-opt:random | exec-compiler:%s {in} {out}", no), RUN_REJECTED,
                 "passes: --");
}

static void test_chain_to_a_device(void **state)
{
    struct fixture *f = need_lavapipe(state);
    struct run_result r;
    ask(f, "spirv-opt:-O | exec-compiler:cp {in} {out} | " LAVAPIPE, 20, &r);
    assert_doubled(&r, 1);
}

// Each pass that is drawn is one word, and spirv-opt knows it.
static void expect_known_passes(struct fixture *f)
{
    for (uint32_t i = 0; i < 2000; i++) {
        const uint32_t words[] = {0, 0, 0, 0, 0, i};
        const char **passes;
        const size_t n = opt_random(&f->arena, words, 6, &passes);
        assert_true(n > 0);
        for (size_t k = 0; k < n; k++)
            if (!spv_optimizer_knows(passes[k]))
                fail_msg("spirv-opt does not know '%s'", passes[k]);
    }
}

static void test_random_is_pinned(void **state)
{
    struct fixture *f = *state;
    expect_known_passes(f);
    struct spv_case c = make_counting(f, SHADER_DOUBLE, 1), d = make_counting(f, SHADER_SPIN, 1);
    const char *one = run_fixed(&f->arena, "spirv-opt:random", &c);
    assert_true(strncmp(one, "spirv-opt:--", 12) == 0);
    assert_string_equal(one, run_fixed(&f->arena, "spirv-opt:random", &c));
    assert_string_not_equal(one, run_fixed(&f->arena, "spirv-opt:random", &d));
    assert_string_equal(run_fixed(&f->arena, "spirv-opt:random | " LAVAPIPE, &c),
                        arena_printf(&f->arena, "%s | " LAVAPIPE, one));
    assert_string_equal(run_fixed(&f->arena, LAVAPIPE, &c), LAVAPIPE);
    // What the worker ran is what is pinned.
    struct run_result r;
    ask(f, "spirv-opt:random", 20, &r);
    assert_contains(r.text, one + strlen("spirv-opt:"));
}

// -O and what it is said to stand for make the same of a module, word for word. One pass is newer than 2025.1.
static void test_lists_are_what_they_stand_for(void **state)
{
    struct fixture *f = *state;
    static const char *const flags[] = {"-O", "-Os", "--legalize-hlsl"};
    for (size_t k = 0; k < 3; k++) {
        uint32_t n;
        const char *const *all = spv_optimizer_recipe(flags[k], &n), *single[64];
        assert_in_range(n, 10, 64);
        uint32_t known = 0;
        for (uint32_t s = 0; s < n; s++)
            if (spv_optimizer_knows(all[s]))
                single[known++] = all[s];
            else if (strcmp(all[s], "--legalize-multidim-array") != 0)
                fail_msg("%s: %s is no pass", flags[k], all[s]);
        for (uint64_t seed = 0; seed < 20; seed++) {
            struct gen_choices choices;
            struct gen_made made;
            struct gen_options o = {.features = GEN_ALL_FEATURES, .subgroup = 8, .inputs = 1};
            const uint32_t *one, *other;
            size_t one_n, other_n;
            gen_choices_seed(&choices, &f->arena, seed);
            gen_make(&choices, &o, &made);
            const struct spv_case *c = &made.cases[0];
            assert_true(
                spv_optimize(&f->arena, &flags[k], 1, c->words, c->count, &one, &one_n, NULL));
            assert_true(
                spv_optimize(&f->arena, single, known, c->words, c->count, &other, &other_n, NULL));
            assert_int_equal(one_n, other_n);
            assert_memory_equal(one, other, one_n * sizeof *one);
        }
    }
}

static int setup(void **state)
{
    *state = fixture_new(NULL);
    return 0;
}

static int teardown(void **state)
{
    struct fixture *f = *state;
    bool made = scripts > 0;
    while (scripts)
        unlink(arena_printf(&f->arena, "%s/%u.sh", dir, --scripts));
    int left = made ? rmdir(dir) : 0; // it fails where a command left something
    fixture_free(f);
    return left;
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_exit_statuses),
        cmocka_unit_test(test_answers_of_compilers),
        cmocka_unit_test(test_answers_of_devices),
        cmocka_unit_test(test_nothing_is_left),
        cmocka_unit_test(test_hangs),
        cmocka_unit_test(test_shouting),
        cmocka_unit_test(test_standard_input_is_empty),
        cmocka_unit_test(test_chains_that_are_none),
        cmocka_unit_test(test_chain_of_compilers),
        cmocka_unit_test(test_chain_names_the_stage),
        cmocka_unit_test(test_chain_to_a_device),
        cmocka_unit_test(test_random_is_pinned),
        cmocka_unit_test(test_lists_are_what_they_stand_for),
    };
    return cmocka_run_group_tests_name("run_exec", tests, setup, teardown);
}
