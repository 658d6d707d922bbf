// SPDX-License-Identifier: Apache-2.0
//
// The Vulkan loader, its layers and physical devices. Each failure has a one-line message.
#include "vk.h"

#include <stdlib.h>
#include <string.h>

static const char validation[] = "VK_LAYER_KHRONOS_validation";

const char *vk_result_name(VkResult r)
{
#define NAME(x)                                                                                    \
    case x:                                                                                        \
        return #x;
    switch (r) {
        NAME(VK_SUCCESS)
        NAME(VK_NOT_READY)
        NAME(VK_TIMEOUT)
        NAME(VK_INCOMPLETE)
        NAME(VK_ERROR_OUT_OF_HOST_MEMORY)
        NAME(VK_ERROR_OUT_OF_DEVICE_MEMORY)
        NAME(VK_ERROR_INITIALIZATION_FAILED)
        NAME(VK_ERROR_DEVICE_LOST)
        NAME(VK_ERROR_MEMORY_MAP_FAILED)
        NAME(VK_ERROR_LAYER_NOT_PRESENT)
        NAME(VK_ERROR_EXTENSION_NOT_PRESENT)
        NAME(VK_ERROR_FEATURE_NOT_PRESENT)
        NAME(VK_ERROR_INCOMPATIBLE_DRIVER)
        NAME(VK_ERROR_TOO_MANY_OBJECTS)
        NAME(VK_ERROR_FRAGMENTED_POOL)
        NAME(VK_ERROR_UNKNOWN)
        NAME(VK_ERROR_OUT_OF_POOL_MEMORY)
        NAME(VK_ERROR_FRAGMENTATION)
        NAME(VK_ERROR_INVALID_SHADER_NV)
        NAME(VK_ERROR_VALIDATION_FAILED_EXT)
        NAME(VK_PIPELINE_COMPILE_REQUIRED)
    default:
        return r < 0 ? "an error of an unknown VkResult" : "an unknown VkResult";
    }
#undef NAME
}

static VKAPI_ATTR VkBool32 VKAPI_CALL on_message(VkDebugUtilsMessageSeverityFlagBitsEXT severity,
                                                 VkDebugUtilsMessageTypeFlagsEXT types,
                                                 const VkDebugUtilsMessengerCallbackDataEXT *data,
                                                 void *user)
{
    struct vk_instance *v = user;
    const char *text = data->pMessage ? data->pMessage : "(no text)";
    if (!(severity & VK_DEBUG_UTILS_MESSAGE_SEVERITY_ERROR_BIT_EXT))
        return VK_FALSE;
    // The loader reports every driver that it cannot load. That only matters if no driver works.
    if (!(types & VK_DEBUG_UTILS_MESSAGE_TYPE_VALIDATION_BIT_EXT)) {
        if (!v->error[0]) // the first is the cause; later ones are consequences
            one_line(v->error, sizeof v->error, text, strlen(text));
    } else if (!v->complaint[0]) {
        size_t n = strlen(text);
        one_line(v->complaint, sizeof v->complaint, text, n < 490 ? n : 490);
    }
    return VK_FALSE;
}

static bool has_layer(const char *name)
{
    uint32_t n = 0;
    vkEnumerateInstanceLayerProperties(&n, NULL);
    VkLayerProperties *v = calloc(n + 1u, sizeof *v);
    CHECK(v);
    vkEnumerateInstanceLayerProperties(&n, v);
    bool found = false;
    for (uint32_t i = 0; i < n; i++)
        found |= strcmp(v[i].layerName, name) == 0;
    free(v);
    return found;
}

static bool has_extension(const char *layer, const char *name)
{
    uint32_t n = 0;
    vkEnumerateInstanceExtensionProperties(layer, &n, NULL);
    VkExtensionProperties *v = calloc(n + 1u, sizeof *v);
    CHECK(v);
    vkEnumerateInstanceExtensionProperties(layer, &n, v);
    bool found = false;
    for (uint32_t i = 0; i < n; i++)
        found |= strcmp(v[i].extensionName, name) == 0;
    free(v);
    return found;
}

static bool list_devices(struct vk_instance *v, struct arena *a, struct err *e)
{
    uint32_t n = 0;
    VkResult r = vkEnumeratePhysicalDevices(v->handle, &n, NULL);
    if (r == VK_SUCCESS && n > 0) {
        v->devices = ARENA_ARRAY(a, VkPhysicalDevice, n);
        r = vkEnumeratePhysicalDevices(v->handle, &n, v->devices);
        v->device_count = n;
    }
    if (r != VK_SUCCESS && r != VK_INCOMPLETE)
        return err_set(e, "cannot list the driver's devices: %s", vk_result_name(r));
    return true;
}

// Loads the loader and the drivers' libraries, but creates no device.
bool vk_instance_load(struct vk_instance *v, bool validate, struct err *e)
{
    if (!vk_loader())
        return err_set(e, "the Vulkan loader (libvulkan.so.1) is not installed (Debian's package "
                          "is libvulkan1)");
    if (!vkEnumerateInstanceVersion)
        return err_set(e, "the Vulkan loader only supports Vulkan 1.0; 1.1 is required");
    if (validate && !has_layer(validation))
        return err_set(e,
                       "the validation layer (%s) is not installed; "
                       "`scripts/drivers.sh get validation` downloads it",
                       validation);
    const char *extensions[2];
    uint32_t extension_count = 0;
    bool messages = has_extension(NULL, VK_EXT_DEBUG_UTILS_EXTENSION_NAME) ||
                    (validate && has_extension(validation, VK_EXT_DEBUG_UTILS_EXTENSION_NAME));
    bool portability = has_extension(NULL, VK_KHR_PORTABILITY_ENUMERATION_EXTENSION_NAME);
    if (messages)
        extensions[extension_count++] = VK_EXT_DEBUG_UTILS_EXTENSION_NAME;
    if (portability)
        extensions[extension_count++] = VK_KHR_PORTABILITY_ENUMERATION_EXTENSION_NAME;

    VkDebugUtilsMessengerCreateInfoEXT messenger = {
        .sType = VK_STRUCTURE_TYPE_DEBUG_UTILS_MESSENGER_CREATE_INFO_EXT,
        .messageSeverity = VK_DEBUG_UTILS_MESSAGE_SEVERITY_ERROR_BIT_EXT,
        .messageType = VK_DEBUG_UTILS_MESSAGE_TYPE_GENERAL_BIT_EXT |
                       VK_DEBUG_UTILS_MESSAGE_TYPE_VALIDATION_BIT_EXT,
        .pfnUserCallback = on_message,
        .pUserData = v,
    };
    VkApplicationInfo app = {
        .sType = VK_STRUCTURE_TYPE_APPLICATION_INFO,
        .pApplicationName = "tanglefuzz",
        .apiVersion = VK_API_VERSION_1_4,
    };
    const char *layers[] = {validation};
    VkInstanceCreateInfo info = {
        .sType = VK_STRUCTURE_TYPE_INSTANCE_CREATE_INFO,
        .pNext = messages ? &messenger : NULL,
        .flags = portability ? VK_INSTANCE_CREATE_ENUMERATE_PORTABILITY_BIT_KHR : 0u,
        .pApplicationInfo = &app,
        .enabledLayerCount = validate,
        .ppEnabledLayerNames = layers,
        .enabledExtensionCount = extension_count,
        .ppEnabledExtensionNames = extensions,
    };
    VkResult r = vkCreateInstance(&info, NULL, &v->handle);
    // Drivers report the version they support, but SwiftShader refuses a newer Vulkan than its own.
    if (r == VK_ERROR_INCOMPATIBLE_DRIVER) {
        app.apiVersion = VK_API_VERSION_1_3;
        r = vkCreateInstance(&info, NULL, &v->handle);
    }
    if (r == VK_ERROR_INCOMPATIBLE_DRIVER)
        return err_set(e, "no Vulkan driver could be loaded%s%s",
                       v->error[0] ? "; the loader reports: " : "", v->error);
    if (r == VK_ERROR_OUT_OF_HOST_MEMORY && !v->error[0])
        return err_set(
            e,
            "cannot create a Vulkan instance: %s (an ICD file that is not JSON also causes this)",
            vk_result_name(r));
    if (r != VK_SUCCESS)
        return err_set(e, "cannot create a Vulkan instance: %s%s%s", vk_result_name(r),
                       v->error[0] ? ": " : "", v->error);
    volkLoadInstanceOnly(v->handle);
    if (validate && messages)
        vkCreateDebugUtilsMessengerEXT(v->handle, &messenger, NULL, &v->messenger);
    return true;
}

bool vk_instance_open(struct vk_instance *v, struct arena *a, bool validate, struct err *e)
{
    return vk_instance_load(v, validate, e) && list_devices(v, a, e);
}

void vk_instance_close(struct vk_instance *v)
{
    if (v->messenger)
        vkDestroyDebugUtilsMessengerEXT(v->handle, v->messenger, NULL);
    if (v->handle)
        vkDestroyInstance(v->handle, NULL);
}
