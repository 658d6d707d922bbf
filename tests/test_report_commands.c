// SPDX-License-Identifier: Apache-2.0
//
// How a command of a bundle ended: whether it is what must be, and the line that says it.
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>

#include <cmocka.h>

#include "triage/report/commands.h"

static void shows(void **state)
{
    static const struct {
        int status;
        bool timed_out;
        bool shows[6]; // by want: ok, wrong, fails, crashes, rejects, hangs
    } rows[] = {
        {0, false, {1, 0, 0, 0, 0, 0}},   {1, false, {0, 1, 1, 0, 1, 0}},   {2, false, {0, 0, 1, 0, 1, 0}},
        {101, false, {0, 0, 1, 1, 0, 0}}, {127, false, {0, 0, 0, 0, 0, 0}}, {139, false, {0, 0, 1, 1, 0, 0}},
        {137, true, {0, 0, 0, 0, 0, 1}},
    };
    (void)state;
    for (size_t k = 0; k < sizeof rows / sizeof *rows; k++)
        for (int want = COMMAND_OK; want <= COMMAND_HANGS; want++) {
            const struct command_end e = {rows[k].timed_out, 20, rows[k].status, "a word\n"};
            if (report_command_shows((enum command_want)want, NULL, &e) != rows[k].shows[want])
                fail_msg("status %d, want %d", rows[k].status, want);
            assert_false(report_command_shows((enum command_want)want, "other", &e) &&
                         want != COMMAND_HANGS);
        }
}

static void lines(void **state)
{
    static const struct {
        enum command_want want;
        struct command_end e;
        const char *line;
    } rows[] = {
        {COMMAND_OK, {false, 20, 0, "much\n"}, "exit status 0"},
        {COMMAND_OK, {false, 20, 1, "\n  first\nsecond\n"}, "exit status 1: first"},
        {COMMAND_WRONG, {false, 20, 1, "note\nerror: here\nerror: there\n"}, "exit status 1: error: here"},
        {COMMAND_CRASHES, {false, 20, 139, ""}, "exit status 139, died of signal 11 (Segmentation fault)"},
        {COMMAND_HANGS, {true, 20, 137, ""}, "did not end in 20 seconds"},
        {COMMAND_REJECTS, {false, 20, 1, "error: /home/me/x.spv: \x1b[1mno\n"}, "exit status 1: error: x.spv: \\x1b[1mno"},
    };
    struct arena a = {0};
    (void)state;
    for (size_t k = 0; k < sizeof rows / sizeof *rows; k++)
        assert_string_equal(report_command_ended(&a, rows[k].want, &rows[k].e), rows[k].line);
    // A line is cut between two characters.
    char text[512] = "";
    for (int i = 0; i < 150; i++)
        strcat(text, i == 0 ? "a" : "\xc3\xa9");
    const struct command_end e = {false, 20, 1, text};
    const char *line = report_command_ended(&a, COMMAND_WRONG, &e);
    assert_null(strstr(line, "\\x"));
    assert_true(strlen(line) < 220);
    arena_free(&a);
}

int main(void)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(shows), cmocka_unit_test(lines)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
