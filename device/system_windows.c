// SPDX-License-Identifier: Apache-2.0
//
// Windows. The program starts itself again for the driver, with CHILD in the environment: the
// handle of the memory that they share.
#include "system.h"

#include "contain.h"
#include "crash_walk.h"
#include "vk.h"

#include <windows.h>

#include <fcntl.h>
#include <io.h>
#include <pthread.h>
#include <stdlib.h>
#include <string.h>

static const char CHILD[] = "TANGLEFUZZ_DEVICE_CHILD";
static int input = 0, output = 1;

// ---- clocks, of base.h and contain.h ----------------------------------------------------

double now_seconds(void)
{
    LARGE_INTEGER now, second;
    QueryPerformanceCounter(&now);
    QueryPerformanceFrequency(&second);
    return (double)now.QuadPart / (double)second.QuadPart;
}

static double seconds_of(FILETIME t)
{
    return (double)((uint64_t)t.dwHighDateTime << 32 | t.dwLowDateTime) * 1e-7;
}

double cpu_seconds(void)
{
    FILETIME begun, ended, kernel, user;
    if (!GetProcessTimes(GetCurrentProcess(), &begun, &ended, &kernel, &user))
        return 0;
    return seconds_of(kernel) + seconds_of(user);
}

// Windows does not report how long threads waited for a processor. While a processor idles, none
// waits; so what this process lacked is taken to be the time without an idle one that it did not
// use. Other threads of this process call this too.
struct contain_processors contain_own(void)
{
    static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
    static double then, then_idle, then_used, lacked;
    FILETIME idle, kernel, user;
    pthread_mutex_lock(&lock);
    const double now = now_seconds(), used = cpu_seconds();
    if (GetSystemTimes(&idle, &kernel, &user)) { // idle: of all processors together
        const double lacks = now - then - (seconds_of(idle) - then_idle) - (used - then_used);
        if (then > 0 && lacks > 0)
            lacked += lacks;
        then = now;
        then_idle = seconds_of(idle);
        then_used = used;
    }
    const struct contain_processors has = {used, lacked};
    pthread_mutex_unlock(&lock);
    return has;
}

// ---- Vulkan's loader, of vk.h -----------------------------------------------------------

bool vk_loader(void)
{
    return volkInitialize() == VK_SUCCESS;
}

// ---- streams ----------------------------------------------------------------------------

const char *system_name(void)
{
    return "Windows, x86-64";
}

size_t system_read(void *v, size_t size)
{
    const int n = _read(input, v, (unsigned)size);
    return n > 0 ? (size_t)n : 0;
}

bool system_write(const void *v, size_t size)
{
    enum { AT_ONCE = 1 << 20 }; // a console or pipe may refuse more
    for (const uint8_t *p = v; size;) {
        const int n = _write(output, p, (unsigned)(size < AT_ONCE ? size : AT_ONCE));
        if (n <= 0)
            return false;
        p += n;
        size -= (size_t)n;
    }
    return true;
}

void system_leave(int status)
{
    TerminateProcess(GetCurrentProcess(), (UINT)status); // ExitProcess would wait for the driver
    abort();
}

void system_sleep(double seconds)
{
    Sleep((DWORD)(seconds * 1000) + 1);
}

// ---- a crash ----------------------------------------------------------------------------

// Shared with the process that has the driver, which fills it as it dies. NULL: not known.
static struct link_stack *stack;

static void note_module(const char *base, char *to)
{
    const IMAGE_DOS_HEADER *dos = (const void *)base;
    const IMAGE_NT_HEADERS *head = (const void *)(base + dos->e_lfanew);
    const IMAGE_DATA_DIRECTORY *at =
        &head->OptionalHeader.DataDirectory[IMAGE_DIRECTORY_ENTRY_EXPORT];
    const IMAGE_EXPORT_DIRECTORY *exports = (const void *)(base + at->VirtualAddress);
    // From the library itself: asking the system would wait for its loader's lock.
    const char *name = base == (const char *)GetModuleHandleA(NULL) ? "tanglefuzz-device.exe"
                       : at->VirtualAddress                         ? base + exports->Name
                                                                    : "";
    snprintf(to, LINK_MODULE, "%.*s", LINK_MODULE - 1, name);
}

// A driver for Windows has no names but those that it exports: the place of the function in the
// library stands for its name.
static void note_place(const char *base, DWORD64 start, DWORD64 at)
{
    struct link_frame *f = &stack->frame[stack->count];
    note_module(base, f->module);
    f->start = start;
    f->at = at;
    f->function[0] = 0;
    if (base != (const char *)GetModuleHandleA(NULL) && !crash_in_runtime(f->module))
        snprintf(f->function, sizeof f->function, "%s!0x%llx", f->module, start);
    stack->count++;
}

static LONG CALLBACK note(EXCEPTION_POINTERS *x)
{
    CONTEXT c = *x->ContextRecord;
    stack->count = 0;
    for (uint32_t i = 0; c.Rip && i < LINK_FRAMES; i++) {
        DWORD64 base = 0, frame;
        void *module = NULL, *handler;
        const DWORD64 at = c.Rip - (i > 0); // a return address belongs to the call before it
        RUNTIME_FUNCTION *f = RtlLookupFunctionEntry(at, &base, NULL);
        RtlPcToFileHeader((void *)at, &module);
        if (module)
            note_place(module, f ? f->BeginAddress : at - (DWORD64)module, at - (DWORD64)module);
        if (f) {
            RtlVirtualUnwind(UNW_FLAG_NHANDLER, base, at, f, &c, &handler, &frame, NULL);
        } else if (i == 0 || module) { // a function without a frame, or a wild jump
            c.Rip = *(const DWORD64 *)c.Rsp;
            c.Rsp += sizeof(DWORD64);
        } else {
            break;
        }
    }
    return EXCEPTION_EXECUTE_HANDLER; // ends the process; no report, no debugger that waits
}

// In the process that has the driver.
static void watch_crashes(const char *handle)
{
    ULONG spare = 1 << 16; // for a stack that has overflowed
    stack = MapViewOfFile((HANDLE)(uintptr_t)strtoull(handle, NULL, 10), FILE_MAP_WRITE, 0, 0,
                          sizeof *stack);
    if (!stack)
        return;
    SetThreadStackGuarantee(&spare);
    SetUnhandledExceptionFilter(note);
}

// What the process wrote before it died; its memory may have been corrupted.
static void take_stack(struct link_stack *out)
{
    if (!stack)
        return;
    *out = *stack;
    if (out->count > LINK_FRAMES)
        out->count = 0;
    for (uint32_t i = 0; i < out->count; i++) {
        struct link_frame *f = &out->frame[i];
        f->module[sizeof f->module - 1] = f->function[sizeof f->function - 1] = 0;
    }
}

// ---- the process for the driver ---------------------------------------------------------

// What an exit code stands for: an exception of Windows, or abort's 3.
static void describe(DWORD code, struct link_ended *x)
{
    static const struct {
        DWORD code;
        const char *name;
    } names[] = {
        {EXCEPTION_ACCESS_VIOLATION, "access violation"},
        {EXCEPTION_STACK_OVERFLOW, "stack overflow"},
        {EXCEPTION_ILLEGAL_INSTRUCTION, "illegal instruction"},
        {EXCEPTION_INT_DIVIDE_BY_ZERO, "integer division by zero"},
        {EXCEPTION_BREAKPOINT, "breakpoint"},
        {0xC0000374, "heap corruption"},
        {0xC0000409, "stack buffer overrun"},
        {3, "abort"},
    };
    x->code = code;
    x->crashed = code == 3 || code >= 0x80000000;
    for (size_t i = 0; i < sizeof names / sizeof *names; i++)
        if (names[i].code == code) {
            snprintf(x->text, sizeof x->text, "died of: %s", names[i].name);
            return;
        }
    snprintf(x->text, sizeof x->text,
             x->crashed ? "died of exception 0x%lx" : "exited with status %lu", code);
}

TF_NORETURN static void watch(HANDLE process)
{
    DWORD code = 1;
    struct link_ended x = {0};
    WaitForSingleObject(process, INFINITE);
    GetExitCodeProcess(process, &code);
    if (code) {
        struct wire_buf b = {0};
        describe(code, &x);
        if (x.crashed)
            take_stack(&x.stack);
        put_ended(&b, &x);
        system_write(b.v, b.n);
    }
    system_leave(code != 0);
}

static HANDLE inherited(DWORD which)
{
    HANDLE h = GetStdHandle(which);
    SetHandleInformation(h, HANDLE_FLAG_INHERIT, HANDLE_FLAG_INHERIT);
    return h;
}

// Memory for the stack of a crash; returns its handle, for the process that will have the driver.
static HANDLE share_stack(void)
{
    SECURITY_ATTRIBUTES inherited = {.nLength = sizeof inherited, .bInheritHandle = TRUE};
    const HANDLE h = CreateFileMappingA(INVALID_HANDLE_VALUE, &inherited, PAGE_READWRITE, 0,
                                        sizeof *stack, NULL);
    stack = h ? MapViewOfFile(h, FILE_MAP_WRITE, 0, 0, sizeof *stack) : NULL;
    return h;
}

// Starts this program again. The job ends it with this process.
static bool start_again(HANDLE *process, struct err *e)
{
    char path[MAX_PATH], shared[32];
    STARTUPINFOA how = {.cb = sizeof how,
                        .dwFlags = STARTF_USESTDHANDLES,
                        .hStdInput = inherited(STD_INPUT_HANDLE),
                        .hStdOutput = inherited(STD_OUTPUT_HANDLE),
                        .hStdError = inherited(STD_ERROR_HANDLE)};
    PROCESS_INFORMATION x;
    JOBOBJECT_EXTENDED_LIMIT_INFORMATION limit = {.BasicLimitInformation.LimitFlags =
                                                      JOB_OBJECT_LIMIT_KILL_ON_JOB_CLOSE};
    const HANDLE job = CreateJobObjectA(NULL, NULL);
    snprintf(shared, sizeof shared, "%llu", (unsigned long long)(uintptr_t)share_stack());
    SetEnvironmentVariableA(CHILD, shared);
    if (!GetModuleFileNameA(NULL, path, sizeof path) ||
        !CreateProcessA(path, GetCommandLineA(), NULL, NULL, TRUE, CREATE_SUSPENDED, NULL, NULL,
                        &how, &x))
        return err_set(e, "cannot start a process: error %lu", GetLastError());
    if (job &&
        SetInformationJobObject(job, JobObjectExtendedLimitInformation, &limit, sizeof limit))
        AssignProcessToJobObject(job, x.hProcess);
    ResumeThread(x.hThread);
    *process = x.hProcess;
    return true;
}

bool system_start(int argc, char **argv, struct err *e)
{
    HANDLE process;
    char shared[32];
    (void)argc, (void)argv;
    _setmode(0, _O_BINARY);
    _setmode(1, _O_BINARY);
    if (!GetEnvironmentVariableA(CHILD, shared, sizeof shared)) {
        if (!start_again(&process, e))
            return false;
        watch(process);
    }
    // No window that waits for a click.
    SetErrorMode(SEM_FAILCRITICALERRORS | SEM_NOGPFAULTERRORBOX);
    watch_crashes(shared);
    output = _dup(1);
    _setmode(output, _O_BINARY);
    _dup2(2, 1);
    SetStdHandle(STD_OUTPUT_HANDLE, GetStdHandle(STD_ERROR_HANDLE));
    return true;
}

bool system_listen(const char *address, uint32_t port, struct err *e)
{
    return err_set(e, "--listen %s:%u: not on Windows: its ssh server, or ssh -R, does the same",
                   address, port);
}
