// SPDX-License-Identifier: Apache-2.0
//
// A finding's folder as a command's word.
#ifndef TF_APP_FOUND_H
#define TF_APP_FOUND_H

#include "base/base.h"

// A finding's folder -> it, without a slash behind it, and the case in it; any other word -> NULL and the word. False where
// a folder holds no case.
bool found_case(struct arena *a, const char *word, const char **folder, const char **path, struct err *e);

// The target that its finding.json names; NULL for another word.
const char *found_target(struct arena *a, const char *word);

#endif
