// SPDX-License-Identifier: Apache-2.0
//
// Prints a structured compute module as the same program in another language; in GLSL also a
// fragment shader.
//
// Printing starts from SPIR-V words of any origin. The text has the module's observation log,
// memory layout and names, so the oracle's result for the words is the expectation for the text.
// Generators, mutants and reducers work for every language. What a language cannot express is
// refused with the reason; nothing is approximated.
#ifndef TF_PRINTERS_H
#define TF_PRINTERS_H

#include "base/base.h"
#include "spirv/spirv.h"

enum print_language {
    PRINT_LLVM,        // LLVM IR with convergence tokens, for the SPIR-V target (llvm.c)
    PRINT_LLVM_AMDGCN, // the same for AMD's back end, with its own intrinsics (llvm_target.c)
    PRINT_LLVM_NVPTX,  // and for NVIDIA's
    // The same three without tokens: calls are convergent by their attribute alone (L6).
    PRINT_LLVM_BARE,
    PRINT_LLVM_AMDGCN_BARE,
    PRINT_LLVM_NVPTX_BARE,
    PRINT_HLSL,         // for clang: wave builtins, vk::binding (clike.c)
    PRINT_HLSL_PLAIN,   // the same with HLSL's own intrinsics and semantics (hlsl_plain.c)
    PRINT_GLSL,         // GL_EXT_maximal_reconvergence, GL_KHR_shader_subgroup_*
    PRINT_WGSL,         // with the language extension `subgroups` (wgsl.c)
    PRINT_OPENCL,       // OpenCL C with the extensions for subgroups (opencl.c)
    PRINT_OPENCL_PLAIN, // the same with OpenCL's own functions, which whole subgroups execute
    PRINT_PTX,          // masks that the program computes (ptx.c); for sm_80 and later
    PRINT_PTX_SM75,     // the same for sm_75, which has no redux
    PRINT_LANGUAGES
};
// False with a message that lists the languages.
bool print_language_find(const char *name, enum print_language *out, struct err *e);

// Prints a module for invocations in subgroups of `subgroup` lanes (0: unknown; then operations
// that count lanes of a ballot are refused). False with what the language cannot express, and in
// *at (may be NULL) the id of the instruction, 0: none. The id is not part of the message, so that
// equal reasons are counted together.
bool print_module(struct arena *a, enum print_language l, const uint32_t *words, size_t count,
                  uint32_t subgroup, struct text *out, uint32_t *at, struct err *e);
// The same for a text that is compared with that of the module `with`: a value of both, by its id,
// has the same name in both. False: the language cannot express it.
struct print_words {
    const uint32_t *v;
    size_t n;
};
bool print_compared(struct arena *a, enum print_language l, const struct print_words *m,
                    const struct print_words *with, uint32_t subgroup, struct text *out);
// Returns the buffers of a module that can be printed, with the names of their globals in
// PRINT_LLVM_AMDGCN.
struct print_buffer {
    const char *name;
    uint32_t set, binding;
};
uint32_t print_buffers(struct arena *a, const uint32_t *words, size_t count,
                       struct print_buffer **out);

#endif
