// SPDX-License-Identifier: Apache-2.0
//
// A finding's folder as a command's word.
#ifndef TF_CAMPAIGN_FOUND_H
#define TF_CAMPAIGN_FOUND_H

#include "store/finding.h"

// A finding's folder -> it, without a slash after it, and the case in it; any other word -> NULL
// and the word. False where a folder holds no case.
bool found_case(struct arena *a, const char *word, const char **folder, const char **path,
                struct err *e);

// Is the word a campaign's folder?
bool found_campaign(struct arena *a, const char *word);

// The last name of a path, without slashes after it.
const char *found_name(struct arena *a, const char *path);

// What a reduction of the case at `path` is of: the name of the finding whose folder it is in, else
// the file's.
const char *found_of(struct arena *a, const char *path);

// The finding in a folder, given by its path.
enum finding_read found_read(struct arena *a, const char *folder, struct finding *out,
                             struct err *e);

// The target that a finding's folder names; NULL: none.
const char *found_said(struct arena *a, const char *folder);

// The target that a command is about: `given`, else the one that the finding's folder names. NULL
// with a line: there is none, or the folder's would run a program or load a library of its choice,
// which who made the folder may not decide.
const char *found_target(struct arena *a, const char *word, const char *given, struct err *e);

#endif
