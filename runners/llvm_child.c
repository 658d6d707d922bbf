// SPDX-License-Identifier: Apache-2.0
//
// Calls libLLVM through its C API, loaded at run time: this program is built without LLVM and runs
// through the loader of the private root that contains the library. The few functions used are
// declared here; opaque handles are void pointers.
#define _GNU_SOURCE
#include "llvm_worker.h"

#include <dlfcn.h>
#include <execinfo.h>
#include <signal.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#define API(X)                                                                                     \
    X(void, EnablePrettyStackTrace, (void))                                                        \
    X(void, InstallFatalErrorHandler, (void (*)(const char *)))                                    \
    X(void, GetVersion, (unsigned *, unsigned *, unsigned *))                                      \
    X(void *, ContextCreate, (void))                                                               \
    X(void, ContextDispose, (void *))                                                              \
    X(void, DisposeModule, (void *))                                                               \
    X(void, DisposeMessage, (char *))                                                              \
    X(void, DisposeTargetMachine, (void *))                                                        \
    X(void, DisposeTargetData, (void *))                                                           \
    X(void, DisposeMemoryBuffer, (void *))                                                         \
    X(void, DisposePassBuilderOptions, (void *))                                                   \
    X(void, DisposeErrorMessage, (char *))                                                         \
    X(char *, PrintModuleToString, (void *))                                                       \
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
    X(void, PassBuilderOptionsSetVerifyEach, (void *, int))                                        \
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
        return err_set(e, "llvm: cannot load libLLVM: %.400s", dlerror());
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
            return err_set(
                e,
                "llvm: %s has no %s: it is another version of LLVM, or built without the "
                "SPIR-V back end",
                library, rows[i].name);
        memcpy(rows[i].at, &f, sizeof f);
    }
    if (!llvm_planted_load(so) || !llvm_dump_load(so))
        return err_set(e, "llvm: %s: its C API lacks functions to read or change a module",
                       library);
    unsigned v[3];
    llvm.GetVersion(&v[0], &v[1], &v[2]);
    snprintf(version, sizeof version, "%u.%u.%u", v[0], v[1], v[2]);
    llvm.InitializeSPIRVTargetInfo();
    llvm.InitializeSPIRVTarget();
    llvm.InitializeSPIRVTargetMC();
    llvm.InitializeSPIRVAsmPrinter();
    const char *argv[] = {"llvm", "--spirv-ext=+SPV_KHR_maximal_reconvergence"};
    llvm.ParseCommandLineOptions(2, argv, NULL);
    return true;
}

void llvm_flags(const char *const *flag, uint32_t n)
{
    const char *argv[1 + LLVM_FLAGS] = {"llvm"};
    memcpy(argv + 1, flag, n * sizeof *flag);
    if (n)
        llvm.ParseCommandLineOptions((int)n + 1, argv, NULL);
}

// ---- crashes ---------------------------------------------------------------------------

static struct sigaction llvm_action[NSIG]; // LLVM's own handlers, which report the running pass

static void print_frames(int number)
{
    void *frame[12];
    backtrace_symbols_fd(frame, backtrace(frame, 12), 2);
    sigaction(number, &llvm_action[number], NULL);
    raise(number);
}

static void watch_crashes(void)
{
    static char stack[1 << 16]; // the crash may be a stack overflow
    static const int numbers[] = {SIGSEGV, SIGABRT, SIGBUS, SIGFPE, SIGILL, SIGTRAP};
    stack_t other = {.ss_sp = stack, .ss_size = sizeof stack};
    struct sigaction act = {.sa_handler = print_frames, .sa_flags = SA_ONSTACK | SA_NODEFER};
    void *frame[1];
    backtrace(frame, 1); // load what it needs before a crash
    llvm.EnablePrettyStackTrace();
    sigaltstack(&other, NULL);
    for (size_t i = 0; i < sizeof numbers / sizeof *numbers; i++)
        sigaction(numbers[i], &act, &llvm_action[numbers[i]]);
}

TF_NORETURN static void die_in_brief(const char *why)
{
    dprintf(2, "LLVM ERROR: %s\n", why);
    signal(SIGABRT, SIG_DFL);
    abort();
}

// ---- the job ---------------------------------------------------------------------------

// The LLVM objects of one job; all are freed after it.
struct work {
    void *context, *module, *machine, *object;
};

// Records the failure and returns false. `why` is freed by LLVM.
static bool failed(struct llvm_shared *s, char *why)
{
    snprintf(s->why, sizeof s->why, "%s", why ? why : "no message");
    s->failed = true;
    if (why)
        llvm.DisposeMessage(why);
    return false;
}

static bool read_module(struct llvm_shared *s, struct work *w)
{
    char *why = NULL;
    void *target;
    s->stage = LLVM_PARSE;
    w->context = llvm.ContextCreate();
    void *source = llvm.CreateMemoryBufferWithMemoryRangeCopy(s->text, s->size, "case.ll");
    if (llvm.ParseIRInContext(w->context, source, &w->module, &why))
        return failed(s, why);
    s->stage = LLVM_VERIFY_INPUT;
    const char *of = s->job.triple[0] ? s->job.triple : triple;
    if (llvm.GetTargetFromTriple(of, &target, &why))
        return failed(s, why);
    enum { RELOC_DEFAULT = 0, CODE_MODEL_DEFAULT = 0 };
    w->machine =
        llvm.CreateTargetMachine(target, of, s->job.cpu, s->job.wide ? "+wavefrontsize64" : "",
                                 (int)s->job.level, RELOC_DEFAULT, CODE_MODEL_DEFAULT);
    void *layout = llvm.CreateTargetDataLayout(w->machine);
    llvm.SetModuleDataLayout(w->module, layout);
    llvm.DisposeTargetData(layout);
    return true;
}

static bool verify(struct llvm_shared *s, struct work *w)
{
    enum { RETURN_STATUS = 2 };
    char *why = NULL;
    if (llvm.VerifyModule(w->module, RETURN_STATUS, &why))
        return failed(s, why);
    llvm.DisposeMessage(why);
    return true;
}

static bool run_some(struct llvm_shared *s, struct work *w, const char *passes)
{
    void *options = llvm.CreatePassBuilderOptions();
    llvm.PassBuilderOptionsSetVerifyEach(options, s->job.verify_each);
    void *error = llvm.RunPasses(w->module, passes, w->machine, options);
    llvm.DisposePassBuilderOptions(options);
    if (!error)
        return true;
    char *why = llvm.GetErrorMessage(error);
    snprintf(s->why, sizeof s->why, "%s", why);
    llvm.DisposeErrorMessage(why);
    s->failed = true;
    return false;
}

// Runs the pipeline at once; with planted passes, runs the passes before and after each of them
// separately.
static bool run_passes(struct llvm_shared *s, struct work *w)
{
    char some[LLVM_PASSES_TEXT];
    const char *rest = s->passes, *from = rest, *part;
    size_t n;
    s->stage = LLVM_PASSES;
    if (s->job.no_passes)
        return true;
    while ((part = run_pipeline_part(&rest, &n))) {
        if (!llvm_is_planted(part, n))
            continue;
        snprintf(some, sizeof some, "%.*s", (int)(part > from ? part - from - 1 : 0), from);
        if (some[0] && !run_some(s, w, some))
            return false;
        llvm_planted_run(part, n, w->context, w->module);
        from = rest;
    }
    return !*from || run_some(s, w, from);
}

static bool write_object(struct llvm_shared *s, struct work *w)
{
    enum { ASSEMBLY_FILE = 0, OBJECT_FILE = 1 };
    char *why = NULL;
    s->stage = LLVM_BACK_END;
    if (llvm.TargetMachineEmitToMemoryBuffer(
            w->machine, w->module, s->job.assembly ? ASSEMBLY_FILE : OBJECT_FILE, &why, &w->object))
        return failed(s, why);
    size_t bytes = llvm.GetBufferSize(w->object);
    // Verifies the IR after the back end's own passes, as `llc` does and this API does not.
    if (s->job.cpu[0] && !verify(s, w)) {
        char line[300];
        snprintf(line, sizeof line, "%.*s", (int)strcspn(s->why, "\n"), s->why);
        snprintf(s->why, sizeof s->why, "IR not valid after the back end's own passes: %s", line);
        return false;
    }
    if (s->job.cpu[0]) { // only text can be used
        s->count = !s->job.assembly          ? 0
                   : bytes < sizeof s->words ? (uint32_t)bytes
                                             : sizeof s->words;
        memcpy(s->words, llvm.GetBufferStart(w->object), s->count);
        return true;
    }
    if (bytes % 4 || bytes < 20 || bytes > sizeof s->words) {
        snprintf(s->why, sizeof s->why, "the back end did not write a SPIR-V module");
        return !(s->failed = true);
    }
    memcpy(s->words, llvm.GetBufferStart(w->object), bytes);
    s->count = (uint32_t)(bytes / 4);
    return true;
}

static bool keep_text(struct llvm_shared *s, struct work *w)
{
    char *text = llvm.PrintModuleToString(w->module);
    size_t n = strlen(text);
    bool fits = n <= sizeof s->text;
    if (fits) {
        memcpy(s->text, text, n);
        s->size = (uint32_t)n;
    } else {
        snprintf(s->why, sizeof s->why, "the IR is too long: %zu bytes", n);
        s->failed = true;
    }
    llvm.DisposeMessage(text);
    return fits;
}

// Writes the answer: SPIR-V, or with judge=ir the IR.
static bool write_words(struct llvm_shared *s, struct work *w)
{
    if (!s->job.judge_ir)
        return write_object(s, w);
    if (llvm_dump(w->module, s->words, LLVM_WORDS, &s->count))
        return true;
    snprintf(s->why, sizeof s->why, "the IR is too large to return");
    return !(s->failed = true);
}

void llvm_do(struct llvm_shared *s)
{
    struct work w = {0};
    bool ok = read_module(s, &w) && verify(s, &w) && run_passes(s, &w);
    if (ok)
        s->stage = LLVM_VERIFY_OUTPUT;
    ok = ok && verify(s, &w) && (!s->job.keep_text || keep_text(s, &w)) &&
         (s->job.until_verified || write_words(s, &w));
    if (w.object)
        llvm.DisposeMemoryBuffer(w.object);
    if (w.module)
        llvm.DisposeModule(w.module);
    if (w.machine)
        llvm.DisposeTargetMachine(w.machine);
    llvm.ContextDispose(w.context);
    if (ok)
        s->stage = LLVM_DONE;
}

TF_NORETURN void llvm_child(struct llvm_shared *s, int sock)
{
    char limit[48], byte;
    snprintf(limit, sizeof limit, "-opt-bisect-limit=%u", s->job.limit);
    const char *argv[] = {"llvm", limit};
    if (s->job.brief)
        llvm.InstallFatalErrorHandler(die_in_brief);
    else
        watch_crashes();
    if (s->job.limit != UINT32_MAX)
        llvm.ParseCommandLineOptions(2, argv, NULL);
    while (read(sock, &byte, 1) == 1) {
        llvm_do(s);
        if (write(sock, &byte, 1) != 1)
            break;
    }
    _exit(0);
}
