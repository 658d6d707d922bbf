// SPDX-License-Identifier: Apache-2.0
//
// The interface between image.c and image_lod.c.
#ifndef TF_ORACLE_IMAGE_H
#define TF_ORACLE_IMAGE_H

#include "float.h"

// The descriptor that a lane uses.
struct bound {
    uint32_t object, element;
    const struct buffer_state *state;
};

// Returns the range of levels that a lane's sample may read; one level unless the specification
// leaves it open (R11). False if the level is unknown. For an implicit LOD the quad must be in the
// tangle.
struct levels {
    uint32_t first, last;
};
bool image_levels(const struct machine *m, const struct inst *i, uint32_t lane,
                  const struct bound *image, const struct bound *sampler, struct levels *out);

#endif
