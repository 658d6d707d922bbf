// SPDX-License-Identifier: Apache-2.0
//
// The words CASE... of a command line -> the files they mean.
#ifndef TF_CAMPAIGN_CASELIST_H
#define TF_CAMPAIGN_CASELIST_H

#include "base/base.h"

struct caselist {
    const char **v;
    size_t n, cap;
};
// Files as they are; of folders all *.spvasm below them, in the order of their
// names. False with a line about a word that is neither, or a folder without any.
bool caselist_read(struct arena *a, char **words, uint32_t n, struct caselist *out, struct err *e);

#endif
