// SPDX-License-Identifier: Apache-2.0
//
// What a reduction keeps in its folder, so that it can be stopped at any time:
//   reduced.spvasm  the smallest case so far, replaced whole each time
//   state.json      what it is a reduction of
//   refused         hashes of the candidates that were asked about in vain
#ifndef TF_APP_REDUCE_FILES_H
#define TF_APP_REDUCE_FILES_H

#include "spirv/spirv.h"

struct reduce_files {
    const char *input, *dir, *best;
    FILE *refused;
};

// The words of the command line -> the files. False with a line.
bool files_find(struct arena *a, const char *word, const char *out, struct reduce_files *f,
                struct err *e);
// Makes the folder, or goes on in it: then *start is the smallest so far and *known what
// was refused. False where the folder holds another reduction or cannot be written.
bool files_open(struct reduce_files *f, struct arena *a, struct spv_tools *tools, uint64_t hash,
                const char *target, const char *kind, struct spv_case *start,
                const uint64_t **known, size_t *known_count, struct err *e);
bool files_best(struct reduce_files *f, struct spv_tools *tools, const struct spv_case *c,
                struct err *e);
void files_refused(struct reduce_files *f, uint64_t hash);
void files_close(struct reduce_files *f);

#endif
