// SPDX-License-Identifier: Apache-2.0
#ifndef TF_PRINTERS_FORM_LOOPS_H
#define TF_PRINTERS_FORM_LOOPS_H

#include "form.h"

// Fills loop_of and loop_around. False if a loop is entered by diverged edges.
bool form_loops(struct form *f, struct err *e);

#endif
