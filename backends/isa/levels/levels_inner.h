// SPDX-License-Identifier: Apache-2.0
//
// Private to backends/isa/levels/.
#ifndef TF_LEVELS_INNER_H
#define TF_LEVELS_INNER_H

#include "isa/isa_text.h"
#include "levels.h"
#include "nir/nir.h"

// levels_read for LEVELS_NIR.
bool levels_read_nir(struct arena *a, const char *dump, struct levels *out, struct err *e);

// The dialect of NIR in a dump. False: the user has not named the driver.
bool levels_dialect(const struct levels *l, enum nir_driver *out);

#endif
