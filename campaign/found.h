// SPDX-License-Identifier: Apache-2.0
//
// A finding's folder as an argument of a command.
#ifndef TF_CAMPAIGN_FOUND_H
#define TF_CAMPAIGN_FOUND_H

#include "store/finding.h"

// If `word` is a folder, sets *folder to it without a trailing slash and *path to the case in it;
// else NULL and `word`. False with a message if a folder contains no case.
bool found_case(struct arena *a, const char *word, const char **folder, const char **path,
                struct err *e);

// True if `word` is a campaign's folder.
bool found_campaign(struct arena *a, const char *word);

// Returns the last component of a path, without trailing slashes.
const char *found_name(struct arena *a, const char *path);

// Returns the name of what a reduction of the case at `path` reduces: the finding whose folder
// contains it, else the file.
const char *found_of(struct arena *a, const char *path);

// Reads the finding in a folder.
enum finding_read found_read(struct arena *a, const char *folder, struct finding *out,
                             struct err *e);

// Returns the target recorded in a finding's folder; NULL: none.
const char *found_recorded(struct arena *a, const char *folder);

// Returns the target for a command: `given`, else the finding's own. NULL with a message if there
// is none, or if the folder's target would run a program or load a library: the author of a folder
// may not decide that.
const char *found_target(struct arena *a, const char *word, const char *given, struct err *e);

#endif
