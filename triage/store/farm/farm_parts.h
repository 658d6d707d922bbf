// SPDX-License-Identifier: Apache-2.0
//
// Shared by the files of farm.
#ifndef TF_FARM_PARTS_H
#define TF_FARM_PARTS_H

#include "farm.h"
#include "farm_pq.h"

#include "store/backend.h"

extern const struct store_backend farm_store_backend; // farm_store.c

struct farm {
    struct store store; // the first member
    struct pq *pq;
};

// Calls a function of protocol.sql; `types` has a letter for each argument: s text, j json_t (the
// call releases it), i int64_t, u uint64_t, d double. Texts may be NULL. The caller releases *out.
bool farm_call(struct farm *f, json_t **out, struct err *e, const char *function, const char *types,
               ...);
// The same for a function that returns a bool.
bool farm_ask(struct farm *f, bool *out, struct err *e, const char *function, const char *types,
              ...);

const char *farm_text(struct arena *a, const json_t *o, const char *key); // "" without the key
uint64_t farm_number(const json_t *o, const char *key);
// {name, signature, class, sentence}
json_t *farm_signature(struct arena *a, const struct diag_signature *s);

#endif
