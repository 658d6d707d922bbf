// SPDX-License-Identifier: Apache-2.0
//
// What a reduction keeps in its folder, so that it can be stopped at any time:
//   reduced.spvasm  the smallest case so far, replaced whole each time
//   state.json      what it is a reduction of
//   end             how the last one ended: "1-minimal", "interrupted"
//   refused         hashes of the candidates that were asked about in vain
#ifndef TF_CAMPAIGN_REDUCTION_FILES_H
#define TF_CAMPAIGN_REDUCTION_FILES_H

#include "reduce/reduce.h"

struct reduction_files {
    const char *dir;
    const char *best; // reduced.spvasm
    FILE *refused;
    bool resumed;          // the folder was there: this goes on in it
    const uint64_t *known; // what was refused then
    size_t known_count;
};

// Makes f->dir, or goes on in it: then *start becomes the smallest so far. False where the folder
// holds another reduction or cannot be written.
bool reduction_files_open(struct reduction_files *f, struct arena *a, struct spv_tools *tools,
                          uint64_t hash, const char *target, const char *kind,
                          struct spv_case *start, struct err *e);
bool reduction_files_best(struct reduction_files *f, struct spv_tools *tools,
                          const struct spv_case *c, struct err *e);
void reduction_files_refused(struct reduction_files *f, uint64_t hash);
// It has come to its end.
bool reduction_files_end(struct reduction_files *f, struct arena *a, enum red_end end,
                         struct err *e);
// Was the folder's last reduction interrupted?
bool reduction_files_unfinished(struct arena *a, const char *dir);
void reduction_files_close(struct reduction_files *f);

#endif
