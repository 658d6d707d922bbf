// SPDX-License-Identifier: Apache-2.0
//
// What the files of farm share among themselves.
#ifndef TF_FARM_PARTS_H
#define TF_FARM_PARTS_H

#include "farm.h"
#include "farm_pq.h"

struct farm {
    struct pq *pq;
};

// Runs one of protocol.sql's functions; `types` has a letter for each argument: s text, j json_t
// (taken over), i int64_t, u uint64_t, d double. Texts may be NULL. The answer is the caller's.
bool farm_call(struct farm *f, json_t **out, struct err *e, const char *function, const char *types,
               ...);
// The same where the answer is a bool.
bool farm_ask(struct farm *f, bool *out, struct err *e, const char *function, const char *types,
              ...);

const char *farm_text(struct arena *a, const json_t *o, const char *key); // "" where there is none
uint64_t farm_number(const json_t *o, const char *key);
// {name, signature, class, sentence}
json_t *farm_signature(struct arena *a, const struct diag_signature *s);

#endif
