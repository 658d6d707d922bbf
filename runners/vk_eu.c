// SPDX-License-Identifier: Apache-2.0
//
// Intel's machine code as text. ANV writes each shader's code to a file of the stub of the kernel's
// driver (scripts/lib/drm_stub.c), which keeps the last one in memory; Intel's disassembler, a
// library, prints it. ANV's own text omits regions and channels.
#define _GNU_SOURCE // RTLD_DEFAULT, strdup
#include "vk.h"

#include <dlfcn.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <unistd.h>

// A generation: the device ids of its GPUs, by their upper byte, and IGA's number for it.
#define XE(major, minor) ((uint32_t)(major) << 24 | (minor))
#define GEN(major)       ((uint32_t)(major) << 16)
static const struct {
    uint8_t ids; // upper byte of device ids
    uint32_t iga;
    enum eu_gen gen;
} generations[] = {
    {0x19, GEN(9), EU_GFX9},      {0x3e, GEN(9), EU_GFX9},      {0x9b, GEN(9), EU_GFX9},
    {0x59, GEN(9), EU_GFX9},      {0x8a, GEN(11), EU_GFX11},    {0x9a, XE(1, 0), EU_GFX12},
    {0x4c, XE(1, 0), EU_GFX12},   {0x46, XE(1, 0), EU_GFX12},   {0xa7, XE(1, 0), EU_GFX12},
    {0x56, XE(1, 2), EU_GFX12_5}, {0x7d, XE(1, 2), EU_GFX12_5}, {0x64, XE(2, 0), EU_XE2},
    {0xe2, XE(2, 0), EU_XE2},     {0xb0, XE(3, 0), EU_XE2},     {0xfd, XE(3, 0), EU_XE2},
};

// The library's interface, as its public header specifies it.
struct iga_context_options {
    size_t bytes;
    uint32_t gen;
};
struct iga_disassemble_options {
    uint32_t bytes, formatting, reserved[2], decoding, base_pc;
};
enum { IGA_HEX_FLOATS = 4 }; // a formatting option
struct vk_eu {
    void *library, *context;
    int (*code)(void); // of the stub: a file with the last shader's code, or -1
    int (*disassemble)(void *context, const struct iga_disassemble_options *, const void *code,
                       uint32_t size, const char *(*label)(int32_t, void *), void *label_context,
                       char **text);
};

bool vk_eu_known(const struct run_info *info, enum eu_gen *gen)
{
    for (size_t i = 0; i < sizeof generations / sizeof *generations; i++)
        if (info->device_id >> 8 == generations[i].ids) {
            *gen = generations[i].gen;
            return true;
        }
    return false;
}

static uint32_t iga_of(const struct run_info *info)
{
    for (size_t i = 0; i < sizeof generations / sizeof *generations; i++)
        if (info->device_id >> 8 == generations[i].ids)
            return generations[i].iga;
    return 0;
}

// Function `name` of a library as a pointer of any function type.
#define FIND(where, library, name) *(void **)&(where) = dlsym(library, name)

bool vk_eu_open(struct vk_device *d, struct err *e)
{
    const char *path = getenv("IGA_LIBRARY");
    struct vk_eu *eu = calloc(1, sizeof *eu);
    int (*create)(const struct iga_context_options *, void **) = NULL;
    const struct iga_context_options options = {sizeof options, iga_of(&d->info)};
    CHECK(eu);
    d->code.disassembler = eu;
    FIND(eu->code, RTLD_DEFAULT, "drm_stub_code");
    eu->library = path ? dlopen(path, RTLD_NOW | RTLD_LOCAL) : NULL;
    if (eu->library) {
        FIND(create, eu->library, "iga_context_create");
        FIND(eu->disassemble, eu->library, "iga_context_disassemble");
    }
    if (!eu->code || !create || !eu->disassemble)
        return err_set(e, "isa: Intel's disassembler (libiga64) or the stub of i915 is missing: "
                          "`scripts/drivers.sh get anv` downloads and builds them");
    if (create(&options, &eu->context) != 0)
        return err_set(e, "isa: Intel's disassembler does not know '%.100s'", d->info.device);
    return true;
}

void vk_eu_close(struct vk_device *d)
{
    struct vk_eu *eu = d->code.disassembler;
    if (eu && eu->library)
        dlclose(eu->library);
    free(eu);
    d->code.disassembler = NULL;
}

void vk_eu_heard(struct vk_device *d)
{
    struct vk_eu *eu = d->code.disassembler;
    const struct iga_disassemble_options options = {.bytes = sizeof options,
                                                    .formatting = IGA_HEX_FLOATS};
    const int fd = eu->code();
    struct stat s;
    char *text = NULL;
    free(d->code.text);
    d->code.text = NULL;
    if (fd < 0)
        return;
    void *code = fstat(fd, &s) == 0 && s.st_size > 0 && s.st_size < 1 << 26
                     ? mmap(NULL, (size_t)s.st_size, PROT_READ, MAP_PRIVATE, fd, 0)
                     : MAP_FAILED;
    close(fd);
    if (code == MAP_FAILED)
        return;
    // Padding and constants follow the program; an error in them does not matter.
    eu->disassemble(eu->context, &options, code, (uint32_t)s.st_size, NULL, NULL, &text);
    if (text) {
        d->code.text = strdup(text);
        CHECK(d->code.text);
    }
    munmap(code, (size_t)s.st_size);
}
