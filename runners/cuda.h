// SPDX-License-Identifier: Apache-2.0
//
// A case as PTX with masks that the program computes, and the memory after our machine ran it, or
// the code of ptxas. Private to runners/.
#ifndef TF_RUNNERS_CUDA_H
#define TF_RUNNERS_CUDA_H

#include "command.h"

#include "nak/nak.h"

enum { CUDA_SM = 90 }; // the architecture, unless another is given

struct cuda_tools {
    const char *ptxas, *nvdisasm;
    const char *ptx, *cubin, *sass; // files
    const char *folder;
    double seconds;
};

// Is the machine code of this architecture read?
bool cuda_has_sm(uint32_t sm);
// Sets what can be printed and run: warps of 32 lanes, and more operations than in LLVM IR.
void cuda_info(struct run_info *info);
// Reads what runs: the PTX for architecture `sm` itself if `tools` is NULL, else the code of ptxas
// at -O`level`. NULL with *r filled. Sets *text to what was read if it is not NULL.
const struct isa_code *cuda_code(const struct cuda_tools *tools, uint32_t sm, uint32_t level,
                                 struct arena *a, const struct run_job *job, struct run_result *r,
                                 const char **text);
// Answers each case of the job. False: the worker must end.
bool cuda_cases(const struct isa_code *code, bool origins, struct arena *a,
                const struct run_job *job, struct run_result *r, struct run_sink *sink);

#endif
