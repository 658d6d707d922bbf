// SPDX-License-Identifier: Apache-2.0
//
// One function per language. Private to backends/printers/.
#ifndef TF_PRINTERS_PRINT_INNER_H
#define TF_PRINTERS_PRINT_INNER_H

#include "form.h"

bool print_hlsl(const struct form *f, struct text *out, struct err *e);
bool print_hlsl_plain(const struct form *f, struct text *out, struct err *e);
bool print_glsl(const struct form *f, struct text *out, struct err *e);
bool print_wgsl(const struct form *f, struct text *out, struct err *e);
bool print_opencl(const struct form *f, struct text *out, struct err *e);
bool print_opencl_plain(const struct form *f, struct text *out, struct err *e);
bool print_llvm_amdgcn(const struct form *f, struct text *out, struct err *e);
bool print_llvm_amdgcn_bare(const struct form *f, struct text *out, struct err *e);
bool print_llvm_nvptx(const struct form *f, struct text *out, struct err *e);
bool print_llvm_nvptx_bare(const struct form *f, struct text *out, struct err *e);
bool print_ptx(const struct form *f, struct text *out, struct err *e);
bool print_ptx_sm75(const struct form *f, struct text *out, struct err *e);
bool print_llvm(const struct form *f, struct text *out, struct err *e);
bool print_llvm_bare(const struct form *f, struct text *out, struct err *e);

#endif
