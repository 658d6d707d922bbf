// SPDX-License-Identifier: Apache-2.0
//
// Loads Intel's disassembler; the interface is that of its public header.
#include "iga.h"

#include <dlfcn.h>
#include <stdlib.h>

struct iga_context_options {
    size_t bytes;
    uint32_t gen;
};
struct iga_disassemble_options {
    uint32_t bytes, formatting, reserved[2], decoding, base_pc;
};
enum { IGA_HEX_FLOATS = 4 }; // a formatting option

struct iga {
    void *library, *context;
    int (*disassemble)(void *context, const struct iga_disassemble_options *, const void *code,
                       uint32_t size, const char *(*label)(int32_t, void *), void *label_context,
                       char **text);
    int (*disassemble_one)(void *context, const struct iga_disassemble_options *, const void *code,
                           const char *(*label)(int32_t, void *), void *label_context, char **text);
};

// Function `name` of a library as a pointer of any function type.
#define FIND(where, library, name) *(void **)&(where) = dlsym(library, name)

struct iga *iga_open(const char *path, uint32_t generation, bool *loaded)
{
    struct iga *iga = mem_new(sizeof *iga);
    int (*create)(const struct iga_context_options *, void **) = NULL;
    const struct iga_context_options options = {sizeof options, generation};
    iga->library = path ? dlopen(path, RTLD_NOW | RTLD_LOCAL) : NULL;
    if (iga->library) {
        FIND(create, iga->library, "iga_context_create");
        FIND(iga->disassemble, iga->library, "iga_context_disassemble");
        FIND(iga->disassemble_one, iga->library, "iga_context_disassemble_instruction");
    }
    *loaded = create && iga->disassemble && iga->disassemble_one;
    if (*loaded && create(&options, &iga->context) == 0)
        return iga;
    iga_close(iga);
    return NULL;
}

void iga_close(struct iga *iga)
{
    if (iga && iga->library)
        dlclose(iga->library);
    free(iga);
}

const char *iga_text(struct iga *iga, const void *code, uint32_t size)
{
    const struct iga_disassemble_options options = {.bytes = sizeof options,
                                                    .formatting = IGA_HEX_FLOATS};
    char *text = NULL;
    iga->disassemble(iga->context, &options, code, size, NULL, NULL, &text);
    return text;
}

const char *iga_instruction(struct iga *iga, const void *code)
{
    const struct iga_disassemble_options options = {.bytes = sizeof options,
                                                    .formatting = IGA_HEX_FLOATS};
    char *text = NULL;
    return iga->disassemble_one(iga->context, &options, code, NULL, NULL, &text) == 0 ? text : NULL;
}
