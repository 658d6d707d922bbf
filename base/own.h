// SPDX-License-Identifier: Apache-2.0
//
// What the program names itself, inside a folder that was given to it.
#ifndef TF_BASE_OWN_H
#define TF_BASE_OWN_H

#include "base.h"

#include <stdio.h>

// Makes the folder and those above it; fine when it is there already. False, with a line, where a
// link or anything else than a folder has its name: that would lead out of the folder that was
// given.
bool own_dir(const char *path, struct err *e);

// Opens a file to add to its end, made where it is not there. NULL, with a line, for what is no
// regular file: a link, a pipe, a device.
FILE *own_append(const char *path, struct err *e);

#endif
