// SPDX-License-Identifier: Apache-2.0
//
// Files and folders with names that the program chooses, inside a folder that the user named.
#ifndef TF_BASE_OWN_H
#define TF_BASE_OWN_H

#include "base.h"

#include <stdio.h>

// Makes a folder and its parents; it may exist already. False with a message in `e` if `path` is a
// link, which would lead out of the user's folder, or anything else that is not a folder. Its
// parents may be links.
bool own_dir(const char *path, struct err *e);

// Opens a file for appending and creates it if needed. NULL with a message in `e` if the path is
// not a regular file: a link, a pipe, a device.
FILE *own_append(const char *path, struct err *e);

#endif
