// SPDX-License-Identifier: Apache-2.0
//
// The variables by which Mesa's drivers print the code of a shader.
#include "runners.h"
#include "vk.h"

#include <string.h>

// levels: the code after each pass is printed, which backends/isa/levels/ reads; it is for compute
// shaders. Of the other variables, `cs` is the stage.
static const struct {
    const char *driver, *variable;
    bool levels;
} rows[] = {
    {"nvk", "NAK_DEBUG=print", true},
    {"turnip", "IR3_SHADER_DEBUG=cs,optmsgs", true},
    {"radv", "RADV_DEBUG=shaders,preoptir", true},
    {"anv", "INTEL_DEBUG=cs", true},
    {"hasvk", "INTEL_DEBUG=cs", false},
    {"honeykrisp", "AGX_MESA_DEBUG=shaders,nopromote", true},
    {"lavapipe", "GALLIVM_DEBUG=ir", true},
    {"panvk", "BIFROST_MESA_DEBUG=shaders", true},
    {"v3dv", "V3D_DEBUG=cs", true},
    {"powervr", "PCO_DEBUG_PRINT=cs,passes,nir", true},
};

void vk_levels_env(struct arena *a, struct vk_lines *env)
{
    for (size_t i = 0; i < sizeof rows / sizeof *rows; i++)
        if (rows[i].levels)
            *VEC_PUSH(a, env) = rows[i].variable;
    *VEC_PUSH(a, env) = "NIR_DEBUG=print_cs"; // a debug build's
}

const char *run_dump_variable(const char *driver)
{
    for (size_t i = 0; driver && i < sizeof rows / sizeof *rows; i++) {
        const size_t n = strlen(rows[i].driver);
        if (strncmp(driver, rows[i].driver, n) == 0 && (!driver[n] || driver[n] == '-'))
            return rows[i].variable;
    }
    return NULL;
}
