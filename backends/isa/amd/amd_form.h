// SPDX-License-Identifier: Apache-2.0
//
// The rows of ops.def by their names, and what an instruction's row requires of its operands. For
// the readers of this room; private to backends/isa/.
#ifndef TF_AMD_FORM_H
#define TF_AMD_FORM_H

#include "program.h"

// Finds the row of a mnemonic, without its encoding suffix: sets in->id, and in->exec for
// v_cmpx_.... These and v_dual_... use the rows of v_cmp_... and v_....
bool amd_name_find(const char *s, size_t n, struct amd_inst *in);

// Does an operand have the kind and the number of registers of its type?
bool amd_operand_fits(const struct amd_program *p, const struct amd_inst *in,
                      const struct amd_operand *o, bool dst);
// Adds an operand that the text may omit. False with *why filled: another number of operands,
// kinds that do not go together, or a modifier that the operation does not support.
bool amd_inst_fits(const struct amd_program *p, struct amd_inst *in, struct isa_result *why);

#endif
