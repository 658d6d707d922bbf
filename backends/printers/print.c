// SPDX-License-Identifier: Apache-2.0
//
// The table of languages.
#include "print_inner.h"

#include <string.h>

static const struct {
    const char *name;
    bool (*print)(const struct form *f, struct text *out, struct err *e);
    bool images; // supports images, derivatives and fragment shaders
} languages[PRINT_LANGUAGES] = {
    [PRINT_LLVM] = {"llvm", print_llvm},
    [PRINT_LLVM_AMDGCN] = {"llvm-amdgcn", print_llvm_amdgcn},
    [PRINT_LLVM_NVPTX] = {"llvm-nvptx", print_llvm_nvptx},
    [PRINT_LLVM_BARE] = {"llvm-no-tokens", print_llvm_bare},
    [PRINT_LLVM_AMDGCN_BARE] = {"llvm-amdgcn-no-tokens", print_llvm_amdgcn_bare},
    [PRINT_LLVM_NVPTX_BARE] = {"llvm-nvptx-no-tokens", print_llvm_nvptx_bare},
    [PRINT_HLSL] = {"hlsl", print_hlsl},
    [PRINT_HLSL_PLAIN] = {"hlsl-plain", print_hlsl_plain},
    [PRINT_GLSL] = {"glsl", print_glsl, true},
    [PRINT_WGSL] = {"wgsl", print_wgsl},
    [PRINT_OPENCL] = {"opencl", print_opencl},
    [PRINT_OPENCL_PLAIN] = {"opencl-plain", print_opencl_plain},
    [PRINT_PTX] = {"ptx", print_ptx},
    [PRINT_PTX_SM75] = {"ptx-sm75", print_ptx_sm75},
};

bool print_language_find(const char *name, enum print_language *out, struct err *e)
{
    char known[220] = "";
    for (int i = 0; i < PRINT_LANGUAGES; i++) {
        if (strcmp(languages[i].name, name) == 0) {
            *out = (enum print_language)i;
            return true;
        }
        size_t n = strlen(known);
        snprintf(known + n, sizeof known - n, "%s%s", i ? ", " : "", languages[i].name);
    }
    return err_set(e, "'%s' is not a language that can be printed; use one of: %s", name, known);
}

// Without its derivative group, a module's quads would be different ones.
static bool has_words(const struct form *f, enum print_language l, struct err *e)
{
    if (languages[l].images)
        return true;
    if (f->fragment)
        return form_refuse(f, f->entry, "an entry point that is not GLCompute", e);
    if (f->opaque.n)
        return form_refuse(f, f->opaque.v[0], "images and samplers", e);
    return !f->derivatives || form_refuse(f, 0, "groups of derivatives in a compute shader", e);
}

static bool print(struct arena *a, enum print_language l, const uint32_t *words, size_t count,
                  const struct form *also, uint32_t subgroup, struct text *out, uint32_t *at,
                  struct err *e)
{
    struct form f;
    bool ok = form_read(a, words, count, subgroup, &f, e);
    f.also = also;
    if (ok && has_words(&f, l, e) && languages[l].print(&f, out, e))
        return true;
    char prefix[32];
    snprintf(prefix, sizeof prefix, "not printed as %s", languages[l].name);
    err_prefix(e, "%s", prefix);
    if (at)
        *at = *f.refused;
    return false;
}

bool print_module(struct arena *a, enum print_language l, const uint32_t *words, size_t count,
                  uint32_t subgroup, struct text *out, uint32_t *at, struct err *e)
{
    return print(a, l, words, count, NULL, subgroup, out, at, e);
}

bool print_compared(struct arena *a, enum print_language l, const struct print_words *m,
                    const struct print_words *with, uint32_t subgroup, struct text *out)
{
    struct form other;
    const bool read = form_read(a, with->v, with->n, subgroup, &other, NULL);
    return print(a, l, m->v, m->n, read ? &other : NULL, subgroup, out, NULL, NULL);
}

uint32_t print_buffers(struct arena *a, const uint32_t *words, size_t count,
                       struct print_buffer **out)
{
    struct form f;
    *out = NULL;
    if (!form_read(a, words, count, 0, &f, NULL))
        return 0;
    *out = ARENA_ARRAY(a, struct print_buffer, f.buffers.n);
    for (size_t i = 0; i < f.buffers.n; i++)
        (*out)[i] = (struct print_buffer){arena_printf(a, "buffer.%s", f.buffers.v[i].name),
                                          f.buffers.v[i].set, f.buffers.v[i].binding};
    return (uint32_t)f.buffers.n;
}
