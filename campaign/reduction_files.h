// SPDX-License-Identifier: Apache-2.0
//
// The files of a reduction's folder, written so that it can be stopped at any time:
//   reduced.spvasm  the smallest case so far, replaced atomically
//   state.json      what is reduced: case, target, class, version
//   end             how the last run ended: "1-minimal", "interrupted"
//   refused         hashes of the candidates that did not show the bug
#ifndef TF_CAMPAIGN_REDUCTION_FILES_H
#define TF_CAMPAIGN_REDUCTION_FILES_H

#include "reduce/reduce.h"

struct reduction_files {
    const char *dir;
    const char *best; // reduced.spvasm
    FILE *refused;
    bool resumed;          // the folder existed: the reduction continues
    const uint64_t *known; // contents of `refused` from earlier runs
    size_t known_count;
};

// Creates f->dir, or continues in it: then *start becomes the smallest case so far. False with a
// message if the folder holds another reduction or cannot be written.
bool reduction_files_open(struct reduction_files *f, struct arena *a, struct spv_tools *tools,
                          uint64_t hash, const char *target, const char *kind,
                          struct spv_case *start, struct err *e);
bool reduction_files_best(struct reduction_files *f, struct spv_tools *tools,
                          const struct spv_case *c, struct err *e);
void reduction_files_refused(struct reduction_files *f, uint64_t hash);
// Records how the run ended.
bool reduction_files_end(struct reduction_files *f, struct arena *a, enum red_end end,
                         struct err *e);
// True if the last reduction in the folder was interrupted.
bool reduction_files_unfinished(struct arena *a, const char *dir);
void reduction_files_close(struct reduction_files *f);

#endif
