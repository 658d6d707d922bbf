// SPDX-License-Identifier: Apache-2.0
//
// The tables of the oracle and of the judge in one program, because a link costs more than a table's
// run. Each test_orc_*.c and test_judge_*.c has a main of its own, which is compiled under the name
// of its file; tests/CMakeLists.txt writes a header, the list of them.
//
//   oracle_tests [TABLE...]    these tables, or all; the exit status is 0 only if no case failed
#include "oracle_tables.h"

#include <stdbool.h>
#include <stdio.h>
#include <string.h>

#define TABLE(name) {#name, name},
static const struct table {
    const char *name;
    int (*run)(void);
} tables[] = {ORACLE_TABLES};
enum { TABLES = sizeof(tables) / sizeof *tables };

static const struct table *table_of(const char *name)
{
    for (int k = 0; k < TABLES; k++)
        if (strcmp(tables[k].name, name) == 0)
            return &tables[k];
    return NULL;
}

int main(int argc, char **argv)
{
    bool failed = false;
    for (int k = 1; k < argc; k++) {
        if (!table_of(argv[k])) {
            fprintf(stderr, "oracle_tests: no table '%s'\n", argv[k]);
            return 2;
        }
    }
    for (int k = 1; k < argc; k++)
        failed |= table_of(argv[k])->run() != 0;
    for (int k = 0; argc == 1 && k < TABLES; k++)
        failed |= tables[k].run() != 0;
    return failed;
}
