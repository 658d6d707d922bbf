// SPDX-License-Identifier: Apache-2.0
//
// A finding's folder: all files, no path of the machine, whole or not at all, and
// the same finding once.
#define _POSIX_C_SOURCE 200809L
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include <dirent.h>
#include <jansson.h>
#include <signal.h>
#include <sys/resource.h>
#include <unistd.h>

#include "report/report.h"

static const char CASE[] = "; tanglefuzz-case 1\n"
                           "; dispatch 1 1 1\n"
                           "; subgroup 4\n"
                           "; model maximal\n"
                           "; buffer 0:0 zero 16\n"
                           "; log 0:0 stride 8\n"
                           "OpCapability Shader\n"
                           "OpMemoryModel Logical GLSL450\n"
                           "OpEntryPoint GLCompute %1 \"main\"\n"
                           "OpExecutionMode %1 LocalSize 2 1 1\n"
                           "%2 = OpTypeVoid\n"
                           "%3 = OpTypeFunction %2\n"
                           "%1 = OpFunction %2 None %3\n"
                           "%4 = OpLabel\n"
                           "OpReturn\n"
                           "OpFunctionEnd\n";

struct setup {
    struct arena a;
    struct spv_tools *tools;
    char dir[64];
    struct spv_case c;
    uint32_t expected_words[16], observed_words[16], mask[16];
    struct spv_memory expected, observed;
    struct judge_verdict v;
    struct finding_evidence f;
};

static int start(void **state)
{
    struct setup *s = calloc(1, sizeof *s);
    *state = s;
    snprintf(s->dir, sizeof s->dir, "/tmp/test_report_finding.XXXXXX");
    if (!s || !mkdtemp(s->dir))
        return -1;
    s->tools = spv_tools_new();
    struct err e = {0};
    if (!spv_case_parse(s->tools, &s->a, "in.spvasm", CASE, sizeof CASE - 1, &s->c, &e)) {
        print_error("%s\n", e.msg);
        return -1;
    }
    // Row 0 agrees; of row 1 the ballot lacks lane 3.
    const uint32_t rows[16] = {2, 3 << 8 | 1,           7,   0, 0, 0, 0, 0,
                               2, 1 << 24 | 9 << 8 | 1, 0xf, 0, 0, 0, 0, 0};
    memcpy(s->expected_words, rows, sizeof rows);
    memcpy(s->observed_words, rows, sizeof rows);
    s->observed_words[10] = 0x7;
    memset(s->mask, 0xff, sizeof s->mask);
    s->mask[7] = 0;
    s->expected = (struct spv_memory){.count = 16, .words = s->expected_words, .mask = s->mask};
    s->observed = (struct spv_memory){.count = 16, .words = s->observed_words};
    judge_compare(&s->c, &s->expected, &s->observed, 1, &s->v);
    s->f = (struct finding_evidence){
        .c = &s->c,
        .expected = &s->expected,
        .observed = &s->observed,
        .memory_count = 1,
        .verdict = &s->v,
        .target = "vulkan:icd=/home/someone/drivers/icd.json,size=4",
        .device = "device: Toaster, driver: none\ndriver: toast 1.2 (/opt/toast/lib/libtoast.so)\n",
        .driver = "toast 1.2 (/opt/toast/lib/libtoast.so)",
        .replay = "tanglefuzz replay case.spvasm --target "
                  "'vulkan:icd=/home/someone/drivers/icd.json,size=4' -n 3",
        .generated = "tanglefuzz gen --seed 12 --subgroup 4",
        .reproduced = 3,
        .tries = 3,
    };
    return 0;
}

static int end(void **state)
{
    struct setup *s = *state;
    char command[96];
    snprintf(command, sizeof command, "rm -r %s", s->dir);
    int status = system(command);
    spv_tools_free(s->tools);
    arena_free(&s->a);
    free(s);
    return status;
}

static const char *content(struct setup *s, const char *folder, const char *file, size_t *size)
{
    struct err e = {0};
    char *data = NULL;
    size_t n = 0;
    const char *path = arena_printf(&s->a, "%s/%s/%s", s->dir, folder, file);
    if (!file_read(&s->a, path, 1 << 20, &data, &n, &e))
        fail_msg("%s", e.msg);
    if (size)
        *size = n;
    return data;
}

static unsigned entries(const char *dir)
{
    unsigned n = 0;
    DIR *d = opendir(dir);
    assert_non_null(d);
    while (readdir(d))
        n++;
    closedir(d);
    return n - 2;
}

static const char *write_it(struct setup *s, const char *name)
{
    struct err e = {0};
    const char *written = NULL;
    struct finding record;
    finding_make(&s->a, &s->f, &record);
    if (!report_finding_write(s->tools, &s->a, s->dir, name, &s->f, &record, &written, &e))
        fail_msg("%s", e.msg);
    return written;
}

static void whole_folder(void **state)
{
    struct setup *s = *state;
    assert_int_equal(s->v.klass, JUDGE_MISSING_LANES);
    assert_string_equal(write_it(s, "s000012-missing-lanes"), "s000012-missing-lanes");
    const char *dir = "s000012-missing-lanes";
    assert_int_equal(entries(arena_printf(&s->a, "%s/%s", s->dir, dir)), 7);
    assert_int_equal(entries(s->dir), 1); // no temporary folder is left

    const char *readme = content(s, dir, "README.md", NULL);
    assert_non_null(strstr(readme, "# s000012-missing-lanes\n"));
    assert_non_null(strstr(readme, "expected lanes {0-3}, observed {0-2}"));
    assert_non_null(strstr(readme, "Toaster"));
    assert_non_null(strstr(readme, "3 of 3 runs"));
    struct diag_signature signature; // by the driver, whatever the device is called
    finding_signature(&s->f, &signature);
    assert_string_equal(signature.family, "toast");
    struct store_finding kept;
    struct err e = {0};
    const char *of = arena_printf(&s->a, "%s/of", s->dir), *moved = arena_printf(&s->a, "mkdir -p %s/findings && cp -r %s/%s %s/findings", of, s->dir, dir, of);
    assert_int_equal(system(moved), 0);
    assert_int_equal(store_folder_read(&s->a, of, dir, &kept, &e), FINDING_READ);
    assert_string_equal(kept.f.signature->family, "toast");
    assert_string_equal(kept.f.driver, "toast 1.2 (libtoast.so)");
    assert_non_null(strstr(readme, arena_printf(&s->a, "\n1 of %u compared bits are wrong, in the log of 1 invocation; ", (unsigned)s->v.live_bits)));
    assert_non_null(strstr(readme, "    tanglefuzz replay case.spvasm --target "
                                   "'vulkan:icd=icd.json,size=4' -n 3\n"));
    assert_non_null(strstr(content(s, dir, "lanes.txt", NULL), "* "));
    assert_string_equal(content(s, dir, "expected.mem", NULL),
                        "memory 0:0 u32 2 769 7 0 0 0 0 ? 2 16779521 15 0 0 0 0 0\n");
    assert_string_equal(content(s, dir, "observed.mem", NULL),
                        "memory 0:0 u32 2 769 7 0 0 0 0 0 2 16779521 7 0 0 0 0 0\n");
    size_t n;
    const char *words = content(s, dir, "case.spv", &n);
    assert_int_equal(n, s->c.count * 4);
    assert_memory_equal(words, s->c.words, n);
}

// The case in the folder reads back, with what is expected of it.
static void case_reads_back(void **state)
{
    struct setup *s = *state;
    write_it(s, "x");
    struct spv_case c;
    struct err e = {0};
    if (!spv_case_read(s->tools, &s->a, arena_printf(&s->a, "%s/x/case.spvasm", s->dir), &c, &e))
        fail_msg("%s", e.msg);
    assert_int_equal(c.count, s->c.count);
    assert_memory_equal(c.words, s->c.words, c.count * 4);
    assert_int_equal(c.expect_count, 1);
    assert_int_equal(c.expect[0].words[10], 0xf);
    assert_int_equal(c.expect[0].mask[7], 0);
}

static void json_line(void **state)
{
    struct setup *s = *state;
    struct finding record;
    finding_make(&s->a, &s->f, &record);
    record.name = "n";
    record.folder = "findings/n";
    json_t *o = json_loads(finding_json(&s->a, &record, NULL), 0, NULL);
    assert_non_null(o);
    assert_int_equal(json_integer_value(json_object_get(o, "schema")), FINDING_SCHEMA);
    assert_string_equal(json_string_value(json_object_get(o, "class")), "missing-lanes");
    assert_string_equal(json_string_value(json_object_get(o, "folder")), "findings/n");
    assert_true(json_is_true(json_object_get(o, "has_place")));
    assert_int_equal(json_integer_value(json_object_get(o, "word")), 10);
    assert_int_equal(json_integer_value(json_object_get(o, "invocation")), 1);
    assert_int_equal(json_integer_value(json_object_get(o, "expected")), 0xf);
    assert_int_equal(json_integer_value(json_object_get(o, "observed")), 0x7);
    json_decref(o);
    s->f.flaky = true;
    finding_make(&s->a, &s->f, &record);
    o = json_loads(finding_json(&s->a, &record, NULL), 0, NULL);
    assert_string_equal(json_string_value(json_object_get(o, "class")), "flaky");
    assert_string_equal(json_string_value(json_object_get(o, "first_class")), "missing-lanes");
    assert_null(json_object_get(o, "folder"));
    json_decref(o);
}

// A report says what this module was promised, and no more.
static void promise_of_the_model(void **state)
{
    struct setup *s = *state;
    assert_non_null(strstr(diag_promise_text(SPV_ASSUMED_MAXIMAL, JUDGE_PROMISE_MAXIMAL),
                           "This is a lead"));
    static const struct {
        enum spv_model model;
        const char *says;
    } rows[] = {{SPV_MAXIMAL, "declares `MaximallyReconvergesKHR`"},
                {SPV_ASSUMED_MAXIMAL, "the wrong value does not need it"}, // so it is no lead
                {SPV_SUBGROUP_UNIFORM, "declares `SubgroupUniformControlFlowKHR`"},
                {SPV_WORKGROUP_UNIFORM, "SPIR-V's own uniform control flow"}};
    enum { ROWS = sizeof rows / sizeof *rows };
    for (size_t k = 0; k < ROWS; k++) {
        const char *name = arena_printf(&s->a, "promise-%zu", k);
        s->c.model = rows[k].model;
        write_it(s, name);
        const char *readme = content(s, name, "README.md", NULL);
        for (size_t j = 0; j < ROWS; j++)
            assert_int_equal(strstr(readme, rows[j].says) != NULL, j == k);
        assert_null(strstr(readme, "This is a lead"));
        assert_non_null(strstr(readme, "It is wrong even in uniform control flow"));
        const bool maximal = rows[k].model == SPV_MAXIMAL || rows[k].model == SPV_ASSUMED_MAXIMAL;
        if (!maximal) // no rule of an extension that the module does not name
            assert_null(strstr(readme, "SPV_KHR_maximal_reconvergence"));
    }
}

// Wrong bits of words that had to stay as they were are no part of those that the shader had to write.
static void more_bits_than_it_writes(void **state)
{
    struct setup *s = *state;
    s->v.wrong_bits = s->v.live_bits + 1;
    write_it(s, "s000012-stay");
    assert_non_null(strstr(content(s, "s000012-stay", "README.md", NULL), arena_printf(&s->a, "\nBits that are wrong: %u, in", (unsigned)s->v.live_bits + 1)));
}

// What has no defined value is given none.
static void undefined_in_json(void **state)
{
    struct setup *s = *state;
    s->v.undefined = true;
    struct finding record;
    finding_make(&s->a, &s->f, &record);
    json_t *o = json_loads(finding_json(&s->a, &record, NULL), 0, NULL);
    assert_true(json_is_true(json_object_get(o, "undefined")));
    json_decref(o);
}

// Every field that a record has comes back from its JSON, whatever it holds.
static void record_reads_back(void **state)
{
    struct setup *s = *state;
    struct finding record, again;
    struct diag_signature full;
    struct err e = {0};
    finding_make(&s->a, &s->f, &record);
    memset(&full, 0, sizeof full);
    full.klass = record.signature->klass;
    snprintf(full.family, sizeof full.family, "%s", record.signature->family);
    full.about = DIAG_ANY_OP;
    full.probed = true;
    // Member by member, so that bytes between them stay 0 and the structs can be compared.
    full.exact.opcode = SpvOpGroupNonUniformIAdd;
    full.exact.has_form = true;
    full.exact.form = 2;
    full.exact.cluster = 4;
    full.pattern.extra.rules = 1u << DIAG_M4 | 1u << DIAG_D1;
    full.pattern.missing.ways = 1u << DIAG_ENDED;
    full.change.did = DIAG_MOVED;
    full.change.over = true;
    full.change.from = DIAG_INSIDE;
    full.change.to = DIAG_AFTER;
    full.change.loops = -1;
    full.change.queries = 1;
    full.path.known = true;
    full.path.n = 2;
    full.path.part[0] = DIAG_IN_LOOP;
    full.path.part[1] = DIAG_IN_BREAK;
    snprintf(full.message, sizeof full.message, "quoted \"%%s\" and a\nline");
    snprintf(full.culprit, sizeof full.culprit, "--loop-unswitch");
    diag_signature_finish(&full);
    record.signature = &full;
    record.reason.why = DIAG_CONTINUED;
    record.reason.known = DIAG_BY_SEVERAL;
    record.reason.has_place = true;
    record.reason.counted = lane_bit(127) | 5;
    record.reason.later_value = UINT64_MAX;
    record.reason.rivals = 1ull << DIAG_LEFT_LOOP | 1ull << DIAG_END_LOST;
    record.reason.asked = 3;
    record.reason.confirmed = 2;
    record.reason.controls = 2;
    record.reason.control[0] = (struct diag_control){
        .tweak = {DIAG_TWEAK_OPCODE, SpvOpIAdd, 7, 12, 0, SpvOpIAdd, SpvOpISub},
        .rival_why = DIAG_LEFT_LOOP, .word = 5, .predicted = UINT32_MAX, .rival = 1, .observed = UINT32_MAX};
    record.reason.control[1] = (struct diag_control){
        .tweak = {.kind = DIAG_TWEAK_ALWAYS}, .by_change = true, .made = true, .wrong = true};
    record.trials.n = 2;
    record.trials.trial[1] = (struct diag_trial){{.kind = DIAG_TWEAK_HINT, .from = 1}, true};
    record.trials.trial[0].tweak.kind = DIAG_TWEAK_PLAIN;
    record.code.line = 3;
    record.code.store = 9;
    record.code.lanes = lane_bit(40);
    record.code.unset = 5;
    record.stage = DIAG_STAGE_NIR;
    record.promise = JUDGE_PROMISE_WORKGROUP;
    record.found_at = 1790000000;
    record.of = "s000012-missing-lanes";
    const char *json = finding_json(&s->a, &record, NULL);
    if (!finding_parse(&s->a, json, strlen(json), NULL, &again, &e))
        fail_msg("%s", e.msg);
    assert_memory_equal(again.signature, &full, sizeof full);
    assert_memory_equal(&again.reason, &record.reason, sizeof record.reason);
    assert_memory_equal(&again.code, &record.code, sizeof record.code);
    assert_memory_equal(&again.trials, &record.trials, sizeof record.trials);
    assert_string_equal(finding_json(&s->a, &again, NULL), json);
    // A reason of a version that did not test it is not shown.
    record.reason.asked = 0;
    json = finding_json(&s->a, &record, NULL);
    assert_true(finding_parse(&s->a, json, strlen(json), NULL, &again, &e));
    assert_int_equal(again.reason.why, DIAG_WHY_UNKNOWN);
}

// A record that this version does not understand is said to be so, and why.
static void record_of_others(void **state)
{
    struct setup *s = *state;
    static const struct {
        const char *json, *says;
    } rows[] = {
        {"[]", "is not a finding's record"},
        {"{\"schema\": 2}", "is not a finding's record"},
        {"{\"schema\": 1, \"type\": \"finding\"}", "schema 1, this tanglefuzz reads 2: run its replay"},
        {"{\"schema\": 3, \"type\": \"finding\"}", "with the tanglefuzz that wrote it"},
        {"{\"schema\": 2, \"type\": \"finding\", \"first_class\": \"wrong-colour\", \"facts\": {}}",
         "'first_class' of the record is 'wrong-colour', which is not known here"},
        {"{\"schema\": 2, \"type\": \"finding\", \"words\": -1, \"facts\": {}}", "'words' of the record has a wrong type"},
        {"{\"schema\": 2, \"type\": \"finding\", \"facts\": {\"path\": {\"parts\": [\"loop\", 3]}}}",
         "'parts' of path has a wrong type"},
        {"{\"schema\": 2, \"type\": \"finding\"}", "facts is not a JSON object"},
    };
    for (size_t k = 0; k < sizeof rows / sizeof *rows; k++) {
        struct finding f;
        struct err e = {0};
        assert_false(finding_parse(&s->a, rows[k].json, strlen(rows[k].json), NULL, &f, &e));
        if (!strstr(e.msg, rows[k].says))
            fail_msg("row %zu: %s", k, e.msg);
    }
}

// A finding beside another one of its name is named by its digest too.
static void named_by_digest(struct setup *s, const char *name)
{
    char digest[FINDING_DIGEST];
    size_t size;
    assert_non_null(name);
    const char *text = content(s, name, "case.spvasm", &size);
    finding_digest(text, size, judge_class_name(s->v.klass), s->f.target,
                 diag_without_paths(&s->a, s->f.device), digest);
    assert_string_equal(name, arena_printf(&s->a, "x-%s", digest));
}

static void same_finding_once(void **state)
{
    struct setup *s = *state;
    assert_string_equal(write_it(s, "x"), "x");
    assert_null(write_it(s, "x"));
    assert_int_equal(entries(s->dir), 1);
    // Another target's is another finding.
    s->f.target = "vulkan";
    named_by_digest(s, write_it(s, "x"));
    assert_null(write_it(s, "x"));
    // So is another case's.
    s->c.groups[0] = 2;
    named_by_digest(s, write_it(s, "x"));
    assert_int_equal(entries(s->dir), 3);
    // One that is told when it was found is the same one.
    s->f.found_at = 1790000000;
    assert_null(write_it(s, "x"));
}

static void crash_without_memory(void **state)
{
    struct setup *s = *state;
    s->v = (struct judge_verdict){.klass = JUDGE_CRASH, .text = "the worker died of SIGSEGV"};
    s->f.observed = NULL;
    s->f.tries = 0;
    s->f.reproduced = 0;
    s->f.target_output = "LLVM ERROR: /usr/lib/llvm-15/x.so broke";
    write_it(s, "x");
    assert_int_equal(entries(arena_printf(&s->a, "%s/x", s->dir)), 5);
    const char *readme = content(s, "x", "README.md", NULL);
    assert_non_null(strstr(readme, "died of SIGSEGV"));
    assert_non_null(strstr(readme, "LLVM ERROR: x.so broke"));
    assert_non_null(strstr(readme, "not run again"));
    assert_null(strstr(readme, "lanes.txt"));
}

static void no_machine_paths(void **state)
{
    struct setup *s = *state;
    s->f.target_output = "cannot open '/home/someone/x/y.json': no";
    // A buffer read from a file beside the case comes as words.
    s->c.buffer[0].fill = SPV_FILL_FILE;
    s->c.buffer[0].file = "words.bin";
    s->c.path = "/home/someone/in.spvasm";
    write_it(s, "x");
    static const char *const files[] = {"README.md", "finding.json", "case.spvasm",
                                        "lanes.txt", "expected.mem", "observed.mem"};
    for (size_t i = 0; i < sizeof files / sizeof files[0]; i++) {
        const char *text = content(s, "x", files[i], NULL);
        assert_null(strstr(text, "/home"));
        assert_null(strstr(text, "/opt"));
        assert_null(strstr(text, "/tmp"));
        assert_null(strstr(text, "words.bin"));
    }
    const char *text = content(s, "x", "case.spvasm", NULL);
    assert_non_null(strstr(text, "\n; buffer 0:0 u32 0 0 0"));
}

static void without_paths(void **state)
{
    struct setup *s = *state;
    static const char *const rows[][2] = {
        {"vulkan:icd=/a/b/c.json", "vulkan:icd=c.json"},
        {"'/a/b' and /c/d/, 1/2 of a/b", "'b' and d/, 1/2 of a/b"},
        {"no path / here", "no path / here"},
        {"/x", "x"},
        {"", ""},
    };
    for (size_t i = 0; i < sizeof rows / sizeof rows[0]; i++)
        assert_string_equal(diag_without_paths(&s->a, rows[i][0]), rows[i][1]);
}

// A folder that cannot be written: one line, and nothing half.
static void nothing_half(void **state)
{
    struct setup *s = *state;
    struct err e = {0};
    const char *written = NULL;
    const char *file = arena_printf(&s->a, "%s/file", s->dir);
    assert_true(file_write(file, "x", 1, &e));
    struct finding record;
    finding_make(&s->a, &s->f, &record);
    assert_false(report_finding_write(s->tools, &s->a, file, "x", &s->f, &record, &written, &e));
    assert_true(e.msg[0] != 0);
    assert_null(written);
    assert_int_equal(entries(s->dir), 1);
}

// The disk is full when the last and longest file comes: a limit on the size of
// files stands in for it.
static void full_disk(void **state)
{
    struct setup *s = *state;
    struct err e = {0};
    const char *written = NULL;
    struct rlimit old, small;
    struct finding record;
    finding_make(&s->a, &s->f, &record);
    getrlimit(RLIMIT_FSIZE, &old);
    small = old;
    small.rlim_cur = 1200;
    signal(SIGXFSZ, SIG_IGN);
    setrlimit(RLIMIT_FSIZE, &small);
    bool ok = report_finding_write(s->tools, &s->a, s->dir, "x", &s->f, &record, &written, &e);
    setrlimit(RLIMIT_FSIZE, &old);
    assert_false(ok);
    assert_null(written);
    assert_non_null(strstr(e.msg, "README.md"));
    assert_int_equal(entries(s->dir), 0);
    assert_string_equal(write_it(s, "x"), "x");
}

// As found a debugger is asked while there is time: where the subject says what it is, that alone counts.
static void a_debugger_now_and_then(void **state)
{
    struct setup *s = *state;
    static const char words[] = "LLVM ERROR: Cannot select: t3: v4i32 = scalar_to_vector t2";
    struct diag_signature with, without, bare, reduced;
    s->v = (struct judge_verdict){.klass = JUDGE_CRASH};
    s->f.target_output = "the worker died of SIGABRT: LLVM ERROR: Cannot select: t3: v4i32 = scalar_to_vector t2";
    s->f.printed = words;
    finding_signature(&s->f, &without);
    s->f.backtrace = "#0  0x1 in Isel::CannotSelect () from x.so\n";
    finding_signature(&s->f, &with);
    assert_string_equal(with.name, without.name);
    assert_non_null(strstr(with.message, "Cannot select"));
    s->f.of = "x";
    finding_signature(&s->f, &reduced);
    assert_non_null(strstr(reduced.message, "Isel::CannotSelect: "));
    s->f.of = NULL;
    s->f.printed = NULL; // nothing but a signal
    s->f.target_output = "the worker died of SIGSEGV";
    finding_signature(&s->f, &bare);
    assert_non_null(strstr(bare.message, "Isel::CannotSelect: "));
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test_setup_teardown(whole_folder, start, end),
        cmocka_unit_test_setup_teardown(case_reads_back, start, end),
        cmocka_unit_test_setup_teardown(json_line, start, end),
        cmocka_unit_test_setup_teardown(promise_of_the_model, start, end),
        cmocka_unit_test_setup_teardown(more_bits_than_it_writes, start, end),
        cmocka_unit_test_setup_teardown(undefined_in_json, start, end),
        cmocka_unit_test_setup_teardown(record_reads_back, start, end),
        cmocka_unit_test_setup_teardown(record_of_others, start, end),
        cmocka_unit_test_setup_teardown(same_finding_once, start, end),
        cmocka_unit_test_setup_teardown(crash_without_memory, start, end),
        cmocka_unit_test_setup_teardown(no_machine_paths, start, end),
        cmocka_unit_test_setup_teardown(without_paths, start, end),
        cmocka_unit_test_setup_teardown(nothing_half, start, end),
        cmocka_unit_test_setup_teardown(full_disk, start, end),
        cmocka_unit_test_setup_teardown(a_debugger_now_and_then, start, end),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
