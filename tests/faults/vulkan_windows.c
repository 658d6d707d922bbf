// SPDX-License-Identifier: Apache-2.0
//
// A vulkan-1.dll for Wine that crashes as it compiles a compute shader; all else is Wine's own.
#include <stdint.h>
#include <string.h>
#include <windows.h>

typedef void (*function)(void);
typedef function(WINAPI *find)(void *, const char *);

static find instance_find, device_find;

static int WINAPI crash(void *device, void *cache, unsigned n)
{
    *(volatile unsigned *)(uintptr_t)(device && cache ? 8 : 16) = n;
    return 0;
}

static function WINAPI find_in_device(void *device, const char *name)
{
    return strcmp(name, "vkCreateComputePipelines") == 0 ? (function)(void *)crash : device_find(device, name);
}

__declspec(dllexport) function WINAPI vkGetInstanceProcAddr(void *instance, const char *name)
{
    if (!instance_find)
        instance_find = (find)(void *)GetProcAddress(LoadLibraryA("winevulkan.dll"), "vkGetInstanceProcAddr");
    function f = instance_find(instance, name);
    if (strcmp(name, "vkGetDeviceProcAddr") != 0)
        return f;
    device_find = (find)(void *)f;
    return (function)(void *)find_in_device;
}
