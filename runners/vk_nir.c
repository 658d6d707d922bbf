// SPDX-License-Identifier: Apache-2.0
//
// The Mesa drivers whose last NIR the machine in backends/isa/nir/ runs.
#include "vk.h"

#include <string.h>

static const struct vk_nir drivers[] = {
    {VENDOR_QUALCOMM, "turnip", NIR_TURNIP, "Final NIR"},
    {VENDOR_AMD, "radv", NIR_RADV, "NIR Shader(s)"},
    {VENDOR_NVIDIA, "NVK", NIR_NVK, "NIR shader"},
    {VENDOR_INTEL, "Intel open-source Mesa driver", NIR_ANV, "Final NIR"},
    {VENDOR_MESA, "Honeykrisp", NIR_HONEYKRISP, NULL}, // printed on standard output
    {VENDOR_ARM, "panvk", NIR_PANVK, "NIR shader"},
    {VENDOR_BROADCOM, "V3DV Mesa", NIR_V3DV, "NIR (MESA_SHADER_COMPUTE)"},
    {VENDOR_IMAGINATION, "Imagination open-source Mesa driver", NIR_POWERVR, "Final NIR shader IR"},
};

const struct vk_nir *vk_nir_known(const struct run_info *info, struct err *e)
{
    for (size_t i = 0; i < sizeof drivers / sizeof *drivers; i++)
        if (info->vendor_id == drivers[i].vendor &&
            strncmp(info->driver, drivers[i].name, strlen(drivers[i].name)) == 0)
            return &drivers[i];
    err_set(e,
            "isa:nir: the NIR of '%.100s' is not supported (that of Turnip, RADV, NVK, "
            "Honeykrisp, ANV, PanVK, v3dv and PowerVR is)",
            info->device);
    return NULL;
}
