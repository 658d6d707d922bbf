// SPDX-License-Identifier: Apache-2.0
//
// Intel's machine code as text. ANV writes each shader's code to a file of the stub of the kernel's
// driver (scripts/lib/drm_stub.c), which keeps the last one in memory; Intel's disassembler, a
// library, prints it. ANV's own text omits regions and channels.
#define _GNU_SOURCE // RTLD_DEFAULT, strdup
#include "iga.h"
#include "vk.h"

#include <dlfcn.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

// A generation: the device ids of its GPUs, by their upper byte, and IGA's number for it.
static const struct {
    uint8_t ids; // upper byte of device ids
    uint32_t iga;
    enum eu_gen gen;
} generations[] = {
    {0x19, IGA_GEN(9), EU_GFX9},      {0x3e, IGA_GEN(9), EU_GFX9},
    {0x9b, IGA_GEN(9), EU_GFX9},      {0x59, IGA_GEN(9), EU_GFX9},
    {0x8a, IGA_GEN(11), EU_GFX11},    {0x9a, IGA_XE(1, 0), EU_GFX12},
    {0x4c, IGA_XE(1, 0), EU_GFX12},   {0x46, IGA_XE(1, 0), EU_GFX12},
    {0xa7, IGA_XE(1, 0), EU_GFX12},   {0x56, IGA_XE(1, 2), EU_GFX12_5},
    {0x7d, IGA_XE(1, 2), EU_GFX12_5}, {0x64, IGA_XE(2, 0), EU_XE2},
    {0xe2, IGA_XE(2, 0), EU_XE2},     {0xb0, IGA_XE(3, 0), EU_XE2},
    {0xfd, IGA_XE(3, 0), EU_XE2},
};

struct vk_eu {
    struct iga *iga;
    struct iga_lines *lines;
    int (*code)(void); // of the stub: a file with the last shader's code, or -1
    char *v;           // the code
    size_t size;       // bytes that fit there
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

bool vk_eu_open(struct vk_device *d, struct err *e)
{
    struct vk_eu *eu = mem_new(sizeof *eu);
    bool loaded;
    d->code.disassembler = eu;
    *(void **)&eu->code = dlsym(RTLD_DEFAULT, "drm_stub_code");
    eu->iga = iga_open(getenv("IGA_LIBRARY"), iga_of(&d->info), &loaded);
    if (!eu->code || !loaded)
        return err_set(e, "isa: Intel's disassembler (libiga64) or the stub of i915 is missing: "
                          "`scripts/drivers.sh get anv` downloads and builds them");
    if (!eu->iga)
        return err_set(e, "isa: Intel's disassembler does not know '%.100s'", d->info.device);
    eu->lines = iga_lines_new(eu->iga, d->code.eu_gen < EU_GFX12 ? IGA_GFX9
                                       : d->code.eu_gen < EU_XE2 ? IGA_GFX12
                                                                 : IGA_XE2);
    return true;
}

void vk_eu_close(struct vk_device *d)
{
    struct vk_eu *eu = d->code.disassembler;
    if (eu) {
        iga_lines_free(eu->lines);
        iga_close(eu->iga);
        free(eu->v);
    }
    free(eu);
    d->code.disassembler = NULL;
}

// Reads the code of the last shader. Returns its size; 0: there is none.
static uint32_t code_read(struct vk_eu *eu)
{
    const int fd = eu->code();
    struct stat s;
    if (fd < 0)
        return 0;
    size_t n = fstat(fd, &s) == 0 && s.st_size > 0 && s.st_size < 1 << 26 ? (size_t)s.st_size : 0;
    if (n > eu->size) {
        free(eu->v);
        eu->v = malloc(2 * n);
        CHECK(eu->v);
        eu->size = 2 * n;
    }
    if (n && pread(fd, eu->v, n, 0) != (ssize_t)n)
        n = 0;
    close(fd);
    return (uint32_t)n;
}

void vk_eu_heard(struct vk_device *d)
{
    struct vk_eu *eu = d->code.disassembler;
    const uint32_t n = code_read(eu);
    // The machine ignores marks of the scoreboard; a text that is shown must have them.
    const char *text = n && !d->driver_text ? iga_lines_text(eu->lines, eu->v, n) : NULL;
    if (n && !text)
        text = iga_text(eu->iga, eu->v, n);
    free(d->code.text);
    d->code.text = text ? strdup(text) : NULL;
    CHECK(!text || d->code.text);
}
