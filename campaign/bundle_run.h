// SPDX-License-Identifier: Apache-2.0
//
// Runs the commands of a bundle's README (report/commands.h) as a reader would: by /bin/sh, in a
// folder of their own. PATH begins with a folder in which `tanglefuzz` is this program, then the
// tools that are here (run_path).
#ifndef TF_CAMPAIGN_BUNDLE_RUN_H
#define TF_CAMPAIGN_BUNDLE_RUN_H

#include "report/commands.h"

struct bundle_run; // the state of a runner

// Prepares a runner for a finding's target. `self`: this program. `given`: the same target as the
// user named it, with its folders; NULL: not named. Commands that start the target run only if a
// folder may choose it (run_harmless) or `given` names it. False with a message: `given` is another
// target, or no temporary folder can be made. End it with bundle_run_end.
bool bundle_run_start(struct arena *a, const char *self, const char *target, const char *given,
                      struct command_runner *out, struct err *e);
void bundle_run_end(struct command_runner *r);

#endif
