// SPDX-License-Identifier: Apache-2.0
//
// libLLVM by its C API, loaded at run time: this program is built without LLVM, and runs
// through the loader of the private root that the library lies in. The few functions used
// are declared here; opaque handles are void pointers.
#define _GNU_SOURCE
#include "llvm.h"

#include <dlfcn.h>
#include <execinfo.h>
#include <signal.h>
#include <string.h>
#include <unistd.h>

#define API(X)                                                                                     \
    X(void, GetVersion, (unsigned *, unsigned *, unsigned *))                                      \
    X(void *, ContextCreate, (void))                                                               \
    X(void *, CreateMemoryBufferWithMemoryRangeCopy, (const char *, size_t, const char *))         \
    X(int, ParseIRInContext, (void *, void *, void **, char **))                                   \
    X(int, VerifyModule, (void *, int, char **))                                                   \
    X(void, SetModuleDataLayout, (void *, void *))                                                 \
    X(void, ParseCommandLineOptions, (int, const char *const *, const char *))                     \
    X(int, GetTargetFromTriple, (const char *, void **, char **))                                  \
    X(void *, CreateTargetMachine,                                                                 \
      (void *, const char *, const char *, const char *, int, int, int))                           \
    X(void *, CreateTargetDataLayout, (void *))                                                    \
    X(int, TargetMachineEmitToMemoryBuffer, (void *, void *, int, char **, void **))               \
    X(const char *, GetBufferStart, (void *))                                                      \
    X(size_t, GetBufferSize, (void *))                                                             \
    X(void *, CreatePassBuilderOptions, (void))                                                    \
    X(void *, RunPasses, (void *, const char *, void *, void *))                                   \
    X(char *, GetErrorMessage, (void *))                                                           \
    X(void, InitializeSPIRVTargetInfo, (void))                                                     \
    X(void, InitializeSPIRVTarget, (void))                                                         \
    X(void, InitializeSPIRVTargetMC, (void))                                                       \
    X(void, InitializeSPIRVAsmPrinter, (void))

static struct {
#define X(result, name, args) result(*name) args;
    API(X)
#undef X
} llvm;

static const char triple[] = "spirv1.6-unknown-vulkan1.3-compute";
static char version[64];

const char *llvm_version(void)
{
    return version;
}

bool llvm_load(const char *library, struct err *e)
{
    void *so = dlopen(library, RTLD_NOW | RTLD_LOCAL);
    if (!so)
        return err_set(e, "llvm: cannot load it: %.400s", dlerror());
    struct {
        const char *name;
        void *at;
    } rows[] = {
#define X(result, name, args) {"LLVM" #name, &llvm.name},
        API(X)
#undef X
    };
    for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
        void *f = dlsym(so, rows[i].name);
        if (!f)
            return err_set(e,
                           "llvm: %s has no %s: another version of LLVM, or one without the "
                           "SPIR-V back end",
                           library, rows[i].name);
        memcpy(rows[i].at, &f, sizeof f);
    }
    unsigned v[3];
    llvm.GetVersion(&v[0], &v[1], &v[2]);
    snprintf(version, sizeof version, "%u.%u.%u", v[0], v[1], v[2]);
    llvm.InitializeSPIRVTargetInfo();
    llvm.InitializeSPIRVTarget();
    llvm.InitializeSPIRVTargetMC();
    llvm.InitializeSPIRVAsmPrinter();
    return true;
}

// ---- crashes ---------------------------------------------------------------------------

static void tell_frames(int number)
{
    void *frame[12];
    signal(number, SIG_DFL);
    backtrace_symbols_fd(frame, backtrace(frame, 12), 2);
    raise(number);
}

static void watch_crashes(void)
{
    static char stack[1 << 16]; // a crash may be an overflow of the stack
    static const int numbers[] = {SIGSEGV, SIGABRT, SIGBUS, SIGFPE, SIGILL, SIGTRAP};
    stack_t other = {.ss_sp = stack, .ss_size = sizeof stack};
    struct sigaction act = {.sa_handler = tell_frames, .sa_flags = SA_ONSTACK | SA_NODEFER};
    void *frame[1];
    backtrace(frame, 1); // loads what it needs now
    sigaltstack(&other, NULL);
    for (size_t i = 0; i < sizeof numbers / sizeof *numbers; i++)
        sigaction(numbers[i], &act, NULL);
}

// ---- the job ---------------------------------------------------------------------------

TF_NORETURN static void fail(struct llvm_shared *out, const char *why)
{
    snprintf(out->said, sizeof out->said, "%s", why ? why : "no message");
    out->failed = true;
    _exit(0);
}

static void pass_options(const struct llvm_job *job)
{
    char limit[48];
    snprintf(limit, sizeof limit, "-opt-bisect-limit=%u", job->limit);
    const char *argv[] = {"llvm", "--spirv-ext=+SPV_KHR_maximal_reconvergence", limit};
    llvm.ParseCommandLineOptions(job->limit == UINT32_MAX ? 2 : 3, argv, NULL);
}

static void run_passes(const struct llvm_job *job, void *module, void *machine,
                       struct llvm_shared *out)
{
    void *options = llvm.CreatePassBuilderOptions();
    void *error = llvm.RunPasses(module, job->passes, machine, options);
    if (error)
        fail(out, llvm.GetErrorMessage(error));
}

TF_NORETURN void llvm_child(const struct llvm_job *job, const char *text, size_t size,
                            struct llvm_shared *out)
{
    char *why = NULL;
    void *module, *target, *buffer;
    watch_crashes();
    pass_options(job);
    void *context = llvm.ContextCreate();
    out->stage = LLVM_PARSE;
    void *source = llvm.CreateMemoryBufferWithMemoryRangeCopy(text, size, "case.ll");
    if (llvm.ParseIRInContext(context, source, &module, &why))
        fail(out, why);
    out->stage = LLVM_VERIFY_INPUT;
    if (llvm.GetTargetFromTriple(triple, &target, &why))
        fail(out, why);
    enum { RELOC_DEFAULT = 0, CODE_MODEL_DEFAULT = 0, OBJECT_FILE = 1, RETURN_STATUS = 2 };
    void *machine = llvm.CreateTargetMachine(target, triple, "", "", (int)job->level, RELOC_DEFAULT,
                                             CODE_MODEL_DEFAULT);
    llvm.SetModuleDataLayout(module, llvm.CreateTargetDataLayout(machine));
    if (llvm.VerifyModule(module, RETURN_STATUS, &why))
        fail(out, why);
    out->stage = LLVM_PASSES;
    if (job->passes[0])
        run_passes(job, module, machine, out);
    out->stage = LLVM_VERIFY_OUTPUT;
    if (llvm.VerifyModule(module, RETURN_STATUS, &why))
        fail(out, why);
    if (job->until_verified) {
        out->stage = LLVM_DONE;
        _exit(0);
    }
    out->stage = LLVM_BACK_END;
    if (llvm.TargetMachineEmitToMemoryBuffer(machine, module, OBJECT_FILE, &why, &buffer))
        fail(out, why);
    size_t bytes = llvm.GetBufferSize(buffer);
    if (bytes % 4 || bytes < 20 || bytes > sizeof out->words)
        fail(out, "the back end wrote no SPIR-V module");
    memcpy(out->words, llvm.GetBufferStart(buffer), bytes);
    out->count = (uint32_t)(bytes / 4);
    out->stage = LLVM_DONE;
    _exit(0);
}
