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

// The level that a lane's sample reads, of a sampled image; false where the specification leaves it open
// (R11). Of an implicit one the quad is in the tangle.
bool image_level(const struct machine *m, const struct inst *i, uint32_t lane, const struct bound *image,
                 const struct bound *sampler, uint32_t *level);

#endif
