// SPDX-License-Identifier: Apache-2.0
//
// NVK.
#include "nir_machine.h"

bool nir_nvk_place(struct nir_machine *m)
{
    return isa_refuse(m->out, ISA_UNSUPPORTED, 0, "NVK's NIR");
}

bool nir_nvk_value(struct nir_machine *m, struct nir_wave *w, const struct nir_inst *in)
{
    (void)w;
    return isa_refuse(m->out, ISA_UNSUPPORTED, in->line, "%s", nir_ops[in->id].name);
}
