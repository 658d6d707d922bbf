// SPDX-License-Identifier: Apache-2.0
//
// What image.c and image_lod.c say to each other.
#ifndef TF_ORACLE_IMAGE_H
#define TF_ORACLE_IMAGE_H

#include "float.h"

// A descriptor of a lane.
struct bound {
    uint32_t object, element;
    const struct buffer_state *state;
};

// The levels of which a lane's sample reads one, of a sampled image: one, where the specification
// does not leave it open (R11). False where nothing is known. Of an implicit one the quad is in the
// tangle.
struct levels {
    uint32_t first, last;
};
bool image_levels(const struct machine *m, const struct inst *i, uint32_t lane,
                  const struct bound *image, const struct bound *sampler, struct levels *out);

#endif
