// SPDX-License-Identifier: Apache-2.0
//
// Finds Vulkan's loader, a library of the machine.
#include "vk.h"

#include <dlfcn.h>
#include <stdlib.h>

bool vk_loader(void)
{
    if (volkInitialize() == VK_SUCCESS)
        return true;
    const char *file = getenv(VK_LOADER_VARIABLE);
    void *library = file ? dlopen(file, RTLD_NOW | RTLD_LOCAL) : NULL;
    PFN_vkGetInstanceProcAddr get = NULL;
    if (library)
        *(void **)&get = dlsym(library, "vkGetInstanceProcAddr");
    if (get)
        volkInitializeCustom(get);
    return get != NULL;
}
