// SPDX-License-Identifier: Apache-2.0
//
// Reads the arguments CASE... of a command line: the files they name.
#ifndef TF_CAMPAIGN_CASELIST_H
#define TF_CAMPAIGN_CASELIST_H

#include "base/base.h"

struct caselist {
    const char **v;
    size_t n, cap;
};
// Keeps files as given; replaces a folder by all *.spvasm below it, sorted by name. False with a
// message for an argument that does not exist, or a folder without cases.
bool caselist_read(struct arena *a, char **words, uint32_t n, struct caselist *out, struct err *e);

#endif
