// SPDX-License-Identifier: Apache-2.0
//
// A changed module as words: tidied, its ids numbered as they appear. So two edits that
// come to the same give the same words, and ids do not grow with every edit.
#include "edit.h"

bool edit_finish(struct spv_edit *e)
{
    if (!tidy(e))
        return false;
    spv_edit_write(e, true);
    return true;
}
