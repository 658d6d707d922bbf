// SPDX-License-Identifier: Apache-2.0
//
// Target `check:llvm:cpu=...`: other back ends of the same libLLVM, which only compile: AMD's for
// gfx..., NVIDIA's for sm_....
#include "llvm_worker.h"

#include <dlfcn.h>
#include <string.h>

static const struct {
    const char *cpu, *triple, *name;    // prefix of its CPUs; triple; prefix of its functions
    enum print_language language, bare; // with tokens, without
    bool assembly;                      // can only print assembly
} machines[] = {
    {"gfx", "amdgcn-amd-amdhsa", "AMDGPU", PRINT_LLVM_AMDGCN, PRINT_LLVM_AMDGCN_BARE, false},
    {"sm_", "nvptx64-nvidia-cuda", "NVPTX", PRINT_LLVM_NVPTX, PRINT_LLVM_NVPTX_BARE, true},
};

static int find(const char *cpu)
{
    for (size_t i = 0; i < sizeof machines / sizeof *machines; i++)
        if (strncmp(cpu, machines[i].cpu, strlen(machines[i].cpu)) == 0)
            return (int)i;
    return -1;
}

bool llvm_machine(const char *cpu, bool bare, bool text, struct llvm_job *job,
                  enum print_language *language, struct err *e)
{
    *language = bare ? PRINT_LLVM_BARE : PRINT_LLVM;
    if (!cpu[0])
        return true;
    const int m = find(cpu);
    if (m < 0 || strlen(cpu) >= sizeof job->cpu)
        return err_set(e, "llvm: cpu=%.40s: expected gfx... (AMD) or sm_... (NVIDIA)", cpu);
    *language = bare ? machines[m].bare : machines[m].language;
    snprintf(job->cpu, sizeof job->cpu, "%s", cpu);
    snprintf(job->triple, sizeof job->triple, "%s", machines[m].triple);
    job->assembly = text || machines[m].assembly;
    return true;
}

bool llvm_machine_load(const char *library, const char *cpu, struct err *e)
{
    static const char *const parts[] = {"TargetInfo", "Target", "TargetMC", "AsmPrinter"};
    const int m = find(cpu);
    void *so = dlopen(library, RTLD_NOW | RTLD_LOCAL);
    for (size_t i = 0; m >= 0 && i < sizeof parts / sizeof *parts; i++) {
        char name[64];
        snprintf(name, sizeof name, "LLVMInitialize%s%s", machines[m].name, parts[i]);
        void *at = so ? dlsym(so, name) : NULL;
        void (*initialize)(void);
        if (!at)
            return err_set(e, "llvm: %s has no %s: it was built without that back end", library,
                           name);
        memcpy(&initialize, &at, sizeof at);
        initialize();
    }
    return true;
}
