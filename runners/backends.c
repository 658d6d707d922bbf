// SPDX-License-Identifier: Apache-2.0
//
// The table of backends. To add one: a file with a `struct run_backend`, its
// declaration in backend.h, a row here, a row in docs/targets.md.
#include "backend.h"

#include <string.h>

static struct run_backend_row rows[] = {
    {"vulkan", "vulkan[:driver=NAME|icd=FILE][,device=N|name=TEXT][,size=S][,env=KEY=VALUE]...",
     "runs the case on a Vulkan device"},
    {"check", "check:vulkan[:OPTIONS]|check:llvm[:cpu=gfx...|sm_...][,OPTIONS]",
     "compiles and runs nothing: crashes, hangs and rejections of a compiler"},
    {"spirv-opt", "spirv-opt[:-O|-Os|--PASS][,--PASS]...|spirv-opt:random",
     "optimises the module with SPIRV-Tools; the oracle runs what comes out"},
    {"exec-compiler", "exec-compiler:COMMAND {in} {out}",
     "has a command make another module; the oracle runs what comes out"},
    {"exec-device", "exec-device:COMMAND {case} {out}",
     "has a command run the case and tell what it left in memory"},
    {"roundtrip", "roundtrip:spirv-cross[,force-temporary][,tools=NAME]",
     "SPIR-V to GLSL by spirv-cross and back by glslang; the oracle runs what comes out"},
    {"llvm", "llvm[:passes=PIPELINE][,level=0..3][,version=N][,limit=N][,judge=ir][,fork=each]",
     "prints the module as LLVM IR; the oracle runs what LLVM makes of it"},
    {"clang-hlsl", "clang-hlsl[:-O1|-O2|-O3]",
     "prints the module as HLSL; the oracle runs what clang makes of it"},
    {"glslang", "glslang[:-Os]",
     "prints the module as GLSL; the oracle runs what glslang makes of it"},
    {"glslang-hlsl", "glslang-hlsl[:-Os]",
     "prints the module as plain HLSL; the oracle runs what glslang makes of it"},
    {"", "", ""}, // last: the program's own subject, once there is one (run_own_add)
};
enum { BACKENDS = sizeof rows / sizeof rows[0] };
static uint32_t known_count = BACKENDS - 1;
const struct run_own *own_subject;

static const struct run_backend *const backends[BACKENDS] = {
    &vk_backend,
    &check_backend,
    &opt_backend,
    &exec_backend,
    &device_backend,
    &roundtrip_backend,
    &llvm_backend,
    &clang_backend,
    &glslang_backend,
    &glslang_hlsl_backend,
    &own_backend,
};

void run_own_add(const struct run_own *own)
{
    CHECK(!own_subject);
    own_subject = own;
    rows[BACKENDS - 1] = own->row;
    known_count = BACKENDS;
}

const struct run_backend *run_backend_find(const char *spec, const char **options, struct err *e)
{
    if (chain_is(spec)) {
        *options = spec;
        return &chain_backend;
    }
    size_t n = strcspn(spec, ":");
    for (size_t i = 0; i < known_count; i++)
        if (strlen(rows[i].name) == n && memcmp(rows[i].name, spec, n) == 0) {
            *options = spec[n] ? spec + n + 1 : "";
            return backends[i];
        }
    // Listed nowhere: it tests what watches over workers.
    if (n == 5 && memcmp("fault", spec, n) == 0) {
        *options = spec[n] ? spec + n + 1 : "";
        return &fault_backend;
    }
    char known[512] = "";
    for (size_t i = 0; i < known_count; i++) {
        size_t at = strlen(known);
        snprintf(known + at, sizeof known - at, "%s%s", i ? ", " : "", rows[i].syntax);
    }
    err_set(e, "target '%.*s': no such backend; there is: %s", n > 64 ? 64 : (int)n, spec, known);
    return NULL;
}

uint32_t run_backends(const struct run_backend_row **out)
{
    *out = rows;
    return known_count;
}

const char *run_status_name(enum run_status s)
{
    static const char *const names[RUN_STATUSES] = {
        [RUN_OK] = "ok",
        [RUN_REJECTED] = "rejected",
        [RUN_CRASHED] = "crashed",
        [RUN_HUNG] = "hung",
        [RUN_DEVICE_LOST] = "device lost",
        [RUN_MEMORY] = "out of its memory",
        [RUN_INVALID] = "invalid output",
        [RUN_COMPILED] = "compiled",
        [RUN_SKIPPED] = "skipped",
        [RUN_FAILED] = "failed",
    };
    return (unsigned)s < RUN_STATUSES ? names[s] : "unknown";
}

void one_line(char *out, size_t size, const char *text, size_t n)
{
    while (n && (unsigned char)text[n - 1] <= ' ')
        n--;
    // From the end, so that the last and most telling words stay.
    size_t need = 0, from = n;
    while (from > 0) {
        need += text[from - 1] == '\n' ? 3 : 1;
        if (need > size - 1)
            break;
        from--;
    }
    size_t at = 0;
    for (size_t i = from; i < n; i++) {
        if (text[i] == '\n') {
            memcpy(out + at, " / ", 3);
            at += 3;
        } else {
            out[at++] = (unsigned char)text[i] < 32 || text[i] == 127 ? ' ' : text[i];
        }
    }
    out[at] = 0;
}

// ---- the time of subjects -------------------------------------------------------------

struct run_time run_time_now(void)
{
    return (struct run_time){now_seconds(), cpu_seconds()};
}

struct run_time run_time_since(struct run_time start)
{
    return (struct run_time){now_seconds() - start.wall, cpu_seconds() - start.cpu};
}

void run_time_add(struct run_result *r, struct run_time t)
{
    r->driver_seconds += t.wall;
    r->driver_cpu += t.cpu;
}
