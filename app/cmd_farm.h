// SPDX-License-Identifier: Apache-2.0
//
// Shared by the subcommands of `farm`.
#ifndef TF_APP_CMD_FARM_H
#define TF_APP_CMD_FARM_H

#include "args.h"
#include "farm/farm.h"

#define OPT_STORE(member)                                                                          \
    OPT_TEXT("store", 0, "DSN",                                                                    \
             "database, a libpq connection string; default TANGLEFUZZ_STORE, else\n"               \
             "PGSERVICE, PGHOST and PGDATABASE",                                                   \
             member)

// Returns the store's address: `given`, else the environment's. NULL with a message in x->e.
const char *farm_address(struct context *x, const char *given);
// Opens the store. NULL with a message in x->e.
struct farm *farm_given(struct context *x, const char *given);
// Returns host and job: "node7 slurm 1234_5", "node7 4711".
const char *farm_owner_name(struct arena *a);

// Runs `farm regress add CASE...`; the cases are x->words from the second on.
int farm_regress_add_cases(struct context *x, const char *store, const char *target);

extern const struct command cmd_farm_init, cmd_farm_work, cmd_farm_status, cmd_farm_buckets,
    cmd_farm_missing, cmd_farm_pull, cmd_farm_push, cmd_farm_stream, cmd_farm_bucket,
    cmd_farm_known, cmd_farm_regress, cmd_farm_prune;

#endif
