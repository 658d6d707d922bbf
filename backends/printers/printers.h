// SPDX-License-Identifier: Apache-2.0
//
// printers: a structured compute module -> the same program in another language.
//
// Printing starts from SPIR-V words, ours or anybody's, so the observation log, the
// layout of memory and the names are those of the module, the oracle's answer for the
// words is the answer for the text, and whatever makes or shrinks modules (choices,
// mutants, reducers) works for every language. What a language cannot say is refused
// with the reason; nothing is approximated.
#ifndef TF_PRINTERS_H
#define TF_PRINTERS_H

#include "base/base.h"
#include "spirv/spirv.h"

enum print_language {
    PRINT_LLVM, // LLVM IR with convergence tokens, for the SPIR-V target (backends/printers/llvm.c)
    PRINT_LLVM_AMDGCN, // the same for AMD's back end, with its own intrinsics
                       // (backends/printers/llvm_target.c)
    PRINT_LLVM_NVPTX,  // and for NVIDIA's
    PRINT_HLSL,        // for clang: wave builtins, vk::binding (backends/printers/clike.c)
    PRINT_HLSL_PLAIN,  // the same with HLSL's own intrinsics and semantics
                       // (backends/printers/hlsl_plain.c)
    PRINT_GLSL,        // GL_EXT_maximal_reconvergence, GL_KHR_shader_subgroup_*
    PRINT_WGSL,        // with language extension `subgroups` (backends/printers/wgsl.c)
    PRINT_LANGUAGES
};
// False with a line that lists them.
bool print_language_find(const char *name, enum print_language *out, struct err *e);

// Prints a module for invocations in subgroups of `subgroup` lanes (0: not known; then
// what counts lanes of a ballot is refused). False with what the language cannot say, and in *at
// (NULL: not asked) the id where, 0 at none: apart, so that equal reasons count together.
bool print_module(struct arena *a, enum print_language l, const uint32_t *words, size_t count,
                  uint32_t subgroup, struct text *out, uint32_t *at, struct err *e);
// The buffers of a module that can be printed, by the names of their globals in PRINT_LLVM_AMDGCN.
struct print_buffer {
    const char *name;
    uint32_t set, binding;
};
uint32_t print_buffers(struct arena *a, const uint32_t *words, size_t count,
                       struct print_buffer **out);

#endif
