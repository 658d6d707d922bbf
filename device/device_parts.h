// SPDX-License-Identifier: Apache-2.0
//
// The files of tanglefuzz-device:
//
//   device.c         the command line
//   device_serve.c   one connection: frames in, frames out
//   device_stubs.c   the parts of the Vulkan backend that it does without
//   system_*.c       the system
#ifndef TF_DEVICE_PARTS_H
#define TF_DEVICE_PARTS_H

#include "vk.h"

// What the device program does with a case.
struct device_use {
    bool compiles; // creates its pipeline only
    bool nir;      // answers with the last NIR of Mesa's driver
    bool dump;     // answers with what the driver prints while it compiles
};

// Serves the connection that the system started until it ends. `token`: what the other side must
// know; NULL: nothing. Does not return.
TF_NORETURN void device_serve(const struct vk_spec *spec, const struct device_use *use,
                              const char *token);

#endif
