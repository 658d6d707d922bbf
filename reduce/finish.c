// SPDX-License-Identifier: Apache-2.0
//
// Cleans up an edited module and converts it to words, with ids renumbered in order of appearance.
// So equal edits produce equal words, and ids do not grow with every edit.
#include "edit.h"

bool edit_finish(struct spv_edit *e)
{
    if (!cleanup(e))
        return false;
    spv_edit_write(e, true);
    return true;
}
