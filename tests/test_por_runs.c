// SPDX-License-Identifier: Apache-2.0
//
// portable: a run that is looked up (portable/runs.c) leaves what the same run leaves when it is made. Each module of the
// corpus is asked about twice, with invented inputs: once as users ask, once with each run made anew. All that each run
// left is compared, in the order of the runs.
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "portable/portable.h"

#include <dirent.h>
#include <stdlib.h>
#include <string.h>

struct counts {
    uint32_t modules, looked_up, with_one;
};

static uint64_t digest(const struct spv_case *c, bool anew, struct counts *n)
{
    static const uint32_t sizes[] = {8, 32};
    struct arena a = {0};
    struct por_answer *w = ARENA_NEW(&a, struct por_answer);
    struct por_runs_made made = {.anew = anew};
    por_ask(&a, c, false, &(struct por_given){.made = &made}, sizes, 2, w);
    assert_true(!anew || made.looked_up == 0);
    n->looked_up += made.looked_up;
    n->with_one += made.looked_up > 0;
    arena_free(&a);
    return made.digest;
}

static void one(struct spv_tools *tools, const char *path, struct counts *n)
{
    struct arena a = {0};
    struct err e;
    struct spv_case *c = ARENA_NEW(&a, struct spv_case);
    if (!spv_case_read(tools, &a, path, c, &e))
        fail_msg("%s", e.msg);
    if (c->stage == SPV_COMPUTE) {
        n->modules++;
        if (digest(c, false, n) != digest(c, true, n))
            fail_msg("%s: a run that was looked up left something else", path);
    }
    arena_free(&a);
}

static void of_folder(const char *folder, struct counts *n)
{
    struct arena a = {0};
    struct spv_tools *tools = spv_tools_new();
    const char *path = arena_printf(&a, "%s/corpus/%s", getenv("SOURCE_DIR"), folder);
    DIR *d = opendir(path);
    assert_non_null(d);
    for (struct dirent *f; (f = readdir(d));)
        if (strlen(f->d_name) > 7 && strcmp(f->d_name + strlen(f->d_name) - 7, ".spvasm") == 0)
            one(tools, arena_printf(&a, "%s/%s", path, f->d_name), n);
    closedir(d);
    spv_tools_free(tools);
    arena_free(&a);
}

static void looked_up_runs_are_as_made(void **state)
{
    static const char *const folders[] = {"litmus", "rules", "undefined", "external", "ops", "regress", "mutants", "seeds"};
    struct counts n = {0};
    (void)state;
    for (size_t k = 0; k < sizeof folders / sizeof *folders; k++)
        of_folder(folders[k], &n);
    print_message("%u modules, %u runs looked up, in %u of them\n", n.modules, n.looked_up, n.with_one);
    assert_true(n.with_one > n.modules / 3);
}

int main(void)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(looked_up_runs_are_as_made)};
    return cmocka_run_group_tests_name("por_runs", tests, NULL, NULL);
}
